"""How an operation is declared: a function of typed arguments, from which everything else about it follows.

The arguments are keyword-only, each with its type and a sentence. A type that has a document is read by
`heartsrules.formats.wire.from_json`, any other by `read_part`; an argument with a default may be left out. The function
returns a `Result`, whose fields are documents as they are written, or numbers and texts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import attrs

from heartsrules.base.extras import needs

with needs("json", "serving"):
    import msgspec

from heartsrules.base.errors import InvalidWire, Problem
from heartsrules.formats.wire import from_json
from heartsrules.formats.wire.parts import document_type, part_schema, placed_at, pointer, read_part
from heartsrules.play.events import Event
from heartsrules.play.game import Record
from heartsrules.play.moves import Deal, Move
from heartsrules.play.state import AwaitingDeal, State
from heartsrules.rules import Rules
from heartsrules.views import View

__all__ = ["Argument", "Operation", "Result", "declare"]


class Result(msgspec.Struct, frozen=True):
    """The base of what operations return."""


_COMPONENTS: Final[dict[Any, str]] = {
    Rules: "Rules",
    State: "State",
    AwaitingDeal: "AwaitingDealDocument",
    Move: "Move",
    Deal: "DealDocument",
    View: "View",
    tuple[Event, ...]: "Events",
    Record: "Record",
}
"""The types that have documents, with the names of their schemas."""


@attrs.frozen
class Argument:
    """One key of a request."""

    name: str
    kind: Any
    """A type that has a document, or a type of `read_part`."""
    sentence: str
    default: Any
    """What it is when it is left out."""
    required: bool

    @property
    def component(self) -> str | None:
        """The name of the schema of its document; None: it is not a document."""
        return _COMPONENTS.get(self.kind)

    def read(self, data: bytes) -> Any:
        """The value.

        Raises:
            InvalidWire: it cannot be read, or is refused; the places begin with this key.
        """
        try:
            if self.component is None:
                return read_part(data, self.kind)
            return from_json(data, self.kind, max_bytes=len(data))
        except InvalidWire as error:
            raise InvalidWire(placed_at(self.name, error.problems)) from None

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        if self.component is not None:
            (schema,), _ = msgspec.json.schema_components([document_type(self.component)])
        else:
            schema = part_schema(self.kind)
            if not self.required and self.default is not None:
                schema = {**schema, "default": self.default}
        return {**schema, "description": self.sentence}


@attrs.frozen
class Operation:
    """What can be asked for."""

    name: str
    sentence: str
    """What it does, in one sentence."""
    notes: str
    """What else is to be known; may be empty."""
    arguments: Mapping[str, Argument]
    result: type[Result]
    run: Callable[..., Result]
    one_of: tuple[str, ...]
    """Arguments of which exactly one must be given."""
    not_both: tuple[str, ...]
    """Arguments of which at most one may be given."""
    places: Mapping[str, str]
    """Where in a request stands what problems of the library call by another name; `""` is for all others."""
    example: Callable[[], dict[str, Any]]
    """The arguments of an example, as they are before they are written."""

    @property
    def title(self) -> str:
        """Its name as that of a type: `LegalMoves`."""
        return "".join([word.capitalize() for word in self.name.split("-")])

    def problems_of_keys(self, keys: Iterable[str]) -> list[Problem]:
        """What is wrong with the keys of a request, its values aside."""
        given = list(keys)
        problems = [
            Problem.of("unknown-key", (pointer(key[:_LONGEST]),), "operation", operation=self.name)
            for key in given
            if key not in self.arguments
        ]
        problems += [
            Problem.of("missing-key", (f"/{name}",))
            for name, argument in self.arguments.items()
            if argument.required and name not in given
        ]
        told = [name for name in self.one_of if name in given]
        if self.one_of and not told:
            problems.append(Problem.of("missing-key", (f"/{self.one_of[0]}",), "one-of", names=self.one_of))
        if len(told) > 1:
            problems.append(Problem.of("excluded-key", (f"/{told[1]}",), names=self.one_of))
        if self.not_both and all([name in given for name in self.not_both]):
            problems.append(Problem.of("excluded-key", (f"/{self.not_both[1]}",), names=self.not_both))
        return problems

    def place(self, field: str) -> str:
        """Where in a request stands what a problem of the library calls a field, such as `captured[2]`."""
        path = field.replace("[", "/").replace("]", "").replace(".", "/")
        head, slash, rest = path.partition("/")
        if head in self.places:
            return f"{self.places[head]}{slash}{rest}"
        return f"/{path}" if head in self.arguments else self.places.get("", "")

    def request_schema(self) -> dict[str, Any]:
        """The JSON Schema of a request over HTTP, where the path may say the operation alone."""
        keys = {name: argument.schema() for name, argument in self.arguments.items()}
        needed = [name for name, argument in self.arguments.items() if argument.required]
        schema: dict[str, Any] = {
            "title": f"{self.title}Request",
            "description": self.sentence,
            "type": "object",
            "properties": {
                "id": {"description": "Anything; the answer has it too."},
                "op": {"const": self.name, "description": "The operation; over HTTP it may be left out."},
                **keys,
            },
            "required": needed,
            "additionalProperties": False,
        }
        if self.one_of:
            schema["oneOf"] = [{"required": [name]} for name in self.one_of]
        if self.not_both:
            schema["not"] = {"required": list(self.not_both)}
        return schema


_LONGEST: Final = 200


def declare(
    name: str,
    example: Callable[[], dict[str, Any]],
    *,
    one_of: tuple[str, ...] = (),
    not_both: tuple[str, ...] = (),
    places: Mapping[str, str] | None = None,
) -> Callable[[Callable[..., Result]], Operation]:
    """Make an operation of a function: its docstring says what it does, its annotations what it takes and returns."""

    def make(run: Callable[..., Result]) -> Operation:
        hints = get_type_hints(run, include_extras=True)
        said = inspect.cleandoc(run.__doc__ or "")
        sentence, _, notes = said.partition("\n\n")
        arguments = {
            each.name: _argument(each, hints[each.name]) for each in inspect.signature(run).parameters.values()
        }
        return Operation(
            name=name,
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
    """The type that has a document, of one that is that or None; any other type as it is."""
    if get_origin(kind) in (Union, UnionType):
        bare = tuple([part for part in get_args(kind) if part is not type(None)])
        for known in _COMPONENTS:
            if bare == (get_args(known) if isinstance(known, UnionType) else (known,)):
                return known
    return kind
