"""The time of the tables, which tests replace by one that they set."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


def today() -> int:
    """The seconds since 1970, by the clock of the machine."""
    return int(time.time())


class Alarm(Protocol):
    """Something that will be called."""

    def cancel(self) -> None:
        """Do not call it."""
        ...


class Clock:
    """The clock of the machine."""

    def now(self) -> float:
        """The seconds since some moment: only differences count."""
        return time.monotonic()

    def date(self) -> int:
        """The seconds since 1970, which is what is kept in a database."""
        return today()

    def call_at(self, when: float, callback: Callable[[], None]) -> Alarm:
        """Have something called, in this event loop, once `now` is `when`."""
        loop = asyncio.get_running_loop()
        return loop.call_at(loop.time() + max(0.0, when - self.now()), callback)
