"""Ways in which unseen cards can lie in hidden places: drawn exactly by counting them, or nearly so by exchanges.

A place is a hidden hand or a hidden kitty: so much room, and only some of the cards may lie in it. Nothing here knows
a rule of the game; `heartsrules.worlds` says what may lie where.

Cards that may lie in the same places are a group, and places that may hold the same groups are one. Where a few groups
are left, the places are gone through one after the other, and what each of them takes of each group is counted.
Otherwise a plan is made in which order to count. Either way there are tables, whose size depends on the view. It is
kept below `MOST_ENTRIES`; where it would be larger, cards are exchanged at random instead, which takes the same time
and no memory whatever the view. See "Worlds" in the documentation.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import Card, Cards, bag_of, cards_of, popcount
from heartsrules.chance import RandomStream, Words

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["FEW_ENTRIES", "MOST_ENTRIES", "ROUNDS", "Lots", "Part"]

MOST_ENTRIES: Final = 1_000_000
"""How many entries the tables of one view may have; a view that needs more is drawn by exchanges."""

FEW_ENTRIES: Final = 500
"""As many entries as it takes about as long to make as a plan."""

ROUNDS: Final = 20
"""How many rounds of exchanges one draw makes."""

LONGEST: Final = 60
"""A chain of exchanges that has moved so many cards without closing is taken back."""


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
        self._counted: list[_Counted] = []
        self._exchanged: _Exchanged | None = None
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
            self._exchanged = _Exchanged(parts)
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
        return self._counted[_pick(self._sums, words)].draw(words)


# ------------------------------------------------------------------------------------------------------ what to count


class _Counted:
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


_MOST_GROUPS: Final = 8
"""So many sizes of groups, of seven bits each, are one machine integer."""
_BITS: Final = 7
_ONES: Final = 127
"""What a group has left takes seven bits: there are at most 104 cards."""


class _TooMany(Exception):
    """The tables would have more entries than they may."""


def _counted(part: Part, most: int, few: int) -> _Counted | None:
    """The ways of a part, in whichever way they are counted; None: that takes too many entries."""
    if most < 0:
        return None
    if few >= 0:
        try:
            return _InTurn(part, min(most, few))
        except _TooMany:
            pass
    try:
        return _Planned(part, most)
    except _TooMany:
        return None


# ------------------------------------------------------------------------------------------ one place after the other


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
class _InTurn(_Counted):
    """The ways of a part whose places are gone through one after the other; the last two need no counting.

    Raises:
        _TooMany: there are more groups, or more entries, than this is for.
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
            raise _TooMany
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
            shift += _BITS
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
                self.count *= _choices(left)[self.room[number]]
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
                    base += (kept & _ONES) << _BITS * into
                kept >>= _BITS
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
                    raise _TooMany
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
            one <<= _BITS * into
        choices = _choices(size)
        number = least
        while number <= greatest:
            more = code | number << _BITS * at
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
        return _choices(shared)[wanted] if 0 <= wanted <= shared else 0

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
                    at = _pick(node.sums, words)
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
            mine, others = words.choice(mine, others, code & _ONES)
        else:
            shared = group
            mine = 0
            others = 0
        code >>= _BITS
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
    return state >> _BITS * group & _ONES


# ------------------------------------------------------------------------------------------------------ by a plan
#
# Groups and places are nodes, and there is a link between a group and a place that may hold it. A node that has one
# link left gives all that it has left to it. Nodes with the same links are joined. Where neither can be done, a link is
# split: the ways for every number of cards along it are counted.


@final
class _Step:
    """What needs no choice: a node gives all that it has left to the other and is done with, or takes the other in.

    What the nodes have left stands in a state, seven bits for each node that is at work: from its first step or split
    on, until it is done with.
    """

    def __init__(self, gives: bool, node: int, other: int, chooses: bool, ends: bool) -> None:
        self.gives: Final = gives
        self.node: Final = node
        self.other: Final = other
        self.chooses: Final = chooses
        """Whether there are several ways to do it: a place takes cards of a group, or shares with another place."""
        self.ends: Final = ends
        """Whether the other is done with too."""
        self.node_at: int = 0
        """Where what the node has left begins in a state,"""
        self.other_at: int = 0
        """and what the other has."""
        self.load: int = 0
        """What is added to a state before: the nodes that are new in it."""


