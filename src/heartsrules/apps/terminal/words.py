"""What the terminal says, in one language: patterns of the catalogue, with styled parts, and how cards are written."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

import attrs
from rich.text import Text

from heartsrules import Card, Cards, Rank, Suit
from heartsrules.cards import ALL_FACES
from heartsrules.messages import phrase

_PLACE: Final = re.compile("⟦([0-9]+)⟧")
"""The place of a text in a filled-in pattern. The texts come in afterwards, so that they keep their styles."""
_COMMANDS: Final = (
    *("help", "table", "why", "hint", "moves", "passed", "last", "log", "taken", "score", "rest", "review", "drill"),
    *("rules", "undo", "redo", "quit"),
)
COMMAND_KEYS: Final = MappingProxyType(
    {"?": "help", "o": "table", "w": "why", "h": "hint", "m": "moves", "p": "passed", "l": "last", "g": "log"}
    | {"s": "score", "x": "rest", "v": "review", "e": "drill", "i": "rules", "u": "undo", "r": "redo"}
)
"""Commands by their keys. No rank is written with one of these letters in any language."""
_ALIASES: Final = MappingProxyType({**COMMAND_KEYS, "exit": "quit", "scores": "score"})


class Selector(str):
    """An argument that a pattern selects by, and not a text to be shown."""

    __slots__ = ()


@attrs.frozen(slots=False)
class Phrases:
    """The words of a language.

    Attributes:
        language: one of `heartsrules.messages.languages()`.
    """

    language: str = "en"

    def say(self, name: str, /, **params: object) -> Text:
        """Fill in the pattern `terminal.<name>`, or another one if the name has its key. Texts keep their styles."""
        texts: list[Text | str] = []
        given: dict[str, object] = {}
        for key, value in params.items():
            if isinstance(value, (str, Text)) and not isinstance(value, (Selector, enum.Enum)):
                given[key] = f"⟦{len(texts)}⟧"
                texts.append(value)
            else:
                given[key] = value
        whole = name if name.startswith(("term.", "drill.", "picture.")) else f"terminal.{name}"
        pieces = _PLACE.split(phrase(whole, self.language, **given))
        return Text.assemble(*[texts[int(piece)] if place % 2 else piece for place, piece in enumerate(pieces)])

    def tell(self, name: str, /, **params: object) -> str:
        """Fill in the pattern `terminal.<name>`, without styles."""
        return self.say(name, **params).plain

    def listed(self, name: str) -> list[str]:
        """The items of a pattern that is a list, separated by commas."""
        return self.tell(name).split(",")

    def joined(self, parts: Sequence[str]) -> str:
        """Texts with "and" before the last: `Ann, Bob and Cleo`."""
        *others, last = parts
        return self.tell("term.and", others=", ".join(others), last=last) if others else last

    # Cards

    def card(self, card: Card) -> str:
        """A card with the symbol of its suit: `Q♠`."""
        return self._written(card, card.suit.symbol)

    def _written(self, card: Card, sign: str) -> str:
        return self.tell("card", rank=Selector(card.rank.letter), sign=sign)

    def named(self, card: Card) -> str:
        """A card in letters, as a sentence has it and as it can be typed."""
        return self.tell("term.card", rank=Selector(card.rank.letter), suit=Selector(card.suit.letter))

    def suit(self, suit: Suit) -> str:
        """The name of a suit."""
        return self.tell("term.suit", suit=suit)

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """Cards by the ways of the language to write them, in lower case."""
        return {
            text.lower(): card
            for card in ALL_FACES
            for text in (self.named(card), self.card(card), self._written(card, card.suit.letter))
        }

    @cached_property
    def ranks(self) -> Mapping[str, Rank]:
        """Ranks by their letters and numbers."""
        own = {self.tell("rank", rank=Selector(rank.letter)): rank for rank in Rank}
        return own | {rank.letter: rank for rank in Rank} | {"10": Rank.TEN}

    # Commands

    @cached_property
    def commands(self) -> Mapping[str, str]:
        """The words for the commands, by command."""
        return {name: self.tell(f"command.{name}") for name in _COMMANDS}

    def command(self, word: str) -> str | None:
        """The command that a word stands for, in this language or in English."""
        word = word.lower()
        own = {told: name for name, told in self.commands.items()}
        return own.get(word, _ALIASES.get(word, word if word in self.commands else None))

    def is_word(self, text: str, name: str) -> bool:
        """Whether a text is one of the words of `terminal.word.<name>`, of this language or of English."""
        word = text.strip().lower()
        return word in self.listed(f"word.{name}") or word in ENGLISH.listed(f"word.{name}")

    def word(self, name: str) -> str:
        """The first of the words of `terminal.word.<name>`."""
        return self.listed(f"word.{name}")[0]

    def ways(self, cards: Cards) -> list[str]:
        """Cards as they can be typed."""
        return list(map(self.named, cards.distinct()))


ENGLISH: Final = Phrases()
