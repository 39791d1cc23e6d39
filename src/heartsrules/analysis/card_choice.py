"""Choose cards in playouts, using masks."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import popcount
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board, SeatState
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

_FACES: Final = 0xFFFFFFFFFFFFF


def any_face(legal: i64, stream: RandomStream) -> i64:
    """Draw a legal card uniformly, without using the stream if there is only one."""
    if legal & (legal - 1):
        # Every cleared bit skips a card. The last three are cleared without a branch, which would be mispredicted.
        skipped = stream._pick_unchecked(popcount(legal))
        while skipped > 3:
            legal &= legal - 1
            skipped -= 1
        legal &= legal + (-skipped >> 63)
        legal &= legal + ((1 - skipped) >> 63)
        legal &= legal + ((2 - skipped) >> 63)
    return legal & -legal


@final
class Situation:
    """A watchful player's knowledge of the deal before choosing a card."""

    def __init__(self) -> None:
        self.held: i64 = 0
        self.led: i64 = 0
        """All cards of the suit led, or 0 if the player leads."""
        self.lo: i64 = 0
        """The cards in the trick."""
        self.place: i64 = 0
        """The number of cards in the trick."""
        self.gone: i64 = 0
        """The captured cards."""
        self.moon: i64 = -2
        """The possible shooters, as returned by `moon_in`."""
        self.seat: i64 = 0
        self.taker: i64 = -1
        """The seat winning the trick, or -1 if there is none or `sees_taker` is False."""
        self._gone: i64 = 0
        """The captured cards without a kitty known to only one seat."""
        self._moon: i64 = -2
        """The possible shooters, ignoring such a kitty."""
        self._winner_matters: bool = False

    def copy(self) -> Situation:
        copy = Situation()
        copy.held = self.held
        copy.led = self.led
        copy.lo = self.lo
        copy.place = self.place
        copy.gone = self.gone
        copy.moon = self.moon
        copy.seat = self.seat
        copy.taker = self.taker
        return copy

    def unseen(self, resolved: ResolvedRules) -> i64:
        """Return the cards that can be in other hands."""
        return resolved.deck_lo & ~self.gone & ~self.held & ~self.lo

    def look_at_piles(self, board: Board) -> None:
        self._gone = 0
        for seat in board.seats:
            self._gone |= seat.pile_lo
        self._moon = moon_in(board.resolved, board.seats)
        self._winner_matters = sees_taker(board.resolved, self._moon)

    def look_at_winner(self, board: Board) -> None:
        if board.winner < 0:
            return
        pile = board.turn.pile_lo
        self._gone |= pile
        if self._moon != -2 and pile & board.resolved.moon_lo:
            self._moon = moon_in(board.resolved, board.seats)
            self._winner_matters = sees_taker(board.resolved, self._moon)

    def look(self, board: Board) -> None:
        seat = board.turn
        self.seat = seat.seat
        self.held = seat.hand_lo
        self.led = board.led
        self.lo = board.lo
        self.place = board.count
        self.gone = self._gone
        self.moon = self._moon
        if board.knows_kitty(seat):
            self.gone |= board.kitty_lo
            pile = seat.pile_lo
            seat.pile_lo = pile | board.kitty_lo
            self.moon = moon_in(board.resolved, board.seats)
            seat.pile_lo = pile
        self.taker = -1
        if self._winner_matters and self.led:
            face = highest_face(self.lo & self.led)
            winner = board.leader
            while winner.bit != face:
                winner = winner.next
            self.taker = winner.seat


