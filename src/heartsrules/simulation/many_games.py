"""Simulation of many matches, on this machine or on a cluster.

Game `k` of a simulation with seed `s` uses its own stream, `RandomStream(f"{s}/{k}")`, for its deals and all choices.
To repeat only that game, call `playout(new_game(rules), RandomStream(f"{s}/{k}"), deals=None, policy=policy)`, or with
bots `play_match(rules, bots, seed=f"{s}/{k}")`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from heartsrules.analysis.playout import ChoiceCounts, ResolvedPolicy, playout_deal
from heartsrules.analysis.policies import Policy
from heartsrules.base.errors import counted, in_words
from heartsrules.base.values import checked_count
from heartsrules.chance import RandomStream
from heartsrules.chance.bits import seed_text
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import Expose, Move, Pass
from heartsrules.play.state import AwaitingDeal, GameOver, Playing, State
from heartsrules.rules import Rules
from heartsrules.simulation.executors import Chunked, Job, WorkFailed
from heartsrules.simulation.kept_games import KeptGame, Recorder
from heartsrules.simulation.limits import MAX_DEALS_PER_GAME, MAX_GAMES, KeepAs
from heartsrules.simulation.parts import Checkpoint, Resumable, RunIdentity, Setting, qualified_names
from heartsrules.simulation.statistics import Statistics
from heartsrules.simulation.tally import PlayDeal, Tally

if TYPE_CHECKING:
    from heartsrules.bots.interface import Bot

__all__ = ["SimulationFailed", "SimulationInterrupted", "simulate"]
__dir__ = __all__.copy


class SimulationInterrupted(KeyboardInterrupt):
    """Ctrl-C was pressed during a simulation. The finished games are kept.

    Attributes:
        partial: the statistics of the finished games.
        missing: the numbers of the other games.
    """

    def __init__(self, partial: Statistics, missing: tuple[range, ...]) -> None:
        super().__init__(f"interrupted after {counted(partial.games, 'game')}")
        self.partial = partial
        self.missing = missing

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.partial, self.missing)


class SimulationFailed(WorkFailed):
    """The workers of some games died or could not be reached at every attempt.

    Attributes:
        chunk: a description of the failed games.
        attempts: the number of attempts.
        partial: the statistics of the finished games.
        missing: the numbers of the other games.
    """

    code: ClassVar[str] = "simulation-failed"

    def __init__(self, chunk: str, attempts: int, partial: Statistics, missing: tuple[range, ...]) -> None:
        super().__init__(chunk, attempts)
        self.partial = partial
        self.missing = missing

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.chunk, self.attempts, self.partial, self.missing)


@attrs.frozen
class _Job(Job):
    rules: Rules
    seed: str
    max_deals: int
    form: KeepAs | None
    players: Policy | tuple[Bot, ...] | None = None

    def play_game(self, game: int, tally: Tally, recorder: Recorder | None = None) -> None:
        seed = f"{self.seed}/{game}"
        if recorder is None and not isinstance(self.players, tuple):
            tally.play_game(seed, self.max_deals, self.players)
            return
        play = self._play_deal_of(seed)

        def play_deal(start: AwaitingDeal, counts: ChoiceCounts) -> AwaitingDeal | GameOver:
            end = play(start, counts)
            if recorder is not None:
                recorder.add(end)
            return end

        tally.play_game_by(play_deal, self.max_deals)

    def _play_deal_of(self, seed: str) -> PlayDeal:
        if not isinstance(self.players, tuple):
            stream, policy = RandomStream(seed), ResolvedPolicy(self.players)
            return lambda start, counts: playout_deal(start, stream, policy, counts)
        from heartsrules.simulation.matches import Seated

        seated = Seated(self.rules, self.players, seed)
        return lambda start, counts: seated.play(start, lambda state, move: _count_choices(state, move, counts))


def _count_choices(state: State, move: Move, counts: ChoiceCounts) -> None:
    if isinstance(state, Playing):
        counts.add_card(len(legal_moves(state)))
    elif isinstance(move, Pass):
        counts.passes.append(len(legal_moves(state, move.seat)))
        counts.declined += not move.cards
    elif isinstance(move, Expose):
        counts.exposures.append(len(legal_moves(state, move.seat)))
    else:
        counts.moons += 1


def _play(job: _Job) -> tuple[Statistics, list[KeptGame]]:
    tally = Tally(job.rules)
    records = []
    for game in job.numbers:
        recorder = Recorder(job.rules, job.form) if job.form else None
        job.play_game(game, tally, recorder)
        if recorder is not None:
            records.append(recorder.kept(game))
    return tally.statistics(), records


def simulate(
    rules: Rules,
    games: int,
    *,
    seed: str | int,
    max_deals: int = MAX_DEALS_PER_GAME,
    first_game: int = 0,
    players: Policy | Sequence[Bot] | None = None,
    progress: Callable[[int], object] | None = None,
    executor: Executor | Chunked | Resumable | None = None,
) -> Statistics:
    """Play whole games, at random, with a policy or with bots.

    The result depends only on the rules, the games, the seed, `max_deals` and the players. A run can be played in parts
    and added up:

    >>> whole = simulate(Rules(target=20), 4, seed=1)
    >>> whole == simulate(Rules(target=20), 3, seed=1) + simulate(Rules(target=20), 1, seed=1, first_game=3)
    True

    Args:
        rules: the rule set.
        games: the number of games, 0 to 10**15.
        seed: a text, or an int of at most 600 digits for its decimal text.
        max_deals: the limit on the deals of a game, 1 or more, after which it counts as unfinished.
        first_game: the number of the first game, from 0 to 10**15.
        players: a policy for all players, or a bot for each seat, which takes longer. Defaults to a uniform choice
            among the legal moves.
        progress: a function called after each chunk with the number of games played so far in this call.
        executor: an executor, such as `heartsrules.simulation.executors.Processes`, or a `Chunked` one. For other
            processes a policy and bots must be picklable, as functions and classes of modules are. A
            `heartsrules.simulation.parts.Resumable` plays a part, saved in a file from which it can continue, and
            returns that part's result. Defaults to this process.

    Raises:
        IllegalMove: the policy or a bot has chosen an illegal move.
        InvalidWire: the file of a `Resumable` does not belong to this part of this run.
        SimulationFailed: workers died or could not be reached at every attempt for some games.
        SimulationInterrupted: Ctrl-C was pressed. This is a `KeyboardInterrupt`.
        ValueError: `games`, `max_deals` or `first_game` is out of range; `seed` contains a lone surrogate or more than
            600 digits; or there is not one bot for each seat, or not one name.
    """
    text = seed_text(seed)
    for name, number in (("games", games), ("first_game", first_game)):
        if checked_count(name, number, 0) > MAX_GAMES:
            raise ValueError(f"{name} is {in_words(number)}: choose {MAX_GAMES:,} or less")
    checked_count("max_deals", max_deals)
    numbers = range(first_game, first_game + games)
    files = Resumable.of(executor)
    job = _Job(numbers, rules, text, max_deals, files.form, _checked_players(players, rules))
    names = files.names or qualified_names(job.players) or ("uniform",)
    seated = tuple(names) * rules.players if len(names) == 1 else tuple(names)
    if len(seated) != rules.players:
        raise ValueError(f"names has {len(seated)} names: give one, or one for each of {rules.players} seats")
    settings: dict[str, Setting] = {"max_deals": max_deals, "players": qualified_names(job.players)}
    identity = RunIdentity(work="simulate", rules=rules, seed=text, whole=numbers, settings=settings)
    with Checkpoint(files, identity, Tally(rules).statistics(), lambda _: seated) as checkpoint:
        try:
            return checkpoint.work(_play, job, Chunked.of(files.executor), "games", progress)
        except KeyboardInterrupt:
            raise SimulationInterrupted(checkpoint.part.tally, checkpoint.missing) from None
        except WorkFailed as failure:
            partial, missing = checkpoint.part.tally, checkpoint.missing
            raise SimulationFailed(failure.chunk, failure.attempts, partial, missing) from failure.__cause__


def _checked_players(players: Policy | Sequence[Bot] | None, rules: Rules) -> Policy | tuple[Bot, ...] | None:
    if players is None or isinstance(players, Policy):
        return players
    if len(players) != rules.players:
        raise ValueError(f"{rules.players} players need {rules.players} bots, not {len(players)}")
    return tuple(players)
