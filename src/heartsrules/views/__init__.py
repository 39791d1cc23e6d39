"""Views of a state for a seat or a spectator, with one class for each phase.

Nothing in a view depends on what its seat may not know. `legal_moves`, `is_legal`, `why_illegal` and `to_act` accept
views as well as states, so a client validates moves with its server's code. This package has `advance`, which updates a
view with its seat's events, and `worlds`, which samples whole states of a view.
"""

from heartsrules.play import view_classes
from heartsrules.play.view_classes import *
from heartsrules.play.view_selection import deal_of, public_view, view, view_of
from heartsrules.views.following import advance

__all__ = ["advance", "deal_of", "public_view", "view", "view_of"]
__all__ += view_classes.__all__
__dir__ = __all__.copy
