"""`heartsrules simulate` and `heartsrules compare`, which play many games."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

import attrs
import typer

from heartsrules import presets
from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.messages import files_refused, report_end, wrong_use
from heartsrules.apps.command_line.options import argument, flag
from heartsrules.apps.command_line.printing import Row, figure_cell, json_line, make_console, print_json, print_rows
from heartsrules.apps.command_line.progress import progress_bar
from heartsrules.apps.command_line.rule_sets import find_preset
from heartsrules.apps.command_line.workers import Workers
from heartsrules.apps.completion import presets_that_begin
from heartsrules.base.errors import counted, in_words
from heartsrules.bots.failures import ProgramError
from heartsrules.rules import Rules
from heartsrules.simulation.figures import Run, figures, plot, plot_comparison, to_data
from heartsrules.simulation.many_games import SimulationFailed, SimulationInterrupted, simulate
from heartsrules.simulation.parts import Resumable, Setting, share_of
from heartsrules.simulation.statistics import Statistics

_SPREADS: Final = {"points": "points of a deal", "totals": "final total"}
_COMPARED: Final = (
    *("games", "unfinished games", "deals per game", "legal cards", "most legal cards", "forced cards per deal"),
    *("moons", "tied games"),
)


def simulate_games(
    preset: O.PresetArgument,
    rule_set: O.RuleSetOptions,
    played: O.GameOptions,
    workers: O.WorkerOptions,
    shown: O.FigureOptions,
    part: O.PartOptions,
    keep: O.KeepOption = None,
    keep_as: O.KeepAsOption = None,
) -> None:
    """Play many games, and print statistics of their results.

    All players choose uniformly among the legal moves, unless --bots or --policy changes that. Ctrl-C ends it, and
    prints the results of the games so far; the exit code is then 130.
    """
    rules, name = rule_set.apply_to(preset)
    files = part.files(played.seed, keep, shown.picture, keep_as)
    batch = _Batch(played, [(find_preset(preset).name, rules)])
    about = f"{name}{batch.players.label}"
    settings: dict[str, Setting] = {"preset": batch.variants[0][0], "name": about}
    bots = batch.players.names(rules.players)
    settings |= {"bots": bots, "policy": batch.players.policy_name}
    names = bots or (batch.players.policy_name or "uniform",)
    runs, code = batch.play(workers, attrs.evolve(files, about=settings, names=names))
    for run in runs:
        print_run(run, about, shown)
    if code:
        raise typer.Exit(code)


def print_run(run: Run, about: str, shown: O.FigureOptions) -> None:
    about = f"{about}, seed {run.seed}"
    if shown.format_ == "json":
        print_json(to_data(run))
    else:
        console = make_console()
        console.print(about)
        for table in _run_tables(run):
            print_rows(console, table)
    if shown.picture is not None:
        plot(run, shown.picture, about=about)


def compare_presets(
    *,
    preset: Annotated[
        list[str] | None,
        argument("PRESET", "Names from `heartsrules presets`.  [default: all]", autocompletion=presets_that_begin),
    ] = None,
    players: Annotated[
        int | None, flag("--players N", "The number of players.  [default: all numbers of a preset]")
    ] = None,
    played: O.GameOptions,
    workers: O.WorkerOptions,
    shown: O.FigureOptions,
) -> None:
    """Play games of several presets, and compare their figures.

    Each preset's games are the same as those of `heartsrules simulate` with the same seed.
    """
    chosen = [find_preset(name) for name in preset or presets.ALL]
    variants = [
        (each.name, each(count)) for each in dict.fromkeys(chosen) for count in each.players if players in (None, count)
    ]
    if not variants:
        raise wrong_use("--players", f"none of these presets allows {in_words(players)} players")
    batch = _Batch(played, variants)
    runs, code = batch.play(workers, Resumable())
    about = f"{counted(played.games, 'game')} of each{batch.players.label}, seed {batch.seed}"
    if shown.format_ == "json":
        lines = [json_line(to_data(run)).rstrip() for run in runs]
        sys.stdout.write("[\n" + ",\n".join(lines) + "\n]\n")
    else:
        console = make_console()
        console.print(about)
        print_rows(console, [_comparison_row(run) for run in runs], keys=2)
    if shown.picture is not None and runs:
        plot_comparison(runs, shown.picture, about=about)
    if code:
        raise typer.Exit(code)


def _run_tables(run: Run) -> Iterator[Sequence[Row]]:
    found = figures(run.statistics)
    yield [
        {"figure": name, "value": figure_cell(value)}
        for name, value in found.items()
        if name not in _SPREADS and not isinstance(value, list) and not _is_nothing(value)
    ]
    yield [
        {"of each player": heading, **{key: figure_cell(value) for key, value in found[name].items()}}
        for name, heading in _SPREADS.items()
    ]
    yield [
        {
            "seat": str(seat),
            **({"bot": run.bots[seat]} if run.bots else {}),
            "mean total": figure_cell(total),
            "games won": figure_cell(won),
        }
        for seat, (total, won) in enumerate(zip(found["mean totals"], found["wins"], strict=True))
    ]


def _is_nothing(figure: Any) -> bool:
    number = figure.get("mean", figure.get("share")) if isinstance(figure, Mapping) else figure
    return not number


def _comparison_row(run: Run) -> Row:
    found = figures(run.statistics)
    return {
        "preset": run.preset,
        "players": str(run.players),
        **{name: figure_cell(found[name], interval=False) for name in _COMPARED},
        "points of a deal": figure_cell(found["points"]["mean"]),
        "deviation": figure_cell(found["points"]["standard deviation"]),
        "by position": _extremes(found["points by position"]),
        "wins by seat": _extremes(found["wins"]),
    }


def _extremes(found: Sequence[Mapping[str, Any]]) -> str:
    known = [each for each in found if each.get("mean", each.get("share")) is not None]
    ordered = sorted(known, key=lambda each: each.get("mean", each.get("share")))
    ends = [figure_cell(each, interval=False) for each in (ordered[0], ordered[-1])] if ordered else ["-"]
    return " to ".join(dict.fromkeys(ends))


class _Batch:
    def __init__(self, options: O.GameOptions, variants: Sequence[tuple[str, Rules]]) -> None:
        self.variants: Final = variants
        self.players: Final = options.players([rules.players for _, rules in variants])
        self.seed: Final = O.chosen_seed(options.seed)
        self._options: Final = options
        self._runs: Final[list[Run]] = []

    def play(self, options: O.WorkerOptions, files: Resumable) -> tuple[list[Run], int]:
        """Play the games, and return their runs and the exit code."""
        workers = Workers(options)
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
        with workers, progress_bar("games", games * len(self.variants), done=files.count_done()) as update:
            for number, (name, rules) in enumerate(self.variants):
                update(description=f"{name}, {rules.players} players" if many else "games")

                def show(done: int, before: int = number * games) -> None:
                    update(completed=before + done)

                players = self.players.policy or self.players.bots(rules.players)
                self._keep(simulate(rules, players=players, progress=show, **given))

    def _keep(self, statistics: Statistics) -> None:
        if statistics.games:
            preset, rules = self.variants[len(self._runs)]
            names = self.players.names(rules.players)
            self._runs.append(Run(preset, statistics, self.seed, names, self.players.policy_name))
