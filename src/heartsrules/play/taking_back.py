"""Hands before plays and before a pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from heartsrules.cards import Cards, bag_of, without
from heartsrules.play.moves import Play
from heartsrules.play.public import Trick

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["ThirdCopy", "hands_before", "hands_before_pass", "plays_of_tricks"]


class ThirdCopy(ValueError):
    """A third copy of a card in a hand."""

    def __init__(self, play: Play) -> None:
        super().__init__("no card is there for the third time")
        self.play: Final = play


def plays_of_tricks(tricks: Iterable[Trick], trick: tuple[Play, ...] = ()) -> list[Play]:
    """Return the plays of completed tricks and of the current one, in order."""
    plays: list[Play] = []
    for each in tricks:
        plays.extend(each.plays)
    plays.extend(trick)
    return plays


def hands_before(hands: Sequence[Cards], plays: Iterable[Play]) -> tuple[Cards, ...]:
    """Return the hands before some plays, given the hands after them.

    Raises:
        ThirdCopy: a seat would have a third copy of a card.
        LookupError: there is no such seat.
    """
    los: list[i64] = [hand.lo for hand in hands]
    his: list[i64] = [hand.hi for hand in hands]
    for play in plays:
        seat = play.seat
        if seat < 0:
            raise LookupError("there is no such seat")
        lo = los[seat]
        if lo & play.bit:
            hi = his[seat]
            if hi & play.bit:
                raise ThirdCopy(play)
            his[seat] = hi | play.bit
        los[seat] = lo | play.bit
    return tuple([bag_of(lo, his[seat]) for seat, lo in enumerate(los)])


def hands_before_pass(
    hands: Sequence[Cards], passed: tuple[Cards, ...], received: tuple[Cards, ...]
) -> tuple[Cards, ...]:
    """Return the hands before the exchange, given the hands after it.

    Raises:
        ValueError: a hand does not contain the received cards, or would have a third copy of a card.
    """
    return tuple([without(hand, received[seat]) + passed[seat] for seat, hand in enumerate(hands)])
