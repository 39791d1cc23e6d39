"""Rule sets that differ from well-known ones in one option: each takes each of its values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import attrs

from heartsrules.base.errors import InvalidRules
from heartsrules.rules import FirstTrick, HeartsLead, Kitty, OpeningCard, Option, Rules
from heartsrules.rules.presets import (
    charged_hearts,
    dicegamedepot,
    gong_zhu,
    omnibus,
    pagat_cancellation,
    partner_hearts,
    polignac,
)

__all__ = ["KNOWN", "variations"]

LOOSE: Final = Rules(hearts_lead=HeartsLead.ANY_TIME, first_trick=FirstTrick.FREE, opening_card=OpeningCard.ANY)
KNOWN: Final = (
    Rules(),
    LOOSE,
    gong_zhu(4),
    charged_hearts(),
    pagat_cancellation(6),
    polignac(4),
    dicegamedepot(4, kitty=Kitty.FIRST_TRICK),
    partner_hearts(),
    omnibus(4),
)
"""The rule sets that are changed: what bars cards is in at least one of them."""


def variations(options: Iterable[Option] = Rules.OPTIONS) -> set[Rules]:
    """The rule sets with another value of one of the options, as far as the others allow it; not the known ones."""
    tried = [_changed(rules, option.name, value) for rules in KNOWN for option in options for value in option.samples]
    return {rules for rules in tried if rules is not None}.difference(KNOWN)


def _changed(rules: Rules, option: str, value: Any) -> Rules | None:
    try:
        return attrs.evolve(rules, **{option: value})
    except InvalidRules:
        return None
