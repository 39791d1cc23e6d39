"""The arguments and options that several commands have."""

from __future__ import annotations

import enum
import secrets
from pathlib import Path
from typing import Annotated

import typer

from heartsrules.apps.command_line.messages import wrong_use
from heartsrules.apps.completion import presets_that_begin, settings_that_begin
from heartsrules.rules import MAX_DEALS
from heartsrules.simulation.many_games import MAX_GAMES

__all__ = [
    "BotsOption",
    "DaskOption",
    "DetailsOption",
    "FigureOutput",
    "FigureOutputOption",
    "GamesOption",
    "JobsOption",
    "MaxDealsOption",
    "Output",
    "OutputOption",
    "PlayersOption",
    "PlotOption",
    "PolicyName",
    "PolicyOption",
    "PresetArgument",
    "SeedOption",
    "SetOption",
    "chosen_seed",
    "one_bot_that_begins",
]


class PolicyName(enum.StrEnum):
    """A way to choose for all players."""

    UNIFORM = "uniform"
    CAREFUL = "careful"


def one_bot_that_begins(incomplete: str) -> list[str]:
    """The bots that a shell may complete a name to."""
    from heartsrules.bots import BOTS

    return [name for name in (*BOTS, "sampling:", "external:") if name.startswith(incomplete.lower())]


def _bots_that_begin(incomplete: str) -> list[str]:
    """The bots that a shell may complete the last of several names to."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in one_bot_that_begins(last)]


PresetArgument = Annotated[
    str,
    typer.Argument(metavar="PRESET", help="A name from `heartsrules presets`.", autocompletion=presets_that_begin),
]
PlayersOption = Annotated[int | None, typer.Option("--players", metavar="N", help="How many play.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        autocompletion=settings_that_begin,
        help="Change a field, such as target=50, moon=choice, bonuses=JD:10 or 'pass_cycle=L3 R3 hold'. Repeatable.",
    ),
]
GamesOption = Annotated[int, typer.Option("--games", metavar="N", min=1, max=MAX_GAMES, help="How many games to play.")]
SeedOption = Annotated[
    str | None,
    typer.Option(
        "--seed", metavar="TEXT", help="Equal seeds give equal games. If not given, a random one is drawn and printed."
    ),
]
MaxDealsOption = Annotated[
    int,
    typer.Option(
        "--max-deals-per-match", metavar="N", min=1, max=MAX_DEALS, help="Stop a game that takes more deals than this."
    ),
]
BotsOption = Annotated[
    str | None,
    typer.Option(
        "--bots",
        metavar="BOT,...",
        help="Who plays, seat by seat from seat 0, in turn if the names are fewer: uniform, heuristic, sampling, "
        "sampling:N (which draws N worlds), external:COMMAND (a program, whose command has no comma).",
        autocompletion=_bots_that_begin,
    ),
]
PolicyOption = Annotated[
    PolicyName | None,
    typer.Option("--policy", help="How all players choose, in place of bots; without either, uniformly."),
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="How many processes work; without it, one for each core."),
]
DaskOption = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler (tcp://host:8786)."),
]


class Output(enum.StrEnum):
    """How results are printed: for people, or for programs."""

    TEXT = "text"
    JSON = "json"


class FigureOutput(enum.StrEnum):
    """How figures are printed."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


OutputOption = Annotated[Output, typer.Option("--format", help="How to print the result.")]
FigureOutputOption = Annotated[FigureOutput, typer.Option("--format", help="How to print the figures.")]
DetailsOption = Annotated[bool, typer.Option("--details", help="Print every figure there is.")]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw the figures too, as .svg or .png (extra `plot`).")
]


def chosen_seed(given: str | None) -> str:
    """The seed of `--seed`; without one, one is drawn."""
    if given is None:
        return str(secrets.randbelow(10**9))
    if not given.isprintable():
        raise wrong_use("--seed", "a seed must be printable text")
    return given
