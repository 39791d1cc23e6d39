"""A limit on the processor time of a function call, without a thread or a process.

A timer of the process sends a signal, and its handler raises `OutOfTime` inside the call. It works in the main thread
alone, and not on Windows, which has no such timers.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, TypeVar

_T = TypeVar("_T")

_INTERVAL: Final = 1.0
"""Seconds until the signal is repeated: an exception that is raised in a finalizer is lost."""


class OutOfTime(BaseException):
    """The call took too long. Not an `Exception`, so that the timed code cannot catch it by accident."""


def can_time() -> bool:
    """Whether this system has timers of processor time."""
    return hasattr(signal, "setitimer")


class Timer:
    """Limits the processor time of calls. A context manager, for the main thread.

    Args:
        seconds: the limit; None: no limit, and no signal handler is installed.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds: Final = seconds
        self._running = False
        self._before: Any = None

    def __enter__(self) -> Timer:
        if self.seconds is not None:
            self._before = signal.signal(signal.SIGVTALRM, self._expire)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.seconds is not None:
            signal.signal(signal.SIGVTALRM, self._before)

    def _expire(self, *_: object) -> None:
        if self._running:
            raise OutOfTime

    def run(self, work: Callable[[], _T]) -> _T:
        """Call a function, and return its result; `OutOfTime` if it takes too long."""
        if self.seconds is None:
            return work()
        try:
            try:
                self._running = True
                signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds, _INTERVAL)
                return work()
            finally:
                self._running = False
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except OutOfTime:
            # The signal may also come within `finally`, before the timer is stopped.
            self._running = False
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            raise
