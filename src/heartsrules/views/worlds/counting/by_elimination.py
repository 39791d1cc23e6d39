"""Counting by elimination in the graph of groups and places, where these are many.

Groups and places are nodes; an edge joins a group to a place that may hold it. A node with a single edge is contracted
into its neighbour, and nodes with the same neighbours are merged. Where neither is possible, the count branches on the
number of cards along an edge: a dynamic program over the remainders of the nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast, final

from heartsrules.cards import popcount
from heartsrules.chance.words import Words
from heartsrules.views.worlds.counting.cases import Arrangements, Case, binomials, pick
from heartsrules.views.worlds.counting.too_many import TooManyEntries

if TYPE_CHECKING:
    from mypy_extensions import i64


@final
class _Field:
    """The bit field of an active node in a state.

    A state is a machine integer with the remainder of each active node: the cards that a group, or the capacity that a
    place, has left. A node is active from its first step or branch to its last.
    """

    def __init__(self, at: i64, width: i64) -> None:
        one: i64 = 1
        self.at: Final[i64] = at
        self.ones: Final[i64] = (one << width) - 1

    def of(self, state: i64) -> i64:
        """The node's remainder."""
        return state >> self.at & self.ones


_NO_FIELD: Final = _Field(0, 0)


@final
class _Forced:
    """A forced move: contract a node into its only neighbour, or merge another node into it."""

    def __init__(self, gives: bool, node: int, other: int, chooses: bool, ends: bool) -> None:
        self.gives: Final = gives
        self.node: Final = node
        self.other: Final = other
        self.chooses: Final = chooses
        """Whether it has several outcomes: a place draws cards of a group, or shares with another place."""
        self.ends: Final = ends
        """Whether the other node is finished, too."""
        self.mine: _Field = _NO_FIELD
        """The field of the node."""
        self.its: _Field = _NO_FIELD
        """The field of the other node."""
        self.load: i64 = 0
        """The remainders of the nodes that become active, to be added to a state first."""


@final
class _Branch:
    """A branch on the number of cards of a group in a place, and the forced moves that follow."""

    def __init__(self, group: int, place: int, groups: list[int], places: list[int], then: list[_Forced]) -> None:
        self.group: Final = group
        self.place: Final = place
        self.groups: Final = groups
        """The other groups next to the place."""
        self.places: Final = places
        """The other places next to the group."""
        self.then: Final = then
        self.cards: _Field = _NO_FIELD
        """The field of the group."""
        self.room: _Field = _NO_FIELD
        """The field of the place."""
        self.load: i64 = 0
        """The remainders of the nodes that become active, to be added to a state first."""
        self.unit: i64 = 0
        """What one card subtracts from a state."""
        self.other_cards: list[_Field] = []
        """The fields of those of `groups` that are active."""
        self.more_cards: i64 = 0
        """The cards of the others."""
        self.other_room: list[_Field] = []
        """The fields of those of `places` that are active."""
        self.more_room: i64 = 0
        """The capacity of the others."""

    def least(self, state: i64) -> i64:
        """A lower bound on the number of cards, from the two nodes and their neighbours."""
        least: i64 = 0
        if self.groups:
            room = self.room.of(state) - self.more_cards
            for field in self.other_cards:
                room -= field.of(state)
            if room > least:
                least = room
        if self.places:
            cards = self.cards.of(state) - self.more_room
            for field in self.other_room:
                cards -= field.of(state)
            if cards > least:
                least = cards
        return least

    def greatest(self, state: i64) -> i64:
        """An upper bound on the number of cards."""
        cards = self.cards.of(state)
        room = self.room.of(state)
        return cards if cards < room else room


_STATE_BITS: Final = 62


