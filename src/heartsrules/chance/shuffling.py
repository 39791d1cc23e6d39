"""The shuffle, as its specification says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from heartsrules.base.values import wrong_type
from heartsrules.chance.bits import Bits, below, checked_bits
from heartsrules.chance.stream import RandomStream

if TYPE_CHECKING:
    from mypy_extensions import i64

T = TypeVar("T")


def shuffled(items: Iterable[T], bits: Bits) -> list[T]:
    """The items in random order: the Fisher-Yates shuffle, from the last place down."""
    if not isinstance(items, Iterable):
        wrong_type("items", "an iterable", items)
    checked_bits(bits, "bits")
    order = list(items)
    if isinstance(bits, RandomStream):
        shuffle(order, bits)
        return order
    for last in range(len(order) - 1, 0, -1):
        other = below(bits, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def shuffle(order: list[T], stream: RandomStream) -> None:
    """Put a list into random order, as `shuffled` does."""
    last: i64 = len(order) - 1
    while last > 0:
        other = stream.fair_unchecked(last + 1)
        item = order[last]
        order[last] = order[other]
        order[other] = item
        last -= 1
