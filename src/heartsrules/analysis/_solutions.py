"""Endings in which all cards are known, solved for every legal move."""

from __future__ import annotations

from typing import Final

import attrs

from heartsrules.analysis._solving import Ending
from heartsrules.base.values import checked_count, type_phrase, wrong_type
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import ChooseMoon, Play
from heartsrules.play.state import ChoosingMoon, Playing, State

MOST_POSITIONS: Final = 3_000_000
"""The default node budget of `solve`: with four players, less than a gigabyte."""


@attrs.frozen
class Solution:
    """The result of `solve`: the points after every legal move, under best play with all cards known."""

    moves: tuple[Play | ChooseMoon, ...]
    """The legal moves, in the order of `legal_moves`."""
    points: tuple[tuple[int, ...], ...]
    """For each of `moves`, the points of the deal by seat, as in `DealScore.points`."""
    chosen: int
    """The index in `moves` of the best move for the mover's side; of several, the first."""
    positions: int = attrs.field(eq=False)
    """The number of positions searched; ignored by comparison."""

    @property
    def best(self) -> Play | ChooseMoon:
        """The best move for the mover's side; of several, the first."""
        return self.moves[self.chosen]

    @property
    def value(self) -> tuple[int, ...]:
        """The points of the deal by seat after the best move."""
        return self.points[self.chosen]


def solve(state: Playing | ChoosingMoon, *, paranoid: bool = False, most_positions: int = MOST_POSITIONS) -> Solution:
    """Solve an ending with all cards known: the points of the deal after every legal move.

    Every player minimizes the points of its own side in this deal, and knows that the others do (max^n). Of moves that
    are equal for the mover's side, the first in `legal_moves` is chosen, so that the result is well defined.

    Args:
        state: a state in which a card is to be played, or a shooter chooses the effect of the moon.
        paranoid: instead, all other sides maximize the points of the side whose turn it is.
        most_positions: the node budget; with four players a position takes about 220 bytes.

    >>> from heartsrules import apply, deal, new_game, presets
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed=7))
    >>> while state.trick_number < 9:
    ...     state = apply(state, legal_moves(state)[0])
    >>> solution = solve(state)
    >>> for move, points in zip(solution.moves, solution.points):
    ...     print(move.card, points)
    JS (0, 0, 15, 11)

    Raises:
        TooManyPositions: the node budget was exceeded, so that no move has a result.
        ValueError: `most_positions` is lower than 1.
        TypeError: an argument has the wrong type, or the state is of another phase.
    """
    if not isinstance(state, (Playing, ChoosingMoon)):
        if isinstance(state, State):
            raise TypeError(
                f"state must be a Playing or a ChoosingMoon, not {type_phrase(state)}: no card is to be played"
            )
        wrong_type("state", "a Playing or a ChoosingMoon", state)
    if not isinstance(paranoid, bool):
        wrong_type("paranoid", "a bool", paranoid)
    checked_count("most_positions", most_positions)
    rules = state.rules
    moves: tuple[Play | ChooseMoon, ...]
    # Each class of states has its own class of moves.
    if isinstance(state, ChoosingMoon):
        moves = tuple(legal_moves(state))
        points = [state.others_up.points, state.shooter_down.points]
        positions = 1
    else:
        moves = tuple(legal_moves(state))
        ending = Ending(state, paranoid, most_positions)
        points = [value[: rules.players] for value in ending.values()]
        positions = ending.positions
    side = rules.sides[rules.side(moves[0].seat)]
    worth = [sum(each[member] for member in side) for each in points]
    return Solution(moves, tuple(points), worth.index(min(worth)), positions)
