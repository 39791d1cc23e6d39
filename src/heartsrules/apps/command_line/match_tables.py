"""Print the results of a match between bots, as tables, JSON or CSV."""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from heartsrules.apps.command_line.options import FigureOutput
from heartsrules.apps.command_line.printing import make_console, make_table, print_columns, print_json
from heartsrules.base.errors import truncated
from heartsrules.simulation.tournaments import Comparison, Estimate, Results

MATCH_COLUMNS: Final = ("preset", "players", "player", "against", "figure", "mean", "low", "high")
"""The columns of the CSV."""

Figure: TypeAlias = dict[str, float | None]
"""The mean of a figure, and its 95 % interval, whose ends are None if there is one table alone."""

_FEW: Final = 30
"""With fewer tables the intervals are unreliable, and mostly too narrow."""
_NAME: Final = 40
"""The most characters of a name in a table."""


def print_match(about: dict[str, Any], result: Comparison | Results, sides: int, output: FigureOutput) -> None:
    """Print the results of a match."""
    if output is FigureOutput.TEXT:
        if isinstance(result, Results):
            _print_line_up(about, result)
        else:
            _print_bot(about, result, sides)
        if 1 < about["tables"] < _FEW:
            make_console().print(f"Fewer than {_FEW} tables: the intervals are unreliable.")
    elif output is FigureOutput.JSON:
        if isinstance(result, Results):
            print_json(about | {"results": list(_players(result)), "duels": list(_duels(result))})
        else:
            print_json(about | _figures(result))
    else:
        make_console()  # so that characters that the encoding lacks are escaped
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(MATCH_COLUMNS)
        writer.writerows(_rows(about, result))


def _figure(values: Sequence[float]) -> Figure:
    if len(values) < 2:
        return {"mean": sum(values), "low": None, "high": None}
    estimate = Estimate.of(values)
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}


def _rate(values: Sequence[float]) -> Figure:
    """The figure of a rate: its interval stays within 0 and 1."""
    figure = _figure(values)
    return {name: None if value is None else min(max(value, 0.0), 1.0) for name, value in figure.items()}


def _figures(result: Comparison) -> dict[str, Figure]:
    return {"margin": _figure(result.margins), "share": _rate(result.shares), "wins": _rate(result.won)}


def _players(result: Results) -> Iterator[dict[str, Any]]:
    """The figures of each player of a line-up."""
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


def _duels(result: Results) -> Iterator[dict[str, Any]]:
    """The figures of each pair of players of a line-up."""
    for player, other in itertools.combinations(result.players, 2):
        duel = result.duel(player, other)
        yield {
            "player": player,
            "against": other,
            "difference": _figure(duel.differences),
            "matchpoints": _rate(duel.matchpoints),
            "ahead": _rate(duel.ahead),
        }


def _rows(about: dict[str, Any], result: Comparison | Results) -> Iterator[list[Any]]:
    head = [about["preset"], about["players"]]
    for name in ("tables", "games", "unfinished"):
        yield [*head, "", "", name, about[name], "", ""]
    if isinstance(result, Results):
        lines = [*_players(result), *_duels(result)]
    else:
        lines = [{"player": about["bot"], "against": about["field"], **_figures(result)}]
    for each in lines:
        for name, figure in each.items():
            if isinstance(figure, dict):
                ends = ["" if figure[end] is None else figure[end] for end in ("low", "high")]
                yield [*head, each["player"], each.get("against", ""), name, figure["mean"], *ends]


def _print_bot(about: dict[str, Any], result: Comparison, sides: int) -> None:
    console = make_console()
    console.print(f"{about['bot']} against {about['field']}: {about['rules']}, seed {about['seed']}")
    console.print()
    table = make_table("figure", "value", "95 %")
    for figure in ("tables", "games", "unfinished"):
        table.add_row(f"{figure} games" if figure == "unfinished" else figure, str(about[figure]), "")
    figures = _figures(result)
    for heading, name, factor, unit in (
        ("points saved a game (equal players: 0)", "margin", 1, ""),
        (f"wins, ties shared (equal players: {100 / sides:.2f} %)", "share", 100, " %"),
        ("wins, ties counted whole", "wins", 100, " %"),
    ):
        mean, low, high = [None if value is None else factor * value for value in figures[name].values()]
        interval = "-" if low is None or high is None else f"{low:.2f} to {high:.2f}{unit}"
        table.add_row(heading, f"{mean:.2f}{unit}", interval)
    console.print(table)


def _print_line_up(about: dict[str, Any], result: Results) -> None:
    console = make_console()
    names = ", ".join([truncated(name, _NAME) for name in about["line_up"]])
    console.print(f"{names}: {about['rules']}, seed {about['seed']}")
    console.print(
        f"{about['tables']} tables, {len(result.seatings)} seatings, {about['games']} games, "
        f"{about['unfinished']} of them unfinished"
    )
    points: Callable[[Figure], str] = lambda figure: _cell(figure, 1, 2)  # noqa: E731
    shares: Callable[[Figure], str] = lambda figure: _cell(figure, 100, 1)  # noqa: E731
    players = list(_players(result))
    columns = {"player": [truncated(each["player"], _NAME) for each in players]}
    for heading, name, cell in (
        ("points a game", "points", points),
        ("points saved", "margin", points),
        ("wins, ties shared %", "share", shares),
        ("matchpoints %", "matchpoints", shares),
        ("rating", "rating", lambda figure: _cell(figure, 1, 0)),
    ):
        columns[heading] = [cell(each[name]) for each in players]
    print_columns(console, columns)
    duels = list(_duels(result))
    columns = {name: [truncated(each[name], _NAME) for each in duels] for name in ("player", "against")}
    for heading, name, cell in (
        ("points saved with the same cards", "difference", points),
        ("fewer points %", "matchpoints", shares),
        ("ahead at the table %", "ahead", shares),
    ):
        columns[heading] = [cell(each[name]) for each in duels]
    print_columns(console, columns, keys=2)


def _cell(figure: Figure, factor: int, digits: int) -> str:
    """Format a mean and its 95 % interval."""
    mean, low, high = figure["mean"], figure["low"], figure["high"]
    assert mean is not None
    interval = "" if low is None or high is None else f" ({factor * low:.{digits}f} to {factor * high:.{digits}f})"
    return f"{factor * mean:.{digits}f}{interval}"
