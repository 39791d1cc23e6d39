"""The bundle of the browser table: its scripts, styles and words as few small files, so that a clone needs no Node.js.

`python -m support.bundle` makes it of the sources, in a second. It needs npm, which gets esbuild.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from heartsrules.apps.table.documents import BUNDLE
from heartsrules.pictures.svg import DRAWINGS

__all__ = ["BUILT", "DIGEST", "ESBUILD", "PAGE", "build", "files"]

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "src" / "heartsrules" / "apps" / "table" / "static"
"""The sources of the page."""
BUILT: Final = PAGE.with_name(BUNDLE.name)
COPIED: Final = (
    *("apple-touch-icon.png", "icon-192.png", "icon-512.png", "icon.svg"),
    *("index.html", "manifest.webmanifest"),
)
DIGEST: Final = "digest.txt"
"""In the bundle, the digest of its sources and of its other files."""
ESBUILD: Final = (
    *("npm", "exec", "--yes", "--package=esbuild@0.28.2", "--", "esbuild"),
    *("main.js", "main.css", "python.js", "worker.js", "service-worker.js"),
    *("--bundle", "--minify", "--splitting", "--format=esm", "--target=es2022", "--charset=utf8"),
    *("--chunk-names=[name]", "--log-level=warning"),
)


def files() -> dict[Path, bytes]:
    """The files of the bundle: those that are there if they are fresh, or else new ones.

    Raises:
        RuntimeError: they are not fresh, and there is no npm.
        subprocess.CalledProcessError: esbuild could not be had, or found a mistake.
    """
    there = {path.name: path.read_bytes() for path in BUILT.glob("*")}
    if there.pop(DIGEST, b"") != _digest(there):
        there = build()
    return {BUILT / name: body for name, body in {**there, DIGEST: _digest(there)}.items()}


def build() -> dict[str, bytes]:
    """The files of the bundle but for the digest, by name, as esbuild makes them."""
    if shutil.which("npm") is None:
        raise RuntimeError("the sources of the browser table have changed: install npm, and run nox -s generate")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*ESBUILD, f"--outdir={folder}"], cwd=PAGE, check=True)
        made = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    return made | {name: (PAGE / name).read_bytes() for name in COPIED}


def _digest(made: dict[str, bytes]) -> bytes:
    # Types leave nothing in a bundle.
    texts = {path.name: path.read_bytes() for path in PAGE.iterdir() if not path.name.endswith(".d.ts")}
    sources = texts | {DRAWINGS.name: DRAWINGS.read_bytes()}
    found = hashlib.sha256(repr((ESBUILD, sorted(sources.items()), sorted(made.items()))).encode())
    return f"{found.hexdigest()}\n".encode()


if __name__ == "__main__":
    BUILT.mkdir(exist_ok=True)
    for path, content in files().items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
            print(path.relative_to(ROOT), file=sys.stderr)
