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
"""A function that plays a deal and counts the legal moves of its decisions."""

_AT_ONCE: Final = 1024
"""Deals between two pauses for Ctrl-C and other threads."""


class _Series:
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


_Outcome: TypeAlias = tuple[tuple[int, ...], bool, bool, tuple[int, ...], tuple[Seat, ...] | None]
"""A deal's points, whether the moon was shot and doubled, the totals, and the winners of a finished game."""


class Tally:
    """Mutable `Statistics` that play games and count."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._resolved: Final = rules._resolved
        self._as_if_shared: Final = attrs.evolve(rules, tie=Tie.SHARED)._resolved
        self._board: Final = Board(rules._resolved, (0,) * rules.players)
        self._counts: Final = ChoiceCounts(rules._resolved)
        self.games = self.unfinished = self.tied_games = self.extra_deals = self.deals = 0
        self.deals_per_game = _Series()
        self.totals = [_Series() for _ in range(rules.players)]
        self.wins = [0] * rules.players
        self.choices_per_deal = _Series()
        self.forced_per_deal = _Series()
        self.follower_choices = [_Series() for _ in range(rules.cards_per_hand)]
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
        """Play one game, and count it as unfinished if `max_deals` deals do not end it.

        Raises:
            ValueError: `seed` contains a lone surrogate or more than 600 digits.
        """
        stream = RandomStream(seed)
        chooser = ResolvedPolicy(policy)
        if chooser.custom is None:
            self._roll_game(stream, chooser, max_deals)
        else:
            self.play_game_by(lambda start, counts: playout_deal(start, stream, chooser, counts), max_deals)

    def play_game_by(self, play: PlayDeal, max_deals: int) -> None:
        """Play one game with the function `play`, and count it."""
        state = new_game(self.rules)

        def play_deal() -> _Outcome:
            nonlocal state
            pause()
            assert isinstance(state, AwaitingDeal)
            state = play(state, self._counts)
            played, score = state.last_deal, state.score_sheet[-1]
            assert played is not None
            self.void_tricks += sum([trick.winner is None for trick in played.tricks])
            self.unclaimed += bool(played.set_aside)
            self.kitties_taken += bool(played.kitty) and played.kitty_winner is not None
            winners = state.winners if isinstance(state, GameOver) else None
            return score.points, score.shooter is not None, score.sun, state.scores, winners

        self._play(play_deal, max_deals)

    def _roll_game(self, stream: RandomStream, chooser: ResolvedPolicy, max_deals: int) -> None:
        """Play one game with `roll_out`, which stores only figures that are counted."""
        board = self._board
        start = new_game(self.rules)

        def play_deal() -> _Outcome:
            nonlocal start
            deals = start.deal_number + 1
            if deals % _AT_ONCE == 0:
                pause()
            roll_out(board, start, stream, chooser, self._counts)
            self.void_tricks += int(board.voids)
            self.unclaimed += board.aside_lo != 0
            self.kitties_taken += board.taker >= 0
            points = tuple([seat.points for seat in board.seats])
            totals = tuple([seat.after for seat in board.seats])
            winners = game_winners(self._resolved, totals, deals, board.shooter)
            taker = None if board.queen_taker < 0 else board.queen_taker
            # The rows of earlier deals are not needed.
            start = AwaitingDeal(self.rules, ScoreSheet(totals, deals, (), taker), None)
            return points, board.shooter >= 0, board.sun, totals, winners

        self._play(play_deal, max_deals)

    def _play(self, play_deal: Callable[[], _Outcome], max_deals: int) -> None:
        players = self.rules.players
        totals: tuple[int, ...] = (0,) * players
        winners: tuple[Seat, ...] | None = None
        deals = 0
        was_tied = tied = False
        while winners is None and deals < min(max_deals, MAX_DEALS):
            self.extra_deals += tied
            self._counts.begin()
            points, moon, sun, totals, winners = play_deal()
            self._count_choices()
            self.deals += 1
            self.moons += moon
            self.suns += sun
            dealer = self._resolved.dealer(deals)
            for seat, number in enumerate(points):
                _count(self.deal_points, number)
                self.points_by_position[(seat - dealer) % players].add(number)
            deals += 1
            tied = self._is_tied(totals, winners, deals)
            was_tied = was_tied or tied
        self.games += 1
        self.tied_games += was_tied
        if winners is None:
            self.unfinished += 1
            return
        self.deals_per_game.add(deals)
        for seat, total in enumerate(totals):
            self.totals[seat].add(total)
            _count(self.final_totals, total)
        for seat in winners:
            self.wins[seat] += 1

    def _is_tied(self, totals: tuple[int, ...], winners: tuple[Seat, ...] | None, deals: int) -> bool:
        if winners is None:
            if self._resolved.shares_ties:
                return False
            return game_winners(self._as_if_shared, totals, deals) is not None
        return len({self.rules.side(seat) for seat in winners}) > 1

    def _count_choices(self) -> None:
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


def _count(counts: dict[int, int], number: int) -> None:
    counts[number] = counts.get(number, 0) + 1


def _frozen(part: Any) -> Any:
    if isinstance(part, list):
        return tuple([_frozen(item) for item in part])
    if isinstance(part, dict):
        return Distribution(tuple(sorted(part.items())))
    return part.moments() if isinstance(part, _Series) else part
