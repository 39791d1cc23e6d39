"""The console, tables and progress bars of all commands."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Final

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.table import Table

from heartsrules.cards import Suit

__all__ = ["BAR", "has_symbols", "make_console", "make_table"]

_PIPE_WIDTH: Final = 10_000
"""The width, in columns, of output that does not go to a terminal: longer than any line, so none is wrapped."""
BAR: Final = (TextColumn("{task.description}"), BarColumn())
"""The columns with which every progress bar begins."""


def make_console(*, stderr: bool = False) -> Console:
    """Standard output, or standard error, with plain text; it never wraps lines for a pipe."""
    console = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if isinstance(console.file, io.TextIOWrapper):
        # A character that the encoding lacks must not end the program.
        console.file.reconfigure(errors="backslashreplace")
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def make_table(*columns: str, right: Iterable[str] = ()) -> Table:
    """A table with these columns; those named by `right` are aligned to the right."""
    table = Table(box=SIMPLE, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def has_symbols(console: Console) -> bool:
    """Whether what is printed can have the symbols of the suits."""
    try:
        "".join([suit.symbol for suit in Suit]).encode(getattr(console.file, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
