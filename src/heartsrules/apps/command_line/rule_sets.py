"""The rule set of PRESET, `--players` and `--set`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs
import typer

from heartsrules import presets
from heartsrules.apps.command_line.messages import wrong_use
from heartsrules.base.errors import MAX_MESSAGE, InvalidRules, in_words, suggestion, truncated
from heartsrules.formats.notation import format_field, parse_field
from heartsrules.formats.notation.fields import parse_bool
from heartsrules.rules import Rules
from heartsrules.rules.presets import Preset

FIELDS: Final = tuple([option.name for option in Rules.OPTIONS])
"""The fields of `Rules`, all possible in `--set`."""


def find_preset(name: str) -> Preset:
    """Return the preset with this name, in any case and with hyphens for underscores."""
    preset = presets.ALL.get(name.lower().replace("-", "_"))
    if preset is None:
        raise wrong_use("PRESET", f"there is no {name!r}: {suggestion(name, presets.ALL)}")
    return preset


def _texts(preset: Preset, settings: Iterable[str]) -> dict[str, str]:
    names = dict.fromkeys([*FIELDS, *preset.options])
    texts: dict[str, str] = {}
    for setting in settings:
        given, equals, text = setting.partition("=")
        name = given.strip().lower().replace("-", "_")
        if not equals:
            raise wrong_use("--set", f"{setting!r} has no '='; write field=value")
        if name not in names:
            raise wrong_use("--set", f"there is no field {given!r}: {suggestion(name, names)}")
        if name in texts:
            raise wrong_use("--set", f"{name} is given twice")
        texts[name] = text
    return texts


def _parsed(preset: Preset, name: str, text: str, players: int) -> Any:
    try:
        return parse_field(name, text, players) if name in FIELDS else _parse_own_option(preset, name, text)
    except ValueError as error:
        raise wrong_use("--set", f"{name}: {error}") from None


def _parse_own_option(preset: Preset, name: str, text: str) -> object:
    (choices,) = [option.choices for option in preset.offers if option.name == name]
    if choices == (False, True):
        return parse_bool(text)
    names = [choice for choice in choices if choice is not None]
    chosen = text.strip().lower()
    if chosen not in names:
        raise ValueError(f"there is no {text!r}: {suggestion(chosen, names)}")
    return chosen


def _own_option(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _players(preset: Preset, players: int | None, texts: dict[str, str]) -> int:
    where = "--players"
    if "players" in texts:
        if players is not None:
            raise wrong_use("--set", "--players also sets players; omit one of them")
        where = "--set"
        players = _parsed(preset, "players", texts.pop("players"), preset.default_players)
    if players is None:
        return preset.default_players
    if players not in preset.players:
        counts = ", ".join(map(str, preset.players))
        said = f"{preset.name} is not for {in_words(players)} players: choose from {counts}"
        raise wrong_use(where, said)
    return players


def _offers(preset: Preset, players: int, name: str, value: object) -> bool:
    if name not in preset.options:
        return False
    try:
        preset(players, **{name: value})
    except (InvalidRules, TypeError):
        return name not in FIELDS
    return True


def _make(preset: Preset, players: int, values: Mapping[str, Any]) -> Rules:
    """Make the preset's rule set with these values.

    The preset gets the values that it takes, since it can adapt others to them: with a kitty it can deal fewer cards.

    Raises:
        InvalidRules: the options have problems with the preset and the finished rule set.
    """
    choices = {name: value for name, value in values.items() if _offers(preset, players, name, value)}
    fields = {name: value for name, value in values.items() if name in FIELDS}
    try:
        chosen = preset(players, **choices)
    except InvalidRules as error:
        problems = list(error.problems)
        try:
            attrs.evolve(preset(players), **fields)
        except InvalidRules as other:
            problems += [problem for problem in other.problems if problem not in problems]
        raise InvalidRules(problems, error.further) from None
    return attrs.evolve(chosen, **fields)


def rule_set_of(name: str, players: int | None, settings: Iterable[str]) -> tuple[Rules, str]:
    """Make the rule set and a line that names it, or exit with 1 and all problems."""
    preset = find_preset(name)
    texts = _texts(preset, settings)
    count = _players(preset, players, texts)
    values = {field: _parsed(preset, field, text, count) for field, text in texts.items()}
    try:
        rules = _make(preset, count, values)
    except InvalidRules as error:
        typer.echo("Error: this rule set cannot be played:", err=True)
        for line in _problem_lines(error):
            typer.echo(line, err=True)
        raise typer.Exit(1) from None
    given = [
        f"{name}={format_field(name, getattr(rules, name), count) if name in FIELDS else _own_option(value)}"
        for name, value in values.items()
    ]
    return rules, ", ".join([preset.name, f"{count} players", *given])


_RESERVED: Final = 200
"""The characters of a message for the lines before and after the problems."""


def _problem_lines(error: InvalidRules) -> Iterator[str]:
    room = MAX_MESSAGE - _RESERVED
    for number, problem in enumerate(error.problems):
        line = truncated(f"  {problem.code}: {problem.message}", MAX_MESSAGE // 2)
        room -= len(line)
        if room < 0:
            yield f"  and {len(error.problems) - number + error.further} further problems"
            return
        yield line
    if error.further:
        yield f"  and {error.further} further problems"
