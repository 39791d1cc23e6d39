"""The names of people: what may stand in one, and how two of them are told apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

__all__ = ["MAX_NAME", "BadName", "clean_name", "letters", "told_apart"]

MAX_NAME: Final = 24
"""The longest name of a person, in characters as people see them: an emoji of several joined ones is one."""

_MOST_MARKS: Final = 3
"""The most marks over and under a letter, as a pointed Hebrew one may have."""
_MOST_POINTS: Final = 12
"""The most code points of a character as people see it: a family of four emoji with their colours has eleven."""
_JOINERS: Final = "\u200c\u200d"
_EMOJI_FORM: Final = "\ufe0f"
_KEYCAP: Final = "\u20e3"
_FLAG: Final = "\U0001f3f4"
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
)
"""Letters, marks and symbols that show nothing."""
_MONGOLIAN_FORMS: Final = "\u180b\u180c\u180d\u180f"
"""They choose the form of the Mongolian letter before them."""
_LOOKALIKES: Final = str.maketrans("аеорсухіјѕԁһӏαονικρτυ", "aeopcyxijsdhlaovikptu")
"""Letters of Cyrillic and Greek that look like Latin ones, in lower case."""
_OUR_WORDS: Final = ("You", "Du")
"""What a page calls its own player."""


class BadName(ValueError):
    """Nobody may be called that."""


def clean_name(name: str) -> str:
    """A name on one line, as it is kept.

    >>> clean_name("  Ann   Lee "), clean_name("Zoe\\u0308")
    ('Ann Lee', 'Zoë')

    Raises:
        BadName: it has characters that do not show, too many marks on a letter, nothing that shows, or too much.
    """
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())
    for at, point in enumerate(cleaned):
        if _hidden(point) and not _belongs(cleaned, at):
            raise BadName("a name may not have characters that cannot be seen")
    seen = letters(cleaned)
    if not 1 <= len(seen) <= MAX_NAME:
        raise BadName(f"a name has 1 to {MAX_NAME} characters")
    if any([_crowded(letter) for letter in seen]):
        raise BadName(f"a letter of a name has at most {_MOST_MARKS} marks")
    if not any([unicodedata.category(point)[0] in "LNS" for point in cleaned]):
        raise BadName("a name has a letter, a digit or a symbol")
    return cleaned


def letters(text: str) -> list[str]:
    """A text in characters as people see them: what is joined, coloured or marked stays together.

    >>> len(letters("Zoë 👨‍👩‍👧‍👦🇩🇪"))
    6
    """
    found: list[str] = []
    for point in text:
        if found and (_attached(point) or found[-1].endswith("\u200d") or _second_of_flag(found[-1], point)):
            found[-1] += point
        else:
            found.append(point)
    return found


def told_apart(name: str, others: Iterable[str]) -> str:
    """A name that cannot be taken for one of the others: the name itself, or with a number behind it.

    >>> told_apart("Ann", ["Bob"]), told_apart("ann", ["Ann", "Bob"])
    ('Ann', 'ann (2)')
    """
    taken = {_looks(other) for other in (*others, *_OUR_WORDS)}
    return next(told for told in _numbered(name) if _looks(told) not in taken)


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name} ({number})"
        number += 1


def _looks(name: str) -> str:
    """What a name looks like: without its case, its marks and what is written for show."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    shown = [point for point in plain if not unicodedata.category(point).startswith(("M", "C"))]
    return "".join(shown).translate(_LOOKALIKES).replace("ı", "i").replace("l", "i").replace("0", "o").replace("1", "i")


def _hidden(point: str) -> bool:
    """Whether a character does not show, or is none at all."""
    return (
        point in _BLANK
        or point in _MONGOLIAN_FORMS
        or "\ufe00" <= point <= "\ufe0f"
        or "\U000e0100" <= point <= "\U000e01ef"
        or unicodedata.category(point) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    )


def _belongs(name: str, at: int) -> bool:
    """Whether a character that does not show does something here: it joins what is beside it, or makes an emoji."""
    point, before, after = name[at], name[at - 1] if at else "", name[at + 1 : at + 2]
    if point in _JOINERS and before and after:
        emoji = point == "\u200d" and _pictures(after) and (_pictures(before) or before == _EMOJI_FORM)
        return emoji or (_written_joined(before) and _written_joined(after))
    if point in _MONGOLIAN_FORMS:
        return "\u1820" <= before <= "\u18aa"
    if point == _EMOJI_FORM:
        return bool(before) and (_pictures(before) or after == _KEYCAP)
    return "\U000e0020" <= point <= "\U000e007f" and name[:at].rstrip(_TAGS).endswith(_FLAG)


_TAGS: Final = "".join([chr(point) for point in range(0xE0020, 0xE0080)])


def _pictures(point: str) -> bool:
    return unicodedata.category(point) in ("So", "Sm", "Sk") or "\U0001f1e6" <= point <= "\U0001f1ff"


def _written_joined(point: str) -> bool:
    """Whether a letter or mark is of a script in which joiners change how words are written: Arabic, and those of
    India."""
    return "\u0600" <= point <= "\u0dff" and unicodedata.category(point)[0] in "LM"


def _attached(point: str) -> bool:
    """Whether a character stands on, in or behind the one before it."""
    return (
        unicodedata.category(point)[0] == "M"
        or point in _JOINERS
        or "\U0001f3fb" <= point <= "\U0001f3ff"
        or "\U000e0020" <= point <= "\U000e007f"
    )


def _second_of_flag(letter: str, point: str) -> bool:
    return len(letter) == 1 and all(["\U0001f1e6" <= each <= "\U0001f1ff" for each in (letter, point)])


def _crowded(letter: str) -> bool:
    marks = [point for point in letter if unicodedata.category(point)[0] == "M" and point != _EMOJI_FORM]
    tower = len(marks) > _MOST_MARKS or (letter[:1] in marks)
    return tower or len(letter) > _MOST_POINTS
