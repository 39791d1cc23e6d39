"""The pipeline of legality by itself: what it need not be asked for, because it bars nothing."""

from __future__ import annotations

from random import Random

import pytest

from heartsrules import Cards, Rules
from heartsrules.cards import SUIT_MASKS
from heartsrules.play.legality import FREE_OTHERWISE, FREE_TO_FOLLOW, freedom, playable
from heartsrules.rules import Compulsory, FirstTrick, HeartsLead, OpeningCard
from heartsrules.rules.presets import microsoft
from support.variations import KNOWN, variations

BOTH = FREE_TO_FOLLOW | FREE_OTHERWISE
SITUATIONS = [(first, broken) for first in (False, True) for broken in (False, True)]


def told(rules: Rules, first: bool, broken: bool) -> int:
    """What `freedom` tells about a situation."""
    return int(freedom(rules.compiled)) >> (4 if first else 0) + (2 if broken else 0) & BOTH


def hands(rules: Rules, rng: Random) -> list[int]:
    """The whole deck, without each suit and suit by suit, and random hands of it."""
    deck = int(rules.compiled.deck_lo)
    cards = [1 << place for place in range(52) if deck >> place & 1]
    random = [sum(rng.sample(cards, rng.randint(1, len(cards)))) for _ in range(6)]
    suits = [int(suit) for suit in SUIT_MASKS]
    return [
        hand for hand in (deck, *(deck & ~suit for suit in suits), *(deck & suit for suit in suits), *random) if hand
    ]


def met(rules: Rules, first: bool, broken: bool, rng: Random) -> int:
    """What is free as far as some hands show: in none of them `playable` bars a card."""
    tables = rules.compiled
    free = BOTH
    for hand in hands(rules, rng):
        for led in (0, *map(int, SUIT_MASKS)):
            following = hand & led
            for beaten in {0, led & -2 * (led & -led), led}:
                legal = int(playable(tables, hand, led, first, broken, beaten if following else 0, 0, None))
                if legal != (following or hand):
                    free &= ~(FREE_TO_FOLLOW if following else FREE_OTHERWISE)
    return free


@pytest.mark.once_compiled
def test_what_is_free_is_what_no_hand_is_barred_from() -> None:
    """Of each situation of every option's every value: where `freedom` says free, no hand finds a card barred; and
    where it does not, some hand does."""
    rng = Random("free")
    for rules in (*KNOWN, *sorted(variations(), key=repr)):
        for first, broken in SITUATIONS:
            assert told(rules, first, broken) == met(rules, first, broken, rng), (rules, first, broken)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # Later tricks before and after hearts are broken, then the first trick.
        (microsoft(), (FREE_TO_FOLLOW, BOTH, FREE_TO_FOLLOW, FREE_TO_FOLLOW)),
        (
            Rules(first_trick=FirstTrick.FREE, opening_card=OpeningCard.UNRESTRICTED, hearts_lead=HeartsLead.ANY_TIME),
            (BOTH, BOTH, BOTH, BOTH),
        ),
        (
            Rules(first_trick=FirstTrick.FREE, opening_card=OpeningCard.UNRESTRICTED),
            (FREE_TO_FOLLOW, BOTH, BOTH, BOTH),
        ),
        (
            Rules(
                first_trick=FirstTrick.FREE,
                opening_card=OpeningCard.UNRESTRICTED,
                hearts_lead=HeartsLead.ANY_TIME,
                compulsory=Compulsory.SAFE,
                compulsory_cards=Cards("QS"),
            ),
            (0, 0, 0, 0),
        ),
    ],
)
def test_what_is_free(rules: Rules, expected: tuple[int, ...]) -> None:
    assert tuple(told(rules, first, broken) for first, broken in SITUATIONS) == expected


def test_it_is_worked_out_once() -> None:
    tables = Rules(players=5, removed=Cards("2C 2D"), target=77).compiled
    assert tables.freedom == -1
    known = freedom(tables)
    assert tables.freedom == known >= 0
    tables.freedom = 0
    assert freedom(tables) == 0
