"""The rules for apps in other languages: one documented protocol, as JSON lines and over HTTP.

`operations` declares each operation once. `answering` decodes a request, runs it and encodes the response, whatever the
transport: `lines` is standard input and output (extra `json`), `http` an ASGI application, and `http_server` uvicorn
around it (extra `web`). `timing` limits the processor time of a request; `openapi` describes the protocol.

Requests and responses carry whole states, with every hand, so the server is for an app's own backend, on the same
machine, out of reach of browsers and players.
"""

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.apps.serve.answering import Answer, Limits, Service
    from heartsrules.apps.serve.declaring import Argument, Operation
    from heartsrules.apps.serve.operations import OPERATIONS
else:
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "answering": ("Answer", "Limits", "Service"),
            "declaring": ("Argument", "Operation"),
            "operations": ("OPERATIONS",),
        },
    )

PRINTED: Final = MappingProxyType(
    {"openapi": "openapi.json", "client": "heartsrules.ts", "javascript": "heartsrules.js"}
)
"""The files of this package that `--print` prints, by name."""

__all__ = ["OPERATIONS", "PRINTED", "Answer", "Argument", "Limits", "Operation", "Service"]
