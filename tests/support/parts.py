"""States and views with other parts, for tests of what refuses them."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from heartsrules.base.values import Value, replaced
from heartsrules.play.public import DealStart, PublicDeal
from heartsrules.play.state import Secrets
from heartsrules.play.view_classes import OwnKnowledge

V = TypeVar("V", bound=Value)

_INSIDE: Final = (Secrets, OwnKnowledge, PublicDeal, DealStart)


def with_parts(value: V, **parts: Any) -> V:
    """A state, a view or a deal with other parts, its own or those of its deal; nothing is checked."""
    names = type(value).__match_args__
    changes = {name: parts.pop(name) for name in names if name in parts}
    inside = sorted([name for name in names if isinstance(getattr(value, name), _INSIDE)], reverse=True)
    for name in inside:
        part = getattr(value, name)
        theirs = {each: parts.pop(each) for each in _names_in(part) if each in parts}
        if theirs:
            changes[name] = with_parts(part, **theirs)
    if parts:
        raise TypeError(f"{type(value).__name__} has no parts {', '.join(parts)}")
    return replaced(value, **changes)


def _names_in(part: Value) -> list[str]:
    """The names of the parts of a part, and of those of the start of a deal."""
    names = list(type(part).__match_args__)
    return [*names, *DealStart.__match_args__] if isinstance(part, PublicDeal) else names
