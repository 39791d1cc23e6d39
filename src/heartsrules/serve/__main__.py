"""`python -m heartsrules.serve`: the protocol over standard input and output, without the command line."""

from __future__ import annotations

import argparse
import sys
from importlib import resources
from typing import Any, Final

from heartsrules.serve.answering import Limits
from heartsrules.serve.lines import serve_lines
from heartsrules.serve.timing import can_time

_FILES: Final = {"openapi": "openapi.json", "client": "heartsrules.ts", "javascript": "heartsrules.js"}


def _main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m heartsrules.serve",
        description="Answer lines of JSON on standard input. For HTTP: heartsrules serve.",
    )
    defaults = Limits()
    parser.add_argument("--max-bytes", type=int, default=defaults.max_bytes, help="the most bytes of a request")
    parser.add_argument(
        "--seconds", type=float, default=defaults.seconds, help="the most processor time for a request; 0: no limit"
    )
    parser.add_argument("--print", choices=_FILES, help="print the description, or the client, and exit")
    asked = parser.parse_args()
    if asked.print is not None:
        sys.stdout.write(resources.files("heartsrules").joinpath("serve", _FILES[asked.print]).read_text("utf-8"))
        return
    told: dict[str, Any] = {"max_bytes": asked.max_bytes, "seconds": asked.seconds or None}
    if told["max_bytes"] < 1 or (told["seconds"] or 0) < 0:
        parser.error("limits are positive")
    if told["seconds"] is not None and not can_time():
        parser.error("--seconds: this system has no timers for it")
    serve_lines(Limits(**told))


if __name__ == "__main__":
    _main()
