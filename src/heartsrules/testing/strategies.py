"""Hypothesis strategies for the values of this package.

All drawn values are valid: playable rule sets, legal moves, reachable states. They shrink to `Rules()` or the nearest
allowed rule set, to the sorted deal, to the first legal move, and to few moves. A bad argument raises `InvalidArgument`
at once, not when a value is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar, cast, overload

import attrs

from heartsrules.base.extras import needs

with needs("testing", "heartsrules.testing.strategies"):
    from hypothesis import reject
    from hypothesis import strategies as st
    from hypothesis.errors import InvalidArgument
    from hypothesis.strategies import DrawFn, SearchStrategy

from heartsrules.base.errors import InvalidRules, InvalidSeat
from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards
from heartsrules.chance import SeededBits
from heartsrules.play.dealing import DealMoves, deal_cards
from heartsrules.play.engine import apply, legal_moves, new_game
from heartsrules.play.game import Game, Record
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, DealingBack, Exposing, GameOver, Passing, Playing, State
from heartsrules.rules import (
    Bonus,
    Doubler,
    Kitty,
    Moon,
    MoonCards,
    Option,
    PassStep,
    Rules,
    Seat,
    Tie,
    VoidLastTrick,
    left,
    middle,
)
from heartsrules.testing.laws import dealt
from heartsrules.testing.rule_sets import DECK_OPTIONS, SIMPLE_VALUES, nearest_rules, random_rules, repaired
from heartsrules.views import ChoosingMoonView, ExposingView, PassingView, PlayingView, View, public_view, view

__all__ = [
    "any_choices",
    "any_exposures",
    "any_passes",
    "any_plays",
    "bags",
    "cards",
    "deals",
    "games",
    "moves",
    "records",
    "rules",
    "states",
    "views",
]
__dir__ = __all__.copy

_P = ParamSpec("_P")
_T = TypeVar("_T")

RuleSets: TypeAlias = Rules | SearchStrategy[Rules] | None
"""A rule set, a strategy for it, or None for any."""

_BOTH_DECKS: Final = Cards(ALL_FACES * 2)
_SEATS: Final = 11


def _strategy(
    check: Callable[..., object],
) -> Callable[[Callable[Concatenate[DrawFn, _P], _T]], Callable[_P, SearchStrategy[_T]]]:
    """Turn a drawing function into a maker of strategies that checks its arguments."""

    def made(function: Callable[Concatenate[DrawFn, _P], _T]) -> Callable[_P, SearchStrategy[_T]]:
        drawn = st.composite(function)

        @wraps(drawn)
        def strategy(*args: _P.args, **kwargs: _P.kwargs) -> SearchStrategy[_T]:
            check(*args, **kwargs)
            return drawn(*args, **kwargs)

        return strategy

    return made


# ----------------------------------------------------------------------------------------------------------- cards


@lru_cache(maxsize=256)
def _below(count: int) -> SearchStrategy[int]:
    return st.integers(0, count - 1)


def _as_bag(name: str, value: object) -> Cards:
    try:
        return Cards(cast("Iterable[Card]", value))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{name}={value!r} is not a collection of cards: {error}") from error


def cards(*, among: str | Iterable[Card] | None = None) -> SearchStrategy[Card]:
    """Return a strategy for cards, which shrink in card order to the ♣2.

    Args:
        among: the cards to choose from, as a text or an iterable of cards. Defaults to all 52.

    Raises:
        InvalidArgument: `among` is empty, or not a collection of cards.
    """
    faces = list(ALL_FACES) if among is None else list(_as_bag("among", among).distinct())
    if not faces:
        raise InvalidArgument("among is empty: there is no card to choose")
    return st.sampled_from(faces)


def _check_sizes(among: object = None, min_size: int = 0, max_size: int | None = None) -> None:
    most = min_size if max_size is None else max_size
    _check_count("min_size", min_size)
    _check_count("max_size", most)
    pack = _pack(among)
    if min_size > len(pack):
        raise InvalidArgument(f"min_size={min_size} asks for more than the {len(pack)} cards to choose from")
    if most < min_size:
        raise InvalidArgument(f"{max_size=} is less than {min_size=}")


def _check_count(name: str, count: object) -> None:
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise InvalidArgument(f"{name}={count!r} must be an int of at least 0")


def _pack(among: object) -> Cards:
    return _BOTH_DECKS if among is None else _as_bag("among", among)


@_strategy(_check_sizes)
def bags(
    draw: DrawFn, *, among: str | Iterable[Card] | None = None, min_size: int = 0, max_size: int | None = None
) -> Cards:
    """Return a strategy for `Cards`, which shrink to few, distinct and low ones.

    Args:
        among: the cards to choose from, as often as they can be drawn. Defaults to two whole decks.
        min_size: the least number of cards.
        max_size: the greatest number of cards. Defaults to all.

    Raises:
        InvalidArgument: `among` is not a collection of cards, or a size is negative, contradicts the other or exceeds
            the number of cards.
    """
    # Second copies are last, so that examples shrink to distinct cards.
    pack = _pack(among)
    faces = pack.distinct()
    return Cards(_some(draw, [*faces, *(pack - faces)], min_size, max_size))


def _some(draw: DrawFn, pack: list[Card], min_size: int, max_size: int | None) -> list[Card]:
    if not pack:
        return []
    most = len(pack) if max_size is None else min(max_size, len(pack))
    places = st.lists(st.sampled_from(range(len(pack))), min_size=min_size, max_size=most, unique=True)
    return [pack[place] for place in draw(places)]


# ----------------------------------------------------------------------------------------------------------- rules


_Options: TypeAlias = Mapping[str, Any]

_NAMES: Final = frozenset([option.name for option in Rules.OPTIONS])


def rules(**fixed: Any) -> SearchStrategy[Rules]:
    """Return a strategy for valid rule sets, many with small decks and short deals.

    They shrink to `Rules()`, or with fixed options to a rule set with few other changes.

    Args:
        fixed: options of every rule set, such as `players=4`.

    Raises:
        InvalidArgument: there is no such option, a value has the wrong type, or no rule set with these options was
            found; then the message names the problems.
    """
    unknown = sorted(fixed.keys() - _NAMES)
    if unknown:
        raise InvalidArgument(f"{', '.join(unknown)}: Rules has no such option")
    # An iterator can be read only once.
    given = {name: tuple(value) if isinstance(value, Iterator) else value for name, value in fixed.items()}
    try:
        found = nearest_rules(given)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"these options make no rule set: {error}") from error
    return _rules(**{name: getattr(found, name) for name in fixed})


_TWO_IN_THREE: Final = st.sampled_from((False, True, True))
_SEEDS: Final = st.integers(0, 2**32 - 1)
_DRAWN: Final = 9
"""The choice of the random rule set's value. Smaller numbers are simple values, and 0 changes nothing."""
_SUITED: Final = ("players", "decks", "exposable")
"""The options for which `random_rules` chooses a deck."""


