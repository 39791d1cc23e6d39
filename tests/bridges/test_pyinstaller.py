"""PyInstaller finds all modules that a program can need, and none that need an extra which the program does not use.

`nox -s frozen` freezes a program; this reads the sources as PyInstaller does, which follows no string and, in the
compiled build, none of the imports of a compiled module.
"""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Iterable, Set
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from heartsrules.bridges._pyinstaller import hook_dirs

pytestmark = pytest.mark.once_interpreted

ROOT: Final = Path(__file__).resolve().parents[2]
TEXTS: Final = {
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__"): path.read_text("utf-8")
    for path in (ROOT / "src").rglob("*.py")
}
"""The sources of the modules."""
COMPILED: Final = {
    f"heartsrules.{name.replace('/', '.')}"
    for listed in re.findall(r"^MODULES = \[(.*?)\]", (ROOT / "setup.py").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    for name in re.findall(r'"(.*)"', listed)
}
IMPORT: Final = re.compile(r"^ *(?:from ([\w.]+) )?import (\([^)]*\)|.*)", re.MULTILINE)
NAMED: Final = re.compile(r'"(heartsrules\.[\w.]+)[:"]')


@cache
def needed(module: str, readable: bool) -> frozenset[str]:
    """The packages of a module, and what it imports, in or outside the package.

    If it is not readable, these are the imports that PyInstaller finds in the compiled build. If it is, they include
    the modules named by strings, with a function after a colon or without.
    """
    parts = module.split(".")
    names = {".".join(parts[:count]) for count in range(1, len(parts))}
    text = TEXTS.get(module, "") if readable or module not in COMPILED else ""
    for package, listed in IMPORT.findall(text):
        names.add(package)
        for name in re.findall(r"[\w.]+", listed.partition("#")[0]):
            names.add(f"{package}.{name}" if package else name)
    if readable:
        names |= set(NAMED.findall(text))
    outside = {name.partition(".")[0] for name in names} - {"heartsrules", ""}
    return frozenset(names & TEXTS.keys() | outside)


def reached(start: Iterable[str], *, readable: bool, known: Set[str] = frozenset()) -> set[str]:
    """All that modules need, directly or not, besides what is known."""
    found: set[str] = set()
    waiting = set(start)
    while waiting:
        module = waiting.pop()
        found.add(module)
        waiting |= needed(module, readable) - found - known
    return found


def hidden() -> list[str]:
    """The modules that the hook of the package names."""
    return list(runpy.run_path(f"{hook_dirs()[0]}/hook-heartsrules.py")["hiddenimports"])


def test_every_module_that_a_program_can_need_is_found() -> None:
    always = reached(["heartsrules", *hidden()], readable=False)
    assert reached(["heartsrules", *hidden()], readable=True) <= always
    assert COMPILED - always
    for module in TEXTS:
        needs = reached([module], readable=True, known=always)
        assert needs <= reached([module], readable=False, known=always), module


def test_the_hook_needs_nothing_but_attrs() -> None:
    outside = reached(["heartsrules", *hidden()], readable=True) - TEXTS.keys() - {"heartsrules__mypyc"}
    # Type checkers alone import the other one.
    assert outside - sys.stdlib_module_names == {"attrs", "mypy_extensions"}
