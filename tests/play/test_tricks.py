"""Tricks: who leads to the first one, who wins one, what comes with it, and which plays are not a trick."""

from __future__ import annotations

import pytest

from heartsrules import Card, Cards, InvalidState, Play, Rules
from heartsrules.play.stateless import trick_winner, winning_seat
from heartsrules.play.tricks import (
    complete_trick,
    masks_of,
    opening_leader,
    seats_before,
    takes_kitty,
    trick_outcome,
    trick_problems,
    winning_position,
)
from heartsrules.rules import Duplicates, Kitty, OpeningCard, OpeningLeader, VoidLastTrick

SIX = {"players": 6, "decks": 2, "hand_size": 17, "kitty": Kitty.LAST_TRICK}


def two_decks(**options: object) -> Rules:
    return Rules(**(SIX | options))  # type: ignore[arg-type]


def trick(cards: str, leader: int = 0, players: int = 4) -> tuple[Play, ...]:
    return tuple([Play((leader + place) % players, Card(text)) for place, text in enumerate(cards.split())])


@pytest.mark.parametrize("dealer", range(6))
@pytest.mark.parametrize("holders", [(0, 3), (1, 2), (5, 4), (2, 5), (4, 0)])
def test_of_two_lowest_clubs_the_one_nearer_to_the_dealers_left_leads(dealer: int, holders: tuple[int, int]) -> None:
    hands = tuple([Cards("3C 2C" if seat in holders else "4C 2D") for seat in range(6)])
    order = [(dealer + 1 + place) % 6 for place in range(6)]
    leader = opening_leader(two_decks()._resolved, dealer, hands, None)
    assert leader == min(holders, key=order.index)
    assert seats_before(two_decks(), dealer, leader) == order[: order.index(leader)]


def test_a_lower_club_is_worth_more_than_a_nearer_seat() -> None:
    hands = (Cards("2C"), Cards("3C"), Cards("4D"), Cards("AC"))
    assert [opening_leader(Rules()._resolved, dealer, hands, 3) for dealer in range(4)] == [0, 0, 0, 0]


@pytest.mark.parametrize("taker", [0, 1, 2, 3])
def test_who_took_the_queen_leads_and_without_one_the_lowest_spade(taker: int) -> None:
    rules = Rules(opening_leader=OpeningLeader.QUEEN_TAKER, opening_card=OpeningCard.ANY)
    hands = (Cards("2C 9S"), Cards("4S 2D"), Cards("2H AS"), Cards("QS 3C"))
    assert opening_leader(rules._resolved, 2, hands, taker) == taker
    assert opening_leader(rules._resolved, 2, hands, None) == 1
    left = Rules(opening_leader=OpeningLeader.DEALER_LEFT)
    assert opening_leader(left._resolved, 3, hands, taker) == 0


@pytest.mark.parametrize(
    ("kitty", "marks"),
    [
        (Kitty.NONE, ""),
        (Kitty.FIRST_TRICK, ""),
        (Kitty.FIRST_POINT, "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"),
        (Kitty.FIRST_HEART, "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"),
        (Kitty.LAST_TRICK, ""),
    ],
)
def test_which_cards_bring_the_kitty(kitty: Kitty, marks: str) -> None:
    size = 13 if kitty is Kitty.NONE else 12
    tables = Rules(kitty=kitty, hand_size=size)._resolved
    assert tables.kitty_marks == Cards(marks).lo
    for cards in ("2C 3C 4C 5C", "2C QS 4C 5C", "2C 3C 4C AH"):
        lo = Cards(cards).lo
        brings = {Kitty.NONE: False, Kitty.FIRST_TRICK: True}.get(kitty, bool(lo & Cards(marks).lo))
        assert takes_kitty(tables, lo, False) is brings
        assert takes_kitty(tables, lo, True) is (brings or kitty is Kitty.LAST_TRICK)


def outcome(rules: Rules, cards: str, last: bool) -> int:
    plays = trick(cards, 2, 6)
    _, hi = masks_of(plays)
    return trick_outcome(rules._resolved, plays, hi, last)


