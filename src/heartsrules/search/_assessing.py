"""What the moves of a seat are worth, as far as that seat can tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, sqrt
from time import monotonic
from typing import Final

import attrs

from heartsrules.base.errors import in_words
from heartsrules.base.values import Unchecked, wrong_item, wrong_type
from heartsrules.chance import Bits, as_stream
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import Move, Play
from heartsrules.play.scoring import display_score
from heartsrules.rules import Rules, Seat
from heartsrules.search.calibration import Correction, correction_of
from heartsrules.search.passes import likely_passes
from heartsrules.search.policies import Policy, Watchful
from heartsrules.search.trials import Outcomes, Trials, Tried
from heartsrules.views import PassingView, View

__all__ = ["MOST_MOVES", "AssessedMove", "Assessment", "assess"]

MOST_MOVES: Final = 24
"""So many passes, or exposures, are tried if no moves are named: a hand may have millions."""
_WORLDS: Final = 100
_Z: Final = 1.96
"""Half the width of a 95 % interval, in standard errors."""
_WIDTH: Final = 2.08
"""The same of points and chances to win, which rare moons make skewed: with it about 95 % were found to be covered."""
_FEW: Final = 1.2
"""How much wider it is with few worlds: nearly as Student's distribution says."""
_AT_ONCE: Final = 2
"""So many worlds are drawn between two looks at the clock."""


@attrs.frozen
class AssessedMove:
    """The expected results of a move, each with a 95 % interval of what very many worlds would have told.

    The worlds that were drawn make an interval as wide as it is. A chance that came up in none of them, such as that of
    a moon, has an interval from 0 to about 4 / `worlds` (Wilson's).
    """

    move: Move
    points: float
    """The points of the deal for the side of the seat, as in `DealScore.points`; of a team, those of all members."""
    points_interval: tuple[float, float] | None
    """None: one world does not tell."""
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
    """What the moves are ranked by: `win`, and a little for fewer points than the others."""


@attrs.frozen
class Assessment:
    """What the moves of a seat are worth, the best move first."""

    rules: Rules
    """Those of the match."""
    seat: Seat
    moves: tuple[AssessedMove, ...]
    """At least one; what is equally good stands in the order of the legal moves."""
    worlds: int
    """In how many worlds every move was tried."""

    @property
    def best(self) -> AssessedMove:
        """The best move."""
        return self.moves[0]

    def shown(self, points: float) -> float:
        """What points do to a total as `display_score` shows it: where the highest total wins, penalties lower it."""
        raises = display_score(self.rules, 1) > display_score(self.rules, 0)
        return points if raises else 0.0 - points

    def of(self, move: Move) -> AssessedMove | None:
        """What was found of a move; None: it was not tried.

        Raises:
            TypeError: `move` is not a move.
        """
        if not isinstance(move, Move):
            wrong_type("move", "a move", move)
        return next((each for each in self.moves if each.move == move), None)


def assess(
    view: View,
    rng: Bits,
    *,
    worlds: Unchecked[int] | None = None,
    seconds: Unchecked[float] | None = None,
    policy: Unchecked[Policy] | None = Watchful(),  # noqa: B008 - it is immutable
    moves: Iterable[Move] | None = None,
) -> Assessment:
    """What every move of a seat is expected to lead to, by what that seat may know.

    Worlds are drawn that agree with the view. In each of them every move is made, and the deal is played on to its end;
    in the last tricks it is solved. All moves are tried in the same worlds, in which the players choose by the same
    random numbers: what differs is due to the moves. Of all passes, or exposures, no more than `MOST_MOVES` are tried:
    those that seem most sensible.

    Good players find more moons than the players of playouts, and take fewer points, which others then have to take.
    In the usual game (four players, one deck, 26 points) the figures are corrected for that, by how deals of self-play
    ended (`heartsrules.search.calibration`); in other games they are those of the playouts.

    Args:
        view: of a seat that has something to do: it passes, shows cards, plays or chooses what its moon does.
        rng: a source of random bits. Equal views and equal bits give equal assessments, unless `seconds` is given.
        worlds: how many worlds to draw; None: as many as the time allows, or without a time 100.
        seconds: how long to take, roughly, by the clock on the wall; two worlds are drawn at least. With `worlds` too
            it ends with whatever comes first. None: there is no limit. Without `worlds` it must be a finite number.
        policy: how all players of the playouts choose; None: uniformly.
        moves: those that are tried; None: the legal ones.

    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> from heartsrules.chance import RandomStream
    >>> start = new_game(presets.cardstock())
    >>> seen = view(apply(start, deal(start, seed=7)), 0)
    >>> assessment = assess(seen, RandomStream("any"), worlds=20)
    >>> assessment.worlds, len(assessment.moves), assessment.best.moon
    (20, 9, 0.0)

    Raises:
        ValueError: the seat has nothing to do, a move is not legal, there is none, a number is too low, or it would
            never end.
        InvalidState: the position was set up without its history, so that no worlds can be drawn of it.
        TypeError: an argument has the wrong type.
    """
    tried = _moves_of(view, moves)
    if worlds is not None:
        if not isinstance(worlds, int) or isinstance(worlds, bool):
            wrong_type("worlds", "an int or None", worlds)
        if worlds < 1:
            raise ValueError(f"worlds is {in_words(worlds)}: choose 1 or more")
    if seconds is not None:
        if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
            wrong_type("seconds", "a number or None", seconds)
        if not seconds >= 0:
            raise ValueError(f"seconds is {in_words(seconds)}: choose 0 or more")
        if seconds == inf and worlds is None:
            raise ValueError("seconds is inf: without a number of worlds it would never end")
    if policy is not None and not isinstance(policy, Policy):
        wrong_type("policy", "a Policy or None", policy)
    trials = Trials(view, tried, as_stream(rng), policy)
    drawn = _draw(trials, worlds, seconds)
    correction = correction_of(view)
    found = [_assessed(move, sums, correction) for move, sums in zip(tried, trials.tried, strict=True)]
    found.sort(key=lambda each: each.value, reverse=True)
    assert view.seat is not None
    return Assessment(view.rules, view.seat, tuple(found), drawn)


