"""What a seat does not see: the other hands, the kitty, and what others passed or will show; all of it drawn at random.

What a view says about what is hidden is worked out once; then worlds are drawn from it as often as they are asked for.
What the past says about a hidden hand is asked of the legality pipeline itself, so no rule of play is written here a
second time; only who leads first depends on several hands at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.base.errors import InvalidState, Problem
from heartsrules.cards import NO_CARDS, Cards, bag_of, either, popcount, with_bag, with_card, without
from heartsrules.chance import Bits
from heartsrules.chance.words import Words
from heartsrules.play.board import TrickState
from heartsrules.play.engine import apply, begin_exposure, is_legal
from heartsrules.play.exposing import exposures_in
from heartsrules.play.moves import Deal, Expose, Pass, Play
from heartsrules.play.passing import SeatPasses, passes_of, receivers
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealStart,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
    faces_of,
)
from heartsrules.play.tricks import fixed_leader
from heartsrules.play.view_classes import (
    AwaitingDealView,
    ChoosingMoonView,
    DealStartView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayedDealView,
    PlayingView,
)
from heartsrules.rules import Seat
from heartsrules.rules import compiled as C
from heartsrules.rules.compiled import CompiledRules
from heartsrules.views.inferring import openers, strike_out
from heartsrules.views.worlds.counting import MOST_ENTRIES, Lots, Part

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["ExposingWorlds", "FinishedWorlds", "PassingWorlds", "PlayingWorlds", "WorldsOfView"]


class WorldsOfView:
    """The worlds of a view. Making them raises a `ValueError` or a `LookupError` if no state has such a view."""

    def __init__(self) -> None:
        self.exact: bool = True
        """Whether every way in which the cards can lie is exactly as likely as every other."""

    def draw(self, bits: Bits) -> State:
        """One of the worlds.

        Raises:
            ValueError: no state has such a view.
            LookupError: likewise.
        """
        raise NotImplementedError

    def checked(self, bits: Bits) -> State:
        """One of the worlds, which the engine has believed.

        Raises:
            ValueError: no state has such a view.
            LookupError: likewise.
        """
        return self.draw(bits)


# --------------------------------------------------------------------------------------------------------- the passes


@final
class _HiddenPasses:
    """What every seat has passed, as far as one seat knows it; the rest is drawn.

    A gift lies in the hand that received it, or with its giver if it stayed there; every card of that hand that may be
    passed may belong to it. No seat can lack cards for it: a step never takes more than a hand can surely pass.

    Args:
        start: what the seat knows of the beginning of the deal.
    """

    def __init__(self, start: DealStartView) -> None:
        rules = start.rules
        step = rules.step(start.deal_number)
        own = start.seat
        commitment = start.commitment
        self._players: Final[i64] = rules.players
        self._own: Final[i64] = -1 if own is None else own
        self._declined: Final = start.declined
        self._received: Final = start.received
        self._locked: Final[i64] = rules.compiled.unpassable
        self._nothing: Final = rules.compiled.nothing
        self._sizes: Final = [count for _, count in step]
        """How many cards each gift of a seat takes."""
        self._to: Final[list[int]] = []
        """Where each gift went, seat by seat; -1: it stayed."""
        self._gifts: Final[list[Cards]] = []
        """What was passed, as far as it is known; no cards otherwise."""
        self._lying: Final[list[list[int]]] = [[] for _ in range(rules.players)]
        """By seat, the gifts of others that lie there, as numbers in `_to`."""
        self.given: Final[list[Cards]] = [NO_CARDS] * rules.players
        """What each seat was given by the one whose view it is."""
        self.known: Final = bool(step) and (own is None or commitment is not None)
        """Whether there are any passes to draw. Not in a deal without them, nor where they are lost."""
        if not self.known:
            return
        routes = receivers(rules, start.deal_number, start.declined)
        for giver in range(rules.players):
            for number in range(len(step)):
                to = routes.get((giver, number), -1)
                mine = NO_CARDS
                if giver == own and commitment is not None and commitment.gifts:
                    mine = commitment.gifts[number]
                    if to >= 0:
                        self.given[to] = self.given[to] + mine
                elif giver not in self._declined:
                    self._lying[giver if to < 0 else to].append(len(self._to))
                self._to.append(to)
                self._gifts.append(mine)

    def draw(
        self, hands: tuple[Cards, ...], words: Words
    ) -> tuple[tuple[Pass, ...], tuple[Cards, ...], tuple[Cards, ...]]:
        """What every seat committed, of all that the hands after the exchange allow, and what it passed and received.

        Raises:
            ValueError: they do not allow any.
        """
        if not self.known:
            return (), self._nothing, self._nothing
        gifts = self._gifts.copy()
        steps: i64 = len(self._sizes)
        for seat, hand in enumerate(hands):
            lying = self._lying[seat]
            if lying:
                if seat == self._own:
                    passable = self._received
                elif self._locked:
                    passable = bag_of(hand.lo & ~self._locked, hand.hi & ~self._locked)
                else:
                    passable = hand
                given = self.given[seat]
                if given:
                    passable = without(passable, given)
                self._hand_out(lying, passable, gifts, words)
        passes: list[Pass] = []
        passed: list[Cards] = []
        received = [NO_CARDS] * len(hands)
        at: i64 = 0
        giver: i64 = 0
        while giver < self._players:
            mine: list[Cards] = []
            lo: i64 = 0
            hi: i64 = 0
            declines = giver in self._declined
            number: i64 = 0
            while number < steps:
                gift = gifts[at]
                if not declines:
                    mine.append(gift)
                to: i64 = self._to[at]
                if to >= 0:
                    lo, hi = with_bag(lo, hi, gift.lo, gift.hi)
                    received[to] = received[to] + gift
                at += 1
                number += 1
            passes.append(Pass(int(giver), tuple(mine)))
            # As the engine has it: pickles tell which bags are one object.
            passed.append(bag_of(lo, hi) if lo else NO_CARDS)
            giver += 1
        return tuple(passes), tuple(passed), tuple(received)

    def _hand_out(self, lying: list[int], passable: Cards, gifts: list[Cards], words: Words) -> None:
        """Draw the gifts of others that lie in a hand, of the cards that may belong to them."""
        lo = passable.lo
        steps: i64 = len(self._sizes)
        if passable.hi:
            # Equal cards are one pass, so the different ones are counted.
            ways = SeatPasses(0, passable, tuple([self._sizes[gift % steps] for gift in lying]), False)
            if not ways.count:
                raise ValueError("these hands allow no passes")
            drawn = ways.at(words.far_below(ways.count)).gifts
            for place, gift in enumerate(lying):
                gifts[gift] = drawn[place]
            return
        left = popcount(lo)
        for gift in lying:
            size: i64 = self._sizes[gift % steps]
            left -= size
            if left < 0:
                raise ValueError("these hands allow no passes")
            chosen, _ = words.choice(lo, 0, size)
            gifts[gift] = bag_of(chosen, 0)
            lo ^= chosen


# ----------------------------------------------------------------------------------------------------------- the deal


@final
class _HiddenDeal:
    """What one seat does not see of a deal whose hands are known: the passes, and a kitty that it was not shown.

    Args:
        seen: what the seat knows of the deal.
    """

    def __init__(self, seen: PlayedDealView) -> None:
        start = seen.start
        self.passes: Final = _HiddenPasses(start)
        self._seen: Final = seen
        self._start: Final = start

    def draw(self, hands: tuple[Cards, ...], kitty: Cards, words: Words) -> PlayedDeal:
        """The deal with all that the seat has not seen of it.

        Args:
            hands: those after the exchange.
            kitty: the whole kitty.
            words: where the passes are drawn from.

        Raises:
            ValueError: the hands allow no passes.
        """
        seen = self._seen
        start = self._start
        passes, passed, received = self.passes.draw(hands, words)
        captured: tuple[Cards, ...] = seen.captured
        taker = seen.kitty_taker
        if taker is not None and seen.kitty is None:
            piles = list(captured)
            piles[taker] = piles[taker] + kitty
            captured = tuple(piles)
        settled = DealStart(
            start.rules,
            start.scores,
            start.deal_number,
            start.deal_scores,
            kitty,
            passes,
            passed,
            received,
            start.shown,
        )
        return PlayedDeal(
            settled,
            seen.leader,
            seen.tricks,
            captured,
            seen.tricks_won,
            seen.trick_number,
            seen.set_aside,
            taker,
        )


# --------------------------------------------------------------------------------------- before the play and after it


def _dealt(own: int, hand: Cards, known: tuple[Cards, ...], unseen: Cards, size: int, words: Words) -> list[Cards]:
    """The hands, and last what is left over: each seat's own cards, and of the unseen ones as many as it lacks."""
    first = unseen.lo
    second = unseen.hi
    hands: list[Cards] = []
    for seat, cards in enumerate(known):
        if seat == own:
            hands.append(hand)
        else:
            lo, hi = words.choice(first, second, size - len(cards))
            first ^= lo
            second ^= hi
            hands.append(bag_of(lo | hi, lo & hi) + cards)
    hands.append(bag_of(first | second, first & second))
    return hands


