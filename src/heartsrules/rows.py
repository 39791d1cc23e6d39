"""Whether a row of the score sheet is possible: whether any piles at all would be scored so.

A row tells of each seat how many tricks it won and the penalty value of its pile, but not the cards. This module looks
for a distribution of the deck that fits: as many cards a trick as there are players, the kitty with a seat that may
have taken it, tricks set aside where two decks make some (`heartsrules.piles`). What the seats score follows from those
numbers by the functions that score a deal of which the cards are known (`heartsrules.scoring`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, TypeAlias

import attrs

from heartsrules import tables as T
from heartsrules.errors import Problem, counted
from heartsrules.piles import endings, kitty_takers, set_aside_tricks, trick_count_problems
from heartsrules.rules import Kitty, Moon, Rules, Seat
from heartsrules.scoring import automatic_effect, deal_points, leading_shooter, new_totals
from heartsrules.sheet import DealScore
from heartsrules.tables import Tables

__all__ = ["MOST_NODES", "row_problems"]

MOST_NODES: Final = 50_000
"""How many steps the search for one row may take before the row is refused as too hard to judge."""

_FIRST_NODES: Final = 5_000
"""For so many steps the search gives out the cards value by value, and then for as many bin by bin, which is quicker
where values are large and all different: few sets of such cards make a sum."""

_MOST_SUMS: Final = 20_000
"""How many sums are kept of one rule set; beyond, the search goes by bounds alone for the largest values."""


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
    if row.totals != new_totals(rules.tables, before, row.points):
        problems.append(
            Problem(
                "wrong-scores",
                (f"{where}.totals",),
                f"{where}.totals must be the totals before the deal with {where}.points added"
                + (", after exact_resets" if rules.exact_resets else ""),
            )
        )
    return problems + _Judge(rules, row, before, deal_number, where, _Search(_facts(rules))).problems()


# ------------------------------------------------------------------------------------------------- what the deck holds


@attrs.frozen
class _Facts:
    """What the search has to know of a rule set."""

    tables: Tables
    players: int
    kitty: int
    """The size of the kitty."""
    values: tuple[int, ...]
    """The penalty values in play, each once, the largest first."""
    counts: tuple[int, ...]
    """How many cards there are of each value."""
    hearts: tuple[int, ...]
    """How many hearts are among them."""
    free_hearts: int
    """How many hearts are worth nothing."""
    bonuses: int
    """How many copies of the bonus card there are."""
    moon_needs_bonus: bool
    total: int
    sums: tuple[dict[int, tuple[int, int]] | None, ...]
    """By place in `values`: the sums that the cards of that and of all smaller values can have, with the fewest and
    the most cards that make each; None where there are too many."""
    rising: tuple[tuple[int, ...], ...]
    """By place: the sums of the 0, 1, 2 ... smallest cards of that and of all smaller values,"""
    falling: tuple[tuple[int, ...], ...]
    """and of the 0, 1, 2 ... largest."""

    def span(self, place: int, total: int) -> tuple[int, int] | None:
        """Bounds of how many cards, from that place on, make a sum: at least and at most so many; None: no cards do."""
        sums = self.sums[place]
        if sums is not None:
            return sums.get(total)
        falling = self.falling[place]
        if total > falling[-1]:
            return None
        return bisect_left(falling, total), bisect_right(self.rising[place], total) - 1


@lru_cache(maxsize=64)
def _facts(rules: Rules) -> _Facts:
    tables = rules.tables
    counts: dict[int, int] = {}
    hearts: dict[int, int] = {}
    bonuses = 0
    for card in rules.deck:
        value = tables.values[card.index]
        counts[value] = counts.get(value, 0) + 1
        if card.bit & T.HEARTS:
            hearts[value] = hearts.get(value, 0) + 1
        if card.bit & tables.bonus_bit:
            bonuses += 1
    values = sorted(set(counts) - {0}, reverse=True)
    rising: list[tuple[int, ...]] = [(0,)]
    falling: list[tuple[int, ...]] = [(0,)]
    smaller: list[int] = []
    for value in reversed(values):
        smaller += [value] * counts[value]
        rising.insert(0, tuple(accumulate(smaller, initial=0)))
        falling.insert(0, tuple(accumulate(reversed(smaller), initial=0)))
    return _Facts(
        tables=tables,
        players=rules.players,
        kitty=rules.kitty_size,
        values=tuple(values),
        counts=tuple([counts[value] for value in values]),
        hearts=tuple([hearts.get(value, 0) for value in values]),
        free_hearts=hearts.get(0, 0),
        bonuses=bonuses,
        moon_needs_bonus=rules.moon_needs_bonus,
        total=rules.penalty_total,
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

    def __init__(self, facts: _Facts) -> None:
        self.facts = facts
        self.nodes = 0
        self._most = MOST_NODES
        self._failed: dict[tuple[int, ...], set[tuple[int, int, tuple[_Bin, ...]]]] = {}
        self._set(facts.counts)

    def _set(self, counts: tuple[int, ...]) -> None:
        self._counts = counts
        self._from = tuple(accumulate(reversed(counts), initial=0))[::-1]
        self._bad = self._failed.setdefault(counts, set())

    def fits(self, bins: Sequence[_Bin], extra: int, counts: tuple[int, ...]) -> bool:
        """Whether these counts of cards can be put into the bins, which may grow by `extra` tricks together.

        The bins' values must add up to that of the cards.

        Raises:
            _TooHardError: the search would take too many steps.
        """
        if counts != self._counts:
            self._set(counts)
        opened = self._open(bins, extra)
        if opened is None:
            return False
        wanting, left = opened
        for attempt in range(3):
            # What the first attempt has found out is still known in the third.
            self._most = min(self.nodes + _FIRST_NODES, MOST_NODES) if attempt < 2 else MOST_NODES
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


# -------------------------------------------------------------------------------------------------------- the judgment


@attrs.frozen
class _Judge:
    """A row whose tuples have the right lengths, and all that is known beside it."""

    rules: Rules
    row: DealScore
    before: tuple[int, ...]
    deal_number: int
    where: str
    search: _Search

    def problems(self) -> list[Problem]:
        """What is wrong with the row, its totals aside."""
        problems = trick_count_problems(self.rules, self.row.tricks_won, f"{self.where}.tricks_won")
        problems += self._card_problems()
        if problems:
            return problems + self._odd_moon()
        ways = endings(self.search.facts.tables, self.row.tricks_won)
        problems = self._odd_moon() or self._moon_problems(ways)
        if problems:
            return problems
        if self.row.shooter is not None and self._may_be_sun():
            ways = tuple([left_aside for left_aside in ways if left_aside != self.row.sun])
        allowed = self._allowed_copies()
        problems = [
            _problem("wrong-points", self.where, f"points[{seat}]", "does not follow from the rest of the row")
            for seat, copies in enumerate(allowed)
            if not copies
        ]
        return problems or self._distribution_problems(ways, allowed)

    def _card_problems(self) -> list[Problem]:
        """What is wrong with the card points, whatever the cards are."""
        row, facts = self.row, self.search.facts
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
        all_taken = facts.kitty == 0 and facts.tables.duplicates != T.CANCEL
        if found > facts.total or (all_taken and found != facts.total):
            most = "" if all_taken else "at most "
            message = f"must add up to {most}the penalty value of all cards in play"
            problems.append(_problem("wrong-sum", self.where, "card_points", message))
        return problems

    def _odd_moon(self) -> list[Problem]:
        """What is wrong with the shooter, the effect and the sun, whatever the points are."""
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
            for seats in self.search.facts.tables.moon_sides:
                if sum([self.row.card_points[seat] for seat in seats]) == self.search.facts.total:
                    return seats
        return ()

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
        row = self.row
        side = self._side()
        if not side:
            if row.shooter is None:
                return []
            message = "must be None: no side that could shoot the moon has all the penalty points"
            return [_problem("wrong-moon", self.where, "shooter", message)]
        tables = self.search.facts.tables
        shooter = leading_shooter(tables, side, row.card_points, self.rules.dealer(self.deal_number))
        if row.shooter is None:
            if self.search.facts.moon_needs_bonus:
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

    def _points_with(self, copies: Sequence[int], effect: Moon | None) -> list[int]:
        row = self.row
        shooter = -1 if row.shooter is None else row.shooter
        return deal_points(
            self.search.facts.tables,
            row.card_points,
            copies,
            row.tricks_won,
            self.before,
            shooter,
            effect,
            row.sun,
        )

    def _allowed_copies(self) -> list[list[int]]:
        """By seat, with how many copies of the bonus card the points are right."""
        row, facts = self.row, self.search.facts
        allowed: list[list[int]] = [[] for _ in row.points]
        for count in range(facts.bonuses + 1):
            points = self._points_with((count,) * facts.players, row.effect)
            for seat, copies in enumerate(allowed):
                if points[seat] == row.points[seat] and (row.tricks_won[seat] or not count):
                    copies.append(count)
        return allowed

    def _distribution_problems(self, ways: tuple[bool, ...], allowed: list[list[int]]) -> list[Problem]:
        facts = self.search.facts
        fewest = sum([copies[0] for copies in allowed])
        if fewest > facts.bonuses:
            message = f"need {counted(fewest, 'bonus card')}, but the deck in play has {facts.bonuses}"
            return [_problem("wrong-points", self.where, "points", message)]
        everything = facts.kitty == 0 and facts.tables.duplicates != T.CANCEL
        if everything and sum([copies[-1] for copies in allowed]) < facts.bonuses:
            message = "must show who took each bonus card: under these rules every card ends up in a pile"
            return [_problem("wrong-points", self.where, "points", message)]
        moon = effect = False
        tried: set[tuple[bool, tuple[_Bin, ...]]] = set()
        try:
            for copies in _vectors(allowed, facts.bonuses):
                if not self._right_moon(copies):
                    continue
                moon = True
                if not self._right_effect(copies):
                    continue
                effect = True
                for left_aside in ways:
                    bins = self._bins(copies, left_aside)
                    key = (left_aside, tuple(sorted(bins)))
                    if key not in tried and self._can_be(bins, left_aside):
                        return []
                    tried.add(key)
        except _TooHardError:
            message = f"is too hard to judge: {MOST_NODES} steps of the search for its cards were not enough"
            return [Problem("row-too-hard", (self.where,), f"{self.where} {message}")]
        if not moon:
            message = "does not go with the points: the moon needs every bonus card"
            return [_problem("wrong-moon", self.where, "shooter", message)]
        if not effect:
            message = f"is not what {self.rules.moon} does with these totals: try the other effect"
            return [_problem("wrong-moon", self.where, "effect", message)]
        return [
            Problem(
                "impossible-row",
                (self.where, f"{self.where}.card_points", f"{self.where}.tricks_won"),
                f"no distribution of the cards gives {self.where}: with {facts.players} cards a trick, no piles of so "
                "many tricks have these card points and these bonus cards; check card_points and tricks_won",
            )
        ]

    def _right_moon(self, copies: tuple[int, ...]) -> bool:
        """Whether the bonus cards allow the moon, or prevent it, as the row has it."""
        facts, row = self.search.facts, self.row
        if not facts.moon_needs_bonus:
            return True
        side = self._side()
        shot = bool(side) and sum([copies[seat] for seat in side]) == facts.bonuses
        return shot == (row.shooter is not None)

    def _right_effect(self, copies: tuple[int, ...]) -> bool:
        row = self.row
        if row.shooter is None or self.rules.moon not in (Moon.AUTO_SAVE, Moon.AUTO_EXTEND):
            return True
        up = self._points_with(copies, Moon.OTHERS_UP)
        tables = self.search.facts.tables
        return automatic_effect(tables, up, self.before, row.shooter, self.deal_number) is row.effect

    def _bins(self, copies: tuple[int, ...], left_aside: bool) -> list[_Bin]:
        """The piles by seat, without a kitty, and last what is in no pile, of one trick at least if any are left."""
        facts, row = self.search.facts, self.row
        bins: list[_Bin] = [
            (points, facts.players * won - count, won > 0)
            for points, won, count in zip(row.card_points, row.tricks_won, copies, strict=True)
        ]
        room = (facts.players if left_aside else 0) - (facts.bonuses - sum(copies))
        bins.append((facts.total - sum(row.card_points), room, left_aside))
        return bins

    def _can_be(self, bins: list[_Bin], left_aside: bool) -> bool:
        """Whether some distribution of the cards gives these bins, the kitty added where it can be."""
        facts, row = self.search.facts, self.row
        extra = set_aside_tricks(facts.tables, row.tricks_won) - left_aside
        fits = self.search.fits
        by_heart = self.rules.kitty is Kitty.FIRST_HEART and facts.kitty > 0
        if by_heart and self._without_hearts(bins, extra):
            return True
        marked = [by_heart or points > 0 for points in row.card_points]
        seen: set[_Bin] = set()
        takers = kitty_takers(facts.tables, row.tricks_won, left_aside, marked)
        for taker in takers:
            if taker is None:
                if by_heart:
                    return False
                return fits(_larger(bins, -1, facts.kitty), extra, facts.counts)
            if bins[taker] in seen:
                continue
            seen.add(bins[taker])
            piles = _larger(bins, taker, facts.kitty)
            if fits(piles, extra, facts.counts) and (not by_heart or self._with_heart(piles, taker, extra)):
                return True
        return False

    def _without_hearts(self, bins: list[_Bin], extra: int) -> bool:
        """Whether no seat can have any heart: then nobody took a kitty that the first heart takes."""
        facts = self.search.facts
        value, room, grows = bins[-1]
        for worth, count in zip(facts.values, facts.hearts, strict=True):
            value -= worth * count
        if value < 0:
            return False
        room += facts.kitty - sum(facts.hearts) - facts.free_hearts
        counts = tuple([count - hearts for count, hearts in zip(facts.counts, facts.hearts, strict=True)])
        return self.search.fits([*bins[:-1], (value, room, grows)], extra, counts)

    def _with_heart(self, piles: list[_Bin], taker: Seat, extra: int) -> bool:
        """Whether the taker of the kitty can have a heart among the cards."""
        facts = self.search.facts
        value, room, grows = piles[taker]
        if facts.free_hearts:
            piles[taker] = (value, room - 1, grows)
            if self.search.fits(piles, extra, facts.counts):
                return True
        for place, worth in enumerate(facts.values):
            if facts.hearts[place] and worth <= value:
                piles[taker] = (value - worth, room - 1, grows)
                counts = facts.counts
                if self.search.fits(piles, extra, (*counts[:place], counts[place] - 1, *counts[place + 1 :])):
                    return True
        return False


def _problem(code: str, where: str, field: str, message: str) -> Problem:
    return Problem(code, (f"{where}.{field}",), f"{where}.{field} {message}")


def _larger(bins: list[_Bin], number: int, by: int) -> list[_Bin]:
    """The bins with more room in one of them."""
    changed = list(bins)
    value, room, grows = bins[number]
    changed[number] = (value, room + by, grows)
    return changed


def _vectors(allowed: Sequence[Sequence[int]], most: int) -> Iterator[tuple[int, ...]]:
    """Every choice of one allowed number for each seat, with a sum of at most `most`."""
    if not allowed:
        yield ()
        return
    for count in allowed[0]:
        if count <= most:
            for rest in _vectors(allowed[1:], most - count):
                yield (count, *rest)
