"""The words of diagrams and pictures in a language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heartsrules.messages import catalogue, fill


class Wording:
    """The words of a picture in a language.

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """

    prefix = "picture"
    """The first part of its message keys."""

    def __init__(self, language: str) -> None:
        catalogue(language)
        self.language: Final = language

    def say(self, name: str, /, **params: object) -> str:
        """Fill in the message with this name, such as `picture.<name>`."""
        return fill(f"{self.prefix}.{name}", self.language, **params)

    def seat_names(self, players: int) -> list[str]:
        """Return the names `Seat 0` and so on."""
        return [self.say("name", seat=seat) for seat in range(players)]

    def joined(self, names: Sequence[str]) -> str:
        """Join names with "and" before the last."""
        *others, last = names
        return fill("term.and", self.language, others=", ".join(others), last=last) if others else last

    def points(self, points: int) -> str:
        """Write a number of points, with a minus sign if negative."""
        return self.say("points", points=points, shown=signed(points))


def signed(points: int) -> str:
    """Write a number, with a minus sign if negative."""
    return str(points) if points >= 0 else f"\N{MINUS SIGN}{-points}"
