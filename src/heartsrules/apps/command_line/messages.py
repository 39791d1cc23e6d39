"""Error messages, each one line of bounded length, safe to print at a terminal."""

from __future__ import annotations

import contextlib
import typing
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import typer

from heartsrules.base.errors import InvalidWire, printable, truncated
from heartsrules.base.signals import Terminated
from heartsrules.formats.files import check_local, same_file

if typing.TYPE_CHECKING:
    from heartsrules.simulation.parts import Resumable

_LONGEST_PATH: typing.Final = 200


def one_line(text: str) -> str:
    """Escape unprintable characters, and cut the text to the length of a message."""
    return truncated(printable(text))


def fail(message: str, code: int) -> typing.NoReturn:
    """Print an error and exit with this code."""
    typer.echo(one_line(f"Error: {message}"), err=True)
    raise typer.Exit(code)


def wrong_use(option: str, message: str) -> typer.BadParameter:
    """Return the error for wrong usage, for which typer exits with 2."""
    return typer.BadParameter(printable(message), param_hint=option)


def reason_of(error: OSError) -> str:
    """Describe an error of the system, without its number."""
    return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)


def refuse_same(written: Mapping[str, Path | None], read: Mapping[str, Sequence[Path]] | None = None) -> None:
    """Refuse a file to write that is also read or written twice, under any name.

    Args:
        written: the paths of options for output.
        read: the paths of arguments for input; `-` is standard input.
    """
    others = [(name, path) for name, paths in (read or {}).items() for path in paths if str(path) != "-"]
    for option, path in written.items():
        if path is None:
            continue
        for name, other in others:
            if same_file(path, other):
                raise wrong_use(option, f"{str(path)[:_LONGEST_PATH]!r} is also the file of {name}; choose another one")
        others.append((option, path))


def refuse_address(option: str, path: Path | None) -> None:
    if path is not None:
        with values_refused(option):
            check_local(option, path)


@contextlib.contextmanager
def values_refused(option: str) -> Iterator[None]:
    """Turn a `ValueError` into wrong usage of an option."""
    try:
        yield
    except ValueError as error:
        raise wrong_use(option, str(error)) from None


@contextlib.contextmanager
def paths_refused(option: str, path: Path) -> Iterator[None]:
    """Turn an error of the system into wrong usage of an option, whose path cannot be used."""
    try:
        yield
    except (OSError, ValueError) as error:
        # A ValueError means an impossible character in the path, such as NUL.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise wrong_use(option, f"{str(path)[:_LONGEST_PATH]!r}: {reason}") from None


@contextlib.contextmanager
def files_refused(files: Resumable) -> Iterator[None]:
    """Exit with a message if a part's files cannot be used, or belong to another run."""
    try:
        yield
    except InvalidWire as error:
        fail(f"{files.path or files.keep}: {error}", 1)
    except OSError as error:
        fail(reason_of(error), 1)


def report_end(stopped: BaseException, after: str = "") -> int:
    """Report an interruption or a failure, and return the exit code."""
    if isinstance(stopped, KeyboardInterrupt):
        terminated = isinstance(stopped, Terminated) or isinstance(stopped.__context__, Terminated)
        word = "Terminated" if terminated else "Interrupted"
        typer.echo(f"{word} {after}" if after else f"{word}.", err=True)
        return 143 if terminated else 130
    from heartsrules.simulation.executors import WorkFailed

    cause = f" ({stopped.__cause__})" if isinstance(stopped, WorkFailed) else ""
    typer.echo(one_line(f"Error: {stopped}{cause}"), err=True)
    if after:
        typer.echo(f"Ended {after}", err=True)
    return 1


def write_file(option: str, path: Path, text: str) -> None:
    """Write the file of an option, or standard output for `-`."""
    with paths_refused(option, path):
        if str(path) == "-":
            typer.echo(text, nl=False)
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
