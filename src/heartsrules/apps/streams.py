"""A command's standard streams when they are closed or cannot be written."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

__all__ = ["replace_closed_streams", "run_command"]


class _Closed(io.TextIOBase):
    """A substitute for a closed standard output.

    Writing fails, so that no command believes it has printed.
    """

    def write(self, _: str, /) -> int:
        raise OSError(errno.EBADF, "standard output is closed")

    @property
    def buffer(self) -> IO[bytes]:
        raise OSError(errno.EBADF, "standard output is closed")


def replace_closed_streams() -> None:
    """Replace closed standard streams, so that no later file gets their numbers."""
    if os.name == "posix":
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(number)
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 (open to the end)
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (open to the end)


def run_command(command: Callable[[], object]) -> str | int | None:
    """Run a command, flush its output and return the exit code.

    The exit code is 1 if the output cannot be written.
    """
    code: str | int | None = 0
    try:
        command()
    except SystemExit as ending:
        code = ending.code
    except OSError as error:
        code = _unwritten(error)
    try:
        sys.stdout.flush()
    except OSError as error:
        # Python must not try again to write the output when the process ends.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = code or _unwritten(error)
    return code


def _unwritten(error: OSError) -> int:
    if error.errno != errno.EPIPE:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"heartsrules: {error}\n")
    return 1
