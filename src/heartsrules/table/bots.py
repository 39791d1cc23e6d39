"""The players that fill the seats where nobody sits."""

from __future__ import annotations

from random import Random

from heartsrules import Move, View
from heartsrules.bots import heuristic


def choose_for(seen: View, rng: Random) -> Move:
    """The move of a bot. It is given what its seat may know, so it cannot cheat."""
    return heuristic(seen, rng)
