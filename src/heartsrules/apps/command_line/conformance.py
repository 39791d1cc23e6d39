"""`heartsrules conformance`: write a conformance suite for implementations in other languages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heartsrules.apps.command_line.messages import fail
from heartsrules.apps.command_line.options import chosen_seed
from heartsrules.apps.command_line.rule_sets import find_preset
from heartsrules.base.errors import counted
from heartsrules.base.extras import MissingExtra


def write_suite(
    presets: Annotated[
        list[str] | None,
        typer.Argument(metavar="PRESET", help="Names from `heartsrules presets`; none: all of them, and more."),
    ] = None,
    *,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where to; it is made if need be.")],
    random: Annotated[
        int | None,
        typer.Option(
            "--random", metavar="N", min=0, help="How many random rule sets.  [default: 20, none with PRESET]"
        ),
    ] = None,
    options: Annotated[
        bool | None,
        typer.Option(
            "--options/--no-options",
            help="Rule sets with every option that no preset has.  [default: yes, no with PRESET]",
        ),
    ] = None,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="Equal seeds give equal files.")] = "1",
) -> None:
    """Write a conformance suite for other implementations.

    The suite holds positions as JSON Lines, each with what the rules make of it. An implementation in another language
    reads them and compares. There is a file for each preset, with every count of players, and the JSON Schema files of
    all that is in them.
    """
    names = [find_preset(name).name for name in presets or ()]
    try:
        from heartsrules.testing import conformance
    except MissingExtra as missing:
        fail(str(missing), 2)
    try:
        written = conformance.write(out, **conformance.chosen(names, random, options), seed=chosen_seed(seed))
    except OSError as error:
        fail(str(error), 1)
    for path, end in written.items():
        typer.echo(f"{path}: {counted(end.rules, 'rule set')}, {counted(end.cases, 'case')}")
