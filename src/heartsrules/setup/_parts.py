"""The setup of a state."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from heartsrules.base.values import wrong_type
from heartsrules.play.phases import DEAL, DEAL_BACK, EXPOSE, MOON, OVER, PASS, PLAY, Phase
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealingBack,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
)

S = TypeVar("S")


_set_attribute: Final = object.__setattr__


def known(kind: type[S], parts: dict[str, Any]) -> S:
    """Make a setup from all its attributes, unchecked and without its slow constructor.

    The dictionary becomes the object's own.
    """
    made = object.__new__(kind)
    _set_attribute(made, "__dict__", parts)
    return made


_OF_PHASE: Final[dict[type, tuple[Phase, tuple[str, ...]]]] = {
    AwaitingDeal: (DEAL, ()),
    Passing: (PASS, ("hands", "kitty")),
    DealingBack: (DEAL_BACK, ("hands", "kitty")),
    Exposing: (EXPOSE, ("hands", "kitty", "passes")),
    Playing: (PLAY, ("hands", "trick", "hearts_broken", "turn")),
    ChoosingMoon: (MOON, ("shooter", "others_up", "shooter_down")),
    GameOver: (OVER, ("winners",)),
}


def told_parts(state: State, parts: dict[str, Any], deal_setup: type[Any], nothing: dict[str, Any]) -> dict[str, Any]:
    sheet = state.score_sheet
    given: object = sheet
    # Interpreted, a state can contain anything.
    if not isinstance(given, ScoreSheet):
        wrong_type("score_sheet", "a ScoreSheet", given)
    if sheet.first:
        parts["start"] = sheet.start
    parts["first"] = sheet.first
    parts["queen_taker"] = sheet.queen_taker_before
    parts["score_sheet"] = sheet.rows
    phase, names = _OF_PHASE[type(state)]
    parts["phase"] = phase
    parts["rules"] = state.rules
    parts["deal_number"] = state.deal_number
    parts["scores"] = sheet.totals
    parts["has_full_history"] = state.has_full_history
    for name in names:
        parts[name] = getattr(state, name)
    if isinstance(state, (Passing, DealingBack)):
        parts["passes"] = state.commitments
    elif isinstance(state, Exposing):
        parts["exposures"] = state.commitments
        _add_to_deal(parts, state)
    elif isinstance(state, Playing):
        _add_deal(parts, state)
    elif state.last_deal is not None:
        told = nothing.copy()
        _add_deal(told, state.last_deal)
        parts["last_deal"] = known(deal_setup, told)
    return parts


def _add_deal(parts: dict[str, Any], dealt: Playing | PlayedDeal) -> None:
    """Add the parts of a current or finished deal, without the slow `getattr`."""
    public = dealt.public
    parts["kitty"] = dealt.kitty
    parts["passes"] = dealt.passes
    parts["resumed_from"] = dealt.resumed_from
    parts["leader"] = public.leader
    parts["tricks"] = public.tricks
    parts["captured"] = dealt.captured
    parts["tricks_won"] = public.tricks_won
    parts["trick_number"] = public.trick_number
    parts["set_aside"] = public.set_aside
    parts["kitty_winner"] = public.kitty_winner
    _add_to_deal(parts, dealt)


def _add_to_deal(parts: dict[str, Any], dealt: Exposing | Playing | PlayedDeal) -> None:
    if dealt.passes and dealt.rules._resolved.through_middle(dealt.deal_number):
        parts["dealt_back"] = dealt.received
    if dealt.start.exposed_mask:
        parts["exposed"] = dealt.exposed
