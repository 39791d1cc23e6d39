"""The suits in which the plays of a deal have shown a seat to be void."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heartsrules.cards import SUIT_MASKS, Suit
from heartsrules.play.legality import beaten_by, playable
from heartsrules.play.moves import Play
from heartsrules.play.public import PublicDeal, waiting_of
from heartsrules.play.tricks import breaks_hearts
from heartsrules.rules.resolved import COMPULSORY_SAFE

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
    resolved = played.resolved
    waiting: i64 = waiting_of(start.exposed_mask, start.led_before, ())
    safe = resolved.compulsory == COMPULSORY_SAFE
    voids: list[i64] = [0] * resolved.players
    number = played.trick_number - len(played.tricks)
    # Of a position without its history nobody can tell whether hearts were broken before.
    broken = number > 0
    known = [completed.plays for completed in played.tricks]
    known.append(trick)
    for plays in known:
        led: i64 = 0
        for place, play in enumerate(plays):
            bit = play.bit
            beaten: i64 = beaten_by(resolved, plays[:place]) if safe else 0
            shows: i64 = voids[play.seat]
            # What others have shown is in their hands.
            own: i64 = waiting & start.exposed[play.seat].lo if waiting else 0
            for suit_mask in SUIT_MASKS:
                faces: i64 = resolved.deck_lo & suit_mask
                void = faces != 0 and not bit & suit_mask and not shows & suit_mask
                while void and faces:
                    face = faces & -faces
                    faces ^= face
                    legal = playable(resolved, bit | face, led, number == 0, broken, beaten, own, None)
                    void = not legal & bit
                if void:
                    shows |= suit_mask
            voids[play.seat] = shows
            broken = broken or breaks_hearts(resolved, led, bit)
            led = plays[0].suit_mask
        waiting &= ~led
        number += 1
    return tuple([_suits_in(shows) for shows in voids])


_SUITS: Final[dict[int, frozenset[Suit]]] = {}
"""Cache: by mask of whole suits, the suits."""


def _suits_in(faces: i64) -> frozenset[Suit]:
    suits = _SUITS.get(faces)
    if suits is None:
        suits = frozenset([suit for suit in Suit if faces & SUIT_MASKS[suit]])
        _SUITS[faces] = suits
    return suits
