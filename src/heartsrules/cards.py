"""Cards and multisets of cards.

With two decks, both copies of a card are the same `Card`. Cards are ordered by suit (clubs, diamonds, spades, hearts)
and within a suit by rank (2 low, ace high). This is *card order*; every list of cards is in it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Never, NoReturn, SupportsIndex, final, overload

from heartsrules.base.errors import InvalidNotation, TooManyCopies
from heartsrules.base.rendering import rendered
from heartsrules.base.values import COMPILED, Unchecked, Value, as_index, checked_int, int_text, wrong_item, wrong_type

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["ALL_FACES", "NO_CARDS", "Card", "Cards", "Rank", "Suit"]
__dir__ = __all__.copy


class Suit(enum.IntEnum):
    """The four suits, in card order.

    >>> [str(suit) for suit in Suit], Suit.SPADES.symbol
    (['C', 'D', 'S', 'H'], '♠')
    """

    CLUBS = 0
    DIAMONDS = 1
    SPADES = 2
    HEARTS = 3

    @property
    def letter(self) -> str:
        """`C`, `D`, `S` or `H`."""
        return "CDSH"[self.value]

    @property
    def symbol(self) -> str:
        """`♣`, `♦`, `♠` or `♥`."""
        return "♣♦♠♥"[self.value]

    def __format__(self, form: str) -> str:
        return format(self.letter, form)

    def __repr__(self) -> str:
        return f"Suit.{self.name}"

    def __str__(self) -> str:
        return self.letter


class Rank(enum.IntEnum):
    """The thirteen ranks.

    The number of a rank is its spot value, with 11 to 14 for J Q K A.

    >>> Rank.TEN.letter, Rank.TWO < Rank.ACE
    ('T', True)
    """

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """`2` to `9`, `T`, `J`, `Q`, `K` or `A`."""
        return "23456789TJQKA"[self.value - 2]

    def __format__(self, form: str) -> str:
        return format(self.letter, form)

    def __repr__(self) -> str:
        return f"Rank.{self.name}"

    def __str__(self) -> str:
        return self.letter


_RANKS: Final[dict[str, int]] = {
    letter: number
    for number, letters in enumerate(["2", "3", "4", "5", "6", "7", "8", "9", "Tt", "Jj", "Qq", "Kk", "Aa"])
    for letter in letters
}
_SUITS: Final[dict[str, int]] = {
    letter: number for number, letters in enumerate(["Cc♣♧", "Dd♦♢", "Ss♠♤", "Hh♥♡"]) for letter in letters
}
_SELECTORS: Final = ("\ufe0e", "\ufe0f")
"""The variation selectors that can follow a suit symbol."""


def _after_suit(text: str, at: int) -> int:
    symbol = not text[at : at + 1].isascii()
    return at + 2 if symbol and text[at + 1 : at + 2] in _SELECTORS else at + 1


def _parse(text: str, start: int, end: int) -> int:
    """Return the index of the card that `text[start:end]` denotes.

    The text is a rank and a suit, in either order and in either case.
    """
    suit = _SUITS.get(text[start : start + 1]) if start < end else None
    suit_first = suit is not None
    at = _after_suit(text, start) if suit_first else start
    rank_at = at
    if text[at : at + 2] == "10":
        rank: int | None = 8
        at += 2
    else:
        rank = _RANKS.get(text[at : at + 1]) if at < end else None
        at += 1
    if rank is None:
        raise InvalidNotation(text, rank_at, "expected a rank (2 to 9, 10 or T, J, Q, K, A)")
    if not suit_first:
        suit = _SUITS.get(text[at : at + 1]) if at < end else None
        if suit is None:
            raise InvalidNotation(text, min(at, end), "expected a suit (C, D, S, H or ♣, ♦, ♠, ♥)")
        at = _after_suit(text, at)
    if at != end:
        raise InvalidNotation(text, at, "expected the end of the card")
    assert suit is not None
    return suit * 13 + rank


@final
class Card(Value):
    """A card. There are only 52 `Card` objects, so `is` and `==` are the same.

    The text is a rank and a suit, in either order: `QS`, `qs`, `Q♠`, `♠Q`, `SQ`, `TH` and `10H` are all understood.

    >>> Card("q♠"), Card("♠Q"), str(Card("10h")), Card("QS") is Card("SQ")
    (Card('QS'), Card('QS'), 'TH', True)
    >>> Card("2C") < Card("AC") < Card("2D")
    True

    Attributes:
        rank: the card's `Rank`.
        suit: the card's `Suit`.
        bit: the card's bit in the masks of `Cards`.
        index: the card's position in card order, from 0 (♣2) to 51 (♥A), which is 13 times the suit plus the rank minus
            two.

    Raises:
        InvalidNotation: the text is not a card. Its `position` is where the mistake is.
    """

    __slots__ = ("_text", "bit", "index", "rank", "suit")

    _text: Final[str]
    bit: Final[i64]
    index: Final[i64]
    rank: Final[Rank]
    suit: Final[Suit]

    def __new__(cls, text: Unchecked[str]) -> Card:
        """Return the one object for the card."""
        if not isinstance(text, str):
            wrong_type("text", "a str", text)
        card = _BY_TEXT.get(text)
        if card is not None:
            return card
        if len(ALL_FACES) < 52:
            return object.__new__(cls)
        return ALL_FACES[_parse(text, 0, len(text))]

    def __init__(self, text: Unchecked[str]) -> None:
        if len(ALL_FACES) == 52 or not isinstance(text, str):
            return
        index = _parse(text, 0, len(text))
        suit, rank = Suit(index // 13), Rank(index % 13 + 2)
        self._text = rank.letter + suit.letter
        self.bit = 2**index
        self.index = index
        self.rank = rank
        self.suit = suit

    @staticmethod
    def of(rank: Unchecked[Rank], suit: Unchecked[Suit]) -> Card:
        """Return the card of a rank and a suit.

        >>> Card.of(Rank.QUEEN, Suit.SPADES)
        Card('QS')
        """
        if not isinstance(rank, Rank):
            wrong_type("rank", "a Rank", rank)
        if not isinstance(suit, Suit):
            wrong_type("suit", "a Suit", suit)
        return ALL_FACES[suit.value * 13 + rank.value - 2]

    @staticmethod
    def from_index(index: Unchecked[int]) -> Card:
        """Return the card at a position in card order, the inverse of `index`.

        >>> Card.from_index(36), Card.from_index(Card("2C").index)
        (Card('QS'), Card('2C'))

        Raises:
            ValueError: the index is not from 0 to 51.
        """
        place = checked_int("index", index)
        if not 0 <= place < 52:
            raise ValueError(f"index is {int_text(place)}: give the place of a card, 0 (2C) to 51 (AH)")
        return ALL_FACES[place]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card({self._text!r})"

    def __hash__(self) -> int:
        return hash(self.index)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __lt__(self, other: object) -> bool:
        return self.index < other.index if isinstance(other, Card) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.index <= other.index if isinstance(other, Card) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.index > other.index if isinstance(other, Card) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.index >= other.index if isinstance(other, Card) else NotImplemented

    # To a type checker the left side has no type, so it refuses `hand - card` too.
    def __radd__(self, other: Unchecked[Never]) -> Any:
        return _not_a_bag("+", other)

    def __rsub__(self, other: Unchecked[Never]) -> Any:
        return _not_a_bag("-", other)

    def __rand__(self, other: Unchecked[Never]) -> Any:
        return _not_a_bag("&", other)

    def __reduce__(self) -> tuple[Any, ...]:
        return Card, (self._text,)


def _not_a_bag(operator: str, left: object) -> Any:
    if not isinstance(left, Cards):
        return NotImplemented
    raise TypeError(
        f"unsupported operand type(s) for {operator}: 'Cards' and 'Card': write hand {operator} Cards([card])"
    )


def _not_a_card(value: object) -> NoReturn:
    if isinstance(value, str):
        raise TypeError("a bag holds cards, not texts: write Card('QS') in hand")
    if isinstance(value, Cards):
        raise TypeError("a bag holds cards, not bags: write some <= hand")
    wrong_type("card", "a Card", value)


_BY_TEXT: Final[dict[str, Card]] = {}

ALL_FACES: Final[list[Card]] = []
"""The 52 cards in card order."""

for _suit in Suit:
    for _rank in Rank:
        _BY_TEXT[_rank.letter + _suit.letter] = Card(_rank.letter + _suit.letter)
ALL_FACES.extend(_BY_TEXT.values())

SUIT_MASKS: Final[tuple[int, int, int, int]] = (0x1FFF, 0x1FFF << 13, 0x1FFF << 26, 0x1FFF << 39)
"""The bits of each suit's thirteen cards."""

