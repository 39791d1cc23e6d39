"""Random bits in words of 32, and what is drawn from them evenly: numbers and choices of cards, in machine integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import popcount
from heartsrules.chance.bits import Bits
from heartsrules.chance.stream import RandomStream

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Words"]

_ALL: Final = 0xFFFFFFFF


@final
class Words:
    """The random bits of a source in words of 32: of each 64 bits the upper half first.

    Everything is drawn exactly evenly. A `RandomStream` is read without detours, and gives the same numbers as any
    other source of its bits; so call `finish` when all is drawn.
    """

    def __init__(self, bits: Bits) -> None:
        self._bits: Final = bits
        self._stream: Final[RandomStream | None] = bits if isinstance(bits, RandomStream) else None
        self._half: i64 = -1
        """The lower half of the last 64 bits, or -1: it has been used. Of a stream, it is still in the stream."""

    def word(self) -> i64:
        """The next 32 bits."""
        stream = self._stream
        half = self._half
        if stream is not None:
            self._half = 0 if half < 0 else -1
            return stream.word()
        if half >= 0:
            self._half = -1
            return half
        both = self._bits.getrandbits(64)
        self._half = both & _ALL
        return both >> 32

    def finish(self) -> None:
        """Leave out what remains of the last 64 bits."""
        if self._half >= 0 and self._stream is not None:
            self._stream.word()
        self._half = -1

    def below(self, bound: i64) -> i64:
        """A number from 0 to bound - 1, for a bound from 1 to 2**31; a bound of 1 takes no word.

        It is the upper half of bound times a word. If the lower half is less than 2**32 % bound, another word is taken:
        so each number has equally many words (Lemire's method).
        """
        if bound == 1:
            return 0
        product = self.word() * bound
        low = product & _ALL
        if low < bound:
            least = (_ALL + 1) % bound
            while low < least:
                product = self.word() * bound
                low = product & _ALL
        return product >> 32

    def far_below(self, bound: int) -> int:
        """The same for a bound of any size.

        Above 2**31 it is the first bits, as many as bound - 1 has, of as many words as they take, drawn again until
        they are less than the bound.
        """
        if bound <= 2**31:
            return self.below(bound)
        length = (bound - 1).bit_length()
        words = -(-length // 32)
        while True:
            number = 0
            for _ in range(words):
                number = number << 32 | int(self.word())
            number >>= 32 * words - length
            if number < bound:
                return number

    def choice(self, once: i64, twice: i64, count: i64) -> tuple[i64, i64]:
        """So many of some cards, every choice equally likely; equal cards are told apart.

        The cards are gone through in order, first those of `once`, then those of `twice`. Of each, a number below the
        count of those that are left says whether it is taken: if it is less than what is still to be taken. When more
        than half are to be chosen, the others are chosen.

        Args:
            once: cards as a mask of faces.
            twice: further cards, of which each may be the equal of one of the first.
            count: how many; no more than there are.

        Returns:
            The chosen ones of `once` and of `twice`.
        """
        left = popcount(once)
        if twice:
            left += popcount(twice)
        others = count * 2 > left
        wanted = left - count if others else count
        rest = once
        first: i64 = 0
        while wanted and rest:
            bit = rest & -rest
            rest ^= bit
            if self.below(left) < wanted:
                first |= bit
                wanted -= 1
            left -= 1
        rest = twice
        second: i64 = 0
        while wanted:
            bit = rest & -rest
            rest ^= bit
            if self.below(left) < wanted:
                second |= bit
                wanted -= 1
            left -= 1
        if others:
            return once ^ first, twice ^ second
        return first, second
