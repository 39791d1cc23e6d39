"""Random deals compared with the C program `random_play.c`, which draws the same numbers and gets the same points."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

from deals import single_deal
from measuring import Times, ratios, spread

import heartsrules
from builds import whole
from heartsrules.analysis.rollouts import rollouts
from heartsrules.chance import RandomStream
from heartsrules.simulation.many_games import simulate

__all__ = ["compare_random_deals"]

_SOURCE: Final = Path(__file__).with_name("random_play.c")
_GAMES: Final = 30
"""Games of `simulate` for each thousand deals of the others."""


def compare_random_deals(deals: int, rounds: int, seed: int) -> dict[str, list[float]]:
    """Measure random deals with the shuffle, in turns: the C program, `rollouts`, and `simulate` of whole games, which
    passes and counts as well; return the ratios. Without a C compiler the program is left out."""
    times: Times = {"C": [], "rollouts": [], "simulate": []}
    start = heartsrules.new_game(single_deal(whole(heartsrules)))
    compiler = shutil.which("cc")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "random_play")
        if compiler is not None:
            subprocess.run([compiler, "-O3", "-o", program, _SOURCE], check=True)
        for number in range(rounds):
            stream = RandomStream(f"{seed}/{number}")
            words = re.findall(r"\d+", repr(stream).partition("words")[2])
            begin = time.process_time()
            played = rollouts(start, stream, deals)
            times["rollouts"].append((time.process_time() - begin) / deals * 1e6)
            begin = time.process_time()
            counted = simulate(heartsrules.presets.microsoft(), max(1, deals * _GAMES // 1000), seed=number).deals
            times["simulate"].append((time.process_time() - begin) / counted * 1e6)
            if compiler is not None:
                asked = [str(program), str(deals), *words]
                done = subprocess.run(asked, check=True, capture_output=True, text=True)
                *sums, nanoseconds = map(int, done.stdout.split())
                if tuple(sums) != played.points + played.squares:
                    raise SystemExit(f"the C program got {sums}, and rollouts {played}")
                times["C"].append(nanoseconds / deals / 1000)
    print("\nrandom deals with the shuffle: microseconds a deal (10th to 90th percentile)")
    for name, values in times.items():
        if values:
            print(f"  {name:39}{spread(values)}")
    found = {"simulate, a deal / rollouts": ratios(times, "simulate", "rollouts")}
    if times["C"]:
        found["rollouts / C"] = ratios(times, "rollouts", "C")
    for name, values in found.items():
        print(f"  {name:39}{spread(values)}")
    return found
