"""What commands say of what is wrong: bounded texts that a terminal may print."""

from __future__ import annotations

import typing

import typer

from heartsrules.errors import cut


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _said(text: str) -> str:
    """A message that a terminal may print: one line of bounded length."""
    return cut(_printable(text))


def _printable(text: str) -> str:
    """A text in which nothing can move the cursor of a terminal, or begin another line."""
    if text.isprintable():
        return text
    return "".join([character if character.isprintable() else repr(character)[1:-1] for character in text])


def _fail(message: str, code: int) -> typing.NoReturn:
    typer.echo(_said(f"Error: {message}"), err=True)
    raise typer.Exit(code)


def _wrong(option: str, message: str) -> typer.BadParameter:
    return typer.BadParameter(_printable(message), param_hint=option)
