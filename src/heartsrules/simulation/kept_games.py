"""Games kept from a run, in shards of gzip text or of Parquet (extra `parquet`).

Each shard is a complete file, written in one step.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args

import attrs

from heartsrules.base.errors import InvalidWire, Problem, in_words
from heartsrules.base.extras import needs
from heartsrules.formats.files import LockedFile, check_local, naming
from heartsrules.formats.notation import format_record
from heartsrules.play.game import Record, moves_of
from heartsrules.play.moves import Move
from heartsrules.play.state import AwaitingDeal, GameOver
from heartsrules.rules import Rules
from heartsrules.simulation.columns import COLUMNS, DealRow, GameRows, deal_row, game_rows, schema_of, table_of
from heartsrules.simulation.limits import KeepAs

MAX_DEALS: Final = 100_000
"""Limit on the deals of a shard."""
SECONDS: Final = 60.0
"""The age in seconds at which a shard is closed."""
_ENDINGS: Final = (".gz", ".parquet")
_BUFFER: Final = 2**20
_ROWS_OF_GROUP: Final = 10_000
"""The rows compressed together, which a reader loads at once."""
_ROWS: Final = 1000


@attrs.frozen
class KeptGame:
    """A game to save."""

    number: int
    deals: int
    content: str | tuple[DealRow, ...]
    """The record as text, or the rows."""


@attrs.frozen
class Shard:
    """A complete file of games."""

    name: str
    """The file name without its folder."""
    deals: int
    bytes: int
    """The file size."""
    form: KeepAs
    """The form of the games."""


class Recorder:
    """A collector of a game's deals."""

    def __init__(self, rules: Rules, form: KeepAs) -> None:
        self._rules: Final = rules
        self._form: Final = form
        self._moves: list[Move] = []
        self._rows: list[DealRow] = []
        self._end: AwaitingDeal | GameOver | None = None

    def add(self, end: AwaitingDeal | GameOver) -> None:
        """Add the deal that led to this state."""
        if self._form == "columns":
            self._rows.append(deal_row(len(self._rows), end))
        else:
            self._moves += moves_of(end)
        self._end = end

    def kept(self, number: int) -> KeptGame:
        """Return the deals so far as a game with this number, the tag `Round` of a record."""
        if self._form == "columns":
            return KeptGame(number, len(self._rows), tuple(self._rows))
        end = self._end
        record = Record(
            rules=self._rules,
            moves=self._moves,
            tags=[("Round", str(number))],
            points=[] if end is None else [row.points for row in end.score_sheet],
            winners=end.winners if isinstance(end, GameOver) else None,
        )
        return KeptGame(number, len(record.points), format_record(record))


# ---------------------------------------------------------------------------------------------------------- formats


class Writer:
    """A shard in memory, packed portion by portion."""

    def __init__(
        self, packed: io.BytesIO, pack: Callable[[list[KeptGame]], object], size: Callable[[KeptGame], int], most: int
    ) -> None:
        self._packed: Final = packed
        self._pack: Final = pack
        """A function that adds games to the packed ones, or ends the file if there are none."""
        self._size_of: Final = size
        self._most: Final = most
        """The size of a portion."""
        self._held: list[KeptGame] = []
        self._size = 0

    def write(self, game: KeptGame) -> None:
        """Append a game."""
        self._held.append(game)
        self._size += self._size_of(game)
        if self._size >= self._most:
            self._pack(self._held)
            self._held, self._size = [], 0

    def finished(self) -> bytes:
        """Return the whole file."""
        if self._held:
            self._pack(self._held)
        self._pack([])
        return self._packed.getvalue()


NewShard: TypeAlias = Callable[[], Writer]
"""A function that begins a shard."""
PlayersOf: TypeAlias = Callable[[int], Sequence[str]]
"""A function from a game's number to its players' names, by seat."""


def _text() -> Writer:
    packed = io.BytesIO()

    def pack(games: list[KeptGame]) -> None:
        if games:
            packed.write(gzip.compress("".join([f"{game.content}\n" for game in games]).encode(), 6, mtime=0))

    return Writer(packed, pack, lambda game: len(game.content), _BUFFER + 1)


def _parquet(schema: Any, table: Callable[[list[KeptGame]], Any], rows: Callable[[KeptGame], int]) -> Writer:
    import pyarrow.parquet

    packed = io.BytesIO()
    # Game numbers increase in small steps. Dictionaries pack everything else into a few bits per value.
    file = pyarrow.parquet.ParquetWriter(
        packed,
        schema,
        compression="zstd",
        use_dictionary=[name for name in _leaves(schema) if name != "game"],  # pyright: ignore[reportArgumentType]
        column_encoding={"game": "DELTA_BINARY_PACKED"},
    )
    return Writer(packed, lambda games: file.write_table(table(games)) if games else file.close(), rows, _ROWS_OF_GROUP)