FULL: Final = 2**52 - 1
"""The bits of all 52 cards."""


_MASKS: Final[list[Card]] = []
"""A marker for `Cards(_MASKS, lo, hi)`, which does not check the masks."""


@final
class Cards(Value):
    """An immutable multiset of cards, with at most two copies of each.

    It is built from a text (cards separated by white space) or from any iterable of cards, and iterates in card order.

    >>> hand = Cards("QS 2H KS 2H")
    >>> hand, len(hand), Card("2H") in hand, hand.count(Card("2H"))
    (Cards('QS KS 2H 2H'), 4, True, 2)
    >>> hand - Cards("2H") + Cards("AD"), hand & Cards("2H 3H"), hand.of_suit(Suit.SPADES)
    (Cards('AD QS KS 2H'), Cards('2H'), Cards('QS KS'))
    >>> [str(card) for card in hand], hand[0], hand[-2:]
    (['QS', 'KS', '2H', '2H'], Card('QS'), Cards('2H 2H'))

    Attributes:
        lo: the cards present, as a mask with bit `index` for each `Card`.
        hi: the cards present twice, as a mask.

    Raises:
        InvalidNotation: the text contains something that is not a card, or a third copy of a card.
        TooManyCopies: the iterable contains a third copy of a card.
    """

    __slots__ = ("hi", "lo")

    lo: Final[i64]
    hi: Final[i64]

    def __init__(self, cards: str | Iterable[Card | str] = (), lo: i64 = -1, hi: i64 = 0) -> None:
        # Only `bag_of` passes masks, with the marker. Compiled, this is the fastest way.
        if cards is not _MASKS:
            if lo != -1 or hi:
                raise TypeError("cards is all that Cards takes: the masks are for this package alone")
            lo, hi = _gather(cards)
        self.lo = lo
        self.hi = hi

    def __len__(self) -> int:
        return popcount(self.lo) + popcount(self.hi)

    def __bool__(self) -> bool:
        return self.lo != 0

    def __iter__(self) -> Iterator[Card]:
        return iter(cards_of(self.lo, self.hi))

    @overload
    def __getitem__(self, index: SupportsIndex) -> Card: ...
    @overload
    def __getitem__(self, index: slice) -> Cards: ...
    def __getitem__(self, index: Unchecked[SupportsIndex | slice]) -> Card | Cards:
        """Return the card at an index in card order, or `Cards` for a slice."""
        cards = cards_of(self.lo, self.hi)
        return Cards(cards[index]) if isinstance(index, slice) else cards[as_index(index)]

    def __reversed__(self) -> Iterator[Card]:
        return reversed(cards_of(self.lo, self.hi))

    def __contains__(self, card: Unchecked[Card]) -> bool:
        """Return True if at least one copy of a card is present.

        Raises:
            TypeError: it is not a card.
        """
        if not isinstance(card, Card):
            _not_a_card(card)
        return self.lo & card.bit != 0

    def count(self, card: Unchecked[Card]) -> int:
        """Return the number of copies of a card, from 0 to 2."""
        if not isinstance(card, Card):
            wrong_type("card", "a Card", card)
        return (1 if self.lo & card.bit else 0) + (1 if self.hi & card.bit else 0)

    def of_suit(self, suit: Unchecked[Suit]) -> Cards:
        """Return the cards of one suit."""
        if not isinstance(suit, Suit):
            wrong_type("suit", "a Suit", suit)
        mask = SUIT_MASKS[suit.value]
        return bag_of(self.lo & mask, self.hi & mask)

    def distinct(self) -> Cards:
        """Return one copy of each card."""
        return bag_of(self.lo, 0)

    def __add__(self, other: Cards) -> Cards:
        """Return all cards of both.

        Raises:
            TooManyCopies: a third copy of a card.
        """
        if not isinstance(other, Cards):
            return NotImplemented
        third = self.lo & other.hi | self.hi & other.lo
        if third:
            raise TooManyCopies(str(cards_of(third)[0]))
        lo, hi = with_bag(self.lo, self.hi, other.lo, other.hi)
        return bag_of(lo, hi)

    def __sub__(self, other: Cards) -> Cards:
        """Return these cards without the other ones, ignoring cards not present."""
        if not isinstance(other, Cards):
            return NotImplemented
        once = self.hi & other.lo & ~other.hi | self.lo & ~self.hi & ~other.lo
        twice = self.hi & ~other.lo
        return bag_of(once | twice, twice)

    def __and__(self, other: Cards) -> Cards:
        """Return the cards that both contain, with the smaller number of copies."""
        if not isinstance(other, Cards):
            return NotImplemented
        return bag_of(self.lo & other.lo, self.hi & other.hi)

    def __le__(self, other: object) -> bool:
        """Return True if the other contains every card of this one, copies included."""
        if not isinstance(other, Cards):
            return NotImplemented
        return not (self.lo & ~other.lo or self.hi & ~other.hi)

    def __ge__(self, other: object) -> bool:
        if not isinstance(other, Cards):
            return NotImplemented
        return other.__le__(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cards):
            return NotImplemented
        return self.lo == other.lo and self.hi == other.hi

    def __hash__(self) -> int:
        return hash((self.lo, self.hi))

    def __str__(self) -> str:
        return " ".join([str(card) for card in self])

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})"

    def _repr_svg_(self) -> str:
        return str(rendered("svg", self))

    def __reduce__(self) -> tuple[Any, ...]:
        return _bag_of_masks, (self.lo, self.hi)


