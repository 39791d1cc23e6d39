"""Simulate every preset for every number of players, and write the page "The variants in figures".

`python bench/figures.py` plays the games, on all cores, and writes the data, the page and its pictures. With
`--missing` it plays only what has no data, or data of other rules; with `--redraw` it plays nothing. A rule set without
data is "not yet measured" on the page, which `nox -s generate` writes too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from heartsrules import COMPILED, Rules, presets
from heartsrules.rules import Moon
from heartsrules.simulation.executors import Processes, usable_cores
from heartsrules.simulation.figures import Run, from_data, plot_branching, plot_comparison, plot_points, to_data
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.statistics import Statistics

FOLDER: Final = Path(__file__).resolve().parent.parent / "bench" / "results"
NAME: Final = "variants-in-figures"
DATA: Final = FOLDER / f"{NAME}.json"
PAGE: Final = FOLDER / f"{NAME}.md"
NOT_MEASURED: Final = "not yet measured"
"""The text of the page for a rule set without data."""
SEED: Final = "the variants in figures"
GAMES: Final = 10_000
"""Games of each preset whose games take several deals."""
SINGLE_DEALS: Final = 100_000
"""Games of each preset whose games are single deals."""
PROBE: Final = 3
"""Number of games of each rule set that the tests repeat, to check that the data match this package."""
PICTURES: Final[dict[str, Callable[..., None]]] = {
    "comparison": plot_comparison,
    "branching": plot_branching,
    "points": plot_points,
}


def variants() -> Iterator[tuple[str, Rules]]:
    """All (preset, players) pairs."""
    for preset in presets.ALL.values():
        for players in preset.players:
            yield preset.name, preset(players)


def games_of(rules: Rules) -> int:
    """The number of games of a rule set."""
    return SINGLE_DEALS if rules.max_deals == 1 else GAMES


def probe(name: str, rules: Rules) -> str:
    """A fingerprint of the results of the first games."""
    counts = to_data(Run(name, simulate(rules, PROBE, seed=SEED), SEED))["counts"]
    return hashlib.sha256(json.dumps(counts).encode()).hexdigest()[:16]


def data_of(run: Run) -> dict[str, object]:
    """The stored data of a run: the counters, without derived figures."""
    data = to_data(run)
    del data["figures"]
    return data | {"first games": probe(run.preset, run.statistics.rules)}


def measure(name: str, rules: Rules, executor: Processes) -> dict[str, Any]:
    """Play the games of a rule set, and return their data."""
    started = time.perf_counter()
    statistics = simulate(rules, games_of(rules), seed=SEED, executor=executor)
    build = "compiled" if COMPILED else "interpreted"
    took = f"{time.perf_counter() - started:.0f} s in {usable_cores()} processes, {build}"
    print(f"{name}, {rules.players} players: {statistics.deals} deals, {took}")
    return data_of(Run(name, statistics, SEED))


def write_data(path: Path, data: Sequence[dict[str, Any]]) -> None:
    """Write a list with a line for each rule set."""
    lines = [json.dumps(item, separators=(",", ":")) for item in data]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def read_data(path: Path) -> list[dict[str, Any]]:
    """The data of all measured rule sets."""
    data: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return data


def is_current(item: dict[str, Any]) -> bool:
    """Whether the preset still has these rules, and its first games have the same results."""
    run = from_data(item)
    rules = run.statistics.rules
    return (run.preset, rules) in variants() and item["first games"] == probe(run.preset, rules)


def missing(runs: Sequence[Run]) -> list[tuple[str, Rules]]:
    """The (preset, players) pairs that have not been measured."""
    measured = {(run.preset, run.players) for run in runs}
    return [(name, rules) for name, rules in variants() if (name, rules.players) not in measured]


def digest(path: Path) -> str:
    """A digest of the data, stored in the pictures."""
    return f"made of data with SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}"


# ---------------------------------------------------------------------------------------------------------------
# The page


def table(heading: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Format a table in Markdown with numbers to the right; rows may be shorter than the heading."""
    ruler = ["---", *["---:"] * (len(heading) - 1)]
    whole = [[*line, *[""] * (len(heading) - len(line))] for line in [heading, ruler, *lines]]
    return "\n".join("| " + " | ".join(line) + " |" for line in whole)


