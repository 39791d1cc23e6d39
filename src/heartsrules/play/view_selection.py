"""Selection from a state of what a seat, or a spectator, may know."""

from __future__ import annotations

from typing import NoReturn, overload

from heartsrules.base.errors import InvalidSeat
from heartsrules.base.values import Unchecked, checked_int, replaced, wrong_type
from heartsrules.cards import NO_CARDS, Cards
from heartsrules.play.events import may_see_kitty
from heartsrules.play.passing import pass_counts_of
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealStart,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
    hand_of,
)
from heartsrules.play.view_classes import (
    AwaitingDealView,
    ChoosingMoonView,
    DealStartView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayedDealView,
    PlayingView,
    View,
)
from heartsrules.rules import Seat


def view(state: Unchecked[State], seat: Unchecked[int]) -> View:
    """What one seat may know of a state.

    Raises:
        InvalidSeat: the table has no such seat.
    """
    own = checked_int("seat", seat)
    if not isinstance(state, State):
        _no_state(state)
    players: int = state.rules.resolved.players
    if not 0 <= own < players:
        raise InvalidSeat(own, players)
    return _view(state, own)


def public_view(state: Unchecked[State]) -> View:
    """What a spectator may know of a state: what all seats know."""
    if not isinstance(state, State):
        _no_state(state)
    return _view(state, None)


def view_of(state: Unchecked[State], seat: Unchecked[int] | None) -> View:
    """What one seat, or with None a spectator, may know of a state.

    Raises:
        InvalidSeat: the table has no such seat.
    """
    if seat is None:
        return public_view(state)
    if not isinstance(seat, int) or isinstance(seat, bool):
        wrong_type("seat", "an int or None", seat)
    return view(state, seat)


@overload
def deal_of(shown: State) -> PlayedDeal | None: ...
@overload
def deal_of(shown: View) -> PlayedDealView | None: ...
@overload
def deal_of(shown: State | View) -> PlayedDeal | PlayedDealView | None: ...
def deal_of(shown: Unchecked[State | View]) -> PlayedDeal | PlayedDealView | None:
    """The deal as far as its tricks are completed, or the one that has just ended; None before the first trick."""
    if isinstance(shown, (Playing, PlayingView)):
        return shown.deal
    if not isinstance(shown, (State, View)):
        wrong_type("shown", "a State or a View", shown)
    return None if isinstance(shown, (Passing, PassingView, Exposing, ExposingView)) else shown.last_deal


def _no_state(state: object) -> NoReturn:
    wrong_type("state", "a State", state)


def _view(state: State, seat: Seat | None) -> View:
    if isinstance(state, Playing):
        hand = NO_CARDS if seat is None else hand_of(state, seat)
        return PlayingView(_played_deal(state.deal, seat), hand, state.turn, state.trick, state.hearts_broken)
    if isinstance(state, Passing):
        return PassingView(
            state.rules,
            seat,
            state.score_sheet,
            hand=NO_CARDS if seat is None else state.hands[seat],
            commitment=None if seat is None else state.commitments[seat],
            committed=frozenset([at for at, commitment in enumerate(state.commitments) if commitment is not None]),
        )
    if isinstance(state, Exposing):
        start = state.start
        if state.rules.resolved.shows_in_turn:
            start = replaced(start, exposed=state.face_up)
        return ExposingView(
            _start(start, seat),
            hand=NO_CARDS if seat is None else state.hands[seat],
            commitment=None if seat is None else state.commitments[seat],
            committed=frozenset([at for at, commitment in enumerate(state.commitments) if commitment is not None]),
        )
    if isinstance(state, AwaitingDeal):
        last = None if state.last_deal is None else _played_deal(state.last_deal, seat)
        return AwaitingDealView(state.rules, seat, state.score_sheet, last)
    if isinstance(state, ChoosingMoon):
        last = _played_deal(state.last_deal, seat)
        return ChoosingMoonView(last, state.shooter, state.others_up, state.shooter_down)
    if isinstance(state, GameOver):
        last = _played_deal(state.last_deal, seat)
        return GameOverView(state.rules, seat, state.score_sheet, last, state.winners)
    _no_state(state)


def _played_deal(played: PlayedDeal, seat: Seat | None) -> PlayedDealView:
    start = played.start
    taker = played.kitty_winner
    captured = played.captured
    kitty: Cards | None = None
    if taker is not None:
        if may_see_kitty(start.rules.kitty_shown_to, taker, seat):
            kitty = start.kitty
        else:
            captured = (*captured[:taker], captured[taker] - start.kitty, *captured[taker + 1 :])
    return PlayedDealView(
        _start(start, seat),
        played.leader,
        played.tricks,
        captured,
        played.tricks_won,
        played.trick_number,
        played.set_aside,
        taker,
        kitty,
        start.led_before,
    )


def _start(start: DealStart, seat: Seat | None) -> DealStartView:
    passes = start.passes
    return DealStartView(
        start.rules,
        seat,
        start.score_sheet,
        passes[seat] if passes and seat is not None else None,
        NO_CARDS if seat is None else start.passed[seat],
        NO_CARDS if seat is None else start.received[seat],
        pass_counts_of(passes),
        start.exposed,
    )
