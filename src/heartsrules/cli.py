"""The command line: `heartsrules presets`, `heartsrules rules` and `heartsrules simulate` (extra `cli`).

Data goes to stdout, errors and the progress bar to stderr. Exit codes: 0 for success, 1 for a rule set that cannot be
played (or output that cannot be written), 2 for a wrong use, 130 for an interruption.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import math
import secrets
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from typing import Annotated, Any, Final

import attrs
import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from heartsrules import presets
from heartsrules.cards import Card, Cards
from heartsrules.errors import InvalidRules
from heartsrules.presets import Preset
from heartsrules.rules import HOLD, Bonus, HeartValues, Option, PassStep, Rules, across, left, right, scatter
from heartsrules.simulate import MAX_DEALS_PER_GAME, Moments, Statistics
from heartsrules.simulate import simulate as play

__all__ = ["app", "format_field", "parse_field"]

# ---------------------------------------------------------------------------------------------------------------
# Fields of `Rules` as text


def _suggest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: what was probably meant, or else all that there is."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(close)}?" if close else f"choose from {', '.join(names)}"


def _parse_int(text: str, _: int) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is no whole number") from None


def _parse_optional_int(text: str, players: int) -> int | None:
    return None if _is_none(text) else _parse_int(text, players)


def _is_none(text: str) -> bool:
    return text.strip().lower() in ("", "none")


_BOOLS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def _parse_bool(text: str, _: int) -> bool:
    value = _BOOLS.get(text.strip().lower())
    if value is None:
        raise ValueError(f"{text!r} is neither yes nor no")
    return value


def _parse_option(kind: type[Option], text: str) -> Option:
    name = text.strip().lower().replace("_", "-")
    for option in kind:
        if option.value == name:
            return option
    raise ValueError(f"there is no {text!r}: {_suggest(name, [str(option) for option in kind])}")


def _items(text: str) -> list[str]:
    """The parts of a list; commas and white space keep them apart."""
    return [] if _is_none(text) else text.replace(",", " ").split()


def _pair(item: str) -> tuple[str, str]:
    first, colon, second = item.partition(":")
    if not colon:
        raise ValueError(f"{item!r} has no colon")
    return first, second


def _parse_cards(text: str, _: int) -> Cards:
    return Cards(" ".join(_items(text)))


def _parse_step(text: str, players: int) -> PassStep:
    if text.lower() == "hold":
        return HOLD
    if text.lower() == "scatter":
        return scatter(players)
    return tuple(gift for part in text.split("+") for gift in _parse_gift(part, players))


def _parse_gift(text: str, players: int) -> PassStep:
    direction, count = text[:1].upper(), text[1:]
    if direction == "L":
        return left(_parse_int(count, players))
    if direction == "R":
        return right(_parse_int(count, players))
    if direction == "A":
        return across(players, _parse_int(count, players))
    offset, count = _pair(text)
    return ((_parse_int(offset, players), _parse_int(count, players)),)


def _parse_cycle(text: str, players: int) -> tuple[PassStep, ...]:
    return tuple(_parse_step(item, players) for item in _items(text))


def _parse_heart_values(text: str, players: int) -> HeartValues | tuple[int, ...]:
    items = _items(text)
    if len(items) > 1:
        return tuple(_parse_int(item, players) for item in items)
    option = _parse_option(HeartValues, text)
    return HeartValues(option.value)


def _parse_penalties(text: str, players: int) -> tuple[tuple[Card, int], ...]:
    pairs = [_pair(item) for item in _items(text)]
    return tuple((Card(card), _parse_int(points, players)) for card, points in pairs)


def _parse_bonus(text: str, players: int) -> Bonus | None:
    if _is_none(text):
        return None
    card, points = _pair(text)
    return Bonus(Card(card), _parse_int(points, players))


def _parse_resets(text: str, players: int) -> tuple[tuple[int, int], ...]:
    pairs = [_pair(item) for item in _items(text)]
    return tuple((_parse_int(exact, players), _parse_int(new, players)) for exact, new in pairs)


_Parser: typing.TypeAlias = Callable[[str, int], object]

_OWN_PARSERS: Final[dict[str, _Parser]] = {
    "removed": _parse_cards,
    "pass_cycle": _parse_cycle,
    "unpassable": _parse_cards,
    "heart_values": _parse_heart_values,
    "extra_penalties": _parse_penalties,
    "bonus": _parse_bonus,
    "exact_resets": _parse_resets,
}
_TYPE_PARSERS: Final[dict[object, _Parser]] = {
    bool: _parse_bool,
    int: _parse_int,
    int | None: _parse_optional_int,
}


def _parsers() -> dict[str, _Parser]:
    types = typing.get_type_hints(Rules)
    return {name: _OWN_PARSERS.get(name) or _parser_of(types[name]) for name in _FIELDS}


def _parser_of(kind: Any) -> _Parser:
    by_type = _TYPE_PARSERS.get(kind)
    return by_type or (lambda text, _: _parse_option(kind, text))


_FIELDS: Final = tuple(field.name for field in attrs.fields(Rules) if field.init)
_PARSERS: Final = _parsers()


def parse_field(name: str, text: str, players: int) -> object:
    """The value of a field of `Rules` that a text denotes, in the syntax of `--set`.

    >>> parse_field("pass_cycle", "L3 R3 A3 hold", 4)
    (((1, 3),), ((-1, 3),), ((2, 3),), ())

    Raises:
        ValueError: the text denotes no value of that field.
        KeyError: there is no such field.
    """
    return _PARSERS[name](text, players)


def format_field(name: str, value: object, players: int) -> str:
    """The text of a field's value; `parse_field` reads it back.

    >>> format_field("pass_cycle", Rules().pass_cycle, 4)
    'L3 R3 A3 hold'
    """
    if name == "pass_cycle":
        return " ".join(_format_step(step, players) for step in typing.cast("tuple[PassStep, ...]", value))
    if name == "heart_values":
        named = {option.values: str(option) for option in HeartValues}
        return named.get(typing.cast("tuple[int, ...]", value)) or " ".join(map(str, typing.cast("tuple[int]", value)))
    if value is None or value == () or value == Cards():
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Bonus):
        return f"{value.card}:{value.points}"
    if isinstance(value, tuple):
        return " ".join(f"{first}:{second}" for first, second in value)
    return str(value)


def _format_step(step: PassStep, players: int) -> str:
    letters = {1: "L", -1: "R"}
    if players % 2 == 0:
        letters[players // 2] = "A"
    gifts = [f"{letters[offset]}{count}" if offset in letters else f"{offset}:{count}" for offset, count in step]
    return "+".join(gifts) or "hold"


# ---------------------------------------------------------------------------------------------------------------
# From arguments to a rule set


def _preset(name: str) -> Preset:
    preset = presets.ALL.get(name.lower().replace("-", "_"))
    if preset is None:
        raise typer.BadParameter(f"there is no {name!r}: {_suggest(name, presets.ALL)}", param_hint="PRESET")
    return preset


def _wrong_setting(message: str) -> typer.BadParameter:
    return typer.BadParameter(message, param_hint="--set")


def _texts(preset: Preset, settings: Iterable[str]) -> dict[str, str]:
    """What `--set` gives for each field of `Rules` and each option of the preset, still as text."""
    known = dict.fromkeys([*_FIELDS, *preset.options])
    texts: dict[str, str] = {}
    for setting in settings:
        given, equals, text = setting.partition("=")
        name = given.strip().lower().replace("-", "_")
        if not equals:
            raise _wrong_setting(f"{setting!r} has no '=': write field=value")
        if name not in known:
            raise _wrong_setting(f"there is no field {given!r}: {_suggest(name, known)}")
        if name in texts:
            raise _wrong_setting(f"{name} is given twice")
        texts[name] = text
    return texts


def _parsed(preset: Preset, name: str, text: str, players: int) -> Any:
    try:
        return parse_field(name, text, players) if name in _PARSERS else _parse_own_option(preset, name, text)
    except ValueError as error:
        raise _wrong_setting(f"{name}: {error}") from None


def _parse_own_option(preset: Preset, name: str, text: str) -> object:
    """The value of an option of a preset that is no field of `Rules`: a bool, or one of several names."""
    kind = typing.get_type_hints(preset.make)[name]
    if kind is bool:
        return _parse_bool(text, 0)
    names = [name for part in typing.get_args(kind) for name in typing.get_args(part)]
    chosen = text.strip().lower()
    if chosen not in names:
        raise ValueError(f"there is no {text!r}: {_suggest(chosen, names)}")
    return chosen


def _players(preset: Preset, players: int | None, texts: dict[str, str]) -> int:
    """How many play: given by `--players`, as a field (which is taken out of `texts`), or not at all."""
    where = "--players"
    if "players" in texts:
        if players is not None:
            raise _wrong_setting("players is given by --players too")
        where = "--set"
        players = _parsed(preset, "players", texts.pop("players"), 0)
    if players is None:
        return preset.default_players
    if players not in preset.players:
        counts = ", ".join(map(str, preset.players))
        raise typer.BadParameter(f"{preset.name} is not for {players} players: choose from {counts}", param_hint=where)
    return players


def _offers(preset: Preset, players: int, name: str, value: object) -> bool:
    """Whether the preset itself has this choice; otherwise it is a house rule, set on the finished rule set."""
    if name not in preset.options:
        return False
    try:
        preset.rules(players, **{name: value})
    except (InvalidRules, TypeError):
        return name not in _PARSERS
    return True


def _make(preset: Preset, players: int, values: Mapping[str, Any]) -> Rules:
    """The preset's rule set with these values.

    Choices that the preset offers are made by the preset: with a kitty it may deal fewer cards too.

    Raises:
        InvalidRules: with the problems of the preset and of the finished rule set.
    """
    choices = {name: value for name, value in values.items() if _offers(preset, players, name, value)}
    fields = {name: value for name, value in values.items() if name in _PARSERS}
    try:
        chosen = preset.rules(players, **choices)
    except InvalidRules as error:
        problems = list(error.problems)
        try:
            attrs.evolve(preset.rules(players), **fields)
        except InvalidRules as other:
            problems += [problem for problem in other.problems if problem not in problems]
        raise InvalidRules(tuple(problems)) from None
    return attrs.evolve(chosen, **fields)


def _rule_set(name: str, players: int | None, settings: Iterable[str]) -> tuple[Rules, str]:
    """The rule set and a line that names it; if it cannot be played, prints every problem and exits with 1."""
    preset = _preset(name)
    texts = _texts(preset, settings)
    count = _players(preset, players, texts)
    values = {field: _parsed(preset, field, text, count) for field, text in texts.items()}
    try:
        rules = _make(preset, count, values)
    except InvalidRules as error:
        typer.echo("Error: this rule set cannot be played:", err=True)
        for problem in error.problems:
            typer.echo(f"  {problem.code}: {problem.message}", err=True)
        raise typer.Exit(1) from None
    shown = {field: getattr(rules, field) if field in _PARSERS else value for field, value in values.items()}
    given = [f"{field}={format_field(field, value, count)}" for field, value in shown.items()]
    return rules, ", ".join([preset.name, f"{count} players", *given])


# ---------------------------------------------------------------------------------------------------------------
# Tables

_PIPE_WIDTH: Final = 10_000
"""Columns of output that goes to no terminal: no line of a table is ever that long, so none is wrapped."""


def _console(*, stderr: bool = False) -> Console:
    console = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if isinstance(console.file, io.TextIOWrapper):
        # A character that the encoding lacks must not end the program.
        console.file.reconfigure(errors="backslashreplace")
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def _table(*columns: str, right: Iterable[str] = ()) -> Table:
    table = Table(box=SIMPLE, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def _counts(players: Sequence[int]) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]}-{players[-1]}"


def _number(value: float, digits: int = 2) -> str:
    """A mean or a rate; nothing to take it of shows as a dash."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def _share(part: int, whole: int, of: str) -> str:
    return f"{part} ({100 * part / whole:.2f} % of {of})" if whole else f"{part}"


