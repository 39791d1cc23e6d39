"""The options of `heartsrules play`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import attrs

from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.options import flag


@attrs.frozen(kw_only=True)
class PlayOptions:
    humans: Annotated[
        str | None,
        flag(
            "--humans NAMES",
            "The names of the humans at this terminal, separated by commas, from the first seat on. Bots take seats "
            "with empty names.  [default: you in the first seat]",
        ),
    ] = None
    bots: Annotated[
        str | None,
        flag(
            "--bots NAMES",
            "The kind of the bots: uniform, heuristic (the default), sampling or learned; or a name for each bot, "
            "separated by commas.",
        ),
    ] = None
    player: O.PlayerOption = None
    seed: Annotated[str | None, flag("--seed TEXT", "Equal seeds give equal deals.  [default: random and secret]")] = (
        None
    )
    playouts: O.PlayoutsOption = O.PLAYOUTS
    record: Annotated[Path | None, flag("--record FILE", "Save the game to a new file after every move.")] = None
    # Paths of typer 0.28 fail on a NUL.
    resume: Annotated[
        Path | None,
        flag(
            "--resume FILE", "Resume a recorded game, and extend its record unless --record names another.", parser=Path
        ),
    ] = None
    language: O.LanguageOption = "en"
    plain: Annotated[
        bool, flag("--plain", "Sentences without colours or symbols, for screen readers; always used for pipes.")
    ] = False

    @property
    def path(self) -> Path | None:
        return self.record or self.resume

    @property
    def option(self) -> str:
        """The option that names this file."""
        return "--resume" if self.record is None else "--record"
