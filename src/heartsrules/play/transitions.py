"""The state and the events after a move."""

from __future__ import annotations

import attrs

from heartsrules.base.values import Unchecked
from heartsrules.cards import Cards
from heartsrules.play.engine import apply
from heartsrules.play.events import (
    CardPlayed,
    CardsDealt,
    CardsExposed,
    CardsPassed,
    DealScored,
    Event,
    ExposureCommitted,
    GameEnded,
    HeartsBroken,
    KittyTaken,
    MoonChosen,
    MoonShot,
    PassCommitted,
    PlayBegan,
    TrickVoid,
    TrickWon,
)
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, DealingBack, Exposing, GameOver, Passing, Playing, State
from heartsrules.play.tricks import breaks_hearts, led_suit
from heartsrules.play.view_selection import deal_of

__all__ = ["Transition", "transition"]
__dir__ = __all__.copy


@attrs.frozen
class Transition:
    """The result of a move.

    Attributes:
        state: the new state.
        events: the full events, in order. `redact` them before sending them to a player.
    """

    state: State
    events: tuple[Event, ...]


def transition(state: Unchecked[State], move: Unchecked[Move]) -> Transition:
    """Apply a move and return the new state with the events.

    >>> from heartsrules.play.dealing import deal
    >>> from heartsrules.play.engine import new_game
    >>> from heartsrules.rules import Rules
    >>> start = new_game(Rules())
    >>> [event.code for event in transition(start, deal(start, seed=7)).events]
    ['cards-dealt']

    Raises:
        IllegalMove: the rules refuse the move. See its `violations`.
    """
    after = apply(state, move)
    assert isinstance(state, (Playing, Passing, DealingBack, Exposing, AwaitingDeal, ChoosingMoon))
    assert isinstance(move, (Play, Pass, Expose, Deal, ChooseMoon))
    return Transition(after, events_between(state, move, after))


def events_between(state: State, move: Move, after: State) -> tuple[Event, ...]:
    """Return the full events of a legal move from one state to the next."""
    events: list[Event] = []
    if isinstance(move, Pass):
        events.append(PassCommitted(move))
    if isinstance(state, (Passing, DealingBack)):
        if isinstance(after, (Playing, Exposing)):
            events.append(CardsPassed(after.passed, after.received, after.start.pass_counts))
    elif isinstance(move, Deal):
        events.append(CardsDealt(move.hands, move.kitty))
    elif isinstance(move, Expose):
        events += _exposure_events(state, move, after)
    elif isinstance(move, ChooseMoon):
        events.append(MoonChosen(move.seat, move.effect))
    elif isinstance(state, Playing) and isinstance(move, Play):
        events += _play_events(state, move, after)
    if isinstance(after, Playing) and not isinstance(state, Playing):
        events.append(PlayBegan(after.leader))
    if isinstance(after, ChoosingMoon):
        events.append(MoonShot(after.shooter, after.others_up, after.shooter_down))
    elif len(after.score_sheet) > len(state.score_sheet):
        events.append(DealScored(after.score_sheet[-1]))
    if isinstance(after, GameOver):
        events.append(GameEnded(after.winners))
    return tuple(events)


def _exposure_events(state: State, move: Expose, after: State) -> list[Event]:
    if state.rules._resolved.shows_openly:
        return [CardsExposed(move.seat, move.cards)]
    events: list[Event] = [ExposureCommitted(move)]
    if isinstance(after, Playing):
        events += [CardsExposed(seat, cards) for seat, cards in enumerate(after.exposed) if cards]
    return events


def _play_events(state: Playing, move: Play, after: State) -> list[Event]:
    events: list[Event] = [CardPlayed(move.seat, move.card)]
    before = state.public
    if not state.hearts_broken and breaks_hearts(before._resolved, led_suit(state.trick), move.bit):
        events.append(HeartsBroken(move.seat, move.card))
    played = deal_of(after)
    if played is None or played.trick_number == before.trick_number:
        return events
    trick = played.tricks[-1]
    cards = Cards([play.card for play in trick.plays]) + before.set_aside
    events.append(TrickVoid(cards) if trick.winner is None else TrickWon(trick.winner, cards))
    if played.kitty_winner is not None and before.kitty_winner is None:
        events.append(KittyTaken(played.kitty_winner, played.kitty, state.rules.kitty_shown_to))
    return events