def number(value: float, digits: int) -> str:
    """Format a number, or a dash for None."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def with_error(value: float, error: float, digits: int) -> str:
    """Format a number and half the width of its 95 % interval."""
    return number(value, digits) if math.isnan(error) else f"{value:.{digits}f} ± {1.96 * error:.{digits}f}"


def rate(part: int, whole: int) -> str:
    """Format a percentage and half the width of its 95 % interval."""
    share = part / whole
    return with_error(100 * share, 100 * math.sqrt(share * (1 - share) / whole), 2)


def decisions(s: Statistics) -> int:
    """The number of cards played in a deal."""
    return len(s.choices_by_decision)


def usual(runs: Sequence[Run]) -> list[Run]:
    """The run of each preset with its usual number of players."""
    return [run for run in runs if run.players == presets.ALL[run.preset].default_players]


def not_measured(runs: Sequence[Run]) -> list[list[str]]:
    """A table row for each preset without a run of its usual number of players."""
    return [
        [f"`{name}`", str(rules.players), NOT_MEASURED]
        for name, rules in missing(runs)
        if rules.players == presets.ALL[name].default_players
    ]


def what_is_missing(runs: Sequence[Run]) -> str:
    """A paragraph that names what has not been measured; empty if all is."""
    counts: dict[str, list[str]] = {}
    for name, rules in missing(runs):
        counts.setdefault(name, []).append(str(rules.players))
    if not counts:
        return ""
    named = "; ".join(f"`{name}` with {', '.join(players)} players" for name, players in counts.items())
    return f"{NOT_MEASURED.capitalize()}, and in no picture: {named}.\n\n"


def table_of_all(runs: Sequence[Run]) -> str:
    """The tables of the choices and of the results of play."""
    heading = ["preset", "players", "mean legal cards", "forced", "legal passes", "deals per game"]
    heading += ["moons, %", "ties, %", "points of a deal", "deviation"]
    lines: list[list[str]] = []
    for run in runs:
        s = run.statistics
        every = decisions(s)
        points = s.deal_points.moments
        lines.append(
            [
                f"`{run.preset}`",
                str(run.players),
                with_error(s.mean_choices, s.choices_per_deal.standard_error / every, 3),
                f"{100 * s.forced_per_deal.mean / every:.1f} %",
                number(s.passes.mean, 1),
                with_error(s.deals_per_game.mean, s.deals_per_game.standard_error, 2),
                "-" if s.rules.moon is Moon.OFF else rate(s.moons, s.deals),
                rate(s.tied_games, s.games),
                number(points.mean, 2),
                number(math.sqrt(points.variance), 2),
            ]
        )
    return table(heading, lines + not_measured(runs))


def seat_table(runs: Sequence[Run]) -> str:
    """The table of the advantages of seats."""
    heading = ["preset", "players", "least points", "most points", "±", "fewest wins, %", "most wins, %", "fair"]
    lines: list[list[str]] = []
    for run in runs:
        s = run.statistics
        by_place = [(moments.mean, place) for place, moments in enumerate(s.points_by_position)]
        error = max(moments.standard_error for moments in s.points_by_position)
        wins = [(100 * won / s.finished, seat) for seat, won in enumerate(s.wins)]
        lines.append(
            [
                f"`{run.preset}`",
                str(run.players),
                *[f"{mean:.2f} (place {place})" for mean, place in (min(by_place), max(by_place))],
                f"{1.96 * error:.2f}",
                *[f"{share:.2f} (seat {seat})" for share, seat in (min(wins), max(wins))],
                f"{100 * s.fair_win_rate:.2f}",
            ]
        )
    return table(heading, lines + not_measured(runs))


def by_count(runs: Sequence[Run], value: Callable[[Statistics], str]) -> str:
    """The table of one figure by preset and number of players."""
    several = [name for name, times in Counter(run.preset for run in runs).items() if times > 1]
    runs = [run for run in runs if run.preset in several]
    counts = sorted({run.players for run in runs})
    cells = {(run.preset, run.players): value(run.statistics) for run in runs}
    return table(
        ["preset", *[str(count) for count in counts]],
        [[f"`{name}`", *[cells.get((name, count), "") for count in counts]] for name in several],
    )


def moon_percent(statistics: Statistics) -> float:
    """The percentage of deals with a moon; nan under rules without one."""
    return math.nan if statistics.rules.moon is Moon.OFF else 100 * statistics.moon_rate


def extreme(runs: Sequence[Run], value: Callable[[Statistics], float], digits: int, unit: str = "") -> str:
    """A phrase with the lowest and the highest value of a figure."""
    ordered = sorted(runs, key=lambda run: value(run.statistics))
    low, high = [
        f"{value(run.statistics):.{digits}f}{unit} in `{run.preset}` with {run.players} players"
        for run in (ordered[0], ordered[-1])
    ]
    return f"from {low} to {high}"


def page(runs: Sequence[Run]) -> str:
    """The page."""
    deals = sum(run.statistics.deals for run in runs)
    games = sum(run.statistics.games for run in runs)
    plays = sum(run.statistics.plays for run in runs)
    return f"""\
