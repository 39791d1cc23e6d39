"""Scoring by itself: bad input, standings, shown scores, floors at their edges, the end of a game."""

from __future__ import annotations

from itertools import product
from typing import Any

import attrs
import pytest

from heartsrules import Card, Cards, HeartsError, InvalidState, Rules, Standing, display_score, score_deal, standings
from heartsrules.play.scoring import deal_outcome, game_winners
from heartsrules.rules import Bonus, Kitty, Moon, MoonCards, MoonScope, ScoreDisplay, TargetScope, TargetTest, Tie
from support.builds import wrong_type
from support.tables import named, rules_of

ALL = Rules().deck
POINTS = Rules().penalty_cards
TAKEN_BY_ONE = [ALL, Cards(), Cards(), Cards()]
CHOICE = Rules(moon=Moon.CHOICE)
CLUBS = Cards("2C 3C 4C 5C")
HEARTS = Cards("2H 3H 4H 5H")
SHOWING = Rules(exposable="QS")
TWELVES = Rules(kitty=Kitty.FIRST_POINT, hand_size=12)


def codes(error: InvalidState) -> list[str]:
    assert isinstance(error, HeartsError)
    assert isinstance(error, ValueError)
    return [problem.code for problem in error.problems]


@pytest.mark.parametrize(
    ("rules", "piles", "won", "options", "expected"),
    [
        (Rules(), [ALL, Cards(), Cards()], (13, 0, 0, 0), {}, "wrong-count"),
        (Rules(), TAKEN_BY_ONE, (13, 0, 0), {}, "wrong-count"),
        (Rules(), TAKEN_BY_ONE, (13, 0, 0, 0), {"totals": (0,)}, "wrong-count"),
        (Rules(), [ALL, Cards("2C"), Cards(), Cards()], (13, 0, 0, 0), {}, "extra-cards"),
        (Rules(), [Cards("2C 2C"), Cards(), Cards(), Cards()], (13, 0, 0, 0), {}, "extra-cards"),
        (Rules(), TAKEN_BY_ONE, (14, 0, 0, 0), {}, "out-of-range"),
        (Rules(), TAKEN_BY_ONE, (14, -1, 0, 0), {}, "out-of-range out-of-range"),
        (Rules(), [Cards()] * 4, (0, 0, 0, 0), {}, "wrong-sum"),
        (Rules(), TAKEN_BY_ONE, (12, 0, 0, 0), {}, "wrong-sum"),
        (Rules(), [Cards()] * 4, (13, 0, 0, 0), {}, "wrong-tricks-won"),
        (Rules(), [POINTS, ALL - POINTS, Cards(), Cards()], (3, 10, 0, 0), {}, "part-of-a-trick part-of-a-trick"),
        (Rules(), [ALL - CLUBS, CLUBS, Cards(), Cards()], (11, 2, 0, 0), {}, "wrong-tricks-won wrong-tricks-won"),
        (Rules(), [ALL - CLUBS, CLUBS, Cards(), Cards()], (12, 0, 1, 0), {}, "wrong-tricks-won wrong-tricks-won"),
        (TWELVES, [ALL - CLUBS, CLUBS, Cards(), Cards()], (11, 1, 0, 0), {}, ""),
        (TWELVES, [CLUBS, ALL - CLUBS, Cards(), Cards()], (0, 12, 0, 0), {}, "wrong-tricks-won"),
        (TWELVES, [ALL - CLUBS, Cards(), Cards(), Cards()], (12, 0, 0, 0), {}, "wrong-kitty-winner"),
        (Rules(), TAKEN_BY_ONE, (13, 0, 0, 0), {"deal_number": -1}, "out-of-range"),
        (Rules(), TAKEN_BY_ONE, (13, 0, 0, 0), {"deal_number": 1_000_000}, "out-of-range"),
        (Rules(), TAKEN_BY_ONE, (13, 0, 0, 0), {"effect": Moon.OTHERS_UP}, "wrong-effect"),
        (CHOICE, TAKEN_BY_ONE, (13, 0, 0, 0), {}, "wrong-effect"),
        (CHOICE, TAKEN_BY_ONE, (13, 0, 0, 0), {"effect": Moon.CHOICE}, "wrong-effect"),
        (CHOICE, [ALL - HEARTS, HEARTS, Cards(), Cards()], (12, 1, 0, 0), {"effect": Moon.OTHERS_UP}, "wrong-effect"),
        (SHOWING, TAKEN_BY_ONE, (13, 0, 0, 0), {"exposed": [Cards("KS"), *[Cards()] * 3]}, "not-exposable"),
        (SHOWING, TAKEN_BY_ONE, (13, 0, 0, 0), {"exposed": [Cards("QS QS"), *[Cards()] * 3]}, "not-exposable"),
        (Rules(), [ALL, ALL], (99, 0), {"totals": (1,), "deal_number": -3},
         "wrong-count wrong-count wrong-count out-of-range extra-cards"),
    ],
)  # fmt: skip
def test_what_cannot_be_scored(
    rules: Rules, piles: list[Cards], won: tuple[int, ...], options: dict[str, Any], expected: str
) -> None:
    if not expected:
        score_deal(rules, piles, won, **options)
        return
    with pytest.raises(InvalidState) as caught:
        score_deal(rules, piles, won, **options)
    assert codes(caught.value) == expected.split()
    assert all(problem.fields for problem in caught.value.problems)


