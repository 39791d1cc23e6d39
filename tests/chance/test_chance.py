"""Chance: the seeded shuffle against an independent implementation, dealing by hand, cutting, all deals."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    Deal,
    InvalidState,
    Rules,
    ScoreSheet,
    apply,
    cut_for_deal,
    deal,
    deal_cards,
    is_legal,
    legal_moves,
    new_game,
)
from heartsrules.chance import Bits, RandomStream, SeededBits, below, shuffled
from heartsrules.chance.words import Words
from heartsrules.rules import HOLD, Kitty, Moon, OpeningCard, OpeningLeader
from support.builds import wrong_type

EIGHT = Rules(players=7, decks=2, kitty=Kitty.FIRST_TRICK, first_dealer=3)
TINY = Rules(
    players=3, removed=Rules().deck - Cards("AC AD AS AH"), kitty=Kitty.FIRST_TRICK, pass_cycle=(HOLD,),
    opening_leader=OpeningLeader.DEALER_LEFT, opening_card=OpeningCard.ANY, queen_points=0, moon=Moon.OFF,
)  # fmt: skip


def words(seed: str, label: str) -> Any:
    """The words that docs/reference/reproducibility.md specifies, written without a look at the package."""
    key = hashlib.sha256(b"heartsrules 1\n" + label.encode() + b"\n" + seed.encode()).digest()
    counter = 0
    while True:
        block = hashlib.sha256(key + counter.to_bytes(8, "big")).digest()
        for at in (0, 8, 16, 24):
            yield int.from_bytes(block[at : at + 8], "big")
        counter += 1


def spelled_out(rules: Rules, seed: str, number: int) -> list[str]:
    """The shuffled pack as docs/reference/reproducibility.md specifies it."""
    stream = words(seed, f"deal {number}")
    pack = [str(card) for card in rules.deck]
    for last in range(len(pack) - 1, 0, -1):
        bound = last + 1
        word = next(stream)
        while word >= 2**64 - 2**64 % bound:
            word = next(stream)
        pack[last], pack[word % bound] = pack[word % bound], pack[last]
    return pack


def advanced(rules: Rules, number: int) -> AwaitingDeal:
    totals = (0,) * rules.players
    return AwaitingDeal(rules, ScoreSheet(totals, number), None)


@pytest.mark.parametrize("rules", [Rules(), Rules(players=5, removed="2D 2C", first_dealer=4), EIGHT, TINY])
@pytest.mark.parametrize("seed", ["", "table 7", "ü♥", "7"])
@pytest.mark.parametrize("number", [0, 1, 12])
def test_the_seeded_deal_is_the_specified_one(rules: Rules, seed: str, number: int) -> None:
    state = advanced(rules, number)
    pack = spelled_out(rules, seed, number)
    first = (rules.first_dealer + number + 1) % rules.players
    hands: list[list[str]] = [[] for _ in range(rules.players)]
    dealt = rules.cards_per_hand * rules.players
    for place, text in enumerate(pack[:dealt]):
        hands[(first + place) % rules.players].append(text)
    expected = Deal([Cards(" ".join(hand)) for hand in hands], Cards(" ".join(pack[dealt:])))
    assert deal(state, seed=seed) == expected
    assert is_legal(state, expected)


def test_an_int_stands_for_its_text() -> None:
    state = new_game(Rules())
    assert deal(state, seed=7) == deal(state, seed="7")
    assert deal(state, seed=-7) == deal(state, seed="-7") != deal(state, seed=7)


def test_seeds_and_deals_differ() -> None:
    deals = [deal(advanced(Rules(), number), seed=seed) for seed in ("a", "b") for number in range(3)]
    assert len(set(deals)) == 6


def test_a_generator_deals_too() -> None:
    state = new_game(Rules())
    one, other = deal(state, rng=random.Random(3)), deal(state, rng=random.Random(3))
    assert one == other != deal(state, rng=random.Random(4))
    assert is_legal(state, deal(state, rng=random.SystemRandom()))


def test_without_a_source_nobody_can_foresee_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two deals of 52 cards agree once in 52! / 13!**4 = 5 * 10**28 times; Python's own generator has no part in it."""
    state = new_game(Rules())
    deals = []
    for arguments in ({}, {"seed": None}, {"rng": None}):
        for _ in range(2):
            random.seed(1)
            deals.append(deal(state, **arguments))
    assert len(set(deals)) == 6
    assert all(is_legal(state, move) for move in deals)
    random.seed(1)
    before = random.getstate()
    deal(state)
    cut_for_deal(4)
    assert random.getstate() == before
    asked = []

    class Spied(random.SystemRandom):
        def getrandbits(self, k: int) -> int:
            asked.append(k)
            return super().getrandbits(k)

    monkeypatch.setattr("random.SystemRandom", Spied)
    deal(state)
    assert len(asked) >= 51
    asked.clear()
    cut_for_deal(4)
    assert len(asked) >= 51
    asked.clear()
    deal(state, seed=1)
    deal(state, rng=random.Random(1))
    cut_for_deal(4, random.Random(1))
    assert asked == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 1, "rng": random.Random()}, "either seed or rng"),
        ({"seed": 1.5}, "seed must be"),
        ({"seed": True}, "seed must be"),
        ({"seed": b"x"}, "seed must be"),
        ({"rng": 3}, "source of random bits"),
    ],
)
def test_wrong_sources(arguments: dict[str, Any], message: str) -> None:
    with wrong_type(message):
        deal(new_game(Rules()), **arguments)


