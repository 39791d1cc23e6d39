"""`heartsrules simulate` and `heartsrules compare`: games at random, and their figures."""

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
from heartsrules.cli.figure_tables import (
    comparison_table,
    figures_table,
    positions_table,
    seats_table,
    spreads_table,
    tricks_table,
)
from heartsrules.cli.messages import fail, one_line, wrong_use
from heartsrules.cli.options import (
    DaskOption,
    GamesOption,
    JobsOption,
    MaxDealsOption,
    Output,
    OutputOption,
    PlayersOption,
    PlotOption,
    PresetArgument,
    SeedOption,
    SetOption,
    chosen_seed,
)
from heartsrules.cli.printing import BAR, make_console
from heartsrules.cli.rule_sets import find_preset, rule_set_of
from heartsrules.cli.workers import Workers
from heartsrules.errors import counted, in_words
from heartsrules.extras import MissingExtra
from heartsrules.figures import COLUMNS, Run, check_path, plot, plot_comparison, rows, to_data
from heartsrules.rules import Rules
from heartsrules.simulate import MAX_DEALS_PER_GAME, SimulationFailed, SimulationInterrupted, Statistics

__all__ = ["compare_presets", "simulate_games"]


def simulate_games(
    preset: PresetArgument,
    players: PlayersOption = None,
    games: GamesOption = 100,
    seed: SeedOption = None,
    setting: SetOption = None,
    max_deals: MaxDealsOption = MAX_DEALS_PER_GAME,
    jobs: JobsOption = None,
    dask: DaskOption = None,
    format_: OutputOption = Output.TABLE,
    picture: PlotOption = None,
) -> None:
    """Play whole games in which everybody chooses uniformly among the legal moves.

    Ctrl-C ends it, and prints the results of the games that were played; the exit code is then 130.
    """
    rules, name = rule_set_of(preset, players, setting or ())
    seed = chosen_seed(seed)
    _check_picture(picture)
    runs, code = _play_all([(find_preset(preset).name, rules)], games, seed, max_deals, Workers(jobs, dask))
    for run in runs:
        if format_ is Output.TABLE:
            s = run.statistics
            console = make_console()
            console.print(f"{name}, seed {seed}")
            for table in (
                figures_table(s, max_deals),
                spreads_table(s),
                seats_table(s),
                positions_table(s),
                tricks_table(s),
            ):
                console.print()
                console.print(table)
        else:
            _print_data(runs, format_)
        if picture is not None:
            plot(run, picture, about=f"{name}, seed {seed}")
    if code:
        raise typer.Exit(code)


def compare_presets(
    preset: Annotated[
        list[str] | None, typer.Argument(metavar="PRESET", help="Names from `heartsrules presets`; without any, all.")
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="How many play; without it, every count of a preset.")
    ] = None,
    games: GamesOption = 100,
    seed: SeedOption = None,
    max_deals: MaxDealsOption = MAX_DEALS_PER_GAME,
    jobs: JobsOption = None,
    dask: DaskOption = None,
    format_: OutputOption = Output.TABLE,
    picture: PlotOption = None,
) -> None:
    """Play games of several presets, and print their figures side by side.

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
    seed = chosen_seed(seed)
    _check_picture(picture)
    runs, code = _play_all(variants, games, seed, max_deals, Workers(jobs, dask))
    if format_ is Output.TABLE:
        console = make_console()
        console.print(f"{counted(games, 'game')} of each, seed {seed}")
        console.print()
        console.print(comparison_table(runs))
    else:
        _print_data(runs, format_, many=True)
    if picture is not None and runs:
        plot_comparison(runs, picture, about=f"{counted(games, 'game')} of each, seed {seed}")
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
    variants: Sequence[tuple[str, Rules]], games: int, seed: str, max_deals: int, workers: Workers
) -> tuple[list[Run], int]:
    """Play the games of some rule sets; if that ends early, say so. Returns what was played and the exit code."""
    errors = make_console(stderr=True)
    progress = Progress(*BAR, MofNCompleteColumn(), TimeRemainingColumn(), console=errors, transient=True)
    runs: list[Run] = []
    whole = games * len(variants)

    def keep(statistics: Statistics) -> None:
        if statistics.games:
            runs.append(Run(variants[len(runs)][0], statistics, seed))

    def played() -> str:
        return f"after {sum(run.statistics.games for run in runs)} of {whole} games (seed {seed})."

    try:
        with workers, progress if errors.is_terminal else contextlib.nullcontext():
            task = progress.add_task("games", total=whole)
            for number, (name, rules) in enumerate(variants):
                progress.update(task, description=f"{name}, {rules.players} players" if len(variants) > 1 else "games")

                def show(done: int, before: int = number * games) -> None:
                    progress.update(task, completed=before + done)

                keep(workers.play(rules, games, seed, max_deals, show))
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
    return runs, 0


def _print_data(runs: Sequence[Run], format_: Output, *, many: bool = False) -> None:
    """Print runs as JSON, a list of them with a line for each, or as CSV."""
    make_console()  # so that characters that the encoding lacks are escaped
    if format_ is Output.CSV:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        for run in runs:
            writer.writerows(rows(run))
        return
    texts = [json.dumps(to_data(run), separators=(",", ":")) for run in runs]
    sys.stdout.write("[\n" + ",\n".join(texts) + "\n]\n" if many else f"{texts[0]}\n")
