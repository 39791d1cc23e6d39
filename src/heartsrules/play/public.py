"""Public knowledge, and the common parts of the states and views of each phase.

A deal's `PublicDeal` contains everything that all players see. A state adds the hands and the `Secrets`; a view adds
one hand and its seat's private knowledge.
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
    """A completed trick.

    Attributes:
        leader: the seat that led.
        plays: the plays in order, the leader's first.
        winner: the winning seat, or None if the trick was set aside.
    """

    __match_args__: ClassVar = ("leader", "plays", "winner")
    __slots__ = __match_args__

    leader: Final[Seat]
    plays: Final[tuple[Play, ...]]
    winner: Final[Seat | None]

    def __init__(self, leader: Seat, plays: tuple[Play, ...], winner: Seat | None) -> None:
        self._hash = 0
        self.leader = leader
        self.plays = plays
        self.winner = winner


class InMatch(Hashed):
    """A value within a match, with the rules and the score sheet.

    Tuples have one item per seat.
    """

    __slots__ = ()

    @property
    def rules(self) -> Rules:
        """The rule set."""
        raise NotImplementedError

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet, with a row for each finished deal."""
        raise NotImplementedError

    @property
    def scores(self) -> tuple[int, ...]:
        """The running totals after the last row of the score sheet."""
        return self.score_sheet.totals

    @property
    def deal_number(self) -> int:
        """The number of the current or next deal, from 0."""
        return self.score_sheet.next_deal

    @property
    def dealer(self) -> Seat:
        """The dealer's seat."""
        return self.rules._resolved.dealer(self.deal_number)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may move, ascending."""
        return ()


@final
class DealStart(InMatch):
    """The public knowledge of a deal before the first play.

    Tuples have one item per seat.

    Attributes:
        rules: the rule set.
        score_sheet: the score sheet, with a row for each finished deal.
        pass_counts: the number of cards each seat passed, or empty without a pass, before it, or if unknown.
        exposed: the cards that each seat has exposed.
        led_before: the suits led before the known tricks. It is empty if all tricks are known or no card was exposed.
        exposed_mask: all exposed cards as a mask.
    """

    __match_args__: ClassVar = ("rules", "score_sheet", "pass_counts", "exposed", "led_before")
    __slots__ = (*__match_args__, "exposed_mask")

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    pass_counts: Final[tuple[int, ...]]
    exposed: Final[tuple[Cards, ...]]
    led_before: Final[tuple[Suit, ...]]
    exposed_mask: Final[i64]

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
        """The seats that declined to pass."""
        return frozenset([seat for seat, count in enumerate(self.pass_counts) if not count])


def with_exposed(start: DealStart, exposed: tuple[Cards, ...]) -> DealStart:
    return DealStart(start.rules, start.score_sheet, start.pass_counts, exposed, start.led_before)


def faces_of(bags: tuple[Cards, ...]) -> i64:
    """Return the union of several `Cards` as a mask."""
    faces: i64 = 0
    for bag in bags:
        faces |= bag.lo
    return faces


def shown_by(commitments: Sequence[Expose | None]) -> tuple[Cards, ...]:
    """Return the cards each seat exposes, empty for a seat that has not moved."""
    return tuple([NO_CARDS if move is None else move.cards for move in commitments])


def open_of(
    exposed: tuple[Cards, ...], captured: tuple[Cards, ...], set_aside: Cards, trick: tuple[Play, ...]
) -> tuple[Cards, ...]:
    """Return the exposed cards that each seat has not played."""
    played: i64 = faces_of(captured) | set_aside.lo
    for play in trick:
        played |= play.bit
    return tuple([bag_of(cards.lo & ~played, 0) for cards in exposed])


def waiting_of(exposed_mask: i64, led_before: tuple[Suit, ...], tricks: tuple[Trick, ...]) -> i64:
    """Return the exposed cards of suits that have not been led, which are restricted.

    `led_before` are the suits led before the known tricks.
    """
    waiting: i64 = exposed_mask
    for suit in led_before:
        waiting &= ~SUIT_MASKS[suit]
    for trick in tricks:
        waiting &= ~trick.plays[0]._suit_mask
    return waiting


@final
class PublicDeal(Hashed):
    """The public part of a deal, up to its last completed trick.

    Tuples have one item per seat.

    Args:
        uncounted: the number of last tricks that `captured` and `tricks_won` do not include yet. Their winners took
            only the cards of these tricks. Only `after_trick` uses it, to save memory and time.

    Attributes:
        start: the public knowledge before the first lead.
        leader: the leader to the current trick, or to the last one of a finished deal.
        tricks: the completed tricks, in order. It is empty for a position set up without its history.
        trick_number: the number of completed tricks.
        set_aside: the cards of tricks without a winner, for the next winner.
        kitty_winner: the seat that won the kitty, or None.
        kitty: the kitty, if it has been won and is public.
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
    leader: Final[Seat]
    tricks: Final[tuple[Trick, ...]]
    _piles: Final[tuple[Cards, ...]]
    """`captured` without the uncounted tricks."""
    _won: Final[tuple[int, ...]]
    """`tricks_won` without them."""
    _uncounted: Final[i64]
    _captured: tuple[Cards, ...] | None
    _tricks_won: tuple[int, ...] | None
    trick_number: Final[int]
    set_aside: Final[Cards]
    kitty_winner: Final[Seat | None]
    kitty: Final[Cards | None]
    _resolved: Final[ResolvedRules]
    _waiting: Final[i64]
    """The restricted exposed cards, as a mask."""

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
        """The number of tricks each seat has won."""
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
    """Return a deal before its first lead."""
    rules = start.rules
    return PublicDeal(start, leader, (), rules._resolved.nothing, (0,) * rules.players, 0, NO_CARDS, None, None)


