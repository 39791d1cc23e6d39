"""Try moves in the same sampled worlds, with the same random numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

from heartsrules.analysis._prospects import Forecast
from heartsrules.analysis.calibration import Correction, correction_of, possible_moons
from heartsrules.analysis.card_choice import MOON_NEAR, moon_in
from heartsrules.analysis.likelihood import Likelihood
from heartsrules.analysis.passes import drawn_pass
from heartsrules.analysis.playout import ResolvedPolicy
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.analysis.rollouts import roll_out, score, set_row
from heartsrules.base.values import replaced
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board
from heartsrules.play.engine import apply
from heartsrules.play.moves import Move, Pass
from heartsrules.play.scoring import effect_codes, game_winners, match_over, set_points, side_totals
from heartsrules.play.state import AwaitingDeal, GameOver, Passing, Playing, State
from heartsrules.rules import Seat
from heartsrules.rules import resolved as C
from heartsrules.views import PassingView, PlayingView, View, view
from heartsrules.views.worlds import sample_world

if TYPE_CHECKING:
    from mypy_extensions import i64

_AT_ONCE: Final = 64
"""The most worlds in a batch."""
_PARTS: Final = 100
"""The number of parts per point in expected totals."""
_LEAST: Final = 0.01
"""The lowest probability left after subtracting moons."""
_POINTS: Final = 0.1
"""The weight of points relative to winning, for moves that win equally often."""

_UNCHANGED: Final = 0.01
"""The relative change of a weight below which earlier worlds keep theirs, so that the time is linear."""
_NEUTRAL: Final = Correction()


class Played(NamedTuple):
    """The result of one move in one world."""

    shot: int
    """0 for no moon, 1 for a moon by the mover's side, and 2 for one by another side."""
    points: int
    """The points of the mover's side."""
    win: float
    """The chance that the side wins the match."""
    value: float
    """The value of the deal, the chance to win plus a small term for points."""
    weight: float
    """The world's weight, the likelihood of the play in it, or 1 if unweighted."""


@final
class Outcomes:
    """Running totals of one move over worlds with the same kind of moon."""

    def __init__(self) -> None:
        self.worlds: float = 0.0
        """The number of worlds, or the sum of a batch policy's weights."""
        self.points: float = 0.0
        """The sum of the points of the mover's side."""
        self.points_squared: float = 0.0
        self.win: float = 0.0
        """The sum of the chances that the side wins the match."""
        self.win_squared: float = 0.0
        self.value: float = 0.0
        """The sum of the values of the deals."""


@final
class Tried:
    """Running totals of one move over the worlds in which it was tried."""

    def __init__(self) -> None:
        self.plain: Final = Outcomes()
        """Totals over the worlds without a moon."""
        self.moon: Final = Outcomes()
        """Totals over the worlds with a moon by the mover's side."""
        self.against: Final = Outcomes()
        """Totals over the worlds with a moon by another side."""
        self.squares: float = 0.0
        """The sum of the squared weights in these totals."""
        self.value: float = 0.0
        self.values: Final[list[float]] = []
        """The weighted value in each world, in order."""
        self.weight: float = 0.0
        self.weights: Final[list[float]] = []
        """The weight of each world, in order."""
        self.moon_weight: float = 1.0
        """The weight of a moon by the mover's side."""
        self.moons: Final[list[int]] = []
        """The indices of the worlds with such a moon."""
        self.played: Final[list[Played]] = []
        """The result in each world, in order, if the trials keep them."""


def lead(one: Tried, other: Tried) -> tuple[float, float]:
    """Return the mean advantage of a move over another, and its standard error.

    Only worlds in which both were tried count. The error is infinite after one world.
    """
    count = min(len(one.values), len(other.values))
    weight, value = _sums(one, count)
    other_weight, other_value = _sums(other, count)
    mean = value / weight
    other_mean = other_value / other_weight
    if count < 2:
        return mean - other_mean, inf
    squares = 0.0
    for number in range(count):
        deviation = (one.values[number] - mean * one.weights[number]) / weight
        deviation -= (other.values[number] - other_mean * other.weights[number]) / other_weight
        squares += deviation * deviation
    # A rounding error must not look like a difference.
    if squares <= 1e-24 * (mean * mean + other_mean * other_mean):
        return mean - other_mean, 0.0
    return mean - other_mean, sqrt(squares * count / (count - 1))


