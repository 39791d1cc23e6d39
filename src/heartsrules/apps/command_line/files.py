"""Records and positions from files and standard input."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import io
import re
import stat
import sys
import typing
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import attrs

from heartsrules.apps.command_line.messages import paths_refused, wrong_use
from heartsrules.apps.command_line.options import MAX_FILE, MaxBytesOption, argument, flag
from heartsrules.formats.notation.record import whole_lines
from heartsrules.play.game import Record
from heartsrules.simulation.batch_judge import Unreadable, Written, WrittenJson, read_written, written_in_text
from heartsrules.simulation.kept_games import parquet_games

Format: TypeAlias = Literal["auto", "text", "json", "jsonl"]
Item: TypeAlias = Record | Unreadable
"""A record, or the error in its place."""
Stream: TypeAlias = "io.BufferedReader[typing.Any]"
"""The bytes of a file, decompressed."""

_T = typing.TypeVar("_T")

_GZIP: Final = b"\x1f\x8b"
_PARQUET: Final = b"PAR1"
_BOM: Final = b"\xef\xbb\xbf"
_LONGEST_NAME: Final = 200
STDIN: Final = Path("-")
_BUFFER: Final = 2**16
_PIECE: Final = 2**12
"""The number of compressed bytes to decompress at once."""

POSITION: Final = re.compile(r"\ufeff?\s*hearts/[0-9]+\s*;", re.IGNORECASE)
"""The beginning of a position, but never of a record."""
_JSON: Final = re.compile(rb"\s*(?:\{|\[(?!\s*[A-Za-z]))")
"""The beginning of JSON, but not of a tag, which can also begin with a bracket."""
_BLANK_LINES: Final = re.compile(rb"(?:[ \t\r\v\f]*+\n)+")
_COMMENTS: Final = re.compile(r"(?:\ufeff?[^\S\n]*+(?:[%#][^\n]*+)?(?:\n|\Z))*+")
"""Comments and blank lines in a file of positions."""


class TooLong(OSError):
    """A file with more bytes than the limit."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the file has more than {limit:,} bytes, the limit of --max-bytes")


class _Bounded(io.RawIOBase):
    """Another stream's bytes, with `TooLong` raised beyond the limit."""

    def __init__(self, read: Callable[[int], bytes], limit: int) -> None:
        self._read: Final = read
        self._limit: Final = limit
        self._left = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: typing.Any) -> int:
        data = self._read(min(len(buffer), self._left or 1))
        if len(data) > self._left:
            raise TooLong(self._limit)
        self._left -= len(data)
        buffer[: len(data)] = data
        return len(data)


