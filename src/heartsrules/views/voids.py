"""Which suits the plays of a deal have shown a seat to hold no card of."""

from __future__ import annotations

from heartsrules.cards import SUIT_MASKS, Cards, Suit
from heartsrules.legality import beaten_by, playable
from heartsrules.moves import Play
from heartsrules.state import Trick, faces_of, waiting_of
from heartsrules.tables import Tables
from heartsrules.tricks import breaks_hearts

__all__ = ["known_voids"]


def known_voids(
    tables: Tables,
    trick_number: int,
    tricks: tuple[Trick, ...],
    trick: tuple[Play, ...],
    shown: tuple[Cards, ...],
    led_before: tuple[Suit, ...],
) -> tuple[frozenset[Suit], ...]:
    """By seat, the suits that its plays have shown it to hold no card of.

    A play shows a suit to be void if it would have been illegal from a hand that also held any card of that suit.

    Args:
        tables: those of the rules.
        trick_number: how many tricks are completed.
        tricks: the completed tricks that are known, the last ones of the deal.
        trick: the plays of the current trick.
        shown: by seat, the cards that each has shown.
        led_before: the suits that tricks before the known ones were led in.
    """
    waiting = waiting_of(faces_of(shown), led_before, ())
    voids: list[set[Suit]] = [set() for _ in range(tables.players)]
    number = trick_number - len(tricks)
    # Of a position without its history nobody can tell whether hearts were broken before.
    broken = number > 0
    for plays in [*[completed.plays for completed in tricks], trick]:
        led = 0
        for place, play in enumerate(plays):
            beaten = beaten_by(tables, plays[:place])
            for suit in Suit:
                faces = tables.deck_lo & SUIT_MASKS[suit]
                void = suit != play.suit and faces != 0
                while void and faces:
                    face = faces & -faces
                    faces ^= face
                    legal = playable(tables, play.bit | face, led, number == 0, broken, beaten, waiting, None)
                    void = not legal & play.bit
                if void:
                    voids[play.seat].add(suit)
            broken = broken or breaks_hearts(tables, led, play.bit)
            led = plays[0].suit_mask
        waiting &= ~led
        number += 1
    return tuple([frozenset(sorted(suits)) for suits in voids])
