"""Positions before the last card of a deal, which scores it and can end the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from heartsrules.cards import Card, Cards, Suit
from heartsrules.play.engine import apply, legal_moves
from heartsrules.play.state import ChoosingMoon, GameOver, Playing
from heartsrules.rules import BonusFloor, Moon, Seat, TargetTest, Tie
from heartsrules.testing.conformance._placing import Piles, Placer, Position


class Scores(Placer):
    def all(self) -> Iterator[Position]:
        yield from self.scores()
        yield from self.ends()
        yield from self.moons()

    # ----------------------------------------------------------------------------------------------------------- scores

    def shapes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield named distributions of a deal's cards, as arguments of `ending`."""
        rules = self.rules
        one = self.seat()
        other, third = self.left_of(one), self.left_of(one, 2)
        hearts, queens, costly = self.hearts, self.queens, self.costly
        special = self.special
        hot = self.hot
        dear = [card for card in hot if rules.penalty(card)]
        cheap = [card for card in hearts if not rules.penalty(card)]
        half = len(hearts) // 2
        base: dict[str, Any] = {"leader": one, "winner": one, "rest": [one, other]}
        shared = {one: queens, other: hearts[:half], third: [*hearts[half:], *costly, *special]}
        yield "shared", {**base, "piles": shared, "rest": [one, other, third]}
        yield "one-takes-all", {**base, "piles": {one: hot, other: special}}
        yield "one-takes-every-trick", {**base, "piles": {one: [*hot, *special]}, "rest": [one]}
        every_but = {**base, "piles": {one: [*hot, *special]}, "rest": [one], "winner": other}
        yield "one-takes-every-trick-but-the-last", every_but
        least = min(dear, key=rules.penalty, default=None)
        if least is not None:
            almost = [card for card in hot if card != least]
            yield "one-takes-all-but-the-least", {**base, "piles": {one: almost, other: [least, *special]}}
            if rules.kitty_size:
                lies = {**base, "piles": {one: almost, other: special}, "kitty": [least]}
                yield "the-least-in-the-kitty", lies
        if queens or costly:
            yield "all-hearts", {**base, "piles": {one: hearts, other: [*queens, *costly, *special]}}
        if costly:
            yield "all-hearts-and-queens", {**base, "piles": {one: [*hearts, *queens], other: [*costly, *special]}}
            yield "all-but-the-queens", {**base, "piles": {one: [*hearts, *costly], other: [*queens, *special]}}
        if cheap:
            yield "all-that-costs", {**base, "piles": {one: dear, other: [*cheap, *special]}}
        if rules.decks > 1:
            once = list(dict.fromkeys(hot))
            twice = list(hot)
            for card in once:
                twice.remove(card)
            yield "one-copy-each", {**base, "piles": {one: once, other: [*twice, *special]}}
            if len(queens) > 1:
                yield "all-but-one-queen", {
                    **base, "piles": {one: [*hearts, *costly, *queens[1:]], other: [*queens[:1], *special]},
                }  # fmt: skip
        if 0 < rules.teams < self.players:
            mate = self.left_of(one, rules.teams)
            yield "a-team-takes-all", {**base, "piles": {one: hearts, mate: [*queens, *costly], other: special}}
            # A team's shooter is the member with the most points, not the first from the dealer's left.
            dealer = rules.dealer(self.deal_number)
            first, second = sorted((one, mate), key=lambda seat: (seat - dealer - 1) % self.players)
            most = {first: hot[-1:], second: hot[:-1], other: special}
            yield "a-team-takes-all-but-for-one-card", {**base, "piles": most}
            yield "a-team-takes-all-evenly", {
                **base, "piles": {**self._even((one, mate), hot), other: special}, "rest": [one, mate, other],
            }  # fmt: skip
            team = {one: hearts, mate: [*queens, *costly, *special]}
            yield "a-team-takes-every-trick", {**base, "piles": team, "rest": [one, mate]}
            yield "one-takes-all-beside-a-partner", {**base, "piles": {one: [*hot, *special]}, "rest": [one, mate]}
        for name, cards in {"bonus": self.bonuses, "doubler": self.doublers, "special": special}.items():
            if not cards or (name == "special" and not (self.bonuses and self.doublers)):
                continue
            away = [card for card in special if card not in cards]
            plain = {**base, "rest": [one, other, third]}
            rest = [card for card in hot if card != hearts[0]] if hearts else hot
            yield f"{name}-alone", {**plain, "piles": {one: cards, other: hot, third: away}}
            yield f"{name}-with-a-heart", {**plain, "piles": {one: [*cards, *hearts[:1]], other: rest, third: away}}
            yield f"{name}-with-the-shooter", {**plain, "piles": {one: [*hot, *cards], third: away}}
            if cheap:
                free = [card for card in hot if card != cheap[0]]
                yield (
                    f"{name}-with-a-cheap-heart",
                    {**plain, "piles": {one: [*cards, cheap[0]], other: free, third: away}},
                )
            if queens:
                free = [*hearts, *costly, *queens[1:]]
                yield f"{name}-with-a-queen", {**plain, "piles": {one: [*cards, queens[0]], other: free, third: away}}
            if len(cards) > 1:
                yield f"{name}-with-two", {**plain, "piles": {one: cards[:1], third: [*cards[1:], *away], other: hot}}

    def _even(self, seats: Iterable[Seat], cards: Sequence[Card]) -> dict[Seat, list[Card]]:
        worth = self.rules.penalty
        piles: dict[Seat, list[Card]] = {seat: [] for seat in seats}
        for card in sorted(cards, key=worth, reverse=True):
            seat = min(piles, key=lambda seat: sum(map(worth, piles[seat])))
            piles[seat].append(card)
        return piles

    def ending(
        self, piles: Piles, leader: Seat, winner: Seat, rest: Sequence[Seat], kitty: Sequence[Card] = (), **told: Any
    ) -> Playing | None:
        """Return a position before the last card, with a last trick without points."""
        faces = {suit: list(dict.fromkeys(self.of_suit(suit))) for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES)}
        suit, cards = max(faces.items(), key=lambda item: len(item[1]))
        if len(cards) < 2:
            return None
        others = [card for card in dict.fromkeys(self.plain) if card.suit is not suit]
        by_seat: dict[Seat, Card] = {leader: cards[-2]}
        if winner != leader:
            by_seat[winner] = cards[-1]
        fill = iter([*cards[:-2], *others])
        order = [self.left_of(leader, places) for places in range(self.players)]
        for seat in order:
            if seat not in by_seat:
                card = next(fill, None)
                if card is None:
                    return None
                by_seat[seat] = card
        trick = [by_seat[seat] for seat in order]
        return self.place(
            {order[-1]: trick[-1:]}, 1, leader, trick[:-1], captured=piles, rest=rest, kitty=kitty, **told
        )

    def last_card(self, name: str, state: Playing | None) -> Iterator[Position]:
        """Yield a position before the last card, and the shooter's choice after it."""
        if state is None:
            return
        (move,) = legal_moves(state)
        yield Position(name, state, (move,))
        after = apply(state, move)
        if isinstance(after, ChoosingMoon):
            yield Position(f"{name}-choice", after, tuple(legal_moves(after)))

    def scores(self) -> Iterator[Position]:
        rules = self.rules
        totals = {"": self._totals()}
        of_all = rules.total_floor or rules.moon is Moon.SHOOTER_TO_ZERO
        if (of_all or rules.bonus_floor is BonusFloor.TOTAL) and self.deal_number:
            totals |= {"-over-little": (3,) * self.players, "-below-0": (-3,) * self.players}
        shapes = dict(self.shapes())
        for name, shape in shapes.items():
            for suffix, scores in totals.items():
                if suffix and not of_all and "bonus" not in name and "special" not in name:
                    continue
                yield from self.last_card(f"score-{name}{suffix}", self.ending(**shape, scores=scores))
        if not rules.exposable:
            return
        cards = list(rules.exposable)
        for name in ("shared", "one-takes-all", "all-hearts", "special-with-a-heart", "doubler-alone", "bonus-alone"):
            if name in shapes:
                each = [[card] for card in cards] if name == "shared" and len(cards) > 1 else []
                for exposed in (*each, cards):
                    bags = self.bags({1: exposed})
                    told = f"score-{name}-shown-{'-'.join(map(str, exposed))}"
                    yield from self.last_card(told, self.ending(**shapes[name], scores=totals[""], exposed=bags))

    def _totals(self) -> tuple[int, ...]:
        if not self.deal_number:
            return (0,) * self.players
        return tuple([1 + 2 * seat for seat in range(self.players)])

    # -------------------------------------------------------------------------------------------------------- the end

    def landing(self, shape: Mapping[str, Any], wanted: Sequence[int], number: int) -> Playing | None:
        before = self._totals()
        for _ in range(4):
            state = self.ending(**shape, scores=before, deal_number=number)
            if state is None:
                return None
            fitting = tuple([total - points for total, points in zip(wanted, _points_of(state), strict=True)])
            if fitting == before:
                return state
            before = fitting
        return None

    def ends(self) -> Iterator[Position]:
        rules = self.rules
        players, deals = self.players, rules.max_deals
        shape = dict(self.shapes())["shared"]
        one = shape["leader"]
        number = 1 if deals is None else min(1, deals - 1)
        low = [20 + 3 * place for place in range(players)]

        def totals(*values: int, others: Sequence[int] = tuple(low)) -> list[int]:
            found = [*values, *others[len(values) :]]
            return [found[(seat - one) % players] for seat in range(players)]

        wanted: dict[str, tuple[list[int], int]] = {}
        if deals is None or deals > 1:
            end = rules.target or 100
            for name, total in (("at", end), ("before", end - 1), ("past", end + 1)):
                wanted[f"{name}-{end}"] = totals(total), number
                if 0 < rules.teams < players:
                    wanted[f"side-{name}-{end}"] = totals(total - low[rules.teams]), number
            if 0 < rules.teams < players:
                past = totals(end + 1)
                past[self.left_of(one, rules.teams)] = -7
                wanted[f"player-past-{end}-without-the-side"] = past, number
                level = [3] * players
                level[one] = level[self.left_of(one)] = end + 1
                wanted[f"sides-tied-past-{end}"] = level, number
            wanted[f"highest-tied-past-{end}"] = totals(end + 1, end + 1), number
            if rules.target_test is TargetTest.EXACT_WINS:
                wanted[f"tied-at-{end}"] = totals(end, end), number
                wanted[f"at-and-past-{end}"] = totals(end, end + 1), number
            wanted[f"lowest-tied-past-{end}"] = totals(end + 1, 7, 7), number
            wanted[f"all-others-tied-past-{end}"] = totals(end, *[7] * (players - 1)), number
            for exact, lower in rules.exact_resets[:4]:
                for name, total in (("at", exact), ("below", exact - 1), ("above", exact + 1)):
                    wanted[f"reset-{name}-{exact}"] = totals(total), number
                wanted[f"reset-two-at-{exact}"] = totals(exact, exact), number
                wanted[f"reset-to-a-tie-{exact}"] = totals(exact, lower), number
                for seat in range(players):
                    kept = totals()
                    kept[seat] = exact
                    wanted[f"reset-seat-{seat}-at-{exact}"] = kept, number
        if deals is not None:
            wanted["last-deal"] = totals(), deals - 1
            wanted["last-deal-tied"] = totals(40, 7, 7), deals - 1
            if deals > 2:
                wanted["last-deal-but-one"] = totals(), deals - 2
        for name, (those, when) in wanted.items():
            yield from self.last_card(f"end-{name}", self.landing(shape, those, when))
        if deals == 2:
            state = self.ending(**shape, scores=(0,) * players, deal_number=0)
            yield from self.last_card("end-last-deal-but-one", state)
        yield from self.below_zero()
        if rules.tie is Tie.EXTRA_DEAL:
            # An extra deal needs equal lowest totals before it.
            when = number if deals is None else deals
            least = 7 if deals is not None else (rules.target or 0) + 1
            scores = totals(least, least, others=[least + 60 + 3 * place for place in range(players)])
            yield from self.last_card("end-extra-deal", self.ending(**shape, scores=scores, deal_number=when))
        yield from self.level_deals()
        first = next(iter(wanted.values()), None)
        state = None if first is None else self.landing(shape, *first)
        over = None if state is None else apply(state, legal_moves(state)[0])
        if isinstance(over, GameOver):
            yield Position("end-over", over, ())

    def below_zero(self) -> Iterator[Position]:
        rules = self.rules
        if rules.bonus_target is None or rules.max_deals == 1:
            return
        found = 0
        for name, shape in self.shapes():
            state = self.ending(**shape, scores=self._totals())
            if state is None:
                continue
            points = _points_of(state)
            seat = points.index(min(points))
            if points[seat] >= 0:
                continue
            for told, total in (("at", 0), ("before", 1), ("past", -1)):
                wanted = [5 + 2 * place for place in range(self.players)]
                wanted[seat] = total - rules.bonus_target
                mates = [mate for mate in range(self.players) if rules.side(mate) == rules.side(seat) and mate != seat]
                yield from self.last_card(f"end-below-{told}-{name}", self.landing(shape, wanted, 1))
                for mate in mates:
                    wanted[mate] = 0
                if mates:
                    yield from self.last_card(f"end-side-below-{told}-{name}", self.landing(shape, wanted, 1))
            found += 1
            if found == 2:
                return

    def level_deals(self) -> Iterator[Position]:
        one = self.seat()
        number = 0 if self.rules.max_deals == 1 else self.deal_number
        named: dict[str, dict[Seat, list[Card]]] = {
            "two-take-all": {one: self.hot[:2], self.left_of(one): self.hot[2:]},
            "all-take-alike": self._even(range(self.players), self.hot),
        }
        # All but one take a card of equal value.
        worths = [self.rules.penalty(card) for card in self.hot]
        same = next((worth for worth in worths if worth and worths.count(worth) >= self.players), None)
        if same is not None:
            few = [card for card in self.hot if self.rules.penalty(card) == same][: self.players - 1]
            named["all-but-one-take-alike"] = {self.left_of(one, place): [card] for place, card in enumerate(few, 1)}
            named["all-but-one-take-alike"] |= {one: list(Cards(self.hot) - Cards(few))}
        for name, cards in named.items():
            shape: dict[str, Any] = {"piles": cards, "leader": one, "winner": one, "rest": range(self.players)}
            yield from self.last_card(f"end-{name}", self.ending(**shape, deal_number=number))

    def moons(self) -> Iterator[Position]:
        rules = self.rules
        if rules.moon is Moon.OFF or rules.max_deals == 1:
            return
        target = rules.target or 100
        for name in ("one-takes-all", "a-team-takes-all"):
            shape = dict(self.shapes()).get(name)
            if shape is None:
                continue
            one = shape["leader"]
            value = rules.moon_value
            last = self.players - 1
            partner = rules.teams if rules.teams < self.players else 0
            mate = partner or self.players - 1
            nothing = dict.fromkeys(range(1, self.players), 0)
            high = {last: target - 5} | ({partner: target - 5} if partner else {})
            for told, own, others in (
                ("would-not-end", target // 3, {}),
                ("would-end-behind", target - 10, high),
                ("would-end-ahead", 2, {last: target - 5}),
                ("would-end-level", None, high),
                ("would-not-end-behind", target - 2, nothing),
                ("would-end-for-the-side", target * 7 // 10, nothing | {mate: target * 4 // 10}),
                ("would-reach", target // 2, {last: target - value}),
                ("would-not-reach", target // 2, {last: target - value - 1}),
            ):
                scores = [20 + 3 * place for place in range(self.players)]
                for place, total in others.items():
                    scores[place] = total
                scores[0] = 0 if own is None else own
                if own is None:
                    # The shooter's side ends level with the next side.
                    own_side, next_side = rules.sides[rules.side(0)], rules.sides[rules.side(1)]
                    scores[0] = sum([scores[seat] + value for seat in next_side]) - sum(
                        [scores[seat] for seat in own_side]
                    )
                before = [scores[(seat - one) % self.players] for seat in range(self.players)]
                yield from self.last_card(f"moon-{name}-{told}", self.ending(**shape, scores=before))


def _points_of(state: Playing) -> tuple[int, ...]:
    after = apply(state, legal_moves(state)[0])
    row = after.shooter_down if isinstance(after, ChoosingMoon) else after.score_sheet[-1]
    return row.points
