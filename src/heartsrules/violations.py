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

from heartsrules.cards import NO_CARDS, Card, Cards, Suit
from heartsrules.errors import HeartsError, Problem, counted, in_words, joined, listed
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

_SUIT_NAMES: Final = ("clubs", "diamonds", "spades", "hearts")
_AWAITED: Final = {
    Phase.DEAL: "the deal",
    Phase.PASS: "the passes",
    Phase.EXPOSE: "the exposures",
    Phase.PLAY: "a play",
    Phase.MOON: "the shooter's choice",
    Phase.OVER: "nothing",
}
_KINDS: Final = {
    Phase.DEAL: "a deal",
    Phase.PASS: "a pass",
    Phase.EXPOSE: "an exposure",
    Phase.PLAY: "a play",
    Phase.MOON: "a choice of the moon",
}


@attrs.frozen
class GameIsOver:
    """The game has ended, and no move of any kind is left."""

    code: ClassVar[str] = "game-over"

    def __str__(self) -> str:
        return "the game is over: no more moves can be made"


@attrs.frozen
class WrongPhase:
    """The game waits for another kind of move: the deal, the passes, the exposures, a play, or the shooter's choice."""

    code: ClassVar[str] = "wrong-phase"
    phase: Phase
    """What the game is waiting for."""
    move: Phase
    """What was tried."""

    def __str__(self) -> str:
        return f"the game is waiting for {_AWAITED[self.phase]}, not for {_KINDS[self.move]}"


@attrs.frozen
class TooManyDeals:
    """The game has had as many deals as any game may have, and stays undecided.

    A rule set without `max_deals` could otherwise go on for ever, to totals that no reader can hold.
    """

    code: ClassVar[str] = "too-many-deals"
    most: int = MAX_DEALS
    """How many deals a game may have."""

    def __str__(self) -> str:
        return f"no game has more than {in_words(self.most)} deals: this one cannot go on"


@attrs.frozen
class NoSuchSeat:
    """The table has no such seat."""

    code: ClassVar[str] = "no-such-seat"
    seat: Seat
    """The seat of the move."""
    players: int
    """How many players the table has: its seats are 0 to `players` - 1."""

    def __str__(self) -> str:
        last = in_words(self.players - 1)
        return f"there is no seat {in_words(self.seat)} at a table of {in_words(self.players)}: seats are 0 to {last}"


@attrs.frozen
class NotYourTurn:
    """Another seat is to play. If the mover does not hold the card either, `NotInHand` follows."""

    code: ClassVar[str] = "not-your-turn"
    seat: Seat
    """The seat that tried to play."""
    turn: Seat
    """The seat whose turn it is."""

    def __str__(self) -> str:
        return f"it is the turn of seat {in_words(self.turn)}, not of seat {in_words(self.seat)}"


@attrs.frozen
class AlreadyPassed:
    """The seat has committed its pass, and a commitment cannot be changed."""

    code: ClassVar[str] = "already-passed"
    seat: Seat
    """The seat that tried to pass again."""

    def __str__(self) -> str:
        return f"seat {in_words(self.seat)} has already passed, and a pass cannot be changed"


@attrs.frozen
class AlreadyExposed:
    """The seat has shown its cards, or none, and cannot show others."""

    code: ClassVar[str] = "already-exposed"
    seat: Seat
    """The seat that tried to show cards again."""

    def __str__(self) -> str:
        return f"seat {in_words(self.seat)} has already shown its cards or none, and cannot change that"


@attrs.frozen
class NotTheShooter:
    """Only the player who shot the moon decides what it does."""

    code: ClassVar[str] = "not-the-shooter"
    seat: Seat
    """The seat that tried to decide."""
    shooter: Seat
    """The seat that shot the moon."""

    def __str__(self) -> str:
        shooter, seat = in_words(self.shooter), in_words(self.seat)
        return f"seat {shooter} shot the moon and decides what it does, not seat {seat}"


@attrs.frozen
class NoSuchEffect:
    """What was chosen is a value of `moon`, but not one of the two effects that a moon can have."""

    code: ClassVar[str] = "no-such-effect"
    effect: Moon
    """What was chosen."""

    def __str__(self) -> str:
        return f"{self.effect} is not an effect of a moon: choose {Moon.OTHERS_UP} or {Moon.SHOOTER_DOWN}"


@attrs.frozen
class BadDeal:
    """The deal does not deal this deck as the rules say.

    It tells sizes and counts and names no card, so that it may be shown to anybody at the table.
    """

    code: ClassVar[str] = "bad-deal"
    problems: tuple[Problem, ...]
    """Every problem: wrong sizes, missing, extra or foreign cards."""

    def __str__(self) -> str:
        return joined([problem.message for problem in self.problems])


@attrs.frozen
class MayNotDecline:
    """A pass without gifts, where `pass_optional` does not let a player decline."""

    code: ClassVar[str] = "may-not-decline"

    def __str__(self) -> str:
        return "every player must pass: a pass may not be declined under these rules"


@attrs.frozen
class WrongNumberOfCards:
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

    def __str__(self) -> str:
        expected = in_words(self.expected)
        if self.gift is None:
            return f"you made {counted(self.count, 'gift')}; a pass of this deal has {expected}"
        if self.gifts == 1:
            return f"you passed {counted(self.count, 'card')}; this deal passes {expected}"
        return f"gift {in_words(self.gift + 1)} has {counted(self.count, 'card')}; in this deal it has {expected}"


