"""Measurement for benchmarks: processor time of works in turns, ratios by round, memory, and imports."""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import history

__all__ = ["Times", "Work", "growth", "import_time", "measure", "positive", "ratios", "spread", "timed"]

Work: TypeAlias = Callable[[], float]
"""A function that does some work, and returns the microseconds per unit."""
Times: TypeAlias = dict[str, list[float]]


def timed(function: Callable[..., int], *args: Any) -> float:
    """Microseconds of processor time per unit of work, which other processes disturb less than wall-clock time."""
    gc.collect()
    begin = time.process_time()
    units = function(*args)
    return (time.process_time() - begin) / units * 1e6


def measure(works: dict[str, Work], rounds: int) -> Times:
    """Do all works in turns, in rounds, after an unmeasured one; return the times by name."""
    for work in works.values():
        work()
    times: Times = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(work())
    return times


def ratios(times: Times, one: str, other: str) -> list[float]:
    """The ratios of the times of two works, by round."""
    return [a / b for a, b in zip(times[one], times[other], strict=True)]


def spread(values: Sequence[float], digits: int = 3) -> str:
    """Median, 10th and 90th percentile."""
    middle, low, high = history.tenths(values)
    return f"{middle:8.{digits}f}   ({low:.{digits}f} to {high:.{digits}f})"


def resident() -> int:
    """The resident memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def growth(make: Callable[[], Any]) -> tuple[int, Any]:
    """Make something; return the growth of this process in bytes, and the thing made."""
    gc.collect()
    before = resident()
    made = make()
    gc.collect()
    return resident() - before, made


def import_time(module: str, folder: Path | None, bytecode: str) -> float:
    """The processor time of an import in a fresh process, in milliseconds.

    All modules have been imported, and their bytecode written to the given folder, by the round that does not count.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = bytecode
    program = (
        f"import sys, time; sys.path[:0] = {[str(folder)] if folder else []!r}; "
        f"begin = time.process_time(); import {module}; print(time.process_time() - begin)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout) * 1000


def positive(text: str) -> int:
    """Parse a count on the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too low: choose 1 or more")
    return number
