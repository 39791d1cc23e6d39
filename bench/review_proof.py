"""Whether the costs that `heartsrules.analysis.review` tells are those that come.

    python bench/review_proof.py play DEALS FILE [SEED]   plays deals with planted moves, reviews these, and plays on;
                                                          goes on with a file that is there
    python bench/review_proof.py tell FILE                tells the costs beside what came, by player and by class
    python bench/review_proof.py bounds MATCHES           measures the costs that part the classes
    python bench/review_proof.py prior DEALS              measures the prior of costs

Four players play matches of the usual game: heuristic ones, or uniformly random ones in one match of three. Some of
their decisions are reviewed: the move made, or a random one in its place. From the true cards the deal is then played
on after that move and after the one that the review calls best, in pairs with the same seed: by the policy of the
playouts, and by heuristic players. Neither the choice of the best move nor its cost has seen these deals. With
`--policy learned` the network plays in the playouts.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from heartsrules import AwaitingDeal, GameOver, Passing, Rules, apply, deal, legal_moves, new_game, to_act, view
from heartsrules.analysis import Difference, prospects
from heartsrules.analysis._assessing import difference, effective_worlds
from heartsrules.analysis._reviewing import WORLDS, quality_of, review_move
from heartsrules.analysis.playout import playout
from heartsrules.analysis.policies import BatchPolicy, Policy
from heartsrules.analysis.trials import Trials, judging
from heartsrules.bots import POLICIES, Bot, bot_named, heuristic, policy_named, uniform
from heartsrules.chance import RandomStream
from heartsrules.play.moves import Move
from heartsrules.play.state import State

_LOOKED_AT: Final = 0.05
"""The fraction of decisions that are reviewed."""
_AGAIN: Final = 8
"""How many times the policy plays each pair of deals on; heuristic players do so half as many times."""
_SURE: Final = 30.0
"""Costs of so many standard errors say nothing about the prior near 0, and are left out."""
_CLASSES: Final = ("best", "fine", "inaccuracy", "mistake", "blunder")


class Told(NamedTuple):
    """A reviewed move: its deal, who made it, its class, its cost in points and in value with intervals, what came."""

    deal: int
    """The number of the deal, from 1."""
    player: str
    quality: str
    points: Sequence[float]
    value: Sequence[float]
    policy: tuple[float, float]
    """The points and the chance to win that it cost when the policy played on."""
    heuristic: tuple[float, float] | None
    """The same when heuristic players did; None: they were not asked to."""


def played_on(state: State, seat: int, seed: int, players: Bot | Policy) -> tuple[float, float]:
    """The points of a seat in the deal, and its chance to win the match after it."""
    rng = Random(seed)
    by_policy = isinstance(players, Policy)
    while isinstance(state, Passing) or not (by_policy or isinstance(state, AwaitingDeal | GameOver)):
        player = heuristic if isinstance(players, Policy) else players
        state = apply(state, player(view(state, min(to_act(state))), rng))
    if isinstance(players, Policy) and not isinstance(state, AwaitingDeal | GameOver):
        state = playout(state, RandomStream(seed), policy=players)
    assert isinstance(state, AwaitingDeal | GameOver)
    return state.score_sheet[-1].points[seat], prospects(state, seat)


def what_came(state: State, move: Move, best: Move, seed: int, players: Bot | Policy) -> tuple[float, float]:
    """What a move costs beside another one, in points and in chances to win, on average over several deals."""
    pairs = [
        (played_on(apply(state, move), move.seat, seed + again, players),  # type: ignore[union-attr]
         played_on(apply(state, best), move.seat, seed + again, players))  # type: ignore[union-attr]
        for again in range(_AGAIN if isinstance(players, Policy) else _AGAIN // 2)
    ]  # fmt: skip
    return (
        statistics.fmean([made[0] - better[0] for made, better in pairs]),
        statistics.fmean([better[1] - made[1] for made, better in pairs]),
    )


def planted(deals: int, seed: str) -> Iterator[tuple[int, str, State, Move, str]]:
    """Decisions of matches: the number of the deal over all matches, a name, the state, a move, and who made it."""
    rng, rules = Random(seed), Rules()
    state: State = new_game(rules)
    matches = done = ply = 0
    while done < deals:
        if isinstance(state, GameOver):
            state, matches = new_game(rules), matches + 1
        if isinstance(state, AwaitingDeal):
            state, done = apply(state, deal(state, rng=rng)), done + 1
            continue
        seen = view(state, min(to_act(state)))
        player, name = (uniform, "uniform") if matches % 3 == 2 else (heuristic, "heuristic")
        move = player(seen, rng)
        ply += 1
        legal = legal_moves(seen)
        if len(legal) > 1 and rng.random() < _LOOKED_AT:
            moves = {name: move, "random": legal[rng.randrange(len(legal))]}
            who = rng.choice(list(moves))
            yield done, f"{seed} {ply}", state, moves[who], who
        state = apply(state, move)


def play(deals: int, file: Path, seed: str, worlds: int, fraction: float, policy: Policy | BatchPolicy) -> None:
    """Play deals, and add a line for each reviewed move to a file, but for those that it has already."""
    with file.open("a+", encoding="utf-8") as out:
        out.seek(0)
        lines = out.readlines()
        for number, (deal_number, name, state, move, who) in enumerate(planted(deals, seed)):
            if number >= len(lines):
                by_heuristic = int((number + 1) * fraction) > int(number * fraction)
                found = {"deal": deal_number} | reviewed(state, move, who, name, worlds, by_heuristic, policy)
                out.write(json.dumps(found) + "\n")
                out.flush()


def reviewed(
    state: State, move: Move, player: str, seed: str, worlds: int, by_heuristic: bool, policy: Policy | BatchPolicy
) -> dict[str, Any]:
    """The review of a move, and what came of it."""
    found = review_move(0, state, move, RandomStream(seed), worlds, policy)
    assert found is not None
    nothing = (0.0, 0.0)
    number = Random(seed).randrange(2**30)
    same = move in found.best
    own: Bot | Policy = policy if isinstance(policy, Policy) else bot_named("learned").bot
    players = (own, heuristic) if by_heuristic else (own,)
    came = [nothing if same else what_came(state, move, found.best[0], number, each) for each in players]
    return {
        "player": player,
        "stage": "pass" if found.trick is None else found.trick,
        "quality": found.quality.value,
        "points": list(found.cost_points),
        "value": list(found.cost),
        "win": list(found.cost_win),
        "policy": came[0],
        "heuristic": came[1] if by_heuristic else None,
    }


def read(file: Path) -> Iterator[Told]:
    """The moves of a file."""
    for line in file.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        if told["quality"] != "best":
            # The bounds may have been measured since.
            told["quality"] = quality_of(*[Difference(*told[name]) for name in ("value", "points", "win")])[0].value
        yield Told(*[told[name] for name in Told._fields])


def tell(moves: Sequence[Told]) -> None:
    """Print what was told beside what came."""
    print(f"{len(moves)} moves of {moves[-1].deal} deals")
    print(f"{'player':10}{'class':12}{'moves':>6}   points told   came: policy      heuristic players")
    for player in ("random", "uniform", "heuristic", "all"):
        for quality in (*_CLASSES, "all"):
            own = [
                each for each in moves if player in (each.player, "all") and (quality in (each.quality, "all"))
            ]  # fmt: skip
            if len(own) > 1:
                told, policy = [each.points[0] for each in own], [each.policy[0] for each in own]
                others = [each.heuristic[0] for each in own if each.heuristic is not None]
                print(f"{player:10}{quality:12}{len(own):6}   {_mean(told)}  {_mean(policy)}  {_mean(others)}")


def _mean(values: Sequence[float]) -> str:
    if len(values) < 2:
        return ""
    half = 1.96 * statistics.stdev(values) / sqrt(len(values))
    return f"{statistics.fmean(values):6.2f} ± {half:4.2f}"


def bounds(matches: int, worlds: int) -> None:
    """Print the median and the ninth decile of the costs of heuristic players' sure errors."""
    costs: dict[str, list[float]] = {"points": [], "win": []}
    moves = 0
    for number in range(matches):
        rng = Random(f"bounds {number}")
        state: State = new_game(Rules())
        while not isinstance(state, GameOver):
            if isinstance(state, AwaitingDeal):
                state = apply(state, deal(state, rng=rng))
                continue
            seat = min(to_act(state))
            move = heuristic(view(state, seat), rng)
            moves += 1
            found = review_move(0, state, move, RandomStream(f"bounds {number} {moves}"), worlds)
            if found is not None and found.cost.low > 0:
                for name, cost in (("points", found.cost_points), ("win", found.cost_win)):
                    costs[name] += [cost.mean] if cost.low > 0 else []
            state = apply(state, move)
    for name, sure in costs.items():
        if len(sure) > 1:
            tenths = statistics.quantiles(sure, n=10)
            print(f"{name}: {len(sure)} sure errors in {moves} moves: median {tenths[4]:.4f}, decile {tenths[8]:.4f}")


