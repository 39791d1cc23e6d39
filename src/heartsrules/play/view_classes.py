"""What a seat, or a spectator, may know of a game: one class of view for each phase.

A view of a seat holds what everybody knows, its own hand and its `OwnKnowledge`, and reaches nothing else; a
spectator's view has no seat and no hand.
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
    """What one seat knows of a deal besides its hand, and not everybody does."""

    __match_args__: ClassVar = ("seat", "commitment", "passed", "received", "kitty")
    __slots__ = __match_args__

    seat: Final[Seat | None]
    """The seat whose view it is, or None for a spectator."""
    commitment: Final[Pass | None]
    """What this seat committed to pass; None if this deal had no pass, or not yet."""
    passed: Final[Cards]
    """The cards that this seat passed."""
    received: Final[Cards]
    """The cards that this seat received."""
    kitty: Final[Cards | None]
    """The kitty, if this seat has taken it and sees it alone."""

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
    """What the views of a deal have in common: one seat's part of it is in them."""

    __slots__ = ()

    @property
    def own(self) -> OwnKnowledge:
        """What this seat knows and not everybody does, besides its hand."""
        raise NotImplementedError

    @property
    def seat(self) -> Seat | None:
        """The seat whose view it is, or None for a spectator."""
        return self.own.seat

    @property
    def passed(self) -> Cards:
        """The cards that this seat passed."""
        return self.own.passed

    @property
    def received(self) -> Cards:
        """The cards that this seat received."""
        return self.own.received


@trait
class CountsPoints:
    """What the views of captured cards have in common: they count the points."""

    __slots__ = ()

    @property
    def public(self) -> PublicDeal:
        """What everybody knows of the deal."""
        raise NotImplementedError

    @property
    def captured(self) -> tuple[Cards, ...]:
        """The cards that each seat has won."""
        raise NotImplementedError

    @property
    def card_points(self) -> tuple[int, ...]:
        """The points that each seat has taken so far: the penalty value of its captured cards, with shown cards counted
        double. At the end of the deal it is `DealScore.card_points`.

        What only the end of the deal decides is not in it: the moon and the sun, bonus cards, the doubler, the bonus
        for winning no trick. Nor are cards that are set aside: they count for whoever wins them. The cards of a kitty
        count for its taker as far as this seat may see them. So the counts of two views can differ, and that of a
        seat that may not see the kitty stays too low by what is in it.
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
    """A deal that is over, as one seat knows it."""

    __match_args__: ClassVar = ("public", "own")
    __slots__ = __match_args__

    public: Final[PublicDeal]
    """What everybody knows of the deal."""
    own: Final[OwnKnowledge]
    """What this seat knows and not everybody does."""

    def __init__(self, public: PublicDeal, own: OwnKnowledge) -> None:
        self._hash = 0
        self.public = public
        self.own = own

    @property
    def kitty(self) -> Cards | None:
        """The kitty, or None if this seat may not see it, or not yet."""
        kitty = self.public.kitty
        return self.own.kitty if kitty is None else kitty


@final
class AwaitingDealView(InMatch, Drawable):
    """A view of `AwaitingDeal`."""

    __match_args__: ClassVar = ("rules", "seat", "score_sheet", "last_deal")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.DEAL]] = Phase.DEAL

    rules: Final[Rules]
    seat: Final[Seat | None]
    """The seat whose view it is, or None for a spectator."""
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each finished deal."""
    last_deal: Final[SeenDeal | None]
    """The deal that has just ended; None before the first."""

    def __init__(self, rules: Rules, seat: Seat | None, score_sheet: ScoreSheet, last_deal: SeenDeal | None) -> None:
        self._hash = 0
        self.rules = rules
        self.seat = seat
        self.score_sheet = score_sheet
        self.last_deal = last_deal


@final
class PassingView(InPass, Drawable):
    """A view of `Passing`: who committed is known, what and whether they pass is not."""

    __match_args__: ClassVar = ("rules", "seat", "score_sheet", "hand", "commitment", "committed")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.PASS]] = Phase.PASS

    rules: Final[Rules]
    seat: Final[Seat | None]
    """The seat whose view it is, or None for a spectator."""
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
    def may_decline(self) -> bool:
        """Whether a seat may pass nothing: `Pass(seat)`."""
        return self.rules._resolved.may_decline or self.plan == ANY_NUMBER

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may move, in order."""
        return tuple([seat for seat in range(self.rules.players) if seat not in self.committed])

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return (self.rules.cards_per_hand,) * self.rules.players


@final
class DealingBackView(InMatch, Drawable):
    """A view of `DealingBack`: what the other seats passed, and whether they did, is not known."""

    __match_args__: ClassVar = ("rules", "seat", "score_sheet", "hand", "commitment")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.DEAL_BACK]] = Phase.DEAL_BACK

    rules: Final[Rules]
    seat: Final[Seat | None]
    """The seat whose view it is, or None for a spectator."""
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each finished deal."""
    hand: Final[Cards]
    """This seat's hand as it was dealt; empty for a spectator."""
    commitment: Final[Pass | None]
    """What this seat passed, or None for a spectator."""

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
        """How many cards each seat was dealt."""
        return (self.rules.cards_per_hand,) * self.rules.players


