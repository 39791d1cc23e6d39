"""The ASGI application: the page, what it asks for over HTTP, and the sockets of the tables."""

from __future__ import annotations

import asyncio
import enum
import functools
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib import resources
from typing import Any, Final
from urllib.parse import urlsplit

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec
    from starlette.applications import Starlette
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.middleware import Middleware
    from starlette.middleware.gzip import GZipMiddleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import HTTPConnection, Request
    from starlette.responses import Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from starlette.websockets import WebSocket

from heartsrules import Cards, Rules, presets
from heartsrules.apps.request_limits import Bucket, Buckets
from heartsrules.apps.table.addresses import network_of, qr_rows, qr_svg
from heartsrules.apps.table.bots import LEVELS, USUAL, levels_with
from heartsrules.apps.table.clock import Clock
from heartsrules.apps.table.connection import GONE, Connection, close
from heartsrules.apps.table.documents import Document, page_routes
from heartsrules.apps.table.games import GAMES, USUAL_PRESET
from heartsrules.apps.table.messages import (
    AWAY,
    Hello,
    Refused,
    problem_data,
    read_joining,
    read_key,
    read_message,
    read_opening,
    refused_message,
    spoken,
    told_game,
    wanted_rules,
)
from heartsrules.apps.table.room import Room
from heartsrules.apps.table.rooms import Rooms
from heartsrules.apps.table.settings import Proposal, Settings
from heartsrules.bots import Named
from heartsrules.messages import describe
from heartsrules.rules import Bonus, Doubler, HeartValues

_log: Final = logging.getLogger("heartsrules.apps.table")
DOWNLOAD: Final = 'attachment; filename="hearts.json"'
MAX_BODY: Final = 32_768
"""Limit of the body of a request, in bytes."""

