"""`heartsrules conformance`, which writes a suite for other implementations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heartsrules.apps.command_line.messages import fail, reason_of
from heartsrules.apps.command_line.options import argument, chosen_seed, flag
from heartsrules.apps.command_line.rule_sets import find_preset
from heartsrules.base.errors import counted


def write_suite(
    presets: Annotated[
        list[str] | None, argument("PRESET", "Names from `heartsrules presets`.  [default: all, and more]")
    ] = None,
    *,
    out: Annotated[Path, flag("--out -o DIR", "The output folder, created if needed.")],
    random: Annotated[
        int | None, flag("--random N", "The number of random rule sets.  [default: 20, none with PRESET]", min=0)
    ] = None,
    options: Annotated[
        bool | None,
        flag(
            "--options/--no-options",
            "Rule sets with every option missing in the presets.  [default: yes, no with PRESET]",
        ),
    ] = None,
    seed: Annotated[str, flag("--seed TEXT", "Equal seeds give equal files.")] = "1",
) -> None:
    """Write a conformance suite for other implementations.

    It contains positions with their expected results as JSON Lines, in a file for each preset, with every number of
    players. JSON Schema files describe all of its contents.
    """
    from heartsrules.testing import conformance

    names = [find_preset(name).name for name in presets or ()]
    try:
        written = conformance.write(out, **conformance.chosen(names, random, options), seed=chosen_seed(seed))
    except OSError as error:
        fail(reason_of(error), 1)
    for path, end in written.items():
        typer.echo(f"{path}: {counted(end.rules, 'rule set')}, {counted(end.cases, 'case')}")
