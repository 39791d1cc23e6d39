"""Counting ways one place after the other: what each of them takes of each group of cards, where groups are few."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import popcount
from heartsrules.chance.words import Words
from heartsrules.views.worlds.counting.parts import BITS, ONES, Counted, Part, choices_of, pick
from heartsrules.views.worlds.counting.too_many import TooManyEntries

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["InTurn"]

_MOST_GROUPS: Final = 8
"""So many sizes of groups, of seven bits each, are one machine integer."""


@final
class _Taking:
    """What a place may take of the groups that are left when its turn comes, and what becomes of those then."""

    def __init__(self, room: int) -> None:
        self.room: Final = room
        self.groups: Final[list[int]] = []
        """The groups of which it may take cards."""
        self.alone: Final[list[bool]] = []
        """Whether no later place may take them, so that this one takes all, for each of those groups."""
        self.into: Final[list[int]] = []
        """By group, what it is part of afterwards; -1: nothing, since none of it is left."""
        self.after: int = 0
        """How many groups there are afterwards."""


@final
class _Node:
    """What a place may take when so many cards of each group are left, and how many ways there are to go on."""

    def __init__(self) -> None:
        self.codes: Final[list[int]] = []
        """How many cards of each group, seven bits each."""
        self.sums: Final[list[int]] = []
        """The ways of the first of them, of the first two, and so on."""
        self.next: Final[list[_Node | None]] = []
        """What the next place may take; None: that follows from what is left."""


@final
class InTurn(Counted):
    """The ways of a part whose places are gone through one after the other; the last two need no counting.

    Raises:
        TooManyEntries: there are more groups, or more entries, than this is for.
    """

    def __init__(self, part: Part, most: int) -> None:
        super().__init__(part)
        self._most: Final = most
        self._twins: Final[list[list[int]]] = []
        """The places that may hold the same groups, by their numbers in `places`: they share what they get."""
        self._turns: Final[list[_Taking]] = []
        self._nodes: Final[list[dict[int, _Node]]] = []
        self._first: _Node | None = None
        if len(self.where) > _MOST_GROUPS:
            raise TooManyEntries
        if 0 in self.where:
            return
        where = self._join()
        if where is None:
            return
        self._turn(where)
        start: i64 = 0
        shift: i64 = 0
        for group, first in enumerate(self.once):
            size: i64 = popcount(first) + popcount(self.twice[group])
            start |= size << shift
            shift += BITS
        if len(self._turns) > 2:
            node = self._node(0, start)
            self._first = node
            self.count = node.sums[-1] if node.sums else 0
        elif len(self._turns) == 2:
            self.count = self._last_ways(start)
        else:
            self.count = 1
        self._nodes.clear()
        for twins in self._twins:
            left = sum([self.room[number] for number in twins])
            for number in twins:
                self.count *= choices_of(left)[self.room[number]]
                left -= self.room[number]

    def _join(self) -> list[int] | None:
        """Join the places that may hold the same groups.

        Returns:
            By group, the numbers in `_twins` of its places, as bits; None: a place may hold nothing.
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
        # Those first that few groups may lie in: the last one may take anything.
        for column in sorted(columns, key=_links_of):
            self._twins.append(columns[column])
        where = [0] * len(self.where)
        for turn, twins in enumerate(self._twins):
            for group, places in enumerate(self.where):
                if places >> twins[0] & 1:
                    where[group] |= 1 << turn
        return where

    def _turn(self, where: list[int]) -> None:
        """Note what each place may take in its turn."""
        for turn, twins in enumerate(self._twins):
            taking = _Taking(sum([self.room[number] for number in twins]))
            rest: list[int] = []
            for group, places in enumerate(where):
                left = places & ~(1 << turn)
                if left != places:
                    taking.groups.append(group)
                    taking.alone.append(left == 0)
                if left and left not in rest:
                    rest.append(left)
                taking.into.append(rest.index(left) if left else -1)
            taking.after = len(rest)
            self._turns.append(taking)
            self._nodes.append({})
            where = rest

    def _node(self, turn: int, state: int) -> _Node:
        """What the place whose turn it is may take."""
        nodes = self._nodes[turn]
        node = nodes.get(state)
        if node is None:
            node = _Node()
            nodes[state] = node
            taking = self._turns[turn]
            kept: i64 = state
            base: i64 = 0
            for into in taking.into:
                if into >= 0:
                    base += (kept & ONES) << BITS * into
                kept >>= BITS
            among: i64 = 0
            for group in taking.groups:
                among += _size(state, group)
            self._take(turn, taking, node, state, base, 0, taking.room, among, 0, 1)
        return node

    def _take(
        self,
        turn: int,
        taking: _Taking,
        node: _Node,
        state: i64,
        after: i64,
        at: i64,
        room: i64,
        among: i64,
        code: i64,
        ways: int,
    ) -> None:
        """Note every way to take cards of the groups from the one at `at` on.

        Args:
            turn: whose turn it is.
            taking: what it may take.
            node: where to note it.
            state: how many cards each group had when its turn came.
            after: how many cards each will have afterwards, as far as it is settled.
            at: the place of the group among those that it may take.
            room: how many cards it still takes.
            among: of how many.
            code: what it takes of the groups before.
            ways: in how many ways.
        """
        if at == len(taking.groups):
            if room:
                # There are too few cards that it may take.
                return
            onward = self._onward(turn + 1, after)
            if onward is None:
                ways *= self._last_ways(after)
            elif onward.sums:
                ways *= onward.sums[-1]
            else:
                ways = 0
            if ways:
                self.entries += 1
                if self.entries > self._most:
                    raise TooManyEntries
                node.codes.append(code)
                node.sums.append(ways + (node.sums[-1] if node.sums else 0))
                node.next.append(onward)
            return
        group = taking.groups[at]
        size = _size(state, group)
        among -= size
        least: i64 = 0
        if taking.alone[at]:
            least = size
        elif room > among:
            least = room - among
        greatest = size
        if room < size:
            greatest = room
        if least > greatest:
            return
        into: i64 = taking.into[group]
        one: i64 = 0
        if into >= 0:
            one = 1
            one <<= BITS * into
        choices = choices_of(size)
        number = least
        while number <= greatest:
            more = code | number << BITS * at
            self._take(
                turn,
                taking,
                node,
                state,
                after - number * one,
                at + 1,
                room - number,
                among,
                more,
                ways * choices[number],
            )
            number += 1

    def _onward(self, turn: int, state: i64) -> _Node | None:
        """What the next place may take; None: it is the last but one."""
        return self._node(turn, state) if turn < len(self._turns) - 2 else None

    def _last_ways(self, state: i64) -> int:
        """The ways when two places are left."""
        taking = self._turns[len(self._turns) - 2]
        wanted: i64 = taking.room
        shared: i64 = 0
        at: i64 = 0
        while at < len(taking.groups):
            size = _size(state, taking.groups[at])
            if taking.alone[at]:
                wanted -= size
            else:
                shared = size
            at += 1
        return choices_of(shared)[wanted] if 0 <= wanted <= shared else 0

    def lying(self, words: Words) -> tuple[list[int], list[int]]:
        """What lies in each of `places`: first copies, and second ones."""
        once = self.once
        twice = self.twice
        lying_once = [0] * len(self.places)
        lying_twice = [0] * len(self.places)
        node = self._first
        turn: i64 = 0
        last: i64 = len(self._turns) - 1
        while turn <= last:
            taking = self._turns[turn]
            first: i64 = 0
            second: i64 = 0
            if turn == last:
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
                first, second = _take_out(taking, code, once, twice, words)
                once, twice = _put_together(taking, once, twice)
            twins = self._twins[turn]
            for number in twins[:-1]:
                own, other = words.choice(first, second, self.room[number])
                lying_once[number] = own
                lying_twice[number] = other
                first ^= own
                second ^= other
            lying_once[twins[-1]] = first
            lying_twice[twins[-1]] = second
            turn += 1
        return lying_once, lying_twice


def _take_out(taking: _Taking, code: i64, once: list[int], twice: list[int], words: Words) -> tuple[i64, i64]:
    """Take cards out of the groups: so many of each as a code says; if that is -1, as many as there is room for."""
    first: i64 = 0
    second: i64 = 0
    wanted: i64 = taking.room
    shared: i64 = -1
    at: i64 = 0
    while at < len(taking.groups):
        group = taking.groups[at]
        mine: i64 = once[group]
        others: i64 = twice[group]
        if taking.alone[at]:
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


def _put_together(taking: _Taking, once: list[int], twice: list[int]) -> tuple[list[int], list[int]]:
    """The groups as they are after a turn."""
    rest_once = [0] * taking.after
    rest_twice = [0] * taking.after
    for group, into in enumerate(taking.into):
        if into >= 0:
            rest_once[into] |= once[group]
            rest_twice[into] |= twice[group]
    return rest_once, rest_twice


def _links_of(column: int) -> tuple[int, int]:
    return column.bit_count(), column


def _size(state: i64, group: i64) -> i64:
    return state >> BITS * group & ONES
