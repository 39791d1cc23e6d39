"""The structure of the package, read from its sources: which module imports what, and that no two share a name."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import heartsrules

pytestmark = pytest.mark.once_interpreted

SOURCES: Final = Path(__file__).parents[2] / "src"
MOST_NAMES: Final = 105
"""How many names the top level may have."""
SHARED: Final = {
    *("_resolved", "_waiting", "_alone", "_suit_mask"),
    *("_below_unchecked", "_fair_unchecked", "_jump_to", "_pick_unchecked", "_shuffle_places"),
}
"""Members of public classes for the modules of the package: neither completion nor `help` offers them."""
LISTED: Final = {"heartsrules.views": "heartsrules.play.view_"}
"""Packages that list names of another room: the modules whose names they list begin with this."""
FROM_ARCHIVE: Final = """
import runpy
import sys

import heartsrules
from heartsrules.apps import serve
from heartsrules.apps.command_line.application import app
from heartsrules.apps.table.documents import page_routes
from heartsrules.apps.table.offering import choices_document

runpy.run_path(sys.argv[1])
page_routes()
choices_document()
serve.printed("client")
app(["schema"], standalone_mode=False)
print(heartsrules.__file__)
"""
"""Runs a program and uses what it does not: documents of the apps."""
FROZEN: Final = Path(__file__).parents[1] / "support" / "frozen.py"


class Import(NamedTuple):
    """A name that a module takes from another one of the package."""

    module: str
    line: int
    name: str
    """The other module, and after a dot the name taken from it."""


@cache
def trees() -> dict[str, ast.Module]:
    """The modules of the package by name, as they are written."""
    found = {}
    for path in sorted(SOURCES.rglob("*.py")):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports() -> Iterator[Import]:
    """The imports between modules."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                taken = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{module} has a relative import in line {node.lineno}"
                taken = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in taken:
                if name.split(".")[0] == "heartsrules":
                    yield Import(module, node.lineno, name)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def owner(name: str) -> str:
    """The package that may use a name with a private part: the one in which the first such part is."""
    parts = name.split(".")
    first = next(place for place, part in enumerate(parts) if is_private(part))
    return ".".join(parts[:first])


def public_names(tree: ast.Module) -> Iterator[str]:
    """The functions and classes that a module defines for others."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node.name


def exported(tree: ast.Module) -> list[str]:
    """The names in `__all__`, as they are written there, or of a module `_api` the names imported as themselves."""
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == "__all__":
            value = node.value  # type: ignore[attr-defined]
            assert isinstance(value, (ast.List, ast.Tuple)), "__all__ is a list of names"
            return [ast.literal_eval(item) for item in value.elts]
    aliases = [alias for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    return [alias.name for alias in aliases if alias.asname == alias.name]


def test_the_sources_are_those_of_the_package() -> None:
    assert {"heartsrules", "heartsrules.play.engine", "heartsrules.chance.stream", "heartsrules.setup._check"} <= set(
        trees()
    )
    assert Import("heartsrules.setup", 7, "heartsrules.setup._build.set_up")[0::2] in {each[0::2] for each in imports()}
    assert sorted([*exported(trees()["heartsrules._api"]), "__version__", "describe"]) == dir(heartsrules)


def test_no_module_imports_what_is_private_to_another() -> None:
    wrong = []
    for module, line, name in imports():
        if any([is_private(part) for part in name.split(".")]):
            own = owner(name)
            modules = trees()
            # A private module is for its package; a private name of a module is for that module alone.
            inside = module == own if own in modules and not _is_package(own) else _is_within(module, own)
            if not inside:
                wrong.append(f"{module}, line {line}: {name}")
    assert not wrong


def private_members(tree: ast.Module) -> set[str]:
    """The private methods, fields and class variables of the classes of a module."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for part in ast.walk(node):
                if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    found.add(part.name)
                elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                    found.add(part.attr)
            for part in node.body:
                targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return {name for name in found if is_private(name)}


def test_no_module_uses_private_members_of_classes_of_another() -> None:
    """`self` and `cls` may: a subclass uses what its base keeps. A name that no class of the package defines, such as
    the `_replace` of a named tuple, is not looked at."""
    members = {module: private_members(tree) - SHARED for module, tree in trees().items()}
    everywhere = set().union(*members.values())
    assert {"_a", "_what"} <= everywhere
    wrong = []
    for module, tree in trees().items():
        others = everywhere - members[module]
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in others:
                whole = ast.unparse(node)
                if ast.unparse(node.value) not in ("self", "cls"):
                    wrong.append(f"{module}, line {node.lineno}: {whole}")
    assert not wrong


