"""One case of an assignment of cards to places, and what both ways of counting its arrangements share."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import Cards, bag_of
from heartsrules.chance.words import Words

if TYPE_CHECKING:
    from mypy_extensions import i64

BITS: Final = 7
ONES: Final = 127
"""Bits of a group's size, and their mask: there are at most 104 cards."""


@final
class Case:
    """Cards to be assigned to places, under constraints. Lists are by place.

    Args:
        room: the capacity of each place, including its fixed card.
        cards: the cards to be assigned, without the fixed ones; equal cards are distinct.
        allowed: the allowed faces of each place, as a mask.
        fixed: the bit of a card fixed in the place; 0: none.
    """

    def __init__(self, room: list[int], cards: Cards, allowed: list[int], fixed: list[int]) -> None:
        self.room: Final = room
        self.cards: Final = cards
        self.allowed: Final = allowed
        self.fixed: Final = fixed


class Arrangements:
    """The arrangements of a case, counted: a group is a set of cards with the same allowed places."""

    def __init__(self, case: Case) -> None:
        self.case: Final = case
        self.count: int = 0
        """The number of arrangements."""
        self.entries: int = 0
        """The number of entries in the tables."""
        self.places: Final[list[int]] = []
        """The places with capacity besides their fixed card."""
        self.room: Final[list[int]] = []
        """That capacity, by index in `places`."""
        for place, size in enumerate(case.room):
            free = size - (case.fixed[place] != 0)
            if free:
                self.places.append(place)
                self.room.append(free)
        self.where: list[int] = [0] if case.cards else []
        """By group, its allowed places, as a mask of indices in `places`."""
        self.once: list[int] = [case.cards.lo] if case.cards else []
        """By group, its faces as a mask."""
        self.twice: list[int] = [case.cards.hi] if case.cards else []
        """By group, the faces that it holds twice."""
        for number, place in enumerate(self.places):
            self._divide(number, case.allowed[place])

    def _divide(self, number: i64, may: i64) -> None:
        """Refine the groups by the allowed faces of a place."""
        bit: i64 = 1
        bit <<= number
        where: list[int] = []
        once: list[int] = []
        twice: list[int] = []
        group: i64 = 0
        while group < len(self.where):
            first: i64 = self.once[group]
            second: i64 = self.twice[group]
            places: i64 = self.where[group]
            if first & may:
                where.append(places | bit)
                once.append(first & may)
                twice.append(second & may)
            if first & ~may:
                where.append(places)
                once.append(first & ~may)
                twice.append(second & ~may)
            group += 1
        self.where = where
        self.once = once
        self.twice = twice

    def draw(self, words: Words) -> list[Cards]:
        """Draw an arrangement uniformly: the cards of each place."""
        once, twice = self.lying(words)
        case = self.case
        drawn: list[Cards] = []
        number: i64 = 0
        place: i64 = 0
        while place < len(case.room):
            fixed: i64 = case.fixed[place]
            first: i64 = 0
            second: i64 = 0
            if number < len(self.places) and self.places[number] == place:
                first = once[number]
                second = twice[number]
                number += 1
            drawn.append(bag_of(first | second | fixed, first & second | fixed & (first | second)))
            place += 1
        return drawn

    def lying(self, words: Words) -> tuple[list[int], list[int]]:
        """Draw the cards of each of `places`: the masks of first and of second copies."""
        raise NotImplementedError


_BINOMIALS: Final[list[list[int]]] = [[] for _ in range(105)]


def binomials(count: i64) -> list[int]:
    """The binomial coefficients of `count`, by the number chosen."""
    row = _BINOMIALS[count]
    if not row:
        row.extend([comb(count, chosen) for chosen in range(count + 1)])
    return row


def pick(sums: list[int], words: Words) -> i64:
    """Draw an index by its weight, given the cumulative weights; a single one takes no random word."""
    last: i64 = len(sums) - 1
    if last == 0:
        return 0
    number = words.far_below(sums[last])
    first: i64 = 0
    while first < last:
        middle = (first + last) >> 1
        if number < sums[middle]:
            last = middle
        else:
            first = middle + 1
    return first