def _range(moments: Moments) -> str:
    return f"{moments.lowest} to {moments.highest}" if moments.count else "-"


def _with_error(moments: Moments) -> str:
    error = moments.standard_error
    return _number(moments.mean) + ("" if math.isnan(error) else f" +/- {error:.2f}")


def _figures(statistics: Statistics, max_deals: int) -> Table:
    s = statistics
    table = _table("figure", "value")
    for figure, value in (
        ("games", str(s.games)),
        (f"unfinished games (stopped after {max_deals} deals)", str(s.unfinished)),
        ("games tied for the first place", _share(s.tied_games, s.games, "games")),
        ("deals", str(s.deals)),
        ("extra deals after a tie", str(s.extra_deals)),
        ("deals per game, mean", _with_error(s.deals_per_game)),
        ("deals per game, range", _range(s.deals_per_game)),
        ("decisions", str(s.decisions)),
        ("cards played", str(s.plays)),
        ("legal cards per decision, mean", _number(s.mean_choices, 4)),
        ("legal cards per decision, most", str(s.most_choices)),
        ("forced cards per deal", _with_error(s.forced_per_deal)),
        ("passes", str(s.passes.count)),
        ("passes declined", _share(s.declined, s.passes.count, "passes")),
        ("legal passes per decision, mean", _number(s.passes.mean)),
        ("legal passes per decision, most", str(s.passes.highest or 0)),
        ("choices of the moon", str(s.moon_choices)),
        ("moons", _share(s.moons, s.deals, "deals")),
        ("suns", _share(s.suns, s.deals, "deals")),
        ("void tricks", _share(s.void_tricks, s.tricks, "tricks")),
        ("deals that ended with cards set aside", _share(s.unclaimed, s.deals, "deals")),
        ("kitties taken", _share(s.kitties_taken, s.kitties, "kitties")),
    ):
        table.add_row(figure, value)
    return table


