"""The types of the client in TypeScript and the tables of the protocol's page, made from the OpenAPI description."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from heartsrules.apps.serve import OPERATIONS, Operation
from heartsrules.apps.serve.openapi import example_request, example_response
from heartsrules.formats.wire.parts import document_types

__all__ = ["CLIENT", "client_types", "operation_sections"]

ROOT: Final = Path(__file__).resolve().parents[2]
CLIENT: Final = ROOT / "src" / "heartsrules" / "apps" / "serve" / "heartsrules.ts"
_WIDTH: Final = 120
_MOST_KEYS: Final = 12
"""How many keys of an object the examples of the page show."""


def client_types(description: dict[str, Any]) -> str:
    """The types of all requests, results and documents."""
    schemas: dict[str, Any] = description["components"]["schemas"]
    # A kind of document that is one class is called as the kind, too.
    aliases = {name: {"$ref": f"/{name}Document"} for name in document_types() if f"{name}Document" in schemas}
    schemas = dict(sorted({**aliases, **schemas}.items()))
    bases = _bases(schemas)
    shared = {name: base for name, base in bases.values() if name not in schemas}
    parts = ["", *[_declared(name, base) for name, base in sorted(shared.items())]]
    parts += [_declared(name, schema, bases.get(name)) for name, schema in schemas.items()]
    for kind, of in (("Requests", "Request"), ("Results", "")):
        said = "asks with" if of else "gets"
        types = [operation.title + of if of else operation.result.__name__ for operation in OPERATIONS.values()]
        keys = [f'  "{name}": {kept};' for name, kept in zip(OPERATIONS, types, strict=True)]
        head = [f"/** What each operation {said}. */", f"export interface {kind} {{"]
        parts.append("\n".join([*head, *keys, "}"]))
    return "\n\n".join([*parts, ""])


def _bases(schemas: Mapping[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    """By the name of a document, the name and the schema of what its declaration extends: the same value inside of
    other documents, or what all documents of its kind have."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    kinds: dict[str, list[str]] = {}
    for name, schema in schemas.items():
        inside = f"{name.removesuffix('Document')}Wire"
        if name.endswith("Document") and "properties" in schema:
            kinds.setdefault(str(schema["properties"]["kind"]), []).append(name)
            if inside in schemas and _common([schema, schemas[inside]]) == _common([schemas[inside]]):
                found[name] = inside, schemas[inside]
    for names in kinds.values():
        kind = _type(schemas[names[0]]["properties"]["kind"]).strip('"').title()
        names = [name for name in names if name not in found]
        if len(names) > 1:
            shared = {"description": f"What every {kind.lower()} has.", **_common([schemas[name] for name in names])}
            found |= dict.fromkeys(names, (f"Any{kind}", shared))
    return found


