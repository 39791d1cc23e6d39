"""Whole matches played at random, by a policy or by bots, and their results: here, in processes, or on a cluster.

Game `k` of a simulation with seed `s` has a stream of its own, `RandomStream(f"{s}/{k}")`, for its deals and for all
choices. So it does not matter which worker plays which games, in what portions, and when; and any game can be looked at
by itself: `playout(new_game(rules), RandomStream(f"{s}/{k}"), deals=None, policy=policy)` is how it ends, and where
bots play, `play_match(rules, bots, seed=f"{s}/{k}")`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from typing import TYPE_CHECKING, Any, ClassVar, Final

import attrs

from heartsrules.base.errors import counted, in_words
from heartsrules.base.values import wrong_type
from heartsrules.chance.bits import seed_text
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import Expose, Move, Pass
from heartsrules.play.state import AwaitingDeal, GameOver, Playing, State
from heartsrules.rules import Rules
from heartsrules.search.playout import ChoiceCounts
from heartsrules.search.policies import Policy
from heartsrules.simulation.executors import Chunked, WorkFailed, run
from heartsrules.simulation.statistics import MAX_DEALS_PER_GAME, Statistics
from heartsrules.simulation.tally import Tally

if TYPE_CHECKING:
    from heartsrules.bots.interface import Bot

__all__ = [
    "MAX_GAMES",
    "SimulationFailed",
    "SimulationInterrupted",
    "simulate",
]

MAX_GAMES: Final = 10**15
"""The most games of one call of `simulate`, and the largest `first_game`."""
_SECONDS: Final = 0.2
"""How many seconds games are played in this process before their results are kept: Ctrl-C loses what came since."""


class SimulationInterrupted(KeyboardInterrupt):
    """Ctrl-C was pressed during a simulation; what had been done is kept.

    Attributes:
        partial: the statistics of the games that had been played.
        missing: the numbers of the games that had not: play them, and add their statistics.
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
        chunk: the games that failed, in words.
        attempts: how often they were tried.
        partial: the statistics of the games that had been played.
        missing: the numbers of the games that had not: play them, and add their statistics.
    """

    code: ClassVar[str] = "simulation-failed"

    def __init__(self, chunk: str, attempts: int, partial: Statistics, missing: tuple[range, ...]) -> None:
        super().__init__(chunk, attempts)
        self.partial = partial
        self.missing = missing

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.chunk, self.attempts, self.partial, self.missing)


@attrs.frozen
class _Kept:
    """What has been played of a run, and what has not: one value, so that Ctrl-C never falls between the two."""

    partial: Statistics
    missing: tuple[range, ...]

    def plus(self, games: range, statistics: Statistics) -> _Kept:
        rest: list[range] = []
        for numbers in self.missing:
            if numbers.start <= games.start < numbers.stop:
                parts = range(numbers.start, games.start), range(games.stop, numbers.stop)
                rest += [part for part in parts if part]
            else:
                rest.append(numbers)
        return _Kept(self.partial + statistics, tuple(rest))


@attrs.frozen
class _Job:
    """Some games of a run, as a worker gets them."""

    rules: Rules
    seed: str
    max_deals: int
    games: range
    players: Policy | tuple[Bot, ...] | None = None

    def play_game(self, game: int, tally: Tally) -> None:
        """Play one of the games, and count it."""
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
    """Note how many legal moves the player of a move had."""
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
    """Play games in this process; ends a chunk as soon as it has taken long enough."""
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
    """Have games played by an executor, in chunks."""
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


def _check_count(name: str, number: object, least: int, most: int | None = None) -> None:
    if not isinstance(number, int) or isinstance(number, bool):
        wrong_type(name, "an int", number)
    if number < least:
        raise ValueError(f"{name} is {in_words(number)}: choose {least} or more")
    if most is not None and number > most:
        raise ValueError(f"{name} is {in_words(number)}: choose {most:,} or less")


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

    The result depends on nothing but the rules, the games, the seed, `max_deals` and who plays. Each game has a random
    stream of its own, which comes from the seed and the number of the game, so a run can be played in parts and added
    up:

    >>> whole = simulate(Rules(target=20), 4, seed=1)
    >>> whole == simulate(Rules(target=20), 3, seed=1) + simulate(Rules(target=20), 1, seed=1, first_game=3)
    True

    Args:
        rules: the rule set.
        games: how many games to play, 0 to 10**15.
        seed: a text, or an int of at most 600 digits, which stands for its decimal text.
        max_deals: after so many deals a game is stopped and counted as unfinished (1 or more): chance can keep some
            rule sets going for ever.
        first_game: the number of the first game, from 0 to 10**15.
        players: a policy, by which all players choose, or a bot for each seat. A policy is given the stream of the
            game, and no more than one decision needs; a bot is given what its seat may know, and takes longer. None:
            chance.
        progress: called, after each game or each chunk, with the number of games played so far in this call.
        executor: who plays: an executor, such as `heartsrules.simulation.executors.Processes` for the cores of this
            machine, or one that is `Chunked`. None: this process. For other processes a policy and bots must be
            picklable, as functions and classes of modules are.

    Raises:
        IllegalMove: the policy or a bot has chosen an illegal move.
        SimulationFailed: for some games the workers died, or could not be reached, at every attempt.
        SimulationInterrupted: Ctrl-C was pressed; it is a `KeyboardInterrupt`.
        TypeError: an argument has the wrong type.
        ValueError: `games`, `max_deals` or `first_game` is too low, or `games` or `first_game` too large; `seed` holds
            a lone surrogate or has more than 600 digits; or there is not one bot for each seat.
    """
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    text = seed_text(seed)
    _check_count("games", games, 0, MAX_GAMES)
    _check_count("max_deals", max_deals, 1)
    _check_count("first_game", first_game, 0, MAX_GAMES)
    if progress is not None and not callable(progress):
        wrong_type("progress", "callable", progress)
    job = _Job(rules, text, max_deals, range(first_game, first_game + games), _checked_players(players, rules))
    report = progress or _ignore
    parts = _play_here(job, report) if executor is None else _play_on(Chunked.of(executor), job, report)
    kept = _Kept(Tally(rules).statistics(), (job.games,) if games else ())
    try:
        with closing(parts):
            for numbers, statistics in parts:
                kept = kept.plus(numbers, statistics)
    except KeyboardInterrupt:
        raise SimulationInterrupted(kept.partial, kept.missing) from None
    except WorkFailed as failure:
        cause = failure.__cause__
        raise SimulationFailed(failure.chunk, failure.attempts, kept.partial, kept.missing) from cause
    return kept.partial


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
