"""Find likely passes of dangerous cards, whole suits, or cards useless for a moon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, zip_longest
from math import comb
from typing import Final

from heartsrules.analysis.card_choice import passing_order
from heartsrules.cards import Card, Cards, Suit
from heartsrules.chance import RandomStream
from heartsrules.play.moves import Pass
from heartsrules.rules import ANY_NUMBER, PassOptional, PassPlan, Rules, Seat

_LIKELY: Final = 3
"""The number of cards likely to be put in the middle if any number is allowed."""
_MOST_PUT_IN: Final = 6
"""The most cards put there."""
_FILLERS: Final = 4
"""The number of cards beyond those required that can be passed with a suit."""


def likely_passes(rules: Rules, step: PassPlan, seat: Seat, hand: Cards, most: int) -> Iterator[Pass]:
    """Yield a seat's likely passes, most dangerous first.

    They are all possible sets if there is room. Otherwise they alternate between the most dangerous cards, cards that
    void or shorten a suit, and the least dangerous ones, to keep a hand that wins tricks. Each set is divided among
    several recipients in one way.

    Args:
        step: the deal's pass.
        seat: a seat that has yet to pass.
        most: the maximum number of passes, at least 1. They include declining if it is legal and there is room for
            another.
    """
    resolved = rules._resolved
    order = list(map(Card.from_index, passing_order(resolved, hand.lo & ~resolved.unpassable, hand.hi)))
    total = sum([count for _, count in step])
    sizes = [total] if total else list(range(1, min(_MOST_PUT_IN, len(order)) + 1))
    sizes.sort(key=lambda size: abs(size - _LIKELY))
    optional = rules.pass_optional is not PassOptional.NO or step == ANY_NUMBER
    declines = not sizes or (optional and most > 1)
    left = most - declines
    seen: set[Cards] = set()
    for chosen in _in_turn([_likely_places(order, size, left // len(sizes)) for size in sizes]):
        bag = [order[place] for place in chosen]
        cards = Cards(bag)
        if left and cards not in seen:
            left -= 1
            seen.add(cards)
            yield Pass(seat, *worst_to_opponents(rules, step, seat, bag))
    if declines:
        yield Pass(seat)


def _likely_places(order: Sequence[Card], size: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the hand positions of cards that are likely to be passed together.

    Args:
        order: the passable cards, most dangerous first.
        size: the number of cards passed.
        most: the approximate number of passes requested.
    """
    pool = size
    while pool < len(order) and comb(pool, size) < most:
        pool += 1
    places = range(len(order))
    dangerous = _by_danger(places[:pool], size)
    if pool == len(order):
        return dangerous
    voids = _in_turn([_with_suit(order, suit, size) for suit in sorted(Suit, key=[card.suit for card in order].count)])
    harmless = _by_danger(places[::-1][:pool], size)
    return _in_turn([dangerous, voids, (tuple(sorted(chosen)) for chosen in harmless)])


def _by_danger(places: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of positions, lowest positions first."""
    ranks = sorted(combinations(range(len(places)), size), key=sum)
    return (tuple([places[rank] for rank in chosen]) for chosen in ranks)


def _with_suit(order: Sequence[Card], suit: Suit, size: int) -> Iterator[tuple[int, ...]]:
    """Yield sets with as much of a suit as possible and the most dangerous others."""
    own = [place for place, card in enumerate(order) if card.suit is suit][:size]
    others = [place for place, card in enumerate(order) if card.suit is not suit]
    if own:
        for more in _by_danger(others[: size - len(own) + _FILLERS], size - len(own)):
            yield tuple(sorted([*own, *more]))


def _in_turn(lists: Iterable[Iterable[tuple[int, ...]]]) -> Iterator[tuple[int, ...]]:
    for row in zip_longest(*lists):
        yield from [item for item in row if item is not None]


def drawn_pass(rules: Rules, step: PassPlan, seat: Seat, hand: Cards, stream: RandomStream) -> Pass:
    """Draw a pass like a real player's.

    Each card is taken with probability 1/2, from the most dangerous one on.

    Args:
        step: the deal's pass.
        seat: a seat that has yet to pass.
    """
    resolved = rules._resolved
    order = passing_order(resolved, hand.lo & ~resolved.unpassable, hand.hi)
    size = sum([count for _, count in step]) or min(_LIKELY, len(order))
    bits = stream.word()
    chosen: list[Card] = []
    for place, index in enumerate(order):
        missing = size - len(chosen)
        if missing == len(order) - place or (missing and bits & 1):
            chosen.append(Card.from_index(index))
        bits >>= 1
    return Pass(seat, *(worst_to_opponents(rules, step, seat, chosen) if chosen else ()))


def worst_to_opponents(rules: Rules, step: PassPlan, seat: Seat, worst_first: Sequence[Card]) -> tuple[Cards, ...]:
    """Divide a pass, giving opponents the worst cards and a partner the others."""
    left = worst_first
    gifts = [Cards()] * len(step)
    mates = [rules.side((seat + offset) % rules.players) == rules.side(seat) for offset, _ in step]
    for number in sorted(range(len(gifts)), key=lambda number: (mates[number], -number)):
        size = step[number][1] or len(left)
        gifts[number] = Cards(left[:size])
        left = left[size:]
    return tuple(gifts)
