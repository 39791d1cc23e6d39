"""Answers to pages' requests over any transport: rules, tables, seats, and the messages at a table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final, TypeAlias

import attrs
import msgspec

from heartsrules.analysis import Theme, drills
from heartsrules.apps.request_limits import Bucket
from heartsrules.apps.table import messages as M
from heartsrules.apps.table import protocol as P
from heartsrules.apps.table.connection import Connection, PageGone, Socket
from heartsrules.apps.table.messages import Refused, spoken
from heartsrules.apps.table.positions import picture_of
from heartsrules.apps.table.room import Room
from heartsrules.apps.table.rooms import Rooms
from heartsrules.apps.table.seats import bot_name
from heartsrules.apps.table.settings import Settings
from heartsrules.apps.table.wording import rules_wording

_CODES: Final = {
    403: ("wrong-origin",),
    404: ("no-such-table", "no-such-drill"),
    408: ("too-slow",),
    409: ("cannot-resume", "already-started", "not-over", "table-full", "seat-taken", "game-over"),
    413: ("too-long",),
    429: ("too-many-requests",),
    500: ("internal",),
    503: ("too-many-tables", "busy", "unavailable"),
}
STATUS: Final = {code: status for status, codes in _CODES.items() for code in codes}
"""The HTTP statuses of refusals by code, with 400 for all others."""


@attrs.frozen
class Asked:
    """A request for one of `ENDPOINTS`, or for a socket at a table.

    Attributes:
        body: its body, or empty for a GET.
        table: the table named in its path, or empty.
        page: the page's URL, for links to the table, or empty if others cannot reach the page.
    """

    rooms: Rooms
    query: Mapping[str, str]
    body: bytes = b""
    table: str = ""
    address: str = ""
    page: str = ""

    @property
    def language(self) -> str:
        return spoken(self.query.get("language", "en"))

    @property
    def link(self) -> str:
        """The table's link, or empty if others cannot reach the page."""
        return f"{self.page}#t/{self.table}" if self.page else ""

    async def room(self) -> Room:
        return await self.rooms.find(self.table)


Answer: TypeAlias = msgspec.Struct | bytes
"""The body of an answer: one of `protocol.ANSWERS`, or a JSON document."""


async def _open(asked: Asked, wish: M.Opened) -> P.OpenedTable:
    return P.OpenedTable(*await asked.rooms.open(wish, asked.address))


async def _open_table(asked: Asked) -> Answer:
    return await _open(asked, M.read_opening(asked.body, asked.rooms.levels))


async def _open_position(asked: Asked) -> Answer:
    return await _open(asked, M.read_position(asked.body))


async def _take_seat(asked: Asked) -> Answer:
    room = await asked.room()
    name, wanted, token = M.read_joining(asked.body)
    return P.TakenSeat(*await room.sit(name, wanted, asked.address, token))


async def _check_rules(asked: Asked) -> Answer:
    """Check rules and describe them in sentences. The problems of invalid rules are an answer, not an error."""
    try:
        rules = M.wanted_rules(asked.body)
    except Refused as refused:
        if not refused.problems:
            raise
        return P.CheckedRules(M.problems_shown(refused.problems, asked.language), (), None)
    return P.CheckedRules((), rules_wording(rules, asked.language), picture_of(rules))


async def _drill(asked: Asked) -> Answer:
    return drill_answer(asked.query.get("theme", ""), asked.query.get("number", "0"), asked.language)


def drill_answer(theme: str, number: str, language: str) -> P.DrillAnswer:
    """Return a shipped drill.

    Args:
        theme: the drill's theme, or empty for any.
        number: the drill's number within the theme, from 0.
    """
    try:
        found = drills(Theme(theme) if theme else None)
        drill = found[int(number) if re.fullmatch("[0-9]{1,9}", number) else len(found)]
    except (ValueError, IndexError):
        raise Refused("no-such-drill", "there is no such drill") from None
    names = [bot_name(seat) for seat in range(drill.view.rules.players)]
    return P.DrillAnswer(len(found), M.drill_shown(drill, language, names))


