"""Decode JSON strictly, and say what is wrong with a text that is no JSON, has a key twice, or has another shape."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

import msgspec

from heartsrules.base.errors import MAX_PROBLEMS, InvalidWire, Problem, truncated
from heartsrules.formats.wire._convert import pointer
from heartsrules.formats.wire._texts import NotCards, encode_custom

ENCODER: Final = msgspec.json.Encoder(enc_hook=encode_custom)
"""Writes values of msgspec types, with cards and bags as texts."""

_LONGEST: Final = 200
"""The most characters of a key or a reason in a problem."""


def decoded(data: bytes | str, decode: Callable[[Any], Any]) -> Any:
    """Decode a text with a function of msgspec.

    Raises:
        InvalidWire: the text is not JSON, not Unicode, of another shape, or has a key twice.
    """
    try:
        value = decode(data)
        # A document that is spelled as we write it has every key once.
        spelled = ENCODER.encode(value) == (data if isinstance(data, bytes) else data.encode())
        problems = () if spelled else repeated_keys(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise InvalidWire((unreadable(data, error),)) from None
    if problems:
        raise InvalidWire(problems)
    return value


def unreadable(data: bytes | str, error: Exception) -> Problem:
    """The problem of a text that msgspec has refused with this error."""
    if isinstance(error, msgspec.ValidationError):
        return _shape_problem(error)
    try:
        _parsed(data)
    except UnicodeError:
        return Problem.of("malformed", ("",), "unicode")
    except json.JSONDecodeError as wrong:
        return Problem.of("malformed", ("",), "json", line=wrong.lineno, column=wrong.colno)
    except RecursionError:
        return Problem.of("too-deep", ("",))
    # Python's reader takes more for JSON: NaN, and escapes of half a character.
    return Problem.of("malformed", ("",))


def _shape_problem(error: msgspec.ValidationError) -> Problem:
    """The problem of the first value that does not fit the type of a document, in the words of msgspec."""
    reason, mark, path = str(error).rpartition(" - at `$")
    if not mark:
        reason, path = path, ""
    # The path is written like `.tricks[3].plays`, and a key that the type does not name like `[...]`.
    path = path.rstrip("`").partition("[...]")[0]
    place = path.replace(".", "/").replace("[", "/").replace("]", "")
    cause = error.__cause__
    if isinstance(cause, NotCards):
        return Problem("foreign-value", (place,), cause.params, cause.detail)
    return Problem.of("wrong-shape", (place,), reason=truncated(reason, _LONGEST))


class _Object(dict[str, Any]):
    """A JSON object with its repeated keys."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: list[str] = []
        if len(self) < len(pairs):
            self.repeated = [key for key, times in Counter([key for key, _ in pairs]).items() if times > 1]


def _parsed(data: bytes | str) -> Any:
    # Python reads UTF-16, too, and refuses numbers of many digits.
    text = data.encode().decode() if isinstance(data, str) else data.decode()
    return json.loads(text, object_pairs_hook=_Object, parse_int=len, parse_float=len)


def repeated_keys(data: bytes | str) -> tuple[Problem, ...]:
    """A problem for each repeated key of a text that is JSON; at most as many as an error carries."""
    return tuple(islice(_repeated(_parsed(data), ""), MAX_PROBLEMS))


def _repeated(value: Any, at: str) -> Iterator[Problem]:
    if isinstance(value, _Object):
        for key in value.repeated:
            yield Problem.of("repeated-key", (at + pointer(key[:_LONGEST]),))
        for key, item in value.items():
            yield from _repeated(item, at + pointer(key[:_LONGEST]))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _repeated(item, f"{at}/{place}")
