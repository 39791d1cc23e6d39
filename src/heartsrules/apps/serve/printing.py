"""The texts that `heartsrules serve --print` prints."""

from __future__ import annotations

from importlib import resources
from types import MappingProxyType
from typing import Final

CLIENTS: Final = MappingProxyType({"client": "heartsrules.ts", "javascript": "heartsrules.js"})
"""The files of the client in TypeScript and in JavaScript, as `--print` names them."""


def printed(what: str) -> str:
    """Return the text of `--print`: the description for programs (`openapi`), or one of `CLIENTS`."""
    if what == "openapi":
        from heartsrules.apps.serve.openapi import description

        return description()
    return resources.files("heartsrules.apps.serve").joinpath(CLIENTS[what]).read_text("utf-8")
