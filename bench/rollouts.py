"""Rollouts compared with `playout` and with OpenSpiel's, in one process on the same deals; and the time of a decision.

The deals stand at their first lead and are played to the end; a microsecond here is one of processor time for each card
played. All works take turns in every round, and what is compared is ratios within a round. Which build is measured is
printed: install the one that you want to know about.
"""

from __future__ import annotations

import argparse
import platform
import random
from collections.abc import Callable
from importlib.metadata import version

from deals import our_starts, packs
from measuring import measure, spread, timed
from openspiel import evaluate_bots, peer_starts

import heartsrules
from builds import whole
from heartsrules import Playing, Rules, State, apply, deal, legal_moves, new_game, presets, to_act, view
from heartsrules.analysis.playout import playout
from heartsrules.analysis.policies import Policy, Watchful
from heartsrules.analysis.rollouts import rollouts
from heartsrules.bots import Sampling
from heartsrules.chance import RandomStream
from heartsrules.simulation.many_games import simulate

TIMES = 100
"""Playouts of each deal in one call."""


def first_leads(rules: Rules, count: int, seed: int) -> list[State]:
    """States at the first lead of a first deal, after random passes and exposures."""
    rng = random.Random(seed)
    found: list[State] = []
    for _ in range(count):
        start = new_game(rules)
        state: State = apply(start, deal(start, rng=rng))
        while not isinstance(state, Playing):
            moves = legal_moves(state, min(to_act(state)))
            state = apply(state, moves[int(rng.random() * len(moves))])
        found.append(state)
    return found


def play_all(states: list[State], policy: Policy | None, seed: int) -> float:
    """Play out all states by one call of `rollouts`."""
    rules = states[0].rules
    stream = RandomStream(seed)
    played = rules.players * rules.cards_per_hand * len(states) * TIMES
    return timed(lambda: rollouts(states, stream, TIMES, policy=policy).count and played)


def play_each(states: list[State], policy: Policy | None, seed: int) -> float:
    """Play out each state by `playout`."""
    rules = states[0].rules
    stream = RandomStream(seed)

    def work() -> int:
        for state in states:
            playout(state, stream, policy=policy)
        return rules.players * rules.cards_per_hand * len(states)

    return timed(work)


def decide(bot: Sampling, states: list[State], seed: int) -> float:
    """The microseconds of a decision of the first leader."""

    def work() -> int:
        for number, state in enumerate(states):
            bot(view(state, min(to_act(state))), RandomStream(f"{seed} {number}"))
        return len(states)

    return timed(work)


def count_all(rules: Rules, policy: Policy | None, games: int, seed: int) -> float:
    """The microseconds of a deal in `simulate`, with dealing, passing and counting."""
    return timed(lambda: simulate(rules, games, seed=seed, players=policy).deals)


def main() -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=50, help="deals of each rule set")
    parser.add_argument("--rounds", type=int, default=15, help="rounds; every work has its turn in each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count, seed = options.deals, options.seed
    print(
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}; OpenSpiel "
        f"{version('open_spiel')}; {'compiled' if heartsrules.COMPILED else 'interpreted'}; {options.rounds} rounds"
    )
    decks = packs(count, seed)
    ours, peers = our_starts(whole(heartsrules), decks), peer_starts(decks)
    leads = first_leads(presets.cardstock(), max(2, count // 10), seed)
    times = measure(
        {
            "OpenSpiel evaluate_bots": lambda: evaluate_bots(peers, seed),
            "playout": lambda: play_each(ours, None, seed),
            "playout, watchful": lambda: play_each(ours, Watchful(), seed),
            "rollouts": lambda: play_all(ours, None, seed),
            "rollouts, watchful": lambda: play_all(ours, Watchful(), seed),
            "decision, 100 worlds": lambda: decide(Sampling(), leads, seed),
            "decision, 100 worlds, uniform": lambda: decide(Sampling(policy=None), leads, seed),
            "simulate, a deal": lambda: count_all(presets.microsoft(), None, 20, seed),
            "simulate, a deal, watchful": lambda: count_all(presets.microsoft(), Watchful(), 20, seed),
        },
        options.rounds,
    )
    print("\nmicroseconds a play, a decision or a deal: median (10th to 90th percentile)")
    for name, values in times.items():
        print(f"  {name:34}{spread(values, 4)}")
    print("\ntime ratios within a round")
    for one, other in (
        ("rollouts", "OpenSpiel evaluate_bots"),
        ("rollouts", "playout"),
        ("rollouts, watchful", "playout, watchful"),
        ("rollouts, watchful", "rollouts"),
    ):
        ratios = [a / b for a, b in zip(times[one], times[other], strict=True)]
        print(f"  {one + ' / ' + other:44}{spread(ratios, 3)}")
    print("\nmicroseconds a play of each preset, by its decks: uniform, then watchful")
    works: dict[str, Callable[[], float]] = {}
    decks_of = {}
    for name, preset in presets.ALL.items():
        states = first_leads(preset(), max(2, count // 5), seed)
        decks_of[name] = preset().decks
        works[f"{name} uniform"] = lambda states=states: play_all(states, None, seed)  # type: ignore[misc]
        works[f"{name} watchful"] = lambda states=states: play_all(states, Watchful(), seed)  # type: ignore[misc]
    times = measure(works, max(3, options.rounds // 3))
    for name, number in decks_of.items():
        print(f"  {name:28}{number}{spread(times[f'{name} uniform'], 4)}{spread(times[f'{name} watchful'], 4)}")


if __name__ == "__main__":
    main()
