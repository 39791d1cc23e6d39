"""The rules for apps in other languages: one documented protocol, as JSON lines and over HTTP.

`operations` has what can be asked for, each thing declared once. `answering` makes an answer of a request, whatever
brought it; `lines` brings requests over standard input and output (extra `json`), `http` over HTTP (extra `web`);
`timing` stops a request that takes too long; `openapi` describes the protocol to programs.

Whole states travel, with every hand, so this is for an app's own backend: it belongs on the same machine, where neither
browsers nor players reach it.
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
"""What `--print` prints, by the name that it has there: files of this package."""

__all__ = ["OPERATIONS", "PRINTED", "Answer", "Argument", "Limits", "Operation", "Service"]
