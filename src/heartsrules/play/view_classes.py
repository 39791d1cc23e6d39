"""The views of a seat or a spectator, with one class for each phase.

A seat's view contains public knowledge, its own hand and its `OwnKnowledge`, and refers to nothing else. A spectator's
view has no seat and no hand.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal, TypeAlias, final

from heartsrules.base.native import trait
from heartsrules.base.values import COMPILED, Drawable, Hashed, set_cached
from heartsrules.cards import NO_CARDS, Cards, Suit
from heartsrules.play.exposing import resolved_with_exposed
from heartsrules.play.moves import Expose, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.public import (
    DealStart,
    InChoice,
    InEnd,
    InExposure,
    InMatch,
    InPass,
    InPlay,
    KnownDeal,
    PublicDeal,
)
from heartsrules.play.scoring import card_points, side_totals
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.voids import known_voids
from heartsrules.rules import ANY_NUMBER, Rules, Seat

__all__ = [
    "AwaitingDealView",
    "ChoosingMoonView",
    "DealingBackView",
    "DealtView",
    "ExposingView",
    "GameOverView",
    "OwnKnowledge",
    "PassingView",
    "PlayingView",
    "SeenDeal",
    "View",
]


@final
class OwnKnowledge(Hashed):
    """A seat's private knowledge of a deal, besides its hand.

    Attributes:
        seat: the viewing seat, or None for a spectator.
        commitment: the seat's pass, or None without one or before it.
        passed: the cards that the seat passed.
        received: the cards that the seat received.
        kitty: the kitty, if only this seat may see it.
    """

    __match_args__: ClassVar = ("seat", "commitment", "passed", "received", "kitty")
    __slots__ = __match_args__

    seat: Final[Seat | None]
    commitment: Final[Pass | None]
    passed: Final[Cards]
    received: Final[Cards]
    kitty: Final[Cards | None]

    def __init__(
        self,
        seat: Seat | None,
        commitment: Pass | None = None,
        passed: Cards = NO_CARDS,
        received: Cards = NO_CARDS,
        kitty: Cards | None = None,
    ) -> None:
        self._hash = 0
        self.seat = seat
        self.commitment = commitment
        self.passed = passed
        self.received = received
        self.kitty = kitty


@trait
class OfSeat:
    """The common part of the views of a deal."""

    __slots__ = ()

    @property
    def own(self) -> OwnKnowledge:
        """The seat's private knowledge, besides its hand."""
        raise NotImplementedError

    @property
    def seat(self) -> Seat | None:
        """The viewing seat, or None for a spectator."""
        return self.own.seat

    @property
    def passed(self) -> Cards:
        """The cards that the seat passed."""
        return self.own.passed

    @property
    def received(self) -> Cards:
        """The cards that the seat received."""
        return self.own.received


@trait
class CountsPoints:
    """The common part of the views with captured cards."""

    __slots__ = ()

    @property
    def public(self) -> PublicDeal:
        raise NotImplementedError

    @property
    def captured(self) -> tuple[Cards, ...]:
        raise NotImplementedError

    @property
    def card_points(self) -> tuple[int, ...]:
        """The points that each seat has taken so far.

        They are the penalty value of its captured cards, with exposed cards doubled. At the end of the deal they equal
        `DealScore.card_points`. They do not include the moon, the sun, bonus cards, the doubler and the bonus for
        winning no trick, which only the end of the deal decides, or cards set aside. A kitty counts for its winner only
        if the viewing seat may see it, so two views can differ.
        """
        start = self.public.start
        resolved = resolved_with_exposed(start.rules, start.exposed_mask)
        return tuple([card_points(resolved, pile.lo, pile.hi) for pile in self.captured])

    @property
    def side_card_points(self) -> tuple[int, ...]:
        """The `card_points` of each side together, in the order of `Rules.sides`."""
        return tuple(side_totals(self.public._resolved, self.card_points))


@final
class SeenDeal(KnownDeal, OfSeat, CountsPoints):
    """One seat's view of a finished deal.

    Attributes:
        public: the public part of the deal.
    """

    __match_args__: ClassVar = ("public", "own")
    __slots__ = __match_args__

    public: Final[PublicDeal]
    own: Final[OwnKnowledge]

    def __init__(self, public: PublicDeal, own: OwnKnowledge) -> None:
        self._hash = 0
        self.public = public
        self.own = own

    @property
    def kitty(self) -> Cards | None:
        """The kitty, or None if it is hidden."""
        kitty = self.public.kitty
        return self.own.kitty if kitty is None else kitty


