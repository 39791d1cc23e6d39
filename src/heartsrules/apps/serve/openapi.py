"""The OpenAPI 3.1 description of the protocol.

`python -m heartsrules.apps.serve --print openapi` prints it, and a server returns it at `/openapi.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from heartsrules.base.extras import needs

with needs("json", "serving"):
    import msgspec

from heartsrules.apps.serve.answering import ProblemJson, Service
from heartsrules.apps.serve.declaring import Operation
from heartsrules.apps.serve.operations import OPERATIONS
from heartsrules.formats.wire import to_json
from heartsrules.formats.wire.parts import component_schemas, write_part

_DESCRIPTION: Final = (
    "The rules of Hearts for apps in other languages. For the app's own backend: whole states travel, with "
    "every hand, so neither browsers nor players may reach it."
)
_SCHEMA: Final = "#/components/schemas/"
_REFUSALS: Final = {
    400: "The request cannot be read: it is not JSON, or a key or a value that is not a document is wrong.",
    403: "The request calls the server by a name that it does not have, or comes from a web page.",
    404: "There is no such operation.",
    408: "The body did not come in time.",
    413: "The request is too long.",
    415: "The body does not say that it is JSON.",
    422: "A document in the request is refused, or the rules refuse what is asked for.",
    429: "Too many requests.",
    500: "A mistake of the library.",
    503: "Too many incomplete requests at once.",
}


def openapi() -> dict[str, Any]:
    types = [operation.result for operation in OPERATIONS.values()]
    schemas = component_schemas([*types, ProblemJson])
    schemas["Refusal"] = {
        "title": "Refusal",
        "description": "Why there is no result.",
        "type": "object",
        "properties": {
            "id": {"description": "That of the request; null if it could not be read."},
            "ok": {"const": False},
            "problems": {"type": "array", "items": {"$ref": _SCHEMA + "Problem"}, "maxItems": 100},
        },
        "required": ["id", "ok", "problems"],
    }
    schemas["Problem"] = schemas.pop("ProblemJson")
    schemas["Problem"]["title"] = "Problem"
    schemas["Problem"]["properties"]["violation"] = {"$ref": "#/components/schemas/Violation"}
    for operation in OPERATIONS.values():
        schemas[f"{operation.title}Request"] = operation.request_schema()
    schemas = {name: _without_defaults(schema) for name, schema in schemas.items()}
    paths = {f"/v1/{operation.name}": {"post": _path(operation)} for operation in OPERATIONS.values()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "heartsrules",
            "version": "1",
            "description": _DESCRIPTION,
            "contact": {"name": "The authors of heartsrules"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [
            {"url": "http://127.0.0.1:8001", "description": "What `heartsrules serve --port 8001` listens to."}
        ],
        # Any client that reaches the server can use it.
        "security": [],
        "tags": [{"name": "rules", "description": "Questions about a game whose state the request brings."}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(_used(paths, schemas).items())),
            "responses": {
                str(status): {"description": sentence, "content": _content({"$ref": _SCHEMA + "Refusal"})}
                for status, sentence in _REFUSALS.items()
            },
        },
    }


def _without_defaults(schema: Any) -> Any:
    """Omit defaults, because some code generators require a key with a default."""
    if isinstance(schema, list):
        return [_without_defaults(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _without_defaults(part) for name, part in schema.items() if name not in ("default", "properties")}
    if "properties" in schema:
        found["properties"] = {name: _without_defaults(part) for name, part in schema["properties"].items()}
    return found


def _used(paths: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    waiting = [paths, {"$ref": _SCHEMA + "Refusal"}]
    while waiting:
        for name in re.findall(f'"{_SCHEMA}(\\w+)"', json.dumps(waiting.pop())):
            if name not in found:
                found[name] = schemas[name]
                waiting.append(schemas[name])
    return found


@cache
def description() -> str:
    """Return the description as JSON."""
    return f"{json.dumps(openapi(), indent=1, ensure_ascii=False)}\n"


def _content(schema: dict[str, Any], example: bytes = b"") -> dict[str, Any]:
    return {"application/json": {"schema": schema, **({"example": json.loads(example)} if example else {})}}


def _path(operation: Operation) -> dict[str, Any]:
    request = {"$ref": f"#/components/schemas/{operation.title}Request"}
    response = {
        "type": "object",
        "properties": {
            "id": {},
            "ok": {"const": True},
            "result": {"$ref": f"#/components/schemas/{operation.result.__name__}"},
        },
        "required": ["id", "ok", "result"],
    }
    return {
        "operationId": operation.name,
        "tags": ["rules"],
        "summary": operation.sentence,
        "description": " ".join(operation.notes.split()) or operation.sentence,
        "requestBody": {"required": True, "content": _content(request, example_request(operation))},
        "responses": {
            "200": {"description": "The result.", "content": _content(response, example_response(operation))},
            **{str(status): {"$ref": f"#/components/responses/{status}"} for status in _REFUSALS},
        },
    }


def example_request(operation: Operation) -> bytes:
    """Encode the example request of an operation."""
    parts: dict[str, Any] = {"id": 1, "op": operation.name}
    for name, value in operation.example().items():
        document = operation.arguments[name].component is not None
        parts[name] = msgspec.Raw(to_json(value)) if document else value
    return write_part(parts)


def example_response(operation: Operation, operations: Mapping[str, Operation] = OPERATIONS) -> bytes:
    """Answer the example request of an operation."""
    return Service(operations=operations).answer(example_request(operation)).body