def _moves_of(view: object, moves: object) -> list[Move]:
    """The moves that are tried."""
    if not isinstance(view, View):
        wrong_type("view", "a View", view)
    legal: Sequence[Move] = legal_moves(view)
    if not legal:
        who = "a spectator" if view.seat is None else f"seat {view.seat}"
        raise ValueError(f"{who} has nothing to do: assess the views of the seats of to_act alone")
    if moves is None:
        if isinstance(view, PassingView) and len(legal) > MOST_MOVES:
            assert view.seat is not None
            return list(likely_passes(view.rules, view.step, view.seat, view.hand, MOST_MOVES))
        return list(legal[:MOST_MOVES]) if not isinstance(legal[0], Play) else list(legal)
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        wrong_type("moves", "an iterable of moves", moves)
    named: list[Move] = []
    for move in moves:
        if not isinstance(move, Move):
            wrong_item("moves", "moves", move)
        if move not in legal:
            raise ValueError(f"this is not a legal move of seat {view.seat}: {in_words(move)}")
        if move not in named:
            named.append(move)
    if not named:
        raise ValueError("moves is empty: give at least one, or None for the legal ones")
    return named


def _draw(trials: Trials, worlds: int | None, seconds: float | None) -> int:
    """Try all moves in one world after the other, until there are enough or the time is over; how many there were."""
    places = range(len(trials.moves))
    if seconds is None:
        count = _WORLDS if worlds is None else worlds
        trials.go_on(count, places)
        return count
    most = inf if worlds is None else worlds
    until = monotonic() + seconds
    drawn = 0
    while drawn < most:
        at_once = int(min(_AT_ONCE, most - drawn))
        trials.go_on(at_once, places)
        drawn += at_once
        if monotonic() >= until:
            break
    return drawn


def _assessed(move: Move, tried: Tried, correction: Correction) -> AssessedMove:
    kinds = ((tried.plain, 1.0), (tried.moon, correction.moon), (tried.against, correction.against))
    count = sum([kind.worlds for kind, _ in kinds])
    total = sum([weight * kind.worlds for kind, weight in kinds])
    points = sum([weight * kind.points for kind, weight in kinds]) / total
    spread = sqrt(max(0.0, sum([weight * kind.points_squared for kind, weight in kinds]) / total - points * points))
    win = sum([weight * kind.win for kind, weight in kinds]) / total
    win_spread = sqrt(max(0.0, sum([weight * kind.win_squared for kind, weight in kinds]) / total - win * win))
    # The number of equally weighted worlds that would tell as much.
    worth = total * total / sum([weight * weight * kind.worlds for kind, weight in kinds])
    points += correction.points * spread
    half = _half_width(spread, worth)
    win_half = _half_width(win_spread, worth)

    def chance(kind: Outcomes, weight: float) -> tuple[float, tuple[float, float]]:
        others = count - kind.worlds
        beside = (total - weight * kind.worlds) / others if others else 1.0
        return weight * kind.worlds / total, _chance_interval(kind.worlds, count, weight / beside)

    moon, moon_interval = chance(tried.moon, correction.moon)
    against, against_interval = chance(tried.against, correction.against)
    return AssessedMove(
        move,
        points,
        None if half == inf else (points - half, points + half),
        moon,
        moon_interval,
        against,
        against_interval,
        win,
        (max(0.0, win - win_half), min(1.0, win + win_half)),
        sum([weight * kind.value for kind, weight in kinds]) / total,
    )


def _half_width(spread: float, worlds: float) -> float:
    """Half the width of a 95 % interval of a mean; infinite for one world."""
    if worlds < 1.5:
        return inf
    return _WIDTH * (1 + _FEW / (worlds - 1)) * spread / sqrt(worlds - 1)


def _chance_interval(times: int, worlds: int, odds: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a chance, after its odds were multiplied."""
    share, square = times / worlds, _Z * _Z / worlds
    middle = share + square / 2
    half = _Z * sqrt(share * (1 - share) / worlds + square / worlds / 4)
    # A rounding error is no chance.
    low, high = [max(0.0, end / (1 + square)) if end > 1e-12 else 0.0 for end in (middle - half, middle + half)]
    return low * odds / (1 - low + low * odds), high * odds / (1 - high + high * odds)
