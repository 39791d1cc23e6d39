"""How good the totals are for a side, when the match is not over yet."""

from __future__ import annotations

from math import exp, sqrt

from heartsrules.errors import InvalidSeat
from heartsrules.rules import Rules, Seat, TargetScope
from heartsrules.state import AwaitingDeal, GameOver
from heartsrules.values import checked_int, wrong_type

__all__ = ["prospects"]


def prospects(state: AwaitingDeal | GameOver, seat: Seat) -> float:
    """How likely the side of a seat is to win the match, judged by the totals alone: from 0 to 1.

    When the game is over it is 1 for the winners and 0 for the others. Before that, every side is taken to play the
    rest equally well: a lead counts for more when less is left to play. It is a rule of thumb, not a measurement;
    bots maximise it, which makes them care for their own points, for who gets the others, and for the end of the match.

    >>> from heartsrules import Rules, new_game
    >>> prospects(new_game(Rules()), 2)
    0.25

    Raises:
        InvalidSeat: the table has no such seat.
        TypeError: `state` is neither an `AwaitingDeal` nor a `GameOver`, or `seat` is not an int.
    """
    if not isinstance(state, (AwaitingDeal, GameOver)):
        wrong_type("state", "an AwaitingDeal or a GameOver", state)
    rules = state.rules
    if not 0 <= checked_int("seat", seat) < rules.players:
        raise InvalidSeat(seat, rules.players)
    if isinstance(state, GameOver):
        return 1.0 if seat in state.winners else 0.0
    totals = [sum([state.scores[member] for member in side]) for side in rules.sides]
    own = totals[rules.side(seat)]
    width = _swing(rules) * sqrt(_deals_left(rules, state.scores, totals, state.deal_number))
    # Beyond 40 widths a side has no chance either way, and exp would overflow far beyond.
    return 1 / sum([exp(max(-40.0, min(40.0, (own - total) / width))) for total in totals])


def _swing(rules: Rules) -> float:
    """How far one deal moves a total, roughly."""
    points = float(rules.penalty_total + sum([bonus.points for bonus in rules.bonuses]))
    if rules.doubler is not None:
        points *= 1 + (rules.doubler.factor - 1) / rules.players
    return max(1.0, points / len(rules.sides))


def _deals_left(rules: Rules, scores: tuple[int, ...], totals: list[int], played: int) -> float:
    """How many deals the match will go on for, roughly; at least one."""
    tested = list(scores) if rules.target_scope is TargetScope.PLAYER else totals
    left = []
    if rules.max_deals is not None:
        left.append(float(rules.max_deals - played))
    if rules.target is not None and rules.penalty_total:
        # The side that is ahead in points takes more than its share of each deal.
        left.append((rules.target - max(tested)) * len(tested) / (1.5 * rules.penalty_total))
    if rules.bonus_target is not None:
        # A total falls as far only in deals that go well.
        left.append((rules.bonus_target + min(tested)) / _swing(rules))
    return max(1.0, min(left, default=1.0))
