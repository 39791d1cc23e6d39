"""`heartsrules verify`, which checks recorded games."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Final

import typer

from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.files import STDIN, Input, InputOptions
from heartsrules.apps.command_line.messages import files_refused, one_line, refuse_same, report_end, wrong_use
from heartsrules.apps.command_line.options import flag
from heartsrules.apps.command_line.printing import json_line, make_console
from heartsrules.apps.command_line.progress import progress_bar
from heartsrules.apps.command_line.workers import Workers
from heartsrules.base.errors import counted
from heartsrules.simulation.executors import WorkFailed
from heartsrules.simulation.parts import Checkpoint, RunIdentity, Setting, Verdicts

MAX_RECORDS: Final = 10**15
"""The number of records if it is not needed."""


def verify_files(
    *,
    given: InputOptions,
    quiet: Annotated[bool, flag("--quiet -q", "Print only errors and the summary.")] = False,
    workers: O.WorkerOptions,
    part: O.PartOptions,
    format_: Annotated[
        O.Output, flag("--format", "The format of verdicts, a line of text or of JSON for each.")
    ] = "text",
) -> None:
    """Verify every move, score and winner of recorded games.

    Replays every record, and compares its points and winners. Prints a line for each record. Exits with 0 if all are
    valid, with 1 if one is not or cannot be read, and with 2 if all are valid but a file has none.
    """
    from heartsrules.apps.command_line.verdicts import judge_files, records_of, summary

    files_of_part = part.files(seed="")
    refuse_same({"--out": part.out}, {"FILE": given.files or []})
    as_json = format_ == "json"
    sources = given.sources()
    make_console()  # escapes characters missing in the encoding
    if part and STDIN in [source.path for source in sources]:
        raise wrong_use("FILE", "standard input cannot be split into parts; name files")
    code = 0
    empty: list[Input] = []

    def note_empty(source: Input) -> None:
        empty.append(source)
        typer.echo(one_line(f"{source.name}: there is no record in it"), err=True)

    total = sum([1 for source in sources for _ in records_of(source, given.input_)]) if part else MAX_RECORDS
    settings: dict[str, Setting] = {"files": tuple([source.name for source in sources])}
    settings["bytes"] = tuple([source.size or 0 for source in sources])
    identity = RunIdentity(work="verify", rules=None, seed="", whole=range(total), settings=settings)
    with files_refused(files_of_part):
        checkpoint = Checkpoint(files_of_part, identity, Verdicts())
    try:
        with Workers(workers) as working, checkpoint, _bar_of_files(sources) as advance:
            verdicts = judge_files(sources, given.input_, working, note_empty, checkpoint.missing)
            for count, judged in enumerate(verdicts, 1):
                checkpoint.add(range(judged.place, judged.place + 1), judged.verdicts)
                advance(count)
                if not (quiet and judged.word == "valid"):
                    sys.stdout.write(json_line(judged.data()) if as_json else f"{judged.line()}\n")
    except (KeyboardInterrupt, WorkFailed) as stopped:
        code = report_end(stopped)
    tally = checkpoint.part.tally
    typer.echo(summary(tally), err=as_json)
    raise typer.Exit(code or (1 if tally.bad else 2 if empty else 0))


@contextlib.contextmanager
def _bar_of_files(sources: Sequence[Input]) -> Iterator[Callable[[int], None]]:
    sizes = [source.size for source in sources]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    with progress_bar("records", total, counts=False) as update:

        def advance(count: int) -> None:
            done = sum([source.position for source in sources])
            update(completed=done, description=counted(count, "record"))

        yield advance
