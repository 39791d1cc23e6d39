"""Broken documents: every problem of each, with its place, its code and what its sentence is filled in with.

The file `data/refused_documents.txt` has changes of samples and rule sets, too: to add one, write the list at the
beginning of a line, such as `["state-passing", {"/phase": "play"}]`, and have the answer written by `nox -s generate`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Final

import attrs
import pytest

from heartsrules import (
    Card,
    Cards,
    Expose,
    InvalidWire,
    Move,
    Phase,
    Play,
    Problem,
    Rules,
    State,
    legal_moves,
    to_act,
    transition,
)
from heartsrules.formats.wire import MAX_BYTES, from_json, judge, to_json
from heartsrules.formats.wire.parts import Bags, SeatNumber, object_parts, problem_params, read_part, write_part
from heartsrules.messages import arguments, text
from heartsrules.play.game import Record
from heartsrules.rules import Moon
from heartsrules.setup import DealSetup, Setup
from support.refused_lines import cases
from test_wire import GONE, PLAY, SAMPLES, VALIDATORS, changed, places

MOST: Final = 8
"""How many problems of a document are written."""

SAID_OTHERWISE: Final = (
    "state-awaiting-deal-shown",
    "state-choosing-moon",
    "state-dealing-back",
    "state-exposing",
    "state-game-over",
    "state-passing",
    "state-playing-shown-without-history",
    "view-awaiting-deal-shown",
    "view-choosing-moon",
    "view-dealing-back",
    "view-exposing",
    "view-game-over",
    "view-passing",
    "view-playing-shown-without-history",
    "record",
    "rules-unusual",
    "transition",
)
"""The samples of which every part is changed, one after the other."""

SETUPS: Final[dict[str, Any]] = {
    "has_full_history": None,
    "scores": None,
    "kitty": None,
    "leader": None,
    "turn": None,
    "hearts_broken": None,
    "shooter": 1,
    "winners": (0,),
    "effect": Moon.OTHERS_UP,
    "first": 3,
    "queen_taker": 2,
    "passes": (None, None),
    "exposures": (Expose(1, Cards()),),
    "exposed": (Cards("QS"),),
    "trick": (Play(1, Card("2C")), Play(1, Card("2C"))),
    "last_deal": DealSetup(),
    "deal_number": -1,
}
"""By the parts of a setup, another value: one that no document says in every phase, or that is missing."""


HOSTILE: Final[dict[str, bytes | str]] = {
    "nothing": b"",
    "white space": b"  ",
    "byte order mark": b"\xef\xbb\xbf" + PLAY,
    "byte order mark in text": "\ufeff" + PLAY.decode(),
    "garbage before": b"x" + PLAY,
    "garbage after": PLAY + b"x",
    "two documents": PLAY + PLAY,
    "cut": PLAY[:-1],
    "trailing comma": PLAY[:-1] + b",}",
    "a comment": PLAY + b"// said",
    "single quotes": PLAY.replace(b'"', b"'"),
    "NaN": PLAY.replace(b"2", b"NaN"),
    "Infinity": PLAY.replace(b"2", b"Infinity"),
    "leading zero": PLAY.replace(b"2", b"02"),
    "an exponent": PLAY.replace(b"2", b"2e0"),
    "minus zero is zero": PLAY.replace(b"2", b"-0.0"),
    "beyond a double": PLAY.replace(b":2", b":1e999"),
    "a huge integer": PLAY.replace(b":2", b":" + b"9" * 100_000),
    "a large integer": PLAY.replace(b":2", b":" + b"9" * 40),
    "a huge text": PLAY.replace(b"AH", b"A" * 1_000_000),
    "a huge key": PLAY.replace(b"seat", b"s" * 1_000_000),
    "no UTF-8": PLAY.replace(b"AH", b"\xff\xfe"),
    "half a surrogate": PLAY.replace(b"AH", b"\\ud800"),
    "half a surrogate in UTF-8": PLAY.replace(b"AH", b"\xed\xa0\x80"),
    "half a surrogate in text": PLAY.decode().replace("AH", "\ud800"),
    "a control character": PLAY.replace(b"AH", b"A\nH"),
    "a null": b"null",
    "an array": b"[]",
    "nested arrays": b"[" * 100_000 + b"]" * 100_000,
    "nested in a field": PLAY.replace(b'"AH"', b"[" * 100_000 + b"]" * 100_000),
    "nested in an unknown key": PLAY[:-1] + b',"x":' + b'{"x":' * 100_000 + b"1" + b"}" * 100_001,
    "a key twice": PLAY.replace(b'"seat":2', b'"seat":1,"seat":2'),
    "a key twice, escaped": PLAY.replace(b'"seat":2', b'"s\\u0065at":1,"seat":2'),
    "the tag twice": PLAY[:-1] + b',"move":"play"}',
    "too long": b" " * (MAX_BYTES + 1),
}
"""Documents that nobody writes who means well."""


def other(value: Any) -> Any:
    """Another value of the same type, that is mostly not possible there."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return 10
    if isinstance(value, str):
        return "2C" if value.isupper() or not value else "?"
    if isinstance(value, list):
        return value[:-1]
    return {**value, "novel": 1} if isinstance(value, dict) else 10


