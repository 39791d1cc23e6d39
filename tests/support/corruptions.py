"""Single corruptions of the events of a move, each under the name of its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import attrs

from heartsrules import Card, Cards, DealScore, Event, Expose, Pass, Rules
from heartsrules.base.values import replaced
from heartsrules.play.events import (
    CardPlayed,
    CardsDealtHidden,
    CardsExposed,
    ExposureCommitted,
    ExposureCommittedHidden,
    GameEnded,
    HeartsBroken,
    KittyTaken,
    KittyTakenHidden,
    PassCommitted,
    PassCommittedHidden,
    PlayBegan,
    TrickVoid,
    TrickWon,
)
from heartsrules.rules import KittyShownTo, Moon
from support.strategies import FACES

__all__ = ["corrupted"]

BEYOND = (-1, 11, 2**31, 2**63, 2**70, -(2**70))
"""Seats that no table has."""


def corrupted(events: Sequence[Event], rules: Rules, rng: Random) -> Iterator[tuple[str, tuple[Event, ...]]]:
    """Some corruptions of the redacted events of one move: of each kind that is possible, one at random.

    A name begins with the class of the event; `X lost`, `X twice` and `X swapped` stand for whole events, `X.part`
    for what an event says.
    """
    told = tuple(events)
    for at, event in enumerate(told):
        name = type(event).__name__
        before, after = told[:at], told[at + 1 :]
        yield f"{name} lost", before + after
        yield f"{name} twice", (*before, event, event, *after)
        if after:
            yield f"{name} swapped", (*before, after[0], event, *after[1:])
        for field in attrs.fields(type(event)):
            value = getattr(event, field.name)
            for kind, other in _others(value, rules, rng):
                if other != value:
                    changed = attrs.evolve(event, **{field.name: other})
                    yield f"{name}.{field.name}{kind}", (*before, changed, *after)
        for kind, other in _instead(event, rules, rng):
            yield f"{name} {kind}", (*before, *other, *after)


def _others(value: object, rules: Rules, rng: Random) -> Iterator[tuple[str, Any]]:
    match value:
        case Moon() | KittyShownTo():
            yield "", rng.choice(tuple(type(value)))
        case bool():
            yield "", not value
        case int() | None:
            yield "", rng.randrange(rules.players)
            yield " beyond", rng.choice((*BEYOND, rules.players))
            if value is not None:
                yield "", value + 1
        case Card():
            yield "", rng.choice(FACES)
            yield " in play", rng.choice(tuple(rules.deck.distinct()))
        case Cards():
            yield from _other_cards(value, rules, rng)
        case Pass():
            yield ".seat", Pass(rng.randrange(rules.players), *value.cards)
            yield ".seat", Pass(rng.choice(BEYOND), *value.cards)
            yield ".cards", Pass(value.seat, *() if value.cards else (Cards([rng.choice(FACES)]),))
            for gift in value.cards[:1]:
                for _, cards in _other_cards(gift, rules, rng):
                    yield ".cards", Pass(value.seat, cards, *value.cards[1:])
        case Expose():
            yield ".seat", Expose(rng.randrange(rules.players), value.cards)
            yield ".seat", Expose(rng.choice(BEYOND), value.cards)
            for kind, cards in _other_cards(value.cards, rules, rng):
                yield f".cards{kind}", Expose(value.seat, cards)
        case frozenset():
            yield "", value ^ {rng.randrange(rules.players)}
            yield " beyond", value | {rng.choice((*BEYOND, rules.players))}
        case DealScore():
            yield ".effect", replaced(value, effect=rng.choice((None, *Moon)))
            for name in DealScore.__match_args__:
                if name == "effect":
                    continue
                for kind, other in _others(getattr(value, name), rules, rng):
                    yield f".{name}{kind}", replaced(value, **{name: other})
        case ():
            yield " long", (Cards(),)
        case (Cards(), *_):
            bags = [bag for bag in value if isinstance(bag, Cards)]
            yield " short", value[:-1]
            yield " long", (*value, Cards())
            at = rng.randrange(len(bags))
            for kind, cards in _other_cards(bags[at], rules, rng):
                yield kind, (*bags[:at], cards, *bags[at + 1 :])
        case tuple():
            numbers: list[int] = list(value)
            yield " short", value[:-1]
            yield " long", (*value, rng.choice((0, 1, 11)))
            at = rng.randrange(len(numbers))
            numbers[at] += rng.choice((-1, 1, 5, 2**70))
            yield "", tuple(numbers)
            yield "", tuple(value[1:] + value[:1])
        case _:
            raise AssertionError(f"{value!r} is of no known type")


def _other_cards(value: Cards, rules: Rules, rng: Random) -> Iterator[tuple[str, Cards]]:
    cards = list(value)
    rng.shuffle(cards)
    yield " less", Cards(cards[1:])
    for kind, faces in (("", tuple(rules.deck.distinct())), (" foreign", FACES)):
        card = rng.choice(faces)
        if cards[1:].count(card) < 2:
            yield f" other{kind}", Cards([*cards[1:], card])
        if cards.count(card) < 2:
            yield f" more{kind}", Cards([*cards, card])


def _instead(event: Event, rules: Rules, rng: Random) -> Iterator[tuple[str, tuple[Event, ...]]]:
    """Other events in the place of one, or besides it."""
    seat = rng.randrange(rules.players)
    match event:
        case CardPlayed(seat=own, card=card):
            yield "and broken hearts", (event, HeartsBroken(own, card))
            yield "and a trick", (event, TrickWon(seat, Cards([card])))
        case TrickWon(winner=winner, cards=cards):
            yield "void", (TrickVoid(cards),)
            yield "and a kitty", (event, KittyTakenHidden(winner))
        case TrickVoid(cards=cards):
            yield "won", (TrickWon(seat, cards),)
        case KittyTaken():
            yield "hidden", (KittyTakenHidden(event.seat),)
        case KittyTakenHidden():
            kitty = Cards(rng.sample(list(rules.deck), rules.kitty_size)[:2])
            yield "exposed", (KittyTaken(event.seat, kitty, rules.kitty_shown_to),)
        case PassCommitted():
            yield "hidden", (PassCommittedHidden(event.move.seat),)
        case ExposureCommitted(move=move):
            yield "hidden", (ExposureCommittedHidden(move.seat),)
            yield "exposed", (CardsExposed(move.seat, move.cards),)
        case CardsExposed(seat=own, cards=cards):
            yield "unseen", (ExposureCommitted(Expose(own, cards)),)
        case CardsDealtHidden() | PassCommittedHidden() | ExposureCommittedHidden():
            yield "and a lead", (event, PlayBegan(seat))
        case _:
            if type(event).__name__ in ("DealScored", "MoonShot"):
                yield "and the end", (event, GameEnded((seat,)))
