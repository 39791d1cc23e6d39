"""What each seat may know: views tell it, and nothing else, and events keep a view up to date.

The heart of it is indistinguishability. A *line* is the deal of a match up to some move. Two lines are *twins* for a
seat if all that the rules show to that seat is the same in both: other hands, another kitty, other passes. Whatever a
seat can look at must be equal in twins, down to the bytes; `LEAKS` shows that the comparison would notice.
"""

from __future__ import annotations

import copy
import pickle
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Final, TypeAlias, assert_never, get_args

import attrs
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    DealingBack,
    Event,
    Expose,
    Exposing,
    GameOver,
    InvalidSeat,
    InvalidState,
    Move,
    Pass,
    Passing,
    Phase,
    Play,
    PlayedDeal,
    Playing,
    Rules,
    Seat,
    State,
    Suit,
    View,
    Violation,
    advance,
    apply,
    deal,
    is_legal,
    legal_moves,
    new_game,
    pass_options,
    public_view,
    redact,
    to_act,
    transition,
    view,
    why_illegal,
    why_illegal_card,
    why_illegal_cards,
    winning_seat,
)
from heartsrules.base.values import Value, replaced
from heartsrules.formats.wire import to_json
from heartsrules.pictures.svg import score_sheet
from heartsrules.play.events import (
    CardsDealt,
    CardsExposed,
    CardsPassed,
    ExposureCommitted,
    ExposureCommittedHidden,
    KittyTaken,
    PassCommitted,
    PassCommittedHidden,
)
from heartsrules.play.legality import beaten_by, playable
from heartsrules.play.tricks import led_suit
from heartsrules.play.violations import (
    AlreadyDecided,
    AlreadyExposed,
    AlreadyPassed,
    BadDeal,
    GameIsOver,
    MayNotDecline,
    NoSuchEffect,
    NoSuchSeat,
    NotExposable,
    NotTheShooter,
    NotYourTurn,
    UnpassableCards,
    WrongNumberOfCards,
    WrongPhase,
)
from heartsrules.rules import Duplicates, Exposure, HeartsLead, KittyShownTo, Moon, OpeningCard, VoidLastTrick
from heartsrules.setup import set_up
from heartsrules.testing import names
from heartsrules.testing.laws import check_views
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    GameOverView,
    OwnKnowledge,
    PassingView,
    PlayingView,
    SeenDeal,
    deal_of,
    view_of,
)
from heartsrules.views import view_of as seen
from support.random_play import play_cards
from support.rounds import laws
from support.strategies import (
    FACES,
    KITTY,
    PRESETS,
    Match,
    any_rules,
    generators,
    match,
    matches,
    one_in,
    random_rules,
    rules_sets,
    some,
)
from support.tables import rules_of

Viewer: TypeAlias = Seat | None
"""A seat, or None: a spectator."""

VIEWS: Final = get_args(View)
PUBLIC: Final = (
    GameIsOver,
    WrongPhase,
    NoSuchSeat,
    NotYourTurn,
    AlreadyPassed,
    AlreadyDecided,
    NotExposable,
    AlreadyExposed,
    NotTheShooter,
    NoSuchEffect,
    MayNotDecline,
    WrongNumberOfCards,
    UnpassableCards,
)
"""The reasons against a move that tell nothing about a hand."""


def viewers(rules: Rules) -> tuple[Viewer, ...]:
    return (*range(rules.players), None)


def last_deal(state: State) -> Playing | PlayedDeal | None:
    """The deal that is played, or has come to its end."""
    if isinstance(state, Playing):
        return state
    return None if isinstance(state, (Passing, DealingBack, Exposing)) else state.last_deal


# ------------------------------------------------------------------------------------------------------------- twins


@attrs.frozen
class Line:
    """A deal of a match up to some move."""

    states: tuple[State, ...]
    """From the state that awaits the deal on."""
    moves: tuple[Move, ...]

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def deal(self) -> Deal:
        first = self.moves[0]
        assert isinstance(first, Deal)
        return first

    def up_to(self, ply: int) -> Line:
        return Line(self.states[: ply + 1], self.moves[:ply])


def lines_of(played: Match) -> list[Line]:
    """The deals of a match, each as far as it was played."""
    starts = [ply for ply, state in enumerate(played.states[:-1]) if isinstance(state, AwaitingDeal)]
    return [
        Line(played.states[start : end + 1], played.moves[start:end])
        for start, end in pairwise([*starts, len(played.moves)])
    ]


def exposed(line: Line, viewer: Viewer) -> tuple[object, ...]:
    """All that the rules show to a viewer in a deal, move by move: written without views and events."""
    start = line.states[0]
    facts: list[object] = [start.rules, start.scores, start.score_sheet, start.deal_number]
    for before, move, after in zip(line.states, line.moves, line.states[1:], strict=False):
        match move:
            case Deal(hands):
                facts.append(None if viewer is None else hands[viewer])
            case Pass(seat) if seat != viewer:
                facts.append(("somebody passes", seat))
            case Expose(seat) if seat != viewer and start.rules.exposure is Exposure.TOGETHER:
                facts.append(("somebody shows cards or none", seat))
            case _:
                facts.append(move)
        facts += [type(after), after.scores, after.score_sheet, to_act(after)]
        played = last_deal(after)
        if played is not None:
            facts += [played.leader, played.kitty_winner]
        if isinstance(before, Exposing) and isinstance(after, Playing):
            facts.append(after.exposed)
        if isinstance(before, (Passing, DealingBack)) and isinstance(after, (Exposing, Playing)):
            facts.append([passed.seat for passed in after.passes if not passed.cards])
            if viewer is not None:
                facts += [after.passed[viewer], after.received[viewer]]
        if isinstance(after, ChoosingMoon):
            facts += [after.others_up, after.shooter_down]
        if played is not None and played.kitty_winner is not None:
            shown_to = start.rules.kitty_shown_to
            if shown_to is KittyShownTo.EVERYBODY or (shown_to is KittyShownTo.TAKER and viewer == played.kitty_winner):
                facts.append(played.kitty)
    return tuple(facts)


def twin(line: Line, viewer: Viewer, rng: Random) -> Line | None:
    """Another line that shows the viewer the same; None if the attempt failed.

    A card of two hands, or of a hand and the kitty, is exchanged at the deal, or somebody commits other cards or
    declines, or shows others; then the same plays are made.
    """
    rules = line.states[0].rules
    hands = dict(enumerate(line.deal.hands)) | {KITTY: line.deal.kitty}
    passes = {move.seat: move for move in line.moves if isinstance(move, Pass)}
    others = [seat for seat in range(rules.players) if seat != viewer]
    for _ in range(rng.choice((1, 1, 2))):
        repassing = [seat for seat in others if seat in passes]
        if repassing and one_in(rng, 2):
            seat = rng.choice(repassing)
            passes[seat] = other_pass(line.states[0], seat, hands[seat], passes[seat], rng)
        else:
            swap(line, hands, passes, some(rng, [seat for seat in (*others, KITTY) if hands[seat]], 2), rng)
    dealt = Deal(tuple(hands[seat] for seat in range(rules.players)), hands[KITTY])
    moves = (dealt, *(passes[move.seat] if isinstance(move, Pass) else move for move in line.moves[1:]))
    states = [line.states[0]]
    made: list[Move] = []
    for told in moves:
        move = told
        if isinstance(move, Expose) and move.seat != viewer and (not is_legal(states[-1], move) or one_in(rng, 3)):
            possible = legal_moves(states[-1], move.seat)
            if not possible:
                # In rounds it is another seat's turn after other exposures.
                return None
            move = rng.choice(possible)
        if not is_legal(states[-1], move):
            return None
        states.append(apply(states[-1], move))
        made.append(move)
    if tuple(made) == line.moves:
        return None
    other = Line(tuple(states), tuple(made))
    return other if exposed(other, viewer) == exposed(line, viewer) else None


