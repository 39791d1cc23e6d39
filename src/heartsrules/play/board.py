"""A deal in machine integers, as it changes while it is played out and scored.

States are values; what is here changes. It is for the loops of this package, which make no object for a play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import Cards, with_bag
from heartsrules.play.moves import Play, play_table

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Board", "Chair"]


@final
class Chair:
    """What a seat holds and has won, and what its score is made of. Cards are two masks, as in `Cards`."""

    __slots__ = (
        "after",
        "apart",
        "bit",
        "bonus",
        "card_points",
        "doublers",
        "hand_hi",
        "hand_lo",
        "next",
        "pile_hi",
        "pile_lo",
        "plays",
        "points",
        "scoring",
        "seat",
        "total",
        "won",
    )

    def __init__(self, seat: i64, total: int) -> None:
        self.seat: Final[i64] = seat
        self.plays: Final[list[Play]] = play_table(seat)
        self.next: Chair = self
        """The next seat in the order of play, while the board is a ring."""
        self.hand_lo: i64 = 0
        self.hand_hi: i64 = 0
        self.bit: i64 = 0
        """The card that it has played to the trick."""
        self.pile_lo: i64 = 0
        self.pile_hi: i64 = 0
        self.won: int = 0
        """How many tricks it has won."""
        self.total: int = total
        """The running total before the deal."""
        self.card_points: int = 0
        """The penalty value of its pile."""
        self.apart: int = 0
        """What its pile has of penalty cards that make no moon, if there is one."""
        self.bonus: int = 0
        """The points of its bonus cards."""
        self.doublers: i64 = 0
        """How many copies of the doubler it has won."""
        self.scoring: bool = False
        """Whether it has won a scoring card, if there is a doubler."""
        self.points: int = 0
        """What the deal adds to its total."""
        self.after: int = 0
        """The running total after the deal."""

    def take(self, lo: i64, hi: i64) -> None:
        """Put cards on its pile."""
        self.pile_lo, self.pile_hi = with_bag(self.pile_lo, self.pile_hi, lo, hi)


@final
class Board:
    """The seats of a deal, and what belongs to none of them.

    Args:
        totals: by seat, the running totals before the deal.
    """

    __slots__ = (
        "aside_hi",
        "aside_lo",
        "chairs",
        "has_apart",
        "leader",
        "moon",
        "queen_taker",
        "shooter",
        "sun",
        "taker",
        "voids",
    )

    def __init__(self, totals: Sequence[int]) -> None:
        self.chairs: Final[list[Chair]] = [Chair(seat, total) for seat, total in enumerate(totals)]
        """By seat."""
        self.leader: i64 = 0
        """Who led to the last trick."""
        self.aside_lo: i64 = 0
        """The faces in tricks that nobody has won yet."""
        self.aside_hi: i64 = 0
        """Those of them that lie there twice."""
        self.taker: i64 = -1
        """Who took the kitty; -1: nobody."""
        self.voids: i64 = 0
        """How many tricks nobody has won."""
        self.shooter: int = -1
        """Who shot the moon; -1: nobody did."""
        self.sun: bool = False
        """Whether the moon is doubled."""
        self.moon: int = 0
        """The value of the moon before the sun doubles it; 0 without a moon."""
        self.has_apart: bool = False
        """Whether there is a moon, and penalty cards that make none."""
        self.queen_taker: int = -1
        """Who captured the Q♠; -1: nobody did, or not exactly one is in play."""

    @staticmethod
    def of(totals: Sequence[int], captured: tuple[Cards, ...], tricks_won: tuple[int, ...]) -> Board:
        """The board of a deal of which the totals before it, the piles and the tricks won are known, by seat."""
        board = Board(totals)
        board.set_piles(captured, tricks_won)
        return board

    def set_piles(self, captured: tuple[Cards, ...], tricks_won: tuple[int, ...]) -> None:
        """Say what each seat has won."""
        for chair in self.chairs:
            pile = captured[chair.seat]
            chair.pile_lo = pile.lo
            chair.pile_hi = pile.hi
            chair.won = tricks_won[chair.seat]

    def close_ring(self) -> None:
        """Let each chair know the next one."""
        before = self.chairs[-1]
        for chair in self.chairs:
            before.next = chair
            before = chair

    def open_ring(self) -> None:
        """Unlink the chairs: a reference cycle is freed only when the garbage collector runs."""
        for chair in self.chairs:
            chair.next = _NOBODY


_NOBODY: Final = Chair(0, 0)
"""Where the ring is open."""
