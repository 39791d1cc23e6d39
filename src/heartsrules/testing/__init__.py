"""A kit for the tests of whatever uses this package; it needs the extra `testing`.

The Hypothesis strategies are also registered with Hypothesis: `st.from_type(Rules)` and its like find them without
anything being imported from here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from heartsrules.testing._names import names
    from heartsrules.testing.strategies import bags, cards, deals, games, moves, records, rules, states, views

__all__ = ["bags", "cards", "deals", "games", "moves", "names", "records", "rules", "states", "views"]

_MODULES: Final = {**dict.fromkeys(__all__, "heartsrules.testing.strategies"), "names": "heartsrules.testing._names"}
"""Where each name comes from."""


def __getattr__(name: str) -> object:
    # Hypothesis imports this package whenever it is itself imported, for the entry point in it: nothing else may be
    # imported then.
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
