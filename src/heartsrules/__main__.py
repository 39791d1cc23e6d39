"""`python -m heartsrules` and the console script `heartsrules`."""

from __future__ import annotations

import atexit
import signal
import sys
import threading
import time
from typing import Any, Final

from heartsrules.apps.streams import replace_closed_streams, run_command
from heartsrules.base.extras import MissingExtra
from heartsrules.base.interrupts import CODE, COMMAND, end_at_once

__all__ = ["main"]

_PATIENCE: Final = 1.0
"""The number of seconds after Ctrl-C before another one ends the process at once."""


class _Interrupts:
    """The handling of Ctrl-C while the command runs.

    The first Ctrl-C raises `KeyboardInterrupt`, so that the command saves its results and ends its workers. Further
    ones are ignored, since they would only disturb that. One that is more than `_PATIENCE` later, or after a command
    that was not interrupted, ends the process and its workers at once.
    """

    def __init__(self) -> None:
        self.pressed = False
        self._since = 0.0
        self._before: Any = None
        self._hook = sys.unraisablehook

    def __enter__(self) -> _Interrupts:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before in (signal.default_int_handler, end_at_once):
            # Otherwise Ctrl-C is ignored, as in a background job of a shell, or something else handles it.
            signal.signal(signal.SIGINT, self._heed)
            sys.unraisablehook = self._unraisable
        return self

    def __exit__(self, *_: object) -> None:
        if signal.getsignal(signal.SIGINT) == self._heed:
            if not COMMAND:
                signal.signal(signal.SIGINT, self._before)
            elif not self.pressed:
                signal.signal(signal.SIGINT, end_at_once)
            sys.unraisablehook = self._hook

    def _heed(self, *_: object) -> None:
        if not self.pressed:
            self.pressed = True
            self._since = time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - self._since > _PATIENCE:
            end_at_once()

    def _unraisable(self, raised: Any) -> None:
        # In a finalizer, nothing can be raised, and the interrupt would be lost.
        if raised.exc_type is KeyboardInterrupt:
            end_at_once()
        self._hook(raised)


def main() -> None:
    """Run the command line.

    The exit code is 2 if the extra `cli` is not installed, 1 if the output cannot be written (both with a message), and
    130 after Ctrl-C.
    """
    if COMMAND:
        atexit.register(_ignore_interrupts)
    interrupts = _Interrupts()
    code: str | int | None
    try:
        replace_closed_streams()
        code = _run(interrupts)
    except KeyboardInterrupt:
        code = CODE
    if interrupts.pressed:
        code = CODE
        _end_threads()
    sys.exit(code)


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C while Python shuts down.

    Python restores its own handlers then, and Ctrl-C would kill the process.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(interrupts: _Interrupts) -> str | int | None:
    try:
        from heartsrules.apps.command_line import app
    except MissingExtra as missing:
        sys.stderr.write(f"heartsrules: {missing}\n")
        return 2
    with interrupts:
        return run_command(lambda: app(prog_name="heartsrules"))


def _end_threads() -> None:
    """Wait a moment for threads of interrupted work, then let the process end."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(_PATIENCE)
            if thread.is_alive():
                end_at_once()


if __name__ == "__main__":
    main()
