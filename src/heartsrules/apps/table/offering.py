"""What the form of a page is made of, as JSON."""

from __future__ import annotations

import enum
import functools
from importlib import resources
from typing import Any

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import Cards, Rules, presets
from heartsrules.apps.table.bots import LEVELS, USUAL, levels_with
from heartsrules.apps.table.games import GAMES, USUAL_PRESET
from heartsrules.apps.table.messages import AWAY
from heartsrules.apps.table.settings import Proposal
from heartsrules.bots import Named
from heartsrules.rules import Bonus, Doubler, HeartValues


def schema_document() -> bytes:
    """The JSON Schema of rules."""
    return resources.files("heartsrules.formats.wire").joinpath("schema", "rules.json").read_bytes()


def cards_document() -> bytes:
    """The drawings on cards."""
    from heartsrules.pictures.svg import DRAWINGS  # which a page without a server has not

    return DRAWINGS.read_bytes()


@functools.cache
def choices_document(players: tuple[Named, ...]) -> bytes:
    """The options by section, the usual pass cycle for each number of players, the named games and the bots, for the
    form."""
    cycle = next(option for option in Rules.OPTIONS if option.name == "pass_cycle")
    sections: dict[str, list[str]] = {}
    for option in Rules.OPTIONS:
        sections.setdefault(option.section, []).append(option.name)
    counts = next(option for option in Rules.OPTIONS if option.name == "players").choices
    return msgspec.json.encode(
        {
            "sections": [{"title": title, "options": names} for title, names in sections.items()],
            "sentences": {option.name: option.sentence for option in Rules.OPTIONS},
            "pass_cycles": {str(count): _option(cycle.default_for(count)) for count in counts},
            "games": [attrs.asdict(game) for game in GAMES],
            "levels": [{"name": name, "ours": name in LEVELS, "usual": name == USUAL} for name in levels_with(players)],
            "away": AWAY,
        }
    )


@functools.cache
def presets_document(proposal: Proposal | None) -> bytes:
    """Every preset for every number of players, with the values of all options, for the form to start from.

    One is `chosen`: the proposal of the server, or else the usual game.
    """
    proposed: list[dict[str, Any]] = []
    if proposal is not None:
        rules = proposal.rules
        proposed.append(
            {
                "chosen": True,
                "name": proposal.name,
                "source": "this server",
                "summary": "the rules that this server proposes",
                "players": rules.players,
                "rules": {str(rules.players): option_values(rules)},
            }
        )
    return msgspec.json.encode(
        proposed
        + [
            {
                "chosen": proposal is None and preset.name == USUAL_PRESET,
                "name": preset.name,
                "source": preset.source,
                "summary": preset.summary,
                "players": preset.default_players,
                "rules": {str(players): option_values(preset.rules(players)) for players in preset.players},
            }
            for preset in presets.ALL.values()
        ]
    )


def option_values(rules: Rules) -> dict[str, Any]:
    """The values of all options as in JSON. (A document of kind `rules` leaves out the defaults.)"""
    values = {option.name: _option(getattr(rules, option.name)) for option in Rules.OPTIONS}
    named = [each.value for each in HeartValues if each.values == rules.heart_values]
    return values | ({"heart_values": named[0]} if named else {})


def _option(value: Any) -> Any:
    match value:
        case enum.Enum():
            return value.value
        case Cards():
            return str(value)
        case Bonus(card, points):
            return {"card": str(card), "points": points}
        case Doubler(card, factor, alone):
            return {"card": str(card), "factor": factor, "alone": alone}
        case tuple():
            return [_option(item) for item in value]
        case int() | None:
            return value
    return str(value)  # a card
