"""What a seat, or a spectator, may know of a game: one class of view for each phase.

A view of a seat holds what that seat may know and nothing that depends on anything else; a spectator's view has no seat
and no hand.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal, TypeAlias, final

from heartsrules.base.values import COMPILED, set_cached
from heartsrules.cards import Cards, Suit
from heartsrules.play.exposing import resolved_with
from heartsrules.play.moves import Expose, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.scoring import card_points, side_totals
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.state import BaseView, InMatch, Trick, faces_of, open_of, seats_to_expose, waiting_of
from heartsrules.play.tricks import masks_of, trick_outcome
from heartsrules.play.voids import known_voids
from heartsrules.rules import ANY_NUMBER, PassPlan, Rules, Seat


@final
class DealStartView(InMatch):
    """What one seat knows of what was settled before the first card of a deal was played."""

    __match_args__: ClassVar = (
        "rules",
        "seat",
        "score_sheet",
        "commitment",
        "passed",
        "received",
        "pass_counts",
        "exposed",
    )
    __slots__ = __match_args__

    rules: Final[Rules]
    seat: Final[Seat | None]
    """The seat whose view it is; None: a spectator's."""
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each finished deal."""
    commitment: Final[Pass | None]
    """What this seat committed; None if this deal had no pass, or not yet."""
    passed: Final[Cards]
    """The cards that this seat passed."""
    received: Final[Cards]
    """The cards that this seat received."""
    pass_counts: Final[tuple[int, ...]]
    """By seat, how many cards it committed to pass; empty if this deal had no pass, not yet, or it is not known."""
    exposed: Final[tuple[Cards, ...]]
    """By seat, the cards that each has shown to everybody."""

    def __init__(
        self,
        rules: Rules,
        seat: Seat | None,
        score_sheet: ScoreSheet,
        commitment: Pass | None,
        passed: Cards,
        received: Cards,
        pass_counts: tuple[int, ...],
        exposed: tuple[Cards, ...],
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.seat = seat
        self.score_sheet = score_sheet
        self.commitment = commitment
        self.passed = passed
        self.received = received
        self.pass_counts = pass_counts
        self.exposed = exposed

    @property
    def declined(self) -> frozenset[Seat]:
        """Who declined to pass, or laid no card into the middle."""
        return frozenset([seat for seat, count in enumerate(self.pass_counts) if not count])


@final
class PlayedDealView(InMatch):
    """What one seat knows of a deal as far as its tricks are completed. Tuples are by seat."""

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
        "led_before",
    )
    __slots__ = __match_args__

    start: Final[DealStartView]
    leader: Final[Seat]
    """Who leads, or led, to the current trick; of a finished deal, to the last one."""
    tricks: Final[tuple[Trick, ...]]
    """The completed tricks, in order."""
    captured: Final[tuple[Cards, ...]]
    """The cards that each seat has won; the kitty's are among them only if this seat may see them."""
    tricks_won: Final[tuple[int, ...]]
    """How many tricks each seat has won."""
    trick_number: Final[int]
    """How many tricks are completed, won or not."""
    set_aside: Final[Cards]
    """The cards of tricks that nobody won, waiting for the next winner."""
    kitty_winner: Final[Seat | None]
    """Who has taken the kitty, if anybody has."""
    kitty: Final[Cards | None]
    """The kitty, if this seat may see it; None: it may not, or not yet."""
    led_before: Final[tuple[Suit, ...]]
    """The suits that tricks before the known ones were led in; empty if all are known, or nothing was shown."""

    def __init__(
        self,
        start: DealStartView,
        leader: Seat,
        tricks: tuple[Trick, ...],
        captured: tuple[Cards, ...],
        tricks_won: tuple[int, ...],
        trick_number: int,
        set_aside: Cards,
        kitty_winner: Seat | None,
        kitty: Cards | None,
        led_before: tuple[Suit, ...],
    ) -> None:
        self._hash = 0
        self.start = start
        self.leader = leader
        self.tricks = tricks
        self.captured = captured
        self.tricks_won = tricks_won
        self.trick_number = trick_number
        self.set_aside = set_aside
        self.kitty_winner = kitty_winner
        self.kitty = kitty
        self.led_before = led_before

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.start.rules

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each deal before this one."""
        return self.start.score_sheet

    @property
    def waiting(self) -> int:
        """The shown cards of suits that no completed trick was led in, as a mask: they are held back."""
        exposed_mask = faces_of(self.start.exposed)
        return waiting_of(exposed_mask, self.led_before, self.tricks) if exposed_mask else 0

    @property
    def card_points(self) -> tuple[int, ...]:
        """The points that each seat has taken so far: the penalty value of its captured cards, with shown cards counted
        double. At the end of the deal it is `DealScore.card_points`.

        What only the end of the deal decides is not in it: the moon and the sun, bonus cards, the doubler, the bonus
        for winning no trick. Nor are cards that are set aside: they count for whoever wins them. The cards of a kitty
        count for its taker as far as this seat may see them. So the counts of two views can differ, and that of a
        seat that may not see the kitty stays too low by what is in it.
        """
        resolved = resolved_with(self.start.rules, self.start.exposed)
        return tuple([card_points(resolved, pile.lo, pile.hi) for pile in self.captured])

    @property
    def side_card_points(self) -> tuple[int, ...]:
        """The `card_points` of each side together, in the order of `Rules.sides`."""
        return tuple(side_totals(self.start.rules.resolved, self.card_points))

    @property
    def exposed(self) -> tuple[Cards, ...]:
        """By seat, the cards that each has shown to everybody."""
        return self.start.exposed

    @property
    def passed(self) -> Cards:
        """The cards that this seat passed."""
        return self.start.passed

    @property
    def received(self) -> Cards:
        """The cards that this seat received."""
        return self.start.received


@final
class AwaitingDealView(BaseView):
    """A view of `AwaitingDeal`."""

    __match_args__: ClassVar = ("rules", "seat", "score_sheet", "last_deal")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.DEAL]] = Phase.DEAL

    rules: Final[Rules]
    seat: Final[Seat | None]
    """The seat whose view it is; None: a spectator's."""
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each finished deal."""
    last_deal: Final[PlayedDealView | None]
    """The deal that has just ended; None before the first."""

    def __init__(
        self,
        rules: Rules,
        seat: Seat | None,
        score_sheet: ScoreSheet,
        last_deal: PlayedDealView | None,
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.seat = seat
        self.score_sheet = score_sheet
        self.last_deal = last_deal


@final
class PassingView(BaseView):
    """A view of `Passing`: who committed is known, what and whether they pass is not."""

    __match_args__: ClassVar = (
        "rules",
        "seat",
        "score_sheet",
        "hand",
        "commitment",
        "committed",
    )
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.PASS]] = Phase.PASS

    rules: Final[Rules]
    seat: Final[Seat | None]
    """The seat whose view it is; None: a spectator's."""
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each finished deal."""
    hand: Final[Cards]
    """This seat's hand as it was dealt; empty for a spectator."""
    commitment: Final[Pass | None]
    """What this seat passes, or None: it has not committed yet."""
    committed: Final[frozenset[Seat]]
    """Who has committed."""

    def __init__(
        self,
        rules: Rules,
        seat: Seat | None,
        score_sheet: ScoreSheet,
        hand: Cards,
        commitment: Pass | None,
        committed: frozenset[Seat],
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.seat = seat
        self.score_sheet = score_sheet
        self.hand = hand
        self.commitment = commitment
        self.committed = committed

    @property
    def plan(self) -> PassPlan:
        """What every seat passes, and to whom."""
        return self.rules.resolved.pass_plan(self.deal_number)

    @property
    def may_decline(self) -> bool:
        """Whether a seat may pass nothing: `Pass(seat, ())`."""
        return self.rules.resolved.may_decline or self.plan == ANY_NUMBER

    @property
    def chance_to_act(self) -> bool:
        """Whether all have committed, and the pile in the middle is to be dealt back: chance is to act."""
        return len(self.committed) == self.rules.players

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return (self.rules.cards_per_hand,) * self.rules.players


@final
class ExposingView(BaseView):
    """A view of `Exposing`: who has moved is known, and what was shown as soon as everybody may see it."""

    __match_args__: ClassVar = ("start", "hand", "commitment", "committed")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.EXPOSE]] = Phase.EXPOSE

    start: Final[DealStartView]
    """What was settled so far. Its `exposed` has what everybody has seen: with TOGETHER nothing, else what was shown so
    far."""
    hand: Final[Cards]
    """This seat's hand; shown cards stay in it. Empty for a spectator."""
    commitment: Final[Expose | None]
    """All that this seat shows, or None: it has not moved yet, or, in rounds, not since another showed cards."""
    committed: Final[frozenset[Seat]]
    """Who has moved, in rounds since another showed cards."""

    def __init__(
        self, start: DealStartView, hand: Cards, commitment: Expose | None, committed: frozenset[Seat]
    ) -> None:
        self._hash = 0
        self.start = start
        self.hand = hand
        self.commitment = commitment
        self.committed = committed

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.start.rules

    @property
    def seat(self) -> Seat | None:
        """The seat whose view it is; None: a spectator's."""
        return self.start.seat

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal."""
        return self.start.score_sheet

    @property
    def passed(self) -> Cards:
        """The cards that this seat passed."""
        return self.start.passed

    @property
    def received(self) -> Cards:
        """The cards that this seat received."""
        return self.start.received

    @property
    def declined(self) -> frozenset[Seat]:
        """Who declined to pass, or laid no card into the middle."""
        return self.start.declined

    @property
    def exposed(self) -> tuple[Cards, ...]:
        """By seat, the cards that each has shown to everybody."""
        return self.start.exposed

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return (self.rules.cards_per_hand,) * self.rules.players

    @property
    def before_pass(self) -> bool:
        """Whether the pass of this deal follows if nobody shows any card."""
        return not self.start.pass_counts and self.rules.resolved.shows_before_pass(self.deal_number)

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """By seat, the cards that lie open before it: all that it has shown."""
        return self.start.exposed

    @property
    def to_expose(self) -> tuple[Seat, ...]:
        """The seats that may show cards now: all that are not in `committed`, or in turn the next of them."""
        return seats_to_expose(self.rules, self.dealer, [seat in self.committed for seat in range(self.rules.players)])


@final
class PlayingView(BaseView):
    """A view of `Playing`."""

    __match_args__: ClassVar = ("deal", "hand", "turn", "trick", "hearts_broken")
    __slots__ = (*__match_args__, "_voids")
    phase: ClassVar[Literal[Phase.PLAY]] = Phase.PLAY

    deal: Final[PlayedDealView]
    """The deal as far as its tricks are completed."""
    hand: Final[Cards]
    """This seat's hand; empty for a spectator."""
    turn: Final[Seat]
    """Whose turn it is."""
    trick: Final[tuple[Play, ...]]
    """The plays of the current trick, in order."""
    hearts_broken: Final[bool]
    """Whether hearts are broken."""
    _voids: tuple[frozenset[Suit], ...] | None
    """The cached `voids`; None: not computed yet."""

    def __init__(
        self, deal: PlayedDealView, hand: Cards, turn: Seat, trick: tuple[Play, ...], hearts_broken: bool
    ) -> None:
        self._hash = 0
        self.deal = deal
        self.hand = hand
        self.turn = turn
        self.trick = trick
        self.hearts_broken = hearts_broken
        self._voids = None

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.deal.start.rules

    @property
    def seat(self) -> Seat | None:
        """The seat whose view it is; None: a spectator's."""
        return self.deal.start.seat

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal."""
        return self.deal.start.score_sheet

    @property
    def leader(self) -> Seat:
        """Who leads, or led, to the current trick."""
        return self.deal.leader

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks, in order."""
        return self.deal.tricks

    @property
    def captured(self) -> tuple[Cards, ...]:
        """The cards that each seat has won; the kitty's only if this seat may see them."""
        return self.deal.captured

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """How many tricks each seat has won."""
        return self.deal.tricks_won

    @property
    def card_points(self) -> tuple[int, ...]:
        """The points that each seat has taken so far, before the moon, bonus cards, the doubler and other bonuses: see
        `PlayedDealView.card_points`."""
        return self.deal.card_points

    @property
    def side_card_points(self) -> tuple[int, ...]:
        """The `card_points` of each side together, in the order of `Rules.sides`."""
        return self.deal.side_card_points

    @property
    def winning_seat(self) -> Seat | None:
        """Who would win the current trick if it ended now; None: nobody has played to it, or the cards so far cancel
        each other. The last trick of a deal is its leader's where the rules say so (`VoidLastTrick.LEADER`)."""
        trick = self.trick
        if not trick:
            return None
        _, hi = masks_of(trick)
        last = self.deal.trick_number + 1 == self.rules.cards_per_hand
        position = trick_outcome(self.rules.resolved, trick, hi, last)
        return None if position < 0 else trick[position].seat

    @property
    def trick_number(self) -> int:
        """How many tricks are completed, won or not."""
        return self.deal.trick_number

    @property
    def set_aside(self) -> Cards:
        """The cards of tricks that nobody won, waiting for the next winner."""
        return self.deal.set_aside

    @property
    def kitty(self) -> Cards | None:
        """The kitty, if this seat may see it; None: it may not, or not yet."""
        return self.deal.kitty

    @property
    def kitty_winner(self) -> Seat | None:
        """Who has taken the kitty, if anybody has."""
        return self.deal.kitty_winner

    @property
    def passed(self) -> Cards:
        """The cards that this seat passed."""
        return self.deal.start.passed

    @property
    def received(self) -> Cards:
        """The cards that this seat received."""
        return self.deal.start.received

    @property
    def declined(self) -> frozenset[Seat]:
        """Who declined to pass, or laid no card into the middle."""
        return self.deal.start.declined

    @property
    def exposed(self) -> tuple[Cards, ...]:
        """By seat, the cards that each has shown to everybody, whether they have been played since or not."""
        return self.deal.start.exposed

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """By seat, the shown cards that it has not played: they lie open before it."""
        return open_of(self.exposed, self.captured, self.set_aside, self.trick)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        left = self.rules.cards_per_hand - self.deal.trick_number
        played = {play.seat for play in self.trick}
        return tuple([left - (seat in played) for seat in range(self.rules.players)])

    @property
    def voids(self) -> tuple[frozenset[Suit], ...]:
        """By seat, the suits that its plays have shown it to hold no card of: by not following suit, by leading a
        heart that only a hand of nothing but hearts may lead, and the like."""
        voids = self._voids
        if voids is None:
            deal = self.deal
            resolved = deal.start.rules.resolved
            voids = known_voids(
                resolved, deal.trick_number, deal.tricks, self.trick, deal.start.exposed, deal.led_before
            )
            if COMPILED:
                self._voids = voids
            else:
                set_cached(self, "_voids", voids)
        return voids


