"""Rows of the score sheet: accepted exactly when some distribution of the cards is scored so.

The oracle deals every distribution of a small deck, by the words of the rules and not by the search of
`heartsrules.setup.row_check`, and scores each one.
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

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    DealScore,
    GameOver,
    InvalidRules,
    InvalidState,
    Rules,
    Suit,
    presets,
    score_deal,
)
from heartsrules.base.values import replaced
from heartsrules.play.board import Board
from heartsrules.play.exposing import resolved_with
from heartsrules.play.scoring import new_totals, score_finished_deal, set_points
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
from heartsrules.setup.row_check import MOST_STEPS, row_problems
from support.rounds import rounds
from support.strategies import match, random_rules

ROUNDS: Final = max(40, rounds(40))
"""How many random rule sets are compared."""
KINDS_OF_RULES: Final = 5 + 8 + 4
"""Moons by cards and scope, what else there may be, and kitties: so many must have come up."""


FULL: Final = Rules(decks=2).deck
QUEEN: Final = Card("QS")
WHERE: Final = "score_sheet[1]"


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
    exposed = exposed or rules.resolved.nothing
    tables = resolved_with(rules, exposed)
    return {
        score_finished_deal(tables, piles, won, before, number, exposed, effect)
        for piles, won in ends.values()
        for effect in ((Moon.OTHERS_UP, Moon.SHOOTER_DOWN) if rules.moon is Moon.CHOICE else (None,))
    }


# ------------------------------------------------------------------------------------------------ rows to be judged


def with_totals(rules: Rules, row: DealScore, before: tuple[int, ...]) -> DealScore:
    return replaced(row, totals=new_totals(rules.resolved, before, row.points))


def consistent_rows(rules: Rules, before: tuple[int, ...], rng: Random, count: int) -> Iterator[DealScore]:
    """Rows whose points follow from their card points, whatever cards those would take."""
    players, tables = rules.players, rules.resolved
    for _ in range(count):
        tricks = list(rng.choice(list(splits(rules.cards_per_hand, players + 1))))[:players]
        total = rules.penalty_total if rng.randrange(3) else rng.randint(0, rules.penalty_total)
        winners = [seat for seat in range(players) if tricks[seat]] or [0]
        kept = winners if rng.randrange(3) else [rng.choice(winners)]
        cuts = sorted(rng.randint(0, total) for _ in kept[1:])
        cards = [0] * players
        for seat, low, high in zip(kept, [0, *cuts], [*cuts, total], strict=True):
            cards[seat] = high - low
        bonuses, doublers = [0] * players, [0] * players
        for card in rules.deck:
            for bonus in rules.bonuses:
                if bonus.card is card and rng.randrange(4):
                    bonuses[rng.choice(winners)] += bonus.points
            if rules.doubler is not None and rules.doubler.card is card and rng.randrange(4):
                doublers[rng.choice(winners)] += 1
        queens = rules.deck.count(QUEEN)
        taker = rng.choice((-1, *winners, *winners)) if queens == 1 else -1
        if taker >= 0 and rng.randrange(3) and cards[taker] < rules.penalty(QUEEN):
            taker = max(winners, key=lambda seat: cards[seat])
        holders = [side for side in tables.moon_sides if sum(cards[seat] for seat in side) >= tables.moon_value]
        shooter, effect, sun, moon = -1, None, False, 0
        apart: list[int] = []
        if holders and rules.moon is not Moon.OFF and rng.randrange(6):
            side = rng.choice(holders)
            shooter = rng.choice(side)
            fixed = rules.moon in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
            effect = rules.moon if fixed else rng.choice((Moon.OTHERS_UP, Moon.SHOOTER_DOWN))
            sun = rules.sun and rng.random() < 0.5
            moon = tables.moon_value + (tables.queens_value if tables.moon_queens and taker in side else 0)
            if rules.moon_cards is not MoonCards.ALL:
                apart = list(cards)
                left = sum(cards[seat] for seat in side) - moon
                for seat in side:
                    apart[seat] = max(left, 0) if seat == side[-1] else rng.randint(0, max(left, 0))
                    left -= apart[seat]
        scoring = [bool(cards[seat] or bonuses[seat] or rng.randrange(2)) for seat in range(players)]
        board = Board(tables, before)
        board.shooter, board.moon, board.sun, board.has_apart = shooter, moon, sun, bool(apart)
        for number, own in enumerate(board.seats):
            own.card_points, own.won, own.bonus = cards[number], tricks[number], bonuses[number]
            own.doublers, own.scoring, own.apart = doublers[number], scoring[number], apart[number] if apart else 0
        set_points(tables, board, effect is Moon.SHOOTER_DOWN)
        row = DealScore(
            tuple([seat.points for seat in board.seats]), tuple(cards), None if shooter < 0 else shooter, effect,
            sun, tuple(tricks), before, None if taker < 0 else taker,
        )  # fmt: skip
        yield with_totals(rules, row, before)


def mutations(rules: Rules, row: DealScore, before: tuple[int, ...], rng: Random) -> Iterator[DealScore]:
    """Rows that are nearly this one."""
    players = rules.players
    one, other = rng.sample(range(players), 2)
    for name in ("points", "card_points", "tricks_won", "totals"):
        values: tuple[int, ...] = getattr(row, name)
        for step in (1, -1, 10):
            changed = list(values)
            changed[one] += step
            yield replaced(row, **{name: tuple(changed)})
            if name == "points":
                yield with_totals(rules, replaced(row, points=tuple(changed)), before)
            changed[other] -= step
            yield replaced(row, **{name: tuple(changed)})
            if name != "totals":
                both = replaced(row, **{name: tuple(changed)})
                if name == "card_points" and row.shooter is None:
                    gained = [now - then for now, then in zip(changed, values, strict=True)]
                    both = replaced(both, points=tuple([a + b for a, b in zip(row.points, gained, strict=True)]))
                yield with_totals(rules, both, before)
        swapped = list(values)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        yield with_totals(rules, replaced(row, **{name: tuple(swapped)}), before)
    for shooter in (None, -1, *range(players + 1)):
        yield replaced(row, shooter=shooter)
    for effect in (None, *Moon):
        yield replaced(row, effect=effect)
        yield replaced(row, shooter=one, effect=effect)
    for taker in (None, -1, *range(players + 1)):
        yield replaced(row, queen_taker=taker)
    if rules.doubler is not None or rules.bonuses:
        for by in (-2, 2):
            doubled = tuple([each * by if seat == one else each for seat, each in enumerate(row.points)])
            yield with_totals(rules, replaced(row, points=doubled), before)
        for bonus in rules.bonuses:
            given = list(row.points)
            given[one] += bonus.points
            yield with_totals(rules, replaced(row, points=tuple(given)), before)
            given[other] -= bonus.points
            yield with_totals(rules, replaced(row, points=tuple(given)), before)
    yield replaced(row, sun=not row.sun)
    yield replaced(row, shooter=None, effect=None, sun=False)
    yield with_totals(rules, replaced(row, points=row.card_points, shooter=None, effect=None, sun=False), before)


# --------------------------------------------------------------------------------------------------- small decks

ONE = "2H 3H 4H QS 2C 3C 4C 5C 6C"
TWICE = "2H 2H 3H QS QS 2C 2C 4C 5C"
JACK = (Bonus(Card("JD"), 10),)
TEN = Bonus(Card("TD"), 5)
BOTH = (*JACK, TEN)
KITTIES = [kind for kind in Kitty if kind is not Kitty.NONE]
SPREAD: Final[dict[str, Any]] = {"heart_values": HeartValues.SPOT, "target": 500}
TC: Final = Card("TC")
LOW: Final = (0, 0, 2, 2) + (1,) * 9
SOME: Final = (MoonCards.HEARTS_AND_QUEEN, MoonCards.HEARTS)
QUEENS: Final[dict[str, Any]] = {"moon_cards": MoonCards.HEARTS_AND_QUEEN}
PIGS: Final[dict[str, Any]] = {
    "heart_values": (0, 0, 0, 10, 10, 10, 10, 10, 10, 20, 30, 40, 50), "queen_points": 100,
    "bonuses": (Bonus(Card("JD"), 100),), "doubler": Doubler(TC, 2, 50), "moon": Moon.SHOOTER_DOWN,
    "moon_cards": MoonCards.HEARTS, "target": 1000, "tie": Tie.SHARED,
}  # fmt: skip
CASES: list[tuple[str, Rules]] = [
    *[(f"one deck, moon {moon}", small(ONE, moon=moon, target=40)) for moon in Moon],
    *[(f"one deck, sun, moon {moon}", small(ONE, moon=moon, sun=True, target=60)) for moon in Moon
      if moon is not Moon.OFF],
    *[(f"kitty {kind}", small(f"{ONE} 7C", kitty=kind)) for kind in KITTIES],
    *[(f"kitty {kind}, larger than a trick", small(ONE, kitty=kind, hand_size=1, sun=True)) for kind in KITTIES],
    *[(f"kitty {kind}, hearts worth nothing", small(f"{ONE} 7C 8C", kitty=kind, heart_values=(0, 0, 2) + (0,) * 10))
      for kind in KITTIES],
    *[(f"kitty {kind}, spot values", small("2H 4H 5H 9H AH QS KS 2C", kitty=kind, **SPREAD)) for kind in KITTIES],
    *[(f"kitty {kind}, two decks, {void}", small(f"{TWICE} 6C", kitty=kind, void_last_trick=void, sun=True))
      for kind in KITTIES for void in VoidLastTrick],
    *[(f"two decks, {way}, {void}", small(TWICE, duplicates=way, void_last_trick=void, sun=True))
      for way in Duplicates for void in VoidLastTrick],
    ("two decks, moon choice", small(TWICE, moon=Moon.CHOICE, sun=True)),
    ("two decks, auto", small(TWICE, moon=Moon.AUTO_SAVE, sun=True, target=30)),
    ("two decks, spot values", small("2H 2H 5H 9H QS QS 2C 2C 3C", **SPREAD)),
    ("spot values, queen of 25", small("2H 4H 5H 9H AH QS 2C 3C 4C", queen_points=25, **SPREAD)),
    ("face values", small("9H TH JH QH AH QS 2C 3C 4C", heart_values=HeartValues.FACE)),
    ("values of gaps", small("3H 4H 5H 6H 7H 8H 2C 3C 4C", heart_values=(0, 3, 7, 7, 50, 51, 99) + (0,) * 6)),
    *[(f"bonus, floor {floor}", small(f"JD {ONE[:-3]}", bonuses=JACK, bonus_floor=floor)) for floor in BonusFloor],
    *[(f"two bonus cards, floor {floor}", small("JD JD 2H QS QS 2C 2C 3C 4C", bonuses=JACK, bonus_floor=floor))
      for floor in BonusFloor],
    *[(f"the moon needs the bonus, {moon}", small(f"JD {ONE[:-3]}", bonuses=JACK, moon_needs_bonus=True, moon=moon))
      for moon in Moon],
    ("the moon needs both, with a kitty",
     small("JD JD 2H QS 2C 2C 3C 4C", bonuses=JACK, moon_needs_bonus=True, kitty=Kitty.FIRST_POINT)),
    *[(f"teams, scope {scope}, {moon}",
       small("2H 3H 4H QS 2C 3C 4C 5C", 4, teams=2, moon_scope=scope, moon=moon, queen_points=2, sun=True, target=20))
      for scope in MoonScope for moon in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN, Moon.AUTO_SAVE)],
    ("no tricks", small(ONE, no_tricks_bonus=5)),
    ("no tricks, not on a moon", small(ONE, no_tricks_bonus=5, no_tricks_bonus_on_moon=False)),
    ("resets", small(ONE, exact_resets=((17, 3), (5, -5), (20, 0)))),
    ("resets and extend", small(ONE, exact_resets=((20, 0), (33, 2)), moon=Moon.AUTO_EXTEND, target=20)),
    ("black maria", small("KS AS QS 2H 3H 4H 2C 3C 4C", extra_penalties=((Card("KS"), 10), (Card("AS"), 7)))),
    ("the last deal", small(ONE, moon=Moon.AUTO_EXTEND, target=None, max_deals=4, tie=Tie.SHARED)),
    *[(f"bonus cards of two kinds, floor {floor}", small(f"JD TD {ONE[:-6]}", bonuses=BOTH, bonus_floor=floor))
      for floor in BonusFloor],
    *[(f"bonus cards of two kinds, two decks, floor {floor}",
       small("JD JD TD 2H QS QS 2C 2C 3C", bonuses=BOTH, bonus_floor=floor)) for floor in BonusFloor],
    *[(f"the moon needs two bonus cards, {kitty}",
       small("JD TD 2H 3H QS 2C 3C 4C 5C 6C", bonuses=BOTH, moon_needs_bonus=True, kitty=kitty)) for kitty in KITTIES],
    ("bonus cards alike", small(f"JD TD {ONE[:-6]}", bonuses=(*JACK, Bonus(Card("TD"), 10)), moon_needs_bonus=True)),
    ("the queen as a bonus card", small(ONE, queen_points=0, bonuses=(Bonus(QUEEN, 5),))),
    ("the queen as one of two bonus cards, moon of hearts and queen",
     small(f"JD {ONE[:-3]}", queen_points=0, bonuses=(*JACK, Bonus(QUEEN, 10)), **QUEENS, moon_needs_bonus=True)),
    ("two queens as bonus cards, moon of hearts and queens",
     small("2H 3H QS QS 2C 2C 3C 4C 5C", queen_points=0, bonuses=(Bonus(QUEEN, 10),), **QUEENS)),
    *[(f"doubler, alone {alone}", small(f"TC {ONE[:-3]}", doubler=Doubler(TC, 3, alone))) for alone in (0, 1, 50)],
    *[(f"doubler, moon {moon}", small(f"TC {ONE[:-3]}", doubler=Doubler(TC, 2, 5), moon=moon, sun=True, target=60))
      for moon in Moon if moon is not Moon.OFF],
    ("doubler, worthless hearts", small("TC 2H 3H 4H QS 2C 3C 4C 5C", doubler=Doubler(TC, 2, 5), heart_values=LOW)),
    ("doubler, nothing but worthless hearts and the queen",
     small("TC 2H 3H 4H 5H 6H 7H QS 2C", doubler=Doubler(TC, 2, 5), heart_values=(0,) * 13)),
    *[(f"doubler, worthless hearts, kitty {kitty}",
       small("TC 2H 3H 4H QS 2C 3C 4C", doubler=Doubler(TC, 2, 5), heart_values=LOW, kitty=kitty))
      for kitty in KITTIES],
    *[(f"doubler, two decks, worthless hearts, {way}",
       small("TC TC 2H 3H QS QS 2C 2C 3C", doubler=Doubler(TC, 2, 5), heart_values=LOW, queen_points=7, duplicates=way))
      for way in Duplicates],
    ("doubler, two decks, a kitty", small("TC TC 2H 3H QS QS 2C 2C", doubler=Doubler(TC, 2, 5), kitty=Kitty.FIRST_HEART,
                                          heart_values=(0,) * 13)),
    ("doubler and bonus card", small("TC JD 2H 3H 4H QS 2C 3C 4C", doubler=Doubler(TC, 2, 5), bonuses=JACK,
                                     heart_values=LOW, no_tricks_bonus=5)),
    ("the queen as the doubler", small(f"JD {ONE[:-3]}", doubler=Doubler(QUEEN, 2, 5), queen_points=0, bonuses=JACK)),
    ("two queens as doublers, moon of hearts and queens",
     small("2H 3H QS QS 2C 2C 3C 4C 5C", doubler=Doubler(QUEEN, 2, 5), queen_points=0, **QUEENS)),
    *[(f"moon of {cards}, {moon}",
       small("KS 2H 3H 4H QS 2C 3C 4C 5C", extra_penalties=((Card("KS"), 10),), moon=moon, moon_cards=cards, sun=True,
             target=60)) for cards in SOME for moon in Moon if moon is not Moon.OFF],
    *[(f"moon of {cards}, of 7 points", small("KS 2H 3H 4H QS 2C 3C 4C 5C", extra_penalties=((Card("KS"), 1),),
                                             moon_cards=cards, moon_points=7)) for cards in SOME],
    *[(f"moon of {cards}, worthless hearts", small("KS 2H 3H 4H QS 2C 3C 4C 5C", extra_penalties=((Card("KS"), 2),),
                                                  moon_cards=cards, heart_values=LOW)) for cards in SOME],
    *[(f"moon of {cards}, dear spades", small("KS AS JS TS 3H 4H QS 2C 3C", moon_cards=cards, queen_points=1,
                                              extra_penalties=[(Card(text), 1) for text in ("KS", "AS", "JS", "TS")]))
      for cards in SOME],
    *[(f"moon of {cards}, worthless hearts, kitty {kitty}",
       small("KS 2H 3H 4H QS 2C 3C 4C", extra_penalties=((Card("KS"), 2),), moon_cards=cards, heart_values=LOW,
             kitty=kitty, queen_points=3)) for cards in SOME for kitty in KITTIES],
    *[(f"moon of {cards}, two decks, queen {queen}",
       small("2H 3H 3H QS QS 2C 2C 3C 4C", moon_cards=cards, queen_points=queen))
      for cards in SOME for queen in (0, 4)],
    ("a queen with a lonely doubler keeps the moon away",
     small("2H 3H 4H 5H QS QS TC 4C 5C", doubler=Doubler(TC, 2, 1), heart_values=LOW, queen_points=0, **QUEENS)),
    *[(f"moon of {cards}, two decks, {way}, a king",
       small("2H 4H QS QS KS 2C 2C 3C 4C", moon_cards=cards, extra_penalties=((Card("KS"), 2),), heart_values=LOW,
             duplicates=way, sun=True)) for cards in SOME for way in Duplicates],
    *[(f"moon of {cards} and bonus cards",
       small("JD TD 2H 4H QS KS 2C 3C 4C", moon_cards=cards, heart_values=LOW, extra_penalties=((Card("KS"), 2),),
             bonuses=BOTH, moon_needs_bonus=True)) for cards in SOME],
    *[(f"moon of {cards}, bonus cards with a floor, {moon}",
       small("JD TD 2H 4H QS KS 2C 3C 4C", moon_cards=cards, extra_penalties=((Card("KS"), 2),), bonuses=BOTH,
             moon=moon, bonus_floor=BonusFloor.DEAL, queen_points=1))
      for cards in SOME for moon in (Moon.OTHERS_UP, Moon.CHOICE)],
    *[(f"moon of {cards}, teams, {moon}",
       small("2H 4H 5H QS KS 2C 3C 4C", 4, teams=2, moon_scope=MoonScope.TEAM, moon=moon, moon_cards=cards, sun=True,
             extra_penalties=((Card("KS"), 2),), heart_values=LOW, queen_points=3, target=20))
      for cards in SOME for moon in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN, Moon.AUTO_SAVE)],
    *[(f"moon of {cards}, teams, two decks, queen {queen}",
       small("4H 5H QS QS KS 2C 3C 4C", 4, teams=2, moon_scope=MoonScope.TEAM, moon_cards=cards,
             extra_penalties=((Card("KS"), 2), (Card("4C"), 1)), heart_values=LOW, queen_points=queen))
      for cards in SOME for queen in (0, 3)],
    *[(f"moon of {cards}, teams, a doubler",
       small("2H 3H 5H QS KS TC 3C 4C", 4, teams=2, moon_scope=MoonScope.TEAM, moon_cards=cards,
             extra_penalties=((Card("KS"), 2),), heart_values=LOW, queen_points=3, doubler=Doubler(TC, 2, 5)))
      for cards in SOME],
    *[(f"moon of {cards}, teams, a kitty, a floor",
       small("4H 5H QS KS JD 2C 3C 4C 5C", 4, teams=2, moon_scope=MoonScope.TEAM, moon_cards=cards, hand_size=2,
             extra_penalties=((Card("KS"), 2), (Card("5C"), 1)), kitty=Kitty.FIRST_HEART, bonuses=JACK,
             bonus_floor=BonusFloor.TOTAL)) for cards in SOME],
    ("gong zhu", small("QS JD TC 2H 5H AH 2C 3C 4C", **PIGS)),
    ("gong zhu with a kitty", small("QS JD TC 2H 5H AH 2C 3C", **PIGS, kitty=Kitty.FIRST_HEART)),
    ("gong zhu, partners", small("QS JD TC 2H 5H AH 2C 3C", 4, **PIGS, teams=2)),
]  # fmt: skip
BEFORE: Final = (4, 17, 20, 5)


def judged(rules: Rules, row: DealScore, before: tuple[int, ...], number: int) -> tuple[str, ...]:
    problems, _ = row_problems(rules, row, before, number, WHERE)
    for problem in problems:
        assert problem.fields
        assert all(field.startswith(WHERE) for field in problem.fields)
        assert len(problem.message) <= 2000
    return tuple([problem.code for problem in problems])


def compare(rules: Rules, before: tuple[int, ...], number: int, rng: Random, count: int) -> Counter[str]:
    """Judge rows near all that there can be; both ways, what is accepted is what there can be."""
    real = rows_of(rules, finished(rules), before, number)
    assert real
    reached: Counter[str] = Counter()
    for row in real:
        assert judged(rules, row, before, number) == (), row
        reached["ok"] += 1
    candidates = list(consistent_rows(rules, before, rng, count))
    for row in rng.sample(sorted(real, key=repr), min(len(real), max(count // 60, 1))):
        candidates += mutations(rules, row, before, rng)
    for row in candidates:
        codes = judged(rules, row, before, number)
        assert (codes == ()) == (row in real), (row, codes)
        reached.update(codes)
    return reached


@pytest.mark.sampled(30)
@pytest.mark.parametrize(("name", "rules"), CASES, ids=[name for name, _ in CASES])
def test_rows_are_accepted_exactly_when_some_piles_are_scored_so(name: str, rules: Rules) -> None:
    reached = compare(rules, BEFORE[: rules.players], 3, Random(name), 60)
    assert reached["ok"] >= 3
    assert reached["wrong-scores"] >= 10
    assert reached["wrong-moon"] >= 10


SHOWN_PIGS: Final[dict[str, Any]] = {**PIGS, "exposable": "QS JD TC AH"}
SHOWN_CASES: Final[list[tuple[str, Rules, tuple[str, ...]]]] = [
    ("the queen and hearts", small(ONE, exposable="QS 3H"), ("", "QS", "3H", "QS 3H")),
    ("a moon by its cards", small(ONE, exposable="QS 3H", moon=Moon.SHOOTER_DOWN, sun=True), ("QS", "3H")),
    ("a moon of 7 points", small(ONE, exposable="QS 3H", moon_points=7), ("QS 3H",)),
    ("a moon that would end the game", small(ONE, exposable="QS 3H", moon=Moon.AUTO_SAVE, target=40), ("", "QS 3H")),
    ("a heart worth nothing", small(ONE, exposable="2H", heart_values=(0, 2, 5) + (1,) * 10), ("", "2H")),
    ("two bonus cards and a floor",
     small(f"JD TD {ONE[:-6]}", bonuses=BOTH, bonus_floor=BonusFloor.TOTAL, exposable="JD TD"), ("JD", "TD", "JD TD")),
    ("the doubler", small(f"TC {ONE[:-3]}", doubler=Doubler(TC, 2, 5), exposable="TC QS"), ("TC", "TC QS")),
    ("the king in a moon of hearts", small("KS 2H 3H 4H QS 2C 3C 4C 5C", extra_penalties=((Card("KS"), 10),),
     moon_cards=MoonCards.HEARTS, exposable="KS QS 4H", moon=Moon.SHOOTER_DOWN), ("KS", "QS", "KS 4H", "KS QS 4H")),
    ("a kitty", small(f"{ONE} 7C", kitty=Kitty.FIRST_POINT, exposable="QS 3H"), ("QS", "3H")),
    ("Gong Zhu", small("QS JD TC 2H 5H AH 2C 3C 4C", **SHOWN_PIGS), ("", "QS TC", "JD AH", "QS JD TC AH")),
    ("partners", small("2H 3H 4H QS 2C 3C 4C 5C", 4, teams=2, moon_scope=MoonScope.TEAM, exposable="QS", target=60,
     moon=Moon.SHOOTER_DOWN, queen_points=2), ("", "QS")),
]  # fmt: skip


@pytest.mark.sampled(30)
@pytest.mark.parametrize(
    ("name", "rules", "text"),
    [(name, rules, text) for name, rules, texts in SHOWN_CASES for text in texts],
    ids=[f"{name}: {text or 'nothing'}" for name, _, texts in SHOWN_CASES for text in texts],
)
def test_rows_with_exposed_cards_are_accepted_exactly_when_some_piles_are_scored_so(
    name: str, rules: Rules, text: str
) -> None:
    """Rows near those that there can be, and the rows of the same deals in which other cards were shown."""
    rng = Random(f"{name} {text}")
    before = BEFORE[: rules.players]
    ends = finished(rules)
    nothing = (Cards(),) * rules.players
    bags = (*nothing[1:], Cards(text))
    real = rows_of(rules, ends, before, 3, bags)
    assert real
    refused: Counter[str] = Counter()
    for row in real:
        assert judged(rules, row, before, 3) == (), row
        assert row.exposed == bags
        moved = replaced(row, exposed=(Cards(text), *nothing[1:]))
        assert judged(rules, moved, before, 3) == (), "who showed a card makes no difference"
    some = rng.sample(sorted(real, key=repr), min(len(real), 6))
    candidates = [near for row in some for near in mutations(rules, row, before, rng)]
    for other in {Cards(), rules.exposable, *[Cards([card]) for card in rules.exposable]}:
        candidates += [replaced(row, exposed=bags) for row in rows_of(rules, ends, before, 3, (*nothing[1:], other))]
    for row in candidates:
        codes = judged(rules, row, before, 3)
        assert (codes == ()) == (row in real), (row, codes)
        refused.update(codes)
    assert refused.total() > 100
    row = some[0]
    for forged_bags, code in (
        ((), "wrong-count"),
        (bags[1:], "wrong-count"),
        ((*nothing[1:], Cards("2C")), "not-exposable"),
        ((rules.exposable, *nothing[2:], rules.exposable), "exposed-twice"),
    ):
        assert code in judged(rules, replaced(row, exposed=forged_bags), before, 3)


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
            "moon_cards": MoonCards.ALL if moon is Moon.OFF else rng.choice((*SOME, *SOME, *MoonCards)),
            "no_tricks_bonus": rng.choice((0, 0, 4)),
            "no_tricks_bonus_on_moon": rng.randrange(2) == 0,
            "target": rng.choice((20, 60)),
            "max_deals": rng.choice((None, 4)),
        }  # fmt: skip
        if rng.randrange(2):
            options["doubler"] = Doubler(rng.choice([card for card in deck if card.suit is not Suit.HEARTS]), 2, points)
        elif options["bonuses"]:
            options["bonus_floor"] = rng.choice(tuple(BonusFloor))
        if players == 4 and rng.randrange(4):
            options |= {"teams": 2, "moon_scope": rng.choice((MoonScope.PLAYER, MoonScope.TEAM, MoonScope.TEAM))}
        try:
            return small(" ".join(map(str, cards)), players, **options)
        except InvalidRules:
            continue


@pytest.mark.long
def test_rows_of_random_special_rule_sets() -> None:
    rng = Random("special rule sets")
    reached: Counter[str] = Counter()
    seen: Counter[object] = Counter()
    while seen["rule sets"] < ROUNDS or (
        seen["rule sets"] < 10 * ROUNDS and (len(seen) < KINDS_OF_RULES or min(seen.values()) < 3)
    ):
        rules = special_rules(rng)
        ways = 1
        for group in kinds(rules):
            ways *= comb(len(group) + rules.players + 1, rules.players + 1)
        if ways > 400_000:
            continue
        before = tuple([rng.choice((0, 3, 7, 12, 40)) for _ in range(rules.players)])
        reached += compare(rules, before, rng.randrange(4), rng, 100)
        seen["rule sets"] += 1
        seen[rules.moon_cards, rules.moon_scope] += 1
        seen["bonus cards"] += len(rules.bonuses) > 1
        seen["doubler"] += rules.doubler is not None
        seen["needs bonus"] += rules.moon_needs_bonus
        seen["two decks"] += rules.decks == 2
        seen[rules.kitty, "kitty"] += rules.kitty_size > 0
    codes = ("ok", "wrong-scores", "wrong-sum", "out-of-range", "wrong-moon", "wrong-points", "impossible-row",
             "wrong-queen-taker")  # fmt: skip
    for code in codes:
        assert reached[code] >= 100, reached
    assert len(seen) == KINDS_OF_RULES, seen
    assert min(seen.values()) >= 3, seen


@pytest.mark.long
def test_rows_of_random_small_rule_sets() -> None:
    rng = Random("random small rule sets")
    reached: Counter[str] = Counter()
    kitties: Counter[Kitty] = Counter()
    cases = 0
    while cases < 140:
        rules = random_rules(rng, players=rng.choice((3, 3, 4)))
        ways = 1
        for group in kinds(rules):
            ways *= comb(len(group) + rules.players + 1, rules.players + 1)
        if ways > 4_000 or rules.cards_per_hand < 2:
            continue
        before = tuple([rng.choice((0, 3, 7, 12, 40)) for _ in range(rules.players)])
        reached += compare(rules, before, rng.randrange(4), rng, 60)
        if rules.kitty_size:
            kitties[rules.kitty] += 1
        cases += 1
    for code in ("ok", "wrong-scores", "wrong-sum", "out-of-range", "wrong-moon", "wrong-points", "impossible-row"):
        assert reached[code] >= 100, reached
    for kind in KITTIES:
        assert kitties[kind] >= 4, kitties


@pytest.mark.sampled(5)
@pytest.mark.untraced
@pytest.mark.parametrize(("name", "rules"), CASES, ids=[name for name, _ in CASES])
def test_score_deal_accepts_exactly_the_piles_of_finished_deals(name: str, rules: Rules) -> None:
    rng = Random(name)
    ends = finished(rules)
    free = attrs.evolve(rules, moon=Moon.OFF, sun=False, moon_needs_bonus=False, moon_cards=MoonCards.ALL)
    players = rules.players
    accepted = refused = 0

    def check(piles: Sequence[Cards], won: Sequence[int]) -> None:
        nonlocal accepted, refused
        try:
            score_deal(free, piles, won)
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
    ("25 points in one trick", Rules(), row_of((25, 1, 0, 0), (1, 12, 0, 0)), "impossible-row"),
    ("16 points in one trick", Rules(), row_of((16, 10, 0, 0), (1, 12, 0, 0)), ""),
    ("17 points in one trick", Rules(), row_of((17, 9, 0, 0), (1, 12, 0, 0)), "impossible-row"),
    ("13 hearts in one trick", Rules(queen_points=0), row_of((12, 1, 0, 0), (1, 12, 0, 0)), "impossible-row"),
    ("13 hearts in one trick, the queen elsewhere", Rules(), row_of((13, 13, 0, 0), (1, 12, 0, 0)), ""),
    ("5 hearts in one trick", Rules(), row_of((5, 21, 0, 0), (1, 12, 0, 0), queen=1), "impossible-row"),
    ("a moon in one trick", Rules(), row_of((0, 26, 26, 26), (1, 12, 0, 0), (26, 0, 0, 0), 0, UP), "impossible-row"),
    ("a moon in three tricks", Rules(), row_of((0, 26, 26, 26), (3, 10, 0, 0), (26, 0, 0, 0), 0, UP), "impossible-row"),
    ("a moon in four tricks", Rules(), row_of((0, 26, 26, 26), (4, 9, 0, 0), (26, 0, 0, 0), 0, UP), ""),
    ("another shooter", Rules(), row_of((0, 26, 26, 26), (12, 1, 0, 0), (26, 0, 0, 0), 1, UP), "wrong-moon"),
    ("a moon of 25 points", Rules(), row_of((0, 26, 26, 26), (12, 1, 0, 0), (25, 1, 0, 0), 0, UP), "wrong-moon"),
    ("an effect of other rules", Rules(), row_of((-26, 0, 0, 0), (12, 1, 0, 0), (26, 0, 0, 0), 0, DOWN), "wrong-moon"),
    ("a sun, others won tricks", SUN, row_of((0, 52, 52, 52), (12, 1, 0, 0), (26, 0, 0, 0), 0, UP, True), "wrong-moon"),
    ("all tricks, no sun", SUN, row_of((0, 26, 26, 26), (13, 0, 0, 0), (26, 0, 0, 0), 0, UP), "wrong-moon"),
    ("all tricks, a sun", SUN, row_of((0, 52, 52, 52), (13, 0, 0, 0), (26, 0, 0, 0), 0, UP, True), ""),
    ("a sun without the rule", Rules(), row_of((0, 52, 52, 52), (13, 0, 0, 0), (26, 0, 0, 0), 0, UP, True),
     "wrong-moon"),
    ("save without need", Rules(moon=Moon.AUTO_SAVE), row_of((-26, 0, 0, 0), (12, 1, 0, 0), (26, 0, 0, 0), 0, DOWN),
     "impossible-row"),
    ("nothing to save, up", Rules(moon=Moon.AUTO_SAVE), row_of((0, 26, 26, 26), (12, 1, 0, 0), (26, 0, 0, 0), 0, UP),
     ""),
    ("two bonuses", OMNIBUS, row_of((3, -7, 3, 7), (4, 4, 3, 2), (13, 3, 3, 7)), "impossible-row"),
    ("four bonuses", OMNIBUS, row_of((3, -7, -7, -3), (4, 4, 3, 2), (13, 3, 3, 7)), "impossible-row"),
    ("no bonus", OMNIBUS, row_of((13, 3, 3, 7), (4, 4, 3, 2)), "impossible-row"),
    ("3 of 10 points", OMNIBUS, row_of((10, 3, 3, 7), (4, 4, 3, 2), (13, 3, 3, 7)), "wrong-points"),
    ("one bonus", OMNIBUS, row_of((3, 3, 3, 7), (4, 4, 3, 2), (13, 3, 3, 7)), ""),
    ("the bonus without room", OMNIBUS, row_of((6, 10, 0, 0), (1, 12, 0, 0), (16, 10, 0, 0)), "impossible-row"),
    ("116 and 1 with spot values", SPOT_13, row_of((116, 1, 0, 0), (7, 6, 0, 0)), "impossible-row"),
    ("115 and 2 with spot values", SPOT_13, row_of((115, 2, 0, 0), (7, 6, 0, 0)), ""),
    ("65 in one trick of spot values", SPOT, row_of((65, 64, 0, 0), (1, 12, 0, 0)), "impossible-row"),
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
    ("S30, not doubled by anybody", GONG_ZHU, row_of((-400, 0, 0, 0), (13, 0, 0, 0), (300, 0, 0, 0), 0, DOWN),
     "impossible-row"),
    ("S30, the doubler and a heart elsewhere", GONG_ZHU, row_of((-400, 0, 0, 0), (12, 1, 0, 0), (300, 0, 0, 0), 0,
     DOWN),
     "impossible-row"),
    ("S30, the doubler alone elsewhere", GONG_ZHU, row_of((-400, -50, 0, 0), (12, 1, 0, 0), (300, 0, 0, 0), 0, DOWN),
     ""),
    ("S30, another has the queen", GONG_ZHU, row_of((-800, 0, 0, 0), (12, 1, 0, 0), (300, 0, 0, 0), 0, DOWN, queen=1),
     "wrong-queen-taker"),
    ("S30, the queen is told apart", GONG_ZHU, row_of((-600, 0, 0, 100), (12, 0, 0, 1), (200, 0, 0, 100), 0, DOWN),
     "wrong-points"),
    ("S30, no moon", GONG_ZHU, row_of((400, 0, 0, 0), (13, 0, 0, 0), (300, 0, 0, 0)), "impossible-row"),
    ("S30, no moon, a worthless heart elsewhere", GONG_ZHU, row_of((400, 0, 0, 0), (12, 1, 0, 0), (300, 0, 0, 0)), ""),
    ("S32: a worthless heart makes no moon", GONG_ZHU, row_of((0, 200, -100, 100), (4, 3, 3, 3), (0, 200, 0, 100),
     queen=3), ""),
    ("S32, a moon", GONG_ZHU, row_of((-50, -200, -100, 100), (3, 4, 3, 3), (0, 200, 0, 100), 1, DOWN, queen=3), ""),
    ("S32, 13 hearts in three tricks", GONG_ZHU, row_of((-50, -200, -100, 100), (4, 3, 3, 3), (0, 200, 0, 100), 1, DOWN,
     queen=3), "impossible-row"),
    ("S32, a moon and a heart with the doubler", GONG_ZHU, row_of((0, -200, -100, 100), (3, 4, 3, 3),
     (0, 200, 0, 100), 1,
     DOWN, queen=3), "impossible-row"),
    ("S32, the doubler alone and doubling", GONG_ZHU, row_of((-50, 400, -100, 100), (4, 3, 3, 3), (0, 200, 0, 100),
     queen=3), "impossible-row"),
    ("S32, hearts of 190", GONG_ZHU, row_of((-50, -190, -100, 110), (4, 3, 3, 3), (0, 190, 0, 110), 1, DOWN, queen=3),
     "wrong-moon"),
    ("S34: kings are not moon cards", MARIA, row_of((0, 43, 26), (8, 5, 4), (26, 17, 0), 0, UP), ""),
    ("S34, the king with the shooter", MARIA, row_of((10, 33, 26), (8, 5, 4), (36, 7, 0), 0, UP), ""),
    ("S34, the king forgotten", MARIA, row_of((0, 33, 26), (8, 5, 4), (36, 7, 0), 0, UP), "wrong-points"),
    ("S34, 7 hearts and no ace", MARIA, row_of((36, 7, 0), (8, 5, 4)), ""),
    ("S34, everything, no moon", MARIA, row_of((43, 0, 0), (8, 5, 4)), "impossible-row"),
    ("S34, the queen elsewhere", MARIA, row_of((23, 20, 0), (8, 5, 4), queen=1), ""),
    ("S34, the queen elsewhere, a moon", MARIA, row_of((10, 46, 26), (8, 5, 4), (23, 20, 0), 0, UP, queen=1),
     "wrong-moon"),
    ("the doubler with points", DOUBLED, row_of((6, -4, 9, 2), (4, 4, 3, 2), (13, 1, 9, 3), queen=0), "wrong-points"),
    ("the doubler with a bonus card", DOUBLED, row_of((14, -14, 9, 1), (4, 4, 3, 2), (14, 3, 9, 0), queen=0),
     "wrong-points"),
    ("one doubler, two bonus cards", DOUBLED, row_of((8, 3, 4, 0), (4, 4, 3, 2), (14, 3, 9, 0), queen=0), ""),
    ("two doublers", DOUBLED, row_of((28, 6, -6, 0), (4, 4, 3, 2), (14, 3, 9, 0), queen=0), "impossible-row"),
    ("one bonus card twice", DOUBLED, row_of((8, -4, -1, 0), (4, 4, 3, 2), (14, 3, 9, 0), queen=0), "impossible-row"),
    ("the doubler with nobody", DOUBLED, row_of((4, 3, 4, 0), (4, 4, 3, 2), (14, 3, 9, 0), queen=0), "impossible-row"),
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
    ("the queen with a huge seat", Rules(), row_of((13, 13, 0, 0), (7, 6, 0, 0), queen=-HUGE), "wrong-queen-taker"),
    ("one of two queens", Rules(decks=2, players=8), row_of((52, 0, 0, 0, 0, 0, 0, 0), (13, 0, 0, 0, 0, 0, 0, 0)),
     "wrong-queen-taker"),
    ("no queen", Rules(removed="QS 2C 2D 3C"), row_of((13, 0, 0, 0), (12, 0, 0, 0)), "wrong-queen-taker"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "row", "codes"), [row[1:] for row in FORGED], ids=[row[0] for row in FORGED])
def test_forged_rows(rules: Rules, row: DealScore, codes: str) -> None:
    assert judged(rules, row, (0,) * rules.players, 0) == tuple(codes.split())


def test_problems_name_the_field() -> None:
    forged = replaced(row_of((5, 21, 3, 0), (7, 6, 0, 0), (13, 13, 0, 0)), totals=(1, 2, 3, 4))
    problems, _ = row_problems(Rules(), forged, (0, 0, 0, 0), 0, "score_sheet[7]")
    assert [problem.fields[0] for problem in problems] == [
        "score_sheet[7].totals",
        "score_sheet[7].points[0]",
        "score_sheet[7].points[1]",
        "score_sheet[7].points[2]",
    ]
    problems, _ = row_problems(Rules(), row_of((13, 13, 0, 0), (7, 6, 0, 0)), (0, 0, 0), 0, "score_sheet[7]")
    assert [(problem.code, problem.fields) for problem in problems] == [("wrong-count", ("score_sheet[7]",))]


def test_an_automatic_moon_looks_at_the_totals_before() -> None:
    rules = Rules(moon=Moon.AUTO_SAVE)
    before = (90, 10, 20, 80)
    for effect, points, codes in ((UP, (0, 26, 26, 26), ("impossible-row",)), (DOWN, (-26, 0, 0, 0), ())):
        row = with_totals(rules, row_of(points, (12, 1, 0, 0), (26, 0, 0, 0), 0, effect), before)
        assert judged(rules, row, before, 3) == codes


# ------------------------------------------------------------------------------------------------- rows of real deals


@pytest.mark.long
def test_rows_of_real_deals_are_accepted() -> None:
    rng = Random("real deals")
    seen: Counter[object] = Counter()
    most = 0
    for _ in range(500):
        rules = random_rules(rng)
        for state, _, after in match(rules, rng, max_deals=2):
            if len(getattr(after, "score_sheet", ())) > len(state.score_sheet):
                assert isinstance(after, (AwaitingDeal, GameOver))
                row, played = after.score_sheet[-1], after.last_deal
                assert played is not None
                problems, nodes = search(rules, row, state.scores, state.deal_number)
                assert problems == (), (rules, row)
                most = max(most, nodes)
                seen["rows"] += 1
                seen["two decks"] += rules.decks == 2
                seen["several bonus cards"] += len(rules.bonuses) > 1
                seen["doubler"] += any(
                    rules.doubler is not None and rules.doubler.card in pile for pile in played.captured
                )
                if rules.resolved.one_queen:
                    seen["queen", row.queen_taker is not None] += 1
                if row.shooter is not None:
                    seen["moon of", rules.moon_cards] += 1
                seen["moon"] += row.shooter is not None
                seen["sun"] += row.sun
                seen["set aside"] += bool(played.set_aside)
                seen["collected"] += sum(row.tricks_won) < rules.cards_per_hand and not played.set_aside
                if rules.kitty_size:
                    seen[rules.kitty, played.kitty_winner is not None] += 1
            assert not isinstance(after, ChoosingMoon) or after.others_up != after.shooter_down
    assert seen["rows"] >= 600, seen
    assert seen["two decks"] >= 200, seen
    for what in ("moon", "sun", "set aside", "collected", "several bonus cards", "doubler", ("queen", True),
                 *[("moon of", cards) for cards in MoonCards]):  # fmt: skip
        assert seen[what] >= 10, seen
    assert seen["queen", False] >= 1, seen
    for kind in KITTIES:
        assert seen[kind, True] >= 20, seen
    for kind in (Kitty.FIRST_POINT, Kitty.FIRST_HEART, Kitty.LAST_TRICK):
        assert seen[kind, False] >= 1, seen
    assert most < 2 * MOST_STEPS


def search(rules: Rules, row: DealScore, before: tuple[int, ...], number: int) -> tuple[tuple[str, ...], int]:
    """The codes of the problems of a row, and how many steps the search took."""
    problems, steps = row_problems(rules, row, before, number, WHERE)
    return tuple([problem.code for problem in problems]), steps


def scattered(rules: Rules, rng: Random) -> DealScore:
    """The row of random piles, without a moon; the dear cards of some lie in few tricks."""
    players = rules.players
    pack = list(rules.deck)
    rng.shuffle(pack)
    if rng.randrange(2):
        noise = rng.choice((1, 5, 30))
        pack.sort(key=lambda card: rng.random() * noise - rules.penalty(card))
    winners = rng.sample(range(players), rng.randint(2, players))
    won = [0] * players
    for _ in range(rules.cards_per_hand):
        won[rng.choice(winners)] += 1
    taker = rng.choice([seat for seat in range(players) if won[seat]])
    piles: list[list[Card]] = []
    for seat, count in enumerate(won):
        size = players * count + (rules.kitty_size if seat == taker else 0)
        piles.append(pack[:size])
        del pack[:size]
    cards = [sum(map(rules.penalty, pile)) for pile in piles]
    nothing = rules.resolved.nothing
    row = score_finished_deal(
        rules.resolved, [Cards(pile) for pile in piles], tuple(won), (0,) * players, 0, nothing, None
    )
    assert row.card_points == tuple(cards)
    return row


def forged(row: DealScore, rng: Random) -> DealScore:
    """The row with card points moved from one seat to another."""
    winners = [seat for seat, won in enumerate(row.tricks_won) if won]
    cards, points = list(row.card_points), list(row.points)
    one, other = rng.choice(winners), rng.choice(winners)
    moved = rng.randint(0, min(cards[one], rng.choice((1, 5, 50, 500))))
    for values in (cards, points):
        values[one] -= moved
        values[other] += moved
    return replaced(row, points=tuple(points), card_points=tuple(cards), totals=tuple(points))


def hard(players: int, decks: int, **fields: Any) -> Rules:
    return Rules(
        players=players, decks=decks, moon=Moon.OFF, target=10**6, kitty=fields.pop("kitty", Kitty.FIRST_TRICK),
        opening_leader=OpeningLeader.DEALER_LEFT, opening_card=OpeningCard.ANY, **fields,
    )  # fmt: skip


SPOTS: Final[dict[str, Any]] = {"heart_values": HeartValues.SPOT, "queen_points": 25}
BLACK: Final = ((Card("KS"), 10), (Card("AS"), 7), (Card("TC"), 31))
LARGE: Final = (99991, 70001, 65537, 54321, 44449, 31337, 27644, 19993, 17389, 12347, 9973, 7919, 5001)
DIAMONDS: Final = tuple([Bonus(card, int(card.rank)) for card in FULL.distinct() if card.suit is Suit.DIAMONDS])
RICH: Final[dict[str, Any]] = {"opening_leader": OpeningLeader.DEALER_LEFT, "opening_card": OpeningCard.ANY}
# what, rules, the most steps for rows of random piles, and for forged ones
HARD: list[tuple[str, Rules, int, int]] = [
    ("default", hard(4, 1), 50, 50),
    ("omnibus", hard(4, 1, bonuses=JACK, bonus_floor=BonusFloor.TOTAL), 100, 100),
    ("spot values", hard(4, 1, **SPOTS), 200, 200),
    ("spot values, seven seats", hard(7, 1, **SPOTS, bonuses=JACK, bonus_floor=BonusFloor.DEAL), 500, 10_000),
    ("spot values, the kitty by hearts", hard(5, 1, **SPOTS, kitty=Kitty.FIRST_HEART), 200, 3_000),
    ("eleven seats, two decks", hard(11, 2), 100, 100),
    ("eleven seats, spot values", hard(11, 2, **SPOTS), 500, 500),
    ("eleven seats, more penalties", hard(11, 2, **SPOTS, extra_penalties=BLACK, kitty=Kitty.FIRST_HEART), 500,
     500),
    ("large values", hard(4, 1, heart_values=LARGE, queen_points=99999), 200, 1_000),
    ("large values, two decks", hard(4, 2, heart_values=LARGE, queen_points=99999), 500, 1_000),
    ("gong zhu", GONG_ZHU, 1_500, 1_500),
    ("gong zhu, five players", Rules(players=5, removed="2C 2D", **GONG), 500, 500),
    ("gong zhu, partners", Rules(teams=2, moon_scope=MoonScope.TEAM, **GONG), 500, 500),
    ("a moon of dear hearts and queens", Rules(players=8, decks=2, moon_cards=MoonCards.HEARTS_AND_QUEEN, **SPOTS,
     **RICH,
     kitty=Kitty.FIRST_HEART, extra_penalties=BLACK, doubler=Doubler(Card("9C"), 3, 7)), MOST_STEPS, 2 * MOST_STEPS),
    ("a moon of hearts for teams", Rules(teams=2, moon_scope=MoonScope.TEAM, moon_cards=MoonCards.HEARTS, **SPOTS,
     extra_penalties=BLACK, doubler=Doubler(Card("9C"), 3, 7)), 1_000, 5_000),
    ("every diamond a bonus card", hard(4, 1, bonuses=DIAMONDS), 1_000, 5_000),
    ("every diamond, with a floor", hard(4, 1, bonuses=DIAMONDS, bonus_floor=BonusFloor.TOTAL), 5_000, 5_000),
    ("every diamond, a doubler", hard(4, 1, bonuses=DIAMONDS, doubler=Doubler(Card("TC"), 2, 50)), MOST_STEPS,
     2 * MOST_STEPS),
    ("three bonus cards, eleven seats, a floor", hard(11, 2, bonuses=(*BOTH, Bonus(Card("9D"), 1)),
     bonus_floor=BonusFloor.TOTAL), 1_000, 5_000),
    ("three bonus cards, seven seats, a floor", hard(7, 1, bonuses=(*BOTH, Bonus(Card("9D"), 1)), **SPOTS,
     bonus_floor=BonusFloor.DEAL), 10_000, 10_000),
]  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.untraced
@pytest.mark.parametrize(("name", "rules", "most", "most_forged"), HARD, ids=[row[0] for row in HARD])
def test_the_search_is_short(name: str, rules: Rules, most: int, most_forged: int) -> None:
    rng = Random(name)
    refused = 0
    for _ in range(rounds(20)):
        row = scattered(rules, rng)
        codes, nodes = search(rules, row, (0,) * rules.players, 0)
        assert codes == ()
        assert nodes <= most
        for _ in range(8):
            codes, nodes = search(rules, forged(row, rng), (0,) * rules.players, 0)
            assert nodes <= most_forged
            refused += codes != ()
    assert refused or "eleven" in name or name in ("default", "omnibus")


def test_a_row_that_exhausts_the_budget_is_accepted() -> None:
    # 52 different values of up to 100,000: nothing but trying finds which cards make a sum.
    rng = Random(2)
    values = tuple([(card, rng.randint(1, 100_000)) for card in Rules().deck])
    rules = hard(4, 1, extra_penalties=values, heart_values=(0,) * 13, queen_points=0)
    row = scattered(rules, rng)
    codes, steps = search(rules, row, (0,) * 4, 0)
    assert codes == ()
    assert MOST_STEPS < steps <= 2 * MOST_STEPS + rules.players
    # The conditions on the numbers hold whatever the budget.
    for budget in (0, 1, MOST_STEPS):
        problems, _ = row_problems(rules, replaced(row, card_points=row.points[1:] + (0,)), (0,) * 4, 0, WHERE, budget)
        assert [problem.code for problem in problems] == ["wrong-sum"]
        assert row_problems(rules, row, (0,) * 4, 0, WHERE, budget)[0] == []


def test_presets_have_quick_rows() -> None:
    rng = Random("presets")
    for rules in (presets.microsoft(), presets.spot_hearts(), presets.dicegamedepot_cancellation(11)):
        for state, _, after in match(rules, rng, max_deals=3):
            if len(after.score_sheet) > len(state.score_sheet):
                codes, nodes = search(rules, after.score_sheet[-1], state.scores, state.deal_number)
                assert codes == ()
                assert nodes <= 1_000
