"""A position as text: hands, the trick, captured cards, totals, and the legal moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.table import Table

from heartsrules.cards import Card, Cards, Suit
from heartsrules.cli.printing import make_table
from heartsrules.engine import legal_moves, to_act
from heartsrules.errors import counted
from heartsrules.moves import Pass, Play
from heartsrules.notation import format_rules
from heartsrules.rules import Exposure, OpeningLeader, Reckoning, Seat
from heartsrules.scoring import display_score
from heartsrules.sheet import DealScore
from heartsrules.state import AwaitingDeal, ChoosingMoon, Exposing, GameOver, Passing, PlayedDeal, Playing, State
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayedDealView,
    PlayingView,
    View,
)

__all__ = ["Artist"]


class Artist:
    """Draws a position: a state, or what one seat may know of it."""

    def __init__(self, shown: State | View, *, symbols: bool) -> None:
        self.shown: Final = shown
        self.symbols: Final = symbols

    def card(self, card: Card) -> str:
        """`Q♠`, or `QS` where there are no symbols."""
        return f"{card.rank.letter}{card.suit.symbol}" if self.symbols else str(card)

    def cards(self, bag: Cards) -> str:
        """Cards by suit: `♣ 3 T  ♠ Q`."""
        suits: list[str] = []
        for suit in Suit:
            ranks = " ".join([card.rank.letter for card in bag.of_suit(suit)])
            if ranks:
                suits.append(f"{suit.symbol if self.symbols else suit.letter} {ranks}")
        return "  ".join(suits) or "-"

    def gifts(self, move: Pass) -> str:
        """What a pass gives away."""
        return " / ".join(map(self.cards, move.gifts)) or "declines"

    def lines(self) -> Iterator[str | Table]:
        """What there is to see, from top to bottom."""
        shown = self.shown
        yield f"rules: {format_rules(shown.rules)}"
        yield ", ".join(self.situation())
        yield ""
        yield self.seats()
        yield ""
        yield from self.middle()
        yield from self.awaited()
        if shown.deal_scores:
            yield ""
            yield self.sheet()

    def situation(self) -> Iterator[str]:
        """Where in the game this is, counted from 1."""
        shown = self.shown
        yield f"deal {shown.deal_number + 1}"
        if isinstance(shown, (Playing, PlayingView)):
            yield f"trick {shown.trick_number + 1}"
        yield f"seat {shown.dealer} {'deals' if isinstance(shown, (AwaitingDeal, AwaitingDealView)) else 'dealt'}"
        if isinstance(shown, (Playing, PlayingView)):
            yield "hearts are broken" if shown.hearts_broken else "hearts are not broken"

    def seats(self) -> Table:
        """A row for each seat."""
        shown = self.shown
        rules = shown.rules
        columns: dict[str, list[str]] = {"seat": [str(seat) for seat in range(rules.players)]}
        if isinstance(shown, (Passing, PassingView, Exposing, ExposingView, Playing, PlayingView)):
            columns["hand"] = self.hands(shown)
        if isinstance(shown, (Exposing, ExposingView)):
            columns["shows"] = self.exposures(shown)
        if isinstance(shown, (Playing, PlayingView)) and any(shown.shown):
            columns["shown"] = [self.cards(cards) for cards in shown.shown]
        if isinstance(shown, (Passing, PassingView)):
            columns["passes"] = self.passes(shown)
        played = _deal_of(shown)
        if played is not None:
            columns["captured"] = [self.cards(pile) for pile in played.captured]
            columns["tricks"] = [str(count) for count in played.tricks_won]
        columns["total"] = [str(total) for total in shown.scores]
        if rules.reckoning is not Reckoning.PENALTY:
            columns["shown as"] = [str(display_score(rules, total)) for total in shown.scores]
        table = make_table(*columns, right=("seat", "tricks", "total", "shown as"))
        for row in zip(*columns.values(), strict=True):
            table.add_row(*row)
        return table

    def hands(self, shown: Passing | PassingView | Exposing | ExposingView | Playing | PlayingView) -> list[str]:
        """By seat, the hand, or how many cards it has."""
        if isinstance(shown, (Passing, Exposing, Playing)):
            return [self.cards(hand) for hand in shown.hands]
        return [
            self.cards(shown.hand) if seat == shown.seat else counted(size, "card")
            for seat, size in enumerate(shown.hand_sizes)
        ]

    def passes(self, shown: Passing | PassingView) -> list[str]:
        """By seat, what it has committed, or that it has."""
        if isinstance(shown, Passing):
            return ["not yet" if move is None else self.gifts(move) for move in shown.commitments]
        texts = ["committed" if seat in shown.committed else "not yet" for seat in range(shown.rules.players)]
        if shown.commitment is not None:
            texts[shown.commitment.seat] = self.gifts(shown.commitment)
        return texts

    def exposures(self, shown: Exposing | ExposingView) -> list[str]:
        """By seat, what it shows, or that it has decided."""
        if isinstance(shown, Exposing):
            return ["not yet" if move is None else self.cards(move.cards) for move in shown.commitments]
        texts = ["decided" if seat in shown.committed else "not yet" for seat in range(shown.rules.players)]
        for seat, cards in enumerate(shown.shown):
            if seat in shown.committed and (cards or shown.rules.exposure is Exposure.IN_TURN):
                texts[seat] = self.cards(cards)
        if shown.commitment is not None:
            texts[shown.commitment.seat] = self.cards(shown.commitment.cards)
        return texts

    def middle(self) -> Iterator[str]:
        """What lies on the table."""
        shown = self.shown
        if isinstance(shown, (Playing, PlayingView)):
            plays = ", ".join([f"seat {play.seat} {self.card(play.card)}" for play in shown.trick])
            yield f"the trick: {plays or '-'}"
        played = _deal_of(shown)
        if played is not None and played.set_aside:
            yield f"set aside: {self.cards(played.set_aside)}"
        taker = None if played is None else played.kitty_taker
        kitty = shown.kitty if isinstance(shown, (Passing, Exposing)) else None if played is None else played.kitty
        if taker is not None:
            yield f"the kitty, taken by seat {taker}: {'hidden' if kitty is None else self.cards(kitty)}"
        elif kitty:
            yield f"the kitty: {self.cards(kitty)}"
        elif shown.rules.kitty_size and not isinstance(shown, (AwaitingDeal, AwaitingDealView)):
            yield f"the kitty: {counted(shown.rules.kitty_size, 'card')}"

    def awaited(self) -> Iterator[str]:
        """Who is to act, and how."""
        shown = self.shown
        if isinstance(shown, (AwaitingDeal, AwaitingDealView)):
            yield "to act: chance, which deals"
        elif isinstance(shown, (GameOver, GameOverView)):
            yield f"the game is over; won by {_seats(shown.winners)}"
        elif isinstance(shown, (ChoosingMoon, ChoosingMoonView)):
            yield f"to act: seat {shown.shooter}, who shot the moon and chooses what it does"
            for score in (shown.others_up, shown.shooter_down):
                yield f"  {score.effect}: {' '.join(map(str, score.points))}"
        else:
            yield f"to act: {_seats(sorted(to_act(shown)))}"
            yield from self.moves(shown)

    def moves(self, shown: Passing | PassingView | Exposing | ExposingView | Playing | PlayingView) -> Iterator[str]:
        """The legal plays, or how many passes there are, of those whose moves may be known."""
        own = shown.seat if isinstance(shown, (PassingView, ExposingView, PlayingView)) else None
        for seat in sorted(to_act(shown)):
            if own is not None and seat != own:
                continue
            found = legal_moves(shown, seat)
            if isinstance(shown, (Playing, PlayingView)):
                plays = Cards([move.card for move in found if isinstance(move, Play)])
                yield f"legal cards: {self.cards(plays)}"
            elif isinstance(shown, Exposing):
                yield f"seat {seat} may show: {self.cards(shown.hands[seat] & shown.rules.exposable)}"
            elif isinstance(shown, ExposingView):
                yield f"seat {seat} may show: {self.cards(shown.hand & shown.rules.exposable)}"
            else:
                yield f"legal passes of seat {seat}: {len(found)}"

    def sheet(self) -> Table:
        """The points of each deal."""
        shown = self.shown
        seats = [f"seat {seat}" for seat in range(shown.rules.players)]
        # Where it decides who leads to the next deal.
        queen = ["queen"] if shown.rules.opening_leader is OpeningLeader.QUEEN_TAKER else []
        table = make_table("deal", *seats, "moon", *queen, right=("deal", *seats))
        # Of a game that was set up in its middle, only the last deals may be known.
        ended = isinstance(shown, (GameOver, GameOverView))
        first = shown.deal_number + ended - len(shown.deal_scores)
        for number, row in enumerate(shown.deal_scores, first + 1):
            taker = ["" if row.queen_taker is None else f"seat {row.queen_taker}" for _ in queen]
            table.add_row(str(number), *map(str, row.points), _moon(row), *taker)
        return table


def _moon(row: DealScore) -> str:
    if row.shooter is None:
        return ""
    return f"seat {row.shooter}, {row.effect}{', sun' if row.sun else ''}"


def _seats(seats: Sequence[Seat]) -> str:
    return f"{'seat' if len(seats) == 1 else 'seats'} {', '.join(map(str, seats))}"


def _deal_of(shown: State | View) -> PlayedDeal | PlayedDealView | None:
    """The deal as far as its tricks are completed, or the one that has just ended."""
    if isinstance(shown, (Passing, PassingView, Exposing, ExposingView)):
        return None
    return shown.deal if isinstance(shown, (Playing, PlayingView)) else shown.last_deal
