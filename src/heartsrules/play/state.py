"""The states of a game: one final class for each phase, with no field that is only set sometimes.

States are values: they never change, and `heartsrules.play.engine` alone makes successors of them. Their constructors
check nothing; use `set_up` to build a checked position by hand.

A `Playing` state is in three parts, each made anew only as often as it changes: `DealStart` once a deal, `PlayedDeal`
once a trick, and the state itself once a play. All their attributes can be read from the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias, TypeVar, final

from heartsrules.base.native import mypyc_attr
from heartsrules.base.values import COMPILED, Drawable, Hashed, Value, set_cached
from heartsrules.cards import NO_CARDS, SUIT_MASKS, Cards, Suit, bag_of, with_bag
from heartsrules.play.legality import beaten_by, playable
from heartsrules.play.moves import Expose, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.tricks import masks_of
from heartsrules.rules import PassPlan, Rules, Seat
from heartsrules.rules.resolved import COMPULSORY_SAFE, ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

T = TypeVar("T")

__all__ = [
    "AwaitingDeal",
    "BaseView",
    "ChoosingMoon",
    "DealStart",
    "Exposing",
    "GameOver",
    "MidDealPosition",
    "Passing",
    "PlayedDeal",
    "Playing",
    "State",
    "Trick",
    "after_play",
    "after_trick",
    "faces_of",
    "hand_of",
    "legal_faces",
    "open_of",
    "seats_to_expose",
    "shown_by",
    "waiting_of",
    "with_item",
]


@final
class Trick(Hashed, Drawable):
    """A completed trick."""

    __match_args__: ClassVar = ("leader", "plays", "winner")
    __slots__ = __match_args__

    leader: Final[Seat]
    plays: Final[tuple[Play, ...]]
    """In the order of play, the leader's first."""
    winner: Final[Seat | None]
    """The seat that won it; None: nobody did, and it was set aside."""

    def __init__(self, leader: Seat, plays: tuple[Play, ...], winner: Seat | None) -> None:
        self._hash = 0
        self.leader = leader
        self.plays = plays
        self.winner = winner


@final
class MidDealPosition(Value):
    """The position of a deal whose beginning is not known, before the first play that is. Tuples are by seat.

    Args:
        leader: who leads to the first trick that is known.
        captured: the cards that each seat had won by then, with the kitty if it had taken that.
        tricks_won: how many tricks each seat had won; None: as many as the piles make up.
        set_aside: the cards of tricks that nobody had won, waiting for the next winner.
        kitty_winner: who took the kitty; None: nobody.
        hearts_broken: whether hearts were broken; None: as far as the captured cards show it.
        suits_led: the suits that tricks were led in by then; it matters only for shown cards.
    """

    __match_args__: ClassVar = (
        "leader",
        "captured",
        "tricks_won",
        "set_aside",
        "kitty_winner",
        "hearts_broken",
        "suits_led",
    )
    __slots__ = __match_args__

    leader: Final[Seat]
    captured: Final[tuple[Cards, ...]]
    tricks_won: Final[tuple[int, ...] | None]
    set_aside: Final[Cards]
    kitty_winner: Final[Seat | None]
    hearts_broken: Final[bool | None]
    suits_led: Final[tuple[Suit, ...]]

    def __init__(
        self,
        leader: Seat,
        captured: tuple[Cards, ...],
        tricks_won: tuple[int, ...] | None = None,
        set_aside: Cards = NO_CARDS,
        kitty_winner: Seat | None = None,
        hearts_broken: bool | None = None,
        suits_led: tuple[Suit, ...] = (),
    ) -> None:
        self.leader = leader
        self.captured = captured
        self.tricks_won = tricks_won
        self.set_aside = set_aside
        self.kitty_winner = kitty_winner
        self.hearts_broken = hearts_broken
        self.suits_led = suits_led


