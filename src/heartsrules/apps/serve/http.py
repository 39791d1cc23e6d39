"""Requests over HTTP: an ASGI application of a few lines, which any ASGI server runs (extra `web`: uvicorn).

It is for the app's own backend. It answers requests that name this machine as the host and come from no web page; it
sends no header that would let a page read the answers.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import cache
from importlib import resources
from typing import Any, Final, TypeAlias

import attrs

from heartsrules.apps.request_limits import Bucket
from heartsrules.apps.serve.answering import Answer, Service, refusal
from heartsrules.base.errors import Problem

__all__ = ["HOSTS", "HttpApp", "HttpLimits"]

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

HOSTS: Final = frozenset(("127.0.0.1", "localhost", "[::1]"))
"""The names by which a request may call this machine. A page whose name leads here all the same calls it by its own."""

_PREFIX: Final = "/v1/"
_DESCRIPTION: Final = "/openapi.json"


@attrs.frozen
class HttpLimits:
    """How much may be asked for at once, beside the limits of each request."""

    rate: float = 0
    """The most requests a second, as many more at once as come in a second; 0: no limit."""
    waiting: int = 256
    """The most requests that may be on their way in at the same time."""
    body_seconds: float = 10
    """The most seconds that the body of a request may take to come in."""


@cache
def description() -> bytes:
    """The OpenAPI description."""
    return resources.files("heartsrules.apps.serve").joinpath("openapi.json").read_bytes()


class HttpApp:
    """The ASGI application.

    Args:
        service: what answers.
        limits: how much may be asked for at once.
        clock: the time in seconds, for the rate.
    """

    def __init__(
        self, service: Service, limits: HttpLimits | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._service = service
        self._limits = HttpLimits() if limits is None else limits
        self._clock = clock
        rate = self._limits.rate
        self._bucket = Bucket(rate, max(rate, 1)) if rate else None
        self._waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, as ASGI has it."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            answer = await self._answered(scope, receive)
        except _Refusal as refused:
            await _respond(send, Answer(refused.status, refusal(refused.problem)), refused.headers)
        except _Gone:
            return
        else:
            await _respond(send, answer)

    async def _answered(self, scope: Scope, receive: Receive) -> Answer:
        headers = dict(scope["headers"])
        _check_sender(headers)
        path, method = scope["path"], scope["method"]
        if path == _DESCRIPTION:
            _check_method(method, "GET")
            return Answer(200, description())
        if not path.startswith(_PREFIX):
            raise _Refusal(404, Problem.of("no-such-path", ("",), operations=_PREFIX, description=_DESCRIPTION))
        _check_method(method, "POST")
        if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
            raise _Refusal(415, Problem.of("wrong-media-type", ("",)))
        if self._bucket is not None and not self._bucket.take(self._clock()):
            raise _Refusal(429, Problem.of("too-many-requests", ("",)), [(b"retry-after", b"1")])
        if self._waiting >= self._limits.waiting:
            raise _Refusal(503, Problem.of("busy", ("",)), [(b"retry-after", b"1")])
        self._waiting += 1
        try:
            body = await self._body(headers, receive)
        finally:
            self._waiting -= 1
        return self._service.too_long() if body is None else self._service.answer(body, path.removeprefix(_PREFIX))

    async def _body(self, headers: dict[bytes, bytes], receive: Receive) -> bytes | None:
        """The body; None: it is too long."""
        most = self._service.limits.max_bytes
        told = headers.get(b"content-length", b"0")
        if told.isdigit() and len(told) < 20 and int(told) > most:
            return None
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _Gone
                    body += message.get("body", b"")
                    if len(body) > most:
                        return None
                    more = message.get("more_body", False)
        except TimeoutError:
            raise _Refusal(408, Problem.of("out-of-time", ("",), "body")) from None
        return bytes(body)


class _Refusal(Exception):
    def __init__(self, status: int, problem: Problem, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        super().__init__(problem)
        self.status: Final = status
        self.problem: Final = problem
        self.headers: Final = list(headers)


class _Gone(Exception):
    """Who asked has gone."""


def _check_sender(headers: dict[bytes, bytes]) -> None:
    host = headers.get(b"host", b"").decode("latin-1")
    name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
    if name.lower() not in HOSTS:
        raise _Refusal(403, Problem.of("wrong-host", ("",)))
    if b"origin" in headers:
        raise _Refusal(403, Problem.of("wrong-origin", ("",)))


def _check_method(method: str, right: str) -> None:
    if method != right:
        raise _Refusal(405, Problem.of("wrong-method", ("",), method=right), [(b"allow", right.encode())])


async def _respond(send: Send, answer: Answer, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    told = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(answer.body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": int(answer.status), "headers": told})
    await send({"type": "http.response.body", "body": answer.body})


async def _live(receive: Receive, send: Send) -> None:
    """There is nothing to start and nothing to stop."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
