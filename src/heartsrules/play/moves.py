"""The five moves, including deals, which are chance moves without a seat.

Moves are data. The constructors check only types; the engine checks legality.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, cast, final

from heartsrules.base.errors import InvalidNotation
from heartsrules.base.values import Unchecked, Value, int_text, plain_int, wrong_type
from heartsrules.cards import ALL_FACES, NO_CARDS, SUIT_MASKS, Card, Cards, popcount
from heartsrules.rules import Moon, Seat
from heartsrules.rules.arguments import bag_from, bags_in, card_from

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["ChooseMoon", "Deal", "Expose", "Move", "Pass", "Play"]
__dir__ = __all__.copy

_SEATS: Final = 11
_LARGEST: Final = 10**600
"""The bound of a move's seat, so that Python can write it."""


def _checked_seat(seat: object) -> int:
    number = plain_int("seat", seat)
    if not 0 <= number < _SEATS and not -_LARGEST < number < _LARGEST:
        raise ValueError(f"seat is {int_text(number)}: give at most 600 digits")
    return number


@final
class Deal(Value):
    """The chance move that deals the hands and the kitty, from `heartsrules.deal`.

    After a pass through the middle, a second `Deal` deals those cards back.

    Attributes:
        hands: each seat's hand, or the cards dealt back to it.
        kitty: the cards left over.
    """

    __match_args__: ClassVar = ("hands", "kitty")
    __slots__ = __match_args__

    hands: Final[tuple[Cards, ...]]
    kitty: Final[Cards]

    def __init__(
        self, hands: Unchecked[Iterable[str | Iterable[Card | str]]], kitty: str | Iterable[Card | str] = NO_CARDS
    ) -> None:
        bags = bags_in("hands", hands)
        rest = bag_from("kitty", kitty)
        self.hands = bags
        self.kitty = rest


_GIFTS: Final[list[Card]] = []
"""A marker for `Pass(seat, _GIFTS, cards)`, which does not check the cards."""


@final
class Pass(Value):
    """A seat's pass, empty if the seat declines.

    Args:
        seat: the seat that passes.
        cards: the cards for each recipient, as a text, `Cards` or an iterable of cards.

    >>> Pass(0, "QS KS AS"), Pass(1, "QS KS", [Card("2C")]), Pass(2)
    (Pass(0, Cards('QS KS AS')), Pass(1, Cards('QS KS'), Cards('2C')), Pass(2))

    Attributes:
        seat: the seat that passes.
        cards: a tuple with the cards for each recipient.

    Raises:
        ValueError: `seat` has more than 600 digits.
        InvalidNotation: a text contains something that is not a card, or a third copy of a card.
        TooManyCopies: an iterable contains a third copy of a card.
    """

    __match_args__: ClassVar = ("seat", "cards")
    __slots__ = __match_args__

    seat: Final[Seat]
    cards: Final[tuple[Cards, ...]]

    def __init__(self, seat: Unchecked[int], *cards: str | Iterable[Card | str]) -> None:
        number = _checked_seat(seat)
        if cards and cards[0] is _GIFTS:
            gifts = cast("tuple[Cards, ...]", cards[1])
        else:
            gifts = tuple([_gift(gift) for gift in cards])
        self.seat = number
        self.cards = gifts

    def __repr__(self) -> str:
        return f"Pass({', '.join(map(repr, (self.seat, *self.cards)))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Pass, (self.seat, *self.cards)


def pass_of(seat: int, gifts: tuple[Cards, ...]) -> Pass:
    """Make a pass without checking its cards."""
    unchecked: Any = gifts
    return Pass(seat, _GIFTS, unchecked)


def _gift(cards: object) -> Cards:
    if isinstance(cards, (tuple, list)) and any([isinstance(each, Cards) for each in cards]):
        raise TypeError("cards must hold only Card, not a Cards: give each gift as an argument of its own")
    return bag_from("cards", cards)


@final
class Expose(Value):
    """A seat's decision to expose cards of its hand before the first lead, or none.

    >>> Expose(0, "QS JD")
    Expose(seat=0, cards=Cards('JD QS'))

    Attributes:
        seat: the seat that decides.
        cards: the cards it exposes.

    Raises:
        ValueError: `seat` has more than 600 digits.
        InvalidNotation: a text contains something that is not a card, or a third copy of a card.
        TooManyCopies: an iterable contains a third copy of a card.
    """

    __match_args__: ClassVar = ("seat", "cards")
    __slots__ = __match_args__

    seat: Final[Seat]
    cards: Final[Cards]

    def __init__(self, seat: Unchecked[int], cards: str | Iterable[Card | str]) -> None:
        number = _checked_seat(seat)
        bag = bag_from("cards", cards)
        self.seat = number
        self.cards = bag


