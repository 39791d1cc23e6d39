"""The exact build of the package: two clones with the same version can differ."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from heartsrules.base.values import COMPILED


@cache
def build_name() -> str:
    """Return a digest of the sources and weights of the package, and whether it is compiled."""
    root = Path(__file__).parents[1]
    paths = {path.relative_to(root).as_posix(): path for ending in ("py", "npz") for path in root.rglob(f"*.{ending}")}
    digest = hashlib.sha256()
    for name, path in sorted(paths.items()):
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return f"{digest.hexdigest()[:12]} {'compiled' if COMPILED else 'interpreted'}"