@pytest.mark.parametrize(
    ("options", "cards", "winner"),
    [
        ({}, "JC JC TC TC 9C 9C", -1),
        ({}, "JC TC JC TC 9C 8C", 4),
        ({}, "2C 2C 3C 4C 5C 6D", 4),
        ({}, "2C 3C 3C 4D 5H AS", 0),
        ({"two_pairs_void": True}, "2C 2C 3C 4C 5C 6D", 4),
        ({"two_pairs_void": True}, "2C 2C 3C 3C 5C 6D", -1),
        ({"two_pairs_void": True}, "2C 3C 2C 4C AH AH", -1),
        ({"two_pairs_void": True}, "3C AH 3C 4C AH 5C", -1),
        ({"two_pairs_void": True}, "4C AH 3C 5C AH 6D", 3),
        ({"duplicates": Duplicates.FIRST_WINS}, "5C AC AC 8D KS 9D", 1),
        ({"duplicates": Duplicates.LAST_WINS}, "5C AC AC 8D KS 9D", 2),
        ({"duplicates": Duplicates.LAST_WINS}, "5C 4C 4C AD AD 9D", 0),
    ],
)
def test_the_place_that_wins(options: dict[str, object], cards: str, winner: int) -> None:
    rules = two_decks(**options)
    plays = trick(cards, 2, 6)
    _, hi = masks_of(plays)
    assert winning_position(rules._resolved, plays, hi) == winner
    assert outcome(rules, cards, False) == winner
    assert outcome(rules, cards, True) == winner


@pytest.mark.parametrize("cards", ["JC JC TC TC 9C 9C", "3D 3D AH AH AS AS"])
def test_a_void_last_trick_goes_to_its_leader_where_the_rules_say_so(cards: str) -> None:
    rules = two_decks(void_last_trick=VoidLastTrick.LEADER)
    assert outcome(rules, cards, False) == -1
    assert outcome(rules, cards, True) == 0
    assert outcome(rules, "TC JC 2C 3C 4C 5C", True) == 1


def test_a_completed_trick_brings_what_was_set_aside_and_the_kitty() -> None:
    tables = two_decks()._resolved
    plays = trick("JC TC 2C 3C 4C 5C", 2, 6)
    lo, hi = masks_of(plays)
    aside = Cards("AH AH JC 2D 2D 9S")
    both = Cards("JC TC 2C 3C 4C 5C") + aside
    won = complete_trick(tables, plays, lo, hi, aside.lo, aside.hi, True, True)
    assert won == (0, both.lo, both.hi, True)
    assert complete_trick(tables, plays, lo, hi, aside.lo, aside.hi, False, True) == (0, both.lo, both.hi, False)
    assert complete_trick(tables, plays, lo, hi, 0, 0, True, False) == (0, lo, hi, False)


def test_a_void_trick_is_set_aside_with_what_was_unless_its_leader_takes_it() -> None:
    plays = trick("JC JC TC TC 9C 9C", 2, 6)
    lo, hi = masks_of(plays)
    aside = Cards("AH AH")
    both = Cards("JC JC TC TC 9C 9C") + aside
    tables = two_decks()._resolved
    assert complete_trick(tables, plays, lo, hi, aside.lo, aside.hi, True, True) == (-1, both.lo, both.hi, False)
    tables = two_decks(void_last_trick=VoidLastTrick.LEADER)._resolved
    assert complete_trick(tables, plays, lo, hi, aside.lo, aside.hi, True, True) == (0, both.lo, both.hi, True)
    assert complete_trick(tables, plays, lo, hi, aside.lo, aside.hi, True, False) == (-1, both.lo, both.hi, False)


def incomplete(count: int) -> list[tuple[str, tuple[str, ...], str]]:
    return [("incomplete-trick", ("plays",), f"a completed trick has 4 plays, not {count}: use one per seat")]


