"""What a protocol puts around documents; the schemas; and the types of documents, made once more."""

from __future__ import annotations

import importlib
import json
import sys
from importlib.resources import files
from typing import Annotated, Any, Final

import msgspec
import pytest

import heartsrules.formats
from heartsrules import COMPILED, Card, InvalidWire, Problem, Rules, messages, presets
from heartsrules.formats import wire
from heartsrules.formats.wire import _types as W
from heartsrules.formats.wire import from_json, to_json
from heartsrules.formats.wire.parts import (
    Bags,
    Count,
    Integer,
    Json,
    SeatNumber,
    component,
    component_schemas,
    document_types,
    object_parts,
    part_schema,
    placed_at,
    problem_params,
    read_part,
    rules_in_full,
    violation_data,
    write_part,
    write_run_part,
)
from support import wire_schemas
from test_wire import SAMPLES, VIOLATIONS

LARGEST: Final = 2**53 - 1
SHIPPED: Final = {
    path.name.removesuffix(".json"): path.read_bytes()
    for path in (files("heartsrules.formats.wire") / "schema").iterdir()
}
"""The schema files as they lie in the package."""


class Seen(msgspec.Struct):
    """What an operation answers."""

    card: Card
    exposed: Bags


# ---------------------------------------------------------------------------------------------------------- parts


def test_an_object_is_split_and_its_values_stand_as_they_stood() -> None:
    assert object_parts(b'{ "a" : "x:y" , "b" : {"a":":"} }') == {"a": b'"x:y"', "b": b'{"a":":"}'}
    assert object_parts(b'{"a:b":1,"":[{"a":1},{"a":2}],"\xc3\xa9":null}') == {
        "a:b": b"1",
        "": b'[{"a":1},{"a":2}]',
        "é": b"null",
    }
    assert object_parts(b"{}") == {}
    with pytest.raises(InvalidWire, match="expected an object, not an integer"):
        object_parts(b"5")


def test_parts_are_read_and_written() -> None:
    for text, kind in ((b"10", SeatNumber), (b"%d" % -LARGEST, Integer), (b"%d" % LARGEST, Count)):
        assert write_part(read_part(text, kind)) == text
    assert write_part(read_part(b'["QS 2H", ""]', Bags)) == b'["QS 2H",""]'
    assert write_part(read_part(b'{"card":"TH","exposed":["QS"]}', Seen)) == b'{"card":"TH","exposed":["QS"]}'
    assert bytes(read_part(b' {"a" : 1}', Json)) == b'{"a" : 1}'


def test_the_problems_of_a_part_are_placed_in_the_whole() -> None:
    given = [Problem("wrong-count", ("/hands/0", ""), (("count", 3),), "array"), Problem("too-deep", ("",))]
    assert placed_at("a~b/c", given) == (
        Problem("wrong-count", ("/a~0b~1c/hands/0", "/a~0b~1c"), (("count", 3),), "array"),
        Problem("too-deep", ("/a~0b~1c",)),
    )
    assert problem_params(given[0]) == {"count": 3}


@pytest.mark.parametrize("violation", VIOLATIONS, ids=lambda violation: violation.code)
def test_a_violation_is_its_document_without_what_all_documents_have(violation: Any) -> None:
    data = json.loads(json.dumps(violation_data(violation)))
    assert {"heartsrules": 1, "kind": "violation", **data} == json.loads(to_json(violation))
    assert data["message"] == messages.text(violation)


def test_the_rules_in_full_are_the_same_rules() -> None:
    for preset in presets.ALL.values():
        for players in preset.players:
            rules = preset(players)
            full = rules_in_full(rules)
            assert from_json(full, Rules) == rules
            told = json.loads(full)
            assert list(told) == ["heartsrules", "kind", *[option.name for option in Rules.OPTIONS]]
            short = json.loads(to_json(rules))
            assert {name: told[name] for name in short} == short


# -------------------------------------------------------------------------------------------------------- schemas


