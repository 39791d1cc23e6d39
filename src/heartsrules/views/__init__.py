"""Views: what one seat, or a spectator, may know of a state, with a class for each phase.

Nothing in a view depends on what its seat may not know. `legal_moves`, `is_legal`, `why_illegal` and `to_act` take
views as well as states, so a client validates with the code of its server; therefore the classes and the selection are
in `heartsrules.play`, beside the engine. Here are `advance`, which updates a view by the events that its seat receives,
and `worlds`, which draws whole states that have a view.
"""

from heartsrules.play import view_classes
from heartsrules.play.view_classes import *
from heartsrules.play.view_selection import deal_of, public_view, view, view_of
from heartsrules.views.following import advance

__all__ = ["advance", "deal_of", "public_view", "view", "view_of"]
__all__ += view_classes.__all__
__dir__ = __all__.copy
