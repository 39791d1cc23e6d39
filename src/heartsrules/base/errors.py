"""The errors of the package.

Every error about the game is a `HeartsError` and a `ValueError`. It has its data as attributes and a stable kebab-case
`code`. A wrong Python type raises a plain `TypeError` that names the argument. `IllegalMove` is defined in
`heartsrules.play.violations`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, ClassVar, Final

import attrs

from heartsrules.base.rendering import rendered
from heartsrules.base.values import int_text, type_phrase

__all__ = [
    "MAX_MESSAGE",
    "MAX_PROBLEMS",
    "HeartsError",
    "InvalidNotation",
    "InvalidPicture",
    "InvalidRules",
    "InvalidSeat",
    "InvalidState",
    "InvalidWire",
    "Problem",
    "TooManyCopies",
    "TooManyWorlds",
]
__dir__ = __all__.copy

MAX_MESSAGE: Final = 2000
"""The maximum number of characters of a message."""
MAX_PROBLEMS: Final = 100
"""The maximum number of problems that an error contains."""

_AROUND: Final = 60
"""The number of characters shown on either side of a mistake in a long text."""
_FOUND: Final = 20
_LONGEST: Final = 80
_LISTED: Final = 5
"""The number of items of a tuple that a message shows."""
_SHOWN: Final = 13
"""The number of numbers of a tuple that a message shows."""
_COMPARED: Final = 40
"""The number of characters of an unknown name that are compared with known names."""
_CHOICES: Final = 16
_PLACE: Final = 200
"""The maximum number of characters shown of a position in a document."""
_ROOM: Final = 40
"""The number of characters reserved for the number of further problems."""


def truncated(text: str, most: int = MAX_MESSAGE) -> str:
    """Cut a text to `most` characters, including a note of how many were cut.

    >>> truncated("short"), truncated("9" * 100, 40)
    ('short', '999999999999999... (85 more characters)')
    """
    if len(text) <= most:
        return text
    kept = max(most - len(f"... ({len(text)} more characters)"), 0)
    return f"{text[:kept]}... ({len(text) - kept} more characters)"[:most]


def counted(count: int, what: str) -> str:
    """Return a number with its noun, for a message.

    >>> counted(1, "card"), counted(3, "card")
    ('1 card', '3 cards')
    """
    return f"1 {what}" if count == 1 else f"{int_text(count)} {what}s"


def printable(text: str) -> str:
    """Escape characters that could move a terminal's cursor or start a new line.

    >>> printable("Ann"), printable("one\\ntwo")
    ('Ann', 'one\\\\ntwo')
    """
    if text.isprintable():
        return text
    return "".join([character if character.isprintable() else repr(character)[1:-1] for character in text])


def in_words(value: object) -> str:
    """Return a value's repr, shortened for a message to a few hundred characters.

    >>> in_words("2C"), in_words(-5), in_words(10**5000)
    ("'2C'", '-5', 'a number of about 5001 digits')
    >>> in_words((1, 2) * 30)
    '(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, and 47 more)'
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return int_text(value)
    if isinstance(value, str):
        return repr(value) if len(value) <= _LONGEST else f"{value[:_LONGEST]!r}... ({len(value)} characters)"
    if type(value) is tuple:
        most = _SHOWN if value and isinstance(value[0], int) else _LISTED
        items = [in_words(item) for item in value[:most]]
        more = f", and {len(value) - most} more" if len(value) > most else "," if len(items) == 1 else ""
        return truncated(f"({', '.join(items)}{more})", 5 * _LONGEST)
    try:
        return truncated(repr(value), 5 * _LONGEST)
    except ValueError:
        return f"{type_phrase(value)} with a number of too many digits"


def is_plain(value: object) -> bool:
    """Return True for a value without cards, which may appear in a log."""
    if isinstance(value, tuple):
        return all([each is None or isinstance(each, int) for each in value])
    return value is None or isinstance(value, (int, Enum))


