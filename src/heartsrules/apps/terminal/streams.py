"""What the output of a command may look like, at a terminal and elsewhere."""

from __future__ import annotations

from typing import IO, Final

from heartsrules.cards import Suit

__all__ = ["PIPE_WIDTH", "has_symbols"]

PIPE_WIDTH: Final = 10_000
"""The width, in columns, of output that does not go to a terminal: longer than any line, so none is broken."""


def has_symbols(out: IO[str]) -> bool:
    """Whether what is written there can have the symbols of the suits."""
    try:
        "".join([suit.symbol for suit in Suit]).encode(getattr(out, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