@final
class ChoosingMoonView(BaseView):
    """A view of `ChoosingMoon`."""

    __match_args__: ClassVar = ("last_deal", "shooter", "others_up", "shooter_down")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.MOON]] = Phase.MOON

    last_deal: Final[PlayedDealView]
    """The deal that has just been played."""
    shooter: Final[Seat]
    """Who shot the moon and is to choose."""
    others_up: Final[DealScore]
    """The row of this deal if the points are added to the others."""
    shooter_down: Final[DealScore]
    """The row of this deal if they are subtracted from the shooter."""

    def __init__(self, last_deal: PlayedDealView, shooter: Seat, others_up: DealScore, shooter_down: DealScore) -> None:
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
    def seat(self) -> Seat | None:
        """The seat whose view it is; None: a spectator's."""
        return self.last_deal.start.seat

    @property
    def score_sheet(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal, this one not yet among them."""
        return self.last_deal.start.score_sheet


@final
class GameOverView(BaseView):
    """A view of `GameOver`."""

    __match_args__: ClassVar = ("rules", "seat", "score_sheet", "last_deal", "winners")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.OVER]] = Phase.OVER

    rules: Final[Rules]
    seat: Final[Seat | None]
    """The seat whose view it is; None: a spectator's."""
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each deal."""
    last_deal: Final[PlayedDealView]
    """The last deal."""
    winners: Final[tuple[Seat, ...]]
    """The seats that have won, in order."""

    def __init__(
        self,
        rules: Rules,
        seat: Seat | None,
        score_sheet: ScoreSheet,
        last_deal: PlayedDealView,
        winners: tuple[Seat, ...],
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.seat = seat
        self.score_sheet = score_sheet
        self.last_deal = last_deal
        self.winners = winners

    @property
    def deal_number(self) -> int:
        """The number of the last deal, from 0."""
        return self.score_sheet.next_deal - 1


View: TypeAlias = AwaitingDealView | PassingView | ExposingView | PlayingView | ChoosingMoonView | GameOverView
"""What one seat, or a spectator, may know of a state."""
