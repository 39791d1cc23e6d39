"""The errors of the package.

Every error about the game is a `HeartsError` and a `ValueError`, carries its data as attributes and has a stable
kebab-case `code`. (`IllegalMove`, which carries violations, is defined beside them in
`heartsrules.play.violations`.) A wrong Python type is a plain `TypeError` that names the argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
"""The most characters of a message: of an error, a problem or a violation."""
MAX_PROBLEMS: Final = 100
"""The most problems that an error carries."""

_AROUND: Final = 60
"""How many characters of a long text a message shows on either side of what is wrong."""
_FOUND: Final = 20
"""The most characters that are shown of what was found."""
_LONGEST: Final = 80
"""The most characters that are shown of a value."""
_LISTED: Final = 5
"""How many items of a tuple a message shows."""
_SHOWN: Final = 13
"""How many numbers of a tuple a message shows."""
_COMPARED: Final = 40
"""How many characters of an unknown name are compared with those that there are."""
_CHOICES: Final = 16
"""How many of the names that there are a message shows."""
_PLACE: Final = 200
"""The most characters that a message shows of a place in a document."""
_ROOM: Final = 40
"""The characters that are kept free at the end of a message for the count of further problems."""


def truncated(text: str, most: int = MAX_MESSAGE) -> str:
    """Cut a text to `most` characters, and say how many more there are.

    >>> truncated("short"), truncated("9" * 100, 40)
    ('short', '999999999999999... (85 more characters)')
    """
    if len(text) <= most:
        return text
    kept = max(most - len(f"... ({len(text)} more characters)"), 0)
    return f"{text[:kept]}... ({len(text) - kept} more characters)"[:most]


def counted(count: int, what: str) -> str:
    """A count with its noun, for a message.

    >>> counted(1, "card"), counted(3, "card")
    ('1 card', '3 cards')
    """
    return f"1 {what}" if count == 1 else f"{int_text(count)} {what}s"


def printable(text: str) -> str:
    """Escape what could move the cursor of a terminal or begin another line.

    >>> printable("Ann"), printable("one\\ntwo")
    ('Ann', 'one\\\\ntwo')
    """
    if text.isprintable():
        return text
    return "".join([character if character.isprintable() else repr(character)[1:-1] for character in text])


def in_words(value: object) -> str:
    """A value as Python writes it, shortened for a message to a few hundred characters.

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


def near_names(name: str, known: Sequence[str]) -> list[str]:
    """The known names that are closest to an unknown one, nearest first; at most three."""
    # Imported here, since hardly any program needs it.
    import difflib

    return difflib.get_close_matches(name[:_COMPARED], known)


