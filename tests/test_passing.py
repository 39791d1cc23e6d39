"""Passing by itself: the lazy sequence of passes, in its order and whole, and which passes it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from heartsrules import Cards, Pass, Rules
from heartsrules.passing import PassMoves, SeatPasses, exchange, passes_of, receivers
from heartsrules.rules import PassOptional, left, scatter


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
    expected = [Pass(3, gifts) for gifts in all_gifts(Cards(cards), sizes)] + [Pass(3, ())] * optional
    assert [passes.at(index) for index in range(passes.count)] == expected
    assert list(PassMoves((passes,))) == expected
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
        move = Pass(0, [Cards(gift) for gift in gifts.split("|")])
        assert passes.holds(move) is held, gifts
        assert passes.holds(Pass(7, move.gifts)) is held
    assert not passes.holds(Pass(0, ()))
    assert SeatPasses(0, Cards("2C"), (1,), True).holds(Pass(0, ()))


def test_a_sequence_of_passes_is_a_value() -> None:
    one = passes_of(Rules(), 0, 0, Cards("2C 3C 4C 5C"))
    two = passes_of(Rules(), 0, 2, Cards("6C 7C 8C 9C"))
    moves = PassMoves((one, two))
    assert moves == PassMoves((one, two))
    assert hash(moves) == hash(PassMoves((one, two)))
    others = [PassMoves((one,)), PassMoves((two, one)), PassMoves(()), PassMoves((two, two))]
    assert all(moves != other for other in others)
    assert len({hash(other) for other in [moves, *others]}) == 5
    assert repr(moves) == "<8 passes of seats 0, 2>"
    assert repr(PassMoves(())) == "<0 passes of seats >"
    assert Pass(0, (Cards("2C 3C 4C"),)) in moves
    assert Pass(2, (Cards("2C 3C 4C"),)) not in moves
    assert Pass(2, (Cards("6C 7C 8C"),)) in moves
    assert moves[4] == Pass(2, (Cards("6C 7C 8C"),))


def test_cards_that_may_not_be_passed_are_in_no_pass() -> None:
    rules = Rules(unpassable="QS 2C")
    hand = Cards("QS 2C 3C 4C 5C")
    passes = passes_of(rules, 0, 1, hand)
    assert list(PassMoves((passes,))) == [Pass(1, (Cards("3C 4C 5C"),))]
    two = Rules(players=6, decks=2, removed="2C 2C 3C 3C 4C 4C 2D 2D", unpassable="QS", pass_cycle=(left(2),))
    passes = passes_of(two, 0, 1, Cards("QS QS 5C 5C"))
    assert list(PassMoves((passes,))) == [Pass(1, (Cards("5C 5C"),))]


def test_where_gifts_go() -> None:
    rules = Rules(pass_cycle=(scatter(4),))
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
    passes = tuple([Pass(seat, (gift,)) for seat, gift in enumerate(cards)])
    assert exchange(skip, 0, passes) == (tuple(cards), (cards[3], *cards[:3]))
    kept = (passes[0], Pass(1, ()), *passes[2:])
    nothing = Cards()
    assert exchange(skip, 0, kept) == (
        (cards[0], nothing, cards[2], cards[3]),
        (cards[3], nothing, cards[0], cards[2]),
    )
    assert exchange(together, 0, kept) == ((nothing,) * 4, (nothing,) * 4)
