"""A server inside the page: requests arrive, and messages leave, as JSON.

It runs the same rooms as `app`, in the Python of a web worker, without threads, processes or a database: the page keeps
one document per table.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Iterable
from random import Random
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl

import attrs
import msgspec

from heartsrules import Move
from heartsrules.analysis import Assessment
from heartsrules.apps.table.answering import ENDPOINTS, STATUS, Asked, serve_socket
from heartsrules.apps.table.bots import HintQuestion, Question, Studied, T, assess_for, choose_for
from heartsrules.apps.table.clock import Clock
from heartsrules.apps.table.messages import Refused, encoded, refusal_shown
from heartsrules.apps.table.rooms import Rooms
from heartsrules.apps.table.settings import Settings
from heartsrules.apps.table.storage import Life, Part, Storage, StorageError
from heartsrules.bots import Sampling

_log: Final = logging.getLogger("heartsrules.apps.table")
_PATHS: Final = [(re.compile(each.path[1:].replace("{table}", r"(?P<table>[\w-]+)")), each) for each in ENDPOINTS]
"""The endpoints by the patterns of their paths."""
_EXPERT: Final = Sampling(worlds=300)
"""The page's expert, which draws fewer worlds because Python is slower there."""
_SETTINGS: Final = Settings(forecast_worlds=40, average_deals=100)
"""The page's settings, which forecast hands from fewer worlds. Moves get the same verdicts as in any review."""


# ------------------------------------------------------------------------------------------- what comes from the page


