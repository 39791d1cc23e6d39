"""The possible cards of a hidden hand, inferred from the legality of its plays.

Every stage of legality bars a card because of a single other card in the hand (of the suit led, not a heart, the ♠Q),
never because of several. So each card is tested separately.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heartsrules.cards import Cards
from heartsrules.play.board import TrickState
from heartsrules.play.moves import Play
from heartsrules.play.public import Trick
from heartsrules.rules.resolved import COMPULSORY_ALWAYS, ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64


def _tested_beside(resolved: ResolvedRules, held: i64, led: i64, waiting: i64, bit: i64) -> i64:
    """Return the hand's known cards with which single cards are tested against a play.

    On a lead, they exclude an exposed card that is both compulsory and restricted, because it depends on a second card
    whether it must be played.
    """
    if led or resolved.compulsory != COMPULSORY_ALWAYS:
        return held
    return held & ~(waiting & resolved.compulsory_faces) | bit


def narrow(
    state: TrickState, tricks: tuple[Trick, ...], trick: tuple[Play, ...], known: Sequence[Cards], candidates: list[int]
) -> bool:
    """Remove the cards with which a hand's play would have been illegal.

    Args:
        state: the lead to the first known trick, which is played on in place.
        tricks: the known completed tricks, in order.
        trick: the plays of the current trick.
        known: the cards that each seat is known to have had before the first known trick.
        candidates: the other possible cards of each seat, as a mask that is reduced in place, or -1 for a visible hand.

    Returns:
        False if a play was illegal whatever the hidden cards. The candidates are then incomplete.
    """
    held = [cards.lo for cards in known]
    twice = [cards.hi for cards in known]
    number: i64 = 0
    count: i64 = len(tricks)
    while number <= count:
        plays = tricks[number].plays if number < count else trick
        for play in plays:
            seat = play.seat
            bit = play.bit
            own: i64 = held[seat]
            others: i64 = candidates[seat]
            if others >= 0:
                mine = _tested_beside(state.resolved, own, state.led, state.waiting, bit)
                if not state.legal_of(mine | others) & bit:
                    if not state.legal_of(mine) & bit:
                        return False
                    left: i64 = 0
                    while others:
                        face = others & -others
                        others ^= face
                        if state.legal_of(mine | face) & bit:
                            left |= face
                    candidates[seat] = left
            second: i64 = twice[seat]
            if second & bit:
                twice[seat] = second ^ bit
            else:
                held[seat] = own & ~bit
            state.add(bit)
        state.next_trick()
        number += 1
    return True
