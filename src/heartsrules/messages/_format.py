"""A renderer of the part of ICU MessageFormat that the catalogues use.

A browser can use any library for it. A pattern contains:

- text, in which `''` is an apostrophe. An apostrophe before `{`, `}` or (within a plural) `#` begins a quotation that
  ends with the next one; any other apostrophe is literal;
- `{name}`: an argument as text; `{name, number}`: a number in groups of three digits, as in the language;
- `{name, plural, offset:1 =0 {none} one {# card} other {# cards}}`: a case by the number itself, which takes
  precedence, or by the plural form of the number minus the offset. `#` is that difference, in groups of three digits.
  The offset can be omitted and can be negative;
- `{name, select, left {to the left} other {elsewhere}}`: a case by a word.

Cases contain patterns, and one of them is `other`. Dates, ordinals, choices, tags and number formats are not supported.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator
from typing import Final, Protocol, TypeAlias, TypeVar

import attrs

from heartsrules.base.values import digits_if_many, int_text, type_phrase

T = TypeVar("T")

PLURAL_FORMS: Final = ("zero", "one", "two", "few", "many", "other")
"""The plural categories of Unicode CLDR."""

_WORD: Final = re.compile("[A-Za-z0-9_]+")
"""A name or a case."""
_SPACE: Final = re.compile(r"\s+")
_INTEGER: Final = re.compile("-?[0-9]*")
_QUOTED: Final = re.compile("(?:[^']|'')*+")
"""The rest of a quotation, in which two quotation marks are one."""


class BadPattern(ValueError):
    """A pattern cannot be parsed."""

    def __init__(self, pattern: str, position: int, reason: str) -> None:
        super().__init__(f"{reason}, at position {position} of {pattern!r}")
        self.pattern = pattern
        self.position = position
        self.reason = reason

    def __reduce__(self) -> tuple[type[BadPattern], tuple[str, int, str]]:
        return type(self), (self.pattern, self.position, self.reason)


class BadArgument(LookupError):
    """An argument is missing or has the wrong type."""


@attrs.frozen
class Word:
    """An argument as text."""

    name: str


@attrs.frozen
class Figure:
    """A numeric argument, with digit grouping."""

    name: str


@attrs.frozen
class Plural:
    """A choice of pattern by number."""

    name: str
    offset: int
    exact: dict[int, Pattern]
    """The patterns for exact numbers."""
    forms: dict[str, Pattern]
    """The patterns for plural forms."""


@attrs.frozen
class Select:
    """A choice of pattern by word."""

    name: str
    cases: dict[str, Pattern]


class _Sign(enum.Enum):
    """The `#` of a plural."""

    NUMBER = "#"


Part: TypeAlias = "str | Word | Figure | Plural | Select | _Sign"
Pattern: TypeAlias = "tuple[Part, ...]"
"""The parts of a parsed pattern, in order."""


@attrs.frozen
class Locale:
    plural: Callable[[int], str]
    """A function that returns a number's plural form, one of `PLURAL_FORMS`."""
    group: str
    """The separator of groups of three digits."""

    def figure(self, number: int) -> str:
        return f"{number:,}".replace(",", self.group)


class Arguments(Protocol):
    """The arguments of a pattern.

    `value` returns the argument with a name, or raises `BadArgument`; `text` returns a value as text.
    """

    def value(self, name: str) -> object: ...
    def text(self, value: object) -> str: ...


# ------------------------------------------------------------------------------------------------------- rendering


def render(pattern: Pattern, arguments: Arguments, locale: Locale) -> str:
    """Render a pattern with its arguments.

    Raises:
        BadArgument: an argument is missing, or is not an int as required.
    """
    return "".join(_rendered(pattern, arguments, locale, 0))


