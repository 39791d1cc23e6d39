"""How the players of a playout choose a card, on masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartsrules import tables as T
from heartsrules.cards import popcount
from heartsrules.chance import RandomStream
from heartsrules.tables import Tables

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["any_face", "careful_face", "passing_order"]


def any_face(legal: i64, stream: RandomStream) -> i64:
    """One of some faces, all equally likely; a single one draws nothing."""
    if legal & (legal - 1):
        # Every bit that is cleared skips a card.
        skipped = stream._pick(popcount(legal))
        while skipped:
            legal &= legal - 1
            skipped -= 1
    return legal & -legal


def careful_face(tables: Tables, legal: i64, led: i64, lo: i64, last: bool, limit: i64, stream: RandomStream) -> i64:
    """What a player chooses who avoids points without thinking: see `heartsrules.policies.Careful`.

    Args:
        tables: of the rules, nothing doubled.
        legal: the faces that may be played.
        led: the faces of the suit led; 0: the player leads.
        lo: the faces that lie in the trick.
        last: whether the trick ends with this card.
        limit: how many times in 1,024 the player chooses uniformly.
        stream: it is drawn from only where there is a choice: a number below 1,024, but not for a lead; then, for a
            uniform choice, the place of the card.
    """
    if not legal & (legal - 1):
        return legal
    if not led or stream._pick(1024) < limit:
        return any_face(legal, stream)
    if not legal & led:
        for each in tables.worth:
            faces = legal & each.faces
            if faces:
                return _highest(faces)
        ranks = _highest((legal | legal >> 13 | legal >> 26 | legal >> 39) & 0x1FFF)
        legal &= ranks | ranks << 13 | ranks << 26 | ranks << 39
        return legal & -legal
    under = legal & (_highest(lo & led) - 1)
    if under:
        return _highest(under)
    return _highest(legal) if last else legal & -legal


def _highest(faces: i64) -> i64:
    """The highest of some faces, of which there is at least one."""
    below = faces >> 1
    below |= below >> 1
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    below |= below >> 16
    below |= below >> 32
    return faces & ~below


def passing_order(tables: Tables, lo: i64, hi: i64) -> list[int]:
    """The indices of some cards of a hand, the most dangerous first.

    A high card is dangerous, the more so the fewer lower ones of its suit are held. A dear card of a plain suit, and
    what would have to be played over it, are guarded by low ones beside them.

    Args:
        tables: of the rules.
        lo: the faces.
        hi: those of which there are two.
    """
    order: list[tuple[int, int]] = []
    dear: i64 = tables.penalty & ~T.HEARTS
    start: i64 = 0
    while start < 4:
        held: i64 = (lo >> (13 * start)) & 0x1FFF
        dears: i64 = (dear >> (13 * start)) & 0x1FFF
        bonus: i64 = (tables.bonus_faces >> (13 * start)) & 0x1FFF
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
