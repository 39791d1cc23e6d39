"""Judge many records, in this process, in others, or on a cluster.

`verify_all` judges records. `written_in_text`, `read_written` and `judge_written` read and judge files; each game is
parsed by the process that judges it.
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
    """The result of judging a record: a `Verdict` without its state."""

    moves: int
    """The number of legal moves before the first failure."""
    finished: bool
    """Whether the legal moves reach the end of the game."""
    failure: RefusedMove | ScoreMismatch | None
    """The first failure; None: the record is valid."""
    line: int | None = attrs.field(default=None, repr=False)
    """The line of the failure in its file, from 1; None if it is not known."""

    @property
    def valid(self) -> bool:
        """Whether there is no failure."""
        return self.failure is None

    def __str__(self) -> str:
        return verdict_text(self.failure, self.finished, self.moves, self.line)


def judge_record(record: Record) -> Judgement:
    """Judge a record with `verify`, without keeping the states.

    >>> from heartsrules import Rules
    >>> judge_record(Record(rules=Rules()))
    Judgement(moves=0, finished=False, failure=None)

    Raises:
        TypeError: as `verify`.
    """
    verdict = verify(record)
    return Judgement(verdict.plies, verdict.finished, verdict.failure)


def _judge_all(records: Sequence[Record]) -> list[Judgement]:
    return [judge_record(record) for record in records]


def verify_all(records: Iterable[Record], *, executor: Executor | Chunked | None = None) -> Iterator[Judgement]:
    """Judge records in order, as `verify` does.

    Records are read lazily: at most a bounded number ahead of the judgements.

    Args:
        records: the records.
        executor: an executor, such as `heartsrules.simulation.executors.Processes`, or a `Chunked` one; None: this
            process.

    Returns:
        An iterator of judgements, which may be closed early.

    Raises:
        WorkFailed: workers died, or could not be reached, at every attempt for a chunk.
    """
    return in_portions(_judge_all, records, executor)


def in_portions(
    work: Callable[[Sequence[_T]], Sequence[_R]],
    items: Iterable[_T],
    executor: Executor | Chunked | None,
    name: str = "records",
) -> Iterator[_R]:
    """Apply `work` to portions of the items, and yield its results in the order of the items.

    Errors are those of `verify_all`; they call the items by `name`. Without an executor this process does the work.
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
    """A record of a file that cannot be read."""

    message: str
    line: int | None = None
    """The line in the file, from 1; None if it is not known."""
    column: int | None = None
    """The column, from 1; None if it is not known."""

    def __str__(self) -> str:
        return self.message

    @property
    def place(self) -> str:
        """The line and column as text; empty if they are not known."""
        if self.line is None:
            return ""
        return f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"


@attrs.frozen
class WrittenGame:
    """The text of one game, not parsed yet."""

    line: int
    """The number of its first line in its file, from 1."""
    text: str
    """The text, from its header on."""
    next_header: str | None
    """The header that begins the next game; None at the end of the text."""


@attrs.frozen
class WrittenJson:
    """A JSON document, not parsed yet."""

    line: int
    """The number of its first line in its file, from 1."""
    data: bytes
    """The document."""


Written: TypeAlias = WrittenGame | WrittenJson | GameRows | Record | Unreadable
"""A part of a file, parsed or not; a text may hold no record, or several."""


def written_in_text(pieces: Iterable[str]) -> Iterator[Written]:
    """Split a text where games begin, without parsing them.

    `read_written` of all parts yields what `scan_records` yields of the text. Only what belongs to no game, or is too
    long for one, is parsed here.

    Args:
        pieces: the text, cut anywhere.
    """
    splitter = _Splitter()
    try:
        for lines in whole_lines(pieces):
            yield from splitter.split(lines)
    except Exception:
        # The text cannot be read any further: complete games before that count, the unfinished one does not.
        yield from splitter.read_held()
        raise
    yield from splitter.end()


_BETWEEN: Final = re.compile(rf"\n*+(?:\ufeff?[{BLANKS_IN_LINE}]*+(?:[%#][^\n]*+)?\n++)*+")
"""Lines that stand between games: blank lines and notes."""


_WORD: Final = re.compile("[Hh][Ee][Aa][Rr][Tt][Ss]/")


def _headers(lines: str) -> Iterator[re.Match[str]]:
    """The beginnings of games. To search for a word is faster than to search for lines that begin so."""
    word = _WORD.search(lines)
    while word:
        header = HEADER.match(lines, lines.rfind("\n", 0, word.start()) + 1)
        if header:
            yield header
        word = _WORD.search(lines, lines.index("\n", word.end()))


class _Splitter:
    """Splits lines where games begin."""

    def __init__(self) -> None:
        self._line = 1
        """The number of the next line."""
        self._held: list[str] = []
        """The lines of a game."""
        self._first = 1
        """The number of the first of them."""
        self._size = 0
        self._reader: Final = RecordReader()
        """Reads all that is not held."""

    def split(self, lines: str) -> Iterator[Written]:
        """The parts that end in these lines."""
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
        """Add lines none of which begins a game."""
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
        """Read the lines that are held, and hold no more of the game."""
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
        """The part that ends where the next game begins, or with the text."""
        if self._held:
            yield WrittenGame(self._first, "".join(self._held), header)
        yield from map(_item, self._reader.end())
        self._reader.skipping = False


def _item(item: Record | InvalidNotation, first: int = 1) -> Record | Unreadable:
    """What has been read of a text whose first line has this number in its file."""
    if isinstance(item, InvalidNotation):
        return Unreadable(item.reason, item.line + first - 1, item.column)
    return item


def read_written(written: Written) -> Iterator[Record | Unreadable]:
    """Read the records of a part of a file, with an `Unreadable` for each that cannot be read.

    Raises:
        MissingExtra: it is JSON or a row, and the extra `json` is missing.
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
    """Parts of a file that have one record each. A game is only parsed if something may stand behind its result."""
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
    """Whether a game has no result, or nothing behind the only word that may begin one."""
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
    """Read and judge parts of files: for each part, the tags and the judgement of each record."""
    return [
        [
            (item.tags, _judge(item, written)) if isinstance(item, Record) else ((), item)
            for item in read_written(written)
        ]
        for written in portion
    ]


def _judge(record: Record, written: Written) -> Judgement:
    """Judge a record as `judge_record` does, and find the line of its failure."""
    judgement = judge_record(record)
    if isinstance(written, WrittenGame) and judgement.failure is not None:
        line = line_of(written.text, judgement.failure)
        if line is not None:
            return attrs.evolve(judgement, line=written.line + line - 1)
    return judgement
