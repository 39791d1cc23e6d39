"""Properties of output streams."""

from __future__ import annotations

from typing import IO, Final

from heartsrules.cards import Suit

PIPE_WIDTH: Final = 10_000
"""The columns of output that is not a terminal, enough for any line."""


_SUITS: Final = "".join([suit.symbol for suit in Suit])


def has_symbols(out: IO[str], symbols: str = _SUITS) -> bool:
    """Return True if a stream's encoding has these symbols, by default the suits."""
    try:
        symbols.encode(getattr(out, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
