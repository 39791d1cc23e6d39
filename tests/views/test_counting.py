"""Counting of arrangements: as an enumeration that shares no code finds them, drawn uniformly, and never in a large
table.

Costs are bounded by counting entries and by `tracemalloc`, never by a clock.
"""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations
from math import sqrt
from random import Random
from typing import Final, TypeAlias

import pytest

from heartsrules import Card, Cards, Deal, Play, Playing, Rules, Suit, apply, legal_moves, new_game, public_view, view
from heartsrules.base.errors import TooManyWorlds
from heartsrules.chance.words import Words
from heartsrules.formats.notation import parse_position
from heartsrules.rules import Compulsory, FirstTrick, HeartsLead, Kitty, OpeningCard, OpeningLeader
from heartsrules.views import PlayingView
from heartsrules.views.hidden_hands import Case, first_arrangement
from heartsrules.views.worlds import consistent, sample_world
from heartsrules.views.worlds.counting import MOST_ENTRIES, ArrangementSampler
from heartsrules.views.worlds.hidden_cards import PlayingWorlds
from support.strategies import FACES, match, one_in, play_anything

pytestmark = pytest.mark.once_compiled

Way: TypeAlias = tuple[tuple[Card, ...], ...]
"""The cards of every place, sorted."""

SLOW: Final = (
    "hearts/1; rules players=9 decks=2 kitty=last-trick pass_cycle=hold opening_card=non-point "
    "compulsory=safe "
    "extra_penalties=5C:1,7C:1,9C:1,6D:1,7D:1,TD:1,QD:1,KD:1,AD:1,3S:1,7S:1,JS:1,QS:1,KS:1,AS:1 target=none "
    "max_deals=1 tie=shared; phase play; deal 0; hands C9JS355H22 C35SKH3469Q S48H56788K C278QD256A "
    "D34457H5JA D29H37JQK DQAS89TJK C469S29TA CTJKS677A; kitty C236ADK; tricks 3:JDQD8DJD9D6S2S4C4S:4 "
    "4:KC9H7DAC8CTCQCQS7C:7 7:TDQSAH3STHTD8DKD3D:5; trick 5:4H6DJS5CTH"
)
"""Nine players and two decks."""


MANY_PARTS: Final = (
    "hearts/1; rules players=9 decks=2 hand_size=11 kitty=last-trick pass_cycle=hold opening_card=non-point "
    "hearts_lead=any-time compulsory=always compulsory_cards=2D,2S,6H "
    "extra_penalties=7C:1,QD:1,AD:1,6S:1,8S:1,9S:1,QS:1,2H:1,3H:1,4H:1 target=none max_deals=1; phase play; deal 0; "
    "hands C58QD4578T S5568QH23JA SQH2578QKKA S3678TH799Q D79JKS37JKA C446689JKA C22339TQKD5 D346JS99H4T D689TS4TKA; "
    "kitty H568TJ; tricks 6:JC2DAC7C2S4SJS2DTC:8 8:3DQD2S6H4HQD5CKDAD:7; trick 7:3HAD7C"
)
"""The hardest of a search: its leader may have held any of several lowest clubs."""
MANY_HANDS: Final = (
    "hearts/1; rules players=11 decks=2 hand_size=9 kitty=last-trick pass_cycle=hold opening_card=non-point "
    "first_trick=free compulsory=not-lead compulsory_cards=9S,TS,JS target=none max_deals=1; phase play; deal 0; "
    "hands D6S467H7A D25TS36 DJJQS3Q C38QADK C9QD368 D29S2458 S8H228TK SKAAH57Q S25KH3QA C26D345A C4579TJ; "
    "kitty H39TJJ; tricks 3:5C4CTS5HTSJSJCKC9SQSTC:10 10:6C4HAD8C2C7C9S6H6H8H3C:2 2:9D8D7DQD4H9HKH7DKC4DKD:1; "
    "trick 1:7SJSTDAC"
)
"""The hardest whose opening is known."""


# ---------------------------------------------------------------------------------------------------- small problems


def sorted_way(drawn: Sequence[Iterable[Card]]) -> Way:
    return tuple([tuple(sorted(cards)) for cards in drawn])


