"""Properties of output streams."""

from __future__ import annotations

from typing import IO, Final

from heartsrules.cards import Suit

PIPE_WIDTH: Final = 10_000
"""The columns of output that is not a terminal: no line is wrapped."""


_SUITS: Final = "".join([suit.symbol for suit in Suit])


def has_symbols(out: IO[str], symbols: str = _SUITS) -> bool:
    """Return True if the encoding of a stream has symbols, those of the suits or others."""
    try:
        symbols.encode(getattr(out, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
