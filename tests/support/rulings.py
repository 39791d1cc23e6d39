"""The rulings of the rules reference, each with its id, and the cases that cite it.

A ruling is the text before a mark such as `{hr}` with `7.3` in it, on the pages of the law; its id is `HR-7.3`. Numbers
are given once: a new ruling of a part takes the next free number, wherever it stands, and a number that is withdrawn is
never used again.

A case cites a ruling by its id: a row of a table in the tests by its name, a test by its docstring, and an example of a
page by a comment, without the `HR-`; the lines up to the next comment belong to it too. An example that prints the code
of a refused rule set is a case of that refusal.
"""

from __future__ import annotations

import contextlib
import doctest
import inspect
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from support.benches import program

__all__ = ["FILE", "Case", "Ruling", "cases", "document", "failing_examples", "rulings", "unmarked"]

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "docs" / "reference"
FILE: Final = FOLDER / "rulings.json"
PAGES: Final = ("rules", "laws", "disputes")
"""The pages of the law."""
_MARK: Final = re.compile(r"\{hr\}`([\w.-]+)`")
_CITED: Final = re.compile(r"\bHR-(\w+\.[\w-]+)")
_IN_COMMENT: Final = re.compile(r"\b([a-z_]+|\d+a?)\.(\d+)\b")
_NUMBERED: Final = re.compile(r"#\s*(\d+)\b")
_REFUSED: Final = re.compile(r"'([a-z]+(?:-[a-z]+)+)'")
_LINK: Final = re.compile(r"\]\((?:[\w./-]*#|\.\./|\w+\.md)")


@attrs.frozen
class Ruling:
    """One ruling of the law."""

    id: str
    sentence: str
    """What it says, without Markdown."""
    page: str
    """The name of its page."""
    options: tuple[str, ...]
    """The options of `Rules` that it names, or whose section it stands in."""
    sources: tuple[str, ...]
    """The published systems that it goes back to, by the names of the reference."""


@attrs.frozen
class Case:
    """A case that cites rulings."""

    ids: frozenset[str]
    name: str
    """The name of a row or a function, or the statement of an example."""
    test: str
    """The page of an example, or the test file and its function."""
    run: Callable[[], object] | None = attrs.field(default=None, repr=False)
    """Calls the test; None: it is an example."""


# ------------------------------------------------------------------------------------------------------- the pages


@attrs.frozen
class _Block:
    """A paragraph, a list item, or a row of a table."""

    heading: str
    text: str
    is_list: bool


def _read(page: str) -> str:
    return (FOLDER / f"{page}.md").read_text(encoding="utf-8")


