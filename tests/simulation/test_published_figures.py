"""Published figures of random play, reproduced by simulation.

The figures are those of CardStock's description of Hearts, whose bar charts agree with them, taken from four million
deals; four decimals of them are exact to about 0.0002. A simulated figure may differ by 4.5 of its standard errors,
which come from the variance between the deals of the sample itself (decisions of one deal depend on each other, deals
do not), and by what the published digits leave open. A normal variable strays so far once in 150,000 times; the seeds
are fixed, so the outcome is too. That the check is sharp enough to notice a wrong rule is tested as well.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import attrs
import pytest

from heartsrules import Rules, presets
from heartsrules.rules import Compulsory, FirstTrick, HeartsLead, OpeningCard, OpeningLeader, QueenBreaks, left
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.statistics import Moments, Statistics

pytestmark = [pytest.mark.long, pytest.mark.once_compiled]

STANDARD_ERRORS = 4.5

FOUR = presets.cardstock()

LEADER = (9.750, 8.812, 7.955, 7.205, 6.579, 6.077, 5.675, 5.298, 4.784, 3.983, 3, 2, 1)
OTHERS = (3.293, 3.337, 3.404, 3.476, 3.529, 3.539, 3.477, 3.321, 3.069, 2.729, 2.294, 1.737, 1)

MEAN_CHOICES = {
    "three players": (presets.cardstock(3), 4.5679, 4000),
    "four players": (FOUR, 3.5911, 12000),
    "five players": (presets.cardstock(5), 2.9507, 4000),
    "hearts at any time": (attrs.evolve(FOUR, hearts_lead=HeartsLead.ANY_TIME), 3.8978, 4000),
    "lowest club opens, no points on the first trick": (
        attrs.evolve(
            FOUR,
            opening_leader=OpeningLeader.LOWEST_CLUB,
            opening_card=OpeningCard.LOWEST_CLUB,
            first_trick=FirstTrick.NO_POINTS,
        ),
        3.4122,
        4000,
    ),
}


@cache
def sample(rules: Rules, deals: int) -> Statistics:
    return simulate(rules, deals, seed="figures")


@attrs.frozen
class Figure:
    """A published figure beside a simulated one."""

    name: str
    published: float
    open_digits: float
    """How far the published digits may be off."""
    simulated: float
    standard_error: float

    @property
    def agrees(self) -> bool:
        return abs(self.simulated - self.published) <= STANDARD_ERRORS * self.standard_error + self.open_digits


def of_mean(name: str, published: float, open_digits: float, by_deal: Moments, parts: int) -> Figure:
    """A mean over all decisions, of which each deal has the same number."""
    return Figure(name, published, open_digits, by_deal.mean / parts, by_deal.standard_error / parts)


def of_rate(name: str, published: float, open_digits: float, times: int, deals: int) -> Figure:
    rate = times / deals
    return Figure(name, published, open_digits, rate, math.sqrt(rate * (1 - rate) / deals))


def mean_choices(statistics: Statistics, published: float) -> Figure:
    return of_mean("mean choices", published, 0.0002, statistics.choices_per_deal, statistics.plays // statistics.deals)


def four_player_figures(statistics: Statistics) -> list[Figure]:
    s = statistics
    return [
        mean_choices(s, 3.5911),
        of_mean("forced decisions per deal", 11.71, 0.005, s.forced_per_deal, 1),
        of_rate("moon rate", 0.0106, 0.00005, s.moons, s.deals),
        of_rate("ties", 0.244, 0.0005, s.tied_games, s.games),
        *[
            of_mean(f"leader's choices in trick {number}", published, 0.0005, moments, 1)
            for number, (published, moments) in enumerate(zip(LEADER, s.leader_choices, strict=True), 1)
        ],
        *[
            of_mean(f"others' choices in trick {number}", published, 0.0005, moments, 3)
            for number, (published, moments) in enumerate(zip(OTHERS, s.follower_choices, strict=True), 1)
        ],
    ]


def strays(figures: list[Figure]) -> list[str]:
    return [figure.name for figure in figures if not figure.agrees]


@pytest.mark.parametrize(("rules", "published", "deals"), MEAN_CHOICES.values(), ids=MEAN_CHOICES.keys())
def test_mean_choices_agree(rules: Rules, published: float, deals: int) -> None:
    statistics = sample(rules, deals)
    assert statistics.deals == deals
    assert statistics.plays == deals * {3: 51, 4: 52, 5: 50}[rules.players]
    figure = mean_choices(statistics, published)
    assert figure.agrees, figure


def test_all_figures_of_four_players_agree() -> None:
    assert strays(four_player_figures(sample(FOUR, 12000))) == []


def test_passing_at_random_changes_nothing() -> None:
    assert strays(four_player_figures(sample(attrs.evolve(FOUR, pass_cycle=(left(),)), 4000))) == []


MUTATED = {
    "hearts at any time": ({"hearts_lead": HeartsLead.ANY_TIME}, "mean choices"),
    "no points on the first trick": ({"first_trick": FirstTrick.NO_POINTS}, "others' choices in trick 1"),
    "only a club opens": ({"opening_card": OpeningCard.ANY_CLUB}, "leader's choices in trick 1"),
    "no penalty card opens": ({"opening_card": OpeningCard.NON_POINT}, "leader's choices in trick 1"),
    "the queen breaks hearts": ({"queen_breaks": QueenBreaks.PLAYED}, "leader's choices in trick 4"),
    "the queen must be discarded": ({"compulsory": Compulsory.DISCARD}, "mean choices"),
    "the queen costs nothing": ({"queen_points": 0}, "ties"),
    "hearts are never scored": ({"heart_values": (0,) * 13}, "moon rate"),
}


@pytest.mark.parametrize(("change", "stray"), MUTATED.values(), ids=MUTATED.keys())
def test_the_check_fails_for_a_wrong_rule(change: dict[str, Any], stray: str) -> None:
    wrong = attrs.evolve(FOUR, **change)
    assert stray in strays(four_player_figures(sample(wrong, 3000)))
