"""Set-up positions, with placed important cards and filled-in others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, TypeAlias

import attrs

from heartsrules.base.errors import InvalidState
from heartsrules.cards import Card, Cards, Suit
from heartsrules.chance import Bits, below, shuffled
from heartsrules.play.moves import Deal, Move
from heartsrules.play.phases import Phase
from heartsrules.play.state import AwaitingDeal, Playing, State
from heartsrules.rules import Compulsory, Kitty, Rules, Seat
from heartsrules.setup import Setup, check, set_up

Piles: TypeAlias = Mapping[Seat, Sequence[Card]]
"""Each seat's cards, none for a missing seat."""

_QUEEN: Final = Card("QS")


@attrs.frozen
class Position:
    """A named position and the moves to try in it."""

    name: str
    state: State
    moves: tuple[Move, ...]


def filled(size: int, *groups: Iterable[Card]) -> list[Card] | None:
    cards = list(chain(*groups))
    return cards[:size] if len(cards) >= size else None


class Placer:
    """A builder of positions, which fills in unplaced cards from a shuffled deck."""

    def __init__(self, rules: Rules, bits: Bits) -> None:
        self.rules = rules
        self.bits = bits
        self.players = rules.players
        self.size = rules.cards_per_hand
        pack = shuffled(list(rules.deck), bits)
        bonuses = [bonus.card for bonus in rules.bonuses]
        doubler = None if rules.doubler is None else rules.doubler.card
        self.hearts = [card for card in pack if card.suit is Suit.HEARTS]
        self.queens = [card for card in pack if card is _QUEEN]
        self.costly = [card for card in pack if card not in (*self.hearts, *self.queens) and rules.penalty(card)]
        self.bonuses = [card for card in pack if card in bonuses]
        self.doublers = [card for card in pack if card is doubler]
        named = {*self.hearts, *self.queens, *self.costly, *self.bonuses, *self.doublers}
        self.plain = [card for card in pack if card not in named]
        self.hot = [*self.queens, *self.costly, *self.hearts]
        self.special = [card for card in (*self.bonuses, *self.doublers) if card not in self.hot]
        """The bonus cards and doublers that are not among them, such as a worthless heart."""
        self.deal_number = 0 if rules.max_deals == 1 else 1
        """The default number of the deal, after the first one if possible, so that there can be totals."""

    def seat(self) -> Seat:
        return below(self.bits, self.players)

    def left_of(self, seat: Seat, places: int = 1) -> Seat:
        return (seat + places) % self.players

    def of_suit(self, suit: Suit) -> list[Card]:
        return sorted([card for card in self.plain if card.suit is suit])

    def longest(self, *suits: Suit) -> Suit:
        return max(suits, key=lambda suit: len(self.of_suit(suit)))

    def bags(self, by_seat: Mapping[Seat, Iterable[Card]]) -> list[Cards]:
        return [Cards(by_seat.get(seat, ())) for seat in range(self.players)]

    def calm_size(self, takers: int | None = None) -> int | None:
        """Return the least hand size after a first trick that can keep all costly cards.

        None if there is none. With `takers`, only that many hands have room for all hearts and penalty cards, after a
        card that each has played.
        """
        room = [(size, (size - 1) * takers if takers else size * self.players - 3) for size in range(2, self.size)]
        return next((size for size, free in room if free >= len(self.hot)), None)

    # ------------------------------------------------------------------------------------------- the middle of a deal

    def place(
        self,
        hands: Piles,
        size: int,
        leader: Seat,
        trick: Sequence[Card] = (),
        *,
        captured: Piles | None = None,
        rest: Sequence[Seat] | None = None,
        kitty: Sequence[Card] = (),
        calm: bool = False,
        **given: Any,
    ) -> Playing | None:
        """Set up a position in a trick.

        None if a card is not in play or the rules do not allow the position.

        Args:
            hands: the hands now, filled up to `size`.
            size: the number of cards in each hand before the trick, fewer than are dealt.
            leader: the leader of the trick.
            trick: the cards of the trick so far.
            captured: some seats' piles, which are filled up to whole tricks.
            rest: the winners of the other tricks, in turns. Defaults to all seats, the leader first.
            kitty: cards of the kitty, filled up.
            calm: True if no heart and no penalty card has been played.
            given: further arguments of `set_up`.
        """
        players = self.players
        left = [*self.hot, *self.special, *self.plain]
        if not calm:
            left.reverse()
        given.setdefault("set_aside", Cards())
        won = {seat: list((captured or {}).get(seat, ())) for seat in range(players)}
        held = {seat: list(hands.get(seat, ())) for seat in range(players)}
        for card in chain(trick, *held.values(), *won.values(), given["set_aside"], kitty):
            if card not in left:
                return None
            left.remove(card)
        played = {(leader + number) % players: card for number, card in enumerate(trick)}
        if not self._fill(held, left, size, played):
            return None
        left.sort(key=lambda card: card in self.hot)
        lies = [*kitty, *left[: self.rules.kitty_size - len(kitty)]]
        del left[: len(lies) - len(kitty)]
        if calm and any([card in self.hot for card in left]):
            return None
        for pile in won.values():
            missing = -len(pile) % players
            pile += left[:missing]
            del left[:missing]
        takers = rest or [(leader + number) % players for number in range(players)]
        for number, first in enumerate(range(0, len(left), players)):
            won[takers[number % len(takers)]] += left[first : first + players]
        taker = self._kitty_winner(won, leader) if lies else None
        tricks_won = [len(pile) // players for pile in won.values()]
        if taker is not None:
            won[taker] += lies
        if any(tricks_won) and not tricks_won[leader]:
            return None
        given.setdefault("deal_number", self.deal_number)
        try:
            return set_up(
                self.rules,
                hands=self.bags(held),
                leader=leader,
                trick=trick,
                captured=self.bags(won),
                tricks_won=tricks_won,
                kitty=Cards(lies),
                kitty_winner=taker,
                **given,
            )
        except InvalidState:
            return None

    def _fill(self, held: dict[Seat, list[Card]], left: list[Card], size: int, played: Mapping[Seat, Card]) -> bool:
        led = next(iter(played.values())).suit if played else None
        room = {seat: size - (seat in played) - len(cards) for seat, cards in held.items()}
        if any([free < 0 for free in room.values()]):
            return False
        order = sorted(room, key=lambda seat: seat in played)
        due = self.rules.compulsory_cards if self.rules.compulsory is not Compulsory.NO else ()
        for card in list(left):
            for seat in order:
                # A card in the hand must not have made an earlier play illegal.
                revokes = seat in played and played[seat].suit is not led and card.suit is led
                compelled = seat in played and card in due
                if room[seat] and not revokes and not compelled:
                    room[seat] -= 1
                    held[seat].append(card)
                    left.remove(card)
                    break
        return not any(room.values())

    def _kitty_winner(self, won: Mapping[Seat, Sequence[Card]], leader: Seat) -> Seat | None:
        kind = self.rules.kitty
        if kind is Kitty.FIRST_TRICK:
            return leader if won[leader] else None
        if kind is Kitty.FIRST_POINT:
            return next((seat for seat, pile in won.items() if any([self.rules.penalty(card) for card in pile])), None)
        if kind is Kitty.FIRST_HEART:
            return next((seat for seat, pile in won.items() if any([card in self.hearts for card in pile])), None)
        return None

    # -------------------------------------------------------------------------------------------------- before a trick

    def deal(self, wanted: Piles, kitty: Sequence[Card] = ()) -> Deal | None:
        """Deal these cards to the named seats, filling in the others and the kitty.

        None if the cards are not in play, or their number is not the hand size.
        """
        left = [*self.plain, *self.special, *self.hot]
        for card in chain(*wanted.values(), kitty):
            if card not in left:
                return None
            left.remove(card)
        lies = [*kitty, *left[: self.rules.kitty_size - len(kitty)]]
        del left[: len(lies) - len(kitty)]
        free = [seat for seat in range(self.players) if seat not in wanted]
        dealt: list[Cards] = []
        for seat in range(self.players):
            own = list(wanted.get(seat, ())) or left[free.index(seat) :: len(free)]
            if len(own) != self.size:
                return None
            dealt.append(Cards(own))
        return Deal(dealt, Cards(lies))

    def before_deal(self, number: int, queen_taker: Seat | None = None) -> AwaitingDeal:
        setup = Setup(
            phase=Phase.DEAL,
            rules=self.rules,
            deal_number=number,
            first=number,
            start=(0,) * self.players if number else None,
            queen_taker=queen_taker,
        )
        state = check(setup)
        assert isinstance(state, AwaitingDeal)
        return state
