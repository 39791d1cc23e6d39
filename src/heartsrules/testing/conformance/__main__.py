"""`python -m heartsrules.testing.conformance`: write a conformance suite."""

from __future__ import annotations

import sys

from heartsrules.testing.conformance import command_line

if __name__ == "__main__":
    sys.exit(command_line())
