"""Uniform sampling of unseen cards in hidden places, by counting arrangements.

A place is a hidden hand or the hidden kitty, with a capacity and a set of allowed cards.
`heartsrules.views.hidden_hands` gives the constraints; nothing here depends on the rules of the game.

Cards with the same allowed places form a group, and places with the same allowed groups are merged. A dynamic program
visits the places. Each step assigns cards of each group to one place, and then merges groups that differed only in this
place.
"""

from __future__ import annotations

from bisect import bisect_right
from math import comb
from typing import TYPE_CHECKING, Final, final

from heartsrules.base.errors import Problem, TooManyWorlds
from heartsrules.cards import Cards, bag_of, popcount
from heartsrules.chance.words import Words
from heartsrules.views.hidden_hands import Case

if TYPE_CHECKING:
    from mypy_extensions import i64

MOST_ENTRIES: Final = 1_000_000
"""The maximum number of table entries for one view."""

_BITS: Final = 7
_ONES: Final = 127
"""The mask of a group's size, which is at most 104."""


@final
class ArrangementSampler:
    """A sampler of the arrangements of several disjoint cases.

    Args:
        cases: the cases, which assign the same cards to places of the same capacities.
        most: the maximum number of table entries for all cases together.

    Raises:
        TooManyWorlds: the tables would have more entries.
    """

    def __init__(self, cases: list[Case], most: int = MOST_ENTRIES) -> None:
        self.entries: int = 0
        """The number of table entries."""
        self.count: int = 0
        """The number of arrangements."""
        self._counted: Final[list[_Arrangements]] = []
        self._sums: Final[list[int]] = []
        for case in cases:
            counted = _Arrangements(case, most, self.entries)
            self.entries = counted.entries
            self.count += counted.count
            self._counted.append(counted)
            self._sums.append(self.count)

    def draw(self, words: Words) -> list[Cards]:
        """Sample the cards of each place. There must be an arrangement."""
        case = bisect_right(self._sums, words.far_below(self.count)) if len(self._sums) > 1 else 0
        return self._counted[case].draw(words)


@final
class _Node:
    def __init__(self, least: int) -> None:
        self.least: Final = least
        """The number of cards of the first choice. Each further choice takes one more."""
        self.sums: Final[list[int]] = []
        """The cumulative numbers of arrangements."""
        self.next: Final[list[_Node | None]] = []
        """The node after each choice, or None if nothing is left to choose."""


@final
class _Step:
    def __init__(self, room: int) -> None:
        self.room: Final = room
        self.whole: Final[list[int]] = []
        """The groups that no later place allows, so that all their cards are assigned here."""
        self.groups: Final[list[int]] = []
        """The other allowed groups. The last one fills the remaining room."""
        self.nodes: Final[list[dict[int, _Node]]] = []
        """The nodes by state for each item of `groups`, except the last one."""
        self.into: Final[list[int]] = []
        """The group that each group's remaining cards join, or -1 if there are none."""
        self.after: int = 0
        """The number of groups after the step."""