def _rendered(pattern: Pattern, arguments: Arguments, locale: Locale, number: int) -> Iterator[str]:
    for part in pattern:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Word):
            yield arguments.text(arguments.value(part.name))
        elif isinstance(part, _Sign):
            yield _figure(number, arguments, locale)
        elif isinstance(part, Figure):
            yield _figure(_number(arguments, part.name), arguments, locale)
        elif isinstance(part, Plural):
            count = _number(arguments, part.name)
            inner = part.exact.get(count)
            if inner is None:
                inner = part.forms.get(locale.plural(count - part.offset), part.forms["other"])
            yield from _rendered(inner, arguments, locale, count - part.offset)
        else:
            cases = part.cases
            yield from _rendered(
                cases.get(_selector(arguments.value(part.name)), cases["other"]), arguments, locale, number
            )


def values_for(pattern: Pattern, arguments: Arguments) -> dict[str, str | int]:
    """Return a pattern's arguments for any library of ICU MessageFormat.

    They are texts, numbers and words of cases. An argument that only one case needs can be missing.
    """
    found: dict[str, str | int] = {}
    for part in every_part(pattern):
        if isinstance(part, (str, _Sign)) or part.name in found:
            continue
        try:
            value = arguments.value(part.name)
        except BadArgument:
            continue
        if isinstance(value, int) and not isinstance(value, (bool, enum.Enum)) and digits_if_many(value) is None:
            found[part.name] = value
        elif isinstance(part, Select) and (not isinstance(value, str) or _selector(value) in part.cases):
            found[part.name] = _selector(value)
        else:
            found[part.name] = arguments.text(value)
    return found


