"""Compute the learned network's inputs for one position, in sparse form.

They equal the inputs of `heartsrules.bots._inputs`, and do not require NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.analysis.card_choice import highest_face
from heartsrules.analysis.seat_words import DECLINE_BIT, EXPOSE, LEADS, PASS, PLAY, TAKER, SeatKnowledge, SeenSeat
from heartsrules.analysis.word_table import CARD_BITS
from heartsrules.cards import SUIT_MASKS, popcount
from heartsrules.rules import ANY_NUMBER, ExposeBeforePass, PassOptional, Rules

if TYPE_CHECKING:
    from mypy_extensions import i64

MOST_PLAYERS: Final = 5
"""The largest table that the network supports.

Seats are counted clockwise from the observer.
"""


def has_inputs(rules: Rules) -> bool:
    """Return True if the inputs support a rule set.

    It must have one deck, at most `MOST_PLAYERS` players and plain passes.
    """
    return (
        rules.decks == 1
        and rules.players <= MOST_PLAYERS
        and rules.pass_optional is PassOptional.NO
        and rules.expose_before_pass is ExposeBeforePass.NEVER
        and ANY_NUMBER not in rules.pass_cycle
        and not any([offset == 0 for step in rules.pass_cycle for offset, _ in step])
    )


@final
class CardValues:
    """Card values under a rule set, relative to half of all penalty points.

    Bonuses are negative.
    """

    def __init__(self, rules: Rules) -> None:
        resolved = rules._resolved
        total = rules.penalty_total or sum([bonus.points for bonus in rules.bonuses]) or 1
        points = [
            value if bit & int(resolved.deck_lo) else 0 for value, bit in zip(resolved.values, CARD_BITS, strict=True)
        ]
        for bonus in rules.bonuses:
            points[bonus.card.index] -= bonus.points
        self.by_card: Final[list[float]] = [value * 2 / total for value in points]
        self.counting: Final[i64] = sum([bit for value, bit in zip(points, CARD_BITS, strict=True) if value])
        """The cards with a value."""
        self.unit: Final[float] = total / 2
        self.doubler: Final[i64] = resolved.doubler


@final
class Sparse:
    """The nonzero inputs of a position.

    Args:
        seen: the seat's observation, with the cards picked so far for a pass or an exposure.
    """

    def __init__(self, seen: SeatKnowledge, values: CardValues) -> None:
        self.places: Final[list[int]] = []
        self.numbers: Final[list[float]] = []
        self._values: Final = values
        self._exposed: i64 = 0
        self._cost: float = 0.0
        self._gain: float = 0.0
        resolved = seen.view.rules._resolved
        players = resolved.players
        seats = seen.around
        piles = [int(seen.captured[seat.number].lo) for seat in seats]
        known = [int(seen.exposed[seat.number].lo) for seat in seats]
        for cards in known:
            self._exposed |= cards
        self._picked: i64 = seen.showing
        self._gift_to: int = 0
        """The recipient of the next card picked or of the first cards passed, or 0."""
        self._gift_left: int = 0
        self._look_at_gifts(seen, known)
        hand: i64 = seen.hand.lo
        outside: i64 = resolved.deck_lo & ~(hand | seen.kitty.lo)
        trick: i64 = 0
        lead: i64 = 0
        for place, seat in enumerate(seats):
            outside &= ~(seat.played_lo | piles[place])
            trick |= seat.trick
            if seat.about & LEADS:
                lead = seat.trick
        if seen.phase == PASS:
            hand &= ~self._picked
        led: i64 = 0
        for mask in SUIT_MASKS:
            if lead & mask:
                led = mask
        winning = highest_face(trick & led)
        actions = seen.legal()
        legal: i64 = actions & ~DECLINE_BIT
        self._add_cards(0, hand)
        self._add_cards(52, legal)
        self._add_cards(104, self._picked)
        self._add_cards(156, seen.received.lo)
        self._add_cards(208, outside)
        self._add_cards(260, trick)
        self._add_cards(312, winning)
        self._add_cards(364, legal & (led & ~(2 * winning - 1)) if led else legal)
        for place in range(1, players):
            self._add_cards(364 + 52 * place, known[place] & ~seats[place].played_lo)
            self._add_cards(572 + 52 * place, seats[place].played_lo)
        self._add_ranks(hand, outside)
        self._add_worth(936, hand)
        self._add_worth(988, outside)
        self._add_suits(1040, seats, hand, outside)
        self._add_phase(1064, seen, hand)
        self._weigh(trick)
        self._add(1069, self._cost)
        self._add(1070, self._gain)
        self._add(1072, self._gift_left / 3)
        self._add(1073, float(actions & DECLINE_BIT != 0))
        self._add(1074, float(led == 0 and seen.phase == PLAY))
        self._add_seats(1075, seen, seats, piles, winning)

    def _look_at_gifts(self, seen: SeatKnowledge, known: list[int]) -> None:
        plan = seen.view.rules._resolved.pass_plan(seen.deal_number)
        if seen.phase == PASS:
            for gift in seen.gifts:
                self._picked |= gift.lo
            for number, (offset, size) in enumerate(plan):
                self._gift_left += size
                if seen.next_gift >> number & 1:
                    self._gift_to = offset % len(known)
            self._gift_left -= int(popcount(self._picked))
        elif seen.gifts:
            self._gift_to = plan[0][0] % len(known)
            for (offset, _), gift in zip(plan, seen.gifts, strict=True):
                known[offset % len(known)] |= gift.lo

    def _add(self, place: int, number: float) -> None:
        if number:
            self.places.append(place)
            self.numbers.append(number)

    def _add_cards(self, start: int, mask: i64) -> None:
        while mask:
            low: i64 = mask & -mask
            self.places.append(start + int(popcount(low - 1)))
            self.numbers.append(1.0)
            mask &= mask - 1

    def _add_ranks(self, hand: i64, outside: i64) -> None:
        for suit_mask in SUIT_MASKS:
            suit: i64 = suit_mask
            rest: i64 = outside & suit
            left: i64 = hand & suit
            total: i64 = popcount(rest)
            while left:
                low: i64 = left & -left
                place = int(popcount(low - 1))
                below: i64 = popcount(rest & (low - 1))
                self._add(832 + place, int(below) * 0.125)
                self._add(884 + place, int(total - below) * 0.125)
                left &= left - 1

    def _add_worth(self, start: int, mask: i64) -> None:
        values = self._values
        mask &= values.counting
        while mask:
            low: i64 = mask & -mask
            place = int(popcount(low - 1))
            worth = values.by_card[place]
            self._add(start + place, worth * 2 if low & self._exposed else worth)
            mask &= mask - 1

    def _weigh(self, mask: i64) -> None:
        values = self._values
        cost = 0.0
        gain = 0.0
        mask &= values.counting
        while mask:
            low: i64 = mask & -mask
            worth = values.by_card[int(popcount(low - 1))]
            if low & self._exposed:
                worth *= 2
            if worth > 0:
                cost += worth
            else:
                gain -= worth
            mask &= mask - 1
        self._cost = cost
        self._gain = gain

    def _add_suits(self, start: int, seats: list[SeenSeat], hand: i64, outside: i64) -> None:
        for suit, mask in enumerate(SUIT_MASKS):
            self._add(start + suit, int(popcount(hand & mask)) * 0.125)
            self._add(start + 4 + suit, int(popcount(outside & mask)) * 0.125)
        for place in range(1, len(seats)):
            failed = seats[place].about >> 8
            for suit in range(4):
                self._add(start + 4 + 4 * place + suit, float(failed >> suit & 1))

    def _add_phase(self, start: int, seen: SeatKnowledge, hand: i64) -> None:
        left = int(popcount(hand))
        self._add(start, float(seen.phase == PASS))
        self._add(start + 1, float(seen.phase == EXPOSE))
        self._add(start + 2, float(seen.broken))
        self._add(start + 3, left / 13)
        self._add(start + 4, float(left == 1))

    def _add_seats(
        self, start: int, seen: SeatKnowledge, seats: list[SeenSeat], piles: list[int], winning: i64
    ) -> None:
        costs: list[float] = []
        total = 0.0
        for place, seat in enumerate(seats):
            self._weigh(piles[place])
            costs.append(self._cost)
            total += self._cost
            self._add(start + MOST_PLAYERS + place, self._gain)
            if seen.tricks_won:
                self._add(start + 4 * MOST_PLAYERS + place, seen.tricks_won[seat.number] / 13)
            self._add(start + 5 * MOST_PLAYERS + place, float(seat.about & LEADS != 0))
            if place:
                self._add(start + 7 * MOST_PLAYERS + place, float(self._gift_to == place))
                if winning and seat.trick == winning:
                    self._add(start + 6 * MOST_PLAYERS + place, 1.0)
            doubled = 1.0 if piles[place] & self._values.doubler else 0.0
            self._add(start + 8 * MOST_PLAYERS + place, doubled + (0.5 if seat.about & TAKER else 0.0))
        self._add(start - 4, total / 2)
        for place, cost in enumerate(costs):
            self._add(start + place, cost)
            self._add(start + 2 * MOST_PLAYERS + place, float(cost > 0))
            self._add(start + 3 * MOST_PLAYERS + place, float(cost > 0 and cost >= total - 1e-6))