def _sums(tried: Tried, count: int) -> tuple[float, float]:
    if count == len(tried.values):
        return tried.weight, tried.value
    weight = 0.0
    value = 0.0
    for number in range(count):
        weight += tried.weights[number]
        value += tried.values[number]
    return weight, value


def _set_moon_weight(tried: Tried, weight: float) -> None:
    change = weight / tried.moon_weight
    tried.moon_weight = weight
    for number in tried.moons:
        value = tried.values[number]
        tried.values[number] = value * change
        tried.value += value * (change - 1.0)
        old = tried.weights[number]
        tried.weights[number] = old * change
        tried.weight += old * (change - 1.0)


@final
class Trials:
    """Trials of a view's moves, one world after the other.

    In each world all draws derive from the same 32 bits, by seat and trick. During a pass, the others mostly pass
    dangerous cards.

    Args:
        view: the view of the seat to act, from which worlds can be sampled.
        moves: the moves to compare, at least one. None means no move, so the playout continues from the world.
        stream: the source of the worlds and their random bits.
        policy: the policy of all players in the playouts. A `BatchPolicy` weights all results by the likelihood of the
            play in each world, not only the values.
        alarm: the weight of worlds in which another side shoots the moon after every move, while that side is the only
            one with points. If it does so after some moves only, the weight is lower, but at least 1.
        weighs: True to weight values by the likelihood of the play in each world, for watchful policies and one deck.
        correction: the weights of worlds with a moon by the mover's side and by another one.
        keeps: True to keep the result of every move in every world, in `Tried.played`.
        judges: True if a batch policy evaluates deals before their end. Then only the values are known, and the match
            must continue after the deal (see `may_end_match`).
    """

    def __init__(
        self,
        view: View,
        moves: Sequence[Move | None],
        stream: RandomStream,
        policy: Policy | BatchPolicy | None,
        alarm: float = 1.0,
        weighs: bool = False,
        keeps: bool = False,
        correction: Correction = _NEUTRAL,
        judges: bool = False,
    ) -> None:
        seat = view.seat
        assert seat is not None
        self.moves: Final[list[Move | None]] = list(moves)
        self.tried: Final[list[Tried]] = [Tried() for _ in moves]
        self._view: Final = view
        self._stream: Final = stream
        self._alarm: Final = alarm if alarm != 1.0 and _another_has_all(view, seat) else 1.0
        self._draws: Final = RandomStream.from_bits(0)
        # mypyc would refuse a batch's result with its own message.
        self._batch: Final[Any] = None if policy is None or isinstance(policy, Policy) else policy
        beside = Watchful() if self._batch is not None else policy
        self._policy: Final = ResolvedPolicy(beside if isinstance(beside, Policy) else None)
        self._likelihood: Likelihood | None = None
        # Others are assumed to follow the policy, and watchful players ignore equal cards.
        if weighs and isinstance(view, PlayingView) and type(policy) is Watchful and view.rules.decks == 1:
            self._likelihood = Likelihood(view)
        self._keeps: Final[bool] = keeps
        self._correction: Final[Correction] = correction
        for tried in self.tried:
            tried.moon_weight = correction.moon
        self._against: Final[float] = correction.against
        self._weight: float = 1.0
        self._forecast: Final = Forecast(view.rules)
        self._forecast_of_parts: Final = Forecast(view.rules, _PARTS)
        self._board: Final = Board(view.rules._resolved, view.scores)
        self._seat: Final[int] = seat
        self._sides: Final[i64] = view.rules._resolved.sides
        self._deals: Final[int] = view.deal_number + 1
        self._judges: Final[bool] = judges and self._batch is not None
        self._after_moons: Final[list[list[float]]] = []
        """The points of all seats after each side's moon, if the policy evaluates deals."""
        resolved = view.rules._resolved
        if self._judges and resolved.moon:
            effect = effect_codes(resolved)[0]
            for side in range(resolved.sides):
                self._board.shooter = side
                self._board.moon = resolved.moon_value
                set_points(resolved, self._board, effect)
                self._after_moons.append([float(each.points) for each in self._board.seats])

    def go_on(self, worlds: int, places: Sequence[int]) -> None:
        """Try the moves with these indices in `worlds` further worlds."""
        self._go_on(worlds, places)
        if self._correction.slope != 1.0:
            for place in places:
                tried = self.tried[place]
                weight: float = self._correction.at(len(tried.moons), len(tried.values)).moon
                if abs(weight - tried.moon_weight) > _UNCHANGED * tried.moon_weight:
                    _set_moon_weight(tried, weight)

    def _go_on(self, worlds: int, places: Sequence[int]) -> None:
        if self._batch is not None:
            for done in range(0, worlds, _AT_ONCE):
                self._go_on_in_batch(min(_AT_ONCE, worlds - done), places)
            return
        for _ in range(worlds):
            world = self._drawn()
            self._policy.deal_seed = self._stream.word()
            if self._likelihood is not None and isinstance(world, Playing):
                self._weight = self._likelihood.of(world.hands)
            values: list[float] = []
            moons = 0
            for place in places:
                move = self.moves[place]
                after = self._begun(world) if move is None else apply(world, move)
                if isinstance(after, (AwaitingDeal, GameOver)):
                    set_row(self._board, after.score_sheet[-1])
                else:
                    roll_out(self._board, after, self._draws, self._policy, None)
                values.append(self._note(self.tried[place], self._board))
                moons += self._shot(self._board) == 2
            self._raise_weight(places, values, moons)

    def _go_on_in_batch(self, worlds: int, places: Sequence[int]) -> None:
        """Try moves in further worlds that a policy plays out or evaluates together."""
        drawn = [self._drawn() for _ in range(worlds)]
        moves = [self.moves[place] for place in places]
        if None in moves and not (isinstance(self._view, PlayingView) and self._view.turn == self._seat):
            # Passes and other seats' leads differ between worlds.
            self._weight = 1.0
            for board in self._batch.finish([self._begun(world) for world in drawn]):
                score(board.resolved, board, self._deals - 1)
                self._note(self.tried[places[moves.index(None)]], board)
            places = [place for place in places if self.moves[place] is not None]
            moves = [move for move in moves if move is not None]
            if not moves:
                return
        moves = [self._batch.choose(self._view) if move is None else move for move in moves]
        if self._judges:
            weights, judged = self._batch.judge(self._view, drawn, moves)
            for weight, by_move in zip(weights, judged, strict=True):
                for place, expected in zip(places, by_move, strict=True):
                    value = self._value_expected(expected.points, expected.moons)
                    self._note_value(self.tried[place], value, float(weight))
            return
        weights, boards = self._batch.play_out(self._view, drawn, moves)
        for weight, played in zip(weights, boards, strict=True):
            self._weight = float(weight)
            values: list[float] = []
            moons = 0
            for place, board in zip(places, played, strict=True):
                score(board.resolved, board, self._deals - 1)
                values.append(self._note(self.tried[place], board))
                moons += self._shot(board) == 2
            self._raise_weight(places, values, moons)

    def _value_expected(self, points: Sequence[float], moons: Sequence[float]) -> float:
        """Average the values of the expected points with each moon and without one."""
        rest = list(points)
        left = 1.0
        value = 0.0
        for side, after in enumerate(self._after_moons):
            chance = min(left, moons[side])
            left -= chance
            value += chance * self._value_of(after)
            for seat, each in enumerate(after):
                rest[seat] -= chance * each
        return value + left * self._value_of([each / left for each in rest]) if left > _LEAST else value

    def _value_of(self, points: Sequence[float]) -> float:
        """Return the value of a deal's actual or expected points if the match goes on."""
        totals: list[int] = []
        for before, more in zip(self._view.scores, points, strict=True):
            totals.append(round((before + more) * _PARTS))
        value = self._forecast_of_parts.chance(totals, None, self._deals, self._seat)
        return value + _POINTS * self._forecast_of_parts.less(totals, self._seat)

    def _note_value(self, tried: Tried, value: float, weight: float) -> None:
        tried.value += weight * value
        tried.values.append(weight * value)
        tried.weight += weight
        tried.weights.append(weight)

    def _raise_weight(self, places: Sequence[int], values: list[float], moons: int) -> None:
        """Raise the weight of a world with this number of moons after the moves."""
        if not moons or self._alarm == 1.0:
            return
        # The moves share the world's weight, because stopping a moon pays only relative to moves that do not.
        more = (self._alarm - 1.0) * moons / len(values)
        for number, place in enumerate(places):
            tried = self.tried[place]
            tried.value += more * values[number]
            tried.values[-1] += more * values[number]
            tried.weight += more * tried.weights[-1]
            tried.weights[-1] += more * tried.weights[-1]

    def _drawn(self) -> State:
        world = sample_world(self._view, self._stream)
        if not isinstance(world, Passing):
            return world
        others = [None if seat == self._seat else self._pass_in(world, seat) for seat in range(world.rules.players)]
        return replaced(world, commitments=tuple(others))

    def _pass_in(self, world: Passing, seat: Seat) -> Pass:
        if self._batch is not None:
            chosen: Pass = self._batch.choose(view(world, seat))
            return chosen
        rules = world.rules
        return drawn_pass(rules, rules.pass_plan(world.deal_number), seat, world.hands[seat], self._stream)

    def _begun(self, world: State) -> State:
        return apply(world, self._pass_in(world, self._seat)) if isinstance(world, Passing) else world

    def _shot(self, board: Board) -> int:
        if board.shooter < 0:
            return 0
        return 1 if board.shooter % int(self._sides) == self._seat % self._sides else 2

    def _note(self, tried: Tried, board: Board) -> float:
        """Add the deal on a board, and return its weighted value."""
        sides = self._sides
        side = self._seat % sides
        points = 0
        totals: list[int] = []
        for seat in board.seats:
            totals.append(seat.after)
            if seat.seat % sides == side:
                points += seat.points
        deals = self._deals
        forecast = self._forecast
        winners = game_winners(self._view.rules._resolved, totals, deals, board.shooter)
        win = forecast.chance(totals, winners, deals, self._seat)
        value = win + _POINTS * forecast.less(totals, self._seat)
        shot = self._shot(board)
        outcomes = tried.plain
        weight = self._weight
        if shot:
            outcomes = tried.moon if shot == 1 else tried.against
            weight *= tried.moon_weight if shot == 1 else self._against
            if shot == 1:
                tried.moons.append(len(tried.values))
        counts = 1.0 if self._batch is None else self._weight
        outcomes.worlds += counts
        outcomes.points += counts * points
        outcomes.points_squared += counts * (points * points)
        outcomes.win += counts * win
        outcomes.win_squared += counts * (win * win)
        outcomes.value += counts * value
        tried.squares += counts * counts
        if self._keeps:
            tried.played.append(Played(shot, points, win, value, self._weight))
        value *= weight
        tried.value += value
        tried.values.append(value)
        tried.weight += weight
        tried.weights.append(weight)
        return value


