"""Many games and their figures: simulations, matches and tournaments between bots, statistics, and judging records.

`simulate` plays many games by a policy or by bots, here, in other processes, or on a cluster. `tournament` measures how
strong bots are, and `play_match` and `play_deal` seat them at a table.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.simulation.matches import play_deal, play_match
    from heartsrules.simulation.ratings import Rating, bradley_terry
    from heartsrules.simulation.tournaments import (
        MAX_SEATINGS,
        Comparison,
        Duel,
        Estimate,
        Results,
        seatings_of,
        tournament,
    )
else:
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "matches": ("play_deal", "play_match"),
            "ratings": ("Rating", "bradley_terry"),
            "tournaments": (
                "MAX_SEATINGS",
                "Comparison",
                "Duel",
                "Estimate",
                "Results",
                "seatings_of",
                "tournament",
            ),
        },
    )

__all__ = [
    "MAX_SEATINGS",
    "Comparison",
    "Duel",
    "Estimate",
    "Rating",
    "Results",
    "bradley_terry",
    "play_deal",
    "play_match",
    "seatings_of",
    "tournament",
]
