"""The score sheet, with a row for each finished deal.

Every state has the whole sheet.
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
    """A row of the score sheet, the result of one deal.

    Tuples have one item per seat.

    Attributes:
        points: the points added to each total, from cards, moon, bonus cards, doubler and no-tricks bonus.
        card_points: the penalty value of each pile, before the moon and all bonuses.
        shooter: the seat that shot the moon, or None.
        effect: the moon's effect, one of the rules' `Moon.effects`, or None without a moon.
        sun: True if the moon was doubled because the shooter's side took every trick.
        tricks_won: the number of tricks each seat won.
        totals: the running totals after the deal, including `exact_resets`.
        queen_taker: the seat that captured the ♠Q, or None if no seat did or the deck does not have exactly one.
        exposed: the cards that each seat exposed, or empty if exposing is not allowed.
    """

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
    card_points: Final[tuple[int, ...]]
    shooter: Final[Seat | None]
    effect: Final[Moon | None]
    sun: Final[bool]
    tricks_won: Final[tuple[int, ...]]
    totals: Final[tuple[int, ...]]
    queen_taker: Final[Seat | None]
    exposed: Final[tuple[Cards, ...]]

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
"""The types of a row's attributes, since a compiled class has no annotations."""

_BLOCK: Final = 256
"""The maximum number of rows in a block, and of rows copied where lines of play diverge."""


class _Part:
    """The first rows of some blocks, all full except the last."""

    __slots__ = ("blocks", "length")

    def __init__(self, blocks: tuple[list[DealScore], ...], length: int) -> None:
        self.blocks: Final = blocks
        self.length: Final = length


@final
class ScoreSheet(Value, Drawable):
    """The rows of the finished deals, in order, as an immutable sequence.

    It begins with the first deal of the match, or later in a position set up without its history.

    >>> sheet = ScoreSheet((0, 0, 0, 0))
    >>> points = (13, 13, 0, 0)
    >>> longer = sheet.with_row(DealScore(points, points, None, None, False, (4, 4, 4, 1), points))
    >>> len(sheet), len(longer), longer[-1].points, longer.totals, longer.head(0) == sheet
    (0, 1, (13, 13, 0, 0), (13, 13, 0, 0), True)

    Args:
        rows: a `DealScore` for each deal from `first` on.

    Attributes:
        start: each seat's running total before the first row.
        first: the number of the deal of the first row, from 0.
        queen_taker_before: the seat that captured the ♠Q in the deal before the first row, or None.
    """

    __match_args__: ClassVar = ("start", "first", "rows", "queen_taker_before")
    __slots__ = ("_part", "first", "queen_taker_before", "start")

    start: Final[tuple[int, ...]]
    first: Final[int]
    queen_taker_before: Final[Seat | None]
    _part: Final[_Part]

    def __init__(
        self,
        start: Unchecked[tuple[int, ...]],
        first: Unchecked[int] = 0,
        rows: Iterable[DealScore] | _Part = (),
        queen_taker_before: Unchecked[int] | None = None,
    ) -> None:
        # Rows from another sheet have been checked already.
        checked = isinstance(rows, _Part)
        self.start = start if checked and isinstance(start, tuple) else _totals(start)
        self.first = first if checked and isinstance(first, int) else checked_int("first", first)
        self._part = rows if isinstance(rows, _Part) else _part_of(rows)
        self.queen_taker_before = (
            None if queen_taker_before is None else checked_int("queen_taker_before", queen_taker_before)
        )

    @property
    def rows(self) -> tuple[DealScore, ...]:
        """All rows as a new tuple."""
        return tuple(self)

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's running total after the last row."""
        length = self._part.length
        return self._at(length - 1).totals if length else self.start

    @property
    def queen_taker(self) -> Seat | None:
        """The seat that captured the ♠Q in the last deal, or None."""
        length = self._part.length
        return self._at(length - 1).queen_taker if length else self.queen_taker_before

    @property
    def next_deal(self) -> int:
        """The number of the deal after the last row, from 0."""
        return self.first + self._part.length

    def with_row(self, row: Unchecked[DealScore]) -> ScoreSheet:
        """Return the sheet with one more row. This sheet is unchanged."""
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
                # Another line of play, or another thread just now, has continued from here.
                blocks = (*blocks[:-1], [*rows[:used], row])
        return ScoreSheet(self.start, self.first, _Part(blocks, part.length + 1), self.queen_taker_before)

    def head(self, count: Unchecked[int]) -> ScoreSheet:
        """Return the sheet with only its first rows.

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
        # The last row's totals distinguish most sheets, and a match can have a hundred thousand rows.
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
