"""Observations as bytes, and legal actions as masks: the compiled part of the environments, without NumPy.

`SeatKnowledge` is the knowledge of one seat. `seen_in` selects it from a state, and the PettingZoo bridge from a view;
`vector` only encodes it, in the order of `heartsrules.bridges._layout`. `legal_in` uses only what the seat that is to
act knows.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, final

from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards, bag_of
from heartsrules.play.events import may_see_kitty
from heartsrules.play.moves import Play
from heartsrules.play.phases import Phase
from heartsrules.play.public import DealStart, Trick
from heartsrules.play.state import (
    ChoosingMoon,
    DealingBack,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
    legal_faces,
)
from heartsrules.rules import OpeningLeader, Rules, Seat
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

DECLINE_BIT: Final = 0x10000000000000
"""The bit of `DECLINE` (52) in a mask of actions."""
MOON_BITS: Final = 0x60000000000000
"""The bits of `OTHERS_UP` and `SHOOTER_DOWN` (53, 54) in a mask of actions."""

TOTALS_BOUND: Final = 4.0
"""Bound of totals in observations, in units on either side of 0."""

_DEAL: Final = 0
_PASS: Final = 1
_EXPOSE: Final = 2
_PLAY: Final = 3
_MOON: Final = 4
_OVER: Final = 5

PHASES: Final = tuple([phase for phase in Phase if phase is not Phase.DEAL_BACK])
"""The phases in an observation. No agent acts in `DEAL_BACK`, which is encoded as `PASS`."""

_BITS: Final[list[int]] = [2**place for place in range(13)]
"""Powers of two: mypyc cuts a shifted constant to 32 bits."""


def phase_number(phase: Phase) -> int:
    """Return the number of a phase in observations."""
    return PHASES.index(Phase.PASS if phase is Phase.DEAL_BACK else phase)


# ------------------------------------------------------------------------------------------------- legal actions


def pickable(resolved: ResolvedRules, hand_lo: i64, hand_hi: i64, picked_lo: i64, picked_hi: i64) -> i64:
    """The faces that a seat may pick next for a pass.

    Args:
        resolved: the resolved rules.
        hand_lo: the faces in its hand.
        hand_hi: the faces that it holds twice.
        picked_lo: the faces that it has picked.
        picked_hi: the faces that it has picked twice.
    """
    once = hand_hi & picked_lo & ~picked_hi | hand_lo & ~hand_hi & ~picked_lo
    return (once | hand_hi & ~picked_lo) & ~resolved.unpassable


def showable(resolved: ResolvedRules, hand_lo: i64, picked: i64) -> i64:
    """The faces that a seat may pick next to show: the exposable ones after all picked cards, in card order.

    Args:
        resolved: the resolved rules.
        hand_lo: the hand, without what the seat has shown before.
        picked: the picked cards.
    """
    # Set every bit below the highest one.
    picked |= picked >> 1
    picked |= picked >> 2
    picked |= picked >> 4
    picked |= picked >> 8
    picked |= picked >> 16
    picked |= picked >> 32
    return hand_lo & resolved.exposable & ~picked


def legal_in(state: State, seat: Seat, picks: Sequence[Card | None]) -> i64:
    """The actions that a seat may take, as a mask: bit a for action a; 0 if the seat is not to act.

    Args:
        state: any state.
        seat: the seat.
        picks: the cards picked so far for a pass or an exposure; None stands for one DECLINE.
    """
    legal: i64 = 0
    if isinstance(state, Playing):
        if seat == state.turn:
            return legal_faces(state)
    elif isinstance(state, Passing):
        if state.commitments[seat] is None:
            lo, hi = picked_masks(picks)
            if picks and not lo:
                return DECLINE_BIT
            resolved = state.rules.resolved
            legal = pickable(resolved, state.hands[seat].lo, state.hands[seat].hi, lo, hi)
            if not picks and resolved.may_decline:
                legal |= DECLINE_BIT
    elif isinstance(state, Exposing):
        if seat in state.to_expose:
            lo, hi = picked_masks(picks)
            hand = state.hands[seat].lo & ~state.start.exposed[seat].lo
            legal = showable(state.rules.resolved, hand, lo) | DECLINE_BIT
    elif isinstance(state, ChoosingMoon) and seat == state.shooter:
        legal = MOON_BITS
    return legal


def picked_masks(picks: Sequence[Card | None]) -> tuple[i64, i64]:
    """Masks of the faces picked once and twice; declining picks none."""
    lo: i64 = 0
    hi: i64 = 0
    for card in picks:
        if card is not None:
            hi |= lo & card.bit
            lo |= card.bit
    return lo, hi


_FLAGS: Final[list[bytes]] = []
"""Thirteen bytes of 0 or 1 for each pattern of thirteen bits."""
_FLOATS: Final[list[bytes]] = []
"""Thirteen 32-bit floats of 0 or 1 for each pattern of thirteen bits."""
_ZERO: Final = bytes(4)
_ONE: Final = struct.pack("=f", 1.0)
_TWO: Final = struct.pack("=f", 2.0)
_NOTHING: Final = bytearray()
_BLANK: Final = bytes(4 * 52)
"""The floats of no card: 52 zeros."""
_FOURS: Final[list[bytes]] = []
"""Four 32-bit floats of 0 or 1 for each pattern of four bits."""
_CARDS: Final[list[bytes]] = []
"""The 52 floats of each single card, indexed by its bit modulo 53, which is different for every card."""
_LAST_FLAGS: Final[list[bytes]] = [bytes([bits & 1, bits >> 1 & 1, bits >> 2]) for bits in range(8)]


def _fill_in() -> None:
    """Fill the lookup tables on first use: less than a megabyte."""
    low = [[bits >> place & 1 for place in range(6)] for bits in range(64)]
    high = [[bits >> place & 1 for place in range(7)] for bits in range(128)]
    few = [bytes(pattern) for pattern in low]
    floats = [b"".join([_ONE if bit else _ZERO for bit in pattern]) for pattern in low]
    for pattern in high:
        more = bytes(pattern)
        _FLAGS.extend([flags + more for flags in few])
    for pattern in high:
        more = b"".join([_ONE if bit else _ZERO for bit in pattern])
        _FLOATS.extend([numbers + more for numbers in floats])
    rows = [_BLANK] * 53
    for card in ALL_FACES:
        rows[card.bit % 53] = _one_of(card.index, 52)
    _CARDS.extend(rows)
    _FOURS.extend([numbers[:16] for numbers in _FLOATS[:16]])


def mask_bytes(actions: i64) -> bytearray:
    """A mask of actions as bytes, 1 for each legal action and 0 for the others."""
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


# ------------------------------------------------------------------------------------------------- observations


def unit_of(rules: Rules) -> int:
    """The unit of totals in observations: the target, or else the penalty value in play."""
    return rules.target or rules.penalty_total or 1


@final
class Plan:
    """The constants of the vectors of a rule set, and caches of parts that seldom change."""

    def __init__(self, rules: Rules, gifts: int, step_count: int) -> None:
        if not _FLOATS:
            _fill_in()
        players = rules.players
        self.rules: Final = rules
        self.players: Final[i64] = players
        self.gifts: Final[i64] = gifts
        """The largest number of gifts in a pass."""
        self.exposes: Final = rules.resolved.exposable != 0
        self.commits: Final = gifts > 0 or rules.resolved.exposable != 0
        self.declines: Final[bool] = rules.resolved.may_decline
        self.two_decks: Final[bool] = rules.decks == 2
        self.has_kitty: Final[bool] = rules.kitty_size > 0
        self.counts_deals: Final[bool] = rules.max_deals is not None
        self.tells_taker: Final[bool] = rules.opening_leader is OpeningLeader.QUEEN_TAKER
        self.unit: Final[int] = unit_of(rules)
        self.phases: Final = [_one_of(phase, len(PHASES)) for phase in range(len(PHASES))]
        self.steps: Final = [_one_of(step, step_count) for step in range(step_count)]
        self.by_seat: Final = [_one_of(seat, players) for seat in range(players + 1)]
        """One-hot vectors of the seats; the last one is of no seat."""
        self.by_gift: Final = [_one_of(gift, gifts) for gift in range(gifts + 1)]
        self.fractions: Final = [_number(count / rules.cards_per_hand) for count in range(rules.cards_per_hand + 1)]
        """The floats of counts of tricks, as fractions of all tricks."""
        self.deals: Final[list[_DealParts | None]] = [None] * (players + 1)
        """A cache of what seldom changes in a deal, by observer; the last one is a spectator."""
        self.past: _Past = _Past((), [_Played(0, 0, 0, _BLANK) for _ in range(players)])
        self.piles: _Piles = _Piles(self, (), (), None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan, (self.rules, int(self.gifts), len(self.steps))


@final
class _DealParts:
    """A cache of the parts of a vector that do not change while a deal is played.

    Args:
        seen: what they are made of.
        before: the parts about passing and showing cards.
        dealer: the dealer.
        after: the parts from the totals on. They and the dealer do not change while cards are passed either.
    """

    def __init__(self, seen: SeatKnowledge, before: bytes, dealer: bytes, after: bytes) -> None:
        self.start: Final = seen.start
        self.scores: Final = seen.scores
        self.deal_number: Final = seen.deal_number
        self.queen_taker: Final = seen.queen_taker
        self.before: Final = before
        self.dealer: Final = dealer
        self.after: Final = after


def _one_of(place: int, size: int) -> bytes:
    return b"".join([_ONE if place == other else _ZERO for other in range(size)])


def _number(value: float) -> bytes:
    return struct.pack("=f", value)


@final
class SeatKnowledge:
    """The knowledge of a seat or a spectator.

    The constructor takes what every state has; other attributes are set afterwards.

    Args:
        plan: the plan of the rules.
        seat: the observer; None: a spectator, who looks from seat 0.
        phase: the index of the phase in `Phase`.
        deal_number: from 0.
        scores: the running totals by seat.
        queen_taker: the seat that captured the Q♠ in the last deal that was scored.
    """

    def __init__(
        self,
        plan: Plan,
        seat: Seat | None,
        phase: i64,
        deal_number: int,
        scores: tuple[int, ...],
        queen_taker: Seat | None,
    ) -> None:
        self.plan: Final = plan
        self.viewer: Final[i64] = 0 if seat is None else seat
        self.observer: Final[i64] = plan.players if seat is None else seat
        """The seat; of a spectator the number of players."""
        self.start: DealStart | None = None
        """The beginning of the deal while its cards are played, otherwise None: with the seat it settles the parts of
        `_DealParts`."""
        self.phase: Final[i64] = phase
        self.deal_number: Final = deal_number
        self.scores: Final = scores
        self.queen_taker: Final = queen_taker
        self.hand: Cards = NO_CARDS
        self.gifts: Sequence[Cards] = ()
        """The gifts of the observer: picked so far, committed or given."""
        self.next_gift: i64 = -1
        self.received: Cards = NO_CARDS
        self.committed: Sequence[bool] = ()
        """By seat, whether it has committed; empty: nobody has."""
        self.declined: Sequence[Seat] = ()
        self.showing: i64 = 0
        self.exposed: tuple[Cards, ...] = ()
        self.trick: tuple[Play, ...] = ()
        self.hearts_broken: bool = False
        self.turn: i64 = -1
        self.leader: i64 = -1
        """The leader; -1 before the play, when the attributes below are meaningless."""
        self.tricks: tuple[Trick, ...] = ()
        self.trick_number: i64 = 0
        self.tricks_won: tuple[int, ...] = ()
        self.captured: tuple[Cards, ...] = ()
        self.set_aside: Cards = NO_CARDS
        self.kitty: Cards = NO_CARDS
        self.kitty_winner: Seat | None = None

    def pick(self, picks: Sequence[Card | None], sizes: tuple[int, ...]) -> None:
        """Set the gifts from the cards picked for a pass with gifts of these sizes."""
        gifts: list[Cards] = []
        count: i64 = len(picks)
        first: i64 = 0
        number: i64 = 0
        last: i64 = len(sizes) - 1
        if count and picks[0] is None:
            # Declining is possible only in a pass of one gift.
            self.next_gift = 0
            return
        while True:
            size: i64 = sizes[number]
            if count < size or number == last:
                size = count
            if size:
                lo, hi = picked_masks(picks[first : first + size])
                gifts.append(bag_of(lo, hi))
            first += size
            count -= size
            if size < sizes[number] or number == last:
                break
            number += 1
        self.gifts = gifts
        self.next_gift = number


def seen_in(plan: Plan, state: State, seat: Seat | None, picks: Sequence[Card | None]) -> SeatKnowledge:
    """Select what a seat knows of a state.

    Args:
        plan: the plan of its rules.
        state: any state.
        seat: the seat; None: a spectator.
        picks: the cards that the seat has picked so far for a pass or an exposure.
    """
    if isinstance(state, Playing):
        start = state.start
        seen = SeatKnowledge(plan, seat, _PLAY, start.deal_number, start.scores, _queen_taker(plan, state))
        if seat is not None:
            seen.hand = state.hand_of(seat)
        seen.trick = state.trick
        seen.turn = state.turn
        seen.hearts_broken = state.hearts_broken
        seen.start = start
        _see_deal(seen, state, seat)
        return seen
    if isinstance(state, (Passing, DealingBack)):
        seen = SeatKnowledge(plan, seat, _PASS, state.deal_number, state.scores, _queen_taker(plan, state))
        seen.committed = [commitment is not None for commitment in state.commitments]
        if seat is not None:
            seen.hand = state.hands[seat]
            commitment = state.commitments[seat]
            if commitment is None:
                resolved = plan.rules.resolved
                seen.pick(picks, resolved.gift_sizes[state.deal_number % len(resolved.gift_sizes)])
            else:
                seen.gifts = commitment.cards
        return seen
    if isinstance(state, Exposing):
        seen = SeatKnowledge(plan, seat, _EXPOSE, state.deal_number, state.scores, _queen_taker(plan, state))
        seen.committed = [exposure is not None for exposure in state.commitments]
        _see_start(seen, state, seat)
        seen.exposed = state.face_up
        if seat is not None:
            seen.hand = state.hands[seat]
            exposure = state.commitments[seat]
            if exposure is None:
                seen.showing, _ = picked_masks(picks)
            else:
                seen.showing = exposure.cards.lo
        return seen
    if isinstance(state, ChoosingMoon):
        seen = SeatKnowledge(plan, seat, _MOON, state.deal_number, state.scores, _queen_taker(plan, state))
        seen.turn = state.shooter
        _see_deal(seen, state.last_deal, seat)
        return seen
    if isinstance(state, GameOver):
        seen = SeatKnowledge(plan, seat, _OVER, state.deal_number, state.scores, _queen_taker(plan, state))
        _see_deal(seen, state.last_deal, seat)
        return seen
    return SeatKnowledge(plan, seat, _DEAL, state.deal_number, state.scores, _queen_taker(plan, state))


def _queen_taker(plan: Plan, state: State) -> Seat | None:
    return state.score_sheet.queen_taker if plan.tells_taker else None


def _see_start(seen: SeatKnowledge, dealt: Exposing | Playing | PlayedDeal, seat: Seat | None) -> None:
    passes = dealt.passes
    if passes:
        if seat is not None:
            seen.gifts = passes[seat].cards
            seen.received = dealt.received[seat]
        if seen.plan.declines:
            seen.declined = [commitment.seat for commitment in passes if not commitment.cards]
    seen.exposed = dealt.exposed


def _see_deal(seen: SeatKnowledge, played: Playing | PlayedDeal, seat: Seat | None) -> None:
    _see_start(seen, played, seat)
    seen.leader = played.leader
    seen.tricks = played.tricks
    seen.trick_number = played.trick_number
    seen.tricks_won = played.tricks_won
    seen.captured = played.captured
    seen.set_aside = played.set_aside
    if played.kitty_winner is not None:
        seen.kitty_winner = played.kitty_winner
        seen.captured, kitty = seen_kitty(played, seat)
        if kitty is not None:
            seen.kitty = kitty


def seen_kitty(played: Playing | PlayedDeal, seat: Seat | None) -> tuple[tuple[Cards, ...], Cards | None]:
    """By seat, the captured cards as far as a seat may see them; and the kitty, or None if it may not see it."""
    if may_see_kitty(played.rules.kitty_shown_to, played.kitty_winner, seat):
        return played.captured, played.kitty
    return played.public.captured, None


@final
class _RowAfter:
    """A cached row of the cards that a seat has played, one of them to the current trick."""

    def __init__(self, bit: i64, row: bytes) -> None:
        self.bit: Final[i64] = bit
        self.row: Final = row


@final
class _Played:
    """The cards that a seat has played to the completed tricks.

    Args:
        lo: their faces.
        hi: the faces that it has played twice.
        failed: a mask with a bit for each suit that it did not follow.
        row: the cards as floats.
    """

    def __init__(self, lo: i64, hi: i64, failed: i64, row: bytes) -> None:
        self.lo: Final[i64] = lo
        self.hi: Final[i64] = hi
        self.failed: Final[i64] = failed
        self.row: Final = row
        self.after: _RowAfter | None = None

    def row_with(self, bit: i64) -> bytes:
        """The cards and one more as floats."""
        after = self.after
        if after is None or after.bit != bit:
            after = _RowAfter(bit, _row(self.lo | bit, self.hi | self.lo & bit))
            self.after = after
        return after.row

    def with_play(self, play: Play, led: i64) -> _Played:
        """The cards after a completed trick to which a suit was led."""
        bit = play.bit
        failed = self.failed
        if play.suit != led:
            failed |= _BITS[led]
        return _Played(self.lo | bit, self.hi | self.lo & bit, failed, self.row_with(bit))


@final
class _Past:
    """A cache of the cards played to the completed tricks of a deal, by seat."""

    def __init__(self, tricks: tuple[Trick, ...], by_seat: list[_Played]) -> None:
        self.tricks: Final = tricks
        self.by_seat: Final = by_seat


def _past_of(seen: SeatKnowledge) -> list[_Played]:
    """The cards played to the completed tricks, by seat; cached while a trick is played."""
    plan = seen.plan
    past = plan.past
    tricks = seen.tricks
    if past.tricks is not tricks:
        later = tricks
        if tricks and past.tricks == tricks[:-1]:
            by_seat = list(past.by_seat)
            later = tricks[-1:]
        else:
            by_seat = [_Played(0, 0, 0, _BLANK) for _ in range(plan.players)]
        for trick in later:
            led = trick.plays[0].suit
            for play in trick.plays:
                by_seat[play.seat] = by_seat[play.seat].with_play(play, led)
        past = _Past(tricks, by_seat)
        plan.past = past
    return past.by_seat


@final
class _Piles:
    """A cache of the captured cards and the tricks won as floats, by seat; what is the same as before is not made
    again."""

    def __init__(
        self, plan: Plan, captured: tuple[Cards, ...], tricks_won: tuple[int, ...], before: _Piles | None
    ) -> None:
        self.captured: Final = captured
        self.tricks_won: Final = tricks_won
        if before is None or len(before.captured) < len(captured):
            rows: list[bytes] = [_row(pile.lo, pile.hi) for pile in captured]
        else:
            rows = list(before.rows)
            for seat, pile in enumerate(captured):
                if pile is not before.captured[seat]:
                    rows[seat] = _row(pile.lo, pile.hi)
        self.rows: Final[list[bytes]] = rows
        self.fractions: Final = [plan.fractions[count] for count in tricks_won]


def _row(lo: i64, hi: i64) -> bytes:
    """The number of copies of each card as floats."""
    if not lo:
        return _BLANK
    row: list[bytes] = []
    _add_row(row, lo, hi)
    return b"".join(row)


def _add_row(out: list[bytes], lo: i64, hi: i64) -> None:
    """Append the number of copies of each card as floats."""
    if not hi:
        out.append(_FLOATS[lo & 8191])
        out.append(_FLOATS[lo >> 13 & 8191])
        out.append(_FLOATS[lo >> 26 & 8191])
        out.append(_FLOATS[lo >> 39])
        return
    for _ in range(52):
        out.append(_TWO if hi & 1 else _ONE if lo & 1 else _ZERO)
        lo >>= 1
        hi >>= 1


def encoded(plan: Plan, state: State, seat: Seat | None, picks: Sequence[Card | None]) -> bytearray:
    """The `vector` of what a seat knows of a state; the arguments are those of `seen_in`."""
    return vector(seen_in(plan, state, seat, picks))


def vector(seen: SeatKnowledge) -> bytearray:
    """An observation as the bytes of its 32-bit floats, in the order of `heartsrules.bridges._layout`."""
    plan = seen.plan
    players = plan.players
    parts = _deal_parts(seen)
    out: list[bytes] = [plan.phases[seen.phase]]
    _add_row(out, seen.hand.lo, seen.hand.hi)
    out.append(parts.before)
    failed: list[bytes]
    if seen.leader >= 0:
        failed = _write_plays(out, seen)
    else:
        out.extend([_BLANK] * (3 * players))
        failed = [_FOURS[0]] * players
    if plan.two_decks:
        _add_row(out, seen.set_aside.lo, seen.set_aside.hi)
    if plan.has_kitty:
        _add_row(out, seen.kitty.lo, seen.kitty.hi)
        out.append(_relative(seen, -1 if seen.kitty_winner is None else seen.kitty_winner))
    out.extend(failed)
    out.append(_ONE if seen.hearts_broken else _ZERO)
    out.append(_relative(seen, seen.leader))
    out.append(_relative(seen, seen.turn))
    out.append(parts.dealer)
    if seen.leader >= 0:
        out.append(plan.fractions[seen.trick_number])
        _add_around(out, _piles_of(seen).fractions, seen.viewer)
    else:
        out.append(_ZERO)
        out.append(plan.by_seat[players])
    out.append(parts.after)
    return _NOTHING.join(out)


def _add_around(out: list[bytes], by_seat: list[bytes], viewer: i64) -> None:
    """Append the parts of all seats, clockwise from the observer's own."""
    seat = viewer
    for _ in range(len(by_seat)):
        out.append(by_seat[seat])
        seat += 1
        if seat == len(by_seat):
            seat = 0


