"""The time of the solver by number of tricks left, in random positions of the default rules without passing.

    python bench/solve.py [--deals 100] [--tricks 5 6 7 8]

The positions are those to which uniform play leads, each with a trick to be led. Times are processor time.
"""

from __future__ import annotations

import argparse
import platform
import random
import statistics
import time
from collections.abc import Sequence

from heartsrules import COMPILED, Playing, Rules, State, apply, deal, legal_moves, new_game
from heartsrules.analysis import TooManyPositions, solve

RULES = Rules(pass_cycle=((),))


def position(tricks: int, rng: random.Random) -> Playing:
    """Draw a position with this many tricks to come."""
    start = new_game(RULES)
    state: State = apply(start, deal(start, rng=rng))
    while isinstance(state, Playing):
        if len(state.hands[state.turn]) == tricks and not state.trick:
            return state
        state = apply(state, rng.choice(legal_moves(state)))
    raise AssertionError("a deal has so many tricks")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each number of tricks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100, help="positions for each count of tricks (default 100)")
    parser.add_argument("--tricks", type=int, nargs="+", default=[5, 6, 7, 8], help="to come (default 5 6 7 8)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    machine = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    print(f"{machine}, {'compiled' if COMPILED else 'interpreted'}, seed {options.seed}")
    print("tricks   median   90th percentile   longest, in milliseconds   positions (median, most)   given up")
    for tricks in options.tricks:
        rng = random.Random(f"{options.seed} {tricks}")
        times, positions, given_up = [], [], 0
        for _ in range(options.deals):
            state = position(tricks, rng)
            begin = time.process_time()
            try:
                positions.append(solve(state).positions)
            except TooManyPositions as error:
                positions.append(error.most)
                given_up += 1
            times.append((time.process_time() - begin) * 1e3)
        tenths = statistics.quantiles(times, n=10, method="inclusive") if len(times) > 1 else times * 9
        print(
            f"{tricks:6}{statistics.median(times):9.2f}{tenths[8]:18.2f}{max(times):10.1f}"
            f"{statistics.median(positions):34,.0f} {max(positions):,}{given_up:12}"
        )


if __name__ == "__main__":
    main()
