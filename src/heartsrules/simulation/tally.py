"""The counters of a running simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import attrs

from heartsrules.analysis.playout import ChoiceCounts, ResolvedPolicy, playout_deal
from heartsrules.analysis.policies import Policy
from heartsrules.analysis.rollouts import roll_out
from heartsrules.base.interrupts import pause
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board
from heartsrules.play.engine import new_game
from heartsrules.play.scoring import game_winners
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.state import AwaitingDeal, GameOver
from heartsrules.rules import MAX_DEALS, Rules, Seat, Tie
from heartsrules.simulation.statistics import SUMMED, Distribution, Moments, Statistics

__all__ = ["Tally"]

PlayDeal: TypeAlias = Callable[[AwaitingDeal, ChoiceCounts], AwaitingDeal | GameOver]
"""A function that deals and plays a deal, and counts the legal moves of its decisions."""

_AT_ONCE: Final = 1024
"""Number of deals between two pauses for Ctrl-C and other threads."""


class _Series:
    """Mutable `Moments`."""

    __slots__ = ("count", "highest", "lowest", "squares", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.squares = 0
        self.lowest = 0
        self.highest = 0

    def add(self, number: int) -> None:
        if not self.count:
            self.lowest = self.highest = number
        elif number < self.lowest:
            self.lowest = number
        elif number > self.highest:
            self.highest = number
        self.count += 1
        self.total += number
        self.squares += number * number

    def moments(self) -> Moments:
        if not self.count:
            return Moments()
        return Moments(self.count, self.total, self.squares, self.lowest, self.highest)


class _Ties:
    """The ties of a running game: whether its end was deferred by a shared lowest total."""

    __slots__ = ("any", "extra")

    def __init__(self) -> None:
        self.any = False
        """Whether the game was tied after any deal."""
        self.extra = False
        """Whether the game is tied after the last deal, so that the next one is an extra deal."""

    def record(self, tied: bool) -> None:
        self.extra = tied
        self.any = self.any or tied


class Tally:
    """Mutable `Statistics`: plays games and counts."""

    def __init__(self, rules: Rules) -> None:
        tricks = rules.cards_per_hand
        self.rules = rules
        self._resolved: Final = rules.resolved
        self._as_if_shared: Final = attrs.evolve(rules, tie=Tie.SHARED).resolved
        self._board: Final = Board(rules.resolved, (0,) * rules.players)
        self._counts: Final = ChoiceCounts(rules.resolved)
        self.games = self.unfinished = self.tied_games = self.extra_deals = self.deals = 0
        self.deals_per_game = _Series()
        self.totals = [_Series() for _ in range(rules.players)]
        self.wins = [0] * rules.players
        self.choices_per_deal = _Series()
        self.forced_per_deal = _Series()
        self.follower_choices = [_Series() for _ in range(tricks)]
        self.passes = _Series()
        self.exposures = _Series()
        self.declined = self.moon_choices = 0
        self.moons = self.suns = self.void_tricks = self.unclaimed = self.kitties_taken = 0
        self.points_by_position = [_Series() for _ in range(rules.players)]
        self.deal_points: dict[int, int] = {}
        self.final_totals: dict[int, int] = {}

    @property
    def choices_by_decision(self) -> list[list[int]]:
        """The field of `Statistics`."""
        width = self.rules.cards_per_hand + 1
        counts = [cell.count for cell in self._counts.cells]
        return [counts[place : place + width] for place in range(0, len(counts), width)]

    def statistics(self) -> Statistics:
        """Return the statistics of the games so far."""
        parts = {name: _frozen(getattr(self, name)) for name in SUMMED}
        return Statistics(rules=self.rules, **parts)

    def play_game(self, seed: str, max_deals: int, policy: Policy | None = None) -> None:
        """Play one game and count it, as unfinished if it is not over after `max_deals` deals.

        Args:
            seed: the seed of the random stream for the deals and all choices.
            max_deals: the limit on deals.
            policy: the policy of all players; None: uniform among the legal moves.

        Raises:
            ValueError: `seed` holds a lone surrogate, or has more than 600 digits.
        """
        stream = RandomStream(seed)
        chooser = ResolvedPolicy(policy)
        if chooser.custom is None:
            self._roll_game(stream, chooser, max_deals)
        else:
            self.play_game_by(lambda start, counts: playout_deal(start, stream, chooser, counts), max_deals)

    def play_game_by(self, play: PlayDeal, max_deals: int) -> None:
        """Play one game with the function `play`, and count it."""
        most = min(max_deals, MAX_DEALS)
        state = new_game(self.rules)
        winners: tuple[Seat, ...] | None = None
        ties = _Ties()
        while isinstance(state, AwaitingDeal) and state.deal_number < most:
            pause()
            self.extra_deals += ties.extra
            dealer = state.dealer
            self._counts.begin()
            state = play(state, self._counts)
            self._count_choices()
            played, score = state.last_deal, state.score_sheet[-1]
            assert played is not None
            self.void_tricks += sum([trick.winner is None for trick in played.tricks])
            self.unclaimed += bool(played.set_aside)
            self.kitties_taken += bool(played.kitty) and played.kitty_winner is not None
            self._count_deal(score.points, score.shooter is not None, score.sun, dealer)
            winners = state.winners if isinstance(state, GameOver) else None
            ties.record(self._is_tied(state.scores, winners, len(state.score_sheet)))
        self._count_game(ties, len(state.score_sheet), state.scores, winners)

    def _roll_game(self, stream: RandomStream, chooser: ResolvedPolicy, max_deals: int) -> None:
        """Play one game with `roll_out`, which stores only what is counted, and count it."""
        most = min(max_deals, MAX_DEALS)
        rules = self.rules
        resolved = self._resolved
        start = new_game(rules)
        board = self._board
        counts = self._counts
        ties = _Ties()
        winners: tuple[Seat, ...] | None = None
        deals = 0
        while winners is None and deals < most:
            if deals % _AT_ONCE == _AT_ONCE - 1:
                pause()
            self.extra_deals += ties.extra
            counts.begin()
            roll_out(board, start, stream, chooser, counts)
            self._count_choices()
            self.void_tricks += int(board.voids)
            self.unclaimed += board.aside_lo != 0
            self.kitties_taken += board.taker >= 0
            points = tuple([seat.points for seat in board.seats])
            self._count_deal(points, board.shooter >= 0, board.sun, resolved.dealer(deals))
            totals = tuple([seat.after for seat in board.seats])
            deals += 1
            winners = game_winners(resolved, totals, deals, board.shooter)
            ties.record(self._is_tied(totals, winners, deals))
            taker = None if board.queen_taker < 0 else board.queen_taker
            # The rows of earlier deals are not needed.
            start = AwaitingDeal(rules, ScoreSheet(totals, deals, (), taker), None)
        self._count_game(ties, deals, start.scores, winners)

    def _is_tied(self, totals: tuple[int, ...], winners: tuple[Seat, ...] | None, deals: int) -> bool:
        """Whether several sides share the lowest total of a game that is over but for the tie."""
        if winners is None:
            if self._resolved.shares_ties:
                return False
            return game_winners(self._as_if_shared, totals, deals) is not None
        return len({self.rules.side(seat) for seat in winners}) > 1

    def _count_game(self, ties: _Ties, deals: int, totals: tuple[int, ...], winners: tuple[Seat, ...] | None) -> None:
        self.games += 1
        self.tied_games += ties.any
        if winners is None:
            self.unfinished += 1
            return
        self.deals_per_game.add(deals)
        for seat, total in enumerate(totals):
            self.totals[seat].add(total)
        _count(self.final_totals, totals)
        for seat in winners:
            self.wins[seat] += 1

    def _count_choices(self) -> None:
        """Count the choices of a deal; the cells of its cards have counted already."""
        counts = self._counts
        for count in counts.passes:
            self.passes.add(count)
        for count in counts.exposures:
            self.exposures.add(count)
        self.declined += counts.declined
        self.moon_choices += counts.moons
        self.choices_per_deal.add(counts.legal_cards)
        self.forced_per_deal.add(counts.forced)
        for trick, follower in enumerate(counts.followers):
            self.follower_choices[trick].add(follower.count)

    def _count_deal(self, points: tuple[int, ...], moon: bool, sun: bool, dealer: Seat) -> None:
        self.deals += 1
        self.moons += moon
        self.suns += sun
        _count(self.deal_points, points)
        players = len(points)
        for seat, number in enumerate(points):
            self.points_by_position[(seat - dealer) % players].add(number)


def _count(counts: dict[int, int], numbers: tuple[int, ...]) -> None:
    for number in numbers:
        counts[number] = counts.get(number, 0) + 1


def _frozen(part: Any) -> Any:
    if isinstance(part, list):
        return tuple([_frozen(item) for item in part])
    if isinstance(part, dict):
        return Distribution(tuple(sorted(part.items())))
    return part.moments() if isinstance(part, _Series) else part
