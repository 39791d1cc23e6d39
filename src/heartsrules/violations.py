"""Why a move is refused: small frozen values, one class for each reason, and the error that carries them.

A violation has a stable kebab-case `code` and, by `str`, an English sentence. It names suits, counts and the mover's
own card, never a hand: what could be played instead comes from `legal_moves`.

`PRECEDENCE` lists the classes in the order in which reasons are given when several hold at once. The first group
(game over to not the shooter) says that this seat may not make such a move now at all; a reason of the second group
is about the cards of the move.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeAlias, get_args

import attrs

from heartsrules._lazy import later
from heartsrules.cards import NO_CARDS, Card, Cards, Suit
from heartsrules.errors import HeartsError, Problem, joined
from heartsrules.moves import ChooseMoon, Deal, Expose, Pass, Play
from heartsrules.phases import Phase
from heartsrules.rules import MAX_DEALS, Compulsory, FirstTrick, HeartsLead, Moon, OpeningCard, Seat

__all__ = [
    "PRECEDENCE",
    "AlreadyExposed",
    "AlreadyPassed",
    "BadDeal",
    "CardIsCompulsory",
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
    "ShownCardHeldBack",
    "TooManyDeals",
    "UnpassableCards",
    "Violation",
    "WrongNumberOfCards",
    "WrongPhase",
]


class _Said:
    """A reason, which `str` says in English and `heartsrules.messages.text` in other languages too."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(later("messages", "text", self))


@attrs.frozen
class GameIsOver(_Said):
    """The game has ended, and no move of any kind is left."""

    code: ClassVar[str] = "game-over"


@attrs.frozen
class WrongPhase(_Said):
    """The game waits for another kind of move: the deal, the passes, the exposures, a play, or the shooter's choice."""

    code: ClassVar[str] = "wrong-phase"
    phase: Phase
    """What the game is waiting for."""
    move: Phase
    """What was tried."""


@attrs.frozen
class TooManyDeals(_Said):
    """The game has had as many deals as any game may have, and stays undecided.

    A rule set without `max_deals` could otherwise go on for ever, to totals that no reader can hold.
    """

    code: ClassVar[str] = "too-many-deals"
    most: int = MAX_DEALS
    """How many deals a game may have."""


@attrs.frozen
class NoSuchSeat(_Said):
    """The table has no such seat."""

    code: ClassVar[str] = "no-such-seat"
    seat: Seat
    """The seat of the move."""
    players: int
    """How many players the table has: its seats are 0 to `players` - 1."""


@attrs.frozen
class NotYourTurn(_Said):
    """It is another seat's turn to play or to show cards. If the mover does not hold the card either, `NotInHand`
    follows."""

    code: ClassVar[str] = "not-your-turn"
    seat: Seat
    """The seat that tried to move."""
    turn: Seat
    """The seat whose turn it is."""


@attrs.frozen
class AlreadyPassed(_Said):
    """The seat has committed its pass, and a commitment cannot be changed."""

    code: ClassVar[str] = "already-passed"
    seat: Seat
    """The seat that tried to pass again."""


@attrs.frozen
class AlreadyExposed(_Said):
    """The seat has shown its cards, or none, and cannot show others."""

    code: ClassVar[str] = "already-exposed"
    seat: Seat
    """The seat that tried to show cards again."""


@attrs.frozen
class NotTheShooter(_Said):
    """Only the player who shot the moon decides what it does."""

    code: ClassVar[str] = "not-the-shooter"
    seat: Seat
    """The seat that tried to decide."""
    shooter: Seat
    """The seat that shot the moon."""


@attrs.frozen
class NoSuchEffect(_Said):
    """What was chosen is a value of `moon`, but not one of the two effects that a moon can have."""

    code: ClassVar[str] = "no-such-effect"
    effect: Moon
    """What was chosen."""


@attrs.frozen
class BadDeal(_Said):
    """The deal does not deal this deck as the rules say.

    It tells sizes and counts and names no card, so that it may be shown to anybody at the table.
    """

    code: ClassVar[str] = "bad-deal"
    problems: tuple[Problem, ...]
    """Every problem: wrong sizes, missing, extra or foreign cards."""


