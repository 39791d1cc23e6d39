"""The shuffle of the specification."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from heartsrules.base.values import wrong_type
from heartsrules.chance.bits import Bits, SeededBits, below, checked_bits
from heartsrules.chance.stream import RandomStream

if TYPE_CHECKING:
    from mypy_extensions import i64

T = TypeVar("T")


def shuffled(items: Iterable[T], bits: Bits) -> list[T]:
    """Return the items in random order.

    This is the Fisher-Yates shuffle, from the last position down.
    """
    if not isinstance(items, Iterable):
        wrong_type("items", "an iterable", items)
    checked_bits(bits, "bits")
    order = list(items)
    seeded = bits if isinstance(bits, SeededBits) else None
    stream = bits if isinstance(bits, RandomStream) else None
    last: i64 = len(order) - 1
    while last > 0:
        other: i64
        # With `below` for all sources a seeded deal takes 2.4 times as many instructions.
        if seeded is not None:
            other = seeded._below_unchecked(last + 1)
        elif stream is not None:
            other = stream._fair_unchecked(last + 1)
        else:
            other = below(bits, last + 1)
        item = order[last]
        order[last] = order[other]
        order[other] = item
        last -= 1
    return order
