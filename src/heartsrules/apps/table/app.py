"""The ASGI application: the page, its HTTP endpoints, and the sockets of the tables."""

from __future__ import annotations

import functools
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    from starlette.applications import Starlette
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.middleware import Middleware
    from starlette.middleware.gzip import GZipMiddleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import ClientDisconnect, HTTPConnection, Request
    from starlette.responses import Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from heartsrules.apps.request_limits import BodyTooLong, Buckets, read_body
from heartsrules.apps.static_document import StaticDocument
from heartsrules.apps.table.addresses import network_of, qr_rows, qr_svg
from heartsrules.apps.table.answering import ENDPOINTS, STATUS, Answer, Asked, Endpoint, serve_socket
from heartsrules.apps.table.clock import Clock
from heartsrules.apps.table.connection import PageGone
from heartsrules.apps.table.documents import page_routes, page_version
from heartsrules.apps.table.failures import Failures
from heartsrules.apps.table.messages import Refused, encoded, read_key, refusal_shown, spoken
from heartsrules.apps.table.offering import choices_document
from heartsrules.apps.table.protocol import KeyLink
from heartsrules.apps.table.rooms import Rooms
from heartsrules.apps.table.settings import Proposal, Settings
from heartsrules.apps.table.store import Store
from heartsrules.apps.table.thinkers import Thinkers
from heartsrules.bots import Named

_log: Final = logging.getLogger("heartsrules.apps.table")
MAX_BODY: Final = 32_768
"""Maximum length of a request body, in bytes."""
BODY_SECONDS: Final = 10
"""Timeout for reading a request body."""

SECURITY: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types hearts"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""The headers of every response: nothing from other sites is loaded, run or framed."""


def make_app(settings: Settings, clock: Clock | None = None) -> Starlette:
    clock = Clock() if clock is None else clock
    store = Store(settings.database, clock.date)
    rooms = Rooms(settings, store, Thinkers(settings.bot_processes, settings.players), clock, page_version())
    api = _Api(settings, rooms)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        await rooms.start()
        try:
            yield
        finally:
            await rooms.stop()

    app = Starlette(
        routes=[
            *page_routes(),
            Route("/api/choices", _choices(settings.players, settings.proposal), methods=["GET"]),
            *[Route(each.path, api.of(each), methods=[each.method]) for each in (*ENDPOINTS, *_OWN)],
            Route("/api/tables/{table}/code.svg", api.invitation_code),
            WebSocketRoute("/api/tables/{table}/socket", api.socket),
        ],
        middleware=[
            Middleware(Envelope, failures=rooms.failures),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(settings.hosts), www_redirect=False),
            Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),
        ],
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


