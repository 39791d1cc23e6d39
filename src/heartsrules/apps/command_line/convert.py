"""`heartsrules convert`, which writes recorded games as text, JSON or JSON Lines."""

from __future__ import annotations

import functools
import sys
from typing import Annotated, Literal, TypeAlias

import typer

from heartsrules.apps.command_line.files import InputOptions, items_of, records_in
from heartsrules.apps.command_line.messages import one_line
from heartsrules.apps.command_line.options import flag
from heartsrules.apps.command_line.printing import make_console
from heartsrules.formats.notation import format_record
from heartsrules.play.game import Record
from heartsrules.simulation.batch_judge import Unreadable

Target: TypeAlias = Literal["text", "json", "jsonl"]
"""The formats for writing records."""


def convert_records(*, given: InputOptions, to: Annotated[Target, flag("--to", "The output format.")]) -> None:
    """Write recorded games as text, JSON or JSON Lines.

    They go to standard output. The rules are not checked: `heartsrules verify` does that. If a game cannot be read, or
    not be written in this format, standard error names it, the others are written, and the exit code is 1.
    """
    make_console()  # escapes characters missing in the encoding
    code = count = 0
    for source in given.sources():
        for item in items_of(source, functools.partial(records_in, format_=given.input_)):
            try:
                if isinstance(item, Unreadable):
                    raise ValueError(": ".join([*filter(None, [item.place]), item.message]))
                sys.stdout.write(_written(item, to, count))
                count += 1
            except ValueError as error:
                code = 1
                typer.echo(one_line(f"{source.name}: {error}"), err=True)
    raise typer.Exit(code)


def _written(record: Record, to: Target, place: int) -> str:
    if to == "text":
        return f"{chr(10) * bool(place)}{format_record(record)}"
    from heartsrules.formats.wire import to_json

    return f"{to_json(record, indent=2 if to == 'json' else None).decode()}\n"
