"""Why a move is refused: small frozen values, one class for each reason, and the error that carries them.

A violation has a stable kebab-case `code` and, by `str`, an English sentence. It names suits, counts and the mover's
own card, never a hand: what could be played instead comes from `legal_moves`.

`PRECEDENCE` lists the classes in the order in which reasons are given when several hold at once. The first group
(game over to not the shooter) says that this seat may not make such a move now at all; a reason of the second group
is about the cards of the move.
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
    """The base of the violations. `str` puts one into English words, `heartsrules.messages.text` into any language.

    Each class has a `code` and, as a pattern of `heartsrules.messages`, an English `sentence`.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return str(rendered("text", self))


@attrs.frozen
class GameIsOver(_Reason):
    """The game has ended, and no move of any kind is left."""

    code: ClassVar[str] = "game-over"
    sentence: ClassVar[str] = "the game is over: no more moves can be made"


@attrs.frozen
class WrongPhase(_Reason):
    """The game waits for another kind of move: the deal, the passes, the deal of the pile in the middle, the
    exposures, a play, or the shooter's choice."""

    code: ClassVar[str] = "wrong-phase"
    sentence: ClassVar[str] = (
        "the game is waiting for {phase, select, deal {the deal} pass {the passes} deal_back {the pile to be dealt"
        " back} expose {the exposures} play {a play} moon {the shooter's choice} over {nothing} other {{phase}}}, not"
        " for {move, select, deal {a deal} pass {a pass} expose {an exposure} play {a play} moon {a choice of the moon}"
        " other {{move}}}"
    )
    phase: Phase
    """The phase of the game."""
    move: Phase
    """The phase that the move belongs to."""


@attrs.frozen
class TooManyDeals(_Reason):
    """The game has had as many deals as any game may have, and stays undecided.

    A rule set without `max_deals` could otherwise go on for ever, to totals that no reader can hold.
    """

    code: ClassVar[str] = "too-many-deals"
    sentence: ClassVar[str] = "no game has more than {most} deals: this one cannot go on"
    most: int = MAX_DEALS
    """How many deals a game may have."""


@attrs.frozen
class NoSuchSeat(_Reason):
    """The table has no such seat."""

    code: ClassVar[str] = "no-such-seat"
    sentence: ClassVar[str] = (
        "there is no seat {seat} at a table of {players}: seats are 0 to {players, plural, offset:1 other {#}}"
    )
    seat: Seat
    """The seat of the move."""
    players: int
    """How many players the table has: its seats are 0 to `players` - 1."""


@attrs.frozen
class NotYourTurn(_Reason):
    """It is another seat's turn to play or to show cards. If the mover does not hold the card either, `NotInHand`
    follows."""

    code: ClassVar[str] = "not-your-turn"
    sentence: ClassVar[str] = "it is the turn of seat {turn}, not of seat {seat}"
    seat: Seat
    """The seat that tried to move."""
    turn: Seat
    """The seat whose turn it is."""


@attrs.frozen
class AlreadyPassed(_Reason):
    """The seat has committed its pass, and a commitment cannot be changed."""

    code: ClassVar[str] = "already-passed"
    sentence: ClassVar[str] = "seat {seat} has already passed, and a pass cannot be changed"
    seat: Seat
    """The seat that tried to pass again."""


@attrs.frozen
class AlreadyDecided(_Reason):
    """The seat has shown its cards, or none, and cannot show others; in rounds, before another seat shows cards."""

    code: ClassVar[str] = "already-decided"
    sentence: ClassVar[str] = "seat {seat} has already shown its cards or none, and cannot change that"
    seat: Seat
    """The seat that tried to show cards again."""


@attrs.frozen
class NotTheShooter(_Reason):
    """Only the player who shot the moon decides what it does."""

    code: ClassVar[str] = "not-the-shooter"
    sentence: ClassVar[str] = "seat {shooter} shot the moon and decides what it does, not seat {seat}"
    seat: Seat
    """The seat that tried to decide."""
    shooter: Seat
    """The seat that shot the moon."""


