"""Rule sets as text, such as `players=5 removed=2C,2D`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, cast

import attrs

from heartsrules.base.errors import InvalidNotation, InvalidRules, suggestion
from heartsrules.base.values import checked_players, wrong_type
from heartsrules.cards import Card, Cards
from heartsrules.formats.notation.scan import BLANKS, DIGITS, Source, folded, tokens_of
from heartsrules.rules import (
    HOLD,
    OFFSETS,
    Bonus,
    Choice,
    Doubler,
    HeartValues,
    Kind,
    Option,
    PassStep,
    Rules,
    as_data,
    check_type,
    presets,
    scatter,
)

DEFAULT: Final = "default"
"""The text of the default rule set."""

_INT: Final = re.compile(r"[+−-]?([0-9]+)")
_SEPARATOR: Final = re.compile(rf"[{BLANKS}]*,[{BLANKS}]*|[{BLANKS}]+")
_SHOWN: Final = 3
"""The limit on problems of a rule set in one message."""
_LONGEST: Final = 100_000
"""The limit on characters of a field's value, more than any playable rule set needs."""


def _int(text: str, _: int = 0) -> int:
    number = _INT.fullmatch(text.strip(BLANKS))
    if number is None:
        raise ValueError(f"{text[:40]!r} is not a whole number")
    if len(number[1]) > DIGITS:
        raise ValueError(f"{text[:40]!r}... is too large a number: it has {len(number[1])} digits")
    return int(number[0].replace("−", "-"))


def _is_none(text: str) -> bool:
    return folded(text.strip(BLANKS)) in ("", "none")


_BOOLS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def parse_bool(text: str, _: int = 0) -> bool:
    """Parse a boolean field, such as `yes` or `no`, `true` or `false`, `on` or `off`.

    Raises:
        ValueError: the text is none of them.
    """
    if not isinstance(text, str):
        wrong_type("text", "a str", text)
    value = _BOOLS.get(folded(text.strip(BLANKS)))
    if value is None:
        raise ValueError(f"{text[:40]!r} is neither yes nor no")
    return value


def _choice(kind: type[Choice], text: str) -> Choice:
    option = kind.named(text.strip(BLANKS))
    if isinstance(option, Choice):
        return option
    raise ValueError(f"there is no {text[:40]!r}: {suggestion(text, map(str, kind))}")


def _items(text: str) -> list[str]:
    if _is_none(text):
        return []
    items = _SEPARATOR.split(text.strip(BLANKS))
    if "" in items:
        raise ValueError(f"{text[:40]!r} has a comma without an item on either side")
    return items


def _pair(item: str, form: str) -> tuple[str, str]:
    first, colon, second = item.partition(":")
    if not colon:
        raise ValueError(f"{item[:40]!r} has no colon: write {form}")
    return first, second


def _cards(text: str, _: int) -> Cards:
    for item in _items(text):
        if item.split() != [item]:
            Card(item)  # refuses other white space
    # A comma becomes a blank, so that positions in both texts are the same.
    return Cards() if _is_none(text) else Cards(text.replace(",", " "))


def _step(text: str, players: int) -> PassStep:
    if folded(text) == "hold":
        return HOLD
    if folded(text) == "scatter":
        return scatter(players=players)
    return tuple([_gift(part) for part in text.split("+")])


_LETTERS: Final = {offset: letter for letter, offset in OFFSETS.items()}


def _gift(text: str) -> tuple[int | Literal["across"], int]:
    direction = text[:1].upper()
    if direction in OFFSETS and not text[1:2].isalpha():
        return OFFSETS[direction], _int(text[1:])
    offset, count = _pair(text, "an offset and a count as L3, R3, A3, M3 or offset:count")
    return _int(offset), _int(count)


def _cycle(text: str, players: int) -> tuple[PassStep, ...]:
    return tuple(_step(item, players) for item in _items(text))


def _heart_values(text: str, _: int) -> HeartValues | tuple[int, ...]:
    items = _items(text)
    if len(items) > 1:
        return tuple(_int(item) for item in items)
    return HeartValues(_choice(HeartValues, text).value)


_POINTS: Final = "a card and its points, such as KS:10"


def _card_points(text: str, _: int) -> tuple[tuple[Card, int], ...]:
    return tuple((Card(card), _int(points)) for card, points in [_pair(item, _POINTS) for item in _items(text)])