@final
class _Split:
    """Any number of cards of a group lies in a place; then come the steps that need no choice."""

    def __init__(self, group: int, place: int, groups: list[int], places: list[int], then: list[_Step]) -> None:
        self.group: Final = group
        self.place: Final = place
        self.groups: Final = groups
        """Which other groups the place is linked to from then on."""
        self.places: Final = places
        """Which other places the group is linked to from then on."""
        self.then: Final = then
        self.group_at: int = 0
        """Where what the group has left begins in a state,"""
        self.place_at: int = 0
        """and what the place has."""
        self.load: int = 0
        """What is added to a state before: the nodes that are new in it."""
        self.unit: int = 0
        """What one card takes from a state."""
        self.groups_at: list[int] = []
        """Where those of `groups` begin that are in a state,"""
        self.groups_more: int = 0
        """and what the others have."""
        self.places_at: list[int] = []
        self.places_more: int = 0

    def least(self, state: int) -> int:
        """How many cards it must be, as far as the two nodes and those beside them tell."""
        least = 0
        if self.groups:
            room = (state >> self.place_at & _ONES) - self.groups_more
            for at in self.groups_at:
                room -= state >> at & _ONES
            if room > least:
                least = room
        if self.places:
            cards = (state >> self.group_at & _ONES) - self.places_more
            for at in self.places_at:
                cards -= state >> at & _ONES
            if cards > least:
                least = cards
        return least

    def greatest(self, state: int) -> int:
        """How many it can be."""
        cards = state >> self.group_at & _ONES
        room = state >> self.place_at & _ONES
        return cards if cards < room else room


@final
class _Slots:
    """Gives the nodes their places in a state, so that it stays a small number: what is done with makes room.

    Args:
        sizes: by node, how much it has at first.
    """

    def __init__(self, sizes: list[int]) -> None:
        self._sizes: Final = sizes
        self._at: Final[dict[int, int]] = {}
        """Where the nodes at work begin in a state."""
        self._free: Final[list[int]] = []

    def steps(self, steps: list[_Step]) -> None:
        """Write into steps where their nodes are."""
        for step in steps:
            step.load = self._enter(step.node) + self._enter(step.other)
            step.node_at = self._at[step.node]
            step.other_at = self._at[step.other]
            if step.gives:
                self._leave(step.node)
            if step.ends:
                self._leave(step.other)

    def split(self, split: _Split) -> None:
        """Write into a split where its nodes are."""
        split.load = self._enter(split.group) + self._enter(split.place)
        split.group_at = self._at[split.group]
        split.place_at = self._at[split.place]
        split.unit = (1 << split.group_at) + (1 << split.place_at)
        split.groups_at = [self._at[node] for node in split.groups if node in self._at]
        split.groups_more = sum([self._sizes[node] for node in split.groups if node not in self._at])
        split.places_at = [self._at[node] for node in split.places if node in self._at]
        split.places_more = sum([self._sizes[node] for node in split.places if node not in self._at])

    def _enter(self, node: int) -> int:
        """What a node adds to a state: nothing if it is at work already."""
        if node in self._at:
            return 0
        at = self._free.pop() if self._free else _BITS * len(self._at)
        self._at[node] = at
        return self._sizes[node] << at

    def _leave(self, node: int) -> None:
        self._free.append(self._at.pop(node))
        self._free.sort(reverse=True)


_CHEAP: Final = 200
"""A plan that is estimated to cost no more is good enough."""


