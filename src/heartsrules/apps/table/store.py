"""A server's database: a SQLite file, written in a thread.

A move is on disk before it is sent to anyone, so that a killed server loses none.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import attrs

from heartsrules.apps.table.storage import Life, Part, Storage, StorageError

T = TypeVar("T")

_VERSION: Final = 4
"""Version of the schema, in `PRAGMA user_version`."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    touched INTEGER NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS parts (
    table_id TEXT NOT NULL REFERENCES tables (id),
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    document BLOB NOT NULL,
    PRIMARY KEY (table_id, kind, number)
) STRICT, WITHOUT ROWID;
"""
_LIVES: Final[dict[Life, str]] = {
    "new": "INSERT INTO tables (touched, id) VALUES (?, ?)",
    "active": "UPDATE tables SET touched = ? WHERE id = ?",
    "over": "UPDATE tables SET touched = ?, finished = 1 WHERE id = ?",
}
_PART: Final = """
INTO parts SELECT ?, ?, coalesce(?, (SELECT count(*) FROM parts WHERE table_id = ? AND kind = ?)), ?
"""


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


class Store(Storage):
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

    def write(self, table: str, parts: Iterable[Part], life: Life | None = None) -> asyncio.Future[None]:
        given, date = tuple(parts), self._date()

        def work(connection: sqlite3.Connection) -> None:
            if life is not None:
                connection.execute(_LIVES[life], (date, table))
            for kind, number, document in given:
                verb = "INSERT" if kind == "move" else "REPLACE"
                connection.execute(f"{verb} {_PART}", (table, kind, number, table, kind, document))

        return self._submit(work)

    def read(self, table: str, made: Callable[[Iterable[tuple[str, int, bytes]]], T]) -> asyncio.Future[T]:
        query = "SELECT kind, number, document FROM parts WHERE table_id = ? ORDER BY kind, number"
        return self._submit(lambda connection: made(connection.execute(query, (table,))))

    async def take_back(self, table: str, ply: int) -> None:
        statement = "DELETE FROM parts WHERE table_id = ? AND kind = 'move' AND number >= ?"
        await self._submit(lambda connection: connection.execute(statement, (table, ply)))

    async def forget(self, before: int, finished_before: int, kept: Collection[str]) -> int:
        def work(connection: sqlite3.Connection) -> int:
            rows = connection.execute(
                "SELECT id FROM tables WHERE touched < ? OR (finished AND touched < ?)", (before, finished_before)
            ).fetchall()
            old = [(table,) for (table,) in rows if table not in kept]
            connection.executemany("DELETE FROM parts WHERE table_id = ?", old)
            connection.executemany("DELETE FROM tables WHERE id = ?", old)
            return len(old)

        return await self._submit(work)


_Done: TypeAlias = list[tuple[asyncio.Future[Any], Callable[[], None]]]
"""The futures of jobs, each with a function that settles it."""


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
                done.append((job.future, partial(job.future.set_result, job.work(connection))))
            except Exception as error:  # it is raised where the job is awaited
                connection.execute("ROLLBACK TO job")
                done.append(_failed(job, error))
            connection.execute("RELEASE job")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return [_failed(job, error) for job in jobs]
    return done


def _failed(job: _Job, error: Exception) -> tuple[asyncio.Future[Any], Callable[[], None]]:
    """Settle a job by an error, which does not depend on the kind of storage."""
    if isinstance(error, sqlite3.Error):
        failed = StorageError("the database has failed")
        failed.__cause__, error = error, failed
    return job.future, partial(job.future.set_exception, error)


def _settle(done: _Done) -> None:
    for future, settle in done:
        if not future.cancelled():
            settle()
