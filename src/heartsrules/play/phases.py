"""The phases of a game."""

from __future__ import annotations

import enum
from typing import Final

__all__ = ["Phase"]
__dir__ = __all__.copy


class Phase(enum.Enum):
    """The phase of a game, named after the move it waits for."""

    DEAL = "deal"
    PASS = "pass"
    DEAL_BACK = "deal-back"
    EXPOSE = "expose"
    PLAY = "play"
    MOON = "moon"
    OVER = "over"

    def __repr__(self) -> str:
        return f"Phase.{self.name}"

    def __str__(self) -> str:
        return str(self.value)


# Looking up an enum member runs Python code, which takes a third of the time of a view.
DEAL: Final = Phase.DEAL
PASS: Final = Phase.PASS
DEAL_BACK: Final = Phase.DEAL_BACK
EXPOSE: Final = Phase.EXPOSE
PLAY: Final = Phase.PLAY
MOON: Final = Phase.MOON
OVER: Final = Phase.OVER
