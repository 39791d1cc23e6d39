"""Whole matches played with uniform random moves, and what they came to.

Everything goes through the public functions (`deal`, `legal_moves`, `apply`), as an application would do it. Sums
alone are kept, and they are integers: memory does not grow with the number of games, and adding up parts of a run
gives exactly what the whole run would have given.

Game `k` of a simulation with seed `s` is dealt with the seed `f"{s}/{k}"`, so any single game of it can be looked at:
`deal(new_game(rules), seed="table 7/0")` is the first deal of the first game of `simulate(rules, ..., seed="table 7")`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from typing import Any, Final

import attrs

from heartsrules.chance import SeededBits, below, deal
from heartsrules.engine import apply, legal_moves, new_game
from heartsrules.moves import Pass
from heartsrules.rules import Rules, Tie
from heartsrules.scoring import game_winners
from heartsrules.state import AwaitingDeal, Course, DealScore, GameOver, Passing, Playing, State

__all__ = ["MAX_DEALS_PER_GAME", "Moments", "Statistics", "simulate"]

MAX_DEALS_PER_GAME: Final = 1000
"""How many deals a simulated game may take unless the caller says otherwise; games to 100 take about ten."""


@attrs.frozen
class Moments:
    """What is kept of a series of integers: enough for its mean, spread and range, and addable.

    >>> Moments.of([2, 4, 9]).mean, Moments.of([2, 4]) + Moments.of([9]) == Moments.of([2, 4, 9])
    (5.0, True)
    """

    count: int = 0
    """How many numbers there were."""
    total: int = 0
    """Their sum."""
    squares: int = 0
    """The sum of their squares."""
    lowest: int | None = None
    """The lowest, or None if there was none."""
    highest: int | None = None
    """The highest, or None if there was none."""

    @staticmethod
    def of(numbers: Iterable[int]) -> Moments:
        """The moments of these numbers."""
        series = _Series()
        for number in numbers:
            series.add(number)
        return series.moments()

    @property
    def mean(self) -> float:
        """The mean; nan if there was no number."""
        return self.total / self.count if self.count else math.nan

    @property
    def variance(self) -> float:
        """The sample variance (with n - 1); nan for fewer than two numbers."""
        if self.count < 2:
            return math.nan
        return (self.count * self.squares - self.total**2) / (self.count * (self.count - 1))

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, if the numbers are independent; nan for fewer than two numbers."""
        return math.sqrt(self.variance / self.count) if self.count else math.nan

    def __add__(self, other: object) -> Moments:
        """The moments of both series together."""
        if not isinstance(other, Moments):
            return NotImplemented
        lowest = [low for low in (self.lowest, other.lowest) if low is not None]
        highest = [high for high in (self.highest, other.highest) if high is not None]
        return Moments(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            min(lowest, default=None),
            max(highest, default=None),
        )


