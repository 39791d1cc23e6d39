"""Everything that is wrong with the types of a document, each with its place.

msgspec stops at the first problem, and of a key that comes twice it takes the last. So a document that it refuses is
walked through once more, and one that is not spelled as we spell it is searched for repeated keys.
"""

from __future__ import annotations

import enum
import json
import re
import types
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from heartsrules.base.errors import MAX_PROBLEMS, Problem
from heartsrules.formats.wire._convert import pointer
from heartsrules.formats.wire._texts import NotCards, decode_custom
from heartsrules.formats.wire._types import MAX_INTEGER

_LONGEST: Final = 200
TOO_DEEP: Final = Problem.of("too-deep", ("",))


class _Object(dict[str, Any]):
    """A JSON object with the list of its repeated keys."""

    repeated: tuple[str, ...] = ()


class Tree:
    """A parsed document that remembers repeated keys."""

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
        """A problem for each repeated key of an object."""
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
    """The first problems, as many as an error carries."""
    return tuple(islice(problems, MAX_PROBLEMS))


def explained(data: bytes | str, kind: Any, first: msgspec.ValidationError) -> tuple[Problem, ...]:
    """All problems of a text that msgspec has refused to read as a type."""
    try:
        msgspec.json.decode(data)
        tree = Tree(data)
        return some(chain(problems_in(tree.value, kind), tree.repeated_keys()))
    except msgspec.ValidationError:
        # A number that nothing can hold: there is no tree to look for more in.
        return (problem_of(first),)
    except (msgspec.DecodeError, UnicodeError) as error:
        return (malformed(error, data),)
    except RecursionError:
        return (TOO_DEEP,)


def problems_in(value: Any, kind: Any, at: str = "") -> Iterator[Problem]:
    """The problems of a value that should be of a type."""
    bare = _bare(kind)
    members = list(_members(kind))
    if bare is msgspec.Raw:
        return  # it is left as it stands
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
    """The members of a union, nested ones included; of any other type, itself."""
    bare = _bare(kind)
    if get_origin(bare) in (Union, types.UnionType):
        for member in get_args(bare):
            yield from _members(member)
    else:
        yield kind


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _one_of(value: dict[str, Any], structs: list[Any], at: str) -> Iterator[Problem]:
    """The problems of an object of a tagged union."""
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


_fields_of: Final = cache(msgspec.structs.fields)


def _fields(value: dict[str, Any], struct: Any, at: str) -> Iterator[Problem]:
    config = struct.__struct_config__
    fields = {field.name: field for field in _fields_of(struct)}
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
    """The problems of an array's items; msgspec finds the next wrong one much faster than a walk."""
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
    """The first error of msgspec, if any."""
    try:
        msgspec.convert(value, kind, dec_hook=decode_custom)
    except msgspec.ValidationError as error:
        return error
    return None


_FIRST_PLACE: Final = re.compile(r" - at `\$\[([0-9]+)\]")


def _leaf(value: Any, kind: Any, at: str) -> Iterator[Problem]:
    error = _first_wrong(value, kind)
    if error is not None:
        yield problem_of(error, at, value, kind)


def problem_of(error: msgspec.ValidationError, at: str = "", value: Any = None, kind: Any = Any) -> Problem:
    """The problem of an error of msgspec, with its place.

    Args:
        error: what it says.
        at: the place of the value.
        value: the value, if it is known.
        kind: the type that it should be of, which says what is possible instead.
    """
    message, _, path = str(error).partition(" - at `$")
    place = at + path.rstrip("`").replace(".", "/").replace("[", "/").replace("]", "")
    cause = error.__cause__
    if isinstance(cause, NotCards):
        return Problem("foreign-value", (place,), cause.params, cause.detail)
    if message in _TOO_LARGE:
        return Problem.of("out-of-range", (place,), "huge", most=MAX_INTEGER)
    match = _WRONG_TYPE.fullmatch(message)
    if match is not None:
        return Problem.of("wrong-type", (place,), expected=match[1].replace(" | ", "-or-"), found=match[2])
    if not path.rstrip("`"):
        if _FOREIGN.match(message) is not None:
            choices = _choices(kind)
            told = "number" if isinstance(value, int) else "text"
            if choices:
                return Problem.of("foreign-value", (place,), told, value=_cut_short(value), choices=choices)
        elif _BOUND.fullmatch(message) is not None and isinstance(value, int):
            least, most = _range(kind)
            return Problem.of("out-of-range", (place,), "bound", value=value, least=least, most=most)
        elif isinstance(value, (str, list)):
            match = _SIZE.fullmatch(message)
            if match is not None:
                limit = {"what": match[1], "relation": _RELATIONS[match[2]], "bound": int(match[3])}
                return Problem.of("out-of-range", (place,), "size", found=len(value), **limit)
            match = _EXACT_SIZE.fullmatch(message)
            if match is not None:
                return Problem.of("out-of-range", (place,), "exact-size", found=len(value), length=int(match[1]))
    return Problem.of("out-of-range", (place,), "value", reason=_short(message))


