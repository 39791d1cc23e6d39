"""Checks that a message to a seat holds nothing that the seat may not know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from heartsrules import Card, Cards, Seat, State, public_view, view

_CARD = re.compile(r"(?<![\w-])(?:[2-9TJQKA]|10)[CDSH](?![\w-])")
_HINT = "such as QS or TH"
"""How a document that cannot be read should have been spelled."""


def cards_in(message: str) -> set[str]:
    """The faces that a message names, wherever they stand in it but for the rules, which everybody knows."""
    told = json.loads(message)
    told.pop("rules", None)
    for name in ("rules", "unpassable", "exposable"):
        told.get("view", {}).pop(name, None)
    told.get("facts", {}).pop("marks", None)
    return set(_CARD.findall(json.dumps(told).replace(_HINT, "")))


def known_to(state: State, seat: Seat | None) -> set[str]:
    """The faces that a seat, or with None a spectator, may know anything of: those of its view."""
    seen = public_view(state) if seat is None else view(state, seat)
    return {str(card) for card in _cards_of(seen)}


def _cards_of(value: object) -> Iterator[Card]:
    if isinstance(value, Card):
        yield value
    elif isinstance(value, Cards):
        yield from value.distinct()
    elif isinstance(value, (tuple, frozenset)):
        for item in value:
            yield from _cards_of(item)
    else:
        for name in getattr(type(value), "__match_args__", ()):
            yield from _cards_of(getattr(value, name))


def check_message(message: str, state: State, seat: Seat | None) -> int:
    """Check that a message that was sent in a state to a seat names only what the seat may know; how many faces."""
    named = cards_in(message)
    assert named <= known_to(state, seat), f"seat {seat} was told of {named - known_to(state, seat)}: {message}"
    return len(named)


def check_messages(messages: Iterable[str], states: list[State], seat: Seat | None) -> int:
    """Check all messages of one socket in their order; `states` are those of the match by ply. How many faces."""
    ply = 0
    named = 0
    for text in messages:
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "view":
            ply = message["ply"]
            assert message["view"]["seat"] == seat
        named += check_message(text, states[ply], seat)
    return named
