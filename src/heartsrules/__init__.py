"""The rules of Hearts as a library: immutable typed values, and pure functions on them.

`new_game` makes the first state of a match, `legal_moves` lists what may be done in a state, and `apply` makes the
state that follows; dealing is a move too.

Every name is imported when it is first asked for: `import heartsrules` alone loads next to nothing.
"""

from heartsrules.base import interrupts as _interrupts  # noqa: F401 (first, for Ctrl-C during the other imports)

# isort: split
from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy
from heartsrules.base.rendering import register_renderers

register_renderers(
    {
        "diagram": "heartsrules.pictures.diagrams:diagram",
        "html": "heartsrules.pictures.notebooks:as_html",
        "option": "heartsrules.formats.notation:format_field",
        "svg": "heartsrules.pictures.notebooks:as_svg",
        "term": "heartsrules.messages:term",
        "text": "heartsrules.messages:text",
    }
)

if TYPE_CHECKING:
    from heartsrules._version import __version__ as __version__
    from heartsrules.base import errors
    from heartsrules.base.errors import (
        HeartsError,
        InvalidNotation,
        InvalidRules,
        InvalidSeat,
        InvalidState,
        InvalidWire,
        Problem,
        TooManyCopies,
    )
    from heartsrules.base.values import COMPILED
    from heartsrules.cards import Card, Cards, Rank, Suit
    from heartsrules.play import events, violations
    from heartsrules.play.dealing import cut_for_deal, deal, deal_cards
    from heartsrules.play.engine import (
        apply,
        is_legal,
        legal_moves,
        new_game,
        pass_options,
        to_act,
        why_illegal,
        why_illegal_cards,
    )
    from heartsrules.play.events import Event, redact
    from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
    from heartsrules.play.phases import Phase
    from heartsrules.play.position_keys import position_key
    from heartsrules.play.public import Trick
    from heartsrules.play.sheet import DealScore, ScoreSheet
    from heartsrules.play.state import (
        AwaitingDeal,
        ChoosingMoon,
        Exposing,
        GameOver,
        Passing,
        PlayedDeal,
        Playing,
        State,
    )
    from heartsrules.play.stateless import (
        Standing,
        display_score,
        legal_cards,
        score_deal,
        standings,
        trick_winner,
        why_illegal_card,
        winning_seat,
    )
    from heartsrules.play.transitions import Transition, transition
    from heartsrules.play.violations import IllegalMove, Violation
    from heartsrules.rules import Rules, Seat, presets
    from heartsrules.views import View, advance, public_view, view
else:
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "_version": ("__version__",),
            "cards": ("Card", "Cards", "Rank", "Suit"),
            "play.dealing": ("cut_for_deal", "deal", "deal_cards"),
            "play.engine": (
                "apply",
                "is_legal",
                "legal_moves",
                "new_game",
                "pass_options",
                "to_act",
                "why_illegal",
                "why_illegal_cards",
            ),
            "base.errors": (
                "HeartsError",
                "InvalidNotation",
                "InvalidRules",
                "InvalidSeat",
                "InvalidState",
                "InvalidWire",
                "Problem",
                "TooManyCopies",
            ),
            "play.events": ("Event", "redact"),
            "play.position_keys": ("position_key",),
            "play.moves": ("ChooseMoon", "Deal", "Expose", "Move", "Pass", "Play"),
            "play.phases": ("Phase",),
            "rules.presets": (),
            "rules": ("Rules", "Seat"),
            "play.stateless": (
                *("Standing", "display_score", "legal_cards", "score_deal", "standings", "trick_winner"),
                *("why_illegal_card", "winning_seat"),
            ),
            "play.sheet": ("DealScore", "ScoreSheet"),
            "play.state": (
                "AwaitingDeal",
                "ChoosingMoon",
                "Exposing",
                "GameOver",
                "Passing",
                "PlayedDeal",
                "Playing",
                "State",
            ),
            "play.public": ("Trick",),
            "play.transitions": ("Transition", "transition"),
            "base.values": ("COMPILED",),
            "views": ("View", "advance", "public_view", "view"),
            "play.violations": ("IllegalMove", "Violation"),
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
    "errors",
    "events",
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
    "violations",
    "why_illegal",
    "why_illegal_card",
    "why_illegal_cards",
    "winning_seat",
]
