"""The version of the installed package, as set in `pyproject.toml`."""

from __future__ import annotations

from importlib import metadata

__all__ = ["__version__"]

try:
    __version__: str = metadata.version("heartsrules")
except metadata.PackageNotFoundError:
    # The sources are run without having been installed.
    __version__ = "0+unknown"
