"""All problems at once: each names every option on which it depends, so that none hides another."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Any

import pytest

from heartsrules import Card, Cards, InvalidRules, Rules
from heartsrules.base.errors import Problem
from heartsrules.rules import (
    HOLD,
    Bonus,
    Doubler,
    Duplicates,
    Moon,
    MoonCards,
    OpeningLeader,
    PassOptional,
    left,
    middle,
    scatter,
)
from support.rounds import rounds

CLUBS = Cards([card for card in Rules().deck if card.suit.letter == "C"])
SPADES = Cards([card for card in Rules().deck if card.suit.letter == "S"])
JACK = Card("JD")
ODD: dict[str, tuple[Any, ...]] = {
    "players": (2, 3, 4, 5, 6, 8, 11, 12),
    "decks": (1, 2, 0, 3),
    "removed": (
        *(Cards(text) for text in ("", "2C", "JD", "QS", "TC QS 2D 2S", "JD 2C 2D 2S", "2C 2C 3C 3C")),
        CLUBS,
        SPADES,
        Cards(list(Rules().deck)[:50]),
    ),
    "hand_size": (None, 0, 1, 5, 13, 14),
    "teams": (0, 1, 2, 3, 4),
    "first_dealer": (0, 3, 4, 10, 11, -1),
    "pass_cycle": (
        (),
        (HOLD,),
        (left(),),
        (left(14),),
        (left(), scatter(players=4), middle(1)),
        (((0, 3), (1, 1)), ((4, 3),)),
        (((1, 0),), ((1, 1), (-3, 1)), ((1, 1), (1, 2))),
        (middle(None),),
        (middle(5), middle(None)),
        (left(14), *[HOLD] * 1000),
    ),
    "unpassable": (Cards(), Cards("JD"), Cards("QS"), CLUBS - Cards("2C")),
    "exposable": (Cards(), Cards("JD"), Cards("QS"), Cards("KH AH")),
    "compulsory_cards": (Cards("QS"), Cards("TD JD"), Cards()),
    "heart_values": ((1,) * 13, (0,) * 13, (1,) * 12, (1,) * 14, (-1, *[1] * 12), (0,) * 12 + (100_001,)),
    "queen_points": (13, 0, -1, 100_001),
    "extra_penalties": ((), ((JACK, 1),), ((JACK, 0),), ((JACK, 1), (JACK, 2)), ((Card("TC"), 100_001),)),
    "bonuses": (
        (),
        (Bonus(JACK, 10),),
        (Bonus(JACK, 0),),
        (Bonus(JACK, 1), Bonus(JACK, 2)),
        (Bonus(Card("QS"), 5), Bonus(Card("2H"), 5)),
    ),
    "doubler": (
        None,
        *(Doubler(Card(text)) for text in ("TC", "QS", "JD", "2H")),
        Doubler(Card("TC"), 1),
        Doubler(Card("TC"), 11, -1),
        Doubler(Card("TC"), 2, 50),
        Doubler(Card("TC"), 2, 100_001),
    ),
    "no_tricks_bonus": (0, 5, -1),
    "moon_points": (None, 26, 0, 100_001),
    "moon_factor": (1, 4, 0, 11),
    "sun_points": (None, 39, 0),
    "target": (100, None, 0, 1_000_000_001),
    "bonus_target": (None, 20, 21, 50, 0),
    "max_deals": (None, 4, 0),
    "exact_resets": (
        (),
        ((13, -20),),
        ((0, -10), (50, 60)),
        ((50, 0), (50, 10)),
        ((-5, -50), (13, -20)),
        ((100, 50),),
        (*((total, -10) for total in range(1, 1002)),),
    ),
}
"""By option, values within its range and beyond; of the others, all that there are are tried."""
VALUES = {option.name: ODD.get(option.name, option.choices) for option in Rules.OPTIONS}


ABOUT_THE_END = ("unreachable-bonus-target", "endless-game")
SCORE = (
    *("players", "decks", "removed", "teams", "heart_values", "queen_points", "extra_penalties", "bonuses"),
    *("bonus_floor", "doubler", "no_tricks_bonus", "total_floor", "moon", "moon_cards", "moon_points", "sun"),
    *("sun_points", "target", "target_test", "target_scope", "bonus_target", "max_deals", "exact_resets"),
)
"""The options on which the problems about the end of the game depend."""


def depends(problem: Problem, name: str) -> bool:
    """Whether a problem may depend on an option."""
    return name in problem.fields or (problem.code in ABOUT_THE_END and name in SCORE)


def found(options: dict[str, Any]) -> list[Problem]:
    """The problems of a rule set."""
    try:
        Rules(**options)
    except InvalidRules as refusal:
        return list(refusal.problems)
    return []


def drawn(rng: Random) -> dict[str, Any]:
    """Options of which some are out of range, and some contradict each other; each is given."""
    options = {option.name: option.default for option in Rules.OPTIONS}
    share = rng.choice((0.05, 0.2, 0.4))
    return options | {name: rng.choice(VALUES[name]) for name in VALUES if rng.random() < share}


def compared(count: int, seed: str) -> tuple[dict[tuple[str, str], set[str]], dict[tuple[str, str], set[str]]]:
    """Change one option of each rule set, and compare the problems that do not depend on it.

    Returns:
        By sentence, the options that were named, and those on which it was seen to depend.
    """
    rng = Random(seed)
    named: dict[tuple[str, str], set[str]] = defaultdict(set)
    needed: dict[tuple[str, str], set[str]] = defaultdict(set)
    for _ in range(count):
        options = drawn(rng)
        before = found(options)
        for problem in before:
            named[problem.code, problem.detail] |= set(problem.fields)
        fields = [(problem, field) for problem in before for field in problem.fields]
        unseen = [field for problem, field in fields if field not in needed[problem.code, problem.detail]]
        name = rng.choice(unseen or [field for _, field in fields] or list(VALUES))
        after = found({**options, name: rng.choice(VALUES[name])})
        kept = [problem for problem in before if not depends(problem, name)]
        assert kept == [problem for problem in after if not depends(problem, name)], (name, options)
        for problem in before:
            if name in problem.fields and problem not in after:
                needed[problem.code, problem.detail].add(name)
    return named, needed


def test_a_change_of_one_option_adds_and_ends_only_problems_that_name_it() -> None:
    """HR-ruling.36: so all problems that come up while a rule set is changed, in whatever order, were there at once."""
    named, _ = compared(rounds(2000, interpreted=300), "changed")
    assert len(named) > 25


@pytest.mark.long
def test_a_problem_depends_on_every_option_that_it_names() -> None:
    named, needed = compared(30_000, "named")
    idle = {sentence: fields - needed[sentence] for sentence, fields in named.items()}
    assert {sentence: fields for sentence, fields in idle.items() if fields} == {}


QUEENLESS: dict[str, Any] = {"removed": Cards("QS 2C 2D 2S"), "moon_cards": MoonCards.HEARTS_AND_QUEEN}


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({"queen_points": 100_001, "removed": "JD 2C 2D 2S", "exposable": "JD"}, "too-large not-in-the-deck"),
        ({**QUEENLESS, "queen_points": 100_001}, "too-large no-queen"),
        ({**QUEENLESS, "moon": Moon.OFF}, "no-queen"),
        (
            {"extra_penalties": [(JACK, 1), (JACK, 2)], "removed": Cards("JD TD 2C 2D"), "exposable": "TD AH KH"},
            "out-of-range several-hearts-exposable not-in-the-deck not-in-the-deck",
        ),
        ({"players": 12, "unpassable": "QS", "removed": "QS", "pass_cycle": [((1, 0),)]},
         "out-of-range not-in-the-deck empty-gift"),
        ({"hand_size": 0, "pass_cycle": ()}, "out-of-range empty-pass-cycle"),
        ({"heart_values": (1,) * 12, "bonuses": [Bonus(Card("KH"), 1)]}, "out-of-range bonus-is-a-penalty"),
        (
            {"decks": 2, "duplicates": Duplicates.LAST_WINS, "two_pairs_void": True, "pass_cycle": [middle(None)],
             "pass_optional": PassOptional.UNANIMOUS, "opening_leader": OpeningLeader.QUEEN_TAKER,
             "bonuses": [Bonus(JACK, 1)], "doubler": Doubler(JACK)},
            "not-one-queen any-number-with-two-decks optional-with-any-number no-pairs doubler-scores",
        ),
    ],
    ids=[str(number) for number in range(8)],
)  # fmt: skip
def test_what_is_reported_together(options: dict[str, Any], codes: str) -> None:
    assert [problem.code for problem in found(options)] == codes.split()
