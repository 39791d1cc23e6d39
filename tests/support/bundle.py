"""The bundle of the browser table: its scripts, styles and words as few small files, so that a clone needs no Node.js.

`python -m support.bundle` makes it from the sources. It needs npm, which installs esbuild and Preact as
`package-lock.json` pins them.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import heartsrules
from heartsrules import Rules
from heartsrules.messages._format import Figure, Pattern, Plural, Select, Word, parsed
from heartsrules.pictures.svg import DRAWINGS

__all__ = ["BUILT", "DIGEST", "ESBUILD", "PAGE", "build", "bundled", "files", "parts_of", "prepare"]

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "src" / "heartsrules" / "apps" / "table" / "static"
"""The sources of the page."""
RULES: Final = ROOT / "src" / "heartsrules" / "formats" / "wire" / "schema" / "rules.json"
KEPT: Final = ("type", "minItems", "maxItems", "minimum", "maximum", "maxLength", "pattern")
"""The keywords of schemas that the page reads as they are."""
DRAWINGS_IN: Final = Path("heartsrules", "pictures", "svg", DRAWINGS.name)
BUILT: Final = PAGE.with_name("bundle")
COPIED: Final = (
    *("apple-touch-icon.png", "icon-192.png", "icon-512.png", "icon.svg"),
    *("index.html", "manifest.webmanifest"),
)
DIGEST: Final = "digest.txt"
"""In the bundle, the digest of its sources and of its other files."""
ESBUILD: Final = (
    *("main.ts", "main.css", "en.ts", "de.ts", "table.ts", "form.ts", "drills.ts", "review.ts"),
    *("local.ts", "python.ts", "worker.ts", "service-worker.ts"),
    *("--bundle", "--minify", "--splitting", "--format=esm", "--target=es2022", "--charset=utf8"),
    *("--chunk-names=[name]-[hash]", "--legal-comments=none", "--log-level=warning"),
)


def files() -> dict[Path, bytes]:
    """Return the files of the bundle: those that are there if they are fresh, or else new ones.

    Raises:
        RuntimeError: They are not fresh, and there is no npm.
        subprocess.CalledProcessError: npm could not install esbuild, or esbuild found a mistake.
    """
    there = {path.name: path.read_bytes() for path in BUILT.glob("*")}
    if there.pop(DIGEST, b"") != _digest(there):
        there = build()
    return {BUILT / name: body for name, body in {**there, DIGEST: _digest(there)}.items()}


def build() -> dict[str, bytes]:
    """Return the files of the bundle except the digest, by name, as esbuild makes them."""
    if shutil.which("npm") is None:
        raise RuntimeError("the sources of the browser table have changed: install npm, and run nox -s generate")
    with tempfile.TemporaryDirectory() as folder:
        page = prepare(Path(folder))
        bundled(page, *ESBUILD, f"--outdir={folder}/built")
        made = {path.name: path.read_bytes() for path in Path(folder, "built").iterdir()}
        made["preact.txt"] = (page / "node_modules" / "preact" / "LICENSE").read_bytes()
    made |= {name: (PAGE / name).read_bytes() for name in COPIED}
    # The browser gets at once what the script would ask for.
    needed = sorted(re.findall(rb'from"\./(chunk-\w+\.js)"', made["main.js"]))
    links = b"".join([b'<link rel="modulepreload" href="/static/%s">\n    ' % name for name in needed])
    made["index.html"] = made["index.html"].replace(b'<script type="module"', links + b'<script type="module"')
    return made


def prepare(folder: Path) -> Path:
    """Copy the sources to an empty folder, install what they need, and return where they are."""
    page = folder / PAGE.relative_to(ROOT / "src")
    shutil.copytree(PAGE, page, ignore=shutil.ignore_patterns("node_modules"))
    compile_words(page)
    for path in page.glob("options.*.json"):
        path.write_bytes(option_form(path))
    drawings = folder / DRAWINGS_IN
    drawings.parent.mkdir(parents=True)
    drawings.write_bytes(DRAWINGS.read_bytes())
    options = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1")
    subprocess.run(["npm", "ci", *options], cwd=page, check=True, capture_output=True, timeout=180)
    return page


def compile_words(page: Path) -> None:
    """Replace the patterns of the words by their parts, so that the page has no parser."""
    for path in page.glob("words.*.json"):
        patterns = json.loads(path.read_text("utf-8"))
        parts = {key: parts_of(parsed(pattern)) for key, pattern in patterns.items()}
        path.write_text(json.dumps(parts, ensure_ascii=False), "utf-8")


def option_form(path: Path) -> bytes:
    """Return the form of the options in the words of a file: its sections, and a schema with titles for each option."""
    words = json.loads(path.read_text("utf-8"))
    schema = json.loads(RULES.read_bytes())["$defs"]
    fields = {}
    sections: dict[str, list[str]] = {}
    for option in Rules.OPTIONS:
        told = {"label": _capital(option.name), "sentence": option.sentence, **words["options"].get(option.name, {})}
        field = _field(schema["RulesDocument"]["properties"][option.name], schema, told, words)
        fields[option.name] = {**field, "title": told["label"], "description": told["sentence"]}
        # The number of players stands above all others.
        if option.name != "players":
            sections.setdefault(words["sections"].get(option.section, option.section), []).append(option.name)
    titled = [{"title": title, "options": names} for title, names in sections.items()]
    return json.dumps({"sections": titled, "fields": fields}, ensure_ascii=False).encode()


def _field(schema: Any, known: Any, told: Any, words: Any) -> dict[str, Any]:
    """Return a schema without references, in which alternatives, values and parts have titles."""
    name = schema.get("$ref", "").rpartition("/")[2]
    schema = {**known.get(name, {}), **schema}
    field = {key: each for key, each in schema.items() if key in KEPT}

    def inner(part: Any, title: str, description: str = "") -> dict[str, Any]:
        return {**_field(part, known, told, words), "title": title, "description": description}

    def titled(part: Any, called: str) -> dict[str, Any]:
        return inner(part, words["parts"][called], words["explained"].get(called, ""))

    if "enum" in schema:
        # Named values are in the order in which they are explained.
        field["enum"] = [each.value for each in getattr(heartsrules, name)] if name else schema["enum"]
        field["titles"] = [
            _capital(told.get("values", {}).get(str(each), str(each).replace("-", " "))) for each in field["enum"]
        ]
    elif schema.get("type") == "null":
        return {"enum": [None], "titles": [_capital(words["kinds"]["null"])]}
    elif "anyOf" in schema:
        kinds = words["kinds"]
        field["anyOf"] = [inner(each, _capital(kinds.get(each.get("type"), told["label"]))) for each in schema["anyOf"]]
    elif "properties" in schema:
        field["properties"] = {key: titled(each, key) for key, each in schema["properties"].items()}
    elif "pair" in told and schema.get("maxItems") == len(told["pair"]):
        parts = schema.get("prefixItems", [schema["items"]] * len(told["pair"]))
        field["prefixItems"] = [titled(part, called) for part, called in zip(parts, told["pair"], strict=True)]
    elif "items" in schema:
        field["items"] = _field(schema["items"], known, told, words)
    return field


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:].replace("_", " ")


def parts_of(pattern: Pattern) -> Any:
    """Return a pattern as `words.ts` reads it."""
    if len(pattern) < 2 and all([isinstance(part, str) for part in pattern]):
        return "".join(map(str, pattern))
    found: list[Any] = []
    for part in pattern:
        if isinstance(part, Word):
            found.append([part.name])
        elif isinstance(part, Figure):
            found.append([part.name, {"other": [0]}, 0])
        elif isinstance(part, Select):
            found.append([part.name, {case: parts_of(inner) for case, inner in part.cases.items()}])
        elif isinstance(part, Plural):
            cases = {f"={number}": inner for number, inner in part.exact.items()} | part.forms
            found.append([part.name, {case: parts_of(inner) for case, inner in cases.items()}, part.offset])
        else:
            found.append(part if isinstance(part, str) else 0)
    return found


def bundled(page: Path, *arguments: str) -> None:
    """Run esbuild on prepared sources."""
    subprocess.run(["node_modules/.bin/esbuild", *arguments], cwd=page, check=True)


def _digest(made: dict[str, bytes]) -> bytes:
    paths = [path for path in PAGE.iterdir() if path.is_file()]
    sources = {path.name: path.read_bytes() for path in paths} | {DRAWINGS.name: DRAWINGS.read_bytes()}
    sources |= {path.name: option_form(path) for path in paths if path.name.startswith("options.")}
    found = hashlib.sha256(repr((ESBUILD, sorted(sources.items()), sorted(made.items()))).encode())
    return f"{found.hexdigest()}\n".encode()


if __name__ == "__main__":
    BUILT.mkdir(exist_ok=True)
    fresh = files()
    for path in set(BUILT.iterdir()) - set(fresh):
        path.unlink()
    for path, content in fresh.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
            print(path.relative_to(ROOT), file=sys.stderr)
