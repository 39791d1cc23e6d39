"""Grammars in ABNF (RFC 5234 and RFC 7405) as regular expressions, for grammars in which no rule contains itself.

It knows nothing of the notation: whether a text is in the grammar of docs/reference/notation.abnf is found without any
part of the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["Grammar", "NotAGrammar"]

_CORE: Final = """\
ALPHA = %x41-5A / %x61-7A
DIGIT = %x30-39
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
DQUOTE = %x22
"""
"""What is used of the core rules of RFC 5234, appendix B."""

_TOKEN: Final = re.compile(
    r"""
    (?P<blank>[ \t]+)
    | (?P<name>[A-Za-z][A-Za-z0-9-]*)
    | (?P<count>[0-9]*\*[0-9]*|[0-9]+)
    | (?P<mark>=/|[=/()\[\]])
    | (?P<text>(?:%[is])?"[\x20-\x21\x23-\x7e]*")
    | (?P<range>%x[0-9A-Fa-f]+-[0-9A-Fa-f]+)
    | (?P<codes>%x[0-9A-Fa-f]+(?:\.[0-9A-Fa-f]+)*)
    """,
    re.VERBOSE,
)


class NotAGrammar(Exception):
    """A text is not ABNF, or uses what is not understood here."""


def _uncommented(line: str) -> str:
    """A line without its comment: a semicolon in quotes begins none."""
    found = re.match(r'(?:[^;"]|"[^"]*")*', line)
    return "" if found is None else found[0].rstrip()


def _rules_of(text: str) -> Iterator[str]:
    """The rules of a grammar, each in one piece: lines that begin with a blank go on with the line before."""
    rule = ""
    for line in map(_uncommented, text.splitlines()):
        if line[:1].isspace():
            rule += line
        else:
            if rule:
                yield rule
            rule = line
    if rule:
        yield rule


def _tokens_of(rule: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(rule):
        token = _TOKEN.match(rule, at)
        if token is None:
            raise NotAGrammar(f"at {rule[at:]!r} of {rule!r}")
        at = token.end()
        kind = token.lastgroup or ""
        if kind != "blank":
            yield kind, token[0]


class Grammar:
    """A grammar of ABNF. Names of rules are told apart by letters, not by case."""

    def __init__(self, text: str) -> None:
        self._rules: dict[str, list[list[tuple[str, str]]]] = {}
        self._patterns: dict[str, str] = {}
        self._compiled: dict[str, re.Pattern[str]] = {}
        for rule in _rules_of(_CORE + text):
            (kind, name), sign, *rest = _tokens_of(rule)
            key = name.lower()
            if kind != "name" or sign[1] not in ("=", "=/") or (sign[1] == "=/") != (key in self._rules) or not rest:
                raise NotAGrammar(f"{rule!r} defines nothing, or something for the second time")
            self._rules.setdefault(key, []).append(rest)
        for name in self._rules:
            self.pattern(name)

    @property
    def names(self) -> list[str]:
        """The names of the rules, the core rules too, in lower case."""
        return list(self._rules)

    def unused(self, *entrances: str) -> set[str]:
        """The rules that no other rule uses, but for those named here."""
        used = {
            value.lower() for parts in self._rules.values() for part in parts for kind, value in part if kind == "name"
        }
        return set(self._rules) - used - set(entrances) - {"hexdig"}

    def has(self, rule: str, text: str) -> bool:
        """Whether a text is what a rule stands for, from its first character to its last."""
        return self.compiled(rule).fullmatch(text) is not None

    def compiled(self, rule: str) -> re.Pattern[str]:
        """A rule as a regular expression."""
        if rule not in self._compiled:
            self._compiled[rule] = re.compile(self.pattern(rule))
        return self._compiled[rule]

    def pattern(self, rule: str) -> str:
        """A rule as the text of a regular expression without groups that catch anything."""
        key = rule.lower()
        found = self._patterns.get(key)
        if found is None:
            if key not in self._rules or found == "":
                raise NotAGrammar(f"there is no rule {rule}")
            self._patterns[key] = ""  # whoever meets this has come back to where it began
            found = "|".join([self._alternatives(iter([*part, ("end", "")])) for part in self._rules[key]])
            self._patterns[key] = found = f"(?:{found})"
        elif not found:
            raise NotAGrammar(f"{rule} contains itself")
        return found

    def _alternatives(self, tokens: Iterator[tuple[str, str]], close: str = "") -> str:
        """What stands up to a closing mark, or to the end."""
        options: list[str] = []
        parts: list[str] = []
        repeat = ""
        for kind, value in tokens:
            if kind == "end" or (value in (")", "]") and kind == "mark"):
                if value != close or repeat or not parts:
                    raise NotAGrammar(f"{value or 'the end'} where {close or 'the end'} is due")
                return "|".join([*options, "".join(parts)])
            if kind == "mark" and value == "/":
                options.append("".join(parts))
                if repeat or not parts:
                    raise NotAGrammar("an alternative is empty")
                parts = []
            elif kind == "count":
                repeat = _repeat(value)
            else:
                parts.append(self._element(kind, value, tokens) + repeat)
                repeat = ""
        raise NotAGrammar("the rule does not end")

    def _element(self, kind: str, value: str, tokens: Iterator[tuple[str, str]]) -> str:
        if kind == "name":
            return self.pattern(value)
        if kind == "mark" and value == "(":
            return f"(?:{self._alternatives(tokens, ')')})"
        if kind == "mark" and value == "[":
            return f"(?:(?:{self._alternatives(tokens, ']')})?)"
        if kind == "text":
            exact = value.startswith("%s")
            letters = value[value.index('"') + 1 : -1]
            return f"(?:{''.join([_letter(letter, exact) for letter in letters])})"
        if kind == "range":
            first, last = value[2:].split("-")
            return f"[{_code(first)}-{_code(last)}]"
        if kind == "codes":
            return f"(?:{''.join([_code(code) for code in value[2:].split('.')])})"
        raise NotAGrammar(f"{value!r} stands where an element is due")


def _repeat(value: str) -> str:
    least, star, most = value.partition("*")
    return f"{{{least or 0},{most}}}" if star else f"{{{least}}}"


def _letter(letter: str, exact: bool) -> str:
    if exact or not letter.isalpha():
        return re.escape(letter)
    return f"[{letter.lower()}{letter.upper()}]"


def _code(digits: str) -> str:
    return f"\\U{int(digits, 16):08x}"
