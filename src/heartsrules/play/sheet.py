"""The score sheet: a row for each finished deal, in memory that the states of a match share.

A match may have a hundred thousand deals. Each state has the whole sheet, so the sheets of one line of play keep their
rows in the same blocks: a new row is written behind the last one, and each sheet knows how many rows are its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final, final, overload

from heartsrules.base.values import Drawable, Unchecked, Value, as_index, checked_int, int_text, items_in, wrong_type
from heartsrules.cards import Cards
from heartsrules.rules import Moon, Seat
from heartsrules.rules.arguments import ints_of

__all__ = ["DealScore", "ScoreSheet"]
__dir__ = __all__.copy


@final
class DealScore(Value):
    """The result of one deal: a row of the score sheet. Tuples are by seat."""

    __match_args__: ClassVar = (
        "points",
        "card_points",
        "shooter",
        "effect",
        "sun",
        "tricks_won",
        "totals",
        "queen_taker",
        "exposed",
    )
    __slots__ = __match_args__

    points: Final[tuple[int, ...]]
    """What the deal adds to each total: cards, moon, bonus cards, doubler and no-tricks bonus together."""
    card_points: Final[tuple[int, ...]]
    """The penalty value of each pile of captured cards, before the moon and all bonuses."""
    shooter: Final[Seat | None]
    """Who shot the moon, if anybody did."""
    effect: Final[Moon | None]
    """What the moon did, one of the `Moon.effects` of the rules; None without a moon."""
    sun: Final[bool]
    """Whether the shooter's side took every trick and the moon was doubled for it."""
    tricks_won: Final[tuple[int, ...]]
    """How many tricks each seat won."""
    totals: Final[tuple[int, ...]]
    """The running totals after the deal, `exact_resets` included."""
    queen_taker: Final[Seat | None]
    """Who captured the Q♠; None: nobody did, or not exactly one is in play."""
    exposed: Final[tuple[Cards, ...]]
    """The cards that each seat had shown; empty: no cards may be shown."""

    def __init__(
        self,
        points: tuple[int, ...],
        card_points: tuple[int, ...],
        shooter: Seat | None,
        effect: Moon | None,
        sun: bool,
        tricks_won: tuple[int, ...],
        totals: tuple[int, ...],
        queen_taker: Seat | None = None,
        exposed: tuple[Cards, ...] = (),
    ) -> None:
        self.points = points
        self.card_points = card_points
        self.shooter = shooter
        self.effect = effect
        self.sun = sun
        self.tricks_won = tricks_won
        self.totals = totals
        self.queen_taker = queen_taker
        self.exposed = exposed


ROW_TYPES: Final[dict[str, Any]] = {
    "points": tuple[int, ...],
    "card_points": tuple[int, ...],
    "shooter": int | None,
    "effect": Moon | None,
    "sun": bool,
    "tricks_won": tuple[int, ...],
    "totals": tuple[int, ...],
    "queen_taker": int | None,
    "exposed": tuple[Cards, ...],
}
"""The types of a row's attributes. A compiled class does not keep its annotations."""

_BLOCK: Final = 256
"""The most rows of a block. Where lines of play part, at most this many are copied."""


class _Part:
    """The first rows of some blocks, all of them full but the last."""

    __slots__ = ("blocks", "length")

    def __init__(self, blocks: tuple[list[DealScore], ...], length: int) -> None:
        self.blocks: Final = blocks
        self.length: Final = length


