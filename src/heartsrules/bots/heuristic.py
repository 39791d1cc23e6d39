"""A bot that minimises a card's expected cost in the trick and later in the hand.

Costs are expected points, computed from the card values of the rules, so the same evaluation plays all variants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from typing import Final

import attrs

from heartsrules.analysis import prospects
from heartsrules.analysis.card_choice import losers, shown_faces
from heartsrules.analysis.passes import worst_to_opponents
from heartsrules.bots.interface import options
from heartsrules.cards import NO_CARDS, Card, Cards, Rank, Suit, bag_of, either
from heartsrules.chance import Bits, below
from heartsrules.chance.bits import checked_bits
from heartsrules.play.exposing import resolved_with
from heartsrules.play.moves import ChooseMoon, Expose, Move, Pass, Play
from heartsrules.play.scoring import row_winners
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import AwaitingDeal
from heartsrules.play.tricks import masks_of, winning_position
from heartsrules.rules import ANY_NUMBER, Compulsory, ExposedCardPlay, Kitty, Moon, MoonScope, PassOptional, Rules, Seat
from heartsrules.rules.resolved import ResolvedRules
from heartsrules.views import ChoosingMoonView, ExposingView, PassingView, PlayingView, View
from heartsrules.views.passed_cards import passed_to


def heuristic(view: View, rng: Bits, /) -> Move:
    """Choose a sensible move, without looking ahead beyond the trick.

    The bot gets rid of dangerous cards, plays as high as is safe, tries to win bonus cards and, if that seems to pay,
    the doubler, and keeps its team's points low. It stops a player about to shoot the moon, and shoots the moon itself
    if it seems to win all remaining tricks. It exposes a penalty card or the doubler if another player will probably
    take it, a bonus card if it will probably win it itself, and a heart if it will take few hearts or might shoot the
    moon. `rng` breaks ties between moves that seem equal.

    Raises:
        ValueError: the seat has no decision.
    """
    moves = options(view)
    checked_bits(rng)
    if len(moves) == 1:
        return moves[0]
    if isinstance(view, PassingView):
        return heuristic_passes(view, rng, 1)[0]
    if isinstance(view, ExposingView):
        return _choose_exposure(view)
    if isinstance(view, ChoosingMoonView):
        return _choose_moon(view)
    if isinstance(view, PlayingView):
        evaluator = _PlayEvaluator(view)
        return _least([(evaluator.cost(move), move) for move in moves if isinstance(move, Play)], rng)
    return moves[0]  # pragma: no cover - there are no other phases in which a seat may act


def _least(costs: Sequence[tuple[float, Play]], rng: Bits) -> Play:
    least = min([cost for cost, _ in costs])
    best = [move for cost, move in costs if cost <= least + 1e-9]
    return best[below(rng, len(best))] if len(best) > 1 else best[0]


# ------------------------------------------------------------------------------------------------ what a hand may cost


def _card_values(rules: Rules, pile: Cards, left: Cards, counted: ResolvedRules) -> dict[Card, float]:
    """Compute the expected points of each card in play for a player.

    Args:
        pile: the player's captured cards.
        left: the cards not yet captured.
        counted: the resolved rules with exposed cards doubled.
    """
    worths: dict[Card, float] = {card: counted.values[card.index] for card in rules.deck.distinct()}
    for bonus, each in zip(rules.bonuses, counted.bonuses, strict=True):
        worths[bonus.card] = -each.points
    doubler = rules.doubler
    if doubler is not None:
        scoring = rules._resolved.scoring
        clean = 0.0
        if not pile.lo & scoring:
            # A trick with scoring cards has about two of them.
            clean = (1 - 1 / rules.players) ** (sum([1 for card in left if card.bit & scoring]) / 2)
        to_come = 0.8 * sum([worths[card] for card in left]) / rules.players
        score = sum([worths[card] for card in pile]) + to_come
        worths[doubler.card] = (1 - clean) * (counted.doubler_factor - 1) * score - clean * counted.doubler_alone
    return worths


_AT_ONCE: Final = (Compulsory.NOT_LEAD, Compulsory.ALWAYS)
"""Values of `compulsory` that force a card out in the first trick of its suit."""


@attrs.frozen
class _HandEvaluator:
    """An evaluation of hands by the unseen cards and the card values."""

    rules: Rules
    unseen: Cards
    """The cards in other hands or in a hidden kitty."""
    unit: float
    """The average value of a heart, which scales the constants below."""
    worth: Mapping[Card, float]
    """The expected points of each card in play for the player."""

    @staticmethod
    def of(rules: Rules, seen: Cards, pile: Cards, left: Cards, resolved: ResolvedRules) -> _HandEvaluator:
        unit = max(1.0, rules.penalty_total / 26 / rules.decks)
        return _HandEvaluator(rules, rules.deck - seen, unit, _card_values(rules, pile, left, resolved))

    def liability(self, suit: Suit, held: Cards, caution: float = 1.0, given: Cards = NO_CARDS) -> float:
        """Estimate the cost of a suit's cards in future tricks, lowered by bonus cards.

        Args:
            caution: the fraction of the danger from single penalty cards that counts.
            given: the cards passed, which others hold in addition to the unseen ones.
        """
        rules, worth = self.rules, self.worth
        mine = list(held.of_suit(suit))
        others = list((self.unseen + given).of_suit(suit))
        if not mine:
            # A void is useful while the suit is still led.
            return -0.8 * self.unit if others else 0.0
        if not others:
            # No other player can win a lead of this suit, so each forced lead wins a trick.
            return 0.25 * self.unit * len(mine) + sum([max(0, worth[card]) for card in mine]) * 0.5
        rounds = (len(mine) + len(others)) / rules.players
        own_worth = sum([max(0, worth[card]) for card in others if suit is Suit.HEARTS])
        a_round = own_worth / max(1.0, rounds)
        total = 0.0
        for place, card in enumerate(mine):
            lower = sum([1 for other in others if other.rank < card.rank])
            exposure = (lower / len(others)) ** 2
            # In the later rounds of a suit others are void and discard, but few suits are led that often.
            discards = self.unit * min(0.2 + 0.5 * place, 1.5)
            certain = 1.0 if place < rounds else 0.4
            itself = 0.3 * max(0, worth[card]) if suit is Suit.HEARTS else 0.0
            total += certain * exposure * (a_round + discards + itself)
        for card in dict.fromkeys([*mine, *others]):
            value = worth[card]
            if value < 0:
                total += self._bonus(card, mine, others) * value
            elif suit is not Suit.HEARTS and value:
                total += caution * self.danger(card, mine, others) * value
        return total

    def danger(self, card: Card, mine: Sequence[Card], others: Sequence[Card]) -> float:
        below_it = sum([1 for own in mine if own.rank < card.rank])
        above = sum([1 for own in mine if own.rank > card.rank])
        chance = 0.0
        if card in mine:
            higher = any([other.rank > card.rank for other in others])
            if self.rules.compulsory in _AT_ONCE and card in self.rules.compulsory_cards:
                # Lower cards do not guard a card that must be played to the first trick of its suit.
                chance += 0.6 if higher else 0.95
            else:
                # Each round of the suit costs one of its guards.
                guards = below_it + 0.5 * above - (0 if higher else 0.5)
                chance += 0.95 / (1 + exp(1.2 * (guards - 0.8 * len(others) / self.rules.players)))
        if card in others and above:
            chance += (1 - 0.45**above) * 0.68**below_it
        return min(chance, 0.95)

    @staticmethod
    def _bonus(card: Card, mine: Sequence[Card], others: Sequence[Card]) -> float:
        above = sum([1 for own in mine if own.rank > card.rank])
        lower = sum([1 for other in others if other.rank < card.rank])
        if card in mine:
            return 0.1 + 0.5 * lower / len(others) + 0.1 * min(above, 3)
        return min(0.15 * above, 0.45)


# ------------------------------------------------------------------------------------------------------------ passing


def heuristic_passes(view: PassingView, rng: Bits, count: int) -> list[Pass]:
    """List the passes that leave the least dangerous hands, best first.

    Args:
        view: the view of a seat that has yet to pass.
        rng: the source of random bits to break ties.
        count: the number of passes requested. There is at least one, but can be fewer if the hand has no other
            promising ones.
    """
    rules = view.rules
    seat = view.seat
    assert seat is not None
    evaluator = _HandEvaluator.of(rules, view.hand, NO_CARDS, rules.deck, rules._resolved)
    passable = [card for card in view.hand if card not in rules.unpassable]
    if view.plan == ANY_NUMBER:
        return _laid_in_the_middle(evaluator, seat, view.hand, _shuffled(passable, rng))[:count]
    size = sum([gift for _, gift in view.plan])
    order = _shuffled(passable, rng)
    # The best pass is built greedily, and the others differ from it by one card.
    chosen = _most_dangerous(evaluator, view.hand, order, size)
    rest = list((Counter(order) - Counter(chosen)).elements())
    bags = {Cards(chosen): _cost_of_pass(evaluator, view.hand, Cards(chosen))}
    if count > 1:
        for given in dict.fromkeys(chosen):
            for kept in dict.fromkeys(rest):
                bag = Cards(chosen) - Cards([given]) + Cards([kept])
                bags.setdefault(bag, _cost_of_pass(evaluator, view.hand, bag))
    ranked = sorted(bags, key=lambda bag: bags[bag])[:count]
    # What each card costs its receiver.
    costs = {card: (evaluator.liability(card.suit, Cards([card])), card.index) for card in passable}
    sorted_bags = [sorted(bag, key=costs.__getitem__, reverse=True) for bag in ranked]
    passes = [Pass(seat, *worst_to_opponents(rules, view.plan, seat, worst_first)) for worst_first in sorted_bags]
    if rules.pass_optional is not PassOptional.NO:
        average = _cost_of_return(evaluator, view.hand) * size
        keep = _cost_of_pass(evaluator, view.hand, NO_CARDS) - bags[ranked[0]] < average * 0.5
        passes.insert(0 if keep else min(1, len(passes)), Pass(seat))
    return passes[: max(1, count)]


def _cost_of_return(evaluator: _HandEvaluator, hand: Cards) -> float:
    return _cost_of_pass(evaluator, hand, NO_CARDS) / max(1, len(hand)) + 0.5 * evaluator.unit


_MOST_PUT_IN: Final = 6


def _laid_in_the_middle(evaluator: _HandEvaluator, seat: Seat, hand: Cards, order: Sequence[Card]) -> list[Pass]:
    dangerous = _most_dangerous(evaluator, hand, order, min(_MOST_PUT_IN, len(order)))
    price = _cost_of_return(evaluator, hand)
    bags = [Cards(dangerous[:size]) for size in range(len(dangerous) + 1)]
    bags.sort(key=lambda bag: _cost_of_pass(evaluator, hand, bag) + price * len(bag))
    return [Pass(seat, *[bag] if bag else []) for bag in bags]


def _shuffled(cards: Iterable[Card], rng: Bits) -> list[Card]:
    left = list(cards)
    return [left.pop(below(rng, len(left))) for _ in range(len(left))]


_RETURNS: Final = 0.12
"""The probability that a passed card returns in a trick."""


def _cost_of_pass(evaluator: _HandEvaluator, hand: Cards, given: Cards) -> float:
    kept = hand - given
    cost = sum([evaluator.liability(suit, kept, given=given) for suit in Suit])
    cost += _RETURNS * sum([max(0, evaluator.worth[card]) for card in given])
    return cost + _cost_of_pairs(evaluator, given)


_TOGETHER: Final = 0.3
"""The penalty for passing two cards above a costly card, relative to its value.

