"""A limit of time for work that knows nothing of it: no thread, no process, and nothing that is left behind.

A timer of the processor time of this process sends a signal, and its handler raises `OutOfTime` where the work is. So
it is for the main thread, and for systems that have such timers: not for Windows.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, TypeVar

__all__ = ["OutOfTime", "Timer", "can_time"]

_T = TypeVar("_T")

_AGAIN: Final = 1.0
"""After so many seconds the signal comes again: what it raises is lost where Python cannot raise, as in a finalizer."""


class OutOfTime(BaseException):
    """The work took too long. It is not an `Exception`: no part of the work is to take it for an error of its own."""


def can_time() -> bool:
    """Whether this system has the timers."""
    return hasattr(signal, "setitimer")


class Timer:
    """Runs work for at most so many seconds of processor time; within `with`, in the main thread.

    Args:
        seconds: the limit; None: there is none, and nothing is done to signals.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds: Final = seconds
        self._running = False
        self._before: Any = None

    def __enter__(self) -> Timer:
        if self.seconds is not None:
            self._before = signal.signal(signal.SIGVTALRM, self._heed)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.seconds is not None:
            signal.signal(signal.SIGVTALRM, self._before)

    def _heed(self, *_: object) -> None:
        if self._running:
            raise OutOfTime

    def run(self, work: Callable[[], _T]) -> _T:
        """What the work returns.

        Raises:
            OutOfTime: it took too long. Whatever it was about to return is lost, and nothing else.
        """
        if self.seconds is None:
            return work()
        try:
            try:
                self._running = True
                signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds, _AGAIN)
                return work()
            finally:
                self._running = False
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except OutOfTime:
            # The signal may also come within `finally`, before anything is done there.
            self._running = False
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            raise
