"""All generated files of the repository. `nox -s generate` rewrites them.

`test_generated` fails while any of it is stale.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import client_types
from fuzzing import corpus
from heartsrules import Rules
from heartsrules.apps.serve.playing import PLAYER_OPERATIONS
from heartsrules.formats.notation import format_field
from heartsrules.messages import catalogue, languages
from heartsrules.play.violations import PRECEDENCE
from heartsrules.rules import Kind
from heartsrules.simulation.figures import from_data
from support import (
    benches,
    bundle,
    digests,
    notation_vectors,
    notebook,
    pictures,
    places,
    protocol_page,
    reference,
    refused_lines,
    rooms,
    rulings,
    run_parts,
    wire_schemas,
)

__all__ = ["ROOT", "files", "left_overs", "write"]

ROOT: Final = Path(__file__).resolve().parents[2]
GRAMMAR: Final = ROOT / "docs" / "reference" / "notation.abnf"
VIOLATIONS: Final = ROOT / "src" / "heartsrules" / "play" / "violations.py"
MESSAGES: Final = ROOT / "src" / "heartsrules" / "messages"


def files() -> Iterator[tuple[Path, bytes]]:
    """The generated files: their paths and their content."""
    sys.path += sorted({str(file.parent) for file in (ROOT / "tests").glob("*/test_*.py")})
    # These modules draw whole games when they are imported.

    import test_conformance
    import test_describe
    import test_messages
    import test_wire

    for name, content in wire_schemas.files().items():
        yield ROOT / "src" / "heartsrules" / "formats" / "wire" / "schema" / name, content
    yield from test_wire.golden_files().items()
    yield from run_parts.golden_files().items()
    yield test_conformance.SAMPLE, test_conformance.sample()
    yield rooms.PICTURE, rooms.picture().encode()
    yield bundle.PAGE / "protocol.d.ts", client_types.page_module().encode()
    yield from bundle.files().items()
    yield from catalogues()
    yield VIOLATIONS, _with_exports(VIOLATIONS.read_text(encoding="utf-8")).encode()
    yield digests.FILE, f"{digests.digest(digests.FEW)}\n".encode()
    yield from test_messages.written().items()
    yield from test_describe.written().items()
    for name in refused_lines.MODULES:
        yield refused_lines.golden_file(name), refused_lines.contents(name).encode()
    yield rulings.FILE, rulings.document()
    yield from pictures.files()
    yield from notation_vectors.files()
    figures = benches.bench("figures")
    yield figures.PAGE, figures.page([from_data(item) for item in figures.read_data(figures.DATA)]).encode()
    yield notebook.FILE, notebook.run(notebook.FILE.read_bytes())
    for name, content in corpus.files().items():
        yield corpus.FOLDER / name, content
    for name, parts in (
        ("reference/rules", {"options": option_lists()}),
        ("reference/violations", {"precedence": precedence(), "sections": violation_sections()}),
        ("reference/protocol", {"operations": protocol_page.operation_sections()}),
        ("reference/players", {"operations": protocol_page.operation_sections(PLAYER_OPERATIONS)}),
        ("how-to/command-line", {"fields": field_table()}),
        ("contributing/recipes", {"untranslated": untranslated()}),
        *reference.parts(),
    ):
        page = ROOT / "docs" / f"{name}.md"
        text = page.read_text(encoding="utf-8")
        for part, inside in parts.items():
            text = places.with_part(text, part, inside)
        yield page, text.encode()
    yield from places.files(ROOT)
    grammar = GRAMMAR.read_text(encoding="utf-8")
    yield GRAMMAR, places.with_part(grammar, "fields", grammar_fields(), "; {}").encode()


def _with_exports(text: str) -> str:
    """The source of a module with its public classes and constants in `__all__`."""
    names = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    # As ruff sorts them: constants first.
    public = sorted([name for name in names if not name.startswith("_")], key=lambda name: (not name.isupper(), name))
    listed = "".join([f'    "{name}",\n' for name in public])
    return re.sub(r"^__all__ = \[.*?^\]", f"__all__ = [\n{listed}]", text, count=1, flags=re.DOTALL | re.MULTILINE)


def precedence() -> str:
    """The codes of the violations in a numbered list of Markdown."""
    codes = [f"{number}. [`{kind.code}`](#{kind.__name__.lower()})" for number, kind in enumerate(PRECEDENCE, 1)]
    return "\n".join(["", *codes, "", ""])


def violation_sections() -> str:
    """A section of Markdown for each violation: its code, its docstring and those of its fields."""
    lines: list[str] = []
    for kind in PRECEDENCE:
        said, _, fields = _linked(inspect.cleandoc(kind.__doc__ or "")).partition("\n\nAttributes:\n")
        lines += ["", f"### `{kind.__name__}`", "", f"Code `{kind.code}`. {said}", ""]
        lines += [
            re.sub(r"^(\w+):", r"- `\1`:", line.replace("    ", "  ")) for line in inspect.cleandoc(fields).splitlines()
        ]
        lines += [""] * (lines[-1] != "")
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*lines, ""]))


def _linked(text: str) -> str:
    """A text in which the names of options and of violations lead to their sections."""
    options = {option.name for option in Rules.OPTIONS}
    kinds = {kind.__name__ for kind in PRECEDENCE}

    def link(found: re.Match[str]) -> str:
        name = found[1]
        if name in options:
            return f"[`{name}`](rules.md#{name})"
        return f"[`{name}`](#{name.lower()})" if name in kinds else found[0]

    return re.sub(r"`(\w+)`", link, text)


def option_lists() -> str:
    """List the options with their defaults in Markdown, under each part of the game."""
    lines: list[str] = []
    for section, options in groupby(Rules.OPTIONS, key=lambda option: option.section):
        lines += ["", f"**{section}**", ""]
        for option in options:
            default = format_field(option.name, option.default, 4)
            lines.append(f"- [`{option.name}`](#{option.name}), `{default}`: {option.sentence}")
    return "\n".join([*lines, "", ""])


def grammar_fields() -> str:
    """The fields of a rule set in ABNF: a rule for each, and one for what a moon does, which a record names too."""
    lines: list[str] = []
    for option in Rules.OPTIONS:
        value = _IN_GRAMMAR[option.kind, option.optional]
        if option.kind is Kind.CHOICE:
            value = " / ".join([_dashed(str(choice)) for choice in option.choices])
            if option.name == "moon":
                lines.append(f"moon-value = {value}")
                value = "moon-value"
            else:
                value = f"( {value} )"
        lines.append(f"field ={'/' * bool(lines)} {_dashed(f'{option.name}=')} {value}")
    return "\n".join(["", *map(_folded, lines), "", ""])


def _dashed(name: str) -> str:
    """A name in ABNF whose words may have either dash between them."""
    return " dash ".join([f'"{word}"' for word in re.split("[_-]", name)])


def _folded(line: str) -> str:
    """A rule of ABNF on as many lines as it takes; all but the first begin with blanks."""
    return "\n".join(textwrap.wrap(line, 118, subsequent_indent="    ", break_on_hyphens=False))


_IN_GRAMMAR: Final = {
    (Kind.INT, False): "number",
    (Kind.INT, True): "optional-number",
    (Kind.BOOL, False): "bool",
    (Kind.CHOICE, False): "",
    (Kind.CARDS, False): "cards",
    (Kind.HEART_VALUES, False): "heart-values",
    (Kind.CARD_POINTS, False): "cards-with-points",
    (Kind.BONUSES, False): "cards-with-points",
    (Kind.DOUBLER, True): "doubler-value",
    (Kind.TOTALS, False): "totals",
    (Kind.PASS_CYCLE, False): "steps",
}
"""By the kind of an option and whether it may be None: the rule of the grammar that its values follow."""


def catalogues() -> Iterator[tuple[Path, bytes]]:
    """The English catalogue with the sentences of the violations, and the others in its order."""
    for language in languages():
        path = MESSAGES / f"{language}.json"
        own = catalogue() if language == "en" else json.loads(path.read_text(encoding="utf-8"))
        patterns = {name: own[name] for name in catalogue() if name in own}
        yield path, f"{json.dumps(patterns, ensure_ascii=False, indent=1)}\n".encode()


def untranslated() -> str:
    """What each other language lacks, in a list of Markdown."""
    lines = []
    for language in languages():
        own = json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8"))
        lacking = [f"`{name}`" for name in catalogue() if name not in own]
        if language != "en":
            lines.append(f"- `{language}`: {', '.join(lacking) or 'nothing'}")
    return "\n".join(["", *lines, "", ""])


def field_table() -> str:
    """How `--set` takes the options, in a table of Markdown: one row for those that are written alike."""
    alike: dict[tuple[str, str], list[str]] = {form: [] for form in _WRITTEN.values()}
    for option in Rules.OPTIONS:
        alike[_WRITTEN[option.kind, option.optional]].append(f"`{option.name}`")
    rows = [f"| {', '.join(names)} | {values} | {example} |" for (values, example), names in alike.items()]
    return "\n".join(["", "| fields | values | examples |", "| --- | --- | --- |", *rows, "", ""])


_WRITTEN: Final = {
    (Kind.INT, False): ("a whole number", "`decks=2`"),
    (Kind.INT, True): ("a whole number, or `none`", "`target=none`"),
    (Kind.BOOL, False): ("`yes` or `no`, also `true`, `false`, `on`, `off`", "`sun=yes`"),
    (Kind.CHOICE, False): ("a name of the option", "`moon=others-up`, `moon=OTHERS_UP`"),
    (Kind.CARDS, False): ("cards, with commas or spaces between them, or `none`", "`removed=2C,2D`"),
    (Kind.HEART_VALUES, False): (
        "`one`, `spot`, `face`, `pips`, or 13 whole numbers for 2 to A",
        "`heart_values=spot`",
    ),
    (Kind.CARD_POINTS, False): ("pairs of a card and its points, or `none`", "`extra_penalties=KS:10,AS:7`"),
    (Kind.BONUSES, False): ("pairs of a card and its points, or `none`", "`bonuses=JD:10,TD:5`"),
    (Kind.DOUBLER, True): ("a card, its factor and its points without a scoring card, or `none`", "`doubler=TC:2:50`"),
    (Kind.TOTALS, False): ("pairs of an exact total and the new one, or `none`", "`exact_resets=100:50`"),
    (Kind.PASS_CYCLE, False): ("the plans, with commas or spaces between them", "`pass_cycle=L3,R3,A3,hold`"),
}
"""By the kind of an option and whether it may be None: its values, and an example."""


def write() -> list[Path]:
    """Write the stale files, remove the left-over ones, and return the paths of both."""
    wanted = dict(files())
    changed = [path for path, content in wanted.items() if not path.exists() or path.read_bytes() != content]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(wanted[path])
    left_over = sorted(left_overs(wanted))
    for path in left_over:
        path.unlink()
    return changed + left_over


def left_overs(wanted: dict[Path, bytes]) -> Iterator[Path]:
    """Files in the folders of generated files that are no longer generated."""
    for folder, kind in {(path.parent, path.suffix) for path in wanted if path.suffix in (".json", ".jsonl", ".svg")}:
        yield from set(folder.glob(f"*{kind}")).difference(wanted)
    yield from set(bundle.BUILT.iterdir()).difference(wanted)


if __name__ == "__main__":
    written = write()
    for path in written:
        print(path.relative_to(ROOT), file=sys.stderr)
    if any(path.suffix == ".py" for path in written):
        # Pages were made of the source as it was.
        subprocess.run([sys.executable, "-m", "support.generated"], check=True)
