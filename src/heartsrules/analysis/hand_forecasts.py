"""Forecast a newly dealt hand's result relative to an average deal."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from math import sqrt
from typing import Any, Final

import attrs

from heartsrules.analysis.passes import drawn_pass
from heartsrules.analysis.playout import playout
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.analysis.rollouts import score
from heartsrules.analysis.trials import Trials, judging
from heartsrules.chance import RandomStream
from heartsrules.play.dealing import deal
from heartsrules.play.engine import apply, new_game
from heartsrules.play.state import Passing, Playing, State
from heartsrules.play.view_selection import view_of
from heartsrules.rules import Rules, Seat
from heartsrules.views import View

__all__ = ["HandForecast", "average_points", "hand_forecast", "stream_for"]
__dir__ = __all__.copy

_DEALS: Final = 400
"""The number of deals that determine the average."""


@attrs.frozen
class HandForecast:
    """A deal's expected result from a view, with all seats using the playout policy.

    Attributes:
        points: the expected points of the seat's side in the deal.
        points_error: its standard error.
        win: the chance that the side wins the match.
    """

    points: float
    points_error: float
    win: float


def hand_forecast(
    view: View,
    stream: RandomStream,
    worlds: int,
    policy: Policy | BatchPolicy | None = Watchful(),  # noqa: B008 - it is immutable
) -> HandForecast:
    """Forecast the deal of a newly dealt hand, over at least two worlds."""
    policy, correction, _ = judging(view, policy)
    trials = Trials(view, [None], stream, policy, keeps=True)
    trials.go_on(worlds, [0])
    weights = (1.0, correction.moon, correction.against)
    played = trials.tried[0].played
    total = sum([weights[each.shot] for each in played])
    points = sum([weights[each.shot] * each.points for each in played]) / total
    deviations = [weights[each.shot] * (each.points - points) * worlds / total for each in played]
    win = sum([weights[each.shot] * each.win for each in played]) / total
    return HandForecast(points, standard_error(deviations), win)


def stream_for(state: State, seat: Seat, seed: str = "review") -> RandomStream:
    """Return the stream from which a review draws the worlds of a decision.

    It depends on the decision's position in the match. For the forecast of a hand, `state` is the one before the deal.
    """
    trick = state.trick_number if isinstance(state, Playing) else "-"
    return RandomStream(f"{seed}/{state.deal_number}/{state.phase}/{trick}/{seat}")


def standard_error(deviations: Sequence[float]) -> float:
    """Compute the standard error of a mean from the deviations of at least two worlds."""
    count = len(deviations)
    return sqrt(sum([each * each for each in deviations]) / (count * (count - 1)))


def average_points(
    rules: Rules,
    deals: int = _DEALS,
    policy: Policy | BatchPolicy | None = Watchful(),  # noqa: B008 - it is immutable
) -> float:
    """Estimate a side's average points in a deal from forecasts of dealt hands."""
    if isinstance(policy, Hashable):
        return _remembered(rules, deals, policy)
    return _average_points(rules, deals, policy)


def _average_points(rules: Rules, deals: int, policy: Policy | BatchPolicy | None) -> float:
    start = new_game(rules)
    streams = [RandomStream(f"average/{number}") for number in range(deals)]
    states: list[Any] = [apply(start, deal(start, seed=f"average/{number}")) for number in range(deals)]
    policy, correction, _ = judging(view_of(states[0], 0), policy)
    if isinstance(states[0], Passing):
        step = rules.pass_plan(0)
        for number, stream in enumerate(streams):
            for seat, hand in enumerate(states[number].hands):
                states[number] = apply(states[number], drawn_pass(rules, step, seat, hand, stream))
    rows: list[tuple[Sequence[int], int | None]] = []
    if policy is None or isinstance(policy, Policy):
        for state, stream in zip(states, streams, strict=True):
            row = playout(state, stream, policy=policy).score_sheet[-1]
            rows.append((row.points, row.shooter))
    else:
        for board in policy.finish(states):
            score(board.resolved, board, 0)
            rows.append(([each.points for each in board.seats], None if board.shooter < 0 else board.shooter))
    points = total = 0.0
    for by_seat, shooter in rows:
        for side in rules.sides:
            shot = correction.moon if shooter in side else correction.against
            weight = 1.0 if shooter is None else shot
            points += weight * sum([by_seat[seat] for seat in side])
            total += weight
    return points / total


_remembered: Final = lru_cache(maxsize=64)(_average_points)
