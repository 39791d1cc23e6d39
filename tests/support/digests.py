"""The digest of many random games: builds, Pythons and machines on which the rules are the same have the same digest.

    python -m support.digests --games 1000000 --jobs 2

In it are, for each game, its rules, how many moves were legal at each step, which of them was made, and the row of the
score sheet. A game is a deal; matches go on until they end or have had as many deals as a rule set is given.
"""

from __future__ import annotations

import argparse
import hashlib
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Final

from heartsrules import COMPILED, AwaitingDeal, GameOver, Play, Rules, State, apply, deal, legal_moves, new_game
from heartsrules.play.dealing import chance_to_act
from heartsrules.testing.rule_sets import random_rules

__all__ = ["FEW", "FILE", "GAMES_OF_EACH", "digest", "games_of"]

FILE: Final = Path(__file__).parents[1] / "data" / "digest.txt"
FEW: Final = 2000
"""How many games the digest in `FILE` is of."""

GAMES_OF_EACH: Final = 25
"""How many games of each rule set are played."""


def games_of(seed: str, number: int) -> bytes:
    """The digest of the games of one random rule set, which a seed and a number choose."""
    rng = Random(f"{seed} {number}")
    rules: Rules = random_rules(rng)
    told = bytearray(repr(rules).encode())
    start = new_game(rules)
    state: State = start
    for game in range(GAMES_OF_EACH):
        if not isinstance(state, AwaitingDeal):
            state = start
        state = apply(state, deal(state, seed=f"{seed} {number} {game}"))
        while not isinstance(state, AwaitingDeal | GameOver):
            if chance_to_act(state):
                state = apply(state, deal(state, seed=f"{seed} {number} {game}"))
                continue
            moves = legal_moves(state)
            move = moves[int(rng.random() * len(moves))]
            told += b"%d " % len(moves)
            told += b"%d\n" % move.card.index if isinstance(move, Play) else repr(move).encode()
            state = apply(state, move)
        told += repr(state.scores[-1]).encode()
    return hashlib.sha256(told).digest()


def digest(games: int, seed: str = "1", jobs: int = 1) -> str:
    """The digest of at least this many games, in whole rule sets, in hexadecimal digits; `jobs` does not matter."""
    numbers = range(-(-games // GAMES_OF_EACH))
    whole = hashlib.sha256()
    if jobs == 1:
        for part in map(games_of, repeat(seed), numbers):
            whole.update(part)
    else:
        with ProcessPoolExecutor(jobs) as pool:
            for part in pool.map(games_of, repeat(seed), numbers, chunksize=20):
                whole.update(part)
    return whole.hexdigest()


def main() -> None:
    """Play as many games as the command line asks for, and print their digest."""
    parser = argparse.ArgumentParser(prog="python -m support.digests", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, help="how many games to play (a million)")
    parser.add_argument("--seed", default="1", help="of the rules, the deals and the moves")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share the work")
    asked = parser.parse_args()
    build = "compiled" if COMPILED else "interpreted"
    print(f"{digest(asked.games, asked.seed, asked.jobs)}  {asked.games} games, seed {asked.seed}, {build}", flush=True)


if __name__ == "__main__":
    main()
