"""Who may know what: one class of view for each phase, made by selection from a state.

A view of a seat holds what that seat may know and nothing that depends on anything else; a spectator's view has no seat
and no hand. `legal_moves`, `is_legal`, `why_illegal` and `to_act` take views as well as states, so a client validates
with the code of its server; therefore the classes and the selection are in `heartsrules.play`, beside the engine. This
room has what follows from a view: `advance` carries it on by the events that its seat is told, and `worlds` draws whole
states that fit it.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.play.view_classes import (
        AwaitingDealView,
        ChoosingMoonView,
        DealStartView,
        ExposingView,
        GameOverView,
        PassingView,
        PlayedDealView,
        PlayingView,
        View,
    )
    from heartsrules.play.view_selection import deal_of, public_view, view, view_of
    from heartsrules.views.following import advance
else:
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "following": ("advance",),
            "heartsrules.play.view_classes": (
                "AwaitingDealView",
                "ChoosingMoonView",
                "DealStartView",
                "ExposingView",
                "GameOverView",
                "PassingView",
                "PlayedDealView",
                "PlayingView",
                "View",
            ),
            "heartsrules.play.view_selection": ("deal_of", "public_view", "view", "view_of"),
        },
    )

__all__ = [
    "AwaitingDealView",
    "ChoosingMoonView",
    "DealStartView",
    "ExposingView",
    "GameOverView",
    "PassingView",
    "PlayedDealView",
    "PlayingView",
    "View",
    "advance",
    "deal_of",
    "public_view",
    "view",
    "view_of",
]
