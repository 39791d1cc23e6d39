"""How the players of a playout choose."""

from __future__ import annotations

from collections.abc import Sequence

from heartsrules.cards import Card
from heartsrules.chance import RandomStream
from heartsrules.legality import CardChoice
from heartsrules.moves import ChooseMoon, Pass
from heartsrules.state import ChoosingMoon

__all__ = ["Policy"]


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

    def choose_moon(
        self,
        state: ChoosingMoon,  # noqa: ARG002
        choices: tuple[ChooseMoon, ...],
        stream: RandomStream,
    ) -> ChooseMoon:
        """What the shooter decides: one of the choices."""
        return choices[stream.below(len(choices))]
