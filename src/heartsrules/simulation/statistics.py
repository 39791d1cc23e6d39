"""The results of many games: integers that add up, and the means, rates and intervals that follow from them.

Sums and counts alone are kept, and they are integers: memory does not grow with the number of games, and adding up
parts of a run, in any order and grouping, gives exactly what the whole run would have given.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from statistics import NormalDist
from typing import Any, Final

import attrs

from heartsrules.base.errors import in_words
from heartsrules.rules import Rules

__all__ = ["MAX_DEALS_PER_GAME", "SUMMED", "Distribution", "Moments", "Statistics", "wilson_interval"]

MAX_DEALS_PER_GAME: Final = 1000
"""How many deals a game of a simulation, or of bots, may take unless the caller says otherwise; games to 100 take about
ten."""


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
        series = tuple(numbers)
        squares = sum([number * number for number in series])
        return Moments(len(series), sum(series), squares, min(series, default=None), max(series, default=None))

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

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean of many independent numbers; (nan, nan) for fewer than two."""
        half = _Z * self.standard_error
        return self.mean - half, self.mean + half

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


@attrs.frozen
class Distribution:
    """How often each of a series of integers came up, addable.

    >>> points = Distribution.of([0, 26, 0, 4])
    >>> points, points.count
    (Distribution(counts=((0, 2), (4, 1), (26, 1))), 4)
    >>> points + Distribution.of([4]) == Distribution.of([0, 0, 4, 4, 26])
    True
    """

    counts: tuple[tuple[int, int], ...] = ()
    """Each value that came up and how often it did, by value."""

    @staticmethod
    def of(numbers: Iterable[int]) -> Distribution:
        """The distribution of these numbers."""
        return Distribution(tuple(sorted(Counter(numbers).items())))

    @property
    def count(self) -> int:
        """How many numbers there were."""
        return sum([times for _, times in self.counts])

    @property
    def moments(self) -> Moments:
        """The mean, spread and range of the numbers."""
        if not self.counts:
            return Moments()
        total = sum([value * times for value, times in self.counts])
        squares = sum([value * value * times for value, times in self.counts])
        return Moments(self.count, total, squares, self.counts[0][0], self.counts[-1][0])

    def share(self, lowest: int, highest: int) -> float:
        """The share of the numbers from `lowest` to `highest`, both included; nan if there was no number."""
        among = sum([times for value, times in self.counts if lowest <= value <= highest])
        return among / self.count if self.counts else math.nan

    def quantile(self, share: float) -> int | None:
        """The lowest value that at least this share (0 to 1) of the numbers do not exceed; None without numbers.

        Raises:
            ValueError: `share` is not from 0 to 1.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"share is {in_words(share)}: choose 0 to 1")
        wanted = share * self.count
        below = 0
        for value, times in self.counts:
            below += times
            if below >= wanted:
                return value
        return None

    def __add__(self, other: object) -> Distribution:
        """The distribution of both series together."""
        if not isinstance(other, Distribution):
            return NotImplemented
        counts = Counter(dict(self.counts))
        counts.update(dict(other.counts))
        return Distribution(tuple(sorted(counts.items())))


@attrs.frozen(kw_only=True)
class Statistics:
    """The results of a number of games under one rule set.

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

    choices_by_decision: tuple[tuple[int, ...], ...]
    """`choices_by_decision[d][n]` is the number of deals in which the player of card d of the deal (from 0: card
    d % players of trick d // players) had n legal cards; n goes up to the size of a hand."""
    choices_per_deal: Moments
    """The legal cards of all decisions of a deal together, by deal."""
    forced_per_deal: Moments
    """The decisions of a deal with a single legal card, by deal."""
    follower_choices: tuple[Moments, ...]
    """By trick, the legal cards of all other players together, by deal."""
    passes: Moments
    """The legal passes of each decision to pass, declining included."""
    declined: int
    """Decisions to pass in which the player declined."""
    exposures: Moments
    """The legal exposures of each decision to show cards, showing none included."""
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

    points_by_position: tuple[Moments, ...]
    """By places to the left of the dealer (0: the dealer), the points of each deal."""
    deal_points: Distribution
    """The points that each player got in each deal."""
    final_totals: Distribution
    """The final totals of all players in the finished games."""

    @property
    def finished(self) -> int:
        """Games played to the end."""
        return self.games - self.unfinished

    @property
    def choices(self) -> tuple[int, ...]:
        """`choices[n]` is the number of decisions to play a card with n legal cards; up to the size of a hand."""
        return tuple([sum(column) for column in zip(*self.choices_by_decision, strict=True)])

    @property
    def leader_choices(self) -> tuple[Moments, ...]:
        """By trick, the legal cards of the leader, by deal."""
        return self.branching[:: self.rules.players]

    @property
    def branching(self) -> tuple[Moments, ...]:
        """The branching factor: by number of the decision in the deal, the legal cards that its player had, by deal.

        This is what CardStock and Valet publish of a game. Entry `t * players + p` is the card that is played as
        number p (from 0: the leader's) to trick t (from 0).
        """
        return tuple([_of_counts(counts) for counts in self.choices_by_decision])

    @property
    def plays(self) -> int:
        """Cards played."""
        return sum(map(sum, self.choices_by_decision))

    @property
    def decisions(self) -> int:
        """Decisions of all players: cards played, passes, exposures and choices of the moon."""
        return self.plays + self.passes.count + self.exposures.count + self.moon_choices

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
    def win_intervals(self) -> tuple[tuple[float, float], ...]:
        """By seat, the 95 % confidence interval (Wilson's) of the share of the games that it wins."""
        return tuple([wilson_interval(wins, self.finished) for wins in self.wins])

    @property
    def fair_win_rate(self) -> float:
        """The share of the finished games that each seat would have won if all won equally often; nan without games.

        Where several seats share a win, it is more than 1 divided by the number of players.
        """
        return sum(self.wins) / len(self.wins) / self.finished if self.finished else math.nan

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
        parts = {name: _sum(getattr(self, name), getattr(other, name)) for name in SUMMED}
        return Statistics(rules=self.rules, **parts)


SUMMED: Final = tuple(field.name for field in attrs.fields(Statistics) if field.name != "rules")
"""The fields of `Statistics` that are added up: all but the rules."""


_Z: Final = NormalDist().inv_cdf(0.975)
"""How many standard errors a 95 % interval reaches to each side."""


def wilson_interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's 95 % confidence interval of the share `part / whole`; (nan, nan) if `whole` is 0.

    >>> low, high = wilson_interval(50, 200)
    >>> round(low, 4), round(high, 4)
    (0.1951, 0.3143)
    """
    if not whole:
        return math.nan, math.nan
    share = part / whole
    z2 = _Z * _Z / whole
    center = (share + z2 / 2) / (1 + z2)
    half = _Z * math.sqrt(share * (1 - share) / whole + z2 / whole / 4) / (1 + z2)
    return center - half, center + half


def _of_counts(counts: tuple[int, ...]) -> Moments:
    """The moments of a series of which `counts[n]` numbers are n."""
    return Distribution(tuple([(number, times) for number, times in enumerate(counts) if times])).moments


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, tuple):
        return tuple([_sum(left, right) for left, right in zip(one, other, strict=True)])
    return one + other
