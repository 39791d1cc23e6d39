"""Sampling of arrangements: by a dynamic program over the places, by elimination, or by a Markov chain.

Cards with the same allowed places are a group, and places with the same allowed groups are merged. The dynamic program
is used where its table is small, elimination where its tables stay below `MOST_ENTRIES`, and the chain otherwise. See
"Worlds" in the documentation.
"""

from __future__ import annotations

from typing import Final

from heartsrules.cards import Cards
from heartsrules.chance.words import Words
from heartsrules.views.worlds.counting.by_elimination import ArrangementsByElimination
from heartsrules.views.worlds.counting.by_place import ArrangementsByPlace
from heartsrules.views.worlds.counting.cases import Arrangements, Case, pick
from heartsrules.views.worlds.counting.markov_chain import ArrangementChain
from heartsrules.views.worlds.counting.too_many import TooManyEntries

MOST_ENTRIES: Final = 1_000_000
"""The most table entries for one view; beyond, the Markov chain is used."""

FEW_ENTRIES: Final = 200
"""The most entries of the dynamic program over places; finding an elimination order takes about as long."""


class ArrangementSampler:
    """A sampler of the arrangements of several disjoint cases.

    Args:
        cases: the cases, which assign the same cards to places of the same capacities.
        most: the most table entries, all cases together; -1: always use the Markov chain.
        few: the most entries of the dynamic program over places; -1: always use elimination.
    """

    def __init__(self, cases: list[Case], most: int = MOST_ENTRIES, few: int = FEW_ENTRIES) -> None:
        self.entries: int = 0
        """The number of table entries; 0 if there are none, or if they would exceed `most`."""
        self.exact: bool = True
        """Whether drawing is exactly uniform."""
        self._counted: list[Arrangements] = []
        self._chain_sampler: ArrangementChain | None = None
        self._sums: list[int] = []
        """The cumulative numbers of arrangements, by case."""
        total = 0
        for case in cases:
            counted = _counted(case, most - self.entries, few)
            if counted is None:
                self.exact = False
                break
            self.entries += counted.entries
            total += counted.count
            self._counted.append(counted)
            self._sums.append(total)
        self.possible: bool = total > 0
        """Whether there is any arrangement."""
        if not self.exact:
            self.entries = 0
            self._counted.clear()
            self._chain_sampler = ArrangementChain(cases)
            self.possible = self._chain_sampler.possible

    @property
    def count(self) -> int | None:
        """The number of arrangements; None if they were not counted."""
        if not self.exact:
            return None
        return self._sums[-1] if self._sums else 0

    def draw(self, words: Words) -> list[Cards]:
        """Draw an arrangement, of which there must be one: the cards of each place."""
        if self._chain_sampler is not None:
            return self._chain_sampler.draw(words)
        return self._counted[pick(self._sums, words)].draw(words)


def _counted(case: Case, most: int, few: int) -> Arrangements | None:
    """The arrangements of a case, counted with tables; None: these would have too many entries."""
    if most < 0:
        return None
    if few >= 0:
        try:
            return ArrangementsByPlace(case, min(most, few))
        except TooManyEntries:
            pass
    try:
        return ArrangementsByElimination(case, most)
    except TooManyEntries:
        return None
