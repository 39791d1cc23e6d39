"""The seats around the middle of a table, with nameplates and the played cards."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from heartsrules.pictures.svg._faces import HEIGHT, WIDTH
from heartsrules.pictures.svg._look import Colours
from heartsrules.pictures.svg._xml import element, fitting, group, words
from heartsrules.rules import Seat

NARROW: Final = 400.0
_SHRUNK: Final = 0.8
"""The smallest scale of a picture of the usual width, before it becomes narrow."""
_PLATE: Final = 122.0
_LINE: Final = 15.0
_GAP: Final = 7.0
_MOST_AROUND: Final = 6
"""The limit on seats on an ellipse, before columns replace it."""


class Nameplate(NamedTuple):
    name: str
    lines: tuple[str, ...]
    acting: bool
    """True if the seat is to act or has won, for a bold border."""
    dealer: bool

    @property
    def height(self) -> float:
        return 14 + _LINE * (1 + len([line for line in self.lines if line]))


class _Layout(NamedTuple):
    """The positions of plates and cards, clockwise from the bottom seat, around 0, 0."""

    plates: Sequence[tuple[float, float]]
    cards: Sequence[tuple[float, float]]
    scale: float
    """The scale of the played cards."""
    cloth: str
    half: float


def room_for(usual: float, width: float | None) -> float:
    return NARROW if width is not None and width < _SHRUNK * usual else usual


def draw_seats(
    seats: Sequence[Nameplate], first: Seat, lying: Mapping[Seat, str], colours: Colours, *, room: float, dealer: str
) -> tuple[str, float]:
    """Draw the seats around the middle with their cards, and return the height.

    The middle is at x = 0.

    Args:
        seats: the plates by seat.
        first: the seat at the bottom; the next one is to its left.
        lying: the drawn card of each seat that has played.
        dealer: the letter next to the dealer's plate.
    """
    players = len(seats)
    high = max([plate.height for plate in seats])
    around = players <= _MOST_AROUND and room > NARROW
    layout = _ellipse(players, room, high, colours) if around else _columns(players, room, high, colours)
    parts = [layout.cloth]
    top, bottom = -layout.half, layout.half
    for seat, plate in enumerate(seats):
        x, y = layout.plates[(seat - first) % players]
        parts.append(group(x - _PLATE / 2, y - plate.height / 2, _draw_plate(plate, colours, dealer)))
        top, bottom = min(top, y - plate.height / 2), max(bottom, y + plate.height / 2)
    for seat, drawn in lying.items():
        x, y = layout.cards[(seat - first) % players]
        parts.append(group(x - WIDTH * layout.scale / 2, y - HEIGHT * layout.scale / 2, drawn, scale=layout.scale))
    return group(0, -top, "\n".join(parts)), bottom - top


def _ellipse(players: int, room: float, high: float, colours: Colours) -> _Layout:
    across = (room - _PLATE) / 2 - 15
    down, scale = (142.0, 0.9) if players <= 4 else (178.0, 0.86)
    angles = [math.pi * (0.5 + 2 * place / players) for place in range(players)]
    plates = [(across * math.cos(angle), down * math.sin(angle)) for angle in angles]
    cloth = _cloth("ellipse", colours, cx=0, cy=0, rx=across, ry=down)
    return _Layout(plates, [_clear(plates, place, high, scale) for place in range(players)], scale, cloth, down)


def _clear(plates: Sequence[tuple[float, float]], place: int, high: float, scale: float) -> tuple[float, float]:
    """Return the position of a card, in front of its plate and clear of all plates."""
    apart_x, apart_y = (_PLATE + WIDTH * scale) / 2 + _GAP, (high + HEIGHT * scale) / 2 + _GAP
    x, y = plates[place]
    for percent in range(62, 20, -1):
        x, y = [each * percent / 100 for each in plates[place]]
        if all([abs(x - other_x) >= apart_x or abs(y - other_y) >= apart_y for other_x, other_y in plates]):
            break
    return x, y


def _columns(players: int, room: float, high: float, colours: Colours) -> _Layout:
    """Place seats in columns at the sides, and in rows of at most three between them.

    Rows are at the top and the bottom, of a single seat in a narrow picture. Cards are in front of their plates, next
    to them at the sides.
    """
    bottom = 1 if room == NARROW else 3
    sides = (players - bottom) // 2 if bottom == 1 else (players - 5) // 2
    top = players - bottom - 2 * sides
    scale = 0.68 if room == NARROW else 0.66 if sides == 3 else 0.74
    card = HEIGHT * scale
    rows = high * sides + 8 * (sides - 1)
    inner = max(sides * (card + 6) - 6, 2 * card + _GAP if top else card)
    half = max(rows, inner + (high + _GAP) * (2 if top else 1)) / 2
    # The room for cards between the top and bottom plates.
    least, most = -half + (high + _GAP if top else 0), half - high - _GAP
    edge = (room - _PLATE) / 2 - 7
    beside = edge - (_PLATE + WIDTH * scale) / 2 - _GAP

    def spread(count: int, low: float, height: float, pitch: float) -> Iterator[float]:
        apart = min(pitch, height / max(count, 1))
        for number in range(count):
            yield low + height / 2 + (number - (count - 1) / 2) * apart

    apart = _PLATE + 16
    left = list(
        zip(spread(sides, -half, 2 * half, 1.3 * high), spread(sides, least, most - least, card + 12), strict=True)
    )
    upper, lower = -half + high / 2, half - high / 2
    corners = [apart] if bottom == 3 else []
    # Plates with their cards, clockwise from the bottom middle.
    places = [((x, lower), (x, most - card / 2)) for x in (0.0, *[-corner for corner in corners])]
    places += [((-edge, plate_y), (-beside, card_y)) for plate_y, card_y in reversed(left)]
    places += [((x, upper), (x, least + card / 2)) for x in spread(top, -1.5 * apart, 3 * apart, apart)]
    places += [((edge, plate_y), (beside, card_y)) for plate_y, card_y in left]
    places += [((x, lower), (x, most - card / 2)) for x in corners]
    plates, cards = zip(*places, strict=True)
    cloth = _cloth("rect", colours, x=-edge, y=upper, width=2 * edge, height=lower - upper, rx=48)
    return _Layout(plates, cards, scale, cloth, half)


def _cloth(shape: str, colours: Colours, **size: float) -> str:
    return element(shape, **size, fill=colours.ink, fill_opacity=0.07, stroke=colours.line, stroke_width=2)


def _draw_plate(plate: Nameplate, colours: Colours, dealer: str) -> str:
    middle = _PLATE / 2
    stroke, thick = (colours.accent, 3) if plate.acting else (colours.line, 1.5)
    paper = element(
        "rect", width=_PLATE, height=plate.height, rx=9, fill=colours.paper, stroke=stroke, stroke_width=thick
    )
    name = fitting(plate.name, _PLATE - 16, 13)
    parts = [
        paper,
        words(name, middle, 18, colours.accent if plate.acting else colours.ink, size=13, bold=True, anchor="middle"),
    ]
    for number, line in enumerate(filter(None, plate.lines), 1):
        parts.append(words(line, middle, 18 + number * _LINE, colours.soft, size=11, anchor="middle"))
    if plate.dealer:
        parts += [
            element("circle", cx=_PLATE - 3, cy=3, r=9, fill=colours.ink),
            words(dealer, _PLATE - 3, 7, colours.paper, size=11, bold=True, anchor="middle"),
        ]
    return "".join(parts)
