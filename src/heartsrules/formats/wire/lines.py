"""JSON Lines with a limit on the length of lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def split_lines(read: Callable[[], bytes], most: int) -> Iterator[bytes | None]:
    """Split a byte stream into lines without their ends, with None for each long one.

    The last line does not need an end. Lines of only white space are omitted. A line of more than `most` bytes is
    reported at once, before its end.

    Args:
        read: a function that returns the next bytes, or nothing at the end.
        most: the limit on bytes in a line. Memory is limited to that and one read.
    """
    held = bytearray()
    skipping = False
    while chunk := read():
        for number, piece in enumerate(chunk.split(b"\n")):
            if number:
                if held.strip():
                    yield bytes(held)
                held.clear()
                skipping = False
            if not skipping:
                held += piece
                if len(held) > most:
                    yield None
                    held.clear()
                    skipping = True
    if held.strip():
        yield bytes(held)
