"""Tables of the figures of games, which are those of the JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from heartsrules.apps.command_line.printing import Row, figure_cell
from heartsrules.simulation.figures import Run, figures

_SPREADS: Final = {"points": "points of a deal", "totals": "final total"}
_COMPARED: Final = (
    *("games", "unfinished games", "deals per game", "legal cards", "most legal cards", "forced cards per deal"),
    *("moons", "tied games"),
)


def run_tables(run: Run) -> Iterator[Sequence[Row]]:
    """The figures of a run that are not zero, how points spread, and the totals and wins of each seat."""
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


def comparison_row(run: Run) -> Row:
    """The means and rates of a run, to compare it with others."""
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
