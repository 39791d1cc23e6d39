"""Ways in which unseen cards can lie in hidden places: drawn exactly by counting them, or nearly so by exchanges.

A place is a hidden hand or a hidden kitty: so much room, and only some of the cards may lie in it. Nothing here knows
a rule of the game; `heartsrules.hidden` says what may lie where.
"""

from heartsrules.lots.drawing import FEW_ENTRIES, MOST_ENTRIES, Lots
from heartsrules.lots.exchanged import ROUNDS
from heartsrules.lots.parts import Part

__all__ = ["FEW_ENTRIES", "MOST_ENTRIES", "ROUNDS", "Lots", "Part"]
