"""Estimate the value of a seat's moves with playouts of sampled worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import erfc, exp, inf, log, pi, sqrt
from operator import attrgetter
from time import monotonic
from typing import Final, NamedTuple

import attrs

from heartsrules.analysis.allocation import promising_passes, try_where_close
from heartsrules.analysis.calibration import FAILED, Correction
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.analysis.trials import Outcomes, Played, Trials, Tried, judging, policy_for
from heartsrules.base.errors import in_words
from heartsrules.base.values import checked_count, wrong_type
from heartsrules.chance import Bits, RandomStream, as_stream
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import Move, Play
from heartsrules.play.stateless import display_score
from heartsrules.rules import Rules, Seat
from heartsrules.views import PassingView, View

MOST_MOVES: Final = 24
"""The default limit on passes or exposures tried, since a hand can have millions."""
_WORLDS: Final = 100
_Z: Final = 1.96
"""Half the width of a normal 95 % interval, in standard errors."""
_WIDTH: Final = 2.2
"""Half the width of a 95 % interval of points or win chances, in standard errors.

It exceeds `_Z` because rare moons skew the distribution. `bench/calibration.py cover` measures the coverage.
"""
_FEW: Final = 1.2
"""The widening of intervals for few worlds, similar to Student's distribution.

The factor is 1 + `_FEW` / (worlds - 1).
"""
_SCREENED: Final = 3
"""The number of passes screened per world of the main search."""
_CLOSE_PASSES: Final = 5
"""The most worlds for close passes, in multiples of the usual number."""
_TOGETHER: Final = 16
"""The minimum batch of worlds for a batch policy."""
_UNSEEN: Final = 1
"""The worlds by which each moon still possible widens the points interval.

Such a moon might not have occurred in any sampled world.
"""
COSTS: Final = (0.31, 0.054)
"""The prior scales of a cost in value, above and below 0.

