"""The `hypothesis` entry point: it tells Hypothesis which strategies belong to the types of this package."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import heartsrules

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["register"]

_STRATEGIES: Final = {
    heartsrules.Card: "cards",
    heartsrules.Cards: "bags",
    heartsrules.Rules: "rules",
    heartsrules.Deal: "deals",
    heartsrules.Pass: "any_passes",
    heartsrules.Play: "any_plays",
    heartsrules.ChooseMoon: "any_choices",
    heartsrules.Game: "games",
    heartsrules.Record: "records",
}
_STATES: Final = {
    heartsrules.AwaitingDeal: heartsrules.Phase.DEAL,
    heartsrules.Passing: heartsrules.Phase.PASS,
    heartsrules.Playing: heartsrules.Phase.PLAY,
    heartsrules.ChoosingMoon: heartsrules.Phase.MOON,
    heartsrules.GameOver: heartsrules.Phase.OVER,
}
_VIEWS: Final = {
    heartsrules.AwaitingDealView: heartsrules.Phase.DEAL,
    heartsrules.PassingView: heartsrules.Phase.PASS,
    heartsrules.PlayingView: heartsrules.Phase.PLAY,
    heartsrules.ChoosingMoonView: heartsrules.Phase.MOON,
    heartsrules.GameOverView: heartsrules.Phase.OVER,
}


def _strategy(_type: type, /, name: str, **arguments: Any) -> SearchStrategy[Any]:
    """Make the strategy of that name, now that Hypothesis asks for it."""
    make: Callable[..., SearchStrategy[Any]] = getattr(import_module("heartsrules.testing.strategies"), name)
    return make(**arguments)


def register() -> None:
    """Register a strategy for every type; none is made, and none of their code imported, before it is asked for."""
    from hypothesis.strategies import register_type_strategy

    for kind, name in _STRATEGIES.items():
        register_type_strategy(kind, partial(_strategy, name=name))
    for kind, phase in _STATES.items():
        register_type_strategy(kind, partial(_strategy, name="states", phases=(phase,)))
    for kind, phase in _VIEWS.items():
        register_type_strategy(kind, partial(_strategy, name="views", phases=(phase,)))
