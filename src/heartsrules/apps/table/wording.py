"""Sentences in parts: texts from the catalogues, interspersed with cards, people and options.

The catalogues mark cards and options, and marks replace people's names, so a name or a word is never mistaken for a
card.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Final

import attrs

from heartsrules import Problem, Rules, Seat, Violation
from heartsrules.apps.table.protocol import CardPart, OptionPart, PersonPart, Wording
from heartsrules.messages import describe, marked, text

_MARK: Final = re.compile(r"\u27e6(?:([2-9TJQKA][CDSH])|([0-9]+)|([a-z_]+)|=([A-Z_]+))\u27e7")
_OPTIONS: Final = {option.name: option for option in Rules.OPTIONS}


def marked_names(players: int) -> list[str]:
    """Return marks for the players' names, which `in_parts` replaces by seats."""
    return [f"\u27e6{seat}\u27e7" for seat in range(players)]


def in_parts(sentence: str, about: Iterable[str] = ()) -> Wording:
    """Split a sentence at its marks.

    >>> in_parts("⟦1⟧ had no ⟦QS⟧")
    (PersonPart(seat=1), ' had no ', CardPart(card='QS'))

    Args:
        sentence: a sentence in a language of `heartsrules.messages.marked`.
        about: the options that it is about, which take precedence for its values.
    """
    parts: list[str | CardPart | PersonPart | OptionPart] = []
    end = 0
    for found in _MARK.finditer(sentence):
        parts += [sentence[end : found.start()]] * (found.start() > end)
        end = found.end()
        card, seat, option, member = found.groups()
        if card:
            parts.append(CardPart(card))
        elif seat:
            parts.append(PersonPart(Seat(seat)))
        else:
            parts.append(OptionPart(option, None) if option else _value(member, about))
    return tuple([*parts, sentence[end:]] if end < len(sentence) else parts)


def _value(member: str, about: Iterable[str]) -> OptionPart:
    for name in (*about, *_OPTIONS):
        for choice in _OPTIONS[name].choices if name in _OPTIONS else ():
            if getattr(choice, "name", None) == member:
                return OptionPart(name, str(choice.value))
    raise LookupError(f"no option has {member}")  # pragma: no cover - the catalogues mark members alone


@functools.lru_cache(1024)
def violation_wording(violation: Violation, language: str) -> Wording:
    """Return the sentence of a violation. It is cached because the same few recur for every card of a hand."""
    return in_parts(text(violation, marked(language)))


def problem_wording(problem: Problem, language: str) -> Wording:
    about = [field.split("/")[1] for field in problem.fields if field.startswith("/")]
    params = [
        (name, f"\u27e6{value}\u27e7" if isinstance(value, str) and value in _OPTIONS else value)
        for name, value in problem.params
    ]
    return in_parts(text(attrs.evolve(problem, params=tuple(params)), marked(language)), about)


@functools.lru_cache(256)
def rules_wording(rules: Rules, language: str) -> tuple[Wording, ...]:
    return tuple([in_parts(sentence) for sentence in describe(rules, marked(language))])
