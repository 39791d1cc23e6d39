"""Work in chunks on a `concurrent.futures.Executor`, on this machine or a cluster."""

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
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, ClassVar, Final, Generic, ParamSpec, TypeVar

import attrs

from heartsrules.base.errors import counted, truncated
from heartsrules.base.signals import interrupts_deferred
from heartsrules.base.values import checked_count, wrong_type

__all__ = [
    "ATTEMPTS",
    "IN_FLIGHT",
    "Chunked",
    "Done",
    "Pace",
    "Processes",
    "ThisProcess",
    "WorkFailed",
    "batches",
    "run",
    "usable_cores",
]
__dir__ = __all__.copy

ATTEMPTS: Final = 3
"""Limit on the attempts for a chunk."""
IN_FLIGHT: Final = 256
"""Chunks submitted at once to an executor with an unknown number of workers."""
_SECONDS: Final = 0.4
"""Target seconds per chunk: long compared with the cost of sending it, short for a user pressing Ctrl-C."""
_LEAST_SECONDS: Final = 0.05
"""Lower limit on the seconds per chunk once the speed is known: a cluster takes milliseconds to send one."""
_PROBES: Final = 4
_POLL: Final = 1.0
"""Seconds between checks for Ctrl-C, which does not end a wait on every system."""

_KILLED: Final[set[ProcessPoolExecutor]] = set()
"""Pools killed at work. Each pool's thread needs its pool for an unknown time to cancel futures."""
_INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM)
_LONGEST: Final = 1000

_C = TypeVar("_C")
_R = TypeVar("_R")
_T = TypeVar("_T")
_P = ParamSpec("_P")


class WorkFailed(RuntimeError):
    """The workers of a chunk died or could not be reached at every attempt.

    An error in the work itself is raised unchanged.

    Attributes:
        chunk: a description of the chunk.
        attempts: the number of attempts.
    """

    code: ClassVar[str] = "work-failed"

    def __init__(self, chunk: str, attempts: int) -> None:
        super().__init__(
            f"{truncated(chunk, _LONGEST)} failed {counted(attempts, 'time')} on the executor: see whether its workers "
            "can be reached, and have enough memory and the same version of heartsrules. A script must start "
            'worker processes under `if __name__ == "__main__":`'
        )
        self.chunk = chunk
        self.attempts = attempts

    def __reduce__(self) -> tuple[type[WorkFailed], tuple[str, int]]:
        return type(self), (self.chunk, self.attempts)


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ignore_interrupts() -> None:
    # Ctrl-C reaches every process of a terminal, and SIGTERM every process of a batch job. But the parent must end the
    # workers, since a pool whose workers die raises errors while its work is being cancelled.
    for number in _INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)


def _prepare_worker() -> None:
    _ignore_interrupts()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C and SIGTERM where possible, in processes started meanwhile too.

    An interrupted start would leave a process outside the pool.
    """
    with interrupts_deferred():
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Spawning(SpawnContext):
    """A spawn context that lists a pool's processes."""

    def __init__(self) -> None:
        self.workers: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override] # noqa: N802
        worker = SpawnProcess(*args, **kwargs)
        self.workers.append(worker)
        return worker