Their recipient soon has nothing else of the suit, and keeping one of the two with low cards costs little.
"""


def _cost_of_pairs(evaluator: _HandEvaluator, given: Iterable[Card]) -> float:
    cards = list(given)
    total = 0.0
    for dear, worth in evaluator.worth.items():
        if worth > 0 and dear.suit is not Suit.HEARTS:
            above = sum([1 for card in cards if card.suit is dear.suit and card.rank > dear.rank])
            total += _TOGETHER * worth * (above > 1)
    return total


def _most_dangerous(evaluator: _HandEvaluator, hand: Cards, order: Sequence[Card], size: int) -> list[Card]:
    left = list(order)
    chosen: list[Card] = []
    while len(chosen) < size:
        relief = [
            evaluator.liability(card.suit, hand, given=Cards(chosen))
            - evaluator.liability(card.suit, hand - Cards([card]), given=Cards([*chosen, card]))
            - _RETURNS * max(0, evaluator.worth[card])
            # Passing high cards gains more than computed above, since the received cards are unknown.
            + 0.04 * evaluator.unit * (card.rank - Rank.TWO)
            - _cost_of_pairs(evaluator, [*chosen, card])
            for card in left
        ]
        card = left.pop(max(range(len(left)), key=relief.__getitem__))
        chosen.append(card)
        hand -= Cards([card])
    return chosen


# ------------------------------------------------------------------------------------------------------------ showing


def _choose_exposure(view: ExposingView) -> Expose:
    seat = view.seat
    assert seat is not None
    resolved = view.rules._resolved
    may = view.hand.lo & resolved.exposable & ~view.exposed[seat].lo
    return Expose(seat, bag_of(shown_faces(resolved, view.hand.lo, may), 0))


# ----------------------------------------------------------------------------------------------------------- the moon


def _choose_moon(view: ChoosingMoonView) -> ChooseMoon:
    rules, shooter = view.rules, view.shooter

    def chance(row: DealScore) -> float:
        winners = row_winners(rules._resolved, row, view.deal_number + 1)
        if winners is not None:
            return float(shooter in winners)
        return prospects(AwaitingDeal(rules, view.score_sheet.with_row(row), None), shooter)

    raises_others = chance(view.others_up) >= chance(view.shooter_down)
    return ChooseMoon(shooter, Moon.OTHERS_UP if raises_others else Moon.SHOOTER_DOWN)


# ------------------------------------------------------------------------------------------------------ playing a card


_KEPT: Final = 0.25
"""The probability that a player kept a costly card despite a chance to drop it."""
# Playing a costly card, or a card above one, to a trick in its suit removes only a part of its danger, since a later
# trick might be safer, above all for a leader. A discard removes all of it.
_FOLLOWING: Final = 0.35
"""The fraction of the danger that a follower removes."""
_LEADING: Final = 0.2
"""The fraction that a leader removes."""

_TO_COME: Final = 2.6
"""The coefficient of the exponent in the chance of a moon.

