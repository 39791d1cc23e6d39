"""`heartsrules match`, which plays matches between bots."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

import attrs
import typer

from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.messages import files_refused, report_end, wrong_use
from heartsrules.apps.command_line.options import argument, flag
from heartsrules.apps.command_line.players import bot_of, one_bot_that_begins, start_program
from heartsrules.apps.command_line.printing import Row, figure_cell, make_console, print_json, print_rows
from heartsrules.apps.command_line.progress import progress_bar
from heartsrules.apps.command_line.rule_sets import find_preset
from heartsrules.apps.command_line.workers import Workers
from heartsrules.apps.completion import presets_that_begin
from heartsrules.base.errors import truncated
from heartsrules.bots.failures import ProgramError
from heartsrules.bots.named import Named
from heartsrules.rules import MAX_DEALS, Rules
from heartsrules.simulation.executors import WorkFailed
from heartsrules.simulation.parts import Resumable, RunPart, Setting, Tables, share_of
from heartsrules.simulation.tournaments import (
    Comparison,
    Estimate,
    Results,
    Seatings,
    comparison_of,
    results_of,
    seatings_at,
    seatings_of,
    tournament,
)

_MAX_TABLES: Final = 1_000_000
_MAX_SECONDS: Final = 1_000_000.0


Figure: TypeAlias = dict[str, float | None]
"""A mean with its 95 % interval, whose ends are None for a single table."""

_FEW: Final = 30
"""The number of tables below which intervals are unreliable, and mostly too narrow."""
_NAME: Final = 40
"""The limit on characters of a name in a table."""
_HEADINGS: Final = {
    "points": "points a game",
    "margin": "points saved",
    "share": "wins, ties shared",
    "wins": "wins, ties counted whole",
    "matchpoints": "matchpoints",
    "rating": "rating",
    "difference": "points saved with the same cards",
    "ahead": "ahead at the table",
}
_RATES: Final = ("share", "wins", "matchpoints", "ahead")


@attrs.frozen(kw_only=True)
class MatchOptions:
    tables: Annotated[
        int,
        flag(
            "--tables N",
            "The number of tables, each played in every seating with the same cards.",
            min=2,
            max=_MAX_TABLES,
        ),
    ] = 40
    deals: Annotated[
        int | None,
        flag("--deals N", "Stop each game after this many deals.  [default: at its end]", min=1, max=MAX_DEALS),
    ] = None
    seatings: Annotated[
        Seatings | None,
        flag(
            "--seatings",
            "The seatings of a line-up: every order round the table (all, the default), or only those in which "
            "all players move by the same number of seats (rotations).",
        ),
    ] = None
    seconds: Annotated[
        float | None,
        flag(
            "--seconds S",
            "A program's time limit for a move, in seconds of the clock; 0 is no limit. Starting and preparing for a "
            "game always have 30 seconds.  [default: 10]",
            min=0,
            max=_MAX_SECONDS,
        ),
    ] = None
    seed: O.SeedOption = None

    @property
    def timeout(self) -> float | None:
        """A program's seconds for a move, or None for no limit."""
        return 10.0 if self.seconds is None else self.seconds or None

    @property
    def how(self) -> Seatings:
        """The seatings, for `tournament`."""
        return self.seatings or "all"


