"""Decode JSON strictly, and say what is wrong with a text that is no JSON, has a key twice, or has another shape."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import inspect

from heartsrules.base.errors import MAX_PROBLEMS, InvalidWire, Problem, near_names, truncated
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
        kind = getattr(getattr(decode, "__self__", None), "type", None)
        raise InvalidWire((unreadable(data, error, kind),)) from None
    if problems:
        raise InvalidWire(problems)
    return value


def unreadable(data: bytes | str, error: Exception, kind: Any = None) -> Problem:
    """The problem of a text that msgspec has refused with this error; `kind` is the type that was expected."""
    if isinstance(error, msgspec.ValidationError):
        return _shape_problem(error, data, kind)
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


def _shape_problem(error: msgspec.ValidationError, data: bytes | str, kind: Any) -> Problem:
    """The problem of the first value that does not fit the type of a document, in the words of msgspec."""
    reason, mark, path = str(error).rpartition(" - at `$")
    if not mark:
        reason, path = path, ""
    # The path is written like `.tricks[3].plays`, and a key that the type does not name like `[...]`.
    path, inside, _ = path.rstrip("`").partition("[...]")
    place = path.replace(".", "/").replace("[", "/").replace("]", "")
    unknown = _UNKNOWN.fullmatch(reason)
    if unknown and not inside:
        key = unknown[1]
        near = _near_keys(key, data, kind, place.split("/")[1:])
        at = (place + pointer(key[:_LONGEST]),)
        return Problem.of("unknown-key", at, "near", near=near) if near else Problem.of("unknown-key", at)
    cause = error.__cause__
    if isinstance(cause, NotCards):
        return Problem("foreign-value", (place,), cause.params, cause.detail)
    return Problem.of("wrong-shape", (place,), reason=truncated(reason, _LONGEST))


_UNKNOWN: Final = re.compile("Object contains unknown field `(.*)`", re.DOTALL)
"""What msgspec says of an object with a key too many."""


def _near_keys(key: str, data: bytes | str, kind: Any, steps: Iterable[str]) -> tuple[str, ...]:
    """The keys that an object can have and that are spelled nearly like an unknown one."""
    try:
        return tuple(near_names(key, _known_keys(_parsed(data), kind, steps)))
    except (LookupError, TypeError, ValueError, RecursionError):
        # After the unknown key it is not JSON, or an earlier key comes again with a value of another shape.
        return ()


def _known_keys(value: Any, kind: Any, steps: Iterable[str]) -> list[str]:
    """The keys of an object within a document, found by the type of the document and the steps to the object."""
    types = [_type_info(kind)]
    for step in steps:
        types = [child for each in _objects(types, value) for child in _children(each, step)]
        value = value[int(step)] if isinstance(value, list) else value[step]
    structs = [each for each in _objects(types, value) if isinstance(each, inspect.StructType)]
    tags = [each.tag_field for each in structs if each.tag_field]
    return list(dict.fromkeys([*tags, *[field.encode_name for each in structs for field in each.fields]]))


@cache
def _type_info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _objects(types: Iterable[inspect.Type], value: Any) -> Iterator[inspect.Type]:
    """Types without unions, and without those that another tag belongs to."""
    for each in types:
        if isinstance(each, inspect.Metadata):
            yield from _objects([each.type], value)
        elif isinstance(each, inspect.UnionType):
            yield from _objects(each.types, value)
        elif not isinstance(each, inspect.StructType) or each.tag_field is None or _has_tag(value, each):
            yield each


def _has_tag(value: Any, kind: inspect.StructType) -> bool:
    return isinstance(value, dict) and value.get(kind.tag_field) == kind.tag


def _children(kind: inspect.Type, step: str) -> list[inspect.Type]:
    if isinstance(kind, inspect.StructType):
        return [field.type for field in kind.fields if field.encode_name == step]
    if isinstance(kind, inspect.TupleType):
        return [kind.item_types[int(step)]]
    return [kind.item_type] if isinstance(kind, inspect.VarTupleType) else []


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
