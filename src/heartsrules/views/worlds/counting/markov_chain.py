"""Near-uniform sampling of arrangements by a Markov chain of random swaps, in constant time and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import Card, Cards, cards_of
from heartsrules.chance import RandomStream
from heartsrules.chance.words import Words
from heartsrules.views.worlds.counting.cases import Case

if TYPE_CHECKING:
    from mypy_extensions import i64

ROUNDS: Final = 12
"""The rounds of swaps for one draw."""

LONGEST: Final = 60
"""The most moves of a cycle; one that has not closed by then is undone."""


@final
class ArrangementChain:
    """A Markov chain over the arrangements of some cases, started from one fixed arrangement.

    A round has two kinds of moves, both reversible with the uniform distribution. A cycle moves a card to another place
    that may hold it, a card from there to a third place, and so on until one returns to the first place. A reshuffle
    deals the cards that two places may both hold to the two again. Cycles alone connect all arrangements of a case, so
    the distribution tends to the uniform one.
    """

    def __init__(self, cases: list[Case]) -> None:
        self._cases: Final = cases
        self._places: Final = len(cases[0].room)
        self._checked: Final = len(cases) > 1 or any(cases[0].fixed)
        self.possible: bool = False
        """Whether there is any arrangement."""
        self._cards: Final[list[Card]] = []
        """The cards; elsewhere a card is its index here."""
        self._reach: list[list[int]] = []
        """By card, its allowed places."""
        self._places_of: Final[list[int]] = []
        """By card, its allowed places as a mask."""
        self._fixed: list[list[int]] = []
        """By place, the cards with no other allowed place."""
        self._hands: list[list[int]] = []
        """By place, its other cards in the first arrangement."""
        self._slots: Final[list[tuple[int, int]]] = []
        """Where a cycle may begin: a place, and an index of a card in it."""
        self._pairs: Final[list[tuple[int, int]]] = []
        """The pairs of places with an allowed card in common."""
        start: list[list[Card]] | None = None
        for case in cases:
            start = _first_arrangement(case)
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
            may = [any([(case.allowed[place] | case.fixed[place]) & card.bit for case in cases]) for place in places]
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
        """Draw an arrangement, almost uniformly: the cards of each place."""
        # Many words are needed; a slow source is asked for a seed only.
        high = int(words.word())
        stream = Words(RandomStream.from_bits(high << 32 | int(words.word())))
        hands = [hand.copy() for hand in self._hands]
        for _ in range(ROUNDS):
            for _ in range(self._places if self._slots else 0):
                if stream.below(2):
                    self._cycle(hands, stream)
            for one, other in self._pairs:
                self._reshuffle(hands, one, other, stream)
        return [Cards([self._cards[card] for card in self._fixed[place] + hand]) for place, hand in enumerate(hands)]

    def _cycle(self, hands: list[list[int]], words: Words) -> None:
        """Make a cycle of moves; undo it if it does not close or ends in no case."""
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
            # Any card but the one just moved.
            number = words.below(len(hands[at]) - 1)
        while moved:
            card, at, to = moved.pop()
            hands[to].remove(card)
            hands[at].append(card)

    def _reshuffle(self, hands: list[list[int]], one: int, other: int, words: Words) -> None:
        """Reshuffle the cards that two places may both hold; undo it if the result fits no case."""
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
        """Whether the arrangement satisfies one of the cases; moves keep to a single one without fixed cards."""
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
        return any([_allows(case, once, twice) for case in self._cases])


def _movable(hands: list[list[int]], reach: list[list[int]]) -> list[list[int]]:
    """The allowed places of each card, without the places that are full of cards with no other place."""
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


def _allows(case: Case, once: list[int], twice: list[int]) -> bool:
    """Whether an arrangement satisfies a case.

    Args:
        case: the case.
        once: by place, its faces.
        twice: by place, the faces that it has twice.
    """
    for place, first in enumerate(once):
        rest = first
        fixed = case.fixed[place]
        if fixed:
            if not first & fixed:
                return False
            rest = first & ~fixed | twice[place] & fixed
        if rest & ~case.allowed[place]:
            return False
    return True


def _first_arrangement(case: Case) -> list[list[Card]] | None:
    """The first arrangement of a case, found by augmenting paths; None if there is none."""
    places = range(len(case.room))
    drawn: list[list[Card]] = [[] for _ in places]
    free = [case.room[place] - (case.fixed[place] != 0) for place in places]
    reach: dict[Card, list[int]] = {}
    for card in case.cards:
        reach[card] = [place for place in places if case.allowed[place] & card.bit]
    for card in sorted(case.cards, key=lambda card: len(reach[card])):
        # Breadth-first: by place reached, the card that would move there, and from where.
        queue = list(reach[card])
        moves: dict[int, tuple[Card, int]] = {}
        for place in queue:
            moves[place] = card, -1
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
                        if further not in moves:
                            moves[further] = lying, place
                            queue.append(further)
        if found < 0:
            return None
        while found >= 0:
            going, origin = moves[found]
            drawn[found].append(going)
            if origin >= 0:
                drawn[origin].remove(going)
            found = origin
    for place, fixed in enumerate(case.fixed):
        drawn[place].extend(cards_of(fixed))
    return drawn
