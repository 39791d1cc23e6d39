"""The contents of the catalogues' patterns."""

from __future__ import annotations

from heartsrules.messages._format import Figure, Pattern, Plural, Select, Word, every_part

__all__ = ["names_in", "texts_in"]


def names_in(pattern: Pattern) -> frozenset[str]:
    """The names of a pattern's arguments."""
    return frozenset([part.name for part in every_part(pattern) if isinstance(part, (Word, Figure, Plural, Select))])


def texts_in(pattern: Pattern) -> list[str]:
    """A pattern's literal texts, in all its cases."""
    return [part for part in every_part(pattern) if isinstance(part, str)]
