"""A kit for testing code that uses this package.

It needs the extra `testing`. The strategies are also registered with Hypothesis: `st.from_type(Rules)` and the like
find them without importing anything from here.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.testing._api import *
else:
    # Hypothesis imports this package for its entry point whenever it is itself imported: nothing else may be
    # imported then.
    _WITHOUT_IT = {"names": "heartsrules.testing.namespace", "random_rules": "heartsrules.testing.rule_sets"}
    __getattr__, __dir__ = lazy(__name__, **_WITHOUT_IT)