def _common(schemas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The properties that all of these schemas have."""
    needed = set.intersection(*[set(schema.get("required", ())) for schema in schemas])
    keys = {
        key: part
        for key, part in schemas[0]["properties"].items()
        if all(
            [
                other["properties"].get(key) == part and (key in needed) == (key in other.get("required", ()))
                for other in schemas
            ]
        )
    }
    return {"properties": keys, "required": [key for key in keys if key in needed]}


def _declared(name: str, schema: dict[str, Any], base: tuple[str, dict[str, Any]] | None = None) -> str:
    """A declaration; one with a base extends it."""
    said = _comment(schema.get("description"), "")
    variants = schema.get("oneOf", ())
    if variants:
        keys = {key: part for each in variants for key, part in each["properties"].items()}
        schema = {"properties": keys, "required": _common(variants)["required"]}
    if "properties" not in schema:
        return f"{said}export type {name} = {_type(schema)};"
    # The client itself fills in the envelope.
    keys = {key: part for key, part in schema["properties"].items() if not _is_envelope(name, key)}
    needed = set(schema.get("required", ()))
    choices = [each["required"][-1] for each in variants]
    if base is not None:
        keys = {key: part for key, part in keys.items() if key not in base[1]["properties"]}
    body = "".join([_key(key, part, key in needed) for key, part in keys.items() if key not in choices])
    if not choices:
        extended = "" if base is None else f" extends {base[0]}"
        return f"{said}export interface {name}{extended} {{\n{body}}}"
    others = []
    for choice in choices:
        excluded = "".join([f"  {other}?: undefined;\n" for other in choices if other != choice])
        others.append(f"{{\n{_key(choice, keys[choice], True)}{excluded}}}")
    return f"{said}export type {name} = {{\n{body}}} & ({' | '.join(others)});"


def _is_envelope(name: str, key: str) -> bool:
    return name.endswith("Request") and key in ("id", "op")


def _key(key: str, schema: dict[str, Any], needed: bool) -> str:
    return f"{_comment(schema.get('description'), '  ')}  {key}{'' if needed else '?'}: {_type(schema)};\n"


def _comment(text: str | None, indent: str) -> str:
    """A comment, wrapped."""
    if not text:
        return ""
    width = _WIDTH - len(indent) - 7  # of the marks on both sides
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return "".join([f"{indent}/**\n", *[f"{indent} * {line}\n" for line in lines], f"{indent} */\n"])


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join([json.dumps(value) for value in schema["enum"]])
    if "anyOf" in schema:
        return " | ".join([_type(each) for each in schema["anyOf"]])
    if "prefixItems" in schema:
        return f"readonly [{', '.join([_type(each) for each in schema['prefixItems']])}]"
    kind = schema.get("type")
    if kind == "array" and schema.get("minItems") == schema.get("maxItems") == 2:
        return f"readonly [{_type(schema['items'])}, {_type(schema['items'])}]"
    if kind == "array":
        return f"ReadonlyArray<{_type(schema['items'])}>"
    if kind == "object":
        return f"{{ readonly [name: string]: {_type(schema.get('additionalProperties') or {})} }}"
    return {"string": "string", "integer": "number", "boolean": "boolean", "null": "null", None: "unknown"}[kind]


# ------------------------------------------------------------------------------------------------------- the page


def operation_sections(operations: Mapping[str, Operation] = OPERATIONS) -> str:
    """A section of Markdown for each operation: what it does, takes and returns, and an example."""
    return "\n".join(["", *[line for each in operations.values() for line in _section(each, operations)]])


def _section(operation: Operation, operations: Mapping[str, Operation]) -> Iterator[str]:
    yield f"### `{operation.name}`"
    yield ""
    yield operation.sentence + (f" {' '.join(operation.notes.split())}" if operation.notes else "")
    yield ""
    if operation.arguments:
        yield "| key | value | |"
        yield "| --- | --- | --- |"
        for argument in operation.arguments.values():
            name = argument.name
            needed = "" if not argument.required else "needed"
            if name in operation.one_of:
                needed = f"one of {', '.join([f'`{each}`' for each in operation.one_of])}"
            elif name in operation.not_both:
                needed = f"not with {', '.join([f'`{each}`' for each in operation.not_both if each != name])}"
            value = argument.sentence[0].lower() + argument.sentence[1:].rstrip(".")
            yield f"| `{name}` | {_in_words(argument.schema())}: {value} | {needed} |"
        yield ""
    fields = ", ".join([f"`{field}`" for field in operation.result.__struct_fields__]) or "`{}`"
    yield f"Result: {fields}. {' '.join((operation.result.__doc__ or '').split())}"
    yield ""
    yield "```text"
    yield f"> {_short(json.loads(example_request(operation)))}"
    yield f"< {_short(json.loads(example_response(operation, operations)))}"
    yield "```"
    yield ""


def _in_words(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2].removesuffix("Document")
        kind = re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
        return f"a [document](wire.md) ({kind})"
    if "anyOf" in schema:
        return " or ".join([_in_words(each) for each in schema["anyOf"]])
    if "enum" in schema:
        return " or ".join([f"`{json.dumps(value)}`" for value in schema["enum"]])
    kind = schema["type"]
    default = f", by default `{json.dumps(schema['default'])}`" if schema.get("default") not in (None, []) else ""
    if kind == "array":
        return f"an array ({_in_words(schema['items'])})"
    if kind == "string":
        return "cards" if "pattern" in schema else "a text"
    if kind == "integer":
        least, most = schema["minimum"], schema["maximum"]
        bounds = f" from {least} to {most}" if most < 2**53 - 1 else ""
        return f"an integer{bounds}{default}"
    return {"boolean": f"a bool{default}", "null": "`null`", "object": "an object"}[kind]


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
