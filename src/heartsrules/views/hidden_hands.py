"""The hidden hands of a view, with known cards and constraints on the others.

The plays limit the cards in each hidden hand (`heartsrules.views.inferring`). `heartsrules.views.worlds` counts the
arrangements within these constraints. This module finds one with augmenting paths, which never needs a large table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import NO_CARDS, Cards, bag_of, either, popcount, without
from heartsrules.play.board import TrickState
from heartsrules.play.moves import Play
from heartsrules.play.public import open_of, waiting_of
from heartsrules.play.taking_back import hands_before, plays_of_tricks
from heartsrules.play.tricks import fixed_leader, opening_suit, seats_before
from heartsrules.play.view_classes import DealView, PlayingView
from heartsrules.rules import Seat
from heartsrules.rules.resolved import ResolvedRules
from heartsrules.views.inferring import narrow
from heartsrules.views.passed_cards import laid_away, passed_to

if TYPE_CHECKING:
    from mypy_extensions import i64

KITTY: Final = -1
"""The kitty's number among the seats."""


@final
class Case:
    """Cards to assign to places, under constraints. Lists have one item per place.

    Args:
        room: the capacity of each place, including its fixed card.
        cards: the cards to assign, without the fixed ones. Equal cards are distinct.
        allowed: the allowed cards of each place, as a mask.
        fixed: the bit of a card fixed in the place, or 0.
    """

    def __init__(self, room: list[int], cards: Cards, allowed: list[int], fixed: list[int]) -> None:
        self.room: Final = room
        self.cards: Final = cards
        self.allowed: Final = allowed
        self.fixed: Final = fixed