def near_names(name: str, known: Sequence[str]) -> list[str]:
    """Return up to three known names closest to an unknown one, nearest first."""
    # Imported here because few programs need it.
    import difflib

    return difflib.get_close_matches(name[:_COMPARED], known)


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name.

    It lists the closest known names, or else the first known names.
    """
    names = list(known)
    close = near_names(name, names)
    if close:
        return f"did you mean {' or '.join(close)}?"
    if len(names) <= _CHOICES:
        return f"choose from {', '.join(names)}"
    return f"choose from {', '.join(names[:_CHOICES])} and {len(names) - _CHOICES} more"


def joined(messages: Sequence[str], further: int = 0, language: str = "en") -> str:
    """Join messages into one of at most `MAX_MESSAGE` characters.

    It ends with the number of messages left out. The first message is cut if it is too long by itself.

    Args:
        messages: the messages, most important first.
        further: the number of messages beyond these.
        language: the language of the messages.
    """
    if not further:
        whole = "; ".join(messages)
        if len(whole) <= MAX_MESSAGE:
            return whole
    most = MAX_MESSAGE - _ROOM
    text = truncated(messages[0], most) if messages else ""
    included = min(len(messages), 1)
    for message in messages[1:]:
        if len(text) + 2 + len(message) > most:
            break
        text = f"{text}; {message}"
        included += 1
    rest = len(messages) - included + further
    if not rest:
        return text
    words: str = rendered("term", "further", language, rest=rest)
    return f"{text}; {words}"


@attrs.frozen(repr=False)
class Problem:
    """One thing that is wrong with a rule set, a deal or a position.

    `str` gives the English sentence; `heartsrules.messages.text` gives it in any language with a catalogue.

    >>> problem = Problem.of("uneven-teams", ("teams", "players"), players=5, teams=2)
    >>> str(problem), dict(problem.params)
    ('5 players do not divide into 2 teams: change one of the two numbers', {'players': 5, 'teams': 2})

    Attributes:
        code: a stable kebab-case name of the kind of problem.
        fields: the fields or arguments at fault, the main one first.
        params: the parameters of the sentence, as (name, value) pairs. A value is an int, a str, a bool, None, a
            `Card`, `Cards`, a `Suit`, a member of another enum, a violation, or a tuple of such values.
        detail: the name of the sentence, for a code with several.
        ready: the sentence itself, the same in every language, instead of one from a catalogue. Applications pass it as
            `message=` for their own problems.
    """

    code: str
    fields: tuple[str, ...]
    params: tuple[tuple[str, Any], ...] = ()
    detail: str = ""
    ready: str | None = attrs.field(
        default=None, kw_only=True, alias="message", converter=attrs.converters.optional(truncated)
    )

    @classmethod
    def of(cls, code: str, fields: tuple[str, ...], detail: str = "", /, **params: Any) -> Problem:
        """Make a problem with its parameters as keyword arguments."""
        return cls(code, fields, tuple(params.items()), detail)

    @classmethod
    def at(cls, code: str, name: str, detail: str = "", /, **params: Any) -> Problem:
        """Make a problem of one field, whose sentence has the field's name as a parameter."""
        return cls.of(code, (name,), detail, name=name, **params)

    @property
    def message(self) -> str:
        """The English sentence, at most 2,000 characters."""
        return self.ready if self.ready is not None else str(rendered("text", self))

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        parts = [f"code={self.code!r}", f"fields={self.fields!r}"]
        parts += [f"{name}={value!r}" for name, value in (("params", self.params), ("detail", self.detail)) if value]
        parts += [] if self.ready is None else [f"message={self.ready!r}"]
        return f"{type(self).__name__}({', '.join(parts)})"


class HeartsError(Exception):
    """The base class of every error about the game.

    The message has at most 2,000 characters.
    """

    code: ClassVar[str] = "hearts-error"

    def __reduce__(self) -> tuple[Any, ...]:
        code = getattr(type(self).__init__, "__code__", None)
        if code is None:
            return type(self), self.args
        # The arguments of a constructor are attributes of the same names.
        return type(self), tuple([getattr(self, name) for name in code.co_varnames[1 : code.co_argcount]])


