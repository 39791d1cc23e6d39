"""Who may know what: one class of view for each phase, made by selection from a state.

A view of a seat holds what that seat may know and nothing that depends on anything else; a spectator's view has no seat
and no hand. `legal_moves`, `is_legal`, `why_illegal` and `to_act` take views as well as states, so a client validates
with the code of its server; and `advance` carries a view on by the events that its seat is told.
"""

from typing import TYPE_CHECKING

from heartsrules._lazy import lazy

if TYPE_CHECKING:
    from heartsrules.views.classes import (
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
    from heartsrules.views.following import advance
    from heartsrules.views.selecting import deal_of, public_view, view, view_of
else:
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "classes": (
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
            "following": ("advance",),
            "selecting": ("deal_of", "public_view", "view", "view_of"),
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