SECURITY: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""The headers of every response: nothing from elsewhere is loaded, run or framed."""

_STATUS: Final = {
    "no-such-table": 404,
    "too-long": 413,
    "wrong-origin": 403,
    "too-many-requests": 429,
    "too-many-tables": 503,
    "busy": 503,
    "unavailable": 503,
    "cannot-resume": 409,
    "already-started": 409,
    "not-over": 409,
    "table-full": 409,
    "seat-taken": 409,
    "game-over": 409,
}


def make_app(settings: Settings, clock: Clock | None = None) -> Starlette:
    """The application; `clock` is the clock of the machine, if not given."""
    rooms = Rooms(settings, clock)
    api = _Api(settings, rooms)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        await rooms.start()
        try:
            yield
        finally:
            await rooms.stop()

    return Starlette(
        routes=[
            *page_routes(),
            Route("/api/choices", _choices(settings.players, settings.proposal), methods=["GET"]),
            Route("/api/rules", _answering(api.check_rules), methods=["POST"]),
            Route("/api/tables", _answering(api.open_table), methods=["POST"]),
            Route("/api/tables/{table}", _answering(api.invitation)),
            Route("/api/tables/{table}/record", _answering(api.record)),
            Route("/api/tables/{table}/code.svg", _answering(api.invitation_code)),
            Route("/api/tables/{table}/key", _answering(api.own_key), methods=["POST"]),
            Route("/api/tables/{table}/seats", _answering(api.take_seat), methods=["POST"]),
            WebSocketRoute("/api/tables/{table}/socket", api.socket),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(settings.hosts), www_redirect=False),
            Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),
        ],
        lifespan=lifespan,
    )


class _Api:
    """The endpoints of the tables."""

    def __init__(self, settings: Settings, rooms: Rooms) -> None:
        self._settings = settings
        self._rooms = rooms
        rate = settings.request_rate
        self._requests = Buckets(rate, settings.request_burst) if rate else None
        self._looks = Buckets(settings.check_rate, 10 * settings.check_rate)

    def _limit(self, request: Request, buckets: Buckets | None) -> None:
        if buckets is not None and not buckets.take(_host(request), self._rooms.clock.now()):
            raise Refused("too-many-requests", "too many requests from your address: wait a little")

    async def open_table(self, request: Request) -> Response:
        """Open a table, with a seat for the host."""
        _check_origin(request.headers)
        self._limit(request, self._requests)
        wish = read_opening(await _body(request), self._rooms.levels)
        table, seat, token = await self._rooms.open(wish, network_of(_host(request)))
        return _json({"table": table, "seat": seat, "token": token}, 201)

    async def take_seat(self, request: Request) -> Response:
        """Take a seat, or wait for one."""
        _check_origin(request.headers)
        self._limit(request, self._requests)
        name, wanted = read_joining(await _body(request))
        room = await self._room(request)
        seat, token, waits = await room.sit(name, wanted, network_of(_host(request)))
        return _json({"seat": seat, "token": token, "waits": waits}, 201)

    async def check_rules(self, request: Request) -> Response:
        """Check rules, and describe them in sentences. The problems of invalid rules are an answer, not an error."""
        _check_origin(request.headers)
        self._limit(request, self._looks)
        language = _language(request)
        try:
            rules = wanted_rules(await _body(request))
        except Refused as refused:
            if not refused.problems:
                raise
            return _json(_refusal_data(refused, language))
        return _json({"problems": [], "sentences": describe(rules, language), "rules": option_values(rules)})

    async def invitation(self, request: Request) -> Response:
        """What whoever has the link of a table may know before sitting down."""
        self._limit(request, self._looks)
        room = await self._room(request)
        table = room.table
        hosted = table.host is not None and table.seats[table.host].kind == "person"
        return _json(
            {
                "host": table.name(table.host) if hosted and table.host is not None else None,
                "started": table.started,
                "over": table.over,
                "hints": table.hints,
                "game": told_game(table.game, table.rules),
                "people": [attrs.asdict(person) for person in room.people],
                "sentences": describe(table.rules, _language(request)),
                "link": self._link(request),
            }
        )

    async def record(self, request: Request) -> Response:
        """A finished match, with all hands, as a file."""
        self._limit(request, self._looks)
        room = await self._room(request)
        if not room.table.over:
            raise Refused("not-over", "the match is not over: until then the hands are secret")
        names = [room.table.name(seat) for seat in range(room.table.rules.players)]
        document = await self._rooms.record(room.table.id, names)
        return Response(document, media_type="application/json", headers={"Content-Disposition": DOWNLOAD})

    async def invitation_code(self, request: Request) -> Response:
        """The link of a table as a QR code."""
        self._limit(request, self._looks)
        await self._room(request)
        return Response(qr_svg(self._link(request)), media_type="image/svg+xml")

    async def own_key(self, request: Request) -> Response:
        """The key of a seat, for whoever has it, as a link and a QR code.

        The key comes in the body of the request and not in its URL, since URLs are logged.
        """
        _check_origin(request.headers)
        self._limit(request, self._looks)
        token = read_key(await _body(request))
        room = await self._room(request)
        room.table.find_key(token)
        key = f"{self._link(request)}/{token}"
        return _json({"link": key, "code": qr_rows(key)})

    async def socket(self, websocket: WebSocket) -> None:
        """Serve a socket of a table, until it is closed."""
        try:
            _check_origin(websocket.headers)
        except Refused:
            await websocket.close(1008)  # before it is accepted: the handshake is refused
            return
        try:
            await websocket.accept()
        except GONE:
            return
        try:
            async with asyncio.timeout(self._settings.hello_seconds):
                place = await _greeted(websocket, self._rooms)
        except (Refused, sqlite3.Error) as error:
            with suppress(*GONE):
                await websocket.send_text(refused_message(_refusal(error)).decode())
            await close(websocket, 1008)
        except TimeoutError:
            await close(websocket, 1008)
        else:
            if place is not None:
                await _serve(websocket, *place, self._settings)

    async def _room(self, request: Request) -> Room:
        return await self._rooms.find(request.path_params["table"])

    def _link(self, request: Request) -> str:
        """URL of a table, as others in the network reach it, or else as this page was reached."""
        page = self._settings.reached_at[0] if self._settings.reached_at else str(request.base_url)
        return f"{page}#t/{request.path_params['table']}"


class SecurityHeaders:
    """Middleware that adds `SECURITY` to every response; a document that may be cached says so itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


# ----------------------------------------------------------------------------------------------------------- sockets


async def _greeted(websocket: WebSocket, rooms: Rooms) -> tuple[Room, Connection] | None:
    """Read the first message of a socket, and enter the room; None: the page has gone."""
    text = await _received(websocket)
    if text is None:
        return None
    hello = read_message(text)
    if not isinstance(hello, Hello):
        raise Refused("malformed", "the first message must be hello")
    room = await rooms.find(websocket.path_params["table"])
    if hello.token is not None:
        await room.recognize(hello.token, network_of(_host(websocket)))
    connection = Connection(websocket, spoken(hello.language))
    room.enter(connection, hello.token)
    return room, connection


async def _received(websocket: WebSocket) -> str | None:
    """The next message; None: the page has gone."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        return None
    text: str | None = message.get("text")
    if text is None:
        raise Refused("malformed", "a message must be text, not binary")
    return text


async def _serve(websocket: WebSocket, room: Room, connection: Connection, settings: Settings) -> None:
    writer = asyncio.create_task(connection.write())
    try:
        await _listen(websocket, room, connection, settings)
    finally:
        room.leave(connection)
        connection.end()
        await writer


async def _listen(websocket: WebSocket, room: Room, connection: Connection, settings: Settings) -> None:
    """Handle the messages of a page, until it goes or has sent too many refused ones."""
    bucket = Bucket(settings.message_rate, settings.message_burst)
    strikes = 0
    while strikes <= settings.message_burst:
        try:
            text = await _received(websocket)
            if text is None:
                return
            if not bucket.take(asyncio.get_running_loop().time()):
                raise Refused("too-many-messages", "too many messages: wait a little")
            message = read_message(text)
        except Refused as refused:
            strikes += 1
            connection.refuse(refused)
        else:
            strikes = 0
            await room.handle(connection, message)


# -------------------------------------------------------------------------------------------------------------- HTTP


def _check_origin(headers: Headers) -> None:
    """Refuse requests of other servers' pages. (Programs that are not browsers send no origin.)"""
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        raise Refused("wrong-origin", "pages of other servers may not use this one")