def said_otherwise(tree: Any) -> Iterator[tuple[str, Any]]:
    """One part of each kind of a document, but for its options, and what else could stand there."""
    tree = {key: value for key, value in tree.items() if key != "rules"}
    seen: set[str] = set()
    for place, value in places(tree):
        kind = re.sub(r"/[0-9]+", "/#", place)
        instead = other(value)
        if kind not in seen and place.count("/") < 5 and instead != value:
            seen.add(kind)
            yield place, instead


def wholly(changes: dict[str, Any]) -> str:
    """The changes of a document, in a few words."""
    told = ", ".join([f"{place} {json.dumps(value)}" for place, value in changes.items()])
    return told if len(told) <= 80 else f"{told[:80]}..."


def document(name: str, changes: dict[str, Any]) -> str:
    """The document of a sample, in which something else stands at some places; or of a rule set."""
    if name == "rules":
        return json.dumps({"heartsrules": 1, "kind": "rules", **changes})
    tree = json.loads(to_json(SAMPLES[name][0]))
    for place, instead in changes.items():
        if "~" in place:
            tree["a/b"] = instead
        else:
            tree = changed(tree, place, GONE if instead == "(gone)" else instead)
    return json.dumps(tree)


def spoiled(name: str, changes: dict[str, Any]) -> Callable[[], object]:
    """The call that reads a sample in which something else stands at some places, or a rule set."""
    return partial(from_json, document(name, changes), Rules if name == "rules" else SAMPLES[name][1])


def broken() -> Iterator[tuple[str, Callable[[], object]]]:
    """What is broken and how, as the file says it or in words; and the call that is refused, if it is."""
    for name, changes in cases("refused_documents"):
        fits = " (fits the schema)" if name == "rules" and fits_schema(document(name, changes)) else ""
        yield json.dumps([name, changes]) + fits, spoiled(name, changes)
    for name, changes in (
        ("rules", {"bonuses": [{"card": "JD", "points": 10}] * 53}),
        ("state-playing-middle", {"/hands/2": "QS " * 200}),
    ):
        yield f"{name} {wholly(changes)}", spoiled(name, changes)
    for name in SAID_OTHERWISE:
        for place, value in said_otherwise(json.loads(to_json(SAMPLES[name][0]))):
            yield f"{name} {wholly({place: value})}", spoiled(name, {place: value})
    for name, data in HOSTILE.items():
        yield f"hostile: {name}", partial(from_json, data, Move)
    yield from _unwritable()
    yield from _parts()


def _unwritable() -> Iterator[tuple[str, Callable[[], object]]]:
    """Values that no document can express."""
    for value in (
        Play(2**53, Card("AH")),
        Record(rules=Rules(), tags=[("Event", "\ud800")]),
        Record(rules=Rules(), comments=[(-1, "before the start")]),
        Record(rules=Rules(), moves=[Play(0, Card("2C")), Play(-(2**60), Card("2C"))], points=[(1, 2**53)]),
        Setup(phase=Phase.DEAL, rules=Rules()),
        Setup(phase=Phase.PLAY, rules=Rules(), hands=(Cards(),) * 4),
    ):
        yield f"unwritable: {str(value)[:60]!r}", partial(to_json, value)
    for name in ("state-playing-middle", "state-awaiting-deal", "state-choosing-moon", "state-exposing"):
        told = Setup.of(SAMPLES[name][0])
        for part, instead in SETUPS.items():
            yield f"setup {name} {part}", partial(_with_part, told, part, instead)


def _with_part(told: Setup, name: str, value: Any) -> bytes:
    """The document of a setup with another value of one part."""
    return to_json(attrs.evolve(told, **{name: value}))


def _parts() -> Iterator[tuple[str, Callable[[], object]]]:
    """What stands around documents."""
    for data in (
        b"",
        b"{",
        b"[]",
        b"3",
        b'{"a":1,"a":2}',
        b'{"a":{"b":1,"b":2},"a~/b":[{"c":1,"c":1}]}',
        b'{"a":1,"b":[' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"]}",
        b'{"a":"\xff"}',
        b'{"\xff":1}',
        b'{"a":%s,"a":1}' % (b"9" * 5000),
        b'{"a" :1, "b": ":", "a": 2}',
    ):
        yield f"object {data[:40]!r}", partial(object_parts, data)
    for data, kind in (
        (b"11", SeatNumber),
        (b"-1", SeatNumber),
        (b'"3"', SeatNumber),
        (b"x", SeatNumber),
        (b"3 3", SeatNumber),
        (b'"\xff"', SeatNumber),
        (b'"QS"', Bags),
        (b'["QS","X",3,"2C 2C 2C"]', Bags),
    ):
        yield f"part {data!r}", partial(read_part, data, kind)


