"""The score sheet: an immutable sequence of rows whose memory the states of a match share."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any, Final

import pytest

from heartsrules import COMPILED, Card, Cards, Deal, DealScore, Move, Play, Rules, ScoreSheet, State, apply, new_game
from heartsrules.base.values import replaced
from heartsrules.play.game import Record, verify
from heartsrules.play.sheet import _BLOCK
from heartsrules.rules import HOLD, Moon, OpeningCard, OpeningLeader
from support.builds import wrong_type

START: Final = (0, 0, 0)
ROWS: Final = 100_000


def row(number: int) -> DealScore:
    """A row that differs from those of other numbers."""
    points = (number, 1, 2)
    return DealScore(points, points, None, None, False, (1, 1, 1), (number, number + 1, number + 2))


@pytest.fixture(scope="module")
def long_sheet() -> ScoreSheet:
    return grown(ROWS)


def grown(count: int) -> ScoreSheet:
    """A sheet that got its rows one after the other, as a match gives them."""
    sheet = ScoreSheet(START)
    for number in range(count):
        sheet = sheet.with_row(row(number))
    return sheet


LENGTHS: Final = (0, 1, _BLOCK - 1, _BLOCK, _BLOCK + 1, 2 * _BLOCK - 1, 2 * _BLOCK, 2 * _BLOCK + 1)


@pytest.mark.parametrize("length", LENGTHS)
def test_it_is_the_sequence_of_its_rows(length: int) -> None:
    rows = tuple(map(row, range(length)))
    for sheet in (grown(length), ScoreSheet(START, 0, rows), ScoreSheet(START, 0, iter(rows))):
        assert (len(sheet), bool(sheet), tuple(sheet), sheet.rows) == (length, bool(length), rows, rows)
        assert [sheet[number] for number in range(-length, length)] == [*rows, *rows]
        for part in (slice(None), slice(1, -1), slice(None, None, -2), slice(length, 0), slice(5 * length)):
            assert sheet[part] == rows[part]
        assert sheet.totals == (rows[-1].totals if rows else START)
        assert row(length) not in sheet
        assert "row" not in sheet
        assert all(each in sheet for each in rows[-2:])
        for wrong in (length, -length - 1, 10**5000):
            with pytest.raises(IndexError, match=rf"{length} row{'' if length == 1 else 's'}, and none at"):
                sheet[wrong]


def test_slices_and_indexes_of_other_types_are_refused() -> None:
    sheet: Any = grown(2)
    for index in (1.0, "0", None):
        with wrong_type("index must be an int or a slice"):
            sheet[index]


@pytest.mark.parametrize("length", LENGTHS)
def test_equality_and_hash_are_those_of_the_rows(length: int) -> None:
    one, other = grown(length), ScoreSheet(START, 0, map(row, range(length)))
    assert one == other
    assert hash(one) == hash(other)
    assert one == one.head(length)
    assert hash(one.with_row(row(7))) == hash(other.with_row(row(7)))
    assert one != one.with_row(row(7))
    assert one != ScoreSheet((0, 0, 1), 0, one.rows)
    assert one != ScoreSheet(START, 1, one.rows)
    assert one != one.rows
    assert hash(one) != hash(ScoreSheet(START, 1, one.rows))
    if length:
        assert one != one.head(length - 1)
        assert one != one.head(length - 1).with_row(row(-1))
        assert one != ScoreSheet(START, 0, [row(-1), *one.rows[1:]])


@pytest.mark.parametrize("length", LENGTHS)
def test_lines_of_play_that_part_do_not_touch_each_other(length: int) -> None:
    trunk = grown(2 * _BLOCK + 5)
    before = (trunk.rows, hash(trunk))
    stem = trunk.head(length)
    branches = []
    for first in range(3):
        branch = stem
        for number in range(_BLOCK + 2):
            branch = branch.with_row(row(-1000 * first - number - 1))
        branches.append(branch)
    assert (trunk.rows, hash(trunk)) == before
    assert stem.rows == trunk.rows[:length]
    for first, branch in enumerate(branches):
        added = [row(-1000 * first - number - 1) for number in range(_BLOCK + 2)]
        assert list(branch) == [*trunk.rows[:length], *added]
        assert branch == ScoreSheet(START, 0, branch.rows)
        assert hash(branch) == hash(ScoreSheet(START, 0, branch.rows))
    assert len({*branches, stem, trunk}) == 5


def test_lines_of_play_share_their_full_blocks() -> None:
    trunk = grown(3 * _BLOCK + 9)
    branch = trunk.head(2 * _BLOCK + 3).with_row(row(-1))
    shared = [one is other for one, other in zip(trunk._part.blocks, branch._part.blocks, strict=False)]
    assert shared == [True, True, False]
    assert trunk.with_row(row(1))._part.blocks[-1] is trunk._part.blocks[-1]


def test_random_lines_of_play_are_what_lists_are() -> None:
    rng = random.Random(3)
    trunk = grown(_BLOCK - 6)
    known: list[tuple[ScoreSheet, list[DealScore]]] = [(trunk, list(trunk))]
    for number in range(4000):
        sheet, rows = known[rng.randrange(max(len(known) - 3, 0), len(known)) if rng.random() < 0.95 else 0]
        if rng.random() < 0.01:
            count = max(0, len(rows) - rng.randrange(40))
            known.append((sheet.head(count), rows[:count]))
        else:
            known.append((sheet.with_row(row(number)), [*rows, row(number)]))
        if rng.random() < 0.02:
            hash(known[-1][0])
        del known[:-60]
    assert max(len(rows) for _, rows in known) > _BLOCK
    for sheet, rows in known:
        assert list(sheet) == rows
        assert hash(sheet) == hash(ScoreSheet(START, 0, rows))


@pytest.mark.long
@pytest.mark.untraced
def test_a_hundred_thousand_rows_need_no_recursion(long_sheet: ScoreSheet) -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(150 if COMPILED else 220)
    try:
        again = ScoreSheet(START, 0, long_sheet)
        assert again == long_sheet
        assert hash(again) == hash(long_sheet)
        assert pickle.loads(pickle.dumps(long_sheet)) == long_sheet
        assert copy.copy(long_sheet) is long_sheet
        assert copy.deepcopy(long_sheet) is long_sheet
        assert repr(long_sheet).count("DealScore(") == ROWS
        assert list(long_sheet.head(3)) == [row(0), row(1), row(2)]
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("length", [0, 1, _BLOCK, _BLOCK + 1])
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_it_pickles_and_its_repr_is_python(length: int, protocol: int) -> None:
    sheet = ScoreSheet((1, 2, 3), 4, map(row, range(length)))
    assert pickle.loads(pickle.dumps(sheet, protocol)) == sheet
    assert eval(repr(sheet)) == sheet
    assert replaced(sheet, first=5) == ScoreSheet((1, 2, 3), 5, sheet.rows)


@pytest.mark.parametrize("name", ["start", "first", "rows", "_part", "totals", "other"])
def test_it_cannot_be_changed(name: str) -> None:
    sheet: Any = grown(1)
    with pytest.raises(AttributeError):
        setattr(sheet, name, ())
    with pytest.raises((AttributeError, TypeError)):
        delattr(sheet, name)
    with pytest.raises(TypeError):
        sheet[0] = row(2)
    score: Any = row(1)
    with pytest.raises(AttributeError):
        score.points = ()
    assert sheet == grown(1)


WRONG: Final[list[tuple[str, Callable[[], object]]]] = [
    ("start must be a tuple of ints, not a list", lambda: ScoreSheet([0, 0])),  # type: ignore[arg-type]
    ("start must hold only ints, not a float", lambda: ScoreSheet((0.5,))),  # type: ignore[arg-type]
    ("start must hold only ints, not a bool", lambda: ScoreSheet((True,))),
    ("rows must be an iterable of DealScore, not an int", lambda: ScoreSheet(START, 0, 3)),  # type: ignore[arg-type]
    ("rows must be an iterable of DealScore, not a str", lambda: ScoreSheet(START, 0, "ab")),  # type: ignore[arg-type]
    ("rows must hold only DealScore, not an int", lambda: ScoreSheet(START, 0, [3])),  # type: ignore[list-item]
    ("row must be a DealScore, not a tuple", lambda: ScoreSheet(START).with_row(())),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("words", "call"), WRONG)
def test_wrong_types_are_named(words: str, call: Callable[[], object]) -> None:
    with wrong_type(words):
        call()


def test_an_index_is_shown_as_a_plain_int() -> None:
    with pytest.raises(IndexError, match=r"^the sheet has 1 row, and none at 1$"):
        grown(1)[True]


@pytest.mark.parametrize("count", [-1, 3])
def test_a_head_longer_than_the_sheet_is_refused(count: int) -> None:
    with pytest.raises(IndexError, match="the sheet has 2 rows: give a count from 0 to 2"):
        grown(2).head(count)


# ---------------------------------------------------------------------------------------- the memory of a long match

SHORT: Final = Rules(
    players=3, removed=Rules().deck - Cards("2C 3C 4C"), queen_points=0, extra_penalties=[(Card("4C"), 1)],
    moon=Moon.OFF, target=None, max_deals=100_000, pass_cycle=[HOLD], opening_leader=OpeningLeader.DEALER_LEFT,
    opening_card=OpeningCard.ANY,
)  # fmt: skip
"""A deal is three cards and one trick, so that a match of many deals is soon played."""


def short_moves(deals: int) -> list[Move]:
    cards = [Card("2C"), Card("3C"), Card("4C")]
    dealt = Deal([Cards([card]) for card in cards], Cards())
    turns = [[Play((first + place) % 3, cards[(first + place) % 3]) for place in range(3)] for first in range(3)]
    moves: list[Move] = []
    for number in range(deals):
        moves += [dealt, *turns[(number + 1) % 3]]
    return moves


def kept_by(call: Callable[[], object]) -> tuple[int, int]:
    """How many bytes a call's result keeps, and how many there were at once at most."""
    gc.collect()
    tracemalloc.start()
    try:
        result = call()
        kept, most = tracemalloc.get_traced_memory()
        del result
    finally:
        tracemalloc.stop()
    return kept, most


