"""Talk to a child process in lines, with timeouts and certain termination."""

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

_CHUNK: Final = 2**16
_GRACE: Final = 1.0
"""Seconds before a program without input is killed, or a thread abandoned."""
_LAST_WORDS: Final = 5
"""The number of lines of standard error to keep."""
_LONGEST_WORDS: Final = 200
"""The most characters of such a line."""
_MOST_UNSOLICITED: Final = 100
"""The number of unsolicited lines after which reading stops."""
_LONGEST_LINE: Final = 4096
"""The most bytes read of a line of standard error."""
_OWN_GROUP: Final[dict[str, Any]] = {} if sys.platform == "win32" else {"start_new_session": True}
"""Options for a process group of the program and its children.

Ctrl-C does not reach the group, and it is killed as a whole.
"""


class TimedOut(Exception):
    """No answer within the timeout."""


class Ended(Exception):
    """The program ended, or closed its output."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code: Final = code
        """The exit code, or None if the program still runs with its output closed."""


class AnswerTooLong(Exception):
    """The answer has too many bytes."""


class Unsolicited(Exception):
    """The program wrote a line before a request."""


class Process:
    """A running program, whose process group ends with it (not on Windows).

    Args:
        command: the program and its arguments.
        most: the most bytes of an answer.

    Raises:
        OSError: the program cannot be started.
        ValueError: the command contains a character that no command can contain.
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
        self._lock: Final = threading.Lock()
        """A lock for the process id, which can be reused after waiting for the process."""
        self._exited: Final = threading.Event()
        self._requests: Final[queue.SimpleQueue[bytes | None]] = queue.SimpleQueue()
        self._answers: Final[queue.SimpleQueue[bytes | _Closed | None]] = queue.SimpleQueue()
        self._words: Final[deque[str]] = deque(maxlen=_LAST_WORDS)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        reader = threading.Thread(target=_read, args=(process.stdout, most, self._answers), daemon=True)
        self._threads: Final = [
            threading.Thread(target=_write, args=(process.stdin, self._requests), daemon=True),
            reader,
            threading.Thread(target=_read_errors, args=(process.stderr, self._words), daemon=True),
            threading.Thread(target=self._wait, args=(reader,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, request: bytes, seconds: float | None) -> bytes:
        """Send a request and return the answer, both lines without their ends.

        Raises:
            TimedOut: no answer within the timeout.
            Ended: the program has ended.
            AnswerTooLong: the answer has too many bytes.
            Unsolicited: there was a line before the request.
        """
        early = not self._answers.empty()
        if not early:
            self._requests.put(request + b"\n")
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise TimedOut from None
        if answer is None:
            raise AnswerTooLong
        if isinstance(answer, _Closed):
            self._exited.wait(_GRACE)
            raise Ended(self._process.returncode)
        if early:
            raise Unsolicited
        return answer

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines of standard error, cut, and complete once the program has ended."""
        return tuple(self._words)

    def end(self) -> None:
        """Close the program's input, and kill the program if it does not end.

        This does nothing in a fork.
        """
        if self._owner == os.getpid():
            self._requests.put(None)
            if not self._exited.wait(_GRACE):
                self._kill()
            self._join()

    def kill(self) -> None:
        """Kill the program at once, unless in a fork."""
        if self._owner == os.getpid():
            self._kill()
            self._requests.put(None)
            self._join()

    def _kill(self) -> None:
        with self._lock:
            if self._process.returncode is None:
                self._kill_group()
        self._exited.wait()

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":  # pragma: no cover - no groups there
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _wait(self, reader: threading.Thread) -> None:
        if hasattr(os, "waitid"):
            # A zombie keeps its process id, so the group still belongs to the program.
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        else:  # pragma: no cover - macOS before Python 3.13, and Windows
            self._process.wait()
        with self._lock:
            if sys.platform != "win32":
                self._kill_group()
            self._process.wait()
        self._exited.set()
        # Read the answers in the pipe first. A child that has left the group might keep the pipe open.
        reader.join(_GRACE)
        self._answers.put(_Closed())

    def _join(self) -> None:
        # If a child that has left the group holds the pipes, the threads are abandoned and end with it.
        for thread in self._threads:
            thread.join(_GRACE)


class _Closed:
    """The marker after the last answer."""


def _write(sink: IO[bytes], requests: queue.SimpleQueue[bytes | None]) -> None:
    with contextlib.suppress(OSError), sink:
        while (request := requests.get()) is not None:
            rest = memoryview(request)
            while rest:
                rest = rest[sink.write(rest) :]


def _read(source: IO[bytes], most: int, answers: queue.SimpleQueue[bytes | _Closed | None]) -> None:
    with source:
        for line in split_lines(lambda: source.read(_CHUNK), most):
            answers.put(line)
            if answers.qsize() > _MOST_UNSOLICITED:
                break
    answers.put(_Closed())


def _read_errors(source: IO[bytes], words: deque[str]) -> None:
    with source:
        for line in split_lines(lambda: source.read(_CHUNK), _LONGEST_LINE):
            text = "(a line that is too long)" if line is None else line.decode(errors="replace").rstrip()
            words.append(truncated(printable(text), _LONGEST_WORDS))
