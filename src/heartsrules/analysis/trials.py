"""Trials of moves in sampled worlds: every move in the same worlds, with the same random numbers."""

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
"""The most worlds of a batch."""
_PARTS: Final = 100
"""The parts of a point in which totals are counted that are expected, and not made."""
_LEAST: Final = 0.01
"""The least chance of what is left when moons are taken away."""
_POINTS: Final = 0.1
"""Weight of all points of a deal beside winning, to rank moves that win equally often."""


class Played(NamedTuple):
    """The result of one move in one world."""

    shot: int
    """0: nobody shot the moon; 1: the mover's side did; 2: another side did."""
    points: int
    """The points of the mover's side."""
    win: float
    """The chance that the side wins the match."""
    value: float
    """The value of the deal: the chance to win, and a little for the points."""
    weight: float
    """The weight of the world: how likely the play was in it, if the trials weigh it; otherwise 1."""


@final
class Outcomes:
    """Running totals of one move over worlds with the same kind of moon."""

    __slots__ = ("points", "points_squared", "value", "win", "win_squared", "worlds")

    def __init__(self) -> None:
        self.worlds: float = 0.0
        """The number of worlds, or the sum of the weights that a batch policy gives to them; it weighs all sums."""
        self.points: float = 0.0
        """The sum of the points of the mover's side."""
        self.points_squared: float = 0.0
        """The sum of their squares."""
        self.win: float = 0.0
        """The sum of the chances that the side wins the match."""
        self.win_squared: float = 0.0
        """The sum of their squares."""
        self.value: float = 0.0
        """The sum of the values of the deals: the chance to win, and a little for the points."""


@final
class Tried:
    """Running totals of one move over the worlds in which it was tried."""

    __slots__ = ("against", "moon", "plain", "played", "squares", "value", "values", "weight", "weights")

    def __init__(self) -> None:
        self.plain: Final = Outcomes()
        """Over the worlds in which nobody shot the moon."""
        self.moon: Final = Outcomes()
        """Over the worlds in which the mover's side did."""
        self.against: Final = Outcomes()
        """Over the worlds in which another side did."""
        self.squares: float = 0.0
        """The sum of the squares of the weights that count in the three."""
        self.value: float = 0.0
        """The sum of `values`."""
        self.values: Final[list[float]] = []
        """The weighted value in each world, in order, by which a player compares moves."""
        self.weight: float = 0.0
        """The sum of `weights`."""
        self.weights: Final[list[float]] = []
        """The weight of each world, in order."""
        self.played: Final[list[Played]] = []
        """The result in each world, in order, if the trials keep them."""


