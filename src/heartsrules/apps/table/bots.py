"""Bots for vacant seats and absent people, hints, and reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from random import Random
from typing import Any, Final, Protocol, TypeVar

import attrs

from heartsrules import ChooseMoon, Expose, Move, Pass, Play, State, View
from heartsrules.analysis import Assessment, Drill, Review, assess, drills_of, review
from heartsrules.analysis.hand_forecasts import HandForecast, average_points, hand_forecast, stream_for
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.bots import Bot, Learned, Named, Sampling, heuristic, uniform
from heartsrules.chance import Bits, RandomStream
from heartsrules.play.game import Game

WATCHFUL: Final = Watchful()
"""The default policy for hints and reviews."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@attrs.frozen
class Level:
    """A bot that hosts can choose. The page's catalogues have the titles of the built-in ones."""

    name: str
    bot: Bot
    slow: bool = False
    """True if a move takes more than milliseconds, and needs another process."""


_NETWORK: Final = Sampling(worlds=1600, policy=Learned())
_SEARCHING: Final = Sampling(worlds=1000)


def expert(seen: View, rng: Bits, /) -> Move:
    """Search with the network if NumPy is installed and the network knows the rules, and otherwise in many worlds."""
    with_network = find_spec("numpy") and Learned().covers(seen.rules)
    return (_NETWORK if with_network else _SEARCHING)(seen, rng)


LEVELS: Final = {
    level.name: level
    for level in (
        Level("beginner", uniform),
        Level("usual", heuristic),
        Level("strong", Sampling(worlds=100), slow=True),
        Level("expert", expert, slow=True),
    )
}
"""The built-in levels, from weak to strong."""
USUAL: Final = "usual"
"""The default level, also of bots that play for absent people."""


def levels_with(players: Sequence[Named]) -> Mapping[str, Level]:
    """Return a server's levels: the built-in ones, and its own players."""
    return LEVELS | {each.name: Level(each.name, each.bot, slow=True) for each in players}


@attrs.frozen
class Question:
    seen: View
    level: str
    seed: int


def choose_for(question: Question) -> Move:
    """Choose a bot's move from its view, so that it cannot cheat."""
    return LEVELS.get(question.level, LEVELS[USUAL]).bot(question.seen, Random(question.seed))


@attrs.frozen
class HintQuestion:
    seen: View
    seed: str
    worlds: int
    seconds: float | None
    """Approximate time limit, or None for no limit."""
    policy: Policy | BatchPolicy = WATCHFUL


def assess_for(question: HintQuestion) -> Assessment:
    """Assess a seat's moves from its view, so that a hint cannot reveal anything hidden."""
    budget: dict[str, Any] = {"worlds": question.worlds, "seconds": question.seconds}
    return assess(question.seen, RandomStream(question.seed), policy=question.policy, **budget)


@attrs.frozen
class ReviewQuestion:
    """A question about one move of a finished deal."""

    state: State
    move: Pass | Expose | Play | ChooseMoon
    worlds: int
    policy: Policy | BatchPolicy = WATCHFUL

    def answer(self) -> Review:
        """Review one move as `heartsrules review` does. The result has no decision if `review` leaves it out."""
        game = Game(self.state).play(self.move)
        return review(game, self.move.seat, worlds=self.worlds, policy=self.policy)


@attrs.frozen
class MistakeQuestion:
    """A question for a drill from one move."""

    about: ReviewQuestion

    def answer(self) -> Drill | None:
        """Make a drill from the move. Return None if it was no mistake, or other worlds do not confirm the mistake."""
        about = self.about
        return next(drills_of(about.answer(), worlds=2 * about.worlds, policy=about.policy), None)


@attrs.frozen
class HandQuestion:
    """A question about a hand that was just dealt."""

    before: State
    seen: View
    worlds: int
    deals: int
    """The number of deals in the average."""
    policy: Policy | BatchPolicy = WATCHFUL

    def answer(self) -> tuple[HandForecast, float]:
        """Forecast the points of a hand from its seat's view, and the points of an average deal."""
        assert self.seen.seat is not None
        hand = hand_forecast(self.seen, stream_for(self.before, self.seen.seat), self.worlds, self.policy)
        return hand, average_points(self.seen.rules, self.deals, self.policy)


class Studied(Protocol[T_co]):
    """A question about a finished deal."""

    def answer(self) -> T_co: ...


class Thinking(Protocol):
    """An interface for computing slow bots' moves, hints and reviews."""

    @property
    def full_of_hints(self) -> bool:
        """True if there are too many pending hints for another one."""
        ...

    async def assess(self, question: HintQuestion) -> Assessment: ...

    async def study(self, question: Studied[T]) -> T: ...

    async def choose(self, question: Question) -> Move:
        """Choose a slow bot's move. Raise `ProgramError` if a program does not return a legal move."""
        ...

    def release(self, name: str) -> None:
        """End the processes of a program that plays. It starts again on demand."""

    def stop(self) -> None:
        """Drop all pending work."""