def prior(deals: int, worlds: int, policy: Policy | BatchPolicy) -> None:
    """Print the scales of the prior under which the costs of planted moves are likeliest."""
    scores: list[tuple[float, float]] = []
    """Costs in standard errors, each with the root of the number of worlds, or of as many of equal weight."""
    for _, name, state, move, _ in planted(deals, "prior"):
        found = review_move(0, state, move, RandomStream(name), worlds, policy)
        assert found is not None
        if move not in found.best:
            seen = view(state, found.seat)
            used, correction, _ = judging(seen, policy)
            trials = Trials(seen, [found.best[0], move], RandomStream(f"again {name}"), used, keeps=True)
            trials.go_on(worlds, (0, 1))
            best, made = [each.played for each in trials.tried]
            mean, deviations = difference(best, made, correction, attrgetter("value"))
            error = statistics.pstdev(deviations) / sqrt(worlds - 1)
            if error > 0 and mean / error < _SURE:
                scores.append((mean / error, sqrt(effective_worlds(made))))

    def likelihood(above: float, below: float) -> float:
        return sum([log_density(score, above * root, below * root) for score, root in scores])

    scales, step = (0.4, 0.04), 1.3
    best_yet = likelihood(*scales)
    while step > 1.01:
        near = [(scales[0] * one, scales[1] * other) for one in (1 / step, 1, step) for other in (1 / step, 1, step)]
        found_scales = max(near, key=lambda each: likelihood(*each))
        if likelihood(*found_scales) > best_yet:
            scales, best_yet = found_scales, likelihood(*found_scales)
        else:
            step = sqrt(step)
    above, below = scales
    print(f"{len(scores)} costs: scales {above:.3f} above 0, {below:.3f} below")