@final
class PassingWorlds(WorldsOfView):
    """The worlds of a view while cards are passed: a seat that has committed gets a legal pass of its hand."""

    def __init__(self, view: PassingView) -> None:
        super().__init__()
        rules = view.rules
        self._view: Final = view
        self._own: Final[i64] = -1 if view.seat is None else view.seat
        self._unseen: Final = without(rules.deck, view.hand)
        if not rules.step(view.deal_number):
            raise ValueError("nobody passes in this deal")
        if len(view.hand) != (0 if view.seat is None else rules.cards_per_hand):
            raise ValueError("the hand has another size")

    def draw(self, bits: Bits) -> Passing:
        """One of the worlds."""
        words = Words(bits)
        view = self._view
        rules = view.rules
        hands = _dealt(self._own, view.hand, rules.compiled.nothing, self._unseen, rules.cards_per_hand, words)
        kitty = hands.pop()
        commitments: list[Pass | None] = [None] * len(hands)
        committed: list[Seat] = sorted(view.committed)
        for seat in committed:
            move: Pass | None = view.commitment if seat == self._own else None
            if move is None:
                ways = passes_of(rules, view.deal_number, seat, hands[seat])
                if not ways.count:
                    raise ValueError("this hand allows no pass")
                move = ways.at(words.far_below(ways.count))
            commitments[seat] = move
        words.finish()
        return Passing(rules, view.scores, view.deal_number, view.deal_scores, tuple(hands), kitty, tuple(commitments))

    def checked(self, bits: Bits) -> State:
        """One of the worlds, which the engine has believed."""
        world = self.draw(bits)
        return _believed(world, world.hands)


