"""How many requests a client may make: token buckets."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import attrs

__all__ = ["Bucket", "Buckets"]

_CLIENTS: Final = 10_000
"""How many addresses are remembered."""


@attrs.define
class Bucket:
    """A bucket of tokens: `burst` requests at once, and `rate` more each second."""

    rate: float
    burst: float
    _tokens: float = attrs.field(init=False)
    _last: float | None = attrs.field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._tokens = self.burst

    def take(self, now: float) -> bool:
        """Whether one more request is allowed at this time, in seconds."""
        if self._last is not None:
            self._tokens = min(self.burst, self._tokens + (now - self._last) * self.rate)
        self._last = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Buckets:
    """A bucket for each address; the addresses that have been silent longest are forgotten first."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, now: float) -> bool:
        """Whether that address may make one more request at this time."""
        bucket = self._buckets.setdefault(address, Bucket(self._rate, self._burst))
        self._buckets.move_to_end(address)
        if len(self._buckets) > _CLIENTS:
            self._buckets.popitem(last=False)
        return bucket.take(now)