def _relative(seen: SeatKnowledge, seat: i64) -> bytes:
    """The one-hot vector of a seat, counted from the observer's own; -1: no seat."""
    plan = seen.plan
    return plan.by_seat[plan.players if seat < 0 else (seat - seen.viewer) % plan.players]


def _deal_parts(seen: SeatKnowledge) -> _DealParts:
    """The parts about passing, the dealer and the score sheet, cached while a deal is played."""
    plan = seen.plan
    cached = plan.deals[seen.observer]
    if cached is not None and cached.start is not None and cached.start is seen.start:
        return cached
    if (
        cached is not None
        and cached.scores is seen.scores
        and cached.deal_number == seen.deal_number
        and cached.queen_taker == seen.queen_taker
    ):
        parts = _DealParts(seen, _passing(seen), cached.dealer, cached.after)
    else:
        dealer = _relative(seen, plan.rules.resolved.dealer(seen.deal_number))
        parts = _DealParts(seen, _passing(seen), dealer, _totals(seen))
    plan.deals[seen.observer] = parts
    return parts


def _passing(seen: SeatKnowledge) -> bytes:
    """The parts about passing and showing cards."""
    plan = seen.plan
    out: list[bytes] = []
    around: list[int] = [(seen.viewer + place) % plan.players for place in range(plan.players)]
    none = plan.by_seat[plan.players]
    if plan.gifts:
        out.extend([_row(gift.lo, gift.hi) for gift in seen.gifts])
        out.extend([_BLANK] * (plan.gifts - len(seen.gifts)))
        out.append(plan.by_gift[seen.next_gift if seen.next_gift >= 0 else plan.gifts])
        out.append(_row(seen.received.lo, seen.received.hi))
    out.append(plan.steps[seen.deal_number % len(plan.steps)])
    if plan.commits:
        if seen.committed:
            out.append(b"".join([_ONE if seen.committed[seat] else _ZERO for seat in around]))
        else:
            out.append(none)
    if plan.declines:
        if seen.declined:
            out.append(b"".join([_ONE if seat in seen.declined else _ZERO for seat in around]))
        else:
            out.append(none)
    if plan.exposes:
        out.append(_row(seen.showing, 0))
        out.extend([_row(seen.exposed[seat].lo, 0) if seen.exposed else _BLANK for seat in around])
    return b"".join(out)


