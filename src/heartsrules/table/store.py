"""The moves of all tables in a SQLite database, written by a thread of its own.

A move is on disk before anybody is told of it, so a server that is killed loses none. Whatever waits is written in
one transaction, so that many tables cost hardly more than one.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TypeAlias, TypeVar

import attrs

from heartsrules import Move, Rules
from heartsrules.table.table import Sitter
from heartsrules.wire import from_json, to_json

T = TypeVar("T")

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    rules BLOB NOT NULL,
    started INTEGER NOT NULL DEFAULT 0,
    finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS sitters (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moves (
    table_id TEXT NOT NULL REFERENCES tables (id),
    ply INTEGER NOT NULL,
    move BLOB NOT NULL,
    PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;
"""


@attrs.frozen
class Kept:
    """A table as it is kept."""

    rules: Rules
    started: bool
    sitters: tuple[tuple[int, Sitter], ...]
    moves: tuple[Move, ...]


@attrs.frozen
class _Job:
    work: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]


class Store:
    """The database. Its methods are awaited in the event loop in which it was started.

    Args:
        path: the file; it is made if there is none.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    async def start(self) -> None:
        """Open the database, and make its tables if it is new.

        Raises:
            sqlite3.Error: it cannot be opened or written.
        """
        # One thread at a time uses it: this one until the other is started.
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.executescript(_SCHEMA)
        self._thread = threading.Thread(
            target=self._work, args=(connection, asyncio.get_running_loop()), name="store", daemon=True
        )
        self._thread.start()

    async def stop(self) -> None:
        """Write what waits, and close the database."""
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)

    # ------------------------------------------------------------------------------------------------ the thread

    def _work(self, connection: sqlite3.Connection, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while jobs := self._waiting():
                done = _do(connection, jobs)
                loop.call_soon_threadsafe(_settle, done)
        finally:
            connection.close()

    def _waiting(self) -> list[_Job]:
        """All jobs that wait, at least one; none: the end."""
        jobs: list[_Job] = []
        while not jobs or not self._jobs.empty():
            job = self._jobs.get()
            if job is None:
                # It comes last: whatever waits is done first, and then it is found again.
                if jobs:
                    self._jobs.put(None)
                break
            jobs.append(job)
        return jobs

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(work, future))
        return await future

    # --------------------------------------------------------------------------------------------------- the jobs

    async def open(self, table: str, rules: Rules, sitters: Sequence[tuple[int, Sitter]], started: bool) -> None:
        """Keep a new table."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO tables (id, rules, started) VALUES (?, ?, ?)", (table, to_json(rules), started)
            )
            _seat(connection, table, sitters)

        await self._run(work)

    async def seat(self, table: str, sitters: Sequence[tuple[int, Sitter]], started: bool = False) -> None:
        """Keep who sits down, and whether the game has begun."""

        def work(connection: sqlite3.Connection) -> None:
            _seat(connection, table, sitters)
            if started:
                connection.execute("UPDATE tables SET started = 1 WHERE id = ?", (table,))

        await self._run(work)

    async def append(self, table: str, ply: int, move: Move, finished: bool) -> None:
        """Keep the move that is made after `ply` moves."""
        document = to_json(move)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO moves (table_id, ply, move) VALUES (?, ?, ?)", (table, ply, document))
            if finished:
                connection.execute("UPDATE tables SET finished = 1 WHERE id = ?", (table,))

        await self._run(work)

    async def unfinished(self) -> list[str]:
        """The tables whose game has begun and not ended, in the order in which they were opened."""

        def work(connection: sqlite3.Connection) -> list[str]:
            rows = connection.execute("SELECT id FROM tables WHERE started AND NOT finished ORDER BY rowid")
            return [table for (table,) in rows]

        return await self._run(work)

    async def load(self, table: str) -> Kept | None:
        """A table as it is kept, or None."""

        def work(connection: sqlite3.Connection) -> Kept | None:
            row = connection.execute("SELECT rules, started FROM tables WHERE id = ?", (table,)).fetchone()
            if row is None:
                return None
            sitters = connection.execute(
                "SELECT seat, name, kind, token_hash FROM sitters WHERE table_id = ? ORDER BY seat", (table,)
            ).fetchall()
            moves = connection.execute("SELECT move FROM moves WHERE table_id = ? ORDER BY ply", (table,)).fetchall()
            return Kept(
                from_json(row[0], Rules),
                bool(row[1]),
                tuple((seat, Sitter(name, kind, token_hash)) for seat, name, kind, token_hash in sitters),
                tuple(from_json(move, Move) for (move,) in moves),
            )

        return await self._run(work)


_Done: TypeAlias = list[tuple[asyncio.Future[Any], Any, Exception | None]]


def _do(connection: sqlite3.Connection, jobs: Sequence[_Job]) -> _Done:
    """Do all jobs in one transaction; one that fails undoes nothing but itself."""
    done: _Done = []
    try:
        connection.execute("BEGIN IMMEDIATE")
        for job in jobs:
            connection.execute("SAVEPOINT job")
            try:
                done.append((job.future, job.work(connection), None))
            except Exception as error:  # it is raised where the job is awaited
                connection.execute("ROLLBACK TO job")
                done.append((job.future, None, error))
            connection.execute("RELEASE job")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return [(job.future, None, error) for job in jobs]
    return done


def _settle(done: _Done) -> None:
    for future, result, error in done:
        if future.cancelled():
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)


def _seat(connection: sqlite3.Connection, table: str, sitters: Sequence[tuple[int, Sitter]]) -> None:
    connection.executemany(
        "INSERT INTO sitters (table_id, seat, name, kind, token_hash) VALUES (?, ?, ?, ?, ?)",
        [(table, seat, sitter.name, sitter.kind, sitter.token_hash) for seat, sitter in sitters],
    )
