"""The faces and the back of cards, drawn from `faces.json` as at the browser table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from heartsrules.cards import Card, Cards
from heartsrules.messages import fill
from heartsrules.pictures.svg._look import LIGHT, Checked, Colours, at_most_two, ground
from heartsrules.pictures.svg._xml import Picture, element, group, number, picture, plain, words

DRAWINGS: Final = resources.files("heartsrules.pictures.svg").joinpath("faces.json")
"""The file of the card drawings for other programs, with SVG paths and their positions."""
_DRAWINGS: Final[dict[str, Any]] = json.loads(DRAWINGS.read_bytes())
WIDTH: Final[float] = _DRAWINGS["width"]
HEIGHT: Final[float] = _DRAWINGS["height"]
RAISE: Final = 12.0
"""The distance by which a card is raised."""
_STEP: Final = 26.0
_NARROWEST: Final = 24.5
"""The smallest offset at which rank and suit are readable."""
_BETWEEN_SUITS: Final = 8.0
_BETWEEN_ROWS: Final = 8.0
_LABEL: Final = 18.0
"""The width of a sign's label that a covered card shows."""
_MARGIN: Final = 8.0
_ROW: Final = 18


def card_name(card: Card, language: str = "en") -> str:
    """Return a card's name in words.

    >>> card_name(Card("QS"))
    'queen of spades'
    """
    return fill("picture.card", language, rank=card.rank.letter, suit=card.suit)


def cards_named(cards: Iterable[Card], language: str) -> str:
    return ", ".join([card_name(card, language) for card in cards]) or fill("term.nothing", language)


def _rank_path(card: Card, language: str) -> str:
    letter = fill("picture.rank", language, rank=card.rank.letter)
    path: str = _DRAWINGS["letters" if letter in _DRAWINGS["letters"] else "ranks"][letter]["path"]
    return path


@lru_cache(maxsize=4096)
def drawn_face(
    card: Card,
    colours: Colours,
    *,
    dimmed: bool = False,
    raised: bool = False,
    marked: bool = False,
    sign: str = "",
    language: str = "en",
) -> str:
    """Draw a card's face as at the browser table, its corner at 0, 0.

    A raised card has a bold border, a marked one a dashed one.
    """
    colour = colours.red if _DRAWINGS["suits"][card.suit.letter]["red"] else colours.black
    full, pen = _DRAWINGS["full"], _DRAWINGS["stroke"]
    parts = [element("title", plain(card_name(card, language))), _sheet(colours.card, colours, raised, marked)]
    if card.rank.letter in full["pips"]:
        parts += [_pip(card, colour, *place) for place in full["pips"][card.rank.letter]]
    else:
        parts += _court(card, colour, colours)
    x, y, scale = full["index"]["rank"]
    move = f"translate({number(x)} {number(y)}) scale({number(scale)})"
    letter = element("path", transform=move, d=_rank_path(card, language), fill="none", stroke=colour, stroke_width=pen)
    index = letter + _pip(card, colour, *full["index"]["pip"])
    parts += [index, element("g", index, transform=f"rotate(180 {number(WIDTH / 2)} {number(HEIGHT / 2)})")]
    if sign:
        alone = len(sign) == 1
        size = _DRAWINGS["sign"]["size"] * 1.3 if alone else min(_DRAWINGS["sign"]["size"], 42 / len(sign))
        wide = min(0.62 * size * (2 if alone else len(sign)), _LABEL)
        parts.append(element("rect", x=1, y=HEIGHT - 21, width=wide + 4, height=18, rx=4, fill=colours.card))
        fit = {} if alone else {"textLength": wide, "lengthAdjust": "spacingAndGlyphs"}
        place = {"x": 3, "y": HEIGHT - 12 + size / 2.8, "font_size": size, "font_weight": "700"}
        parts.append(element("text", plain(sign), **place, **fit, fill=colour))
    if dimmed:
        parts.append(_veil(colours))
    return "".join(parts)


def _pip(card: Card, colour: str, x: float, y: float, scale: float) -> str:
    shape = _DRAWINGS["suits"][card.suit.letter]["path"]
    return element("path", transform=f"translate({number(x)} {number(y)}) scale({number(scale)})", d=shape, fill=colour)


