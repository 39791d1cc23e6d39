"""A comparison of the speed of two wheels of heartsrules, in one process on the same games.

    python bench/steps.py OLD_WHEEL NEW_WHEEL

The work is the loop that everybody writes: `m = legal_moves(s); s = apply(s, m[int(rnd.random() * len(m))])`, over all
passes, plays and choices of whole games; dealing is not timed. Both wheels are given the same deals and the same random
numbers, and must play the same games with them. They take turns after every game, and what counts is the ratio of their
processor times within a round of many games. A ratio of 1 is equally fast, 1.01 is 1 % slower than before.

With --all, playouts, rollouts, the first and the next worlds of views in mid-deal, and the judging of documents (which
needs msgspec) are compared as well, on the first deals of the same games.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from measuring import positive

from builds import Build, load

Game: TypeAlias = list[tuple[Any, int]]
"""A game: for each deal, the state after dealing, and the number of moves from it to the end."""

_FEW_ROUNDS: Final = 20
_MAX_DEALS: Final = 100
"""Limit on deals: some presets can go on for ever."""
_FEW_VIEWS: Final = 4
"""Number of views for further worlds: no more than the package caches."""
_TURNS: Final = 16
"""Repetitions of each work of `--all` by each side in a round."""


def rules_of(api: Build, preset: str | None, players: int | None) -> Any:
    """The default rules, or those of a preset.

    Raises:
        SystemExit: there is no such preset, or it is not for so many players.
    """
    try:
        if preset is None:
            return api.Rules() if players is None else api.Rules(players=players)
        if preset not in api.presets.ALL:
            raise SystemExit(f"there is no preset {preset!r}: choose from {', '.join(api.presets.ALL)}")
        return api.presets.ALL[preset](players)
    except ValueError as error:
        raise SystemExit(f"--players {players}: {error}") from None


def games_of(api: Build, rules: Any, games: int, seed: int) -> tuple[list[Game], list[tuple[int, ...]]]:
    """Play games once, untimed: their deals, and the totals after each of these."""
    rnd = random.Random(seed)
    found = []
    totals = []
    for number in range(games):
        game = []
        state = api.new_game(rules)
        for _ in range(_MAX_DEALS):
            if type(state) is api.GameOver:
                break
            start = state = api.apply(state, api.deal(state, seed=f"{seed}/{number}"))
            steps = 0
            while type(state) is not api.AwaitingDeal and type(state) is not api.GameOver:
                m = api.legal_moves(state)
                state = api.apply(state, m[int(rnd.random() * len(m))])
                steps += 1
            game.append((start, steps))
            totals.append(tuple(state.scores))
        found.append(game)
    return found, totals


def walk(api: Build, game: Game, rnd: random.Random) -> float:
    """Play the deals of a game to their ends: seconds of processor time."""
    legal_moves, apply = api.legal_moves, api.apply
    # The garbage of one side must not be collected in the time of the other.
    gc.collect()
    begin = time.process_time()
    for start, steps in game:
        s = start
        for _ in range(steps):
            m = legal_moves(s)
            s = apply(s, m[int(rnd.random() * len(m))])
    return time.process_time() - begin


def measure(sides: Sequence[tuple[Build, list[Game]]], rounds: int, seed: int) -> list[list[float]]:
    """The times of both sides, round by round, after one round that does not count.

    They take turns after every game, which takes no longer than a millisecond or a few, so that both meet what else
    the machine does; and each is first in every other game.
    """
    times: list[list[float]] = [[], []]
    for number in range(rounds + 1):
        took = [0.0, 0.0]
        chance = [random.Random(seed), random.Random(seed)]
        for at in range(len(sides[0][1])):
            for side in (0, 1) if (number + at) % 2 else (1, 0):
                api, games = sides[side]
                took[side] += walk(api, games[at], chance[side])
        if number:
            times[0].append(took[0])
            times[1].append(took[1])
    return times


def other_works(api: Build, games: Sequence[Game], seed: int) -> dict[str, Callable[[], None]]:
    """Other works than stepping, by name, on the first deals of games, which must be dealt and not passed."""
    leads, middles = positions(api, games, seed)
    sample_world, view = api.views.worlds.sample_world, api.view
    stream = api.chance.RandomStream(seed)
    kept = [view(state, state.turn) for state in middles[:_FEW_VIEWS]]

    def playouts() -> None:
        for state in leads:
            api.analysis.playout.playout(state, stream)

    def rollouts() -> None:
        api.analysis.rollouts.rollouts(leads, stream, 20)

    def first_worlds() -> None:
        for state in middles:
            sample_world(view(state, state.turn), stream)

    def next_worlds() -> None:
        for seen in kept:
            for _ in range(100):
                sample_world(seen, stream)

    works: dict[str, Callable[[], None]] = {
        "playout": playouts,
        "rollouts": rollouts,
        "first world": first_worlds,
        "next world": next_worlds,
    }
    wire = getattr(getattr(api, "formats", None), "wire", None)
    if wire is not None:
        documents = [(wire.to_json(state), wire.to_json(api.legal_moves(state)[0])) for state in [*leads, *middles]]

        def judging() -> None:
            for state, move in documents:
                wire.judge(state, move)

        works["judging"] = judging
    return works


def positions(api: Build, games: Sequence[Game], seed: int) -> tuple[list[Any], list[Any]]:
    """The first leads of the first deals of games, and the states after half of their plays."""
    rnd = random.Random(seed)
    leads, middles = [], []
    for game in games:
        state = game[0][0]
        while type(state) is not api.Playing:
            m = api.legal_moves(state)
            state = api.apply(state, m[int(rnd.random() * len(m))])
        leads.append(state)
        for _ in range(state.rules.players * state.rules.cards_per_hand // 2):
            m = api.legal_moves(state)
            state = api.apply(state, m[int(rnd.random() * len(m))])
        middles.append(state)
    return leads, middles


def measure_works(sides: Sequence[dict[str, Callable[[], None]]], rounds: int) -> dict[str, list[float]]:
    """The ratios new / old of each work by round, after an unmeasured round."""
    found: dict[str, list[float]] = {name: [] for name in sides[0]}
    for number in range(rounds + 1):
        for name, ratios in found.items():
            took = [0.0, 0.0]
            for turn in range(_TURNS):
                for side in (0, 1) if (number + turn) % 2 else (1, 0):
                    gc.collect()
                    begin = time.process_time()
                    sides[side][name]()
                    took[side] += time.process_time() - begin
            if number:
                ratios.append(took[1] / took[0])
    return found


def spread(values: Sequence[float], digits: int) -> str:
    """Format the median, the 10th and 90th percentile, and the extremes."""
    tenths = statistics.quantiles(values, n=10, method="inclusive") if len(values) > 1 else [*values] * 9
    figures = (statistics.median(values), tenths[0], tenths[8], min(values), max(values))
    middle, low, high, least, most = [f"{value:.{digits}f}" for value in figures]
    return f"{middle}   (10th to 90th percentile {low} to {high}, all {least} to {most})"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD_WHEEL", type=Path)
    parser.add_argument("new", metavar="NEW_WHEEL", type=Path)
    parser.add_argument("--preset", help="whose rules are played (default: the default rules)")
    parser.add_argument("--players", type=positive, help="how many play")
    parser.add_argument("--games", type=positive, default=100, help="whole games in each round (default 100)")
    parser.add_argument("--rounds", type=positive, default=40, help="rounds; both play in each (default 40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="compare playouts, rollouts, worlds and judging as well")
    parser.add_argument("--most", type=float, help="fail if a median ratio is larger, such as 1.05")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="heartsrules-steps-", ignore_cleanup_errors=True) as temporary:
        run(options, Path(temporary).resolve())


def run(options: argparse.Namespace, temporary: Path) -> None:
    """Load both wheels into folders of this one, measure, and print.

    Raises:
        SystemExit: the wheels cannot be compared, or the new one is slower than `--most` allows.
    """
    wheels = {"old": options.old, "new": options.new}
    apis = [load(wheel, temporary / name) for name, wheel in wheels.items()]
    if apis[0].Cards is apis[1].Cards or apis[0].apply is apis[1].apply:
        raise SystemExit("both wheels have become one: this Python does not load them twice")
    machine = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"{machine}, load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else machine)
    for (name, wheel), api in zip(wheels.items(), apis, strict=True):
        print(f"{name}: {wheel.name}, {'compiled' if api.COMPILED else 'interpreted'}")
    if apis[0].COMPILED != apis[1].COMPILED:
        print("one of them is compiled and the other is not: this compares builds, not versions")
    rule_sets = [rules_of(api, options.preset, options.players) for api in apis]
    played = [games_of(api, rules, options.games, options.seed) for api, rules in zip(apis, rule_sets, strict=True)]
    counts = [[steps for game in games for _, steps in game] for games, _ in played]
    if played[0][1] != played[1][1] or counts[0] != counts[1]:
        raise SystemExit("with the same deals and random numbers the wheels play different games: nothing to compare")
    steps = sum(counts[0])
    print(
        f"{options.games} games of {options.preset or 'the default rules'}, {len(counts[0])} deals, {steps} moves; "
        f"{options.rounds} rounds, seed {options.seed}"
    )
    if options.rounds < _FEW_ROUNDS:
        print(f"fewer than {_FEW_ROUNDS} rounds show that it works, not how fast it is")
    # Exclude long-lived objects from garbage collection.
    gc.collect()
    gc.freeze()
    sides = [(api, games) for api, (games, _) in zip(apis, played, strict=True)]
    old, new = measure(sides, options.rounds, options.seed)
    ratios = [ours / theirs for ours, theirs in zip(new, old, strict=True)]
    for name, times in (("old", old), ("new", new)):
        print(f"microseconds a move, {name}: {spread([took / steps * 1e6 for took in times], 3)}")
    print(f"new / old: {spread(ratios, 4)}")
    medians = {"a move": statistics.median(ratios)}
    if options.all:
        both = [other_works(api, games, options.seed) for api, games in sides]
        for name, found in measure_works(both, options.rounds).items():
            print(f"new / old, {name}: {spread(found, 4)}")
            medians[name] = statistics.median(found)
    slower = [name for name, median in medians.items() if options.most is not None and median > options.most]
    if slower:
        raise SystemExit(f"slower than {options.most} times the old wheel: {', '.join(slower)}")


if __name__ == "__main__":
    main()
