"""What a seat knows of the cards that it passed: who has them, or that they went through the middle."""

from __future__ import annotations

from heartsrules.cards import NO_CARDS, Cards
from heartsrules.play.passing import moves_cards, receivers
from heartsrules.play.view_classes import DealStartView
from heartsrules.rules import Seat


def layers_of(start: DealStartView) -> tuple[Seat, ...]:
    """The seats that laid cards into the middle; empty if the pass did not go through it."""
    rules = start.rules
    through = rules.resolved.through_middle(start.deal_number) and moves_cards(rules, start.declined)
    return tuple([seat for seat, count in enumerate(start.pass_counts) if count]) if through else ()


def laid_away(start: DealStartView) -> tuple[Cards, tuple[Seat, ...]]:
    """The cards that the viewing seat laid into the middle and did not get back, and the other seats, one of which
    holds each of them."""
    layers = tuple([seat for seat in layers_of(start) if seat != start.seat])
    return start.passed - start.received if layers else NO_CARDS, layers


def passed_to(start: DealStartView) -> dict[Seat, Cards]:
    """By receiver, the cards that the viewing seat passed, as far as it knows who has them."""
    laid, layers = laid_away(start)
    if len(layers) == 1:
        return {layers[0]: laid} if laid else {}
    given: dict[Seat, Cards] = {}
    own, commitment = start.seat, start.commitment
    if own is not None and commitment is not None:
        for (giver, number), to in receivers(start.rules, start.deal_number, start.declined).items():
            if giver == own:
                given[to] = given.get(to, NO_CARDS) + commitment.cards[number]
    return given
