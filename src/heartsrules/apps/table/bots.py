"""Bots of vacant seats and absent people, hints, and reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from random import Random
from typing import Any, Final, Protocol, TypeVar

import attrs

from heartsrules import ChooseMoon, Expose, Move, Pass, Play, State, View
from heartsrules.analysis import Assessment, Drill, Review, assess, drills_of, review
from heartsrules.analysis.hand_forecasts import HandForecast, average_points, hand_forecast
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.analysis.trials import stream_for
from heartsrules.bots import Bot, Learned, Named, Sampling, heuristic, uniform
from heartsrules.chance import Bits, RandomStream
from heartsrules.play.game import Game

WATCHFUL: Final = Watchful()
"""The default policy of hints and reviews."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@attrs.frozen
class Level:
    """A bot that hosts can choose. The catalogues of the page have the titles of the built-in ones."""

    name: str
    bot: Bot
    slow: bool = False
    """Whether it takes milliseconds, and so runs in a process of its own."""


_NETWORK: Final = Sampling(worlds=1600, policy=Learned())
_SEARCHING: Final = Sampling(worlds=1000)


def expert(seen: View, rng: Bits, /) -> Move:
    """Search with the network, if NumPy is installed and it knows the rules, and otherwise in many worlds."""
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
    """A question for a hint: the view, a seed, the budget, and the policy of the playouts."""

    seen: View
    seed: str
    worlds: int
    seconds: float | None
    """Approximate time limit; None: no limit."""
    policy: Policy | BatchPolicy = WATCHFUL


def assess_for(question: HintQuestion) -> Assessment:
    """Assess the moves of a seat from its view alone, so that a hint tells no secret."""
    budget: dict[str, Any] = {"worlds": question.worlds, "seconds": question.seconds}
    return assess(question.seen, RandomStream(question.seed), policy=question.policy, **budget)


@attrs.frozen
class ReviewQuestion:
    """A question about one move of a finished deal: the state before it, the budget, and the policy."""

    state: State
    move: Pass | Expose | Play | ChooseMoon
    worlds: int
    policy: Policy | BatchPolicy = WATCHFUL

    def answer(self) -> Review:
        """Review one move as `heartsrules review` does; without a decision if `review` leaves it out."""
        game = Game(self.state).play(self.move)
        return review(game, self.move.seat, worlds=self.worlds, policy=self.policy)


@attrs.frozen
class MistakeQuestion:
    """A question for a drill of one move."""

    about: ReviewQuestion

    def answer(self) -> Drill | None:
        """Make a drill of the move; None: no mistake, or one that other worlds do not confirm."""
        about = self.about
        return next(drills_of(about.answer(), worlds=2 * about.worlds, policy=about.policy), None)


@attrs.frozen
class HandQuestion:
    """A question about a hand that was just dealt: the state before the deal, the view, the budget, and the policy."""

    before: State
    seen: View
    worlds: int
    deals: int
    """The number of deals that tell the average."""
    policy: Policy | BatchPolicy = WATCHFUL

    def answer(self) -> tuple[HandForecast, float]:
        """Forecast the deal of a hand from its seat's view alone, and the points of an average deal."""
        assert self.seen.seat is not None
        hand = hand_forecast(self.seen, stream_for(self.before, self.seen.seat), self.worlds, self.policy)
        return hand, average_points(self.seen.rules, self.deals, self.policy)


class Studied(Protocol[T_co]):
    """A question about a finished deal."""

    def answer(self) -> T_co: ...


class Thinking(Protocol):
    """Slow bots, hints and reviews, wherever they are computed."""

    @property
    def full_of_hints(self) -> bool:
        """Whether there are too many pending hints for another one."""
        ...

    async def assess(self, question: HintQuestion) -> Assessment:
        """Assess the moves of a seat."""
        ...

    async def study(self, question: Studied[T]) -> T:
        """Answer a question about a finished deal."""
        ...

    async def choose(self, question: Question) -> Move:
        """The move of a slow bot; `ProgramError` if a player that is a program gives no legal one."""
        ...

    def release(self, name: str) -> None:
        """End the processes of a player that is a program. It starts again on demand."""

    def stop(self) -> None:
        """Drop everything that is pending."""
