"""What diagrams and pictures say, in a language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heartsrules.messages import catalogue, fill


class Wording:
    """What a picture says in a language.

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """

    prefix = "picture"
    """The first part of the keys of its patterns."""

    def __init__(self, language: str) -> None:
        catalogue(language)
        self.language: Final = language

    def say(self, name: str, /, **params: object) -> str:
        """Fill in a pattern whose key begins with the prefix, such as `picture.<name>`."""
        return fill(f"{self.prefix}.{name}", self.language, **params)

    def seat_names(self, players: int) -> list[str]:
        """The names of seats without players: `Seat 0` and so on."""
        return [self.say("name", seat=seat) for seat in range(players)]

    def joined(self, names: Sequence[str]) -> str:
        """Names with "and" before the last."""
        *others, last = names
        return fill("term.and", self.language, others=", ".join(others), last=last) if others else last

    def points(self, points: int) -> str:
        """A number of points, with the sign of a minus."""
        return self.say("points", points=points, shown=signed(points))


def signed(points: int) -> str:
    """A number with the sign of a minus."""
    return str(points) if points >= 0 else f"\N{MINUS SIGN}{-points}"
