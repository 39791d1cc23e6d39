"""One door for everything that comes from outside: a position is told as a `Setup`, and `check` alone believes it.

Readers of JSON, of text and of other programs' logs only fill in a setup; what can be, this package decides for all of
them. `set_up` is both in one call, for the middle of a deal.
"""

from heartsrules.setup._build import set_up
from heartsrules.setup._check import check
from heartsrules.setup._parts import known as known
from heartsrules.setup._parts import told_parts as told_parts
from heartsrules.setup._value import NO_DEAL_TOLD as NO_DEAL_TOLD
from heartsrules.setup._value import NOTHING_TOLD as NOTHING_TOLD
from heartsrules.setup._value import DealSetup, Setup

__all__ = ["DealSetup", "Setup", "check", "set_up"]
