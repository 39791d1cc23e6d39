"""`heartsrules match`: bots against each other."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from heartsrules.cli.messages import one_line
from heartsrules.cli.options import (
    DaskOption,
    JobsOption,
    Output,
    OutputOption,
    PlayersOption,
    SeedOption,
    SetOption,
    chosen_seed,
)
from heartsrules.cli.players import bot_of
from heartsrules.cli.printing import BAR, make_console, make_table, print_json
from heartsrules.cli.rule_sets import find_preset, rule_set_of
from heartsrules.cli.workers import Workers
from heartsrules.completion import presets_that_begin
from heartsrules.executors import IN_FLIGHT, WorkFailed, run
from heartsrules.rules import MAX_DEALS

if TYPE_CHECKING:
    from heartsrules.bots.matches import Comparison

__all__ = ["match_bots"]

_MAX_TABLES: Final = 1_000_000


_BOTS: Final = "uniform, heuristic or sampling"


def match_bots(
    bot: Annotated[str, typer.Argument(metavar="BOT", help=f"Who is compared: {_BOTS}.")],
    field: Annotated[str, typer.Argument(metavar="FIELD", help=f"Who sits in all other seats: {_BOTS}.")],
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="PRESET",
            help="What they play: a name from `heartsrules presets`.",
            autocompletion=presets_that_begin,
        ),
    ] = "microsoft",
    players: PlayersOption = None,
    setting: SetOption = None,
    tables: Annotated[
        int,
        typer.Option(
            "--tables",
            metavar="N",
            min=2,
            max=_MAX_TABLES,
            help="At how many tables; each is played once from every seat, with the same cards.",
        ),
    ] = 40,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            metavar="N",
            min=1,
            max=MAX_DEALS,
            help="Stop each game after so many deals; if not given, at its end.",
        ),
    ] = None,
    seed: SeedOption = None,
    jobs: JobsOption = None,
    dask: DaskOption = None,
    format_: OutputOption = Output.TEXT,
) -> None:
    """Let one bot play against copies of another one, and print how many points a game it saves.

    Ctrl-C ends it, and prints the result of the tables that have been played; the exit code is then 130.
    """
    bots = bot_of("BOT", bot), bot_of("FIELD", field)
    rules, name = rule_set_of(preset, players, setting or ())
    seed = chosen_seed(seed)
    from heartsrules.bots import tournament

    errors = make_console(stderr=True)
    progress = Progress(*BAR, MofNCompleteColumn(), TimeRemainingColumn(), console=errors, transient=True)
    told: str | None = None
    code = 0
    with Workers(jobs, dask) as workers, progress if errors.is_terminal else contextlib.nullcontext():
        task = progress.add_task("tables", total=tables)
        helpers = _Helpers(workers)
        result = tournament(
            rules,
            bots[0][1],
            bots[1][1],
            tables=tables,
            seed=seed,
            deals=deals,
            executor=helpers,
            progress=lambda played: progress.update(task, completed=played),
        )
    played = len(result.margins)
    if isinstance(helpers.stopped, KeyboardInterrupt):
        code, told = 130, "Interrupted"
    elif helpers.stopped is not None:
        typer.echo(one_line(f"Error: {helpers.stopped} ({helpers.stopped.__cause__})"), err=True)
        code, told = 1, "Ended"
    if told is not None:
        typer.echo(f"{told} after {played} of {tables} tables (seed {seed}).", err=True)
    if played:
        about = {
            "bot": bots[0][0],
            "field": bots[1][0],
            "preset": find_preset(preset).name,
            "players": rules.players,
            "rules": name,
            "seed": seed,
            "deals": deals,
            "tables": played,
            "games": played * len(rules.sides),
            "unfinished": result.unfinished,
        }
        if format_ is Output.JSON:
            print_json(about | _estimates(result))
        else:
            _print(about, result, len(rules.sides))
    if code:
        raise typer.Exit(code)


class _Helpers(Executor):
    """Plays the first tables here, and gives the others to workers if they take long.

    It ends early, with the results that there are, when it is interrupted or workers die.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers: Final = workers
        self.stopped: KeyboardInterrupt | WorkFailed | None = None
        """Why it has ended early."""

    def map(self, fn: Callable[..., Any], *iterables: Any, **_: Any) -> Iterator[Any]:
        """The results in the order of the work, which is one list."""
        (given,) = iterables
        work = list(given)
        try:
            yield from self._results(fn, work)
        except (KeyboardInterrupt, WorkFailed) as error:
            self.stopped = error

    def _results(self, play: Callable[[Any], Any], work: Sequence[Any]) -> Iterator[Any]:
        workers = self._workers
        started = time.perf_counter()
        count = 0
        if not workers.far:
            for table in work:
                yield play(table)
                count += 1
                if workers.jobs > 1 and workers.would_help(time.perf_counter() - started):
                    break
        executor = workers.executor() if count < len(work) else None
        if executor is not None:
            in_flight = IN_FLIGHT if workers.far else 2 * workers.jobs
            rest = work[count:]
            for done in run(play, rest, executor, in_flight=in_flight, in_order=True, describe=lambda _: "a table"):
                yield done.result


def _estimates(result: Comparison) -> dict[str, dict[str, float | None]]:
    """By name, each figure with its 95 % interval, which one table alone does not have."""
    from heartsrules.bots import Estimate

    found: dict[str, dict[str, float | None]] = {}
    for name, values in (("margin", result.margins), ("share", result.shares), ("wins", result.won)):
        if len(values) < 2:
            found[name] = {"mean": sum(values), "low": None, "high": None}
        else:
            estimate = Estimate.of(values)
            found[name] = {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
    return found


def _print(about: dict[str, Any], result: Comparison, sides: int) -> None:
    console = make_console()
    console.print(f"{about['bot']} against {about['field']}: {about['rules']}, seed {about['seed']}")
    console.print()
    table = make_table("figure", "value", "95 %")
    for figure in ("tables", "games", "unfinished"):
        table.add_row(f"{figure} games" if figure == "unfinished" else figure, str(about[figure]), "")
    estimates = _estimates(result)
    for figure, name, factor, unit in (
        ("points saved a game (equal players: 0)", "margin", 1, ""),
        (f"wins, ties shared (equal players: {100 / sides:.2f} %)", "share", 100, " %"),
        ("wins, ties counted whole", "wins", 100, " %"),
    ):
        mean, low, high = [None if value is None else factor * value for value in estimates[name].values()]
        interval = "-" if low is None or high is None else f"{low:.2f} to {high:.2f}{unit}"
        table.add_row(figure, f"{mean:.2f}{unit}", interval)
    console.print(table)
