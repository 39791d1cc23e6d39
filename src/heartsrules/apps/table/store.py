"""The moves of all tables in a SQLite database, written by a thread of its own.

A move is on disk before anybody is told of it, so a server that is killed loses none. Whatever waits is written in
one transaction, so that many tables cost hardly more than one.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TypeAlias, TypeVar

import attrs

from heartsrules import Deal, Move, Rules
from heartsrules.apps.table.clock import today
from heartsrules.apps.table.messages import Hints
from heartsrules.apps.table.table import Sitter
from heartsrules.formats.wire import from_json, to_json

T = TypeVar("T")

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    rules BLOB NOT NULL,
    started INTEGER NOT NULL DEFAULT 0,
    finished INTEGER NOT NULL DEFAULT 0,
    touched INTEGER NOT NULL,
    host INTEGER,
    away INTEGER,
    undone_deal INTEGER NOT NULL DEFAULT -1,
    hints TEXT NOT NULL DEFAULT 'alone',
    game TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE IF NOT EXISTS sitters (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    level TEXT NOT NULL,
    owner_name TEXT NOT NULL,
    owner_hash TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moves (
    table_id TEXT NOT NULL REFERENCES tables (id),
    ply INTEGER NOT NULL,
    move BLOB NOT NULL,
    PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;
"""


_ADDED: Final = {
    "tables": {
        "touched": "INTEGER NOT NULL DEFAULT 0",
        "host": "INTEGER DEFAULT 0",
        "away": "INTEGER",
        "undone_deal": "INTEGER NOT NULL DEFAULT -1",
        "hints": "TEXT NOT NULL DEFAULT 'alone'",
        "game": "TEXT NOT NULL DEFAULT ''",
    },
    "sitters": {
        "level": "TEXT NOT NULL DEFAULT 'usual'",
        "owner_name": "TEXT NOT NULL DEFAULT ''",
        "owner_hash": "TEXT NOT NULL DEFAULT ''",
    },
}
"""What a database of an earlier version lacks, and what its tables have there."""


@attrs.frozen
class Kept:
    """A table as it is kept."""

    rules: Rules
    started: bool
    host: int | None
    away: int | None
    undone_deal: int
    hints: Hints
    game: str
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
        date: tells the seconds since 1970.
    """

    def __init__(self, path: Path, date: Callable[[], int] = today) -> None:
        self._path = path
        self._date = date
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
        _add_columns(connection)
        connection.execute("UPDATE tables SET touched = ? WHERE touched = 0", (self._date(),))
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

    async def open(
        self,
        table: str,
        rules: Rules,
        sitters: Sequence[tuple[int, Sitter]],
        started: bool,
        host: int | None = 0,
        away: int | None = None,
        hints: Hints = "alone",
        game: str = "",
    ) -> None:
        """Keep a new table."""
        date = self._date()

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO tables (id, rules, started, touched, host, away, hints, game) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (table, to_json(rules), started, date, host, away, hints, game),
            )
            _seat(connection, table, sitters)

        await self._run(work)

    async def seat(self, table: str, sitters: Sequence[tuple[int, Sitter]], started: bool = False) -> None:
        """Keep who sits on some seats from now on, and whether the game has begun."""
        date = self._date()

        def work(connection: sqlite3.Connection) -> None:
            _seat(connection, table, sitters)
            connection.execute("UPDATE tables SET touched = ? WHERE id = ?", (date, table))
            if started:
                connection.execute("UPDATE tables SET started = 1 WHERE id = ?", (table,))

        await self._run(work)

    async def host(self, table: str, host: int | None) -> None:
        """Keep who is the host from now on."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE tables SET host = ? WHERE id = ?", (host, table))

        await self._run(work)

    async def append(self, table: str, ply: int, move: Move, finished: bool) -> None:
        """Keep the move that is made after `ply` moves."""
        document = to_json(move)
        date = self._date() if finished or isinstance(move, Deal) else None

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO moves (table_id, ply, move) VALUES (?, ?, ?)", (table, ply, document))
            if date is not None:
                connection.execute("UPDATE tables SET finished = ?, touched = ? WHERE id = ?", (finished, date, table))

        await self._run(work)

    async def take_back(self, table: str, ply: int, deal: int) -> None:
        """Forget the moves that were made after `ply` moves, and keep in which deal that was."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM moves WHERE table_id = ? AND ply >= ?", (table, ply))
            connection.execute("UPDATE tables SET undone_deal = ? WHERE id = ?", (deal, table))

        await self._run(work)

    async def forget(self, before: int, finished_before: int, kept: Collection[str]) -> int:
        """Delete the tables where nothing has happened since a date, or whose match ended before another one, but not
        those to be kept: how many those were."""

        def work(connection: sqlite3.Connection) -> int:
            rows = connection.execute(
                "SELECT id FROM tables WHERE touched < ? OR (finished AND touched < ?)", (before, finished_before)
            ).fetchall()
            old = [(table,) for (table,) in rows if table not in kept]
            for where in ("moves", "sitters"):
                connection.executemany(f"DELETE FROM {where} WHERE table_id = ?", old)
            connection.executemany("DELETE FROM tables WHERE id = ?", old)
            return len(old)

        return await self._run(work)

    async def load(self, table: str) -> Kept | None:
        """A table as it is kept, or None."""

        def work(connection: sqlite3.Connection) -> Kept | None:
            row = connection.execute(
                "SELECT rules, started, host, away, undone_deal, hints, game FROM tables WHERE id = ?", (table,)
            ).fetchone()
            if row is None:
                return None
            sitters = connection.execute(
                "SELECT seat, name, kind, token_hash, level, owner_name, owner_hash FROM sitters "
                "WHERE table_id = ? ORDER BY seat",
                (table,),
            ).fetchall()
            moves = connection.execute("SELECT move FROM moves WHERE table_id = ? ORDER BY ply", (table,)).fetchall()
            document, started, host, away, undone_deal, hints, game = row
            return Kept(
                from_json(document, Rules),
                bool(started),
                host,
                away,
                undone_deal,
                hints,
                game,
                tuple((seat, Sitter(*sitter)) for seat, *sitter in sitters),
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


def _add_columns(connection: sqlite3.Connection) -> None:
    for table, columns in _ADDED.items():
        there = {name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")}
        for name, declared in columns.items():
            if name not in there:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {declared}")


def _seat(connection: sqlite3.Connection, table: str, sitters: Sequence[tuple[int, Sitter]]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO sitters (table_id, seat, name, kind, token_hash, level, owner_name, owner_hash) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (table, seat, each.name, each.kind, each.token_hash, each.level, each.owner_name, each.owner_hash)
            for seat, each in sitters
        ],
    )