def bag_of(lo: i64, hi: i64) -> Cards:
    """Return the `Cards` of two masks, unchecked.

    Args:
        lo: the cards present.
        hi: the cards present twice, which `lo` must contain too.
    """
    return Cards(_MASKS, lo, hi)


def _bag_of_masks(lo: i64, hi: i64) -> Cards:
    """Unpickle `Cards`."""
    if lo & ~FULL or hi & ~lo:
        raise ValueError("no cards have these masks")
    return bag_of(lo, hi)


def with_card(lo: i64, hi: i64, bit: i64) -> tuple[i64, i64]:
    """Add a card to two masks, which must not contain it twice already."""
    return lo | bit, hi | lo & bit


def with_bag(lo: i64, hi: i64, more_lo: i64, more_hi: i64) -> tuple[i64, i64]:
    """Add two pairs of masks, which must not contain a third copy of a card together."""
    return lo | more_lo, hi | more_hi | lo & more_lo


def all_of(bags: Iterable[Cards]) -> Cards | None:
    """Return the sum of several `Cards`, or None if there is a third copy of a card."""
    lo: i64 = 0
    hi: i64 = 0
    for bag in bags:
        if bag.lo & hi or bag.hi & lo:
            return None
        lo, hi = with_bag(lo, hi, bag.lo, bag.hi)
    return bag_of(lo, hi)


