"""Plays games and counts: `Statistics` that are still growing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import attrs

from heartsrules.chance import RandomStream
from heartsrules.engine import new_game
from heartsrules.playout import Manner, Widths, playout_deal
from heartsrules.policies import Policy
from heartsrules.rules import MAX_DEALS, Rules, Tie
from heartsrules.scoring import game_winners
from heartsrules.sheet import DealScore
from heartsrules.state import AwaitingDeal, GameOver, PlayedDeal
from heartsrules.stats import SUMMED, Distribution, Moments, Statistics
from heartsrules.values import Unchecked, checked_int, wrong_type

__all__ = ["Tally"]

PlayDeal: TypeAlias = Callable[[AwaitingDeal, Widths], AwaitingDeal | GameOver]
"""Deals, has the deal played to its end, and notes how many legal moves the decisions had."""


class _Series:
    """`Moments` that are still growing."""

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


class Tally:
    """`Statistics` that are still growing: it plays games and counts."""

    def __init__(self, rules: Rules) -> None:
        if not isinstance(rules, Rules):
            wrong_type("rules", "a Rules", rules)
        tricks = rules.cards_per_hand
        self.rules = rules
        self.as_if_shared = attrs.evolve(rules, tie=Tie.SHARED)
        self.games = self.unfinished = self.tied_games = self.extra_deals = self.deals = 0
        self.deals_per_game = _Series()
        self.totals = [_Series() for _ in range(rules.players)]
        self.wins = [0] * rules.players
        self.choices_by_decision = [[0] * (tricks + 1) for _ in range(tricks * rules.players)]
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

    def statistics(self) -> Statistics:
        """What has been counted so far."""
        parts = {name: _frozen(getattr(self, name)) for name in SUMMED}
        return Statistics(rules=self.rules, **parts)

    def play_game(self, seed: str | Unchecked, max_deals: int | Unchecked, policy: Policy | None = None) -> None:
        """Play one game with this seed and count it; it is unfinished if it is not over after `max_deals` deals.

        Args:
            seed: the seed of a stream, for the deals and for all choices.
            max_deals: after how many deals to stop.
            policy: how all players choose; None: uniformly among the legal moves.

        Raises:
            TypeError: `seed` is not a str or an int, or `max_deals` is not an int.
        """
        self._play_game(RandomStream(seed), policy, None, max_deals)

    def play_game_by(self, play: PlayDeal, max_deals: int | Unchecked) -> None:
        """Play one game, each of whose deals is played by `play`, and count it.

        Raises:
            TypeError: `max_deals` is not an int.
        """
        self._play_game(None, None, play, max_deals)

    def _play_game(
        self, stream: RandomStream | None, policy: Policy | None, play: PlayDeal | None, max_deals: int | Unchecked
    ) -> None:
        most = min(checked_int("max_deals", max_deals), MAX_DEALS)
        state: AwaitingDeal | GameOver = new_game(self.rules)
        tied = extra = False
        while isinstance(state, AwaitingDeal) and state.deal_number < most:
            self.extra_deals += extra
            state = self._play_deal(state, stream, policy, play)
            extra = self._is_tied(state)
            tied |= extra
        self.games += 1
        self.tied_games += tied
        if isinstance(state, AwaitingDeal):
            self.unfinished += 1
            return
        self.deals_per_game.add(len(state.deal_scores))
        for series, total in zip(self.totals, state.scores, strict=True):
            series.add(total)
        _count(self.final_totals, state.scores)
        for seat in state.winners:
            self.wins[seat] += 1

    def _is_tied(self, state: AwaitingDeal | GameOver) -> bool:
        """Whether several sides share the lowest total of a game that should be over."""
        if isinstance(state, AwaitingDeal):
            return game_winners(self.as_if_shared.tables, state.scores, state.deal_number) is not None
        return len({self.rules.side(seat) for seat in state.winners}) > 1

    def _play_deal(
        self, start: AwaitingDeal, stream: RandomStream | None, policy: Policy | None, play: PlayDeal | None
    ) -> AwaitingDeal | GameOver:
        widths = Widths()
        if stream is not None:
            state = playout_deal(start, stream, Manner(policy), widths)
        else:
            assert play is not None
            state = play(start, widths)
        for count in widths.passes:
            self.passes.add(count)
        for count in widths.exposures:
            self.exposures.add(count)
        self.declined += widths.declined
        self.moon_choices += widths.moons
        self._count_cards(widths.cards)
        assert state.last_deal is not None
        self._count_deal(state.last_deal, state.deal_scores[-1], start.dealer)
        return state

    def _count_cards(self, widths: list[int]) -> None:
        players = self.rules.players
        in_deal = forced = by_leader = by_all = 0
        for decision, count in enumerate(widths):
            self.choices_by_decision[decision][count] += 1
            forced += count == 1
            if decision % players == 0:
                by_leader = count
                by_all = 0
            by_all += count
            if decision % players == players - 1:
                self.follower_choices[decision // players].add(by_all - by_leader)
                in_deal += by_all
        self.choices_per_deal.add(in_deal)
        self.forced_per_deal.add(forced)

    def _count_deal(self, played: PlayedDeal, score: DealScore, dealer: int) -> None:
        self.deals += 1
        self.moons += score.shooter is not None
        self.suns += score.sun
        self.void_tricks += sum([trick.winner is None for trick in played.tricks])
        self.unclaimed += bool(played.set_aside)
        self.kitties_taken += bool(played.kitty) and played.kitty_taker is not None
        _count(self.deal_points, score.points)
        for seat, points in enumerate(score.points):
            self.points_by_position[(seat - dealer) % self.rules.players].add(points)


def _count(counts: dict[int, int], numbers: tuple[int, ...]) -> None:
    for number in numbers:
        counts[number] = counts.get(number, 0) + 1


def _frozen(part: Any) -> Any:
    if isinstance(part, list):
        return tuple([_frozen(item) for item in part])
    if isinstance(part, dict):
        return Distribution(tuple(sorted(part.items())))
    return part.moments() if isinstance(part, _Series) else part
