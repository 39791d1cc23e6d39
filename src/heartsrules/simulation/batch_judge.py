"""Judge many records, in this process, in others, or on a cluster.

`verify_all` judges records. `written_in_text`, `read_written` and `judge_written` read and judge files; each game is
parsed by the process that judges it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from functools import partial
from itertools import chain
from typing import Any, Generic, TypeAlias, TypeVar

import attrs

from heartsrules.base.errors import InvalidNotation, InvalidWire
from heartsrules.base.values import wrong_type
from heartsrules.formats.notation import MAX_GAME, scan_records
from heartsrules.formats.notation.record import HEADER, line_of_move
from heartsrules.play.game import Record, RefusedMove, ScoreMismatch, verify
from heartsrules.simulation.executors import Chunked, batches, run

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
    """The line of a refused move in its file, from 1; None if it is not known."""

    @property
    def valid(self) -> bool:
        """Whether there is no failure."""
        return self.failure is None


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
    if not isinstance(records, Iterable):
        wrong_type("records", "an iterable of Record", records)
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
    if executor is None:
        return (result for item in items for result in work((item,)))
    return _portions_done(work, items, Chunked.of(executor), name)


def _portions_done(
    work: Callable[[Sequence[_T]], Sequence[_R]], items: Iterable[_T], chunked: Chunked, name: str
) -> Iterator[_R]:
    pace = chunked.pace()

    def portions() -> Iterator[_Portion[_T]]:
        first = 0
        for batch in batches(items, pace):
            yield _Portion(first, batch)
            first += len(batch)

    job = partial(_on_portion, work)
    in_flight = chunked.most_in_flight
    with closing(
        run(job, portions(), chunked.executor, in_flight=in_flight, in_order=True, describe=partial(_describe, name))
    ) as results:
        for done in results:
            pace.record(len(done.chunk.items), done.seconds)
            yield from done.result


@attrs.frozen
class _Portion(Generic[_T]):
    first: int
    items: Sequence[_T]


def _on_portion(work: Callable[[Sequence[_T]], Sequence[_R]], portion: _Portion[_T]) -> Sequence[_R]:
    return work(portion.items)


def _describe(name: str, portion: _Portion[Any]) -> str:
    return f"the chunk of {name} {portion.first} to {portion.first + len(portion.items) - 1}"


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
    """The lines of one game in a text, not parsed yet."""

    line: int
    """The number of the first line in its file, from 1."""
    lines: tuple[str, ...]
    """The lines, without line ends."""
    next_header: str | None
    """The header that begins the next game; None at the end of the text."""


@attrs.frozen
class WrittenJson:
    """A JSON document, not parsed yet."""

    line: int
    """The number of its first line in its file, from 1."""
    data: bytes
    """The document."""


Written: TypeAlias = WrittenGame | WrittenJson | Record | Unreadable
"""A part of a file, parsed or not; a text may hold no record, or several."""


def written_in_text(lines: Iterable[str], most: int = MAX_GAME) -> Iterator[Written]:
    """Split a text where games begin, without parsing them.

    `read_written` of all parts yields what `scan_records` yields.

    Args:
        lines: the lines, without line ends.
        most: the limit on the characters of a part. A longer one cannot be a game, so the rest of the text is parsed
            here.
    """
    held: list[str] = []
    first = number = 1
    size = 0
    source = iter(lines)
    rest: Iterator[str] = source
    try:
        for line in source:
            header = HEADER.match(line)
            if header and held:
                yield WrittenGame(first, tuple(held), header[0])
                held, first, size = [], number, 0
            held.append(line)
            number += 1
            size += len(line) + 1
            if size > most:
                break
        else:
            if held:
                yield WrittenGame(first, tuple(held), None)
            return
    except Exception as error:
        # The file cannot be read any further: complete games before that count, the unfinished one does not.
        rest = _failing(error)
    for item in scan_records(chain(held, rest)):
        yield _unreadable(item, first) if isinstance(item, InvalidNotation) else item


def _failing(error: Exception) -> Iterator[str]:
    raise error
    yield  # makes this a generator: it raises when its first line is asked for


def _unreadable(error: InvalidNotation, first: int) -> Unreadable:
    return Unreadable(error.reason, error.line + first - 1, error.column)


def read_written(written: Written) -> Iterator[Record | Unreadable]:
    """Read the records of a part of a file, with an `Unreadable` for each that cannot be read.

    Raises:
        MissingExtra: it is JSON, and the extra `json` is missing.
    """
    if isinstance(written, WrittenGame):
        lines = written.lines if written.next_header is None else (*written.lines, written.next_header)
        found = list(scan_records(lines))
        if written.next_header is not None:
            # The error in an incomplete game is at the header of the next one.
            found.pop()
        for item in found:
            yield _unreadable(item, written.line) if isinstance(item, InvalidNotation) else item
    elif isinstance(written, WrittenJson):
        from heartsrules.formats.wire import from_json

        try:
            yield from_json(written.data, Record)
        except InvalidWire as error:
            yield Unreadable(str(error), written.line)
    else:
        yield written


def one_by_one(written: Iterable[Written]) -> Iterator[Written]:
    """Parts of a file that have one record each. A game is only parsed if it does not begin with its header."""
    for each in written:
        if isinstance(each, WrittenGame) and not HEADER.match(each.lines[0]):
            yield from read_written(each)
        else:
            yield each


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
    """Judge a record as `judge_record` does, and find the line of a refused move."""
    judgement = judge_record(record)
    if isinstance(written, WrittenGame) and isinstance(judgement.failure, RefusedMove):
        line = line_of_move(written.lines, judgement.failure.index)
        if line is not None:
            return attrs.evolve(judgement, line=written.line + line - 1)
    return judgement
