"""The generated modules of the client in TypeScript, made from the operations and their OpenAPI description.

    python build_support/client_types.py FOLDER

writes them to a folder. `documents.ts` has the types of all documents, and `operations.ts` the requests, the results
and a method for each operation.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

if __name__ == "__main__":  # The sources, and not an installed package.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from heartsrules.apps.serve import OPERATIONS
from heartsrules.apps.serve.declaring import Operation
from heartsrules.apps.serve.openapi import openapi
from heartsrules.apps.table import protocol
from heartsrules.formats.wire.parts import component_schemas, document_types, part_schema
from heartsrules.rules.presets import ALL

__all__ = ["modules", "page_module"]

_WIDTH: Final = 120
_RENAMED: Final = {"Record": "GameRecord"}
"""Names that TypeScript has for types of its own."""
_BY_PATTERN: Final = {"^[2-9TJQKA][CDSH]$": "Card", "^([2-9TJQKA][CDSH]( [2-9TJQKA][CDSH])*)?$": "Cards"}
_BASIC: Final = """\
export type Rank = "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K" | "A";

export type Suit = "C" | "D" | "S" | "H";

/** A rank and a suit: "QS" is the queen of spades, "TD" the ten of diamonds. */
export type Card = `${Rank}${Suit}`;

/** Cards separated by single spaces, in card order: C D S H, and in each suit from 2 to A. Empty if there are none. */
export type Cards = string;

/** Every option of a rule set. */
export type FullRules = Required<Rules>;

/** The effects of the moon that a shooter can choose. */
export type MoonChoice = "others-up" | "shooter-down";
"""
_PLAIN: Final = ("A card: rank, then suit.", "Cards, each apart from the next", "A suit.")
"""The beginnings of comments that the types of their keys have too."""
_PRESET: Final = "PresetName"
_TYPES: Final = {
    ("RuleSet", "full"): "FullRules",
    ("PresetRequest", "name"): _PRESET,
    ("PresetEntry", "name"): _PRESET,
    ("ChooseMoonWire", "effect"): "MoonChoice",
    ("ChooseMoonDocument", "effect"): "MoonChoice",
    ("MoonChosenWire", "effect"): "MoonChoice",
    ("EventsDocument", "events"): "ReadonlyArray<Event>",
}
"""Types of keys that are narrower than their schemas, or have a name."""


def modules() -> dict[str, str]:
    """Write the generated modules, by the names of their files."""
    schemas: dict[str, Any] = openapi()["components"]["schemas"]
    # A kind of document that is one class is called as the kind, too.
    aliases = {name: {"$ref": f"/{name}Document"} for name in document_types() if f"{name}Document" in schemas}
    schemas = dict(sorted({**aliases, **schemas}.items()))
    wire = {**component_schemas(), **aliases}
    documents = {name: schema for name, schema in schemas.items() if name in wire}
    others = {name: schema for name, schema in schemas.items() if name not in wire}
    words = _words(schemas)
    bases = _bases(documents)
    shared = {name: base for name, base in bases.values() if name not in documents}
    events = documents["EventsDocument"]["properties"]["events"]["items"]
    first = [
        "// The documents of the wire format. This file is generated.",
        _BASIC,
        "/** Something that happened in a game. */\n" + _alias("Event", events),
        *[_declared(name, base, words) for name, base in sorted(shared.items())],
        *[_declared(name, schema, words, bases.get(name)) for name, schema in documents.items()],
    ]
    preset = _alias(_PRESET, {"enum": list(ALL)})
    second = [
        "// The requests and results of all operations. This file is generated.",
        "/** The name of a published rule set. */\n" + preset,
        *[_declared(name, schema, words) for name, schema in others.items()],
        *_operations(OPERATIONS.values(), words),
    ]
    body = "\n\n".join(second)
    known = re.findall(r"^export (?:type|interface) (\w+)", "\n\n".join(first), re.MULTILINE)
    used = [
        name for name in sorted(set(known)) if re.search(rf"\b{name}\b", re.sub(r"/\*\*.*?\*/", "", body, flags=re.S))
    ]
    imported = f'import type {{\n{_listed(used)}\n}} from "./documents.js";'
    second.insert(1, imported)
    return {"documents.ts": _file(first), "operations.ts": _file(second)}


def page_module() -> str:
    """Write the types of the messages between the page of the browser table and its server."""
    incoming: tuple[type, ...] = (*protocol.MESSAGES, *protocol.BODIES)
    schemas = component_schemas([*incoming, *protocol.SENT, *protocol.ANSWERS])
    aliases = {name: part_schema(kind) for name, kind in protocol.ALIASES.items()}
    schemas |= {name: _with_aliases(schema, aliases) for name, schema in schemas.items()}
    optional = {*[kind.__name__ for kind in incoming], "SeatPlan", "RulesWire", "RulesDocument"}
    for name in schemas.keys() - optional:
        if "properties" in schemas[name]:
            schemas[name]["properties"].pop("arguments", None)  # what the patterns of other languages need
            schemas[name]["required"] = list(schemas[name]["properties"])
    unions: dict[str, tuple[type, ...]] = {"ToPage": protocol.SENT, "FromPage": protocol.MESSAGES}
    schemas |= aliases | {
        name: {"anyOf": [{"$ref": f"/{kind.__name__}"} for kind in kinds]} for name, kinds in unions.items()
    }
    used: dict[str, Any] = {}
    waiting = [*unions, *[kind.__name__ for kind in (*protocol.BODIES, *protocol.ANSWERS)]]
    while waiting:
        name = waiting.pop()
        if name not in used and name != "FullRules":
            used[name] = schemas[name]
            waiting += re.findall(r'"\$ref": "[^"]*/(\w+)"', json.dumps(schemas[name]))
    renamed = re.sub(r"(\w+)Wire\b", r"\1", json.dumps(dict(sorted(used.items()))))
    shown: dict[str, Any] = json.loads(re.sub(r"\bRules\b(?=\")", "RuleSet", renamed))
    parts = [_declared(name, schema, _words(shown)) for name, schema in shown.items()]
    basic = _BASIC.replace("Required<Rules>", "Required<RuleSet>")
    return _file(["// The messages between the page and the server. This file is generated.", basic, *parts])


def _with_aliases(schema: Any, aliases: Mapping[str, Any]) -> Any:
    """Write a schema with references to the aliases in place of the same schemas."""
    name = next((name for name, same in aliases.items() if same == schema), None)
    if name is not None:
        return {"$ref": f"/{name}"}
    if isinstance(schema, dict):
        return {key: _with_aliases(part, aliases) for key, part in schema.items()}
    return [_with_aliases(part, aliases) for part in schema] if isinstance(schema, list) else schema


def _file(parts: Iterable[str]) -> str:
    return "\n\n".join([part.strip("\n") for part in parts]) + "\n"


def _listed(names: Sequence[str]) -> str:
    return textwrap.fill(", ".join(names) + ",", _WIDTH, initial_indent="  ", subsequent_indent="  ")


# -------------------------------------------------------------------------------------------------------- declarations


def _bases(schemas: Mapping[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Find what the declarations of documents extend: their names and schemas, by the names of the documents.

    It is the same value inside of other documents, or what all documents of its kind have.
    """
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
    """Return the properties that all of these schemas have."""
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


