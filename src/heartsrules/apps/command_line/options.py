"""Options common to several commands, in classes whose fields are the options."""

from __future__ import annotations

import functools
import inspect
import secrets
import shlex
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import attrs
import typer

from heartsrules.apps.command_line.messages import refuse_address, refuse_same, values_refused, wrong_use
from heartsrules.apps.command_line.players import Players, PolicyName, bots_that_begin, players_of, policies_that_begin
from heartsrules.apps.command_line.rule_sets import rule_set_of
from heartsrules.apps.completion import presets_that_begin, settings_that_begin
from heartsrules.base.errors import in_words
from heartsrules.rules import MAX_DEALS, Rules
from heartsrules.simulation.limits import MAX_DEALS_PER_GAME, MAX_GAMES, KeepAs

if TYPE_CHECKING:
    from heartsrules.simulation.parts import Resumable


_LONGEST_PART: Final = 40
MAX_FILE: Final = 1_000_000_000


def flag(flags: str, text: str, **more: Any) -> Any:
    """Declare an option by flags and metavar, such as `--out -o FILE`, and its help."""
    words = flags.split()
    metavars = [word for word in words if not word.startswith("-")]
    return typer.Option(*words[: len(words) - len(metavars)], metavar=" ".join(metavars) or None, help=text, **more)


def argument(metavar: str, text: str, **more: Any) -> Any:
    """Declare an argument with its metavar and its help."""
    return typer.Argument(metavar=metavar, help=text, **more)


def takes_options(command: Callable[..., None]) -> Callable[..., None]:
    """Expand each parameter that is an attrs class into its fields, for typer.

    The expanded function takes only keyword arguments.
    """
    hints = typing.get_type_hints(command, include_extras=True)
    groups = {name: attrs.fields(attrs.resolve_types(kind)) for name, kind in hints.items() if attrs.has(kind)}
    parameters: list[inspect.Parameter] = []
    for each in inspect.signature(command).parameters.values():
        options = [(field.name, field.default, field.type) for field in groups.get(each.name, ())]
        for name, default, kind in options or [(each.name, each.default, hints[each.name])]:
            given = inspect.Parameter.empty if default is attrs.NOTHING else default
            parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=given, annotation=kind))

    @functools.wraps(command)
    def expanded(**values: Any) -> None:
        grouped = {
            group: hints[group](**{field.name: values.pop(field.name) for field in fields})
            for group, fields in groups.items()
        }
        command(**grouped, **values)

    expanded.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {each.name: each.annotation for each in parameters}
    return expanded


USUAL_PRESET: Final = "microsoft"
"""The default preset, the usual game."""


Output: TypeAlias = Literal["text", "json"]
"""The formats of a result, for people or for programs."""


def _language(language: str) -> str:
    from heartsrules.messages import catalogue

    with values_refused("--language"):
        catalogue(language)
    return language


def _picture(path: Path | None) -> Path | None:
    if path is not None:
        from heartsrules.simulation.figures import check_path

        try:
            check_path(path)
        except (OSError, ValueError) as error:
            raise wrong_use("--plot", str(error)) from None
    return path


PresetArgument = Annotated[
    str, argument("PRESET", "A name from `heartsrules presets`.", autocompletion=presets_that_begin)
]
LanguageOption = Annotated[str, flag("--language TAG", "The language: en or de.", callback=_language)]
PLAYOUTS: Final = "watchful"
"""The default policy of playouts."""
PlayoutsOption = Annotated[
    str,
    flag(
        "--playouts NAME",
        "The policy of the playouts that estimate moves: watchful, uniform or learned.",
        autocompletion=policies_that_begin,
    ),
]
PlayerOption = Annotated[
    list[str] | None,
    flag(
        "--player NAME=BOT",
        "A player of your own, such as the program 'NAME=external:COMMAND', or NAME=sampling:400. Repeatable.",
    ),
]
HostOption = Annotated[str | None, flag("--host ADDRESS", "The address to listen on.  [default: this machine only]")]
SocketOption = Annotated[int | None, flag("--fd N", "Listen on this inherited socket instead.", min=0)]
OutputOption = Annotated[Output, flag("--format", "The format of the result.")]
SeedOption = Annotated[str | None, flag("--seed TEXT", "Equal seeds give equal games.  [default: random, and printed]")]


KeepOption = Annotated[
    Path | None,
    flag(
        "--keep FILE", "Save the games in shards: for games.parquet (or .gz, for text), games-00000.parquet and so on."
    ),
]
KeepAsOption = Annotated[
    KeepAs | None,
    flag(
        "--keep-as",
        "In Parquet, save a table with a row for each deal (columns, the default), or each game as text (records).",
    ),
]
MaxBytesOption = Annotated[
    int, flag("--max-bytes N", "The maximum number of bytes to read from a file, compressed or not.", min=1)
]


@attrs.frozen(kw_only=True)
class ChosenOptions:
    number: Annotated[
        int | None, flag("--record N", "The record's number in the file, from 1.  [default: the first]", min=1)
    ] = None
    max_bytes: MaxBytesOption = MAX_FILE


