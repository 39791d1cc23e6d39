"""Bots of vacant seats and absent people, and hints."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Final

import attrs

from heartsrules import Move, View
from heartsrules.analysis import Assessment, assess
from heartsrules.bots import Bot, Named, Sampling, heuristic, uniform
from heartsrules.chance import RandomStream
from heartsrules.simulation.executors import Processes, usable_cores

_log: Final = logging.getLogger("heartsrules.apps.table")


@attrs.frozen
class Level:
    """A bot that hosts can choose. The catalogues of the page have the titles of the built-in ones."""

    name: str
    bot: Bot
    slow: bool = False
    """Whether it takes milliseconds, and so runs in a process of its own."""


LEVELS: Final = {
    level.name: level
    for level in (
        Level("beginner", uniform),
        Level("usual", heuristic),
        Level("strong", Sampling(worlds=100), slow=True),
        Level("expert", Sampling(worlds=1000), slow=True),
    )
}
"""The built-in levels, from weak to strong."""
USUAL: Final = "usual"
"""The default level, also that of stand-ins for absent people."""


def levels_with(players: Sequence[Named]) -> Mapping[str, Level]:
    """All levels of a server: the built-in ones, and its own players."""
    return LEVELS | {each.name: Level(each.name, each.bot, slow=True) for each in players}


@attrs.frozen
class Question:
    """A question to a bot: its view, its level and a seed."""

    seen: View
    level: str
    seed: int


def choose_for(question: Question) -> Move:
    """The move of a bot, from its view alone, so that it cannot cheat."""
    return LEVELS.get(question.level, LEVELS[USUAL]).bot(question.seen, Random(question.seed))


@attrs.frozen
class HintQuestion:
    """A question for a hint: the view, a seed, and the budget."""

    seen: View
    seed: str
    worlds: int
    seconds: float | None
    """Approximate time limit; None: no limit."""


def assess_for(question: HintQuestion) -> Assessment:
    """Assess the moves of a seat from its view alone, so that a hint tells no secret."""
    return assess(question.seen, RandomStream(question.seed), worlds=question.worlds, seconds=question.seconds)


HINTS_AT_ONCE: Final = 3
"""Limit of pending hints for each process. Bots wait for them no longer than that takes."""


class Thinkers:
    """Worker processes for slow bots and hints.

    Args:
        jobs: the number of processes; None: all cores but one. They start on demand.
        players: the server's own players. They run in threads of this process: a program has processes of its own.
    """

    def __init__(self, jobs: int | None = None, players: Sequence[Named] = ()) -> None:
        self._players = {each.name: each.bot for each in players}
        self._threads = {each.name: ThreadPoolExecutor(1, thread_name_prefix=each.name) for each in players}
        self._jobs = max(1, usable_cores() - 1) if jobs is None else jobs
        self._processes: Processes | None = None
        self._hints = 0
        """Number of pending hints."""

    @property
    def full_of_hints(self) -> bool:
        """Whether there are too many pending hints for another one."""
        return self._hints >= HINTS_AT_ONCE * self._jobs

    async def assess(self, question: HintQuestion) -> Assessment:
        """Assess the moves of a seat; `BrokenProcessPool` if the worker process has died."""
        self._hints += 1
        try:
            return await asyncio.wrap_future(self._started().submit(assess_for, question))
        finally:
            self._hints -= 1

    async def choose(self, question: Question) -> Move:
        """The move of a slow bot. If its process dies, a usual bot chooses in this one.

        Raises:
            ProgramError: a player that is a program gives no legal move.
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
        """End the processes of a player that is a program. It starts again on demand."""
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
