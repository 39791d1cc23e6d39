"""How long `import heartsrules` takes beside `import attrs`, in fresh interpreters that take turns.

    python bench/imports.py [--rounds 15]

What is measured is the processor time of the import statement, with everything compiled to bytecode before. It takes
whichever heartsrules this Python imports; `python -X importtime -c "import heartsrules"` tells module by module.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
from typing import Final

_MODULES: Final = ("attrs", "heartsrules")
_TIMED: Final = "import time; begin = time.process_time(); import {}; print(time.process_time() - begin)"


def seconds(module: str) -> float:
    """The processor time of an import in an interpreter of its own."""
    command = [sys.executable, "-c", _TIMED.format(module)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Measure, and print the milliseconds of each import and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15, help="imports of each that count (default 15)")
    rounds = parser.parse_args().rounds
    times = [[seconds(module) for module in _MODULES] for _ in range(rounds + 1)][1:]
    print(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {rounds} imports of each")
    for module, took in zip(_MODULES, zip(*times, strict=True), strict=True):
        print(f"import {module}: median {statistics.median(took) * 1e3:.1f} ms, least {min(took) * 1e3:.1f} ms")
    print(f"heartsrules / attrs: {statistics.median([ours / theirs for theirs, ours in times]):.2f}")


if __name__ == "__main__":
    main()
