"""Simulations, tournaments and matches between bots, statistics, and verification.

`simulate` plays many games with a policy or with bots, on this machine or on a cluster. `tournament` measures the
strength of bots, and `play_match` and `play_deal` seat them at a table.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.simulation._api import *
else:
    __getattr__, __dir__ = lazy(__name__)
