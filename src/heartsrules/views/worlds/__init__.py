"""Worlds for bots: whole states that fit a view, drawn at random, and the check whether a state fits.

A world agrees with everything that its seat knows, and everything that has been played in it was legal. See "Worlds" in
the documentation for the distribution.
"""

from __future__ import annotations

from typing import Final, NoReturn

from heartsrules.base.errors import InexactWorlds, InvalidState, Problem
from heartsrules.base.values import wrong_type
from heartsrules.chance import Bits
from heartsrules.chance.bits import checked_bits
from heartsrules.play.state import AwaitingDeal, PlayedDeal, State
from heartsrules.play.view_classes import ExposingView, PassingView, PlayedDealView, PlayingView, View
from heartsrules.play.view_selection import deal_of, view_of
from heartsrules.setup import Setup, check
from heartsrules.views.worlds.counting import MOST_ENTRIES
from heartsrules.views.worlds.hidden_cards import (
    ExposingWorlds,
    FinishedWorlds,
    PassingWorlds,
    PlayingWorlds,
    WorldsOfView,
)

__all__ = ["consistent", "sample_world"]


def sample_world(view: View, rng: Bits, *, exact: bool = False) -> State:
    """A whole state, drawn at random from those that a view could come from.

    Every way in which the cards that the seat has not seen can lie is equally likely, equal cards of two decks told
    apart, as after a fair shuffle; given the hands, all passes that others can have made are equally likely. How
    people play and pass is not modelled. What the view says about the hidden cards is worked out when the first world
    of it is drawn, and kept for the views used last.

    Args:
        view: a view of any phase, of a seat or of a spectator.
        rng: a source of random bits, such as `random.Random`. Equal views and equal bits give equal worlds.
        exact: refuse a view whose worlds could only be drawn almost evenly, because the ways in which its cards can
            lie are too many to be counted. No rule set is known to have such a view.

    Returns:
        A state of the view's phase; `consistent(view, state)` holds. Of `AwaitingDealView` the coming deal is not
        dealt: only what is hidden of the last one is filled in.

    >>> from random import Random
    >>> from heartsrules import Rules, apply, deal, new_game, view
    >>> start = new_game(Rules())
    >>> seen = view(apply(start, deal(start, seed=7)), 2)
    >>> world = sample_world(seen, Random(1))
    >>> view(world, 2) == seen, world == sample_world(seen, Random(2))
    (True, False)

    Raises:
        InexactWorlds: `exact` is asked for, and cannot be had.
        InvalidState: the position was set up without its history, so that what the play has shown is lost, or no
            state at all has such a view.
        TypeError: `view` is not a view, or `rng` has no `getrandbits`.
    """
    if not isinstance(exact, bool):
        wrong_type("exact", "a bool", exact)
    kept = _kept(view)
    if kept is None:
        _check_view(view)
        return _first(view, checked_bits(rng), exact)
    if exact and not kept.exact:
        raise InexactWorlds(MOST_ENTRIES)
    return kept.draw(checked_bits(rng))


def consistent(view: View, state: State) -> bool:
    """Whether a view could come from a state that the rules lead to.

    The state must have that view, and `check` must believe it: its current deal (or its last one), played again
    through the engine from the cards dealt over the passes to the last play, leads to it, and every row of its score
    sheet is possible.

    >>> from heartsrules import Rules, deal, new_game, public_view
    >>> start = new_game(Rules())
    >>> consistent(public_view(start), start), consistent(public_view(start), new_game(Rules(target=50)))
    (True, False)

    Raises:
        InvalidState: the position was set up without its history, so there is nothing to play again.
        TypeError: `view` is not a view, or `state` is not a state.
    """
    _check_view(view)
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    if state.rules != view.rules:
        return False
    try:
        if view != view_of(state, view.seat):
            return False
    except _MADE_UP:
        return False
    played = deal_of(state)
    if played is not None:
        _check_history(played)
    try:
        return check(Setup.of(state)) == state
    except _MADE_UP:
        return False


_MADE_UP: Final = (ValueError, TypeError, LookupError, AttributeError, OverflowError)
"""What is raised of a state, or a view, that the rules do not lead to, or that is not made of the right parts."""


def _check_view(view: object) -> None:
    if not isinstance(view, View):
        wrong_type("view", "a View", view)


def _check_history(played: PlayedDeal | PlayedDealView) -> None:
    if len(played.tricks) != played.trick_number:
        raise InvalidState((Problem.of("no-history", ("view",), "tricks"),))


def _impossible() -> NoReturn:
    raise InvalidState((Problem.of("impossible-view", ("view",), "argument"),))


# ------------------------------------------------------------------------------------------ what is kept of the views

_MOST_KEPT: Final = 8

_last: tuple[tuple[View, tuple[object, ...], WorldsOfView], ...] = ()
"""The views used last, with their `_marks`, and what was worked out of each. It is replaced as a whole, so threads need
no lock."""


def _kept(view: View) -> WorldsOfView | None:
    """What was worked out of a view; None: nothing yet, or it is forgotten.

    The same object is found at once. A view that is equal to one of them takes a comparison: to hash a view would take
    longer than to draw a world, and the longer the match, the more.
    """
    for seen, _, worlds in _last:
        if seen is view:
            return worlds
    if _last and isinstance(view, View):
        marks = _marks(view)
        for seen, its, worlds in _last:
            if its == marks and seen == view:
                return worlds
    return None


def _marks(view: View) -> tuple[object, ...]:
    """What differs between most views, and is compared quickly."""
    if isinstance(view, PlayingView):
        return view.hand, view.trick, view.deal.captured
    return (view.deal_number,)


def _first(view: View, rng: Bits, exact: bool) -> State:
    """The first world of a view, checked; and what was worked out for it is kept.

    One is enough: another differs from it only in cards that the play so far allows just as well.
    """
    global _last
    try:
        worlds = _worlds(view)
        if worlds is None:
            state: State = AwaitingDeal(view.rules, view.scores, view.deal_number, view.deal_scores, None)
            return state if consistent(view, state) else _impossible()
        if exact and not worlds.exact:
            raise InexactWorlds(MOST_ENTRIES)
        world = worlds.draw(rng)
    except (InvalidState, InexactWorlds):
        raise
    except (ValueError, LookupError, OverflowError):
        # A view that was made up: a card three times, a seat that is not at the table.
        _impossible()
    if not consistent(view, world):
        _impossible()
    _last = ((view, _marks(view), worlds), *_last[: _MOST_KEPT - 1])
    return world


def _worlds(view: View) -> WorldsOfView | None:
    """What a view says about what is hidden. None: nothing has been dealt yet, so nothing is hidden."""
    if isinstance(view, PlayingView):
        _check_history(view.deal)
        return PlayingWorlds(view)
    if isinstance(view, PassingView):
        return PassingWorlds(view)
    if isinstance(view, ExposingView):
        return ExposingWorlds(view)
    if view.last_deal is None:
        return None
    _check_history(view.last_deal)
    return FinishedWorlds(view, view.last_deal)