def judging(
    view: View, policy: Policy | BatchPolicy | None
) -> tuple[Policy | BatchPolicy | None, Correction, list[tuple[int, int]]]:
    """Return the policy of a view's playouts, their correction, and the moons that are still possible."""
    policy = policy_for(view, policy)
    return policy, correction_of(view, isinstance(policy, BatchPolicy)), possible_moons(view)


def policy_for(view: View, policy: Policy | BatchPolicy | None) -> Policy | BatchPolicy | None:
    """Return the policy for playouts of a view.

    It is `Watchful()` instead of a batch policy that does not cover the rules, or if part of the deal's history is
    missing.
    """
    if policy is None or isinstance(policy, Policy):
        return policy
    if isinstance(view, PlayingView):
        plays = len(view.tricks) == view.trick_number
    else:
        plays = isinstance(view, PassingView)
    return policy if plays and policy.covers(view.rules) else Watchful()


def may_end_match(view: View) -> bool:
    """Return True if the match can end with the view's deal."""
    rules = view.rules
    resolved = rules._resolved
    most = max(rules.penalty_total, rules.sun_value) * max(1, resolved.doubler_factor)
    most += sum([bonus.points for bonus in rules.bonuses])
    scores = list(view.scores)
    tested = scores if resolved.target_of_player else side_totals(resolved, scores)
    deals = view.deal_number + 1
    return (
        resolved.moon == C.MOON_SHOOTER_WINS
        or match_over(resolved, [total + most for total in tested], deals)
        or match_over(resolved, [total - most for total in tested], deals)
    )


def _another_has_all(view: View, seat: int) -> bool:
    if not isinstance(view, PlayingView):
        return False
    resolved = view.rules._resolved
    captured = view.captured
    nothing = (0,) * len(captured)
    moon = moon_in(resolved, Board.of(resolved, nothing, captured, nothing).seats)
    return moon >= 0 and moon % MOON_NEAR != seat % len(resolved.moon_sides)