The chance is the captured share of the moon, raised to the power of this times the share of tricks left.
"""
_STOPS: Final = 0.8
"""The probability that a suit's top card stops a shooter who is not void in it."""
_KEEPS: Final = 0.7
"""The same for the highest moon card, which the shooter must win in any case."""
_GUARDED: Final = 0.5
"""The fraction of that per higher unseen card, if the hand has enough lower ones."""


class _HoldingOdds:
    """The probabilities that seats hold the unseen cards.

    They are inferred from the passes, the exposed cards and the play.

    Args:
        view: the view of a seat.
        unseen: the cards that the seat does not see, including known cards of other hands.
        dear: the unseen cards that all players get rid of at the first chance.
    """

    def __init__(self, view: PlayingView, unseen: Cards, dear: Iterable[Card]) -> None:
        rules = view.rules
        self.known: Final = list(view.face_up)
        assert view.seat is not None
        self.known[view.seat] = NO_CARDS
        if len(view.tricks) == view.trick_number:
            for seat, cards in passed_to(view).items():
                played = [play.card for trick in view.tricks for play in trick.plays if play.seat == seat]
                played += [play.card for play in view.trick if play.seat == seat]
                self.known[seat] = either(self.known[seat], cards - Cards(played))
        self.unknown: Final = unseen - sum(self.known, start=NO_CARDS)
        room = [size - len(cards) for size, cards in zip(view.hand_sizes, self.known, strict=True)]
        room[view.seat] = 0
        kitty = rules.kitty_size if view.kitty is None else 0
        self.counts: Final = [len(self.unknown.of_suit(suit)) for suit in Suit]
        self.chance: Final[list[list[float]]] = []
        """The probability that a seat holds a given unknown card, indexed [suit][seat]."""
        for suit in Suit:
            rooms = [0 if suit in view.voids[seat] else size for seat, size in enumerate(room)]
            places = sum(rooms) + kitty
            self.chance.append([size / places if places else 0.0 for size in rooms])
        self.dear: Final = {card: self._holders(view, card) for card in dear}

    def _holders(self, view: PlayingView, card: Card) -> list[float]:
        if card not in self.unknown:
            return [float(card in cards) for cards in self.known]
        chances = list(self.chance[card.suit])
        elsewhere = 1 - sum(chances)
        tricks = [trick.plays for trick in view.tricks]
        if len(tricks) == view.trick_number and card.bit & view.rules._resolved.first_trick_bars:
            # The rules barred it from the first trick.
            del tricks[:1]
        for plays in [*tricks, view.trick]:
            best: Card | None = None
            for play in plays:
                played = play.card
                if best is None:
                    best = played
                    continue
                follows = played.suit is best.suit
                if (best.rank > card.rank and follows) if best.suit is card.suit else not follows:
                    chances[play.seat] *= _KEPT
                if follows and played.rank > best.rank:
                    best = played
        total = sum(chances) + elsewhere
        return [chance / total for chance in chances] if total else chances

    def holds(self, seat: Seat, card: Card) -> float:
        if card in self.known[seat]:
            return 1.0
        if card not in self.unknown:
            return 0.0
        dear = self.dear.get(card)
        return self.chance[card.suit][seat] if dear is None else dear[seat]

    def void(self, seat: Seat, suit: Suit) -> float:
        return 0.0 if self.known[seat].of_suit(suit) else (1 - self.chance[suit][seat]) ** self.counts[suit]


