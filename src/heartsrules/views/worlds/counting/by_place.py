"""Counting by a dynamic program over the places, for few groups: a step assigns cards of each group to one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import popcount
from heartsrules.chance.words import Words
from heartsrules.views.worlds.counting.cases import BITS, ONES, Arrangements, Case, binomials, pick
from heartsrules.views.worlds.counting.too_many import TooManyEntries

if TYPE_CHECKING:
    from mypy_extensions import i64

_MOST_GROUPS: Final = 8
"""The group sizes, of seven bits each, that fit into the machine integer of a state."""


@final
class _Step:
    """The assignment of cards to one place (or several merged ones), and how it changes the groups."""

    def __init__(self, room: int) -> None:
        self.room: Final = room
        self.groups: Final[list[int]] = []
        """The groups that it may take cards of."""
        self.exclusive: Final[list[bool]] = []
        """By index in `groups`: whether no later place may take the group, so that all of it is taken here."""
        self.into: Final[list[int]] = []
        """By group, the group that its remaining cards join; -1: none remain."""
        self.after: int = 0
        """The number of groups after the step."""


@final
class _Node:
    """The choices of a step from one state, a state being the packed sizes of the groups."""

    def __init__(self) -> None:
        self.codes: Final[list[int]] = []
        """By choice, the numbers of cards taken of each group, packed."""
        self.sums: Final[list[int]] = []
        """The cumulative numbers of arrangements, by choice."""
        self.next: Final[list[_Node | None]] = []
        """By choice, the node that follows; None before the last two steps."""


@final
class ArrangementsByPlace(Arrangements):
    """The arrangements of a case, counted place by place; the last two places need no table.

    Raises:
        TooManyEntries: more than eight groups, or more than `most` table entries.
    """

    def __init__(self, case: Case, most: int) -> None:
        super().__init__(case)
        self._most: Final = most
        self._merged: Final[list[list[int]]] = []
        """The merged places of each step, as indices in `places`: they may hold the same groups."""
        self._steps: Final[list[_Step]] = []
        self._nodes: Final[list[dict[int, _Node]]] = []
        self._first: _Node | None = None
        if len(self.where) > _MOST_GROUPS:
            raise TooManyEntries
        if 0 in self.where:
            return
        where = self._merge()
        if where is None:
            return
        self._prepare(where)
        start: i64 = 0
        shift: i64 = 0
        for group, first in enumerate(self.once):
            size: i64 = popcount(first) + popcount(self.twice[group])
            start |= size << shift
            shift += BITS
        if len(self._steps) > 2:
            self._first = self.node(0, start)
            self.count = self._first.sums[-1] if self._first is not None and self._first.sums else 0
        elif len(self._steps) == 2:
            self.count = self.last_count(start)
        else:
            self.count = 1
        self._nodes.clear()
        for merged in self._merged:
            left = sum([self.room[number] for number in merged])
            for number in merged:
                self.count *= binomials(left)[self.room[number]]
                left -= self.room[number]

    def _merge(self) -> list[int] | None:
        """Merge the places that may hold the same groups.

        Returns:
            By group, its allowed places, as a mask of indices in `_merged`; None if some place has no group at all.
        """
        columns: dict[int, list[int]] = {}
        for number in range(len(self.places)):
            column = 0
            for group, places in enumerate(self.where):
                if places >> number & 1:
                    column |= 1 << group
            columns.setdefault(column, []).append(number)
        if 0 in columns:
            return None
        # The most constrained places first.
        for column in sorted(columns, key=_links_of):
            self._merged.append(columns[column])
        where = [0] * len(self.where)
        for index, merged in enumerate(self._merged):
            for group, places in enumerate(self.where):
                if places >> merged[0] & 1:
                    where[group] |= 1 << index
        return where

    def _prepare(self, where: list[int]) -> None:
        """Prepare the steps."""
        for index, merged in enumerate(self._merged):
            step = _Step(sum([self.room[number] for number in merged]))
            rest: list[int] = []
            for group, places in enumerate(where):
                left = places & ~(1 << index)
                if left != places:
                    step.groups.append(group)
                    step.exclusive.append(left == 0)
                if left and left not in rest:
                    rest.append(left)
                step.into.append(rest.index(left) if left else -1)
            step.after = len(rest)
            self._steps.append(step)
            self._nodes.append({})
            where = rest

    def node(self, index: int, state: i64) -> _Node | None:
        """The node of a state before a step; None before the last two steps, which need no table."""
        if index >= len(self._steps) - 2:
            return None
        nodes = self._nodes[index]
        key = int(state)
        node = nodes.get(key)
        if node is None:
            node = _Node()
            nodes[key] = node
            _Expansion(self, index, self._steps[index], node, state).expand()
        return node

    def count_entry(self) -> None:
        """Count an entry of the table.

        Raises:
            TooManyEntries: it is one too many.
        """
        self.entries += 1
        if self.entries > self._most:
            raise TooManyEntries

    def last_count(self, state: i64) -> int:
        """The number of arrangements when two places are left."""
        step = self._steps[len(self._steps) - 2]
        wanted: i64 = step.room
        shared: i64 = 0
        at: i64 = 0
        while at < len(step.groups):
            size = _size(state, step.groups[at])
            if step.exclusive[at]:
                wanted -= size
            else:
                shared = size
            at += 1
        return binomials(shared)[wanted] if 0 <= wanted <= shared else 0

    def lying(self, words: Words) -> tuple[list[int], list[int]]:
        """Draw the cards of each of `places`: the masks of first and of second copies."""
        once = self.once
        twice = self.twice
        lying_once = [0] * len(self.places)
        lying_twice = [0] * len(self.places)
        node = self._first
        index: i64 = 0
        last: i64 = len(self._steps) - 1
        while index <= last:
            step = self._steps[index]
            first: i64 = 0
            second: i64 = 0
            if index == last:
                for cards in once:
                    first |= cards
                for cards in twice:
                    second |= cards
            else:
                code: i64 = -1
                if node is not None:
                    at = pick(node.sums, words)
                    code = node.codes[at]
                    node = node.next[at]
                once = once.copy()
                twice = twice.copy()
                first, second = _take_out(step, code, once, twice, words)
                once, twice = _regrouped(step, once, twice)
            merged = self._merged[index]
            for number in merged[:-1]:
                own, other = words.choice(first, second, self.room[number])
                lying_once[number] = own
                lying_twice[number] = other
                first ^= own
                second ^= other
            lying_once[merged[-1]] = first
            lying_twice[merged[-1]] = second
            index += 1
        return lying_once, lying_twice


@final
class _Expansion:
    """The enumeration of a step's choices for one state."""

    def __init__(self, table: ArrangementsByPlace, index: int, step: _Step, node: _Node, state: i64) -> None:
        self._table: Final = table
        self._index: Final = index
        self._step: Final = step
        self._node: Final = node
        self._state: Final[i64] = state

    def expand(self) -> None:
        """Add the choices of all cards, group by group, to the node."""
        step = self._step
        kept: i64 = self._state
        base: i64 = 0
        for into in step.into:
            if into >= 0:
                base += (kept & ONES) << BITS * into
            kept >>= BITS
        eligible: i64 = 0
        for group in step.groups:
            eligible += _size(self._state, group)
        self._choose(base, 0, step.room, eligible, 0, 1)

    def _choose(self, after: i64, at: i64, room: i64, eligible: i64, code: i64, weight: int) -> None:
        """Choose numbers of cards from the eligible groups, beginning with the one at index `at`.

        Args:
            after: the state after the step, if no more cards are chosen.
            at: an index in the step's groups.
            room: the capacity that is left.
            eligible: the number of cards in the groups that are left.
            code: the numbers chosen so far, packed.
            weight: the product of their binomial coefficients.
        """
        step = self._step
        if at == len(step.groups):
            if not room:
                self._finish(after, code, weight)
            return
        group = step.groups[at]
        size = _size(self._state, group)
        eligible -= size
        least: i64 = 0
        if step.exclusive[at]:
            least = size
        elif room > eligible:
            least = room - eligible
        greatest = size
        if room < size:
            greatest = room
        if least > greatest:
            return
        into: i64 = step.into[group]
        one: i64 = 0
        if into >= 0:
            one = 1
            one <<= BITS * into
        choices = binomials(size)
        number = least
        while number <= greatest:
            more = code | number << BITS * at
            self._choose(after - number * one, at + 1, room - number, eligible, more, weight * choices[number])
            number += 1

    def _finish(self, after: i64, code: i64, weight: int) -> None:
        """Add a complete choice to the node, unless no arrangement follows from it."""
        table = self._table
        following = table.node(self._index + 1, after)
        if following is None:
            weight *= table.last_count(after)
        elif following.sums:
            weight *= following.sums[-1]
        else:
            weight = 0
        if weight:
            table.count_entry()
            node = self._node
            node.codes.append(code)
            node.sums.append(weight + (node.sums[-1] if node.sums else 0))
            node.next.append(following)