@attrs.frozen(kw_only=True)
class Statistics:
    """What a number of games under one rule set came to.

    Statistics of parts of a run add up, in any order and grouping, to those of the whole run. Totals and points are
    penalties: lower is better, whatever `Rules.reckoning` shows.
    """

    rules: Rules
    games: int
    """Games played, the unfinished ones included."""
    unfinished: int
    """Games that were stopped at the limit on deals; `deals_per_game`, `totals` and `wins` leave them out."""
    tied_games: int
    """Games in which the lowest total was shared when the game should have ended: several sides won it
    (`Tie.SHARED`), or it took at least one extra deal (`Tie.EXTRA_DEAL`)."""
    extra_deals: int
    """Deals that were played only because the lowest total was shared."""
    deals: int
    """Deals played in all games."""
    deals_per_game: Moments
    """Deals in each finished game."""
    totals: tuple[Moments, ...]
    """By seat, the final totals of the finished games."""
    wins: tuple[int, ...]
    """By seat, the finished games won; a game shared by several seats counts for each of them."""

    choices: tuple[int, ...]
    """`choices[n]` is the number of decisions to play a card with n legal cards; up to the size of a hand."""
    choices_per_deal: Moments
    """The legal cards of all decisions of a deal together, by deal."""
    forced_per_deal: Moments
    """The decisions of a deal with a single legal card, by deal."""
    leader_choices: tuple[Moments, ...]
    """By trick, the legal cards of the leader, by deal."""
    follower_choices: tuple[Moments, ...]
    """By trick, the legal cards of all other players together, by deal."""
    passes: Moments
    """The legal passes of each decision to pass, declining included."""
    declined: int
    """Decisions to pass in which the player declined."""
    moon_choices: int
    """Decisions of a shooter (`Moon.CHOICE`)."""

    moons: int
    """Deals in which somebody shot the moon."""
    suns: int
    """Deals in which the moon was doubled because the shooter's side took every trick (`Rules.sun`)."""
    void_tricks: int
    """Tricks that nobody won."""
    unclaimed: int
    """Deals that ended with cards still set aside: nobody won the last trick, and nobody scores for them."""
    kitties_taken: int
    """Deals in which somebody took the kitty."""

    @property
    def finished(self) -> int:
        """Games played to the end."""
        return self.games - self.unfinished

    @property
    def plays(self) -> int:
        """Cards played."""
        return sum(self.choices)

    @property
    def decisions(self) -> int:
        """Decisions of all players: cards played, passes and choices of the moon."""
        return self.plays + self.passes.count + self.moon_choices

    @property
    def tricks(self) -> int:
        """Tricks played."""
        return self.deals * self.rules.cards_per_hand

    @property
    def kitties(self) -> int:
        """Deals with cards left over for a kitty."""
        return self.deals if self.rules.kitty_size else 0

    @property
    def mean_choices(self) -> float:
        """The mean number of legal cards in a decision to play one; nan if there was none."""
        return self.choices_per_deal.total / self.plays if self.plays else math.nan

    @property
    def most_choices(self) -> int:
        """The highest number of legal cards that any decision had; 0 if there was none."""
        return max((number for number, times in enumerate(self.choices) if times), default=0)

    @property
    def mean_choices_by_trick(self) -> tuple[tuple[float, float], ...]:
        """By trick, the mean number of legal cards of the leader and of another player."""
        followers = self.rules.players - 1
        return tuple(
            (lead.mean, follow.mean / followers)
            for lead, follow in zip(self.leader_choices, self.follower_choices, strict=True)
        )

    @property
    def moon_rate(self) -> float:
        """The share of the deals in which the moon was shot; nan without deals."""
        return self.moons / self.deals if self.deals else math.nan

    @property
    def sun_rate(self) -> float:
        """The share of the deals in which the moon was doubled; nan without deals."""
        return self.suns / self.deals if self.deals else math.nan

    @property
    def tie_rate(self) -> float:
        """The share of the games that were tied for the first place; nan without games."""
        return self.tied_games / self.games if self.games else math.nan

    def __add__(self, other: object) -> Statistics:
        """The statistics of both runs together.

        Raises:
            ValueError: they are of different rule sets.
        """
        if not isinstance(other, Statistics):
            return NotImplemented
        if self.rules != other.rules:
            raise ValueError("statistics of different rule sets cannot be added")
        parts = {name: _sum(getattr(self, name), getattr(other, name)) for name in _SUMMED}
        return Statistics(rules=self.rules, **parts)


_SUMMED: Final = tuple(field.name for field in attrs.fields(Statistics) if field.name != "rules")


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, tuple):
        return tuple([_sum(left, right) for left, right in zip(one, other, strict=True)])
    return one + other


