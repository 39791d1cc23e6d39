"""What the deck of a rule set holds, as numbers that add up: for the judge of a row and for the search."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

import attrs

from heartsrules.cards import Cards
from heartsrules.play.exposing import compiled_with
from heartsrules.rules import Moon, MoonCards, Rules
from heartsrules.rules import compiled as C
from heartsrules.rules.compiled import CompiledRules

__all__ = ["Deck", "Facts", "deck_for", "facts_of"]

_MOST_SUMS: Final = 20_000
"""How many sums are kept of one rule set; beyond, the search goes by bounds alone for the largest values."""


@attrs.frozen
class Deck:
    """What the judge has to know of a rule set."""

    compiled: CompiledRules
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
    """Whether the cards of the moon are all hearts, or these and the Q♠, and not simply all penalty cards."""
    queens_moon: bool
    """Whether they are the hearts and the Q♠."""
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
def deck_for(rules: Rules, shown: tuple[Cards, ...]) -> Deck:
    compiled = compiled_with(rules, shown)
    cards = list(rules.deck)
    hearts = [compiled.values[card.index] for card in cards if card.bit & C.HEARTS]
    points = {each.faces: each.points for each in compiled.bonuses}
    bonuses = tuple(sorted([points[card.bit] for card in cards if card.bit & compiled.bonus_faces]))
    alike = len(set(bonuses)) == 1 and not compiled.bonus_faces & C.QUEEN
    apart = [compiled.values[card.index] for card in cards if card.bit & compiled.moon_apart]
    return Deck(
        compiled=compiled,
        players=rules.players,
        kitty=rules.kitty_size,
        total=compiled.penalty_total,
        everything=rules.kitty_size == 0 and compiled.duplicates != C.CANCEL,
        hearts_value=sum(hearts),
        free_hearts=hearts.count(0),
        queens=sum([1 for card in cards if card.bit & C.QUEEN]),
        queen_value=compiled.values[_QUEEN_INDEX],
        hearts_moon=rules.moon is not Moon.OFF and rules.moon_cards is not MoonCards.ALL,
        queens_moon=rules.moon is not Moon.OFF and rules.moon_cards is MoonCards.HEARTS_AND_QUEEN,
        doublers=sum([1 for card in cards if card.bit & compiled.doubler]),
        queen_doubles=compiled.doubler & C.QUEEN != 0,
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
class Facts:
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
    """By place in `values`: the sums of the 0, 1, 2 ... smallest cards of that and of all smaller values."""
    falling: tuple[tuple[int, ...], ...]
    """By place in `values`: the sums of the 0, 1, 2 ... largest cards of that and of all smaller values."""

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
def facts_of(rules: Rules, shown: tuple[Cards, ...], split: int) -> Facts:
    compiled = compiled_with(rules, shown)
    deck = deck_for(rules, shown)
    apart_unit = deck.total + 1 if split else 1
    bonus_unit = apart_unit * (deck.total + 1) if deck.bonuses and not deck.bonus_each else 0
    points = {each.faces: each.points for each in compiled.bonuses}
    counts: dict[int, int] = {}
    hearts: dict[int, int] = {}
    plain = queen = 0
    for card in rules.deck:
        number = compiled.values[card.index] * (1 if card.bit & split else apart_unit)
        number += points.get(card.bit, 0) * bonus_unit
        counts[number] = counts.get(number, 0) + 1
        if card.bit & C.HEARTS:
            hearts[number] = hearts.get(number, 0) + 1
        elif not number and not card.bit & (compiled.bonus_faces | compiled.doubler):
            plain += 1
        if card.bit & C.QUEEN:
            queen = number
    values = sorted(set(counts) - {0}, reverse=True)
    rising: list[tuple[int, ...]] = [(0,)]
    falling: list[tuple[int, ...]] = [(0,)]
    smaller: list[int] = []
    for value in reversed(values):
        smaller += [value] * counts[value]
        rising.insert(0, tuple(accumulate(smaller, initial=0)))
        falling.insert(0, tuple(accumulate(reversed(smaller), initial=0)))
    return Facts(
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
