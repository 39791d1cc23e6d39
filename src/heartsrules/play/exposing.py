"""Exposure: which cards of a hand may be shown before the first lead, as a lazy sequence of moves."""

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
    """The exposures of one seat: any of some cards, or none.

    They come in the order of binary numbers: nothing; the first card; the second; both; the third, and so on.
    """

    __slots__ = ()
    _what: ClassVar[tuple[str, str]] = ("exposure", "exposures")

    def __init__(self, seat: Seat, cards: Cards) -> None:
        super().__init__(seat, cards, 1 << popcount(cards.lo))

    def at(self, index: int) -> Expose:
        """Return the exposure at an index from 0 to `count` - 1, which is not checked."""
        return Expose(self.seat, chosen_of(self.cards.lo, index) if index else NO_CARDS)

    def holds(self, move: object) -> bool:
        """Return True if a move is one of these exposures."""
        if not isinstance(move, Expose) or move.seat != self.seat:
            return False
        return not move.cards.hi and not move.cards.lo & ~self.cards.lo


def exposures_in(resolved: ResolvedRules, seat: Seat, hand: Cards, exposed: Cards) -> SeatExposures:
    """The exposures that a seat may make from its hand, of which it has shown these cards in earlier rounds."""
    return SeatExposures(seat, bag_of(hand.lo & resolved.exposable & ~exposed.lo, 0))


def reasons_against_exposure(
    resolved: ResolvedRules, cards: Cards, hand: Cards | None, exposed: Cards
) -> tuple[Violation, ...]:
    """The reasons against an exposure, in order of precedence; `()` if it is legal.

    Args:
        resolved: the resolved rules.
        cards: the cards to show.
        hand: the hand of the seat; None where it may not be known.
        exposed: what the seat has shown in earlier rounds.
    """
    reasons: tuple[Violation, ...] = ()
    if hand is not None and cards - hand:
        held = bag_of(hand.lo, hand.lo)
        reasons = (NotInHand(cards - hand, (cards - hand) & held),)
    # No hand holds a card twice: there is one deck.
    twice = cards.hi if hand is None else 0
    wrong = bag_of(cards.lo & ~resolved.exposable | twice, cards.hi & ~resolved.exposable)
    if wrong:
        reasons += (NotExposable(wrong),)
    again = bag_of(cards.lo & exposed.lo, 0)
    return reasons + (AlreadyExposed(again),) if again else reasons


def rounds_to(
    rules: Rules, dealer: Seat, exposed: tuple[Cards, ...], committed: Sequence[bool]
) -> tuple[tuple[Seat, Cards], ...]:
    """A way to show cards in rounds that leads to a position, whoever could move first always moving first.

    Each seat shows its cards all at once.

    Args:
        rules: the rule set.
        dealer: who dealt.
        exposed: by seat, the cards that it has shown.
        committed: by seat, whether it has moved since another showed cards.

    Returns:
        Seats with what they show, in order. It ends early where there is no such way.
    """
    players = rules.players
    left = [seat for seat in range(players) if exposed[seat]]
    # The seat that shows cards last.
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
    """The resolved rules for scoring a deal in which the seats have shown these cards."""
    if not rules._resolved.exposable:
        return rules._resolved
    return resolved_with_exposed(rules, faces_of(exposed))


def resolved_with_exposed(rules: Rules, exposed_mask: i64) -> ResolvedRules:
    """The resolved rules for scoring a deal in which these faces were shown.

    A shown card counts double, and a shown heart makes every heart do: the values are doubled once, so that scoring
    itself need not know of shown cards.
    """
    resolved = rules._resolved
    if not exposed_mask:
        return resolved
    if exposed_mask & C.HEARTS:
        exposed_mask |= C.HEARTS
    found = resolved.doubled.get(int(exposed_mask))
    return resolved_doubled(rules, exposed_mask) if found is None else found
