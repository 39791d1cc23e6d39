"""Consoles and tables."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from heartsrules.apps.terminal.streams import PIPE_WIDTH

Row: TypeAlias = Mapping[str, str]
"""The cells of a table's row, by column heading."""


def make_console(*, stderr: bool = False) -> Console:
    """Make a console of plain text, without wrapped lines for a pipe."""
    console = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if isinstance(console.file, io.TextIOWrapper):
        # Characters missing in the encoding must not raise errors.
        console.file.reconfigure(errors="backslashreplace")
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    return console


def make_table(*columns: str, right: Iterable[str] = ()) -> Table:
    table = Table(box=SIMPLE, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def fits(console: Console, table: Table) -> bool:
    """Return True if a table fits without wrapping."""
    return table.__rich_measure__(console, console.options).maximum <= console.width


def print_rows(console: Console, rows: Sequence[Row], *, keys: int = 1) -> None:
    """Print a table, split into several if it is wider than the terminal.

    Args:
        rows: each row's cells, by column heading.
        keys: the number of first columns repeated in each part. The others are aligned to the right.
    """
    headings = list(rows[0]) if rows else []
    first, rest = headings[:keys], headings[keys:]
    while rest:
        count = len(rest)
        while count > 1 and not fits(console, _table_of(rows, first, rest[:count])):
            count -= 1
        console.print()
        console.print(_table_of(rows, first, rest[:count]))
        rest = rest[count:]


def _table_of(rows: Sequence[Row], keys: Sequence[str], others: Sequence[str]) -> Table:
    table = make_table(*keys, *others, right=others)
    for row in rows:
        table.add_row(*[row[heading] for heading in (*keys, *others)])
    return table


def figure_cell(figure: Any, *, percent: bool = False, interval: bool = True) -> str:
    """Format a number from JSON, or a mean or a share with its 95 % interval.

    None is a dash.
    """
    if not isinstance(figure, Mapping):
        return "-" if figure is None else f"{figure:.2f}" if isinstance(figure, float) else str(figure)
    percent = percent or "share" in figure
    factor, unit = (100, " %") if percent else (1, "")
    mean, low, high = figure.get("mean", figure.get("share")), figure["low"], figure["high"]
    if mean is None:
        return "-"
    ends = "" if low is None or high is None or not interval else f" ({factor * low:.2f} to {factor * high:.2f})"
    return f"{factor * mean:.2f}{unit}{ends}"


def at_commas(text: str, width: int) -> str:
    """Wrap a text to a width, only at its commas."""
    lines = [""]
    for part in re.findall(r"[^,]*,|[^,]+$", text):
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def json_line(data: object) -> str:
    """Encode data as a line of JSON, with its newline."""
    return f"{json.dumps(data, separators=(',', ':'))}\n"


def print_json(data: object) -> None:
    make_console()  # escapes characters missing in the encoding
    sys.stdout.write(json_line(data))


def document(value: object) -> Any:
    from heartsrules.formats.wire import to_json

    return json.loads(to_json(value))