@final
class ExposingWorlds(WorldsOfView):
    """The worlds of a view while cards are shown: the hands after the exchange, and what was shown unseen of them."""

    def __init__(self, view: ExposingView) -> None:
        super().__init__()
        start = view.start
        rules = start.rules
        self._view: Final = view
        self._own: Final[i64] = -1 if start.seat is None else start.seat
        self._passes: Final = _HiddenPasses(start)
        size = rules.cards_per_hand
        known: list[Cards] = []
        unseen = without(rules.deck, view.hand)
        for seat, given in enumerate(self._passes.given):
            cards = NO_CARDS if seat == self._own else either(given, start.shown[seat])
            unseen = without(unseen, cards)
            known.append(cards)
            if len(cards) > size:
                raise ValueError("a hand has room for fewer cards")
        self._known: Final = tuple(known)
        self._unseen: Final = unseen
        if len(view.hand) != (0 if start.seat is None else size):
            raise ValueError("the hand has another size")

    def draw(self, bits: Bits) -> Exposing:
        """One of the worlds."""
        words = Words(bits)
        view = self._view
        start = view.start
        rules = start.rules
        compiled: CompiledRules = rules.compiled
        dealt = _dealt(self._own, view.hand, self._known, self._unseen, rules.cards_per_hand, words)
        kitty = dealt.pop()
        hands = tuple(dealt)
        passes, passed, received = self._passes.draw(hands, words)
        settled = DealStart(
            rules,
            start.scores,
            start.deal_number,
            start.deal_scores,
            kitty,
            passes,
            passed,
            received,
            compiled.nothing,
        )
        moves: list[Expose | None] = []
        for seat, hand in enumerate(hands):
            move: Expose | None = None
            if seat in view.committed:
                move = view.commitment if seat == self._own else None
                if move is None and compiled.shows_in_turn:
                    move = Expose(seat, start.shown[seat])
                elif move is None:
                    ways = exposures_in(compiled, seat, hand)
                    move = ways.at(words.far_below(ways.count))
            moves.append(move)
        words.finish()
        return Exposing(settled, hands, tuple(moves))

    def checked(self, bits: Bits) -> State:
        """One of the worlds, which the engine has believed."""
        world = self.draw(bits)
        return _believed(world, world.hands)


