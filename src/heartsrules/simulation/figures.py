"""Statistics as data (JSON) and as plots (extra `plot`)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs

from heartsrules.base.extras import needs
from heartsrules.base.values import wrong_type
from heartsrules.formats.notation import format_rules, parse_rules
from heartsrules.simulation.counts import checked_items, counts_of, statistics_of
from heartsrules.simulation.statistics import Distribution, Moments, Statistics, wilson_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "Run",
    "check_path",
    "figures",
    "from_data",
    "plot",
    "plot_branching",
    "plot_comparison",
    "plot_points",
    "to_data",
]
__dir__ = __all__.copy


@attrs.frozen
class Run:
    """The statistics of a run, with its preset, seed and players.

    Attributes:
        preset: the preset's name.
        statistics: its statistics.
        seed: the seed of the games.
        bots: the names of the bots, by seat, or () without bots.
        policy: the name of all players' policy, or "" for bots or a uniform choice among the legal moves.
    """

    preset: str
    statistics: Statistics
    seed: str = ""
    bots: tuple[str, ...] = ()
    policy: str = ""

    @property
    def players(self) -> int:
        """The number of players."""
        return self.statistics.rules.players

    @property
    def label(self) -> str:
        """The preset's name and the number of players.

        >>> from heartsrules import presets
        >>> from heartsrules.simulation.many_games import simulate
        >>> Run("pagat", simulate(presets.pagat(), 0, seed=1)).label
        'pagat, 4 players'
        """
        return f"{self.preset}, {self.players} players"


# ---------------------------------------------------------------------------------------------------------------
# Data


def to_data(run: Run) -> dict[str, object]:
    """Convert a run to JSON values.

    The keys are `preset`, `players`, `seed`, `rules` (in the text notation), `counts`, `figures`, and `bots` or
    `policy` if one played. `counts` maps the fields of `Statistics` to integers, lists (`Moments`, in the order of its
    fields) or lists of (value, count) pairs (`Distribution`).
    """
    statistics = run.statistics
    who = {name: value for name, value in (("bots", list(run.bots)), ("policy", run.policy)) if value}
    return {
        "preset": run.preset,
        "players": run.players,
        "seed": run.seed,
        **who,
        "rules": format_rules(statistics.rules),
        "counts": counts_of(statistics),
        "figures": figures(statistics),
    }


def from_data(data: Mapping[str, Any]) -> Run:
    """Convert the result of `to_data` back to a run.

    >>> from heartsrules import Rules
    >>> from heartsrules.simulation.many_games import simulate
    >>> run = Run("microsoft", simulate(Rules(target=20), 2, seed="table 7"), "table 7")
    >>> from_data(to_data(run)) == run
    True

    Raises:
        ValueError: the rules cannot be read or played, or do not match the counts.
        KeyError, TypeError: a value is missing, or has the wrong type.
    """
    statistics = statistics_of(parse_rules(data["rules"]), data["counts"])
    preset, seed = _text("preset", data["preset"]), _text("seed", data["seed"])
    bots = tuple([_text("an item of bots", bot) for bot in checked_items("bots", data.get("bots", ()))])
    return Run(preset, statistics, seed, bots, _text("policy", data.get("policy", "")))


def _text(name: str, data: object) -> str:
    if not isinstance(data, str):
        wrong_type(name, "a str", data)
    return data


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 6)


def _mean(moments: Moments) -> dict[str, object]:
    low, high = moments.interval
    return {"mean": _number(moments.mean), "low": _number(low), "high": _number(high)}


def _share(part: int, whole: int) -> dict[str, object]:
    low, high = wilson_interval(part, whole)
    return {"share": _number(part / whole if whole else math.nan), "low": _number(low), "high": _number(high)}


_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def _spread(distribution: Distribution) -> dict[str, object]:
    moments = distribution.moments
    return {
        "mean": _number(moments.mean),
        "standard deviation": _number(math.sqrt(moments.variance)) if moments.count > 1 else None,
        "lowest": moments.lowest,
        **{f"{100 * share:.0f} %": distribution.quantile(share) for share in _QUANTILES},
        "highest": moments.highest,
    }


def figures(statistics: Statistics) -> dict[str, Any]:
    """Compute rates and means, each with its 95 % confidence interval (`low`, `high`).

    Lists are indexed by decision of the deal, by seat, or by position counted from the dealer (0) to the left. Numbers
    are rounded to six decimals. Rates and means of nothing are None.
    """
    s = statistics
    return {
        "games": s.games,
        "deals": s.deals,
        "deals per game": _mean(s.deals_per_game),
        "unfinished games": _share(s.unfinished, s.games),
        "tied games": _share(s.tied_games, s.games),
        "decisions": s.decisions,
        "legal cards": _number(s.mean_choices),
        "most legal cards": s.most_choices,
        "forced cards per deal": _mean(s.forced_per_deal),
        "legal passes": _number(s.passes.mean),
        "moons": _share(s.moons, s.deals),
        "suns": _share(s.suns, s.deals),
        "void tricks": _share(s.void_tricks, s.tricks),
        "kitties taken": _share(s.kitties_taken, s.kitties),
        "branching": [_mean(moments) for moments in s.branching],
        "points": _spread(s.deal_points),
        "totals": _spread(s.final_totals),
        "wins": [_share(wins, s.finished) for wins in s.wins],
        "mean totals": [_mean(totals) for totals in s.totals],
        "points by position": [_mean(points) for points in s.points_by_position],
    }


# ---------------------------------------------------------------------------------------------------------------
# Plots

_STYLE: Final = {
    # For equal bytes from equal figures, and for text instead of outlines.
    "svg.hashsalt": "heartsrules",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10.0,
    "figure.constrained_layout.use": True,
}
_COLORS: Final = ("#1b6ca8", "#c8553d", "#588157", "#8d5a97", "#b8860b", "#4a4e69")
"""Colors that remain distinct for the color-blind, and in gray."""


def _style() -> Any:
    with needs("plot", "a plot"):
        from matplotlib import rc_context
    return rc_context(_STYLE)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


@contextmanager
def _drawn(path: Path, about: str, runs: Sequence[Run]) -> Iterator[Figure]:
    kind = _kind_of(path)
    if not runs:
        raise ValueError("runs is empty: give at least one")
    with _style():
        from matplotlib.figure import Figure

        figure = Figure()
        yield figure
        if kind == ".svg":
            figure.savefig(path, format="svg", metadata={"Date": None, "Creator": "heartsrules", "Description": about})
        else:
            figure.savefig(path, format="png", dpi=150, metadata={"Software": "heartsrules", "Description": about})


def _kind_of(path: Path) -> str:
    kind = path.suffix.lower()
    if kind not in (".svg", ".png"):
        raise ValueError(f"{path.name!r} ends in neither .svg nor .png")
    return kind


def check_path(path: Path) -> None:
    """Check that a plot can be written to a path, before a long run.

    Raises:
        MissingExtra: the extra `plot` is not installed.
        ValueError: the file name ends in neither .svg nor .png.
        OSError: the directory does not exist.
    """
    _kind_of(path)
    _style()  # raises if matplotlib is missing
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"there is no directory {str(path.parent)!r}")


def plot(run: Run, path: Path, *, about: str = "") -> None:
    """Draw a run's branching factors, points and totals, and its fairness to seats.

    Equal runs give equal SVG files with the same version of Matplotlib.

    Args:
        path: the file, .svg or .png.
        about: a description for the metadata of the file.

    Raises:
        MissingExtra: the extra `plot` is not installed.
        ValueError: the file name ends in neither .svg nor .png.
        OSError: the file cannot be written.
    """
    s = run.statistics
    with _drawn(path, about, [run]) as figure:
        figure.set_size_inches(10, 9.5)
        (branching, legal), (points, totals), (wins, positions) = figure.subplots(3, 2)
        figure.suptitle(f"{run.label}: {s.games} games, {s.deals} deals{f', seed {run.seed}' if run.seed else ''}")
        _draw_branching(branching, s)
        branching.set(title="Branching factor by decision", xlabel="card of the deal", ylabel="mean legal cards")
        legal.stairs(
            _shares(s.choices), [number - 0.5 for number in range(len(s.choices) + 1)], fill=True, color=_COLORS[0]
        )
        legal.set(title="How many cards are legal", xlabel="legal cards", ylabel="share of decisions")
        _draw_distribution(points, s.deal_points)
        points.set(title="Points of a deal", xlabel="points of a player", ylabel="share")
        _draw_distribution(totals, s.final_totals)
        totals.set(title="Final totals", xlabel="total of a player", ylabel="share")
        rates = [won / s.finished if s.finished else math.nan for won in s.wins]
        _draw_intervals(wins, rates, s.win_intervals)
        wins.axhline(s.fair_win_rate, color="#999999", linewidth=0.8, linestyle="--")
        wins.set(title="Games won by each seat (95 %)", xlabel="seat", ylabel="share of games")
        _draw_intervals(
            positions, [moments.mean for moments in s.points_by_position], [m.interval for m in s.points_by_position]
        )
        positions.axhline(s.deal_points.moments.mean, color="#999999", linewidth=0.8, linestyle="--")
        positions.set(title="Points by position (95 %)", xlabel="places left of the dealer", ylabel="mean points")


def _shares(counts: Sequence[int]) -> list[float]:
    whole = sum(counts)
    return [count / whole if whole else 0.0 for count in counts]


def _draw_branching(axes: Axes, statistics: Statistics) -> None:
    players = statistics.rules.players
    means = [moments.mean for moments in statistics.branching]
    axes.stairs(means, [number + 0.5 for number in range(len(means) + 1)], fill=True, color=_COLORS[0])
    leaders = range(0, len(means), players)
    axes.plot([number + 1 for number in leaders], [means[number] for number in leaders], "o", ms=2.5, color=_COLORS[1])
    axes.set_ylim(bottom=0)


_MOST_BINS: Final = 500


def _draw_distribution(axes: Axes, distribution: Distribution) -> None:
    if not distribution.counts:
        return
    lowest, highest = distribution.counts[0][0], distribution.counts[-1][0]
    width = (highest - lowest) // _MOST_BINS + 1
    bins = [0] * ((highest - lowest) // width + 1)
    for value, times in distribution.counts:
        bins[(value - lowest) // width] += times
    edges = [lowest - 0.5 + width * number for number in range(len(bins) + 1)]
    axes.stairs(_shares(bins), edges, fill=True, color=_COLORS[2])


def _draw_intervals(axes: Axes, means: Sequence[float], intervals: Sequence[tuple[float, float]]) -> None:
    places = range(len(means))
    low = [max(mean - lower, 0.0) for mean, (lower, _) in zip(means, intervals, strict=True)]
    high = [max(upper - mean, 0.0) for mean, (_, upper) in zip(means, intervals, strict=True)]
    axes.errorbar(places, means, yerr=[low, high], fmt="o", markersize=4, capsize=3, color=_COLORS[0])
    axes.set_xticks(list(places))


def plot_comparison(runs: Sequence[Run], path: Path, *, about: str = "") -> None:
    """Draw rates and means of several runs side by side, with 95 % intervals.

    Each run is a line. Arguments and errors are as in `plot`, with a ValueError for no runs.
    """
    stats = [run.statistics for run in runs]
    with _drawn(path, about, runs) as figure:
        panels, colors = _side_by_side(figure, runs, 4)
        rows = [
            ("mean legal cards", [(s.mean_choices, *_branching_interval(s)) for s in stats]),
            ("moons, % of deals", [(100 * s.moon_rate, *_percent(s.moons, s.deals)) for s in stats]),
            ("ties for the win, % of games", [(100 * s.tie_rate, *_percent(s.tied_games, s.games)) for s in stats]),
            ("deals per game", [(s.deals_per_game.mean, *s.deals_per_game.interval) for s in stats]),
        ]
        for axes, (title, values) in zip(panels, rows, strict=True):
            means, lows, highs = zip(*values, strict=True)
            axes.hlines(range(len(runs)), lows, highs, colors, linewidth=1.5)
            axes.scatter(means, range(len(runs)), s=12, color=colors)
            axes.set_title(title)


def plot_points(runs: Sequence[Run], path: Path, *, about: str = "") -> None:
    """Draw the points in a deal and the fairness of the seats, side by side.

    Each run is a line, with the mean, the middle half and the middle nine tenths of the points. A digit is a position
    counted from the dealer (0) to the left, or a seat. Errors are as in `plot_comparison`.
    """
    with _drawn(path, about, runs) as figure:
        (points, positions, wins), colors = _side_by_side(figure, runs, 3)
        for place, (run, color) in enumerate(zip(runs, colors, strict=True)):
            s = run.statistics
            quantiles = [s.deal_points.quantile(share) or 0 for share in _QUANTILES]
            points.hlines([place, place], quantiles[0:2], quantiles[4:2:-1], color, linewidth=[1.0, 4.0], alpha=0.6)
            points.scatter([s.deal_points.moments.mean], [place], s=12, color="black", zorder=3)
            mean = s.deal_points.moments.mean
            _dots(
                positions, place, [100 * moments.mean / mean - 100 for moments in s.points_by_position if mean], color
            )
            _dots(
                wins, place, [100 * part / s.finished - 100 * s.fair_win_rate for part in s.wins if s.finished], color
            )
        points.set_title("points of a deal")
        positions.set_title("points by places left of the dealer")
        positions.set_xlabel("% more than the mean")
        wins.set_title("games won by seat")
        wins.set_xlabel("% of games more than a fair share")


def _dots(axes: Axes, place: int, values: Sequence[float], color: str) -> None:
    for number, value in enumerate(values):
        axes.plot([value], [place], marker=f"${number}$", markersize=5, color=color, linestyle="")


def _side_by_side(figure: Figure, runs: Sequence[Run], count: int) -> tuple[list[Axes], list[str]]:
    figure.set_size_inches(3 * count, 1.4 + 0.2 * len(runs))
    panels = list(figure.subplots(1, count, sharey=True))
    presets = list(dict.fromkeys(run.preset for run in runs))
    for axes in panels:
        axes.grid(axis="x", color="#dddddd", linewidth=0.5)
        axes.set_axisbelow(True)
    panels[0].set_yticks(range(len(runs)), [run.label for run in runs])
    panels[0].set_ylim(len(runs) - 0.4, -0.6)
    return panels, [_COLORS[presets.index(run.preset) % len(_COLORS)] for run in runs]


def _percent(part: int, whole: int) -> tuple[float, float]:
    low, high = wilson_interval(part, whole)
    return 100 * low, 100 * high


def _branching_interval(statistics: Statistics) -> tuple[float, float]:
    decisions = len(statistics.choices_by_decision)
    low, high = statistics.choices_per_deal.interval
    return low / decisions, high / decisions


_DASHES: Final = ("-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (10, 4)))
"""Line styles. With six colors, they are enough for 36 presets."""


def plot_branching(runs: Sequence[Run], path: Path, *, about: str = "") -> None:
    """Draw the mean legal cards of leaders and of the others by trick.

    Each number of players has its own picture. Errors are as in `plot_comparison`.
    """
    counts = sorted({run.players for run in runs})
    presets = list(dict.fromkeys(run.preset for run in runs))
    with _drawn(path, about, runs) as figure:
        # A long legend needs a taller panel.
        heights = [max(2.4, 0.13 * sum(run.players == players for run in runs) + 0.4) for players in counts]
        figure.set_size_inches(10, sum(heights) + 0.5)
        panels = figure.subplots(len(counts), 2, squeeze=False, height_ratios=heights)
        for players, (lead, follow) in zip(counts, panels, strict=True):
            for run in runs:
                if run.players != players:
                    continue
                number = presets.index(run.preset)
                color, dashes = _COLORS[number % len(_COLORS)], _DASHES[number // len(_COLORS) % len(_DASHES)]
                by_trick = run.statistics.mean_choices_by_trick
                tricks = range(1, len(by_trick) + 1)
                lead.plot(tricks, [leader for leader, _ in by_trick], ls=dashes, color=color, lw=1.2, label=run.preset)
                follow.plot(tricks, [others for _, others in by_trick], ls=dashes, color=color, lw=1.2)
            lead.set(title=f"{players} players: the leader of a trick", ylabel="mean legal cards")
            follow.set(title=f"{players} players: the others")
            follow.legend(
                *lead.get_legend_handles_labels(),
                fontsize=6.5,
                handlelength=3,
                loc="center left",
                bbox_to_anchor=(1, 0.5),
            )
        for axes in panels[-1]:
            axes.set_xlabel("trick")
