"""The public modules of the package, and what is public in them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import heartsrules

__all__ = ["MODULES", "public"]

_FOLDER: Final = Path(str(heartsrules.__file__)).parent

MODULES: Final = sorted(
    ".".join(("heartsrules", *path.relative_to(_FOLDER).with_suffix("").parts)).removesuffix(".__init__")
    for path in _FOLDER.rglob("*.py")
    if not [part for part in path.relative_to(_FOLDER).parts if part.startswith("_") and part != "__init__.py"]
)
"""All of them, those that need an extra too."""


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The functions and classes of `__all__`, and the methods and properties that these classes have of their own."""
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        if inspect.isclass(value) and value.__module__.startswith("heartsrules."):
            yield name, value
            for part, kind in vars(value).items():
                if not part.startswith("_") and (
                    callable(kind) or isinstance(kind, (property, staticmethod, classmethod))
                ):
                    yield f"{name}.{part}", getattr(value, part)
        elif inspect.isroutine(value):
            yield name, value
