"""`heartsrules simulate` and `heartsrules compare`: many games, and their figures."""

from __future__ import annotations

import contextlib
import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

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
from heartsrules.apps.command_line.messages import fail, one_line, wrong_use
from heartsrules.apps.command_line.options import (
    BotsOption,
    DaskOption,
    DetailsOption,
    FigureOutput,
    FigureOutputOption,
    GamesOption,
    JobsOption,
    MaxDealsOption,
    PlayersOption,
    PlotOption,
    PolicyOption,
    PresetArgument,
    SeedOption,
    SetOption,
    chosen_seed,
)
from heartsrules.apps.command_line.players import Players, players_of
from heartsrules.apps.command_line.printing import BAR, make_console, print_columns
from heartsrules.apps.command_line.rule_sets import find_preset, rule_set_of
from heartsrules.apps.command_line.workers import Workers
from heartsrules.apps.completion import presets_that_begin
from heartsrules.base.errors import counted, in_words
from heartsrules.base.extras import MissingExtra
from heartsrules.bots.failures import ProgramError
from heartsrules.rules import Rules
from heartsrules.simulation.figures import COLUMNS, Run, check_path, plot, plot_comparison, rows, to_data
from heartsrules.simulation.many_games import SimulationFailed, SimulationInterrupted
from heartsrules.simulation.statistics import MAX_DEALS_PER_GAME, Statistics

__all__ = ["compare_presets", "simulate_games"]


def simulate_games(
    preset: PresetArgument,
    players: PlayersOption = None,
    games: GamesOption = 100,
    seed: SeedOption = None,
    setting: SetOption = None,
    bots: BotsOption = None,
    policy: PolicyOption = None,
    max_deals: MaxDealsOption = MAX_DEALS_PER_GAME,
    jobs: JobsOption = None,
    dask: DaskOption = None,
    details: DetailsOption = False,
    format_: FigureOutputOption = FigureOutput.TEXT,
    picture: PlotOption = None,
) -> None:
    """Play many games, and print statistics of their results.

    All players choose uniformly among the legal moves, unless --bots or --policy says otherwise. Ctrl-C ends it, and
    prints the results of the games that were played; the exit code is then 130.
    """
    rules, name = rule_set_of(preset, players, setting or ())
    who = players_of(bots, policy, [rules.players])
    seed = chosen_seed(seed)
    _check_picture(picture)
    runs, code = _play_all([(find_preset(preset).name, rules)], games, seed, max_deals, Workers(jobs, dask), who)
    about = f"{name}{who.label}, seed {seed}"
    for run in runs:
        if format_ is FigureOutput.TEXT:
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
            _print_data(runs, format_)
        if picture is not None:
            plot(run, picture, about=about)
    if code:
        raise typer.Exit(code)


def compare_presets(
    preset: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PRESET",
            help="Names from `heartsrules presets`; without any, all.",
            autocompletion=presets_that_begin,
        ),
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="How many play; without it, every count of a preset.")
    ] = None,
    games: GamesOption = 100,
    seed: SeedOption = None,
    bots: BotsOption = None,
    policy: PolicyOption = None,
    max_deals: MaxDealsOption = MAX_DEALS_PER_GAME,
    jobs: JobsOption = None,
    dask: DaskOption = None,
    format_: FigureOutputOption = FigureOutput.TEXT,
    picture: PlotOption = None,
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
    who = players_of(bots, policy, [rules.players for _, rules in variants])
    seed = chosen_seed(seed)
    _check_picture(picture)
    runs, code = _play_all(variants, games, seed, max_deals, Workers(jobs, dask), who)
    about = f"{counted(games, 'game')} of each{who.label}, seed {seed}"
    if format_ is FigureOutput.TEXT:
        console = make_console()
        console.print(about)
        table = comparison_table(runs)
        print_columns(console, table, keys=2, right=list(table)[1:])
    else:
        _print_data(runs, format_, many=True)
    if picture is not None and runs:
        plot_comparison(runs, picture, about=about)
    if code:
        raise typer.Exit(code)


def _check_picture(path: Path | None) -> None:
    """Check, before the games are played, that a plot can be made."""
    try:
        if path is not None:
            check_path(path)
    except MissingExtra as error:
        fail(str(error), 2)
    except (OSError, ValueError) as error:
        raise wrong_use("--plot", str(error)) from None


def _play_all(
    variants: Sequence[tuple[str, Rules]], games: int, seed: str, max_deals: int, workers: Workers, who: Players
) -> tuple[list[Run], int]:
    """Play the games of some rule sets; if that ends early, say so. Returns what was played and the exit code."""
    errors = make_console(stderr=True)
    progress = Progress(*BAR, MofNCompleteColumn(), TimeRemainingColumn(), console=errors, transient=True)
    runs: list[Run] = []
    whole = games * len(variants)

    def keep(statistics: Statistics) -> None:
        if statistics.games:
            preset, rules = variants[len(runs)]
            runs.append(Run(preset, statistics, seed, who.names(rules.players), who.policy_name))

    def played() -> str:
        return f"after {sum(run.statistics.games for run in runs)} of {whole} games (seed {seed})."

    try:
        with workers, progress if errors.is_terminal else contextlib.nullcontext():
            task = progress.add_task("games", total=whole)
            for number, (name, rules) in enumerate(variants):
                progress.update(task, description=f"{name}, {rules.players} players" if len(variants) > 1 else "games")

                def show(done: int, before: int = number * games) -> None:
                    progress.update(task, completed=before + done)

                keep(workers.play(rules, games, seed, max_deals, show, who))
    except SimulationInterrupted as stop:
        keep(stop.partial)
        typer.echo(f"Interrupted {played()}", err=True)
        return runs, 130
    except KeyboardInterrupt:
        typer.echo(f"Interrupted {played()}", err=True)
        return runs, 130
    except SimulationFailed as failure:
        keep(failure.partial)
        typer.echo(one_line(f"Error: {failure} ({failure.__cause__})"), err=True)
        typer.echo(f"Ended {played()}", err=True)
        return runs, 1
    except ProgramError as failure:
        typer.echo(one_line(f"Error: {failure}"), err=True)
        typer.echo(f"Ended {played()}", err=True)
        return runs, 1
    return runs, 0


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
