"""Asking `heartsrules serve`: its HTTP application without a network, and both transports as processes."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

import heartsrules
from heartsrules.apps.serve import Service
from heartsrules.apps.serve.http import HttpApp, HttpLimits
from heartsrules.apps.serve.http_server import http_server
from heartsrules.formats.wire.lines import split_lines

__all__ = [
    "OURS",
    "Reply",
    "ask_app",
    "ask_lines",
    "connected",
    "http_in_thread",
    "reply_of",
    "running_http",
    "running_lines",
]

OURS: Sequence[tuple[bytes, bytes]] = ((b"host", b"127.0.0.1:8001"), (b"content-type", b"application/json"))
"""The headers of a request that is answered."""


@attrs.frozen
class Reply:
    """What an application answers."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def answer(self) -> dict[str, Any]:
        """The answer of the protocol."""
        answer: dict[str, Any] = json.loads(self.body)
        return answer


async def reply_of(
    app: HttpApp,
    chunks: Sequence[bytes],
    *,
    path: str = "/v1/presets",
    method: str = "POST",
    headers: Sequence[tuple[bytes, bytes]] = OURS,
    ends: bool = True,
    gone: bool = False,
) -> Reply | None:
    """The reply of an application to a request whose body comes in pieces; None: there was nobody to reply to.

    A body that does not end never does: the application waits for more.
    """
    waiting: list[dict[str, Any]] = [
        {"type": "http.request", "body": chunk, "more_body": not ends or place < len(chunks) - 1}
        for place, chunk in enumerate(chunks)
    ]
    if gone:
        waiting.append({"type": "http.disconnect"})
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await app({"type": "http", "method": method, "path": path, "headers": list(headers)}, receive, send)
    if not sent:
        return None
    start, body = sent
    named = {name.decode(): value.decode() for name, value in start["headers"]}
    return Reply(start["status"], named, body["body"])


def ask_app(app: HttpApp, body: bytes, path: str = "/v1/presets", **request: Any) -> Reply:
    """The reply of an application."""
    reply = asyncio.run(reply_of(app, [body], path=path, **request))
    assert reply is not None
    return reply


def ask_lines(process: subprocess.Popen[bytes], lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """What a process answers to lines, all of which are written before the first answer is read."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"".join([line + b"\n" for line in lines]))
    process.stdin.flush()
    return [json.loads(process.stdout.readline()) for _ in lines]


def _heed_signals() -> None:
    # A job in the background of a shell is started with SIGINT ignored, and hands that on to its children.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def _running(
    command: Sequence[str], stdin: int | None = None, pass_fds: tuple[int, ...] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    source = os.pathsep.join([str(Path(heartsrules.__file__).parents[1]), str(Path(__file__).parents[1])])
    process = subprocess.Popen(
        [sys.executable, *command],
        stdin=stdin,
        pass_fds=pass_fds,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": source},
        preexec_fn=_heed_signals,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def running_lines(*options: str, module: str = "heartsrules.apps.serve") -> Iterator[subprocess.Popen[bytes]]:
    """A process that answers lines; `heartsrules` as the module needs the options `serve --stdio`."""
    with _running(["-m", module, *options], stdin=subprocess.PIPE) as process:
        yield process


@contextmanager
def running_http(*options: str, module: str = "heartsrules") -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A process that answers over HTTP, and its address."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        number = listener.fileno()
        host, port = listener.getsockname()
        command = ["-m", module, "serve", "--fd", str(number), *options]
        with _running(command, pass_fds=(number,)) as process:
            assert process.stdout is not None
            said = process.stdout.readline().decode()
            assert f"http://{host}:{port}/v1/" in said, said
            yield process, f"http://{host}:{port}"


@contextmanager
def http_in_thread(limits: HttpLimits) -> Iterator[int]:
    """A server in a thread of this process, for limits that no option sets; its port."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        server = http_server(HttpApp(Service(), limits))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def connected(port: int) -> socket.socket:
    """A connection to a port of this machine; what hangs on it fails after a minute."""
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def lines_in(data: bytes, cuts: Sequence[int], most: int) -> list[bytes | None]:
    """The lines of bytes that come in pieces, cut at these places."""
    places = [0, *sorted({cut for cut in cuts if 0 < cut < len(data)}), len(data)]
    pieces = [data[start:end] for start, end in itertools.pairwise(places) if start < end]
    left = iter([*pieces, b""])
    return list(split_lines(lambda: next(left), most))
