"""Limits of requests, on their rate and on a body's size and time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterable, Hashable
from typing import Final

import attrs

_KEYS: Final = 10_000


@attrs.define
class Bucket:
    """A token bucket."""

    rate: float
    """Tokens per second, or 0 for no limit."""
    burst: float
    """The initial and greatest number of tokens."""
    _tokens: float = attrs.field(init=False, default=attrs.Factory(lambda self: self.burst, takes_self=True))
    _last: float | None = attrs.field(init=False, default=None)

    def take(self, now: float) -> bool:
        """Take a token at `now` in seconds, or return False if there is none."""
        if not self.rate:
            return True
        if self._last is not None:
            self._tokens = min(self.burst, self._tokens + (now - self._last) * self.rate)
        self._last = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Buckets:
    """A token bucket for each of the most recent keys, such as addresses or seats."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, now: float) -> bool:
        bucket = self._buckets.setdefault(key, Bucket(self._rate, self._burst))
        self._buckets.move_to_end(key)
        if len(self._buckets) > _KEYS:
            self._buckets.popitem(last=False)
        return bucket.take(now)


class BodyTooLong(Exception):
    """A request body with more bytes than its limit."""


async def read_body(chunks: AsyncIterable[bytes], most: int, seconds: float) -> bytes:
    """Read the body of a request.

    Raises:
        BodyTooLong: it has more than `most` bytes.
        TimeoutError: it is incomplete after `seconds`.
    """
    body = bytearray()
    async with asyncio.timeout(seconds):
        async for chunk in chunks:
            body += chunk
            if len(body) > most:
                raise BodyTooLong
    return bytes(body)
