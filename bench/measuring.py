"""How the benchmarks measure: works that take turns, processor time, ratios within a round."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import history

__all__ = ["Times", "Work", "measure", "ratios", "spread", "timed"]

Work: TypeAlias = Callable[[], float]
"""Does some work, and tells the microseconds for each unit of it."""
Times: TypeAlias = dict[str, list[float]]


def timed(function: Callable[..., int], *args: Any) -> float:
    """Microseconds of processor time for each unit of work; what else the machine does matters less to it."""
    gc.collect()
    begin = time.process_time()
    units = function(*args)
    return (time.process_time() - begin) / units * 1e6


def measure(works: dict[str, Work], rounds: int) -> Times:
    """Do all works in turn in each round, after one round that does not count."""
    for work in works.values():
        work()
    times: Times = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(work())
    return times


def ratios(times: Times, one: str, other: str) -> list[float]:
    """What one work takes beside another, round by round."""
    return [a / b for a, b in zip(times[one], times[other], strict=True)]


def spread(values: Sequence[float], digits: int = 3) -> str:
    """Median, 10th and 90th percentile."""
    middle, low, high = history.tenths(values)
    return f"{middle:8.{digits}f}   ({low:.{digits}f} to {high:.{digits}f})"
