"""Errors raised by a search.

This module is not compiled, because mypyc's exceptions have no room for CPython's exception data.
"""

from __future__ import annotations

from heartsrules.base.errors import HeartsError


class TooManyPositions(HeartsError, ValueError):
    """An ending has more positions than `solve` can search.

    Solve it later in the deal, or raise the limit.

    Attributes:
        most: the limit.
    """

    code = "too-many-positions"

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    def __str__(self) -> str:
        return f"the ending has more than {self.most:,} positions: solve it later in the deal, or allow more of them"
