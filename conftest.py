"""How the tests are collected and run; docs/contributing/tests.md has the rules.

Every example of README.md, the documentation and the docstrings is a test, run by Sybil.

The examples of a page share one namespace, build on each other, and import what they use. Those of a docstring find
the names of their module, the public names of the package, and `heartsrules` itself.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from sybil import Example, Sybil
from sybil.document import PythonDocStringDocument
from sybil.example import NotEvaluated
from sybil.parsers.myst import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser
from sybil.sybil import SybilCollection

from support.rounds import examples

# There is a process for each core: with threads of its own for every small matrix they would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# With it jsonschema would check addresses in other scripts, and compile grammars for six seconds in each process.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

EXAMPLES = examples(100)
settings.register_profile("local", deadline=None, max_examples=EXAMPLES)
# What runs in CI fails for the same reason when it is run again.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True, max_examples=EXAMPLES)
settings.load_profile("ci" if os.environ.get("CI") else "local")


ONCE = ("once_interpreted", "once_compiled")
ROOT = Path(__file__).parent
BUILT_UPON = tuple([ROOT / name for name in ("README.md", "bench/results", "docs", "src", "tests/web")])
"""Examples, and tests of an app built upon the rules: they run compiled."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a file that has nothing to run: importing all takes as long as many tests."""
    if not collection_path.is_file():
        return None
    if any([collection_path.is_relative_to(place) for place in BUILT_UPON]):
        marks = ["once_compiled"]
    elif collection_path.suffix == ".py":
        text = collection_path.read_text(encoding="utf-8")
        marks = re.findall(r"^pytestmark = .*\bmark\.(once_\w+)", text, flags=re.MULTILINE)
    else:
        return None
    return any([f"not {mark}" in config.option.markexpr for mark in marks]) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is built upon the rules, and what is long because others of its kind are quick."""
    seen: Counter[tuple[Path, str]] = Counter()
    for item in items:
        sampled = item.get_closest_marker("sampled")
        if sampled:
            case = item.path, item.nodeid.partition("[")[0]
            if seen[case] % sampled.args[0]:
                item.add_marker("long")
            seen[case] += 1
        if any([item.path.is_relative_to(place) for place in BUILT_UPON]):
            item.add_marker("once_compiled")
        if all([item.get_closest_marker(mark) for mark in ONCE]):
            raise pytest.UsageError(f"{item.nodeid} is {' and '.join(ONCE)}, so it would run in no build")


@pytest.fixture
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in the environment says what the terminal is like."""
    for name in ("COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


_EVALUATED: set[tuple[str, int]] = set()
"""The examples that were run in this process, by file and place."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Run the examples of a file before this one, if another process has run them: they are one program."""
    example = getattr(item, "example", None)
    if example is None:
        return
    for other in example.document.examples():
        if other.start < example.start and (other.path, other.start) not in _EVALUATED:
            _EVALUATED.add((other.path, other.start))
            other.evaluate()
    _EVALUATED.add((example.path, example.start))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Do not measure coverage while a test runs, or makes its fixtures, that only repeats what others reach."""
    coverage = item.config.pluginmanager.getplugin("_cov")
    measuring = getattr(coverage, "cov_controller", None)
    if measuring is None or item.get_closest_marker("untraced") is None:
        return (yield)
    measuring.pause()
    try:
        return (yield)
    finally:
        measuring.resume()


class PackageDocument(PythonDocStringDocument):
    """The docstrings of a module of the package, imported by name: what is tested is what is installed."""

    def import_document(self, example: Example) -> None:  # noqa: ARG002
        """Fill the namespace when the first example of the module is evaluated."""
        path = Path(self.path).with_suffix("")
        parts = path.parts[len(path.parts) - path.parts[::-1].index("src") :]
        package = importlib.import_module(parts[0])
        module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
        self.namespace[parts[0]] = package
        self.namespace.update({name: getattr(package, name) for name in package.__all__})
        self.namespace.update(vars(module))
        self.pop_evaluator(self.import_document)
        raise NotEvaluated


PARSERS = [PythonCodeBlockParser()]

pytest_collect_file = SybilCollection(
    [
        # The tutorial has the reader save a file and import it: tests/project/test_docs.py does both.
        Sybil(PARSERS, path="docs", pattern="*.md", exclude="tutorial.md", name="page"),
        Sybil(PARSERS, filenames=["README.md"], name="page"),
        Sybil(PARSERS, path="bench/results", pattern="*.md", name="page"),
        Sybil([DocTestParser()], path="src", pattern="*.py", document_types={".py": PackageDocument}, name="docstring"),
    ]
).pytest()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Let pytest-xdist, where it would distribute tests one by one, keep together what shares much work."""
    if config.getoption("dist") != "load":
        return None

    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class PagesTogether(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            # Its tests share a suite that takes seconds to write.
            if nodeid.startswith("tests/testing/test_conformance.py"):
                return "tests/testing/test_conformance.py"
            return nodeid.partition("::sybil:")[0]

    return PagesTogether(config, log)
