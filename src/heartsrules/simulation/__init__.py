"""Many games and their figures: simulations, matches and tournaments between bots, statistics, and judging records.

`simulate` plays many games by a policy or by bots, here, in other processes, or on a cluster. `tournament` measures how
strong bots are, and `play_match` and `play_deal` seat them at a table.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.simulation._api import *
else:
    __getattr__, __dir__ = lazy(__name__)
