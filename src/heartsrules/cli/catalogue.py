"""`heartsrules presets` and `heartsrules rules`: what can be played."""

from __future__ import annotations

from collections.abc import Sequence

from heartsrules import presets
from heartsrules.cli.options import _PlayersOption, _PresetArgument, _SetOption
from heartsrules.cli.printing import _console, _table
from heartsrules.cli.rule_sets import _FIELDS, _preset, _rule_set
from heartsrules.notation import format_field


def _counts(players: Sequence[int]) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]}-{players[-1]}"


def _presets() -> None:
    """List the presets with their counts of players and their sources."""
    table = _table("preset", "players", "summary", "source")
    for preset in presets.ALL.values():
        table.add_row(preset.name, _counts(preset.players), preset.summary, preset.source)
    _console().print(table)


def _show_rules(preset: _PresetArgument, players: _PlayersOption = None, setting: _SetOption = None) -> None:
    """Show a rule set field by field, or everything that forbids it.

    A star marks the fields that differ from the defaults. Values are written as --set takes them.
    """
    rules, name = _rule_set(preset, players, setting or ())
    changed = rules.changes()
    table = _table("", "field", "value")
    for field in _FIELDS:
        value = format_field(field, getattr(rules, field), rules.players)
        table.add_row("*" if field in changed else "", field, value)
    console = _console()
    console.print(name)
    console.print(
        f"{len(rules.deck)} cards: {rules.cards_per_hand} for each player and {rules.kitty_size} left over; "
        f"{rules.penalty_total} penalty points in all"
    )
    own = [option for option in _preset(preset).options if option not in _FIELDS]
    if own:
        console.print(f"--set takes further options of this preset: {', '.join(own)}")
    console.print()
    console.print(table)