@final
class _Plan:
    """The order in which links are split, as good as looking one node ahead finds it.

    How many entries it takes is estimated from how much each node that has given away only a part can have left.

    Args:
        most: how much each node can have left; the groups come first, then the places.
        links: by node, the nodes that it is linked to, as bits.
        groups: how many groups there are.
    """

    def __init__(self, most: list[int], links: list[int], groups: int) -> None:
        self._groups: int = groups
        self._most: list[int] = most
        self._links: list[int] = links
        self._begun: int = 0
        self.first: list[_Step] = []
        self.splits: list[_Split] = []
        self.cost: int = 0

    def _copy(self) -> _Plan:
        copy = _Plan(self._most.copy(), self._links.copy(), self._groups)
        copy._begun = self._begun
        copy.first = self.first
        copy.splits = self.splits.copy()
        copy.cost = self.cost
        return copy

    def finished(self) -> _Plan:
        """The cheapest plan found in which no link is left: of groups first, of places first, and of both."""
        self.first = self._settle()
        nodes = len(self._links)
        plan = self._by(0, nodes)
        if plan.cost > _CHEAP:
            for other in (self._by(0, self._groups), self._by(self._groups, nodes)):
                if other.cost < plan.cost:
                    plan = other
        return plan

    def _by(self, start: int, stop: int) -> _Plan:
        """The plan that splits the links of these nodes, at each turn of the one that leaves least to remember."""
        plan = self
        while any(plan._links):
            best: _Plan | None = None
            least = 0
            for node in range(start, stop):
                if plan._links[node]:
                    tried = plan._without(node)
                    width = tried._width()
                    if best is None or width < least or (width == least and tried.cost < best.cost):
                        best = tried
                        least = width
            assert best is not None, "a link has two ends"
            plan = best
        return plan

    def _width(self) -> int:
        """About how many different states there can be; what one node has left follows from all others."""
        width = 1
        widest = 1
        for node, most in enumerate(self._most):
            if self._begun >> node & 1 and self._links[node]:
                width *= most + 1
                widest = max(widest, most + 1)
        return width // widest

    def _without(self, node: int) -> _Plan:
        """The plan that splits the links of a node next."""
        plan = self._copy()
        links = plan._links
        while links[node]:
            other = plan._next(node)
            links[node] ^= 1 << other
            links[other] ^= 1 << node
            plan._begun |= 1 << node | 1 << other
            group, place = min(node, other), max(node, other)
            groups = _nodes(links[place])
            places = _nodes(links[group])
            plan.splits.append(_Split(group, place, groups, places, plan._settle()))
            plan.cost += plan._width()
        return plan

    def _next(self, node: int) -> int:
        """Which link of a node is split next: one to a node that is begun, and that has few links."""
        best = -1
        least = 0
        for at in _nodes(self._links[node]):
            links = _nodes(self._links[at])
            burden = len(links) + (0 if self._begun >> at & 1 else len(self._links))
            if best < 0 or burden < least:
                best = at
                least = burden
        return best

    def _settle(self) -> list[_Step]:
        """Take all steps that need no choice."""
        links = self._links
        steps: list[_Step] = []
        alike: dict[int, int] = {}
        node = 0
        while node < len(links):
            linked = links[node]
            again = True
            if linked and not linked & (linked - 1):
                other = _nodes(linked)[0]
                links[node] = 0
                links[other] ^= 1 << node
                self._begun |= 1 << other
                steps.append(_Step(True, node, other, node >= self._groups, not links[other]))
            elif linked and linked in alike:
                twin = alike[linked]
                for other in _nodes(linked):
                    links[other] ^= 1 << node
                links[node] = 0
                self._most[twin] += self._most[node]
                self._begun |= (self._begun >> node & 1) << twin
                steps.append(_Step(False, twin, node, node >= self._groups, True))
            else:
                again = False
                if linked:
                    alike[linked] = node
            if again:
                alike.clear()
            node = 0 if again else node + 1
        return steps


def _nodes(mask: int) -> list[int]:
    """The nodes of a mask, in order."""
    found: list[int] = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