class InvalidNotation(HeartsError, ValueError):
    """Text that cannot be parsed.

    Attributes:
        text: the given text, or for a long one the part around the first mistake.
        position: the index of the first mistake in `text`, from 0.
        reason: a sentence without the text and the position, cut if very long.
        line: the line in the document, from 1.
        column: the character in that line, from 1.
        expected: the expected text in words, or empty if only the reason describes it.
        found: the beginning of the text found instead, or empty at the end of the text.
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
        around = text
        if len(text) > 2 * _AROUND:
            start = max(position - _AROUND, 0)
            around = text[start : position + _AROUND]
            around = f"{'...' if start else ''}{around}{'...' if position + _AROUND < len(text) else ''}"
        end = f", at {where} of {around!r}"
        reason = truncated(reason, MAX_MESSAGE - len(end))
        super().__init__(f"{reason}{end}")
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
    """The table does not have this seat.

    Attributes:
        seat: the given seat.
        players: the number of players. The seats are 0 to `players` - 1.
    """

    code: ClassVar[str] = "no-such-seat"

    def __init__(self, seat: int, players: int) -> None:
        super().__init__(f"there is no seat {int_text(seat)} at a table of {players}: seats are 0 to {players - 1}")
        self.seat = seat
        self.players = players


class TooManyCopies(HeartsError, ValueError):
    """A third copy of a card, of which at most two are possible.

    Attributes:
        card: the text of the card, such as `QS`. If there are several, the first in card order.
    """

    code: ClassVar[str] = "too-many-copies"

    def __init__(self, card: str) -> None:
        super().__init__(f"at most two copies of a card are possible, but {card} occurs three times")
        self.card = card


class _WithProblems(HeartsError):
    def __init__(self, problems: Sequence[Problem], further: int = 0) -> None:
        self.problems = tuple(problems[:MAX_PROBLEMS])
        self.further = further + len(problems) - len(self.problems)
        super().__init__(self.problems, self.further)

    def __str__(self) -> str:
        return joined([self._line(problem) for problem in self.problems], self.further)

    @staticmethod
    def _line(problem: Problem) -> str:
        return problem.message


class InvalidRules(_WithProblems, ValueError):
    """The combination of options cannot be played.

    Attributes:
        problems: every `Problem` of the rule set, in the order of the fields, at most 100.
        further: the number of problems left out.
    """

    code: ClassVar[str] = "invalid-rules"


class InvalidState(_WithProblems, ValueError):
    """The rules cannot lead to this position or end of a deal.

    Attributes:
        problems: every `Problem` found, at most 100.
        further: the number of problems left out.
    """

    code: ClassVar[str] = "invalid-state"


class TooManyWorlds(_WithProblems, ValueError):
    """The hidden cards of a view have too many arrangements to count.

    No world of the view can be sampled then.

    Attributes:
        problems: one `Problem`, whose `most` is the limit of table entries.
    """

    code: ClassVar[str] = "too-many-worlds"


class InvalidPicture(_WithProblems, ValueError):
    """The picture cannot be drawn as requested.

    Attributes:
        problems: every `Problem` of the arguments, at most 100. The first item of its `fields` is the argument, the
            second, if present, the position in it.
        further: the number of problems left out.
    """

    code: ClassVar[str] = "invalid-picture"


class InvalidWire(_WithProblems, ValueError):
    """A JSON document cannot be read, or a value cannot be written as one.

    Attributes:
        problems: every `Problem` found, at most 100. The first item of its `fields` is a JSON pointer into the
            document, such as `/hands/2`; it is empty for the whole document.
        further: the number of problems left out. A JSON reader stops after a hundred problems.
    """

    code: ClassVar[str] = "invalid-wire"

    @staticmethod
    def _line(problem: Problem) -> str:
        return f"{truncated(problem.fields[0], _PLACE) or 'the document'}: {problem.message}"
