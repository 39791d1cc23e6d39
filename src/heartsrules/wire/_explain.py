"""Everything that is wrong with the types of a document, each with its place.

msgspec stops at the first problem, and of a key that comes twice it takes the last. So a document that it refuses is
walked through once more, and one that is not spelled as we spell it is searched for repeated keys.
"""

from __future__ import annotations

import json
import re
import types
from ast import literal_eval
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import attrs
import msgspec

from heartsrules.errors import MAX_PROBLEMS, Problem
from heartsrules.wire._convert import pointer
from heartsrules.wire._texts import NotCards, decode_custom

_LONGEST: Final = 200
TOO_DEEP: Final = Problem.of("too-deep", ("",))


class _Object(dict[str, Any]):
    """A JSON object that remembers which of its keys came more than once."""

    repeated: tuple[str, ...] = ()


class Tree:
    """The values of a well-formed document."""

    def __init__(self, text: bytes | str) -> None:
        self.has_repeated_keys = False
        self.value: Final = json.loads(text, object_pairs_hook=self._object)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        self.has_repeated_keys = True
        kept = _Object(found)
        seen: set[str] = set()
        repeated: dict[str, None] = {}
        for key, _ in pairs:
            if key in seen:
                repeated[key] = None
            seen.add(key)
        kept.repeated = tuple(repeated)
        return kept

    def repeated_keys(self) -> Iterator[Problem]:
        """The keys that come more than once in one object."""
        return _repeated_keys(self.value, "") if self.has_repeated_keys else iter(())


def _repeated_keys(value: Any, at: str) -> Iterator[Problem]:
    if isinstance(value, dict):
        for key in getattr(value, "repeated", ()):
            yield Problem.of("repeated-key", (at + pointer(key[:_LONGEST]),))
        for key, item in value.items():
            if isinstance(item, (dict, list)):
                yield from _repeated_keys(item, at + pointer(key[:_LONGEST]))
    else:
        for place, item in enumerate(value):
            if isinstance(item, (dict, list)):
                yield from _repeated_keys(item, f"{at}/{place}")


