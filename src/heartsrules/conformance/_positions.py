"""The positions in which one option or one ruling decides. Random games come to most of them once in thousands of deals.

For every rule set they are the same list, less those that its options leave no room for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any, Final

import attrs

from heartsrules.cards import Card, Cards, Rank, Suit
from heartsrules.chance import Bits, below, deal
from heartsrules.conformance._placing import Piles, Placer, filled
from heartsrules.engine import apply, legal_moves, to_act
from heartsrules.errors import InvalidState
from heartsrules.moves import Expose, Move, Pass, Play
from heartsrules.rules import BonusFloor, Duplicates, Exposure, Kitty, Moon, OpeningLeader, PassOptional, Rules, Seat, Tie
from heartsrules.state import AwaitingDeal, ChoosingMoon, Exposing, GameOver, Passing, Playing, State

__all__ = ["Position", "positions"]


@attrs.frozen
class Position:
    """A position, and the moves that are tried in it."""

    name: str
    state: State
    moves: tuple[Move, ...]


def positions(rules: Rules, bits: Bits) -> Iterator[Position]:
    """The positions of a rule set. What does not matter in them is filled in as the bits say."""
    return _Positions(rules, bits).all()


class _Positions:
    """The positions of one rule set, one method for each part of the game."""

    def __init__(self, rules: Rules, bits: Bits) -> None:
        self.rules = rules
        self.bits = bits
        self.placer = Placer(rules, bits)
        self.players = rules.players

    def all(self) -> Iterator[Position]:
        """All of them."""
        yield from self.passes()
        yield from self.openings()
        yield from self.exposures()
        yield from self.first_tricks()
        yield from self.leads()
        yield from self.discards()
        yield from self.compulsory()
        yield from self.shown_cards()
        yield from self.tricks()
        yield from self.doubles()
        yield from self.kitties()
        yield from self.scores()
        yield from self.ends()
        yield from self.moons()

    # ------------------------------------------------------------------------------------------------------- helpers

    def seat(self) -> Seat:
        """Any seat."""
        return below(self.bits, self.players)

    def left_of(self, seat: Seat, places: int = 1) -> Seat:
        """The seat so many places to the left."""
        return (seat + places) % self.players

    def play(self, name: str, state: State | None, *, one: bool = False) -> Iterator[Position]:
        """A position and the plays to try in it: of each kind of card that is legal, the first; or one only."""
        if not isinstance(state, Playing):
            return
        kinds: dict[int, Move] = {}
        for move in legal_moves(state):
            assert isinstance(move, Play)
            kinds.setdefault(self._kind(move.card), move)
        moves = [kinds[kind] for kind in sorted(kinds)]
        yield Position(name, state, tuple(moves[: 1 if one else 2]))

    def _kind(self, card: Card) -> int:
        placer = self.placer
        groups = (placer.hearts, placer.queens, placer.costly, placer.bonuses, placer.doublers, placer.plain)
        return next(number for number, group in enumerate(groups) if card in group)

    # ------------------------------------------------------------------------------------------------------- the pass

    def passes(self) -> Iterator[Position]:
        """Who declines, and what may not be passed."""
        rules = self.rules
        steps = [number for number, step in enumerate(rules.pass_cycle) if step]
        if rules.max_deals is not None:
            steps = [number for number in steps if number < rules.max_deals]
        if not steps:
            return
        if rules.pass_optional is not PassOptional.NO:
            everybody = tuple(range(self.players))
            for number in steps[:2]:
                start = self.seat()
                dealt = apply(self.placer.before_deal(number), deal(self.placer.before_deal(number), rng=self.bits))
                named = {
                    "one": (start,),
                    "two-neighbours": (start, self.left_of(start)),
                    "every-other": everybody[start % 2 :: 2],
                    "all-but-one": tuple([seat for seat in everybody if seat != start]),
                    "all": everybody,
                }
                for name, declining in named.items():
                    state = dealt
                    for seat in everybody[:-1]:
                        state = apply(state, self._pass(state, seat, declining))
                    yield Position(f"decline-{number}-{name}", state, (self._pass(state, everybody[-1], declining),))
        if rules.unpassable:
            before = self.placer.before_deal(steps[0])
            barred = [card for card in rules.deck if card in rules.unpassable]
            hand = filled(rules.cards_per_hand, barred, self.placer.plain)
            if hand is not None and len(set(hand)) == len(hand):
                seat = self.seat()
                move = self.placer.deal({seat: hand})
                if move is not None:
                    state = apply(before, move)
                    yield Position("unpassable", state, (self._pass(state, seat, ()),))

    def _pass(self, state: State, seat: Seat, declining: Iterable[Seat]) -> Pass:
        """A pass, or none where the seat declines."""
        assert isinstance(state, Passing)
        if seat in declining:
            return Pass(seat, ())
        # The last way to pass may be to decline.
        choices = legal_moves(state, seat)
        return Pass(seat, choices[below(self.bits, len(choices) - 1)].gifts)

    # ----------------------------------------------------------------------------------------------------- the opening

    def openings(self) -> Iterator[Position]:
        """Who leads first: low cards in the kitty or held twice, and who took the queen before."""
        rules, placer = self.rules, self.placer
        hold = next((number for number, step in enumerate(rules.pass_cycle) if not step), 0)
        if rules.max_deals is not None:
            hold = min(hold, rules.max_deals - 1)
        suit = Suit.SPADES if rules.opening_leader is OpeningLeader.QUEEN_TAKER else Suit.CLUBS
        low = [card for card in rules.deck if card.suit is suit]
        if rules.kitty_size and rules.opening_leader is not OpeningLeader.DEALER_LEFT:
            yield from self.opening("lowest-in-the-kitty", hold, placer.deal({}, low[: rules.kitty_size]))
        if rules.opening_leader is OpeningLeader.LOWEST_CLUB and rules.decks > 1:
            for name, places in (("dealer-holds-one", (0, 1)), ("both-left-of-the-dealer", (1, self.players - 1))):
                others = [card for card in rules.deck if card.suit is not suit]
                room = rules.cards_per_hand - 1
                hands = {
                    self.left_of(rules.dealer(hold), place): [card, *others[number * room : (number + 1) * room]]
                    for number, (place, card) in enumerate(zip(places, low[:2], strict=True))
                }
                yield from self.opening(name, hold, placer.deal(hands))
        if rules.opening_leader is OpeningLeader.QUEEN_TAKER:
            for taker in (None, *range(self.players)) if rules.max_deals != 1 else ():
                name = "nobody-took-the-queen" if taker is None else f"seat-{taker}-took-the-queen"
                yield from self.opening(name, hold or 1, placer.deal({}), taker)
        if rules.opening_leader is OpeningLeader.DEALER_LEFT and rules.max_deals is None:
            yield from self.opening("dealer-of-a-later-deal", self.players + 1, placer.deal({}))

    def opening(self, name: str, number: int, move: Move | None, queen_taker: Seat | None = None) -> Iterator[Position]:
        """The move after which the first lead is due: the deal, the last pass, or the last exposure."""
        if move is None:
            return
        before: State = self.placer.before_deal(number, queen_taker)
        state = apply(before, move)
        while isinstance(state, (Passing, Exposing)):
            before = state
            seat = min(to_act(state))
            if isinstance(state, Exposing):
                move = legal_moves(state, seat)[0]
            else:
                # The high cards go, so that low ones stay where they lie.
                moves = legal_moves(state, seat)
                move = moves[len(moves) - 1 - (self.rules.pass_optional is not PassOptional.NO)]
            state = apply(state, move)
        yield Position(f"open-{name}", before, (move,))

    # ---------------------------------------------------------------------------------------------------- the exposure

    def exposures(self) -> Iterator[Position]:
        """A seat that holds everything that may be shown shows it, some or nothing."""
        rules, placer = self.rules, self.placer
        if not rules.exposable:
            return
        cards = list(rules.exposable)
        number = self.placer.deal_number
        choices = [cards, cards[:1], []] if len(cards) > 1 else [cards, []]
        for place, shown in enumerate(choices):
            seat = self.left_of(rules.dealer(number), 1 + place % self.players)
            hand = filled(rules.cards_per_hand, cards, placer.plain)
            move = None if hand is None else placer.deal({seat: hand})
            if move is None:
                continue
            state = apply(placer.before_deal(number), move)
            while isinstance(state, Passing):
                first = min(to_act(state))
                state = apply(state, Pass(first, self._harmless_gifts(state, first)))
            while isinstance(state, Exposing) and seat not in to_act(state):
                state = apply(state, Expose(min(to_act(state)), Cards()))
            if isinstance(state, Exposing):
                own = [card for card in shown if card in state.hands[seat]]
                yield Position(f"show-{len(own)}-of-{len(cards)}", state, (Expose(seat, Cards(own)),))

    def _harmless_gifts(self, state: Passing, seat: Seat) -> tuple[Cards, ...]:
        """Gifts without the cards that may be shown."""
        barred = self.rules.exposable + self.rules.unpassable
        free = [card for card in state.hands[seat] if card not in barred]
        gifts: list[Cards] = []
        for _, count in state.step:
            gifts.append(Cards(free[:count]))
            del free[:count]
        return tuple(gifts)

    # --------------------------------------------------------------------------------------------------- the first trick

    def first_tricks(self) -> Iterator[Position]:
        """Hands of a kind that leave little choice in the first trick, of the leader and of another seat."""
        rules, placer = self.rules, self.placer
        size = rules.cards_per_hand
        no_clubs = [card for card in placer.plain if card.suit is not Suit.CLUBS]
        clubs = [card for card in rules.deck if card.suit is Suit.CLUBS]
        lows = [card for card in rules.deck if card == clubs[0]] if clubs else []
        costly = [card for card in placer.costly if card.suit is not Suit.CLUBS]
        dear = [card for card in placer.hearts if rules.penalty(card)]
        cheap = [card for card in placer.hearts if not rules.penalty(card)]
        special = [card for card in (*placer.bonuses, *placer.doublers) if card.suit is not Suit.CLUBS]
        shapes: Mapping[str, list[Card] | None] = {
            "only-penalty-cards": filled(size, placer.queens, costly, dear),
            "only-hearts": filled(size, placer.hearts),
            "hearts-and-queens": filled(size, placer.queens, placer.hearts),
            "one-other-card": filled(size, no_clubs[:1], placer.queens, placer.hearts),
            "a-special-card": filled(size, special, placer.queens, placer.hearts, no_clubs) if special else None,
            "no-clubs": filled(size, placer.queens, costly, placer.hearts[:3], no_clubs),
            "no-hearts": filled(size, placer.queens, costly, no_clubs),
            "hearts-that-cost-nothing": filled(size, cheap, placer.queens, dear, no_clubs) if cheap else None,
        }
        no_diamonds = [card for card in placer.plain if card.suit is not Suit.DIAMONDS]
        other = filled(size, placer.queens[:1], placer.hearts[:3], no_diamonds)
        if other is not None:
            yield from self.first_trick("no-diamonds", other, lead=False, void=Suit.DIAMONDS)
        for name, hand in shapes.items():
            if hand is None:
                continue
            yield from self.first_trick(name, hand, lead=False)
            yield from self.first_trick(name, hand, lead=True)
        for name, count in (("the-lowest-club", len(lows)), ("clubs", len(lows) + 3)):
            opener = filled(size, clubs[:count], placer.queens[:1], placer.hearts)
            if opener is not None:
                yield from self.first_trick(f"with-{name}", opener, lead=True)

    def first_trick(
        self, name: str, hand: Sequence[Card], *, lead: bool, void: Suit = Suit.CLUBS
    ) -> Iterator[Position]:
        """A position in the first trick in which the hand leads, or discards if the rules let somebody lead so."""
        number = self.placer.deal_number
        dealer = self.rules.dealer(number)
        for places in range(1, self.players + 1):
            seat = self.left_of(dealer, places)
            move = self.placer.deal({seat: hand})
            if move is None:
                return
            state = self._first_lead(move, number, seat if lead else self.left_of(seat))
            while state is not None and not lead and state.turn != seat:
                # Low cards, and a lead that the hand cannot follow.
                plays = [play for play in legal_moves(state) if isinstance(play, Play)]
                choice = min(plays, key=lambda play: (play.card.suit is not void, play.card.suit, play.card.rank))
                following = apply(state, choice)
                state = following if isinstance(following, Playing) and not following.tricks else None
            if state is None or state.turn != seat or lead == bool(state.trick):
                continue
            if lead or all([card.suit is not state.trick[0].card.suit for card in state.hands[seat]]):
                yield from self.play(f"first-{'lead' if lead else 'trick'}-{name}", state)
                return

    def _first_lead(self, move: Any, number: int, queen_taker: Seat) -> Playing | None:
        """The first lead of a deal whose passes are not told."""
        from heartsrules.setup import set_up

        options: dict[str, Any] = {}
        if self.rules.opening_leader is OpeningLeader.QUEEN_TAKER and number:
            options["queen_taker"] = queen_taker
        try:
            return set_up(self.rules, hands=move.hands, kitty=move.kitty, deal_number=number, **options)
        except InvalidState:
            return None

    # ------------------------------------------------------------------------------------------------ leads and discards

    def _calm(self, name: str, hand: Sequence[Card] | None, *, lead: Card | None = None) -> Iterator[Position]:
        """A position in which nothing has broken hearts: the hand leads, or plays second to a card that was led."""
        size = self.placer.calm_size()
        if size is None or hand is None:
            return
        first = self.seat()
        mover = first if lead is None else self.left_of(first)
        trick = () if lead is None else (lead,)
        yield from self.play(name, self.placer.place({mover: hand}, size, first, trick, calm=True))

    def leads(self) -> Iterator[Position]:
        """What may be led from hands of a kind, before hearts are broken and after."""
        placer = self.placer
        size = placer.calm_size()
        if size is None:
            return
        shapes: Mapping[str, list[Card] | None] = {
            "only-hearts": filled(size, placer.hearts),
            "hearts-and-a-queen": filled(size, placer.queens[:1], placer.hearts),
            "hearts-a-queen-and-another": filled(size, placer.queens[:1], placer.plain[:1], placer.hearts),
            "hearts-and-another": filled(size, placer.plain[:1], placer.hearts),
            "hearts-and-a-special-card": filled(size, placer.bonuses[:1], placer.doublers[:1], placer.hearts),
            "hearts-and-a-costly-card": filled(size, placer.costly[:1], placer.hearts) if placer.costly else None,
            "a-queen-and-others": filled(size, placer.queens[:1], placer.plain) if placer.queens else None,
            "a-costly-card-and-others": filled(size, placer.costly[:1], placer.plain) if placer.costly else None,
            "only-penalty-cards": filled(size, placer.queens[:1], placer.costly[:2], placer.hearts),
        }
        seen: list[list[Card]] = []
        for name, hand in shapes.items():
            if hand is not None and hand not in seen:
                seen.append(hand)
                yield from self._calm(f"lead-{name}", hand)
        hand = shapes["hearts-a-queen-and-another"]
        if hand is not None:
            first = self.seat()
            yield from self.play("lead-broken", placer.place({first: hand[:3]}, 3, first))
        hearts = filled(size, placer.hearts)
        if hearts is not None:
            # A heart is led before hearts are broken, and another follows, or the queen is thrown on it.
            first = self.seat()
            mover = self.left_of(first)
            follows = filled(size, placer.hearts[size:][:2], placer.queens[:1], placer.plain)
            throws = filled(size, placer.queens[:1], placer.costly[:1], placer.plain)
            for name, hand in (("follow-a-heart", follows), ("discard-on-a-heart", throws)):
                if hand is not None:
                    state = placer.place({first: hearts[1:], mover: hand}, size, first, hearts[:1], calm=True)
                    yield from self.play(name, state)

    def discards(self) -> Iterator[Position]:
        """What may be discarded, and what a discard breaks."""
        placer = self.placer
        size = placer.calm_size()
        if size is None:
            return
        suit = max(Suit.CLUBS, Suit.DIAMONDS, key=lambda suit: len(placer.of_suit(suit)))
        lead = next(iter(placer.of_suit(suit)), None)
        if lead is None:
            return
        others = [card for card in placer.plain if card.suit is not suit]
        costly = [card for card in placer.costly if card.suit is not suit]
        shapes: Mapping[str, list[Card] | None] = {
            "hearts-a-queen-and-others": filled(size, placer.queens[:1], placer.hearts[:1], others),
            "hearts-and-a-queen": filled(size, placer.queens[:1], placer.hearts),
            "a-queen-and-others": filled(size, placer.queens[:1], others),
            "a-costly-card-and-others": filled(size, costly[:1], others) if costly else None,
            "only-hearts": filled(size, placer.hearts),
            "only-queens": filled(size, placer.queens) if len(placer.queens) >= size else None,
        }
        for name, hand in shapes.items():
            yield from self._calm(f"discard-{name}", hand, lead=lead)
        if placer.queens:
            first = self.seat()
            hand = filled(3, placer.queens[:1], placer.hearts[:1], others)
            if hand is not None:
                state = placer.place({self.left_of(first): hand}, 3, first, [lead], piles={first: placer.hearts[1:]})
                yield from self.play("discard-broken", state)
            low = next((card for card in placer.of_suit(Suit.SPADES) if card.rank < Rank.QUEEN), None)
            if low is not None:
                yield from self._calm("follow-with-a-queen", filled(size, placer.queens[:1], others), lead=low)

    def compulsory(self) -> Iterator[Position]:
        """When a compulsory card must be played: under a higher card, over a lower one, beside its twin, discarded."""
        rules, placer = self.rules, self.placer
        for card in rules.compulsory_cards:
            suit = card.suit
            same = [other for other in (*placer.of_suit(suit), *placer.costly) if other.suit is suit and other != card]
            higher = [other for other in rules.deck if other.suit is suit and other.rank > card.rank]
            lower = [other for other in same if other.rank < card.rank]
            elsewhere = [other for other in placer.plain if other.suit is not suit]
            if not lower[1:] or not elsewhere[2:]:
                continue
            beside = [card, lower[0], elsewhere[0]]
            other_suit = [other for other in elsewhere if other.suit is not elsewhere[0].suit]
            tables: dict[str, tuple[list[Card], list[Card]]] = {
                "leading": (beside, []),
                "over-a-lower-card": (beside, lower[1:2]),
                "under-a-higher-card": (beside, higher[:1]),
                "discarding": ([card, elsewhere[0]], [other for other in other_suit if other.suit is not suit][:1]),
            }
            if rules.decks > 1:
                tables["beside-its-twin"] = (beside, [card])
                tables["under-a-pair"] = (beside, [*lower[1:2], *higher[:2]])
            for name, (hand, trick) in tables.items():
                first = self.seat()
                mover = self.left_of(first, len(trick))
                if trick or name == "leading":
                    others = [other for other in placer.hearts if other not in hand]
                    full = filled(4, hand, others)
                    if full is not None:
                        yield from self.play(f"compulsory-{card}-{name}", placer.place({mover: full}, 4, first, trick))

    def shown_cards(self) -> Iterator[Position]:
        """Shown cards wait for their suit."""
        rules, placer = self.rules, self.placer
        for card in rules.exposable:
            suit = card.suit
            beside = [other for other in rules.deck if other.suit is suit and other not in rules.exposable]
            elsewhere = [other for other in placer.plain if other.suit is not suit]
            if len(beside) < 2 or len(elsewhere) < 4:
                continue
            with_another = [card, beside[0], *elsewhere[:2]]
            alone = [card, *elsewhere[:3]]
            other = next((other for other in elsewhere[3:] if other.suit is not suit), None)
            for name, hand, trick, led in (
                ("leading", with_another, [], False),
                ("leading-alone", alone, [], False),
                ("leading-later", with_another, [], True),
                ("following", with_another, beside[1:2], False),
                ("following-alone", alone, beside[1:2], False),
                ("following-later", with_another, beside[1:2], True),
                ("discarding", [card, beside[0]], [other] if other else [], False),
            ):
                if name == "discarding" and other is not None:
                    plain = [more for more in elsewhere if more.suit is not other.suit and more not in hand][:2]
                    hand = [*hand, *plain]
                first = self.seat()
                mover = self.left_of(first, len(trick))
                shown = [Cards([card]) if seat == mover else Cards() for seat in range(self.players)]
                state = placer.place(
                    {mover: hand}, 4, first, trick, shown=shown, suits_led=(suit,) if led else (), hearts_broken=True,
                    piles={first: [more for more in placer.hearts if more not in (card, *hand, *trick)][:2]},
                )  # fmt: skip
                yield from self.play(f"shown-{card}-{name}", state)

    # ----------------------------------------------------------------------------------------------------------- tricks

    def tricks(self) -> Iterator[Position]:
        """Who wins a trick: never a discard, and the leader if nobody follows."""
        placer = self.placer
        suit = max(Suit.CLUBS, Suit.DIAMONDS, key=lambda suit: len(placer.of_suit(suit)))
        cards = sorted(dict.fromkeys(placer.of_suit(suit)))
        high = [card for card in sorted(dict.fromkeys(placer.plain), key=lambda card: -card.rank)
                if card.suit is not suit]  # fmt: skip
        count = self.players
        if len(cards) < 3 or len(high) < count:
            return
        low, middle, top = cards[0], cards[len(cards) // 2], cards[-1]
        yield from self.trick("a-discard-is-higher", [low, middle, *high[: count - 2]])
        yield from self.trick("nobody-follows", [low, *high[: count - 1]])
        yield from self.trick("the-last-is-highest", [middle, low, *high[: count - 3], top])

    def trick(self, name: str, cards: Sequence[Card], *, size: int = 2, **told: Any) -> Iterator[Position]:
        """The last card of a trick."""
        first = told.pop("first", None)
        first = self.seat() if first is None else first
        mover = self.left_of(first, self.players - 1)
        # The others hold no card of the suit that is led.
        left = [card for card in self.placer.plain if card.suit is not cards[0].suit]
        for card in cards:
            if card in left:
                left.remove(card)
        if len(left) < self.players:
            return
        hands = {seat: left[seat :: self.players][: size - 1] for seat in range(self.players)}
        hands[mover] = [cards[-1], *hands[mover]]
        state = self.placer.place(hands, size, first, cards[:-1], **told)
        if isinstance(state, Playing) and Play(mover, cards[-1]) in legal_moves(state):
            yield Position(f"trick-{name}", state, (Play(mover, cards[-1]),))

    def doubles(self) -> Iterator[Position]:
        """With two decks: what equal cards in a trick do, and what becomes of a trick that nobody wins."""
        rules, placer = self.rules, self.placer
        if rules.decks == 1:
            return
        suit = max(Suit.CLUBS, Suit.DIAMONDS, key=lambda suit: len(placer.of_suit(suit)))
        cards = placer.of_suit(suit)
        pairs = [card for card in dict.fromkeys(cards) if cards.count(card) == 2]
        others = sorted([card for card in placer.plain if card.suit is not suit])
        twins = [card for card in dict.fromkeys(others) if others.count(card) == 2]
        singles = list(dict.fromkeys(others))
        count = self.players
        if len(pairs) < 4 or len(twins) < 2 or len(singles) < count:
            return
        low, middle, high, top = pairs[0], pairs[1], pairs[-2], pairs[-1]
        singles = [card for card in singles if card not in twins[:2]]
        fill = (count - 3, count - 2, count - 4)
        named: dict[str, list[Card]] = {
            "the-highest-twice": [top, low, top, *singles[: fill[0]]],
            "the-highest-twice-at-the-end": [top, low, *singles[: fill[0]], top],
            "all-that-follow-twice": [low, low, *singles[: fill[1]]],
            "a-pair-elsewhere": [low, *twins[:1] * 2, *singles[: fill[0]]],
        }
        if count >= 5:
            named["two-pairs"] = [low, middle, middle, *twins[:1] * 2, *singles[: count - 5]]
            named["two-pairs-and-a-higher-card"] = [low, low, *twins[:1] * 2, top, *singles[: count - 5]]
            named["two-pairs-elsewhere"] = [high, *twins[:1] * 2, *twins[1:2] * 2, *singles[: count - 5]]
        if count >= 4:
            named["two-pairs-and-no-other"] = [low, low, high, high, *singles[: fill[2]]]
        for name, trick in named.items():
            yield from self.trick(name, trick)
        void = named["all-that-follow-twice"]
        first = self.seat()
        yield from self.trick("last-and-void", void, size=1, first=first)
        hearts = placer.hearts[: count - 2]
        waiting = [*hearts, *pairs[2:3] * 2][:count]
        if len(waiting) == count:
            yield from self.trick("wins-what-was-set-aside", named["a-pair-elsewhere"], aside=waiting)
            yield from self.trick("last-and-void-with-more-aside", void, size=1, aside=waiting, first=first)
        # One player has won every trick before, and wins the last one, or nobody does.
        every = {first: [*placer.hot, *placer.bonuses, *placer.doublers]}
        for name, trick in (("the-last", named["a-pair-elsewhere"]), ("all-but-a-void-trick", void)):
            yield from self.trick(f"one-wins-{name}", trick, size=1, piles=every, rest=[first], first=first)
        plain = [*pairs[2:4] * 2, *singles[-count:]][:count]
        told: dict[str, Any] = {"size": 1, "piles": every, "rest": [first], "first": first, "aside": plain}
        yield from self.trick("one-wins-the-last-with-plain-cards-aside", named["a-pair-elsewhere"], **told)

    def kitties(self) -> Iterator[Position]:
        """Tricks that bring the kitty, and tricks that do not."""
        rules, placer = self.rules, self.placer
        size = placer.calm_size(self.players - 1)
        if not rules.kitty_size or size is None:
            return
        suit = max(Suit.CLUBS, Suit.DIAMONDS, key=lambda suit: len(placer.of_suit(suit)))
        cards = list(dict.fromkeys(placer.of_suit(suit)))
        others = [card for card in placer.plain if card.suit is not suit]
        dear = [card for card in placer.hearts if rules.penalty(card)]
        cheap = [card for card in placer.hearts if not rules.penalty(card)]
        if len(cards) < self.players:
            return
        lead = cards[: self.players - 1]
        first = self.seat()
        mover = self.left_of(first, self.players - 1)
        thrown = {"a-queen": placer.queens, "a-costly-card": placer.costly, "a-heart": dear, "a-cheap-heart": cheap}
        for name, found in {**thrown, "nothing": others[-1:]}.items():
            throw = [card for card in found if card.suit is not suit][:1]
            hand = filled(size, throw, [card for card in others if card not in throw]) if throw else None
            if hand is not None:
                state = placer.place({mover: hand}, size, first, lead, calm=True)
                if state is not None and Play(mover, throw[0]) in legal_moves(state):
                    yield Position(f"kitty-{name}", state, (Play(mover, throw[0]),))
        winner = self.left_of(mover)
        yield from self.trick("last-with-a-kitty", [*lead, cards[self.players - 1]], size=1, first=winner)
        if rules.decks > 1:
            waiting = filled(self.players, placer.hearts[:2], others)
            hand = filled(size, cards[-1:], others[::-1])
            if waiting is not None and hand is not None:
                state = placer.place({mover: hand}, size, first, lead, calm=True, aside=waiting)
                if state is not None and Play(mover, cards[-1]) in legal_moves(state):
                    yield Position("kitty-hearts-aside", state, (Play(mover, cards[-1]),))

    # ----------------------------------------------------------------------------------------------------------- scores

    def shapes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Ways to share out the cards of a deal: what `ending` is given, by name."""
        rules, placer = self.rules, self.placer
        one = self.seat()
        other, third = self.left_of(one), self.left_of(one, 2)
        hearts, queens, costly = placer.hearts, placer.queens, placer.costly
        special = [*placer.bonuses, *placer.doublers]
        hot = placer.hot
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
        if rules.teams:
            mate = self.left_of(one, rules.teams)
            yield "a-team-takes-all", {**base, "piles": {one: hearts, mate: [*queens, *costly], other: special}}
            yield "a-team-takes-all-evenly", {
                **base, "piles": {**self._even(one, mate, hot), other: special}, "rest": [one, mate, other],
            }  # fmt: skip
            team = {one: hearts, mate: [*queens, *costly, *special]}
            yield "a-team-takes-every-trick", {**base, "piles": team, "rest": [one, mate]}
        for name, cards in {"bonus": placer.bonuses, "doubler": placer.doublers, "special": special}.items():
            if not cards or (name == "special" and not (placer.bonuses and placer.doublers)):
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

    def _even(self, one: Seat, mate: Seat, cards: Sequence[Card]) -> Piles:
        """The cards for two, of equal worth if they can be."""
        worth = self.rules.penalty
        piles: dict[Seat, list[Card]] = {one: [], mate: []}
        for card in sorted(cards, key=worth, reverse=True):
            seat = min(piles, key=lambda seat: sum(map(worth, piles[seat])))
            piles[seat].append(card)
        return piles

    def ending(
        self, piles: Piles, leader: Seat, winner: Seat, rest: Sequence[Seat], kitty: Sequence[Card] = (), **told: Any
    ) -> Playing | None:
        """The last card of a deal in which a plain trick goes to the winner."""
        placer = self.placer
        taken = Cards([*chain(*piles.values(), kitty)]) if self.rules.decks == 1 else None
        suits = sorted([Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES], key=lambda suit: -len(placer.of_suit(suit)))
        for suit in suits:
            cards = list(dict.fromkeys(placer.of_suit(suit)))
            if len(cards) >= 2 and taken is not None or len(cards) >= 2:
                break
        else:
            return None
        others = [card for card in dict.fromkeys(placer.plain) if card.suit is not suit]
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
        return placer.place({order[-1]: trick[-1:]}, 1, leader, trick[:-1], piles=piles, rest=rest, kitty=kitty, **told)

    def last_card(self, name: str, state: Playing | None) -> Iterator[Position]:
        """The last card of a deal, and the shooter's choice after it."""
        if state is None:
            return
        (move,) = legal_moves(state)
        yield Position(name, state, (move,))
        after = apply(state, move)
        if isinstance(after, ChoosingMoon):
            yield Position(f"{name}-choice", after, tuple(legal_moves(after)))

    def scores(self) -> Iterator[Position]:
        """The score of piles of a kind, with the cards that were shown, and over totals that a floor stops at."""
        rules = self.rules
        totals = {"": self._totals()}
        if rules.bonus_floor is BonusFloor.TOTAL and self.placer.deal_number:
            totals |= {"-over-little": (3,) * self.players, "-below-0": (-3,) * self.players}
        shapes = dict(self.shapes())
        for name, shape in shapes.items():
            for suffix, scores in totals.items():
                if suffix and "bonus" not in name and "special" not in name:
                    continue
                yield from self.last_card(f"score-{name}{suffix}", self.ending(**shape, scores=scores))
        if not rules.exposable:
            return
        cards = list(rules.exposable)
        for name in ("shared", "one-takes-all", "all-hearts", "special-with-a-heart", "doubler-alone", "bonus-alone"):
            if name in shapes:
                each = [[card] for card in cards] if name == "shared" and len(cards) > 1 else []
                for shown in (*each, cards):
                    bags = [Cards(shown) if seat == 1 else Cards() for seat in range(self.players)]
                    told = f"score-{name}-shown-{'-'.join(map(str, shown))}"
                    yield from self.last_card(told, self.ending(**shapes[name], scores=totals[""], shown=bags))

    def _totals(self) -> tuple[int, ...]:
        """Totals of which no two are equal, and that end nothing."""
        if not self.placer.deal_number:
            return (0,) * self.players
        return tuple([1 + 2 * seat for seat in range(self.players)])

    # -------------------------------------------------------------------------------------------------------- the end

    def landing(self, shape: Mapping[str, Any], wanted: Sequence[int], number: int) -> Playing | None:
        """The last card of a deal after which these are the totals, before any of them is reset."""
        before = self._totals()
        for _ in range(4):
            state = self.ending(**shape, scores=before, deal_number=number)
            if state is None:
                return None
            after = apply(state, legal_moves(state)[0])
            row = after.shooter_down if isinstance(after, ChoosingMoon) else after.deal_scores[-1]
            fitting = tuple([total - points for total, points in zip(wanted, row.points, strict=True)])
            if fitting == before:
                return state
            before = fitting
        return None

    def ends(self) -> Iterator[Position]:
        """Totals around everything that ends a game or resets a total, alone and together with ties."""
        rules = self.rules
        players, deals = self.players, rules.max_deals
        shape = dict(self.shapes())["shared"]
        one = shape["leader"]
        number = 1 if deals is None else min(1, deals - 1)
        low = [20 + 3 * place for place in range(players)]

        def totals(*values: int, others: Sequence[int] = tuple(low)) -> list[int]:
            """These from seat `one` on, and others for the rest."""
            found = [*values, *others[len(values) :]]
            return [found[(seat - one) % players] for seat in range(players)]

        wanted: dict[str, tuple[list[int], int]] = {}
        if deals is None or deals > 1:
            for end in [rules.target or 100]:
                out = 1
                side = 0 if not rules.teams else low[rules.teams]
                for name, total in (("at", end), ("before", end - out), ("past", end + out)):
                    wanted[f"{name}-{end}"] = totals(total), number
                    if rules.teams:
                        wanted[f"side-{name}-{end}"] = totals(total - side), number
                if rules.teams:
                    mate = totals(end + out)
                    mate[self.left_of(one, rules.teams)] = -7 * out
                    wanted[f"player-past-{end}-without-the-side"] = mate, number
                    sides = [3] * players
                    sides[one], sides[self.left_of(one)] = end + out, end + out
                    wanted[f"sides-tied-past-{end}"] = sides, number
                wanted[f"highest-tied-past-{end}"] = totals(end + out, end + out), number
                wanted[f"lowest-tied-past-{end}"] = totals(end + out, 7, 7), number
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
            if deals > 1:
                wanted["last-deal-but-one"] = totals(), deals - 2
        for name, (those, when) in wanted.items():
            yield from self.last_card(f"end-{name}", self.landing(shape, those, when))
        yield from self.below_zero()
        if rules.tie is Tie.EXTRA_DEAL:
            # The two lowest were level before an extra deal.
            when = number if deals is None else deals
            level = 7 if deals is not None else (rules.target or 0) + 1
            scores = totals(level, level, others=[level + 60 + 3 * place for place in range(players)])
            yield from self.last_card("end-extra-deal", self.ending(**shape, scores=scores, deal_number=when))
        yield from self.level_deals()
        first = next(iter(wanted.values()), None)
        state = None if first is None else self.landing(shape, *first)
        over = None if state is None else apply(state, legal_moves(state)[0])
        if isinstance(over, GameOver):
            yield Position("end-over", over, ())

    def below_zero(self) -> Iterator[Position]:
        """Totals around the one below 0 that ends the game, of a seat whose points a deal takes off."""
        rules = self.rules
        if rules.bonus_target is None or rules.max_deals == 1:
            return
        found = 0
        for name, shape in self.shapes():
            state = self.ending(**shape, scores=self._totals())
            if state is None:
                continue
            after = apply(state, legal_moves(state)[0])
            row = after.shooter_down if isinstance(after, ChoosingMoon) else after.deal_scores[-1]
            seat = min(range(self.players), key=lambda seat: row.points[seat])
            if row.points[seat] >= 0:
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
        """Deals that leave totals equal without any before: everybody takes as much, or only one takes anything."""
        placer = self.placer
        one = self.seat()
        number = 0 if self.rules.max_deals == 1 else placer.deal_number
        piles: dict[Seat, list[Card]] = {seat: [] for seat in range(self.players)}
        for card in sorted(placer.hot, key=self.rules.penalty, reverse=True):
            seat = min(piles, key=lambda seat: sum(map(self.rules.penalty, piles[seat])))
            piles[seat].append(card)
        named: dict[str, Piles] = {
            "two-take-all": {one: placer.hot[:2], self.left_of(one): placer.hot[2:]},
            "all-take-alike": piles,
        }
        # All but one take a card of the same worth.
        worths = [self.rules.penalty(card) for card in placer.hot]
        same = next((worth for worth in worths if worth and worths.count(worth) >= self.players), None)
        if same is not None:
            few = [card for card in placer.hot if self.rules.penalty(card) == same][: self.players - 1]
            rest = [card for card in placer.hot if card not in few]
            if self.rules.decks > 1:
                rest = list(Cards(placer.hot) - Cards(few))
            named["all-but-one-take-alike"] = {
                one: rest, **{self.left_of(one, place): [card] for place, card in enumerate(few, 1)},
            }  # fmt: skip
        for name, cards in named.items():
            shape = {"piles": cards, "leader": one, "winner": one, "rest": range(self.players)}
            yield from self.last_card(f"end-{name}", self.ending(**shape, deal_number=number))

    def moons(self) -> Iterator[Position]:
        """Moons that would end the game, with the shooter ahead, level and behind."""
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
            high = {last: target - 5} | ({rules.teams: target - 5} if rules.teams else {})
            for told, own, others in (
                ("would-not-end", target // 3, {}),
                ("would-end-behind", target - 10, high),
                ("would-end-ahead", 2, {last: target - 5}),
                ("would-end-level", None, high),
                ("would-not-end-behind", target - 2, dict.fromkeys(range(1, self.players), 0)),
                ("would-reach", target // 2, {last: target - value}),
                ("would-not-reach", target // 2, {last: target - value - 1}),
            ):
                scores = [20 + 3 * place for place in range(self.players)]
                for place, total in others.items():
                    scores[place] = total
                scores[0] = 0 if own is None else own
                if own is None:
                    # The side of the shooter comes to what the next side will have.
                    own_side, next_side = rules.sides[rules.side(0)], rules.sides[rules.side(1)]
                    scores[0] = sum([scores[seat] + value for seat in next_side]) - sum([scores[seat] for seat in own_side])
                before = [scores[(seat - one) % self.players] for seat in range(self.players)]
                yield from self.last_card(f"moon-{name}-{told}", self.ending(**shape, scores=before))