def _take_out(step: _Step, code: i64, once: list[int], twice: list[int], words: Words) -> tuple[i64, i64]:
    """Draw a step's cards from the groups, by a packed choice; -1: as many as there is room for."""
    first: i64 = 0
    second: i64 = 0
    wanted: i64 = step.room
    shared: i64 = -1
    at: i64 = 0
    while at < len(step.groups):
        group = step.groups[at]
        mine: i64 = once[group]
        others: i64 = twice[group]
        if step.exclusive[at]:
            wanted -= popcount(mine) + popcount(others)
        elif code >= 0:
            mine, others = words.choice(mine, others, code & ONES)
        else:
            shared = group
            mine = 0
            others = 0
        code >>= BITS
        once[group] ^= mine
        twice[group] ^= others
        first |= mine
        second |= others
        at += 1
    if shared >= 0:
        mine, others = words.choice(once[shared], twice[shared], wanted)
        once[shared] ^= mine
        twice[shared] ^= others
        first |= mine
        second |= others
    return first, second


def _regrouped(step: _Step, once: list[int], twice: list[int]) -> tuple[list[int], list[int]]:
    """The groups after a step."""
    rest_once = [0] * step.after
    rest_twice = [0] * step.after
    for group, into in enumerate(step.into):
        if into >= 0:
            rest_once[into] |= once[group]
            rest_twice[into] |= twice[group]
    return rest_once, rest_twice


def _links_of(column: int) -> tuple[int, int]:
    return column.bit_count(), column


def _size(state: i64, group: i64) -> i64:
    return state >> BITS * group & ONES