def problems_of(*arguments: Any, **options: Any) -> list[tuple[tuple[str, ...], str]]:
    with pytest.raises(InvalidState) as caught:
        score_deal(*arguments, **options)
    return [(problem.fields, problem.message) for problem in caught.value.problems]


def test_what_it_says_of_wrong_counts() -> None:
    piles = [ALL, Cards()]
    assert problems_of(Rules(), piles, (13,), (1, 2, 3, 4, 5), exposed=[Cards()] * 3, deal_number=-1) == [
        (("captured",), "captured has 2 items for 4 players: use one per seat"),
        (("tricks_won",), "tricks_won has 1 item for 4 players: use one per seat"),
        (("totals",), "totals has 5 items for 4 players: use one per seat"),
        (("exposed",), "exposed has 3 items for 4 players: use one per seat"),
        (("deal_number",), "deal_number is -1, but it must be from 0 to 999999"),
    ]


def test_what_it_says_of_piles_tricks_and_exposed_cards() -> None:
    assert problems_of(Rules(), [ALL, Cards("2C"), Cards(), Cards()], (14, 0, 0, 0)) == [
        (("tricks_won[0]",), "tricks_won[0] is 14, but must be from 0 to 13"),
        (("captured",), "captured contains more copies of 2C than are in play"),
    ]
    piles = TAKEN_BY_ONE
    message = "tricks_won adds up to 12, but the deal has 13 tricks"
    assert problems_of(Rules(), piles, (12, 0, 0, 0)) == [(("tricks_won",), message)]
    exposed = [Cards("QS"), Cards("QS"), Cards(), Cards()]
    message = "exposed[1] contains QS, but another seat exposed it: list each card once"
    assert problems_of(Rules(exposable="QS"), piles, (13, 0, 0, 0), exposed=exposed) == [(("exposed[1]",), message)]