@attrs.frozen
class NoSuchEffect(_Reason):
    """What was chosen is a value of `moon`, but not one of the two effects that a shooter chooses from."""

    code: ClassVar[str] = "no-such-effect"
    sentence: ClassVar[str] = "{effect} is not an effect to choose from: choose others-up or shooter-down"
    effect: Moon
    """What was chosen."""


@attrs.frozen
class BadDeal(_Reason):
    """The deal does not deal this deck as the rules say.

    It has sizes and counts and names no card, so that everybody at the table may see it.
    """

    code: ClassVar[str] = "bad-deal"
    sentence: ClassVar[str] = "{problems}"
    problems: tuple[Problem, ...]
    """Every problem: wrong sizes, missing, extra or foreign cards."""


@attrs.frozen
class MayNotDecline(_Reason):
    """A pass without gifts, where `pass_optional` does not let a player decline."""

    code: ClassVar[str] = "may-not-decline"
    sentence: ClassVar[str] = "every player must pass: a pass may not be declined under these rules"


@attrs.frozen
class WrongNumberOfCards(_Reason):
    """A pass with too many or too few gifts, or a gift with too many or too few cards."""

    code: ClassVar[str] = "wrong-number-of-cards"
    sentence: ClassVar[str] = (
        "{gift, select, null {you passed to {count, plural, one {# player} other {# players}}; in this deal you pass "
        "to {expected}} other {{gifts, plural, =1 {you passed {count, plural, one {# card} other {# cards}}; this "
        "deal passes {expected, plural, =0 {any number: to put in none, pass nothing} other {{expected}}}} other "
        "{recipient {gift, plural, offset:-1 other {#}} gets {count, plural, one {# card} other {# cards}}; in this "
        "deal you pass {expected} there}}}}"
    )
    gift: int | None
    """The gift, from 0, that holds the wrong count of cards; None: the count of gifts itself is wrong."""
    count: int
    """How many cards the gift has, or how many gifts the pass has."""
    expected: int
    """How many it must have in this deal; 0: any number but none."""
    gifts: int = 1
    """How many gifts a pass has in this deal."""


@attrs.frozen
class UnpassableCards(_Reason):
    """The pass contains cards that `unpassable` forbids to pass."""

    code: ClassVar[str] = "card-may-not-be-passed"
    sentence: ClassVar[str] = "{cards} may not be passed under these rules"
    cards: Cards
    """The faces of the pass that may not be passed."""


@attrs.frozen
class NotExposable(_Reason):
    """The move shows cards that `exposable` does not name, or a card more than once."""

    code: ClassVar[str] = "not-exposable"
    sentence: ClassVar[str] = "{cards} may not be shown under these rules"
    cards: Cards
    """The cards of the move that may not be shown so."""


@attrs.frozen
class AlreadyExposed(_Reason):
    """The move shows cards that its seat has shown in an earlier round: see `exposure`."""

    code: ClassVar[str] = "already-exposed"
    sentence: ClassVar[str] = "{cards} already {cards_count, plural, one {lies} other {lie}} open: show others, or none"
    cards: Cards
    """The cards of the move that lie open."""


@attrs.frozen
class NotInHand(_Reason):
    """The mover does not hold these cards, or not as often as the move names them."""

    code: ClassVar[str] = "not-in-hand"
    sentence: ClassVar[str] = (
        "{too_often_count, plural, =0 {{cards} {cards_count, plural, one {is} other {are}} not in the hand} other"
        " {the hand does not hold {cards} as often as you chose {cards_count, plural, one {it} other {them}}}}"
    )
    cards: Cards
    """The cards of the move that are not there."""
    too_often: Cards = NO_CARDS
    """The cards of the move that the hand holds, but less often than the move names them."""


@attrs.frozen
class MustFollowSuit(_Reason):
    """A player who holds a card of the suit led must play one."""

    code: ClassVar[str] = "must-follow-suit"
    sentence: ClassVar[str] = "{card} does not follow suit: {suit} were led and the hand has {count} of them"
    card: Card
    """The card that was tried."""
    suit: Suit
    """The suit led."""
    count: int
    """How many cards of the mover's hand are of that suit."""


