"""Analyse positions with hints, estimates, reviews, playouts and exact endings.

`solve` knows all cards, while `assess`, `hint` and `review` use only one seat's view. `playout` and `rollouts` finish
deals with a policy from `policies`, and `endings` finds points that are already decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.analysis._api import *
else:
    __getattr__, __dir__ = lazy(__name__)
