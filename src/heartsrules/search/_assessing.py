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
from heartsrules.search.passes import likely_passes
from heartsrules.search.policies import Policy, Watchful
from heartsrules.search.trials import Trials, Tried
from heartsrules.views import PassingView, View

__all__ = ["MOST_MOVES", "AssessedMove", "Assessment", "assess"]

MOST_MOVES: Final = 24
"""So many passes, or exposures, are tried if no moves are named: a hand may have millions."""
_WORLDS: Final = 100
_AT_ONCE: Final = 2
"""So many worlds are drawn between two looks at the clock."""


@attrs.frozen
class AssessedMove:
    """What a move is expected to lead to. An error is a standard error: two in three guesses are as near as that.

    It is worked out from how much the worlds differ that were drawn. So it is infinite for one world, and 0 for what
    was the same in all of them, such as a moon that nobody shot in any: rare things need many worlds.
    """

    move: Move
    points: float
    """The points of the deal for the side of the seat, as in `DealScore.points`; of a team, those of all members."""
    points_error: float
    moon: float
    """How likely it is, from 0 to 1, that the side of the seat shoots the moon."""
    moon_error: float
    moon_against: float
    """How likely it is that another side does."""
    moon_against_error: float
    win: float
    """How likely the side is to win the match, as `prospects` judges the totals after the deal."""
    win_error: float
    value: float
    """What the moves are compared by: `win`, and a little for fewer points than the others."""


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
    found = [_assessed(move, sums) for move, sums in zip(tried, trials.tried, strict=True)]
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


def _assessed(move: Move, tried: Tried) -> AssessedMove:
    count = tried.worlds
    return AssessedMove(
        move,
        tried.points / count,
        _error(count, tried.points, tried.points_squared),
        tried.moons / count,
        _error(count, tried.moons, tried.moons),
        tried.moons_against / count,
        _error(count, tried.moons_against, tried.moons_against),
        tried.win / count,
        _error(count, tried.win, tried.win_squared),
        tried.value / count,
    )


def _error(count: int, total: float, squares: float) -> float:
    """The standard error of a mean; infinite for one value, which does not tell."""
    if count < 2:
        return inf
    variance = (squares - total * total / count) / (count - 1)
    return sqrt(max(0.0, variance) / count)
