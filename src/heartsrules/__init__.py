"""The rules of Hearts as a library: immutable typed values, and pure functions on them.

`new_game` makes the first state of a match, `legal_moves` lists what may be done in a state, and `apply` makes the
state that follows; dealing is a move too.

Every name is imported when it is first asked for: `import heartsrules` alone loads next to nothing.
"""

from heartsrules import _interrupts  # noqa: F401 (first, for Ctrl-C during the other imports)

# isort: split
from typing import TYPE_CHECKING

from heartsrules._lazy import lazy

if TYPE_CHECKING:
    from heartsrules import presets
    from heartsrules._version import __version__ as __version__
    from heartsrules.cards import Card, Cards, Rank, Suit
    from heartsrules.chance import cut_for_deal, deal, deal_cards
    from heartsrules.engine import (
        apply,
        is_legal,
        legal_moves,
        new_game,
        pass_options,
        to_act,
        why_illegal,
        why_illegal_cards,
    )
    from heartsrules.errors import (
        HeartsError,
        InvalidNotation,
        InvalidRules,
        InvalidSeat,
        InvalidState,
        InvalidWire,
        Problem,
        TooManyCopies,
    )
    from heartsrules.events import Event, redact
    from heartsrules.keys import position_key
    from heartsrules.legality import legal_cards, why_illegal_card
    from heartsrules.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
    from heartsrules.phases import Phase
    from heartsrules.rules import Rules, Seat
    from heartsrules.scoring import Standing, display_score, score_deal, standings
    from heartsrules.sheet import DealScore, ScoreSheet
    from heartsrules.state import (
        AwaitingDeal,
        ChoosingMoon,
        Exposing,
        GameOver,
        Passing,
        PlayedDeal,
        Playing,
        State,
        Trick,
    )
    from heartsrules.transitions import Transition, transition
    from heartsrules.tricks import trick_winner, winning_seat
    from heartsrules.values import COMPILED
    from heartsrules.views import View, advance, public_view, view
    from heartsrules.violations import IllegalMove, Violation
else:
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "_version": ("__version__",),
            "cards": ("Card", "Cards", "Rank", "Suit"),
            "chance": ("cut_for_deal", "deal", "deal_cards"),
            "engine": (
                "apply",
                "is_legal",
                "legal_moves",
                "new_game",
                "pass_options",
                "to_act",
                "why_illegal",
                "why_illegal_cards",
            ),
            "errors": (
                "HeartsError",
                "InvalidNotation",
                "InvalidRules",
                "InvalidSeat",
                "InvalidState",
                "InvalidWire",
                "Problem",
                "TooManyCopies",
            ),
            "events": ("Event", "redact"),
            "keys": ("position_key",),
            "legality": ("legal_cards", "why_illegal_card"),
            "moves": ("ChooseMoon", "Deal", "Expose", "Move", "Pass", "Play"),
            "phases": ("Phase",),
            "presets": (),
            "rules": ("Rules", "Seat"),
            "scoring": ("Standing", "display_score", "score_deal", "standings"),
            "sheet": ("DealScore", "ScoreSheet"),
            "state": (
                "AwaitingDeal",
                "ChoosingMoon",
                "Exposing",
                "GameOver",
                "Passing",
                "PlayedDeal",
                "Playing",
                "State",
                "Trick",
            ),
            "transitions": ("Transition", "transition"),
            "tricks": ("trick_winner", "winning_seat"),
            "values": ("COMPILED",),
            "views": ("View", "advance", "public_view", "view"),
            "violations": ("IllegalMove", "Violation"),
        },
    )

__all__ = [
    "COMPILED",
    "AwaitingDeal",
    "Card",
    "Cards",
    "ChooseMoon",
    "ChoosingMoon",
    "Deal",
    "DealScore",
    "Event",
    "Expose",
    "Exposing",
    "GameOver",
    "HeartsError",
    "IllegalMove",
    "InvalidNotation",
    "InvalidRules",
    "InvalidSeat",
    "InvalidState",
    "InvalidWire",
    "Move",
    "Pass",
    "Passing",
    "Phase",
    "Play",
    "PlayedDeal",
    "Playing",
    "Problem",
    "Rank",
    "Rules",
    "ScoreSheet",
    "Seat",
    "Standing",
    "State",
    "Suit",
    "TooManyCopies",
    "Transition",
    "Trick",
    "View",
    "Violation",
    "advance",
    "apply",
    "cut_for_deal",
    "deal",
    "deal_cards",
    "display_score",
    "is_legal",
    "legal_cards",
    "legal_moves",
    "new_game",
    "pass_options",
    "position_key",
    "presets",
    "public_view",
    "redact",
    "score_deal",
    "standings",
    "to_act",
    "transition",
    "trick_winner",
    "view",
    "why_illegal",
    "why_illegal_card",
    "why_illegal_cards",
    "winning_seat",
]
