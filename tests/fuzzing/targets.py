"""What every reader promises about any input: a value that the other forms can say too, or a documented error."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

import attrs

from heartsrules.cards import Card, Cards
from heartsrules.compat import openspiel
from heartsrules.engine import legal_moves, new_game, why_illegal
from heartsrules.errors import HeartsError, InvalidNotation, InvalidRules, InvalidState, InvalidWire
from heartsrules.events import Event
from heartsrules.game import Record, replay, verify
from heartsrules.moves import Move
from heartsrules.notation import (
    format_position,
    format_record,
    parse_field,
    parse_position,
    parse_record,
    parse_rules,
    parse_setup,
    scan_records,
)
from heartsrules.rules import Rules
from heartsrules.serve import Service
from heartsrules.setup import Setup, check
from heartsrules.sheet import DealScore
from heartsrules.state import State
from heartsrules.transitions import Transition
from heartsrules.views import View, advance
from heartsrules.violations import IllegalMove, Violation
from heartsrules.wire import from_json, judge, to_json
from heartsrules.worlds import sample_world

LONGEST: Final = 2000
"""The characters that a message may have."""
MOST: Final = 100
"""The problems that an error may name."""
SEPARATOR: Final = b"\n\n"
"""Between the documents of an input that has two."""


_SERVICE: Final = Service()


class Broken(AssertionError):
    """A promise that a reader did not keep."""


def refused(error: HeartsError) -> None:
    """Hold an error against what all errors promise."""
    if len(str(error)) > LONGEST:
        raise Broken(f"a message of {len(str(error))} characters")
    problems = getattr(error, "problems", ())
    if len(problems) > MOST:
        raise Broken(f"{len(problems)} problems")
    for problem in problems:
        if len(problem.message) > LONGEST:
            raise Broken(f"a problem's message of {len(problem.message)} characters")


def same(one: object, other: object, what: str) -> None:
    """Demand that two ways give the same."""
    if one != other:
        raise Broken(f"{what}: {one!r} is not {other!r}")


def believed(state: State) -> None:
    """A state that was believed is itself again in every form."""
    same(check(Setup.of(state)), state, "a setup")
    same(from_json(to_json(state), State), state, "JSON")
    same(parse_position(format_position(state)), state, "a line of text")
    list(zip(range(3), legal_moves(state)))  # noqa: B905 - some of them are enough


def _json(kind: Any, after: Callable[[Any], None]) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        try:
            value = from_json(data, kind)
        except InvalidWire as error:
            refused(error)
            return
        same(from_json(to_json(value), kind), value, "JSON")
        after(value)

    return run


def _nothing(_: Any) -> None:
    """There is no more to say of it."""


def _record(record: Record) -> None:
    verdict = verify(record)
    str(verdict.failure)
    try:
        text = format_record(record)
    except InvalidState as error:
        refused(error)
        return
    same(parse_record(text).moves, record.moves, "text")


def _view(seen: View) -> None:
    if getattr(seen, "deal", None) is None or seen.deal.trick_number == len(seen.deal.tricks):  # type: ignore[union-attr]
        try:
            world = sample_world(seen, Random(1))
        except InvalidState as error:
            # Only a position without its history has no worlds.
            if error.problems[0].code != "no-history":
                raise
            return
        same(check(Setup.of(world)), world, "a world")


def _judge(data: bytes) -> None:
    state, _, move = data.partition(SEPARATOR)
    for whole in (True, False):
        said = judge(state, move, whole=whole)
        if not said.startswith(b'{"heartsrules":1,"kind":"judgement"'):
            raise Broken(f"a judgement is {said[:80]!r}")
        if b'"ok":true' in said[:60]:
            before, tried = from_json(state, State), from_json(move, Move)
            same(why_illegal(before, tried), (), "the reasons against a legal move")


def _serve(data: bytes) -> None:
    answer = _SERVICE.answer(data)
    said = json.loads(answer.body)
    ok = answer.status == 200
    same(list(said), ["id", "ok", "result" if ok else "problems"], "the keys of an answer")
    same(said["ok"], ok, "what an answer says of itself")
    if answer.status not in (200, 400, 404, 413, 422):
        raise Broken(f"an answer of the status {answer.status}: {answer.body[:200]!r}")
    if ok:
        return
    if not 0 < len(said["problems"]) <= MOST:
        raise Broken(f"{len(said['problems'])} problems")
    for problem in said["problems"]:
        if len(problem["message"]) > LONGEST or problem["place"][:1] not in ("", "/"):
            raise Broken(f"a problem: {problem!r}")


def _advance(data: bytes) -> None:
    start, _, told = data.partition(SEPARATOR)
    try:
        seen, events = from_json(start, View), from_json(told, tuple[Event, ...])
    except InvalidWire as error:
        refused(error)
        return
    try:
        after = advance(seen, events)
    except InvalidState as error:
        refused(error)
        return
    to_json(after)


def _text(read: Callable[[str], Any], *errors: type[HeartsError]) -> Callable[[bytes], Any]:
    def run(data: bytes) -> Any:
        try:
            return read(data.decode("utf-8", "surrogateescape"))
        except errors as error:
            refused(error)
            return None

    return run


def _position(data: bytes) -> None:
    state = _text(parse_position, InvalidNotation, InvalidState)(data)
    if state is not None:
        believed(state)


def _setup(data: bytes) -> None:
    told = _text(parse_setup, InvalidNotation)(data)
    if told is None:
        return
    same(parse_setup(format_position(told)), told, "a line of text")
    try:
        by_text = check(told)
    except InvalidState as error:
        refused(error)
        by_text = None
    try:
        data = to_json(told)
    except InvalidWire as error:
        refused(error)
        return
    try:
        by_json = from_json(data, State)
    except InvalidWire as error:
        refused(error)
        by_json = None
    if told.deal_scores and told.scores is None:
        return
    same(by_json, by_text, "JSON and text")


def _records(data: bytes) -> None:
    for found in scan_records(data.decode("utf-8", "surrogateescape")):
        if isinstance(found, InvalidNotation):
            refused(found)
        else:
            verify(found)
            same(parse_record(format_record(found)), found, "text")


_FIELDS: Final = frozenset(field.name for field in attrs.fields(Rules))


def _field(data: bytes) -> None:
    name, _, text = data.decode("utf-8", "surrogateescape").partition("=")
    if name not in _FIELDS:
        return
    try:
        parse_field(name, text, 4)
    except ValueError as error:
        if len(str(error)) > LONGEST:
            raise Broken(f"a message of {len(str(error))} characters") from error


def _history(data: bytes) -> None:
    actions = [byte - 1 for byte in data]
    try:
        states = openspiel.replay_history(actions, {"pass_cards": bool(data[:1] > b"\x01")})
    except (InvalidState, IllegalMove) as error:
        refused(error)
        return
    believed(states[-1])


def _moves(data: bytes) -> None:
    """Any moves at all, of which the first illegal one is named."""
    try:
        record = from_json(data, Record)
    except InvalidWire as error:
        refused(error)
        return
    result = replay(new_game(record.rules), record.moves)
    believed(result.game.state)
    if result.failure is not None:
        for violation in result.failure.violations:
            if len(str(violation)) > LONGEST:
                raise Broken("a violation of many words")


TARGETS: Final[dict[str, Callable[[bytes], Any]]] = {
    "rules": _json(Rules, _nothing),
    "move": _json(Move, _nothing),
    "state": _json(State, believed),
    "setup": _json(Setup, _nothing),
    "view": _json(View, _view),
    "event": _json(Event, _nothing),
    "events": _json(tuple[Event, ...], _nothing),
    "violation": _json(Violation, _nothing),
    "deal-score": _json(DealScore, _nothing),
    "record": _json(Record, _record),
    "transition": _json(Transition, _nothing),
    "judge": _judge,
    "advance": _advance,
    "serve": _serve,
    "replay": _moves,
    "position-text": _position,
    "setup-text": _setup,
    "record-text": _records,
    "rules-text": _text(parse_rules, InvalidNotation, InvalidRules),
    "field-text": _field,
    "card-text": _text(Card, InvalidNotation),
    "cards-text": _text(Cards, InvalidNotation),
    "openspiel": _history,
}
"""Every reader by name. A target returns, or raises what nobody has promised."""