@cache
def refused() -> tuple[tuple[str, tuple[Problem, ...]], ...]:
    """What is broken, and the problems of it: none, if it is possible after all."""
    found: list[tuple[str, tuple[Problem, ...]]] = []
    for name, call in broken():
        try:
            call()
        except InvalidWire as error:
            found.append((name, error.problems))
        else:
            found.append((name, ()))
    return tuple(found)


def in_line(problem: Problem) -> str:
    """A problem without its sentence, which follows from the rest."""
    code = f"{problem.code}.{problem.detail}" if problem.detail else problem.code
    # How a document is wrong that is no JSON, versions of Python say otherwise.
    told = () if problem.code == "malformed" else problem.params
    params = " ".join([f"{name}={value!r}" for name, value in told])
    return " ".join([*[field or "all" for field in problem.fields], code, *[params] * bool(params)])


def lines() -> Iterator[str]:
    """A line for each broken document."""
    for name, problems in refused():
        told = "; ".join(map(in_line, problems[:MOST])) or "possible"
        yield f"{name}: {told}{' ...' if len(problems) > MOST else ''}"


def fits_schema(text: str) -> bool:
    tree = json.loads(text)
    return VALIDATORS[tree["kind"]].is_valid(tree)


def test_a_refusal_has_a_message_of_bounded_length() -> None:
    for _, problems in refused():
        assert all(isinstance(problem.fields[0], str) and problem.message for problem in problems)
        assert len(str(InvalidWire(problems))) < 2000


OF_RULES: Final = [changes for name, changes in cases("refused_documents") if name == "rules"]


@pytest.mark.parametrize("options", OF_RULES)
def test_the_rules_of_a_state_are_refused_as_those_that_stand_alone(options: dict[str, Any]) -> None:
    alone = document("rules", options)
    within = document("state-awaiting-first-deal", {"/rules": options})
    with pytest.raises(InvalidWire) as caught:
        from_json(alone, Rules)
    with pytest.raises(InvalidWire) as again:
        from_json(within, State)
    told, told_within = [[(each.fields[0], each.code) for each in error.value.problems] for error in (caught, again)]
    assert told_within == [(f"/rules{place}", code) for place, code in told]
    assert fits_schema(within) == fits_schema(alone)


OF_STATES: Final = [case for case in cases("refused_documents") if case[0].startswith("state-")]


@pytest.mark.parametrize(("name", "changes"), OF_STATES[:17:6])
def test_the_judge_says_what_a_reader_says(name: str, changes: dict[str, Any]) -> None:
    state = document(name, changes)
    with pytest.raises(InvalidWire) as caught:
        from_json(state, State)
    told = json.loads(judge(state, PLAY[:-1], has_full_history=False))
    assert (told["heartsrules"], told["kind"], told["ok"]) == (1, "judgement", False)
    *said, last = told["problems"]
    assert said == [
        {"document": "state", "place": each.fields[0], "code": each.code, "message": text(each)}
        | ({"params": params} if (params := json.loads(write_part(problem_params(each)))) else {})
        | ({"detail": each.detail} if each.detail else {})
        | ({"arguments": filled} if (filled := arguments(each)) else {})
        for each in caught.value.problems
    ]
    assert (last["document"], last["place"], last["code"], last["detail"]) == ("move", "", "malformed", "json")


def test_the_judge_refuses_a_state_that_does_not_tell_its_history() -> None:
    state = to_json(SAMPLES["state-playing-without-history"][0])
    problem = {"document": "state", "place": "/has_full_history", "code": "not-whole", "detail": "argument"}
    message = "a part of the history is missing: add it, or set has_full_history=False"
    assert json.loads(judge(state, PLAY)) == {
        "heartsrules": 1,
        "kind": "judgement",
        "ok": False,
        "problems": [{**problem, "message": message}],
    }
    assert "violations" in json.loads(judge(state, PLAY, has_full_history=False))


@pytest.mark.parametrize("name", ["state-passing", "state-exposing", "state-playing-middle", "state-choosing-moon"])
def test_the_judge_tells_what_a_legal_move_leads_to(name: str) -> None:
    state = SAMPLES[name][0]
    seat = min(to_act(state))
    move = legal_moves(state, seat)[0]
    moved = transition(state, move)
    assert json.loads(judge(to_json(state), to_json(move))) == {
        "heartsrules": 1,
        "kind": "judgement",
        "ok": True,
        "state": json.loads(to_json(moved.state)),
        "events": json.loads(to_json(moved.events))["events"],
    }
