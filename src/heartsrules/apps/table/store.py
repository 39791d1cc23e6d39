"""A server's database: a SQLite file, written in a thread.

A move is on disk before it is sent to anyone, so that a killed server loses none. All waiting jobs are written in one
transaction, so that many tables cost little more than one.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import Deal, Move, Rules, Seat, State
from heartsrules.apps.table.log import Note
from heartsrules.apps.table.messages import TableConfig
from heartsrules.apps.table.seats import TableSeat
from heartsrules.apps.table.storage import Kept, StorageError, UnreadableTable, note_document, readable, stored_entry
from heartsrules.formats.wire import from_json, to_json

T = TypeVar("T")

_log: Final = logging.getLogger("heartsrules.apps.table")
_VERSION: Final = 3
"""Version of the schema, in `PRAGMA user_version`."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    rules BLOB NOT NULL,
    started INTEGER NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0,
    touched INTEGER NOT NULL,
    host INTEGER,
    away INTEGER,
    hints TEXT NOT NULL,
    game TEXT NOT NULL,
    start BLOB
) STRICT;
CREATE TABLE IF NOT EXISTS seats (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    state BLOB NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moves (
    table_id TEXT NOT NULL REFERENCES tables (id),
    ply INTEGER NOT NULL,
    move BLOB NOT NULL,
    PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables (id),
    entry BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS notes_of_table ON notes (table_id);
"""

_Statement: TypeAlias = tuple[str, tuple[Any, ...]]
_read_seat: Final = msgspec.json.Decoder(TableSeat)
_write: Final = msgspec.json.Encoder()


class DatabaseInUse(OSError):
    """Another server uses the database."""


class WrongVersion(sqlite3.DatabaseError):
    """The database was written by another version of this program."""


class DamagedDatabase(sqlite3.DatabaseError):
    """The database lacks a table or a column, or has one of another type."""


def lock_database(path: Path) -> sqlite3.Connection:
    """Lock a database for one server, until the connection is closed or the process ends.

    The lock is a transaction on an empty file next to the database, so that backups can be made while the server runs.
    Links to the database lead to the same lock.

    Raises:
        DatabaseInUse: another server has locked it.
        sqlite3.Error: the file cannot be written.
        ValueError: no file can have this name.
    """
    connection = sqlite3.connect(f"{path.resolve()}-lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise DatabaseInUse(f"another server uses the database {str(path)[:200]!r}") from None
    return connection


def check_version(connection: sqlite3.Connection) -> None:
    """Check that a database is new, or has the tables of this version.

    Raises:
        WrongVersion: it was written by another version of this program.
        DamagedDatabase: it lacks a table or a column, or has one of another type.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    found = _parts(connection)
    if not found and not version:
        return
    if version != _VERSION:
        raise WrongVersion("the database is of another version of heartsrules: name another file")
    with closing(sqlite3.connect(":memory:")) as new:
        new.executescript(_SCHEMA)
        missing = _parts(new) - found
    if missing:
        raise DamagedDatabase(
            f"the database lacks {', '.join(sorted(missing))}: restore a backup, or name another file"
        )


def _parts(connection: sqlite3.Connection) -> set[str]:
    """Return a database's declared columns. A column of a table that is not strict has no type."""
    rows = connection.execute(
        """
        SELECT t.name || '.' || c.name || iif(t.strict, ' ' || c.type, '') || iif(c."notnull", ' NOT NULL', '')
        FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
        WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
        """
    )
    return {part for (part,) in rows}


@attrs.frozen
class _Job:
    work: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]


class Store:
    """The database. Its methods must be awaited in the event loop in which it was started."""

    def __init__(self, path: Path, date: Callable[[], int]) -> None:
        self._path = path
        self._date = date
        self._jobs: list[_Job] = []
        self._writing: asyncio.Task[None] | None = None
        self._connection: sqlite3.Connection
        self._lock: sqlite3.Connection | None = None

    async def start(self) -> None:
        """Lock and open the database, and create its tables if it is new.

        It raises the errors of `lock_database` and `check_version`.
        """
        lock = lock_database(self._path)
        # One thread at a time uses the connection.
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection)
        except sqlite3.Error:
            connection.close()
            lock.close()
            raise
        self._connection, self._lock = connection, lock

    async def stop(self) -> None:
        """Write all waiting jobs, close the database and unlock it."""
        if self._writing is not None:
            await self._writing
        if self._lock is not None:
            self._connection.close()
            self._lock.close()

    def _submit(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.append(_Job(work, future))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return future

    async def _write(self) -> None:
        """Do the jobs in a thread, including those that arrive meanwhile."""
        while self._jobs:
            jobs, self._jobs = self._jobs, []
            _settle(await asyncio.to_thread(_do, self._connection, jobs))

    # --------------------------------------------------------------------------------------------------- the jobs

    def _execute(self, *statements: _Statement) -> asyncio.Future[None]:
        def work(connection: sqlite3.Connection) -> None:
            for statement, values in statements:
                connection.execute(statement, values)

        return self._submit(work)

    async def open(self, table: str, config: TableConfig, seats: Sequence[TableSeat], started: bool) -> None:
        start = None if config.start is None else to_json(config.start)
        row = (
            *(table, to_json(config.rules), started, self._date()),
            *(config.host, config.away, config.hints, config.game, start),
        )
        insert = (
            "INSERT INTO tables (id, rules, started, touched, host, away, hints, game, start) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        await self._execute((insert, row), *_seated(table, enumerate(seats)))

    async def seat(self, table: str, seats: Sequence[tuple[Seat, TableSeat]], started: bool = False) -> None:
        touch = "UPDATE tables SET touched = ?, started = started OR ? WHERE id = ?"
        await self._execute(*_seated(table, seats), (touch, (self._date(), started, table)))

    async def host(self, table: str, host: Seat | None) -> None:
        await self._execute(("UPDATE tables SET host = ? WHERE id = ?", (host, table)))

    async def append(self, table: str, ply: int, move: Move, finished: bool) -> None:
        changes: list[_Statement] = [
            ("INSERT INTO moves (table_id, ply, move) VALUES (?, ?, ?)", (table, ply, to_json(move)))
        ]
        if finished or isinstance(move, Deal):
            end = "UPDATE tables SET finished = ?, touched = ? WHERE id = ?"
            changes.append((end, (finished, self._date(), table)))
        await self._execute(*changes)

    async def take_back(self, table: str, ply: int) -> None:
        await self._execute(("DELETE FROM moves WHERE table_id = ? AND ply >= ?", (table, ply)))

    def note(self, table: str, ply: int, deal: int, note: Note) -> None:
        insert = "INSERT INTO notes (table_id, entry) VALUES (?, ?)"
        self._execute((insert, (table, note_document(ply, deal, note)))).add_done_callback(_log_failure)

    async def forget(self, before: int, finished_before: int, kept: Collection[str]) -> int:
        def work(connection: sqlite3.Connection) -> int:
            rows = connection.execute(
                "SELECT id FROM tables WHERE touched < ? OR (finished AND touched < ?)", (before, finished_before)
            ).fetchall()
            old = [(table,) for (table,) in rows if table not in kept]
            for where in ("moves", "seats", "notes"):
                connection.executemany(f"DELETE FROM {where} WHERE table_id = ?", old)
            connection.executemany("DELETE FROM tables WHERE id = ?", old)
            return len(old)

        return await self._submit(work)

    async def load(self, table: str) -> Kept | None:
        def work(connection: sqlite3.Connection) -> Kept | None:
            row = connection.execute(
                "SELECT rules, host, away, hints, game, start, started FROM tables WHERE id = ?", (table,)
            ).fetchone()
            if row is None:
                return None
            seats, moves, notes = [
                connection.execute(
                    f"SELECT {order}, {column} FROM {where} WHERE table_id = ? ORDER BY {order}", (table,)
                ).fetchall()
                for column, where, order in (
                    ("state", "seats", "seat"),
                    ("move", "moves", "ply"),
                    ("entry", "notes", "id"),
                )
            ]
            for name, numbered in (("a seat", seats), ("a move", moves)):
                if [number for number, _ in numbered] != list(range(len(numbered))):
                    raise UnreadableTable(f"{name} is missing")
            rules, host, away, hints, game, start, started = row
            begun = None if start is None else from_json(start, State)
            config = TableConfig(from_json(rules, Rules), host, away, hints, game, begun)
            made = tuple(from_json(move, Move) for _, move in moves)
            try:
                sitting = tuple(_read_seat.decode(state) for _, state in seats)
                entries = tuple(stored_entry(entry) for _, entry in notes)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                raise UnreadableTable("a seat or a note") from None
            return readable(Kept(config, bool(started), sitting, made, entries))

        return await self._submit(work)


_Done: TypeAlias = list[tuple[asyncio.Future[Any], Any, Exception | None]]


def _prepare(connection: sqlite3.Connection) -> None:
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    check_version(connection)
    connection.executescript(_SCHEMA)
    connection.execute(f"PRAGMA user_version = {_VERSION}")


def _do(connection: sqlite3.Connection, jobs: Sequence[_Job]) -> _Done:
    """Do all jobs in one transaction, rolling back only failed ones."""
    done: _Done = []
    try:
        connection.execute("BEGIN IMMEDIATE")
        for job in jobs:
            connection.execute("SAVEPOINT job")
            try:
                done.append((job.future, job.work(connection), None))
            except Exception as error:  # it is raised where the job is awaited
                connection.execute("ROLLBACK TO job")
                done.append((job.future, None, _storage_error(error)))
            connection.execute("RELEASE job")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return [(job.future, None, _storage_error(error)) for job in jobs]
    return done


def _storage_error(error: Exception) -> Exception:
    """Convert a SQLite error to one that does not depend on the kind of storage."""
    if not isinstance(error, sqlite3.Error):
        return error
    failed = StorageError("the database has failed")
    failed.__cause__ = error
    return failed


def _settle(done: _Done) -> None:
    for future, result, error in done:
        if future.cancelled():
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)


def _log_failure(future: asyncio.Future[None]) -> None:
    if not future.cancelled() and future.exception() is not None:
        _log.error("a note could not be stored", exc_info=future.exception())


def _seated(table: str, seats: Iterable[tuple[Seat, TableSeat]]) -> Iterator[_Statement]:
    insert = "INSERT OR REPLACE INTO seats (table_id, seat, state) VALUES (?, ?, ?)"
    for seat, state in seats:
        yield insert, (table, seat, _write.encode(attrs.evolve(state, stand_in=False)))