class _Incoming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message from the page."""


class Ask(_Incoming, frozen=True, tag="ask"):
    """A request, as over HTTP."""

    id: int
    path: str
    body: msgspec.Raw = msgspec.Raw()
    """Empty for a GET."""


class Open(_Incoming, frozen=True, tag="open"):
    """A new socket at a table, with a number chosen by the page."""

    socket: int
    table: str


class Text(_Incoming, frozen=True, tag="text"):
    socket: int
    text: str


class Close(_Incoming, frozen=True, tag="close"):
    socket: int


AnyIncoming: TypeAlias = Ask | Open | Text | Close
_read: Final = msgspec.json.Decoder(AnyIncoming)
Post: TypeAlias = Callable[[dict[str, Any]], None]
"""A function that sends a message to the page."""


# ------------------------------------------------------------------------------------------------- the surroundings


class PageSocket:
    def __init__(self, number: int, post: Post) -> None:
        self._number = number
        self._post = post
        self._incoming: asyncio.Queue[str | None] = asyncio.Queue()

    def put(self, text: str | None) -> None:
        """Receive a message from the page, or None once it has closed the socket."""
        self._incoming.put_nowait(text)

    async def receive(self) -> str | None:
        return await self._incoming.get()

    async def send(self, text: str) -> None:
        self._post({"type": "text", "socket": self._number, "text": text})

    async def close(self, code: int) -> None:
        self._post({"type": "close", "socket": self._number, "code": code})
        self._incoming.put_nowait(None)


class PageThinkers:
    """Slow bots, hints and reviews, computed at once, while nothing else happens in the worker."""

    @property
    def full_of_hints(self) -> bool:
        """False: each hint is computed before the next request."""
        return False

    async def assess(self, question: HintQuestion) -> Assessment:
        await asyncio.sleep(0)  # what has been said goes out first
        return assess_for(question)

    async def choose(self, question: Question) -> Move:
        await asyncio.sleep(0)
        if question.level == "expert":
            return _EXPERT(question.seen, Random(question.seed))
        return choose_for(question)

    async def study(self, question: Studied[T]) -> T:
        await asyncio.sleep(0)
        return question.answer()

    def release(self, name: str) -> None:
        """Do nothing: programs cannot play here."""

    def stop(self) -> None:
        """Do nothing: no work is pending."""


class _Document(msgspec.Struct):
    """A table, as the page keeps it."""

    touched: int
    finished: bool = False
    parts: dict[str, dict[int, msgspec.Raw]] = {}


class PageStorage(Storage):
    """A page's tables, in memory.

    Args:
        keep: called with a table's name and its document, or None once the table has been deleted.
        date: the clock, in seconds since 1970.
        documents: the tables that the page has kept, by name. Unreadable ones are left out.
    """

    def __init__(
        self,
        keep: Callable[[str, str | None], None],
        date: Callable[[], int],
        documents: Iterable[tuple[str, str]] = (),
    ) -> None:
        self._keep = keep
        self._date = date
        self._tables: dict[str, _Document] = {}
        self._changed: set[str] = set()
        for name, document in documents:
            try:
                self._tables[name] = msgspec.json.decode(document, type=_Document)
            except msgspec.DecodeError:
                _log.warning("the document of table %s cannot be read", name)

    async def start(self) -> None:
        """Do nothing: all tables are in memory."""

    async def stop(self) -> None:
        """Send the page all changes that it has not received."""
        self._give()

    def _change(self, name: str) -> _Document:
        """Return a table that is about to change, or raise `StorageError` if it has been deleted."""
        found = self._tables.get(name)
        if found is None:
            raise StorageError("there is no such table")
        if not self._changed:
            asyncio.get_running_loop().call_soon(self._give)
        self._changed.add(name)
        return found

    def _give(self) -> None:
        for name in self._changed:
            kept = self._tables.get(name)
            self._keep(name, None if kept is None else msgspec.json.encode(kept).decode())
        self._changed.clear()

    async def write(self, table: str, parts: Iterable[Part], life: Life | None = None) -> None:
        if life == "new":
            self._tables[table] = _Document(self._date())
        kept = self._change(table)
        if life is not None:
            kept.touched = self._date()
            kept.finished |= life == "over"
        for kind, number, document in parts:
            found = kept.parts.setdefault(kind, {})
            if kind == "move" and number in found:
                raise StorageError(f"move {number} is stored already")
            found[len(found) if number is None else number] = msgspec.Raw(document)

    async def read(self, table: str, made: Callable[[Iterable[tuple[str, int, bytes]]], T]) -> T:
        parts = self._tables[table].parts if table in self._tables else {}
        return made([(kind, number, bytes(each)) for kind, found in parts.items() for number, each in found.items()])

    async def take_back(self, table: str, ply: int) -> None:
        parts = self._change(table).parts
        parts["move"] = {number: document for number, document in parts["move"].items() if number < ply}

    async def forget(self, before: int, finished_before: int, kept: Collection[str]) -> int:
        old = [
            name
            for name, each in self._tables.items()
            if name not in kept and (each.touched < before or (each.finished and each.touched < finished_before))
        ]
        for name in old:
            self._change(name)
            del self._tables[name]
        return len(old)


# ------------------------------------------------------------------------------------------------------- the server


class PageServer:
    def __init__(
        self, post: Callable[[str], None], settings: Settings | None = None, documents: Iterable[tuple[str, str]] = ()
    ) -> None:
        clock = Clock()
        self._send = post
        self._sockets: dict[int, PageSocket] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        storage = PageStorage(self._keep, clock.date, documents)
        self._rooms = Rooms(settings or _SETTINGS, storage, PageThinkers(), clock)

    async def start(self) -> None:
        await self._rooms.start()
        self._post({"type": "ready"})

    async def stop(self) -> None:
        for socket in self._sockets.values():
            socket.put(None)
        await self._rooms.stop()

    def receive(self, text: str) -> None:
        """Receive a message from the page. It is handled later.

        Raises:
            msgspec.DecodeError: the text is not a message.
        """
        message = _read.decode(text)
        match message:
            case Ask():
                self._begin(self._answer(message))
            case Open(number, table):
                socket = self._sockets[number] = PageSocket(number, self._post)
                self._begin(self._serve(number, socket, table))
            case Text(number, said) if number in self._sockets:
                self._sockets[number].put(said)
            case Close(number) if number in self._sockets:
                self._sockets[number].put(None)

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _post(self, message: dict[str, Any]) -> None:
        self._send(msgspec.json.encode(message).decode())

    def _keep(self, table: str, document: str | None) -> None:
        self._post({"type": "keep", "table": table, "document": document})

    async def _serve(self, number: int, socket: PageSocket, table: str) -> None:
        try:
            await serve_socket(socket, Asked(self._rooms, {}, table=table))
        finally:
            del self._sockets[number]

    async def _answer(self, ask: Ask) -> None:
        path, _, query = ask.path.partition("?")
        asked = Asked(self._rooms, dict(parse_qsl(query)), bytes(ask.body))
        try:
            status, body = await self._found(path, asked)
        except Exception as error:
            refused = self._rooms.failures.refusal_of(error, path)
            status, body = STATUS.get(refused.code, 400), encoded(refusal_shown(refused, asked.language))
        self._post({"type": "answer", "id": ask.id, "status": status, "body": msgspec.Raw(body)})

    async def _found(self, path: str, asked: Asked) -> tuple[int, bytes]:
        for pattern, endpoint in _PATHS:
            found = pattern.fullmatch(path)
            if found is not None and (endpoint.method == "POST") == bool(asked.body):
                answer = await endpoint.answer(attrs.evolve(asked, table=found.groupdict().get("table", "")))
                return endpoint.status, answer if isinstance(answer, bytes) else encoded(answer)
        raise Refused("no-such-request", "this page cannot be asked for that")


async def serve(post: Callable[[str], None], documents: Iterable[tuple[str, str]]) -> PageServer:
    """Start a page's server, which takes messages by `receive`."""
    server = PageServer(post, documents=documents)
    await server.start()
    return server