@final
class _Planned(_Counted):
    """The ways of a part, by what every node has left: how many there are to go on depends on nothing else.

    Raises:
        _TooMany: the tables would have more entries than `most`.
    """

    def __init__(self, part: Part, most: int) -> None:
        super().__init__(part)
        self._first: list[_Step] = []
        self._splits: list[_Split] = []
        self._tables: list[dict[int, int]] = []
        """The ways to go on after each split, by what the nodes have left then."""
        if 0 in self.where:
            return
        groups = len(self.where)
        sizes: list[int] = []
        for group, first in enumerate(self.once):
            sizes.append(popcount(first) + popcount(self.twice[group]))
        sizes += self.room
        links = [places << groups for places in self.where]
        for number in range(len(self.places)):
            linked = 0
            for group, places in enumerate(self.where):
                if places >> number & 1:
                    linked |= 1 << group
            links.append(linked)
        if 0 in links:
            return
        plan = _Plan(sizes.copy(), links, groups).finished()
        self._first = plan.first
        self._splits = plan.splits
        slots = _Slots(sizes)
        slots.steps(plan.first)
        for split in plan.splits:
            slots.split(split)
            slots.steps(split.then)
        self._count(most)

    def _count(self, most: int) -> None:
        start, ways = _settled(0, self._first)
        if not ways:
            return
        states: list[int] = [start]
        levels: list[_Level] = []
        for split in self._splits:
            level = _Level(states)
            ends: dict[int, bool] = {}
            reached: dict[int, bool] = {}
            unit = split.unit
            for before in states:
                state = before + split.load
                number = split.least(state)
                greatest = split.greatest(state)
                state -= number * unit
                while number <= greatest:
                    if state not in reached:
                        reached[state] = True
                        end, factor = _settled(state, split.then)
                        if factor:
                            level.note(state, end, factor)
                            ends[end] = True
                    state -= unit
                    number += 1
                if self.entries + len(reached) > most:
                    raise _TooMany
            self.entries += len(reached)
            levels.append(level)
            states = list(ends)
        onward: dict[int, int] = {}
        for state in states:
            onward[state] = 0 if state else 1
        while levels:
            level = levels.pop()
            split = self._splits[len(levels)]
            table = level.table(onward)
            onward = {}
            for state in level.states:
                onward[state] = _ways(state + split.load, split, table)
            self._tables.append(table)
        self._tables.reverse()
        self.count = ways * onward.get(start, 0)

    def lying(self, words: Words) -> tuple[list[int], list[int]]:
        """What lies in each of `places`: first copies, and second ones."""
        drawing = _Drawing(self.once, self.twice, len(self.places), words)
        state = drawing.settle(0, self._first)
        for split, table in zip(self._splits, self._tables):  # noqa: B905 - equally many, and strict is slow compiled
            state += split.load
            number = split.least(state) + int(_pick(_sums(state, split, table), words))
            drawing.take(split.group, split.place, number)
            state = drawing.settle(state - number * split.unit, split.then)
        drawing.share()
        groups = len(self.where)
        return drawing.once[groups:], drawing.twice[groups:]


@final
class _Level:
    """The states before a split, and those after it, with what the steps make of them and in how many ways."""

    def __init__(self, states: list[int]) -> None:
        self.states: Final = states
        self._after: Final[list[int]] = []
        self._ends: Final[list[int]] = []
        self._factors: Final[list[int]] = []

    def note(self, after: int, end: int, factor: int) -> None:
        """Note a state after the split, what the steps make of it, and in how many ways."""
        self._after.append(after)
        self._ends.append(end)
        self._factors.append(factor)

    def table(self, onward: dict[int, int]) -> dict[int, int]:
        """The ways to go on after the split, from those after the steps."""
        table: dict[int, int] = {}
        for number, after in enumerate(self._after):
            ways = onward.get(self._ends[number], 0)
            if ways:
                table[after] = self._factors[number] * ways
        return table


