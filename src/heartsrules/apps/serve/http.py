"""The protocol over HTTP as an ASGI application (extra `web`).

Only the app's own backend should use it. It refuses requests for another host and from web pages, and sends no CORS
header.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final

import attrs

from heartsrules.base.extras import needs

with needs("web", "HTTP"):
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

from heartsrules._version import __version__
from heartsrules.apps.request_limits import BodyTooLong, Bucket, read_body
from heartsrules.apps.serve.answering import Answer, Service, refusal
from heartsrules.apps.serve.openapi import description
from heartsrules.apps.static_document import StaticDocument
from heartsrules.base.errors import Problem, in_words
from heartsrules.base.values import COMPILED

__all__ = ["HttpApp", "HttpLimits"]
__dir__ = __all__.copy

_OWN_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine that no web page can have, unlike those used for DNS rebinding."""
_NAME: Final = re.compile(r"[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\]", re.IGNORECASE)
_JSON: Final = re.compile(r'application/json([ \t]*;[ \t]*charset=("utf-8"|utf-8))?', re.IGNORECASE)

_PREFIX: Final = "/v1/"
_DESCRIPTION: Final = "/openapi.json"
_HEALTH: Final = "/health"
_RETRY: Final = {"retry-after": "1"}


@attrs.frozen
class HttpLimits:
    """The limits of the transport.

    Attributes:
        rate: requests per second, also the size of a burst (at least 1), or 0 for no limit.
        waiting: the number of incomplete bodies above which requests are refused.
        body_seconds: the timeout of a request body.

    Raises:
        ValueError: `waiting` is below 1.
    """

    rate: float = 0
    waiting: int = attrs.field(default=256, validator=attrs.validators.ge(1))
    body_seconds: float = 10


class _Refusal(Exception):
    def __init__(self, status: int, problem: Problem, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status)
        self.reply: Final = _reply(Answer(status, refusal(problem)), headers)


class HttpApp:
    """The ASGI application.

    Args:
        limits: the limits of the transport. Defaults to `HttpLimits()`.
        hosts: further names of this machine in `Host` headers.
        clock: monotonic time in seconds, for the rate.

    Raises:
        ValueError: one of `hosts` is not the name of a host.
    """

    def __init__(
        self,
        service: Service,
        limits: HttpLimits | None = None,
        *,
        hosts: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._service = service
        self._limits = HttpLimits() if limits is None else limits
        self._clock = clock
        self._bucket = Bucket(self._limits.rate, max(self._limits.rate, 1))
        self._incomplete = 0
        self._names: Final = (*_OWN_NAMES, *hosts)
        for name in self._names:
            if not _NAME.fullmatch(name):
                raise ValueError(f"{in_words(name)} is not the name of a host: give it without a scheme or a port")
        names = "|".join([re.escape(name) for name in self._names])
        self._host: Final = re.compile(f"({names})(:[0-9]{{1,5}})?", re.IGNORECASE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request according to ASGI."""
        if scope["type"] != "http":
            # Servers accept this for `lifespan`: there is nothing to start or stop.
            raise NotImplementedError(f"only requests over HTTP are answered, not {scope['type']}")
        try:
            reply = await self._answer(Request(scope, receive))
        except _Refusal as refused:
            reply = refused.reply
        except ClientDisconnect:
            return
        if scope["method"] == "HEAD":
            reply.body = b""
        await reply(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        scope = request.scope
        if not self._host.fullmatch(request.headers.get("host", "")):
            raise _Refusal(403, Problem.of("wrong-host", ("",), names=self._names))
        if "origin" in request.headers:
            raise _Refusal(403, Problem.of("wrong-origin", ("",)))
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if path.startswith(_PREFIX):
            _check_method(scope, "POST")
            return await self._operation(path.removeprefix(_PREFIX), request)
        if path not in (_DESCRIPTION, _HEALTH):
            raise _Refusal(404, Problem.of("no-such-path", ("",), operations=_PREFIX, description=_DESCRIPTION))
        _check_method(scope, "GET", "HEAD")
        return _health() if path == _HEALTH else _description().answer(request.headers)

    async def _operation(self, name: str, request: Request) -> Response:
        if not _JSON.fullmatch(request.headers.get("content-type", "")):
            raise _Refusal(415, Problem.of("wrong-media-type", ("",)))
        if request.headers.get("content-encoding", "identity").lower() != "identity":
            problem = Problem.of("wrong-media-type", ("",), "encoding")
            raise _Refusal(415, problem, {"accept-encoding": "identity"})
        if not self._bucket.take(self._clock()):
            raise _Refusal(429, Problem.of("too-many-requests", ("",)), _RETRY)
        if self._incomplete >= self._limits.waiting:
            raise _Refusal(503, Problem.of("busy", ("",)), _RETRY)
        self._incomplete += 1
        try:
            body = await read_body(request.stream(), self._service.max_bytes, self._limits.body_seconds)
        except BodyTooLong:
            return _reply(self._service.too_long())
        except TimeoutError:
            raise _Refusal(408, Problem.of("out-of-time", ("",)), {"connection": "close"}) from None
        finally:
            self._incomplete -= 1
        return _reply(self._service.answer(body, name))


def _check_method(scope: Scope, *methods: str) -> None:
    if scope["method"] not in methods:
        raise _Refusal(405, Problem.of("wrong-method", ("",), method=methods[0]), {"allow": ", ".join(methods)})


def _reply(answer: Answer, headers: Mapping[str, str] | None = None) -> Response:
    return Response(answer.body, answer.status, headers, media_type="application/json")


def _health() -> Response:
    body = json.dumps({"ok": True, "version": __version__, "compiled": COMPILED}).encode()
    return _reply(Answer(200, body), {"cache-control": "no-store"})


@cache
def _description() -> StaticDocument:
    return StaticDocument(description().encode(), "application/json")
