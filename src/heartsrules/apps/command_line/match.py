"""`heartsrules match`: bots against each other."""

from __future__ import annotations

import contextlib
import enum
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Annotated, Any, Final

import typer
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from heartsrules.apps.command_line.match_tables import print_match
from heartsrules.apps.command_line.messages import fail, one_line, wrong_use
from heartsrules.apps.command_line.options import (
    DaskOption,
    FigureOutput,
    FigureOutputOption,
    JobsOption,
    PlayersOption,
    SeedOption,
    SetOption,
    chosen_seed,
    one_bot_that_begins,
)
from heartsrules.apps.command_line.players import bot_of
from heartsrules.apps.command_line.printing import BAR, make_console
from heartsrules.apps.command_line.rule_sets import find_preset, rule_set_of
from heartsrules.apps.command_line.workers import Workers
from heartsrules.apps.completion import presets_that_begin
from heartsrules.bots.failures import ProgramError
from heartsrules.bots.named import Named
from heartsrules.rules import MAX_DEALS, Rules
from heartsrules.simulation.executors import IN_FLIGHT, WorkFailed, run
from heartsrules.simulation.tournaments import Comparison, Results, Seatings, seatings_at, tournament

__all__ = ["match_bots"]

_MAX_TABLES: Final = 1_000_000
_MAX_SECONDS: Final = 1_000_000.0


class SeatingsName(enum.StrEnum):
    """How a line-up is seated."""

    ALL = "all"
    ROTATIONS = "rotations"


def match_bots(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            help="Two: who is compared, and who sits in all other seats. Or a line-up, one for each seat. Each is "
            "uniform, heuristic, sampling, sampling:N (which draws N worlds) or external:COMMAND (a program), with a "
            "name of your own if you like: NAME=BOT.",
            autocompletion=one_bot_that_begins,
        ),
    ],
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
            help="At how many tables; each is played with every seating, with the same cards.",
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
    seatings: Annotated[
        SeatingsName | None,
        typer.Option(
            "--seatings",
            help="How a line-up is seated; all: every order round the table (the default); rotations: only those in "
            "which everybody moves on by the same number of seats.",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="S",
            min=0,
            max=_MAX_SECONDS,
            help="How long a program may think about a move, by the clock; 0: as long as it likes. To start, and to "
            "prepare for a game, it has 30 seconds in any case.  [default: 10]",
        ),
    ] = None,
    seed: SeedOption = None,
    jobs: JobsOption = None,
    dask: DaskOption = None,
    format_: FigureOutputOption = FigureOutput.TEXT,
) -> None:
    """Let bots play against each other, and print their results.

    The results are points saved per game, and how often each bot wins. Two bots: one of them against copies of the
    other. A bot for each seat: a line-up, such as two against two, in every seating with the same cards. Ctrl-C ends
    it, and prints the result of the tables that have been played; the exit code is then 130.
    """
    rules, name = rule_set_of(preset, players, setting or ())
    limit = 10.0 if seconds is None else seconds or None
    given = _players(bots, rules, limit, seatings)
    line_up = [each.name for each in given]
    if seconds is not None and not any([_is_program(each) for each in given]):
        raise wrong_use("--seconds", "only programs are timed: leave it out")
    how: Seatings = "rotations" if seatings is SeatingsName.ROTATIONS else "all"
    alone = len(given) == 2
    seated: tuple[tuple[str, ...], ...] = ()
    if not alone:
        try:
            seated = seatings_at(rules, line_up, how)
        except ValueError as error:
            raise wrong_use("BOT", re.sub(r"seatings='(\w+)'", r"--seatings \1", str(error))) from None
    seed = chosen_seed(seed)
    errors = make_console(stderr=True)
    progress = Progress(*BAR, MofNCompleteColumn(), TimeRemainingColumn(), console=errors, transient=True)
    told: str | None = None
    code = 0
    with contextlib.ExitStack() as programs:
        for each in given:
            _start(each, programs)
        with Workers(jobs, dask) as workers, progress if errors.is_terminal else contextlib.nullcontext():
            task = progress.add_task("tables", total=tables)
            helpers = _Helpers(workers)
            play: dict[str, Any] = {"tables": tables, "seed": seed, "deals": deals, "executor": helpers}
            play["progress"] = lambda played: progress.update(task, completed=played)
            result: Comparison | Results
            if alone:
                result = tournament(rules, given[0].bot, given[1].bot, **play)
            else:
                result = tournament(rules, {each.name: each.bot for each in given}, seated, **play)
    played = len(result.margins if isinstance(result, Comparison) else result.tables)
    if isinstance(helpers.stopped, KeyboardInterrupt):
        code, told = 130, "Interrupted"
    elif helpers.stopped is not None:
        cause = f" ({helpers.stopped.__cause__})" if isinstance(helpers.stopped, WorkFailed) else ""
        typer.echo(one_line(f"Error: {helpers.stopped}{cause}"), err=True)
        code, told = 1, "Ended"
    if told is not None:
        typer.echo(f"{told} after {played} of {tables} tables (seed {seed}).", err=True)
    if played:
        sides = len(rules.sides)
        who: dict[str, Any] = {"bot": line_up[0], "field": line_up[1]}
        games = played * sides
        if isinstance(result, Results):
            who = {"line_up": line_up, "seatings": how}
            games = played * len(result.seatings)
        about = who | {
            "preset": find_preset(preset).name,
            "players": rules.players,
            "rules": name,
            "seed": seed,
            "deals": deals,
            "tables": played,
            "games": games,
            "unfinished": result.unfinished,
        }
        print_match(about, result, sides, format_)
    if code:
        raise typer.Exit(code)


