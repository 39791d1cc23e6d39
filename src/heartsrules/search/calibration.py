"""Corrections of playout results, measured against the results of self-play by `bench/calibration.py`."""

from __future__ import annotations

from typing import Final, NamedTuple

from heartsrules.rules import Rules
from heartsrules.views import PassingView, PlayingView, View

__all__ = ["TABLE", "Correction", "correction_of", "situation_of"]


class Correction(NamedTuple):
    """The weights of worlds with a moon, and an offset of the points. A world without a moon has weight 1."""

    moon: float = 1.0
    """The weight of a world in which the mover's side shoots the moon."""
    against: float = 1.0
    """The weight of a world in which another side shoots the moon."""
    points: float = 0.0
    """The offset added to the expected points, in standard deviations of the points over the worlds."""


# table: written by bench/calibration.py
TABLE: Final = {
    ("early", "another"): Correction(moon=1.0, against=4.95, points=0.193),
    ("early", "own"): Correction(moon=0.61, against=1.0, points=0.073),
    ("early", "several"): Correction(moon=1.27, against=2.26, points=0.165),
    ("late", "another"): Correction(moon=1.0, against=12.93, points=0.105),
    ("late", "own"): Correction(moon=0.07, against=1.0, points=0.118),
    ("late", "several"): Correction(moon=0.05, against=0.05, points=0.344),
    ("middle", "another"): Correction(moon=1.0, against=6.85, points=0.165),
    ("middle", "own"): Correction(moon=0.13, against=1.0, points=0.117),
    ("middle", "several"): Correction(moon=0.62, against=2.73, points=0.219),
    ("pass", "several"): Correction(moon=2.56, against=2.8, points=0.004),
}
# end of table
"""The correction by stage of the deal (the pass, tricks 1 to 4, 5 to 8, and the others) and by who has taken penalty
cards: the mover's side alone ("own"), another side alone ("another"), nobody or several sides ("several")."""

_BESIDE: Final = frozenset(
    ("pass_cycle", "first_dealer", "target", "target_test", "bonus_target", "max_deals", "tie", "reckoning")
)
"""Options that do not affect the play and the points of a deal after its first lead."""
_STAGES: Final = ("early", "middle", "late")


def correction_of(view: View) -> Correction:
    """The correction for a decision of the view's seat; the neutral one in games that were not measured."""
    if not isinstance(view, (PassingView, PlayingView)) or not _is_measured(view.rules):
        return Correction()
    return TABLE[situation_of(view)]


def situation_of(view: View) -> tuple[str, str]:
    """The stage of the deal, and who has taken penalty cards, as in `TABLE`."""
    if not isinstance(view, PlayingView):
        return "pass", "several"
    penalties = view.rules.penalty_cards
    takers = [seat for seat, pile in enumerate(view.captured) if pile & penalties]
    taken = "several" if len(takers) != 1 else "own" if takers == [view.seat] else "another"
    return _STAGES[min(2, view.trick_number // 4)], taken


def _is_measured(rules: Rules) -> bool:
    """Whether the rules play a deal like the default rules, which the table was measured with."""
    usual = Rules()
    return all([getattr(rules, name) == getattr(usual, name) for name in _OPTIONS])


_OPTIONS: Final = [option.name for option in Rules.OPTIONS if option.name not in _BESIDE]
"""The options that must have their defaults for the table to apply."""
