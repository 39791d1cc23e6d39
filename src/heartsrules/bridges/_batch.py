"""Tables that play whole matches, the compiled part of the vector environment.

The rules are the engine's own functions. After each action only changed words are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

from heartsrules.analysis.seat_words import (
    AWAITED,
    COMMITTED,
    DEALER,
    DECLINE_BIT,
    DECLINED,
    EXPOSE,
    HAD_QUEEN,
    LEADS,
    MOON,
    MOON_BITS,
    OVER,
    PASS,
    PLAY,
    TURN,
    SeenSeat,
    TableWords,
    pickable,
    showable,
)
from heartsrules.analysis.word_table import CARD_BITS, WordTable
from heartsrules.bridges._actions import DECLINE, EFFECTS, margins, prizes
from heartsrules.cards import NO_CARDS, Cards, bag_of, popcount
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board
from heartsrules.play.dealing import deal
from heartsrules.play.exposing import resolved_with
from heartsrules.play.moves import Deal, Expose, Pass, pass_of
from heartsrules.play.passing import exchange
from heartsrules.play.public import faces_of, seats_to_expose, shown_by
from heartsrules.play.scoring import board_outcome, row_winners
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.state import AwaitingDeal, DealingBack
from heartsrules.play.tricks import opening_leader
from heartsrules.rules import KittyShownTo, Moon, OpeningLeader

if TYPE_CHECKING:
    from mypy_extensions import i64

SavedTable: TypeAlias = tuple[RandomStream, int, int, tuple[int, ...], int, int]
"""A match before its last deal: stream, finished deals, deal number, totals, queen taker, `_Table.dealt_at`."""

_GIFT_BITS: Final[list[int]] = [2**number for number in range(11)]


@final
class _Table(WordTable):
    def __init__(self, batch: Batch, words: Any, rewards: Any, stream: RandomStream) -> None:
        super().__init__(batch.at, words, Board(batch.rules._resolved, batch.nothing))
        self.batch: Final = batch
        self.rewards: Final = rewards
        self.stream: RandomStream = stream
        self.board.kitty_open = not batch.hides_kitty
        self.phase = AWAITED
        self.deals: i64 = 0
        self.totals: tuple[int, ...] = batch.nothing
        self.queen_taker: int = -1
        self.picked_lo: i64 = 0
        self.picked_hi: i64 = 0
        self.picked: i64 = 0
        self.gift: i64 = 0
        self.gift_lo: i64 = 0
        self.gift_hi: i64 = 0
        self.in_gift: i64 = 0
        self.given: list[Cards] = []
        self.passes: list[Pass] = []
        self.shows: list[Expose | None] = []
        self.exposed: tuple[Cards, ...] = batch.nobodys
        self.rows: list[DealScore] = []
        """The rows from which a shooter chooses."""
        self.before_deal: RandomStream = stream
        self.dealt_at: i64 = 0
        """The number of steps taken in the batch before the deal."""
        self.replays: bool = False
        """True if the deals are given, not drawn."""
        self.given_deals: list[Deal] = []

    # ------------------------------------------------------------------------------------------------ a new deal

    def begin(self) -> None:
        self.deals = 0
        self.deal_number = 0
        self.totals = self.batch.nothing
        self.queen_taker = -1
        self.deal_out()

    def blank(self) -> None:
        """Clear the words except totals, dealer and queen taker."""
        batch = self.batch
        at = self.at
        words = self.words
        words[0 : at.size] = batch.blank
        dealer = batch.rules._resolved.dealer(self.deal_number)
        for seat in self.seats:
            number = seat.number
            # The bounds of the rules keep totals far below 2**62.
            total = self.totals[number]
            if total:
                words[at.totals + number] = total
            seat.about = 0
            if number == dealer:
                seat.about |= DEALER
            if batch.tells_taker and number == self.queen_taker:
                seat.about |= HAD_QUEEN
            if seat.about:
                words[at.about + number] = seat.about

    def resume(self, before: SavedTable, actions: list[int]) -> None:
        """Deal again, and repeat the actions since."""
        stream, self.deals, self.deal_number, self.totals, self.queen_taker, dealt_at = before
        self.stream = stream.copy()
        self.deal_out()
        self.dealt_at = dealt_at
        for action in actions:
            self.act(action)

    def act(self, action: i64) -> None:
        if self.phase == PLAY:
            if self.play(action):
                self.finish()
        elif self.phase == PASS:
            self.pick(action)
        elif self.phase == EXPOSE:
            self.show(action)
        else:
            self.choose(action)

    def sheet(self) -> ScoreSheet:
        """Return a score sheet that begins with the current deal."""
        return ScoreSheet(self.totals, self.deal_number)

    def deal_out(self) -> None:
        self.before_deal = self.stream.copy()
        self.dealt_at = self.batch.taken
        batch = self.batch
        rules = batch.rules
        self.blank()
        if self.replays:
            dealt = self.given_deals.pop()
        else:
            dealt = deal(AwaitingDeal(rules, self.sheet(), None), rng=self.stream)
        board = self.board
        board.trick_number = 0
        board.broken = False
        board.kitty_lo = dealt.kitty.lo
        board.kitty_hi = dealt.kitty.hi
        board.kitty_waits = rules.kitty_size > 0
        board.taker = -1
        board.set_piles(batch.nobodys, batch.nothing)
        self.passes = []
        self.exposed = batch.nobodys
        for seat in self.seats:
            seat.played_lo = 0
            seat.played_hi = 0
            board.seats[seat.number].total = self.totals[seat.number]
        self.set_hands(dealt.hands)
        if rules.pass_plan(self.deal_number):
            self.phase = PASS
            at = self.at
            for number in range(rules.players):
                self.words[at.next_gift + number] = 1
            self.write_deal()
            self.begin_pass(self.seats[0])
        else:
            self.begin_shows(dealt.hands)

    def hand_of(self, number: i64) -> Cards:
        held = self.board.seats[number]
        return bag_of(held.hand_lo, held.hand_hi)

    def set_hands(self, hands: tuple[Cards, ...]) -> None:
        at = self.at
        for seat in self.board.seats:
            hand = hands[seat.seat]
            seat.hand_lo = hand.lo
            seat.hand_hi = hand.hi
            self.write_cards(at.hand_lo, at.hand_hi, seat.seat, hand.lo, hand.hi)

    # -------------------------------------------------------------------------------------- passing and showing

    def begin_pass(self, seat: SeenSeat) -> None:
        self.picked_lo = 0
        self.picked_hi = 0
        self.picked = 0
        self.gift = 0
        self.gift_lo = 0
        self.gift_hi = 0
        self.in_gift = 0
        self.given = []
        legal = self.pickable(seat)
        if self.resolved.may_decline:
            legal |= DECLINE_BIT
        self.select(seat, legal)

    def pickable(self, seat: SeenSeat) -> i64:
        held = self.board.seats[seat.number]
        return pickable(self.resolved, held.hand_lo, held.hand_hi, self.picked_lo, self.picked_hi)

    def pick(self, action: i64) -> None:
        at = self.at
        seat = self.turn
        number = seat.number
        sizes = self.resolved.gift_sizes[self.deal_number % self.at.steps]
        self.picked += 1
        if action == DECLINE:
            if self.picked < sum(sizes):
                self.select(seat, DECLINE_BIT)
                return
        else:
            bit: i64 = CARD_BITS[action]
            self.picked_hi |= self.picked_lo & bit
            self.picked_lo |= bit
            self.gift_hi |= self.gift_lo & bit
            self.gift_lo |= bit
            self.in_gift += 1
            place = self.gift * self.resolved.players + number
            self.write_cards(at.gifts_lo, at.gifts_hi, place, self.gift_lo, self.gift_hi)
            if self.in_gift == sizes[self.gift]:
                self.given.append(bag_of(self.gift_lo, self.gift_hi))
                self.gift += 1
                self.gift_lo = 0
                self.gift_hi = 0
                self.in_gift = 0
                if self.gift < len(sizes):
                    self.words[at.next_gift + number] = _GIFT_BITS[self.gift]
            if self.gift < len(sizes):
                self.select(seat, self.pickable(seat))
                return
        self.passes.append(pass_of(int(number), tuple(self.given)))
        seat.about |= COMMITTED
        self.write_about(seat)
        self.words[at.next_gift + number] = 0
        if len(self.passes) < len(self.seats):
            self.begin_pass(self.seats[len(self.passes)])
        else:
            self.exchange()

    def exchange(self) -> None:
        at = self.at
        rules, number = self.batch.rules, self.deal_number
        passes = tuple(self.passes)
        dealt_back: tuple[Cards, ...] = ()
        if self.resolved.through_middle(number):
            if self.replays:
                dealt_back = self.given_deals.pop().hands
            else:
                state = DealingBack(rules, self.sheet(), self.batch.nobodys, NO_CARDS, passes)
                dealt_back = deal(state, rng=self.stream).hands
        passed, received = exchange(rules, number, passes, dealt_back)
        hands: list[Cards] = []
        for seat in self.seats:
            number = seat.number
            hand = self.hand_of(number) - passed[number] + received[number]
            hands.append(hand)
            self.write_cards(at.received_lo, at.received_hi, number, received[number].lo, received[number].hi)
            seat.about &= ~COMMITTED
            if not self.passes[number].cards:
                seat.about |= DECLINED
            self.write_about(seat)
        self.set_hands(tuple(hands))
        self.begin_shows(tuple(hands))

    def begin_shows(self, hands: tuple[Cards, ...]) -> None:
        resolved = self.resolved
        if not resolved.exposable:
            self.first_lead(hands)
            return
        self.phase = EXPOSE
        self.write_deal()
        self.shows = [None] * len(self.seats)
        dealer = self.batch.rules._resolved.dealer(self.deal_number)
        first = self.seats[(dealer + 1) % len(self.seats) if resolved.shows_in_turn else 0]
        self.picked_lo = 0
        self.select(first, showable(resolved, self.board.seats[first.number].hand_lo, 0) | DECLINE_BIT)

    def show(self, action: i64) -> None:
        resolved = self.resolved
        at = self.at
        seat = self.turn
        if action != DECLINE:
            self.picked_lo |= CARD_BITS[action]
            self.words[at.showing + seat.number] = self.picked_lo
            self.select(seat, showable(resolved, self.board.seats[seat.number].hand_lo, self.picked_lo) | DECLINE_BIT)
            return
        shown_lo = self.picked_lo
        if resolved.shows_in_rounds:
            shown_lo |= self.words[at.exposed + seat.number]
            self.words[at.showing + seat.number] = shown_lo
            if self.picked_lo:
                self.begin_round()
        self.shows[seat.number] = Expose(int(seat.number), bag_of(shown_lo, 0))
        seat.about |= COMMITTED
        self.write_about(seat)
        if resolved.shows_openly:
            self.words[at.exposed + seat.number] = shown_lo
        self.picked_lo = 0
        rules = self.batch.rules
        committed = [move is not None for move in self.shows]
        able = seats_to_expose(rules, rules._resolved.dealer(self.deal_number), committed)
        if able:
            follower = self.seats[able[0]]
            hand_lo = self.board.seats[follower.number].hand_lo
            if resolved.shows_in_rounds:
                hand_lo &= ~self.words[at.exposed + follower.number]
            self.select(follower, showable(resolved, hand_lo, 0) | DECLINE_BIT)
            return
        self.exposed = shown_by(self.shows)
        for each in self.seats:
            each.about &= ~COMMITTED
            self.write_about(each)
            self.words[at.showing + each.number] = 0
            self.words[at.exposed + each.number] = self.exposed[each.number].lo
        self.first_lead(tuple([self.hand_of(each.number) for each in self.seats]))

    def begin_round(self) -> None:
        """Let every seat expose more cards, after one has exposed any."""
        self.shows = [None] * len(self.seats)
        for each in self.seats:
            each.about &= ~COMMITTED
            self.write_about(each)
            if each is not self.turn:
                self.words[self.at.showing + each.number] = 0

    # ---------------------------------------------------------------------------------------------------- playing

    def first_lead(self, hands: tuple[Cards, ...]) -> None:
        rules = self.batch.rules
        taker = None if self.queen_taker < 0 else self.queen_taker
        leader = opening_leader(rules._resolved, rules._resolved.dealer(self.deal_number), hands, taker)
        self.board.begin(leader, faces_of(self.exposed))
        self.phase = PLAY
        self.leader = self.seats[leader]
        self.leader.about |= LEADS
        self.write_deal()
        self.ask(leader)

    # --------------------------------------------------------------------------------------- the end of a deal

    def finish(self) -> None:
        rules = self.batch.rules
        resolved = self.resolved
        if faces_of(self.exposed):
            resolved = resolved_with(rules, self.exposed)
        self.board.broken = False
        self.board.show_kitty()
        shooter, self.rows = board_outcome(resolved, self.board, self.deal_number, self.exposed)
        if shooter < 0:
            self.score(self.rows[0])
            return
        self.phase = MOON
        self.write_deal()
        seat = self.seats[shooter]
        seat.about |= TURN
        self.write_about(seat)
        self.select(seat, MOON_BITS)

    def choose(self, action: i64) -> None:
        seat = self.turn
        seat.about &= ~TURN
        self.write_about(seat)
        self.score(self.rows[0 if EFFECTS[int(action)] is Moon.OTHERS_UP else 1])

    def score(self, row: DealScore) -> None:
        batch = self.batch
        rules = batch.rules
        before = self.totals
        after = row.totals
        self.totals = after
        self.queen_taker = -1 if row.queen_taker is None else row.queen_taker
        self.deals += 1
        winners = row_winners(self.resolved, row, self.deal_number + 1)
        if batch.points:
            self.reward(margins([sum([after[seat] - before[seat] for seat in side]) for side in rules.sides]))
        elif winners is not None:
            self.reward(prizes(rules, winners))
        self.rows = []
        if winners is None:
            self.deal_number += 1
            if self.deals < batch.max_deals and (self.given_deals or not self.replays):
                self.deal_out()
                return
            self.phase = AWAITED
            self.board.trick_number = 0
            self.blank()
        else:
            self.phase = OVER
            at = self.at
            for seat in self.seats:
                self.words[at.totals + seat.number] = after[seat.number]
                if batch.tells_taker:
                    seat.about &= ~HAD_QUEEN
                    if seat.number == self.queen_taker:
                        seat.about |= HAD_QUEEN
                    self.write_about(seat)
        self.write_deal()
        self.select(self.turn, 0)

    def reward(self, values: list[float]) -> None:
        sides = len(values)
        for number in range(len(self.seats)):
            self.rewards[number] = values[number % sides]


@final
class Batch:
    """A batch of tables with one rule set and a random stream each.

    Tables have writable buffers for words (64-bit integers) and for rewards (a float for each seat). `points` is True
    for rewards for each deal's points, False for the match.
    """

    def __init__(
        self, at: TableWords, words: Sequence[Any], rewards: Sequence[Any], points: bool, max_deals: int
    ) -> None:
        rules = at.rules
        self.at: Final = at
        self.rules: Final = rules
        self.points: Final = points
        self.max_deals: Final[i64] = max_deals
        self.nothing: Final[tuple[int, ...]] = (0,) * rules.players
        self.nobodys: Final[tuple[Cards, ...]] = rules._resolved.nothing
        self.blank: Final = memoryview(bytes(8 * at.size)).cast("q")
        self.hides_kitty: Final[bool] = rules.kitty_size > 0 and rules.kitty_shown_to is not KittyShownTo.EVERYBODY
        self.tells_taker: Final[bool] = rules.opening_leader is OpeningLeader.QUEEN_TAKER
        self.taken: i64 = 0
        """The number of steps taken."""
        # A placeholder stream: a table gets its own when it begins.
        self._tables: Final = [
            _Table(self, mine, paid, RandomStream(0)) for mine, paid in zip(words, rewards, strict=True)
        ]

    def begin(self, number: i64, stream: RandomStream | None) -> None:
        table = self._tables[number]
        if stream is not None:
            table.stream = stream
        table.begin()

    def replay(self, deals: list[Deal], actions: list[int], rows: Any) -> None:
        """Repeat a match at the first table, which must play no other matches.

        `deals` includes deals back from the middle. `rows` is a writable buffer for the words of the table before each
        action.

        Raises:
            ValueError: an action is not legal, or there are too many or too few deals.
        """
        table = self._tables[0]
        size: i64 = self.at.size
        table.replays = True
        table.given_deals = deals[::-1]
        table.begin()
        start: i64 = 0
        place: i64 = 0
        count: i64 = len(actions)
        while place < count:
            action: i64 = actions[place]
            if action < 0 or action > 54 or not table.legal >> action & 1:
                raise ValueError(f"decision {place} is action {action}, which is not legal")
            rows[start : start + size] = table.words
            table.act(action)
            start += size
            place += 1
        if table.legal or table.given_deals:
            raise ValueError(f"the game does not end after its last decision, number {place - 1}")

    def oldest(self) -> int:
        """Return the number of steps before the first of the current deals."""
        return int(min([table.dealt_at for table in self._tables]))

    def saved(self) -> list[SavedTable]:
        """Save every table in its state before its last deal."""
        return [
            (
                table.before_deal,
                int(table.deals),
                table.deal_number,
                table.totals,
                table.queen_taker,
                int(table.dealt_at),
            )
            for table in self._tables
        ]

    def resume(self, saved: list[SavedTable], actions: list[list[int]], taken: i64) -> None:
        """Continue saved matches after `taken` steps.

        `actions` are those since each table's deal.
        """
        self.taken = taken
        for table, before, since in zip(self._tables, saved, actions, strict=True):
            table.resume(before, since)

    def totals(self, number: i64) -> tuple[int, ...]:
        return self._tables[number].totals

    def step(self, actions: list[int]) -> tuple[list[int], list[int]]:
        """Take an action at each table.

        Returns:
            The indices of tables whose match is over, and of tables whose episode is truncated.

        Raises:
            ValueError: an action is not legal. Nothing has changed.
        """
        tables = self._tables
        count: i64 = len(tables)
        number: i64 = 0
        while number < count:
            table = tables[number]
            action: i64 = actions[number]
            if action < 0 or action > 54 or not table.legal >> action & 1:
                raise ValueError(f"table {number} may not take action {action} now: look at its mask")
            number += 1
        self.taken += 1
        over: list[int] = []
        cut: list[int] = []
        number = 0
        while number < count:
            table = tables[number]
            table.act(actions[number])
            if not table.legal:
                if table.phase == OVER:
                    over.append(int(number))
                else:
                    cut.append(int(number))
            number += 1
        return over, cut

    def draw(self, stream: RandomStream) -> list[int]:
        drawn: list[int] = []
        for table in self._tables:
            legal = table.legal
            skipped = stream._pick_unchecked(popcount(legal))
            while skipped:
                legal &= legal - 1
                skipped -= 1
            drawn.append(int(popcount((legal & -legal) - 1)))
        return drawn
