"""The events of a move, with one final class for each kind.

`transition` returns the full events of a move; `redact` reduces them to what one seat or a spectator may know. An event
with private information then becomes another class, its hidden twin, so that a type checker makes a front end handle
both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeAlias, assert_never

import attrs

from heartsrules.base.errors import InvalidSeat
from heartsrules.base.values import int_text, plain_int, wrong_item, wrong_type
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.play.moves import Expose, Pass
from heartsrules.play.sheet import DealScore
from heartsrules.rules import KittyShownTo, Moon, Seat

__all__ = [
    "CardPlayed",
    "CardsDealt",
    "CardsDealtHidden",
    "CardsExposed",
    "CardsPassed",
    "CardsPassedHidden",
    "DealScored",
    "Event",
    "ExposureCommitted",
    "ExposureCommittedHidden",
    "GameEnded",
    "HeartsBroken",
    "KittyTaken",
    "KittyTakenHidden",
    "MoonChosen",
    "MoonShot",
    "PassCommitted",
    "PassCommittedHidden",
    "PlayBegan",
    "TrickVoid",
    "TrickWon",
    "redact",
]
__dir__ = __all__.copy


@attrs.frozen
class CardsDealt:
    """The cards were dealt. No player may see the whole event."""

    code: ClassVar[str] = "cards-dealt"
    hands: tuple[Cards, ...]
    kitty: Cards


@attrs.frozen
class CardsDealtHidden:
    """The cards were dealt, as one seat sees it.

    Attributes:
        seat: the seat that sees it, or None for a spectator.
        hand: the seat's hand, empty for a spectator.
    """

    code: ClassVar[str] = "cards-dealt-hidden"
    seat: Seat | None
    hand: Cards


@attrs.frozen
class PassCommitted:
    """A seat's pass.

    Only that seat may know the cards, and whether there are any.
    """

    code: ClassVar[str] = "pass-committed"
    move: Pass


@attrs.frozen
class PassCommittedHidden:
    """Another seat's pass."""

    code: ClassVar[str] = "pass-committed-hidden"
    seat: Seat


@attrs.frozen
class CardsPassed:
    """The cards changed hands or were dealt back from the middle, after all passes.

    No player may see the whole event. Tuples have one item per seat.

    Attributes:
        passed: the cards that left each hand.
        received: the cards that joined each hand.
        counts: the number of cards each seat passed.
    """

    code: ClassVar[str] = "cards-passed"
    passed: tuple[Cards, ...]
    received: tuple[Cards, ...]
    counts: tuple[int, ...]


@attrs.frozen
class CardsPassedHidden:
    """The cards changed hands, as one seat sees it.

    Attributes:
        seat: the seat that sees it, or None for a spectator.
        passed: the cards that the seat passed.
        received: the cards that the seat received.
        counts: the number of cards each seat passed.
    """

    code: ClassVar[str] = "cards-passed-hidden"
    seat: Seat | None
    passed: Cards
    received: Cards
    counts: tuple[int, ...]


@attrs.frozen
class ExposureCommitted:
    """A seat's decision what to expose, if all expose at once.

    Only that seat may know the cards before all have decided.
    """

    code: ClassVar[str] = "exposure-committed"
    move: Expose


@attrs.frozen
class ExposureCommittedHidden:
    """Another seat's decision what to expose."""

    code: ClassVar[str] = "exposure-committed-hidden"
    seat: Seat


@attrs.frozen
class CardsExposed:
    """A seat exposed cards.

    If all expose at once, there is one event for each seat that exposes any, once all have decided. If they expose in
    turn, there is one for each seat as it moves, even without cards.
    """

    code: ClassVar[str] = "cards-exposed"
    seat: Seat
    cards: Cards


@attrs.frozen
class PlayBegan:
    """A deal's first trick is about to be led."""

    code: ClassVar[str] = "play-began"
    leader: Seat


@attrs.frozen
class CardPlayed:
    """A card was led, followed or discarded."""

    code: ClassVar[str] = "card-played"
    seat: Seat
    card: Card


@attrs.frozen
class HeartsBroken:
    """The card played broke hearts."""

    code: ClassVar[str] = "hearts-broken"
    seat: Seat
    card: Card


@attrs.frozen
class TrickWon:
    """A trick was won, with all cards set aside before.

    Attributes:
        winner: the seat that won it.
        cards: the cards that the winner takes, including those set aside, but not the kitty.
    """

    code: ClassVar[str] = "trick-won"
    winner: Seat
    cards: Cards


@attrs.frozen
class TrickVoid:
    """A trick was completed without a winner and set aside.

    Attributes:
        cards: all cards set aside now.
    """

    code: ClassVar[str] = "trick-void"
    cards: Cards