def _simple_values(option: Option) -> tuple[Any, ...]:
    return SIMPLE_VALUES.get(option.name, option.samples[1:2])


_CHOICES: Final[Mapping[str, SearchStrategy[int]]] = {
    option.name: st.sampled_from([0] * 4 + [*range(1, 1 + len(_simple_values(option)))] + [_DRAWN] * 4)
    for option in Rules.OPTIONS
    if option.name not in DECK_OPTIONS
}

_random: Final = lru_cache(maxsize=64)(lambda seed, **fixed: random_rules(SeededBits(str(seed)), **fixed))
_nearest: Final = lru_cache(maxsize=256)(lambda **fixed: nearest_rules(fixed))


def _draw_rules(draw: DrawFn, /, **fixed: Any) -> Rules:
    random = _random(draw(_SEEDS), **{name: value for name, value in fixed.items() if name in _SUITED})
    nearest = _nearest(**fixed)
    start = _with_deck_of(random, fixed) if draw(_TWO_IN_THREE) else nearest
    options = {**start.changes(), **fixed}
    for option in Rules.OPTIONS:
        name, value = option.name, getattr(random, option.name)
        # Drawing a choice must not depend on the deck, so that the deck shrinks independently.
        if name in _CHOICES and name not in fixed and value != getattr(nearest, name):
            choice = draw(_CHOICES[name])
            if choice == _DRAWN:
                options[name] = value
            elif choice:
                simple = _simple_values(option)[choice - 1]
                options[name] = simple(options) if callable(simple) else simple
    try:
        return repaired(options, fixed)
    except InvalidRules:
        return start