@final
class _FieldAllocator:
    """The allocator of bit fields, which are reused once their node is finished.

    Args:
        sizes: by node, its cards or capacity.
        most: by node, the most that its remainder can be, with the nodes merged into it.
    """

    def __init__(self, sizes: list[int], most: list[int]) -> None:
        self._sizes: Final = sizes
        self._widths: Final = [count.bit_length() for count in most]
        self._active: Final[dict[int, _Field]] = {}
        self._used: int = 0
        """The mask of the allocated bits."""

    def set_moves(self, steps: list[_Forced]) -> None:
        """Set the fields of forced moves."""
        for step in steps:
            step.load = self._activate(step.node) + self._activate(step.other)
            step.mine = self._active[step.node]
            step.its = self._active[step.other]
            if step.gives:
                self._release(step.node)
            if step.ends:
                self._release(step.other)

    def set_branch(self, branch: _Branch) -> None:
        """Set the fields of a branch."""
        branch.load = self._activate(branch.group) + self._activate(branch.place)
        branch.cards = self._active[branch.group]
        branch.room = self._active[branch.place]
        branch.unit = (1 << int(branch.cards.at)) + (1 << int(branch.room.at))
        branch.other_cards, branch.more_cards = self._beside(branch.groups)
        branch.other_room, branch.more_room = self._beside(branch.places)

    def _beside(self, nodes: list[int]) -> tuple[list[_Field], int]:
        """The fields of the active ones among some nodes, and the sizes of the others together."""
        fields: list[_Field] = []
        more = 0
        for node in nodes:
            if node in self._active:
                fields.append(self._active[node])
            else:
                more += self._sizes[node]
        return fields, more

    def _activate(self, node: int) -> int:
        """Activate a node; return what this adds to a state, 0 if it is active already."""
        if node in self._active:
            return 0
        width = self._widths[node]
        ones = (1 << width) - 1
        at = 0
        while self._used >> at & ones:
            at += 1
        if at + width > _STATE_BITS:
            raise TooManyEntries
        self._used |= ones << at
        self._active[node] = _Field(at, width)
        return self._sizes[node] << at

    def _release(self, node: int) -> None:
        field = self._active.pop(node)
        self._used &= ~(int(field.ones) << int(field.at))


_TRY: Final = 100
"""One more order is tried for each 100 entries that the best so far is estimated to cost."""
_TRIES: Final = 16
"""The most orders tried from either first node."""
_MOST_NODES: Final = 62
"""The edges of a node are a mask in a machine integer."""
_COST_CEILING: Final = 1 << 40
"""The ceiling of estimates."""


