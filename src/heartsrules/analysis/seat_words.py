"""Encode observations as rows of 64-bit words and as 32-bit floats, without NumPy.

`SeatKnowledge` selects the observable parts of a view, and an `Encoder` lays them out as words or floats. A `WordTable`
keeps the words, in the order of `TableWords`, up to date while cards are played.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final, final

from heartsrules.analysis.card_choice import highest_face
from heartsrules.cards import NO_CARDS, Card, Cards, bag_of
from heartsrules.play.moves import Play
from heartsrules.play.phases import Phase
from heartsrules.play.public import DealStart, playable_now
from heartsrules.play.view_classes import (
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
    SeenDeal,
    View,
)
from heartsrules.rules import KittyShownTo, PassOptional, Rules, Seat
from heartsrules.rules.resolved import LEADER_QUEEN_TAKER, ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

DECLINE_BIT: Final = 0x10000000000000
"""The bit of action 52, which declines a pass or ends an exposure.

The lower bits are cards.
"""
MOON_BITS: Final = 0x60000000000000
"""The bits of actions 53 and 54, a shooter's choices.

They add the moon to the others, or subtract it.
"""

TOTALS_BOUND: Final = 4.0
"""The bound of totals in observations, in units on either side of 0."""

PHASES: Final = tuple([phase for phase in Phase if phase is not Phase.DEAL_BACK])
"""The phases in an observation.

