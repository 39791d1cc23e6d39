"""The games that the form offers by name: each is a preset for a count of players."""

from __future__ import annotations

from typing import Final

import attrs


@attrs.frozen
class OfferedGame:
    """A game by the name that people know it by."""

    title: str
    special: str
    """What is special about it, in a few words."""
    preset: str
    players: int


GAMES: Final = (
    OfferedGame("The usual game", "four players, to 100", "microsoft", 4),
    OfferedGame("Three players", "one card is taken out", "cardzmania", 3),
    OfferedGame("Five, with a kitty", "the first trick takes two cards more", "catsatcards", 5),
    OfferedGame("Six players", "eight cards each", "board_game_arena", 6),
    OfferedGame("Cancellation for eight", "two decks: equal cards cancel each other", "dicegamedepot_cancellation", 8),
    OfferedGame("Cancellation for eleven", "the largest table", "dicegamedepot_cancellation", 11),
    OfferedGame("Omnibus", "the jack of diamonds takes points off", "omnibus", 4),
    OfferedGame("Partners", "two against two", "partner_hearts", 4),
    OfferedGame("Gong Zhu", "a pig, a sheep and a doubler, and cards are shown", "gong_zhu", 4),
    OfferedGame("Leekha", "partners, and a dangerous ten of diamonds", "leekha", 4),
    OfferedGame("Spot Hearts", "hearts count their spots", "spot_hearts", 4),
    OfferedGame("Black Maria", "three high spades cost points", "black_maria", 3),
)
"""The best known, and the most different. The form offers all other presets by their own names."""
