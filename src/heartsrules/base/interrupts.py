"""Ctrl-C while the command line is being imported: it ends the process at once, with code 130 and without a traceback.
A compiled loop calls `pause` so that Ctrl-C is noticed.

A library leaves signals alone, so nothing happens in a process that runs something else. The package imports this
module before anything else, and this module imports next to nothing; `heartsrules.__main__` says what Ctrl-C does once
the command runs.
"""

import os
import signal
import sys

CODE = 130
"""The exit code of a process that Ctrl-C has ended."""


def is_command() -> bool:
    """Whether this process is the command line `heartsrules`, or `python -m heartsrules`."""
    program = sys.argv[0] if getattr(sys, "argv", None) else ""
    if program == "-m":
        # `python -m` imports the package before it knows the path of its `__main__`.
        return "heartsrules" in sys.orig_argv
    name = program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    # A worker process takes over the arguments of its parent, but was started with others.
    return name == "heartsrules" and program in sys.orig_argv


def end_at_once(*_: object) -> None:
    """End the process and its workers, whatever they are doing. What is buffered is lost."""
    try:
        started = sys.modules.get("multiprocessing")
        for worker in started.active_children() if started else ():
            worker.kill()
    finally:
        os._exit(CODE)


def pause() -> None:
    """Let Python handle Ctrl-C and other threads: compiled loops call this, since they run no bytecode themselves."""


COMMAND = is_command()
"""The result of `is_command()` while the package is imported; `python -m` changes `sys.argv` afterwards."""

if COMMAND and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, end_at_once)
