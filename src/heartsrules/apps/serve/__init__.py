"""The rules for apps in other languages, as JSON lines or over HTTP.

`operations` declares each operation once. `answering` decodes a request, runs it and encodes the response: `lines` does
so for standard input and output (extra `json`), and `http` is an ASGI application, run by `heartsrules serve` (extra
`web`). `openapi` describes the protocol.

Requests and responses contain whole states with every hand, so the server is only for an app's own backend, out of
reach of browsers and players.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.apps.serve._api import *
else:
    __getattr__, __dir__ = lazy(__name__)