def _number(arguments: Arguments, name: str) -> int:
    value = arguments.value(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadArgument(f"{name} must be an int for this pattern, not {type_phrase(value)}")
    return value


def _figure(number: int, arguments: Arguments, locale: Locale) -> str:
    """Return a number in groups of digits, or as the arguments write a very long one."""
    return locale.figure(number) if digits_if_many(number) is None else arguments.text(number)


def _selector(value: object) -> str:
    """Return a value's word in cases.

    It is a text with `_` for `-`, `true`, `false` or `null`.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, enum.Enum):
        return str(value.value if isinstance(value.value, str) else value).replace("-", "_")
    return int_text(value) if isinstance(value, int) else str(value).replace("-", "_")


# --------------------------------------------------------------------------------------------------------- reading


def parsed(pattern: str) -> Pattern:
    """Parse a pattern.

    >>> parsed("{count, plural, one {# card} other {# cards}}")[0].name
    'count'

    Raises:
        BadPattern: it is not valid.
    """
    reader = _Reader(pattern)
    parts = reader.message(in_plural=False, nested=False)
    if reader.at < len(pattern):
        raise reader.bad("a } without its {")
    return parts


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.pattern: Final = pattern
        self.at = 0

    def bad(self, reason: str) -> BadPattern:
        return BadPattern(self.pattern, self.at, reason)

    def message(self, in_plural: bool, nested: bool) -> Pattern:
        parts: list[Part] = []
        while self.at < len(self.pattern) and self.pattern[self.at] != "}":
            part: Part = self.pattern[self.at]
            if part == "{":
                part = self._argument(in_plural)
            elif part == "'":
                part = self._quoted("{}#" if in_plural else "{}")
            else:
                part = _Sign.NUMBER if part == "#" and in_plural else part
                self.at += 1
            last = parts[-1] if parts else None
            if isinstance(part, str) and isinstance(last, str):
                parts[-1] = last + part
            else:
                parts.append(part)
        if nested and self.at >= len(self.pattern):
            raise self.bad("the case does not end: expected }")
        return tuple(parts)

    def _quoted(self, special: str) -> str:
        self.at += 1
        if self.pattern.startswith("'", self.at):
            self.at += 1
            return "'"
        if self.pattern[self.at : self.at + 1] not in tuple(special):
            return "'"
        text = self._read(_QUOTED)
        if not self.pattern.startswith("'", self.at):
            raise self.bad("the quotation does not end: expected '")
        self.at += 1
        return text.replace("''", "'")

    def _argument(self, in_plural: bool) -> Part:
        self._take("{")
        name = self._word("the name of an argument")
        if self._takes("}"):
            return Word(name)
        self._take(",")
        kind = self._word("number, plural or select")
        if kind == "number":
            self._take("}")
            return Figure(name)
        if kind not in ("plural", "select"):
            self.at -= len(kind)
            raise self.bad("expected number, plural or select")
        self._take(",")
        part: Part = self._plural(name) if kind == "plural" else Select(name, self._cases(in_plural, ""))
        self._take("}")
        return part

    def _plural(self, name: str) -> Plural:
        self._read(_SPACE)
        offset = 0
        if self.pattern.startswith("offset:", self.at):
            self.at += len("offset:")
            offset = self._integer()
        cases = self._cases(True, "=")
        exact = {int(key[1:]): inner for key, inner in cases.items() if key.startswith("=")}
        forms = {key: inner for key, inner in cases.items() if not key.startswith("=")}
        for form in forms:
            if form not in PLURAL_FORMS:
                raise self.bad(f"{form} is not a plural form: expected =, {', '.join(PLURAL_FORMS)}")
        return Plural(name, offset, exact, forms)

    def _cases(self, in_plural: bool, exact: str) -> dict[str, Pattern]:
        """Parse cases up to the end of the argument.

        Those of exact numbers begin with `exact`.
        """
        cases: dict[str, Pattern] = {}
        self._read(_SPACE)
        while self.at < len(self.pattern) and self.pattern[self.at] != "}":
            if exact and self._takes(exact):
                key = f"{exact}{self._integer()}"
            else:
                key = self._word("a case")
            if key in cases:
                raise self.bad(f"the case {key} comes twice")
            self._take("{")
            cases[key] = self.message(in_plural, nested=True)
            self._take("}")
            self._read(_SPACE)
        if "other" not in cases:
            raise self.bad("there is no case for other")
        return cases

    def _read(self, pattern: re.Pattern[str]) -> str:
        """Read the text that matches here, or nothing."""
        found = pattern.match(self.pattern, self.at)
        self.at = found.end() if found else self.at
        return found[0] if found else ""

    def _takes(self, character: str) -> bool:
        self._read(_SPACE)
        taken = self.pattern.startswith(character, self.at)
        self.at += taken
        return taken

    def _take(self, character: str) -> None:
        if not self._takes(character):
            raise self.bad(f"expected {character}")

    def _word(self, what: str) -> str:
        self._read(_SPACE)
        word = self._read(_WORD)
        if not word:
            raise self.bad(f"expected {what}")
        return word

    def _integer(self) -> int:
        digits = self._read(_INTEGER)
        if not digits.lstrip("-"):
            raise self.bad("expected a whole number")
        return int(digits)


# ------------------------------------------------------------------------------------------------- what is in a pattern


def with_texts(pattern: Pattern, change: Callable[[str], str]) -> Pattern:
    """Change a pattern's literal texts, in all its cases."""

    def changed(cases: dict[T, Pattern]) -> dict[T, Pattern]:
        return {case: with_texts(inner, change) for case, inner in cases.items()}

    parts: list[Part] = []
    for part in pattern:
        if isinstance(part, str):
            parts.append(change(part))
        elif isinstance(part, Plural):
            parts.append(attrs.evolve(part, exact=changed(part.exact), forms=changed(part.forms)))
        else:
            parts.append(attrs.evolve(part, cases=changed(part.cases)) if isinstance(part, Select) else part)
    return tuple(parts)


def every_part(pattern: Pattern) -> Iterator[Part]:
    for part in pattern:
        yield part
        inner: tuple[Pattern, ...] = ()
        if isinstance(part, Plural):
            inner = (*part.exact.values(), *part.forms.values())
        elif isinstance(part, Select):
            inner = tuple(part.cases.values())
        for each in inner:
            yield from every_part(each)
