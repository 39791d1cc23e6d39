"""Variations, as comments of a record keep them: moves that were not made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from heartsrules.base.errors import InvalidNotation
from heartsrules.base.values import wrong_item, wrong_type
from heartsrules.formats.notation.move_text import format_move, parse_move_of
from heartsrules.formats.notation.scan import Source, folded
from heartsrules.play.moves import ChooseMoon, Expose, Move, Pass, Play

_BLANK: Final = "[ \t\xa0]"
_VARIATION: Final = re.compile(rf"\[%line{_BLANK}([^\]\n]*)\]", re.IGNORECASE | re.ASCII)
_TOKEN: Final = re.compile("[^ \t\xa0]+")
_KEYWORDS: Final = {Play: "play", Pass: "pass", Expose: "expose", ChooseMoon: "moon"}


def _as_moves(moves: Iterable[Move]) -> tuple[Move, ...]:
    if not isinstance(moves, Iterable):
        wrong_type("moves", "an iterable of moves", moves)
    found = tuple(moves)
    for move in found:
        if type(move) not in _KEYWORDS:
            wrong_item("moves", "plays, passes, exposures or choices of a moon", move)
    return found


def _check_moves(_: object, attribute: attrs.Attribute[tuple[Move, ...]], value: tuple[Move, ...]) -> None:
    if not value:
        raise ValueError(f"{attribute.name} has no move: give the first one at least")


def _check_text(_: object, attribute: attrs.Attribute[str], value: object) -> None:
    if not isinstance(value, str):
        wrong_type(attribute.name, "a str", value)


@attrs.frozen
class Variation:
    """Moves that could have been made from a position of a record on. Only types are checked.

    Raises:
        ValueError: there are no moves.
    """

    moves: tuple[Move, ...] = attrs.field(converter=_as_moves, validator=_check_moves)
    """The move in place of that of the record, and how the game might have gone on. No deals."""
    text: str = attrs.field(default="", validator=_check_text)
    """The rest of the comment."""


def format_variation(variation: Variation) -> str:
    """Write a variation as a comment.

    >>> from heartsrules.cards import Card
    >>> format_variation(Variation([Play(2, Card("8D")), Play(3, Card("AD"))], "and the queen stays out"))
    '[%line play 2:8D 3:AD] and the queen stays out'
    """
    if not isinstance(variation, Variation):
        wrong_type("variation", "a Variation", variation)
    return f"[%line {' '.join(_written(variation.moves))}] {variation.text}".rstrip(" ")


def _written(moves: Iterable[Move]) -> Iterator[str]:
    kind = None
    for move in moves:
        if type(move) is not kind:
            kind = type(move)
            yield _KEYWORDS[kind]
        yield format_move(move)


def parse_variation(comment: str) -> Variation | None:
    """Read a variation from a comment of a record; None if it does not begin with one.

    >>> parse_variation("[%line pass 0:H234] keeps the spades").moves
    (Pass(0, Cards('2H 3H 4H')),)
    >>> parse_variation("Bob thinks") is None
    True
    """
    if not isinstance(comment, str):
        wrong_type("comment", "a str", comment)
    found = _VARIATION.match(comment)
    if found is None:
        return None
    try:
        moves = list(_read(Source(comment), *found.span(1)))
    except InvalidNotation:
        return None
    return Variation(moves, comment[found.end() :].lstrip(" \t\xa0")) if moves else None


def _read(source: Source, start: int, end: int) -> Iterator[Move]:
    """The moves between two places of a comment, behind the keywords of their kinds.

    Raises:
        InvalidNotation: they are not moves.
    """
    keywords = {keyword: kind for kind, keyword in _KEYWORDS.items()}
    kind: type[Move] | None = None
    empty = False
    for token in _TOKEN.finditer(source.text, start, end):
        at, stop = token.span()
        if folded(token[0]) in keywords and not empty:
            kind, empty = keywords[folded(token[0])], True
            continue
        empty = False
        if kind is None:
            source.fail(at, "play, pass, expose or moon", end=stop)
        yield parse_move_of(source, kind, at, stop, None, "its cards, or the effect of the moon")
    if empty:
        source.fail(end, "a move")
