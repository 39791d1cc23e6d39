"""The clock of the tables, which tests replace."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """A pending call."""

    def cancel(self) -> None: ...


class Clock:
    """The machine's clock."""

    def now(self) -> float:
        """Return the seconds since an arbitrary moment."""
        return time.monotonic()

    def date(self) -> int:
        """Return the seconds since 1970, as in the database."""
        return int(time.time())

    def call_at(self, when: float, callback: Callable[[], None]) -> Alarm:
        """Call a function in this event loop once `now` is `when`."""
        loop = asyncio.get_running_loop()
        return loop.call_at(loop.time() + max(0.0, when - self.now()), callback)
