"""Requests as lines of JSON over standard input, and their answers as lines over standard output.

Each line is a request and gets one line in answer, in the same order. A line that is too long or makes no sense gets an
answer too, and the next one is read as if nothing had been. At the end of the input, or on SIGTERM, every whole line
that has been read is answered before the end.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, Final

from heartsrules.apps.serve.answering import Limits, Service
from heartsrules.apps.serve.declaring import Operation
from heartsrules.apps.serve.operations import OPERATIONS
from heartsrules.apps.serve.timing import Timer
from heartsrules.formats.wire.lines import split_lines

__all__ = ["answer_lines", "serve_lines"]

_CHUNK: Final = 2**16


def answer_lines(service: Service, read: Callable[[], bytes], write: Callable[[bytes], object]) -> None:
    """Answer every line that is read, each before the next one."""
    for line in split_lines(read, service.limits.max_bytes):
        answer = service.too_long() if line is None else service.answer(line)
        write(answer.body + b"\n")


def serve_lines(
    limits: Limits,
    source: IO[bytes] | None = None,
    sink: IO[bytes] | None = None,
    *,
    operations: Mapping[str, Operation] = OPERATIONS,
) -> None:
    """Answer the lines of standard input on standard output, to the end of the input or until SIGTERM.

    Args:
        limits: how much one request may ask for.
        source: what is read in place of standard input: a file that the system knows.
        sink: what is written to in place of standard output.
        operations: what can be asked for, by name.

    Raises:
        OSError: the answers cannot be written.
    """
    out = sys.stdout.buffer if sink is None else sink

    def write(line: bytes) -> None:
        out.write(line)
        out.flush()

    with Timer(limits.seconds) as timer, _reading(sys.stdin.buffer if source is None else source) as read:
        answer_lines(Service(limits, operations=operations, timer=timer), read, write)


@contextmanager
def _reading(source: IO[bytes]) -> Iterator[Callable[[], bytes]]:
    """What reads the next bytes of a file; after SIGTERM, none."""
    number = source.fileno()
    if sys.platform == "win32":  # pragma: no cover - there is no waiting for a pipe and for a signal at once
        yield lambda: os.read(number, _CHUNK)
        return
    # A signal is a byte in a pipe, so that it is never too early or too late for whoever waits.
    ending, end = os.pipe()

    def stop(*_: Any) -> None:
        os.write(end, b".")

    def read() -> bytes:
        ready, _, _ = select.select([number, ending], [], [])
        return b"" if ending in ready else os.read(number, _CHUNK)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield read
    finally:
        signal.signal(signal.SIGTERM, before)
        os.close(ending)
        os.close(end)
