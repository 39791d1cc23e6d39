"""Rule sets: defaults, unification of spellings, every refusal alone and several together, wrong types."""

from __future__ import annotations

import itertools
import pickle
import re
from pathlib import Path
from typing import Any

import attrs
import pytest

import heartsrules
from heartsrules import Card, Cards, HeartsError, InvalidNotation, InvalidRules, Pass, Rules, Seat
from heartsrules.base.errors import InvalidSeat, TooManyCopies
from heartsrules.base.values import type_phrase
from heartsrules.formats.notation import format_rules, parse_rules
from heartsrules.formats.wire import from_json, to_json
from heartsrules.rules import (
    HOLD,
    MAX_DEALS,
    MAX_TOTAL,
    Bonus,
    BonusFloor,
    Compulsory,
    Doubler,
    Duplicates,
    Exposure,
    HeartsLead,
    HeartValues,
    Kind,
    Kitty,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    Option,
    PassOptional,
    QueenBreaks,
    ScoreDisplay,
    TargetScope,
    TargetTest,
    Tie,
    across,
    left,
    middle,
    right,
    scatter,
)
from heartsrules.rules._option import option, options_of
from heartsrules.rules._rules import _restored

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
NO_POINTS: dict[str, Any] = {"heart_values": (0,) * 13, "queen_points": 0}

# by field, its largest number plus 1
TOO_LARGE: dict[str, dict[str, Any]] = {
    "heart_values": {"heart_values": (1,) * 12 + (100_001,)},
    "queen_points": {"queen_points": 100_001},
    "extra_penalties": {"extra_penalties": ((Card("KS"), 100_001), (Card("AS"), 200_000))},
    "bonuses": {"bonuses": (Bonus(Card("JD"), 100_001), Bonus(Card("TD"), 1))},
    "doubler": {"doubler": Doubler(Card("TC"), 2, 100_001)},
    "no_tricks_bonus": {"no_tricks_bonus": 100_001},
    "moon_points": {"moon_points": 100_001},
    "target": {"target": 1_000_000_001},
    "bonus_target": {"bonus_target": 1_000_000_001, "no_tricks_bonus": 5},
    "max_deals": {"max_deals": 1_000_001},
    "exact_resets": {"exact_resets": ((7, -1_000_000_001), (1_000_000_001, 3))},
}
BOUNDS: dict[str, str] = dict.fromkeys(TOO_LARGE, "100,000") | {
    "target": "1,000,000,000",
    "bonus_target": "1,000,000,000",
    "max_deals": "1,000,000",
    "exact_resets": "1,000,000,000",
}

