"""Ctrl-C and SIGTERM, deferred or raised as exceptions."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Final

_AGAIN: Final = 0.05
"""The number of seconds after which SIGTERM is sent again."""


class Terminated(KeyboardInterrupt):
    """The process has received SIGTERM."""


@contextlib.contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C, and SIGTERM if it has a handler, until the end of the block.

    It also works if the signal reaches a thread that does not block it.
    """
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    if not handlers or threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []

    def note(number: int, _: object) -> None:
        received.append(number)

    for number in handlers:
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if received:
            signal.raise_signal(received[0])


@contextlib.contextmanager
def termination_raised() -> Iterator[None]:
    """Raise `Terminated` once within the block on SIGTERM.

    A SIGTERM handler that is already set stays in place. A second SIGTERM is ignored, since it would only interrupt the
    code that ends the work.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    hook, is_raised = sys.unraisablehook, False

    def terminate(*_: object) -> None:
        nonlocal is_raised
        if not is_raised:
            is_raised = True
            raise Terminated

    def raise_again(lost: sys.UnraisableHookArgs) -> None:
        # A finalizer cannot raise: once it has ended, the signal is sent again.
        nonlocal is_raised
        if lost.exc_type is not Terminated:
            hook(lost)
            return
        is_raised = False
        threading.Timer(_AGAIN, signal.raise_signal, (signal.SIGTERM,)).start()

    signal.signal(signal.SIGTERM, terminate)
    sys.unraisablehook = raise_again
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
