"""Ctrl-C while the command line is being imported.

It ends the process at once, with code 130 and without a traceback. Other processes keep their signal handlers. The
package imports this module first, and this module imports almost nothing. See `heartsrules.__main__` for Ctrl-C once
the command runs. Compiled loops call `pause` so that Ctrl-C is noticed.
"""

import os
import signal
import sys

CODE = 130
"""The exit code of a process ended by Ctrl-C."""


def is_command() -> bool:
    """Return True in the command `heartsrules` or `python -m heartsrules`."""
    program = sys.argv[0] if getattr(sys, "argv", None) else ""
    if program == "-m":
        # `python -m` imports the package before it knows the path of its `__main__`.
        return "heartsrules" in sys.orig_argv
    name = program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    # A worker process takes over the arguments of its parent, but was started with others.
    return name == "heartsrules" and program in sys.orig_argv


def end_at_once(*_: object) -> None:
    """End the process and its workers at once. Buffered output is lost."""
    try:
        started = sys.modules.get("multiprocessing")
        for worker in started.active_children() if started else ():
            worker.kill()
    finally:
        os._exit(CODE)


def pause() -> None:
    """Let Python handle Ctrl-C and other threads during a compiled loop.

    Such a loop runs no bytecode, so Python does not do it by itself.
    """


COMMAND = is_command()
"""The result of `is_command()` at import time.

`python -m` changes `sys.argv` afterwards."""

if COMMAND and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, end_at_once)