async def _invitation(asked: Asked) -> Answer:
    room = await asked.room()
    table = room.table
    hosted = table.host is not None and table.seats[table.host].kind == "person"
    return P.Invitation(
        host=table.name(table.host) if hosted and table.host is not None else None,
        started=table.started,
        over=table.over,
        hints=table.hints,
        game=M.origin_of(table.game, table.rules),
        people=room.people,
        sentences=rules_wording(table.rules, asked.language),
    )


async def _record(asked: Asked) -> Answer:
    return await asked.rooms.record(await asked.room())


@attrs.frozen
class Endpoint:
    """An HTTP endpoint.

    Attributes:
        path: its path, in which `{table}` is the name of a table.
        answer: a function that answers requests, or raises `Refused`.
        scarce: whether it opens a table or takes a seat, which each address can do only a few times.
        file: the name under which a browser saves the answer, or empty.
    """

    method: str
    path: str
    answer: Callable[[Asked], Awaitable[Answer]]
    status: int = 200
    scarce: bool = False
    file: str = ""


ENDPOINTS: Final = (
    Endpoint("POST", "/api/rules", _check_rules),
    Endpoint("POST", "/api/tables", _open_table, 201, scarce=True),
    Endpoint("POST", "/api/positions", _open_position, 201, scarce=True),
    Endpoint("GET", "/api/drills", _drill),
    Endpoint("GET", "/api/tables/{table}", _invitation),
    Endpoint("GET", "/api/tables/{table}/record", _record, file="hearts.json"),
    Endpoint("POST", "/api/tables/{table}/seats", _take_seat, 201, scarce=True),
)
"""The endpoints of every server, over any transport."""


# ----------------------------------------------------------------------------------------------------------- sockets


async def serve_socket(socket: Socket, asked: Asked) -> None:
    """Serve a socket at a table until it is closed."""
    try:
        async with asyncio.timeout(asked.rooms.settings.hello_seconds):
            place = await _greeted(socket, asked)
    except TimeoutError:
        await socket.close(1008)
    except Exception as error:
        refused = asked.rooms.failures.refusal_of(error, "a new page")
        with suppress(PageGone):
            await socket.send(M.refused_message(refused).decode())
        await socket.close(1008)
    else:
        if place is not None:
            await _serve(socket, *place, asked.rooms.settings)


async def _greeted(socket: Socket, asked: Asked) -> tuple[Room, Connection] | None:
    text = await socket.receive()
    if text is None:
        return None
    hello = M.read_message(text)
    if not isinstance(hello, P.Hello):
        raise Refused("malformed", "the first message must be `hello`")
    room = await asked.room()
    if hello.token is not None:
        await room.recognize(hello.token, asked.address)
    connection = Connection(socket, spoken(hello.language), asked.link)
    room.enter(connection, hello.token)
    return room, connection


async def _serve(socket: Socket, room: Room, connection: Connection, settings: Settings) -> None:
    writer = asyncio.create_task(connection.write())
    try:
        await _listen(socket, room, connection, settings)
    finally:
        connection.end()
        room.leave(connection)
        await writer


async def _listen(socket: Socket, room: Room, connection: Connection, settings: Settings) -> None:
    bucket = Bucket(settings.message_rate, settings.message_burst)
    strikes = 0
    while strikes <= settings.message_burst:
        try:
            text = await socket.receive()
            if text is None:
                return
            if not bucket.take(asyncio.get_running_loop().time()):
                raise Refused("too-many-messages", "too many messages: wait a little")
            message = M.read_message(text)
        except Refused as refused:
            strikes += 1
            connection.refuse(refused)
        else:
            strikes = 0
            if isinstance(message, P.Ping):
                connection.send(M.encoded(P.PongMessage()))
            else:
                await room.handle(connection, message)
