"""A batch of tables that play whole matches: the compiled part of the vector environment.

The course of a deal is the engine's: its states are made once in each phase before the first lead, and cards are played
on a board. After each action the words that have changed are written.
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
from heartsrules.cards import Cards, bag_of, popcount
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board
from heartsrules.play.dealing import deal
from heartsrules.play.engine import after_exposure, all_passed, begin_deal, exchanged
from heartsrules.play.exposing import resolved_with_exposed
from heartsrules.play.moves import Expose, Pass
from heartsrules.play.public import DealStart
from heartsrules.play.scoring import board_outcome, row_winners
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.state import AwaitingDeal, DealingBack, Exposing, Passing, Playing, State
from heartsrules.rules import Moon, OpeningLeader

if TYPE_CHECKING:
    from mypy_extensions import i64

SavedTable: TypeAlias = tuple[RandomStream, int, ScoreSheet, int]
"""A match before its last deal: stream, finished deals, score sheet, `_Table.dealt_at`."""

_GIFT_BITS: Final[list[int]] = [2**number for number in range(11)]


@final
class _Table(WordTable):
    """One table of a batch."""

    def __init__(self, batch: Batch, words: Any, rewards: Any, stream: RandomStream) -> None:
        super().__init__(batch.at, words, Board(batch.rules.resolved, batch.nothing))
        self.batch: Final = batch
        self.rewards: Final = rewards
        self.stream: RandomStream = stream
        self.phase = AWAITED
        self.deals: i64 = 0
        """The number of finished deals of this episode."""
        self.sheet: ScoreSheet = batch.sheet
        """The score sheet; of the deals before the present one it has only the totals."""
        self.state: State = AwaitingDeal(batch.rules, batch.sheet, None)
        """The state of the deal before its first lead."""
        self.hands: tuple[Cards, ...] = ()
        """The hands before the first lead."""
        self.picked_lo: i64 = 0
        self.picked_hi: i64 = 0
        self.picked: i64 = 0
        """The number of cards picked for the pass."""
        self.gift: i64 = 0
        self.gift_lo: i64 = 0
        self.gift_hi: i64 = 0
        self.in_gift: i64 = 0
        self.given: list[Cards] = []
        self.passes: list[Pass] = []
        self.rows: list[DealScore] = []
        """The rows that a shooter chooses from."""
        self.before_deal: RandomStream = stream
        """The stream as it was before the deal."""
        self.dealt_at: i64 = 0
        """The number of steps that the batch had taken before the deal."""

    # ------------------------------------------------------------------------------------------------ a new deal

    def begin(self) -> None:
        """Begin a match."""
        self.deals = 0
        self.sheet = self.batch.sheet
        self.deal_out()

    def blank(self) -> None:
        """Clear the words, but for totals, dealer and queen taker."""
        at = self.at
        words = self.words
        sheet = self.sheet
        totals = sheet.totals
        words[0 : at.size] = self.batch.blank
        self.deal_number = sheet.next_deal
        self.board.trick_number = 0
        dealer = self.resolved.dealer(self.deal_number)
        for seat in self.seats:
            number = seat.number
            # The bounds of the rules keep totals far below 2**62.
            total = totals[number]
            self.board.seats[number].total = total
            if total:
                words[at.totals + number] = total
            seat.played_lo = 0
            seat.played_hi = 0
            seat.about = DEALER if number == dealer else 0
            if self.batch.tells_taker and sheet.queen_taker == number:
                seat.about |= HAD_QUEEN
            if seat.about:
                self.write_about(seat)

    def resume(self, before: SavedTable, actions: list[int]) -> None:
        """Continue a match: deal again, and repeat the actions since."""
        stream, self.deals, self.sheet, dealt_at = before
        self.stream = stream.copy()
        self.deal_out()
        self.dealt_at = dealt_at
        for action in actions:
            self.act(action)

    def act(self, action: i64) -> None:
        """Take a legal action."""
        if self.phase == PLAY:
            if self.play(action):
                self.finish()
        elif self.phase == PASS:
            self.pick(action)
        elif self.phase == EXPOSE:
            self.show(action)
        else:
            self.choose(action)

    def deal_out(self) -> None:
        """Deal, and begin the deal."""
        self.before_deal = self.stream.copy()
        self.dealt_at = self.batch.taken
        self.blank()
        waiting = AwaitingDeal(self.batch.rules, self.sheet, None)
        self.enter(begin_deal(waiting, deal(waiting, rng=self.stream)))

    def enter(self, state: State) -> None:
        """Begin the next phase of a deal before its first card is played."""
        if isinstance(state, DealingBack):
            state = exchanged(state, state.commitments, deal(state, rng=self.stream).hands)
        assert isinstance(state, (Passing, Exposing, Playing))
        at = self.at
        words = self.words
        self.state = state
        self.hands = state.hands
        for number, hand in enumerate(self.hands):
            words[at.hand_lo + number] = hand.lo
            if at.hand_hi >= 0:
                words[at.hand_hi + number] = hand.hi
        if isinstance(state, Passing):
            self.phase = PASS
            self.write_deal()
            self.passes = []
            for number in range(len(self.seats)):
                words[at.next_gift + number] = 1
            self.begin_pass(self.seats[0])
            return
        self.write_start(state.start, state.secrets.received)
        if isinstance(state, Exposing):
            self.phase = EXPOSE
            self.write_deal()
            self.begin_exposure(state)
        else:
            self.phase = PLAY
            self.board.set_from(state)
            self.leader = self.seats[state.leader]
            self.leader.about |= LEADS
            self.write_deal()
            self.ask(self.leader.number)

    def write_start(self, start: DealStart, received: tuple[Cards, ...]) -> None:
        """Write what passes and exposures have changed."""
        at = self.at
        words = self.words
        for seat in self.seats:
            number = seat.number
            if at.received_lo >= 0:
                words[at.received_lo + number] = received[number].lo
            if at.received_hi >= 0:
                words[at.received_hi + number] = received[number].hi
            if at.exposed >= 0:
                words[at.exposed + number] = start.exposed[number].lo
                words[at.showing + number] = 0
            seat.about &= ~COMMITTED
            if start.pass_counts and not start.pass_counts[number]:
                seat.about |= DECLINED
            self.write_about(seat)

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
        hand = self.hands[seat.number]
        return pickable(self.resolved, hand.lo, hand.hi, self.picked_lo, self.picked_hi)

    def pick(self, action: i64) -> None:
        """Take an action of a pass."""
        at = self.at
        seat = self.turn
        number = seat.number
        sizes = self.resolved.gift_sizes[self.deal_number % self.at.steps]
        self.picked += 1
        if action == DECLINE:
            if self.picked < sizes[0]:
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
            self.words[at.gifts_lo + place] = self.gift_lo
            if at.gifts_hi >= 0:
                self.words[at.gifts_hi + place] = self.gift_hi
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
        self.passes.append(Pass(int(number), tuple(self.given)))
        seat.about |= COMMITTED
        self.write_about(seat)
        self.words[at.next_gift + number] = 0
        if len(self.passes) < len(self.seats):
            self.begin_pass(self.seats[len(self.passes)])
        else:
            assert isinstance(self.state, Passing)
            self.enter(all_passed(self.state, tuple(self.passes)))

    def begin_exposure(self, state: Exposing) -> None:
        """Ask the next seat for the cards that it shows."""
        number = state.to_expose[0]
        self.picked_lo = 0
        held = self.hands[number].lo & ~state.start.exposed[number].lo
        self.select(self.seats[number], showable(self.resolved, held, 0) | DECLINE_BIT)

    def show(self, action: i64) -> None:
        """Take an action of an exposure."""
        at = self.at
        words = self.words
        seat = self.turn
        if action != DECLINE:
            self.picked_lo |= CARD_BITS[action]
            words[at.showing + seat.number] = self.picked_lo
            self.select(seat, showable(self.resolved, self.legal, self.picked_lo) | DECLINE_BIT)
            return
        assert isinstance(self.state, Exposing)
        state = after_exposure(self.state, Expose(int(seat.number), bag_of(self.picked_lo, 0)))
        if not isinstance(state, Exposing):
            self.enter(state)
            return
        self.state = state
        # In rounds, all others may show more.
        for each in self.seats if self.resolved.shows_in_rounds else [seat]:
            commitment = state.commitments[each.number]
            each.about &= ~COMMITTED
            if commitment is not None:
                each.about |= COMMITTED
            self.write_about(each)
            words[at.showing + each.number] = 0 if commitment is None else commitment.cards.lo
            words[at.exposed + each.number] = state.face_up[each.number].lo
        self.begin_exposure(state)

    # --------------------------------------------------------------------------------------- the end of a deal

    def finish(self) -> None:
        """Score the deal, or ask the shooter."""
        assert isinstance(self.state, Playing)
        start = self.state.start
        resolved = resolved_with_exposed(start.rules, start.exposed_mask)
        self.board.broken = False
        self.board.show_kitty()
        shooter, self.rows = board_outcome(resolved, self.board, self.deal_number, start.exposed)
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
        """Take the choice of the shooter."""
        seat = self.turn
        seat.about &= ~TURN
        self.write_about(seat)
        self.score(self.rows[0 if EFFECTS[int(action)] is Moon.OTHERS_UP else 1])

    def score(self, row: DealScore) -> None:
        """Enter the row of the deal, and go on."""
        batch = self.batch
        rules = batch.rules
        before = self.sheet.totals
        after = row.totals
        self.sheet = ScoreSheet(after, self.deal_number + 1, (), row.queen_taker)
        self.deals += 1
        winners = row_winners(self.resolved, row, self.deal_number + 1)
        if batch.points:
            self.reward(margins([sum([after[seat] - before[seat] for seat in side]) for side in rules.sides]))
        elif winners is not None:
            self.reward(prizes(rules, winners))
        self.rows = []
        if winners is None:
            if self.deals < batch.max_deals:
                self.deal_out()
                return
            self.phase = AWAITED
            self.blank()
        else:
            self.phase = OVER
            at = self.at
            for seat in self.seats:
                self.words[at.totals + seat.number] = after[seat.number]
                if batch.tells_taker:
                    seat.about &= ~HAD_QUEEN
                    if row.queen_taker == seat.number:
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
    """A batch of tables of one rule set, each with a random stream of its own.

    Args:
        at: the layout of the words.
        words: a writable buffer of 64-bit integers for each table.
        rewards: a writable buffer for each table, with a float for each seat.
        points: whether rewards are the points of each deal; otherwise winning the match.
        max_deals: the number of deals after which an episode is truncated.
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
        self.sheet: Final = ScoreSheet(self.nothing)
        self.blank: Final = memoryview(bytes(8 * at.size)).cast("q")
        self.tells_taker: Final[bool] = rules.opening_leader is OpeningLeader.QUEEN_TAKER
        self.taken: i64 = 0
        """The number of steps taken."""
        # Nothing is drawn from a table before it has begun, with a stream of its own.
        self._tables: Final = [
            _Table(self, mine, paid, RandomStream(0)) for mine, paid in zip(words, rewards, strict=True)
        ]

    def begin(self, number: i64, stream: RandomStream | None) -> None:
        """Begin a match at a table: with that stream, or going on with its own."""
        table = self._tables[number]
        if stream is not None:
            table.stream = stream
        table.begin()

    def oldest(self) -> int:
        """The number of steps that had been taken before the first of the current deals."""
        return int(min([table.dealt_at for table in self._tables]))

    def saved(self) -> list[SavedTable]:
        """Save every table as it was before its last deal."""
        return [(table.before_deal, int(table.deals), table.sheet, int(table.dealt_at)) for table in self._tables]

    def resume(self, saved: list[SavedTable], actions: list[list[int]], taken: i64) -> None:
        """Continue saved matches, after as many steps; `actions` are those since the deal of each table."""
        self.taken = taken
        for table, before, since in zip(self._tables, saved, actions, strict=True):
            table.resume(before, since)

    def totals(self, number: i64) -> tuple[int, ...]:
        """The running totals at a table."""
        return self._tables[number].sheet.totals

    def step(self, actions: list[int]) -> tuple[list[int], list[int]]:
        """Take an action at each table.

        Returns:
            The indices of tables whose match is over, and of tables whose episode is truncated.

        Raises:
            ValueError: an action is not legal; nothing has changed then.
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
        """Draw a legal action for each table uniformly."""
        drawn: list[int] = []
        for table in self._tables:
            legal = table.legal
            skipped = stream.pick_unchecked(popcount(legal))
            while skipped:
                legal &= legal - 1
                skipped -= 1
            drawn.append(int(popcount((legal & -legal) - 1)))
        return drawn
