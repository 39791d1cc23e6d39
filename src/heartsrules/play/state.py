"""The states of a game: one final class for each phase, with no field that is only set sometimes.

States are values: they never change, and `heartsrules.play.engine` alone makes successors of them. Their constructors
check nothing; use `set_up` to build a checked position by hand.

A `Playing` state is in three parts, each made anew only as often as it changes: `Secrets` once a deal, `PublicDeal`
once a trick, and the state itself once a play. What they hold can be read from the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias, final

from heartsrules.base.native import mypyc_attr, trait
from heartsrules.base.values import COMPILED, Drawable, Hashed, Value, set_cached
from heartsrules.cards import NO_CARDS, Cards, Suit, bag_of
from heartsrules.play.moves import Expose, Pass, Play
from heartsrules.play.passing import laid_cards
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
    playable_now,
    shown_by,
    with_item,
)
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.rules import Rules, Seat

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "AwaitingDeal",
    "ChoosingMoon",
    "DealingBack",
    "DealtState",
    "Exposing",
    "GameOver",
    "MidDealPosition",
    "Passing",
    "PlayedDeal",
    "Playing",
    "Secrets",
    "State",
]
__dir__ = __all__.copy


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


@final
class Secrets(Hashed):
    """What no seat, or not every seat, knows of a deal, besides the hands. Tuples are by seat."""

    __match_args__: ClassVar = ("kitty", "passes", "passed", "received", "resumed_from")
    __slots__ = __match_args__

    kitty: Final[Cards]
    """The cards that were left over after dealing, whether they have been taken or not."""
    passes: Final[tuple[Pass, ...]]
    """What each seat committed; empty if this deal had no pass, not yet, or it is not known."""
    passed: Final[tuple[Cards, ...]]
    """The cards that went from each seat's hand to another's."""
    received: Final[tuple[Cards, ...]]
    """The cards that each seat was given."""
    resumed_from: Final[MidDealPosition | None]
    """Where the history begins, if it does not begin with the first lead."""

    def __init__(
        self,
        kitty: Cards,
        passes: tuple[Pass, ...],
        passed: tuple[Cards, ...],
        received: tuple[Cards, ...],
        resumed_from: MidDealPosition | None = None,
    ) -> None:
        self._hash = 0
        self.kitty = kitty
        self.passes = passes
        self.passed = passed
        self.received = received
        self.resumed_from = resumed_from


@trait
class WithSecrets:
    """What the states of a deal have in common: all of it is in them."""

    __slots__ = ()

    @property
    def start(self) -> DealStart:
        """What was known before the first lead."""
        raise NotImplementedError

    @property
    def secrets(self) -> Secrets:
        """What not every seat knows of the deal, besides the hands."""
        raise NotImplementedError

    @property
    def passes(self) -> tuple[Pass, ...]:
        """What each seat passed; empty if this deal had no passing."""
        return self.secrets.passes

    @property
    def passed(self) -> tuple[Cards, ...]:
        """The cards that went from each seat's hand to another's."""
        return self.secrets.passed

    @property
    def received(self) -> tuple[Cards, ...]:
        """The cards that each seat was given."""
        return self.secrets.received

    @property
    def resumed_from(self) -> MidDealPosition | None:
        """Where the history begins, if it does not begin with the first lead."""
        return self.secrets.resumed_from

    @property
    def passes_unknown(self) -> bool:
        """Whether cards have been passed before the first lead, and it is not known which."""
        start = self.start
        resolved = start.rules._resolved
        if self.secrets.passes or not resolved.sizes_of(start.deal_number):
            return False
        return not (start.exposed_mask and resolved.shows_before_pass(start.deal_number))

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        if self.secrets.resumed_from is not None or self.start.score_sheet.first:
            return False
        return not self.passes_unknown


@final
class PlayedDeal(KnownDeal, WithSecrets):
    """A deal that is over, with all there is to see of it."""

    __match_args__: ClassVar = ("public", "secrets")
    __slots__ = __match_args__

    public: Final[PublicDeal]
    """What everybody knows of the deal."""
    secrets: Final[Secrets]
    """What not every seat knows of it."""

    def __init__(self, public: PublicDeal, secrets: Secrets) -> None:
        self._hash = 0
        self.public = public
        self.secrets = secrets

    @property
    def kitty(self) -> Cards:
        """The cards that were left over after dealing, whether they have been taken or not."""
        return self.secrets.kitty


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

    def __init__(self, rules: Rules, score_sheet: ScoreSheet, last_deal: PlayedDeal | None) -> None:
        self._hash = 0
        self.rules = rules
        self.score_sheet = score_sheet
        self.last_deal = last_deal

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return not self.score_sheet.first and (
            self.last_deal.has_full_history if self.last_deal else not self.score_sheet
        )


@final
class Passing(InPass, Drawable):
    """The cards are dealt, and some seats have still to commit what they pass. Tuples are by seat."""

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
    def committed(self) -> frozenset[Seat]:
        """Who has committed."""
        return _committed(self.commitments)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may move, in order."""
        return tuple([seat for seat, move in enumerate(self.commitments) if move is None])


