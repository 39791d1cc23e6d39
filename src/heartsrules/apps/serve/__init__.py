"""The rules for apps in other languages: one documented protocol, as JSON lines and over HTTP.

`operations` declares each operation once. `answering` decodes a request, runs it and encodes the response, whatever the
transport: `lines` is standard input and output (extra `json`), `http` an ASGI application, and `http_server` uvicorn
around it (extra `web`). `worker` limits the processor time of a request from outside; `openapi` describes the protocol.

Requests and responses carry whole states, with every hand, so the server is for an app's own backend, on the same
machine, out of reach of browsers and players.
"""

from importlib import resources
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

CLIENTS: Final = MappingProxyType({"client": "heartsrules.ts", "javascript": "heartsrules.js"})
"""The files of the client in TypeScript and in JavaScript, as `--print` names them."""

__all__ = ["CLIENTS", "OPERATIONS", "Answer", "Argument", "Limits", "Operation", "Service", "printed"]


def printed(what: str) -> str:
    """The text of `--print`: the description for programs (`openapi`), or one of `CLIENTS`."""
    if what == "openapi":
        from heartsrules.apps.serve.openapi import description

        return description()
    return resources.files(__name__).joinpath(CLIENTS[what]).read_text("utf-8")