def _declared(
    name: str, schema: dict[str, Any], words: Mapping[str, str], base: tuple[str, dict[str, Any]] | None = None
) -> str:
    """Declare a type, which extends its base if there is one."""
    comment = _comment(schema.get("description"), words)
    variants = schema.get("oneOf", ())
    if variants:
        together = {key: part for each in variants for key, part in each["properties"].items()}
        schema = {"properties": together, "required": _common(variants)["required"]}
    if "properties" not in schema:
        return comment + _alias(_RENAMED.get(name, name), schema)
    # The client itself fills in the envelope.
    keys = {key: part for key, part in schema["properties"].items() if not _is_envelope(name, key)}
    needed = set(schema.get("required", ()))
    choices = [each["required"][-1] for each in variants]
    if base is not None:
        keys = {key: part for key, part in keys.items() if key not in base[1]["properties"]}

    def declared(key: str, required: bool) -> str:
        kind = _TYPES.get((name, key)) or _type(keys[key])
        return f"{_comment(keys[key].get('description'), words, '  ')}  {key}{'' if required else '?'}: {kind};\n"

    body = "".join([declared(key, key in needed) for key in keys if key not in choices])
    if not choices:
        extended = "" if base is None else f" extends {base[0]}"
        return f"{comment}export interface {name}{extended} {{\n{body}}}"
    others = []
    for choice in choices:
        excluded = "".join([f"  {other}?: undefined;\n" for other in choices if other != choice])
        others.append(f"{{\n{declared(choice, True)}{excluded}}}")
    return f"{comment}export type {name} = {{\n{body}}} & ({' | '.join(others)});"


def _is_envelope(name: str, key: str) -> bool:
    return name.endswith("Request") and key in ("id", "op")


