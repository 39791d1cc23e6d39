"""Laws of the game as plain functions, to test your own server or client.

Each law plays seeded random games with the engine, calls your function on their states and moves, and raises an
`AssertionError` if its result is wrong. The message ends with a Python expression that reproduces the position; errors
raised by your function get that expression as a note. Bad arguments raise the errors of `random_games`.

A law's games depend only on the rules and the seed. To test rare rules too, only a third of the deals is fair; a third
has long suits, and so early voids; in a third one seat is strong and all players play high, which makes moons. No law
needs Hypothesis.

Laws pass states of this package. If your code has its own, let your function translate a `State`.
"""

from __future__ import annotations

import copy
import enum
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Final, TypeAlias, TypeVar

from heartsrules.base.values import checked_count
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.chance import Bits, SeededBits, below, shuffled
from heartsrules.play.dealing import chance_to_act, deal
from heartsrules.play.engine import is_legal, legal_moves, new_game, to_act
from heartsrules.play.events import Event, redact
from heartsrules.play.game import Game
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealingBack,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
)
from heartsrules.play.transitions import transition
from heartsrules.rules import Moon, Rules, Seat
from heartsrules.views import view_of
from heartsrules.views.worlds import sample_world

__all__ = [
    "Shape",
    "Viewer",
    "attempts",
    "check_conservation",
    "check_indistinguishable",
    "check_legality",
    "check_pure",
    "check_verdicts",
    "check_views",
    "random_games",
    "reproduction",
]
__dir__ = __all__.copy

S = TypeVar("S")
V = TypeVar("V")

Viewer: TypeAlias = Seat | None
"""A seat, or None for a spectator."""

_LISTED: Final = 12

_CANDIDATE_PASSES: Final = 24
"""The random passes among which a seat chooses its highest or lowest, out of possibly many thousands."""


# ------------------------------------------------------------------------------------------------------ random games


class Shape(enum.Enum):
    """The kind of a random deal."""

    FAIR = 0
    LONG_SUITS = 1
    STRONG_SEAT = 2


_SHAPES: Final = tuple(Shape)


def random_games(
    rules: Rules | Iterable[Rules], *, games: int = 10, seed: str | int = 0, max_deals: int = 2
) -> Iterator[Game]:
    """Yield the laws' random games, played to their end or the limit on deals.

    >>> game = next(random_games(Rules(), seed="mine"))
    >>> game == next(random_games(Rules(), seed="mine")), game == next(random_games(Rules(), seed="yours"))
    (True, False)

    Args:
        rules: a rule set, or several.
        games: the number of games under each rule set, 1 or more.
        seed: a text, or an int, which means its decimal text.
        max_deals: the limit on deals, after which a game is left unfinished, 1 or more.

    Raises:
        ValueError: there is no rule set, or `games` or `max_deals` is too low.
    """
    rule_sets = (rules,) if isinstance(rules, Rules) else tuple(rules)
    if not rule_sets:
        raise ValueError("rules is empty: give at least one rule set")
    checked_count("games", games)
    checked_count("max_deals", max_deals)
    SeededBits(seed)  # refuses a wrong type now, not at the first game
    return (
        _random_game(rule_set, SeededBits(seed, f"law {number}"), max_deals)
        for rule_set in rule_sets
        for number in range(games)
    )


def _random_game(rules: Rules, bits: Bits, max_deals: int) -> Game:
    game = Game.start(rules)
    shape, strong = Shape.FAIR, 0
    while not isinstance(state := game.state, GameOver):
        if isinstance(state, AwaitingDeal):
            if state.deal_number == max_deals:
                break
            shape = _SHAPES[below(bits, len(_SHAPES))]
            strong = below(bits, rules.players)
            game = game.play(shaped_deal(state, shape, strong, bits))
        elif chance_to_act(state):
            game = game.play(deal(state, rng=bits))
        else:
            game = game.play(chosen_move(state, strong if shape is Shape.STRONG_SEAT else None, bits))
    return game


