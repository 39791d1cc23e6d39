"""A policy for playouts: players who avoid points without thinking."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from heartsrules.cards import Card, Rank, Suit
from heartsrules.chance import RandomStream
from heartsrules.errors import in_words
from heartsrules.legality import CardChoice
from heartsrules.policies import Policy
from heartsrules.rules import Rules
from heartsrules.values import wrong_type

__all__ = ["Careful"]

_CARDS: Final = tuple([Card.of(rank, suit) for suit in Suit for rank in Rank])
_SUITS: Final = tuple([sum([int(card.bit) for card in _CARDS if card.suit is suit]) for suit in Suit])


class Careful(Policy):
    """Players of a playout who avoid points without thinking; a policy for `playout` and `Sampling`.

    A player who follows suit plays the highest card that does not win so far; if every card would, the highest where
    the trick ends there, and otherwise the lowest. One who cannot follow suit discards the dearest penalty card, or
    else the highest card. Leads, passes and shooters' decisions are uniform, and so is every card with the probability
    `mistakes`: real players are not that predictable.

    Args:
        mistakes: from 0 to 1.

    >>> from heartsrules import Cards, Card, Play, Rules
    >>> from heartsrules.chance import RandomStream
    >>> hand = Cards("3C 9C KC QS")
    >>> trick = (Play(0, Card("TC")), Play(1, Card("2C")))
    >>> Careful(0).choose_card(CardChoice(Rules(), 2, hand, Cards("3C 9C KC"), trick, 4, False), RandomStream(1))
    Card('9C')

    Raises:
        ValueError: `mistakes` is not from 0 to 1.
        TypeError: `mistakes` is not a number.
    """

    def __init__(self, mistakes: float = 0.4) -> None:
        if isinstance(mistakes, bool) or not isinstance(mistakes, (int, float)):
            wrong_type("mistakes", "a number", mistakes)
        if not 0 <= mistakes <= 1:
            raise ValueError(f"mistakes is {in_words(mistakes)}: choose 0 to 1")
        self.mistakes: Final = mistakes
        self._limit: Final = round(mistakes * 1024)

    def __repr__(self) -> str:
        return f"Careful({self.mistakes!r})"

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        """The card to play."""
        legal = int(choice.legal.lo)
        if not legal & (legal - 1):
            return _highest(legal)
        trick = choice.trick
        if not trick or stream.below(1024) < self._limit:
            for _ in range(stream.below(legal.bit_count())):
                legal &= legal - 1
            return _lowest(legal)
        led = _SUITS[trick[0].card.suit]
        if not legal & led:
            for faces in _dear_first(choice.rules):
                if legal & faces:
                    return _highest(legal & faces)
            return max(choice.legal, key=_rank)
        best = max([int(play.bit) for play in trick if play.bit & led])
        under = legal & (best - 1)
        if under:
            return _highest(under)
        return _highest(legal) if len(trick) == choice.rules.players - 1 else _lowest(legal)


def _highest(faces: int) -> Card:
    return _CARDS[faces.bit_length() - 1]


def _lowest(faces: int) -> Card:
    return _CARDS[(faces & -faces).bit_length() - 1]


def _rank(card: Card) -> int:
    return card.rank.value


@lru_cache(maxsize=32)
def _dear_first(rules: Rules) -> tuple[int, ...]:
    """The faces of the penalty cards of each value, the dearest first."""
    by_value: dict[int, int] = {}
    for card in rules.penalty_cards.faces():
        value = rules.penalty(card)
        by_value[value] = by_value.get(value, 0) | int(card.bit)
    return tuple([by_value[value] for value in sorted(by_value, reverse=True)])