@pytest.mark.parametrize(
    ("moon", "taken", "effect", "message"),
    [
        (Moon.OTHERS_UP, ALL, Moon.OTHERS_UP, "`effect` is set, but these rules leave no choice (others-up); omit it"),
        (Moon.OTHERS_UP, ALL - HEARTS, Moon.OTHERS_UP, "`effect` is set, but no seat shot the moon; omit it"),
        (Moon.CHOICE, ALL - HEARTS, Moon.OTHERS_UP, "`effect` is set, but no seat shot the moon; omit it"),
        (Moon.CHOICE, ALL, Moon.CHOICE,
         "seat {} shot the moon and must choose: set `effect` to Moon.OTHERS_UP or Moon.SHOOTER_DOWN"),
        (Moon.CHOICE, ALL, None,
         "seat {} shot the moon and must choose: set `effect` to Moon.OTHERS_UP or Moon.SHOOTER_DOWN"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seat", [0, 2])
def test_what_it_says_of_an_effect_that_does_not_fit(
    moon: Moon, taken: Cards, effect: Moon | None, message: str, seat: int
) -> None:
    piles, won = [Cards()] * 4, [0] * 4
    piles[seat], won[seat] = taken, len(taken) // 4
    piles[3], won[3] = ALL - taken, 13 - len(taken) // 4
    assert problems_of(Rules(moon=moon), piles, won, None, effect) == [(("effect",), message.format(seat))]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((Rules(), ALL, ()), "captured"),
        ((Rules(), [2], ()), "captured"),
        ((Rules(), [], "0000"), "tricks_won"),
        ((Rules(), [], (True, 0, 0, 0)), "tricks_won"),
        ((Rules(), [], (), (0.5,)), "totals"),
    ],
)
def test_wrong_types_of_score_deal(arguments: tuple[Any, ...], name: str) -> None:
    with wrong_type(name):
        score_deal(*arguments)


START = (0, 0, 0, 0)


def test_the_deal_number_settles_the_dealer_and_the_last_deal() -> None:
    rules = Rules(moon=Moon.AUTO_EXTEND, target=None, max_deals=3, tie=Tie.SHARED)
    assert score_deal(rules, TAKEN_BY_ONE, (13, 0, 0, 0), START, deal_number=1).effect is Moon.OTHERS_UP
    assert score_deal(rules, TAKEN_BY_ONE, (13, 0, 0, 0), START, deal_number=2).effect is Moon.SHOOTER_DOWN


def test_automatic_moons_look_at_bonuses_and_resets() -> None:
    trick = Cards("JD 2D 3D 4D")
    piles = [ALL - trick, trick, Cards(), Cards()]
    omnibus = Rules(moon=Moon.AUTO_EXTEND, bonuses=(Bonus(Card("JD"), 10),))
    # 80 and 26 would end the game, but the bonus keeps seat 1 below 100.
    assert score_deal(omnibus, piles, (12, 1, 0, 0), (0, 80, 0, 0)).effect is Moon.OTHERS_UP
    assert score_deal(omnibus, piles, (12, 1, 0, 0), (0, 84, 0, 0)).effect is Moon.SHOOTER_DOWN
    resets = Rules(moon=Moon.AUTO_EXTEND, exact_resets=((100, 50),))
    assert score_deal(resets, piles, (12, 1, 0, 0), (0, 74, 0, 0)).effect is Moon.OTHERS_UP
    assert score_deal(resets, piles, (12, 1, 0, 0), (0, 75, 0, 0)).effect is Moon.SHOOTER_DOWN


def test_a_row_holds_all_that_a_front_end_shows() -> None:
    row = score_deal(Rules(sun=True), [Cards(), ALL, Cards(), Cards()], (0, 13, 0, 0), (1, 2, 3, 4))
    assert (row.points, row.card_points) == ((52, 0, 52, 52), (0, 26, 0, 0))
    assert (row.shooter, row.effect, row.sun, row.tricks_won) == (1, Moon.OTHERS_UP, True, (0, 13, 0, 0))
    assert row.totals == (53, 2, 55, 56)
    assert (row.queen_taker, row.exposed) == (1, ())


def test_the_row_of_a_deal_in_which_nobody_shot_the_moon() -> None:
    row = score_deal(
        Rules(sun=True, exposable="QS"), [Cards(), ALL - HEARTS, HEARTS, Cards()], (0, 12, 1, 0), exposed=()
    )
    assert (row.points, row.card_points, row.totals) == ((0, 22, 4, 0),) * 3
    assert (row.shooter, row.effect, row.sun, row.tricks_won) == (None, None, False, (0, 12, 1, 0))
    assert (row.queen_taker, row.exposed) == (1, (Cards(),) * 4)


# The sun with a kitty and with two decks: rules, piles, tricks won, whether it is one
KITTY = Rules(sun=True, kitty=Kitty.FIRST_HEART, hand_size=12)
TWICE = Rules(sun=True, kitty=Kitty.FIRST_HEART, decks=2, hand_size=25)
WORTHLESS = rules_of(
    "sun=yes kitty=first-point hand_size=12 heart_values=0,0,0,0,0,0,0,0,0,0,0,0,0 queen_points=0 moon_cards=hearts "
    "moon_points=26"
)
TWO = Rules(players=8, decks=2, sun=True)
VOID = Cards("2C 2C 3C 3C 4C 4C 5C 5C")
SUNS = [
    ("the kitty taken", KITTY, TAKEN_BY_ONE, (12, 0, 0, 0), True),
    ("cards left set aside", TWICE, [TWICE.deck - CLUBS, Cards(), Cards(), Cards()], (24, 0, 0, 0), False),
    ("set aside and collected", TWO, [TWO.deck, *[Cards()] * 7], (9, 0, 0, 0, 0, 0, 0, 0), True),
    ("the last trick void", TWO, [TWO.deck - VOID, *[Cards()] * 7], (12, 0, 0, 0, 0, 0, 0, 0), False),
    ("no card brings the kitty", WORTHLESS, [ALL - VOID.distinct(), Cards(), Cards(), Cards()], (12, 0, 0, 0), True),
    ("another won a trick", TWO, [TWO.deck - VOID, VOID, *[Cards()] * 6], (12, 1, 0, 0, 0, 0, 0, 0), False),
]


@named("rules piles won sun", SUNS)
def test_the_sun(rules: Rules, piles: list[Cards], won: tuple[int, ...], sun: bool) -> None:
    row = score_deal(rules, piles, won)
    assert row.shooter == 0
    assert row.sun is sun
    assert row.points[1] == rules._resolved.moon_value * (2 if sun else 1)


def test_the_sun_while_all_hearts_lie_in_an_untaken_kitty() -> None:
    rules = rules_of(
        "sun=yes kitty=first-heart hand_size=9 heart_values=0,0,0,0,0,0,0,0,0,0,0,0,0 opening_leader=dealer-left "
        "opening_card=any"
    )
    assert rules.kitty_size == 16
    kitty = Cards("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2C 3C 4C")
    row = score_deal(rules, [ALL - kitty, Cards(), Cards(), Cards()], (9, 0, 0, 0))
    assert (row.shooter, row.sun, row.points) == (0, True, (0, 26, 26, 26))


@pytest.mark.parametrize(
    ("rules", "scores", "expected"),
    [
        (Rules(), (5, 5, 5, 5), [(1, (0,), 5), (1, (1,), 5), (1, (2,), 5), (1, (3,), 5)]),
        (Rules(), (9, 3, 9, 1), [(1, (3,), 1), (2, (1,), 3), (3, (0,), 9), (3, (2,), 9)]),
        (Rules(teams=2), (1, 20, 30, 2), [(1, (1, 3), 22), (2, (0, 2), 31)]),
    ],
)
def test_standings(rules: Rules, scores: tuple[int, ...], expected: list[tuple[int, tuple[int, ...], int]]) -> None:
    assert standings(rules, scores) == tuple(Standing(*row) for row in expected)


def test_a_tie_of_team_mates_goes_by_the_dealer() -> None:
    rules = Rules(teams=2, moon_scope=MoonScope.TEAM, moon=Moon.SHOOTER_DOWN)
    queen = ALL - POINTS - Cards("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC") + Cards("QS")
    piles = [ALL - queen, Cards(), queen, Cards()]
    # The dealer's left is seat 1, 2, 3, 0: the first of seats 0 and 2 from there is 2, 2, 0, 0.
    shooters = [score_deal(rules, piles, (6, 0, 7, 0), deal_number=number).shooter for number in range(4)]
    assert shooters == [2, 2, 0, 0]
    later = attrs.evolve(rules, first_dealer=2)
    assert score_deal(later, piles, (6, 0, 7, 0), deal_number=0).shooter == 0


@pytest.mark.parametrize("number", range(4))
def test_a_finished_deal_has_one_row_or_one_for_each_choice(number: int) -> None:
    piles = [ALL - Cards("QS 2C 3C 4C"), Cards(), Cards("QS 2C 3C 4C"), Cards()]
    won, totals, exposed = (12, 0, 1, 0), (0, 0, 0, 0), (Cards(),) * 4
    choice = Rules(teams=2, moon_scope=MoonScope.TEAM, moon=Moon.CHOICE)
    shooter, rows = deal_outcome(choice._resolved, piles, won, totals, number, exposed)
    assert shooter == (2, 2, 0, 0)[number]
    effects = (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
    assert rows == [score_deal(choice, piles, won, effect=effect, deal_number=number) for effect in effects]
    assert [row.effect for row in rows] == [*effects]
    fixed = attrs.evolve(choice, moon=Moon.SHOOTER_DOWN)
    shooter, rows = deal_outcome(fixed._resolved, piles, won, totals, number, exposed)
    assert (shooter, rows) == (-1, [score_deal(fixed, piles, won, deal_number=number)])
    piles = [ALL - HEARTS, HEARTS, Cards(), Cards()]
    shooter, rows = deal_outcome(choice._resolved, piles, (12, 1, 0, 0), totals, number, exposed)
    assert (shooter, rows) == (-1, [score_deal(choice, piles, (12, 1, 0, 0), deal_number=number)])


# The doubler, the bonus card and the moon together: who has what, seat 0 first.
FAMILY = rules_of(
    "heart_values=1,2,3,4,5,6,7,8,9,10,11,12,13 queen_points=100 extra_penalties=KS:1000 bonuses=JD:40 doubler=TC:3:7"
)
LOW, HIGH = Cards("2H 3H 4H 5H 6H 7H 8H 9H"), Cards("TH JH QH KH AH")  # 36 and 55 points


def in_hand_arithmetic(
    cards: MoonCards,
    effect: Moon | None,
    high: int,
    queen: int,
    king: int,
    jack: int,
    ten: int,
    moon_points: int | None,
) -> list[int]:
    """The points of a deal in which seat 0 has the low hearts, by seat, for one who reads the rules aloud.

    The other arguments are the seats that have the high hearts, Q♠, K♠, J♦ and T♣.
    """
    points = [36, 0, 0, 0]
    points[high] += 55
    points[queen] += 100
    points[king] += 1000
    shot = high == 0
    value = 91
    if cards is not MoonCards.HEARTS:
        shot = shot and queen == 0
        value = 191
    if cards is MoonCards.ALL:
        shot = shot and king == 0
        value = 1191
    if moon_points is not None:
        value = moon_points
    if effect is not None and shot:
        points = [0, 0, 0, 0]
        if cards is not MoonCards.ALL:
            points[king] += 1000
        if cards is MoonCards.HEARTS and queen == 0:
            value += 100
        if cards is MoonCards.HEARTS and queen != 0:
            points[queen] += 100
        if effect is Moon.SHOOTER_DOWN:
            points[0] -= value
        else:
            points = [points[0], points[1] + value, points[2] + value, points[3] + value]
    points[jack] -= 40
    if ten in (0, high, queen, king, jack):
        points[ten] *= 3
    else:
        points[ten] -= 7
    return points


@pytest.mark.parametrize("moon_points", [None, 26])
@pytest.mark.parametrize(
    ("cards", "moon"), [(MoonCards.ALL, Moon.OFF), *product(list(MoonCards)[:3], (Moon.OTHERS_UP, Moon.SHOOTER_DOWN))]
)
def test_the_doubler_the_bonus_and_the_moon_together(cards: MoonCards, moon: Moon, moon_points: int | None) -> None:
    rules = attrs.evolve(FAMILY, moon=moon, moon_cards=cards, moon_points=moon_points)
    effect = None if moon is Moon.OFF else moon
    moons = 0
    for high, queen, king, jack, ten in product((0, 1), (0, 1), (0, 1, 2), range(4), range(4)):
        had = [LOW, Cards(), Cards(), Cards()]
        for seat, more in (
            (high, HIGH),
            *zip((queen, king, jack, ten), map(Cards, ("QS", "KS", "JD", "TC")), strict=True),
        ):
            had[seat] += more
        rest = list(rules.deck - sum(had, Cards()))
        won = (5, 3, 3, 2)
        for seat, count in enumerate(won):
            missing = 4 * count - len(had[seat])
            had[seat] += Cards(rest[:missing])
            del rest[:missing]
        row = score_deal(rules, had, won)
        case = (high, queen, king, jack, ten)
        assert list(row.points) == in_hand_arithmetic(cards, effect, high, queen, king, jack, ten, moon_points), case
        moons += row.shooter is not None
    assert (moons > 0) is (moon is not Moon.OFF)


@pytest.mark.parametrize(("scores", "items"), [((1, 2, 3, 4, 5), "5 items"), ((1,), "1 item"), ((), "0 items")])
def test_standings_want_a_total_for_each_seat(scores: tuple[int, ...], items: str) -> None:
    with pytest.raises(InvalidState) as caught:
        standings(Rules(), scores)
    (problem,) = caught.value.problems
    assert (problem.code, problem.fields) == ("wrong-count", ("scores",))
    assert problem.message == f"scores has {items} for 4 players: use one per seat"


@pytest.mark.parametrize(
    ("score_display", "total", "exposed"),
    [
        (ScoreDisplay.PENALTY, 26, 26),
        (ScoreDisplay.NEGATIVE, 26, -26),
        (ScoreDisplay.NEGATIVE, -10, 10),
        (ScoreDisplay.COUNTDOWN, 26, 74),
        (ScoreDisplay.COUNTDOWN, 104, -4),
    ],
)
def test_display_score(score_display: ScoreDisplay, total: int, exposed: int) -> None:
    assert display_score(Rules(score_display=score_display), total) == exposed


PLAYERS = Rules(teams=2, target_scope=TargetScope.PLAYER, tie=Tie.SHARED)
BELOW = Rules(bonus_target=50, moon=Moon.SHOOTER_DOWN)

# When the game ends: rules, totals, deals played, winners or None
ENDS = [
    (Rules(), (99, 0, 1, 2), 5, None),
    (Rules(), (100, 0, 1, 2), 5, (1,)),
    (Rules(), (0, 1, 100, 2), 5, (0,)),
    (Rules(), (100, 0, 0, 2), 5, None),
    (Rules(tie=Tie.SHARED), (100, 0, 0, 2), 5, (1, 2)),
    (Rules(max_deals=4, target=None), (1, 2, 3, 4), 3, None),
    (Rules(max_deals=4, target=None), (1, 2, 3, 4), 4, (0,)),
    (Rules(max_deals=4, target=None), (1, 1, 3, 4), 4, None),
    (Rules(max_deals=4, target=None), (1, 1, 3, 4), 5, None),
    (Rules(max_deals=4, target=None), (1, 0, 3, 4), 5, (1,)),
    (Rules(max_deals=4), (100, 0, 3, 4), 2, (1,)),
    (Rules(teams=2), (60, 0, 40, 99), 3, (1, 3)),
    (Rules(teams=2), (49, 0, 50, 99), 3, None),
    (Rules(teams=2, tie=Tie.SHARED), (60, 50, 40, 50), 3, (0, 1, 2, 3)),
    (PLAYERS, (60, 0, 40, 99), 3, None),
    (PLAYERS, (60, 0, 40, 100), 3, (0, 2, 1, 3)),
    (PLAYERS, (61, 0, 40, 100), 3, (1, 3)),
    (PLAYERS, (60, 1, 40, 100), 3, (0, 2)),
    (attrs.evolve(PLAYERS, tie=Tie.EXTRA_DEAL), (60, 0, 40, 100), 3, None),
    (attrs.evolve(PLAYERS, target_test=TargetTest.EXCEEDED), (60, 1, 40, 100), 3, None),
    (attrs.evolve(PLAYERS, target_test=TargetTest.EXCEEDED), (60, 1, 40, 101), 3, (0, 2)),
    (attrs.evolve(PLAYERS, target=None, max_deals=3), (200, 1, 40, 101), 2, None),
    (BELOW, (-49, 0, 1, 2), 3, None),
    (BELOW, (-50, 0, 1, 2), 3, (0,)),
    (BELOW, (0, 1, -50, 2), 3, (2,)),
    (BELOW, (-1, -50, -2, 0), 3, (1,)),
    (BELOW, (-50, -50, 1, 2), 3, None),
    (attrs.evolve(BELOW, tie=Tie.SHARED), (-50, -50, 1, 2), 3, (0, 1)),
    (attrs.evolve(BELOW, target=None, max_deals=9), (-50, 1, 1, 2), 3, (0,)),
    (attrs.evolve(BELOW, target=None, max_deals=9), (-49, 100, 1, 2), 3, None),
    (attrs.evolve(BELOW, target_test=TargetTest.EXCEEDED), (-50, 0, 1, 2), 3, None),
    (attrs.evolve(BELOW, target_test=TargetTest.EXCEEDED), (-51, 0, 1, 2), 3, (0,)),
    (attrs.evolve(BELOW, teams=2), (-60, 0, 11, 2), 3, None),
    (attrs.evolve(BELOW, teams=2), (-60, 0, 10, 2), 3, (0, 2)),
    (attrs.evolve(BELOW, teams=2, target_scope=TargetScope.PLAYER), (-60, 0, 90, 2), 3, (1, 3)),
]


@pytest.mark.parametrize(("rules", "totals", "deals", "winners"), ENDS)
def test_the_end(rules: Rules, totals: tuple[int, ...], deals: int, winners: tuple[int, ...] | None) -> None:
    won = game_winners(rules._resolved, totals, deals)
    assert won == (None if winners is None else tuple(sorted(winners)))
