"""Chance: shuffles, deals and the cut for the deal.

The seeded shuffle is a specification of its own, so that any language can reproduce and audit a deal; it does not
depend on the version of Python. See "The shuffle" in the documentation for its wording and test vectors.
"""

from heartsrules.chance.all_deals import DealMoves
from heartsrules.chance.bits import Bits, SeededBits, below
from heartsrules.chance.dealing import cut_for_deal, deal, deal_cards
from heartsrules.chance.faults import deal_faults, deal_problems
from heartsrules.chance.shuffling import shuffled
from heartsrules.chance.stream import RandomStream, as_stream

__all__ = [
    "Bits",
    "DealMoves",
    "RandomStream",
    "SeededBits",
    "as_stream",
    "below",
    "cut_for_deal",
    "deal",
    "deal_cards",
    "deal_faults",
    "deal_problems",
    "shuffled",
]