def _doubler(text: str, _: int) -> Doubler | None:
    if _is_none(text):
        return None
    card, *numbers = text.split(":")
    if len(numbers) > 2:
        raise ValueError(f"{text[:40]!r} has more than a card, a factor and the points alone")
    return Doubler(Card(card), *map(_int, numbers))


def _totals(text: str, _: int) -> tuple[tuple[int, int], ...]:
    pairs = [_pair(item, "the exact and the new total, such as 100:50") for item in _items(text)]
    return tuple((_int(exact), _int(new)) for exact, new in pairs)


_Reader: TypeAlias = Callable[[str, int], object]

_BY_KIND: Final[dict[Kind, Callable[[Option], _Reader]]] = {
    Kind.BOOL: lambda _: parse_bool,
    Kind.INT: lambda option: lambda text, _: None if option.optional and _is_none(text) else _int(text),
    Kind.CHOICE: lambda option: lambda text, _: _choice(type(option.default), text),
    Kind.CARDS: lambda _: _cards,
    Kind.PASS_CYCLE: lambda _: _cycle,
    Kind.HEART_VALUES: lambda _: _heart_values,
    Kind.CARD_POINTS: lambda _: _card_points,
    Kind.BONUSES: lambda _: lambda text, players: tuple(Bonus(*pair) for pair in _card_points(text, players)),
    Kind.DOUBLER: lambda _: _doubler,
    Kind.TOTALS: lambda _: _totals,
}
_READERS: Final = {option.name: _BY_KIND[option.kind](option) for option in Rules.OPTIONS}
_OPTIONS: Final = {option.name: attrs.evolve(option, name="value") for option in Rules.OPTIONS}
"""The options by name, as `format_field` names their values."""


def parse_field(name: str, text: str, players: int) -> object:
    """Parse the value of a field of `Rules`.

    >>> parse_field("pass_cycle", "L3,R3,A3,hold", 4)
    (((1, 3),), ((-1, 3),), (('across', 3),), ())

    Args:
        name: the field's name.
        text: whole numbers; `yes` and `no`; the names of the enums; `none`; items separated by commas or white space
            (cards `2C,2D`, card and points `KS:10`, exact and new totals `100:50`); a card, its factor and its points
            without scoring cards `TC:2:50`, of which the last or both can be omitted; passes of the cycle as `L3`,
            `R3`, `A3`, `offset:count`, joined by `+` if one pass has several recipients, `M3` for the middle, `hold`
            and `scatter`.
        players: the rule set's number of players, 3 to 11, on which `scatter` depends.

    Raises:
        ValueError: the text is not a value of that field or is longer than 100,000 characters, or `players` is out of
            range.
        KeyError: there is no such field.
    """
    if not isinstance(name, str):
        wrong_type("name", "a str", name)
    if not isinstance(text, str):
        wrong_type("text", "a str", text)
    reader = _READERS[name]
    count = checked_players(players)
    if len(text) > _LONGEST:
        raise ValueError(f"the value has {len(text)} characters: at most {_LONGEST} are read")
    return reader(text, count)


def format_field(name: str, value: object, players: int) -> str:
    """Write a field's value in canonical form for `parse_field`, without white space.

    >>> format_field("pass_cycle", Rules().pass_cycle, 4), format_field("removed", Cards("2D 2C"), 5)
    ('L3,R3,A3,hold', '2C,2D')

    Raises:
        ValueError: `players` is out of range.
        KeyError: there is no such field.
    """
    if not isinstance(name, str):
        wrong_type("name", "a str", name)
    option = _OPTIONS[name]
    checked_players(players)
    check_type(option, value)
    if value is None or value in ((), Cards()):
        return "none"
    if option.kind is Kind.PASS_CYCLE:
        return ",".join(_format_step(step, players) for step in cast("tuple[PassStep, ...]", value))
    if option.kind is Kind.HEART_VALUES:
        values = cast("tuple[int, ...]", value)
        named = {option.values: str(option) for option in HeartValues}
        return named.get(values) or ",".join(map(str, values))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Doubler):
        return f"{value.card}:{value.factor}:{value.alone}"
    if isinstance(value, Cards):
        return str(value).replace(" ", ",")
    if isinstance(value, tuple):
        return ",".join(f"{first}:{second}" for first, second in map(as_data, value))
    return str(value)


def _format_step(step: PassStep, players: int) -> str:
    spelled = [("across" if to == players / 2 else to, count) for to, count in step]
    gifts = [f"{_LETTERS[to]}{count}" if to in _LETTERS else f"{to}:{count}" for to, count in spelled]
    return "+".join(gifts) or "hold"


