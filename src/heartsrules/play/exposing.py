"""The exposures that a hand allows, as a lazy sequence of moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from heartsrules.cards import NO_CARDS, Cards, bag_of, popcount
from heartsrules.play.lazy_moves import SeatChoices, chosen_of
from heartsrules.play.moves import Expose
from heartsrules.play.public import faces_of, seats_to_expose
from heartsrules.play.violations import AlreadyExposed, NotExposable, NotInHand, Violation
from heartsrules.rules import Rules, Seat, resolved_doubled
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64


class SeatExposures(SeatChoices[Expose]):
    """The exposures of one seat, with any of its exposable cards.

    They are in the order of binary numbers: no card, the first card, the second, both, the third, and so on.
    """

    __slots__ = ()
    _what: ClassVar[tuple[str, str]] = ("exposure", "exposures")

    def __init__(self, seat: Seat, cards: Cards) -> None:
        super().__init__(seat, cards, 1 << popcount(cards.lo))

    def at(self, index: int) -> Expose:
        return Expose(self.seat, chosen_of(self.cards.lo, index) if index else NO_CARDS)

    def holds(self, move: object) -> bool:
        if not isinstance(move, Expose) or move.seat != self.seat:
            return False
        return not move.cards.hi and not move.cards.lo & ~self.cards.lo


def exposures_in(resolved: ResolvedRules, seat: Seat, hand: Cards, exposed: Cards) -> SeatExposures:
    """Return a seat's possible exposures from its hand, given those already made."""
    return SeatExposures(seat, bag_of(hand.lo & resolved.exposable & ~exposed.lo, 0))


def reasons_against_exposure(
    resolved: ResolvedRules, cards: Cards, hand: Cards | None, exposed: Cards
) -> tuple[Violation, ...]:
    """Return the reasons against an exposure, in order of precedence.

    `hand` is None if it must stay unknown. `exposed` are the cards of earlier rounds.
    """
    reasons: tuple[Violation, ...] = ()
    if hand is not None and cards - hand:
        held = bag_of(hand.lo, hand.lo)
        reasons = (NotInHand(cards - hand, (cards - hand) & held),)
    # With one deck no hand has a card twice.
    twice = cards.hi if hand is None else 0
    wrong = bag_of(cards.lo & ~resolved.exposable | twice, cards.hi & ~resolved.exposable)
    if wrong:
        reasons += (NotExposable(wrong),)
    again = bag_of(cards.lo & exposed.lo, 0)
    return reasons + (AlreadyExposed(again),) if again else reasons


def rounds_to(
    rules: Rules, dealer: Seat, exposed: tuple[Cards, ...], committed: Sequence[bool]
) -> tuple[tuple[Seat, Cards], ...]:
    """Return an order of exposing in rounds that leads to a position.

    Each seat exposes its cards all at once, as early as possible. The order ends early if there is none.

    Args:
        rules: the rule set.
        dealer: the dealer's seat.
        exposed: each seat's exposed cards.
        committed: True for each seat that has moved since another exposed a card.
    """
    players = rules.players
    left = [seat for seat in range(players) if exposed[seat]]
    # The last seat to expose cards.
    last = -1
    if left:
        candidates = [seat for seat in left if committed[seat]]
        if rules._resolved.shows_in_turn:
            turn = [(dealer + 1 + place) % players for place in range(players)]
            first = [seat for seat in turn if committed[seat] and not committed[seat - 1]]
            candidates = first or [seat for seat in turn if seat in left]
        last = candidates[-1] if candidates else left[-1]
        left = [seat for seat in left if seat != last]
    moves: list[tuple[Seat, Cards]] = []
    done = [False] * players
    ended = last < 0
    while True:
        able = seats_to_expose(rules, dealer, done)
        if not able:
            return tuple(moves)
        seat = able[0]
        shows = NO_CARDS
        if ended:
            willing = [one for one in able if committed[one]]
            if not willing:
                return tuple(moves)
            seat = willing[0]
        elif seat in left:
            left.remove(seat)
            shows = exposed[seat]
        elif seat == last and not left:
            shows = exposed[seat]
            ended = True
        moves.append((seat, shows))
        if shows:
            done = [False] * players
        done[seat] = True


def resolved_with(rules: Rules, exposed: tuple[Cards, ...]) -> ResolvedRules:
    """Return the resolved rules for scoring with these exposed cards."""
    if not rules._resolved.exposable:
        return rules._resolved
    return resolved_with_exposed(rules, faces_of(exposed))


def resolved_with_exposed(rules: Rules, exposed_mask: i64) -> ResolvedRules:
    """Return the resolved rules for scoring with this mask of exposed cards.

    An exposed card counts double, and an exposed heart doubles every heart. The values are doubled once, so that
    scoring ignores exposed cards.
    """
    resolved = rules._resolved
    if not exposed_mask:
        return resolved
    if exposed_mask & C.HEARTS:
        exposed_mask |= C.HEARTS
    found = resolved.doubled.get(int(exposed_mask))
    return resolved_doubled(rules, exposed_mask) if found is None else found