_draw_rules.__name__ = "rules"  # the name in the repr of the strategy
_rules: Final = st.composite(_draw_rules)


def _with_deck_of(random: Rules, fixed: _Options) -> Rules:
    deck = {name: getattr(random, name) for name in DECK_OPTIONS}
    try:
        return repaired({**_nearest(**fixed).changes(), **deck, **fixed}, fixed)
    except InvalidRules:
        return _nearest(**fixed)


# ----------------------------------------------------------------------------------------------------- deals, moves


def _rule_sets(given: RuleSets) -> SearchStrategy[Rules]:
    if given is None:
        return rules()
    if isinstance(given, Rules):
        return st.just(given)
    if isinstance(given, SearchStrategy):
        return given
    raise InvalidArgument(f"rules={given!r} must be a Rules or a strategy for rule sets")


def _check(
    rules: RuleSets = None,
    *,
    start: object = None,
    phases: Collection[Phase] | None = None,
    spectators: object = True,
    max_plies: object = 0,
) -> None:
    _rule_sets(rules)
    _check_count("max_plies", max_plies)
    if phases is not None:
        _wanted(rules, phases)
    if start is not None and rules is not None:
        raise InvalidArgument("give either rules or start: a state has its rules in it")
    if start is not None and not isinstance(start, State):
        raise InvalidArgument(f"{start=} must be a State")
    if not isinstance(spectators, bool):
        raise InvalidArgument(f"{spectators=} must be a bool")


@_strategy(_check)
def deals(draw: DrawFn, rules: RuleSets = None) -> Deal:
    """Return a strategy for deals, which shrink to the sorted deal.

    It deals the cards in card order, from seat 0 to the kitty.

    Args:
        rules: the rule set, or a strategy for it. Defaults to any.

    Raises:
        InvalidArgument: `rules` is neither a rule set nor a strategy.
    """
    return _deal(draw, draw(_rule_sets(rules)))


def _deal(draw: DrawFn, table: Rules) -> Deal:
    return dealt(table, draw(st.permutations(list(table.deck))))


@overload
def moves(state: AwaitingDeal | DealingBack, *, seat: None = None) -> SearchStrategy[Deal]: ...
@overload
def moves(state: Passing | PassingView, *, seat: Seat | None = None) -> SearchStrategy[Pass]: ...
@overload
def moves(state: Exposing | ExposingView, *, seat: Seat | None = None) -> SearchStrategy[Expose]: ...
@overload
def moves(state: Playing | PlayingView, *, seat: Seat | None = None) -> SearchStrategy[Play]: ...
@overload
def moves(state: ChoosingMoon | ChoosingMoonView, *, seat: Seat | None = None) -> SearchStrategy[ChooseMoon]: ...
@overload
def moves(state: State | View, *, seat: Seat | None = None) -> SearchStrategy[Move]: ...
@_strategy(lambda state, seat=None: _check_movable(state, seat))
def moves(draw: DrawFn, state: State | View, *, seat: Seat | None = None) -> Move:
    """Return a strategy for legal moves, which shrink to the first of `legal_moves`.

    Args:
        state: a state or a view; for a view, only moves of its own seat are drawn.
        seat: the seat that moves. Defaults to any seat that can act.

    Raises:
        InvalidArgument: `state` is neither a state nor a view, `seat` is not a seat of it, or there is no legal move.
    """
    return _move(draw, state, seat)


def _check_movable(state: State | View, seat: Seat | None) -> None:
    try:
        legal = legal_moves(state, seat)
    except (TypeError, InvalidSeat) as error:
        raise InvalidArgument(str(error)) from error
    if not legal:
        whose = "" if seat is None else f" of seat {seat}"
        raise InvalidArgument(f"there is no legal move{whose} in the phase {state.phase}")


def _move(draw: DrawFn, state: State | View, seat: Seat | None = None) -> Move:
    legal = legal_moves(state, seat)
    if isinstance(legal, DealMoves):
        if isinstance(state, DealingBack):
            return deal_cards(state, draw(st.permutations(list(sum(state.middle_cards, NO_CARDS)))))
        return _deal(draw, state.rules)
    return legal[draw(_below(len(legal)))]


def any_plays() -> SearchStrategy[Play]:
    """Return a strategy for plays of any seat and card, legal or not."""
    return st.builds(Play, _below(_SEATS), cards())


