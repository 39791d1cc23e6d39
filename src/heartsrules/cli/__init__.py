"""The command line: `heartsrules presets`, `rules`, `simulate`, `compare`, `verify` and `show` (extra `cli`).

Data goes to stdout, errors and the progress bar to stderr. Exit codes: 0 for success, 1 for a rule set that cannot be
played, a record that is not valid, workers that died, or output that cannot be written, 2 for a wrong use or a file
without a record, 130 for an interruption. No message has more than 2,000 characters.
"""

from heartsrules.cli.application import app
from heartsrules.cli.catalogue import _presets, _show_rules
from heartsrules.cli.rule_sets import _rule_set
from heartsrules.cli.show import _show
from heartsrules.cli.simulation import _compare, _simulate
from heartsrules.cli.verify import _verify
from heartsrules.terminal import register as _register_play

__all__ = ["app"]

for name, command in (
    ("presets", _presets),
    ("rules", _show_rules),
    ("simulate", _simulate),
    ("compare", _compare),
    ("verify", _verify),
    ("show", _show),
):
    app.command(name)(command)
_register_play(app, _rule_set)
