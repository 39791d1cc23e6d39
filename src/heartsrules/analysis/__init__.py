"""What a move is worth: an exact solver for endings, estimates from a view, hints, playouts and rollouts.

`solve` knows all cards; `assess`, `hint` and `review` know what one seat may know. `playout` and `rollouts` play deals
to their end by a policy of `policies`, and `endings` tells what is decided already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.analysis._assessing import MOST_MOVES, AssessedMove, Assessment, Difference, assess
    from heartsrules.analysis._drills import Drill, Theme, drills, drills_of
    from heartsrules.analysis._errors import TooManyPositions
    from heartsrules.analysis._hints import hint
    from heartsrules.analysis._prospects import prospects
    from heartsrules.analysis._reasons import Reason
    from heartsrules.analysis._reviewing import (
        Cause,
        ComparedMove,
        DealReview,
        Decision,
        Quality,
        Review,
        TurningPoint,
        explain,
        review,
    )
    from heartsrules.analysis._solutions import MOST_POSITIONS, Solution, solve
else:
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "_assessing": ("MOST_MOVES", "AssessedMove", "Assessment", "Difference", "assess"),
            "_drills": ("Drill", "Theme", "drills", "drills_of"),
            "_errors": ("TooManyPositions",),
            "_hints": ("hint",),
            "_prospects": ("prospects",),
            "_reasons": ("Reason",),
            "_reviewing": (
                *("Cause", "ComparedMove", "DealReview", "Decision", "Quality", "Review", "TurningPoint"),
                *("explain", "review"),
            ),
            "_solutions": ("MOST_POSITIONS", "Solution", "solve"),
        },
    )

__all__ = [
    "MOST_MOVES",
    "MOST_POSITIONS",
    "AssessedMove",
    "Assessment",
    "Cause",
    "ComparedMove",
    "DealReview",
    "Decision",
    "Difference",
    "Drill",
    "Quality",
    "Reason",
    "Review",
    "Solution",
    "Theme",
    "TooManyPositions",
    "TurningPoint",
    "assess",
    "drills",
    "drills_of",
    "explain",
    "hint",
    "prospects",
    "review",
    "solve",
]