def format_rules(rules: Rules) -> str:
    """Write a rule set as the fields that differ from the defaults, in declared order.

    >>> format_rules(Rules(players=5, removed="2D 2C", target=50)), format_rules(Rules())
    ('players=5 removed=2C,2D target=50', 'default')
    """
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    return _rules_text(rules)


@lru_cache(maxsize=16)
def _rules_text(rules: Rules) -> str:
    changes = rules.changes()
    return " ".join(f"{name}={format_field(name, value, rules.players)}" for name, value in changes.items()) or DEFAULT


def parse_rules(text: str) -> Rules:
    """Read a rule set.

    The text has fields as in `format_rules`, or a preset's name followed by changes.

    >>> parse_rules("bicycle players=5 target=50").target
    50

    Raises:
        InvalidNotation: the text is not a rule set, or not a playable one; in that case the `InvalidRules` is its
            `__cause__`.
    """
    if not isinstance(text, str):
        wrong_type("text", "a str", text)
    source = Source(text)
    return read_rules(source, list(tokens_of(source)), len(text))


def read_rules(source: Source, tokens: list[tuple[int, int]], end: int) -> Rules:
    """Read a rule set from tokens of a line that ends at `end`."""
    texts = tuple([source.text[start:stop] for start, stop in tokens])
    cached = _READ.get(texts)
    if cached is not None:
        return cached
    rules = _read_rules(source, tokens, end)
    if len(_READ) >= _KEPT:
        _READ.clear()
    _READ[texts] = rules
    return rules


_READ: Final[dict[tuple[str, ...], Rules]] = {}
"""Recently read rule sets. Most games of a file share one, which is costly to make."""
_KEPT: Final = 64


def _read_rules(source: Source, tokens: list[tuple[int, int]], end: int) -> Rules:
    if not tokens:
        source.fail(end, "the rules: default, a preset, or field=value", end=end)
    preset: presets.Preset | None = None
    first = source.text[slice(*tokens[0])]
    start = tokens[0][0]
    if "=" not in first:
        if folded(first) != DEFAULT:
            preset = presets.ALL.get(folded(first).replace("-", "_"))
            if preset is None:
                source.fail(
                    start, f"default, field=value or a preset: {suggestion(first, presets.ALL)}", end=tokens[0][1]
                )
        tokens = tokens[1:]
    texts = _texts(source, tokens)
    players = preset.default_players if preset else 4
    if "players" in texts:
        at, text = texts["players"]
        players = cast("int", _value(source, "players", at, text, 4))
        if not 3 <= players <= 11:
            source.fail(at, "3 to 11 players", end=at + len(text))
    fields = {name: _value(source, name, at, text, players) for name, (at, text) in texts.items()}
    try:
        if preset is None:
            return Rules(**fields)
        return attrs.evolve(preset(players if "players" in texts else None), **fields)
    except InvalidRules as error:
        problems = [problem.message for problem in error.problems]
        reason = "; ".join(problems[:_SHOWN]) + ("; ..." if len(problems) > _SHOWN else "")
        try:
            source.fail(start, "rules that can be played", reason, end)
        except InvalidNotation as refusal:
            raise refusal from error


def _texts(source: Source, tokens: Iterable[tuple[int, int]]) -> dict[str, tuple[int, str]]:
    texts: dict[str, tuple[int, str]] = {}
    for start, end in tokens:
        equals = source.text.find("=", start, end)
        if equals < 0:
            source.fail(start, "field=value", end=end)
        name = folded(source.text[start:equals]).replace("-", "_")
        if name not in _READERS:
            source.fail(start, f"a field of the rules: {suggestion(name, _READERS)}", end=equals)
        if name in texts:
            source.fail(start, f"{name} only once", end=equals)
        texts[name] = (equals + 1, source.text[equals + 1 : end])
    return texts


def _value(source: Source, name: str, at: int, text: str, players: int) -> Any:
    expected = f"a value of {name}"
    inside, reason = at, ""
    try:
        return parse_field(name, text, players)
    except InvalidNotation as error:
        # Positions in the text of a pair's card differ from positions in this text.
        if len(error.text) == len(text):
            inside = at + error.position
        reason = f"expected {expected}: {error.reason}"
    except ValueError as error:
        reason = f"expected {expected}: {error}"
    return source.fail(inside, expected, reason, at + len(text))
