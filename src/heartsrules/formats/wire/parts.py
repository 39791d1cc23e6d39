"""The parts of protocols around documents, read just as strictly.

`object_parts` splits an object into its values, `read_part` reads a value that is not a document, and `placed_at` moves
a part's problems to their places in the whole. `component_schemas` describes all documents together, for OpenAPI.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias, get_type_hints

import attrs
import msgspec

from heartsrules.base.errors import InvalidWire, Problem
from heartsrules.cards import Cards
from heartsrules.formats.wire import _convert as C
from heartsrules.formats.wire import _types as W
from heartsrules.formats.wire._convert import pointer, spoken_language, told, written_in
from heartsrules.formats.wire._explain import ENCODER, decoded
from heartsrules.formats.wire._texts import decode_custom, encode_custom
from heartsrules.play.events import Event
from heartsrules.play.moves import Move
from heartsrules.play.violations import Violation
from heartsrules.rules import Rules
from heartsrules.views import View

__all__ = [
    "PROBLEM_DETAIL",
    "PROBLEM_PARAMS",
    "AnyEvent",
    "AnyMove",
    "Arguments",
    "Bags",
    "Count",
    "Integer",
    "Json",
    "SeatNumber",
    "component",
    "component_schemas",
    "document_types",
    "object_parts",
    "option_json",
    "part_schema",
    "placed_at",
    "pointer",
    "problem_params",
    "read_options",
    "read_part",
    "read_run_part",
    "rules_in_full",
    "spoken_language",
    "told",
    "view_parts",
    "views_without",
    "violation_data",
    "wire_parts",
    "write_part",
    "write_run_part",
    "written_in",
]
__dir__ = __all__.copy

PROBLEM_PARAMS: Final = W.PROBLEM_PARAMS
"""The description of a problem's parameters in schemas."""
PROBLEM_DETAIL: Final = W.PROBLEM_DETAIL
"""The description of a problem's detail in schemas."""
Arguments: TypeAlias = W.Arguments
"""The arguments of a message's pattern, by name."""
Json: TypeAlias = msgspec.Raw
"""A value as JSON text."""
Integer: TypeAlias = W.Integer
"""An int within ±(2**53 - 1)."""
Count: TypeAlias = W.Count
"""An int from 0 to 2**53 - 1."""
SeatNumber: TypeAlias = W.SeatNumber
"""An int from 0 to 10."""
Bags: TypeAlias = tuple[Cards, ...]
"""Cards as texts."""
AnyEvent: TypeAlias = W.AnyEvent
"""An event, as an object of JSON."""
AnyMove: TypeAlias = W.AnyMove
"""A move, as an object of JSON."""

_COMPONENT: Final = "#/components/schemas/{name}"
_PARTS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


def object_parts(data: bytes) -> dict[str, bytes]:
    """Split an object into its values as JSON texts, by key.

    >>> object_parts(b'{"id": 7, "cards": ["QS"]}')
    {'id': b'7', 'cards': b'["QS"]'}

    Raises:
        InvalidWire: the text is not JSON, not Unicode or not an object, or it repeats a key.
    """
    return {key: bytes(value) for key, value in decoded(data, _raw_parts, _PARTS.type).items()}


def _raw_parts(data: bytes) -> dict[str, msgspec.Raw]:
    if not data.isascii():
        data.decode()  # msgspec does not decode raw values
    return _PARTS.decode(data)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind, dec_hook=decode_custom)


def read_part(data: bytes, kind: Any) -> Any:
    """Decode a value that is not a document, such as a seat or cards.

    Args:
        data: the value, from `object_parts`.
        kind: its msgspec type.

    >>> read_part(b"3", SeatNumber), read_part(b'["QS 2H"]', Bags)
    (3, (Cards('QS 2H'),))

    Raises:
        InvalidWire: the value has another type.
    """
    return decoded(data, _decoder(kind).decode, kind)


def write_part(value: Any) -> bytes:
    """Encode a value of a msgspec type, with cards as text."""
    return ENCODER.encode(value)


