"""Run-time checks of values against type annotations."""

from __future__ import annotations

from collections.abc import Mapping
from types import GenericAlias, UnionType
from typing import Any, NamedTuple

from heartsrules.base.values import with_article

__all__ = ["Misfit", "misfit", "phrase_of", "plural_of", "without_none"]


class Misfit(NamedTuple):
    """A value of the wrong type."""

    place: str
    """The path to it in the checked value, such as `.points[0]`, or empty."""
    expected: Any
    """The expected type."""
    value: object


def misfit(value: object, hint: Any, inside: Mapping[type, Mapping[str, Any]]) -> Misfit | None:
    """Return the first part of a value that has the wrong type, or None.

    A bool is not an int.

    Args:
        value: the value.
        hint: its type: a class, a tuple such as `tuple[int, ...]`, or one of these or None.
        inside: the attribute types of each class whose attributes are checked too.
    """
    if type(value) is hint and hint not in inside:
        return None
    if isinstance(hint, UnionType):
        return None if value is None else misfit(value, without_none(hint), inside)
    if isinstance(hint, GenericAlias):
        if not isinstance(value, tuple):
            return Misfit("", hint, value)
        entry = hint.__args__[0]
        if entry in inside or not {type(each) for each in value} <= {entry}:
            for number, each in enumerate(value):
                found = misfit(each, entry, inside)
                if found is not None:
                    return found._replace(place=f"[{number}]{found.place}")
        return None
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        return Misfit("", hint, value)
    for name, kind in inside.get(hint, {}).items():
        found = misfit(getattr(value, name), kind, inside)
        if found is not None:
            return found._replace(place=f".{name}{found.place}")
    return None


def without_none(hint: Any) -> Any:
    """Return the type in a hint such as `int | None`."""
    return hint.__args__[0] if isinstance(hint, UnionType) else hint


def phrase_of(hint: Any) -> str:
    """Name a type for a message: `an int or None`, `a tuple of Cards`."""
    kind = without_none(hint)
    if isinstance(kind, GenericAlias):
        phrase = f"a tuple of {plural_of(kind.__args__[0])}"
    else:
        phrase = with_article(kind.__name__)
    return phrase if kind is hint else f"{phrase} or None"


def plural_of(kind: type) -> str:
    """Name several values of a type for a message: `ints`, `Cards`."""
    return "ints" if kind is int else kind.__name__