@final
class FinishedWorlds(WorldsOfView):
    """The worlds of a view of a deal that is over: every card has been seen but those of the kitty, which remain.

    Args:
        view: the view.
        seen: its deal.
    """

    def __init__(self, view: AwaitingDealView | ChoosingMoonView | GameOverView, seen: PlayedDealView) -> None:
        super().__init__()
        rules = seen.start.rules
        self._view: Final = view
        self._deal: Final = _HiddenDeal(seen)
        hands = _gone(seen, (), rules.players)
        kitty = rules.deck
        for hand in hands:
            kitty = without(kitty, hand)
        self._hands: Final = tuple(hands)
        self._kitty: Final = kitty

    def draw(self, bits: Bits) -> State:
        """One of the worlds."""
        view = self._view
        words = Words(bits)
        played = self._deal.draw(self._hands, self._kitty, words)
        words.finish()
        if isinstance(view, ChoosingMoonView):
            return ChoosingMoon(played, view.shooter, view.others_up, view.shooter_down)
        if isinstance(view, GameOverView):
            return GameOver(view.rules, view.scores, view.deal_number, view.deal_scores, played, view.winners)
        return AwaitingDeal(view.rules, view.scores, view.deal_number, view.deal_scores, played)


# -------------------------------------------------------------------------------------------- the middle of a deal


@final
class _Lead:
    """A lead of a seat that had shown a card which it would have had to play, had that not been held back.

    It is the one play that two cards of a hand bar together: the shown card, unless another of its suit is beside it.
    """

    def __init__(self, play: Play, gone: int, state: TrickState) -> None:
        self.seat: Final[i64] = play.seat
        self._bit: Final[i64] = play.bit
        self._gone: Final[i64] = gone
        """The cards that the seat had played before, as a mask."""
        self._state: Final = state

    def is_legal(self, hand: Cards) -> bool:
        """Whether the lead was legal from the hand after the exchange."""
        return self._state.legal_of(hand.lo & ~self._gone) & self._bit != 0


_MOST_DRAWS: Final = 10_000
"""How many times the hidden cards are drawn before it gives up, if a lead past a compulsory card was never legal."""


