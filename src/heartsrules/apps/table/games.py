"""The games that the first page names: presets with a number of players."""

from __future__ import annotations

from typing import Final

import attrs

from heartsrules import Rules, presets


@attrs.frozen
class OfferedGame:
    """A well-known game. The page's catalogues have its title and its special features."""

    preset: str
    players: int

    @property
    def rules(self) -> Rules:
        return presets.ALL[self.preset](self.players)


GAMES: Final = (
    OfferedGame("microsoft", 4),
    OfferedGame("cardzmania", 3),
    OfferedGame("catsatcards", 5),
    OfferedGame("board_game_arena", 6),
    OfferedGame("dicegamedepot_cancellation", 8),
    OfferedGame("dicegamedepot_cancellation", 11),
    OfferedGame("omnibus", 4),
    OfferedGame("partner_hearts", 4),
    OfferedGame("gong_zhu", 4),
    OfferedGame("leekha", 4),
    OfferedGame("spot_hearts", 4),
    OfferedGame("black_maria", 3),
)
"""The best known and most different games, starting with the usual one. The form lists every preset by its own name."""
