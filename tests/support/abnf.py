"""Grammars in ABNF (RFC 5234 and RFC 7405) as regular expressions, for grammars in which no rule contains itself.

The package `abnf` reads the grammar. It could match texts, too, but is slow: whole files of records are matched here.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import abnf
from abnf import parser

__all__ = ["Grammar"]


class Grammar:
    """A grammar of ABNF. Names of rules are told apart by letters, not by case."""

    def __init__(self, text: str) -> None:
        class Own(abnf.Rule):
            """The rules of this grammar."""

        Own.load_grammar(text.replace("\n", "\r\n"))
        self._rule = Own
        self._used: set[str] = set()
        self._compiled = cache(lambda rule: re.compile(self._pattern(Own(rule))))

    def has(self, rule: str, text: str) -> bool:
        """Whether a text is what a rule stands for, from its first character to its last."""
        return self._compiled(rule).fullmatch(text) is not None

    def unused(self, *entrances: str) -> set[str]:
        """The rules that no other rule uses, but for those named here."""
        rules: list[abnf.Rule] = list(self._rule.rules())  # type: ignore[no-untyped-call]
        for rule in rules:
            self._pattern(rule)
        return {rule.name.lower() for rule in rules} - self._used - set(entrances)

    def _pattern(self, part: Any) -> str:
        """A part as the text of a regular expression without groups that catch anything."""
        match part:
            case abnf.Rule():
                return self._pattern(part.definition)
            case parser.Alternation(parsers=parts):
                return f"(?:{'|'.join(map(self._inside, parts))})"
            case parser.Concatenation(parsers=parts):
                return "".join(map(self._inside, parts))
            case parser.Option(alternation=inside):
                return f"(?:{self._inside(inside)})?"
            case parser.Repetition(repeat=repeat, element=element):
                most = "" if repeat.max is None else repeat.max
                return f"(?:{self._inside(element)}){{{repeat.min},{most}}}"
            case parser.Literal(value=(first, last)):
                return f"[{re.escape(first)}-{re.escape(last)}]"
            case parser.Literal(value=str(text), case_sensitive=exact):
                # Not by the flag of `re`: to it, the sign of Kelvin is a k.
                return "".join([re.escape(each) if exact else _either(each) for each in text])
        raise NotImplementedError(type(part))

    def _inside(self, part: Any) -> str:
        if isinstance(part, abnf.Rule):
            self._used.add(part.name.lower())
        return self._pattern(part)


def _either(letter: str) -> str:
    return f"[{letter.lower()}{letter.upper()}]" if letter.isalpha() else re.escape(letter)