@final
class _Drawing:
    """The cards of each node while a way is drawn by a plan."""

    def __init__(self, once: list[int], twice: list[int], places: int, words: Words) -> None:
        self._words: Final = words
        self.once: Final[list[int]] = once + [0] * places
        self.twice: Final[list[int]] = twice + [0] * places
        self._shared: Final[list[tuple[int, int, int, int, int]]] = []
        """For two places that are shared out at the end: one, the other, how many cards of what they get go to that
        one, and what lay in the first."""

    def take(self, group: int, place: int, number: int) -> None:
        """A place takes so many cards of a group."""
        first, second = self._words.choice(self.once[group], self.twice[group], number)
        self.once[group] ^= first
        self.twice[group] ^= second
        self.once[place] |= first
        self.twice[place] |= second

    def settle(self, state: int, steps: list[_Step]) -> int:
        """Take the steps that need no choice, and tell the state after them."""
        for step in steps:
            state += step.load
            if step.gives:
                number = state >> step.node_at & _ONES
                self.take(min(step.node, step.other), max(step.node, step.other), number)
            elif step.chooses:
                # What the two get from now on is shared out between them at the end.
                number = state >> step.other_at & _ONES
                self._shared.append((step.node, step.other, number, self.once[step.node], self.twice[step.node]))
                self.once[step.node] = self.twice[step.node] = 0
            else:
                self.once[step.node] |= self.once[step.other]
                self.twice[step.node] |= self.twice[step.other]
            state = _stepped(state, step)
        return state

    def share(self) -> None:
        """Share out what places got together, the last ones first."""
        for node, other, number, first, second in reversed(self._shared):
            self.take(node, other, number)
            self.once[node] |= first
            self.twice[node] |= second


def _ways(state: int, split: _Split, table: dict[int, int]) -> int:
    """The ways for all numbers of cards together."""
    number = split.least(state)
    greatest = split.greatest(state)
    unit = split.unit
    choices = _choices(state >> split.group_at & _ONES)
    state -= number * unit
    ways = 0
    while number <= greatest:
        onward = table.get(state, 0)
        if onward:
            ways += choices[number] * onward
        state -= unit
        number += 1
    return ways


def _sums(state: int, split: _Split, table: dict[int, int]) -> list[int]:
    """The ways for the least number of cards, for that and the next one, and so on."""
    number = split.least(state)
    greatest = split.greatest(state)
    unit = split.unit
    choices = _choices(state >> split.group_at & _ONES)
    state -= number * unit
    ways = 0
    sums: list[int] = []
    while number <= greatest:
        ways += choices[number] * table.get(state, 0)
        sums.append(ways)
        state -= unit
        number += 1
    return sums


def _settled(state: int, steps: list[_Step]) -> tuple[int, int]:
    """The state after steps without a choice, and in how many ways cards can lie through them: 0 if not at all."""
    ways = 1
    for step in steps:
        state += step.load
        mine = state >> step.node_at & _ONES
        there = state >> step.other_at & _ONES
        if step.gives:
            if mine > there or (step.ends and mine < there):
                return state, 0
            if step.chooses:
                ways *= _choices(there)[mine]
        elif there and step.chooses:
            ways *= _choices(mine + there)[there]
        state = _stepped(state, step)
    return state, ways


def _stepped(state: int, step: _Step) -> int:
    """The state after a step without a choice, whose nodes are in it."""
    if step.gives:
        moved = state >> step.node_at & _ONES
        return state - (moved << step.node_at) - (moved << step.other_at)
    moved = state >> step.other_at & _ONES
    return state + (moved << step.node_at) - (moved << step.other_at)


_CHOICES: Final[list[list[int]]] = [[] for _ in range(105)]


def _choices(count: i64) -> list[int]:
    """In how many ways 0, 1, 2 and so on of so many cards can be chosen."""
    row = _CHOICES[count]
    if not row:
        row.extend([comb(count, chosen) for chosen in range(count + 1)])
    return row


