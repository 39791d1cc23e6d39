"""The command line `heartsrules` (extra `cli`).

Data goes to stdout, errors and the progress bar to stderr. Exit codes: 0 for success; 1 for an unplayable rule set, an
invalid record, workers that died or cannot be reached, a player's program that fails, or output that cannot be written;
2 for wrong usage, a file without a record, or a missing extra; 130 for an interruption. No message has more than 2,000
characters.
"""

from heartsrules.base.extras import needs

with needs("cli", "the command line"):
    import rich  # noqa: F401 (all of it is imported below)
    import typer  # noqa: F401

from heartsrules.apps.command_line.application import app

__all__ = ["app"]