MixedBuildsOption = Annotated[bool, flag("--mixed-builds", "Allow parts from other builds of heartsrules.")]
OutOption = Annotated[
    Path | None,
    flag("--out -o FILE", "Save progress to this file about every second, and resume from an existing one."),
]


@attrs.frozen(kw_only=True)
class PartOptions:
    """The part of a run to do, and its file."""

    part: Annotated[
        str | None, flag("--part K/N", "Do only part K of N, from 1; `heartsrules merge` adds the parts.")
    ] = None
    out: OutOption = None
    mixed_builds: MixedBuildsOption = False

    def __bool__(self) -> bool:
        return self.part is not None or self.out is not None

    def files(
        self, seed: str | None, keep: Path | None = None, picture: Path | None = None, keep_as: KeepAs | None = None
    ) -> Resumable:
        """Return the part and its files.

        Args:
            seed: the value of `--seed`, empty for a run without one.
        """
        from heartsrules.simulation.parts import Resumable

        for option, path in (("--out", self.out), ("--keep", keep)):
            refuse_address(option, path)
        refuse_same({"--out": self.out, "--keep": keep, "--plot": picture})
        number, slash, parts = (self.part or "1/1").partition("/")
        if not (slash and number.isdecimal() and parts.isdecimal() and len(self.part or "") < _LONGEST_PART):
            raise wrong_use("--part", f"{in_words(self.part)} is not K/N, such as 3/64")
        if self.part is not None and self.out is None:
            raise wrong_use("--out", "a part needs an output file")
        if self and seed is None:
            raise wrong_use("--seed", "all parts of a run need the same seed; choose one")
        if self.mixed_builds and self.out is None:
            raise wrong_use("--mixed-builds", "this option needs --out, the part to resume")
        if keep_as is not None and keep is None:
            raise wrong_use("--keep-as", "this option needs --keep, the file for the games")
        with values_refused("--part"):
            files = Resumable(self.out, part=(int(number), int(parts)), mixed_builds=self.mixed_builds)
        with values_refused("--keep"):
            return attrs.evolve(files, keep=keep, keep_as=keep_as, command=shlex.join(["heartsrules", *sys.argv[1:]]))


@attrs.frozen(kw_only=True)
class RuleSetOptions:
    players: Annotated[int | None, flag("--players N", "The number of players.")] = None
    setting: Annotated[
        list[str] | None,
        flag(
            "--set FIELD=VALUE",
            "Change a field, such as target=50, moon=choice, bonuses=JD:10 or 'pass_cycle=L3 R3 hold'. Repeatable.",
            autocompletion=settings_that_begin,
        ),
    ] = None

    def __bool__(self) -> bool:
        return self.players is not None or bool(self.setting)

    def apply_to(self, preset: str) -> tuple[Rules, str]:
        """Return the rule set, and a line that names it, like `rule_set_of`."""
        return rule_set_of(preset, self.players, self.setting or ())


@attrs.frozen(kw_only=True)
class GameOptions:
    games: Annotated[int, flag("--games N", "The number of games.", min=1, max=MAX_GAMES)] = 100
    seed: SeedOption = None
    bots: Annotated[
        str | None,
        flag(
            "--bots BOT,...",
            "The players from seat 0 on, repeated in turn if there are fewer: uniform, heuristic, sampling, learned, "
            "sampling:N or learned:N (with N worlds), FILE.py:FUNCTION, external:COMMAND (a program with no comma in "
            "its command).",
            autocompletion=bots_that_begin,
        ),
    ] = None
    policy: Annotated[
        PolicyName | None, flag("--policy", "The policy of all players, instead of bots.  [default: uniform]")
    ] = None
    max_deals: Annotated[
        int, flag("--max-deals-per-match N", "Stop a game after this many deals.", min=1, max=MAX_DEALS)
    ] = MAX_DEALS_PER_GAME

    def players(self, counts: list[int]) -> Players:
        """Return the players for rule sets with these numbers of players."""
        return players_of(self.bots, self.policy, counts)


@attrs.frozen(kw_only=True)
class WorkerOptions:
    jobs: Annotated[
        int | None, flag("--jobs -j N", "The number of processes.  [default: one for each core]", min=1)
    ] = None
    dask: Annotated[str | None, flag("--dask ADDRESS", "Use the Dask cluster of this scheduler (tcp://host:8786).")] = (
        None
    )
    chunk: Annotated[
        int | None,
        flag("--chunk N", "The number of games sent to a worker at once.  [default: half a second's work]", min=1),
    ] = None
    in_flight: Annotated[
        int | None, flag("--in-flight N", "The number of chunks in flight.  [default: four for each worker]", min=1)
    ] = None


@attrs.frozen(kw_only=True)
class FigureOptions:
    format_: OutputOption = "text"
    picture: Annotated[
        Path | None, flag("--plot FILE", "Also draw the figures, as .svg or .png (extra `plot`).", callback=_picture)
    ] = None


def chosen_seed(given: str | None) -> str:
    if given is None:
        return str(secrets.randbelow(10**9))
    if not given.isprintable():
        raise wrong_use("--seed", "a seed must be printable text")
    return given