def match_bots(
    *,
    bots: Annotated[
        list[str],
        argument(
            "BOT",
            "Two bots: one to compare, and one for all other seats. Or a line-up, one bot for each seat. Each is "
            "uniform, heuristic, sampling, learned, sampling:N or learned:N (with N worlds), FILE.py:FUNCTION or "
            "external:COMMAND (a program). Name it with NAME=BOT.",
            autocompletion=one_bot_that_begins,
        ),
    ],
    preset: Annotated[
        str, flag("--preset PRESET", "The rules, a name from `heartsrules presets`.", autocompletion=presets_that_begin)
    ] = O.USUAL_PRESET,
    rule_set: O.RuleSetOptions,
    match: MatchOptions,
    workers: O.WorkerOptions,
    part: O.PartOptions,
    keep: O.KeepOption = None,
    keep_as: O.KeepAsOption = None,
    format_: O.OutputOption = "text",
) -> None:
    """Let bots play against each other, and print their results.

    The results are points saved per game, and how often each bot wins. A line-up plays in every seating with the same
    cards. Ctrl-C ends the match, and prints the result of the completed tables; the exit code is then 130.
    """
    rules, name = rule_set.apply_to(preset)
    files = part.files(match.seed, keep, keep_as=keep_as)
    given = _players(bots, rules, match)
    seed = O.chosen_seed(match.seed)
    names = tuple([each.name for each in given])
    about: dict[str, Setting] = {"preset": find_preset(preset).name, "rules": name, "line_up": names}
    about["how"] = match.how if len(given) > 2 else None
    reason: KeyboardInterrupt | WorkFailed | ProgramError | None = None

    def stopped(error: BaseException) -> bool:
        nonlocal reason
        if isinstance(error, (KeyboardInterrupt, WorkFailed, ProgramError)):
            reason = error
        return reason is not None

    with contextlib.ExitStack() as programs:
        for each in given:
            _start(each, programs)
        with Workers(workers) as working, files_refused(files):
            executor = working.chunked(chunk_alone=1)
            files = attrs.evolve(files, executor=executor, about=about, names=names, stopped=stopped)
            result = _play(rules, given, match, seed, files)
    played = len(result.margins if isinstance(result, Comparison) else result.tables)
    tables = len(share_of(range(match.tables), *files.part))
    code = 0
    if reason is not None:
        code = report_end(reason, f"after {played} of {tables} tables (seed {seed}).")
    if played:
        print_result(rules, {**about, "seed": seed, "deals": match.deals}, result, format_)
    if code:
        raise typer.Exit(code)


def print_result(rules: Rules, about: Mapping[str, Any], result: Comparison | Results, output: O.Output) -> None:
    """Print a match's results after its settings, seed and limit on deals."""
    names, sides = list(about["line_up"]), len(rules.sides)
    duels: list[dict[str, Any]] = []
    if isinstance(result, Results):
        who, tables, games = {"line_up": names, "seatings": about["how"]}, len(result.tables), len(result.seatings)
        players, duels = list(_player_figures(result)), list(_duel_figures(result))
        data: dict[str, Any] = {"results": players, "duels": duels}
        title = ", ".join([truncated(name, _NAME) for name in names])
    else:
        who, tables, games = {"bot": names[0], "field": names[1]}, len(result.margins), sides
        data = dict(_figures(result))
        players = [{"player": names[0], **data}]
        title = f"{names[0]} against {names[1]}"
    if output == "json":
        shown = {
            **who,
            "preset": about["preset"],
            "players": rules.players,
            "rules": about["rules"],
            "seed": about["seed"],
            "deals": about["deals"],
            "tables": tables,
            "games": tables * games,
            "unfinished": result.unfinished,
        }
        print_json(shown | data)
        return
    console = make_console()
    console.print(f"{title}: {about['rules']}, seed {about['seed']}")
    console.print(f"{tables} tables, {tables * games} games, {result.unfinished} unfinished")
    print_rows(console, [_row(each) for each in players])
    if duels:
        print_rows(console, [_row(each) for each in duels], keys=2)
    console.print()
    console.print(f"Equal players save 0 points, and win {100 / sides:.2f} % of the games, ties shared.")
    if 1 < tables < _FEW:
        console.print(f"With fewer than {_FEW} tables, the intervals are unreliable.")


def print_part(part: RunPart[Tables], output: O.Output) -> None:
    rules, settings = part.run.rules, part.run.settings
    assert rules is not None
    names: Any = settings["line_up"]
    how: Any = settings["how"]
    seatings = seatings_of(names, how) if how else ()
    result = results_of(rules, seatings, part.tally) if how else comparison_of(rules, part.tally)
    print_result(rules, {**settings, "seed": part.run.seed}, result, output)


