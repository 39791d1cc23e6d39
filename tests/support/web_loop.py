"""A server of the browser table in this thread: sockets in memory, and a clock that stands still until it is advanced.

Nothing runs but in `settle`, so that what a test does and what the server does next follow each other in one order.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

from starlette.types import Message

from heartsrules.apps.table import store
from heartsrules.apps.table.app import make_app
from support.web_player import SetClock, settings

T = TypeVar("T")


_HEADERS = [(b"host", b"testserver"), (b"origin", b"http://testserver")]


_PATIENCE = 20_000
"""How often the server is looked at before it is said to hang."""


class LoopClock(SetClock):
    """A clock that knows whether the room of its server sleeps, and that may go on while it is read."""

    creep: float = 0
    """Seconds that go by with each reading."""

    def now(self) -> float:
        self.seconds += self.creep
        return self.seconds

    @property
    def asleep(self) -> bool:
        """Whether a room waits for time to go by. (The other alarm is that of old tables.)"""
        return sum(not alarm.cancelled for alarm in self._alarms) > 1


class LoopStore(store.Store):
    """A database without a thread: each job is done when it is submitted, so that the order is always the same."""

    async def start(self) -> None:
        self._lock = store.lock_database(self._path)
        self._connection = sqlite3.connect(self._path, isolation_level=None)
        store._prepare(self._connection)

    async def stop(self) -> None:
        self._connection.close()
        assert self._lock is not None
        self._lock.close()

    def _submit(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        store._settle(store._do(self._connection, [store._Job(work, future)]))
        return future


class Page:
    """A socket of a visitor."""

    def __init__(self, app: Any, table: str, address: str, token: str | None) -> None:
        self.token = token
        self.address = address
        self.closed = False
        self.messages: list[dict[str, Any]] = []
        self._incoming: asyncio.Queue[Message] = asyncio.Queue()
        self._next = 1
        self._incoming.put_nowait({"type": "websocket.connect"})
        self.send({"type": "hello", "token": token})
        scope = {
            "type": "websocket",
            "path": f"/api/tables/{table}/socket",
            "headers": _HEADERS,
            "query_string": b"",
            "subprotocols": [],
            "client": (address, 1),
        }
        self.task = asyncio.get_running_loop().create_task(app(scope, self._incoming.get, self._take))

    async def _take(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self.messages.append(json.loads(message["text"]))
        elif message["type"] == "websocket.close":
            self.closed = True
            self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1000})

    def send(self, message: dict[str, Any]) -> int:
        """Send a message: its number."""
        number = self._next
        self._next += 1
        told = message if message["type"] == "hello" else {"id": number, **message}
        self._incoming.put_nowait({"type": "websocket.receive", "text": json.dumps(told)})
        return number

    def close(self) -> None:
        """Close the socket."""
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})

    def last(self, kind: str) -> dict[str, Any] | None:
        """The last message of a kind."""
        return next((message for message in reversed(self.messages) if message["type"] == kind), None)


class LoopServer:
    """The server, and its visitors."""

    def __init__(self, **changes: Any) -> None:
        self.clock = LoopClock()
        self._changes = changes
        self._loop = asyncio.new_event_loop()
        self._directory = tempfile.TemporaryDirectory()
        self.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the loop of the server."""
        return self._loop.run_until_complete(work)

    def start(self) -> None:
        """Start the server, on the database of the one before."""
        with mock.patch("heartsrules.apps.table.app.Store", LoopStore):
            self.app = make_app(settings(Path(self._directory.name), **self._changes), self.clock)
        self._lifespan = self.app.router.lifespan_context(self.app)
        self.run(self._lifespan.__aenter__())

    def stop(self) -> None:
        """Stop the server."""
        self.run(self._lifespan.__aexit__(None, None, None))
        self.clock._alarms.clear()

    def close(self) -> None:
        """Stop the server, and delete its database."""
        self.stop()
        self._loop.close()
        self._directory.cleanup()

    def post(self, path: str, body: object, address: str) -> tuple[int, dict[str, Any]]:
        """A request of a visitor: the status and the body of the response."""
        sent: list[Message] = []
        request: list[Message] = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "headers": [*_HEADERS, (b"content-type", b"application/json")],
            "query_string": b"",
            "scheme": "http",
            "server": ("testserver", 80),
            "client": (address, 1),
        }

        async def receive() -> Message:
            return request.pop()

        async def send(message: Message) -> None:
            sent.append(message)

        self.run(self.app(scope, receive, send))
        if path != "/api/tables":  # which makes no room
            self.settle()
        return sent[0]["status"], json.loads(sent[1]["body"])

    def visit(self, table: str, address: str, token: str | None) -> Page:
        """Open a page, and wait until it is let in or refused."""

        async def enter() -> Page:
            return Page(self.app, table, address, token)

        page = self.run(enter())
        self.settle()
        return page

    def advance(self, seconds: float) -> None:
        """Let time go by, and wait for what the server does then."""
        self.clock.advance(seconds)
        self.settle()

    def settle(self) -> None:
        """Let the server do all that it has to, until it waits for people or time."""

        async def idle() -> None:
            for _ in range(_PATIENCE):
                for _ in range(30):
                    await asyncio.sleep(0)
                if self.clock.asleep:
                    return
                await asyncio.sleep(0.0002)
            raise AssertionError("the server does not come to rest")

        self.run(idle())
