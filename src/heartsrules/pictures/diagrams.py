"""Diagrams: states, views, hands, tricks, score sheets, games and records as text that a person reads.

`str` of these values is their diagram, in plain ASCII as `str(card)` is; `diagram` can also write the symbols of the
suits. The diagram of a view tells what the view tells, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Final, TypeAlias

from heartsrules.base.errors import printable
from heartsrules.base.values import wrong_type
from heartsrules.cards import Card, Cards, Suit
from heartsrules.formats.notation import format_rules
from heartsrules.pictures.wording import Wording
from heartsrules.play.engine import legal_moves, to_act
from heartsrules.play.game import Game, Record, verify
from heartsrules.play.moves import Pass, Play
from heartsrules.play.public import Trick
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealingBack,
    DealtState,
    Exposing,
    GameOver,
    Passing,
    Playing,
    State,
)
from heartsrules.play.stateless import display_score
from heartsrules.rules import Exposure, OpeningLeader, ScoreDisplay, Seat
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    DealtView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
    View,
    deal_of,
)

__all__ = ["Drawable", "diagram", "face_up", "may_be_shown"]

Drawable: TypeAlias = State | View | Cards | Trick | ScoreSheet | Game | Record
"""A value that has a diagram."""

_WIDEST: Final = 80
"""The most characters of a line of rules."""
MOST_ROWS: Final = 50
"""The rows of a score sheet that a diagram shows: of a longer one, the last."""


def diagram(shown: Drawable, *, symbols: bool = False, language: str = "en") -> str:
    """Draw a value as text for people, of one line or several. Seats, deals and tricks are named by their numbers:
    seats from 0, deals and tricks from 1.

    Args:
        shown: a state or a view; a hand or any other bag of cards, by suit; a trick; a score sheet, of which the last
            50 rows are written; a game, or a record, of which the last position is drawn.
        symbols: whether suits are written as `♣ ♦ ♠ ♥`; if not, as `C D S H`. `str` does without.
        language: one of `heartsrules.messages.languages()`. Cards have the letters of the notation in every language.

    >>> print(diagram(Cards("QS KS 2H TC"), symbols=True))
    ♣ T  ♠ Q K  ♥ 2
    >>> print(Trick(2, (Play(2, Card("2C")), Play(3, Card("AC")), Play(0, Card("QS")), Play(1, Card("9C"))), 3))
    seat 2 2C, seat 3 AC, seat 0 QS, seat 1 9C: seat 3 wins

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """
    if not isinstance(symbols, bool):
        wrong_type("symbols", "a bool", symbols)
    writer = _DiagramWriter(symbols, language)
    if isinstance(shown, Cards):
        return writer.cards(shown)
    if isinstance(shown, Trick):
        return writer.say("trick-won", plays=writer.plays(shown.plays), winner=shown.winner)
    if isinstance(shown, ScoreSheet):
        return "\n".join(writer.sheet(shown, None))
    if isinstance(shown, Game):
        lines = [writer.say("after-moves", moves=shown.ply), *writer.position(shown.state)]
    elif isinstance(shown, Record):
        lines = list(writer.record(shown))
    elif isinstance(shown, (State, View)):
        lines = list(writer.position(shown))
    else:
        wrong_type("shown", "a State, a View, a Cards, a Trick, a ScoreSheet, a Game or a Record", shown)
    return "\n".join(lines)


# What several ways of drawing share.


def face_up(shown: State | View) -> tuple[Cards, ...]:
    """By seat, the shown cards that lie open before their owners: those that have not been played."""
    if isinstance(shown, (ExposingView, Playing, PlayingView)):
        return shown.face_up
    return shown.rules.resolved.nothing


def may_be_shown(shown: Exposing | ExposingView, seat: Seat) -> Cards:
    """The cards that a seat may show, if it is to choose; of a view, the seat is its own."""
    hand = shown.hands[seat] if isinstance(shown, Exposing) else shown.hand
    return (hand & shown.rules.exposable) - shown.start.exposed[seat]


# How a position is written.


class _DiagramWriter(Wording):
    """A writer of diagrams in a language, with symbols or letters for suits."""

    def __init__(self, symbols: bool, language: str) -> None:
        super().__init__(language)
        self.symbols: Final = symbols

    def moon(self, row: DealScore) -> str:
        """The moon of a row of the score sheet; empty if there was none."""
        if row.shooter is None:
            return ""
        effect = self.say("effect", effect=row.effect)
        return self.say("moon", seat=row.shooter, effect=effect, sun=row.sun)

    # Parts of lines

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
        """The gifts of a pass, or that it declines."""
        return " / ".join(map(self.cards, move.cards)) or self.say("declines")

    def plays(self, plays: Sequence[Play]) -> str:
        """Plays, each with its seat."""
        return ", ".join([self.say("play", seat=play.seat, card=self.card(play.card)) for play in plays]) or "-"

    # Positions

    def position(self, shown: State | View) -> Iterator[str]:
        """The lines of a state or a view, from top to bottom."""
        yield from wrap(
            self.say("rules", rules=format_rules(shown.rules)),
            _WIDEST,
            subsequent_indent="  ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        yield ", ".join(self.situation(shown))
        yield ""
        yield from self.seats(shown)
        yield ""
        yield from self.middle(shown)
        yield from self.awaited(shown)
        if shown.score_sheet:
            yield ""
            yield from self.sheet(shown.score_sheet, shown)

    def situation(self, shown: State | View) -> Iterator[str]:
        """Deal, trick, dealer and hearts; deals and tricks are counted from 1."""
        yield self.say("deal", deal=shown.deal_number + 1)
        if isinstance(shown, (Playing, PlayingView)):
            yield self.say("trick", trick=shown.trick_number + 1)
        yield self.say("dealer", seat=shown.dealer, awaits=isinstance(shown, (AwaitingDeal, AwaitingDealView)))
        if isinstance(shown, (Playing, PlayingView)):
            yield self.say("broken", broken=shown.hearts_broken)

    def seats(self, shown: State | View) -> Iterator[str]:
        """A table with a row for each seat."""
        rules = shown.rules
        seat, hand, shows, lying, passes, tricks, total, score = self.say("columns").split(",")
        columns: dict[str, list[str]] = {seat: [str(each) for each in range(rules.players)]}
        if isinstance(shown, DealtState) or isinstance(shown, DealtView):  # noqa: SIM101 - pyright needs both
            columns[hand] = self.hands(shown)
        if isinstance(shown, (Exposing, ExposingView)):
            columns[shows] = self.exposures(shown)
        if isinstance(shown, (Playing, PlayingView)) and any(shown.exposed):
            columns[lying] = [self.cards(cards) for cards in shown.exposed]
        if isinstance(shown, (Passing, PassingView, DealingBack, DealingBackView)):
            columns[passes] = self.passes(shown)
        played = deal_of(shown)
        if played is not None:
            columns[tricks] = [str(count) for count in played.tricks_won]
        columns[total] = [str(total) for total in shown.scores]
        if rules.score_display is not ScoreDisplay.PENALTY:
            columns[score] = [str(display_score(rules, total)) for total in shown.scores]
        yield from _in_columns(columns, right=(seat, tricks, total, score))

    def hands(self, shown: DealtState | DealtView) -> list[str]:
        """By seat, the hand, or its size where it is hidden."""
        if isinstance(shown, DealtState):
            return [self.cards(hand) for hand in shown.hands]
        return [
            self.cards(shown.hand) if seat == shown.seat else self.say("cards", count=size)
            for seat, size in enumerate(shown.hand_sizes)
        ]

    def passes(self, shown: Passing | PassingView | DealingBack | DealingBackView) -> list[str]:
        """By seat, the committed pass, or whether there is one."""
        if isinstance(shown, (Passing, DealingBack)):
            return [self.say("not-yet") if move is None else self.gifts(move) for move in shown.commitments]
        texts = [
            self.say("not-yet" if isinstance(shown, PassingView) and seat not in shown.committed else "committed")
            for seat in range(shown.rules.players)
        ]
        if shown.commitment is not None:
            texts[shown.commitment.seat] = self.gifts(shown.commitment)
        return texts

    def whether(self, shown: PassingView | ExposingView, name: str) -> list[str]:
        """By seat, that it has chosen, or that it has not."""
        return [self.say(name if seat in shown.committed else "not-yet") for seat in range(shown.rules.players)]

    def exposures(self, shown: Exposing | ExposingView) -> list[str]:
        """By seat, the exposure, or whether the seat has moved."""
        if isinstance(shown, Exposing):
            texts = [self.say("not-yet") if move is None else self.cards(move.cards) for move in shown.commitments]
            return self._asked_again(texts, shown)
        texts = [
            self.say("decided") if seat in shown.committed else self.say("not-yet")
            for seat in range(shown.rules.players)
        ]
        for seat, cards in enumerate(shown.exposed):
            if seat in shown.committed and (cards or shown.rules.exposure is not Exposure.TOGETHER):
                texts[seat] = self.cards(cards)
        if shown.commitment is not None:
            texts[shown.commitment.seat] = self.cards(shown.commitment.cards)
        return self._asked_again(texts, shown)

    def _asked_again(self, texts: list[str], shown: Exposing | ExposingView) -> list[str]:
        """The texts with what lies open before the seats that may show more."""
        for seat, cards in enumerate(shown.start.exposed):
            if cards and texts[seat] == self.say("not-yet"):
                texts[seat] = self.say("and-more", cards=self.cards(cards))
        return texts

    def middle(self, shown: State | View) -> Iterator[str]:
        """The trick, the captured cards, the cards set aside and the kitty."""
        if isinstance(shown, (Playing, PlayingView)):
            yield self.say("the-trick", plays=self.plays(shown.trick))
        played = deal_of(shown)
        for seat, pile in enumerate(played.captured if played is not None else ()):
            if pile:
                yield self.say("captured", seat=seat, cards=self.cards(pile))
        if played is not None and played.set_aside:
            yield self.say("set-aside", cards=self.cards(played.set_aside))
        taker = None if played is None else played.kitty_winner
        kitty = None if played is None else played.kitty
        if isinstance(shown, (Passing, DealingBack, Exposing)):
            kitty = shown.kitty
        if taker is not None:
            yield self.say("kitty-taken", seat=taker, hidden=kitty is None, cards=self.cards(kitty or Cards()))
        elif kitty:
            yield self.say("kitty", cards=self.cards(kitty))
        elif shown.rules.kitty_size and not isinstance(shown, (AwaitingDeal, AwaitingDealView)):
            yield self.say("kitty", cards=self.say("cards", count=shown.rules.kitty_size))

    def awaited(self, shown: State | View) -> Iterator[str]:
        """The seats to act, and their moves."""
        if isinstance(shown, (AwaitingDeal, AwaitingDealView)):
            yield self.say("to-deal", back=False)
        elif isinstance(shown, (DealingBack, DealingBackView)):
            yield self.say("to-deal", back=True)
        elif isinstance(shown, (GameOver, GameOverView)):
            yield self.say("won-by", seats=shown.winners)
        elif isinstance(shown, (ChoosingMoon, ChoosingMoonView)):
            yield self.say("to-choose", seat=shown.shooter)
            for score in (shown.others_up, shown.shooter_down):
                effect = self.say("effect", effect=score.effect)
                yield f"  {effect}: {' '.join(map(str, score.points))}"
        else:
            yield self.say("to-act", seats=tuple(sorted(to_act(shown))))
            yield from self.moves(shown)

    def moves(self, shown: DealtState | DealtView) -> Iterator[str]:
        """The legal moves of each seat whose moves may be known; of passes only their number."""
        own = shown.seat if isinstance(shown, DealtView) else None
        for seat in sorted(to_act(shown)):
            if own is not None and seat != own:
                continue
            found = legal_moves(shown, seat)
            if isinstance(shown, (Playing, PlayingView)):
                plays = Cards([move.card for move in found if isinstance(move, Play)])
                yield self.say("legal-cards", cards=self.cards(plays))
            elif isinstance(shown, (Exposing, ExposingView)):
                yield self.say("may-show", seat=seat, cards=self.cards(may_be_shown(shown, seat)))
            else:
                yield self.say("legal-passes", seat=seat, count=len(found))

    # Score sheets, and records

    def sheet(self, sheet: ScoreSheet, shown: State | View | None) -> Iterator[str]:
        """A table of the points of each deal, and the totals.

        Args:
            sheet: the score sheet.
            shown: where it stands; None: it stands alone, and the rules are not known.
        """
        players = range(len(sheet.start))
        left_out = max(0, len(sheet) - MOST_ROWS)
        first = sheet.first + left_out
        rows: list[list[str]] = []
        before = sheet.head(left_out).totals
        if first:
            rows.append([self.say("before", deal=first), *map(str, before), "", ""])
        for number, row in enumerate(sheet[left_out:], first + 1):
            taker = "" if row.queen_taker is None else self.say("seat", seat=row.queen_taker)
            rows.append([str(number), *map(str, row.points), self.moon(row), taker])
        deal, total, moon, queen = self.say("sheet").split(",")
        rows.append([total, *map(str, sheet.totals), "", ""])
        heads = [deal, *[self.say("seat", seat=seat) for seat in players], moon, queen]
        columns = {head: [row[place] for row in rows] for place, head in enumerate(heads)}
        # Only there does it decide who leads to the next deal.
        if shown is None or shown.rules.opening_leader is not OpeningLeader.QUEEN_TAKER:
            del columns[queen]
        if not any(columns[moon]):
            del columns[moon]
        yield from _in_columns(columns, right=[head for head in heads if head not in (moon, queen)])

    def record(self, record: Record) -> Iterator[str]:
        """The tags of a record, the position its moves lead to, and the first mistake."""
        for name, text in record.tags:
            yield f"{printable(name)}: {printable(text)}"
        verdict = verify(record)
        yield self.say("after-moves", moves=verdict.plies)
        yield from self.position(verdict.state)
        if verdict.failure is not None:
            yield ""
            yield self.say("wrong", failure=str(verdict.failure))


def _in_columns(columns: dict[str, list[str]], right: Iterable[str]) -> Iterator[str]:
    """Align columns under their heads; those named by `right` are aligned on the right."""
    lines = zip(*[[head, *cells] for head, cells in columns.items()], strict=True)
    widths = {head: max(map(len, [head, *cells])) for head, cells in columns.items()}
    ends = set(right)
    for line in lines:
        padded = [
            cell.rjust(width) if head in ends else cell.ljust(width)
            for cell, (head, width) in zip(line, widths.items(), strict=True)
        ]
        yield "  ".join(padded).rstrip()
