"""The exact build of the package: two clones with the same version can differ."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from heartsrules.base.values import COMPILED


@cache
def build_name() -> str:
    """Return a digest of the sources and weights of the package, and whether it is compiled."""
    digest = hashlib.sha256()
    for name, content in sorted(_contents(resources.files("heartsrules"), "")):
        digest.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return f"{digest.hexdigest()[:12]} {'compiled' if COMPILED else 'interpreted'}"


def _contents(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _contents(entry, f"{path}{entry.name}/")
        elif entry.name.endswith((".py", ".npz")):
            yield f"{path}{entry.name}", entry.read_bytes()
