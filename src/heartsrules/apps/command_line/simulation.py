"""`heartsrules simulate` and `heartsrules compare`: many games, and their figures."""

from __future__ import annotations

import contextlib
import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import attrs
import typer
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from heartsrules import presets
from heartsrules.apps.command_line.figure_tables import (
    comparison_table,
    figures_table,
    positions_table,
    seats_table,
    spreads_table,
    tricks_table,
)
from heartsrules.apps.command_line.messages import extras_needed, files_refused, report_end, wrong_use
from heartsrules.apps.command_line.options import (
    FigureOptions,
    FigureOutput,
    GameOptions,
    KeepOption,
    PartOptions,
    PresetArgument,
    RuleSetOptions,
    WorkerOptions,
    argument,
    chosen_seed,
    flag,
    takes_options,
)
from heartsrules.apps.command_line.printing import make_console, print_columns
from heartsrules.apps.command_line.progress import BAR
from heartsrules.apps.command_line.rule_sets import find_preset
from heartsrules.apps.command_line.workers import Workers
from heartsrules.apps.completion import presets_that_begin
from heartsrules.base.errors import counted, in_words
from heartsrules.bots.failures import ProgramError
from heartsrules.rules import Rules
from heartsrules.simulation.figures import COLUMNS, Run, check_path, plot, plot_comparison, rows, to_data
from heartsrules.simulation.many_games import SimulationFailed, SimulationInterrupted, simulate
from heartsrules.simulation.parts import Resumable, Setting, share_of
from heartsrules.simulation.statistics import Statistics

DetailsOption = Annotated[bool, flag("--details", "Print every figure there is.")]


@takes_options
def simulate_games(
    preset: PresetArgument,
    rule_set: RuleSetOptions,
    played: GameOptions,
    workers: WorkerOptions,
    shown: FigureOptions,
    part: PartOptions,
    keep: KeepOption = None,
    details: DetailsOption = False,
) -> None:
    """Play many games, and print statistics of their results.

    All players choose uniformly among the legal moves, unless --bots or --policy says otherwise. Ctrl-C ends it, and
    prints the results of the games that were played; the exit code is then 130.
    """
    rules, name = rule_set.apply_to(preset)
    files = part.files(played.seed, keep, shown.picture)
    batch = _Batch(played, [(find_preset(preset).name, rules)])
    check_picture(shown.picture)
    about = f"{name}{batch.players.label}"
    settings: dict[str, Setting] = {"preset": batch.variants[0][0], "name": about}
    settings |= {"bots": batch.players.names(rules.players), "policy": batch.players.policy_name}
    runs, code = batch.play(workers, attrs.evolve(files, about=settings))
    for run in runs:
        print_run(run, about, played.max_deals, shown, details=details)
    if code:
        raise typer.Exit(code)


def print_run(run: Run, about: str, max_deals: int, shown: FigureOptions, *, details: bool) -> None:
    """Print the statistics of a run, and draw them if that is asked for."""
    about = f"{about}, seed {run.seed}"
    if shown.format_ is FigureOutput.TEXT:
        s = run.statistics
        console = make_console()
        console.print(about)
        seats = seats_table(s, run.bots)
        print_columns(console, figures_table(s, max_deals, details=details))
        print_columns(console, spreads_table(s), right=list(spreads_table(s))[1:])
        print_columns(console, seats, right=[heading for heading in seats if heading in ("seat", "mean total")])
        if details:
            for table in (positions_table(s), tricks_table(s)):
                print_columns(console, table, right=table)
    else:
        _print_data([run], shown.format_)
    if shown.picture is not None:
        plot(run, shown.picture, about=about)


