"""`heartsrules presets` and `heartsrules rules`: what can be played."""

from __future__ import annotations

from collections.abc import Sequence

from heartsrules import presets
from heartsrules.cli.options import PlayersOption, PresetArgument, SetOption
from heartsrules.cli.printing import make_console, make_table
from heartsrules.cli.rule_sets import FIELDS, find_preset, rule_set_of
from heartsrules.notation import format_field

__all__ = ["list_presets", "show_rules"]


def _counts(players: Sequence[int]) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]}-{players[-1]}"


def list_presets() -> None:
    """List the presets with their counts of players and their sources."""
    table = make_table("preset", "players", "summary", "source")
    for preset in presets.ALL.values():
        table.add_row(preset.name, _counts(preset.players), preset.summary, preset.source)
    make_console().print(table)


def show_rules(preset: PresetArgument, players: PlayersOption = None, setting: SetOption = None) -> None:
    """Show a rule set field by field, or every reason why it cannot be played.

    A star marks the fields that differ from the defaults. Values are written as --set takes them.
    """
    rules, name = rule_set_of(preset, players, setting or ())
    changed = rules.changes()
    table = make_table("", "field", "value")
    for field in FIELDS:
        value = format_field(field, getattr(rules, field), rules.players)
        table.add_row("*" if field in changed else "", field, value)
    console = make_console()
    console.print(name)
    console.print(
        f"{len(rules.deck)} cards: {rules.cards_per_hand} for each player and {rules.kitty_size} left over; "
        f"{rules.penalty_total} penalty points in all"
    )
    own = [option for option in find_preset(preset).options if option not in FIELDS]
    if own:
        console.print(f"--set takes further options of this preset: {', '.join(own)}")
    console.print()
    console.print(table)