class _Series:
    """`Moments` that are still growing."""

    __slots__ = ("count", "highest", "lowest", "squares", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.squares = 0
        self.lowest = 0
        self.highest = 0

    def add(self, number: int) -> None:
        if not self.count:
            self.lowest = self.highest = number
        elif number < self.lowest:
            self.lowest = number
        elif number > self.highest:
            self.highest = number
        self.count += 1
        self.total += number
        self.squares += number * number

    def moments(self) -> Moments:
        if not self.count:
            return Moments()
        return Moments(self.count, self.total, self.squares, self.lowest, self.highest)


class _Tally:
    """`Statistics` that are still growing: it plays games and counts."""

    def __init__(self, rules: Rules) -> None:
        tricks = rules.cards_per_hand
        self.rules = rules
        self.as_if_shared = attrs.evolve(rules, tie=Tie.SHARED)
        self.games = self.unfinished = self.tied_games = self.extra_deals = self.deals = 0
        self.deals_per_game = _Series()
        self.totals = [_Series() for _ in range(rules.players)]
        self.wins = [0] * rules.players
        self.choices = [0] * (tricks + 1)
        self.choices_per_deal = _Series()
        self.forced_per_deal = _Series()
        self.leader_choices = [_Series() for _ in range(tricks)]
        self.follower_choices = [_Series() for _ in range(tricks)]
        self.passes = _Series()
        self.declined = self.moon_choices = 0
        self.moons = self.suns = self.void_tricks = self.unclaimed = self.kitties_taken = 0

    def statistics(self) -> Statistics:
        parts = {name: _frozen(getattr(self, name)) for name in _SUMMED}
        return Statistics(rules=self.rules, **parts)

    def play_game(self, seed: str, max_deals: int) -> None:
        rng = random.Random(SeededBits(seed, "choices").getrandbits(64))
        state: AwaitingDeal | GameOver = new_game(self.rules)
        tied = extra = False
        while isinstance(state, AwaitingDeal) and state.deal_number < max_deals:
            self.extra_deals += extra
            state = self._play_deal(state, seed, rng)
            extra = self._is_tied(state)
            tied |= extra
        self.games += 1
        self.tied_games += tied
        if isinstance(state, AwaitingDeal):
            self.unfinished += 1
            return
        self.deals_per_game.add(len(state.deal_scores))
        for series, total in zip(self.totals, state.scores, strict=True):
            series.add(total)
        for seat in state.winners:
            self.wins[seat] += 1

    def _is_tied(self, state: AwaitingDeal | GameOver) -> bool:
        """Whether several sides share the lowest total of a game that should be over."""
        if isinstance(state, AwaitingDeal):
            return game_winners(self.as_if_shared._tables, state.scores, state.deal_number) is not None
        return len({self.rules.side(seat) for seat in state.winners}) > 1

    def _play_deal(self, start: AwaitingDeal, seed: str, rng: random.Random) -> AwaitingDeal | GameOver:
        state = apply(start, deal(start, seed=seed))
        while not isinstance(state, (AwaitingDeal, GameOver)):
            if isinstance(state, Passing):
                state = self._pass_cards(state, rng)
            elif isinstance(state, Playing):
                state = self._play_tricks(state, rng)
            else:
                state = self._choose_moon(state, rng)
        assert state.last_deal is not None
        self._count_deal(state.last_deal, state.deal_scores[-1])
        return state

    def _pass_cards(self, state: State, rng: random.Random) -> State:
        for seat in range(self.rules.players):
            passes = legal_moves(state, seat)
            self.passes.add(len(passes))
            move = passes[below(rng, len(passes))]
            self.declined += isinstance(move, Pass) and not move.gifts
            state = apply(state, move)
        return state

    def _play_tricks(self, state: State, rng: random.Random) -> State:
        choices = self.choices
        forced = choices[1]
        followers = range(self.rules.players - 1)
        in_deal = 0
        for leader_series, follower_series in zip(self.leader_choices, self.follower_choices, strict=True):
            moves = legal_moves(state)
            by_leader = len(moves)
            choices[by_leader] += 1
            # random() is documented never to change, and its 53 bits are plenty for a hand of cards.
            state = apply(state, moves[int(rng.random() * by_leader)])
            by_others = 0
            for _ in followers:
                moves = legal_moves(state)
                count = len(moves)
                choices[count] += 1
                by_others += count
                state = apply(state, moves[int(rng.random() * count)])
            leader_series.add(by_leader)
            follower_series.add(by_others)
            in_deal += by_leader + by_others
        self.choices_per_deal.add(in_deal)
        self.forced_per_deal.add(choices[1] - forced)
        return state

    def _choose_moon(self, state: State, rng: random.Random) -> State:
        self.moon_choices += 1
        effects = legal_moves(state)
        return apply(state, effects[below(rng, len(effects))])

    def _count_deal(self, course: Course, score: DealScore) -> None:
        self.deals += 1
        self.moons += score.shooter is not None
        self.suns += score.sun
        self.void_tricks += sum([trick.winner is None for trick in course.tricks])
        self.unclaimed += bool(course.set_aside)
        self.kitties_taken += bool(course.kitty) and course.kitty_taker is not None


def _frozen(part: Any) -> Any:
    if isinstance(part, list):
        return tuple([_frozen(item) for item in part])
    return part.moments() if isinstance(part, _Series) else part


def _check_count(name: str, number: object, least: int) -> None:
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{name} must be an int, not {type(number).__name__}")
    if number < least:
        raise ValueError(f"{name} is {number}: choose {least} or more")


def simulate(
    rules: Rules,
    games: int,
    *,
    seed: str | int,
    max_deals: int = MAX_DEALS_PER_GAME,
    first_game: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Statistics:
    """Play whole games; every player chooses uniformly among the legal moves.

    The result depends on nothing but the arguments. Each game has a random stream of its own, which comes from the
    seed and the number of the game, so a run can be played in parts and added up:

    >>> whole = simulate(Rules(target=20), 4, seed=1)
    >>> whole == simulate(Rules(target=20), 3, seed=1) + simulate(Rules(target=20), 1, seed=1, first_game=3)
    True

    Args:
        rules: the rule set.
        games: how many games to play, 0 or more.
        seed: a text, or an int, which stands for its decimal text.
        max_deals: after so many deals a game is stopped and counted as unfinished (1 or more): chance can keep some
            rule sets going for ever.
        first_game: the number of the first game, from 0.
        progress: called after each game with the number of games played so far in this call.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `games`, `max_deals` or `first_game` is too low.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules, not {type(rules).__name__}")
    if isinstance(seed, bool) or not isinstance(seed, (str, int)):
        raise TypeError(f"seed must be a str or an int, not {type(seed).__name__}")
    _check_count("games", games, 0)
    _check_count("max_deals", max_deals, 1)
    _check_count("first_game", first_game, 0)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, not {type(progress).__name__}")
    tally = _Tally(rules)
    for played in range(games):
        tally.play_game(f"{seed}/{first_game + played}", max_deals)
        if progress is not None:
            progress(played + 1)
    return tally.statistics()
