"""The application with its commands, `--version`, and errors."""

from __future__ import annotations

import contextlib
import functools
import importlib
import typing
from collections.abc import Iterator
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

import heartsrules
from heartsrules.apps.command_line.messages import fail
from heartsrules.base.errors import truncated
from heartsrules.base.extras import MissingExtra

_USAGE_ERROR: Final = typing.cast("type[Exception]", typer.BadParameter.__base__)
"""The base class of usage errors, whose module depends on the version of typer."""
_LONGEST_USE: Final = 1000
"""The limit on characters of a usage error, without the line that shows the usage."""


_COMMANDS: Final = {
    "presets": "catalogue.list_presets",
    "rules": "catalogue.show_rules",
    "simulate": "simulation.simulate_games",
    "compare": "simulation.compare_presets",
    "match": "match.match_bots",
    "bot": "bot.serve_bot",
    "merge": "merge.merge_parts",
    "verify": "verify.verify_files",
    "convert": "convert.convert_records",
    "show": "show.show_position",
    "review": "review.review_record",
    "drill": "drill.ask_drills",
    "conformance": "conformance.write_suite",
    "schema": "schema.print_schema",
    "play": "play.play_game",
    "table": "table.serve_tables",
    "serve": "serve.serve_rules",
}
"""The module and function of each command, in the order of the help."""


@functools.cache
def _command(name: str) -> Any:
    from heartsrules.apps.command_line.options import takes_options

    module, _, function = _COMMANDS[name].partition(".")
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    command = getattr(importlib.import_module(f"heartsrules.apps.command_line.{module}"), function)
    alone.command(name)(takes_options(command))
    return typer.main.get_command(alone)


class _Group(TyperGroup):
    """The commands.

    They are imported on demand, because importing all of them takes longer than most of them run. Usage errors quote
    the user's input, and are cut.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = _COMMANDS

    def get_command(self, _: Any, name: str) -> Any:
        return _command(name) if name in _COMMANDS else None

    def make_context(self, *args: Any, **options: Any) -> Any:
        with _explained():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with _explained():
            return super().invoke(ctx)


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Cut usage errors, and exit with a message if a package of an extra is missing."""
    try:
        yield
    except MissingExtra as missing:
        fail(str(missing), 2)
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
    help="The rules of Hearts: show rule sets, let bots play, verify and show recorded games, and play.",
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
