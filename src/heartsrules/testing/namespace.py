"""The names in the `repr` of this package's values, for `eval` in tests."""

from __future__ import annotations

from importlib import import_module
from typing import Final

_MODULES: Final = (
    *("analysis", "analysis.policies", "base.errors", "bots", "cards", "chance", "rules", "setup", "views"),
    *("play.engine", "play.events", "play.game", "play.legality", "play.moves", "play.phases", "play.public"),
    *("play.scoring", "play.sheet", "play.state", "play.transitions", "play.violations"),
    *("simulation", "simulation.batch_judge", "simulation.statistics"),
)


def names() -> dict[str, object]:
    """Return the names in the `repr` of this package's values, as globals for `eval`.

    >>> eval("Play(2, Card('QS'))", names())
    Play(2, Card('QS'))
    """
    found: dict[str, object] = {}
    for place in _MODULES:
        module = import_module(f"heartsrules.{place}")
        public = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
        found.update({name: getattr(module, name) for name in public})
    return found
