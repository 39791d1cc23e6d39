"""Sampling of hidden hands, kitty, passes and exposures.

The legality code computes the constraints of a view once; then worlds are sampled within them. Only the opening lead
constrains several hands together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.base.errors import InvalidState, Problem
from heartsrules.cards import NO_CARDS, Cards, bag_of, either, popcount, with_bag, without
from heartsrules.chance import Bits
from heartsrules.chance.words import Words
from heartsrules.play.board import TrickState
from heartsrules.play.engine import first_lead, is_legal
from heartsrules.play.exposing import exposures_in
from heartsrules.play.moves import Deal, Expose, Pass, Play, pass_of
from heartsrules.play.passing import SeatPasses, passes_of, receiver
from heartsrules.play.public import with_exposed
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealingBack,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    Secrets,
    State,
)
from heartsrules.play.taking_back import hands_before, hands_before_pass, plays_of_tricks
from heartsrules.play.view_classes import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
    SeenDeal,
    StartedView,
)
from heartsrules.rules import Seat
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules
from heartsrules.setup.replay import replayed
from heartsrules.views.hidden_hands import HiddenHands
from heartsrules.views.passed_cards import layers_of, passed_to
from heartsrules.views.worlds.counting import MOST_ENTRIES, ArrangementSampler
from heartsrules.views.worlds.hidden_pile import HiddenPile

if TYPE_CHECKING:
    from mypy_extensions import i64


_MOST_DRAWS: Final = 10_000
"""The maximum number of attempts at hidden cards that all `_Lead`s and the middle allow."""


class WorldsOfView:
    """A sampler of the worlds of a view.

    Raises:
        ValueError: no state has such a view.
        LookupError: likewise.
    """

    def draw(self, bits: Bits) -> State:
        """Sample a world.

        Raises:
            ValueError: no state has such a view.
            LookupError: likewise.
        """
        raise NotImplementedError


# --------------------------------------------------------------------------------------------------------- the passes


@final
class _HiddenPasses:
    """A sampler of the passes that a seat has not seen.

    Passed cards are in the receiver's hand, or in the passer's if they stayed. They can be any passable cards of that
    hand.
    """

    def __init__(self, seen: StartedView, given: dict[Seat, Cards]) -> None:
        rules = seen.rules
        step = rules._resolved.pass_plan(seen.deal_number)
        own = seen.seat
        commitment = seen.own.commitment
        self._players: Final[i64] = rules.players
        self._own: Final[i64] = -1 if own is None else own
        self._declined: Final = seen.declined
        self._received: Final = seen.received
        self._locked: Final[i64] = rules._resolved.unpassable
        self._nothing: Final = rules._resolved.nothing
        self._sizes: Final = [count for _, count in step]
        """The number of cards for each recipient of a seat."""
        self._to: Final[list[int]] = []
        """The receiver of each transfer, seat by seat, or the passer if the cards stayed."""
        self._gifts: Final[list[Cards]] = []
        """The cards of each transfer, or no cards if unknown."""
        self._lying: Final[list[list[int]]] = [[] for _ in range(rules.players)]
        """The unknown transfers in each hand, as indices in `_to`."""
        self.given: Final = given
        """The cards that each seat received from the viewing seat."""
        self.known: Final = bool(seen.start.pass_counts)
        """True if passes are sampled. They are not in a deal without them, nor if they are unknown."""
        if self.known:
            size = sum(self._sizes)
            # A size of 0 is any number.
            counts = (
                range(rules.cards_per_hand + 1) if not size else (0, size) if rules._resolved.may_decline else (size,)
            )
            if not all([count in counts for count in seen.start.pass_counts]):
                raise ValueError("no seat may pass that many cards")
        self.pile: Final = HiddenPile(seen) if layers_of(seen) else None
        if not self.known or self.pile is not None:
            return
        for giver in range(rules.players):
            for number, (offset, _) in enumerate(step):
                to = receiver(rules, self._declined, giver, offset)
                mine = NO_CARDS
                if giver == own and commitment is not None and commitment.cards:
                    mine = commitment.cards[number]
                elif giver not in self._declined:
                    self._lying[to].append(len(self._to))
                self._to.append(to)
                self._gifts.append(mine)

    def draw(
        self, hands: tuple[Cards, ...], words: Words
    ) -> tuple[tuple[Pass, ...], tuple[Cards, ...], tuple[Cards, ...]]:
        """Sample the passes uniformly, given the hands after the exchange.

        Returns:
            Each seat's pass, passed cards and received cards.

        Raises:
            ValueError: the hands allow none.
        """
        if not self.known:
            return (), self._nothing, self._nothing
        if self.pile is not None:
            return self.pile.draw(hands, words)
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
                if seat in self.given:
                    passable = without(passable, self.given[seat])
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
                if to != giver:
                    lo, hi = with_bag(lo, hi, gift.lo, gift.hi)
                    received[to] = received[to] + gift
                at += 1
                number += 1
            passes.append(pass_of(int(giver), tuple(mine)))
            # The engine shares NO_CARDS, too, and pickles keep which objects are shared.
            passed.append(bag_of(lo, hi) if lo else NO_CARDS)
            giver += 1
        return tuple(passes), tuple(passed), tuple(received)

    def _hand_out(self, lying: list[int], passable: Cards, gifts: list[Cards], words: Words) -> None:
        lo = passable.lo
        steps: i64 = len(self._sizes)
        if passable.hi:
            # Passes of equal cards are equal, so the draw is among the different ones.
            moves = SeatPasses(0, passable, tuple([self._sizes[gift % steps] for gift in lying]), False)
            if not moves.count:
                raise ValueError("these hands allow no passes")
            drawn = moves.at(words.far_below(moves.count)).cards
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


# --------------------------------------------------------------------------------------- before the play and after it


def _dealt(own: int, hand: Cards, known: tuple[Cards, ...], unseen: Cards, size: int, words: Words) -> list[Cards]:
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
    """A sampler for views before the exchange.

    A seat that has passed gets a legal pass of its hand.
    """

    def __init__(self, view: PassingView | DealingBackView) -> None:
        rules = view.rules
        self._view: Final = view
        self._own: Final[i64] = -1 if view.seat is None else view.seat
        self._unseen: Final = without(rules.deck, view.hand)
        if not rules.pass_plan(view.deal_number):
            raise ValueError("nobody passes in this deal")
        if len(view.hand) != (0 if view.seat is None else rules.cards_per_hand):
            raise ValueError("the hand has another size")

    def draw(self, bits: Bits) -> Passing | DealingBack:
        words = Words(bits)
        view = self._view
        rules = view.rules
        hands = _dealt(self._own, view.hand, rules._resolved.nothing, self._unseen, rules.cards_per_hand, words)
        kitty = hands.pop()
        commitments: list[Pass | None] = [None] * len(hands)
        committed = list(range(len(hands))) if isinstance(view, DealingBackView) else sorted(view.committed)
        for seat in committed:
            move: Pass | None = view.commitment if seat == self._own else None
            if move is None:
                moves = passes_of(rules, view.deal_number, seat, hands[seat])
                if not moves.count:
                    raise ValueError("this hand allows no pass")
                move = moves.at(words.far_below(moves.count))
            commitments[seat] = move
        words.finish()
        if isinstance(view, DealingBackView):
            passes = tuple([move for move in commitments if move is not None])
            return DealingBack(rules, view.score_sheet, tuple(hands), kitty, passes)
        return Passing(rules, view.score_sheet, tuple(hands), kitty, tuple(commitments))


@final
class ExposingWorlds(WorldsOfView):
    """A sampler of hands after the exchange and of hidden exposures."""

    def __init__(self, view: ExposingView) -> None:
        start = view.start
        rules = start.rules
        self._view: Final = view
        self._own: Final[i64] = -1 if view.seat is None else view.seat
        self._passes: Final = _HiddenPasses(view, passed_to(view))
        size = rules.cards_per_hand
        known: list[Cards] = []
        unseen = without(rules.deck, view.hand)
        for seat in range(rules.players):
            given = self._passes.given.get(seat, NO_CARDS)
            cards = NO_CARDS if seat == self._own else either(given, start.exposed[seat])
            unseen = without(unseen, cards)
            known.append(cards)
            if len(cards) > size:
                raise ValueError("a hand has room for fewer cards")
        self._known: Final = tuple(known)
        self._unseen: Final = unseen
        if self._passes.pile is not None:
            self._passes.pile.set_bound(known, unseen)
        if len(view.hand) != (0 if view.seat is None else size):
            raise ValueError("the hand has another size")

    def draw(self, bits: Bits) -> Exposing:
        words = Words(bits)
        view = self._view
        start = view.start
        rules = start.rules
        resolved: ResolvedRules = rules._resolved
        for _ in range(_MOST_DRAWS):
            known, unseen = self._with_laid(words)
            dealt = _dealt(self._own, view.hand, known, unseen, rules.cards_per_hand, words)
            kitty = dealt.pop()
            if self._passes.pile is None or self._passes.pile.accepts(dealt, words):
                break
        else:
            raise InvalidState((Problem.of("impossible-view", ("view",), "argument"),))
        hands = tuple(dealt)
        passes, passed, received = self._passes.draw(hands, words)
        secrets = Secrets(kitty, passes, passed, received)
        if not resolved.shows_in_rounds and any(start.exposed):
            start = with_exposed(start, resolved.nothing)
        moves: list[Expose | None] = []
        for seat, hand in enumerate(hands):
            move: Expose | None = None
            if seat in view.committed:
                move = view.exposure if seat == self._own else None
                if move is None and resolved.shows_openly:
                    move = Expose(seat, view.start.exposed[seat])
                elif move is None:
                    choices = exposures_in(resolved, seat, hand, NO_CARDS)
                    move = choices.at(words.far_below(choices.count))
            moves.append(move)
        words.finish()
        return Exposing(start, secrets, hands, tuple(moves))

    def _with_laid(self, words: Words) -> tuple[tuple[Cards, ...], Cards]:
        """Return the known cards, with sampled cards from the middle, and the unseen rest.

        There is one deck if cards may be exposed.
        """
        pile = self._passes.pile
        laid = NO_CARDS if pile is None else pile.put_in & self._unseen
        if pile is None or not laid:
            return self._known, self._unseen
        size = self._view.rules.cards_per_hand
        drawn = pile.spread(laid, {seat: size - len(self._known[seat]) for seat in pile.layers}, words)
        known = [cards + drawn.get(seat, NO_CARDS) for seat, cards in enumerate(self._known)]
        return tuple(known), without(self._unseen, laid)


@final
class FinishedWorlds(WorldsOfView):
    """A sampler for views of a finished deal, in which only the passes are hidden."""

    def __init__(self, view: AwaitingDealView | ChoosingMoonView | GameOverView, seen: SeenDeal) -> None:
        rules = seen.rules
        self._view: Final = view
        self._public: Final = seen.public
        self._passes: Final = _HiddenPasses(seen, passed_to(seen))
        hands = hands_before(rules._resolved.nothing, plays_of_tricks(seen.tricks))
        kitty = rules.deck
        for hand in hands:
            kitty = without(kitty, hand)
        self._hands: Final = hands
        self._kitty: Final = kitty

    def draw(self, bits: Bits) -> State:
        view = self._view
        words = Words(bits)
        passes, passed, received = self._passes.draw(self._hands, words)
        played = PlayedDeal(self._public, Secrets(self._kitty, passes, passed, received))
        words.finish()
        if isinstance(view, ChoosingMoonView):
            return ChoosingMoon(played, view.shooter, view.others_up, view.shooter_down)
        if isinstance(view, GameOverView):
            return GameOver(view.score_sheet, played, view.winners)
        return AwaitingDeal(view.rules, view.score_sheet, played)


# -------------------------------------------------------------------------------------------- the middle of a deal


@final
class _Lead:
    """A lead past a compulsory card that was restricted because it was exposed.

    Only for this play, two cards of a hand matter together: it was legal only if the hand had another card of the
    exposed card's suit too.
    """

    def __init__(self, play: Play, gone: int, state: TrickState) -> None:
        self.seat: Final[i64] = play.seat
        self._bit: Final[i64] = play.bit
        self._gone: Final[i64] = gone
        """The cards that the seat had played before."""
        self._state: Final = state

    def is_legal(self, hand: Cards) -> bool:
        return self._state.legal_of(hand.lo & ~self._gone) & self._bit != 0


@final
class PlayingWorlds(WorldsOfView):
    """A sampler for views in the middle of a deal.

    Args:
        view: the view.
        most: the maximum number of table entries.

    Raises:
        TooManyWorlds: counting the arrangements needs more entries.
    """

    def __init__(self, view: PlayingView, most: int = MOST_ENTRIES) -> None:
        self._view: Final = view
        self._hidden: Final = HiddenHands(view, False)
        self._passes: Final = _HiddenPasses(view, self._hidden.given)
        if self._passes.pile is not None:
            self._passes.pile.set_bound(self._hidden.known, self._hidden.unseen)
        self.sampler: Final = ArrangementSampler(self._hidden.cases(), most)
        """The sampler of arrangements of the unseen cards."""
        self._leads: Final = _leads_past_a_compulsory_card(view)
        if not self.sampler.count:
            raise ValueError("the unseen cards can lie nowhere")

    def draw(self, bits: Bits) -> Playing:
        words = Words(bits)
        hands, kitty = self._dealt(words)
        passes, passed, received = self._passes.draw(hands, words)
        secrets = Secrets(kitty, passes, passed, received)
        words.finish()
        left: list[Cards] = []
        for seat, hand in enumerate(hands):
            left.append(hand - self._hidden.gone[seat])
        view = self._view
        return Playing(view.public, secrets, tuple(left), view.turn, view.trick, view.hearts_broken)

    def _dealt(self, words: Words) -> tuple[tuple[Cards, ...], Cards]:
        """Sample the hands after the exchange, and the kitty.

        Raises:
            InvalidState: none of `_MOST_DRAWS` attempts allowed all leads and the middle.
        """
        sampler = self.sampler
        pile = self._passes.pile
        for _ in range(_MOST_DRAWS):
            drawn = sampler.draw(words)
            whole = self._hidden.hands(drawn)
            leads_legal = all([lead.is_legal(whole[lead.seat]) for lead in self._leads])
            if leads_legal and (pile is None or pile.accepts(whole, words)):
                break
        else:
            raise InvalidState((Problem.of("impossible-view", ("view",), "argument"),))
        kitty = self._view.kitty
        return tuple(whole), drawn[-1] if kitty is None else kitty


def is_replayed(world: Playing) -> bool:
    """Return True if a state's deal, without exposure, can be replayed.

    Raises:
        ValueError: the cards are impossible.
    """
    rules = world.rules
    sheet = world.score_sheet
    plays = plays_of_tricks(world.tricks, world.trick)
    hands = hands_before(world.hands, plays)
    dealt = hands
    passes = world.passes
    if passes:
        dealt = hands_before_pass(hands, world.passed, world.received)
        passing = Passing(rules, sheet, dealt, world.kitty, (None,) * len(dealt))
        for move in passes:
            if not is_legal(passing, move):
                return False
        if rules._resolved.through_middle(world.deal_number):
            pile = DealingBack(rules, sheet, dealt, world.kitty, passes)
            if not is_legal(pile, Deal(world.received)):
                return False
    if not is_legal(AwaitingDeal(rules, sheet, None), Deal(dealt, world.kitty)):
        return False
    after, count = replayed(first_lead(world.start, world.secrets, hands), plays)
    return count == len(plays) and after == world


def _leads_past_a_compulsory_card(view: PlayingView) -> list[_Lead]:
    rules = view.rules
    resolved: ResolvedRules = rules._resolved
    exposed: tuple[Cards, ...] = view.exposed
    leads: list[_Lead] = []
    waiting: i64 = view.start.exposed_mask
    if resolved.compulsory != C.COMPULSORY_ALWAYS or not waiting & resolved.compulsory_faces:
        return leads
    gone = [0] * rules.players
    state = TrickState(resolved)
    state.waiting = waiting
    count = len(view.tricks)
    for number in range(count + 1):
        plays: tuple[Play, ...] = view.tricks[number].plays if number < count else view.trick
        for play in plays:
            seat = play.seat
            due = exposed[seat].lo & state.waiting & resolved.compulsory_faces & ~gone[seat] & ~play.bit
            if not state.led and due and seat != view.seat:
                leads.append(_Lead(play, gone[seat], state.trick()))
            state.add(play.bit)
            gone[seat] |= play.bit
        state.next_trick()
    return leads