class ThisProcess(Executor):
    """An executor that makes each call at once, in this process."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Call a function, and raise its error."""
        future: Future[_T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Processes(Executor):
    """A pool of worker processes on this machine that replaces dead workers.

    When a worker dies, the futures of its pool fail, a new pool is started, and `run` submits the chunks again.
    Processes are spawned, never forked, so a script must be importable: guard its main code with
    `if __name__ == "__main__":`. Workers ignore Ctrl-C and SIGTERM, but end at once if an error or Ctrl-C ends the
    `with` block, or if this process is killed.

    >>> with Processes(1) as processes:
    ...     processes.submit(pow, 2, 10).result()
    1024
    """

    def __init__(self, jobs: int | None = None) -> None:
        """Create an executor without starting its processes.

        Args:
            jobs: the number of processes, 1 or more. Defaults to the number of usable cores.

        Raises:
            ValueError: `jobs` is less than 1.
        """
        self.jobs: Final = usable_cores() if jobs is None else checked_count("jobs", jobs)
        """The limit on processes."""
        self._context = _Spawning()
        self._pool = ProcessPoolExecutor(self.jobs, self._context, _prepare_worker)
        self._ended = False

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Submit a function call to a worker.

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
                self._context.workers.clear()
                self._pool = ProcessPoolExecutor(self.jobs, self._context, _prepare_worker)
                return self._pool.submit(fn, *args, **kwargs)

    @property
    def workers(self) -> Sequence[SpawnProcess]:
        """The processes started and not replaced."""
        return tuple(self._context.workers)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers after their current work."""
        self._ended = True
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def kill(self) -> None:
        """End the workers at once, which fails their futures."""
        # The order matters: futures must be cancelled before the pool notices that its workers have died.
        self.shutdown(wait=False, cancel_futures=True)
        for worker in self.workers:
            if worker.is_alive():
                _KILLED.add(self._pool)
                worker.kill()

    def __exit__(self, *error: object) -> None:
        """End the workers after their current work, or at once after an error or Ctrl-C."""
        try:
            if error == (None, None, None):
                self.shutdown()
        finally:
            self.kill()


@attrs.frozen
class Chunked:
    """An executor and the amount of work submitted to it at a time.

    Attributes:
        executor: any `concurrent.futures.Executor`, such as `Processes` or `dask.distributed.Client.get_executor()` for
            a cluster. It is not shut down.
        chunk: the number of games or records in a chunk. Defaults to about half a second's work, once the speed is
            known.
        in_flight: the number of chunks submitted at once. Defaults to four per worker, or 256 for an unknown number of
            workers, and only a few before the speed is known.
        workers: the number of workers, such as `sum(client.ncores().values())` for Dask. Defaults to `Processes.jobs`,
            or unknown.
        lost: a function called while no chunk finishes, which returns True if the workers are lost for good. For Dask,
            which never finishes the work of a closed client, use `lambda: client.status == "closed"`.

    Raises:
        ValueError: `chunk`, `in_flight` or `workers` is less than 1.
    """

    executor: Executor
    chunk: int | None = attrs.field(default=None, kw_only=True)
    in_flight: int | None = attrs.field(default=None, kw_only=True)
    workers: int | None = attrs.field(default=None, kw_only=True)
    lost: Callable[[], bool] | None = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.executor, Executor):
            wrong_type("executor", "a concurrent.futures.Executor", self.executor)
        for name, number in (("chunk", self.chunk), ("in_flight", self.in_flight), ("workers", self.workers)):
            if number is not None:
                checked_count(name, number)

    @staticmethod
    def of(executor: Executor | Chunked | None, chunk_alone: int | None = None) -> Chunked:
        """Wrap an executor, or None for this process, in a `Chunked` unless it is one."""
        if executor is None:
            return Chunked(ThisProcess(), chunk=chunk_alone)
        return executor if isinstance(executor, Chunked) else Chunked(executor)

    @property
    def most_in_flight(self) -> int:
        """The number of chunks submitted at once."""
        if self.in_flight is not None:
            return self.in_flight
        workers = self.executor.jobs if isinstance(self.executor, Processes) else self.workers
        return IN_FLIGHT if workers is None else 4 * workers

    def pace(self) -> Pace:
        """Make a `Pace` for one run."""
        here = isinstance(self.executor, ThisProcess)
        return Pace(self.chunk, self.most_in_flight, 0.0 if here else _LEAST_SECONDS)


class Pace:
    """A controller of chunk sizes, which aims at half a second per chunk.

    Results do not depend on the sizes.
    """

    def __init__(self, fixed: int | None, in_flight: int, least_seconds: float = _LEAST_SECONDS) -> None:
        self._fixed: Final = fixed
        self._in_flight: Final = in_flight
        self._least_seconds: Final = least_seconds
        self._items = 0
        self._seconds = 0.0

    def record(self, items: int, seconds: float) -> None:
        """Record the number of items that a worker did in this time."""
        self._items += items
        self._seconds += seconds

    def size(self, left: int | None = None) -> int:
        """Return the number of items in the next chunk.

        The first chunks have one item, and the last ones are smaller, so that all workers end together. `left` is None
        if unknown.
        """
        if self._fixed is not None:
            return self._fixed
        speed = self._items / self._seconds if self._seconds else 0.0
        size = int(_SECONDS * speed)
        if left is not None:
            size = min(size, max(left // self._in_flight, int(self._least_seconds * speed)))
        return max(size, 1)


@attrs.frozen
class Job:
    """A chunk of numbered items. Subclasses describe the work."""

    numbers: range


def described(name: str, job: Job) -> str:
    """Describe a chunk with the name of its items."""
    return f"the chunk of {name} {job.numbers[0]} to {job.numbers[-1]}"


def batches(items: Iterable[_T], pace: Pace) -> Iterator[Sequence[_T]]:
    """Group items lazily into chunks for `run`."""
    left = iter(items)
    while batch := list(islice(left, pace.size())):
        yield batch


@attrs.frozen
class Done(Generic[_C, _R]):
    """A finished chunk and its result.

    Attributes:
        chunk: the submitted chunk.
        result: its result.
        seconds: the worker's time.
    """

    chunk: _C
    result: _R
    seconds: float


@attrs.define
class _Task(Generic[_C]):
    number: int
    chunk: _C
    attempts: int = 0


@attrs.frozen
class _Raised:
    """An error in the work, not of the executor."""

    error: Exception
    trace: str


def _guarded(work: Callable[[_C], _R], chunk: _C, attempt: int) -> tuple[_R | _Raised, float]:
    # Some executors merge calls with equal arguments, so the number of the attempt is one.
    del attempt
    start = time.perf_counter()
    try:
        result: _R | _Raised = work(chunk)
    except Exception as error:
        result = _Raised(error, traceback.format_exc())
    return result, time.perf_counter() - start


def _run_here(work: Callable[[_C], _R], chunks: Iterable[_C]) -> Iterator[Done[_C, _R]]:
    """Run a function on chunks in this process, and raise all errors at once."""
    for chunk in chunks:
        start = time.perf_counter()
        result = work(chunk)
        yield Done(chunk, result, time.perf_counter() - start)


def run(
    work: Callable[[_C], _R],
    chunks: Iterable[_C],
    executor: Executor | Chunked,
    *,
    in_order: bool = False,
    describe: Callable[[_C], str] = repr,
) -> Generator[Done[_C, _R], None, None]:
    """Run a function on chunks, in parallel on an executor.

    Every chunk is returned exactly once, even if workers die. Chunks are read lazily and a bounded number is submitted
    at once. If the executor fails (a worker dies, a connection breaks), a chunk is submitted again with no other.
    Closing this generator cancels the chunks that have not begun.

    Args:
        work: a function that workers can import. It can run several times for a chunk.
        chunks: its arguments.
        executor: the executor, which is not shut down.
        in_order: True for results in the order of the chunks.
        describe: a function that describes a chunk in an error message.

    Raises:
        WorkFailed: a chunk failed `ATTEMPTS` times; the cause is the last failure.
        Exception: an error raised by `work`.
    """
    where = Chunked.of(executor)
    if isinstance(where.executor, ThisProcess):
        yield from _run_here(work, chunks)
        return
    source = enumerate(chunks)
    pending: dict[Future[tuple[_R | _Raised, float]], _Task[_C]] = {}
    suspects: deque[_Task[_C]] = deque()
    early: dict[int, Done[_C, _R]] = {}
    """Chunks that finished before earlier ones, by number."""
    due = 0
    exhausted = False
    most = where.most_in_flight
    if where.chunk is None and where.in_flight is None:
        most = min(most, _PROBES)

    def submit(task: _Task[_C]) -> Future[tuple[_R | _Raised, float]]:
        while True:
            task.attempts += 1
            try:
                future = where.executor.submit(_guarded, work, task.chunk, task.attempts)
            except Exception as error:
                blame(task, error)
            else:
                pending[future] = task
                return future

    def blame(task: _Task[_C], error: BaseException) -> None:
        if task.attempts >= ATTEMPTS:
            raise WorkFailed(describe(task.chunk), task.attempts) from error

    try:
        while True:
            while not exhausted and not suspects and len(pending) + len(early) < most:
                entry = next(source, None)
                if entry is None:
                    exhausted = True
                elif submit(_Task(*entry)).done():
                    break
            if suspects and not pending:
                submit(suspects.popleft())
            if not pending:
                return
            finished, _ = wait(pending, timeout=_POLL, return_when=FIRST_COMPLETED)
            if not finished and where.lost is not None and where.lost():
                for task in pending.values():
                    blame(task, BrokenExecutor("the workers are lost"))
                    suspects.append(task)
                pending.clear()
            for future in finished:
                task = pending.pop(future)
                # A future that was cancelled elsewhere raises CancelledError here.
                try:
                    result, seconds = future.result()
                except Exception as error:
                    blame(task, error)
                    suspects.append(task)
                    continue
                if isinstance(result, _Raised):
                    if result.error.__traceback__ is None:
                        result.error.add_note(f"In a worker:\n{result.trace}")
                    raise result.error
                most = where.most_in_flight
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
