"""Variations, moves that were not made, stored as comments of a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import attrs

from heartsrules.base.errors import InvalidNotation
from heartsrules.base.values import items_in, wrong_type
from heartsrules.formats.notation.move_text import KEYWORDS, format_move, parse_move_of
from heartsrules.formats.notation.scan import BLANK, Source, check_text, folded
from heartsrules.play.moves import Move

_VARIATION: Final = re.compile(rf"\[%line{BLANK}([^\]\n]*)\]", re.IGNORECASE | re.ASCII)
_TOKEN: Final = re.compile("[^ \t\xa0]+")
_KINDS: Final = {keyword: kind for kind, keyword in KEYWORDS.items()}


def _as_moves(moves: Iterable[Move]) -> tuple[Move, ...]:
    what = "plays, passes, exposures or choices of a moon"
    found = items_in("moves", moves, tuple(KEYWORDS), what, "an iterable of moves")
    if not found:
        raise ValueError("moves has no move: give the first one at least")
    return found


@attrs.frozen
class Variation:
    """Moves that could have been made from a position of a record.

    Only types are checked.

    Attributes:
        moves: the alternative to the record's move and possible later ones, without deals.
        text: the rest of the comment.

    Raises:
        ValueError: there are no moves.
    """

    moves: tuple[Move, ...] = attrs.field(converter=_as_moves)
    text: str = attrs.field(default="", validator=check_text)


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
    for kind, group in groupby(moves, type):
        yield KEYWORDS[kind]
        yield from map(format_move, group)


def parse_variation(comment: str) -> Variation | None:
    """Read a variation at the start of a comment, or return None if there is none.

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
    """Yield the moves after the keywords of their kinds in a part of a comment.

    Raises:
        InvalidNotation: the text is not moves.
    """
    expected = "play, pass, expose or moon, and moves with their seats"
    kind: type[Move] | None = None
    empty = False
    for token in _TOKEN.finditer(source.text, start, end):
        at, stop = token.span()
        if folded(token[0]) in _KINDS and not empty:
            kind, empty = _KINDS[folded(token[0])], True
            continue
        empty = False
        if kind is None:
            source.fail(at, expected, end=stop)
        yield parse_move_of(source, kind, at, stop, None, expected)
    if empty:
        source.fail(end, "a move")