@final
class AwaitingDealView(InMatch, Drawable):
    """A view of `AwaitingDeal`.

    Attributes:
        seat: the viewing seat, or None for a spectator.
        last_deal: the previous deal, or None before the first one.
    """

    __match_args__: ClassVar = ("rules", "seat", "score_sheet", "last_deal")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.DEAL]] = Phase.DEAL

    rules: Final[Rules]
    seat: Final[Seat | None]
    score_sheet: Final[ScoreSheet]
    last_deal: Final[SeenDeal | None]

    def __init__(self, rules: Rules, seat: Seat | None, score_sheet: ScoreSheet, last_deal: SeenDeal | None) -> None:
        self._hash = 0
        self.rules = rules
        self.seat = seat
        self.score_sheet = score_sheet
        self.last_deal = last_deal


@final
class PassingView(InPass, Drawable):
    """A view of `Passing`.

    It shows who has passed, but not the cards, and not who declined.

    Attributes:
        seat: the viewing seat, or None for a spectator.
        hand: the seat's dealt hand, empty for a spectator.
        commitment: the seat's pass, or None before it has passed.
    """

    __match_args__: ClassVar = ("rules", "seat", "score_sheet", "hand", "commitment", "committed")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.PASS]] = Phase.PASS

    rules: Final[Rules]
    seat: Final[Seat | None]
    score_sheet: Final[ScoreSheet]
    hand: Final[Cards]
    commitment: Final[Pass | None]
    committed: Final[frozenset[Seat]]

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
    def may_decline(self) -> bool:
        """True if a seat may decline with `Pass(seat)`."""
        return self.rules._resolved.may_decline or self.plan == ANY_NUMBER

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return tuple([seat for seat in range(self.rules.players) if seat not in self.committed])

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """The size of each hand."""
        return (self.rules.cards_per_hand,) * self.rules.players


@final
class DealingBackView(InMatch, Drawable):
    """A view of `DealingBack`. It does not show the other seats' passes.

    Attributes:
        seat: the viewing seat, or None for a spectator.
        hand: the seat's dealt hand, empty for a spectator.
        commitment: the seat's pass, or None for a spectator.
    """

    __match_args__: ClassVar = ("rules", "seat", "score_sheet", "hand", "commitment")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.DEAL_BACK]] = Phase.DEAL_BACK

    rules: Final[Rules]
    seat: Final[Seat | None]
    score_sheet: Final[ScoreSheet]
    hand: Final[Cards]
    commitment: Final[Pass | None]

    def __init__(
        self, rules: Rules, seat: Seat | None, score_sheet: ScoreSheet, hand: Cards, commitment: Pass | None
    ) -> None:
        self._hash = 0
        self.rules = rules
        self.seat = seat
        self.score_sheet = score_sheet
        self.hand = hand
        self.commitment = commitment

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """The size of each dealt hand."""
        return (self.rules.cards_per_hand,) * self.rules.players


@final
class ExposingView(InExposure, OfSeat, Drawable):
    """A view of `Exposing`.

    It shows who has moved, and exposed cards as soon as they are public.

    Attributes:
        start: the public knowledge so far. With TOGETHER it contains no exposed cards.
        hand: the seat's hand, including exposed cards, empty for a spectator.
        exposure: All cards that the seat exposes, or None before it has moved (in rounds, since another seat last
            exposed a card).
    """

    __match_args__: ClassVar = ("start", "own", "hand", "exposure", "committed")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.EXPOSE]] = Phase.EXPOSE

    start: Final[DealStart]
    own: Final[OwnKnowledge]
    hand: Final[Cards]
    exposure: Final[Expose | None]
    committed: Final[frozenset[Seat]]

    def __init__(
        self, start: DealStart, own: OwnKnowledge, hand: Cards, exposure: Expose | None, committed: frozenset[Seat]
    ) -> None:
        self._hash = 0
        self.start = start
        self.own = own
        self.hand = hand
        self.exposure = exposure
        self.committed = committed

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """The size of each hand."""
        return (self.rules.cards_per_hand,) * self.rules.players

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """The cards that each seat has visibly exposed."""
        return self.start.exposed


