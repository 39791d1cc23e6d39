"""The judge on the command line: `heartsrules verify` on every kind of file, `heartsrules show` on every position."""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
import tracemalloc
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final, TypeAlias

import attrs
import pytest
from typer.testing import CliRunner

import heartsrules
import heartsrules.rules
from heartsrules import Rules, State, View, new_game, view
from heartsrules.apps.command_line import app
from heartsrules.apps.terminal.keeping import Keeper
from heartsrules.apps.terminal.seating import seat_players
from heartsrules.base.files import LockedFile
from heartsrules.formats.notation import MAX_LINE, format_record, format_records, parse_position, scan_records
from heartsrules.formats.notation.record import RecordReader
from heartsrules.formats.wire import from_json, to_json
from heartsrules.formats.wire.parts import violation_data
from heartsrules.pictures.diagrams import diagram
from heartsrules.pictures.viewer import game_page
from heartsrules.play.game import Game, Record, RefusedMove, Verdict, replay, replay_strict, verify
from heartsrules.rules import Tie
from support import strategies
from support.chores import Losing
from support.commands import SOURCE, in_one_line, python, run
from support.rounds import SEED, rounds
from test_notation import games_of_openspiel, pyspiel, spoiled

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("plain_environment")]


ROOT: Final = Path(__file__).parents[2]
DATA: Final = Path(__file__).parents[1] / "data" / "records"

Data: TypeAlias = dict[str, Any]


def verdicts(*arguments: str | Path, given: bytes = b"") -> list[Data]:
    """What `verify --format json` prints, without the names of the files."""
    code, out, _ = run("verify", "--format", "json", *arguments, given=given)
    found: list[Data] = [json.loads(line) for line in out.splitlines()]
    assert code == (1 if any(verdict["verdict"] != "valid" for verdict in found) else 0 if found else 2)
    for verdict in found:
        del verdict["file"]
    return found


def random_game(rules: Rules, seed: object, deals: int = 1) -> Game:
    return replay_strict(rules, [move for _, move, _ in strategies.match(rules, random.Random(f"game {seed}"), deals)])


ONE_DEAL: Final = Rules(max_deals=1, target=None, tie=Tie.SHARED)
GOOD: Final = Record.of(random_game(ONE_DEAL, 1), tags=[("Event", "club night"), ("Round", "3"), ("Seat0", "Ann")])
UNFINISHED: Final = Record.of(random_game(ONE_DEAL, 2).fork(20))
REVOKED: Final = next(bad for name, bad, _ in spoiled(random.Random(3), GOOD) if name == "a revoke")
MISCOUNTED: Final = attrs.evolve(GOOD, points=[(26, 0, 0, 1)])
WRONG_WINNERS: Final = attrs.evolve(GOOD, winners=(0, 1, 2, 3))
MIXED: Final = (GOOD, REVOKED, UNFINISHED, MISCOUNTED, WRONG_WINNERS, GOOD)
WORDS: Final = ["valid", "invalid", "valid", "invalid", "invalid", "valid"]


def texts(records: tuple[Record, ...]) -> bytes:
    return "".join(format_records(records)).encode()


def json_lines(records: tuple[Record, ...]) -> bytes:
    return b"".join([to_json(record) + b"\n" for record in records])


def spread_json(records: tuple[Record, ...]) -> bytes:
    return b"".join([to_json(record, indent=2) + b"\n" for record in records])


FORMATS: Final[dict[str, Callable[[tuple[Record, ...]], bytes]]] = {
    "text": texts,
    "jsonl": json_lines,
    "json": spread_json,
}


# ---------------------------------------------------------------------------------------------------------- verdicts


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_found_out_and_gives_the_same_verdicts(name: str, packed: bool, tmp_path: Path) -> None:
    data = FORMATS[name](MIXED)
    if packed:
        data = gzip.compress(data)
    path = tmp_path / "games"
    path.write_bytes(data)
    expected = verdicts("-", given=texts(MIXED))
    assert [verdict["verdict"] for verdict in expected] == WORDS
    if name != "text":
        for verdict in expected:
            if "failure" in verdict:
                verdict["failure"]["line"] = None  # a record as JSON has no lines of its own
    assert [verdict["record"] for verdict in expected] == [1, 2, 3, 4, 5, 6]
    assert verdicts(path) == expected
    assert verdicts("--input", name, path) == expected
    assert verdicts(given=data) == expected
    assert verdicts("-", given=data) == expected


def line_in_mixed(record: int, beginning: str) -> int:
    """Where a line that begins so stands, from 1, in the text of `MIXED`: that of the record of this number, from 1."""
    lines = texts(MIXED).decode().splitlines()
    header = [number for number, line in enumerate(lines, 1) if line == "Hearts/1"][record - 1]
    return next(n for n, line in enumerate(lines, 1) if n > header and line.startswith(beginning))


