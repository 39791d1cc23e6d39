"""`python -m fuzzing.run --inputs 1000000 --seed 1`: the corpus and spoiled inputs for every reader, in any build."""

from __future__ import annotations

import argparse
import time
from random import Random

from fuzzing import corpus
from fuzzing.mutations import mutated
from fuzzing.targets import TARGETS
from heartsrules import COMPILED


def fuzz(inputs: int, seed: int, targets: tuple[str, ...] = tuple(TARGETS)) -> dict[str, int]:
    """Give every target its corpus and so many spoiled inputs, in turn.

    Returns:
        How many inputs each target had.

    Raises:
        BaseException: whatever a target raises, with a note that holds the input.
    """
    rng = Random(seed)
    kept = corpus.read()
    done = dict.fromkeys(targets, 0)
    everything = [data for inputs in kept.values() for data in inputs]
    for name in targets:
        for data in kept[name]:
            _one(name, data, done)
    while sum(done.values()) < inputs:
        for name in targets:
            own = kept[name]
            _one(name, mutated(rng.choice(own), rng, own if rng.random() < 0.8 else everything), done)
    return done


def _one(name: str, data: bytes, done: dict[str, int]) -> None:
    try:
        TARGETS[name](data)
    except BaseException as error:
        error.add_note(f"fuzzing: target {name}, input {data!r}")
        raise
    done[name] += 1


def main() -> None:
    """Fuzz as the command line asks, and tell how much."""
    parser = argparse.ArgumentParser(description="Fuzz every reader with spoiled inputs.")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="how many inputs, all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="only name the targets")
    parser.add_argument("targets", nargs="*", default=list(TARGETS), help=f"of {', '.join(TARGETS)}")
    asked = parser.parse_args()
    if asked.list:
        print(*TARGETS)
        return
    start = time.process_time()
    done = fuzz(asked.inputs, asked.seed, tuple(asked.targets))
    build = "compiled" if COMPILED else "interpreted"
    print(f"{sum(done.values())} inputs in the {build} build, {time.process_time() - start:.0f} s: {done}")


if __name__ == "__main__":
    main()
