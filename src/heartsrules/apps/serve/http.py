"""The protocol over HTTP: an ASGI application, for any ASGI server.

It is for the app's own backend: it refuses requests for another host and from web pages, and sends no CORS header.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final, TypeAlias

import attrs

from heartsrules.apps.request_limits import Bucket
from heartsrules.apps.serve.answering import MOST_BYTES, Answer, Service, refusal
from heartsrules.apps.serve.openapi import description
from heartsrules.base.errors import Problem

__all__ = ["HttpApp", "HttpLimits"]

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_HOST: Final = re.compile(rb"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)
"""This machine, by a name that no web page can have. DNS rebinding arrives under the page's own name."""
_JSON: Final = re.compile(rb'application/json([ \t]*;[ \t]*charset=("utf-8"|utf-8))?', re.IGNORECASE)

_PREFIX: Final = "/v1/"
_DESCRIPTION: Final = "/openapi.json"
_CLOSE: Final = (b"connection", b"close")
_RETRY: Final = (b"retry-after", b"1")
_UNENCODED: Final = (b"accept-encoding", b"identity")
_MOST_DIGITS: Final = len(str(MOST_BYTES))


@attrs.frozen
class HttpLimits:
    """The limits of the transport; `Limits` has those of a single request.

    Raises:
        ValueError: `waiting` is below 1.
    """

    rate: float = 0
    """Requests per second, and the size of a burst, which is at least 1; 0: no limit."""
    waiting: int = attrs.field(default=256, validator=attrs.validators.ge(1))
    """How many bodies may be incomplete at the same time. One more evicts the oldest of them."""
    body_seconds: float = 10
    """Timeout of a request body."""
    head_seconds: float = 10
    """Timeout of a request head, kept by `http_server`."""
    answer_seconds: float = 10
    """Timeout of a client that does not read its answer, kept by `http_server`."""


class HttpApp:
    """The ASGI application.

    Args:
        service: answers the requests.
        limits: the limits of the transport; `limits` has them afterwards.
        clock: monotonic time in seconds, for the rate.
    """

    def __init__(
        self, service: Service, limits: HttpLimits | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits: Final = HttpLimits() if limits is None else limits
        self._service = service
        self._clock = clock
        self._bucket = Bucket(self.limits.rate, max(self.limits.rate, 1))
        self._incomplete: OrderedDict[asyncio.Timeout, None] = OrderedDict()
        """The timeouts of the bodies that are coming in, oldest first."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, as ASGI has it."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers: list[tuple[bytes, bytes]] = []
        try:
            answer = await self._answered(scope, receive)
        except _Refusal as refused:
            answer, headers = Answer(refused.status, refusal(refused.problem)), refused.headers
        except _Gone:
            return
        await _respond(send, answer, headers, scope["method"] != "HEAD")

    async def _answered(self, scope: Scope, receive: Receive) -> Answer:
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        _check_sender(headers)
        path, method = scope["path"], scope["method"]
        if path == _DESCRIPTION:
            _check_method(method, "GET", "HEAD")
            return Answer(200, description().encode())
        if not path.startswith(_PREFIX):
            raise _Refusal(404, Problem.of("no-such-path", ("",), operations=_PREFIX, description=_DESCRIPTION))
        _check_method(method, "POST")
        if not _JSON.fullmatch(_only(headers, b"content-type")):
            raise _Refusal(415, Problem.of("wrong-media-type", ("",)))
        if any([name == b"content-encoding" and value.lower() != b"identity" for name, value in headers]):
            raise _Refusal(415, Problem.of("wrong-media-type", ("",), "encoding"), [_UNENCODED])
        if not self._bucket.take(self._clock()):
            raise _Refusal(429, Problem.of("too-many-requests", ("",)), [_RETRY])
        length = _only(headers, b"content-length").lstrip(b"0")
        if length.isdigit() and (len(length) > _MOST_DIGITS or int(length) > self._service.limits.max_bytes):
            return self._service.too_long()
        body = await self._body(receive)
        return self._service.too_long() if body is None else self._service.answer(body, path.removeprefix(_PREFIX))

    async def _body(self, receive: Receive) -> bytes | None:
        """Read the body of a request; None if it is too long.

        A body that is there already never waits, so it is never evicted: half bodies leave room for whole requests.
        """
        body = bytearray()
        timeout = asyncio.timeout(self.limits.body_seconds)
        try:
            async with timeout:
                if len(self._incomplete) >= self.limits.waiting:
                    oldest, _ = self._incomplete.popitem(last=False)
                    if not oldest.expired():
                        oldest.reschedule(0)
                self._incomplete[timeout] = None
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _Gone
                    body += message.get("body", b"")
                    if len(body) > self._service.limits.max_bytes:
                        return None
                    more = message.get("more_body", False)
        except TimeoutError:
            if timeout in self._incomplete:
                raise _Refusal(408, Problem.of("out-of-time", ("",), "body"), [_CLOSE]) from None
            raise _Refusal(503, Problem.of("busy", ("",)), [_CLOSE, _RETRY]) from None
        finally:
            self._incomplete.pop(timeout, None)
        return bytes(body)


class _Refusal(Exception):
    def __init__(self, status: int, problem: Problem, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        super().__init__(problem)
        self.status: Final = status
        self.problem: Final = problem
        self.headers: Final = list(headers)


class _Gone(Exception):
    """The client has disconnected."""


def _only(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes:
    """The value of a header; empty if it is missing or given more than once."""
    values = [value for given, value in headers if given == name]
    return values[0] if len(values) == 1 else b""


def _check_sender(headers: Iterable[tuple[bytes, bytes]]) -> None:
    if not _HOST.fullmatch(_only(headers, b"host")):
        raise _Refusal(403, Problem.of("wrong-host", ("",)))
    if any([name == b"origin" for name, _ in headers]):
        raise _Refusal(403, Problem.of("wrong-origin", ("",)))


def _check_method(method: str, *allowed: str) -> None:
    if method not in allowed:
        raise _Refusal(
            405, Problem.of("wrong-method", ("",), method=allowed[0]), [(b"allow", ", ".join(allowed).encode())]
        )


async def _respond(send: Send, answer: Answer, headers: Iterable[tuple[bytes, bytes]], with_body: bool) -> None:
    sent = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(answer.body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": int(answer.status), "headers": sent})
    await send({"type": "http.response.body", "body": answer.body if with_body else b""})


async def _live(receive: Receive, send: Send) -> None:
    """Acknowledge start and shutdown; neither takes any work."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
