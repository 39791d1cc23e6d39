"""The figures of games as tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from rich.table import Table

from heartsrules.cli.printing import make_table
from heartsrules.figures import Run
from heartsrules.simulate import Distribution, Moments, Statistics

__all__ = ["comparison_table", "figures_table", "positions_table", "seats_table", "spreads_table", "tricks_table"]


def _number(value: float, digits: int = 2) -> str:
    """A mean or a rate; nothing to take it of shows as a dash."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def _share(part: int, whole: int, of: str) -> str:
    return f"{part} ({100 * part / whole:.2f} % of {of})" if whole else f"{part}"


def _range(moments: Moments) -> str:
    return f"{moments.lowest} to {moments.highest}" if moments.count else "-"


def _with_error(moments: Moments) -> str:
    error = moments.standard_error
    return _number(moments.mean) + ("" if math.isnan(error) else f" +/- {error:.2f}")


def figures_table(statistics: Statistics, max_deals: int) -> Table:
    """The figures of the whole run."""
    s = statistics
    exposures: tuple[tuple[str, str], ...] = ()
    if s.rules.exposable:
        exposures = (
            ("exposures", str(s.exposures.count)),
            ("legal exposures per decision, mean", _number(s.exposures.mean)),
            ("legal exposures per decision, most", str(s.exposures.highest or 0)),
        )
    table = make_table("figure", "value")
    for figure, value in (
        ("games", str(s.games)),
        (f"unfinished games (stopped after {max_deals} deals)", str(s.unfinished)),
        ("games tied for the first place", _share(s.tied_games, s.games, "games")),
        ("deals", str(s.deals)),
        ("extra deals after a tie", str(s.extra_deals)),
        ("deals per game, mean", _with_error(s.deals_per_game)),
        ("deals per game, range", _range(s.deals_per_game)),
        ("decisions", str(s.decisions)),
        ("cards played", str(s.plays)),
        ("legal cards per decision, mean", _number(s.mean_choices, 4)),
        ("legal cards per decision, most", str(s.most_choices)),
        ("forced cards per deal", _with_error(s.forced_per_deal)),
        ("passes", str(s.passes.count)),
        ("passes declined", _share(s.declined, s.passes.count, "passes")),
        ("legal passes per decision, mean", _number(s.passes.mean)),
        ("legal passes per decision, most", str(s.passes.highest or 0)),
        *exposures,
        ("choices of the moon", str(s.moon_choices)),
        ("moons", _share(s.moons, s.deals, "deals")),
        ("suns", _share(s.suns, s.deals, "deals")),
        ("void tricks", _share(s.void_tricks, s.tricks, "tricks")),
        ("deals that ended with cards set aside", _share(s.unclaimed, s.deals, "deals")),
        ("kitties taken", _share(s.kitties_taken, s.kitties, "kitties")),
    ):
        table.add_row(figure, value)
    return table


def seats_table(statistics: Statistics) -> Table:
    """The totals and the wins of each seat."""
    s = statistics
    right = ("seat", "mean total", "range of totals")
    table = make_table("seat", "mean total", "range of totals", "games won", "95 %", right=right)
    for seat, (totals, wins, (low, high)) in enumerate(zip(s.totals, s.wins, s.win_intervals, strict=True)):
        won = _share(wins, s.finished, "games")
        interval = "-" if math.isnan(low) else f"{100 * low:.2f} to {100 * high:.2f} %"
        table.add_row(str(seat), _with_error(totals), _range(totals), won, interval)
    return table


def positions_table(statistics: Statistics) -> Table:
    """The points of a deal by the places to the left of the dealer."""
    table = make_table("left of the dealer", "points of a deal", right=("left of the dealer", "points of a deal"))
    for position, points in enumerate(statistics.points_by_position):
        table.add_row(str(position), _with_error(points))
    return table


_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def spreads_table(statistics: Statistics) -> Table:
    """How the points of a deal and the final totals spread."""
    columns = ["mean", "deviation", "lowest", *[f"{100 * share:.0f} %" for share in _QUANTILES], "highest"]
    table = make_table("of each player", *columns, right=columns)
    for name, distribution in (
        ("points of a deal", statistics.deal_points),
        ("final total", statistics.final_totals),
    ):
        table.add_row(name, *_spread(distribution))
    return table


def _spread(distribution: Distribution) -> list[str]:
    moments = distribution.moments
    values = [moments.lowest, *[distribution.quantile(share) for share in _QUANTILES], moments.highest]
    numbers = ["-" if value is None else str(value) for value in values]
    return [_number(moments.mean), _number(math.sqrt(moments.variance)), *numbers]


def tricks_table(statistics: Statistics) -> Table:
    """The branching factor: a line for each trick, a column for each place in it."""
    players = statistics.rules.players
    places = ["leader", "others", *[_ordinal(place) for place in range(2, players + 1)]]
    table = make_table("legal cards in trick", *places, right=("legal cards in trick", *places))
    means = [moments.mean for moments in statistics.branching]
    for number, (_, follow) in enumerate(statistics.mean_choices_by_trick):
        leader, *others = means[number * players : (number + 1) * players]
        table.add_row(str(number + 1), *[_number(mean, 3) for mean in (leader, follow, *others)])
    return table


def _ordinal(number: int) -> str:
    return f"{number}{ {2: 'nd', 3: 'rd'}.get(number, 'th') }"


def comparison_table(runs: Iterable[Run]) -> Table:
    """A line for each run."""
    numbers = (
        "players",
        "games",
        "unfinished",
        "deals per game",
        "legal cards",
        "most",
        "forced per deal",
        "moons %",
        "ties %",
        "points of a deal",
        "deviation",
        "by position",
        "wins by seat %",
    )
    table = make_table("preset", *numbers, right=numbers)
    for run in runs:
        s = run.statistics
        points = s.deal_points.moments
        table.add_row(
            run.preset,
            str(run.players),
            str(s.games),
            str(s.unfinished),
            _with_error(s.deals_per_game),
            _number(s.mean_choices, 3),
            str(s.most_choices),
            _number(s.forced_per_deal.mean),
            _number(100 * s.moon_rate),
            _number(100 * s.tie_rate),
            _number(points.mean),
            _number(math.sqrt(points.variance)),
            _extremes([moments.mean for moments in s.points_by_position]),
            _extremes([100 * wins / s.finished for wins in s.wins if s.finished]),
        )
    return table


def _extremes(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}" if values else "-"
