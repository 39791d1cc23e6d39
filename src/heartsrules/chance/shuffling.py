"""The shuffle, as its specification says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from heartsrules.base.values import wrong_type
from heartsrules.chance.bits import Bits, below, checked_bits
from heartsrules.chance.stream import RandomStream

__all__ = ["shuffled"]

T = TypeVar("T")


def shuffled(items: Iterable[T], bits: Bits) -> list[T]:
    """The items in random order: the Fisher-Yates shuffle, from the last place down."""
    if not isinstance(items, Iterable):
        wrong_type("items", "an iterable", items)
    checked_bits(bits, "bits")
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = bits.fair_unchecked(last + 1) if isinstance(bits, RandomStream) else below(bits, last + 1)
        order[last], order[other] = order[other], order[last]
    return order