def all_states(deals: int) -> list[State]:
    state: State = new_game(SHORT)
    states: list[State] = [state]
    for move in short_moves(deals):
        state = apply(state, move)
        states.append(state)
    assert len(state.score_sheet) == deals
    return states


MANY: Final = [2_000, pytest.param(10_000, marks=pytest.mark.long)]


@pytest.mark.long
@pytest.mark.once_compiled
@pytest.mark.untraced
@pytest.mark.parametrize("deals", MANY)
def test_the_states_of_a_long_match_take_memory_in_proportion_to_its_deals(deals: int) -> None:
    all_states(10)
    few, many = kept_by(lambda: all_states(deals // 4))[0], kept_by(lambda: all_states(deals))[0]
    assert 3 * few < many < 5 * few


@pytest.mark.long
@pytest.mark.once_compiled
@pytest.mark.untraced
@pytest.mark.parametrize("deals", MANY)
def test_verifying_four_times_the_deals_takes_at_most_five_times_the_memory(deals: int) -> None:
    short, long = [Record(rules=SHORT, moves=tuple(short_moves(count))) for count in (deals // 4, deals)]
    assert verify(short).failure is None
    few, many = kept_by(lambda: verify(short))[1], kept_by(lambda: verify(long))[1]
    assert many < 5 * few


def test_every_state_of_a_long_match_can_be_hashed() -> None:
    states = all_states(2_000)
    assert len(set(states)) == len(states)
