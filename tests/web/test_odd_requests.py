"""Requests whose head no browser sends, through the real HTTP server: each is answered, none is a mistake of ours."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs
import pytest
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from heartsrules import Rules
from heartsrules.apps.command_line.table import _uvicorn_options
from heartsrules.apps.table.app import SECURITY, make_app
from heartsrules.apps.web_server import web_server
from support.rounds import SEED, rounds
from support.web_player import rules_document, settings

HEADERS: Final = (
    *("Host", "Origin", "Cookie", "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Encoding"),
    *("Content-Length", "Content-Type", "Transfer-Encoding", "Expect", "If-None-Match", "If-Modified-Since", "Range"),
    *("Referer", "User-Agent", "Connection", "Upgrade", "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto"),
    *("X-Forwarded-Host", "X-Forwarded-Port", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol"),
    "Sec-WebSocket-Extensions",
)
"""The headers that somebody reads: this package, Starlette, uvicorn, or what they are built upon."""
ODD: Final = (
    *(b"", b" ", b"\xd9\xa3", b"\xff\xfe", b"\x00", b"\x01", b"9" * 400, b"9" * 5000, b"a" * 9000),
    *b"-1 1_0 0x10 1e3 null http://[ http://[::1 http://] http://a]b //[ ftp://testserver".split(),
    *b"http://testserver@evil http://testserver:x http://testserver:99999999 [ [::1 testserver: testserver:x".split(),
    *(b"testserver:" + b"1" * 3000, b"testserver@evil", b"testserver/..", b"testserver, testserver", b";", b"=;=,"),
    *(b"gzip;q=", b"de-\xc3\xa4", b"chunked, chunked", b"bytes=9-1", b"W/", b"127.0.0.1:x, [", b"https,http"),
    *(b"application/json; charset=\xff", b"websocket", b"upgrade, keep-alive", b"100-continue", b"%", b"%zz%ff%00"),
)
"""Values of a header, or of a part of a query."""
PARTS: Final = (*b"% %zz %ff %00 %2F %C0%80 .. . -1 %ED%A0%80 %0d%0a {}".split(), b"a" * 3000)
"""Parts of a path."""


@attrs.frozen
class Answer:
    """What came back on a connection."""

    status: int
    headers: dict[str, str]
    body: bytes
    ours: bool
    """Whether the application was asked."""


class Site:
    """A server in this process, at an address of its own."""

    def __init__(self, directory: Path, hurry: float = 1, **changes: Any) -> None:
        self.options = _uvicorn_options(["127.0.0.1"])
        for name in ("ws_ping_interval", "ws_ping_timeout"):
            self.options[name] /= hurry
        self.app = make_app(settings(directory, hosts=("testserver",), **changes))
        self.asked = 0
        self.listener = socket.create_server(("127.0.0.1", 0))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += scope["type"] != "lifespan"
        await self.app(scope, receive, send)

    async def __aenter__(self) -> Site:
        self.server = web_server(self, **self.options)
        self.serving = asyncio.create_task(self.server.serve(sockets=[self.listener]))
        async with asyncio.timeout(20):
            while not self.server.started:
                await asyncio.sleep(0.001)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.should_exit = True
        await self.serving
        self.listener.close()

    async def _top(self, reader: asyncio.StreamReader) -> list[str]:
        return (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")

    async def send(self, head: bytes, body: bytes = b"") -> Answer:
        """Send a request, and read the answer to its end."""
        asked = self.asked
        reader, writer = await asyncio.open_connection(*self.listener.getsockname())
        try:
            writer.write(head + body)
            async with asyncio.timeout(20):
                status, *lines = await self._top(reader)
                if status.split()[1] == "100":
                    status, *lines = await self._top(reader)
                parts = [line.partition(":") for line in lines if line]
                headers = {name.lower(): value.strip() for name, _, value in parts}
                length = 0 if head.startswith(b"HEAD") else int(headers.get("content-length", 0))
                answered = await reader.readexactly(length)
        finally:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()
        return Answer(int(status.split()[1]), headers, answered, self.asked > asked)


def request(method: str, path: bytes, changes: dict[str, bytes | None], body: bytes = b"") -> bytes:
    """The head of a request: what a browser sends, with changes; None leaves a header out."""
    headers: dict[str, bytes | None] = {"Host": b"testserver", "Connection": b"close"}
    if method == "WS":
        method = "GET"
        headers |= {"Origin": b"http://testserver", "Connection": b"Upgrade", "Upgrade": b"websocket"}
        headers |= {"Sec-WebSocket-Key": b"dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": b"13"}
    elif method == "POST":
        headers |= {"Content-Type": b"application/json", "Content-Length": str(len(body)).encode()}
    lines = [b"%s: %s\r\n" % (name.encode(), value) for name, value in (headers | changes).items() if value is not None]
    return b"%s %s HTTP/1.1\r\n%s\r\n" % (method.encode(), path, b"".join(lines))


def doors(routes: Iterable[BaseRoute]) -> Iterator[tuple[str, str]]:
    """The methods and paths of all routes, with `{table}` for the name of a table."""
    for route in routes:
        if isinstance(route, Route):
            for method in sorted(route.methods or {"GET", "HEAD", "POST", "PUT"}):
                yield method, route.path
        elif isinstance(route, WebSocketRoute):
            yield "WS", route.path


def check(answer: Answer, what: object) -> None:
    """Check an answer: the application sends all headers and does not fail; any other answer refuses."""
    assert "server" not in answer.headers, what
    if answer.ours:
        assert answer.status < 500, what
        kept = {name: value for name, value in SECURITY.items() if name != "Cache-Control"}
        assert answer.status == 101 or {name: answer.headers.get(name.lower()) for name in kept} == kept, what
        assert answer.status < 400 or answer.headers["cache-control"] == "no-cache", what
    else:
        assert 400 <= answer.status < 500, what


@pytest.fixture
def mistakes(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing is logged that has a traceback, or that is ours."""
    yield
    told = [each for each in caplog.records if each.exc_info or each.name.startswith("heartsrules")]
    assert not told, "\n".join(logging.Formatter().format(each) for each in told)