class _PlayEvaluator:
    def __init__(self, view: PlayingView) -> None:
        rules = view.rules
        seat = view.seat
        assert seat is not None
        self.view: Final = view
        self.rules: Final = rules
        self.seat: Final[Seat] = seat
        self.side: Final = rules.side(seat)
        self.hand: Final = view.hand
        self.trick: Final = view.trick
        on_table = view.set_aside + Cards([play.card for play in view.trick])
        won = sum(view.captured, start=NO_CARDS)
        self.resolved: Final = resolved_with(rules, view.exposed)
        self.hand_evaluator: Final = _HandEvaluator.of(
            rules, won + view.hand + on_table, view.captured[seat], rules.deck - won, self.resolved
        )
        self.unseen: Final = self.hand_evaluator.unseen
        self.unit: Final = self.hand_evaluator.unit
        players = rules.players
        self.later: Final = [(seat + place) % players for place in range(1, players - len(view.trick))]
        self.holders: Final = {
            card: holder for holder, cards in enumerate(view.face_up) if holder != seat for card in cards
        }
        self.held_back: Final = 0 if rules.exposed_card_play is ExposedCardPlay.FREE else view.public._waiting
        self.voids: Final = view.voids
        self.last_trick: Final = view.trick_number == rules.cards_per_hand - 1
        self.worth: Final = self.hand_evaluator.worth
        self.hunted: Final = [card for card in self.unseen if self._is_dear(card)]
        self.hands: Final = _HoldingOdds(view, self.unseen, self.hunted)
        self.doubled: Final = self._doubled()
        self.aside: Final = self._value(on_table)
        self.kitty: Final = self._kitty_value()
        self.base: Final = {suit: self.hand_evaluator.liability(suit, view.hand) for suit in Suit}
        self.caution: Final = _FOLLOWING if view.trick else _LEADING
        self.cautious: Final = {suit: self.hand_evaluator.liability(suit, view.hand, self.caution) for suit in Suit}
        self.discards: Final = self._expected_discards()
        self.moon: Final = self._moon_cards()
        self.holdings: Final = self._holdings()
        self.moon_total: Final = sum([self.moon[card] for card in rules.deck if card in self.moon])
        self.share: Final = sum(self.holdings.values()) / self.moon_total if self.moon_total else 0.0
        self.rival: Final = self._moon_rival()
        self.stake: Final = 0.0 if self.rival is None else self._moon_stake(self.rival)
        self.shooting: Final = self._worth_shooting()

    def _value(self, cards: Iterable[Card]) -> float:
        return sum([self.worth[card] for card in cards])

    def _doubled(self) -> tuple[int, ...]:
        doubler = self.rules.doubler
        if doubler is None:
            return ()
        return tuple([self.resolved.doubler_factor ** pile.count(doubler.card) for pile in self.view.captured])

    def _kitty_value(self) -> float:
        view = self.view
        unknown = self.unseen - Cards(self.holders)
        if not self.rules.kitty_size or view.kitty_winner is not None or not unknown:
            return 0.0
        return self._value(unknown) * self.rules.kitty_size / len(unknown)

    def _expected_discards(self) -> dict[Seat, float]:
        bars = 0 if self.view.trick_number else self.rules._resolved.first_trick_bars
        values = [(self.worth[card], card) for card in self.unseen if self.worth[card] > 0 and not card.bit & bars]
        values.sort(reverse=True)
        discards: dict[Seat, float] = {}
        for seat in self.later:
            total = 0.0
            left = 1.0
            for value, card in values:
                chance = self.hands.holds(seat, card)
                total += left * chance * value
                left *= 1 - chance
            discards[seat] = total
        return discards

    def _is_dear(self, card: Card) -> bool:
        """Return True if a card is a penalty card of a plain suit, but not the doubler."""
        doubler = self.rules.doubler
        return self.worth[card] > 0 and card.suit is not Suit.HEARTS and (doubler is None or card is not doubler.card)

    def _falls_at_once(self, card: Card) -> bool:
        """Return True if a card's holder must play it to the first trick of its suit."""
        return self.rules.compulsory in _AT_ONCE and card in self.rules.compulsory_cards

    # ---- the moon

    def _moon_cards(self) -> dict[Card, float]:
        """Return the moon cards' weights, with a heart's value for those without points."""
        if not self.rules._resolved.moon:
            return {}
        needed = self.rules._resolved.moon_lo
        return {card: max(0.0, value) or self.unit for card, value in self.worth.items() if card.bit & needed}

    def _holdings(self) -> dict[int, float]:
        found: dict[int, float] = {}
        for seat, pile in enumerate(self.view.captured):
            part = sum([self.moon[card] for card in pile if card in self.moon])
            if part:
                key = self._moon_side(seat)
                found[key] = found.get(key, 0) + part
        return found

    def _moon_side(self, seat: Seat) -> int:
        return self.rules.side(seat) if self.rules.moon_scope is MoonScope.TEAM else seat

    def _moon_rival(self) -> int | None:
        if len(self.holdings) != 1:
            return None
        (rival,) = self.holdings
        rules = self.rules
        mates = {self._moon_side(seat) for seat in range(rules.players) if rules.side(seat) == self.side}
        return None if rival in mates else rival

    def _moon_stake(self, shooter: int) -> float:
        """Return the relative gain from a moon of its shooter, given by `_moon_side`."""
        rules = self.rules
        value = rules.moon_value + self.resolved.moon_value - rules._resolved.moon_value
        if rules.moon is Moon.BOTH:
            return 2.0 * value
        if rules.moon is Moon.OTHERS_PAY:
            return float(value * (1 + rules.players - len(rules.sides[0])))
        if rules.moon is Moon.SHOOTER_TO_ZERO:
            groups = len(self.resolved.moon_sides)
            return float(max([0, *[total for seat, total in enumerate(self.view.scores) if seat % groups == shooter]]))
        return float(max(value, rules.target or 0) if rules.moon is Moon.SHOOTER_WINS else value)

    def _worth_shooting(self) -> bool:
        """Return True if no other side has moon cards and nearly all tricks seem won."""
        if not self.moon:
            return False
        if any([side != self._moon_side(self.seat) for side in self.holdings]):
            return False
        lost = losers(self.hand.lo, self.unseen.lo, self.rules.players - 2)
        return lost <= (1 if self.share > 0.6 else 0) and (self.share > 0 or not self.trick)

    # ---- the trick

    def cost(self, move: Play) -> float:
        """Estimate the cost of a play in points, meaningful only as a difference."""
        card = move.card
        plays = (*self.trick, move)
        led = plays[0].card.suit
        place = winning_position(self.rules._resolved, plays, masks_of(plays)[1])
        winning = None if place < 0 else plays[place]
        stays = 1.0 if winning is None else self._stays(winning.card, led, self.aside + self._value([move.card]))
        own = self._win_chance(winning, stays)
        points = self._points(move, led, winning)
        if self.shooting:
            return self._cost_of_shooting(move, winning, stays, points)
        given = max(0, self.worth[card])
        cost = points
        if self.doubled:
            cost, given = self._with_doubler(plays, winning, points)
        total = own * cost - self._relief(card, led)
        if self.trick:
            # Points for an opponent help as well, but a leader should not aim for that.
            total -= (1 - own) * given * 0.2
        if self.rules.no_tricks_bonus and not self.view.tricks_won[self.seat]:
            alone = stays if winning is move else 0.0
            total += alone * self.rules.no_tricks_bonus * (self.view.trick_number + 1) / self.rules.cards_per_hand
        if self.rival is not None:
            total += self._moon_cost(plays, winning, stays, points)
        if not self.trick:
            total += self._cost_of_lead(card)
        return total

    def _relief(self, card: Card, led: Suit) -> float:
        left = self.hand - Cards([card])
        if card.suit is led:
            return self.cautious[card.suit] - self.hand_evaluator.liability(card.suit, left, self.caution)
        return self.base[card.suit] - self.hand_evaluator.liability(card.suit, left)

    def _with_doubler(self, plays: Sequence[Play], winning: Play | None, points: float) -> tuple[float, float]:
        """Return a trick's cost with doublers, and the last card's to the probable taker."""
        doubler = self.rules.doubler
        assert doubler is not None
        card = plays[-1].card
        taker = self.seat if winning is None else winning.seat
        given = max(0.0, self.worth[card]) * self.doubled[taker]
        if card is doubler.card:
            pile = self._value([other for other in self.view.captured[taker] if other is not card])
            given = max(0.0, (self.resolved.doubler_factor - 1) * pile)
        mine = taker if self.rules.side(taker) == self.side else self.seat
        cost = points * self.doubled[mine]
        scoring = self.rules._resolved.scoring
        if self.doubled[mine] > 1 and not self.view.captured[mine].lo & scoring:
            # With its first scoring card, the doubler no longer counts alone.
            cost += self.resolved.doubler_alone * any([play.card.bit & scoring for play in plays])
        return cost, given

    def _stays(self, best: Card, led: Suit, points: float) -> float:
        higher = sum([1 for card in self.hands.unknown.of_suit(led) if card.rank > best.rank])
        lower = self.hands.counts[led] - higher
        following = [seat for seat in self.later if led not in self.voids[seat]]
        chance = 1.0
        for seat in following:
            chance *= 1 - self._overtakes(seat, best, led, lower, higher, points)
        if self.rules.compulsory in _AT_ONCE:
            for card in self.rules.compulsory_cards.of_suit(led):
                if card.rank > best.rank and card in self.unseen:
                    chance = min(chance, 1 - sum([self.hands.holds(seat, card) for seat in following]))
        return chance

    def _overtakes(self, seat: Seat, best: Card, led: Suit, lower: int, higher: int, points: float) -> float:
        """Return the probability that a later player beats a card, forced or by choice."""
        share = self.hands.chance[led][seat]
        known = [card.rank > best.rank for card in self.hands.known[seat].of_suit(led) if self._may_come(card)]
        can = 1.0 if True in known else 1 - (1 - share) ** higher
        must = 0.0 if False in known else (1 - share) ** lower
        if points < 0:
            welcome = 0.8
        elif points > 0:
            welcome = 0.05
        else:
            welcome = 0.6 if seat == self.later[-1] else 0.15
        return can * (must + (1 - must) * welcome)

    def _may_come(self, card: Card) -> bool:
        holder = self.holders.get(card)
        return holder is None or (holder in self.later and not card.bit & self.held_back)

    def _win_chance(self, winning: Play | None, stays: float) -> float:
        rules = self.rules
        if winning is None:
            return 0.5 / len(rules.sides)
        ours = rules.side(winning.seat) == self.side
        mates = sum([1 for seat in self.later if rules.side(seat) == self.side])
        taken = (1 - stays) * mates / len(self.later) if self.later else 0.0
        return (stays if ours else 0.0) + taken

    def _points(self, move: Play, led: Suit, winning: Play | None) -> float:
        card = move.card
        total = float(self.aside + self.worth[card])
        top = card if winning is None else winning.card
        hands = self.hands
        in_suit = [other for other in self.unseen.of_suit(led) if self.worth[other] and self._may_come(other)]
        average = self._value(in_suit) / max(1, hands.counts[led])
        for seat in self.later:
            void = hands.void(seat, led)
            total += void * self.discards[seat]
            if led is Suit.HEARTS:
                total += (1 - void) * average
                continue
            for other in in_suit:
                if other.rank < top.rank:
                    # A player usually gets rid of a penalty card under a higher card.
                    falls = 0.95 if self.worth[other] > 0 else 1.0 if self._must_fall(other) else 0.3
                    total += self.worth[other] * hands.holds(seat, other) * falls
        return total + self._kitty_points(total, move)

    def _must_fall(self, card: Card) -> bool:
        return self.rules.compulsory in (Compulsory.SAFE, *_AT_ONCE) and card in self.rules.compulsory_cards

    def _kitty_points(self, points: float, move: Play) -> float:
        kitty = self.rules.kitty
        if kitty is Kitty.FIRST_POINT:
            return self.kitty * max(0.0, min(1.0, points))
        if kitty is Kitty.FIRST_HEART:
            hearts = any([play.card.suit is Suit.HEARTS for play in (*self.trick, move)])
            return self.kitty if hearts else 0.0
        return self.kitty if kitty is Kitty.FIRST_TRICK or self.last_trick else 0.0

    def _moon_cost(self, plays: Sequence[Play], winning: Play | None, stays: float, points: float) -> float:
        if self.rules._resolved.moon_apart:
            points = sum([self.moon.get(play.card, 0.0) for play in plays]) + 0.5 * sum(self.discards.values())
        points = max(0.0, points)
        goes_there = 0.0
        if winning is not None:
            holds = self._moon_side(winning.seat) == self.rival
            behind = any([self._moon_side(seat) == self.rival for seat in self.later])
            goes_there = (stays if holds else 0.0) + (0.8 * (1 - stays) if behind else 0.0)
        ends = (1 - goes_there) * min(1.0, points / self.unit)
        share = min(1.0, self.share + goes_there * points / self.moon_total)
        tricks = self.rules.cards_per_hand
        left = max(1, tricks - 1 - self.view.trick_number) / tricks
        chance = exp(_TO_COME * left * log(share)) if share > 0 else 0.0
        return self.stake * (1 - ends) * chance * self._unstopped(plays[-1].card)

    def _unstopped(self, played: Card) -> float:
        """Return the chance of a rival's moon left by the hand after a play.

        A shooter who wins all tricks leads every card sooner or later, and no heart may go elsewhere.
        """
        rivals = [seat for seat in range(self.rules.players) if self._moon_side(seat) == self.rival]
        left = 1.0
        for suit in Suit:
            mine = [card for card in self.hand.of_suit(suit) if card is not played]
            others = self.unseen.of_suit(suit)
            if not mine or not others:
                continue
            higher = sum([1 for card in others if card.rank > mine[-1].rank])
            if higher >= len(mine):
                continue
            led = 1.0
            for seat in rivals:
                led *= self.hands.void(seat, suit)
            stops = max(_STOPS * (1 - led), _KEEPS if mine[-1] in self.moon else 0.0)
            left *= 1 - (stops * _GUARDED**higher if higher else stops)
        return left

    def _cost_of_lead(self, card: Card) -> float:
        """Estimate a lead's cost, negative if it might drive out a costly card."""
        for other in self.hunted:
            if other.suit is card.suit and card.rank < other.rank:
                # Low cards drive it out, unless the hand has a card above it.
                if self._falls_at_once(other):
                    return (-0.4 * self.unit - 0.2 * self.worth[other]) * self._held_against(other)
                if other.bit & self.held_back:
                    continue
                if not any([own.rank > other.rank for own in self.hand.of_suit(card.suit)]):
                    return -0.4 * self.unit * self._held_against(other)
        return 0.0

    def _held_against(self, card: Card) -> float:
        rules = self.rules
        if not rules.teams:
            return 1.0
        return 1 - sum([self.hands.holds(seat, card) for seat in rules.sides[self.side]])

    def _cost_of_shooting(self, move: Play, winning: Play | None, stays: float, points: float) -> float:
        """Return the cost of losing the trick, and of high cards spent, for a shooter."""
        rank = float(move.card.rank) / 100
        if winning is not move:
            return 10.0 + max(0.0, points) + rank
        if self.trick:
            # Win the trick as cheaply as is safe.
            return rank - stays * (5.0 + max(0.0, points))
        # Lead from the top. Among equally sure winners, lead a costly card or a suit that draws one last, in case the
        # moon fails first.
        dear = any([other.suit is move.card.suit for other in self.hunted]) or self._is_dear(move.card)
        return (0.5 if dear else 0.0) - rank - stays * 5.0
