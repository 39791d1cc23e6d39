"""How good bots typically choose cards, by tables that were fitted to their choices."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from math import exp, log
from typing import TYPE_CHECKING, Final, final

from heartsrules.analysis.card_choice import MOON_NEAR, Situation, highest_face, taker_of, watchful_face
from heartsrules.cards import popcount, suit_faces
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board
from heartsrules.rules import compiled as C
from heartsrules.rules.compiled import CompiledRules

if TYPE_CHECKING:
    from mypy_extensions import i64

SHIPPED: Final = "habits.json"
"""The file of this package with the tables."""

LEAD: Final = 0
FOLLOW: Final = 1
DISCARD: Final = 2

UNIT: Final = 64
"""The parts of a score: a card with a score higher by so many is e times as likely."""

# The places where the tables of one kind of play begin, in one list, and the length of the list.
_LEAD_HELD: Final = 1352
_LEAD_MOON: Final = 2000
_LEAD_TRICK: Final = 2192
_LEAD_USUAL: Final = 2504
_FOLLOW_OVER: Final = 192
_FOLLOW_MOON: Final = 816
_FOLLOW_TRICK: Final = 944
_FOLLOW_HELD: Final = 1048
_FOLLOW_USUAL: Final = 2344
_FOLLOW_QUEEN: Final = 2369
_DISCARD_HELD: Final = 104
_DISCARD_OUT: Final = 752
_DISCARD_MOON: Final = 2104
_DISCARD_USUAL: Final = 2360
_DISCARD_TRICK: Final = 2369
SIZES: Final = (2511, 3137, 2473)
"""The numbers of scores in the tables for leads, follows and discards."""

# The state of the Q♠ (`_queen`).
_CAPTURED: Final = 0
_HELD: Final = 1
_OUT: Final = 2
_IN_TRICK: Final = 3

# Who has taken points (`_moon`).
_NOBODY: Final = 0
_SELF: Final = 1
_OTHER: Final = 2
_SEVERAL: Final = 3
_SELF_NEAR: Final = 4
_OTHER_NEAR: Final = 5
_OTHER_WINS: Final = 6
_OTHER_NEAR_WINS: Final = 7

_SCORES: Final = (5, 7, 6)
"""The numbers of scores that are summed for a lead, a follow and a discard."""

_NOISE: Final[list[int]] = [round(-UNIT * log(-log((step + 0.5) / 256))) for step in range(256)]
"""Quantiles of the Gumbel distribution: the card with the highest sum of score and noise is a draw from all."""
_MORE_THAN_ANY: Final = 1 << 30


def has_tables(compiled: CompiledRules) -> bool:
    """Whether there are tables for a rule set: one deck, four players, 26 points in the hearts and the Q♠, no more."""
    return (
        compiled.players == 4
        and compiled.sides == 4
        and compiled.hand_size == 13
        and not compiled.deck_hi
        and compiled.penalty == C.HEARTS | C.QUEEN
        and compiled.penalty_total == 26
        and not compiled.bonus_faces
        and not compiled.doubler
        and not compiled.exposable
        and compiled.compulsory == C.COMPULSORY_NO
    )


@final
class Habits:
    """How likely each card is to be chosen, by tables of scores.

    `look` takes in a position. The score of a card is the sum of several numbers of the tables. Cards between which
    nobody else has one are interchangeable, and the lowest stands for them.

    Args:
        tables: the scores for leads, follows and discards, as many as `SIZES` says.
    """

    __slots__ = (
        "_a",
        "_b",
        "_c",
        "_choices",
        "_d",
        "_e",
        "_f",
        "_g",
        "_held",
        "_held_count",
        "_legal",
        "_moon",
        "_others",
        "_others_count",
        "_own",
        "_place",
        "_points",
        "_queen",
        "_suit",
        "_tables",
        "_top",
        "_trick",
        "_unseen",
        "_usual",
        "kind",
    )

    def __init__(self, tables: list[list[int]]) -> None:
        self._tables: Final = tables
        self.kind: i64 = LEAD
        """The kind of play: `LEAD`, `FOLLOW` or `DISCARD`."""
        self._held: i64 = 0
        self._unseen: i64 = 0
        self._queen: i64 = _OUT
        self._moon: i64 = _NOBODY
        self._trick: i64 = 0
        self._place: i64 = 0
        self._points: i64 = 0
        self._top: i64 = 0
        self._usual: i64 = 0
        self._legal: i64 = 0
        self._choices: i64 = 0
        # The suit of the card that was weighed last: its faces, those held and out, and how many these are.
        self._suit: i64 = 0
        self._own: i64 = 0
        self._others: i64 = 0
        self._held_count: i64 = 0
        self._others_count: i64 = 0
        # Where the scores of a card are in the table, see `_weigh`.
        self._a: i64 = 0
        self._b: i64 = 0
        self._c: i64 = 0
        self._d: i64 = 0
        self._e: i64 = 0
        self._f: i64 = 0
        self._g: i64 = 0

    def look(
        self,
        compiled: CompiledRules,
        situation: Situation,
        legal: i64,
        trick: i64,
        winner: i64,
        stream: RandomStream,
    ) -> None:
        """Take in a position.

        Args:
            compiled: the compiled rules.
            situation: what the player knows.
            legal: the faces that may be played.
            trick: the number of completed tricks.
            winner: the seat that is winning the trick; -1: nobody.
            stream: for what a watchful player would play, which counts too.
        """
        queen: i64 = C.QUEEN
        hearts: i64 = C.HEARTS
        led = situation.led
        lo = situation.lo
        self._suit = 0
        self._held = situation.held
        self._unseen = situation.unseen(compiled)
        self._trick = trick
        self._place = situation.place - 1
        self._legal = legal
        self._choices = self._distinct(legal)
        self._usual = self._choices
        if self._choices & (self._choices - 1):
            self._usual = watchful_face(compiled, situation, legal, 0, stream)
        self._queen = _OUT
        if situation.gone & queen:
            self._queen = _CAPTURED
        elif situation.held & queen:
            self._queen = _HELD
        elif lo & queen:
            self._queen = _IN_TRICK
        self._moon = _NOBODY
        taker = situation.moon
        if taker == -2:
            self._moon = _SEVERAL
        elif taker >= MOON_NEAR:
            taker -= MOON_NEAR
            self._moon = _OTHER_NEAR
            if taker == situation.seat:
                self._moon = _SELF_NEAR
            elif taker == winner:
                self._moon = _OTHER_NEAR_WINS
        elif taker >= 0:
            self._moon = _OTHER
            if taker == situation.seat:
                self._moon = _SELF
            elif taker == winner:
                self._moon = _OTHER_WINS
        self.kind = LEAD
        self._points = 0
        self._top = 0
        if led:
            self.kind = FOLLOW
            if not legal & led:
                self.kind = DISCARD
            self._top = highest_face(lo & led)
            if lo & queen:
                self._points = 3
            else:
                self._points = _at_most(popcount(lo & hearts), 2)

    def draw(self, stream: RandomStream) -> i64:
        """Draw a card of the position by the probabilities; a single choice takes no draw."""
        left = self._choices
        if not left & (left - 1):
            return left
        word = stream.word()
        drawn: i64 = 0
        best: i64 = -_MORE_THAN_ANY
        chosen: i64 = 0
        while left:
            bit = left & -left
            left ^= bit
            self._weigh(bit)
            if drawn == 4:
                word = stream.word()
                drawn = 0
            score = self._score() + _NOISE[word & 255]
            word >>= 8
            drawn += 1
            if score > best:
                best = score
                chosen = bit
        return chosen

    def log_chance(self, played: i64) -> float:
        """The logarithm of the probability that a card of the position, or one interchangeable with it, is chosen."""
        total = 0.0
        score = 0.0
        left = self._choices
        while left:
            bit = left & -left
            left ^= bit
            self._weigh(bit)
            each = float(int(self._score())) / float(UNIT)
            if bit <= played:
                score = each
            total += exp(each)
        return score - log(total)

    def choices(self) -> dict[int, tuple[int, ...]]:
        """By the bit of each card that stands for itself and those interchangeable with it, the places of its scores.

        The places are those in the tables of the kind of play.
        """
        found: dict[int, tuple[int, ...]] = {}
        left = self._choices
        while left:
            bit = left & -left
            left ^= bit
            self._weigh(bit)
            places = int(self._a), int(self._b), int(self._c), int(self._d), int(self._e), int(self._f), int(self._g)
            found[int(bit)] = places[: _SCORES[self.kind]]
        return found

    def _distinct(self, legal: i64) -> i64:
        """The lowest of each group of legal faces between which nobody else has a card; the Q♠ is alone in its own."""
        queen: i64 = C.QUEEN
        found: i64 = 0
        suit: i64 = 0x1FFF
        for _ in range(4):
            left = legal & suit
            others = self._unseen & suit
            before: i64 = 0
            while left:
                bit = left & -left
                left ^= bit
                # The difference of two bits is all bits from the lower one up to the higher one.
                if not before or bit == queen or others & (bit - before):
                    found |= bit
                before = bit & ~queen
            suit <<= 13
        return found

    def _score(self) -> i64:
        """The score of the card that was weighed last."""
        table = self._tables[self.kind]
        score: i64 = table[self._a]
        score += table[self._b]
        score += table[self._c]
        score += table[self._d]
        score += table[self._e]
        if self.kind != LEAD:
            score += table[self._f]
            if self.kind == FOLLOW:
                score += table[self._g]
        return score

    def _weigh(self, bit: i64) -> None:
        """Set the places of the scores of a card."""
        suit = self._suit
        if not suit & bit:
            suit = suit_faces(bit)
            self._suit = suit
            self._own = self._held & suit
            self._others = self._unseen & suit
            self._others_count = popcount(self._others)
            self._held_count = _at_most(popcount(self._own), 9)
        queen: i64 = C.QUEEN
        lower: i64 = popcount(self._others & (bit - 1))
        higher = self._others_count - lower
        held = self._held_count
        below = _at_most(popcount(self._own & (bit - 1)), 8)
        # Groups of cards: hearts, the Q♠, spades around one that is held, or out, other spades, clubs and diamonds.
        group: i64 = 7
        if bit >= 1 << 39:
            group = 0
        elif bit >= 1 << 26:
            group = 6
            if bit == queen:
                group = 1
            elif self._queen == _HELD:
                group = 4
                if bit > queen:
                    group = 2
            elif self._queen == _OUT:
                group = 5
                if bit > queen:
                    group = 3
        within = (group * 9 + held - 1) * 9 + below
        trick = self._trick
        place = self._place
        points = self._points
        moon = self._moon
        usual = bit == self._usual
        if self.kind == LEAD:
            self._a = (group * 13 + lower) * 13 + higher
            self._b = _LEAD_HELD + within
            self._c = _LEAD_MOON + (moon * 8 + group) * 4
            if not higher:
                self._c += 2
            if not lower:
                self._c += 1
            self._d = _LEAD_TRICK + (trick * 8 + group) * 3 + _at_most(higher, 2)
            self._e = _LEAD_USUAL + 6
            if usual:
                self._e = _LEAD_USUAL + moon
        elif self.kind == FOLLOW:
            above: i64 = 0
            rank: i64 = 0
            over = self._legal & suit & ~(bit + bit - 1)
            if bit > self._top:
                above = 1
                rank = popcount(over)
            else:
                rank = popcount(over & (self._top - 1))
            rank = _at_most(rank, 3)
            self._a = (((above * 3 + place) * 4 + points) * 4 + rank) * 2
            if not below:
                self._a += 1
            self._b = _FOLLOW_OVER + ((above * 8 + group) * 3 + place) * 13 + higher
            self._c = _FOLLOW_MOON + (moon * 2 + above) * 8
            if points:
                self._c += 4
            if place == 2:
                self._c += 2
            if not rank:
                self._c += 1
            self._d = _FOLLOW_TRICK + (trick * 2 + above) * 4 + rank
            self._e = _FOLLOW_HELD + above * 648 + within
            self._f = _FOLLOW_USUAL + 24
            if usual:
                self._f = _FOLLOW_USUAL + moon * 3 + place
            self._g = _FOLLOW_QUEEN + (((group * 2 + above) * 4 + self._queen) * 3 + place) * 4 + points
        else:
            self._a = group * 13 + popcount(suit & (bit - 1))
            self._b = _DISCARD_HELD + within
            self._c = _DISCARD_OUT + (group * 13 + lower) * 13 + higher
            self._d = _DISCARD_MOON + (moon * 8 + group) * 4 + points
            self._e = _DISCARD_USUAL + 8
            if usual:
                self._e = _DISCARD_USUAL + moon
            self._f = _DISCARD_TRICK + trick * 8 + group


def _at_most(value: i64, most: i64) -> i64:
    """The lower of two numbers; compiled, a conditional expression would make objects of them."""
    if value > most:
        return most
    return value


@lru_cache(maxsize=1)
def shipped_tables() -> list[list[int]]:
    """The tables of this package."""
    tables: list[list[int]] = json.loads(files("heartsrules.analysis").joinpath(SHIPPED).read_bytes())
    return tables


def typical_face(board: Board, situation: Situation, legal: i64, habits: Habits, stream: RandomStream) -> i64:
    """The card of a typical player.

    Args:
        board: where the deal stands.
        situation: what the player knows.
        legal: the faces that may be played.
        habits: how likely each card is.
        stream: the source of all draws; a single legal card takes none.
    """
    if not legal & (legal - 1):
        return legal
    habits.look(board.compiled, situation, legal, board.trick_number, taker_of(board), stream)
    return habits.draw(stream)
