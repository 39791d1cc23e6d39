"""The packages whose names are imported when one of them is first used."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
import tomllib
from importlib import import_module, metadata
from pathlib import Path

import pytest

import heartsrules

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = [
    "heartsrules",
    "heartsrules.analysis",
    "heartsrules.apps.serve",
    "heartsrules.formats.notation",
    "heartsrules.simulation",
    "heartsrules.testing",
]

LOADED = """
import sys
before = set(sys.modules)
{}
print(*sorted(name for name in set(sys.modules) - before))
"""


def loaded_by(statement: str) -> set[str]:
    """The modules that a statement imports in an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", LOADED.format(statement)], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_package_alone_loads_next_to_nothing() -> None:
    loaded = loaded_by("import heartsrules")
    assert {name for name in loaded if name.startswith("heartsrules")} == {
        "heartsrules",
        "heartsrules.base.interrupts",
        "heartsrules.base",
        "heartsrules.base.lazy",
        "heartsrules.base.rendering",
    }
    assert "attr" not in loaded


def test_the_version_is_that_of_the_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "importlib.metadata" not in loaded_by("import heartsrules")
    there = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert heartsrules.__version__ == metadata.version("heartsrules") == there

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    monkeypatch.delitem(sys.modules, "heartsrules._version")
    assert import_module("heartsrules._version").__version__ == "0+unknown"


def test_what_draws_is_loaded_when_something_is_printed_or_shown() -> None:
    made = "from heartsrules import Rules, new_game; state = new_game(Rules()); "
    assert "heartsrules.pictures.diagrams" in loaded_by(f"{made}str(state)") - loaded_by(f"{made}repr(state)")
    assert "heartsrules.pictures.svg" not in loaded_by(f"{made}str(state)")
    assert "heartsrules.pictures.svg" in loaded_by(f"{made}state._repr_svg_()")
    assert not loaded_by(f"{made}state._repr_svg_()") & {"rich", "msgspec", "starlette"}


def test_a_private_name_loads_nothing() -> None:
    """Tools ask every module for attributes such as `__warningregistry__`."""
    asked = "[getattr(heartsrules, name, None) for name in ('__warningregistry__', '__wrapped__', '_novel')]"
    assert "heartsrules._api" not in loaded_by(f"import heartsrules; {asked}")


def test_a_module_of_a_package_is_loaded_without_the_names_of_the_package() -> None:
    """The names of `heartsrules.testing` need Hypothesis, which most of its modules do without."""
    for statement in (
        "from heartsrules.testing import conformance, perft, rule_sets",
        "import heartsrules; heartsrules.testing.perft",
        "from heartsrules.testing import names, random_rules",
    ):
        assert "heartsrules.testing._api" not in loaded_by(statement)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_that_of_its_module(package: str) -> None:
    module = import_module(package)
    for name in module.__all__:
        value = getattr(module, name)
        assert module.__getattr__(name) is value is vars(module)[name]
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'novel'"):
        _ = module.novel


@pytest.mark.parametrize("package", PACKAGES)
def test_all_names_can_be_imported_at_once(package: str) -> None:
    namespace: dict[str, object] = {}
    exec(f"from {package} import *", namespace)
    assert {*import_module(package).__all__, "__builtins__"} == set(namespace)


@pytest.mark.parametrize("package", PACKAGES)
def test_it_shows_the_public_names_and_nothing_else(package: str) -> None:
    modules = [f"{package}.{module.name}" for module in pkgutil.iter_modules(import_module(package).__path__)]
    for imported in ([package], [package, *modules]):
        code = f"import sys, {', '.join(imported)}; print(*dir(sys.modules[{package!r}]))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        shown = [*import_module(package).__all__, *["__version__"] * (package == "heartsrules")]
        assert done.stdout.split() == sorted(shown)