def _players(texts: Sequence[str], rules: Rules, seconds: float | None, seatings: SeatingsName | None) -> list[Named]:
    """The bots of a match: two, or one for each seat."""
    known: dict[str, tuple[str, Named]] = {}
    given = []
    for text in texts:
        found = bot_of("BOT", text, seconds)
        before, same = known.setdefault(found.name, (text.strip(), found))
        if before != text.strip() and "=" in before + text:
            raise wrong_use("BOT", f"two players are called {found.name!r}: give one another name")
        given.append(same)
    seats = rules.players
    if len(given) == 1:
        raise wrong_use("BOT", "name who sits in the other seats; or a bot for each seat")
    if len(given) == 2:
        if seatings is not None:
            raise wrong_use("--seatings", f"it is for a line-up: name {seats} bots, one for each seat")
    elif len(given) != seats:
        raise wrong_use("BOT", f"{len(given)} bots for {seats} seats: name two, or one for each seat")
    elif len(known) == 1:
        raise wrong_use("BOT", "a line-up needs at least two players: name another one")
    return given


def _is_program(player: Named) -> bool:
    return hasattr(player.bot, "introduce")


def _start(player: Named, programs: contextlib.ExitStack) -> None:
    """See at once whether a program can be started; it ends with the match."""
    if _is_program(player):
        from heartsrules.bots.external import External

        assert isinstance(player.bot, External)
        programs.callback(player.bot.close)
        try:
            player.bot.introduce()
        except ProgramError as error:
            fail(str(error), 1)


class _Helpers(Executor):
    """Plays the first tables here, and gives the others to workers if they take long.

    It ends early, with the results that there are, when it is interrupted, workers die or a program fails.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers: Final = workers
        self.stopped: KeyboardInterrupt | WorkFailed | ProgramError | None = None
        """Why it has ended early."""

    def map(self, fn: Callable[..., Any], *iterables: Any, **_: Any) -> Iterator[Any]:
        """The results in the order of the work, which is one list."""
        (given,) = iterables
        work = list(given)
        try:
            yield from self._results(fn, work)
        except (KeyboardInterrupt, WorkFailed, ProgramError) as error:
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
