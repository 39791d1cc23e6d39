"""Comparing moves by playing on from each of them in worlds that agree with a view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heartsrules.board import Board
from heartsrules.bots.prospects import Outlook
from heartsrules.chance import RandomStream
from heartsrules.engine import apply
from heartsrules.moves import Move
from heartsrules.playout import Manner
from heartsrules.policies import Policy
from heartsrules.rollouts import roll_out
from heartsrules.scoring import winners_among
from heartsrules.views import View
from heartsrules.worlds import sample_world

__all__ = ["best_move"]

_ROUNDS: Final = 4
"""In how many parts the worlds are drawn; after each the worse half of the moves is dropped."""
_POINTS: Final = 0.1
"""What all the points of a deal are worth beside winning. It tells moves apart that win equally often."""


def best_move(view: View, moves: Sequence[Move], stream: RandomStream, worlds: int, policy: Policy | None) -> Move:
    """The move after which the match stands best for the seat of a view, on average over some worlds.

    Args:
        view: of a seat that is to act, from which worlds can be drawn.
        moves: those that are compared, at least one.
        stream: where everything is drawn from.
        worlds: how many worlds are drawn.
        policy: how all players of the playouts choose.
    """
    seat = view.seat
    assert seat is not None
    tables = view.rules.tables
    outlook = Outlook(view.rules)
    board = Board(view.scores)
    manner = Manner(policy)
    deals = view.deal_number + 1
    sums = [0.0] * len(moves)
    left = list(range(len(moves)))
    for number in range(worlds):
        if number and number * _ROUNDS // worlds > (number - 1) * _ROUNDS // worlds:
            left.sort(key=sums.__getitem__, reverse=True)
            del left[max(2, (len(left) + 1) // 2) :]
        world = sample_world(view, stream)
        for tried in left:
            roll_out(board, apply(world, moves[tried]), stream, manner, None)
            after = [chair.after for chair in board.chairs]
            sums[tried] += outlook.value(after, winners_among(tables, after, deals), deals, seat, _POINTS)
    return moves[max(left, key=sums.__getitem__)]
