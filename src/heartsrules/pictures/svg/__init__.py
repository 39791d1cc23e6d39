"""Pictures: cards, hands, tricks, whole tables and score sheets as SVG that stands alone.

Every function returns a document of SVG without references to anything outside it, the same for the same arguments on
every machine, or raises an `InvalidPicture` that lists all problems of what is asked for. Colours, sizes, dimmed cards
and the names of the players are arguments; assistive technology finds a title and a description in words. The picture
of a view shows what the view tells, and nothing else.
"""

from __future__ import annotations

from heartsrules.pictures.svg._faces import DRAWINGS, card, card_name, hand
from heartsrules.pictures.svg._look import DARK, LIGHT, Colours
from heartsrules.pictures.svg._sheet import score_sheet
from heartsrules.pictures.svg._table import table, trick
from heartsrules.pictures.svg._xml import Picture

__all__ = [
    "DARK",
    "DRAWINGS",
    "LIGHT",
    "Colours",
    "Picture",
    "card",
    "card_name",
    "hand",
    "score_sheet",
    "table",
    "trick",
]
__dir__ = __all__.copy