def _totals(seen: SeatKnowledge) -> bytes:
    """The parts about the score sheet."""
    plan = seen.plan
    unit = plan.unit
    out: list[bytes] = []
    floats = [_number(max(-TOTALS_BOUND, min(TOTALS_BOUND, total / unit))) for total in seen.scores]
    _add_around(out, floats, seen.viewer)
    if plan.counts_deals:
        out.append(_number(min(1.0, seen.deal_number / (plan.rules.max_deals or 1))))
    if plan.tells_taker:
        out.append(_relative(seen, -1 if seen.queen_taker is None else seen.queen_taker))
    return b"".join(out)


def _piles_of(seen: SeatKnowledge) -> _Piles:
    """The captured cards and the tricks won, cached while a trick is played."""
    piles = seen.plan.piles
    if piles.captured is not seen.captured or piles.tricks_won is not seen.tricks_won:
        piles = _Piles(seen.plan, seen.captured, seen.tricks_won, piles)
        seen.plan.piles = piles
    return piles


def _write_plays(out: list[bytes], seen: SeatKnowledge) -> list[bytes]:
    """Append the trick, the cards played and the cards captured; return the suits not followed, by seat."""
    plan = seen.plan
    past = _past_of(seen)
    plays = seen.trick
    count: i64 = len(plays)
    led: i64 = -1
    if count:
        led = plays[0].suit
    rows: list[bytes] = []
    failed: list[bytes] = []
    seat = seen.viewer
    place: i64 = (seat - seen.leader) % plan.players
    for _ in range(plan.players):
        own = past[seat]
        if place < count:
            play = plays[place]
            bit = play.bit
            out.append(_CARDS[bit % 53])
            rows.append(own.row_with(bit))
            failed.append(_FOURS[own.failed if play.suit == led else own.failed | _BITS[led]])
        else:
            out.append(_BLANK)
            rows.append(own.row)
            failed.append(_FOURS[own.failed])
        seat += 1
        if seat == plan.players:
            seat = 0
        place += 1
        if place == plan.players:
            place = 0
    out.extend(rows)
    _add_around(out, _piles_of(seen).rows, seen.viewer)
    return failed