def any_passes() -> SearchStrategy[Pass]:
    """Return a strategy for any seat's passes to up to two seats, legal or not.

    Each seat gets up to three cards.
    """
    gifts = st.lists(bags(min_size=1, max_size=3), max_size=2)
    return st.builds(lambda seat, cards: Pass(seat, *cards), _below(_SEATS), gifts)


def any_exposures() -> SearchStrategy[Expose]:
    """Return a strategy for any seat's exposures of up to three cards, legal or not."""
    return st.builds(Expose, _below(_SEATS), bags(max_size=3))


def any_choices() -> SearchStrategy[ChooseMoon]:
    """Return a strategy for any seat's choices between the two effects of a moon."""
    return st.builds(ChooseMoon, _below(_SEATS), st.sampled_from((Moon.OTHERS_UP, Moon.SHOOTER_DOWN)))


# ------------------------------------------------------------------------------------------- games, states, views

_FAR: Final = 400
"""The limit on moves after the drawn number until the wanted phase."""
_ALL_PHASES: Final = tuple(Phase)
_TAGS: Final = ("Event", "Site", "Date", "Seat0", "Seat1", "Seat2", "Seat3")


@_strategy(_check)
def games(draw: DrawFn, *, rules: RuleSets = None, start: State | None = None, max_plies: int = 60) -> Game:
    """Return a strategy for games of random legal moves, shrinking to few, early ones.

    Args:
        rules: the rule set, or a strategy for it. Defaults to any.
        start: the first state of the game, instead of `rules`. Defaults to the one before the first deal.
        max_plies: the limit on moves, deals and passes included.

    Raises:
        InvalidArgument: an argument has the wrong type or is out of range, or both `rules` and `start` are given.
    """
    game = Game(new_game(draw(_rule_sets(rules))) if start is None else start)
    for _ in range(draw(st.integers(0, max_plies))):
        if isinstance(game.state, GameOver):
            break
        game = game.play(_move(draw, game.state))
    return game


def _wanted(rules: RuleSets, phases: Collection[Phase] | None) -> tuple[Phase, ...]:
    if phases is None:
        return _ALL_PHASES
    if isinstance(phases, str) or not isinstance(phases, Collection) or not phases:
        raise InvalidArgument(f"{phases=} must be a collection of Phase that is not empty")
    for one in phases:
        if not isinstance(one, Phase):
            raise InvalidArgument(f"{phases=} must hold only Phase")
        if isinstance(rules, Rules) and not _may_reach(rules, one):
            raise InvalidArgument(f"no match by {rules!r} comes to the phase {one!r}")
    return tuple(one for one in _ALL_PHASES if one in phases)


def _may_reach(table: Rules, wanted: Phase) -> bool:
    if wanted is Phase.PASS:
        return any(table.pass_cycle)
    if wanted is Phase.DEAL_BACK:
        return any(_goes_through_middle(step) for step in table.pass_cycle)
    if wanted is Phase.EXPOSE:
        return bool(table.exposable)
    return wanted is not Phase.MOON or table.moon is Moon.CHOICE


@_strategy(_check)
def states(
    draw: DrawFn, *, rules: RuleSets = None, phases: Collection[Phase] | None = None, max_plies: int = 60
) -> State:
    """Return a strategy for states after random legal moves.

    They shrink to the first state of their phase. Without `rules`, every phase is drawn equally often, under rule sets
    in which it occurs soon. With `rules` and without `phases`, the last state of a random game is drawn.

    Args:
        rules: the rule set, or a strategy for it. Defaults to any. When `phases` are given too, they must occur within
            400 moves after `max_plies`, which is unlikely for a shooter's choice or the end of a match to 100.
        phases: the phases of the states. Defaults to any.
        max_plies: the limit on moves, unless none of the phases has occurred by then.

    Raises:
        InvalidArgument: an argument has the wrong type or is out of range, or the rule set does not reach a phase.
    """
    if phases is None and rules is not None:
        return draw(games(rules=rules, max_plies=max_plies)).state
    wanted = draw(st.sampled_from(_wanted(rules, phases)))
    table = _rules_for(draw, wanted) if rules is None else draw(_rule_sets(rules))
    if not _may_reach(table, wanted):
        reject()
    ply = draw(st.integers(0, max_plies))
    state: State = new_game(table)
    found = state if wanted is Phase.DEAL else None
    made = 0
    while not (isinstance(state, GameOver) or (made >= ply and found is not None)):
        if made > ply + _FAR:
            reject()
        state = apply(state, _move(draw, state))
        made += 1
        if state.phase is wanted:
            found = state
    return reject() if found is None else found