def either(one: Cards, other: Cards) -> Cards:
    """Return the union of two `Cards`, with the larger number of copies of each card."""
    return bag_of(one.lo | other.lo, one.hi | other.hi)


def without(bag: Cards, cards: Cards) -> Cards:
    """Remove cards from `Cards`.

    Raises:
        ValueError: a card is not present.
    """
    if not cards <= bag:
        raise ValueError("these cards are not among them")
    return bag - cards


def popcount(mask: i64) -> i64:
    """Return the number of bits set in a mask of up to 62 bits."""
    # Constants of more than 62 bits would be objects.
    mask -= (mask >> 1) & 0x1555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    # The highest byte is the sum of all; what is above it does not fit.
    return (mask * 0x0101010101010101) >> 56


if not COMPILED:
    # Python's integers do not wrap around, and count their bits themselves: a playout takes 11 % fewer instructions.
    popcount.__code__ = (lambda mask: mask.bit_count()).__code__


def suit_faces(bit: i64) -> i64:
    """Return the mask of all cards in the suit of a card's bit."""
    if bit < 1 << 26:
        if bit < 1 << 13:
            return 0x1FFF
        return 0x3FFE000
    if bit < 1 << 39:
        return 0x7FFC000000
    return 0xFFF8000000000


def face(bit: i64) -> Card:
    """Return the card of a bit.

    The powers of two below 2**52 have 52 different remainders modulo 53.
    """
    return _FACES_BY_REST[bit % 53]


_FACES_BY_REST: Final[list[Card]] = [ALL_FACES[0]] * 53
for _card in ALL_FACES:
    _FACES_BY_REST[_card.bit % 53] = _card


def cards_of(lo: i64, hi: i64 = 0) -> list[Card]:
    """Return the cards of two masks in card order."""
    cards: list[Card] = []
    while lo:
        bit = lo & -lo
        card = face(bit)
        cards.append(card)
        if hi & bit:
            cards.append(card)
        lo ^= bit
    return cards


def _gather(cards: str | Iterable[Card | str]) -> tuple[i64, i64]:
    if isinstance(cards, str):
        return _gather_text(cards)
    if isinstance(cards, Cards):
        return cards.lo, cards.hi
    lo: i64 = 0
    hi: i64 = 0
    if not isinstance(cards, Iterable):
        wrong_type("cards", "a str or an iterable of Card", cards)
    given: Iterable[object] = cards
    for item in given:
        card = Card(item) if isinstance(item, str) else item
        if not isinstance(card, Card):
            wrong_item("cards", "Card", card)
        if hi & card.bit:
            raise TooManyCopies(str(card))
        lo, hi = with_card(lo, hi, card.bit)
    return lo, hi


def _gather_text(text: str) -> tuple[i64, i64]:
    lo: i64 = 0
    hi: i64 = 0
    at = 0
    for word in text.split():
        at = text.index(word, at)
        card = ALL_FACES[_parse(text, at, at + len(word))]
        if hi & card.bit:
            raise InvalidNotation(text, at, f"{card} comes for the third time")
        lo, hi = with_card(lo, hi, card.bit)
        at += len(word)
    return lo, hi


NO_CARDS: Final = Cards()
"""No cards."""
