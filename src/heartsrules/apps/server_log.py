"""The log of uvicorn without the lines that anyone can cause with a wrong request, as often as they like."""

from __future__ import annotations

import logging
from typing import Final

_CAUSED_BY_CLIENTS: Final = frozenset(
    {
        # What uvicorn says after every refusal of a WebSocket with a response, even when that is complete.
        "ASGI callable returned without completing handshake.",
        "Invalid HTTP request received.",
        "Invalid UTF-8 sequence received from client.",
        "Unsupported upgrade request.",
    }
)


def leave_out_wrong_requests() -> None:
    """Leave lines out of the log of uvicorn that only tell of wrong requests."""
    logging.getLogger("uvicorn.error").addFilter(_is_our_own)


def _is_our_own(record: logging.LogRecord) -> bool:
    return record.msg not in _CAUSED_BY_CLIENTS
