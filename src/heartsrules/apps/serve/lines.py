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
    with _Streams() as streams:
        answer_lines(service, streams.read, streams.write)


class _Streams:
    """Standard input and output, with limits after SIGTERM.

    Nothing more is read then, and writing must not take longer than `_PATIENCE`.
    """

    def __init__(self) -> None:
        self._out: Final = sys.stdout.buffer
        self._source: Final = sys.stdin.buffer.fileno()
        self._stopping = False
        self._writing = False
        self._before: Any = None
        # The handler writes to a pipe, so that no signal between a check and `select` is lost.
        self._ending, self._end = os.pipe()

    def __enter__(self) -> _Streams:
        if sys.platform != "win32":  # which cannot wait for a pipe and a signal at once
            self._before = signal.signal(signal.SIGTERM, self._stop)
        return self

    def __exit__(self, *_: object) -> None:
        if sys.platform != "win32":
            signal.signal(signal.SIGTERM, self._before)
        os.close(self._ending)
        os.close(self._end)

    def read(self) -> bytes:
        if sys.platform != "win32":
            ready, _, _ = select.select([self._source, self._ending], [], [])
            if self._ending in ready:
                return b""
        return os.read(self._source, _CHUNK)

    def write(self, line: bytes) -> None:
        self._writing = True
        if self._stopping:
            signal.alarm(_PATIENCE)
        self._out.write(line)
        self._out.flush()
        self._writing = False
        if self._stopping:
            signal.alarm(0)

    def _stop(self, *_: object) -> None:
        os.write(self._end, b".")
        self._stopping = True
        if self._writing:
            signal.alarm(_PATIENCE)
