"""Work for executors in tests: functions that worker processes can import, and executors that behave badly."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import ParamSpec, TypeVar

import attrs

from heartsrules.simulation.kept_games import KeptGame
from heartsrules.simulation.many_games import _Job, _play
from heartsrules.simulation.statistics import Statistics

_P = ParamSpec("_P")
_T = TypeVar("_T")


@attrs.frozen
class Chore:
    """A number to square, once a file exists or after this process has died so often."""

    number: int
    deaths: int = 0
    """How many workers it takes with it before it is done."""
    log: Path | None = None
    """A file that gets a letter for each attempt."""
    delay: float = 0.0


def square(chore: Chore) -> tuple[int, int]:
    """The square of its number, and the process that found it."""
    if chore.log is not None:
        with chore.log.open("a", encoding="utf-8") as log:
            log.write("x")
        if len(chore.log.read_text(encoding="utf-8")) <= chore.deaths:
            os._exit(9)
    time.sleep(chore.delay)
    return chore.number**2, os.getpid()


def refuse(chore: Chore) -> int:
    """Fails in the work itself."""
    raise LookupError(f"no {chore.number}")


def play_but_die_once(job: _Job) -> tuple[Statistics, list[KeptGame]]:
    """Plays games, but the first worker that gets game 3 dies: its seed names a file that tells whether one has."""
    if 3 in job.numbers:
        path = Path(job.seed)
        if not path.exists():
            path.touch()
            os._exit(9)
    return _play(job)


class OneByOne(Executor):
    """An executor that runs its calls in one thread, in an unexpected order."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.thread = ThreadPoolExecutor(1)
        self.waiting: list[Callable[[], None]] = []
        self.most = 0
        """How many calls it has had at once."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future: Future[_T] = Future()

        def call() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(fn(*args, **kwargs))
                except BaseException as error:
                    future.set_exception(error)

        self.waiting.append(call)
        self.most = max(self.most, len(self.waiting))
        self.thread.submit(self._next)
        return future

    def _next(self) -> None:
        self.waiting.pop(self.random.randrange(len(self.waiting)))()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.thread.shutdown(wait, cancel_futures=cancel_futures)


class Losing(Executor):
    """Loses calls: `lose(number of the call, its arguments)` says which, and whether already when they come."""

    def __init__(self, lose: Callable[[int, tuple[object, ...]], str]) -> None:
        self.lose = lose
        self.calls = 0
        self.open = 0
        """Calls whose futures are not done."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future: Future[_T] = Future()
        self.calls += 1
        fate = self.lose(self.calls, args)
        if fate == "refused":
            raise BrokenExecutor("no more calls, please")
        if fate == "cancelled":
            future.cancel()
            future.set_running_or_notify_cancel()
        elif fate == "lost":
            future.set_exception(BrokenExecutor("a worker has died"))
        elif fate == "never":
            self.open += 1
        else:
            future.set_result(fn(*args, **kwargs))
        return future

    def kill(self) -> None:
        """There are no processes."""


def count_to(number: int) -> list[int]:
    return list(range(number))
