"""`python -m heartsrules` and the console script `heartsrules`."""

from __future__ import annotations

import sys

__all__ = ["main"]

_EXTRA = frozenset(("typer", "rich"))


def main() -> None:
    """Run the command line.

    Without the packages of the extra `cli` it says how to install them and exits with 2; if the output cannot be
    written, it says why and exits with 1.
    """
    try:
        from heartsrules.cli import app
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        sys.stderr.write("heartsrules: the command line needs more packages: pip install 'heartsrules[cli]'\n")
        sys.exit(2)
    try:
        app(prog_name="heartsrules")
    except OSError as error:
        sys.stderr.write(f"heartsrules: {error}\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
