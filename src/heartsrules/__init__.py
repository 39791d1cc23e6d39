"""The rules of Hearts as a library of immutable typed values and pure functions.

`new_game` returns the first state of a match, `legal_moves` lists the moves that a state allows, and `apply` returns
the next state. Dealing is a move too.

Names are imported on first use, so `import heartsrules` loads almost nothing.
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
        "svg": "heartsrules.pictures.notebooks:as_svg",
        "term": "heartsrules.messages:term",
        "text": "heartsrules.messages:plain_text",
    }
)

if TYPE_CHECKING:
    from heartsrules._api import *
    from heartsrules._version import __version__ as __version__
    from heartsrules.messages import describe as describe
else:
    __getattr__, __dir__ = lazy(__name__, __version__="heartsrules._version", describe="heartsrules.messages")
