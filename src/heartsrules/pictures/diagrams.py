"""Diagrams of the library's values as text.

`str` of a state, view, hand, trick, score sheet, game or record is its diagram in plain ASCII; `diagram` can also write
suit symbols. A view's diagram shows no more than the view.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Final, TypeAlias

from heartsrules.base.errors import printable
from heartsrules.base.values import wrong_type
from heartsrules.cards import Card, Cards, Suit
from heartsrules.formats.notation import format_rules
from heartsrules.messages import fill
from heartsrules.pictures.facts import TableFacts
from heartsrules.pictures.wording import Wording
from heartsrules.play.engine import legal_moves
from heartsrules.play.game import Game, Record, verify
from heartsrules.play.moves import Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.public import Trick
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.state import State
from heartsrules.rules import OpeningLeader, ScoreDisplay
from heartsrules.views import View, deal_of

__all__ = ["Drawable", "diagram"]
__dir__ = __all__.copy

Drawable: TypeAlias = State | View | Cards | Trick | ScoreSheet | Game | Record
"""A value that has a diagram."""

_WIDEST: Final = 80
MOST_ROWS: Final = 50
"""The limit on rows of a score sheet in a diagram, which shows the last ones."""


def diagram(shown: Drawable, *, symbols: bool = False, language: str = "en") -> str:
    """Draw a value as text for people, on one or more lines.

    Seats are numbered from 0, deals and tricks from 1.

    Args:
        shown: a state or a view; a hand or any other cards, by suit; a trick; a score sheet, with its last 50 rows; a
            game, or a record, at its last position.
        symbols: True for suits as `♣ ♦ ♠ ♥`, False for `C D S H` as in `str`.
        language: one of `heartsrules.messages.languages()`. With symbols, ranks have its letters.

    >>> print(diagram(Cards("QS KS 2H TC"), symbols=True))
    ♣ 10  ♠ Q K  ♥ 2
    >>> print(Trick(2, (Play(2, Card("2C")), Play(3, Card("AC")), Play(0, Card("QS")), Play(1, Card("9C"))), 3))
    seat 2 2C, seat 3 AC, seat 0 QS, seat 1 9C: seat 3 wins

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """
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


class _DiagramWriter(Wording):
    """A writer of diagrams in a language, with symbols or letters for suits."""

    def __init__(self, symbols: bool, language: str) -> None:
        super().__init__(language)
        self.symbols: Final = symbols

    def moon(self, row: DealScore) -> str:
        if row.shooter is None:
            return ""
        effect = self.say("effect", effect=row.effect)
        return self.say("moon", seat=row.shooter, effect=effect, sun=row.sun)

    # Parts of lines

    def card(self, card: Card) -> str:
        """Write a card as `♠Q`, or as `QS` without symbols."""
        return f"{card.suit.symbol}{self.rank(card)}" if self.symbols else str(card)

    def rank(self, card: Card) -> str:
        letter = card.rank.letter
        return fill("terminal.rank", self.language, rank=letter) if self.symbols else letter

    def cards(self, bag: Cards) -> str:
        suits: list[str] = []
        for suit in Suit:
            ranks = " ".join(map(self.rank, bag.of_suit(suit)))
            if ranks:
                suits.append(f"{suit.symbol if self.symbols else suit.letter} {ranks}")
        return "  ".join(suits) or "-"

    def gifts(self, move: Pass) -> str:
        return " / ".join(map(self.cards, move.cards)) or self.say("declines")

    def plays(self, plays: Sequence[Play]) -> str:
        return ", ".join([self.say("play", seat=play.seat, card=self.card(play.card)) for play in plays]) or "-"

    # Positions

    def position(self, shown: State | View) -> Iterator[str]:
        yield from wrap(
            self.say("rules", rules=format_rules(shown.rules)),
            _WIDEST,
            subsequent_indent="  ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        facts = TableFacts(shown)
        yield ", ".join(self.situation(shown))
        yield ""
        yield from self.seats(facts)
        yield ""
        yield from self.middle(facts)
        yield from self.awaited(facts)
        if shown.score_sheet:
            yield ""
            yield from self.sheet(shown.score_sheet, shown)

    def situation(self, shown: State | View) -> Iterator[str]:
        yield self.say("deal", deal=shown.deal_number + 1)
        if shown.phase is Phase.PLAY:
            yield self.say("trick", trick=shown.trick_number + 1)
        yield self.say("dealer", seat=shown.dealer, awaits=shown.phase is Phase.DEAL)
        if shown.phase is Phase.PLAY:
            yield self.say("broken", broken=shown.hearts_broken)

    def seats(self, facts: TableFacts) -> Iterator[str]:
        shown, rules = facts.shown, facts.rules
        seat, hand, shows, lying, passes, tricks, total, score = self.say("columns").split(",")
        columns: dict[str, list[str]] = {seat: [str(each) for each in range(rules.players)]}
        if facts.hands:
            columns[hand] = [
                self.say("cards", count=facts.hand_sizes[each]) if cards is None else self.cards(cards)
                for each, cards in enumerate(facts.hands)
            ]
        match shown.phase:
            case Phase.EXPOSE:
                columns[shows] = [self.choice(facts, each, "decided") for each in range(rules.players)]
            case Phase.PLAY if any(shown.exposed):
                columns[lying] = [self.cards(cards) for cards in shown.exposed]
            case Phase.PASS | Phase.DEAL_BACK:
                columns[passes] = [self.choice(facts, each, "committed") for each in range(rules.players)]
        played = deal_of(shown)
        if played is not None:
            columns[tricks] = [str(count) for count in played.tricks_won]
        columns[total] = [str(total) for total in shown.scores]
        if rules.score_display is not ScoreDisplay.PENALTY:
            columns[score] = list(map(str, facts.totals))
        right = [place for place, head in enumerate(columns) if head in (seat, tricks, total, score)]
        yield from in_columns([[head, *cells] for head, cells in columns.items()], right)

    def choice(self, facts: TableFacts, seat: int, hidden: str) -> str:
        """Write a seat's cards to pass or expose, or whether it has chosen them."""
        choice = facts.choices[seat]
        if choice is not None:
            return self.gifts(choice) if isinstance(choice, Pass) else self.cards(choice.cards)
        if facts.has_chosen(seat):
            return self.say(hidden)
        cards = facts.face_up[seat]
        return self.say("and-more", cards=self.cards(cards)) if cards else self.say("not-yet")

    def middle(self, facts: TableFacts) -> Iterator[str]:
        shown, kitty = facts.shown, facts.kitty
        if shown.phase is Phase.PLAY:
            yield self.say("the-trick", plays=self.plays(shown.trick))
        played = deal_of(shown)
        for seat, pile in enumerate(played.captured if played is not None else ()):
            if pile:
                yield self.say("captured", seat=seat, cards=self.cards(pile))
        if played is not None and played.set_aside:
            yield self.say("set-aside", cards=self.cards(played.set_aside))
        if facts.kitty_winner is not None:
            yield self.say(
                "kitty-taken", seat=facts.kitty_winner, hidden=kitty is None, cards=self.cards(kitty or Cards())
            )
        elif kitty:
            yield self.say("kitty", cards=self.cards(kitty))
        elif facts.rules.kitty_size and shown.phase is not Phase.DEAL:
            yield self.say("kitty", cards=self.say("cards", count=facts.rules.kitty_size))

    def awaited(self, facts: TableFacts) -> Iterator[str]:
        shown = facts.shown
        match shown.phase:
            case Phase.DEAL | Phase.DEAL_BACK:
                yield self.say("to-deal", back=shown.phase is Phase.DEAL_BACK)
            case Phase.OVER:
                yield self.say("won-by", seats=facts.winners)
            case Phase.MOON:
                yield self.say("to-choose", seat=shown.shooter)
                for score in (shown.others_up, shown.shooter_down):
                    effect = self.say("effect", effect=score.effect)
                    yield f"  {effect}: {' '.join(map(str, score.points))}"
            case _:
                yield self.say("to-act", seats=facts.acting)
                yield from self.moves(facts)

    def moves(self, facts: TableFacts) -> Iterator[str]:
        """List the legal moves of seats with known hands, or only the number of passes."""
        shown = facts.shown
        for seat in facts.acting:
            if isinstance(shown, View) and shown.seat not in (None, seat):
                continue
            if shown.phase is Phase.EXPOSE:
                yield self.say("may-show", seat=seat, cards=self.cards(facts.exposable(seat)))
                continue
            found = legal_moves(shown, seat)
            if shown.phase is Phase.PLAY:
                plays = Cards([move.card for move in found if isinstance(move, Play)])
                yield self.say("legal-cards", cards=self.cards(plays))
            else:
                yield self.say("legal-passes", seat=seat, count=len(found))

    # Score sheets, and records

    def sheet(self, sheet: ScoreSheet, shown: State | View | None) -> Iterator[str]:
        """Yield a table of the points of each deal, and the totals.

        `shown` is None if the rules are unknown.
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
        *columns, moons, queens = zip(heads, *rows, strict=True)
        right = range(len(columns))
        if any(moons[1:]):
            columns.append(moons)
        # Only in those games does it decide who leads in the next deal.
        if shown is not None and shown.rules.opening_leader is OpeningLeader.QUEEN_TAKER:
            columns.append(queens)
        yield from in_columns(columns, right)

    def record(self, record: Record) -> Iterator[str]:
        """Yield a record's tags, its last position, and the first mistake."""
        for name, text in record.tags:
            yield f"{printable(name)}: {printable(text)}"
        verdict = verify(record)
        yield self.say("after-moves", moves=verdict.plies)
        yield from self.position(verdict.state)
        if verdict.failure is not None:
            yield ""
            yield self.say("wrong", failure=str(verdict.failure))


def in_columns(columns: Iterable[Sequence[str]], right: Collection[int]) -> Iterator[str]:
    """Align columns below their heads, those with an index in `right` on the right."""
    padded: list[list[str]] = []
    for place, column in enumerate(columns):
        width = max(map(len, column))
        padded.append([cell.rjust(width) if place in right else cell.ljust(width) for cell in column])
    for line in zip(*padded, strict=True):
        yield "  ".join(line).rstrip()
