"""Values as JSON and back: for servers and clients in any language, and for storage.

`to_json` writes rules, moves, states, views, events, violations, score rows, records and transitions; `from_json` reads
them, strictly, and checks states against the rules before anybody can use them. `judge` is the whole of a server's
work in one call: a state and a move in, the next state or the reasons out.

This module needs the extra `json` (it is the library msgspec that does the work); nothing else of the package does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from types import UnionType
from typing import Any, Final, TypeVar, cast, get_args, overload

import attrs

from heartsrules.base.extras import needs

with needs("json", "JSON"):
    import msgspec

from heartsrules.base.errors import InvalidWire, Problem
from heartsrules.base.values import checked_int, int_text, wrong_type
from heartsrules.formats.wire import _convert as C
from heartsrules.formats.wire import _types as W
from heartsrules.formats.wire._explain import ENCODER, decoded, unreadable
from heartsrules.formats.wire._texts import decode_custom
from heartsrules.formats.wire._views import view_from_wire
from heartsrules.messages import catalogue
from heartsrules.play.engine import apply
from heartsrules.play.events import Event
from heartsrules.play.game import Record
from heartsrules.play.moves import Move
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import State
from heartsrules.play.transitions import Transition, events_between
from heartsrules.play.violations import IllegalMove, Violation
from heartsrules.rules import Rules
from heartsrules.setup import Setup
from heartsrules.views import View

__all__ = ["JUDGE_BYTES", "MAX_BYTES", "VERSION", "from_json", "judge", "to_json"]
__dir__ = __all__.copy

T = TypeVar("T")

VERSION: Final = W.VERSION
"""The version of the format."""

MAX_BYTES: Final = 16 * 2**20
"""The default of `max_bytes` in `from_json`: 16 MiB."""

JUDGE_BYTES: Final = 2**20
"""The default of `max_bytes` in `judge`: 1 MiB."""

_WIDEST: Final = 16
"""The largest indent, in spaces."""

_NOT_WHOLE: Final = Problem.of("not-whole", ("/has_full_history",), "argument")


@attrs.frozen
class _Kind:
    """A kind of document: its classes, its writer and its reader."""

    name: str
    classes: tuple[type, ...]
    write: Callable[[Any], Any] = C.document_to_wire
    read: Callable[[Any], Any] = C.part_of_wire


def _rules_to_wire(rules: Rules) -> Any:
    return W.RulesDocument(VERSION, "rules", *msgspec.structs.astuple(C.rules_to_wire(rules)))


def _rules_of(wire: Any) -> Rules:
    return C.rules_at(W.RULES(*msgspec.structs.astuple(wire)[2:]), "")


def _events_to_wire(events: Iterable[Any]) -> W.EventsDocument:
    return W.EventsDocument(VERSION, "events", C.parts_to_wire(events))


def _events_of(wire: W.EventsDocument) -> tuple[Event, ...]:
    return C.parts_of_wire(wire.events)


_EVENTS: Final = _Kind("events", (), _events_to_wire, _events_of)
_KINDS: Final = (
    _Kind("rules", (Rules,), _rules_to_wire, _rules_of),
    _Kind("move", get_args(Move)),
    _Kind("state", get_args(State), C.state_to_wire, C.state_of),
    _Kind("view", get_args(View), C.view_to_wire, view_from_wire),
    _Kind("event", get_args(Event)),
    _EVENTS,
    _Kind("violation", get_args(Violation)),
    _Kind("deal-score", (DealScore,)),
    _Kind("record", (Record,), C.record_to_wire, C.record_of),
    _Kind("transition", (Transition,), C.transition_to_wire, C.transition_of),
)
_SETUP: Final = _Kind("state", (Setup,), C.setup_to_wire, C.setup_of)
_BY_CLASS: Final[dict[Any, _Kind]] = {member: kind for kind in (*_KINDS, _SETUP) for member in kind.classes}
_BY_TYPE: Final[dict[Any, _Kind]] = {
    **_BY_CLASS,
    **{union: _BY_CLASS[get_args(union)[0]] for union in (Move, State, View, Event, Violation)},
    tuple[Event, ...]: _EVENTS,
}
_STATE: Final = _BY_TYPE[State]
_MOVE: Final = _BY_TYPE[Move]


@cache
def _decoder(name: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(W.DOCUMENTS[name], dec_hook=decode_custom)


def to_json(value: object, *, indent: int | None = None, language: str | None = "en") -> bytes:
    """Write a value as a JSON document. Equal values give equal bytes.

    Args:
        value: a `Rules`, a move, a state, a view, an event, a tuple of events, a violation, a `DealScore`, a `Record`,
            a `Transition`, or a `Setup`: its document says everything of it except claims that follow from the rest.
        indent: by how many spaces to indent, for people, 0 to 16; None: one line without any space.
        language: the language of sentences and of the `arguments` of patterns, as in `heartsrules.messages.text`; None
            leaves the arguments out, for games that are kept.

    >>> from heartsrules.cards import Card
    >>> from heartsrules.play.moves import Play
    >>> to_json(Play(2, Card("AH")))
    b'{"move":"play","heartsrules":1,"kind":"move","seat":2,"card":"AH"}'

    Raises:
        InvalidWire: the value holds what no document may: a number beyond 2**53 - 1, a text that is not Unicode. Or it
            is a setup that does not tell what a document must say, or tells what no document can.
        ValueError: `indent` is not from 0 to 16, or there is no catalogue for the language (`UnknownLanguage`).
        TypeError: the value has no JSON form, or an argument the wrong type.
    """
    if indent is not None:
        if not isinstance(indent, int) or isinstance(indent, bool):
            wrong_type("indent", "an int or None", indent)
        if not 0 <= indent <= _WIDEST:
            raise ValueError(f"indent is {int_text(indent)}: choose 0 to {_WIDEST}, or None")
    if language is not None:
        catalogue(language)
    kind = _BY_CLASS.get(type(value)) or (_EVENTS if isinstance(value, tuple) else None)
    if kind is None or (kind is _EVENTS and isinstance(value, tuple) and any(type(x) not in W.EVENTS for x in value)):
        wrong_type("value", "something that has a JSON form", value)
    try:
        if language == "en":
            data = ENCODER.encode(kind.write(value))
        else:
            with C.written_in(language):
                data = ENCODER.encode(kind.write(value))
    except (OverflowError, UnicodeEncodeError):
        raise InvalidWire((Problem.of("unwritable", ("",), "value"),)) from None
    try:
        document = _decoder(kind.name).decode(data)
        if kind is _SETUP:
            C.refuse_unwritable(cast("Setup", value), document)
    except msgspec.ValidationError as error:
        raise InvalidWire((unreadable(data, error),)) from None
    except C.NotADocument as refused:
        raise InvalidWire(refused.problems) from None
    return data if indent is None else msgspec.json.format(data, indent=indent)


@overload
def from_json(data: bytes | str, kind: type[T], *, max_bytes: int = ...) -> T: ...
@overload
def from_json(data: bytes | str, kind: UnionType, *, max_bytes: int = ...) -> Any: ...
def from_json(data: bytes | str, kind: Any, *, max_bytes: int = MAX_BYTES) -> Any:
    """Read a value from a JSON document, strictly.

    Unknown, missing and repeated keys, wrong types, foreign values, numbers out of range and other versions are
    refused. A state is checked by `heartsrules.setup.check`; its `has_full_history` is False if part of its history is
    missing. A view must be that of some state that `check` accepts. A record is only read, and so is a `Setup` (the
    document of a state that is not believed yet); `verify` and `check` judge them. Time and memory grow with the length
    of the document, whether it is accepted or refused.

    Args:
        data: the document; bytes are UTF-8.
        kind: `Rules`, `Move`, `State`, `Setup`, `View`, `Event`, `tuple[Event, ...]`, `Violation`, `DealScore`,
            `Record`, `Transition`, or one class of a union.
        max_bytes: refuse a longer document.

    >>> from_json('{"heartsrules": 1, "kind": "rules", "target": 50}', Rules)
    Rules(target=50)

    Raises:
        InvalidWire: the document is refused; its `problems` are all that were found, each with its place.
    """
    found = _BY_TYPE.get(kind) if isinstance(kind, (type, UnionType)) or kind == tuple[Event, ...] else None
    if found is None:
        raise TypeError(f"kind must be a type that has a JSON form, not {kind!r}")
    value = _read(data, found, max_bytes)
    if isinstance(kind, type) and not isinstance(kind, type(tuple[Event, ...])) and not isinstance(value, kind):
        where = {"state": "/phase", "view": "/phase", "move": "/move"}.get(found.name, "/code")
        raise InvalidWire((Problem.of("foreign-value", (where,), "document", kind=kind.__name__),))
    return value


def _read(data: bytes | str, kind: _Kind, max_bytes: int, name: str = "data") -> Any:
    """Decode a document, the argument called `name`, or raise `InvalidWire`."""
    if not isinstance(data, (bytes, str)):
        wrong_type(name, "bytes or a str", data)
    checked_int("max_bytes", max_bytes)
    if len(data) * 4 > max_bytes and _is_longer(data, max_bytes):
        raise InvalidWire((Problem.of("too-long", ("",), "document", most=max_bytes),))
    try:
        wire = decoded(data, _decoder(kind.name).decode)
    except InvalidWire:
        _check_kind(data, kind.name)
        raise
    try:
        return kind.read(wire)
    except C.NotADocument as refused:
        raise InvalidWire(refused.problems) from None


def _check_kind(data: bytes | str, name: str) -> None:
    """Refuse a document that is one of another kind."""
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return
    given = document.get("kind") if isinstance(document, dict) else None
    if given != name and any(given == kind.name for kind in _KINDS):
        raise InvalidWire((Problem.of("foreign-value", ("/kind",), "document", kind=name),)) from None


def _is_longer(data: bytes | str, most: int) -> bool:
    if len(data) > most or isinstance(data, bytes) or data.isascii():
        return len(data) > most
    return len(data.encode("utf-8", "surrogatepass")) > most


def judge(
    state: bytes | str, move: bytes | str, *, has_full_history: bool = True, max_bytes: int = JUDGE_BYTES
) -> bytes:
    """Judge a move: the whole of a server's work with documents in one call.

    What is checked: both documents as `from_json` reads them. The deal in hand, or the last one, is played again from
    its first lead, with every pass and every play; every row of the score sheet must be the result of some way to
    share out the deck, and the totals must follow from the rows. What is not checked: whether the earlier deals
    were played as their rows say (a state does not remember their plays), and whether the deal was dealt by chance.

    Args:
        state: the document of a state, whoever wrote it.
        move: the document of a move. Who may make it is for the caller to know: authenticate its seat before.
        has_full_history: whether to refuse a state that does not tell its whole history: a deal from its middle on, a
            deal whose passes are not known, a score sheet that begins late. There, piles and totals can only be
            believed.
        max_bytes: refuse a longer document; the reference of the format says how many deals fit.

    Returns:
        A document of kind `judgement`. Legal: `ok` is true, `state` the document of the next state and `events` what
        happened, in full (they are for the server: redact them before a player sees them). Illegal: `ok` is false and
        `violations` are the reasons. Unreadable: `ok` is false and `problems` says what is wrong with which document.

    >>> from heartsrules.play.engine import new_game
    >>> judge(to_json(new_game(Rules())), b'{"heartsrules":1,"kind":"move","move":"play","seat":2,"card":"AH"}')
    b'{"heartsrules":1,"kind":"judgement","ok":false,"violations":[{"code":"wrong-phase","phase":"deal","move":"play",\
"message":"the game is waiting for the deal, not for a play","arguments":{"phase":"deal","move":"play"}}]}'

    Raises:
        TypeError: an argument has the wrong type. A bad document raises nothing.
    """
    if not isinstance(has_full_history, bool):
        wrong_type("has_full_history", "a bool", has_full_history)
    problems: list[W.WireProblem] = []
    before = _tried(state, "state", max_bytes, problems)
    tried = _tried(move, "move", max_bytes, problems)
    if has_full_history and before is not None and not before.has_full_history:
        problems += _told("state", (_NOT_WHOLE,))
    if problems or before is None:
        return ENCODER.encode(W.UnreadableDocument(VERSION, "judgement", False, tuple(problems)))
    try:
        after = apply(before, tried)
    except IllegalMove as error:
        violations = tuple([C.part_to_wire(violation) for violation in error.violations])
        return ENCODER.encode(W.IllegalDocument(VERSION, "judgement", False, violations))
    events = C.parts_to_wire(events_between(before, tried, after))
    return ENCODER.encode(W.LegalDocument(VERSION, "judgement", True, C.state_to_wire(after), events))


def _tried(data: bytes | str, name: Any, max_bytes: int, problems: list[W.WireProblem]) -> Any:
    try:
        return _read(data, _STATE if name == "state" else _MOVE, max_bytes, name)
    except InvalidWire as error:
        problems += _told(name, error.problems)
    return None


def _told(name: Any, problems: Iterable[Problem]) -> list[W.WireProblem]:
    """The problems of a document as parts of a judgement."""
    return [
        W.WireProblem(name, each.fields[0], each.code, message, C.params_to_wire(each), each.detail, arguments)
        for each in problems
        for message, arguments in [C.told(each)]
    ]
