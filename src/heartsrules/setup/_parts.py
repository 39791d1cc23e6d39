"""Conversion of a state to the attributes of a setup."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from heartsrules.base.values import wrong_type
from heartsrules.play.phases import DEAL, EXPOSE, MOON, OVER, PASS, PLAY
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    Exposing,
    Passing,
    PlayedDeal,
    Playing,
    State,
)

S = TypeVar("S")


_set_attribute: Final = object.__setattr__


def known(kind: type[S], parts: dict[str, Any]) -> S:
    """Make a setup of a dictionary of all its attributes, whose types are right, without its constructor.

    The dictionary becomes the object's own. Servers make two setups for every move.
    """
    made = object.__new__(kind)
    _set_attribute(made, "__dict__", parts)
    return made


def told_parts(state: State, parts: dict[str, Any], deal_setup: type[Any], nothing: dict[str, Any]) -> dict[str, Any]:
    """The attributes of the setup of a state."""
    sheet = state.score_sheet
    given: object = sheet
    # Interpreted, a state may hold anything.
    if not isinstance(given, ScoreSheet):
        wrong_type("score_sheet", "a ScoreSheet", given)
    parts["rules"] = state.rules
    parts["deal_number"] = state.deal_number
    parts["first"] = sheet.first
    if sheet.first:
        parts["start"] = sheet.start
    parts["queen_taker"] = sheet.queen_taker_before
    parts["score_sheet"] = sheet.rows
    parts["scores"] = state.scores
    parts["has_full_history"] = state.has_full_history
    if isinstance(state, Playing):
        _add_deal(parts, state)
        parts["hands"] = state.hands
        parts["phase"] = PLAY
        parts["trick"] = state.trick
        parts["hearts_broken"] = state.hearts_broken
        parts["turn"] = state.turn
        return parts
    if isinstance(state, (Passing, Exposing)):
        parts["hands"] = state.hands
        parts["kitty"] = state.kitty
        if isinstance(state, Exposing):
            parts["phase"] = EXPOSE
            parts["passes"] = state.passes
            _add_dealt_back(parts, state)
            parts["exposures"] = state.commitments
            if state.start.exposed_mask:
                parts["exposed"] = state.start.exposed
        else:
            parts["phase"] = PASS
            parts["passes"] = state.commitments
        return parts
    last = state.last_deal
    if last is not None:
        told = nothing.copy()
        _add_deal(told, last)
        parts["last_deal"] = known(deal_setup, told)
    if isinstance(state, AwaitingDeal):
        parts["phase"] = DEAL
    elif isinstance(state, ChoosingMoon):
        parts["phase"] = MOON
        parts["shooter"] = state.shooter
        parts["others_up"] = state.others_up
        parts["shooter_down"] = state.shooter_down
    else:
        parts["phase"] = OVER
        parts["winners"] = state.winners
    return parts


def _add_dealt_back(parts: dict[str, Any], dealt: Exposing | Playing | PlayedDeal) -> None:
    """Fill in what was dealt back from the middle, if a pass went through it."""
    if dealt.passes and dealt.rules.resolved.through_middle(dealt.deal_number):
        parts["dealt_back"] = dealt.received


def _add_deal(parts: dict[str, Any], played: Playing | PlayedDeal) -> None:
    """Fill in the parts of a deal in play, or of one that is over."""
    parts["kitty"] = played.kitty
    parts["passes"] = played.passes
    _add_dealt_back(parts, played)
    if played.start.exposed_mask:
        parts["exposed"] = played.exposed
    parts["tricks"] = played.tricks
    parts["resumed_from"] = played.resumed_from
    parts["leader"] = played.leader
    parts["captured"] = played.captured
    parts["tricks_won"] = played.tricks_won
    parts["trick_number"] = played.trick_number
    parts["set_aside"] = played.set_aside
    parts["kitty_winner"] = played.kitty_winner
