"""Parsers of a player's answers, without checks of legality."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

import attrs

from heartsrules import Card, Cards, ChooseMoon, Expose, InvalidNotation, Pass, Play, Seat
from heartsrules.apps.terminal.words import ENGLISH, Phrases, Selector
from heartsrules.base.errors import TooManyCopies
from heartsrules.rules import Moon, PassPlan

_EFFECTS: Final = MappingProxyType(
    {"1": Moon.OTHERS_UP, "up": Moon.OTHERS_UP, "2": Moon.SHOOTER_DOWN, "down": Moon.SHOOTER_DOWN}
    | {moon.value: moon for moon in Moon}
)
_LONGEST_ECHO: Final = 20
_GAPS: Final = re.compile(r"[\s,;]+")


class BadAnswer(ValueError):
    """An answer that cannot be parsed.

    The message describes possible answers.
    """


@attrs.frozen
class Command:
    word: str
    """A key of `Phrases.commands`."""
    rest: str


def parse_command(text: str, words: Phrases = ENGLISH) -> Command | None:
    """Parse a command, or return None for another answer."""
    first, _, rest = text.strip().partition(" ")
    word = words.command(first)
    return None if word is None else Command(word, rest.strip())


def parse_card_answer(text: str, words: Phrases = ENGLISH) -> Card:
    """Parse a card as in records or in this language."""
    card = words.cards.get(text.strip().lower())
    if card is not None:
        return card
    try:
        return Card(text)
    except InvalidNotation as error:
        raise BadAnswer(words.tell("not-a-card", text=_quoted(text), reason=error.reason)) from None


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_ECHO else f"{text[:_LONGEST_ECHO]}...")


def parse_play_answer(text: str, seat: Seat, playable: Cards, words: Phrases = ENGLISH) -> Play:
    """Parse a card, or a rank of a single playable card.

    An empty answer plays the only playable card.
    """
    text = text.strip()
    if not text:
        if len(playable.distinct()) != 1:
            raise BadAnswer(words.tell("type-a-card"))
        return Play(seat, next(iter(playable)))
    rank = words.ranks.get(text.upper())
    if rank is None:
        return Play(seat, parse_card_answer(text, words))
    meant = [card for card in playable.distinct() if card.rank is rank]
    if len(meant) == 1:
        return Play(seat, meant[0])
    if not meant:
        raise BadAnswer(words.tell("no-such-rank", rank=words.tell("rank", rank=Selector(rank.letter))))
    raise BadAnswer(words.tell("which", cards=", ".join(map(words.card, meant))))


def play_keys(playable: Cards, words: Phrases = ENGLISH) -> dict[str, str]:
    """Return playable cards by the keys that play them.

    A key is a rank, followed by a suit if several cards have that rank.
    """
    keys: dict[str, str] = {}
    for text, rank in words.ranks.items():
        cards = [card for card in playable.distinct() if card.rank is rank]
        for card in cards:
            keys[(text + card.suit.letter * (len(cards) > 1)).lower()] = str(card)
    return keys


def parse_pass_answer(text: str, seat: Seat, step: PassPlan, words: Phrases = ENGLISH) -> Pass:
    """Parse the cards for all recipients in order, with optional slashes between them."""
    if words.is_word(text, "decline"):
        return Pass(seat)
    if "/" in text:
        return Pass(seat, *[_bag(_GAPS.split(part.strip()), words) for part in text.split("/")])
    cards = _GAPS.split(text.strip())
    gifts: list[Cards] = []
    for number, (_, count) in enumerate(step, 1):
        # The last recipient gets any excess, so that the engine refuses it.
        here = cards if number == len(step) else cards[:count]
        cards = cards[len(here) :]
        gifts.append(_bag(here, words))
    return Pass(seat, *gifts)


def parse_expose_answer(text: str, seat: Seat, exposable: Cards, words: Phrases = ENGLISH) -> Expose:
    """Parse the cards to expose, or `none`.

    An empty answer is `none` if there is nothing to expose.
    """
    text = text.strip()
    if words.is_word(text, "none") or not (text or exposable):
        return Expose(seat, Cards())
    if not text:
        raise BadAnswer(words.tell("type-to-show"))
    return Expose(seat, _bag(_GAPS.split(text), words))


def _bag(texts: Sequence[str], words: Phrases) -> Cards:
    cards = [parse_card_answer(text, words) for text in texts if text]
    try:
        return Cards(cards)
    except TooManyCopies as error:
        raise BadAnswer(words.tell("third-time", card=words.card(Card(error.card)))) from None


def parse_moon_answer(text: str, seat: Seat, words: Phrases = ENGLISH) -> ChooseMoon:
    """Parse a moon's effect, such as 1 or `up`, 2 or `down`, or its name."""
    word = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    effect = _EFFECTS.get(word)
    if effect is None:
        raise BadAnswer(words.tell("no-choice", text=_quoted(text)))
    return ChooseMoon(seat, effect)
