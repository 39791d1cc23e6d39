"""The heuristic player as it was in 0.1.0, so that later ones can be measured against it; it is not changed any more.

It weighs every card: what the trick may cost, and what the rest of the hand may cost later.

Everything is counted in expected points, from the values that the rules give the cards, so one way of thinking plays
all variants. The numbers in it are judgements; the documentation measures how well it plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs

from heartsrules.analysis import prospects
from heartsrules.base.errors import InvalidState
from heartsrules.bots.interface import options
from heartsrules.cards import NO_CARDS, Card, Cards, Rank, Suit
from heartsrules.chance import Bits, below
from heartsrules.play.engine import apply
from heartsrules.play.exposing import resolved_with
from heartsrules.play.moves import ChooseMoon, Expose, Move, Pass, Play
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, GameOver
from heartsrules.rules import Compulsory, Duplicates, Kitty, Moon, MoonScope, PassOptional, Rules, Seat
from heartsrules.rules.resolved import ResolvedRules
from heartsrules.views import ChoosingMoonView, ExposingView, PassingView, PlayingView, View
from heartsrules.views.worlds import sample_world

__all__ = ["heuristic", "heuristic_passes"]


def heuristic(view: View, rng: Bits, /) -> Move:
    """A sensible move, without looking ahead beyond the trick.

    It gets rid of what may cost points: high cards with few low ones beside them, the Q♠ and what would have to be
    played over her, the last cards of a suit. It plays as high as is safe, discards what is most dangerous, goes
    for bonus cards, and for the doubler when that seems to pay, keeps a team's points low rather than its own, stops a
    player who is about to shoot the moon, and shoots when all the rest seem to be its own. It shows a penalty card or
    the doubler if somebody else will probably take it, a bonus card if it will probably win it itself, and a heart if
    it will take few hearts or may shoot the moon. `rng` chooses among moves that seem equally good.

    Raises:
        ValueError: the seat has nothing to do.
        TypeError: `view` is not a view.
    """
    moves = options(view)
    if len(moves) == 1:
        return moves[0]
    if isinstance(view, PassingView):
        return heuristic_passes(view, rng, 1)[0]
    if isinstance(view, ExposingView):
        return _show(view)
    if isinstance(view, ChoosingMoonView):
        return _choose_moon(view, rng)
    if isinstance(view, PlayingView):
        thought = _Thought(view)
        return _least([(thought.cost(move), move) for move in moves if isinstance(move, Play)], rng)
    return moves[0]  # pragma: no cover - there are no other phases in which a seat may act


def _least(costs: Sequence[tuple[float, Play]], rng: Bits) -> Play:
    least = min([cost for cost, _ in costs])
    best = [move for cost, move in costs if cost <= least + 1e-9]
    return best[below(rng, len(best))] if len(best) > 1 else best[0]


# ------------------------------------------------------------------------------------------------ what a hand may cost


def worth(rules: Rules, card: Card) -> int:
    """What a card by itself brings to the score of the player who takes it: of the doubler, nothing."""
    return rules.penalty(card) - sum([bonus.points for bonus in rules.bonuses if bonus.card is card])


def _worths(rules: Rules, pile: Cards, left: Cards, tables: ResolvedRules | None = None) -> dict[Card, float]:
    """What each card in play brings to a player with that pile, while these cards are still to be won. The tables are
    those by which the deal is scored, if cards are shown."""
    counted = rules.resolved if tables is None else tables
    worths: dict[Card, float] = {card: counted.values[card.index] for card in rules.deck.distinct()}
    for bonus, each in zip(rules.bonuses, counted.bonuses, strict=True):
        worths[bonus.card] = -each.points
    doubler = rules.doubler
    if doubler is not None:
        scoring = rules.resolved.scoring
        clean = 0.0
        if not pile.lo & scoring:
            # Scoring cards come together, about two in a trick.
            clean = (1 - 1 / rules.players) ** (sum([1 for card in left if card.bit & scoring]) / 2)
        to_come = 0.8 * sum([worths[card] for card in left]) / rules.players
        score = sum([worths[card] for card in pile]) + to_come
        worths[doubler.card] = (1 - clean) * (counted.doubler_factor - 1) * score - clean * counted.doubler_alone
    return worths


_AT_ONCE: Final = (Compulsory.NOT_LEAD, Compulsory.ALWAYS)
"""When a compulsory card is played to the first trick of its suit, whatever lies there."""


@attrs.frozen
class _Sight:
    """What is known of the cards, and what follows from the rules alone."""

    rules: Rules
    unseen: Cards
    """The cards that lie in other hands, or in a hidden kitty."""
    unit: float
    """What a heart is worth, on average, so that the judgements below hold for all heart values."""
    worth: Mapping[Card, float]
    """What each card in play brings to the score of the player who looks."""

    @staticmethod
    def of(rules: Rules, seen: Cards, pile: Cards, left: Cards, tables: ResolvedRules | None = None) -> _Sight:
        unit = max(1.0, rules.penalty_total / 26 / rules.decks)
        return _Sight(rules, rules.deck - seen, unit, _worths(rules, pile, left, tables))

    def liability(self, suit: Suit, held: Cards) -> float:
        """What the cards of one suit of a hand may cost in the tricks to come; a bonus card makes it less."""
        rules, worth = self.rules, self.worth
        mine = list(held.of_suit(suit))
        others = list(self.unseen.of_suit(suit))
        if not mine:
            # A void is worth having while the suit is still going to be led.
            return -0.8 * self.unit if others else 0.0
        if not others:
            # Nobody can take a lead of this suit from this hand; so each card is a trick if it must be led.
            return 0.25 * self.unit * len(mine) + sum([max(0, worth[card]) for card in mine]) * 0.5
        rounds = (len(mine) + len(others)) / rules.players
        own_worth = sum([max(0, worth[card]) for card in others if suit is Suit.HEARTS])
        a_round = own_worth / max(1.0, rounds)
        total = 0.0
        for place, card in enumerate(mine):
            lower = sum([1 for other in others if other.rank < card.rank])
            exposure = (lower / len(others)) ** 2
            # In the later rounds of a suit others are void and discard; but not many suits are led so often.
            discards = self.unit * min(0.2 + 0.5 * place, 1.5)
            certain = 1.0 if place < rounds else 0.4
            total += certain * exposure * (a_round + discards + 0.3 * max(0, worth[card]))
        for card in dict.fromkeys([*mine, *others]):
            value = worth[card]
            if value < 0:
                total += self._bonus(card, mine, others) * value
            elif suit is not Suit.HEARTS and value:
                total += self.danger(card, mine, others) * value
        return total

    def danger(self, card: Card, mine: Sequence[Card], others: Sequence[Card]) -> float:
        """How likely it is, roughly, that a penalty card of a plain suit is taken with this hand."""
        below_it = sum([1 for own in mine if own.rank < card.rank])
        above = sum([1 for own in mine if own.rank > card.rank])
        chance = 0.0
        if card in mine:
            higher = any([other.rank > card.rank for other in others])
            if self.rules.compulsory in _AT_ONCE and card in self.rules.compulsory_cards:
                # Lower cards do not guard what must be played to the first trick of its suit.
                chance += 0.6 if higher else 0.95
            else:
                chance += (0.7 if higher else 0.85) * 0.72 ** (below_it + 0.5 * above)
        if card in others and above:
            chance += (1 - 0.45**above) * 0.75**below_it
        return min(chance, 0.95)

    @staticmethod
    def _bonus(card: Card, mine: Sequence[Card], others: Sequence[Card]) -> float:
        """How likely it is, roughly, that the bonus card is taken with this hand."""
        above = sum([1 for own in mine if own.rank > card.rank])
        lower = sum([1 for other in others if other.rank < card.rank])
        if card in mine:
            return 0.1 + 0.5 * lower / len(others) + 0.1 * min(above, 3)
        return min(0.15 * above, 0.45)


# ------------------------------------------------------------------------------------------------------------ passing


def heuristic_passes(view: PassingView, rng: Bits, count: int) -> list[Pass]:
    """The passes that leave the least dangerous hands, best first: at most `count`, at least one.

    Args:
        view: the view of a seat that has still to commit.
        rng: chooses among passes that seem equally good.
        count: how many passes are wanted; fewer come if the hand has no others worth a look.
    """
    rules = view.rules
    seat = view.seat
    assert seat is not None
    sight = _Sight.of(rules, view.hand, NO_CARDS, rules.deck)
    passable = [card for card in view.hand if card not in rules.unpassable]
    size = sum([gift for _, gift in view.plan])
    order = _shuffled(passable, rng)
    # Cards are taken one after the other, each the one whose loss helps most; then for others, one card is exchanged.
    chosen = _worst(sight, view.hand, order, size)
    rest = list((Counter(order) - Counter(chosen)).elements())
    bags = {Cards(chosen): _hand_cost(sight, view.hand - Cards(chosen))}
    if count > 1:
        for given in dict.fromkeys(chosen):
            for kept in dict.fromkeys(rest):
                bag = Cards(chosen) - Cards([given]) + Cards([kept])
                bags.setdefault(bag, _hand_cost(sight, view.hand - bag))
    ranked = sorted(bags, key=lambda bag: bags[bag])[:count]
    passes = [Pass(seat, _gifts(view, sight, seat, bag)) for bag in ranked]
    if rules.pass_optional is not PassOptional.NO:
        # A card that comes back is about as bad as the average one.
        average = _hand_cost(sight, view.hand) * size / max(1, len(view.hand)) + 0.5 * sight.unit * size
        keep = _hand_cost(sight, view.hand) - bags[ranked[0]] < average * 0.5
        passes.insert(0 if keep else min(1, len(passes)), Pass(seat, ()))
    return passes[: max(1, count)]


def _shuffled(cards: Iterable[Card], rng: Bits) -> list[Card]:
    left = list(cards)
    return [left.pop(below(rng, len(left))) for _ in range(len(left))]


def _hand_cost(sight: _Sight, hand: Cards) -> float:
    return sum([sight.liability(suit, hand) for suit in Suit])


def _worst(sight: _Sight, hand: Cards, order: Sequence[Card], size: int) -> list[Card]:
    """The cards of a hand that are best given away, the worst first."""
    left = list(order)
    chosen: list[Card] = []
    while len(chosen) < size:
        relief = [
            sight.liability(card.suit, hand)
            - sight.liability(card.suit, hand - Cards([card]))
            # High cards are worth more to lose than the numbers above say: nothing is known of what comes.
            + 0.04 * sight.unit * (card.rank - Rank.TWO)
            for card in left
        ]
        card = left.pop(max(range(len(left)), key=relief.__getitem__))
        chosen.append(card)
        hand -= Cards([card])
    return chosen


def _gifts(view: PassingView, sight: _Sight, seat: Seat, bag: Cards) -> tuple[Cards, ...]:
    """The cards of a pass, gift by gift: a partner gets those that cost least."""
    rules = view.rules
    left = sorted(bag, key=lambda card: (_alone(sight, card), card.index))
    gifts: list[Cards] = [NO_CARDS] * len(view.plan)
    mates = [rules.side((seat + offset) % rules.players) == rules.side(seat) for offset, _ in view.plan]
    for number in sorted(range(len(gifts)), key=lambda number: not mates[number]):
        size = view.plan[number][1]
        gifts[number] = Cards(left[:size])
        del left[:size]
    return tuple(gifts)


def _alone(sight: _Sight, card: Card) -> float:
    """What a card costs the player who gets it."""
    return sight.liability(card.suit, Cards([card]))


# ------------------------------------------------------------------------------------------------------------ showing


def _show(view: ExposingView) -> Expose:
    """The cards that are better counted double."""
    rules = view.rules
    seat = view.seat
    assert seat is not None
    sight = _Sight.of(rules, view.hand, NO_CARDS, rules.deck, resolved_with(rules, view.exposed))
    chosen = [card for card in view.hand if card in rules.exposable and _pays(rules, sight, view.hand, card)]
    return Expose(seat, Cards(chosen))


def _pays(rules: Rules, sight: _Sight, hand: Cards, card: Card) -> bool:
    """Whether a side gains by showing a card: it pays twice what it takes itself, and gains what the others pay."""
    # With partners the same: they take their share of what this hand does not take, and so do their opponents.
    fair = 1 / rules.players
    mine = list(hand.of_suit(card.suit))
    others = list(sight.unseen.of_suit(card.suit))
    if card.suit is Suit.HEARTS:
        shoots = rules.moon is not Moon.OFF and losers_of(rules, hand, sight.unseen) <= 1
        return shoots or _hearts_taken(rules, sight, hand) < 1.2 * fair
    if card.bit & rules.resolved.bonus_faces:
        higher = sum([1 for own in mine if own.rank > card.rank])
        # Higher cards win it, lower ones give time to wait for a safe trick; and everybody hunts it from now on.
        return 0.05 + 0.1 * (len(mine) - 1 - higher) + 0.3 * min(higher, 2) > fair + 0.15
    # What others lead to drive it out makes it more dangerous.
    return sight.danger(card, mine, others) * 1.2 < fair


def _hearts_taken(rules: Rules, sight: _Sight, hand: Cards) -> float:
    """What part of the hearts a hand will take, roughly."""
    mine = list(hand.of_suit(Suit.HEARTS))
    high = 0.0
    for suit in Suit:
        held = list(hand.of_suit(suit))
        others = list(sight.unseen.of_suit(suit))
        for place, card in enumerate(held):
            if others and (suit is Suit.HEARTS or place):
                # A first round is seldom discarded to.
                high += (sum([1 for other in others if other.rank < card.rank]) / len(others)) ** 2
    # An average hand has one such card for every four.
    return high / max(1.0, len(hand) / 4) / rules.players + 0.02 * max(0, 2 - len(mine))


# ----------------------------------------------------------------------------------------------------------- the moon


def _choose_moon(view: ChoosingMoonView, rng: Bits) -> ChooseMoon:
    """The effect after which the shooter's side is more likely to win the match."""
    shooter = view.shooter
    up, down = ChooseMoon(shooter, Moon.OTHERS_UP), ChooseMoon(shooter, Moon.SHOOTER_DOWN)
    try:
        # What the choice leads to depends on nothing that a seat cannot see, so any world will do.
        world = sample_world(view, rng)
    except InvalidState:
        # A position without its history has no worlds. Whether the match would end is not looked at then.
        return max(up, down, key=lambda move: prospects(_next(view, _score(view, move)), shooter))
    return max(up, down, key=lambda move: _after_choice(world, move, shooter))


