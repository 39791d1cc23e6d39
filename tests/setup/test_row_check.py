"""Rows of the score sheet: those of real deals are accepted, and forged ones refused where arithmetic can.

The oracle deals every distribution of a small deck, by the words of the rules, and scores each one.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import comb
from random import Random
from typing import Any, Final, TypeAlias

import attrs
import pytest

from heartsrules import Card, Cards, DealScore, InvalidRules, InvalidState, Rules, Suit, presets, score_deal
from heartsrules.base.values import replaced
from heartsrules.play.exposing import resolved_with
from heartsrules.play.scoring import new_totals, score_finished_deal
from heartsrules.rules import (
    Bonus,
    BonusFloor,
    Doubler,
    Duplicates,
    HeartValues,
    Kitty,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    Tie,
    VoidLastTrick,
)
from heartsrules.setup.row_check import row_problems
from support.rounds import rounds
from support.strategies import match, random_rules

pytestmark = pytest.mark.once_compiled

FULL: Final = Rules(decks=2).deck
QUEEN: Final = Card("QS")
WHERE: Final = "score_sheet[1]"
TC: Final = Card("TC")
JACK = (Bonus(Card("JD"), 10),)
BOTH = (*JACK, Bonus(Card("TD"), 5))
KITTIES = [kind for kind in Kitty if kind is not Kitty.NONE]
LOW: Final = (0, 0, 2, 2) + (1,) * 9
PIGS: Final[dict[str, Any]] = {
    "heart_values": (0, 0, 0, 10, 10, 10, 10, 10, 10, 20, 30, 40, 50), "queen_points": 100,
    "bonuses": (Bonus(Card("JD"), 100),), "doubler": Doubler(TC, 2, 50), "moon": Moon.SHOOTER_DOWN,
    "moon_cards": MoonCards.HEARTS, "target": 1000, "tie": Tie.SHARED,
}  # fmt: skip


def small(deck: str, players: int = 3, **fields: Any) -> Rules:
    """The rules of a game with only these cards."""
    cards = Cards(deck)
    decks = 2 if cards.hi else fields.pop("decks", 1)
    whole = FULL if decks == 2 else FULL.distinct()
    return Rules(
        players=players,
        decks=decks,
        removed=whole - cards,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        pass_cycle=[()],
        **fields,
    )


# ------------------------------------------------------------------------------------------------------ the oracle

Counts: TypeAlias = tuple[tuple[int, ...], ...]
"""By kind of card, how many lie in each place: the piles by seat, the kitty, what is set aside."""


@lru_cache
def kinds(rules: Rules) -> list[list[Card]]:
    """The cards in play, those together that no rule about piles tells apart."""
    together: dict[tuple[object, ...], list[Card]] = {}
    points = {bonus.card: bonus.points for bonus in rules.bonuses}
    for card in rules.deck:
        doubles = rules.doubler is not None and card is rules.doubler.card
        may_be_shown = card in rules.exposable
        kind = (rules.penalty(card), card.suit is Suit.HEARTS, points.get(card), doubles, card is QUEEN, may_be_shown)
        together.setdefault(kind, []).append(card)
    return list(together.values())


def splits(count: int, places: int) -> Iterator[tuple[int, ...]]:
    """The ways to put so many equal things into so many places."""
    if places == 1:
        yield (count,)
        return
    for here in range(count + 1):
        for rest in splits(count - here, places - 1):
            yield (here, *rest)


def sizes_of(rules: Rules) -> set[tuple[int, ...]]:
    """How many cards of tricks each seat, the kitty and what is set aside to the end may hold."""
    tricks = rules.cards_per_hand
    return {
        (*[rules.players * each for each in seats], rules.kitty_size, rules.players * aside)
        for *seats, aside in splits(tricks, rules.players + 1)
        if aside == 0 or (may_be_void(rules) and rules.void_last_trick is VoidLastTrick.NOBODY)
    }


def may_be_void(rules: Rules) -> bool:
    return rules.decks == 2 and rules.duplicates is Duplicates.CANCEL


def dealt(rules: Rules) -> Iterator[Counts]:
    """Every way to put the cards of all kinds into tricks of seats, the kitty and the tricks set aside."""
    wanted = sizes_of(rules)
    groups = kinds(rules)

    @cache
    def may_grow(sizes: tuple[int, ...]) -> bool:
        return any(all(one <= other for one, other in zip(sizes, whole, strict=True)) for whole in wanted)

    def from_kind(number: int, sizes: tuple[int, ...]) -> Iterator[Counts]:
        if number == len(groups):
            yield ()
            return
        for places in splits(len(groups[number]), len(sizes)):
            now = tuple([size + count for size, count in zip(sizes, places, strict=True)])
            if may_grow(now):
                for rest in from_kind(number + 1, now):
                    yield (places, *rest)

    yield from from_kind(0, (0,) * (rules.players + 2))


def wins(rules: Rules, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The tricks that the seats may have won when they have so many cards of tricks."""
    tricks = [size // rules.players for size in sizes]
    yield from itertools.product(
        *[range(1, count + 1) if may_be_void(rules) and count else (count,) for count in tricks]
    )


def takers(rules: Rules, counts: Counts, won: Sequence[int]) -> list[int | None]:
    """Who may have taken the kitty, from what the seats have of tricks."""
    groups = kinds(rules)
    winners = [seat for seat in range(rules.players) if won[seat]]
    if rules.kitty_size == 0:
        return [None]
    if rules.kitty is Kitty.LAST_TRICK:
        return [None] if any(count[-1] for count in counts) else list(winners)
    if rules.kitty is Kitty.FIRST_POINT:
        marks = [number for number, group in enumerate(groups) if rules.penalty(group[0])]
    elif rules.kitty is Kitty.FIRST_HEART:
        marks = [number for number, group in enumerate(groups) if group[0].suit is Suit.HEARTS]
    else:
        return list(winners) or [None]
    return [seat for seat in winners if any(counts[number][seat] for number in marks)] or [None]


def piles_of(rules: Rules, counts: Counts, taker: int | None) -> tuple[Cards, ...]:
    piles: list[list[Card]] = [[] for _ in range(rules.players + 2)]
    for group, places in zip(kinds(rules), counts, strict=True):
        left = list(group)
        for place, count in enumerate(places):
            piles[place] += left[:count]
            del left[:count]
    if taker is not None:
        piles[taker] += piles[rules.players]
    return tuple([Cards(pile) for pile in piles[: rules.players]])


def signature(rules: Rules, piles: Sequence[Cards], won: Sequence[int]) -> tuple[Any, ...]:
    """What a rule about piles can see of them."""
    counts = [
        tuple([sum(pile.count(card) for card in dict.fromkeys(group)) for pile in piles]) for group in kinds(rules)
    ]
    return (*counts, tuple(won))


def finished(rules: Rules) -> dict[tuple[Any, ...], tuple[tuple[Cards, ...], tuple[int, ...]]]:
    """Every end of a deal: piles and tricks won, of those that look alike one."""
    found: dict[tuple[Any, ...], tuple[tuple[Cards, ...], tuple[int, ...]]] = {}
    for counts in dealt(rules):
        sizes = list(map(sum, zip(*counts, strict=True)))
        for won in wins(rules, sizes[: rules.players]):
            for taker in takers(rules, counts, won):
                seen = [list(places[: rules.players]) for places in counts]
                if taker is not None:
                    for places, all_places in zip(seen, counts, strict=True):
                        places[taker] += all_places[rules.players]
                key = (*[tuple(places) for places in seen], won)
                if key not in found:
                    found[key] = (piles_of(rules, counts, taker), won)
    return found


def rows_of(
    rules: Rules, ends: dict[tuple[Any, ...], tuple[tuple[Cards, ...], tuple[int, ...]]], before: tuple[int, ...],
    number: int, exposed: tuple[Cards, ...] = (),
) -> set[DealScore]:  # fmt: skip
    """The rows of all ends of the deal in which these cards were shown."""
    exposed = exposed or rules._resolved.nothing
    tables = resolved_with(rules, exposed)
    return {
        score_finished_deal(tables, piles, won, before, number, exposed, effect)
        for piles, won in ends.values()
        for effect in ((Moon.OTHERS_UP, Moon.SHOOTER_DOWN) if rules.moon is Moon.CHOICE else (None,))
    }


# ------------------------------------------------------------------------------------------------- rows of real deals


def special_rules(rng: Random) -> Rules:
    """A small rule set with bonus cards, doublers, worthless hearts and moons of hearts, in any combination."""
    while True:
        players = rng.choice((3, 3, 4))
        twice = rng.randrange(3) == 0
        pack = list(Cards("QS 2H 3H 4H 5H KS TC JD TD 2C 3C 4C 5C"))
        if twice:
            pack = [card for card in pack for _ in range(rng.randint(1, 2))]
        rng.shuffle(pack)
        pack.sort(key=lambda card: (card is QUEEN or card.suit is Suit.HEARTS) and rng.randrange(2), reverse=True)
        cards = Cards(pack[: rng.choice((8, 9, 9)) if players == 3 else 8])
        deck = list(cards.distinct())
        moon = rng.choice((Moon.OFF, Moon.OTHERS_UP, Moon.OTHERS_UP, Moon.SHOOTER_DOWN, *Moon))
        points = rng.choice((1, 3, 10))
        dear = [card for card in deck if card.suit is not Suit.DIAMONDS and not rng.randrange(6)]
        options: dict[str, Any] = {
            "hand_size": len(cards) // players if len(cards) % players else rng.choice((None, 2)),
            "kitty": rng.choice(KITTIES),
            "duplicates": rng.choice(tuple(Duplicates)),
            "void_last_trick": rng.choice(tuple(VoidLastTrick)),
            "heart_values": rng.choice((HeartValues.ONE, HeartValues.SPOT, LOW, LOW, (0,) * 13)),
            "queen_points": rng.choice((0, 2, 13)),
            "extra_penalties": [(card, points) for card in dear],
            "bonuses": [Bonus(card, rng.choice((1, 2, points))) for card in deck
                        if card.suit is Suit.DIAMONDS or (card is QUEEN and not rng.randrange(3))],
            "moon": moon,
            "moon_points": rng.choice((None, None, 5)),
            "moon_needs_bonus": rng.randrange(3) == 0,
            "sun": moon is not Moon.OFF and rng.randrange(2) == 0,
            "moon_cards": MoonCards.ALL if moon is Moon.OFF else rng.choice(tuple(MoonCards)),
            "no_tricks_bonus": rng.choice((0, 0, 4)),
            "no_tricks_bonus_on_moon": rng.randrange(2) == 0,
            "target": rng.choice((20, 60)),
            "max_deals": rng.choice((None, 4)),
        }  # fmt: skip
        if rng.randrange(2):
            options["doubler"] = Doubler(rng.choice([card for card in deck if card.suit is not Suit.HEARTS]), 2, points)
        elif options["bonuses"]:
            options["bonus_floor"] = rng.choice(tuple(BonusFloor))
        if not rng.randrange(3):
            options["exposable"] = Cards([card for card in deck if card in (QUEEN, TC) or card.suit is Suit.DIAMONDS])
        if players == 4 and rng.randrange(4):
            options |= {"teams": 2, "moon_scope": rng.choice((MoonScope.PLAYER, MoonScope.TEAM, MoonScope.TEAM))}
            options["sun_scope"] = rng.choice(tuple(MoonScope))
        try:
            return small(" ".join(map(str, cards)), players, **options)
        except InvalidRules:
            continue


def small_rules(rng: Random) -> Rules:
    """A rule set of so few cards that all ends of a deal can be listed."""
    while True:
        special = rng.randrange(2) == 0
        rules = special_rules(rng) if special else random_rules(rng, players=rng.choice((3, 3, 4)))
        ways = 1
        for group in kinds(rules):
            ways *= comb(len(group) + rules.players + 1, rules.players + 1)
        if ways <= 100_000 and rules.cards_per_hand > 1:
            return rules


def judged(rules: Rules, row: DealScore, before: tuple[int, ...], number: int) -> tuple[str, ...]:
    problems = row_problems(rules, row, before, number, WHERE)
    for problem in problems:
        assert problem.fields
        assert all(field.startswith(WHERE) for field in problem.fields)
        assert len(problem.message) <= 2000
    return tuple([problem.code for problem in problems])


@pytest.mark.untraced
def test_rows_of_all_ends_of_small_deals_are_accepted() -> None:
    rng = Random("small deals")
    seen: Counter[object] = Counter()
    for _ in range(max(60, rounds(60))):
        rules = small_rules(rng)
        before = tuple([rng.choice((0, 3, 7, 12, 40)) for _ in range(rules.players)])
        ends, number = finished(rules), rng.randrange(4)
        shown = Cards([card for card in rules.exposable if rng.randrange(2)])
        bags = (*rules._resolved.nothing[1:], shown)
        for row in rows_of(rules, ends, before, number, bags):
            assert judged(rules, row, before, number) == (), (rules, row)
            seen[rules.moon_cards] += row.shooter is not None
            seen["several bonus cards"] += len(rules.bonuses) > 1
            seen["doubler"] += rules.doubler is not None
            seen["exposed"] += bool(shown)
            seen["cancelled"] += may_be_void(rules)
            seen[rules.kitty] += 1
    assert min(seen.values()) > 0, seen


@pytest.mark.untraced
def test_rows_of_matches_are_accepted() -> None:
    rng = Random("matches")
    seen: Counter[str] = Counter()
    for _ in range(max(60, rounds(60))):
        rules = random_rules(rng)
        for state, _, after in match(rules, rng, max_deals=2):
            if len(after.score_sheet) > len(state.score_sheet):
                row = after.score_sheet[-1]
                assert judged(rules, row, state.score_sheet.totals, state.deal_number) == (), (rules, row)
                seen["rows"] += 1
                seen["moons"] += row.shooter is not None
                seen["no queen"] += row.queen_taker is None and rules._resolved.one_queen
    assert seen["rows"] > 60, seen
    assert seen["moons"] > 5, seen


@pytest.mark.untraced
@pytest.mark.parametrize("number", range(max(20, rounds(60))))
def test_score_deal_accepts_exactly_the_piles_of_finished_deals(number: int) -> None:
    rng = Random(f"piles {number}")
    rules = small_rules(rng)
    ends = finished(rules)
    free = attrs.evolve(rules, moon=Moon.OFF, sun=False, moon_needs_bonus=False, moon_cards=MoonCards.ALL, max_deals=9)
    players = rules.players
    accepted = refused = 0

    def check(piles: Sequence[Cards], won: Sequence[int]) -> None:
        nonlocal accepted, refused
        try:
            score_deal(free, piles, won, (0,) * players, deal_number=0, exposed=())
        except InvalidState as error:
            assert signature(rules, piles, won) not in ends
            refused += 1
            for problem in error.problems:
                assert problem.fields
                assert all(field.startswith(("captured", "tricks_won")) for field in problem.fields)
        else:
            assert signature(rules, piles, won) in ends
            accepted += 1

    for piles, won in rng.sample(list(ends.values()), min(len(ends), 30)):
        check(piles, won)
        nowhere = rules.deck
        for pile in piles:
            nowhere -= pile
        for _ in range(4):
            changed, counts = [list(pile) for pile in (*piles, nowhere)], list(won)
            for _ in range(rng.choice((1, 1, 2, players))):
                one, other = rng.sample(range(players + 1), 2)
                if changed[one]:
                    changed[other].append(changed[one].pop(rng.randrange(len(changed[one]))))
            one, other = rng.sample(range(players), 2)
            counts[one] += rng.choice((0, 0, 1, -1))
            counts[other] -= rng.choice((0, 0, 1, -1))
            check([Cards(pile) for pile in changed[:players]], counts)
    assert accepted >= 3
    assert refused >= 5


# ------------------------------------------------------------------------------------------------- forged rows


def row_of(
    points: Sequence[int],
    won: Sequence[int],
    cards: Sequence[int] | None = None,
    shooter: int | None = None,
    effect: Moon | None = None,
    sun: bool = False,
    queen: int | None = 0,
) -> DealScore:
    """A row after totals of 0."""
    exposed = points if cards is None else cards
    return DealScore(tuple(points), tuple(exposed), shooter, effect, sun, tuple(won), tuple(points), queen)


UP, DOWN = Moon.OTHERS_UP, Moon.SHOOTER_DOWN
OMNIBUS = Rules(bonuses=JACK)
SPOT = Rules(heart_values=HeartValues.SPOT, queen_points=25, target=500)
SPOT_13 = Rules(heart_values=HeartValues.SPOT, target=500)
SUN = Rules(sun=True)
SUN_ALONE = Rules(teams=2, sun=True, sun_scope=MoonScope.PLAYER)
SHARED_MOON = Rules(teams=2, moon_scope=MoonScope.TEAM)
HUGE = 10**40
GONG: Final[dict[str, Any]] = {
    **PIGS, "pass_cycle": [()], "opening_leader": OpeningLeader.QUEEN_TAKER, "opening_card": OpeningCard.UNRESTRICTED,
}  # fmt: skip
GONG_ZHU = Rules(**GONG)
MARIA = attrs.evolve(presets.black_maria(), moon=Moon.OTHERS_UP, moon_cards=MoonCards.HEARTS_AND_QUEEN)
DOUBLED = Rules(bonuses=BOTH, doubler=Doubler(TC, 2, 50))

# what, rules, row, the codes of its problems
FORGED: list[tuple[str, Rules, DealScore, str]] = [
    ("all points on one seat, no moon", Rules(), row_of((26, 0, 0, 0), (13, 0, 0, 0)), "wrong-moon"),
    ("25 points in one trick", Rules(), row_of((25, 1, 0, 0), (1, 12, 0, 0)), "wrong-sum"),
    ("17 points in one trick", Rules(), row_of((17, 9, 0, 0), (1, 12, 0, 0)), "wrong-sum"),
    ("13 hearts in one trick", Rules(queen_points=0), row_of((12, 1, 0, 0), (1, 12, 0, 0)), "wrong-sum"),
    ("13 hearts in one trick, the queen elsewhere", Rules(), row_of((13, 13, 0, 0), (1, 12, 0, 0)), ""),
    ("5 hearts in one trick", Rules(), row_of((5, 21, 0, 0), (1, 12, 0, 0), queen=1), "wrong-sum"),
    ("a moon in one trick", Rules(), row_of((0, 26, 26, 26), (1, 12, 0, 0), (26, 0, 0, 0), 0, UP), "wrong-moon"),
    ("a moon in three tricks", Rules(), row_of((0, 26, 26, 26), (3, 10, 0, 0), (26, 0, 0, 0), 0, UP), "wrong-moon"),
    ("a moon in four tricks", Rules(), row_of((0, 26, 26, 26), (4, 9, 0, 0), (26, 0, 0, 0), 0, UP), ""),
    ("another shooter", Rules(), row_of((0, 26, 26, 26), (12, 1, 0, 0), (26, 0, 0, 0), 1, UP), "wrong-moon"),
    ("a moon of 25 points", Rules(), row_of((0, 26, 26, 26), (12, 1, 0, 0), (25, 1, 0, 0), 0, UP), "wrong-moon"),
    ("an effect of other rules", Rules(), row_of((-26, 0, 0, 0), (12, 1, 0, 0), (26, 0, 0, 0), 0, DOWN), "wrong-moon"),
    ("a sun, others won tricks", SUN, row_of((0, 52, 52, 52), (12, 1, 0, 0), (26, 0, 0, 0), 0, UP, True), "wrong-moon"),
    ("all tricks, no sun", SUN, row_of((0, 26, 26, 26), (13, 0, 0, 0), (26, 0, 0, 0), 0, UP), "wrong-moon"),
    ("all tricks, a sun", SUN, row_of((0, 52, 52, 52), (13, 0, 0, 0), (26, 0, 0, 0), 0, UP, True), ""),
    ("a sun without the rule", Rules(), row_of((0, 52, 52, 52), (13, 0, 0, 0), (26, 0, 0, 0), 0, UP, True),
     "wrong-moon"),
    ("partners with all tricks, a sun of one player", SUN_ALONE,
     row_of((0, 52, 0, 52), (12, 0, 1, 0), (26, 0, 0, 0), 0, UP, True), "wrong-moon"),
    ("partners with all tricks, no sun of one player", SUN_ALONE,
     row_of((0, 26, 0, 26), (12, 0, 1, 0), (26, 0, 0, 0), 0, UP), ""),
    ("one player has all tricks, no sun", SUN_ALONE, row_of((0, 26, 0, 26), (13, 0, 0, 0), (26, 0, 0, 0), 0, UP),
     "wrong-moon"),
    ("partners with all tricks, no sun of a team", attrs.evolve(SUN, teams=2),
     row_of((0, 26, 0, 26), (12, 0, 1, 0), (26, 0, 0, 0), 0, UP), "wrong-moon"),
    ("save without need", Rules(moon=Moon.AUTO_SAVE), row_of((-26, 0, 0, 0), (12, 1, 0, 0), (26, 0, 0, 0), 0, DOWN),
     "wrong-moon"),
    ("two bonuses", OMNIBUS, row_of((3, -7, 3, 7), (4, 4, 3, 2), (13, 3, 3, 7)), "wrong-points"),
    ("four bonuses", OMNIBUS, row_of((3, -7, -7, -3), (4, 4, 3, 2), (13, 3, 3, 7)), "wrong-points"),
    ("no bonus", OMNIBUS, row_of((13, 3, 3, 7), (4, 4, 3, 2)), "wrong-points"),
    ("3 of 10 points", OMNIBUS, row_of((10, 3, 3, 7), (4, 4, 3, 2), (13, 3, 3, 7)), "wrong-points"),
    ("one bonus", OMNIBUS, row_of((3, 3, 3, 7), (4, 4, 3, 2), (13, 3, 3, 7)), ""),
    ("the bonus without room", OMNIBUS, row_of((6, 10, 0, 0), (1, 12, 0, 0), (16, 10, 0, 0)), ""),
    ("116 and 1 with spot values", SPOT_13, row_of((116, 1, 0, 0), (7, 6, 0, 0)), ""),
    ("115 and 2 with spot values", SPOT_13, row_of((115, 2, 0, 0), (7, 6, 0, 0)), ""),
    ("65 in one trick of spot values", SPOT, row_of((65, 64, 0, 0), (1, 12, 0, 0)), "wrong-sum"),
    ("64 in one trick of spot values", SPOT, row_of((64, 65, 0, 0), (1, 12, 0, 0)), ""),
    ("the partner shot", SHARED_MOON, row_of((0, 26, 0, 26), (5, 4, 4, 0), (12, 0, 14, 0), 0, UP, queen=2),
     "wrong-moon"),
    ("the dealer's left is first", SHARED_MOON, row_of((0, 26, 0, 26), (5, 4, 4, 0), (13, 0, 13, 0), 0, UP),
     "wrong-moon"),
    ("partners shot", SHARED_MOON, row_of((0, 26, 0, 26), (5, 4, 4, 0), (13, 0, 13, 0), 2, UP), ""),
    ("partners did not shoot", Rules(teams=2), row_of((0, 26, 0, 26), (5, 4, 4, 0), (13, 0, 13, 0), 2, UP),
     "wrong-moon"),
    ("points without a trick", Rules(), row_of((13, 13, 0, 0), (13, 0, 0, 0)), "wrong-sum"),
    ("27 points", Rules(), row_of((14, 13, 0, 0), (12, 1, 0, 0)), "wrong-sum"),
    ("25 points in all", Rules(), row_of((12, 13, 0, 0), (12, 1, 0, 0)), "wrong-sum"),
    ("negative cards", Rules(), row_of((27, -1, 0, 0), (12, 1, 0, 0)), "out-of-range"),
    ("12 tricks", Rules(), row_of((13, 13, 0, 0), (6, 6, 0, 0)), "wrong-sum"),
    ("-1 tricks", Rules(), row_of((13, 13, 0, 0), (7, 7, 0, -1)), "out-of-range"),
    ("other totals", Rules(), replaced(row_of((13, 13, 0, 0), (7, 6, 0, 0)), totals=(13, 13, 1, 0)), "wrong-scores"),
    ("everything at once", Rules(),
     replaced(row_of((1, 2, 3, 4), (9, 9, 0, 0), (-5, 0, 0, 9), 7, None, True), totals=(0, 0, 0, 0)),
     "wrong-scores wrong-sum out-of-range wrong-sum wrong-moon wrong-moon"),
    ("huge", Rules(), row_of((HUGE, -HUGE, 0, 0), (HUGE, -HUGE, 13, 0), None, -HUGE, DOWN, True),
     "out-of-range out-of-range out-of-range wrong-moon wrong-moon"),
    ("huge points", Rules(), row_of((HUGE, 13, 0, 0), (7, 6, 0, 0), (13, 13, 0, 0)), "wrong-points"),
    ("huge card points", Rules(), row_of((HUGE, 13, 0, 0), (7, 6, 0, 0)), "wrong-sum"),
    ("nothing by seat", Rules(), row_of((), ()), "wrong-count wrong-count wrong-count wrong-count"),
    ("five seats", Rules(), row_of((13, 13, 0, 0, 0), (7, 6, 0, 0)), "wrong-count wrong-count wrong-count"),
    ("a moon where there is none", Rules(moon=Moon.OFF), row_of((0, 26, 26, 26), (13, 0, 0, 0), (26, 0, 0, 0), 0, UP),
     "wrong-moon"),
    ("an effect without a shooter", Rules(moon=Moon.CHOICE), row_of((13, 13, 0, 0), (7, 6, 0, 0), None, None, UP),
     "wrong-moon"),
    ("S30: everything, doubled", GONG_ZHU, row_of((-800, 0, 0, 0), (12, 1, 0, 0), (300, 0, 0, 0), 0, DOWN), ""),
    ("S30 without the queen", GONG_ZHU, row_of((-600, 0, 0, 100), (12, 0, 0, 1), (200, 0, 0, 100), 0, DOWN, queen=3),
     ""),
    ("S30, the doubler alone elsewhere", GONG_ZHU, row_of((-400, -50, 0, 0), (12, 1, 0, 0), (300, 0, 0, 0), 0, DOWN),
     ""),
    ("S30, another has the queen", GONG_ZHU, row_of((-800, 0, 0, 0), (12, 1, 0, 0), (300, 0, 0, 0), 0, DOWN, queen=1),
     "wrong-queen-taker"),
    ("S30, no moon", GONG_ZHU, row_of((400, 0, 0, 0), (13, 0, 0, 0), (300, 0, 0, 0)), "wrong-moon"),
    ("S30, no moon, a worthless heart elsewhere", GONG_ZHU, row_of((400, 0, 0, 0), (12, 1, 0, 0), (300, 0, 0, 0)), ""),
    ("S32, a moon", GONG_ZHU, row_of((-50, -200, -100, 100), (3, 4, 3, 3), (0, 200, 0, 100), 1, DOWN, queen=3), ""),
    ("S32, 13 hearts in three tricks", GONG_ZHU, row_of((-50, -200, -100, 100), (4, 3, 3, 3), (0, 200, 0, 100), 1, DOWN,
     queen=3), "wrong-moon"),
    ("S32, hearts of 190", GONG_ZHU, row_of((-50, -190, -100, 110), (4, 3, 3, 3), (0, 190, 0, 110), 1, DOWN, queen=3),
     "wrong-moon"),
    ("S34: kings are not moon cards", MARIA, row_of((0, 43, 26), (8, 5, 4), (26, 17, 0), 0, UP), ""),
    ("S34, the king with the shooter", MARIA, row_of((10, 33, 26), (8, 5, 4), (36, 7, 0), 0, UP), ""),
    ("S34, the king forgotten", MARIA, row_of((0, 33, 26), (8, 5, 4), (36, 7, 0), 0, UP), "wrong-points"),
    ("S34, everything, no moon", MARIA, row_of((43, 0, 0), (8, 5, 4)), "wrong-moon"),
    ("S34, the queen elsewhere, a moon", MARIA, row_of((10, 46, 26), (8, 5, 4), (23, 20, 0), 0, UP, queen=1),
     "wrong-moon"),
    ("the doubler with a bonus card", DOUBLED, row_of((14, -14, 9, 1), (4, 4, 3, 2), (14, 3, 9, 0), queen=0),
     "wrong-points"),
    ("the doubler with nobody", DOUBLED, row_of((4, 3, 4, 0), (4, 4, 3, 2), (14, 3, 9, 0), queen=0), ""),
    ("the doubler alone", DOUBLED, row_of((4, 3, 4, -50), (4, 4, 3, 2), (14, 3, 9, 0), queen=0), ""),
    ("the doubler without a trick", DOUBLED, row_of((4, 3, 4, -50), (4, 4, 5, 0), (14, 3, 9, 0), queen=0),
     "wrong-points"),
    ("the queen without a trick", Rules(), row_of((26, 0, 0, 0), (12, 1, 0, 0), queen=3),
     "wrong-queen-taker wrong-moon"),
    ("nobody has the queen", Rules(), row_of((13, 13, 0, 0), (7, 6, 0, 0), queen=None), "wrong-queen-taker"),
    ("the queen with 12 points", Rules(), row_of((12, 14, 0, 0), (7, 6, 0, 0)), "wrong-queen-taker"),
    ("the queen in no pile of 16 in a trick", Rules(), row_of((16, 10, 0, 0), (1, 12, 0, 0), queen=1),
     "wrong-queen-taker"),
    ("the queen with seat 4", Rules(), row_of((13, 13, 0, 0), (7, 6, 0, 0), queen=4), "wrong-queen-taker"),
    ("one of two queens", Rules(decks=2, players=8), row_of((52, 0, 0, 0, 0, 0, 0, 0), (13, 0, 0, 0, 0, 0, 0, 0)),
     "wrong-queen-taker"),
    ("no queen", Rules(removed="QS 2C 2D 3C"), row_of((13, 0, 0, 0), (12, 0, 0, 0)), "wrong-queen-taker"),
    ("one bonus card shared", OMNIBUS, row_of((8, -2, 3, 7), (4, 4, 3, 2), (13, 3, 3, 7)), ""),
    ("no points, a kitty of one card", Rules(players=3, hand_size=17, kitty=Kitty.LAST_TRICK),
     row_of((0, 0, 0), (7, 6, 4), queen=None), "wrong-sum"),
    ("no points, a kitty that may be left", Rules(players=3, hand_size=17, kitty=Kitty.FIRST_HEART),
     row_of((0, 0, 0), (7, 6, 4), queen=None), "wrong-sum"),
    ("no moon, every trick", Rules(moon_cards=MoonCards.EVERY_CARD), row_of((26, 0, 0, 0), (13, 0, 0, 0)),
     "wrong-moon"),
    ("a moon of every card, without a trick", Rules(moon_cards=MoonCards.EVERY_CARD),
     row_of((0, 26, 26, 26), (12, 1, 0, 0), (26, 0, 0, 0), 0, UP), "wrong-moon"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "row", "codes"), [row[1:] for row in FORGED], ids=[row[0] for row in FORGED])
def test_forged_rows(rules: Rules, row: DealScore, codes: str) -> None:
    assert judged(rules, row, (0,) * rules.players, 0) == tuple(codes.split())


def test_problems_name_the_field() -> None:
    forged = replaced(row_of((5, 21, 3, 0), (7, 6, 0, 0), (13, 13, 0, 0)), totals=(1, 2, 3, 4))
    problems = row_problems(Rules(), forged, (0, 0, 0, 0), 0, "score_sheet[7]")
    assert [problem.fields[0] for problem in problems] == [
        "score_sheet[7].totals",
        "score_sheet[7].points[0]",
        "score_sheet[7].points[1]",
        "score_sheet[7].points[2]",
    ]
    problems = row_problems(Rules(), row_of((13, 13, 0, 0), (7, 6, 0, 0)), (0, 0, 0), 0, "score_sheet[7]")
    assert [(problem.code, problem.fields) for problem in problems] == [("wrong-count", ("score_sheet[7]",))]


def test_an_automatic_moon_looks_at_the_totals_before() -> None:
    rules = Rules(moon=Moon.AUTO_SAVE)
    before = (90, 10, 20, 80)
    for effect, points, codes in ((UP, (0, 26, 26, 26), ("wrong-moon",)), (DOWN, (-26, 0, 0, 0), ())):
        row = row_of(points, (12, 1, 0, 0), (26, 0, 0, 0), 0, effect)
        row = replaced(row, totals=new_totals(rules._resolved, before, points))
        assert judged(rules, row, before, 3) == codes


def test_cards_that_were_exposed() -> None:
    rules = Rules(exposable="QS AH")
    row = row_of((26, 13, 0, 0), (7, 6, 0, 0))
    nothing = rules._resolved.nothing
    for bags, codes in (
        ((*nothing[1:], Cards("QS")), ()),
        (nothing, ("wrong-sum",)),
        ((), ("wrong-count",)),
        (nothing[1:], ("wrong-count",)),
        ((*nothing[1:], Cards("2C")), ("not-exposable",)),
        ((Cards("QS"), *nothing[2:], Cards("QS")), ("exposed-twice",)),
    ):
        assert judged(rules, replaced(row, exposed=bags), (0,) * 4, 0) == codes
