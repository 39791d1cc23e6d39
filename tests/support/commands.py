"""Commands of `heartsrules`: run in this process, or as processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from typer.testing import CliRunner

import heartsrules
from heartsrules.apps.command_line import app

__all__ = ["SOURCE", "heed_interrupts", "in_one_line", "missing", "python", "run"]

SOURCE: Final = str(Path(heartsrules.__file__).parents[1])
"""The folder that the package is imported from."""


def run(*arguments: object, given: str | bytes = b"", **environment: str) -> tuple[int, str, str]:
    """Run a command in this process, and return its exit code, stdout and stderr."""
    words = [str(each) for each in arguments]
    result = CliRunner().invoke(app, words, prog_name="heartsrules", input=given, env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def in_one_line(text: str) -> str:
    """Return a message without the line breaks and the frame that a terminal gives it."""
    return " ".join(text.replace("│", " ").split())


def python(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package in a process of its own."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": SOURCE, **environment},
        check=False,
    )


def missing(module: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own that has not installed a module."""
    hide = f"import sys; sys.modules[{module!r}] = None; from heartsrules.__main__ import main; main()"
    return python("-c", hide, *arguments)


def heed_interrupts() -> None:
    """Have a child end by Ctrl-C: a shell starts its jobs in the background with SIGINT ignored, which they hand on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
