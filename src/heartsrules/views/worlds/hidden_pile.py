"""Sampling of a pass through the middle, as one seat may know it.

The middle was shuffled, so each card in it is equally likely to be any of those dealt back. A seat knows its own cards:
the ones it did not get back are with the other seats that put any in. Of two equal cards, either can be the one that
was put in, with equal probability.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import perm, prod
from typing import Final

from heartsrules.cards import NO_CARDS, Card, Cards, bag_of
from heartsrules.chance.words import Words
from heartsrules.play.moves import Pass, pass_of
from heartsrules.play.view_classes import StartedView
from heartsrules.rules import Seat
from heartsrules.views.passed_cards import laid_away


class HiddenPile:
    """A seat's uncertainty about the middle, given the hands after it was dealt back.

    Raises:
        ValueError: the seat's own pass contradicts its count.
        LookupError: `pass_counts` has no number for the seat.
    """

    def __init__(self, seen: StartedView) -> None:
        rules = seen.rules
        if seen.seat is not None:
            commitment = seen.own.commitment
            gifts = () if commitment is None else commitment.cards
            counts = {seen.start.pass_counts[seen.seat], sum(map(len, gifts)), len(seen.passed), len(seen.received)}
            if len(counts) > 1:
                raise ValueError("a seat commits, lays and gets back the same number of cards")
        self.put_in, self.layers = laid_away(seen)
        """The cards that the seat put in and did not get back, and the other seats that put any in."""
        twice = rules._resolved.deck_hi if self.layers else 0
        self._like_laid: Final = bag_of(seen.passed.lo & seen.received.lo & ~seen.passed.hi & twice, 0)
        """Cards of which the seat put in a copy and received a copy, perhaps the other one."""
        self._seen: Final = seen
        self._players: Final = rules.players
        self._unpassable: Final = rules._resolved.unpassable
        self._counts: Final = seen.start.pass_counts
        locked = sum([1 for card in rules.deck if card in rules.unpassable])
        self._least: Final = [max(count, rules.cards_per_hand - locked) for count in self._counts]
        """The minimum number of passable cards in each hand."""
        self._bound: tuple[int, int] = (1, 1)
        """The maximum weight of any hands, as numerator and denominator."""

    def set_bound(self, known: Sequence[Cards], unseen: Cards) -> None:
        """Set the bound of the weights.

        Args:
            known: the cards that each seat is known to have had after the middle was dealt back.
            unseen: the cards that no seat is known to have had.

        Raises:
            ValueError: no seat can have the cards.
        """
        settled = dict.fromkeys(self.layers, 0)
        for card in self.put_in.distinct():
            held = {seat: known[seat].count(card) for seat in self.layers}
            missing = self.put_in.count(card) - sum(held.values())
            if missing > unseen.count(card):
                raise ValueError("a laid card is with nobody who got any")
            if missing >= 0 and not unseen.count(card):
                for seat, copies in held.items():
                    settled[seat] += min(copies, self.put_in.count(card))
        for _ in range(len(self.put_in) - sum(settled.values())):
            # Each further card of a seat adds a smaller factor than the one before.
            shares = {seat: self._share(seat, taken) for seat, taken in settled.items()}
            seat = max(shares, key=shares.__getitem__)
            settled[seat] += 1
        self._bound = (
            prod([perm(self._counts[seat], taken) for seat, taken in settled.items()]),
            prod([perm(self._least[seat], taken) for seat, taken in settled.items()]),
        )

    def _share(self, seat: Seat, taken: int) -> Fraction:
        """Return the change of the maximum weight for one more such card in a hand."""
        left = self._least[seat] - taken
        return Fraction(self._counts[seat] - taken, left) if left > 0 else Fraction(0)

    def spread(self, laid: Cards, room: dict[Seat, int], words: Words) -> dict[Seat, Cards]:
        """Sample the seats among `layers` that have some cards, and use up their room.

        Raises:
            ValueError: there is no room.
        """
        drawn = dict.fromkeys(self.layers, NO_CARDS)
        if sum([room[seat] for seat in self.layers]) < len(laid):
            raise ValueError("the laid cards have no room")
        for card in laid:
            place = words.below(sum([room[seat] for seat in self.layers]))
            for seat in self.layers:
                place -= room[seat]
                if place < 0:
                    drawn[seat] += Cards([card])
                    room[seat] -= 1
                    break
        return drawn

    def accepts(self, hands: Sequence[Cards], words: Words) -> bool:
        """Accept hands in proportion to the ways in which the middle leads to them."""
        if any([self._passable(hands[seat]) < count for seat, count in enumerate(self._counts)]):
            # The cards dealt back to a seat are in its hand, and all are passable.
            return False
        if not (self.put_in or self._like_laid):
            return True
        weights = [weight for _, weight in self._labelled(hands)]
        most = len(self.put_in) + len(self._like_laid)
        whole = prod([perm(held, min(most, held)) for held in [self._passable(hands[seat]) for seat in self.layers]])
        best, under = self._bound
        bound = best * len(weights) * whole
        return bound > 0 and words.far_below(bound) < sum(weights) * under

    def _passable(self, hand: Cards) -> int:
        return len(bag_of(hand.lo & ~self._unpassable, hand.hi & ~self._unpassable))

    def _labelled(self, hands: Sequence[Cards]) -> Iterator[tuple[dict[Seat, Cards], int]]:
        own = self._seen.seat
        places: list[list[tuple[Card, Seat]]] = []
        for card in self.put_in.distinct():
            if len(self.layers) == 1:
                # Its holder is known, so this copy is distinct from one that was not put in.
                (only,) = self.layers
                holds = hands[only].count(card) >= self.put_in.count(card)
                places += [[(card, only if holds else -1)]] * self.put_in.count(card)
                continue
            others = [seat for seat in range(self._players) if seat != own for _ in range(hands[seat].count(card))]
            # Cards in no hand are in the kitty.
            copies = self._seen.rules.deck.count(card) - (0 if own is None else hands[own].count(card))
            others += [-1] * (copies - len(others))
            if self.put_in.count(card) == copies:
                places += [[(card, seat)] for seat in others]
            else:
                places.append([(card, seat) for seat in others])
        for card in self._like_laid:
            others = [seat for seat in range(self._players) for _ in range(hands[seat].count(card))]
            places.append([(card, seat) for seat in [*others, *[-1] * (2 - len(others))]])
        chosen: list[dict[Seat, list[Card]]] = [{seat: [] for seat in self.layers}]
        possible = [True]
        for options in places:
            following: list[dict[Seat, list[Card]]] = []
            possibly: list[bool] = []
            for before, still in zip(chosen, possible, strict=True):
                for card, seat in options:
                    after = {layer: [*cards, card] if layer == seat else cards for layer, cards in before.items()}
                    following.append(after)
                    possibly.append(still and (seat in before or seat == own))
            chosen, possible = following, possibly
        size = len(self.put_in) + len(self._like_laid)
        for labels, could in zip(chosen, possible, strict=True):
            weight = 0
            if could:
                weight = 1
                for seat, cards in labels.items():
                    held = self._passable(hands[seat])
                    if len(cards) > held:
                        weight = 0
                        break
                    rest = perm(held - len(cards), min(size, held) - len(cards))
                    weight *= perm(self._counts[seat], len(cards)) * rest
            yield {seat: Cards(cards) for seat, cards in labels.items()}, weight

    def draw(
        self, hands: Sequence[Cards], words: Words
    ) -> tuple[tuple[Pass, ...], tuple[Cards, ...], tuple[Cards, ...]]:
        """Sample a pass through the middle, given the hands after it was dealt back.

        Returns:
            Each seat's pass, cards put in, and cards received.

        Raises:
            ValueError: these hands allow nothing.
        """
        seen = self._seen
        received = [NO_CARDS] * self._players
        passed = [NO_CARDS] * self._players
        if seen.seat is not None:
            received[seen.seat], passed[seen.seat] = seen.received, seen.passed
        labelled = list(self._labelled(hands))
        number = sum([weight for _, weight in labelled])
        if not number:
            raise ValueError("these hands allow no pile")
        number = words.far_below(number)
        chosen = labelled[0][0]
        for labels, weight in labelled:
            if 0 <= number < weight:
                chosen = labels
            number -= weight
        for seat in self.layers:
            mine = chosen[seat]
            rest = hands[seat] - mine
            lo, hi = rest.lo & ~self._unpassable, rest.hi & ~self._unpassable
            count = self._counts[seat] - len(mine)
            if not 0 <= count <= len(bag_of(lo, hi)):
                raise ValueError("these hands allow no pile")
            first, second = words.choice(lo, hi, count)
            received[seat] = mine + bag_of(first | second, first & second)
        pile = sum(received, NO_CARDS) - (NO_CARDS if seen.seat is None else passed[seen.seat])
        for seat in self.layers:
            first, second = words.choice(pile.lo, pile.hi, self._counts[seat])
            passed[seat] = bag_of(first | second, first & second)
            pile -= passed[seat]
        passes = [pass_of(seat, () if seat in seen.declined else (passed[seat],)) for seat in range(self._players)]
        return tuple(passes), tuple(passed), tuple(received)