def _alias(name: str, schema: dict[str, Any]) -> str:
    """Declare a type that is not an object, on as many lines as it takes."""
    kind = _type(schema)
    line = f"export type {name} = {kind};"
    if len(line) <= _WIDTH:
        return line
    filled = textwrap.fill(kind, _WIDTH, initial_indent="  | ", subsequent_indent="    ", break_on_hyphens=False)
    return f"export type {name} =\n{filled};"


def _comment(text: str | None, words: Mapping[str, str], indent: str = "") -> str:
    """Write a comment in the words of TypeScript, wrapped."""
    if not text or text.startswith(_PLAIN):
        return ""
    for pattern, word in words.items():
        text = re.sub(pattern, word, text)
    lines = textwrap.wrap(text, _WIDTH - len(indent) - 7, break_long_words=False, break_on_hyphens=False)
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return "".join([f"{indent}/**\n", *[f"{indent} * {line}\n" for line in lines], f"{indent} */\n"])


def _words(schemas: Mapping[str, Any]) -> dict[str, str]:
    """Find what the words of Python are in TypeScript: patterns, and the words that replace their matches."""
    words = {r"\bor None\b": "or null", r"; None: ": "; null: ", r"\bints\b": "numbers"}
    for name, schema in schemas.items():
        for value in schema.get("enum", ()):
            if len(str(value)) > 1:  # a member of an enum; a suit is a letter
                words[rf"`?\b{str(value).upper().replace('-', '_')}\b`?"] = f'"{value}"'
        code = schema.get("properties", {}).get("code", {}).get("enum")
        if code:
            words[f"`{name.removesuffix('Document').removesuffix('Wire')}`"] = f'"{code[0]}"'
    return words


def _type(schema: dict[str, Any]) -> str:
    """Write a schema as a type."""
    if "$ref" in schema:
        name = str(schema["$ref"].rpartition("/")[2])
        return _RENAMED.get(name, name)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        suits = sorted(schema["enum"], key=str) == list("CDHS")
        return "Suit" if suits else " | ".join([json.dumps(value) for value in schema["enum"]])
    if "anyOf" in schema:
        return " | ".join([_type(each) for each in schema["anyOf"]])
    if "prefixItems" in schema:
        return f"readonly [{', '.join([_type(each) for each in schema['prefixItems']])}]"
    kind = schema.get("type")
    if kind == "string":
        return _BY_PATTERN.get(schema.get("pattern", ""), "string")
    if kind == "array" and schema.get("minItems") == schema.get("maxItems") == 2:
        return f"readonly [{_type(schema['items'])}, {_type(schema['items'])}]"
    if kind == "array":
        return f"ReadonlyArray<{_type(schema['items'])}>"
    if kind == "object":
        if schema.get("propertyNames", {}).get("pattern") in _BY_PATTERN:
            return f"{{ readonly [card in Card]?: {_type(schema['additionalProperties'])} }}"
        return f"{{ readonly [name: string]: {_type(schema.get('additionalProperties') or {})} }}"
    return {"integer": "number", "number": "number", "boolean": "boolean", "null": "null", None: "unknown"}[kind]


# ---------------------------------------------------------------------------------------------------------- operations


def _operations(operations: Iterable[Operation], words: Mapping[str, str]) -> Iterator[str]:
    """Declare what each operation takes and returns, and write a method for each."""
    requests, results, methods = "", "", ""
    for each in operations:
        request, result = f"{each.title}Request", each.result.__name__
        requests += f'  "{each.name}": {request};\n'
        results += f'  "{each.name}": {result};\n'
        text = f"{each.sentence} {' '.join(each.notes.split())}".strip()
        method = each.title[0].lower() + each.title[1:]
        default = "" if any([argument.required for argument in each.arguments.values()]) or each.one_of else " = {}"
        methods += f"""
{_comment(text, words, "  ")}  {method}(request: {request}{default}): Promise<{result}> {{
    return this.ask("{each.name}", request);
  }}
"""
    yield f"/** The request of each operation. */\nexport interface Requests {{\n{requests}}}"
    yield f"/** The result of each operation. */\nexport interface Results {{\n{results}}}"
    yield "/** The name of an operation. */\nexport type Op = keyof Requests & keyof Results;"
    yield f"""\
/** A method for each operation. */
export abstract class Operations {{
  /**
   * Get the result of an operation.
   *
   * In a loop that feeds results into requests, call the operation's method or annotate the result: TypeScript cannot
   * infer its type there (TS7022).
   */
  abstract ask<O extends Op>(op: O, request: Requests[O]): Promise<Results[O]>;
{methods}}}"""


def main() -> None:
    """Write the modules to the folder that the command line names."""
    folder = Path(sys.argv[1])
    for name, text in modules().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
