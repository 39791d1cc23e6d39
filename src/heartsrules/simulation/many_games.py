"""Simulation of many matches, at random, by a policy or by bots: in this process, in others, or on a cluster.

Game `k` of a simulation with seed `s` has its own stream, `RandomStream(f"{s}/{k}")`, for its deals and all choices. So
the result does not depend on which worker plays which games, and when; and any game can be repeated by itself: by
`playout(new_game(rules), RandomStream(f"{s}/{k}"), deals=None, policy=policy)`, or with bots by
`play_match(rules, bots, seed=f"{s}/{k}")`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from typing import TYPE_CHECKING, Any, ClassVar, Final

import attrs

from heartsrules.analysis.playout import ChoiceCounts
from heartsrules.analysis.policies import Policy
from heartsrules.base.errors import counted, in_words
from heartsrules.base.values import checked_count, wrong_type
from heartsrules.chance.bits import seed_text
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import Expose, Move, Pass
from heartsrules.play.state import AwaitingDeal, GameOver, Playing, State
from heartsrules.rules import Rules
from heartsrules.simulation.executors import Chunked, WorkFailed, run
from heartsrules.simulation.limits import MAX_DEALS_PER_GAME, MAX_GAMES
from heartsrules.simulation.statistics import Statistics
from heartsrules.simulation.tally import Tally

if TYPE_CHECKING:
    from heartsrules.bots.interface import Bot

__all__ = [
    "SimulationFailed",
    "SimulationInterrupted",
    "simulate",
]

_SECONDS: Final = 0.2
"""Seconds between checkpoints in this process: Ctrl-C loses the games since the last one."""


class SimulationInterrupted(KeyboardInterrupt):
    """Ctrl-C was pressed during a simulation; the finished games are kept.

    Attributes:
        partial: the statistics of the finished games.
        missing: the numbers of the other games: play them, and add their statistics.
    """

    def __init__(self, partial: Statistics, missing: tuple[range, ...]) -> None:
        super().__init__(f"interrupted after {counted(partial.games, 'game')}")
        self.partial = partial
        self.missing = missing

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.partial, self.missing)


class SimulationFailed(WorkFailed):
    """Some games could not be played: their workers died, or could not be reached, at every attempt.

    Attributes:
        chunk: a description of the failed games.
        attempts: the number of attempts.
        partial: the statistics of the finished games.
        missing: the numbers of the other games: play them, and add their statistics.
    """

    code: ClassVar[str] = "simulation-failed"

    def __init__(self, chunk: str, attempts: int, partial: Statistics, missing: tuple[range, ...]) -> None:
        super().__init__(chunk, attempts)
        self.partial = partial
        self.missing = missing

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.chunk, self.attempts, self.partial, self.missing)


@attrs.frozen
class _Checkpoint:
    """The finished and the missing games of a run, in one value, so that Ctrl-C cannot separate them."""

    partial: Statistics
    missing: tuple[range, ...]

    def plus(self, games: range, statistics: Statistics) -> _Checkpoint:
        rest: list[range] = []
        for numbers in self.missing:
            if numbers.start <= games.start < numbers.stop:
                parts = range(numbers.start, games.start), range(games.stop, numbers.stop)
                rest += [part for part in parts if part]
            else:
                rest.append(numbers)
        return _Checkpoint(self.partial + statistics, tuple(rest))


@attrs.frozen
class _Job:
    """A chunk of games for a worker."""

    rules: Rules
    seed: str
    max_deals: int
    games: range
    players: Policy | tuple[Bot, ...] | None = None

    def play_game(self, game: int, tally: Tally) -> None:
        """Play one game, and count it."""
        seed = f"{self.seed}/{game}"
        if not isinstance(self.players, tuple):
            tally.play_game(seed, self.max_deals, self.players)
            return
        from heartsrules.simulation.matches import Seated

        seated = Seated(self.rules, self.players, seed)

        def play_deal(start: AwaitingDeal, counts: ChoiceCounts) -> AwaitingDeal | GameOver:
            return seated.play(start, lambda state, move: _count_choices(state, move, counts))

        tally.play_game_by(play_deal, self.max_deals)


def _count_choices(state: State, move: Move, counts: ChoiceCounts) -> None:
    """Count the legal moves of the decision in which a move is made."""
    if isinstance(state, Playing):
        counts.cards.append(len(legal_moves(state)))
    elif isinstance(move, Pass):
        counts.passes.append(len(legal_moves(state, move.seat)))
        counts.declined += not move.gifts
    elif isinstance(move, Expose):
        counts.exposures.append(len(legal_moves(state, move.seat)))
    else:
        counts.moons += 1


def _play(job: _Job) -> Statistics:
    tally = Tally(job.rules)
    for game in job.games:
        job.play_game(game, tally)
    return tally.statistics()


def _describe(job: _Job) -> str:
    return f"the chunk of games {job.games[0]} to {job.games[-1]}"


def _play_here(job: _Job, progress: Callable[[int], object]) -> Generator[tuple[range, Statistics], None, None]:
    """Play games in this process, and yield the statistics of each `_SECONDS`."""
    tally = Tally(job.rules)
    first = job.games.start
    started = time.perf_counter()
    for game in job.games:
        job.play_game(game, tally)
        progress(game + 1 - job.games.start)
        if time.perf_counter() - started > _SECONDS or game + 1 == job.games.stop:
            yield range(first, game + 1), tally.statistics()
            tally = Tally(job.rules)
            first = game + 1
            started = time.perf_counter()


def _play_on(
    chunked: Chunked, job: _Job, progress: Callable[[int], object]
) -> Generator[tuple[range, Statistics], None, None]:
    """Play games on an executor, in chunks."""
    pace = chunked.pace()

    def jobs() -> Iterator[_Job]:
        left = job.games
        while left:
            size = pace.size(len(left))
            yield attrs.evolve(job, games=left[:size])
            left = left[size:]

    played = 0
    with closing(run(_play, jobs(), chunked.executor, in_flight=chunked.most_in_flight, describe=_describe)) as parts:
        for done in parts:
            pace.record(len(done.chunk.games), done.seconds)
            yield done.chunk.games, done.result
            played += len(done.chunk.games)
            progress(played)


def simulate(
    rules: Rules,
    games: int,
    *,
    seed: str | int,
    max_deals: int = MAX_DEALS_PER_GAME,
    first_game: int = 0,
    players: Policy | Sequence[Bot] | None = None,
    progress: Callable[[int], object] | None = None,
    executor: Executor | Chunked | None = None,
) -> Statistics:
    """Play whole games; every player chooses uniformly among the legal moves, unless a policy or bots play.

    The result depends only on the rules, the games, the seed, `max_deals` and the players. Each game has its own random
    stream, derived from the seed and the number of the game, so a run can be played in parts and added up:

    >>> whole = simulate(Rules(target=20), 4, seed=1)
    >>> whole == simulate(Rules(target=20), 3, seed=1) + simulate(Rules(target=20), 1, seed=1, first_game=3)
    True

    Args:
        rules: the rule set.
        games: the number of games, 0 to 10**15.
        seed: a text, or an int of at most 600 digits, which stands for its decimal text.
        max_deals: the limit on the deals of a game (1 or more), which is then counted as unfinished: some rule sets can
            go on for ever.
        first_game: the number of the first game, from 0 to 10**15.
        players: a policy for all players, or a bot for each seat. A policy gets the stream of the game and a
            `CardChoice`; a bot gets a view, and takes longer. None: uniform among the legal moves.
        progress: called after each game or chunk with the number of games played so far in this call.
        executor: an executor, such as `heartsrules.simulation.executors.Processes` for the cores of this machine, or
            a `Chunked` one; None: this process. For other processes a policy and bots must be picklable, as functions
            and classes of modules are.

    Raises:
        IllegalMove: the policy or a bot has chosen an illegal move.
        SimulationFailed: for some games the workers died, or could not be reached, at every attempt.
        SimulationInterrupted: Ctrl-C was pressed; it is a `KeyboardInterrupt`.
        ValueError: `games`, `max_deals` or `first_game` is too low, or `games` or `first_game` too large; `seed` holds
            a lone surrogate or has more than 600 digits; or there is not one bot for each seat.
    """
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    text = seed_text(seed)
    for name, number in (("games", games), ("first_game", first_game)):
        if checked_count(name, number, 0) > MAX_GAMES:
            raise ValueError(f"{name} is {in_words(number)}: choose {MAX_GAMES:,} or less")
    checked_count("max_deals", max_deals)
    if progress is not None and not callable(progress):
        wrong_type("progress", "callable", progress)
    job = _Job(rules, text, max_deals, range(first_game, first_game + games), _checked_players(players, rules))
    report = progress or _ignore
    parts = _play_here(job, report) if executor is None else _play_on(Chunked.of(executor), job, report)
    checkpoint = _Checkpoint(Tally(rules).statistics(), (job.games,) if games else ())
    try:
        with closing(parts):
            for numbers, statistics in parts:
                checkpoint = checkpoint.plus(numbers, statistics)
    except KeyboardInterrupt:
        raise SimulationInterrupted(checkpoint.partial, checkpoint.missing) from None
    except WorkFailed as failure:
        cause = failure.__cause__
        raise SimulationFailed(failure.chunk, failure.attempts, checkpoint.partial, checkpoint.missing) from cause
    return checkpoint.partial


def _checked_players(players: Policy | Sequence[Bot] | None, rules: Rules) -> Policy | tuple[Bot, ...] | None:
    if players is None or isinstance(players, Policy):
        return players
    from heartsrules.simulation.matches import check_bots

    check_bots(players, "players", "a Policy or a sequence of bots")
    if len(players) != rules.players:
        raise ValueError(f"{rules.players} players need {rules.players} bots, not {len(players)}")
    return tuple(players)


def _ignore(_: int) -> None:
    """The `progress` of a caller that gave none."""
