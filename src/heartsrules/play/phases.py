"""The phases of a game."""

from __future__ import annotations

import enum

__all__ = ["Phase"]


class Phase(enum.Enum):
    """What a game is waiting for."""

    DEAL = "deal"
    PASS = "pass"
    EXPOSE = "expose"
    PLAY = "play"
    MOON = "moon"
    OVER = "over"

    def __repr__(self) -> str:
        return f"Phase.{self.name}"
