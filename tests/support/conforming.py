"""The naive model as a client that is checked with a conformance suite: every case that it gets wrong, and how.

Another module may take the place of `naive`: a copy of it with a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import attrs
import msgspec

from heartsrules import (
    AwaitingDeal,
    ChoosingMoon,
    Deal,
    DealingBack,
    Exposing,
    GameOver,
    Move,
    Passing,
    PlayedDeal,
    Playing,
    Rules,
    State,
    Transition,
    View,
)
from heartsrules.formats.wire import from_json
from heartsrules.testing.conformance import CaseLine, EndLine, RulesLine
from heartsrules.views import deal_of
from support import naive
from support.against_model import PHASES, known_of, names, row_of, to_model

__all__ = ["Case", "cases_of", "mistakes"]


@attrs.frozen
class Case:
    """A case whose documents have been read."""

    name: str
    rules: Rules
    seat: int | None
    state: State
    legal: tuple[naive.Move, ...] | None
    """The legal moves that are listed; None: a deal is due."""
    count: int | None
    illegal: tuple[naive.Move, ...]
    """The moves of a seat at the table that are refused in this phase."""
    move: Move | None
    after: State | None
    exposed: tuple[int, ...] | None
    places: tuple[tuple[int, tuple[int, ...]], ...] | None
    kitty_seen: bool
    """Whether the seat may know the kitty afterwards."""


_LINES: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(RulesLine | CaseLine | EndLine)


def cases_of(path: Path) -> list[Case]:
    """The cases of a file of a suite."""
    return list(read_cases(_LINES.decode(text) for text in path.read_bytes().splitlines()))


def read_cases(lines: Iterable[RulesLine | CaseLine | EndLine]) -> Iterator[Case]:
    """The cases among lines."""
    rules: Rules | None = None
    for line in lines:
        if isinstance(line, RulesLine):
            rules = from_json(bytes(line.rules), Rules)
        elif isinstance(line, CaseLine):
            assert rules is not None
            yield _read(line, rules)


def _read(line: CaseLine, rules: Rules) -> Case:
    state = from_json(bytes(line.state), State)
    after = None if bytes(line.next) == b"null" else from_json(bytes(line.next), Transition).state
    seen = None if bytes(line.seen_next) == b"null" else from_json(bytes(line.seen_next), View)
    deal = None if seen is None else deal_of(seen)
    phase = PHASES[type(state)]
    return Case(
        name=line.id,
        rules=rules,
        seat=line.seat,
        state=state,
        legal=None
        if isinstance(state, (AwaitingDeal, DealingBack))
        else tuple([to_model(from_json(bytes(move), Move)) for move in line.legal.moves]),
        count=line.legal.count,
        illegal=tuple(
            [
                move
                for move in [to_model(each) for each in _moves(line) if not isinstance(each, Deal)]
                if move[0] == phase and move[1] == line.seat
            ]
        ),
        move=None if bytes(line.move) == b"null" else from_json(bytes(line.move), Move),
        after=after,
        exposed=None if line.scores is None else line.scores.shown,
        places=None
        if line.scores is None
        else tuple([(standing.place, standing.seats) for standing in line.scores.standings]),
        kitty_seen=getattr(deal, "kitty", None) is not None,
    )


def _moves(line: CaseLine) -> Iterator[Move]:
    for illegal in line.illegal:
        yield from_json(bytes(illegal.move), Move)


# ------------------------------------------------------------------------------------------------------- the position


def model_of(state: State, engine: ModuleType = naive) -> naive.Model:
    """The model in a position, which may begin in the middle of a deal."""
    rules = state.rules
    model: naive.Model = engine.Model(rules)
    model.phase = PHASES[type(state)]
    model.scores = list(state.scores)
    model.deal_number = state.deal_number
    model.dealer = engine.dealer_of(rules, state.deal_number)
    model.score_sheet = [row_of(score) for score in state.score_sheet]
    model.queen_taker = state.score_sheet.queen_taker
    if isinstance(state, (Passing, DealingBack)):
        _start(model, state.hands, state.kitty)
        passes = state.commitments
        model.committed = {move.seat: to_model(move)[2] for move in passes if move is not None}
    elif isinstance(state, Exposing):
        _start(model, state.hands, state.kitty)
        _passed(model, state.passed, state.received)
        model.committed = {move.seat: to_model(move)[2] for move in state.passes}
        open_cards = {seat: tuple(names(cards)) for seat, cards in enumerate(state.start.exposed) if cards}
        model.exposed = open_cards | {move.seat: to_model(move)[2] for move in state.commitments if move is not None}
        model.decided = {move.seat for move in state.commitments if move is not None}
        ends = [seat for seat in model.decided if (seat + 1) % rules.players not in model.decided]
        model.last_to_decide = ends[0] if ends else None
    elif isinstance(state, Playing):
        _start(model, state.hands, state.kitty)
        _played(model, state)
        model.seat, model.leader = state.turn, state.leader
        model.trick = [(play.seat, str(play.card)) for play in state.trick]
        model.hearts_broken = state.hearts_broken
    elif isinstance(state, (ChoosingMoon, AwaitingDeal, GameOver)):
        if state.last_deal is not None:
            _played(model, state.last_deal)
            model.kitty = names(state.last_deal.kitty)
        if isinstance(state, ChoosingMoon):
            model.shooter = state.shooter
        if isinstance(state, GameOver):
            model.winners = list(state.winners)
    return model


def _start(model: naive.Model, hands: Any, kitty: Any) -> None:
    model.hands = [names(hand) for hand in hands]
    model.kitty = names(kitty)


def _passed(model: naive.Model, passed: Any, received: Any) -> None:
    model.passed = [names(cards) for cards in passed]
    model.received = [names(cards) for cards in received]


def _played(model: naive.Model, deal: Playing | PlayedDeal) -> None:
    _passed(model, deal.passed, deal.received)
    if len(model.rules.exposable) > 0:
        model.exposed = {seat: tuple(names(cards)) for seat, cards in enumerate(deal.exposed)}
    model.tricks = [
        *unknown_tricks(deal),
        *[(trick.leader, [(play.seat, str(play.card)) for play in trick.plays], trick.winner) for trick in deal.tricks],
    ]
    model.captured = [names(pile) for pile in deal.captured]
    model.set_aside = names(deal.set_aside)
    model.kitty_winner = deal.kitty_winner


def unknown_tricks(deal: Playing | PlayedDeal) -> naive.Tricks:
    """Stand-ins for the tricks before the middle of a deal: as many for each winner, with the suits led."""
    middle = deal.resumed_from
    if middle is None:
        return []
    count = deal.trick_number - len(deal.tricks)
    winners: list[int | None] = [seat for seat, won in enumerate(middle.tricks_won or ()) for _ in range(won)]
    waiting = len(middle.set_aside) // model_players(deal)
    void = count - len(winners)
    winners = [None] * (void - waiting) + winners + [None] * waiting
    suits = [suit.letter for suit in middle.suits_led] or ["-"]
    return [(0, [(0, "-" + suits[min(number, len(suits) - 1)])], winner) for number, winner in enumerate(winners)]


def model_players(deal: Playing | PlayedDeal) -> int:
    return len(deal.captured)


# ------------------------------------------------------------------------------------------------------- the comparison


def mistakes(case: Case, engine: ModuleType = naive) -> Iterator[str]:
    """The differences between the model and a case; an error of the model is one too."""
    try:
        yield from _mistakes(case, engine)
    except Exception as error:
        yield f"{type(error).__name__}: {error}"


def _mistakes(case: Case, engine: ModuleType) -> Iterator[str]:
    model = model_of(case.state, engine)
    if case.seat is not None and case.seat not in model.to_act():
        yield "who acts"
        return
    if case.legal is not None:
        moves = _legal_moves(model, case.seat)
        if len(moves) != case.count:
            yield f"{len(moves)} legal moves instead of {case.count}"
        if not set(case.legal) <= moves:
            yield "a legal move is missing"
        if moves & set(case.illegal):
            yield "an illegal move"
    if case.move is None or case.after is None:
        return
    if isinstance(case.move, Deal) and model.phase == "pass":
        model.deal_back([names(hand) for hand in case.move.hands])
    elif isinstance(case.move, Deal):
        model.deal([names(hand) for hand in case.move.hands], names(case.move.kitty))
    else:
        model.apply(to_model(case.move))
    for name, library, own in known_of(case.after, model, count_unknown(case.after)):
        if library != own:
            yield f"{name}: {own!r} instead of {library!r}"
    if case.exposed is not None and case.places is not None:
        if tuple([engine.shown_total(case.rules, total) for total in model.scores]) != case.exposed:
            yield "the totals as they are shown"
        if tuple([(place, tuple(seats)) for place, seats in engine.places(case.rules, model.scores)]) != case.places:
            yield "the places"
    played = case.exposed is not None or not isinstance(case.after, (AwaitingDeal, Passing, DealingBack, Exposing))
    if played and engine.sees_kitty(case.rules, model.kitty_winner, case.seat) != case.kitty_seen:
        yield "who sees the kitty"


def count_unknown(state: State) -> int:
    """The number of tricks of a state's deal that are not known."""
    deal = deal_of(state)
    return 0 if deal is None else deal.trick_number - len(deal.tricks)


def _legal_moves(model: naive.Model, seat: int | None) -> set[naive.Move]:
    if model.phase == "pass":
        assert seat is not None
        return {("pass", seat, gifts) for gifts in model.legal_passes(seat)}
    return {move for move in model.legal_moves() if move[1] == seat}
