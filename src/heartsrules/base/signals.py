"""Deferral of Ctrl-C around code that must not be interrupted."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C until the end of the block, also where the signal reaches a thread that does not block it."""
    heed = signal.getsignal(signal.SIGINT)
    if not callable(heed) or threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def note(*_: object) -> None:
        nonlocal pressed
        pressed = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heed)
        if pressed:
            signal.raise_signal(signal.SIGINT)
