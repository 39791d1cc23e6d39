"""Counting and drawing the arrangements of unseen cards in hidden places, uniformly or nearly so.

A place is a hidden hand or the hidden kitty, with a capacity and a set of allowed faces. Nothing here knows a rule of
the game: `heartsrules.views.worlds.hidden_cards` states the constraints.
"""

from heartsrules.views.worlds.counting.cases import Case
from heartsrules.views.worlds.counting.markov_chain import ROUNDS
from heartsrules.views.worlds.counting.sampler import FEW_ENTRIES, MOST_ENTRIES, ArrangementSampler

__all__ = ["FEW_ENTRIES", "MOST_ENTRIES", "ROUNDS", "ArrangementSampler", "Case"]
