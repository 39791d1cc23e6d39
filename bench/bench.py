"""The speed of a play and the size of a state, beside OpenSpiel, in one process on the same work.

The work: four-player deals without passing, all cards played uniformly at random. Both sides play the same deals,
taking turns; what is compared is ratios within a round, so that a machine whose speed drifts does no harm.
"""

from __future__ import annotations

import argparse
import gc
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspiel

import heartsrules
from heartsrules import HOLD, Card, Playing, Rules, Tie, apply, deal_cards, legal_moves, new_game, why_illegal

RULES = Rules(pass_cycle=(HOLD,), target=None, max_deals=1, tie=Tie.SHARED)


def packs(count: int, seed: int) -> list[list[Card]]:
    """Shuffled packs."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        pack = list(RULES.deck)
        rng.shuffle(pack)
        found.append(pack)
    return found


def our_starts(decks: list[list[Card]]) -> list[Playing]:
    """The deals as states of this package."""
    start = new_game(RULES)
    states = [apply(start, deal_cards(start, pack)) for pack in decks]
    return [state for state in states if isinstance(state, Playing)]


def peer_starts(decks: list[list[Card]]) -> list[Any]:
    """The deals as states of OpenSpiel, dealt in the same order."""
    game = pyspiel.load_game("hearts(pass_cards=false)")
    states = []
    for pack in decks:
        state = game.new_initial_state()
        state.apply_action(0)
        for card in pack:
            state.apply_action((card.rank - 2) * 4 + (0, 1, 3, 2)[card.suit])
        states.append(state)
    return states


def play_ours(starts: list[Playing], rng: random.Random) -> int:
    """`legal_moves`, choose, `apply`."""
    plays = 0
    draw = rng.random
    for start in starts:
        state: Any = start
        while type(state) is Playing:
            moves = legal_moves(state)
            state = apply(state, moves[int(draw() * len(moves))])
            plays += 1
    return plays


def play_in_place(starts: list[Any], rng: random.Random) -> int:
    """OpenSpiel: `legal_actions`, choose, `apply_action` on one copy of the deal."""
    plays = 0
    draw = rng.random
    for start in starts:
        state = start.clone()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            plays += 1
    return plays


def play_children(starts: list[Any], rng: random.Random) -> int:
    """OpenSpiel: `legal_actions`, choose, `child`: a new state for each play, as here."""
    plays = 0
    draw = rng.random
    for start in starts:
        state = start
        while not state.is_terminal():
            actions = state.legal_actions()
            state = state.child(actions[int(draw() * len(actions))])
            plays += 1
    return plays


def explain(starts: list[Playing]) -> int:
    """`why_illegal` for every card of the hand that is to lead."""
    count = 0
    for state in starts:
        for card in state.hands[state.seat]:
            why_illegal(state, heartsrules.Play(state.seat, card))
        count += 1
    return count


def microseconds(work: Callable[[], int]) -> float:
    """Microseconds for each unit of work."""
    gc.collect()
    begin = time.perf_counter()
    units = work()
    return (time.perf_counter() - begin) / units * 1e6


def resident() -> int:
    """Bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def growth(make: Callable[[], Any]) -> tuple[int, Any]:
    """By how many bytes this process grows while something is made, and the thing itself."""
    gc.collect()
    before = resident()
    made = make()
    gc.collect()
    return resident() - before, made


def all_states(starts: list[Playing], rng: random.Random) -> list[list[Playing]]:
    """Every state of every deal, kept."""
    kept = []
    for start in starts:
        states = [start]
        while True:
            moves = legal_moves(states[-1])
            state = apply(states[-1], moves[int(rng.random() * len(moves))])
            if not isinstance(state, Playing):
                break
            states.append(state)
        kept.append(states)
    return kept


def all_clones(starts: list[Any], rng: random.Random) -> list[list[Any]]:
    """A clone of every state of every deal, kept."""
    kept = []
    for start in starts:
        state = start.clone()
        clones = []
        while not state.is_terminal():
            clones.append(state.clone())
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
        kept.append(clones)
    return kept


def spread(values: list[float]) -> str:
    """Median, minimum and maximum."""
    return f"{statistics.median(values):7.3f}   ({min(values):.3f} to {max(values):.3f})"


def main() -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300, help="deals in each round")
    parser.add_argument("--rounds", type=int, default=9, help="rounds; every side plays in each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    decks = packs(options.deals, options.seed)
    ours, peers = our_starts(decks), peer_starts(decks)
    works: dict[str, Callable[[], int]] = {
        "heartsrules": lambda: play_ours(ours, random.Random(options.seed)),
        "OpenSpiel in place": lambda: play_in_place(peers, random.Random(options.seed)),
        "OpenSpiel child": lambda: play_children(peers, random.Random(options.seed)),
        "why_illegal, a hand of 13": lambda: explain(ours),
    }
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(options.rounds):
        for name, work in works.items():
            times[name].append(microseconds(work))
    build = "compiled" if heartsrules.COMPILED else "interpreted"
    print(f"heartsrules {build}, Python {platform.python_version()}, {options.rounds} rounds of {options.deals} deals")
    print("\nratios within a round: median (minimum to maximum)")
    first = times["heartsrules"]
    for name in ("OpenSpiel in place", "OpenSpiel child"):
        print(f"  time of a play / {name:24}{spread([a / b for a, b in zip(first, times[name], strict=True)])}")
    name = "why_illegal, a hand of 13"
    print(f"  {name} / a play      {spread([b / a for a, b in zip(first, times[name], strict=True)])}")
    print("\nmicroseconds: median (minimum to maximum)")
    for name, values in times.items():
        print(f"  {name:28}{spread(values)}")
    if sys.platform == "linux":
        some = max(1, options.deals // 3)
        size, kept = growth(lambda: all_states(ours[:some], random.Random(options.seed)))
        peer_size, clones = growth(lambda: all_clones(peers[:some], random.Random(options.seed)))
        each = size / sum(len(states) for states in kept)
        peer = peer_size / sum(len(states) for states in clones)
        print("\nmemory of a state when all states of a game are kept (growth of the process)")
        print(f"  bytes: heartsrules {each:.0f}, OpenSpiel clones {peer:.0f}; ratio {each / peer:.3f}")


if __name__ == "__main__":
    main()
