"""Lazy sequences of moves that are too many to be listed: the base of those of passes and of exposures.

The choices of a seat are counted, and the move at an index is worked out on demand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, SupportsIndex, TypeVar, overload

from heartsrules.base.values import Unchecked, as_index, checked_int, int_text, own_registry
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
    """The name of one choice, and of several."""

    def __init__(self, seat: Seat, cards: Cards, count: int) -> None:
        self.seat: Final = seat
        self.cards: Final = cards
        """The cards of the hand that may be chosen."""
        self.count: Final = count

    def at(self, index: Unchecked[int]) -> M:
        """The move at an index.

        Raises:
            IndexError: the index is not from 0 to `count` - 1.
        """
        number = checked_int("index", index)
        if not 0 <= number < self.count:
            raise _none_at(number, self.count, self._what)
        return self.at_unchecked(number)

    def at_unchecked(self, index: int) -> M:
        """The move at an index that is not checked."""
        raise NotImplementedError

    def holds(self, move: Unchecked[M]) -> bool:
        """Whether a move is one of these choices, whatever its seat."""
        raise NotImplementedError

    def _key(self) -> tuple[object, ...]:
        """The constructor's arguments, which are equal for equal choices."""
        return self.seat, self.cards

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._key()


def chosen_of(faces: i64, index: int) -> Cards:
    """The choice of any of some faces at an index, in the order of binary numbers."""
    chosen: i64 = 0
    while index > 0:
        bit = faces & -faces
        faces ^= bit
        if index & 1:
            chosen |= bit
        index >>= 1
    return bag_of(chosen, 0)


class ChoiceMoves(Sequence[M]):
    """The moves that may be made now, seat by seat, as an immutable lazy sequence.

    Subclasses have `__contains__`, which looks at the type of a move.
    """

    __slots__ = ("__weakref__", "_count", "_parts")
    _what: ClassVar[tuple[str, str]]

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
                    return part.at_unchecked(number)
                number -= part.count
        raise _none_at(place, self._count, self._what)

    def __iter__(self) -> Iterator[M]:
        for part in self._parts:
            for index in range(part.count):
                yield part.at_unchecked(index)

    def _holds(self, move: M) -> bool:
        """Whether a move is one of these."""
        return any(part.seat == move.seat and part.holds(move) for part in self._parts)

    def _key(self) -> tuple[object, ...]:
        return tuple([part._key() for part in self._parts])

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, ChoiceMoves):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._parts,)

    def __repr__(self) -> str:
        text = _counted(self._count, self._what)
        if self._parts:
            seats = ", ".join([str(part.seat) for part in self._parts])
            text += f" of seat{'s' if len(self._parts) > 1 else ''} {seats}"
        return f"<{text}>"


own_registry(ChoiceMoves)


def _counted(count: int, what: tuple[str, str]) -> str:
    return f"{count} {what[0] if count == 1 else what[1]}"


def _none_at(index: int, count: int, what: tuple[str, str]) -> IndexError:
    verb = "is" if count == 1 else "are"
    return IndexError(f"there {verb} {_counted(count, what)}, so there is none at {int_text(index)}")