def test_verdicts_for_programs_say_everything() -> None:
    good, revoked, unfinished, miscounted, wrong_winners, _ = verdicts(given=texts(MIXED))
    tags = [["Event", "club night"], ["Round", "3"], ["Seat0", "Ann"]]
    assert good == {"record": 1, "verdict": "valid", "tags": tags, "finished": True, "moves": 57}
    assert unfinished == {"record": 3, "verdict": "valid", "tags": [], "finished": False, "moves": 20}
    failure = verify(REVOKED).failure
    assert isinstance(failure, RefusedMove)
    (reason,) = failure.violations
    assert revoked["failure"] == {
        "kind": "illegal-move",
        "move": failure.index,
        "deal": 0,
        "trick": failure.trick,
        "line": line_in_mixed(2, f"Trick {failure.trick}:"),
        "violations": [violation_data(reason)],
        "message": str(failure),
    }
    assert miscounted["failure"] == {
        "kind": "wrong-points",
        "deal": 0,
        "line": line_in_mixed(4, "Points 0:"),
        "claimed": [26, 0, 0, 1],
        "actual": list(GOOD.points[0]),
        "message": str(verify(MISCOUNTED).failure),
    }
    failed = wrong_winners["failure"]
    assert (failed["kind"], failed["line"]) == ("wrong-winners", line_in_mixed(5, "Result:"))


def test_verdicts_for_people_are_one_line_each_with_a_summary() -> None:
    code, out, err = run("verify", given=texts(MIXED))
    assert (code, err) == (1, "")
    lines = out.splitlines()
    tags = "[Event 'club night', Round '3']"
    failure = verify(REVOKED).failure
    assert isinstance(failure, RefusedMove)
    line = line_in_mixed(2, f"Trick {failure.trick}:")
    assert lines[0] == f"(standard input) #1 {tags}: valid, finished, 57 moves"
    assert lines[1] == f"(standard input) #2 {tags}: invalid, line {line}: {failure} (must-follow-suit)"
    assert lines[2] == "(standard input) #3: valid, not finished, 20 moves"
    assert lines[3].endswith(f": invalid, line {line_in_mixed(4, 'Points 0:')}: {verify(MISCOUNTED).failure}")
    assert lines[4].endswith(f": invalid, line {line_in_mixed(5, 'Result:')}: {verify(WRONG_WINNERS).failure}")
    assert lines[6:] == ["6 records: 3 valid (2 finished), 3 invalid, 0 unreadable"]
    code, quiet, err = run("verify", "--quiet", given=texts(MIXED))
    assert (code, err) == (1, "")
    assert quiet.splitlines() == [lines[1], lines[3], lines[4], lines[6]]
    code, out, err = run("verify", "--quiet", "--format", "json", given=texts((GOOD,)))
    assert (code, out, err) == (0, "", "1 record: 1 valid (1 finished), 0 invalid, 0 unreadable\n")


def test_several_files_are_judged_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(texts((GOOD,)))
    (tmp_path / "b").write_bytes(json_lines((UNFINISHED,)))
    code, out, _ = run("verify", tmp_path / "b", "-", tmp_path / "a", given=texts((REVOKED,)))
    assert code == 1
    assert [line.split(": ")[0].split(" [")[0] for line in out.splitlines()[:-1]] == [
        f"{tmp_path / 'b'} #1",
        "(standard input) #1",
        f"{tmp_path / 'a'} #1",
    ]


