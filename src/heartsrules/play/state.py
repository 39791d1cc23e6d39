"""The states of a game, with one final class for each phase.

States never change; only `heartsrules.play.engine` creates new ones. Their constructors check nothing: use `set_up` to
build a checked position.

A `Playing` state shares its `Secrets` with the other states of the deal, and its `PublicDeal` with those of the trick.
Read their content through the state's attributes.
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
    """The position before the first known play of a deal whose beginning is unknown.

    Tuples have one item per seat.

    Attributes:
        leader: the leader to the first known trick.
        captured: the cards that each seat had won, including the kitty.
        tricks_won: the number of tricks each seat had won. Defaults to the number that fits the piles.
        set_aside: the cards of tricks without a winner, for the next winner.
        kitty_winner: the seat that won the kitty, or None.
        hearts_broken: True if hearts were broken. Defaults to what the captured cards show.
        suits_led: the suits led before. They only matter for exposed cards.
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
    """The private knowledge about a deal, besides the hands.

    Tuples have one item per seat.

    Attributes:
        kitty: the cards left over after dealing, whether won or not.
        passes: each seat's pass, or empty without a pass, before it, or if unknown.
        passed: the cards each seat passed to others.
        received: the cards each seat received.
        resumed_from: the beginning of the known history, or None if that is the first lead.
    """

    __match_args__: ClassVar = ("kitty", "passes", "passed", "received", "resumed_from")
    __slots__ = __match_args__

    kitty: Final[Cards]
    passes: Final[tuple[Pass, ...]]
    passed: Final[tuple[Cards, ...]]
    received: Final[tuple[Cards, ...]]
    resumed_from: Final[MidDealPosition | None]

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
    """The common part of the states of a deal, with its secrets."""

    __slots__ = ()

    @property
    def start(self) -> DealStart:
        """The public knowledge before the first lead."""
        raise NotImplementedError

    @property
    def secrets(self) -> Secrets:
        """The private knowledge about the deal, besides the hands."""
        raise NotImplementedError

    @property
    def passes(self) -> tuple[Pass, ...]:
        """Each seat's pass, or empty if the deal had none."""
        return self.secrets.passes

    @property
    def passed(self) -> tuple[Cards, ...]:
        """The cards each seat passed to others."""
        return self.secrets.passed

    @property
    def received(self) -> tuple[Cards, ...]:
        """The cards each seat received."""
        return self.secrets.received

    @property
    def resumed_from(self) -> MidDealPosition | None:
        """The beginning of the known history, or None if that is the first lead."""
        return self.secrets.resumed_from

    @property
    def passes_unknown(self) -> bool:
        """True if cards were passed in this deal but it is unknown which."""
        start = self.start
        resolved = start.rules._resolved
        if self.secrets.passes or not resolved.sizes_of(start.deal_number):
            return False
        return not (start.exposed_mask and resolved.shows_before_pass(start.deal_number))

    @property
    def has_full_history(self) -> bool:
        """True if all deals, and this one from its first lead, are known."""
        if self.secrets.resumed_from is not None or self.start.score_sheet.first:
            return False
        return not self.passes_unknown


@final
class PlayedDeal(KnownDeal, WithSecrets):
    """A finished deal.

    Attributes:
        public: the public part of the deal.
    """

    __match_args__: ClassVar = ("public", "secrets")
    __slots__ = __match_args__

    public: Final[PublicDeal]
    secrets: Final[Secrets]

    def __init__(self, public: PublicDeal, secrets: Secrets) -> None:
        self._hash = 0
        self.public = public
        self.secrets = secrets

    @property
    def kitty(self) -> Cards:
        """The cards left over after dealing, whether won or not."""
        return self.secrets.kitty


