"""Work in chunks on any `concurrent.futures.Executor`: processes of this machine, or the machines of a cluster.

What comes out does not depend on the executor: `run` hands every chunk back exactly once, also if workers die.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, ClassVar, Final, Generic, ParamSpec, TypeVar

import attrs

from heartsrules.base.errors import counted, in_words, truncated
from heartsrules.base.signals import interrupts_deferred
from heartsrules.base.values import checked_int, wrong_type

__all__ = [
    "ATTEMPTS",
    "IN_FLIGHT",
    "Chunked",
    "Done",
    "Pace",
    "Processes",
    "WorkFailed",
    "batches",
    "run",
    "usable_cores",
]

ATTEMPTS: Final = 3
"""How often a chunk is tried before its work is given up."""
IN_FLIGHT: Final = 256
"""How many chunks an executor is given at once if nobody knows how many workers it has."""
_SECONDS: Final = 0.4
"""How long a chunk should take: long beside the cost of sending it, short for somebody who presses Ctrl-C."""
_POLL: Final = 1.0
"""How long to wait, in seconds, before looking for Ctrl-C, which does not end a wait on every system."""

_LAST_WAIT: Final = 5.0
"""How long to wait at most, in seconds, for a pool to notice that its workers have been killed."""
_LONGEST: Final = 1000
"""The most characters that an error says of a chunk."""

_C = TypeVar("_C")
_R = TypeVar("_R")
_T = TypeVar("_T")
_P = ParamSpec("_P")


class WorkFailed(RuntimeError):
    """A chunk of work whose workers died, or could not be reached, at every attempt.

    An error of the work itself is not this: it is raised as it is.

    Attributes:
        chunk: which part of the work it is, in words.
        attempts: how often it was tried.
    """

    code: ClassVar[str] = "work-failed"

    def __init__(self, chunk: str, attempts: int) -> None:
        super().__init__(
            f"{truncated(chunk, _LONGEST)} failed {counted(attempts, 'time')} on the executor: see whether its workers "
            "can be reached, and have enough memory and the same version of heartsrules"
        )
        self.chunk = chunk
        self.attempts = attempts

    def __reduce__(self) -> tuple[type[WorkFailed], tuple[str, int]]:
        return type(self), (self.chunk, self.attempts)


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _ignore_interrupts() -> None:
    # Ctrl-C reaches every process of a terminal. This one ends when its parent tells it to.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _prepare_worker() -> None:
    _ignore_interrupts()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has been killed; nobody would give it work, or end it, any more."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Blocks Ctrl-C where that is possible: processes started meanwhile are born with it blocked.

    It is heeded afterwards. Nothing would know a process whose start was interrupted, so it would outlive this one.
    """
    with interrupts_deferred():
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Processes(Executor):
    """Worker processes on this machine, with new ones when they die.

    `concurrent.futures.ProcessPoolExecutor` refuses all further work once one of its processes has died; this one
    starts a new pool. (What was being done is lost either way: its futures fail, and `run` submits it again.) Processes
    are spawned, on every system and Python: nothing is forked, so threads do no harm. Hence a script that uses this
    must be importable: `if __name__ == "__main__":` goes before what it does. Workers ignore Ctrl-C; a `with`
    block that it interrupts ends them at once. They end by themselves if this process is killed.

    >>> with Processes(1) as processes:
    ...     processes.submit(pow, 2, 10).result()
    1024
    """

    def __init__(self, jobs: int | None = None) -> None:
        """Nothing is started before it is needed.

        Args:
            jobs: how many processes, 1 or more; None: as many as there are usable cores.

        Raises:
            TypeError: `jobs` is not an int.
            ValueError: `jobs` is less than 1.
        """
        if jobs is None:
            jobs = usable_cores()
        if not isinstance(jobs, int) or isinstance(jobs, bool):
            wrong_type("jobs", "an int or None", jobs)
        if jobs < 1:
            raise ValueError(f"jobs is {in_words(jobs)}: choose 1 or more")
        self.jobs: Final = jobs
        """How many processes there are at most."""
        self._pool = self._new_pool()
        self._ended = False

    def _new_pool(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.jobs, mp_context=spawn, initializer=_prepare_worker)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Have a function called in a worker.

        Raises:
            RuntimeError: the executor has been shut down.
        """
        with _interrupts_blocked():
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenProcessPool:
                if self._ended:
                    raise RuntimeError("cannot schedule new futures after shutdown") from None
                self._pool.shutdown(wait=False)
                self._pool = self._new_pool()
                return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers, after what they are doing."""
        self._ended = True
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def kill(self) -> None:
        """End the workers at once, whatever they are doing; their futures fail."""
        self._ended = True
        pool = self._pool
        # There is no public way before Python 3.14.
        workers = list((pool._processes or {}).values())
        manager: Any = pool._executor_manager_thread
        # The order matters: futures that are cancelled must be so before the pool learns that its workers have died.
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()
        if manager is not None:
            # It needs the pool until it has ended. It could wait for the rest of a result that was being sent.
            manager.join(_LAST_WAIT)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the workers: after what they are doing, but at once after Ctrl-C."""
        try:
            if kind is None or not issubclass(kind, KeyboardInterrupt):
                self.shutdown()
                return
        except KeyboardInterrupt:
            self.kill()
            raise
        self.kill()


@attrs.frozen
class Chunked:
    """An executor, with how much work it is given at a time.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `chunk` or `in_flight` is less than 1.
    """

    executor: Executor
    """Any `concurrent.futures.Executor`, such as `Processes` for the cores of this machine or
    `dask.distributed.Client.get_executor()` for a cluster. It is not shut down."""
    chunk: int | None = attrs.field(default=None, kw_only=True)
    """How many games or records a chunk has; None: as many as take about half a second."""
    in_flight: int | None = attrs.field(default=None, kw_only=True)
    """How many chunks it is given at once; None: four for each worker of `Processes`, and 256 for any other."""

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.executor, Executor):
            wrong_type("executor", "a concurrent.futures.Executor", self.executor)
        for name, number in (("chunk", self.chunk), ("in_flight", self.in_flight)):
            if number is not None and checked_int(name, number) < 1:
                raise ValueError(f"{name} is {in_words(number)}: choose 1 or more")

    @staticmethod
    def of(executor: Executor | Chunked) -> Chunked:
        """An executor with chunks of the usual size, unless it says otherwise itself."""
        return executor if isinstance(executor, Chunked) else Chunked(executor)

    @property
    def most_in_flight(self) -> int:
        """How many chunks it is given at once."""
        if self.in_flight is not None:
            return self.in_flight
        return 4 * self.executor.jobs if isinstance(self.executor, Processes) else IN_FLIGHT

    def pace(self) -> Pace:
        """The sizes of the chunks of one run."""
        return Pace(self.chunk, self.most_in_flight)


class Pace:
    """How long work takes, and so how much of it makes a chunk of about half a second.

    It decides only how work is cut up, never what comes out of it.
    """

    def __init__(self, fixed: int | None, in_flight: int) -> None:
        self._fixed: Final = fixed
        self._in_flight: Final = in_flight
        self._items = 0
        self._seconds = 0.0

    def record(self, items: int, seconds: float) -> None:
        """So much has been done in so much time of a worker."""
        self._items += items
        self._seconds += seconds

    def size(self, left: int | None = None) -> int:
        """How many items make the next chunk, of so many that are left, if that is known.

        The first chunks are of one item, and so are the last, for all workers to end at about the same time.
        """
        if self._fixed is not None:
            return self._fixed
        size = int(_SECONDS * self._items / self._seconds) if self._seconds else 1
        if left is not None:
            size = min(size, left // self._in_flight)
        return max(size, 1)


def batches(items: Iterable[_T], pace: Pace) -> Iterator[Sequence[_T]]:
    """Items, taken only as they are asked for, in chunks for `run`."""
    batch: list[_T] = []
    for item in items:
        batch.append(item)
        if len(batch) >= pace.size():
            yield batch
            batch = []
    if batch:
        yield batch


@attrs.frozen
class Done(Generic[_C, _R]):
    """A chunk, and what came out of it."""

    chunk: _C
    result: _R
    seconds: float
    """How long the worker worked on it."""


@attrs.define
class _Task(Generic[_C]):
    number: int
    chunk: _C
    attempts: int = 0


@attrs.frozen
class _Raised:
    """An error of the work itself, as against one of the executor."""

    error: Exception


def _guarded(work: Callable[[_C], _R], chunk: _C, attempt: int) -> tuple[_R | _Raised, float]:
    # An executor may take calls with equal arguments for one and the same: the number of the attempt tells them apart.
    del attempt
    start = time.perf_counter()
    try:
        result: _R | _Raised = work(chunk)
    except Exception as error:
        error.add_note(f"In a worker:\n{traceback.format_exc()}")
        result = _Raised(error)
    return result, time.perf_counter() - start


def run(
    work: Callable[[_C], _R],
    chunks: Iterable[_C],
    executor: Executor,
    *,
    in_flight: int = IN_FLIGHT,
    in_order: bool = False,
    describe: Callable[[_C], str] = repr,
) -> Generator[Done[_C, _R], None, None]:
    """Have work done on chunks, as many at once as the executor can.

    The executor is given a bounded number of chunks at once, and chunks are asked for only as they can be handed on, so
    memory does not grow with their number. Whatever an executor does to a chunk other than its work (a worker dies, a
    connection breaks), the chunk is submitted again, then alone, so that no chunk is blamed for what another one does
    to its worker. When this generator is closed, what has not begun is cancelled.

    Args:
        work: a function that workers can import. It must not matter whether it runs several times.
        chunks: its arguments.
        executor: where to call it. It is not shut down.
        in_flight: how many chunks the executor is given at once: a few for each worker keep all of them busy.
        in_order: whether results come in the order of the chunks, and not as they are finished.
        describe: what an error calls a chunk.

    Raises:
        WorkFailed: a chunk failed `ATTEMPTS` times; its cause is the last failure.
        Exception: what `work` raised.
        TypeError: `in_flight` is not an int.
        ValueError: `in_flight` is less than 1.
    """
    if checked_int("in_flight", in_flight) < 1:
        raise ValueError(f"in_flight is {in_words(in_flight)}: choose 1 or more")
    return _run(work, chunks, executor, in_flight, in_order, describe)


def _run(
    work: Callable[[_C], _R],
    chunks: Iterable[_C],
    executor: Executor,
    in_flight: int,
    in_order: bool,
    describe: Callable[[_C], str],
) -> Generator[Done[_C, _R], None, None]:
    source = enumerate(chunks)
    pending: dict[Future[tuple[_R | _Raised, float]], _Task[_C]] = {}
    suspects: deque[_Task[_C]] = deque()
    early: dict[int, Done[_C, _R]] = {}
    """Results that wait for those of earlier chunks."""
    due = 0
    exhausted = False

    def submit(task: _Task[_C]) -> None:
        while True:
            task.attempts += 1
            try:
                pending[executor.submit(_guarded, work, task.chunk, task.attempts)] = task
            except Exception as error:
                blame(task, error)
            else:
                return

    def blame(task: _Task[_C], error: BaseException) -> None:
        if task.attempts >= ATTEMPTS:
            raise WorkFailed(describe(task.chunk), task.attempts) from error

    try:
        while True:
            while not exhausted and not suspects and len(pending) + len(early) < in_flight:
                entry = next(source, None)
                if entry is None:
                    exhausted = True
                else:
                    submit(_Task(*entry))
            if suspects and not pending:
                submit(suspects.popleft())
            if not pending:
                return
            finished, _ = wait(pending, timeout=_POLL, return_when=FIRST_COMPLETED)
            for future in finished:
                task = pending.pop(future)
                # A future that something else has cancelled has no result either, and raises that it has none.
                try:
                    result, seconds = future.result()
                except Exception as error:
                    blame(task, error)
                    suspects.append(task)
                    continue
                if isinstance(result, _Raised):
                    raise result.error
                done = Done(task.chunk, result, seconds)
                if not in_order:
                    yield done
                    continue
                early[task.number] = done
                while due in early:
                    yield early.pop(due)
                    due += 1
    finally:
        for future in pending:
            future.cancel()