class InMatch(Hashed):
    """A value with a place in a match, which its score sheet gives: the deals before it, and the totals."""

    __slots__ = ()

    @property
    def rules(self) -> Rules:
        """The rule set."""
        raise NotImplementedError

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal."""
        raise NotImplementedError

    @property
    def scores(self) -> tuple[int, ...]:
        """By seat, the running totals after the last row of the score sheet."""
        return self.score_sheet.totals

    @property
    def deal_number(self) -> int:
        """The number of this deal, or of the coming one, from 0."""
        return self.score_sheet.next_deal

    @property
    def dealer(self) -> Seat:
        """Who deals, or dealt, this deal."""
        return self.rules.resolved.dealer(self.deal_number)


@final
class DealStart(InMatch):
    """What was settled before the first card of a deal was played. Tuples are by seat."""

    __match_args__: ClassVar = (
        "rules",
        "score_sheet",
        "kitty",
        "passes",
        "passed",
        "received",
        "exposed",
        "resumed_from",
    )
    __slots__ = (*__match_args__, "exposed_mask")

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each finished deal."""
    kitty: Final[Cards]
    """The cards that were left over."""
    passes: Final[tuple[Pass, ...]]
    """What each seat committed; empty if this deal had no pass, or not yet."""
    passed: Final[tuple[Cards, ...]]
    """The cards that went from each seat's hand to another's."""
    received: Final[tuple[Cards, ...]]
    """The cards that each seat was given."""
    exposed: Final[tuple[Cards, ...]]
    """The cards that each seat has shown to everybody."""
    resumed_from: Final[MidDealPosition | None]
    """Where the history begins, if it does not begin with the first lead."""
    exposed_mask: Final[i64]
    """All shown cards as a mask."""

    def __init__(
        self,
        rules: Rules,
        score_sheet: ScoreSheet,
        kitty: Cards,
        passes: tuple[Pass, ...],
        passed: tuple[Cards, ...],
        received: tuple[Cards, ...],
        exposed: tuple[Cards, ...],
        resumed_from: MidDealPosition | None = None,
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.score_sheet = score_sheet
        self.kitty = kitty
        self.passes = passes
        self.passed = passed
        self.received = received
        self.exposed = exposed
        self.resumed_from = resumed_from
        self.exposed_mask = faces_of(exposed)

    @property
    def passes_unknown(self) -> bool:
        """Whether cards have been passed before the first lead, and it is not known which."""
        resolved = self.rules.resolved
        if self.passes or not resolved.sizes_of(self.deal_number):
            return False
        return not (self.exposed_mask and resolved.shows_before_pass(self.deal_number))

    @property
    def led_before(self) -> tuple[Suit, ...]:
        """The suits that tricks before the known ones were led in; empty if nothing was shown, where none matters."""
        return () if self.resumed_from is None or not self.exposed_mask else self.resumed_from.suits_led

    @property
    def has_full_history(self) -> bool:
        """Whether all is known of how the deal came about, and the score sheet begins with the first deal."""
        if self.resumed_from is not None or self.score_sheet.first:
            return False
        return not self.passes_unknown


def faces_of(bags: tuple[Cards, ...]) -> i64:
    """The faces of some bags, as a mask."""
    faces: i64 = 0
    for bag in bags:
        faces |= bag.lo
    return faces


def shown_by(commitments: Sequence[Expose | None]) -> tuple[Cards, ...]:
    """By seat, the cards that it shows; empty for a seat that has not moved."""
    return tuple([NO_CARDS if move is None else move.cards for move in commitments])


def open_of(
    exposed: tuple[Cards, ...], captured: tuple[Cards, ...], set_aside: Cards, trick: tuple[Play, ...]
) -> tuple[Cards, ...]:
    """By seat, the cards that lie open before it: shown, and not yet played.

    Args:
        exposed: by seat, the cards that each has shown.
        captured: the cards that each seat has won.
        set_aside: the cards of tricks that nobody won.
        trick: the plays of the current trick.
    """
    played: i64 = faces_of(captured) | set_aside.lo
    for play in trick:
        played |= play.bit
    return tuple([bag_of(cards.lo & ~played, 0) for cards in exposed])


def waiting_of(exposed_mask: i64, led_before: tuple[Suit, ...], tricks: tuple[Trick, ...]) -> i64:
    """The shown cards of suits that have not been led: they are held back.

    Args:
        exposed: all shown cards, as a mask.
        led_before: the suits that tricks before the known ones were led in.
        tricks: the completed tricks that are known.
    """
    waiting: i64 = exposed_mask
    for suit in led_before:
        waiting &= ~SUIT_MASKS[suit]
    for trick in tricks:
        waiting &= ~trick.plays[0].suit_mask
    return waiting


@final
class PlayedDeal(InMatch):
    """A deal as far as its tricks are completed; of a finished deal, all there is to see. Tuples are by seat.

    Args:
        start: what was settled before the first lead.
        leader: who leads, or led, to the current trick.
        tricks: the completed tricks.
        captured: the cards that each seat has won.
        tricks_won: how many tricks each seat has won.
        trick_number: how many tricks are completed.
        set_aside: the cards of tricks that nobody won, waiting for the next winner.
        kitty_winner: who has taken the kitty.
        uncounted: of the last tricks, how many are in neither `captured` nor `tricks_won`; their winners took the
            cards of these tricks and no others. It is for `completed` alone.
    """

    __match_args__: ClassVar = (
        "start",
        "leader",
        "tricks",
        "captured",
        "tricks_won",
        "trick_number",
        "set_aside",
        "kitty_winner",
    )
    __slots__ = (
        "_captured",
        "_piles",
        "_tricks_won",
        "_uncounted",
        "_won",
        "kitty_winner",
        "leader",
        "resolved",
        "set_aside",
        "start",
        "trick_number",
        "tricks",
        "waiting",
    )

    start: Final[DealStart]
    leader: Final[Seat]
    """Who leads, or led, to the current trick; of a finished deal, to the last one."""
    tricks: Final[tuple[Trick, ...]]
    """The completed tricks, in order; empty for a position set up without its history."""
    _piles: Final[tuple[Cards, ...]]
    """`captured` before the last tricks, those that are uncounted."""
    _won: Final[tuple[int, ...]]
    """`tricks_won` before them."""
    _uncounted: Final[i64]
    _captured: tuple[Cards, ...] | None
    """The cached `captured`; None: not computed yet."""
    _tricks_won: tuple[int, ...] | None
    """The cached `tricks_won`; None: not computed yet."""
    trick_number: Final[int]
    """How many tricks are completed, won or not."""
    set_aside: Final[Cards]
    """The cards of tricks that nobody won, waiting for the next winner."""
    kitty_winner: Final[Seat | None]
    """Who has taken the kitty, if anybody has."""
    resolved: Final[ResolvedRules]
    waiting: Final[i64]
    """The shown cards of suits that no completed trick was led in, as a mask: they are held back."""

    def __init__(
        self,
        start: DealStart,
        leader: Seat,
        tricks: tuple[Trick, ...],
        captured: tuple[Cards, ...],
        tricks_won: tuple[int, ...],
        trick_number: int,
        set_aside: Cards,
        kitty_winner: Seat | None,
        uncounted: i64 = 0,
    ) -> None:
        self._hash = 0
        self.start = start
        self.leader = leader
        self.tricks = tricks
        self._piles = captured
        self._won = tricks_won
        self._uncounted = uncounted
        self._captured = None
        self._tricks_won = None
        self.trick_number = trick_number
        self.set_aside = set_aside
        self.kitty_winner = kitty_winner
        self.resolved = start.rules.resolved
        waiting: i64 = 0
        if start.exposed_mask:
            waiting = waiting_of(start.exposed_mask, start.led_before, tricks)
        self.waiting = waiting

    @property
    def captured(self) -> tuple[Cards, ...]:
        """The cards that each seat has won, with the kitty if it took that."""
        if not self._uncounted:
            return self._piles
        captured = self._captured
        if captured is None:
            captured = tuple([self._pile(seat) for seat in range(len(self._piles))])
            if COMPILED:
                self._captured = captured
            else:
                set_cached(self, "_captured", captured)
        return captured

    def _pile(self, seat: int) -> Cards:
        """The cards that a seat has won."""
        pile = self._piles[seat]
        lo, hi = pile.lo, pile.hi
        for trick in self.tricks[-int(self._uncounted) :]:
            winner = trick.winner
            # Compiled, comparing it with an int would be a comparison of objects before it is known to be one.
            if winner is not None and winner == seat:
                more_lo, more_hi = masks_of(trick.plays)
                lo, hi = with_bag(lo, hi, more_lo, more_hi)
        # Whoever caches something of a pile knows by its identity that nothing was added.
        return pile if lo == pile.lo and hi == pile.hi else bag_of(lo, hi)

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """How many tricks each seat has won."""
        if not self._uncounted:
            return self._won
        won = self._tricks_won
        if won is None:
            counts = list(self._won)
            for trick in self.tricks[-int(self._uncounted) :]:
                assert trick.winner is not None, "a trick that nobody won is counted at once"
                counts[trick.winner] += 1
            won = tuple(counts)
            if COMPILED:
                self._tricks_won = won
            else:
                set_cached(self, "_tricks_won", won)
        return won

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.start.rules

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each deal before this one."""
        return self.start.score_sheet

    @property
    def kitty(self) -> Cards:
        """The cards that were left over after dealing, whether they have been taken or not."""
        return self.start.kitty

    @property
    def passed(self) -> tuple[Cards, ...]:
        """The cards that went from each seat's hand to another's."""
        return self.start.passed

    @property
    def received(self) -> tuple[Cards, ...]:
        """The cards that each seat was given."""
        return self.start.received

    @property
    def exposed(self) -> tuple[Cards, ...]:
        """The cards that each seat has shown to everybody."""
        return self.start.exposed


@final
class AwaitingDeal(InMatch, Drawable):
    """The next deal is to be dealt: chance is to act."""

    __match_args__: ClassVar = ("rules", "score_sheet", "last_deal")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.DEAL]] = Phase.DEAL

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each finished deal."""
    last_deal: Final[PlayedDeal | None]
    """The deal that has just ended; None before the first."""

    def __init__(
        self,
        rules: Rules,
        score_sheet: ScoreSheet,
        last_deal: PlayedDeal | None,
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.score_sheet = score_sheet
        self.last_deal = last_deal

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return not self.score_sheet.first and (
            self.last_deal.start.has_full_history if self.last_deal else not self.score_sheet
        )


@final
class Passing(InMatch, Drawable):
    """The cards are dealt, and some seats have still to commit what they pass. Tuples are by seat.

    When the pass goes through the middle and all have committed, chance is to act: the pile is to be dealt back.
    """

    __match_args__: ClassVar = ("rules", "score_sheet", "hands", "kitty", "commitments")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.PASS]] = Phase.PASS

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each finished deal."""
    hands: Final[tuple[Cards, ...]]
    """The hands as they were dealt; nothing leaves them before the exchange."""
    kitty: Final[Cards]
    """The cards that were left over."""
    commitments: Final[tuple[Pass | None, ...]]
    """What each seat passes, or None: it has not committed yet."""

    def __init__(
        self,
        rules: Rules,
        score_sheet: ScoreSheet,
        hands: tuple[Cards, ...],
        kitty: Cards,
        commitments: tuple[Pass | None, ...],
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.score_sheet = score_sheet
        self.hands = hands
        self.kitty = kitty
        self.commitments = commitments

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return not self.score_sheet.first

    @property
    def plan(self) -> PassPlan:
        """What every seat passes, and to whom."""
        return self.rules.resolved.pass_plan(self.deal_number)

    @property
    def chance_to_act(self) -> bool:
        """Whether all have committed, and the pile in the middle is to be dealt back: chance is to act."""
        return None not in self.commitments


@final
class Exposing(InMatch, Drawable):
    """Some seats have still to show cards or none: after the pass, or before one that depends on it. Tuples are by
    seat."""

    __match_args__: ClassVar = ("start", "hands", "commitments")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.EXPOSE]] = Phase.EXPOSE

    start: Final[DealStart]
    """What was settled so far. Nothing is shown in it yet but, in rounds, what lies open by now."""
    hands: Final[tuple[Cards, ...]]
    """The hands, after the exchange if there was one; shown cards stay in them."""
    commitments: Final[tuple[Expose | None, ...]]
    """All that each seat shows, or None: it has not moved yet, or, in rounds, not since another showed cards."""

    def __init__(self, start: DealStart, hands: tuple[Cards, ...], commitments: tuple[Expose | None, ...]) -> None:
        self._hash = 0
        self.start = start
        self.hands = hands
        self.commitments = commitments

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.start.rules

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal."""
        return self.start.score_sheet

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return self.start.has_full_history or (self.before_pass and not self.score_sheet.first)

    @property
    def kitty(self) -> Cards:
        """The cards that were left over."""
        return self.start.kitty

    @property
    def passes(self) -> tuple[Pass, ...]:
        """What each seat passed; empty if this deal had no passing."""
        return self.start.passes

    @property
    def passed(self) -> tuple[Cards, ...]:
        """The cards that went from each seat's hand to another's."""
        return self.start.passed

    @property
    def received(self) -> tuple[Cards, ...]:
        """The cards that each seat was given."""
        return self.start.received

    @property
    def before_pass(self) -> bool:
        """Whether the pass of this deal follows if nobody shows any card."""
        return not self.start.passes and self.rules.resolved.shows_before_pass(self.start.deal_number)

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """By seat, the cards that lie open before it: what it has shown, but with TOGETHER none before all have
        moved."""
        resolved = self.rules.resolved
        return (
            self.start.exposed if resolved.shows_in_rounds or not resolved.shows_openly else shown_by(self.commitments)
        )

    @property
    def to_expose(self) -> tuple[Seat, ...]:
        """The seats that may show cards now: all without a commitment, or in turn the next of them."""
        return seats_to_expose(self.rules, self.dealer, [one is not None for one in self.commitments])


