"""What can go wrong, as types.

Every error of this package is a `HeartsError` and a `ValueError`, carries its data as attributes and has a
stable kebab-case `code`. (`IllegalMove`, which carries violations, is defined beside them in
`heartsrules.violations`.) A wrong Python type is a plain `TypeError` that names the argument.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

import attrs

from heartsrules.values import shown

__all__ = [
    "HeartsError",
    "InvalidNotation",
    "InvalidRules",
    "InvalidSeat",
    "InvalidState",
    "InvalidWire",
    "Problem",
    "TooManyCopies",
]

_AROUND: Final = 60
"""How much of a long text a message shows on either side of what is wrong."""
_FOUND: Final = 20
"""How much is shown of what was found."""


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
        text: the text as it was given; of a long one, what stands around the first thing that is wrong.
        position: the index in `text` (from 0) of the first thing that is wrong.
        reason: a sentence without the text and the position.
        line: the line of the document, from 1.
        column: the character of that line, from 1.
        expected: what should stand there, as words; empty where the reason says it otherwise.
        found: what stands there: the beginning of it, or empty at the end of the text.
    """

    code: ClassVar[str] = "invalid-notation"

    def __init__(
        self,
        text: str,
        position: int,
        reason: str,
        line: int | None = None,
        column: int | None = None,
        expected: str | None = None,
        found: str | None = None,
    ) -> None:
        if line is None or column is None:
            where = f"position {position}"
        else:
            where = f"line {line}, column {column}"
        shown = text
        if len(text) > 2 * _AROUND:
            start = max(position - _AROUND, 0)
            shown = text[start : position + _AROUND]
            shown = f"{'...' if start else ''}{shown}{'...' if position + _AROUND < len(text) else ''}"
        super().__init__(f"{reason}, at {where} of {shown!r}")
        self._given = (text, position, reason, line, column, expected, found)
        self.text = text
        self.position = position
        self.reason = reason
        self.line = text.count("\n", 0, position) + 1 if line is None else line
        self.column = position - text.rfind("\n", 0, position) if column is None else column
        if expected is None:
            expected = reason.removeprefix("expected ") if reason.startswith("expected ") else ""
        self.expected = expected
        self.found = text[position : position + _FOUND] if found is None else found

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._given


class InvalidSeat(HeartsError, ValueError):
    """A seat that the table does not have, where something is asked about it.

    Attributes:
        seat: the seat that was given.
        players: how many players the table has: its seats are 0 to `players` - 1.
    """

    code: ClassVar[str] = "no-such-seat"

    def __init__(self, seat: int, players: int) -> None:
        super().__init__(f"there is no seat {shown(seat)} at a table of {players}: seats are 0 to {players - 1}")
        self.seat = seat
        self.players = players

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.seat, self.players)


class TooManyCopies(HeartsError, ValueError):
    """A bag of cards that would hold a card for the third time.

    Attributes:
        card: the text of the card, such as `QS`; of several, the first in card order.
    """

    code: ClassVar[str] = "too-many-copies"

    def __init__(self, card: str) -> None:
        super().__init__(f"a bag of cards holds no card more than twice, but {card} came a third time")
        self.card = card

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.card,)


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


class InvalidWire(_WithProblems, ValueError):
    """A JSON document that cannot be read, or a value that cannot be written as one.

    Attributes:
        problems: every `Problem` that was found. The first of its `fields` is the place in the document as a JSON
            pointer: `/hands/2`, or the empty text for the document as a whole.
    """

    code: ClassVar[str] = "invalid-wire"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.args = ("; ".join(f"{problem.fields[0] or 'the document'}: {problem.message}" for problem in problems),)
