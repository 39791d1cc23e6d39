"""Messages: how long they may be, whatever they are about, and what errors carry."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from heartsrules import (
    Card,
    Cards,
    IllegalMove,
    InvalidNotation,
    InvalidRules,
    InvalidState,
    InvalidWire,
    Problem,
    Rules,
    Suit,
    Violation,
    deal,
    new_game,
    why_illegal,
)
from heartsrules.base.errors import MAX_MESSAGE, MAX_PROBLEMS, in_words, joined, truncated
from heartsrules.play.violations import (
    AlreadyPassed,
    BadDeal,
    MustFollowSuit,
    NoSuchSeat,
    NotInHand,
    NotTheShooter,
    NotYourTurn,
    TooManyDeals,
    UnpassableCards,
    WrongNumberOfCards,
)

HUGE = 10**5000
LONG = "KS:1," * 40_000


def problems(count: int, message: str = "the kitty is wrong") -> tuple[Problem, ...]:
    return tuple([Problem("wrong", (f"/hands/{number}",), message=f"{message} ({number})") for number in range(count)])


@pytest.mark.parametrize("most", [0, 1, 10, 27, 28, 100, 1999, 2000])
@pytest.mark.parametrize("size", [0, 1, 27, 28, 29, 99, 100, 101, 2000, 200_000])
def test_a_text_is_cut(most: int, size: int) -> None:
    text = "x" * size
    shown = truncated(text, most)
    assert len(shown) <= most
    assert (shown == text) is (size <= most)
    if size > most > 40:
        kept, _, rest = shown.partition("... (")
        assert rest == f"{size - len(kept)} more characters)"


@pytest.mark.parametrize(
    "value",
    [HUGE, -HUGE, "x" * 10**6, "\0" * 10**6, (HUGE,) * 100, ((("x" * 10**4,) * 100,) * 100,) * 100, b"x" * 10**6],
    ids=range(7),
)
def test_no_value_is_shown_at_length(value: Any) -> None:
    assert len(in_words(value)) <= 500


@pytest.mark.parametrize("value", [0, 7, -(2**53), True, None, "2C", (1, 2), (1,), (), Card("QS"), 1.5])
def test_short_values_are_shown_as_they_are(value: Any) -> None:
    assert in_words(value) == repr(value)


@pytest.mark.parametrize("digits", [1, 19, 21, 100, 4300, 5000, 50_000])
def test_the_count_of_digits_is_about_right(digits: int) -> None:
    said = in_words(10 ** (digits - 1))
    if digits < 20:
        assert said == "1" + "0" * (digits - 1)
    else:
        assert abs(int(said.removeprefix("a number of about ").removesuffix(" digits")) - digits) <= 1


def test_five_cards_are_named() -> None:
    for cards, named in (
        (Cards("2C 3C 4C 5C 6C"), "2C 3C 4C 5C 6C"),
        (Cards("2C 3C 4C 5C 6C 7C"), "2C 3C 4C 5C 6C and 1 more"),
        (Rules().deck, "2C 3C 4C 5C 6C and 47 more"),
    ):
        assert str(NotInHand(cards)).startswith(f"{named} are not")


def test_messages_are_joined_as_far_as_there_is_room() -> None:
    assert joined(["one", "two"]) == "one; two"
    assert joined(["one", "two"], 1) == "one; two; and 1 further problem"
    assert joined(["x" * 1000, "y" * 999]) == "x" * 1000 + "; and 1 further problem"
    assert len(joined(["x" * 1000, "y" * 998])) == MAX_MESSAGE
    assert len(joined(["x" * 10**6] * 3)) <= MAX_MESSAGE
    assert joined(["x" * 10**6] * 3).endswith("; and 2 further problems")
    assert joined([]) == ""


@pytest.mark.untraced
@pytest.mark.parametrize("kind", [InvalidRules, InvalidState, InvalidWire])
@pytest.mark.parametrize(("count", "message"), [(1, "short"), (100, "short"), (101, "x"), (5000, "x"), (3, LONG)])
def test_an_error_with_problems_is_short(kind: type[Any], count: int, message: str) -> None:
    given = problems(count, message)
    error = kind(given)
    assert len(str(error)) <= MAX_MESSAGE
    assert all(len(str(problem)) <= MAX_MESSAGE for problem in error.problems)
    assert error.problems == given[:MAX_PROBLEMS]
    assert error.further == max(count - MAX_PROBLEMS, 0)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.problems, again.further) == (kind, str(error), error.problems, error.further)


def test_all_problems_are_told_where_there_is_room() -> None:
    assert str(InvalidState(problems(2, "bad"))) == "bad (0); bad (1)"
    assert str(InvalidWire(problems(2, "bad"))) == "/hands/0: bad (0); /hands/1: bad (1)"
    assert str(InvalidWire((Problem("malformed", ("",), message="no JSON"),))) == "the document: no JSON"


def test_a_place_in_a_document_is_cut_too() -> None:
    error = InvalidWire((Problem("unknown-key", ("/" + "k" * 10**6,), message="no such key"),))
    assert len(str(error)) <= 300
    assert str(error).endswith(": no such key")


@pytest.mark.parametrize("text", ["x" * 10**6, "\0" * 10**6, "\U000e0001" * 10**6, "\n" * 10**6])
@pytest.mark.parametrize("at", [0, 1, 500_000, 10**6])
def test_an_error_about_a_text_is_short(text: str, at: int) -> None:
    error = InvalidNotation(text, at, f"there is no {text!r}")
    assert len(str(error)) <= MAX_MESSAGE
    assert len(error.reason) <= MAX_MESSAGE
    assert f"position {at} of " in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    "violation",
    [
        NoSuchSeat(HUGE, HUGE),
        NotYourTurn(HUGE, -HUGE),
        AlreadyPassed(HUGE),
        NotTheShooter(HUGE, HUGE),
        TooManyDeals(HUGE),
        WrongNumberOfCards(None, HUGE, HUGE),
        WrongNumberOfCards(HUGE, HUGE, HUGE),
        NotInHand(Rules(decks=2, players=8).deck),
        UnpassableCards(Rules().deck),
        MustFollowSuit(Card("2C"), Suit.HEARTS, HUGE),
        BadDeal(problems(10**4)),
        BadDeal(problems(2, LONG)),
    ],
    ids=lambda violation: type(violation).__name__,
)
def test_a_violation_is_a_short_sentence(violation: Violation) -> None:
    assert 0 < len(str(violation)) <= MAX_MESSAGE
    error = IllegalMove((violation,) * 50, None)
    assert len(str(error)) <= MAX_MESSAGE
    assert len(error.violations) == 50


def test_cards_of_a_violation_are_named_up_to_five() -> None:
    assert str(NotInHand(Cards("2C"))) == "2C is not in the hand"
    assert str(NotInHand(Rules().deck)) == "2C 3C 4C 5C 6C and 47 more are not in the hand"
    assert str(UnpassableCards(Rules().deck)) == "2C 3C 4C 5C 6C and 47 more may not be passed under these rules"


def test_a_deal_of_nothing_is_refused_shortly() -> None:
    state = new_game(Rules())
    move = deal(state, seed=1)
    (violation,) = why_illegal(state, type(move)([Cards()] * 2000))
    assert len(str(violation)) <= MAX_MESSAGE


def test_rules_name_five_cards() -> None:
    removed = Rules().deck - Cards("2H 3H 4H")
    with pytest.raises(InvalidRules) as caught:
        Rules(players=3, removed=removed, unpassable=removed)
    assert "unpassable contains 2C 3C 4C 5C 6C and 44 more, but they are not in play" in str(caught.value)


@pytest.mark.parametrize(
    ("violation", "sentence"),
    [
        (WrongNumberOfCards(0, 2, 3), "the pass has 2 cards, but this deal passes 3"),
        (WrongNumberOfCards(0, 1, 3), "the pass has 1 card, but this deal passes 3"),
        (WrongNumberOfCards(1, 2, 1, 3), "the pass has 2 cards for recipient 2, but this deal passes 1"),
        (WrongNumberOfCards(None, 2, 3, 3), "the pass is for 2 players, but this deal passes to 3"),
        (NotInHand(Cards("QS QS"), Cards("QS")), "the hand has fewer copies of QS QS than you chose"),
        (NotInHand(Cards("QS"), Cards("QS")), "the hand has fewer copies of QS than you chose"),
    ],
)
def test_a_refusal_says_what_a_referee_would(violation: Violation, sentence: str) -> None:
    assert str(violation) == sentence
