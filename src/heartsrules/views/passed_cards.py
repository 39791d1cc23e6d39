"""A seat's knowledge of the cards that it passed."""

from __future__ import annotations

from heartsrules.cards import NO_CARDS, Cards
from heartsrules.play.passing import moves_cards, receiver
from heartsrules.play.view_classes import StartedView
from heartsrules.rules import Seat


def layers_of(seen: StartedView) -> tuple[Seat, ...]:
    """Return the seats that put cards into the middle."""
    rules = seen.rules
    through = rules._resolved.through_middle(seen.deal_number) and moves_cards(rules, seen.declined)
    return tuple([seat for seat, count in enumerate(seen.start.pass_counts) if count]) if through else ()


def laid_away(seen: StartedView) -> tuple[Cards, tuple[Seat, ...]]:
    """Return the cards that the seat put into the middle and did not get back.

    Also returns the other seats that put cards in, one of which has each of them.
    """
    layers = tuple([seat for seat in layers_of(seen) if seat != seen.seat])
    return seen.passed - seen.received if layers else NO_CARDS, layers


def passed_to(seen: StartedView) -> dict[Seat, Cards]:
    """Return the cards that the viewing seat passed to each known receiver."""
    laid, layers = laid_away(seen)
    if len(layers) == 1:
        return {layers[0]: laid} if laid else {}
    given: dict[Seat, Cards] = {}
    own, commitment = seen.seat, seen.own.commitment
    if own is not None and commitment is not None:
        rules, declined = seen.rules, seen.declined
        for number, (offset, _) in enumerate(rules._resolved.pass_plan(seen.deal_number)):
            to = receiver(rules, declined, own, offset)
            if to != own:
                given[to] = given.get(to, NO_CARDS) + commitment.cards[number]
    return given
