"""Limits and choices of simulations, for command lines that import no simulation."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

__all__ = ["MAX_DEALS_PER_GAME", "MAX_GAMES", "KeepAs"]
__dir__ = __all__.copy

MAX_DEALS_PER_GAME: Final = 1000
"""Default limit on the deals of a game. Games to 100 take about ten."""
MAX_GAMES: Final = 10**15
"""Limit on the games of one call of `simulate`, and on `first_game`."""
KeepAs: TypeAlias = Literal["columns", "records"]
"""The form of kept games: a table of deals, or records as text."""
