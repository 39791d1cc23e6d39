"""Positions set up by hand: every position of a game can be, and nothing else can."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    GameOver,
    HeartsError,
    InvalidState,
    Phase,
    Play,
    Playing,
    Rules,
    State,
    Suit,
    Trick,
    apply,
    deal,
    legal_moves,
    new_game,
)
from heartsrules.base.values import replaced
from heartsrules.rules import HOLD, Kitty, OpeningCard, OpeningLeader, PassOptional, QueenBreaks, VoidLastTrick, scatter
from heartsrules.setup import Setup, check, set_up
from support.builds import wrong_type
from test_check import CASES, SAMPLES

KITTY = Rules(players=5, kitty=Kitty.FIRST_POINT, queen_breaks=QueenBreaks.LED)
TWO = Rules(
    players=6, decks=2, kitty=Kitty.FIRST_TRICK, two_pairs_void=True, opening_leader=OpeningLeader.DEALER_LEFT,
    opening_card=OpeningCard.NON_POINT, void_last_trick=VoidLastTrick.LEADER, queen_breaks=QueenBreaks.DISCARDED,
)  # fmt: skip
HEART = Rules(kitty=Kitty.FIRST_HEART, hand_size=11, queen_breaks=QueenBreaks.PLAYED)
LAST = Rules(players=3, kitty=Kitty.LAST_TRICK, pass_optional=PassOptional.SKIP)
SCATTER = Rules(pass_cycle=(scatter(players=4),))
ALL_RULES = [Rules(), Rules(teams=2), KITTY, TWO, HEART, LAST, SCATTER]


def positions(rules: Rules, seed: int, deals: int = 3) -> list[Playing]:
    """Every playing state of a match of some deals with random moves."""
    rng = random.Random(seed)
    state: State = new_game(rules)
    found: list[Playing] = []
    while not isinstance(state, GameOver):
        if isinstance(state, AwaitingDeal):
            if state.deal_number == deals:
                break
            state = apply(state, deal(state, rng=rng))
        else:
            if isinstance(state, Playing):
                found.append(state)
            moves = legal_moves(state)
            state = apply(state, moves[rng.randrange(len(moves))])
    return found


def with_history(state: Playing, **changes: Any) -> Playing:
    arguments: dict[str, Any] = {
        "hands": state.hands,
        "trick": state.trick,
        "tricks": state.tricks,
        "deal_number": state.deal_number,
        "score_sheet": state.score_sheet,
        "passes": state.passes,
        **changes,
    }
    return set_up(state.rules, **arguments)


def without_history(state: Playing, **changes: Any) -> Playing:
    arguments: dict[str, Any] = {
        "hands": state.hands,
        "leader": state.leader,
        "trick": [play.card for play in state.trick],
        "captured": state.captured,
        "tricks_won": state.tricks_won,
        "set_aside": state.set_aside,
        "kitty": state.kitty,
        "kitty_winner": state.kitty_winner,
        "hearts_broken": state.hearts_broken,
        "scores": state.scores,
        "deal_number": state.deal_number,
        **changes,
    }
    return set_up(state.rules, **arguments)


@pytest.mark.once_compiled
@pytest.mark.sampled(4)
@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("seed", range(3))
def test_every_position_of_a_game_can_be_set_up(rules: Rules, seed: int) -> None:
    for state in positions(rules, seed):
        again = with_history(state)
        assert again == state
        assert repr(again) == repr(state)
        assert with_history(state, leader=state.leader, captured=state.captured, tricks_won=state.tricks_won,
                            set_aside=state.set_aside, kitty=state.kitty, kitty_winner=state.kitty_winner,
                            hearts_broken=state.hearts_broken, scores=state.scores) == state  # fmt: skip
        bare = without_history(state)
        assert bare.tricks == ()
        names = ("hands", "turn", "leader", "trick", "captured", "tricks_won", "trick_number", "set_aside", "kitty",
                 "kitty_winner", "hearts_broken", "scores", "deal_number", "dealer")  # fmt: skip
        for name in names:
            assert getattr(bare, name) == getattr(state, name), name
        assert legal_moves(bare) == legal_moves(state)


@pytest.mark.parametrize("rules", [Rules(), KITTY, HEART])
def test_what_follows_from_the_cards_may_be_left_out(rules: Rules) -> None:
    for state in positions(rules, 11):
        changes: dict[str, Any] = {"tricks_won": None, "set_aside": None}
        if state.kitty_winner is None:
            changes["kitty"] = None
        if rules.queen_breaks is not QueenBreaks.LED:
            changes["hearts_broken"] = None
        again = without_history(state, **changes)
        assert again.tricks_won == state.tricks_won
        assert again.hearts_broken == state.hearts_broken
        assert again.kitty == state.kitty


def middle(rules: Rules = KITTY, seed: int = 5) -> Playing:
    """A position with a kitty taken, some tricks done, two plays in the trick."""
    for state in positions(rules, seed, 1):
        if (
            state.trick_number >= 4
            and len(state.trick) == 2
            and (state.kitty_winner is not None or not rules.kitty_size)
        ):
            return state
    raise AssertionError("no such position")


def problems_of(call: Any, state: Playing, **changes: Any) -> list[str]:
    with pytest.raises(InvalidState) as caught:
        call(state, **changes)
    assert isinstance(caught.value, HeartsError)
    assert isinstance(caught.value, ValueError)
    assert all(problem.message in str(caught.value) for problem in caught.value.problems)
    return [problem.code for problem in caught.value.problems]


STATE = middle()


@pytest.mark.parametrize("call", [with_history, without_history])
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"leader": 5}, "no-such-seat"),
        ({"leader": 99, "kitty_winner": 99, "hands": ()}, "wrong-count no-such-seat no-such-seat"),
        ({"trick": [Play(9, Card("2C"))], "leader": 0}, "wrong-leader"),
        ({"trick": [Play(0, Card("2C")), Play(2, Card("3C"))], "leader": 0}, "wrong-order"),
        ({"trick": list(Cards("2C 3C 4C 5C 6C")), "leader": 0}, "complete-trick"),
        ({"trick": STATE.trick, "leader": (STATE.leader + 1) % 5}, "wrong-leader"),
        ({"scores": (1, 0, 0, 0, 0)}, "contradiction"),
        ({"deal_number": 1, "scores": (100, 0, 1, 2, 3)}, "game-is-over"),
    ],
)
def test_what_is_wrong_in_either_way(call: Any, changes: dict[str, Any], expected: str) -> None:
    assert problems_of(call, STATE, **changes) == expected.split()


# ----------------------------------------------------------------------------------------------- set_up and check

NAMES = (
    "hands", "trick", "tricks", "leader", "captured", "tricks_won", "set_aside", "kitty", "kitty_winner",
    "hearts_broken", "scores", "deal_number", "score_sheet", "queen_taker", "passes", "dealt_back", "exposed",
)  # fmt: skip
"""The arguments of `set_up` that are fields of a setup."""


def as_arguments(setup: Setup) -> tuple[Setup, dict[str, Any]] | None:
    """A setup without what `set_up` is not told, and the arguments that say the same; None if there are none."""
    middle = setup.resumed_from
    arguments = {name: getattr(setup, name) for name in NAMES}
    claims: dict[str, Any] = {"turn": None, "trick_number": None, "has_full_history": None}
    known = setup.first or setup.start or setup.effect or setup.exposures or None in setup.passes
    if setup.phase is not Phase.PLAY or known:
        return None
    if middle is None:
        leader = None if setup.trick else setup.leader
        return attrs.evolve(setup, leader=leader, **claims), arguments | {"leader": leader}
    led = setup.trick and setup.trick[0].seat != middle.leader
    if setup.tricks or setup.captured or setup.leader is not None or led or not any(middle.captured):
        return None
    broken = setup.hearts_broken if middle.hearts_broken is None else middle.hearts_broken
    piles = ("leader", "captured", "tricks_won", "set_aside", "kitty_winner", "suits_led")
    arguments |= {"tricks": None, "hearts_broken": broken, **{name: getattr(middle, name) for name in piles}}
    resumed = replaced(middle, hearts_broken=None)
    return attrs.evolve(setup, resumed_from=resumed, hearts_broken=broken, **claims), arguments


def outcome(call: Callable[[], State]) -> State | list[tuple[str, tuple[str, ...]]]:
    try:
        return call()
    except InvalidState as error:
        return [(problem.code, problem.fields) for problem in error.problems]


def test_a_position_is_set_up_or_refused_as_the_same_setup_is() -> None:
    """For the cases of `check`, and for what they start from."""
    compared = set_ups = 0
    for setup in [case[0] for case in CASES] + list(SAMPLES):
        pair = as_arguments(setup)
        if pair is not None:
            expected = outcome(lambda pair=pair: check(pair[0]))  # type: ignore[misc]
            assert outcome(lambda pair=pair: set_up(pair[0].rules, **pair[1])) == expected  # type: ignore[misc]
            compared += 1
            set_ups += isinstance(expected, Playing)
    assert compared > 90
    assert set_ups > 4


def test_hands_that_are_too_small() -> None:
    short = {"trick": (), "leader": STATE.leader}
    played = [f"hands[{play.seat}]" for play in sorted(STATE.trick, key=lambda play: play.seat)]
    with pytest.raises(InvalidState) as caught:
        with_history(STATE, **short)
    assert [problem.fields[0] for problem in caught.value.problems] == [*played, "kitty"]
    assert problems_of(without_history, STATE, **short) == ["wrong-hand-size"]


def test_the_fields_are_places_in_the_setup() -> None:
    with pytest.raises(InvalidState) as caught:
        without_history(STATE, leader=99, kitty_winner=98, captured=STATE.captured[:2])
    assert [problem.fields for problem in caught.value.problems] == [
        ("resumed_from.captured",), ("resumed_from.leader",), ("resumed_from.kitty_winner",),
    ]  # fmt: skip
    with pytest.raises(InvalidState) as caught:
        without_history(STATE, captured=None, leader=None)
    (problem,) = caught.value.problems
    assert (problem.code, problem.fields) == ("no-history", ("captured", "leader"))
    assert "add captured and leader, or `tricks`" in str(caught.value)


@pytest.mark.parametrize("number", [0, -1])
@pytest.mark.parametrize("count", [0, 1, 4, 6, 10])
def test_a_completed_trick_has_a_play_for_each_seat(number: int, count: int) -> None:
    tricks = list(STATE.tricks)
    right = tricks[number]
    tricks[number] = Trick(right.leader, (right.plays * 2)[:count], right.winner)
    with pytest.raises(InvalidState) as caught:
        with_history(STATE, tricks=tricks)
    (problem,) = [problem for problem in caught.value.problems if problem.code == "wrong-count"]
    assert problem.fields == (f"tricks[{number % len(tricks)}].plays",)
    assert problem.message == f"a completed trick has 5 plays, not {count}"


def test_suits_that_no_trick_was_led_in_contradict_the_history() -> None:
    led = {trick.plays[0].card.suit for trick in STATE.tricks}
    for told in itertools.chain(*[itertools.combinations(Suit, count) for count in range(1, 5)]):
        if set(told) == led:
            assert with_history(STATE, suits_led=told) == STATE
        else:
            assert problems_of(with_history, STATE, suits_led=told) == ["contradiction"]
    dealt = set_up(Rules(), hands=[Cards(list(Rules().deck)[seat::4]) for seat in range(4)])
    assert problems_of(with_history, dealt, tricks=None, suits_led=[Suit.HEARTS]) == ["contradiction"]


def test_a_position_without_history_needs_its_piles() -> None:
    assert problems_of(without_history, STATE, captured=None) == ["no-history"]
    assert problems_of(without_history, STATE, leader=None, trick=STATE.trick) == ["no-history"]


def test_broken_hearts_must_show() -> None:
    exposed = next(state for state in positions(Rules(), 1) if state.hearts_broken and state.trick_number > 3)
    assert problems_of(without_history, exposed, hearts_broken=False) == ["contradiction"]
    hidden = next(state for state in positions(Rules(), 1) if not state.hearts_broken and state.trick_number > 0)
    assert problems_of(without_history, hidden, hearts_broken=True) == ["contradiction"]


def test_the_queen_may_have_broken_hearts() -> None:
    hands = [Cards("3D"), Cards("2H"), Cards("3H"), Cards("4H")]
    gone = Rules().deck - Cards("3D 2H 3H 4H")
    hearts = gone & Cards("5H 6H 7H 8H 9H TH JH QH KH AH")
    for breaks, expected in ((QueenBreaks.LED, True), (QueenBreaks.NEVER, False)):
        rules = Rules(removed=hearts + Cards("2D 4D"), queen_breaks=breaks)
        piles = [rules.deck - Cards("3D 2H 3H 4H"), Cards(), Cards(), Cards()]
        if expected:
            state = set_up(rules, hands=hands, leader=0, captured=piles, hearts_broken=True)
            assert state.hearts_broken
        else:
            with pytest.raises(InvalidState, match="hearts_broken"):
                set_up(rules, hands=hands, leader=0, captured=piles, hearts_broken=True)
        assert not set_up(rules, hands=hands, leader=0, captured=piles).hearts_broken


def test_before_the_first_trick_nothing_else_is_needed() -> None:
    state = apply(new_game(Rules(pass_cycle=(HOLD,))), deal(new_game(Rules(pass_cycle=(HOLD,))), seed=1))
    assert isinstance(state, Playing)
    assert set_up(state.rules, hands=state.hands) == state
    with pytest.raises(InvalidState, match="leader"):
        set_up(state.rules, hands=state.hands, leader=(state.leader + 1) % 4)


def test_who_captured_the_queen_in_the_deal_before_leads() -> None:
    rules = Rules(pass_cycle=(HOLD,), opening_leader=OpeningLeader.QUEEN_TAKER, opening_card=OpeningCard.ANY)
    hands = deal(new_game(rules), seed=1).hands
    (holder,) = [seat for seat, hand in enumerate(hands) if Card("2S") in hand]
    assert set_up(rules, hands=hands, deal_number=2).turn == holder
    for seat in range(4):
        state = set_up(rules, hands=hands, deal_number=2, queen_taker=seat)
        assert (state.turn, state.score_sheet.queen_taker) == (seat, seat)
        with pytest.raises(InvalidState, match="leader"):
            set_up(rules, hands=hands, deal_number=2, queen_taker=seat, leader=(seat + 1) % 4)
    for wrong, code in (
        ({"queen_taker": 4, "deal_number": 2}, "no-such-seat"),
        ({"queen_taker": -1, "deal_number": 2}, "no-such-seat"),
        ({"queen_taker": 1}, "wrong-queen-taker"),
    ):
        with pytest.raises(InvalidState) as caught:
            set_up(rules, hands=hands, **wrong)  # type: ignore[arg-type]
        assert [(problem.code, problem.fields[0]) for problem in caught.value.problems] == [(code, "queen_taker")]


WRONG_TYPES: list[tuple[str, Any]] = [
    ("hands", "2C"), ("hands", [2]), ("hands", 3), ("leader", "0"), ("leader", True),
    ("trick", Cards("2C")), ("trick", [3]), ("trick", 3), ("tricks", [Card("2C")]), ("tricks", 3), ("captured", 3),
    ("captured", "2C"), ("tricks_won", [True]), ("tricks_won", "1111"), ("set_aside", 3), ("kitty", ["2C", 3]),
    ("kitty_winner", 1.0), ("queen_taker", "2"), ("queen_taker", True),
    ("hearts_broken", 1), ("scores", [0.5]), ("deal_number", None), ("score_sheet", [1]),
    ("passes", [None]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WRONG_TYPES)
def test_wrong_types_are_named(name: str, value: Any) -> None:
    with wrong_type(name):
        with_history(STATE, **{name: value})
    with wrong_type("rules"):
        set_up("rules", hands=STATE.hands)  # type: ignore[arg-type]
