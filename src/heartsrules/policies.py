"""How the players of a playout choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heartsrules.cards import Card, face
from heartsrules.chance import RandomStream
from heartsrules.choosing import careful_face
from heartsrules.errors import in_words
from heartsrules.legality import CardChoice
from heartsrules.moves import ChooseMoon, Expose, Pass
from heartsrules.state import ChoosingMoon
from heartsrules.tricks import led_suit, masks_of
from heartsrules.values import wrong_type

__all__ = ["Careful", "Policy"]


class Policy:
    """How every player of a playout chooses; this one chooses uniformly. Override the methods for other choices.

    A policy must choose legally, depend on nothing but what it is given, and take all chance from `stream`.
    """

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        """The card to play: one of `choice.legal`."""
        cards = list(choice.legal)
        return cards[stream.below(len(cards))]

    def choose_pass(self, passes: Sequence[Pass], stream: RandomStream) -> Pass:
        """The pass to commit: one of the legal passes of a seat (a lazy sequence that knows its length)."""
        return passes[stream.below(len(passes))]

    def choose_exposure(self, exposures: Sequence[Expose], stream: RandomStream) -> Expose:
        """What to show: one of the legal exposures of a seat (a lazy sequence; the first shows nothing)."""
        return exposures[stream.below(len(exposures))]

    def choose_moon(
        self,
        state: ChoosingMoon,  # noqa: ARG002
        choices: tuple[ChooseMoon, ...],
        stream: RandomStream,
    ) -> ChooseMoon:
        """What the shooter decides: one of the choices."""
        return choices[stream.below(len(choices))]


class Careful(Policy):
    """Players of a playout who avoid points without thinking; a policy for `playout`, `rollouts` and `Sampling`.

    A player who follows suit plays the highest card that does not win so far; if every card would, the highest where
    the trick ends there, and otherwise the lowest. One who cannot follow suit discards the dearest penalty card, or
    else the highest card. Leads, passes and shooters' decisions are uniform, and so is every card with the probability
    `mistakes`: real players are not that predictable.

    Args:
        mistakes: from 0 to 1.

    >>> from heartsrules import Cards, Card, Play, Rules
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
        self.limit: Final = round(mistakes * 1024)
        """How many times in 1,024 a player who has a choice, and does not lead, chooses uniformly."""

    def __repr__(self) -> str:
        return f"Careful({self.mistakes!r})"

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        """The card to play."""
        trick = choice.trick
        lo, _ = masks_of(trick)
        last = len(trick) == choice.rules.players - 1
        return face(careful_face(choice.rules.tables, choice.legal.lo, led_suit(trick), lo, last, self.limit, stream))
