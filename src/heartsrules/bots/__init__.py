"""Bots that see only their seat's view, so they cannot cheat.

A bot is a function from a `View` and a source of random bits to a move. The package provides four bots for every rule
set: `uniform`, `heuristic`, `Sampling`, which plays out worlds sampled from its view, and `Learned`, a trained network.
`bot_named` finds them by name. `heartsrules.bots.external` runs a program in another process as a bot.
`heartsrules.simulation` seats bots at tables and measures their strength.
"""

from heartsrules.bots.heuristic import heuristic
from heartsrules.bots.interface import Bot, Preparing, options
from heartsrules.bots.learned import Learned
from heartsrules.bots.named import BOTS, POLICIES, Named, bot_named, policy_named
from heartsrules.bots.sampling import Sampling
from heartsrules.bots.uniform import uniform

__all__ = [
    "BOTS",
    "POLICIES",
    "Bot",
    "Learned",
    "Named",
    "Preparing",
    "Sampling",
    "bot_named",
    "heuristic",
    "options",
    "policy_named",
    "uniform",
]
__dir__ = __all__.copy