@final
class DealingBack(InMatch, Drawable):
    """All seats have passed through the middle, and the pile is to be dealt back: chance is to act. Tuples are by
    seat."""

    __match_args__: ClassVar = ("rules", "score_sheet", "hands", "kitty", "commitments")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.DEAL_BACK]] = Phase.DEAL_BACK

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each finished deal."""
    hands: Final[tuple[Cards, ...]]
    """The hands as they were dealt; the cards in the middle are still in them."""
    kitty: Final[Cards]
    """The cards that were left over."""
    commitments: Final[tuple[Pass, ...]]
    """What each seat passes."""

    def __init__(
        self,
        rules: Rules,
        score_sheet: ScoreSheet,
        hands: tuple[Cards, ...],
        kitty: Cards,
        commitments: tuple[Pass, ...],
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
    def middle_cards(self) -> tuple[Cards, ...]:
        """The cards that each seat laid into the middle."""
        return laid_cards(self.rules, self.commitments)


@final
class Exposing(InExposure, WithSecrets, Drawable):
    """Some seats have still to show cards or none: after the pass, or before one that depends on it. Tuples are by
    seat."""

    __match_args__: ClassVar = ("start", "secrets", "hands", "commitments")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.EXPOSE]] = Phase.EXPOSE

    start: Final[DealStart]
    """What was settled so far. Nothing is shown in it yet but, in rounds, what lies open by now."""
    secrets: Final[Secrets]
    """What not every seat knows of the deal, besides the hands."""
    hands: Final[tuple[Cards, ...]]
    """The hands, after the exchange if there was one; shown cards stay in them."""
    commitments: Final[tuple[Expose | None, ...]]
    """All that each seat shows, or None: it has not moved yet, or, in rounds, not since another showed cards."""

    def __init__(
        self, start: DealStart, secrets: Secrets, hands: tuple[Cards, ...], commitments: tuple[Expose | None, ...]
    ) -> None:
        self._hash = 0
        self.start = start
        self.secrets = secrets
        self.hands = hands
        self.commitments = commitments

    @property
    def kitty(self) -> Cards:
        """The cards that were left over."""
        return self.secrets.kitty

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return not self.score_sheet.first and (self.before_pass or not self.passes_unknown)

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """By seat, the cards that lie open before it: what it has shown, but with TOGETHER none before all have
        moved."""
        resolved = self.rules._resolved
        if resolved.shows_in_rounds or not resolved.shows_openly:
            return self.start.exposed
        return shown_by(self.commitments)

    @property
    def committed(self) -> frozenset[Seat]:
        """Who has moved, in rounds since another showed cards."""
        return _committed(self.commitments)


@final
@mypyc_attr(free_list_len=1)
class Playing(InPlay, WithSecrets, Drawable):
    """The cards are played, trick by trick. Tuples are by seat.

    Args:
        public: the public part of the deal, up to its last completed trick.
        secrets: what not every seat knows of it, besides the hands.
        hands: the hands.
        turn: whose turn it is.
        trick: the plays of the current trick, in order; empty when a seat is to lead.
        hearts_broken: whether hearts are broken.
        gone: of one deck, the cards that have been played from `hands` since; a mask, for `after_play` alone. If hands
            were made at each play, a kept state would take 40 % more memory, and a play 18 % more instructions.
    """

    __match_args__: ClassVar = ("public", "secrets", "hands", "turn", "trick", "hearts_broken")
    __slots__ = ("_before", "_gone", "_legal", "hearts_broken", "public", "secrets", "trick", "turn")
    phase: ClassVar[Literal[Phase.PLAY]] = Phase.PLAY

    public: Final[PublicDeal]
    """The public part of the deal, up to its last completed trick."""
    secrets: Final[Secrets]
    """What not every seat knows of the deal, besides the hands."""
    _before: Final[tuple[Cards, ...]]
    """The hands before the cards of `_gone` were played."""
    _gone: Final[i64]
    turn: Final[Seat]
    """Whose turn it is."""
    trick: Final[tuple[Play, ...]]
    """The plays of the current trick, in order; empty when a seat is to lead."""
    hearts_broken: Final[bool]
    """Whether hearts are broken."""
    _legal: i64
    """The cached `legal_faces`; -1: not computed yet. Without it and the free list a play takes 8 % more
    instructions."""

    def __init__(
        self,
        public: PublicDeal,
        secrets: Secrets,
        hands: tuple[Cards, ...],
        turn: Seat,
        trick: tuple[Play, ...],
        hearts_broken: bool,
        gone: i64 = 0,
    ) -> None:
        self._hash = 0
        self.public = public
        self.secrets = secrets
        self._before = hands
        self._gone = gone
        self.turn = turn
        self.trick = trick
        self.hearts_broken = hearts_broken
        self._legal = -1

    @property
    def hands(self) -> tuple[Cards, ...]:
        """The hands: the cards that each seat still holds."""
        gone = self._gone
        return tuple([bag_of(hand.lo & ~gone, 0) for hand in self._before]) if gone else self._before

    @property
    def kitty(self) -> Cards:
        """The cards that were left over after dealing, whether they have been taken or not."""
        return self.secrets.kitty


def _committed(commitments: tuple[Pass | Expose | None, ...]) -> frozenset[Seat]:
    return frozenset([seat for seat, move in enumerate(commitments) if move is not None])


def hand_of(state: Playing, seat: Seat) -> Cards:
    """The hand of a seat; nothing is made of the others."""
    hand = state._before[seat]
    return bag_of(hand.lo & ~state._gone, 0) if state._gone else hand


def legal_faces(state: Playing) -> i64:
    """The faces that the seat whose turn it is may play, as a mask; cached in the state."""
    legal = state._legal
    if legal < 0:
        legal = playable_now(state, state._before[state.turn].lo & ~state._gone)
        if COMPILED:
            state._legal = legal
        else:
            set_cached(state, "_legal", legal)
    return legal


def after_play(
    state: Playing, play: Play, public: PublicDeal, turn: Seat, trick: tuple[Play, ...], hearts_broken: bool
) -> Playing:
    """Make the state after a play: the card leaves the hand of the seat whose turn it was, all else is as given."""
    hands = state._before
    gone = state._gone
    bit = play.bit
    if not public._resolved.deck_hi:
        # With one deck it is enough to know which cards are gone.
        return Playing(public, state.secrets, hands, turn, trick, hearts_broken, gone | bit)
    seat = state.turn
    hand = hands[seat]
    if hand.hi & bit:
        rest = bag_of(hand.lo, hand.hi ^ bit)
    else:
        rest = bag_of(hand.lo ^ bit, hand.hi)
    return Playing(public, state.secrets, with_item(hands, seat, rest), turn, trick, hearts_broken)


@final
class ChoosingMoon(InChoice, Drawable):
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
    def public(self) -> PublicDeal:
        """What everybody knows of the last deal."""
        return self.last_deal.public

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return self.last_deal.has_full_history


@final
class GameOver(InEnd, Drawable):
    """The game is over."""

    __match_args__: ClassVar = ("score_sheet", "last_deal", "winners")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.OVER]] = Phase.OVER

    score_sheet: Final[ScoreSheet]
    """The score sheet: a row for each deal."""
    last_deal: Final[PlayedDeal]
    """The last deal."""
    winners: Final[tuple[Seat, ...]]
    """The seats that have won, in order; with teams, all members."""

    def __init__(self, score_sheet: ScoreSheet, last_deal: PlayedDeal, winners: tuple[Seat, ...]) -> None:
        self._hash = 0
        self.score_sheet = score_sheet
        self.last_deal = last_deal
        self.winners = winners

    @property
    def public(self) -> PublicDeal:
        """What everybody knows of the last deal."""
        return self.last_deal.public

    @property
    def has_full_history(self) -> bool:
        """Whether its whole history is known: every deal from the first on, and this one from its first lead."""
        return self.last_deal.has_full_history


DealtState: TypeAlias = Passing | DealingBack | Exposing | Playing
"""A state in which seats hold cards."""
State: TypeAlias = AwaitingDeal | DealtState | ChoosingMoon | GameOver
"""Any state."""