def shaped_deal(state: AwaitingDeal, shape: Shape, first: Seat, bits: Bits) -> Deal:
    """Deal a pack of this shape, to a strong seat first."""
    if shape is Shape.FAIR:
        return deal(state, rng=bits)
    rules = state.rules
    pack = shuffled(list(rules.deck), bits)
    if shape is Shape.LONG_SUITS:
        pack.sort(key=lambda card: card.suit)
    else:
        pack.sort(key=lambda card: -card.rank)
    # Without some exchanges, such deals would differ only in the seats.
    for _ in range(below(bits, 9)):
        one, other = below(bits, len(pack)), below(bits, len(pack))
        pack[one], pack[other] = pack[other], pack[one]
    return dealt(rules, pack, first=first)


def dealt(rules: Rules, pack: Sequence[Card], cut: int = 0, first: Seat = 0) -> Deal:
    """Deal a pack in blocks after a cut, with the first block for the first seat."""
    cards = [*pack[cut:], *pack[:cut]]
    size = rules.cards_per_hand
    blocks = [(seat - first) % rules.players * size for seat in range(rules.players)]
    return Deal([Cards(cards[at : at + size]) for at in blocks], Cards(cards[rules.players * size :]))


def chosen_move(state: State, strong: Seat | None, bits: Bits) -> Move:
    """Choose a random seat's legal move, such that a strong seat wins all tricks."""
    movers = sorted(to_act(state))
    mover = movers[below(bits, len(movers))]
    moves = legal_moves(state, mover)
    if strong is None or isinstance(state, ChoosingMoon) or not below(bits, 16):
        return moves[below(bits, len(moves))]
    if isinstance(state, Playing):
        return max(moves, key=_height)
    candidates = [moves[below(bits, len(moves))] for _ in range(_CANDIDATE_PASSES)]
    return min(candidates, key=_height) if mover == strong else max(candidates, key=_height)


def _height(move: Move) -> int:
    if isinstance(move, Play):
        return move.card.rank
    return sum([card.rank for gift in move.cards for card in gift]) if isinstance(move, Pass) else 0


def attempts(state: State) -> tuple[Move, ...]:
    """Return moves that a client might try in a state, each once.

    While playing: first every card of the current player's hand, then every other card in play as that player's, and
    each other seat's first card. While passing: for each seat a legal pass, one with a card too few, one with a card
    too many, one with a card that is not held, one with a card that may not be passed, one with two copies of a card,
    and declining. In every phase also moves of the other phases, and of a seat that does not exist, but no deals.
    """
    rules = state.rules
    seats = range(rules.players)
    tried: list[Move] = []
    if isinstance(state, Playing):
        tried += [Play(state.turn, card) for card in state.hands[state.turn]]
        tried += [Play(state.turn, card) for card in rules.deck]
        tried += [Play(seat, card) for seat in seats for card in list(state.hands[seat])[:1]]
    if isinstance(state, Passing):
        tried += [move for seat in seats for move in tried_passes(state, seat)]
    if isinstance(state, Exposing):
        tried += [move for seat in seats for move in tried_exposures(state, seat)]
    first_card = next(iter(rules.deck))
    for seat in (*seats, rules.players):
        tried += [Play(seat, first_card), Pass(seat), Expose(seat, NO_CARDS)]
        tried += [ChooseMoon(seat, effect) for effect in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)]
    return tuple(dict.fromkeys(tried))


