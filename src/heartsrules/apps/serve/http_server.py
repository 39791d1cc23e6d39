"""The HTTP application under uvicorn (extra `web`), which by itself waits for a request head for ever."""

from __future__ import annotations

import asyncio
from typing import Final

from heartsrules.base.extras import needs

with needs("web", "HTTP"):
    import h11
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

from heartsrules.apps.serve.http import HttpApp, HttpLimits
from heartsrules.apps.server_log import leave_out_wrong_requests

_KEEP_ALIVE_SECONDS: Final = 75
_SHUTDOWN_SECONDS: Final = 5


def http_server(app: HttpApp) -> uvicorn.Server:
    """Make the server of an application, with the limits of its `HttpLimits`."""
    leave_out_wrong_requests()
    config = uvicorn.Config(
        app,
        http=_protocol(app.limits),
        log_level="warning",
        access_log=False,
        ws="none",
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    return uvicorn.Server(config)


def _protocol(limits: HttpLimits) -> type[asyncio.Protocol]:
    """Make an HTTP protocol that closes a connection on which no request head is completed, or no answer read, in time.

    The timer of a head also runs after a response, from the next byte on, and while the rest of a refused body comes
    in. A body that the application reads has its own limit there. The timer of an answer runs while some of it cannot
    be sent.
    """

    class Protocol(H11Protocol):
        _late: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
            super().connection_made(transport)
            # Writing is paused as soon as the client does not keep up, so every answer has its timer.
            transport.set_write_buffer_limits(0)
            self._watch()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._unread = self.loop.call_later(limits.answer_seconds, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            if self._unread is not None:
                self._unread.cancel()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.conn.their_state is h11.SEND_BODY:
                self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._stop()

        def _watch(self) -> None:
            served = self.cycle is None or self.cycle.response_complete
            if not served or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
                self._stop()
            elif self._late is None:
                self._late = self.loop.call_later(limits.head_seconds, self.transport.close)

        def _stop(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

    return Protocol