@final
class PlayingView(InPlay, OfSeat, CountsPoints, Drawable):
    """A view of `Playing`.

    Attributes:
        public: the public part of the deal, up to its last completed trick.
        hand: the seat's hand, empty for a spectator.
        _voids: the cached `voids`, or None.
    """

    __match_args__: ClassVar = ("public", "own", "hand", "turn", "trick", "hearts_broken")
    __slots__ = (*__match_args__, "_voids")
    phase: ClassVar[Literal[Phase.PLAY]] = Phase.PLAY

    public: Final[PublicDeal]
    own: Final[OwnKnowledge]
    hand: Final[Cards]
    turn: Final[Seat]
    trick: Final[tuple[Play, ...]]
    hearts_broken: Final[bool]
    _voids: tuple[frozenset[Suit], ...] | None

    def __init__(
        self,
        public: PublicDeal,
        own: OwnKnowledge,
        hand: Cards,
        turn: Seat,
        trick: tuple[Play, ...],
        hearts_broken: bool,
    ) -> None:
        self._hash = 0
        self.public = public
        self.own = own
        self.hand = hand
        self.turn = turn
        self.trick = trick
        self.hearts_broken = hearts_broken
        self._voids = None

    @property
    def kitty(self) -> Cards | None:
        """The kitty, or None if it is hidden."""
        kitty = self.public.kitty
        return self.own.kitty if kitty is None else kitty

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """The size of each hand."""
        left = self.rules.cards_per_hand - self.public.trick_number
        played = {play.seat for play in self.trick}
        return tuple([left - (seat in played) for seat in range(self.rules.players)])

    @property
    def voids(self) -> tuple[frozenset[Suit], ...]:
        """The suits in which each seat's plays have shown it to be void.

        Examples are a discard, or a heart that only a hand of hearts may lead.
        """
        voids = self._voids
        if voids is None:
            voids = known_voids(self.public, self.trick)
            if COMPILED:
                self._voids = voids
            else:
                set_cached(self, "_voids", voids)
        return voids


@final
class ChoosingMoonView(InChoice, Drawable):
    """A view of `ChoosingMoon`.

    Attributes:
        last_deal: the finished deal.
        others_up: the deal's row if the points are added to the others.
        shooter_down: the deal's row if the points are subtracted from the shooter.
    """

    __match_args__: ClassVar = ("last_deal", "shooter", "others_up", "shooter_down")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.MOON]] = Phase.MOON

    last_deal: Final[SeenDeal]
    shooter: Final[Seat]
    others_up: Final[DealScore]
    shooter_down: Final[DealScore]

    def __init__(self, last_deal: SeenDeal, shooter: Seat, others_up: DealScore, shooter_down: DealScore) -> None:
        self._hash = 0
        self.last_deal = last_deal
        self.shooter = shooter
        self.others_up = others_up
        self.shooter_down = shooter_down

    @property
    def public(self) -> PublicDeal:
        return self.last_deal.public

    @property
    def seat(self) -> Seat | None:
        """The viewing seat, or None for a spectator."""
        return self.last_deal.own.seat


@final
class GameOverView(InEnd, Drawable):
    """A view of `GameOver`.

    Attributes:
        last_deal: the last deal.
        winners: the winners, ascending.
    """

    __match_args__: ClassVar = ("score_sheet", "last_deal", "winners")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.OVER]] = Phase.OVER

    score_sheet: Final[ScoreSheet]
    last_deal: Final[SeenDeal]
    winners: Final[tuple[Seat, ...]]

    def __init__(self, score_sheet: ScoreSheet, last_deal: SeenDeal, winners: tuple[Seat, ...]) -> None:
        self._hash = 0
        self.score_sheet = score_sheet
        self.last_deal = last_deal
        self.winners = winners

    @property
    def public(self) -> PublicDeal:
        return self.last_deal.public

    @property
    def seat(self) -> Seat | None:
        """The viewing seat, or None for a spectator."""
        return self.last_deal.own.seat


DealView: TypeAlias = PlayingView | SeenDeal
"""One seat's view of a deal from the first lead on."""
StartedView: TypeAlias = ExposingView | PlayingView | SeenDeal
"""One seat's view of a deal after the pass."""
DealtView: TypeAlias = PassingView | DealingBackView | ExposingView | PlayingView
"""A view of a `DealtState`."""
View: TypeAlias = AwaitingDealView | DealtView | ChoosingMoonView | GameOverView
"""The view of one seat or a spectator."""
