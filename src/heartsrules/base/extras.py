"""Optional packages (extras) of some modules, and the error for a missing one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, ClassVar, Final

__all__ = ["PACKAGES", "MissingExtra", "needs"]
__dir__ = __all__.copy

PACKAGES: Final[dict[str, tuple[str, ...]]] = {
    "cli": ("msgspec", "rich", "typer"),
    "dask": ("distributed",),
    "json": ("msgspec",),
    "learned": ("numpy",),
    "openspiel": ("numpy", "open_spiel", "pyspiel"),
    "parquet": ("pyarrow",),
    "pettingzoo": ("gymnasium", "numpy", "pettingzoo"),
    "plot": ("matplotlib",),
    "ray": ("ray",),
    "testing": ("hypothesis",),
    "train": ("torch",),
    "vector": ("gymnasium", "numpy"),
    "web": ("msgspec", "rich", "segno", "starlette", "typer", "uvicorn", "websockets"),
}
"""The names under which each extra's packages are imported."""


class MissingExtra(ModuleNotFoundError):
    """A package of an extra is not installed.

    The message explains how to install it.

    Attributes:
        what: the feature that needs the package, in words.
        extra: the name of the extra.
        name: the missing package.
    """

    code: ClassVar[str] = "missing-extra"

    def __init__(self, what: str, extra: str, name: str) -> None:
        super().__init__(f"{what} needs {name}, which is not installed: pip install 'heartsrules[{extra}]'", name=name)
        self.what = what
        self.extra = extra

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.extra, self.name)


@contextlib.contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """Turn a failed import in this block into a `MissingExtra`.

    >>> with needs("plot", "a plot"):
    ...     raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    Traceback (most recent call last):
        ...
    heartsrules.base.extras.MissingExtra: a plot needs matplotlib, which is not installed: pip install \
'heartsrules[plot]'

    Args:
        extra: the name of the extra, one of `PACKAGES`.
        what: the feature that needs it, as the beginning of the message.

    Raises:
        MissingExtra: a package of this extra is not installed. Other import errors are raised unchanged.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if isinstance(error, MissingExtra) or name not in PACKAGES[extra]:
            raise
        raise MissingExtra(what, extra, name) from error
