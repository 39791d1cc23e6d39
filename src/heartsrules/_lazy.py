"""What is imported only when it is first asked for, so that a program loads what it uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["later", "lazy"]


def lazy(
    namespace: dict[str, Any], modules: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` of a package whose names are imported when they are first asked for.

    Type checkers are told the same names by imports under `TYPE_CHECKING` and by `__all__`.

    Args:
        namespace: the `globals()` of the package.
        modules: for each of its modules, the names that the package takes from it. The modules can be asked for too.
    """
    package = namespace["__name__"]
    places = {name: module for module, names in modules.items() for name in names}

    def get(name: str) -> object:
        value: object
        if name in places:
            value = getattr(import_module(f"{package}.{places[name]}"), name)
        elif name in modules:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        namespace[name] = value
        return value

    def names() -> list[str]:
        return sorted({*namespace, *places, *modules})

    return get, names


def later(module: str, name: str, *values: object) -> Any:
    """Call a function of a module that is imported only now, and return its result.

    So a value can be printed and drawn by modules that know all of them, and is made without loading these.

    Args:
        module: the name of the module below `heartsrules`.
        name: the function.
        values: its arguments.
    """
    return getattr(import_module(f"heartsrules.{module}"), name)(*values)
