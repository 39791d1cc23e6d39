"""The reasons against a move, with one class for each, and the error with them.

A violation has a stable kebab-case `code`; `str` gives an English message. It names suits, numbers and the player's own
card, but never a hand. Use `legal_moves` to find the alternatives.

`PRECEDENCE` lists the classes in the order in which simultaneous reasons are returned. The first group, up to
`NotTheShooter`, rules out any such move by this seat now; the second group is about the cards of the move.
"""

from __future__ import annotations

from typing import ClassVar, Final, TypeAlias, get_args

import attrs

from heartsrules.base.errors import HeartsError, Problem, joined
from heartsrules.base.rendering import rendered
from heartsrules.cards import NO_CARDS, Card, Cards, Suit
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.rules import MAX_DEALS, Compulsory, FirstTrick, HeartsLead, Moon, OpeningCard, Seat

__all__ = [
    "PRECEDENCE",
    "AlreadyDecided",
    "AlreadyExposed",
    "AlreadyPassed",
    "BadDeal",
    "CardIsCompulsory",
    "ExposedCardRestricted",
    "GameIsOver",
    "HeartsNotBroken",
    "IllegalMove",
    "MayNotDecline",
    "MustFollowSuit",
    "NoSuchEffect",
    "NoSuchSeat",
    "NotExposable",
    "NotInHand",
    "NotTheShooter",
    "NotYourTurn",
    "OpeningCardRequired",
    "PointsOnFirstTrick",
    "QueenBeforeHearts",
    "TooManyDeals",
    "UnpassableCards",
    "Violation",
    "WrongNumberOfCards",
    "WrongPhase",
]
__dir__ = __all__.copy


