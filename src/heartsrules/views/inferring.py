"""Inference of the faces that a hidden hand may hold, from the legality of its plays.

Every stage of the legality pipeline bars a card because of single cards beside it (one of the suit led, one that is not
a heart, the Q♠), never because of several together. So each face is tested by itself, by the pipeline.
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
    """The known cards of a hand beside which single faces are tested against a play of `bit`.

    On a lead they lack a shown card that is compulsory and held back: whether that is due depends on a second card.
    """
    if led or resolved.compulsory != COMPULSORY_ALWAYS:
        return held
    return held & ~(waiting & resolved.compulsory_faces) | bit


def narrow(
    state: TrickState, tricks: tuple[Trick, ...], trick: tuple[Play, ...], known: Sequence[Cards], candidates: list[int]
) -> bool:
    """Remove from the candidates of each hand the faces beside which one of its plays would have been illegal.

    Args:
        state: the lead to the first known trick; it is played on in place.
        tricks: the known completed tricks, in order.
        trick: the plays of the current trick.
        known: by seat, the cards that it is known to have held before the first known trick.
        candidates: by seat, the other faces that it may have held, as a mask that is narrowed in place; -1: a hand
            that is not hidden.

    Returns:
        False if a play was illegal whatever the hidden cards; the candidates are then incomplete.
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
