"""Bots that cannot cheat: players that are given what their seat may know, and nothing else.

A bot is a function from a `View` and a source of random bits to a move. There are three here, for every rule set:
`uniform`, `heuristic`, and `Sampling`, which draws worlds from its view and plays them out. `tournament` measures
how strong one is, and `play_match` and `play_deal` seat bots at a table.
"""

from heartsrules.analysis import prospects
from heartsrules.bots.heuristic import heuristic
from heartsrules.bots.interface import Bot, options
from heartsrules.bots.matches import MAX_DEALS, Comparison, Estimate, play_deal, play_match, tournament
from heartsrules.bots.sampling import Sampling
from heartsrules.bots.uniform import uniform
from heartsrules.policies import Careful, Watchful

__all__ = [
    "MAX_DEALS",
    "Bot",
    "Careful",
    "Comparison",
    "Estimate",
    "Sampling",
    "Watchful",
    "heuristic",
    "options",
    "play_deal",
    "play_match",
    "prospects",
    "tournament",
    "uniform",
]
