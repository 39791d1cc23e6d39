"""Broken texts of rules, positions and records: the whole refusal of each, with its place and its words.

The file `data/refused_texts.txt` has the texts too: to add one, write the list at the beginning of a line, such as
`["rules", "moon=blue"]` or `["short", "deal 0", "deal x"]`, and have the answer written by `nox -s generate`.
"""

from __future__ import annotations

import io
import json
import pickle
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import pytest

from heartsrules import InvalidNotation, InvalidState
from heartsrules.base.errors import in_words
from heartsrules.formats.notation import (
    parse_field,
    parse_position,
    parse_record,
    parse_rules,
    parse_setup,
    scan_records,
)
from heartsrules.formats.notation.fields import parse_bool
from support.refused_lines import cases
from test_notation import EXPOSING, MIDDLE, POSITIONS, SHORT, TINY

EXCERPT: Final = 60
"""How many characters an error keeps on either side of its place."""

LONG: Final = next(line for line in POSITIONS if "; trick 4:" in line)
"""A position of two decks, with the words `kitty` and `tricks`."""
ROWS: Final = next(line for line in POSITIONS if "/exposed=" in line)
"""A position with a row of the score sheet, shown cards and a middle."""
TEXTS: Final = {"short": SHORT, "exposing": EXPOSING, "middle": MIDDLE, "long": LONG, "rows": ROWS, "tiny": TINY}
"""By name, the texts of which a case changes a part."""
CROWDED: Final = "Hearts/1\nRules: default\nTrick 0: 0:2C {" + "x" * 80 + "} ?" + " 3C" * 40

LIMITS: Final = (
    (TINY, {"max_line": 40}),
    (TINY, {"max_line": 8}),
    (TINY, {"max_line": 7}),
    (TINY, {"max_line": 0}),
    (TINY, {"max_line": -1}),
    (TINY, {"max_tokens": 0}),
    (TINY, {"max_tokens": 1}),
    (TINY, {"max_tokens": 3}),
    (TINY, {"max_tokens": 17}),
    (TINY, {"max_tokens": 30}),
    ("Hearts/1\nRules: default\n; one\n; two\n", {"max_tokens": 1}),
    (TINY, {"max_bytes": 8}),
    (TINY, {"max_bytes": 200}),
    (TINY.replace("x", "♠" * 50), {"max_bytes": 200}),
)
"""Texts that are longer than a reader may read."""


READERS: Final[dict[str, Callable[..., object]]] = {
    "field": lambda name, text: parse_field(name, text, 4),
    "bool": parse_bool,
    "rules": parse_rules,
    "record": parse_record,
    "tiny": parse_record,
}
"""What reads a case, by its first word; a position is read by `parse_position`."""


def text_of(base: str, *parts: str) -> str:
    """The text of a case: its last part, or a whole text in which one part is replaced by the next."""
    if base not in TEXTS:
        return parts[-1]
    text = TEXTS[base]
    for old, new in zip(parts[::2], parts[1::2], strict=True):
        assert old in text, (base, old)
        text = text.replace(old, new, 1)
    return text


def broken() -> Iterator[tuple[str, str, Callable[[], object]]]:
    """What is broken and how, as the file says it or in words; the text; and the call that is refused."""
    for case in cases("refused_texts"):
        base, *parts = case
        text = text_of(base, *parts)
        given = parts if base == "field" else [text]
        yield json.dumps(case), text, partial(READERS.get(base, parse_position), *given)
    for name, text in (("target", "9" * 601), ("target", " " * 100_001)):
        yield f"field {name}={in_words(text)}", text, partial(parse_field, name, text, 4)
    for text in (f"target={'9' * 601}", "default " * 30):
        yield f"rules {in_words(text)}", text, partial(parse_rules, text)
    for most in (20, 0, -1):
        yield f"short, {most} bytes", SHORT, partial(parse_position, SHORT, max_bytes=most)
    yield "symbols, 20 bytes", "♠" * 20, partial(parse_setup, "♠" * 20, max_bytes=20)
    text = SHORT.replace("deal 0;", f"deal {'9' * 601};")
    yield "short, a long number", text, partial(parse_position, text)
    for text in (*[TINY.replace("Result: 0 1", f"{line}{TINY}") for line in ("", "Result: 0 1\n")], CROWDED):
        yield f"record {in_words(text)}", text, partial(parse_record, text)
    for text, limits in LIMITS:
        yield f"record {limits}", text, partial(parse_record, text, **limits)


