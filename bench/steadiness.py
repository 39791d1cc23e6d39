"""How much a bot's card depends on the draws: in how many cards many seeds result, and what they cost.

    python bench/steadiness.py [--positions N] [--seeds N] [--bot NAME] [--reference N]

Heuristic and sampling players play deals with passing. In some of their positions the bot is asked with one seed
after another, and each card that it plays is compared with the best one in many other worlds. Cards that are
interchangeable count as one.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from typing import Final

from heartsrules import apply, deal, legal_moves, new_game, presets, to_act, view
from heartsrules.analysis.endings import distinct_plays
from heartsrules.analysis.policies import Watchful
from heartsrules.analysis.trials import Trials
from heartsrules.bots import Sampling, bot_named, heuristic
from heartsrules.bots.sampling import _MOON_WEIGHT
from heartsrules.chance import RandomStream
from heartsrules.play.moves import Move
from heartsrules.play.state import State
from heartsrules.views import PlayingView

_LOOKED_AT: Final = 0.06
"""The fraction of plays whose position is looked at."""


def candidates(seen: PlayingView) -> list[Move]:
    """The plays of a view, one for each run of interchangeable cards."""
    between = seen.rules.deck - sum(seen.captured, start=seen.hand)
    return distinct_plays(seen.rules, legal_moves(seen), between.lo, 0)


def positions(seed: str) -> Iterator[PlayingView]:
    """Views with a choice, of deals without end."""
    rng, rules = Random(seed), presets.microsoft()
    while True:
        state: State = apply(new_game(rules), deal(new_game(rules), rng=rng))
        player = heuristic if rng.random() < 0.5 else Sampling(50)
        while to_act(state):
            seen = view(state, min(to_act(state)))
            if isinstance(seen, PlayingView) and len(candidates(seen)) > 1 and rng.random() < _LOOKED_AT:
                yield seen
            state = apply(state, player(seen, rng))


def costs(seen: PlayingView, worlds: int) -> dict[Move, tuple[float, float]]:
    """What each candidate costs beside the best one, in thousandths of value and in points."""
    moves = candidates(seen)
    trials = Trials(seen, moves, RandomStream("reference"), Watchful(), _MOON_WEIGHT, weighs=True, keeps=True)
    trials.go_on(worlds, range(len(moves)))
    weights = [each.weight for each in trials.tried[0].played]
    total = sum(weights)
    points = [
        sum([each.points * each.weight for each in tried.played]) / total for tried in trials.tried
    ]  # fmt: skip
    values = [tried.value / total for tried in trials.tried]
    best = max(range(len(moves)), key=values.__getitem__)
    return {
        move: (1000 * (values[best] - values[place]), points[place] - points[best]) for place, move in enumerate(moves)
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--bot", default="sampling:100")
    parser.add_argument("--reference", type=int, default=3000)
    asked = parser.parse_args(arguments)
    bot, source = bot_named(asked.bot).bot, positions("steadiness")
    cards, common, mean, worst, spent = [], [], [], [], 0.0
    for _ in range(asked.positions):
        seen = next(source)
        cost = costs(seen, asked.reference)
        began = time.process_time()
        played = [bot(seen, RandomStream(f"seed {number}")) for number in range(asked.seeds)]
        spent += time.process_time() - began
        cards.append(len(set(played)))
        common.append(Counter(played).most_common(1)[0][1] / asked.seeds)
        mean.append([statistics.fmean([cost[move][figure] for move in played]) for figure in (0, 1)])
        worst.append([max([cost[move][figure] for move in played]) for figure in (0, 1)])
    half = 1.96 * statistics.stdev([each for each, _ in mean]) / sqrt(len(mean))
    means, worsts = [[statistics.fmean(column) for column in zip(*rows, strict=True)] for rows in (mean, worst)]
    print(f"{statistics.fmean(cards):.2f} cards, at most {max(cards)}; the commonest {statistics.fmean(common):.1%}")
    print(f"cost in value x 1000: {means[0]:.2f} ± {half:.2f}, of the worst card {worsts[0]:.2f}")
    print(f"cost in points: {means[1]:.3f}, of the worst card {worsts[1]:.2f}")
    print(f"{1000 * spent / asked.positions / asked.seeds:.2f} ms a decision")


if __name__ == "__main__":
    main()
