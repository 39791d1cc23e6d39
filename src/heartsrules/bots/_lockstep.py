"""Play out deals in lockstep with a network in every seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from heartsrules.analysis.policies import Expected
from heartsrules.analysis.rollouts import score
from heartsrules.analysis.seat_words import LEGAL, SEAT, encoder_of
from heartsrules.analysis.word_table import WordTable
from heartsrules.bots._network import Network
from heartsrules.bots._sparse import MOST_PLAYERS
from heartsrules.play.board import Board
from heartsrules.play.engine import apply, first_lead
from heartsrules.play.moves import Move, Play
from heartsrules.play.state import Passing, Playing
from heartsrules.play.taking_back import hands_before, plays_of_tricks
from heartsrules.rules import Seat
from heartsrules.views import PlayingView, View, view

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[Any]
T = TypeVar("T")

_TRUST: Final = 0.25
"""The exponent of the likelihoods of plays.

It is below 1 because a player who differs from the network once will do so again.
"""
_LEAST: Final = 1e-3
"""The lowest likelihood of a play."""


def play_out_batch(
    network: Network, seen: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move]
) -> tuple[list[float], list[list[Board]]]:
    """Play out moves in worlds, as in `heartsrules.analysis.policies.BatchPolicy`."""
    likelihoods, deals = _tried(network, seen, worlds, moves)
    deals.finish()
    return likelihoods, _by_world(deals.boards, len(moves))


def judge_batch(
    network: Network, seen: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move]
) -> tuple[list[float], list[list[Expected]]]:
    """Judge moves in worlds, as in `heartsrules.analysis.policies.BatchPolicy`."""
    assert seen.seat is not None
    likelihoods, deals = _tried(network, seen, worlds, moves)
    points, moons = deals.judge(seen.seat)
    each = [Expected(*both) for both in zip(points.tolist(), moons.tolist(), strict=True)]
    return likelihoods, _by_world(each, len(moves))


def _tried(
    network: Network, seen: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move]
) -> tuple[list[float], Lockstep]:
    if isinstance(seen, PlayingView):
        playing = [world for world in worlds if isinstance(world, Playing)]
        deals = Lockstep(network, [_begun(world) for world in playing])
        deals.follow(chain(*[trick.plays for trick in seen.tricks], seen.trick), seen.turn)
        deals.fork(playing, len(moves))
        cards = [move.card.index for move in moves if isinstance(move, Play)]
        deals.play(np.arange(len(deals.tables)), cards * len(playing))
        return np.exp(deals.logs).tolist(), deals
    leads = [apply(world, move) for world in worlds for move in moves]
    return [1.0] * len(worlds), Lockstep(network, [lead for lead in leads if isinstance(lead, Playing)])


def _by_world(each: list[T], count: int) -> list[list[T]]:
    return [each[start : start + count] for start in range(0, len(each), count)]


def _begun(world: Playing) -> Playing:
    hands = hands_before(world.hands, plays_of_tricks(world.tricks, world.trick))
    return first_lead(world.start, world.secrets, hands)


class Lockstep:
    """Deals of one rule set, at tables with the same number of cards played.

    Args:
        starts: the deals at their first lead.
    """

    def __init__(self, network: Network, starts: Sequence[Playing]) -> None:
        self.rules: Final = starts[0].rules
        self._network: Final = network
        encoder = encoder_of(self.rules)
        self._at: Final = encoder.at
        seats = range(self.rules.players)
        self._seen_by: Final = np.array([self._at.seen_by(seat) for seat in seats], np.intp)
        self._words: Ints = np.zeros((len(starts), self._at.size), np.int64)
        self._words[:, self._seen_by] = [[encoder.words(view(start, seat)) for seat in seats] for start in starts]
        self._set_tables(starts)
        self.logs: Floats = np.zeros(len(starts))
        """The log-likelihood of the plays followed, by deal."""

    def _set_tables(self, states: Sequence[Playing]) -> None:
        self.tables: list[WordTable] = []
        for row, state in zip(self._words, states, strict=True):
            board = Board(state.public._resolved, state.scores)
            table = WordTable(self._at, row.data.cast("B").cast("q"), board)
            table.set_from(state)
            self.tables.append(table)

    @property
    def boards(self) -> list[Board]:
        return [table.board for table in self.tables]

    def fork(self, worlds: Sequence[Playing], count: int) -> None:
        self._words = self._words.repeat(count, axis=0)
        self._set_tables([world for world in worlds for _ in range(count)])

    def follow(self, plays: Iterable[Play], observer: Seat) -> None:
        """Play the same cards in all deals, and add up other seats' log-likelihoods."""
        asked: list[Ints] = []
        deals: list[Ints] = []
        cards: list[Ints] = []
        everything = np.arange(len(self.tables))
        for play in plays:
            if play.seat != observer:
                legal = self._words[:, LEGAL]
                chosen = np.flatnonzero(legal & (legal - 1))
                asked.append(self.seen(chosen))
                deals.append(chosen)
                cards.append(np.full(len(chosen), play.card.index))
            self.play(everything, [play.card.index] * len(everything))
        if deals and len(every := np.concatenate(deals)):
            preferences = self._network.preferences(self.rules, np.concatenate(asked))
            preferences -= preferences.max(axis=1, keepdims=True)
            np.exp(preferences, out=preferences)
            chances = preferences[np.arange(len(every)), np.concatenate(cards)] / preferences.sum(axis=1)
            np.add.at(self.logs, every, _TRUST * np.log(np.maximum(chances, _LEAST)))

    def finish(self) -> None:
        """Finish the deals with the network's preferred cards."""
        everything = np.arange(len(self.tables))
        while not self._is_over():
            self.play(everything, self._preferred(everything))
        for board in self.boards:
            board.show_kitty()
            board.open_ring()

    def judge(self, observer: Seat) -> tuple[Floats, Floats]:
        """Play preferred cards until a seat's next choice, and consult the critic.

        Returns:
            Two matrices of shape (deals, seats): the expected points of each seat, and the chance that its side shoots
            the moon. If a deal ends first, they contain its result.
        """
        rules, players, sides = self.rules, self.rules.players, len(self.rules.sides)
        points = np.zeros((len(self.tables), players))
        moons = np.zeros((len(self.tables), players))
        left = np.arange(len(self.tables))
        judged: list[Ints] = []
        while len(left) and not self._is_over(left[0]):
            legal = self._words[left, LEGAL]
            stops = (legal & (legal - 1) != 0) & (self._words[left, SEAT] == observer)
            judged.append(left[stops])
            left = left[~stops]
            self.play(left, self._preferred(left))
        for number in left:
            board = self.tables[number].board
            board.show_kitty()
            board.open_ring()
            score(board.resolved, board, 0)
            points[number] = [seat.points for seat in board.seats]
            if board.shooter >= 0:
                moons[number, board.shooter % sides :: sides] = 1
        stopped = np.concatenate(judged) if judged else left[:0]
        if len(stopped):
            hands = self._words[stopped, self._at.hand_lo : self._at.hand_lo + players]
            others = np.zeros((len(stopped), MOST_PLAYERS - 1), np.int64)
            others[:, : players - 1] = np.roll(hands, -observer, axis=1)[:, 1:]
            found = self._network.judge(rules, self.seen(stopped), others)
            margins, chances = [np.roll(each[:, :players], observer, axis=1) for each in found]
            points[stopped] = rules.penalty_total / players - margins * sides / players
            if rules._resolved.moon:
                moons[stopped] = chances
        return points, moons

    def _is_over(self, number: int = 0) -> bool:
        return self.tables[number].board.trick_number == self.rules.cards_per_hand

    def seen(self, deals: Ints) -> Ints:
        seen: Ints = self._words[deals[:, None], self._seen_by[self._words[deals, SEAT]]]
        return seen

    def _preferred(self, deals: Ints) -> list[int]:
        legal = self._words[deals, LEGAL]
        cards: Ints = np.bitwise_count((legal & -legal) - 1).astype(np.int64)
        chosen = np.flatnonzero(legal & (legal - 1))
        if len(chosen):
            cards[chosen] = self._network.preferences(self.rules, self.seen(deals[chosen])).argmax(axis=1)
        found: list[int] = cards.tolist()
        return found

    def play(self, deals: Ints, cards: Sequence[int]) -> None:
        for deal, card in zip(deals.tolist(), cards, strict=True):
            self.tables[deal].play(card)
