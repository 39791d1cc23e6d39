"""`heartsrules schema`, which prints or writes the JSON Schema of the documents."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import typer

from heartsrules.apps.command_line.messages import fail, reason_of
from heartsrules.apps.command_line.options import flag


def print_schema(
    out: Annotated[
        Path | None, flag("--out -o DIR", "Write a file for each kind to this folder, and print their names.")
    ] = None,
) -> None:
    """Print the JSON Schema of the wire format.

    It is one document, with the kinds' schemas in its `$defs`, each with its own `$id`. With `-o` they are separate
    files, as in the package.
    """
    folder = resources.files("heartsrules.formats.wire").joinpath("schema")
    files = {file.name: file.read_bytes() for file in sorted(folder.iterdir(), key=lambda file: file.name)}
    if out is None:
        kinds: dict[str, Any] = {name.removesuffix(".json"): json.loads(text) for name, text in files.items()}
        index = kinds.pop("index")
        typer.echo(json.dumps({**index, "$defs": kinds}, indent=2, ensure_ascii=False))
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = out / name
            path.write_bytes(text)
            typer.echo(str(path))
    except OSError as error:
        fail(reason_of(error), 1)