def enumerated(cases: Sequence[Case]) -> Counter[Way]:
    """Every way, with how often it comes about, by trying all orders of the cards; equal cards are told apart."""
    found: Counter[Way] = Counter()
    for case in cases:
        sizes = [size - (held != 0) for size, held in zip(case.room, case.fixed, strict=True)]
        owners = [place for place, size in enumerate(sizes) for _ in range(size)]
        cards = list(case.cards)
        seen = set()
        for order in permutations(range(len(cards))):
            key = tuple(sorted(zip(owners, order, strict=True)))
            if key in seen:
                continue
            seen.add(key)
            if all([case.allowed[place] & cards[number].bit for place, number in key]):
                hands = [[card for card in FACES if card.bit == held] for held in case.fixed]
                for place, number in key:
                    hands[place].append(cards[number])
                found[sorted_way(hands)] += 1
    return found


def free_part(room: list[int], cards: Iterable[Card], may: list[int]) -> Case:
    """A case in which nothing is settled."""
    return Case(room, Cards(cards), may, [0] * len(room))


def random_part(rng: Random, most: int = 8) -> Case:
    """Few cards, equal ones among them, and places that may hold only some of them; mostly there is a way."""
    sizes: list[int] = []
    while sum(sizes) < 3 or len(sizes) < 2:
        sizes = [rng.randint(0, 3) for _ in range(rng.randint(2, 5))]
        if sum(sizes) > most:
            sizes = []
    pack = [*FACES, *FACES] if one_in(rng, 2) else list(FACES)
    cards = rng.sample([card for card in pack if card.index % 4 == 0] if one_in(rng, 2) else pack, sum(sizes))
    kinds = rng.sample(range(6), 3)
    masks = [sum({card.bit for card in cards if card.index % 6 not in {kind}}) for kind in kinds]
    masks.append(sum({card.bit for card in cards}))
    share = rng.choice((0.3, 0.5, 0.7, 1.0))
    left = iter(cards)
    may: list[int] = []
    for size in sizes:
        own = sum({next(left).bit for _ in range(size)})
        loose = sum({card.bit for card in cards if rng.random() < share})
        may.append(rng.choice(masks) if one_in(rng, 3) else own | loose)
    return free_part(sizes, cards, may)


def excess(counts: Counter[Way], ways: Counter[Way]) -> float:
    """Pearson's chi-square as a standard normal variable (Wilson and Hilferty); 0 with only one way."""
    freedom = len(ways) - 1
    if not freedom:
        return 0.0
    drawn, total = sum(counts.values()), sum(ways.values())
    shares = {way: drawn * number / total for way, number in ways.items()}
    chi = sum([(counts[way] - share) ** 2 / share for way, share in shares.items()])
    return float(((chi / freedom) ** (1 / 3) - 1 + 2 / (9 * freedom)) / sqrt(2 / (9 * freedom)))


def laid_in(way: Way, laid: Cards, layers: int) -> bool:
    """Whether the places of a mask hold at least these cards."""
    return laid <= sum([Cards(cards) for place, cards in enumerate(way) if layers >> place & 1], start=Cards())


def test_the_ways_are_counted_and_drawn_as_an_enumeration_finds_them() -> None:
    rng = Random("counted")
    with_tables = impossible = 0
    for _ in range(200):
        case = random_part(rng, 7)
        ways = enumerated([case])
        sampler = ArrangementSampler([case])
        assert sampler.count == sum(ways.values()), case
        impossible += not ways
        laid = Cards(rng.sample(list(case.cards), rng.choice((0, 0, 1, 2))))
        layers = rng.randrange(1 << len(case.room))
        right = [way for way in ways if laid_in(way, laid, layers)]
        found = first_arrangement(case, laid, layers)
        assert found is None if not right else sorted_way(found or ()) in right, (case, laid, layers)
        if 1 < len(ways) <= 40:
            with_tables += sampler.entries > 0
            counts = Counter([sorted_way(sampler.draw(Words(rng))) for _ in range(20 * len(ways))])
            assert set(counts) <= set(ways)
            assert excess(counts, ways) < 5, case
    assert with_tables > 5
    assert impossible > 3


def counted_card_by_card(case: Case) -> int:
    """The number of ways, by what room each card leaves."""
    cards = list(case.cards)

    @cache
    def ways(number: int, room: tuple[int, ...]) -> int:
        if number == len(cards):
            return 1
        total = 0
        for place, left in enumerate(room):
            if left and case.allowed[place] & cards[number].bit:
                total += ways(number + 1, (*room[:place], left - 1, *room[place + 1 :]))
        return total

    return ways(0, tuple(case.room))


