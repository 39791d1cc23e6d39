"""Worlds for bots, which are whole states sampled from a view.

Search papers call this determinization. A world matches everything that its seat knows, and every play in it was legal.
"Hidden information: worlds" in the documentation describes the distribution.
"""

from __future__ import annotations

from typing import Final, NoReturn

from heartsrules.base.errors import InvalidState, Problem, TooManyWorlds
from heartsrules.base.values import wrong_type
from heartsrules.chance import Bits
from heartsrules.chance.bits import checked_bits
from heartsrules.play.public import DealStart, KnownDeal
from heartsrules.play.state import AwaitingDeal, Playing, State
from heartsrules.play.view_classes import DealingBackView, ExposingView, PassingView, PlayingView, View
from heartsrules.play.view_selection import deal_of, view_of
from heartsrules.setup import Setup, check
from heartsrules.views.worlds.hidden_cards import (
    ExposingWorlds,
    FinishedWorlds,
    PassingWorlds,
    PlayingWorlds,
    WorldsOfView,
    is_replayed,
)

__all__ = ["consistent", "sample_world"]
__dir__ = __all__.copy


def sample_world(view: View, rng: Bits) -> State:
    """Sample a whole state with this view.

    All arrangements of the unseen cards are equally likely, as after a fair shuffle (equal cards are distinct). Given
    the hands, so are all passes that others can have made. The way people play and pass is not modelled. The
    constraints are cached for the latest views.

    Args:
        view: any view, of a seat or of a spectator.
        rng: a source of random bits, such as `random.Random`. Equal views and equal bits give equal worlds.

    Returns:
        A state of the view's phase, with `consistent(view, state)`. For `AwaitingDealView` only the hidden part of the
            last deal is sampled.

    >>> from random import Random
    >>> from heartsrules import Rules, apply, deal, new_game, view
    >>> start = new_game(Rules())
    >>> seen = view(apply(start, deal(start, seed=7)), 2)
    >>> world = sample_world(seen, Random(1))
    >>> view(world, 2) == seen, world == sample_world(seen, Random(2))
    (True, False)

    Raises:
        TooManyWorlds: counting the arrangements needs too large a table. No rule set is known to have such a view.
        InvalidState: the position was set up without its history, or no state has such a view.
    """
    kept = _kept(view)
    if kept is None:
        _check_view(view)
        return _first(view, checked_bits(rng))
    return kept.draw(checked_bits(rng))


def consistent(view: View, state: State) -> bool:
    """Return True if a state has a view and the rules can lead to it.

    `check` must accept it: replaying its current or last deal leads to it, and the rows of its score sheet are
    possible.

    >>> from heartsrules import Rules, deal, new_game, public_view
    >>> start = new_game(Rules())
    >>> consistent(public_view(start), start), consistent(public_view(start), new_game(Rules(target=50)))
    (True, False)

    Raises:
        InvalidState: the position was set up without its history, so it cannot be replayed.
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


def _check_view(view: object) -> None:
    if not isinstance(view, View):
        wrong_type("view", "a View", view)


def _check_history(played: KnownDeal) -> None:
    if len(played.tricks) != played.trick_number:
        raise InvalidState((Problem.of("no-history", ("view",), "tricks"),))


def _impossible() -> NoReturn:
    raise InvalidState((Problem.of("impossible-view", ("view",), "argument"),))


# ------------------------------------------------------------------------------------------ the cache of views

_MOST_KEPT: Final = 8

_last: tuple[tuple[View, tuple[object, ...], WorldsOfView], ...] = ()
"""The latest views with their cache keys and samplers.

The tuple is replaced as a whole, so threads need no lock."""


def _kept(view: View) -> WorldsOfView | None:
    """Return the cached sampler of a view, or None.

    Views are compared, because hashing one takes longer than sampling a world.
    """
    for seen, _, worlds in _last:
        if seen is view:
            return worlds
    if _last and isinstance(view, View):
        wanted = _cache_key(view)
        for seen, key, worlds in _last:
            if key == wanted and seen == view:
                return worlds
    return None


def _cache_key(view: View) -> tuple[object, ...]:
    if isinstance(view, PlayingView):
        return view.hand, view.trick, view.public.captured
    return (view.deal_number,)


def _first(view: View, rng: Bits) -> State:
    """Sample and check the first world of a view, and cache its sampler.

    Later worlds are not checked, because they differ only in cards that the known play allows just as well.
    """
    global _last
    try:
        worlds = _worlds(view)
        if worlds is None:
            state: State = AwaitingDeal(view.rules, view.score_sheet, None)
            return state if consistent(view, state) else _impossible()
        world = worlds.draw(rng)
    except (InvalidState, TooManyWorlds):
        raise
    except (ValueError, LookupError, OverflowError):
        # An impossible view: a third copy of a card, a seat that does not exist.
        _impossible()
    if not _is_possible(view, world):
        _impossible()
    _last = ((view, _cache_key(view), worlds), *_last[: _MOST_KEPT - 1])
    return world


def _is_possible(view: View, world: State) -> bool:
    if not isinstance(world, Playing) or world.rules.exposable:
        return consistent(view, world)
    try:
        return view == view_of(world, view.seat) and is_replayed(world) and _may_begin(world.start)
    except _MADE_UP:
        return False


def _may_begin(start: DealStart) -> bool:
    sheet = start.score_sheet
    if (sheet.start, sheet.first, len(sheet), sheet.queen_taker) == ((0,) * start.rules.players, 0, 0, None):
        return True
    begun = AwaitingDeal(start.rules, sheet, None)
    return check(Setup.of(begun)) == begun


def _worlds(view: View) -> WorldsOfView | None:
    if isinstance(view, PlayingView):
        _check_history(view)
        return PlayingWorlds(view)
    if isinstance(view, (PassingView, DealingBackView)):
        return PassingWorlds(view)
    if isinstance(view, ExposingView):
        return ExposingWorlds(view)
    if view.last_deal is None:
        return None
    _check_history(view.last_deal)
    return FinishedWorlds(view, view.last_deal)
