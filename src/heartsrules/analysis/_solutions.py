"""Solve endings in which all cards are known."""

from __future__ import annotations

from typing import Final

import attrs

from heartsrules.analysis._solving import Ending
from heartsrules.base.values import checked_count, type_phrase, wrong_type
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import ChooseMoon, Play
from heartsrules.play.state import ChoosingMoon, Playing, State

MOST_POSITIONS: Final = 3_000_000
"""The default node budget of `solve`, less than a gigabyte with four players."""


@attrs.frozen
class Solution:
    """The points after each legal move, under best play with all cards known.

    Attributes:
        moves: the legal moves, in the order of `legal_moves`.
        points: the points of the deal after each move, one per seat, as in `DealScore.points`.
        chosen: the index of the first move that is best for the mover's side.
        positions: the number of positions searched, ignored by comparison.
    """

    moves: tuple[Play | ChooseMoon, ...]
    points: tuple[tuple[int, ...], ...]
    chosen: int
    positions: int = attrs.field(eq=False)

    @property
    def best(self) -> Play | ChooseMoon:
        """The first move that is best for the mover's side."""
        return self.moves[self.chosen]

    @property
    def value(self) -> tuple[int, ...]:
        """The points of the deal after the best move, one per seat."""
        return self.points[self.chosen]


def solve(state: Playing | ChoosingMoon, *, paranoid: bool = False, most_positions: int = MOST_POSITIONS) -> Solution:
    """Solve an ending with all cards known.

    Every player minimises its own side's points in this deal, knowing that the others do the same (max^n). Among moves
    that are equal for the mover's side, the first in `legal_moves` is chosen, so the result is unique.

    Args:
        state: a state in which a seat must play a card, or a shooter chooses the effect of the moon.
        paranoid: True if the other sides instead maximise the points of the side to act.
        most_positions: the node budget. With four players a position takes about 220 bytes.

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
        TooManyPositions: the node budget was exceeded, so no move has a result.
        ValueError: `most_positions` is lower than 1.
        TypeError: an argument has the wrong type, or the state is in another phase.
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
