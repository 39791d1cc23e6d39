"""The sampling player as it was in 0.1.0, so that later ones can be measured against it; it is not changed any more.

Its choices are those that it made then, with the heuristic player of that time; it takes a little longer, since nothing
of this file is compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from heartsrules.analysis._prospects import Forecast
from heartsrules.analysis.playout import ResolvedPolicy
from heartsrules.analysis.policies import Careful, Policy
from heartsrules.analysis.rollouts import roll_out
from heartsrules.base.errors import InvalidState
from heartsrules.bots.interface import options
from heartsrules.cards import Card
from heartsrules.chance import Bits, RandomStream, as_stream
from heartsrules.play.board import Board
from heartsrules.play.engine import apply
from heartsrules.play.moves import Move, Play
from heartsrules.play.public import faces_of
from heartsrules.play.scoring import game_winners
from heartsrules.play.state import GameOver
from heartsrules.rules import resolved as C
from heartsrules.views import ExposingView, PassingView, PlayingView, View
from heartsrules.views.worlds import sample_world
from players.heuristic_0_1 import heuristic, heuristic_passes, worth

__all__ = ["Sampling"]

_PASSES: Final = 8
_ROUNDS: Final = 4
_POINTS: Final = 0.1


@attrs.frozen
class Sampling:
    """Draws worlds that agree with its view, tries its moves in each, and plays the one that does best on average."""

    worlds: int = 100
    policy: Policy | None = attrs.field(factory=Careful)

    def __call__(self, view: View, rng: Bits, /) -> Move:
        """Choose a legal move of the view's seat."""
        moves = options(view)
        if len(moves) == 1:
            return moves[0]
        if isinstance(view, PlayingView):
            candidates: Sequence[Move] = _different(view, moves)
        elif isinstance(view, PassingView):
            candidates = heuristic_passes(view, rng, _PASSES)
        elif isinstance(view, ExposingView):
            candidates = moves
        else:
            return heuristic(view, rng)
        if len(candidates) == 1:
            return candidates[0]
        try:
            sample_world(view, rng)
        except InvalidState:
            return heuristic(view, rng)
        return _best_move(view, candidates, as_stream(rng), self.worlds, self.policy)


def _best_move(view: View, moves: Sequence[Move], stream: RandomStream, worlds: int, policy: Policy | None) -> Move:
    seat = view.seat
    assert seat is not None
    tables = view.rules.resolved
    forecast = Forecast(view.rules)
    board = Board(view.rules.resolved, view.scores)
    resolved = ResolvedPolicy(policy)
    deals = view.deal_number + 1
    sums = [0.0] * len(moves)
    left = list(range(len(moves)))
    for number in range(worlds):
        if number and number * _ROUNDS // worlds > (number - 1) * _ROUNDS // worlds:
            left.sort(key=sums.__getitem__, reverse=True)
            del left[max(2, (len(left) + 1) // 2) :]
        world = sample_world(view, stream)
        for tried in left:
            state = apply(world, moves[tried])
            assert not isinstance(state, GameOver)
            roll_out(board, state, stream, resolved, None)
            after = [seat.after for seat in board.seats]
            chance = forecast.chance(after, game_winners(tables, after, deals, board.shooter), deals, seat)
            sums[tried] += chance + _POINTS * forecast.less(after, seat)
    return moves[max(left, key=sums.__getitem__)]


def _different(view: PlayingView, moves: Sequence[Move]) -> list[Move]:
    rules = view.rules
    if rules.decks > 1:
        return list(moves)
    between = rules.deck - sum(view.captured, start=view.hand)
    tables = rules.resolved
    named = int(tables.doubler | tables.compulsory_faces | C.QUEEN | faces_of(view.exposed))
    chosen: list[Move] = []
    last: Card | None = None
    for move in moves:
        assert isinstance(move, Play)
        card = move.card
        same = (
            last is not None
            and last.suit is card.suit
            and not (last.bit | card.bit) & named
            and worth(rules, last) == worth(rules, card)
            and not any([last < other < card for other in between.of_suit(card.suit)])
        )
        if not same:
            chosen.append(move)
        last = card
    return chosen
