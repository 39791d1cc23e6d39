"""Pictures of cards, tables and score sheets as self-contained SVG.

Every function returns an SVG document without external references, the same for the same arguments on every machine, or
raises an `InvalidPicture` that lists all problems of the arguments. Assistive technology reads a title and a
description. A view's picture shows no more than the view.
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
