"""Base classes of values and checks of arguments.

Most values are attrs classes. The ones that a game makes thousands of times a second (cards, plays, states) are plain
classes with `__slots__` and `Final` attributes, which mypyc turns into native structs that cannot be written. In the
interpreted build `_seal` gives these classes the same behaviour.
"""

from __future__ import annotations

import abc
import inspect
import operator
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, SupportsIndex, TypeVar

from attrs.exceptions import FrozenInstanceError

from heartsrules.base.native import trait
from heartsrules.base.rendering import rendered
from heartsrules.base.unchecked import Unchecked

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "COMPILED",
    "Drawable",
    "Hashed",
    "Unchecked",
    "Value",
    "as_index",
    "check_callback",
    "checked_count",
    "checked_int",
    "checked_players",
    "closed",
    "digits_if_many",
    "immutable",
    "int_text",
    "items_in",
    "own_registry",
    "plain_int",
    "replaced",
    "set_cached",
    "type_phrase",
    "with_article",
    "wrong_item",
    "wrong_type",
]

COMPILED: Final = not __file__.endswith((".py", ".pyc"))
"""True in the compiled build."""

V = TypeVar("V", bound="Value")


def wrong_type(name: str, expected: str, value: object) -> NoReturn:
    """Raise a `TypeError` with an argument's name, expected type and given type."""
    found = type_phrase(value)
    if found in expected.split(" or "):
        found += " of another import of heartsrules"
    raise TypeError(f"{name} must be {expected}, not {found}")


def wrong_item(name: str, expected: str, value: object) -> NoReturn:
    """Raise a `TypeError` for an item of a collection.

    It names the collection, the expected type and the given one.
    """
    raise TypeError(f"{name} must hold only {expected}, not {type_phrase(value)}")


def type_phrase(value: object) -> str:
    """Name the type of a value for a message: `an int`, `a Card`, `None`.

    A type from another package is named with its module: `a numpy.bool`.
    """
    if value is None:
        return "None"
    kind = type(value)
    module = str(getattr(kind, "__module__", ""))
    own = module == "builtins" or module.partition(".")[0] == "heartsrules"
    return with_article(kind.__name__ if own else f"{module}.{kind.__name__}")


def with_article(name: str) -> str:
    """Return a name with its article, such as `a str` or `an int`."""
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def checked_int(name: str, value: object) -> int:
    """Return an argument that must be an int and not a bool."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    wrong_type(name, "an int", value)


def plain_int(name: str, value: object, expected: str = "an int") -> int:
    """Return a seat or a seed as a plain int, which NumPy's integers are not."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        with suppress(TypeError):  # a bool of NumPy has an `__index__` that refuses
            return operator.index(value)
    wrong_type(name, expected, value)


def checked_count(name: str, value: object, least: int = 1) -> int:
    """Return an argument that must be an int of at least `least`."""
    count = checked_int(name, value)
    if count < least:
        raise ValueError(f"{name} is {int_text(count)}: choose {least} or more")
    return count


def checked_players(players: object) -> int:
    """Return a number of players, which must be from 3 to 11."""
    count = checked_int("players", players)
    if not 3 <= count <= 11:
        raise ValueError(f"players is {int_text(count)}: choose 3 to 11")
    return count


def items_in(
    name: str, values: object, kind: type | tuple[type, ...], plural: str, expected: str = "", refused: Any = ()
) -> tuple[Any, ...]:
    """Check the items of an iterable argument and return them.

    A bool is not an int.

    Args:
        name: the name of the argument.
        values: the argument's value.
        kind: the class of the items, or several.
        plural: the name of several items.
        expected: the name of the expected value. The default is an iterable of the items.
        refused: classes of iterables that are refused as a whole, besides text.
    """
    # `isinstance(tuple, Iterable)` is slow: without this a next world takes 30 % longer.
    if type(values) is not tuple and (isinstance(values, (str, refused)) or not isinstance(values, Iterable)):
        wrong_type(name, expected or f"an iterable of {plural}", values)
    items: tuple[Any, ...] = tuple(values)
    for item in items:
        if not isinstance(item, kind) or (kind is int and isinstance(item, bool)):
            wrong_item(name, plural, item)
    return items


def check_callback(name: str, value: object) -> None:
    """Refuse an argument that is neither callable nor None."""
    if value is not None and not callable(value):
        wrong_type(name, "callable or None", value)


def as_index(index: object) -> int:
    """Return a sequence index, which must be an int or have an `__index__`, as an int."""
    if not isinstance(index, (int, SupportsIndex)):
        wrong_type("index", "an int or a slice", index)
    return operator.index(index)


def int_text(number: int) -> str:
    """Return an int as text for a message, or the number of its digits if it is long.

    Python writes at most 4,300 digits.
    """
    digits = digits_if_many(number)
    return str(number) if digits is None else f"a number of about {digits} digits"


def digits_if_many(number: int) -> int | None:
    """Return about how many digits a very long int has, or None for a shorter one."""
    return None if -(10**20) < number < 10**20 else number.bit_length() * 30103 // 100000 + 1