def other_pass(start: State, seat: Seat, hand: Cards, passed: Pass, rng: Random) -> Pass:
    """Something else that a seat could commit: any pass, or one with one card changed."""
    rules = start.rules
    if one_in(rng, 2) and passed.cards:
        number = rng.randrange(len(passed.cards))
        kept = list(hand - Cards([card for gift in passed.cards for card in gift]))
        if kept:
            gift = passed.cards[number]
            changed = gift - Cards([rng.choice(list(gift))]) + Cards([rng.choice(kept)])
            return Pass(seat, *passed.cards[:number], changed, *passed.cards[number + 1 :])
    hands = tuple(hand for _ in range(rules.players))
    nobody = (None,) * rules.players
    state = Passing(rules, start.score_sheet, hands, Cards(), nobody)
    possible = legal_moves(state, seat)
    chosen = possible[-1 if one_in(rng, 3) else rng.randrange(len(possible))]
    assert isinstance(chosen, Pass)
    return chosen


def swap(line: Line, hands: dict[int, Cards], passes: dict[Seat, Pass], pair: Sequence[int], rng: Random) -> None:
    """Exchange a card of two holders at the deal; a pass that lacks its card then gives the other in its place."""
    chosen = [rng.choice(list(likely(line, hands[holder], passes.get(holder), holder, rng))) for holder in pair]
    if chosen[0] is chosen[1]:
        return
    for holder, (lost, gained) in zip(pair, (chosen, chosen[::-1]), strict=True):
        hands[holder] = hands[holder] - Cards([lost]) + Cards([gained])
        if holder in passes:
            gifts = list(passes[holder].cards)
            given = Cards([card for gift in gifts for card in gift])
            if given.count(lost) > hands[holder].count(lost):
                number = next(number for number, gift in enumerate(gifts) if lost in gift)
                gifts[number] = gifts[number] - Cards([lost]) + Cards([gained])
                passes[holder] = Pass(holder, *gifts)


def likely(line: Line, hand: Cards, passed: Pass | None, holder: int, rng: Random) -> Cards:
    """The cards of a hand at the deal whose exchange is likely to stay unseen: those passed, or those still held."""
    if passed is not None and passed.cards and one_in(rng, 2):
        return (hand & Cards([card for gift in passed.cards for card in gift])) or hand
    if isinstance(line.state, Playing) and holder != KITTY:
        return (hand & line.state.hands[holder]) or hand
    return hand


@attrs.frozen
class Twins:
    """Two lines that show a viewer the same."""

    viewer: Viewer
    one: Line
    other: Line

    def kinds(self) -> Iterator[str]:
        """What is different between them, and where they are."""
        one, other = self.one.state, self.other.state
        yield type(one).__name__
        yield "spectator" if self.viewer is None else "seat"
        if isinstance(one, (Passing, DealingBack, Exposing, Playing)) and isinstance(other, type(one)):
            if one.hands != other.hands:
                yield f"hands in {type(one).__name__}"
            if one.kitty != other.kitty:
                yield f"kitty in {type(one).__name__}"
                if isinstance(one, Playing) and one.kitty_winner is not None:
                    yield f"kitty taken, shown to {one.rules.kitty_shown_to}"
        if isinstance(one, Passing) and isinstance(other, Passing):
            for mine, yours in zip(one.commitments, other.commitments, strict=True):
                if mine != yours:
                    yield "commitments"
                if mine is not None and yours is not None and bool(mine.cards) != bool(yours.cards):
                    yield "declining"
        if isinstance(one, DealingBack) and isinstance(other, DealingBack) and one.commitments != other.commitments:
            yield "passes into the middle"
        if isinstance(one, Exposing) and isinstance(other, Exposing) and one.commitments != other.commitments:
            yield "exposures"
        if isinstance(one, (Exposing, Playing)) and isinstance(other, type(one)):
            seats = range(one.rules.players)
            able = [[bool(each.hands[seat] & each.rules.exposable) for seat in seats] for each in (one, other)]
            if able[0] != able[1]:
                yield f"who could have shown, in {type(one).__name__}"
        if isinstance(one, Playing) and any(one.exposed):
            yield "shown cards"
        played, deal_of_other = last_deal(one), last_deal(other)
        if played is not None and deal_of_other is not None and played.passed != deal_of_other.passed:
            yield f"passed in {type(one).__name__}"
        if one.rules.decks == 2:
            yield "two decks"


def twins_of(line: Line, viewer: Viewer, rng: Random, attempts: int) -> Iterator[Twins]:
    """Twins of a line, each once."""
    found: set[tuple[Move, ...]] = set()
    for _ in range(attempts):
        other = twin(line, viewer, rng)
        if other is not None and other.moves not in found:
            found.add(other.moves)
            yield Twins(viewer, line, other)


def random_line(line: Line, rng: Random) -> Line:
    """The line up to one of its moves, the passes as often as the plays, the end more often than one of them."""
    plies = range(1, len(line.moves) + 1)
    kinds: dict[type[State], list[int]] = {}
    for ply in plies:
        kinds.setdefault(type(line.states[ply]), []).append(ply)
    return line.up_to(rng.choice(kinds[rng.choice(list(kinds))]))


# ------------------------------------------------------------------------------------------- what a viewer can look at

Look: TypeAlias = Callable[[Line, Viewer], object]
"""Something that a viewer is given after the last move of a line."""


def probes(rules: Rules, seat: Seat, hand: Cards) -> Iterator[Move]:
    """Moves that a seat might try, of every phase, legal or not; they depend on nothing but what it knows."""
    for card in FACES:
        yield Play(seat, card)
    for effect in Moon:
        yield ChooseMoon(seat, effect)
    rng = Random(f"{seat} {hand}")
    yield Expose(seat, Cards())
    yield Expose(seat, hand & rules.exposable)
    yield Expose(seat, rules.exposable)
    yield Expose(seat, hand)
    for card in FACES:
        yield Expose(seat, Cards([card]))
    yield Pass(seat)
    for step in rules.pass_cycle:
        for pool in (list(hand), list(rules.deck)):
            for spare in (0, 0, 0, 1):
                pile = some(rng, pool, len(pool))
                counts = [min(count + spare, len(pool)) for _, count in step]
                yield Pass(seat, *[Cards([pile.pop() for _ in range(min(count, len(pile)))]) for count in counts])
        if step:
            yield Pass(seat, *[rules.unpassable] * len(step))
            yield Pass(seat, hand & rules.unpassable, hand)
    cards = list(rules.deck)
    size = rules.cards_per_hand
    hands = [Cards(cards[size * place : size * (place + 1)]) for place in range(rules.players)]
    yield Deal(hands, Cards(cards[size * rules.players :]))
    yield Deal(hands[1:], Cards())


def hand_of(seen: View) -> Cards:
    return seen.hand if isinstance(seen, (PassingView, DealingBackView, ExposingView, PlayingView)) else Cards()


def own_reasons(line: Line, viewer: Viewer) -> object:
    """What the engine says, asked about the state, to every move that the viewer might try."""
    if viewer is None:
        return None
    state = line.state
    hand = state.hands[viewer] if isinstance(state, (Passing, DealingBack, Exposing, Playing)) else Cards()
    return [(why_illegal(state, move), is_legal(state, move)) for move in probes(state.rules, viewer, hand)]