@attrs.frozen
class OpeningCardRequired(_Reason):
    """The first lead of a deal is restricted by `opening_card`."""

    code: ClassVar[str] = "opening-card"
    sentence: ClassVar[str] = (
        "{card} may not open: the first lead of the deal must be {required, select, lowest_club {the lowest club "
        "of the hand} any_club {a club} non_point {a card that is not a penalty card} other {{required}}}"
    )
    card: Card
    """The card that was tried."""
    required: OpeningCard
    """What must be led: the lowest club, any club, or a card that is not a penalty card (also where a club is asked
    for and the leader has none)."""


@attrs.frozen
class HeartsNotBroken(_Reason):
    """Hearts, and with POINTS_WHEN_BROKEN the other penalty cards too, may not be led yet: see `hearts_lead`."""

    code: ClassVar[str] = "hearts-not-broken"
    sentence: ClassVar[str] = (
        "{card} may not be led: hearts are not broken{lead, select, points_when_broken {{card_suit, select, H {} "
        "C { and it is a penalty card} D { and it is a penalty card} S { and it is a penalty card} other {}}} other {}}"
    )
    card: Card
    """The card that was tried."""
    lead: HeartsLead = HeartsLead.WHEN_BROKEN
    """The value of the option."""


@attrs.frozen
class ExposedCardRestricted(_Reason):
    """A shown card waits until its suit has been led in an earlier trick, while its holder has another card: see
    `exposed_card_play`."""

    code: ClassVar[str] = "exposed-card-restricted"
    sentence: ClassVar[str] = (
        "{card} was shown: it may not be played to the first trick in which {card_suit_name} are led"
    )
    card: Card
    """The shown card that was tried."""


@attrs.frozen
class QueenBeforeHearts(_Reason):
    """The Q♠ may not be discarded yet: see `queen_discard_after_hearts`."""

    code: ClassVar[str] = "queen-before-hearts"
    sentence: ClassVar[str] = "QS may not be discarded before hearts are broken"


@attrs.frozen
class PointsOnFirstTrick(_Reason):
    """No penalty card may be discarded on the first trick, with NO_HEARTS no heart, and with NO_SCORING no bonus card
    either: see `first_trick`."""

    code: ClassVar[str] = "points-on-first-trick"
    sentence: ClassVar[str] = (
        "{card} is a {barred, select, no_hearts {heart} no_scoring {scoring card} no_points {penalty card} "
        "other {{barred}}} and may not be discarded on the first trick"
    )
    card: Card
    """The card that was tried."""
    barred: FirstTrick = FirstTrick.NO_POINTS
    """The value of the option."""


@attrs.frozen
class CardIsCompulsory(_Reason):
    """A card that the mover holds must be played now: see `compulsory` and `compulsory_cards`."""

    code: ClassVar[str] = "card-compulsory"
    sentence: ClassVar[str] = (
        "{card} may not be played: {required_count, plural, =1 {} other {one of }}{required} must be played "
        "{when, select, discard {whenever the suit led cannot be followed} safe {whenever the suit led cannot be "
        "followed, or a higher card of that suit lies in the trick} not_lead {whenever the rules allow it, but not "
        "as a lead} always {whenever the rules allow it} other {now}}"
    )
    card: Card
    """The card that was tried."""
    required: Cards
    """The cards of the mover of which one must be played."""
    when: Compulsory
    """The value of the option."""


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
"""Any reason; the union is closed. Its order is the order in which reasons are given."""

PRECEDENCE: Final[tuple[type[Violation], ...]] = get_args(Violation)
"""The classes in the order in which reasons are given."""


class IllegalMove(HeartsError, ValueError):
    """A move that the rules refuse; the state it was tried on is untouched, and is not attached.

    Attributes:
        violations: the reasons, in order of precedence; never empty.
        move: the move, or None for a `Deal`, whose cards are nobody's to know.
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
