"""Random rule sets: every option takes every value, whatever the source of bits."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    DealingBack,
    GameOver,
    InvalidRules,
    Rules,
    State,
    Suit,
    apply,
    deal,
    legal_moves,
    new_game,
)
from heartsrules.cards import ALL_FACES
from heartsrules.chance import Bits, SeededBits
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
    left,
)
from heartsrules.testing import random_rules

pytestmark = pytest.mark.once_compiled


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


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "fixed",
    [
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
        {"removed": Cards("2C"), "unpassable": Cards("QS")},
        {"hand_size": 5, "pass_cycle": (left(5),)},
    ],
    ids=lambda fixed: next(iter(fixed)),
)
def test_a_fixed_option_is_kept(fixed: dict[str, Any]) -> None:
    rng = Random("kept")
    for _ in range(60):
        rules = random_rules(rng, **fixed)
        assert {name: getattr(rules, name) for name in fixed} == fixed


@pytest.mark.sampled(4)
def test_a_match_with_a_number_of_deals_ends_soon_after_them() -> None:
    extra = 0
    for number in (1049, *range(300)):
        rng = Random(number)
        rules = random_rules(rng, max_deals=4)
        state: State = new_game(rules)
        while not isinstance(state, GameOver):
            assert state.deal_number < 4 + 40, number
            if isinstance(state, (AwaitingDeal, DealingBack)):
                state = apply(state, deal(state, rng=rng))
            else:
                state = apply(state, rng.choice(legal_moves(state)))
        extra += len(state.scores) > 4
    assert extra


def test_a_fixed_exposure_gets_cards_of_the_deck_that_count() -> None:
    rng = Random("exposure")
    drawn = [random_rules(rng, exposure=Exposure.IN_TURN) for _ in range(100)]
    assert len([rules for rules in drawn if rules.exposure is Exposure.IN_TURN and rules.exposable]) > 90


def test_fixed_exposable_cards_are_shown_in_one_deck() -> None:
    rng = Random("exposable")
    drawn = [random_rules(rng, exposable=Cards("5H")) for _ in range(100)]
    assert {rules.decks for rules in drawn} == {1}
    assert {rules.exposable for rules in drawn} == {Cards("5H")}
    assert {rules.exposure for rules in drawn} == set(Exposure)


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
    for sample in option.samples:
        assert getattr(random_rules(Random("fixed"), **{option.name: sample}), option.name) == sample


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
        ({"moon": "choice"}, "moon must be a Moon, not a str"),
        ({"mon": Moon.CHOICE}, "mon"),
    ],
)
def test_an_option_of_a_wrong_type_or_name_is_named(fixed: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        random_rules(Random(1), **fixed)
