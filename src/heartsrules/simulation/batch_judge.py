"""Many records judged: here, in processes, or on a cluster.

`verify_all` judges records. `written_in_text`, `read_written` and `judge_written` read and judge what is written in
files; the process that judges a game parses it, too.
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
    "read_written",
    "verify_all",
    "written_in_text",
]

_T = TypeVar("_T")
_R = TypeVar("_R")


@attrs.frozen
class Judgement:
    """What the rules say of a record, in short: a `Verdict` without its state."""

    moves: int
    """How many of its moves are legal, from the first on."""
    finished: bool
    """Whether these play the game to its end."""
    failure: RefusedMove | ScoreMismatch | None
    """What is wrong first; None: all is well."""
    line: int | None = attrs.field(default=None, repr=False)
    """The line of its file, from 1, on which a refused move stands; None where `judge_written` read no such line."""

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return self.failure is None


def judge_record(record: Record) -> Judgement:
    """Judge a record as `verify` does, and forget its states.

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
    """Judge records one after the other, in their order, as `verify` does.

    Records are taken only as they are needed, a bounded number of them before their judgements are given out.

    Args:
        records: the records.
        executor: who judges: an executor, such as `heartsrules.simulation.executors.Processes`, or one that is
            `Chunked`. None: this process.

    Returns:
        An iterator of judgements. It may be closed before its end.

    Raises:
        WorkFailed: workers died, or could not be reached, as often as a chunk was tried.
        TypeError: an argument has the wrong type, something is not a record, or its moves hold something that is not a
            move.
    """
    if not isinstance(records, Iterable):
        wrong_type("records", "an iterable of Record", records)
    if executor is None:
        return map(judge_record, records)
    return in_portions(_judge_all, records, executor)


def in_portions(
    work: Callable[[Sequence[_T]], Sequence[_R]], items: Iterable[_T], executor: Executor | Chunked
) -> Iterator[_R]:
    """The results of `work` for each item, in the order of the items; it is given several items at a time.

    Errors are those of `verify_all`.
    """
    return _portions_done(work, items, Chunked.of(executor))


def _portions_done(work: Callable[[Sequence[_T]], Sequence[_R]], items: Iterable[_T], chunked: Chunked) -> Iterator[_R]:
    pace = chunked.pace()

    def portions() -> Iterator[_Portion[_T]]:
        first = 0
        for batch in batches(items, pace):
            yield _Portion(first, batch)
            first += len(batch)

    job = partial(_on_portion, work)
    in_flight = chunked.most_in_flight
    with closing(
        run(job, portions(), chunked.executor, in_flight=in_flight, in_order=True, describe=_describe)
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


def _describe(portion: _Portion[Any]) -> str:
    return f"the chunk of records {portion.first} to {portion.first + len(portion.items) - 1}"


# ---------------------------------------------------------------------------------------------------------------
# What is written in files


@attrs.frozen
class Unreadable:
    """A place in a file where a record should stand and cannot be read."""

    message: str
    line: int | None = None
    """From 1."""
    column: int | None = None
    """From 1."""

    def __str__(self) -> str:
        return self.message

    @property
    def place(self) -> str:
        """Where in the file it is, if that is known."""
        if self.line is None:
            return ""
        return f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"


@attrs.frozen
class WrittenGame:
    """Lines of a text up to where the next game begins, without their ends."""

    line: int
    """The number of the first of them in its file, from 1."""
    lines: tuple[str, ...]
    next_header: str | None
    """The word with which the next game begins; None: the text ends."""


@attrs.frozen
class WrittenJson:
    """A JSON document that has not been read."""

    line: int
    """The number of its first line in its file, from 1."""
    data: bytes
    """The document itself."""


Written: TypeAlias = WrittenGame | WrittenJson | Record | Unreadable
"""What stands in a file, read or not; a text may hold no record, or several."""


def written_in_text(lines: Iterable[str], most: int = MAX_GAME) -> Iterator[Written]:
    """Cut a text where its games begin; they are parsed by whoever reads them.

    What comes out of `read_written` together is what `scan_records` gives.

    Args:
        lines: the lines, without their ends.
        most: the characters to hold at a time. What is longer is not a game that could be read, and is parsed here from
            there on.
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
        # A file that cannot be read any further: what stands before that counts, and a game that is cut off does not.
        rest = _failing(error)
    for item in scan_records(chain(held, rest)):
        yield _unreadable(item, first) if isinstance(item, InvalidNotation) else item


def _failing(error: Exception) -> Iterator[str]:
    raise error
    yield  # makes this a generator: it raises when its first line is asked for


def _unreadable(error: InvalidNotation, first: int) -> Unreadable:
    return Unreadable(error.reason, error.line + first - 1, error.column)


def read_written(written: Written) -> Iterator[Record | Unreadable]:
    """The records of a part of a file, and what cannot be read of it as a value in its place.

    Raises:
        MissingExtra: it is JSON, and the extra `json` is missing.
    """
    if isinstance(written, WrittenGame):
        lines = written.lines if written.next_header is None else (*written.lines, written.next_header)
        found = list(scan_records(lines))
        if written.next_header is not None:
            # Where a game is cut short, the beginning of the next one is what ends it, and so the place of the error.
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


Tags: TypeAlias = tuple[tuple[str, str], ...]
"""The tags of a record, as in `Record.tags`."""


def judge_written(portion: Sequence[Written]) -> list[list[tuple[Tags, Judgement | Unreadable]]]:
    """Read and judge parts of files: for each part, the tags of each of its records, and what the rules say of it."""
    return [
        [
            (item.tags, _judge(item, written)) if isinstance(item, Record) else ((), item)
            for item in read_written(written)
        ]
        for written in portion
    ]


def _judge(record: Record, written: Written) -> Judgement:
    """Judge a record as `judge_record` does, and find a refused move again in the text that it was read from."""
    judgement = judge_record(record)
    if isinstance(written, WrittenGame) and isinstance(judgement.failure, RefusedMove):
        line = line_of_move(written.lines, judgement.failure.index)
        if line is not None:
            return attrs.evolve(judgement, line=written.line + line - 1)
    return judgement
