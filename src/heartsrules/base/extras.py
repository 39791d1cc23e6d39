"""Extras: optional packages that some modules need, and the error for a missing one."""

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
"""By extra, the names under which its packages are imported."""


class MissingExtra(ModuleNotFoundError):
    """A package of an extra is not installed; the message says how to install it.

    Attributes:
        what: what was asked for, in words.
        extra: the name of the extra.
        name: the package that was not found.
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
    """Turn an import that fails in this block, for the lack of an extra, into a `MissingExtra`.

    >>> with needs("plot", "a plot"):
    ...     raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    Traceback (most recent call last):
        ...
    heartsrules.base.extras.MissingExtra: a plot needs matplotlib, which is not installed: pip install \
'heartsrules[plot]'

    Args:
        extra: the name of the extra, one of `PACKAGES`.
        what: what needs it, as the message begins.

    Raises:
        MissingExtra: a package of this extra is not installed. Any other error of an import stays what it is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if isinstance(error, MissingExtra) or name not in PACKAGES[extra]:
            raise
        raise MissingExtra(what, extra, name) from error