def after_trick(played: PublicDeal, leader: Seat, tricks: tuple[Trick, ...], trick_number: int) -> PublicDeal:
    """Return the deal after a trick whose winner took only its cards."""
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
    """A deal after the pass."""

    __slots__ = ()

    @property
    def start(self) -> DealStart:
        """The public knowledge before the first lead."""
        raise NotImplementedError

    @property
    def rules(self) -> Rules:
        return self.start.rules

    @property
    def score_sheet(self) -> ScoreSheet:
        return self.start.score_sheet

    @property
    def exposed(self) -> tuple[Cards, ...]:
        """The cards that each seat has exposed, whether or not they have been played."""
        return self.start.exposed

    @property
    def declined(self) -> frozenset[Seat]:
        """The seats that declined to pass."""
        return self.start.declined


class KnownDeal(StartedDeal):
    """The knowledge of a deal in a state or a view, up to its last completed trick."""

    __slots__ = ()

    @property
    def public(self) -> PublicDeal:
        """The public part of the deal."""
        raise NotImplementedError

    @property
    def kitty(self) -> Cards | None:
        """The cards left over after dealing, or None if they are hidden."""
        raise NotImplementedError

    @property
    def start(self) -> DealStart:
        return self.public.start

    @property
    def leader(self) -> Seat:
        """The leader to the current trick, or to the last one of a finished deal."""
        return self.public.leader

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks, in order.

        It is empty for a position set up without its history.
        """
        return self.public.tricks

    @property
    def captured(self) -> tuple[Cards, ...]:
        """The cards that each seat has won, including a visible kitty."""
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
        """The number of tricks each seat has won."""
        return self.public.tricks_won

    @property
    def trick_number(self) -> int:
        """The number of completed tricks."""
        return self.public.trick_number

    @property
    def set_aside(self) -> Cards:
        """The cards of tricks without a winner, for the next winner."""
        return self.public.set_aside

    @property
    def kitty_winner(self) -> Seat | None:
        """The seat that won the kitty, or None."""
        return self.public.kitty_winner


class InPlay(KnownDeal):
    """A state or a view during play."""

    __slots__ = ()

    @property
    def turn(self) -> Seat:
        """The seat to act."""
        raise NotImplementedError

    @property
    def trick(self) -> tuple[Play, ...]:
        """The plays of the current trick, in order. It is empty before a lead."""
        raise NotImplementedError

    @property
    def hearts_broken(self) -> bool:
        """True if hearts are broken."""
        raise NotImplementedError

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """The exposed cards that each seat has not played."""
        return open_of(self.exposed, self.public.captured, self.set_aside, self.trick)

    @property
    def winning_seat(self) -> Seat | None:
        """The seat that would win the current trick if it ended now.

        It is None before a lead and if the cards so far cancel each other. With `VoidLastTrick.LEADER` the leader wins
        such a last trick.
        """
        trick = self.trick
        if not trick:
            return None
        _, hi = masks_of(trick)
        last = self.public.trick_number + 1 == self.public._resolved.hand_size
        position = trick_outcome(self.public._resolved, trick, hi, last)
        return None if position < 0 else trick[position].seat

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return (self.turn,)


def playable_now(now: InPlay, hand: i64) -> i64:
    """Return the cards of a hand that may be played now, as a mask."""
    public = now.public
    resolved = public._resolved
    trick = now.trick
    first = public.trick_number == 0
    beaten = beaten_by(resolved, trick)
    return playable(resolved, hand, led_suit(trick), first, now.hearts_broken, beaten, public._waiting, None)


def reasons_now(now: InPlay, hand: Cards, asked: i64 = -1) -> tuple[tuple[Card, tuple[Violation, ...]], ...]:
    public = now.public
    trick = now.trick
    first = public.trick_number == 0
    beaten = beaten_by(public._resolved, trick)
    rules = public.start.rules
    return reasons_by_card(rules, hand, led_suit(trick), first, now.hearts_broken, beaten, public._waiting, asked)


class InPass(InMatch):
    """A state or a view during the pass."""

    __slots__ = ()

    @property
    def plan(self) -> PassPlan:
        """The pass plan of the deal."""
        return self.rules._resolved.pass_plan(self.deal_number)

    @property
    def committed(self) -> frozenset[Seat]:
        """The seats that have passed."""
        raise NotImplementedError


class InExposure(StartedDeal):
    """A state or a view while cards may be exposed."""

    __slots__ = ()

    @property
    def before_pass(self) -> bool:
        """True if the deal's pass follows in case no seat exposes a card."""
        return not self.start.pass_counts and self.rules._resolved.shows_before_pass(self.deal_number)

    @property
    def committed(self) -> frozenset[Seat]:
        """The seats that have moved, in rounds since another seat last exposed a card."""
        raise NotImplementedError

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may move. In turn it is only the next one."""
        committed = self.committed
        return seats_to_expose(self.rules, self.dealer, [seat in committed for seat in range(self.rules.players)])


def seats_to_expose(rules: Rules, dealer: Seat, committed: Sequence[bool]) -> tuple[Seat, ...]:
    """Return the seats that may expose cards now.

    `committed` is True for each seat that has moved, in rounds since another seat last exposed a card.
    """
    players = rules.players
    waiting = [seat for seat in range(players) if not committed[seat]]
    if not rules._resolved.shows_in_turn or not waiting:
        return tuple(waiting)
    # The seats that have moved are adjacent; the one to their left is next.
    after = [seat for seat in waiting if committed[seat - 1]]
    return (after[0] if after else (dealer + 1) % players,)


class InEnd(InMatch):
    """A state or a view after the last deal."""

    __slots__ = ()

    @property
    def public(self) -> PublicDeal:
        """The public part of the last deal."""
        raise NotImplementedError

    @property
    def rules(self) -> Rules:
        return self.public.start.rules

    @property
    def deal_number(self) -> int:
        """The number of the last deal, from 0."""
        return self.score_sheet.next_deal - 1


class InChoice(InMatch):
    """A state or a view during the shooter's choice of the moon's effect."""

    __slots__ = ()

    @property
    def public(self) -> PublicDeal:
        """The public part of the deal."""
        raise NotImplementedError

    @property
    def rules(self) -> Rules:
        return self.public.start.rules

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet, with a row for each finished deal, without this one."""
        return self.public.start.score_sheet

    @property
    def shooter(self) -> Seat:
        """The seat that shot the moon and must choose."""
        raise NotImplementedError

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return (self.shooter,)


_PLACES: Final[list[list[int]]] = [list(range(count)) for count in range(12)]
"""The seats for each number of players. It makes `with_item` faster than slices do."""


def with_item(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    return tuple(item if at == seat else items[at] for at in _PLACES[len(items)])
