"""A bot that chooses uniformly among the legal moves."""

from __future__ import annotations

from heartsrules.bots.interface import options
from heartsrules.chance import Bits, below
from heartsrules.chance.bits import checked_bits
from heartsrules.play.moves import Move
from heartsrules.views import View


def uniform(view: View, rng: Bits, /) -> Move:
    """Choose a legal move uniformly at random.

    >>> from random import Random
    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> start = new_game(presets.cardstock())
    >>> uniform(view(apply(start, deal(start, seed=7)), 0), Random(1))
    Play(0, Card('JC'))

    Raises:
        ValueError: the seat has no decision.
    """
    moves = options(view)
    checked_bits(rng)
    return moves[below(rng, len(moves))] if len(moves) > 1 else moves[0]
