"""Views: what one seat, or a spectator, may know of a state, with a class for each phase.

Nothing in a view depends on what its seat may not know. `legal_moves`, `is_legal`, `why_illegal` and `to_act` take
views as well as states, so a client validates with the code of its server; therefore the classes and the selection are
in `heartsrules.play`, beside the engine. Here are `advance`, which updates a view by the events that its seat receives,
and `worlds`, which draws whole states that have a view.
"""

from heartsrules.play.view_classes import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    DealtView,
    ExposingView,
    GameOverView,
    OwnKnowledge,
    PassingView,
    PlayingView,
    SeenDeal,
    View,
)
from heartsrules.play.view_selection import deal_of, public_view, view, view_of
from heartsrules.views.following import advance

__all__ = [
    "AwaitingDealView",
    "ChoosingMoonView",
    "DealingBackView",
    "DealtView",
    "ExposingView",
    "GameOverView",
    "OwnKnowledge",
    "PassingView",
    "PlayingView",
    "SeenDeal",
    "View",
    "advance",
    "deal_of",
    "public_view",
    "view",
    "view_of",
]