def reasons_for_others(line: Line, viewer: Viewer) -> object:
    known = seen(line.state, viewer)
    players = known.rules.players
    others = {-1, players, (-1 if viewer is None else viewer) + 1, *to_act(known)} - {viewer}
    return [
        (why_illegal(known, move), is_legal(known, move))
        for seat in sorted(others)
        for move in list(probes(known.rules, seat, hand_of(known)))[::9]
    ]


def history(line: Line, viewer: Viewer) -> tuple[Event, ...]:
    """All events of a line, as the viewer is told of them."""
    told: list[Event] = []
    for state, move in zip(line.states, line.moves, strict=False):
        told += redact(transition(state, move).events, viewer)
    return tuple(told)


def choosing(line: Line, viewer: Viewer) -> object:
    """How the viewer may go on who has chosen some cards to pass."""
    known = seen(line.state, viewer)
    if not isinstance(known, PassingView):
        return None
    first = Cards([card for card in known.hand if card not in known.rules.unpassable][:1])
    return [pass_options(known, gifts) for gifts in ((), [first])]


LOOKS: Final[Mapping[str, Look]] = {
    "view": lambda line, viewer: seen(line.state, viewer),
    "text of the view": lambda line, viewer: repr(seen(line.state, viewer)),
    "bytes of the view": lambda line, viewer: pickle.dumps(seen(line.state, viewer)),
    "JSON of the view": lambda line, viewer: to_json(seen(line.state, viewer)),
    "hash of the view": lambda line, viewer: hash(seen(line.state, viewer)),
    "what the view works out": lambda line, viewer: worked_out(seen(line.state, viewer)),
    "legal moves": lambda line, viewer: None if viewer is None else sampled(legal_moves(line.state, viewer)),
    "legal moves of the view": lambda line, viewer: sampled(legal_moves(seen(line.state, viewer))),
    "reasons": own_reasons,
    "reasons of the view against others": reasons_for_others,
    "pass_options": choosing,
    "why_illegal_cards": lambda line, viewer: why_illegal_cards(seen(line.state, viewer)),
    "who is to act": lambda line, viewer: (to_act(line.state), to_act(seen(line.state, viewer))),
    "phase": lambda line, viewer: (line.state.phase, seen(line.state, viewer).phase),
    "events": history,
    "JSON of the events": lambda line, viewer: to_json(history(line, viewer)),
    "bytes of the events": lambda line, viewer: pickle.dumps(history(line, viewer)),
    "diagram of the view": lambda line, viewer: str(seen(line.state, viewer)),
    "picture of the view": lambda line, viewer: seen(line.state, viewer)._repr_svg_(),
    "score sheet of the view": lambda line, viewer: score_sheet(seen(line.state, viewer)),
    "view kept by events": lambda line, viewer: repr(advance(seen(line.states[0], viewer), history(line, viewer))),
}


