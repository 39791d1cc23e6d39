"""The passes that are worth a try: what makes a hand dangerous, card by card."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Final

from heartsrules.cards import Card, Cards
from heartsrules.choosing import passing_order
from heartsrules.moves import Pass
from heartsrules.rules import PassOptional
from heartsrules.views import PassingView

__all__ = ["likely_passes"]

_MORE: Final = 4
"""Of so many cards more than are passed all choices are looked at."""


def likely_passes(view: PassingView, most: int) -> Iterator[Pass]:
    """At most so many passes of a seat, those that give away the most dangerous cards first.

    Args:
        view: of a seat that has still to pass.
        most: how many passes, at least 2.
    """
    rules = view.rules
    seat = view.seat
    assert seat is not None
    tables = rules.tables
    if rules.pass_optional is not PassOptional.NO:
        yield Pass(seat, ())
        most -= 1
    size = sum([count for _, count in view.step])
    order = list(map(Card.from_index, passing_order(tables, view.hand.lo & ~tables.unpassable, view.hand.hi)))
    # The places of the cards in the order; the lower their sum, the more dangerous the cards.
    places = sorted(combinations(range(min(size + _MORE, len(order))), size), key=sum)
    seen: set[Cards] = set()
    bags = (
        bag
        for bag in (tuple([order[place] for place in chosen]) for chosen in places)
        if (cards := Cards(bag)) not in seen and not seen.add(cards)  # type: ignore[func-returns-value]
    )
    for bag in islice(bags, most):
        yield Pass(seat, _gifts(view, bag))


def _gifts(view: PassingView, bag: tuple[Card, ...]) -> tuple[Cards, ...]:
    """The gifts of a pass: opponents get the most dangerous cards, a partner the others."""
    rules = view.rules
    seat = view.seat
    assert seat is not None
    left = list(bag)
    gifts = [Cards()] * len(view.step)
    mates = [rules.side((seat + offset) % rules.players) == rules.side(seat) for offset, _ in view.step]
    for number in sorted(range(len(gifts)), key=mates.__getitem__):
        size = view.step[number][1]
        gifts[number] = Cards(left[:size])
        del left[:size]
    return tuple(gifts)
