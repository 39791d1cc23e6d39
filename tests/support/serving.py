"""Asking `heartsrules serve`: its HTTP application without a network, and both transports as processes."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx2

from heartsrules.apps.serve.http import HttpApp
from heartsrules.formats.wire.lines import split_lines
from support.commands import SOURCE, heed_interrupts

__all__ = ["OURS", "ask_app", "ask_lines", "endless", "lines_in", "reply_of", "running_http", "running_lines"]

OURS: Final = (("content-type", "application/json"),)
"""The headers of a request that is answered, besides those that every client sends."""


async def reply_of(
    app: HttpApp,
    body: bytes | AsyncIterator[bytes] = b"{}",
    path: str = "/v1/presets",
    *,
    method: str = "POST",
    headers: Sequence[tuple[str, str]] = OURS,
) -> httpx2.Response:
    """Ask an application without a network."""
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8001") as client:
        return await client.request(method, path, content=body, headers=headers)


def ask_app(app: HttpApp, body: bytes | AsyncIterator[bytes] = b"{}", *path: str, **request: Any) -> httpx2.Response:
    """Ask an application without a network, from a test that is not asynchronous."""
    return asyncio.run(reply_of(app, body, *path, **request))


async def endless(start: bytes = b"{") -> AsyncIterator[bytes]:
    """Yield the body of a request that never ends."""
    yield start
    await asyncio.Event().wait()


def ask_lines(process: subprocess.Popen[bytes], lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """What a process answers to lines, all of which are written before the first answer is read."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"".join([line + b"\n" for line in lines]))
    process.stdin.flush()
    return [json.loads(process.stdout.readline()) for _ in lines]


@contextmanager
def _running(
    command: Sequence[str], stdin: int | None = None, pass_fds: tuple[int, ...] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    source = os.pathsep.join([SOURCE, str(Path(__file__).parents[1])])
    process = subprocess.Popen(
        [sys.executable, *command],
        stdin=stdin,
        pass_fds=pass_fds,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": source},
        preexec_fn=heed_interrupts,
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


def lines_in(data: bytes, cuts: Sequence[int], most: int) -> list[bytes | None]:
    """The lines of bytes that come in pieces, cut at these places."""
    places = [0, *sorted({cut for cut in cuts if 0 < cut < len(data)}), len(data)]
    pieces = [data[start:end] for start, end in itertools.pairwise(places) if start < end]
    left = iter([*pieces, b""])
    return list(split_lines(lambda: next(left), most))
