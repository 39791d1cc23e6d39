"""Correct playout results with figures from self-play (`bench/calibration.py`)."""

from __future__ import annotations

from math import exp, log
from typing import Final, NamedTuple

from heartsrules.rules import Rules
from heartsrules.views import PassingView, PlayingView, View


class Correction(NamedTuple):
    """The weights of worlds with a moon, and an offset of the points.

    Worlds without a moon have weight 1.
    """

    moon: float = 1.0
    """The weight of a world in which the mover's side shoots the moon."""
    against: float = 1.0
    """The weight of a world in which another side shoots the moon."""
    points: float = 0.0
    """The offset of the expected points, in standard deviations over the worlds."""
    line: tuple[float, float] | None = None
    """The line for `read_off`, or None to use the weights for own moons."""

    def read_off(self, moons: float, worlds: float) -> float:
        """Estimate the chance of an own moon from its frequency in the sampled worlds.

        Its logit is a linear function of the observed frequency's logit.
        """
        assert self.line is not None
        intercept, slope = self.line
        return 1 / (1 + exp(-intercept - slope * log((moons + 0.5) / (worlds - moons + 0.5))))


# table: written by bench/calibration.py
TABLE: Final = {
    ("early", "another"): Correction(moon=1.0, against=8.36, points=0.199),
    ("early", "nobody"): Correction(moon=1.36, against=2.55, points=0.169),
    ("early", "own"): Correction(moon=0.69, against=1.0, points=0.089),
    ("early", "several"): Correction(moon=1.0, against=1.0, points=0.289),
    ("late", "another"): Correction(moon=1.0, against=14.95, points=0.087),
    ("late", "nobody"): Correction(moon=0.41, against=0.76, points=0.305),
    ("late", "own"): Correction(moon=0.06, against=1.0, points=0.155),
    ("late", "several"): Correction(moon=1.0, against=1.0, points=0.314),
    ("middle", "another"): Correction(moon=1.0, against=8.74, points=0.152),
    ("middle", "nobody"): Correction(moon=0.33, against=3.2, points=0.146),
    ("middle", "own"): Correction(moon=0.13, against=1.0, points=0.145),
    ("middle", "several"): Correction(moon=1.0, against=1.0, points=0.344),
    ("pass", "nobody"): Correction(moon=2.53, against=2.54, points=0.019),
}
# end of table
"""The corrections by stage of the deal and by who has penalty cards.

Stages are the pass, tricks 1 to 4, tricks 5 to 8, and later ones. The penalty cards are with "nobody", only the mover
("own"), only another player ("another"), or several players. Measured in deals between sampling players.
"""

# batch_table: written by bench/calibration.py
BATCH_TABLE: Final = {
    ("early", "another"): Correction(moon=1.0, against=5.51, points=0.123),
    ("early", "nobody"): Correction(moon=0.83, against=2.43, points=0.146),
    ("early", "own"): Correction(moon=1.0, against=1.0, points=0.121),
    ("early", "several"): Correction(moon=1.0, against=1.0, points=0.21),
    ("late", "another"): Correction(moon=1.0, against=1.97, points=0.047),
    ("late", "nobody"): Correction(moon=1.0, against=1.0, points=0.0),
    ("late", "own"): Correction(moon=1.33, against=1.0, points=-0.03),
    ("late", "several"): Correction(moon=1.0, against=1.0, points=0.186),
    ("middle", "another"): Correction(moon=1.0, against=5.14, points=0.054),
    ("middle", "nobody"): Correction(moon=0.58, against=2.82, points=0.086),
    ("middle", "own"): Correction(moon=1.18, against=1.0, points=0.098),
    ("middle", "several"): Correction(moon=1.0, against=1.0, points=0.169),
    ("pass", "nobody"): Correction(moon=1.07, against=1.08, points=-0.002),
}
# end of batch_table
"""The corrections for playouts by `heartsrules.bots.Learned`.

Measured in deals between learned players.
"""

LINE: Final = (-0.79, 0.58)
"""The line for an own moon while no other player has penalty cards.

It is for deals between sampling players, where worlds reveal too little about stoppers and running hands.
`bench/calibration.py moons` fits it. Playouts by `heartsrules.bots.Learned` do not need one.
"""

_BESIDE: Final = frozenset(
    ("pass_cycle", "first_dealer", "target", "target_test", "bonus_target", "max_deals", "tie", "score_display")
)
"""Options that do not affect a deal's play and points after its first lead."""
_STAGES: Final = ("early", "middle", "late")


def correction_of(view: View, batch: bool = False) -> Correction:
    """Return the correction for a decision, or a neutral one in unmeasured games.

    Args:
        view: the view of the deciding seat.
        batch: True if a batch policy plays the playouts.
    """
    if not _is_measured(view):
        return Correction()
    situation = situation_of(view)
    found = (BATCH_TABLE if batch else TABLE)[situation]
    return found._replace(line=LINE) if situation[1] == "own" and not batch else found


def possible_moons(view: View, batch: bool = False) -> list[tuple[float, int]]:
    """List the weights and the mover's points for moons that are still possible.

    The list is empty in unmeasured games.
    """
    if not _is_measured(view):
        return []
    correction, (_, taken) = correction_of(view, batch), situation_of(view)
    own = [(correction.moon, 0)] if taken in ("nobody", "own") else []
    return [*own, (correction.against, 26)] if taken in ("nobody", "another") else own


def situation_of(view: View) -> tuple[str, str]:
    """Return the stage of the deal and who has penalty cards, as in `TABLE`."""
    if not isinstance(view, PlayingView):
        return "pass", "nobody"
    penalties = view.rules.penalty_cards
    takers = [seat for seat, pile in enumerate(view.captured) if pile & penalties]
    if len(takers) > 1:
        taken = "several"
    elif takers:
        taken = "own" if takers == [view.seat] else "another"
    else:
        taken = "nobody"
    return _STAGES[min(2, view.trick_number // 4)], taken


def _is_measured(view: View) -> bool:
    """Return True if the rules and the phase are among those measured."""
    return isinstance(view, (PassingView, PlayingView)) and all(
        [getattr(view.rules, name) == value for name, value in _USUAL]
    )


_USUAL: Final = [
    (name, getattr(Rules(), name)) for name in [option.name for option in Rules.OPTIONS] if name not in _BESIDE
]
"""Option values required for the table to apply."""