@final
class PlayingWorlds(WorldsOfView):
    """The worlds of a view in the middle of a deal.

    Args:
        view: the view.
        most: how many entries the tables may have that count the ways in which the cards can lie.
    """

    def __init__(self, view: PlayingView, most: int = MOST_ENTRIES) -> None:
        super().__init__()
        played = view.deal
        start = played.start
        rules = start.rules
        players = rules.players
        self._view: Final = view
        self._tables: Final = rules.compiled
        self._deal: Final = _HiddenDeal(played)
        self._own: Final[i64] = -1 if start.seat is None else start.seat
        self._hand: Final = view.hand
        self._trick: Final = view.trick
        self._kitty: Final[Cards | None] = played.kitty
        self._gone: Final = _gone(played, self._trick, players)
        """By seat, the cards that it has played."""
        self._known: Final[list[Cards]] = []
        """By seat, the cards that it is known to have held after the exchange."""
        self._places: Final[list[int]] = []
        """The seats whose hands are hidden; the kitty comes after them if it is hidden too."""
        room: list[int] = []
        given = self._deal.passes.given
        shown: tuple[Cards, ...] = start.shown
        unseen = rules.deck if self._kitty is None else without(rules.deck, self._kitty)
        size = rules.cards_per_hand
        left = 0
        for seat in range(players):
            gone = self._gone[seat]
            if seat == self._own:
                known = self._hand + gone
            else:
                known = bag_of(gone.lo | given[seat].lo | shown[seat].lo, gone.hi | given[seat].hi | shown[seat].hi)
                self._places.append(seat)
                room.append(size - len(known))
                left += size - len(known)
            self._known.append(known)
            unseen = without(unseen, known)
        kitty = rules.kitty_size if self._kitty is None else 0
        if self._kitty is None:
            room.append(kitty)
        if min(room) < 0 or left + kitty != len(unseen):
            raise ValueError("the cards do not fit into the hands")
        self.lots: Final = Lots(self._parts(played, room, unseen, kitty), most)
        """The ways in which the unseen cards can lie."""
        self._leads: Final = _leads_past_a_compulsory_card(played, self._trick, self._own)
        if not self.lots.possible:
            raise ValueError("the unseen cards can lie nowhere")
        self.exact = self.lots.exact

    def _parts(self, played: PlayedDealView, room: list[int], unseen: Cards, kitty: int) -> list[Part]:
        """The ways in which the unseen cards may lie, in parts that have none in common."""
        start = played.start
        rules = start.rules
        held: list[int] = []
        twice: list[int] = []
        may: list[int] = []
        for seat, known in enumerate(self._known):
            held.append(known.lo)
            twice.append(known.hi)
            may.append(-1 if seat == self._own else unseen.lo)
        faces = held.copy()
        lead = TrickState(self._tables)
        lead.waiting = faces_of(start.shown)
        strike_out(lead, played.tricks, self._trick, held, twice, may)
        last = [int(unseen.lo)] if len(room) > len(self._places) else []
        nothing = [0] * len(room)
        if fixed_leader(rules, start.dealer, start.deal_scores.queen_taker) is not None:
            return [Part(room, unseen, [may[seat] for seat in self._places] + last, nothing)]
        leader: Seat = played.tricks[0].leader if played.tricks else played.leader
        parts: list[Part] = []
        for lowest, possible in openers(rules, start.dealer, leader, faces, unseen, kitty, may):
            left = [possible[seat] for seat in self._places] + last
            if self._known[leader].lo & lowest:
                parts.append(Part(room, unseen, left, nothing))
            elif leader in self._places and possible[leader] & lowest:
                # The leader holds one of the copies; or not that one, but the other.
                place = self._places.index(leader)
                if not room[place]:
                    continue
                card = bag_of(lowest, 0)
                rest = unseen - card
                settled = nothing.copy()
                settled[place] = lowest
                parts.append(Part(room, rest, left, settled))
                if rest.lo & lowest:
                    other = left.copy()
                    other[place] &= ~lowest
                    parts.append(Part(room, rest, other, settled))
        return parts

    def draw(self, bits: Bits) -> Playing:
        """One of the worlds."""
        words = Words(bits)
        hands, kitty = self._dealt(words)
        return self._world(hands, kitty, words)

    def checked(self, bits: Bits) -> State:
        """One of the worlds, which the engine has believed."""
        words = Words(bits)
        hands, kitty = self._dealt(words)
        return _believed(self._world(hands, kitty, words), hands)

    def _dealt(self, words: Words) -> tuple[tuple[Cards, ...], Cards]:
        """The hands after the exchange, and the kitty.

        Raises:
            InvalidState: hardly any hands, or none, allow what somebody led.
        """
        lots = self.lots
        for _ in range(_MOST_DRAWS):
            drawn = lots.draw(words)
            whole = self._known.copy()
            for place, seat in enumerate(self._places):
                whole[seat] = whole[seat] + drawn[place]
            if self._leads_were_legal(whole):
                break
        else:
            raise InvalidState((Problem.of("impossible-view", ("view",), "argument"),))
        kitty = self._kitty
        return tuple(whole), drawn[len(self._places)] if kitty is None else kitty

    def _world(self, hands: tuple[Cards, ...], kitty: Cards, words: Words) -> Playing:
        """The world in which the hands after the exchange and the kitty are these."""
        deal = self._deal.draw(hands, kitty, words)
        words.finish()
        left: list[Cards] = []
        for seat, hand in enumerate(hands):
            left.append(self._hand if seat == self._own else hand - self._gone[seat])
        view = self._view
        return Playing(deal, tuple(left), view.turn, self._trick, view.hearts_broken)

    def _leads_were_legal(self, hands: list[Cards]) -> bool:
        return all([lead.is_legal(hands[lead.seat]) for lead in self._leads])


