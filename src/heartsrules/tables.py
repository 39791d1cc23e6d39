"""What a rule set comes to, worked out once: masks, numbers and flags for the path of a play.

Nothing that is done on every play or every trick looks at an enum or at a field of `Rules`; it looks here.
"""

from __future__ import annotations

from typing import Final, final

__all__ = [
    "CANCEL",
    "COMPULSORY_ALWAYS",
    "COMPULSORY_DISCARD",
    "COMPULSORY_NO",
    "COMPULSORY_NOT_LEAD",
    "COMPULSORY_SAFE",
    "FIRST_WINS",
    "HEARTS",
    "HIGH_SPADES",
    "KITTY_FIRST_HEART",
    "KITTY_FIRST_POINT",
    "KITTY_FIRST_TRICK",
    "KITTY_LAST_TRICK",
    "KITTY_NONE",
    "LAST_WINS",
    "OPEN_ANY",
    "OPEN_ANY_CLUB",
    "OPEN_LOWEST_CLUB",
    "OPEN_NON_POINT",
    "QUEEN",
    "SINGLE",
    "SPADES",
    "Tables",
]

SPADES: Final = 2
"""The number of the spade suit."""
HEARTS: Final = 0x1FFF << 39
"""The bits of all hearts."""
QUEEN: Final = 0x1000000000
"""The bit of the Q♠ (26 + 10)."""
HIGH_SPADES: Final = 0x6000000000
"""The bits of the K♠ and the A♠."""

OPEN_ANY: Final = 0
OPEN_LOWEST_CLUB: Final = 1
OPEN_ANY_CLUB: Final = 2
OPEN_NON_POINT: Final = 3

COMPULSORY_NO: Final = 0
COMPULSORY_DISCARD: Final = 1
COMPULSORY_SAFE: Final = 2
COMPULSORY_NOT_LEAD: Final = 3
COMPULSORY_ALWAYS: Final = 4

SINGLE: Final = 0
CANCEL: Final = 1
FIRST_WINS: Final = 2
LAST_WINS: Final = 3

KITTY_NONE: Final = 0
KITTY_FIRST_TRICK: Final = 1
KITTY_FIRST_POINT: Final = 2
KITTY_FIRST_HEART: Final = 3
KITTY_LAST_TRICK: Final = 4


@final
class Tables:
    """The numbers of one rule set. It is made by `Rules` alone and is not part of its value."""

    __slots__ = (
        "break_discard",
        "break_follow",
        "break_lead",
        "compulsory",
        "deck_hi",
        "deck_lo",
        "duplicates",
        "first_trick_bans_points",
        "hand_size",
        "hearts_wait",
        "kitty",
        "kitty_size",
        "leader_takes_void_last_trick",
        "opening",
        "penalty",
        "penalty_total",
        "players",
        "queen_waits",
        "resets",
        "spares_queen",
        "two_pairs_void",
        "values",
    )

    def __init__(
        self,
        players: int,
        deck_lo: int,
        deck_hi: int,
        hand_size: int,
        kitty_size: int,
        values: tuple[int, ...],
        penalty: int,
        penalty_total: int,
        opening: int,
        first_trick_bans_points: bool,
        hearts_wait: bool,
        spares_queen: bool,
        break_lead: int,
        break_follow: int,
        break_discard: int,
        compulsory: int,
        queen_waits: bool,
        duplicates: int,
        two_pairs_void: bool,
        leader_takes_void_last_trick: bool,
        kitty: int,
        resets: dict[int, int],
    ) -> None:
        self.players: Final = players
        self.deck_lo: Final = deck_lo
        """The faces in play."""
        self.deck_hi: Final = deck_hi
        """The faces in play twice."""
        self.hand_size: Final = hand_size
        self.kitty_size: Final = kitty_size
        self.values: Final = values
        """The penalty value of each of the 52 faces, by index."""
        self.penalty: Final = penalty
        """The faces whose penalty value is greater than 0."""
        self.penalty_total: Final = penalty_total
        """The penalty value of all cards in play, the kitty's included."""
        self.opening: Final = opening
        self.first_trick_bans_points: Final = first_trick_bans_points
        self.hearts_wait: Final = hearts_wait
        """Hearts may not be led before they are broken."""
        self.spares_queen: Final = spares_queen
        self.break_lead: Final = break_lead
        """The faces that break hearts when they are led,"""
        self.break_follow: Final = break_follow
        """when they follow the suit led,"""
        self.break_discard: Final = break_discard
        """and when they are discarded."""
        self.compulsory: Final = compulsory
        self.queen_waits: Final = queen_waits
        """The Q♠ may not be discarded before hearts are broken."""
        self.duplicates: Final = duplicates
        self.two_pairs_void: Final = two_pairs_void
        self.leader_takes_void_last_trick: Final = leader_takes_void_last_trick
        self.resets: Final = resets
        """The new totals of the exact totals that fall back."""
        self.kitty: Final = kitty
        """When the kitty is taken; KITTY_NONE too when there is none."""
