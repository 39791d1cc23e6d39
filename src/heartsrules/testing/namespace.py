"""The names that the `repr` of a value of this package uses, to evaluate one that a test has printed."""

from __future__ import annotations

from importlib import import_module
from typing import Final

_MODULES: Final = (
    "analysis",
    "bots",
    "cards",
    "chance",
    "play.engine",
    "base.errors",
    "play.events",
    "play.game",
    "simulation",
    "simulation.batch_judge",
    "play.legality",
    "play.moves",
    "play.phases",
    "analysis.policies",
    "rules",
    "play.scoring",
    "setup",
    "play.public",
    "play.sheet",
    "play.state",
    "simulation.statistics",
    "play.transitions",
    "views",
    "play.violations",
)


def names() -> dict[str, object]:
    """Every name that the `repr` of a value of this package uses, as the globals for `eval`.

    >>> eval("Play(2, Card('QS'))", names())
    Play(2, Card('QS'))
    """
    found: dict[str, object] = {}
    for place in _MODULES:
        module = import_module(f"heartsrules.{place}")
        public = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
        found.update({name: getattr(module, name) for name in public})
    return found
