"""uvicorn with limits, and without log lines for wrong requests."""

from __future__ import annotations

import logging
from typing import Any, Final

from heartsrules.base.extras import needs

with needs("web", "HTTP"):
    import uvicorn
    from starlette.types import ASGIApp

_HEAD_BYTES: Final = 16_384
_CAUSED_BY_CLIENTS: Final = frozenset(
    {
        # uvicorn logs this after every refusal of a WebSocket with a response, even a complete one.
        "ASGI callable returned without completing handshake.",
        "Invalid HTTP request received.",
        "Invalid UTF-8 sequence received from client.",
        "Unsupported upgrade request.",
    }
)


def web_server(app: ASGIApp, **options: Any) -> uvicorn.Server:
    """Make an application's server, with further settings of uvicorn.

    h11 refuses a head that is incomplete after 16 KiB. httptools, the default of uvicorn, has no such limit.
    """
    logging.getLogger("uvicorn.error").addFilter(_is_our_own)
    config = uvicorn.Config(
        app,
        http="h11",
        h11_max_incomplete_event_size=_HEAD_BYTES,
        log_level="warning",
        access_log=False,
        server_header=False,
        **options,
    )
    return uvicorn.Server(config)


def _is_our_own(record: logging.LogRecord) -> bool:
    return record.msg not in _CAUSED_BY_CLIENTS
