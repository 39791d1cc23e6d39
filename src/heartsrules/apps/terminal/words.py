"""The words of the terminal in one language, with styles and ways to write cards."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

import attrs
from rich.text import Text

from heartsrules import Card, Rank
from heartsrules.cards import ALL_FACES
from heartsrules.messages import phrase
from heartsrules.pictures.svg import card_name

_PLACE: Final = re.compile("⟦([0-9]+)⟧")
"""The position of a text, which is inserted afterwards to keep its style."""
_COMMANDS: Final = (
    *("help", "table", "why", "hint", "moves", "passed", "last", "log", "taken", "score", "rest", "review", "drill"),
    *("rules", "undo", "redo", "quit"),
)
COMMAND_KEYS: Final = MappingProxyType(
    {"?": "help", "o": "table", "w": "why", "h": "hint", "m": "moves", "p": "passed", "l": "last", "g": "log"}
    | {"s": "score", "x": "rest", "v": "review", "e": "drill", "i": "rules", "u": "undo", "r": "redo"}
)
"""Commands by their keys, which are not letters of ranks in any language."""
_ALIASES: Final = MappingProxyType({**COMMAND_KEYS, "exit": "quit", "scores": "score"})


class Selector(str):
    """An argument that selects a variant of a pattern, instead of text to show."""

    __slots__ = ()


@attrs.frozen(slots=False)
class Phrases:
    """The words of a language.

    Attributes:
        language: one of `heartsrules.messages.languages()`.
    """

    language: str = "en"

    def say(self, name: str, /, **params: object) -> Text:
        """Fill in the pattern `terminal.<name>`, or the one whose key is the name.

        Texts keep their styles.
        """
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
        """Return the items of a pattern that is a list, separated by commas."""
        return self.tell(name).split(",")

    def joined(self, parts: Sequence[str]) -> str:
        """Join texts with "and" before the last, as in `Ann, Bob and Cleo`."""
        *others, last = parts
        return self.tell("term.and", others=", ".join(others), last=last) if others else last

    # Cards

    def card(self, card: Card) -> str:
        """Write a card as in all messages, such as `♠Q`."""
        return self.tell("term.card", rank=Selector(card.rank.letter), suit=Selector(card.suit.letter))

    def _typed(self, card: Card, sign: str) -> str:
        return self.tell("card", rank=Selector(card.rank.letter), sign=sign)

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        return {
            text.lower(): card
            for card in ALL_FACES
            for text in (
                *(self.card(card), card_name(card, self.language)),
                *(self._typed(card, card.suit.symbol), self._typed(card, card.suit.letter)),
            )
        }

    @cached_property
    def ranks(self) -> Mapping[str, Rank]:
        own = {self.tell("rank", rank=Selector(rank.letter)): rank for rank in Rank}
        return own | {rank.letter: rank for rank in Rank} | {"10": Rank.TEN}

    # Commands

    @cached_property
    def commands(self) -> Mapping[str, str]:
        """The words for commands, with their commands."""
        return {name: self.tell(f"command.{name}") for name in _COMMANDS}

    def command(self, word: str) -> str | None:
        """Return the command for a word in this language or in English."""
        word = word.lower()
        own = {told: name for name, told in self.commands.items()}
        return own.get(word, _ALIASES.get(word, word if word in self.commands else None))

    def is_word(self, text: str, name: str) -> bool:
        """Return True if a text is in `terminal.word.<name>`, in this language or English."""
        word = text.strip().lower()
        return word in self.listed(f"word.{name}") or word in ENGLISH.listed(f"word.{name}")

    def word(self, name: str) -> str:
        """Return the first of the words of `terminal.word.<name>`."""
        return self.listed(f"word.{name}")[0]


ENGLISH: Final = Phrases()