def test_the_schema_of_a_part() -> None:
    assert part_schema(SeatNumber) == {
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "description": "A seat, clockwise from 0.",
    }
    assert part_schema(Integer) == {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
    assert part_schema(Count) == {"type": "integer", "minimum": 0, "maximum": LARGEST}
    card = {"type": "string", "pattern": "^[2-9TJQKA][CDSH]$", "description": "A card: rank, then suit."}
    assert part_schema(Card) == card
    bag = {
        "type": "string",
        "pattern": "^([2-9TJQKA][CDSH]( [2-9TJQKA][CDSH])*)?$",
        "maxLength": 311,
        "description": "Cards separated by single spaces, written in the order C D S H, 2 to A.",
    }
    assert part_schema(Bags) == {"type": "array", "items": bag}
    assert part_schema(Annotated[Json, component("State")]) == {"$ref": "#/components/schemas/State"}


def test_the_components_are_the_shipped_schemas_put_together() -> None:
    found = component_schemas([Seen])
    expected: dict[str, Any] = {}
    names = document_types()
    assert list(names.values()) == list(W.DOCUMENTS)
    assert {"State": "state", "DealScore": "deal-score"}.items() <= names.items()
    for name, kind in names.items():
        schema = json.loads(SHIPPED[kind].replace(b"#/$defs/", b"#/components/schemas/"))
        expected |= schema.pop("$defs")
        for key in ("$schema", "$id", "title"):
            del schema[key]
        if "$ref" not in schema:
            expected[name] = schema
    card, bags = part_schema(Card), part_schema(Bags)
    expected["Seen"] = {
        "title": "Seen",
        "description": "What an operation answers.",
        "type": "object",
        "properties": {"card": card, "exposed": bags},
        "required": ["card", "exposed"],
    }
    assert found == expected
    assert list(found) == sorted(found)
    assert set(component_schemas()) == set(found) - {"Seen"}


def test_the_shipped_schemas_are_those_of_the_code() -> None:
    assert {f"{name}.json": content for name, content in SHIPPED.items()} == wire_schemas.files()


# ------------------------------------------------------------------------------------------- what is made when imported


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package `heartsrules.formats.wire`, imported once more."""
    # Importing it puts it there; this puts the old one back.
    monkeypatch.setattr(heartsrules.formats, "wire", wire)
    for name in [*sys.modules]:
        if name == "heartsrules.formats.wire" or name.startswith("heartsrules.formats.wire."):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "support.wire_schemas")
    return importlib.import_module("heartsrules.formats.wire")


@pytest.mark.once_interpreted
@pytest.mark.skipif(COMPILED, reason="compiled modules cannot be imported a second time")
def test_whoever_imports_it_makes_the_same_types(anew: Any) -> None:
    """Most of them are made of the classes that they stand for, and never again."""
    types = importlib.import_module("heartsrules.formats.wire._types")
    assert types is not W
    made = importlib.import_module("support.wire_schemas").files()
    assert {name.removesuffix(".json"): content for name, content in made.items()} == SHIPPED
    for name, (value, kind) in SAMPLES.items():
        data = anew.to_json(value)
        assert data == to_json(value), name
        assert anew.from_json(data, kind) == value
    structs: list[Any] = [
        thing
        for group in (
            vars(types).values(),
            *[table.values() for table in vars(types).values() if isinstance(table, dict)],
        )
        for thing in group
        if isinstance(thing, type) and issubclass(thing, types.Wire)
    ]
    assert len(structs) > 120
    for struct in structs:
        config = struct.__struct_config__
        assert config.frozen, struct
        assert config.forbid_unknown_fields, struct
        assert struct.__module__ == types.__name__, struct
        assert struct.__doc__, struct
        assert struct.__name__.endswith(("Wire", "Document", "Problem")) or struct is types.Wire, struct


@pytest.mark.parametrize(("seed", "valid"), [("\ud800", 1), ("a", 2**70)], ids=["no Unicode", "too large"])
def test_a_part_of_a_run_that_json_cannot_hold_is_not_written(seed: str, valid: int) -> None:
    tally = {"valid": valid, "finished": 1, "invalid": 0, "unreadable": 0, "failures": ()}
    given: dict[str, Any] = {"version": "1", "builds": (), "whole": (0, 1), "settings": {}, "done": (), "shards": ()}
    with pytest.raises(InvalidWire) as caught:
        write_run_part("verify", None, tally, seed=seed, **given)
    assert caught.value.problems == (Problem.of("unwritable", ("",), "value"),)
