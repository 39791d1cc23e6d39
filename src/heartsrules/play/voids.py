"""The suits in which plays have shown a seat to be void."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heartsrules.cards import SUIT_MASKS, Suit
from heartsrules.play.board import TrickState
from heartsrules.play.moves import Play
from heartsrules.play.public import PublicDeal, waiting_of

if TYPE_CHECKING:
    from mypy_extensions import i64


def known_voids(played: PublicDeal, trick: tuple[Play, ...]) -> tuple[frozenset[Suit], ...]:
    """Return the suits in which each seat's plays have shown it to be void.

    A play shows a void if it would be illegal from a hand that also has a card of that suit.

    Args:
        played: the deal up to its last completed trick.
        trick: the plays of the current trick.
    """
    start = played.start
    resolved = played._resolved
    waiting: i64 = waiting_of(start.exposed_mask, start.led_before, ())
    voids: list[i64] = [0] * resolved.players
    state = TrickState(resolved)
    state.trick_number = played.trick_number - len(played.tricks)
    # Without its history it is unknown whether hearts were broken before.
    state.broken = state.trick_number > 0
    known = [completed.plays for completed in played.tricks]
    known.append(trick)
    for plays in known:
        for play in plays:
            bit = play.bit
            shows: i64 = voids[play.seat]
            # Exposed cards are known to be in their owners' hands.
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
"""The cached suits for each mask of whole suits."""


def _suits_in(faces: i64) -> frozenset[Suit]:
    suits = _SUITS.get(faces)
    if suits is None:
        suits = frozenset([suit for suit in Suit if faces & SUIT_MASKS[suit]])
        _SUITS[faces] = suits
    return suits