def test_nothing_in_a_record_can_write_to_a_terminal_or_on_another_line() -> None:
    evil = attrs.evolve(GOOD, tags=[("Event", "\x1b[2J\n" + "x" * 1000), ("Site", "\u202e\x9b")])
    for data in (texts((evil,)), b"Hearts/1\nRules: \x1b[2J\x07\n"):
        _, out, _ = run("verify", given=data)
        assert len(out.splitlines()) == 2
        assert all(line.isprintable() for line in out.split("\n"))
        assert len(out) < 500
    data = GOOD_LINE[:-2] + b',"\\u001b[2J\\n":1}\n'
    _, out, _ = run("verify", given=data)
    assert r"/\x1b[2J\n: no such key" in out
    assert len(out.splitlines()) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_nothing_in_the_name_of_a_file_can_either(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b\n\udcff.hearts"
    path.write_bytes(GOOD_TEXT)
    name = rf"{tmp_path}/a\x1b\n\udcff.hearts #1"
    assert run("verify", path)[1].startswith(f"{name} [")
    assert shown(path).startswith(f"{name}, ply 57 of 57\n")
    assert r"\x1b" in run("show", tmp_path / "\x1b\udcff")[2]


# --------------------------------------------------------------------------------------------------------- bad input

GOOD_TEXT: Final = texts((GOOD,))
GOOD_LINE: Final = json_lines((GOOD,))
GARBAGE: Final = bytes(random.Random(0).randrange(256) for _ in range(5000))
TORN: Final = gzip.compress(GOOD_TEXT * 40)[:-30]
UNPACKED: Final = zlib.decompressobj(31).decompress(TORN)
BAD_INPUT: Final[dict[str, tuple[bytes, list[str]]]] = {
    "a bad record between good ones": (
        GOOD_TEXT + b"\nHearts/1\nRules: none\n\n" + GOOD_TEXT,
        ["valid", "unreadable", "valid"],
    ),
    "a record that ends too early": (GOOD_TEXT + GOOD_TEXT[:300], ["valid", "unreadable"]),
    "a record that ends too early, in front": (GOOD_TEXT[:300] + b"\n" + GOOD_TEXT, ["unreadable", "valid"]),
    "binary garbage": (GARBAGE, ["unreadable"]),
    "binary garbage, then a record": (GARBAGE + b"\n" + GOOD_TEXT, ["unreadable", "valid"]),
    "no UTF-8 in a tag": (GOOD_TEXT.replace(b"Ann", b"J\xfcrgen"), ["valid"]),
    "no UTF-8 in a card": (GOOD_TEXT.replace(b"Trick 0: ", b"Trick 0: \xfc"), ["unreadable"]),
    "a huge line of text": (b"x" * (3 * MAX_LINE) + b"\n" + GOOD_TEXT, ["unreadable", "valid"]),
    "a huge line in a record": (
        GOOD_TEXT.replace(b"Deal 0:", b"{" + b"x" * (3 * MAX_LINE) + b"}\nDeal 0:") + GOOD_TEXT,
        ["unreadable", "valid"],
    ),
    "a byte order mark before text": (b"\xef\xbb\xbf" + GOOD_TEXT, ["valid"]),
    "carriage returns": (GOOD_TEXT.replace(b"\n", b"\r\n") + GOOD_TEXT.replace(b"\n", b"\r"), ["valid", "valid"]),
    "a byte order mark before JSON": (b"\xef\xbb\xbf" + GOOD_LINE, ["valid"]),
    "bad lines among JSON lines": (
        GOOD_LINE + b"{}\n\n" + GOOD_LINE[:200] + b"\nxyz\n" + GOOD_LINE + b"\xff\n",
        ["valid", "unreadable", "unreadable", "unreadable", "valid", "unreadable"],
    ),
    "the first of the JSON lines is torn": (GOOD_LINE[:201] + b"\n" + GOOD_LINE, ["unreadable", "valid"]),
    "the first of the JSON lines is torn after a comma": (
        GOOD_LINE[: GOOD_LINE.index(b",", 200) + 1] + b"\n" + GOOD_LINE * 2,
        ["unreadable", "valid", "valid"],
    ),
    "no line end at the end": (GOOD_LINE + GOOD_LINE.rstrip(), ["valid", "valid"]),
    "documents of another kind": (to_json(new_game(ONE_DEAL)) + b"\n" + GOOD_LINE, ["unreadable", "valid"]),
    "rubbish behind a result": (GOOD_TEXT + b"rubbish\n" + GOOD_TEXT, ["valid", "unreadable", "valid"]),
    "two results": (GOOD_TEXT + b"Result: *\n\n", ["valid", "unreadable"]),
    "tags without a game": (b'[Event "club night"]\n' * 9 + GOOD_TEXT, ["unreadable", "valid"]),
    "an array": (b"[" + GOOD_LINE.rstrip() + b"]", ["unreadable"]),
    "an array over lines": (b"[\n" + to_json(GOOD, indent=2) + b"\n]", ["unreadable", "unreadable"]),
    "a huge line of JSON": (b'{"x":"' + b"x" * (17 * 2**20) + b'"}\n' + GOOD_LINE, ["unreadable", "valid"]),
    "a huge document over lines": (
        to_json(GOOD, indent=2) + b'\n{\n"x": [' + (b"\n" + b"1," * 1000) * 9000 + b"\n" + to_json(GOOD, indent=2),
        ["valid", "unreadable", "valid"],
    ),
    "deep JSON": (b"[" * 100_000 + b"\n", ["unreadable"]),
    "nothing": (b"", []),
    "only blanks": (b" \n\n\t\n", []),
    "only a byte order mark before JSON lines": (b"\xef\xbb\xbf\n" + GOOD_LINE, ["valid"]),
    "gzip that ends too early": (TORN, ["valid"] * UNPACKED.count(b"\nResult: 2\n") + ["unreadable"]),
    "gzip of several members": (gzip.compress(GOOD_TEXT) + gzip.compress(GOOD_TEXT), ["valid", "valid"]),
    "gzip with garbage behind": (gzip.compress(GOOD_TEXT) + b"garbage", ["valid", "unreadable"]),
    "gzip with another checksum": (gzip.compress(GOOD_TEXT)[:-8] + b"\0" * 8, ["valid", "unreadable"]),
    "only the beginning of gzip": (b"\x1f\x8b", ["unreadable"]),
    "gzip of garbage": (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + GARBAGE, ["unreadable"]),
    "gzip of nothing": (gzip.compress(b""), []),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_gets_a_verdict_and_no_good_record_is_lost(case: str, tmp_path: Path) -> None:
    data, expected = BAD_INPUT[case]
    assert [verdict["verdict"] for verdict in verdicts(given=data)] == expected
    path = tmp_path / "games"
    path.write_bytes(data)
    code, out, err = run("verify", path)
    assert code == (1 if "unreadable" in expected else 0 if expected else 2)
    assert err == ("" if expected else f"{path}: there is no record in it\n")
    assert len(out.splitlines()) == len(expected) + 1
    assert len(out) < 600 + (150 + len(str(path))) * len(expected)


@pytest.mark.parametrize("command", ["verify", "show", "review", "drill"])
@pytest.mark.parametrize("packed", [False, True])
def test_no_more_than_so_many_bytes_of_a_file_are_read(command: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "games"
    data = GOOD_TEXT + b"\n" * 100_000
    path.write_bytes(gzip.compress(data) if packed else data)
    given = (command, path, *(("--record", "2") if command != "verify" else ()), "--max-bytes")
    code, out, err = run(*given, str(len(data) - 1))
    said = f"the file has more than {len(data) - 1:,} bytes, the limit of --max-bytes"
    assert code == 1
    assert f"{path} #{2 if packed else 1}" in out + err
    assert said in out + err
    code, out, err = run(*given, str(len(data)))
    assert said not in out + err


def test_the_limit_holds_for_pipes_and_for_what_is_stored() -> None:
    """What comes before the limit is judged, to the last byte."""
    for data in (GOOD_TEXT * 2, gzip.compress(GOOD_TEXT) * 2):
        more = len(GOOD_TEXT)
        assert [each["verdict"] for each in verdicts("--max-bytes", str(2 * more), given=data)] == ["valid"] * 2
        assert [each["verdict"] for each in verdicts("--max-bytes", str(more), given=data)] == ["valid", "unreadable"]
    empty = gzip.compress(b"") * 1000
    (only,) = verdicts("--max-bytes", str(len(empty) - 1), given=empty)
    assert "the limit of --max-bytes" in only["failure"]["message"]


def test_lines_that_say_nothing_are_passed_over_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of hundreds of thousands only those are looked at that stand in a game; counted, as no time is."""
    looked = 0

    def line(self: RecordReader, text: str, number: int) -> Sequence[Any]:
        nonlocal looked
        looked += 1
        return read(self, text, number)

    read = RecordReader.line
    monkeypatch.setattr(RecordReader, "line", line)
    many = 2**18
    for data, count in (
        (b"\n" * many, 0),
        (b"\r\n" * many, 0),
        (b" \n" * many, 0),
        (b"%\n" * many, 0),
        (b"x\n" * many, 65536),
        (b'[A "b"]\n' * many, 65536),
        (b"x" * many, 1),
        (GOOD_TEXT + b"\n" * many, 100),
        (b"Hearts/1\n" + b"\n" * many, 10),
        (b"Hearts/1\n{" + b"\n" * many, 10),
    ):
        for given in (data, gzip.compress(data)):
            looked = 0
            run("verify", "--jobs", "1", given=given)
            assert looked <= count, data[:20]


SILENT_LINES: Final = (b"\n", b"\r\n", b" \n", b"\t\n", b" \n\n", b"%\n", b"# {x\\}\n")
BEFORE_SILENCE: Final = {
    "nothing": b"",
    "JSON": b"{}\n",
    "a header": b"Hearts/1\n",
    "a game": b"Hearts/1\nRules: default\n",
    "a comment": b"Hearts/1\nRules: default\n{",
    "a whole game": GOOD_TEXT,
    "a position": b"Hearts/1; x\n",
}


def calls(work: Callable[[], object]) -> int:
    """How many functions are called while it runs: it is the same on a busy machine and on an idle one."""
    count = 0

    def note(_: FrameType, what: str, __: Any) -> None:
        nonlocal count
        count += what in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.sampled(20)
@pytest.mark.parametrize("before", BEFORE_SILENCE)
@pytest.mark.parametrize("line", SILENT_LINES)
@pytest.mark.parametrize("command", [("verify", "--jobs", "1"), ("show", "--record", "2")], ids=["verify", "show"])
def test_a_line_that_says_nothing_costs_no_call(command: tuple[str, ...], line: bytes, before: str) -> None:
    if line[0] in b"%#" and (before == "JSON" or (before == "a comment" and b"\\" in line)):
        pytest.skip("there, such lines say something")

    def cost(lines: int) -> int:
        return calls(lambda: run(*command, given=gzip.compress(BEFORE_SILENCE[before] + line * lines)))

    cost(1)
    assert cost(2**17) < cost(1) + 2**13


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="limits as POSIX has them")
@pytest.mark.parametrize("head", BEFORE_SILENCE.values(), ids=BEFORE_SILENCE)
@pytest.mark.parametrize("line", SILENT_LINES)
def test_four_million_lines_of_nothing_take_little_time(head: bytes, line: bytes, tmp_path: Path) -> None:
    """The limit has room for slow machines: on a quiet one the lines take less than a second."""
    import resource

    if line[0] in b"%#" and (head[:1] == b"{" or (head[-1:] == b"{" and b"\\" in line)):
        pytest.skip("there, such lines say something")
    path = tmp_path / "games.gz"
    path.write_bytes(gzip.compress(head + line * 2**22))
    done = subprocess.run(
        [sys.executable, "-m", "heartsrules", "verify", "--jobs", "1", str(path)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (5, 5)),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": SOURCE},
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode in (0, 1, 2), done.stderr


@pytest.mark.parametrize(
    ("format_", "data", "place", "message"),
    [
        ("auto", GOOD_TEXT.replace(b":2C", b":2X"), (13, None), "expected a card such as QS"),
        ("auto", GOOD_LINE + b"\n" + GOOD_LINE.replace(b'"2C"', b'"2X"'), (3, None), "/moves/"),
        ("json", b"\n" + GOOD_LINE + b"{\n}", (3, None), "the key is missing"),
        ("jsonl", b"{\n}\n", (1, None), "malformed"),
        ("text", GOOD_LINE, (1, 1), "expected Hearts/1"),
    ],
)
def test_what_cannot_be_read_comes_with_its_place(
    format_: str, data: bytes, place: tuple[int, int | None], message: str
) -> None:
    *_, last = [item for item in verdicts("--input", format_, given=data) if item["verdict"] == "unreadable"][:1]
    failure = last["failure"]
    assert failure["kind"] == "unreadable"
    if format_ == "auto" and data.startswith(b"Hearts"):
        (error,) = [item for item in scan_records(data.decode()) if isinstance(item, heartsrules.InvalidNotation)]
        assert (failure["line"], failure["column"]) == (error.line, error.column)
    else:
        assert (failure["line"], failure["column"]) == place
    assert message in failure["message"] or "the document" in failure["message"]
    assert f"line {failure['line']}" in run("verify", "--input", format_, given=data)[1]


def test_a_file_that_vanishes_or_breaks_is_a_verdict_and_the_next_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(GOOD_TEXT)
    (tmp_path / "b").write_bytes(GOOD_TEXT)
    opened = Path.open

    def open_(self: Path, *arguments: Any, **options: Any) -> Any:
        if self.name == "a":
            raise PermissionError(13, "Permission denied")
        return opened(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", open_)
    code, out, _ = run("verify", tmp_path / "a", tmp_path / "b")
    assert code == 1
    first, second, summary = out.splitlines()
    assert first == f"{tmp_path / 'a'} #1: unreadable: the file cannot be read: [Errno 13] Permission denied"
    assert second.endswith("valid, finished, 57 moves")
    assert summary == "2 records: 1 valid (1 finished), 0 invalid, 1 unreadable"
    code, out, err = run("show", tmp_path / "a")
    assert (code, out) == (1, "")
    assert "Permission denied" in err


def test_an_interruption_prints_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Record] = []

    def interrupted(record: Record) -> Verdict:
        if len(judged) == 2:
            raise KeyboardInterrupt
        judged.append(record)
        return verify(record)

    monkeypatch.setattr("heartsrules.simulation.batch_judge.verify", interrupted)
    code, out, err = run("verify", "--jobs", "1", given=GOOD_TEXT * 5)
    assert (code, err) == (130, "Interrupted.\n")
    assert out.splitlines()[2:] == ["2 records: 2 valid (2 finished), 0 invalid, 0 unreadable"]
    assert out.count("57 moves") == 2


@pytest.mark.long
@pytest.mark.untraced
def test_verdicts_do_not_depend_on_the_number_of_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("heartsrules.apps.command_line.workers._SOON", 0.0)
    files = [tmp_path / name for name in ("a.hearts", "empty", "b.jsonl", "torn.gz", "c.json")]
    for path, data in zip(files, (texts(MIXED), b"", json_lines(MIXED), TORN, spread_json(MIXED)), strict=True):
        path.write_bytes(data)
    for options in ([], ["--format", "json"], ["--quiet"]):
        one = run("verify", *options, "--jobs", "1", *files)
        assert run("verify", *options, "--jobs", "2", *files) == one
        assert one[0] == 1
        assert one[2].startswith(f"{files[1]}: there is no record in it\n")


def test_workers_that_die_are_told_with_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartsrules.apps.command_line.workers._SOON", 0.0)
    monkeypatch.setattr(
        "heartsrules.apps.command_line.workers.Processes",
        lambda _: Losing(lambda call, _: "lost" if call > 1 else "done"),
    )
    code, out, err = run("verify", "--jobs", "2", given=GOOD_TEXT * 9)
    assert code == 1
    assert out.splitlines()[-1].startswith("1 record: 1 valid")
    assert "failed 3 times on the executor" in err
    assert "(a worker has died)" in err


def test_the_bar_is_for_a_terminal_and_the_verdicts_for_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    path = DATA / "games.hearts"
    code, out, err = run("verify", path, path)
    assert code == 0
    assert out.splitlines()[-1] == "6 records: 6 valid (4 finished), 0 invalid, 0 unreadable"
    assert "6 records" in err
    code, out, err = run("verify", "-", path, given=GOOD_TEXT)
    assert code == 0
    assert "4 records" in err
    assert "\x1b" not in out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_on_one_terminal_the_verdicts_stand_above_the_bar() -> None:
    import pty

    mine, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": SOURCE, "TERM": "xterm", "COLUMNS": "200"}
    command = [sys.executable, "-m", "heartsrules", "verify", str(DATA / "games.hearts")]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, stdin=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(mine, 4096):
                shown += part
        except OSError:
            pass  # how a terminal tells that nobody writes any more
        os.close(mine)
    assert process.returncode == 0
    assert shown.count(b"valid, finished, 171 moves") == 1
    assert shown.rstrip().endswith(b"3 records: 3 valid (2 finished), 0 invalid, 0 unreadable")


@pytest.mark.long
@pytest.mark.untraced
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    short = attrs.evolve(GOOD, moves=GOOD.moves[:5], points=(), winners=None)
    peaks: dict[str, list[int]] = {"text": [], "jsonl": [], "json": []}
    for name, found in peaks.items():
        for count in (700, 1400):
            path = tmp_path / f"{count}.{name}.gz"
            path.write_bytes(gzip.compress(FORMATS[name]((short,)) * count, 1))
            tracemalloc.start()
            try:
                code, out, _ = run("verify", "--quiet", "--jobs", "1", path)
                found.append(tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()
            assert (code, out) == (0, f"{count} records: {count} valid (0 finished), 0 invalid, 0 unreadable\n")
    for few, many in peaks.values():
        assert many < few + 100_000, peaks


# --------------------------------------------------------------------------------------- games of another program


CODES: Final = {"a revoke": "must-follow-suit", "a card twice": "not-in-hand", "a wrong turn": "not-your-turn"}


@pytest.mark.long
@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed (pip install open_spiel)")
def test_games_of_openspiel_are_judged_and_refused_where_they_were_spoiled(tmp_path: Path) -> None:
    rng = random.Random(f"judge {SEED}")
    wanted = min(rounds(60), 2500)
    expected: list[tuple[str, int]] = []
    text, lines = tmp_path / "games.hearts", tmp_path / "games.jsonl.gz"
    with text.open("w", encoding="utf-8") as records, gzip.open(lines, "wb", compresslevel=1) as documents:
        for record in games_of_openspiel(rng, wanted):
            for name, made, place in [("a game", record, 0), *spoiled(rng, record)]:
                expected.append((name, place))
                records.write(format_record(made))
                documents.write(to_json(made) + b"\n")
    counted: Counter[str] = Counter()
    for path in (text, lines):
        found = verdicts(path)
        assert len(found) == len(expected)
        for verdict, (name, place) in zip(found, expected, strict=True):
            counted[name] += 1
            if name == "a game":
                assert (verdict["verdict"], verdict["finished"]) == ("valid", True)
                continue
            failure = verdict["failure"]
            if name == "a wrong score":
                assert (failure["kind"], failure["deal"]) == ("wrong-points", place)
            else:
                assert (failure["kind"], failure["move"]) == ("illegal-move", place)
                assert CODES[name] in [reason["code"] for reason in failure["violations"]]
    print(dict(counted))
    assert len(counted) == 5
    assert all(count >= 2 * 0.95 * wanted for count in counted.values())


# --------------------------------------------------------------------------------------------------------- positions

POSITIONS: Final = [
    line for line in (DATA / "positions.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]


def shown(*arguments: object, given: bytes = b"") -> str:
    code, out, err = run("show", *arguments, given=given)
    assert (code, err) == (0, "")
    return out


def test_a_position_is_shown_with_all_that_there_is() -> None:
    lines = [" ".join(line.split()) for line in shown(DATA / "games.hearts", "--ply", "20").splitlines()]
    assert lines[:3] == [
        f"{DATA / 'games.hearts'} #1, ply 20 of 171",
        "rules: target=30",
        "deal 1, trick 4, seat 0 dealt, hearts are not broken",
    ]
    assert "seat hand tricks total" in lines
    assert "2 ♣ 7 Q ♦ 4 8 Q K ♥ 2 3 5 9 0 0" in lines
    assert "3 ♣ 6 10 ♦ 3 9 J ♠ 5 7 8 ♥ Q 3 0" in lines
    assert lines[-4:] == [
        "the trick: seat 3 ♣J, seat 0 ♣3, seat 1 ♣A",
        "captured by seat 3: ♣ 2 5 8 K ♠ 2 3 4 6 9 10 Q A",
        "to act: seat 2",
        "legal cards: ♣ 7 Q",
    ]


def test_a_position_is_printed_as_a_document_of_what_is_shown() -> None:
    state = replay(GOOD.rules, GOOD.moves).game.at(9)
    given = {"given": texts((GOOD,))}
    data = json.loads(shown("-", "--ply", "9", "--format", "json", **given))
    document = data.pop("state")
    assert data == {"where": f"(standard input) #1, ply 9 of {len(GOOD.moves)}", "seat": None}
    assert from_json(json.dumps(document).encode(), State) == state
    data = json.loads(shown("-", "--ply", "9", "--seat", "2", "--format", "json", **given))
    assert set(data) == {"where", "seat", "view"}
    assert from_json(json.dumps(data["view"]).encode(), View) == view(state, 2)


def test_the_last_position_is_shown_if_no_ply_is_given() -> None:
    out = shown(DATA / "games.hearts")
    assert "ply 171 of 171" in out
    assert "the game is over; won by seat 2\n" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["1", "2", "6", "1", "17"] in rows
    assert ["3", "4", "15", "7", "0"] in rows
    assert out == shown(DATA / "games.hearts", "--ply", "171")


def saved(game: Game, humans: Sequence[str], path: Path) -> Path:
    """The file of a game that `heartsrules play` has kept."""
    with LockedFile(path) as file:
        Keeper(file, seat_players(game.rules, humans, ["uniform"]), "secret").write(game)
    return path


def test_a_game_that_is_still_played_is_shown_as_its_player_sees_it(tmp_path: Path) -> None:
    game = random_game(ONE_DEAL, 5)
    half = saved(game.fork(30), ["", "Ann"], tmp_path / "half.hearts")
    first, note, rest = shown(half).split("\n", 2)
    assert first == f"{half} #1, ply 30 of 30, as seat 1 sees it"
    assert note == "this game is still in progress; --all-hands shows every hand"
    assert rest == shown(half, "--seat", "1").split("\n", 1)[1]
    assert rest == f"{diagram(view(game.at(30), 1), symbols=True)}\n"
    assert set(json.loads(shown(half, "--format", "json"))) == {"where", "seat", "view"}
    assert "as seat 1 sees it" in shown(half, "--ply", "3")
    everything = shown(half, "--all-hands")
    assert everything.split("\n", 1)[1] == f"{diagram(game.at(30), symbols=True)}\n"
    assert shown(saved(game, ["", "Ann"], tmp_path / "over.hearts")) == shown(tmp_path / "over.hearts", "--all-hands")


def test_a_game_that_several_people_still_play_is_shown_to_none_of_them_unasked(tmp_path: Path) -> None:
    game = random_game(ONE_DEAL, 5).fork(30)
    path = saved(game, ["Ann", "", "Bob"], tmp_path / "two.hearts")
    code, out, err = run("show", path)
    assert (code, out) == (2, "")
    assert "several people are still playing this game; give --seat, or --all-hands" in in_one_line(err)
    assert "as seat 2 sees it" in shown(path, "--seat", "2")
    assert shown(path, "--all-hands").split("\n", 1)[1] == f"{diagram(game.state, symbols=True)}\n"
    code, out, err = run("show", path, "--all-hands", "--seat", "2")
    assert (code, out) == (2, "")
    assert "omit --seat or --all-hands" in in_one_line(err)


def test_a_page_of_a_game_is_written(tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    short = Record.of(random_game(ONE_DEAL, 5).fork(12))
    given = texts((short,))
    assert shown("-", "--html", out, given=given) == ""
    assert out.read_text(encoding="utf-8") == game_page(short)
    assert shown("-", "--html", "-", "--ply", "9", "--seat", "1", given=given) == game_page(short, seat=1, ply=9)
    half = saved(random_game(ONE_DEAL, 5).fork(12), ["", "Ann"], tmp_path / "half.hearts")
    names = ["Bot 0", "Ann", "Bot 2", "Bot 3"]
    assert shown(half, "--html", "-") == game_page(random_game(ONE_DEAL, 5).fork(12), seat=1, names=names)
    assert shown(half, "--html", "-", "--all-hands") != shown(half, "--html", "-")
    assert shown(POSITIONS[1], "--html", "-") == game_page(Game(parse_position(POSITIONS[1])))
    code, _, err = run("show", "-", "--html", tmp_path / "nowhere" / "x.html", given=given)
    assert (code, "No such file" in in_one_line(err)) == (2, True)
    code, _, err = run("show", "-", "--html", out, "--format", "json", given=given)
    assert (code, "omit" in err) == (2, True)


def test_passes_are_shown_by_their_number() -> None:
    out = shown(DATA / "games.hearts", "--ply", "2")
    assert "to act: seats 1, 2, 3\n" in out
    assert out.count(": 286\n") == 3
    assert out.count("not yet") == 3
    assert "♥ 6 T A\n" not in out
    seen = shown(DATA / "games.hearts", "--ply", "2", "--seat", "3")
    assert [line for line in seen.splitlines() if "286" in line] == ["legal passes of seat 3: 286"]
    assert seen.count("committed") == 1
    assert seen.count("13 cards") == 3
    own = shown(DATA / "games.hearts", "--ply", "2", "--seat", "0")
    assert "committed" not in own
    assert "286" not in own


@pytest.mark.sampled(4)
@pytest.mark.parametrize("position", POSITIONS)
def test_a_position_is_shown_as_the_diagram_of_what_its_reader_may_know(position: str) -> None:
    """Views have laws of their own: `views/test_secrecy.py` and others."""
    state = parse_position(position)
    everything = f"the position\n{diagram(state, symbols=True)}\n"
    assert shown(position) == shown(position.upper().replace("HEARTS/1", "Hearts/1")) == everything
    for seat in range(state.rules.players):
        seen = diagram(view(state, seat), symbols=True)
        assert shown(position, "--seat", seat) == f"the position, as seat {seat} sees it\n{seen}\n"


def test_a_file_of_positions_is_read_by_its_lines() -> None:
    for number, position in enumerate(POSITIONS, 1):
        first, rest = shown(DATA / "positions.txt", "--record", str(number)).split("\n", 1)
        assert first == f"{DATA / 'positions.txt'} #{number}"
        assert rest == shown(position).split("\n", 1)[1]
    assert shown("-", "--record", "2", given="\n".join(POSITIONS).encode()).startswith("(standard input) #2\n")


def test_without_a_file_standard_input_is_shown() -> None:
    given = (DATA / "games.hearts").read_bytes()
    assert shown("--ply", "20", given=given) == shown("-", "--ply", "20", given=given)
    assert shown(given=POSITIONS[0].encode()).startswith("(standard input) #1\n")
    code, out, err = run("show")
    assert (code, out) == (2, "")
    assert "there is no record 1; (standard input) has 0" in err


def test_records_of_every_format_can_be_shown(tmp_path: Path) -> None:
    expected = None
    for name, write in FORMATS.items():
        path = tmp_path / f"{name}.gz"
        path.write_bytes(gzip.compress(write(MIXED)))
        out = shown(path, "--record", "3", "--ply", "7").split("\n", 1)[1]
        expected = expected or out
        assert out == expected


def test_a_record_is_shown_as_far_as_it_is_legal(tmp_path: Path) -> None:
    failure = verify(REVOKED).failure
    assert isinstance(failure, RefusedMove)
    path = tmp_path / "games"
    path.write_bytes(texts((REVOKED,)))
    code, out, err = run("show", path)
    assert code == 1
    assert f"ply {failure.index} of {failure.index}\n" in out
    assert err == "Error: the next move of this record is illegal; heartsrules verify explains why\n"
    assert shown(path, "--ply", str(failure.index)) == out
    code, _, err = run("show", path, "--ply", str(failure.index + 1))
    assert code == 2
    assert "the next move is illegal" in in_one_line(err)


SECRET: Final = "Deal 0: C2349S39JH678TKA C8QAD5678TKS26KHJ C567KD4QS48TH2359 CTJD239JAS57QAH4X"


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (f"Hearts/1\nRules: default\n{SECRET}\n", " (line 3, column 78)"),
        ("hearts/1; rules default; phase pass; deal 0; hands C2349S39JH678TKA", ""),
        (POSITIONS[1].replace("C346TQD379JAS7KHA", "C345TQD379JAS7KHA"), ""),
        (POSITIONS[4].replace("2:2CAC3C5C:3", "2:2CAC3C6C:3"), ""),
    ],
)
def test_what_cannot_be_read_is_quoted_only_to_those_who_may_see_all(given: str, place: str) -> None:
    code, out, err = run("show", "-", given=given.encode())
    assert (code, out) == (1, "")
    assert len(err) > 60
    code, out, err = run("show", "-", "--seat", "1", given=given.encode())
    assert (code, out) == (1, "")
    assert err == f"Error: (standard input) #1 cannot be read{place}\n"


def test_an_encoding_without_the_symbols_gets_letters() -> None:
    done = python("-m", "heartsrules", "show", DATA / "games.hearts", "--ply", "20", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(
        "\nthe trick: seat 3 JC, seat 0 3C, seat 1 AC\n"
        "captured by seat 3: C 2 5 8 K  S 2 3 4 6 9 T Q A\n"
        "to act: seat 2\nlegal cards: C 7 Q\n"
    )
    assert done.stdout.isascii()
    assert "\\u" not in done.stdout
    result = CliRunner(charset="ascii").invoke(app, ["show", str(DATA / "games.hearts"), "--ply", "20"])
    assert result.stdout == done.stdout


@pytest.mark.parametrize("format_", ["auto", "text", "json", "jsonl"])
def test_nothing_holds_no_record_in_any_format(format_: str) -> None:
    code, out, err = run("verify", "--input", format_)
    assert (code, err) == (2, "(standard input): there is no record in it\n")
    assert out == "0 records: 0 valid (0 finished), 0 invalid, 0 unreadable\n"
