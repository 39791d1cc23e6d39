"""Files of the games that a run plays: text in gzip, or Parquet (extra `parquet`), written as a stream."""

from __future__ import annotations

import contextlib
import gzip
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from heartsrules.base.errors import InvalidWire, Problem, in_words
from heartsrules.base.extras import needs
from heartsrules.base.files import check_regular, lock, naming
from heartsrules.formats.notation import format_record
from heartsrules.play.game import Record, moves_of
from heartsrules.play.moves import Move
from heartsrules.play.state import AwaitingDeal, GameOver
from heartsrules.rules import Rules

Kept: TypeAlias = tuple[int, str]
"""The number of a game, and its record as text."""

_FLAGS: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
_BUFFER: Final = 2**20
"""Characters of records that are compressed together."""
_ROWS: Final = 1000
"""Rows of a Parquet file that are read at once."""


class Recorder:
    """The moves of a game, collected deal by deal."""

    def __init__(self, rules: Rules) -> None:
        self._rules: Final = rules
        self._moves: list[Move] = []
        self._end: AwaitingDeal | GameOver | None = None

    def add(self, end: AwaitingDeal | GameOver) -> None:
        """Add the deal that led to this state."""
        self._moves += moves_of(end)
        self._end = end

    def kept(self, number: int) -> Kept:
        """The record of the deals so far, whose tag `Round` is the number."""
        end = self._end
        record = Record(
            rules=self._rules,
            moves=self._moves,
            tags=[("Round", str(number))],
            points=[] if end is None else [row.points for row in end.score_sheet],
            winners=end.winners if isinstance(end, GameOver) else None,
        )
        return number, format_record(record)


class KeptGames:
    """A file to which games are appended. It holds at most a megabyte of them in memory."""

    def __init__(self, path: Path, kept: int) -> None:
        """Lock and open a file after its first `kept` bytes, and drop the others.

        Raises:
            FileInUse: another run writes it.
            InvalidWire: it has fewer bytes, or it is a Parquet file, which cannot be continued.
            MissingExtra: the extra `parquet` is missing.
            OSError: it cannot be written.
        """
        self._path: Final = path
        self._held: list[Kept] = []
        self._size = 0
        self._parquet: Any = None
        if kept and (path.suffix == ".parquet" or not path.exists()):
            raise InvalidWire((Problem.of("lost-games", ("/kept",)),))
        writer: Callable[[IO[bytes]], Any] | None = None
        if path.suffix == ".parquet":
            with needs("parquet", "a Parquet file"):
                import pyarrow
                import pyarrow.parquet
            schema = pyarrow.schema([("game", pyarrow.int64()), ("record", pyarrow.string())])
            writer = partial(pyarrow.parquet.ParquetWriter, schema=schema, compression="zstd")
            self._schema: Final = schema
        with naming(path):
            number = os.open(path, _FLAGS, 0o666)
            try:
                check_regular(os.fstat(number).st_mode)
            except OSError:
                os.close(number)
                raise
            self._file: Final[IO[bytes]] = os.fdopen(number, "r+b")
            try:
                self._open_at(kept)
                if writer is not None:
                    self._parquet = writer(self._file)
            except BaseException:
                self._file.close()
                raise

    def _open_at(self, kept: int) -> None:
        lock(self._file, self._path)
        if os.fstat(self._file.fileno()).st_size < kept:
            raise InvalidWire((Problem.of("lost-games", ("/kept",)),))
        self._file.truncate(kept)
        self._file.seek(kept)

    @staticmethod
    def check(path: Path) -> None:
        """Raise a ValueError if a path has neither of the endings of these files."""
        if path.suffix not in (".gz", ".parquet"):
            raise ValueError(f"{in_words(path.name)}: choose a name that ends in .gz or .parquet")

    def write(self, games: Iterable[Kept]) -> None:
        """Append games."""
        for game in games:
            self._held.append(game)
            self._size += len(game[1])
            if self._size > _BUFFER:
                with naming(self._path):
                    self._write_held()

    def _write_held(self) -> None:
        if self._held and self._parquet is not None:
            import pyarrow

            numbers, records = zip(*self._held, strict=True)
            self._parquet.write_table(pyarrow.table([numbers, records], self._schema))
        elif self._held:
            text = "".join([f"{record}\n" for _, record in self._held])
            self._file.write(gzip.compress(text.encode(), 6, mtime=0))
        self._held, self._size = [], 0

    def flush(self) -> int:
        """Write all games to the disk, and return the length of the file in bytes."""
        if not self._file.closed:
            with naming(self._path):
                self._write_held()
                self._file.flush()
                os.fsync(self._file.fileno())
                self._length = self._file.tell()
        return self._length

    def close(self) -> None:
        """Write all games, and close the file."""
        with naming(self._path):
            self._write_held()
            if self._parquet is not None:
                self._parquet.close()
        self.flush()
        self._file.close()

    def abandon(self) -> None:
        """Close the file after an error, whatever has been written."""
        if self._parquet is not None:
            self._parquet.is_open = False  # so that it does not write when it is collected
        with contextlib.suppress(OSError):
            self._file.close()


def parquet_records(file: Any) -> Iterator[str]:
    """The texts of the column `record` of a Parquet file.

    Raises:
        MissingExtra: the extra `parquet` is missing.
        OSError: the file cannot be read, or has no such column.
    """
    with needs("parquet", "a Parquet file"):
        import pyarrow
        import pyarrow.parquet
    try:
        parquet = pyarrow.parquet.ParquetFile(file)
        if "record" not in parquet.schema_arrow.names:
            raise OSError("it has no column 'record'")
        for batch in parquet.iter_batches(_ROWS, columns=["record"]):
            for text in batch.column(0).to_pylist():
                yield str(text)
    except pyarrow.ArrowException as error:
        raise OSError(str(error)) from None
