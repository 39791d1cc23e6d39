"""Declarations of operations, the source of decoding, schemas and the reference.

An operation is a typed function. Its arguments are keyword-only, each annotated with its type and a description. A type
with a document is decoded by `heartsrules.formats.wire.from_json`, any other by `read_part`; an argument with a default
is optional. The function returns a `Result`, whose fields are encoded documents, numbers and texts.
"""

from __future__ import annotations

import contextlib
import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import attrs

from heartsrules.base.extras import needs

with needs("json", "serving"):
    import msgspec

from heartsrules.base.errors import InvalidWire, Problem, near_names
from heartsrules.formats.wire import from_json
from heartsrules.formats.wire.parts import Json, component, part_schema, placed_at, pointer, read_part
from heartsrules.play.events import Event
from heartsrules.play.game import Record
from heartsrules.play.moves import Deal, Move
from heartsrules.play.state import AwaitingDeal, State
from heartsrules.rules import Rules
from heartsrules.views import View


class Result(msgspec.Struct, frozen=True):
    """The base of the results of operations."""


_COMPONENTS: Final[dict[Any, str]] = {
    Rules: "RulesDocument",
    State: "State",
    AwaitingDeal: "AwaitingDealDocument",
    Move: "Move",
    Deal: "DealDocument",
    View: "View",
    tuple[Event, ...]: "EventsDocument",
    Record: "RecordDocument",
}


@contextlib.contextmanager
def under_key(key: str) -> Iterator[None]:
    """Begin the places of problems with a key of the request."""
    try:
        yield
    except InvalidWire as error:
        raise InvalidWire(placed_at(key, error.problems)) from None


@attrs.frozen
class Argument:
    """An argument of an operation, and a key of its requests."""

    name: str
    kind: Any
    """A type with a document, or one for `read_part`."""
    sentence: str
    default: Any
    required: bool

    @property
    def component(self) -> str | None:
        """The schema name of its document, or None without one."""
        return _COMPONENTS.get(self.kind)

    def read(self, data: bytes) -> Any:
        """Decode the value, or raise `InvalidWire` with places that begin with this key."""
        with under_key(self.name):
            if self.component is None:
                return read_part(data, self.kind)
            return from_json(data, self.kind, max_bytes=len(data))

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        if self.component is not None:
            schema = part_schema(Annotated[Json, component(self.component)])
        else:
            schema = part_schema(self.kind)
            if not self.required and self.default is not None:
                schema = {**schema, "default": self.default}
        default = f" By default {json.dumps(schema['default'])}." if "default" in schema else ""
        return {**schema, "description": f"{self.sentence}{default}"}


