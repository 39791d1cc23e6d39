"""Whether a row of the score sheet can be: whether any piles at all would be scored so.

A row tells of each seat how many tricks it won, the penalty value of its pile and perhaps that it has the Q♠, but not
the cards. This module looks for a distribution of the deck that fits: as many cards a trick as there are players, the
kitty with a seat that may have taken it, tricks set aside where two decks make some (`heartsrules.piles`).

What the seats score follows from a few numbers of their piles (`heartsrules.scoring.Haul`). So the judge goes through
the hauls that are scored as the row says, by the functions that score a deal of which the cards are known, and looks
for cards that make one of them. In that search a card is a number: its penalty value and, in digits further to the
left, what else is counted of it one by one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import accumulate, combinations
from typing import Final, TypeAlias

import attrs

from heartsrules import tables as T
from heartsrules.cards import Cards
from heartsrules.errors import Problem, counted
from heartsrules.exposing import tables_with
from heartsrules.piles import endings, kitty_takers, set_aside_tricks, shown_problems, trick_count_problems
from heartsrules.rules import Kitty, Moon, MoonCards, Rules, Seat
from heartsrules.scoring import Haul, deal_points, leading_shooter, new_totals, score_haul
from heartsrules.sheet import DealScore
from heartsrules.tables import Tables

__all__ = ["MOST_NODES", "row_problems"]

MOST_NODES: Final = 50_000
"""How many steps the search for one row may take before the row is refused as too hard to judge."""

_FIRST_NODES: Final = 5_000
"""After so many steps of giving out the cards value by value, it is tried bin by bin for as many: with large values
that are all different, few sets of cards make a sum."""

_MOST_SUMS: Final = 20_000
"""How many sums are kept of one rule set; beyond, the search goes by bounds alone for the largest values."""

_FEW_CARDS: Final = 6
"""Of so many bonus cards it is looked which ones can be with whom before the search begins."""

_FEW_SUMS: Final = 8
"""So many sums that a seat may have are tried without counting them as steps."""


def row_problems(rules: Rules, row: DealScore, before: tuple[int, ...], deal_number: int, where: str) -> list[Problem]:
    """What is wrong with a row of the score sheet.

    A row is right exactly when there is a distribution of the deck in play to piles, cards set aside to the end and an
    untaken kitty, with those tricks won, that `score_deal` scores so with those totals before (under `Moon.CHOICE` the
    effect is the one that the shooter chose). Whether an order of legal plays leads there is not asked.

    Args:
        rules: the rule set.
        row: the row, of ints of any size and tuples of any length.
        before: by seat, the running totals before the deal.
        deal_number: the number of the deal, from 0.
        where: what the row is called in the problems: their fields are `where` and a field of the row.

    Returns:
        Nothing if the row is right. Otherwise the problems, as many as can be told apart:

        - `wrong-count`: not one item for each seat;
        - `wrong-scores`: totals that are not those before with the points;
        - `out-of-range`, `wrong-sum`: tricks or card points that no deal has;
        - `wrong-moon`: a shooter, an effect or a sun that the rest of the row does not give;
        - `wrong-queen-taker`: a taker of the Q♠ that the rest of the row does not allow;
        - `wrong-points`: points that do not follow from the rest of the row;
        - `impossible-row`: no distribution of the cards gives that row;
        - `row-too-hard`: `MOST_NODES` steps of the search did not tell. Only values made for it are so hard: dozens of
          cards that all have different and large values.
    """
    problems = [
        Problem(
            "wrong-count",
            (f"{where}.{name}",),
            f"{where}.{name} has {counted(len(items), 'item')} for {rules.players} players: give one for each seat",
        )
        for name, items in (
            ("points", row.points),
            ("card_points", row.card_points),
            ("tricks_won", row.tricks_won),
            ("totals", row.totals),
        )
        if len(items) != rules.players
    ]
    wanted = rules.players if rules.exposable else 0
    if len(row.shown) != wanted:
        problems.append(
            Problem(
                "wrong-count",
                (f"{where}.shown",),
                f"{where}.shown has {counted(len(row.shown), 'item')}: give one for each seat where cards may be shown, and "
                "none elsewhere",
            )
        )
    if len(before) != rules.players:
        problems.append(
            Problem(
                "wrong-count",
                (where,),
                f"the totals before {where} have {len(before)} items for {rules.players} players: give one for each "
                "seat",
            )
        )
    if problems:
        return problems
    if len(row.shown) == rules.players and rules.exposable:
        problems = shown_problems(rules, row.shown, f"{where}.shown")
        if problems:
            return problems
    if row.totals != new_totals(rules.tables, before, row.points):
        problems.append(
            Problem(
                "wrong-scores",
                (f"{where}.totals",),
                f"{where}.totals must be the totals before the deal with {where}.points added"
                + (", after exact_resets" if rules.exact_resets else ""),
            )
        )
    return problems + _Judge(rules, row, before, deal_number, where, _Search()).problems()


# ------------------------------------------------------------------------------------------------- what the deck holds


@attrs.frozen
class _Deck:
    """What the judge has to know of a rule set."""

    tables: Tables
    players: int
    kitty: int
    """The size of the kitty."""
    total: int
    """The penalty value of all cards in play."""
    everything: bool
    """Every card in play lies in a pile at the end."""
    hearts_value: int
    """The penalty value of all hearts in play together."""
    free_hearts: int
    """How many hearts are worth nothing."""
    queens: int
    """How many Q♠ are in play."""
    queen_value: int
    """The penalty value of one of them."""
    hearts_moon: bool
    """The cards of the moon are not simply all penalty cards,"""
    queens_moon: bool
    """but hearts and Q♠."""
    doublers: int
    """How many copies of the doubler are in play."""
    queen_doubles: bool
    """The doubler is the Q♠."""
    bonuses: tuple[int, ...]
    """The points of the bonus cards, one for each copy."""
    bonus_each: int
    """The points of a bonus card, if they are all alike and are counted as cards; 0: the search puts them in piles."""
    bonus_sums: Sequence[int]
    """The sums of points that bonus cards can have, ascending; or all numbers, if those sums are too many."""
    apart_sums: Sequence[int]
    """The same of the penalty value of the cards that need not be in a moon."""


@lru_cache(maxsize=64)
def _deck(rules: Rules, shown: tuple[Cards, ...]) -> _Deck:
    tables = tables_with(rules, shown)
    cards = list(rules.deck)
    hearts = [tables.values[card.index] for card in cards if card.bit & T.HEARTS]
    points = {face: each for each, face in tables.bonuses}
    bonuses = tuple(sorted([points[card.bit] for card in cards if card.bit & tables.bonus_faces]))
    alike = len(set(bonuses)) == 1 and not tables.bonus_faces & T.QUEEN
    apart = [tables.values[card.index] for card in cards if card.bit & tables.moon_apart]
    return _Deck(
        tables=tables,
        players=rules.players,
        kitty=rules.kitty_size,
        total=tables.penalty_total,
        everything=rules.kitty_size == 0 and tables.duplicates != T.CANCEL,
        hearts_value=sum(hearts),
        free_hearts=hearts.count(0),
        queens=sum([1 for card in cards if card.bit & T.QUEEN]),
        queen_value=tables.values[_QUEEN_INDEX],
        hearts_moon=rules.moon is not Moon.OFF and rules.moon_cards is not MoonCards.ALL,
        queens_moon=rules.moon is not Moon.OFF and rules.moon_cards is MoonCards.HEARTS_AND_QUEEN,
        doublers=sum([1 for card in cards if card.bit & tables.doubler]),
        queen_doubles=tables.doubler & T.QUEEN != 0,
        bonuses=bonuses,
        bonus_each=bonuses[0] if alike else 0,
        bonus_sums=_sums_of(bonuses),
        apart_sums=_sums_of(apart),
    )


_QUEEN_INDEX: Final = 36
"""The index of the Q♠."""


def _sums_of(values: Sequence[int]) -> Sequence[int]:
    sums = {0}
    for value in values:
        sums |= {each + value for each in sums}
        if len(sums) > _MOST_SUMS:
            return range(sum(values) + 1)
    return sorted(sums)


@attrs.frozen
class _Facts:
    """The cards as numbers that add up, and what the search has to know of them.

    A number is the penalty value of the card; left of it, where `bonus_unit` is not 0, its points as a bonus card; and
    where `apart_unit` is not 1, penalty cards that make no moon have their value in a digit of their own.
    """

    split: int
    """The faces that make the moon, if they are counted apart from other penalty cards; 0: they are not."""
    players: int
    apart_unit: int
    bonus_unit: int
    values: tuple[int, ...]
    """The numbers of the cards in play, each once, the largest first, without 0."""
    counts: tuple[int, ...]
    """How many cards there are of each number."""
    hearts: tuple[int, ...]
    """How many hearts are among them, and last how many hearts have the number 0."""
    plain: int
    """How many other cards have the number 0, those aside of which the judge settles one by one where they lie."""
    queen: int
    """The place of the number of the Q♠, behind the last if it is 0."""
    total: int
    sums: tuple[dict[int, tuple[int, int]] | None, ...]
    """By place in `values`: the sums that the cards of that and of all smaller values can have, with the fewest and
    the most cards that make each; None where there are too many."""
    rising: tuple[tuple[int, ...], ...]
    """By place: the sums of the 0, 1, 2 ... smallest cards of that and of all smaller values,"""
    falling: tuple[tuple[int, ...], ...]
    """and of the 0, 1, 2 ... largest."""

    def span(self, place: int, total: int) -> tuple[int, int] | None:
        """With how few and how many cards from that place on a sum can be had; None: it cannot. The numbers are
        bounds."""
        sums = self.sums[place]
        if sums is not None:
            return sums.get(total)
        falling = self.falling[place]
        if total > falling[-1]:
            return None
        return bisect_left(falling, total), bisect_right(self.rising[place], total) - 1


@lru_cache(maxsize=64)
def _facts(rules: Rules, shown: tuple[Cards, ...], split: int) -> _Facts:
    tables = tables_with(rules, shown)
    deck = _deck(rules, shown)
    apart_unit = deck.total + 1 if split else 1
    bonus_unit = apart_unit * (deck.total + 1) if deck.bonuses and not deck.bonus_each else 0
    points = {face: each for each, face in tables.bonuses}
    counts: dict[int, int] = {}
    hearts: dict[int, int] = {}
    plain = queen = 0
    for card in rules.deck:
        number = tables.values[card.index] * (1 if card.bit & split else apart_unit)
        number += points.get(card.bit, 0) * bonus_unit
        counts[number] = counts.get(number, 0) + 1
        if card.bit & T.HEARTS:
            hearts[number] = hearts.get(number, 0) + 1
        elif not number and not card.bit & (tables.bonus_faces | tables.doubler):
            plain += 1
        if card.bit & T.QUEEN:
            queen = number
    values = sorted(set(counts) - {0}, reverse=True)
    rising: list[tuple[int, ...]] = [(0,)]
    falling: list[tuple[int, ...]] = [(0,)]
    smaller: list[int] = []
    for value in reversed(values):
        smaller += [value] * counts[value]
        rising.insert(0, tuple(accumulate(smaller, initial=0)))
        falling.insert(0, tuple(accumulate(reversed(smaller), initial=0)))
    return _Facts(
        split=split,
        players=rules.players,
        apart_unit=apart_unit,
        bonus_unit=bonus_unit,
        values=tuple(values),
        counts=tuple([counts[value] for value in values]),
        hearts=tuple([hearts.get(value, 0) for value in (*values, 0)]),
        plain=plain,
        queen=values.index(queen) if queen else len(values),
        total=sum([value * counts[value] for value in values]),
        sums=_sums(values, counts),
        rising=tuple(rising),
        falling=tuple(falling),
    )


def _sums(values: Sequence[int], counts: dict[int, int]) -> tuple[dict[int, tuple[int, int]] | None, ...]:
    """The sums by place, from the smallest value on, until there are too many of them."""
    room = _MOST_SUMS
    sums: dict[int, tuple[int, int]] | None = {0: (0, 0)}
    by_place: list[dict[int, tuple[int, int]] | None] = [sums]
    for value in reversed(values):
        larger: dict[int, tuple[int, int]] | None = None
        if sums is not None and len(sums) * (counts[value] + 1) <= 50 * room:
            larger = {}
            for total, (fewest, most) in sums.items():
                for count in range(counts[value] + 1):
                    known = larger.get(total + count * value)
                    low, high = fewest + count, most + count
                    larger[total + count * value] = (
                        (low, high) if known is None else (min(low, known[0]), max(high, known[1]))
                    )
                if len(larger) > room:
                    larger = None
                    break
        if larger is not None:
            room -= len(larger)
        sums = larger
        by_place.insert(0, sums)
    return tuple(by_place)


# --------------------------------------------------------------------------------------------------------- the search

_Bin: TypeAlias = tuple[int, int, bool]
"""A pile, or what is in no pile: the value that its cards must have; how many cards worth something it has room for,
negative if it must grow first; and whether it can grow by tricks that were set aside."""


class _TooHardError(Exception):
    """The search has taken all its steps."""


class _Search:
    """Looks for distributions of the penalty cards. It counts its steps and remembers what did not work."""

    facts: _Facts

    def __init__(self) -> None:
        self.nodes = 0
        self.limit = MOST_NODES
        """How many steps may be taken."""
        self._most = MOST_NODES
        self._counts: tuple[int, ...] = (-1,)
        self._failed: dict[tuple[int, tuple[int, ...]], set[tuple[int, int, tuple[_Bin, ...]]]] = {}

    def _set(self, facts: _Facts, counts: tuple[int, ...]) -> None:
        self.facts = facts
        self._counts = counts
        self._from = tuple(accumulate(reversed(counts), initial=0))[::-1]
        self._bad = self._failed.setdefault((facts.split, counts), set())

    def fits(self, facts: _Facts, bins: Sequence[_Bin], extra: int, counts: tuple[int, ...]) -> bool:
        """Whether these counts of cards can be put into the bins, which may grow by `extra` tricks together.

        The bins' values must add up to that of the cards.

        Raises:
            _TooHardError: the search would take too many steps.
        """
        if counts != self._counts or facts is not self.facts:
            self._set(facts, counts)
        opened = self._open(bins, extra)
        if opened is None:
            return False
        wanting, left = opened
        for attempt in range(3):
            # What the first attempt has found out is still known in the third.
            self._most = min(self.nodes + _FIRST_NODES, self.limit) if attempt < 2 else self.limit
            try:
                if attempt == 1:
                    return self._fill(wanting, left, counts, set())
                return self._node(0, wanting, left)
            except _TooHardError:
                pass
        raise _TooHardError

    def _open(self, bins: Sequence[_Bin], extra: int) -> tuple[tuple[_Bin, ...], int] | None:
        """The bins that still want cards, and the tricks that are left when the others have grown as they must."""
        wanting: list[_Bin] = []
        for part in bins:
            value, room, grows = part
            if value:
                wanting.append(part)
            elif room < 0:
                extra -= -(room // self.facts.players)
                if not grows or extra < 0:
                    return None
        wanting.sort(reverse=True)
        return tuple(wanting), extra

    def count(self) -> None:
        """Count a step that was taken outside of the search.

        Raises:
            _TooHardError: it was one too many.
        """
        self._most = self.limit
        self._step()

    def _step(self) -> None:
        self.nodes += 1
        if self.nodes > self._most:
            raise _TooHardError

    def _node(self, place: int, bins: tuple[_Bin, ...], extra: int) -> bool:
        """Whether the cards from that place in the values on can be put into the bins."""
        self._step()
        facts = self.facts
        players = facts.players
        cards = self._from[place]
        fewest = 0
        spans: list[tuple[int, int]] = []
        growth: list[int] = []
        for value, room, grows in bins:
            span = facts.span(place, value)
            if span is None:
                return False
            fewest += span[0]
            spans.append(span)
            growth.append(0)
            if span[0] > room:
                if not grows:
                    return False
                growth[-1] = -((room - span[0]) // players)
        spare = extra - sum(growth)
        if fewest > cards or spare < 0:
            return False
        most = 0
        for (_, room, grows), span, grown in zip(bins, spans, growth, strict=True):
            most += min(span[1], room + players * (spare + grown) if grows else room)
        if most < cards:
            return False
        if place >= len(facts.values) - 1:
            # Cards of one value alone are left: the bounds are exact, and the values add up.
            return True
        key = (place, extra, bins)
        if key in self._bad:
            return False
        count = self._counts[place]
        choices: list[list[int]] = []
        for (value, room, grows), grown in zip(bins, growth, strict=True):
            most_room = room + players * (spare + grown) if grows else room
            choices.append(self._choices(place, value, most_room, count))
        if self._spread(place, bins, extra, choices, count, []):
            return True
        self._bad.add(key)
        return False

    def _choices(self, place: int, value: int, room: int, count: int) -> list[int]:
        """How many of `count` cards of the value at that place a bin can take, most first."""
        facts = self.facts
        worth = facts.values[place]
        choices: list[int] = []
        for taken in range(min(count, value // worth), -1, -1):
            span = facts.span(place + 1, value - taken * worth)
            if span is not None and taken + span[0] <= room:
                choices.append(taken)
        return choices

    def _spread(
        self,
        place: int,
        bins: tuple[_Bin, ...],
        extra: int,
        choices: list[list[int]],
        left: int,
        taken: list[int],
    ) -> bool:
        """Give the cards of one value to the bins from `len(taken)` on, in every way, and go on with the next value."""
        number = len(taken)
        if number == len(bins):
            worth = self.facts.values[place]
            after = [
                (value - count * worth, room - count, grows)
                for (value, room, grows), count in zip(bins, taken, strict=True)
            ]
            opened = self._open(after, extra)
            return opened is not None and self._node(place + 1, *opened)
        self._step()
        if left > sum([max(options, default=0) for options in choices[number:]]):
            return False
        rest = sum([max(options, default=0) for options in choices[number + 1 :]])
        # Of bins that are alike, the first takes most.
        limit = taken[-1] if number and bins[number] == bins[number - 1] else left
        for count in choices[number]:
            if count <= min(left, limit) and left - count <= rest:
                taken.append(count)
                if self._spread(place, bins, extra, choices, left - count, taken):
                    return True
                taken.pop()
        return False

    def _fill(
        self, bins: tuple[_Bin, ...], extra: int, counts: tuple[int, ...], bad: set[tuple[int, int, tuple[int, ...]]]
    ) -> bool:
        """Whether all these cards can be put into the bins, filling the last one (of the least value) first."""
        self._step()
        if not bins:
            return True
        key = (len(bins), extra, counts)
        if key in bad:
            return False
        facts = self.facts
        spans = [facts.span(0, value) for value, _, _ in bins]
        cards = sum(counts)
        if sum([span[0] if span else cards + 1 for span in spans]) <= cards <= sum([s[1] for s in spans if s]):
            value, room, grows = bins[-1]
            most = room + facts.players * extra if grows else room
            for taken in self._sets(0, value, most, counts):
                used = sum(taken)
                left = extra + (room - used) // facts.players if used > room else extra
                if self._fill(bins[:-1], left, tuple([a - b for a, b in zip(counts, taken, strict=True)]), bad):
                    return True
        bad.add(key)
        return False

    def _sets(self, place: int, value: int, room: int, counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The sets of at most so many cards, from that place on, that have that value, as counts by place."""
        self._step()
        facts = self.facts
        if place == len(counts):
            yield ()
            return
        worth = facts.values[place]
        for taken in range(min(counts[place], value // worth), -1, -1):
            span = facts.span(place + 1, value - taken * worth)
            if span is not None and taken + span[0] <= room:
                for rest in self._sets(place + 1, value - taken * worth, room - taken, counts):
                    yield (taken, *rest)


# ------------------------------------------------------------------------------------------------ what the judge tries


@attrs.frozen
class _Case:
    """How the moon was shot, or that it was not."""

    moon: int
    """Its value; 0 without one."""
    apart: tuple[int | None, ...]
    """By seat, what the pile has of penalty cards that make no moon, None where the row does not tell; empty: nothing
    matters but the card points."""
    queens: bool | None
    """Whether the shooter's side has every Q♠; None: it makes no difference."""
    split: int
    """The faces that make the moon, where its cards must be told apart in the piles of several seats; else 0."""


@attrs.frozen
class _Share:
    """What a seat may have, so that its points are right."""

    bonus: int
    """The points of its bonus cards."""
    doublers: int
    """How many copies of the doubler."""
    heart: bool | None
    """Whether it must have a heart that is worth nothing, or must have none; None: it makes no difference."""
    apart: int
    """The value of its penalty cards that make no moon."""


@attrs.frozen
class _Need:
    """A card that must lie in one of some places."""

    places: tuple[int, ...]
    hearts: bool
    """A heart will do."""
    queens: bool
    """A Q♠ will do."""

    def is_met(self, pins: Sequence[tuple[int, bool]]) -> bool:
        return any([place in self.places and (self.hearts if heart else self.queens) for place, heart in pins])


@attrs.frozen
class _Layout:
    """Cards that have their place already, and the room that is left for the others. The places are the piles by seat,
    and last what is in no pile."""

    facts: _Facts
    bins: tuple[_Bin, ...]
    counts: tuple[int, ...]
    """By place in the numbers of the cards, how many of them have no place yet,"""
    hearts: tuple[int, ...]
    """and how many hearts are among them, last those of the number 0."""
    queens: int
    """How many Q♠ are among them."""
    plain: int
    """How many of them are no hearts and have the number 0."""
    pins: tuple[tuple[int, bool], ...] = ()
    """The places of cards that were put there: of a heart, or not: of a Q♠."""

    def with_cards(self, place: int, at: int, count: int, heart: bool) -> _Layout | None:
        """The layout after so many hearts, or Q♠, have got their place; None: they cannot be there."""
        value, room, grows = self.bins[place]
        worthless = at == len(self.counts)
        counts, hearts, plain = self.counts, self.hearts, self.plain
        if not worthless:
            value -= count * self.facts.values[at]
            counts = _less(counts, at, count)
        elif not heart:
            plain -= count
        if heart:
            hearts = _less(hearts, at, count)
        queens = self.queens if heart else self.queens - count
        if min(value, queens, plain, *counts, *hearts) < 0:
            return None
        bins = (*self.bins[:place], (value, room - count, grows), *self.bins[place + 1 :])
        pins = (*self.pins, (place, heart)) if count else self.pins
        return _Layout(self.facts, bins, counts, hearts, queens, plain, pins)

    def with_room(self, place: int, room: int) -> _Layout:
        """The layout with more room in one place."""
        value, before, grows = self.bins[place]
        bins = (*self.bins[:place], (value, before + room, grows), *self.bins[place + 1 :])
        return attrs.evolve(self, bins=bins)

    def with_hearts(self, place: int) -> _Layout | None:
        """The layout after all hearts that are left have got their place."""
        layout: _Layout | None = self
        for at, count in enumerate(self.hearts):
            if count and layout is not None:
                layout = layout.with_cards(place, at, count, True)
        return layout

    def without_lonely(self, lonely: Sequence[int], extra: int) -> tuple[_Layout, int] | None:
        """The layout without piles that are filled with plain cards, and the tricks that are left then, which some
        pile can grow by; None: there are not enough plain cards."""
        if any([heart and place in lonely for place, heart in self.pins]):
            return None
        if not lonely or not self.hearts[-1]:
            return self, extra
        players = self.facts.players
        bins = list(self.bins)
        filled = 0
        for place in lonely:
            _, room, grows = bins[place]
            grown = max(-(room // players), 0)
            if grown and not grows:
                return None
            extra -= grown
            filled += room + players * grown
            bins[place] = (0, 0, False)
        if extra > 0 and not any([grows for _, _, grows in bins]):
            filled += players * extra
            extra = 0
        if extra < 0 or filled > self.plain:
            return None
        return attrs.evolve(self, bins=tuple(bins), plain=self.plain - filled), extra


def _less(counts: tuple[int, ...], at: int, count: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] - count, *counts[at + 1 :])


# -------------------------------------------------------------------------------------------------------- the judgment


class _Stage(IntEnum):
    """How far the judge has come with a row."""

    POINTS = 0
    """No bonus cards and doublers give its points."""
    MOON = 1
    """Some do, but then the moon is another."""
    EFFECT = 2
    """The moon is right, but not what it did."""
    CARDS = 3
    """All of it is right, but no cards give it."""


@attrs.define
class _Judge:
    """A row whose tuples have the right lengths, and all that is known beside it."""

    rules: Rules
    row: DealScore
    before: tuple[int, ...]
    deal_number: int
    where: str
    search: _Search
    deck: _Deck = attrs.field(init=False)
    queen_known: bool = attrs.field(init=False)
    """Whether the row is believed who has the only Q♠."""
    any_moon: bool = attrs.field(init=False, default=False)
    """Whether a moon is passed over that the row does not tell of."""
    reached: _Stage = attrs.field(init=False, default=_Stage.POINTS)
    wrong_seats: set[Seat] = attrs.field(init=False, factory=set)
    """The seats that cannot have their points, whatever they took."""
    _points: dict[tuple[object, ...], list[int]] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.deck = _deck(self.rules, self.row.shown)
        self.queen_known = self.deck.tables.one_queen

    def problems(self) -> list[Problem]:
        """What is wrong with the row, its totals aside."""
        problems = trick_count_problems(self.rules, self.row.tricks_won, f"{self.where}.tricks_won")
        problems += self._card_problems()
        odd = self._odd_moon() + self._odd_queen()
        if problems:
            return problems + odd
        ways = endings(self.deck.tables, self.row.tricks_won)
        problems = odd or self._queen_problems() + self._moon_problems(ways)
        if problems:
            return problems
        if self.row.shooter is not None and self._may_be_sun():
            ways = tuple([left_aside for left_aside in ways if left_aside != self.row.sun])
        return self._distribution_problems(ways)

    def _card_problems(self) -> list[Problem]:
        """What forbids these card points whatever the cards."""
        row, deck = self.row, self.deck
        problems = [
            _problem(
                "out-of-range", self.where, f"card_points[{seat}]", "is negative: no card is worth less than nothing"
            )
            for seat, points in enumerate(row.card_points)
            if points < 0
        ]
        problems += [
            _problem("wrong-sum", self.where, f"card_points[{seat}]", "is more than 0, but the seat won no trick")
            for seat, (points, won) in enumerate(zip(row.card_points, row.tricks_won, strict=True))
            if points > 0 and won == 0
        ]
        if problems:
            return problems
        found = sum(row.card_points)
        if found > deck.total or (deck.everything and found != deck.total):
            most = "" if deck.everything else "at most "
            message = f"must add up to {most}the penalty value of all cards in play"
            problems.append(_problem("wrong-sum", self.where, "card_points", message))
        return problems

    def _odd_queen(self) -> list[Problem]:
        """What forbids this taker of the Q♠ whatever else the row says."""
        taker = self.row.queen_taker
        if taker is None or (self.deck.tables.one_queen and 0 <= taker < self.rules.players):
            return []
        if self.deck.tables.one_queen:
            message = f"must be None or a seat from 0 to {self.rules.players - 1}"
        else:
            message = f"must be None: {'two QS are' if self.deck.queens else 'no QS is'} in play, not exactly one"
        return [_problem("wrong-queen-taker", self.where, "queen_taker", message)]

    def _queen_problems(self) -> list[Problem]:
        """What forbids this taker of the Q♠ whatever the cards."""
        row, deck = self.row, self.deck
        taker = row.queen_taker
        message = ""
        if taker is not None and not row.tricks_won[taker]:
            message = f"cannot be {taker}, who won no trick: name the seat that has the QS"
        elif taker is not None and row.card_points[taker] < deck.queen_value:
            message = f"cannot be {taker}, whose card points are less than the QS is worth: name the seat that has it"
        elif (
            taker is None
            and deck.tables.one_queen
            and (deck.everything or deck.total - sum(row.card_points) < deck.queen_value)
        ):
            message = "cannot be None: somebody took the QS, so name that seat"
        return [_problem("wrong-queen-taker", self.where, "queen_taker", message)] if message else []

    def _odd_moon(self) -> list[Problem]:
        """What forbids this shooter with this effect and this sun under any points."""
        row, rules = self.row, self.rules
        problems: list[Problem] = []
        if row.shooter is None:
            if row.effect is not None:
                problems.append(_problem("wrong-moon", self.where, "effect", "must be None: the row has no shooter"))
            if row.sun:
                problems.append(_problem("wrong-moon", self.where, "sun", "must be False: the row has no shooter"))
            return problems
        if rules.moon is Moon.OFF:
            problems.append(_problem("wrong-moon", self.where, "shooter", "must be None: these rules have no moon"))
        elif not 0 <= row.shooter < rules.players:
            problems.append(
                _problem("wrong-moon", self.where, "shooter", f"must be None or a seat from 0 to {rules.players - 1}")
            )
        else:
            fixed = rules.moon in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
            effects = (rules.moon,) if fixed else (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
            if row.effect not in effects:
                message = f"must be {' or '.join(map(repr, effects))}: the row has a shooter"
                problems.append(_problem("wrong-moon", self.where, "effect", message))
        if row.sun and not rules.sun:
            problems.append(_problem("wrong-moon", self.where, "sun", "must be False: these rules have no sun"))
        return problems

    def _side(self) -> tuple[Seat, ...]:
        """The seats that have all penalty cards together, if they can shoot the moon together."""
        if self.rules.moon is not Moon.OFF:
            for seats in self.deck.tables.moon_sides:
                if self._cards_of(seats) == self.deck.total:
                    return seats
        return ()

    def _shooting_side(self) -> tuple[Seat, ...]:
        """The seats that shot the moon together, as the row has it."""
        return next((seats for seats in self.deck.tables.moon_sides if self.row.shooter in seats), ())

    def _cards_of(self, seats: Sequence[Seat]) -> int:
        return sum([self.row.card_points[seat] for seat in seats])

    def _value_in_moon(self, queens: bool | None) -> int:
        """The penalty value of the cards that make a moon of hearts, and of all Q♠ with them or not."""
        deck = self.deck
        return deck.hearts_value + (deck.queens * deck.queen_value if queens else 0)

    def _may_be_sun(self) -> bool:
        """Whether these rules have a sun and only the shooter's side won tricks."""
        shooter = self.row.shooter
        return (
            self.rules.sun
            and shooter is not None
            and not any(
                [
                    won and self.rules.side(seat) != self.rules.side(shooter)
                    for seat, won in enumerate(self.row.tricks_won)
                ]
            )
        )

    def _moon_problems(self, ways: tuple[bool, ...]) -> list[Problem]:
        """Whether somebody shot the moon, and who, and whether it was a sun, as the card points and tricks say."""
        row, deck = self.row, self.deck
        if deck.hearts_moon:
            if row.shooter is None:
                return []
            side = self._shooting_side()
            queens = self.queen_known and row.queen_taker in side
            if (deck.queens_moon and self.queen_known and not queens) or (
                self._cards_of(side) < self._value_in_moon(queens or deck.queens_moon)
            ):
                message = "must be None: that side has not every card that the moon needs"
                return [_problem("wrong-moon", self.where, "shooter", message)]
        else:
            side = self._side()
        if not side:
            if row.shooter is None:
                return []
            message = "must be None: no side that could shoot the moon has all the penalty points"
            return [_problem("wrong-moon", self.where, "shooter", message)]
        shooter = leading_shooter(deck.tables, side, row.card_points, self.rules.dealer(self.deal_number))
        if row.shooter is None:
            if self.rules.moon_needs_bonus:
                return []
            message = f"must be {shooter}: that side has all the penalty points"
            return [_problem("wrong-moon", self.where, "shooter", message)]
        if row.shooter != shooter:
            return [_problem("wrong-moon", self.where, "shooter", f"must be {shooter}, who has the penalty points")]
        suns = [not left_aside for left_aside in ways] if self._may_be_sun() else [False]
        if row.sun in suns:
            return []
        why = "the shooter's side took every trick" if suns[0] else "the shooter's side did not take every trick"
        return [_problem("wrong-moon", self.where, "sun", f"must be {suns[0]}: {why}")]

    def _distribution_problems(self, ways: tuple[bool, ...]) -> list[Problem]:
        try:
            if self._is_found(ways):
                return []
        except _TooHardError:
            message = f"is too hard to judge: {MOST_NODES} steps of the search for its cards were not enough"
            return [Problem("row-too-hard", (self.where,), f"{self.where} {message}")]
        problems = self._why_not_found()
        if self.deck.tables.one_queen:
            self.queen_known = False
            if self._is_found_soon(ways):
                message = "does not go with the rest of the row: name the seat that has the QS, or correct the rest"
                return [_problem("wrong-queen-taker", self.where, "queen_taker", message)]
            self.queen_known = True
        if self.row.shooter is None and self.deck.hearts_moon:
            self.any_moon = True
            if self._is_found_soon(ways):
                message = "cannot be None: whoever has these card points has every card that the moon needs"
                return [_problem("wrong-moon", self.where, "shooter", message)]
        return problems

    def _is_found_soon(self, ways: tuple[bool, ...]) -> bool:
        """Whether a row that is wrong would be right otherwise, as far as a short search tells."""
        self.search.limit = min(self.search.nodes + _FIRST_NODES, MOST_NODES)
        try:
            return self._is_found(ways)
        except _TooHardError:
            return False

    def _why_not_found(self) -> list[Problem]:
        if self.wrong_seats:
            return [
                _problem("wrong-points", self.where, f"points[{seat}]", "does not follow from the rest of the row")
                for seat in sorted(self.wrong_seats)
            ]
        if self.reached is _Stage.POINTS:
            message = (
                "do not go together: no way to share out what these rules add to card points (bonus cards, a doubler) "
                "gives all of them; check who took what"
            )
            return [_problem("wrong-points", self.where, "points", message)]
        if self.reached is _Stage.MOON:
            message = "does not go with the points: the moon needs every bonus card"
            return [_problem("wrong-moon", self.where, "shooter", message)]
        if self.reached is _Stage.EFFECT:
            message = f"is not what {self.rules.moon} does with these totals: try the other effect"
            return [_problem("wrong-moon", self.where, "effect", message)]
        return [
            Problem(
                "impossible-row",
                (self.where, f"{self.where}.card_points", f"{self.where}.tricks_won"),
                f"no distribution of the cards gives {self.where}: with {self.deck.players} cards a trick, no piles of "
                "so many tricks have these card points and these special cards; check card_points and tricks_won",
            )
        ]

    # --------------------------------------------------------------------------------------------------- the hauls

    def _is_found(self, ways: tuple[bool, ...]) -> bool:
        """Whether some haul is scored as the row says, and some distribution of the cards gives it."""
        self._points.clear()
        self.reached = _Stage.POINTS
        self.wrong_seats = set(range(self.deck.players))
        tried: set[object] = set()
        for case in self._cases():
            shares = [self._shares(case, seat) for seat in range(self.deck.players)]
            self.wrong_seats -= {seat for seat, options in enumerate(shares) if options}
            if not all(shares):
                continue
            for haul in self._hauls(case, shares):
                if self._is_scored_so(case, haul) and any([self._can_be(case, haul, way, tried) for way in ways]):
                    return True
        return False

    def _cases(self) -> Iterator[_Case]:
        row, deck = self.row, self.deck
        tables = deck.tables
        if row.shooter is None or not deck.hearts_moon:
            yield _Case(0 if row.shooter is None else tables.moon_value, (), None, 0)
            return
        side = self._shooting_side()
        if deck.queens_moon:
            all_queens: tuple[bool | None, ...] = (True,)
        elif not tables.moon_queens or not deck.queen_value:
            all_queens = (None,)
        else:
            all_queens = (row.queen_taker in side,) if self.queen_known else (True, False)
        for queens in all_queens:
            in_moon = self._value_in_moon(queens)
            if self._cards_of(side) < in_moon:
                continue
            apart: list[int | None] = list(row.card_points)
            split = 0
            for seat in side:
                apart[seat] = row.card_points[seat] - in_moon if len(side) == 1 else None
            if len(side) > 1:
                split = T.HEARTS | T.QUEEN if queens else T.HEARTS
            moon = tables.moon_value + (tables.queens_value if queens and not deck.queens_moon else 0)
            yield _Case(moon, tuple(apart), queens, split)

    def _shares(self, case: _Case, seat: Seat) -> list[_Share]:
        """What the seat may have, so that its points are right."""
        row, deck = self.row, self.deck
        cards = row.card_points[seat]
        sums = deck.bonus_sums if row.tricks_won[seat] else deck.bonus_sums[:1]
        found: dict[tuple[int, int, int], bool | None] = {}
        for copies in self._copies(seat):
            ways: list[tuple[bool, Sequence[int]]] = [(True, sums)]
            if copies and not cards:
                # Whether there is a scoring card is left to hearts that are worth nothing, without a bonus card.
                ways = [(True, sums[1:]), (False, sums[:1])]
                if deck.free_hearts:
                    ways.append((True, sums[:1]))
            for scoring, among in ways:
                for apart, bonus in self._fitting(case, seat, copies, scoring, among):
                    key = (bonus, copies, apart)
                    settled = not copies or cards or bonus or not deck.free_hearts or key in found
                    found[key] = None if settled else scoring
        return [_Share(bonus, copies, heart, apart) for (bonus, copies, apart), heart in found.items()]

    def _copies(self, seat: Seat) -> Sequence[int]:
        """How many copies of the doubler the seat may have."""
        if not self.row.tricks_won[seat]:
            return (0,)
        if self.deck.queen_doubles and self.queen_known:
            return (1 if seat == self.row.queen_taker else 0,)
        return range(self.deck.doublers + 1)

    def _fitting(
        self, case: _Case, seat: Seat, copies: int, scoring: bool, among: Sequence[int]
    ) -> Iterator[tuple[int, int]]:
        """The values of penalty cards apart from the moon, and the points of bonus cards, with which the points of a
        seat are right. The more of the first, the more points; the more of the second, the fewer."""
        right = self.row.points[seat]
        known = case.apart[seat] if case.apart else 0
        if known is not None:

            def lowered(bonus: int) -> int:
                return -self._points_of(case, None, bonus, copies, scoring)[seat]

            low = bisect_left(among, -right, key=lowered)
            high = bisect_right(among, -right, low, key=lowered)
            for bonus in among[low:high]:
                if high - low > _FEW_SUMS:
                    self.search.count()
                yield known, bonus
            return
        most = self.row.card_points[seat]
        values = self.deck.apart_sums
        for bonus in among:
            self.search.count()

            def raised(apart: int, bonus: int = bonus) -> int:
                return self._points_of(case, apart, bonus, copies, scoring)[seat]

            for apart in values[bisect_left(values, right, key=raised) : bisect_right(values, right, key=raised)]:
                if apart > most:
                    break
                self.search.count()
                yield apart, bonus

    def _points_of(self, case: _Case, apart: int | None, bonus: int, copies: int, scoring: bool) -> list[int]:
        """The points of all seats if each has the same; `apart` None: the case tells what is apart."""
        key = (case, apart, bonus, copies, scoring)
        points = self._points.get(key)
        if points is None:
            share = _Share(bonus, copies, scoring, 0)
            aparts = [each or 0 for each in case.apart] if apart is None else [apart] * self.deck.players
            haul = self._haul(case, [share] * self.deck.players, aparts)
            points = deal_points(self.deck.tables, haul, self.before, self.row.effect)
            self._points[key] = points
        return points

    def _haul(self, case: _Case, shares: Sequence[_Share], apart: list[int]) -> Haul:
        row = self.row
        return Haul(
            row.card_points,
            row.tricks_won,
            -1 if row.shooter is None else row.shooter,
            row.sun,
            case.moon,
            apart if case.apart else [],
            [share.bonus for share in shares],
            [share.doublers for share in shares],
            [bool(cards or share.bonus or share.heart) for cards, share in zip(row.card_points, shares, strict=True)],
            -1 if row.queen_taker is None else row.queen_taker,
        )

    def _hauls(self, case: _Case, options: Sequence[Sequence[_Share]]) -> Iterator[tuple[_Share, ...]]:
        """The shares of all seats that go together."""
        deck = self.deck
        bonus = sum(deck.bonuses)
        apart = sum(self.row.card_points) - self._value_in_moon(case.queens) if case.split else 0
        most = (bonus, deck.doublers, apart)
        least = (bonus, deck.doublers, apart) if deck.everything else (0, 0, apart)
        amounts = [[_amounts(share, case) for share in shares] for shares in options]
        # What the seats from each one on add at least and at most.
        rest_least = [(0, 0, 0)]
        rest_most = [(0, 0, 0)]
        for each in reversed(amounts):
            columns = list(zip(*each, strict=True))
            rest_least.append(_plus(rest_least[-1], [min(column) for column in columns]))
            rest_most.append(_plus(rest_most[-1], [max(column) for column in columns]))
        bags = frozenset([deck.bonuses]) if not deck.bonus_each and len(deck.bonuses) <= _FEW_CARDS else None
        chosen: list[_Share] = []

        def choose(so_far: tuple[int, int, int], bags: _Bags | None) -> Iterator[tuple[_Share, ...]]:
            seat = len(chosen)
            if seat == len(options):
                yield tuple(chosen)
                return
            after_least, after_most = rest_least[-2 - seat], rest_most[-2 - seat]
            if len(options[seat]) > 1:
                self.search.count()
            for share, added in zip(options[seat], amounts[seat], strict=True):
                now = _plus(so_far, added)
                if any([a + b > c for a, b, c in zip(now, after_least, most, strict=True)]):
                    continue
                if any([a + b < c for a, b, c in zip(now, after_most, least, strict=True)]):
                    continue
                left = bags if bags is None or not share.bonus else _left_over(bags, share.bonus)
                if left is None or left:
                    chosen.append(share)
                    yield from choose(now, left)
                    chosen.pop()

        yield from choose((0, 0, 0), bags)

    def _is_scored_so(self, case: _Case, shares: Sequence[_Share]) -> bool:
        """Whether the deal with these shares has the moon, the effect and the points of the row."""
        self.reached = max(self.reached, _Stage.MOON)
        row, deck = self.row, self.deck
        if self.rules.moon_needs_bonus:
            side: tuple[Seat, ...] = self._shooting_side() if row.shooter is not None else ()
            if row.shooter is None and not deck.hearts_moon:
                side = self._side()
            shot = bool(side) and self._has_all_bonuses(side, shares)
            if shot != (row.shooter is not None):
                return False
        self.reached = max(self.reached, _Stage.EFFECT)
        haul = self._haul(case, shares, [share.apart for share in shares])
        scored = score_haul(deck.tables, haul, self.before, self.deal_number, row.shown, row.effect)
        if scored.effect is not row.effect or scored.points != row.points:
            return False
        self.reached = _Stage.CARDS
        return True

    def _has_all_bonuses(self, side: Sequence[Seat], shares: Sequence[_Share]) -> bool:
        return sum([shares[seat].bonus for seat in side]) == sum(self.deck.bonuses)

    # --------------------------------------------------------------------------------------------------- the cards

    def _can_be(self, case: _Case, shares: Sequence[_Share], left_aside: bool, tried: set[object]) -> bool:
        """Whether some distribution of the cards gives these shares."""
        layout = self._layout(case, shares, left_aside)
        if layout is None:
            return False
        key: tuple[object, ...] = (left_aside, case.queens, tuple(shares))
        if not self.deck.hearts_moon:
            # Seats that are alike may change places.
            hearts = [0 if share.heart is None else 1 + share.heart for share in shares]
            key = (left_aside, tuple(sorted(zip(layout.bins, (*hearts, 0), strict=True))))
        if key in tried:
            return False
        tried.add(key)
        extra = set_aside_tricks(self.deck.tables, self.row.tricks_won) - left_aside
        lonely = [seat for seat, share in enumerate(shares) if share.heart is False]
        for shot in self._shot(case, shares, layout):
            for needs in self._needs(case, shares):
                if self._with_kitty(shot, needs, lonely, extra, left_aside):
                    return True
        return False

    def _layout(self, case: _Case, shares: Sequence[_Share], left_aside: bool) -> _Layout | None:
        """The piles by seat, without a kitty, and last what is in no pile, of one trick at least if any are left; the
        Q♠ of which it is known where it lies is there."""
        row, deck = self.row, self.deck
        facts = _facts(self.rules, self.row.shown, case.split)
        players = deck.players
        bins: list[_Bin] = []
        counted_cards = len(deck.bonuses) if deck.bonus_each else 0
        counted_cards += deck.doublers
        for points, won, share in zip(row.card_points, row.tricks_won, shares, strict=True):
            cards = share.doublers + (share.bonus // deck.bonus_each if deck.bonus_each else 0)
            value = points + share.apart * (facts.apart_unit - 1) + share.bonus * facts.bonus_unit
            bins.append((value, players * won - cards, won > 0))
            counted_cards -= cards
        value = facts.total - sum([value for value, _, _ in bins])
        bins.append((value, (players if left_aside else 0) - counted_cards, left_aside))
        layout = _Layout(facts, tuple(bins), facts.counts, facts.hearts, deck.queens, facts.plain)
        if value < 0:
            return None
        if deck.queen_doubles or not self.queen_known:
            return layout
        place = players if row.queen_taker is None else row.queen_taker
        return layout.with_cards(place, facts.queen, 1, False)

    def _shot(self, case: _Case, shares: Sequence[_Share], layout: _Layout) -> Iterator[_Layout]:
        """The layouts in which the shooter's side has the cards of a moon of hearts; of a team's hearts that are worth
        something, the search finds out who has which."""
        deck = self.deck
        if self.row.shooter is None or not deck.hearts_moon:
            yield layout
            return
        side = self._shooting_side()
        layouts = [layout]
        if case.queens and deck.queen_doubles:
            if sum([shares[seat].doublers for seat in side]) < deck.queens:
                return
        elif case.queens:
            layouts = list(_spreads(layout, side, layout.facts.queen, layout.queens, False))
        for each in layouts:
            self.search.count()
            if len(side) == 1:
                whole = each.with_hearts(side[0])
                if whole is not None:
                    yield whole
            else:
                for spread in _spreads(each, side, len(each.counts), each.hearts[-1], True):
                    self.search.count()
                    yield spread

    def _needs(self, case: _Case, shares: Sequence[_Share]) -> Iterator[list[_Need]]:
        """The cards of which it matters that they are somewhere: one of the lists must be met."""
        deck = self.deck
        places = range(deck.players + 1)
        needs = [_Need((seat,), True, False) for seat, share in enumerate(shares) if share.heart]
        unknown = deck.queens > 0 and not deck.queen_doubles and not self.queen_known
        if case.queens is False and unknown:
            side = self._shooting_side()
            needs.append(_Need(tuple([place for place in places if place not in side]), False, True))
        near = self._near_moons(shares, unknown)
        if not near:
            yield needs
            return
        # Nobody may have shot the moon: a card of it lies with somebody who could not, or in two such piles.
        queens = deck.queens_moon and unknown
        safe = tuple([place for place in places if not any([place in side for side in near])])
        yield [*needs, _Need(safe, True, queens)]
        for one, other in combinations(near, 2):
            yield [*needs, _Need(one, True, queens), _Need(other, True, queens)]

    def _near_moons(self, shares: Sequence[_Share], unknown: bool) -> list[tuple[Seat, ...]]:
        """The sides that may have every card of a moon of hearts, which nobody shot; `unknown` says that it is not
        known where the Q♠ are."""
        row, deck = self.row, self.deck
        if row.shooter is not None or not deck.hearts_moon or self.any_moon:
            return []
        near: list[tuple[Seat, ...]] = []
        for side in deck.tables.moon_sides:
            cards = self._cards_of(side)
            if self.rules.moon_needs_bonus and not self._has_all_bonuses(side, shares):
                continue
            if deck.queens_moon:
                if deck.queen_doubles:
                    if sum([shares[seat].doublers for seat in side]) < deck.queens:
                        continue
                elif not unknown and row.queen_taker not in side:
                    continue
                cards -= deck.queens * deck.queen_value
            elif self.queen_known and row.queen_taker in side:
                cards -= deck.queen_value
            if cards >= deck.hearts_value:
                near.append(side)
        return near

    def _with_kitty(
        self, layout: _Layout, needs: list[_Need], lonely: Sequence[Seat], extra: int, left_aside: bool
    ) -> bool:
        """Whether the other cards can be added to a layout, the kitty where it can be."""
        row, deck = self.row, self.deck
        by_heart = self.rules.kitty is Kitty.FIRST_HEART and deck.kitty > 0
        nowhere = deck.players
        placed = any([heart for _, heart in layout.pins])
        if by_heart and not placed:
            # No seat has any heart: then nobody took the kitty.
            without = layout.with_hearts(nowhere)
            if without is not None and self._fits(without.with_room(nowhere, deck.kitty), needs, lonely, extra):
                return True
        marked = [by_heart or points > 0 for points in row.card_points]
        seen: set[_Bin] = set()
        for taker in kitty_takers(deck.tables, row.tricks_won, left_aside, marked):
            if taker is None:
                return not by_heart and self._fits(layout.with_room(nowhere, deck.kitty), needs, lonely, extra)
            if not needs and not lonely and not placed:
                # Of seats that are alike, one is enough.
                if layout.bins[taker] in seen:
                    continue
                seen.add(layout.bins[taker])
            wanted = [*needs, _Need((taker,), True, False)] if by_heart else needs
            if self._fits(layout.with_room(taker, deck.kitty), wanted, lonely, extra):
                return True
        return False

    def _fits(self, layout: _Layout, needs: Sequence[_Need], lonely: Sequence[Seat], extra: int) -> bool:
        """Whether the other cards can be added so that the needs are met and no lonely seat has a heart."""
        if not self._has_room(layout, lonely, extra):
            return False
        needs = [need for need in needs if not need.is_met(layout.pins)]
        return not needs or self._meets(layout, needs, lonely, extra)

    def _has_room(self, layout: _Layout, lonely: Sequence[Seat], extra: int) -> bool:
        kept = layout.without_lonely(lonely, extra)
        if kept is None:
            return False
        layout, extra = kept
        return self.search.fits(layout.facts, layout.bins, extra, layout.counts)

    def _meets(self, layout: _Layout, needs: Sequence[_Need], lonely: Sequence[Seat], extra: int) -> bool:
        """Whether the other cards can be added after a card for each of the needs."""
        need, *later = needs
        for place in need.places:
            for after in _pinned(layout, place, need):
                wanted = [each for each in later if not each.is_met(after.pins)]
                if wanted:
                    self.search.count()
                    if self._meets(after, wanted, lonely, extra):
                        return True
                elif self._has_room(after, lonely, extra):
                    return True
        return False


def _pinned(layout: _Layout, place: int, need: _Need) -> Iterator[_Layout]:
    """The layouts with one more card in its place, of those that meet a need."""
    last = len(layout.counts)
    found = [layout.with_cards(place, at, 1, True) for at in (last, *range(last)) if need.hearts and layout.hearts[at]]
    if need.queens and layout.queens:
        found.append(layout.with_cards(place, layout.facts.queen, 1, False))
    yield from [each for each in found if each is not None]


def _spreads(layout: _Layout, side: Sequence[Seat], at: int, count: int, heart: bool) -> Iterator[_Layout]:
    """The layouts in which so many hearts, or Q♠, lie with these seats."""
    here = [count] if len(side) == 1 else range(count + 1)
    for each in here:
        after = layout.with_cards(side[0], at, each, heart)
        if after is None:
            break
        if len(side) == 1:
            yield after
        else:
            yield from _spreads(after, side[1:], at, count - each, heart)


def _amounts(share: _Share, case: _Case) -> tuple[int, int, int]:
    """What must add up over the seats: points of bonus cards, doublers, penalty cards apart from the moon."""
    return share.bonus, share.doublers, share.apart if case.split else 0


def _plus(one: tuple[int, int, int], other: Sequence[int]) -> tuple[int, int, int]:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


_Bags: TypeAlias = frozenset[tuple[int, ...]]


def _left_over(bags: _Bags, bonus: int) -> _Bags:
    """What can be left of some cards, any of the bags, after cards of so many points were taken out."""
    left: set[tuple[int, ...]] = set()
    for bag in bags:
        for count in range(1, len(bag) + 1):
            for taken in combinations(range(len(bag)), count):
                if sum([bag[at] for at in taken]) == bonus:
                    left.add(tuple([each for at, each in enumerate(bag) if at not in taken]))
    return frozenset(left)


def _problem(code: str, where: str, field: str, message: str) -> Problem:
    return Problem(code, (f"{where}.{field}",), f"{where}.{field} {message}")
