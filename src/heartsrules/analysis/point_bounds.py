"""Bound a side's points in a deal by scoring extreme piles, whatever the options."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

from heartsrules.play.board import Board
from heartsrules.play.score_traits import EVERY_TRICK, traits_of
from heartsrules.play.scoring import card_points, count_pile, effect_codes, set_points
from heartsrules.rules import resolved as C
from heartsrules.rules import switch
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

_SUN: Final = switch("sun")
_NO_MOON: Final = (-1, C.MOON_OFF, False, 0, 0)
"""The shooter, effect, sun, moon value and other penalties without a moon."""


def point_bounds(
    resolved: ResolvedRules, members: Sequence[int], totals: Sequence[int], cards: bool, moon: bool
) -> tuple[int, int]:
    """Return a lower and an upper bound of a side's points in a deal.

    Args:
        members: the seats of the side.
        totals: the running totals before the deal, one for each seat.
        cards: False to ignore points for captured cards.
        moon: False to ignore moons.
    """
    board = Board(resolved, totals)
    first, last = board.seats[members[0]], board.seats[members[-1]]
    points, bonus, doublers = [0], [0], [(0, 0)]
    if cards:
        first.pile_lo, first.pile_hi = resolved.deck_lo, resolved.deck_hi
        count_pile(resolved, first)
        points, bonus = [0, first.card_points], [0, first.bonus]
        # One member multiplies with some copies; another counts the rest alone.
        copies = int(first.doublers)
        doublers = [(used, copies - used if last is not first else 0) for used in range(copies + 1)]
        doublers.append((0, 0))
    scoring = [False, True] if doublers[1:] else [False]
    tricks = [0, 1, EVERY_TRICK] if traits_of(resolved).tricks else [0]
    moons = _moons(resolved, members) if moon else [_NO_MOON]
    found: list[int] = []
    for shot, in_pile, taken, (used, alone), scores, won in product(moons, points, bonus, doublers, scoring, tricks):
        board.shooter, effect, board.sun, board.moon, apart = shot
        board.has_apart = board.shooter >= 0
        for seat in board.seats:
            seat.won = won
        first.card_points, first.apart = in_pile, apart if in_pile else 0
        first.bonus, last.doublers, first.doublers = taken, alone, used
        last.scoring = board.shooter == last.seat
        first.scoring = scores or in_pile + taken > 0 or board.shooter == first.seat
        set_points(resolved, board, effect)
        found.append(sum([board.seats[seat].points for seat in members]))
    return min(found), max(found)


def _moons(resolved: ResolvedRules, members: Sequence[int]) -> list[tuple[int, int, bool, int, int]]:
    found: list[tuple[int, int, bool, int, int]] = [_NO_MOON]
    values = [(resolved.moon_value, _apart(resolved, resolved.moon_apart))]
    if resolved.moon_queens:
        value = resolved.moon_value + resolved.moon_queens_value
        values.append((value, _apart(resolved, resolved.moon_apart & ~resolved.moon_queens)))
    other = (members[0] + 1) % int(resolved.players)
    for shooter, effect in product((*members, other), effect_codes(resolved)):
        found += [(shooter, effect, False, value, apart) for value, apart in values]
        if resolved.switches & _SUN:
            found.append((shooter, effect, True, *values[-1]))
    return found


def _apart(resolved: ResolvedRules, faces: i64) -> int:
    return card_points(resolved, faces, faces & resolved.deck_hi)
