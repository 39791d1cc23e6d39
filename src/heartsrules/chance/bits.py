"""Sources of random bits, and uniform numbers from them.

The specification of a seed's bits is part of "The seeded shuffle" in the documentation.
"""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING, Any, Final, Protocol

from heartsrules.base.values import Unchecked, checked_int, closed, int_text, plain_int, wrong_type

if TYPE_CHECKING:
    from mypy_extensions import i64

_BLOCK: Final = 32


class Bits(Protocol):
    """A source of random bits, such as `random.Random` or `random.SystemRandom`."""

    def getrandbits(self, k: int, /) -> int:
        """Return an integer of k random bits."""
        ...


class SeededBits:
    """The bit stream of a seed.

    The bits are SHA-256 in counter mode, cut into 64-bit words.

    Args:
        seed: a text, or an int of at most 600 digits, which is converted to its decimal text.
        label: the purpose of the bits. Streams with different labels are independent.

    Raises:
        ValueError: `seed` or `label` contains a lone surrogate, which is not a character, or `seed` has too many
            digits.

    >>> hex(SeededBits("table 7", "deal 0").getrandbits(64))
    '0x564fec0f4fd384c'
    """

    __slots__ = ("_block", "_counter", "_key", "_used")

    def __init__(self, seed: Unchecked[str | int], label: Unchecked[str] = "") -> None:
        text = seed_text(seed)
        self._key = hashlib.sha256(f"heartsrules 1\n{_text('label', label)}\n{text}".encode()).digest()
        self._counter = 0
        self._block = b""
        self._used: i64 = _BLOCK
        """The number of bytes of the block already used."""

    def getrandbits(self, k: Unchecked[int], /) -> int:
        """Return the first k bits of the next 64-bit word, with k from 1 to 64.

        Raises:
            ValueError: `k` is not from 1 to 64.
        """
        count = bit_count(k)
        high = int(self._half())
        return (high << 32 | int(self._half())) >> (64 - count)

    def _half(self) -> i64:
        at = self._used
        if at == _BLOCK:
            self._block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
            at = 0
        self._used = at + 4
        block = self._block
        high: i64 = block[at]
        high = high << 8 | block[at + 1]
        low: i64 = block[at + 2]
        low = low << 8 | block[at + 3]
        return high << 16 | low

    def __reduce__(self) -> tuple[Any, ...]:
        return _resumed, (self._key, self._counter, self._block, self._used)

    def _below_unchecked(self, bound: i64) -> i64:
        while True:
            high = self._half()
            low = self._half()
            if high < 0xFFFFFFFF or 0xFFFFFFFF - low >= excess(bound):
                return (high * (0x100000000 % bound) + low) % bound


def _resumed(key: bytes, counter: int, block: bytes, used: int) -> SeededBits:
    bits = SeededBits(0)
    bits._key, bits._counter, bits._block, bits._used = key, counter, block, used
    return bits


closed(SeededBits)


def excess(bound: i64) -> i64:
    """Return 2**64 % bound, for a bound from 1 to 2**31.

    These highest 64-bit numbers would make some remainders more likely.
    """
    ones = 0xFFFFFFFF % bound + 1
    return ones * ones % bound


_LONGEST: Final = 10**600


def seed_text(seed: object) -> str:
    """Convert a seed to its text.

    Raises:
        ValueError: it contains a lone surrogate, or has more than 600 digits.
    """
    if isinstance(seed, str):
        return _text("seed", seed)
    number = plain_int("seed", seed, "a str or an int")
    if not -_LONGEST < number < _LONGEST:
        raise ValueError(f"seed is {int_text(number)}: give at most 600 digits, or a text")
    return str(number)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        wrong_type(name, "a str", value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name} holds a lone surrogate at index {error.start}, which is not a character: leave it out"
        ) from None
    return value


def bit_count(k: object) -> int:
    """Check a number of bits and return it.

    Raises:
        ValueError: it is not from 1 to 64.
    """
    count = checked_int("k", k)
    if not 1 <= count <= 64:
        raise ValueError(f"k must be from 1 to 64, not {int_text(count)}")
    return count


def below(bits: Bits, bound: Unchecked[int]) -> int:
    """Return a uniform number from 0 to bound - 1.

    It is 64 bits modulo bound, drawn again above the last multiple of bound.

    Raises:
        ValueError: `bound` is not from 1 to 2**64.
    """
    count = checked_int("bound", bound)
    if not 1 <= count <= 2**64:
        raise ValueError(f"bound must be from 1 to 2**64, not {int_text(count)}")
    limit = 2**64 - 2**64 % count
    source = checked_bits(bits, "bits")
    while True:
        number = source.getrandbits(64)
        if number < limit:
            return number % count


def secret_unless(rng: Bits | None) -> Bits:
    """Return the given source of random bits, or the unpredictable system source."""
    return random.SystemRandom() if rng is None else checked_bits(rng)


def checked_bits(rng: Bits | None, name: str = "rng") -> Bits:
    """Check that an argument is a source of random bits and return it."""
    # A class has the method too, but no state.
    # Compiled, `hasattr` would swallow all that a source raises meanwhile, Ctrl-C included.
    if rng is None or isinstance(rng, type) or getattr(rng, "getrandbits", None) is None:
        wrong_type(name, "a source of random bits, such as random.Random(7)", rng)
    return rng
