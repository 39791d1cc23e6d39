"""Faces and bags of faces, against plain lists."""

from __future__ import annotations

import copy
import pickle
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise, product
from operator import add, and_, iadd, iand, isub, le, or_, sub
from random import Random
from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

from heartsrules import Card, Cards, HeartsError, InvalidNotation, Rank, Suit, TooManyCopies
from heartsrules.cards import ALL_FACES, FULL, NO_CARDS, SUIT_MASKS, cards_of
from heartsrules.cards import bag_of as bag_of_masks
from support.builds import wrong_type

TEXTS = [f"{rank}{suit}" for suit in "CDSH" for rank in "23456789TJQKA"]


def bag_of(counts: Counter[Card]) -> Cards:
    return Cards(card for card, count in counts.items() for _ in range(count))


bags = st.dictionaries(st.sampled_from(ALL_FACES), st.integers(1, 2), max_size=20).map(Counter)


def test_the_52_cards_in_card_order() -> None:
    assert [str(card) for card in ALL_FACES] == TEXTS
    assert [card.index for card in ALL_FACES] == list(range(52))
    assert [card.bit for card in ALL_FACES] == [2**index for index in range(52)]
    assert all(one < other for one, other in pairwise(ALL_FACES))
    assert sum(card.bit for card in ALL_FACES) == FULL == sum(SUIT_MASKS)


@pytest.mark.parametrize("text", TEXTS)
def test_there_is_one_object_of_each_card(text: str) -> None:
    card = Card(text)
    assert Card(text.lower()) is card
    assert Card(text[0] + card.suit.symbol) is card
    assert Card(text[::-1]) is Card(text[::-1].lower()) is Card(card.suit.symbol + text[0]) is card
    assert Card.from_index(card.index) is card
    assert Card.of(card.rank, card.suit) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.copy(card) is card
    assert copy.deepcopy(card) is card
    assert eval(repr(card)) is card
    assert hash(card) == hash(Card(text))
    assert card.bit & SUIT_MASKS[card.suit]


def test_the_symbols_of_suits_may_be_outlined_and_have_a_selector_behind_them() -> None:
    for suit, outlined in zip(Suit, "♧♢♤♡", strict=True):
        for symbol in (suit.symbol, outlined):
            for text in (f"Q{symbol}", f"{symbol}Q", f"Q{symbol}\ufe0f", f"{symbol}\ufe0eq"):
                assert Card(text) is Card.of(Rank.QUEEN, suit)


def test_ten_may_be_spelled_out() -> None:
    spellings = ("TH", "th", "10H", "10h", "T♥", "10♥", "tH", "HT", "ht", "H10", "h10", "♥T", "♥10")
    assert {Card(text) for text in spellings} == {Card("TH")}
    assert Cards(" ".join(spellings[5:7])) == Cards("♥10 H10") == Cards("TH TH")


@pytest.mark.parametrize("index", [-1, 52, 2**64, -(2**63), -(2**70)])
def test_no_card_stands_at_other_places(index: int) -> None:
    with pytest.raises(ValueError, match=r"index is .*: give the place of a card"):
        Card.from_index(index)
    with pytest.raises(ValueError, match="index is a number of about 5001 digits"):
        Card.from_index(10**5000)


WRONG = [
    ("", 0), ("Q", 1), ("S", 1), ("QSS", 2), ("1S", 0), ("11S", 0), ("10", 2), ("100H", 2), (" QS", 0), ("QS ", 2),
    ("Q S", 1), ("ZS", 0), ("QX", 1), ("Q\ufe0f", 1), ("QS\ufe0f", 2), ("Q♠\ufe0f\ufe0f", 3),
    ("2ſ", 1), ("SQS", 2), ("SS", 1), ("♠", 1), ("S1", 1),
    ("S10H", 3), ("S 10", 1), ("0H", 0), ("٣S", 0), ("QS\n", 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position"), WRONG)
def test_what_is_no_card(text: str, position: int) -> None:
    with pytest.raises(InvalidNotation) as caught:
        Card(text)
    error = caught.value
    assert (error.text, error.position) == (text, position)
    assert repr(text) in str(error)
    assert error.code == "invalid-notation"
    assert isinstance(error, HeartsError)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.text, again.position, str(again)) == (text, position, str(error))


@pytest.mark.parametrize(
    ("text", "position"), [("QS KX", 4), ("QS  1S", 4), ("QS,KS", 2), ("2H 2H 2H", 6), ("2h\t10h 2H 2♥", 10)]
)
def test_what_is_no_bag(text: str, position: int) -> None:
    with pytest.raises(InvalidNotation) as caught:
        Cards(text)
    assert caught.value.position == position


@pytest.mark.parametrize("value", [3, None, [3], (Card("QS"), None), b"QS"])
def test_a_bag_of_wrong_types(value: Any) -> None:
    with wrong_type("cards"):
        Cards(value)


def test_a_third_copy_is_refused() -> None:
    calls: list[Callable[[], Cards]] = [
        lambda: Cards([Card("2H")] * 3),
        lambda: Cards(["2H"] * 3),
        lambda: Cards("2H 2H 3H") + Cards("2H"),
        lambda: Cards("2H 3H") + Cards("2H 2H 3H 3H"),
    ]
    for call in calls:
        with pytest.raises(TooManyCopies, match="2H occurs three times") as caught:
            call()
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, HeartsError)
        assert (caught.value.card, caught.value.code) == ("2H", "too-many-copies")
        again = pickle.loads(pickle.dumps(caught.value))
        assert (type(again), str(again), again.card) == (TooManyCopies, str(caught.value), "2H")