@final
class Play(Value):
    """A seat's play of a card. For seats 0 to 10 there is one object for each play.

    >>> Play(2, "AH"), Play(2, "AH") is Play(2, Card("AH"))
    (Play(2, Card('AH')), True)

    Attributes:
        seat: the seat that plays.
        card: the card.
        bit: the card's bit in the masks of `Cards`.

    Raises:
        ValueError: `seat` has more than 600 digits.
        InvalidNotation: a text is not a card.
    """

    __match_args__: ClassVar = ("seat", "card")
    __slots__ = (*__match_args__, "_alone", "_suit_mask", "bit")

    seat: Final[Seat]
    card: Final[Card]
    bit: Final[i64]
    _suit_mask: Final[i64]
    """The mask of the card's suit."""
    _alone: Final[tuple[Play, ...]]
    """A tuple of this play, or an empty one for a seat that no table has.

    Adding it to a trick is faster than `(*trick, play)`."""

    def __new__(cls, seat: Unchecked[int], card: Unchecked[Card | str]) -> Play:
        """Return the one object for the play, or a new one for a seat that no table has."""
        number = _checked_seat(seat)
        if not isinstance(card, Card):
            card = card_from("card", card)
        if 0 <= number < len(_PLAYS):
            return _PLAYS[number][card.index]
        return object.__new__(cls)

    def __init__(self, seat: Unchecked[int], card: Unchecked[Card | str]) -> None:
        # `__new__` has checked the types.
        if not isinstance(seat, int) or 0 <= seat < len(_PLAYS):
            return
        if not isinstance(card, Card):
            card = card_from("card", card)
        if hasattr(self, "seat"):  # a second call, compiled
            return
        self.seat = seat
        self.card = card
        self.bit = card.bit
        self._suit_mask = SUIT_MASKS[card.index // 13]
        self._alone = (self,) if 0 <= seat < _SEATS else ()

    def __reduce__(self) -> tuple[Any, ...]:
        if 0 <= self.seat < _SEATS:
            return _play_at, (self.seat * 52 + self.card.index,)
        return Play, (self.seat, self.card)

    def __hash__(self) -> int:
        # A state contains dozens of plays: this avoids a tuple for each in its hash.
        if not self._alone:
            return hash((self.seat, self.card))
        return self.seat * 52 + self.card.index

    def __repr__(self) -> str:
        return f"Play({self.seat}, {self.card!r})"


_PLAYS: Final[list[list[Play]]] = []
for _seat in range(_SEATS):
    _PLAYS.append([Play(_seat, _card) for _card in ALL_FACES])


def _play_at(place: int) -> Play:
    """Unpickle a play."""
    return _PLAYS[place // 52][place % 52]


# A compiled function has its own copy of the name of its module, which a pickle would repeat.
_function: Any = _play_at
_class: Any = Play
_function.__module__ = _class.__module__


_TABLES: Final[list[list[Play]]] = []
for _seat in range(_SEATS):
    _table = [_PLAYS[_seat][0]] * 53
    for _play in _PLAYS[_seat]:
        _table[_play.bit % 53] = _play
    _TABLES.append(_table)


def play_table(seat: i64) -> list[Play]:
    """Return a seat's plays, each at the remainder of its bit by 53.

    Do not change the list.
    """
    return _TABLES[seat]


@final
class ChooseMoon(Value):
    """The shooter's choice between `Moon.OTHERS_UP` and `Moon.SHOOTER_DOWN`.

    >>> ChooseMoon(2, "shooter-down")
    ChooseMoon(seat=2, effect=Moon.SHOOTER_DOWN)

    Attributes:
        seat: the shooter's seat.
        effect: the effect of the moon.

    Raises:
        ValueError: `seat` has more than 600 digits.
    """

    __match_args__: ClassVar = ("seat", "effect")
    __slots__ = __match_args__

    seat: Final[Seat]
    effect: Final[Moon]

    def __init__(self, seat: Unchecked[int], effect: Unchecked[Moon | str]) -> None:
        number = _checked_seat(seat)
        if isinstance(effect, str):
            effect = _effect(effect)
        if not isinstance(effect, Moon):
            wrong_type("effect", "a Moon or the name of one", effect)
        self.seat = number
        self.effect = effect


def _effect(text: str) -> Moon:
    effect = Moon.named(text)
    if not isinstance(effect, Moon):
        raise InvalidNotation(text, 0, f"expected one of {', '.join(map(str, Moon))}")
    return effect


Move: TypeAlias = Deal | Pass | Expose | Play | ChooseMoon
"""Any move."""

_LENGTHS: Final[list[list[object]]] = [[None] * length for length in range(53)]
"""A list of each length. A compiled tuple of known length is filled at once, which is faster than appending."""


def plays_of(seat: i64, mask: i64) -> tuple[Play, ...]:
    """Return a seat's plays for a mask of cards, in card order."""
    row = _TABLES[seat]
    rest = mask
    left = rest
    return tuple(row[((rest := (left := rest) & (left - 1)) ^ left) % 53] for _ in _LENGTHS[popcount(mask)])
