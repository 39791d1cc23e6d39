"""Views of a state for a seat or a spectator."""

from __future__ import annotations

from typing import Final, NoReturn, overload

from heartsrules.base.errors import InvalidSeat
from heartsrules.base.values import Unchecked, plain_int, replaced, wrong_type
from heartsrules.cards import NO_CARDS, Cards
from heartsrules.play.public import KnownDeal, PublicDeal
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealingBack,
    DealtState,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    Secrets,
    State,
    hand_of,
)
from heartsrules.play.view_classes import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    DealtView,
    ExposingView,
    GameOverView,
    OwnKnowledge,
    PassingView,
    PlayingView,
    SeenDeal,
    View,
)
from heartsrules.rules import KittyShownTo, Seat

_TAKER: Final = KittyShownTo.TAKER
"""The member, whose lookup would take a third of the time of a view."""
_SPECTATOR: Final = OwnKnowledge(None)


def view(state: Unchecked[State], seat: Unchecked[int]) -> View:
    """Return one seat's view of a state.

    Raises:
        InvalidSeat: the table has no such seat.
    """
    own = plain_int("seat", seat, "an int (public_view is for spectators)")
    # Compiled, checking for the alias `State` would double the time.
    if not isinstance(state, (Playing, Passing, Exposing, AwaitingDeal, DealingBack, ChoosingMoon, GameOver)):
        _no_state(state)
    players: int = state.rules._resolved.players
    if not 0 <= own < players:
        raise InvalidSeat(own, players)
    return _view(state, own)


def public_view(state: Unchecked[State]) -> View:
    """Return a spectator's view of a state, with public knowledge only."""
    return _view(state, None)


def view_of(state: Unchecked[State], seat: Unchecked[int] | None) -> View:
    """Return the view of one seat, or with None of a spectator.

    Raises:
        InvalidSeat: the table has no such seat.
    """
    if seat is None:
        return public_view(state)
    return view(state, plain_int("seat", seat, "an int or None"))


@overload
def deal_of(shown: State) -> Playing | PlayedDeal | None: ...
@overload
def deal_of(shown: View) -> PlayingView | SeenDeal | None: ...
@overload
def deal_of(shown: State | View) -> Playing | PlayedDeal | PlayingView | SeenDeal | None: ...
def deal_of(shown: Unchecked[State | View]) -> KnownDeal | None:
    """Return the current or last deal, or None before the first trick."""
    if isinstance(shown, (Playing, PlayingView)):
        return shown
    if not isinstance(shown, (State, View)):
        wrong_type("shown", "a State or a View", shown)
    if isinstance(shown, DealtState):
        return None
    return None if isinstance(shown, DealtView) else shown.last_deal


def _no_state(state: object) -> NoReturn:
    wrong_type("state", "a State", state)


def _view(state: Unchecked[State], seat: Seat | None) -> View:
    if isinstance(state, Playing):
        return PlayingView(
            state.public,
            _own(state.secrets, seat, state.public),
            NO_CARDS if seat is None else hand_of(state, seat),
            state.turn,
            state.trick,
            state.hearts_broken,
        )
    if isinstance(state, (Passing, DealingBack, Exposing)):
        return _before_play(state, seat, NO_CARDS if seat is None else state.hands[seat])
    if isinstance(state, AwaitingDeal):
        last = None if state.last_deal is None else _seen(state.last_deal, seat)
        return AwaitingDealView(state.rules, seat, state.score_sheet, last)
    if isinstance(state, ChoosingMoon):
        return ChoosingMoonView(_seen(state.last_deal, seat), state.shooter, state.others_up, state.shooter_down)
    if isinstance(state, GameOver):
        return GameOverView(state.score_sheet, _seen(state.last_deal, seat), state.winners)
    _no_state(state)


def _before_play(state: Passing | DealingBack | Exposing, seat: Seat | None, hand: Cards) -> View:
    if isinstance(state, DealingBack):
        own = None if seat is None else state.commitments[seat]
        return DealingBackView(state.rules, seat, state.score_sheet, hand, own)
    committed = frozenset([at for at, commitment in enumerate(state.commitments) if commitment is not None])
    if isinstance(state, Passing):
        commitment = None if seat is None else state.commitments[seat]
        return PassingView(state.rules, seat, state.score_sheet, hand, commitment, committed)
    start = state.start
    if state.rules._resolved.shows_in_turn:
        start = replaced(start, exposed=state.face_up)
    exposure = None if seat is None else state.commitments[seat]
    return ExposingView(start, _own(state.secrets, seat, None), hand, exposure, committed)


def _seen(played: PlayedDeal, seat: Seat | None) -> SeenDeal:
    return SeenDeal(played.public, _own(played.secrets, seat, played.public))


def _own(secrets: Secrets, seat: Seat | None, public: PublicDeal | None) -> OwnKnowledge:
    if seat is None:
        return _SPECTATOR
    kitty = None
    if public is not None and public.kitty_winner == seat and public.start.rules.kitty_shown_to is _TAKER:
        kitty = secrets.kitty
    passes = secrets.passes
    return OwnKnowledge(seat, passes[seat] if passes else None, secrets.passed[seat], secrets.received[seat], kitty)
