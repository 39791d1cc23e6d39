"""JSON Lines: the lines of what is read, none of which may be too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def split_lines(read: Callable[[], bytes], most: int) -> Iterator[bytes | None]:
    """Split a byte stream into lines without their ends, with None for each line of more than `most` bytes.

    The last one need not have an end. Lines of white space alone are left out. That a line is too long is told as soon
    as it is: its end is not waited for.

    Args:
        read: the next bytes, as they come; none: the end.
        most: the most bytes of a line. No more than that, and what is read at once, is ever held.
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