@final
class AwaitingDeal(InMatch, Drawable):
    """Waiting for the next deal (a chance node).

    Attributes:
        last_deal: the previous deal, or None before the first one.
    """

    __match_args__: ClassVar = ("rules", "score_sheet", "last_deal")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.DEAL]] = Phase.DEAL

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    last_deal: Final[PlayedDeal | None]

    def __init__(self, rules: Rules, score_sheet: ScoreSheet, last_deal: PlayedDeal | None) -> None:
        self._hash = 0
        self.rules = rules
        self.score_sheet = score_sheet
        self.last_deal = last_deal

    @property
    def has_full_history(self) -> bool:
        """True if every deal from the first on is known."""
        return not self.score_sheet.first and (
            self.last_deal.has_full_history if self.last_deal else not self.score_sheet
        )


@final
class Passing(InPass, Drawable):
    """The pass. Some seats have yet to pass.

    Attributes:
        hands: the dealt hands. Cards leave them only in the exchange.
        kitty: the cards left over.
        commitments: each seat's pass, or None before it has passed.
    """

    __match_args__: ClassVar = ("rules", "score_sheet", "hands", "kitty", "commitments")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.PASS]] = Phase.PASS

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    hands: Final[tuple[Cards, ...]]
    kitty: Final[Cards]
    commitments: Final[tuple[Pass | None, ...]]

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
        """True if every deal from the first on is known."""
        return not self.score_sheet.first

    @property
    def committed(self) -> frozenset[Seat]:
        return _committed(self.commitments)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return tuple([seat for seat, move in enumerate(self.commitments) if move is None])


@final
class DealingBack(InMatch, Drawable):
    """Waiting for the middle to be dealt back after a pass (a chance node).

    Attributes:
        hands: the dealt hands, still including the cards in the middle.
        kitty: the cards left over.
        commitments: each seat's pass.
    """

    __match_args__: ClassVar = ("rules", "score_sheet", "hands", "kitty", "commitments")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.DEAL_BACK]] = Phase.DEAL_BACK

    rules: Final[Rules]
    score_sheet: Final[ScoreSheet]
    hands: Final[tuple[Cards, ...]]
    kitty: Final[Cards]
    commitments: Final[tuple[Pass, ...]]

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
        """True if every deal from the first on is known."""
        return not self.score_sheet.first

    @property
    def middle_cards(self) -> tuple[Cards, ...]:
        """The cards that each seat put into the middle."""
        return laid_cards(self.rules, self.commitments)


@final
class Exposing(InExposure, WithSecrets, Drawable):
    """The exposure, after the pass or before one that depends on it.

    Some seats have yet to decide whether to expose cards.

    Attributes:
        start: the public knowledge so far. It contains exposed cards only in rounds.
        hands: the hands, after the exchange if there was one, including exposed cards.
        commitments: all cards that each seat exposes, or None before it has moved (in rounds, since another seat
            last exposed a card).
    """

    __match_args__: ClassVar = ("start", "secrets", "hands", "commitments")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.EXPOSE]] = Phase.EXPOSE

    start: Final[DealStart]
    secrets: Final[Secrets]
    hands: Final[tuple[Cards, ...]]
    commitments: Final[tuple[Expose | None, ...]]

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
        """The cards left over."""
        return self.secrets.kitty

    @property
    def has_full_history(self) -> bool:
        return not self.score_sheet.first and (self.before_pass or not self.passes_unknown)

    @property
    def face_up(self) -> tuple[Cards, ...]:
        """The cards that each seat has visibly exposed.

        With TOGETHER there are none before all have moved.
        """
        resolved = self.rules._resolved
        if resolved.shows_in_rounds or not resolved.shows_openly:
            return self.start.exposed
        return shown_by(self.commitments)

    @property
    def committed(self) -> frozenset[Seat]:
        return _committed(self.commitments)


