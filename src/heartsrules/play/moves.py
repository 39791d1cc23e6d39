"""The five moves. Chance moves too: a deal is a move that no seat makes; every other move names its seat.

Moves are only data. Whether one is legal is for the engine to say; the constructors refuse nothing but wrong types.
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
"""The bound of the seat of a move, so that it can be written: Python writes at most 4,300 digits."""


def _checked_seat(seat: object) -> int:
    number = plain_int("seat", seat)
    if not 0 <= number < _SEATS and not -_LARGEST < number < _LARGEST:
        raise ValueError(f"seat is {int_text(number)}: give at most 600 digits")
    return number


@final
class Deal(Value):
    """The chance move: who is dealt what, and what is left over. `heartsrules.deal` makes it.

    After a pass through the middle a second one deals the pile back: `hands` are the cards that each seat gets of it.
    """

    __match_args__: ClassVar = ("hands", "kitty")
    __slots__ = __match_args__

    hands: Final[tuple[Cards, ...]]
    """The hands by seat; of a pile, the cards that each seat is dealt back."""
    kitty: Final[Cards]
    """The cards that are left over."""

    def __init__(
        self, hands: Unchecked[Iterable[str | Iterable[Card | str]]], kitty: str | Iterable[Card | str] = NO_CARDS
    ) -> None:
        bags = bags_in("hands", hands)
        rest = bag_from("kitty", kitty)
        self.hands = bags
        self.kitty = rest


_GIFTS: Final[list[Card]] = []
"""Marker: `Pass(seat, _GIFTS, bags)` takes the bags unchecked, which takes a fifth of the time."""


@final
class Pass(Value):
    """A seat commits the cards that it passes.

    Args:
        seat: who passes.
        cards: for each gift of the step its cards: a text, a bag or an iterable of cards. None at all: it declines.

    >>> Pass(0, "QS KS AS"), Pass(1, "QS KS", [Card("2C")]), Pass(2)
    (Pass(0, Cards('QS KS AS')), Pass(1, Cards('QS KS'), Cards('2C')), Pass(2))

    Raises:
        ValueError: `seat` has more than 600 digits.
        InvalidNotation: a text holds something that is not a card, or a card for the third time.
        TooManyCopies: an iterable holds a card more than twice.
    """

    __match_args__: ClassVar = ("seat", "cards")
    __slots__ = __match_args__

    seat: Final[Seat]
    cards: Final[tuple[Cards, ...]]
    """The cards of each gift."""

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
    """A pass of gifts that are bags for certain."""
    unchecked: Any = gifts
    return Pass(seat, _GIFTS, unchecked)


def _gift(cards: object) -> Cards:
    if isinstance(cards, (tuple, list)) and any([isinstance(each, Cards) for each in cards]):
        raise TypeError("cards must hold only Card, not a Cards: give each gift as an argument of its own")
    return bag_from("cards", cards)


@final
class Expose(Value):
    """A seat shows cards of its hand to everybody before the first lead, or none.

    >>> Expose(0, "QS JD")
    Expose(seat=0, cards=Cards('JD QS'))

    Raises:
        ValueError: `seat` has more than 600 digits.
        InvalidNotation: a text holds something that is not a card, or a card for the third time.
        TooManyCopies: an iterable holds a card more than twice.
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
    """A seat plays a card, leading or following. For seats 0 to 10 there is one object for each play.

    >>> Play(2, "AH"), Play(2, "AH") is Play(2, Card("AH"))
    (Play(2, Card('AH')), True)

    Raises:
        ValueError: `seat` has more than 600 digits.
        InvalidNotation: a text is not a card.
    """

    __match_args__: ClassVar = ("seat", "card")
    __slots__ = (*__match_args__, "_alone", "_suit_mask", "bit")

    seat: Final[Seat]
    card: Final[Card]
    bit: Final[i64]
    """The card's bit in the masks of `Cards`."""
    _suit_mask: Final[i64]
    """The bits of all cards of its suit."""
    _alone: Final[tuple[Play, ...]]
    """A tuple of this play alone; empty for a seat that no table has. Making a trick longer by
    `(*trick, play)` takes a play 12 % more instructions."""

    def __new__(cls, seat: Unchecked[int], card: Unchecked[Card | str]) -> Play:
        """Find the one object of that play, or make one for a seat that no table has."""
        number = _checked_seat(seat)
        if not isinstance(card, Card):
            card = card_from("card", card)
        if 0 <= number < len(_PLAYS):
            return _PLAYS[number][card.index]
        return object.__new__(cls)

    def __init__(self, seat: Unchecked[int], card: Unchecked[Card | str]) -> None:
        # The types are as __new__ has found them.
        if not isinstance(seat, int) or 0 <= seat < len(_PLAYS):
            return
        if not isinstance(card, Card):
            card = card_from("card", card)
        if hasattr(self, "seat"):  # whoever calls this a second time, compiled
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
        # A state holds dozens of plays: their parts need not be gathered for its hash.
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
    """The plays of a seat, each at the remainder of its bit by 53: a shared list, not to be changed."""
    return _TABLES[seat]


@final
class ChooseMoon(Value):
    """The shooter decides what the moon does: `Moon.OTHERS_UP` or `Moon.SHOOTER_DOWN`.

    >>> ChooseMoon(2, "shooter-down")
    ChooseMoon(seat=2, effect=Moon.SHOOTER_DOWN)

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
"""A list of each length: compiled, a tuple made by iterating over a list is filled at once. With a loop that appends
to a list, stepping takes 10 % more instructions."""


def plays_of(seat: i64, mask: i64) -> tuple[Play, ...]:
    """The plays of a seat for the faces of a mask, in card order."""
    row = _TABLES[seat]
    rest = mask
    left = rest
    return tuple(row[((rest := (left := rest) & (left - 1)) ^ left) % 53] for _ in _LENGTHS[popcount(mask)])
