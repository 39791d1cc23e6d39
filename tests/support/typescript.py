"""The package in TypeScript of clients/typescript, compiled for tests."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from clients import NotBuilt, can_build, prepare

__all__ = ["NEWEST", "PACKAGE", "Missing", "built", "npm"]

PACKAGE: Final = Path(__file__).parents[2] / "clients" / "typescript"
NEWEST: Final = "7.0.2"
"""The newest TypeScript that the tests use; the oldest one is in the package's lock file."""


class Missing(Exception):
    """Node.js or the compiler of TypeScript is not there; the text says which."""


def built(folder: Path) -> Path:
    """Compile the package in an empty folder.

    Raises:
        Missing: Node.js is not installed, or npm cannot install TypeScript.
        ValueError: The compiler cannot read a module.
    """
    if not can_build():
        raise Missing("Node.js is not installed: node and npm are needed to compile TypeScript")
    try:
        prepare(folder)
    except NotBuilt as error:
        raise Missing(str(error)) from None
    npm(folder, "run", "build")
    return folder


def npm(folder: Path, *arguments: str) -> str:
    """Run npm and return what it prints, or raise `ValueError` with it."""
    done = subprocess.run(["npm", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        raise ValueError(done.stdout + done.stderr)
    return done.stdout