@pytest.mark.parametrize(
    ("rules", "plays", "expected"),
    [
        (Rules(), trick("2C 3C 4C"), incomplete(3)),
        (Rules(), (), incomplete(0)),
        (
            Rules(),
            (Play(0, Card("2C")), Play(1, Card("3C")), Play(2, Card("4C")), Play(4, Card("5C"))),
            [("no-such-seat", ("plays",), "plays[3] is a play of seat 4, but the seats are 0 to 3")],
        ),
        (
            Rules(),
            (Play(-1, Card("2C")), Play(0, Card("3C")), Play(1, Card("4C")), Play(2, Card("5C"))),
            [("no-such-seat", ("plays",), "plays[0] is a play of seat -1, but the seats are 0 to 3")],
        ),
        (
            Rules(),
            (Play(1, Card("2C")), Play(2, Card("3C")), Play(0, Card("4C")), Play(1, Card("5C"))),
            [
                ("wrong-order", ("plays",), "plays[2] is a play of seat 0, but seats play clockwise, one card each"),
                ("wrong-order", ("plays",), "plays[3] is a play of seat 1, but seats play clockwise, one card each"),
            ],
        ),
        (
            Rules(),
            trick("2C 3C 2C 3C"),
            [
                ("too-many-copies", ("plays",), "plays contains 2C twice, but one copy is in play"),
                ("too-many-copies", ("plays",), "plays contains 3C twice, but one copy is in play"),
            ],
        ),
        (
            Rules(players=3, removed="2D"),
            trick("2C 3C 2D 2D"),
            [
                ("incomplete-trick", ("plays",), "a completed trick has 3 plays, not 4: use one per seat"),
                ("no-such-seat", ("plays",), "plays[3] is a play of seat 3, but the seats are 0 to 2"),
                (
                    "foreign-cards",
                    ("plays",),
                    "plays contains 2D, but it is removed under these rules",
                ),
            ],
        ),
    ],
)  # fmt: skip
def test_what_is_not_a_trick(
    rules: Rules, plays: tuple[Play, ...], expected: list[tuple[str, tuple[str, ...], str]]
) -> None:
    with pytest.raises(InvalidState) as caught:
        trick_winner(rules, plays)
    assert [(each.code, each.fields, each.message) for each in caught.value.problems] == expected


def test_the_plays_of_a_trick_are_called_what_the_caller_calls_them() -> None:
    (problem,) = trick_problems(Rules(), trick("2C 2C"), "trick")
    assert (problem.fields, problem.message) == (("trick",), "trick contains 2C twice, but one copy is in play")
    (problem,) = trick_problems(two_decks(), trick("2C 2C 2C", 0, 6), "trick")
    assert problem.message == "trick contains 2C 3 times, but 2 copies are in play"
    assert trick_problems(two_decks(), trick("2C 2C 3C", 4, 6)) == []


# ------------------------------------------------------------------------------------------------- unfinished tricks


@pytest.mark.parametrize(
    ("rules", "cards", "winning"),
    [
        (Rules(), "6S 5S TC 9S", [2, 2, 2, 1]),
        (Rules(), "6S AH KS 7S", [2, 2, 0, 0]),
        (two_decks(), "KC 9C KC 9C 8C AD", [2, 2, 3, None, 0, 0]),
        (two_decks(), "KC KC QC QC JC AC", [2, None, 4, None, 0, 1]),
        (two_decks(two_pairs_void=True), "KC 9C KC 9C 8C AC", [2, 2, 3, None, None, None]),
        (two_decks(duplicates=Duplicates.FIRST_WINS), "5C AC AC 8D KS 9D", [2, 3, 3, 3, 3, 3]),
        (two_decks(duplicates=Duplicates.LAST_WINS), "5C AC AC 8D KS 9D", [2, 3, 4, 4, 4, 4]),
    ],
)
def test_who_is_winning_after_each_play(rules: Rules, cards: str, winning: list[int | None]) -> None:
    plays = trick(cards, 2, rules.players)
    assert [winning_seat(rules, plays[:count]) for count in range(1, len(plays) + 1)] == winning
    assert winning_seat(rules, iter(plays)) == trick_winner(rules, plays)


def test_nobody_is_winning_a_trick_that_nobody_has_played_to() -> None:
    assert winning_seat(Rules(), ()) is None


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        (trick("2C 3C 4C 5C 6C"), [("too-many-plays", "a trick has at most 4 plays, not 5")]),
        (trick("2C 2C"), [("too-many-copies", "plays contains 2C twice, but one copy is in play")]),
        (
            (Play(1, Card("2C")), Play(3, Card("3C")), Play(4, Card("4C"))),
            [
                ("wrong-order", "plays[1] is a play of seat 3, but seats play clockwise, one card each"),
                ("no-such-seat", "plays[2] is a play of seat 4, but the seats are 0 to 3"),
            ],
        ),
    ],
)
def test_what_is_no_beginning_of_a_trick(plays: tuple[Play, ...], expected: list[tuple[str, str]]) -> None:
    with pytest.raises(InvalidState) as caught:
        winning_seat(Rules(), plays)
    assert [(each.code, each.message) for each in caught.value.problems] == expected
    assert {each.fields for each in caught.value.problems} == {("plays",)}