def tried_passes(state: Passing, seat: Seat) -> Iterator[Pass]:
    hand = list(state.hands[seat])
    foreign = [card for card in state.rules.deck if card not in hand]
    # A card is a wildcard for any number.
    counts = [count or 1 for _, count in state.plan]
    for pile in (hand, hand[::-1]):
        yield from _pass_from(seat, pile, counts)
    yield from _pass_from(seat, hand, [counts[0] - 1, *counts[1:]])
    yield from _pass_from(seat, hand, [counts[0] + 1, *counts[1:]])
    yield from _pass_from(seat, [*foreign[:1], *hand], counts)
    yield from _pass_from(seat, sorted(hand, key=lambda card: card not in state.rules.unpassable), counts)
    yield from _pass_from(seat, [hand[0], hand[0], *hand[1:]], counts)


def tried_exposures(state: Exposing, seat: Seat) -> Iterator[Expose]:
    hand = state.hands[seat]
    exposable = list(state.rules.exposable)
    own = [card for card in exposable if card in hand]
    yield Expose(seat, NO_CARDS)
    yield Expose(seat, Cards(own))
    for card in exposable:
        yield Expose(seat, Cards([card]))
        yield Expose(seat, Cards([card, card]))
    for card in [card for card in hand if card not in exposable][:1]:
        yield Expose(seat, Cards([card]))
        yield Expose(seat, Cards([*own, card]))


def _pass_from(seat: Seat, pile: Sequence[Card], counts: Sequence[int]) -> Iterator[Pass]:
    gifts: list[Cards] = []
    at = 0
    for count in counts:
        cards = pile[at : at + count]
        if len(cards) < count or max(Counter(cards).values(), default=0) > 2:
            return
        gifts.append(Cards(cards))
        at += count
    yield Pass(seat, *gifts)


# ---------------------------------------------------------------------------------------------------- locations


def reproduction(game: Game, ply: int | None = None) -> str:
    """Write a Python expression for a game's state at a ply, by default the last one.

    Evaluate it with the `names()` of `heartsrules.testing`. It contains the hands: do not show it to players.

    >>> reproduction(Game.start(Rules(target=50)))
    'replay_strict(Rules(target=50), ()).state'

    Raises:
        IndexError: there is no such ply.
    """
    past = game if ply is None else game.fork(ply)
    start = past.at(0)
    origin: object = past.rules if start == new_game(past.rules) else start
    return f"replay_strict({origin!r}, {past.moves!r}).state"


def _where(game: Game, ply: int, seed: str | int) -> str:
    return f"seed: {seed!r}, ply: {ply}\nstate: {reproduction(game, ply)}"


@contextmanager
def _located(game: Game, ply: int, seed: str | int) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        error.add_note(_where(game, ply, seed))
        raise


def _fail(message: str, game: Game, ply: int, seed: str | int) -> AssertionError:
    return AssertionError(f"{message}\n{_where(game, ply, seed)}")


def viewer_named(viewer: Viewer) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def _listed(moves: Iterable[Move]) -> str:
    texts = sorted(map(repr, moves))
    more = [f"and {len(texts) - _LISTED} more"] if len(texts) > _LISTED else []
    return ", ".join([*texts[:_LISTED], *more]) or "none"


def _viewers(rules: Rules, spectators: bool) -> tuple[Viewer, ...]:
    return (*range(rules.players), None) if spectators else tuple(range(rules.players))


# -------------------------------------------------------------------------------------------------------------- laws