def test_what_a_source_raises_while_it_is_checked_comes_out() -> None:
    class Interrupted:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    source: Any = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        deal(new_game(Rules()), rng=source)


def test_only_a_state_that_awaits_a_deal_is_dealt() -> None:
    state = apply(new_game(Rules()), deal(new_game(Rules()), seed=1))
    with wrong_type("a state that awaits a deal"):
        deal(state, seed=1)
    with wrong_type("a state that awaits a deal"):
        deal_cards(None, [])  # type: ignore[arg-type]


def test_dealing_by_hand() -> None:
    rules = Rules(players=3, hand_size=2, kitty=Kitty.FIRST_TRICK, removed=Rules().deck - Cards("2C 3C 4C 5C 6C 7C 8C"),
                  pass_cycle=(HOLD,), queen_points=0, moon=Moon.OFF, target=None, max_deals=1)  # fmt: skip
    order = [Card(text) for text in ["8C", "2C", "7C", "3C", "6C", "4C", "5C"]]
    assert deal_cards(new_game(rules), order) == Deal(
        [Cards("7C 4C"), Cards("8C 3C"), Cards("2C 6C")], Cards("5C")
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda pack: pack[1:], ["missing-cards"]),
        (lambda pack: [*pack, pack[0]], ["extra-cards"]),
        (lambda pack: [pack[1], *pack[1:]], ["missing-cards", "extra-cards"]),
        (lambda pack: [Card("2D"), *pack[1:]], ["missing-cards", "foreign-cards"]),
    ],
)
def test_packs_that_are_not_the_deck(change: Any, codes: list[str]) -> None:
    rules = Rules(players=3, removed="2D")
    with pytest.raises(InvalidState) as caught:
        deal_cards(new_game(rules), change(list(rules.deck)))
    assert [problem.code for problem in caught.value.problems] == codes


@pytest.mark.parametrize("order", ["2C 3C", Rules().deck, 3, ["2C"]])
def test_a_pack_is_an_iterable_of_cards_in_order(order: Any) -> None:
    with wrong_type("order"):
        deal_cards(new_game(Rules()), order)


