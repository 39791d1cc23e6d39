"""The declaration of an option, and the checks of its values."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final, NoReturn

import attrs

from heartsrules.base.errors import Problem
from heartsrules.base.values import type_phrase, with_article, wrong_type
from heartsrules.cards import Card, Cards
from heartsrules.rules._choices import MAX_FACTOR, Bonus, Choice, Doubler, HeartValues, is_int, scatter, unify_offset


class Kind(enum.Enum):
    """The kind of an option's value."""

    BOOL = "bool"
    INT = "int"
    CHOICE = "choice"
    """A member of an enum."""
    CARDS = "cards"
    PASS_CYCLE = "pass-cycle"
    HEART_VALUES = "heart-values"
    CARD_POINTS = "card-points"
    """(card, points) pairs."""
    BONUSES = "bonuses"
    """`Bonus` entries."""
    DOUBLER = "doubler"
    TOTALS = "totals"
    """(total, total) pairs."""


@attrs.frozen(kw_only=True)
class Option:
    """The declaration of a field of `Rules`, an entry of `Rules.OPTIONS`.

    Attributes:
        name: the field's name.
        kind: the kind of its value.
        default: the default (for four players).
        sentence: one sentence about the option.
        section: the part of the game that it belongs to.
        choices: all values if there are few, otherwise empty.
        least: the minimum of its numbers, or None if there is none or `choices` lists all values.
        most: the maximum of its numbers (for totals, of their absolute values), or None as for `least`.
        entries: the maximum length of a tuple, or None.
        optional: True if it can be None.
        switch: the bit of a bool in `ResolvedRules.switches`, or 0.
        by_players: a function that returns the default for a number of players, or None.
    """

    name: str
    kind: Kind
    default: Any
    sentence: str
    section: str
    choices: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None
    entries: int | None = None
    optional: bool = False
    switch: int = 0
    by_players: Callable[[int], Any] | None = attrs.field(default=None, repr=False)

    def default_for(self, players: int) -> Any:
        """Return the default for a number of players."""
        return self.default if self.by_players is None else self.by_players(players)

    @property
    def samples(self) -> tuple[Any, ...]:
        """A few values to try, the default first.

        It is empty for a value built from several numbers or from cards.

        >>> [option.samples for option in Rules.OPTIONS if option.name in ("teams", "moon_points")]
        [(0, 2, 3), (None, 1, 5, 10, 26)]
        """
        if self.kind not in (Kind.BOOL, Kind.INT, Kind.CHOICE):
            return ()
        values = self.choices or [
            number
            for number in (0, 1, 5, 10, 26)
            if (self.least is None or self.least <= number) and (self.most is None or number <= self.most)
        ]
        return tuple(dict.fromkeys([self.default, *([None] if self.optional else []), *values]))


_DECLARED: Final = "heartsrules"

_KINDS: Final = {
    "bool": (Kind.BOOL, False),
    "int": (Kind.INT, False),
    "int | None": (Kind.INT, True),
    "Seat": (Kind.INT, False),
    "Cards": (Kind.CARDS, False),
    "tuple[PassStep, ...]": (Kind.PASS_CYCLE, False),
    "tuple[int, ...]": (Kind.HEART_VALUES, False),
    "tuple[tuple[Card, int], ...]": (Kind.CARD_POINTS, False),
    "tuple[Bonus, ...]": (Kind.BONUSES, False),
    "Doubler | None": (Kind.DOUBLER, True),
    "tuple[tuple[int, int], ...]": (Kind.TOTALS, False),
}
"""The kind of option for each field type, and whether it can be None."""


def option(
    sentence: str,
    section: str,
    *,
    choices: Collection[int] = (),
    least: int | None = None,
    most: int | None = None,
    entries: int | None = None,
    by_players: Callable[[int], Any] | None = None,
) -> dict[str, Any]:
    """Return the metadata that declares a field as an `Option`."""
    declared = {"sentence": sentence, "section": section, "choices": tuple(choices), "least": least, "most": most}
    return {_DECLARED: {**declared, "entries": entries, "by_players": by_players}}


def options_of(cls: type) -> tuple[Option, ...]:
    """Return the options that the fields of a class declare.

    Raises:
        TypeError: a field is not declared with `option`, or its type has no `Kind`.
    """
    options = [_option_of(field) for field in attrs.fields(cls) if field.init]
    bits = {option.name: 1 << place for place, option in enumerate([one for one in options if one.kind is Kind.BOOL])}
    return tuple([attrs.evolve(option, switch=bits.get(option.name, 0)) for option in options])


