"""The packages whose names are imported when they are first asked for."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType

import pytest

import heartsrules
from heartsrules.base.lazy import lazy

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["heartsrules", "heartsrules.testing", "heartsrules.views"]

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


def test_a_game_loads_no_events_and_no_views() -> None:
    loaded = loaded_by("from heartsrules import Rules, apply, deal, legal_moves, new_game")
    assert "heartsrules.play.engine" in loaded
    for module in (
        "diagrams",
        "events",
        "notebooks",
        "presets",
        "svg",
        "views.classes",
        "views.following",
        "views.selecting",
        "views.unseen",
        "transitions",
        "wire",
    ):
        assert f"heartsrules.{module}" not in loaded


def test_what_draws_is_loaded_when_something_is_printed_or_shown() -> None:
    made = "from heartsrules import Rules, new_game; state = new_game(Rules()); "
    assert "heartsrules.pictures.diagrams" in loaded_by(f"{made}str(state)") - loaded_by(f"{made}repr(state)")
    assert "heartsrules.pictures.svg" not in loaded_by(f"{made}str(state)")
    assert "heartsrules.pictures.svg" in loaded_by(f"{made}state._repr_svg_()")
    assert not loaded_by(f"{made}state._repr_svg_()") & {"rich", "msgspec", "starlette"}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_that_of_its_module(package: str) -> None:
    module = import_module(package)
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        value = getattr(module, name)
        assert module.__getattr__(name) is value is vars(module)[name]


@pytest.mark.parametrize("package", PACKAGES)
def test_all_names_can_be_imported_at_once(package: str) -> None:
    namespace: dict[str, object] = {}
    exec(f"from {package} import *", namespace)
    assert set(import_module(package).__all__) <= set(namespace)


@pytest.mark.parametrize("package", PACKAGES)
def test_it_offers_no_name_that_is_not_listed(package: str) -> None:
    module = import_module(package)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'novel'"):
        _ = module.novel
    public = {name for name in dir(module) if not name.startswith("_")}
    helpers = {"TYPE_CHECKING", "lazy", "register_renderers"}
    submodules = {name for name in public if isinstance(getattr(module, name), ModuleType)}
    assert public - helpers - submodules == set(module.__all__) - submodules


def test_modules_can_be_asked_for_as_well() -> None:
    namespace: dict[str, object] = {"__name__": "heartsrules"}
    get, names = lazy(namespace, {"cards": ("Card",), "rules.presets": ()})
    assert get("Card") is import_module("heartsrules.cards").Card
    assert get("presets") is import_module("heartsrules.rules.presets")
    assert get("cards") is import_module("heartsrules.cards")
    assert {"Card", "cards", "presets"} < set(names())
    assert {"Card", "cards", "presets"} < set(namespace)
