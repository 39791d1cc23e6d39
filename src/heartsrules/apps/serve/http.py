"""The protocol over HTTP (extra `web`): an ASGI application, for any ASGI server.

It is for the app's own backend: it refuses requests for another host and from web pages, and sends no CORS header.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import Final

import attrs

from heartsrules.base.extras import needs

with needs("web", "HTTP"):
    from starlette.datastructures import Headers
    from starlette.exceptions import HTTPException
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import Response
    from starlette.routing import Route, Router
    from starlette.types import Receive, Scope, Send

from heartsrules.apps.request_limits import BodyTooLong, Bucket, read_body
from heartsrules.apps.serve.answering import Answer, Service, refusal
from heartsrules.apps.serve.openapi import description
from heartsrules.base.errors import Problem

__all__ = ["HttpApp", "HttpLimits"]
__dir__ = __all__.copy

_HOST: Final = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)
"""This machine, by a name that no web page can have. DNS rebinding arrives under the page's own name."""
_JSON: Final = re.compile(r'application/json([ \t]*;[ \t]*charset=("utf-8"|utf-8))?', re.IGNORECASE)

_PREFIX: Final = "/v1/"
_DESCRIPTION: Final = "/openapi.json"
_CLOSE: Final = {"connection": "close"}
_RETRY: Final = {"retry-after": "1"}
_UNENCODED: Final = {"accept-encoding": "identity"}


@attrs.frozen
class HttpLimits:
    """The limits of the transport.

    Raises:
        ValueError: `waiting` is below 1.
    """

    rate: float = 0
    """Requests per second, and the size of a burst, which is at least 1; 0: no limit."""
    waiting: int = attrs.field(default=256, validator=attrs.validators.ge(1))
    """How many bodies may be incomplete at the same time. One more is refused."""
    body_seconds: float = 10
    """Timeout of a request body."""


class HttpApp:
    """The ASGI application: a router, and a refusal for every request that it does not answer.

    `Starlette` would do the same with two middlewares, and take more time.

    Args:
        service: answers the requests.
        limits: the limits of the transport. Defaults to those of `HttpLimits()`.
        clock: monotonic time in seconds, for the rate.
    """

    def __init__(
        self, service: Service, limits: HttpLimits | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        operations = _Operations(service, HttpLimits() if limits is None else limits, clock)
        self._router = Router(
            [
                Route(_PREFIX + "{operation:path}", operations, methods=["POST"]),
                Route(_DESCRIPTION, _describe, methods=["GET"]),
            ],
            redirect_slashes=False,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, as ASGI defines it."""
        scope["app"] = self  # With an application around it, the router raises its refusals.
        try:
            if scope["type"] == "http":
                _check_sender(Headers(scope=scope))
            await self._router(scope, receive, send)
        except ClientDisconnect:
            pass  # nobody waits for the answer
        except HTTPException as error:
            await _refused(error)(scope, receive, send)


class _Operations:
    """The endpoint of all operations, as an application: a function would take more time."""

    def __init__(self, service: Service, limits: HttpLimits, clock: Callable[[], float]) -> None:
        self._service = service
        self._limits = limits
        self._clock = clock
        self._bucket = Bucket(limits.rate, max(limits.rate, 1))
        self._incomplete = 0
        """Number of bodies that are arriving."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        self._check(request.headers)
        try:
            answer = self._service.answer(await self._body(request), request.path_params["operation"])
        except BodyTooLong:
            answer = self._service.too_long()
        await _response(answer)(scope, receive, send)

    def _check(self, headers: Headers) -> None:
        if not _JSON.fullmatch(headers.get("content-type", "")):
            raise _Refusal(415, Problem.of("wrong-media-type", ("",)))
        if "content-encoding" in headers and headers["content-encoding"].lower() != "identity":
            raise _Refusal(415, Problem.of("wrong-media-type", ("",), "encoding"), _UNENCODED)
        if not self._bucket.take(self._clock()):
            raise _Refusal(429, Problem.of("too-many-requests", ("",)), _RETRY)

    async def _body(self, request: Request) -> bytes:
        if self._incomplete >= self._limits.waiting:
            raise _Refusal(503, Problem.of("busy", ("",)), _RETRY)
        self._incomplete += 1
        try:
            return await read_body(request.stream(), self._service.max_bytes, self._limits.body_seconds)
        except TimeoutError:
            raise _Refusal(408, Problem.of("out-of-time", ("",)), _CLOSE) from None
        finally:
            self._incomplete -= 1


async def _describe(_: Request) -> Response:
    return _response(Answer(200, description().encode()))


class _Refusal(HTTPException):
    def __init__(self, status: int, problem: Problem, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, headers=headers)
        self.problem: Final = problem


def _check_sender(headers: Mapping[str, str]) -> None:
    if not _HOST.fullmatch(headers.get("host", "")):
        raise _Refusal(403, Problem.of("wrong-host", ("",)))
    if "origin" in headers:
        raise _Refusal(403, Problem.of("wrong-origin", ("",)))


def _refused(error: HTTPException) -> Response:
    """Make the response to a request that is refused here, or for whose path or method there is no route."""
    if isinstance(error, _Refusal):
        problem = error.problem
    elif error.status_code == 405:
        method = "POST" if "POST" in (error.headers or {}).get("Allow", "") else "GET"
        problem = Problem.of("wrong-method", ("",), method=method)
    else:
        problem = Problem.of("no-such-path", ("",), operations=_PREFIX, description=_DESCRIPTION)
    return _response(Answer(error.status_code, refusal(problem)), error.headers)


def _response(answer: Answer, headers: Mapping[str, str] | None = None) -> Response:
    return Response(answer.body, int(answer.status), headers, "application/json")
