"""How good the totals are for a side, when the match is not over yet."""

from __future__ import annotations

from math import exp, sqrt

from heartsrules.rules import Rules, Seat
from heartsrules.state import AwaitingDeal, GameOver

__all__ = ["prospects"]


def prospects(state: AwaitingDeal | GameOver, seat: Seat) -> float:
    """How likely the side of a seat is to win the match, judged by the totals alone: from 0 to 1.

    When the game is over it is 1 for the winners and 0 for the others. Before that, every side is taken to play the
    rest equally well: a lead counts for more when less is left to play. It is a rule of thumb, not a measurement;
    bots maximise it, which makes them care for their own points, for who gets the others, and for the end of the match.

    >>> from heartsrules import Rules, new_game
    >>> prospects(new_game(Rules()), 2)
    0.25
    """
    if isinstance(state, GameOver):
        return 1.0 if seat in state.winners else 0.0
    rules = state.rules
    totals = [sum([state.scores[member] for member in side]) for side in rules.sides]
    own = totals[rules.side(seat)]
    width = _swing(rules) * sqrt(_deals_left(rules, totals, state.deal_number))
    # Beyond 40 widths a side has no chance either way, and exp would overflow far beyond.
    return 1 / sum([exp(max(-40.0, min(40.0, (own - total) / width))) for total in totals])


def _swing(rules: Rules) -> float:
    """How far one deal moves a total, roughly."""
    bonuses = sum([bonus.points for bonus in rules.bonuses])
    return max(1.0, (rules.penalty_total + bonuses) / len(rules.sides))


def _deals_left(rules: Rules, totals: list[int], played: int) -> float:
    """How many deals the match will go on for, roughly; at least one."""
    left = []
    if rules.max_deals is not None:
        left.append(float(rules.max_deals - played))
    if rules.target is not None and rules.penalty_total:
        # The side that is ahead in points takes more than its share of each deal.
        left.append((rules.target - max(totals)) * len(rules.sides) / (1.5 * rules.penalty_total))
    return max(1.0, min(left, default=1.0))
