"""The application, its option `--version`, and the length of its errors."""

from __future__ import annotations

import contextlib
import typing
from collections.abc import Iterator
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

import heartsrules
from heartsrules.base.errors import truncated

__all__ = ["app"]

_USAGE_ERROR: Final = typing.cast("type[Exception]", typer.BadParameter.__base__)
"""The base class of usage errors. Its module depends on the version of typer."""
_LONGEST_USE: Final = 1000
"""The most characters of a usage error, without the line that shows the usage."""


class _Group(TyperGroup):
    """The commands. Usage errors quote what was typed, and are cut."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Parse the arguments."""
        with _short_errors():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with _short_errors():
            return super().invoke(ctx)


@contextlib.contextmanager
def _short_errors() -> Iterator[None]:
    try:
        yield
    except _USAGE_ERROR as error:
        message = getattr(error, "message", None)
        if isinstance(message, str):
            error.message = truncated(message, _LONGEST_USE)  # type: ignore[attr-defined]
        raise


app: Final = typer.Typer(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="The rules of Hearts: look at rule sets, let bots play, judge and show recorded games, and play.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"heartsrules {heartsrules.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass
