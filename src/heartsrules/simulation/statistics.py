"""Statistics of many games, as sums that add up, with means, rates and intervals.

Only integer sums and counts are stored, so memory does not grow with the number of games.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from statistics import NormalDist
from typing import Any, Final

import attrs

from heartsrules.base.errors import in_words
from heartsrules.base.values import checked_int
from heartsrules.rules import Rules
from heartsrules.rules.arguments import ints_of

__all__ = ["Distribution", "Moments", "Statistics", "wilson_interval"]
__dir__ = __all__.copy


@attrs.frozen
class Moments:
    """The moments of a series of integers, which add up.

    >>> Moments.of([2, 4, 9]).mean, Moments.of([2, 4]) + Moments.of([9]) == Moments.of([2, 4, 9])
    (5.0, True)

    Attributes:
        count: the number of integers.
        total: the sum.
        squares: the sum of the squares.
        lowest: the lowest integer, or None without integers.
        highest: the highest integer, or None.
    """

    count: int = 0
    total: int = 0
    squares: int = 0
    lowest: int | None = None
    highest: int | None = None

    @staticmethod
    def of(numbers: Iterable[int]) -> Moments:
        """Return the moments of some integers."""
        return Distribution.of(numbers).moments

    @property
    def mean(self) -> float:
        """The mean, or nan without integers."""
        return self.total / self.count if self.count else math.nan

    @property
    def variance(self) -> float:
        """The sample variance (with n - 1), or nan for fewer than two integers."""
        if self.count < 2:
            return math.nan
        return (self.count * self.squares - self.total**2) / (self.count * (self.count - 1))

    @property
    def standard_error(self) -> float:
        """The standard error of independent integers' mean, or nan for fewer than two."""
        return math.sqrt(self.variance / self.count) if self.count else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean of many independent integers.

        It is (nan, nan) for fewer than two.
        """
        half = _Z * self.standard_error
        return self.mean - half, self.mean + half

    def __add__(self, other: Moments) -> Moments:
        """Join two series."""
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
    """A histogram of integers. Histograms add up.

    >>> points = Distribution.of([0, 26, 0, 4])
    >>> points, points.count
    (Distribution(counts=((0, 2), (4, 1), (26, 1))), 4)
    >>> points + Distribution.of([4]) == Distribution.of([0, 0, 4, 4, 26])
    True

    Attributes:
        counts: (value, count) pairs, sorted by value.
    """

    counts: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(numbers: Iterable[int]) -> Distribution:
        """Return the distribution of some integers."""
        return Distribution(tuple(sorted(Counter(ints_of("numbers", numbers)).items())))

    @property
    def count(self) -> int:
        """The number of integers."""
        return sum([times for _, times in self.counts])

    @property
    def moments(self) -> Moments:
        """The moments of the integers."""
        if not self.counts:
            return Moments()
        total = sum([value * times for value, times in self.counts])
        squares = sum([value * value * times for value, times in self.counts])
        return Moments(self.count, total, squares, self.counts[0][0], self.counts[-1][0])

    def share(self, lowest: int, highest: int) -> float:
        """Return the fraction of integers from `lowest` to `highest`, both included.

        Without integers it is nan.
        """
        low, high = checked_int("lowest", lowest), checked_int("highest", highest)
        among = sum([times for value, times in self.counts if low <= value <= high])
        return among / self.count if self.counts else math.nan

    def quantile(self, share: float) -> int | None:
        """Return the lowest value that a fraction of the integers does not exceed.

        Without integers it is None.

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

    def __add__(self, other: Distribution) -> Distribution:
        """Join two series."""
        if not isinstance(other, Distribution):
            return NotImplemented
        counts = Counter(dict(self.counts))
        counts.update(dict(other.counts))
        return Distribution(tuple(sorted(counts.items())))


