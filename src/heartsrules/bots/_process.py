"""A program that is asked in lines and answers in lines, with a limit of time, and whose end is certain.

Threads write, read and listen, so that nothing that the program does or leaves undone can hold up who asks.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from typing import IO, Any, Final

from heartsrules.base.errors import printable, truncated
from heartsrules.formats.wire.lines import split_lines

__all__ = ["Ended", "Process", "Silent", "TooLong", "Unasked"]

_CHUNK: Final = 2**16
_PATIENCE: Final = 1.0
"""How many seconds a program has to end when its input has ended, before it is killed."""
_LAST_WORDS: Final = 5
"""How many lines of what a program wrote to standard error are kept."""
_LONGEST_WORDS: Final = 200
"""The most characters of such a line."""
_MOST_UNASKED: Final = 100
"""After so many lines that nobody asked for, nothing more is read."""
_LONGEST_LINE: Final = 4096
"""The most bytes of it that are read."""
_OWN_GROUP: Final[dict[str, Any]] = {} if sys.platform == "win32" else {"start_new_session": True}
"""The program and those that it starts are a group of their own: Ctrl-C does not reach them, and they end together."""


class Silent(Exception):
    """There was no answer in time."""


class Ended(Exception):
    """The program has ended, or has closed its output."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code: Final = code
        """Its exit code; None: it has closed its output, and had to be killed."""


class TooLong(Exception):
    """The answer has too many bytes."""


class Unasked(Exception):
    """The program has written a line that nobody asked for."""


class Process:
    """A running program.

    Args:
        command: the program and its arguments.
        most: the most bytes of an answer.

    Raises:
        OSError: it cannot be started.
        ValueError: the command has a character that no command can have.
    """

    def __init__(self, command: Sequence[str], most: int) -> None:
        self._process: Final = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            **_OWN_GROUP,
        )
        self._owner: Final = os.getpid()
        self._requests: Final[queue.SimpleQueue[bytes | None]] = queue.SimpleQueue()
        self._answers: Final[queue.SimpleQueue[bytes | Ended | None]] = queue.SimpleQueue()
        self._words: Final[deque[str]] = deque(maxlen=_LAST_WORDS)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._threads: Final = [
            threading.Thread(target=_write, args=(process.stdin, self._requests), daemon=True),
            threading.Thread(target=_read, args=(process.stdout, most, self._answers), daemon=True),
            threading.Thread(target=_listen, args=(process.stderr, self._words), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, request: bytes, seconds: float | None) -> bytes:
        """The answer to a request, both without the end of the line.

        Args:
            request: the line.
            seconds: how long to wait for the answer; None: for ever.

        Raises:
            Silent: there was no answer in time.
            Ended: the program has ended.
            TooLong: the answer has too many bytes.
            Unasked: there was an answer before there was a request.
        """
        early = not self._answers.empty()
        if not early:
            self._requests.put(request + b"\n")
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise Silent from None
        if answer is None:
            raise TooLong
        if isinstance(answer, Ended):
            with contextlib.suppress(subprocess.TimeoutExpired):
                raise Ended(self._process.wait(_PATIENCE))
            raise Ended(None)
        if early:
            raise Unasked
        return answer

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines that it wrote to standard error, cut: complete when it has ended."""
        return tuple(self._words)

    def end(self) -> None:
        """End the program: its input ends, and if it does not heed that, it is killed. Nothing if it has ended.

        A process that was forked from this one leaves the program to its owner.
        """
        if self._owner == os.getpid():
            self._requests.put(None)
            try:
                self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self._kill()
            self._gather()

    def kill(self) -> None:
        """End the program at once."""
        if self._owner == os.getpid():
            self._kill()
            self._requests.put(None)
            self._gather()

    def _kill(self) -> None:
        # While it has not been waited for, its number does not go to another.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if sys.platform == "win32":  # pragma: no cover - no groups there
                    self._process.kill()
                else:
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _gather(self) -> None:
        # Something that it has started may hold its pipes: then the threads are left behind, and end with the pipes.
        for thread in self._threads:
            thread.join(_PATIENCE)


def _write(sink: IO[bytes], requests: queue.SimpleQueue[bytes | None]) -> None:
    with contextlib.suppress(OSError), sink:
        while (request := requests.get()) is not None:
            left = memoryview(request)
            while left:
                left = left[sink.write(left) :]


def _read(source: IO[bytes], most: int, answers: queue.SimpleQueue[bytes | Ended | None]) -> None:
    with source:
        for line in split_lines(lambda: source.read(_CHUNK), most):
            answers.put(line)
            if answers.qsize() > _MOST_UNASKED:
                break
    answers.put(Ended(None))


def _listen(source: IO[bytes], words: deque[str]) -> None:
    with source:
        for line in split_lines(lambda: source.read(_CHUNK), _LONGEST_LINE):
            text = "(a line that is too long)" if line is None else line.decode(errors="replace").rstrip()
            words.append(truncated(printable(text), _LONGEST_WORDS))
