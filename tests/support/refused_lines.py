"""Golden files of refusals: what is said of broken events, documents and texts, a line for each."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["MODULES", "contents", "golden_file"]

MODULES: Final = {
    "refused_documents": "test_refused_documents",
    "refused_events": "test_refused_events",
    "refused_texts": "test_refused_texts",
}
"""By file, the module whose `lines` it consists of."""


def golden_file(name: str) -> Path:
    """The file of that name."""
    return Path(__file__).parents[1] / "data" / f"{name}.txt"


def contents(name: str) -> str:
    """The text that the file should have now."""
    lines: Iterator[str] = importlib.import_module(MODULES[name]).lines()
    return "".join([f"{line}\n" for line in lines])
