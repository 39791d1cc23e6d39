"""What the plays of a deal tell of the hands that made them, hand by hand, in masks.

A play tells something of the rest of a hand by being legal. Every stage of the legality pipeline bars the card that was
played on account of single cards beside it (one of the suit led, one that is not a heart, the Q♠), never of several
together, so each face is tried by itself, and no rule of play is written here a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartsrules.cards import Cards, popcount
from heartsrules.play.board import TrickState
from heartsrules.play.moves import Play
from heartsrules.play.state import Trick
from heartsrules.play.tricks import opening_suit, seats_before
from heartsrules.rules import Rules, Seat
from heartsrules.rules.compiled import COMPULSORY_ALWAYS, CompiledRules

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["openers", "strike_out", "telling"]


def telling(compiled: CompiledRules, held: i64, led: i64, waiting: i64, bit: i64) -> i64:
    """The cards of a hand beside which each other card tells by itself whether a play of that face was legal.

    A shown card that must be played whenever it may be is not among them on a lead, while it is held back: whether it
    is depends on another card of its suit.
    """
    if led or compiled.compulsory != COMPULSORY_ALWAYS:
        return held
    return held & ~(waiting & compiled.compulsory_faces) | bit


def strike_out(
    state: TrickState,
    tricks: tuple[Trick, ...],
    trick: tuple[Play, ...],
    held: list[int],
    twice: list[int],
    may: list[int],
) -> None:
    """Strike out of what each hand may hold the faces beside which one of its plays would have been illegal.

    Args:
        state: on the lead to the first known trick. It is used up.
        tricks: the completed tricks that are known.
        trick: the plays of the current trick.
        held: by seat, the faces that it is known to have held before, as a mask. It is used up.
        twice: by seat, those of them that it held twice. It is used up.
        may: by seat, the faces that it may hold besides; -1: it is not asked. It is changed.
    """
    number: i64 = 0
    count: i64 = len(tricks)
    while number <= count:
        plays = tricks[number].plays if number < count else trick
        for play in plays:
            seat = play.seat
            bit = play.bit
            own: i64 = held[seat]
            others: i64 = may[seat]
            if others >= 0:
                mine = telling(state.compiled, own, state.led, state.waiting, bit)
                if not state.legal_of(mine | others) & bit:
                    left: i64 = 0
                    while others:
                        face = others & -others
                        others ^= face
                        if state.legal_of(mine | face) & bit:
                            left |= face
                    may[seat] = left
            second: i64 = twice[seat]
            if second & bit:
                twice[seat] = second ^ bit
            else:
                held[seat] = own & ~bit
            state.add(bit)
        state.next_trick()
        number += 1


def openers(
    rules: Rules, dealer: Seat, leader: Seat, known: list[int], unseen: Cards, kitty: i64, may: list[int]
) -> list[tuple[int, list[int]]]:
    """With which lowest card of the opening suit the leader of a deal can have had the first lead, where it decides.

    Nobody holds a lower one, and nobody before the leader holds the same. Whether the leader holds it, known or among
    the unseen cards, is left to the caller.

    Args:
        rules: the rule set.
        dealer: who dealt.
        leader: who led first.
        known: by seat, the faces that it is known to have held, as a mask.
        unseen: the cards that nobody is known to have held.
        kitty: how many of those lie in the kitty.
        may: by seat, the faces that a hidden hand may hold besides those that are known; -1: it is not hidden.

    Returns:
        The bit of each card that it can have been, with what then remains of `may`.
    """
    before = seats_before(rules, dealer, leader)
    held: i64 = 0
    for faces in known:
        held |= faces
    suit: i64 = opening_suit(rules)
    rest = rules.compiled.deck_lo & suit
    found: list[tuple[int, list[int]]] = []
    while rest:
        lowest = rest & -rest
        rest ^= lowest
        lower = suit & (lowest - 1)
        if held & lower or popcount(unseen.lo & lower) + popcount(unseen.hi & lower) > kitty:
            break
        possible = True
        for seat in before:
            if known[seat] & lowest:
                possible = False
        if possible:
            left: list[int] = []
            for seat, faces in enumerate(may):
                mask: i64 = faces
                if mask >= 0:
                    mask &= ~lower
                    if seat in before:
                        mask &= ~lowest
                left.append(mask)
            found.append((int(lowest), left))
    return found