def lines() -> Iterator[str]:
    """A line for each broken text, with the place, what stands there, and the reason."""
    for name, _, call in broken():
        try:
            call()
        except InvalidNotation as error:
            told = f"{error.line}:{error.column} {error.found!r} {error.reason}"
            # The reason is mostly made of it.
            said = "" if error.expected in error.reason else f" [{error.expected}]"
            yield f"{name}: {told}{said}"
        except InvalidState as error:
            found = [f"{problem.code} {' '.join(problem.fields)}" for problem in error.problems]
            yield f"{name}: impossible: {'; '.join(found)}"
        except ValueError as error:
            yield f"{name}: {error}"
        else:
            raise AssertionError(f"{name} is read")


def test_a_refusal_shows_what_stands_around_its_place() -> None:
    for name, text, call in broken():
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            call()
        error = caught.value
        if not isinstance(error, InvalidNotation) or name.startswith(("field", '["field"')):
            continue
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), vars(again)) == (str(error), vars(error))
        assert len(str(error)) < 700
        lines = re.split("\r\n|\r|\n", text)
        # Where there is no game at all, no line is to blame.
        line = "" if error.expected == "Hearts/1" and not error.found else lines[error.line - 1]
        at = error.column - 1
        if name.startswith(("rules", '["rules"', '["record"')):
            assert error.text == line[max(at - EXCERPT, 0) : at + EXCERPT], name
            assert error.position == min(at, EXCERPT), name
        assert line[at:].startswith(error.found), name
        assert len(error.found) <= EXCERPT
        assert str(error) == f"{error.reason}, at line {error.line}, column {error.column} of {error.text!r}"


def test_every_broken_record_is_refused_alike_from_a_file_and_line_by_line() -> None:
    """With whatever ends of lines; and a scan says what the reader of one record raises."""

    def told(error: InvalidNotation) -> tuple[object, ...]:
        return error.text, error.position, error.reason, error.line, error.column, error.expected, error.found

    for text in [text_of(*case) for case in cases("refused_texts") if case[0] in ("record", "tiny")]:
        with pytest.raises(InvalidNotation) as caught:
            parse_record(text)
        lines = text.splitlines()
        for end in ("\n", "\r\n", "\r"):
            other = text.replace("\n", end)
            for source in (other, io.StringIO(other, newline=""), [f"{line}{end}" for line in lines], [other]):
                with pytest.raises(InvalidNotation) as again:
                    parse_record(source)
                assert told(again.value) == told(caught.value), (source, end)
        first = next(scan_records(text), None)
        if isinstance(first, InvalidNotation):
            assert told(first) == told(caught.value)
        else:
            # There is none, or it is followed by another.
            assert caught.value.expected.startswith(("the end of the text", "Hearts/1"))


def test_a_budget_is_met_to_the_last_unit() -> None:
    """What is just allowed is read."""
    longest = max(map(len, TINY.splitlines()))
    size = len(TINY.encode())
    for name, enough in (("max_line", longest), ("max_bytes", size), ("max_tokens", 35)):
        assert parse_record(TINY, **{name: enough}) == parse_record(TINY)
        with pytest.raises(InvalidNotation, match=f"expected at most {enough - 1} "):
            parse_record(TINY, **{name: enough - 1})
    assert parse_setup(SHORT, max_bytes=len(SHORT)) == parse_setup(SHORT)
    with pytest.raises(InvalidNotation, match=f"expected at most {len(SHORT) - 1} bytes"):
        parse_setup(SHORT, max_bytes=len(SHORT) - 1)
