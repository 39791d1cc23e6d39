"""What a page needs to run the rules without a server.

A folder with Pyodide (from npm), the wheels of the rules and of what they need, and the client in JavaScript; and
`wheels.json`, the names of the wheels.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final
from zipfile import ZipFile

__all__ = ["EXAMPLE", "gather"]

ROOT: Final = Path(__file__).resolve().parents[2]
EXAMPLE: Final = ROOT / "docs" / "examples" / "pyodide"
"""Where it is written down which Pyodide it is."""

PYTHON: Final = "3.14"
PLATFORM: Final = "pyemscripten_2026_0_wasm32"
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED: Final[list[str]] = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["json"]
RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
"""The files of Pyodide's package that are needed at run time."""


def gather(folder: Path, wheel: Path) -> None:
    """Fill a folder, which need not be there, with all that a page needs.

    Args:
        folder: where `pyodide/`, `wheels/`, `wheels.json` and `heartsrules.js` go.
        wheel: the wheel of the rules, not compiled.

    Raises:
        subprocess.CalledProcessError: npm or pip could not get something; its `stderr` says why.
    """
    wheels = folder / "wheels"
    shutil.rmtree(folder, ignore_errors=True)
    wheels.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as work:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(EXAMPLE / name, work)
        _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=work)
        (folder / "pyodide").mkdir()
        for name in RUNTIME:
            shutil.copy(Path(work) / "node_modules" / "pyodide" / name, folder / "pyodide")
    where = ["--platform", PLATFORM, "--python-version", PYTHON, "--only-binary=:all:", "--dest", str(wheels)]
    _run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *where, *NEEDED)
    shutil.copy(wheel, wheels)
    names = sorted(path.name for path in wheels.iterdir())
    (folder / "wheels.json").write_text(json.dumps(names) + "\n", encoding="utf-8")
    with ZipFile(wheel) as archive:
        client = archive.read("heartsrules/apps/serve/clients/heartsrules.js")
    (folder / "heartsrules.js").write_bytes(client)


def _run(*command: str, folder: str | None = None) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=300)
