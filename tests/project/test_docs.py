"""The documentation is complete: it names every option, every code and every public name, and its examples run."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import attrs
import pytest

import heartsrules
from heartsrules import HeartsError, Rules, Violation
from heartsrules.play import violations
from heartsrules.play.state import MidDealPosition
from heartsrules.play.violations import PRECEDENCE
from heartsrules.rules import Kind
from heartsrules.setup import DealSetup, Setup
from support import reference
from support.modules import MODULES
from support.problems import name_called

pytestmark = pytest.mark.once_interpreted

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "heartsrules"
PAGES = sorted(
    page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md") if "_build" not in page.parts
)
OPTIONS = {option.name: option for option in Rules.OPTIONS}
FIELDS = list(OPTIONS)
BULLETS = ("Values", "Sources", "Violations", "Refused")


def read(page: str) -> str:
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def sections(page: str) -> dict[str, str]:
    """The sections of a page whose headings are names in backticks, by name, in order."""
    parts = re.split(r"^#{2,3} (.*)$", read(page), flags=re.MULTILINE)
    return {
        heading.strip("`"): text
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
        if heading.startswith("`")
    }


def bullet(text: str, name: str) -> str:
    """What a section says under one of its four headings."""
    found = re.search(rf"^- \*\*{name}:\*\* (.*?)(?=^- \*\*|^$)", text, flags=re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def codes_in(text: str) -> set[str]:
    return set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", text))


def problems_made(module: Path) -> Iterator[tuple[str, str | None]]:
    """The code of every `Problem` that a module makes, and the first field it is about, if that is written out.

    A function or a method that makes a problem of a code that it is given counts as making one too, and one that calls
    such a one with that code. A problem with the code of another problem is not a new one.
    """
    tree = ast.parse(module.read_text(encoding="utf-8"))
    makers = {"Problem"}
    before: set[str] = set()
    while makers != before:
        before = set(makers)
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                given = {argument.arg for argument in (*function.args.posonlyargs, *function.args.args)}
                if any(isinstance(code, ast.Name) and code.id in given for code, _ in calls_of(before, function)):
                    makers.add(function.name)
    for code, fields in calls_of(makers, tree):
        if isinstance(code, ast.Constant):
            first = fields.elts[0] if isinstance(fields, ast.Tuple) and fields.elts else None
            yield str(code.value), str(first.value) if isinstance(first, ast.Constant) else None
        elif not (isinstance(code, ast.Attribute) and code.attr == "code"):
            assert makers > {"Problem"}, f"{module.name}: the code of a problem is neither written out nor given"


def calls_of(names: set[str], tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The first two arguments of every call of a function, or of a method of `self`, with one of these names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) > 1 and name_called(node) in names:
            yield node.args[0], node.args[1]


PROBLEMS_OF_RULES = sorted(
    {made for module in (SOURCE / "rules").glob("_*.py") for made in problems_made(module)}, key=str
)


def test_every_option_has_a_section_in_the_order_of_the_fields() -> None:
    assert list(sections("reference/rules")) == FIELDS


@pytest.mark.parametrize("field", FIELDS)
def test_every_option_has_values_sources_codes_and_an_executed_case(field: str) -> None:
    section = sections("reference/rules")[field]
    assert section.strip().split("\n")[0][:1].isupper(), "it begins with a sentence"
    assert [name for name in BULLETS if not bullet(section, name)] == []
    assert re.search(r"^```python\n>>> ", section, flags=re.MULTILINE)


@pytest.mark.parametrize("field", FIELDS)
def test_every_option_names_its_values_and_its_default(field: str) -> None:
    option, section = OPTIONS[field], sections("reference/rules")[field]
    values = bullet(section, "Values")
    assert "by default" in values.lower()
    if option.kind is Kind.BOOL:
        assert values.startswith(f"a bool; {option.default} by default")
    for choice in option.choices if option.kind is Kind.CHOICE else ():
        assert re.search(rf"`(\w+\.)?{choice.name}`", section), choice
    for bound in (option.least, option.most):
        assert bound is None or f"{bound:,}" in values, bound


@pytest.mark.parametrize(("code", "field"), PROBLEMS_OF_RULES)
def test_every_problem_of_rules_is_named_with_its_option_and_in_the_table(code: str, field: str | None) -> None:
    text = read("reference/rules")
    assert f"| `{code}` | " in text.split("## Combinations that are refused")[1]
    if field is not None and field in FIELDS:
        assert code in codes_in(bullet(sections("reference/rules")[field], "Refused"))


def test_no_option_names_a_code_that_there_is_not() -> None:
    problems = {code for code, _ in PROBLEMS_OF_RULES}
    violations = {violation.code for violation in get_args(Violation)}
    for field, section in sections("reference/rules").items():
        assert codes_in(bullet(section, "Refused")) <= problems, field
        assert codes_in(bullet(section, "Violations")) <= violations, field


def test_every_rule_of_play_is_named_in_the_rules_reference() -> None:
    named = codes_in(read("reference/rules"))
    assert {violation.code for violation in PRECEDENCE} <= named


def test_every_problem_is_in_the_reference() -> None:
    pages = ("violations", "rules", "wire", "setup", "protocol", "players")
    text = "".join([read(f"reference/{page}") for page in pages])
    made = {code for module in SOURCE.rglob("*.py") for code, _ in problems_made(module)}
    assert {code for code in made if f"| `{code}` | " not in text} == set()


def test_every_attribute_and_every_problem_of_setups_is_on_its_page() -> None:
    text = read("reference/setup")
    names = {field.name for cls in (Setup, DealSetup) for field in attrs.fields(cls)} | set(
        MidDealPosition.__match_args__
    )
    assert {name for name in names if f"`{name}`" not in text} == set()
    assert {code for code in ("no-history", "unwritable") if f"\n| `{code}` | " not in text} == set()


def test_every_violation_has_a_section_with_its_code_and_attributes() -> None:
    text = sections("reference/violations")
    assert set(PRECEDENCE) == set(get_args(Violation))
    assert {violation.__name__ for violation in PRECEDENCE} <= set(violations.__all__)
    assert list(text) == [violation.__name__ for violation in PRECEDENCE]
    for violation in PRECEDENCE:
        section = text[violation.__name__]
        assert section.strip().startswith(f"Code `{violation.code}`.")
        for field in attrs.fields(violation):
            assert f"`{field.name}`" in section, (violation, field.name)


def test_every_error_is_in_the_reference() -> None:
    text = read("reference/violations")
    for name in dir(heartsrules):
        error = getattr(heartsrules, name)
        if isinstance(error, type) and issubclass(error, HeartsError):
            assert f"| `{name}` | `{error.code}` |" in text


def test_every_module_that_lists_its_names_has_a_page_or_is_for_the_package_alone() -> None:
    pages = [page.removeprefix("heartsrules.") for page in reference.documented()]
    assert sorted(page.stem for page in reference.FOLDER.glob("*.md")) == sorted(pages)
    assert {f"heartsrules.{name}" for name in reference.INTERNAL} <= set(MODULES)


def anchors(page: Path) -> set[str]:
    """What a link to a page may name after `#`, as a forge and the site do."""
    headings = re.findall(r"^#{1,6} (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=lambda page: page.name)
def test_what_a_page_beside_the_documentation_leads_to_is_there(page: Path) -> None:
    """Sphinx sees to it that those of the documentation do; `nox -s docs -- links` asks for what is elsewhere."""
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'\b(?:src|srcset)="([^"]+)"', text):
        if not re.match(r"[a-z]+:", link):
            path, _, anchor = link.partition("#")
            there = page.parent / path if path else page
            assert there.exists(), link
            assert not anchor or anchor in anchors(there), link


def test_the_tutorial_works_for_somebody_who_types_and_saves_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    typed = "".join([block for block in blocks if block.startswith(">>>")])
    (saved,) = [block for block in blocks if not block.startswith(">>>")]
    (name,) = re.findall(r"Save this as\s+`(\w+)\.py`", text)
    (tmp_path / f"{name}.py").write_text(saved, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    lines: list[str] = []
    examples = doctest.DocTestParser().get_doctest(typed, {}, "tutorial", "docs/tutorial.md", 0)
    result = doctest.DocTestRunner().run(examples, out=lines.append)
    monkeypatch.delitem(sys.modules, name, raising=False)
    assert result.attempted > 20
    assert not result.failed, "".join(lines)


def test_every_test_that_a_page_names_is_there() -> None:
    named = {name for page in PAGES for name in re.findall(r"`(tests/[\w/]+(?:\.py)?(?:::\w+)?)`", read(page))}
    assert any("::" in name for name in named)
    for name in named:
        path, _, function = name.partition("::")
        assert (ROOT / path).exists(), name
        assert not function or f"\ndef {function}(" in (ROOT / path).read_text(encoding="utf-8"), name


@pytest.mark.parametrize("path", ["src/heartsrules/testing/perft.py", "docs/how-to/simulate-at-scale.md"])
def test_the_last_example_of_a_file_runs_in_a_process_that_did_not_run_those_before(path: str) -> None:
    program = (
        "import sys, pytest\n"
        "class Last:\n"
        "    def pytest_collection_modifyitems(self, items):\n"
        "        items[:] = sorted(items, key=lambda item: item.example.start)[-1:]\n"
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '-m', '', sys.argv[1]], plugins=[Last()]))\n"
    )
    run = subprocess.run([sys.executable, "-c", program, path], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "1 passed" in run.stdout, run.stdout
