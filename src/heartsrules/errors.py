"""What can go wrong, as types.

Every error of this package is a `HeartsError` and a `ValueError`, carries its data as attributes and has a
stable kebab-case `code`. (`IllegalMove`, which carries violations, is defined beside them in
`heartsrules.violations`.) A wrong Python type is a plain `TypeError` that names the argument.
"""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

__all__ = ["HeartsError", "InvalidNotation", "InvalidRules", "InvalidState", "Problem"]


@attrs.frozen
class Problem:
    """One thing that is wrong with a rule set, a deal or a position.

    >>> str(Problem("too-few", ("players",), "players is 2, but Hearts needs at least 3"))
    'players is 2, but Hearts needs at least 3'
    """

    code: str
    """A stable kebab-case name of the kind of problem."""
    fields: tuple[str, ...]
    """The fields or arguments that it is about, the one to look at first in front."""
    message: str
    """An English sentence that names the thing and the way out."""

    def __str__(self) -> str:
        return self.message


class HeartsError(Exception):
    """The base of every error that this package raises about the game."""

    code: ClassVar[str] = "hearts-error"


class InvalidNotation(HeartsError, ValueError):
    """A text that does not denote what it should.

    Attributes:
        text: the whole text as it was given.
        position: the index in `text` (from 0) of the first thing that is wrong.
        reason: a sentence without the text and the position.
    """

    code: ClassVar[str] = "invalid-notation"

    def __init__(self, text: str, position: int, reason: str) -> None:
        super().__init__(f"{reason}, at position {position} of {text!r}")
        self.text = text
        self.position = position
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.position, self.reason)


class _WithProblems(HeartsError):
    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems,)


class InvalidRules(_WithProblems, ValueError):
    """A combination of options that cannot be played.

    Attributes:
        problems: every `Problem` of the rule set at once, in the order of the fields.
    """

    code: ClassVar[str] = "invalid-rules"


class InvalidState(_WithProblems, ValueError):
    """A position, or the end of a deal, that the rules cannot lead to.

    Attributes:
        problems: every `Problem` that was found.
    """

    code: ClassVar[str] = "invalid-state"
