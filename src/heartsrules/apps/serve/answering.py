"""Decoding requests, running them, and encoding responses for every transport."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Annotated, Any, Final

import attrs

from heartsrules.base.extras import needs

with needs("json", "serving"):
    import msgspec

from heartsrules.apps.serve.declaring import Operation, under_key
from heartsrules.apps.serve.operations import OPERATIONS
from heartsrules.base.errors import (
    MAX_PROBLEMS,
    InvalidPicture,
    InvalidRules,
    InvalidSeat,
    InvalidState,
    InvalidWire,
    Problem,
    TooManyCopies,
    TooManyWorlds,
    in_words,
    near_names,
)
from heartsrules.base.values import checked_int
from heartsrules.cards import Card
from heartsrules.formats.wire import JUDGE_BYTES, to_json
from heartsrules.formats.wire.parts import (
    PROBLEM_DETAIL,
    PROBLEM_PARAMS,
    Arguments,
    Json,
    object_parts,
    problem_params,
    read_part,
    told,
    write_part,
    written_in,
)
from heartsrules.messages import UnknownLanguage, catalogue
from heartsrules.play.violations import IllegalMove, Violation


@attrs.frozen
class Answer:
    """A response, a JSON object.

    It has no line breaks, unless the `id` of the request has some.
    """

    status: int
    body: bytes


_MOST_BYTES: Final = 2**30


class ProblemJson(msgspec.Struct, frozen=True, omit_defaults=True):
    """A problem of a request.

    `place` is a JSON pointer into it; the empty text is the whole request. `violation` is the violation's document if
    the rules refuse a move.
    """

    place: str
    code: str
    message: str
    params: Annotated[dict[str, Any], msgspec.Meta(description=PROBLEM_PARAMS)] = {}
    detail: Annotated[str, msgspec.Meta(description=PROBLEM_DETAIL)] = ""
    arguments: Arguments = {}
    violation: Json | msgspec.UnsetType = msgspec.UNSET


class _Refused(Exception):
    def __init__(self, problems: Iterable[ProblemJson], status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY) -> None:
        super().__init__(status)
        self.status: Final = status
        self.problems: Final = tuple(problems)[:MAX_PROBLEMS]


def refusal(problem: Problem, *, id_: bytes = b"null") -> bytes:
    """Encode a refusal with one problem, whose first field is its place."""
    return _refusal(id_, _problems_json([problem]))


def _refusal(id_: bytes, problems: Iterable[ProblemJson]) -> bytes:
    return b'{"id":%b,"ok":false,"problems":%b}' % (id_, write_part(tuple(problems)))


class Service:
    """A stateless responder to requests.

    Args:
        max_bytes: the maximum size of a request in bytes, up to 2**30.

    Raises:
        ValueError: `max_bytes` is too low or too high.
    """

    def __init__(self, *, max_bytes: int = JUDGE_BYTES, operations: Mapping[str, Operation] = OPERATIONS) -> None:
        if not 1 <= checked_int("max_bytes", max_bytes) <= _MOST_BYTES:
            raise ValueError(f"max_bytes is {in_words(max_bytes)}: choose 1 to {_MOST_BYTES:,}")
        self.max_bytes: Final = max_bytes
        self.operations: Final = operations

    def answer(self, request: bytes, op: str | None = None) -> Answer:
        """Answer a request, without raising errors.

        Args:
            request: the JSON object.
            op: the operation, if the transport names it; `op` in the request is then optional, but must not differ.

        >>> Service().answer(b'{"id": [7], "op": "new-gam"}').body
        b'{"id":[7],"ok":false,"problems":[{"place":"/op","code":"no-such-operation","message":"there is no \
operation \\'new-gam\\': did you mean new-game?","params":{"operation":"new-gam","near":["new-game"]},\
"detail":"near","arguments":{"operation":"new-gam","near_or":"new-game"}}]}'
        """
        if len(request) > self.max_bytes:
            return self.too_long()
        id_ = b"null"
        try:
            parts = object_parts(request)
            id_ = parts.pop("id", b"null")
            operation = self._operation(parts, op)
            with written_in(_language(parts)):
                result = _run(operation, parts)
        except _Refused as refused:
            return Answer(refused.status, _refusal(id_, refused.problems))
        except InvalidWire as error:
            return Answer(HTTPStatus.BAD_REQUEST, _refusal(id_, _problems_json(error.problems)))
        except Exception as error:
            # A bug in the library must not stop the server.
            traceback.print_exception(error, file=sys.stderr)
            return Answer(HTTPStatus.INTERNAL_SERVER_ERROR, refusal(Problem.of("internal-error", ("",)), id_=id_))
        return Answer(HTTPStatus.OK, b'{"id":%b,"ok":true,"result":%b}' % (id_, result))

    def too_long(self) -> Answer:
        """Answer a request of too many bytes."""
        problem = Problem.of("too-long", ("",), "request", most=self.max_bytes)
        return Answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, refusal(problem))

    def _operation(self, parts: dict[str, bytes], op: str | None) -> Operation:
        given = parts.pop("op", None)
        if given is None and op is None:
            raise InvalidWire((Problem.of("missing-key", ("/op",)),))
        name = op
        if given is not None:
            with under_key("op"):
                name = read_part(given, str)
        if op is not None and name != op:
            raise InvalidWire((Problem.of("contradiction", ("/op",), "path", operation=op),))
        operation = self.operations.get(str(name))
        if operation is None:
            raise _Refused(_problems_json([_no_operation(str(name), self.operations)]), HTTPStatus.NOT_FOUND)
        return operation


def _language(parts: dict[str, bytes]) -> str:
    given = parts.pop("language", None)
    if given is None:
        return "en"
    with under_key("language"):
        language: str = read_part(given, str)
    try:
        catalogue(language)
    except UnknownLanguage as error:
        problem = Problem.of("unknown-language", ("/language",), language=language, languages=error.languages)
        raise _Refused(_problems_json([problem])) from None
    return language


def _no_operation(name: str, operations: Iterable[str]) -> Problem:
    names = tuple(operations)
    near = tuple(near_names(name, names))
    if near:
        return Problem.of("no-such-operation", ("/op",), "near", operation=name, near=near)
    return Problem.of("no-such-operation", ("/op",), operation=name, names=names)


def _problems_json(problems: Iterable[Problem], place: Callable[[str], str] = str) -> list[ProblemJson]:
    found: list[ProblemJson] = []
    for each in problems:
        message, filled = told(each)
        at = place(each.fields[0]) if each.fields else ""
        found.append(ProblemJson(at, each.code, message, problem_params(each), each.detail, filled))
    return found


def _run(operation: Operation, parts: Mapping[str, bytes]) -> bytes:
    values = _values(operation, parts)
    try:
        return write_part(operation.run(**values))
    except IllegalMove as error:
        at = operation.places.get("move", "/move")
        raise _Refused([_reason(at, violation) for violation in error.violations]) from None
    except (InvalidRules, InvalidState, InvalidPicture, TooManyWorlds) as error:
        refused = _problems_json(error.problems, operation.place)
    except InvalidWire as error:
        refused = _problems_json(error.problems)
    except InvalidSeat as error:
        problem = Problem.of("no-such-seat", ("/seat",), "at-table", seat=error.seat, players=error.players)
        refused = _problems_json([problem])
    except TooManyCopies as error:
        refused = _problems_json([Problem.of("too-many-copies", ("",), "bag", card=Card(error.card))])
    raise _Refused(refused)


def _reason(at: str, violation: Violation) -> ProblemJson:
    return ProblemJson(at, violation.code, told(violation)[0], violation=Json(to_json(violation)))


def _values(operation: Operation, parts: Mapping[str, bytes]) -> dict[str, Any]:
    unreadable = _problems_json(operation.problems_of_keys(parts))
    refused: list[ProblemJson] = []
    values: dict[str, Any] = {}
    for name, argument in operation.arguments.items():
        if name in parts:
            try:
                values[name] = argument.read(parts[name])
            except InvalidWire as error:
                (unreadable if argument.component is None else refused).extend(_problems_json(error.problems))
    if unreadable:
        raise _Refused(unreadable + refused, HTTPStatus.BAD_REQUEST)
    if refused:
        raise _Refused(refused)
    return values
