"""A mutable deal in machine integers.

States are immutable; a board is for loops that play and take back many cards without keeping the positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import Cards, bag_of, cards_of, suit_faces, with_bag, with_card
from heartsrules.chance.stream import Place, RandomStream
from heartsrules.play.legality import FREE_OTHERWISE, FREE_TO_FOLLOW, beaten_faces, freedom, playable
from heartsrules.play.moves import Play, play_table
from heartsrules.play.public import DealStart, PublicDeal, Trick
from heartsrules.play.state import Playing
from heartsrules.play.tricks import breaks_hearts, led_suit, masks_of, takes_kitty, winning_face
from heartsrules.rules import KittyShownTo, Rules, Seat
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

# Looking up an enum member runs Python code: two of them would take a seventh of a rollout with a kitty.
_EVERYBODY: Final = KittyShownTo.EVERYBODY
_TAKER: Final = KittyShownTo.TAKER


@final
class SeatState:
    """A seat's hand, pile and score. Cards are two masks, as in `Cards`."""

    __slots__ = (
        "after",
        "apart",
        "bit",
        "bonus",
        "card_points",
        "doublers",
        "hand_hi",
        "hand_lo",
        "next",
        "pile_hi",
        "pile_lo",
        "plays",
        "points",
        "scoring",
        "seat",
        "total",
        "won",
    )

    def __init__(self, seat: i64, total: int) -> None:
        self.seat: Final[i64] = seat
        self.plays: Final[list[Play]] = play_table(seat)
        self.next: SeatState = self
        """The next seat in the order of play, while the seats form a ring."""
        self.hand_lo: i64 = 0
        self.hand_hi: i64 = 0
        self.bit: i64 = 0
        """The bit of the last card played."""
        self.pile_lo: i64 = 0
        self.pile_hi: i64 = 0
        self.won: int = 0
        """The number of tricks won."""
        self.total: int = total
        self.card_points: int = 0
        """The penalty value of the pile."""
        self.apart: int = 0
        """The penalty value of the pile's cards outside the moon, if one was shot."""
        self.bonus: int = 0
        """The points of the pile's bonus cards."""
        self.doublers: i64 = 0
        """The number of doublers in the pile."""
        self.scoring: bool = False
        """True if there is a doubler in the rules and a scoring card in the pile."""
        self.points: int = 0
        self.after: int = 0
        """The running total after the deal."""

    def facts(self) -> tuple[int, int, i64, bool]:
        """Return the facts of the pile that determine its points, apart from a moon.

        The facts of two piles determine the facts of both together.
        """
        return self.card_points, self.bonus, self.doublers, self.scoring

    def take(self, lo: i64, hi: i64) -> None:
        self.pile_lo, self.pile_hi = with_bag(self.pile_lo, self.pile_hi, lo, hi)

    def give_back(self, lo: i64, hi: i64) -> None:
        pile_hi = self.pile_hi
        self.pile_lo = self.pile_lo & ~lo | pile_hi & lo & ~hi
        self.pile_hi = pile_hi & ~lo


_NOBODY: Final = SeatState(0, 0)
"""The next seat at the end of an open ring."""


class TrickState:
    """The current trick, and all other public facts that legality depends on."""

    __slots__ = ("broken", "hi", "led", "lo", "resolved", "trick_number", "waiting")

    def __init__(self, resolved: ResolvedRules) -> None:
        self.resolved: ResolvedRules = resolved
        self.trick_number: i64 = 0
        """The number of completed tricks."""
        self.broken: bool = False
        self.waiting: i64 = 0
        """The exposed cards of suits not led in an earlier trick."""
        self.led: i64 = 0
        """The mask of the suit led, or 0 before a lead."""
        self.lo: i64 = 0
        """The cards in the trick."""
        self.hi: i64 = 0
        """The cards in the trick twice."""

    def trick(self) -> TrickState:
        copy = TrickState(self.resolved)
        copy.trick_number = self.trick_number
        copy.broken = self.broken
        copy.waiting = self.waiting
        copy.led = self.led
        copy.lo = self.lo
        copy.hi = self.hi
        return copy

    def legal_of(self, hand: i64) -> i64:
        resolved = self.resolved
        beaten: i64 = 0
        if resolved.compulsory == C.COMPULSORY_SAFE:
            beaten = beaten_faces(resolved, self.led, self.lo, self.hi)
        return playable(resolved, hand, self.led, self.trick_number == 0, self.broken, beaten, self.waiting, None)

    def add(self, bit: i64) -> None:
        led = self.led
        if not self.broken and breaks_hearts(self.resolved, led, bit):
            self.broken = True
        # `with_card` written out, as in `masks_of`.
        self.hi |= self.lo & bit
        self.lo |= bit
        if not led:
            self.led = suit_faces(bit)

    def next_trick(self) -> None:
        self.trick_number += 1
        self.waiting &= ~self.led
        self.led = 0
        self.lo = 0
        self.hi = 0