@final
@mypyc_attr(free_list_len=1)
class Playing(InPlay, WithSecrets, Drawable):
    """The play, trick by trick.

    Args:
        gone: cards of one deck that `hands` still contains, as a mask. Only `after_play` uses it, to save memory and
            time.

    Attributes:
        public: the public part of the deal, up to its last completed trick.
        secrets: the private knowledge about the deal, besides the hands.
        turn: the seat to act.
        trick: the plays of the current trick, in order. It is empty before a lead.
        hearts_broken: True if hearts are broken.
    """

    __match_args__: ClassVar = ("public", "secrets", "hands", "turn", "trick", "hearts_broken")
    __slots__ = ("_before", "_gone", "_legal", "hearts_broken", "public", "secrets", "trick", "turn")
    phase: ClassVar[Literal[Phase.PLAY]] = Phase.PLAY

    public: Final[PublicDeal]
    secrets: Final[Secrets]
    _before: Final[tuple[Cards, ...]]
    """The hands before the cards of `_gone` were played."""
    _gone: Final[i64]
    turn: Final[Seat]
    trick: Final[tuple[Play, ...]]
    hearts_broken: Final[bool]
    _legal: i64
    """The cached `legal_faces`, or -1."""

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
        """Each seat's remaining hand."""
        gone = self._gone
        return tuple([bag_of(hand.lo & ~gone, 0) for hand in self._before]) if gone else self._before

    @property
    def kitty(self) -> Cards:
        """The cards left over after dealing, whether won or not."""
        return self.secrets.kitty


def _committed(commitments: tuple[Pass | Expose | None, ...]) -> frozenset[Seat]:
    return frozenset([seat for seat, move in enumerate(commitments) if move is not None])


def hand_of(state: Playing, seat: Seat) -> Cards:
    """Return one seat's hand."""
    hand = state._before[seat]
    return bag_of(hand.lo & ~state._gone, 0) if state._gone else hand


def legal_faces(state: Playing) -> i64:
    """Return the cards that the seat to act may play, as a cached mask."""
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
    """Return the state after a play, which takes the card from the player's hand."""
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
    """The shooter's choice of the moon's effect after a deal (`Moon.CHOICE`).

    Attributes:
        last_deal: the finished deal.
        others_up: the deal's row if the points are added to the others.
        shooter_down: the deal's row if the points are subtracted from the shooter.
    """

    __match_args__: ClassVar = ("last_deal", "shooter", "others_up", "shooter_down")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.MOON]] = Phase.MOON

    last_deal: Final[PlayedDeal]
    shooter: Final[Seat]
    others_up: Final[DealScore]
    shooter_down: Final[DealScore]

    def __init__(self, last_deal: PlayedDeal, shooter: Seat, others_up: DealScore, shooter_down: DealScore) -> None:
        self._hash = 0
        self.last_deal = last_deal
        self.shooter = shooter
        self.others_up = others_up
        self.shooter_down = shooter_down

    @property
    def public(self) -> PublicDeal:
        return self.last_deal.public

    @property
    def has_full_history(self) -> bool:
        """True if all deals, and this one from its first lead, are known."""
        return self.last_deal.has_full_history


@final
class GameOver(InEnd, Drawable):
    """The end of the game.

    Attributes:
        last_deal: the last deal.
        winners: the winners, ascending, with all members of a winning team.
    """

    __match_args__: ClassVar = ("score_sheet", "last_deal", "winners")
    __slots__ = __match_args__
    phase: ClassVar[Literal[Phase.OVER]] = Phase.OVER

    score_sheet: Final[ScoreSheet]
    last_deal: Final[PlayedDeal]
    winners: Final[tuple[Seat, ...]]

    def __init__(self, score_sheet: ScoreSheet, last_deal: PlayedDeal, winners: tuple[Seat, ...]) -> None:
        self._hash = 0
        self.score_sheet = score_sheet
        self.last_deal = last_deal
        self.winners = winners

    @property
    def public(self) -> PublicDeal:
        return self.last_deal.public

    @property
    def has_full_history(self) -> bool:
        """True if all deals, and the last one from its first lead, are known."""
        return self.last_deal.has_full_history


DealtState: TypeAlias = Passing | DealingBack | Exposing | Playing
"""A state in which seats have cards."""
State: TypeAlias = AwaitingDeal | DealtState | ChoosingMoon | GameOver
"""Any state."""
