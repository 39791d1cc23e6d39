"""The texts printed by `heartsrules serve --print`."""

from __future__ import annotations

from importlib import resources
from types import MappingProxyType
from typing import Final

CLIENTS: Final = MappingProxyType(
    {
        "client": "heartsrules.ts",
        "javascript": "heartsrules.js",
        "declarations": "heartsrules.d.ts",
        "engine": "heartsrules-engine.ts",
        "engine-javascript": "heartsrules-engine.js",
        "engine-declarations": "heartsrules-engine.d.ts",
    }
)
"""The files of the client and the engine, by their names for `--print`."""


def printed(what: str) -> str:
    """Return a text for `--print`, the description (`openapi`) or one of `CLIENTS`.

    Raises:
        FileNotFoundError: this installation was built without Node.js, so it has none of `CLIENTS`.
    """
    if what == "openapi":
        from heartsrules.apps.serve.openapi import description

        return description()
    file = resources.files("heartsrules.apps.serve").joinpath("clients", CLIENTS[what])
    if not file.is_file():
        raise FileNotFoundError(
            "this installation was built without Node.js or npm's registry and has no client or engine in TypeScript: "
            "install a published wheel, or build again with both"
        )
    return file.read_text("utf-8")