@attrs.frozen
class MayNotDecline(_Said):
    """A pass without gifts, where `pass_optional` does not let a player decline."""

    code: ClassVar[str] = "may-not-decline"


@attrs.frozen
class WrongNumberOfCards(_Said):
    """A pass with too many or too few gifts, or a gift with too many or too few cards."""

    code: ClassVar[str] = "wrong-number-of-cards"
    gift: int | None
    """The gift, from 0, that holds the wrong count of cards; None: the count of gifts itself is wrong."""
    count: int
    """How many cards the gift has, or how many gifts the pass has."""
    expected: int
    """How many it must have in this deal."""
    gifts: int = 1
    """How many gifts a pass has in this deal."""


@attrs.frozen
class UnpassableCards(_Said):
    """The pass contains cards that `unpassable` forbids to pass."""

    code: ClassVar[str] = "card-may-not-be-passed"
    cards: Cards
    """The faces of the pass that may not be passed."""


@attrs.frozen
class NotExposable(_Said):
    """The move shows cards that `exposable` does not name, or a card more than once."""

    code: ClassVar[str] = "not-exposable"
    cards: Cards
    """The cards of the move that may not be shown so."""


@attrs.frozen
class NotInHand(_Said):
    """The mover does not hold these cards, or not as often as the move names them."""

    code: ClassVar[str] = "not-in-hand"
    cards: Cards
    """The cards of the move that are not there."""
    too_often: Cards = NO_CARDS
    """Those of them that the hand does hold, but less often than the move names them."""


@attrs.frozen
class MustFollowSuit(_Said):
    """A player who holds a card of the suit led must play one."""

    code: ClassVar[str] = "must-follow-suit"
    card: Card
    """The card that was tried."""
    suit: Suit
    """The suit led."""
    count: int
    """How many cards of the mover's hand are of that suit."""


@attrs.frozen
class OpeningCardRequired(_Said):
    """The first lead of a deal is restricted by `opening_card`."""

    code: ClassVar[str] = "opening-card"
    card: Card
    """The card that was tried."""
    required: OpeningCard
    """What must be led: the lowest club, any club, or a card that is not a penalty card (also where a club is asked
    for and the leader has none)."""


@attrs.frozen
class HeartsNotBroken(_Said):
    """Hearts, and with POINTS_WHEN_BROKEN the other penalty cards too, may not be led yet: see `hearts_lead`."""

    code: ClassVar[str] = "hearts-not-broken"
    card: Card
    """The card that was tried."""
    lead: HeartsLead = HeartsLead.WHEN_BROKEN
    """The value of the option."""


@attrs.frozen
class ShownCardHeldBack(_Said):
    """A shown card waits until its suit has been led in an earlier trick, while its holder has another of that suit."""

    code: ClassVar[str] = "shown-card-held-back"
    card: Card
    """The shown card that was tried."""


@attrs.frozen
class QueenBeforeHearts(_Said):
    """The Q♠ may not be discarded yet: see `queen_discard_after_hearts`."""

    code: ClassVar[str] = "queen-before-hearts"


@attrs.frozen
class PointsOnFirstTrick(_Said):
    """No penalty card, or with NO_HEARTS no heart, may be discarded on the first trick: see `first_trick`."""

    code: ClassVar[str] = "points-on-first-trick"
    card: Card
    """The card that was tried."""
    barred: FirstTrick = FirstTrick.NO_POINTS
    """The value of the option."""


@attrs.frozen
class CardIsCompulsory(_Said):
    """A card that the mover holds must be played now: see `compulsory` and `compulsory_cards`."""

    code: ClassVar[str] = "card-compulsory"
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
    | AlreadyExposed
    | NotTheShooter
    | NoSuchEffect
    | BadDeal
    | MayNotDecline
    | WrongNumberOfCards
    | NotInHand
    | UnpassableCards
    | NotExposable
    | MustFollowSuit
    | OpeningCardRequired
    | HeartsNotBroken
    | ShownCardHeldBack
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

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.violations, self.move)
