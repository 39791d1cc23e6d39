"""The base of the values that are made on every play.

Most values of this package are attrs classes. The few that a game makes thousands of times a second (bags of
cards, plays, states) are plain classes with `__slots__` and `Final` attributes instead: mypyc turns those into
native structs whose attributes cannot be written at all. Interpreted, the same class bodies are sealed here: an
attribute can be set only once. Constructors that must be fast use the `setters` of the slots instead.
"""

from __future__ import annotations

import abc
import operator
from collections.abc import Callable
from typing import Any, ClassVar, Final, NoReturn, Protocol, SupportsIndex, TypeVar

from attrs.exceptions import FrozenInstanceError

__all__ = [
    "COMPILED",
    "Unchecked",
    "Value",
    "as_index",
    "checked_int",
    "kind_of",
    "own_registry",
    "setters",
    "shown",
    "with_article",
    "wrong_item",
    "wrong_type",
]

COMPILED: Final = not __file__.endswith(".py")

V = TypeVar("V", bound="Value")


class Unchecked(Protocol):
    """Nothing is one of these: to a type checker, a parameter of type `Card | Unchecked` takes a `Card`.

    Compiled, a parameter of type `Card` is checked before the function begins, and whoever gives something else is not
    told which argument it was. With `| Unchecked` the function checks it itself, as it does interpreted: `wrong_type`
    names the argument. Likewise `int | Unchecked`, for which a bool is none; of type int, compiled, True is 1.
    Functions that only this package calls do without.
    """

    def _nothing_is_one_of_these(self) -> NoReturn: ...


def wrong_type(name: str, expected: str, value: object) -> NoReturn:
    """Refuse an argument of a wrong type.

    Raises:
        TypeError: always; it names the argument, what it must be and what it is.
    """
    raise TypeError(f"{name} must be {expected}, not {kind_of(value)}")


def wrong_item(name: str, expected: str, value: object) -> NoReturn:
    """Refuse an item of a collection that has a wrong type.

    Raises:
        TypeError: always; it names the collection, what it must hold and what the item is.
    """
    raise TypeError(f"{name} must hold only {expected}, not {kind_of(value)}")


def kind_of(value: object) -> str:
    """What a value is, for a message: `a str`, `an int`, `None`."""
    if value is None:
        return "None"
    return with_article(type(value).__name__)


def with_article(name: str) -> str:
    """A name for a message: `a str`, `an int`."""
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def checked_int(name: str, value: object) -> int:
    """An argument that must be an int; a bool is none.

    Raises:
        TypeError: it is something else.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    wrong_type(name, "an int", value)


def as_index(index: object) -> int:
    """The place in a sequence that an index means, as a tuple takes it.

    Raises:
        TypeError: it means none.
    """
    if isinstance(index, int):
        return index
    if not isinstance(index, SupportsIndex):
        wrong_type("index", "an int or a slice", index)
    return operator.index(index)


def shown(number: int) -> str:
    """An int for a message: Python refuses to write down one of more than 4,300 digits, and nobody reads them."""
    if -(10**20) < number < 10**20:
        return str(number)
    return f"a number of about {number.bit_length() * 30103 // 100000 + 1} digits"


class Value:
    """An immutable value: compared, hashed, shown, pickled and copied by its parts."""

    __slots__ = ()

    FIELDS: ClassVar[tuple[str, ...]] = ()

    def _parts(self) -> tuple[object, ...]:
        """The constructor's positional arguments, in the order of FIELDS."""
        return ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not isinstance(other, Value):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={part!r}" for name, part in zip(self.FIELDS, self._parts(), strict=True))
        return f"{type(self).__name__}({parts})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._parts()

    def replace(self: V, **changes: Any) -> V:
        """The same value with other parts.

        Raises:
            TypeError: a part has no such name.
        """
        return type(self)(**{**dict(zip(self.FIELDS, self._parts(), strict=True)), **changes})

    def __replace__(self: V, **changes: Any) -> V:
        return self.replace(**changes)

    def __copy__(self: V) -> V:
        return self

    def __deepcopy__(self: V, memo: object) -> V:
        return self


def setters(cls: type, *names: str) -> tuple[Callable[[object, object], None], ...]:
    """The slots' own setters, for the constructor of a class that is sealed when interpreted."""
    return tuple(getattr(cls, name).__set__ for name in names)


def own_registry(cls: type) -> None:
    """Give an abstract class's heir a registry of its own: mypyc makes classes past `ABCMeta.__new__`, and without
    one everything that is an instance of the abstract class would count as an instance of its heir."""
    if COMPILED:
        abc._abc_init(cls)  # type: ignore[attr-defined]


def _refuse(*_: object) -> NoReturn:
    raise FrozenInstanceError


def _set_once(value: Value, name: str, part: object) -> None:
    """Set an attribute that is not there yet, as a constructor does."""
    if hasattr(value, name):
        _refuse()
    object.__setattr__(value, name, part)


if not COMPILED:
    Value.__setattr__ = _set_once  # type: ignore[assignment,method-assign]
    Value.__delattr__ = _refuse  # type: ignore[method-assign]
