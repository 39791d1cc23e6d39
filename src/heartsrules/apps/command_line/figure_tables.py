"""Tables of the figures of games: the cells of each column, by its heading."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from heartsrules.rules import Moon
from heartsrules.simulation.figures import Run
from heartsrules.simulation.statistics import Distribution, Moments, Statistics

Columns: TypeAlias = Mapping[str, Sequence[str]]


def _columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns:
    return {heading: [row[at] for row in rows] for at, heading in enumerate(headings)}


def _number(value: float, digits: int = 2) -> str:
    """Format a mean or a rate; NaN is a dash."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def _fraction(part: int, whole: int, of: str = "") -> str:
    return f"{part} ({100 * part / whole:.2f} %{f' of {of}' if of else ''})" if whole else f"{part}"


def _range(moments: Moments) -> str:
    return f"{moments.lowest} to {moments.highest}" if moments.count else "-"


def _with_error(moments: Moments) -> str:
    error = moments.standard_error
    return _number(moments.mean) + ("" if math.isnan(error) else f" +/- {error:.2f}")


def figures_table(statistics: Statistics, max_deals: int, *, details: bool) -> Columns:
    """The figures of the whole run; without details, those that are not fixed by the rules or zero."""
    rows = [
        (figure, value)
        for figure, value, always in _figures(statistics, f"unfinished games (stopped after {max_deals} deals)")
        if always or details
    ]
    return _columns(("figure", "value"), rows)


def _figures(s: Statistics, unfinished: str) -> Iterator[tuple[str, str, bool]]:
    """The name of each figure, its value, and whether it is shown without details."""
    rules = s.rules
    yield "games", str(s.games), True
    yield unfinished, str(s.unfinished), s.unfinished > 0
    yield "games tied for the first place", _fraction(s.tied_games, s.games, "games"), True
    yield "deals", str(s.deals), True
    yield "extra deals after a tie", str(s.extra_deals), s.extra_deals > 0
    yield "deals per game, mean", _with_error(s.deals_per_game), rules.max_deals != 1
    yield "deals per game, range", _range(s.deals_per_game), rules.max_deals != 1
    yield "decisions", str(s.decisions), False
    yield "cards played", str(s.plays), False
    yield "legal cards per decision, mean", _number(s.mean_choices, 4), True
    yield "legal cards per decision, most", str(s.most_choices), False
    yield "forced cards per deal", _with_error(s.forced_per_deal), True
    yield "passes", str(s.passes.count), False
    yield "passes declined", _fraction(s.declined, s.passes.count, "passes"), s.declined > 0
    yield "legal passes per decision, mean", _number(s.passes.mean), s.passes.count > 0
    yield "legal passes per decision, most", str(s.passes.highest or 0), False
    if rules.exposable:
        yield "exposures", str(s.exposures.count), True
        yield "legal exposures per decision, mean", _number(s.exposures.mean), True
        yield "legal exposures per decision, most", str(s.exposures.highest or 0), False
    yield "choices of the moon", str(s.moon_choices), s.moon_choices > 0
    yield "moons", _fraction(s.moons, s.deals, "deals"), rules.moon is not Moon.OFF
    yield "suns", _fraction(s.suns, s.deals, "deals"), rules.sun
    yield "void tricks", _fraction(s.void_tricks, s.tricks, "tricks"), s.void_tricks > 0
    yield "deals that ended with cards set aside", _fraction(s.unclaimed, s.deals, "deals"), s.unclaimed > 0
    yield "kitties taken", _fraction(s.kitties_taken, s.kitties, "kitties"), s.kitties > 0


def seats_table(statistics: Statistics, bots: Sequence[str] = ()) -> Columns:
    """The totals and wins of each seat."""
    s = statistics
    rows = []
    for seat, (totals, wins, (low, high)) in enumerate(zip(s.totals, s.wins, s.win_intervals, strict=True)):
        interval = "-" if math.isnan(low) else f"{100 * low:.2f} to {100 * high:.2f} %"
        who = [bots[seat]] if bots else []
        rows.append([str(seat), *who, _with_error(totals), _range(totals), _fraction(wins, s.finished), interval])
    who = ["bot"] if bots else []
    return _columns(["seat", *who, "mean total", "range of totals", "games won", "95 %"], rows)


def positions_table(statistics: Statistics) -> Columns:
    """The points of a deal by the number of places from the dealer."""
    rows = [(str(position), _with_error(points)) for position, points in enumerate(statistics.points_by_position)]
    return _columns(("left of the dealer", "points of a deal"), rows)


_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def spreads_table(statistics: Statistics) -> Columns:
    """The distributions of the points of a deal and of the final totals."""
    headings = ["of each player", "mean", "deviation", "lowest"]
    headings += [*[f"{100 * quantile:.0f} %" for quantile in _QUANTILES], "highest"]
    rows = [
        [name, *_spread(distribution)]
        for name, distribution in (
            ("points of a deal", statistics.deal_points),
            ("final total", statistics.final_totals),
        )
    ]
    return _columns(headings, rows)


def _spread(distribution: Distribution) -> list[str]:
    moments = distribution.moments
    values = [moments.lowest, *[distribution.quantile(each) for each in _QUANTILES], moments.highest]
    numbers = ["-" if value is None else str(value) for value in values]
    return [_number(moments.mean), _number(math.sqrt(moments.variance)), *numbers]


def tricks_table(statistics: Statistics) -> Columns:
    """The mean count of legal cards: a row for each trick, a column for each place in it."""
    players = statistics.rules.players
    headings = ["legal cards in trick", "leader", "others", *[_ordinal(place) for place in range(2, players + 1)]]
    means = [moments.mean for moments in statistics.branching]
    rows = []
    for number, (_, follow) in enumerate(statistics.mean_choices_by_trick):
        leader, *others = means[number * players : (number + 1) * players]
        rows.append([str(number + 1), *[_number(mean, 3) for mean in (leader, follow, *others)]])
    return _columns(headings, rows)


def _ordinal(number: int) -> str:
    return f"{number}{ {2: 'nd', 3: 'rd'}.get(number, 'th') }"


def comparison_table(runs: Sequence[Run]) -> Columns:
    """A row for each run."""
    return {heading: [cell(run, run.statistics) for run in runs] for heading, cell in _COMPARED.items()}


_COMPARED: Final[Mapping[str, Callable[[Run, Statistics], str]]] = {
    "preset": lambda run, _: run.preset,
    "players": lambda run, _: str(run.players),
    "games": lambda _, s: str(s.games),
    "unfinished": lambda _, s: str(s.unfinished),
    "deals per game": lambda _, s: _with_error(s.deals_per_game),
    "legal cards": lambda _, s: _number(s.mean_choices, 3),
    "most": lambda _, s: str(s.most_choices),
    "forced per deal": lambda _, s: _number(s.forced_per_deal.mean),
    "moons %": lambda _, s: _number(100 * s.moon_rate),
    "ties %": lambda _, s: _number(100 * s.tie_rate),
    "points of a deal": lambda _, s: _number(s.deal_points.moments.mean),
    "deviation": lambda _, s: _number(math.sqrt(s.deal_points.moments.variance)),
    "by position": lambda _, s: _extremes([moments.mean for moments in s.points_by_position]),
    "wins by seat %": lambda _, s: _extremes([100 * wins / s.finished for wins in s.wins if s.finished]),
}
"""By their headings, the columns of a comparison."""


def _extremes(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}" if values else "-"