def seats_to_expose(rules: Rules, dealer: Seat, committed: Sequence[bool]) -> tuple[Seat, ...]:
    """The seats that may show cards now.

    Args:
        rules: the rule set.
        dealer: who dealt.
        committed: by seat, whether it has moved, and in rounds whether it has since another showed cards.
    """
    players = rules.players
    waiting = [seat for seat in range(players) if not committed[seat]]
    if not rules.resolved.shows_in_turn or not waiting:
        return tuple(waiting)
    # Those who have moved sit side by side, and the seat to the left of the last one is next.
    after = [seat for seat in waiting if committed[seat - 1]]
    return (after[0] if after else (dealer + 1) % players,)


@final
@mypyc_attr(free_list_len=1)
class Playing(InMatch, Drawable):
    """The cards are played, trick by trick. Tuples are by seat.

    Args:
        deal: the deal as far as its tricks are completed.
        hands: the hands.
        turn: whose turn it is.
        trick: the plays of the current trick, in order; empty when a seat is to lead.
        hearts_broken: whether hearts are broken.
        gone: of one deck, the cards that have been played from `hands` since; a mask, for `after_play` alone.
    """

    __match_args__: ClassVar = ("deal", "hands", "turn", "trick", "hearts_broken")
    __slots__ = ("_before", "_gone", "_hands", "_legal", "deal", "hearts_broken", "trick", "turn")
    phase: ClassVar[Literal[Phase.PLAY]] = Phase.PLAY

    deal: Final[PlayedDeal]
    """The deal as far as its tricks are completed."""
    _before: Final[tuple[Cards, ...]]
    """The hands before the cards of `_gone` were played."""
    _gone: Final[i64]
    turn: Final[Seat]
    """Whose turn it is."""
    trick: Final[tuple[Play, ...]]
    """The plays of the current trick, in order; empty when a seat is to lead."""
    hearts_broken: Final[bool]
    """Whether hearts are broken."""
    _hands: tuple[Cards, ...] | None
    """The cached hands; None: not computed yet."""
    _legal: i64
    """The cached `legal_faces`; -1: not computed yet."""

    def __init__(
        self,
        deal: PlayedDeal,
        hands: tuple[Cards, ...],
        turn: Seat,
        trick: tuple[Play, ...],
        hearts_broken: bool,
        gone: i64 = 0,
    ) -> None:
        self._hash = 0
        self.deal = deal
        self._before = hands
        self._gone = gone
        self.turn = turn
        self.trick = trick
        self.hearts_broken = hearts_broken
        self._hands = None
        self._legal = -1

    @property
    def hands(self) -> tuple[Cards, ...]:
        """The hands: the cards that each seat still holds."""
        gone = self._gone
        if not gone:
            return self._before
        hands = self._hands
        if hands is None:
            hands = tuple([bag_of(hand.lo & ~gone, 0) for hand in self._before])
            if COMPILED:
                self._hands = hands
            else:
                set_cached(self, "_hands", hands)
        return hands

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.deal.start.rules

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal."""
        return self.deal.start.score_sheet

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return self.deal.start.has_full_history

    @property
    def leader(self) -> Seat:
        """Who leads, or led, to the current trick."""
        return self.deal.leader

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks, in order; empty for a position set up without its history."""
        return self.deal.tricks

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """How many tricks each seat has won."""
        return self.deal.tricks_won

    @property
    def trick_number(self) -> int:
        """How many tricks are completed, won or not."""
        return self.deal.trick_number

    @property
    def captured(self) -> tuple[Cards, ...]:
        """The cards that each seat has won, with the kitty if it took that."""
        return self.deal.captured

    @property
    def set_aside(self) -> Cards:
        """The cards of tricks that nobody won, waiting for the next winner."""
        return self.deal.set_aside

    @property
    def kitty(self) -> Cards:
        """The cards that were left over after dealing, whether they have been taken or not."""
        return self.deal.start.kitty

    @property
    def kitty_winner(self) -> Seat | None:
        """Who has taken the kitty, if anybody has."""
        return self.deal.kitty_winner

    @property
    def passes(self) -> tuple[Pass, ...]:
        """What each seat committed; empty if this deal had no passing."""
        return self.deal.start.passes

    @property
    def passed(self) -> tuple[Cards, ...]:
        """The cards that went from each seat's hand to another's."""
        return self.deal.start.passed

    @property
    def received(self) -> tuple[Cards, ...]:
        """The cards that each seat was given."""
        return self.deal.start.received

    @property
    def exposed(self) -> tuple[Cards, ...]:
        """The cards that each seat has shown to everybody, whether they have been played since or not."""
        return self.deal.start.exposed

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """By seat, the shown cards that it has not played: they lie open before it."""
        return open_of(self.exposed, self.captured, self.set_aside, self.trick)