@final
class _Arrangements:
    """The arrangements of a case, counted place by place.

    A state is the sizes of the groups, packed into an integer. The last two places need no table.

    Args:
        case: the case.
        most: the maximum number of table entries.
        entries: the number of entries for other cases.

    Raises:
        TooManyWorlds: there would be more than `most` entries.
    """

    def __init__(self, case: Case, most: int, entries: int) -> None:
        self.count: int = 0
        self.entries: int = entries
        """The number of table entries, including other cases."""
        self._case: Final = case
        self._most: Final = most
        self._places: Final[list[int]] = []
        """The places with capacity besides their fixed card."""
        self._room: Final[list[int]] = []
        """That capacity, by index in `_places`."""
        self._merged: Final[list[list[int]]] = []
        """The merged places of each step, as indices in `_places`."""
        self._steps: Final[list[_Step]] = []
        self._first: _Node | None
        for place, size in enumerate(case.room):
            free = size - (case.fixed[place] != 0)
            if free:
                self._places.append(place)
                self._room.append(free)
        self._where: list[int] = [0] if case.cards else []
        """Each group's allowed places, as a mask of indices in `_places`."""
        self._once: list[int] = [case.cards.lo] if case.cards else []
        """Each group's cards, as a mask."""
        self._twice: list[int] = [case.cards.hi] if case.cards else []
        """The cards that each group contains twice."""
        for number, place in enumerate(self._places):
            self._divide(number, case.allowed[place])
        if 0 not in self._where and self._merge():
            self._count()

    def _divide(self, number: i64, may: i64) -> None:
        bit: i64 = 1
        bit <<= number
        where: list[int] = []
        once: list[int] = []
        twice: list[int] = []
        group: i64 = 0
        while group < len(self._where):
            first: i64 = self._once[group]
            second: i64 = self._twice[group]
            places: i64 = self._where[group]
            if first & may:
                where.append(places | bit)
                once.append(first & may)
                twice.append(second & may)
            if first & ~may:
                where.append(places)
                once.append(first & ~may)
                twice.append(second & ~may)
            group += 1
        self._where = where
        self._once = once
        self._twice = twice

    def _merge(self) -> bool:
        """Merge places and prepare the steps. Returns False if a place has no group."""
        columns = self._columns()
        if 0 in columns:
            return False
        if len(columns) > 2:
            # Places that allow the largest groups are last, which takes a tenth of the entries for the hardest
            # views.
            order = sorted(range(len(self._once)), key=self._size_of)
            self._where = [self._where[group] for group in order]
            self._once = [self._once[group] for group in order]
            self._twice = [self._twice[group] for group in order]
            columns = self._columns()
        for column in sorted(columns):
            self._merged.append(columns[column])
        where = [0] * len(self._where)
        for index, merged in enumerate(self._merged):
            for group, places in enumerate(self._where):
                if places >> merged[0] & 1:
                    where[group] |= 1 << index
        for index, merged in enumerate(self._merged):
            step = _Step(sum([self._room[number] for number in merged]))
            rest: list[int] = []
            for group, places in enumerate(where):
                left = places & ~(1 << index)
                if not left:
                    step.whole.append(group)
                elif left != places:
                    if step.groups:
                        step.nodes.append({})
                    step.groups.append(group)
                if left and left not in rest:
                    rest.append(left)
                step.into.append(rest.index(left) if left else -1)
            step.after = len(rest)
            self._steps.append(step)
            where = rest
        return True

    def _columns(self) -> dict[int, list[int]]:
        columns: dict[int, list[int]] = {}
        for number in range(len(self._places)):
            column = 0
            for group, places in enumerate(self._where):
                if places >> number & 1:
                    column |= 1 << group
            columns.setdefault(column, []).append(number)
        return columns

    def _size_of(self, group: int) -> int:
        return int(popcount(self._once[group]) + popcount(self._twice[group]))

    def _count(self) -> None:
        start = 0
        for group in range(len(self._once)):
            start |= self._size_of(group) << _BITS * group
        self.count, self._first = self._from_step(0, start)
        for step in self._steps:
            step.nodes.clear()
        for merged in self._merged:
            left = sum([self._room[number] for number in merged])
            for number in merged:
                self.count *= _binomials(left)[self._room[number]]
                left -= self._room[number]

    def _from_step(self, index: int, state: int) -> tuple[int, _Node | None]:
        """Return the number of arrangements from a step on, and the next node or None."""
        if index >= len(self._steps) - 1:
            return 1, None
        step = self._steps[index]
        room = step.room
        for group in step.whole:
            room -= _size(state, group)
        return self._from_group(index, 0, state, room) if room >= 0 else (0, None)

    def _from_group(self, index: int, at: int, state: int, room: int) -> tuple[int, _Node | None]:
        """Return the same from a group of a step. `room` is left in the place."""
        step = self._steps[index]
        last = len(step.groups) - 1
        if at >= last:
            count = 1
            if at == last:
                group = step.groups[at]
                size = _size(state, group)
                if room > size:
                    return 0, None
                count = _binomials(size)[room]
                state -= room << _BITS * group
            elif room:
                return 0, None
            onward, following = self._from_step(index + 1, _regrouped_state(step, state))
            return count * onward, following
        node = step.nodes[at].get(state)
        if node is None:
            node = self._node(index, at, state, room)
            step.nodes[at][state] = node
        return (node.sums[-1], node) if node.sums else (0, None)

    def _node(self, index: int, at: int, state: int, room: int) -> _Node:
        step = self._steps[index]
        group = step.groups[at]
        size = _size(state, group)
        number = room
        for other in range(at + 1, len(step.groups)):
            number -= _size(state, step.groups[other])
        number = max(number, 0)
        node = _Node(number)
        greatest = min(room, size)
        choices = _binomials(size)
        total = 0
        while number <= greatest:
            self.entries += 1
            if self.entries > self._most:
                raise TooManyWorlds((Problem.of("too-many-worlds", ("view",), most=self._most),))
            count, following = self._from_group(index, at + 1, state - (number << _BITS * group), room - number)
            total += choices[number] * count
            node.sums.append(total)
            node.next.append(following)
            number += 1
        return node

    def draw(self, words: Words) -> list[Cards]:
        once, twice = self._lying(words)
        case = self._case
        drawn: list[Cards] = []
        number: i64 = 0
        place: i64 = 0
        while place < len(case.room):
            fixed: i64 = case.fixed[place]
            first: i64 = 0
            second: i64 = 0
            if number < len(self._places) and self._places[number] == place:
                first = once[number]
                second = twice[number]
                number += 1
            drawn.append(bag_of(first | second | fixed, first & second | fixed & (first | second)))
            place += 1
        return drawn

    def _lying(self, words: Words) -> tuple[list[int], list[int]]:
        """Sample the masks of first and of second copies in each of `_places`."""
        once = self._once
        twice = self._twice
        lying_once = [0] * len(self._places)
        lying_twice = [0] * len(self._places)
        node = self._first
        for index, step in enumerate(self._steps):
            once = once.copy()
            twice = twice.copy()
            first: i64 = 0
            second: i64 = 0
            wanted = step.room
            for group in step.whole:
                first |= once[group]
                second |= twice[group]
                wanted -= popcount(once[group]) + popcount(twice[group])
            last = len(step.groups) - 1
            number = -1
            for at, group in enumerate(step.groups):
                count = wanted
                if at < last:
                    assert node is not None, "a step with several groups has nodes"
                    if number < 0:
                        number = words.far_below(node.sums[-1])
                    chosen = bisect_right(node.sums, number)
                    count = node.least + chosen
                    if chosen:
                        number -= node.sums[chosen - 1]
                    number //= _binomials(popcount(once[group]) + popcount(twice[group]))[count]
                    node = node.next[chosen]
                    wanted -= count
                mine, others = words.choice(once[group], twice[group], count)
                once[group] ^= mine
                twice[group] ^= others
                first |= mine
                second |= others
            once, twice = _regrouped(step, once, twice)
            merged = self._merged[index]
            for place in merged[:-1]:
                mine, others = words.choice(first, second, self._room[place])
                lying_once[place] = mine
                lying_twice[place] = others
                first ^= mine
                second ^= others
            lying_once[merged[-1]] = first
            lying_twice[merged[-1]] = second
        return lying_once, lying_twice


def _regrouped_state(step: _Step, state: int) -> int:
    after = 0
    for into in step.into:
        if into >= 0:
            after += (state & _ONES) << _BITS * into
        state >>= _BITS
    return after


def _regrouped(step: _Step, once: list[int], twice: list[int]) -> tuple[list[int], list[int]]:
    rest_once = [0] * step.after
    rest_twice = [0] * step.after
    for group, into in enumerate(step.into):
        if into >= 0:
            rest_once[into] |= once[group]
            rest_twice[into] |= twice[group]
    return rest_once, rest_twice


def _size(state: int, group: int) -> int:
    return state >> _BITS * group & _ONES


_BINOMIALS: Final[list[list[int]]] = [[] for _ in range(105)]


def _binomials(count: i64) -> list[int]:
    row = _BINOMIALS[count]
    if not row:
        row.extend([comb(count, chosen) for chosen in range(count + 1)])
    return row
