"""Facts about a table for pictures, diagrams, the terminal and the browser."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Final

from heartsrules.cards import Card, Cards, Suit
from heartsrules.play.engine import to_act, why_illegal_cards
from heartsrules.play.exposing import resolved_with
from heartsrules.play.moves import Expose, Move, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.state import DealtState, Exposing, Passing, State
from heartsrules.play.stateless import display_score
from heartsrules.play.violations import NotYourTurn
from heartsrules.rules import Exposure, Rules, Seat
from heartsrules.views import DealtView, ExposingView, PassingView, View, deal_of

__all__ = ["Doing", "TableFacts", "cards_in_move", "change", "changes", "displayed"]
__dir__ = __all__.copy


class Doing(enum.Enum):
    """What a seat is doing or has done."""

    CHOOSES = "choosing"
    """The seat chooses cards to pass or to expose."""
    HAS_CHOSEN = "has-chosen"
    PLAYS = "to-play"
    SHOT_MOON = "shot-moon"
    """The seat chooses the effect of its moon."""
    WINS = "wins"


class TableFacts:
    """The facts about the table of a state or a view. Tuples have one item per seat.

    Attributes:
        shown: the state or the view.
        rules: the rule set.
        acting: the seats to act, in order.
        winners: the winners of the game; empty before it is over.
        doubler: the card that doubles points, if the rules have one.
        totals: the displayed totals.
        hands: the known hands, None where a hand is hidden; empty if no seat holds cards.
        hand_sizes: the number of cards in each hand of a view; empty for a state and if no seat holds cards.
        choices: the known choices of cards to pass or to expose.
        face_up: the exposed cards that have not been played.
        exposed: the cards exposed in the deal in play or the last deal; empty before the deal's first exposure.
        kitty: the cards of the kitty, or None if they are hidden.
        kitty_winner: the seat that took the kitty.
    """

    def __init__(self, shown: State | View) -> None:
        deal = deal_of(shown)
        self.shown: Final = shown
        self.rules: Final = shown.rules
        self.acting: Final = tuple(sorted(to_act(shown)))
        self.winners: Final = shown.winners if shown.phase is Phase.OVER else ()
        self.doubler: Final = None if self.rules.doubler is None else self.rules.doubler.card
        self.totals: Final = displayed(self.rules, shown.scores)
        self.hands: tuple[Cards | None, ...] = ()
        self.hand_sizes: tuple[int, ...] = ()
        self.face_up = self.rules._resolved.nothing
        self.exposed = () if deal is None else deal.exposed
        self.kitty = None if deal is None else deal.kitty
        self.kitty_winner: Final = None if deal is None else deal.kitty_winner
        self.choices: list[Pass | Expose | None] = [None] * self.rules.players
        if shown.phase is Phase.EXPOSE or shown.phase is Phase.PLAY:
            self.exposed, self.face_up = shown.exposed, shown.face_up
        if isinstance(shown, DealtState):
            self.hands, self.kitty = shown.hands, shown.kitty
            if shown.phase is not Phase.PLAY:
                self.choices = list(shown.commitments)
        elif isinstance(shown, DealtView):
            seats = range(self.rules.players)
            self.hands = tuple([shown.hand if seat == shown.seat else None for seat in seats])
            self.hand_sizes = shown.hand_sizes
            # A seat's choice is public at once, unless all seats expose their cards together.
            if shown.phase is Phase.EXPOSE and self.rules.exposure is not Exposure.TOGETHER:
                self.choices = [Expose(seat, shown.exposed[seat]) if self.has_chosen(seat) else None for seat in seats]
            if shown.phase is not Phase.PLAY:
                own = shown.exposure if shown.phase is Phase.EXPOSE else shown.commitment
                if own is not None:
                    self.choices[own.seat] = own

    def has_chosen(self, seat: Seat) -> bool:
        """Return True if a seat has chosen the cards that it passes or exposes."""
        shown = self.shown
        if isinstance(shown, (Passing, PassingView, Exposing, ExposingView)):
            return seat in shown.committed
        return shown.phase is Phase.DEAL_BACK

    def doing(self, seat: Seat) -> Doing | None:
        """Return what a seat is doing or has done, if that is worth a note."""
        if seat in self.acting:
            return {Phase.PLAY: Doing.PLAYS, Phase.MOON: Doing.SHOT_MOON}.get(self.shown.phase, Doing.CHOOSES)
        return Doing.HAS_CHOSEN if self.has_chosen(seat) else Doing.WINS if seat in self.winners else None

    def chosen(self, seat: Seat) -> Cards:
        """Return the cards that a seat is known to pass or to expose."""
        return cards_in_move(self.choices[seat])

    def standing_out(self, seat: Seat) -> Cards:
        """Return the cards of a known hand that are chosen or face up."""
        return self.chosen(seat) or (self.hands[seat] or Cards()) & self.face_up[seat]

    def exposable(self, seat: Seat) -> Cards:
        """Return the cards of a known hand that a seat can expose now or on its turn."""
        return ((self.hands[seat] or Cards()) & self.rules.exposable) - self.exposed[seat]

    def barred(self, seat: Seat | None) -> Cards:
        """Return the cards of a hand that would be illegal to choose on the seat's turn."""
        return Cards(
            [
                card
                for card, reasons in why_illegal_cards(self.shown, seat)
                if not all([isinstance(reason, NotYourTurn) for reason in reasons])
            ]
        )

    def counting(self, cards: Cards) -> tuple[Cards, Cards]:
        """Return the cards that count for their captor, as plain hearts and other cards."""
        counting = Cards([card for card in cards if card.bit & self.rules._resolved.counting])
        marks = self.marks
        hearts = Cards([card for card in counting.of_suit(Suit.HEARTS) if card not in marks])
        return hearts, counting - hearts

    @property
    def marks(self) -> dict[Card, int]:
        """The bonus cards with their bonuses, and the doubler with its current factor."""
        resolved = resolved_with(self.rules, self.exposed)
        marks = {bonus.card: worth.points for bonus, worth in zip(self.rules.bonuses, resolved.bonuses, strict=True)}
        return marks if self.doubler is None else {**marks, self.doubler: resolved.doubler_factor}


def cards_in_move(move: Move | None) -> Cards:
    """Return the cards that a move plays, passes or exposes."""
    if isinstance(move, Play):
        return Cards([move.card])
    if isinstance(move, Pass):
        return sum(move.cards, start=Cards())
    return move.cards if isinstance(move, Expose) else Cards()


def displayed(rules: Rules, totals: Iterable[int]) -> tuple[int, ...]:
    """Return totals as the rules display them."""
    return tuple([display_score(rules, total) for total in totals])


def change(rules: Rules, points: int) -> int:
    """Return the change of a displayed total for points.

    A penalty lowers the total where the highest one wins.
    """
    return display_score(rules, points) - display_score(rules, 0)


def changes(rules: Rules, before: Iterable[int], after: Iterable[int]) -> list[int]:
    """Return the changes of displayed totals."""
    return [change(rules, new - old) for old, new in zip(before, after, strict=True)]
