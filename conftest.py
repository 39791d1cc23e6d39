"""Every example of README.md, the documentation and the docstrings is a test, run by Sybil.

The examples of a page share one namespace, build on each other, and import what they use. Those of a docstring find
the names of their module, the public names of the package, and `heartsrules` itself.
"""

from __future__ import annotations

import importlib
import os
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

settings.register_profile("local", deadline=None)
# What runs in CI fails for the same reason when it is run again.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


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
        Sybil(PARSERS, path="docs", pattern="*.md", name="page"),
        Sybil(PARSERS, filenames=["README.md"], name="page"),
        Sybil([DocTestParser()], path="src", pattern="*.py", document_types={".py": PackageDocument}, name="docstring"),
    ]
).pytest()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Let pytest-xdist, where it would distribute tests one by one, keep the examples of a page together."""
    if config.getoption("dist") != "load":
        return None

    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class PagesTogether(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("::sybil:")[0]

    return PagesTogether(config, log)
