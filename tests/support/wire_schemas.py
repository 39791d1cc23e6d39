"""The JSON Schema files of the wire format, generated from the types of its documents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from heartsrules.formats.wire import _types as W
from heartsrules.formats.wire.parts import portable

__all__ = ["files", "schemas"]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_TITLES: Final = {
    "rules": "A rule set",
    "move": "A move",
    "state": "A state",
    "view": "What a seat or a spectator may know",
    "event": "An event",
    "events": "Events",
    "violation": "A reason against a move",
    "deal-score": "A row of the score sheet",
    "record": "A record of a game",
    "transition": "A state with the events that led to it",
    "judgement": "What the judge says of a move",
    "run-part": "A part of a run of games, tables or records",
}


def identifier(kind: str) -> str:
    """The `$id` of the schema of a kind, or of the index."""
    return f"urn:heartsrules:wire:{W.VERSION}:{kind}"


def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each kind by its name, and the index, which refers to all of them."""
    found = {kind: _schema(kind, [document]) for kind, document in W.DOCUMENTS.items()}
    found["judgement"] = _schema("judgement", W.JUDGEMENTS)
    found["run-part"] = _schema("run-part", [W.union(W.RUN_PARTS)])
    found["index"] = {
        "$schema": DIALECT,
        "$id": identifier("index"),
        "title": "Any document of heartsrules",
        "anyOf": [{"$ref": identifier(kind)} for kind in found],
    }
    return found


def _schema(kind: str, documents: Iterable[Any]) -> dict[str, Any]:
    parts, definitions = msgspec.json.schema_components(
        documents, schema_hook=W.schema_of_custom, ref_template="#/$defs/{name}"
    )
    body = parts[0] if len(parts) == 1 else {"anyOf": list(parts)}
    return {
        "$schema": DIALECT,
        "$id": identifier(kind),
        "title": _TITLES[kind],
        **portable(body),
        "$defs": portable(dict(sorted(definitions.items()))),
    }


def files() -> dict[str, bytes]:
    """The files by name."""
    return {
        f"{kind}.json": msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"
        for kind, schema in schemas().items()
    }