class _Packed:
    """The bytes of a gzip file, a few at a time.

    Its reader copies all available bytes for every member, even a small one.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream: Final = stream

    def read(self, size: int) -> bytes:
        return self._stream.read1(_PIECE) if size > _PIECE else self._stream.read(size)


class Input:
    def __init__(self, path: Path, limit: int) -> None:
        self.name: Final = "(standard input)" if path == STDIN else str(path)
        self.path: Final = path
        self.limit: Final = limit
        """The limit on bytes, compressed or not."""
        self.size: int | None = None
        """The size in bytes, or None if unknown, as for a pipe."""
        if path != STDIN:
            status = path.stat()
            self.size = status.st_size if stat.S_ISREG(status.st_mode) else None
        self._raw: io.FileIO | None = None
        self._ended = False

    @property
    def position(self) -> int:
        """The number of bytes that have been read."""
        if self.size is None or self._ended:
            return self.size or 0
        return 0 if self._raw is None else self._raw.tell()

    @contextlib.contextmanager
    def opened(self) -> Iterator[Stream]:
        """Open the input, decompressing gzip.

        Raises:
            TooLong: it has more bytes than the limit. Reading the stream raises it too.
            OSError: it cannot be opened.
        """
        if self.size is not None and self.size > self.limit:
            raise TooLong(self.limit)
        with contextlib.ExitStack() as stack:
            if self.path == STDIN:
                raw: typing.Any = sys.stdin.buffer
            else:
                raw = self._raw = stack.enter_context(self.path.open("rb", buffering=0))
            try:
                yield self._stream(raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(raw, _BUFFER))
            finally:
                self._raw = None
                self._ended = True

    def _stream(self, stored: Stream) -> Stream:
        head = stored.peek(len(_PARQUET))
        if head.startswith(_PARQUET):
            return stored  # a seekable file
        stream = io.BufferedReader(_Bounded(stored.read1, self.limit), _BUFFER)
        if not head.startswith(_GZIP):
            return stream
        # GzipFile returns everything before a damaged part.
        unpacked = gzip.GzipFile(fileobj=_Packed(stream))  # type: ignore[call-overload]
        return io.BufferedReader(_Bounded(unpacked.read1, self.limit), _BUFFER)


def input_of(path: Path, argument: str, limit: int) -> Input:
    """Return the existing file of an argument, with a limit on its bytes."""
    with paths_refused(argument, path):
        if path.is_dir():
            raise wrong_use(argument, f"{str(path)[:_LONGEST_NAME]!r} is a directory")
        return Input(path, limit)


@attrs.frozen(kw_only=True)
class InputOptions:
    """The files of records to read, with their format and a limit on their bytes."""

    files: Annotated[
        list[Path] | None,
        argument(
            "FILE...", "Records as text, JSON or JSON Lines, also gzipped, or Parquet; - or no file is standard input."
        ),
    ] = None
    input_: Annotated[Format, flag("--input", "The input format, detected for each file with auto.")] = "auto"
    max_bytes: MaxBytesOption = MAX_FILE

    def sources(self) -> list[Input]:
        return [input_of(path, "FILE", self.max_bytes) for path in self.files or [STDIN]]


def items_of(source: Input, read: Callable[[Stream, int], Iterator[_T]]) -> Iterator[_T | Unreadable]:
    """Yield the items of a file in order, and an error of the file as the last one.

    Args:
        read: a reader of items from a stream, limited to this many bytes.
    """
    try:
        with source.opened() as stream:
            yield from read(stream, source.limit)
    except EOFError:
        yield Unreadable("the compressed data ends too early")
    except TooLong as error:
        yield Unreadable(str(error))
    except (OSError, zlib.error) as error:
        yield Unreadable(f"the file cannot be read: {error}")


def records_in(stream: Stream, limit: int, format_: Format = "auto") -> Iterator[Item]:
    for written in parts_of(stream, limit, format_):
        yield from read_written(written)


def parts_of(stream: Stream, limit: int, format_: Format) -> Iterator[Written]:
    """Split a file into parts that can be parsed independently."""
    if stream.peek(len(_PARQUET)).startswith(_PARQUET):
        return _written_parquet(stream, limit)
    if format_ == "text" or (format_ == "auto" and not _JSON.match(stream.peek(1).removeprefix(_BOM))):
        return written_in_text(_text(stream))
    return _written_json(stream, format_)


def _text(stream: Stream) -> Iterator[str]:
    # Names and comments do not have to be UTF-8; elsewhere the parser refuses the replacement character.
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while data := stream.read1(_BUFFER):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)


def _written_parquet(stream: Stream, limit: int) -> Iterator[Written]:
    left = limit
    for game in parquet_games(stream):
        left -= len(game) if isinstance(game, str) else game.size
        if left < 0:
            raise TooLong(limit)
        if isinstance(game, str):
            yield from written_in_text([game])
        else:
            yield game


def _written_json(stream: Stream, format_: Format) -> Iterator[Written]:
    from heartsrules.formats.wire import MAX_BYTES

    lines = _lines(stream, MAX_BYTES)
    first = next(lines, None)
    if first is None:
        return
    # A document on several lines is incomplete on its first line.
    spread = format_ == "json" or (format_ == "auto" and first[1].rstrip()[-1:] in (b"{", b"[", b",", b":"))
    lines = chain([first], lines)
    for number, data in _spread_documents(lines, MAX_BYTES) if spread else lines:
        yield WrittenJson(number, data)


def _lines(stream: Stream, most: int) -> Iterator[tuple[int, bytes]]:
    """Yield lines that are not blank, with their numbers from 1.

    A line of more than `most` bytes is cut after `most + 1`.
    """
    number = 0
    while line := stream.readline(most + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        if line.strip():
            yield number, line
        elif line.endswith(b"\n"):
            blank = _BLANK_LINES.match(stream.peek())
            if blank:
                stream.read(blank.end())
                number += blank[0].count(b"\n")
        while not line.endswith(b"\n") and (line := stream.readline(_BUFFER)):
            pass


def _spread_documents(lines: Iterable[tuple[int, bytes]], most: int) -> Iterator[tuple[int, bytes]]:
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
    for lines in whole_lines(_text(stream)):
        yield from _uncommented(lines)


def _uncommented(lines: str) -> Iterator[str]:
    at = 0
    while (comments := _COMMENTS.match(lines, at)) and comments.end() < len(lines):
        at = comments.end()
        end = lines.find("\n", at) + 1 or len(lines)
        yield lines[at:end]
        at = end


def _holds_positions(stream: Stream) -> bool:
    head = stream.peek(1).decode(errors="replace")
    return any(POSITION.match(line) for line in islice(_uncommented("\n".join(head.splitlines())), 1))


def positions_or_records(stream: Stream, limit: int) -> Iterator[str | Item]:
    """Yield a file's positions, or else its records."""
    return _positions(stream) if _holds_positions(stream) else records_in(stream, limit)
