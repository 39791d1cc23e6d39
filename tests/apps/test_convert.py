"""The command `convert`: records from each format to each other."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from heartsrules import Game, Rules, legal_moves
from heartsrules.formats.notation import format_records, parse_records
from heartsrules.formats.wire import from_json
from heartsrules.play.game import Record
from support.commands import run

RECORDS = [
    Game.start(Rules(max_deals=1)).play_on(lambda seen: legal_moves(seen)[0], seed=seed).record([("Event", "club")])
    for seed in range(2)
]
TEXT = "".join(format_records(RECORDS))


def test_records_go_from_each_format_to_each_other(tmp_path: Path) -> None:
    file = tmp_path / "games.txt.gz"
    file.write_bytes(gzip.compress(TEXT.encode()))
    code, lines, err = run("convert", file, "--to", "jsonl")
    assert (code, err) == (0, "")
    assert [from_json(line, Record) for line in lines.splitlines()] == RECORDS
    _, documents, _ = run("convert", "--to", "json", given=lines)
    assert documents.startswith('{\n  "')
    assert run("convert", "--to", "text", given=documents) == (0, TEXT, "")
    assert run("convert", "--to", "text", "--input", "json", given=documents) == (0, TEXT, "")


def test_what_cannot_be_read_is_named_and_the_rest_written() -> None:
    code, out, err = run("convert", "--to", "text", given=TEXT.replace("Trick 3", "Trick X", 1))
    assert (code, list(parse_records(out))) == (1, RECORDS[1:])
    assert err == "(standard input): line 10, column 7: expected the number 3 and a colon, found 'X:'\n"
    code, out, err = run("convert", "--to", "text", given='{"heartsrules": 1}')
    assert (code, out) == (1, "")
    assert err.startswith("(standard input): line 1: ")


@pytest.mark.parametrize("words", [["--to", "parquet"], []])
def test_the_format_must_be_one_of_three(words: list[str]) -> None:
    code, out, err = run("convert", *words, given=TEXT)
    assert (code, out) == (2, "")
    assert "--to" in err