async def _body(request: Request) -> bytes:
    if request.headers.get("content-type") != "application/json":
        raise Refused("malformed", "the body must be JSON, with the content type application/json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise Refused("too-long", f"a body has at most {MAX_BODY} bytes")
    return body


def _host(connection: HTTPConnection) -> str:
    """The network address that a request comes from."""
    return connection.client.host if connection.client else ""


def _language(request: Request) -> str:
    """The language of the page that sends a request."""
    return spoken(request.query_params.get("language", "en"))


def _refusal(error: Refused | sqlite3.Error) -> Refused:
    """The refusal of a request that has failed. Errors of the database are logged, and not shown."""
    if isinstance(error, Refused):
        return error
    _log.error("the database cannot be used", exc_info=error)
    return Refused("unavailable", "the server cannot read or keep anything now: try again")


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _answering(endpoint: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint whose refusals are responses, in the language of the request."""

    @functools.wraps(endpoint)
    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except (Refused, sqlite3.Error) as error:
            refused = _refusal(error)
            return _json(_refusal_data(refused, _language(request)), _STATUS.get(refused.code, 400))

    return answer


def _refusal_data(refused: Refused, language: str) -> dict[str, Any]:
    problems = [problem_data(problem, language) for problem in refused.problems]
    return {"code": refused.code, "message": str(refused), "problems": problems}


@functools.cache
def _choices(players: tuple[Named, ...], proposal: Proposal | None) -> Document:
    """All that the form offers: the rule sets, the options by section with their schema, the usual pass cycle for each
    number of players, the named games and the bots."""
    schema = resources.files("heartsrules.formats.wire").joinpath("schema", "rules.json").read_bytes()
    cycle = next(option for option in Rules.OPTIONS if option.name == "pass_cycle")
    sections: dict[str, list[str]] = {}
    for option in Rules.OPTIONS:
        sections.setdefault(option.section, []).append(option.name)
    counts = next(option for option in Rules.OPTIONS if option.name == "players").choices
    document = msgspec.json.encode(
        {
            "schema": msgspec.Raw(schema),
            "presets": _presets(proposal),
            "sections": [{"title": title, "options": names} for title, names in sections.items()],
            "sentences": {option.name: option.sentence for option in Rules.OPTIONS},
            "pass_cycles": {str(count): _option(cycle.default_for(count)) for count in counts},
            "games": [attrs.asdict(game) for game in GAMES],
            "levels": [{"name": name, "ours": name in LEVELS, "usual": name == USUAL} for name in levels_with(players)],
            "away": AWAY,
        }
    )
    return Document(document, "application/json")


def _presets(proposal: Proposal | None) -> list[dict[str, Any]]:
    """Every preset for every number of players, with the values of all options, for the form to start from.

    One is `chosen`: the proposal of the server, or else the usual game.
    """
    proposed: list[dict[str, Any]] = []
    if proposal is not None:
        rules = proposal.rules
        proposed.append(
            {
                "chosen": True,
                "name": proposal.name,
                "source": "this server",
                "summary": "the rules that this server proposes",
                "players": rules.players,
                "rules": {str(rules.players): option_values(rules)},
            }
        )
    return proposed + [
        {
            "chosen": proposal is None and preset.name == USUAL_PRESET,
            "name": preset.name,
            "source": preset.source,
            "summary": preset.summary,
            "players": preset.default_players,
            "rules": {str(players): option_values(preset.rules(players)) for players in preset.players},
        }
        for preset in presets.ALL.values()
    ]


def option_values(rules: Rules) -> dict[str, Any]:
    """The values of all options as in JSON. (A document of kind `rules` leaves out the defaults.)"""
    values = {option.name: _option(getattr(rules, option.name)) for option in Rules.OPTIONS}
    named = [each.value for each in HeartValues if each.values == rules.heart_values]
    return values | ({"heart_values": named[0]} if named else {})


def _option(value: Any) -> Any:
    match value:
        case enum.Enum():
            return value.value
        case Cards():
            return str(value)
        case Bonus(card, points):
            return {"card": str(card), "points": points}
        case Doubler(card, factor, alone):
            return {"card": str(card), "factor": factor, "alone": alone}
        case tuple():
            return [_option(item) for item in value]
        case int() | None:
            return value
    return str(value)  # a card