def _leaves(schema: Any) -> list[str]:
    import pyarrow
    import pyarrow.parquet

    empty = io.BytesIO()
    pyarrow.parquet.write_table(schema.empty_table(), empty)
    columns = pyarrow.parquet.ParquetFile(empty).schema
    return [columns.column(place).path for place in range(len(columns))]


def _record_table(rules: Rules, metadata: Mapping[str, str]) -> Writer:
    import pyarrow

    fields = [("game", pyarrow.int64()), ("record", pyarrow.string())]
    schema = pyarrow.schema(fields, schema_of(rules, metadata).metadata)

    def table(games: list[KeptGame]) -> Any:
        return pyarrow.table([[game.number for game in games], [game.content for game in games]], schema)

    return _parquet(schema, table, lambda _: 1)


def _deal_table(rules: Rules, metadata: Mapping[str, str], players_of: PlayersOf) -> Writer:
    schema = schema_of(rules, metadata)

    def table(games: list[KeptGame]) -> Any:
        rows = [(game.number, row) for game in games for row in game.content if isinstance(row, DealRow)]
        numbers = [number for number, _ in rows]
        return table_of(schema, [row for _, row in rows], numbers, [players_of(number) for number in numbers])

    return _parquet(schema, table, lambda game: game.deals)


def writer_of(form: KeepAs, path: Path, rules: Rules, metadata: Mapping[str, str], players_of: PlayersOf) -> NewShard:
    """Return a function that begins a shard.

    The path's ending selects text or Parquet, which has the metadata.
    """
    if path.suffix == ".gz":
        return _text
    if form == "records":
        return lambda: _record_table(rules, metadata)
    return lambda: _deal_table(rules, metadata, players_of)


# ----------------------------------------------------------------------------------------------------------- shards


def check_keep(path: Path, form: str | None = None) -> None:
    """Raise ValueError unless a path can name shards with games of this form."""
    check_local("keep", path)
    if path.suffix not in _ENDINGS:
        raise ValueError(f"{in_words(path.name)}: choose a name that ends in .gz or .parquet")
    if form not in (None, *get_args(KeepAs)):
        raise ValueError(f"keep_as is {in_words(form)}: choose columns or records")
    if form == "columns" and path.suffix == ".gz":
        raise ValueError(f"{in_words(path.name)} cannot have columns: choose a name that ends in .parquet, or records")


def _parts_of_name(path: Path) -> tuple[str, str]:
    ending = ".hearts.gz" if path.name.endswith(".hearts.gz") else path.suffix
    return path.name.removesuffix(ending), ending


def shard_name(path: Path, number: int) -> str:
    """Return the name of a shard.

    >>> shard_name(Path("night/games.hearts.gz"), 7), shard_name(Path("deals.parquet"), 0)
    ('games-00007.hearts.gz', 'deals-00000.parquet')
    """
    stem, ending = _parts_of_name(path)
    return f"{stem}-{number:05}{ending}"


def is_shard(path: Path, name: str) -> bool:
    """Return True if a file has the name of a shard of this path."""
    stem, ending = map(re.escape, _parts_of_name(path))
    return re.fullmatch(rf"{stem}-[0-9]{{5,}}{ending}", name) is not None


