"""The build backend: that of setuptools, which also requires mypy where the package is to be compiled.

pip hides the output of a build, so this writes to the terminal what is done and how long it takes, before it begins.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any, TypeAlias

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

from clients import needed as clients_needed

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings: TypeAlias = dict[str, Any] | None

_SECONDS = {"": (20, 80), "1": (20, 80), "release": (20, 150)}
"""By HEARTSRULES_COMPILE, the seconds of one core that a build takes: of mypy, and of the C compiler on all cores."""


def cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def c_compiler() -> str | None:
    """The C compiler that setuptools will call; None if there is none, or if that is not known."""
    if sys.platform == "win32":
        return None
    command = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    return command[0] if shutil.which(command[0]) else None


def _wanted() -> str:
    """The value of HEARTSRULES_COMPILE, or "0" where setup.py does not compile."""
    compiling = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    return os.environ.get("HEARTSRULES_COMPILE", "") if compiling else "0"


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """The requirements of setuptools, and mypy for a compiled wheel."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_compilers(), *_readers()]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """The requirements of setuptools, and mypy for a compiled editable installation."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *_compilers(), *_readers()]


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """The requirements of setuptools, and those of the clients in TypeScript."""
    return [*build_meta.get_requires_for_build_sdist(config_settings), *_readers()]


def _readers() -> list[str]:
    """The requirements of the package's own modules, which the types of the clients in TypeScript are made of."""
    if not clients_needed() or sys.implementation.name != "cpython":
        return []
    with Path("pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["json"]]


def _compilers() -> list[str]:
    """The requirements of compiling, if anything is to be compiled; the terminal is told."""
    wanted = _wanted()
    if wanted == "0":
        return []
    compiler = c_compiler()
    if compiler and wanted in _SECONDS:
        first, shared = _SECONDS[wanted]
        tell_terminal(
            f"compiling with mypyc and {Path(compiler).name}, about {first + round(shared / cores(), -1):.0f} "
            f"seconds on {cores()} cores (HEARTSRULES_COMPILE=0 installs without compiling)"
        )
    with Path("pyproject.toml").open("rb") as file:
        return list(tomllib.load(file)["tool"]["heartsrules"]["compilers"])


def tell_terminal(text: str) -> None:
    """Write a line to the terminal of the user, if there is one, past pip."""
    if "CI" in os.environ or sys.platform == "win32":
        return
    try:
        terminal = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY)
    except OSError:
        return
    try:
        # pip may have a spinner on the current line.
        os.write(terminal, f"\r\nheartsrules: {text}\r\n".encode())
    except OSError:
        pass
    finally:
        os.close(terminal)
