"""The events of a move: one final class for each kind.

`transition` returns the events of a move in full; `redact` turns them into what one seat, or a spectator, may know of
them. Where a seat may know less, the event becomes another class, its hidden twin, so that a type checker makes a front
end handle both.
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
    """The cards were dealt. Nobody at the table may know all of this."""

    code: ClassVar[str] = "cards-dealt"
    hands: tuple[Cards, ...]
    kitty: Cards


@attrs.frozen
class CardsDealtHidden:
    """The cards were dealt, as one seat sees it."""

    code: ClassVar[str] = "cards-dealt-hidden"
    seat: Seat | None
    """The seat that sees it so; None: a spectator."""
    hand: Cards
    """The hand of that seat; empty for a spectator."""


@attrs.frozen
class PassCommitted:
    """A seat committed its pass. Only that seat may know what it passes, and whether it passes at all."""

    code: ClassVar[str] = "pass-committed"
    move: Pass


@attrs.frozen
class PassCommittedHidden:
    """Another seat committed its pass."""

    code: ClassVar[str] = "pass-committed-hidden"
    seat: Seat


@attrs.frozen
class CardsPassed:
    """Everybody had committed, and the cards changed hands, or were dealt back from the middle. Nobody at the table may
    know all of this."""

    code: ClassVar[str] = "cards-passed"
    passed: tuple[Cards, ...]
    """By seat, the cards that left each hand."""
    received: tuple[Cards, ...]
    """By seat, the cards that came into each hand."""
    counts: tuple[int, ...]
    """By seat, how many cards it had committed; 0: it declined, or laid none."""


@attrs.frozen
class CardsPassedHidden:
    """Everybody had committed, and the cards changed hands, or were dealt back from the middle, as one seat sees it."""

    code: ClassVar[str] = "cards-passed-hidden"
    seat: Seat | None
    """The seat that sees it so; None: a spectator."""
    passed: Cards
    """The cards that the seat passed."""
    received: Cards
    """The cards that the seat received."""
    counts: tuple[int, ...]
    """By seat, how many cards it had committed; 0: it declined, or laid none."""


@attrs.frozen
class ExposureCommitted:
    """A seat decided what it shows, where all show together. Only that seat may know what before all have decided."""

    code: ClassVar[str] = "exposure-committed"
    move: Expose


@attrs.frozen
class ExposureCommittedHidden:
    """Another seat decided what it shows."""

    code: ClassVar[str] = "exposure-committed-hidden"
    seat: Seat


@attrs.frozen
class CardsExposed:
    """A seat showed cards to everybody.

    Where all show together, there is one for each seat that shows any, once all have decided; where they show in turn,
    one for each seat as it moves, also if it shows none.
    """

    code: ClassVar[str] = "cards-exposed"
    seat: Seat
    cards: Cards


@attrs.frozen
class PlayBegan:
    """The first trick of a deal is to be led."""

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
    """The card that was played broke hearts."""

    code: ClassVar[str] = "hearts-broken"
    seat: Seat
    card: Card


@attrs.frozen
class TrickWon:
    """A trick was completed and won, with all that was set aside before."""

    code: ClassVar[str] = "trick-won"
    winner: Seat
    cards: Cards
    """The cards that the winner takes: the trick's and those set aside, not the kitty's."""


@attrs.frozen
class TrickVoid:
    """A trick was completed, nobody won it, and it was set aside."""

    code: ClassVar[str] = "trick-void"
    cards: Cards
    """All that is set aside now."""


@attrs.frozen
class KittyTaken:
    """The winner of the trick took the kitty, and its cards may be seen."""

    code: ClassVar[str] = "kitty-taken"
    seat: Seat
    cards: Cards
    shown_to: KittyShownTo
    """Who may see the cards."""


@attrs.frozen
class KittyTakenHidden:
    """The winner of the trick took the kitty; its cards may not be seen."""

    code: ClassVar[str] = "kitty-taken-hidden"
    seat: Seat


@attrs.frozen
class MoonShot:
    """The deal was played out, somebody shot the moon and is to choose what it does."""

    code: ClassVar[str] = "moon-shot"
    shooter: Seat
    others_up: DealScore
    """The row of this deal if the points are added to the others."""
    shooter_down: DealScore
    """The row of this deal if they are subtracted from the shooter."""


@attrs.frozen
class MoonChosen:
    """The shooter chose what the moon does."""

    code: ClassVar[str] = "moon-chosen"
    seat: Seat
    effect: Moon


@attrs.frozen
class DealScored:
    """The deal was scored; its row joined the score sheet."""

    code: ClassVar[str] = "deal-scored"
    score: DealScore


@attrs.frozen
class GameEnded:
    """No further deal follows."""

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
"""Any event; the union is closed."""


def redact(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """What one seat may know of events; with None, what everybody may know.

    Redacting again for the same seat changes nothing; redacting one seat's events for another leaves only what both
    may know.

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
    """Whether a seat, or with None a spectator, may see a kitty that somebody has taken."""
    if taker is None or shown_to is KittyShownTo.NOBODY:
        return False
    return shown_to is KittyShownTo.EVERYBODY or seat == taker