@final
class _Order:
    """An elimination order, found greedily with a lookahead of one node.

    The number of entries is estimated from the ranges of the nodes' remainders.

    Args:
        most: by node, the groups before the places: the most that its remainder can be.
        edges: by node, its neighbours as a mask.
        groups: the number of groups.
    """

    def __init__(self, most: list[int], edges: list[int], groups: int) -> None:
        self._groups: i64 = groups
        self.most: list[int] = most
        """By node, the most that its remainder can be, with the nodes merged into it."""
        self._edges: list[int] = edges
        self._spread: list[int] = [0] * len(most)
        """By node, the range of its remainder; 0: it is known."""
        self._order: list[int] = []
        """The nodes whose edges are branched on, in order."""
        self.cost: i64 = 0
        self._burden: i64 = 0
        """The estimated number of states now."""

    def _copy(self) -> _Order:
        copy = _Order(self.most.copy(), self._edges.copy(), self._groups)
        copy._spread = self._spread.copy()
        copy._order = self._order
        copy.cost = self.cost
        return copy

    def finished(self) -> tuple[_Order, list[_Forced], list[_Branch]]:
        """The graph after the cheapest order found, its first forced moves, and its branches.

        Orders are tried until another would not be worth its time: over all nodes, and over places first; each time
        with the second best node, in place of the best, at other ones of the first four choices.
        """
        first: list[_Forced] = []
        self._settle(0, first)
        order = self._greedy(0, 0, _COST_CEILING << 20)
        assert order is not None, "no order costs as much"
        made: i64 = 1
        for second in range(_TRIES):
            for start in (0, self._groups):
                if order.cost <= _TRY * made:
                    break
                if start or second:
                    made += 1
                    other = self._greedy(start, second, order.cost)
                    if other is not None:
                        order = other
        branches: list[_Branch] = []
        done = self
        for node in order._order:
            done = done._without(node, branches)
        return done, first, branches

    def _greedy(self, start: i64, second: i64, most: i64) -> _Order | None:
        """The greedy order over the nodes from `start` on: each time the node that leaves the fewest states.

        At the choices whose bits are set in `second` it takes the second best. None if it would cost `most` or more.
        """
        order = self
        while any(order._edges):
            best: _Order | None = None
            other: _Order | None = None
            node: i64 = start
            while node < len(order._edges):
                if order._edges[node]:
                    tried = order._without(node, None)
                    if best is None or tried._is_lighter(best):
                        other = best
                        best = tried
                    elif other is None or tried._is_lighter(other):
                        other = tried
                node += 1
            assert best is not None, "an edge has two ends"
            order = best if other is None or not second & 1 else other
            if order.cost >= most:
                return None
            second >>= 1
        return order

    def _is_lighter(self, other: _Order) -> bool:
        """Whether there are fewer states than in another order, or as many at a lower cost."""
        return self._burden < other._burden or (self._burden == other._burden and self.cost < other.cost)

    def _width(self) -> i64:
        """The estimated number of states; the remainder of one node follows from those of all others."""
        width: i64 = 1
        widest: i64 = 1
        node: i64 = 0
        while node < len(self._edges):
            spread: i64 = self._spread[node]
            if spread and self._edges[node]:
                spread += 1
                # The widest range is left out.
                if spread > widest:
                    width *= widest
                    widest = spread
                else:
                    width *= spread
                if width > _COST_CEILING:
                    return _COST_CEILING
            node += 1
        return width

    def _spend(self, node: i64, more: i64) -> None:
        """Widen the range of a node's remainder."""
        spent = self._spread[node] + more
        most: i64 = self.most[node]
        if spent > most:
            spent = most
        self._spread[node] = spent

    def _without(self, node: i64, branches: list[_Branch] | None) -> _Order:
        """The graph after branching on all edges of a node.

        Args:
            node: the node.
            branches: a list that the branches are added to; None: they are not wanted.
        """
        order = self._copy()
        order._order = [*self._order, node]
        edges = order._edges
        while edges[node]:
            other = order._next(node)
            edges[node] ^= _bit(other)
            edges[other] ^= _bit(node)
            moved: i64 = order.most[node]
            if order.most[other] < moved:
                moved = order.most[other]
            order._spend(node, moved)
            order._spend(other, moved)
            group = node
            place = other
            if other < node:
                group = other
                place = node
            if branches is None:
                order._settle(group, None)
            else:
                steps: list[_Forced] = []
                groups = _nodes(edges[place])
                places = _nodes(edges[group])
                order._settle(group, steps)
                branches.append(_Branch(group, place, groups, places, steps))
            order._burden = order._width()
            order.cost += order._burden
        return order

    def _next(self, node: i64) -> i64:
        """The neighbour to branch towards next: an active one first, with few edges."""
        best: i64 = -1
        least: i64 = 0
        left: i64 = self._edges[node]
        while left:
            at = popcount((left & -left) - 1)
            left &= left - 1
            burden = popcount(self._edges[at])
            if not self._spread[at]:
                burden += len(self._edges)
            if best < 0 or burden < least:
                best = at
                least = burden
        return best

    def _settle(self, node: i64, steps: list[_Forced] | None) -> None:
        """Make all forced moves.

        Args:
            node: no move is possible at a node before this one.
            steps: a list that the moves are added to; None: they are not wanted.
        """
        edges = self._edges
        while node < len(edges):
            neighbours: i64 = edges[node]
            if not neighbours:
                node += 1
                continue
            other = popcount((neighbours & -neighbours) - 1)
            if not neighbours & (neighbours - 1):
                edges[node] = 0
                edges[other] ^= _bit(node)
                self._spend(other, self._spread[node])
                if steps is not None:
                    steps.append(_Forced(True, node, other, node >= self._groups, not edges[other]))
                # Only the other node has changed; equal nodes are found at the later one.
                if other < node:
                    node = other
            else:
                equal = self._equal_before(node)
                if equal < 0:
                    node += 1
                    continue
                left = neighbours
                while left:
                    edges[popcount((left & -left) - 1)] ^= _bit(node)
                    left &= left - 1
                edges[node] = 0
                self.most[equal] += self.most[node]
                self._spend(equal, self._spread[node])
                if steps is not None:
                    steps.append(_Forced(False, equal, node, node >= self._groups, True))
                if other < node:
                    node = other

    def _equal_before(self, node: i64) -> i64:
        """The first node before this one with the same neighbours; -1: none."""
        edges = self._edges
        neighbours: i64 = edges[node]
        before: i64 = 0
        if node >= self._groups:
            before = self._groups
        while before < node:
            if edges[before] == neighbours:
                return before
            before += 1
        return -1


def _bit(node: i64) -> i64:
    """The bit of a node."""
    # mypyc emits a shift of a literal as a 32-bit one.
    bit: i64 = 1
    bit <<= node
    return bit


