"""The conformance suite notices faults: a few of those of `support/faults.py`; `nox -s faults` plants them all."""

from __future__ import annotations

from typing import Final

import pytest

from heartsrules import Rules, presets
from heartsrules.rules import Kind
from heartsrules.testing.conformance import OPTIONS, write
from support.conforming import Case, mistakes
from support.faults import EQUIVALENT, FAULTS, SOURCE, Fault, hunt, killer, suites_of

RULE_SETS: Final = {
    **{
        f"{name}-{players}": preset.rules(players) for name, preset in presets.ALL.items() for players in preset.players
    },
    **{f"options-{name}": rules for name, rules in OPTIONS.items()},
}
"""All rule sets of a suite but the random ones."""


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Case]]:
    """The suite of the usual game."""
    directory = tmp_path_factory.mktemp("usual")
    return suites_of(list(write(directory, ["microsoft"], random=0, options=False)))


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Case]]:
    directory = tmp_path_factory.mktemp("faults")
    write(directory, ["microsoft", "gong_zhu"], random=0)
    return suites_of(sorted(directory.glob("*.jsonl")))


# ------------------------------------------------------------------------------------------------ what the suite covers


def test_every_value_of_every_option_is_in_a_suite() -> None:
    for option in Rules.OPTIONS:
        if option.kind in (Kind.CHOICE, Kind.BOOL):
            values = {getattr(rules, option.name) for rules in RULE_SETS.values()}
            assert values == set(option.choices), option.name
        else:
            assert len({str(getattr(rules, option.name)) for rules in RULE_SETS.values()}) > 1, option.name


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        "first-trick-only-penalty-cards/1",
        "lead-only-hearts",
        "lead-hearts-and-a-queen",
        "end-at-100",
        "end-before-100",
        "end-past-100",
        "end-lowest-tied-past-100",
        "end-highest-tied-past-100",
        "end-extra-deal",
        "end-over",
        "open-after-step-3",
        "score-one-takes-all-but-the-least",
    ],
)
def test_the_suite_of_the_usual_game_has_this_position(suites: dict[str, list[Case]], name: str) -> None:
    assert f"microsoft-4/position/{name}" in [case.name for case in suites["microsoft-4"]]


@pytest.mark.long
def test_the_model_agrees_with_every_case(suites: dict[str, list[Case]]) -> None:
    wrong = [(case.name, mistake) for cases in suites.values() for case in cases for mistake in mistakes(case)]
    assert not wrong
    assert {rules_id for rules_id in RULE_SETS if rules_id.startswith(("microsoft", "gong", "options"))} == set(suites)


# ----------------------------------------------------------------------------------------------------------- the faults


def test_every_fault_can_be_planted_and_matters_somewhere() -> None:
    assert len(FAULTS) >= 60
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    for fault in FAULTS:
        assert SOURCE.count(fault.old) == 1, fault.name
        assert fault.old != fault.new
        assert any(fault.matters(rules) for rules in RULE_SETS.values()), fault.name


def test_what_makes_no_difference_is_a_fault_that_seems_to() -> None:
    faults = {fault.name: fault for fault in FAULTS}
    for (name, rules_id), reason in EQUIVALENT.items():
        assert faults[name].matters(RULE_SETS[rules_id]), (name, rules_id)
        assert reason


@pytest.mark.parametrize("name", ["a tie ends the game", "a hand of penalty cards is stuck on the first trick"])
def test_a_fault_is_noticed_in_the_usual_game(usual: dict[str, list[Case]], name: str) -> None:
    (fault,) = [fault for fault in FAULTS if fault.name == name]
    found = hunt(usual, [fault])
    assert found
    assert all(case for _, _, case in found)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        "a tie ends the game",
        "the target must be exceeded",
        "a hand of penalty cards is stuck on the first trick",
        "a heart that is led does not break hearts",
        "a shown card may lead its suit",
        "a gift goes on only once",
        "a pile in the middle comes back as it was laid",
        "any number is three cards at most",
        "no card is passed though none were shown",
        "a card may be shown again",
        "a shown queen waits for the hearts beside her",
        "what is set aside brings no kitty",
        "a moon is saved on a tie too",
        "the doubler spares the bonuses",
        "the partners of the shooter pay too",
        "sun_points count moon_factor times",
        "a reset brings a total below the floor",
    ],
)
def test_a_fault_is_noticed_wherever_it_matters(suites: dict[str, list[Case]], name: str) -> None:
    (fault,) = [fault for fault in FAULTS if fault.name == name]
    found = {rules_id: case for _, rules_id, case in hunt(suites, [fault])}
    assert found
    assert all(found.values()), found


def test_what_is_no_fault_is_not_noticed(usual: dict[str, list[Case]]) -> None:
    same = Fault("nothing at all", "    reached = rules", "    reached = rules")
    assert killer(same.planted(), usual["microsoft-4"]) is None


def test_a_fault_that_only_positions_show_is_not_noticed_without_them(usual: dict[str, list[Case]]) -> None:
    (tie,) = [fault for fault in FAULTS if fault.name == "a tie ends the game"]
    matches = [case for case in usual["microsoft-4"] if "/position/" not in case.name]
    assert [case for _, _, case in hunt({"microsoft-4": matches}, [tie])] == [None]


def test_a_fault_without_a_place_is_refused() -> None:
    with pytest.raises(ValueError, match="nowhere: the model has 0 places to plant it"):
        Fault("nowhere", "this is not in the model", "").planted()
