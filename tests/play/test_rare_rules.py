"""Statistics of aimed games: the rare rules are reached, each at least so often.

The games come from the same generator as those in which the engine is compared with the model (`test_model`): what
is reached here is reached, and compared, there. The minimal counts are about a third of what the games come to with
`HEARTSRULES_ROUNDS=1`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest

from heartsrules import Card, Cards, Deal, GameOver, Play, Rules, Suit, new_game, why_illegal
from heartsrules.rules import (
    HOLD,
    Compulsory,
    Duplicates,
    ExposeBeforePass,
    ExposedCardPlay,
    Exposure,
    FirstTrick,
    HeartsLead,
    Kitty,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    TargetScope,
    TargetTest,
    Tie,
    VoidLastTrick,
)
from support.against_model import Lockstep, play_in_lockstep
from support.rarities import situations
from support.rounds import TIMES, rounds
from support.strategies import ALL_AIMS, FACES, QUEEN, aimed_deal, match, random_rules

pytestmark = [pytest.mark.long, pytest.mark.once_compiled]

ROUNDS: Final = 4000
AIMED_ROUNDS: Final = 100
RAREST: Final[dict[str, Any]] = {"moon": Moon.OTHERS_UP, "moon_cards": MoonCards.HEARTS, "decks": 2, "players": 3}
"""What a moon of hearts with one of two queens takes, which comes once in 150 games of such rules."""
RAREST_ROUNDS: Final = 1000

AIMED: Final[tuple[dict[str, Any], ...]] = (
    {"compulsory": Compulsory.SAFE, "duplicates": Duplicates.CANCEL, "decks": 2},
    {"hearts_lead": HeartsLead.POINTS_WHEN_BROKEN, "queen_points": 0, "heart_lead_spares_queen": True},
    {"opening_leader": OpeningLeader.QUEEN_TAKER, "decks": 1, "kitty": Kitty.FIRST_HEART},
    {"moon": Moon.OTHERS_UP, "moon_cards": MoonCards.HEARTS, "decks": 1, "players": 3},
    {"moon": Moon.OTHERS_UP, "moon_cards": MoonCards.HEARTS, "decks": 2, "players": 4},
    {"players": 4, "teams": 2, "target": 20, "target_scope": TargetScope.PLAYER},
    {"heart_lead_spares_queen": True, "hearts_lead": HeartsLead.WHEN_BROKEN},
    {
        "moon": Moon.AUTO_SAVE,
        "moon_cards": MoonCards.HEARTS,
        "moon_points": 1,
        "target": 10,
        "max_deals": None,
        "tie": Tie.EXTRA_DEAL,
        "players": 3,
        "decks": 1,
    },
    {"target": 10, "max_deals": None, "tie": Tie.EXTRA_DEAL, "moon": Moon.OFF},
    {
        "bonus_target": None,
        "target_scope": TargetScope.SIDE,
        "target_test": TargetTest.REACHED,
        "target": 10,
        "max_deals": None,
        "tie": Tie.EXTRA_DEAL,
        "no_tricks_bonus": 50,
        "total_floor": False,
        "players": 6,
    },
    {"kitty": Kitty.FIRST_HEART, "moon": Moon.OTHERS_UP},
    {"exposure": Exposure.IN_TURN},
    {"exposure": Exposure.ROUNDS, "exposed_card_play": ExposedCardPlay.WAIT_ON_LEAD, "players": 3},
    {"exposure": Exposure.ROUNDS_IN_TURN, "exposed_card_play": ExposedCardPlay.FREE},
    {"exposure": Exposure.ROUNDS, "expose_before_pass": ExposeBeforePass.MIDDLE, "players": 3},
    {"expose_before_pass": ExposeBeforePass.ALWAYS},
    {"exposure": Exposure.TOGETHER, "moon": Moon.SHOOTER_DOWN, "moon_cards": MoonCards.HEARTS, "players": 3},
    {"exposure": Exposure.TOGETHER, "kitty": Kitty.FIRST_POINT, "players": 3},
    {
        "players": 4,
        "teams": 2,
        "sun": True,
        "moon": Moon.OTHERS_UP,
        "moon_scope": MoonScope.TEAM,
        "sun_scope": MoonScope.TEAM,
    },
    {"players": 4, "teams": 2, "sun": True, "moon": Moon.OTHERS_UP, "sun_scope": MoonScope.PLAYER},
    {"target": 10, "target_test": TargetTest.EXACT_WINS, "max_deals": None},
    {"moon": Moon.SHOOTER_TO_ZERO, "moon_cards": MoonCards.HEARTS, "players": 3, "target": None, "max_deals": 3},
    {"moon": Moon.SHOOTER_WINS, "moon_cards": MoonCards.HEARTS, "players": 3, "target": None, "max_deals": 3},
    {"moon": Moon.OTHERS_PAY, "moon_cards": MoonCards.EVERY_CARD, "players": 3, "sun": True, "sun_points": 39},
    {"moon": Moon.BOTH, "moon_factor": 4, "players": 3, "exposure": Exposure.TOGETHER},
    {
        "moon": Moon.SHOOTER_DOWN,
        "total_floor": True,
        "no_tricks_bonus": 5,
        "players": 3,
        "moon_cards": MoonCards.HEARTS,
    },
    {
        "moon": Moon.OTHERS_UP,
        "moon_cards": MoonCards.HEARTS,
        "decks": 2,
        "players": 4,
        "duplicates": Duplicates.FIRST_WINS,
        "hearts_lead": HeartsLead.ANY_TIME,
    },
    {"moon": Moon.AUTO_EXTEND, "target": 20, "max_deals": None, "tie": Tie.EXTRA_DEAL},
    {"first_trick": FirstTrick.NO_SCORING, "opening_leader": OpeningLeader.DEALER_LEFT, "decks": 1},
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
    "a card is shown that counts nothing": 130,
    "a card is shown that was received": 179,
    "a compulsory card that is not the queen": 1760,
    "a compulsory card, always": 741,
    "a compulsory card, discard": 367,
    "a compulsory card, not-lead": 605,
    "a compulsory card, safe": 632,
    "a compulsory card, safe, but another is not": 5,
    "a compulsory card, safe, but what is higher is cancelled": 7,
    "a compulsory card, safe, under two higher cards": 114,
    "a doubler alone": 130,
    "a doubler alone under somebody else's moon": 28,
    "a doubler multiplies": 957,
    "a doubler multiplies a moon": 51,
    "a doubler multiplies less than nothing": 285,
    "a doubler multiplies under somebody else's moon": 12,
    "a doubler with worthless hearts only": 22,
    "a factor on a moon": 359,
    "a factor on a moon with a shown card": 52,
    "a heart discarded before hearts are broken, which only a discard breaks": 544,
    "a heart followed before hearts are broken, which only a discard breaks": 706,
    "a heart is a bonus card": 240,
    "a heart is a bonus card, and a heart was shown": 30,
    "a heart led before hearts are broken, which only a discard breaks": 278,
    "a heart opens": 127,
    "a moon leaves a total below 0": 27,
    "a moon takes a total to 0": 88,
    "a moon wins from behind": 6,
    "a penalty card on the first trick, where no heart may be discarded": 92,
    "a penalty card waits on lead": 104,
    "a player passes the target, no team does": 4,
    "a seat shows cards in two rounds": 2,
    "a seat shows only some of its cards": 19,
    "a seat shows several cards": 63,
    "a shown bonus card meets the floor": 27,
    "a shown card in a moon, both": 18,
    "a shown card in a moon, others-pay": 9,
    "a shown card in a moon, others-up": 107,
    "a shown card in a moon, shooter-down": 34,
    "a shown card in a moon, shooter-to-zero": 15,
    "a shown card in a moon, shooter-wins": 8,
    "a shown card is alone in its suit, following": 156,
    "a shown card is alone in its suit, leading": 174,
    "a shown card is discarded on another suit": 257,
    "a shown card is discarded that would be held back in its suit": 84,
    "a shown card is free, because what lies beside it may not be played": 8,
    "a shown card is held back in the first trick": 94,
    "a shown card is held back, following": 173,
    "a shown card is held back, leading": 111,
    "a shown card is held back, leading, by another suit": 36,
    "a shown card is released by an earlier trick, following": 52,
    "a shown card is released by an earlier trick, leading": 107,
    "a shown card waits for nothing, following": 80,
    "a shown card waits for nothing, leading": 92,
    "a shown doubler alone": 11,
    "a shown doubler multiplies": 75,
    "a shown heart in a moon that counts its cards": 43,
    "a shown heart is held back, though hearts are broken": 61,
    "a shown queen beside hearts that make a moon": 11,
    "a sun of its own value": 118,
    "a sun of its own value, which no factor multiplies": 35,
    "a team passes the target, no player does": 12,
    "a tie at the bonus target": 44,
    "a tie at the end, extra-deal": 694,
    "a tie at the end, shared": 111,
    "a tie passes the limit of deals": 243,
    "a total at the bonus target exactly, exact-wins": 11,
    "a total at the bonus target exactly, exceeded": 10,
    "a total at the bonus target exactly, reached": 48,
    "a total at the target exactly, exact-wins": 20,
    "a total at the target exactly, exceeded": 8,
    "a total at the target exactly, reached": 46,
    "a trick set aside is collected": 186,
    "a worthless queen is spared": 1,
    "an exposable card lies in the kitty": 151,
    "an extra deal leaves the game undecided again": 4,
    "an untaken kitty prevents a moon": 5,
    "any number into the middle": 100,
    "any number: a whole hand": 40,
    "both bonus cards in one pile": 64,
    "cards may be shown, in-turn": 411,
    "cards may be shown, rounds": 229,
    "cards may be shown, rounds-in-turn": 233,
    "cards may be shown, together": 454,
    "different bonus cards in one pile": 790,
    "equal highest cards, cancel": 887,
    "equal highest cards, first-wins": 218,
    "equal highest cards, last-wins": 200,
    "exact reset": 278,
    "exact reset of a partner": 50,
    "exactly the target wins": 15,
    "four cards are shown": 6,
    "moon beside penalty cards of others that are not part of it": 15,
    "moon beside penalty cards of the shooter's that are not part of it": 41,
    "moon by two members of a team together": 33,
    "moon by two members of a team with equal points": 2,
    "moon of every-card": 143,
    "moon of hearts": 204,
    "moon of hearts, with one queen of two": 2,
    "moon of hearts, with the queen": 88,
    "moon of hearts, with the queen, which counts on top of moon_points": 40,
    "moon of hearts, without the queen": 6,
    "moon of hearts-and-queen": 96,
    "moon with penalty cards of the kitty": 371,
    "moon, auto-extend: others-up": 68,
    "moon, auto-extend: shooter-down": 49,
    "moon, auto-save: others-up": 187,
    "moon, auto-save: shooter-down": 2,
    "moon, both: both": 86,
    "moon, choice: others-up": 67,
    "moon, choice: shooter-down": 66,
    "moon, others-pay: others-pay": 76,
    "moon, others-up: others-up": 746,
    "moon, shooter-down: shooter-down": 90,
    "moon, shooter-to-zero: shooter-to-zero": 115,
    "moon, shooter-wins: shooter-wins": 63,
    "more cards are shown, rounds": 65,
    "more cards are shown, rounds-in-turn": 67,
    "no card makes a moon": 500,
    "no exact reset of a total that the deal did not change": 179,
    "no moon without every bonus card": 46,
    "no moon without the bonus card": 75,
    "no-tricks bonus on a moon, counted": 370,
    "no-tricks bonus on a moon, not counted": 121,
    "nobody holds a card that may be shown": 46,
    "nobody shows before the pass": 250,
    "nobody shows, though somebody could": 283,
    "nothing but shown cards may be led": 14,
    "only hearts and a worthless queen on lead, unbroken": 1,
    "only hearts and penalty cards on lead, unbroken": 110,
    "only hearts on lead, unbroken": 280,
    "only hearts on the first trick": 173,
    "only penalty cards on the first trick": 988,
    "only scoring cards on the first trick": 305,
    "only scoring cards on the first trick, a bonus card goes first": 41,
    "only scoring cards on the first trick, a penalty card goes first": 73,
    "only the queen and hearts on lead, not spared": 29,
    "only the queen and hearts on lead, spared": 12,
    "partners won every trick, and have no sun of player": 7,
    "points on the first trick, no-hearts": 464,
    "points on the first trick, no-points": 1854,
    "points on the first trick, no-scoring": 568,
    "queen before hearts": 172,
    "queen before hearts and points on the first trick": 44,
    "queen before hearts, waived": 27,
    "queen discarded before hearts are broken, discarded": 37,
    "queen discarded before hearts are broken, led": 46,
    "queen discarded before hearts are broken, played": 34,
    "queen followed before hearts are broken, discarded": 59,
    "queen followed before hearts are broken, led": 48,
    "queen followed before hearts are broken, played": 55,
    "queen led before hearts are broken, discarded": 33,
    "queen led before hearts are broken, led": 32,
    "queen led before hearts are broken, played": 37,
    "scatter": 176,
    "several gifts": 364,
    "shown cards are alone in their suit together": 5,
    "skip: a decliner is left out": 265,
    "skip: several gifts go on to others": 100,
    "skip: the cards stay": 122,
    "somebody shows, and nobody passes": 400,
    "sun by two members of a team together": 8,
    "sun: both": 24,
    "sun: others-pay": 22,
    "sun: others-up": 187,
    "sun: shooter-down": 44,
    "sun: shooter-to-zero": 18,
    "sun: shooter-wins": 13,
    "the bonus meets its floor, deal": 111,
    "the bonus meets its floor, total": 100,
    "the bonus target by player and by team differ": 4,
    "the bonus target ends the game": 145,
    "the dealer shows a card after others have": 26,
    "the first trick is void": 154,
    "the kitty is not taken, first-heart": 99,
    "the kitty is not taken, first-point": 48,
    "the kitty is not taken, first-trick": 4,
    "the kitty is not taken, last-trick": 10,
    "the kitty is taken with the first trick won, first-heart": 230,
    "the kitty is taken with the first trick won, first-point": 212,
    "the kitty is taken with the first trick won, first-trick": 489,
    "the kitty is taken with the first trick won, last-trick": 52,
    "the kitty is taken, first-heart": 491,
    "the kitty is taken, first-point": 424,
    "the kitty is taken, first-trick": 489,
    "the kitty is taken, last-trick": 507,
    "the last trick is void, for its leader": 30,
    "the last trick is void, for nobody": 96,
    "the lowest club lies in the kitty": 129,
    "the lowest spade leads, in the first deal": 156,
    "the lowest spade leads, nobody took the queen": 1,
    "the lowest spade lies in the kitty": 13,
    "the middle: a card comes back": 318,
    "the middle: one seat lays alone": 11,
    "the opening leader has no club": 683,
    "the queen taker leads": 142,
    "the queen taker leads, another holds the lowest spade": 114,
    "the shooter chooses others-up": 67,
    "the shooter chooses shooter-down": 66,
    "the total floor holds": 1440,
    "the total floor holds a moon": 187,
    "the total floor holds a reset": 67,
    "the total floor holds the bonus for no tricks": 932,
    "through the middle": 506,
    "two compulsory cards to choose from": 99,
    "two doublers in one pile, alone": 15,
    "two doublers in one pile, multiplies": 125,
    "two seats hold the lowest club": 419,
    "two seats hold the lowest spade": 9,
    "unanimous: one declines and nothing moves": 360,
    "void by cancellation": 235,
    "void by two pairs": 176,
}


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
            for step in match(random_rules(rng, **fixed), rng):
                counted.update(situations(*step))
    for number in range(rounds(RAREST_ROUNDS)):
        rng = Random(f"aimed {number}")
        for step in match(random_rules(rng, **RAREST), rng):
            counted.update(situations(*step))
    return counted


def test_every_situation_is_reached_often_enough(counts: Counter[str]) -> None:
    assert counts.keys() == LEAST.keys()
    assert {name: counts[name] for name, least in LEAST.items() if counts[name] < max(1, least * TIMES)} == {}


@pytest.mark.parametrize("fixed", AIMED)
def test_the_model_agrees_on_the_aimed_rule_sets(fixed: dict[str, Any]) -> None:
    for number in range(rounds(40)):
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
    row = game.state.score_sheet[0]
    assert (row.shooter, row.points, row.sun) == (1, points, option is VoidLastTrick.LEADER)


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
