"""Counting ways by a plan, where groups and places are many.

Groups and places are nodes, and there is a link between a group and a place that may hold it. A node that has one link
left gives all that it has left to it. Nodes with the same links are joined. Where neither can be done, a link is split:
the ways for every number of cards along it are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast, final

from heartsrules.cards import popcount
from heartsrules.chance.words import Words
from heartsrules.views.worlds.counting.parts import Counted, Part, choices_of, pick
from heartsrules.views.worlds.counting.too_many import TooManyEntries

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Planned"]


@final
class _Field:
    """Where a node at work stands in a state.

    A state is a machine integer. It says what every node has left that is at work: from its first step or split on,
    until it is done with.
    """

    def __init__(self, at: i64, width: i64) -> None:
        one: i64 = 1
        self.at: Final[i64] = at
        self.ones: Final[i64] = (one << width) - 1

    def of(self, state: i64) -> i64:
        """What the node has left."""
        return state >> self.at & self.ones


_NO_FIELD: Final = _Field(0, 0)


@final
class _Step:
    """What needs no choice: a node gives all that it has left to the other and is done with, or takes the other in."""

    def __init__(self, gives: bool, node: int, other: int, chooses: bool, ends: bool) -> None:
        self.gives: Final = gives
        self.node: Final = node
        self.other: Final = other
        self.chooses: Final = chooses
        """Whether there are several ways to do it: a place takes cards of a group, or shares with another place."""
        self.ends: Final = ends
        """Whether the other is done with too."""
        self.mine: _Field = _NO_FIELD
        """Where the node stands in a state,"""
        self.its: _Field = _NO_FIELD
        """and the other."""
        self.load: i64 = 0
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
        self.cards: _Field = _NO_FIELD
        """Where the group stands in a state,"""
        self.room: _Field = _NO_FIELD
        """and the place."""
        self.load: i64 = 0
        """What is added to a state before: the nodes that are new in it."""
        self.unit: i64 = 0
        """What one card takes from a state."""
        self.other_cards: list[_Field] = []
        """Those of `groups` that stand in a state,"""
        self.more_cards: i64 = 0
        """and what the others have."""
        self.other_room: list[_Field] = []
        self.more_room: i64 = 0

    def least(self, state: i64) -> i64:
        """How many cards it must be, as far as the two nodes and those beside them tell."""
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
        """How many it can be."""
        cards = self.cards.of(state)
        room = self.room.of(state)
        return cards if cards < room else room


_STATE_BITS: Final = 62


@final
class _Fields:
    """Gives the nodes their places in a state, so that it stays a machine integer: what is done with makes room.

    Args:
        sizes: by node, how much it has at first,
        most: and how much it may have when it has taken others in.
    """

    def __init__(self, sizes: list[int], most: list[int]) -> None:
        self._sizes: Final = sizes
        self._widths: Final = [count.bit_length() for count in most]
        self._at_work: Final[dict[int, _Field]] = {}
        self._used: int = 0
        """The bits of a state that are taken."""

    def enter_steps(self, steps: list[_Step]) -> None:
        """Write into steps where their nodes are."""
        for step in steps:
            step.load = self._enter(step.node) + self._enter(step.other)
            step.mine = self._at_work[step.node]
            step.its = self._at_work[step.other]
            if step.gives:
                self._leave(step.node)
            if step.ends:
                self._leave(step.other)

    def enter_split(self, split: _Split) -> None:
        """Write into a split where its nodes are."""
        split.load = self._enter(split.group) + self._enter(split.place)
        split.cards = self._at_work[split.group]
        split.room = self._at_work[split.place]
        split.unit = (1 << int(split.cards.at)) + (1 << int(split.room.at))
        split.other_cards, split.more_cards = self._beside(split.groups)
        split.other_room, split.more_room = self._beside(split.places)

    def _beside(self, nodes: list[int]) -> tuple[list[_Field], int]:
        """Where those of some nodes stand that are at work, and how much the others have."""
        fields: list[_Field] = []
        more = 0
        for node in nodes:
            if node in self._at_work:
                fields.append(self._at_work[node])
            else:
                more += self._sizes[node]
        return fields, more

    def _enter(self, node: int) -> int:
        """What a node adds to a state: nothing if it is at work already."""
        if node in self._at_work:
            return 0
        width = self._widths[node]
        ones = (1 << width) - 1
        at = 0
        while self._used >> at & ones:
            at += 1
        if at + width > _STATE_BITS:
            raise TooManyEntries
        self._used |= ones << at
        self._at_work[node] = _Field(at, width)
        return self._sizes[node] << at

    def _leave(self, node: int) -> None:
        field = self._at_work.pop(node)
        self._used &= ~(int(field.ones) << int(field.at))


_TRY: Final = 100
"""A plan more is made for so many entries that the best one is estimated to cost."""
_TRIES: Final = 16
"""So many plans are made for either order at most."""
_MOST_NODES: Final = 62
"""The links of a node are the bits of a machine integer."""
_FAR_TOO_MANY: Final = 1 << 40
"""Estimates end here."""


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
        self._groups: i64 = groups
        self.most: list[int] = most
        """How much each node can have left, when it has taken others in."""
        self._links: list[int] = links
        self._spread: list[int] = [0] * len(most)
        """By how much what each node has left can differ; 0: it is settled."""
        self._order: list[int] = []
        """The nodes whose links are split, in turn."""
        self.cost: i64 = 0
        self._burden: i64 = 0
        """About how much there is to remember now."""

    def _copy(self) -> _Plan:
        copy = _Plan(self.most.copy(), self._links.copy(), self._groups)
        copy._spread = self._spread.copy()
        copy._order = self._order
        copy.cost = self.cost
        return copy

    def finished(self) -> tuple[_Plan, list[_Step], list[_Split]]:
        """The cheapest plan found in which no link is left, its first steps, and its splits.

        Plans are made until one more would not be worth it: of places and groups together, and of places first; each
        time with the second best choice, in place of the best, at other ones of the first four turns.
        """
        first: list[_Step] = []
        self._settle(0, first)
        plan = self._by(0, 0, _FAR_TOO_MANY << 20)
        assert plan is not None, "no plan costs as much"
        made: i64 = 1
        for second in range(_TRIES):
            for start in (0, self._groups):
                if plan.cost <= _TRY * made:
                    break
                if start or second:
                    made += 1
                    other = self._by(start, second, plan.cost)
                    if other is not None:
                        plan = other
        splits: list[_Split] = []
        done = self
        for node in plan._order:
            done = done._without(node, splits)
        return done, first, splits

    def _by(self, start: i64, second: i64, most: i64) -> _Plan | None:
        """The plan that splits the links of the nodes from `start` on, each time of the one that leaves least to know.

        At the turns that are bits of `second` it is the second best. None: it would cost `most` or more.
        """
        plan = self
        while any(plan._links):
            best: _Plan | None = None
            other: _Plan | None = None
            node: i64 = start
            while node < len(plan._links):
                if plan._links[node]:
                    tried = plan._without(node, None)
                    if best is None or tried._is_lighter(best):
                        other = best
                        best = tried
                    elif other is None or tried._is_lighter(other):
                        other = tried
                node += 1
            assert best is not None, "a link has two ends"
            plan = best if other is None or not second & 1 else other
            if plan.cost >= most:
                return None
            second >>= 1
        return plan

    def _is_lighter(self, other: _Plan) -> bool:
        """Whether there is less to remember than in another plan, or as much and it has cost less."""
        return self._burden < other._burden or (self._burden == other._burden and self.cost < other.cost)

    def _width(self) -> i64:
        """About how many different states there can be; what one node has left follows from all others."""
        width: i64 = 1
        widest: i64 = 1
        node: i64 = 0
        while node < len(self._links):
            spread: i64 = self._spread[node]
            if spread and self._links[node]:
                spread += 1
                # What is widest so far waits.
                if spread > widest:
                    width *= widest
                    widest = spread
                else:
                    width *= spread
                if width > _FAR_TOO_MANY:
                    return _FAR_TOO_MANY
            node += 1
        return width

    def _spend(self, node: i64, more: i64) -> None:
        """Note that a node has spent so many more, or fewer."""
        spent = self._spread[node] + more
        most: i64 = self.most[node]
        if spent > most:
            spent = most
        self._spread[node] = spent

    def _without(self, node: i64, splits: list[_Split] | None) -> _Plan:
        """The plan that splits the links of a node next.

        Args:
            node: whose links.
            splits: where to write how it is done; None: nowhere.
        """
        plan = self._copy()
        plan._order = [*self._order, node]
        links = plan._links
        while links[node]:
            other = plan._next(node)
            links[node] ^= _bit(other)
            links[other] ^= _bit(node)
            moved: i64 = plan.most[node]
            if plan.most[other] < moved:
                moved = plan.most[other]
            plan._spend(node, moved)
            plan._spend(other, moved)
            group = node
            place = other
            if other < node:
                group = other
                place = node
            if splits is None:
                plan._settle(group, None)
            else:
                steps: list[_Step] = []
                groups = _nodes(links[place])
                places = _nodes(links[group])
                plan._settle(group, steps)
                splits.append(_Split(group, place, groups, places, steps))
            plan._burden = plan._width()
            plan.cost += plan._burden
        return plan

    def _next(self, node: i64) -> i64:
        """Which link of a node is split next: one to a node that is begun, and that has few links."""
        best: i64 = -1
        least: i64 = 0
        left: i64 = self._links[node]
        while left:
            at = popcount((left & -left) - 1)
            left &= left - 1
            burden = popcount(self._links[at])
            if not self._spread[at]:
                burden += len(self._links)
            if best < 0 or burden < least:
                best = at
                least = burden
        return best

    def _settle(self, node: i64, steps: list[_Step] | None) -> None:
        """Take all steps that need no choice, the first node that can be settled each time.

        Args:
            node: no node before this one can be settled.
            steps: where to write them; None: nowhere.
        """
        links = self._links
        while node < len(links):
            linked: i64 = links[node]
            if not linked:
                node += 1
                continue
            other = popcount((linked & -linked) - 1)
            if not linked & (linked - 1):
                links[node] = 0
                links[other] ^= _bit(node)
                self._spend(other, self._spread[node])
                if steps is not None:
                    steps.append(_Step(True, node, other, node >= self._groups, not links[other]))
                # Only the other has changed, and what is alike is found at the later one.
                if other < node:
                    node = other
            else:
                twin = self._like(node)
                if twin < 0:
                    node += 1
                    continue
                left = linked
                while left:
                    links[popcount((left & -left) - 1)] ^= _bit(node)
                    left &= left - 1
                links[node] = 0
                self.most[twin] += self.most[node]
                self._spend(twin, self._spread[node])
                if steps is not None:
                    steps.append(_Step(False, twin, node, node >= self._groups, True))
                if other < node:
                    node = other

    def _like(self, node: i64) -> i64:
        """The node before this one that has the same links; -1: there is none."""
        links = self._links
        linked: i64 = links[node]
        # Groups have links to places, and places to groups.
        before: i64 = 0
        if node >= self._groups:
            before = self._groups
        while before < node:
            if links[before] == linked:
                return before
            before += 1
        return -1


def _bit(node: i64) -> i64:
    """The bit of a node."""
    # In C, a 1 that is shifted itself has 32 bits.
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
class Planned(Counted):
    """The ways of a part, by what every node has left: how many there are to go on depends on nothing else.

    Raises:
        TooManyEntries: the tables would have more entries than `most`.
    """

    def __init__(self, part: Part, most: int) -> None:
        super().__init__(part)
        self._first: list[_Step] = []
        self._splits: list[_Split] = []
        self._tables: list[dict[object, int]] = []
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
        if len(links) > _MOST_NODES:
            raise TooManyEntries
        plan, self._first, self._splits = _Plan(sizes.copy(), links, groups).finished()
        fields = _Fields(sizes, plan.most)
        fields.enter_steps(self._first)
        for split in self._splits:
            fields.enter_split(split)
            fields.enter_steps(split.then)
        self._count(most)

    def _count(self, most: int) -> None:
        start, ways = _settled(0, self._first)
        if not ways:
            return
        states: list[int] = [start]
        levels: list[_Level] = []
        for split in self._splits[:-1]:
            level = _Level(states)
            ends: dict[object, bool] = {}
            reached = level.ways
            unit = split.unit
            for before in states:
                state: i64 = before
                state += split.load
                number = split.least(state)
                greatest = split.greatest(state)
                state -= number * unit
                while number <= greatest:
                    # As an object, a state is made once and not for each table.
                    after: object = state
                    known = len(reached)
                    reached.setdefault(after, 0)
                    if len(reached) != known:
                        end, factor = _settled(state, split.then)
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
            # After the last split nothing is left to choose, so there is no table of what comes after it.
            sums = self._last_sums(state)
            onward[state] = sums[-1] if sums else 0
        while levels:
            level = levels.pop()
            split = self._splits[len(levels)]
            level.fill(onward)
            table = level.ways
            onward = {}
            for state in level.states:
                onward[state] = _ways(state + split.load, split, table)
            self._tables.append(table)
        self._tables.reverse()
        self.count = ways * onward.get(start, 0)

    def _last_sums(self, state: i64) -> list[int]:
        """The ways at the last split for the least number of cards, for that and the next one, and so on."""
        if not self._splits:
            return [0 if state else 1]
        split = self._splits[-1]
        state += split.load
        number = split.least(state)
        greatest = split.greatest(state)
        unit = split.unit
        choices = choices_of(split.cards.of(state))
        state -= number * unit
        ways = 0
        sums: list[int] = []
        while number <= greatest:
            end, factor = _settled(state, split.then)
            if not end:
                ways += choices[number] * factor
            sums.append(ways)
            state -= unit
            number += 1
        return sums

    def lying(self, words: Words) -> tuple[list[int], list[int]]:
        """What lies in each of `places`: first copies, and second ones."""
        drawing = _Drawing(self.once, self.twice, len(self.places), words)
        state = drawing.settle(0, self._first)
        last: i64 = len(self._splits) - 1
        for at, split in enumerate(self._splits):
            sums = self._last_sums(state) if at == last else _sums(state + split.load, split, self._tables[at])
            state += split.load
            number = split.least(state) + pick(sums, words)
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
        self.after: Final[list[object]] = []
        """Each state after the split,"""
        self.ends: Final[list[object]] = []
        """what the steps make of it,"""
        self.factors: Final[list[int]] = []
        """and in how many ways."""

        self.ways: Final[dict[object, int]] = {}
        """By state after the split, the ways to go on."""

    def fill(self, onward: dict[object, int]) -> None:
        """Tell the ways to go on after the split, from those after the steps."""
        for number, after in enumerate(self.after):
            ways = onward[self.ends[number]]
            if ways:
                self.ways[after] = self.factors[number] * ways


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

    def settle(self, state: i64, steps: list[_Step]) -> i64:
        """Take the steps that need no choice, and tell the state after them."""
        for step in steps:
            loaded = state + step.load
            if step.gives:
                number = step.mine.of(loaded)
                self.take(min(step.node, step.other), max(step.node, step.other), number)
            elif step.chooses:
                # What the two get from now on is shared out between them at the end.
                number = step.its.of(loaded)
                self._shared.append((step.node, step.other, number, self.once[step.node], self.twice[step.node]))
                self.once[step.node] = self.twice[step.node] = 0
            else:
                self.once[step.node] |= self.once[step.other]
                self.twice[step.node] |= self.twice[step.other]
            state = _settled(state, [step])[0]
        return state

    def share(self) -> None:
        """Share out what places got together, the last ones first."""
        for node, other, number, first, second in reversed(self._shared):
            self.take(node, other, number)
            self.once[node] |= first
            self.twice[node] |= second


def _ways(state: i64, split: _Split, table: dict[object, int]) -> int:
    """The ways for all numbers of cards together."""
    number = split.least(state)
    greatest = split.greatest(state)
    unit = split.unit
    choices = choices_of(split.cards.of(state))
    state -= number * unit
    ways = 0
    while number <= greatest:
        onward = table.get(state, 0)
        if onward:
            ways += choices[number] * onward
        state -= unit
        number += 1
    return ways


def _sums(state: i64, split: _Split, table: dict[object, int]) -> list[int]:
    """The ways for the least number of cards, for that and the next one, and so on."""
    number = split.least(state)
    greatest = split.greatest(state)
    unit = split.unit
    choices = choices_of(split.cards.of(state))
    state -= number * unit
    ways = 0
    sums: list[int] = []
    while number <= greatest:
        ways += choices[number] * table.get(state, 0)
        sums.append(ways)
        state -= unit
        number += 1
    return sums


def _settled(state: i64, steps: list[_Step]) -> tuple[i64, int]:
    """The state after steps without a choice, and in how many ways cards can lie through them: 0 if not at all."""
    ways = 1
    for step in steps:
        state += step.load
        mine = step.mine.of(state)
        its = step.its.of(state)
        if step.gives:
            if mine > its or (step.ends and mine < its):
                return state, 0
            if step.chooses and 0 < mine < its:
                ways *= choices_of(its)[mine]
            state -= (mine << step.mine.at) + (mine << step.its.at)
        elif its:
            if step.chooses and mine:
                ways *= choices_of(mine + its)[its]
            state += (its << step.mine.at) - (its << step.its.at)
    return state, ways
