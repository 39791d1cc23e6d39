"""Selecting from a state what a seat, or a spectator, may know of it."""

from __future__ import annotations

from typing import NoReturn

from heartsrules.cards import NO_CARDS, Cards
from heartsrules.errors import InvalidSeat
from heartsrules.events import may_see_kitty
from heartsrules.rules import Seat
from heartsrules.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealStart,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
)
from heartsrules.values import checked_int, wrong_type
from heartsrules.views.classes import (
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

__all__ = ["public_view", "view"]


def view(state: State, seat: Seat) -> View:
    """What one seat may know of a state.

    Raises:
        InvalidSeat: the table has no such seat.
        TypeError: an argument has the wrong type.
    """
    seat = checked_int("seat", seat)
    if not isinstance(state, State):
        _no_state(state)
    players = state.rules.players
    if not 0 <= seat < players:
        raise InvalidSeat(seat, players)
    return _view(state, seat)


def public_view(state: State) -> View:
    """What a spectator may know of a state: what all seats know.

    Raises:
        TypeError: `state` is not a state.
    """
    return _view(state, None)


def _no_state(state: object) -> NoReturn:
    wrong_type("state", "a State", state)


def _view(state: State, seat: Seat | None) -> View:
    if isinstance(state, Playing):
        return PlayingView(
            deal=_played_deal(state.deal, seat),
            hand=NO_CARDS if seat is None else state.hands[seat],
            turn=state.turn,
            trick=state.trick,
            hearts_broken=state.hearts_broken,
        )
    if isinstance(state, Passing):
        return PassingView(
            rules=state.rules,
            seat=seat,
            scores=state.scores,
            deal_number=state.deal_number,
            deal_scores=state.deal_scores,
            hand=NO_CARDS if seat is None else state.hands[seat],
            commitment=None if seat is None else state.commitments[seat],
            committed=frozenset([at for at, commitment in enumerate(state.commitments) if commitment is not None]),
        )
    if isinstance(state, Exposing):
        start = state.start
        if state.rules.tables.shows_in_turn:
            start = start.replace(shown=state.lying_open)
        return ExposingView(
            start=_start(start, seat),
            hand=NO_CARDS if seat is None else state.hands[seat],
            commitment=None if seat is None else state.commitments[seat],
            committed=frozenset([at for at, commitment in enumerate(state.commitments) if commitment is not None]),
        )
    if isinstance(state, AwaitingDeal):
        return AwaitingDealView(
            rules=state.rules,
            seat=seat,
            scores=state.scores,
            deal_number=state.deal_number,
            deal_scores=state.deal_scores,
            last_deal=None if state.last_deal is None else _played_deal(state.last_deal, seat),
        )
    if isinstance(state, ChoosingMoon):
        return ChoosingMoonView(
            last_deal=_played_deal(state.last_deal, seat),
            shooter=state.shooter,
            others_up=state.others_up,
            shooter_down=state.shooter_down,
        )
    if isinstance(state, GameOver):
        return GameOverView(
            rules=state.rules,
            seat=seat,
            scores=state.scores,
            deal_number=state.deal_number,
            deal_scores=state.deal_scores,
            last_deal=_played_deal(state.last_deal, seat),
            winners=state.winners,
        )
    _no_state(state)


def _played_deal(played: PlayedDeal, seat: Seat | None) -> PlayedDealView:
    start = played.start
    rules = start.rules
    taker = played.kitty_taker
    captured = played.captured
    kitty: Cards | None = None
    if may_see_kitty(rules.kitty_shown_to, taker, seat):
        kitty = start.kitty
    elif taker is not None:
        captured = (*captured[:taker], captured[taker] - start.kitty, *captured[taker + 1 :])
    return PlayedDealView(
        start=_start(start, seat),
        leader=played.leader,
        tricks=played.tricks,
        captured=captured,
        tricks_won=played.tricks_won,
        trick_number=played.trick_number,
        set_aside=played.set_aside,
        kitty_taker=taker,
        kitty=kitty,
        led_before=start.led_before,
    )


def _start(start: DealStart, seat: Seat | None) -> DealStartView:
    return DealStartView(
        rules=start.rules,
        seat=seat,
        scores=start.scores,
        deal_number=start.deal_number,
        deal_scores=start.deal_scores,
        commitment=start.passes[seat] if start.passes and seat is not None else None,
        passed=NO_CARDS if seat is None else start.passed[seat],
        received=NO_CARDS if seat is None else start.received[seat],
        declined=frozenset([commitment.seat for commitment in start.passes if not commitment.gifts]),
        shown=start.shown,
    )
