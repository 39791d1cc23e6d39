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
from heartsrules.formats.wire._texts import NotCards, encode_custom, json_type

ENCODER: Final = msgspec.json.Encoder(enc_hook=encode_custom)

_LONGEST: Final = 200
"""The limit on characters of a key or a reason in a problem."""


def decoded(data: bytes | str, decode: Callable[[Any], Any], kind: Any) -> Any:
    """Decode text of the type `kind` with a function of msgspec.

    Raises:
        InvalidWire: the text is not JSON or not Unicode, has the wrong shape, or repeats a key.
    """
    try:
        value = decode(data)
        # A document in our own spelling has no repeated keys.
        spelled = ENCODER.encode(value) == (data if isinstance(data, bytes) else data.encode())
        problems = () if spelled else repeated_keys(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise InvalidWire((unreadable(data, error, kind),)) from None
    if problems:
        raise InvalidWire(problems)
    return value


def unreadable(data: bytes | str, error: Exception, kind: Any) -> Problem:
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
    reason, mark, path = str(error).rpartition(" - at `$")
    if not mark:
        reason, path = path, ""
    # The path looks like `.tricks[3].plays`, with `[...]` for keys that the type does not name.
    path, inside, _ = path.rstrip("`").partition("[...]")
    place = path.replace(".", "/").replace("[", "/").replace("]", "")
    cause = error.__cause__
    if isinstance(cause, NotCards):
        return Problem("foreign-value", (place,), cause.params, cause.detail)
    value, types = (None, []) if inside else _found(data, kind, place.split("/")[1:])
    unknown = _UNKNOWN.fullmatch(reason)
    if unknown and not inside:
        key = unknown[1]
        near = tuple(near_names(key, _known_keys(value, types)))
        at = (place + pointer(key[:_LONGEST]),)
        return Problem.of("unknown-key", at, "near", near=near) if near else Problem.of("unknown-key", at)
    return _misfit(place, value, types) if types else Problem.of("wrong-shape", (place,))


_UNKNOWN: Final = re.compile("Object contains unknown field `(.*)`", re.DOTALL)


def _found(data: bytes | str, kind: Any, steps: Iterable[str]) -> tuple[Any, list[inspect.Type]]:
    try:
        value = msgspec.json.decode(data)
        types = _alternatives(_type_info(kind))
        for step in steps:
            types = [part for each in types for child in _children(each, step, value) for part in _alternatives(child)]
            value = value[int(step)] if isinstance(value, list) else value[step]
    except (LookupError, TypeError, ValueError, RecursionError):
        # The text after the wrong value is not JSON, or it repeats an earlier key with another shape.
        return None, []
    return value, types


def _known_keys(value: Any, types: Iterable[inspect.Type]) -> list[str]:
    structs = [each for each in types if isinstance(each, inspect.StructType) and _has_tag(value, each)]
    tags = [each.tag_field for each in structs if each.tag_field]
    return list(dict.fromkeys([*tags, *[field.encode_name for each in structs for field in each.fields]]))


def _misfit(place: str, value: Any, types: list[inspect.Type]) -> Problem:
    found = json_type(value)
    fitting = [each for each in types if _json_type_of(each) == found]
    if not fitting:
        expected = {_json_type_of(each) for each in types}
        names = "_or_".join(sorted(expected - {"null"}))
        return Problem.of("wrong-shape", (place,), "type", expected=names, optional="null" in expected, found=found)
    for missing in _missing_keys(value, fitting):
        return Problem.of("missing-key", (place + missing,))
    for each in fitting:
        if isinstance(each, inspect.IntType) and each.ge is not None and each.le is not None:
            return Problem.of("wrong-shape", (place,), "range", least=each.ge, most=each.le, given=value)
        if isinstance(each, inspect.TupleType):
            return Problem.of("wrong-shape", (place,), "items", count=len(each.item_types), given=len(value))
        if isinstance(each, inspect.VarTupleType) and each.max_length is not None:
            if each.min_length == each.max_length:
                return Problem.of("wrong-shape", (place,), "items", count=each.max_length, given=len(value))
            return Problem.of("wrong-shape", (place,), "most-items", most=each.max_length, given=len(value))
    choices = tuple([choice for each in fitting for choice in _choices(each)])
    if not choices:
        return Problem.of("wrong-shape", (place,))
    given = truncated(str(value), _LONGEST)
    near = tuple(near_names(given, [each for each in choices if isinstance(each, str)]))
    if near:
        return Problem.of("wrong-shape", (place,), "choice-near", value=given, choices=choices, near=near)
    return Problem.of("wrong-shape", (place,), "choice", value=given, choices=choices)


def _missing_keys(value: Any, types: Iterable[inspect.Type]) -> Iterator[str]:
    for each in types:
        if isinstance(each, inspect.StructType):
            if each.tag_field is not None and each.tag_field not in value:
                yield pointer(each.tag_field)
            elif _has_tag(value, each):
                yield from [
                    pointer(key.encode_name) for key in each.fields if key.required and key.encode_name not in value
                ]


def _choices(kind: inspect.Type) -> Iterable[Any]:
    if isinstance(kind, inspect.EnumType):
        return [each.value for each in kind.cls]
    return kind.values if isinstance(kind, inspect.LiteralType) else ()


def _json_type_of(kind: inspect.Type) -> str:
    if isinstance(kind, (inspect.EnumType, inspect.LiteralType)):
        return json_type(next(iter(_choices(kind))))
    return _JSON_TYPES.get(type(kind), "str")


_JSON_TYPES: Final[dict[type, str]] = {
    inspect.NoneType: "null",
    inspect.BoolType: "bool",
    inspect.IntType: "int",
    inspect.TupleType: "array",
    inspect.VarTupleType: "array",
    inspect.StructType: "object",
    inspect.DictType: "object",
}


_type_info: Final = cache(inspect.type_info)


def _alternatives(kind: inspect.Type) -> list[inspect.Type]:
    if isinstance(kind, inspect.Metadata):
        return _alternatives(kind.type)
    if isinstance(kind, inspect.UnionType):
        return [part for each in kind.types for part in _alternatives(each)]
    return [kind]


def _has_tag(value: Any, kind: inspect.StructType) -> bool:
    return kind.tag_field is None or (isinstance(value, dict) and value.get(kind.tag_field) == kind.tag)


def _children(kind: inspect.Type, step: str, value: Any) -> list[inspect.Type]:
    if isinstance(kind, inspect.StructType):
        if step == kind.tag_field:
            return [inspect.LiteralType((kind.tag,))]
        return [field.type for field in kind.fields if field.encode_name == step and _has_tag(value, kind)]
    if isinstance(kind, inspect.TupleType):
        return [kind.item_types[int(step)]]
    return [kind.item_type] if isinstance(kind, inspect.VarTupleType) else []


class _Object(dict[str, Any]):
    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter([key for key, _ in pairs]) if len(self) < len(pairs) else {}
        self.repeated: Final = [key for key, times in counts.items() if times > 1]


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
