"""Keys of a terminal, as soon as they are pressed."""

from __future__ import annotations

import codecs
import os
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, TextIO

import typer

try:
    import termios
    import tty
except ImportError:  # pragma: no cover - not on Unix
    termios = tty = None  # type: ignore[assignment]

END: Final = "\x04"
"""The key that ends the input."""
_SUSPEND: Final = "\x1a"


def forget(terminal: TextIO) -> None:
    """Drop pending keys."""
    if termios is not None and terminal.isatty():
        termios.tcflush(terminal.fileno(), termios.TCIFLUSH)


def more(terminal: TextIO) -> bool:
    """Return True if more keys have arrived, as from a paste or another program."""
    return termios is not None and bool(select.select([terminal], [], [], 0)[0])


@contextmanager
def keys(terminal: TextIO) -> Iterator[Callable[[], str]]:
    """Yield a function that waits for a key, after dropping earlier ones.

    Keys are not echoed. The function returns an empty text when the program resumes after Ctrl-Z.
    """
    if termios is None or tty is None:  # pragma: no cover - not on Unix
        yield _console_key
        return
    forget(terminal)
    number = terminal.fileno()
    usual = termios.tcgetattr(number)
    use = partial(termios.tcsetattr, number, termios.TCSADRAIN)

    def press() -> str:
        key = _key(number)
        if key != _SUSPEND:
            return key
        # A shell can leave the settings of a stopped program unchanged.
        use(usual)
        os.kill(0, signal.SIGTSTP)
        use(single)
        return ""

    try:
        tty.setcbreak(number, termios.TCSADRAIN)
        single = termios.tcgetattr(number)
        single[6][termios.VSUSP] = bytes([os.fpathconf(number, "PC_VDISABLE")])
        use(single)
        yield press
    finally:
        use(usual)


def _console_key() -> str:  # pragma: no cover - not on Unix
    try:
        key = typer.getchar()
    except EOFError:
        return END
    # An arrow is two characters, and the first can be printable.
    return key if len(key) == 1 else "\0"


def _key(number: int) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        byte = os.read(number, 1)
        if not byte:
            return END
        if key := decoder.decode(byte):
            return key