def large_part(rng: Random) -> Case:
    """Three to five places of up to five cards, of two decks at times, which may hold most suits, or any cards."""
    sizes = [rng.randint(1, 5) for _ in range(rng.randint(3, 5))]
    cards = rng.sample([*FACES, *FACES] if one_in(rng, 2) else list(FACES), sum(sizes))
    suits = [sum({card.bit for card in cards if card.suit is suit}) for suit in Suit]
    left = iter(cards)
    many = one_in(rng, 3)
    may: list[int] = []
    for size in sizes:
        own = sum({next(left).bit for _ in range(size)})
        kinds = (
            sum({card.bit for card in cards if one_in(rng, 2)})
            if many
            else sum([s for s in suits if rng.random() < 0.7])
        )
        may.append(kinds | own if one_in(rng, 3) else kinds)
    return free_part(sizes, cards, may)


def test_large_cases_are_counted_as_card_by_card() -> None:
    """Of cases with too many ways to list them; some have more than eight kinds of cards."""
    rng = Random("orders")
    with_tables = many_kinds = 0
    for _ in range(100):
        case = large_part(rng)
        sampler = ArrangementSampler([case])
        assert sampler.count == counted_card_by_card(case), case
        with_tables += sampler.entries > 0
        if sampler.count:
            kinds = {tuple([bool(may & card.bit) for may in case.allowed]) for card in case.cards}
            many_kinds += len(kinds) > 8
            drawn = sampler.draw(Words(rng))
            assert [len(cards) for cards in drawn] == case.room
            assert sum(drawn, start=Cards()) == case.cards
            assert all([not cards.lo & ~may for cards, may in zip(drawn, case.allowed, strict=True)])
    assert min(with_tables, many_kinds) > 5, (with_tables, many_kinds)


def test_the_ways_of_several_cases_are_equally_likely() -> None:
    """Place 0 holds one of the copies of the 3C; or not that one, but the other; or the 4C, and place 1 both copies."""
    cards = Cards("3C 3C 4C 5D 6D 7D")
    room = [2, 2, 2]
    three, four = Card("3C").bit, Card("4C").bit
    rest = cards - Cards("3C")
    cases = [
        Case(room, rest, [cards.lo, cards.lo, cards.lo], [three, 0, 0]),
        Case(room, rest, [cards.lo & ~three, cards.lo, cards.lo], [three, 0, 0]),
        Case(room, cards - Cards("4C"), [cards.lo & ~three, three, cards.lo], [four, 0, 0]),
    ]
    ways = enumerated(cases)
    sampler = ArrangementSampler(cases)
    assert sampler.count == sum(ways.values())
    rng = Random(9)
    counts = Counter([sorted_way(sampler.draw(Words(rng))) for _ in range(600)])
    assert set(counts) <= set(ways)
    assert excess(counts, ways) < 5


def test_cases_without_any_way_are_impossible() -> None:
    nowhere = free_part([1, 1], Cards("2C 3C"), [Card("2C").bit, Card("2C").bit])
    crowded = free_part([1, 2], Cards("2C 3C 4C"), [Cards("2C 3C 4C").lo, Card("4C").bit])
    for case in (nowhere, crowded):
        assert not enumerated([case])
        assert not ArrangementSampler([case]).count


# ------------------------------------------------------------------------------------------------ how large tables get


def skewed_deals(rng: Random, players: int, decks: int) -> Iterator[Playing]:
    """The plays of a deal in which hands are long in few suits, and leads show as many voids as they can."""
    size = 52 * decks // players
    over = 52 * decks - players * size
    compulsory = rng.choice(tuple(Compulsory))
    rules = Rules(
        players=players,
        decks=decks,
        kitty=Kitty.LAST_TRICK if over else Kitty.NONE,
        hand_size=size,
        pass_cycle=[()],
        opening_leader=rng.choice((OpeningLeader.DEALER_LEFT, OpeningLeader.LOWEST_CLUB)),
        opening_card=rng.choice((OpeningCard.ANY, OpeningCard.NON_POINT)),
        compulsory=compulsory,
        compulsory_cards=rng.sample(FACES, rng.choice((1, 3))) if compulsory is not Compulsory.NO else "QS",
        hearts_lead=rng.choice(tuple(HeartsLead)),
        first_trick=rng.choice(tuple(FirstTrick)),
        extra_penalties=[(card, 1) for card in rng.sample(FACES, rng.choice((0, 10, 20)))],
        target=None,
        max_deals=1,
    )
    noise = rng.choice((0.0, 0.5, 1.0, 2.0))
    pack = sorted(rules.deck, key=lambda card: list(Suit).index(card.suit) + noise * rng.random())
    hands = [Cards(pack[size * seat : size * (seat + 1)]) for seat in range(players)]
    rng.shuffle(hands)
    state = apply(new_game(rules), Deal(tuple(hands), Cards(pack[size * players :])))

    def exposed(play: Play) -> int:
        return sum([not hand.of_suit(play.card.suit) for hand in hands]) if not trick else rules.penalty(play.card)

    while isinstance(state, Playing) and state.trick_number < 5:
        yield state
        hands, trick = list(state.hands), state.trick
        plays = [move for move in legal_moves(state) if isinstance(move, Play)]
        state = apply(state, max(plays, key=lambda play: (exposed(play), rng.random())))


