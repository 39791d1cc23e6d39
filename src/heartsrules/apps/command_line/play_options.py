"""The options of `heartsrules play`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import attrs

from heartsrules.apps.command_line.options import PLAYOUTS, LanguageOption, PlayoutsOption, flag


@attrs.frozen(kw_only=True)
class PlayOptions:
    """Options for the players, the cards, the record and the display."""

    humans: Annotated[
        str | None,
        flag(
            "--humans NAMES",
            "Who plays at this terminal, with commas between the names, from the first seat on. Bots sit "
            "where a name is empty. If not given, you play in the first seat.",
        ),
    ] = None
    bots: Annotated[
        str | None,
        flag(
            "--bots NAMES",
            "How the bots play: uniform, heuristic (if not given), sampling or learned; or, with commas, a "
            "name for each of them.",
        ),
    ] = None
    player: Annotated[
        list[str] | None,
        flag(
            "--player NAME=BOT",
            "A player that --bots can name too, such as 'NAME=external:COMMAND', which is a program, or "
            "NAME=sampling:400. Repeatable.",
        ),
    ] = None
    seed: Annotated[
        str | None, flag("--seed TEXT", "Equal seeds give equal deals. Without one, a secret one is drawn.")
    ] = None
    playouts: PlayoutsOption = PLAYOUTS
    record: Annotated[Path | None, flag("--record FILE", "Write the game to a new file, after every move.")] = None
    # Paths of typer 0.28 fail on a NUL.
    resume: Annotated[
        Path | None,
        flag(
            "--resume FILE",
            "Go on with a recorded game, and with its record, unless --record names another.",
            parser=Path,
        ),
    ] = None

    language: LanguageOption = "en"
    plain: Annotated[
        bool, flag("--plain", "Sentences without colours or symbols, as for screen readers. Pipes get them anyway.")
    ] = False

    @property
    def path(self) -> Path | None:
        return self.record or self.resume

    @property
    def option(self) -> str:
        """The option that names this file."""
        return "--resume" if self.record is None else "--record"
