"""Estimate a side's chance to win an unfinished match."""

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
    """Estimate a side's chance to win the match from the totals, between 0 and 1.

    When the game is over, it is 1 for winners and 0 for the others. Before that it is a rule of thumb for equally
    strong sides: a lead matters more when less is left to play.

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
    """A match forecast for one rule set.

    Args:
        parts: the number of units per point in totals.
    """

    def __init__(self, rules: Rules, parts: int = 1) -> None:
        points = float(rules.penalty_total + sum([bonus.points for bonus in rules.bonuses]))
        if rules.doubler is not None:
            points *= 1 + (rules.doubler.factor - 1) / rules.players
        self._resolved: Final[ResolvedRules] = rules._resolved
        self.sides: Final = len(rules.sides)
        self.swing: Final = max(1.0, points / self.sides) * parts
        """The approximate change of a total in one deal."""
        self.penalty_total: Final = rules.penalty_total * parts
        # 0 if there is none.
        self.target: Final = (rules.target or 0) * parts
        self.bonus_target: Final = (rules.bonus_target or 0) * parts
        self.max_deals: Final = rules.max_deals or 0

    def chance(self, scores: list[int], winners: tuple[Seat, ...] | None, played: int, seat: Seat) -> float:
        """Estimate a side's chance to win the match, as in `prospects`.

        Args:
            scores: the totals, one for each seat.
            winners: the winners, or None if the match is not over.
            played: the number of deals played.
        """
        if winners is not None:
            return 1.0 if seat in winners else 0.0
        totals = side_totals(self._resolved, scores)
        own = totals[seat % self.sides]
        width = self.swing * sqrt(self._deals_left(scores, totals, played))
        weights = 0.0
        for total in totals:
            # Beyond 40 widths the chance is 0 or 1, and exp would overflow.
            weights += exp(max(-40.0, min(40.0, (own - total) / width)))
        return 1.0 / weights

    def less(self, scores: list[int], seat: Seat) -> float:
        """Compute a side's lead over the average player as a fraction of a deal's points."""
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
        tested = scores if self._resolved.target_of_player else totals
        left = inf
        if self.max_deals:
            left = float(self.max_deals - played)
        if self.target and self.penalty_total:
            # The side with the most points takes more than its share of each deal.
            left = min(left, (self.target - max(tested)) * len(tested) / (1.5 * self.penalty_total))
        if self.bonus_target:
            # A total falls that far only in good deals.
            left = min(left, (self.bonus_target + min(tested)) / self.swing)
        return max(1.0, left) if left < inf else 1.0
