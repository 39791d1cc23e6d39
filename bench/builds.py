"""Builds of the package side by side in one process: from wheels, and the interpreted one beside the compiled one.

What is loaded here is loaded whole, and no import statement finds it afterwards: builds share nothing, so that cards,
rules and states of one are foreign to the other.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import platform
import shutil
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import heartsrules

__all__ = ["Build", "interpreted", "load", "whole"]

Build: TypeAlias = Any
"""The module of the package in one of several builds."""

_NAME: Final = "heartsrules"
_COMPILED_TOGETHER: Final = f"{_NAME}__mypyc"
"""The extension module with the code of all compiled modules."""
_MODULES: Final = ("chance", "play.engine", "rules", "analysis.playout", "analysis.rollouts", "views.worlds")
"""The names that benchmarks use, by module."""
_FOLDERS: Final[list[tempfile.TemporaryDirectory[str]]] = []


def whole(package: Build) -> Build:
    """Import the package with all its lazy modules."""
    for name in package.__all__:
        getattr(package, name)
    for name in _MODULES:
        importlib.import_module(f"{_NAME}.{name}")
    if importlib.util.find_spec("msgspec") is not None:
        _judge(package, importlib.import_module(f"{_NAME}.formats.wire"))
    return package


def _judge(package: Build, wire: Build) -> None:
    """Judge the passes and the first lead of a deal, so that msgspec resolves its types by their modules."""
    start = package.new_game(package.Rules())
    state = package.apply(start, package.deal(start, seed=1))
    for _ in range(package.Rules().players + 1):
        move = package.legal_moves(state)[0]
        wire.judge(wire.to_json(state), wire.to_json(move))
        state = package.apply(state, move)


def load(wheel: Path, folder: Path) -> Build:
    """Unpack a wheel, and import the package from there.

    Raises:
        SystemExit: the file holds no heartsrules that this Python can run as it was built.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    except (OSError, zipfile.BadZipFile) as error:
        raise SystemExit(f"{wheel}: {error}") from None
    if not (folder / _NAME / "__init__.py").exists():
        raise SystemExit(f"{wheel} is not a wheel of {_NAME}: it holds no {_NAME}/__init__.py")
    package, elsewhere = _of_folder(folder)
    if elsewhere:
        raise SystemExit(f"{wheel} is not what was imported, but {elsewhere[0]}")
    built = list(folder.rglob("*.so")) + list(folder.rglob("*.pyd"))
    if bool(built) != package.COMPILED:
        raise SystemExit(f"{wheel} is compiled for another Python: this one is {platform.python_version()}")
    return package


def _of_folder(folder: Path) -> tuple[Build, list[str]]:
    """Import the package from a folder; return it, and its modules that came from elsewhere."""
    with _put_aside(folder):
        package = whole(importlib.import_module(_NAME))
        files = [str(sys.modules[name].__file__) for name in _imported()]
    return package, [file for file in files if not Path(file).is_relative_to(folder)]


@contextmanager
def _put_aside(folder: Path) -> Iterator[None]:
    """Import the package from a folder in a `with` block, and restore the imported modules afterwards."""
    kept = {name: sys.modules.pop(name) for name in _imported()}
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in _imported():
            del sys.modules[name]
        sys.modules.update(kept)


def _imported() -> list[str]:
    """The names of the imported modules of the package, its extension module included."""
    return [name for name in sys.modules if name.partition(".")[0] in (_NAME, _COMPILED_TOGETHER)]


@functools.cache
def interpreted() -> Build:
    """The interpreted build, whole: the installed package, or if that is compiled, an interpreted copy of it.

    Raises:
        FileNotFoundError: the installed package has no sources for a module that it has compiled.
        RuntimeError: the copy is compiled nevertheless.
    """
    if not heartsrules.COMPILED:
        return whole(heartsrules)
    installed = Path(heartsrules.__file__).parent
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for compiled in installed.rglob(f"*{suffix}"):
        source = compiled.with_name(compiled.name.removesuffix(suffix) + ".py")
        if not source.exists():
            raise FileNotFoundError(f"{source} is not installed, only {compiled.name}")
    folder: tempfile.TemporaryDirectory[str] = tempfile.TemporaryDirectory(prefix="heartsrules-interpreted-")
    # Removed at the end of the process.
    _FOLDERS.append(folder)
    target = Path(folder.name).resolve()
    shutil.copytree(installed, target / _NAME, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    copy, elsewhere = _of_folder(target)
    if elsewhere or copy.COMPILED:
        raise RuntimeError("the copy of the package is compiled")
    return copy
