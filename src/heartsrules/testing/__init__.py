"""A kit for the tests of whatever uses this package; it needs the extra `testing`.

The Hypothesis strategies are also registered with Hypothesis: `st.from_type(Rules)` and its like find them without
anything being imported from here.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.testing.namespace import names
    from heartsrules.testing.rule_sets import random_rules
    from heartsrules.testing.strategies import bags, cards, deals, games, moves, records, rules, states, views
else:
    # Hypothesis imports this package whenever it is itself imported, for the entry point in it: nothing else may be
    # imported then.
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "namespace": ("names",),
            "rule_sets": ("random_rules",),
            "strategies": ("bags", "cards", "deals", "games", "moves", "records", "rules", "states", "views"),
        },
    )

__all__ = ["bags", "cards", "deals", "games", "moves", "names", "random_rules", "records", "rules", "states", "views"]