@attrs.frozen
class Operation:
    """An operation of the protocol."""

    name: str
    sentence: str
    """A summary in one sentence."""
    notes: str
    """Further paragraphs, if needed."""
    arguments: Mapping[str, Argument]
    result: type[Result]
    run: Callable[..., Result]
    one_of: tuple[str, ...]
    """Arguments of which exactly one must be given."""
    not_both: tuple[str, ...]
    """Arguments of which at most one may be given."""
    places: Mapping[str, str]
    """JSON pointers into a request for fields of the library's problems, with `""` for all others."""
    example: Callable[[], dict[str, Any]]
    """A function that returns the arguments of an example, not yet encoded."""

    @property
    def title(self) -> str:
        """The name in camel case, such as `LegalMoves`."""
        return "".join([word.capitalize() for word in self.name.split("-")])

    def problems_of_keys(self, keys: Iterable[str]) -> list[Problem]:
        """Check the keys of a request, but not their values."""
        given = list(keys)
        problems = [
            wrong_name("unknown-key", pointer(key[:_LONGEST]), key, self.arguments, "operation", operation=self.name)
            for key in given
            if key not in self.arguments
        ]
        problems += [
            Problem.of("missing-key", (f"/{name}",))
            for name, argument in self.arguments.items()
            if argument.required and name not in given
        ]
        chosen = [name for name in self.one_of if name in given]
        if self.one_of and not chosen:
            problems.append(Problem.of("missing-key", (f"/{self.one_of[0]}",), "one-of", names=self.one_of))
        if len(chosen) > 1:
            problems.append(Problem.of("excluded-key", (f"/{chosen[1]}",), names=self.one_of))
        if self.not_both and all([name in given for name in self.not_both]):
            problems.append(Problem.of("excluded-key", (f"/{self.not_both[1]}",), names=self.not_both))
        return problems

    def place(self, field: str) -> str:
        """Convert a problem's field, such as `captured[2]`, to a JSON pointer."""
        path = field.replace("[", "/").replace("]", "").replace(".", "/")
        head, slash, rest = path.partition("/")
        if head in self.places:
            return f"{self.places[head]}{slash}{rest}"
        return f"/{path}" if head in self.arguments else self.places.get("", "")

    def request_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a request over HTTP, where `op` is optional."""
        about = {"title": f"{self.title}Request", "description": self.sentence}
        if self.one_of:
            # Code generators do not understand `properties` next to `oneOf`.
            variants = [self._variant(name) for name in self.one_of]
            return {**about, "oneOf": variants}
        schema = {**about, **self._object(self.arguments)}
        if self.not_both:
            schema["not"] = {"required": list(self.not_both), "properties": {key: {} for key in self.not_both}}
        return schema

    def _variant(self, chosen: str) -> dict[str, Any]:
        names = [name for name in self.arguments if name == chosen or name not in self.one_of]
        schema = self._object(names)
        schema["required"].append(chosen)
        return {"title": f"{self.title}RequestBy{chosen.capitalize()}", **schema}

    def _object(self, names: Iterable[str]) -> dict[str, Any]:
        arguments = [self.arguments[name] for name in names]
        return {
            "type": "object",
            "properties": {
                "id": {"description": "Anything; the answer has it too."},
                "op": {"const": self.name, "description": "The operation; over HTTP it may be left out."},
                "language": {"type": "string", "description": "The language of sentences, such as `de-AT`."},
                **{argument.name: argument.schema() for argument in arguments},
            },
            "required": [argument.name for argument in arguments if argument.required],
            "additionalProperties": False,
        }


def wrong_name(code: str, place: str, name: str, known: Iterable[str], detail: str, **params: str) -> Problem:
    """Make the problem of an unknown name, with the known ones that are near it."""
    near = tuple(near_names(name, [*known]))
    if near:
        return Problem.of(code, (place,), f"{detail}-near", near=near, **params)
    return Problem.of(code, (place,), detail, **params)


_LONGEST: Final = 200


def declare(
    example: Callable[[], dict[str, Any]],
    *,
    one_of: tuple[str, ...] = (),
    not_both: tuple[str, ...] = (),
    places: Mapping[str, str] | None = None,
) -> Callable[[Callable[..., Result]], Operation]:
    """Turn a function into an operation with its name, docstring and annotations."""

    def make(run: Callable[..., Result]) -> Operation:
        hints = get_type_hints(run, include_extras=True)
        text = inspect.cleandoc(run.__doc__ or "")
        sentence, _, notes = text.partition("\n\n")
        arguments = {
            each.name: _argument(each, hints[each.name]) for each in inspect.signature(run).parameters.values()
        }
        return Operation(
            name=run.__name__.strip("_").replace("_", "-"),
            sentence=" ".join(sentence.split()),
            notes=notes,
            arguments=arguments,
            result=hints["return"],
            run=run,
            one_of=one_of,
            not_both=not_both,
            places=places or {},
            example=example,
        )

    return make


def _argument(parameter: inspect.Parameter, hint: Any) -> Argument:
    kind, sentence = hint.__origin__, hint.__metadata__[-1]
    if len(hint.__metadata__) > 1:
        kind = Annotated[(kind, *hint.__metadata__[:-1])]
    required = parameter.default is inspect.Parameter.empty
    default = None if required else parameter.default
    if not required and default is None:
        kind = _documented(kind)
    return Argument(parameter.name, kind, sentence, default, required)


def _documented(kind: Any) -> Any:
    if get_origin(kind) in (Union, UnionType):
        bare = tuple([part for part in get_args(kind) if part is not type(None)])
        for each in _COMPONENTS:
            if bare == (get_args(each) if isinstance(each, UnionType) else (each,)):
                return each
    return kind
