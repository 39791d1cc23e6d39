"""A fast stream of random numbers, for playouts."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final, final

from heartsrules.base.values import Unchecked, checked_int, closed, int_text, wrong_item, wrong_type
from heartsrules.chance.bits import Bits, below, bit_count, checked_bits, excess, seed_text

if TYPE_CHECKING:
    from mypy_extensions import i64


_FEW: Final = 4096
"""The largest bound of `pick`."""
_WORD: Final = 2**32 - 1
_FRACTION: Final = 2**57 - 1
"""A fraction with all bits set, in units of 2**-57."""


@final
class Place:
    """A position in a pack of at most 64 cards.

    Args:
        number: the number of positions above this one.
        bit: the bit of the card at this position in card order.
    """

    __slots__ = ("bit", "inverse", "new", "shuffled", "wrap")

    def __init__(self, number: i64, bit: i64) -> None:
        self.new: Final[i64] = bit
        """The card's bit in card order."""
        self.bit: i64 = bit
        """The card's bit during a shuffle, otherwise `new`."""
        self.shuffled: i64 = bit
        """The card's bit after the last shuffle."""
        self.wrap: Final[i64] = 0x100000000 % (number + 1)
        """2**32 modulo the number of positions up to this one."""
        self.inverse: Final[i64] = _FRACTION // (number + 1) + 1
        """The inverse of that number, rounded up, in units of 2**-57."""