def wire_parts(values: Iterable[Move | Event]) -> tuple[Any, ...]:
    """Write moves or events as values of a msgspec type, without the arguments of their messages."""
    with written_in(None):
        return C.parts_to_wire(values)


@cache
def views_without(*keys: str) -> dict[str, type[msgspec.Struct]]:
    """Derive the classes of views without some keys of the document, by phase."""
    found: dict[str, type[msgspec.Struct]] = {}
    for kind in W.VIEWS:
        phase = str(kind.__struct_config__.tag)
        fields = [(field.name, field.type) for field in msgspec.structs.fields(kind) if field.name not in keys]
        name = kind.__name__.removesuffix("Document")
        found[phase] = msgspec.defstruct(name, fields, frozen=True, tag_field="phase", tag=phase)
    return found


def view_parts(seen: View, kinds: Mapping[str, type[msgspec.Struct]]) -> msgspec.Struct:
    """Write a view as an instance of one of the classes of `views_without`."""
    document = C.view_to_wire(seen)
    kind = kinds[document.__struct_config__.tag]
    return kind(*[getattr(document, name) for name in kind.__struct_fields__])


def placed_at(key: str, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return a value's problems with their places in the enclosing object.

    >>> placed_at("state", [Problem("wrong-count", ("/hands", "/rules"))])[0].fields
    ('/state/hands', '/state/rules')
    """
    at = pointer(key)
    return tuple([attrs.evolve(each, fields=tuple([at + place for place in each.fields])) for each in problems])


def problem_params(problem: Problem) -> dict[str, Any]:
    """Return a problem's parameters as JSON values, for `write_part`."""
    return C.params_to_wire(problem)


def violation_data(violation: Violation) -> dict[str, Any]:
    """Return a violation's code, attributes and message for `json.dumps`.

    >>> from heartsrules.play.violations import NotYourTurn
    >>> violation_data(NotYourTurn(seat=0, turn=2))
    {'code': 'not-your-turn', 'seat': 0, 'turn': 2, 'message': "it is seat 2's turn, not seat 0's", \
'arguments': {'turn': 2, 'seat': 0}}
    """
    data: dict[str, Any] = msgspec.to_builtins(C.part_to_wire(violation), enc_hook=encode_custom)
    return data


def rules_in_full(rules: Rules) -> bytes:
    """Write the document of a rule set with every option.

    `from_json` reads the same rule set from it; `to_json` omits the defaults.
    """
    every = {option.name: getattr(rules, option.name) for option in Rules.OPTIONS}
    options = msgspec.structs.asdict(C.options_to_wire(every))
    return ENCODER.encode(W.RulesDocument(W.VERSION, "rules", **options))


def option_json(name: str, value: Any) -> Json:
    """Write the value of a preset's option, spelled as in a rule set's document.

    >>> from heartsrules.cards import Card
    >>> from heartsrules.rules import Bonus
    >>> bytes(option_json("bonuses", (Bonus(Card("JD"), 10),)))
    b'[{"card":"JD","points":10}]'
    """
    if name not in _RULES or value is None:
        return Json(ENCODER.encode(value))
    return Json(object_parts(ENCODER.encode(C.options_to_wire({name: value})))[name])


def read_options(given: Mapping[str, bytes]) -> dict[str, Any]:
    """Decode options of a preset, written by `option_json`.

    Raises:
        InvalidWire: a value does not have the option's type.
    """
    of_rules = {name: Json(value) for name, value in given.items() if name in _RULES and value != b"null"}
    values = C.options_at(read_part(write_part(of_rules), W.RULES))
    return {name: values[name] if name in values else _scalar(name, value) for name, value in given.items()}


def _scalar(name: str, data: bytes) -> bool | int | str | None:
    try:
        return read_part(data, bool | int | str | None)  # type: ignore[no-any-return]
    except InvalidWire as error:
        raise InvalidWire(placed_at(name, error.problems)) from None


_RULES: Final = frozenset(W.RULES.__struct_fields__)


def write_run_part(work: str, rules: Rules | None, tally: dict[str, Any], **keys: Any) -> bytes:
    """Write the document of a part of a run on a line, ending with a line feed.

    Args:
        work: `simulate`, `match` or `verify`.
        rules: the rule set, or None if there is none.
        tally: the keys of `tally`.
        keys: the other keys of the document.

    Raises:
        InvalidWire: a number is too large for JSON, or a text is not Unicode.
    """
    kind = _RUN_PARTS[work]
    keys["rules"] = None if rules is None else C.rules_to_wire(rules)
    keys["tally"] = get_type_hints(kind)["tally"](**tally)
    try:
        data = ENCODER.encode(kind(W.VERSION, "run-part", **keys))
        _decoder(W.union(W.RUN_PARTS)).decode(data)
    except (OverflowError, UnicodeEncodeError, msgspec.ValidationError):
        raise InvalidWire((Problem.of("unwritable", ("",), "value"),)) from None
    return data + b"\n"


def read_run_part(data: bytes) -> tuple[str, Rules | None, dict[str, Any], dict[str, Any]]:
    """Read the document of a part of a run, without checking its numbers.

    Returns:
        The arguments of `write_run_part`: work, rules, tally and the other keys.

    Raises:
        InvalidWire: the document is refused; `problems` lists everything found, with places.
    """
    wire = read_part(data, W.union(W.RUN_PARTS))
    try:
        rules = None if wire.rules is None else C.rules_at(wire.rules, "/rules")
    except C.NotADocument as refused:
        raise InvalidWire(refused.problems) from None
    keys = msgspec.structs.asdict(wire)
    keys["shards"] = [msgspec.structs.asdict(shard) for shard in wire.shards]
    tally = msgspec.structs.asdict(keys.pop("tally"))
    for name in ("heartsrules", "kind", "rules"):
        del keys[name]
    return wire.__struct_config__.tag, rules, tally, keys


_RUN_PARTS: Final = {str(kind.__struct_config__.tag): kind for kind in W.RUN_PARTS}

# -------------------------------------------------------------------------------------------------------- schemas


def component(*names: str) -> msgspec.Meta:
    """Annotate `Json` as a document of one of these components, such as `State`."""
    schemas: list[dict[str, Any]] = [{"$ref": _COMPONENT.format(name=name)} for name in names]
    return msgspec.Meta(extra_json_schema=schemas[0] if len(schemas) == 1 else {"anyOf": schemas})


def document_types() -> dict[str, Any]:
    """Return the names of the document components, with their kinds."""
    return {"".join([word.capitalize() for word in kind.split("-")]): kind for kind in W.DOCUMENTS}


def part_schema(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type for `read_part`, with references to its components."""
    (schema,), _ = _schemas([kind])
    return dict(portable(schema))


def component_schemas(types: Iterable[Any] = ()) -> dict[str, Any]:
    """Return the schemas of all documents, of other msgspec types, and of their parts, by component name.

    They combine the shipped files, each of which has its own `$defs`.
    """
    kinds = document_types()
    schemas, found = _schemas([*[W.DOCUMENTS[kind] for kind in kinds.values()], *types])
    for name, schema in zip(kinds, schemas, strict=False):
        if name in found:
            raise ValueError(f"two components are called {name}")  # pragma: no cover - the tests make them all
        # For a single class the schema is only a reference, which code generators cannot handle.
        if "$ref" not in schema:
            found[name] = schema
    return dict(portable(dict(sorted(found.items()))))


def _schemas(types: Iterable[Any]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    return msgspec.json.schema_components(types, schema_hook=W.schema_of_custom, ref_template=_COMPONENT)


def portable(schema: Any) -> Any:
    """Convert a schema to a form that linters and code generators understand.

    Descriptions are on one line, and `items` is never `false`, which Spectral takes for missing.
    """
    if isinstance(schema, (list, tuple)):
        return [portable(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {
        name: " ".join(part.split()) if name == "description" and isinstance(part, str) else portable(part)
        for name, part in schema.items()
    }
    if found.get("items") is False:
        kinds: list[Any] = []
        for kind in found["prefixItems"]:
            if kind not in kinds:
                kinds.append(kind)
        found["items"] = {"anyOf": kinds}
        if len(kinds) == 1:
            del found["prefixItems"]
            found["items"] = kinds[0]
    return found