def suggestion(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the closest known names, or else the first that there are."""
    names = list(known)
    close = near_names(name, names)
    if close:
        return f"did you mean {' or '.join(close)}?"
    if len(names) <= _CHOICES:
        return f"choose from {', '.join(names)}"
    return f"choose from {', '.join(names[:_CHOICES])} and {len(names) - _CHOICES} more"


def joined(messages: Sequence[str], further: int = 0, language: str = "en") -> str:
    """Join messages to one of at most `MAX_MESSAGE` characters, which ends with the number of those left out.

    The first is cut if there is not even room for it alone.

    Args:
        messages: the messages, the most important first.
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

    It is data: `heartsrules.messages.text` puts it into words in any language with a catalogue, `str` in English.

    >>> problem = Problem.of("uneven-teams", ("teams", "players"), players=5, teams=2)
    >>> str(problem), dict(problem.params)
    ('5 players do not divide into 2 teams: choose another count of either', {'players': 5, 'teams': 2})
    """

    code: str
    """A stable kebab-case name of the kind of problem."""
    fields: tuple[str, ...]
    """The fields or arguments at fault, the main one first."""
    params: tuple[tuple[str, Any], ...] = ()
    """The parameters of its sentence, as (name, value) pairs. A value is an int, a str, a bool, None, a `Card`,
    `Cards`, a `Suit`, a member of another enum, a violation, or a tuple of such values."""
    detail: str = ""
    """The name of its sentence, where its code has several."""
    ready: str | None = attrs.field(
        default=None, kw_only=True, alias="message", converter=attrs.converters.optional(truncated)
    )
    """The sentence itself, in place of one from a catalogue: for the own problems of applications, which give it as
    `message=`. It is the same in every language."""

    @classmethod
    def of(cls, code: str, fields: tuple[str, ...], detail: str = "", /, **params: Any) -> Problem:
        """Make a problem; its parameters are keyword arguments."""
        return cls(code, fields, tuple(params.items()), detail)

    @classmethod
    def at(cls, code: str, name: str, detail: str = "", /, **params: Any) -> Problem:
        """Make a problem of one field that its sentence names."""
        return cls.of(code, (name,), detail, name=name, **params)

    @property
    def message(self) -> str:
        """An English sentence that names the thing and the way out, of at most 2,000 characters."""
        return self.ready if self.ready is not None else str(rendered("text", self))

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        parts = [f"code={self.code!r}", f"fields={self.fields!r}"]
        parts += [f"{name}={value!r}" for name, value in (("params", self.params), ("detail", self.detail)) if value]
        parts += [] if self.ready is None else [f"message={self.ready!r}"]
        return f"{type(self).__name__}({', '.join(parts)})"


class HeartsError(Exception):
    """The base of every error that this package raises about the game. Its text has at most 2,000 characters."""

    code: ClassVar[str] = "hearts-error"

    def __reduce__(self) -> tuple[Any, ...]:
        code = getattr(type(self).__init__, "__code__", None)
        if code is None:
            return type(self), self.args
        # The arguments of a constructor are attributes of the same names.
        return type(self), tuple([getattr(self, name) for name in code.co_varnames[1 : code.co_argcount]])


class InvalidNotation(HeartsError, ValueError):
    """A text that does not denote what it should.

    Attributes:
        text: the text as it was given; of a long one, what stands around the first thing that is wrong.
        position: the index in `text` (from 0) of the first thing that is wrong.
        reason: a sentence without the text and the position; a very long one is cut.
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
    """A seat that the table does not have.

    Attributes:
        seat: the seat that was given.
        players: how many players the table has: its seats are 0 to `players` - 1.
    """

    code: ClassVar[str] = "no-such-seat"

    def __init__(self, seat: int, players: int) -> None:
        super().__init__(f"there is no seat {int_text(seat)} at a table of {players}: seats are 0 to {players - 1}")
        self.seat = seat
        self.players = players


class TooManyCopies(HeartsError, ValueError):
    """A card that would be in a bag for the third time.

    Attributes:
        card: the text of the card, such as `QS`; of several, the first in card order.
    """

    code: ClassVar[str] = "too-many-copies"

    def __init__(self, card: str) -> None:
        super().__init__(f"at most two copies of a card are possible, but {card} came a third time")
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
        """The text of one problem in the message."""
        return problem.message


class InvalidRules(_WithProblems, ValueError):
    """A combination of options that cannot be played.

    Attributes:
        problems: every `Problem` of the rule set at once, in the order of the fields; at most 100.
        further: how many problems there are beside these.
    """

    code: ClassVar[str] = "invalid-rules"


class InvalidState(_WithProblems, ValueError):
    """A position, or the end of a deal, that the rules cannot lead to.

    Attributes:
        problems: every `Problem` that was found; at most 100.
        further: how many more were found.
    """

    code: ClassVar[str] = "invalid-state"


class TooManyWorlds(_WithProblems, ValueError):
    """A view whose hidden cards can be arranged in more ways than can be counted, so that no world of it is drawn.

    Attributes:
        problems: one `Problem`; its `most` is the limit of table entries.
    """

    code: ClassVar[str] = "too-many-worlds"


class InvalidPicture(_WithProblems, ValueError):
    """A picture that cannot be drawn as it is asked for.

    Attributes:
        problems: every `Problem` of the arguments; the first of its `fields` is the argument, and the second, if there
            is one, the place in it. At most 100.
        further: how many problems there are beside these.
    """

    code: ClassVar[str] = "invalid-picture"


class InvalidWire(_WithProblems, ValueError):
    """A JSON document that cannot be read, or a value that cannot be written as one.

    Attributes:
        problems: every `Problem` that was found; at most 100. The first of its `fields` is the place in the document
            as a JSON pointer: `/hands/2`, or the empty text for the document as a whole.
        further: how many more were found. A reader of JSON does not look for more than a hundred.
    """

    code: ClassVar[str] = "invalid-wire"

    @staticmethod
    def _line(problem: Problem) -> str:
        return f"{truncated(problem.fields[0], _PLACE) or 'the document'}: {problem.message}"
