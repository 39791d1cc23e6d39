"""The judgment of a row: the hauls that are scored so, and whether cards make one of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import combinations
from typing import Final, TypeAlias

import attrs

from heartsrules.base.errors import Problem
from heartsrules.play.board import Board
from heartsrules.play.piles import endings, kitty_takers, set_aside_tricks, shown_problems, trick_count_problems
from heartsrules.play.scoring import leading_shooter, new_totals, score_board, set_points
from heartsrules.play.sheet import DealScore
from heartsrules.rules import Kitty, Moon, Rules, Seat
from heartsrules.rules import compiled as C
from heartsrules.rules.arguments import wrong_count
from heartsrules.setup.row_check._deck import Deck, deck_for, facts_of
from heartsrules.setup.row_check._layout import Case, Layout, Need, Share
from heartsrules.setup.row_check._search import FIRST_NODES, MOST_NODES, Bin, Search, TooHardError

__all__ = ["row_problems"]

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
        wrong_count(f"{where}.{name}", len(items), rules.players)
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
        name = f"{where}.shown"
        problems.append(Problem.of("wrong-count", (name,), "shown", name=name, count=len(row.shown)))
    if len(before) != rules.players:
        problems.append(
            Problem.of("wrong-count", (where,), "totals-before", row=where, count=len(before), players=rules.players)
        )
    if problems:
        return problems
    if rules.exposable:
        problems = shown_problems(rules, row.shown, f"{where}.shown")
        if problems:
            return problems
    if row.totals != new_totals(rules.compiled, before, row.points):
        resets = bool(rules.exact_resets)
        problems.append(Problem.of("wrong-scores", (f"{where}.totals",), "row", row=where, resets=resets))
    return problems + Judge(rules, row, before, deal_number, where, Search()).problems()


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
class Judge:
    """A row whose tuples have the right lengths, and all that is known beside it."""

    rules: Rules
    row: DealScore
    before: tuple[int, ...]
    deal_number: int
    where: str
    search: Search
    deck: Deck = attrs.field(init=False)
    queen_known: bool = attrs.field(init=False)
    """Whether the row's `queen_taker` is taken as true."""
    any_moon: bool = attrs.field(init=False, default=False)
    """Whether a moon is passed over that the row does not tell of."""
    reached: _Stage = attrs.field(init=False, default=_Stage.POINTS)
    wrong_seats: set[Seat] = attrs.field(init=False, factory=set)
    """The seats that cannot have their points, whatever they took."""
    _points: dict[tuple[object, ...], list[int]] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.deck = deck_for(self.rules, self.row.shown)
        self.queen_known = self.deck.compiled.one_queen

    def problems(self) -> list[Problem]:
        """What is wrong with the row, its totals aside."""
        problems = trick_count_problems(self.rules, self.row.tricks_won, f"{self.where}.tricks_won")
        problems += self._card_problems()
        odd = self._odd_moon() + self._odd_queen()
        if problems:
            return problems + odd
        ways = endings(self.deck.compiled, self.row.tricks_won)
        problems = odd or self._queen_problems() + self._moon_problems(ways)
        if problems:
            return problems
        if self.row.shooter is not None and self._may_be_sun():
            ways = tuple([left_aside for left_aside in ways if left_aside != self.row.sun])
        return self._distribution_problems(ways)

    def _card_problems(self) -> list[Problem]:
        """What forbids these card points whatever the cards."""
        row, deck = self.row, self.deck
        name = f"{self.where}.card_points"
        negative = [f"{name}[{seat}]" for seat, points in enumerate(row.card_points) if points < 0]
        untaken = [
            f"{name}[{seat}]"
            for seat, (points, won) in enumerate(zip(row.card_points, row.tricks_won, strict=True))
            if points > 0 and won == 0
        ]
        problems = [Problem.of("out-of-range", (place,), "card-points", name=place) for place in negative]
        problems += [Problem.of("wrong-sum", (place,), "no-trick", name=place) for place in untaken]
        if problems:
            return problems
        found = sum(row.card_points)
        if found > deck.total or (deck.everything and found != deck.total):
            problems.append(Problem.of("wrong-sum", (name,), "card-points", name=name, exact=deck.everything))
        return problems

    def _odd_queen(self) -> list[Problem]:
        """What forbids this taker of the Q♠ whatever else the row says."""
        taker = self.row.queen_taker
        if taker is None or (self.deck.compiled.one_queen and 0 <= taker < self.rules.players):
            return []
        name = f"{self.where}.queen_taker"
        if self.deck.compiled.one_queen:
            return [Problem.of("wrong-queen-taker", (name,), "no-seat", name=name, last=self.rules.players - 1)]
        return [Problem.of("wrong-queen-taker", (name,), "not-one", name=name, queens=self.deck.queens)]

    def _queen_problems(self) -> list[Problem]:
        """What forbids this taker of the Q♠ whatever the cards."""
        row, deck = self.row, self.deck
        taker = row.queen_taker
        name = f"{self.where}.queen_taker"
        if taker is None:
            if deck.compiled.one_queen and (deck.everything or deck.total - sum(row.card_points) < deck.queen_value):
                return [Problem.of("wrong-queen-taker", (name,), "somebody", name=name)]
        elif not row.tricks_won[taker]:
            return [Problem.of("wrong-queen-taker", (name,), "no-trick", name=name, seat=taker)]
        elif row.card_points[taker] < deck.queen_value:
            return [Problem.of("wrong-queen-taker", (name,), "too-few-points", name=name, seat=taker)]
        return []

    def _odd_moon(self) -> list[Problem]:
        """What forbids this shooter with this effect and this sun under any points."""
        row, rules = self.row, self.rules
        shooter, effect, sun = f"{self.where}.shooter", f"{self.where}.effect", f"{self.where}.sun"
        problems: list[Problem] = []
        if row.shooter is None:
            if row.effect is not None:
                problems.append(Problem.of("wrong-moon", (effect,), "effect-without-shooter", name=effect))
            if row.sun:
                problems.append(Problem.of("wrong-moon", (sun,), "sun-without-shooter", name=sun))
            return problems
        if rules.moon is Moon.OFF:
            problems.append(Problem.of("wrong-moon", (shooter,), "no-moon", name=shooter))
        elif not 0 <= row.shooter < rules.players:
            problems.append(Problem.of("wrong-moon", (shooter,), "no-seat", name=shooter, last=rules.players - 1))
        else:
            fixed = rules.moon in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
            effects = (rules.moon,) if fixed else (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
            if row.effect not in effects:
                problems.append(Problem.of("wrong-moon", (effect,), "no-effect", name=effect, moon=rules.moon))
        if row.sun and not rules.sun:
            problems.append(Problem.of("wrong-moon", (sun,), "no-sun", name=sun))
        return problems

    def _side(self) -> tuple[Seat, ...]:
        """The seats that have all penalty cards together, if they can shoot the moon together."""
        if self.rules.moon is not Moon.OFF:
            for seats in self.deck.compiled.moon_sides:
                if self._cards_of(seats) == self.deck.total:
                    return seats
        return ()

    def _shooting_side(self) -> tuple[Seat, ...]:
        """The seats that shot the moon together, as the row has it."""
        return next((seats for seats in self.deck.compiled.moon_sides if self.row.shooter in seats), ())

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
        name = f"{self.where}.shooter"
        if deck.hearts_moon:
            if row.shooter is None:
                return []
            side = self._shooting_side()
            queens = self.queen_known and row.queen_taker in side
            if (deck.queens_moon and self.queen_known and not queens) or (
                self._cards_of(side) < self._value_in_moon(queens or deck.queens_moon)
            ):
                return [Problem.of("wrong-moon", (name,), "cards-missing", name=name)]
        else:
            side = self._side()
        if not side:
            if row.shooter is None:
                return []
            return [Problem.of("wrong-moon", (name,), "points-missing", name=name)]
        shooter = leading_shooter(deck.compiled, side, row.card_points, self.rules.dealer(self.deal_number))
        if row.shooter is None:
            if self.rules.moon_needs_bonus:
                return []
            return [Problem.of("wrong-moon", (name,), "no-shooter", name=name, seat=shooter)]
        if row.shooter != shooter:
            return [Problem.of("wrong-moon", (name,), "other-shooter", name=name, seat=shooter)]
        suns = [not left_aside for left_aside in ways] if self._may_be_sun() else [False]
        if row.sun in suns:
            return []
        name = f"{self.where}.sun"
        return [Problem.of("wrong-moon", (name,), "other-sun", name=name, sun=suns[0])]

    def _distribution_problems(self, ways: tuple[bool, ...]) -> list[Problem]:
        try:
            if self._is_found(ways):
                return []
        except TooHardError:
            return [Problem.of("row-too-hard", (self.where,), row=self.where, steps=MOST_NODES)]
        problems = self._why_not_found()
        if self.deck.compiled.one_queen:
            self.queen_known = False
            if self._is_found_soon(ways):
                name = f"{self.where}.queen_taker"
                return [Problem.of("wrong-queen-taker", (name,), "rest", name=name)]
            self.queen_known = True
        if self.row.shooter is None and self.deck.hearts_moon:
            self.any_moon = True
            if self._is_found_soon(ways):
                name = f"{self.where}.shooter"
                return [Problem.of("wrong-moon", (name,), "cards-taken", name=name)]
        return problems

    def _is_found_soon(self, ways: tuple[bool, ...]) -> bool:
        """Whether a row that is wrong would be right otherwise, as far as a short search tells."""
        self.search.limit = min(self.search.nodes + FIRST_NODES, MOST_NODES)
        try:
            return self._is_found(ways)
        except TooHardError:
            return False

    def _why_not_found(self) -> list[Problem]:
        where = self.where
        if self.wrong_seats:
            places = [f"{where}.points[{seat}]" for seat in sorted(self.wrong_seats)]
            return [Problem.of("wrong-points", (place,), "seat", name=place) for place in places]
        if self.reached is _Stage.POINTS:
            name = f"{where}.points"
            return [Problem.of("wrong-points", (name,), "together", name=name)]
        if self.reached is _Stage.MOON:
            name = f"{where}.shooter"
            return [Problem.of("wrong-moon", (name,), "bonus-missing", name=name)]
        if self.reached is _Stage.EFFECT:
            name = f"{where}.effect"
            return [Problem.of("wrong-moon", (name,), "other-effect", name=name, moon=self.rules.moon)]
        fields = (where, f"{where}.card_points", f"{where}.tricks_won")
        return [Problem.of("impossible-row", fields, row=where, players=self.deck.players)]

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

    def _cases(self) -> Iterator[Case]:
        row, deck = self.row, self.deck
        compiled = deck.compiled
        if row.shooter is None or not deck.hearts_moon:
            yield Case(0 if row.shooter is None else compiled.moon_value, (), None, 0)
            return
        side = self._shooting_side()
        if deck.queens_moon:
            all_queens: tuple[bool | None, ...] = (True,)
        elif not compiled.moon_queens or not deck.queen_value:
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
                split = C.HEARTS | C.QUEEN if queens else C.HEARTS
            moon = compiled.moon_value + (compiled.queens_value if queens and not deck.queens_moon else 0)
            yield Case(moon, tuple(apart), queens, split)

    def _shares(self, case: Case, seat: Seat) -> list[Share]:
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
        return [Share(bonus, copies, heart, apart) for (bonus, copies, apart), heart in found.items()]

    def _copies(self, seat: Seat) -> Sequence[int]:
        """How many copies of the doubler the seat may have."""
        if not self.row.tricks_won[seat]:
            return (0,)
        if self.deck.queen_doubles and self.queen_known:
            return (1 if seat == self.row.queen_taker else 0,)
        return range(self.deck.doublers + 1)

    def _fitting(
        self, case: Case, seat: Seat, copies: int, scoring: bool, among: Sequence[int]
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

    def _points_of(self, case: Case, apart: int | None, bonus: int, copies: int, scoring: bool) -> list[int]:
        """The points of all seats if each has the same; `apart` None: the case tells what is apart."""
        key = (case, apart, bonus, copies, scoring)
        points = self._points.get(key)
        if points is None:
            share = Share(bonus, copies, scoring, 0)
            aparts = [each or 0 for each in case.apart] if apart is None else [apart] * self.deck.players
            board = self._board(case, [share] * self.deck.players, aparts)
            set_points(self.deck.compiled, board, self.row.effect is Moon.SHOOTER_DOWN)
            points = [seat.points for seat in board.seats]
            self._points[key] = points
        return points

    def _board(self, case: Case, shares: Sequence[Share], apart: list[int]) -> Board:
        """The deal with its piles counted as these shares say."""
        row = self.row
        board = Board(self.deck.compiled, self.before)
        board.shooter = -1 if row.shooter is None else row.shooter
        board.sun = row.sun
        board.moon = case.moon
        board.has_apart = bool(case.apart)
        board.queen_taker = -1 if row.queen_taker is None else row.queen_taker
        for number, seat in enumerate(board.seats):
            share = shares[number]
            seat.card_points = row.card_points[number]
            seat.won = row.tricks_won[number]
            seat.bonus = share.bonus
            seat.doublers = share.doublers
            seat.scoring = bool(seat.card_points or share.bonus or share.heart)
            if case.apart:
                seat.apart = apart[number]
        return board

    def _hauls(self, case: Case, options: Sequence[Sequence[Share]]) -> Iterator[tuple[Share, ...]]:
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
        chosen: list[Share] = []

        def choose(so_far: tuple[int, int, int], bags: _Bags | None) -> Iterator[tuple[Share, ...]]:
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

    def _is_scored_so(self, case: Case, shares: Sequence[Share]) -> bool:
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
        board = self._board(case, shares, [share.apart for share in shares])
        scored = score_board(deck.compiled, board, self.deal_number, row.shown, row.effect)
        if scored.effect is not row.effect or scored.points != row.points:
            return False
        self.reached = _Stage.CARDS
        return True

    def _has_all_bonuses(self, side: Sequence[Seat], shares: Sequence[Share]) -> bool:
        return sum([shares[seat].bonus for seat in side]) == sum(self.deck.bonuses)

    # --------------------------------------------------------------------------------------------------- the cards

    def _can_be(self, case: Case, shares: Sequence[Share], left_aside: bool, tried: set[object]) -> bool:
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
        extra = set_aside_tricks(self.deck.compiled, self.row.tricks_won) - left_aside
        lonely = [seat for seat, share in enumerate(shares) if share.heart is False]
        for shot in self._shot(case, shares, layout):
            for needs in self._needs(case, shares):
                if self._with_kitty(shot, needs, lonely, extra, left_aside):
                    return True
        return False

    def _layout(self, case: Case, shares: Sequence[Share], left_aside: bool) -> Layout | None:
        """The piles by seat, without a kitty, and last what is in no pile, of one trick at least if any are left; the
        Q♠ of which it is known where it lies is there."""
        row, deck = self.row, self.deck
        facts = facts_of(self.rules, self.row.shown, case.split)
        players = deck.players
        bins: list[Bin] = []
        counted_cards = len(deck.bonuses) if deck.bonus_each else 0
        counted_cards += deck.doublers
        for points, won, share in zip(row.card_points, row.tricks_won, shares, strict=True):
            cards = share.doublers + (share.bonus // deck.bonus_each if deck.bonus_each else 0)
            value = points + share.apart * (facts.apart_unit - 1) + share.bonus * facts.bonus_unit
            bins.append((value, players * won - cards, won > 0))
            counted_cards -= cards
        value = facts.total - sum([value for value, _, _ in bins])
        bins.append((value, (players if left_aside else 0) - counted_cards, left_aside))
        layout = Layout(facts, tuple(bins), facts.counts, facts.hearts, deck.queens, facts.plain)
        if value < 0:
            return None
        if deck.queen_doubles or not self.queen_known:
            return layout
        place = players if row.queen_taker is None else row.queen_taker
        return layout.with_cards(place, facts.queen, 1, False)

    def _shot(self, case: Case, shares: Sequence[Share], layout: Layout) -> Iterator[Layout]:
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

    def _needs(self, case: Case, shares: Sequence[Share]) -> Iterator[list[Need]]:
        """The cards of which it matters that they are somewhere: one of the lists must be met."""
        deck = self.deck
        places = range(deck.players + 1)
        needs = [Need((seat,), True, False) for seat, share in enumerate(shares) if share.heart]
        unknown = deck.queens > 0 and not deck.queen_doubles and not self.queen_known
        if case.queens is False and unknown:
            side = self._shooting_side()
            needs.append(Need(tuple([place for place in places if place not in side]), False, True))
        near = self._near_moons(shares, unknown)
        if not near:
            yield needs
            return
        # Nobody may have shot the moon: a card of it lies with somebody who could not, or in two such piles.
        queens = deck.queens_moon and unknown
        safe = tuple([place for place in places if not any([place in side for side in near])])
        yield [*needs, Need(safe, True, queens)]
        for one, other in combinations(near, 2):
            yield [*needs, Need(one, True, queens), Need(other, True, queens)]

    def _near_moons(self, shares: Sequence[Share], unknown: bool) -> list[tuple[Seat, ...]]:
        """The sides that may have every card of a moon of hearts, which nobody shot; `unknown` says that it is not
        known where the Q♠ are."""
        row, deck = self.row, self.deck
        if row.shooter is not None or not deck.hearts_moon or self.any_moon:
            return []
        near: list[tuple[Seat, ...]] = []
        for side in deck.compiled.moon_sides:
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
        self, layout: Layout, needs: list[Need], lonely: Sequence[Seat], extra: int, left_aside: bool
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
        seen: set[Bin] = set()
        for taker in kitty_takers(deck.compiled, row.tricks_won, left_aside, marked):
            if taker is None:
                return not by_heart and self._fits(layout.with_room(nowhere, deck.kitty), needs, lonely, extra)
            if not needs and not lonely and not placed:
                # Of seats that are alike, one is enough.
                if layout.bins[taker] in seen:
                    continue
                seen.add(layout.bins[taker])
            wanted = [*needs, Need((taker,), True, False)] if by_heart else needs
            if self._fits(layout.with_room(taker, deck.kitty), wanted, lonely, extra):
                return True
        return False

    def _fits(self, layout: Layout, needs: Sequence[Need], lonely: Sequence[Seat], extra: int) -> bool:
        """Whether the other cards can be added so that the needs are met and no lonely seat has a heart."""
        if not self._has_room(layout, lonely, extra):
            return False
        needs = [need for need in needs if not need.is_met(layout.pins)]
        return not needs or self._meets(layout, needs, lonely, extra)

    def _has_room(self, layout: Layout, lonely: Sequence[Seat], extra: int) -> bool:
        kept = layout.without_lonely(lonely, extra)
        if kept is None:
            return False
        layout, extra = kept
        return self.search.fits(layout.facts, layout.bins, extra, layout.counts)

    def _meets(self, layout: Layout, needs: Sequence[Need], lonely: Sequence[Seat], extra: int) -> bool:
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


def _pinned(layout: Layout, place: int, need: Need) -> Iterator[Layout]:
    """The layouts with one more card in its place, of those that meet a need."""
    last = len(layout.counts)
    found = [layout.with_cards(place, at, 1, True) for at in (last, *range(last)) if need.hearts and layout.hearts[at]]
    if need.queens and layout.queens:
        found.append(layout.with_cards(place, layout.facts.queen, 1, False))
    yield from [each for each in found if each is not None]


def _spreads(layout: Layout, side: Sequence[Seat], at: int, count: int, heart: bool) -> Iterator[Layout]:
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


def _amounts(share: Share, case: Case) -> tuple[int, int, int]:
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