No agent acts in `DEAL_BACK`, so it is encoded as `PASS`.
"""

LEGAL: Final = 0
SEAT: Final = 1
DEAL: Final = 2

# Of the word `deal`: the phase has the first six bits.
AWAITED: Final = 1
PASS: Final = 2
EXPOSE: Final = 4
PLAY: Final = 8
MOON: Final = 16
OVER: Final = 32
BROKEN: Final = 64
TRICK: Final = 256
STEP: Final = 65536
NUMBER: Final = 4294967296

# Of the word `about` of a seat.
COMMITTED: Final = 1
DECLINED: Final = 2
TAKER: Final = 4
LEADS: Final = 8
TURN: Final = 16
DEALER: Final = 32
HAD_QUEEN: Final = 64
WON: Final = 65536
FAILED: Final = [256, 512, 1024, 2048]
"""The bit for not having followed each suit."""

# ------------------------------------------------------------------------------------------------- legal picks


def pickable(resolved: ResolvedRules, hand_lo: i64, hand_hi: i64, picked_lo: i64, picked_hi: i64) -> i64:
    """Return the cards that a seat can pick next for a pass.

    Args:
        hand_lo: the cards held.
        hand_hi: the cards held twice.
        picked_hi: the cards picked twice.
    """
    once = hand_hi & picked_lo & ~picked_hi | hand_lo & ~hand_hi & ~picked_lo
    return (once | hand_hi & ~picked_lo) & ~resolved.unpassable


def showable(resolved: ResolvedRules, hand_lo: i64, picked: i64) -> i64:
    """Return the cards that a seat can pick next to expose.

    These are the exposable cards after all picked ones, in card order.

    Args:
        hand_lo: the hand, without previously exposed cards.
        picked: the picked cards.
    """
    faces = hand_lo & resolved.exposable
    return faces & ~(2 * highest_face(picked) - 1) if picked else faces


def legal_actions(view: View, picks: Sequence[Card | None]) -> i64:
    """Return the legal actions after these picks as a mask, or 0 if out of turn."""
    resolved = view.rules._resolved
    picked = _bag(picks)
    if isinstance(view, PlayingView):
        if view.turn == view.own.seat:
            return playable_now(view, view.hand.lo)
    elif isinstance(view, PassingView):
        if view.seat is not None and view.commitment is None:
            if picks and not picked.lo:
                return DECLINE_BIT
            cards = pickable(resolved, view.hand.lo, view.hand.hi, picked.lo, picked.hi)
            return cards | DECLINE_BIT if resolved.may_decline and not picks else cards
    elif isinstance(view, ExposingView):
        if view.seat is not None and view.seat in view.to_act:
            held = view.hand.lo & ~view.start.exposed[view.seat].lo
            return showable(resolved, held, picked.lo) | DECLINE_BIT
    elif isinstance(view, ChoosingMoonView) and view.shooter == view.seat:
        return MOON_BITS
    return 0


# ------------------------------------------------------------------------------------------------- rows of words


def most_gifts(rules: Rules) -> int:
    return max([len(step) for step in rules.pass_cycle])


@final
class TableWords:
    """The layout of a table's words for a rule set.

    It starts with `legal`, `seat` (the seat to act), `deal` and the cards set aside, followed by one word per seat for
    each part. An offset of -1 means that the rules have no such part.
    """

    def __init__(self, rules: Rules) -> None:
        two = rules.decks == 2
        gifts = most_gifts(rules)
        kitty = rules.kitty_size > 0
        self.rules: Final = rules
        self.gifts: Final[int] = gifts
        self.players: Final = rules.players
        self.steps: Final = len(rules.pass_cycle)
        self._size: int = 3
        self.aside: Final[i64] = self._take(two, 2)
        """The cards set aside, and those set aside twice."""
        # Public parts.
        self.about: Final[i64] = self._part(True)
        self.trick: Final[i64] = self._part(True)
        self.played_lo: Final[i64] = self._part(True)
        self.played_hi: Final[i64] = self._part(two)
        self.captured_lo: Final[i64] = self._part(True)
        self.captured_hi: Final[i64] = self._part(two)
        self.exposed: Final[i64] = self._part(rules._resolved.exposable != 0)
        self.totals: Final[i64] = self._part(True)
        # Private parts.
        self.hand_lo: Final[i64] = self._part(True)
        self.hand_hi: Final[i64] = self._part(two)
        self.next_gift: Final[i64] = self._part(gifts > 0)
        self.received_lo: Final[i64] = self._part(gifts > 0)
        self.received_hi: Final[i64] = self._part(gifts > 0 and two)
        self.showing: Final[i64] = self._part(rules._resolved.exposable != 0)
        self.kitty_lo: Final[i64] = self._part(kitty)
        self.kitty_hi: Final[i64] = self._part(kitty and two)
        shown_to_taker = kitty and rules.kitty_shown_to is KittyShownTo.TAKER
        self.own_captured_lo: Final[i64] = self._part(shown_to_taker)
        """The pile from its owner's view, where only the taker sees the kitty."""
        self.own_captured_hi: Final[i64] = self._part(shown_to_taker and two)
        self.gifts_lo: Final[i64] = self._take(gifts > 0, gifts * rules.players)
        """The cards for each recipient, one word per seat."""
        self.gifts_hi: Final[i64] = self._take(gifts > 0 and two, gifts * rules.players)
        self.size: Final = self._size
        self.places: Final[dict[str, slice]] = {}
        """The slices of an observation, by part name."""
        start = 0
        for name, whose, _, rows in self.parts():
            stop = start + (rules.players if whose == "seats" else rows)
            self.places[name] = slice(start, stop)
            start = stop

    def _take(self, there: bool, count: int) -> int:
        if not there:
            return -1
        self._size += count
        return self._size - count

    def _part(self, there: bool) -> int:
        return self._take(there, self.players)

    def parts(self) -> list[tuple[str, str, int, int]]:
        """Return the parts of an observation, in order.

        Returns:
            Each part's name, owner (`table`, `own` or `seats`), offset of its first word, and number of rows.
        """
        found = [("legal", "table", LEGAL, 1), ("deal", "table", DEAL, 1)]
        two = self.rules.decks == 2

        def add(name: str, whose: str, lo: int, hi: int, rows: int = 1) -> None:
            if lo >= 0:
                found.append((name, whose, lo, rows))
                if two and hi >= 0:
                    found.append((f"{name}_twice", whose, hi, rows))

        if self.aside >= 0:
            found.append(("set_aside", "table", int(self.aside), 1))
            found.append(("set_aside_twice", "table", int(self.aside) + 1, 1))
        add("hand", "own", int(self.hand_lo), int(self.hand_hi))
        add("gifts", "own", int(self.gifts_lo), int(self.gifts_hi), self.gifts)
        add("next_gift", "own", int(self.next_gift), -1)
        add("received", "own", int(self.received_lo), int(self.received_hi))
        add("showing", "own", int(self.showing), -1)
        add("kitty", "own", int(self.kitty_lo), int(self.kitty_hi))
        add("about", "seats", int(self.about), -1)
        add("exposed", "seats", int(self.exposed), -1)
        add("trick", "seats", int(self.trick), -1)
        add("played", "seats", int(self.played_lo), int(self.played_hi))
        add("captured", "seats", int(self.captured_lo), int(self.captured_hi))
        add("totals", "seats", int(self.totals), -1)
        return found

    def seen_by(self, seat: Seat) -> list[int]:
        """Return the offsets of the words that a seat can see.

        They are in the order of `parts`, with seats counted from its own.
        """
        places: list[int] = []
        for name, whose, first, rows in self.parts():
            if whose == "table":
                places.append(first)
            elif whose == "own":
                places += [first + row * self.players + seat for row in range(rows)]
            else:
                around = [first + (seat + place) % self.players for place in range(self.players)]
                if name == "captured" and self.own_captured_lo >= 0:
                    around[0] = int(self.own_captured_lo) + seat
                if name == "captured_twice" and self.own_captured_hi >= 0:
                    around[0] = int(self.own_captured_hi) + seat
                places += around
        return places


