"""Ways in which unseen cards can lie in hidden places: drawn exactly by counting them, or nearly so by exchanges.

A place is a hidden hand or a hidden kitty: so much room, and only some of the cards may lie in it. Nothing here knows
a rule of the game; `heartsrules.views.worlds.hidden_cards` says what may lie where.
"""

from heartsrules.views.worlds.counting.drawing import FEW_ENTRIES, MOST_ENTRIES, Lots
from heartsrules.views.worlds.counting.markov_chain import ROUNDS
from heartsrules.views.worlds.counting.parts import Part

__all__ = ["FEW_ENTRIES", "MOST_ENTRIES", "ROUNDS", "Lots", "Part"]