# The variants in figures

What difference does a variant make? This page puts all presets side by side, with every count of players that they are
for. Everybody plays at random, uniformly among the legal moves, so the figures tell of the rules and not of anybody's
skill: how much there is to choose, how scores spread, how often the moon is shot, what a seat is worth. Tables with
many columns show each preset with its usual count of players; [the data](variants-in-figures.json) have all counts.

All games have the seed `{SEED}`:
{games:,} games with {deals:,} deals, in which {plays:,} cards were played: {GAMES:,} games of each, and
{SINGLE_DEALS:,} where a game is a single deal.
`python bench/figures.py` repeats them, and writes this page, its pictures and its data. New presets are measured before
[a release](../../docs/contributing/releases.md#make-a-release); until then they are "{NOT_MEASURED}".
`heartsrules simulate PRESET --players N --games G --seed '{SEED}'`
repeats one line of it, and [`heartsrules compare`](../../docs/how-to/command-line.md#play-many-games) compares
any presets. What follows ± is half of a 95 % confidence interval.

[![legal cards, moons and ties of every preset](variants-in-figures-comparison.svg)](variants-in-figures-comparison.svg)

{table_of_all(usual(runs))}

{what_is_missing(runs)}## How much there is to choose

The *branching factor* of a decision is the number of legal moves; CardStock and Valet publish it for each decision of
a deal. Its mean over all cards played goes
{extreme(runs, lambda s: s.mean_choices, 3)}.
*Forced* is the share of the cards that were the only legal one. Passes are counted by themselves: a player who gives
three of thirteen cards has 286 to choose from. The means of those presets that are for several counts of players:

{by_count(runs, lambda s: number(s.mean_choices, 3))}

The next picture shows the leader of a trick and the others apart. A leader may play nearly anything, a follower must
follow suit: where a suit runs out, choice comes back, until the last cards leave none. A bend at the first trick is the
opening rule (the lowest club is not a choice), and a straight line a game in which hearts may always be led.

[![legal cards by trick](variants-in-figures-branching.svg)](variants-in-figures-branching.svg)

## The results of play

The share of deals in which the moon is shot goes
{extreme([run for run in runs if run.statistics.rules.moon is not Moon.OFF], moon_percent, 2, " %")}.
With random play it is luck. *Ties* are games in which the lowest total was shared when the game should have ended. The
points of a deal are those of each player, and *deviation* is their standard deviation: the larger it is beside the
mean, the more a single deal decides.

Moons in percent of the deals, by the count of players:

{by_count([run for run in runs if run.statistics.rules.moon is not Moon.OFF], lambda s: number(moon_percent(s), 2))}

## What a seat is worth

Places are counted to the left of the dealer, who has place 0. A deal need not be fair: who leads first, who is passed
what, and who plays last to the first trick differ. Over a match the deal goes around, and the seats even out; a preset
of a single deal keeps what the deal gives. *Fair* is the share of games that each seat would win if all won equally
often: it is more than one in so many players where several share a win.

{seat_table(usual(runs))}

[![points of a deal, and what a seat is worth](variants-in-figures-points.svg)](variants-in-figures-points.svg)
"""


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    less = parser.add_mutually_exclusive_group()
    less.add_argument("--missing", action="store_true", help="play only what has no data, or data of other rules")
    less.add_argument("--redraw", action="store_true", help="play nothing; data of other rules are dropped")
    given = parser.parse_args()
    kept = [item for item in read_data(DATA) if is_current(item)] if given.missing or given.redraw else []
    known = {(item["preset"], item["players"]): item for item in kept}
    if not given.redraw:
        with Processes() as executor:
            for name, rules in missing([from_data(item) for item in kept]):
                known[name, rules.players] = measure(name, rules, executor)
    places = [(name, rules.players) for name, rules in variants()]
    write_data(DATA, [known[place] for place in places if place in known])
    runs = [from_data(item) for item in read_data(DATA)]
    PAGE.write_text(page(runs), encoding="utf-8")
    for name, draw in PICTURES.items():
        draw(runs, FOLDER / f"{NAME}-{name}.svg", about=digest(DATA))


if __name__ == "__main__":
    main()