def _gone(played: PlayedDealView, trick: tuple[Play, ...], players: int) -> list[Cards]:
    """By seat, the cards that it has played.

    Raises:
        ValueError: a seat has played a card for the third time, or is not at the table.
    """
    once = [0] * players
    twice = [0] * players
    count = len(played.tricks)
    for number in range(count + 1):
        plays: tuple[Play, ...] = played.tricks[number].plays if number < count else trick
        for play in plays:
            seat = play.seat
            if not 0 <= seat < players:
                raise ValueError("there is no such seat")
            if twice[seat] & play.bit:
                raise ValueError("no card is there for the third time")
            once[seat], twice[seat] = with_card(once[seat], twice[seat], play.bit)
    return [bag_of(lo, twice[seat]) for seat, lo in enumerate(once)]


def _leads_past_a_compulsory_card(played: PlayedDealView, trick: tuple[Play, ...], own: int) -> list[_Lead]:
    """The leads of other seats of which what each card tells by itself is not all that they tell."""
    rules = played.start.rules
    compiled: CompiledRules = rules.compiled
    shown: tuple[Cards, ...] = played.start.shown
    leads: list[_Lead] = []
    waiting: i64 = faces_of(shown)
    if compiled.compulsory != C.COMPULSORY_ALWAYS or not waiting & compiled.compulsory_faces:
        return leads
    gone = [0] * rules.players
    state = TrickState(compiled)
    state.waiting = waiting
    count = len(played.tricks)
    for number in range(count + 1):
        plays: tuple[Play, ...] = played.tricks[number].plays if number < count else trick
        for play in plays:
            seat = play.seat
            due = shown[seat].lo & state.waiting & compiled.compulsory_faces & ~gone[seat] & ~play.bit
            if not state.led and due and seat != own:
                leads.append(_Lead(play, gone[seat], state.trick()))
            state.add(play.bit)
            gone[seat] |= play.bit
        state.next_trick()
    return leads


# ------------------------------------------------------------------------------------------------- playing it again


def _stands(told: Passing | Exposing | Playing, hands: tuple[Cards, ...]) -> bool:
    """Whether the engine comes to a state when the cards are dealt again, and everything is done again that it tells.

    Of a deal whose passes are lost, the play begins with the hands after the exchange.

    Args:
        told: the state.
        hands: those that were dealt, if it is `Passing`, and otherwise those after the exchange.

    Raises:
        ValueError: the cards are not a deal, or a move is illegal.
    """
    rules = told.rules
    begun = AwaitingDeal(rules, told.scores, told.deal_number, told.deal_scores, None)
    if isinstance(told, Passing):
        _check_legal(begun, Deal(hands, told.kitty))
        now: State = Passing(
            rules, told.scores, told.deal_number, told.deal_scores, hands, told.kitty, (None,) * len(hands)
        )
        for commitment in told.commitments:
            if commitment is not None:
                now = apply(now, commitment)
        return now == told
    start = told.start if isinstance(told, Exposing) else told.deal.start
    dealt = hands
    if start.passes:
        before: list[Cards] = []
        for seat, hand in enumerate(hands):
            before.append(without(hand, start.received[seat]) + start.passed[seat])
        dealt = tuple(before)
        passing = Passing(
            rules, told.scores, told.deal_number, told.deal_scores, dealt, start.kitty, (None,) * len(hands)
        )
        for move in start.passes:
            _check_legal(passing, move)
    _check_legal(begun, Deal(dealt, start.kitty))
    settled = start.replace(shown=rules.compiled.nothing) if rules.compiled.exposable else start
    now = begin_exposure(settled, hands)
    if rules.compiled.exposable:
        first = start.dealer + 1
        for place in range(rules.players):
            seat = (first + place) % rules.players
            shown = told.commitments[seat] if isinstance(told, Exposing) else Expose(seat, start.shown[seat])
            if shown is not None:
                now = apply(now, shown)
    if isinstance(told, Playing):
        for trick in told.deal.tricks:
            for play in trick.plays:
                now = apply(now, play)
        for play in told.trick:
            now = apply(now, play)
    return now == told


def _believed(told: Passing | Exposing | Playing, hands: tuple[Cards, ...]) -> State:
    """A state that `_stands`.

    Raises:
        ValueError: it does not.
    """
    if not _stands(told, hands):
        raise ValueError("the engine comes to another state")
    return told


def _check_legal(state: State, move: Deal | Pass) -> None:
    if not is_legal(state, move):
        raise ValueError("a move is illegal")
