"""The commands `conformance` and `schema`: what they write, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import heartsrules.testing
from heartsrules import Card, Play, Rules
from heartsrules.formats.wire import to_json
from heartsrules.testing.conformance import RANDOM_RULE_SETS, write
from support.commands import run

pytestmark = pytest.mark.once_compiled

PACKAGED = Path(heartsrules.__file__).parent / "formats" / "wire" / "schema"


def contents(directory: Path) -> dict[str, bytes]:
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*.json*")}


def test_a_suite_of_presets_is_written(tmp_path: Path) -> None:
    code, out, err = run("conformance", "openspiel", "Greek-Hearts", "-o", tmp_path / "one")
    write(tmp_path / "two", ["openspiel", "greek_hearts"], random=0, options=False)
    assert (code, err) == (0, "")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert [line.partition(": ")[0] for line in out.splitlines()] == [
        str(tmp_path / "one" / "openspiel.jsonl"),
        str(tmp_path / "one" / "greek_hearts.jsonl"),
    ]
    assert ": 1 rule set, " in out


@pytest.mark.long
def test_more_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    code, _, _ = run("conformance", "openspiel", "--options", "--random", "1", "--seed", "s", "--out", tmp_path / "one")
    write(tmp_path / "two", ["openspiel"], random=1, seed="s")
    assert code == 0
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_help_names_how_many_random_rule_sets_are_written() -> None:
    _, out, _ = run("conformance", "--help")
    assert f"[default: {RANDOM_RULE_SETS}, none with PRESET]" in " ".join(out.split())


@pytest.mark.long
def test_the_schema_of_everything_is_one_document() -> None:
    code, out, err = run("schema")
    assert (code, err) == (0, "")
    schema = json.loads(out)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for value in (Rules(), Play(0, Card("2C"))):
        assert validator.is_valid(json.loads(to_json(value)))
    assert not validator.is_valid({"heartsrules": 1, "kind": "move", "move": "play", "seat": "2"})
    assert set(schema["$defs"]) | {"index"} == {path.stem for path in PACKAGED.glob("*.json")}


def test_the_schema_files_are_written(tmp_path: Path) -> None:
    code, out, err = run("schema", "-o", tmp_path / "deep" / "schema")
    assert (code, err) == (0, "")
    assert contents(tmp_path / "deep" / "schema") == contents(PACKAGED)
    assert out.splitlines() == [str(path) for path in sorted((tmp_path / "deep" / "schema").iterdir())]
