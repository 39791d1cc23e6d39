"""Answers of HTTP servers that stay the same while the server runs."""

from __future__ import annotations

import gzip
import re
from hashlib import sha256
from typing import Final

from heartsrules.base.extras import needs

with needs("web", "HTTP"):
    from starlette.datastructures import Headers
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

_GZIP: Final = re.compile(r"\bgzip\b(?![ \t]*;[ \t]*q=0(\.0*)?[ \t]*(,|$))", re.IGNORECASE)


class StaticDocument:
    """An ASGI application that answers every request with the same body, compressed once.

    Args:
        caching: the `Cache-Control` header; by default, clients do not use a cached body without asking.
        vary: the headers of a request on which the answer depends.
    """

    def __init__(self, body: bytes, media_type: str, caching: str = "no-cache", vary: str = "Accept-Encoding") -> None:
        self._tag: Final = f'"{sha256(body).hexdigest()[:32]}"'
        headers = {"ETag": f"W/{self._tag}", "Cache-Control": caching, "Vary": vary}
        self._unchanged: Final = Response(status_code=304, headers=headers)
        self._plain: Final = Response(body, headers=headers, media_type=media_type)
        packed = gzip.compress(body, mtime=0)
        self._packed: Final = Response(packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=media_type)

    def answer(self, headers: Headers) -> Response:
        """Return the response to a request with these headers."""
        known = headers.get("if-none-match", "")
        if known == "*" or self._tag in known:
            return self._unchanged
        return self._packed if _GZIP.search(headers.get("accept-encoding", "")) else self._plain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.answer(Headers(scope=scope))(scope, receive, send)