def _by_seat(statistics: Statistics) -> Table:
    table = _table(
        "seat", "mean total", "range of totals", "games won", right=("seat", "mean total", "range of totals")
    )
    for seat, (totals, wins) in enumerate(zip(statistics.totals, statistics.wins, strict=True)):
        table.add_row(str(seat), _with_error(totals), _range(totals), _share(wins, statistics.finished, "games"))
    return table


def _by_trick(statistics: Statistics) -> Table:
    leader, others = "legal cards, leader", "legal cards, others"
    table = _table("trick", leader, others, right=("trick", leader, others))
    for number, (lead, follow) in enumerate(statistics.mean_choices_by_trick, 1):
        table.add_row(str(number), _number(lead, 3), _number(follow, 3))
    return table


# ---------------------------------------------------------------------------------------------------------------
# The commands

app: Final = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="The rules of Hearts: look at rule sets, and play whole games with random moves.",
)

_PresetArgument = Annotated[str, typer.Argument(metavar="PRESET", help="A name from `heartsrules presets`.")]
_PlayersOption = Annotated[int | None, typer.Option("--players", metavar="N", help="How many play.")]
_SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        help="Change a field, such as target=50, moon=choice, bonus=JD:10 or 'pass_cycle=L3 R3 hold'. Repeatable.",
    ),
]