def check_legality(
    their_legal_moves: Callable[[State, Seat], Iterable[Move]],
    rules: Rules | Iterable[Rules],
    *,
    games: int = 10,
    seed: str | int = 0,
    max_deals: int = 2,
) -> int:
    """Check that your legal moves for every seat are the engine's.

    They can be in any order, without duplicates. A seat that may not act has none, so before a deal no seat has any.

    >>> check_legality(legal_moves, Rules(), games=1, max_deals=1)
    232

    Args:
        their_legal_moves: your function from a state and a seat to the moves that this seat may make. For a function of
            views, use `lambda state, seat: mine(view(state, seat))`. rules, games, seed, max_deals: as for
            `random_games`.

    Returns:
        The number of lists compared.

    Raises:
        AssertionError: a list is wrong; the message gives missing, extra and repeated moves.
    """
    compared = 0
    for game in random_games(rules, games=games, seed=seed, max_deals=max_deals):
        for ply, state in enumerate(game.states):
            for seat in range(game.rules.players):
                ours = set(legal_moves(state, seat))
                with _located(game, ply, seed):
                    listed = Counter(their_legal_moves(state, seat))
                twice = [move for move, times in listed.items() if times > 1]
                if ours != listed.keys() or twice:
                    wrong = (
                        f"the legal moves of seat {seat} are wrong\n"
                        f"missing: {_listed(ours - listed.keys())}\n"
                        f"illegal: {_listed(listed.keys() - ours)}\n"
                        f"listed twice: {_listed(twice)}"
                    )
                    raise _fail(wrong, game, ply, seed)
                compared += 1
    return compared


def check_verdicts(
    their_is_legal: Callable[[State, Move], bool],
    rules: Rules | Iterable[Rules],
    *,
    games: int = 10,
    seed: str | int = 0,
    max_deals: int = 2,
) -> int:
    """Check that your code accepts exactly the legal moves, if it does not list them.

    In every state the moves of `attempts` are tried, and the next move of the game.

    >>> check_verdicts(is_legal, Rules(), games=1, max_deals=1) > 1000
    True

    Args:
        their_is_legal: your function from a state and a move to whether the move is legal. rules, games, seed,
            max_deals: as for `random_games`.

    Returns:
        The number of verdicts compared.

    Raises:
        AssertionError: a verdict is wrong.
    """
    compared = 0
    for game in random_games(rules, games=games, seed=seed, max_deals=max_deals):
        for ply, state in enumerate(game.states):
            for move in dict.fromkeys((*attempts(state), *game.moves[ply : ply + 1])):
                with _located(game, ply, seed):
                    verdict = bool(their_is_legal(state, move))
                if verdict != is_legal(state, move):
                    wrong = "illegal, but accepted" if verdict else "legal, but refused"
                    raise _fail(f"{move!r} is {wrong}", game, ply, seed)
                compared += 1
    return compared


def check_views(
    their_view: Callable[[State, Viewer], V],
    their_advance: Callable[[V, tuple[Event, ...]], V],
    rules: Rules | Iterable[Rules],
    *,
    games: int = 10,
    seed: str | int = 0,
    max_deals: int = 2,
    spectators: bool = True,
) -> int:
    """Check that following redacted events gives the same view as connecting again.

    For every move, advancing the view of the state before it by the redacted events of the move must give the view of
    the state after it.

    >>> from heartsrules import advance
    >>> check_views(view_of, advance, Rules(), games=1, max_deals=1)
    285

    Args:
        their_view: your function from a state and a viewer to the data for a new client, in any form comparable with
            `==`.
        their_advance: your function that advances this data by the events of one move, from `redact`. rules, games,
            seed, max_deals: as for `random_games`.
        spectators: True to check the viewer None too.

    Returns:
        The number of views compared.

    Raises:
        AssertionError: two views differ.
    """
    compared = 0
    for game in random_games(rules, games=games, seed=seed, max_deals=max_deals):
        for viewer in _viewers(game.rules, spectators):
            with _located(game, 0, seed):
                before = their_view(game.at(0), viewer)
            for ply, move in enumerate(game.moves, 1):
                events = redact(transition(game.at(ply - 1), move).events, viewer)
                with _located(game, ply, seed):
                    carried_on = their_advance(before, events)
                    asked_again = their_view(game.at(ply), viewer)
                if carried_on != asked_again:
                    wrong = (
                        f"the views of {viewer_named(viewer)} differ\n"
                        f"events: {events!r}\ncarried on: {carried_on!r}\nasked again: {asked_again!r}"
                    )
                    raise _fail(wrong, game, ply, seed)
                before = asked_again
                compared += 1
    return compared


