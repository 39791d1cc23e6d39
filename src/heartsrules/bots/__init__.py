"""Bots that cannot cheat: players that are given what their seat may know, and nothing else.

A bot is a function from a `View` and a source of random bits to a move. There are four here, for every rule set:
`uniform`, `heuristic`, `Sampling`, which draws worlds from its view and plays them out, and `Learned`, which asks a
trained network; `bot_named` finds them by name. `heartsrules.bots.external` has a fifth, which is a program in another
process. `heartsrules.simulation` seats them at tables and measures how strong they are.
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