They parametrise an asymmetric Laplace distribution, in standard deviations of the difference between two moves over the
worlds. Measured by `bench/review_proof.py prior`.
"""
BATCH_COSTS: Final = (0.33, 0.11)
"""The same scales for playouts by `heartsrules.bots.Learned`."""


@attrs.frozen
class AssessedMove:
    """The expected results of a move, each with a 95 % interval.

    The chance of an event that happened in no sampled world has an interval from 0 to about 4 / `worlds` (Wilson's).

    Attributes:
        move: the move.
        points: the expected points of the seat's side in the deal.
        points_interval: the 95 % interval of `points`, or None if only one world was sampled.
        moon: the chance, from 0 to 1, that the seat's side shoots the moon.
        moon_interval: its 95 % interval.
        moon_against: the chance that another side shoots the moon.
        moon_against_interval: its 95 % interval.
        win: the chance that the side wins the match, estimated by `prospects`.
        win_interval: its 95 % interval.
        value: the ranking key, which is `win` plus a small bonus for having fewer points.
    """

    move: Move
    points: float
    points_interval: tuple[float, float] | None
    moon: float
    moon_interval: tuple[float, float]
    moon_against: float
    moon_against_interval: tuple[float, float]
    win: float
    win_interval: tuple[float, float]
    value: float


@attrs.frozen
class Assessment:
    """A seat's assessed moves, the best one first.

    Attributes:
        view: the seat's view.
        moves: the assessed moves, at least one, best first: moves tried in more worlds first, and then by falling
            `value`.
        worlds: the number of worlds in which the best move was tried.
    """

    view: View
    moves: tuple[AssessedMove, ...]
    worlds: int

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self.view.rules

    @property
    def seat(self) -> Seat:
        """The seat whose moves are assessed."""
        assert self.view.seat is not None
        return self.view.seat

    @property
    def best(self) -> AssessedMove:
        """The best move."""
        return self.moves[0]

    def shown(self, points: float) -> float:
        """Return points with the sign of displayed totals, negated if the highest wins."""
        raises = display_score(self.rules, 1) > display_score(self.rules, 0)
        return points if raises else 0.0 - points

    def of(self, move: Move) -> AssessedMove | None:
        """Return the assessment of a move, or None if it was not tried."""
        if not isinstance(move, Move):
            wrong_type("move", "a move", move)
        return next((each for each in self.moves if each.move == move), None)


def assess(
    view: View,
    rng: Bits,
    *,
    worlds: int | None = None,
    seconds: float | None = None,
    policy: Policy | BatchPolicy | None = Watchful(),  # noqa: B008 - it is immutable
    moves: Iterable[Move] | None = None,
) -> Assessment:
    """Estimate the results of a seat's moves using only its view.

    Each move is made in every sampled world, and a playout finishes the deal. All moves get the same worlds and random
    numbers. Moves within two standard errors of the best are then tried in more worlds: in up to twice the number in
    all, and passes in up to five times. By default, at most `MOST_MOVES` moves are tried: the passes that look best in
    a few other worlds, or the first exposures.

    Strong players shoot more moons than playout policies do. In the usual game (four players, one deck, 26 points) the
    results are corrected for this with figures from self-play.

    With `policy=Learned()` from `heartsrules.bots` a network plays every seat, which takes longer and requires the
    extra `learned`. Worlds are weighted by the likelihood of the play so far, which widens the intervals. The network
    proposes half of the passes tried. The corrections are based on deals between learned players. If the network does
    not cover the rules (`Learned.covers`) or part of the deal's history is missing, `Watchful()` is used instead.

    Args:
        view: the view of a seat that must pass, expose cards, play, or choose the effect of its moon.
        rng: a source of random bits. Equal views and bits give equal assessments, unless `seconds` is given.
        worlds: the number of worlds for every move. Defaults to 100, with more for close moves if `seconds` allows.
        seconds: the approximate wall-clock limit. At least two worlds are sampled unless `worlds` is 1, and at least 16
            with a `BatchPolicy`. The search ends at whichever limit it reaches first. Unlimited by default. It must be
            finite if `worlds` is None.
        policy: the policy of all players in the playouts, or None for uniformly random moves.
        moves: the moves to try. Defaults to the legal ones.

    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> from heartsrules.chance import RandomStream
    >>> start = new_game(presets.cardstock())
    >>> seen = view(apply(start, deal(start, seed=7)), 0)
    >>> assessment = assess(seen, RandomStream("any"), worlds=20)
    >>> assessment.worlds, len(assessment.moves), assessment.best.moon
    (40, 9, 0.0)

    Raises:
        ValueError: the seat has no decision, `moves` is empty or contains an illegal move, a number is too low, or the
            search would never end.
        InvalidState: the position was set up without its history, so no worlds can be sampled.
        TooManyWorlds: the view has too many worlds to count.
    """
    if worlds is not None:
        checked_count("worlds", worlds)
    if seconds is not None:
        if not seconds >= 0:
            raise ValueError(f"seconds is {in_words(seconds)}: choose 0 or more")
        if seconds == inf and worlds is None:
            raise ValueError("seconds is inf: without a number of worlds it would never end")
    stream = as_stream(rng)
    count = _WORLDS if worlds is None else worlds
    began = monotonic()
    tried = candidates(view, moves, policy, stream, count, None if seconds is None else seconds / 2)
    if seconds is not None:
        seconds = max(0.0, seconds - (monotonic() - began))
    policy, correction, moons = judging(view, policy)
    trials = Trials(view, tried, stream, policy, correction=correction)
    batch = isinstance(policy, BatchPolicy)
    most: float | None = _CLOSE_PASSES * count if isinstance(view, PassingView) and not batch else None
    if worlds is None and seconds is not None:
        most = inf
    least = min(count, _TOGETHER) if batch else 1
    left = set(try_where_close(trials, count, most=most, every=True, seconds=seconds, least=least))
    ranked = [
        (place in left, assessed_move(move, sums, correction, moons))
        for place, (move, sums) in enumerate(zip(tried, trials.tried, strict=True))
    ]
    ranked.sort(key=lambda each: (each[0], each[1].value), reverse=True)
    drawn = max([len(sums.values) for sums in trials.tried])
    return Assessment(view, tuple([each for _, each in ranked]), drawn)


def candidates(
    view: View,
    moves: Iterable[Move] | None,
    policy: Policy | BatchPolicy | None,
    stream: RandomStream,
    worlds: int,
    seconds: float | None = None,
) -> list[Move]:
    """Check or select the moves to try, screening passes in other worlds if necessary."""
    # Draw a word in any case, so that screened and named passes are tried in the same worlds.
    screening = RandomStream.from_bits(stream.word()) if isinstance(view, PassingView) else stream
    legal: Sequence[Move] = legal_moves(view)
    if not legal:
        who = "a spectator" if view.seat is None else f"seat {view.seat}"
        raise ValueError(f"{who} has nothing to do: assess the views of the seats of to_act alone")
    if moves is None:
        if isinstance(view, PassingView) and len(legal) > MOST_MOVES:
            policy = policy_for(view, policy)
            found = promising_passes(view, policy, screening, MOST_MOVES, worlds, _SCREENED * worlds, seconds=seconds)
            return list(found)
        return list(legal[:MOST_MOVES]) if not isinstance(legal[0], Play) else list(legal)
    named: list[Move] = []
    for move in moves:
        if move not in legal:
            raise ValueError(f"this is not a legal move of seat {view.seat}: {in_words(move)}")
        if move not in named:
            named.append(move)
    if not named:
        raise ValueError("moves is empty: give at least one, or None for the legal ones")
    return named


def assessed_move(move: Move, tried: Tried, correction: Correction, moons: Sequence[tuple[int, int]]) -> AssessedMove:
    """Compute a move's corrected expected results from its running totals."""
    drawn = tried.plain.worlds + tried.moon.worlds + tried.against.worlds
    correction = correction.at(tried.moon.worlds, drawn)
    weights = (1.0, correction.moon, correction.against)
    kinds = tuple(zip((tried.plain, tried.moon, tried.against), weights, strict=True))
    # Worlds of unequal weights are worth fewer equal ones (Kish's effective sample size).
    scale = drawn / tried.squares
    count = scale * drawn
    total = scale * sum([weight * kind.worlds for kind, weight in kinds])

    def mean(figures: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
        sums = zip(kinds, figures, strict=True)
        return _mean([(weight, scale * kind.worlds, scale * one, scale * two) for (kind, weight), (one, two) in sums])

    points, error, spread = mean([(kind.points, kind.points_squared) for kind, _ in kinds])
    error = sqrt(error**2 + sum([_UNSEEN * (weights[kind] * (worth - points) / total) ** 2 for kind, worth in moons]))
    win, win_error, _ = mean([(kind.win, kind.win_squared) for kind, _ in kinds])

    def chance(kind: Outcomes, weight: float) -> tuple[float, tuple[float, float]]:
        worlds = scale * kind.worlds
        others = count - worlds
        beside = (total - weight * worlds) / others if others else 1.0
        return weight * worlds / total, _chance_interval(worlds, count, weight / beside)

    moon, moon_interval = chance(tried.moon, correction.moon)
    points += correction.points * spread + correction.lost * ((1 - moon) * FAILED - points)
    against, against_interval = chance(tried.against, correction.against)
    # One world has no deviation.
    width = _WIDTH * (1 + _FEW / (count - 1)) if count > 1 else inf
    return AssessedMove(
        move,
        points,
        (points - width * error, points + width * error) if count > 1 else None,
        moon,
        moon_interval,
        against,
        against_interval,
        win,
        (max(0.0, win - width * win_error), min(1.0, win + width * win_error)) if count > 1 else (0.0, 1.0),
        corrected_value(tried, correction),
    )


def corrected_value(tried: Tried, correction: Correction) -> float:
    correction = correction.at(tried.moon.worlds, len(tried.values))
    kinds = ((tried.plain, 1.0), (tried.moon, correction.moon), (tried.against, correction.against))
    return sum([weight * kind.value for kind, weight in kinds]) / sum([weight * kind.worlds for kind, weight in kinds])


class Difference(NamedTuple):
    """The difference between two moves in one figure, over the worlds tried.

    Attributes:
        mean: the mean difference.
        low: the lower end of its 95 % interval.
        high: the upper end of its 95 % interval.
    """

    mean: float
    low: float
    high: float


class Cost(NamedTuple):
    """The cost of a move relative to the best one."""

    value: Difference
    points: Difference
    win: Difference


def difference(
    one: Sequence[Played], other: Sequence[Played], correction: Correction, figure: Callable[[Played], float]
) -> tuple[float, list[float]]:
    """Compare two moves tried in the same worlds.

    Effects shared by both moves in a world cancel, which narrows the interval.

    Returns:
        The mean difference, and each world's deviation from it.
    """
    means: list[float] = []
    deviations: list[list[float]] = []
    for results in (one, other):
        own = correction.at(sum([each.shot == 1 for each in results]), len(results))
        weights = (1.0, own.moon, own.against)
        weighed = [(weights[each.shot] * each.weight, figure(each)) for each in results]
        total = sum([weight for weight, _ in weighed])
        mean = sum([weight * value for weight, value in weighed]) / total
        means.append(mean)
        deviations.append([weight * (value - mean) * len(results) / total for weight, value in weighed])
    return means[0] - means[1], [a - b for a, b in zip(*deviations, strict=True)]


def cost_of(
    made: Sequence[Played], best: Sequence[Played], correction: Correction, prior: tuple[float, float] = COSTS
) -> Cost:
    """Estimate the cost of a move relative to the best one over the same worlds.

    At least two worlds are required. Moves that look bad were also unlucky, so the cost in value is a posterior mean,
    and regressions on it adjust points and win chance.
    """
    pairs = ((best, made, "value"), (made, best, "points"), (best, made, "win"))
    found = [difference(one, other, correction, attrgetter(figure)) for one, other, figure in pairs]
    mean, deviations = found[0]
    count = len(deviations)
    effective = effective_worlds(made)
    errors = [sqrt(sum([each * each for each in own]) / (count * (count - 1))) for _, own in found]
    error = errors[0]
    # Both regressions divide by the sum of the squared deviations.
    change = _shrunk(mean / error, sqrt(effective), prior) / (error * count * (count - 1)) if error > 0 else 0.0
    costs: list[Difference] = []
    for (raw, own), half in zip(found, [_WIDTH * (1 + _FEW / (effective - 1)) * each for each in errors], strict=True):
        posterior = raw + change * sum([a * b for a, b in zip(own, deviations, strict=True)])
        costs.append(Difference(posterior, posterior - half, posterior + half))
    return Cost(*costs)


def effective_worlds(played: Sequence[Played]) -> float:
    """Return the effective sample size of weighted worlds, at least 2."""
    weights = [each.weight for each in played]
    return max(2.0, sum(weights) ** 2 / sum([weight * weight for weight in weights]))


def _shrunk(mean: float, deviation: float, prior: tuple[float, float]) -> float:
    """Compute the posterior mean of a cost minus its mean, all in standard errors."""
    above, below = [1 / (scale * deviation) for scale in prior]
    # Integrals of both sides of the prior, each times a normal density around the mean, in logarithms.
    up = above * above / 2 - above * mean + _log_normal(mean - above)
    down = below * below / 2 + below * mean + _log_normal(-mean - below)
    weight = 1 / (1 + exp(max(-700.0, min(700.0, down - up))))
    return below * (1 - weight) - above * weight


def _log_normal(limit: float) -> float:
    """Compute the logarithm of the standard normal distribution function."""
    if limit > -30:
        return log(erfc(-limit / sqrt(2)) / 2)
    # Its asymptotic expansion.
    return -limit * limit / 2 - log(-limit * sqrt(2 * pi))


def _mean(sums: Sequence[tuple[float, float, float, float]]) -> tuple[float, float, float]:
    """Compute a weighted mean, its standard error, and the standard deviation.

    Args:
        sums: for each kind of world, its weight, the number of worlds, and the sums of the values and their squares.
    """
    count = sum([worlds for _, worlds, _, _ in sums])
    total = sum([weight * worlds for weight, worlds, _, _ in sums])
    mean = sum([weight * values for weight, _, values, _ in sums]) / total
    # Rounding must not make a sum of squares negative.
    squares = [max(0.0, squared - 2 * mean * values + worlds * mean**2) for _, worlds, values, squared in sums]
    weights = [weight for weight, _, _, _ in sums]
    # A heavy world that is far from the mean moves it most.
    error = sqrt(sum([weight**2 * each for weight, each in zip(weights, squares, strict=True)])) / total
    spread = sqrt(sum([weight * each for weight, each in zip(weights, squares, strict=True)]) / total)
    return mean, error * sqrt(count / (count - 1)) if count > 1 else inf, spread


def _chance_interval(times: float, worlds: float, odds: float) -> tuple[float, float]:
    """Compute Wilson's 95 % interval of a chance, with the odds scaled by `odds`."""
    share, square = times / worlds, _Z * _Z / worlds
    middle = share + square / 2
    half = _Z * sqrt(share * (1 - share) / worlds + square / worlds / 4)
    # A rounding error must not look like a chance above 0.
    low, high = [max(0.0, end / (1 + square)) if end > 1e-12 else 0.0 for end in (middle - half, middle + half)]
    return low * odds / (1 - low + low * odds), high * odds / (1 - high + high * odds)
