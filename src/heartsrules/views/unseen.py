"""Whether some arrangement of the unseen cards agrees with all that a seat knows of a deal.

The plays narrow the faces that each hidden hand may hold (`heartsrules.views.inferring`). An arrangement exists exactly
when the unseen cards can be matched to the hands and the kitty within those sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from heartsrules.cards import NO_CARDS, Card, Cards, bag_of, either, face, popcount
from heartsrules.play.board import TrickState
from heartsrules.play.moves import Play
from heartsrules.play.public import open_of, waiting_of
from heartsrules.play.tricks import fixed_leader
from heartsrules.play.view_classes import DealView
from heartsrules.rules import Seat
from heartsrules.rules.resolved import ResolvedRules
from heartsrules.views.inferring import lowest_candidates, narrow
from heartsrules.views.passed_cards import laid_away, passed_to

KITTY: Final = -1
"""Stands for the kitty among the seats."""
_PART: Final = -2
"""Stands, among the seats, for the part of a hand with a constraint of its own."""


def could_be(played: DealView, hand: Cards, trick: tuple[Play, ...], hearts_broken: bool) -> bool:
    """Whether some hidden hands agree with what a seat knows of a deal in play, or of one just played.

    The seat's own plays are taken to be legal. A position set up without its history is judged by the plays since.

    Args:
        played: the deal up to its last completed trick.
        hand: the seat's hand; empty for a spectator, and after the last trick.
        trick: the plays of the current trick.
        hearts_broken: whether hearts are broken now.
    """
    try:
        deal = HiddenCards(played, hand, trick)
    except ValueError:  # a card for the third time
        return False
    return deal.fits and deal.plays_could_be_legal(hearts_broken) and deal.led_rightly()


class HiddenCards:
    """The cards that a seat does not see, and the constraints on where they lie. Masks are those of `Cards`.

    The arguments are those of `could_be`. `plays_could_be_legal` adds the constraints that follow from the plays.

    Raises:
        ValueError: a third copy of a card.
    """

    def __init__(self, played: DealView, hand: Cards, trick: tuple[Play, ...]) -> None:
        start = played.start
        rules = start.rules
        own = played.seat
        self.deal = played
        self.trick = trick
        self.resolved: ResolvedRules = rules.resolved
        self.whole = len(played.tricks) == played.trick_number
        """Whether the deal is known from its first trick on."""
        plays_by_seat: list[list[Play]] = [[] for _ in range(rules.players)]
        for plays in self.tricks():
            for play in plays:
                plays_by_seat[play.seat].append(play)
        left = rules.cards_per_hand - played.trick_number
        has_played = {play.seat for play in trick}
        given = passed_to(played) if self.whole else {}
        nothing: tuple[Cards, tuple[Seat, ...]] = (NO_CARDS, ())
        self.put_in, self.layers = laid_away(played) if self.whole else nothing
        """The cards that the seat laid into the middle and did not get back, and the seats that hold them."""
        self._part_of = False
        """Whether `_PART` belongs to one of `layers`."""
        self.known: list[Cards] = []
        """By seat, the cards that it is known to have held before the first known play."""
        self.room: dict[int, int] = {}
        """By other seat, and for the kitty: the number of its cards that are unknown."""
        seen = [hand, played.set_aside, Cards([play.card for play in trick]), *played.captured]
        face_up = open_of(start.exposed, played.captured, played.set_aside, trick)
        for seat, plays_of_seat in enumerate(plays_by_seat):
            cards = Cards([play.card for play in plays_of_seat])
            if seat == own:
                self.known.append(hand + cards)
                continue
            known = either(either(cards, given.get(seat, NO_CARDS)), face_up[seat])
            self.known.append(known)
            seen.append(known - cards)
            self.room[seat] = left - (seat in has_played) - len(known) + len(cards)
        if played.kitty is None:
            self.room[KITTY] = rules.kitty_size
        cards = sum(seen, start=NO_CARDS)
        self.unseen = rules.deck - cards
        self.fits = cards <= rules.deck and min(self.room.values()) >= 0 and self._room_for_all()
        exposed_mask = start.exposed_mask
        for seat, plays_of_seat in enumerate(plays_by_seat):
            for play in plays_of_seat:
                # Nobody plays what another has shown.
                if play.bit & exposed_mask & ~start.exposed[seat].lo:
                    self.fits = False
        self.holdable = {seat: self.unseen.lo for seat, room in self.room.items() if seat != KITTY and room}
        """By other seat with unknown cards: the faces that these may be, as a mask."""

    def _room_for_all(self) -> bool:
        return sum(self.room.values()) == len(self.unseen)

    def tricks(self) -> Iterator[tuple[Play, ...]]:
        """The plays of every known trick, the current one included."""
        for completed in self.deal.tricks:
            yield completed.plays
        yield self.trick

    def plays_could_be_legal(self, hearts_broken: bool) -> bool:
        """Narrow `holdable` by the plays; False if one of them was illegal whatever the hidden cards."""
        played = self.deal
        first = played.trick_number - len(played.tricks)
        waiting = waiting_of(played.start.exposed_mask, played.start.led_before, ())
        own = played.seat
        seats = range(len(self.known))
        narrowed = dict.fromkeys(self.holdable, 0)
        possible = False
        # Without the history, hearts may have been broken before.
        for broken in (False, True) if first and hearts_broken else (False,):
            candidates = [-1 if seat == own else self.holdable.get(seat, 0) for seat in seats]
            state = TrickState(self.resolved)
            state.trick_number = first
            state.broken = broken
            state.waiting = waiting
            if narrow(state, played.tricks, self.trick, self.known, candidates):
                possible = True
                for seat in narrowed:
                    narrowed[seat] |= candidates[seat]
        if possible:
            self.holdable = narrowed
        return possible

    def led_rightly(self) -> bool:
        """Whether an arrangement exists in which the right seat led to the first trick."""
        return self._fit(self.known, self.unseen, self.room, self.holdable)

    def may_hold(self, seat: Seat, faces: int, count: int, among: int) -> bool:
        """Whether another seat may now hold `count` cards of `faces`, at least one of them among `among`.

        Args:
            seat: a seat other than the viewer's.
            faces: a mask, such as that of a suit.
            count: at least 1.
            among: a subset of `faces`.
        """
        gone = Cards([play.card for plays in self.tricks() for play in plays if play.seat == seat])
        held = self.known[seat] - gone
        having = popcount(held.lo & faces) + popcount(held.hi & faces)
        may = self.holdable.get(seat, 0)
        # The card of `among` is a known one, or each unseen one in turn.
        wanted: list[Card | None] = [None] if held.lo & among else [*bag_of(may & among, 0)]
        for card in wanted:
            more = max(count - having - (card is not None), 0)
            rest = self.room.get(seat, 0) - more - (card is not None)
            if rest < 0:
                continue
            unseen, known = self.unseen, list(self.known)
            if card is not None:
                unseen -= Cards([card])
                known[seat] += Cards([card])
            room, holdable = {**self.room, seat: rest}, dict(self.holdable)
            if more:
                self._part_of = seat in self.layers
                room[_PART] = more
                holdable[_PART] = may & faces
            if self._fit(known, unseen, room, holdable):
                return True
        return False

    def _fit(self, known: Sequence[Cards], unseen: Cards, room: dict[int, int], holdable: dict[Seat, int]) -> bool:
        start = self.deal.start
        fixed = fixed_leader(start.rules.resolved, start.dealer, start.score_sheet.queen_taker)
        if fixed is not None or not self.whole:
            return self._enough(known, unseen, room, holdable)
        leader = self.deal.tricks[0].leader if self.deal.tricks else self.deal.leader
        for lowest, may in _first_openers(self.deal, known, unseen, room.get(KITTY, 0), holdable):
            if lowest in known[leader]:
                if self._enough(known, unseen, room, may):
                    return True
            elif may.get(leader, 0) & lowest.bit:
                rest = {**room, leader: room[leader] - 1}
                card = Cards([lowest])
                held = [cards + card if seat == leader else cards for seat, cards in enumerate(known)]
                if self._enough(held, unseen - card, rest, may):
                    return True
        return False

    def _lies_with_layers(
        self, known: Sequence[Cards], lo: int, hi: int, room: dict[int, int], holdable: dict[Seat, int]
    ) -> tuple[int, int, dict[Seat, int]] | None:
        """Masks of the unseen cards and of `holdable` in which laid cards that are unseen lie with `layers`; None: they
        cannot.

        Where one of two unseen copies was laid, it has a bit of its own, beyond the 52 faces.
        """
        holdable = {**holdable, **({KITTY: lo} if KITTY in room else {})}
        spare = 1 << 52
        for card in self.put_in.distinct():
            bit = card.bit
            missing = self.put_in.count(card) - sum([known[seat].count(card) for seat in self.layers])
            copies = (lo & bit != 0) + (hi & bit != 0)
            if missing > copies:
                return None
            if missing < 1:
                continue
            if missing < copies:
                lo, hi, bit = lo | spare, hi ^ bit, spare
                spare <<= 1
            for seat, faces in holdable.items():
                with_layer = self._part_of if seat == _PART else seat in self.layers
                holdable[seat] = faces & ~bit | (bit if with_layer and faces & card.bit else 0)
        return lo, hi, holdable

    def _enough(self, known: Sequence[Cards], unseen: Cards, room: dict[int, int], holdable: dict[Seat, int]) -> bool:
        """Hall's condition: every set of hands has enough cards that it may hold; the kitty takes any but laid ones."""
        lo, hi = unseen.lo, unseen.hi
        if self.put_in:
            found = self._lies_with_layers(known, lo, hi, room, holdable)
            if found is None:
                return False
            lo, hi, holdable = found
        wanted: dict[int, int] = {}
        for seat, faces in holdable.items():
            if room[seat] and faces & lo != lo:
                wanted[faces & lo] = wanted.get(faces & lo, 0) + room[seat]
        sets = [(0, 0)]
        for faces, count in wanted.items():
            for others, more in sets[:]:
                union, total = others | faces, more + count
                if total > popcount(lo & union) + popcount(hi & union):
                    return False
                sets.append((union, total))
        return True


def _first_openers(
    played: DealView, known: Sequence[Cards], unseen: Cards, kitty: int, holdable: Mapping[Seat, int]
) -> Iterator[tuple[Card, dict[Seat, int]]]:
    """The `lowest_candidates` of a deal known from its first trick on, each with what remains of `holdable`."""
    start = played.start
    leader = played.tricks[0].leader if played.tricks else played.leader
    may = [holdable.get(seat, -1) for seat in range(start.rules.players)]
    for lowest, left in lowest_candidates(start.rules, start.dealer, leader, known, unseen, kitty, may):
        yield face(lowest), {seat: left[seat] for seat in holdable}
