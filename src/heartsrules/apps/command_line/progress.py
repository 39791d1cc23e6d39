"""Progress bars. Few commands need them, and importing them takes longer than most commands run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import partial

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from heartsrules.apps.command_line.printing import make_console


def no_bar(**_: object) -> None:
    """Show nothing."""


@contextlib.contextmanager
def progress_bar(what: str, total: int | None, *, counts: bool = True) -> Iterator[Callable[..., None]]:
    """Show a progress bar, which goes away at the end; `no_bar` where errors do not go to a terminal.

    Args:
        what: what is counted.
        total: the number of all of it; None if it is unknown.
        counts: whether the numbers are shown.

    Returns:
        Sets `completed` and `description`.
    """
    errors = make_console(stderr=True)
    if not errors.is_terminal:
        yield no_bar
        return
    columns = [TextColumn("{task.description}"), BarColumn(), *([MofNCompleteColumn()] if counts else [])]
    # Rich prints verdicts above the bar if both go to the terminal. It must not redirect them from a pipe.
    redirects = sys.stdout.isatty()
    with Progress(*columns, TimeRemainingColumn(), console=errors, transient=True, redirect_stdout=redirects) as bar:
        yield partial(bar.update, bar.add_task(what, total=total))
