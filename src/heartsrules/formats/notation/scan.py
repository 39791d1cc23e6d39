"""Common parts of both notations, such as numbers, cards and positions of errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NoReturn

import attrs

from heartsrules.base.errors import InvalidNotation
from heartsrules.base.values import wrong_type
from heartsrules.cards import ALL_FACES, Card, Cards, bag_of, with_card
from heartsrules.play.moves import Expose, Pass
from heartsrules.rules import Moon, Seat

MAX_LINE: Final = 1_000_000
"""The default limit on characters in a line of a record, and on bytes of UTF-8 in a position."""

EMPTY: Final = "-"
"""The text for no cards."""
DECLINED: Final = "no"
"""The text for declining to pass."""

_EXCERPT: Final = 60
"""The characters of context on either side of an error."""
DIGITS: Final = 600
"""The limit on digits of a number. Every interpreter can read that many."""

BLANKS_IN_LINE: Final = " \t\xa0"
"""White space within a line (blank, tab and no-break space)."""
BLANK: Final = f"[{BLANKS_IN_LINE}]"
BLANKS: Final = f"{BLANKS_IN_LINE}\r\n"
"""All white space, including the ends of lines."""
_TOKEN: Final = re.compile(rf"[^{BLANKS}]+")
_INT: Final = re.compile(rf"[+−-]?[0-9]{{1,{DIGITS}}}")
_RANK: Final = r"10|[2-9TJQKAtjqka]"
_SUIT: Final = "[CDSHcdsh]|[♣♦♠♥♧♢♤♡][\ufe0e\ufe0f]?"
_CARD: Final = re.compile(rf"({_RANK})({_SUIT})|({_SUIT})({_RANK})")
_OF_SUIT: Final = re.compile(rf"({_SUIT})((?:{_RANK})++)")
_RANKS: Final = re.compile(_RANK)
_SUITS: Final = {
    letter: number for number, letters in enumerate(("Cc♣♧", "Dd♦♢", "Ss♠♤", "Hh♥♡")) for letter in letters
}
_PLACES: Final = {letter: place for place, letter in enumerate("23456789TJQKA")} | {"10": 8}
CARD_OF: Final = {str(card): card for card in ALL_FACES}
"""Every card by its canonical text."""


@attrs.frozen
class Source:
    """A line of a document, or a document of one line."""

    text: str
    line: int = 1

    def fail(self, at: int, expected: str, reason: str | None = None, end: int | None = None) -> NoReturn:
        """Raise `InvalidNotation` for text up to the next white space or the given end."""
        text = self.text
        if end is None:
            token = _TOKEN.match(text, at)
            end = token.end() if token else at
        found = text[at : min(end, at + _EXCERPT)]
        if reason is None:
            reason = f"expected {expected}, found {repr(found) if found else 'nothing'}"
        start = max(at - _EXCERPT, 0)
        raise InvalidNotation(
            text[start : at + _EXCERPT],
            at - start,
            reason,
            self.line + text.count("\n", 0, at),
            at - text.rfind("\n", 0, at),
            expected=expected,
            found=found,
        )

    def too_long(self, at: int, most: str) -> NoReturn:
        expected = f"at most {most}"
        self.fail(at, expected, f"expected {expected}", at)


def check_text(_: object, attribute: attrs.Attribute[str], value: object) -> None:
    """Check that an attribute of an attrs class is text."""
    if not isinstance(value, str):
        wrong_type(attribute.name, "a str", value)


def size_of(text: str) -> int:
    """Return a text's length in bytes of UTF-8, counting three for a lone surrogate."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def folded(text: str) -> str:
    """Convert ASCII letters to lower case, but no others, which might become ASCII."""
    return text.lower() if text.isascii() else text