def watchful_face(resolved: ResolvedRules, situation: Situation, legal: i64, limit: i64, stream: RandomStream) -> i64:
    """Choose a card for a `heartsrules.analysis.policies.Watchful` player.

    Args:
        resolved: the resolved rules, nothing doubled.
        limit: the frequency of uniform choices, out of 1,024.
        stream: the random stream, used only where there is a choice.
    """
    if not legal & (legal - 1):
        return legal
    bit = _moon_face(resolved, situation, legal)
    if bit:
        return bit
    if stream._pick_unchecked(1024) < limit:
        return any_face(legal, stream)
    led = situation.led
    lo = situation.lo
    bonus = resolved.bonus_faces
    if bonus & (lo | legal):
        bit = _winning_bonus(resolved, situation, legal)
        if bit:
            return bit
        if legal & ~bonus and (not led or legal & led):
            legal &= ~bonus
    if not led:
        return _lead(resolved, situation, legal, stream)
    seat = situation.seat
    taker = situation.taker
    dear = resolved.penalty & ~C.HEARTS
    if not legal & led:
        if resolved.sides != resolved.players and taker >= 0 and taker % resolved.sides == seat % resolved.sides:
            harmless = legal & ~resolved.penalty
            return _lowest_rank(harmless if harmless else legal)
        for each in resolved.worth:
            faces = legal & each.faces
            if faces:
                if not faces & dear:
                    # Cards above an outstanding costly card go before a heart.
                    over = legal & faces_over(dear & situation.unseen(resolved)) & ~resolved.penalty
                    if over:
                        return highest_face(over)
                return highest_face(faces)
        # Keep bonus cards, and the cards that can win an outstanding one.
        kept = bonus | faces_over(bonus & situation.unseen(resolved))
        if legal & ~kept:
            legal &= ~kept
        return _highest_rank(legal)
    best = highest_face(lo & led)
    under = legal & (best - 1)
    safe = legal & ~dear
    if under:
        if under & dear:
            return highest_face(under & dear)
        return highest_face(under)
    if not safe:
        safe = legal
    return highest_face(safe) if situation.place == resolved.players - 1 else safe & -safe


def _moon_face(resolved: ResolvedRules, situation: Situation, legal: i64) -> i64:
    """Choose a card to shoot the moon or to stop one, or 0 for the usual choice."""
    moon = situation.moon
    if moon < -1:
        return 0
    led = situation.led
    lo = situation.lo
    last = situation.place == resolved.players - 1
    unseen = situation.unseen(resolved)
    groups: i64 = len(resolved.moon_sides)
    own = situation.seat % groups
    if (moon & 15) == own if moon >= 0 else not led:
        lost = losers(situation.held, unseen, resolved.players - 2)
        if lost * (6 if moon >= 0 else 7) <= popcount(situation.held):
            return _shooting_face(resolved, legal, led, lo, last, unseen)
    elif moon >= MOON_NEAR:
        rival = situation.taker >= 0 and situation.taker % groups == (moon & 15)
        return _stopping_face(resolved, legal, led, lo, last, unseen, rival)
    return 0


MOON_NEAR: Final = 16
"""The flag added by `moon_in` if the others should beware of a moon."""


def moon_in(resolved: ResolvedRules, seats: list[SeatState]) -> i64:
    """Find the groups that can still shoot the moon, from the piles.

    Returns:
        -1 for all groups, -2 for none, or the index in `moon_sides` of the only group with moon cards. `MOON_NEAR` is
        added to the index if the group has at least four of them, with at least a third of the moon's points.
    """
    if resolved.moon == C.MOON_OFF:
        return -2
    groups: i64 = len(resolved.moon_sides)
    holder: i64 = -1
    points = 0
    cards: i64 = 0
    for seat in seats:
        faces = seat.pile_lo & resolved.moon_lo
        if faces:
            group = seat.seat % groups
            if holder >= 0 and holder != group:
                return -2
            holder = group
            cards += popcount(faces)
            for each in resolved.worth:
                points += each.points * int(popcount(faces & each.faces))
    if holder >= 0 and cards >= 4 and points * 3 >= resolved.moon_near:
        holder += MOON_NEAR
    return holder


def sees_taker(resolved: ResolvedRules, moon: i64) -> bool:
    """Return True if watchful players consider who is winning a trick."""
    return moon >= MOON_NEAR or resolved.sides != resolved.players


def losers(held: i64, unseen: i64, followers: i64) -> i64:
    """Count the losing cards of a hand that leads each suit from the top.

    Args:
        unseen: the cards that others can hold.
        followers: the number of players who follow each such lead.
    """
    lost: i64 = 0
    while held:
        own = held & 0x1FFF
        others = unseen & 0x1FFF
        if own and others:
            lower = popcount(own & (highest_face(others) - 1))
            if lower and (popcount(own) - lower) * followers < popcount(others):
                lost += lower
        held >>= 13
        unseen >>= 13
    return lost


