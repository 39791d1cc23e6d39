"""Both builds of the package in one process: beside the installed one, the same sources without what was compiled."""

from __future__ import annotations

import functools
import importlib
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import heartsrules

_NAME = "heartsrules"
_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


@functools.cache
def sources() -> Path:
    """A folder to import from that holds a copy of the installed package without its compiled modules.

    It is removed when the process ends.

    Raises:
        FileNotFoundError: the installed package has no sources for a module that it has compiled.
    """
    installed = Path(heartsrules.__file__).parent
    folder: tempfile.TemporaryDirectory[str] = tempfile.TemporaryDirectory(prefix="heartsrules-interpreted-")
    _FOLDERS.append(folder)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for compiled in installed.rglob(f"*{suffix}"):
        source = compiled.with_name(compiled.name.removesuffix(suffix) + ".py")
        if not source.exists():
            raise FileNotFoundError(f"{source} is not installed, only {compiled.name}")
    target = Path(folder.name)
    shutil.copytree(installed, target / _NAME, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return target


def _of_package() -> list[str]:
    """The names of the package and its modules that are imported."""
    return [name for name in sys.modules if name == _NAME or name.startswith(f"{_NAME}.")]


@contextmanager
def _put_aside(folder: Path) -> Iterator[None]:
    """Let imports of the package find it in a folder, and forget afterwards that they did."""
    kept = {name: sys.modules.pop(name) for name in _of_package()}
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in _of_package():
            del sys.modules[name]
        sys.modules.update(kept)


@functools.cache
def interpreted() -> ModuleType:
    """The interpreted build: the installed package, or, if that is compiled, a second copy of it beside it.

    The two share nothing: cards, rules and states of one are foreign to the other.

    Raises:
        RuntimeError: the copy is compiled nevertheless.
    """
    if not heartsrules.COMPILED:
        return heartsrules
    with _put_aside(sources()):
        copy = importlib.import_module(_NAME)
    if copy.COMPILED or copy is heartsrules:
        raise RuntimeError("the copy of the package is compiled")
    return copy
