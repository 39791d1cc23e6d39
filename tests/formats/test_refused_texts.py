"""Broken texts of rules, positions and records: the whole refusal of each, with its place and its words.

`support/refused_lines.py` makes the file `data/refused_texts.txt` of them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import pytest

from heartsrules import InvalidNotation
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
from test_notation import (
    EXPOSING,
    MIDDLE,
    NO_EXPOSING,
    NO_MIDDLE,
    NO_POSITION,
    NO_RECORD,
    NO_RULES,
    POSITIONS,
    SHORT,
    TINY,
)

EXCERPT: Final = 60
"""How many characters an error keeps on either side of its place."""

FIELDS: Final = (
    ("target", "x"),
    ("target", "9" * 601),
    ("target", "1.5 " + "x" * 60),
    ("target", " " * 100_001),
    ("players", ""),
    ("sun", "maybe"),
    ("sun", "maybe" * 20),
    ("moon", "Blue"),
    ("moon", "others_dwon"),
    ("tie", "x" * 60),
    ("removed", "2C XD"),
    ("unpassable", "2C,2C,2C"),
    ("pass_cycle", "L"),
    ("pass_cycle", "1;2"),
    ("pass_cycle", "L3,1:x"),
    ("pass_cycle", "1:2:3"),
    ("pass_cycle", "x" * 60),
    ("heart_values", "two"),
    ("heart_values", "1,x"),
    ("extra_penalties", "KS"),
    ("extra_penalties", "KS:x"),
    ("extra_penalties", "XS:1"),
    ("extra_penalties", "KS:1:2"),
    ("bonuses", "JD"),
    ("bonuses", "JD:x"),
    ("bonuses", "JX:1"),
    ("doubler", "TC:1:2:3" + ":4" * 30),
    ("doubler", "TX"),
    ("doubler", "TC:x"),
    ("exact_resets", "100" * 20),
    ("exact_resets", "x:1"),
    ("exact_resets", "1:x"),
    ("exact_resets", "1:2:3"),
)
"""Names of fields, and texts that denote no value of them."""

RULES: Final = (
    "bicycle 5",
    "Bicycle-2 players=5",
    "target=50 tar",
    "target=50  tar=5",
    "target=50 =5",
    "PLAYERS=2 target=x",
    "players=12",
    "players= target=5",
    "target=1 Kitty-Shown-To=x",
    "pass_cycle=L3,L12 players=3",
    "teams=3 decks=3 tie=shared",
    "teams=3 decks=3 sun=yes moon=off",
    "teams=3 decks=3 sun=yes moon=off target=none",
    "unpassable=2C,3C,4X target=5",
    "removed=2C2D",
    "removed=2C,,3C",
    "removed=,2C",
    "removed=2C\u20032D",
    "pass_cycle=L3,",
    "exact_resets=,",
    "target=5\x0b",
    "\u212aitty=none",
    "target=5=6",
    "moon==off",
    "default " * 30,
)
"""Texts that denote no rule set, beside those of `test_notation`."""

LONG: Final = next(line for line in POSITIONS if "; trick 4:" in line)
"""A position of two decks, with the words `kitty` and `tricks`."""
ROWS: Final = next(line for line in POSITIONS if "/exposed=" in line)
"""A position with a row of the score sheet, shown cards and a middle."""
TEXTS: Final = {"short": SHORT, "exposing": EXPOSING, "middle": MIDDLE, "long": LONG, "rows": ROWS}

SPOILED: Final = (
    # One section where another is told, and what ends where its section does.
    ("short", "rules players=3", "rules; kitty C2; phase deal; deal 0;"),
    ("middle", "rules default;", "rules;"),
    ("middle", "rules default;", "rules default=;"),
    ("middle", "rules default;", "rules defaults;"),
    ("short", "moon=off;", "moon=off five;"),
    ("short", "moon=off;", "moon;"),
    ("short", "moon=off;", "moon=;"),
    ("short", "moon=off;", "moon=off players=2;"),
    ("short", "moon=off;", "moon=off moon=off;"),
    ("short", "moon=off;", "moon=off lune=off;"),
    ("short", "rules players=3", "rules nobody players=3"),
    ("short", "kitty=last-trick", "teams=2 kitty=none"),
    ("short", "hearts/1;", "\ufeffhearts/2;"),
    ("short", "hearts/1;", " hearts/1 1;"),
    ("short", "hearts/1;", "hearts 1; hearts/1;"),
    ("short", "phase play;", "phase;"),
    ("short", "phase play;", "phase plays;"),
    ("short", "phase play;", "phase play now then;"),
    ("short", "phase play;", "phases play;"),
    ("short", "phase play;", ""),
    ("short", "deal 0;", "deal;"),
    ("short", "deal 0;", "deal zero;"),
    ("short", "deal 0;", "deal " + "9" * 601 + ";"),
    ("short", "deal 0;", "deal 0; ; "),
    ("short", "deal 0;", "deal 0; hands -;"),
    ("short", "deal 0;", "deal 0;deal; deal 1;"),
    ("short", "deal 0;", "deal 0;novel; deal 1;"),
    ("short", "deal 0;", "deal 0; start;"),
    ("short", "deal 0;", "deal 0; start 0;"),
    ("short", "deal 0;", "deal 0; start 0 1:2;"),
    ("short", "deal 0;", "deal 0; start x:1,2;"),
    ("short", "deal 0;", "deal 0; start 0:1,,2;"),
    ("short", "deal 0;", "deal 0; start 0:;"),
    ("short", "deal 0;", "deal 0; start 0:1,2:Q;"),
    ("short", "deal 0;", "deal 0; start 0:1,x:Q1;"),
    ("short", "deal 0;", "deal 0; sheet 1/2;"),
    ("short", "deal 0;", "deal 0; sheet 1/2/3/4/5/6/7;"),
    ("short", "deal 0;", "deal 0; sheet x/2/3/4;"),
    ("short", "deal 0;", "deal 0; sheet 1/x/3/4;"),
    ("short", "deal 0;", "deal 0; sheet 1/=/x/4;"),
    ("short", "deal 0;", "deal 0; sheet 1/=/3/x;"),
    ("short", "deal 0;", "deal 0; sheet 1/=/3/4 1/=/x/4;"),
    ("short", "deal 0;", "deal 0; sheet 1/=/3/4/up;"),
    ("short", "deal 0;", "deal 0; sheet 1/=/3/4/2up**;"),
    ("short", "deal 0;", "deal 0; sheet 1/=/3/4/2up/3;"),
    ("short", "deal 0;", "deal 0; sheet 1/=/3/4/up/Q3;"),
    ("short", "deal 0;", "deal 0; sheet 1/=/3/4/exposed=-,?;"),
    ("short", "deal 0;", "deal 0; sheet 1/=/3/exposed=-;"),
    ("short", "hands H5 H3 -;", "hands H5 H3? -;"),
    ("short", "hands H5 H3 -;", "hands H5 3H3 -;"),
    ("short", "hands H5 H3 -;", "hands H5 -- -;"),
    ("short", "hands H5 H3 -;", "hands H55 H3 H35353;"),
    ("short", "hands H5 H3 -;", "hands H5 3H4H3H3H -;"),
    ("short", "kitty C", "kitty - C"),
    ("short", "kitty C", "kitty; aside C"),
    ("short", "passes 0:H3 1:H4", "passes 0:H3 H4"),
    ("short", "passes 0:H3 1:H4", "passes 0H3 1:H4"),
    ("short", "passes 0:H3 1:H4", "passes 0:H3 1:"),
    ("short", "passes 0:H3 1:H4", "passes 0:H3 1:nothing"),
    ("short", "passes 0:H3 1:H4", "passes 0:H3/ 1:H4/H5"),
    ("short", "passes 0:H3 1:H4", "passes 0:H3 -1:H4"),
    ("short", "passes 0:H3 1:H4", "passes 0:H3 3:H4"),
    ("short", "passes 0:H3 1:H4", "passes 0:H3 0:H4"),
    ("short", "tricks 1:3C4C2C:2", "tricks 1:3C4C2C:2 1:3C 2C:2"),
    ("short", "tricks 1:3C4C2C:2", "tricks 3C4C2C 1:3C4C2C:2"),
    ("short", "tricks 1:3C4C2C:2", "tricks 1:3C4C2C:"),
    ("short", "tricks 1:3C4C2C:2", "tricks :3C4C2C:2"),
    ("short", "tricks 1:3C4C2C:2", "tricks 1:3C4C2C:two"),
    ("short", "tricks 1:3C4C2C:2", "tricks 1:3C4C2C?:2"),
    ("short", "trick 2:4H", "trick"),
    ("short", "trick 2:4H", "trick 4H"),
    ("short", "trick 2:4H", "trick 2:"),
    ("short", "trick 2:4H", "trick two:4H"),
    ("short", "trick 2:4H", "trick 2:4H?"),
    ("short", "trick 2:4H", "trick 2:4H 3:5H"),
    ("short", "trick 2:4H", "exposures 0:H5 1H3"),
    ("short", "trick 2:4H", "exposures 0H5 1:H3"),
    ("short", "trick 2:4H", "exposures 0:H5 x:H3"),
    ("short", "trick 2:4H", "exposures 0:H5 1:H?"),
    ("short", "trick 2:4H", "exposures 0:H5 3:-"),
    ("short", "trick 2:4H", "exposures 0:H5 -1:-"),
    ("short", "trick 2:4H", "exposures 0:H5 0:-"),
    ("middle", "leader 0;", "leader;"),
    ("middle", "leader 0;", "leader nobody;"),
    ("middle", "leader 0;", "leader 0 1;"),
    ("middle", "leader 0;", "leader 0; taker;"),
    ("middle", "leader 0;", "leader 0; taker x;"),
    ("middle", "leader 0;", "leader 0; aside;"),
    ("middle", "leader 0;", "leader 0; aside x;"),
    ("middle", "leader 0;", "leader 0; led CDX;"),
    ("middle", "leader 0;", "leader 0; led C\u017f;"),
    ("middle", "leader 0;", "leader\u20030;"),
    ("middle", "leader 0;", "leader 0; led;"),
    ("middle", "leader 0;", ""),
    ("middle", "won 12,0,0,0;", "won;"),
    ("middle", "won 12,0,0,0;", "won 12,0,0,;"),
    ("middle", "won 12,0,0,0;", "won 12,0 0,0;"),
    ("middle", "broken yes", "broken"),
    ("middle", "broken yes", "broken maybe"),
    ("middle", "captured C", "captured; aside C"),
    ("short", "hands H5 H3 -;", "hands;"),
    ("short", "tricks 1:3C4C2C:2;", "tricks;"),
    ("middle", "captured C", "captured X"),
    ("middle", "captured C", "captives C"),
    ("rows", "sheet 29,0,6,4", "sheet 29,0,6,?"),
    ("rows", "/Q0/exposed", "/Qx/exposed"),
    ("rows", "exposed=SQ,", "exposed=S,"),
    ("rows", "exposed - SQ", "exposed - S"),
    ("long", "kitty D8HA", "kitty"),
    ("long", "kitty D8HA", "kitty D8HAHAHA"),
)
"""In which text what is replaced by what."""

HEAD: Final = "Hearts/1\nRules: default\n"
RECORDS: Final = (
    "Hearts/1 now",
    "\ufeff \ufeffHearts/1",
    "   Hearts/2\n",
    "Hearts/1\nResult: *",
    "Hearts/1\n12",
    "Hearts/1\nRules:\n",
    "Hearts/1\nRules: default target\n",
    "Hearts/1\nRules: default {one} target=x\n",
    HEAD + "Rules: default",
    HEAD + "?",
    HEAD + "Bidding: 12",
    HEAD + "Deal: -",
    HEAD + "Deal 1: -",
    HEAD + "Deal 0 -",
    HEAD + "Deal 0: ? -",
    HEAD + "Deal 0: kitty C2",
    HEAD + "Deal 0: - kitty ?",
    HEAD + "Deal 0: - kitty C2 C3",
    HEAD + "Deal 0: -\n\nDeal 0: -",
    HEAD + "Deal 0: - {over\ntwo lines}",
    HEAD + "Deal 0: {over\ntwo lines} -",
    HEAD + "Rules",
    "Hearts/1\nRules=default",
    HEAD + "Pass0:H2",
    HEAD + "Result*",
    HEAD + "Result: ,",
    HEAD + "Result: 0,,1",
    HEAD + "Points 0: ,1",
    HEAD + "Points 0: 0 , 1",
    HEAD + "Trick 0: 0:2C\u20033C",
    HEAD + "Deal 0: - \u212aitty -",
    HEAD + "Pass: 0",
    HEAD + "Pass: 0:H2 H3",
    HEAD + "Pass: 0:H2 x:H3",
    HEAD + "Pass: 0:H2/? 1:H3",
    HEAD + "Expose: 0:H2 H3",
    HEAD + "Expose: 0:H2 x:H3",
    HEAD + "Expose: 0:H2? 1:H3",
    HEAD + "Trick: 0:2C",
    HEAD + "Trick 1: 0:2C",
    HEAD + "Trick 0: 2C",
    HEAD + "Trick 0: 0:2C 3C\nTrick 1: 4C",
    HEAD + "Trick 0: 0:2C 3?",
    HEAD + "Trick 0: 0:2C x:3C",
    HEAD + "Trick 0: 0:2C 1:3? 2:4C",
    HEAD + "Trick 0: 0:2C [Event",
    HEAD + "Trick 0: 0:2C\n" + '[Event "late"]',
    HEAD + "[Event late] {so it is}",
    HEAD + '[Event "late"',
    HEAD + "Moon:",
    HEAD + "Moon: 1",
    HEAD + "Moon: 1 others-up and down",
    HEAD + "Moon: x others-up",
    HEAD + "Moon: 1 others",
    HEAD + "Points: 1",
    HEAD + "Points 1: 1",
    HEAD + "Points 0: 1,x 2",
    HEAD + "Points 0: 1 2,3x",
    HEAD + "Result:",
    HEAD + "Result: * *",
    HEAD + "Result: - 0",
    HEAD + "Result: 0,x",
    HEAD + "{never\nclosed\n",
    HEAD + "Trick 0: 0:2C {never\n" + HEAD + "Result: *",
    HEAD + "Trick 0: 0:2C",
    HEAD + "Trick 0: 0:2C\n" + HEAD + "Result: *",
    HEAD + "Result: *\n\nTrick 0: 0:2C",
    HEAD + "Result: *\n" + HEAD + "Result: *",
    HEAD + "Trick 0: 0:2C {" + "x" * 80 + "} ?" + " 3C" * 40,
)
"""Texts that are not one record."""

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
    (TINY, {"max_bytes": 8}),
    (TINY, {"max_bytes": 200}),
    (TINY.replace("x", "♠" * 50), {"max_bytes": 200}),
)
"""Texts that are longer than a reader may read."""


def broken() -> Iterator[tuple[str, str, Callable[[], object]]]:
    """What is broken and how, in words; the text; and the call that is refused."""
    for name, text in FIELDS:
        yield f"field {name}={in_words(text)}", text, partial(parse_field, name, text, 4)
    for word in ("", "maybe", "maybe " * 20):
        yield f"bool {word!r}", word, partial(parse_bool, word)
    for text in (*[text for text, *_ in NO_RULES], *RULES):
        yield f"rules {in_words(text)}", text, partial(parse_rules, text)
    told = (("short", NO_POSITION), ("exposing", NO_EXPOSING), ("middle", NO_MIDDLE))
    changes = [*[(name, row[0], row[1]) for name, rows in told for row in rows], *SPOILED]
    for name, old, new in changes:
        text = TEXTS[name].replace(old, new, 1)
        assert text != TEXTS[name], (name, old)
        yield f"{name} {old[:40]!r} > {new[:40]!r}", text, partial(parse_setup, text)
    for most in (20, 0, -1):
        yield f"short, {most} bytes", SHORT, partial(parse_position, SHORT, max_bytes=most)
    yield "symbols, 20 bytes", "♠" * 20, partial(parse_setup, "♠" * 20, max_bytes=20)
    for old, new, *_ in NO_RECORD:
        text = TINY.replace(old, new, 1)
        yield f"record {old[:40]!r} > {new[:40]!r}", text, partial(parse_record, text)
    for text in RECORDS:
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
        except ValueError as error:
            yield f"{name}: {error}"
        else:
            raise AssertionError(f"{name} is read")


def test_a_refusal_shows_what_stands_around_its_place() -> None:
    for name, text, call in broken():
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            call()
        error = caught.value
        if not isinstance(error, InvalidNotation) or name.startswith("field"):
            continue
        lines = re.split("\r\n|\r|\n", text)
        # Where there is no game at all, no line is to blame.
        line = "" if error.expected == "Hearts/1" and not error.found else lines[error.line - 1]
        at = error.column - 1
        if name.startswith(("rules", "record '")):
            assert error.text == line[max(at - EXCERPT, 0) : at + EXCERPT], name
            assert error.position == min(at, EXCERPT), name
        assert line[at:].startswith(error.found), name
        assert len(error.found) <= EXCERPT
        assert str(error) == f"{error.reason}, at line {error.line}, column {error.column} of {error.text!r}"


def test_every_broken_record_is_refused_alike_from_a_file_and_line_by_line() -> None:
    """With whatever ends of lines; and a scan says what the reader of one record raises."""

    def told(error: InvalidNotation) -> tuple[object, ...]:
        return error.text, error.position, error.reason, error.line, error.column, error.expected, error.found

    texts = [*[TINY.replace(old, new, 1) for old, new, *_ in NO_RECORD], *RECORDS]
    for text in texts:
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