def some(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """As many problems as an error carries."""
    return tuple(islice(problems, MAX_PROBLEMS))


def explained(data: bytes | str, kind: Any, first: msgspec.ValidationError) -> tuple[Problem, ...]:
    """All that is wrong with a text that should be of a type, in which msgspec has found a first problem."""
    try:
        msgspec.json.decode(data)
        tree = Tree(data)
        return some(chain(problems_in(tree.value, kind), tree.repeated_keys()))
    except msgspec.ValidationError:
        # A number that nothing can hold: there is no tree to look for more in.
        return (problem_of(first),)
    except (msgspec.DecodeError, UnicodeError) as error:
        return (malformed(error),)
    except RecursionError:
        return (TOO_DEEP,)


def problems_in(value: Any, kind: Any, at: str = "") -> Iterator[Problem]:
    """Why a value of a tree is not of a type: nothing if it is."""
    bare = _bare(kind)
    members = list(_members(kind))
    if len(members) > 1:
        if value is None and type(None) in members:
            return
        structs = [_bare(member) for member in members if _is_struct(_bare(member))]
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


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _members(kind: Any) -> Iterator[Any]:
    """The types of a union, also of one that is annotated within another; of any other type, itself."""
    bare = _bare(kind)
    if get_origin(bare) in (Union, types.UnionType):
        for member in get_args(bare):
            yield from _members(member)
    else:
        yield kind


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
        yield Problem.of("missing-key", (at + pointer(key),))
    elif isinstance(value[key], str) and value[key] in tags:
        yield from _fields(value, tags[value[key]], at)
    else:
        yield from _leaf(value[key], Literal[tuple(tags)], at + pointer(key))


def _fields(value: dict[str, Any], struct: Any, at: str) -> Iterator[Problem]:
    config = struct.__struct_config__
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    for name, field in fields.items():
        if name in value:
            if _first_wrong(value[name], field.type) is not None:
                yield from problems_in(value[name], field.type, at + pointer(name))
        elif field.required:
            yield Problem.of("missing-key", (at + pointer(name),))
    for key in value:
        if key not in fields and key != config.tag_field:
            yield Problem.of("unknown-key", (at + pointer(key[:_LONGEST]),))


def _items(value: list[Any], kind: Any, args: tuple[Any, ...], at: str) -> Iterator[Problem]:
    if args[-1] is Ellipsis:
        if get_origin(kind) is Annotated:
            wrong_length = list(_leaf(value, Annotated[tuple[Any, ...], *kind.__metadata__], at))
            yield from wrong_length
            if wrong_length:
                return
        yield from _elements(value, args[0], at)
    elif len(value) != len(args):
        yield from _leaf(value, kind, at)
    else:
        for place, (item, each) in enumerate(zip(value, args, strict=True)):
            yield from problems_in(item, each, f"{at}/{place}")


def _elements(value: list[Any], kind: Any, at: str) -> Iterator[Problem]:
    """The problems with the items of an array; msgspec finds the next wrong one much sooner than a walk."""
    place = 0
    while place < len(value):
        first = _first_wrong(value[place:] if place else value, tuple[kind, ...])
        if first is None:
            return
        number = _FIRST_PLACE.search(str(first))
        if number is None:
            yield problem_of(first, at)
            return
        place += int(number[1])
        yield from problems_in(value[place], kind, f"{at}/{place}")
        place += 1


def _first_wrong(value: Any, kind: Any) -> msgspec.ValidationError | None:
    """What msgspec finds wrong first, if anything."""
    try:
        msgspec.convert(value, kind, dec_hook=decode_custom)
    except msgspec.ValidationError as error:
        return error
    return None


_FIRST_PLACE: Final = re.compile(r" - at `\$\[([0-9]+)\]")


def _leaf(value: Any, kind: Any, at: str) -> Iterator[Problem]:
    error = _first_wrong(value, kind)
    if error is not None:
        yield problem_of(error, at)


def problem_of(error: msgspec.ValidationError, at: str = "") -> Problem:
    """The problem that msgspec has found, and where."""
    message, _, path = str(error).partition(" - at `$")
    place = at + path.rstrip("`").replace(".", "/").replace("[", "/").replace("]", "")
    cause = error.__cause__
    if isinstance(cause, NotCards):
        return Problem("foreign-value", (place,), cause.params, cause.detail)
    for pattern, problem in _FOUND:
        match = pattern.fullmatch(message)
        if match is not None:
            params = tuple([(name, _datum(name, told)) for name, told in match.groupdict().items()])
            return attrs.evolve(problem, fields=(place,), params=params)
    return Problem.of("out-of-range", (place,), "value", reason=_short(message))


_FOUND: Final = tuple(
    [
        (re.compile(pattern, re.DOTALL), problem)
        for pattern, problem in (
            (r"Expected `(?P<expected>[^`]*)`, got `(?P<found>[^`]*)`", Problem("wrong-type", ())),
            (r"Invalid (?:enum )?value (?P<value>-?[0-9]+)", Problem("foreign-value", (), (), "number")),
            (r"Invalid (?:enum )?value (?P<value>.*)", Problem("foreign-value", (), (), "text")),
            (
                r"Expected `(?P<expected>\w+)` (?P<relation>[<>]=) (?P<bound>-?[0-9]+)",
                Problem("out-of-range", (), (), "bound"),
            ),
            (
                r"Expected `(?P<expected>\w+)` of length (?P<relation>[<>]=) (?P<bound>[0-9]+)",
                Problem("out-of-range", (), (), "size"),
            ),
            (
                r"Expected `(?P<expected>\w+)` of length (?P<length>[0-9]+), got (?P<found>[0-9]+)",
                Problem("out-of-range", (), (), "exact-size"),
            ),
            (r"Integer value out of range|Number out of range", Problem("out-of-range", (), (), "huge")),
        )
    ]
)
"""What msgspec says of values, with the names of its parts, and the problem without its place and parameters."""


def _datum(name: str, told: str) -> object:
    """A part of what msgspec says, as the parameter of that name."""
    if told.isdecimal() or told.removeprefix("-").isdecimal():
        return int(told) if len(told) <= _LONGEST else _short(told)
    if name == "value":
        try:
            told = str(literal_eval(told))
        except (ValueError, SyntaxError):  # in quotes, but not as Python writes it
            told = told.strip("'")
    return _short(told)


def malformed(error: Exception) -> Problem:
    """The problem with a document that is not JSON, or not Unicode."""
    if isinstance(error, UnicodeError):
        return Problem.of("malformed", ("",), "unicode")
    told = str(error)
    if "truncated" in told:
        return Problem.of("malformed", ("",), "truncated")
    match = _MALFORMED.fullmatch(told)
    if match is None:
        return Problem.of("malformed", ("",))
    reason, byte = match[1], int(match[2])
    expected = tuple(re.findall(r"'.'", reason))
    if reason.startswith("expected ") and expected:
        return Problem.of("malformed", ("",), "expected", expected=expected, byte=byte)
    return Problem.of("malformed", ("",), "json", reason=reason.replace(" ", "-"), byte=byte)


_MALFORMED: Final = re.compile(r"JSON is malformed: (.*) \(byte ([0-9]+)\)")


def _short(message: str) -> str:
    return message if len(message) <= _LONGEST else message[:_LONGEST] + "..."