_SOON: Final[Mapping[Phase, tuple[_Options, ...]]] = {
    Phase.DEAL: ({},),
    Phase.PASS: ({},),
    Phase.DEAL_BACK: ({},),
    Phase.EXPOSE: (
        {"decks": 1, "exposable": Cards("AH")},
        {
            "decks": 1,
            "exposable": Cards("QS JD TC AH"),
            "queen_points": 13,
            "bonuses": (Bonus(Card("JD"), 10),),
            "doubler": Doubler(Card("TC"), 2, 5),
        },
    ),
    Phase.PLAY: ({},),
    # With one trick a deal, or one card that makes a moon, every deal is shot.
    Phase.MOON: (
        {"moon": Moon.CHOICE, "hand_size": 1, "kitty": Kitty.NONE, "void_last_trick": VoidLastTrick.LEADER},
        {
            "moon": Moon.CHOICE,
            "decks": 1,
            "kitty": Kitty.NONE,
            "heart_values": (0,) * 13,
            "extra_penalties": (),
            "moon_cards": MoonCards.ALL,
        },
    ),
    Phase.OVER: ({"max_deals": 1, "tie": Tie.SHARED}, {"max_deals": 2, "tie": Tie.SHARED}),
}
"""Options under which a phase occurs early in every match."""


def _rules_for(draw: DrawFn, wanted: Phase) -> Rules:
    fixed = dict(draw(st.sampled_from(_SOON[wanted])))
    if wanted is Phase.MOON:
        fixed["moon_needs_bonus"] = False
    table = draw(_rules(**fixed))
    if wanted is Phase.PASS:
        return _beginning_with(table, bool, left(1))
    return _beginning_with(table, _goes_through_middle, middle(1)) if wanted is Phase.DEAL_BACK else table


def _goes_through_middle(step: PassStep) -> bool:
    return len(step) == 1 and not step[0][0]


def _beginning_with(table: Rules, wanted: Callable[[PassStep], bool], otherwise: PassStep) -> Rules:
    first = next((number for number, step in enumerate(table.pass_cycle) if wanted(step)), None)
    if first is None:
        return attrs.evolve(table, pass_cycle=(otherwise,), unpassable=NO_CARDS)
    return attrs.evolve(table, pass_cycle=(*table.pass_cycle[first:], *table.pass_cycle[:first]))


@_strategy(_check)
def views(
    draw: DrawFn,
    *,
    rules: RuleSets = None,
    phases: Collection[Phase] | None = None,
    spectators: bool = True,
    max_plies: int = 60,
) -> View:
    """Return a strategy for views after random legal moves, shrinking to seat 0.

    Other arguments and errors are as for `states`.

    Args:
        spectators: True to draw a spectator's views too.
    """
    # Drawn first, so that it is stable while the game shrinks.
    public = spectators and draw(_SELDOM)
    state = draw(states(rules=rules, phases=phases, max_plies=max_plies))
    return public_view(state) if public else view(state, draw(_below(state.rules.players)))


_SELDOM: Final = st.sampled_from((False, False, False, True))


@_strategy(_check)
def records(draw: DrawFn, *, rules: RuleSets = None, max_plies: int = 60) -> Record:
    """Return a strategy for valid records of random legal moves.

    They have the points of their deals, tags and comments, and shrink to few moves without tags and comments.

    Args:
        rules: the rule set, or a strategy for it. Defaults to any.
        max_plies: the limit on moves, deals and passes included.
    """
    game = draw(games(rules=rules, max_plies=max_plies))
    tags = draw(st.lists(st.tuples(st.sampled_from(_TAGS), _TEXTS), max_size=3, unique_by=lambda tag: tag[0]))
    comments = draw(st.lists(st.tuples(st.integers(0, game.ply), _TEXTS), max_size=3))
    return attrs.evolve(Record.of(game, tags), comments=comments)


_TEXTS: Final = st.text(st.characters(codec="utf-8"), max_size=20)
