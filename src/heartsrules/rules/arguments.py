"""Checks of arguments for applications.

A wrong type raises a `TypeError` that names the argument; a value that the rules do not allow is a `Problem`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from heartsrules.base.errors import Problem
from heartsrules.base.values import checked_int, items_in, wrong_item, wrong_type
from heartsrules.cards import Card, Cards, bag_of
from heartsrules.rules import Rules, Seat
from heartsrules.rules._choices import unify_offset
from heartsrules.rules._fields import as_step
from heartsrules.rules._option import step_at


def check_rules(rules: object) -> None:
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)


def bags_in(name: str, values: object) -> tuple[Cards, ...]:
    """Return an iterable argument as `Cards`, each converted by `bag_from`."""
    if isinstance(values, (str, Cards)) or not isinstance(values, Iterable):
        wrong_type(name, "an iterable of Cards", values)
    given: Iterable[object] = values
    return tuple(
        [bag if isinstance(bag, Cards) else bag_from(f"{name}[{place}]", bag) for place, bag in enumerate(given)]
    )


def bag_from(name: str, value: object) -> Cards:
    """Return `Cards`, a text, or an iterable of cards and texts as `Cards`."""
    if isinstance(value, Cards):
        return value
    if isinstance(value, str):
        return Cards(value)
    given: Any = value
    if isinstance(value, Iterable):
        given = [Card(item) if isinstance(item, str) else item for item in value]
    cards = items_in(name, given, Card, "Card", "a str or an iterable of Card")
    return Cards(cards)


def card_from(name: str, value: object) -> Card:
    if isinstance(value, Card):
        return value
    if not isinstance(value, str):
        wrong_type(name, "a Card or a str", value)
    return Card(value)


def gifts_in(name: str, values: object, gifts: int) -> tuple[Cards, ...]:
    """Return an argument as the cards for each recipient.

    For a single recipient, it can also be the cards themselves.
    """
    if isinstance(values, (str, Cards)):
        return (bag_from(name, values),)
    if gifts != 1 or not isinstance(values, Iterable):
        return bags_in(name, values)
    items = tuple(values)
    if not items or not all([isinstance(item, (str, Card)) for item in items]):
        return bags_in(name, items)
    return (Cards(" ".join(map(str, items))),)


def ints_of(name: str, values: object) -> tuple[int, ...]:
    """Return an argument that must be an iterable of ints. A bool is not an int."""
    return items_in(name, values, int, "ints", refused=bytes)


def wrong_count(name: str, count: int, players: int) -> Problem:
    """Return the problem of a collection without exactly one item per seat."""
    return Problem.at("wrong-count", name, "by-seat", count=count, players=players)


def removed_problems(rules: Rules, name: str, cards: Cards) -> list[Problem]:
    """Return the problem of cards that the rules remove, or an empty list."""
    removed = bag_of(cards.lo & ~rules._resolved.deck_lo, 0)
    return [Problem.at("foreign-cards", name, "removed", cards=removed)] if removed else []


def hand_problems(rules: Rules, name: str, hand: Cards) -> list[Problem]:
    resolved = rules._resolved
    problems = removed_problems(rules, name, hand)
    twice = bag_of(hand.hi & ~resolved.deck_hi & resolved.deck_lo, 0)
    if twice:
        problems.append(Problem.at("too-many-copies", name, "hand", cards=twice))
    return problems + hand_size_problems(rules, name, hand)


def hand_size_problems(rules: Rules, name: str, hand: Cards) -> list[Problem]:
    """Return the problem of a hand with more cards than are dealt, in a list."""
    if len(hand) <= rules.cards_per_hand:
        return []
    return [Problem.at("wrong-hand-size", name, "too-large", count=len(hand), most=rules.cards_per_hand)]


def seat_problems(name: str, seat: Seat, players: int) -> list[Problem]:
    """Return the problem of a seat that the table does not have, or an empty list."""
    if 0 <= seat < players:
        return []
    return [Problem.at("no-such-seat", name, "named", seat=seat, last=players - 1)]


def step_of(rules: Rules, plan: object) -> tuple[int, list[Problem]]:
    """Return a pass step's index in the cycle and its problems.

    It can be a plan, or a step such as `across(3)`.
    """
    given = step_at(as_step(plan), rules.players)
    if isinstance(given, str):
        return 0, [Problem.of("wrong-plan", ("plan",), "unknown")]
    if not isinstance(given, tuple):
        wrong_type("plan", "a step such as left(3) or 'L3'", plan)
    for gift in given:
        if not isinstance(gift, tuple) or len(gift) != 2:
            wrong_item("plan", "pairs (offset, count)", gift)
        if gift[0] != "across":
            checked_int("a number of plan", gift[0])
        checked_int("a number of plan", gift[1])
    step = tuple([(unify_offset(offset, rules.players), count) for offset, count in given])
    if step and step in rules.pass_cycle:
        return rules.pass_cycle.index(step), []
    return 0, [Problem.of("wrong-plan", ("plan",), "unknown" if step else "hold")]
