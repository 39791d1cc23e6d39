"""The programs of `bench/` and of the examples, as modules, for tests of what they do and of what pages say of it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

BENCH: Final = Path(__file__).resolve().parents[2] / "bench"


def bench(name: str) -> ModuleType:
    """The program of that name, anew. What it shares with others is in the same folder."""
    if str(BENCH) not in sys.path:
        sys.path.append(str(BENCH))
    return program(BENCH / f"{name}.py")


def program(path: Path) -> ModuleType:
    """The program in a file, anew."""
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
