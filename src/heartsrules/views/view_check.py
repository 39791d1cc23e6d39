"""The check of untrusted views.

A view of a whole deal is valid if a world can be sampled from it. For a view without the beginning of its deal, one
state is built: the piles determine the position in the middle, and the hidden cards are matched to the hands within the
constraints of the known plays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from heartsrules.base.errors import InvalidState
from heartsrules.base.values import wrong_type
from heartsrules.cards import NO_CARDS, Cards, without
from heartsrules.chance import SeededBits
from heartsrules.play.phases import Phase
from heartsrules.play.state import MidDealPosition, State
from heartsrules.play.view_classes import AwaitingDealView, ChoosingMoonView, DealView, GameOverView, PlayingView, View
from heartsrules.play.view_selection import deal_of, view_of
from heartsrules.rules import Seat
from heartsrules.setup import DealSetup, Setup, check
from heartsrules.views.hidden_hands import HiddenHands
from heartsrules.views.worlds import sample_world


def believable(view: View) -> bool:
    """Return True if some state that `check` accepts has this view.

    Raises:
        TooManyWorlds: the view has too many worlds to count.
    """
    if not isinstance(view, View):
        wrong_type("view", "a View", view)
    played = deal_of(view)
    if played is not None and len(played.tricks) < played.trick_number:
        return any(True for _ in _states(view, played))
    try:
        sample_world(view, SeededBits(0, "believable"))
    except InvalidState:
        return False
    return True


def _states(view: View, played: DealView) -> Iterator[State]:
    """Yield states with this view.

    There is at most one for each winner of the kitty and each value of `hearts_broken` in the middle.
    """
    for taker in {None, played.kitty_winner}:
        for broken in (False, True):
            try:
                state = check(_setup(view, played, taker, broken))
            except (ValueError, LookupError):  # an impossible middle, or an impossible view
                continue
            if view == view_of(state, view.seat):
                yield state


def _setup(view: View, played: DealView, taker: Seat | None, broken: bool) -> Setup:
    hidden = HiddenHands(played, broken)
    found = hidden.arrangement()
    if found is None:
        raise ValueError
    kitty = found[-1] if played.kitty is None else played.kitty
    held = [hand - gone for hand, gone in zip(hidden.hands(found), hidden.gone, strict=True)]
    parts: dict[str, Any] = {
        "kitty": kitty,
        "tricks": played.tricks,
        "resumed_from": _middle(played, kitty, taker, broken),
        "exposed": played.exposed if any(played.exposed) else (),
    }
    sheet = view.score_sheet
    match: dict[str, Any] = {
        "rules": view.rules,
        "deal_number": view.deal_number,
        "first": sheet.first,
        "start": sheet.start,
        "queen_taker": sheet.queen_taker_before,
        "score_sheet": sheet.rows,
    }
    if isinstance(view, PlayingView):
        return Setup(phase=Phase.PLAY, hands=tuple(held), trick=view.trick, **parts, **match)
    return Setup(phase=_PHASES[type(view)], last_deal=DealSetup(**parts), **match)


_PHASES: Final = {AwaitingDealView: Phase.DEAL, ChoosingMoonView: Phase.MOON, GameOverView: Phase.OVER}


def _middle(played: DealView, kitty: Cards, taker: Seat | None, broken: bool) -> MidDealPosition:
    players = len(played.captured)
    piles, won = list(played.captured), list(played.tricks_won)
    if played.kitty_winner is not None:
        if played.kitty is not None and taker is None:
            piles[played.kitty_winner] = without(piles[played.kitty_winner], kitty)
        elif played.kitty is None and taker is not None:
            piles[taker] = piles[taker] + kitty
    aside = NO_CARDS
    waiting = NO_CARDS
    collector: Seat | None = None
    for trick in played.tricks:
        waiting = waiting + Cards([play.card for play in trick.plays])
        if trick.winner is not None:
            piles[trick.winner] = without(piles[trick.winner], waiting)
            won[trick.winner] -= 1
            waiting = NO_CARDS
            if collector is None:
                collector = trick.winner
    if collector is None:
        aside = without(played.set_aside, waiting)
    elif not won[collector] and taker != collector:
        # It had won nothing before: its other cards were set aside and joined its first trick.
        aside, piles[collector] = piles[collector], NO_CARDS
    leader = played.tricks[0].leader if played.tricks else played.leader
    return MidDealPosition(leader % players, tuple(piles), tuple(won), aside, taker, broken, played.start.led_before)