def _nodes(mask: i64) -> list[int]:
    """The nodes of a mask, in order."""
    found: list[int] = []
    while mask:
        found.append(popcount((mask & -mask) - 1))
        mask &= mask - 1
    return found


@final
class ArrangementsByElimination(Arrangements):
    """The arrangements of a case, counted by elimination: from a state on, their number depends on nothing else.

    Raises:
        TooManyEntries: the tables would have more than `most` entries.
    """

    def __init__(self, case: Case, most: int) -> None:
        super().__init__(case)
        self._first: list[_Forced] = []
        self._branches: list[_Branch] = []
        self._tables: list[dict[object, int]] = []
        """By branch, the number of arrangements from each state after it."""
        if 0 in self.where:
            return
        groups = len(self.where)
        sizes: list[int] = []
        for group, first in enumerate(self.once):
            sizes.append(popcount(first) + popcount(self.twice[group]))
        sizes += self.room
        edges = [places << groups for places in self.where]
        for number in range(len(self.places)):
            neighbours = 0
            for group, places in enumerate(self.where):
                if places >> number & 1:
                    neighbours |= 1 << group
            edges.append(neighbours)
        if 0 in edges:
            return
        if len(edges) > _MOST_NODES:
            raise TooManyEntries
        order, self._first, self._branches = _Order(sizes.copy(), edges, groups).finished()
        fields = _FieldAllocator(sizes, order.most)
        fields.set_moves(self._first)
        for branch in self._branches:
            fields.set_branch(branch)
            fields.set_moves(branch.then)
        self._count(most)

    def _count(self, most: int) -> None:
        start, total = _settled(0, self._first)
        if not total:
            return
        states: list[int] = [start]
        levels: list[_Level] = []
        for branch in self._branches[:-1]:
            level = _Level(states)
            ends: dict[object, bool] = {}
            reached = level.totals
            unit = branch.unit
            for before in states:
                state: i64 = before
                state += branch.load
                number = branch.least(state)
                greatest = branch.greatest(state)
                state -= number * unit
                while number <= greatest:
                    # An object is boxed once, not for each table.
                    after: object = state
                    known = len(reached)
                    reached.setdefault(after, 0)
                    if len(reached) != known:
                        end, factor = _settled(state, branch.then)
                        if factor:
                            reduced: object = end
                            level.after.append(after)
                            level.ends.append(reduced)
                            level.factors.append(factor)
                            ends[reduced] = True
                    state -= unit
                    number += 1
                if self.entries + len(reached) > most:
                    raise TooManyEntries
            self.entries += len(reached)
            levels.append(level)
            states = cast("list[int]", list(ends))
        onward: dict[object, int] = {}
        for state in states:
            # After the last branch nothing is left to choose.
            sums = self._last_sums(state)
            onward[state] = sums[-1] if sums else 0
        while levels:
            level = levels.pop()
            branch = self._branches[len(levels)]
            level.fill(onward)
            table = level.totals
            onward = {}
            for state in level.states:
                onward[state] = _total(state + branch.load, branch, table)
            self._tables.append(table)
        self._tables.reverse()
        self.count = total * onward.get(start, 0)

    def _last_sums(self, state: i64) -> list[int]:
        """The cumulative numbers of arrangements at the last branch, by number of cards from the least on."""
        if not self._branches:
            return [0 if state else 1]
        branch = self._branches[-1]
        state += branch.load
        number = branch.least(state)
        greatest = branch.greatest(state)
        unit = branch.unit
        choices = binomials(branch.cards.of(state))
        state -= number * unit
        total = 0
        sums: list[int] = []
        while number <= greatest:
            end, factor = _settled(state, branch.then)
            if not end:
                total += choices[number] * factor
            sums.append(total)
            state -= unit
            number += 1
        return sums

    def lying(self, words: Words) -> tuple[list[int], list[int]]:
        """Draw the cards of each of `places`: the masks of first and of second copies."""
        drawing = _Drawing(self.once, self.twice, len(self.places), words)
        state = drawing.settle(0, self._first)
        last: i64 = len(self._branches) - 1
        for at, branch in enumerate(self._branches):
            sums = self._last_sums(state) if at == last else _sums(state + branch.load, branch, self._tables[at])
            state += branch.load
            number = branch.least(state) + pick(sums, words)
            drawing.take(branch.group, branch.place, number)
            state = drawing.settle(state - number * branch.unit, branch.then)
        drawing.divide()
        groups = len(self.where)
        return drawing.once[groups:], drawing.twice[groups:]


