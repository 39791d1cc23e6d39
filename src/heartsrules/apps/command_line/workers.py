"""Executors: this process, a pool of processes, or a cluster."""

from __future__ import annotations

import contextlib
import importlib
import time
import typing
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Final

import attrs

from heartsrules.apps.command_line.messages import extras_needed, fail, wrong_use
from heartsrules.apps.command_line.players import Players
from heartsrules.base.extras import needs
from heartsrules.rules import Rules
from heartsrules.simulation.executors import Processes, usable_cores
from heartsrules.simulation.many_games import SimulationFailed, SimulationInterrupted
from heartsrules.simulation.many_games import simulate as play
from heartsrules.simulation.parts import Resumable
from heartsrules.simulation.statistics import Statistics

_SOON: Final = 1.0
"""Work of fewer seconds is not distributed: starting processes takes as long."""
_TRIAL: Final = 5
"""The games that are played first, in this process, to estimate the duration of all."""
_ANSWER: Final = "10s"
"""Timeout of the connection to a scheduler."""


class Workers:
    """A lazily started executor: a pool of processes or a cluster. A context manager, which ends it."""

    def __init__(self, jobs: int | None, dask: str | None) -> None:
        if jobs is not None and dask is not None:
            raise wrong_use("--jobs", "a Dask cluster decides itself how many jobs it runs at once")
        self.jobs: Final = jobs or usable_cores()
        self.dask: Final = dask
        self._stack = contextlib.ExitStack()
        self._executor: Executor | None = None

    @property
    def far(self) -> bool:
        """Whether the workers may be on other machines."""
        return self.dask is not None

    @property
    def running(self) -> bool:
        """Whether the executor has been started."""
        return self._executor is not None

    def would_help(self, seconds: float) -> bool:
        """Whether distributing work that takes this process so many seconds saves time."""
        return self.running or seconds > _SOON

    def executor(self) -> Executor | None:
        """The executor, which is started; None: this process alone."""
        if self._executor is None and self.dask is not None:
            self._executor = self._cluster(self.dask)
        elif self._executor is None and self.jobs > 1:
            self._executor = self._stack.enter_context(Processes(self.jobs))
        return self._executor

    def _cluster(self, address: str) -> Executor:
        with extras_needed(), needs("dask", "--dask"):
            distributed: Any = importlib.import_module("distributed")
        try:
            client = self._stack.enter_context(distributed.Client(address, timeout=_ANSWER))
        except (OSError, ValueError) as error:
            fail(f"no Dask scheduler answers at {address!r}: {error}", 1)
        return typing.cast("Executor", client.get_executor())

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def play(
        self,
        rules: Rules,
        games: int,
        who: Players,
        *,
        files: Resumable,
        progress: Callable[[int], object],
        **given: Any,
    ) -> Statistics:
        """Play games. Takes further arguments of `simulate`, and raises its errors."""
        given["players"] = who.policy or who.bots(rules.players)
        if self.far or self.jobs == 1 or files.path is not None or files.keep is not None:
            files = attrs.evolve(files, executor=self.executor())
            return play(rules, games, progress=progress, executor=files, **given)
        # A single game of bots that think may take longer than starting processes.
        trial = min(games, 1 if who.given else _TRIAL)
        started = time.perf_counter()
        first = play(rules, trial, progress=progress, **given)
        seconds = (time.perf_counter() - started) * (games - trial) / trial
        try:
            return first + play(
                rules,
                games - trial,
                first_game=trial,
                progress=lambda played: progress(trial + played),
                executor=self.executor() if self.would_help(seconds) else None,
                **given,
            )
        except SimulationInterrupted as stop:
            raise SimulationInterrupted(first + stop.partial, stop.missing) from None
        except SimulationFailed as failure:
            raise SimulationFailed(
                failure.chunk, failure.attempts, first + failure.partial, failure.missing
            ) from failure.__cause__
