"""Costs that are counted instead of timed: they are the same on a busy machine and on an idle one."""

from __future__ import annotations

import sys
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