def _after_choice(world: object, move: ChooseMoon, shooter: Seat) -> float:
    assert isinstance(world, ChoosingMoon)
    after = apply(world, move)
    assert isinstance(after, (AwaitingDeal, GameOver))
    return prospects(after, shooter)


def _score(view: ChoosingMoonView, move: ChooseMoon) -> DealScore:
    return view.others_up if move.effect is Moon.OTHERS_UP else view.shooter_down


def _next(view: ChoosingMoonView, score: DealScore) -> AwaitingDeal:
    return AwaitingDeal(view.rules, view.score_sheet.with_row(score), None)


# ------------------------------------------------------------------------------------------------------ playing a card


def losers_of(rules: Rules, hand: Cards, unseen: Cards) -> int:
    """How many cards of a hand would lose if it led its suits from the top."""
    losers = 0
    for suit in Suit:
        mine = sorted([card.rank for card in hand.of_suit(suit)], reverse=True)
        others = sorted([card.rank for card in unseen.of_suit(suit)], reverse=True)
        drawn = 0
        for rank in mine:
            if others[drawn:] and others[0] > rank:
                losers += 1
            else:
                # Nearly every other player follows to a lead from the top.
                drawn += max(1, rules.players - 2)
    return losers


def leading_play(rules: Rules, plays: Sequence[Play]) -> Play | None:
    """The play that would win the trick as it stands, if the trick ended there; None: nobody would."""
    copies = Counter([play.card for play in plays])
    cancel = rules.duplicates is Duplicates.CANCEL
    pairs = sum([1 for count in copies.values() if count > 1])
    if cancel and rules.two_pairs_void and pairs > 1:
        return None
    best: Play | None = None
    for play in plays:
        if play.suit != plays[0].suit or (cancel and copies[play.card] > 1):
            continue
        if (
            best is None
            or play.card.rank > best.card.rank
            or (play.card is best.card and rules.duplicates is Duplicates.LAST_WINS)
        ):
            best = play
    return best