class KeptGames:
    """The shards of a part of a run, the last of which is open in memory.

    `finish` writes the open shard under a hidden name, and `publish` gives it its own name once the part's document
    names it.
    """

    def __init__(
        self, path: Path, form: KeepAs, new_shard: NewShard, shards: Iterable[Shard] = (), card: str = ""
    ) -> None:
        """Lock the path, and find the shards named by the part.

        `card` is the text of `README.md`, written with the first shard unless it is empty or the folder has one.

        Raises:
            FileExistsError: other files have the names of shards.
            FileInUse: another run keeps games there.
            InvalidWire: a shard is missing, or has another size.
            MissingExtra: the extra `parquet` is missing.
            OSError: the folder cannot be read or written.
        """
        if path.suffix == ".parquet":
            with needs("parquet", "a Parquet file"):
                import pyarrow.parquet  # noqa: F401
        self._form: Final = form
        self._new_shard: Final = new_shard
        self._card: Final = card
        self._shards: list[Shard] = list(shards)
        self._pending: list[Shard] = []
        """Shards under a hidden name."""
        self._writer: Writer | None = None
        self._deals = 0
        self._due = 0.0
        self._lock: Final = LockedFile(path)
        self._path: Final = self._lock.path
        try:
            self._find()
            self._write_card()
        except BaseException:
            self._lock.close()
            raise

    def _find(self) -> None:
        named = {shard.name for shard in self._shards}
        for name in sorted([each.name for each in self._path.parent.iterdir()]):
            hidden = name.removeprefix(".").removesuffix(".new")
            if is_shard(self._path, name) and name not in named:
                raise _is_there(self._path.with_name(name))
            if name == f".{hidden}.new" and is_shard(self._path, hidden) and hidden not in named:
                self._path.with_name(name).unlink()
        for shard in self._shards:
            place, hidden_place = self._path.with_name(shard.name), self._hidden(shard)
            with contextlib.suppress(FileNotFoundError):
                if not place.exists() and hidden_place.stat().st_size == shard.bytes:
                    hidden_place.rename(place)
            if not is_shard(self._path, shard.name) or not place.is_file() or place.stat().st_size != shard.bytes:
                raise InvalidWire((Problem.of("lost-games", ("/shards",), name=shard.name),))
            hidden_place.unlink(missing_ok=True)

    def _hidden(self, shard: Shard) -> Path:
        return self._path.with_name(f".{shard.name}.new")

    @property
    def is_due(self) -> bool:
        """True if the open shard is full or old."""
        return self._writer is not None and (self._deals >= MAX_DEALS or time.monotonic() >= self._due)

    def has_room(self, games: Iterable[KeptGame]) -> bool:
        """Return True if the open shard can take all these games, or is empty."""
        return not self._deals or self._deals + sum([game.deals for game in games]) <= MAX_DEALS

    def write(self, games: Iterable[KeptGame]) -> None:
        """Append games to the open shard, and begin others when it is full."""
        for game in games:
            if not self.has_room([game]):
                self._finish_open()
            if self._writer is None:
                self._writer = self._new_shard()
                self._due = time.monotonic() + SECONDS
            self._writer.write(game)
            self._deals += game.deals

    def _finish_open(self) -> None:
        if self._writer is None:
            return
        data = self._writer.finished()
        shard = Shard(shard_name(self._path, len(self._shards)), self._deals, len(data), self._form)
        with naming(self._path.with_name(shard.name)):
            if self._path.with_name(shard.name).exists():
                raise _is_there(self._path.with_name(shard.name))
            with self._hidden(shard).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        self._shards.append(shard)
        self._pending.append(shard)
        self._writer, self._deals = None, 0

    def finish(self) -> tuple[Shard, ...]:
        """Write the open shard under a hidden name, and return all shards."""
        self._finish_open()
        return tuple(self._shards)

    def publish(self) -> None:
        """Give the finished shards their names."""
        self._write_card()
        for shard in self._pending:
            place = self._path.with_name(shard.name)
            with naming(place):
                if place.exists():
                    raise _is_there(place)
                self._hidden(shard).rename(place)
        self._pending = []

    def _write_card(self) -> None:
        if not self._card or not self._shards:
            return
        place, hidden = (self._path.with_name(name) for name in ("README.md", ".README.md.new"))
        with naming(place):
            if not place.exists():
                hidden.write_text(self._card, encoding="utf-8", newline="\n")
                hidden.rename(place)
            hidden.unlink(missing_ok=True)

    def close(self) -> None:
        """Release the path, and discard the open shard."""
        self._lock.close()


def _is_there(path: Path) -> FileExistsError:
    reason = "The file exists already, and is not a shard of this part: remove it, or choose another name"
    return FileExistsError(errno.EEXIST, reason, str(path))


def parquet_games(file: Any) -> Iterator[str | GameRows]:
    """Read the games of a Parquet file as text records or rows.

    Raises:
        MissingExtra: the extra `parquet` is missing.
        OSError: the file cannot be read, or has other columns.
    """
    with needs("parquet", "a Parquet file"):
        import pyarrow
        import pyarrow.parquet
    try:
        parquet = pyarrow.parquet.ParquetFile(file)
        names = set(parquet.schema_arrow.names)
        if "record" in names:
            for batch in parquet.iter_batches(_ROWS, columns=["record"]):
                yield from map(str, batch.column(0).to_pylist())
        elif names >= COLUMNS:
            yield from game_rows(parquet)
        else:
            missing = ", ".join(sorted(COLUMNS - names))
            raise OSError(f"it has no column 'record', and not all columns of deals: {missing} missing")
    except pyarrow.ArrowException as error:
        raise OSError(str(error)) from None
