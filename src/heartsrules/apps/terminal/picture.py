"""The table and the hand of a view as pictures of characters, for the full screen."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Sequence
from typing import Final

import attrs
from rich.cells import cell_len, chop_cells, get_character_cell_size
from rich.text import Span, Text

from heartsrules import Card, Cards, Play, Seat, Suit, View, display_score
from heartsrules.apps.terminal.drawing import GLUE, Pen
from heartsrules.pictures.diagrams import face_up
from heartsrules.views import AwaitingDealView, GameOverView, PassingView, PlayingView, deal_of


@attrs.frozen
class Look:
    """The colours of a theme."""

    felt: str
    words: str
    faint: str
    turn: str
    wins: str
    red: str
    """The red suits in sentences."""
    teams: tuple[str, ...]
    disabled: str
    """Foreground and background of a card that may not be chosen."""


_PAPER: Final = "#fbfaf5"
_POINTS: Final = "#ffdf9e"
_CHOSEN: Final = "#a9dcff"
_BLACK: Final = "#141414"
_RED: Final = "#b80f1e"
DARK: Final = Look(
    felt="#123c2d",
    words="#e8f3ed",
    faint="#9fc0b0",
    turn="#ffd75f",
    wins="#8dffab",
    red="#ff9a9a",
    teams=("#8fd3ff", "#ffb3d9", "#ffe08a"),
    disabled="#a5b8ae on #2c4a3f",
)
LIGHT: Final = Look(
    felt="#d3e8d9",
    words="#10261c",
    faint="#47604f",
    turn="#7a4a00",
    wins="#00602a",
    red="#a80c1a",
    teams=("#00508a", "#8a0055", "#6b5200"),
    disabled="#4f6257 on #bccfc2",
)

TILE: Final = 4
"""The columns of a card."""
TALL: Final = 3
"""The rows of a card where there is room for more than one."""
_NARROW: Final = 13
"""The least columns of a player's label."""
_BESIDE: Final = 16
"""The least columns of a label at a side."""
_WIDE: Final = 20
"""The most columns of a label."""


@attrs.frozen
class Frame:
    """The colours and the size of a picture."""

    look: Look
    width: int
    """Columns."""
    height: int
    """Rows."""


