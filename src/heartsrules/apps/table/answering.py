"""What the pages of a server ask for, whatever carries it: rules, tables, seats, and the messages of a table."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any, Final

from heartsrules.analysis import Theme, drills
from heartsrules.apps.request_limits import Bucket
from heartsrules.apps.table import messages as M
from heartsrules.apps.table.connection import Connection, PageGone, Socket
from heartsrules.apps.table.messages import Refused, spoken
from heartsrules.apps.table.offering import option_values
from heartsrules.apps.table.room import Room
from heartsrules.apps.table.rooms import Rooms
from heartsrules.apps.table.seats import bot_name
from heartsrules.apps.table.settings import Settings
from heartsrules.messages import describe

STATUS: Final = {
    "internal": 500,
    "no-such-table": 404,
    "no-such-drill": 404,
    "too-long": 413,
    "too-slow": 408,
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
"""The statuses of refusals by their codes, as in HTTP; 400 for all others."""


async def open_table(rooms: Rooms, wish: M.Opened, address: str) -> dict[str, Any]:
    """Open a table, with a seat for the host."""
    table, seat, token = await rooms.open(wish, address)
    return {"table": table, "seat": seat, "token": token}


async def take_seat(room: Room, body: bytes, address: str) -> dict[str, Any]:
    """Take a seat, or wait for one."""
    name, wanted = M.read_joining(body)
    seat, token, waits = await room.sit(name, wanted, address)
    return {"seat": seat, "token": token, "waits": waits}


def rules_answer(body: bytes, language: str) -> dict[str, Any]:
    """Check rules, and describe them in sentences. The problems of invalid rules are an answer, not an error."""
    try:
        rules = M.wanted_rules(body)
    except Refused as refused:
        if not refused.problems:
            raise
        return M.refusal_data(refused, language)
    return {"problems": [], "sentences": describe(rules, language), "rules": option_values(rules)}


def drill_answer(theme: str, number: str, language: str) -> dict[str, Any]:
    """A shipped drill.

    Args:
        theme: what it is about; empty: anything.
        number: its number among those of the theme, from 0.
        language: the language of its sentences.
    """
    try:
        found = drills(Theme(theme) if theme else None)
        drill = found[int(number) if re.fullmatch("[0-9]{1,9}", number) else len(found)]
    except (ValueError, IndexError):
        raise Refused("no-such-drill", "there is no such drill") from None
    names = [bot_name(seat) for seat in range(drill.view.rules.players)]
    return {"count": len(found), "drill": M.drill_data(drill, language, names)}


def invitation(room: Room, language: str) -> dict[str, Any]:
    """What whoever has the link of a table may know before sitting down."""
    table = room.table
    hosted = table.host is not None and table.seats[table.host].kind == "person"
    return {
        "host": table.name(table.host) if hosted and table.host is not None else None,
        "started": table.started,
        "over": table.over,
        "hints": table.hints,
        "game": M.told_game(table.game, table.rules),
        "people": room.people,
        "sentences": describe(table.rules, language),
    }


# ----------------------------------------------------------------------------------------------------------- sockets


async def serve_socket(socket: Socket, rooms: Rooms, table: str, address: str) -> None:
    """Serve a socket of a table, until it is closed."""
    try:
        async with asyncio.timeout(rooms.settings.hello_seconds):
            place = await _greeted(socket, rooms, table, address)
    except TimeoutError:
        await socket.close(1008)
    except Exception as error:
        refused = rooms.failures.refusal_of(error, "a new page")
        with suppress(PageGone):
            await socket.send(M.refused_message(refused).decode())
        await socket.close(1008)
    else:
        if place is not None:
            await _serve(socket, *place, rooms.settings)


async def _greeted(socket: Socket, rooms: Rooms, table: str, address: str) -> tuple[Room, Connection] | None:
    """Read the first message of a socket, and enter the room; None: the page has gone."""
    text = await socket.receive()
    if text is None:
        return None
    hello = M.read_message(text)
    if not isinstance(hello, M.Hello):
        raise Refused("malformed", "the first message must be hello")
    room = await rooms.find(table)
    if hello.token is not None:
        await room.recognize(hello.token, address)
    connection = Connection(socket, spoken(hello.language))
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
    """Handle the messages of a page, until it goes or has sent too many refused ones."""
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
            await room.handle(connection, message)
