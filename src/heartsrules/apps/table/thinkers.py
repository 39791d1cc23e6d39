"""Worker processes for slow bots, hints and reviews."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Final

import attrs

from heartsrules import Move
from heartsrules.analysis import Assessment
from heartsrules.apps.table.bots import USUAL, HintQuestion, Question, Studied, T, assess_for, choose_for
from heartsrules.bots import Named
from heartsrules.simulation.executors import Processes, usable_cores

_log: Final = logging.getLogger("heartsrules.apps.table")

HINTS_AT_ONCE: Final = 3
"""Maximum number of pending hints per process, which also limits how long bots wait for hints."""


class Thinkers:
    """Worker processes for slow bots, hints and reviews.

    Args:
        jobs: the number of processes, which start on demand. Defaults to all cores but one.
        players: the server's own players. They run in threads of this process: a program has processes of its own.
    """

    def __init__(self, jobs: int | None = None, players: Sequence[Named] = ()) -> None:
        self._players = {each.name: each.bot for each in players}
        self._threads = {each.name: ThreadPoolExecutor(1, thread_name_prefix=each.name) for each in players}
        self._jobs = max(1, usable_cores() - 1) if jobs is None else jobs
        self._processes: Processes | None = None
        self._hints = 0
        self._reviewing = asyncio.Semaphore(self._jobs)
        """Limits the reviewers at work, so that a bot waits for at most one move of a review."""

    @property
    def full_of_hints(self) -> bool:
        return self._hints >= HINTS_AT_ONCE * self._jobs

    async def assess(self, question: HintQuestion) -> Assessment:
        """Assess a seat's moves, or raise `BrokenProcessPool` if the worker process has died."""
        self._hints += 1
        try:
            return await asyncio.wrap_future(self._started().submit(assess_for, question))
        finally:
            self._hints -= 1

    async def study(self, question: Studied[T]) -> T:
        """Answer a question, or raise `BrokenProcessPool` if the worker process has died."""
        async with self._reviewing:
            return await asyncio.wrap_future(self._started().submit(question.answer))

    async def choose(self, question: Question) -> Move:
        """Choose a slow bot's move. If its process dies, a usual bot chooses in this one.

        Raises:
            ProgramError: a program returned no legal move.
        """
        player = self._players.get(question.level)
        if player is not None:
            threads = self._threads[question.level]
            return await asyncio.wrap_future(threads.submit(player, question.seen, Random(question.seed)))
        try:
            return await asyncio.wrap_future(self._started().submit(choose_for, question))
        except BrokenProcessPool:
            _log.exception("a bot's process has died: another bot makes its move")
            return choose_for(attrs.evolve(question, level=USUAL))

    def _started(self) -> Processes:
        if self._processes is None:
            self._processes = Processes(self._jobs)
        return self._processes

    def release(self, name: str) -> None:
        close = getattr(self._players.get(name), "close", None)
        if close is not None:
            self._threads[name].submit(close)

    def stop(self) -> None:
        """End the worker processes at once, and those of programs as soon as they have answered."""
        for name, threads in self._threads.items():
            self.release(name)
            threads.shutdown()
        if self._processes is not None:
            self._processes.kill()
