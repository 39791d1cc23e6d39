"""Conversion of statistics to and from counters by name, for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from heartsrules.base.errors import counted, in_words
from heartsrules.base.values import checked_int, wrong_type
from heartsrules.rules import Rules
from heartsrules.simulation.statistics import SUMMED, Distribution, Moments, Statistics
from heartsrules.simulation.tally import Tally

_DIGITS: Final = 80


def counts_of(statistics: Statistics, squares: type[int] | type[str] = int) -> dict[str, Any]:
    """Return the counters of statistics by name, as JSON values.

    `Moments` are lists of count, total, squares, lowest and highest; a `Distribution` is a list of (value, count)
    pairs. `squares` is the type for sums of squares, which can exceed 2**53.
    """
    return {name: _to_list(getattr(statistics, name), squares) for name in SUMMED}


def statistics_of(rules: Rules, counts: Mapping[str, Any]) -> Statistics:
    """Return the statistics of games under these rules from `counts_of`.

    Raises:
        ValueError: such games cannot have these counts.
        KeyError, TypeError: a counter is missing, or has the wrong type.
    """
    nothing = Tally(rules).statistics()
    parts: dict[str, Any] = {name: _from_list(name, counts[name], getattr(nothing, name)) for name in SUMMED}
    return Statistics(rules=rules, **parts)


def _to_list(part: object, squares: type[int] | type[str]) -> object:
    if isinstance(part, Moments):
        return [part.count, part.total, squares(part.squares), part.lowest, part.highest]
    if isinstance(part, Distribution):
        return [list(pair) for pair in part.counts]
    return [_to_list(item, squares) for item in part] if isinstance(part, tuple) else part


def _from_list(name: str, data: object, like: object) -> object:
    """Read a field of `Statistics` from data.

    `like` is the same field of other statistics, for its type.
    """
    if isinstance(like, Moments):
        return _moments(name, data)
    if isinstance(like, Distribution):
        return _distribution(name, data)
    if isinstance(like, tuple):
        items = checked_items(name, data, len(like))
        return tuple([_from_list(f"{name}[{n}]", *pair) for n, pair in enumerate(zip(items, like, strict=True))])
    return _counter(name, data)


def _moments(name: str, data: object) -> Moments:
    items = checked_items(name, data, len(attrs.fields(Moments)))
    if isinstance(items[2], str) and items[2].isdecimal() and len(items[2]) <= _DIGITS:
        items[2] = int(items[2])
    count, total, squares = [checked_int(f"an item of {name}", item) for item in items[:3]]
    found = Moments(count, total, squares)
    if items[3:] != [None, None]:
        lowest, highest = [checked_int(f"an item of {name}", item) for item in items[3:]]
        found = Moments(count, total, squares, lowest, highest)
        if count > 0 and count * lowest <= total <= count * highest and total**2 <= count * squares:
            return found
    elif found == Moments():
        return found
    raise ValueError(f"{name} is not the count, total, squares, lowest and highest of any numbers")


def _distribution(name: str, data: object) -> Distribution:
    pairs: list[tuple[int, int]] = []
    for item in checked_items(name, data):
        value, times = [
            checked_int(f"an item of {name}", part) for part in checked_items(f"an item of {name}", item, 2)
        ]
        if times < 1 or (pairs and value <= pairs[-1][0]):
            raise ValueError(f"{name} is not of rising values, each with how often it came up")
        pairs.append((value, times))
    return Distribution(tuple(pairs))


def _counter(name: str, data: object) -> int:
    number = checked_int(name, data)
    if number < 0:
        raise ValueError(f"{name} is {in_words(number)}: a count is 0 or more")
    return number


def checked_items(name: str, data: object, count: int | None = None) -> list[object]:
    """Return the items of a list, which must be `count` unless it is None."""
    if not isinstance(data, (list, tuple)):
        wrong_type(name, "a list", data)
    if count is not None and len(data) != count:
        raise ValueError(f"{name} has {counted(len(data), 'item')} instead of {count}")
    return list(data)
