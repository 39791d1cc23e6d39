"""Estimate the worth of a seat's moves by playouts of worlds that agree with its view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import erfc, exp, inf, log, pi, sqrt
from operator import attrgetter
from time import monotonic
from typing import Final, NamedTuple

import attrs

from heartsrules.analysis.allocation import promising_passes, try_where_close
from heartsrules.analysis.calibration import Correction
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
"""The most passes or exposures that are tried if no moves are named: a hand may have millions."""
_WORLDS: Final = 100
_Z: Final = 1.96
"""Half the width of a normal 95 % interval, in standard errors."""
_WIDTH: Final = 2.2
"""Half the width of a 95 % interval of points or chances to win, in standard errors. It is more than `_Z`, because rare
moons make these skewed: `bench/calibration.py cover` tells how many are covered."""
_FEW: Final = 1.2
"""The widening of an interval for few worlds: it is 1 + `_FEW` / (worlds - 1) times as wide, nearly as by Student's
distribution."""
_SCREENED: Final = 3
"""How many passes are screened for each world in which the best of them are tried."""
_CLOSE_PASSES: Final = 5
"""The most worlds for close passes, in multiples of the usual number."""
_TOGETHER: Final = 16
"""The number of worlds that a batch policy plays in together at least."""
_UNSEEN: Final = 1
"""The number of worlds by which each moon that may still be shot widens the interval of the points: it may have been in
none that was drawn."""
COSTS: Final = (0.31, 0.054)
"""The prior of a cost in value, above 0 and below 0: the scales of an asymmetric Laplace distribution, in standard
deviations of the difference between both moves over the worlds. Measured by `bench/review_proof.py prior`."""
BATCH_COSTS: Final = (0.33, 0.11)
"""The same for the playouts of `heartsrules.bots.Learned`."""


@attrs.frozen
class AssessedMove:
    """The expected results of a move, each with a 95 % interval.

    An interval is for the result of very many worlds, and narrows as more worlds are drawn. The chance of an event that
    happened in no world, such as a moon, has an interval from 0 to about 4 / `worlds` (Wilson's).
    """

    move: Move
    points: float
    """The expected points of the seat's side in the deal, as in `DealScore.points`; a team's are added up."""
    points_interval: tuple[float, float] | None
    """The 95 % interval of `points`; None if only one world was drawn."""
    moon: float
    """The chance, from 0 to 1, that the side of the seat shoots the moon."""
    moon_interval: tuple[float, float]
    moon_against: float
    """The chance that another side shoots the moon."""
    moon_against_interval: tuple[float, float]
    win: float
    """The chance that the side wins the match, as `prospects` judges the totals after the deal."""
    win_interval: tuple[float, float]
    value: float
    """The sort key of the ranking: `win`, and a little for fewer points than the other sides."""


@attrs.frozen
class Assessment:
    """The assessed moves of a seat, the best one first."""

    rules: Rules
    """The rules of the match."""
    seat: Seat
    moves: tuple[AssessedMove, ...]
    """The assessed moves, at least one, by falling `value`; those that were tried in more worlds come first."""
    worlds: int
    """The number of worlds that the best move was tried in."""

    @property
    def best(self) -> AssessedMove:
        """The best move."""
        return self.moves[0]

    def shown(self, points: float) -> float:
        """The change of a total by these points, as `display_score` shows it: negative where the highest total wins."""
        raises = display_score(self.rules, 1) > display_score(self.rules, 0)
        return points if raises else 0.0 - points

    def of(self, move: Move) -> AssessedMove | None:
        """The assessment of one move; None if it was not tried."""
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
    """Estimate the results of a seat's moves from what that seat may know.

    Worlds that agree with the view are drawn. In each world every move is made, and a playout finishes the deal. All
    moves are tried in the same worlds with the same random numbers, so that differences are due to the moves. Those
    that are not worse than the best one by two standard errors are then tried in up to as many worlds again, passes in
    up to five times as many. At most `MOST_MOVES` moves are tried: of more passes those that look best in a few other
    worlds, and the first exposures.

    Good players shoot more moons than the policies of playouts, and leave more points to the others. In the usual game
    (four players, one deck, 26 points) the figures are corrected for that, by the results of self-play
    (`heartsrules.analysis.calibration`); in other games they are those of the playouts.

    With `policy=Learned()` of `heartsrules.bots` a network plays in every seat, which takes longer and needs the extra
    `learned`. A world counts the more, the likelier the network thinks the play so far was in it, and the intervals are
    wider for that. Half of the passes tried are those that it likes best. Its corrections are those of deals between
    learned players. Where it does not play by the rules (`Learned.covers`), or some of the deal's history is missing,
    `Watchful()` stands in.

    Args:
        view: the view of a seat that is to act: to pass, show cards, play, or choose the effect of its moon.
        rng: a source of random bits. Equal views and equal bits give equal assessments, unless `seconds` is given.
        worlds: the number of worlds for every move; None: 100, and as many as `seconds` allow for close moves.
        seconds: the rough wall-clock limit; at least two worlds are drawn, unless `worlds` is 1, and 16 at once by a
            `BatchPolicy`. With both limits the first one reached ends the search. None: no limit. It must be finite if
            `worlds` is None.
        policy: the policy of all players in the playouts; None: uniformly random moves.
        moves: the moves to try; None: the legal ones.

    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> from heartsrules.chance import RandomStream
    >>> start = new_game(presets.cardstock())
    >>> seen = view(apply(start, deal(start, seed=7)), 0)
    >>> assessment = assess(seen, RandomStream("any"), worlds=20)
    >>> assessment.worlds, len(assessment.moves), assessment.best.moon
    (40, 9, 0.0)

    Raises:
        ValueError: the seat has nothing to do, `moves` is empty or has an illegal move, a number is too low, or the
            search would never end.
        InvalidState: the position was set up without its history, so that no worlds can be drawn of it.
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
    trials = Trials(view, tried, stream, policy, moons=(correction.moon, correction.against))
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
    assert view.seat is not None
    drawn = max([len(sums.values) for sums in trials.tried])
    return Assessment(view.rules, view.seat, tuple([each for _, each in ranked]), drawn)


def candidates(
    view: View,
    moves: Iterable[Move] | None,
    policy: Policy | BatchPolicy | None,
    stream: RandomStream,
    worlds: int,
    seconds: float | None = None,
) -> list[Move]:
    """Check `moves`, and select the moves to try; many passes are screened in other worlds first."""
    # A word in any case: the worlds that follow are the same, whether passes are screened or named.
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


def assessed_move(move: Move, tried: Tried, correction: Correction, moons: Sequence[tuple[float, int]]) -> AssessedMove:
    """The expected results of a move from its running totals, corrected."""
    kinds = ((tried.plain, 1.0), (tried.moon, correction.moon), (tried.against, correction.against))
    drawn = sum([kind.worlds for kind, _ in kinds])
    # Worlds of unequal weights tell as much as fewer equal ones (Kish's effective size of a sample).
    scale = drawn / tried.squares
    count = scale * drawn
    total = scale * sum([weight * kind.worlds for kind, weight in kinds])

    def mean(figures: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
        sums = zip(kinds, figures, strict=True)
        return _mean([(weight, scale * kind.worlds, scale * one, scale * two) for (kind, weight), (one, two) in sums])

    points, error, spread = mean([(kind.points, kind.points_squared) for kind, _ in kinds])
    error = sqrt(error**2 + sum([_UNSEEN * (weight * (worth - points) / total) ** 2 for weight, worth in moons]))
    win, win_error, _ = mean([(kind.win, kind.win_squared) for kind, _ in kinds])
    points += correction.points * spread

    def chance(kind: Outcomes, weight: float) -> tuple[float, tuple[float, float]]:
        worlds = scale * kind.worlds
        others = count - worlds
        beside = (total - weight * worlds) / others if others else 1.0
        return weight * worlds / total, _chance_interval(worlds, count, weight / beside)

    moon, moon_interval = chance(tried.moon, correction.moon)
    if correction.line is not None:
        times = scale * tried.moon.worlds
        low, high = _chance_interval(times, count, 1.0)
        moon = correction.read_off(times, count)
        moon_interval = (
            correction.read_off(low * count, count) if low > 0 else 0.0,
            correction.read_off(high * count, count) if high < 1 else 1.0,
        )
    against, against_interval = chance(tried.against, correction.against)
    # One world tells nothing about another.
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
    """The mean value of a move, by which moves are ranked."""
    kinds = ((tried.plain, 1.0), (tried.moon, correction.moon), (tried.against, correction.against))
    return sum([weight * kind.value for kind, weight in kinds]) / sum([weight * kind.worlds for kind, weight in kinds])


class Difference(NamedTuple):
    """The mean of a figure after one move less that after another one, with a 95 % interval."""

    mean: float
    low: float
    high: float


class Cost(NamedTuple):
    """What a move costs beside the best one."""

    value: Difference
    points: Difference
    win: Difference


def difference(
    one: Sequence[Played], other: Sequence[Played], correction: Correction, figure: Callable[[Played], float]
) -> tuple[float, list[float]]:
    """Compare two moves that were tried in the same worlds: the mean difference, and each world's deviation from it.

    What both moves have in common in a world cancels, so that the deviations are smaller than those of the two figures.
    """
    weights = (1.0, correction.moon, correction.against)
    means: list[float] = []
    deviations: list[list[float]] = []
    for results in (one, other):
        weighed = [(weights[each.shot] * each.weight, figure(each)) for each in results]
        total = sum([weight for weight, _ in weighed])
        mean = sum([weight * value for weight, value in weighed]) / total
        means.append(mean)
        deviations.append([weight * (value - mean) * len(results) / total for weight, value in weighed])
    return means[0] - means[1], [a - b for a, b in zip(*deviations, strict=True)]


def cost_of(
    made: Sequence[Played], best: Sequence[Played], correction: Correction, prior: tuple[float, float] = COSTS
) -> Cost:
    """Estimate what a move costs beside the best one, from their results in the same worlds, at least two.

    Of many moves, those that look bad were also unlucky. So the mean in value is a posterior mean, and the same is
    carried over to the points and to the chance to win by their regressions on the value.
    """
    pairs = ((best, made, "value"), (made, best, "points"), (best, made, "win"))
    found = [difference(one, other, correction, attrgetter(figure)) for one, other, figure in pairs]
    mean, deviations = found[0]
    count = len(deviations)
    effective = effective_worlds(made)
    errors = [sqrt(sum([each * each for each in own]) / (count * (count - 1))) for _, own in found]
    error = errors[0]
    # The change of the value, by the sum of its squared deviations, which each regression divides by.
    change = _shrunk(mean / error, sqrt(effective), prior) / (error * count * (count - 1)) if error > 0 else 0.0
    costs: list[Difference] = []
    for (raw, own), half in zip(found, [_WIDTH * (1 + _FEW / (effective - 1)) * each for each in errors], strict=True):
        posterior = raw + change * sum([a * b for a, b in zip(own, deviations, strict=True)])
        costs.append(Difference(posterior, posterior - half, posterior + half))
    return Cost(*costs)


def effective_worlds(played: Sequence[Played]) -> float:
    """The number of equal worlds that tell as much as these, which may have weights; at least 2."""
    weights = [each.weight for each in played]
    return max(2.0, sum(weights) ** 2 / sum([weight * weight for weight in weights]))


def _shrunk(mean: float, deviation: float, prior: tuple[float, float]) -> float:
    """The posterior mean less the mean, of a cost with a prior such as `COSTS`, both in standard errors of the mean.

    Args:
        mean: over the worlds, in standard errors.
        deviation: the standard deviation over the worlds, in standard errors.
        prior: the scales.
    """
    above, below = [1 / (scale * deviation) for scale in prior]
    # Integrals of both sides of the prior, each times a normal density around the mean, in logarithms.
    up = above * above / 2 - above * mean + _log_normal(mean - above)
    down = below * below / 2 + below * mean + _log_normal(-mean - below)
    weight = 1 / (1 + exp(max(-700.0, min(700.0, down - up))))
    return below * (1 - weight) - above * weight


def _log_normal(limit: float) -> float:
    """The logarithm of the standard normal distribution function."""
    if limit > -30:
        return log(erfc(-limit / sqrt(2)) / 2)
    # Its asymptotic expansion.
    return -limit * limit / 2 - log(-limit * sqrt(2 * pi))


def _mean(sums: Sequence[tuple[float, float, float, float]]) -> tuple[float, float, float]:
    """A mean over weighted worlds, its standard error, and the standard deviation over the worlds.

    Args:
        sums: by kind of world, the weight of each, their number, and the sums of the values and of their squares.
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
    """Wilson's 95 % interval of a chance, with the odds of both ends multiplied by `odds`."""
    share, square = times / worlds, _Z * _Z / worlds
    middle = share + square / 2
    half = _Z * sqrt(share * (1 - share) / worlds + square / worlds / 4)
    # A rounding error must not look like a chance above 0.
    low, high = [max(0.0, end / (1 + square)) if end > 1e-12 else 0.0 for end in (middle - half, middle + half)]
    return low * odds / (1 - low + low * odds), high * odds / (1 - high + high * odds)
