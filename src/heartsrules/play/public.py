"""What everybody at the table knows, and what the states and the views of a phase have in common.

Of a deal, one `PublicDeal` holds all that everybody sees. A state adds the hands and the `Secrets`; a view adds
one hand and what its seat alone knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar, final

from heartsrules.base.values import COMPILED, Drawable, Hashed, set_cached
from heartsrules.cards import NO_CARDS, SUIT_MASKS, Card, Cards, Suit, bag_of, with_bag
from heartsrules.play.legality import beaten_by, playable, reasons_by_card
from heartsrules.play.moves import Expose, Play
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.tricks import led_suit, masks_of, trick_outcome
from heartsrules.play.violations import Violation
from heartsrules.rules import PassPlan, Rules, Seat
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

T = TypeVar("T")

__all__ = ["DealStart", "PublicDeal", "Trick"]
__dir__ = __all__.copy


@final
class Trick(Hashed, Drawable):
    """A completed trick."""

    __match_args__: ClassVar = ("leader", "plays", "winner")
    __slots__ = __match_args__

    leader: Final[Seat]
    plays: Final[tuple[Play, ...]]
    """In the order of play, the leader's first."""
    winner: Final[Seat | None]
    """The seat that won it, or None if it was set aside."""

    def __init__(self, leader: Seat, plays: tuple[Play, ...], winner: Seat | None) -> None:
        self._hash = 0
        self.leader = leader
        self.plays = plays
        self.winner = winner


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
        return self.rules._resolved.dealer(self.deal_number)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may move, in order."""
        return ()


@final
class DealStart(InMatch):
    """What everybody knows of a deal before the first card is played. Tuples are by seat."""

    __match_args__: ClassVar = ("rules", "score_sheet", "pass_counts", "exposed", "led_before")
    __slots__ = (*__match_args__, "exposed_mask")

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each deal before this one."""
    pass_counts: Final[tuple[int, ...]]
    """How many cards each seat passed; empty if this deal had no pass, not yet, or it is not known."""
    exposed: Final[tuple[Cards, ...]]
    """The cards that each seat has shown to everybody."""
    led_before: Final[tuple[Suit, ...]]
    """The suits that tricks before the known ones were led in; empty if all tricks are known, or nothing was shown."""
    exposed_mask: Final[i64]
    """All shown cards as a mask."""

    def __init__(
        self,
        rules: Rules,
        score_sheet: ScoreSheet,
        pass_counts: tuple[int, ...],
        exposed: tuple[Cards, ...],
        led_before: tuple[Suit, ...] = (),
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.score_sheet = score_sheet
        self.pass_counts = pass_counts
        self.exposed = exposed
        self.led_before = led_before
        self.exposed_mask = faces_of(exposed)

    @property
    def declined(self) -> frozenset[Seat]:
        """The seats that passed nothing."""
        return frozenset([seat for seat, count in enumerate(self.pass_counts) if not count])


def with_exposed(start: DealStart, exposed: tuple[Cards, ...]) -> DealStart:
    """The same start with these exposed cards."""
    return DealStart(start.rules, start.score_sheet, start.pass_counts, exposed, start.led_before)


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
        waiting &= ~trick.plays[0]._suit_mask
    return waiting


@final
class PublicDeal(Hashed):
    """The public part of a deal, up to its last completed trick. Tuples are by seat.

    Args:
        start: what was known before the first lead.
        leader: who leads, or led, to the current trick.
        tricks: the completed tricks.
        captured: the cards that each seat has won in tricks, without the kitty.
        tricks_won: how many tricks each seat has won.
        trick_number: how many tricks are completed.
        set_aside: the cards of tricks that nobody won, waiting for the next winner.
        kitty_winner: who has taken the kitty.
        kitty: the kitty, if it has been taken and everybody may see it.
        uncounted: of the last tricks, how many are in neither `captured` nor `tricks_won`; their winners took the
            cards of these tricks and no others. It is for `after_trick` alone. If piles were made after each trick, a
            kept state would take 13 % more memory, and a play 3 % more instructions.
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
        "kitty",
    )
    __slots__ = (
        "_captured",
        "_piles",
        "_resolved",
        "_tricks_won",
        "_uncounted",
        "_waiting",
        "_won",
        "kitty",
        "kitty_winner",
        "leader",
        "set_aside",
        "start",
        "trick_number",
        "tricks",
    )

    start: Final[DealStart]
    """What was known before the first lead."""
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
    """The cached `captured`, or None before it is computed."""
    _tricks_won: tuple[int, ...] | None
    """The cached `tricks_won`, or None before it is computed."""
    trick_number: Final[int]
    """How many tricks are completed, won or not."""
    set_aside: Final[Cards]
    """The cards of tricks that nobody won, waiting for the next winner."""
    kitty_winner: Final[Seat | None]
    """Who has taken the kitty, if anybody has."""
    kitty: Final[Cards | None]
    """The kitty, if it has been taken and everybody may see it."""
    _resolved: Final[ResolvedRules]
    _waiting: Final[i64]
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
        kitty: Cards | None,
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
        self.kitty = kitty
        self._resolved = start.rules._resolved
        waiting: i64 = 0
        if start.exposed_mask:
            waiting = waiting_of(start.exposed_mask, start.led_before, tricks)
        self._waiting = waiting

    @property
    def captured(self) -> tuple[Cards, ...]:
        """The cards that each seat has won in tricks, without the kitty."""
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
        # Callers cache by identity: a pile that did not change stays the same object.
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


def first_trick(start: DealStart, leader: Seat) -> PublicDeal:
    """A deal before its first lead."""
    rules = start.rules
    return PublicDeal(start, leader, (), rules._resolved.nothing, (0,) * rules.players, 0, NO_CARDS, None, None)


def after_trick(played: PublicDeal, leader: Seat, tricks: tuple[Trick, ...], trick_number: int) -> PublicDeal:
    """The deal after a trick whose winner took its cards and no others; all else is as given."""
    piles = played._captured
    won = played._tricks_won
    uncounted = played._uncounted
    if piles is None or won is None:
        piles = played._piles
        won = played._won
    else:
        uncounted = 0
    return PublicDeal(
        played.start,
        leader,
        tricks,
        piles,
        won,
        trick_number,
        NO_CARDS,
        played.kitty_winner,
        played.kitty,
        uncounted + 1,
    )


class StartedDeal(InMatch):
    """A deal whose pass is over, with what everybody knows of its start."""

    __slots__ = ()

    @property
    def start(self) -> DealStart:
        """What was known before the first lead."""
        raise NotImplementedError

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.start.rules

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each deal before this one."""
        return self.start.score_sheet

    @property
    def exposed(self) -> tuple[Cards, ...]:
        """By seat, the cards that each has shown to everybody, whether they have been played since or not."""
        return self.start.exposed

    @property
    def declined(self) -> frozenset[Seat]:
        """The seats that passed nothing."""
        return self.start.declined


class KnownDeal(StartedDeal):
    """A deal as a state or a view knows it, up to its last completed trick. Tuples are by seat."""

    __slots__ = ()

    @property
    def public(self) -> PublicDeal:
        """What everybody knows of the deal."""
        raise NotImplementedError

    @property
    def kitty(self) -> Cards | None:
        """The cards left over after dealing, or None if they may not be seen, or not yet."""
        raise NotImplementedError

    @property
    def start(self) -> DealStart:
        """What was known before the first lead."""
        return self.public.start

    @property
    def leader(self) -> Seat:
        """Who leads, or led, to the current trick; of a finished deal, to the last one."""
        return self.public.leader

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks, in order; empty for a position set up without its history."""
        return self.public.tricks

    @property
    def captured(self) -> tuple[Cards, ...]:
        """The cards that each seat has won, with the kitty if it took that and it may be seen."""
        public = self.public
        taker = public.kitty_winner
        if taker is None:
            return public.captured
        kitty = self.kitty
        if not kitty:
            return public.captured
        return with_item(public.captured, taker, public.captured[taker] + kitty)

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """How many tricks each seat has won."""
        return self.public.tricks_won

    @property
    def trick_number(self) -> int:
        """How many tricks are completed, won or not."""
        return self.public.trick_number

    @property
    def set_aside(self) -> Cards:
        """The cards of tricks that nobody won, waiting for the next winner."""
        return self.public.set_aside

    @property
    def kitty_winner(self) -> Seat | None:
        """Who has taken the kitty, if anybody has."""
        return self.public.kitty_winner


class InPlay(KnownDeal):
    """A state or a view while cards are played."""

    __slots__ = ()

    @property
    def turn(self) -> Seat:
        """Whose turn it is."""
        raise NotImplementedError

    @property
    def trick(self) -> tuple[Play, ...]:
        """The plays of the current trick, in order; empty when a seat is to lead."""
        raise NotImplementedError

    @property
    def hearts_broken(self) -> bool:
        """Whether hearts are broken."""
        raise NotImplementedError

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """By seat, the shown cards that it has not played: they lie open before it."""
        return open_of(self.exposed, self.public.captured, self.set_aside, self.trick)

    @property
    def winning_seat(self) -> Seat | None:
        """Who would win the current trick if it ended now, or None if nobody has played or the cards so far cancel
        each other. The last trick of a deal is its leader's where the rules say so (`VoidLastTrick.LEADER`)."""
        trick = self.trick
        if not trick:
            return None
        _, hi = masks_of(trick)
        last = self.public.trick_number + 1 == self.public._resolved.hand_size
        position = trick_outcome(self.public._resolved, trick, hi, last)
        return None if position < 0 else trick[position].seat

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may move, in order."""
        return (self.turn,)


def playable_now(now: InPlay, hand: i64) -> i64:
    """The faces of a hand that may be played to the trick as it is; both are masks."""
    public = now.public
    resolved = public._resolved
    trick = now.trick
    first = public.trick_number == 0
    beaten = beaten_by(resolved, trick)
    return playable(resolved, hand, led_suit(trick), first, now.hearts_broken, beaten, public._waiting, None)


def reasons_now(now: InPlay, hand: Cards, asked: i64 = -1) -> tuple[tuple[Card, tuple[Violation, ...]], ...]:
    """For every card of a hand, or those with an asked face, the reasons against playing it now."""
    public = now.public
    trick = now.trick
    first = public.trick_number == 0
    beaten = beaten_by(public._resolved, trick)
    rules = public.start.rules
    return reasons_by_card(rules, hand, led_suit(trick), first, now.hearts_broken, beaten, public._waiting, asked)


class InPass(InMatch):
    """A state or a view while cards are passed."""

    __slots__ = ()

    @property
    def plan(self) -> PassPlan:
        """What every seat passes, and to whom."""
        return self.rules._resolved.pass_plan(self.deal_number)

    @property
    def committed(self) -> frozenset[Seat]:
        """Who has committed."""
        raise NotImplementedError


class InExposure(StartedDeal):
    """A state or a view while cards may be shown."""

    __slots__ = ()

    @property
    def before_pass(self) -> bool:
        """Whether the pass of this deal follows if nobody shows any card."""
        return not self.start.pass_counts and self.rules._resolved.shows_before_pass(self.deal_number)

    @property
    def committed(self) -> frozenset[Seat]:
        """Who has moved, in rounds since another showed cards."""
        raise NotImplementedError

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may move: all that have not moved, or in turn the next of them."""
        committed = self.committed
        return seats_to_expose(self.rules, self.dealer, [seat in committed for seat in range(self.rules.players)])


def seats_to_expose(rules: Rules, dealer: Seat, committed: Sequence[bool]) -> tuple[Seat, ...]:
    """The seats that may show cards now.

    Args:
        rules: the rule set.
        dealer: who dealt.
        committed: by seat, whether it has moved, and in rounds whether it has since another showed cards.
    """
    players = rules.players
    waiting = [seat for seat in range(players) if not committed[seat]]
    if not rules._resolved.shows_in_turn or not waiting:
        return tuple(waiting)
    # Those who have moved sit side by side, and the seat to the left of the last one is next.
    after = [seat for seat in waiting if committed[seat - 1]]
    return (after[0] if after else (dealer + 1) % players,)


class InEnd(InMatch):
    """A state or a view after the last deal of a game."""

    __slots__ = ()

    @property
    def public(self) -> PublicDeal:
        """What everybody knows of the last deal."""
        raise NotImplementedError

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.public.start.rules

    @property
    def deal_number(self) -> int:
        """The number of the last deal, from 0."""
        return self.score_sheet.next_deal - 1


class InChoice(InMatch):
    """A state or a view while the shooter decides what the moon does."""

    __slots__ = ()

    @property
    def public(self) -> PublicDeal:
        """What everybody knows of the last deal."""
        raise NotImplementedError

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.public.start.rules

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal, this one not yet among them."""
        return self.public.start.score_sheet

    @property
    def shooter(self) -> Seat:
        """Who shot the moon and is to choose."""
        raise NotImplementedError

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may move, in order."""
        return (self.shooter,)


_PLACES: Final[list[list[int]]] = [list(range(count)) for count in range(12)]
"""The seats of each number of players. With slices in `with_item`, a play with two decks takes 28 % more
instructions."""


def with_item(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    """Replace the item of one seat."""
    return tuple(item if at == seat else items[at] for at in _PLACES[len(items)])
