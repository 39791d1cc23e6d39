"""How much is tried by the tests that draw what they try.

In the environment, `HEARTSRULES_ROUNDS` asks for so many times as much (0.1 is a tenth), and `HEARTSRULES_SEED` for
other draws. The interpreted build, which is slow, tries a quarter of the examples; both builds have the same code.
"""

from __future__ import annotations

import os
from typing import Final

from hypothesis import HealthCheck, settings

from heartsrules import COMPILED

__all__ = ["SEED", "TIMES", "examples", "laws", "rounds"]

SEED: Final = os.environ.get("HEARTSRULES_SEED", "hearts")
"""Of the tests that draw with a seed of their own."""
TIMES: Final = float(os.environ.get("HEARTSRULES_ROUNDS", "1"))
"""How many times as much is tried as usual."""


def rounds(usual: int, *, interpreted: int | None = None) -> int:
    """How often a loop goes round that usually goes round so often.

    Args:
        usual: how often.
        interpreted: how often in the interpreted build; None: as often.
    """
    if interpreted is not None and not COMPILED:
        usual = interpreted
    return max(1, round(usual * TIMES))


def examples(usual: int) -> int:
    """How many examples Hypothesis tries, of so many in the compiled build."""
    return rounds(usual, interpreted=max(10, usual // 4))


def laws(usual: int, *more: HealthCheck) -> settings:
    """The settings of a test whose examples are whole games or rule sets: so many examples.

    Args:
        usual: how many in the compiled build.
        more: health checks of Hypothesis that are left out, besides those of slow and large examples.
    """
    return settings(
        deadline=None,
        max_examples=examples(usual),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, *more],
    )
