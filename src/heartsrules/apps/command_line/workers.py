"""Executors in this process, a pool of processes, or a cluster."""

from __future__ import annotations

import contextlib
import importlib
import time
import typing
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Final, ParamSpec, TypeVar

from heartsrules.apps.command_line.messages import fail, wrong_use
from heartsrules.apps.command_line.options import WorkerOptions
from heartsrules.base.extras import needs
from heartsrules.base.signals import termination_raised
from heartsrules.simulation.executors import Chunked, Processes, ThisProcess, usable_cores

_SOON: Final = 1.0
"""The seconds of work in this process before others are started."""
_ANSWER: Final = "10s"
_HERE: Final = ThisProcess()

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Workers(Executor):
    """An executor that starts or connects to other processes only for long work.

    As a context manager, it ends the workers at once. SIGTERM ends the block as Ctrl-C does.
    """

    def __init__(self, options: WorkerOptions) -> None:
        if options.jobs is not None and options.dask is not None:
            raise wrong_use("--jobs", "a Dask cluster sets its own number of jobs; omit one of --jobs and --dask")
        self._jobs: Final = options.jobs or usable_cores()
        self._dask: Final = options.dask
        self._options: Final = options
        self._stack = contextlib.ExitStack()
        self._executor: Executor | None = None
        self._client: Any = None
        self._started: float | None = None

    def chunked(self, chunk_alone: int | None = None) -> Chunked:
        """Connect to the cluster, and set the number of chunks in flight.

        Args:
            chunk_alone: the size of a chunk if no other process works.
        """
        if self._dask is not None and self._executor is None:
            self._executor = self._cluster(self._dask)
        alone = self._dask is None and self._jobs == 1
        chunk = self._options.chunk or (chunk_alone if alone else None)
        workers = self._jobs if self._client is None else sum(self._client.ncores().values())
        in_flight = self._options.in_flight
        return Chunked(self, chunk=chunk, in_flight=in_flight, workers=max(1, workers), lost=self._lost)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        if self._executor is None:
            self._executor = self._start()
        return (self._executor or _HERE).submit(fn, *args, **kwargs)

    def _start(self) -> Executor | None:
        if self._started is None:
            self._started = time.perf_counter()
        if self._jobs == 1 or time.perf_counter() - self._started < _SOON:
            return None
        processes = Processes(self._jobs)
        self._stack.callback(processes.kill)
        return processes

    def _cluster(self, address: str) -> Executor:
        with needs("dask", "--dask"):
            distributed: Any = importlib.import_module("distributed")
        try:
            self._client = self._stack.enter_context(distributed.Client(address, timeout=_ANSWER))
        except (OSError, ValueError) as error:
            fail(f"no Dask scheduler answers at {address!r}: {error}", 1)
        return typing.cast("Executor", self._client.get_executor())

    def _lost(self) -> bool:
        return self._client is not None and self._client.status == "closed"

    def __enter__(self) -> Workers:
        self._stack.enter_context(termination_raised())
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)
