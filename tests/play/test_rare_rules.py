"""Statistics of aimed games: the rare rules are reached, each at least so often.

The games come from the same generator as those in which the engine is compared with the model (`test_model`): what
is reached here is reached, and compared, there. The minimal counts in `data/rare_situations.json` are about a third of
what the games come to with `HEARTSRULES_ROUNDS=1`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest

from heartsrules import Card, Cards, Deal, GameOver, Play, Suit, new_game, why_illegal
from support.against_model import Lockstep, play_in_lockstep
from support.rarities import situations
from support.rounds import TIMES, rounds
from support.strategies import ALL_AIMS, QUEEN, aimed_deal, match, random_rules
from support.tables import fields_of, rules_of

pytestmark = [pytest.mark.long, pytest.mark.once_compiled]

ROUNDS: Final = 4000
AIMED_ROUNDS: Final = 100
RAREST: Final = "moon=others-up moon_cards=hearts decks=2 players=3"
"""What a moon of hearts with one of two queens takes, which comes once in 150 games of such rules."""
RAREST_ROUNDS: Final = 1000

AIMED: Final = (
    "compulsory=safe duplicates=cancel decks=2",
    "hearts_lead=points-when-broken queen_points=0 heart_lead_spares_queen=yes",
    "opening_leader=queen-taker decks=1 kitty=first-heart",
    "moon=others-up moon_cards=hearts decks=1 players=3",
    "moon=others-up moon_cards=hearts decks=2 players=4",
    "players=4 teams=2 target=20 target_scope=player",
    "heart_lead_spares_queen=yes hearts_lead=when-broken",
    "moon=auto-save moon_cards=hearts moon_points=1 target=10 max_deals=none tie=extra-deal players=3 decks=1",
    "target=10 max_deals=none tie=extra-deal moon=off",
    (
        "bonus_target=none target_scope=side target_test=reached target=10 max_deals=none tie=extra-deal "
        "no_tricks_bonus=50 total_floor=no players=6"
    ),
    "kitty=first-heart moon=others-up",
    "exposure=in-turn",
    "exposure=rounds exposed_card_play=wait-on-lead players=3",
    "exposure=rounds-in-turn exposed_card_play=free",
    "exposure=rounds expose_before_pass=middle players=3",
    "expose_before_pass=always",
    "exposure=together moon=shooter-down moon_cards=hearts players=3",
    "exposure=together kitty=first-point players=3",
    "players=4 teams=2 sun=yes moon=others-up moon_scope=team sun_scope=team",
    "players=4 teams=2 sun=yes moon=others-up sun_scope=player",
    "target=10 target_test=exact-wins max_deals=none",
    "moon=shooter-to-zero moon_cards=hearts players=3 target=none max_deals=3",
    "moon=shooter-wins moon_cards=hearts players=3 target=none max_deals=3",
    "moon=others-pay moon_cards=every-card players=3 sun=yes sun_points=39",
    "moon=both moon_factor=4 players=3 exposure=together",
    "moon=shooter-down total_floor=yes no_tricks_bonus=5 players=3 moon_cards=hearts",
    "moon=others-up moon_cards=hearts decks=2 players=4 duplicates=first-wins hearts_lead=any-time",
    "moon=auto-extend target=20 max_deals=none tie=extra-deal",
    "max_deals=1 target=none tie=extra-deal",
    "max_deals=1 target=none tie=extra-deal players=3 moon=off",
    "max_deals=1 target=none tie=extra-deal players=4",
    "max_deals=1 target=none tie=extra-deal players=6 decks=2",
    "max_deals=1 target=none tie=extra-deal decks=2",
    "bonus_target=1 no_tricks_bonus=1 target=none max_deals=none tie=extra-deal total_floor=no",
    "first_trick=no-scoring opening_leader=dealer-left decks=1",
    "players=6 teams=3 decks=2 moon=choice moon_scope=team heart_values=0,0,0,0,0,0,0,0,0,0,0,0,0 extra_penalties=none",
)
"""Rule sets for what is too rare even so: some fields are fixed, everything else is random."""

LEAST: Final[dict[str, int]] = json.loads(
    (Path(__file__).parents[1] / "data" / "rare_situations.json").read_text(encoding="utf-8")
)
"""By situation, the least count."""


@pytest.fixture(scope="module")
def counts() -> Counter[str]:
    counted: Counter[str] = Counter()
    for number in range(rounds(ROUNDS)):
        rng = Random(f"rare {number}")
        for step in match(random_rules(rng), rng):
            counted.update(situations(*step))
    for fixed in AIMED:
        for number in range(rounds(AIMED_ROUNDS)):
            rng = Random(f"aimed {number}")
            for step in match(random_rules(rng, **fields_of(fixed)), rng):
                counted.update(situations(*step))
    for number in range(rounds(RAREST_ROUNDS)):
        rng = Random(f"aimed {number}")
        for step in match(random_rules(rng, **fields_of(RAREST)), rng):
            counted.update(situations(*step))
    return counted


def test_every_situation_is_reached_often_enough(counts: Counter[str]) -> None:
    assert counts.keys() == LEAST.keys()
    assert {name: counts[name] for name, least in LEAST.items() if counts[name] < max(1, least * TIMES)} == {}


@pytest.mark.parametrize("fixed", AIMED)
def test_the_model_agrees_on_the_aimed_rule_sets(fixed: str) -> None:
    for number in range(rounds(40)):
        rng = Random(f"aimed {number}")
        play_in_lockstep(random_rules(rng, **fields_of(fixed)), rng, max_deals=3)


@pytest.mark.parametrize(("option", "points"), [("nobody", (13, 0, 13)), ("leader", (26, 0, 26))])
def test_a_last_trick_left_over_prevents_the_sun(option: str, points: tuple[int, ...]) -> None:
    """Seat 1 takes the only penalty card and every trick that is won; the last trick is two 5D and a 3C."""
    rules = rules_of(
        "players=3 decks=2 pass_cycle=hold opening_leader=dealer-left opening_card=any first_trick=free sun=yes "
        f"void_last_trick={option} max_deals=1 tie=shared",
        deck="QS KS 2S 3C 5D 5D",
    )
    game = Lockstep(rules)
    game.make(Deal((Cards("2S 3C"), Cards("KS 5D"), Cards("QS 5D"))))
    for text in ("1 KS", "2 QS", "0 2S", "1 5D", "2 5D", "0 3C"):
        seat, card = text.split()
        game.make(Play(int(seat), Card(card)))
    assert isinstance(game.state, GameOver)
    row = game.state.score_sheet[0]
    assert (row.shooter, row.points, row.sun) == (1, points, option == "leader")


@pytest.mark.parametrize("aim", ALL_AIMS)
def test_aimed_deals_are_deals(aim: str) -> None:
    for number in range(100):
        rng = Random(f"deal {number}")
        rules = random_rules(rng)
        assert why_illegal(new_game(rules), aimed_deal(rules, rng, aim)) == ()


def test_aimed_deals_hit_what_they_aim_at() -> None:
    rules = rules_of("hand_size=12 kitty=first-point")
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