@final
class HiddenHands:
    """The knowledge of the hidden hands, given that the seat's own plays are legal.

    A place is a hidden hand or the hidden kitty.

    Args:
        seen: the deal.
        broken: True if hearts were broken before the first known trick.

    Raises:
        ValueError: there are no such hands.
    """

    def __init__(self, seen: DealView, broken: bool) -> None:
        start = seen.start
        rules = start.rules
        resolved: ResolvedRules = rules._resolved
        own: i64 = -1 if seen.seat is None else seen.seat
        trick = seen.trick if isinstance(seen, PlayingView) else ()
        hand = seen.hand if isinstance(seen, PlayingView) else NO_CARDS
        tricks = seen.tricks
        public = seen.public
        self._seen: Final = seen
        self._has_full_history: Final = len(tricks) == public.trick_number
        self.gone: Final = hands_before(resolved.nothing, plays_of_tricks(tricks, trick))
        """Each seat's known plays."""
        self.given: Final = passed_to(seen) if self._has_full_history else {}
        """The cards that each seat received from the viewing seat."""
        self.known: Final[list[Cards]] = []
        """The cards that each seat is known to have had before the first known play."""
        self.places: Final[list[int]] = []
        """The seats with hidden hands, then `KITTY` if that is hidden."""
        self._room: Final[list[int]] = []
        """The number of unknown cards in each place."""
        size: i64 = rules.cards_per_hand - public.trick_number
        face_up = start.exposed
        if start.exposed_mask:
            face_up = open_of(start.exposed, public.captured, public.set_aside, trick)
        unseen = rules.deck
        if not self._has_full_history:
            for pile in (*seen.captured, public.set_aside, Cards([play.card for play in trick])):
                unseen = without(unseen, pile)
            for gone in self.gone:
                unseen = unseen + gone
        elif seen.kitty is not None:
            unseen = without(unseen, seen.kitty)
        left = 0
        for seat, gone in enumerate(self.gone):
            if seat == own:
                known = hand + gone
                self.known.append(known)
                unseen = without(unseen, known)
                continue
            if gone.lo & start.exposed_mask & ~start.exposed[seat].lo:
                raise ValueError("a seat played a card that another had shown")
            known = either(either(gone, self.given.get(seat, NO_CARDS)), face_up[seat])
            room = size - len(known) + len(gone)
            for play in trick:
                if play.seat == seat:
                    room -= 1
            if room < 0:
                raise ValueError("a hand has room for fewer cards")
            self.known.append(known)
            unseen = without(unseen, known)
            self.places.append(seat)
            self._room.append(room)
            left += room
        self._kitty: Final[i64] = rules.kitty_size if seen.kitty is None else 0
        if seen.kitty is None:
            self.places.append(KITTY)
            self._room.append(rules.kitty_size)
        self.unseen: Final = unseen
        """The cards that no seat is known to have had."""
        if left + self._kitty != len(self.unseen):
            raise ValueError("the cards do not fit into the hands")
        laid, self._layers = laid_away(seen) if self._has_full_history else (NO_CARDS, ())
        for seat in self._layers:
            laid = laid - self.known[seat]
        self._laid: Final = laid
        """The unseen cards of which the same number of copies is with `_layers`, who put cards into the middle."""
        if not laid <= self.unseen:
            raise ValueError("a laid card is with nobody who got any")
        self._allowed: Final = self._narrowed(broken, trick)
        """The possible unknown cards of each place, as a mask."""

    def _narrowed(self, broken: bool, trick: tuple[Play, ...]) -> list[int]:
        seen = self._seen
        start = seen.start
        unseen = self.unseen
        faces = [-1] * len(self.known)
        for place, seat in enumerate(self.places):
            if seat != KITTY:
                faces[seat] = unseen.lo if self._room[place] else 0
        state = TrickState(start.rules._resolved)
        state.trick_number = seen.public.trick_number - len(seen.tricks)
        state.broken = broken
        state.waiting = waiting_of(start.exposed_mask, start.led_before, ())
        if not narrow(state, seen.tricks, trick, self.known, faces):
            raise ValueError("a play was illegal")
        # The cards of which all unseen copies are with `_layers`.
        only = self._laid.lo & ~(self._laid.hi ^ unseen.hi)
        locked: i64 = start.rules._resolved.unpassable
        allowed: list[int] = []
        for seat in self.places:
            held = unseen.lo if seat == KITTY else faces[seat]
            if locked and seat != KITTY and start.pass_counts:
                # It gave no unpassable card away, and received none.
                known = self.known[seat]
                kept = start.rules.cards_per_hand - start.pass_counts[seat]
                kept -= int(popcount(known.lo & locked) + popcount(known.hi & locked))
                if kept < 0:
                    raise ValueError("a seat had more unpassable cards than it kept")
                if kept == 0:
                    held &= ~locked
            allowed.append(held if seat in self._layers else held & ~only)
        return allowed

    def cases(self) -> list[Case]:
        """Return the disjoint cases of arranging the unseen cards."""
        return self._cases(self.places, self._room, self._allowed)

    def _cases(self, places: list[int], room: list[int], allowed: list[int]) -> list[Case]:
        seen = self._seen
        rules = seen.start.rules
        resolved: ResolvedRules = rules._resolved
        unseen = self.unseen
        nothing = [0] * len(places)
        dealer = seen.dealer
        if not self._has_full_history or fixed_leader(resolved, dealer, seen.score_sheet.queen_taker) is not None:
            return [Case(room, unseen, allowed, nothing)]
        leader = seen.tricks[0].leader if seen.tricks else seen.leader
        before = seats_before(rules, dealer, leader)
        known: i64 = 0
        for bag in self.known:
            known |= bag.lo
        known_before: i64 = 0
        for seat in before:
            known_before |= self.known[seat].lo
        suit: i64 = opening_suit(resolved)
        rest = resolved.deck_lo & suit
        cases: list[Case] = []
        while rest:
            # The holder of the lowest card led: no seat has a lower one, and none before the leader the same.
            lowest = rest & -rest
            rest ^= lowest
            lower = suit & (lowest - 1)
            if known & lower or popcount(unseen.lo & lower) + popcount(unseen.hi & lower) > self._kitty:
                break
            if known_before & lowest:
                continue
            possible: list[int] = []
            for place, seat in enumerate(places):
                barred = 0 if seat == KITTY else lower | lowest if seat in before else lower
                possible.append(allowed[place] & ~barred)
            if self.known[leader].lo & lowest:
                cases.append(Case(room, unseen, possible, nothing))
                continue
            for place, seat in enumerate(places):
                if seat != leader or not room[place] or not possible[place] & lowest:
                    continue
                # The leader has the first copy or, as a separate case, only the second.
                others = unseen - bag_of(lowest, 0)
                fixed = nothing.copy()
                fixed[place] = int(lowest)
                cases.append(Case(room, others, possible, fixed))
                if others.lo & lowest:
                    second = possible.copy()
                    second[place] &= ~lowest
                    cases.append(Case(room, others, second, fixed))
        return cases

    def arrangement(self) -> list[Cards] | None:
        """Return an arrangement of the unseen cards, or None."""
        return self._arrangement(self.places, self._room, self._allowed)

    def _arrangement(self, places: list[int], room: list[int], allowed: list[int]) -> list[Cards] | None:
        layers: i64 = 0
        for place, seat in enumerate(places):
            if seat in self._layers:
                layers |= 1 << place
        for case in self._cases(places, room, allowed):
            laid = self._laid
            for place, bit in enumerate(case.fixed):
                if bit and layers >> place & 1:
                    laid = laid - bag_of(bit, 0)
            found = first_arrangement(case, laid, layers)
            if found is not None:
                return found
        return None

    def hands(self, arrangement: list[Cards]) -> list[Cards]:
        """Return the hands before the first known play, given each place's unknown cards."""
        hands = self.known.copy()
        for place, seat in enumerate(self.places):
            if seat != KITTY:
                hands[seat] = hands[seat] + arrangement[place]
        return hands

    def may_hold(self, seat: Seat, faces: int, count: int, among: int) -> bool:
        """Return True if another seat can now have `count` of `faces`.

        At least one of these must be among `among`, a subset of `faces`.
        """
        held = self.known[seat] - self.gone[seat]
        at = self.places.index(seat)
        allowed = self._allowed[at]
        # The hand is divided into three places: a card of `among`, more of `faces`, and the rest.
        one = 0 if held.lo & among else 1
        more = max(count - int(popcount(held.lo & faces) + popcount(held.hi & faces)) - one, 0)
        room = self._room.copy()
        room[at] -= one + more
        if room[at] < 0:
            return False
        parts = [*self._allowed, allowed & among, allowed & faces]
        return self._arrangement([*self.places, seat, seat], [*room, one, more], parts) is not None