def _option_of(field: attrs.Attribute[Any]) -> Option:
    declared = field.metadata.get(_DECLARED)
    if declared is None:
        raise TypeError(f"the field {field.name} is not declared: give it metadata=option(...)")
    default: Any = field.default
    written = str(field.type)  # not evaluated, which would be slow
    if declared["by_players"] is not None:
        default = declared["by_players"](4)
    if isinstance(default, Choice) and type(default).__name__ == written:
        declared = {**declared, "choices": tuple(type(default))}
        kind, optional = Kind.CHOICE, False
    elif written in _KINDS:
        kind, optional = _KINDS[written]
    else:
        raise TypeError(f"the field {field.name} has the type {written}, which nobody checks: add a Kind for it")
    if kind is Kind.BOOL:
        declared = {**declared, "choices": (False, True)}
    if kind is Kind.INT and not declared["choices"] and declared["least"] is None:
        raise TypeError(f"the field {field.name} has no bounds: give choices, or least and most")
    return Option(name=field.name, kind=kind, default=default, optional=optional, **declared)


# -------------------------------------------------------------------------------------------------------------- checks


def check_type(option: Option, value: object) -> None:
    if value is None and option.optional:
        return
    name, kind, optional = option.name, option.kind, " or None" * option.optional
    if kind in _ENTRIES:
        whole, is_entry, entries = _ENTRIES[kind]
        if isinstance(value, tuple):
            for entry in value:
                if not is_entry(entry):
                    _refuse_entry(option, entries, entry)
        elif kind is not Kind.CARDS or not isinstance(value, Cards):
            wrong_type(name, whole, value)
    elif kind is Kind.CHOICE:
        enum_of = type(option.default)
        if not isinstance(value, enum_of):
            wrong_type(name, f"{with_article(enum_of.__name__)} or the name of one", value)
    else:
        check, expected = _TYPES[kind]
        if not check(value):
            wrong_type(name, expected + optional, value)


def unknown_name(option: Option, value: object) -> Problem | None:
    """Return the problem of a text that names no value of its option, or None."""
    choices = tuple(map(str, option.choices or HeartValues))
    if option.kind is Kind.PASS_CYCLE and isinstance(value, tuple):
        value, choices = (
            next((step for step in value if isinstance(step, str)), None),
            ("L3", "L2+R1", "A3", "M3", "scatter", "hold"),
        )
    elif option.kind not in (Kind.CHOICE, Kind.HEART_VALUES):
        return None
    if not isinstance(value, str):
        return None
    name = option.name
    return Problem.of("out-of-range", (name,), "choices", name=name, value=value, choices=choices, optional=False)


def _refuse_entry(option: Option, expected: str, entry: object) -> NoReturn:
    name = option.name
    if option.kind is Kind.PASS_CYCLE and isinstance(entry, tuple):
        name, expected = f"a step of {name}", "pairs (offset, count), as left(3) does"
        entry = next(gift for gift in entry if not _is_gift(gift))
    found = type_phrase(entry)
    if isinstance(entry, tuple):
        found += (
            f" of {type_phrase(entry[0])} and {type_phrase(entry[1])}"
            if len(entry) == 2
            else f" of length {len(entry)}"
        )
    raise TypeError(f"{name} must hold only {expected}, not {found}")


def _is_pair(value: object, is_first: Callable[[object], bool] = is_int) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and is_first(value[0]) and is_int(value[1])


def _is_card(value: object) -> bool:
    return isinstance(value, Card)


def _is_gift(value: object) -> bool:
    return _is_pair(value, lambda offset: offset == "across" or is_int(offset))


def _is_step(value: object) -> bool:
    return isinstance(value, tuple) and all([_is_gift(gift) for gift in value])


_TYPES: Final[dict[Kind, tuple[Callable[[object], bool], str]]] = {
    Kind.BOOL: (lambda value: isinstance(value, bool), "a bool"),
    Kind.INT: (is_int, "an int"),
    Kind.DOUBLER: (lambda value: isinstance(value, Doubler), "a Doubler"),
}
"""The check and the name of each kind's type."""

_ENTRIES: Final[dict[Kind, tuple[str, Callable[[object], bool], str]]] = {
    Kind.CARDS: ("a str or an iterable of Card", _is_card, "Card"),
    Kind.PASS_CYCLE: ("an iterable of steps such as left(3) or 'L3'", _is_step, "steps such as left(3) or 'L3'"),
    Kind.HEART_VALUES: ("a HeartValues or 13 ints", is_int, "ints"),
    Kind.CARD_POINTS: (
        "an iterable of pairs such as (Card('KS'), 10)",
        lambda value: _is_pair(value, _is_card),
        "pairs such as (Card('KS'), 10)",
    ),
    Kind.BONUSES: (
        "an iterable of Bonus",
        lambda value: isinstance(value, Bonus),
        "Bonus, such as Bonus(Card('JD'), 10)",
    ),
    Kind.TOTALS: ("an iterable of pairs such as (100, 50)", _is_pair, "pairs such as (100, 50)"),
}
"""The name of each kind with several entries, the check of an entry and its name."""