class Canvas:
    """A grid of characters with styles."""

    def __init__(self, width: int, height: int, style: str) -> None:
        self.width: Final = width
        self.height: Final = height
        self.cells: Final = [[(" ", style)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str) -> None:
        """Write a text, clipped to the grid."""
        if not 0 <= y < self.height:
            return
        for character in text:
            size = get_character_cell_size(character)
            if x >= 0 and x + size <= self.width:
                self.cells[y][x] = (character, style)
                # A wide character covers the next cell.
                self.cells[y][x + 1 : x + size] = [("", style)] * (size - 1)
            x += size

    def text(self) -> Text:
        """All of it."""
        text = Text(no_wrap=True)
        for number, row in enumerate(self.cells):
            if number:
                text.append("\n")
            for style, run in itertools.groupby(row, key=operator.itemgetter(1)):
                text.append("".join([character for character, _ in run]), style)
        return text


def coloured(line: Text, look: Look) -> Text:
    """A text of `Pen` in the colours of a theme."""
    text = line.copy()
    text.spans = [
        Span(span.start, span.end, str(span.style).replace("red", look.red).replace("green", look.wins))
        for span in line.spans
    ]
    return text


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else f"{chop_cells(text, width - 1)[0]}…"


def _ink(card: Card) -> str:
    return _RED if card.suit in (Suit.DIAMONDS, Suit.HEARTS) else _BLACK


def _tile(canvas: Canvas, x: int, y: int, text: str, style: str, tall: bool) -> None:
    """Draw a card, with its text in row y."""
    for row in (y - 1, y, y + 1) if tall else (y,):
        canvas.put(x, row, text if row == y else " " * TILE, style)


# The table


def _sides(others: int) -> int:
    """How many opponents sit on each side; the rest sit at the top."""
    return 1 if others <= 6 else 2


def _spread(number: int, count: int, room: int) -> int:
    """The centre of part `number` of `count` equal parts of a length."""
    return (2 * number + 1) * room // (2 * count)


@attrs.frozen
class SeatPlace:
    """The coordinates of a player's label and card."""

    seat: Seat
    x: int
    """The left column of the label."""
    y: int
    width: int
    align: str
    """`left`, `center` or `right`."""
    card_x: int
    card_y: int


def _seat_places(players: int, first: Seat, width: int, height: int, tall: bool) -> list[SeatPlace]:
    """Place the seats clockwise round the table, `first` at the bottom."""
    others = [(first + number) % players for number in range(1, players)]
    sides = _sides(len(others))
    left, top, right = others[:sides], others[sides : len(others) - sides], others[len(others) - sides :]
    room = max(_NARROW, min(_WIDE, width // max(len(top), 4) - 1))
    middle, row = width // 2, (height - 1) // 2
    apart = TALL if tall else 2
    apart += max(0, min(2, (height - 13) // 4))
    beside = max(room, _BESIDE)
    places: list[SeatPlace] = []
    for group, align in ((left[::-1], "left"), (right, "right")):
        for number, seat in enumerate(group):
            y = row
            near = min(middle - TILE - 4, max(beside + 2, middle - 5 * TILE // 2 - len(top) * TILE))
            if sides > 1:
                y = 3 + _spread(number, sides, height - 5) - 1
                near = beside + 2
            x = 1 if align == "left" else width - beside - 1
            places.append(SeatPlace(seat, x, y, beside, align, near if align == "left" else width - near - TILE, y))
    for number, seat in enumerate(top):
        centre = _spread(number, len(top), width)
        card = centre if sides > 1 else (centre + middle) // 2
        y = 2 if sides > 1 else row - apart
        places.append(SeatPlace(seat, centre - room // 2, 0, room, "center", card - TILE // 2, y))
    own = height - 3 if sides > 1 else row + apart
    places.append(SeatPlace(first, middle - _WIDE, height - 2, 2 * _WIDE, "center", middle - TILE // 2, own))
    return places


def table_picture(seen: View, pen: Pen, frame: Frame) -> Text:
    """Draw the table: the names, totals and captured cards, and the trick.

    A complete trick stays until the next lead.
    """
    rules = seen.rules
    look, width, height = frame.look, frame.width, frame.height
    on = f" on {look.felt}"
    canvas = Canvas(width, height, look.words + on)
    tall = height >= 4 * TALL + 1 and _sides(rules.players - 1) == 1
    trick, winner, done = _trick(seen)
    turn = seen.turn if isinstance(seen, PlayingView) else None
    played = {play.seat: play.card for play in trick}
    for place in _seat_places(rules.players, seen.seat or 0, width, height, tall):
        seat = place.seat
        name, style = _name(seen, pen, look, seat, turn)
        if seat == winner:
            style = f"bold {look.wins}"
        _aligned(canvas, place, 0, _cut(name, place.width), style + on)
        _aligned(canvas, place, 1, _cut(_taken(seen, pen, seat), place.width), look.faint + on)
        card = played.get(seat)
        if card is None:
            continue
        paper = _POINTS if pen.counts(rules, card) else _PAPER
        plain = str(pen.card(card))
        weight = "bold " if seat == winner else "dim " if done else ""
        _tile(canvas, place.card_x, place.card_y, f" {plain} "[:TILE], f"{weight}{_ink(card)} on {paper}", tall)
        if seat == winner:
            canvas.put(place.card_x + TILE, place.card_y, "★", f"bold {look.wins}{on}")
    return canvas.text()


def _trick(seen: View) -> tuple[Sequence[Play], Seat | None, bool]:
    """The plays to show, who wins them, and whether the trick is complete."""
    if isinstance(seen, PlayingView) and seen.trick:
        return seen.trick, seen.winning_seat, False
    deal = deal_of(seen)
    if deal is None or not deal.tricks:
        return (), None, False
    last = deal.tricks[-1]
    return last.plays, last.winner, True


def _name(seen: View, pen: Pen, look: Look, seat: Seat, turn: Seat | None) -> tuple[str, str]:
    rules = seen.rules
    name = pen.who(seat).replace(GLUE, " ")
    colour = look.words
    if rules.teams:
        team = next(number for number, side in enumerate(rules.sides) if seat in side)
        name, colour = f"{name} {'ABC'[team]}", look.teams[team]
    return (f"▶ {name}", f"bold {look.turn}") if seat == turn else (name, colour)


def _aligned(canvas: Canvas, place: SeatPlace, row: int, text: str, style: str) -> None:
    space = place.width - cell_len(text)
    shift = {"left": 0, "center": space // 2, "right": space}[place.align]
    canvas.put(place.x + shift, place.y + row, text, style)


def _taken(seen: View, pen: Pen, seat: Seat) -> str:
    """The total of a player, its points and penalty cards of this deal, and its shown cards."""
    rules = seen.rules
    before = seen.scores[seat]
    parts = [str(display_score(rules, before))]
    deal = deal_of(seen)
    if isinstance(seen, PassingView):
        parts.append(_gift(seen, pen, seat))
    elif deal is not None and not isinstance(seen, (AwaitingDealView, GameOverView)):
        pile = deal.captured[seat]
        points = deal.card_points[seat]
        hearts = sum([card.suit is Suit.HEARTS for card in pile])
        special = pen.special(rules, pile)
        if points or special:
            parts.append(f"{pen.shown(rules, points):+}")
        parts += [f"{pen.card(card)}{'×2' * (special.count(card) > 1)}" for card in dict.fromkeys(special)]
        if hearts:
            parts.append(f"{Suit.HEARTS.symbol if pen.symbols else 'H'}×{hearts}")
    if open_cards := face_up(seen)[seat]:
        parts.append(f"[{' '.join([str(pen.card(card)) for card in open_cards])}]")
    return " ".join([part for part in parts if part])


def _gift(seen: PassingView, pen: Pen, seat: Seat) -> str:
    """How many cards the reader passes to a player, and receives from it."""
    if seen.seat is None or seen.rules.resolved.through_middle(seen.deal_number):
        return ""
    players = seen.rules.players
    gets = sum([count for offset, count in seen.plan if (seen.seat + offset) % players == seat])
    gives = sum([count for offset, count in seen.plan if (seat + offset) % players == seen.seat])
    counts = (("gets", gets), ("gives", gives))
    return " ".join([pen.words.tell(name, count=count) for name, count in counts if count])


# The hand


@attrs.frozen
class CardPlace:
    """The coordinates of a card of the hand."""

    card: Card
    x: int
    y: int
    """The row of the text of the card while it is not chosen."""


def hand_places(hand: Cards, width: int, tall: bool) -> list[CardPlace]:
    """Place the cards of a hand suit by suit, in as many lines as the width requires."""
    cards = list(hand)
    suits = len({card.suit for card in cards})
    step = TILE + 1
    if len(cards) * step + suits > width:
        step = TILE
    line = (TALL if tall else 1) + 2
    rows: list[list[tuple[Card, int]]] = [[]]
    x = 0
    for number, card in enumerate(cards):
        if number and cards[number - 1].suit is not card.suit:
            x += 1
        if x + TILE > width:
            rows.append([])
            x = 0
        rows[-1].append((card, x))
        x += step
    places: list[CardPlace] = []
    for number, row in enumerate(rows):
        if row:
            margin = (width - row[-1][1] - TILE) // 2
            places += [CardPlace(card, margin + x, number * line + (2 if tall else 1)) for card, x in row]
    return places


def hand_picture(
    places: Sequence[CardPlace],
    free: Cards,
    chosen: Iterable[int],
    cursor: int | None,
    pen: Pen,
    frame: Frame,
    *,
    tall: bool,
) -> Text:
    """Draw the hand.

    Args:
        places: the places of the cards, from `hand_places`.
        free: the cards that may be chosen.
        chosen: the indices of the chosen cards, which are raised.
        cursor: the index of the card under the cursor; None: there is no cursor.
        pen: writes the cards.
        frame: the colours and the size.
        tall: whether a card has several rows.
    """
    canvas = Canvas(frame.width, frame.height, "")
    raised_places = set(chosen)
    for number, place in enumerate(places):
        card = str(pen.card(place.card))
        may = place.card in free
        raised = number in raised_places
        style = f"{_ink(place.card)} on {_CHOSEN if raised else _PAPER}" if may or raised else frame.look.disabled
        if number == cursor:
            style = f"bold {style}"
        # A 10 leaves no room for the second parenthesis.
        text = (f" {card} " if may or raised else f"({card})")[:TILE]
        _tile(canvas, place.x, place.y - raised, text, style, tall)
        if number == cursor:
            canvas.put(place.x + 1, place.y + (2 if tall else 1) - raised, "▲▲", f"bold {frame.look.turn}")
    return canvas.text()