def test_a_bag_is_made_of_cards_alone() -> None:
    wrong: Any
    for wrong in [((), 0, 3), ((), 1), ((), 1, 0), ("2C", 0), ([], 3, 1), (None, 1, 0)]:
        with pytest.raises(TypeError, match="cards is all that Cards takes"):
            Cards(*wrong)
    for name in ("lo", "hi"):
        with pytest.raises(TypeError, match="cards is all that Cards takes"):
            Cards((), **{name: 3})


@given(bags)
def test_a_bag_of_masks(counts: Counter[Card]) -> None:
    bag = bag_of(counts)
    made = bag_of_masks(bag.lo, bag.hi)
    assert (made, hash(made), list(made)) == (bag, hash(bag), list(bag))
    for name in ("lo", "hi", "other"):
        with pytest.raises(AttributeError):
            setattr(made, name, 1)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Card.of(12, Suit.SPADES), "rank"),  # type: ignore[arg-type]
        (lambda: Card.of(Rank.QUEEN, 2), "suit"),  # type: ignore[arg-type]
        (lambda: NO_CARDS.count("QS"), "card"),  # type: ignore[arg-type]
        (lambda: NO_CARDS.of_suit(2), "suit"),  # type: ignore[arg-type]
        (lambda: NO_CARDS <= 1, "not supported"),
        (lambda: NO_CARDS >= 1, "not supported"),
        (lambda: Card("QS") < "KS", "not supported"),
        (lambda: Card("QS") <= "KS", "not supported"),
        (lambda: Card("QS") > "KS", "not supported"),
        (lambda: Card("QS") >= "KS", "not supported"),
    ],
)
def test_wrong_types_are_named(call: Any, name: str) -> None:
    with wrong_type(name):
        call()


class Sums:
    """Another class, with reflected operators."""

    def __radd__(self, other: object) -> str:
        return f"{other} + sums"

    __rsub__ = __rand__ = __ror__ = __ge__ = __radd__


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "&": and_}
OPERATORS_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {"+": iadd, "-": isub, "&": iand}


@pytest.mark.parametrize("sign", OPERATORS)
def test_operators_refuse_a_card_with_advice_and_leave_other_types_to_them(sign: str) -> None:
    bag, card, apply_to = Cards("QS KS"), Card("KS"), OPERATORS[sign]
    for other in (1, None, "KS", 2.5, Rank.KING):
        with pytest.raises(
            TypeError, match=rf"^unsupported operand type\(s\) for \{sign}: 'Cards' and '{type(other).__name__}'$"
        ):
            apply_to(bag, other)
        with pytest.raises(TypeError, match=r"unsupported operand|can only concatenate str"):
            apply_to(other, bag)
        assert getattr(bag, f"__{apply_to.__name__.strip('_')}__")(other) is NotImplemented
    for cards in ([card], (card,), {card}):
        for operands in ((bag, cards), (cards, bag)):
            with pytest.raises(TypeError, match=r"^unsupported operand type|^can only concatenate (list|tuple) "):
                apply_to(*operands)
    for left, right in ((card, bag), (card, 1), (1, card)):
        with pytest.raises(TypeError, match=r"^unsupported operand type"):
            apply_to(left, right)
    words = f"unsupported operand type(s) for {sign}: 'Cards' and 'Card': write hand {sign} Cards([card])"
    for change in (apply_to, OPERATORS_IN_PLACE[sign]):
        with pytest.raises(TypeError, match=f"^{re.escape(words)}$"):
            change(bag, card)
        assert change(bag, Sums()) == "QS KS + sums"
    assert or_(bag, Sums()) == le(bag, Sums()) == "QS KS + sums"


