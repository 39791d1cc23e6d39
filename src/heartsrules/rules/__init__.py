"""The options of a game: `Rules`, the values that its options take, and what combinations of them are refused.

A rule set is flat, frozen, hashable data without callables: it can be compared, sent, stored and shown.
"""

from heartsrules.rules import _choices
from heartsrules.rules._choices import *
from heartsrules.rules._option import Kind, Option, as_data, check_type
from heartsrules.rules._rules import Rules, resolved_doubled, switch
from heartsrules.rules.resolved import MOON_CODES

__all__ = ["MOON_CODES", "Kind", "Option", "Rules", "as_data", "check_type", "resolved_doubled", "switch"]
__all__ += _choices.__all__