def _is_package(name: str) -> bool:
    return any([other.startswith(f"{name}.") for other in trees()])


def _is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def test_no_two_public_functions_or_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = {}
    for module, tree in trees().items():
        for name in dict.fromkeys(public_names(tree)):
            homes.setdefault(name, []).append(module)
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}


def test_no_name_is_exported_under_another_name() -> None:
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                renamed = {alias.asname for alias in node.names if alias.asname not in (None, alias.name)}
                assert not renamed & set(exported(tree)), module


def test_the_top_level_is_small() -> None:
    names = exported(trees()["heartsrules._api"])
    assert len(names) == len(set(names)) <= MOST_NAMES


@cache
def sources(module: str) -> dict[str, str]:
    """The names that a module takes from others, and from which. A package takes those of its module `_api`."""
    return {
        alias.name: node.module
        for node in ast.walk(trees().get(f"{module}._api", trees()[module]))
        if isinstance(node, ast.ImportFrom) and node.module in trees() and node.module != module
        for alias in node.names
        if alias.asname in (None, alias.name)
    }


def home_of(module: str, name: str) -> str:
    """The module that defines a name of this one, or the package that keeps it, if that module is private."""
    if name in sources(module):
        return home_of(sources(module)[name], name)
    return owner(module) if any([is_private(part) for part in module.split(".")]) else module


def test_a_name_is_listed_where_it_is_at_home_and_by_the_packages_around_that() -> None:
    """A module may list the names of others in its room."""
    assert home_of("heartsrules.views", "advance") == "heartsrules.views.following"
    assert home_of("heartsrules.bridges.vector", "ACTIONS") == "heartsrules.bridges"
    wrong = []
    for listing, tree in trees().items():
        module = listing.removesuffix("._api")
        for name in exported(tree):
            home = home_of(listing, name)
            if home.split(".")[1:2] == module.split(".")[1:2] or home.startswith(LISTED.get(module, "-")):
                continue
            if not _is_within(home, module) and not _is_within(module, home):
                wrong.append(f"{module}: {name} of {home}")
    assert not wrong


def taken(module: str) -> set[str]:
    """The modules that define what a module imports, wherever in it the import stands, a function included."""
    found = set()
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {defining(str(node.module), alias.name) for alias in node.names}
    return found & set(trees()) - {module}


def defining(module: str, name: str) -> str:
    """The module that defines a name of another one: a package lists names of its modules."""
    if f"{module}.{name}" in trees():
        return f"{module}.{name}"
    if module not in trees():
        return module
    source = sources(module).get(name)
    return defining(source, name) if source else module


def circles(graph: dict[str, set[str]]) -> set[str]:
    """The nodes that can be reached from themselves."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        left = [start]
        while left:
            new = graph[left.pop()] - found
            found |= new
            left += new
        return found

    return {node for node in graph if node in reached(node)}


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == {"b", "c"}
    assert circles({module: taken(module) for module in trees()}) == set()


def test_the_top_of_the_package_has_at_most_sixteen_entries() -> None:
    left_out = {"__init__", "__main__", "_api", "_version"}
    assert len({name.split(".")[1] for name in trees() if name.count(".")} - left_out) <= 16


def test_files_of_the_package_are_read_as_resources() -> None:
    """So they are found in a zip archive too. The archive of a static page is made of files."""
    beside = {path for path in SOURCES.rglob("*.py") if "__file__" in path.read_text(encoding="utf-8")}
    assert {path.relative_to(SOURCES / "heartsrules").as_posix() for path in beside} == {
        "apps/table/packing.py",
        "apps/table/static_site.py",
        "base/values.py",
        "bridges/_pyinstaller/__init__.py",
    }


@pytest.mark.long
def test_the_package_works_from_a_zip_archive(tmp_path: Path) -> None:
    archive = tmp_path / "heartsrules.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in SOURCES.glob("heartsrules/**/*"):
            packed.write(path, path.relative_to(SOURCES))
    given = os.environ | {"PYTHONPATH": str(archive)}
    command = [sys.executable, "-c", FROM_ARCHIVE, str(FROZEN)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=given)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == f"{archive}/heartsrules/__init__.py"