def hypotheses(seen: PlayingView) -> Iterator[HiddenHands]:
    """Yield the possible hidden hands of a view.

    There are two only for a position set up without its history, if hearts were broken either before the first known
    trick or since.
    """
    lost = len(seen.tricks) < seen.trick_number
    for broken in (False, True) if lost and seen.hearts_broken else (False,):
        try:
            hands = HiddenHands(seen, broken)
        except ValueError:
            continue
        yield hands


def could_be(seen: PlayingView) -> bool:
    """Return True if some hidden hands match a view."""
    return any(hands.arrangement() is not None for hands in hypotheses(seen))


# ------------------------------------------------------------------------------------------------ one arrangement


@final
class _Matching:
    """A matching of single cards with places, extended with augmenting paths."""

    def __init__(self, room: list[int]) -> None:
        self._room: Final = room
        self.lying: Final[list[list[int]]] = [[] for _ in room]
        """The numbers of each place's cards."""
        self._places: Final[list[int]] = []
        self._visited: i64 = 0

    def add(self, places: i64) -> bool:
        """Add a card with some allowed places. Returns False without room."""
        self._places.append(places)
        self._visited = 0
        return self._find(len(self._places) - 1)

    def _find(self, card: int) -> bool:
        left: i64 = self._places[card]
        place: i64 = 0
        while left:
            if left & 1 and not self._visited >> place & 1:
                self._visited |= 1 << place
                here = self.lying[place]
                if len(here) < self._room[place]:
                    here.append(card)
                    return True
                for number, other in enumerate(here):
                    if self._find(other):
                        here[number] = card
                        return True
            left >>= 1
            place += 1
        return False


def first_arrangement(case: Case, laid: Cards, layers: int) -> list[Cards] | None:
    """Return an arrangement of a case, or None.

    On hard views this is much faster than counting. The same number of copies of `laid` must be in the places `layers`.
    """
    matching = _Matching([size - (bit != 0) for size, bit in zip(case.room, case.fixed, strict=True)])
    cards: list[int] = []
    rest = case.cards.lo
    while rest:
        bit = rest & -rest
        rest ^= bit
        places: i64 = 0
        for place, faces in enumerate(case.allowed):
            if faces & bit:
                places |= 1 << place
        cards.append(int(bit))
        if not matching.add(places & layers if laid.lo & bit else places):
            return None
        if case.cards.hi & bit:
            cards.append(int(bit))
            if not matching.add(places & layers if laid.hi & bit else places):
                return None
    found: list[Cards] = []
    for place, lying in enumerate(matching.lying):
        lo, hi = case.fixed[place], 0
        for number in lying:
            hi |= lo & cards[number]
            lo |= cards[number]
        found.append(bag_of(lo, hi))
    return found
