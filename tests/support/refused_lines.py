"""Golden files of refusals: what is said of broken events, documents and texts, a line for each.

A line that begins with a list in JSON is a case: what is broken stands in the file alone, before the answer.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

__all__ = ["MODULES", "cases", "contents", "golden_file"]

MODULES: Final = {
    "refused_documents": "test_refused_documents",
    "refused_events": "test_refused_events",
    "refused_texts": "test_refused_texts",
}
"""By file, the module whose `lines` it consists of."""


def golden_file(name: str) -> Path:
    """The file of that name."""
    return Path(__file__).parents[1] / "data" / f"{name}.txt"


def cases(name: str) -> list[list[Any]]:
    """The cases of the file, without their answers."""
    written = golden_file(name).read_text(encoding="utf-8").split("\n")
    return [json.JSONDecoder().raw_decode(line)[0] for line in written if line.startswith("[")]


def contents(name: str) -> str:
    """The text that the file should have now."""
    lines: Iterator[str] = importlib.import_module(MODULES[name]).lines()
    return "".join([f"{line}\n" for line in lines])