def _court(card: Card, colour: str, colours: Colours) -> Iterator[str]:
    courts = _DRAWINGS["full"]["courts"]
    wide, high = courts["width"], courts["height"]
    outline: dict[str, str | float] = {"stroke": colours.black, "stroke_width": 0.5}
    looks: dict[str, dict[str, str | float]] = {
        "robe": {"fill": colour},
        "trim": {"fill": colours.gold, **outline},
        "skin": {"fill": colours.skin, **outline},
        "hair": {"fill": colours.hair},
        "line": {"fill": "none", "stroke": colours.black, "stroke_width": 1},
    }
    frame = {"x": courts["x"], "y": courts["y"], "width": wide, "height": high, "rx": 2}
    yield element("rect", **frame, fill="none", stroke=colours.gold, stroke_width=0.7)
    drawn = "".join([element("path", d=path, **looks[kind]) for kind, path in courts["parts"][card.rank.letter]])
    x, y, scale = courts["pip"]
    drawn += _pip(card, colour, x - WIDTH / 2, y - HEIGHT / 2, scale)
    for turn in ("", " rotate(180)"):
        yield element("g", drawn, transform=f"translate({number(WIDTH / 2)} {number(HEIGHT / 2)}){turn}")


def _sheet(fill: str, colours: Colours, raised: bool = False, marked: bool = False) -> str:
    stroke, thick = (colours.accent, 3.0) if raised or marked else (colours.edge, 1.5)
    dashes = "6 5" if marked and not raised else None
    return _inset(0.75, 0, fill=fill, stroke=stroke, stroke_width=thick, stroke_dasharray=dashes)


def _inset(by: float, less: float, **look: str | float | None) -> str:
    """Draw a rectangle within a card's edge, its corner radius smaller by `less`."""
    size = {"width": WIDTH - 2 * by, "height": HEIGHT - 2 * by, "rx": _DRAWINGS["corner"] - less}
    return element("rect", x=by or None, y=by or None, **size, **look)


def _veil(colours: Colours) -> str:
    """Dim a card with a veil, because transparency would show the card beneath."""
    colour = colours.paper if colours.felt == "none" else colours.felt
    return _inset(0, 0, fill=colour, fill_opacity=0.45)


def back(colours: Colours) -> str:
    inner = _inset(5, 3, fill=colours.back)
    shape = _DRAWINGS["suits"]["H"]["path"]
    heart = element("path", transform="translate(18 30)", d=shape, fill=colours.card, fill_opacity=0.35)
    return _sheet(colours.card, colours) + inner + heart


