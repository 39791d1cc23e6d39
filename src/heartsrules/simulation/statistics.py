"""Statistics of many games: addable integer sums, and the means, rates and intervals computed from them.

Only sums and counts are stored, as integers: memory does not grow with the number of games, and the parts of a run add
up, in any order and grouping, to exactly the statistics of the whole run.
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
    """The addable moments of a series of integers: count, sum, sum of squares and range.

    >>> Moments.of([2, 4, 9]).mean, Moments.of([2, 4]) + Moments.of([9]) == Moments.of([2, 4, 9])
    (5.0, True)
    """

    count: int = 0
    """The number of numbers."""
    total: int = 0
    """The sum of the numbers."""
    squares: int = 0
    """The sum of the squares."""
    lowest: int | None = None
    """The lowest number; None without numbers."""
    highest: int | None = None
    """The highest number; None without numbers."""

    @staticmethod
    def of(numbers: Iterable[int]) -> Moments:
        """The moments of these numbers."""
        return Distribution.of(numbers).moments

    @property
    def mean(self) -> float:
        """The mean; nan without numbers."""
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

    def __add__(self, other: Moments) -> Moments:
        """The moments of both series joined."""
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
    """An addable histogram of integers.

    >>> points = Distribution.of([0, 26, 0, 4])
    >>> points, points.count
    (Distribution(counts=((0, 2), (4, 1), (26, 1))), 4)
    >>> points + Distribution.of([4]) == Distribution.of([0, 0, 4, 4, 26])
    True
    """

    counts: tuple[tuple[int, int], ...] = ()
    """(value, count) pairs, sorted by value."""

    @staticmethod
    def of(numbers: Iterable[int]) -> Distribution:
        """The distribution of these numbers."""
        return Distribution(tuple(sorted(Counter(ints_of("numbers", numbers)).items())))

    @property
    def count(self) -> int:
        """The number of numbers."""
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
        """The fraction of the numbers from `lowest` to `highest`, both included; nan without numbers."""
        low, high = checked_int("lowest", lowest), checked_int("highest", highest)
        among = sum([times for value, times in self.counts if low <= value <= high])
        return among / self.count if self.counts else math.nan

    def quantile(self, share: float) -> int | None:
        """The lowest value that at least this fraction (0 to 1) of the numbers do not exceed; None without numbers.

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
        """The distribution of both series joined."""
        if not isinstance(other, Distribution):
            return NotImplemented
        counts = Counter(dict(self.counts))
        counts.update(dict(other.counts))
        return Distribution(tuple(sorted(counts.items())))


@attrs.frozen(kw_only=True)
class Statistics:
    """The statistics of games under one rule set.

    Statistics of parts of a run add up, in any order and grouping, to those of the whole run. Totals and points are
    penalties: lower is better, whatever `Rules.score_display` shows.
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
    """The number of deals in which the player of card d had n legal cards, indexed [d][n]. Cards are counted from 0:
    card d is play d % players of trick d // players; n goes up to the size of a hand."""
    choices_per_deal: Moments
    """Per deal, the legal cards of all decisions, added up."""
    forced_per_deal: Moments
    """Per deal, the number of decisions with a single legal card."""
    follower_choices: tuple[Moments, ...]
    """By trick, the legal cards of all followers in a deal, added up."""
    passes: Moments
    """The number of legal passes of each decision to pass, declining included."""
    declined: int
    """Decisions to pass in which the player declined."""
    exposures: Moments
    """The number of legal exposures of each decision to show cards, showing none included."""
    moon_choices: int
    """Decisions of a shooter (`Moon.CHOICE`)."""

    moons: int
    """Deals in which somebody shot the moon."""
    suns: int
    """Deals in which the moon was doubled because the shooter's side took every trick (`Rules.sun`)."""
    void_tricks: int
    """Tricks that nobody won."""
    unclaimed: int
    """Deals that ended with cards set aside, because nobody won the last trick; they score for nobody."""
    kitties_taken: int
    """Deals in which somebody took the kitty."""

    points_by_position: tuple[Moments, ...]
    """By position, counted from the dealer (0) to the left, the points of each deal."""
    deal_points: Distribution
    """The points of all players in all deals."""
    final_totals: Distribution
    """The final totals of all players in the finished games."""

    @property
    def finished(self) -> int:
        """Games played to the end."""
        return self.games - self.unfinished

    @property
    def choices(self) -> tuple[int, ...]:
        """The number of decisions to play a card with n legal cards, by n: 0 to the size of a hand."""
        return tuple([sum(column) for column in zip(*self.choices_by_decision, strict=True)])

    @property
    def leader_choices(self) -> tuple[Moments, ...]:
        """By trick, the legal cards of the leader."""
        return self.branching[:: self.rules.players]

    @property
    def branching(self) -> tuple[Moments, ...]:
        """The branching factor: by decision of a deal, the legal cards of its player.

        CardStock and Valet publish this figure. Entry `t * players + p` is play p of trick t, both counted from 0.
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
        """The mean number of legal cards of a decision to play one; nan without decisions."""
        return self.choices_per_deal.total / self.plays if self.plays else math.nan

    @property
    def most_choices(self) -> int:
        """The highest number of legal cards of any decision; 0 without decisions."""
        return max((number for number, times in enumerate(self.choices) if times), default=0)

    @property
    def mean_choices_by_trick(self) -> tuple[tuple[float, float], ...]:
        """By trick, the mean number of legal cards of the leader and of a follower."""
        followers = self.rules.players - 1
        return tuple(
            (lead.mean, follow.mean / followers)
            for lead, follow in zip(self.leader_choices, self.follower_choices, strict=True)
        )

    @property
    def moon_rate(self) -> float:
        """The fraction of the deals in which the moon was shot; nan without deals."""
        return self.moons / self.deals if self.deals else math.nan

    @property
    def sun_rate(self) -> float:
        """The fraction of the deals in which the moon was doubled; nan without deals."""
        return self.suns / self.deals if self.deals else math.nan

    @property
    def win_intervals(self) -> tuple[tuple[float, float], ...]:
        """By seat, Wilson's 95 % confidence interval of its fraction of the games won."""
        return tuple([wilson_interval(wins, self.finished) for wins in self.wins])

    @property
    def fair_win_rate(self) -> float:
        """The mean over the seats of their fractions of the finished games won; nan without games.

        It is more than 1 divided by the number of players if several seats share a win.
        """
        return sum(self.wins) / len(self.wins) / self.finished if self.finished else math.nan

    @property
    def tie_rate(self) -> float:
        """The fraction of the games that were tied for the first place; nan without games."""
        return self.tied_games / self.games if self.games else math.nan

    def __add__(self, other: Statistics) -> Statistics:
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
"""The addable fields of `Statistics`: all but the rules."""


_Z: Final = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""


def wilson_interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's 95 % confidence interval of the fraction `part / whole`; (nan, nan) if `whole` is 0.

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


def _of_counts(counts: tuple[int, ...]) -> Moments:
    """The moments of a series in which the number n occurs `counts[n]` times."""
    return Distribution(tuple([(number, times) for number, times in enumerate(counts) if times])).moments


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, tuple):
        return tuple([_sum(left, right) for left, right in zip(one, other, strict=True)])
    return one + other