@attrs.frozen(kw_only=True)
class Statistics:
    """The statistics of games under one rule set.

    Parts of a run add up, in any order, to exactly the statistics of the whole run. Totals and points are penalties:
    lower is better, whatever `Rules.score_display` shows.

    Attributes:
        rules: the rule set.
        games: games played, including unfinished ones.
        unfinished: games stopped at the limit on deals. `deals_per_game`, `totals` and `wins` exclude them.
        tied_games: games that would have ended with the lowest total shared: several sides won (`Tie.SHARED`), or at
            least one extra deal was played (`Tie.EXTRA_DEAL`).
        extra_deals: deals played only because the lowest total was shared.
        deals: deals played in all games.
        deals_per_game: deals in each finished game.
        totals: the final totals in finished games, by seat.
        wins: finished games won, by seat. A shared win counts for each seat.
        choices_by_decision: the number of deals in which the player of card d had n legal cards, indexed [d][n]. Card
            d, from 0, is play d % players of trick d // players; n is at most the size of a hand.
        choices_per_deal: the legal cards in each deal, summed over all decisions.
        forced_per_deal: the decisions with a single legal card in each deal.
        follower_choices: the legal cards of all followers in a deal, summed, by trick.
        passes: the legal passes at each decision to pass, including declining.
        declined: decisions to pass in which the player declined.
        exposures: the legal exposures at each decision to expose, including exposing nothing.
        moon_choices: decisions of a shooter (`Moon.CHOICE`).
        moons: deals in which the moon was shot.
        suns: deals with a doubled moon, because the shooter's side took every trick (`Rules.sun`).
        void_tricks: tricks without a winner.
        unclaimed: deals that ended with cards set aside, because the last trick had no winner. No side scores them.
        kitties_taken: deals in which the kitty was won.
        points_by_position: the points of each deal by position, counted from the dealer (0) to the left.
        deal_points: the points of all players in all deals.
        final_totals: the final totals of all players in the finished games.
    """

    rules: Rules
    games: int
    unfinished: int
    tied_games: int
    extra_deals: int
    deals: int
    deals_per_game: Moments
    totals: tuple[Moments, ...]
    wins: tuple[int, ...]

    choices_by_decision: tuple[tuple[int, ...], ...]
    choices_per_deal: Moments
    forced_per_deal: Moments
    follower_choices: tuple[Moments, ...]
    passes: Moments
    declined: int
    exposures: Moments
    moon_choices: int

    moons: int
    suns: int
    void_tricks: int
    unclaimed: int
    kitties_taken: int

    points_by_position: tuple[Moments, ...]
    deal_points: Distribution
    final_totals: Distribution

    @property
    def finished(self) -> int:
        """Games played to the end."""
        return self.games - self.unfinished

    @property
    def choices(self) -> tuple[int, ...]:
        """The number of plays with n legal cards, indexed by n from 0 to the hand size."""
        return tuple([sum(column) for column in zip(*self.choices_by_decision, strict=True)])

    @property
    def leader_choices(self) -> tuple[Moments, ...]:
        """The leader's legal cards, by trick."""
        return self.branching[:: self.rules.players]

    @property
    def branching(self) -> tuple[Moments, ...]:
        """The branching factor, as legal cards at each play of a deal.

        Entry `t * players + p` is play p of trick t, both counted from 0.
        """
        found = [[(choices, n) for choices, n in enumerate(counts) if n] for counts in self.choices_by_decision]
        return tuple([Distribution(tuple(each)).moments for each in found])

    @property
    def plays(self) -> int:
        """Cards played."""
        return sum(map(sum, self.choices_by_decision))

    @property
    def decisions(self) -> int:
        """All decisions: cards played, passes, exposures and choices of the moon."""
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
        """The mean number of legal cards at a play, or nan without plays."""
        return self.choices_per_deal.total / self.plays if self.plays else math.nan

    @property
    def most_choices(self) -> int:
        """The highest number of legal cards at any play, or 0 without plays."""
        return max((number for number, times in enumerate(self.choices) if times), default=0)

    @property
    def mean_choices_by_trick(self) -> tuple[tuple[float, float], ...]:
        """The mean legal cards of the leader and of a follower, by trick."""
        followers = self.rules.players - 1
        return tuple(
            (lead.mean, follow.mean / followers)
            for lead, follow in zip(self.leader_choices, self.follower_choices, strict=True)
        )

    @property
    def moon_rate(self) -> float:
        """The fraction of deals in which the moon was shot, or nan without deals."""
        return self.moons / self.deals if self.deals else math.nan

    @property
    def sun_rate(self) -> float:
        """The fraction of deals with a doubled moon, or nan without deals."""
        return self.suns / self.deals if self.deals else math.nan

    @property
    def win_intervals(self) -> tuple[tuple[float, float], ...]:
        """Wilson's 95 % confidence interval of the fraction of games won, by seat."""
        return tuple([wilson_interval(wins, self.finished) for wins in self.wins])

    @property
    def fair_win_rate(self) -> float:
        """The mean over the seats of the fraction of finished games won.

        It is more than 1 divided by the number of players if several seats share a win, and nan without games.
        """
        return sum(self.wins) / len(self.wins) / self.finished if self.finished else math.nan

    @property
    def tie_rate(self) -> float:
        """The fraction of games tied for first place, or nan without games."""
        return self.tied_games / self.games if self.games else math.nan

    def __add__(self, other: Statistics) -> Statistics:
        """Return the statistics of both runs together.

        Raises:
            ValueError: the rule sets differ.
        """
        if not isinstance(other, Statistics):
            return NotImplemented
        if self.rules != other.rules:
            raise ValueError("statistics of different rule sets cannot be added")
        parts = {name: _sum(getattr(self, name), getattr(other, name)) for name in SUMMED}
        return Statistics(rules=self.rules, **parts)


SUMMED: Final = tuple(field.name for field in attrs.fields(Statistics) if field.name != "rules")
"""The fields of `Statistics` that are added, which are all but `rules`."""


_Z: Final = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""


def wilson_interval(part: int, whole: int) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval of the fraction `part / whole`.

    If `whole` is 0, it is (nan, nan).

    >>> low, high = wilson_interval(50, 200)
    >>> round(low, 4), round(high, 4)
    (0.1951, 0.3143)
    """
    if not checked_int("whole", whole):
        return math.nan, math.nan
    share = checked_int("part", part) / whole
    z2 = _Z * _Z / whole
    center = (share + z2 / 2) / (1 + z2)
    half = _Z * math.sqrt(share * (1 - share) / whole + z2 / whole / 4) / (1 + z2)
    return center - half, center + half


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, tuple):
        return tuple([_sum(left, right) for left, right in zip(one, other, strict=True)])
    return one + other