@attrs.frozen
class UnpassableCards:
    """The pass contains cards that `unpassable` forbids to pass."""

    code: ClassVar[str] = "card-may-not-be-passed"
    cards: Cards
    """The faces of the pass that may not be passed."""

    def __str__(self) -> str:
        return f"{listed(self.cards)} may not be passed under these rules"


@attrs.frozen
class NotExposable:
    """The move shows cards that `exposable` does not name, or a card more than once."""

    code: ClassVar[str] = "not-exposable"
    cards: Cards
    """The cards of the move that may not be shown so."""

    def __str__(self) -> str:
        return f"{listed(self.cards)} may not be shown under these rules"


@attrs.frozen
class NotInHand:
    """The mover does not hold these cards, or not as often as the move names them."""

    code: ClassVar[str] = "not-in-hand"
    cards: Cards
    """The cards of the move that are not there."""
    too_often: Cards = NO_CARDS
    """Those of them that the hand does hold, but less often than the move names them."""

    def __str__(self) -> str:
        absent = self.cards - self.too_often
        said = [f"{listed(absent)} {'is' if len(absent) == 1 else 'are'} not in the hand"] if absent else []
        if self.too_often:
            said.append(f"the hand does not hold {listed(self.too_often)} as often as you chose it")
        return "; ".join(said)


@attrs.frozen
class MustFollowSuit:
    """A player who holds a card of the suit led must play one."""

    code: ClassVar[str] = "must-follow-suit"
    card: Card
    """The card that was tried."""
    suit: Suit
    """The suit led."""
    count: int
    """How many cards of the mover's hand are of that suit."""

    def __str__(self) -> str:
        count = in_words(self.count)
        return f"{self.card} does not follow suit: {_SUIT_NAMES[self.suit]} were led and the hand has {count} of them"


@attrs.frozen
class OpeningCardRequired:
    """The first lead of a deal is restricted by `opening_card`."""

    code: ClassVar[str] = "opening-card"
    card: Card
    """The card that was tried."""
    required: OpeningCard
    """What must be led: the lowest club, any club, or a card that is not a penalty card (also where a club is asked
    for and the leader has none)."""

    def __str__(self) -> str:
        return f"{self.card} may not open: the first lead of the deal must be {_REQUIRED[self.required]}"


_REQUIRED: Final = {
    OpeningCard.LOWEST_CLUB: "the lowest club of the hand",
    OpeningCard.ANY_CLUB: "a club",
    OpeningCard.NON_POINT: "a card that is not a penalty card",
}


@attrs.frozen
class HeartsNotBroken:
    """Hearts, and with POINTS_WHEN_BROKEN the other penalty cards too, may not be led yet: see `hearts_lead`."""

    code: ClassVar[str] = "hearts-not-broken"
    card: Card
    """The card that was tried."""
    lead: HeartsLead = HeartsLead.WHEN_BROKEN
    """The value of the option."""

    def __str__(self) -> str:
        points = " and it is a penalty card" if self.card.suit is not Suit.HEARTS else ""
        return f"{self.card} may not be led: hearts are not broken{points}"


@attrs.frozen
class ShownCardHeldBack:
    """A shown card waits until its suit has been led in an earlier trick, while its holder has another of that suit."""

    code: ClassVar[str] = "shown-card-held-back"
    card: Card
    """The shown card that was tried."""

    def __str__(self) -> str:
        suit = _SUIT_NAMES[self.card.suit]
        return f"{self.card} was shown: it may not be played to the first trick in which {suit} are led"


@attrs.frozen
class QueenBeforeHearts:
    """The Q♠ may not be discarded yet: see `queen_discard_after_hearts`."""

    code: ClassVar[str] = "queen-before-hearts"

    def __str__(self) -> str:
        return "QS may not be discarded before hearts are broken"


@attrs.frozen
class PointsOnFirstTrick:
    """No penalty card, or with NO_HEARTS no heart, may be discarded on the first trick: see `first_trick`."""

    code: ClassVar[str] = "points-on-first-trick"
    card: Card
    """The card that was tried."""
    barred: FirstTrick = FirstTrick.NO_POINTS
    """The value of the option."""

    def __str__(self) -> str:
        kind = "heart" if self.barred is FirstTrick.NO_HEARTS else "penalty card"
        return f"{self.card} is a {kind} and may not be discarded on the first trick"


@attrs.frozen
class CardIsCompulsory:
    """A card that the mover holds must be played now: see `compulsory` and `compulsory_cards`."""

    code: ClassVar[str] = "card-compulsory"
    card: Card
    """The card that was tried."""
    required: Cards
    """The cards of the mover of which one must be played."""
    when: Compulsory
    """The value of the option."""

    def __str__(self) -> str:
        one = "" if len(self.required) == 1 else "one of "
        must = f"{one}{listed(self.required)} must be played now"
        return f"{self.card} may not be played: {must} (compulsory is {self.when})"


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
        super().__init__(joined([str(violation) for violation in violations]))
        self.violations = violations
        self.move = None if isinstance(move, Deal) else move

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.violations, self.move)