def test_a_list_is_extended_by_the_cards_of_a_bag() -> None:
    cards = [Card("QS")]
    cards += Cards("2C 2C")
    assert cards == [Card("QS"), Card("2C"), Card("2C")]


def test_cards_compare_by_card_order() -> None:
    for one, other in product(ALL_FACES[::7], repeat=2):
        assert (one < other, one <= other, one > other, one >= other, one == other) == (
            one.index < other.index,
            one.index <= other.index,
            one.index > other.index,
            one.index >= other.index,
            one.index == other.index,
        )


@given(bags, bags)
def test_bags_behave_as_counters(one: Counter[Card], other: Counter[Card]) -> None:
    left, right = bag_of(one), bag_of(other)
    assert list(left) == sorted(one.elements())
    assert len(left) == one.total()
    assert bool(left) == bool(one)
    assert left - right == bag_of(one - other)
    assert left & right == bag_of(one & other)
    assert (left <= right) == (one <= other)
    assert (left >= right) == (one >= other)
    assert (left == right) == (one == other)
    assert left.distinct() == Cards(one.keys())
    together = one + other
    if max(together.values(), default=0) <= 2:
        assert left + right == bag_of(together)
    else:
        with pytest.raises(ValueError, match="at most two copies"):
            _ = left + right
    for card in ALL_FACES:
        assert left.count(card) == one[card]
        assert (card in left) == (one[card] > 0)
    for suit in Suit:
        assert list(left.of_suit(suit)) == [card for card in left if card.suit is suit]


@given(bags)
def test_bags_are_values(counts: Counter[Card]) -> None:
    bag = bag_of(counts)
    assert Cards(str(bag)) == bag
    assert eval(repr(bag)) == bag
    assert hash(Cards(str(bag))) == hash(bag)
    assert pickle.loads(pickle.dumps(bag)) == bag
    masks, parts = bag.__reduce__()
    assert masks(*parts) == bag
    for wrong in ((0, 1), (2**52, 0), (1, 2), (-1, 0)):
        with pytest.raises(ValueError, match="no cards have these masks"):
            masks(*wrong)
    assert copy.copy(bag) is bag
    assert copy.deepcopy(bag) is bag
    assert Cards(bag) == bag
    assert Cards(reversed(list(bag))) == bag
    assert cards_of(bag.lo, bag.hi) == list(bag)
    assert bag != str(bag)


@pytest.mark.parametrize("value", [Card("QS"), Cards("QS KS")])
@pytest.mark.parametrize("name", ["lo", "bit", "new"])
def test_nothing_can_be_set_or_deleted(value: Any, name: str) -> None:
    with pytest.raises((FrozenInstanceError, AttributeError)):
        setattr(value, name, 1)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        delattr(value, name)


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        ("QS", r"write Card\('QS'\) in hand"),
        (Cards("QS"), "write some <= hand"),
        (None, "card must be a Card, not None"),
        (36, "card must be a Card, not an int"),
    ],
)
def test_only_of_a_card_can_be_asked_whether_it_is_in_a_bag(thing: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        _ = thing in Cards("QS")


@given(bags)
def test_a_bag_is_a_sequence_of_its_cards_in_order(counts: Counter[Card]) -> None:
    bag = bag_of(counts)
    cards = list(bag)
    assert [bag[place] for place in range(len(bag))] == cards
    assert [bag[place] for place in range(-len(bag), 0)] == cards
    assert list(reversed(bag)) == cards[::-1]
    assert bag[1:-1:2] == Cards(cards[1:-1:2])
    assert bag[:] == bag
    if cards:
        assert Random(7).choice(bag) in bag
    for outside in (len(bag), -len(bag) - 1):
        with pytest.raises(IndexError):
            bag[outside]
    wrong: Any = "0"
    with pytest.raises(TypeError, match="index must be an int or a slice, not a str"):
        bag[wrong]


def test_cards_and_bags_are_padded_as_texts() -> None:
    assert f"{Card('QS'):>4}|{Cards('QS KS'):<8}|{Card('2C')}" == "  QS|QS KS   |2C"
    assert f"{Suit.SPADES:>3}{Rank.TEN:<3}" == "  ST  "


def test_ranks_and_suits() -> None:
    assert "".join(str(rank) for rank in Rank) == "23456789TJQKA"
    assert "".join(str(suit) for suit in Suit) == "CDSH"
    assert "".join(suit.symbol for suit in Suit) == "♣♦♠♥"
    assert [eval(repr(rank)) for rank in Rank] == list(Rank)
    assert [eval(repr(suit)) for suit in Suit] == list(Suit)
    assert Rank.TWO < Rank.TEN < Rank.ACE
