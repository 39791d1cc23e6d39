"""The error messages of the commands: texts of bounded length that are safe to print at a terminal."""

from __future__ import annotations

import typing

import typer

from heartsrules.base.errors import printable, truncated

__all__ = ["fail", "one_line", "wrong_use"]


def one_line(text: str) -> str:
    """The message as one line of bounded length that is safe to print at a terminal."""
    return truncated(printable(text))


def fail(message: str, code: int) -> typing.NoReturn:
    """Say what is wrong, and exit with this code."""
    typer.echo(one_line(f"Error: {message}"), err=True)
    raise typer.Exit(code)


def wrong_use(option: str, message: str) -> typer.BadParameter:
    """The error for an argument or option that is used wrongly. Raise it: typer prints it and exits with 2."""
    return typer.BadParameter(printable(message), param_hint=option)
