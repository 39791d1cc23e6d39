"""The command line `heartsrules` (extra `cli`); the game at a terminal and the table for browsers add their commands.

Data goes to stdout, errors and the progress bar to stderr. Exit codes: 0 for success; 1 for a rule set that cannot be
played, a record that is not valid, workers that died or cannot be reached, a program that plays and fails, or output
that cannot be written; 2 for a wrong use, a file without a record, or an extra that is missing; 130 for an
interruption. No message has more than 2,000 characters.
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
from heartsrules.apps.command_line.players import players_named
from heartsrules.apps.command_line.rule_sets import rule_set_of
from heartsrules.apps.command_line.schema import print_schema
from heartsrules.apps.command_line.show import show_position
from heartsrules.apps.command_line.simulation import compare_presets, simulate_games
from heartsrules.apps.command_line.verify import verify_files
from heartsrules.apps.serve.command import register_serve
from heartsrules.apps.table import register_table
from heartsrules.apps.terminal import register_play

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
):
    app.command(name)(command)
register_play(app, rule_set_of, players_named)
register_table(app, rule_set_of, players_named)
register_serve(app)
