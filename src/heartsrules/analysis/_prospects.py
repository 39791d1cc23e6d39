"""How good the totals are for a side, when the match is not over yet."""

from __future__ import annotations

from math import exp, inf, sqrt
from typing import Final, final

from heartsrules.base.errors import InvalidSeat
from heartsrules.base.values import Unchecked, plain_int, wrong_type
from heartsrules.play.scoring import side_totals
from heartsrules.play.state import AwaitingDeal, GameOver
from heartsrules.rules import Rules, Seat
from heartsrules.rules.resolved import ResolvedRules


def prospects(state: Unchecked[AwaitingDeal | GameOver], seat: Unchecked[int]) -> float:
    """How likely the side of a seat is to win the match, judged by the totals alone: from 0 to 1.

    When the game is over it is 1 for the winners and 0 for the others. Before that, every side is taken to play the
    rest equally well: a lead counts for more when less is left to play. It is a rule of thumb, not a measurement;
    bots maximise it, which makes them care for their own points, for who gets the others, and for the end of the match.

    >>> from heartsrules import Rules, new_game
    >>> prospects(new_game(Rules()), 2)
    0.25

    Raises:
        InvalidSeat: the table has no such seat.
    """
    if not isinstance(state, (AwaitingDeal, GameOver)):
        wrong_type("state", "an AwaitingDeal or a GameOver", state)
    rules = state.rules
    number = plain_int("seat", seat)
    if not 0 <= number < rules.players:
        raise InvalidSeat(number, rules.players)
    winners = state.winners if isinstance(state, GameOver) else None
    return Forecast(rules).chance(list(state.scores), winners, state.deal_number, number)


@final
class Forecast:
    """How good totals are for a side under a rule set; what depends on the rules alone is worked out once.

    Args:
        rules: the rule set.
        parts: the number of parts of a point that totals are counted in.
    """

    __slots__ = ("_resolved", "bonus_target", "max_deals", "penalty_total", "sides", "swing", "target")

    def __init__(self, rules: Rules, parts: int = 1) -> None:
        points = float(rules.penalty_total + sum([bonus.points for bonus in rules.bonuses]))
        if rules.doubler is not None:
            points *= 1 + (rules.doubler.factor - 1) / rules.players
        self._resolved: Final[ResolvedRules] = rules._resolved
        self.sides: Final = len(rules.sides)
        self.swing: Final = max(1.0, points / self.sides) * parts
        """How far one deal moves a total, roughly."""
        self.penalty_total: Final = rules.penalty_total * parts
        # 0: there is none.
        self.target: Final = (rules.target or 0) * parts
        self.bonus_target: Final = (rules.bonus_target or 0) * parts
        self.max_deals: Final = rules.max_deals or 0

    def chance(self, scores: list[int], winners: tuple[Seat, ...] | None, played: int, seat: Seat) -> float:
        """How likely the side of a seat is to win the match: see `prospects`.

        Args:
            scores: by seat, the totals.
            winners: who has won; None: the match is not over.
            played: how many deals have been played.
            seat: whose side.
        """
        if winners is not None:
            return 1.0 if seat in winners else 0.0
        totals = side_totals(self._resolved, scores)
        own = totals[seat % self.sides]
        width = self.swing * sqrt(self._deals_left(scores, totals, played))
        weights = 0.0
        for total in totals:
            # Beyond 40 widths a side has no chance either way, and exp would overflow far beyond.
            weights += exp(max(-40.0, min(40.0, (own - total) / width)))
        return 1.0 / weights

    def less(self, scores: list[int], seat: Seat) -> float:
        """How many points less than the average player the side of a seat has, beside all points of a deal."""
        side = seat % self.sides
        everybody = 0
        own = 0
        members = 0
        for number, total in enumerate(scores):
            everybody += total
            if number % self.sides == side:
                own += total
                members += 1
        return (everybody / len(scores) - own / members) / max(1, self.penalty_total)

    def _deals_left(self, scores: list[int], totals: list[int], played: int) -> float:
        """How many deals the match will go on for, roughly; at least one."""
        tested = scores if self._resolved.target_of_player else totals
        highest = lowest = tested[0]
        for total in tested:
            if total > highest:
                highest = total
            if total < lowest:
                lowest = total
        left = inf
        if self.max_deals:
            left = float(self.max_deals - played)
        if self.target and self.penalty_total:
            # The side that is ahead in points takes more than its share of each deal.
            left = min(left, (self.target - highest) * len(tested) / (1.5 * self.penalty_total))
        if self.bonus_target:
            # A total falls as far only in deals that go well.
            left = min(left, (self.bonus_target + lowest) / self.swing)
        return max(1.0, left) if left < inf else 1.0
