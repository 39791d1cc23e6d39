"""What the page offers, as JSON: games, bots, and the options of the form."""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import Rules, presets
from heartsrules.apps.table.bots import LEVELS, USUAL, levels_with
from heartsrules.apps.table.games import GAMES
from heartsrules.apps.table.messages import AWAY
from heartsrules.apps.table.settings import Proposal
from heartsrules.bots import Named
from heartsrules.formats.wire.parts import rules_in_full


@functools.cache
def choices_document(players: tuple[Named, ...] = (), proposal: Proposal | None = None) -> bytes:
    """All that the page offers: the named games, the bots, and for the form the rule sets, the options by section with
    their schema, and the usual pass cycle for each number of players."""
    schema = resources.files("heartsrules.formats.wire").joinpath("schema", "rules.json").read_bytes()
    cycle = next(option for option in Rules.OPTIONS if option.name == "pass_cycle")
    sections: dict[str, list[str]] = {}
    for option in Rules.OPTIONS:
        sections.setdefault(option.section, []).append(option.name)
    counts = next(option for option in Rules.OPTIONS if option.name == "players").choices
    return msgspec.json.encode(
        {
            "schema": msgspec.Raw(schema),
            "presets": _presets(proposal),
            "sections": [{"title": title, "options": names} for title, names in sections.items()],
            "sentences": {option.name: option.sentence for option in Rules.OPTIONS},
            "pass_cycles": {str(count): cycle.default_for(count) for count in counts},
            "games": _games(proposal),
            "levels": [{"name": name, "ours": name in LEVELS, "usual": name == USUAL} for name in levels_with(players)],
            "away": AWAY,
        }
    )


def _games(proposal: Proposal | None) -> list[dict[str, Any]]:
    """The named games; the one of "Play now" is the first: the proposal of the server, or else the usual game.

    A proposal that is none of the named games has a `name`.
    """
    games: list[dict[str, Any]] = [attrs.asdict(game) for game in GAMES]
    if proposal is None:
        return games
    own = {"preset": proposal.name.partition(",")[0], "players": proposal.rules.players, "name": proposal.name}
    first = next((attrs.asdict(game) for game in GAMES if game.rules == proposal.rules), own)
    return [first, *[game for game in games if game != first]]


def _presets(proposal: Proposal | None) -> list[dict[str, Any]]:
    """Every preset for every number of players, with the values of all options, for the form to start from.

    The proposal of the server, if there is one, is the first.
    """
    proposed: list[dict[str, Any]] = []
    if proposal is not None:
        rules = proposal.rules
        proposed.append(
            {
                "name": proposal.name,
                "source": "this server",
                "summary": "the rules that this server proposes",
                "players": rules.players,
                "rules": {str(rules.players): option_values(rules)},
            }
        )
    return proposed + [
        {
            "name": preset.name,
            "source": preset.source,
            "summary": preset.summary,
            "players": preset.default_players,
            "rules": {str(players): option_values(preset(players)) for players in preset.players},
        }
        for preset in presets.ALL.values()
    ]


def option_values(rules: Rules) -> dict[str, Any]:
    """The values of all options as in JSON. (A document of kind `rules` leaves out the defaults.)"""
    document: dict[str, Any] = msgspec.json.decode(rules_in_full(rules))
    return {option.name: document[option.name] for option in Rules.OPTIONS}
