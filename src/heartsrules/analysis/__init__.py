"""What a move is worth: an exact solver for endings, estimates from a view, hints, playouts and rollouts.

`solve` knows all cards; `assess` and `hint` know what one seat may know. `playout` and `rollouts` play deals to their
end by a policy of `policies`, and `endings` tells what is decided already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.analysis._assessing import MOST_MOVES, AssessedMove, Assessment, assess
    from heartsrules.analysis._errors import TooManyPositions
    from heartsrules.analysis._hints import hint
    from heartsrules.analysis._prospects import prospects
    from heartsrules.analysis._solutions import MOST_POSITIONS, Solution, solve
else:
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "_assessing": ("MOST_MOVES", "AssessedMove", "Assessment", "assess"),
            "_errors": ("TooManyPositions",),
            "_hints": ("hint",),
            "_prospects": ("prospects",),
            "_solutions": ("MOST_POSITIONS", "Solution", "solve"),
        },
    )

__all__ = [
    "MOST_MOVES",
    "MOST_POSITIONS",
    "AssessedMove",
    "Assessment",
    "Solution",
    "TooManyPositions",
    "assess",
    "hint",
    "prospects",
    "solve",
]
