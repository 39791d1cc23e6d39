"""An example of every class of violation, made from the types of its fields where no test needs more of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, get_type_hints

import attrs

from heartsrules import Card, Cards, Suit, Violation
from heartsrules.play.violations import PRECEDENCE

__all__ = ["of_every_class"]

_STOCK: Final[dict[Any, Any]] = {Card: Card("TH"), Cards: Cards("2C QS"), Suit: Suit.SPADES, int: 3}


def of_every_class(chosen: Iterable[Violation]) -> tuple[Violation, ...]:
    """The given violations, and one of each other class."""
    given = tuple(chosen)
    return (*given, *[_example(kind) for kind in PRECEDENCE if kind not in set(map(type, given))])


def _example(kind: type[Violation]) -> Violation:
    hints = get_type_hints(kind)
    return kind(*[_STOCK[hints[field.name]] for field in attrs.fields(kind)])