def sampled(moves: Sequence[Move]) -> object:
    """What tells a sequence of moves apart: its length, itself, and moves from all over it."""
    return len(moves), moves, [moves[at] for at in range(0, len(moves), 1 + len(moves) // 40)]


def worked_out(known: View) -> object:
    """The properties of a view and of the views inside it."""
    return [
        {name: getattr(part, name) for name in dir(type(part)) if isinstance(getattr(type(part), name), property)}
        for part in parts(known)
    ]


def told_apart(pair: Twins, look: Look) -> bool:
    """Whether a look tells the viewer which of the twins it is in."""
    return look(pair.one, pair.viewer) != look(pair.other, pair.viewer)


@pytest.fixture(scope="module")
def pairs() -> list[Twins]:
    """Twins of every preset and of many random rule sets, at any ply; the same in every run."""
    found: list[Twins] = []
    rng = Random(21)
    hidden = [random_rules(rng, kitty_shown_to=KittyShownTo.NOBODY) for _ in range(30)]
    chosen = [random_rules(rng, moon=Moon.CHOICE) for _ in range(25)]
    showing = [random_rules(rng, exposure=kind) for kind in (*Exposure, Exposure.TOGETHER) for _ in range(8)]
    for rules in (*PRESETS, *hidden, *chosen, *showing, *(random_rules(rng) for _ in range(40))):
        steps = list(match(rules, rng, 2))
        played = Match(rules, (*(state for state, _, _ in steps), steps[-1][2]), tuple(move for _, move, _ in steps))
        for line in lines_of(played):
            for _ in range(2):
                viewer = rng.choice(viewers(rules))
                found += list(twins_of(random_line(line, rng), viewer, rng, 12))[:3]
            moons = [ply for ply, state in enumerate(line.states) if isinstance(state, ChoosingMoon)]
            for ply in moons:  # they are rare, and so are their twins
                found += list(twins_of(line.up_to(ply), rng.choice(viewers(rules)), rng, 12))[:1]
    return found


@pytest.mark.untraced
@laws(50)
@given(matches(any_rules()), generators())
def test_what_a_seat_may_not_know_changes_nothing_that_it_can_look_at(played: Match, rng: Random) -> None:
    assume(played.moves)
    line = random_line(rng.choice(lines_of(played)), rng)
    for pair in twins_of(line, rng.choice(viewers(played.rules)), rng, 8):
        for kind in set(pair.kinds()):
            event(kind)
        assert [name for name, look in LOOKS.items() if told_apart(pair, look)] == []


@pytest.mark.sampled(7)
@pytest.mark.untraced
@pytest.mark.once_compiled
@pytest.mark.parametrize("name", LOOKS)
def test_no_look_tells_twins_apart(pairs: list[Twins], name: str) -> None:
    assert [pair for pair in pairs if told_apart(pair, LOOKS[name])] == []


@pytest.mark.once_compiled
def test_there_are_twins_of_every_kind(pairs: list[Twins]) -> None:
    kinds = Counter(kind for pair in pairs for kind in set(pair.kinds()))
    rare = {
        **dict.fromkeys(("Passing", "Playing", "AwaitingDeal", "GameOver", "seat", "spectator", "two decks"), 10),
        **{f"hands in {name}": 50 for name in ("Passing", "Exposing", "Playing")},
        **{f"kitty in {name}": 15 for name in ("Passing", "Exposing", "Playing")},
        **{f"who could have shown, in {name}": 3 for name in ("Exposing", "Playing")},
        **{f"passed in {name}": 4 for name in ("Playing", "AwaitingDeal", "GameOver")},
        **{f"kitty taken, shown to {who}": 3 for who in (KittyShownTo.TAKER, KittyShownTo.NOBODY)},
        "ChoosingMoon": 3,
        "commitments": 50,
        "passes into the middle": 5,
        "exposures": 5,
        "shown cards": 15,
        "declining": 10,
    }
    assert {kind: kinds[kind] for kind, least in rare.items() if kinds[kind] < least} == {}


def neighbour(line: Line, viewer: Viewer) -> Seat:
    return 0 if viewer is None else (viewer + 1) % line.state.rules.players


def held(line: Line, viewer: Viewer, suit: Suit) -> int | None:
    """How many cards of a suit the neighbour holds."""
    state = line.state
    if not isinstance(state, (Passing, DealingBack, Exposing, Playing)):
        return None
    return len(state.hands[neighbour(line, viewer)].of_suit(suit))


def of_phase(kind: type[Any], look: Callable[[Any], object]) -> Look:
    """Something of a state, if it is of a class."""
    return lambda line, _: look(line.state) if isinstance(line.state, kind) else None


def of_deal(look: Callable[[Playing | PlayedDeal], object]) -> Look:
    """Something of the deal that is played, or has come to its end."""

    def leak(line: Line, _: Viewer) -> object:
        played = last_deal(line.state)
        return None if played is None else look(played)

    return leak


def decided(state: Passing | Exposing) -> object:
    return [move and bool(move.cards) for move in state.commitments]


def able_to_show(state: Exposing | Playing) -> object:
    return [bool(hand & state.rules.exposable) for hand in state.hands]


def what_is_coming(line: Line, viewer: Viewer) -> object:
    """The cards that a seat was passed, before the exchange."""
    state = line.state
    if not isinstance(state, Passing) or viewer is None:
        return None
    gifts = state.plan
    givers = {(viewer - offset) % state.rules.players: number for number, (offset, _) in enumerate(gifts)}
    coming = [(state.commitments[giver], number) for giver, number in givers.items()]
    return [move.cards[number] for move, number in coming if move is not None and move.cards]


def full(kind: type[Event]) -> Look:
    """The events of one kind as the engine makes them, not redacted."""

    def look(line: Line, viewer: Viewer) -> object:
        told = list(history(line, viewer))
        for state, move in zip(line.states, line.moves, strict=False):
            told += [what for what in transition(state, move).events if isinstance(what, kind)]
        return told

    return look


LEAKS: Final[Mapping[str, Look]] = {
    "spades of the neighbour": lambda line, viewer: held(line, viewer, Suit.SPADES),
    "the neighbour has a club": lambda line, viewer: bool(held(line, viewer, Suit.CLUBS)),
    "points in the kitty": lambda line, _: sum(map(line.state.rules.penalty, line.deal.kitty)),
    "kitty when it is taken": of_deal(lambda played: played.kitty if played.kitty_winner is not None else None),
    "captured with the kitty": of_deal(lambda played: played.captured),
    "commitments": of_phase(Passing, lambda state: state.commitments),
    "passes into the middle": of_phase(DealingBack, lambda state: state.commitments),
    "exposures": of_phase(Exposing, lambda state: state.commitments),
    "who shows": of_phase(Exposing, decided),
    # Whoever is asked only if it holds such a card tells by it.
    "who could show": of_phase(Exposing, able_to_show),
    "who could have shown": of_phase(Playing, able_to_show),
    "who declined": of_phase(Passing, decided),
    "what is coming": what_is_coming,
    "all that was passed": of_deal(lambda played: played.passed),
    "start of the deal": of_deal(pickle.dumps),
    "reasons of the state against others": lambda line, viewer: [
        why_illegal(line.state, Play(neighbour(line, viewer), card)) for card in FACES
    ],
    "legal moves of all": lambda line, _: (
        None if isinstance(line.state, AwaitingDeal) else sampled(legal_moves(line.state))
    ),
    "view with the next seat on it": lambda line, viewer: view(line.state, neighbour(line, viewer)),
    "state as JSON": lambda line, _: to_json(line.state),
    "deal not redacted": full(CardsDealt),
    "pass not redacted": full(PassCommitted),
    "exchange not redacted": full(CardsPassed),
    "exposure not redacted": full(ExposureCommitted),
    "kitty not redacted": full(KittyTaken),
}


@pytest.mark.long
@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_noticed(pairs: list[Twins], name: str) -> None:
    def leaky_view(line: Line, viewer: Viewer) -> object:
        return seen(line.state, viewer), LEAKS[name](line, viewer)

    assert any(told_apart(pair, leaky_view) for pair in pairs)


# ------------------------------------------------------------------------------------------------- what a view holds


def check_deal(known: PlayingView | SeenDeal, played: Playing | PlayedDeal, viewer: Viewer) -> None:
    """What a viewer may know of a deal, field by field; piles are counted, not subtracted."""
    rules, taker, start = played.rules, played.kitty_winner, played.start
    shown_to = rules.kitty_shown_to
    by_all = taker is not None and shown_to is KittyShownTo.EVERYBODY
    alone = taker is not None and shown_to is KittyShownTo.TAKER and viewer == taker
    piles = [Counter(pile) for pile in played.captured]
    if taker is not None and not (by_all or alone):
        piles[taker] -= Counter(played.kitty)
    passes = played.passes
    assert known.public is played.public
    assert known.captured == tuple(Cards(pile.elements()) for pile in piles)
    assert known.public.kitty == (played.kitty if by_all else None)
    assert known.kitty == (played.kitty if by_all or alone else None)
    assert known.own == OwnKnowledge(
        seat=viewer,
        commitment=None if viewer is None or not passes else passes[viewer],
        passed=Cards() if viewer is None else played.passed[viewer],
        received=Cards() if viewer is None else played.received[viewer],
        kitty=played.kitty if alone else None,
    )
    assert start.pass_counts == tuple(sum(map(len, passed.cards)) for passed in passes)
    assert known.exposed == start.exposed == played.exposed


def check_view(state: State, viewer: Viewer) -> None:
    known = seen(state, viewer)
    assert known.seat == viewer
    assert known.rules is state.rules
    assert (known.scores, known.deal_number, known.score_sheet) == (state.scores, state.deal_number, state.score_sheet)
    assert (known.dealer, known.phase, to_act(known)) == (state.dealer, state.phase, to_act(state))
    own = () if viewer is None else (viewer,)
    match state, known:
        case Passing(), PassingView():
            assert known.plan == state.plan
            assert known.hand == Cards([card for seat in own for card in state.hands[seat]])
            assert known.hand_sizes == tuple(map(len, state.hands))
            assert known.commitment == (None if viewer is None else state.commitments[viewer])
            assert known.committed == state.committed
            assert state.committed == frozenset(move.seat for move in state.commitments if move is not None)
        case DealingBack(), DealingBackView():
            assert known.hand == Cards([card for seat in own for card in state.hands[seat]])
            assert known.hand_sizes == tuple(map(len, state.hands))
            assert known.commitment == (None if viewer is None else state.commitments[viewer])
        case Exposing(), ExposingView():
            assert known.hand == Cards([card for seat in own for card in state.hands[seat]])
            assert known.hand_sizes == tuple(map(len, state.hands))
            assert known.exposure == (None if viewer is None else state.commitments[viewer])
            assert known.committed == state.committed
            assert state.committed == frozenset(move.seat for move in state.commitments if move is not None)
            assert known.to_act == state.to_act
            in_turn = state.rules.exposure is Exposure.IN_TURN
            if state.rules.exposure in (Exposure.TOGETHER, Exposure.IN_TURN):
                assert known.exposed == tuple(move.cards if move and in_turn else Cards() for move in state.commitments)
            else:
                assert known.exposed == state.start.exposed
            assert known.face_up == state.face_up == known.exposed
            assert known.passed == (Cards() if viewer is None else state.passed[viewer])
            assert known.received == (Cards() if viewer is None else state.received[viewer])
            assert known.declined == frozenset(passed.seat for passed in state.passes if not passed.cards)
            assert known.own.commitment == (None if viewer is None or not state.passes else state.passes[viewer])
        case Playing(), PlayingView():
            assert known.exposed == known.exposed == state.exposed
            held = tuple(hand & cards for hand, cards in zip(state.hands, state.exposed, strict=True))
            assert known.face_up == state.face_up == held
            check_deal(known, state, viewer)
            assert known.hand == Cards([card for seat in own for card in state.hands[seat]])
            assert known.hand_sizes == tuple(map(len, state.hands))
            assert (known.turn, known.trick, known.hearts_broken) == (state.turn, state.trick, state.hearts_broken)
            assert (known.leader, known.tricks, known.tricks_won) == (state.leader, state.tricks, state.tricks_won)
            assert (known.trick_number, known.set_aside) == (state.trick_number, state.set_aside)
            assert (known.kitty_winner, known.declined) == (state.kitty_winner, state.declined)
            assert known.start.dealer == state.dealer
        case AwaitingDeal(), AwaitingDealView():
            last = state.last_deal
            assert (known.last_deal is None) is (last is None)
            if known.last_deal is not None and last is not None:
                check_deal(known.last_deal, last, viewer)
        case ChoosingMoon(), ChoosingMoonView():
            check_deal(known.last_deal, state.last_deal, viewer)
            assert (known.shooter, known.others_up) == (state.shooter, state.others_up)
            assert known.shooter_down == state.shooter_down
        case GameOver(), GameOverView():
            check_deal(known.last_deal, state.last_deal, viewer)
            assert known.winners == state.winners
        case _:
            pytest.fail(f"a {type(known).__name__} is not a view of a {type(state).__name__}")


@pytest.mark.untraced
@laws(35)
@given(matches(any_rules()))
def test_a_view_holds_what_its_seat_may_know(played: Match) -> None:
    for state in played.states:
        for viewer in viewers(played.rules):
            check_view(state, viewer)


@pytest.mark.untraced
@laws(8)
@given(matches(any_rules()))
def test_the_deal_of_a_state_and_of_its_views(played: Match) -> None:
    for state in played.states:
        deal = deal_of(state)
        assert deal is last_deal(state)
        for viewer in viewers(played.rules):
            known = view_of(state, viewer)
            assert known == (public_view(state) if viewer is None else view(state, viewer))
            seen = deal_of(known)
            assert (seen is None) == (deal is None)
            assert seen is None or deal is None or seen.captured == deal.captured or deal.kitty_winner is not None


@pytest.mark.once_compiled
@pytest.mark.untraced
@laws(20)
@given(any_rules(), st.integers(0, 99))
def test_a_view_is_kept_by_its_own_events(rules: Rules, seed: int) -> None:
    """As the law of the kit says it, down to the texts."""

    def read(known: View) -> tuple[View, str]:
        return known, repr(known)

    def kept(known: tuple[View, str], events: tuple[Event, ...]) -> tuple[View, str]:
        return read(advance(known[0], events))

    assert check_views(lambda state, viewer: read(seen(state, viewer)), kept, rules, games=1, seed=seed) > 0


@pytest.mark.untraced
@laws(20)
@given(matches(any_rules()))
def test_a_whole_match_at_once_leads_to_the_same_view(played: Match) -> None:
    for viewer in viewers(played.rules):
        told = history(Line(played.states, played.moves), viewer)
        assert advance(seen(played.states[0], viewer), told) == seen(played.states[-1], viewer)
        assert advance(seen(played.states[-1], viewer), ()) == seen(played.states[-1], viewer)


@pytest.mark.untraced
@laws(15)
@given(matches(any_rules()))
def test_a_view_refuses_what_its_seat_must_not_see_or_redacts_it(played: Match) -> None:
    for state, move in zip(played.states, played.moves, strict=False):
        result = transition(state, move)
        for viewer in viewers(played.rules):
            before, after = seen(state, viewer), seen(result.state, viewer)
            assert advance(before, result.events, strict=False) == after
            own = redact(result.events, viewer)
            secret = [at for at, event in enumerate(result.events) if event != own[at]]
            if not secret:
                assert advance(before, result.events) == after
                continue
            with pytest.raises(InvalidState) as caught:
                advance(before, result.events)
            (problem,) = caught.value.problems
            assert (problem.code, problem.fields) == ("secret-event", (f"events[{secret[0]}]",))
            assert not re.search(r"[2-9TJQKA][CDSH]\b", str(problem)), "no card is named"


# ----------------------------------------------------------------------------------------------------------- passing


@laws(30)
@given(matches(any_rules()), generators())
def test_passes_commute_for_views(played: Match, rng: Random) -> None:
    starts = [ply for ply, move in enumerate(played.moves) if isinstance(move, Pass)]
    assume(starts)
    first = next(ply for ply in starts if not isinstance(played.states[ply - 1], Passing))
    players = played.rules.players
    assume(len(played.moves) >= first + players)
    passes = list(played.moves[first : first + players])
    for viewer in viewers(played.rules):
        state, known = played.states[first], seen(played.states[first], viewer)
        order = some(rng, passes, players)
        for move in order:
            result = transition(state, move)
            state, known = result.state, advance(known, redact(result.events, viewer))
        assert state == played.states[first + players]
        assert known == seen(played.states[first + players], viewer)


@laws(30)
@given(matches(any_rules()))
def test_nothing_of_a_pass_is_known_before_the_exchange(played: Match) -> None:
    for state, move in zip(played.states, played.moves, strict=False):
        if not (isinstance(state, Passing) and isinstance(move, Pass)):
            continue
        result = transition(state, move)
        for viewer in viewers(played.rules):
            told = redact(result.events, viewer)
            own = viewer == move.seat
            assert told[0] == (PassCommitted(move) if own else PassCommittedHidden(move.seat))
            after = seen(result.state, viewer)
            if isinstance(after, PassingView):
                before = seen(state, viewer)
                assert isinstance(before, PassingView)
                assert told[1:] == ()
                commitment = move if own else before.commitment
                assert after == replaced(before, committed=before.committed | {move.seat}, commitment=commitment)


@laws(30)
@given(matches(st.one_of([rules_sets(exposure=exposure) for exposure in Exposure])))
def test_nothing_of_an_exposure_is_known_before_everybody_may_see_it(played: Match) -> None:
    in_turn = played.rules.exposure is not Exposure.TOGETHER
    for state, move in zip(played.states, played.moves, strict=False):
        if not (isinstance(state, Exposing) and isinstance(move, Expose)):
            continue
        result = transition(state, move)
        for viewer in viewers(played.rules):
            told = redact(result.events, viewer)
            own = viewer == move.seat
            if in_turn:
                assert told[0] == CardsExposed(move.seat, move.cards)
            else:
                assert told[0] == (ExposureCommitted(move) if own else ExposureCommittedHidden(move.seat))
            after = seen(result.state, viewer)
            if isinstance(after, ExposingView):
                before = seen(state, viewer)
                assert isinstance(before, ExposingView)
                assert told[1:] == ()
                shown_now = list(before.exposed)
                committed = before.committed | {move.seat}
                exposure = move if own else before.exposure
                if in_turn:
                    shown_now[move.seat] += move.cards
                if played.rules.exposure in (Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN):
                    if move.cards:
                        committed = frozenset([move.seat])
                    if own or move.cards:
                        exposure = Expose(move.seat, shown_now[move.seat]) if own else None
                assert after == replaced(
                    before,
                    start=replaced(before.start, exposed=tuple(shown_now)),
                    committed=committed,
                    exposure=exposure,
                )


def test_a_kept_view_reads_the_same_in_whatever_order_the_seats_commit() -> None:
    """A set of small ints shows its members in an order that depends on how it was made, from the seat 8 on."""
    rules = Rules(players=10, decks=2, removed=Cards("2C 2C 3C 3C"), pass_cycle=[((1, 1),)])
    start = new_game(rules)
    state: State = apply(start, deal(start, seed=1))
    known = public_view(state)
    for seat in (9, 8, 1, 0):
        result = transition(state, legal_moves(state, seat)[0])
        state, known = result.state, advance(known, redact(result.events, None))
        assert repr(known) == repr(public_view(state))
        assert pickle.dumps(known) == pickle.dumps(public_view(state))


# ---------------------------------------------------------------------------------------------------------- legality


@pytest.mark.untraced
@laws(20)
@given(matches(any_rules()), generators())
def test_a_view_judges_the_moves_of_its_seat_as_the_state_does(played: Match, rng: Random) -> None:
    for state in some(rng, played.states, min(10, len(played.states))):
        for seat in range(played.rules.players):
            known = view(state, seat)
            assert legal_moves(known) == legal_moves(state, seat)
            assert legal_moves(known, seat) == legal_moves(state, seat)
            assert legal_moves(known, (seat + 1) % played.rules.players) == ()
            for none in (-1, played.rules.players):
                with pytest.raises(InvalidSeat):
                    legal_moves(known, none)
            hand = hand_of(known)
            for move in probes(played.rules, seat, hand):
                if isinstance(state, DealingBack) and isinstance(move, Deal):
                    # No seat knows the pile.
                    assert why_illegal(known, move) == ()
                    continue
                assert why_illegal(known, move) == why_illegal(state, move)
                assert is_legal(known, move) == is_legal(state, move)
                if not isinstance(move, Deal):
                    assert is_legal(known, move) == (move in legal_moves(known))
        assert legal_moves(public_view(state)) == ()
        with pytest.raises(TypeError, match="public_view is for spectators"):
            view(state, None)  # type: ignore[arg-type]


@laws(20)
@given(matches(any_rules()), generators())
def test_a_view_gives_public_reasons_against_the_moves_of_others(played: Match, rng: Random) -> None:
    for state in some(rng, played.states, min(8, len(played.states))):
        players = played.rules.players
        seat = rng.randrange(-1, players + 1)
        held = (
            state.hands[seat]
            if isinstance(state, (Passing, DealingBack, Exposing, Playing)) and 0 <= seat < players
            else Cards()
        )
        for move in probes(played.rules, seat, held):
            public = tuple(reason for reason in why_illegal(state, move) if not tells_of_a_hand(reason))
            if isinstance(move, Deal) and isinstance(state, DealingBack):
                # No seat knows the pile in the middle.
                public = ()
            for viewer in viewers(played.rules):
                if viewer != seat:
                    assert why_illegal(seen(state, viewer), move) == public


def tells_of_a_hand(reason: Violation) -> bool:
    return not isinstance(reason, (*PUBLIC, BadDeal))


# ------------------------------------------------------------------------------------------------ why_illegal_cards

Verdicts: TypeAlias = tuple[tuple[Card, tuple[Violation, ...]], ...]


@pytest.mark.untraced
@laws(55)
@given(
    matches(st.one_of(any_rules(), any_rules(), rules_sets(decks=2), rules_sets(decks=2, exposure=Exposure.TOGETHER)))
)
def test_why_cards_may_not_go(played: Match) -> None:
    rules = played.rules
    for state in played.states:
        assert why_illegal_cards(public_view(state)) == ()
        for seat in range(rules.players):
            known = view(state, seat)
            verdicts = why_illegal_cards(known)
            assert why_illegal_cards(state, seat) == why_illegal_cards(known, seat) == verdicts
            assert why_illegal_cards(known, (seat + 1) % rules.players) == ()
            if hand_of(known).hi:
                event(f"a card twice in {type(known).__name__}")
            if isinstance(known, PlayingView):
                check_playability(known, seat, verdicts)
                if seat == known.turn:
                    assert why_illegal_cards(state) == verdicts
                    possible = {move.card for move in legal_moves(state) if isinstance(move, Play)}
                    assert {card for card, reasons in verdicts if not reasons} == possible
                    assert all(why_illegal(state, Play(seat, card)) == reasons for card, reasons in verdicts)
            elif isinstance(known, PassingView):
                check_passability(state, known, seat, verdicts)
            elif isinstance(known, ExposingView):
                assert [card for card, _ in verdicts] == list(known.hand)
                for card, reasons in verdicts:
                    assert reasons == why_illegal(state, Expose(seat, Cards([card])))
            else:
                assert verdicts == ()


def check_passability(state: State, known: PassingView, seat: Seat, verdicts: Verdicts) -> None:
    """A card has the reasons that every pass with it has, but for those about how many cards the pass holds."""
    assert [card for card, _ in verdicts] == list(known.hand)
    for card, reasons in verdicts:
        alone = why_illegal(state, Pass(seat, Cards([card])))
        assert reasons == tuple([reason for reason in alone if not isinstance(reason, WrongNumberOfCards)])
        event(f"a card {'may' if not reasons else 'may not'} be passed")


def check_playability(known: PlayingView, seat: Seat, verdicts: Verdicts) -> None:
    assert [card for card, _ in verdicts] == list(known.hand)
    has_played = any(play.seat == seat for play in known.trick)
    for card, reasons in verdicts:
        out_of_turn = () if seat == known.turn else (NotYourTurn(seat, known.turn),)
        if out_of_turn and (has_played or not known.trick):
            assert reasons == out_of_turn
        else:
            event("ahead of the turn" if out_of_turn else "on turn")
            assert reasons == out_of_turn + why_illegal_card(
                known.rules,
                known.hand,
                card,
                trick=known.trick,
                first_trick=known.trick_number == 0,
                hearts_broken=known.hearts_broken,
                exposed=known.hand & known.exposed[seat],
                suits_led={trick.plays[0].card.suit for trick in known.tricks},
            )


# ------------------------------------------------------------------------------------------------- points and winners


def points_of(state: Playing | PlayedDeal, captured: Sequence[Cards]) -> tuple[int, ...]:
    """What the cards of piles cost, card by card: a shown card counts double, and with a shown heart every heart."""
    played = state
    rules = played.rules
    doubled = {card for cards in played.exposed for card in cards}
    if any(card.suit is Suit.HEARTS for card in doubled):
        doubled |= set(rules.deck.of_suit(Suit.HEARTS))
    return tuple(sum(rules.penalty(card) * (2 if card in doubled else 1) for card in pile) for pile in captured)


@pytest.mark.untraced
@laws(40)
@given(matches(any_rules()), generators())
def test_the_points_of_a_view_are_those_of_the_cards_that_it_sees(played: Match, rng: Random) -> None:
    """At the end of the deal they are the row's, but for a kitty that the view may not see."""
    rules = played.rules
    for state in played.states:
        last = last_deal(state)
        if last is None:
            continue
        everybody = viewers(rules)
        for viewer in [rng.choice(everybody)] if isinstance(state, Playing) else everybody:
            known = seen(state, viewer)
            assert not isinstance(known, (PassingView, DealingBackView, ExposingView))
            counted = known if isinstance(known, PlayingView) else known.last_deal
            assert counted is not None
            points = counted.card_points
            assert points == points_of(last, counted.captured)
            assert counted.side_card_points == tuple(sum(points[seat] for seat in side) for side in rules.sides)
            hidden = [0] * rules.players
            if last.kitty_winner is not None and counted.kitty is None:
                hidden[last.kitty_winner] = sum(points_of(last, [last.kitty]))
                if hidden[last.kitty_winner]:
                    event(f"points in a kitty that is shown to {rules.kitty_shown_to}")
            in_full = tuple(point + more for point, more in zip(points, hidden, strict=True))
            assert in_full == points_of(last, last.captured)
            if isinstance(state, ChoosingMoon):
                assert in_full == state.others_up.card_points == state.shooter_down.card_points
            elif not isinstance(state, Playing):
                assert in_full == state.score_sheet[-1].card_points
                if any(last.exposed):
                    event("cards were shown")


def test_the_taker_of_a_hidden_kitty_counts_more_than_the_others() -> None:
    rules = rules_of("players=3 kitty=first-trick pass_cycle=hold")
    hands = [Cards("2C 3C"), Cards("4C 5C"), Cards("6C 7C")]
    rest = rules.deck - Cards([card for hand in hands for card in hand]) - Cards("QS")
    state = set_up(
        rules, hands=hands, leader=2, captured=[Cards(), Cards(), rest + Cards("QS")], kitty=Cards("QS"), kitty_winner=2
    )
    assert [seen(state, viewer).card_points for viewer in (0, 1, 2, None)] == [  # type: ignore[union-attr]
        (0, 0, 13),
        (0, 0, 13),
        (0, 0, 26),
        (0, 0, 13),
    ]


@pytest.mark.untraced
@laws(40)
@given(matches(any_rules()))
def test_the_winning_seat_of_a_view_wins_when_the_trick_ends_so(played: Match) -> None:
    """Whoever is winning after the last play has won; before, it is who would win if no more were played."""
    rules = played.rules
    for state, move, after in zip(played.states, played.moves, played.states[1:], strict=False):
        if not isinstance(state, Playing) or not isinstance(move, Play):
            continue
        last = state.trick_number + 1 == rules.cards_per_hand
        known = public_view(state)
        assert isinstance(known, PlayingView)
        winning = known.winning_seat
        assert winning == winner_so_far(rules, state.trick, last)
        if winning is None and state.trick:
            event("nobody is winning")
        if isinstance(after, Playing) and after.trick:
            continue
        done = last_deal(after)
        assert done is not None
        whole = replaced(known, trick=(*state.trick, move))
        assert whole.winning_seat == done.tricks[-1].winner
        if last and rules.void_last_trick is VoidLastTrick.LEADER and winning_seat(rules, whole.trick) is None:
            event("the leader takes a void last trick")


def winner_so_far(rules: Rules, trick: Sequence[Play], last: bool) -> Seat | None:
    """Who is winning, told in sentences and not in masks."""
    if not trick:
        return None
    faces = Counter(play.card for play in trick)
    winner = None
    pairs = [card for card, count in faces.items() if count == 2]
    cancelled = pairs if rules.duplicates is Duplicates.CANCEL else []
    if not (rules.two_pairs_void and len(cancelled) > 1):
        able = [play for play in trick if play.card.suit is trick[0].card.suit and play.card not in cancelled]
        highest = [play for play in able if play.card.rank == max(other.card.rank for other in able)]
        if highest:
            winner = highest[-1 if rules.duplicates is Duplicates.LAST_WINS else 0].seat
    if winner is None and last and rules.void_last_trick is VoidLastTrick.LEADER:
        return trick[0].seat
    return winner


# ------------------------------------------------------------------------------------------------------------- voids


def voids_shown(state: Playing, move: Play) -> set[Suit]:
    """The suits of which no card could have been in the hand as well, for then the play would have been illegal."""
    exposed = set()
    for suit in Suit:
        faces = state.rules.deck.of_suit(suit).distinct()
        allowed = [
            playable(
                state.rules._resolved,
                move.bit | other.bit,
                led_suit(state.trick),
                state.trick_number == 0,
                state.hearts_broken,
                beaten_by(state.rules._resolved, state.trick),
                state.exposed[move.seat].lo & (move.bit | other.bit) & state.public._waiting,
                None,
            )
            & move.bit
            for other in faces
        ]
        if suit is not move.card.suit and allowed and not any(allowed):
            exposed.add(suit)
    return exposed


def voids_everybody_knows(state: Playing, move: Play) -> set[Suit]:
    """The voids that every player of the game knows: of not following suit, and of hearts led unbroken."""
    rules, suit = state.rules, move.card.suit
    in_play = {card.suit for card in rules.deck}
    if state.trick:
        led = state.trick[0].card.suit
        return set() if led is suit else {led}
    if suit is not Suit.HEARTS or state.hearts_broken or rules.hearts_lead is HeartsLead.ANY_TIME:
        return set()
    if state.trick_number == 0 and rules.opening_card is not OpeningCard.ANY:
        return set()
    event("hearts led unbroken")
    if rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN:
        return {card.suit for card in rules.deck} - {card.suit for card in rules.penalty_cards} - {Suit.HEARTS}
    spared = rules.heart_lead_spares_queen and Card("QS") in rules.deck
    return in_play & {Suit.CLUBS, Suit.DIAMONDS} | (set() if spared else in_play & {Suit.SPADES})


def voids_of(known: View) -> tuple[frozenset[Suit], ...]:
    assert isinstance(known, PlayingView)
    return known.voids


@pytest.mark.untraced
@laws(50)
@given(matches(any_rules()))
def test_voids_are_what_the_plays_have_shown(played: Match) -> None:
    exposed: list[set[Suit]] = [set() for _ in range(played.rules.players)]
    for state, move, after in zip(played.states, played.moves, played.states[1:], strict=False):
        if isinstance(state, Playing) and isinstance(move, Play):
            assert voids_everybody_knows(state, move) <= voids_shown(state, move)
            exposed[move.seat] |= voids_shown(state, move)
        else:
            exposed = [set() for _ in range(played.rules.players)]
        if isinstance(after, Playing):
            assert list(voids_of(public_view(after))) == list(voids_of(view(after, 0))) == exposed
            for hand, suits in zip(after.hands, exposed, strict=True):
                assert not any(card.suit in suits for card in hand)


ANY_LEAD: Final = "opening_card=any"
NON_POINT: Final = "opening_card=non-point"
FREE: Final = "first_trick=free"
NO_HEARTS: Final = "first_trick=no-hearts"
SPARED: Final = "heart_lead_spares_queen=yes"
POINTS_WAIT: Final = "hearts_lead=points-when-broken"
UNRESTRICTED: Final = "opening_card=unrestricted"
ON_LEAD: Final = "exposable=QS,2H exposed_card_play=wait-on-lead"
DUE: Final = f"{FREE} compulsory=discard compulsory_cards=QS,5D"


@pytest.mark.parametrize(
    ("fields", "hands", "plays", "voids"),
    [
        # Following suit, and not.
        ("", "2C 2D|3C 3D|4C 4S|5C 5H", "2C 3C 4C", "|||"),
        ("", "2C 2D|3D 5D|4C 4S|5C 5H", "2C 3D", "|C||"),
        # The opening lead.
        ("", "2D 3D|3C 4D|4C 4S|5C 5H", "2D", "C|||"),
        ("opening_card=any-club", "2D 3D|3C 4D|4C 4S|5C 5H", "2D", "C|||"),
        (NON_POINT, "2D 3D|3C 4D|4C 4S|5C 5H", "2D", "|||"),
        (NON_POINT, "2H 3H|3C 4D|4C 4S|5C 5D", "2H", "CDS|||"),
        (NON_POINT, "2H 3H|3C 4D|4C QS|5C 5D", "2H", "CD|||"),
        (ANY_LEAD, "2H 3H|3C 4D|4C QS|5C 5D", "2H", "CDS|||"),
        # A later lead of a heart that is unbroken, or broken.
        ("", "AC 2H|3C 3D|4C 4D|5C QS", "AC 3C 4C 5C 2H", "CDS|||"),
        (SPARED, "AC 2H|3C 3D|4C 4D|5C QS", "AC 3C 4C 5C 2H", "CD|||"),
        (SPARED, "AC 2H|3C 3D|4C 4D|5C 5S", "AC 3C 4C 5C 2H", "CDS|||"),
        ("hearts_lead=any-time", "AC 2H|3C 3D|4C 4D|5C QS", "AC 3C 4C 5C 2H", "|||"),
        ("", "AC QS|3C 3D|4C 4D|5C 5H", "AC 3C 4C 5C QS", "|||"),
        (FREE, "AC 2H|3D 3H|4C 4D|5C 5S", "AC 3H 4C 5C 2H", "|C||"),
        (UNRESTRICTED, "2H 3H|3C 4D|4C QS|5C 5D", "2H", "|||"),
        # The same where other penalty cards wait too: they show voids, and may lie beside the heart.
        (POINTS_WAIT, "AC 2H|3C 3D|4C 4D|5C QS", "AC 3C 4C 5C 2H", "CD|||"),
        (POINTS_WAIT, "AC 2H|3C 3D|4C 4D|5C 5S", "AC 3C 4C 5C 2H", "CDS|||"),
        (POINTS_WAIT, "AC QS|3C 3D|4C 4D|5C 5H", "AC 3C 4C 5C QS", "CD|||"),
        (f"{POINTS_WAIT} {SPARED}", "AC 2H|3C 3D|4C 4D|5C QS", "AC 3C 4C 5C 2H", "CD|||"),
        # A heart led breaks hearts, or not, and so the next one shows as much or nothing.
        (UNRESTRICTED, "AH 2H 3C|3H 3D 4C|4H 4D 5C|5H 5S 6C", "AH 3H 4H 5H 2H", "|||"),
        (f"{UNRESTRICTED} hearts_break=discarded", "AH 2H 3H|4H 3D 4C|5H 4D 5C|6H 5S 6C", "AH 4H 5H 6H 2H", "CDS|||"),
        # Cards that may be discarded only if there are no others.
        (NO_HEARTS, "2C 2D|2H 3H|4C QS|5C 5D", "2C 2H", "|CDS||"),
        (NO_HEARTS, "2C 2D|QS 3H|4C 4S|5C 5D", "2C QS", "|C||"),
        (DUE, "2C 2D|2H 3H|4C QS|5D 5S", "2C 2H", "|C||"),
        (DUE, "2C 2S|2H 3H|4C QS|5C 5D", "2C 2H", "|CD||"),
        (DUE, "2C 2D|QS 3H|4C 4S|5C 5D", "2C QS", "|C||"),
        ("", "2C 2D|2H 3H|4C 4S|5C 5D", "2C 2H", "|CDS||"),
        ("", "2C 2D|2H 3H|4C QS|5C 5D", "2C 2H", "|CD||"),
        (FREE, "2C 2D|2H 3H|4C QS|5C 5D", "2C 2H", "|C||"),
        (f"{FREE} queen_discard_after_hearts=yes", "2C|QS|4D|5H", "2C QS", "|CDH||"),
        (f"{FREE} compulsory=always", "2C 2D|2H 3H|4C QS|5C 5D", "2C 2H", "|CS||"),
        (f"{FREE} compulsory=always", "2C 2D|2H 3H|4S QS|5C 5D", "2C 2H", "|C||"),
        # A shown card waits for any heart but that of another seat, which waits too but is not in the hand.
        (ON_LEAD, "TC QS|6H 9H|2H 3H|KS KH", "TC 9H 2H KS QS", "CH|C|C|C"),
    ],
)
def test_what_a_play_shows(fields: str, hands: str, plays: str, voids: str) -> None:
    """Seat 0 leads; the hands are all the cards there are, and all that may be shown are."""
    dealt = [Cards(hand) for hand in hands.split("|")]
    text = f"pass_cycle=hold first_dealer=3 opening_leader=dealer-left {fields}"
    rules = rules_of(text, deck=hands.replace("|", " "))
    state = apply(new_game(rules), Deal(dealt))
    while isinstance(state, Exposing):
        seat = min(to_act(state))
        state = apply(state, Expose(seat, state.hands[seat] & rules.exposable))
    state = play_cards(state, plays)
    exposed = ["".join(map(str, sorted(suits))) for suits in voids_of(public_view(state))]
    assert "|".join(exposed) == voids


@pytest.mark.parametrize("opening", [OpeningCard.ANY, OpeningCard.LOWEST_CLUB])
def test_a_position_without_its_history_shows_no_voids_of_its_past(opening: OpeningCard) -> None:
    rules = Rules(pass_cycle=[()], opening_card=opening)
    hands = [Cards("QS 2H"), Cards("KS 3H"), Cards("4H 5H"), Cards("6H 7H")]
    used = Cards([card for hand in hands for card in hand])
    state: State = set_up(rules, hands=hands, leader=1, captured=[Cards(), rules.deck - used, Cards(), Cards()])
    for card in ("3H", "4H", "6H", "2H", "7H"):
        assert isinstance(state, Playing)
        state = apply(state, Play(state.turn, Card(card)))
        assert isinstance(state, Playing)
        for hand, suits in zip(state.hands, voids_of(public_view(state)), strict=True):
            assert not any(card.suit in suits for card in hand)
    assert voids_of(public_view(state)) == (frozenset(),) * 4


# ---------------------------------------------------------------------------------------------------- wrong arguments


# --------------------------------------------------------------------------------------------------- views are values


@pytest.fixture(scope="module")
def samples() -> dict[type, View]:
    """A view of every class, of a seat in the middle of something."""
    rng = Random(20)
    found: dict[type, View] = {}
    while len(found) < len(VIEWS):
        rules = random_rules(rng, moon=Moon.CHOICE)
        steps = [after for _, _, after in match(rules, rng, 2)]
        rare = [state for state in steps if isinstance(state, (ChoosingMoon, GameOver))]
        states = [*rng.sample(steps, min(len(steps), 20)), *rare]
        known = [view(state, rng.randrange(rules.players)) for state in states]
        found |= {type(each): each for each in known}
    return found


def parts(known: View) -> Iterator[Value]:
    """A view and the values inside it that are of views and states alone."""
    yield known
    if isinstance(known, ExposingView):
        yield from (known.start, known.own)
    elif not isinstance(known, (PassingView, DealingBackView)):
        played = known if isinstance(known, PlayingView) else known.last_deal
        if played is not None:
            yield from (played, played.public, played.start, played.own)


@pytest.mark.parametrize("kind", VIEWS)
def test_views_are_values(samples: dict[type, View], kind: type) -> None:
    for part in parts(samples[kind]):
        assert eval(repr(part), names()) == part
        for other in (pickle.loads(pickle.dumps(part)), copy.copy(part), copy.deepcopy(part)):
            assert (other, repr(other), hash(other)) == (part, repr(part), hash(part))
        for name in (*type(part).__match_args__, "hands"):
            with pytest.raises(AttributeError):
                setattr(part, name, ())


def phase_of(known: View) -> Phase:
    match known:
        case AwaitingDealView() | PassingView() | DealingBackView() | ExposingView() | PlayingView():
            return known.phase
        case ChoosingMoonView() | GameOverView():
            return known.phase
        case _:
            assert_never(known)


def test_a_match_over_views_is_exhaustive(samples: dict[type, View]) -> None:
    assert {phase_of(samples[kind]) for kind in VIEWS} == set(Phase)
    assert set(VIEWS) == set(samples)
