"""Colours of pictures, and checks of their arguments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from heartsrules.base.errors import InvalidPicture, Problem, truncated
from heartsrules.base.values import checked_int
from heartsrules.cards import Card, Cards
from heartsrules.pictures.svg._xml import element
from heartsrules.pictures.wording import Wording

_COLOUR: Final = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[a-zA-Z]{1,30}")
WIDEST: Final = 20_000
_LONGEST_SIGN: Final = 4
_EXCERPT: Final = 100


def _is_colour(_: object, field: attrs.Attribute[Any], value: str) -> None:
    if not _COLOUR.fullmatch(value):
        raise InvalidPicture(
            (Problem.of("no-such-colour", (field.name,), name=field.name, value=truncated(value, _EXCERPT)),)
        )


def _colour(default: str) -> Any:
    return attrs.field(default=default, validator=_is_colour)


@attrs.frozen(kw_only=True)
class Colours:
    """The colours of a picture, each `#rgb`, `#rrggbb`, `#rrggbbaa` or a CSS name.

    The defaults are those of `LIGHT`; `attrs.evolve(DARK, accent="gold")` changes another set.

    Attributes:
        felt: the ground of the picture; `none` omits it.
        paper: the paper of names and scores.
        ink: names and numbers.
        soft: secondary text.
        line: lines and borders.
        accent: the seat to act, and raised cards.
        card: the faces of cards.
        edge: their borders.
        red: diamonds and hearts.
        black: clubs and spades.
        gold: the clothes of jacks, queens and kings.
        skin: their faces.
        hair: their hair.
        back: the backs of cards.

    >>> Colours(felt="darkgreen", soft="#cde").felt
    'darkgreen'

    Raises:
        InvalidPicture: a text is not a colour; the first of the problem's `fields` names it.
    """

    felt: str = _colour("#29634a")
    paper: str = _colour("#1a4331")
    ink: str = _colour("#f5faf6")
    soft: str = _colour("#d3e6da")
    line: str = _colour("#6a9a83")
    accent: str = _colour("#ffcb4d")
    card: str = _colour("#fffdf8")
    edge: str = _colour("#c9c3b4")
    red: str = _colour("#b3202a")
    black: str = _colour("#16191d")
    gold: str = _colour("#d9a441")
    skin: str = _colour("#f6dfc4")
    hair: str = _colour("#7b5a35")
    back: str = _colour("#7a2a35")


LIGHT: Final = Colours()
"""The light theme of the browser table."""
DARK: Final = Colours(
    felt="#17392b",
    paper="#0e241b",
    ink="#eaf4ee",
    soft="#b3cbbe",
    line="#436a58",
    accent="#f5c451",
    card="#ece8dd",
    edge="#8d897d",
    red="#a81722",
    black="#14171a",
    gold="#c08f34",
    skin="#ecd3b6",
    back="#6a2530",
)
"""The dark theme of the browser table."""


def ground(size: tuple[float, float], colours: Colours) -> list[str]:
    if colours.felt == "none":
        return []
    return [element("rect", width=size[0], height=size[1], rx=10, fill=colours.felt)]


def at_most_two(cards: Iterable[Card]) -> Cards:
    """Return the cards as `Cards`, with at most two copies of each."""
    return Cards([card for card, count in Counter(cards).items() for _ in range(min(count, 2))])


class Checked(Wording):
    """A check of a picture's arguments.

    It refuses a wrong type at once, and collects the problems of values.
    """

    def __init__(self, width: float | None, colours: Colours, language: str) -> None:
        super().__init__(language)
        self._problems: list[Problem] = []
        self.colours: Final = colours
        self.width: Final = self._width(width)

    def _width(self, width: float | None) -> float | None:
        if width is None:
            return None
        if not 1 <= width <= WIDEST:
            value = width if isinstance(width, int) else str(width)  # which may be infinite, or not a number
            self.wrong(Problem.of("out-of-range", ("width",), "pixels", name="width", value=value, most=WIDEST))
            return None
        return float(width)

    def wrong(self, problem: Problem) -> None:
        self._problems.append(problem)

    def done(self) -> None:
        if self._problems:
            raise InvalidPicture(tuple(self._problems))

    def some_of(self, name: str, given: Iterable[Card], held: Cards) -> Cards:
        bag = at_most_two(given)
        missing = bag - held
        if missing:
            self.wrong(Problem.of("not-drawn", (name,), name=name, cards=missing))
        return bag & held

    def signs(self, given: Mapping[Card, str]) -> dict[Card, str]:
        for card, sign in given.items():
            if len(sign) > _LONGEST_SIGN:
                self.wrong(
                    Problem.of(
                        "too-long",
                        ("signs", str(card)),
                        "sign",
                        card=card,
                        sign=truncated(sign, _EXCERPT),
                        most=_LONGEST_SIGN,
                    )
                )
        return dict(given)

    def names(self, given: Iterable[str] | None, players: int | None) -> list[str]:
        """Check the players' names, or use `Seat 0` and so on."""
        if given is None:
            return self.seat_names(players or 0)
        names = list(given)
        if players is not None and len(names) != players:
            self.wrong(Problem.of("wrong-number-of-names", ("names",), count=len(names), players=players))
            return self.names(None, players)
        return names

    def whole(self, name: str, given: int, least: int, most: int) -> int:
        if not least <= checked_int(name, given) <= most:
            self.wrong(Problem.of("out-of-range", (name,), "whole", name=name, value=given, least=least, most=most))
            return least
        return given