def _pick(sums: list[int], words: Words) -> i64:
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


# ------------------------------------------------------------------------------------------------- nearly, by exchanges


@final
class _Exchanged:
    """The ways of some parts, by exchanging cards at random from one and the same way on.

    A round has two kinds of steps, none of which makes one way likelier than another. In a chain, a card of a place
    goes to another place that may hold it, one from there to a third place, and so on until one comes back to the first
    place. And for every two places, the cards that both may hold are mixed and dealt to the two again. Chains alone
    lead from every way to every other one of the same part, so the longer it goes on, the more evenly likely they are.
    """

    def __init__(self, parts: list[Part]) -> None:
        self._parts: Final = parts
        self._places: Final = len(parts[0].room)
        self._checked: Final = len(parts) > 1 or any(parts[0].held)
        self.possible: bool = False
        """Whether there is any way at all."""
        self._cards: Final[list[Card]] = []
        """The cards by their numbers."""
        self._reach: list[list[int]] = []
        """The places where each card may lie, by its number."""
        self._fixed: list[list[int]] = []
        """By place, the cards that may lie nowhere else,"""
        self._hands: list[list[int]] = []
        """and the others, as they lie at first."""
        self._slots: Final[list[tuple[int, int]]] = []
        """Where a chain may begin: a place, and the number of a card in it."""
        self._pairs: Final[list[tuple[int, int]]] = []
        """The places that may hold the same card."""
        start: list[list[Card]] | None = None
        for part in parts:
            start = _some_way(part)
            if start is not None:
                break
        if start is None:
            return
        self.possible = True
        hands: list[list[int]] = []
        for cards in start:
            hands.append(list(range(len(self._cards), len(self._cards) + len(cards))))
            self._cards.extend(cards)
        reach: list[list[int]] = []
        places = range(self._places)
        for card in self._cards:
            may = [any([(part.may[place] | part.held[place]) & card.bit for part in parts]) for place in places]
            reach.append([place for place in places if may[place]])
        self._reach = _movable(hands, reach)
        for place, hand in enumerate(hands):
            self._fixed.append([card for card in hand if len(self._reach[card]) < 2])
            free = [card for card in hand if len(self._reach[card]) > 1]
            self._hands.append(free)
            self._slots.extend([(place, number) for number in range(len(free))])
            for other in range(place + 1, self._places):
                if any([place in where and other in where for where in self._reach]):
                    self._pairs.append((place, other))

    def draw(self, words: Words) -> list[Cards]:
        """One of the ways, all of them almost equally likely."""
        # So many words are taken that a source which is slow is asked for two of them only.
        high = int(words.word())
        stream = Words(RandomStream.from_bits(high << 32 | int(words.word())))
        hands = [hand.copy() for hand in self._hands]
        for _ in range(ROUNDS):
            for _ in range(self._places if self._slots else 0):
                if stream.below(2):
                    self._chain(hands, stream)
            for one, other in self._pairs:
                self._mix(hands, one, other, stream)
        return [Cards([self._cards[card] for card in self._fixed[place] + hand]) for place, hand in enumerate(hands)]

    def _chain(self, hands: list[list[int]], words: Words) -> None:
        """Move a card, then one from where it went, and so on until one comes back to where the first one was."""
        start, first = self._slots[words.below(len(self._slots))]
        at = start
        number: i64 = first
        moved: list[tuple[int, int, int]] = []
        while len(moved) < LONGEST:
            hand = hands[at]
            card = hand[number]
            where = self._reach[card]
            to = where[words.below(len(where) - 1)]
            if to == at:
                to = where[-1]
            hand[number] = hand[-1]
            hand.pop()
            hands[to].append(card)
            moved.append((card, at, to))
            if to == start:
                if self._allowed(hands):
                    return
                break
            at = to
            # Any but the one that has just come.
            number = words.below(len(hands[at]) - 1)
        while moved:
            card, at, to = moved.pop()
            hands[to].remove(card)
            hands[at].append(card)

    def _mix(self, hands: list[list[int]], one: int, other: int, words: Words) -> None:
        """Deal the cards that both of two places may hold to them again."""
        reach = self._reach
        kept: list[int] = []
        kept_other: list[int] = []
        pool: list[int] = []
        for card in hands[one]:
            if other in reach[card]:
                pool.append(card)
            else:
                kept.append(card)
        size: i64 = len(pool)
        for card in hands[other]:
            if one in reach[card]:
                pool.append(card)
            else:
                kept_other.append(card)
        last: i64 = len(pool) - 1
        if size == 0 or size > last:
            return
        while last > 0:
            at = words.below(last + 1)
            card = pool[last]
            pool[last] = pool[at]
            pool[at] = card
            last -= 1
        before = hands[one]
        before_other = hands[other]
        hands[one] = kept + pool[:size]
        hands[other] = kept_other + pool[size:]
        if not self._allowed(hands):
            hands[one] = before
            hands[other] = before_other

    def _allowed(self, hands: list[list[int]]) -> bool:
        """Whether cards lie as one of the parts says; where there is only one and nothing is held, they do."""
        if not self._checked:
            return True
        once: list[int] = []
        twice: list[int] = []
        for place, hand in enumerate(hands):
            first: i64 = 0
            second: i64 = 0
            for card in self._fixed[place] + hand:
                bit = self._cards[card].bit
                second |= first & bit
                first |= bit
            once.append(first)
            twice.append(second)
        return any([_allows(part, once, twice) for part in self._parts])


