"""Shared parts of the readers for other programs' logs."""

from __future__ import annotations

from collections.abc import Callable

from heartsrules.play.engine import apply
from heartsrules.play.moves import Move
from heartsrules.play.state import State
from heartsrules.play.violations import IllegalMove


def applied(state: State, move: Move, at: int, place: Callable[[int], str]) -> State:
    """Apply a move of a log and return the new state.

    Args:
        state: the state before the move.
        move: the move.
        at: its position in the log.
        place: a function that describes a position to a person.

    Raises:
        IllegalMove: the rules forbid the move; a note describes its position.
    """
    try:
        return apply(state, move)
    except IllegalMove as error:
        error.add_note(f"at {place(at)}")
        raise