_TOO_LARGE: Final = ("Integer value out of range", "Number out of range")
_WRONG_TYPE: Final = re.compile("Expected `([^`]*)`, got `([^`]*)`")
_FOREIGN: Final = re.compile("Invalid (?:enum )?value ")
_BOUND: Final = re.compile("Expected `int` [<>]= -?[0-9]+")
_SIZE: Final = re.compile(r"Expected `(\w+)` of length ([<>]=) ([0-9]+)")
_EXACT_SIZE: Final = re.compile(r"Expected `\w+` of length ([0-9]+), got [0-9]+")
_RELATIONS: Final = {">=": "at-least", "<=": "at-most"}


def _choices(kind: Any) -> tuple[object, ...]:
    """The values of an enumerated type."""
    found: list[object] = []
    nothing: list[object] = []
    for member in _members(kind):
        bare = _bare(member)
        if get_origin(bare) is Literal:
            found += get_args(bare)
        elif isinstance(bare, type) and issubclass(bare, enum.Enum):
            found += [each.value for each in bare]
        elif bare is type(None):
            nothing = ["null"]
    return (*found, *nothing) if found else ()


def _range(kind: Any) -> tuple[int, int]:
    """The least and the largest integer of a type."""
    least, most = -MAX_INTEGER, MAX_INTEGER
    for member in _members(kind):
        for meta in get_args(member)[1:] if get_origin(member) is Annotated else ():
            if isinstance(meta, msgspec.Meta):
                least = least if meta.ge is None else int(meta.ge)
                most = most if meta.le is None else int(meta.le)
    return least, most


def _cut_short(value: Any) -> Any:
    return _short(value) if isinstance(value, str) else value


def malformed(error: Exception, data: bytes | str) -> Problem:
    """The problem of a document that is not JSON, or not Unicode."""
    if isinstance(error, UnicodeError):
        return Problem.of("malformed", ("",), "unicode")
    told = str(error)
    text = data if isinstance(data, bytes) else data.encode()
    if "truncated" in told:
        return _unfinished(text)
    # msgspec calls it the end of a hex escape in what it skips.
    if "surrogate" in told or ("end of hex escape" in told and _lone_surrogates(text)):
        return _lone_surrogate(text)
    match = _MALFORMED.fullmatch(told)
    if match is None:
        # What was a UnicodeError before msgspec 0.23 has words of its own.
        return Problem.of("malformed", ("",)) if _is_unicode(text) else Problem.of("malformed", ("",), "unicode")
    reason, byte = match[1], int(match[2])
    expected = tuple(re.findall(r"'.'", reason))
    if reason.startswith("expected ") and expected:
        return Problem.of("malformed", ("",), "expected", expected=expected, byte=byte)
    return Problem.of("malformed", ("",), "json", reason=reason.replace(" ", "-"), byte=byte)


def _is_unicode(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _unfinished(data: bytes) -> Problem:
    """The problem of a document whose last token is too short for msgspec.

    The document ends there, or the token is wrong: half of a surrogate pair, or no literal.
    """
    text = data.decode(errors="ignore")  # the last character may be cut
    try:
        json.loads(text, parse_int=len, parse_float=len)
    except json.JSONDecodeError as error:
        rest = text[error.pos :].rstrip()
        if not (_CUT_TEXT.match(error.msg + text[-6:]) or any([word.startswith(rest) for word in _LITERALS])):
            byte = len(text[: error.pos].encode())
            return Problem.of("malformed", ("",), "json", reason="invalid-character", byte=byte)
    except RecursionError:
        pass
    else:
        return _lone_surrogate(data)
    return Problem.of("malformed", ("",), "truncated")


def _lone_surrogates(data: bytes) -> list[int]:
    return [match.start() for match in _ESCAPE.finditer(data) if match[1]]


def _lone_surrogate(data: bytes) -> Problem:
    lone = _lone_surrogates(data)
    return Problem.of("malformed", ("",), "surrogate", byte=lone[0]) if lone else Problem.of("malformed", ("",))


_LITERALS: Final = ("true", "false", "null")
_CUT_TEXT: Final = re.compile(r"Unterminated string|Invalid \\uXXXX escape.*\\u[0-9a-fA-F]{0,4}\Z", re.DOTALL)
_ESCAPE: Final = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
"""An escape in a text, or a pair of surrogates; the group is there for a lone one."""
_MALFORMED: Final = re.compile(r"JSON is malformed: (.*) \(byte ([0-9]+)\)")


def _short(message: str) -> str:
    return message if len(message) <= _LONGEST else message[:_LONGEST] + "..."
