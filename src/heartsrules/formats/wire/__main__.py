"""`python -m heartsrules.formats.wire DIRECTORY`: write the JSON Schema files, as `heartsrules schema -o` does."""

from __future__ import annotations

import argparse
from pathlib import Path

from heartsrules.formats.wire import _schema


def _main() -> None:
    """Write the files and print their names."""
    parser = argparse.ArgumentParser(
        prog="python -m heartsrules.formats.wire", description="Write the JSON Schema files."
    )
    parser.add_argument("directory", type=Path, help="where to; it is made if need be")
    for path in _schema.write_schemas(parser.parse_args().directory):
        print(path)


if __name__ == "__main__":
    _main()
