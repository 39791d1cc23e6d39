"""The interface of a bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from heartsrules.base.values import wrong_type
from heartsrules.chance import Bits
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import Move
from heartsrules.rules import Rules, Seat
from heartsrules.views import View


class Bot(Protocol):
    """A function from a seat's view and random bits to a legal move of that seat.

    A bot draws all randomness from `rng`: equal views and equal bits give equal moves.
    """

    def __call__(self, view: View, rng: Bits, /) -> Move:
        """Choose a legal move of the view's seat.

        Raises:
            ValueError: the seat has no decision.
        """
        ...


@runtime_checkable
class Preparing(Protocol):
    """An optional interface of bots that prepare for games.

    `play_match`, `tournament` and `simulate` call `begin` before each game.
    """

    def begin(self, rules: Rules, seat: Seat, /) -> None:
        """Prepare for a game by these rules, in this seat."""
        ...


def options(view: View) -> Sequence[Move]:
    """Return the legal moves of the view's seat, at least one.

    >>> from heartsrules import Rules, new_game, view
    >>> options(view(new_game(Rules()), 0))
    Traceback (most recent call last):
    ...
    ValueError: seat 0 has nothing to do: ask a bot only for the seats of to_act

    Raises:
        ValueError: the seat has no decision, or the view is a spectator's.
    """
    if not isinstance(view, View):
        wrong_type("view", "a View", view)
    moves = legal_moves(view)
    if not moves:
        who = "a spectator" if view.seat is None else f"seat {view.seat}"
        raise ValueError(f"{who} has nothing to do: ask a bot only for the seats of to_act")
    return moves
