"""The dependence of points on tricks and totals, found by scoring sample piles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import cards_of
from heartsrules.play.board import Board
from heartsrules.play.scoring import count_pile, effect_codes, is_automatic, open_sun, set_points
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

EVERY_TRICK: Final = 99
"""More tricks than in any deal."""
_TOTALS: Final = (0, 50)
_TRICKS: Final = (0, 1, 2)


@final
class ScoreTraits:
    """The facts that determine a deal's points, besides the facts of the piles."""

    __slots__ = ("adds_up", "by_total", "moon_adds_up", "moon_by_total", "tricks")

    def __init__(self) -> None:
        self.tricks: i64 = 0
        """The number of tricks up to which each one affects a seat's points."""
        self.by_total: bool = False
        """True if running totals affect the points even without a moon."""
        self.moon_by_total: bool = False
        """True if running totals affect the points of a moon."""
        self.adds_up: bool = True
        """True if a card adds the same points to every pile, without a moon."""
        self.moon_adds_up: bool = True
        """True if a card outside the moon adds the same points to every pile, with a moon."""


def traits_of(resolved: ResolvedRules) -> ScoreTraits:
    traits = resolved.traits
    if not isinstance(traits, ScoreTraits):
        traits = _found_traits(resolved)
        resolved.traits = traits
    return traits


def open_faces(resolved: ResolvedRules, moons: i64) -> i64:
    """Return the cards that affect the points of the seat that captures them.

    `moons` are the groups that can still shoot the moon, as in `open_moons`.
    """
    return resolved.counting | resolved.moon_lo if moons else resolved.counting


def open_tricks(resolved: ResolvedRules, moons: i64, tricks_won: Sequence[int]) -> i64:
    """Return the number of tricks up to which each one affects a seat's points."""
    tricks = traits_of(resolved).tricks
    return 1 if not tricks and open_sun(resolved, moons, tricks_won) else tricks


def _sample_piles(resolved: ResolvedRules) -> list[tuple[int, int]]:
    """Return no card, then each scoring card by itself and after all lower ones."""
    piles = [(0, 0)]
    below = 0
    deck_hi = int(resolved.deck_hi)
    for card in cards_of(resolved.counting & resolved.deck_lo):
        below |= int(card.bit)
        piles += [(int(card.bit), int(card.bit) & deck_hi), (below, below & deck_hi)]
    return piles


def _found_traits(resolved: ResolvedRules) -> ScoreTraits:
    traits = ScoreTraits()
    piles = _sample_piles(resolved)
    board = Board(resolved, [0] * int(resolved.players))
    for effect in [C.MOON_OFF, *effect_codes(resolved)]:
        shot = effect != C.MOON_OFF
        board.shooter = 0 if shot else -1
        board.has_apart = shot
        board.moon = resolved.moon_value
        empty: list[list[int]] = []
        for lo, hi in piles:
            rows = _points(resolved, board, effect, lo, hi)
            empty = empty or rows
            gain = board.seats[0].card_points - board.seats[0].bonus
            adds_up = rows == [[points + gain for points in row] for row in empty]
            by_total = rows[:3] != rows[3:]
            if shot:
                traits.moon_adds_up = traits.moon_adds_up and adds_up
                traits.moon_by_total = traits.moon_by_total or by_total
            else:
                traits.adds_up = traits.adds_up and adds_up
                traits.by_total = traits.by_total or by_total
            if rows[1] != rows[2] or rows[4] != rows[5]:
                traits.tricks = EVERY_TRICK
            elif not traits.tricks and (rows[0] != rows[1] or rows[3] != rows[4]):
                traits.tricks = 1
    traits.moon_by_total = traits.moon_by_total or is_automatic(resolved)
    return traits


def _points(resolved: ResolvedRules, board: Board, effect: int, lo: int, hi: int) -> list[list[int]]:
    """Return points for equal piles, with a row per total and tricks."""
    for seat in board.seats:
        seat.pile_lo = lo
        seat.pile_hi = hi
        count_pile(resolved, seat)
        seat.apart = seat.card_points
    rows: list[list[int]] = []
    for total in _TOTALS:
        for won in _TRICKS:
            for seat in board.seats:
                seat.total = total
                seat.won = won
            set_points(resolved, board, effect)
            rows.append([seat.points for seat in board.seats])
    return rows
