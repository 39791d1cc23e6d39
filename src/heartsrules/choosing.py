"""How the players of a playout choose a card, on masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartsrules.cards import popcount
from heartsrules.chance import RandomStream
from heartsrules.tables import Tables

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["any_face", "careful_face"]


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
