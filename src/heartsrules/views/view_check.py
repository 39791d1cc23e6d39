"""Views from outside: whether some state has them, even where the beginning of their deal is missing.

A view of a whole deal is believed if a world of it can be drawn. Of a deal that is told from its middle on, no world is
drawn, because what its beginning has shown is lost. Instead, one state with that view is looked for: what lay where in
the middle follows from the piles now, and the hidden cards are put wherever the plays that are told allow them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from heartsrules.base.errors import InvalidState
from heartsrules.base.values import wrong_type
from heartsrules.cards import NO_CARDS, Card, Cards, without
from heartsrules.chance import SeededBits
from heartsrules.play.board import TrickState
from heartsrules.play.phases import Phase
from heartsrules.play.state import Middle, State, faces_of, waiting_of
from heartsrules.play.view_classes import (
    AwaitingDealView,
    ChoosingMoonView,
    GameOverView,
    PlayedDealView,
    PlayingView,
    View,
)
from heartsrules.play.view_selection import deal_of, view_of
from heartsrules.rules import Seat
from heartsrules.setup import DealSetup, Setup, check
from heartsrules.views.inferring import strike_out
from heartsrules.views.unseen import KITTY
from heartsrules.views.worlds import sample_world

__all__ = ["believable"]


def believable(view: View) -> bool:
    """Whether some state that `check` believes has this view.

    Raises:
        TypeError: `view` is not a view.
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


def _states(view: View, played: PlayedDealView) -> Iterator[State]:
    """States with this view: at most one for each way in which its deal may have stood in the middle."""
    for taker in {None, played.kitty_taker}:
        for broken in (False, True):
            try:
                state = check(_setup(view, played, taker, broken))
            except (ValueError, LookupError):  # no deal stood so, or the view was made up
                continue
            if view == view_of(state, view.seat):
                yield state


def _setup(view: View, played: PlayedDealView, taker: Seat | None, broken: bool) -> Setup:
    """What a view tells, with all that it does not show filled in.

    Args:
        view: the view.
        played: its deal.
        taker: who took the kitty in the middle.
        broken: whether hearts were broken in the middle.

    Raises:
        ValueError: there is no such deal.
    """
    hands, kitty = _filled_in(view, played, broken)
    told: dict[str, Any] = {
        "kitty": kitty,
        "tricks": played.tricks,
        "middle": _middle(played, kitty, taker, broken),
        "shown": played.shown if any(played.shown) else (),
    }
    sheet = view.deal_scores
    match: dict[str, Any] = {
        "rules": view.rules,
        "deal_number": view.deal_number,
        "first": sheet.first,
        "start": sheet.start if sheet.first else None,
        "queen_taker": sheet.queen_taker_before,
        "deal_scores": sheet.rows,
    }
    if isinstance(view, PlayingView):
        return Setup(phase=Phase.PLAY, hands=hands, trick=view.trick, **told, **match)
    return Setup(phase=_PHASES[type(view)], last_deal=DealSetup(**told), **match)


_PHASES: Final = {AwaitingDealView: Phase.DEAL, ChoosingMoonView: Phase.MOON, GameOverView: Phase.OVER}


def _filled_in(view: View, played: PlayedDealView, broken: bool) -> tuple[tuple[Cards, ...], Cards]:
    """The hands and the kitty: what is not seen lies wherever the plays that are told allow it.

    Raises:
        ValueError: it can lie nowhere.
    """
    rules = view.rules
    seats = range(rules.players)
    trick = view.trick if isinstance(view, PlayingView) else ()
    own = view.hand if isinstance(view, PlayingView) else NO_CARDS
    plays = [play for trick in played.tricks for play in trick.plays] + list(trick)
    unseen = rules.deck
    for cards in (*played.captured, played.set_aside, own, Cards([play.card for play in trick])):
        unseen = without(unseen, cards)
    held: dict[Seat, Cards] = {}
    room: dict[int, int] = {}
    if played.kitty is None:
        room[KITTY] = rules.kitty_size
    elif played.kitty_taker is None:
        unseen = without(unseen, played.kitty)
    if isinstance(view, PlayingView):
        gone = {play.seat for play in trick}
        for seat in seats:
            room[seat] = rules.cards_per_hand - played.trick_number - (seat in gone)
        if view.seat is not None and room.pop(view.seat) != len(own):
            raise ValueError("the hand has another size")
        for seat in set(room) - {KITTY}:
            held[seat] = view.lying_open[seat]
            unseen = without(unseen, held[seat])
            room[seat] -= len(held[seat])
    if min(room.values(), default=0) < 0 or sum(room.values()) != len(unseen):
        raise ValueError("there are too many cards, or too few")
    may: Mapping[int, int] = {}
    if isinstance(view, PlayingView):
        known = [Cards([play.card for play in plays if play.seat == seat]) + held.get(seat, NO_CARDS) for seat in seats]
        holdable = [unseen.lo if seat in room else -1 for seat in seats]
        state = TrickState(rules.compiled)
        state.trick_number = played.trick_number - len(played.tricks)
        state.broken = broken
        state.waiting = waiting_of(faces_of(played.shown), played.led_before, ())
        strike_out(state, played.tricks, trick, [cards.lo for cards in known], [cards.hi for cards in known], holdable)
        may = {seat: holdable[seat] for seat in seats if seat in room}
    lying = _laid(list(unseen), room, may)
    hands = [own if seat == view.seat else Cards(lying.get(seat, ())) + held.get(seat, NO_CARDS) for seat in seats]
    return tuple(hands), Cards(lying.get(KITTY, ())) if played.kitty is None else played.kitty


def _middle(played: PlayedDealView, kitty: Cards, taker: Seat | None, broken: bool) -> Middle:
    """How the deal stood before the first play that is told.

    Raises:
        ValueError: the piles do not hold what has been played since.
    """
    players = len(played.captured)
    piles, won = list(played.captured), list(played.tricks_won)
    if played.kitty_taker is not None:
        if played.kitty is not None and taker is None:
            piles[played.kitty_taker] = without(piles[played.kitty_taker], kitty)
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
        # It had won nothing yet, so what else it has lay set aside, and the first trick that it won brought it in.
        aside, piles[collector] = piles[collector], NO_CARDS
    leader = played.tricks[0].leader if played.tricks else played.leader
    return Middle(leader % players, tuple(piles), tuple(won), aside, taker, broken, played.led_before)


def _laid(cards: Sequence[Card], room: Mapping[int, int], may: Mapping[int, int]) -> dict[int, list[Card]]:
    """Each card in some place that may hold it: a matching, in which a card makes way where another has nowhere else.

    Args:
        cards: as many as there is room.
        room: by place, how many cards lie there.
        may: by place, the faces that it may hold; a place that is not in it holds any.

    Raises:
        ValueError: there is no way.
    """
    lying: dict[int, list[Card]] = {place: [] for place in room}

    def find(card: Card, seen: set[int]) -> bool:
        for place, size in room.items():
            if place in seen or not size or not may.get(place, card.bit) & card.bit:
                continue
            seen.add(place)
            here = lying[place]
            if len(here) < size:
                here.append(card)
                return True
            for number, other in enumerate(here):
                if find(other, seen):
                    here[number] = card
                    return True
        return False

    for card in cards:
        if not find(card, set()):
            raise ValueError(f"{card} can lie nowhere")
    return lying
