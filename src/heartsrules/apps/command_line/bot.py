"""`heartsrules bot`, which runs a bot of this package as a player's program."""

from __future__ import annotations

from typing import Annotated

from heartsrules.apps.command_line.messages import wrong_use
from heartsrules.apps.command_line.options import argument
from heartsrules.apps.command_line.players import bot_of, one_bot_that_begins


def serve_bot(
    bot: Annotated[
        str,
        argument(
            "BOT",
            "The player: uniform, heuristic, sampling, learned, or sampling:N and learned:N, with N worlds.",
            autocompletion=one_bot_that_begins,
        ),
    ],
) -> None:
    """Run a bot as a program that chooses moves for others.

    Requests are lines of JSON on standard input, responses lines on standard output. Such a program takes a seat in
    `heartsrules match external:COMMAND ...`, and in any other user of the players' protocol. It ends with its input, on
    SIGTERM and on Ctrl-C.
    """
    from heartsrules.apps.serve.answering import Service
    from heartsrules.apps.serve.lines import serve_lines
    from heartsrules.apps.serve.playing import player_operations
    from heartsrules.bots.external import External

    player = bot_of("BOT", bot)
    if isinstance(player.bot, External):
        raise wrong_use("BOT", "an external player is already a program; run its own command")
    serve_lines(Service(operations=player_operations(player.bot, player.name)))