@final
class RandomStream:
    """A fast stream of random numbers, for playouts.

    It is Chris Doty-Humphrey's sfc32 generator, and changes with every draw. It can replace `random.Random` and is
    several times as fast in a compiled build. Do not use it for deals that players must not predict; `deal(state)`
    makes those.

    Args:
        seed: a text, or an int of at most 600 digits, which is converted to its decimal text. It is hashed, so that
            similar seeds give unrelated streams.
        words: the four words of a stream to continue, as `repr` shows them. The seed is then ignored.

    Raises:
        ValueError: `words` are not all from 0 to 2**32 - 1, or `seed` contains a lone surrogate or too many digits.

    >>> stream = RandomStream("table 7")
    >>> [stream.below(6) + 1 for _ in range(10)]
    [1, 1, 2, 4, 2, 3, 5, 6, 5, 6]
    """

    __slots__ = ("_a", "_b", "_c", "_counter")

    _a: i64
    _b: i64
    _c: i64
    _counter: i64

    def __init__(self, seed: Unchecked[str | int], words: Unchecked[tuple[int, int, int, int]] | None = None) -> None:
        if words is not None:
            self._a, self._b, self._c, self._counter = _four_words(words)
            return
        digest = hashlib.sha256(f"heartsrules 1\ndraws\n{seed_text(seed)}".encode()).digest()
        self._a = 0
        self._b = int.from_bytes(digest[4:8], "big")
        self._c = int.from_bytes(digest[:4], "big")
        self._counter = 1
        self._stir()

    @staticmethod
    def from_bits(bits: Unchecked[int]) -> RandomStream:
        """Return a stream seeded with 64 random bits, without hashing.

        Raises:
            ValueError: `bits` is not from 0 to 2**64 - 1.
        """
        number = checked_int("bits", bits)
        if not 0 <= number < 2**64:
            raise ValueError(f"bits must be from 0 to 2**64 - 1, not {int_text(number)}")
        stream = RandomStream(0, (0, number & 0xFFFFFFFF, number >> 32, 1))
        stream._stir()
        return stream

    def copy(self) -> RandomStream:
        """Return a copy, which continues with the same numbers."""
        return RandomStream(0, (self._a, self._b, self._c, self._counter))

    def __copy__(self) -> RandomStream:
        return self.copy()

    def __deepcopy__(self, memo: object) -> RandomStream:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return RandomStream, (0, (self._a, self._b, self._c, self._counter))

    def __repr__(self) -> str:
        return f"RandomStream(0, words=({self._a}, {self._b}, {self._c}, {self._counter}))"

    def _stir(self) -> None:
        """Skip the first words, which still resemble the seed."""
        for _ in range(12):
            self.word()

    def word(self) -> i64:
        """Return the next 32 random bits."""
        a = self._a
        b = self._b
        c = self._c
        counter = self._counter
        word = (a + b + counter) & 0xFFFFFFFF
        self._counter = (counter + 1) & 0xFFFFFFFF
        self._a = b ^ (b >> 9)
        self._b = (c + (c << 3)) & 0xFFFFFFFF
        self._c = (((c << 21) | (c >> 11)) + word) & 0xFFFFFFFF
        return word

    def _jump_to(self, substream: i64, offset: i64) -> None:
        """Jump to an offset of a 32-bit substream, whatever has been drawn before."""
        # The bits are mixed as in `lowbias32` by Chris Wellons, so that neighbouring offsets have nothing in common.
        mixed = (substream + (offset + 1) * 0x9E3779B9) & 0xFFFFFFFF
        mixed = ((mixed ^ (mixed >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
        mixed = ((mixed ^ (mixed >> 15)) * 0x846CA68B) & 0xFFFFFFFF
        mixed = mixed ^ (mixed >> 16)
        self._a = mixed
        self._b = substream
        self._c = mixed ^ 0x5BD1E995
        self._counter = 1

    def pick(self, bound: Unchecked[int]) -> int:
        """Return a nearly uniform number from 0 to bound - 1.

        It is the upper half of bound times a word. The probabilities differ by at most one part in a million. A bound
        of 1 draws nothing.

        Raises:
            ValueError: `bound` is not from 1 to 4096.
        """
        number = checked_int("bound", bound)
        if not 1 <= number <= _FEW:
            raise ValueError(f"bound must be from 1 to {_FEW}, not {int_text(number)}")
        return self._pick_unchecked(number)

    def _pick_unchecked(self, bound: i64) -> i64:
        # As one expression, mypyc would make an object of the number.
        if bound > 1:
            return (self.word() * bound) >> 32
        return 0

    def fair(self, bound: Unchecked[int]) -> int:
        """Return an exactly uniform number from 0 to bound - 1.

        It is the number that `heartsrules.chance.below` draws.

        Raises:
            ValueError: `bound` is not from 1 to 2**31.
        """
        number = checked_int("bound", bound)
        if not 1 <= number <= 2**31:
            raise ValueError(f"bound must be from 1 to 2**31, not {int_text(number)}")
        return self._fair_unchecked(number)

    def _fair_unchecked(self, bound: i64) -> i64:
        while True:
            high = self.word()
            low = self.word()
            if high < 0xFFFFFFFF or 0xFFFFFFFF - low >= excess(bound):
                return (high * (0x100000000 % bound) + low) % bound

    def _shuffle_places(self, places: list[Place]) -> None:
        # `word` is written out, so that its numbers stay in registers.
        a = self._a
        b = self._b
        c = self._c
        counter = self._counter
        bound: i64 = len(places)
        for place in reversed(places):
            drawn: i64 = 0
            while bound > 1:
                high = (a + b + counter) & _WORD
                a = b ^ (b >> 9)
                b = (c + (c << 3)) & _WORD
                c = (((c << 21) | (c >> 11)) + high) & _WORD
                low = (a + b + counter + 1) & _WORD
                a = b ^ (b >> 9)
                b = (c + (c << 3)) & _WORD
                c = (((c << 21) | (c >> 11)) + low) & _WORD
                counter = (counter + 2) & _WORD
                if high < _WORD or _WORD - low >= excess(bound):
                    # The remainder from the fraction of the quotient (Lemire's method): a division takes longer.
                    drawn = (high * place.wrap + low) * place.inverse & _FRACTION
                    drawn = (drawn * bound) >> 57
                    break
            # Compiled, a local variable for the other place would count references.
            place.shuffled = places[drawn].bit
            places[drawn].bit = place.bit
            place.bit = place.new
            bound -= 1
        self._a = a
        self._b = b
        self._c = c
        self._counter = counter

    def below(self, bound: Unchecked[int]) -> int:
        """Return a number from 0 to bound - 1.

        It uses `pick` for bounds up to 4096 and `heartsrules.chance.below` above.

        Raises:
            ValueError: `bound` is not from 1 to 2**64.
        """
        number = checked_int("bound", bound)
        return self._pick_unchecked(number) if 1 <= number <= _FEW else below(self, number)

    def getrandbits(self, k: Unchecked[int], /) -> int:
        """Return the first k bits of the next two words, with k from 1 to 64.

        Raises:
            ValueError: `k` is not from 1 to 64.
        """
        count = bit_count(k)
        high = int(self.word())
        return (high << 32 | int(self.word())) >> (64 - count)


closed(RandomStream)


def _four_words(words: object) -> tuple[int, int, int, int]:
    if not isinstance(words, tuple):
        wrong_type("words", "a tuple of four ints", words)
    if len(words) != 4:
        raise TypeError(f"words must be four ints, not {len(words)}")
    for word in words:
        if not isinstance(word, int) or isinstance(word, bool):
            wrong_item("words", "ints", word)
        if not 0 <= word < 2**32:
            raise ValueError(f"words must be from 0 to 2**32 - 1, not {int_text(word)}")
    a, b, c, counter = words
    return a, b, c, counter


def as_stream(rng: RandomStream | Bits) -> RandomStream:
    """Return a `RandomStream` itself, or a new one seeded from another source."""
    return rng if isinstance(rng, RandomStream) else RandomStream.from_bits(checked_bits(rng).getrandbits(64))