@final
class ExposingView(InExposure, OfSeat, Drawable):
    """A view of `Exposing`: who has moved is known, and what was shown as soon as everybody may see it."""

    __match_args__: ClassVar = ("start", "own", "hand", "exposure", "committed")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.EXPOSE]] = Phase.EXPOSE

    start: Final[DealStart]
    """What was settled so far. Its `exposed` has what everybody has seen: with TOGETHER nothing, else what was shown so
    far."""
    own: Final[OwnKnowledge]
    """What this seat knows and not everybody does, besides its hand."""
    hand: Final[Cards]
    """This seat's hand; shown cards stay in it. Empty for a spectator."""
    exposure: Final[Expose | None]
    """All that this seat shows, or None: it has not moved yet, or, in rounds, not since another showed cards."""
    committed: Final[frozenset[Seat]]
    """Who has moved, in rounds since another showed cards."""

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
        """How many cards each seat holds."""
        return (self.rules.cards_per_hand,) * self.rules.players

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """By seat, the cards that lie open before it: all that it has shown."""
        return self.start.exposed


@final
class PlayingView(InPlay, OfSeat, CountsPoints, Drawable):
    """A view of `Playing`."""

    __match_args__: ClassVar = ("public", "own", "hand", "turn", "trick", "hearts_broken")
    __slots__ = (*__match_args__, "_voids")
    phase: ClassVar[Literal[Phase.PLAY]] = Phase.PLAY

    public: Final[PublicDeal]
    """The public part of the deal, up to its last completed trick."""
    own: Final[OwnKnowledge]
    """What this seat knows and not everybody does, besides its hand."""
    hand: Final[Cards]
    """This seat's hand; empty for a spectator."""
    turn: Final[Seat]
    """Whose turn it is."""
    trick: Final[tuple[Play, ...]]
    """The plays of the current trick, in order."""
    hearts_broken: Final[bool]
    """Whether hearts are broken."""
    _voids: tuple[frozenset[Suit], ...] | None
    """The cached `voids`, which take as long as twenty-five views; None: not computed yet."""

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
        """The kitty, or None if this seat may not see it, or not yet."""
        kitty = self.public.kitty
        return self.own.kitty if kitty is None else kitty

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        left = self.rules.cards_per_hand - self.public.trick_number
        played = {play.seat for play in self.trick}
        return tuple([left - (seat in played) for seat in range(self.rules.players)])

    @property
    def voids(self) -> tuple[frozenset[Suit], ...]:
        """By seat, the suits that its plays have shown it to hold no card of: by not following suit, by leading a
        heart that only a hand of nothing but hearts may lead, and the like."""
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
    """A view of `ChoosingMoon`."""

    __match_args__: ClassVar = ("last_deal", "shooter", "others_up", "shooter_down")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.MOON]] = Phase.MOON

    last_deal: Final[SeenDeal]
    """The deal that has just been played."""
    shooter: Final[Seat]
    """Who shot the moon and is to choose."""
    others_up: Final[DealScore]
    """The row of this deal if the points are added to the others."""
    shooter_down: Final[DealScore]
    """The row of this deal if they are subtracted from the shooter."""

    def __init__(self, last_deal: SeenDeal, shooter: Seat, others_up: DealScore, shooter_down: DealScore) -> None:
        self._hash = 0
        self.last_deal = last_deal
        self.shooter = shooter
        self.others_up = others_up
        self.shooter_down = shooter_down

    @property
    def public(self) -> PublicDeal:
        """What everybody knows of the last deal."""
        return self.last_deal.public

    @property
    def seat(self) -> Seat | None:
        """The seat whose view it is, or None for a spectator."""
        return self.last_deal.own.seat


@final
class GameOverView(InEnd, Drawable):
    """A view of `GameOver`."""

    __match_args__: ClassVar = ("score_sheet", "last_deal", "winners")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.OVER]] = Phase.OVER

    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each deal."""
    last_deal: Final[SeenDeal]
    """The last deal."""
    winners: Final[tuple[Seat, ...]]
    """The seats that have won, in order."""

    def __init__(self, score_sheet: ScoreSheet, last_deal: SeenDeal, winners: tuple[Seat, ...]) -> None:
        self._hash = 0
        self.score_sheet = score_sheet
        self.last_deal = last_deal
        self.winners = winners

    @property
    def public(self) -> PublicDeal:
        """What everybody knows of the last deal."""
        return self.last_deal.public

    @property
    def seat(self) -> Seat | None:
        """The seat whose view it is, or None for a spectator."""
        return self.last_deal.own.seat


DealView: TypeAlias = PlayingView | SeenDeal
"""What one seat knows of a deal whose first card is led."""
StartedView: TypeAlias = ExposingView | PlayingView | SeenDeal
"""What one seat knows of a deal whose pass is over."""
DealtView: TypeAlias = PassingView | DealingBackView | ExposingView | PlayingView
"""A view of a `DealtState`."""
View: TypeAlias = AwaitingDealView | DealtView | ChoosingMoonView | GameOverView
"""What one seat, or a spectator, may know of a state."""
