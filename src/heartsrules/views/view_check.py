"""Check of views from outside: whether some state has them.

A view of a whole deal is accepted if a world of it can be drawn. For a view without the beginning of its deal, one
state is built: the position in the middle follows from the piles, and the hidden cards are matched to the hands within
the constraints of the known plays.
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
from heartsrules.play.public import waiting_of
from heartsrules.play.state import MidDealPosition, State
from heartsrules.play.taking_back import plays_of_tricks
from heartsrules.play.view_classes import (
    AwaitingDealView,
    ChoosingMoonView,
    DealView,
    GameOverView,
    PlayingView,
    View,
)
from heartsrules.play.view_selection import deal_of, view_of
from heartsrules.rules import Seat
from heartsrules.setup import DealSetup, Setup, check
from heartsrules.views.inferring import narrow
from heartsrules.views.unseen import KITTY
from heartsrules.views.worlds import sample_world


def believable(view: View) -> bool:
    """Whether some state that `check` accepts has this view.

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
    """States with this view: at most one for each kitty taker and value of `hearts_broken` in the middle."""
    for taker in {None, played.kitty_winner}:
        for broken in (False, True):
            try:
                state = check(_setup(view, played, taker, broken))
            except (ValueError, LookupError):  # an impossible middle, or an impossible view
                continue
            if view == view_of(state, view.seat):
                yield state


def _setup(view: View, played: DealView, taker: Seat | None, broken: bool) -> Setup:
    """A setup with all parts of a view, and its hidden cards filled in.

    Raises:
        ValueError: there is no such deal.
    """
    hands, kitty = _filled_in(view, played, broken)
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
        "start": sheet.start if sheet.first else None,
        "queen_taker": sheet.queen_taker_before,
        "score_sheet": sheet.rows,
    }
    if isinstance(view, PlayingView):
        return Setup(phase=Phase.PLAY, hands=hands, trick=view.trick, **parts, **match)
    return Setup(phase=_PHASES[type(view)], last_deal=DealSetup(**parts), **match)


_PHASES: Final = {AwaitingDealView: Phase.DEAL, ChoosingMoonView: Phase.MOON, GameOverView: Phase.OVER}


def _filled_in(view: View, played: DealView, broken: bool) -> tuple[tuple[Cards, ...], Cards]:
    """The hands and the kitty, with the unseen cards placed where the known plays allow; a `ValueError` if nowhere."""
    rules = view.rules
    seats = range(rules.players)
    trick = view.trick if isinstance(view, PlayingView) else ()
    own = view.hand if isinstance(view, PlayingView) else NO_CARDS
    plays = plays_of_tricks(played.tricks, trick)
    unseen = rules.deck
    for cards in (*played.captured, played.set_aside, own, Cards([play.card for play in trick])):
        unseen = without(unseen, cards)
    held: dict[Seat, Cards] = {}
    room: dict[int, int] = {}
    if played.kitty is None:
        room[KITTY] = rules.kitty_size
    elif played.kitty_winner is None:
        unseen = without(unseen, played.kitty)
    if isinstance(view, PlayingView):
        gone = {play.seat for play in trick}
        for seat in seats:
            room[seat] = rules.cards_per_hand - played.trick_number - (seat in gone)
        if view.seat is not None and room.pop(view.seat) != len(own):
            raise ValueError("the hand has another size")
        for seat in set(room) - {KITTY}:
            held[seat] = view.face_up[seat]
            unseen = without(unseen, held[seat])
            room[seat] -= len(held[seat])
    if min(room.values(), default=0) < 0 or sum(room.values()) != len(unseen):
        raise ValueError("there are too many cards, or too few")
    may: Mapping[int, int] = {}
    if isinstance(view, PlayingView):
        known = [Cards([play.card for play in plays if play.seat == seat]) + held.get(seat, NO_CARDS) for seat in seats]
        holdable = [unseen.lo if seat in room else -1 for seat in seats]
        state = TrickState(rules.resolved)
        state.trick_number = played.trick_number - len(played.tricks)
        state.broken = broken
        state.waiting = waiting_of(played.start.exposed_mask, played.start.led_before, ())
        if not narrow(state, played.tricks, trick, known, holdable):
            raise ValueError("a play was illegal")
        may = {seat: holdable[seat] for seat in seats if seat in room}
    lying = _matched(list(unseen), room, may)
    hands = [own if seat == view.seat else Cards(lying.get(seat, ())) + held.get(seat, NO_CARDS) for seat in seats]
    return tuple(hands), Cards(lying.get(KITTY, ())) if played.kitty is None else played.kitty


def _middle(played: DealView, kitty: Cards, taker: Seat | None, broken: bool) -> MidDealPosition:
    """The position before the first known play; a `ValueError` if the piles lack cards that have been played since."""
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
        # It had won nothing before: its other cards had been set aside, and came with its first trick.
        aside, piles[collector] = piles[collector], NO_CARDS
    leader = played.tricks[0].leader if played.tricks else played.leader
    return MidDealPosition(leader % players, tuple(piles), tuple(won), aside, taker, broken, played.start.led_before)


def _matched(cards: Sequence[Card], room: Mapping[int, int], may: Mapping[int, int]) -> dict[int, list[Card]]:
    """Match cards to places by augmenting paths.

    Args:
        cards: as many as the capacities together.
        room: by place, its capacity.
        may: by place, its allowed faces; a place without an entry allows all.

    Raises:
        ValueError: there is no matching.
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
            raise ValueError(f"{card} has no place")
    return lying