def with_scatter(option: Option, value: Any, players: int) -> Any:
    """Return a pass cycle with this table's step instead of the text `scatter`."""
    if option.kind is not Kind.PASS_CYCLE or not isinstance(value, tuple):
        return value
    return tuple([step_at(step, players) for step in value])


def step_at(step: Any, players: int) -> Any:
    """Return this table's step for the text `scatter`, or the step itself."""
    if not isinstance(step, str) or step.lower() != "scatter":
        return step
    # A table that is too small or too large is refused with its own problem.
    return scatter(players=min(max(players, 3), 11))


def unified(option: Option, value: Any, players: int) -> Any:
    """Normalize a value of the right type, so that equal games have equal values."""
    if option.kind is Kind.PASS_CYCLE and 3 <= players <= 11:
        return tuple([tuple([(unify_offset(offset, players), count) for offset, count in step]) for step in value])
    if option.kind in (Kind.CARD_POINTS, Kind.TOTALS):
        return tuple(sorted(value))
    if option.kind is Kind.BONUSES:
        return tuple(sorted(value, key=lambda bonus: (bonus.card.index, bonus.points)))
    return value


_NUMBERS: Final[dict[Kind, tuple[Callable[[Any], Iterable[int]], str]]] = {
    Kind.INT: (lambda value: (value,), "number"),
    Kind.HEART_VALUES: (lambda value: value, "values"),
    Kind.CARD_POINTS: (lambda value: [points for _, points in value], "points"),
    Kind.BONUSES: (lambda value: [bonus.points for bonus in value], "points"),
    Kind.DOUBLER: (lambda value: (value.alone,), "alone"),
    Kind.TOTALS: (lambda value: [abs(total) for pair in value for total in pair], "totals"),
}
"""The numbers of each kind that `least` and `most` bound, and their name in problems."""


def as_data(value: Any) -> Any:
    """Return a value of an option as the parameter of a problem.

    A bonus or a doubler becomes a tuple.
    """
    if isinstance(value, (Bonus, Doubler)):
        return attrs.astuple(value, recurse=False)
    if type(value) is tuple:
        return tuple([as_data(item) for item in value])
    return value


def problems_with(option: Option, value: Any) -> Iterator[Problem]:
    """Yield the problems of a value that do not depend on other options."""
    name, optional = option.name, option.optional

    def problem(code: str, detail: str, **params: Any) -> Problem:
        return Problem.of(code, (name,), detail, name=name, **params)

    if value is None:
        return
    if option.kind is Kind.HEART_VALUES and len(value) != 13:
        yield problem("out-of-range", "length", value=as_data(value))
    if option.kind is Kind.CARD_POINTS and len({card for card, _ in value}) < len(value):
        yield problem("out-of-range", "repeated-card", value=as_data(value))
    if option.kind is Kind.BONUSES and len({bonus.card for bonus in value}) < len(value):
        yield problem("out-of-range", "repeated-card", value=as_data(value))
    if option.kind is Kind.DOUBLER:
        if value.factor < 2:
            yield problem("out-of-range", "factor", factor=value.factor)
        if value.factor > MAX_FACTOR:
            yield problem("too-large", "factor", factor=value.factor, most=MAX_FACTOR)
        if option.least is not None and value.alone < option.least:
            yield problem("out-of-range", "alone", alone=value.alone, least=option.least)
    if option.entries is not None and len(value) > option.entries:
        yield problem("too-many", "entries", most=option.entries)
    if option.choices and value not in option.choices:
        first, last = option.choices[0], option.choices[-1]
        if len(option.choices) > 2 and option.choices == (*range(first, last + 1),):
            yield problem("out-of-range", "range", value=value, least=first, most=last, optional=optional)
        else:
            yield problem("out-of-range", "choices", value=value, choices=option.choices, optional=optional)
    if option.kind not in _NUMBERS:
        return
    numbers_of, what = _NUMBERS[option.kind]
    numbers = tuple(numbers_of(value))
    least = None if option.kind is Kind.DOUBLER else option.least
    if least is not None and min(numbers, default=least) < least:
        yield problem("out-of-range", "least", value=as_data(value), what=what, least=least, optional=optional)
    if option.most is not None and max(numbers, default=0) > option.most:
        yield problem("too-large", "number", largest=max(numbers), most=option.most, what=what)
