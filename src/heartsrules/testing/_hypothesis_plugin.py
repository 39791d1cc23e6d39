"""The `hypothesis` entry point, a registration of this package's strategies."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, get_args

from heartsrules.cards import Card, Cards
from heartsrules.play.game import Game, Record
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Pass, Play
from heartsrules.play.state import State
from heartsrules.rules import Rules
from heartsrules.views import View

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_STRATEGIES: Final = {
    Card: "cards",
    Cards: "bags",
    Rules: "rules",
    Deal: "deals",
    Pass: "any_passes",
    Play: "any_plays",
    ChooseMoon: "any_choices",
    Expose: "any_exposures",
    Game: "games",
    Record: "records",
}


def _strategy(_type: type, /, name: str, **arguments: Any) -> SearchStrategy[Any]:
    """Make the strategy of that name when Hypothesis asks for it."""
    make: Callable[..., SearchStrategy[Any]] = getattr(import_module("heartsrules.testing.strategies"), name)
    return make(**arguments)


def register() -> None:
    """Register a strategy for every type, importing and making none of them yet."""
    from hypothesis.strategies import register_type_strategy

    for kind, name in _STRATEGIES.items():
        register_type_strategy(kind, partial(_strategy, name=name))
    for state in get_args(State):
        register_type_strategy(state, partial(_strategy, name="states", phases=(state.phase,)))
    for seen in get_args(View):
        register_type_strategy(seen, partial(_strategy, name="views", phases=(seen.phase,)))
