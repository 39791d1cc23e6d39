"""Make the client and the engine in TypeScript as single files, for `heartsrules serve --print`.

    python build_support/clients.py

writes them to the package. It needs Node.js, npm and the requirements of the extra `json`. A build does it, too; one
without Node.js leaves them out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

__all__ = ["MADE", "NotBuilt", "build", "can_build", "clear", "needed", "prepare"]

ROOT: Final = Path(__file__).resolve().parents[1]
SOURCES: Final = ROOT / "clients" / "typescript"
MADE: Final = ROOT / "src" / "heartsrules" / "apps" / "serve" / "clients"
"""Where the single files go: in no clone, but in every source distribution that was made with Node.js."""


class NotBuilt(Exception):
    """The files cannot be made; the text says why."""


def can_build() -> bool:
    """Return True if Node.js and npm are installed."""
    return shutil.which("node") is not None and shutil.which("npm") is not None


def needed() -> bool:
    """Return True if the files can be made and do not come with a source distribution."""
    return can_build() and not ((ROOT / "PKG-INFO").exists() and MADE.is_dir())


def prepare(folder: Path) -> None:
    """Copy the package to a folder, generate its types and install the compiler.

    Raises:
        NotBuilt: The types cannot be generated, or npm cannot install the compiler.
    """
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "dist"))
    _run([sys.executable, str(ROOT / "build_support" / "client_types.py"), str(folder / "src")], folder)
    npm = shutil.which("npm") or "npm"
    _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1"], folder)


def clear() -> None:
    """Remove the files of earlier builds, which can be out of date."""
    for folder in (MADE, *_copies()):
        shutil.rmtree(folder, ignore_errors=True)


def _copies() -> list[Path]:
    """Find the copies that setuptools has made for earlier wheels."""
    return list(ROOT.glob(f"build/*/{MADE.relative_to(ROOT / 'src').as_posix()}"))


def build() -> None:
    """Make the single files.

    Raises:
        NotBuilt: They cannot be made.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = folder / "single"
        try:
            prepare(folder)
            _run(["node", "build.mjs", str(made)], folder)
        except NotBuilt:
            clear()
            raise
        _replace(made)


def _replace(made: Path) -> None:
    """Replace the files of earlier builds one by one, because another build of this checkout can be reading them."""
    for folder in _copies():
        shutil.rmtree(folder, ignore_errors=True)
    contents = {path.relative_to(made): path.read_bytes() for path in made.rglob("*") if path.is_file()}
    for path in [path for path in MADE.rglob("*") if path.is_file()]:
        if path.relative_to(MADE) not in contents:
            path.unlink(missing_ok=True)
    for name, content in contents.items():
        path = MADE / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        (ROOT / "build").mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=ROOT / "build", delete=False) as file:
            file.write(content)
        Path(file.name).chmod(0o644)
        Path(file.name).replace(path)


def _run(command: list[str], folder: Path) -> None:
    try:
        subprocess.run(
            command,
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
            timeout=180,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
    except subprocess.TimeoutExpired:
        raise NotBuilt(f"{Path(command[0]).name} did not finish within three minutes") from None
    except subprocess.CalledProcessError as error:
        text = (error.stderr or error.stdout).strip()
        lines = [line for line in text.splitlines() if "complete log of this run" not in line]
        raise NotBuilt(f"{Path(command[0]).name} failed: {lines[-1] if lines else error.returncode}") from None


if __name__ == "__main__":
    build()
