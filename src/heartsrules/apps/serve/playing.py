"""The players' protocol, answered by a bot of this package; `heartsrules.bots.external.External` is its client.

The envelope is that of `heartsrules serve`, so the operations are declared likewise, and `serve_lines` serves them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, TypeAlias

from heartsrules.base.extras import needs

with needs("json", "a bot as a program"):
    from msgspec import Meta

from heartsrules.apps.serve.declaring import Operation, Result, declare
from heartsrules.base.errors import InvalidWire, Problem
from heartsrules.bots.external import MOST_MOVES
from heartsrules.bots.heuristic import heuristic
from heartsrules.bots.interface import Bot
from heartsrules.chance import RandomStream
from heartsrules.formats.wire import to_json
from heartsrules.formats.wire.parts import Count, Json, SeatNumber, component
from heartsrules.play.dealing import deal
from heartsrules.play.engine import apply, legal_moves, new_game
from heartsrules.rules import HOLD, Rules
from heartsrules.views import View, view

MoveJson: TypeAlias = Annotated[Json, component("Move")]

Time: TypeAlias = Annotated[int, Meta(ge=1, le=10**9)]
"""Milliseconds."""


class Introduced(Result, frozen=True):
    """Who plays. `protocol` is the version that the program speaks; `name` has 1 to 100 characters, `author` at most
    100, and may be left out."""

    protocol: int
    name: str
    author: str = ""


class Prepared(Result, frozen=True):
    """Nothing: the program is ready."""


class Chosen(Result, frozen=True):
    """The move: one that is legal."""

    move: MoveJson


def _choosing() -> dict[str, Any]:
    state = new_game(Rules(pass_cycle=(HOLD,), target=None, max_deals=1))
    playing = apply(state, deal(state, seed="player"))
    for _ in range(3):
        playing = apply(playing, legal_moves(playing)[0])
    (seat,) = [seat for seat in range(4) if legal_moves(view(playing, seat))]
    seen = view(playing, seat)
    moves = tuple([Json(to_json(move)) for move in legal_moves(seen)])
    return {"view": seen, "moves": moves, "count": len(moves), "milliseconds": 10_000, "seed": "8d1f0a3b5c6e7f90"}


def player_operations(bot: Bot, name: str) -> Mapping[str, Operation]:
    """The operations of a program that plays as a bot does, by name, for `serve_lines`.

    Args:
        bot: chooses the moves. Its random numbers come from the seed of the request.
        name: the name of the player.
    """

    @declare(lambda: {"protocol": 1, "caller": "heartsrules 0.1.0"})
    def _hello(
        *,
        protocol: Annotated[Literal[1], "The version of the protocol that the caller speaks."],  # noqa: ARG001
        caller: Annotated[str, "What the caller calls itself."] = "",  # noqa: ARG001
    ) -> Introduced:
        """Say who plays. It comes once, before anything else, and says nothing of a game."""
        return Introduced(1, name, "heartsrules")

    @declare(lambda: {"rules": Rules(target=50), "seat": 2})
    def _new_game(
        *,
        rules: Annotated[Rules, "The rule set."],  # noqa: ARG001
        seat: Annotated[SeatNumber, "The seat that the program plays."],  # noqa: ARG001
    ) -> Prepared:
        """Get ready for a game.

        What the program remembers of other games is to be forgotten. It need not come: every view has its rules. A
        program that does not play these rules refuses them, with a problem.
        """
        return Prepared()

    @declare(_choosing)
    def _choose(
        *,
        view: Annotated[View, "The view of the seat that is to act: all that it may know."],
        moves: Annotated[tuple[MoveJson, ...], f"The legal moves; of more than {MOST_MOVES}, the first."],  # noqa: ARG001
        count: Annotated[Count, "How many legal moves there are."],  # noqa: ARG001
        milliseconds: Annotated[Time | None, "The time for the answer; null: there is no limit."],  # noqa: ARG001
        seed: Annotated[str, "64 random bits, 16 hexadecimal digits: all chance comes from here."],
    ) -> Chosen:
        """Choose a move. It is asked only where there is more than one.

        A program that comes late has failed. Our own bots take the time that they take, and pay no heed to the limit.
        """
        if not legal_moves(view):
            raise InvalidWire((Problem.of("nothing-to-do", ("/view",)),))
        return Chosen(Json(to_json(bot(view, RandomStream(seed)))))

    return MappingProxyType({each.name: each for each in (_hello, _new_game, _choose)})


PLAYER_OPERATIONS: Final = player_operations(heuristic, "heuristic")
"""The operations of the heuristic player by name, in the order of the reference."""
