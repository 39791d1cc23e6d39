"""Exactly uniform draws of numbers and cards from 32-bit words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import popcount
from heartsrules.chance.bits import Bits
from heartsrules.chance.stream import RandomStream

if TYPE_CHECKING:
    from mypy_extensions import i64

_ALL: Final = 0xFFFFFFFF


@final
class Words:
    """The random bits of a source as 32-bit words, upper half of each 64 bits first.

    All draws are exactly uniform. A `RandomStream` is read directly and gives the same numbers as any other source of
    its bits, so call `finish` after the last draw. An impossible draw raises `ValueError`; without the check, some
    would never end.
    """

    def __init__(self, bits: Bits) -> None:
        self._bits: Final = bits
        self._stream: Final[RandomStream | None] = bits if isinstance(bits, RandomStream) else None
        self._half: i64 = -1
        """The unused lower half of the last 64 bits.

        It is -1 if there is none or it is still in the stream."""

    def word(self) -> i64:
        """Return the next 32 bits."""
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
        """Discard the rest of the last 64 bits."""
        if self._half >= 0 and self._stream is not None:
            self._stream.word()
        self._half = -1

    def below(self, bound: i64) -> i64:
        """Return a number from 0 to bound - 1, for a bound from 1 to 2**31.

        It is the upper half of bound times a word. If the lower half is less than 2**32 % bound, it takes another word,
        so that each number belongs to the same number of words (Lemire's method). A bound of 1 takes no word.
        """
        if bound <= 1:
            if bound < 1:
                raise ValueError(f"a draw needs a bound of at least 1, not {bound}")
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
        """Return a number from 0 to bound - 1, for a bound of any size.

        Above 2**31 it takes as many leading bits as bound - 1 has, and draws again until they are below the bound.
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
        """Choose `count` of some cards uniformly.

        Equal cards are distinct. This is selection sampling: it visits the cards in order, first `once`, then `twice`,
        and takes each one if a random number below the number of cards left is below the number still needed. To choose
        more than half, it chooses the others.

        Args:
            once: the cards, as a mask.
            twice: second copies of cards, as a mask.
            count: the number of cards to choose.

        Returns:
            The chosen cards of `once` and of `twice`, as masks.
        """
        left = popcount(once)
        if twice:
            left += popcount(twice)
        if not 0 <= count <= left:
            raise ValueError(f"{count} cards cannot be chosen from {left}")
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
