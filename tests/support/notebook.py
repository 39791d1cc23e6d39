"""The notebook of the documentation: its code cells run in one namespace, and what they show is stored with them.

`nox -s generate` stores it; a test fails while what is stored is not what the cells show. Nothing of Jupyter is needed
to run it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any, Final

__all__ = ["FILE", "code_cells", "run", "shown_by"]

FILE: Final = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "notebook.ipynb"
_PICTURES: Final = (("_repr_svg_", "image/svg+xml"), ("_repr_html_", "text/html"))


def code_cells(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells that are run."""
    return [cell for cell in document["cells"] if cell["cell_type"] == "code"]


def run(notebook: bytes) -> bytes:
    """The notebook with what its cells show now."""
    document: dict[str, Any] = json.loads(notebook)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(code_cells(document), 1):
        cell["execution_count"] = number
        cell["outputs"] = shown_by("".join(cell["source"]), namespace, number)
    return f"{json.dumps(document, indent=1, ensure_ascii=False)}\n".encode()


def shown_by(source: str, namespace: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a cell shows: what it prints, and the value of its last line if that is an expression."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None  # type: ignore[attr-defined]
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), namespace)
        if last is not None:
            value = eval(compile(last, f"cell {number}", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {kind: _lines(getattr(value, name)()) for name, kind in _PICTURES if hasattr(value, name)}
        data["text/plain"] = _lines(repr(value))
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
