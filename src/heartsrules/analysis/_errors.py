"""What a search raises. It is not compiled: an exception of mypyc's has no place for what Python keeps with one."""

from __future__ import annotations

from heartsrules.base.errors import HeartsError


class TooManyPositions(HeartsError, ValueError):
    """An ending has more positions than `solve` may look at. Solve it later in the deal, or allow more.

    Attributes:
        most: how many were allowed.
    """

    code = "too-many-positions"

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    def __str__(self) -> str:
        return f"the ending has more than {self.most:,} positions: solve it later in the deal, or allow more of them"