def _shooting_face(resolved: ResolvedRules, legal: i64, led: i64, lo: i64, last: bool, unseen: i64) -> i64:
    if not led:
        chosen: i64 = 0
        most: i64 = -1
        suit: i64 = 0x1FFF
        for _ in range(4):
            own = legal & suit
            if own:
                others = unseen & suit
                top = highest_face(own)
                # Lead from the top of the suit with the most cards outstanding.
                count: i64 = -1
                if top > others:
                    count = popcount(others)
                if count > most or not chosen:
                    most = count
                    chosen = top
            suit <<= 13
        return chosen
    if legal & led:
        winning = legal & ~(highest_face(lo & led) * 2 - 1)
        if not winning:
            return legal & -legal
        return winning & -winning if last else highest_face(winning)
    harmless = legal & ~resolved.moon_lo
    return _lowest_rank(harmless if harmless else legal)


def _stopping_face(resolved: ResolvedRules, legal: i64, led: i64, lo: i64, last: bool, unseen: i64, rival: bool) -> i64:
    """Choose a card while trying to stop a moon, or 0 for the usual choice."""
    if not led:
        chosen: i64 = 0
        suit: i64 = 0x1FFF
        for _ in range(4):
            own = legal & suit
            if own and unseen & suit and highest_face(own) > (unseen & suit):
                # Hearts are last and best, because they are points themselves.
                chosen = highest_face(own)
            suit <<= 13
        return chosen
    if legal & led:
        winning = legal & ~(highest_face(lo & led) * 2 - 1)
        if last and not (rival and (lo | winning) & resolved.moon_lo):
            return 0
        if winning:
            return highest_face(winning)
        return legal & -legal
    if rival:
        harmless = legal & ~resolved.moon_lo
        return _lowest_rank(harmless if harmless else legal)
    gifts = legal & resolved.moon_lo
    if not gifts:
        return _lowest_rank(legal)
    # The cheapest will do.
    cheap = gifts & C.HEARTS
    return _lowest_rank(cheap if cheap else gifts)


def _winning_bonus(resolved: ResolvedRules, situation: Situation, legal: i64) -> i64:
    """Return a card sure to win a trick with a bonus card, or 0.

    It must be worth more than the penalty cards with it.
    """
    led = situation.led
    lo = situation.lo
    last = situation.place == resolved.players - 1
    unseen = situation.unseen(resolved)
    if led:
        if not legal & led:
            return 0
        legal &= ~(highest_face(lo & led) * 2 - 1)
    bonus = resolved.bonus_faces
    chosen: i64 = 0
    suit: i64 = 0x1FFF
    for _ in range(4):
        own = legal & suit
        others: i64 = 0
        if not last:
            others = unseen & suit
        if own & bonus and highest_face(own & bonus) > others:
            chosen = highest_face(own & bonus)
        elif led and own and highest_face(own) > others:
            chosen = highest_face(own)
        suit <<= 13
    if not chosen:
        return 0
    worth = 0
    for each in resolved.bonuses:
        worth += each.points * int(popcount(each.faces & (lo | chosen)))
    for each in resolved.worth:
        worth -= each.points * int(popcount(each.faces & (lo | chosen)))
    return chosen if worth > 0 else 0


def _lead(resolved: ResolvedRules, situation: Situation, legal: i64, stream: RandomStream) -> i64:
    """Choose a lead that will probably lose or forces out the ♠Q or a costly card."""
    noise = stream.word()
    unseen = situation.unseen(resolved)
    dear = resolved.penalty & ~C.HEARTS
    chosen: i64 = 0
    most: i64 = 0
    suit: i64 = 0x1FFF
    for _ in range(4):
        if legal & suit & ~dear:
            scored = _lead_of_suit(situation.held & suit, legal & suit & ~dear, unseen & suit, dear)
            score = (scored >> 52) + (noise & 7)
            noise >>= 3
            if score > most:
                most = score
                chosen = scored & _FACES
        suit <<= 13
    return chosen if chosen else legal & -legal