def lead(one: Tried, other: Tried) -> tuple[float, float]:
    """The mean value of a move less that of another one, over the worlds that both were tried in, and its error.

    The error is the standard error of a difference of weighted means, infinite after one world.
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
    """The sums of the weights and of the values of the first worlds."""
    if count == len(tried.values):
        return tried.weight, tried.value
    weight = 0.0
    value = 0.0
    for number in range(count):
        weight += tried.weights[number]
        value += tried.values[number]
    return weight, value


@final
class Trials:
    """Trials of the moves of a view, one world after the other.

    In each world all draws follow from the same 32 bits, seat by seat and trick by trick, whichever move is tried: what
    differs afterwards differs because of the move. While cards are passed, the others mostly pass what is dangerous.

    Args:
        view: of a seat that is to act, from which worlds can be drawn.
        moves: those that are compared, at least one; None stands for no move: the playout goes on from the world.
        stream: where the worlds, and the bits for the draws, are drawn from.
        policy: how all players of the playouts choose. A `BatchPolicy` weighs the worlds itself, by how likely the
            play was in them: all figures, and not the values alone.
        alarm: while another side has taken points and nobody else has, so many times a world counts in which another
            side shoots the moon whichever move is tried. If one does after some of the moves only, the world counts for
            less, down to once.
        weighs: whether a world counts the more the likelier the play was in it. It does for watchful policies only,
            because the others are thought to play as the policy does, and with one deck: watchful players do not reckon
            with equal cards. Nothing but the values is weighed.
        moons: the weights of a world in which the mover's side, or another one, shoots the moon with the move.
        keeps: whether the result of every move in every world is kept, in `Tried.played`.
        judges: whether a batch policy judges the deals before their end. Then nothing but the values is known of them;
            and the match must go on after the deal, see `may_end_match`.
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
        moons: tuple[float, float] = (1.0, 1.0),
        judges: bool = False,
    ) -> None:
        seat = view.seat
        assert seat is not None
        self.moves: Final[list[Move | None]] = list(moves)
        self.tried: Final[list[Tried]] = [Tried() for _ in moves]
        """The running totals of each move."""
        self._view: Final = view
        self._stream: Final = stream
        self._alarm: Final = alarm if alarm != 1.0 and _another_has_all(view, seat) else 1.0
        self._draws: Final = RandomStream.from_bits(0)
        # mypyc would check what a batch returns, with a message of its own.
        self._batch: Final[Any] = None if policy is None or isinstance(policy, Policy) else policy
        beside = Watchful() if self._batch is not None else policy
        self._policy: Final = ResolvedPolicy(beside if isinstance(beside, Policy) else None)
        self._likelihood: Likelihood | None = None
        if weighs and isinstance(view, PlayingView) and type(policy) is Watchful and view.rules.decks == 1:
            self._likelihood = Likelihood(view)
        self._keeps: Final[bool] = keeps
        self._moons: Final[tuple[float, float]] = moons
        self._weight: float = 1.0
        """The weight of the current world."""
        self._forecast: Final = Forecast(view.rules)
        self._forecast_of_parts: Final = Forecast(view.rules, _PARTS)
        self._board: Final = Board(view.rules._resolved, view.scores)
        self._seat: Final[int] = seat
        self._sides: Final[i64] = view.rules._resolved.sides
        self._deals: Final[int] = view.deal_number + 1
        self._judges: Final[bool] = judges and self._batch is not None
        """Whether the batch policy judges deals before their end."""
        self._after_moons: Final[list[list[float]]] = []
        """By side, the points of each seat after a moon, where there are moons and deals are judged."""
        resolved = view.rules._resolved
        if self._judges and resolved.moon:
            effect = effect_codes(resolved)[0]
            for side in range(resolved.sides):
                self._board.shooter = side
                self._board.moon = resolved.moon_value
                set_points(resolved, self._board, effect)
                self._after_moons.append([float(each.points) for each in self._board.seats])

    def go_on(self, worlds: int, places: Sequence[int]) -> None:
        """Try some of the moves, by their indices, in `worlds` further worlds."""
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
        """Try some of the moves in further worlds, which a policy plays out or judges together."""
        drawn = [self._drawn() for _ in range(worlds)]
        moves = [self.moves[place] for place in places]
        if None in moves and not (isinstance(self._view, PlayingView) and self._view.turn == self._seat):
            # What is passed, or led by another seat, differs from world to world.
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
        """The mean of the values with each moon and without one, each at its expected points."""
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
        """The value of a deal that brings points, made or expected, by seat, and after which the match goes on."""
        totals: list[int] = []
        for before, more in zip(self._view.scores, points, strict=True):
            totals.append(round((before + more) * _PARTS))
        value = self._forecast_of_parts.chance(totals, None, self._deals, self._seat)
        return value + _POINTS * self._forecast_of_parts.less(totals, self._seat)

    def _note_value(self, tried: Tried, value: float, weight: float) -> None:
        """Add the value of a world."""
        tried.value += weight * value
        tried.values.append(weight * value)
        tried.weight += weight
        tried.weights.append(weight)

    def _raise_weight(self, places: Sequence[int], values: list[float], moons: int) -> None:
        """Raise the weight of a world in which so many of the moves let another side shoot the moon."""
        if not moons or self._alarm == 1.0:
            return
        # The moves share the weight of the world: what it is worth to stop a moon is seen only beside those moves that
        # do not.
        more = (self._alarm - 1.0) * moons / len(values)
        for number, place in enumerate(places):
            tried = self.tried[place]
            tried.value += more * values[number]
            tried.values[-1] += more * values[number]
            tried.weight += more * tried.weights[-1]
            tried.weights[-1] += more * tried.weights[-1]

    def _drawn(self) -> State:
        """A world; while cards are passed, with the passes of the others."""
        world = sample_world(self._view, self._stream)
        return self._passed(world) if isinstance(world, Passing) else world

    def _passed(self, world: Passing) -> Passing:
        """The world after the other seats have committed their passes."""
        others = [None if seat == self._seat else self._pass_in(world, seat) for seat in range(world.rules.players)]
        return replaced(world, commitments=tuple(others))

    def _pass_in(self, world: Passing, seat: Seat) -> Pass:
        """What a seat passes in a world: the choice of a batch policy, or cards that are drawn."""
        if self._batch is not None:
            chosen: Pass = self._batch.choose(view(world, seat))
            return chosen
        rules = world.rules
        return drawn_pass(rules, rules.pass_plan(world.deal_number), seat, world.hands[seat], self._stream)

    def _begun(self, world: State) -> State:
        """The world from which a playout goes on if no move is tried: with a pass, if one is due."""
        return apply(world, self._pass_in(world, self._seat)) if isinstance(world, Passing) else world

    def _shot(self, board: Board) -> int:
        """Who has shot the moon on a board, as in `Played.shot`."""
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
            weight *= self._moons[shot - 1]
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


class Judging(NamedTuple):
    """How the moves of a view are judged."""

    policy: Policy | BatchPolicy | None
    """The policy of the playouts."""
    correction: Correction
    """How their results are corrected."""
    moons: list[tuple[float, int]]
    """The moons that may still be shot, as `possible_moons` tells them."""


def judging(view: View, policy: Policy | BatchPolicy | None) -> Judging:
    """How the moves of a view are judged by a policy."""
    policy = policy_for(view, policy)
    batch = isinstance(policy, BatchPolicy)
    return Judging(policy, correction_of(view, batch), possible_moons(view, batch))


def policy_for(view: View, policy: Policy | BatchPolicy | None) -> Policy | BatchPolicy | None:
    """The policy that plays out deals of a view: `Watchful()` in the place of a batch policy that cannot.

    That plays neither by rules that it does not cover, nor where some of the deal's history is missing.
    """
    if policy is None or isinstance(policy, Policy):
        return policy
    if isinstance(view, PlayingView):
        plays = len(view.tricks) == view.trick_number
    else:
        plays = isinstance(view, PassingView)
    return policy if plays and policy.covers(view.rules) else Watchful()


def may_end_match(view: View) -> bool:
    """Whether the match may end with the deal of a view."""
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
    """Whether another side has taken cards of the moon, and nobody else has."""
    if not isinstance(view, PlayingView):
        return False
    resolved = view.rules._resolved
    captured = view.captured
    nothing = (0,) * len(captured)
    moon = moon_in(resolved, Board.of(resolved, nothing, captured, nothing).seats)
    return moon >= 0 and moon % MOON_NEAR != seat % len(resolved.moon_sides)
