"""`heartsrules bot`: a bot of this package as a program, for others to play with."""

from __future__ import annotations

from typing import Annotated

import typer

from heartsrules.cli.messages import fail, wrong_use
from heartsrules.cli.options import one_bot_that_begins
from heartsrules.cli.players import bot_of
from heartsrules.extras import MissingExtra

__all__ = ["serve_bot"]


def serve_bot(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="Who plays: uniform, heuristic, sampling, or sampling:N, which draws N worlds.",
            autocompletion=one_bot_that_begins,
        ),
    ],
) -> None:
    """Play as a program: choose moves for whoever asks, in lines of JSON on standard input.

    Such a program takes a seat in `heartsrules match external:COMMAND ...`, and wherever else the players' protocol is
    spoken. It ends with its input, on SIGTERM and on Ctrl-C.
    """
    player = bot_of("BOT", bot)
    try:
        from heartsrules.bots.external import External
        from heartsrules.serve.answering import Limits
        from heartsrules.serve.lines import serve_lines
        from heartsrules.serve.playing import player_operations
    except MissingExtra as missing:
        fail(str(missing), 2)
    if isinstance(player.bot, External):
        raise wrong_use("BOT", "an external player is a program already: start it as it is")
    serve_lines(Limits(seconds=None), operations=player_operations(player.bot, player.name))
