"""Ways in which unseen cards can lie in hidden places: drawn exactly by counting them, or nearly so by exchanges.

A place is a hidden hand or a hidden kitty: so much room, and only some of the cards may lie in it. Nothing here knows
a rule of the game; `heartsrules.worlds` says what may lie where.

Counting takes a table whose size depends on the view. It is kept below `MOST_ENTRIES`; where it would be larger, cards
are exchanged at random instead, which takes the same time and no memory whatever the view. See "Worlds" in the
documentation.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, combinations
from math import comb, prod
from operator import mul
from typing import Final, NamedTuple, TypeAlias

import attrs

from heartsrules.cards import Card
from heartsrules.chance import Bits, RandomStream, below

__all__ = ["MOST_ENTRIES", "ROUNDS", "Lots", "Part"]

MOST_ENTRIES: Final = 30_000
"""How many entries the tables of one view may have; a view that needs more is drawn by exchanges."""

ROUNDS: Final = 20
"""How many rounds of exchanges one draw makes."""

LONGEST: Final = 60
"""A chain of exchanges that has moved so many cards without closing is taken back."""

Drawn: TypeAlias = dict[int, list[Card]]
"""The cards of each place."""


@attrs.frozen
class Part:
    """Cards to lie in places, and the faces that each place may hold."""

    room: Mapping[int, int]
    """How many cards each place takes, those of `held` included."""
    cards: tuple[Card, ...]
    """The cards that lie there, those of `held` left out; equal cards are told apart."""
    may: Mapping[int, int]
    """The faces that each place may hold besides `held`, as a mask."""
    held: Mapping[int, Card] = {}
    """A card that is settled, for some places."""


class Lots:
    """The ways in which cards may lie: those of several parts, which have none in common.

    Args:
        parts: the parts. The same cards must be shared out in all of them, to the same room.
        most: how many entries the tables may have, all parts together; -1 counts nothing at all.
    """

    def __init__(self, parts: Sequence[Part], most: int = MOST_ENTRIES) -> None:
        self.entries: int = 0
        """How many entries the tables have: 0 if nothing needs counting, or if they would have more than `most`."""
        self.exact: bool = True
        """Whether every way is exactly as likely as every other."""
        self._counted: list[_Counted] = []
        self._exchanged: _Exchanged | None = None
        for part in parts:
            try:
                counted = _Counted(part, most - self.entries)
            except _TooMany:
                self.exact = False
                break
            self.entries += counted.entries
            self._counted.append(counted)
        self._weights: Final = [counted.count for counted in self._counted]
        self.possible: bool = any(self._weights)
        """Whether there is any way at all."""
        if not self.exact:
            self.entries = 0
            self._counted.clear()
            self._exchanged = _Exchanged(parts)
            self.possible = self._exchanged.possible

    @property
    def count(self) -> int | None:
        """How many ways there are; None if they were too many to count."""
        return sum(self._weights) if self.exact else None

    def draw(self, rng: Bits) -> Drawn:
        """One of the ways, which must be possible; places without a card may be left out."""
        if self._exchanged is not None:
            return self._exchanged.draw(rng)
        return self._counted[_pick(self._weights, rng)].draw(rng)


# ------------------------------------------------------------------------------------------------------- in what order
#
# Cards that may lie in the same places are a group. Groups and places are nodes, and there is a link between a group
# and a place that may hold it. A node that has one link left gives all that it has left to it. Nodes with the same
# links are joined. Where neither can be done, a link is split: the ways for every number of cards along it are counted.


_BITS: Final = 7
_ONES: Final = 127
"""What a node has left takes seven bits of the number that stands for a state: there are at most 104 cards."""


class _Step(NamedTuple):
    """What needs no choice: a node gives all that it has left to the other and is done with, or takes the other in.

    Nodes are named by where what they have left begins in a state.
    """

    gives: bool
    node: int
    other: int
    chooses: bool
    """Whether there are several ways to do it: a place takes cards of a group, or shares with another place."""
    ends: bool
    """Whether the other is done with too."""


class _Split(NamedTuple):
    """Any number of cards of a group lies in a place; then come the steps that need no choice."""

    group: int
    place: int
    groups: tuple[int, ...]
    """Which other groups the place is linked to from then on."""
    places: tuple[int, ...]
    """Which other places the group is linked to from then on."""
    then: tuple[_Step, ...]

    @property
    def unit(self) -> int:
        """What one card takes from a state."""
        return (1 << self.group) + (1 << self.place)

    def bounds(self, state: int) -> tuple[int, int]:
        """How many cards it can be, at least and at most, as far as the two nodes and those beside them tell."""
        cards = state >> self.group & _ONES
        room = state >> self.place & _ONES
        least = 0
        if self.groups:
            least = max(least, room - sum([state >> group & _ONES for group in self.groups]))
        if self.places:
            least = max(least, cards - sum([state >> place & _ONES for place in self.places]))
        return least, min(cards, room)


_CHEAP: Final = 200
"""A plan that is estimated to cost no more is good enough."""


class _Plan:
    """The order in which links are split, as good as looking one node ahead finds it.

    How many entries it takes is estimated from how much each node that has given away only a part can have left.
    """

    def __init__(self, most: Sequence[int], links: Sequence[int], groups: int) -> None:
        self._groups: int = groups
        self._most: list[int] = list(most)
        self._links: list[int] = list(links)
        self._begun: int = 0
        self.first: tuple[_Step, ...] = self._settle()
        self.splits: list[_Split] = []
        self.cost: int = 0

    def _copy(self) -> _Plan:
        copy = _Plan.__new__(_Plan)
        copy._groups, copy._begun, copy.first, copy.cost = self._groups, self._begun, self.first, self.cost
        copy._most, copy._links, copy.splits = self._most.copy(), self._links.copy(), self.splits.copy()
        return copy

    def finished(self) -> _Plan:
        """The cheapest plan found in which no link is left: of groups first, of places first, and of both."""
        plan = self._by(range(len(self._links)))
        if plan.cost > _CHEAP:
            split = self._groups
            others = [self._by(range(split)), self._by(range(split, len(self._links)))]
            plan = min([plan, *others], key=lambda other: other.cost)
        return plan

    def _by(self, nodes: Sequence[int]) -> _Plan:
        """The plan that splits the links of these nodes, at each turn of the one that leaves least to remember."""
        plan = self
        while any(plan._links):
            plan = min([plan._without(node) for node in nodes if plan._links[node]], key=_Plan._burden)
        return plan

    def _burden(self) -> tuple[int, int]:
        return self._width(), self.cost

    def _width(self) -> int:
        """About how many different states there can be; what one node has left follows from all others."""
        left = [most + 1 for node, most in enumerate(self._most) if self._begun >> node & 1 and self._links[node]]
        return prod(left) // max(left) if left else 1

    def _without(self, node: int) -> _Plan:
        """The plan that splits the links of a node next."""
        plan = self._copy()
        links = plan._links
        while links[node]:
            other = min(_nodes(links[node]), key=lambda at: (not plan._begun >> at & 1, links[at].bit_count(), at))
            links[node] ^= 1 << other
            links[other] ^= 1 << node
            plan._begun |= 1 << node | 1 << other
            group, place = min(node, other), max(node, other)
            groups, places = [tuple([_BITS * at for at in _nodes(links[end])]) for end in (place, group)]
            plan.splits.append(_Split(_BITS * group, _BITS * place, groups, places, plan._settle()))
            plan.cost += plan._width()
        return plan

    def _settle(self) -> tuple[_Step, ...]:
        """Take all steps that need no choice."""
        links = self._links
        steps: list[_Step] = []
        alike: dict[int, int] = {}
        node = 0
        while node < len(links):
            linked = links[node]
            again = True
            if linked and not linked & (linked - 1):
                other = linked.bit_length() - 1
                links[node] = 0
                links[other] ^= 1 << node
                self._begun |= 1 << other
                steps.append(_Step(True, _BITS * node, _BITS * other, node >= self._groups, not links[other]))
            elif linked and linked in alike:
                twin = alike[linked]
                for other in _nodes(linked):
                    links[other] ^= 1 << node
                links[node] = 0
                self._most[twin] += self._most[node]
                self._begun |= (self._begun >> node & 1) << twin
                steps.append(_Step(False, _BITS * twin, _BITS * node, node >= self._groups, True))
            else:
                again = False
                if linked:
                    alike[linked] = node
            if again:
                alike.clear()
            node = 0 if again else node + 1
        return tuple(steps)


def _nodes(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


# ------------------------------------------------------------------------------------------------- exactly, by counting


class _TooMany(Exception):
    """The tables would have more entries than they may."""


class _Counted:
    """The ways of a part, counted: how many there are to go on depends on nothing but what every node has left."""

    def __init__(self, part: Part, most: int) -> None:
        self._held: Final = part.held
        room = {place: size - (place in part.held) for place, size in part.room.items()}
        self._places: Final = [place for place, size in room.items() if size]
        groups: dict[int, list[Card]] = {}
        for card in part.cards:
            where = sum([1 << at for at, place in enumerate(self._places) if part.may[place] & card.bit])
            groups.setdefault(where, []).append(card)
        self._packs: Final = list(groups.values())
        sizes = [len(pack) for pack in self._packs] + [room[place] for place in self._places]
        links = [where << len(groups) for where in groups]
        for at in range(len(self._places)):
            links += [sum([1 << group for group, where in enumerate(groups) if where >> at & 1])]
        self._start: Final = sum([size << _BITS * node for node, size in enumerate(sizes)])
        self.count: int = 0
        """How many ways there are."""
        self.entries: int = 0
        """How many entries the tables have."""
        if most < 0:
            raise _TooMany
        if not all(links):
            return
        plan = _Plan(sizes, links, len(groups)).finished()
        self._first: Final = plan.first
        self._splits: Final = plan.splits
        self.tables: Final[list[dict[int, int]]] = []
        """The ways to go on after each split, by what the nodes have left then."""
        self._count(most)

    def _count(self, most: int) -> None:
        start, ways = _settled(self._start, self._first)
        if not ways:
            return
        states = {start}
        levels: list[set[int]] = []
        reached: list[dict[int, tuple[int, int]]] = []
        for split in self._splits:
            levels.append(states)
            after: set[int] = set()
            unit = split.unit
            for state in states:
                least, greatest = split.bounds(state)
                after.update(range(state - greatest * unit, state - least * unit + 1, unit))
                if self.entries + len(after) > most:
                    raise _TooMany
            self.entries += len(after)
            reached.append({state: _settled(state, split.then) for state in after})
            states = {end for end, factor in reached[-1].values() if factor}
        onward = {state: int(not state) for state in states}
        while reached:
            ends = reached.pop()
            split = self._splits[len(reached)]
            table = {state: factor * onward.get(end, 0) for state, (end, factor) in ends.items() if factor}
            onward = {state: sum(_weights(state, split, table)[1]) for state in levels.pop()}
            self.tables.append(table)
        self.tables.reverse()
        self.count = ways * onward.get(start, 0)

    def draw(self, rng: Bits) -> Drawn:
        """One of the ways, all of them equally likely."""
        packs = [pack.copy() for pack in self._packs] + [[] for _ in self._places]
        drawn = {_BITS * node: pack for node, pack in enumerate(packs)}
        shared: list[tuple[_Step, int, list[Card]]] = []

        def settle(state: int, steps: Sequence[_Step]) -> int:
            for step in steps:
                _, node, other, chooses, _ = step
                if step.gives:
                    group, place = min(node, other), max(node, other)
                    drawn[place] += _taken(drawn[group], state >> node & _ONES, rng)
                elif chooses:
                    # What the two get from now on is shared out between them at the end.
                    shared.append((step, state >> other & _ONES, drawn[node]))
                    drawn[node] = []
                else:
                    drawn[node] += drawn[other]
                state = _settled(state, (step,))[0]
            return state

        state = settle(self._start, self._first)
        for split, table in zip(self._splits, self.tables, strict=True):
            least, weights = _weights(state, split, table)
            number = least + _pick(weights, rng)
            drawn[split.place] += _taken(drawn[split.group], number, rng)
            state = settle(state - number * split.unit, split.then)
        for step, number, own in reversed(shared):
            both = drawn[step.node]
            drawn[step.other] += _taken(both, number, rng)
            drawn[step.node] = own + both
        lying = {place: drawn[_BITS * node] for node, place in enumerate(self._places, len(self._packs))}
        for place, card in self._held.items():
            lying[place] = [card, *lying.get(place, ())]
        return lying


def _weights(state: int, split: _Split, table: Mapping[int, int]) -> tuple[int, list[int]]:
    """The ways for every number of cards from the first one on."""
    least, greatest = split.bounds(state)
    unit = split.unit
    onward = [table.get(after, 0) for after in range(state - least * unit, state - greatest * unit - 1, -unit)]
    return least, list(map(mul, _choices(state >> split.group & _ONES)[least : greatest + 1], onward))


def _settled(state: int, steps: Sequence[_Step]) -> tuple[int, int]:
    """The state after steps without a choice, and in how many ways cards can lie through them: 0 if not at all."""
    ways = 1
    for gives, node, other, chooses, ends in steps:
        moved = state >> (node if gives else other) & _ONES
        if gives:
            there = state >> other & _ONES
            if moved > there or (ends and moved < there):
                return state, 0
            if chooses:
                ways *= _choices(there)[moved]
            state -= (moved << node) + (moved << other)
        elif moved:
            if chooses:
                ways *= _choices(moved + (state >> node & _ONES))[moved]
            state += (moved << node) - (moved << other)
    return state, ways


@cache
def _choices(count: int) -> list[int]:
    """In how many ways 0, 1, 2 and so on of so many cards can be chosen."""
    return [comb(count, chosen) for chosen in range(count + 1)]


def _taken(pack: list[Card], count: int, rng: Bits) -> list[Card]:
    """Take `count` cards out of a pack, all choices equally likely, and return them."""
    if count == len(pack):
        taken = pack.copy()
        pack.clear()
        return taken
    taken = []
    for _ in range(count):
        at = below(rng, len(pack))
        taken.append(pack[at])
        pack[at] = pack[-1]
        pack.pop()
    return taken


def _pick(weights: Sequence[int], rng: Bits) -> int:
    """A random index, each as likely as its weight says; no bits are drawn if there is only one."""
    if len(weights) == 1:
        return 0
    sums = list(accumulate(weights))
    return bisect_right(sums, _below(rng, sums[-1]))


def _below(bits: Bits, bound: int) -> int:
    """A number from 0 to bound - 1, all equally likely; unlike `below`, for bounds of more than 64 bits too."""
    words = -(-bound.bit_length() // 64)
    span = 2 ** (64 * words)
    limit = span - span % bound
    while True:
        number = 0
        for _ in range(words):
            number = number << 64 | bits.getrandbits(64)
        if number < limit:
            return number % bound


# ------------------------------------------------------------------------------------------------- nearly, by exchanges


class _Exchanged:
    """The ways of some parts, by exchanging cards at random from one and the same way on.

    A round has two kinds of steps, none of which makes one way likelier than another. In a chain, a card of a place
    goes to another place that may hold it, one from there to a third place, and so on until one comes back to the first
    place. And for every two places, the cards that both may hold are mixed and dealt to the two again. Chains alone
    lead from every way to every other one of the same part, so the longer it goes on, the more evenly likely they are.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts: Final = parts
        self._checked: Final = len(parts) > 1 or bool(parts[0].held)
        starts = [start for start in map(_some_way, parts) if start is not None]
        self.possible: Final = bool(starts)
        """Whether there is any way at all."""
        if not starts:
            return
        start = starts[0]
        self._places: Final = list(start)
        may = [0] * len(self._places)
        for part in parts:
            for at, place in enumerate(self._places):
                may[at] |= part.may[place] | (part.held[place].bit if place in part.held else 0)
        cards = [card for place in self._places for card in start[place]]
        numbers = iter(range(len(cards)))
        hands = [[next(numbers) for _ in start[place]] for place in self._places]
        self._cards: Final = cards
        self._reach: Final = _movable(hands, [[at for at, mask in enumerate(may) if mask & card.bit] for card in cards])
        """The places where each card may lie, by its number."""
        self._fixed: Final = [[card for card in hand if len(self._reach[card]) < 2] for hand in hands]
        """The cards that may lie nowhere else."""
        self._hands: Final = [[card for card in hand if len(self._reach[card]) > 1] for hand in hands]
        self._slots: Final = [(at, number) for at, hand in enumerate(self._hands) for number in range(len(hand))]
        self._pairs: Final = [
            (one, other)
            for one, other in combinations(range(len(may)), 2)
            if any([one in where and other in where for where in self._reach])
        ]

    def draw(self, rng: Bits) -> Drawn:
        """One of the ways, all of them almost equally likely."""
        stream = RandomStream.from_bits(rng.getrandbits(64))
        hands = [hand.copy() for hand in self._hands]
        for _ in range(ROUNDS):
            for _ in self._places if self._slots else ():
                if stream.pick(2):
                    self._chain(hands, stream)
            for one, other in self._pairs:
                self._mix(hands, one, other, stream)
        return {
            place: [self._cards[card] for card in fixed + hand]
            for place, fixed, hand in zip(self._places, self._fixed, hands, strict=True)
        }

    def _chain(self, hands: list[list[int]], stream: RandomStream) -> None:
        """Move a card, then one from where it went, and so on until one comes back to where the first one was."""
        start, number = self._slots[stream.pick(len(self._slots))]
        at = start
        moved: list[tuple[int, int, int]] = []
        while len(moved) < LONGEST:
            hand = hands[at]
            card = hand[number]
            where = self._reach[card]
            to = where[stream.pick(len(where) - 1)]
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
            number = stream.pick(len(hands[at]) - 1)
        for card, at, to in reversed(moved):
            hands[to].remove(card)
            hands[at].append(card)

    def _mix(self, hands: list[list[int]], one: int, other: int, stream: RandomStream) -> None:
        """Deal the cards that both of two places may hold to them again."""
        reach = self._reach
        mine = [card for card in hands[one] if other in reach[card]]
        theirs = [card for card in hands[other] if one in reach[card]]
        if not mine or not theirs:
            return
        pool = mine + theirs
        for last in range(len(pool) - 1, 0, -1):
            at = stream.pick(last + 1)
            pool[last], pool[at] = pool[at], pool[last]
        before = hands[one], hands[other]
        hands[one] = [card for card in hands[one] if other not in reach[card]] + pool[: len(mine)]
        hands[other] = [card for card in hands[other] if one not in reach[card]] + pool[len(mine) :]
        if not self._allowed(hands):
            hands[one], hands[other] = before

    def _allowed(self, hands: list[list[int]]) -> bool:
        """Whether cards lie as one of the parts says; where there is only one and nothing is held, they do."""
        if not self._checked:
            return True
        bags: list[tuple[int, int]] = []
        for fixed, hand in zip(self._fixed, hands, strict=True):
            once = twice = 0
            for card in fixed + hand:
                bit = self._cards[card].bit
                twice |= once & bit
                once |= bit
            bags.append((once, twice))
        return any([_allows(part, self._places, bags) for part in self._parts])