def _lead_of_suit(held: i64, own: i64, others: i64, dear: i64) -> i64:
    """Choose the lead from one suit and score it.

    Args:
        held: the hand's cards of the suit.
        own: its legal cards that are not costly, at least one.
        others: the cards of the suit that others can hold.
        dear: all costly cards.

    Returns:
        The card's bit, and its score, from 1 to 127, times 2**52.
    """
    card = own & -own
    many = popcount(others)
    score: i64 = 24
    if many:
        score = 64 + popcount(others & ~(card + card - 1)) * 32 // (many + 1)
        hunted = others & dear
        if hunted:
            lowest = hunted & -hunted
            if held & ~(lowest + lowest - 1):
                score -= 20
            else:
                score += 12
                card = highest_face(own & (lowest - 1))
        if held & dear:
            score -= 16
    return card | score << 52


def lead_chance(resolved: ResolvedRules, situation: Situation, legal: i64, suit: i64) -> tuple[i64, float]:
    """Return the lead from a suit by a watchful player without mistakes, and its odds.

    Args:
        resolved: the resolved rules, nothing doubled.
        situation: the knowledge of the player on lead.

    Returns:
        The card's bit, or 0 if there is none, and the probability of leading this suit.
    """
    bit = _moon_face(resolved, situation, legal)
    bonus = resolved.bonus_faces
    if not bit and bonus & legal:
        bit = _winning_bonus(resolved, situation, legal)
        if legal & ~bonus:
            legal &= ~bonus
    dear = resolved.penalty & ~C.HEARTS
    if not bit and not legal & ~dear:
        bit = legal & -legal
    if bit:
        return bit & suit, 1.0 if bit & suit else 0.0
    legal &= ~dear
    if not legal & suit:
        return 0, 0.0
    unseen = situation.unseen(resolved)
    best = _lead_of_suit(situation.held & suit, legal & suit, unseen & suit, dear)
    # The player adds 0 to 7 to each score, and takes the first suit with the highest sum. Each suit's byte, minus 128,
    # counts its 8 additions that lose to this suit with 0 added, and grows by one for each more added here.
    margins: i64 = 0
    other: i64 = 0x1FFF
    for _ in range(4):
        if other != suit:
            margin: i64 = 8
            if legal & other:
                scored = _lead_of_suit(situation.held & other, legal & other, unseen & other, dear)
                margin = (best >> 52) - (scored >> 52)
                if other > suit:
                    margin += 1
            margins = margins << 8 | margin + 128
        other <<= 13
    total: i64 = 0
    for more in range(8):
        ways: i64 = 1
        left = margins
        while left:
            margin = (left & 255) - 128 + more
            left >>= 8
            if margin <= 0:
                ways = 0
            elif margin < 8:
                ways *= margin
            else:
                ways *= 8
        total += ways
    return best & _FACES, float(int(total)) / 4096.0


def faces_over(faces: i64) -> i64:
    """Return the cards higher than any given card of their suit."""
    over: i64 = 0
    suit: i64 = 0x1FFF
    for _ in range(4):
        own = faces & suit
        if own:
            lowest = own & -own
            over |= suit & ~(lowest + lowest - 1)
        suit <<= 13
    return over


def _lowest_rank(faces: i64) -> i64:
    ranks = (faces | faces >> 13 | faces >> 26 | faces >> 39) & 0x1FFF
    ranks &= -ranks
    faces &= ranks | ranks << 13 | ranks << 26 | ranks << 39
    return faces & -faces


def _highest_rank(faces: i64) -> i64:
    ranks = highest_face((faces | faces >> 13 | faces >> 26 | faces >> 39) & 0x1FFF)
    faces &= ranks | ranks << 13 | ranks << 26 | ranks << 39
    return faces & -faces


def highest_face(faces: i64) -> i64:
    """Return the highest of at least one card, in card order."""
    below = faces >> 1
    below |= below >> 1
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    below |= below >> 16
    below |= below >> 32
    return faces & ~below


