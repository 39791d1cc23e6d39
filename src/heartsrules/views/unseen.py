"""Whether the cards that a seat has not seen can lie so that everything it knows of a deal could have happened.

What a play tells of a hidden hand is asked of the legality pipeline itself. Each stage of it bars the card that was
played on account of single cards beside it, never of several together, so every hand has a set of faces that it may
still hold, and the unseen cards lie somewhere exactly when they fit into the hands and the kitty by those sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from heartsrules.cards import NO_CARDS, SUIT_MASKS, Card, Cards, bag_of, either, face, popcount
from heartsrules.play.legality import beaten_by, playable
from heartsrules.play.moves import Play
from heartsrules.play.passing import receivers
from heartsrules.play.state import faces_of, open_of, waiting_of
from heartsrules.play.tricks import breaks_hearts, fixed_leader
from heartsrules.play.view_classes import DealStartView, PlayedDealView
from heartsrules.rules import Seat
from heartsrules.rules.compiled import CompiledRules
from heartsrules.views.inferring import openers, telling

__all__ = ["KITTY", "HiddenCards", "could_be", "passed_to"]

KITTY: Final = -1
"""In place of a seat, the kitty."""
_PART: Final = -2
"""In place of a seat, a part of a hand for which something else is asked."""


def could_be(played: PlayedDealView, hand: Cards, trick: tuple[Play, ...], hearts_broken: bool) -> bool:
    """Whether any hidden hands lead to what a seat knows of a deal that is being played, or has just been.

    The seat's own plays are taken for legal. Of a position set up without its history, only what was played since
    tells anything.

    Args:
        played: the deal as far as its tricks are completed.
        hand: the seat's hand; of a spectator, and after the last trick, empty.
        trick: the plays of the current trick.
        hearts_broken: whether hearts are broken now.

    Returns:
        False if no cards of the other seats and of the kitty fit.
    """
    try:
        deal = HiddenCards(played, hand, trick)
    except ValueError:  # a card for the third time
        return False
    return deal.fits and deal.plays_could_be_legal(hearts_broken) and deal.led_rightly()


class HiddenCards:
    """A deal in play, with what is known of each hidden hand. Masks are those of `Cards`.

    The arguments are those of `could_be`. After `plays_could_be_legal` it knows what the plays have told, too.

    Raises:
        ValueError: a card is there for the third time.
    """

    def __init__(self, played: PlayedDealView, hand: Cards, trick: tuple[Play, ...]) -> None:
        start = played.start
        rules = start.rules
        own = start.seat
        self.deal = played
        self.trick = trick
        self.compiled: CompiledRules = rules.compiled
        self.whole = len(played.tricks) == played.trick_number
        """Whether the deal is known from its first trick on."""
        plays_by_seat: list[list[Play]] = [[] for _ in range(rules.players)]
        for plays in self.tricks():
            for play in plays:
                plays_by_seat[play.seat].append(play)
        left = rules.cards_per_hand - played.trick_number
        has_played = {play.seat for play in trick}
        given = passed_to(start) if self.whole else {}
        self.known: list[Cards] = []
        """By seat, the cards that it is known to have held before the first known play."""
        self.room: dict[int, int] = {}
        """How many cards of each other seat, and of the kitty, are not known."""
        seen = [hand, played.set_aside, Cards([play.card for play in trick]), *played.captured]
        lying_open = open_of(start.shown, played.captured, played.set_aside, trick)
        for seat, plays_of_seat in enumerate(plays_by_seat):
            cards = Cards([play.card for play in plays_of_seat])
            if seat == own:
                self.known.append(hand + cards)
                continue
            known = either(either(cards, given.get(seat, NO_CARDS)), lying_open[seat])
            self.known.append(known)
            seen.append(known - cards)
            self.room[seat] = left - (seat in has_played) - len(known) + len(cards)
        if played.kitty is None:
            self.room[KITTY] = rules.kitty_size
        cards = sum(seen, start=NO_CARDS)
        self.unseen = rules.deck - cards
        self.fits = cards <= rules.deck and min(self.room.values()) >= 0 and self._room_for_all()
        exposed = faces_of(start.shown)
        for seat, plays_of_seat in enumerate(plays_by_seat):
            for play in plays_of_seat:
                # Nobody plays what another has shown.
                if play.bit & exposed & ~start.shown[seat].lo:
                    self.fits = False
        self.holdable = {seat: self.unseen.lo for seat, room in self.room.items() if seat != KITTY and room}
        """The faces that each other seat may hold besides those that are known."""

    def _room_for_all(self) -> bool:
        return sum(self.room.values()) == len(self.unseen)

    def tricks(self) -> Iterator[tuple[Play, ...]]:
        """The plays of every known trick, the current one included."""
        for completed in self.deal.tricks:
            yield completed.plays
        yield self.trick

    def plays_could_be_legal(self, hearts_broken: bool) -> bool:
        """Go through the plays, and strike out what each of them bars from its hand. False: a play is illegal from
        what is known of its hand alone."""
        played, compiled = self.deal, self.compiled
        own = played.start.seat
        held = list(self.known)
        first = played.trick_number - len(played.tricks)
        waiting = waiting_of(faces_of(played.start.shown), played.led_before, ())
        # Without the history hearts may have been broken before; a card is barred only if it is barred either way.
        broken = (False, True) if first and hearts_broken else (False,)
        for number, plays in enumerate(self.tricks(), first):
            led = 0
            for place, play in enumerate(plays):
                seat, bit = play.seat, play.bit
                beaten = beaten_by(compiled, plays[:place])
                if seat != own:

                    def legal(
                        hand: int,
                        bit: int = bit,
                        led: int = led,
                        number: int = number,
                        broken: tuple[bool, ...] = broken,
                        beaten: int = beaten,
                        waiting: int = waiting,
                    ) -> bool:
                        for either in broken:
                            if playable(compiled, hand, led, number == 0, either, beaten, waiting, None) & bit:
                                return True
                        return False

                    others = self.holdable.get(seat, 0)
                    cards = telling(compiled, held[seat].lo, led, waiting, bit)
                    if not legal(cards | others):
                        if not legal(cards):
                            return False
                        self.holdable[seat] = _beside(legal, cards, others)
                held[seat] -= Cards([play.card])
                if not all(broken) and breaks_hearts(compiled, led, bit):
                    broken = (True,)
                led = led or play.suit_mask
            waiting &= ~led
        return True

    def led_rightly(self) -> bool:
        """Whether the unseen cards fit, and the seat that led to the first trick was the one to lead."""
        return self._fit(self.known, self.unseen, self.room, self.holdable)

    def may_hold(self, seat: Seat, faces: int, count: int, among: int) -> bool:
        """Whether another seat may hold so many cards of some faces now, and one of them among some of these.

        Args:
            seat: not the seat whose view it is.
            faces: such as those of a suit, as a mask.
            count: at least 1.
            among: those of them of which the seat must hold one.
        """
        gone = Cards([play.card for plays in self.tricks() for play in plays if play.seat == seat])
        held = self.known[seat] - gone
        having = popcount(held.lo & faces) + popcount(held.hi & faces)
        may = self.holdable.get(seat, 0)
        # The card that must be there is known to be, or it is any of the unseen ones; the rest are any of the faces.
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
                # A hand of its own for the other cards of these faces.
                room[_PART] = more
                holdable[_PART] = may & faces
            if self._fit(known, unseen, room, holdable):
                return True
        return False

    def _fit(self, known: Sequence[Cards], unseen: Cards, room: dict[int, int], holdable: dict[Seat, int]) -> bool:
        start = self.deal.start
        fixed = fixed_leader(start.rules, start.dealer, start.deal_scores.queen_taker)
        if fixed is not None or not self.whole:
            return self._enough(unseen, room, holdable)
        leader = self.deal.tricks[0].leader if self.deal.tricks else self.deal.leader
        for lowest, may in _first_openers(self.deal, known, unseen, room.get(KITTY, 0), holdable):
            if lowest in known[leader]:
                if self._enough(unseen, room, may):
                    return True
            elif may.get(leader, 0) & lowest.bit:
                rest = {**room, leader: room[leader] - 1}
                if self._enough(unseen - Cards([lowest]), rest, may):
                    return True
        return False

    def _enough(self, unseen: Cards, room: dict[int, int], holdable: dict[Seat, int]) -> bool:
        """Whether every set of hands finds enough cards that it may hold (Hall's theorem); the kitty takes any."""
        lo, hi = unseen.lo, unseen.hi
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
    played: PlayedDealView, known: Sequence[Cards], unseen: Cards, kitty: int, holdable: Mapping[Seat, int]
) -> Iterator[tuple[Card, dict[Seat, int]]]:
    """What `openers` tells of a deal that is known from its first trick on: each card that the lowest can have been.

    With it comes what then remains of `holdable`, the faces that the hidden hands may hold.
    """
    start = played.start
    leader = played.tricks[0].leader if played.tricks else played.leader
    may = [holdable.get(seat, -1) for seat in range(start.rules.players)]
    faces = [cards.lo for cards in known]
    for lowest, left in openers(start.rules, start.dealer, leader, faces, unseen, kitty, may):
        yield face(lowest), {seat: left[seat] for seat in holdable}


def passed_to(start: DealStartView) -> dict[Seat, Cards]:
    """What the seat of the view passed to each of the others."""
    given: dict[Seat, Cards] = {}
    own, commitment = start.seat, start.commitment
    if own is not None and commitment is not None:
        for (giver, number), to in receivers(start.rules, start.deal_number, start.declined).items():
            if giver == own:
                given[to] = given.get(to, NO_CARDS) + commitment.gifts[number]
    return given


def _beside(legal: Callable[[int], bool], held: int, faces: int) -> int:
    """The faces beside which a card would still be legal from a hand, whole suits at a time where that will do."""
    beside = 0
    for suit in SUIT_MASKS:
        parts = [faces & suit]
        while parts:
            part = parts.pop()
            if part and legal(held | part):
                beside |= part
            elif part & (part - 1):
                # The upper half of the cards, and the lower.
                half = part
                for _ in range(popcount(part) // 2):
                    half &= half - 1
                parts += [half, part ^ half]
    return beside
