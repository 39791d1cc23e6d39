"""Correct playout results with figures from self-play (`bench/calibration.py`)."""

from __future__ import annotations

from typing import Final, NamedTuple

from heartsrules.views import PassingView, PlayingView, View


class Correction(NamedTuple):
    """The weights of worlds with a moon, and an offset of the points.

    Without a moon, the weight is 1.
    """

    moon: float = 1.0
    """The weight of a world in which the mover's side shoots the moon. See `at`."""
    against: float = 1.0
    """The weight of a world in which another side shoots the moon."""
    points: float = 0.0
    """The offset of the expected points, in standard deviations over the worlds."""
    slope: float = 1.0
    """The change in the log odds of an own moon with the log odds of its frequency in the worlds."""
    lost: float = 0.0
    """The share by which points without an own moon are moved towards `FAILED`."""

    def at(self, moons: float, worlds: float) -> Correction:
        """Return the correction for a move, with the weight for its number of own moons.

        `moon` is the weight if half of the worlds have such a moon.
        """
        if self.slope == 1.0:
            return self
        odds = (moons + 0.5) / (worlds - moons + 0.5)
        return self._replace(moon=self.moon * odds ** (self.slope - 1.0), slope=1.0)


FAILED: Final = 25
"""The points of a failed moon, by the usual last trick that gives another player one."""

# table: written by bench/calibration.py
TABLE: Final = {
    ("early", "another"): Correction(moon=1.0, against=8.36, points=0.199, slope=1.0, lost=0.0),
    ("early", "nobody"): Correction(moon=1.36, against=2.55, points=0.169, slope=1.0, lost=0.0),
    ("early", "own"): Correction(moon=0.82, against=1.0, points=0.0, slope=0.63, lost=0.099),
    ("early", "several"): Correction(moon=1.0, against=1.0, points=0.289, slope=1.0, lost=0.0),
    ("late", "another"): Correction(moon=1.0, against=14.95, points=0.087, slope=1.0, lost=0.0),
    ("late", "nobody"): Correction(moon=0.41, against=0.76, points=0.305, slope=1.0, lost=0.0),
    ("late", "own"): Correction(moon=0.26, against=1.0, points=0.0, slope=0.6, lost=0.38),
    ("late", "several"): Correction(moon=1.0, against=1.0, points=0.314, slope=1.0, lost=0.0),
    ("middle", "another"): Correction(moon=1.0, against=8.74, points=0.152, slope=1.0, lost=0.0),
    ("middle", "nobody"): Correction(moon=0.33, against=3.2, points=0.146, slope=1.0, lost=0.0),
    ("middle", "own"): Correction(moon=0.45, against=1.0, points=0.0, slope=0.56, lost=0.108),
    ("middle", "several"): Correction(moon=1.0, against=1.0, points=0.344, slope=1.0, lost=0.0),
    ("pass", "nobody"): Correction(moon=2.53, against=2.54, points=0.019, slope=1.0, lost=0.0),
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
    return (BATCH_TABLE if batch else TABLE)[situation_of(view)]


def possible_moons(view: View) -> list[tuple[int, int]]:
    """List the moons that are still possible, as in `Played.shot`, and the mover's points for each.

    The list is empty in unmeasured games.
    """
    if not _is_measured(view):
        return []
    _, taken = situation_of(view)
    own = [(1, 0)] if taken in ("nobody", "own") else []
    return [*own, (2, 26)] if taken in ("nobody", "another") else own


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
    return isinstance(view, (PassingView, PlayingView)) and view.rules.changes().keys() <= _BESIDE
