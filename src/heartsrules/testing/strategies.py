"""Hypothesis strategies for the values of this package.

What they draw is always valid: rule sets that can be played, legal moves, states that a match can reach. They shrink
to `Rules()` or what is nearest to it among the rule sets allowed, to the sorted deal, to the first of the legal moves,
and to few moves. A bad argument is an `InvalidArgument` at once, not when something is drawn.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar, cast, overload

import attrs

from heartsrules.base.extras import needs

with needs("testing", "heartsrules.testing.strategies"):
    from hypothesis import reject
    from hypothesis import strategies as st
    from hypothesis.errors import InvalidArgument
    from hypothesis.strategies import DrawFn, SearchStrategy

from heartsrules.base.errors import InvalidRules, InvalidSeat, Problem
from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards, Suit
from heartsrules.play.dealing import DealMoves
from heartsrules.play.engine import apply, legal_moves, new_game
from heartsrules.play.game import Game, Record
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, Exposing, GameOver, Passing, Playing, State
from heartsrules.rules import (
    HOLD,
    Bonus,
    BonusFloor,
    Compulsory,
    Doubler,
    Duplicates,
    Exposure,
    HeartValues,
    Kind,
    Kitty,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    Option,
    PassOptional,
    QueenBreaks,
    Reckoning,
    Rules,
    Seat,
    Tie,
    VoidLastTrick,
    left,
)
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

_F = TypeVar("_F", bound=Callable[..., Any])

_QUEEN: Final = Card("QS")
_ACE_OF_HEARTS: Final = Card("AH")
_BOTH_DECKS: Final = Cards(ALL_FACES * 2)
_SEATS: Final = 11


def _shown_as(name: str) -> Callable[[_F], _F]:
    """Let the strategy be shown by the name of the public function that makes it."""

    def rename(function: _F) -> _F:
        function.__name__ = name
        return function

    return rename


# ----------------------------------------------------------------------------------------------------------- cards


@lru_cache(maxsize=256)
def _below(count: int) -> SearchStrategy[int]:
    return st.integers(0, count - 1)


def _as_bag(name: str, value: object) -> Cards:
    try:
        return Cards(cast("Iterable[Card]", value))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{name}={value!r} is not a collection of cards: {error}") from error


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def cards(*, among: str | Iterable[Card] | None = None) -> SearchStrategy[Card]:
    """Cards; they shrink in card order, towards the 2♣.

    Args:
        among: the cards to choose from, as a text or an iterable of cards; by default all 52.

    Raises:
        InvalidArgument: `among` is empty, or not a collection of cards.
    """
    faces = list(ALL_FACES) if among is None else list(_as_bag("among", among).faces())
    if not faces:
        raise InvalidArgument("among is empty: there is no card to choose")
    return st.sampled_from(faces)


def bags(
    *, among: str | Iterable[Card] | None = None, min_size: int = 0, max_size: int | None = None
) -> SearchStrategy[Cards]:
    """Bags of cards; they shrink to fewer cards, to no card twice, and in card order.

    Args:
        among: the cards to choose from, each as often as it may come; by default two whole decks.
        min_size: the least number of cards.
        max_size: the greatest number of cards; None: as many as there are.

    Raises:
        InvalidArgument: `among` is not a collection of cards, or a size is negative, contradicts the other or asks for
            more cards than there are.
    """
    pack = _BOTH_DECKS if among is None else _as_bag("among", among)
    for name, size in (("min_size", min_size), ("max_size", max_size)):
        if size is not None and (not _is_int(size) or size < 0):
            raise InvalidArgument(f"{name}={size!r} must be an int of at least 0")
    if min_size > len(pack):
        raise InvalidArgument(f"min_size={min_size} asks for more than the {len(pack)} cards to choose from")
    if max_size is not None and max_size < min_size:
        raise InvalidArgument(f"{max_size=} is less than {min_size=}")
    return _bags(among=pack, min_size=min_size, max_size=max_size)


@st.composite
@_shown_as("bags")
def _bags(draw: DrawFn, *, among: Cards = _BOTH_DECKS, min_size: int = 0, max_size: int | None = None) -> Cards:
    # The second copies come last, so that a bag shrinks to no card twice.
    faces = among.faces()
    return Cards(_some(draw, [*faces, *(among - faces)], min_size, max_size))


def _some(draw: DrawFn, pack: list[Card], min_size: int, max_size: int | None) -> list[Card]:
    """Cards of a pack, each as often as the pack holds it; they shrink to the first of the pack."""
    if not pack:
        return []
    most = len(pack) if max_size is None else min(max_size, len(pack))
    places = st.lists(st.sampled_from(range(len(pack))), min_size=min_size, max_size=most, unique=True)
    return [pack[place] for place in draw(places)]


# ----------------------------------------------------------------------------------------------------------- rules


_Fields: TypeAlias = Mapping[str, Any]

_NAMES: Final = frozenset([option.name for option in Rules.OPTIONS])


def rules(**fixed: Any) -> SearchStrategy[Rules]:
    """Valid rule sets with anything in any field; many have small decks, so that deals are short.

    They shrink to `Rules()`, or with fixed fields to a rule set that differs from it in little else.

    Args:
        fixed: fields of `Rules` that every rule set has, such as `players=4`.

    Raises:
        InvalidArgument: there is no such field, a value has the wrong type, or no rule set with these fields was
            found; then the message names the problems.
    """
    unknown = sorted(fixed.keys() - _NAMES)
    if unknown:
        raise InvalidArgument(f"{', '.join(unknown)}: Rules has no such field")
    # An iterator could be read only once.
    given = {name: tuple(value) if isinstance(value, Iterator) else value for name, value in fixed.items()}
    try:
        found = _completed(given)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"these fields make no rule set: {error}") from error
    return _rules(**{name: getattr(found, name) for name in fixed})


@st.composite
@_shown_as("rules")
def _rules(draw: DrawFn, /, **fixed: Any) -> Rules:
    base = _base(**fixed)
    table = base
    fields = draw(_tables(base=base, fixed=fixed, small=draw(_TWO_IN_THREE)))
    # Decided after it is drawn: so it shrinks to the base whatever was drawn.
    if draw(_THREE_IN_FOUR):
        try:
            table = _base(**fixed, **fields)
        except InvalidRules:
            # What is fixed asks for a deck like that of the base.
            table = base
    for _ in range(draw(_UP_TO_TWELVE)):
        change = draw(draw(_KINDS_OF_CHANGE)(table))
        free = {name: value for name, value in change.items() if name not in fixed}
        try:
            table = attrs.evolve(table, **free)
        except InvalidRules:
            # It contradicts what is fixed or was chosen before it: that stays.
            continue
    return table


@st.composite
def _tables(draw: DrawFn, *, base: Rules, fixed: _Fields, small: bool) -> dict[str, Any]:
    """The free fields among those that say who is dealt what."""
    players = fixed["players"] if "players" in fixed else draw(_first(base.players, range(3, _SEATS + 1)))
    decks = fixed["decks"] if "decks" in fixed else draw(_first(base.decks, (1, 2)))
    fields: dict[str, Any] = {"players": players, "decks": decks}
    if small:
        total = 52 * decks - (len(fixed["removed"]) if "removed" in fixed else 0)
        most = max(total // players, 1)
        hand = fixed.get("hand_size") or draw(st.integers(1, min(most, 8)))
        if "removed" in fixed:
            fields["hand_size"] = hand
            left_over = total - players * hand
        else:
            room = max(0, 52 * decks - players * hand)
            some_left = fixed.get("kitty") is not Kitty.NONE and fixed.get("hand_size", 0) is not None
            left_over = draw(st.integers(0, min(room, 5))) if some_left else 0
            fields["removed"] = Cards(ALL_FACES * decks) - draw(
                _decks(decks=decks, size=players * hand + left_over, kept=_named(fixed))
            )
            if left_over >= players:
                fields["hand_size"] = hand
        if left_over > 0:
            fields["kitty"] = draw(st.sampled_from([kitty for kitty in Kitty if kitty is not Kitty.NONE]))
    return {name: value for name, value in fields.items() if name not in fixed}


def _first(value: int, values: Iterable[int]) -> SearchStrategy[int]:
    """One of several values; it shrinks to the given one of them."""
    return st.sampled_from([value, *(other for other in values if other != value)])


@st.composite
def _decks(draw: DrawFn, *, decks: int, size: int, kept: Cards) -> Cards:
    """A deck of so many cards. It shrinks to the cards that rules are about, and the highest."""
    faces = [*kept, *(card for card in reversed(_EXPENDABLE) if card not in kept)]
    count = max(min(size, 52 * decks) - len(kept), 0)
    rest = faces[len(kept) :]
    half = (count + 1) // 2
    if decks == 2 and half <= len(rest) and draw(st.booleans()):
        pairs = [card for card in _some(draw, rest, half, half) for _ in range(2)]
        return kept + Cards(pairs[:count])
    rest += faces if decks == 2 else []
    return kept + Cards(_some(draw, rest, count, count))


_EXPENDABLE: Final = tuple(
    sorted(
        (card for card in ALL_FACES if card is not _QUEEN),
        key=lambda card: (card.rank + (card.suit is Suit.HEARTS), "DCSH".index(card.suit.letter)),
    )
) + (_QUEEN,)
"""The faces in the order in which they are left out of a deck."""


@lru_cache(maxsize=256)
def _base(**fixed: Any) -> Rules:
    return _completed(fixed)


def _completed(fixed: _Fields) -> Rules:
    """A rule set with these fields and as many others at their defaults as can be; the rest is searched best first.

    Raises:
        InvalidRules: none was found; the problems are those of the attempt that had the fewest.
    """
    attempts = itertools.count()
    seen: set[tuple[tuple[str, int], ...]] = {()}
    queue: list[tuple[int, int, dict[str, int], tuple[Problem, ...]]] = []
    fewest: tuple[Problem, ...] = ()
    pending: list[dict[str, int]] = [{}]
    while True:
        for chosen in pending:
            try:
                return Rules(**_with_choices(fixed, chosen))
            except InvalidRules as error:
                problems = error.problems
            if not fewest or len(problems) < len(fewest):
                fewest = problems
            heapq.heappush(queue, (len(problems), next(attempts), chosen, problems))
        if not queue or next(attempts) > _ATTEMPTS:
            raise InvalidRules(fewest)
        _, _, chosen, problems = heapq.heappop(queue)
        pending = []
        for changed in _neighbours(fixed, chosen, problems):
            key = tuple(sorted(changed.items()))
            if key not in seen:
                seen.add(key)
                pending.append(changed)


_ATTEMPTS: Final = 1000
"""After so many, a completion is taken to be impossible."""


def _neighbours(fixed: _Fields, chosen: dict[str, int], problems: Iterable[Problem]) -> Iterator[dict[str, int]]:
    """The choices with one of the free fields changed that the problems are about."""
    about = {field for problem in problems for field in problem.fields}
    if not about.isdisjoint(("hand_size", "removed", "first_dealer")):
        about |= {"players", "decks", "removed"}
    if not about.isdisjoint(("moon", "moon_cards", "max_deals")):
        about.add("extra_penalties")
    for name, values in _CHOICES.items():
        if name in about and name not in fixed:
            for place in range(len(values)):
                if place != chosen.get(name, 0):
                    yield {**{other: at for other, at in chosen.items() if other != name}, name: place}


def _with_choices(fixed: _Fields, chosen: Mapping[str, int]) -> dict[str, Any]:
    fields = dict(fixed)
    # In the order of the table: the makers further down look at what stands above.
    for name, values in _CHOICES.items():
        place = chosen.get(name, 0)
        if place:
            value = values[place]
            fields[name] = value(fields) if callable(value) else value
    return fields


def _named(fields: _Fields) -> Cards:
    """The cards that must stay in play: those that fields are about."""
    named = [*Cards(fields.get("unpassable", ())), *Cards(fields.get("compulsory_cards", ()))]
    named.extend(Cards(fields.get("exposable", ())))
    named += [card for card, _ in fields.get("extra_penalties", ())]
    named += [bonus.card for bonus in fields.get("bonuses", ())]
    if fields.get("doubler") is not None:
        named.append(fields["doubler"].card)
    if any(fields.get(name) in values for name, values in _ABOUT_QUEEN.items()):
        named.append(_QUEEN)
    if "compulsory_cards" not in fields and fields.get("compulsory", Compulsory.NO) is not Compulsory.NO:
        named.append(_QUEEN)
    if fields.get("moon_cards") is MoonCards.HEARTS:
        named.append(_ACE_OF_HEARTS)
    return Cards(set(named))


_ABOUT_QUEEN: Final[Mapping[str, tuple[Any, ...]]] = {
    "opening_leader": (OpeningLeader.QUEEN_TAKER,),
    "queen_breaks": (QueenBreaks.LED, QueenBreaks.DISCARDED, QueenBreaks.PLAYED),
    "queen_discard_after_hearts": (True,),
    "moon_cards": (MoonCards.HEARTS_AND_QUEEN,),
}
"""The values of fields that need the Q♠ in play."""


def _deck(fields: _Fields) -> Cards:
    return Cards(ALL_FACES * fields.get("decks", 1)) - Cards(fields.get("removed", ()))


def _evenly(fields: _Fields) -> Cards:
    """What to remove, so that the rest deals out evenly."""
    return _surplus(fields, [])


def _with_one_queen(fields: _Fields) -> Cards:
    """The same of two decks, a Q♠ among it."""
    return _surplus(fields, [_QUEEN] if fields.get("decks") == 2 else [])


def _surplus(fields: _Fields, first: list[Card]) -> Cards:
    """So many cards that the rest deals out evenly, these first and none that must stay."""
    players = max(fields.get("players", 4), 1)
    decks = min(max(fields.get("decks", 1), 1), 2)
    hand = fields.get("hand_size") or (52 * decks - len(first)) // players
    named = _named(fields)
    expendable = [*first, *(card for card in _EXPENDABLE for _ in range(decks) if card not in named)]
    return Cards(expendable[: max(52 * decks - hand * players, 0)])


def _some_penalty(fields: _Fields) -> tuple[tuple[Card, int], ...]:
    return tuple([(card, 1) for card in _deck(fields).faces() if card not in _scoring_otherwise(fields)][:1])


def _heart_penalty(fields: _Fields) -> tuple[tuple[Card, int], ...]:
    return tuple([(card, 1) for card in _deck(fields).of_suit(Suit.HEARTS)][-1:])


def _scoring_otherwise(fields: _Fields) -> set[Card]:
    """The cards that are a bonus card or the doubler."""
    doubler = fields.get("doubler")
    return {bonus.card for bonus in fields.get("bonuses", ())} | ({doubler.card} if doubler is not None else set())


def _first_bonus(fields: _Fields) -> tuple[Bonus, ...]:
    """A bonus card of the deck, the first that is worth no points."""
    taken = {card for card, _ in fields.get("extra_penalties", ())} | _scoring_otherwise(fields) | {_QUEEN}
    free = [card for card in _deck(fields).faces() if card.suit is not Suit.HEARTS and card not in taken]
    return tuple([Bonus(card, 10) for card in free[:1]])


def _bonuses_to_show(fields: _Fields) -> tuple[Bonus, ...]:
    """Bonuses for the exposable cards that count nothing otherwise."""
    taken = {card for card, _ in fields.get("extra_penalties", ())} | _scoring_otherwise(fields) | {_QUEEN}
    shown = Cards(fields.get("exposable", ())).faces()
    return tuple([Bonus(card, 10) for card in shown if card.suit is not Suit.HEARTS and card not in taken])


def _last_heart(fields: _Fields) -> Cards:
    return Cards(list(_deck(fields).of_suit(Suit.HEARTS))[-1:])


def _first_card(fields: _Fields) -> Cards:
    return Cards(list(_deck(fields).faces())[:1])


_CHOICES: Final[Mapping[str, tuple[Any, ...]]] = {
    "players": (4, 3, *range(5, _SEATS + 1)),
    "decks": (1, 2),
    "removed": (NO_CARDS, _evenly, _with_one_queen),
    "kitty": (Kitty.NONE, Kitty.FIRST_TRICK),
    "teams": (0, 2, 3),
    "pass_cycle": (None, (left(1),), (HOLD,)),
    "opening_leader": (OpeningLeader.LOWEST_CLUB, OpeningLeader.DEALER_LEFT),
    "opening_card": (OpeningCard.LOWEST_CLUB, OpeningCard.ANY),
    "heart_values": (HeartValues.ONE, (0,) * 13),
    "queen_points": (13, 0),
    "bonuses": ((), _first_bonus, _bonuses_to_show),
    "extra_penalties": ((), _some_penalty, _heart_penalty),
    "exposable": (NO_CARDS, _last_heart),
    "compulsory": (Compulsory.NO, Compulsory.DISCARD),
    "compulsory_cards": (Cards([_QUEEN]), _first_card),
    "no_tricks_bonus": (0, 5),
    "moon": (Moon.OTHERS_UP, Moon.OFF, Moon.SHOOTER_DOWN),
    "max_deals": (None, 1),
}
"""For fields whose default may not go with what is fixed, what to take instead; the first place is the default."""


_Change: TypeAlias = SearchStrategy[dict[str, Any]]
"""New values for one field, or for several that go together."""


def _change(**values: SearchStrategy[Any]) -> _Change:
    return st.fixed_dictionaries(values)


def _always(change: _Change) -> Callable[[Rules], _Change]:
    return lambda _table: change


def _change_dealer(table: Rules) -> _Change:
    return _change(first_dealer=_below(table.players))


def _plain(table: Rules) -> list[Card]:
    """The cards of a deck that are worth nothing: those that a bonus or the doubler may be."""
    return [card for card in table.deck.faces() if card.suit is not Suit.HEARTS and not table.penalty(card)]


def _change_bonuses(table: Rules) -> _Change:
    free = [card for card in _plain(table) if table.doubler is None or card is not table.doubler.card]
    if not free:
        return _NO_CHANGE
    bonus = st.builds(Bonus, st.sampled_from(free), st.sampled_from((10, 1, 30)))
    several = st.lists(bonus, min_size=2, max_size=3, unique_by=_card_of).map(tuple)
    return _change(
        # A single one first: a list has so much to draw that it seldom shrinks together with the deck.
        bonuses=bonus.map(lambda one: (one,)) | several if len(free) > 1 else bonus.map(lambda one: (one,)),
        bonus_floor=st.sampled_from(BonusFloor if table.doubler is None else (BonusFloor.NONE,)),
        moon_needs_bonus=st.booleans(),
    )


def _card_of(bonus: Bonus) -> Card:
    return bonus.card


def _change_doubler(table: Rules) -> _Change:
    bonuses = {bonus.card for bonus in table.bonuses}
    free = [card for card in _plain(table) if card not in bonuses]
    if not free:
        return _NO_CHANGE
    doubler = st.builds(Doubler, st.sampled_from(free), st.sampled_from((2, 3)), st.sampled_from((0, 5, 50)))
    return _change(doubler=doubler, bonus_floor=st.just(BonusFloor.NONE))


def _change_exposure(table: Rules) -> _Change:
    doubler = None if table.doubler is None else table.doubler.card
    hearts = [card for card in table.deck.faces() if card.suit is Suit.HEARTS]
    others = [
        card
        for card in table.deck.faces()
        if card.suit is not Suit.HEARTS and (card.bit & table.compiled.scoring or card is doubler)
    ]
    if table.decks == 2 or not hearts + others:
        return _NO_CHANGE
    heart = bags(among=hearts, max_size=1)
    return _change(
        exposable=st.builds(Cards.__add__, heart, bags(among=others, max_size=3)).filter(bool),
        exposure=st.sampled_from(Exposure),
    )


def _change_compulsory(table: Rules) -> _Change:
    times = [when for when in Compulsory if when is not Compulsory.NO]
    several = bags(among=table.deck.faces(), min_size=1, max_size=3)
    return _change(
        compulsory=st.sampled_from(times),
        compulsory_cards=st.just(Cards([_QUEEN])) | several if _QUEEN in table.deck else several,
    )


def _change_bonus_target(_: Rules) -> _Change:
    target = st.sampled_from((1, 5, 10, 26))
    # The second for a table at which nothing takes a total below 0 yet.
    return _change(bonus_target=target) | _change(bonus_target=target, no_tricks_bonus=st.sampled_from((1, 5, 10)))


def _change_teams(table: Rules) -> _Change:
    teams = [teams for teams in (2, 3) if table.players % teams == 0 and table.players > teams]
    if not teams:
        return _NO_CHANGE
    return _change(teams=st.sampled_from(teams), moon_scope=st.sampled_from(MoonScope), exact_resets=st.just(()))


def _change_duplicates(table: Rules) -> _Change:
    if table.decks == 1:
        return _change(duplicates=st.sampled_from(Duplicates))
    return st.one_of(
        _change(duplicates=st.sampled_from(Duplicates), two_pairs_void=st.just(False)),
        _change(duplicates=st.just(Duplicates.CANCEL), two_pairs_void=st.just(True)),
    )


def _change_passing(table: Rules) -> _Change:
    room = table.cards_per_hand - min(table.cards_per_hand, sum([table.deck.count(card) for card in table.unpassable]))
    if not room:
        return _change(pass_cycle=st.just((HOLD,)))
    # One to the left, one to the right, two to the left, and so on: offsets beyond these are spellings of the same.
    offsets = sorted(range(1, table.players), key=lambda offset: (min(offset, table.players - offset), offset))
    offset = st.sampled_from(offsets)
    single = st.tuples(st.tuples(offset, st.integers(1, min(room, 3))))
    several = st.lists(st.tuples(offset, st.just(1)), max_size=min(room, table.players - 1), unique_by=_first_of).map(
        tuple
    )
    return st.one_of(
        _change(
            pass_cycle=st.lists(single | several, min_size=1, max_size=3).map(tuple),
            pass_optional=st.just(PassOptional.NO),
        ),
        _change(
            pass_cycle=st.lists(single, min_size=1, max_size=3).map(tuple),
            pass_optional=st.sampled_from((PassOptional.SKIP, PassOptional.UNANIMOUS)),
        ),
    )


def _first_of(pair: tuple[Any, Any]) -> Any:
    return pair[0]


_NO_CHANGE: Final[_Change] = st.just({})
_TOGETHER: Final[Mapping[Callable[[Rules], _Change], Collection[str]]] = {
    _change_dealer: ("first_dealer",),
    _change_bonuses: ("bonuses", "bonus_floor", "moon_needs_bonus"),
    _change_doubler: ("doubler",),
    _change_compulsory: ("compulsory", "compulsory_cards"),
    _change_bonus_target: ("bonus_target",),
    _change_teams: ("teams", "moon_scope"),
    _change_duplicates: ("duplicates", "two_pairs_void"),
    _change_passing: ("pass_cycle", "pass_optional"),
    _change_exposure: ("exposable", "exposure"),
    _always(_change(target=st.sampled_from((100, 1, 5, 20, 50)))): ("target",),
    _always(_change(max_deals=st.sampled_from((None, 1, 2, 3)))): ("max_deals",),
    _always(
        _change(
            target=st.none(),
            max_deals=st.integers(1, 3),
            reckoning=st.sampled_from((Reckoning.PENALTY, Reckoning.NEGATIVE)),
        )
    ): (),
}
"""Changes of options that go together or depend on the table, and the options that no other change is for."""

_TABLE: Final = ("players", "decks", "removed", "hand_size", "kitty")
"""The options that say who is dealt what: they are chosen first."""


def _values(option: Option, table: Rules) -> SearchStrategy[Any]:
    """Values of an option by itself."""
    if option.samples:
        return st.sampled_from(option.samples)
    return _BY_KIND[option.kind](table)


def _some_points(table: Rules) -> SearchStrategy[Any]:
    pairs = st.tuples(st.sampled_from(list(table.deck.faces())), st.sampled_from((1, 7, 10)))
    return st.lists(pairs, max_size=3, unique_by=_first_of).map(tuple)


def _some_resets(_: Rules) -> SearchStrategy[Any]:
    pairs = st.tuples(st.integers(1, 100), st.sampled_from((0, -10)))
    return st.lists(pairs, max_size=3, unique_by=_first_of).map(tuple)


def _some_values(_: Rules) -> SearchStrategy[Any]:
    return st.sampled_from(HeartValues) | st.lists(st.integers(0, 3), min_size=13, max_size=13).map(tuple)


_BY_KIND: Final[Mapping[Kind, Callable[[Rules], SearchStrategy[Any]]]] = {
    Kind.CARDS: lambda table: bags(among=table.deck.faces(), max_size=3),
    Kind.HEART_VALUES: _some_values,
    Kind.CARD_POINTS: _some_points,
    Kind.TOTALS: _some_resets,
}
"""Values of options without samples for a table, by their kind."""


def _change_alone(option: Option) -> Callable[[Rules], _Change]:
    return lambda table: _change(**{option.name: _values(option, table)})


_ALONE: Final = frozenset([option.name for option in Rules.OPTIONS]).difference(_TABLE, *_TOGETHER.values())
_KINDS_OF_CHANGE: Final[SearchStrategy[Callable[[Rules], _Change]]] = st.sampled_from(
    [*(_change_alone(option) for option in Rules.OPTIONS if option.name in _ALONE), *_TOGETHER]
)
_UP_TO_TWELVE: Final = st.integers(0, 12)
_TWO_IN_THREE: Final = st.sampled_from((False, True, True))
_THREE_IN_FOUR: Final = st.sampled_from((False, True, True, True))


# ----------------------------------------------------------------------------------------------------- deals, moves

_RuleSets: TypeAlias = Rules | SearchStrategy[Rules] | None


def _rule_sets(given: _RuleSets) -> SearchStrategy[Rules]:
    if given is None:
        return rules()
    if isinstance(given, Rules):
        return st.just(given)
    if isinstance(given, SearchStrategy):
        return given
    raise InvalidArgument(f"rules={given!r} must be a Rules or a strategy for rule sets")


def deals(rules: Rules | SearchStrategy[Rules] | None = None) -> SearchStrategy[Deal]:
    """Deals; they shrink to the sorted deal: the lowest clubs to seat 0, and on in card order, the rest the kitty.

    Args:
        rules: the rule set, or a strategy for it; None: any.

    Raises:
        InvalidArgument: `rules` is neither a rule set nor a strategy.
    """
    _rule_sets(rules)  # refuses a bad argument now, not when a deal is drawn
    return _deals(rules=rules)


@st.composite
@_shown_as("deals")
def _deals(draw: DrawFn, *, rules: _RuleSets = None) -> Deal:
    return _deal(draw, draw(_rule_sets(rules)))


def _deal(draw: DrawFn, table: Rules) -> Deal:
    pack = draw(st.permutations(list(table.deck)))
    size = table.cards_per_hand
    ends = range(size, size * table.players + 1, size)
    return Deal(tuple(Cards(pack[end - size : end]) for end in ends), Cards(pack[size * table.players :]))


@overload
def moves(state: AwaitingDeal, *, seat: None = None) -> SearchStrategy[Deal]: ...
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
def moves(state: State | View, *, seat: Seat | None = None) -> SearchStrategy[Move]:
    """Legal moves; they shrink to the first of `legal_moves`.

    Args:
        state: a state, or a view, whose own seat's moves are drawn.
        seat: only this seat's moves; None: those of every seat that may act.

    Raises:
        InvalidArgument: `state` is neither a state nor a view, `seat` is not a seat of it, or there is no legal move.
    """
    try:
        legal = legal_moves(state, seat)
    except (TypeError, InvalidSeat) as error:
        raise InvalidArgument(str(error)) from error
    if not legal:
        whose = "" if seat is None else f" of seat {seat}"
        raise InvalidArgument(f"there is no legal move{whose} in the phase {state.phase}")
    return _moves(state=state, seat=seat)


@st.composite
@_shown_as("moves")
def _moves(draw: DrawFn, *, state: State | View, seat: Seat | None = None) -> Move:
    return _move(draw, state, seat)


def _move(draw: DrawFn, state: State | View, seat: Seat | None = None) -> Move:
    legal = legal_moves(state, seat)
    if isinstance(legal, DealMoves):
        return _deal(draw, state.rules)
    return legal[draw(_below(len(legal)))]


def any_plays() -> SearchStrategy[Play]:
    """Plays of any seat and card, which some position or other allows."""
    return st.builds(Play, _below(_SEATS), cards())


def any_passes() -> SearchStrategy[Pass]:
    """Passes of any seat: no gift, one or two, each of up to three cards."""
    return st.builds(Pass, _below(_SEATS), st.lists(bags(min_size=1, max_size=3), max_size=2))


def any_exposures() -> SearchStrategy[Expose]:
    """Exposures of any seat, of up to three cards."""
    return st.builds(Expose, _below(_SEATS), bags(max_size=3))


def any_choices() -> SearchStrategy[ChooseMoon]:
    """Choices of any seat between the two effects of a moon."""
    return st.builds(ChooseMoon, _below(_SEATS), st.sampled_from((Moon.OTHERS_UP, Moon.SHOOTER_DOWN)))


# ------------------------------------------------------------------------------------------- games, states, views

_FAR: Final = 400
"""How many moves may be made beyond the number that was drawn, until the wanted phase comes up."""
_ALL_PHASES: Final = tuple(Phase)
_TAGS: Final = ("Event", "Site", "Date", "Seat0", "Seat1", "Seat2", "Seat3")


def _check_plies(max_plies: object) -> None:
    if not isinstance(max_plies, int) or isinstance(max_plies, bool) or max_plies < 0:
        raise InvalidArgument(f"{max_plies=} must be an int of at least 0")


def games(
    *, rules: Rules | SearchStrategy[Rules] | None = None, start: State | None = None, max_plies: int = 60
) -> SearchStrategy[Game]:
    """Games of random legal moves; they shrink to few moves and to the first legal ones.

    Args:
        rules: the rule set, or a strategy for it; None: any.
        start: the state that the game starts from, instead of `rules`; by default before the first deal.
        max_plies: how many moves a game has at most, deals and passes among them.

    Raises:
        InvalidArgument: an argument has the wrong type or is out of range, or both `rules` and `start` are given.
    """
    _rule_sets(rules)
    _check_plies(max_plies)
    if start is not None:
        if rules is not None:
            raise InvalidArgument("give either rules or start: a state has its rules in it")
        if not isinstance(start, State):
            raise InvalidArgument(f"{start=} must be a State")
    return _games(rules=rules, start=start, max_plies=max_plies)


@st.composite
@_shown_as("games")
def _games(draw: DrawFn, *, rules: _RuleSets = None, start: State | None = None, max_plies: int = 60) -> Game:
    game = Game(new_game(draw(_rule_sets(rules))) if start is None else start)
    for _ in range(draw(st.integers(0, max_plies))):
        if isinstance(game.state, GameOver):
            break
        game = game.play(_move(draw, game.state))
    return game


def _wanted(rules: _RuleSets, phases: Collection[Phase] | None) -> tuple[Phase, ...]:
    """The phases to draw, in the order of a match."""
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
    if wanted is Phase.EXPOSE:
        return bool(table.exposable)
    return wanted is not Phase.MOON or table.moon is Moon.CHOICE


def states(
    *,
    rules: Rules | SearchStrategy[Rules] | None = None,
    phases: Collection[Phase] | None = None,
    max_plies: int = 60,
) -> SearchStrategy[State]:
    """States that random legal moves lead to; they shrink to the first state of their phase.

    Without `rules`, every phase is drawn equally often, by rule sets that make it come up soon. With them, and without
    `phases`, it is the last state of a game that is drawn.

    Args:
        rules: the rule set, or a strategy for it; None: any. When `phases` are given too, they must come up within 400
            moves after `max_plies`: shooters choose seldom, and matches to 100 are long, unless the decks are small.
        phases: the phases that the states are of; None: any.
        max_plies: how many moves to make at most, unless none of the phases has come up by then.

    Raises:
        InvalidArgument: an argument has the wrong type or is out of range, or the rule set never comes to a phase.
    """
    _rule_sets(rules)
    _check_plies(max_plies)
    return _states(rules=rules, phases=None if phases is None else _wanted(rules, phases), max_plies=max_plies)


@st.composite
@_shown_as("states")
def _states(
    draw: DrawFn, *, rules: _RuleSets = None, phases: Collection[Phase] | None = None, max_plies: int = 60
) -> State:
    if phases is None and rules is not None:
        return draw(_games(rules=rules, max_plies=max_plies)).state
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


_SOON: Final[Mapping[Phase, tuple[_Fields, ...]]] = {
    Phase.DEAL: ({},),
    Phase.PASS: ({},),
    Phase.EXPOSE: (
        {"decks": 1, "exposable": Cards([_ACE_OF_HEARTS])},
        {
            "decks": 1,
            "exposable": Cards("QS JD TC AH"),
            "queen_points": 13,
            "bonuses": (Bonus(Card("JD"), 10),),
            "doubler": Doubler(Card("TC"), 2, 5),
        },
    ),
    Phase.PLAY: ({},),
    # One trick a deal, or one card that makes a moon: somebody shoots it in every deal.
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
"""The fields that make a phase come up in every match, and soon."""


def _rules_for(draw: DrawFn, wanted: Phase) -> Rules:
    fixed = dict(draw(st.sampled_from(_SOON[wanted])))
    if wanted is Phase.MOON:
        fixed["moon_needs_bonus"] = False
    table = draw(_rules(**fixed))
    return _passing_first(table) if wanted is Phase.PASS else table


def _passing_first(table: Rules) -> Rules:
    """The rule set with a step in front that is not a hold."""
    first = next((number for number, step in enumerate(table.pass_cycle) if step), None)
    if first is None:
        return attrs.evolve(table, pass_cycle=(left(1),), unpassable=NO_CARDS)
    return attrs.evolve(table, pass_cycle=(*table.pass_cycle[first:], *table.pass_cycle[:first]))


def views(
    *,
    rules: Rules | SearchStrategy[Rules] | None = None,
    phases: Collection[Phase] | None = None,
    spectators: bool = True,
    max_plies: int = 60,
) -> SearchStrategy[View]:
    """Views of states that random legal moves lead to; they shrink to the view of seat 0.

    Args:
        rules: as of `states`.
        phases: as of `states`.
        spectators: whether views without a seat are drawn too.
        max_plies: as of `states`.

    Raises:
        InvalidArgument: as `states`, or `spectators` is not a bool.
    """
    if not isinstance(spectators, bool):
        raise InvalidArgument(f"{spectators=} must be a bool")
    states(rules=rules, phases=phases, max_plies=max_plies)  # only to refuse bad arguments now
    return _views(rules=rules, phases=phases, spectators=spectators, max_plies=max_plies)


@st.composite
@_shown_as("views")
def _views(
    draw: DrawFn,
    *,
    rules: _RuleSets = None,
    phases: Collection[Phase] | None = None,
    spectators: bool = True,
    max_plies: int = 60,
) -> View:
    state = draw(states(rules=rules, phases=phases, max_plies=max_plies))
    if spectators and draw(_SELDOM):
        return public_view(state)
    return view(state, draw(_below(state.rules.players)))


_SELDOM: Final = st.sampled_from((False, False, False, True))


def records(*, rules: Rules | SearchStrategy[Rules] | None = None, max_plies: int = 60) -> SearchStrategy[Record]:
    """Records of games of random legal moves, with the points of their deals, tags and comments; all are valid.

    They shrink to no tags, no comments and few moves.

    Args:
        rules: the rule set, or a strategy for it; None: any.
        max_plies: how many moves a game has at most, deals and passes among them.

    Raises:
        InvalidArgument: an argument has the wrong type or is out of range.
    """
    _rule_sets(rules)
    _check_plies(max_plies)
    return _records(rules=rules, max_plies=max_plies)


@st.composite
@_shown_as("records")
def _records(draw: DrawFn, *, rules: _RuleSets = None, max_plies: int = 60) -> Record:
    game = draw(_games(rules=rules, max_plies=max_plies))
    tags = draw(st.lists(st.tuples(st.sampled_from(_TAGS), _TEXTS), max_size=3, unique_by=lambda tag: tag[0]))
    comments = draw(st.lists(st.tuples(st.integers(0, game.ply), _TEXTS), max_size=3))
    return attrs.evolve(Record.of(game, tags), comments=comments)


_TEXTS: Final = st.text(st.characters(codec="utf-8"), max_size=20)
