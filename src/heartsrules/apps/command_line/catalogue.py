"""`heartsrules presets` and `heartsrules rules`, which show rule sets."""

from __future__ import annotations

from collections.abc import Sequence

from heartsrules import presets
from heartsrules.apps.command_line.options import OutputOption, PresetArgument, RuleSetOptions
from heartsrules.apps.command_line.printing import at_commas, document, fits, make_console, make_table, print_json
from heartsrules.apps.command_line.rule_sets import FIELDS, find_preset
from heartsrules.formats.notation import format_field


def _counts(players: Sequence[int]) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]}-{players[-1]}"


def list_presets(format_: OutputOption = "text") -> None:
    """List the presets, with their numbers of players and sources."""
    if format_ == "json":
        told = ("name", "players", "default_players", "summary", "source", "options")
        print_json([{name: getattr(preset, name) for name in told} for preset in presets.ALL.values()])
        return
    console = make_console()
    table = make_table("preset", "players", "summary", "source")
    narrow = make_table("preset", "players", "summary, and the source below it")
    narrow.columns[0].no_wrap = narrow.columns[1].no_wrap = True
    for preset in presets.ALL.values():
        table.add_row(preset.name, _counts(preset.players), preset.summary, preset.source)
        narrow.add_row(preset.name, _counts(preset.players), f"{preset.summary}\n{preset.source}")
    console.print(table if fits(console, table) else narrow)


def show_rules(preset: PresetArgument, rule_set: RuleSetOptions, format_: OutputOption = "text") -> None:
    """Show a rule set, field by field.

    An unplayable rule set is refused with every reason. A star marks the fields that differ from the defaults. Values
    are written as for --set.
    """
    rules, name = rule_set.apply_to(preset)
    changed = rules.changes()
    fields = {field: format_field(field, getattr(rules, field), rules.players) for field in FIELDS}
    own = [option for option in find_preset(preset).options if option not in FIELDS]
    if format_ == "json":
        print_json(
            {
                "preset": find_preset(preset).name,
                "players": rules.players,
                "rules": document(rules),
                "fields": fields,
                "changed": [field for field in FIELDS if field in changed],
                "options": own,
                "cards": len(rules.deck),
                "cards_per_hand": rules.cards_per_hand,
                "kitty_size": rules.kitty_size,
                "penalty_total": rules.penalty_total,
            }
        )
        return
    console = make_console()
    console.print(name)
    console.print(
        f"{len(rules.deck)} cards: {rules.cards_per_hand} for each player and {rules.kitty_size} left over; "
        f"{rules.penalty_total} penalty points in all"
    )
    if own:
        console.print(f"This preset has further options for --set: {', '.join(own)}")
    console.print()
    table = make_table("", "field", "value")
    room = console.width - max(map(len, FIELDS)) - len("*") - 2 * len("  ")
    for field, value in fields.items():
        table.add_row("*" if field in changed else "", field, at_commas(value, room))
    console.print(table)