# what is refused: the fields given, the codes of the problems, the first field of each problem
REFUSALS: list[tuple[dict[str, Any], str, str]] = [
    ({"players": 2}, "out-of-range", "players"),
    ({"players": 12}, "out-of-range", "players"),
    ({"decks": 0}, "out-of-range", "decks"),
    ({"decks": 3}, "out-of-range", "decks"),
    ({"hand_size": 0, "kitty": Kitty.FIRST_TRICK}, "out-of-range", "hand_size"),
    ({"hand_size": 0, "opening_leader": OpeningLeader.QUEEN_TAKER}, "out-of-range", "hand_size"),
    ({"teams": 1}, "out-of-range", "teams"),
    ({"teams": 4}, "out-of-range", "teams"),
    ({"first_dealer": -1}, "out-of-range", "first_dealer"),
    ({"first_dealer": 4}, "out-of-range", "first_dealer"),
    ({"heart_values": (1,) * 12}, "out-of-range", "heart_values"),
    ({"heart_values": (-1,) + (1,) * 12}, "out-of-range", "heart_values"),
    ({"queen_points": -1}, "out-of-range", "queen_points"),
    ({"extra_penalties": ((Card("KS"), 0),)}, "out-of-range", "extra_penalties"),
    ({"extra_penalties": ((Card("KS"), 1), (Card("KS"), 2))}, "out-of-range", "extra_penalties"),
    ({"bonuses": [Bonus(Card("JD"), 0)]}, "out-of-range", "bonuses"),
    ({"bonuses": [Bonus(Card("JD"), 10), Bonus(Card("JD"), 5)]}, "out-of-range", "bonuses"),
    ({"doubler": Doubler(Card("TC"), 1)}, "out-of-range", "doubler"),
    ({"doubler": Doubler(Card("TC"), 2, -1)}, "out-of-range", "doubler"),
    ({"doubler": Doubler(Card("TC"), 11)}, "too-large", "doubler"),
    ({"no_tricks_bonus": -1}, "out-of-range", "no_tricks_bonus"),
    ({"moon_points": 0}, "out-of-range", "moon_points"),
    ({"target": 0}, "out-of-range", "target"),
    ({"bonus_target": 0, "no_tricks_bonus": 5}, "out-of-range", "bonus_target"),
    ({"max_deals": 0}, "out-of-range", "max_deals"),
    ({"pass_cycle": (HOLD,) * 1001}, "too-many", "pass_cycle"),
    ({"exact_resets": tuple((total, 0) for total in range(1, 1002))}, "too-many", "exact_resets"),
    *((given, "too-large", name) for name, given in TOO_LARGE.items()),
    ({"players": 5}, "uneven-deal", "removed"),
    ({"players": 4, "removed": "2C"}, "uneven-deal", "removed"),
    ({"hand_size": 12}, "cards-left-over", "hand_size"),
    ({"hand_size": 14}, "too-few-cards", "hand_size"),
    ({"hand_size": 14, "kitty": Kitty.FIRST_TRICK}, "too-few-cards", "hand_size"),
    ({"removed": Rules().deck - Cards("AC AS AH"), "pass_cycle": (HOLD,), "queen_points": 0,
      "kitty": Kitty.FIRST_TRICK, "opening_leader": OpeningLeader.DEALER_LEFT, "opening_card": OpeningCard.ANY},
     "too-few-cards", "removed"),
    ({"removed": "2C 2C 3C 3C", "players": 3, "hand_size": 16, "kitty": Kitty.FIRST_TRICK}, "not-in-the-decks",
     "removed"),
    ({"unpassable": "2C", "players": 3, "removed": "2C"}, "not-in-the-deck", "unpassable"),
    ({"extra_penalties": ((Card("2C"), 1),), "players": 3, "removed": "2C"}, "not-in-the-deck", "extra_penalties"),
    ({"removed": CLUBS, "players": 3, "opening_card": OpeningCard.ANY}, "no-club-to-open", "opening_leader"),
    ({"removed": "2C 3C 4C 5C 6C 7C 8C 9C", "kitty": Kitty.FIRST_TRICK, "hand_size": 9, "players": 4},
     "no-club-to-open", "opening_leader"),
    ({"removed": "4S 5S 6S 7S 8S 9S TS JS KS AS", "kitty": Kitty.FIRST_TRICK, "hand_size": 9,
      "opening_leader": OpeningLeader.QUEEN_TAKER}, "no-spade-to-open", "opening_leader"),
    ({"players": 3, "removed": "QS", "opening_leader": OpeningLeader.QUEEN_TAKER}, "not-one-queen",
     "opening_leader"),
    ({"decks": 2, "players": 8, "opening_leader": OpeningLeader.QUEEN_TAKER}, "not-one-queen", "opening_leader"),
    ({"pass_cycle": ()}, "empty-pass-cycle", "pass_cycle"),
    ({"pass_cycle": (((-4, 3),),)}, "gift-to-oneself", "pass_cycle"),
    ({"players": 5, "removed": "2C 2D", "pass_cycle": (across(3),)}, "no-seat-across", "pass_cycle"),
    ({"pass_cycle": (((0, 3), (1, 1)),)}, "middle-with-gifts", "pass_cycle"),
    ({"decks": 2, "players": 8, "pass_cycle": (middle(5),)}, "gifts-too-large", "pass_cycle"),
    ({"pass_cycle": (((4, 3),),)}, "gift-to-oneself", "pass_cycle"),
    ({"pass_cycle": (((1, 0),),)}, "empty-gift", "pass_cycle"),
    ({"pass_cycle": (((1, 1), (-3, 1)),)}, "two-gifts-to-one-seat", "pass_cycle"),
    ({"pass_cycle": (left(14),)}, "gifts-too-large", "pass_cycle"),
    ({"pass_cycle": "L3,left 4"}, "out-of-range", "pass_cycle"),
    ({"pass_cycle": (((1, 7), (2, 7)),)}, "gifts-too-large", "pass_cycle"),
    ({"pass_cycle": (left(3),), "unpassable": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"}, "gifts-too-large", "pass_cycle"),
    ({"decks": 2, "players": 8, "pass_cycle": (left(3),), "unpassable": "2C 3C 4C 5C 6C 7C"}, "gifts-too-large",
     "pass_cycle"),
    ({"pass_cycle": (left(), middle(None)), "decks": 2, "players": 8}, "any-number-with-two-decks", "pass_cycle"),
    ({"pass_optional": PassOptional.UNANIMOUS, "pass_cycle": (middle(None),)}, "optional-with-any-number",
     "pass_optional"),
    ({"players": 3, "removed": "QS", "compulsory": Compulsory.SAFE}, "not-in-the-deck", "compulsory_cards"),
    ({"two_pairs_void": True, "decks": 2, "duplicates": Duplicates.LAST_WINS}, "no-pairs", "two_pairs_void"),
    ({"bonuses": [Bonus(Card("QS"), 10)]}, "bonus-is-a-penalty", "bonuses"),
    ({"bonuses": [Bonus(Card("JD"), 10)], "removed": "JD", "players": 3}, "not-in-the-deck", "bonuses"),
    ({"doubler": Doubler(Card("TC")), "removed": "TC", "players": 3}, "not-in-the-deck", "doubler"),
    ({"doubler": Doubler(Card("QS"))}, "doubler-scores", "doubler"),
    ({"doubler": Doubler(Card("2H")), "heart_values": (0,) + (1,) * 12}, "doubler-scores", "doubler"),
    ({"doubler": Doubler(Card("JD")), "bonuses": [Bonus(Card("JD"), 10)]}, "doubler-scores", "doubler"),
    ({"doubler": Doubler(Card("TC")), "bonuses": [Bonus(Card("JD"), 10)], "bonus_floor": BonusFloor.TOTAL},
     "floor-with-doubler", "bonus_floor"),
    ({"exposable": "QS", "decks": 2, "players": 8}, "exposable-with-two-decks", "exposable"),
    ({"exposable": "QS KH AH"}, "several-hearts-exposable", "exposable"),
    ({"exposable": "QS", "players": 3, "removed": "QS"}, "not-in-the-deck", "exposable"),
    (NO_POINTS, "endless-game", "target"),
    ({**NO_POINTS, "moon_points": 26, "moon": Moon.SHOOTER_DOWN, "moon_cards": MoonCards.HEARTS}, "endless-game",
     "target"),
    ({"moon_cards": MoonCards.HEARTS_AND_QUEEN, "players": 3, "removed": "QS"}, "no-queen", "moon_cards"),
    ({"teams": 3}, "uneven-teams", "teams"),
    ({"target": None}, "endless-game", "target"),
    ({"exact_resets": ((50, 50),)}, "reset-not-lower", "exact_resets"),
    ({"exact_resets": ((50, 60),)}, "reset-not-lower", "exact_resets"),
    ({"exact_resets": ((50, 0), (50, 10))}, "repeated-reset", "exact_resets"),
    ({"target_test": TargetTest.EXACT_WINS, "exact_resets": ((100, 50),)}, "reset-of-the-target", "exact_resets"),
    (
        {
            "target_test": TargetTest.EXACT_WINS,
            "exact_resets": ((100, 50),),
            "teams": 2,
            "target_scope": TargetScope.PLAYER,
        },
        "reset-of-the-target",
        "exact_resets",
    ),
    ({"bonus_target": 100}, "unreachable-bonus-target", "bonus_target"),
    ({"score_display": ScoreDisplay.COUNTDOWN, "target": None, "max_deals": 4}, "countdown-without-target",
     "score_display"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "code", "field"), REFUSALS)
def test_what_is_refused_alone(given: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules(**given)
    assert [problem.code for problem in caught.value.problems] == [code]
    (problem,) = caught.value.problems
    assert problem.fields[0] == field
    assert str(problem) == problem.message
    assert field in problem.message or field in ("removed", "target", "moon", "bonuses")
    assert set(problem.fields) <= {attribute.name for attribute in attrs.fields(Rules)}


@pytest.mark.parametrize(("name", "given"), TOO_LARGE.items())
def test_a_number_that_is_too_large_is_told_with_its_bound(name: str, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules(**given)
    assert f" choose at most {BOUNDS[name]}" in str(caught.value)


def test_the_largest_numbers_are_accepted() -> None:
    rules = Rules(
        heart_values=(100_000,) * 13,
        queen_points=100_000,
        extra_penalties=[(card, 100_000) for card in Cards("KS AS 2H")],
        bonuses=[Bonus(Card("JD"), 100_000), Bonus(Card("TD"), 100_000)],
        doubler=Doubler(Card("TC"), 10, 100_000),
        bonus_target=1_000_000_000,
        no_tricks_bonus=100_000,
        moon_points=100_000,
        target=1_000_000_000,
        max_deals=1_000_000,
        exact_resets=((1_000_000_000, -1_000_000_000),),
        pass_cycle=(HOLD,) * 1000,
    )
    assert parse_rules(format_rules(rules)) == rules
    assert from_json(to_json(rules), Rules) == rules


def worth_most() -> Rules:
    """The rule set with the largest points of a deal: two decks, in which every card but the doubler is a penalty card,
    of a hundredfold score for whoever takes it twice."""
    return Rules(
        decks=2,
        players=8,
        heart_values=(100_000,) * 13,
        queen_points=100_000,
        extra_penalties=[(card, 100_000) for card in Rules().deck if card != Card("AC")],
        doubler=Doubler(Card("AC"), 10, 100_000),
        no_tricks_bonus=100_000,
        sun=True,
    )


def test_no_total_that_can_be_reached_leaves_what_a_double_holds() -> None:
    rules = worth_most()
    most = 100 * 2 * rules.penalty_total + rules.no_tricks_bonus
    assert most < 9 * 10**9
    assert MAX_TOTAL + MAX_DEALS * most < 2**53


HUGE = 10**5000


@pytest.mark.parametrize(
    "given",
    [
        *({name: sign * HUGE} for sign in (1, -1) for name in (
            "players", "decks", "hand_size", "teams", "first_dealer", "queen_points", "no_tricks_bonus", "moon_points",
            "target", "bonus_target", "max_deals",
        )),
        {"hand_size": HUGE, "kitty": Kitty.FIRST_TRICK, "unpassable": "2C"},
        {"players": HUGE, "first_dealer": HUGE, "teams": HUGE, "decks": HUGE},
        {"pass_cycle": (((1, HUGE),),)},
        {"pass_cycle": (((1, HUGE), (2, -HUGE)),), "unpassable": "2C 3C"},
        {"pass_cycle": itertools.repeat(HOLD)},
        {"pass_cycle": (itertools.repeat((1, 1)),)},
        {"heart_values": (HUGE,) * 13},
        {"heart_values": (-HUGE,) * 13},
        {"heart_values": itertools.repeat(1)},
        {"extra_penalties": ((Card("KS"), HUGE),)},
        {"extra_penalties": ((Card("KS"), -HUGE),)},
        {"extra_penalties": itertools.repeat((Card("KS"), 1))},
        {"bonuses": [Bonus(Card("JD"), HUGE)]},
        {"bonuses": [Bonus(Card("JD"), -HUGE)] * 52},
        {"bonuses": itertools.repeat(Bonus(Card("JD"), 1))},
        {"doubler": Doubler(Card("TC"), HUGE, HUGE)},
        {"doubler": Doubler(Card("TC"), -HUGE, -HUGE)},
        {"exact_resets": ((HUGE, -HUGE),)},
        {"exact_resets": ((-HUGE, HUGE), (-HUGE, HUGE))},
        {"exact_resets": itertools.repeat((2, 1))},
    ],
)  # fmt: skip
def test_nothing_beyond_reason_raises_anything_else(given: dict[str, Any]) -> None:
    """Python itself refuses to write a number of so many digits."""
    with pytest.raises(InvalidRules) as caught:
        Rules(**given)
    assert len(str(caught.value)) <= 2000
    assert all(len(problem.message) <= 600 for problem in caught.value.problems)


@pytest.mark.parametrize("given", [{"pass_cycle": (itertools.count(),)}, {"exact_resets": (itertools.count(),)}])
def test_a_gift_or_a_pair_without_end_is_a_wrong_type(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Rules(**given)


def test_rule_sets_share_their_heart_values() -> None:
    assert Rules(target=50).heart_values is Rules(target=60).heart_values


def test_an_offset_may_be_any_number() -> None:
    assert Rules(pass_cycle=(((HUGE + 1, 3),),)).pass_cycle == (((1, 3),),)


def test_the_problems_of_a_long_pass_cycle_are_counted() -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules(pass_cycle=[left(14)] * 1000)
    assert (len(caught.value.problems), caught.value.further) == (100, 900)
    assert len(str(caught.value)) <= 2000
    assert " further problems" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.problems, again.further) == (str(caught.value), caught.value.problems, 900)


def test_every_problem_code_of_a_rule_set_is_in_the_table() -> None:
    package = Path(heartsrules.__file__).parent / "rules"
    source = "".join([(package / name).read_text(encoding="utf-8") for name in ("_option.py", "_problems.py")])
    codes = set(re.findall(r'\b(?:Problem\.(?:of|at)|problem)\(\s*"([a-z-]+)"', source))
    assert codes == {code for _, code, _ in REFUSALS}


def test_all_problems_are_reported_together() -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules(
            players=5,
            pass_cycle=(((5, 0),), left(20)),
            doubler=Doubler(Card("2H")),
            exposable="KH AH",
            teams=2,
            target=None,
            exact_resets=((50, 60),),
            queen_points=-1,
        )
    error = caught.value
    assert [problem.code for problem in error.problems] == [
        "out-of-range",
        "uneven-deal",
        "gift-to-oneself",
        "empty-gift",
        "gifts-too-large",
        "several-hearts-exposable",
        "doubler-scores",
        "uneven-teams",
        "reset-not-lower",
        "endless-game",
    ]
    for problem in error.problems:
        assert problem.message in str(error)
    assert error.code == "invalid-rules"
    assert isinstance(error, HeartsError)
    assert isinstance(error, ValueError)
    assert pickle.loads(pickle.dumps(error)).problems == error.problems


ACCEPTED: list[dict[str, Any]] = [
    {"kitty": Kitty.FIRST_HEART},
    {"duplicates": Duplicates.FIRST_WINS},
    {"queen_breaks": QueenBreaks.LED, "hearts_lead": HeartsLead.ANY_TIME},
    {"moon": Moon.OFF, "moon_points": 26},
    {**NO_POINTS, "moon": Moon.OFF, "max_deals": 4},
    {"queen_points": 0},
    {"pass_cycle": (left(13),)},
    {"pass_cycle": (left(2),), "unpassable": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"},
    {"unpassable": "2C", "pass_optional": PassOptional.SKIP},
    {"teams": 2, "moon_scope": MoonScope.TEAM},
    {"players": 9, "decks": 2, "removed": "2C 2C 3C 3C 4C"},
    {"players": 11, "decks": 2, "kitty": Kitty.FIRST_TRICK, "two_pairs_void": True},
    {"players": 6, "teams": 3, "removed": "2D 3D 3C 4C"},
    {"score_display": ScoreDisplay.COUNTDOWN, "target": 50},
    {"target": 100, "max_deals": 10},
    {"removed": "QS", "players": 3},
    {"compulsory": Compulsory.DISCARD, "compulsory_cards": "QS TD"},
    {"compulsory_cards": "QS QS"},
    {"doubler": Doubler(Card("TC"), 2, 1), "bonus_target": 1000},
    {"moon_cards": MoonCards.HEARTS, "queen_points": 0},
    {"exposable": "QS AH", "exposure": Exposure.IN_TURN},
    {"exposable": "2H", "heart_values": (0,) * 13},
    {"exposable": "TC JD", "doubler": Doubler(Card("TC")), "bonuses": [Bonus(Card("JD"), 10)]},
    {"exposable": "QS", "kitty": Kitty.FIRST_TRICK, "hand_size": 12},
    {"opening_leader": OpeningLeader.QUEEN_TAKER, "removed": CLUBS, "players": 3, "opening_card": OpeningCard.ANY},
]


@pytest.mark.parametrize("given", ACCEPTED)
def test_what_is_accepted(given: dict[str, Any]) -> None:
    rules = Rules(**given)
    assert all(getattr(rules, name) is not None for name in given)
    assert eval(repr(rules)) == rules


WRONG_TYPES: list[tuple[dict[str, Any], str]] = [
    ({"removed": 3}, "removed must be a str or an iterable of Card, not an int"),
    ({"removed": ["2D", 3]}, "removed must hold only Card, not an int"),
    ({"unpassable": b"2D"}, "unpassable must hold only Card, not an int"),
    ({"targt": 50}, "Rules has no option 'targt': did you mean target or target_test?"),
    ({"pass_cycle": 3}, "pass_cycle must be an iterable of steps such as left(3) or 'L3', not an int"),
    ({"pass_cycle": (1, 3)}, "pass_cycle must hold only steps such as left(3) or 'L3', not an int"),
    ({"pass_cycle": ((1, 3),)}, "a step of pass_cycle must hold only pairs (offset, count), as left(3) does, not"),
    ({"pass_cycle": (((1, 2, 3),),)}, "as left(3) does, not a tuple of length 3"),
    ({"pass_cycle": (((1, True),),)}, "as left(3) does, not a tuple of an int and a bool"),
    ({"pass_cycle": ((("1", 3),),)}, "pass_cycle"),
    ({"heart_values": 1}, "heart_values"),
    ({"heart_values": (1.0,) * 13}, "heart_values must hold only ints, not a float"),
    ({"extra_penalties": 3}, "extra_penalties"),
    ({"extra_penalties": ((Card("KS"),),)}, "extra_penalties"),
    ({"extra_penalties": ((3, 10),)}, "such as (Card('KS'), 10), not a tuple of an int and an int"),
    ({"extra_penalties": ("KS", 10)}, "extra_penalties must hold only pairs such as (Card('KS'), 10), not a str"),
    ({"extra_penalties": ((Card("KS"), "10"),)}, "extra_penalties"),
    ({"exact_resets": ((100, None),)}, "exact_resets"),
    ({"exact_resets": (100, 50)}, "exact_resets must hold only pairs such as (100, 50), not an int"),
    ({"bonuses": Card("JD")}, "bonuses"),
    ({"bonuses": Bonus(Card("JD"), 10)}, "bonuses"),
    ({"bonuses": [Card("JD")]}, "bonuses"),
    ({"bonuses": [(Card("JD"),)]}, "such as Bonus(Card('JD'), 10), not a tuple of length 1"),
    ({"bonuses": {"JD": 1.5}}, "such as Bonus(Card('JD'), 10), not a tuple of a str and a float"),
    ({"doubler": Card("TC")}, "doubler"),
    ({"doubler": (Card("TC"), 2, 50)}, "doubler"),
]


@pytest.mark.parametrize(("given", "words"), WRONG_TYPES)
def test_a_wrong_type_names_the_field(given: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=re.escape(words)) as caught:
        Rules(**given)
    assert next(iter(given)) in str(caught.value)


@pytest.mark.parametrize("name", [option.name for option in Rules.OPTIONS if option.kind is Kind.CARDS])
def test_no_collection_of_cards_has_a_card_for_the_third_time(name: str) -> None:
    given: dict[str, Any] = {name: itertools.repeat(Card("2C"))}
    with pytest.raises(TooManyCopies, match="2C occurs three times"):
        Rules(**given)
    given = {name: "2C 2C 2C"}
    with pytest.raises(InvalidNotation, match="2C comes for the third time"):
        Rules(**given)


@pytest.mark.parametrize("given", [(3, 13), (Card("JD"), "10"), (Card("JD"), True)])
def test_a_bonus_checks_its_types(given: tuple[Any, Any]) -> None:
    with pytest.raises(TypeError, match=r"card|points"):
        Bonus(*given)


NAMED = [option for option in Rules.OPTIONS if option.kind in (Kind.CHOICE, Kind.HEART_VALUES)]


@pytest.mark.parametrize("option", NAMED, ids=lambda option: option.name)
def test_an_option_with_named_values_takes_their_names(option: Option) -> None:
    members = option.choices or tuple(HeartValues)
    easy = {"pass_cycle": (left(),), "max_deals": 1}
    for member in members:
        for text in (member.value, member.name, member.value.upper()):
            assert Rules(**{**easy, option.name: text}) == Rules(**{**easy, option.name: member})
    wrong: dict[str, Any] = {"tie": "never", option.name: "nonsense"}
    with pytest.raises(InvalidRules) as caught:
        Rules(**{"players": 3, **wrong})
    assert [(problem.code, *problem.fields) for problem in caught.value.problems] == [
        ("out-of-range", each.name) for each in Rules.OPTIONS if each.name in wrong
    ]
    assert all([str(member) in str(caught.value) for member in members])


def test_text_that_is_no_card() -> None:
    with pytest.raises(InvalidNotation, match="position 4"):
        Rules(players=3, removed="2D 2X")


def test_cards_and_choices_are_read_from_what_players_would_write() -> None:
    rules = Rules(players=5, removed=["2C", Card("2D")], moon="Others up", tie="extra_deal")
    assert rules == Rules(players=5, removed="2C 2D", moon=Moon.OTHERS_UP, tie=Tie.EXTRA_DEAL)
    assert Cards(["QS", Card("KS")]) == Cards("QS KS")
    assert Pass(0, ["QS", "KS"]) == Pass(0, "QS KS")
    written = Rules(bonuses={"JD": 10}, extra_penalties={"KS": 5}, exact_resets={50: 0})
    assert written == Rules(bonuses=[("JD", 10)], extra_penalties=[("KS", 5)], exact_resets=[(50, 0)])
    assert written.bonuses == (Bonus("JD", 10),)


def test_the_defaults() -> None:
    rules = Rules()
    assert (rules.players, rules.decks, rules.target, rules.tie) == (4, 1, 100, Tie.EXTRA_DEAL)
    assert rules.pass_cycle == (((1, 3),), ((-1, 3),), (("across", 3),), ())
    assert rules.heart_values == (1,) * 13
    assert rules.deck == Cards(
        card for suit in "CDSH" for card in Cards(" ".join(f"{r}{suit}" for r in "23456789TJQKA"))
    )
    assert (rules.cards_per_hand, rules.kitty_size, rules.penalty_total) == (13, 0, 26)
    assert rules.penalty_cards == Cards(HEARTS + " QS")
    assert repr(rules) == "Rules()"
    assert rules.changes() == {}


@pytest.mark.parametrize(
    ("players", "removed", "cycle"),
    [
        (3, "2D", (left(), right(), HOLD)),
        (5, "2D 2C", (left(), right(), HOLD)),
        (6, "2D 3D 3C 4C", (left(), right(), across(), HOLD)),
        (7, "2D 3D 3C", (left(), right(), HOLD)),
    ],
)
def test_the_default_pass_cycle(players: int, removed: str, cycle: Any) -> None:
    assert Rules(players=players, removed=removed).pass_cycle == cycle


@pytest.mark.parametrize("cycle", ["L3,Scatter,hold", ["L3", "scatter", HOLD], [left(), scatter(players=5), HOLD]])
def test_a_cycle_can_be_text(cycle: Any) -> None:
    five = Rules(players=5, removed="2C 2D", pass_cycle=cycle)
    assert five.pass_cycle == (left(), ((1, 1), (2, 1), (-2, 1), (-1, 1)), HOLD)


def test_spellings_are_unified() -> None:
    one = Rules(pass_cycle=[[[3, 3]], [[-1, 3]], [[6, 3]], [[-2, 3]], [["across", 3]], [[5, 1], [-5, 1]]])  # type: ignore[list-item]
    assert one.pass_cycle == (right(), right(), across(), across(), across(), ((1, 1), (-1, 1)))
    assert Rules(players=5, removed="2D 2C") == Rules(players=5, removed=[Card("2C"), Card("2D")])
    assert hash(Rules(players=5, removed="2D 2C")) == hash(Rules(players=5, removed="2C 2D"))
    assert Rules(heart_values=HeartValues.FACE) == Rules(heart_values=[1] * 9 + [2, 3, 4, 5])
    pairs = ((Card("AS"), 7), (Card("KS"), 10))
    assert Rules(extra_penalties=pairs) == Rules(extra_penalties=pairs[::-1])
    assert Rules(unpassable="2C 2C", decks=2) == Rules(unpassable="2C", decks=2)
    assert Rules(exposable="QS AH QS") == Rules(exposable=Cards("AH QS"))
    assert Rules(hand_size=13) != Rules(hand_size=None)
    assert Rules(moon_points=26) != Rules()


@pytest.mark.parametrize(
    ("values", "total"),
    [(HeartValues.ONE, 13), (HeartValues.SPOT, 104), (HeartValues.FACE, 23), (HeartValues.PIPS, 94)],
)
def test_named_heart_values(values: HeartValues, total: int) -> None:
    assert sum(values.values) == total
    rules = Rules(heart_values=values, queen_points=25)
    assert rules.penalty_total == total + 25
    assert [rules.penalty(card) for card in Cards(HEARTS)] == list(values.values)
    assert eval(repr(rules)) == rules


def test_evolve_checks_again() -> None:
    rules = attrs.evolve(Rules(), target=50)
    assert rules == Rules(target=50)
    assert rules.penalty_total == 26
    with pytest.raises(InvalidRules):
        attrs.evolve(rules, target=None)


def test_pickle_copy_and_immutability() -> None:
    import copy

    rules = Rules(players=8, decks=2, two_pairs_void=True, bonuses=[Bonus(Card("JD"), 10)])
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert again.deck == rules.deck
    assert copy.copy(rules) is rules
    assert copy.deepcopy(rules) is rules
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        rules.players = 5  # type: ignore[misc]
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        rules.__delattr__("players")
    number = hash(rules)
    for arguments in ({}, {"players": 3, "removed": "2D"}):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            rules.__init__(**arguments)  # type: ignore[misc]
    assert (rules, hash(rules)) == (again, number)


@pytest.mark.parametrize(
    ("rules", "sides"),
    [
        (Rules(), ((0,), (1,), (2,), (3,))),
        (Rules(teams=2), ((0, 2), (1, 3))),
        (Rules(players=6, removed="2D 3D 3C 4C", teams=3), ((0, 3), (1, 4), (2, 5))),
        (Rules(players=6, removed="2D 3D 3C 4C", teams=2), ((0, 2, 4), (1, 3, 5))),
    ],
)
def test_sides(rules: Rules, sides: tuple[tuple[Seat, ...], ...]) -> None:
    assert rules.sides == sides
    for number, seats in enumerate(sides):
        assert all(rules.side(seat) == number for seat in seats)


def test_the_deal_rotates_and_the_steps_go_round() -> None:
    rules = Rules(first_dealer=2)
    assert [rules.dealer(number) for number in range(6)] == [2, 3, 0, 1, 2, 3]
    assert [rules.pass_plan(number) for number in (0, 1, 2, 3, 4)] == [left(), right(), ((2, 3),), HOLD, left()]
    six = Rules(players=6, removed="2C 2D 2S 3C", pass_cycle=[across(2)])
    assert six.pass_plan(0) == ((3, 2),)
    assert attrs.evolve(six, players=8, removed="2C 2D 2S 3C").pass_plan(0) == ((4, 2),)


def test_a_seat_that_the_table_lacks_and_a_deal_before_the_first_are_refused() -> None:
    for seat in (4, -1, 99, HUGE):
        with pytest.raises(InvalidSeat, match="seats are 0 to 3"):
            Rules(teams=2).side(seat)
    for ask in (Rules().pass_plan, Rules().dealer):
        for number in (-1, -HUGE):
            with pytest.raises(ValueError, match="deals are numbered from 0"):
                ask(number)


def test_penalty_wants_a_card() -> None:
    with pytest.raises(TypeError, match="card"):
        Rules().penalty("QS")  # type: ignore[arg-type]


# --------------------------------------------------------------------------------------------------- declarations


def test_every_field_is_declared_once_in_order() -> None:
    assert [declared.name for declared in Rules.OPTIONS] == [field.name for field in attrs.fields(Rules) if field.init]
    for declared in Rules.OPTIONS:
        assert getattr(Rules(), declared.name) == declared.default
        assert declared.samples[:1] in ((), (declared.default,))
        assert declared.sentence.endswith(".")
        assert f"{declared.name}: {declared.sentence}" in str(Rules.__doc__)


class Stranger:
    """An object that no option takes."""


@pytest.mark.parametrize("declared", Rules.OPTIONS, ids=lambda declared: declared.name)
def test_every_option_refuses_a_value_of_another_type(declared: Option) -> None:
    for value in (Stranger(), *([] if declared.optional else [None])):
        given: dict[str, Any] = {declared.name: value}
        with pytest.raises(TypeError, match=f"^{declared.name} must .* not {type_phrase(value)}$"):
            Rules(**given)


def declare(annotation: str, **field: Any) -> tuple[Option, ...]:
    cls = type("Table", (), {"__annotations__": {"new": annotation}, "new": attrs.field(**field)})
    return options_of(attrs.frozen(cls))


def test_an_option_that_nobody_could_check_is_refused_when_the_class_is_made() -> None:
    (declared,) = declare("bool", default=True, metadata=option("Whether.", "Tricks"))
    assert (declared.kind, declared.choices, declared.samples) == (Kind.BOOL, (False, True), (True, False))
    with pytest.raises(TypeError, match="the field new is not declared"):
        declare("bool", default=True)
    with pytest.raises(TypeError, match="the field new has the type frozenset"):
        declare("frozenset[int]", default=frozenset(), metadata=option("Which.", "Tricks"))
    with pytest.raises(TypeError, match="the field new has no bounds"):
        declare("int", default=1, metadata=option("How many.", "Tricks"))
    with pytest.raises(TypeError, match="the field new has the type Moon"):
        declare("Moon", default=Tie.SHARED, metadata=option("What.", "Tricks"))
    assert {option.kind for option in Rules.OPTIONS} == set(Kind)


def test_the_rule_sets_of_pickles_are_made_once() -> None:
    pickled = [pickle.dumps(Rules(target=50 + number)) for number in range(70)]
    assert pickle.loads(pickled[0]) is pickle.loads(pickled[0])
    assert [pickle.loads(each) for each in pickled] == [Rules(target=50 + number) for number in range(70)]
    # Of other rule sets as many as anybody uses at a time are kept.
    assert _restored.cache_info().currsize <= 64
    assert pickle.loads(pickled[0]) == Rules(target=50)