def _movable(hands: Sequence[Sequence[int]], reach: list[list[int]]) -> list[list[int]]:
    """Where each card may lie, without the places that are full of cards that may lie nowhere else."""
    full: set[int] = set()
    while True:
        more = {at for at, hand in enumerate(hands) if at not in full and all([len(reach[card]) < 2 for card in hand])}
        if not more:
            return reach
        full |= more
        own = {card: at for at in more for card in hands[at]}
        reach = [
            [own[card]] if card in own else [at for at in where if at not in more] for card, where in enumerate(reach)
        ]


def _allows(part: Part, places: Sequence[int], bags: Sequence[tuple[int, int]]) -> bool:
    """Whether faces lie as a part says; of each place, those that lie there, and those that lie there twice."""
    for place, (once, twice) in zip(places, bags, strict=True):
        rest = once
        if place in part.held:
            held = part.held[place].bit
            if not once & held:
                return False
            rest = once & ~held | twice & held
        if rest & ~part.may[place]:
            return False
    return True


def _some_way(part: Part) -> Drawn | None:
    """One way of a part, always the same; None if there is none. Cards make way for others as in a maximum flow."""
    drawn: Drawn = {place: [] for place in part.room}
    free = {place: size - (place in part.held) for place, size in part.room.items()}
    reach = {card: [place for place in drawn if part.may[place] & card.bit] for card in part.cards}
    for card in sorted(part.cards, key=lambda card: len(reach[card])):
        # The places in the order in which they are reached, each with the card that would go there and from where.
        way: dict[int, tuple[Card, int | None]] = dict.fromkeys(reach[card], (card, None))
        queue = list(way)
        for place in queue:
            if len(drawn[place]) < free[place]:
                break
            for lying in drawn[place]:
                for further in reach[lying]:
                    if further not in way:
                        way[further] = lying, place
                        queue.append(further)
        else:
            return None
        to: int | None = place
        while to is not None:
            going, origin = way[to]
            drawn[to].append(going)
            if origin is not None:
                drawn[origin].remove(going)
            to = origin
    for place, card in part.held.items():
        drawn[place].append(card)
    return drawn