def check_indistinguishable(
    look: Callable[[State, Viewer], object],
    rules: Rules | Iterable[Rules],
    *,
    games: int = 10,
    seed: str | int = 0,
    max_deals: int = 2,
    positions: int = 8,
    twins: int = 2,
    spectators: bool = True,
) -> int:
    """Check that data for a viewer does not depend on anything hidden from it.

    Some states are drawn from every phase of each game. For every viewer, each state is compared with twins: states
    reached by the same plays that differ from it only in cards hidden from this viewer (other hands, the kitty, other
    seats' committed passes). Twins must look the same.

    >>> check_indistinguishable(view_of, Rules(), games=1) > 0
    True

    Args:
        look: your function from a state and a viewer to the viewer's data: a view, events, a text, bytes. Results are
            compared with `==`; bytes are the strictest, because they include the order. rules, games, seed, max_deals:
            as for `random_games`.
        positions: the number of states from each game, 1 or more.
        twins: the number of twins for each viewer of a state, 1 or more.
        spectators: True to check the viewer None too.

    Returns:
        The number of comparisons with twins that differ from their state; 0 if nothing is hidden.

    Raises:
        AssertionError: twins look different; the message has both results and the twin.
        TooManyWorlds: a view has too many worlds to count.
    """
    checked_count("positions", positions)
    checked_count("twins", twins)
    compared = 0
    for number, game in enumerate(random_games(rules, games=games, seed=seed, max_deals=max_deals)):
        bits = SeededBits(seed, f"twins {number}")
        for ply in _spread(game, positions, bits):
            state = game.at(ply)
            for viewer in _viewers(game.rules, spectators):
                known = view_of(state, viewer)
                with _located(game, ply, seed):
                    shown = look(state, viewer)
                for _ in range(twins):
                    twin = sample_world(known, bits)
                    if twin == state:
                        continue
                    with _located(game, ply, seed):
                        shown_of_twin = look(twin, viewer)
                    if shown != shown_of_twin:
                        wrong = (
                            f"{viewer_named(viewer)} can tell two states apart that differ only in what it may not "
                            f"know\nit is shown: {shown!r}\nand of the twin: {shown_of_twin!r}\ntwin: {twin!r}"
                        )
                        raise _fail(wrong, game, ply, seed)
                    compared += 1
    return compared


def _spread(game: Game, positions: int, bits: Bits) -> list[int]:
    """Draw plies of a game in order, from all phases equally if possible."""
    phases: dict[type[State], list[int]] = {}
    for ply, state in enumerate(game.states):
        phases.setdefault(type(state), []).append(ply)
    drawn = [shuffled(plies, bits) for plies in phases.values()]
    chosen: list[int] = []
    while len(chosen) < positions and any(drawn):
        chosen += [plies.pop() for plies in drawn if plies]
    return sorted(chosen[:positions])


def check_conservation(states: Iterable[State]) -> int:
    """Check that no card is lost, no trick is won twice, and totals add up.

    During a deal the hands, the trick, the piles, the cards set aside and an untaken kitty add up to the deck, and
    committed passes and exposed cards are still in their hands. After a deal the piles add up to the deck. The totals
    match the score sheet.

    >>> check_conservation(state for game in random_games(Rules(), games=2) for state in game.states) > 100
    True

    Args:
        states: any states, such as your server's after translation.

    Returns:
        The number of states checked.

    Raises:
        AssertionError: a state is wrong; the message has the reasons and the state.
    """
    checked = 0
    for number, state in enumerate(states):
        wrong = list(_losses(state))
        if wrong:
            raise AssertionError(f"state {number}: {'; '.join(wrong)}\nrules: {state.rules!r}\nstate: {state!r}")
        checked += 1
    return checked


