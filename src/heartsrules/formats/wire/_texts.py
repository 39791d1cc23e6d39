"""Conversion of cards to and from text, which msgspec calls for each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from heartsrules.base.errors import truncated
from heartsrules.base.values import type_phrase
from heartsrules.cards import ALL_FACES, Card, Cards, bag_of

if TYPE_CHECKING:
    from mypy_extensions import i64

_MOST: Final = 104
LONGEST: Final = _MOST * 3 - 1
"""The limit on characters of a text of cards."""

_SHOWN: Final = 40
"""The limit on characters of an invalid card that a problem quotes."""

_BY_TEXT: Final[dict[str, Card]] = {str(card): card for card in ALL_FACES}
_TEXTS: Final[list[str]] = [str(card) for card in ALL_FACES]


class NotCards(ValueError):
    """Text that is not a card or not cards.

    Attributes:
        detail: the variant of the message `foreign-value`.
        params: its parameters.
    """

    def __init__(self, detail: str, *params: tuple[str, Any]) -> None:
        super().__init__(detail, *params)
        self.detail = detail
        self.params = params


def decode_custom(kind: type, value: Any) -> Any:
    """Decode a card or cards, or raise `NotCards`.

    The only spelling of a card is like `TH`.
    """
    if not isinstance(value, str):
        raise TypeError(f"Expected `str`, got `{json_type(value)}`")
    if kind is Card:
        card = _BY_TEXT.get(value)
        if card is None:
            raise NotCards("card", ("value", truncated(value, _SHOWN)))
        return card
    bag = _BAGS.get(value)
    if bag is None:
        bag = _bag(value)
        if len(_BAGS) >= _KEPT:
            _BAGS.clear()
        _BAGS[value] = bag
    return bag


_KEPT: Final = 2048
_BAGS: Final[dict[str, Cards]] = {}
"""A cache of cards by text, since most hands recur with every move of a deal."""
_BAG_TEXTS: Final[dict[Cards, str]] = {}


def _bag(text: str) -> Cards:
    if len(text) > LONGEST:
        raise NotCards("too-many-cards", ("most", _MOST))
    lo: i64 = 0
    hi: i64 = 0
    for word in text.split(" ") if text else []:
        card = _BY_TEXT.get(word)
        if card is None:
            raise NotCards("cards", ("value", truncated(word, _SHOWN)))
        bit = card.bit
        if lo & bit:
            if hi & bit:
                raise NotCards("third-copy", ("card", card))
            hi |= bit
        lo |= bit
    return bag_of(lo, hi)


def encode_custom(value: Any) -> str:
    if isinstance(value, Card):
        return _TEXTS[value.index]
    if not isinstance(value, Cards):
        raise TypeError(f"{type_phrase(value)} cannot be written as JSON")
    text = _BAG_TEXTS.get(value)
    if text is None:
        text = str(value)
        if len(_BAG_TEXTS) >= _KEPT:
            _BAG_TEXTS.clear()
        _BAG_TEXTS[value] = text
    return text


def json_type(value: object) -> str:
    """Return the JSON name of a decoded value's type, such as `null`."""
    names: dict[type, str] = {bool: "bool", int: "int", float: "float", str: "str", list: "array", type(None): "null"}
    return names.get(type(value), "object")
