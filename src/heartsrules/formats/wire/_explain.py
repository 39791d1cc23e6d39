"""Strict decoding of JSON, with explanations of errors."""

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

_LONGEST: Final = 200
"""The limit on characters of a key or a reason in a problem."""


def decoded(data: bytes | str, decode: Callable[[Any], Any]) -> Any:
    """Decode text with a function of msgspec.

    Raises:
        InvalidWire: the text is not JSON or not Unicode, has the wrong shape, or repeats a key.
    """
    try:
        value = decode(data)
        # A document in our own spelling has no repeated keys.
        spelled = ENCODER.encode(value) == (data if isinstance(data, bytes) else data.encode())
        problems = () if spelled else repeated_keys(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        kind = getattr(getattr(decode, "__self__", None), "type", None)
        raise InvalidWire((unreadable(data, error, kind),)) from None
    if problems:
        raise InvalidWire(problems)
    return value


def unreadable(data: bytes | str, error: Exception, kind: Any = None) -> Problem:
    """Describe msgspec's refusal of a text that should have the type `kind`."""
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
    # Python's reader also accepts NaN and lone surrogates.
    return Problem.of("malformed", ("",))


def _shape_problem(error: msgspec.ValidationError, data: bytes | str, kind: Any) -> Problem:
    """Describe the first value of a wrong type, in msgspec's words."""
    reason, mark, path = str(error).rpartition(" - at `$")
    if not mark:
        reason, path = path, ""
    # The path looks like `.tricks[3].plays`, with `[...]` for keys that the type does not name.
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


def _near_keys(key: str, data: bytes | str, kind: Any, steps: Iterable[str]) -> tuple[str, ...]:
    try:
        return tuple(near_names(key, _known_keys(_parsed(data), kind, steps)))
    except (LookupError, TypeError, ValueError, RecursionError):
        # The text after the unknown key is not JSON, or it repeats an earlier key with another shape.
        return ()


def _known_keys(value: Any, kind: Any, steps: Iterable[str]) -> list[str]:
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
    """Yield types without unions and without those for another tag."""
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
    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: list[str] = []
        if len(self) < len(pairs):
            self.repeated = [key for key, times in Counter([key for key, _ in pairs]).items() if times > 1]


def _parsed(data: bytes | str) -> Any:
    # Python also reads UTF-16, and refuses numbers with many digits.
    text = data.encode().decode() if isinstance(data, str) else data.decode()
    return json.loads(text, object_pairs_hook=_Object, parse_int=len, parse_float=len)


def repeated_keys(data: bytes | str) -> tuple[Problem, ...]:
    """Return a problem for each repeated key of a JSON text, up to an error's limit."""
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