@takes_options
def compare_presets(
    *,
    preset: Annotated[
        list[str] | None,
        argument("PRESET", "Names from `heartsrules presets`; without any, all.", autocompletion=presets_that_begin),
    ] = None,
    players: Annotated[int | None, flag("--players N", "How many play; without it, every count of a preset.")] = None,
    played: GameOptions,
    workers: WorkerOptions,
    shown: FigureOptions,
) -> None:
    """Play games of several presets, and compare their figures.

    The games of each are those that `heartsrules simulate` plays with the same seed.
    """
    chosen = [find_preset(name) for name in preset or presets.ALL]
    variants = [
        (each.name, each.rules(count))
        for each in dict.fromkeys(chosen)
        for count in each.players
        if players in (None, count)
    ]
    if not variants:
        raise wrong_use("--players", f"none of these presets is for {in_words(players)} players")
    batch = _Batch(played, variants)
    check_picture(shown.picture)
    runs, code = batch.play(workers, Resumable())
    about = f"{counted(played.games, 'game')} of each{batch.players.label}, seed {batch.seed}"
    if shown.format_ is FigureOutput.TEXT:
        console = make_console()
        console.print(about)
        table = comparison_table(runs)
        print_columns(console, table, keys=2, right=list(table)[1:])
    else:
        _print_data(runs, shown.format_, many=True)
    if shown.picture is not None and runs:
        plot_comparison(runs, shown.picture, about=about)
    if code:
        raise typer.Exit(code)


def check_picture(path: Path | None) -> None:
    """Check, before the games are played, that a plot can be made."""
    try:
        if path is not None:
            with extras_needed():
                check_path(path)
    except (OSError, ValueError) as error:
        raise wrong_use("--plot", str(error)) from None


class _Batch:
    """Games of several rule sets, played with the same options."""

    def __init__(self, options: GameOptions, variants: Sequence[tuple[str, Rules]]) -> None:
        self.variants: Final = variants
        """The names of the presets, with the rule sets."""
        self.players: Final = options.players([rules.players for _, rules in variants])
        self.seed: Final = chosen_seed(options.seed)
        self._options: Final = options
        self._runs: Final[list[Run]] = []

    def play(self, options: WorkerOptions, files: Resumable) -> tuple[list[Run], int]:
        """Play the games, and return their runs and the exit code. If it ends early, say so."""
        workers = Workers(options.jobs, options.dask)
        self._games = len(share_of(range(self._options.games), *files.part))
        try:
            with files_refused(files):
                self._play(workers, files)
        except (KeyboardInterrupt, SimulationFailed, ProgramError) as stopped:
            if isinstance(stopped, (SimulationInterrupted, SimulationFailed)):
                self._keep(stopped.partial)
            played = sum([run.statistics.games for run in self._runs])
            whole = self._games * len(self.variants)
            return self._runs, report_end(stopped, f"after {played} of {whole} games (seed {self.seed}).")
        return self._runs, 0

    def _play(self, workers: Workers, files: Resumable) -> None:
        games, many = self._games, len(self.variants) > 1
        given: dict[str, Any] = {"games": self._options.games, "seed": self.seed, "max_deals": self._options.max_deals}
        given["executor"] = attrs.evolve(files, executor=workers.chunked())
        errors = make_console(stderr=True)
        progress = Progress(*BAR, MofNCompleteColumn(), TimeRemainingColumn(), console=errors, transient=True)
        with workers, progress if errors.is_terminal else contextlib.nullcontext():
            task = progress.add_task("games", total=games * len(self.variants))
            for number, (name, rules) in enumerate(self.variants):
                progress.update(task, description=f"{name}, {rules.players} players" if many else "games")

                def show(done: int, before: int = number * games) -> None:
                    progress.update(task, completed=before + done)

                players = self.players.policy or self.players.bots(rules.players)
                self._keep(simulate(rules, players=players, progress=show, **given))

    def _keep(self, statistics: Statistics) -> None:
        if statistics.games:
            preset, rules = self.variants[len(self._runs)]
            names = self.players.names(rules.players)
            self._runs.append(Run(preset, statistics, self.seed, names, self.players.policy_name))


def _print_data(runs: Sequence[Run], format_: FigureOutput, *, many: bool = False) -> None:
    """Print runs as JSON, a list of them with a line for each, or as CSV."""
    make_console()  # so that characters that the encoding lacks are escaped
    if format_ is FigureOutput.CSV:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        for run in runs:
            writer.writerows(rows(run))
        return
    texts = [json.dumps(to_data(run), separators=(",", ":")) for run in runs]
    sys.stdout.write("[\n" + ",\n".join(texts) + "\n]\n" if many else f"{texts[0]}\n")
