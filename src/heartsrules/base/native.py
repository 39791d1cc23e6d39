"""Class decorators for mypyc that do nothing in the interpreted build.

This module is not compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["mypyc_attr", "trait"]

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr, trait
else:

    def mypyc_attr(**_):
        """Return the class unchanged."""
        return lambda cls: cls

    def trait(cls):
        """Return the class unchanged."""
        return cls