def _movable(hands: list[list[int]], reach: list[list[int]]) -> list[list[int]]:
    """Where each card may lie, without the places that are full of cards that may lie nowhere else."""
    full: list[int] = []
    while True:
        more: list[int] = []
        for place, hand in enumerate(hands):
            if place not in full and not any([len(reach[card]) > 1 for card in hand]):
                more.append(place)
        if not more:
            return reach
        full += more
        own: dict[int, int] = {}
        for place in more:
            for card in hands[place]:
                own[card] = place
        left: list[list[int]] = []
        for card, where in enumerate(reach):
            left.append([own[card]] if card in own else [place for place in where if place not in more])
        reach = left


def _allows(part: Part, once: list[int], twice: list[int]) -> bool:
    """Whether faces lie as a part says; of each place, those that lie there, and those that lie there twice."""
    for place, first in enumerate(once):
        rest = first
        held = part.held[place]
        if held:
            if not first & held:
                return False
            rest = first & ~held | twice[place] & held
        if rest & ~part.may[place]:
            return False
    return True


def _some_way(part: Part) -> list[list[Card]] | None:
    """One way of a part, always the same; None if there is none. Cards make way for others as in a maximum flow."""
    places = range(len(part.room))
    drawn: list[list[Card]] = [[] for _ in places]
    free = [part.room[place] - (part.held[place] != 0) for place in places]
    reach: dict[Card, list[int]] = {}
    for card in part.cards:
        reach[card] = [place for place in places if part.may[place] & card.bit]
    for card in sorted(part.cards, key=lambda card: len(reach[card])):
        # The places in the order in which they are reached, each with the card that would go there and from where.
        queue = list(reach[card])
        way: dict[int, tuple[Card, int]] = {}
        for place in queue:
            way[place] = card, -1
        found = -1
        at = 0
        while at < len(queue) and found < 0:
            place = queue[at]
            at += 1
            if len(drawn[place]) < free[place]:
                found = place
            else:
                for lying in drawn[place]:
                    for further in reach[lying]:
                        if further not in way:
                            way[further] = lying, place
                            queue.append(further)
        if found < 0:
            return None
        while found >= 0:
            going, origin = way[found]
            drawn[found].append(going)
            if origin >= 0:
                drawn[origin].remove(going)
            found = origin
    for place, held in enumerate(part.held):
        drawn[place].extend(cards_of(held))
    return drawn
