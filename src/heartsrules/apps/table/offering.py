"""The page's choices: games, rule sets and bots."""

from __future__ import annotations

import functools

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import Rules, presets
from heartsrules.apps.table.bots import LEVELS, USUAL, levels_with
from heartsrules.apps.table.games import GAMES
from heartsrules.apps.table.messages import encoded
from heartsrules.apps.table.positions import picture_of
from heartsrules.apps.table.protocol import AWAY, BotLevel, NamedGame, OfferedChoices, OfferedPreset
from heartsrules.apps.table.settings import Proposal
from heartsrules.bots import Named
from heartsrules.formats.wire import to_json
from heartsrules.formats.wire.parts import object_parts, option_json, write_part

_COUNTS = next(option for option in Rules.OPTIONS if option.name == "players").choices


@functools.cache
def choices_document(players: tuple[Named, ...] = (), proposal: Proposal | None = None) -> bytes:
    """Build the JSON answer to a request for the page's choices."""
    choices = OfferedChoices(
        defaults={count: _defaults(count) for count in _COUNTS},
        presets=_presets(proposal),
        games=_games(proposal),
        levels=tuple([BotLevel(name, name in LEVELS, name == USUAL) for name in levels_with(players)]),
        away=AWAY,
    )
    return encoded(choices)


def _games(proposal: Proposal | None) -> tuple[NamedGame, ...]:
    """List the named games, starting with "Play now": the server's proposal, or else the usual game.

    A proposal that is not one of the named games has a `name`.
    """
    games = [NamedGame(game.preset, game.players, None, picture_of(game.rules)) for game in GAMES]
    if proposal is None:
        return tuple(games)
    rules = proposal.rules
    preset = proposal.name.partition(",")[0]
    own = NamedGame(preset, rules.players, proposal.name, picture_of(rules))
    first = next((shown for game, shown in zip(GAMES, games, strict=True) if game.rules == rules), own)
    return (first, *[game for game in games if game != first])


def _presets(proposal: Proposal | None) -> tuple[OfferedPreset, ...]:
    """List every preset for every number of players, as starting points of the form.

    The server's proposal, if there is one, is the first.
    """
    proposed: list[OfferedPreset] = []
    if proposal is not None:
        rules = proposal.rules
        summary = "the rules that this server proposes"
        named = (rules.players,)
        proposed.append(OfferedPreset(proposal.name, "this server", summary, *named, named, _for_all({}, rules)))
    for preset in presets.ALL.values():
        known = {count: preset(count) for count in preset.players}
        usual = preset.default_players
        own = _for_all(known, known[usual])
        proposed.append(OfferedPreset(preset.name, preset.source, preset.summary, usual, preset.players, own))
    return tuple(proposed)


def _for_all(known: dict[int, Rules], usual: Rules) -> dict[int, msgspec.Raw]:
    """Return each number of players' options that differ from the defaults.

    Without options of its own, a number of players has the usual ones.
    """

    def options(count: int) -> msgspec.Raw:
        parts = object_parts(to_json(known.get(count, usual)))
        own = {name: msgspec.Raw(part) for name, part in parts.items() if name not in ("heartsrules", "kind")}
        return msgspec.Raw(write_part(own | {"players": count}))

    return {count: options(count) for count in _COUNTS}


def _defaults(players: int) -> msgspec.Raw:
    """Return the default values of all options.

    Together they can be invalid: three players cannot share 52 cards evenly.
    """
    values = {option.name: option_json(option.name, option.default_for(players)) for option in Rules.OPTIONS}
    return msgspec.Raw(write_part(values | {"players": players}))