# ------------------------------------------------------------------------------------------------- a view


@final
class SeenSeat:
    """The observable facts about a seat other than its piles of cards."""

    def __init__(self, number: i64) -> None:
        self.number: Final[i64] = number
        self.about: i64 = 0
        self.trick: i64 = 0
        self.played_lo: i64 = 0
        self.played_hi: i64 = 0


@final
class SeatKnowledge:
    """The observable facts of a view, before encoding as words.

    Args:
        view: a seat's view, or a spectator's, who observes from seat 0.
        picks: the cards picked so far for a pass or an exposure. A single None means DECLINE.
        last_deal: True to include the last deal between two deals.
    """

    def __init__(self, view: View, picks: Sequence[Card | None], last_deal: bool = False) -> None:
        resolved = view.rules._resolved
        players = resolved.players
        self.view: Final = view
        self.picks: Final = picks
        self.seat: Final[Seat] = 0 if view.seat is None else view.seat
        self.seats: Final = [SeenSeat(number) for number in range(players)]
        self.around: Final = [self.seats[number] for number in range(self.seat - players, self.seat)]
        """The seats, starting with the observer's own."""
        self.phase: i64 = AWAITED
        self.broken: bool = False
        self.deal_number: Final[int] = view.deal_number
        self.totals: Final[tuple[int, ...]] = view.score_sheet.totals
        self.hand: Cards = NO_CARDS
        self.gifts: Sequence[Cards] = ()
        self.next_gift: i64 = 0
        self.received: Cards = NO_CARDS
        self.showing: i64 = 0
        self.exposed: tuple[Cards, ...] = resolved.nothing
        self.trick_number: int = 0
        self.tricks_won: tuple[int, ...] = ()
        """The number of tricks won by each seat, or empty before the first lead."""
        self.captured: tuple[Cards, ...] = resolved.nothing
        self.set_aside: Cards = NO_CARDS
        self.kitty: Cards = NO_CARDS
        self.seats[resolved.dealer(self.deal_number)].about |= DEALER
        queen_taker = view.score_sheet.queen_taker
        if queen_taker is not None and resolved.opening_leader == LEADER_QUEEN_TAKER:
            self.seats[queen_taker].about |= HAD_QUEEN
        if isinstance(view, PlayingView):
            self.phase = PLAY
            self.hand = view.hand
            self.broken = view.hearts_broken
            self.seats[view.turn].about |= TURN
            self._see_deal(view)
            self._add(view.trick)
            for play in view.trick:
                self.seats[play.seat].trick = play.bit
        elif isinstance(view, PassingView):
            self.phase = PASS
            self.hand = view.hand
            self._commit(view.committed)
            if view.commitment is not None:
                self.gifts = view.commitment.cards
            elif view.seat is not None:
                self._pick(resolved.gift_sizes[self.deal_number % len(resolved.gift_sizes)])
        elif isinstance(view, DealingBackView):
            self.phase = PASS
            self.hand = view.hand
            self._commit(range(players))
            if view.commitment is not None:
                self.gifts = view.commitment.cards
        elif isinstance(view, ExposingView):
            self.phase = EXPOSE
            self.hand = view.hand
            self._commit(view.committed)
            self._see_start(view)
            self.showing = _bag(picks).lo if view.exposure is None else view.exposure.cards.lo
        elif isinstance(view, ChoosingMoonView):
            self.phase = MOON
            self.seats[view.shooter].about |= TURN
            self._see_deal(view.last_deal)
        elif isinstance(view, GameOverView):
            self.phase = OVER
            self._see_deal(view.last_deal)
        elif last_deal and view.last_deal is not None:
            self._see_deal(view.last_deal)

    def legal(self) -> i64:
        return legal_actions(self.view, self.picks)

    def _commit(self, seats: Collection[Seat]) -> None:
        for seat in seats:
            self.seats[seat].about |= COMMITTED

    def _pick(self, sizes: tuple[int, ...]) -> None:
        picks = self.picks
        if picks and picks[0] is None:
            # Declining is possible only in a pass of one gift.
            self.next_gift = 1
            return
        gifts: list[Cards] = []
        first: i64 = 0
        while len(gifts) < len(sizes) - 1 and first + sizes[len(gifts)] <= len(picks):
            last: i64 = first + sizes[len(gifts)]
            gifts.append(_bag(picks[first:last]))
            first = last
        self.next_gift = 1 << len(gifts)
        gifts.append(_bag(picks[first:]))
        self.gifts = gifts

    def _see_start(self, dealt: ExposingView | PlayingView | SeenDeal) -> None:
        own = dealt.own
        if own.commitment is not None:
            self.gifts = own.commitment.cards
            self.received = own.received
        start = dealt.start
        self.exposed = start.exposed
        for seat, count in enumerate(start.pass_counts):
            if not count:
                self.seats[seat].about |= DECLINED

    def _see_deal(self, played: PlayingView | SeenDeal) -> None:
        self._see_start(played)
        public = played.public
        self.seats[public.leader].about |= LEADS
        self.trick_number = public.trick_number
        self.tricks_won = public.tricks_won
        self.captured = played.captured
        self.set_aside = public.set_aside
        if public.kitty_winner is not None:
            self.seats[public.kitty_winner].about |= TAKER
            self.kitty = played.kitty or NO_CARDS
        for done in public.tricks:
            self._add(done.plays)

    def _add(self, plays: tuple[Play, ...]) -> None:
        if not plays:
            return
        led = plays[0]._suit_mask
        failed: i64 = FAILED[plays[0].card.index // 13]
        for play in plays:
            seat = self.seats[play.seat]
            bit = play.bit
            seat.played_hi |= seat.played_lo & bit
            seat.played_lo |= bit
            if not bit & led:
                seat.about |= failed


def _bag(picks: Sequence[Card | None]) -> Cards:
    lo: i64 = 0
    hi: i64 = 0
    for card in picks:
        if card is not None:
            hi |= lo & card.bit
            lo |= card.bit
    return bag_of(lo, hi)


# ------------------------------------------------------------------------------------------------- words and floats


def _place(bit: int) -> int:
    return bit.bit_length() - 1


SOURCES: Final[dict[str, tuple[str, int, int]]] = {
    "phase": ("deal", 0, len(PHASES)),
    "hearts_broken": ("deal", _place(BROKEN), 1),
    "next_gift": ("next_gift", 0, 0),
    "committed": ("about", _place(COMMITTED), 1),
    "declined": ("about", _place(DECLINED), 1),
    "kitty_winner": ("about", _place(TAKER), 1),
    "leader": ("about", _place(LEADS), 1),
    "turn": ("about", _place(TURN), 1),
    "dealer": ("about", _place(DEALER), 1),
    "queen_taker": ("about", _place(HAD_QUEEN), 1),
    "failed_to_follow": ("about", _place(FAILED[0]), 4),
}
"""Sources of vector parts that are bits of words.

Each is a word, its lowest bit and the number of bits. With 0 bits there is one per recipient. Other parts are cards,
under the name of their word, or numbers.
"""
NUMBERS: Final[dict[str, tuple[str, int, int]]] = {
    "pass_step": ("deal", _place(STEP), 16),
    "trick_number": ("deal", _place(TRICK), 8),
    "tricks_won": ("about", _place(WON), 6),
    "totals": ("totals", 0, 0),
    "deal_number": ("deal", _place(NUMBER), 0),
}
"""Sources of numeric parts, with 0 for all bits from the lowest one on."""


_FLAGS: Final[list[bytes]] = []
"""Thirteen bytes of 0 or 1 for each pattern of thirteen bits."""
_FLOATS: Final[list[bytes]] = []
"""The same as 32-bit floats."""
_ZERO: Final = bytes(4)
_ONE: Final = struct.pack("=f", 1.0)
_TWO: Final = struct.pack("=f", 2.0)
_NOTHING: Final = bytearray()
_BLANK: Final = bytes(4 * 52)
_FOURS: Final[list[bytes]] = []
"""The same for four bits."""
_LAST_FLAGS: Final[list[bytes]] = [bytes([bits & 1, bits >> 1 & 1, bits >> 2]) for bits in range(8)]


def _fill_in() -> None:
    for table, digits in ((_FLAGS, (b"\0", b"\1")), (_FLOATS, (_ZERO, _ONE))):
        low, high = [[b"".join(pattern[::-1]) for pattern in product(digits, repeat=count)] for count in (6, 7)]
        table.extend([few + more for more in high for few in low])
    _FOURS.extend([numbers[:16] for numbers in _FLOATS[:16]])


def mask_bytes(actions: i64) -> bytearray:
    """Convert a mask of actions to bytes, with 1 for each legal action."""
    if not _FLOATS:
        _fill_in()
    return _NOTHING.join(
        [
            _FLAGS[actions & 8191],
            _FLAGS[actions >> 13 & 8191],
            _FLAGS[actions >> 26 & 8191],
            _FLAGS[actions >> 39 & 8191],
            _LAST_FLAGS[actions >> 52 & 7],
        ]
    )


def unit_of(rules: Rules) -> int:
    """Return the unit of totals in observations.

    It is the target, or else the penalty value in play.
    """
    return rules.target or rules.penalty_total or 1


@final
class Encoder:
    """The encoding of observations under a rule set, as words or as vectors.

    For large batches, `heartsrules.bridges.vector.unpack` of rows of words is faster than `floats`.
    """

    def __init__(self, rules: Rules) -> None:
        if not _FLOATS:
            _fill_in()
        at = TableWords(rules)
        players = rules.players
        steps = len(rules.pass_cycle)
        self.at: Final = at
        self.steps: Final = [_one_of(step, steps) for step in range(steps)]
        self.fractions: Final = [_number(count / rules.cards_per_hand) for count in range(rules.cards_per_hand + 1)]
        self.by_seat: Final = [_FLOATS[seats][: 4 * players] for seats in range(2**players)]
        """A float for each seat, by mask of seats."""
        self.blanks: Final = [_BLANK] * at.gifts
        self.kept: Final[list[tuple[DealStart | None, bytes, bytes] | None]] = [None] * (players + 1)
        """The cached parts by observer, with a spectator last."""
        self.unit: Final[int] = unit_of(rules)
        self.pack: Final = struct.Struct(f"={players}f").pack
        self.declines: Final[bool] = rules.pass_optional is not PassOptional.NO
        self.max_deals: Final = rules.max_deals
        self.tells_taker: Final[bool] = rules._resolved.opening_leader == LEADER_QUEEN_TAKER

    def __reduce__(self) -> tuple[Any, ...]:
        return Encoder, (self.at.rules,)

    def words(self, view: View, picks: Sequence[Card | None] = ()) -> list[int]:
        """Encode a row of words, in the order of `TableWords.parts`."""
        seen = SeatKnowledge(view, picks)
        at = self.at
        two = at.aside >= 0
        around = seen.around
        deal: i64 = seen.phase + (BROKEN if seen.broken else 0) + seen.trick_number * TRICK
        out = [int(seen.legal()), int(deal) + seen.deal_number % len(self.steps) * STEP + seen.deal_number * NUMBER]

        def add(piles: list[Cards]) -> None:
            out.extend([int(pile.lo) for pile in piles])
            if two:
                out.extend([int(pile.hi) for pile in piles])

        if two:
            add([seen.set_aside])
        add([seen.hand])
        if at.gifts:
            add([*seen.gifts, *[NO_CARDS] * (at.gifts - len(seen.gifts))])
            out.append(int(seen.next_gift))
            add([seen.received])
        if at.showing >= 0:
            out.append(int(seen.showing))
        if at.kitty_lo >= 0:
            add([seen.kitty])
        won = seen.tricks_won or (0,) * at.players
        out.extend([int(seat.about) + won[seat.number] * WON for seat in around])
        if at.exposed >= 0:
            out.extend([int(seen.exposed[seat.number].lo) for seat in around])
        out.extend([int(seat.trick) for seat in around])
        add([bag_of(seat.played_lo, seat.played_hi) for seat in around])
        add([seen.captured[seat.number] for seat in around])
        out.extend([seen.totals[seat.number] for seat in around])
        return out

    def floats(self, view: View, picks: Sequence[Card | None] = (), last_deal: bool = False) -> bytearray:
        """Encode a vector as 32-bit floats, in the order of `heartsrules.bridges._layout`."""
        seen = SeatKnowledge(view, picks, last_deal)
        at = self.at
        around = seen.around
        out: list[bytes] = [_FLOATS[seen.phase][: 4 * len(PHASES)]]
        _add_cards(out, seen.hand.lo, seen.hand.hi)
        _, before, after = self._constant(seen)
        out.append(before)
        for seat in around:
            _add_cards(out, seat.trick, 0)
        for seat in around:
            _add_cards(out, seat.played_lo, seat.played_hi)
        for seat in around:
            pile = seen.captured[seat.number]
            _add_cards(out, pile.lo, pile.hi)
        if at.aside >= 0:
            _add_cards(out, seen.set_aside.lo, seen.set_aside.hi)
        if at.kitty_lo >= 0:
            _add_cards(out, seen.kitty.lo, seen.kitty.hi)
            out.append(self._of_seats(seen, TAKER))
        out.extend([_FOURS[seat.about >> 8 & 15] for seat in around])
        out.append(_ONE if seen.broken else _ZERO)
        out.append(self._of_seats(seen, LEADS))
        out.append(self._of_seats(seen, TURN))
        out.append(self._of_seats(seen, DEALER))
        out.append(self.fractions[seen.trick_number])
        if seen.tricks_won:
            out.extend([self.fractions[seen.tricks_won[seat.number]] for seat in around])
        else:
            out.append(self.by_seat[0])
        out.append(after)
        return _NOTHING.join(out)

    def _constant(self, seen: SeatKnowledge) -> tuple[DealStart | None, bytes, bytes]:
        """Return the parts about passing and exposing, and about totals, with the deal that they are cached for."""
        view = seen.view
        start = view.public.start if isinstance(view, PlayingView) else None
        observer = self.at.players if view.seat is None else view.seat
        kept = self.kept[observer]
        if start is None or kept is None or kept[0] is not start:
            kept = start, self._before(seen), self._after(seen)
            self.kept[observer] = kept
        return kept

    def _before(self, seen: SeatKnowledge) -> bytes:
        at = self.at
        out: list[bytes] = []
        if at.gifts:
            for gift in seen.gifts:
                _add_cards(out, gift.lo, gift.hi)
            out.extend(self.blanks[len(seen.gifts) :])
            out.append(_FLOATS[seen.next_gift][: 4 * at.gifts])
            _add_cards(out, seen.received.lo, seen.received.hi)
        out.append(self.steps[seen.deal_number % len(self.steps)])
        if at.gifts or at.exposed >= 0:
            out.append(self._of_seats(seen, COMMITTED))
        if self.declines:
            out.append(self._of_seats(seen, DECLINED))
        if at.exposed >= 0:
            _add_cards(out, seen.showing, 0)
            for seat in seen.around:
                _add_cards(out, seen.exposed[seat.number].lo, 0)
        return b"".join(out)

    def _after(self, seen: SeatKnowledge) -> bytes:
        totals = [seen.totals[seat.number] / self.unit for seat in seen.around]
        out: list[bytes] = [self.pack(*[max(-TOTALS_BOUND, min(TOTALS_BOUND, total)) for total in totals])]
        if self.max_deals is not None:
            out.append(_number(min(1.0, seen.deal_number / self.max_deals)))
        if self.tells_taker:
            out.append(self._of_seats(seen, HAD_QUEEN))
        return b"".join(out)

    def _of_seats(self, seen: SeatKnowledge, flag: i64) -> bytes:
        seats: i64 = 0
        bit: i64 = 1
        for seat in seen.around:
            if seat.about & flag:
                seats |= bit
            bit <<= 1
        return self.by_seat[seats]


encoder_of = lru_cache(maxsize=64)(Encoder)
"""The cached encoding of a rule set."""


def _one_of(place: int, size: int) -> bytes:
    return b"".join([_ONE if place == other else _ZERO for other in range(size)])


def _number(value: float) -> bytes:
    return struct.pack("=f", value)


def _add_cards(out: list[bytes], lo: i64, hi: i64) -> None:
    if not lo:
        out.append(_BLANK)
    elif not hi:
        out.append(_FLOATS[lo & 8191])
        out.append(_FLOATS[lo >> 13 & 8191])
        out.append(_FLOATS[lo >> 26 & 8191])
        out.append(_FLOATS[lo >> 39])
    else:
        for _ in range(52):
            out.append(_TWO if hi & 1 else _ONE if lo & 1 else _ZERO)
            lo >>= 1
            hi >>= 1