def shown_faces(resolved: ResolvedRules, held: i64, may: i64) -> i64:
    """Return the exposable cards that gain by counting double.

    Others will probably take these penalty cards, or this hand these bonus cards. Partners make no difference, as they
    share the rest with the opponents.

    Args:
        held: the cards in the hand.
        may: its exposable cards.
    """
    unseen = resolved.deck_lo & ~held
    players = float(int(resolved.players))
    chosen: i64 = 0
    suit: i64 = 0x1FFF
    for _ in range(4):
        own = held & suit
        others = float(int(popcount(unseen & suit)))
        left = may & suit
        while left:
            bit = left & -left
            left ^= bit
            lower = float(int(popcount(own & (bit - 1))))
            above = float(int(popcount(own))) - lower - 1.0
            if bit & C.HEARTS:
                shoots = resolved.moon != C.MOON_OFF and losers(held, unseen, resolved.players - 2) <= 1
                shows = shoots or _hearts_taken(resolved, held, unseen) < 1.2 / players
            elif bit & resolved.bonus_faces:
                # Higher cards win it, and lower ones leave time for a safe trick, but everyone hunts an exposed card.
                shows = 0.05 + 0.1 * lower + 0.3 * min(above, 2.0) > 1.0 / players + 0.15
            else:
                # Others lead the suit to drive it out, and each round costs one of its guards.
                beaten = unseen & suit & ~(bit + bit - 1)
                guards = lower + 0.5 * above - (0.0 if beaten else 0.5)
                shows = 1.52 * players < 1.0 + exp(1.2 * (guards - 0.8 * others / players))
            if shows:
                chosen |= bit
        suit <<= 13
    return chosen


def _hearts_taken(resolved: ResolvedRules, held: i64, unseen: i64) -> float:
    high = 0.0
    suit: i64 = 0x1FFF
    for _ in range(4):
        others = unseen & suit
        own = held & suit
        # Few discard on the first round of a suit.
        if others and not suit & C.HEARTS:
            own &= own - 1
        while others and own:
            bit = own & -own
            own ^= bit
            share = float(int(popcount(others & (bit - 1)))) / float(int(popcount(others)))
            high += share * share
        suit <<= 13
    # An average hand has one such card for every four.
    average = max(1.0, float(int(popcount(held))) / 4.0)
    few = max(0, 2 - int(popcount(held & C.HEARTS)))
    return high / average / float(int(resolved.players)) + 0.02 * float(few)


def passing_order(resolved: ResolvedRules, lo: i64, hi: i64) -> list[int]:
    """Return the indices of a hand's cards, most dangerous first.

    A high card is more dangerous if fewer lower cards of its suit are held. Low cards guard a costly card of a plain
    suit and the cards above it.

    Args:
        lo: the cards.
        hi: the cards held twice.
    """
    order: list[tuple[int, int]] = []
    dear: i64 = resolved.penalty & ~C.HEARTS
    start: i64 = 0
    while start < 4:
        held: i64 = (lo >> (13 * start)) & 0x1FFF
        dears: i64 = (dear >> (13 * start)) & 0x1FFF
        bonus: i64 = (resolved.bonus_faces >> (13 * start)) & 0x1FFF
        lowest_dear = dears & -dears
        guards: i64 = popcount(held & (lowest_dear - 1)) if dears else 0
        count = popcount(held)
        place: i64 = 0
        while held:
            bit = held & -held
            held ^= bit
            rank = popcount(bit - 1)
            danger: i64 = 4 * rank * rank // (2 + place)
            if count <= 3:
                danger += 12 * (4 - count)
            if bit & bonus:
                danger = -100
            elif dears and bit >= lowest_dear:
                danger += (150 if bit & dears else 60) - 45 * min(guards, 4)
            order.append((-int(danger), int(13 * start + rank)))
            place += 1
        start += 1
    order.sort()
    chosen: list[int] = []
    for _, index in order:
        chosen.append(index)
        if hi >> index & 1:
            chosen.append(index)
    return chosen
