"""Drawing ways nearly evenly, by exchanging cards at random: it takes the same time and no memory whatever the view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import Card, Cards, cards_of
from heartsrules.chance import RandomStream
from heartsrules.chance.words import Words
from heartsrules.views.worlds.counting.parts import Part

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["ROUNDS", "Exchanged"]

ROUNDS: Final = 12
"""How many rounds of exchanges one draw makes."""

LONGEST: Final = 60
"""A chain of exchanges that has moved so many cards without closing is taken back."""


@final
class Exchanged:
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
        """The places where each card may lie, by its number,"""
        self._places_of: Final[list[int]] = []
        """and the same as bits."""
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
        self._places_of.extend([sum([1 << place for place in where]) for where in self._reach])
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
        places_of = self._places_of
        kept: list[int] = []
        kept_other: list[int] = []
        pool: list[int] = []
        mine: i64 = one
        its: i64 = other
        where: i64
        for card in hands[one]:
            where = places_of[card]
            if where >> its & 1:
                pool.append(card)
            else:
                kept.append(card)
        size: i64 = len(pool)
        for card in hands[other]:
            where = places_of[card]
            if where >> mine & 1:
                pool.append(card)
            else:
                kept_other.append(card)
        last: i64 = len(pool) - 1
        if size == 0 or size > last:
            return
        # Which ones the second place gets; in what order cards lie makes no difference.
        while last >= size:
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
