"""Random rule sets: every option takes every value, whatever the source of bits."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import attrs
import pytest

from heartsrules import Card, Cards, GameOver, InvalidRules, Rules, Suit, new_game
from heartsrules.analysis.playout import playout
from heartsrules.cards import ALL_FACES
from heartsrules.chance import Bits, RandomStream, SeededBits
from heartsrules.rules import (
    Compulsory,
    Doubler,
    ExposedCardPlay,
    Exposure,
    HeartsLead,
    Kind,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    Option,
)
from heartsrules.testing import random_rules

pytestmark = pytest.mark.once_compiled

DRAWN_TOGETHER = ("removed", "hand_size", "pass_cycle", "unpassable")


@pytest.mark.long
def test_every_option_takes_every_value_that_it_can_be_tried_with() -> None:
    """So a new option is drawn without a line written for it, or this fails."""
    sets = [random_rules(Random(f"option {number}")) for number in range(1500)]
    for option in Rules.OPTIONS:
        values = {getattr(rules, option.name) for rules in sets}
        if option.kind in (Kind.BOOL, Kind.CHOICE) or option.choices:
            assert values == set(option.choices), option.name
        else:
            assert len(values) > 1, option.name
    assert {(rules.decks, rules.teams) for rules in sets} == {(1, 0), (1, 2), (1, 3), (2, 0), (2, 2), (2, 3)}
    assert {len(step) for rules in sets for step in rules.pass_cycle} >= {0, 1, 2, 3, 4}
    assert {rules.kitty_size > 0 for rules in sets} == {False, True}
    assert any(not rules.removed for rules in sets)
    assert any(Card("QS") not in rules.deck for rules in sets)
    assert any(not rules.penalty_cards for rules in sets)
    assert {len(rules.bonuses) for rules in sets} >= {0, 1, 2, 3}
    assert {len(rules.compulsory_cards) for rules in sets} >= {1, 2, 3}
    assert {len(rules.exposable) for rules in sets} >= {0, 1, 2, 3, 4}


@pytest.mark.long
def test_options_are_drawn_together_that_matter_together() -> None:
    sets = [random_rules(Random(f"option {number}")) for number in range(1500)]
    queen = Card("QS")

    def drawn(what: Callable[[Rules], Any]) -> int:
        return sum([bool(what(rules)) for rules in sets])

    gong_zhu = [rules for rules in sets if rules.moon_cards is MoonCards.HEARTS and rules.doubler and rules.bonuses]
    assert len(gong_zhu) > 15
    assert {queen in rules.deck for rules in gong_zhu} == {False, True}
    taker = OpeningLeader.QUEEN_TAKER
    assert drawn(lambda rules: rules.opening_leader is taker and rules.kitty_size) > 30
    assert drawn(lambda rules: rules.opening_leader is taker and rules.decks == 2) > 15
    assert drawn(lambda rules: rules.opening_leader is taker and len(rules.pass_cycle[0]) > 0) > 30
    assert drawn(lambda rules: rules.compulsory is Compulsory.SAFE and rules.decks == 2) > 50
    assert drawn(lambda rules: rules.compulsory is not Compulsory.NO and queen not in rules.compulsory_cards) > 50
    assert drawn(lambda rules: rules.doubler and rules.deck.count(rules.doubler.card) == 2) > 50
    assert drawn(lambda rules: rules.moon_needs_bonus and len(rules.bonuses) > 1) > 30
    assert drawn(lambda rules: rules.teams and rules.moon_cards is not MoonCards.ALL) > 50
    assert drawn(lambda rules: rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN and rules.extra_penalties) > 30
    showing = [rules for rules in sets if rules.exposable]
    assert len(showing) > 200
    for kind in Exposure:
        assert len([rules for rules in showing if rules.exposure is kind]) > 40
    for wait in ExposedCardPlay:
        assert len([rules for rules in showing if rules.exposed_card_play is wait]) > 50
    assert drawn(lambda rules: rules.exposable and rules.kitty_size) > 50
    assert drawn(lambda rules: rules.exposable and len(rules.pass_cycle[0]) > 0) > 50
    assert drawn(lambda rules: rules.exposable and rules.compulsory is not Compulsory.NO) > 50
    assert drawn(lambda rules: rules.exposable and rules.moon_cards is MoonCards.HEARTS and rules.doubler) > 10
    hearts = {card for card in ALL_FACES if card.suit is Suit.HEARTS}
    for what in (
        lambda _: {queen},
        lambda rules: {rules.doubler.card} if rules.doubler else set(),
        lambda rules: {bonus.card for bonus in rules.bonuses},
        lambda rules: {card for card, _ in rules.extra_penalties} - hearts - {queen},
        lambda rules: {card for card in hearts if not rules.penalty(card)},
        lambda rules: {card for card in hearts if rules.penalty(card)},
    ):
        assert len([rules for rules in showing if set(rules.exposable) & what(rules)]) > 8


@pytest.mark.parametrize("source", [Random, SeededBits])
def test_equal_bits_give_equal_rule_sets(source: type) -> None:
    def drawn(seed: str) -> list[Rules]:
        bits: Bits = source(seed)
        return [random_rules(bits) for _ in range(20)]

    assert drawn("one") == drawn("one") != drawn("two")


def test_a_match_of_few_deals_ends() -> None:
    for seed in (1049, *range(200)):
        rules = random_rules(Random(seed), max_deals=4)
        assert isinstance(playout(new_game(rules), RandomStream(seed), deals=100), GameOver)


# Options of which one alone contradicts most decks, and what is left of it where it does
CONTRADICTING: tuple[dict[str, Any], ...] = (
    {"opening_leader": OpeningLeader.QUEEN_TAKER},
    {"opening_leader": OpeningLeader.LOWEST_CLUB},
    {"opening_card": OpeningCard.LOWEST_CLUB},
    {"compulsory_cards": Cards("QS"), "compulsory": Compulsory.ALWAYS},
    {"doubler": Doubler(Card("TC"))},
    {"moon_cards": MoonCards.HEARTS_AND_QUEEN},
    {"moon_cards": MoonCards.HEARTS},
    {"bonus_target": 5},
    {"moon_needs_bonus": True},
    {"exposable": Cards("5H")},
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fixed", CONTRADICTING, ids=lambda fixed: next(iter(fixed)))
def test_a_fixed_option_is_kept_unless_it_contradicts_the_rest(fixed: dict[str, Any]) -> None:
    rng = Random("contradicting")
    kept = 0
    for _ in range(200):
        rules = random_rules(rng, **fixed)
        if all(getattr(rules, name) == value for name, value in fixed.items()):
            kept += 1
        else:
            with pytest.raises(InvalidRules):
                attrs.evolve(rules, **fixed)
    assert kept > 20


def test_a_fixed_exposure_gets_cards_of_the_deck_that_count() -> None:
    rng = Random("exposure")
    drawn = [random_rules(rng, exposure=Exposure.IN_TURN) for _ in range(100)]
    assert len([rules for rules in drawn if rules.exposure is Exposure.IN_TURN and rules.exposable]) > 90


def test_fixed_exposable_cards_are_shown_in_one_deck() -> None:
    rng = Random("exposable")
    drawn = [random_rules(rng, exposable=Cards("5H")) for _ in range(100)]
    assert {rules.decks for rules in drawn} == {1}
    kept = [rules for rules in drawn if rules.exposable]
    assert {rules.exposable for rules in kept} == {Cards("5H")}
    assert {rules.exposure for rules in kept} == set(Exposure)


def test_fixed_compulsory_gets_cards_of_the_deck() -> None:
    rng = Random("compulsory")
    for when in Compulsory:
        for _ in range(50):
            assert random_rules(rng, compulsory=when).compulsory is when


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "option", [option for option in Rules.OPTIONS if option.samples], ids=lambda option: option.name
)
def test_every_option_that_has_samples_can_be_fixed(option: Option) -> None:
    if option.name in DRAWN_TOGETHER:
        return
    for sample in option.samples:
        drawn = [
            getattr(random_rules(Random(f"fixed {number}"), **{option.name: sample}), option.name)
            for number in range(20)
        ]
        assert sample in drawn


@pytest.mark.parametrize(
    ("fixed", "code"),
    [
        ({"players": 12}, "out-of-range"),
        ({"players": 2, "decks": 2}, "out-of-range"),
        ({"players": 10**5000}, "out-of-range"),
        ({"decks": 0}, "out-of-range"),
        ({"players": 5, "teams": 2}, "uneven-teams"),
        ({"players": 4, "first_dealer": 4}, "out-of-range"),
        ({"target": None, "max_deals": None, "bonus_target": None, "moon": Moon.OFF}, "endless-game"),
    ],
    ids=range(7),
)
def test_options_that_no_rule_set_has_are_refused(fixed: dict[str, Any], code: str) -> None:
    for number in range(20):
        with pytest.raises(InvalidRules) as caught:
            random_rules(Random(f"refused {number}"), **fixed)
        assert [problem.code for problem in caught.value.problems] == [code]


@pytest.mark.parametrize(
    ("fixed", "message"),
    [
        ({"players": "x"}, "players must be an int, not a str"),
        ({"players": None}, "players must be an int, not None"),
        ({"decks": 1.0}, "decks must be an int, not a float"),
        ({"moon": 1}, "moon must be a Moon or the name of one, not an int"),
        ({"mon": Moon.CHOICE}, "mon"),
    ],
)
def test_an_option_of_a_wrong_type_or_name_is_named(fixed: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        random_rules(Random(1), **fixed)


@pytest.mark.parametrize("name", DRAWN_TOGETHER)
def test_what_is_drawn_to_fit_each_other_cannot_be_fixed(name: str) -> None:
    value = 5 if name == "hand_size" else ()
    with pytest.raises(ValueError, match=f"^{name} cannot be fixed: .*; give only players and decks$"):
        random_rules(Random(1), **{name: value})


def test_options_can_be_fixed() -> None:
    rng = Random("fixed")
    for _ in range(50):
        rules = random_rules(rng, players=3, decks=2, moon=Moon.CHOICE)
        assert (rules.players, rules.decks) == (3, 2)
        assert rules.moon is Moon.CHOICE or not rules.penalty_cards
