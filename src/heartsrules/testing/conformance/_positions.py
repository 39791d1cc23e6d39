"""Positions in which a single option or ruling decides, rare in random games.

The list is the same for every rule set, except for positions that its options rule out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from heartsrules.base.errors import InvalidState
from heartsrules.cards import NO_CARDS, Card, Cards, Rank, Suit
from heartsrules.chance import Bits, below
from heartsrules.play.dealing import deal
from heartsrules.play.engine import apply, legal_moves, to_act
from heartsrules.play.moves import Expose, Move, Pass, Play
from heartsrules.play.state import DealingBack, Exposing, Passing, Playing, State
from heartsrules.rules import ANY_NUMBER, MAX_DEALS, Compulsory, Exposure, OpeningLeader, PassOptional, Rules, Seat
from heartsrules.setup import set_up
from heartsrules.testing.conformance._placing import Piles, Placer, Position, filled
from heartsrules.testing.conformance._scores import Scores


def positions(rules: Rules, bits: Bits) -> Iterator[Position]:
    """Yield the positions of a rule set, with the bits filling in unimportant cards."""
    yield from _Plays(rules, bits).all()
    yield from Scores(rules, bits).all()
    if rules.max_deals is None:
        placer = Placer(rules, bits)
        last = placer.before_deal(MAX_DEALS - 1)
        yield Position("last-deal-of-all", last, (deal(last, rng=bits),))
        yield Position("no-deal-left", placer.before_deal(MAX_DEALS), ())


class _Plays(Placer):
    """The positions up to the last trick, one method for each part of the game."""

    def all(self) -> Iterator[Position]:
        yield from self.passes()
        yield from self.openings()
        yield from self.exposures()
        yield from self.first_tricks()
        yield from self.leads()
        yield from self.discards()
        yield from self.compulsory()
        yield from self.exposed_cards()
        yield from self.tricks()
        yield from self.doubles()
        yield from self.kitties()

    def play(self, name: str, state: State | None) -> Iterator[Position]:
        """Yield a position with the first legal play of each of two kinds of cards."""
        if not isinstance(state, Playing):
            return
        kinds: dict[int, Move] = {}
        for move in legal_moves(state):
            assert isinstance(move, Play)
            kinds.setdefault(self._kind(move.card), move)
        moves = [kinds[kind] for kind in sorted(kinds)]
        yield Position(name, state, tuple(moves[:2]))

    def at_turn(
        self,
        name: str,
        hand: Sequence[Card] | None,
        size: int | None,
        trick: Sequence[Card] = (),
        *,
        won: Sequence[Card] = (),
        exposed: Iterable[Card] | None = None,
        first: Seat | None = None,
        **given: Any,
    ) -> Iterator[Position]:
        if hand is None or size is None:
            return
        first = self.seat() if first is None else first
        mover = self.left_of(first, len(trick))
        if exposed is not None:
            given["exposed"] = self.bags({mover: exposed})
        yield from self.play(name, self.place({mover: hand}, size, first, trick, captured={first: won}, **given))

    def one(self, name: str, state: State | None, move: Play) -> Iterator[Position]:
        if isinstance(state, Playing) and move in legal_moves(state):
            yield Position(name, state, (move,))

    def _kind(self, card: Card) -> int:
        groups = (self.hearts, self.queens, self.costly, self.bonuses, self.doublers, self.plain)
        return next(number for number, group in enumerate(groups) if card in group)

    # ------------------------------------------------------------------------------------------------------- the pass

    def passes(self) -> Iterator[Position]:
        rules = self.rules
        steps = [number for number, step in enumerate(rules.pass_cycle) if step]
        if rules.max_deals is not None:
            steps = [number for number in steps if number < rules.max_deals]
        if not steps:
            return
        optional = rules.pass_optional is not PassOptional.NO
        declinable = [number for number in steps if optional or rules.pass_plan(number) == ANY_NUMBER]
        if declinable:
            everybody = tuple(range(self.players))
            for number in declinable[:2]:
                start = self.seat()
                before = self.before_deal(number)
                dealt = _to_pass(apply(before, deal(before, rng=self.bits)))
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
                    last = self._pass(state, everybody[-1], declining)
                    yield Position(f"decline-{number}-{name}", state, (last,))
                    state = apply(state, last)
                    if isinstance(state, DealingBack):
                        yield Position(f"deal-back-{number}-{name}", state, (deal(state, rng=self.bits),))
        if rules.unpassable:
            before = self.before_deal(steps[0])
            barred = [card for card in rules.deck if card in rules.unpassable]
            others = [card for card in self.plain if card not in barred]
            hand = filled(rules.cards_per_hand, barred, others)
            if hand is not None:
                seat = self.seat()
                move = self.deal({seat: hand})
                if move is not None:
                    state = _to_pass(apply(before, move))
                    yield Position("unpassable", state, (self._pass(state, seat, ()),))

    def _pass(self, state: State, seat: Seat, declining: Iterable[Seat]) -> Pass:
        assert isinstance(state, Passing)
        if seat in declining:
            return Pass(seat)
        choices = legal_moves(state, seat)
        return Pass(seat, *choices[below(self.bits, self._ways(state, choices))].cards)

    def _ways(self, state: Passing, choices: Sequence[Move]) -> int:
        """Return the number of passes without declining, which is the last one."""
        return len(choices) - (self.rules.pass_optional is not PassOptional.NO and state.plan != ANY_NUMBER)

    # ----------------------------------------------------------------------------------------------------- the opening

    def openings(self) -> Iterator[Position]:
        rules = self.rules
        hold = next((number for number, step in enumerate(rules.pass_cycle) if not step), 0)
        if rules.max_deals is not None:
            hold = min(hold, rules.max_deals - 1)
        suit = Suit.SPADES if rules.opening_leader is OpeningLeader.QUEEN_TAKER else Suit.CLUBS
        low = [card for card in rules.deck if card.suit is suit]
        for number in range(min(len(rules.pass_cycle), self.players + 1, rules.max_deals or MAX_DEALS)):
            yield from self.opening(f"after-step-{number}", number, self.deal({}))
        if rules.kitty_size and rules.opening_leader is not OpeningLeader.DEALER_LEFT:
            yield from self.opening("lowest-in-the-kitty", hold, self.deal({}, low[: rules.kitty_size]))
        if rules.opening_leader is OpeningLeader.LOWEST_CLUB and low[:1] == low[1:2]:
            for name, places in (("dealer-holds-one", (0, 1)), ("both-left-of-the-dealer", (1, self.players - 1))):
                others = [card for card in rules.deck if card.suit is not suit]
                room = rules.cards_per_hand - 1
                hands = {
                    self.left_of(rules.dealer(hold), place): [card, *others[number * room : (number + 1) * room]]
                    for number, (place, card) in enumerate(zip(places, low[:2], strict=True))
                }
                yield from self.opening(name, hold, self.deal(hands))
        if rules.opening_leader is OpeningLeader.QUEEN_TAKER:
            for taker in (None, *range(self.players)) if rules.max_deals != 1 else ():
                name = "nobody-took-the-queen" if taker is None else f"seat-{taker}-took-the-queen"
                yield from self.opening(name, hold or 1, self.deal({}), taker)
        if rules.opening_leader is OpeningLeader.DEALER_LEFT and rules.max_deals is None:
            yield from self.opening("dealer-of-a-later-deal", self.players + 1, self.deal({}))

    def opening(self, name: str, number: int, move: Move | None, queen_taker: Seat | None = None) -> Iterator[Position]:
        if move is None:
            return
        before: State = self.before_deal(number, queen_taker)
        state = apply(before, move)
        if any(self.rules._resolved.shows_first):
            yield Position(f"deal-{name}", before, (move,))
        while isinstance(state, (Passing, DealingBack, Exposing)):
            before = state
            if isinstance(state, DealingBack):
                move = deal(state, rng=self.bits)
            elif isinstance(state, Exposing):
                move = legal_moves(state, min(to_act(state)))[0]
            else:
                seat = min(to_act(state))
                # Pass high cards to keep low ones.
                moves = legal_moves(state, seat)
                move = moves[self._ways(state, moves) - 1]
            state = apply(state, move)
            if isinstance(before, (Passing, DealingBack)) and isinstance(state, Exposing):
                yield Position(f"exchange-{name}", before, (move,))
        yield Position(f"open-{name}", before, (move,))

    # ---------------------------------------------------------------------------------------------------- the exposure

    def exposures(self) -> Iterator[Position]:
        rules = self.rules
        if not rules.exposable:
            return
        cards = list(rules.exposable)[: rules.cards_per_hand]
        choices = [cards, cards[:1], []] if len(cards) > 1 else [cards, []]
        counts: set[int] = set()
        deals = range(min(len(rules.pass_cycle), rules.max_deals or MAX_DEALS))
        number = next(filter(rules.shows_before_pass, deals), self.deal_number)
        for place, exposed in enumerate(choices):
            seat = self.left_of(rules.dealer(number), 1 + place % self.players)
            state = self._exposing(number, {seat: cards})
            if state is None:
                continue
            if isinstance(state, Exposing) and state.before_pass:
                yield Position(
                    f"show-{len(exposed)}-before-the-pass", _asked(state, seat), (Expose(seat, Cards(exposed)),)
                )
                last = _last_before_the_pass(state, seat, Cards(exposed))
                if last is not None:
                    yield Position(f"show-{len(exposed)}-and-no-more-before-the-pass", *last)
                state = self._passed(_to_pass(state))
            state = _asked(state, seat)
            if isinstance(state, Exposing):
                own = [card for card in exposed if card in state.hands[seat]]
                if len(own) in counts:
                    continue
                counts.add(len(own))
                yield Position(f"show-{len(own)}-of-{len(cards)}", state, (Expose(seat, Cards(own)),))
                if own and rules.exposure is Exposure.ROUNDS:
                    while to_act(state) != {seat}:
                        state = apply(state, Expose(min(to_act(state) - {seat}), Cards()))
                    yield Position(f"show-{len(own)}-after-all-others", state, (Expose(seat, Cards(own)),))
        if rules.exposure in (Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN) and len(cards) > 1:
            yield from self.second_exposure(number)

    def second_exposure(self, number: int) -> Iterator[Position]:
        cards = list(self.rules.exposable)
        first = self.left_of(self.rules.dealer(number))
        second = self.left_of(first)
        state = self._exposing(number, {first: cards[:-1], second: cards[-1:]})
        for seat, card in ((first, cards[0]), (second, cards[-1])):
            # The cards may have been passed.
            if not isinstance(state, Exposing) or card not in state.hands[seat]:
                return
            state = apply(state, Expose(seat, Cards([card])))
        if state is not None:
            yield Position("show-again", _asked(state, first), (Expose(first, Cards()),))

    def _exposing(self, number: int, wanted: Piles) -> State | None:
        """Return the state before the first exposure of a deal with these cards, or None.

        Passes before it are harmless.
        """
        hands: dict[Seat, list[Card]] = {}
        plain = list(self.plain)
        for seat, cards in wanted.items():
            hand = filled(self.rules.cards_per_hand, cards, plain)
            if hand is None:
                return None
            hands[seat] = hand
            del plain[: len(hand) - len(cards)]
        move = self.deal(hands)
        return None if move is None else self._passed(apply(self.before_deal(number), move))

    def _passed(self, state: State) -> State:
        while isinstance(state, Passing):
            first = min(to_act(state))
            state = apply(state, Pass(first, *self._harmless_gifts(state, first)))
        if isinstance(state, DealingBack):
            state = apply(state, deal(state, rng=self.bits))
        return state

    def _harmless_gifts(self, state: Passing, seat: Seat) -> tuple[Cards, ...]:
        """Return passed cards without exposable ones, unless others run out."""
        rules = self.rules
        free = [card for card in state.hands[seat] if card not in rules.unpassable]
        free.sort(key=lambda card: card in rules.exposable)
        gifts: list[Cards] = []
        for _, count in state.plan:
            gifts.append(Cards(free[:count]))
            del free[:count]
        return tuple([gift for gift in gifts if gift])

    # -------------------------------------------------------------------------------------------- the first trick

    def first_tricks(self) -> Iterator[Position]:
        rules = self.rules
        size = rules.cards_per_hand
        no_clubs = [card for card in self.plain if card.suit is not Suit.CLUBS]
        clubs = [card for card in rules.deck if card.suit is Suit.CLUBS]
        lows = [card for card in rules.deck if card == clubs[0]] if clubs else []
        costly = [card for card in self.costly if card.suit is not Suit.CLUBS]
        dear = [card for card in self.hearts if rules.penalty(card)]
        cheap = [card for card in self.hearts if not rules.penalty(card)]
        special = [card for card in (*self.bonuses, *self.doublers) if card.suit is not Suit.CLUBS]
        bonuses = [card for card in self.bonuses if card.suit is not Suit.CLUBS]
        shapes: Mapping[str, list[Card] | None] = {
            "only-penalty-cards": filled(size, self.queens, costly, dear),
            "only-hearts": filled(size, self.hearts),
            "hearts-and-queens": filled(size, self.queens, self.hearts),
            "one-other-card": filled(size, no_clubs[:1], self.queens, self.hearts),
            "a-special-card": filled(size, special, self.queens, self.hearts, no_clubs) if special else None,
            "a-bonus-card": filled(size, bonuses, self.queens[:1], no_clubs) if bonuses else None,
            "no-clubs": filled(size, self.queens, costly, self.hearts[:3], no_clubs),
            "no-hearts": filled(size, self.queens, costly, no_clubs),
            "hearts-that-cost-nothing": filled(size, cheap, self.queens, dear, no_clubs) if cheap else None,
        }
        no_diamonds = [card for card in self.plain if card.suit is not Suit.DIAMONDS]
        other = filled(size, self.queens[:1], self.hearts[:3], no_diamonds)
        yield from self.first_trick("no-diamonds", other, lead=False, void=Suit.DIAMONDS)
        for name, hand in shapes.items():
            yield from self.first_trick(name, hand, lead=False)
            yield from self.first_trick(name, hand, lead=True)
        for name, count in (("the-lowest-club", len(lows)), ("clubs", len(lows) + 3)):
            opener = filled(size, clubs[:count], self.queens[:1], self.hearts)
            yield from self.first_trick(f"with-{name}", opener, lead=True)

    def first_trick(
        self, name: str, hand: list[Card] | None, *, lead: bool, void: Suit = Suit.CLUBS, exposed: Cards = NO_CARDS
    ) -> Iterator[Position]:
        if hand is None:
            return
        number = self.deal_number
        dealer = self.rules.dealer(number)
        for places in range(1, self.players + 1):
            seat = self.left_of(dealer, places)
            move = self.deal({seat: hand})
            if move is None:
                return
            state = self._first_lead(
                move, number, seat if lead else self.left_of(seat), {seat: exposed} if exposed else {}
            )
            while state is not None and not lead and state.turn != seat:
                plays = [play for play in legal_moves(state) if isinstance(play, Play)]
                choice = min(plays, key=lambda play: (play.card.suit is not void, play.card.suit, play.card.rank))
                following = apply(state, choice)
                state = following if isinstance(following, Playing) and not following.tricks else None
            if state is None or state.turn != seat or lead == bool(state.trick):
                continue
            if lead or all([card.suit is not state.trick[0].card.suit for card in state.hands[seat]]):
                yield from self.play(f"first-{'lead' if lead else 'trick'}-{name}", state)
                return

    def _first_lead(self, move: Any, number: int, queen_taker: Seat, exposed: Mapping[Seat, Cards]) -> Playing | None:
        options: dict[str, Any] = {}
        if exposed:
            options["exposed"] = self.bags(exposed)
        if self.rules.opening_leader is OpeningLeader.QUEEN_TAKER and number:
            options["queen_taker"] = queen_taker
        try:
            return set_up(self.rules, hands=move.hands, kitty=move.kitty, deal_number=number, **options)
        except InvalidState:
            return None

    # ----------------------------------------------------------------------------------------- leads and discards

    def leads(self) -> Iterator[Position]:
        size = self.calm_size()
        if size is None:
            return
        shapes: Mapping[str, list[Card] | None] = {
            "only-hearts": filled(size, self.hearts),
            "hearts-and-a-queen": filled(size, self.queens[:1], self.hearts),
            "hearts-a-queen-and-another": filled(size, self.queens[:1], self.plain[:1], self.hearts),
            "hearts-and-another": filled(size, self.plain[:1], self.hearts),
            "hearts-and-a-special-card": filled(size, self.bonuses[:1], self.doublers[:1], self.hearts),
            "hearts-and-a-costly-card": filled(size, self.costly[:1], self.hearts) if self.costly else None,
            "a-queen-and-others": filled(size, self.queens[:1], self.plain) if self.queens else None,
            "a-costly-card-and-others": filled(size, self.costly[:1], self.plain) if self.costly else None,
            "only-penalty-cards": filled(size, self.queens[:1], self.costly[:2], self.hearts),
        }
        seen: list[list[Card]] = []
        for name, hand in shapes.items():
            if hand is not None and hand not in seen:
                seen.append(hand)
                yield from self.at_turn(f"lead-{name}", hand, size, calm=True)
        yield from self.at_turn("lead-broken", filled(3, self.plain[:1], self.hearts), 3, hearts_broken=True)
        hearts = filled(size, self.hearts)
        if hearts is not None:
            # Lead a heart before hearts are broken; another heart follows, or the queen is discarded.
            first = self.seat()
            mover = self.left_of(first)
            follows = filled(size, self.hearts[size:][:2], self.queens[:1], self.plain)
            throws = filled(size, self.queens[:1], self.costly[:1], self.plain)
            for name, hand in (("follow-a-heart", follows), ("discard-on-a-heart", throws)):
                if hand is not None:
                    state = self.place({first: hearts[1:], mover: hand}, size, first, hearts[:1], calm=True)
                    yield from self.play(name, state)

    def discards(self) -> Iterator[Position]:
        size = self.calm_size()
        if size is None:
            return
        suit = self.longest(Suit.CLUBS, Suit.DIAMONDS)
        lead = next(iter(self.of_suit(suit)), None)
        if lead is None:
            return
        others = [card for card in self.plain if card.suit is not suit]
        costly = [card for card in self.costly if card.suit is not suit]
        shapes: Mapping[str, list[Card] | None] = {
            "hearts-a-queen-and-others": filled(size, self.queens[:1], self.hearts[:1], others),
            "hearts-and-a-queen": filled(size, self.queens[:1], self.hearts),
            "a-queen-and-others": filled(size, self.queens[:1], others),
            "a-costly-card-and-others": filled(size, costly[:1], others) if costly else None,
            "only-hearts": filled(size, self.hearts),
            "only-queens": filled(size, self.queens) if len(self.queens) >= size else None,
        }
        for name, hand in shapes.items():
            yield from self.at_turn(f"discard-{name}", hand, size, [lead], calm=True)
        if self.queens:
            first = self.seat()
            hand = filled(3, self.queens[:1], self.hearts[:1], others)
            yield from self.at_turn("discard-broken", hand, 3, [lead], won=self.hearts[1:], first=first)
            low = next((card for card in self.of_suit(Suit.SPADES) if card.rank < Rank.QUEEN), None)
            if low is not None:
                hand = filled(size, self.queens[:1], others)
                yield from self.at_turn("follow-with-a-queen", hand, size, [low], calm=True)

    def compulsory(self) -> Iterator[Position]:
        rules = self.rules
        for card in rules.compulsory_cards:
            suit = card.suit
            same = [other for other in (*self.of_suit(suit), *self.costly) if other.suit is suit and other != card]
            higher = [other for other in rules.deck if other.suit is suit and other.rank > card.rank]
            lower = [other for other in same if other.rank < card.rank]
            elsewhere = [other for other in self.plain if other.suit is not suit]
            if not lower[1:] or not elsewhere[2:]:
                continue
            beside = [card, lower[0], elsewhere[0]]
            other_suit = [other for other in elsewhere if other.suit is not elsewhere[0].suit]
            thrown = [other for other in elsewhere[1:] if other.rank > card.rank]
            tables: dict[str, tuple[list[Card], list[Card]]] = {
                "leading": (beside, []),
                "over-a-lower-card": (beside, lower[1:2]),
                "under-a-higher-card": (beside, higher[:1]),
                "under-a-card-of-another-suit": (beside, [*lower[1:2], *thrown[:1]]),
                "discarding": ([card, elsewhere[0]], [other for other in other_suit if other.suit is not suit][:1]),
            }
            if rules.decks > 1:
                tables["beside-its-twin"] = (beside, [card])
                tables["under-a-pair"] = (beside, [*lower[1:2], *higher[:2]])
            for name, (hand, trick) in tables.items():
                first = self.seat()
                if trick or name == "leading":
                    full = filled(4, hand, [other for other in self.hearts if other not in hand])
                    yield from self.at_turn(f"compulsory-{card}-{name}", full, 4, trick, first=first)

    def exposed_cards(self) -> Iterator[Position]:
        rules = self.rules
        for card in rules.exposable:
            suit = card.suit
            beside = [other for other in rules.deck if other.suit is suit and other not in rules.exposable]
            elsewhere = [other for other in self.plain if other.suit is not suit]
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
                won = [more for more in self.hearts if more not in (card, *hand, *trick)][:2]
                given: dict[str, Any] = {"exposed": [card], "suits_led": (suit,) if led else (), "hearts_broken": True}
                yield from self.at_turn(f"shown-{card}-{name}", hand, 4, trick, won=won, **given)

            yield from self.shown_and_thrown(card, beside)
            yield from self.shown_beside_hearts(card)
        size = rules.cards_per_hand
        several = filled(size, list(rules.exposable)[: size // 3], self.plain)
        if several is not None and rules.exposable:
            yield from self.first_trick(
                "shown-cards-and-others", several, lead=True, exposed=rules.exposable & Cards(several)
            )
        yield from self.two_shown()
        yield from self.two_shown_of_a_suit()

    def shown_beside_hearts(self, card: Card) -> Iterator[Position]:
        hearts = [heart for heart in self.hearts if heart != card]
        whole = filled(self.rules.cards_per_hand, [card], hearts)
        yield from self.first_trick(f"shown-{card}-beside-hearts", whole, lead=True, exposed=Cards([card]))
        size = self.calm_size()
        hand = None if size is None else filled(size, [card], hearts)
        yield from self.at_turn(
            f"shown-{card}-leading-beside-hearts", hand, size, calm=True, exposed=[card], suits_led=()
        )

    def two_shown(self) -> Iterator[Position]:
        by_suit = {card.suit: card for card in self.rules.exposable}
        if len(by_suit) < 2:
            return
        two = list(by_suit.values())[:2]
        given: dict[str, Any] = {"exposed": two, "suits_led": (two[1].suit,), "hearts_broken": True}
        won = [heart for heart in self.hearts if heart not in two][:2]
        yield from self.at_turn("shown-two-leading-after-one-suit", two, 2, won=won, **given)

    def two_shown_of_a_suit(self) -> Iterator[Position]:
        for suit in Suit:
            two = [card for card in self.rules.exposable if card.suit is suit][:2]
            led = [card for card in self.plain if card.suit is suit and card not in two][:1]
            elsewhere = [card for card in self.plain if card.suit is not suit][:2]
            if len(two) == 2 and led and len(elsewhere) == 2:
                won = [heart for heart in self.hearts if heart not in two][:2]
                given: dict[str, Any] = {"won": won, "exposed": two, "suits_led": (), "hearts_broken": True}
                for name, trick in (("leading", []), ("following", led)):
                    yield from self.at_turn(f"shown-two-of-a-suit-{name}", [*two, *elsewhere], 4, trick, **given)

    def shown_and_thrown(self, card: Card, beside: Sequence[Card]) -> Iterator[Position]:
        """Yield the lead of an exposed card after a discard, but no lead, of its suit."""
        led = self.longest(*[suit for suit in (Suit.CLUBS, Suit.DIAMONDS) if suit is not card.suit])
        top = self.of_suit(led)[-1:]
        if len(beside) < 4 or not top:
            return
        first = self.seat()
        hands = {first: [card, beside[0], *top], self.left_of(first): beside[1:4]}
        exposed = self.bags({first: [card]})
        more = [heart for heart in self.hearts if heart not in (card, *beside[:4])][:2]
        state: State | None = self.place(hands, 3, first, exposed=exposed, hearts_broken=True, captured={first: more})
        lead = Play(first, top[0])
        # A compulsory card may have to be led instead.
        if state is None or lead not in legal_moves(state):
            return
        state = apply(state, lead)
        while isinstance(state, Playing) and state.trick:
            state = apply(state, legal_moves(state)[0])
        if isinstance(state, Playing) and state.turn == first:
            yield from self.play(f"shown-{card}-leading-after-a-discard", state)

    # ----------------------------------------------------------------------------------------------------------- tricks

    def tricks(self) -> Iterator[Position]:
        suit = self.longest(Suit.CLUBS, Suit.DIAMONDS)
        cards = sorted(dict.fromkeys(self.of_suit(suit)))
        high = [card for card in sorted(dict.fromkeys(self.plain), key=lambda card: -card.rank)
                if card.suit is not suit]  # fmt: skip
        count = self.players
        if len(cards) < 3 or len(high) < count:
            return
        low, middle, top = cards[0], cards[len(cards) // 2], cards[-1]
        yield from self.trick("a-discard-is-higher", [low, middle, *high[: count - 2]])
        yield from self.trick("nobody-follows", [low, *high[: count - 1]])
        yield from self.trick("the-last-is-highest", [middle, low, *high[: count - 3], top])

    def trick(self, name: str, cards: Sequence[Card], *, size: int = 2, **told: Any) -> Iterator[Position]:
        first = told.pop("first", None)
        first = self.seat() if first is None else first
        mover = self.left_of(first, self.players - 1)
        # The other hands are void in the suit led.
        left = [card for card in self.plain if card.suit is not cards[0].suit]
        for card in cards:
            if card in left:
                left.remove(card)
        if len(left) < self.players:
            return
        hands = {seat: left[seat :: self.players][: size - 1] for seat in range(self.players)}
        hands[mover] = [cards[-1], *hands[mover]]
        state = self.place(hands, size, first, cards[:-1], **told)
        yield from self.one(f"trick-{name}", state, Play(mover, cards[-1]))

    def doubles(self) -> Iterator[Position]:
        rules = self.rules
        if rules.decks == 1:
            return
        found = [card for card in dict.fromkeys(self.plain) if self.plain.count(card) == 2]
        suit = max(Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, key=lambda suit: [card.suit for card in found].count(suit))
        pairs = sorted([card for card in found if card.suit is suit])
        twins = [card for card in found if card.suit is not suit][:2]
        singles = [card for card in dict.fromkeys(self.plain) if card.suit is not suit and card not in twins]
        count = self.players
        if len(pairs) < 4 or len(singles) < count:
            return
        low, middle, high, top = pairs[0], pairs[1], pairs[-2], pairs[-1]
        named: dict[str, list[Card]] = {
            "the-highest-twice": [top, low, top],
            "the-highest-twice-at-the-end": [top, low, *singles[: count - 3], top],
            "all-that-follow-twice": [low, low],
            "two-pairs-and-no-other": [low, low, high, high],
            "two-pairs-and-another": [low, low, high, high, middle],
            "a-single-card-of-the-suit": [low],
        }
        if twins:
            named["a-pair-elsewhere"] = [low, *twins[:1] * 2]
            named["two-pairs"] = [low, middle, middle, *twins[:1] * 2]
            named["two-pairs-and-a-higher-card"] = [low, low, *twins[:1] * 2, top]
        if len(twins) > 1:
            named["two-pairs-elsewhere"] = [high, *twins[:1] * 2, *twins[1:] * 2]
        named = {name: [*trick, *singles[: count - len(trick)]] for name, trick in named.items() if len(trick) <= count}
        for name, trick in named.items():
            yield from self.trick(name, trick)
        won = named["a-single-card-of-the-suit"]
        void = named["all-that-follow-twice"]
        first = self.seat()
        yield from self.trick("last-and-void", void, size=1, first=first)
        hearts = self.hearts[: count - 2]
        waiting = [*hearts, *pairs[2:3] * 2][:count]
        if len(waiting) == count:
            yield from self.trick("wins-what-was-set-aside", won, set_aside=Cards(waiting))
            yield from self.trick("last-and-void-with-more-aside", void, size=1, set_aside=Cards(waiting), first=first)
        # One player has won all earlier tricks; the last one goes to the same player or to no one.
        every: dict[str, Any] = {"captured": {first: [*self.hot, *self.special]}, "rest": [first], "first": first}
        for name, trick in (("the-last", won), ("all-but-a-void-trick", void)):
            yield from self.trick(f"one-wins-{name}", trick, size=1, **every)
        plain = [*pairs[2:4] * 2, *singles[-count:]][:count]
        yield from self.trick("one-wins-the-last-with-plain-cards-aside", won, size=1, set_aside=Cards(plain), **every)

    def heart_in_the_kitty(self) -> Iterator[Position]:
        number = self.deal_number
        move = self.deal({}, self.hearts[:1])
        state = None if move is None else self._first_lead(move, number, self.seat(), {})
        while state is not None:
            plays = [play for play in legal_moves(state) if isinstance(play, Play)]
            lying = [play.card for play in state.trick]
            choice = min(plays, key=lambda play: (play.card in self.hot, play.card in lying, play.card.suit))
            if len(state.trick) == self.players - 1:
                yield Position("kitty-a-first-trick-and-a-heart-in-it", state, (choice,))
                return
            following = apply(state, choice)
            state = following if isinstance(following, Playing) else None

    def kitties(self) -> Iterator[Position]:
        rules = self.rules
        size = self.calm_size(self.players - 1)
        if not rules.kitty_size or size is None:
            return
        suit = self.longest(Suit.CLUBS, Suit.DIAMONDS)
        cards = list(dict.fromkeys(self.of_suit(suit)))
        others = [card for card in self.plain if card.suit is not suit]
        dear = [card for card in self.hearts if rules.penalty(card)]
        cheap = [card for card in self.hearts if not rules.penalty(card)]
        if len(cards) < self.players:
            return
        lead = cards[: self.players - 1]
        first = self.seat()
        mover = self.left_of(first, self.players - 1)
        thrown = {"a-queen": self.queens, "a-costly-card": self.costly, "a-heart": dear, "a-cheap-heart": cheap}
        for name, found in {**thrown, "nothing": others[-1:]}.items():
            throw = [card for card in found if card.suit is not suit][:1]
            hand = filled(size, throw, [card for card in others if card not in throw]) if throw else None
            if hand is not None:
                # No seat holds a queen that it would have had to play.
                lies = self.queens[: rules.kitty_size] if rules.compulsory is not Compulsory.NO else []
                kitty = [card for card in lies if card not in hand]
                state = self.place({mover: hand}, size, first, lead, calm=True, kitty=kitty)
                yield from self.one(f"kitty-{name}", state, Play(mover, throw[0]))
                lies = self.hearts[-1:]
                if name in ("a-queen", "a-costly-card") and not kitty and rules.kitty_size:
                    state = self.place({mover: hand}, size, first, lead, calm=True, kitty=lies)
                    yield from self.one(f"kitty-{name}-and-a-heart-in-it", state, Play(mover, throw[0]))
        yield from self.heart_in_the_kitty()
        winner = self.left_of(mover)
        yield from self.trick("last-with-a-kitty", [*lead, cards[self.players - 1]], size=1, first=winner)
        if rules.decks > 1:
            waiting = filled(self.players, self.hearts[:2], others)
            hand = filled(size, cards[-1:], others[::-1])
            if waiting is not None and hand is not None:
                state = self.place({mover: hand}, size, first, lead, calm=True, set_aside=Cards(waiting))
                yield from self.one("kitty-hearts-aside", state, Play(mover, cards[-1]))


def _to_pass(state: State) -> State:
    while isinstance(state, Exposing) and state.before_pass:
        state = apply(state, Expose(min(to_act(state)), Cards()))
    return state


def _asked(state: State, seat: Seat) -> State:
    while isinstance(state, Exposing) and seat not in to_act(state):
        state = apply(state, Expose(min(to_act(state)), Cards()))
    return state


def _last_before_the_pass(state: State, seat: Seat, cards: Cards) -> tuple[State, tuple[Move]] | None:
    """Return the last exposure before the pass, or None.

    The seat exposes these cards first, and the others expose none.
    """
    last: tuple[State, tuple[Move]] | None = None
    shows = {seat: cards}
    while isinstance(state, Exposing) and state.before_pass:
        waiting = to_act(state)
        mover = seat if seat in shows and seat in waiting else min(waiting)
        move = Expose(mover, shows.pop(mover, Cards()))
        last = state, (move,)
        state = apply(state, move)
    return last
