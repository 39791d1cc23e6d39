"""Drawing one of the ways in which cards can lie.

Cards that may lie in the same places are a group, and places that may hold the same groups are one. Where a few groups
are left, the places are gone through one after the other. Otherwise a plan is made in which order to count. Either way
there are tables, whose size depends on the view. It is kept below `MOST_ENTRIES`; where it would be larger, cards are
exchanged at random instead. See "Worlds" in the documentation.
"""

from __future__ import annotations

from typing import Final

from heartsrules.cards import Cards
from heartsrules.chance.words import Words
from heartsrules.views.worlds.counting.by_place import InTurn
from heartsrules.views.worlds.counting.by_plan import Planned
from heartsrules.views.worlds.counting.markov_chain import Exchanged
from heartsrules.views.worlds.counting.parts import Counted, Part, pick
from heartsrules.views.worlds.counting.too_many import TooManyEntries

__all__ = ["FEW_ENTRIES", "MOST_ENTRIES", "Lots"]

MOST_ENTRIES: Final = 1_000_000
"""How many entries the tables of one view may have; a view that needs more is drawn by exchanges."""

FEW_ENTRIES: Final = 200
"""As many entries as it takes about as long to make as a plan."""


class Lots:
    """The ways in which cards may lie: those of several parts, which have none in common.

    Args:
        parts: the parts. The same cards must be shared out in all of them, to the same room.
        most: how many entries the tables may have, all parts together; -1 counts nothing at all.
        few: how many they may have before a plan is made of how to count; -1: always make one.
    """

    def __init__(self, parts: list[Part], most: int = MOST_ENTRIES, few: int = FEW_ENTRIES) -> None:
        self.entries: int = 0
        """How many entries the tables have: 0 if nothing needs counting, or if they would have more than `most`."""
        self.exact: bool = True
        """Whether every way is exactly as likely as every other."""
        self._counted: list[Counted] = []
        self._exchanged: Exchanged | None = None
        self._sums: list[int] = []
        """The ways of the first part, of the first two, and so on."""
        ways = 0
        for part in parts:
            counted = _counted(part, most - self.entries, few)
            if counted is None:
                self.exact = False
                break
            self.entries += counted.entries
            ways += counted.count
            self._counted.append(counted)
            self._sums.append(ways)
        self.possible: bool = ways > 0
        """Whether there is any way at all."""
        if not self.exact:
            self.entries = 0
            self._counted.clear()
            self._exchanged = Exchanged(parts)
            self.possible = self._exchanged.possible

    @property
    def count(self) -> int | None:
        """How many ways there are; None if they were too many to count."""
        if not self.exact:
            return None
        return self._sums[-1] if self._sums else 0

    def draw(self, words: Words) -> list[Cards]:
        """One of the ways, which must be possible: the cards of each place."""
        if self._exchanged is not None:
            return self._exchanged.draw(words)
        return self._counted[pick(self._sums, words)].draw(words)


def _counted(part: Part, most: int, few: int) -> Counted | None:
    """The ways of a part, in whichever way they are counted; None: that takes too many entries."""
    if most < 0:
        return None
    if few >= 0:
        try:
            return InTurn(part, min(most, few))
        except TooManyEntries:
            pass
    try:
        return Planned(part, most)
    except TooManyEntries:
        return None