@final
class Board(TrickState):
    """A mutable deal in integers, for playouts, searches and scoring.

    Scoring needs only the piles and the tricks won. Before a card is played, `set_from` or `begin` must set the rest.

    Args:
        resolved: the resolved rules.
        totals: each seat's running total before the deal.
    """

    __slots__ = (
        "allowed",
        "aside_hi",
        "aside_lo",
        "count",
        "has_apart",
        "kitty_hi",
        "kitty_lo",
        "kitty_open",
        "kitty_private",
        "kitty_waits",
        "leader",
        "moon",
        "pack",
        "packed",
        "queen_taker",
        "seats",
        "shooter",
        "sun",
        "taker",
        "turn",
        "voids",
        "winner",
    )

    def __init__(self, resolved: ResolvedRules, totals: Sequence[int]) -> None:
        super().__init__(resolved)
        seats = [SeatState(seat, total) for seat, total in enumerate(totals)]
        self.seats: Final[list[SeatState]] = seats
        self.turn: SeatState = seats[0]
        """The seat to act, or the winner of the last trick at the end."""
        self.leader: SeatState = seats[0]
        """The leader to the current trick, or to the last one of the deal."""
        self.count: i64 = 0
        """The number of cards in the trick."""
        self.allowed: i64 = 0
        """The `freedom` of the seat to act."""
        self.winner: i64 = -1
        """The seat that won the last completed trick, or -1."""
        self.aside_lo: i64 = 0
        """The cards in tricks set aside."""
        self.aside_hi: i64 = 0
        """The cards in tricks set aside twice."""
        self.voids: i64 = 0
        """The number of tricks set aside."""
        self.kitty_lo: i64 = 0
        self.kitty_hi: i64 = 0
        self.kitty_waits: bool = False
        """True if there is a kitty to be won."""
        self.kitty_open: bool = True
        """True if all players see the kitty once it is won. Otherwise it joins a pile at the end of the deal."""
        self.kitty_private: bool = False
        """True if only its winner sees the kitty."""
        self.taker: i64 = -1
        """The seat that won the kitty, or -1."""
        self.shooter: int = -1
        """The seat that shot the moon, or -1."""
        self.sun: bool = False
        """True if the moon is doubled."""
        self.moon: int = 0
        """The moon's value before the sun doubles it, or 0."""
        self.has_apart: bool = False
        """True if the moon was shot and there are penalty cards outside it."""
        self.queen_taker: int = -1
        """The seat that captured the only ♠Q in play, or -1."""
        self.pack: list[Place] = []
        """The pack that `shuffle_and_deal` last shuffled."""
        self.packed: i64 = 0
        """The mask of the pack."""

    @staticmethod
    def of(
        resolved: ResolvedRules, totals: Sequence[int], captured: tuple[Cards, ...], tricks_won: tuple[int, ...]
    ) -> Board:
        """Make a board from totals, piles and numbers of tricks won."""
        board = Board(resolved, totals)
        board.set_piles(captured, tricks_won)
        return board

    def set_piles(self, captured: tuple[Cards, ...], tricks_won: tuple[int, ...]) -> None:
        for seat in self.seats:
            pile = captured[seat.seat]
            seat.pile_lo = pile.lo
            seat.pile_hi = pile.hi
            seat.won = tricks_won[seat.seat]

    def set_from(self, state: Playing) -> None:
        """Set everything that play depends on.

        Raises:
            ValueError: the state's trick is complete, so the search for its winner would not end.
        """
        if len(state.trick) >= len(self.seats):
            raise ValueError(f"the trick has {len(state.trick)} cards: a state has fewer than it has players")
        played = state.public
        hands = state.hands
        self.resolved = played._resolved
        self.set_piles(played.captured, played.tricks_won)
        for seat in self.seats:
            hand = hands[seat.seat]
            seat.hand_lo = hand.lo
            seat.hand_hi = hand.hi
        self.kitty_waits = False
        self.taker = -1
        if self.resolved.kitty != C.KITTY_NONE:
            self._set_kitty(state.kitty, state.rules.kitty_shown_to)
            if played.kitty_winner is not None:
                self._set_taker(played.kitty_winner)
        self.trick_number = played.trick_number
        self.broken = state.hearts_broken
        self.begin(played.leader, played._waiting)
        self.aside_lo = played.set_aside.lo
        self.aside_hi = played.set_aside.hi
        trick = state.trick
        if not trick:
            return
        self.led = led_suit(trick)
        self.lo, self.hi = masks_of(trick)
        for play in trick:
            self.turn.bit = play.bit
            self.turn = self.turn.next
            self.count += 1

    def _set_kitty(self, kitty: Cards, shown_to: KittyShownTo) -> None:
        self.kitty_lo = kitty.lo
        self.kitty_hi = kitty.hi
        self.kitty_open = shown_to is _EVERYBODY
        self.kitty_private = shown_to is _TAKER
        self.kitty_waits = True

    def _set_taker(self, taker: Seat) -> None:
        self.kitty_waits = False
        self.taker = taker
        if self.kitty_open:
            self.seats[taker].take(self.kitty_lo, self.kitty_hi)

    def shuffle_and_deal(self, resolved: ResolvedRules, dealer: i64, stream: RandomStream) -> i64:
        """Deal one deck as `heartsrules.play.dealing.deal` does with this stream.

        Sets the hands and returns the mask of the kitty.
        """
        deck = resolved.deck_lo
        if self.packed != deck:
            self.pack = [Place(number, card.bit) for number, card in enumerate(cards_of(deck))]
            self.packed = deck
        stream._shuffle_places(self.pack)
        pack = self.pack
        players = resolved.players
        dealt = resolved.hand_size * players
        at: i64
        for seat in self.seats:
            hand: i64 = 0
            at = seat.seat - dealer - 1
            if at < 0:
                at += players
            while at < dealt:
                hand |= pack[at].shuffled
                at += players
            seat.hand_lo = hand
        kitty: i64 = 0
        at = dealt
        while at < len(pack):
            kitty |= pack[at].shuffled
            at += 1
        return kitty

    def lowest_holder(self, suit: i64) -> i64:
        """Return the seat with the lowest card of a suit in any hand, with one deck."""
        held: i64 = 0
        for seat in self.seats:
            held |= seat.hand_lo & suit
        lowest = held & -held
        for seat in self.seats:
            if seat.hand_lo & lowest:
                return seat.seat
        raise AssertionError  # pragma: no cover - some hand has a card of the suit

    def set_first_lead(self, rules: Rules, resolved: ResolvedRules, kitty: i64, leader: i64) -> None:
        """Set everything but the hands for the first lead.

        It requires one deck and no exposed card.
        """
        self.resolved = resolved
        for seat in self.seats:
            seat.hand_hi = 0
            seat.pile_lo = 0
            seat.pile_hi = 0
            seat.won = 0
        self.kitty_waits = False
        self.taker = -1
        if resolved.kitty != C.KITTY_NONE:
            self._set_kitty(bag_of(kitty, 0), rules.kitty_shown_to)
        self.trick_number = 0
        self.broken = False
        self.begin(leader, 0)

    def begin(self, leader: i64, waiting: i64) -> None:
        """Let a seat lead.

        No trick is set aside. The hands, the kitty, `trick_number` and `broken` must be set before.
        """
        before = self.seats[-1]
        for seat in self.seats:
            before.next = seat
            before = seat
        self.leader = self.seats[leader]
        self.turn = self.leader
        self.waiting = waiting
        self.led = 0
        self.lo = 0
        self.hi = 0
        self.count = 0
        self.winner = -1
        self.aside_lo = 0
        self.aside_hi = 0
        self.voids = 0
        self._find_allowed()

    def open_ring(self) -> None:
        """Unlink the seats, since only the garbage collector would free a reference cycle."""
        for seat in self.seats:
            seat.next = _NOBODY

    def _find_allowed(self) -> None:
        allowed: i64 = 0
        if not self.waiting:
            allowed = freedom(self.resolved)
            if self.trick_number == 0:
                allowed >>= 4
            if self.broken:
                allowed >>= 2
        self.allowed = allowed

    def legal(self) -> i64:
        held = self.turn.hand_lo
        following = held & self.led
        # Asking `playable` for every card takes a playout 5 % more instructions.
        if following:
            if self.allowed & FREE_TO_FOLLOW:
                return following
        elif self.allowed & FREE_OTHERWISE:
            return held
        return self.legal_of(held)

    def play(self, bit: i64) -> bool:
        """Play a card from the hand of the seat to act.

        Returns:
            True if the card completed a trick.
        """
        # Compiled, `self.turn` is borrowed, while a local variable would count references.
        if self.turn.hand_hi & bit:
            self.turn.hand_hi ^= bit
        else:
            self.turn.hand_lo ^= bit
        self.turn.bit = bit
        was_broken = self.broken
        self.add(bit)
        if self.broken != was_broken:
            self._find_allowed()
        self.turn = self.turn.next
        self.count += 1
        if self.count < self.resolved.players:
            return False
        self._complete()
        return True

    def try_play(self, bit: i64, undo: UndoRecord) -> bool:
        """Play a card, and fill the record with which `undo` takes it back."""
        undo.fill(self, bit)
        return self.play(bit)

    def _complete(self) -> None:
        resolved = self.resolved
        lo = self.lo
        hi = self.hi
        last = self.trick_number + 1 == resolved.hand_size
        winner = self.leader
        face = winning_face(resolved, self.led, lo, hi)
        if face:
            while winner.bit != face:
                winner = winner.next
            if hi & face and resolved.duplicates == C.LAST_WINS:
                winner = winner.next
                while winner.bit != face:
                    winner = winner.next
        if self.aside_lo:
            lo, hi = with_bag(lo, hi, self.aside_lo, self.aside_hi)
        if face or (last and resolved.leader_takes_void_last_trick):
            self.winner = winner.seat
            winner.won += 1
            winner.take(lo, hi)
            self.aside_lo = 0
            self.aside_hi = 0
            if self.kitty_waits and takes_kitty(resolved, lo, last):
                self.kitty_waits = False
                self.taker = winner.seat
                if self.kitty_open:
                    winner.take(self.kitty_lo, self.kitty_hi)
        else:
            self.winner = -1
            self.voids += 1
            self.aside_lo = lo
            self.aside_hi = hi
        self.next_trick()
        self.count = 0
        self._find_allowed()
        self.turn = winner
        if not last:
            self.leader = winner

    def undo(self, undo: UndoRecord) -> None:
        seat = undo.seat
        if self.count == 0:
            if self.winner >= 0:
                lo, hi = undo.cards_won()
                if self.kitty_open and undo.kitty_waits and not self.kitty_waits:
                    lo, hi = with_bag(lo, hi, self.kitty_lo, self.kitty_hi)
                winner = self.seats[self.winner]
                winner.give_back(lo, hi)
                winner.won -= 1
            self.trick_number -= 1
            self.waiting = undo.waiting
            self.leader = undo.leader
            self.winner = undo.winner
            self.aside_lo = undo.aside_lo
            self.aside_hi = undo.aside_hi
            self.voids = undo.voids
            self.kitty_waits = undo.kitty_waits
            self.taker = undo.taker
            self.count = self.resolved.players
        self.count -= 1
        self.turn = seat
        seat.hand_lo = undo.hand_lo
        seat.hand_hi = undo.hand_hi
        seat.bit = undo.bit
        self.led = undo.led
        self.lo = undo.lo
        self.hi = undo.hi
        self.broken = undo.broken
        self.allowed = undo.allowed

    def knows_kitty(self, seat: SeatState) -> bool:
        return self.kitty_private and self.taker == seat.seat

    def show_kitty(self) -> None:
        """Put a kitty that was not public on its winner's pile, at the end of the deal."""
        if self.taker >= 0 and not self.kitty_open:
            self.seats[self.taker].take(self.kitty_lo, self.kitty_hi)

    def last_trick(self, leader: SeatState) -> Trick:
        winner = None if self.winner < 0 else int(self.winner)
        return Trick(int(leader.seat), self.plays_from(leader, self.resolved.players), winner)

    def deal(self, start: DealStart, tricks: list[Trick]) -> PublicDeal:
        """Return the deal as states contain it, after `show_kitty`."""
        seats = self.seats
        captured = [bag_of(seat.pile_lo, seat.pile_hi) for seat in seats]
        kitty: Cards | None = None
        taker: Seat | None = None
        if self.taker >= 0:
            taker = int(self.taker)
            kitty = bag_of(self.kitty_lo, self.kitty_hi)
            captured[taker] = captured[taker] - kitty
        return PublicDeal(
            start,
            int(self.leader.seat),
            tuple(tricks),
            tuple(captured),
            tuple([seat.won for seat in seats]),
            int(self.trick_number),
            bag_of(self.aside_lo, self.aside_hi),
            taker,
            kitty if self.kitty_open else None,
        )

    def plays_from(self, leader: SeatState, count: i64) -> tuple[Play, ...]:
        """Return the last plays of `count` seats in the order of play."""
        plays: list[Play] = []
        seat = leader
        while count:
            plays.append(seat.plays[seat.bit % 53])
            seat = seat.next
            count -= 1
        return tuple(plays)


