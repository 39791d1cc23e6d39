"""The tests themselves: what they cite exists, their page names every file, and a failed one says why it failed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGE = DOCS / "contributing" / "tests.md"
SOURCES = [path for folder in ("src", "tests", "bench") for path in sorted((ROOT / folder).rglob("*.py"))]
SECTION = re.compile(r"\b[Ss]ections? (\d[\d.]*\d|\d)(?:(?: to | and |-)(\d+))?")


def cited_sections(text: str) -> set[str]:
    """The numbers of the sections that a text cites, both ends of a range."""
    return {number for found in SECTION.finditer(text) for number in found.groups() if number is not None}


def test_sections_are_found_in_a_text() -> None:
    assert cited_sections("Section 4; sections 3 to 5, 6 sections, the section of 7; section 2.5.") == {
        "3",
        "4",
        "5",
        "2.5",
    }


def test_every_section_that_is_cited_is_one_of_the_rules() -> None:
    there = set(
        re.findall(r"^### (\d+)\. ", (DOCS / "reference" / "rules.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert there == {str(number) for number in range(1, 11)}
    cited = set()
    for path in SOURCES:
        if path != Path(__file__).resolve():
            sections = cited_sections(path.read_text(encoding="utf-8"))
            assert sections <= there, path
            cited |= sections
    assert cited


def test_every_page_that_is_cited_exists() -> None:
    cited = set()
    for path in SOURCES:
        for page in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text(encoding="utf-8")):
            assert (ROOT / page).is_file(), (path, page)
            cited.add(page)
    assert "docs/reference/rules.md" in cited


def summary(path: Path) -> str:
    """The first paragraph of the docstring of a module, which is the first thing in it."""
    found = re.match(r'"""(.+?)(?:\n\n|""")', path.read_text(encoding="utf-8"), re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def table() -> str:
    """The files of tests, a row for each with what it proves."""
    tests = ROOT / "tests"
    paths = sorted(tests.rglob("test_*.py"), key=lambda path: (len(path.parts), path))
    rows = [f"| `{path.relative_to(tests).as_posix()}` | {summary(path)} |\n" for path in paths]
    return "".join(["| file in `tests/` | what it proves |\n", "| --- | --- |\n", *rows])


def page() -> bytes:
    """The page as it should be: its table names every file."""
    before, _, _ = PAGE.read_text(encoding="utf-8").partition("| file in `tests/`")
    return (before + table()).encode()


def test_the_page_on_the_tests_names_every_file_of_them() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith(f"\n\n{table()}")


def test_every_module_of_the_tests_says_what_it_is_for() -> None:
    paths = [path for path in (ROOT / "tests").rglob("*.py") if path.name != "__init__.py"]
    assert [path for path in paths if not summary(path)] == []


# Nothing is told of a failure but the warning, if a warning of Hypothesis on its report counts as an error.
@pytest.mark.long
def test_a_failed_assertion_is_shown_however_large_its_example() -> None:
    @settings(max_examples=1, phases=[Phase.generate], database=None)
    @given(st.just("long " * 10_000))
    def failing(text: str) -> None:
        assert text == "", "what went wrong"

    with pytest.raises(AssertionError, match="what went wrong"):
        failing()


class Marked:
    """A stand-in for a test, with marks."""

    nodeid = "tests/test_some.py::test_one"

    def __init__(self, path: str, *marks: str) -> None:
        self.path: Final = ROOT / path
        self.marks: Final = list(marks)

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None

    def add_marker(self, name: str) -> None:
        self.marks.append(name)


@pytest.mark.parametrize(
    ("path", "own", "expected"),
    [
        ("tests/project/test_layout.py", (), ["once_interpreted"]),
        ("tests/project/test_layout.py", ("once_compiled",), ["once_compiled"]),
        ("tests/setup/test_row_check.py", (), ["once_compiled"]),
        ("tests/play/test_tricks.py", (), []),
    ],
)
def test_a_test_that_runs_once_runs_in_one_build(
    path: str, own: tuple[str, ...], expected: list[str], request: pytest.FixtureRequest
) -> None:
    item: Any = Marked(path, *own)
    marks = conftest_of(request).pytest_collection_modifyitems
    marks([item])
    assert item.marks == expected
    wrong: Any = Marked("tests/play/test_tricks.py", "once_compiled", "once_interpreted")
    with pytest.raises(pytest.UsageError, match="would run in no build"):
        marks([wrong])


class Sampled(Marked):
    """A stand-in for a case of a test of which one case in three is quick."""

    def get_closest_marker(self, name: str) -> Any:
        return pytest.mark.sampled(3).mark if name == "sampled" else super().get_closest_marker(name)


def test_one_case_in_n_of_a_sampled_test_is_quick(request: pytest.FixtureRequest) -> None:
    items: Any = [Sampled("tests/play/test_tricks.py") for _ in range(7)]
    for number, item in enumerate(items):
        item.nodeid = f"tests/play/test_tricks.py::test_one[{number}]"
    conftest_of(request).pytest_collection_modifyitems(items)
    assert [number for number, item in enumerate(items) if "long" not in item.marks] == [0, 3, 6]


def conftest_of(request: pytest.FixtureRequest) -> Any:
    """The conftest.py of the project, as pytest has loaded it."""
    return request.config.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
