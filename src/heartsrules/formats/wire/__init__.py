"""Values as JSON, for servers and clients in any language, and for storage.

`to_json` writes the library's values, and `from_json` reads them strictly and checks states against the rules. `judge`
does all of a server's work in one call: it takes a state and a move, and returns the next state or the violations.

This module needs the extra `json` (the library msgspec).
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
"""The default of `max_bytes` in `from_json`, 16 MiB."""

JUDGE_BYTES: Final = 2**20
"""The default of `max_bytes` in `judge`, 1 MiB."""

_WIDEST: Final = 16
"""The largest indent, in spaces."""

_NOT_WHOLE: Final = Problem.of("not-whole", ("/has_full_history",), "argument")


@attrs.frozen
class _Kind:
    name: str
    classes: tuple[type, ...]
    write: Callable[[Any], Any] = C.document_to_wire
    read: Callable[[Any], Any] = C.part_of_wire


def _rules_to_wire(rules: Rules) -> Any:
    return W.RulesDocument(VERSION, "rules", *msgspec.structs.astuple(C.rules_to_wire(rules)))


def _rules_of(wire: Any) -> Rules:
    return C.rules_at(W.RULES(*msgspec.structs.astuple(wire)[2:]), "")


_EVENTS: Final = _Kind(
    "events",
    (),
    lambda events: W.EventsDocument(VERSION, "events", C.parts_to_wire(events)),
    lambda wire: C.parts_of_wire(wire.events),
)
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
    """Write a value as a JSON document.

    Equal values give equal bytes.

    Args:
        value: a `Rules`, a move, a state, a view, an event, a tuple of events, a violation, a `DealScore`, a `Record`,
            a `Transition`, or a `Setup`, whose document omits claims that follow from the rest.
        indent: the number of spaces to indent, 0 to 16. Defaults to one line without spaces.
        language: the language of messages and of their `arguments`, as in `heartsrules.messages.text`. None omits the
            arguments, for storage.

    >>> from heartsrules.cards import Card
    >>> from heartsrules.play.moves import Play
    >>> to_json(Play(2, Card("AH")))
    b'{"move":"play","heartsrules":1,"kind":"move","seat":2,"card":"AH"}'

    Raises:
        InvalidWire: a number is beyond 2**53 - 1, a text is not Unicode, a setup lacks attributes that a document
            needs, or it has some that no document can have.
        ValueError: `indent` is out of range, or there is no catalogue for the language (`UnknownLanguage`).
        TypeError: the value has no JSON form, or an argument has the wrong type.
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
        raise InvalidWire((unreadable(data, error, _decoder(kind.name).type),)) from None
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
    refused. `heartsrules.setup.check` checks a state; if part of its history is missing, its `has_full_history` is
    False. A view must belong to a state that `check` accepts. Records and setups (documents of untrusted states) are
    not checked: use `verify` and `check`. Time and memory grow with the length of the document, accepted or refused.

    Args:
        data: the document; bytes are UTF-8.
        kind: `Rules`, `Move`, `State`, `Setup`, `View`, `Event`, `tuple[Event, ...]`, `Violation`, `DealScore`,
            `Record`, `Transition`, or one class of a union.
        max_bytes: the longest document accepted.

    >>> from_json('{"heartsrules": 1, "kind": "rules", "target": 50}', Rules)
    Rules(target=50)

    Raises:
        InvalidWire: the document is refused; `problems` lists everything found, with places.
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
    if not isinstance(data, (bytes, str)):
        wrong_type(name, "bytes or a str", data)
    checked_int("max_bytes", max_bytes)
    if len(data) * 4 > max_bytes and _is_longer(data, max_bytes):
        raise InvalidWire((Problem.of("too-long", ("",), "document", most=max_bytes),))
    try:
        wire = decoded(data, _decoder(kind.name).decode, _decoder(kind.name).type)
    except InvalidWire:
        _check_kind(data, kind.name)
        raise
    try:
        return kind.read(wire)
    except C.NotADocument as refused:
        raise InvalidWire(refused.problems) from None


def _check_kind(data: bytes | str, name: str) -> None:
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
    """Judge a move in one call, documents in and documents out.

    Both documents are checked like those of `from_json`. The current or last deal is replayed with every pass and play;
    every row of the score sheet must be the result of some distribution of the deck, and the totals must follow from
    the rows. It does not check the plays of earlier deals, which a state does not contain, or whether chance dealt the
    cards.

    Args:
        state: the document of a state from any source.
        move: the document of a move. Authenticate its seat first: any seat's move is accepted here.
        has_full_history: True to refuse a state without its full history: a deal resumed in the middle, unknown passes,
            a score sheet that begins late. Their piles and totals cannot be verified.
        max_bytes: the longest document accepted.

    Returns:
        A document of kind `judgement`. For a legal move, `ok` is true, `state` is the document of the next state, and
        `events` are the full events (redact them before a player sees them). For an illegal one, `ok` is false and
        `violations` are the reasons. For an unreadable document, `ok` is false and `problems` describes the errors.

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
    return [
        W.WireProblem(name, each.fields[0], each.code, message, C.params_to_wire(each), each.detail, arguments)
        for each in problems
        for message, arguments in [C.told(each)]
    ]
