"""The pipeline of legality by itself: the situations in which it bars nothing, and the truth of each reason."""

from __future__ import annotations

from random import Random
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartsrules import Cards, Rules, Suit, legal_cards, why_illegal_card
from heartsrules.cards import SUIT_MASKS
from heartsrules.play import violations as V
from heartsrules.play.legality import FREE_OTHERWISE, FREE_TO_FOLLOW, freedom, playable
from heartsrules.rules import Compulsory, ExposedCardPlay, FirstTrick, HeartsLead, OpeningCard
from heartsrules.rules.presets import microsoft
from heartsrules.testing import random_rules
from support.naive import must_be_played
from support.tables import rules_of
from support.variations import KNOWN, variations

BOTH = FREE_TO_FOLLOW | FREE_OTHERWISE
SITUATIONS = [(first, broken) for first in (False, True) for broken in (False, True)]


def told(rules: Rules, first: bool, broken: bool) -> int:
    """What `freedom` tells about a situation."""
    return int(freedom(rules._resolved)) >> (4 if first else 0) + (2 if broken else 0) & BOTH


def hands(rules: Rules, rng: Random) -> list[int]:
    """The whole deck, without each suit and suit by suit, and random hands of it."""
    deck = int(rules._resolved.deck_lo)
    cards = [1 << place for place in range(52) if deck >> place & 1]
    random = [sum(rng.sample(cards, rng.randint(1, len(cards)))) for _ in range(6)]
    suits = [int(suit) for suit in SUIT_MASKS]
    return [
        hand for hand in (deck, *(deck & ~suit for suit in suits), *(deck & suit for suit in suits), *random) if hand
    ]


def met(rules: Rules, first: bool, broken: bool, rng: Random) -> int:
    """What is free as far as some hands show: in none of them `playable` bars a card."""
    tables = rules._resolved
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
        (Rules(first_trick=FirstTrick.FREE, opening_card=OpeningCard.UNRESTRICTED), (FREE_TO_FOLLOW, BOTH, BOTH, BOTH)),
        (rules_of("first_trick=free opening_card=unrestricted hearts_lead=any-time compulsory=safe"), (0, 0, 0, 0)),
    ],
)
def test_what_is_free(rules: Rules, expected: tuple[int, ...]) -> None:
    assert tuple(told(rules, first, broken) for first, broken in SITUATIONS) == expected


def test_it_is_worked_out_once() -> None:
    tables = Rules(players=5, removed=Cards("2C 2D"), target=77)._resolved
    assert tables.freedom == -1
    known = freedom(tables)
    assert tables.freedom == known >= 0
    tables.freedom = 0
    assert freedom(tables) == 0


UNBOUND: dict[str, Any] = {
    "opening_card": OpeningCard.ANY,
    "first_trick": FirstTrick.FREE,
    "hearts_lead": HeartsLead.ANY_TIME,
    "queen_discard_after_hearts": False,
    "compulsory": Compulsory.NO,
    "exposed_card_play": ExposedCardPlay.FREE,
}
"""Options that bar no card but those that do not follow suit."""
OWN: dict[type[V.Violation], str] = {
    V.OpeningCardRequired: "opening_card",
    V.HeartsNotBroken: "hearts_lead",
    V.ExposedCardRestricted: "exposed_card_play",
    V.QueenBeforeHearts: "queen_discard_after_hearts",
    V.PointsOnFirstTrick: "first_trick",
}
"""By stage, its option. Following suit has none, and what is compulsory is asked of the naive model."""
AIMS: tuple[dict[str, Any], ...] = (
    {},
    {"first_trick": FirstTrick.NO_SCORING, "queen_discard_after_hearts": True},
    {"compulsory": Compulsory.ALWAYS},
    {"exposable": Cards("QS AH"), "heart_lead_spares_queen": True},
)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Rules, Cards, dict[str, Any]]:
    """A rule set, a hand and the situation it is to play in; the hand is rich in cards that rules are about."""
    rng = draw(st.randoms(use_true_random=True))
    rules = random_rules(rng, **rng.choice(AIMS))
    named = rules.penalty_cards.distinct() + Cards([each.card for each in rules.bonuses]) + rules.compulsory_cards
    pack = sorted(rules.deck, key=lambda card: rng.random() - 0.5 * (card in named))
    size = rng.randint(1, rules.cards_per_hand)
    hand = Cards(pack[:size])
    rest = pack[size:]
    rng.shuffle(rest)
    return (
        rules,
        hand,
        {
            "trick": rest[: rng.randrange(rules.players)],
            "first_trick": rng.random() < 0.6,
            "hearts_broken": rng.random() < 0.3,
            "exposed": [card for card in hand.distinct() & rules.exposable if rng.random() < 0.7],
            "suits_led": [suit for suit in Suit if rng.random() < 0.3],
        },
    )


@given(situations())
def test_each_reason_is_true_by_itself(case: tuple[Rules, Cards, dict[str, Any]]) -> None:
    """Whatever the other options bar: with the stage of the reason alone the card is barred too."""
    rules, hand, situation = case
    legal = legal_cards(rules, hand, **situation)
    trick = [(seat, str(card)) for seat, card in enumerate(situation["trick"])]
    held = [str(each) for each in hand]
    for card in hand.distinct():
        reasons = why_illegal_card(rules, hand, card, **situation)
        assert (reasons == ()) == (card in legal)
        stages = [type(reason) for reason in reasons]
        assert stages == [stage for stage in V.PRECEDENCE if stage in stages]
        for stage in stages:
            if stage is V.MustFollowSuit:
                led = situation["trick"][0].suit
                assert card.suit is not led
                assert hand.of_suit(led)
            elif stage is V.CardIsCompulsory:
                due = [each for each in held if each in map(str, rules.compulsory_cards)]
                due = [each for each in due if must_be_played(rules, each, held, trick)]
                assert due
                assert str(card) not in due
            else:
                own = OWN[stage]
                alone = attrs.evolve(rules, **{**UNBOUND, own: getattr(rules, own)})
                assert card not in legal_cards(alone, hand, **situation), (stage, card)