@final
class UndoRecord:
    """The record with which `Board.undo` takes back one play. It can be reused."""

    __slots__ = (
        "allowed",
        "aside_hi",
        "aside_lo",
        "bit",
        "broken",
        "hand_hi",
        "hand_lo",
        "hi",
        "kitty_waits",
        "leader",
        "led",
        "lo",
        "played",
        "seat",
        "taker",
        "voids",
        "waiting",
        "winner",
    )

    def __init__(self) -> None:
        self.played: i64 = 0
        """The card's bit. All other attributes have the values before the play."""
        self.seat: SeatState = _NOBODY
        self.hand_lo: i64 = 0
        self.hand_hi: i64 = 0
        self.bit: i64 = 0
        self.led: i64 = 0
        self.lo: i64 = 0
        self.hi: i64 = 0
        self.broken: bool = False
        self.allowed: i64 = 0
        self.waiting: i64 = 0
        self.leader: SeatState = _NOBODY
        self.winner: i64 = -1
        self.aside_lo: i64 = 0
        self.aside_hi: i64 = 0
        self.voids: i64 = 0
        self.kitty_waits: bool = False
        self.taker: i64 = -1

    def fill(self, board: Board, bit: i64) -> None:
        seat = board.turn
        self.played = bit
        self.seat = seat
        self.hand_lo = seat.hand_lo
        self.hand_hi = seat.hand_hi
        self.bit = seat.bit
        self.led = board.led
        self.lo = board.lo
        self.hi = board.hi
        self.broken = board.broken
        self.allowed = board.allowed
        self.waiting = board.waiting
        self.leader = board.leader
        self.winner = board.winner
        self.aside_lo = board.aside_lo
        self.aside_hi = board.aside_hi
        self.voids = board.voids
        self.kitty_waits = board.kitty_waits
        self.taker = board.taker

    def cards_won(self) -> tuple[i64, i64]:
        """Return the cards won with the trick that the play completed, as two masks.

        They include cards set aside before, but not the kitty.
        """
        lo, hi = with_card(self.lo, self.hi, self.played)
        return with_bag(lo, hi, self.aside_lo, self.aside_hi)
