"""The programs of `bench/`, as modules: tests of what they measure, and of what pages say that they measured."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Final

BENCH: Final = Path(__file__).resolve().parents[2] / "bench"


def bench(name: str) -> ModuleType:
    """The program of that name, anew."""
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
