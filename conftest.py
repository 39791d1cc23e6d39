"""How the tests are collected and run; docs/contributing/tests.md has the rules.

Every example of README.md, the documentation and the docstrings is a test, run by Sybil.

The examples of a page share one namespace, build on each other, and import what they use. Those of a docstring find
the names of their module, the public names of the package, and `heartsrules` itself.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections import Counter
from collections.abc import Generator
from functools import cache
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

# With it jsonschema would check addresses in other scripts, and compile grammars for six seconds in each process.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

EXAMPLES = examples(100)
settings.register_profile("local", deadline=None, max_examples=EXAMPLES)
# What runs in CI fails for the same reason when it is run again.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True, max_examples=EXAMPLES)
settings.load_profile("ci" if os.environ.get("CI") else "local")


ONCE_INTERPRETED = (
    "tests/base/test_extras.py",
    "tests/base/test_files.py",
    "tests/base/test_interrupts.py",
    "tests/bridges/test_pyinstaller.py",
    "tests/messages/test_message_format.py",
    "tests/messages/test_messages.py",
    "tests/pictures/test_notebook.py",
    "tests/project/test_bench_steps.py",
    "tests/project/test_docs.py",
    "tests/project/test_layout.py",
    "tests/project/test_mutants.py",
    "tests/project/test_organisation.py",
    "tests/project/test_project.py",
    "tests/project/test_types.py",
)
"""Files of tests that read the sources, or write files from them."""
ONCE_COMPILED = (
    "README.md",
    "docs",
    "src",
    "tests/analysis/test_drills.py",
    "tests/analysis/test_review.py",
    "tests/apps/test_command_line.py",
    "tests/apps/test_command_suites.py",
    "tests/apps/test_drill_command.py",
    "tests/apps/test_keys.py",
    "tests/apps/test_review_command.py",
    "tests/apps/test_serve.py",
    "tests/apps/test_serve_clients.py",
    "tests/apps/test_terminal.py",
    "tests/apps/test_verify.py",
    "tests/bots/test_bots.py",
    "tests/bots/test_bots_positions.py",
    "tests/bots/test_bots_strength.py",
    "tests/bots/test_external.py",
    "tests/bots/test_learned.py",
    "tests/bots/test_training.py",
    "tests/bridges/test_openspiel.py",
    "tests/bridges/test_openspiel_game.py",
    "tests/bridges/test_pettingzoo.py",
    "tests/bridges/test_vector.py",
    "tests/formats/test_foreign_logs.py",
    "tests/formats/test_notation.py",
    "tests/formats/test_notation_standard.py",
    "tests/formats/test_readers.py",
    "tests/messages/test_describe.py",
    "tests/pictures/test_diagrams.py",
    "tests/pictures/test_svg.py",
    "tests/play/test_board.py",
    "tests/play/test_perft.py",
    "tests/play/test_position_keys.py",
    "tests/play/test_rare_rules.py",
    "tests/play/test_small_worlds.py",
    "tests/project/test_bench.py",
    "tests/project/test_fuzzing.py",
    "tests/project/test_generated.py",
    "tests/project/test_rulings.py",
    "tests/analysis/test_solve.py",
    "tests/analysis/test_assess.py",
    "tests/analysis/test_endings.py",
    "tests/analysis/test_likelihood.py",
    "tests/analysis/test_rollouts.py",
    "tests/setup/test_extreme_rules.py",
    "tests/setup/test_row_check.py",
    "tests/simulation/test_dask.py",
    "tests/simulation/test_executors.py",
    "tests/simulation/test_figures_output.py",
    "tests/simulation/test_many_games.py",
    "tests/simulation/test_published_figures.py",
    "tests/simulation/test_tournaments.py",
    "tests/testing/test_conformance.py",
    "tests/testing/test_faults.py",
    "tests/testing/test_kit_laws.py",
    "tests/testing/test_kit_strategies.py",
    "tests/testing/test_rule_sets.py",
    "tests/testing/test_typescript_engine.py",
    "tests/views/test_counting.py",
    "tests/web",
)
"""Files and folders of tests of what is built upon the rules, and of tests that play many games."""
MARKS = {"once_interpreted": ONCE_INTERPRETED, "once_compiled": ONCE_COMPILED}
ROOT = Path(__file__).parent


@cache
def mark_of(path: Path) -> str | None:
    """The mark of the list that a file stands on."""
    if path.is_relative_to(ROOT):
        within = path.relative_to(ROOT)
        for mark, places in MARKS.items():
            if any(within.is_relative_to(place) for place in places):
                return mark
    return None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a file whose mark is not chosen: importing all takes as long as many tests."""
    mark = mark_of(collection_path)
    if mark is None or f"not {mark}" not in config.option.markexpr or not collection_path.is_file():
        return None
    # What a test says of itself counts, and not where it stands.
    (other,) = MARKS.keys() - {mark}
    return collection_path.suffix != ".py" or f"mark.{other}" not in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what need not run in both builds, and what is long because others of its kind are quick.

    What a test says of itself counts, and not where it stands.
    """
    seen: Counter[tuple[Path, str]] = Counter()
    for item in items:
        sampled = item.get_closest_marker("sampled")
        if sampled:
            case = item.path, item.nodeid.partition("[")[0]
            if seen[case] % sampled.args[0]:
                item.add_marker("long")
            seen[case] += 1
        own = [mark for mark in MARKS if item.get_closest_marker(mark)]
        mark = mark_of(item.path)
        if not own and mark:
            item.add_marker(mark)
        if len(own) > 1:
            raise pytest.UsageError(f"{item.nodeid} is {' and '.join(own)}, so it would run in no build")


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
