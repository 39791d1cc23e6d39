"""The protocol over standard input and output, without the extra `cli`.

Run it with `python -m heartsrules.apps.serve`.
"""

from __future__ import annotations

import argparse
import sys

from heartsrules.apps.serve.answering import Service
from heartsrules.apps.serve.lines import serve_lines
from heartsrules.apps.serve.printing import CLIENTS, printed
from heartsrules.apps.streams import replace_closed_streams, run_command
from heartsrules.base.interrupts import CODE
from heartsrules.formats.wire import JUDGE_BYTES


def _main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m heartsrules.apps.serve",
        description="Answer lines of JSON on standard input. For HTTP: heartsrules serve.",
    )
    parser.add_argument("--max-bytes", type=int, default=JUDGE_BYTES, help="the maximum size of a request in bytes")
    parser.add_argument("--print", choices=("openapi", *CLIENTS), help="print the description, or the client, and exit")
    asked = parser.parse_args()
    if asked.print is not None:
        try:
            sys.stdout.write(printed(asked.print))
        except FileNotFoundError as error:
            sys.exit(str(error))
        return
    try:
        service = Service(max_bytes=asked.max_bytes)
    except ValueError as error:
        parser.error(str(error))
    serve_lines(service)


if __name__ == "__main__":
    replace_closed_streams()
    try:
        sys.exit(run_command(_main))
    except KeyboardInterrupt:
        sys.exit(CODE)
