"""Play batches of deals and keep only the points.

If only the points matter, `rollouts` is much faster than `playout`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Final, final

from heartsrules.analysis.playout import (
    ChoiceCounts,
    ResolvedPolicy,
    choose_moon,
    lead_on_board,
    play_tricks,
    playout_deal,
    to_lead,
)
from heartsrules.analysis.policies import Policy
from heartsrules.base.interrupts import pause
from heartsrules.base.values import Unchecked, Value, checked_count, wrong_item
from heartsrules.chance import Bits, RandomStream, as_stream
from heartsrules.play.board import Board
from heartsrules.play.exposing import resolved_with_exposed
from heartsrules.play.scoring import count_piles, game_winners, settle, winning_sides
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, GameOver, Playing, State
from heartsrules.rules import MAX_DEALS, Moon
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Rollouts", "rollout_points", "rollouts"]
__dir__ = __all__.copy

_AT_ONCE: Final = 1024


@final
class Rollouts(Value):
    """The summed results of completed deals.

    Tuples have one item per seat. Results of several calls can be added.

    Attributes:
        count: the number of deals.
        points: the sum of the points of the deals, including moons and bonuses. Each deal contributes
            `DealScore.points`, the changes of the totals.
        squares: the sum of the squared points.
        moons: the number of deals in which the seat shot the moon.
        wins: the number of deals that ended the game with the seat among the winners.
        ended: the number of deals that ended the game.
    """

    __match_args__: ClassVar = ("count", "points", "squares", "moons", "wins", "ended")
    __slots__ = __match_args__

    count: Final[int]
    points: Final[tuple[int, ...]]
    squares: Final[tuple[int, ...]]
    moons: Final[tuple[int, ...]]
    wins: Final[tuple[int, ...]]
    ended: Final[int]

    def __init__(
        self,
        count: int,
        points: tuple[int, ...],
        squares: tuple[int, ...],
        moons: tuple[int, ...],
        wins: tuple[int, ...],
        ended: int,
    ) -> None:
        self.count = count
        self.points = points
        self.squares = squares
        self.moons = moons
        self.wins = wins
        self.ended = ended

    @property
    def means(self) -> tuple[float, ...]:
        """The mean points of a deal."""
        return tuple([total / self.count for total in self.points])

    @property
    def deviations(self) -> tuple[float, ...]:
        """The standard deviation of a deal's points."""
        count = self.count
        return tuple(
            [sqrt(self.squares[seat] * count - total * total) / count for seat, total in enumerate(self.points)]
        )

    def __add__(self, other: Rollouts) -> Rollouts:
        """Combine two results as if from a single call.

        Raises:
            ValueError: they have different numbers of seats.
        """
        if not isinstance(other, Rollouts):
            return NotImplemented
        if len(self.points) != len(other.points):
            raise ValueError(f"rollouts of {len(self.points)} seats and of {len(other.points)} seats cannot be added")
        return Rollouts(
            self.count + other.count,
            _added(self.points, other.points),
            _added(self.squares, other.squares),
            _added(self.moons, other.moons),
            _added(self.wins, other.wins),
            self.ended + other.ended,
        )


