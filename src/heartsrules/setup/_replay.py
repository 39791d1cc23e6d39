"""Replaying a list of plays from a position, without a state for each play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartsrules.cards import bag_of
from heartsrules.play.engine import completed, finish_deal
from heartsrules.play.legality import beaten_faces, playable
from heartsrules.play.moves import Play
from heartsrules.play.state import Playing, State
from heartsrules.play.tricks import breaks_hearts, masks_of

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["replayed"]


def replayed(start: Playing, plays: list[Play]) -> tuple[State, int]:
    """Replay plays up to the first illegal one, by the functions that `apply` uses.

    Returns:
        The state reached, and the number of plays made.
    """
    played = start.deal
    compiled = played.compiled
    los = [hand.lo for hand in start.hands]
    his = [hand.hi for hand in start.hands]
    turn = start.turn
    broken = start.hearts_broken
    trick = list(start.trick)
    led: i64 = trick[0].suit_mask if trick else 0
    lo, hi = masks_of(start.trick)
    count = 0
    for play in plays:
        bit = play.bit
        hand: i64 = los[turn]
        beaten = beaten_faces(compiled, led, lo, hi)
        first = played.trick_number == 0
        if play.seat != turn or not bit & playable(compiled, hand, led, first, broken, beaten, played.waiting, None):
            break
        count += 1
        twice: i64 = his[turn]
        if twice & bit:
            his[turn] = twice ^ bit
        else:
            los[turn] = hand ^ bit
        if not broken:
            broken = breaks_hearts(compiled, led, bit)
        trick.append(play)
        if len(trick) < compiled.players:
            hi |= lo & bit
            lo |= bit
            if not led:
                led = play.suit_mask
            turn += 1
            if turn == compiled.players:
                turn = 0
            continue
        played = completed(played, tuple(trick))
        if played.trick_number == compiled.hand_size:
            return finish_deal(played), count
        trick.clear()
        led = lo = hi = 0
        turn = played.leader
    if not count:
        return start, 0
    hands = tuple([bag_of(los[seat], his[seat]) for seat in range(len(los))])
    return Playing(played, hands, turn, tuple(trick), broken), count
