"""The protocol over standard input and output: one line of JSON for a request, and one for its response.

Responses come in the order of the requests. A line that is too long or is not JSON gets a response too, and does not
affect the next. At the end of the input, or on SIGTERM, every complete line that has been read is answered first.
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

_CHUNK: Final = 2**16


def answer_lines(service: Service, read: Callable[[], bytes], write: Callable[[bytes], object]) -> None:
    """Answer every line, each before the next one is read."""
    for line in split_lines(read, service.limits.max_bytes):
        answer = service.too_long() if line is None else service.answer(line)
        write(answer.body + b"\n")


def serve_lines(limits: Limits, *, operations: Mapping[str, Operation] = OPERATIONS) -> None:
    """Answer the lines of standard input on standard output, to the end of the input or until SIGTERM.

    Raises:
        OSError: a response cannot be written.
    """
    out = sys.stdout.buffer

    def write(line: bytes) -> None:
        out.write(line)
        out.flush()

    with Timer(limits.seconds) as timer, _reading(sys.stdin.buffer) as read:
        answer_lines(Service(limits, operations=operations, timer=timer), read, write)


@contextmanager
def _reading(source: IO[bytes]) -> Iterator[Callable[[], bytes]]:
    """A function that reads the next bytes of a file; after SIGTERM, it returns none."""
    number = source.fileno()
    if sys.platform == "win32":  # pragma: no cover - it cannot wait for a pipe and a signal at once
        yield lambda: os.read(number, _CHUNK)
        return
    # The handler writes to a pipe, so that a signal between a check and `select` is not missed.
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
