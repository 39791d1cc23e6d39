"""Properties of output streams."""

from __future__ import annotations

from typing import IO, Final

from heartsrules.cards import Suit

PIPE_WIDTH: Final = 10_000
"""The columns of output that is not a terminal: no line is wrapped."""


def has_symbols(out: IO[str]) -> bool:
    """Whether the encoding of a stream has the symbols of the suits."""
    try:
        "".join([suit.symbol for suit in Suit]).encode(getattr(out, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
