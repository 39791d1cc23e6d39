"""The options of a game (`Rules`), their values and checks.

A rule set is flat, frozen, hashable data without callables. It can be compared, sent, stored and shown.
"""

from heartsrules.rules import _choices
from heartsrules.rules._choices import *
from heartsrules.rules._choices import OFFSETS as OFFSETS
from heartsrules.rules._option import Kind, Option, as_data
from heartsrules.rules._option import check_type as check_type
from heartsrules.rules._rules import Rules
from heartsrules.rules._rules import resolved_doubled as resolved_doubled
from heartsrules.rules._rules import switch as switch
from heartsrules.rules.resolved import MOON_CODES as MOON_CODES

__all__ = ["Kind", "Option", "Rules", "as_data"]
__all__ += _choices.__all__
__dir__ = __all__.copy
