"""The rules for apps in other languages, as JSON lines or over HTTP.

`heartsrules serve` runs the ASGI application of `http` (extra `web`), and `python -m heartsrules.apps.serve` answers
lines on standard input (extra `json`).

Requests and responses contain whole states with every hand, so the server is only for an app's own backend, out of
reach of browsers and players.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.apps.serve._api import *
else:
    __getattr__, __dir__ = lazy(__name__)
