"""Class decorators for mypyc, which do nothing in the interpreted build. This module is not compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["mypyc_attr", "trait"]

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr, trait
else:

    def mypyc_attr(**_):
        """Leave the class as it is."""
        return lambda cls: cls

    def trait(cls):
        """Leave the class as it is."""
        return cls
