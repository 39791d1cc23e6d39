"""The protocol over standard input and output, as lines of JSON.

Responses are in the order of the requests. A line that is too long or not JSON also gets a response. At the end of the
input, or on SIGTERM, every complete line that has been read is answered first. But if a response cannot be written
within five seconds after SIGTERM, SIGALRM ends the process.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable
from typing import Any, Final

from heartsrules.apps.serve.answering import Service
from heartsrules.formats.wire.lines import split_lines

_CHUNK: Final = 2**16
_PATIENCE: Final = 5


def answer_lines(service: Service, read: Callable[[], bytes], write: Callable[[bytes], object]) -> None:
    """Answer every line before reading the next one."""
    for line in split_lines(read, service.max_bytes):
        answer = service.too_long() if line is None else service.answer(line)
        write(answer.body + b"\n")


def serve_lines(service: Service) -> None:
    """Answer the lines of standard input on standard output until its end or SIGTERM.

    Raises:
        OSError: a response cannot be written.
    """
    out, source = sys.stdout.buffer, sys.stdin.buffer.fileno()
    stopping = writing = False
    # The handler writes to a pipe, so that no signal between a check and `select` is lost.
    ending, end = os.pipe()

    def stop(*_: object) -> None:
        nonlocal stopping
        os.write(end, b".")
        stopping = True
        if writing:
            signal.alarm(_PATIENCE)

    def read() -> bytes:
        if sys.platform != "win32":
            ready, _, _ = select.select([source, ending], [], [])
            if ending in ready:
                return b""
        return os.read(source, _CHUNK)

    def write(line: bytes) -> None:
        nonlocal writing
        writing = True
        if stopping:
            signal.alarm(_PATIENCE)
        out.write(line)
        out.flush()
        writing = False
        if stopping:
            signal.alarm(0)

    before: Any = None
    if sys.platform != "win32":  # which cannot wait for a pipe and a signal at once
        before = signal.signal(signal.SIGTERM, stop)
    try:
        answer_lines(service, read, write)
    finally:
        if sys.platform != "win32":
            signal.signal(signal.SIGTERM, before)
        os.close(ending)
        os.close(end)
