"""Deals that are played out in lockstep, with a network in every seat: each step is one batch of positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from heartsrules.analysis.policies import Expected
from heartsrules.analysis.rollouts import score
from heartsrules.bots._network import Network
from heartsrules.bots._positions import MOST_PLAYERS, PARTS, at, encode
from heartsrules.play.board import Board
from heartsrules.play.engine import apply, first_lead
from heartsrules.play.moves import Move, Play
from heartsrules.play.state import Passing, Playing
from heartsrules.play.taking_back import hands_before, plays_of_tricks
from heartsrules.rules import KittyShownTo, Seat
from heartsrules.views import PlayingView, View, view

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[Any]
T = TypeVar("T")

_TRUST: Final = 0.25
"""Exponent of the likelihoods of plays: a player who differs from the network once does so again."""
_LEAST: Final = 1e-3
"""The least likelihood of a play."""


def play_out_batch(
    network: Network, seen: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move]
) -> tuple[list[float], list[list[Board]]]:
    """Play out moves in worlds, as `heartsrules.analysis.policies.BatchPolicy` says."""
    likelihoods, deals = _tried(network, seen, worlds, moves)
    deals.finish()
    return likelihoods, _by_world(deals.boards, len(moves))


def judge_batch(
    network: Network, seen: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move]
) -> tuple[list[float], list[list[Expected]]]:
    """Judge moves in worlds, as `heartsrules.analysis.policies.BatchPolicy` says."""
    assert seen.seat is not None
    likelihoods, deals = _tried(network, seen, worlds, moves)
    points, moons = deals.judge(seen.seat)
    each = [Expected(*both) for both in zip(points.tolist(), moons.tolist(), strict=True)]
    return likelihoods, _by_world(each, len(moves))


def _tried(
    network: Network, seen: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move]
) -> tuple[list[float], Lockstep]:
    """The likelihood of each world, and the deals by world and move, after the move."""
    if isinstance(seen, PlayingView):
        playing = [world for world in worlds if isinstance(world, Playing)]
        deals = Lockstep(network, [_begun(world) for world in playing])
        deals.follow(chain(*[trick.plays for trick in seen.tricks], seen.trick), seen.turn)
        deals.fork(playing, len(moves))
        bits = [move.card.bit for move in moves if isinstance(move, Play)]
        deals.play(np.array(bits * len(playing), np.int64))
        return np.exp(deals.logs).tolist(), deals
    leads = [apply(world, move) for world in worlds for move in moves]
    return [1.0] * len(worlds), Lockstep(network, [lead for lead in leads if isinstance(lead, Playing)])


def _by_world(each: list[T], count: int) -> list[list[T]]:
    """Group results of `count` moves in each world."""
    return [each[start : start + count] for start in range(0, len(each), count)]


def _begun(world: Playing) -> Playing:
    """The state at the first lead of a deal that has its whole history."""
    hands = hands_before(world.hands, plays_of_tricks(world.tricks, world.trick))
    return first_lead(world.start, world.secrets, hands)


class Lockstep:
    """Deals of one rule set, of which each has played as many cards, on boards and as rows of each seat's position.

    Args:
        network: the player in every seat.
        starts: the deals at their first lead.
    """

    def __init__(self, network: Network, starts: Sequence[Playing]) -> None:
        self.rules: Final = starts[0].rules
        self._network: Final = network
        self._seats: Final = np.arange(self.rules.players)
        self.boards: list[Board] = []
        for start in starts:
            board = Board(start.public.resolved, start.scores)
            board.set_from(start)
            self.boards.append(board)
        self.rows: Ints = np.array(
            [[encode(view(start, seat)) for seat in range(self.rules.players)] for start in starts], np.int64
        )
        """The positions, of shape (deals, seats, words). The words of the legal actions are not kept."""
        self.logs: Floats = np.zeros(len(starts))
        """By deal, the logarithm of the likelihood of what was followed."""

    def fork(self, worlds: Sequence[Playing], count: int) -> None:
        """Repeat each deal `count` times, with boards of its state now."""
        self.rows = self.rows.repeat(count, axis=0)
        self.boards = []
        for world in worlds:
            for _ in range(count):
                board = Board(world.public.resolved, world.scores)
                board.set_from(world)
                self.boards.append(board)

    def follow(self, plays: Iterable[Play], observer: Seat) -> None:
        """Play the same cards in all deals, and add up how likely the network makes those of other seats."""
        asked: list[Ints] = []
        deals: list[Ints] = []
        cards: list[Ints] = []
        for play in plays:
            if play.seat != observer:
                rows = self._to_move()
                legal = rows[:, at["legal"]]
                chosen = np.flatnonzero(legal & (legal - 1))
                asked.append(rows[chosen])
                deals.append(chosen)
                cards.append(np.full(len(chosen), play.card.index))
            self.play(np.full(len(self.boards), play.card.bit))
        if deals and len(every := np.concatenate(deals)):
            preferences = self._network.preferences(self.rules, np.concatenate(asked))
            preferences -= preferences.max(axis=1, keepdims=True)
            np.exp(preferences, out=preferences)
            chances = preferences[np.arange(len(every)), np.concatenate(cards)] / preferences.sum(axis=1)
            np.add.at(self.logs, every, _TRUST * np.log(np.maximum(chances, _LEAST)))

    def finish(self) -> None:
        """Play to the end of the deals, with the cards that the network prefers."""
        while self.boards[0].trick_number < self.rules.cards_per_hand:
            self.play(self._preferred(self._to_move()))
        for board in self.boards:
            board.show_kitty()
            board.open_ring()

    def judge(self, observer: Seat) -> tuple[Floats, Floats]:
        """Play on to the next choice of a seat, with the cards that the network prefers, and ask the critic there.

        Returns:
            Two matrices of shape (deals, seats): the points that each seat is expected to make, and the chance that its
            side shoots the moon. If the deal ends before, they say what has come.
        """
        rules, players, sides = self.rules, self.rules.players, len(self.rules.sides)
        points = np.zeros((len(self.boards), players))
        moons = np.zeros((len(self.boards), players))
        left = np.arange(len(self.boards))
        judged: list[Ints] = []
        asked: list[Ints] = []
        hands: list[Ints] = []
        while len(left) and self.boards[0].trick_number < rules.cards_per_hand:
            rows = self._to_move()
            legal = rows[:, at["legal"]]
            stops = (legal & (legal - 1) != 0) & np.array([board.turn.seat == observer for board in self.boards])
            if stops.any():
                judged.append(left[stops])
                asked.append(rows[stops])
                hands.append(self.rows[stops, :, at["hand"]])
                goes_on = np.flatnonzero(~stops)
                left, rows, self.rows = left[goes_on], rows[goes_on], self.rows[goes_on]
                self.boards = [self.boards[number] for number in goes_on]
            if len(left):
                self.play(self._preferred(rows))
        for number, board in zip(left, self.boards, strict=True):
            board.show_kitty()
            board.open_ring()
            score(board.resolved, board, 0)
            points[number] = [seat.points for seat in board.seats]
            if board.shooter >= 0:
                moons[number, board.shooter % sides :: sides] = 1
        if judged:
            others = np.zeros((len(points) - len(left), MOST_PLAYERS - 1), np.int64)
            others[:, : players - 1] = np.roll(np.concatenate(hands), -observer, axis=1)[:, 1:]
            found = self._network.judge(rules, np.concatenate(asked), others)
            margins, chances = [np.roll(each[:, :players], observer, axis=1) for each in found]
            rows = np.concatenate(judged)
            points[rows] = rules.penalty_total / players - margins * sides / players
            if rules.resolved.moon:
                moons[rows] = chances
        return points, moons

    def _preferred(self, rows: Ints) -> Ints:
        """The bits of the cards that the network prefers."""
        legal = rows[:, at["legal"]]
        bits = legal & -legal
        chosen = np.flatnonzero(legal != bits)
        if len(chosen):
            bits[chosen] = np.int64(1) << self._network.preferences(self.rules, rows[chosen]).argmax(axis=1)
        return bits

    def _to_move(self) -> Ints:
        """The positions of the seats that are to play, with their legal actions."""
        rows: Ints = self.rows[np.arange(len(self.boards)), [board.turn.seat for board in self.boards]]
        rows[:, at["legal"]] = [board.legal() for board in self.boards]
        return rows

    def play(self, bits: Ints) -> None:
        """Play a card in each deal, given by its bit."""
        rows, boards = self.rows, self.boards
        movers = np.array([board.turn.seat for board in boards])
        everything = np.arange(len(boards))[:, None]
        places = (movers[:, None] - self._seats) % len(self._seats)
        cards = bits[:, None]
        rows[everything, self._seats, at["played"] + places] |= cards
        if boards[0].count:
            led = np.array([board.led for board in boards])
            suits = np.bitwise_count(led - 1 & ~led) // 13
            rows[everything, self._seats, at["failed"] + places] |= np.where(bits & led, 0, 1 << suits)[:, None]
        own = places == 0
        # A seat's own card would be written to the word before: the word of the legal actions is free.
        rows[everything, self._seats, np.where(own, at["legal"], at["trick"] + places - 1)] = cards
        rows[everything, self._seats, np.where(own, at["legal"], at["known"] + places - 1)] &= ~cards
        rows[everything, self._seats, np.where(own, at["hand"], at["outside"])] &= ~cards
        completed = False
        for board, bit in zip(boards, bits.tolist(), strict=True):
            completed = board.play(bit)
        rows[:, :, at["broken"]] = np.array([board.broken for board in boards])[:, None]
        if completed:
            self._complete(movers, bits)

    def _complete(self, movers: Ints, bits: Ints) -> None:
        """Give the completed tricks to their winners, and kitties to their takers."""
        rows, boards, players = self.rows, self.boards, len(self._seats)
        everything = np.arange(len(boards))
        others = rows[everything, movers, at["trick"] : at["trick"] + players - 1]
        winners = np.array([board.winner for board in boards])
        places = (winners[:, None] - self._seats) % players
        where = everything[:, None], self._seats
        rows[(*where, at["captured"] + places)] |= (np.bitwise_or.reduce(others, axis=1) | bits)[:, None]
        rows[(*where, at["won"] + places)] += 1
        rows[:, :, at["trick"] : at["trick"] + PARTS["trick"]] = 0
        rows[:, :, at["tricks"]] += 1
        rows[:, :, at["leader"]] = places
        if self.rules.kitty_size:
            for number, board in enumerate(boards):
                if board.taker >= 0 and rows[number, 0, at["taker"]] < 0:
                    self._take_kitty(number, board)

    def _take_kitty(self, number: int, board: Board) -> None:
        shown_to = self.rules.kitty_shown_to
        for seat in self._seats:
            row = self.rows[number, seat]
            place = row[at["taker"]] = (board.taker - seat) % len(self._seats)
            if shown_to is KittyShownTo.EVERYBODY or (shown_to is KittyShownTo.TAKER and not place):
                row[at["captured"] + place] |= board.kitty_lo
                row[at["outside"]] &= ~board.kitty_lo
