"""Cards that may lie in places, the same in groups, and what all ways of counting them need."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import Cards, bag_of
from heartsrules.chance.words import Words

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["BITS", "ONES", "Counted", "Part", "choices_of", "pick"]

BITS: Final = 7
ONES: Final = 127
"""What a group has left takes seven bits: there are at most 104 cards."""


@final
class Part:
    """Cards to lie in places, and the faces that each place may hold. Lists are by place.

    Args:
        room: how many cards each place takes, that of `held` included.
        cards: the cards that lie there, those of `held` left out; equal cards are told apart.
        may: the faces that each place may hold besides `held`, as a mask.
        held: a card that is settled, as its bit; 0: there is none.
    """

    def __init__(self, room: list[int], cards: Cards, may: list[int], held: list[int]) -> None:
        self.room: Final = room
        self.cards: Final = cards
        self.may: Final = may
        self.held: Final = held


class Counted:
    """The ways of a part, counted."""

    def __init__(self, part: Part) -> None:
        self.part: Final = part
        self.count: int = 0
        """How many ways there are."""
        self.entries: int = 0
        """How many entries the tables have."""
        self.places: Final[list[int]] = []
        """The places that take cards which are not settled."""
        self.room: Final[list[int]] = []
        """How many, each."""
        for place, size in enumerate(part.room):
            free = size - (part.held[place] != 0)
            if free:
                self.places.append(place)
                self.room.append(free)
        self.where: list[int] = [0] if part.cards else []
        """By group, the places where its cards may lie: a bit for the number of each in `places`."""
        self.once: list[int] = [part.cards.lo] if part.cards else []
        """By group, its cards as a mask,"""
        self.twice: list[int] = [part.cards.hi] if part.cards else []
        """and those of them that are there a second time."""
        for number, place in enumerate(self.places):
            self._divide(number, part.may[place])

    def _divide(self, number: i64, may: i64) -> None:
        """Divide the groups into what a place may hold and the rest."""
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
        """One of the ways, all of them equally likely: the cards of each place."""
        once, twice = self.lying(words)
        part = self.part
        drawn: list[Cards] = []
        number: i64 = 0
        place: i64 = 0
        while place < len(part.room):
            held: i64 = part.held[place]
            first: i64 = 0
            second: i64 = 0
            if number < len(self.places) and self.places[number] == place:
                first = once[number]
                second = twice[number]
                number += 1
            # Of a face that lies here more than once, one copy is enough for `lo`.
            drawn.append(bag_of(first | second | held, first & second | held & (first | second)))
            place += 1
        return drawn

    def lying(self, words: Words) -> tuple[list[int], list[int]]:
        """What lies in each of `places`: first copies, and second ones."""
        raise NotImplementedError


_CHOICES: Final[list[list[int]]] = [[] for _ in range(105)]


def choices_of(count: i64) -> list[int]:
    """In how many ways 0, 1, 2 and so on of so many cards can be chosen."""
    row = _CHOICES[count]
    if not row:
        row.extend([comb(count, chosen) for chosen in range(count + 1)])
    return row


def pick(sums: list[int], words: Words) -> i64:
    """A random index, by how far the ways have come with each; no word is taken if there is only one."""
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