def _version(wanted: bool) -> None:
    if wanted:
        try:
            version = metadata.version("heartsrules")
        except metadata.PackageNotFoundError:
            version = "(not installed)"
        typer.echo(f"heartsrules {version}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command("presets")
def _presets() -> None:
    """List the presets with their counts of players and their sources."""
    table = _table("preset", "players", "summary", "source")
    for preset in presets.ALL.values():
        table.add_row(preset.name, _counts(preset.players), preset.summary, preset.source)
    _console().print(table)


@app.command("rules")
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
    own = [option for option in _preset(preset).options if option not in _PARSERS]
    if own:
        console.print(f"--set takes further options of this preset: {', '.join(own)}")
    console.print()
    console.print(table)


@app.command("simulate")
def _simulate(
    preset: _PresetArgument,
    players: _PlayersOption = None,
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many games to play.")] = 100,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="TEXT", help="Equal seeds give equal games. Without one, one is drawn."),
    ] = None,
    setting: _SetOption = None,
    max_deals: Annotated[
        int,
        typer.Option("--max-deals-per-match", metavar="N", min=1, help="Stop a game that takes more deals than this."),
    ] = MAX_DEALS_PER_GAME,
) -> None:
    """Play whole games in which everybody chooses uniformly among the legal moves."""
    rules, name = _rule_set(preset, players, setting or ())
    if seed is None:
        seed = str(secrets.randbelow(10**9))
    elif not seed.isprintable():
        raise typer.BadParameter("a seed must be printable text", param_hint="--seed")
    errors = _console(stderr=True)
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
    )
    done = 0

    def show(played: int) -> None:
        nonlocal done
        done = played
        progress.update(task, completed=played)

    try:
        with progress if errors.is_terminal else contextlib.nullcontext():
            task = progress.add_task("games", total=games)
            statistics = play(rules, games, seed=seed, max_deals=max_deals, progress=show)
    except KeyboardInterrupt:
        typer.echo(f"Interrupted after {done} of {games} games (seed {seed}).", err=True)
        raise typer.Exit(130) from None
    console = _console()
    console.print(f"{name}, seed {seed}")
    for table in (_figures(statistics, max_deals), _by_seat(statistics), _by_trick(statistics)):
        console.print()
        console.print(table)