class Value:
    """An immutable value, defined by its parts.

    The parts are what is compared, hashed, shown, pickled and copied. A class lists them once, as constructor
    arguments, in `__match_args__`. Its `__init__` sets each attribute once; they cannot be changed afterwards.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def _parts(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not isinstance(other, Value):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={part!r}" for name, part in zip(self.__match_args__, self._parts(), strict=True))
        return f"{type(self).__name__}({parts})"

    def __format__(self, form: str) -> str:
        return format(str(self), form)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._parts()

    def __copy__(self: V) -> V:
        return self

    def __deepcopy__(self: V, memo: object) -> V:
        return self


def replaced(value: V, **changes: Any) -> V:
    """Return a copy of a value with some parts replaced, without any checks.

    Raises:
        TypeError: there is no part with that name.
    """
    kind = type(value)
    return kind(**{**dict(zip(kind.__match_args__, value._parts(), strict=True)), **changes})


def set_cached(value: Value, name: str, part: object) -> None:
    """Cache an object in a value's slot, in the interpreted build.

    Compiled code assigns to such slots; Python code cannot, because `setup.py` removes their setters.
    """
    object.__setattr__(value, name, part)


class Hashed(Value):
    """A value that caches its hash, for values with many parts.

    Its `__init__` sets `_hash` to 0. Copies and pickles do not contain the hash.
    """

    __slots__ = ("_hash",)

    _hash: i64
    """The hash, or 0 if it has not been computed."""

    def __hash__(self) -> int:
        number = self._hash
        if not number:
            number = hash(self._parts())
            if COMPILED:
                self._hash = number
            else:
                set_cached(self, "_hash", number)
        return number


@trait
class Drawable:
    """A trait of values that `str` shows as a diagram and a notebook as a picture."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(rendered("diagram", self))

    def _repr_svg_(self) -> str:
        return str(rendered("svg", self))


def own_registry(cls: type) -> None:
    """Give a subclass of an abstract class its own registry.

    mypyc makes classes without `ABCMeta.__new__`. Without a registry every instance of the abstract class would count
    as one of the subclass.
    """
    if COMPILED:
        abc._abc_init(cls)  # type: ignore[attr-defined]


def closed(cls: type) -> None:
    """Forbid subclasses of a class and of its subclasses, as in compiled classes."""
    if not COMPILED:
        cls.__init_subclass__ = classmethod(_refuse_subclass)  # type: ignore[assignment]


def immutable(cls: Any) -> None:
    """Forbid setting and deleting attributes in a class with a foreign base class.

    Its instances have a `__dict__` in the compiled build. In the interpreted one, `_seal` covers only subclasses of
    `Value`.
    """
    cls.__setattr__ = _refuse if COMPILED else _set_once
    cls.__delattr__ = _refuse


def _set_once(value: object, name: str, part: object) -> None:
    """Set an unset slot. Only `__init__` can do this."""
    if hasattr(value, name) or not hasattr(type(value), name):
        raise FrozenInstanceError
    object.__setattr__(value, name, part)


def _refuse_subclass(cls: type) -> NoReturn:
    raise TypeError(f"type '{cls.__bases__[0].__name__}' is not an acceptable base type")


def _refuse(*_: object) -> NoReturn:
    raise FrozenInstanceError


_NEW: Final = """\
def __new__(_cls, {parameters}):
    _made = _make(_open)
    _init(_made, {parameters})
    _made.__class__ = _cls
    return _made
"""
_FIND: Final = """\
def __new__(_cls, {parameters}):
    _made = _make(_open, {parameters})
    if type(_made) is _open:
        _init(_made, {parameters})
        _made.__class__ = _cls
    return _made
"""


def _seal(cls: Any, is_open: bool = False) -> None:
    """Make the attributes of a class's instances read-only, in the interpreted build.

    Its `__init__` moves to an unsealed class of the same shape, to which an instance belongs while it runs. So `self.x
    = x` is fast, and a second call of `__init__` finds nothing to run.
    """
    if cls.__module__.partition(".")[0] != "heartsrules":
        _refuse_subclass(cls)
    init = vars(cls).get("__init__")
    if is_open or init is None:
        return
    # Both together: with one of them from Value, Python would look up both on every assignment.
    plain = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    body = {"__slots__": vars(cls)["__slots__"], "__module__": cls.__module__, **plain}
    opened = type(cls.__name__, cls.__bases__, body, is_open=True)
    code = init.__code__
    names = list(code.co_varnames[1 : code.co_argcount])
    if code.co_flags & inspect.CO_VARARGS:
        names.append(f"*{code.co_varnames[code.co_argcount]}")
    parameters = ", ".join(names)
    scope: dict[str, Any] = {"_make": cls.__new__, "_open": opened, "_init": init}
    # With a list of parameters of its own it is called nearly twice as fast as with *args and **named.
    exec((_FIND if "__new__" in vars(cls) else _NEW).format(parameters=parameters), scope)
    made = scope["__new__"]
    made.__defaults__ = init.__defaults__
    made.__annotations__ = {**init.__annotations__, "return": cls.__name__}
    made.__module__ = cls.__module__
    made.__qualname__ = f"{cls.__qualname__}.__new__"
    cls.__new__ = made
    del cls.__init__


if not COMPILED:
    Value.__init_subclass__ = classmethod(_seal)  # type: ignore[assignment]
    Value.__setattr__ = _refuse  # type: ignore[method-assign]
    Value.__delattr__ = _refuse  # type: ignore[method-assign]