def hand_of(state: Playing, seat: Seat) -> Cards:
    """The hand of one seat; nothing is made of the others."""
    if not state._gone:
        return state._before[seat]
    hands = state._hands
    return bag_of(state._before[seat].lo & ~state._gone, 0) if hands is None else hands[seat]


def legal_faces(state: Playing) -> i64:
    """The faces that the seat whose turn it is may play, as a mask; cached in the state."""
    legal = state._legal
    if legal >= 0:
        return legal
    played = state.deal
    resolved = played.resolved
    trick = state.trick
    led: i64 = 0
    if trick:
        led = trick[0].suit_mask
    beaten: i64 = 0
    if resolved.compulsory == COMPULSORY_SAFE:
        beaten = beaten_by(resolved, trick)
    legal = playable(
        resolved,
        state._before[state.turn].lo & ~state._gone,
        led,
        played.trick_number == 0,
        state.hearts_broken,
        beaten,
        played.waiting,
        None,
    )
    if COMPILED:
        state._legal = legal
    else:
        set_cached(state, "_legal", legal)
    return legal


def after_trick(played: PlayedDeal, leader: Seat, tricks: tuple[Trick, ...], trick_number: int) -> PlayedDeal:
    """The deal after a trick whose winner took its cards and no others; all else is as given."""
    piles = played._captured
    won = played._tricks_won
    uncounted = played._uncounted
    if piles is None or won is None:
        piles = played._piles
        won = played._won
    else:
        uncounted = 0
    return PlayedDeal(
        played.start, leader, tricks, piles, won, trick_number, NO_CARDS, played.kitty_winner, uncounted + 1
    )