class _Thought:
    """What a player thinks about the trick before it chooses a card."""

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
        self.sight: Final = _Sight.of(
            rules, won + view.hand + on_table, view.captured[seat], rules.deck - won, self.resolved
        )
        self.unseen: Final = self.sight.unseen
        self.unit: Final = self.sight.unit
        players = rules.players
        self.later: Final = [(seat + place) % players for place in range(1, players - len(view.trick))]
        self.holders: Final = {
            card: holder for holder, cards in enumerate(view.face_up) if holder != seat for card in cards
        }
        self.held_back: Final = view.public.waiting
        self.voids: Final = view.voids
        self.last_trick: Final = view.trick_number == rules.cards_per_hand - 1
        self.worth: Final = self.sight.worth
        self.doubled: Final = self._doubled()
        self.aside: Final = self._value(on_table)
        self.kitty: Final = self._kitty_value()
        self.base: Final = {suit: self.sight.liability(suit, view.hand) for suit in Suit}
        self.discards: Final = self._discards()
        self.hunted: Final = [] if view.trick else self._hunted()
        self.moon: Final = self._moon_cards()
        self.holdings: Final = self._holdings()
        self.threat, self.rival = self._moon_threat()
        self.shooting: Final = self._worth_shooting()

    def _value(self, cards: Iterable[Card]) -> float:
        return sum([self.worth[card] for card in cards])

    def _doubled(self) -> tuple[int, ...]:
        """By seat, by how much the doublers that it has captured multiply its score; empty where there are none."""
        doubler = self.rules.doubler
        if doubler is None:
            return ()
        return tuple([self.resolved.doubler_factor ** pile.count(doubler.card) for pile in self.view.captured])

    def _kitty_value(self) -> float:
        """What the kitty may bring to the player who takes it, if it has still to be taken."""
        view = self.view
        unknown = self.unseen - Cards(self.holders)
        if not self.rules.kitty_size or view.kitty_winner is not None or not unknown:
            return 0.0
        return self._value(unknown) * self.rules.kitty_size / len(unknown)

    def _discards(self) -> float:
        """What a player who cannot follow suit discards, on average."""
        rules = self.rules
        bars = 0 if self.view.trick_number else rules.resolved.first_trick_bars
        # A shown card comes only from its holder.
        cards = [
            card
            for card in self.unseen
            if not card.bit & bars and (card not in self.holders or self.holders[card] in self.later)
        ]
        if not cards:
            return 0.0
        values = sorted([max(0, self.worth[card]) for card in cards])
        dearest = values[-1]
        if rules.compulsory is not Compulsory.NO:
            # Whoever holds such a card must discard it.
            dearest = max(dearest, sum([max(0, self.worth[card]) for card in cards if card in rules.compulsory_cards]))
        return dearest / rules.players + sum(values) / len(values)

    def _hunted(self) -> list[Card]:
        """The unseen cards of plain suits that are better in other piles."""
        doubler = None if self.rules.doubler is None else self.rules.doubler.card
        return [
            card
            for card in self.unseen
            if self.worth[card] > 0 and card.suit is not Suit.HEARTS and card is not doubler
        ]

    def _falls_at_once(self, card: Card) -> bool:
        """Whether the holder of a card must play it to the first trick of its suit."""
        return self.rules.compulsory in _AT_ONCE and card in self.rules.compulsory_cards

    # ---- the moon

    def _moon_cards(self) -> dict[Card, float]:
        """The cards that a shooter needs, and how much of the moon each of them is: what it is worth, or if that is
        nothing, as much as a heart."""
        if self.rules.moon is Moon.OFF:
            return {}
        needed = self.rules.resolved.moon_lo
        return {card: max(0.0, value) or self.unit for card, value in self.worth.items() if card.bit & needed}

    def _holdings(self) -> dict[int, float]:
        """How much of the moon each side has captured, of those that have captured anything of it."""
        found: dict[int, float] = {}
        for seat, pile in enumerate(self.view.captured):
            part = sum([self.moon[card] for card in pile if card in self.moon])
            if part:
                key = self._moon_side(seat)
                found[key] = found.get(key, 0) + part
        return found

    def _moon_side(self, seat: Seat) -> int:
        return self.rules.side(seat) if self.rules.moon_scope is MoonScope.TEAM else seat

    def _share(self) -> float:
        """How much of the moon has been captured, from 0 to 1."""
        return sum(self.holdings.values()) / sum([self.moon[card] for card in self.rules.deck if card in self.moon])

    def _moon_threat(self) -> tuple[float, int | None]:
        """What it is worth to take a point from the only side that has captured any, and which side that is."""
        rules = self.rules
        if len(self.holdings) != 1:
            return 0.0, None
        (rival,) = self.holdings
        mates = {self._moon_side(seat) for seat in range(rules.players) if rules.side(seat) == self.side}
        share = self._share()
        if rival in mates or share < 0.3:
            return 0.0, None
        doubled = self.resolved.moon_value - rules.resolved.moon_value
        return (rules.moon_value + doubled) * share**2, rival

    def _worth_shooting(self) -> bool:
        """Whether nobody else has a card of the moon yet, and nearly all other tricks seem to be this hand's."""
        if not self.moon:
            return False
        if any([side != self._moon_side(self.seat) for side in self.holdings]):
            return False
        share = self._share()
        losers = losers_of(self.rules, self.hand, self.unseen)
        return losers <= (1 if share > 0.6 else 0) and (share > 0 or not self.trick)

    # ---- the trick

    def cost(self, move: Play) -> float:
        """What a play is expected to cost, in points; only differences between plays mean anything."""
        card = move.card
        plays = [*self.trick, move]
        led = Suit(plays[0].suit)
        winning = leading_play(self.rules, plays)
        stays = 1.0 if winning is None else self._stays(winning.card, led)
        own = self._own_share(winning, stays)
        points = self._points(move, led, winning)
        if self.shooting:
            return self._cost_of_shooting(move, winning, stays, points)
        given = max(0, self.worth[card])
        cost = points
        if self.doubled:
            cost, given = self._with_doubler(plays, winning, points)
        total = own * cost + self.sight.liability(card.suit, self.hand - Cards([card])) - self.base[card.suit]
        # Points that others get are as good as points that one does not get, shared among the others.
        total -= (1 - own) * given * 0.2
        if self.rules.no_tricks_bonus and not self.view.tricks_won[self.seat]:
            alone = stays if winning is move else 0.0
            total += alone * self.rules.no_tricks_bonus * (self.view.trick_number + 1) / self.rules.cards_per_hand
        if self.threat:
            total += self._moon_cost(plays, winning, stays, points)
        if not self.trick:
            total += self._cost_of_lead(card)
        return total

    def _with_doubler(self, plays: Sequence[Play], winning: Play | None, points: float) -> tuple[float, float]:
        """What a trick of so many points costs this side with the doublers in its piles, and what the last card of it
        is worth to whoever seems to take it."""
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
        scoring = self.rules.resolved.scoring
        if self.doubled[mine] > 1 and not self.view.captured[mine].lo & scoring:
            # With the first scoring card the doubler is alone no more.
            cost += self.resolved.doubler_alone * any([play.card.bit & scoring for play in plays])
        return cost, given

    def _stays(self, best: Card, led: Suit) -> float:
        """How likely it is that nobody who plays later beats a card."""
        chance = 1.0
        to_come = [card for card in self.unseen.of_suit(led) if self._may_come(card)]
        higher = sum([1 for card in to_come if card.rank > best.rank])
        lower = len(to_come) - higher
        if not higher:
            return 1.0
        following = [seat for seat in self.later if led not in self.voids[seat]]
        for _ in following:
            chance *= 1 - (1 - self._void(led)) * higher / (higher + lower)
        if self.rules.compulsory in _AT_ONCE:
            for card in self.rules.compulsory_cards.of_suit(led):
                if card.rank > best.rank and card in self.unseen:
                    chance = min(chance, 1 - len(following) / max(1, self.rules.players - 1))
        return chance

    def _may_come(self, card: Card) -> bool:
        """Whether a card of the suit that is led may still be played to this trick: a shown one only by its holder, who
        holds it back in the first trick of its suit."""
        holder = self.holders.get(card)
        return holder is None or (holder in self.later and not card.bit & self.held_back)

    def _void(self, suit: Suit) -> float:
        """How likely it is that a hidden hand has no card of a suit."""
        hidden = max(2, sum([1 for voids in self.voids if suit not in voids]) - 1)
        return (1 - 1 / hidden) ** len(self.unseen.of_suit(suit))

    def _own_share(self, winning: Play | None, stays: float) -> float:
        """How likely it is that this player's side wins the trick."""
        rules = self.rules
        if winning is None:
            return 0.5 / len(rules.sides)
        ours = rules.side(winning.seat) == self.side
        mates = sum([1 for seat in self.later if rules.side(seat) == self.side])
        taken = (1 - stays) * mates / len(self.later) if self.later else 0.0
        return (stays if ours else 0.0) + taken

    def _points(self, move: Play, led: Suit, winning: Play | None) -> float:
        """What the trick is expected to be worth in the end."""
        card = move.card
        total = float(self.aside + self.worth[card])
        in_suit = list(self.unseen.of_suit(led))
        following = sum([1 for seat in self.later if led not in self.voids[seat]])
        void = self._void(led)
        voids = len(self.later) - following + following * void
        total += voids * self.discards
        hidden = max(1, self.rules.players - 1)
        top = card if winning is None else winning.card
        for other in in_suit:
            value = self.worth[other]
            if not self._may_come(other):
                continue
            if led is Suit.HEARTS:
                total += value * following * (1 - void) / len(in_suit)
            elif value > 0 and other.rank < top.rank:
                # It is played at once under a higher card.
                total += value * following / hidden * 0.8
            elif value < 0 and other.rank < top.rank:
                total += value * following / hidden * (1.0 if self._must_fall(other) else 0.3)
        return total + self._kitty_points(total, move)

    def _must_fall(self, card: Card) -> bool:
        """Whether the holder of a card must play it under a higher one of its suit."""
        return self.rules.compulsory in (Compulsory.SAFE, *_AT_ONCE) and card in self.rules.compulsory_cards

    def _kitty_points(self, points: float, move: Play) -> float:
        """What the kitty adds to a trick that is worth so many points."""
        kitty = self.rules.kitty
        if kitty is Kitty.FIRST_POINT:
            return self.kitty * max(0.0, min(1.0, points))
        if kitty is Kitty.FIRST_HEART:
            hearts = any([play.card.suit is Suit.HEARTS for play in (*self.trick, move)])
            return self.kitty if hearts else 0.0
        return self.kitty if kitty is Kitty.FIRST_TRICK or self.last_trick else 0.0

    def _moon_cost(self, plays: Sequence[Play], winning: Play | None, stays: float, points: float) -> float:
        """What it costs to let the rival have the trick, if there is something of the moon in it."""
        if self.rules.resolved.moon_apart:
            points = sum([self.moon.get(play.card, 0.0) for play in plays]) + 0.5 * len(self.later) * self.discards
        if winning is None or points <= 0:
            return 0.0
        holds = self._moon_side(winning.seat) == self.rival
        behind = any([self._moon_side(seat) == self.rival for seat in self.later])
        goes_there = (stays if holds else 0.0) + (0.8 * (1 - stays) if behind else 0.0)
        return goes_there * self.threat * min(1.0, points / self.unit)

    def _cost_of_lead(self, card: Card) -> float:
        for other in self.hunted:
            if other.suit is card.suit and card.rank < other.rank:
                # Low cards drive it out, if nothing in the hand would have to be played over it.
                if self._falls_at_once(other):
                    return -0.4 * self.unit - 0.2 * self.worth[other]
                if other.bit & self.held_back:
                    continue
                if not any([own.rank > other.rank for own in self.hand.of_suit(card.suit)]):
                    return -0.4 * self.unit
        return 0.0

    def _cost_of_shooting(self, move: Play, winning: Play | None, stays: float, points: float) -> float:
        """What a play costs a player who wants every point: tricks, and then the high cards that will win others."""
        rank = float(move.card.rank) / 100
        if winning is not move:
            return 10.0 + max(0.0, points) + rank
        # On lead from the top; to a trick that can be won as cheaply as is safe.
        return -stays * (5.0 + max(0.0, points)) + (-rank if not self.trick else rank)
