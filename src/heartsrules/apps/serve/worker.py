"""A service whose time limit holds for every request, because another process computes the answers.

That process is a copy of this one. For each request it sets a timer of its processor time and leaves the signal to the
operating system, which then ends it, whatever it is doing. This process answers in its place, and makes another copy.
"""

from __future__ import annotations

import gc
import os
import signal
import struct
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, NoReturn, TypeAlias

from heartsrules.apps.serve.answering import Answer, Limits, Service
from heartsrules.apps.serve.declaring import Operation
from heartsrules.apps.serve.operations import OPERATIONS

_Answering: TypeAlias = Callable[[bytes, str | None], Answer]

_HEAD: Final = struct.Struct("qq")
"""Before a request: the length of the operation's name, -1 if the request has it, and the length of the request. Before
an answer: its status and its length."""


class TimedService(Service):
    """A service with a time limit: no request takes more processor time than `limits.seconds`.

    A context manager. Without a limit it answers in this process, as `Service` does.

    Args:
        limits: the limits of a request.
        operations: the operations by name.
    """

    def __init__(self, limits: Limits, *, operations: Mapping[str, Operation] = OPERATIONS) -> None:
        super().__init__(limits, operations=operations)
        self._worker: _Worker | None = None

    def __enter__(self) -> TimedService:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._worker is not None:
            self._worker.end()

    def answer(self, request: bytes, op: str | None = None) -> Answer:
        """Answer a request. No request raises an error."""
        if self.limits.seconds is None:
            return super().answer(request, op)
        if len(request) > self.limits.max_bytes:
            return self.too_long()
        worker, self._worker = self._worker, None
        try:
            worker = worker or _Worker(super().answer, self.limits.seconds)
            answer = worker.answer(request, op)
        except (EOFError, OSError) as error:
            number = 0 if worker is None else worker.end()
            if number == signal.SIGPROF:
                return self.out_of_time(request)
            reason = signal.strsignal(number) if number else repr(error)
            sys.stderr.write(f"heartsrules: the process that computes answers has ended: {reason}\n")
            return self.broken(request)
        except BaseException:
            # Its answer would be taken for the answer to the next request.
            if worker is not None:
                worker.end()
            raise
        self._worker = worker
        return answer


class _Worker:
    """A copy of this process that answers requests.

    Raises:
        OSError: the system allows no more processes or open files.
    """

    def __init__(self, answer: _Answering, seconds: float) -> None:
        with ExitStack() as opened:
            requests, self._sink = _pipe(opened)
            self._source, answers = _pipe(opened)
            self._process: Final = os.fork()
            if not self._process:
                _work(requests.fileno(), answers.fileno(), answer, seconds)
            requests.close()
            answers.close()
            opened.pop_all()

    def answer(self, request: bytes, op: str | None) -> Answer:
        """Hand on a request, and wait for the answer.

        Raises:
            EOFError: the process has ended.
            OSError: likewise.
        """
        name = b"" if op is None else op.encode()
        _write(self._sink, _HEAD.pack(-1 if op is None else len(name), len(request)) + name + request)
        status, length = _HEAD.unpack(_read(self._source, _HEAD.size))
        return Answer(status, _read(self._source, length))

    def end(self) -> int:
        """End the process. Returns the signal that has ended it."""
        with suppress(OSError):  # what could not be handed on
            self._sink.close()
        self._source.close()
        os.kill(self._process, signal.SIGKILL)
        try:
            return os.WTERMSIG(os.waitpid(self._process, 0)[1])
        except ChildProcessError:  # where ended processes are ignored, nobody can tell
            return signal.SIGPROF


def _work(requests: int, answers: int, answer: _Answering, seconds: float) -> NoReturn:
    """Answer requests in a copy of the process, until nobody can ask any more.

    The pipes become its standard input and output. All other files of the process but standard error are closed, so
    that the ends of the process's connections are seen at once.
    """
    try:
        gc.freeze()  # what belongs to the process is not finalized here
        os.dup2(requests, 0)
        os.dup2(answers, 1)
        os.closerange(3, 1 + max([int(path.name) for path in Path("/dev/fd").iterdir()]))
        # A signal to the whole group is for the process, which may still need answers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPROF})
        with os.fdopen(0, "rb") as source, os.fdopen(1, "wb") as sink:
            while True:
                length, size = _HEAD.unpack(_read(source, _HEAD.size))
                op = None if length < 0 else str(_read(source, length), "utf-8")
                request = _read(source, size)
                signal.setitimer(signal.ITIMER_PROF, seconds)
                done = answer(request, op)
                signal.setitimer(signal.ITIMER_PROF, 0)
                _write(sink, _HEAD.pack(done.status, len(done.body)) + done.body)
    finally:
        os._exit(0)


def _pipe(opened: ExitStack) -> tuple[IO[bytes], IO[bytes]]:
    source, sink = os.pipe()
    return opened.enter_context(os.fdopen(source, "rb")), opened.enter_context(os.fdopen(sink, "wb"))


def _write(sink: IO[bytes], data: bytes) -> None:
    sink.write(data)
    sink.flush()


def _read(source: IO[bytes], length: int) -> bytes:
    """Read `length` bytes, or raise `EOFError` if they end before."""
    data = source.read(length)
    if len(data) < length:
        raise EOFError
    return data