def tokens_of(source: Source, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each token between white space."""
    for token in _TOKEN.finditer(source.text, start, len(source.text) if end is None else end):
        yield token.span()


def parse_int(source: Source, start: int, end: int, what: str) -> int:
    """Parse a whole number with an optional sign, `+`, `-` or U+2212."""
    if not _INT.fullmatch(source.text, start, end):
        source.fail(start, what, end=end)
    return int(source.text[start:end].replace("−", "-"))


def spans_between(source: Source, start: int, end: int, mark: str) -> Iterator[tuple[int, int]]:
    while (at := source.text.find(mark, start, end)) >= 0:
        yield start, at
        start = at + 1
    yield start, end


def parse_ints(source: Source, start: int, end: int, what: str) -> tuple[int, ...]:
    """Parse whole numbers separated by commas."""
    return tuple([parse_int(source, *span, what) for span in spans_between(source, start, end, ",")])


def _card(rank: str, suit: str) -> Card:
    return ALL_FACES[_SUITS[suit[0]] * 13 + _PLACES[rank.upper()]]


def _matched(match: re.Match[str]) -> Card:
    return _card(match[1] or match[4], match[2] or match[3])


def parse_card(source: Source, start: int, end: int) -> Card:
    card = CARD_OF.get(source.text[start:end])
    if card is not None:
        return card
    match = _CARD.fullmatch(source.text, start, end)
    if match is None:
        source.fail(start, "a card such as QS", end=end)
    return _matched(match)


def parse_cards(source: Source, start: int, end: int) -> Iterator[tuple[int, Card]]:
    """Parse cards in a row, each with its position."""
    while start < end:
        match = _CARD.match(source.text, start, end)
        if match is None:
            source.fail(start, "a card such as QS", end=end)
        yield start, _matched(match)
        start = match.end()


def parse_bag(source: Source, start: int, end: int) -> Cards:
    """Parse cards, each suit followed by its ranks or cards in a row, or `-` for none."""
    text = source.text
    lo = hi = 0
    if text[start:end] == EMPTY:
        return Cards()
    if start < end and text[start] in _SUITS:
        found = _of_suits(source, start, end)
    else:
        found = parse_cards(source, start, end)
    at = start
    for at, card in found:
        if hi & card.bit:
            source.fail(at, "no card more than twice", f"{card} comes for the third time", end)
        lo, hi = with_card(lo, hi, card.bit)
    if not lo:
        source.fail(at, "cards such as C23SQ, or - for none", end=end)
    return bag_of(lo, hi)


def _of_suits(source: Source, start: int, end: int) -> Iterator[tuple[int, Card]]:
    while start < end:
        match = _OF_SUIT.match(source.text, start, end)
        if match is None:
            source.fail(start, "a suit and the ranks held in it, such as SQK", end=end)
        for rank in _RANKS.finditer(source.text, match.start(2), match.end(2)):
            yield rank.start(), _card(rank[0], match[1])
        start = match.end()


def format_bag(cards: Cards) -> str:
    """Write cards in card order, each suit followed by its ranks.

    >>> format_bag(Cards("QS KS 2H 2H TD")), format_bag(Cards())
    ('DTSQKH22', '-')
    """
    parts: list[str] = []
    last = ""
    for card in cards:
        text = str(card)
        parts.append(text[0] if text[1] == last else text[::-1])
        last = text[1]
    return "".join(parts) or EMPTY


def parse_seat(source: Source, start: int, end: int, expected: str, number: str = "a seat") -> tuple[Seat, int]:
    """Parse a seat and a colon, and return the seat and the position after the colon."""
    colon = source.text.find(":", start, end)
    if colon < 0:
        source.fail(start, expected, end=end)
    return parse_int(source, start, colon, number), colon + 1


def parse_pass(source: Source, start: int, end: int) -> Pass:
    """Parse a pass.

    It is the seat, a colon, and each recipient's cards separated by slashes, or `no` to decline.
    """
    seat, at = parse_seat(source, start, end, "a seat, a colon and the cards that it passes, such as 0:SQKA")
    if folded(source.text[at:end]) == DECLINED:
        return Pass(seat)
    return Pass(seat, *[parse_bag(source, *span) for span in spans_between(source, at, end, "/")])


def parse_exposure(source: Source, start: int, end: int) -> Expose:
    """Parse an exposure, which is the seat, a colon, and the cards or `-` for none."""
    expected = "a seat, a colon and the cards that it shows, such as 0:SQ, or 0:- for none"
    seat, at = parse_seat(source, start, end, expected)
    return Expose(seat, parse_bag(source, at, end))


def parse_effect(source: Source, start: int, end: int) -> Moon:
    effect = Moon.named(source.text[start:end])
    if not isinstance(effect, Moon):
        source.fail(start, f"{Moon.OTHERS_UP} or {Moon.SHOOTER_DOWN}", end=end)
    return effect
