"""The sections of the protocol's page, made from the operations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from heartsrules.apps.serve import OPERATIONS, Operation
from heartsrules.apps.serve.openapi import example_request, example_response

__all__ = ["operation_sections"]

_MOST_KEYS: Final = 12
"""The most keys of an object in the examples of the page."""


def operation_sections(operations: Mapping[str, Operation] = OPERATIONS) -> str:
    """A section of Markdown for each operation: what it does, takes and returns, and an example."""
    return "\n".join(["", *[line for each in operations.values() for line in _section(each, operations)]])


def _section(operation: Operation, operations: Mapping[str, Operation]) -> Iterator[str]:
    yield f"### `{operation.name}`"
    yield ""
    yield operation.sentence + (f" {' '.join(operation.notes.split())}" if operation.notes else "")
    yield ""
    if operation.arguments:
        for argument in operation.arguments.values():
            name = argument.name
            needed = " (required)" if argument.required else ""
            if name in operation.one_of:
                needed = f" (one of {', '.join([f'`{each}`' for each in operation.one_of])})"
            elif name in operation.not_both:
                needed = f" (not with {', '.join([f'`{each}`' for each in operation.not_both if each != name])})"
            value = argument.sentence[0].lower() + argument.sentence[1:].rstrip(".")
            yield f"- `{name}`{needed}: {_in_words(argument.schema())}: {value}"
        yield ""
    fields = ", ".join([f"`{field}`" for field in operation.result.__struct_fields__]) or "`{}`"
    yield f"Result: {fields}. {' '.join((operation.result.__doc__ or '').split())}"
    yield ""
    yield "```text"
    yield f"> {_short(json.loads(example_request(operation)))}"
    yield f"< {_short(json.loads(example_response(operation, operations)))}"
    yield "```"
    yield ""


def _in_words(schema: dict[str, Any], *, plural: bool = False) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2].removesuffix("Document")
        kind = re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
        document = "[documents](wire.md)" if plural else "a [document](wire.md)"
        return f"{document} of kind `move`, a deal" if kind == "deal" else f"{document} of kind `{kind}`"
    if "anyOf" in schema:
        return " or ".join([_in_words(each) for each in schema["anyOf"]])
    if "enum" in schema:
        return " or ".join([f"`{json.dumps(value)}`" for value in schema["enum"]])
    kind = schema["type"]
    default = f", by default `{json.dumps(schema['default'])}`" if schema.get("default") not in (None, []) else ""
    if kind == "array":
        return f"an array of {_in_words(schema['items'], plural=True)}"
    if kind == "string":
        return "cards" if "pattern" in schema else "strings" if plural else "a string"
    if kind == "integer":
        least, most = schema["minimum"], schema["maximum"]
        bounds = f" from {least} to {most}" if most < 2**53 - 1 else ""
        return f"{'integers' if plural else 'an integer'}{bounds}{default}"
    return {"boolean": f"a boolean{default}", "null": "`null`", "object": "an object"}[kind]


def _short(value: Any) -> str:
    """JSON in which documents, long texts, long arrays and large objects are cut."""
    return json.dumps(_cut(value), ensure_ascii=False).replace('"..."', "...")


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        if "heartsrules" in value:
            tag = next((key for key in ("move", "phase", "code") if key in value), None)
            if len(json.dumps(value)) > 130:
                shown = {key: value[key] for key in (tag, "heartsrules", "kind") if key is not None}
                return {**shown, "more": "..."}
        shown = {key: _cut(item) for key, item in list(value.items())[:_MOST_KEYS]}
        return shown if len(shown) == len(value) else {**shown, "more": "..."}
    if isinstance(value, list):
        cut = len(value) > 2 and not isinstance(value[0], int)
        return [*[_cut(item) for item in value[:2]], *(["..."] if cut else value[2:])]
    if isinstance(value, str) and len(value) > 60:
        return value[:50] + " ..."
    return value