@final
class _Level:
    """One level of the dynamic program: the states before and after a branch."""

    def __init__(self, states: list[int]) -> None:
        self.states: Final = states
        self.after: Final[list[object]] = []
        """The states after the branch."""
        self.ends: Final[list[object]] = []
        """For each of these, the state after the forced moves."""
        self.factors: Final[list[int]] = []
        """For each of these, the number of outcomes of the forced moves."""

        self.totals: Final[dict[object, int]] = {}
        """By state after the branch, the number of arrangements from it on."""

    def fill(self, onward: dict[object, int]) -> None:
        """Set `totals` from the numbers of arrangements after the forced moves."""
        for number, after in enumerate(self.after):
            total = onward[self.ends[number]]
            if total:
                self.totals[after] = self.factors[number] * total


@final
class _Drawing:
    """The cards of each node while an arrangement is drawn."""

    def __init__(self, once: list[int], twice: list[int], places: int, words: Words) -> None:
        self._words: Final = words
        self.once: Final[list[int]] = once + [0] * places
        self.twice: Final[list[int]] = twice + [0] * places
        self._mergers: Final[list[tuple[int, int, int, int, int]]] = []
        """For each merger of places, to be undone at the end: the node, the other, the other's number of cards, and the
        masks of the cards that the node had."""

    def take(self, group: int, place: int, number: int) -> None:
        """Draw a number of cards of a group into a place."""
        first, second = self._words.choice(self.once[group], self.twice[group], number)
        self.once[group] ^= first
        self.twice[group] ^= second
        self.once[place] |= first
        self.twice[place] |= second

    def settle(self, state: i64, steps: list[_Forced]) -> i64:
        """Make forced moves; return the state after them."""
        for step in steps:
            loaded = state + step.load
            if step.gives:
                number = step.mine.of(loaded)
                self.take(min(step.node, step.other), max(step.node, step.other), number)
            elif step.chooses:
                # What the two get from now on is divided between them at the end.
                number = step.its.of(loaded)
                self._mergers.append((step.node, step.other, number, self.once[step.node], self.twice[step.node]))
                self.once[step.node] = self.twice[step.node] = 0
            else:
                self.once[step.node] |= self.once[step.other]
                self.twice[step.node] |= self.twice[step.other]
            state = _settled(state, [step])[0]
        return state

    def divide(self) -> None:
        """Divide the cards of merged places, the last merger first."""
        for node, other, number, first, second in reversed(self._mergers):
            self.take(node, other, number)
            self.once[node] |= first
            self.twice[node] |= second


def _total(state: i64, branch: _Branch, table: dict[object, int]) -> int:
    """The number of arrangements from a state before a branch."""
    number = branch.least(state)
    greatest = branch.greatest(state)
    unit = branch.unit
    choices = binomials(branch.cards.of(state))
    state -= number * unit
    total = 0
    while number <= greatest:
        onward = table.get(state, 0)
        if onward:
            total += choices[number] * onward
        state -= unit
        number += 1
    return total


def _sums(state: i64, branch: _Branch, table: dict[object, int]) -> list[int]:
    """The cumulative numbers of arrangements, by number of cards from the least on."""
    number = branch.least(state)
    greatest = branch.greatest(state)
    unit = branch.unit
    choices = binomials(branch.cards.of(state))
    state -= number * unit
    total = 0
    sums: list[int] = []
    while number <= greatest:
        total += choices[number] * table.get(state, 0)
        sums.append(total)
        state -= unit
        number += 1
    return sums


def _settled(state: i64, steps: list[_Forced]) -> tuple[i64, int]:
    """The state after forced moves, and the number of their outcomes; 0: they are impossible."""
    total = 1
    for step in steps:
        state += step.load
        mine = step.mine.of(state)
        its = step.its.of(state)
        if step.gives:
            if mine > its or (step.ends and mine < its):
                return state, 0
            if step.chooses and 0 < mine < its:
                total *= binomials(its)[mine]
            state -= (mine << step.mine.at) + (mine << step.its.at)
        elif its:
            if step.chooses and mine:
                total *= binomials(mine + its)[its]
            state += (its << step.mine.at) - (its << step.its.at)
    return state, total
