"""The players that fill the seats where nobody sits."""

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
from heartsrules.bots import Bot, Named, Sampling, heuristic, uniform
from heartsrules.chance import RandomStream
from heartsrules.search.analysis import Assessment, assess
from heartsrules.simulation.executors import Processes, usable_cores

_log: Final = logging.getLogger("heartsrules.apps.table")


@attrs.frozen
class Level:
    """How strong a bot is. The catalogues of the page say what ours are called and what they do."""

    name: str
    bot: Bot
    slow: bool = False
    """Whether it thinks for milliseconds: then it does so in a process of its own."""


LEVELS: Final = {
    level.name: level
    for level in (
        Level("beginner", uniform),
        Level("usual", heuristic),
        Level("strong", Sampling(worlds=100), slow=True),
        Level("expert", Sampling(worlds=1000), slow=True),
    )
}
"""The bots that a host can choose, from weak to strong."""
USUAL: Final = "usual"
"""Who plays where nobody has chosen, and for people who are away."""


def levels_with(players: Sequence[Named]) -> Mapping[str, Level]:
    """The bots that a host can choose: ours, and the players that whoever runs the server has named."""
    return LEVELS | {each.name: Level(each.name, each.bot, slow=True) for each in players}


@attrs.frozen
class Question:
    """What a bot is asked: what it sees, and the chance that it may use."""

    seen: View
    level: str
    seed: int


def choose_for(question: Question) -> Move:
    """The move of a bot. It is given what its seat may know, so it cannot cheat."""
    return LEVELS.get(question.level, LEVELS[USUAL]).bot(question.seen, Random(question.seed))


@attrs.frozen
class HintQuestion:
    """What is asked for a hint: what a seat sees, the bits that worlds are drawn with, and how much is thought."""

    seen: View
    seed: str
    worlds: int
    seconds: float | None
    """How long at most, roughly; None: as long as it takes."""


def assess_for(question: HintQuestion) -> Assessment:
    """What the moves of a seat are worth. It is given what the seat may know, so a hint tells no secret."""
    return assess(question.seen, RandomStream(question.seed), worlds=question.worlds, seconds=question.seconds)


HINTS_AT_ONCE: Final = 3
"""So many hints for each process may be asked for at once; bots wait for them no longer than that takes."""


class Thinkers:
    """The processes in which bots and hints are thought out, so that the server can do something else meanwhile.

    Args:
        jobs: how many processes; None: all cores but one. They start when they are needed first.
        players: those of whoever runs the server. They think in threads of this process: a program has processes of its
            own.
    """

    def __init__(self, jobs: int | None = None, players: Sequence[Named] = ()) -> None:
        self._players = {each.name: each.bot for each in players}
        self._threads = {each.name: ThreadPoolExecutor(1, thread_name_prefix=each.name) for each in players}
        self._jobs = max(1, usable_cores() - 1) if jobs is None else jobs
        self._processes: Processes | None = None
        self._hints = 0
        """How many hints are being thought out, or wait for that."""

    @property
    def full_of_hints(self) -> bool:
        """Whether so many hints are asked for that there can be no more now."""
        return self._hints >= HINTS_AT_ONCE * self._jobs

    async def assess(self, question: HintQuestion) -> Assessment:
        """What the moves of a seat are worth.

        Raises:
            BrokenProcessPool: the process that thought about it has died.
        """
        self._hints += 1
        try:
            return await asyncio.wrap_future(self._started().submit(assess_for, question))
        finally:
            self._hints -= 1

    async def choose(self, question: Question) -> Move:
        """The move of a bot that thinks for long. If its process dies, a bot that thinks in this one chooses.

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
        """End the processes of a player, if it is a program: nobody plays with it now. It starts again when needed."""
        close = getattr(self._players.get(name), "close", None)
        if close is not None:
            self._threads[name].submit(close)

    def stop(self) -> None:
        """End the processes at once, and those of programs as soon as they have answered."""
        for name, threads in self._threads.items():
            self.release(name)
            threads.shutdown()
        if self._processes is not None:
            self._processes.kill()