@final
class ScoreSheet(Value, Drawable):
    """The rows of the finished deals, in order, as an immutable sequence.

    It begins with the first deal of the match. The sheet of a position that was set up without its history may begin
    later; `start` then has the totals before it.

    Args:
        start: by seat, the running totals before its first row.
        first: the number of the deal of its first row, from 0.
        rows: a `DealScore` for each deal from there on.
        queen_taker_before: who captured the Q♠ in the deal before its first row; None: nobody did, or there was none.

    >>> sheet = ScoreSheet((0, 0, 0, 0))
    >>> points = (13, 13, 0, 0)
    >>> longer = sheet.with_row(DealScore(points, points, None, None, False, (4, 4, 4, 1), points))
    >>> len(sheet), len(longer), longer[-1].points, longer.totals, longer.head(0) == sheet
    (0, 1, (13, 13, 0, 0), (13, 13, 0, 0), True)
    """

    __match_args__: ClassVar = ("start", "first", "rows", "queen_taker_before")
    __slots__ = ("_part", "first", "queen_taker_before", "start")

    start: Final[tuple[int, ...]]
    """By seat, the running totals before the first row."""
    first: Final[int]
    """The number of the deal of the first row, from 0."""
    queen_taker_before: Final[Seat | None]
    """Who captured the Q♠ in the deal before the first row; None: nobody did, or there was none."""
    _part: Final[_Part]

    def __init__(
        self,
        start: Unchecked[tuple[int, ...]],
        first: Unchecked[int] = 0,
        rows: Iterable[DealScore] | _Part = (),
        queen_taker_before: Unchecked[int] | None = None,
    ) -> None:
        # What comes from another sheet was checked when that was made.
        checked = isinstance(rows, _Part)
        self.start = start if checked and isinstance(start, tuple) else _totals(start)
        self.first = first if checked and isinstance(first, int) else checked_int("first", first)
        self._part = rows if isinstance(rows, _Part) else _part_of(rows)
        self.queen_taker_before = (
            None if queen_taker_before is None else checked_int("queen_taker_before", queen_taker_before)
        )

    @property
    def rows(self) -> tuple[DealScore, ...]:
        """All rows as a tuple, made anew each time."""
        return tuple(self)

    @property
    def totals(self) -> tuple[int, ...]:
        """By seat, the running totals after the last row."""
        length = self._part.length
        return self._at(length - 1).totals if length else self.start

    @property
    def queen_taker(self) -> Seat | None:
        """Who captured the Q♠ in the last deal; None: nobody did, or there was none."""
        length = self._part.length
        return self._at(length - 1).queen_taker if length else self.queen_taker_before

    @property
    def next_deal(self) -> int:
        """The number of the deal that follows the last row, from 0."""
        return self.first + self._part.length

    def with_row(self, row: Unchecked[DealScore]) -> ScoreSheet:
        """The sheet with one more row; this one stays as it is."""
        if not isinstance(row, DealScore):
            wrong_type("row", "a DealScore", row)
        part = self._part
        blocks = part.blocks
        used = part.length % _BLOCK
        if used == 0:
            blocks = (*blocks, [row])
        else:
            rows = blocks[-1]
            if len(rows) == used:
                rows.append(row)
            if rows[used] is not row:
                # Another line of play, or another thread just now, has gone on from here.
                blocks = (*blocks[:-1], [*rows[:used], row])
        return ScoreSheet(self.start, self.first, _Part(blocks, part.length + 1), self.queen_taker_before)

    def head(self, count: Unchecked[int]) -> ScoreSheet:
        """The sheet with only its first rows, as it was after so many deals from its first one on.

        Raises:
            IndexError: it has fewer rows.
        """
        count = checked_int("count", count)
        part = self._part
        if not 0 <= count <= part.length:
            raise IndexError(f"the sheet has {_counted(part.length)}: give a count from 0 to {part.length}")
        part = _Part(part.blocks[: -(-count // _BLOCK)], count)
        return ScoreSheet(self.start, self.first, part, self.queen_taker_before)

    def __len__(self) -> int:
        return self._part.length

    def __bool__(self) -> bool:
        return self._part.length > 0

    @overload
    def __getitem__(self, index: int) -> DealScore: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[DealScore, ...]: ...
    def __getitem__(self, index: object) -> DealScore | tuple[DealScore, ...]:
        part = self._part
        if isinstance(index, slice):
            return tuple([self._at(number) for number in range(*index.indices(part.length))])
        place = as_index(index)
        number = place + part.length if place < 0 else place
        if not 0 <= number < part.length:
            raise IndexError(f"the sheet has {_counted(part.length)}, and none at {int_text(place)}")
        return self._at(number)

    def _at(self, number: int) -> DealScore:
        return self._part.blocks[number // _BLOCK][number % _BLOCK]

    def __iter__(self) -> Iterator[DealScore]:
        for number in range(self._part.length):
            yield self._at(number)

    def __reversed__(self) -> Iterator[DealScore]:
        return reversed(self.rows)

    def __contains__(self, row: object) -> bool:
        return any([mine == row for mine in self])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ScoreSheet):
            return NotImplemented
        mine, its = self._part, other._part
        if self.start != other.start or self.first != other.first or mine.length != its.length:
            return False
        if self.queen_taker_before != other.queen_taker_before:
            return False
        left = mine.length
        for block, its_block in zip(mine.blocks, its.blocks):  # noqa: B905 - equally many, and strict is slow compiled
            if block is not its_block and block[:left] != its_block[:left]:
                return False
            left -= _BLOCK
        return True

    def __hash__(self) -> int:
        # The last row has the totals, which tell most sheets apart, and a match may have a hundred thousand rows.
        length = self._part.length
        last = self._at(length - 1) if length else None
        return hash((self.start, self.first, self.queen_taker_before, length, last))


def _totals(start: object) -> tuple[int, ...]:
    if not isinstance(start, tuple):
        wrong_type("start", "a tuple of ints", start)
    return ints_of("start", start)


def _counted(rows: int) -> str:
    return f"{rows} row" if rows == 1 else f"{rows} rows"


def _part_of(rows: object) -> _Part:
    listed: list[DealScore] = list(items_in("rows", rows, DealScore, "DealScore"))
    return _Part(tuple([listed[at : at + _BLOCK] for at in range(0, len(listed), _BLOCK)]), len(listed))


_FIRST: Final = tuple([ScoreSheet((0,) * players) for players in range(12)])


def first_sheet(players: int) -> ScoreSheet:
    """Return the empty sheet of a new match."""
    return _FIRST[players]
