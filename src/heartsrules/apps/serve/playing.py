"""The players' protocol, answered by a bot of this package.

Its client is `heartsrules.bots.external.External`. The envelope is the same as for `heartsrules serve`, so operations
are declared in the same way and served by `serve_lines`.
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


class Introduced(Result, frozen=True):
    """The player's name.

    `protocol` is the program's version of the protocol; `name` has 1 to 100 characters, the optional `author` at most
    100.
    """

    protocol: int
    name: str
    author: str = ""


class Prepared(Result, frozen=True):
    """An empty result when the program is ready."""


class Chosen(Result, frozen=True):
    """The chosen legal move."""

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
    """Return a bot's operations by name, for `serve_lines`.

    Args:
        bot: the bot that chooses the moves, with random numbers from the request's seed.
    """

    @declare(lambda: {"protocol": 1, "caller": "heartsrules 0.1.0"})
    def _hello(
        *,
        protocol: Annotated[Literal[1], "The caller's version of the protocol."],  # noqa: ARG001
        caller: Annotated[str, "The caller's own name."] = "",  # noqa: ARG001
    ) -> Introduced:
        """Introduce the player.

        This request is the first, and reveals nothing about a game.
        """
        return Introduced(1, name, "heartsrules")

    @declare(lambda: {"rules": Rules(target=50), "seat": 2})
    def _new_game(
        *,
        rules: Annotated[Rules, "The rule set."],  # noqa: ARG001
        seat: Annotated[SeatNumber, "The program's seat."],  # noqa: ARG001
    ) -> Prepared:
        """Prepare for a game.

        The program must forget other games. This request is optional: every view has its rules. A program that does not
        play these rules refuses them, with a problem.
        """
        return Prepared()

    @declare(_choosing)
    def _choose(
        *,
        view: Annotated[View, "The view of the seat to act, all its information."],
        moves: Annotated[tuple[MoveJson, ...], f"The legal moves, at most the first {MOST_MOVES}."],  # noqa: ARG001
        count: Annotated[Count, "The number of legal moves."],  # noqa: ARG001
        milliseconds: Annotated[Time | None, "The time for the answer, or null without a limit."],  # noqa: ARG001
        seed: Annotated[str, "64 random bits as 16 hexadecimal digits, the source of all chance."],
    ) -> Chosen:
        """Choose a move.

        The request is sent only if there are several.

        A program that answers late has failed. Our own bots ignore the limit.
        """
        if not legal_moves(view):
            raise InvalidWire((Problem.of("nothing-to-do", ("/view",)),))
        return Chosen(Json(to_json(bot(view, RandomStream(seed)))))

    return MappingProxyType({each.name: each for each in (_hello, _new_game, _choose)})


PLAYER_OPERATIONS: Final = player_operations(heuristic, "heuristic")
"""The heuristic player's operations by name, in the order of the reference."""
