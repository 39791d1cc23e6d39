"""`heartsrules merge`, which adds the parts of a run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.files import input_of, items_of
from heartsrules.apps.command_line.messages import fail, one_line, paths_refused, refuse_address, refuse_same
from heartsrules.apps.command_line.options import argument, flag
from heartsrules.apps.command_line.simulation import print_run
from heartsrules.base.errors import InvalidWire
from heartsrules.simulation.batch_judge import Unreadable
from heartsrules.simulation.figures import Run
from heartsrules.simulation.parts import RunPart, Verdicts, save_part

_MOST_SPANS: Final = 20


def merge_parts(
    *,
    files: Annotated[list[Path], argument("FILE...", "Parts written by `--out` of simulate, match or verify.")],
    out: Annotated[Path | None, flag("--out -o FILE", "Write the sum, which is also a part.")] = None,
    mixed_builds: O.MixedBuildsOption = False,
    max_bytes: O.MaxBytesOption = O.MAX_FILE,
    shown: O.FigureOptions,
) -> None:
    """Add the parts of a run, and print its results.

    The format is the same as for the command that wrote the parts. Parts that overlap, or differ in rules, seed,
    options, version or build, are refused. If parts are missing, it names them and exits with 1.
    """
    refuse_same({"--out": out, "--plot": shown.picture}, {"FILE": files})
    refuse_address("--out", out)
    part = _sum(files, max_bytes, mixed_builds)
    if out is not None:
        with paths_refused("--out", out):
            save_part(out, part)
    settings: Any = part.run.settings
    verdicts = part.tally
    try:
        if part.run.work == "match":
            from heartsrules.apps.command_line.match import print_part

            print_part(part, shown.format_)
        elif part.run.work == "simulate":
            run = Run(settings["preset"], part.tally, part.run.seed, settings["bots"], settings["policy"])
            print_run(run, settings["name"], shown)
        else:
            from heartsrules.apps.command_line.verdicts import summary

            for _, line in verdicts.failures:
                sys.stdout.write(f"{one_line(line)}\n")
            typer.echo(summary(verdicts))
    except KeyError as error:
        fail(f"the parts lack the setting {error}; only parts written by this command line can be added", 1)
    missing = part.missing
    if missing:
        spans = [str(span[0]) if len(span) == 1 else f"{span[0]} to {span[-1]}" for span in missing[:_MOST_SPANS]]
        more = f" and {len(missing) - _MOST_SPANS} more ranges" if len(missing) > _MOST_SPANS else ""
        what = {"simulate": "games", "match": "tables", "verify": "records"}[part.run.work]
        count = sum(map(len, missing))
        typer.echo(f"Missing: {count} of {len(part.run.whole)} {what}: {', '.join(spans)}{more}.", err=True)
    if missing or (isinstance(verdicts, Verdicts) and verdicts.bad):
        raise typer.Exit(1)


def _sum(files: list[Path], limit: int, mixed_builds: bool) -> RunPart[Any]:
    whole: RunPart[Any] | None = None
    for path in files:
        (data,) = items_of(input_of(path, "FILE", limit), lambda stream, _: iter([stream.read()]))
        if isinstance(data, Unreadable):
            fail(f"{path}: {data}", 1)
        try:
            part = RunPart.from_json(data)
            whole = part if whole is None else whole.add(part, mixed_builds=mixed_builds)
        except InvalidWire as error:
            fail(f"{path}: {error}", 1)
    assert whole is not None
    return whole
