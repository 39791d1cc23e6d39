"""The command line `heartsrules` (extra `cli`).

Data goes to stdout, errors and the progress bar to stderr. Exit codes: 0 for success; 1 for a rule set that cannot be
played, a record that is not valid, workers that died or cannot be reached, a player's program that fails, or output
that cannot be written; 2 for a wrong use, a file without a record, or a missing extra; 130 for an interruption. No
message has more than 2,000 characters.
"""

from heartsrules.base.extras import needs

with needs("cli", "the command line"):
    import rich  # noqa: F401 (all of it is imported below)
    import typer  # noqa: F401

from heartsrules.apps.command_line.application import app
from heartsrules.apps.command_line.bot import serve_bot
from heartsrules.apps.command_line.catalogue import list_presets, show_rules
from heartsrules.apps.command_line.conformance import write_suite
from heartsrules.apps.command_line.match import match_bots
from heartsrules.apps.command_line.play import play_game
from heartsrules.apps.command_line.schema import print_schema
from heartsrules.apps.command_line.serve import serve_rules
from heartsrules.apps.command_line.show import show_position
from heartsrules.apps.command_line.simulation import compare_presets, simulate_games
from heartsrules.apps.command_line.table import serve_tables
from heartsrules.apps.command_line.verify import verify_files

__all__ = ["app"]

for name, command in (
    ("presets", list_presets),
    ("rules", show_rules),
    ("simulate", simulate_games),
    ("compare", compare_presets),
    ("match", match_bots),
    ("bot", serve_bot),
    ("verify", verify_files),
    ("show", show_position),
    ("conformance", write_suite),
    ("schema", print_schema),
    ("play", play_game),
    ("table", serve_tables),
    ("serve", serve_rules),
):
    app.command(name)(command)
