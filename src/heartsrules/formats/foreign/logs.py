"""What the readers of other programs' logs share."""

from __future__ import annotations

from collections.abc import Callable

from heartsrules.play.engine import apply
from heartsrules.play.moves import Move
from heartsrules.play.state import State
from heartsrules.play.violations import IllegalMove


def applied(state: State, move: Move, at: int, place: Callable[[int], str]) -> State:
    """The state after a move of a log.

    Args:
        state: the state before it.
        move: the move.
        at: where it stands in the log.
        place: how a person is told that.

    Raises:
        IllegalMove: the rules forbid the move; a note says where it stands.
    """
    try:
        return apply(state, move)
    except IllegalMove as error:
        error.add_note(f"at {place(at)}")
        raise
