"""People's names: the permitted characters, and numbers for names that look alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain, count
from typing import Final

MAX_NAME: Final = 24
"""Maximum length of a name in characters as people see them: an emoji joined from several is one."""

_MOST_MARKS: Final = 3
"""Maximum number of marks on a letter, as on a pointed Hebrew one."""
_MOST_POINTS: Final = 12
"""Maximum number of code points in a visible character. A coloured emoji of a family of four has eleven."""
_JOINERS: Final = "\u200c\u200d"
_EMOJI_FORM: Final = "\ufe0f"
_KEYCAP: Final = "\u20e3"
_FLAG: Final = "\U0001f3f4"
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
)
"""Letters, marks and symbols without a glyph."""
_MONGOLIAN_FORMS: Final = "\u180b\u180c\u180d\u180f"
"""Variation selectors of the Mongolian letter before them."""
_CAPITALS: Final = str.maketrans("АВЕКМНОРСТУХЅІЈԚԜҮΑΒΕΖΗΙΚΜΝΟΡΤΥΧՍՕԼ", "ABEKMHOPCTYXSIJQWYABEZHIKMNOPTYXUOL")
"""Cyrillic, Greek and Armenian capitals that look like Latin ones."""
_LETTERS: Final = str.maketrans(
    "авекмнорстухѕіјѵԝԛһԁӏαβγεηικνορτυχωաոսօհցզյ01l|", "abekmhopctyxsijvwqhdiabyenikvoptuxwwnuohgqjoiii"
)
"""Small letters and signs, each with the Latin letter that it resembles."""
_LATIN: Final = re.compile(
    r"LATIN (?:SMALL |CAPITAL )?LETTER (?:SMALL CAPITAL |SCRIPT |DOTLESS |OPEN )?([A-Z])(?: WITH .*)?"
)
"""Unicode names of characters that are a Latin letter with an addition."""
_OUR_WORDS: Final = ("You", "Du")
"""The page's words for its own player."""


class BadName(ValueError):
    """An invalid name."""


def clean_name(name: str) -> str:
    """Normalize a name, and check it.

    >>> clean_name("  Ann   Lee "), clean_name("Zoe\\u0308")
    ('Ann Lee', 'Zoë')

    Raises:
        BadName: it has invisible characters, too many marks on a letter, no visible character, or too many.
    """
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())
    for at, point in enumerate(cleaned):
        if _hidden(point) and not _belongs(cleaned, at):
            raise BadName("a name may not have characters that cannot be seen")
    seen = graphemes(cleaned)
    if not 1 <= len(seen) <= MAX_NAME:
        raise BadName(f"a name has 1 to {MAX_NAME} characters")
    if any([_crowded(letter) for letter in seen]):
        raise BadName(f"a letter of a name has at most {_MOST_MARKS} marks")
    if not any([unicodedata.category(point)[0] in "LNS" for point in cleaned]):
        raise BadName("a name has a letter, a digit or a symbol")
    return cleaned


def graphemes(text: str) -> list[str]:
    """Split a text into characters as people see them, keeping joined, coloured and marked ones whole.

    >>> len(graphemes("Zoë 👨‍👩‍👧‍👦🇩🇪"))
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
    """Return the name, with a number after it if it looks like another one.

    >>> told_apart("Ann", ["Bob"]), told_apart("ann", ["Ann", "Bob"])
    ('Ann', 'ann (2)')
    """
    taken = {_skeleton(other) for other in (*others, *_OUR_WORDS)}
    numbered = chain([name], (f"{name} ({number})" for number in count(2)))
    return next(told for told in numbered if _skeleton(told) not in taken)


def _skeleton(name: str) -> str:
    """Reduce a name to a key that names with the same look share: Latin letters without marks, spaces or punctuation.

    The idea is from Unicode's TS #39, with a table of only a few letters.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name)).translate(_CAPITALS).casefold()
    seen = [_latin(point) for point in plain if unicodedata.category(point)[0] not in "MC"]
    letters = [point for point in seen if unicodedata.category(point)[0] not in "ZP"]
    return "".join(letters or seen).translate(_LETTERS).replace("rn", "m").replace("vv", "w")


def _latin(point: str) -> str:
    match = _LATIN.fullmatch(unicodedata.name(point, ""))
    return match[1].lower() if match else point


def _hidden(point: str) -> bool:
    return (
        point in _BLANK
        or point in _MONGOLIAN_FORMS
        or "\ufe00" <= point <= "\ufe0f"
        or "\U000e0100" <= point <= "\U000e01ef"
        or unicodedata.category(point) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    )


def _belongs(name: str, at: int) -> bool:
    """Return True if an invisible character has an effect here: it joins its neighbours, or makes an emoji."""
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
    """Return True if a letter or mark is of a script with joiners: Arabic, and those of India."""
    return "\u0600" <= point <= "\u0dff" and unicodedata.category(point)[0] in "LM"


def _attached(point: str) -> bool:
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
