"""A lazy sequence of passes or exposures, which can be too many to list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, SupportsIndex, TypeVar, overload

from heartsrules.base.values import as_index, closed, immutable, int_text, own_registry
from heartsrules.cards import Cards, bag_of
from heartsrules.play.moves import Expose, Pass
from heartsrules.rules import Seat

if TYPE_CHECKING:
    from mypy_extensions import i64

M = TypeVar("M", bound=Pass | Expose)


class SeatChoices(Generic[M]):
    """The choices of one seat, in order. Subclasses define them and their `count`."""

    __slots__ = ("__weakref__", "cards", "count", "seat")
    _what: ClassVar[tuple[str, str]]
    """The name of one choice and of several."""

    def __init__(self, seat: Seat, cards: Cards, count: int) -> None:
        self.seat: Final = seat
        self.cards: Final = cards
        """The cards of the hand that may be chosen."""
        self.count: Final = count

    def at(self, index: int) -> M:
        """Return the move at a valid index."""
        raise NotImplementedError

    def holds(self, move: object) -> bool:
        """Return True if a move is one of these choices."""
        raise NotImplementedError

    def _key(self) -> tuple[object, ...]:
        return self.seat, self.cards

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._key()


def chosen_of(faces: i64, index: int) -> Cards:
    """Return the subset of cards at an index, in the order of binary numbers."""
    chosen: i64 = 0
    while index > 0:
        bit = faces & -faces
        faces ^= bit
        if index & 1:
            chosen |= bit
        index >>= 1
    return bag_of(chosen, 0)


class Choices(Sequence[M]):
    """The possible moves, seat by seat, as an immutable lazy sequence.

    `len`, indexing, slicing and `in` build only the moves that they return.
    """

    __slots__ = ("__weakref__", "_count", "_parts")

    def __init__(self, parts: tuple[SeatChoices[M], ...]) -> None:
        self._parts: Final = parts
        count = 0
        for part in parts:
            count += part.count
        self._count: Final = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: SupportsIndex) -> M: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[M, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> M | tuple[M, ...]:
        if isinstance(index, slice):
            return tuple([self[number] for number in range(*index.indices(self._count))])
        place = as_index(index)
        number = place + self._count if place < 0 else place
        if number >= 0:
            for part in self._parts:
                if number < part.count:
                    return part.at(number)
                number -= part.count
        verb = "is" if self._count == 1 else "are"
        raise IndexError(f"there {verb} {self._counted()}, so there is none at {int_text(place)}")

    def __contains__(self, move: object) -> bool:
        return any(part.holds(move) for part in self._parts)

    def __iter__(self) -> Iterator[M]:
        for part in self._parts:
            for index in range(part.count):
                yield part.at(index)

    def _key(self) -> tuple[object, ...]:
        return tuple([part._key() for part in self._parts])

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Choices) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Choices, (self._parts,)

    def _counted(self) -> str:
        one, several = self._parts[0]._what if self._parts else ("move", "moves")
        return f"{self._count} {one if self._count == 1 else several}"

    def __repr__(self) -> str:
        text = self._counted()
        if self._parts:
            seats = ", ".join([str(part.seat) for part in self._parts])
            text += f" of seat{'s' if len(self._parts) > 1 else ''} {seats}"
        return f"<{text}>"


own_registry(Choices)
closed(Choices)
immutable(Choices)
