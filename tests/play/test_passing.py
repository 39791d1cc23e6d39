"""Passing by itself: the lazy sequence of passes, in its order and whole; and passes that are chosen card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    InvalidState,
    Pass,
    Passing,
    Rules,
    ScoreSheet,
    apply,
    deal,
    is_legal,
    legal_moves,
    new_game,
    pass_options,
    public_view,
    view,
    why_illegal,
)
from heartsrules.base.values import replaced
from heartsrules.play.lazy_moves import Choices
from heartsrules.play.passing import SeatPasses, exchange, passes_of, receivers
from heartsrules.play.violations import AlreadyPassed, WrongNumberOfCards
from heartsrules.rules import PassOptional, left, middle, scatter
from heartsrules.views import PassingView
from support.rounds import examples
from support.strategies import covered, generators, rules_sets


def all_gifts(bag: Cards, sizes: tuple[int, ...]) -> Iterator[tuple[Cards, ...]]:
    """Every choice of gifts of these sizes, each once, in the order of their sorted cards: by trying everything."""
    if not sizes:
        yield ()
        return
    firsts = sorted({tuple(sorted(some)) for some in product(bag, repeat=sizes[0]) if not Counter(some) - Counter(bag)})
    for first in firsts:
        for rest in all_gifts(bag - Cards(first), sizes[1:]):
            yield (Cards(first), *rest)


@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize(
    ("cards", "sizes"),
    [
        ("2C 3C 4C 5C 6C", (3,)),
        ("2C 2C 3C 4C 4C", (3,)),
        ("2C 2C 3C 3C", (2,)),
        ("2C 2C 3C 3C", (2, 1)),
        ("2C 2C 3C 4C 4C", (1, 2)),
        ("2C 2C 3C 4C 4C", (2, 2)),
        ("2C 3C 4C 4C", (1, 1, 1)),
        ("2C 2C", (1, 1)),
        ("2C", (1,)),
    ],
)
def test_the_passes_of_a_seat_are_all_that_there_are_in_their_order(
    cards: str, sizes: tuple[int, ...], optional: bool
) -> None:
    passes = SeatPasses(3, Cards(cards), sizes, optional)
    expected = [Pass(3, *gifts) for gifts in all_gifts(Cards(cards), sizes)] + [Pass(3)] * optional
    assert [passes.at(index) for index in range(passes.count)] == expected
    assert list(Choices((passes,))) == expected
    assert all(passes.holds(move) for move in expected)


def test_what_a_seat_may_pass_holds_nothing_else() -> None:
    passes = SeatPasses(0, Cards("2C 2C 3C 4C"), (2, 1), False)
    for gifts, held in (
        ("2C 2C|3C", True),
        ("2C 3C|2C", True),
        ("2C 3C|3C", False),
        ("2C 2C|2C", False),
        ("2C 2C", False),
        ("2C 2C|3C|4C", False),
        ("2C|3C", False),
        ("2C 3C|5C", False),
    ):
        move = Pass(0, *[Cards(gift) for gift in gifts.split("|")])
        assert passes.holds(move) is held, gifts
        assert not passes.holds(Pass(7, *move.cards))
    assert not passes.holds(Pass(0))
    assert SeatPasses(0, Cards("2C"), (1,), True).holds(Pass(0))


def test_a_sequence_of_passes_is_a_value() -> None:
    one = passes_of(Rules(), 0, 0, Cards("2C 3C 4C 5C"))
    two = passes_of(Rules(), 0, 2, Cards("6C 7C 8C 9C"))
    moves = Choices((one, two))
    assert moves == Choices((one, two))
    assert hash(moves) == hash(Choices((one, two)))
    others = [Choices((one,)), Choices((two, one)), Choices(()), Choices((two, two))]
    assert all(moves != other for other in others)
    assert len({hash(other) for other in [moves, *others]}) == 5
    assert repr(moves) == "<8 passes of seats 0, 2>"
    assert repr(Choices(())) == "<0 moves>"
    assert Pass(0, Cards("2C 3C 4C")) in moves
    assert Pass(2, Cards("2C 3C 4C")) not in moves
    assert Pass(2, Cards("6C 7C 8C")) in moves
    assert moves[4] == Pass(2, Cards("6C 7C 8C"))


def test_cards_that_may_not_be_passed_are_in_no_pass() -> None:
    rules = Rules(unpassable="QS 2C")
    hand = Cards("QS 2C 3C 4C 5C")
    passes = passes_of(rules, 0, 1, hand)
    assert list(Choices((passes,))) == [Pass(1, Cards("3C 4C 5C"))]
    two = Rules(players=6, decks=2, removed="2C 2C 3C 3C 4C 4C 2D 2D", unpassable="QS", pass_cycle=(left(2),))
    passes = passes_of(two, 0, 1, Cards("QS QS 5C 5C"))
    assert list(Choices((passes,))) == [Pass(1, Cards("5C 5C"))]


def test_where_gifts_go() -> None:
    rules = Rules(pass_cycle=(scatter(players=4),))
    assert receivers(rules, 0, frozenset()) == {
        (giver, gift): (giver + offset) % 4 for giver in range(4) for gift, offset in enumerate((1, 2, 3))
    }
    skip = Rules(pass_cycle=(left(1),), pass_optional=PassOptional.SKIP)
    assert receivers(skip, 0, frozenset([1, 2])) == {(0, 0): 3, (3, 0): 0}
    assert receivers(skip, 0, frozenset([0, 1, 2])) == {}
    together = Rules(pass_cycle=(left(1),), pass_optional=PassOptional.UNANIMOUS)
    assert receivers(together, 0, frozenset([1])) == {}
    assert receivers(together, 0, frozenset()) == {(seat, 0): (seat + 1) % 4 for seat in range(4)}
    cards = [Cards("2C"), Cards("3C"), Cards("4C"), Cards("5C")]
    passes = tuple([Pass(seat, gift) for seat, gift in enumerate(cards)])
    assert exchange(skip, 0, passes) == (tuple(cards), (cards[3], *cards[:3]))
    kept = (passes[0], Pass(1), *passes[2:])
    nothing = Cards()
    assert exchange(skip, 0, kept) == ((cards[0], nothing, cards[2], cards[3]), (cards[3], nothing, cards[0], cards[2]))
    assert exchange(together, 0, kept) == ((nothing,) * 4, (nothing,) * 4)


# ------------------------------------------------------------------------------------------------ card by card


def passing(rules: Rules, hands: str | None = None, seed: int = 1) -> Passing:
    """The first deal of these rules, with seat 0 holding these cards first of all."""
    state = new_game(rules)
    dealt = apply(state, deal(state, seed=seed))
    assert isinstance(dealt, Passing)
    if hands is None:
        return dealt
    own = Cards(hands)
    rest = sorted(rules.deck - own)
    size = rules.cards_per_hand
    packs = [own, *[Cards(rest[size * at : size * (at + 1)]) for at in range(rules.players - 1)]]
    return replaced(dealt, hands=tuple(packs), kitty=Cards(rest[size * (rules.players - 1) :]))


def seen_by(state: Passing, seat: int) -> PassingView:
    known = view(state, seat)
    assert isinstance(known, PassingView)
    return known


HAND = "2C 3C 4C 5C 6C 7C 8C 9C TC QS KS AS 2H"


def test_a_pass_of_the_wrong_number_of_gifts_is_told_how_many_this_deal_has() -> None:
    known = seen_by(passing(Rules(pass_cycle=(scatter(players=4),)), HAND), 0)
    assert why_illegal(known, Pass(0, Cards("2C"))) == (WrongNumberOfCards(None, 1, 3, 3),)


def test_the_two_copies_of_a_card_are_apart() -> None:
    rules = Rules(players=6, decks=2, removed="2C 2C 3C 3C 4C 4C 2D 2D", pass_cycle=(((1, 2), (2, 1)),))
    hand = Cards("QS QS AS AS KS KS 5C 6C 7C 8C 9C TC JC QC KC AC")
    known = seen_by(passing(rules, str(hand)), 0)
    one = pass_options(known, [Cards("QS")])
    assert one.addable[0] == one.addable[1] == hand - Cards("QS")
    assert [card for card, _ in one.reasons[0]].count(Card("QS")) == 1
    assert [card for card, _ in one.reasons[0]].count(Card("AS")) == 2
    both = pass_options(known, [Cards("QS QS")])
    assert both.addable == (Cards(), hand - Cards("QS QS"))
    assert pass_options(known, [Cards("QS AS"), Cards("QS")]).complete
    with pytest.raises(InvalidState) as caught:
        pass_options(known, [Cards("QS QS"), Cards("QS")])
    assert [(each.code, each.fields) for each in caught.value.problems] == [("not-in-hand", ("cards[1]",))]


def test_a_pass_of_any_number_of_cards_misses_none() -> None:
    known = seen_by(passing(Rules(pass_cycle=(middle(None),)), HAND), 0)
    for gifts in ((), (Cards("QS"),)):
        options = pass_options(known, gifts)
        assert (options.missing, options.complete) == ((0,), True)


def test_who_has_passed_or_only_watches_may_add_nothing() -> None:
    state = apply(passing(Rules(), HAND), Pass(0, Cards("QS KS AS")))
    assert isinstance(state, Passing)
    for gifts in ((), (Cards("QS KS AS"),)):
        options = pass_options(seen_by(state, 0), gifts)
        assert (options.addable, options.complete) == ((Cards(),), False)
        assert all(reasons[0] == AlreadyPassed(0) for _, reasons in options.reasons[0])
    assert pass_options(seen_by(state, 1)).addable == (state.hands[1],)
    watcher = public_view(state)
    assert isinstance(watcher, PassingView)
    options = pass_options(watcher)
    assert (options.addable, options.missing, options.complete, options.reasons) == ((Cards(),), (3,), False, ((),))


def test_declining_is_another_pass_than_choosing_no_card() -> None:
    known = seen_by(passing(Rules(pass_optional=PassOptional.SKIP)), 0)
    assert not pass_options(known).complete
    assert is_legal(known, Pass(0))


@pytest.mark.parametrize(
    ("gifts", "expected"),
    [
        (
            ("QS KS AS 2C",),
            [("wrong-number-of-cards", "cards[0]", "cards[0] has 4 cards, but the pass takes 3: remove some")],
        ),
        (("QS", "2C"), [("wrong-number-of-cards", "cards", "`cards` has 2 items, but this deal passes to 1 player")]),
        (("AD AC",), [("not-in-hand", "cards[0]", "cards[0] has more copies of AC AD than the hand: remove them")]),
        (
            ("2C 2C 2H QS", "AD"),
            [
                ("wrong-number-of-cards", "cards", "`cards` has 2 items, but this deal passes to 1 player"),
                ("wrong-number-of-cards", "cards[0]", "cards[0] has 4 cards, but the pass takes 3: remove some"),
                ("not-in-hand", "cards[0]", "cards[0] has more copies of 2C than the hand: remove it"),
                ("card-may-not-be-passed", "cards[0]", "cards[0] contains 2H, but it may not be passed: remove it"),
                ("not-in-hand", "cards[1]", "cards[1] has more copies of AD than the hand: remove it"),
            ],
        ),
    ],
)
def test_gifts_that_are_part_of_no_pass_are_refused_with_their_places(
    gifts: tuple[str, ...], expected: list[tuple[str, str, str]]
) -> None:
    known = seen_by(passing(Rules(unpassable="2H"), HAND), 0)
    with pytest.raises(InvalidState) as caught:
        pass_options(known, map(Cards, gifts))
    assert [(each.code, each.fields, each.message) for each in caught.value.problems] == [
        (code, (place,), message) for code, place, message in expected
    ]


@settings(max_examples=examples(60), deadline=None)
@given(rules_sets().map(covered) | st.just(Rules(unpassable="2C 3C 4C 5C 6C 7C 8C 9C TC JC")), generators())
def test_the_options_are_those_of_the_rules(rules: Rules, rng: Random) -> None:
    """A card may be added exactly if a legal pass holds what is chosen and that card; each reason is one that the whole
    pass would have; and whoever follows the options comes to a legal pass."""
    start = new_game(rules)
    numbers = [number for number in range(len(rules.pass_cycle)) if rules.pass_plan(number)]
    if not numbers:
        return
    start = AwaitingDeal(rules, ScoreSheet(start.scores, rng.choice(numbers)), None)
    state = apply(start, deal(start, rng=rng))
    assert isinstance(state, Passing)
    seat = rng.randrange(rules.players)
    known = seen_by(state, seat)
    step = known.plan
    gifts = [Cards()] * len(step)
    while True:
        options = pass_options(known, gifts)
        begun = max([0, *[number for number, gift in enumerate(gifts, 1) if gift]])
        assert options == pass_options(known, gifts[:begun]), "gifts that are still empty may be left out"
        assert options.complete == (Pass(seat, *gifts) in legal_moves(known)) == (not any(options.missing))
        assert options.missing == tuple([count - len(gift) for gift, (_, count) in zip(gifts, step, strict=True)])
        left_over = known.hand - Cards([card for gift in gifts for card in gift])
        for number, against in enumerate(options.reasons):
            assert [card for card, _ in against] == list(left_over)
            assert options.addable[number] == Cards([card for card, reasons in against if not reasons])
            for card, reasons in against:
                tried = [*gifts[:number], gifts[number] + Cards([card]), *gifts[number + 1 :]]
                whole = why_illegal(known, Pass(seat, *tried))
                kept = [
                    reason
                    for reason in whole
                    if not isinstance(reason, WrongNumberOfCards)
                    or (reason.gift == number and reason.count > reason.expected)
                ]
                assert list(reasons) == kept
                event(f"a card {'may not go: ' + reasons[0].code if reasons else 'may go'}")
        if options.complete:
            break
        number = rng.choice([number for number, missing in enumerate(options.missing) if missing])
        gifts[number] += Cards([rng.choice(list(options.addable[number]))])
    assert is_legal(known, Pass(seat, *gifts))
