"""A client of the conformance suite: the engine of the package, which may have a planted fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from heartsrules import (
    AwaitingDeal,
    DealingBack,
    DealScore,
    Event,
    Move,
    Play,
    Playing,
    Rules,
    State,
    Transition,
    View,
    advance,
    deal,
    display_score,
    legal_moves,
    public_view,
    redact,
    standings,
    to_act,
    transition,
    view,
    why_illegal,
)
from heartsrules.formats.wire import from_json
from heartsrules.play.dealing import chance_to_act
from heartsrules.testing.conformance import CaseLine, EndLine, Line, RulesLine

__all__ = ["agrees", "cases_of", "first_mistake", "lines_of"]


def lines_of(path: Path) -> list[Line]:
    """The lines of a file of a suite."""
    decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(RulesLine | CaseLine | EndLine)
    return [decoder.decode(text) for text in path.read_bytes().splitlines()]


def cases_of(paths: Iterable[Path]) -> Iterator[tuple[Rules, CaseLine]]:
    """Every case of some files with its rules."""
    for path in paths:
        known: dict[str, Rules] = {}
        for line in lines_of(path):
            if isinstance(line, RulesLine):
                known[line.id] = from_json(bytes(line.rules), Rules)
            elif isinstance(line, CaseLine):
                yield known[line.rules], line


def first_mistake(paths: Iterable[Path]) -> str | None:
    """Return the first line of a suite that the engine gets wrong, or None.

    Raises:
        NameError: the fault is not one: its text does not fit its place.
    """
    place = "the rules"
    try:
        for rules, case in cases_of(paths):
            place = case.id
            agrees(rules, case)
    except NameError:
        raise
    except Exception:
        return place
    return None


def agrees(rules: Rules, case: CaseLine) -> None:
    """Assert that every part of a case, read from its JSON, is what the engine says."""
    state = from_json(bytes(case.state), State)
    seat = case.seat
    seen = public_view(state) if seat is None else view(state, seat)
    assert state.rules == rules
    assert from_json(bytes(case.view), View) == seen
    assert seat in to_act(state) if to_act(state) else seat is None

    legal = [from_json(bytes(move), Move) for move in case.legal.moves]
    illegal = {from_json(bytes(each.move), Move): each.codes for each in case.illegal}
    if chance_to_act(state) and legal_moves(state):
        assert case.legal.count is None
        assert all(move in legal_moves(state) for move in legal)
    else:
        moves = legal_moves(state) if seat is None else legal_moves(state, seat)
        assert case.legal.count == len(moves)
        places = [moves.index(move) for move in legal]
        assert places == sorted(set(places))
        assert legal[:1] == list(moves[:1])
        assert legal[-1:] == list(moves[-1:])
        assert len(legal) == len(moves) or len(moves) > 12
    assert illegal == {move: tuple(reason.code for reason in why_illegal(state, move)) for move in illegal}
    assert len(illegal) == len(case.illegal) > 0
    if isinstance(state, Playing):
        assert {Play(state.turn, card) for card in state.hands[state.turn]} <= {*legal, *illegal}

    if not legal_moves(state):
        parts = (case.move, case.next, case.seen_events, case.public_events, case.seen_next)
        assert {bytes(part) for part in parts} == {b"null"}
        assert case.other is None
        assert (case.scores, case.deal_seed) == (None, None)
        return
    move = from_json(bytes(case.move), Move)
    moved = transition(state, move)
    if case.deal_seed is not None:
        assert isinstance(state, (AwaitingDeal, DealingBack))
        assert move == deal(state, seed=case.deal_seed)
    assert from_json(bytes(case.next), Transition) == moved
    events = from_json(bytes(case.seen_events), tuple[Event, ...])
    assert events == redact(moved.events, seat)
    assert from_json(bytes(case.public_events), tuple[Event, ...]) == redact(moved.events, None)
    assert from_json(bytes(case.seen_next), View) == advance(seen, events)
    if case.other is not None:
        assert case.other.seat != seat
        events = from_json(bytes(case.other.seen_events), tuple[Event, ...])
        assert events == redact(moved.events, case.other.seat)
        before = from_json(bytes(case.other.view), View)
        assert before == view(state, case.other.seat)
        assert from_json(bytes(case.other.seen_next), View) == advance(before, events)
    assert (case.scores is not None) == (len(moved.state.score_sheet) > len(state.score_sheet))
    if case.scores is not None:
        totals = moved.state.scores
        assert from_json(bytes(case.scores.row), DealScore) == moved.state.score_sheet[-1]
        assert [(side.place, side.seats, side.total) for side in case.scores.standings] == [
            (side.place, side.seats, side.total) for side in standings(rules, totals)
        ]
        assert case.scores.shown == tuple(display_score(rules, total) for total in totals)
