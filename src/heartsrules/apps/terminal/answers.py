"""Parse what a player types at a prompt. The engine decides whether the move is legal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

import attrs

from heartsrules import Card, Cards, ChooseMoon, Expose, InvalidNotation, Pass, Play, Rank, Seat
from heartsrules.base.errors import TooManyCopies
from heartsrules.rules import Moon, PassStep

__all__ = [
    "COMMANDS",
    "BadAnswer",
    "Command",
    "parse_command",
    "parse_expose_answer",
    "parse_moon_answer",
    "parse_pass_answer",
    "parse_play_answer",
]

COMMANDS: Final = MappingProxyType(
    {
        "help": "this list",
        "table": "show the table and your hand again",
        "why": "why cards may not be played; with a card, why that one may not",
        "hint": "what you might do, and why; with a move, what that one is worth",
        "moves": "what each of your moves is worth",
        "passed": "what you passed and received in this deal",
        "last": "the last trick",
        "taken": "who took what in this deal",
        "score": "the score sheet",
        "rest": "take all the tricks that are left, when nobody can stop you",
        "rules": "what is special about the rules; rules all: all of them",
        "undo": "take your last move back",
        "redo": "make the move again that you took back",
        "quit": "leave the game",
    }
)
"""Descriptions of the commands, by name."""

_ALIASES: Final = MappingProxyType({"?": "help", "exit": "quit", "scores": "score"})
_RANKS: Final = MappingProxyType({rank.letter: rank for rank in Rank} | {"10": Rank.TEN})
_DECLINE: Final = frozenset(["decline", "none", "no"])
_NOTHING: Final = frozenset(["none", "no", "nothing"])
_EFFECTS: Final = MappingProxyType(
    {"1": Moon.OTHERS_UP, "up": Moon.OTHERS_UP, "2": Moon.SHOOTER_DOWN, "down": Moon.SHOOTER_DOWN}
)
_LONGEST_ECHO: Final = 20
_GAPS: Final = re.compile(r"[\s,;]+")


class BadAnswer(ValueError):
    """The answer cannot be parsed; the message says what can."""


@attrs.frozen
class Command:
    """A command with its argument."""

    word: str
    """A key of `COMMANDS`."""
    rest: str


def parse_command(text: str) -> Command | None:
    """Parse a command; None if the answer is not one."""
    first, _, rest = text.strip().partition(" ")
    word = first.lower()
    word = _ALIASES.get(word, word)
    return Command(word, rest.strip()) if word in COMMANDS else None


def _card(text: str) -> Card:
    try:
        return Card(text)
    except InvalidNotation as error:
        raise BadAnswer(f"{_quoted(text)} is not a card: {error.reason}") from None


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_ECHO else f"{text[:_LONGEST_ECHO]}...")


def parse_play_answer(text: str, seat: Seat, playable: Cards) -> Play:
    """Parse a card, or a rank that one playable card has. An empty answer plays the only playable card.

    Raises:
        BadAnswer: it is not a card, or the rank is ambiguous.
    """
    text = text.strip()
    if not text:
        if len(playable.faces()) != 1:
            raise BadAnswer("type the card that you play")
        return Play(seat, next(iter(playable)))
    rank = _RANKS.get(text.upper())
    if rank is None:
        return Play(seat, _card(text))
    meant = [card for card in playable.faces() if card.rank is rank]
    if len(meant) == 1:
        return Play(seat, meant[0])
    if not meant:
        raise BadAnswer(f"no card of rank {rank.letter} may be played now: type a card, or why and the card")
    raise BadAnswer(f"which one: {', '.join(map(str, meant))}?")


def parse_pass_answer(text: str, seat: Seat, step: PassStep) -> Pass:
    """Parse the cards of all gifts, in order, with or without slashes between the gifts.

    Raises:
        BadAnswer: something is not a card, or a card comes more than twice.
    """
    if text.strip().lower() in _DECLINE:
        return Pass(seat, ())
    if "/" in text:
        return Pass(seat, [_bag(_GAPS.split(part.strip())) for part in text.split("/")])
    words = _GAPS.split(text.strip())
    gifts: list[Cards] = []
    for number, (_, count) in enumerate(step, 1):
        # The last gift gets any excess, so that the engine refuses it.
        here = words if number == len(step) else words[:count]
        words = words[len(here) :]
        gifts.append(_bag(here))
    return Pass(seat, gifts)


def parse_expose_answer(text: str, seat: Seat, exposable: Cards) -> Expose:
    """Parse the cards to show, or `none`. An empty answer shows nothing if the player has none to show.

    Raises:
        BadAnswer: something is not a card, or a card comes more than twice.
    """
    text = text.strip()
    if text.lower() in _NOTHING or not (text or exposable):
        return Expose(seat, Cards())
    if not text:
        raise BadAnswer("type the cards that you show, or none")
    return Expose(seat, _bag(_GAPS.split(text)))


def _bag(words: Sequence[str]) -> Cards:
    cards = [_card(word) for word in words if word]
    try:
        return Cards(cards)
    except TooManyCopies as error:
        raise BadAnswer(f"{error.card} comes for the third time: type no card more often than you hold it") from None


def parse_moon_answer(text: str, seat: Seat) -> ChooseMoon:
    """Parse the effect of a moon: 1 or `up`, 2 or `down`, or its name."""
    word = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    effect = _EFFECTS.get(word)
    if effect is None:
        for moon in Moon:
            if word == str(moon):
                effect = moon
    if effect is None:
        raise BadAnswer(f"{_quoted(text)} is not a choice: type 1 (others up) or 2 (shooter down)")
    return ChooseMoon(seat, effect)
