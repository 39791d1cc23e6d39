"""Counting and drawing the arrangements of unseen cards in hidden places, each equally likely.

A place is a hidden hand or the hidden kitty, with a capacity and a set of allowed faces. Nothing here knows a rule of
the game: `heartsrules.views.hidden_hands` states the constraints.

Cards with the same allowed places are a group, and places with the same allowed groups are merged. A dynamic program
goes through the places: a step assigns cards of each group to one place, and groups that differ in this place only are
one group from there on.
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
"""The most table entries for one view."""

_BITS: Final = 7
_ONES: Final = 127
"""Bits of a group's size, and their mask: there are at most 104 cards."""


@final
class ArrangementSampler:
    """A sampler of the arrangements of several disjoint cases.

    Args:
        cases: the cases, which assign the same cards to places of the same capacities.
        most: the most table entries, all cases together.

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
        """The cumulative numbers of arrangements, by case."""
        for case in cases:
            counted = _Arrangements(case, most, self.entries)
            self.entries = counted.entries
            self.count += counted.count
            self._counted.append(counted)
            self._sums.append(self.count)

    def draw(self, words: Words) -> list[Cards]:
        """Draw an arrangement, of which there must be one: the cards of each place."""
        case = bisect_right(self._sums, words.far_below(self.count)) if len(self._sums) > 1 else 0
        return self._counted[case].draw(words)


@final
class _Node:
    """The choices of how many cards of one group a place gets, at a state."""

    def __init__(self, least: int) -> None:
        self.least: Final = least
        """The number of cards of the first choice; each further choice takes one more."""
        self.sums: Final[list[int]] = []
        """By choice, the cumulative number of arrangements."""
        self.next: Final[list[_Node | None]] = []
        """By choice, the node that follows; None if nothing is left to choose."""


@final
class _Step:
    """The assignment of cards to one place (or several merged ones), and how it changes the groups."""

    def __init__(self, room: int) -> None:
        self.room: Final = room
        self.whole: Final[list[int]] = []
        """The groups that no later place may hold, so that all their cards are assigned here."""
        self.groups: Final[list[int]] = []
        """The other groups that the place may hold. The last one fills the room that the others leave."""
        self.nodes: Final[list[dict[int, _Node]]] = []
        """By index in `groups`, the nodes by state; none for the last group."""
        self.into: Final[list[int]] = []
        """By group, the group that its remaining cards join; -1: none remain."""
        self.after: int = 0
        """The number of groups after the step."""


@final
class _Arrangements:
    """The arrangements of a case, counted place by place; the last two places need no table.

    A state is the sizes of the groups, packed into an integer.

    Args:
        case: the case.
        most: the most table entries.
        entries: the number of entries for other cases.

    Raises:
        TooManyWorlds: there would be more than `most` entries.
    """

    def __init__(self, case: Case, most: int, entries: int) -> None:
        self.count: int = 0
        """The number of arrangements."""
        self.entries: int = entries
        """The number of table entries, with those for other cases."""
        self._case: Final = case
        self._most: Final = most
        self._places: Final[list[int]] = []
        """The places with capacity besides their fixed card."""
        self._room: Final[list[int]] = []
        """That capacity, by index in `_places`."""
        self._merged: Final[list[list[int]]] = []
        """The merged places of each step, as indices in `_places`: they may hold the same groups."""
        self._steps: Final[list[_Step]] = []
        self._first: _Node | None
        for place, size in enumerate(case.room):
            free = size - (case.fixed[place] != 0)
            if free:
                self._places.append(place)
                self._room.append(free)
        self._where: list[int] = [0] if case.cards else []
        """By group, its allowed places, as a mask of indices in `_places`."""
        self._once: list[int] = [case.cards.lo] if case.cards else []
        """By group, its faces as a mask."""
        self._twice: list[int] = [case.cards.hi] if case.cards else []
        """By group, the faces that it holds twice."""
        for number, place in enumerate(self._places):
            self._divide(number, case.allowed[place])
        if 0 not in self._where and self._merge():
            self._count()

    def _divide(self, number: i64, may: i64) -> None:
        """Refine the groups by the allowed faces of a place."""
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
        """Merge the places that may hold the same groups, and prepare the steps; False if some place has no group."""
        columns = self._columns()
        if 0 in columns:
            return False
        if len(columns) > 2:
            # Places that may hold the largest groups come last, which takes a tenth of the entries for the hardest
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
        """The places by the groups that they may hold, a mask."""
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
        """The number of arrangements from a step on, and the next node; None if nothing is left to choose."""
        if index >= len(self._steps) - 1:
            return 1, None
        step = self._steps[index]
        room = step.room
        for group in step.whole:
            room -= _size(state, group)
        return self._from_group(index, 0, state, room) if room >= 0 else (0, None)

    def _from_group(self, index: int, at: int, state: int, room: int) -> tuple[int, _Node | None]:
        """The same from a group of a step on. `room`, which follows from the state, is what the place has left."""
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
        """Make a node.

        Raises:
            TooManyWorlds: there are too many entries.
        """
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
        """Draw an arrangement uniformly: the cards of each place."""
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
        """Draw the cards of each of `_places`: the masks of first and of second copies."""
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
    """The state after a step."""
    after = 0
    for into in step.into:
        if into >= 0:
            after += (state & _ONES) << _BITS * into
        state >>= _BITS
    return after


def _regrouped(step: _Step, once: list[int], twice: list[int]) -> tuple[list[int], list[int]]:
    """The groups after a step."""
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
    """The binomial coefficients of `count`, by the number chosen."""
    row = _BINOMIALS[count]
    if not row:
        row.extend([comb(count, chosen) for chosen in range(count + 1)])
    return row
