"""The suits in which the plays of a deal have shown a seat to be void."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heartsrules.cards import SUIT_MASKS, Suit
from heartsrules.play.board import TrickState
from heartsrules.play.moves import Play
from heartsrules.play.public import PublicDeal, waiting_of

if TYPE_CHECKING:
    from mypy_extensions import i64


def known_voids(played: PublicDeal, trick: tuple[Play, ...]) -> tuple[frozenset[Suit], ...]:
    """By seat, the suits in which its plays have shown it to be void.

    A play shows a suit to be void if it would have been illegal from a hand that also held any card of that suit.

    Args:
        played: the deal as far as its tricks are completed.
        trick: the plays of the current trick.
    """
    start = played.start
    resolved = played._resolved
    waiting: i64 = waiting_of(start.exposed_mask, start.led_before, ())
    voids: list[i64] = [0] * resolved.players
    state = TrickState(resolved)
    state.trick_number = played.trick_number - len(played.tricks)
    # Of a position without its history nobody can tell whether hearts were broken before.
    state.broken = state.trick_number > 0
    known = [completed.plays for completed in played.tricks]
    known.append(trick)
    for plays in known:
        for play in plays:
            bit = play.bit
            shows: i64 = voids[play.seat]
            # What others have shown is in their hands.
            state.waiting = waiting & start.exposed[play.seat].lo if waiting else 0
            for suit_mask in SUIT_MASKS:
                faces: i64 = resolved.deck_lo & suit_mask
                void = faces != 0 and not bit & suit_mask and not shows & suit_mask
                while void and faces:
                    face = faces & -faces
                    faces ^= face
                    void = not state.legal_of(bit | face) & bit
                if void:
                    shows |= suit_mask
            voids[play.seat] = shows
            state.add(bit)
        waiting &= ~state.led
        state.next_trick()
    return tuple([_suits_in(shows) for shows in voids])


_SUITS: Final[dict[int, frozenset[Suit]]] = {}
"""Cache: by mask of whole suits, the suits. Without it the voids of a view take twice as long."""


def _suits_in(faces: i64) -> frozenset[Suit]:
    suits = _SUITS.get(faces)
    if suits is None:
        suits = frozenset([suit for suit in Suit if faces & SUIT_MASKS[suit]])
        _SUITS[faces] = suits
    return suits
