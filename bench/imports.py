"""The import times of `heartsrules`, and of the modules for a game, relative to `import attrs`, in fresh interpreters.

    python bench/imports.py [--rounds 15]

What is measured is the processor time of one statement, with everything compiled to bytecode before; the statements
take turns. It takes whichever heartsrules this Python imports; `python -X importtime -c "from heartsrules import *"`
tells module by module.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
from typing import Final

_STATEMENTS: Final = (
    "import attrs",
    "import heartsrules",
    "from heartsrules import Rules, apply, deal, legal_moves, new_game",
    "from heartsrules import *",
)
_TIMED: Final = "import time; begin = time.process_time(); {}; print(time.process_time() - begin)"


def seconds(statement: str) -> float:
    """The processor time of a statement in a fresh interpreter."""
    command = [sys.executable, "-c", _TIMED.format(statement)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Measure, and print the milliseconds of each statement and its ratio to the first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15, help="rounds that count (default 15)")
    rounds = parser.parse_args().rounds
    times = [[seconds(statement) for statement in _STATEMENTS] for _ in range(rounds + 1)][1:]
    print(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {rounds} rounds")
    for at, statement in enumerate(_STATEMENTS):
        took = statistics.median([row[at] for row in times])
        ratio = statistics.median([row[at] / row[0] for row in times])
        print(f"{took * 1e3:7.1f} ms, {ratio:5.2f} times attrs: {statement}")


if __name__ == "__main__":
    main()
