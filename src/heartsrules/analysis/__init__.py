"""What a move is worth: an exact solver for endings, estimates from a view, hints, playouts and rollouts.

`solve` knows all cards; `assess`, `hint` and `review` know what one seat may know. `playout` and `rollouts` play deals
to their end by a policy of `policies`, and `endings` tells what is decided already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.analysis._api import *
else:
    __getattr__, __dir__ = lazy(__name__)