def after_play(
    state: Playing, play: Play, deal: PlayedDeal, turn: Seat, trick: tuple[Play, ...], hearts_broken: bool
) -> Playing:
    """Make the state after a play: the card leaves the hand of the seat whose turn it was, all else is as given."""
    hands = state._before
    gone = state._gone
    bit = play.bit
    if not deal.resolved.deck_hi:
        # With one deck it is enough to know which cards are gone.
        return Playing(deal, hands, turn, trick, hearts_broken, gone | bit)
    seat = state.turn
    hand = hands[seat]
    if hand.hi & bit:
        rest = bag_of(hand.lo, hand.hi ^ bit)
    else:
        rest = bag_of(hand.lo ^ bit, hand.hi)
    return Playing(deal, with_item(hands, seat, rest), turn, trick, hearts_broken)


_PLACES: Final[list[list[int]]] = [list(range(count)) for count in range(12)]


def with_item(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    """Replace the item of one seat."""
    return tuple(item if at == seat else items[at] for at in _PLACES[len(items)])


@final
class ChoosingMoon(InMatch, Drawable):
    """The deal is played out, somebody shot the moon, and decides now what it does (`Moon.CHOICE`)."""

    __match_args__: ClassVar = ("last_deal", "shooter", "others_up", "shooter_down")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.MOON]] = Phase.MOON

    last_deal: Final[PlayedDeal]
    """The deal that has just been played."""
    shooter: Final[Seat]
    """Who shot the moon and is to choose."""
    others_up: Final[DealScore]
    """The row of this deal if the points are added to the others."""
    shooter_down: Final[DealScore]
    """The row of this deal if they are subtracted from the shooter."""

    def __init__(self, last_deal: PlayedDeal, shooter: Seat, others_up: DealScore, shooter_down: DealScore) -> None:
        self._hash = 0
        self.last_deal = last_deal
        self.shooter = shooter
        self.others_up = others_up
        self.shooter_down = shooter_down

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.last_deal.start.rules

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal, this one not yet among them."""
        return self.last_deal.start.score_sheet

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return self.last_deal.start.has_full_history


@final
class GameOver(InMatch, Drawable):
    """The game is over."""

    __match_args__: ClassVar = ("rules", "score_sheet", "last_deal", "winners")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.OVER]] = Phase.OVER

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each deal."""
    last_deal: Final[PlayedDeal]
    """The last deal."""
    winners: Final[tuple[Seat, ...]]
    """The seats that have won, in order; with teams, all members."""

    def __init__(
        self,
        rules: Rules,
        score_sheet: ScoreSheet,
        last_deal: PlayedDeal,
        winners: tuple[Seat, ...],
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.score_sheet = score_sheet
        self.last_deal = last_deal
        self.winners = winners

    @property
    def deal_number(self) -> int:
        """The number of the last deal, from 0."""
        return self.score_sheet.next_deal - 1

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return self.last_deal.start.has_full_history


class BaseView(InMatch, Drawable):
    """The base class of views. Each class has its `phase`."""

    __slots__ = ()


State: TypeAlias = AwaitingDeal | Passing | Exposing | Playing | ChoosingMoon | GameOver
"""Any state."""
