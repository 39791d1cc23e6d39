"""The inputs of the learned player's network for one position, as the indices and values of those that are not 0.

This is `heartsrules.bots._inputs.inputs` for a single row, without NumPy: compiled, it takes a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, final

from heartsrules.bots._positions import MOST_PLAYERS, at
from heartsrules.cards import ALL_FACES, popcount
from heartsrules.rules import Rules

if TYPE_CHECKING:
    from mypy_extensions import i64

_SEATS: Final = MOST_PLAYERS
_SUITS: Final[list[int]] = [8191, 67100672, 549688705024, 4503049871556608]
"""The masks of the suits."""
_CARD_BITS: Final[list[int]] = [card.bit for card in ALL_FACES]
_LEGAL: Final = at["legal"]
_HAND: Final = at["hand"]
_PICKED: Final = at["picked"]
_RECEIVED: Final = at["received"]
_OUTSIDE: Final = at["outside"]
_KNOWN: Final = at["known"]
_TRICK: Final = at["trick"]
_PLAYED: Final = at["played"]
_CAPTURED: Final = at["captured"]
_SHOWN: Final = at["exposed"]
_FAILED: Final = at["failed"]
_WON: Final = at["won"]
_PHASE: Final = at["phase"]
_BROKEN: Final = at["broken"]
_LEADER: Final = at["leader"]
_TAKER: Final = at["taker"]
_GIFT_TO: Final = at["gift_to"]
_GIFT_LEFT: Final = at["gift_left"]


@final
class CardValues:
    """The values of cards under a rule set, as fractions of half of all penalty points; bonuses are negative."""

    def __init__(self, rules: Rules) -> None:
        resolved = rules.resolved
        total = rules.penalty_total or sum([bonus.points for bonus in rules.bonuses]) or 1
        points = [
            value if bit & int(resolved.deck_lo) else 0 for value, bit in zip(resolved.values, _CARD_BITS, strict=True)
        ]
        for bonus in rules.bonuses:
            points[bonus.card.index] -= bonus.points
        self.by_card: Final[list[float]] = [value * 2 / total for value in points]
        self.counting: Final[i64] = sum([bit for value, bit in zip(points, _CARD_BITS, strict=True) if value])
        """The faces with a value."""
        self.unit: Final[float] = total / 2
        self.doubler: Final[i64] = resolved.doubler


@final
class Sparse:
    """The inputs of a position that are not 0.

    Args:
        row: the position, as `heartsrules.bots._positions.encode` makes it.
        values: the values of the cards.
    """

    def __init__(self, row: Sequence[int], values: CardValues) -> None:
        self.places: Final[list[int]] = []
        """The indices of the inputs."""
        self.numbers: Final[list[float]] = []
        """Their values."""
        self._values: Final = values
        self._shown: i64 = 0
        self._cost: float = 0.0
        self._gain: float = 0.0
        for seat in range(_SEATS):
            self._shown |= row[_SHOWN + seat]
        lead: i64 = 0
        cards: i64 = 0
        for other in range(_SEATS - 1):
            cards |= row[_TRICK + other]
        if row[_LEADER] > 0:
            lead = row[_TRICK + row[_LEADER] - 1]
        led: i64 = 0
        for mask in _SUITS:
            if lead & mask:
                led = mask
        winning: i64 = cards & led
        winning |= winning >> 1
        winning |= winning >> 2
        winning |= winning >> 4
        winning |= winning >> 8
        winning &= ~(winning >> 1)
        winning &= cards
        legal: i64 = row[_LEGAL] & 0xFFFFFFFFFFFFF
        hand: i64 = row[_HAND]
        outside: i64 = row[_OUTSIDE]
        beating: i64 = legal & (led & ~(2 * winning - 1)) if led else legal
        self._add_cards(0, hand)
        self._add_cards(52, legal)
        self._add_cards(104, row[_PICKED])
        self._add_cards(156, row[_RECEIVED])
        self._add_cards(208, outside)
        self._add_cards(260, cards)
        self._add_cards(312, winning)
        self._add_cards(364, beating)
        for other in range(_SEATS - 1):
            self._add_cards(416 + 52 * other, row[_KNOWN + other])
            self._add_cards(624 + 52 * other, row[_PLAYED + 1 + other])
        self._add_ranks(hand, outside)
        self._add_worth(936, hand)
        self._add_worth(988, outside)
        self._add_suits(1040, row, hand, outside)
        self._add_numbers(1064, row, cards, led, hand)
        self._add_seats(1075, row, winning)

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
        """How many cards outside are below and above each card in the hand."""
        for suit_mask in _SUITS:
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
            self._add(start + place, worth * 2 if low & self._shown else worth)
            mask &= mask - 1

    def _weigh(self, mask: i64) -> None:
        """Set `_cost` and `_gain` to what cards are worth together."""
        values = self._values
        cost = 0.0
        gain = 0.0
        mask &= values.counting
        while mask:
            low: i64 = mask & -mask
            worth = values.by_card[int(popcount(low - 1))]
            if low & self._shown:
                worth *= 2
            if worth > 0:
                cost += worth
            else:
                gain -= worth
            mask &= mask - 1
        self._cost = cost
        self._gain = gain

    def _add_suits(self, start: int, row: Sequence[int], hand: i64, outside: i64) -> None:
        for suit, mask in enumerate(_SUITS):
            self._add(start + suit, int(popcount(hand & mask)) * 0.125)
            self._add(start + 4 + suit, int(popcount(outside & mask)) * 0.125)
        for other in range(_SEATS - 1):
            failed = row[_FAILED + 1 + other]
            for suit in range(4):
                self._add(start + 8 + 4 * other + suit, float(failed >> suit & 1))

    def _add_numbers(self, start: int, row: Sequence[int], cards: i64, led: i64, hand: i64) -> None:
        left = int(popcount(hand))
        phase = row[_PHASE]
        self._add(start, float(phase == 0))
        self._add(start + 1, float(phase == 1))
        self._add(start + 2, float(row[_BROKEN]))
        self._add(start + 3, left / 13)
        self._add(start + 4, float(left == 1))
        self._weigh(cards)
        self._add(start + 5, self._cost)
        self._add(start + 6, self._gain)
        self._add(start + 8, row[_GIFT_LEFT] / 3)
        self._add(start + 9, float(row[_LEGAL] >> 52 & 1))
        self._add(start + 10, float(led == 0 and phase == 2))

    def _add_seats(self, start: int, row: Sequence[int], winning: i64) -> None:
        costs: list[float] = []
        total = 0.0
        for seat in range(_SEATS):
            self._weigh(row[_CAPTURED + seat])
            costs.append(self._cost)
            total += self._cost
            self._add(start + _SEATS + seat, self._gain)
            self._add(start + 4 * _SEATS + seat, row[_WON + seat] / 13)
            self._add(start + 5 * _SEATS + seat, float(row[_LEADER] == seat))
            if seat:
                self._add(start + 7 * _SEATS + seat, float(row[_GIFT_TO] == seat))
                if winning and row[_TRICK + seat - 1] == winning:
                    self._add(start + 6 * _SEATS + seat, 1.0)
            doubled = 1.0 if row[_CAPTURED + seat] & self._values.doubler else 0.0
            self._add(start + 8 * _SEATS + seat, doubled + (0.5 if row[_TAKER] == seat else 0.0))
        self._add(start - 4, total / 2)
        for seat, cost in enumerate(costs):
            self._add(start + seat, cost)
            self._add(start + 2 * _SEATS + seat, float(cost > 0))
            self._add(start + 3 * _SEATS + seat, float(cost > 0 and cost >= total - 1e-6))
