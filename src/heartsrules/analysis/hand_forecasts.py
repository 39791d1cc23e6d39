"""Forecasts of deals: what a hand that was just dealt is worth, beside an average deal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import Final

import attrs

from heartsrules.analysis.calibration import correction_of
from heartsrules.analysis.passes import drawn_pass
from heartsrules.analysis.playout import playout
from heartsrules.analysis.policies import Watchful
from heartsrules.analysis.trials import Trials
from heartsrules.chance import RandomStream
from heartsrules.play.dealing import deal
from heartsrules.play.engine import apply, new_game
from heartsrules.play.state import Passing
from heartsrules.play.view_selection import view_of
from heartsrules.rules import Rules
from heartsrules.views import View

__all__ = ["HandForecast", "average_points", "hand_forecast", "standard_error"]

_DEALS: Final = 400
"""The number of deals that tell what a deal brings on average."""


@attrs.frozen
class HandForecast:
    """The expected result of a deal from a view, if everybody plays as the playouts do."""

    points: float
    points_error: float
    """The standard error of `points`."""
    win: float


def hand_forecast(view: View, stream: RandomStream, worlds: int) -> HandForecast:
    """Forecast the deal of a hand that has just been dealt, over two worlds or more."""
    trials = Trials(view, [None], stream, Watchful(), keeps=True)
    trials.go_on(worlds, [0])
    correction = correction_of(view)
    weights = (1.0, correction.moon, correction.against)
    played = trials.tried[0].played
    total = sum([weights[each.shot] for each in played])
    points = sum([weights[each.shot] * each.points for each in played]) / total
    deviations = [weights[each.shot] * (each.points - points) * worlds / total for each in played]
    win = sum([weights[each.shot] * each.win for each in played]) / total
    return HandForecast(points, standard_error(deviations), win)


def standard_error(deviations: Sequence[float]) -> float:
    """The standard error of a mean, from the deviations of at least two worlds."""
    count = len(deviations)
    return sqrt(sum([each * each for each in deviations]) / (count * (count - 1)))


@lru_cache(maxsize=64)
def average_points(rules: Rules, deals: int = _DEALS) -> float:
    """The points that a new deal brings a side on average, forecast as for a hand that was dealt."""
    start = new_game(rules)
    points = total = 0.0
    for number in range(deals):
        stream = RandomStream(f"average/{number}")
        state = apply(start, deal(start, seed=f"average/{number}"))
        correction = correction_of(view_of(state, 0))
        if isinstance(state, Passing):
            step = rules.step(0)
            for seat, hand in enumerate(state.hands):
                state = apply(state, drawn_pass(rules, step, seat, hand, stream))
        row = playout(state, stream, policy=Watchful()).deal_scores[-1]
        for side in rules.sides:
            shot = correction.moon if row.shooter in side else correction.against
            weight = 1.0 if row.shooter is None else shot
            points += weight * sum([row.points[seat] for seat in side])
            total += weight
    return points / total