@pytest.mark.long
@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("players", range(3, 12))
def test_tables_are_bounded_over_all_player_counts(players: int, decks: int) -> None:
    rng = Random(f"bounded {players} {decks}")
    looked = counted = 0
    for _ in range(9):
        for state in skewed_deals(rng, players, decks):
            if not one_in(rng, players):
                continue
            for seen in (public_view(state), view(state, state.turn)):
                assert isinstance(seen, PlayingView)
                sampler = PlayingWorlds(seen).sampler
                assert sampler.count
                assert sampler.entries <= MOST_ENTRIES // 10
                looked += 1
                if sampler.entries:
                    # The limit is kept to the entry.
                    counted += 1
                    assert PlayingWorlds(seen, sampler.entries).sampler.count == sampler.count
                    with pytest.raises(TooManyWorlds):
                        PlayingWorlds(seen, sampler.entries - 1)
    assert looked > 10
    assert counted > 0 or players < 8


@pytest.mark.untraced
def test_a_table_that_would_be_too_large_is_not_made() -> None:
    """Nine places and ten kinds of cards, more than any rule set tells apart."""
    rng = Random(8)
    pack = [*FACES, *FACES]
    rng.shuffle(pack)
    pack = pack[:72]
    may: list[int] = []
    for place in range(9):
        kinds = {card.index % 10 for card in pack[8 * place : 8 * place + 5]}
        mine = {card.bit for card in pack[8 * place : 8 * place + 8]}
        may.append(sum(mine | {card.bit for card in FACES if card.index % 10 in kinds}))
    tracemalloc.start()
    try:
        with pytest.raises(TooManyWorlds, match=r"takes more than 5,000 entries$"):
            ArrangementSampler([free_part([8] * 9, pack, may)], 5_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * 2**20


@pytest.mark.parametrize(
    ("position", "entries", "count"),
    [
        (SLOW, 45_000, 295556008847918592642130195115811152448680967923712000),
        (MANY_PARTS, 45_000, 63420174109755718636450354269841359349200289427179287600000),
        (MANY_HANDS, 2000, 213990649278545096514730101367877675144513891310305280),
    ],
)
def test_hard_positions_take_few_entries(position: str, entries: int, count: int) -> None:
    """Another algorithm, elimination in the graph of kinds and places, found the same counts."""
    state = parse_position(position)
    assert isinstance(state, Playing)
    seen = public_view(state)
    assert isinstance(seen, PlayingView)
    sampler = PlayingWorlds(seen).sampler
    assert 0 < sampler.entries < entries
    assert sampler.count == count
    assert consistent(seen, sample_world(seen, Random(1)))


def test_at_a_table_of_four_there_is_little_to_count() -> None:
    """Of one deck, whoever looks: the seats, and a spectator, with a kitty too."""
    rng = Random("four")
    most = 0
    for rules in (
        Rules(),
        Rules(hand_size=12, kitty=Kitty.LAST_TRICK),
        Rules(players=3, hand_size=16, kitty=Kitty.LAST_TRICK),
    ):
        for _ in range(6):
            for _, _, state in match(rules, rng, 1, [play_anything] * rules.players):
                if isinstance(state, Playing):
                    for seen in (public_view(state), view(state, state.turn)):
                        assert isinstance(seen, PlayingView)
                        sampler = PlayingWorlds(seen).sampler
                        most = max(most, sampler.entries)
    assert 0 < most < 100
