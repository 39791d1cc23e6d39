"""Packages that import their names on first use, so that a program loads only what it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(
    namespace: dict[str, Any], modules: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make the `__getattr__` and the `__dir__` of a package that imports its names on first use.

    Type checkers read the same names from imports under `TYPE_CHECKING` and from `__all__`.

    Args:
        namespace: the `globals()` of the package.
        modules: the names that the package takes from each module, which is one of its own or, with `heartsrules.` in
            front, of another package. The modules are attributes too, by the last part of their names.
    """
    package = namespace["__name__"]
    places = {name: module for module, names in modules.items() for name in names}
    short = {module.rpartition(".")[2]: module for module in modules}

    def loaded(module: str) -> Any:
        return import_module(module if module.startswith("heartsrules.") else f"{package}.{module}")

    def get(name: str) -> object:
        value: object
        if name in places:
            value = getattr(loaded(places[name]), name)
        elif name in short:
            value = loaded(short[name])
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        namespace[name] = value
        return value

    def names() -> list[str]:
        return sorted({*namespace, *places, *short})

    return get, names
