"""Count the patterns of translated prose in docstrings and pages, per 1,000 words.

`python -m support.prose` prints a line for each pattern, with `--list` every hit, with paths only what is in them.
A pattern finds candidates, not errors.
"""

import argparse
import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import attrs

ROOT: Final = Path(__file__).parents[2]

PATTERNS: Final = {
    "fronted of": r"(?:^|[.;:(] ?)[Oo]f (?:an?|the|its|two|several|equal|many) ",
    "what as a noun": r"\b[Ww]hat (?:is|was|has|had|it|they|no|came|comes|must|may|follows|the) ",
    "tell": r"\b(?:tell|tells|told|telling)\b",
    "says so": r"\bsays? (?:so|it|which|whether|what|how|who|when|no)\b|\bas \S+ says\b",
    "may for can": r"\bmay (?:know|see|hold|have|be)\b",
    "as far as": r"\bas far as\b",
    "whoever": r"(?i:\bwhoever\b)|\bfor who\b",
    "beside": r"\bbeside\b",
    "lie, stand": r"\b(?:lie|lies|lying|stand|stands)\b",
    "so many": r"\b(?:so many|as many|so much)\b",
    "that of": r"\b(?:that|those) of\b|\bthe ones? (?:that|who)\b",
    "none with a colon": r"(?:None|-1|0|[Ee]mpty): [a-z]",
    "alone": r"\S alone\b",
    "is to": r"\b(?:is|are|was|were) (?:still |now )?to [a-z]+\b",
    "nobody": r"\b(?:no|any|every|some)body\b",
    "or none": r"\bor none\b|\bif (?:any|so)\b|\bif there (?:is|are) (?:one|any)\b",
    "count of, less": r"\bcounts? of\b|\bless (?!than)",
    "stacked relatives": r"\b(?:that|which|who)\b[^.;,]*\b(?:that|which|who)\b",
    "come": r"\b(?:come|comes|came)\b",
    "chain of of": r"\bthe \w+ of (?:a|the|each) (?:seat|shooter|deal|view|player|move)\b",
    "riddle heading": r"(?m)^#+ (?:What|How|When|Where|Who) ",
    "by for with": r"\bby (?:the (?:engine|events?|piles?|view)|its (?:own )?(?:events?|view))\b",
    "has for contains": r"\S has (?:the|all|what) ",
    "figure of speech": r"times as long|a good (?:half|quarter)|\bsome (?:fifty|thirty|\d)",
    "semicolon in a first line": r"(?s)\A[^\n]*;",
}
ONLY_DOCSTRINGS: Final = frozenset({"semicolon in a first line"})


@attrs.frozen
class Text:
    """A page, a docstring or a string below an attribute, without code."""

    path: Path
    line: int
    text: str
    of_attribute: bool = False

    @property
    def words(self) -> int:
        return len(self.text.split())

    @property
    def words_of_attributes(self) -> int:
        """Its words about attributes, in a string below one or in an `Attributes:` block."""
        block = re.search(r"(?s)^ *Attributes:\n(.*?)(?:\n\s*\n|\Z)", self.text, re.MULTILINE)
        return self.words if self.of_attribute else len(block[1].split()) if block else 0


def docstrings(paths: Iterable[Path]) -> Iterator[Text]:
    """The docstrings of Python files, without their doctests."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            body = getattr(node, "body", None)
            for number, child in enumerate(body if isinstance(body, list) else []):
                if (
                    isinstance(child, ast.Expr)
                    and isinstance(child.value, ast.Constant)
                    and isinstance(child.value.value, str)
                ):
                    yield Text(path, child.lineno, _without_doctests(child.value.value), of_attribute=number > 0)


def pages(paths: Iterable[Path]) -> Iterator[Text]:
    """Pages in Markdown, without their code."""
    for path in paths:
        yield Text(path, 1, re.sub(r"(?ms)^ *```.*?^ *```|`[^`\n]*`", " ", path.read_text("utf-8")))


def _without_doctests(text: str) -> str:
    """A docstring without examples, which end at a blank line, and without code in backticks."""
    return re.sub(r"`[^`\n]*`", "`x`", re.sub(r"(?ms)^ *>>> .*?(?:^\s*$|\Z)", "", text))


def hits(texts: Iterable[Text], *, in_pages: bool = False) -> Iterator[tuple[str, Text, re.Match[str]]]:
    """Each match of a pattern, with its name."""
    for text in texts:
        for name, pattern in PATTERNS.items():
            if not (in_pages and name in ONLY_DOCSTRINGS):
                for match in re.finditer(pattern, text.text):
                    yield name, text, match


def main() -> None:
    """Print the counts of docstrings and of pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[ROOT / "src", ROOT / "docs", ROOT / "README.md"])
    parser.add_argument("--list", action="store_true", help="print every hit")
    asked = parser.parse_args()
    files = [
        file
        for path in asked.paths
        for file in (path.rglob("*") if path.is_dir() else [path])
        if "_build" not in file.parts
    ]
    for name, texts, in_pages in (
        ("docstrings", list(docstrings(sorted(file for file in files if file.suffix == ".py"))), False),
        (
            "pages",
            list(pages(sorted(file for file in files if file.suffix == ".md" and "api" not in file.parts))),
            True,
        ),
    ):
        found, words = list(hits(texts, in_pages=in_pages)), sum(text.words for text in texts)
        if not words:
            continue
        of_attributes = sum(text.words_of_attributes for text in texts)
        parts = f" ({words - of_attributes:,} without attributes)" if of_attributes else ""
        print(f"{name}: {words:,} words{parts}, {len(found):,} hits, {1000 * len(found) / words:.1f} in 1,000 words")
        if asked.list:
            for kind, text, match in found:
                line = text.line + text.text.count("\n", 0, match.start())
                print(f"{text.path}:{line}: {kind}: {' '.join(match.group().split())}")
        else:
            for kind in PATTERNS:
                if count := sum(kind == other for other, _, _ in found):
                    print(f"{count:6} {kind}")


if __name__ == "__main__":
    main()
