"""Verification of many records, on this machine or on a cluster.

`verify_all` verifies records; `read_written` and `judge_written` read and verify files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from functools import partial
from typing import Final, Generic, TypeAlias, TypeVar

import attrs

from heartsrules.base.errors import InvalidNotation, InvalidWire
from heartsrules.formats.notation import MAX_GAME, MAX_LINE, scan_records
from heartsrules.formats.notation.record import HEADER, RecordReader, line_of, lines_of, whole_lines
from heartsrules.formats.notation.scan import BLANKS_IN_LINE
from heartsrules.play.game import Record, RefusedMove, ScoreMismatch, verdict_text, verify
from heartsrules.simulation.columns import GameRows, game_record
from heartsrules.simulation.executors import Chunked, Job, batches, described, run

__all__ = [
    "Judgement",
    "Tags",
    "Unreadable",
    "Written",
    "WrittenGame",
    "WrittenJson",
    "in_portions",
    "judge_record",
    "judge_written",
    "one_by_one",
    "read_written",
    "verify_all",
    "written_in_text",
]
__dir__ = __all__.copy

_T = TypeVar("_T")
_R = TypeVar("_R")


@attrs.frozen
class Judgement:
    """The result of verifying a record, like a `Verdict` without its state.

    Attributes:
        moves: the number of legal moves before the first failure.
        finished: True if the legal moves reach the end of the game.
        failure: the first failure, or None for a valid record.
        line: the failure's line in its file, from 1, or None if unknown.
    """

    moves: int
    finished: bool
    failure: RefusedMove | ScoreMismatch | None
    line: int | None = attrs.field(default=None, repr=False)

    @property
    def valid(self) -> bool:
        """True if there is no failure."""
        return self.failure is None

    def __str__(self) -> str:
        return verdict_text(self.failure, self.finished, self.moves, self.line)


def judge_record(record: Record) -> Judgement:
    """Verify a record with `verify`, without keeping the states.

    >>> from heartsrules import Rules
    >>> judge_record(Record(rules=Rules()))
    Judgement(moves=0, finished=False, failure=None)

    Raises:
        TypeError: as in `verify`.
    """
    verdict = verify(record)
    return Judgement(verdict.plies, verdict.finished, verdict.failure)


def _judge_all(records: Sequence[Record]) -> list[Judgement]:
    return [judge_record(record) for record in records]


def verify_all(records: Iterable[Record], *, executor: Executor | Chunked | None = None) -> Iterator[Judgement]:
    """Verify records in order, as `verify` does.

    Records are read lazily, a bounded number ahead of the judgements.

    Args:
        executor: an executor, such as `heartsrules.simulation.executors.Processes`, or a `Chunked` one. Defaults to
            this process.

    Returns:
        An iterator of judgements, which can be closed early.

    Raises:
        WorkFailed: workers died or could not be reached at every attempt for a chunk.
    """
    return in_portions(_judge_all, records, executor)


def in_portions(
    work: Callable[[Sequence[_T]], Sequence[_R]],
    items: Iterable[_T],
    executor: Executor | Chunked | None,
    name: str = "records",
) -> Iterator[_R]:
    """Apply `work` to portions of items, and yield the results in order.

    Errors are as in `verify_all`, with `name` for the items.
    """
    return _portions_done(work, items, Chunked.of(executor, chunk_alone=1), name)


def _portions_done(
    work: Callable[[Sequence[_T]], Sequence[_R]], items: Iterable[_T], chunked: Chunked, name: str
) -> Iterator[_R]:
    pace = chunked.pace()

    def portions() -> Iterator[_Portion[_T]]:
        first = 0
        for batch in batches(items, pace):
            yield _Portion(range(first, first + len(batch)), batch)
            first += len(batch)

    job = partial(_on_portion, work)
    with closing(run(job, portions(), chunked, in_order=True, describe=partial(described, name))) as results:
        for done in results:
            pace.record(len(done.chunk.items), done.seconds)
            yield from done.result


@attrs.frozen
class _Portion(Job, Generic[_T]):
    items: Sequence[_T]


def _on_portion(work: Callable[[Sequence[_T]], Sequence[_R]], portion: _Portion[_T]) -> Sequence[_R]:
    return work(portion.items)


# ---------------------------------------------------------------------------------------------------------------
# Records in files


@attrs.frozen
class Unreadable:
    """A record in a file that cannot be read.

    Attributes:
        message: the reason.
        line: the line in the file, from 1, or None if unknown.
        column: the column, from 1, or None if unknown.
    """

    message: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return self.message

    @property
    def place(self) -> str:
        """The line and column as text, or "" if unknown."""
        if self.line is None:
            return ""
        return f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"


@attrs.frozen
class WrittenGame:
    """The unparsed text of one game.

    Attributes:
        line: the number of its first line in the file, from 1.
        text: the text from the game's header on.
        next_header: the header that begins the next game, or None at the end of the text.
    """

    line: int
    text: str
    next_header: str | None


@attrs.frozen
class WrittenJson:
    """An unparsed JSON document."""

    line: int
    data: bytes


Written: TypeAlias = WrittenGame | WrittenJson | GameRows | Record | Unreadable
"""A part of a file, parsed or not. A text can contain no record, or several."""


def written_in_text(pieces: Iterable[str]) -> Iterator[Written]:
    """Split a text at the beginnings of games, mostly without parsing it.

    `read_written` for all parts yields the same as `scan_records` for the text, which can be cut anywhere into
    `pieces`.
    """
    splitter = _Splitter()
    try:
        for lines in whole_lines(pieces):
            yield from splitter.split(lines)
    except Exception:
        # The text cannot be read any further. Only the complete games before that count.
        yield from splitter.read_held()
        raise
    yield from splitter.end()


_BETWEEN: Final = re.compile(rf"\n*+(?:\ufeff?[{BLANKS_IN_LINE}]*+(?:[%#][^\n]*+)?\n++)*+")


_WORD: Final = re.compile("[Hh][Ee][Aa][Rr][Tt][Ss]/")


def _headers(lines: str) -> Iterator[re.Match[str]]:
    """Yield the headers of games, searching for a word first, which is faster."""
    word = _WORD.search(lines)
    while word:
        header = HEADER.match(lines, lines.rfind("\n", 0, word.start()) + 1)
        if header:
            yield header
        word = _WORD.search(lines, lines.index("\n", word.end()))


class _Splitter:
    def __init__(self) -> None:
        self._line = 1
        self._held: list[str] = []
        self._first = 1
        self._size = 0
        self._reader: Final = RecordReader()
        """The reader of all lines that are not held."""

    def split(self, lines: str) -> Iterator[Written]:
        at = 0
        for header in _headers(lines):
            yield from self._add(lines[at : header.start()])
            self._reader.text, self._reader.number = header[0], self._line
            yield from self.end(header[0])
            at = lines.index("\n", header.end()) + 1
            self._held = [lines[header.start() : at]]
            self._first, self._size = self._line, len(self._held[0])
            self._line += 1
        yield from self._add(lines[at:])

    def _add(self, lines: str) -> Iterator[Written]:
        first = self._line
        self._line += lines.count("\n")
        if not self._held:
            yield from self._read(lines, first)
            return
        self._held.append(lines)
        self._size += len(lines)
        if self._size > MAX_GAME:
            yield from self.read_held()

    def read_held(self) -> Iterator[Written]:
        held, self._held = self._held, []
        line = self._first
        for lines in held:
            yield from self._read(lines, line)
            line += lines.count("\n")

    def _read(self, lines: str, first: int) -> Iterator[Written]:
        reader = self._reader
        between = reader.game is None and len(lines) <= MAX_LINE and _BETWEEN.fullmatch(lines)
        if between or reader.skipping:
            return
        for number, line in lines_of(lines, MAX_LINE):
            yield from map(_item, reader.line(line, first - 1 + number))

    def end(self, header: str | None = None) -> Iterator[Written]:
        """Yield the part that ends at the next header, or at the end of the text."""
        if self._held:
            yield WrittenGame(self._first, "".join(self._held), header)
        yield from map(_item, self._reader.end())
        self._reader.skipping = False


def _item(item: Record | InvalidNotation, first: int = 1) -> Record | Unreadable:
    if isinstance(item, InvalidNotation):
        return Unreadable(item.reason, item.line + first - 1, item.column)
    return item


def read_written(written: Written) -> Iterator[Record | Unreadable]:
    """Read the records of a part of a file, with an `Unreadable` for each bad one.

    Raises:
        MissingExtra: the part is JSON or a row, and the extra `json` is missing.
    """
    if isinstance(written, WrittenGame):
        found = list(scan_records(written.text + (written.next_header or "")))
        if written.next_header is not None:
            # The error in an incomplete game is at the header of the next one.
            found.pop()
        for item in found:
            yield _item(item, written.line)
    elif isinstance(written, WrittenJson):
        from heartsrules.formats.wire import from_json

        try:
            yield from_json(written.data, Record)
        except InvalidWire as error:
            yield Unreadable(str(error), written.line)
    elif isinstance(written, GameRows):
        try:
            yield game_record(written)
        except (InvalidWire, ValueError) as error:
            yield Unreadable(str(error))
    else:
        yield written


_RESULT: Final = re.compile("[Rr][Ee][Ss][Uu][Ll][Tt]")


def one_by_one(written: Iterable[Written]) -> Iterator[Written]:
    """Yield parts of files with one record each.

    A game is parsed only if text might follow its result.
    """
    for each in written:
        if not isinstance(each, WrittenGame) or _ends_with_result(each.text):
            yield each
            continue
        *records, last = read_written(each)
        if not records:
            yield each
        elif isinstance(last, Unreadable) and last.line is not None:
            lines = each.text.split("\n")[: last.line - each.line]
            yield WrittenGame(each.line, "\n".join(lines), None)
            yield last


def _ends_with_result(text: str) -> bool:
    """Return True unless text follows the game's only possible result."""
    first = _RESULT.search(text)
    if first is None:
        return True
    end = text.find("\n", first.end()) + 1 or len(text)
    if len(text) - end > MAX_LINE or _RESULT.search(text, first.end()):
        return False
    return _BETWEEN.fullmatch(text, end) is not None


Tags: TypeAlias = tuple[tuple[str, str], ...]
"""The tags of a record, as in `Record.tags`."""


def judge_written(portion: Sequence[Written]) -> list[list[tuple[Tags, Judgement | Unreadable]]]:
    """Read and verify parts of files, and yield each part's tags and judgements."""
    return [
        [
            (item.tags, _judge(item, written)) if isinstance(item, Record) else ((), item)
            for item in read_written(written)
        ]
        for written in portion
    ]


def _judge(record: Record, written: Written) -> Judgement:
    judgement = judge_record(record)
    if isinstance(written, WrittenGame) and judgement.failure is not None:
        line = line_of(written.text, judgement.failure)
        if line is not None:
            return attrs.evolve(judgement, line=written.line + line - 1)
    return judgement
