"""The bots that can be asked for by name."""

from __future__ import annotations

from heartsrules.bots.named import BOTS

__all__ = ["BOTS"]
