"""Search for piles that are scored as a row of the score sheet says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

import attrs

from heartsrules.base.values import replaced
from heartsrules.cards import Card, Cards
from heartsrules.play.board import Board
from heartsrules.play.exposing import resolved_with
from heartsrules.play.pile_check import endings, kitty_winners, set_aside_tricks
from heartsrules.play.scoring import effect_code, new_totals, score_finished_deal, set_points
from heartsrules.play.sheet import DealScore
from heartsrules.rules import MoonCards, Rules, Seat
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

_MOST_SUMS: Final = 20_000
"""Sums of penalty values that are kept of one rule set; beyond, bounds stand in for them."""
_NOWHERE: Final = -1
"""Stands, among the seats, for the cards that are in no pile."""


class _OutOfStepsError(Exception):
    """The step budget is exhausted."""


@attrs.frozen
class _Kind:
    """Cards that no rule of scoring tells apart."""

    value: int
    """The penalty value of each."""
    bonus: int
    """The points of each as a bonus card."""
    face: int
    """The face of one of them, as a bit."""
    cards: tuple[Card, ...]


@attrs.frozen
class _Deck:
    """The cards in play by kind: first those without a penalty value, then by falling value."""

    resolved: ResolvedRules
    kinds: tuple[_Kind, ...]
    plain: tuple[Card, ...]
    """The cards that no rule of scoring names."""
    counts: tuple[int, ...]
    """By kind, the number of its cards."""
    first_penalty: int
    """The index of the first kind of penalty cards."""
    fewest: tuple[dict[int, int] | None, ...]
    """By kind: the sums of values of cards from it on, with the fewest cards that make each; None: too many sums."""
    largest: tuple[tuple[int, ...], ...]
    """By kind: the sums of the 0, 1, 2 ... largest values from it on."""

    def fewest_cards(self, kind: int, value: int) -> int:
        """A lower bound on how many cards of this and of later kinds have a value; more than a deck if none have."""
        sums = self.fewest[kind]
        if sums is not None:
            return sums.get(value, 1_000)
        return next((count for count, most in enumerate(self.largest[kind]) if most >= value), 1_000)


@lru_cache(maxsize=64)
def sorted_deck(rules: Rules, exposed: tuple[Cards, ...]) -> _Deck:
    """The cards in play by kind, where these cards count double because they were shown."""
    resolved = resolved_with(rules, exposed)
    points = {each.faces: each.points for each in resolved.bonuses}
    masks = [resolved.doubler]
    if resolved.doubler:
        masks.append(resolved.scoring)
    if resolved.moon != C.MOON_OFF and rules.moon_cards in (MoonCards.HEARTS, MoonCards.HEARTS_AND_QUEEN):
        masks += [resolved.moon_lo, resolved.moon_apart]
    if resolved.kitty == C.KITTY_FIRST_HEART:
        masks.append(C.HEARTS)
    if resolved.one_queen or resolved.moon_queens:
        masks.append(C.QUEEN)
    groups: dict[tuple[int, int, tuple[bool, ...]], list[Card]] = {}
    for card in rules.deck:
        flags = tuple([card.bit & mask != 0 for mask in masks])
        groups.setdefault((resolved.values[card.index], points.get(card.bit, 0), flags), []).append(card)
    plain = groups.pop((0, 0, (False,) * len(masks)), [])
    keys = sorted(groups, key=lambda key: (key[0] > 0, -key[0], key[1] > 0, -key[1]))
    kinds = [_Kind(key[0], key[1], int(groups[key][0].bit), tuple(groups[key])) for key in keys]
    fewest: list[dict[int, int] | None] = [{0: 0}]
    for kind in reversed(kinds):
        fewest.append(_with_kind(fewest[-1], kind))
    values = [kind.value for kind in kinds if kind.value for _ in kind.cards]
    starts = accumulate([len(kind.cards) if kind.value else 0 for kind in kinds], initial=0)
    return _Deck(
        resolved=resolved,
        kinds=tuple(kinds),
        plain=tuple(plain),
        counts=tuple([len(kind.cards) for kind in kinds]),
        first_penalty=sum([not kind.value for kind in kinds]),
        fewest=tuple(reversed(fewest)),
        largest=tuple([tuple(accumulate(values[start:], initial=0)) for start in starts]),
    )


def _with_kind(sums: dict[int, int] | None, kind: _Kind) -> dict[int, int] | None:
    """The sums, with the fewest cards of each, after the cards of one more kind are added."""
    if sums is None or not kind.value:
        return sums
    larger = sums.copy()
    for number in range(1, len(kind.cards) + 1):
        for value, count in sums.items():
            total = value + number * kind.value
            larger[total] = min(larger.get(total, 1_000), count + number)
        if len(larger) > _MOST_SUMS:
            return None
    return larger


@attrs.frozen
class _Pile:
    """What is to be filled with cards: the pile of a seat, or the cards in no pile."""

    seat: Seat
    value: int
    """The penalty value of its cards."""
    room: int
    """How many cards it has without the kitty and without tricks that were set aside."""
    grows: bool
    """Whether tricks that were set aside may be added."""
    takes_kitty: bool
    allowed: tuple[bool, ...]
    """By kind, whether its cards may lie here."""


class RowSearch:
    """A depth-first search for piles that are scored as a row says.

    Args:
        rules: the rule set.
        row: the row; its tuples have an item for each seat, its totals are not looked at.
        before: by seat, the running totals before the deal.
        deal_number: the number of the deal, from 0.
        steps: the step budget of each method.
    """

    def __init__(self, rules: Rules, row: DealScore, before: tuple[int, ...], deal_number: int, steps: int) -> None:
        self.deck = sorted_deck(rules, row.exposed)
        self.resolved = self.deck.resolved
        self.rules = rules
        self.row = replaced(row, totals=new_totals(self.resolved, before, row.points))
        self.before = before
        self.deal_number = deal_number
        self.budget = steps
        self.steps = 0
        """How many steps were taken."""
        self._extra = 0
        """How many tricks that were set aside lie in piles."""
        self._piles: list[_Pile] = []
        self._last: list[int] = []
        """By kind, the index of the last pile where its cards may lie: it gets what is left."""
        self._chosen: list[tuple[_Pile, tuple[int, ...], int, bool]] = []
        """The piles filled so far: the cards by kind, the tricks that were set aside, and whether it has the kitty."""
        self._failed: set[tuple[object, ...]] = set()
        self._scored = 0
        """How many complete distributions were scored."""
        self._points: dict[tuple[Seat, int, int, bool], int] = {}
        side = next((seats for seats in self.resolved.moon_sides if row.shooter in seats), ())
        self._side: tuple[Seat, ...] = side if row.shooter is not None else ()
        """The seats that shot the moon together."""
        self._moon = self.resolved.moon_value if self._side else 0
        self._apart: list[int | None] = [0] * rules.players
        """By seat, the value of its penalty cards that make no moon; None: only the cards tell."""
        apart = self.resolved.moon_apart if self._side else 0
        if apart:
            in_moon = sum(
                [each.value * len(each.cards) for each in self.deck.kinds if each.face & self.resolved.moon_lo]
            )
            if self.resolved.moon_queens and row.queen_taker in self._side:
                apart &= ~self.resolved.moon_queens
                in_moon += self.resolved.queens_value
                self._moon += self.resolved.moon_queens_value
            for seat, points in enumerate(row.card_points):
                alone = points - in_moon if len(self._side) == 1 else None
                self._apart[seat] = alone if seat in self._side else points
            if self.resolved.moon_queens and not self.resolved.one_queen:
                self._apart = [None] * rules.players
        self._has_apart = apart != 0

    # ------------------------------------------------------------------------------------------ one seat by itself

    def impossible_seats(self) -> tuple[list[Seat], list[Seat]]:
        """The seats whose points, and those whose card points, no cards give, each seat looked at by itself."""
        points: list[Seat] = []
        cards: list[Seat] = []
        aside = set_aside_tricks(self.resolved, self.row.tricks_won)
        for seat, won in enumerate(self.row.tricks_won):
            room = (won + aside) * self.rules.players + self.rules.kitty_size if won else 0
            self._piles = [self._pile(seat, room, False, False, False)]
            self._last = [1] * len(self.deck.kinds)
            whole = len(self.rules.deck)
            for found, most, last in ((points, whole, self.deck.first_penalty), (cards, room, len(self.deck.kinds))):
                self._limit = self.steps + self.budget // (2 * self.rules.players)
                try:
                    if not any(True for _ in self._fill(0, 0, self.deck.counts, most, (), last)):
                        found.append(seat)
                        break
                except _OutOfStepsError:
                    pass
        return points, cards

    # ------------------------------------------------------------------------------------------ all seats together

    def may_find(self) -> bool:
        """Whether there are such piles; True as well if the budget does not suffice to tell."""
        self._limit = self.steps + self.budget
        try:
            return self._finds()
        except _OutOfStepsError:
            return True

    def _finds(self) -> bool:
        players, kitty, won = self.rules.players, self.rules.kitty_size, self.row.tricks_won
        by_heart = self.resolved.kitty == C.KITTY_FIRST_HEART
        marked = [by_heart or points > 0 for points in self.row.card_points]
        for left_aside in endings(self.resolved, won):
            takers = kitty_winners(self.resolved, won, left_aside, marked)
            attempts: list[tuple[Sequence[Seat | None], bool]] = [(takers, False)]
            if by_heart and takers != (None,):
                # Or no seat has a heart, and the kitty is left.
                attempts.append(((None,), True))
            for seats, heartless in attempts:
                rest = (players if left_aside else 0) + (kitty if seats == (None,) else 0)
                piles = [
                    self._pile(_NOWHERE, rest, left_aside, False, heartless),
                    *[
                        self._pile(seat, players * won[seat], won[seat] > 0, seat in seats, heartless)
                        for seat in sorted(range(players), key=lambda seat: won[seat])
                    ],
                ]
                self._piles = piles
                where = [
                    [at for at, pile in enumerate(piles) if pile.allowed[kind]] for kind in range(len(self.deck.kinds))
                ]
                self._last = [places[-1] if places else len(piles) for places in where]
                self._failed.clear()
                self._chosen.clear()
                extra = set_aside_tricks(self.resolved, won) - left_aside
                if all(where) and self._place(0, self.deck.counts, extra, seats != (None,)):
                    return True
        return False

    def _pile(self, seat: Seat, room: int, grows: bool, takes_kitty: bool, heartless: bool) -> _Pile:
        row = self.row
        value = row.card_points[seat] if seat >= 0 else self.resolved.penalty_total - sum(row.card_points)
        bonus_needed = bool(self._side) and self.rules.moon_needs_bonus
        allowed: list[bool] = []
        for kind in self.deck.kinds:
            here = kind.value <= value and (seat < 0 or row.tricks_won[seat] > 0)
            if self.resolved.one_queen and kind.face & C.QUEEN:
                here = here and seat == (_NOWHERE if row.queen_taker is None else row.queen_taker)
            if self._side and (kind.face & self.resolved.moon_lo or (kind.bonus and bonus_needed)):
                here = here and seat in self._side
            if heartless and kind.face & C.HEARTS:
                here = here and seat < 0
            allowed.append(here)
        return _Pile(seat, value, room, grows, takes_kitty, tuple(allowed))

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self._limit:
            raise _OutOfStepsError

    def _place(self, at: int, left: tuple[int, ...], extra: int, kitty: bool) -> bool:
        """Fill the piles from that index on.

        Args:
            at: the index of a pile.
            left: by kind, the cards that are left.
            extra: how many tricks that were set aside are still to be added to piles.
            kitty: whether the kitty is still to be added to a pile.
        """
        if at == len(self._piles):
            return self._is_scored_so(extra, kitty)
        key = (at, left, extra, kitty)
        if key in self._failed:
            return False
        scored = self._scored
        pile = self._piles[at]
        players, kitty_size = self.rules.players, self.rules.kitty_size
        takes_kitty = kitty and pile.takes_kitty
        most = pile.room + (players * extra if pile.grows else 0) + (kitty_size if takes_kitty else 0)
        for counts in self._fill(at, 0, left, most, (), len(left)):
            over = sum(counts) - pile.room
            rest = tuple([have - here for have, here in zip(left, counts, strict=True)])
            for takes in (False, True) if takes_kitty and over > 0 and self._wins_kitty(counts) else (False,):
                grown = max(-((kitty_size * takes - over) // players), 0)
                if grown > (extra if pile.grows else 0):
                    continue
                self._chosen.append((pile, counts, grown, takes))
                if self._place(at + 1, rest, extra - grown, kitty and not takes):
                    return True
                self._chosen.pop()
        # What the scores of whole distributions refused depends on the piles before, too.
        if self._scored == scored:
            self._failed.add(key)
        return False

    def _wins_kitty(self, counts: tuple[int, ...]) -> bool:
        """Whether a pile of these cards may have taken the kitty, if its seat may."""
        if self.resolved.kitty != C.KITTY_FIRST_HEART:
            return True
        return any([count and kind.face & C.HEARTS for count, kind in zip(counts, self.deck.kinds, strict=True)])

    def _fill(
        self, at: int, value: int, left: tuple[int, ...], room: int, counts: tuple[int, ...], last: int
    ) -> Iterator[tuple[int, ...]]:
        """The cards by kind that may lie in a pile, so that its value and its seat's points are right.

        Args:
            at: the index of the pile.
            value: the value of the cards in `counts`.
            left: by kind, the cards that are left.
            room: how many more cards the pile takes.
            counts: the cards of the first kinds.
            last: the kind to stop before.
        """
        self._step()
        deck, pile = self.deck, self._piles[at]
        number = len(counts)
        if number <= deck.first_penalty and pile.seat >= 0 and not self._may_score(pile, counts, left):
            return
        if number == last:
            yield counts
            return
        kind = deck.kinds[number]
        most = min(left[number], room) if pile.allowed[number] else 0
        if kind.value:
            most = min(most, (pile.value - value) // kind.value)
        for count in range(most, (left[number] if self._last[number] == at else 0) - 1, -1):
            now = value + count * kind.value
            if deck.fewest_cards(number + 1, pile.value - now) <= room - count:
                yield from self._fill(at, now, left, room - count, (*counts, count), last)

    def _may_score(self, pile: _Pile, counts: tuple[int, ...], left: tuple[int, ...]) -> bool:
        """Whether a seat that has these cards without a penalty value can have its points."""
        seat, kinds = pile.seat, self.deck.kinds
        apart = self._apart[seat]
        if apart is None:
            return True
        bonus = doublers = 0
        scoring = pile.value > 0
        for count, kind in zip(counts, kinds, strict=False):
            bonus += count * kind.bonus
            doublers += count if kind.face & self.resolved.doubler else 0
            scoring = scoring or (count > 0 and kind.face & self.resolved.scoring != 0)
        right = self.row.points[seat]
        rest = range(len(counts), self.deck.first_penalty)
        if not rest:
            return self._points_of(seat, apart, bonus, doublers, scoring) == right
        if any([not kinds[number].bonus for number in rest]) or (doublers and not scoring):
            return True
        # The more bonus cards, the fewer points.
        most = sum([left[number] * kinds[number].bonus for number in rest if pile.allowed[number]], bonus)
        lowest = self._points_of(seat, apart, most, doublers, scoring)
        return lowest <= right <= self._points_of(seat, apart, bonus, doublers, scoring)

    def _points_of(self, seat: Seat, apart: int, bonus: int, doublers: int, scoring: bool) -> int:
        """The points of a seat that has these cards, with the moon of the row."""
        key = (seat, bonus, doublers, scoring)
        if key not in self._points:
            row = self.row
            board = Board(self.resolved, self.before)
            board.shooter = _NOWHERE if row.shooter is None else row.shooter
            board.sun, board.moon, board.has_apart = row.sun, self._moon, self._has_apart
            scored = board.seats[seat]
            scored.card_points, scored.won, scored.apart = row.card_points[seat], row.tricks_won[seat], apart
            scored.bonus, scored.doublers, scored.scoring = bonus, doublers, scoring
            set_points(self.resolved, board, effect_code(row.effect))
            self._points[key] = scored.points
        return self._points[key]

    def _is_scored_so(self, extra: int, kitty: bool) -> bool:
        """Whether the chosen piles, filled up with plain cards, are scored as the row says."""
        self._step()
        self._scored += 1
        row, players = self.row, self.rules.players
        pools = [list(kind.cards) for kind in self.deck.kinds]
        plain = list(self.deck.plain)
        captured = list(self.resolved.nothing)
        for pile, counts, grown, takes in self._chosen:
            size = pile.room + players * grown + self.rules.kitty_size * takes
            if extra and pile.grows:
                size += players * extra
                extra = 0
            if kitty and pile.takes_kitty and self._wins_kitty(counts):
                size += self.rules.kitty_size
                kitty = False
            cards: list[Card] = []
            for pool, count in zip([*pools, plain], [*counts, size - sum(counts)], strict=True):
                cards += pool[:count]
                del pool[:count]
            if pile.seat >= 0:
                captured[pile.seat] = Cards(cards)
        if extra or kitty:
            return False
        return row == score_finished_deal(
            self.resolved, captured, row.tricks_won, self.before, self.deal_number, row.exposed, row.effect
        )