def _added(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([number + other[seat] for seat, number in enumerate(one)])


@final
class _SeatSums:
    def __init__(self) -> None:
        self.points: int = 0
        self.squares: int = 0
        self.moons: int = 0
        self.wins: int = 0


def rollouts(
    states: State | Iterable[State],
    rng: RandomStream | Bits,
    count: Unchecked[int] = 1,
    *,
    policy: Policy | None = None,
) -> Rollouts:
    """Play to the end of the deal many times, and sum the results.

    The deals are the same as with `playout(state, stream, policy=policy)`, called `count` times for every state with
    one stream.

    >>> from heartsrules import apply, deal, new_game, presets
    >>> start = new_game(presets.cardstock())
    >>> played = rollouts(apply(start, deal(start, seed="table 7")), RandomStream("any"), 1000)
    >>> played.count, played.points, played.moons
    (1000, (3992, 7866, 6212, 7774), (0, 3, 0, 0))

    Args:
        states: a state, or several with the same rule set.
        rng: the random stream, as for `playout`.
        count: the number of playouts per state (1 or more).
        policy: the policy of all players. Defaults to uniform choices among the legal moves.

    Raises:
        IllegalMove: the policy chose an illegal move.
        ValueError: `count` is too low, there is no state, the states have different rule sets, or a state has no deal
            to play (its game is over, or has had 1,000,000 deals).
        TypeError: an argument, or the policy's choice, has the wrong type.
    """
    listed, stream, times = _checked(states, rng, count)
    chooser = ResolvedPolicy(policy)
    rules = listed[0].rules
    for state in listed:
        if state.rules is not rules and state.rules != rules:
            raise ValueError("states are of several rule sets: give those of one, or use rollout_points")
    resolved = rules._resolved
    board = Board(resolved, listed[0].scores)
    sums = [_SeatSums() for _ in board.seats]
    ended = 0
    played = 0
    for state in listed:
        deals = state.deal_number + 1
        for _ in range(times):
            if played % _AT_ONCE == 0:
                pause()
            played += 1
            roll_out(board, state, stream, chooser, None)
            ended += _add(sums, board, resolved, deals)
    return Rollouts(
        played,
        tuple([one.points for one in sums]),
        tuple([one.squares for one in sums]),
        tuple([one.moons for one in sums]),
        tuple([one.wins for one in sums]),
        ended,
    )


def _add(sums: list[_SeatSums], board: Board, resolved: ResolvedRules, deals: int) -> bool:
    """Add the board's deal, and return True if it ended the game."""
    for seat in board.seats:
        one = sums[seat.seat]
        points = seat.points
        one.points += points
        one.squares += points * points
    if board.shooter >= 0:
        sums[board.shooter].moons += 1
    winners = winning_sides(resolved, [seat.after for seat in board.seats], deals, board.shooter)
    if not winners:
        return False
    bit: i64 = 1
    for one in sums:
        if winners & bit:
            one.wins += 1
        bit <<= 1
        if bit >> resolved.sides:
            bit = 1
    return True


def rollout_points(
    states: State | Iterable[State],
    rng: RandomStream | Bits,
    count: Unchecked[int] = 1,
    *,
    policy: Policy | None = None,
) -> list[tuple[int, ...]]:
    """Play to the end of the deal many times, and list the points of each deal.

    The deals are the same as with `rollouts`, but the states can have different rule sets.

    >>> from heartsrules import apply, deal, legal_moves, new_game, presets
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed="table 7"))
    >>> rollout_points([apply(state, move) for move in legal_moves(state)[:2]], RandomStream("any"), 2)
    [(0, 9, 13, 4), (2, 24, 0, 0), (4, 5, 0, 17), (0, 18, 1, 7)]

    Args:
        rng: the random stream, as for `rollouts`.
        count: the number of playouts per state (1 or more).
        policy: the policy of all players. Defaults to uniform choices among the legal moves.

    Returns:
        The points of each deal, one per seat, as in `DealScore.points`. Each state's `count` deals are consecutive.

    Raises:
        IllegalMove: the policy chose an illegal move.
        ValueError: as for `rollouts`.
        TypeError: as for `rollouts`.
    """
    listed, stream, times = _checked(states, rng, count)
    chooser = ResolvedPolicy(policy)
    rows: list[tuple[int, ...]] = []
    board = Board(listed[0].rules._resolved, listed[0].scores)
    for state in listed:
        if len(state.scores) != len(board.seats):
            board = Board(state.rules._resolved, state.scores)
        for _ in range(times):
            if len(rows) % _AT_ONCE == 0:
                pause()
            roll_out(board, state, stream, chooser, None)
            rows.append(tuple([seat.points for seat in board.seats]))
    return rows


def _checked(
    states: State | Iterable[State], rng: RandomStream | Bits, count: object
) -> tuple[list[State], RandomStream, int]:
    # With `Any`, compiled code does not refuse an item of another type with mypyc's own message.
    listed: list[Any] = [states] if isinstance(states, State) else list(states)
    if not listed:
        raise ValueError("states is empty: give at least one")
    for state in listed:
        if not isinstance(state, State):
            wrong_item("states", "State", state)
        if isinstance(state, GameOver):
            raise ValueError("the game of a state is over, so there is no deal to be played")
        if isinstance(state, AwaitingDeal) and state.deal_number >= MAX_DEALS:
            raise ValueError(f"the game of a state has had {MAX_DEALS:,} deals, and there are no more")
    times = checked_count("count", count)
    return listed, as_stream(rng), times


def roll_out(
    board: Board, state: State, stream: RandomStream, policy: ResolvedPolicy, counts: ChoiceCounts | None
) -> None:
    """Play to the end of the deal, and leave points, shooter and totals on the board.

    Args:
        board: a board for the same number of seats, which is overwritten.
        state: a state from which a deal can be played.
    """
    assert not isinstance(state, GameOver)
    # Properties of a state are chains of calls, too slow to repeat here.
    sheet = state.score_sheet
    number = sheet.next_deal
    scores = sheet.totals
    playing: Playing | None = None
    if (
        isinstance(state, AwaitingDeal)
        and policy.custom is None
        and policy.deal_seed < 0
        and lead_on_board(board, state, stream, counts)
    ):
        resolved = board.resolved
    else:
        now = to_lead(state, stream, policy, counts)
        if isinstance(now, ChoosingMoon):
            set_row(board, choose_moon(now, stream, policy, counts))
            return
        start = now.public.start
        resolved = resolved_with_exposed(start.rules, start.exposed_mask)
        if resolved.moon == C.MOON_CHOICE and policy.custom is not None:
            # The policy may look at the whole deal before it decides for the shooter.
            set_row(board, playout_deal(now, stream, policy, counts).score_sheet[-1])
            return
        board.set_from(now)
        playing = now
    for seat in board.seats:
        seat.total = scores[seat.seat]
    play_tricks(board, playing, stream, policy, counts, None)
    if policy.watchful:
        score(resolved, board, number)
    else:
        count_piles(resolved, board, resolved.dealer(number))
        effect: Moon | None = None
        if board.shooter >= 0 and resolved.moon == C.MOON_CHOICE:
            effect = Moon.SHOOTER_DOWN if stream._pick_unchecked(2) else Moon.OTHERS_UP
        settle(resolved, board, number, effect)
    if counts is not None and board.shooter >= 0 and resolved.moon == C.MOON_CHOICE:
        counts.moons += 1


def score(resolved: ResolvedRules, board: Board, number: int) -> None:
    """Score a numbered deal from a board's piles, with a watchful shooter's choice."""
    count_piles(resolved, board, resolved.dealer(number))
    effect: Moon | None = None
    if board.shooter >= 0 and resolved.moon == C.MOON_CHOICE:
        effect = Moon.OTHERS_UP
        settle(resolved, board, number, effect)
        winners = game_winners(resolved, [seat.after for seat in board.seats], number + 1, board.shooter)
        if winners is not None and board.shooter not in winners:
            effect = Moon.SHOOTER_DOWN
    settle(resolved, board, number, effect)


def set_row(board: Board, row: DealScore) -> None:
    for seat in board.seats:
        seat.points = row.points[seat.seat]
        seat.after = row.totals[seat.seat]
    board.shooter = -1 if row.shooter is None else row.shooter
