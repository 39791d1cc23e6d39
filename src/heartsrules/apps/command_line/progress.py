"""Progress bars, or lines in a log, imported on demand because that is slow."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from heartsrules.apps.command_line.messages import one_line
from heartsrules.apps.command_line.printing import make_console

EVERY: Final = 30.0
"""The seconds between two lines."""


@contextlib.contextmanager
def progress_bar(what: str, total: int | None, *, done: int = 0, counts: bool = True) -> Iterator[Callable[..., None]]:
    """Show progress on standard error.

    On a terminal it is a bar, which is removed at the end, otherwise an occasional line.

    Args:
        what: the name of the items.
        total: the number of all items, or None if it is unknown.
        done: the number of items completed before.

    Returns:
        A function that sets `completed`, without the items that were done before, and `description`.
    """
    errors = make_console(stderr=True)
    if not errors.is_terminal:
        yield _Lines(what, total, done, counts).update
        return
    columns = [TextColumn("{task.description}"), BarColumn(), *([MofNCompleteColumn()] if counts else [])]
    # Rich prints verdicts above the bar if both go to the terminal, but must not redirect them from a pipe.
    redirects = sys.stdout.isatty()
    with Progress(*columns, TimeRemainingColumn(), console=errors, transient=True, redirect_stdout=redirects) as bar:
        update = partial(bar.update, bar.add_task(what, total=total, completed=done))

        def show(completed: int | None = None, description: str | None = None) -> None:
            update(completed=None if completed is None else done + completed, description=description)

        yield show


class _Lines:
    """Lines such as `games: 34,031 of 60,000 (57 %), 1,432 a second, 0:00:18 left`."""

    def __init__(self, what: str, total: int | None, done: int, counts: bool) -> None:
        self._what = what
        self._total: Final = total
        self._before: Final = done
        self._counts: Final = counts
        self._start: Final = time.monotonic()
        self._due = self._start + EVERY

    def update(self, completed: int | None = None, description: str | None = None) -> None:
        if description is not None:
            self._what = description
        now = time.monotonic()
        if completed is None or now < self._due:
            return
        self._due = now + EVERY
        typer.echo(one_line(self._line(completed, now - self._start)), err=True)

    def _line(self, completed: int, seconds: float) -> str:
        done, total = self._before + completed, self._total
        parts = []
        if total:
            share = f"{100 * done // total} %"
            parts.append(f"{done:,} of {total:,} ({share})" if self._counts else share)
        elif self._counts:
            parts.append(f"{done:,}")
        rate = completed / seconds if seconds else 0.0
        if self._counts:
            parts.append(f"{rate:,.0f} a second" if rate >= 10 else f"{rate:.2g} a second")
        if total and rate:
            parts.append(f"{timedelta(seconds=round(max(total - done, 0) / rate))} left")
        return f"{self._what}: {', '.join(parts)}" if parts else self._what