def _play(
    rules: Rules, given: Sequence[Named], match: MatchOptions, seed: str, executor: Resumable
) -> Comparison | Results:
    tables = len(share_of(range(match.tables), *executor.part))
    with progress_bar("tables", tables, done=executor.count_done()) as update:
        how: dict[str, Any] = {"tables": match.tables, "seed": seed, "deals": match.deals, "executor": executor}
        how["progress"] = lambda played: update(completed=played)
        if len(given) == 2:
            return tournament(rules, given[0].bot, given[1].bot, **how)
        seatings = seatings_of([each.name for each in given], match.how)
        results: Results = tournament(rules, {each.name: each.bot for each in given}, seatings, **how)
        return results


def _players(texts: Sequence[str], rules: Rules, match: MatchOptions) -> list[Named]:
    by_name: dict[str, tuple[str, Named]] = {}
    given = []
    for text in texts:
        found = bot_of("BOT", text, match.timeout)
        before, same = by_name.setdefault(found.name, (text.strip(), found))
        if before != text.strip() and "=" in before + text:
            raise wrong_use("BOT", f"two players are called {found.name!r}: rename one with NAME=BOT")
        given.append(same)
    seats = rules.players
    if len(given) == 1:
        raise wrong_use("BOT", "one bot is not enough; name another one for the other seats, or a bot for each seat")
    if len(given) == 2:
        if match.seatings is not None:
            raise wrong_use("--seatings", f"this option needs a line-up of {seats} bots, one for each seat")
    elif len(given) != seats:
        raise wrong_use("BOT", f"got {len(given)} bots for {seats} seats; name two, or one for each seat")
    elif len(by_name) == 1:
        raise wrong_use("BOT", "all bots of the line-up are the same player; name a second one")
    if match.seconds is not None and not any([_is_program(each) for each in given]):
        raise wrong_use("--seconds", "no player is a program, and only programs have a time limit; omit it")
    if len(given) > 2:
        try:
            seatings_at(rules, [each.name for each in given], match.how)
        except ValueError as error:
            raise wrong_use("BOT", re.sub(r"seatings='(\w+)'", r"--seatings \1", str(error))) from None
    return given


def _is_program(player: Named) -> bool:
    return hasattr(player.bot, "introduce")


def _start(player: Named, programs: contextlib.ExitStack) -> None:
    if _is_program(player):
        from heartsrules.bots.external import External

        assert isinstance(player.bot, External)
        programs.callback(player.bot.close)
        start_program(player)


def _row(figures: Mapping[str, Any]) -> Row:
    return {
        _HEADINGS.get(name, name): truncated(value, _NAME)
        if isinstance(value, str)
        else figure_cell(value, percent=name in _RATES)
        for name, value in figures.items()
    }


def _figure(values: Sequence[float]) -> Figure:
    if len(values) < 2:
        return {"mean": sum(values), "low": None, "high": None}
    estimate = Estimate.of(values)
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}


def _rate(values: Sequence[float]) -> Figure:
    figure = _figure(values)
    return {name: None if value is None else min(max(value, 0.0), 1.0) for name, value in figure.items()}


def _figures(result: Comparison) -> dict[str, Figure]:
    return {"margin": _figure(result.margins), "share": _rate(result.shares), "wins": _rate(result.won)}


def _player_figures(result: Results) -> Iterator[dict[str, Any]]:
    ratings = result.ratings()
    for player in result.players:
        rating = ratings[player]
        ends = (None, None) if rating.error is None else (rating.value - rating.error, rating.value + rating.error)
        yield {
            "player": player,
            "points": _figure(result.points(player)),
            **_figures(result.of(player)),
            "matchpoints": _rate(result.matchpoints(player)),
            "rating": {"mean": rating.value, "low": ends[0], "high": ends[1]},
        }


def _duel_figures(result: Results) -> Iterator[dict[str, Any]]:
    for player, other in itertools.combinations(result.players, 2):
        duel = result.duel(player, other)
        yield {
            "player": player,
            "against": other,
            "difference": _figure(duel.differences),
            "matchpoints": _rate(duel.matchpoints),
            "ahead": _rate(duel.ahead),
        }
