"""The four moves. Chance moves too: a deal is a move that no seat makes; every other move names its seat.

Moves are only data. Whether one is legal is for the engine to say; the constructors refuse nothing but wrong types.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias, final

import attrs

from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards
from heartsrules.rules import Moon, Seat
from heartsrules.values import COMPILED, Value, setters

__all__ = ["ChooseMoon", "Deal", "Move", "Pass", "Play", "plays_of"]

_SEATS: Final = 11


def _check_seat(seat: object) -> None:
    if not isinstance(seat, int) or isinstance(seat, bool):
        raise TypeError(f"seat must be an int, not {type(seat).__name__}")


def _as_bags(name: str, value: object) -> tuple[Cards, ...]:
    if isinstance(value, (str, Cards)) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a tuple of Cards, not {type(value).__name__}")
    bags = tuple(value)
    for bag in bags:
        if not isinstance(bag, Cards):
            raise TypeError(f"{name} must hold only Cards, not {type(bag).__name__}")
    return bags


def _as_hands(value: Iterable[Cards]) -> tuple[Cards, ...]:
    return _as_bags("hands", value)


@attrs.frozen
class Deal:
    """The chance move: who is dealt what, and what is left over. `heartsrules.chance` makes them.

    Raises:
        TypeError: `hands` is no iterable of `Cards`, or `kitty` no `Cards`.
    """

    hands: tuple[Cards, ...] = attrs.field(converter=_as_hands)
    """The hands by seat."""
    kitty: Cards = NO_CARDS
    """The cards that are left over."""

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.kitty, Cards):
            raise TypeError(f"kitty must be a Cards, not {type(self.kitty).__name__}")


@final
class Pass(Value):
    """A seat commits the cards that it passes, a bag for each gift of the step; no gifts at all: it declines.

    >>> Pass(0, (Cards("QS KS AS"),))
    Pass(seat=0, gifts=(Cards('QS KS AS'),))

    Raises:
        TypeError: `seat` is no int, or `gifts` no iterable of `Cards`.
    """

    __slots__ = ("gifts", "seat")
    __match_args__ = ("seat", "gifts")
    FIELDS = ("seat", "gifts")

    seat: Final[Seat]
    gifts: Final[tuple[Cards, ...]]

    def __init__(self, seat: Seat, gifts: Iterable[Cards]) -> None:
        _check_seat(seat)
        bags = _as_bags("gifts", gifts)
        if COMPILED:
            self.seat = seat
            self.gifts = bags
        else:
            _set_pass_seat(self, seat)
            _set_pass_gifts(self, bags)

    def _parts(self) -> tuple[object, ...]:
        return (self.seat, self.gifts)


_set_pass_seat, _set_pass_gifts = setters(Pass, "seat", "gifts")


@final
class Play(Value):
    """A seat plays a card, leading or following. For seats 0 to 10 there is one object for each play.

    >>> Play(2, Card("AH")), Play(2, Card("AH")) is Play(2, Card("AH"))
    (Play(2, Card('AH')), True)

    Raises:
        TypeError: `seat` is no int or `card` no `Card`.
    """

    __slots__ = ("bit", "card", "seat", "suit")
    __match_args__ = ("seat", "card")

    seat: Final[Seat]
    card: Final[Card]
    bit: Final[int]
    """The card's bit in the masks of `Cards`."""
    suit: Final[int]
    """The number of the card's suit."""

    def __new__(cls, seat: Seat, card: Card) -> Play:
        """Find the one object of that play, or make one for a seat that no table has."""
        _check_seat(seat)
        if not isinstance(card, Card):
            raise TypeError(f"card must be a Card, not {type(card).__name__}")
        if 0 <= seat < len(_PLAYS):
            return _PLAYS[seat][card.index]
        return object.__new__(cls)

    def __init__(self, seat: Seat, card: Card) -> None:
        if 0 <= seat < len(_PLAYS):
            return
        if COMPILED:
            self.seat = seat
            self.card = card
            self.bit = card.bit
            self.suit = card.index // 13
        else:
            for setter, part in zip(_PLAY_SETTERS, (seat, card, card.bit, card.index // 13), strict=True):
                setter(self, part)

    def _parts(self) -> tuple[object, ...]:
        return (self.seat, self.card)

    def __repr__(self) -> str:
        return f"Play({self.seat}, {self.card!r})"


_PLAY_SETTERS: Final = setters(Play, "seat", "card", "bit", "suit")
_PLAYS: Final[list[list[Play]]] = []
for _seat in range(_SEATS):
    _PLAYS.append([Play(_seat, _card) for _card in ALL_FACES])


@attrs.frozen
class ChooseMoon:
    """The shooter decides what the moon does: `Moon.OTHERS_UP` or `Moon.SHOOTER_DOWN`.

    >>> ChooseMoon(2, Moon.SHOOTER_DOWN)
    ChooseMoon(seat=2, effect=Moon.SHOOTER_DOWN)

    Raises:
        TypeError: `seat` is no int or `effect` no `Moon`.
    """

    seat: Seat
    effect: Moon

    def __attrs_post_init__(self) -> None:
        _check_seat(self.seat)
        if not isinstance(self.effect, Moon):
            raise TypeError(f"effect must be a Moon, not {type(self.effect).__name__}")


Move: TypeAlias = Deal | Pass | Play | ChooseMoon
"""Any move."""

# For each seat and suit, the plays of each pattern of thirteen bits; a row is made when it is first asked for.
_ROWS: Final[list[list[list[tuple[Play, ...] | None]]]] = [[[] for _ in range(4)] for _ in range(_SEATS)]


def _suit_plays(seat: Seat, suit: int, pattern: int) -> tuple[Play, ...]:
    row = _ROWS[seat][suit]
    if not row:
        row.extend([None] * 8192)
    plays = row[pattern]
    if plays is None:
        first = suit * 13
        plays = tuple([_PLAYS[seat][first + rank] for rank in range(13) if pattern & ALL_FACES[rank].bit])
        row[pattern] = plays
    return plays


def plays_of(seat: Seat, mask: int) -> tuple[Play, ...]:
    """The plays of a seat for the faces of a mask, in card order: cached tuples, joined if of several suits."""
    plays: tuple[Play, ...] = ()
    suit = 0
    while mask:
        pattern = mask & 8191
        if pattern:
            part = _suit_plays(seat, suit, pattern)
            plays = plays + part if plays else part
        mask >>= 13
        suit += 1
    return plays
