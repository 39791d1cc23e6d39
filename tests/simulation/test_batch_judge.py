"""Many records judged at once: the same judgements, in order, whoever makes them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise
from pathlib import Path

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heartsrules import InvalidNotation
from heartsrules.formats.notation import MAX_GAME, MAX_LINE, format_record, scan_records
from heartsrules.play.game import Record, RefusedMove, verify
from heartsrules.play.violations import NoSuchSeat
from heartsrules.simulation import batch_judge
from heartsrules.simulation.batch_judge import (
    Judgement,
    Unreadable,
    WrittenGame,
    judge_record,
    judge_written,
    one_by_one,
    read_written,
    verify_all,
    written_in_text,
)
from heartsrules.simulation.executors import Chunked, Processes, WorkFailed
from support.chores import Losing, OneByOne
from test_verify import GOOD, MIXED, texts

EXPECTED = [judge_record(record) for record in MIXED]


def test_a_judgement_is_a_verdict_without_its_game() -> None:
    for record, judgement in zip(MIXED, EXPECTED, strict=True):
        verdict = verify(record)
        assert judgement == Judgement(verdict.plies, verdict.finished, verdict.failure)
        assert judgement.valid == verdict.valid
    assert {judgement.valid for judgement in EXPECTED} == {True, False}


@pytest.mark.once_compiled
@given(seed=st.integers(0, 9), chunk=st.none() | st.integers(1, 7), in_flight=st.integers(1, 5))
def test_judgements_come_in_order_whoever_makes_them(seed: int, chunk: int | None, in_flight: int) -> None:
    with OneByOne(seed) as executor:
        assert list(verify_all(MIXED * 3, executor=Chunked(executor, chunk=chunk, in_flight=in_flight))) == EXPECTED * 3


def test_processes_judge_the_same() -> None:
    with Processes(2) as executor:
        assert list(verify_all(MIXED, executor=executor)) == EXPECTED
    assert list(verify_all(MIXED)) == EXPECTED


def test_records_are_taken_only_as_they_are_needed() -> None:
    taken = 0

    def records() -> Iterator[Record]:
        nonlocal taken
        while taken < 100:
            taken += 1
            yield GOOD

    with ThreadPoolExecutor(1) as executor:
        judgements = verify_all(records(), executor=Chunked(executor, chunk=2, in_flight=3))
        assert taken == 0
        for count in range(1, 20):
            assert next(judgements).valid
            assert taken <= count + 2 * 3 + 2


def test_a_chunk_that_cannot_be_judged_is_named() -> None:
    with Losing(lambda call, _: "lost" if call > 2 else "done") as executor, pytest.raises(WorkFailed) as caught:
        list(verify_all([GOOD] * 9, executor=Chunked(executor, chunk=2, in_flight=1)))
    assert caught.value.chunk == "the chunk of records 4 to 5"


def test_wrong_arguments_are_refused() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(TypeError, match="record must be a Record, not an int"):
        list(verify_all([GOOD, 3], executor=executor))  # type: ignore[list-item] # pyright: ignore[reportArgumentType]


# Texts that are cut before they are read


def scanned(text: str | Iterable[str], most: int = MAX_GAME) -> list[Record | Unreadable]:
    return [
        Unreadable(item.reason, item.line, item.column) if isinstance(item, InvalidNotation) else item
        for item in scan_records(text, max_bytes=most)
    ]


GAME = format_record(attrs.evolve(GOOD, moves=GOOD.moves[:9], points=(), winners=None))
PIECES = [
    *[f"{line}\n" for line in GAME.splitlines()],
    GAME,
    "\n",
    "% a note\n",
    "{ a comment\n",
    "}\n",
    "hearts/2\n",
    "  Hearts/1 Rules: default\n",
    "Result: *\n",
    "rubbish\r\n",
    "\ufeffHEARTS/1\n",
]


@st.composite
def cut_texts(draw: st.DrawFn) -> list[str]:
    text = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=14)))
    places = draw(st.lists(st.integers(0, len(text)), max_size=9).map(sorted))
    return [text[start:end] for start, end in pairwise([0, *places, len(text)])]


@pytest.mark.parametrize("most", [60, 400, MAX_GAME])
@given(pieces=cut_texts())
@example(pieces=PIECES)
@example(pieces=[GAME[:-20], GAME])
@example(pieces=[GAME * 2])
@example(pieces=["Hearts/1\r", "\nResult\r", "\n\n"])
@example(pieces=[GAME, "%" * MAX_LINE, "%\r\n", GAME, "\n", "{" * MAX_LINE, "{", "{\n}\n", GAME])
@example(pieces=[" " * MAX_LINE + "\n" + " " * MAX_LINE + "%\n"])
@example(pieces=[GAME, "x\n", "Result: *\n", GAME, "%", "%" * 80, "\n\n", GAME, "%\n{}\n"])
def test_a_text_that_is_cut_is_read_as_in_one_piece(pieces: list[str], most: int) -> None:
    """With any limit from which on a game is not held, and one by one."""
    text = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_judge, "MAX_GAME", most)
        parts = list(written_in_text(pieces))
        assert [item for part in parts for item in read_written(part)] == scanned(text)
        assert [[item] for item in scanned(text)] == [list(read_written(part)) for part in one_by_one(parts)]


@given(pieces=cut_texts(), most=st.integers(0, 700))
def test_a_text_a_file_and_lines_are_read_alike(pieces: list[str], most: int) -> None:
    """Empty lines too, of which a reader passes over many at once: they count for the limit of a game."""
    text = "\n\n\n".join(pieces)
    lines = io.StringIO(text, newline=None).readlines()
    expected = scanned(text, most)
    assert scanned(io.StringIO(text, newline=None), most) == scanned(lines, most) == expected
    assert any([isinstance(item, Record) for item in expected]) <= (most > len("Hearts/1\nRules:default\nResult:*"))


def test_games_are_read_by_whoever_judges_them() -> None:
    parts = list(written_in_text([texts(MIXED).decode()]))
    assert len(parts) == len(MIXED)
    assert all(isinstance(part, WrittenGame) for part in parts)
    judged = judge_written(parts)
    here = [[(tags, attrs.evolve(outcome, line=None)) for tags, outcome in each] for each in judged]
    assert here == [[(record.tags, judgement)] for record, judgement in zip(MIXED, EXPECTED, strict=True)]


def test_the_line_of_a_refused_move_is_told() -> None:
    """Whatever its move is, and however many lines stand before it or in it."""
    head = ["Hearts/1", "Rules: cardstock", "", "% a note"]
    deal = "Deal 0: C367TJQD589TS259JKH4T C5KD467JQS348TAH579JK C2489AD3KAS67QH2368QA"
    three = [*head[:1], "Rules: players=3 removed=2D pass_cycle=hold", *head[2:], deal]
    for lines, found in (
        ([*head, "Trick 0: 0:2C", "Result: *"], 5),
        ([*head, "Pass: 0:2C3C4C", "Result: *"], 5),
        ([*three, "Trick 0: 2:2C 3C {", "a comment", "} 4D", "Trick 1: 1:5C", "Result: *"], 8),
        ([*three, "", deal.replace("Deal 0", "Deal 1"), "Result: *"], 7),
        ([*three, "Trick 0: 2:2C 3C", "Moon: 0 others-up", "Result: *"], 7),
        ([*three, "Trick 0: 2:2C 3C", "Result: *"], None),
    ):
        ((_, outcome),) = judge_written([WrittenGame(101, "\n".join(lines), None)])[0]
        assert (outcome.line if isinstance(outcome, Judgement) else None) == (found and found + 100), lines


def test_what_stands_before_a_failure_to_read_counts() -> None:
    def failing() -> Iterator[str]:
        yield f"{GAME}Hearts/1\n"
        raise EOFError("torn")

    parts = written_in_text(failing())
    assert [item for part in islice(parts, 1) for item in read_written(part)] == scanned(GAME)
    with pytest.raises(EOFError, match="torn"):
        next(parts)


def test_a_record_with_a_seat_of_any_size_does_not_stop_the_next_one() -> None:
    text = (Path(__file__).parents[1] / "data" / "cracks" / "seat_beyond_i64.hearts").read_text("utf-8")
    judged = [outcome for outcomes in judge_written(list(written_in_text([text]))) for _, outcome in outcomes]
    failures = [outcome.failure for outcome in judged if isinstance(outcome, Judgement)]
    assert len(judged) == len(failures) == 3
    first, second, third = failures
    assert first is None
    assert third is None
    assert isinstance(second, RefusedMove)
    assert second.violations == (NoSuchSeat(999999999999999999999, 4),)
