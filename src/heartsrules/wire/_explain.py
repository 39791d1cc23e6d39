"""Everything that is wrong with the types of a document, each with its place.

msgspec stops at the first problem, and of a key that comes twice it takes the last. So a document that it refuses is
walked through once more, and one that is not spelled as we spell it is searched for repeated keys.
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from heartsrules.errors import Problem
from heartsrules.wire import _types as W
from heartsrules.wire._convert import pointer

_LONGEST: Final = 200


class _Object(dict[str, Any]):
    """A JSON object that remembers which of its keys came more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: list[str] = []
        if len(self) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.repeated.append(key)
                seen.add(key)


def tree_of(text: bytes | str) -> Any:
    """The values of a well-formed document."""
    return json.loads(text, object_pairs_hook=_Object)


def repeated_keys(value: Any, at: str = "") -> Iterator[Problem]:
    """The keys that come more than once in one object."""
    if isinstance(value, _Object):
        for key in dict.fromkeys(value.repeated):
            yield Problem("repeated-key", (at + pointer(key),), "the key comes more than once")
        for key, item in value.items():
            yield from repeated_keys(item, at + pointer(key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from repeated_keys(item, f"{at}/{place}")


def problems_in(value: Any, kind: Any, at: str = "") -> Iterator[Problem]:
    """What forbids that a value of a tree is of a type."""
    if isinstance(value, (dict, list)) and _fits(value, kind):
        yield from repeated_keys(value, at)
        return
    bare = _bare(kind)
    if get_origin(bare) in (Union, types.UnionType):
        members = get_args(bare)
        if value is None and type(None) in members:
            return
        structs = [member for member in members if _is_struct(member)]
        arrays = [member for member in members if get_origin(_bare(member)) is tuple]
        if structs and isinstance(value, dict):
            yield from _one_of(value, structs, at)
        elif arrays and isinstance(value, list):
            yield from problems_in(value, arrays[0], at)
        else:
            yield from _leaf(value, kind, at)
    elif _is_struct(bare) and isinstance(value, dict):
        yield from _fields(value, bare, at)
    elif get_origin(bare) is tuple and isinstance(value, list):
        yield from _items(value, kind, get_args(bare), at)
    else:
        yield from _leaf(value, kind, at)


def _fits(value: Any, kind: Any) -> bool:
    """Whether there is nothing to look for; msgspec knows it much sooner than a walk."""
    try:
        msgspec.convert(value, kind, dec_hook=W.decode_custom)
    except msgspec.ValidationError:
        return False
    return True


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _one_of(value: dict[str, Any], structs: list[Any], at: str) -> Iterator[Problem]:
    """The problems with an object that is of one class of several; its tag says of which."""
    if len(structs) == 1:
        yield from _fields(value, structs[0], at)
        return
    tags = {struct.__struct_config__.tag: struct for struct in structs}
    key = structs[0].__struct_config__.tag_field
    if key not in value:
        yield Problem("missing-key", (at + pointer(key),), "the key is missing")
    elif isinstance(value[key], str) and value[key] in tags:
        yield from _fields(value, tags[value[key]], at)
    else:
        yield from _leaf(value[key], Literal[tuple(tags)], at + pointer(key))


def _fields(value: dict[str, Any], struct: Any, at: str) -> Iterator[Problem]:
    config = struct.__struct_config__
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    for name, field in fields.items():
        if name in value:
            yield from problems_in(value[name], field.type, at + pointer(name))
        elif field.required:
            yield Problem("missing-key", (at + pointer(name),), "the key is missing")
    for key in value:
        if key not in fields and key != config.tag_field:
            yield Problem("unknown-key", (at + pointer(key[:_LONGEST]),), "no such key is known here")
    yield from (
        Problem("repeated-key", (at + pointer(key[:_LONGEST]),), "the key comes more than once")
        for key in dict.fromkeys(getattr(value, "repeated", ()))
    )


def _items(value: list[Any], kind: Any, args: tuple[Any, ...], at: str) -> Iterator[Problem]:
    if args[-1] is Ellipsis:
        if get_origin(kind) is Annotated:
            wrong_length = list(_leaf(value, Annotated[tuple[Any, ...], *kind.__metadata__], at))
            yield from wrong_length
            if wrong_length:
                return
        for place, item in enumerate(value):
            yield from problems_in(item, args[0], f"{at}/{place}")
    elif len(value) != len(args):
        yield from _leaf(value, kind, at)
    else:
        for place, (item, each) in enumerate(zip(value, args, strict=True)):
            yield from problems_in(item, each, f"{at}/{place}")


def _leaf(value: Any, kind: Any, at: str) -> Iterator[Problem]:
    try:
        msgspec.convert(value, kind, dec_hook=W.decode_custom)
    except msgspec.ValidationError as error:
        yield problem_of(error, at)


def problem_of(error: msgspec.ValidationError, at: str = "") -> Problem:
    """The problem that msgspec has found, and where."""
    message, _, path = str(error).partition(" - at `$")
    place = at + path.rstrip("`").replace(".", "/").replace("[", "/").replace("]", "")
    if message.startswith("Invalid"):
        code = "foreign-value"
    elif ", got `" in message:
        code = "wrong-type"
    else:
        code = "out-of-range"
    return _problem(code, place, _short(message))


def _problem(code: str, place: str, message: str) -> Problem:
    return Problem(code, (place,), message)


def said(error: Exception) -> str:
    """Why a document is no JSON."""
    return "the document is no Unicode" if isinstance(error, UnicodeError) else _short(str(error))


def _short(message: str) -> str:
    return message if len(message) <= _LONGEST else message[:_LONGEST] + "..."
