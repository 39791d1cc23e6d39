"""Compile the modules on the path of a play with mypyc, where there is a C compiler; the rest is in pyproject.toml.

HEARTSRULES_COMPILE=1 makes the installation fail where they cannot be compiled, HEARTSRULES_COMPILE=0 leaves them as
they are. Either way the same sources are installed, and `heartsrules.COMPILED` tells which build it is.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext

MODULES = [
    "values",
    "cards",
    "tables",
    "moves",
    "legality",
    "tricks",
    "sheet",
    "state",
    "choices",
    "passing",
    "exposing",
    "scoring",
    "keys",
    "chance/bits",
    "chance/stream",
    "chance/shuffling",
    "chance/faults",
    "chance/dealing",
    "chance/all_deals",
    "engine",
    "transitions",
    "playout",
    "tally",
]
"""What is compiled, together: calls between them are calls of C functions."""

FLAGS = ["-fno-semantic-interposition", "-fno-plt", "-fvisibility=hidden"]
"""For gcc and clang: calls between the modules are direct, since nobody replaces a function of the library."""

WISH = os.environ.get("HEARTSRULES_COMPILE", "")


def say(text: str) -> None:
    """Tell whoever installs; pip shows it with -v, or when the installation fails."""
    print(f"heartsrules: {text}", file=sys.stderr, flush=True)


def translated() -> list[Any]:
    """The modules as C, or nothing where that is not wanted or not possible."""
    if WISH not in ("", "0", "1"):
        raise SystemExit(f"HEARTSRULES_COMPILE is {WISH!r}: choose 1 (compile or fail), 0 (do not compile) or nothing")
    if WISH == "0":
        say("not compiled, as HEARTSRULES_COMPILE=0 asks")
        return []
    try:
        if sys.implementation.name != "cpython":
            raise RuntimeError(f"mypyc makes no extensions for {sys.implementation.name}")
        from mypyc.build import mypycify

        paths = [f"src/heartsrules/{name}.py" for name in MODULES]
        extensions = list(mypycify(paths, opt_level="3", debug_level="0", group_name="heartsrules"))
        if sys.platform != "win32":
            for extension in extensions:
                extension.extra_compile_args += FLAGS
        return extensions
    except (Exception, SystemExit) as error:
        if WISH == "1":
            raise
        say(f"not compiled: {error}. It runs interpreted, and slower")
        return []


class BuildAllOrNone(build_ext):
    """Build every extension, or install none of them: they work only together."""

    def run(self) -> None:
        """Build, and go on without extensions where there is no compiler that can."""
        try:
            super().run()
        except Exception as error:
            if WISH == "1":
                raise
            for path in self.get_outputs():
                Path(path).unlink(missing_ok=True)
            self.extensions.clear()
            say(f"not compiled: {error}. It runs interpreted, and slower")


setup(ext_modules=translated(), cmdclass={"build_ext": BuildAllOrNone})