def _losses(state: State) -> Iterator[str]:
    if isinstance(state, (Passing, DealingBack, Exposing)):
        yield from _imbalance(state.rules, [*state.hands, state.kitty])
        verb = "shows" if isinstance(state, Exposing) else "passes"
        for seat, commitment in enumerate(state.commitments):
            if commitment is not None:
                cards = commitment.cards if isinstance(commitment, Expose) else chain.from_iterable(commitment.cards)
                lacking = Counter(cards) - Counter(state.hands[seat])
                if lacking:
                    yield f"seat {seat} {verb} {Cards(lacking.elements())}, which it does not hold"
    elif isinstance(state, Playing):
        yield from _losses_of_shown(state)
        yield from _losses_of_deal(state, [*state.hands, Cards([play.card for play in state.trick])])
    elif state.last_deal is not None:
        yield from _losses_of_deal(state.last_deal, [])
    if state.score_sheet and state.score_sheet[-1].totals != state.scores:
        yield f"the totals are {state.scores}, but the score sheet ends with {state.score_sheet[-1].totals}"


def _losses_of_shown(state: Playing) -> Iterator[str]:
    if len(state.tricks) < state.trick_number:
        return  # The earlier plays are unknown.
    played = [play for trick in state.tricks for play in trick.plays] + list(state.trick)
    for seat, exposed in enumerate(state.exposed):
        held = [*state.hands[seat], *(play.card for play in played if play.seat == seat)]
        lacking = Counter(exposed) - Counter(held)
        if lacking:
            yield f"seat {seat} has shown {Cards(lacking.elements())}, which it neither holds nor has played"


def _losses_of_deal(played: Playing | PlayedDeal, held: list[Cards]) -> Iterator[str]:
    untaken = [played.kitty] if played.kitty_winner is None else []
    yield from _imbalance(played.rules, [*held, *played.captured, played.set_aside, *untaken])
    if sum(played.tricks_won) > played.trick_number:
        yield f"{sum(played.tricks_won)} tricks are won, but only {played.trick_number} have been played"


def _imbalance(rules: Rules, bags: Iterable[Cards]) -> Iterator[str]:
    found = Counter(card for bag in bags for card in bag)
    deck = Counter(rules.deck)
    for what, cards in (("missing", deck - found), ("too many", found - deck)):
        if cards:
            yield f"{what}: {' '.join(map(str, sorted(cards.elements())))}"


def check_pure(
    their_start: Callable[[Rules], S],
    their_apply: Callable[[S, Move], S],
    rules: Rules | Iterable[Rules],
    *,
    games: int = 10,
    seed: str | int = 0,
    max_deals: int = 2,
) -> int:
    """Check that a move changes no state, and has the same result when repeated.

    The states are yours, of any type that can be deep-copied and compares by value; only the moves are the engine's.

    >>> from heartsrules import apply
    >>> check_pure(new_game, apply, Rules(), games=1, max_deals=1)
    57

    Args:
        their_start: your function from a rule set to your state before the first deal.
        their_apply: your function from your state and a move, deals included, to your next state. rules, games, seed,
            max_deals: as for `random_games`.

    Returns:
        The number of moves made.

    Raises:
        AssertionError: a state was changed, or the results differ, or a state's copy is not equal to it.
    """
    made = 0
    for game in random_games(rules, games=games, seed=seed, max_deals=max_deals):
        with _located(game, 0, seed):
            state = their_start(game.rules)
        for ply, move in enumerate(game.moves):
            earlier = copy.deepcopy(state)
            if earlier != state:
                raise _fail("a copy of the state is not equal to it: states must compare by value", game, ply, seed)
            with _located(game, ply, seed):
                following = their_apply(state, move)
            if state != earlier:
                raise _fail(f"{move!r} changed the state that it was made in", game, ply, seed)
            expected = copy.deepcopy(following)
            with _located(game, ply, seed):
                again = their_apply(state, move)
            if again != expected or following != expected:
                raise _fail(f"{move!r} gave something else when it was made again", game, ply, seed)
            state = following
            made += 1
    return made
