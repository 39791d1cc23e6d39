"""Read records and positions from files and from standard input."""

from __future__ import annotations

import contextlib
import enum
import gzip
import io
import re
import stat
import sys
import typing
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from heartsrules.apps.command_line.messages import extras_needed, wrong_path, wrong_use
from heartsrules.formats.notation import MAX_LINE
from heartsrules.formats.notation.record import lines_of
from heartsrules.play.game import Record
from heartsrules.simulation.batch_judge import Unreadable, Written, WrittenJson, read_written, written_in_text
from heartsrules.simulation.kept_games import parquet_records


class Format(enum.StrEnum):
    """Formats of a file of records."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"


Item: TypeAlias = Record | Unreadable
"""A record, or the error in its place."""
Stream: TypeAlias = io.BufferedReader | gzip.GzipFile
"""The bytes of a file, decompressed."""

_T = typing.TypeVar("_T")

_GZIP: Final = b"\x1f\x8b"
_PARQUET: Final = b"PAR1"
_BOM: Final = b"\xef\xbb\xbf"
_LONGEST_NAME: Final = 200
STDIN: Final = Path("-")
_BUFFER: Final = 2**16

POSITION: Final = re.compile(r"\ufeff?\s*hearts/[0-9]+\s*;", re.IGNORECASE)
"""The beginning of a position. No record begins so."""
_COMMENT: Final = re.compile(r"\ufeff?\s*([%#]|$)")
"""A comment or blank line of a file of positions."""


class Input:
    """A file or standard input."""

    def __init__(self, path: Path) -> None:
        self.name: Final = "(standard input)" if path == STDIN else str(path)
        self.path: Final = path
        self.size: int | None = None
        """Size in bytes; None if unknown, as of a pipe."""
        if path != STDIN:
            status = path.stat()
            self.size = status.st_size if stat.S_ISREG(status.st_mode) else None
        self._raw: io.FileIO | None = None
        self._ended = False

    @property
    def position(self) -> int:
        """The count of bytes that have been read."""
        if self.size is None or self._ended:
            return self.size or 0
        return 0 if self._raw is None else self._raw.tell()

    @contextlib.contextmanager
    def opened(self) -> Iterator[Stream]:
        """Open it; gzip is decompressed."""
        stream: io.BufferedReader
        with contextlib.ExitStack() as stack:
            if self.path == STDIN:
                stdin = sys.stdin.buffer
                # A replacement may have no buffer to peek into.
                raw = typing.cast("io.RawIOBase", stdin)
                stream = stdin if isinstance(stdin, io.BufferedReader) else io.BufferedReader(raw)
            else:
                self._raw = stack.enter_context(self.path.open("rb", buffering=0))
                stream = io.BufferedReader(self._raw, _BUFFER)
            if stream.peek(len(_GZIP)).startswith(_GZIP):
                # GzipFile yields everything before a damaged part.
                yield stack.enter_context(gzip.GzipFile(fileobj=stream))
            else:
                yield stream
            self._raw = None
            self._ended = True


def input_of(path: Path, argument: str) -> Input:
    """The file of an argument. It must exist."""
    try:
        if path.is_dir():
            raise wrong_use(argument, f"{str(path)[:_LONGEST_NAME]!r} is a directory")
        return Input(path)
    except (OSError, ValueError) as error:
        raise wrong_path(argument, path, error) from None


def items_of(source: Input, read: Callable[[Stream], Iterator[_T]]) -> Iterator[_T | Unreadable]:
    """The items of a file in order. An error of the file comes as the last one."""
    try:
        with source.opened() as stream:
            yield from read(stream)
    except EOFError:
        yield Unreadable("the compressed data ends too early")
    except (OSError, zlib.error) as error:
        yield Unreadable(f"the file cannot be read: {error}")


def _records(stream: Stream, format_: Format) -> Iterator[Item]:
    for written in parts_of(stream, format_):
        yield from read_written(written)


def parts_of(stream: Stream, format_: Format) -> Iterator[Written]:
    """Split a file into parts that can be parsed independently."""
    if stream.peek(len(_PARQUET)).startswith(_PARQUET):
        return _written_parquet(stream)
    if format_ is Format.TEXT or (format_ is Format.AUTO and not _looks_like_json(stream)):
        return _written_text(stream)
    return _written_json(stream, format_)


def _looks_like_json(stream: Stream) -> bool:
    return stream.peek(1).removeprefix(_BOM).lstrip()[:1] in (b"{", b"[")


@contextlib.contextmanager
def _text(stream: Stream) -> Iterator[io.TextIOWrapper]:
    # Names and comments need not be UTF-8; anywhere else the parser refuses the replacement character.
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace")
    try:
        yield text
    finally:
        text.detach()


def _written_text(stream: Stream) -> Iterator[Written]:
    with _text(stream) as text:
        yield from written_in_text(lines_of(text, MAX_LINE))


def _written_parquet(stream: Stream) -> Iterator[Written]:
    with extras_needed():
        for text in parquet_records(stream):
            yield from written_in_text(lines_of(text, MAX_LINE))


def _written_json(stream: Stream, format_: Format) -> Iterator[Written]:
    with extras_needed():
        from heartsrules.formats.wire import MAX_BYTES
    lines = _lines(stream, MAX_BYTES)
    first = next(lines, None)
    if first is None:
        return
    # The first line of a document that spans several lines ends inside it.
    spread = format_ is Format.JSON or (format_ is Format.AUTO and first[1].rstrip()[-1:] in (b"{", b"[", b",", b":"))
    lines = chain([first], lines)
    for number, data in _spread_documents(lines, MAX_BYTES) if spread else lines:
        yield WrittenJson(number, data)


def _lines(stream: Stream, most: int) -> Iterator[tuple[int, bytes]]:
    """Lines that are not blank, with their numbers from 1. One of more than `most` bytes is cut after `most + 1`."""
    number = 0
    while line := stream.readline(most + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        if line.strip():
            yield number, line
        while not line.endswith(b"\n") and (line := stream.readline(_BUFFER)):
            pass


def _spread_documents(lines: Iterable[tuple[int, bytes]], most: int) -> Iterator[tuple[int, bytes]]:
    """Split lines into documents: a brace at the beginning of a line begins one."""
    start = 0
    data = bytearray()
    for number, line in lines:
        if line.startswith(b"{") and data:
            yield start, bytes(data)
            data.clear()
        if not data:
            start = number
        if len(data) <= most:
            data += line
    yield start, bytes(data)


def _positions(stream: Stream) -> Iterator[str]:
    """The positions of a file, one per line."""
    with _text(stream) as lines:
        while line := lines.readline(MAX_LINE + 2):
            if not _COMMENT.match(line):
                yield line


def _holds_positions(stream: Stream) -> bool:
    lines = stream.peek(1).decode(errors="replace").splitlines()
    return any([POSITION.match(line) for line in lines if not _COMMENT.match(line)][:1])


def positions_or_records(stream: Stream) -> Iterator[str | Item]:
    """The positions of a file, or else its records."""
    return _positions(stream) if _holds_positions(stream) else _records(stream, Format.AUTO)