class _Api:
    def __init__(self, settings: Settings, rooms: Rooms) -> None:
        self._settings = settings
        self._rooms = rooms
        rate = settings.request_rate
        self._requests = Buckets(rate, settings.request_burst) if rate else None
        self._looks = Buckets(settings.check_rate, 10 * settings.check_rate)

    def _limit(self, connection: HTTPConnection, buckets: Buckets | None) -> None:
        """Refuse an address that makes too many requests, and requests from pages of other servers."""
        if buckets is not None and not buckets.take(_host(connection), self._rooms.clock.now()):
            raise Refused("too-many-requests", "too many requests from your address: wait a little")
        if not _same_origin(connection.headers):
            raise Refused("wrong-origin", "pages of other servers may not use this one")

    def of(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        buckets = self._requests if endpoint.scarce else self._looks
        headers = {"Content-Disposition": f'attachment; filename="{endpoint.file}"'} if endpoint.file else {}

        async def answer(request: Request) -> Response:
            self._limit(request, buckets)
            body = await _body(request) if request.method == "POST" else b""
            answer = await endpoint.answer(self._asked(request, body))
            return _json(answer if isinstance(answer, bytes) else encoded(answer), endpoint.status, headers)

        return answer

    async def invitation_code(self, request: Request) -> Response:
        self._limit(request, self._looks)
        asked = self._asked(request)
        await asked.room()
        return Response(qr_svg(asked.link), media_type="image/svg+xml")

    def _asked(self, connection: HTTPConnection, body: bytes = b"") -> Asked:
        # The page as others in the network reach it, or else as this one was reached.
        page = self._settings.reached_at[0] if self._settings.reached_at else str(connection.base_url)
        page = page.replace("ws", "http", 1) if page.startswith("ws") else page  # a socket's URL
        table = connection.path_params.get("table", "")
        return Asked(self._rooms, connection.query_params, body, table, network_of(_host(connection)), page)

    async def socket(self, websocket: WebSocket) -> None:
        if not _same_origin(websocket.headers):
            self._limit(websocket, self._looks)
        try:
            await websocket.accept()
        except _GONE:
            return
        await serve_socket(_PageSocket(websocket), self._asked(websocket))


async def _own_key(asked: Asked) -> Answer:
    """Return a link and a QR code for a seat's key.

    The key is in the request's body, because URLs are logged.
    """
    token = read_key(asked.body)
    room = await asked.room()
    room.table.find_key(token)
    link = f"{asked.link}/{token}"
    return KeyLink(link, tuple(qr_rows(link)))


_OWN: Final = (Endpoint("POST", "/api/tables/{table}/key", _own_key),)
"""The endpoints of a server that others can reach."""


class Envelope:
    """Middleware around everything else: it adds `SECURITY` to every response, and answers failed requests.

    A document that can be cached has its own `Cache-Control`.
    """

    def __init__(self, app: ASGIApp, failures: Failures) -> None:
        self._app = app
        self._failures = failures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        answered = False

        async def send_with_headers(message: Message) -> None:
            nonlocal answered
            if message["type"] == "websocket.close" and not answered:
                await deny(Response(status_code=403))
                return
            answered = True
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
            await send(message)

        async def deny(response: Response) -> None:
            nonlocal answered
            if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
                await response(scope, receive, send_with_headers)
            else:
                answered = True
                await send({"type": "websocket.close", "code": 1008, "reason": ""})

        try:
            await self._app(scope, receive, send_with_headers)
        except ClientDisconnect:
            pass  # nobody waits for the answer
        except Exception as error:
            where = f"{scope.get('method', 'a socket')} {scope['path'][:100]!r}"
            refused = self._failures.refusal_of(error, where)
            if not answered:
                language = spoken(HTTPConnection(scope).query_params.get("language", "en"))
                await deny(_json(encoded(refusal_shown(refused, language)), STATUS.get(refused.code, 400)))


# ----------------------------------------------------------------------------------------------------------- sockets


_GONE: Final = (WebSocketDisconnect, RuntimeError, OSError)
"""Exceptions from sending to a page that has gone."""


class _PageSocket:
    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    async def send(self, text: str) -> None:
        try:
            await self._socket.send_text(text)
        except _GONE as error:
            raise PageGone from error

    async def receive(self) -> str | None:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        text: str | None = message.get("text")
        if text is None:
            raise Refused("malformed", "a message must be text, not binary")
        return text

    async def close(self, code: int) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED:
            with suppress(*_GONE):
                await self._socket.close(code)


# -------------------------------------------------------------------------------------------------------------- HTTP


def _same_origin(headers: Headers) -> bool:
    """Return True if a request is from a page of this server, or from a program other than a browser."""
    host = headers.get("host")
    return headers.get("origin") in (None, f"http://{host}", f"https://{host}")


async def _body(request: Request) -> bytes:
    if request.headers.get("content-type") != "application/json":
        raise Refused("malformed", "the body must be JSON, with the content type application/json")
    try:
        return await read_body(request.stream(), MAX_BODY, BODY_SECONDS)
    except BodyTooLong:
        raise Refused("too-long", f"a body has at most {MAX_BODY} bytes") from None
    except TimeoutError:
        raise Refused("too-slow", f"a body must be complete within {BODY_SECONDS} seconds") from None


def _host(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def _json(body: bytes, status: int, headers: Mapping[str, str] | None = None) -> Response:
    return Response(body, status, headers, media_type="application/json")


@functools.cache
def _choices(players: tuple[Named, ...], proposal: Proposal | None) -> StaticDocument:
    return StaticDocument(choices_document(players, proposal), "application/json")