class Script:
    """Bits that are known beforehand."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def getrandbits(self, k: int, /) -> int:
        assert k == 64
        return self.numbers.pop(0)


def test_draws_beyond_the_last_whole_multiple_are_refused() -> None:
    assert 2**64 % 10 == 6
    assert below(Script(2**64 - 6, 2**64 - 1, 2**64 - 7), 10) == 9
    assert below(Script(2**64 - 1), 2) == 1
    assert below(Script(5), 1) == 0
    assert below(Script(2**64 - 1), 2**64) == 2**64 - 1
    for bound in (0, -1, 2**64 + 1):
        with pytest.raises(ValueError, match="bound"):
            below(Script(), bound)


def test_all_orders_are_equally_likely() -> None:
    bits = SeededBits("orders")
    counts = Counter("".join(shuffled("abcd", bits)) for _ in range(24_000))
    assert len(counts) == 24
    # 1000 expected, standard deviation 31: six of them
    assert all(abs(count - 1000) < 6 * 31 for count in counts.values())


@pytest.mark.parametrize("k", [0, 65, -1])
def test_a_word_has_64_bits(k: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 64"):
        SeededBits("x").getrandbits(k)
    assert SeededBits("x").getrandbits(8) == SeededBits("x").getrandbits(64) >> 56


def pack_with(*top: str) -> list[int]:
    """The draws that shuffle these cards to the top of the pack."""
    pack = list(Rules().deck)
    order = [Card(text) for text in top]
    order += [card for card in pack if card not in order]
    stream: list[int] = []
    for last in range(51, 0, -1):
        at = pack.index(order[last])
        stream.append(at)
        pack[last], pack[at] = pack[at], pack[last]
    return stream


def test_the_lowest_cut_deals() -> None:
    assert cut_for_deal(4, Script(*pack_with("9C", "3H", "KC", "AC"))) == 1


def test_equal_lowest_cuts_cut_again() -> None:
    first, again = pack_with("3C", "9C", "3D", "KH"), pack_with("7S", "5H", "2C", "2D")
    assert cut_for_deal(4, Script(*first, *again)) == 2


def test_cutting_is_fair_and_checked() -> None:
    counts = Counter(cut_for_deal(5, SeededBits(number, "cut")) for number in range(2000))
    # 400 expected, standard deviation 18: six of them
    assert sorted(counts) == [0, 1, 2, 3, 4]
    assert all(abs(count - 400) < 6 * 18 for count in counts.values())
    # Each seat is left out of 400 cuts once in 10**38 times.
    assert {cut_for_deal(5) for _ in range(400)} == set(range(5))
    for players in (2, 12):
        with pytest.raises(ValueError, match="choose 3 to 11"):
            cut_for_deal(players, SeededBits(1))


def test_all_deals_of_a_tiny_deck() -> None:
    moves = legal_moves(new_game(TINY))
    listed = list(iter(moves))
    assert len(listed) == len(set(listed)) == 24
    assert listed[0] == Deal([Cards("AC"), Cards("AD"), Cards("AS")], Cards("AH"))
    assert [tuple(map(str, move.hands)) for move in listed if isinstance(move, Deal)] == sorted(
        [tuple(map(str, move.hands)) for move in listed if isinstance(move, Deal)],
        key=lambda hands: [Card(text) for text in hands],
    )
    assert all(move in moves for move in listed)
    assert moves
    assert Deal([Cards("AC"), Cards("AD"), Cards("AS")], Cards("AC")) not in moves
    assert "deal" not in moves


def test_deals_are_not_counted_or_indexed() -> None:
    moves = legal_moves(new_game(Rules()))
    assert moves == legal_moves(new_game(Rules()))
    assert hash(moves) == hash(legal_moves(new_game(Rules())))
    assert moves != legal_moves(new_game(Rules(target=50)))
    assert moves != ()
    assert "all deals" in repr(moves)
    assert len(list(islice(moves, 3))) == 3
    for use in (len, lambda deals: deals[0], lambda deals: deals[1:2], reversed):
        with pytest.raises(OverflowError, match="too many deals"):
            use(moves)


def test_two_decks_have_fewer_different_deals() -> None:
    rules = Rules(
        players=3, decks=2, removed=Rules(players=8, decks=2).deck - Cards("AC AC AD AD"), kitty=Kitty.FIRST_TRICK,
        pass_cycle=(HOLD,), opening_leader=OpeningLeader.DEALER_LEFT, opening_card=OpeningCard.ANY, moon=Moon.OFF,
        target=None, max_deals=1,
    )  # fmt: skip
    listed = list(iter(legal_moves(new_game(rules))))
    assert len(listed) == len(set(listed)) == 6
    assert all(is_legal(new_game(rules), move) for move in listed)


class PlainBits:
    """A source that is not a `RandomStream`; of one, it has the same bits."""

    def __init__(self, source: Bits) -> None:
        self.source = source
        self.taken = 0

    def getrandbits(self, k: int) -> int:
        self.taken += 1
        return self.source.getrandbits(k)


def halves(bits: Bits) -> Iterator[int]:
    """The words of 32 bits that docs/reference/reproducibility.md specifies."""
    while True:
        both = bits.getrandbits(64)
        yield both >> 32
        yield both & 0xFFFFFFFF


def drawn_below(words: Iterator[int], bound: int) -> int:
    """A number below a bound, as the same page says."""
    if bound == 1:
        return 0
    if bound <= 2**31:
        while True:
            product = next(words) * bound
            if product % 2**32 >= 2**32 % bound:
                return product // 2**32
    length = len(f"{bound - 1:b}")
    while True:
        text = "".join([f"{next(words):032b}" for _ in range(-(-length // 32))])
        if int(text[:length], 2) < bound:
            return int(text[:length], 2)


def chosen(words: Iterator[int], pack: list[Card], count: int) -> list[Card]:
    """So many of some cards, as the same page says."""
    others = 2 * count > len(pack)
    wanted = len(pack) - count if others else count
    taken = []
    for place in range(len(pack)):
        if wanted and drawn_below(words, len(pack) - place) < wanted:
            taken.append(place)
            wanted -= 1
    return [card for place, card in enumerate(pack) if (place in taken) != others]


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 39, 104, 2**31 - 1, 2**31, 2**31 + 1, 3 * 2**30, 2**40, 10**19, 10**40])
def test_numbers_are_taken_from_words_as_specified(bound: int) -> None:
    specified = halves(SeededBits("table 7", "words"))
    words = Words(SeededBits("table 7", "words"))
    assert [words.far_below(bound) for _ in range(40)] == [drawn_below(specified, bound) for _ in range(40)]
    assert words.word() == next(specified)


def test_a_word_that_would_make_some_numbers_likelier_is_left_out() -> None:
    class Told:
        def getrandbits(self, k: int) -> int:  # noqa: ARG002
            return next(told)

    # 2**32 % 3 is 1: the lower half of 3 times 0 is below it, of 3 times 2**31 it is not.
    told = iter([0 << 32 | 2**31, 2**32 - 1])
    assert Words(Told()).below(3) == 1
    assert next(told) == 2**32 - 1


def test_cards_are_chosen_as_specified_and_equal_ones_are_told_apart() -> None:
    rng = random.Random(5)
    for number in range(300):
        pack = Cards(rng.sample([*EIGHT.deck], rng.randint(1, 60)))
        count = rng.randint(0, len(pack))
        specified = halves(SeededBits(number, "choice"))
        once, twice = list(pack.distinct()), list(pack - pack.distinct())
        mine = chosen(specified, once + twice, count)
        words = Words(SeededBits(number, "choice"))
        first, second = words.choice(pack.lo, pack.hi, count)
        assert sum([card.bit for card in mine]) == first + second
        assert not first & ~pack.lo
        assert not second & ~pack.hi
        assert int(first).bit_count() + int(second).bit_count() == count
        assert words.word() == next(specified)
    counts = Counter([Words(rng).choice(0b111, 0b1, 2) for _ in range(6000)])
    assert len(counts) == 6
    assert all([abs(count - 1000) < 150 for count in counts.values()])


@pytest.mark.parametrize("bound", [0, -1, -(2**40)])
def test_a_number_below_nothing_is_refused(bound: int) -> None:
    for draw in (Words(random.Random(1)).below, Words(random.Random(1)).far_below):
        with pytest.raises(ValueError, match=f"a draw needs a bound of at least 1, not {bound}"):
            draw(bound)


@pytest.mark.parametrize(("once", "twice", "count"), [(0, 0, 1), (0b111, 0, 4), (0b111, 0b1, 5), (0b111, 0b1, -1)])
def test_more_cards_than_there_are_cannot_be_chosen(once: int, twice: int, count: int) -> None:
    left = once.bit_count() + twice.bit_count()
    with pytest.raises(ValueError, match=f"{count} cards cannot be chosen from {left}"):
        Words(random.Random(1)).choice(once, twice, count)


def test_a_stream_gives_the_numbers_that_its_bits_give() -> None:
    stream, other = RandomStream("any"), RandomStream("any")
    plain = PlainBits(other)
    for number in range(1, 200):
        words, same = Words(stream), Words(plain)
        for _ in range(number % 5):
            assert words.below(number) == same.below(number)
        words.finish()
        same.finish()
        # Each source has been read up to the same whole 64 bits.
        assert repr(stream) == repr(other)
    assert plain.taken > 150
