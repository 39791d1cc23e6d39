"""Costs that are counted instead of timed: calls and bytes are the same on a busy machine and on an idle one."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls(work: Callable[[], object]) -> int:
    """How many functions are called while it runs, those of the interpreter among them."""
    count = 0

    def note(_: FrameType, what: str, __: Any) -> None:
        nonlocal count
        count += what in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def peak_of(work: Callable[[], object]) -> int:
    """The most bytes that are allocated at once while it runs.

    It runs three times, and the least counts: other threads of the process allocate too.
    """
    return min(_peak_of(work) for _ in range(3))


def _peak_of(work: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
