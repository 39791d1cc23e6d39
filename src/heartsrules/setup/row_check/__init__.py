"""Whether a row of the score sheet can be: whether any piles at all would be scored so.

A row tells of each seat how many tricks it won, the penalty value of its pile and perhaps that it has the Q♠, but not
the cards. This module looks for a distribution of the deck that fits: as many cards a trick as there are players, the
kitty with a seat that may have taken it, tricks set aside where two decks make some (`heartsrules.play.pile_check`).

What the seats score follows from a few numbers of their piles (`heartsrules.play.scoring.Haul`). So the judge goes
through the hauls that are scored as the row says, by the functions that score a deal of which the cards are known, and
looks for cards that make one of them. In that search a card is a number: its penalty value and, in digits further to
the left, what else is counted of it one by one.
"""

from heartsrules.setup.row_check._judge import row_problems
from heartsrules.setup.row_check._search import MOST_NODES

__all__ = ["MOST_NODES", "row_problems"]