class _Reason:
    """The base class of violations.

    `heartsrules.messages.text` gives the message in any language. Each class has a `code` and an English `sentence`,
    which is a pattern of `heartsrules.messages`.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return str(rendered("text", self))


@attrs.frozen
class GameIsOver(_Reason):
    """The game is over, so no move is possible."""

    code: ClassVar[str] = "game-over"
    sentence: ClassVar[str] = "the game is over: no more moves can be made"


@attrs.frozen
class WrongPhase(_Reason):
    """The game is waiting for another kind of move.

    Attributes:
        phase: the game's phase.
        move: the move's phase.
    """

    code: ClassVar[str] = "wrong-phase"
    sentence: ClassVar[str] = (
        "the game is waiting for {phase, select, deal {the deal} pass {the passes} deal_back {the middle to be dealt"
        " back} expose {the exposures} play {a play} moon {the shooter's choice} over {nothing} other {{phase}}}, not"
        " for {move, select, deal {a deal} pass {a pass} expose {an exposure} play {a play} moon {a choice of the moon}"
        " other {{move}}}"
    )
    phase: Phase
    move: Phase


@attrs.frozen
class TooManyDeals(_Reason):
    """The game has reached the maximum number of deals without a result.

    Without `max_deals`, a game could otherwise continue forever.

    Attributes:
        most: the maximum number of deals.
    """

    code: ClassVar[str] = "too-many-deals"
    sentence: ClassVar[str] = "the game has had {most, number} deals, the most that any game can have"
    most: int = MAX_DEALS


@attrs.frozen
class NoSuchSeat(_Reason):
    """The table has no such seat.

    Attributes:
        seat: the move's seat.
        players: the number of players. The seats are 0 to `players` - 1.
    """

    code: ClassVar[str] = "no-such-seat"
    sentence: ClassVar[str] = (
        "there is no seat {seat} at a table of {players}: seats are 0 to {players, plural, offset:1 other {#}}"
    )
    seat: Seat
    players: int


@attrs.frozen
class NotYourTurn(_Reason):
    """It is another seat's turn to play or to expose cards.

    If the player does not have the card either, `NotInHand` follows.

    Attributes:
        seat: the move's seat.
        turn: the seat to act.
    """

    code: ClassVar[str] = "not-your-turn"
    sentence: ClassVar[str] = "it is seat {turn}'s turn, not seat {seat}'s"
    seat: Seat
    turn: Seat


@attrs.frozen
class AlreadyPassed(_Reason):
    """The seat has passed already and cannot change its pass.

    Attributes:
        seat: the move's seat.
    """

    code: ClassVar[str] = "already-passed"
    sentence: ClassVar[str] = "seat {seat} has already passed, and a pass cannot be changed"
    seat: Seat


@attrs.frozen
class AlreadyDecided(_Reason):
    """The seat has already decided what to expose.

    In rounds, it may expose more only after another seat exposes a card.

    Attributes:
        seat: the move's seat.
    """

    code: ClassVar[str] = "already-decided"
    sentence: ClassVar[str] = "seat {seat} has already decided what to expose, and cannot change that"
    seat: Seat


@attrs.frozen
class NotTheShooter(_Reason):
    """Only the player who shot the moon chooses its effect.

    Attributes:
        seat: the move's seat.
        shooter: the seat that shot the moon.
    """

    code: ClassVar[str] = "not-the-shooter"
    sentence: ClassVar[str] = "seat {shooter} shot the moon and chooses its effect, not seat {seat}"
    seat: Seat
    shooter: Seat


@attrs.frozen
class NoSuchEffect(_Reason):
    """A value of `moon` that is not one of the two effects a shooter can choose.

    Attributes:
        effect: the value.
    """

    code: ClassVar[str] = "no-such-effect"
    sentence: ClassVar[str] = "choose ''others-up'' or ''shooter-down'', not ''{effect}''"
    effect: Moon


@attrs.frozen
class BadDeal(_Reason):
    """The deal does not match the deck and the sizes of the rules.

    It names no card, so that all players may see it.

    Attributes:
        problems: every problem, such as wrong sizes and missing, extra or foreign cards.
    """

    code: ClassVar[str] = "bad-deal"
    sentence: ClassVar[str] = "{problems}"
    problems: tuple[Problem, ...]


@attrs.frozen
class MayNotDecline(_Reason):
    """The seat declined to pass, but `pass_optional` does not allow it."""

    code: ClassVar[str] = "may-not-decline"
    sentence: ClassVar[str] = "every player must pass: these rules do not let a player decline"


@attrs.frozen
class WrongNumberOfCards(_Reason):
    """A pass for the wrong number of recipients, or of the wrong number of cards.

    Attributes:
        gift: the recipient's index, from 0, or None if the number of recipients is wrong.
        count: the number of cards for this recipient, or the number of recipients.
        expected: the number required in this deal, or 0 for any number except none.
        gifts: the number of recipients of a pass in this deal.
    """

    code: ClassVar[str] = "wrong-number-of-cards"
    sentence: ClassVar[str] = (
        "{gift, select, null {the pass is for {count, plural, one {# player} other {# players}}, but this deal passes "
        "to {expected}} other {{gifts, plural, =1 {{expected, plural, =0 {to pass no cards, submit an empty pass} "
        "other {the pass has {count, plural, one {# card} other {# cards}}, but this deal passes {expected}}}} other "
        "{the pass has {count, plural, one {# card} other {# cards}} for recipient {gift, plural, offset:-1 other {#}},"
        " but this deal passes {expected}}}}}"
    )
    gift: int | None
    count: int
    expected: int
    gifts: int = 1


@attrs.frozen
class UnpassableCards(_Reason):
    """The pass contains cards that `unpassable` does not allow.

    Attributes:
        cards: these cards, each once.
    """

    code: ClassVar[str] = "card-may-not-be-passed"
    sentence: ClassVar[str] = "{cards} may not be passed under these rules"
    cards: Cards


@attrs.frozen
class NotExposable(_Reason):
    """The move exposes cards that are not `exposable`, or a card more than once.

    Attributes:
        cards: these cards.
    """

    code: ClassVar[str] = "not-exposable"
    sentence: ClassVar[str] = "{cards} may not be exposed under these rules"
    cards: Cards


@attrs.frozen
class AlreadyExposed(_Reason):
    """The seat exposed these cards in an earlier round (see `exposure`).

    Attributes:
        cards: the cards.
    """

    code: ClassVar[str] = "already-exposed"
    sentence: ClassVar[str] = (
        "{cards} {cards_count, plural, one {is} other {are}} already exposed: choose other cards, or none"
    )
    cards: Cards


@attrs.frozen
class NotInHand(_Reason):
    """The player does not have these cards, or not enough copies of them.

    Attributes:
        cards: the move's cards that are not in the hand.
        too_often: the move's cards of which the hand has too few copies.
    """

    code: ClassVar[str] = "not-in-hand"
    sentence: ClassVar[str] = (
        "{too_often_count, plural, =0 {{cards} {cards_count, plural, one {is} other {are}} not in the hand} other"
        " {the hand has fewer copies of {cards} than you chose}}"
    )
    cards: Cards
    too_often: Cards = NO_CARDS


@attrs.frozen
class MustFollowSuit(_Reason):
    """A player who has a card of the suit led must play one.

    Attributes:
        card: the move's card.
        suit: the suit led.
        count: the number of cards of that suit in the player's hand.
    """

    code: ClassVar[str] = "must-follow-suit"
    sentence: ClassVar[str] = "{card} does not follow suit: {suit} were led and the hand has {count} of them"
    card: Card
    suit: Suit
    count: int


@attrs.frozen
class OpeningCardRequired(_Reason):
    """`opening_card` does not allow this first lead of a deal.

    Attributes:
        card: the move's card.
        required: the required card: the lowest club, any club, or a card that is not a penalty card (also if a club is
            required and the leader has none).
    """

    code: ClassVar[str] = "opening-card"
    sentence: ClassVar[str] = (
        "{required, select, lowest_club {the first lead of the deal must be the lowest club, not {card}} any_club "
        "{the first lead of the deal must be a club, not {card}} non_point {{card} is a penalty card and may not be "
        "led to the first trick} other {{required}}}"
    )
    card: Card
    required: OpeningCard


@attrs.frozen
class HeartsNotBroken(_Reason):
    """Hearts are not broken, so this card may not be led (see `hearts_lead`).

    With POINTS_WHEN_BROKEN this also applies to other penalty cards.

    Attributes:
        card: the move's card.
        lead: the value of the option.
    """

    code: ClassVar[str] = "hearts-not-broken"
    sentence: ClassVar[str] = (
        "{card} may not be led: hearts are not broken{lead, select, points_when_broken {{card_suit, select, H {} "
        "C { and it is a penalty card} D { and it is a penalty card} S { and it is a penalty card} other {}}} other {}}"
    )
    card: Card
    lead: HeartsLead = HeartsLead.WHEN_BROKEN


@attrs.frozen
class ExposedCardRestricted(_Reason):
    """An exposed card may not be played before its suit has been led.

    Its suit must have been led in an earlier trick if its holder has another card (see `exposed_card_play`).

    Attributes:
        card: the exposed card.
    """

    code: ClassVar[str] = "exposed-card-restricted"
    sentence: ClassVar[str] = (
        "{card} is exposed and may not be played to the first trick in which {card_suit_name} are led"
    )
    card: Card


@attrs.frozen
class QueenBeforeHearts(_Reason):
    """The ♠Q may not be discarded yet (see `queen_discard_after_hearts`)."""

    code: ClassVar[str] = "queen-before-hearts"
    sentence: ClassVar[str] = "♠Q may not be discarded before hearts are broken"


@attrs.frozen
class PointsOnFirstTrick(_Reason):
    """The card may not be discarded on the first trick (see `first_trick`).

    This applies to penalty cards, with NO_HEARTS only to hearts, and with NO_SCORING also to bonus cards.

    Attributes:
        card: the move's card.
        barred: the value of the option.
    """

    code: ClassVar[str] = "points-on-first-trick"
    sentence: ClassVar[str] = (
        "{card} is a {barred, select, no_hearts {heart} no_scoring {scoring card} no_points {penalty card} "
        "other {{barred}}} and may not be discarded on the first trick"
    )
    card: Card
    barred: FirstTrick = FirstTrick.NO_POINTS


@attrs.frozen
class CardIsCompulsory(_Reason):
    """The player must play another card now (see `compulsory` and `compulsory_cards`).

    Attributes:
        card: the move's card.
        required: the player's cards of which one must be played.
        when: the value of the option.
    """

    code: ClassVar[str] = "card-compulsory"
    sentence: ClassVar[str] = (
        "{card} may not be played: you must play {required_count, plural, =1 {} other {one of }}{required} "
        "{when, select, discard {when you cannot follow suit} safe {when you cannot follow suit, or when a higher card "
        "of that suit is in the trick} not_lead {whenever the rules allow it, except as a lead} always {whenever the "
        "rules allow it} other {now}}"
    )
    card: Card
    required: Cards
    when: Compulsory


Violation: TypeAlias = (
    GameIsOver
    | WrongPhase
    | TooManyDeals
    | NoSuchSeat
    | NotYourTurn
    | AlreadyPassed
    | AlreadyDecided
    | NotTheShooter
    | NoSuchEffect
    | BadDeal
    | MayNotDecline
    | WrongNumberOfCards
    | NotInHand
    | UnpassableCards
    | NotExposable
    | AlreadyExposed
    | MustFollowSuit
    | OpeningCardRequired
    | HeartsNotBroken
    | ExposedCardRestricted
    | QueenBeforeHearts
    | PointsOnFirstTrick
    | CardIsCompulsory
)
"""Any reason. The union is closed, and its order is the order of precedence."""

PRECEDENCE: Final[tuple[type[Violation], ...]] = get_args(Violation)
"""The classes in order of precedence."""


class IllegalMove(HeartsError, ValueError):
    """A move that the rules refuse. The state is unchanged.

    Attributes:
        violations: the reasons, in order of precedence, never empty.
        move: the move, or None for a `Deal`, whose cards are secret.
    """

    code: ClassVar[str] = "illegal-move"

    def __init__(
        self, violations: tuple[Violation, ...], move: Pass | Expose | Play | ChooseMoon | Deal | None
    ) -> None:
        self.violations = violations
        self.move = None if isinstance(move, Deal) else move
        super().__init__(violations, self.move)

    def __str__(self) -> str:
        return joined([str(violation) for violation in self.violations])
