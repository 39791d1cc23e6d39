"""The bots that can be asked for by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from heartsrules.bots import Bot, Sampling, heuristic, uniform

__all__ = ["BOTS"]

BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"uniform": uniform, "heuristic": heuristic, "sampling": Sampling()})
"""By name; each is shown only what its seat may know."""
