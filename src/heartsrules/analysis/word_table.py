"""Keep seats' words up to date while cards are played on a board.

The words include hidden cards, and `TableWords.seen_by` lists those that a seat can see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from heartsrules.analysis.seat_words import (
    BROKEN,
    DEAL,
    FAILED,
    LEADS,
    LEGAL,
    NUMBER,
    PLAY,
    SEAT,
    STEP,
    TAKER,
    TRICK,
    TURN,
    WON,
    SeenSeat,
    TableWords,
)
from heartsrules.cards import ALL_FACES, with_bag
from heartsrules.play.board import Board, SeatState
from heartsrules.play.state import Playing
from heartsrules.rules import KittyShownTo
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

CARD_BITS: Final[list[int]] = [card.bit for card in ALL_FACES]
"""The bit of each card, by index."""


class WordTable:
    """A deal on a board, and the buffer for its words.

    Args:
        at: the layout of the words.
        words: a writable buffer of `at.size` 64-bit integers.
        board: a new board.
    """

    def __init__(self, at: TableWords, words: Any, board: Board) -> None:
        self.at: Final = at
        self.words: Final = words
        self.board: Final = board
        self.resolved: Final[ResolvedRules] = at.rules._resolved
        self.seats: Final = [SeenSeat(number) for number in range(at.players)]
        self.turn: SeenSeat = self.seats[0]
        """The seat to act, or the last one to act after the match."""
        self.leader: SeenSeat = self.seats[0]
        self.legal: i64 = 0
        self.phase: i64 = PLAY
        self.deal_number: int = 0
        self._failed: i64 = 0

    def set_from(self, state: Playing) -> None:
        """Continue from a state whose words have been written."""
        board = self.board
        board.set_from(state)
        self.deal_number = state.deal_number
        for seat in self.seats:
            number = seat.number
            seat.about = self.words[self.at.about + number]
            seat.played_lo = self.words[self.at.played_lo + number]
            seat.played_hi = self.words[self.at.played_hi + number] if self.at.played_hi >= 0 else 0
        self.leader = self.seats[board.leader.seat]
        self._failed = FAILED[state.trick[0].card.index // 13] if state.trick else 0
        self.select(self.seats[board.turn.seat], board.legal())

    def write_deal(self) -> None:
        word: i64 = self.deal_number % self.at.steps * STEP + self.deal_number * NUMBER
        word += self.phase + self.board.trick_number * TRICK
        if self.board.broken:
            word += BROKEN
        self.words[DEAL] = word

    def write_about(self, seat: SeenSeat) -> None:
        self.words[self.at.about + seat.number] = seat.about

    def write_cards(self, at_lo: i64, at_hi: i64, place: i64, lo: i64, hi: i64) -> None:
        """Write cards, and the second copies where two decks have a place for them."""
        self.words[at_lo + place] = lo
        if at_hi >= 0:
            self.words[at_hi + place] = hi

    def select(self, seat: SeenSeat, legal: i64) -> None:
        """Make a seat the one to act, with a mask of legal actions."""
        self.turn = seat
        self.legal = legal
        self.words[LEGAL] = legal
        self.words[SEAT] = seat.number

    def ask(self, number: i64) -> None:
        seat = self.seats[number]
        seat.about |= TURN
        self.write_about(seat)
        self.select(seat, self.board.legal())

    def play(self, card: i64) -> bool:
        """Play a card, by its index.

        Returns:
            True if it was the last card of the deal.
        """
        at = self.at
        board = self.board
        words = self.words
        seat = self.turn
        number = seat.number
        mover = board.turn
        bit: i64 = CARD_BITS[card]
        held = mover.hand_lo
        if not board.led:
            self._failed = FAILED[card // 13]
        elif not bit & board.led:
            seat.about |= self._failed
        was_broken = board.broken
        kitty_waited = board.kitty_waits
        completed = board.play(bit)
        if mover.hand_lo != held:
            words[at.hand_lo + number] = mover.hand_lo
        else:
            words[at.hand_hi + number] = mover.hand_hi
        if seat.played_lo & bit:
            seat.played_hi |= bit
            words[at.played_hi + number] = seat.played_hi
        else:
            seat.played_lo |= bit
            words[at.played_lo + number] = seat.played_lo
        seat.about &= ~TURN
        self.write_about(seat)
        if completed:
            return self._complete(kitty_waited and not board.kitty_waits)
        words[at.trick + number] = bit
        if board.broken != was_broken:
            self.write_deal()
        self.ask(board.turn.seat)
        return False

    def _complete(self, kitty_taken: bool) -> bool:
        """Write a completed trick's changes, and return True if it was the last."""
        at = self.at
        board = self.board
        words = self.words
        for number in range(len(self.seats)):
            words[at.trick + number] = 0
        last = board.trick_number == self.resolved.hand_size
        seat = self.seats[board.turn.seat]
        if board.winner >= 0:
            seat.about += WON
            if kitty_taken:
                self._write_kitty(seat)
            self._write_pile(board.turn)
            if not last:
                self.leader.about &= ~LEADS
                self.write_about(self.leader)
                seat.about |= LEADS
                self.leader = seat
        if at.aside >= 0:
            words[at.aside] = board.aside_lo
            words[at.aside + 1] = board.aside_hi
        if last:
            self.write_about(seat)
        else:
            self.write_deal()
            self.ask(seat.number)
        return last

    def _write_kitty(self, taker: SeenSeat) -> None:
        at = self.at
        board = self.board
        taker.about |= TAKER
        shown_to = at.rules.kitty_shown_to
        for seat in self.seats:
            if shown_to is KittyShownTo.EVERYBODY or (shown_to is KittyShownTo.TAKER and seat is taker):
                self.write_cards(at.kitty_lo, at.kitty_hi, seat.number, board.kitty_lo, board.kitty_hi)

    def _write_pile(self, state: SeatState) -> None:
        at = self.at
        board = self.board
        number = state.seat
        lo = state.pile_lo
        hi = state.pile_hi
        self.write_cards(at.captured_lo, at.captured_hi, number, lo, hi)
        if at.own_captured_lo >= 0:
            if board.taker == number:
                lo, hi = with_bag(lo, hi, board.kitty_lo, board.kitty_hi)
            self.write_cards(at.own_captured_lo, at.own_captured_hi, number, lo, hi)
