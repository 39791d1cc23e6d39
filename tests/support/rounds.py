"""How much is tried by the tests that draw what they try.

In the environment, `HEARTSRULES_ROUNDS` asks for so many times as much as the tests say, of which everyday work has a
third, and `HEARTSRULES_SEED` for other draws. The interpreted build, which is slow, tries a quarter of the examples;
both builds have the same code.
"""

from __future__ import annotations

import os
from typing import Final

from hypothesis import HealthCheck, settings

from heartsrules import COMPILED

__all__ = ["SEED", "TIMES", "examples", "laws", "rounds"]

SEED: Final = os.environ.get("HEARTSRULES_SEED", "hearts")
"""Of the tests that draw with a seed of their own."""
TIMES: Final = float(os.environ.get("HEARTSRULES_ROUNDS", "0.33"))
"""How many times as much is tried as the tests say."""


def rounds(whole: int, *, interpreted: int | None = None) -> int:
    """How often a loop goes round.

    Args:
        whole: how often with `HEARTSRULES_ROUNDS=1`.
        interpreted: the same in the interpreted build; None: as often.
    """
    if interpreted is not None and not COMPILED:
        whole = interpreted
    return max(1, round(whole * TIMES))


def examples(whole: int) -> int:
    """How many examples Hypothesis tries, of so many in the compiled build with `HEARTSRULES_ROUNDS=1`; not under 3."""
    return max(3, rounds(whole, interpreted=whole // 4))


def laws(whole: int, *more: HealthCheck) -> settings:
    """The settings of a test whose examples are whole games or rule sets.

    Args:
        whole: how many examples, as for `examples`.
        more: health checks of Hypothesis that are left out, besides those of slow and large examples.
    """
    return settings(
        deadline=None,
        max_examples=examples(whole),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, *more],
    )
