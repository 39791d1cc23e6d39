"""Likely passes: those that give away the most dangerous cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from heartsrules.analysis.card_choice import passing_order
from heartsrules.cards import Card, Cards
from heartsrules.chance import RandomStream
from heartsrules.play.moves import Pass
from heartsrules.rules import ANY_NUMBER, PassOptional, PassPlan, Rules, Seat

_MORE: Final = 4
"""Number of candidate cards beyond those passed."""
_LIKELY: Final = 3
"""Number of cards that are likely to be laid where any number may be."""


def likely_passes(rules: Rules, step: PassPlan, seat: Seat, hand: Cards, most: int) -> Iterator[Pass]:
    """The passes of a seat that give away the most dangerous cards, in order, at most `most`.

    Args:
        rules: the rule set.
        plan: what is passed in this deal.
        seat: one that has still to pass.
        hand: what it holds.
        most: how many passes, at least 1; declining is one of them where it is allowed, if there is room for another.
    """
    resolved = rules._resolved
    order = list(map(Card.from_index, passing_order(resolved, hand.lo & ~resolved.unpassable, hand.hi)))
    size = sum([count for _, count in step]) or min(_LIKELY, len(order))
    # The places of the cards in the order; the lower their sum, the more dangerous the cards.
    more = min(size + _MORE, len(order)) if most > 1 else size
    optional = rules.pass_optional is not PassOptional.NO or step == ANY_NUMBER
    declines = not size or (optional and most > 1)
    seen: set[Cards] = set()
    for chosen in sorted(combinations(range(more), size), key=sum) if size else ():
        bag = [order[place] for place in chosen]
        cards = Cards(bag)
        if cards not in seen:
            seen.add(cards)
            yield Pass(seat, *worst_to_opponents(rules, step, seat, bag))
            if len(seen) == most - declines:
                break
    if declines:
        yield Pass(seat)


def drawn_pass(rules: Rules, step: PassPlan, seat: Seat, hand: Cards, stream: RandomStream) -> Pass:
    """Draw a pass as players make it: from the most dangerous card on, each is taken with the probability 1/2.

    The probability is the likeliest one for 1,600 passes of the heuristic player and for 400 of the sampling player.
    18 % of those passes are the most dangerous cards; of passes drawn so, 12.5 % are.

    Args:
        rules: the rule set.
        plan: what is passed in this deal.
        seat: one that has still to pass.
        hand: what it holds.
        stream: the source of the draws.
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
    """The gifts of a pass: opponents get the worst cards, a partner the others."""
    left = worst_first
    gifts = [Cards()] * len(step)
    mates = [rules.side((seat + offset) % rules.players) == rules.side(seat) for offset, _ in step]
    for number in sorted(range(len(gifts)), key=lambda number: (mates[number], -number)):
        size = step[number][1] or len(left)
        gifts[number] = Cards(left[:size])
        left = left[size:]
    return tuple(gifts)