def _blocks(text: str) -> Iterator[_Block]:
    """The blocks of a page, without its code."""
    prose = re.sub(r"^(`{3,})[^\n]*\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    heading = ""
    for paragraph in re.split(r"\n\s*\n", prose):
        for part in re.split(r"\n(?=(?:\d+\.|-) |\|)", paragraph):
            block = " ".join(part.split())
            if block.startswith("#"):
                heading = block.strip("# `")
            elif block:
                yield _Block(heading, block, re.match(r"(?:\d+\.|-) ", block) is not None)


def _plain(text: str) -> str:
    """Markdown as plain text."""
    text = re.sub(r"^(?:\d+\.|-|\|) ", "", text.strip())
    text = re.sub(r"^`[a-z-]+` \| ", "refused: ", text)
    text = re.sub(r"\(\[More\]\([^)]*\)\)|\[Section\s+\d+\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(?<!\w)[*`_]+|[*`]+", "", text)
    return " ".join(text.split()).strip(" ,;|")


@cache
def _sections() -> dict[str, str]:
    """The section of each option."""
    parts = re.split(r"^### `(\w+)`$", _read("rules"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@cache
def _systems() -> tuple[str, ...]:
    """The names of the published systems."""
    tables = _read("rules").split("## The published systems")[1]
    named = re.findall(r"^\| ([^|]+) \| ", tables, flags=re.MULTILINE)
    return tuple([name for row in named for name in row.split(", ") if name not in ("name", "---")])


def _sources(text: str) -> tuple[str, ...]:
    return tuple([name for name in _systems() if re.search(rf"\b{re.escape(name)}\b", text)])


def _told_sources(section: str) -> str:
    """What the section of an option says of its sources."""
    found = re.search(r"^- \*\*Sources:\*\* (.*?)(?=^- \*\*|^$)", section, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


@cache
def rulings() -> tuple[Ruling, ...]:
    """The rulings in the order of the pages."""
    found = []
    options = _sections()
    for page in PAGES:
        for block in _blocks(_read(page)):
            start = 0
            for mark in _MARK.finditer(block.text):
                text = block.text[start : mark.start()]
                if page == "disputes":
                    text = f"{block.heading} {text}"  # the question, and its answer
                start = mark.end()
                named = dict.fromkeys([block.heading, *re.findall(r"`(\w+)`", text)])
                about = tuple([name for name in named if name in options])
                sources = _sources(text) or _sources(_told_sources(options.get(block.heading, "")))
                found.append(Ruling(f"HR-{mark[1]}", _plain(text), page, about, sources))
    return tuple(found)


def unmarked() -> list[str]:
    """What the sections of the law say without an id, and without a link to where the ruling is."""
    found = []
    law = _read("rules")
    course = law.split("## The course of a deal")[1].split("## The options")[0]
    blocks = list(_blocks(course))
    for text in _sections().values():
        blocks += _blocks(text.split("- **Values:**")[0])
    blocks += _blocks(law.split("## Rulings")[1].split("Some of them as cases")[0])
    for block in _blocks(_read("laws").split("## The usual game")[1].split("## The queen")[0]):
        blocks += [block] * block.is_list
    questions = _read("disputes").split("At a table of")[0]
    for part in re.findall(r"^### .*?(?=^##|\Z)", questions, flags=re.MULTILINE | re.DOTALL):
        blocks += [block for block in _blocks(part) if not block.text.startswith(("<", "(the-judge)"))]
    for block in blocks:
        tail = block.text[max([mark.end() for mark in _MARK.finditer(block.text)], default=0) :].strip()
        if tail and not tail.endswith(":") and not _LINK.search(tail):
            found.append(tail)
    return found


# ------------------------------------------------------------------------------------------------------- the examples


@attrs.frozen
class _Example:
    """A statement of a page, with the rulings that it proves."""

    ids: frozenset[str]
    text: str


@cache
def _examples(page: str) -> tuple[_Example, ...]:
    """The statements of a page, in order."""
    found = []
    for block in re.findall(r"^```python\n(.*?)^```", _read(page), flags=re.MULTILINE | re.DOTALL):
        cited: frozenset[str] = frozenset()
        for example in doctest.DocTestParser().get_examples(block):
            comments = " ".join([line.partition("  #")[2] for line in example.source.splitlines() if "  # " in line])
            named = {f"HR-{part}.{number}" for part, number in _IN_COMMENT.findall(comments)}
            if page == "disputes":
                named |= {f"HR-dispute.{number}" for number in _NUMBERED.findall(f"#{comments}")[:1]}
            cited = frozenset(named) or cited
            refused = {f"HR-refused.{code}" for code in _REFUSED.findall(example.want)}
            found.append(_Example(cited | (refused & _ids()), example.source.strip()))
    return tuple(found)


@cache
def _ids() -> frozenset[str]:
    return frozenset([ruling.id for ruling in rulings()])


def failing_examples(page: str) -> frozenset[str]:
    """The ids of the rulings of which an example on a page fails."""
    text = "".join(re.findall(r"^```python\n(.*?)^```", _read(page), flags=re.MULTILINE | re.DOTALL))
    runner = _Recorder()
    runner.run(doctest.DocTestParser().get_doctest(text, {}, page, None, 0), out=lambda _: None)
    examples = _examples(page)
    return frozenset([id_ for number in runner.failed for id_ in examples[number].ids])


class _Recorder(doctest.DocTestRunner):
    """Notes the numbers of the statements that fail."""

    def __init__(self) -> None:
        super().__init__()
        self.failed: list[int] = []
        self.number = -1

    def report_start(self, out: object, test: object, example: object) -> None:  # noqa: ARG002
        self.number += 1

    def report_failure(self, out: object, test: object, example: object, got: object) -> None:  # noqa: ARG002
        self.failed.append(self.number)

    def report_unexpected_exception(self, out: object, test: object, example: object, exc_info: object) -> None:  # noqa: ARG002
        self.failed.append(self.number)


# ---------------------------------------------------------------------------------------------------------- the tests

_module: Final = cache(program)
"""Import a test file once."""


def _cited(text: str) -> frozenset[str]:
    return frozenset([f"HR-{id_}" for id_ in _CITED.findall(text)])


def _rows(function: Callable[..., object]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parameters of a test, with the names of their rows; one row without a name where it takes none."""
    tables = []
    for mark in getattr(function, "pytestmark", []):
        if mark.name == "parametrize":
            names, values = mark.args
            names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
            called = mark.kwargs.get("ids") or [""] * len(values)
            single = len(names) == 1
            tables.append(
                [
                    (name, dict(zip(names, [value] if single else value, strict=True)))
                    for name, value in zip(called, values, strict=True)
                ]
            )
    for row in product(*tables):
        yield (
            " ".join([name for name, _ in row if name]),
            {key: value for _, given in row for key, value in given.items()},
        )


def _of_tests(wanted: frozenset[str] | None = None) -> Iterator[Case]:
    """The cases in the tests; with `wanted`, at least those of these rulings."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        cited = frozenset() if path.parent.name == "project" else _cited(path.read_text(encoding="utf-8"))
        if cited and (wanted is None or cited & wanted):
            for name, function in vars(_module(path)).items():
                if name.startswith("test_") and inspect.isfunction(function):
                    test = f"{path.relative_to(ROOT).as_posix()}::{name}"
                    own = _cited(function.__doc__ or "")
                    for row, given in _rows(function):
                        ids = own | _cited(row)
                        if ids:
                            yield Case(ids, _CITED.sub("", row).strip() or name, test, _call(function, given))


def _call(function: Callable[..., object], given: dict[str, Any]) -> Callable[[], object]:
    return lambda: function(**given)


@cache
def cases() -> tuple[Case, ...]:
    """All cases that cite rulings: the examples of the pages, and the tests."""
    shown = [
        Case(example.ids, example.text, f"docs/reference/{page}.md")
        for page in PAGES
        for example in _examples(page)
        if example.ids
    ]
    return (*shown, *_of_tests())


def document() -> bytes:
    """The rulings as JSON, in the order of the pages."""
    listed = []
    for ruling in rulings():
        own = [case for case in cases() if ruling.id in case.ids]
        listed.append(
            {
                "id": ruling.id,
                "sentence": ruling.sentence,
                "place": f"{ruling.page}.html#{ruling.id}",
                "options": ruling.options,
                "sources": ruling.sources,
                "cases": list(dict.fromkeys([case.name for case in own])),
                "tests": list(dict.fromkeys([case.test for case in own])),
            }
        )
    return f"{json.dumps({'rulings': listed}, ensure_ascii=False, indent=1)}\n".encode()


def noticed(ids: Sequence[str]) -> frozenset[str]:
    """Which of these rulings have a case that fails as the package is now."""
    wanted = frozenset(ids)
    found: set[str] = set()
    for page in PAGES:
        if any([wanted & example.ids for example in _examples(page)]):
            found |= failing_examples(page)
    # Not `cases`: a fault may stop a test file from being imported.
    tests: list[Case] = []
    with contextlib.suppress(Exception):
        tests = list(_of_tests(wanted))
    for case in tests:
        if case.run is not None and wanted & case.ids - found:
            try:
                case.run()
            except (Exception, pytest.fail.Exception):
                found |= case.ids
    return frozenset(found) & wanted
