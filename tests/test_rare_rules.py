"""Statistics of aimed games: the rare rules are reached, each at least so often.

The games come from the same generator as those in which the engine is compared with the model (`test_model`): what
is reached here is reached, and compared, there. The minimal counts are about a third of what the games come to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import Enum
from random import Random
from typing import Any, Final

import attrs
import pytest

from heartsrules import Card, Cards, Deal, GameOver, Play, Rules, Suit, new_game, why_illegal
from heartsrules.rules import (
    HOLD,
    Duplicates,
    FirstTrick,
    HeartsLead,
    Kitty,
    Moon,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    QueenCompulsory,
    Tie,
    VoidLastTrick,
)
from support.against_model import Lockstep, play_in_lockstep
from support.rarities import situations
from support.strategies import ALL_AIMS, FACES, QUEEN, aimed_deal, match, random_rules

pytestmark = [pytest.mark.long, pytest.mark.one_build]

ROUNDS: Final = 4000
AIMED_ROUNDS: Final = 100

AIMED: Final[tuple[dict[str, Any], ...]] = (
    {"queen_compulsory": QueenCompulsory.SAFE, "duplicates": Duplicates.CANCEL},
    {"heart_lead_spares_queen": True, "hearts_lead": HeartsLead.WHEN_BROKEN},
    {"moon": Moon.AUTO_SAVE, "moon_points": 1, "target": 20, "max_deals": None, "tie": Tie.EXTRA_DEAL},
    {"kitty": Kitty.FIRST_HEART, "moon": Moon.OTHERS_UP},
    {"players": 4, "teams": 2, "sun": True, "moon": Moon.OTHERS_UP, "moon_scope": MoonScope.TEAM},
    {
        "players": 6,
        "teams": 3,
        "decks": 2,
        "moon": Moon.CHOICE,
        "moon_scope": MoonScope.TEAM,
        "heart_values": (0,) * 13,
        "extra_penalties": (),
    },
)
"""Rule sets for what is too rare even so: some fields are fixed, everything else is random."""

LEAST: Final[dict[str, int]] = {
    "a tie at the end, extra-deal": 631,
    "a tie at the end, shared": 107,
    "a tie passes the limit of deals": 243,
    "a total at the target exactly, exceeded": 6,
    "a total at the target exactly, reached": 37,
    "a trick set aside is collected": 171,
    "an extra deal leaves the game undecided again": 4,
    "an untaken kitty prevents a moon": 5,
    "both bonus cards in one pile": 35,
    "equal highest cards, cancel": 716,
    "equal highest cards, first-wins": 163,
    "equal highest cards, last-wins": 200,
    "exact reset": 182,
    "moon by two members of a team together": 24,
    "moon by two members of a team with equal points": 2,
    "moon with penalty cards of the kitty": 371,
    "moon, auto-extend: others-up": 68,
    "moon, auto-extend: shooter-down": 49,
    "moon, auto-save: others-up": 187,
    "moon, auto-save: shooter-down": 4,
    "moon, choice: others-up": 57,
    "moon, choice: shooter-down": 63,
    "moon, others-up: others-up": 663,
    "moon, shooter-down: shooter-down": 87,
    "no exact reset of a total that the deal did not change": 121,
    "no moon without the bonus card": 75,
    "no-tricks bonus on a moon, counted": 349,
    "no-tricks bonus on a moon, not counted": 109,
    "only hearts on lead, unbroken": 280,
    "only penalty cards on the first trick": 988,
    "only the queen and hearts on lead, not spared": 29,
    "only the queen and hearts on lead, spared": 12,
    "points on the first trick": 2094,
    "queen before hearts": 171,
    "queen before hearts and points on the first trick": 44,
    "queen before hearts, waived": 27,
    "queen compulsory, always": 157,
    "queen compulsory, discard": 89,
    "queen compulsory, not-lead": 131,
    "queen compulsory, safe": 131,
    "queen compulsory, safe, under two high spades": 4,
    "queen discarded before hearts are broken, discarded": 37,
    "queen discarded before hearts are broken, led": 37,
    "queen discarded before hearts are broken, played": 29,
    "queen followed before hearts are broken, discarded": 43,
    "queen followed before hearts are broken, led": 48,
    "queen followed before hearts are broken, played": 31,
    "queen led before hearts are broken, discarded": 26,
    "queen led before hearts are broken, led": 32,
    "queen led before hearts are broken, played": 29,
    "scatter": 161,
    "several gifts": 364,
    "skip: a decliner is left out": 265,
    "skip: the cards stay": 122,
    "sun by two members of a team together": 5,
    "sun: others-up": 187,
    "sun: shooter-down": 44,
    "the bonus meets its floor, deal": 104,
    "the bonus meets its floor, total": 99,
    "the first trick is void": 113,
    "the kitty is not taken, first-heart": 76,
    "the kitty is not taken, first-point": 45,
    "the kitty is not taken, first-trick": 4,
    "the kitty is not taken, last-trick": 10,
    "the kitty is taken with the first trick won, first-heart": 230,
    "the kitty is taken with the first trick won, first-point": 201,
    "the kitty is taken with the first trick won, first-trick": 487,
    "the kitty is taken with the first trick won, last-trick": 52,
    "the kitty is taken, first-heart": 491,
    "the kitty is taken, first-point": 412,
    "the kitty is taken, first-trick": 487,
    "the kitty is taken, last-trick": 485,
    "the last trick is void, for its leader": 23,
    "the last trick is void, for nobody": 70,
    "the lowest club lies in the kitty": 129,
    "the opening leader has no club": 683,
    "the shooter chooses others-up": 57,
    "the shooter chooses shooter-down": 63,
    "two seats hold the lowest club": 409,
    "unanimous: one declines and nothing moves": 354,
    "void by cancellation": 182,
    "void by two pairs": 159,
}


@pytest.fixture(scope="module")
def counts() -> Counter[str]:
    counted: Counter[str] = Counter()
    for number in range(ROUNDS):
        rng = Random(f"rare {number}")
        for step in match(random_rules(rng), rng):
            counted.update(situations(*step))
    for fixed in AIMED:
        for number in range(AIMED_ROUNDS):
            rng = Random(f"aimed {number}")
            for step in match(random_rules(rng, **fixed), rng):
                counted.update(situations(*step))
    return counted


@pytest.mark.parametrize("situation", LEAST)
def test_the_situation_is_reached(counts: Counter[str], situation: str) -> None:
    assert counts[situation] >= LEAST[situation]


def test_every_situation_has_a_least_count(counts: Counter[str]) -> None:
    assert counts.keys() == LEAST.keys()


@pytest.mark.parametrize("fixed", AIMED)
def test_the_model_agrees_on_the_aimed_rule_sets(fixed: dict[str, Any]) -> None:
    for number in range(AIMED_ROUNDS):
        rng = Random(f"aimed {number}")
        play_in_lockstep(random_rules(rng, **fixed), rng, max_deals=3)


@pytest.mark.parametrize(
    ("option", "points"), [(VoidLastTrick.NOBODY, (13, 0, 13)), (VoidLastTrick.LEADER, (26, 0, 26))]
)
def test_a_last_trick_left_over_prevents_the_sun(option: VoidLastTrick, points: tuple[int, ...]) -> None:
    """Seat 1 takes the only penalty card and every trick that is won; the last trick is two 5D and a 3C."""
    deck = Cards("QS KS 2S 3C 5D 5D")
    rules = Rules(
        players=3,
        decks=2,
        removed=Cards(FACES * 2) - deck,
        pass_cycle=(HOLD,),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        first_trick=FirstTrick.FREE,
        void_last_trick=option,
        sun=True,
        max_deals=1,
        tie=Tie.SHARED,
    )
    game = Lockstep(rules)
    game.make(Deal((Cards("2S 3C"), Cards("KS 5D"), Cards("QS 5D"))))
    for text in ("1 KS", "2 QS", "0 2S", "1 5D", "2 5D", "0 3C"):
        seat, card = text.split()
        game.make(Play(int(seat), Card(card)))
    assert isinstance(game.state, GameOver)
    row = game.state.deal_scores[0]
    assert (row.shooter, row.points, row.sun) == (1, points, option is VoidLastTrick.LEADER)


def test_every_option_has_every_value_in_random_rule_sets() -> None:
    """Every enum member and both bools of every field, every count of players, and each shape of the other fields."""
    sets = [random_rules(Random(f"option {number}")) for number in range(1500)]
    for field in attrs.fields(Rules):
        if not field.init:
            continue
        values = {getattr(rules, field.name) for rules in sets}
        kind = type(next(iter(values)))
        if issubclass(kind, Enum):
            assert values == set(kind), field.name
        elif kind is bool:
            assert values == {False, True}, field.name
        else:
            assert len(values) > 1, field.name
    assert {rules.players for rules in sets} == set(range(3, 12))
    assert {(rules.decks, rules.teams) for rules in sets} == {(1, 0), (1, 2), (1, 3), (2, 0), (2, 2), (2, 3)}
    assert {len(step) for rules in sets for step in rules.pass_cycle} >= {0, 1, 2, 3, 4}
    assert {rules.kitty_size > 0 for rules in sets} == {False, True}
    assert any(not rules.removed for rules in sets)
    assert any(QUEEN not in rules.deck for rules in sets)
    assert any(not rules.penalty_cards for rules in sets)


@pytest.mark.parametrize("aim", ALL_AIMS)
def test_aimed_deals_are_deals(aim: str) -> None:
    for number in range(100):
        rng = Random(f"deal {number}")
        rules = random_rules(rng)
        assert why_illegal(new_game(rules), aimed_deal(rules, rng, aim)) == ()


def test_aimed_deals_hit_what_they_aim_at() -> None:
    rules = Rules(hand_size=12, kitty=Kitty.FIRST_POINT)
    rng = Random("aims")

    def hits(aim: str, hit: Callable[[Deal], bool]) -> bool:
        return all(hit(aimed_deal(rules, rng, aim)) for _ in range(20))

    assert hits("only penalty cards", lambda move: any(hand <= rules.penalty_cards for hand in move.hands))
    assert hits(
        "queen and hearts", lambda move: any(QUEEN in hand and hand <= rules.penalty_cards for hand in move.hands)
    )
    assert hits("void in clubs", lambda move: any(not hand.of_suit(Suit.CLUBS) for hand in move.hands))
    assert hits("one suit", lambda move: any(len({card.suit for card in hand}) == 1 for hand in move.hands))
    assert hits("clubs in the kitty", lambda move: move.kitty == Cards("2C 3C 4C 5C"))
    assert hits("penalty cards in the kitty", lambda move: move.kitty <= rules.penalty_cards)
    assert hits("harmless kitty", lambda move: not move.kitty & rules.penalty_cards)
