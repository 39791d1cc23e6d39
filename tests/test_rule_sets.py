"""Random rule sets: every option takes every value, whatever the source of bits."""

from __future__ import annotations

from random import Random

import pytest

from heartsrules import Card, Rules
from heartsrules.chance import Bits, SeededBits
from heartsrules.rules import Kind, Moon
from heartsrules.testing import random_rules


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


@pytest.mark.parametrize("source", [Random, SeededBits])
def test_equal_bits_give_equal_rule_sets(source: type) -> None:
    def drawn(seed: str) -> list[Rules]:
        bits: Bits = source(seed)
        return [random_rules(bits) for _ in range(20)]

    assert drawn("one") == drawn("one") != drawn("two")


def test_options_can_be_fixed() -> None:
    rng = Random("fixed")
    for _ in range(50):
        rules = random_rules(rng, players=3, decks=2, moon=Moon.CHOICE)
        assert (rules.players, rules.decks) == (3, 2)
        assert rules.moon is Moon.CHOICE or not rules.penalty_cards