async def opened(site: Site) -> tuple[bytes, bytes]:
    """Open a table: its name, and the body of the request."""
    body = json.dumps({"rules": rules_document(Rules(max_deals=1, target=None)), "name": "Ann"}).encode()
    answer = await site.send(request("POST", b"/api/tables", {}, body), body)
    assert answer.status == 201
    return json.loads(answer.body)["table"].encode(), body


FREE: Final = {"request_rate": 0, "check_rate": 10**6, "hello_seconds": 0.01}


@pytest.mark.usefixtures("mistakes")
def test_no_head_of_a_request_is_too_odd(tmp_path: Path) -> None:
    """Every door, with an odd value of every header, in the path and in the query."""
    rng = Random(SEED)

    async def run() -> int:
        count = 0
        async with Site(tmp_path, **FREE) as site:
            table, body = await opened(site)
            for method, path in doors(site.app.routes):
                asked = path.replace("{table}", table.decode()).encode()
                sent = body if method == "POST" else b""
                cases: list[tuple[bytes, dict[str, bytes | None]]] = [
                    (asked, {name: value}) for name in HEADERS for value in (None, *ODD)
                ]
                cases += [(asked + b"?" + query, {}) for query in queries()]
                cases += [(path.replace("{table}", "%s").encode() % part, {}) for part in PARTS if "{" in path]
                cases += [(b"/" + part + asked + part, {}) for part in PARTS]
                cases = [case for case in cases if not lost(method, *case)]
                for target, changes in rng.sample(cases, min(len(cases), rounds(30))):
                    answer = await site.send(request(method, target, changes, sent), sent)
                    check(answer, (method, target, changes))
                    count += 1
            after, _ = await opened(site)
            assert after != table
        return count

    assert asyncio.run(run()) > 100


@pytest.mark.usefixtures("mistakes")
def test_a_body_that_is_never_complete_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartsrules.apps.table.app.BODY_SECONDS", 0.01)

    async def run() -> Answer:
        async with Site(tmp_path, **FREE) as site:
            return await site.send(request("POST", b"/api/tables", {"Content-Length": b"9"}), b"{")

    answer = asyncio.run(run())
    check(answer, "half a body")
    assert (answer.status, json.loads(answer.body)["code"]) == (408, "too-slow")


