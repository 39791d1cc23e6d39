"""Exposure: which cards of a hand may be shown before the first lead, as a lazy sequence of moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, SupportsIndex, overload

from heartsrules import tables as T
from heartsrules.cards import NO_CARDS, Cards, bag_of, popcount
from heartsrules.moves import Expose
from heartsrules.rules import Rules, Seat, doubled_tables
from heartsrules.state import faces_of
from heartsrules.tables import Tables
from heartsrules.values import as_index, own_registry, shown
from heartsrules.violations import NotExposable, NotInHand, Violation

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["ExposeMoves", "exposures_in", "reasons_against_exposure", "tables_with"]


class SeatExposures:
    """What one seat may show: any of some cards, or none.

    They come in the order of binary numbers: nothing; the first card; the second; both; the third, and so on.
    """

    __slots__ = ("cards", "count", "seat")

    def __init__(self, seat: Seat, cards: Cards) -> None:
        self.seat: Final = seat
        self.cards: Final = cards
        """The cards of the hand that may be shown."""
        self.count: Final = 1 << popcount(cards.lo)

    def at(self, index: int) -> Expose:
        """The move at an index from 0 to `count` - 1."""
        if not index:
            return Expose(self.seat, NO_CARDS)
        left: i64 = self.cards.lo
        chosen: i64 = 0
        while index:
            bit = left & -left
            left ^= bit
            if index & 1:
                chosen |= bit
            index >>= 1
        return Expose(self.seat, bag_of(chosen, 0))

    def holds(self, move: Expose) -> bool:
        """Whether a move shows nothing but these cards, each once."""
        return not move.cards.hi and not move.cards.lo & ~self.cards.lo


def exposures_in(tables: Tables, seat: Seat, hand: Cards) -> SeatExposures:
    """What a seat may show of its hand."""
    return SeatExposures(seat, bag_of(hand.lo & tables.exposable, 0))


def reasons_against_exposure(tables: Tables, cards: Cards, hand: Cards | None) -> tuple[Violation, ...]:
    """Why these cards may not be shown, in order of precedence; `()` if they may. `hand` is None where it may not be
    known."""
    reasons: tuple[Violation, ...] = ()
    if hand is not None and cards - hand:
        held = bag_of(hand.lo, hand.lo)
        reasons = (NotInHand(cards - hand, (cards - hand) & held),)
    wrong = bag_of(cards.lo & ~tables.exposable, cards.hi & ~tables.exposable)
    return reasons + (NotExposable(wrong),) if wrong else reasons


class ExposeMoves(Sequence[Expose]):
    """The exposures that may be made now, seat by seat, as an immutable lazy sequence.

    `len`, indexing, slicing and `in` build no more than what is asked for.
    """

    __slots__ = ("_count", "_parts")

    def __init__(self, parts: tuple[SeatExposures, ...]) -> None:
        self._parts: Final = parts
        count = 0
        for part in parts:
            count += part.count
        self._count: Final = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: SupportsIndex) -> Expose: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Expose, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Expose | tuple[Expose, ...]:
        if isinstance(index, slice):
            return tuple([self[number] for number in range(*index.indices(self._count))])
        place = as_index(index)
        number = place + self._count if place < 0 else place
        if number >= 0:
            for part in self._parts:
                if number < part.count:
                    return part.at(number)
                number -= part.count
        raise IndexError(f"there are {self._count} exposures, so there is none at {shown(place)}")

    def __iter__(self) -> Iterator[Expose]:
        for part in self._parts:
            for index in range(part.count):
                yield part.at(index)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Expose) and any(part.seat == move.seat and part.holds(move) for part in self._parts)

    def _key(self) -> tuple[tuple[Seat, Cards], ...]:
        return tuple([(part.seat, part.cards) for part in self._parts])

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, ExposeMoves) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        seats = ", ".join(str(part.seat) for part in self._parts)
        return f"<{self._count} exposures of seats {seats}>"


own_registry(ExposeMoves)


def tables_with(rules: Rules, shown: tuple[Cards, ...]) -> Tables:
    """The tables by which a deal is scored in which each seat has shown these cards.

    A shown card counts double, and a shown heart makes every heart do: the values are doubled once, so that scoring
    itself need not know of shown cards.
    """
    tables = rules.tables
    faces: i64 = faces_of(shown) if tables.exposable else 0
    if not faces:
        return tables
    if faces & T.HEARTS:
        faces |= T.HEARTS
    return doubled_tables(rules, faces)
