"""Untrusted positions and their check.

Readers of JSON, text and other programs' logs fill in a `Setup`; only `check` makes a state of it. `set_up` does both
in one call for the middle of a deal.
"""

from heartsrules.setup._build import set_up
from heartsrules.setup._check import check
from heartsrules.setup._parts import known as known
from heartsrules.setup._parts import told_parts as told_parts
from heartsrules.setup._value import NO_DEAL_TOLD as NO_DEAL_TOLD
from heartsrules.setup._value import NOTHING_TOLD as NOTHING_TOLD
from heartsrules.setup._value import DealSetup, Setup

__all__ = ["DealSetup", "Setup", "check", "set_up"]
__dir__ = __all__.copy