def lost(method: str, target: bytes, changes: dict[str, bytes | None]) -> bool:
    """Whether a request is an upgrade that websockets refuses, which uvicorn does not answer."""
    return method == "WS" and any(b"\x01" in part or len(part) > 8000 for part in (target, *changes.values()) if part)


def queries() -> list[bytes]:
    """Odd queries."""
    values = [value for value in (*ODD, *PARTS) if not set(value) & set(b" \x00#")]
    named = [name + b"=" + value for name in (b"theme", b"number", b"language") for value in values]
    return [*named, *values, b"&".join([b"number=1"] * 500)]


def test_wrong_requests_leave_no_line_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Anyone can send them without end: WebSockets that are refused, heads that are none, texts that are not UTF-8."""

    async def run() -> list[int]:
        async with Site(tmp_path, request_rate=0.001, request_burst=2, check_rate=0.3) as site:
            logging.getLogger("uvicorn.error").addHandler(caplog.handler)
            table, _ = await opened(site)
            path = b"/api/tables/%s/socket" % table
            evil = [await site.send(request("WS", path, {"Origin": b"http://evil"})) for _ in range(5)]
            for answer in evil:
                check(answer, "a wrong origin")
            for head in (b"\x16\x03\x01\r\n\r\n", request("GET", b"/", {"Connection": b"Upgrade", "Upgrade": b"h2c"})):
                await site.send(head)
            reader, writer = await asyncio.open_connection(*site.listener.getsockname())
            writer.write(request("WS", path, {}))
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"\x81\x81\0\0\0\0\xff")  # a text of the byte FF
            await reader.read()
            writer.close()
            return [answer.status for answer in evil]

    assert asyncio.run(run()) == [403, 403, 403, 429, 429]
    assert [record.getMessage() for record in caplog.records] == []


ORIGINS: Final = (
    *b"http://evil.example http://testserver.evil.example http://testserver:81 null ftp://testserver".split(),
    *b"http://[ http://[::1 http://] //[ http://testserver:80".split(),
)
"""Only the last one is the server's own."""


@pytest.mark.usefixtures("mistakes")
def test_requests_of_odd_origins_are_counted_as_all_others(tmp_path: Path) -> None:
    async def run() -> None:
        async with Site(tmp_path, request_rate=0.001, request_burst=2, check_rate=0.001) as site:
            for method, path in doors(site.app.routes):
                if "/api/" in path and path != "/api/choices" and method != "HEAD":
                    target = path.replace("{table}", "x").encode()
                    found: list[int] = []
                    for origin in ORIGINS:
                        answer = await site.send(request(method, target, {"Origin": origin}))
                        check(answer, (method, path, origin))
                        found.append(answer.status)
                    assert set(found[:-1]) <= {403, 405, 429}, (method, path, found)
                    assert found[-1] in (405, 429), (method, path)

    asyncio.run(run())


def test_a_page_that_vanishes_is_away_and_an_oversized_message_is_cut_off(tmp_path: Path) -> None:
    """Its network is gone: it closes nothing, and answers no ping."""

    async def scenario() -> None:
        async with Site(tmp_path, hurry=20) as site, asyncio.timeout(60):
            body = json.dumps({"rules": rules_document(Rules()), "name": "Ann"}).encode()
            table = json.loads((await site.send(request("POST", b"/api/tables", {}, body), body)).body)
            path = f"/api/tables/{table['table']}/socket"
            host, port = site.listener.getsockname()
            async with connect(f"ws://testserver{path}", host=host, port=port) as watcher:
                assert watcher.response is not None
                assert "permessage-deflate" in watcher.response.headers["Sec-WebSocket-Extensions"]
                await watcher.send('{"type": "hello", "token": null}')
                reader, writer = await asyncio.open_connection(host, port)
                hello = json.dumps({"type": "hello", "token": table["token"]}).encode()
                writer.write(request("WS", path.encode(), {}))
                await reader.readuntil(b"\r\n\r\n")
                writer.write(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
                for here in (True, False):
                    told = [json.loads(await watcher.recv())]
                    while told[-1]["type"] != "table" or told[-1]["people"][0]["here"] is not here:
                        told.append(json.loads(await watcher.recv()))
                        assert len(told) < 20
                writer.transport.abort()
                await watcher.send("x" * 1_000_000)
                with pytest.raises(ConnectionClosed) as closed:
                    await watcher.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1009

    asyncio.run(scenario())
