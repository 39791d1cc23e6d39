"""Long texts of one kind of thing: every reader takes time in proportion to them, and a bounded memory for each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

import heartsrules
from heartsrules import Card, Cards, Event, HeartsError, Move, Rules, State
from heartsrules.formats.foreign.turbo_hearts import read_turbo_hearts
from heartsrules.formats.foreign.xinxin import read_xinxin
from heartsrules.formats.notation import (
    format_position,
    parse_evaluation,
    parse_position,
    parse_rules,
    parse_setup,
    parse_variation,
    scan_records,
)
from heartsrules.formats.wire import from_json

COUNT: Final = 200_000
"""Of what is repeated. What takes the square of it takes hours."""
SECONDS: Final = 60
"""The processor time of a child for each reader; the slowest texts take some seconds."""
GAME: Final = "Hearts/1\nRules: default\n"
HEAD: Final = '"heartsrules":1,"kind":'
SETUP: Final = "hearts/1; rules default; phase play; deal 0; "
DEAL: Final = json.dumps(
    {"type": "deal", "pass": "left", "north": ["2C"], "east": ["3C"], "south": ["4C"], "west": ["5C"]}
)


def _scan(text: str) -> None:
    for _ in scan_records(text):
        pass


def _document(text: str) -> None:
    for kind in (Rules, Move, State, tuple[Event, ...]):
        with suppress(HeartsError):
            from_json(text, kind)


def _event(**fields: Any) -> str:
    return json.dumps(fields)


READERS: Final[dict[str, tuple[Callable[[str], object], list[tuple[str, str, str]]]]] = {
    "records": (
        _scan,
        [
            *[("", text, "") for text in ("\n", "\r", " ", " \n", "%\n", "x", "x\n", "\0", "a", "Hearts/1 ", "{", ";")],
            *[("Hearts/1\n", text, "") for text in ('[A "b"]\n', '[A "b"]', "\n", "% \n")],
            *[("Hearts/1\n[", text, "") for text in (" ", "A", "1")],
            ('Hearts/1\n[A "', "\\", ""),
            ("Hearts/1\nRules: ", "a=1 ", ""),
            ("Hearts/1\nRules: ", "a", "=1"),
            *[(GAME, text, "") for text in ("\n", " \n", "{", "{}", "{}\n", ";\n", "}", "Trick 0:", "Result:")],
            *[(f"{GAME}{{", text, "") for text in ("\n", "x", "\\", "\\u", "x\n")],
            *[(f"{GAME}Deal 0: ", text, "\nResult: *\n") for text in ("QS", "- ", "S", "2C,")],
            (f"{GAME}Deal 0: S", "Q", ""),
            *[(f"{GAME}Pass: 0:", text, "\nResult: *\n") for text in ("2C/", "2C ", "/")],
            (f"{GAME}Trick 0: 0:", "2C ", "\nResult: *\n"),
            *[(f"{GAME}Points 0: ", text, "1\n") for text in ("1,", "1 ", ",")],
            (f"{GAME}Moon: ", "1 ", ""),
            (f"{GAME}Result: ", "1 ", "\n"),
            (f"{GAME}Points 0: ", "9", "\n"),
            ("", f"{GAME}Trick 0: 0:2C 3C\nResult: *\n", ""),
            ("Hearts/1\n", "[", ""),
        ],
    ),
    "positions": (
        parse_setup,
        [
            *[("", text, "") for text in (" ", ";", "hearts/1;", "\n")],
            *[(f"{SETUP}{name} ", text, "") for name in ("hands", "back", "exposed") for text in ("- ", "QS", "S")],
            (f"{SETUP}tricks ", "0:2C:0 ", ""),
            (f"{SETUP}trick 0:", "2C", ""),
            *[(f"{SETUP}sheet ", text, "") for text in ("1,2/=/1/2 ", "/", "1,", "1/2/3/4/exposed=-,")],
            *[(f"{SETUP}captured -; leader 0; led ", text, "") for text in ("C", "x")],
            *[(f"{SETUP}captured ", "- ", "; leader 0"), (f"{SETUP}passes 0:", "/", ""), ("", "x", "")],
            ("hearts/1; rules default; phase play; deal 200000; sheet ", "0,0,0,0/=/1,1,0,0/0,0,0,0 ", ""),
        ],
    ),
    "rules": (parse_rules, [("", text, "") for text in ("a", "a=", "players=", " ", "=")]),
    "rules with long fields": (
        lambda text: parse_rules(text[:100_000]),
        [
            (f"{name}=", text, "")
            for name in ("pass_cycle", "bonuses", "removed", "exact_resets")
            for text in ("L3,", "L9,", "QS:1,", "QS,", "+", "5:1,")
        ],
    ),
    "cards": (Cards, [("", text, "") for text in ("QS ", "x", " ")]),
    "a card": (Card, [("", text, "") for text in ("Q", " ")]),
    "evaluations": (
        parse_evaluation,
        [
            ("", " ", ""),
            ("[%cost best", " ", "x"),
            ("[%cost best points", " 1", ""),
            ("[%cost best points 1 1 1 win 1 1 1", " ", "x"),
        ],
    ),
    "variations": (parse_variation, [("[%line ", text, "]") for text in ("play 0:2C ", " ", "0:2C ", "play ")]),
    "documents": (
        _document,
        [
            *[(f'{{{HEAD}"rules","pass_cycle":[', text, "[]]}") for text in ("[[1,3]],", "[[0,99]],")],
            (f'{{{HEAD}"rules","bonuses":[', '{"card":"JD","points":10},', "0]}"),
            (f'{{{HEAD}"events","events":[', "7,", "7]}"),
            *[("{", text, '"seat":1}') for text in ('"seat":1,', '"k":1,', '"move":"play",')],
            *[(f'{{{HEAD}"state","tricks":[', text, "0]}") for text in ("{},", "0,")],
        ],
    ),
    "xinxin": (
        read_xinxin,
        [
            *[("", text, "") for text in (" ", "\n", "1 ", "0 ", "1", "x", "-", "0\na b c 0\n")],
            *[("1\n1\n", text, "") for text in (" ", "x ", "\t\n", "x")],
            ("1\n1\na", " ", "b c\n"),
            (f"1\n1\na{' ' * COUNT}", "b", " c\n"),
            (f"{COUNT}\n", "0\na b c 0\n", ""),
        ],
    ),
    "turbo-hearts": (
        read_turbo_hearts,
        [
            *[("", text, "") for text in (" ", "\n", ":\n", "id:", "data:\n", "[", "[]", '"', "1", "1 ", "data: ")],
            ("", _event(type="chat"), ""),
            ("", _event(type="sit", rules="classic", north={}, east={}, south={}, west={}), ""),
            *[(DEAL, _event(type="charge", seat="north", cards=cards), "") for cards in ([], ["QS"])],
            (
                DEAL,
                "".join([_event(type="charge", seat=seat, cards=[]) for seat in ("north", "east")]),
                _event(type="play", seat="north", card="2C"),
            ),
            (DEAL, _event(type="reveal_charges", north=["QS"], east=["QS"], south=[], west=[]), ""),
            (DEAL, _event(type="send_pass", **{"from": "north"}, cards=[]), ""),
            (DEAL, _event(type="claim", seat="north"), ""),
            ('"', "\\", ""),
            ('{"hands":', "[", ""),
        ],
    ),
}


def read_all(name: str) -> None:
    """Read the texts of a reader; called in a child."""
    read, texts = READERS[name]
    for before, repeated, after in texts:
        for count in (COUNT // 10, COUNT):
            text = f"{before}{repeated * count}{after}"
            try:
                read(text)
            except HeartsError:
                continue


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="limits as POSIX has them")
@pytest.mark.parametrize("name", READERS)
def test_reading_takes_time_in_proportion(name: str) -> None:
    import resource

    command = "import sys; from test_long_texts import read_all; read_all(sys.argv[1])"
    paths = [Path(heartsrules.__file__).parents[1], Path(__file__).parent, Path(__file__).parents[1]]
    done = subprocess.run(
        [sys.executable, "-c", command, name],
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_CPU, (SECONDS, SECONDS)),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-500:]


def test_every_text_is_read_or_refused() -> None:
    """Short ones, here: nothing but the documented errors comes of them."""
    for read, texts in READERS.values():
        for before, repeated, after in texts:
            for count in (0, 1, 2, 50):
                try:
                    read(f"{before}{repeated * count}{after}")
                except HeartsError:
                    continue
    position = "hearts/1; rules players=3 removed=2D; phase deal; deal 0"
    assert format_position(parse_position(position)) == position
