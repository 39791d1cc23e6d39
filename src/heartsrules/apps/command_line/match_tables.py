"""Print the results of a match between bots, as tables or JSON."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from heartsrules.apps.command_line.options import Output
from heartsrules.apps.command_line.printing import Row, figure_cell, make_console, print_json, print_rows
from heartsrules.base.errors import truncated
from heartsrules.simulation.tournaments import Comparison, Estimate, Results

Figure: TypeAlias = dict[str, float | None]
"""The mean of a figure, and its 95 % interval, whose ends are None if there is one table alone."""

_FEW: Final = 30
"""With fewer tables the intervals are unreliable, and mostly too narrow."""
_NAME: Final = 40
"""The most characters of a name in a table."""
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


def print_match(about: dict[str, Any], result: Comparison | Results, sides: int, output: Output) -> None:
    """Print the results of a match."""
    if isinstance(result, Results):
        players, duels = list(_players(result)), list(_duels(result))
        data: dict[str, Any] = {"results": players, "duels": duels}
        names = ", ".join([truncated(name, _NAME) for name in about["line_up"]])
    else:
        data = dict(_figures(result))
        players, duels = [{"player": about["bot"], **data}], []
        names = f"{about['bot']} against {about['field']}"
    if output is Output.JSON:
        print_json(about | data)
        return
    console = make_console()
    console.print(f"{names}: {about['rules']}, seed {about['seed']}")
    console.print(f"{about['tables']} tables, {about['games']} games, {about['unfinished']} of them unfinished")
    print_rows(console, [_row(each) for each in players])
    if duels:
        print_rows(console, [_row(each) for each in duels], keys=2)
    console.print()
    console.print(f"Equal players save 0 points, and win {100 / sides:.2f} % of the games, ties shared.")
    if 1 < about["tables"] < _FEW:
        console.print(f"Fewer than {_FEW} tables: the intervals are unreliable.")


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
