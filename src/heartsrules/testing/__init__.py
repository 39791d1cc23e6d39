"""A kit for the tests of whatever uses this package; it needs the extra `testing`.

The Hypothesis strategies are also registered with Hypothesis: `st.from_type(Rules)` and its like find them without
anything being imported from here.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.testing._api import *
else:
    # Hypothesis imports this package whenever it is itself imported, for the entry point in it: nothing else may be
    # imported then.
    _WITHOUT_IT = {"names": "heartsrules.testing.namespace", "random_rules": "heartsrules.testing.rule_sets"}
    __getattr__, __dir__ = lazy(__name__, **_WITHOUT_IT)
