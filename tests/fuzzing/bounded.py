"""`python -m fuzzing.bounded --documents 100000`: no document takes its reader a second of processor time.

Every leaf of the documents of random games is spoiled. Children of this process give them to the targets; the operating
system ends a child whose timer expires, whatever it is doing.
"""

from __future__ import annotations

import argparse
import mmap
import os
import signal
import struct
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final, NoReturn

from fuzzing.corpus import of_state
from fuzzing.mutations import spoiled_leaves
from fuzzing.targets import TARGETS
from heartsrules import COMPILED
from heartsrules.chance import RandomStream
from heartsrules.play.game import Game
from heartsrules.play.state import State
from heartsrules.rules import Moon, Rules
from heartsrules.testing.rule_sets import random_rules
from support.random_play import play_on

SECONDS: Final = 1.0
"""The processor time of one input: reading it, and whatever its target does with a value that is accepted."""
LONGEST: Final = 150
"""The moves of a game."""
TOGETHER: Final = 5000
"""The inputs of a child."""
READERS: Final = ("state", "setup", "view", "event", "events", "advance", "judge", "move", "transition", "deal-score")
"""The targets whose inputs are documents of a game."""
_PROGRESS: Final = struct.Struct("QdQd")
"""The index of an input; of those before it, the greatest processor time, the index that took it, and the total."""


def rule_set(rng: Random) -> Rules:
    """Draw a rule set. Every third has a pass through the middle, and every third a choice after a moon."""
    kind = rng.randrange(3)
    while True:
        drawn = random_rules(rng, **({"moon": Moon.CHOICE} if kind == 1 else {}))
        if kind or any([drawn._resolved.through_middle(number) for number in range(len(drawn.pass_cycle))]):
            return drawn


def documents(rng: Random, phases: Counter[str]) -> Iterator[tuple[str, bytes]]:
    """(target, input) pairs of random games, for ever.

    Args:
        rng: draws the games and the positions in them.
        phases: counts the states that the inputs are made of.
    """
    while True:
        chance = RandomStream.from_bits(rng.getrandbits(64))
        game = play_on(Game.start(rule_set(rng)), rng, LONGEST, chance)
        found: dict[type[State], list[int]] = {}
        for ply, state in enumerate(game.states):
            found.setdefault(type(state), []).append(ply)
        for plies in found.values():
            for ply in {plies[0], rng.choice(plies)}:
                phases[type(game.at(ply)).__name__] += 1
                yield from of_state(game.at(ply), game, ply if ply < game.ply else None, rng)


def spoiled(rng: Random, phases: Counter[str], one_in: int) -> Iterator[tuple[str, bytes]]:
    """(target, input) pairs, each time with one leaf spoiled, of which one in so many is given."""
    other: dict[str, bytes] = {}
    for name, data in documents(rng, phases):
        if name in READERS:
            for changed in spoiled_leaves(data, rng, (data, other.get(name, data))):
                if not rng.randrange(one_in):
                    yield name, changed
            other[name] = data


def failures(inputs: Sequence[tuple[str, bytes]], progress: mmap.mmap) -> Iterator[str]:
    """Give inputs to their targets in children; yield a sentence for each that fails."""
    first = 0
    while first < len(inputs):
        child = os.fork()
        if not child:
            _read(inputs, first, progress)
        _, status = os.waitpid(child, 0)
        if not status:
            return
        number, *_ = _PROGRESS.unpack_from(progress)
        how = "fails" if os.WIFEXITED(status) else f"is ended by signal {os.WTERMSIG(status)}"
        yield f"target {inputs[number][0]} {how}, input {inputs[number][1]!r}"
        first = number + 1


def _read(inputs: Sequence[tuple[str, bytes]], first: int, progress: mmap.mmap) -> NoReturn:
    """Give inputs to their targets, and end the process."""
    code = 1
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        _, slowest, which, total = _PROGRESS.unpack_from(progress)
        for number in range(first, len(inputs)):
            name, data = inputs[number]
            _PROGRESS.pack_into(progress, 0, number, slowest, which, total)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            before = time.process_time()
            TARGETS[name](data)
            used = time.process_time() - before
            total += used
            if used > slowest:
                slowest, which = used, number
        _PROGRESS.pack_into(progress, 0, len(inputs), slowest, which, total)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def main() -> None:
    """Spoil as many documents as the command line asks, and print the result."""
    parser = argparse.ArgumentParser(description="Bound what the readers of documents cost.")
    parser.add_argument("--documents", type=int, default=100_000, help="the number of spoiled documents")
    parser.add_argument("--one-in", type=int, default=1, help="take one leaf in so many, of more games")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    phases: Counter[str] = Counter()
    pairs = islice(spoiled(Random(asked.seed), phases, asked.one_in), asked.documents)
    readers: Counter[str] = Counter()
    failed = 0
    seconds = slowest = 0.0
    hardest: tuple[str, bytes] = ("", b"")
    while inputs := list(islice(pairs, TOGETHER)):
        readers.update([name for name, _ in inputs])
        progress = mmap.mmap(-1, _PROGRESS.size)
        for failure in failures(inputs, progress):
            failed += 1
            print(failure, flush=True)
        _, most, which, total = _PROGRESS.unpack_from(progress)
        seconds += total
        if most > slowest:
            slowest, hardest = most, inputs[which]
    build = "compiled" if COMPILED else "interpreted"
    print(
        f"{readers.total()} documents in the {build} build, {seconds:.0f} s, {failed} failures; "
        f"{dict(readers)}, of {dict(phases)}; "
        f"the slowest took {slowest:.2f} s, target {hardest[0]}, input {hardest[1]!r}"
    )
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
