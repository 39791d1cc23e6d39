"""Cards and bags of cards as the texts of documents, both ways: what msgspec calls for each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from heartsrules.base.values import type_phrase
from heartsrules.cards import ALL_FACES, NO_CARDS, SUIT_MASKS, Card, Cards, bag_of

if TYPE_CHECKING:
    from mypy_extensions import i64

_MOST: Final = 104
"""The most cards of a bag."""
LONGEST: Final = _MOST * 3 - 1
"""The most characters of the text of a bag."""

_BY_TEXT: Final[dict[str, Card]] = {str(card): card for card in ALL_FACES}
_TEXTS: Final[list[str]] = [str(card) for card in ALL_FACES]


class NotCards(ValueError):
    """The error for a text that denotes no card, or no bag of cards.

    Attributes:
        detail: which of the sentences of its problem, `foreign-value`, says what it should be.
        params: what that sentence is filled in with.
    """

    def __init__(self, detail: str, *params: tuple[str, Any]) -> None:
        super().__init__(detail, *params)
        self.detail = detail
        self.params = params


def decode_custom(kind: type, value: Any) -> Any:
    """Decode a card or a bag of cards, or raise `NotCards`. The only spelling of a card is rank and suit: `TH`."""
    if not isinstance(value, str):
        raise TypeError(f"Expected `str`, got `{_json_type(value)}`")
    if kind is Card:
        card = _BY_TEXT.get(value)
        if card is None:
            raise NotCards("card")
        return card
    return _bag(value)


_BAGS: Final[dict[str, Cards]] = {}
"""A cache of bags by text: the same hands come again with every move of a deal."""
_KEPT: Final = 2048


def _bag(text: str) -> Cards:
    """The bag of a text."""
    known = _BAGS.get(text)
    if known is not None:
        return known
    if not text:
        return NO_CARDS
    if len(text) > LONGEST:
        raise NotCards("too-many-cards", ("most", _MOST))
    lo = _known_suits(text)
    bag = _bag_of_words(text) if lo < 0 else bag_of(lo, 0)
    if len(_BAGS) >= _KEPT:
        _BAGS.clear()
    _BAGS[text] = bag
    return bag


def _known_suits(text: str) -> i64:
    """The mask of a text in canonical form whose suits are all cached; -1 if it is not such a text."""
    lo: i64 = 0
    begin = 0
    for last in _LAST:
        end = text.rfind(last, begin) + 1
        if not end:
            continue
        found = _PIECES.get(text[begin:end])
        if found is None:
            return -1
        lo |= found
        if end == len(text):
            return lo
        if text[end] != " ":
            return -1
        begin = end + 1
    return -1


_LAST: Final = ("C", "D", "S", "H")
"""The last letter of the text of each suit."""
_PIECES: Final[dict[str, int]] = {}
"""A cache of masks by the text of a suit: each suit of a hand comes again soon."""


def _bag_of_words(text: str) -> Cards:
    """Decode a bag of cards in any order."""
    lo: i64 = 0
    hi: i64 = 0
    for word in text.split(" "):
        card = _BY_TEXT.get(word)
        if card is None:
            raise NotCards("cards")
        bit = card.bit
        if lo & bit:
            if hi & bit:
                raise NotCards("third-copy", ("card", card))
            hi |= bit
        lo |= bit
    for suit, mask in enumerate(SUIT_MASKS):
        if lo & mask:
            _PIECES[_suit_text(suit, (lo & mask) // ALL_FACES[13 * suit].bit)] = lo & mask
    return bag_of(lo, hi)


_PATTERNS: Final[list[list[str | None]]] = [[None] * 8192, [None] * 8192, [None] * 8192, [None] * 8192]
"""A cache of texts by suit and pattern of 13 bits."""


def _suit_text(suit: i64, pattern: i64) -> str:
    """The text of cards of one suit."""
    text = _PATTERNS[suit][pattern]
    if text is None:
        first = suit * 13
        text = " ".join([_TEXTS[first + rank] for rank in range(13) if pattern & ALL_FACES[rank].bit])
        _PATTERNS[suit][pattern] = text
    return text


def _bag_text(cards: Cards) -> str:
    """`str(cards)`, joined from the cached texts of its suits."""
    if cards.hi:
        return str(cards)
    lo = cards.lo
    text = ""
    suit: i64 = 0
    while lo:
        pattern = lo & 8191
        if pattern:
            part = _suit_text(suit, pattern)
            text = f"{text} {part}" if text else part
        lo >>= 13
        suit += 1
    return text


def encode_custom(value: Any) -> str:
    """The text of a card or of a bag, in card order."""
    if isinstance(value, Cards):
        return _bag_text(value)
    if isinstance(value, Card):
        return _TEXTS[value.index]
    raise TypeError(f"{type_phrase(value)} cannot be written as JSON")


def _json_type(value: object) -> str:
    """The JSON name of a decoded value's type, as in msgspec's messages."""
    names: dict[type, str] = {bool: "bool", int: "int", float: "float", str: "str", list: "array", type(None): "null"}
    return names.get(type(value), "object")
