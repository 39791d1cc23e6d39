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
from typing import Any, Final, TypeVar
from unittest import mock

import httpx2
from starlette.routing import WebSocketRoute
from starlette.types import Message

from heartsrules.apps.table import store
from heartsrules.apps.table.app import make_app
from heartsrules.apps.table.rooms import Rooms
from support.web_player import SetClock, settings

T = TypeVar("T")


ORIGIN: Final = "http://testserver"


_PATIENCE = 20_000
"""How often the server is looked at before it is said to hang."""


class LoopClock(SetClock):
    """A clock that counts its alarms, and that may go on while it is read."""

    creep: float = 0
    """Seconds that go by with each reading."""

    def now(self) -> float:
        self.seconds += self.creep
        return self.seconds

    @property
    def waiting(self) -> int:
        """The number of pending alarms: that of old tables, and one of each room that waits for time to go by."""
        return sum(not alarm.cancelled for alarm in self._alarms)


class LoopStore(store.Store):
    """A database without a thread: each job is done when it is submitted, so that the order is always the same."""

    lag: int = 0
    """How many turns of the loop later the result is there."""

    async def start(self) -> None:
        self._lock = store.lock_database(self._path)
        self._connection = sqlite3.connect(self._path, isolation_level=None)
        store._prepare(self._connection)
        self._connection.execute("PRAGMA synchronous = OFF")

    async def stop(self) -> None:
        self._connection.close()
        assert self._lock is not None
        self._lock.close()

    def _submit(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        done = store._do(self._connection, [store._Job(work, future)])

        def settle(turns: int) -> None:
            if turns:
                asyncio.get_running_loop().call_soon(settle, turns - 1)
            else:
                store._settle(done)

        settle(self.lag)
        return future


class Page:
    """A socket of a visitor."""

    def __init__(self, app: Any, table: str, address: str, token: str | None) -> None:
        self.token = token
        self.table = table
        self.address = address
        self.closed = False
        self.messages: list[dict[str, Any]] = []
        self.sent: dict[int, str] = {}
        """The types of its requests, by number."""
        self._incoming: asyncio.Queue[Message] = asyncio.Queue()
        self._next = 1
        self._incoming.put_nowait({"type": "websocket.connect"})
        self.send({"type": "hello", "token": token})
        scope = {
            "type": "websocket",
            "path": f"/api/tables/{table}/socket",
            "headers": [(b"host", b"testserver"), (b"origin", ORIGIN.encode())],
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
        if message["type"] not in ("hello", "ping"):
            message = {"id": number, **message}
            self.sent[number] = message["type"]
        self._incoming.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})
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
        (socket,) = [route for route in self.app.routes if isinstance(route, WebSocketRoute)]
        endpoint: Any = socket.endpoint
        self.rooms: Rooms = endpoint.__self__._rooms
        self._lifespan = self.app.router.lifespan_context(self.app)
        self.run(self._lifespan.__aenter__())

    def stop(self) -> None:
        """Stop the server."""
        self.run(self._lifespan.__aexit__(None, None, None))
        self.clock._alarms.clear()

    def restart(self, *pages: Page) -> None:
        """Stop the server, after these pages have gone, and start it again."""
        self.leave(*pages)
        self.stop()
        self.start()

    def leave(self, *pages: Page) -> None:
        """Close pages, and wait until they have gone."""

        async def ended() -> None:
            for page in pages:
                await page.task

        for page in pages:
            page.close()
        self.run(ended())

    def close(self, *pages: Page) -> None:
        """Stop the server, after these pages have gone, and delete its database."""
        self.leave(*pages)
        self.stop()
        self._loop.close()
        self._directory.cleanup()

    def post(self, path: str, body: object, address: str) -> tuple[int, dict[str, Any]]:
        """Send a visitor's request with a JSON body, and return the status and the body of the response."""
        response = self.ask("POST", path, address, body)
        return response.status_code, response.json()

    def ask(self, method: str, path: str, address: str, body: object = None) -> httpx2.Response:
        """Send a visitor's request, and return the response."""

        async def request() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=self.app, client=(address, 1))
            async with httpx2.AsyncClient(transport=transport, base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
                return await client.request(method, path, json=body)

        response = self.run(request())
        self.settle()
        return response

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

    def _busy(self) -> bool:
        """Whether a room has something to do, or something is computed for it."""
        rooms = [room for room, _ in self.rooms._rooms.values()]
        computed = [
            task
            for room in rooms
            for task in [room._thought, *[thought for _, thought in room._hints.values()], *room._reviews.tasks]
            if task is not None and not task.done()
        ]
        awake = any(room._wake.is_set() for room in rooms) or self.clock.waiting <= len(rooms)
        return bool(awake or computed or self.rooms._loading)

    def settle(self) -> None:
        """Let the server do all that it has to, until it waits for people or time."""

        async def idle() -> None:
            rested = 0
            for _ in range(_PATIENCE):
                for _ in range(20):
                    await asyncio.sleep(0)
                rested = 0 if self._busy() else rested + 1
                if rested == 2:
                    return
                await asyncio.sleep(0 if rested else 0.0002)
            raise AssertionError("the server does not come to rest")

        self.run(idle())
