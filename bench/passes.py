"""How far the passes that hints advise are behind the best of all.

    python bench/passes.py [--deals N] [--seed SEED] [--chosen WORLDS] [--valued WORLDS] [--hint WORLDS]

In each deal of the usual game `assess` advises a pass to one seat. All legal passes are then tried in other worlds, and
the best of them and the advised one are valued in worlds that neither was chosen in. Given are the points by which the
advised pass is worse, the chance to win the match that it gives away, and the processor time of the hint.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

from heartsrules import Pass, apply, deal, legal_moves, new_game, presets, view
from heartsrules.analysis import assess
from heartsrules.analysis._assessing import AssessedMove, assessed_move
from heartsrules.analysis.policies import Watchful
from heartsrules.analysis.trials import Trials, judging, lead
from heartsrules.chance import RandomStream
from heartsrules.views import View


def best_of_all(seen: View, stream: RandomStream, worlds: int) -> Pass:
    """The best of all passes in so many worlds; those that are worse by three standard errors are dropped."""
    moves = [move for move in legal_moves(seen) if isinstance(move, Pass)]
    policy, correction, _ = judging(seen, Watchful())
    trials = Trials(seen, moves, stream, policy, correction=correction)
    left = list(range(len(moves)))
    drawn = 0
    for until in (worlds // 16, worlds // 5, worlds // 2, worlds):
        trials.go_on(until - drawn, left)
        drawn = until
        best = max(left, key=lambda place: trials.tried[place].value / trials.tried[place].weight)
        leads = {place: lead(trials.tried[best], trials.tried[place]) for place in left}
        left = [place for place, (ahead, error) in leads.items() if ahead <= 3 * error]
    return moves[best]


def valued(seen: View, moves: Sequence[Pass], stream: RandomStream, worlds: int) -> list[AssessedMove]:
    """What the moves come to, in the same worlds."""
    policy, correction, moons = judging(seen, Watchful())
    trials = Trials(seen, moves, stream, policy, correction=correction)
    trials.go_on(worlds, range(len(moves)))
    return [assessed_move(move, sums, correction, moons) for move, sums in zip(moves, trials.tried, strict=True)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each deal and the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", default="passes")
    parser.add_argument("--chosen", type=int, default=1500, help="worlds in which the best pass is chosen")
    parser.add_argument("--valued", type=int, default=4000, help="worlds in which both are valued")
    parser.add_argument("--hint", type=int, default=500, help="worlds of the hint")
    asked = parser.parse_args(arguments)
    start = new_game(presets.microsoft())
    behind: list[float] = []
    wins: list[float] = []
    spent: list[float] = []
    for number in range(asked.deals):
        seen = view(apply(start, deal(start, seed=f"{asked.seed} {number}")), 0)
        began = time.process_time()
        hinted = assess(seen, RandomStream(f"hint {number}"), worlds=asked.hint).best.move
        spent.append(time.process_time() - began)
        assert isinstance(hinted, Pass)
        best = best_of_all(seen, RandomStream(f"chosen {number}"), asked.chosen)
        one, other = valued(seen, [hinted, best], RandomStream(f"valued {number}"), asked.valued)
        behind.append(one.points - other.points)
        wins.append(other.win - one.win)
        passes = [str(each.cards[0]) for each in (hinted, best)]
        print(f"{number} {' | '.join(passes)} | {behind[-1]:+.2f} {wins[-1]:+.3f} {spent[-1]:.2f} s", flush=True)
    half = 1.96 * statistics.stdev(behind) / len(behind) ** 0.5
    far = sum([each > 0.5 for each in behind])
    print(f"{len(behind)} deals: {statistics.fmean(behind):+.3f} ± {half:.3f} points behind, {far} by more than 0.5;")
    print(
        f"{statistics.fmean(wins):+.4f} of the match; {statistics.fmean(spent):.2f} s a hint, at most {max(spent):.2f}"
    )


if __name__ == "__main__":
    main()
