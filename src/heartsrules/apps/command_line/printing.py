"""The console, tables and progress bars of all commands."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.table import Table

from heartsrules.apps.command_line.messages import fail
from heartsrules.apps.terminal.streams import PIPE_WIDTH
from heartsrules.base.extras import MissingExtra

__all__ = [
    "BAR",
    "at_commas",
    "document",
    "fits",
    "json_line",
    "make_console",
    "make_table",
    "print_columns",
    "print_json",
]

BAR: Final = (TextColumn("{task.description}"), BarColumn())
"""The columns with which every progress bar begins."""


def make_console(*, stderr: bool = False) -> Console:
    """Standard output, or standard error, with plain text; it never wraps lines for a pipe."""
    console = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if isinstance(console.file, io.TextIOWrapper):
        # A character that the encoding lacks must not end the program.
        console.file.reconfigure(errors="backslashreplace")
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    return console


def make_table(*columns: str, right: Iterable[str] = ()) -> Table:
    """A table with these columns; those named by `right` are aligned to the right."""
    table = Table(box=SIMPLE, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def fits(console: Console, table: Table) -> bool:
    """Whether there is room for a table without breaking any of its lines."""
    return table.__rich_measure__(console, console.options).maximum <= console.width


def print_columns(
    console: Console, columns: Mapping[str, Sequence[str]], *, keys: int = 1, right: Iterable[str] = ()
) -> None:
    """Print a table, as several tables one below the other if it is wider than the terminal.

    Args:
        console: where to print.
        columns: the cells of each column, by its heading.
        keys: how many of the first columns say what a line is about; each of the tables has these.
        right: the headings of the columns that are aligned to the right.
    """
    headings = list(columns)
    first, rest = headings[:keys], headings[keys:]
    while rest:
        count = len(rest)
        while count > 1 and not fits(console, _table_of(columns, [*first, *rest[:count]], right)):
            count -= 1
        console.print()
        console.print(_table_of(columns, [*first, *rest[:count]], right))
        rest = rest[count:]


def _table_of(columns: Mapping[str, Sequence[str]], headings: Sequence[str], right: Iterable[str]) -> Table:
    table = make_table(*headings, right=right)
    for cells in zip(*[columns[heading] for heading in headings], strict=True):
        table.add_row(*cells)
    return table


def at_commas(text: str, width: int) -> str:
    """A text in lines of at most this width, where that can be done at its commas."""
    lines = [""]
    for part in re.findall(r"[^,]*,|[^,]+$", text):
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def json_line(data: object) -> str:
    """Data as a line of JSON, with its end."""
    return f"{json.dumps(data, separators=(',', ':'))}\n"


def print_json(data: object) -> None:
    """Print data as one line of JSON."""
    make_console()  # so that characters that the encoding lacks are escaped
    sys.stdout.write(json_line(data))


def document(value: object) -> Any:
    """The JSON document of a value; without the extra `json` it says how to install it, and exits with 2."""
    try:
        from heartsrules.formats.wire import to_json
    except MissingExtra as missing:
        fail(str(missing), 2)
    return json.loads(to_json(value))