@attrs.frozen
class KittyTaken:
    """The winner of the trick took the kitty, whose cards are visible.

    Attributes:
        seat: the winner of the trick.
        cards: the kitty.
        shown_to: the players who may see the cards.
    """

    code: ClassVar[str] = "kitty-taken"
    seat: Seat
    cards: Cards
    shown_to: KittyShownTo


@attrs.frozen
class KittyTakenHidden:
    """The winner of the trick took the kitty, whose cards are hidden."""

    code: ClassVar[str] = "kitty-taken-hidden"
    seat: Seat


@attrs.frozen
class MoonShot:
    """The deal is over, and the shooter of the moon must choose its effect.

    Attributes:
        shooter: the shooter's seat.
        others_up: the deal's row if the points are added to the others.
        shooter_down: the deal's row if the points are subtracted from the shooter.
    """

    code: ClassVar[str] = "moon-shot"
    shooter: Seat
    others_up: DealScore
    shooter_down: DealScore


@attrs.frozen
class MoonChosen:
    """The shooter chose the moon's effect."""

    code: ClassVar[str] = "moon-chosen"
    seat: Seat
    effect: Moon


@attrs.frozen
class DealScored:
    """The deal was scored and its row added to the score sheet."""

    code: ClassVar[str] = "deal-scored"
    score: DealScore


@attrs.frozen
class GameEnded:
    """The game is over."""

    code: ClassVar[str] = "game-ended"
    winners: tuple[Seat, ...]


Event: TypeAlias = (
    CardsDealt
    | CardsDealtHidden
    | PassCommitted
    | PassCommittedHidden
    | CardsPassed
    | CardsPassedHidden
    | ExposureCommitted
    | ExposureCommittedHidden
    | CardsExposed
    | PlayBegan
    | CardPlayed
    | HeartsBroken
    | TrickWon
    | TrickVoid
    | KittyTaken
    | KittyTakenHidden
    | MoonShot
    | MoonChosen
    | DealScored
    | GameEnded
)
"""Any event. The union is closed."""


def redact(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Redact events for one seat, or with None for a spectator.

    Redacting again for the same seat changes nothing. Redacting one seat's events for another leaves only the facts
    that both can see.

    >>> redact([PassCommitted(Pass(1, Cards("QS KS AS")))], 0)
    (PassCommittedHidden(seat=1),)

    Raises:
        InvalidSeat: the table of the events has no such seat.
        ValueError: `seat` is negative.
    """
    if seat is not None:
        seat = plain_int("seat", seat, "an int or None")
        if seat < 0:
            raise ValueError(f"there is no seat {int_text(seat)}: seats count from 0")
    if isinstance(events, str) or not isinstance(events, Iterable):
        wrong_type("events", "an iterable of events", events)
    return tuple([_redacted(event, seat) for event in events])


def _redacted(event: Event, seat: Seat | None) -> Event:
    if not isinstance(event, Event):
        wrong_item("events", "events", event)
    match event:
        case CardsDealt(hands=hands):
            return CardsDealtHidden(seat, _of_seat(hands, seat))
        case CardsDealtHidden() if event.seat != seat:
            return CardsDealtHidden(None, NO_CARDS)
        case PassCommitted(move=move) if move.seat != seat:
            return PassCommittedHidden(move.seat)
        case ExposureCommitted(move=exposed) if exposed.seat != seat:
            return ExposureCommittedHidden(exposed.seat)
        case CardsPassed(passed=passed, received=received, counts=counts):
            return CardsPassedHidden(seat, _of_seat(passed, seat), _of_seat(received, seat), counts)
        case CardsPassedHidden(counts=counts) if event.seat != seat:
            return CardsPassedHidden(None, NO_CARDS, NO_CARDS, counts)
        case KittyTaken() if not may_see_kitty(event.shown_to, event.seat, seat):
            return KittyTakenHidden(event.seat)
        case (
            CardsDealtHidden()
            | PassCommitted()
            | PassCommittedHidden()
            | CardsPassedHidden()
            | ExposureCommitted()
            | ExposureCommittedHidden()
            | CardsExposed()
            | PlayBegan()
            | CardPlayed()
            | HeartsBroken()
            | TrickWon()
            | TrickVoid()
            | KittyTaken()
            | KittyTakenHidden()
            | MoonShot()
            | MoonChosen()
            | DealScored()
            | GameEnded()
        ):
            return event
        case _:
            assert_never(event)


def _of_seat(bags: tuple[Cards, ...], seat: Seat | None) -> Cards:
    if seat is None:
        return NO_CARDS
    if not 0 <= seat < len(bags):
        raise InvalidSeat(seat, len(bags))
    return bags[seat]


def may_see_kitty(shown_to: KittyShownTo, taker: Seat | None, seat: Seat | None) -> bool:
    """Return True if a seat, or with None a spectator, may see a kitty that was won."""
    if taker is None or shown_to is KittyShownTo.NOBODY:
        return False
    return shown_to is KittyShownTo.EVERYBODY or seat == taker
