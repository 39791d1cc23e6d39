"""Counting ways by a plan, where groups and places are many.

Groups and places are nodes, and there is a link between a group and a place that may hold it. A node that has one link
left gives all that it has left to it. Nodes with the same links are joined. Where neither can be done, a link is split:
the ways for every number of cards along it are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast, final

from heartsrules.cards import popcount
from heartsrules.chance.words import Words
from heartsrules.lots.parts import Counted, Part, choices_of, pick
from heartsrules.lots.too_many import TooManyEntries

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
"""To make one more plan takes about as long as to count for a plan that is estimated to cost so much."""
_TRIES: Final = 16
"""So many plans are made for either order at most."""


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
        self.most: list[int] = most
        """How much each node can have left, when it has taken others in."""
        self._links: list[int] = links
        self._spread: list[int] = [0] * len(most)
        """By how much what each node has left can differ; 0: it is settled."""
        self.first: list[_Step] = []
        self.splits: list[_Split] = []
        self.cost: int = 0
        self._burden: int = 0
        """About how much there is to remember now."""

    def _copy(self) -> _Plan:
        copy = _Plan(self.most.copy(), self._links.copy(), self._groups)
        copy._spread = self._spread.copy()
        copy.first = self.first
        copy.splits = self.splits.copy()
        copy.cost = self.cost
        return copy

    def finished(self) -> _Plan:
        """The cheapest plan found in which no link is left.

        Plans are made until one more would not be worth it: of places and groups together, and of places first; each
        time with the second best choice, in place of the best, at other ones of the first four turns.
        """
        self.first = self._settle()
        plan = self._by(0, 0)
        made = 1
        for second in range(_TRIES):
            for start in (0, self._groups):
                if plan.cost <= _TRY * made:
                    return plan
                if start or second:
                    other = self._by(start, second)
                    made += 1
                    if other.cost < plan.cost:
                        plan = other
        return plan

    def _by(self, start: int, second: int) -> _Plan:
        """The plan that splits the links of the nodes from `start` on, each time of the one that leaves least to know.

        At the turns that are bits of `second` it is the second best.
        """
        plan = self
        while any(plan._links):
            best: _Plan | None = None
            other: _Plan | None = None
            for node in range(start, len(plan._links)):
                if plan._links[node]:
                    tried = plan._without(node)
                    if best is None or tried._is_lighter(best):
                        other = best
                        best = tried
                    elif other is None or tried._is_lighter(other):
                        other = tried
            assert best is not None, "a link has two ends"
            plan = best if other is None or not second & 1 else other
            second >>= 1
        return plan

    def _is_lighter(self, other: _Plan) -> bool:
        """Whether there is less to remember than in another plan, or as much and it has cost less."""
        return self._burden < other._burden or (self._burden == other._burden and self.cost < other.cost)

    def _width(self) -> int:
        """About how many different states there can be; what one node has left follows from all others."""
        width = 1
        widest = 1
        for node, spread in enumerate(self._spread):
            if spread and self._links[node]:
                width *= spread + 1
                if spread >= widest:
                    widest = spread + 1
        return width // widest

    def _spend(self, node: int, more: int) -> None:
        """Note that a node has spent so many more, or fewer."""
        self._spread[node] = min(self._spread[node] + more, self.most[node])

    def _without(self, node: int) -> _Plan:
        """The plan that splits the links of a node next."""
        plan = self._copy()
        links = plan._links
        while links[node]:
            other = plan._next(node)
            links[node] ^= 1 << other
            links[other] ^= 1 << node
            moved = min(plan.most[node], plan.most[other])
            plan._spend(node, moved)
            plan._spend(other, moved)
            group, place = min(node, other), max(node, other)
            groups = _nodes(links[place])
            places = _nodes(links[group])
            plan.splits.append(_Split(group, place, groups, places, plan._settle()))
            plan._burden = plan._width()
            plan.cost += plan._burden
        return plan

    def _next(self, node: int) -> int:
        """Which link of a node is split next: one to a node that is begun, and that has few links."""
        best = -1
        least = 0
        for at in _nodes(self._links[node]):
            links = _nodes(self._links[at])
            burden = len(links) + (0 if self._spread[at] else len(self._links))
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
                self._spend(other, self._spread[node])
                steps.append(_Step(True, node, other, node >= self._groups, not links[other]))
            elif linked and linked in alike:
                twin = alike[linked]
                for other in _nodes(linked):
                    links[other] ^= 1 << node
                links[node] = 0
                self.most[twin] += self.most[node]
                self._spend(twin, self._spread[node])
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
        plan = _Plan(sizes.copy(), links, groups).finished()
        self._first = plan.first
        self._splits = plan.splits
        fields = _Fields(sizes, plan.most)
        fields.enter_steps(plan.first)
        for split in plan.splits:
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
            reached: dict[object, bool] = {}
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
                    if after not in reached:
                        reached[after] = True
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
            table = level.table(onward)
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

    def table(self, onward: dict[object, int]) -> dict[object, int]:
        """The ways to go on after the split, from those after the steps."""
        table: dict[object, int] = {}
        for number, after in enumerate(self.after):
            ways = onward.get(self.ends[number], 0)
            if ways:
                table[after] = self.factors[number] * ways
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
