"""Bots that cannot cheat: players that are given what their seat may know, and nothing else.

A bot is a function from a `View` and a source of random bits to a move. There are three here, for every rule set:
`uniform`, `heuristic`, and `Sampling`, which draws worlds from its view and plays them out; `bot_named` finds them by
name, and `heartsrules.bots.external` has a fourth, which is a program in another process. `tournament` measures how
strong one is, and `play_match` and `play_deal` seat bots at a table.
"""

from heartsrules.bots.heuristic import heuristic
from heartsrules.bots.interface import Bot, Preparing, options
from heartsrules.bots.matches import play_deal, play_match
from heartsrules.bots.named import BOTS, Named, bot_named
from heartsrules.bots.ratings import Rating, bradley_terry
from heartsrules.bots.sampling import Sampling
from heartsrules.bots.tournaments import MAX_SEATINGS, Comparison, Duel, Estimate, Results, seatings_of, tournament
from heartsrules.bots.uniform import uniform

__all__ = [
    "BOTS",
    "MAX_SEATINGS",
    "Bot",
    "Comparison",
    "Duel",
    "Estimate",
    "Named",
    "Preparing",
    "Rating",
    "Results",
    "Sampling",
    "bot_named",
    "bradley_terry",
    "heuristic",
    "options",
    "play_deal",
    "play_match",
    "seatings_of",
    "tournament",
    "uniform",
]