def drawn_row(
    cards: Iterable[Card | None],
    asked: Checked,
    *,
    dimmed: Cards = Cards(),  # noqa: B008 - it never changes
    raised: Cards = Cards(),  # noqa: B008
    marked: Cards = Cards(),  # noqa: B008
    signs: Mapping[Card, str] | None = None,
    room: float | None = None,
    in_row: int | None = None,
) -> tuple[str, float, float]:
    """Draw overlapping cards in as many rows as needed, those that are None face down.

    Args:
        asked: the colours and the language.
        dimmed: the dimmed cards; give a card twice to dim both copies.
        raised: the raised cards, likewise.
        signs: texts in the corners of some cards.
        room: the maximum width of a row. Defaults to no limit.
        in_row: the limit on cards of a row. Defaults to what fits.

    Returns:
        The drawing, its width and its height. Raised cards need another `RAISE` above its top.
    """
    rest = list(cards)
    colours = asked.colours
    step = _STEP
    most = in_row or max(len(rest), 1)
    if room is not None:
        # Drop the gaps between suits before adding a row.
        most = min(most, max(1, int((room - WIDTH - 3 * _BETWEEN_SUITS) // _NARROWEST) + 1))
    rows = max(1, -(-len(rest) // most))
    most = -(-len(rest) // rows)
    if room is not None and most > 1:
        step = min(step, (room - WIDTH - 3 * _BETWEEN_SUITS) / (most - 1))
    left = {face: (dimmed.count(face), raised.count(face)) for face in {*dimmed, *raised}}
    parts: list[str] = []
    width = 0.0
    for at in range(rows):
        x = 0.0
        before: Card | None = None
        row = rest[at * most : (at + 1) * most]
        for place, card in enumerate(row):
            if place:
                x += step + (_BETWEEN_SUITS if card and before and card.suit is not before.suit else 0)
            y = at * (HEIGHT + _BETWEEN_ROWS)
            width = max(width, x + WIDTH)
            before = card
            if card is None:
                parts.append(group(x, y, back(colours)))
                continue
            dim, up = left.get(card, (0, 0))
            left[card] = (dim - 1, up - 1)
            sign = (signs or {}).get(card, "")
            face = drawn_face(
                card, colours, dimmed=dim > 0, raised=up > 0, marked=card in marked, sign=sign, language=asked.language
            )
            parts.append(group(x, y - (RAISE if up > 0 else 0), face))
    return "\n".join(parts), width, rows * HEIGHT + (rows - 1) * _BETWEEN_ROWS


def card(
    card: Card | None,
    *,
    width: float | None = None,
    colours: Colours = LIGHT,
    dimmed: bool = False,
    sign: str = "",
    label: str | None = None,
    language: str = "en",
) -> Picture:
    """Draw one card.

    Args:
        card: the card, or None for one face down.
        width: the width in pixels. Defaults to 60.
        sign: a text in its corner, such as `-10` on a bonus card, at most four characters.
        label: the text for assistive technology. Defaults to the card's name.
        language: one of `heartsrules.messages.languages()`, for ranks and words.

    >>> card(Card("QS"), width=90)[:99]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 84" width="90" height="126" role="img" aria'
    """
    asked = Checked(width, colours, language)
    if card is not None:
        asked.signs({card: sign})
    asked.done()
    if card is None:
        drawn, name = back(colours), asked.say("face-down")
    else:
        drawn = drawn_face(card, colours, dimmed=dimmed, sign=sign, language=language)
        name = card_name(card, language)
    return picture((WIDTH, HEIGHT), asked.width, label or name, "", drawn)


def hand(
    cards: Cards | Iterable[Card],
    *,
    width: float | None = None,
    colours: Colours = LIGHT,
    dimmed: Iterable[Card] = (),
    raised: Iterable[Card] = (),
    signs: Mapping[Card, str] | None = None,
    label: str | None = None,
    language: str = "en",
) -> Picture:
    """Draw a hand, or any other cards, overlapping, at most 18 in a row.

    Args:
        cards: `Cards`, drawn in card order, or cards in the order of drawing.
        width: the width in pixels. Defaults to cards 60 pixels wide.
        dimmed: the dimmed cards, such as illegal ones; give a card twice to dim both copies.
        raised: the raised cards, such as chosen ones, likewise.
        signs: texts in the corners of some cards, at most four characters each.
        label: the title for assistive technology, read before the cards. Defaults to `Hand of 13 cards`.
        language: one of `heartsrules.messages.languages()`, for ranks and words.

    >>> "king of spades" in hand(Cards("QS KS 2H"), dimmed=[Card("2H")])
    True
    """
    given: list[Card] = list(cards)
    held = at_most_two(given)
    asked = Checked(width, colours, language)
    dim, up = asked.some_of("dimmed", dimmed, held), asked.some_of("raised", raised, held)
    written = asked.signs({} if signs is None else signs)
    asked.done()
    drawn, wide, high = drawn_row(given, asked, dimmed=dim, raised=up, signs=written, in_row=_ROW)
    size = max(wide, WIDTH) + 2 * _MARGIN, high + 2 * _MARGIN + (RAISE if up else 0)
    says = [f"{cards_named(given, language)}."]
    says += [asked.say("dimmed", cards=cards_named(dim, language))] if dim else []
    says += [asked.say("standing-out", cards=cards_named(up, language))] if up else []
    if not given:
        drawn = words(asked.say("no-cards"), WIDTH / 2, HEIGHT / 2, colours.soft, anchor="middle")
    body = group(_MARGIN, _MARGIN + (RAISE if up else 0), drawn)
    title = label or asked.say("hand-of", count=len(given))
    return picture(size, asked.width, title, " ".join(says), *ground(size, colours), body)