def log_density(score: float, above: float, below: float) -> float:
    """The log density of a mean with a normal error of 1, if the scales of the prior are these."""
    normal = statistics.NormalDist()
    up = exp(0.5 / above**2 - score / above) * normal.cdf(score - 1 / above)
    down = exp(0.5 / below**2 + score / below) * normal.cdf(-score - 1 / below)
    return log(max(1e-300, (up + down) / (above + below)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    does = parser.add_subparsers(dest="does", required=True)
    playing = does.add_parser("play")
    playing.add_argument("deals", type=int)
    playing.add_argument("file", type=Path)
    playing.add_argument("seed", nargs="?", default="1")
    playing.add_argument("--worlds", type=int, default=WORLDS)
    playing.add_argument("--heuristic", type=float, default=1.0, help="the fraction that heuristic players play on")
    does.add_parser("tell").add_argument("file", type=Path)
    bounding = does.add_parser("bounds")
    bounding.add_argument("matches", type=int)
    bounding.add_argument("--worlds", type=int, default=WORLDS)
    fitting = does.add_parser("prior")
    fitting.add_argument("deals", type=int)
    fitting.add_argument("--worlds", type=int, default=WORLDS)
    for each in (playing, fitting):
        each.add_argument("--policy", default="watchful", choices=POLICIES)
    asked = parser.parse_args(arguments)
    if asked.does == "play":
        play(asked.deals, asked.file, asked.seed, asked.worlds, asked.heuristic, policy_named(asked.policy))
    elif asked.does == "tell":
        tell(list(read(asked.file)))
    elif asked.does == "prior":
        prior(asked.deals, asked.worlds, policy_named(asked.policy))
    else:
        bounds(asked.matches, asked.worlds)


if __name__ == "__main__":
    main()
