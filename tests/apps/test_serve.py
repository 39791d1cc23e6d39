"""`heartsrules serve`: each operation says what the library says, over both transports, and refusals are typed."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import gc
import json
import signal
import socket
import sys
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from functools import partial, reduce
from pathlib import Path
from random import Random
from types import FrameType
from typing import Annotated, Any, cast

import attrs
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import heartsrules
from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    Deal,
    Exposing,
    InvalidState,
    Move,
    Passing,
    Play,
    Playing,
    Rules,
    State,
    advance,
    apply,
    deal,
    legal_moves,
    messages,
    new_game,
    presets,
    public_view,
    redact,
    score_deal,
    to_act,
    transition,
    view,
    why_illegal,
    why_illegal_cards,
)
from heartsrules.apps.command_line.serve import listening
from heartsrules.apps.serve import CLIENTS, OPERATIONS, Service, printed
from heartsrules.apps.serve.declaring import Result, declare
from heartsrules.apps.serve.http import HttpApp, HttpLimits
from heartsrules.apps.serve.lines import answer_lines
from heartsrules.apps.serve.openapi import example_request, example_response, openapi
from heartsrules.chance import SeededBits
from heartsrules.formats.notation import format_position, format_record
from heartsrules.formats.wire import from_json, to_json
from heartsrules.formats.wire.parts import rules_in_full
from heartsrules.messages import catalogue, describe, languages
from heartsrules.messages import text as sentence
from heartsrules.pictures import svg
from heartsrules.pictures.diagrams import diagram
from heartsrules.play.events import HeartsBroken
from heartsrules.play.game import Record, verify
from heartsrules.rules import Bonus, Exposure, Kitty, Moon
from heartsrules.setup import Setup, check
from heartsrules.views import AwaitingDealView, PlayingView, View
from heartsrules.views.worlds import sample_world
from support import commands, wire_schemas
from support.history import forgotten
from support.serving import OURS, ask_app, ask_lines, endless, lines_in, reply_of, running_http, running_lines

pytestmark = pytest.mark.once_compiled

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

RULES = Rules(players=3, kitty=Kitty.FIRST_POINT, moon=Moon.CHOICE, max_deals=2, target=None)
START = new_game(RULES)
DEAL = deal(START, seed="tests")
PASSING = apply(START, DEAL)
assert isinstance(PASSING, Passing)
PASSES = [legal_moves(PASSING, seat)[seat] for seat in range(3)]
PLAYING = reduce(apply, PASSES, cast("State", PASSING))
assert isinstance(PLAYING, Playing)
PLAY = legal_moves(PLAYING)[0]
WRONG = next(move for card in PLAYING.hands[PLAYING.turn] if why_illegal(PLAYING, move := Play(PLAYING.turn, card)))
SHOWING = new_game(Rules(exposable="QS AH", exposure=Exposure.TOGETHER, pass_cycle=[()], max_deals=1, target=None))
EXPOSING = apply(SHOWING, deal(SHOWING, seed="tests"))
assert isinstance(EXPOSING, Exposing)
RECORD = Record(rules=RULES, moves=[DEAL, *PASSES, PLAY])
PILES = [Cards("2S 3S AS QS"), Cards("2H 3H 4H 5H"), Cards()]
SCORED: dict[str, Any] = {"captured": [*PILES, Rules().deck - PILES[0] - PILES[1]], "tricks_won": [1, 1, 0, 11]}


def after_tricks(state: State, tricks: int) -> Playing:
    while isinstance(state, Playing) and state.trick_number < tricks:
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, Playing)
    return state


MIDDLE = apply(after_tricks(PLAYING, 6), legal_moves(after_tricks(PLAYING, 6))[0])
"""After the first play of a trick, with points in some piles."""
DEALT_OUT = reduce(lambda state, _: apply(state, legal_moves(state)[0]), range(3 * 17), cast("State", PLAYING))
"""After a deal, before the next one."""
assert isinstance(DEALT_OUT, AwaitingDeal)


def document(value: object) -> Any:
    return json.loads(to_json(value))


def seen(shown: View) -> dict[str, Any]:
    so_far: dict[str, Any] | None = None
    if isinstance(shown, (PlayingView, AwaitingDealView)):
        played = shown if isinstance(shown, PlayingView) else shown.last_deal
        if played is not None:
            so_far = {
                "winning_seat": shown.winning_seat if isinstance(shown, PlayingView) else None,
                "card_points": list(played.card_points),
                "side_card_points": list(played.side_card_points),
            }
    return {"view": document(shown), "so_far": so_far}


def moved(state: State, move: Move, views: bool = False) -> dict[str, Any]:
    result = transition(state, move)
    seats = (*range(state.rules.players), None)
    return {
        "move": document(move),
        "state": document(result.state),
        "events": document(result.events),
        "updates": [
            {
                "seat": seat,
                "events": document(redact(result.events, seat)),
                **(
                    seen(public_view(result.state) if seat is None else view(result.state, seat))
                    if views
                    else {"view": None, "so_far": None}
                ),
            }
            for seat in seats
        ],
        "to_act": sorted(to_act(result.state)),
    }


def rule_set(rules: Rules) -> dict[str, Any]:
    return {
        "rules": document(rules),
        "full": json.loads(rules_in_full(rules)),
        "deck": str(rules.deck),
        "cards_per_hand": rules.cards_per_hand,
        "kitty_size": rules.kitty_size,
        "penalty_total": rules.penalty_total,
    }


def listed(values: Any) -> list[Any]:
    return [document(value) for value in values]


def dimmed(asked: Any, seat: int | None = None) -> dict[str, Any]:
    found = why_illegal_cards(asked, seat)
    return {"cards": [{"card": str(card), "violations": listed(reasons)} for card, reasons in found]}


def worlds(seed: str | int, count: int) -> list[Any]:
    rng = SeededBits(seed, "protocol")
    return listed([sample_world(view(PLAYING, 1), rng) for _ in range(count)])


def spelled(value: Any) -> Any:
    """A value of an option of a preset as documents spell it."""
    if isinstance(value, tuple):
        return [
            {"card": str(item.card), "points": item.points} if isinstance(item, Bonus) else list(item) for item in value
        ]
    return value.value if isinstance(value, Enum) else str(value) if isinstance(value, Cards) else value


VERDICT = verify(RECORD)
CASES: list[tuple[str, dict[str, Any], Callable[[], Any]]] = [
    (
        "presets",
        {},
        lambda: {
            "presets": [
                {
                    "name": each.name,
                    "source": each.source,
                    "summary": each.summary,
                    "players": list(each.players),
                    "default_players": each.default_players,
                    "options": [
                        {
                            "name": option.name,
                            "kind": option.kind,
                            "choices": [spelled(value) for value in option.choices],
                            "optional": option.optional,
                            "default": spelled(option.default),
                        }
                        for option in each.offers
                    ],
                }
                for each in presets.ALL.values()
            ]
        },
    ),
    ("preset", {"name": "bicycle"}, lambda: rule_set(presets.bicycle(4))),
    ("preset", {"name": "bicycle", "players": 5}, lambda: rule_set(presets.bicycle(5))),
    (
        "preset",
        {"name": "dicegamedepot", "players": 5, "options": {"passing": True, "moon": "choice", "target": 50}},
        lambda: rule_set(presets.dicegamedepot(5, passing=True, moon=Moon.CHOICE, target=50)),
    ),
    ("preset", {"name": "whisthub", "players": None}, lambda: rule_set(presets.whisthub())),
    ("rules", {"rules": RULES}, lambda: rule_set(RULES)),
    ("new-game", {"rules": RULES}, lambda: {"state": document(START), "to_act": []}),
    ("deal", {"state": START, "seed": "tests"}, lambda: moved(START, DEAL)),
    ("deal", {"state": START, "seed": 7, "views": True}, lambda: moved(START, deal(START, seed=7), views=True)),
    ("deal", {"state": START, "deal": DEAL}, lambda: moved(START, DEAL)),
    ("legal-moves", {"state": PLAYING}, lambda: {"moves": listed(legal_moves(PLAYING)), "total": 1}),
    ("legal-moves", {"view": view(PLAYING, 0)}, lambda: {"moves": listed(legal_moves(view(PLAYING, 0))), "total": 0}),
    (
        "legal-moves",
        {"state": PASSING, "seat": 1, "offset": 678, "limit": 5},
        lambda: {"moves": listed(legal_moves(PASSING, 1)[678:683]), "total": 680},
    ),
    ("legal-moves", {"state": PASSING, "offset": 10**6}, lambda: {"moves": [], "total": 3 * 680}),
    ("legal-moves", {"state": PASSING}, lambda: {"moves": listed(legal_moves(PASSING)[:1000]), "total": 3 * 680}),
    ("legal-moves", {"state": START}, lambda: {"moves": [], "total": None}),
    ("legal-moves", {"state": START, "seat": 2}, lambda: {"moves": [], "total": 0}),
    ("why-illegal", {"state": PLAYING, "move": PLAY}, lambda: {"violations": []}),
    ("why-illegal", {"state": PLAYING, "move": WRONG}, lambda: {"violations": listed(why_illegal(PLAYING, WRONG))}),
    (
        "why-illegal",
        {"view": view(PLAYING, PLAYING.turn), "move": WRONG},
        lambda: {"violations": listed(why_illegal(PLAYING, WRONG))},
    ),
    (
        "judge",
        {"state": PLAYING, "move": PLAY},
        lambda: {key: value for key, value in moved(PLAYING, PLAY).items() if key in ("state", "events")},
    ),
    ("transition", {"state": PLAYING, "move": PLAY}, lambda: moved(PLAYING, PLAY)),
    ("transition", {"state": PASSING, "move": PASSES[1], "views": True}, lambda: moved(PASSING, PASSES[1], views=True)),
    ("view", {"state": PLAYING, "seat": 2}, lambda: seen(view(PLAYING, 2))),
    ("view", {"state": PLAYING, "seat": None}, lambda: seen(public_view(PLAYING))),
    ("view", {"state": MIDDLE, "seat": 1}, lambda: seen(view(MIDDLE, 1))),
    ("view", {"state": DEALT_OUT, "seat": 1}, lambda: seen(view(DEALT_OUT, 1))),
    ("view", {"state": PASSING, "seat": 1}, lambda: {"view": document(view(PASSING, 1)), "so_far": None}),
    ("playability", {"state": PLAYING}, lambda: dimmed(PLAYING)),
    ("playability", {"state": PASSING, "seat": 1}, lambda: dimmed(PASSING, 1)),
    ("playability", {"state": EXPOSING, "seat": 3}, lambda: dimmed(EXPOSING, 3)),
    ("playability", {"view": view(PLAYING, 1)}, lambda: dimmed(view(PLAYING, 1))),
    ("playability", {"view": public_view(PASSING)}, lambda: {"cards": []}),
    (
        "advance",
        {"view": view(PASSING, 0), "events": redact(transition(PASSING, PASSES[1]).events, 0)},
        lambda: seen(advance(view(PASSING, 0), redact(transition(PASSING, PASSES[1]).events, 0))),
    ),
    ("sample-world", {"view": view(PLAYING, 1), "seed": "x"}, lambda: {"states": worlds("x", 1)}),
    ("sample-world", {"view": view(PLAYING, 1), "seed": 3, "count": 2}, lambda: {"states": worlds(3, 2)}),
    ("score-deal", {"rules": Rules(), **SCORED}, lambda: {"score": document(score_deal(Rules(), **SCORED))}),
    (
        "score-deal",
        {"rules": Rules(), **SCORED, "totals": [99, 0, 0, 0], "deal_number": 3},
        lambda: {"score": document(score_deal(Rules(), **SCORED, totals=(99, 0, 0, 0), deal_number=3))},
    ),
    (
        "score-deal",
        {
            "rules": Rules(moon=Moon.CHOICE),
            "captured": [Rules().deck, "", "", ""],
            "tricks_won": [13, 0, 0, 0],
            "effect": "shooter-down",
        },
        lambda: {
            "score": document(
                score_deal(
                    Rules(moon=Moon.CHOICE), [Rules().deck, *[Cards()] * 3], (13, 0, 0, 0), effect=Moon.SHOOTER_DOWN
                )
            )
        },
    ),
    (
        "verify",
        {"record": RECORD},
        lambda: {"valid": True, "finished": False, "moves": 5, "failure": None, "state": document(VERDICT.state)},
    ),
    ("describe", {"rules": RULES}, lambda: {"sentences": list(describe(RULES))}),
    ("describe", {"rules": RULES, "language": "de"}, lambda: {"sentences": list(describe(RULES, "de"))}),
    ("catalogue", {}, lambda: {"patterns": catalogue(), "languages": list(languages())}),
    ("catalogue", {"language": "de"}, lambda: {"patterns": catalogue("de"), "languages": list(languages())}),
    ("render", {"state": PLAYING}, lambda: {"text": format_position(PLAYING)}),
    ("render", {"record": RECORD, "form": "notation"}, lambda: {"text": format_record(RECORD)}),
    ("render", {"record": RECORD, "form": "diagram"}, lambda: {"text": diagram(RECORD)}),
    ("render", {"state": MIDDLE, "form": "diagram"}, lambda: {"text": diagram(MIDDLE)}),
    ("render", {"view": view(MIDDLE, 1), "form": "diagram"}, lambda: {"text": diagram(view(MIDDLE, 1))}),
    ("render", {"state": MIDDLE, "form": "svg"}, lambda: {"text": svg.table(MIDDLE)}),
    (
        "render",
        {"view": view(MIDDLE, 1), "form": "svg", "first": 2, "names": ["A", "B", "C"], "width": 320, "dark": True},
        lambda: {"text": svg.table(view(MIDDLE, 1), first=2, names=["A", "B", "C"], width=320, colours=svg.DARK)},
    ),
]


def plain(value: Any) -> Any:
    """What a value is in a request: documents are written, bags are texts."""
    if isinstance(value, Cards):
        return str(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def request_of(op: str, arguments: dict[str, Any], **more: Any) -> bytes:
    written = {
        name: document(value) if name != "language" and OPERATIONS[op].arguments[name].component else plain(value)
        for name, value in arguments.items()
    }
    return json.dumps({**more, "op": op, **written}).encode()


def over_lines(request: bytes) -> dict[str, Any]:
    said: list[bytes] = []
    left = iter([request + b"\n", b""])
    answer_lines(Service(), partial(next, left), said.append)
    (line,) = said
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    answer: dict[str, Any] = json.loads(line)
    return answer


def over_http(request: bytes) -> dict[str, Any]:
    reply = ask_app(HttpApp(Service()), request, f"/v1/{json.loads(request)['op']}")
    answer: dict[str, Any] = reply.json()
    assert (reply.status_code == 200) == answer["ok"]
    return answer


# ------------------------------------------------------------------------------------------------- the operations


@pytest.mark.parametrize("ask", [over_lines, over_http])
@pytest.mark.parametrize(("op", "arguments", "expected"), CASES, ids=[case[0] for case in CASES])
def test_an_operation_says_what_the_library_says(
    op: str, arguments: dict[str, Any], expected: Callable[[], Any], ask: Callable[[bytes], dict[str, Any]]
) -> None:
    assert ask(request_of(op, arguments, id=7)) == {"id": 7, "ok": True, "result": expected()}


def test_every_operation_has_a_case() -> None:
    assert {op for op, _, _ in CASES} == set(OPERATIONS)


def test_secret_deals_and_worlds_differ() -> None:
    deals = [over_lines(request_of("deal", {"state": START}))["result"]["move"] for _ in range(3)]
    assert len({json.dumps(move) for move in deals}) == 3
    for move in deals:
        assert why_illegal(START, from_json(json.dumps(move), Deal)) == ()
    drawn = [over_lines(request_of("sample-world", {"view": view(PLAYING, 1)}))["result"]["states"] for _ in range(3)]
    assert len({json.dumps(world) for world in drawn}) == 3


def test_what_is_wrong_with_a_record_is_told() -> None:
    wrong = Record(rules=RULES, moves=[*RECORD.moves[:-1], WRONG])
    failure = verify(wrong).failure
    assert failure is not None
    result = over_lines(request_of("verify", {"record": wrong}))["result"]
    assert (result["valid"], result["moves"]) == (False, 4)
    assert result["failure"] == {
        "kind": "illegal-move",
        "move": 4,
        "deal": 0,
        "trick": 0,
        "violations": listed(why_illegal(PLAYING, WRONG)),
        "message": str(failure),
    }
    points = Record(rules=RULES, moves=RECORD.moves, points=[(1, 2, 3)])
    assert over_lines(request_of("verify", {"record": points}))["result"]["failure"] == {
        "kind": "wrong-points",
        "deal": 0,
        "claimed": [1, 2, 3],
        "actual": None,
        "message": str(verify(points).failure),
    }
    winners = Record(rules=RULES, moves=RECORD.moves, winners=(2,))
    assert over_lines(request_of("verify", {"record": winners}))["result"]["failure"] == {
        "kind": "wrong-winners",
        "claimed": [2],
        "actual": None,
        "message": str(verify(winners).failure),
    }


def test_a_result_that_json_cannot_hold_is_refused_without_a_place() -> None:
    """The totals that are given are right: it is those after the deal that are too large."""
    captured = [format(Rules().deck), "", "", ""]
    asked = {"rules": Rules(), "captured": captured, "tricks_won": [13, 0, 0, 0], "totals": [0, 2**53 - 1, 0, 0]}
    (problem,) = over_lines(request_of("score-deal", asked))["problems"]
    assert (problem["place"], problem["code"], problem["detail"]) == ("", "unwritable", "result")


def test_the_passes_of_a_hand_are_counted_however_many_they_are() -> None:
    rules = Rules(players=3, decks=2, removed="2C 2C", pass_cycle=[((1, 11), (2, 11))], target=None, max_deals=1)
    start = new_game(rules)
    state = apply(start, deal(start, seed=1))
    moves = legal_moves(state, 0)
    answer = over_lines(request_of("legal-moves", {"state": state, "seat": 0, "offset": 12345, "limit": 2}))
    assert answer["result"]["moves"] == listed([moves[12345], moves[12346]])
    assert 2**32 < answer["result"]["total"] == moves.__len__() < 2**53


# ---------------------------------------------------------------------------------------------------- the envelope


IDS = ("7", "-0.5e-7", '"text"', '"\\u00e9é♠"', "null", "true", "[]", '[1, {"a": [null]}]', '{"a":1,"a":2}', "1e400")


@pytest.mark.parametrize("id_", [*IDS, "9" * 400])
@pytest.mark.parametrize("rest", ['"op":"presets"', '"op":"none"', '"op":"view"'])
def test_ids_of_every_kind_come_back_as_they_are(id_: str, rest: str) -> None:
    body = Service().answer(f'{{"id":{id_},{rest}}}'.encode()).body
    assert body.startswith(f'{{"id":{id_},"ok":'.encode())
    assert Service().answer(f"{{{rest}}}".encode()).body.startswith(b'{"id":null,"ok":')


STATE, VIEW, MOVE = [to_json(value).decode() for value in (PLAYING, view(PLAYING, 1), PLAY)]
BEFORE, CARDS, PASSED, SHOWN = [to_json(value).decode() for value in (START, DEAL, PASSING, EXPOSING)]
FULL = to_json(Rules()).decode()
TURNED = json.dumps({**document(PLAYING), "turn": (PLAYING.turn + 1) % 3})
WRITTEN = to_json(RECORD).decode()
LATE = to_json(forgotten(after_tricks(PLAYING, 1))).decode()
STRANGE = to_json((HeartsBroken(1, Card("QS")),)).decode()


def written(op: str, **parts: str) -> str:
    """A request of values that are written already."""
    return f'{{"op":"{op}",' + ",".join([f'"{name}":{text}' for name, text in parts.items()]) + "}"


REFUSALS: list[tuple[str, int, list[tuple[str, str]]]] = [
    # no request
    ("", 400, [("", "malformed")]),
    ("x", 400, [("", "malformed")]),
    ('{"op":"presets"', 400, [("", "malformed")]),
    ('{"op":"presets"} {}', 400, [("", "malformed")]),
    ('{"op":"presets","id":NaN}', 400, [("", "malformed")]),
    ('{"op":"presets","id":"\\ud800"}', 400, [("", "malformed")]),
    ("[]", 400, [("", "wrong-shape")]),
    ("null", 400, [("", "wrong-shape")]),
    ('{"id":' + "[" * 450_000 + "]" * 450_000 + "}", 400, [("", "too-deep")]),
    # no operation
    ("{}", 400, [("/op", "missing-key")]),
    ('{"op":7}', 400, [("/op", "wrong-shape")]),
    ('{"op":"moves"}', 404, [("/op", "no-such-operation")]),
    ('{"op":"presets","op":"presets"}', 400, [("/op", "repeated-key")]),
    # keys
    ('{"op":"presets","x":1,"a/b~":2}', 400, [("/x", "unknown-key"), ("/a~1b~0", "unknown-key")]),
    ('{"op":"view"}', 400, [("/state", "missing-key"), ("/seat", "missing-key")]),
    ('{"op":"legal-moves"}', 400, [("/state", "missing-key")]),
    (written("legal-moves", state=STATE, view=VIEW), 400, [("/view", "excluded-key")]),
    (written("deal", state=BEFORE, seed="1", deal=CARDS), 400, [("/deal", "excluded-key")]),
    # values that are not documents
    (written("view", state=STATE, seat='"2"'), 400, [("/seat", "wrong-shape")]),
    (written("view", state=STATE, seat="11"), 400, [("/seat", "wrong-shape")]),
    (written("legal-moves", state=STATE, limit="10001"), 400, [("/limit", "wrong-shape")]),
    (written("sample-world", view="1", count="0"), 400, [("/count", "wrong-shape"), ("/view", "wrong-shape")]),
    (
        written("score-deal", rules=FULL, captured='["QS","1S",3]', tricks_won="[1,-1]"),
        400,
        [("/captured/1", "foreign-value"), ("/tricks_won/1", "wrong-shape")],
    ),
    (written("preset", name="1"), 400, [("/name", "wrong-shape")]),
    # documents
    (written("view", seat="1", state=VIEW), 422, [("/state/kind", "foreign-value")]),
    (written("view", seat="1", state=MOVE), 422, [("/state/kind", "foreign-value")]),
    (written("view", seat="1", state=TURNED), 422, [("/state/turn", "contradiction")]),
    (written("deal", state=STATE), 422, [("/deal", "wrong-phase")]),
    (written("rules", rules=FULL[:-1] + ',"teams":3}'), 422, [("/rules/teams", "uneven-teams")]),
    (
        written("judge", state="{}", move=MOVE[:-1] + ',"x":1}'),
        422,
        [("/state/phase", "missing-key"), ("/move/x", "unknown-key")],
    ),
    # the rules
    (written("view", state=STATE, seat="3"), 422, [("/seat", "no-such-seat")]),
    (written("judge", state=LATE, move=MOVE), 422, [("/state/has_full_history", "not-whole")]),
    (written("describe", rules=FULL, language='"tlh"'), 422, [("/language", "unknown-language")]),
    (written("catalogue", language='"tlh"'), 422, [("/language", "unknown-language")]),
    (written("catalogue", language="7"), 400, [("/language", "wrong-shape")]),
    (written("render", view=VIEW), 422, [("/form", "foreign-value")]),
    (written("render", record=WRITTEN, form='"svg"'), 422, [("/form", "foreign-value")]),
    (written("render", state=STATE, width="25"), 422, [("/width", "excluded-key")]),
    (written("render", view=VIEW, form='"diagram"', dark="true"), 422, [("/dark", "excluded-key")]),
    (written("render", state=STATE, view=VIEW, record=WRITTEN), 400, [("/view", "excluded-key")]),
    (
        written("render", view=VIEW, form='"svg"', names='["A"]', width="0", first="9"),
        422,
        [("/width", "out-of-range"), ("/first", "out-of-range"), ("/names", "wrong-number-of-names")],
    ),
    (written("preset", name='"bicycl"'), 422, [("/name", "foreign-value")]),
    (written("preset", name='"bicycle"', players="9"), 422, [("/players", "unsupported-players")]),
    (
        written("preset", name='"leekha"', options='{"targets":1,"a/b":1}'),
        422,
        [("/options/targets", "unknown-key"), ("/options/a~1b", "unknown-key")],
    ),
    (
        written("preset", name='"leekha"', players="5", options='{"target":60,"teams":0}'),
        422,
        [("/players", "unsupported-players")],
    ),
    (
        written("preset", name='"leekha"', options='{"target":60,"teams":3}'),
        422,
        [("/options/teams", "unsupported-option"), ("/options/target", "unsupported-option")],
    ),
    (written("preset", name='"leekha"', options='{"target":null}'), 422, [("/options/target", "unsupported-option")]),
    (written("preset", name='"leekha"', options='{"teams":true}'), 422, [("/options/teams", "wrong-shape")]),
    (written("preset", name='"leekha"', options="[]"), 400, [("/options", "wrong-shape")]),
    (written("preset", name='"catsatcards"', options='{"target":null}'), 422, [("/options/target", "wrong-shape")]),
    (
        written("preset", name='"openspiel"', options='{"jd_bonus":1}'),
        422,
        [("/options/jd_bonus", "unsupported-option")],
    ),
    (written("preset", name='"openspiel"', options='{"jd_bonus":[]}'), 422, [("/options/jd_bonus", "wrong-shape")]),
    (
        written("preset", name='"dicegamedepot"', options='{"bonuses":[{"card":"10D","points":1}]}'),
        422,
        [("/options/bonuses/0/card", "foreign-value")],
    ),
    (
        written("preset", name='"cardzmania"', options='{"teams":3,"pass_cycle":null}'),
        422,
        [("/options/teams", "uneven-teams")],
    ),
    (written("playability", state=PASSED), 422, [("/seat", "missing-key")]),
    (written("playability", state=SHOWN), 422, [("/seat", "missing-key")]),
    (
        written("score-deal", rules=FULL, captured='["","",""]', tricks_won="[13,0,0,0]"),
        422,
        [("/captured", "wrong-count")],
    ),
    (written("advance", view=VIEW, events=STRANGE), 422, [("/events/events/0", "strange-event")]),
]


def test_every_sentence_is_in_the_language_of_the_request() -> None:
    state = apply(new_game(RULES), deal(new_game(RULES), seed=1))
    wrong = Play(0, Card("2C"))
    for op in ("transition", "judge"):
        request = json.loads(request_of(op, {"state": state, "move": wrong, "language": "de-AT"}))
        (problem,) = json.loads(Service().answer(json.dumps(request).encode()).body)["problems"]
        violation = problem["violation"]
        assert problem["message"] == violation["message"] == messages.text(why_illegal(state, wrong)[0], "de")
        assert violation["arguments"] == messages.arguments(why_illegal(state, wrong)[0], "de")
    missing = json.loads(Service().answer(b'{"op":"judge","language":"de"}').body)["problems"]
    assert missing[0]["message"] == "der Schlüssel fehlt"


def test_a_problem_tells_its_parameters() -> None:
    answer = Service().answer(written("preset", name='"bicycle"', players="9").encode())
    (problem,) = json.loads(answer.body)["problems"]
    assert problem == {
        "place": "/players",
        "code": "unsupported-players",
        "message": "players is 9, but bicycle is for 3, 4 or 5: choose one of these",
        "params": {"players": 9, "preset": "bicycle", "counts": [3, 4, 5]},
        "detail": "preset",
        "arguments": {"preset": "bicycle", "players": 9, "counts_or": "3, 4 or 5"},
    }


def test_every_value_that_a_preset_lists_is_taken() -> None:
    for preset in over_lines(b'{"op":"presets"}')["result"]["presets"]:
        for option in preset["options"]:
            for value in (*option["choices"], option["default"]):
                asked = {"op": "preset", "name": preset["name"], "options": {option["name"]: value}}
                answer = over_lines(json.dumps(asked).encode())
                if (preset["name"], option["name"], value) == ("cardzmania", "teams", 3):
                    asked["players"] = 6
                    answer = over_lines(json.dumps(asked).encode())
                assert answer["ok"], asked


def test_advice_names_what_was_meant() -> None:
    broken = not document(PLAYING)["hearts_broken"]
    claims = {**document(PLAYING), "hearts_broken": broken}
    for request, message in (
        (written("preset", name='"microsft"'), "there is no preset 'microsft': did you mean microsoft?"),
        (written("preset", name='"bezique"'), "there is no preset 'bezique': ask for `presets`"),
        (written("rules", rules=FULL[:-1] + ',"passCycle":[]}'), "no such key is known here: did you mean pass_cycle"),
        (written("rules", rules=FULL[:-1] + ',"xyz":[]}'), "no such key is known here: correct it or omit it"),
        (
            written("judge", state=STATE, move='{"heartsrules":1,"kind":"move","move":"play","seat":0,"cards":"QS"}'),
            "no such key is known here: did you mean card?",
        ),
        (written("view", stat=STATE, seat="1"), "view takes no such key: did you mean state"),
        (
            written("judge", state=STATE, move='{"heartsrules":1,"kind":"move","move":"play","seat":0,"card":"10H"}'),
            "'10H' is not a card: expected rank and suit, such as QS or TH",
        ),
        (written("view", state=json.dumps(claims), seat="1"), "hearts_broken is True, but the rest makes it False"),
    ):
        assert json.loads(Service().answer(request.encode()).body)["problems"][0]["message"].startswith(message), (
            message
        )
    (problem,) = json.loads(Service().answer(written("view", state=json.dumps(claims), seat="1").encode()).body)[
        "problems"
    ]
    assert "leave it out" not in problem["message"]
    with pytest.raises(InvalidState, match="correct it or omit it"):
        check(attrs.evolve(Setup.of(PLAYING), hearts_broken=broken))


@pytest.mark.parametrize(("request_", "status", "places"), REFUSALS, ids=range(len(REFUSALS)))
def test_what_is_refused_is_told_with_its_place(request_: str, status: int, places: list[tuple[str, str]]) -> None:
    answer = Service().answer(request_.encode())
    said = json.loads(answer.body)
    assert [(each["place"], each["code"]) for each in said["problems"]][: len(places)] == places
    assert (answer.status, said["ok"]) == (status, False)
    assert all(each["message"] for each in said["problems"])


def test_an_illegal_move_is_refused_with_its_violations() -> None:
    for op, name, state, move in (
        ("judge", "move", PLAYING, WRONG),
        ("transition", "move", PLAYING, WRONG),
        ("deal", "deal", START, Deal(DEAL.hands[::-1][:2], DEAL.kitty)),
    ):
        answer = Service().answer(request_of(op, {"state": state, name: move}))
        violations = why_illegal(state, move)
        assert answer.status == 422
        assert violations
        assert json.loads(answer.body)["problems"] == [
            {"place": f"/{name}", "code": each.code, "message": sentence(each), "violation": document(each)}
            for each in violations
        ]


def test_a_repeated_key_is_found_wherever_white_space_is() -> None:
    for text in ('{"id": 1, "op": "presets", "id" :1}', '{"id":{"op":1},"id":2,"op":"presets"}'):
        problems = json.loads(Service().answer(text.encode()).body)["problems"]
        assert [(each["place"], each["code"]) for each in problems] == [("/id", "repeated-key")]
    huge = '{"id":1,"id":2,"x":' + "9" * 5000 + "}"
    assert b"repeated-key" in Service().answer(huge.encode()).body


def test_what_is_not_unicode_is_no_request() -> None:
    for text in (b'{"op":"presets","id":"\xff"}', b'{"op":"presets","\xff":1}', '{"op":"presets"}'.encode("utf-16")):
        answer = Service().answer(text)
        assert (answer.status, json.loads(answer.body)["problems"][0]["code"]) == (400, "malformed")


def test_a_request_that_is_too_long_is_not_read() -> None:
    request = request_of("presets", {})
    service = Service(max_bytes=len(request))
    assert service.answer(request).status == 200
    answer = service.answer(request + b" ")
    assert answer.status == 413
    assert json.loads(answer.body)["problems"][0]["code"] == "too-long"


def test_problems_are_never_more_than_a_hundred() -> None:
    request = json.dumps({"op": "presets", **{f"key{number}": 1 for number in range(500)}}).encode()
    assert len(json.loads(Service().answer(request).body)["problems"]) == 100


def fail(*, how: Annotated[str, "What to do."]) -> Result:
    """Do what no operation does."""
    if how == "deep":
        return fail(how=how)
    raise KeyError(how)


def test_a_mistake_of_the_library_is_told_and_the_next_request_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    operations = {**OPERATIONS, "fail": declare(lambda: {"how": ""})(fail)}
    service = Service(operations=operations)
    for how, kind in (("", "KeyError"), ("deep", "RecursionError")):
        answer = service.answer(json.dumps({"id": 3, "op": "fail", "how": how}).encode())
        assert answer.status == 500
        assert json.loads(answer.body) == {
            "id": 3,
            "ok": False,
            "problems": [
                {
                    "place": "",
                    "code": "internal-error",
                    "message": "an internal error of heartsrules: please report it, with what its log says",
                }
            ],
        }
        assert kind in capsys.readouterr().err
        assert json.loads(service.answer(b'{"op":"presets"}').body)["ok"]


# ----------------------------------------------------------------------------------------------------- interruptions


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM for another process")
def test_a_reader_that_does_not_read_does_not_keep_the_process() -> None:
    with running_lines("serve", "--stdio", module="heartsrules") as process:
        assert process.stdin is not None
        # More than a pipe holds, so the process has read some of it, and less than a pipe and what it reads at once.
        process.stdin.write(b'{"op":"catalogue"}\n' * 5000)
        process.terminate()
        assert process.wait(60) == -signal.SIGALRM


def interrupted(work: Callable[[], object], after: int) -> bool:
    """Run work and interrupt it where it has run so many lines; whether it came so far."""
    lines = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        if "heartsrules" not in frame.f_code.co_filename:
            return None
        if event == "line":
            lines += 1
            if lines > after:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


@pytest.mark.untraced
@pytest.mark.skipif(heartsrules.COMPILED, reason="lines are traced in the interpreted build")
def test_a_request_that_is_stopped_anywhere_leaves_nothing_behind() -> None:
    """Whatever the library keeps between calls is whole or is not there."""
    rng = Random(5)
    service = Service()
    stopped = 0
    for op, arguments, expected in CASES:
        wanted = {"id": 1, "ok": True, "result": expected()}
        for _ in range(4):
            # A rule set of which nothing is kept yet.
            deals = str(rng.randrange(10**4, 10**5))
            request = request_of(op, arguments, id=1).replace(b'"max_deals": 2', f'"max_deals": {deals}'.encode())
            stopped += interrupted(partial(service.answer, request), rng.choice((10, 100, 500, 2000)))
            said = service.answer(request).body
            for told_as in (deals, f"{int(deals):,}", f"{int(deals):,}".replace(",", ".")):
                said = said.replace(told_as.encode(), b"2")
            assert json.loads(said) == wanted
        assert json.loads(service.answer(request_of(op, arguments, id=1)).body) == wanted, op
    assert stopped > 60


# ------------------------------------------------------------------------------------------------------- the lines


@given(
    lines=st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=8),
    end=st.booleans(),
    cuts=st.lists(st.integers(0, 100), max_size=6),
)
def test_lines_are_the_same_however_they_come(lines: list[bytes], end: bool, cuts: list[int]) -> None:
    data = b"\n".join(lines) + b"\n" * end
    expected = [None if len(line) > 8 else line for line in lines if len(line) > 8 or line.strip()]
    assert lines_in(data, cuts, 8) == expected


def test_a_bad_line_never_disturbs_the_next() -> None:
    good = b'{"id":1,"op":"preset","name":"bicycle"}'
    for number in range(len(REFUSALS)):
        bad = REFUSALS[number][0].encode()
        if not bad.strip():
            continue
        said: list[bytes] = []
        left = iter([good + b"\n" + bad + b"\n\n \r\n" + good + b"\n", b""])
        answer_lines(Service(), partial(next, left), said.append)
        assert len(said) == 3
        assert said[0] == said[2]
        assert b'"ok":false' in said[1]


def test_a_half_line_at_the_end_is_answered_and_a_long_one_is_not_held() -> None:
    for data, codes in (
        (b'{"op":"presets"', ["malformed"]),
        (b'{"op":"view"}', ["missing-key", "missing-key"]),
        (b"x" * 200 + b"\n" + b'{"op":"view"', ["too-long", "malformed"]),
        (b"x" * 200, ["too-long"]),
    ):
        said: list[bytes] = []
        left = iter([*[data[place : place + 30] for place in range(0, len(data), 30)], b""])
        answer_lines(Service(max_bytes=100), partial(next, left), said.append)
        assert [each["code"] for line in said for each in json.loads(line)["problems"]] == codes


# ----------------------------------------------------------------------------------------------------------- HTTP


def codes(reply: httpx2.Response) -> list[str]:
    return [each["code"] for each in reply.json()["problems"]]


def test_the_path_says_the_operation_and_the_body_may() -> None:
    app = HttpApp(Service())
    for body in (b"{}", b'{"op":"presets"}'):
        assert ask_app(app, body, "/v1/presets").json()["ok"]
    reply = ask_app(app, b'{"id":4,"op":"view"}', "/v1/presets")
    assert (reply.status_code, codes(reply), reply.json()["id"]) == (400, ["contradiction"], 4)
    for name in ("none", "presets/", ""):
        reply = ask_app(app, b"{}", f"/v1/{name}")
        assert (reply.status_code, codes(reply)) == (404, ["no-such-operation"])


def with_header(name: str, value: str) -> dict[str, Any]:
    """A request that is answered but for one more header, or another media type."""
    return {"headers": [*[each for each in OURS if each[0] != name], (name, value)]}


JSON_TYPES = ("Application/JSON; charset=utf-8", 'application/json;charset="UTF-8"')
OTHER_TYPES = (
    *("text/plain", "application/json; charset=utf-16", "application/json; charset=utf-8; charset=utf-16"),
    *("application/json; version=1", "application/json;", "application/json, text/plain", "application/jsonl"),
    "application/json\n",
)
HOSTS = ("127.0.0.1", "127.0.0.1:80", "LOCALHOST:8001", "[::1]", "[::1]:8001")
OTHER_HOSTS = (
    *("", "127.0.0.1:", "127.0.0.1:80:80", "127.0.0.1:http", "127.0.0.1:800001", "[::1]rebound.example", "[::1"),
    *("localhost.", "localhost:8001, rebound.example", "localhost\n", "me@localhost", "rebound.example:8001"),
)


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        ({"path": "/"}, 404, "no-such-path"),
        ({"path": "/v1"}, 404, "no-such-path"),
        ({"path": "/v2/presets"}, 404, "no-such-path"),
        ({"path": "/openapi.json/"}, 404, "no-such-path"),
        ({"method": "GET"}, 405, "wrong-method"),
        ({"method": "OPTIONS"}, 405, "wrong-method"),
        ({"path": "/openapi.json"}, 405, "wrong-method"),
        ({"path": "/health"}, 405, "wrong-method"),
        ({"path": "/health/", "method": "GET"}, 404, "no-such-path"),
        ({"headers": []}, 415, "wrong-media-type"),
        *[(with_header("content-type", kind), 415, "wrong-media-type") for kind in OTHER_TYPES],
        (with_header("content-encoding", "gzip"), 415, "wrong-media-type"),
        *[(with_header("host", host), 403, "wrong-host") for host in OTHER_HOSTS],
        ({"headers": [("host", "rebound.example")], "method": "GET", "path": "/openapi.json"}, 403, "wrong-host"),
        (with_header("origin", "http://127.0.0.1:8001"), 403, "wrong-origin"),
    ],
)
def test_what_http_refuses(request_: dict[str, Any], status: int, code: str) -> None:
    reply = ask_app(HttpApp(Service()), **request_)
    assert (reply.status_code, codes(reply), reply.json()["id"]) == (status, [code], None)
    assert reply.headers["content-type"] == "application/json"
    assert [name for name in reply.headers if name.startswith("access-control")] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("content-encoding", "Identity"),
        *[("host", host) for host in HOSTS],
        *[("content-type", kind) for kind in JSON_TYPES],
    ],
)
def test_what_http_answers(name: str, value: str) -> None:
    assert ask_app(HttpApp(Service()), **with_header(name, value)).status_code == 200


def test_a_wrong_method_is_told_the_right_ones() -> None:
    app = HttpApp(Service())
    for path, methods in (
        *[(path, {"GET", "HEAD"}) for path in ("/openapi.json", "/health")],
        ("/v1/presets", {"POST"}),
    ):
        reply = ask_app(app, b"", path, method="PUT")
        assert set(reply.headers["allow"].split(", ")) == methods
        assert reply.json()["problems"][0]["params"]["method"] in methods


def test_a_server_is_called_by_the_names_that_it_has() -> None:
    app = HttpApp(Service(), hosts=["hearts", "api_1.example", "10.0.0.7", "[fd00::7]"])
    for host in (*HOSTS, "hearts", "HEARTS:8001", "api_1.example", "10.0.0.7:80", "[FD00::7]:80"):
        assert ask_app(app, **with_header("host", host)).status_code == 200, host
    for host in (*OTHER_HOSTS, "hearts.example", "xhearts", "api_1xexample", "10.0.0.8"):
        reply = ask_app(app, **with_header("host", host))
        assert (reply.status_code, codes(reply)) == (403, ["wrong-host"]), host
        assert reply.json()["problems"][0]["params"] == {
            "names": ["localhost", "127.0.0.1", "[::1]", "hearts", "api_1.example", "10.0.0.7", "[fd00::7]"]
        }
    for name in ("", "hearts:8001", "http://hearts", "::1", "a b", "hearts\n", "*", "x" * 254):
        with pytest.raises(ValueError, match="is not the name of a host"):
            HttpApp(Service(), hosts=[name])


def test_its_health_is_a_small_object() -> None:
    app = HttpApp(Service(), HttpLimits(rate=1), clock=lambda: 0)
    reply = ask_app(app, b"", "/health", method="GET", headers=[])
    for _ in range(2):  # no limit of the rate
        reply = ask_app(app, b"", "/health", method="GET", headers=[])
        assert (reply.status_code, reply.headers["cache-control"]) == (200, "no-store")
        assert reply.json() == {"ok": True, "version": heartsrules.__version__, "compiled": heartsrules.COMPILED}
    head = ask_app(app, b"", "/health", method="HEAD", headers=[])
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", str(len(reply.content)))


def test_the_description_is_compressed_and_sent_once() -> None:
    app = HttpApp(Service())

    def ask(method: str = "GET", **headers: str) -> httpx2.Response:
        given = {"accept-encoding": "identity", **{name.replace("_", "-"): value for name, value in headers.items()}}
        return ask_app(app, b"", "/openapi.json", method=method, headers=list(given.items()))

    plain = ask()
    assert plain.json() == json.loads(json.dumps(openapi()))
    assert "content-encoding" not in plain.headers
    for accepted in ("gzip", "br, GZIP;q=0.5", "gzip;q=1.0, identity"):
        packed = ask(accept_encoding=accepted)
        assert (packed.headers["content-encoding"], packed.content) == ("gzip", plain.content)
        assert int(packed.headers["content-length"]) * 5 < len(plain.content)
    for accepted in ("", "br", "gzip;q=0", "gzip ; q=0.00, br", "xgzip"):
        assert "content-encoding" not in ask(accept_encoding=accepted).headers, accepted
    tag = plain.headers["etag"]
    for known in (tag, f'"x", {tag}', tag.removeprefix("W/"), "*"):
        for method in ("GET", "HEAD"):
            again = ask(method, if_none_match=known, accept_encoding="gzip")
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert ask(if_none_match='"x"').status_code == 200
    assert {reply.headers["vary"] for reply in (plain, packed, again)} == {"Accept-Encoding"}
    head = ask("HEAD")
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", str(len(plain.content)))


def test_other_protocols_of_asgi_are_not_spoken() -> None:
    async def unused(*_: Any) -> Any:
        raise AssertionError

    for kind in ("lifespan", "websocket"):
        with pytest.raises(NotImplementedError, match=kind):
            asyncio.run(HttpApp(Service())({"type": kind}, unused, unused))


def test_a_body_comes_in_pieces_and_may_be_too_long_or_never_end() -> None:
    app = HttpApp(Service(max_bytes=30), HttpLimits(body_seconds=0.01))

    async def pieces(*chunks: bytes) -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    assert ask_app(app, pieces(b'{"op":', b'"presets"', b"}")).status_code == 200
    assert codes(ask_app(app, pieces(b'{"op":', b'"presets"}' + b" " * 30))) == ["too-long"]
    late = ask_app(app, endless())
    assert (late.status_code, codes(late), late.headers["connection"]) == (408, ["out-of-time"], "close")


def test_so_many_bodies_may_be_incomplete() -> None:
    app = HttpApp(Service(), HttpLimits(waiting=2, body_seconds=60))

    async def ask() -> None:
        halves = [asyncio.create_task(reply_of(app, endless())) for _ in range(2)]
        while (refused := await reply_of(app)).status_code == 200:
            await asyncio.sleep(0)
        assert (refused.status_code, codes(refused), refused.headers["retry-after"]) == (503, ["busy"], "1")
        halves[0].cancel()
        await asyncio.gather(halves[0], return_exceptions=True)
        assert (await reply_of(app)).status_code == 200
        halves[1].cancel()
        await asyncio.gather(halves[1], return_exceptions=True)

    asyncio.run(ask())


def test_the_rate_is_limited() -> None:
    now = 100.0
    app = HttpApp(Service(), HttpLimits(rate=2), clock=lambda: now)
    assert [ask_app(app).status_code for _ in range(3)] == [200, 200, 429]
    reply = ask_app(app)
    assert (codes(reply), reply.headers["retry-after"]) == (["too-many-requests"], "1")
    now = 100.5
    assert [ask_app(app).status_code for _ in range(2)] == [200, 429]
    slow = HttpApp(Service(), HttpLimits(rate=0.25), clock=lambda: now)
    assert [ask_app(slow).status_code for _ in range(2)] == [200, 429]


def test_a_server_refuses_a_long_head_and_forgets_a_client_that_has_gone() -> None:
    half = b"POST /v1/presets HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n"
    with running_http() as (process, url):
        address = ("localhost", int(url.rpartition(":")[2]))
        with socket.create_connection(address, timeout=60) as connection:
            connection.sendall(half + b"x: " + b"x" * 17_000)
            assert connection.recv(100).startswith(b"HTTP/1.1 400 ")
        with socket.create_connection(address, timeout=60) as connection:
            connection.sendall(half + b"\r\n{")
        assert httpx2.post(f"{url}/v1/presets", json={}).json()["ok"]
        process.terminate()
        assert process.communicate(timeout=60) == (b"", b"")


# --------------------------------------------------------------------------------------------------- the processes


@pytest.fixture(scope="module")
def http() -> Iterator[str]:
    with running_http() as (_, url):
        yield url


def test_both_processes_answer_the_example_of_every_operation(http: str) -> None:
    requests = [example_request(operation) for operation in OPERATIONS.values()]
    expected = [json.loads(example_response(operation)) for operation in OPERATIONS.values()]
    with running_lines("serve", "--stdio", module="heartsrules") as process:
        assert ask_lines(process, requests) == expected
    with httpx2.Client() as client:
        for name, request, answer in zip(OPERATIONS, requests, expected, strict=True):
            headers = {"content-type": "application/json"}
            said = client.post(f"{http}/v1/{name}", content=request, headers=headers)
            assert said.json() == answer
            assert "server" not in said.headers
        description = client.get(f"{http}/openapi.json").json()
        head = client.head(f"{http}/openapi.json")
        assert (head.status_code, head.content) == (200, b"")
    assert description == json.loads(json.dumps(openapi()))


@pytest.mark.long
def test_many_ask_at_once(http: str) -> None:
    states = [apply(START, deal(START, seed=number)) for number in range(8)]

    def ask(number: int) -> bool:
        state = states[number % 8]
        with httpx2.Client() as client:
            for seat in range(3):
                body = {"id": number, "state": document(state), "seat": seat}
                said = client.post(f"{http}/v1/view", json=body).json()
                if said != {"id": number, "ok": True, "result": seen(view(state, seat))}:
                    return False
                if client.post(
                    f"{http}/v1/view", content=b"{", headers={"content-type": "application/json"}
                ).is_success:
                    return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(24)))


def test_the_end_of_the_input_ends_it_after_the_last_answer() -> None:
    with running_lines() as process:
        out, err = process.communicate(b'{"id":1,"op":"presets"}\nx\n{"id":2,"op":"presets"}', timeout=60)
        assert (process.returncode, err) == (0, b"")
        assert [json.loads(line)["id"] for line in out.splitlines()] == [1, None, 2]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM for another process")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_signals_end_both_transports(number: int, code: int) -> None:
    with running_lines("serve", "--stdio", module="heartsrules") as process:
        assert ask_lines(process, [b'{"id":1,"op":"presets"}'])[0]["ok"]
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (code, b"", b"")
    with running_http() as (process, url):
        assert httpx2.post(f"{url}/v1/presets", json={}).json()["ok"]
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (code, b"", b"")


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM for another process")
def test_the_limits_are_those_of_the_options() -> None:
    with running_lines("--max-bytes", "30") as process:
        said = ask_lines(process, [b" " * 40 + b"x", b'{"op":"presets"}'])
        assert [each["ok"] for each in said] == [False, True]
        assert said[0]["problems"][0]["code"] == "too-long"
    with running_http("--rate", "0.01", "--max-bytes", "20", "--waiting", "1") as (_, url):
        assert [httpx2.post(f"{url}/v1/presets", json={}).status_code for _ in range(2)] == [200, 429]
    with running_http("--max-bytes", "20") as (_, url):
        assert httpx2.post(f"{url}/v1/presets", json={"id": "x" * 20}).status_code == 413


def test_a_client_that_has_gone_ends_it_quietly() -> None:
    with running_lines("serve", "--stdio", module="heartsrules") as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(b'{"op":"presets"}\n' * 10, timeout=60)
        assert (process.returncode, err) == (1, b"")


@pytest.mark.long
def test_requests_leave_no_memory_behind() -> None:
    service = Service()
    # What is kept of the last few hundred rule sets grows until it is full, and a preset makes new ones.
    requests = [request_of(op, arguments, id=1) for op, arguments, _ in CASES if op != "preset"]
    requests += [text.encode() for text, _, _ in REFUSALS]

    def ask() -> None:
        for request in requests:
            service.answer(request)

    ask()
    ask()
    tracemalloc.start()
    try:
        ask()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(5):
            ask()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 30_000
    finally:
        tracemalloc.stop()


def test_an_answer_does_not_wait_for_more_to_send() -> None:
    with listening("127.0.0.1", 0, None) as listener:
        assert listener.proto == socket.IPPROTO_TCP
        assert listener.getsockname()[0] == "127.0.0.1"


# ------------------------------------------------------------------------------------------------- the command line


def run(*arguments: str) -> tuple[int, str, str]:
    code, out, err = commands.run("serve", *arguments, COLUMNS="200")
    return code, out, " ".join(err.split())


def test_it_prints_the_description_and_the_client() -> None:
    texts = {"openapi": f"{json.dumps(openapi(), indent=1, ensure_ascii=False)}\n"}
    for what in CLIENTS:
        with contextlib.suppress(FileNotFoundError):  # built without Node.js
            texts[what] = printed(what)
    for what in ("openapi", *CLIENTS):
        code, out, err = run("--print", what)
        done = commands.python("-m", "heartsrules.apps.serve", "--print", what)
        if what in texts:
            assert (code, out, err) == (0, texts[what], "")
            assert (done.returncode, done.stdout) == (0, texts[what])
        else:
            assert (code, out, done.returncode, done.stdout) == (1, "", 1, "")
            assert "built without Node.js" in err
            assert "built without Node.js" in done.stderr


@pytest.mark.parametrize(
    ("error", "make", "message"),
    [
        (ValueError, lambda: Service(max_bytes=0), "max_bytes is 0: choose 1 to 1,073,741,824"),
        (ValueError, lambda: Service(max_bytes=2**30 + 1), "max_bytes is 1073741825"),
        (TypeError, lambda: Service(max_bytes=1.5), "max_bytes must be an int, not a float"),  # type: ignore[arg-type]
        (ValueError, lambda: HttpLimits(waiting=0), "waiting"),
    ],
)
def test_limits_that_no_request_could_keep_are_refused(
    error: type[Exception], make: Callable[[], object], message: str
) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(("arguments", "said"), [(["--max-bytes", "0"], "max_bytes is 0: choose 1"), (["x"], "x")])
def test_the_module_without_typer_tells_wrong_options_too(arguments: list[str], said: str) -> None:
    done = commands.python("-m", "heartsrules.apps.serve", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_port_that_is_taken_is_told(http: str) -> None:
    code, out, err = run("--port", http.rpartition(":")[2])
    assert (code, out) == (1, "")
    assert "cannot be listened on" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "add their name for the server with --allow-host"),
        (["--host", "hearts"], "add their name for the server with --allow-host"),
        (["--allow-host", "hearts"], "add --host, such as --host 0.0.0.0"),
        (["--allow-host", "hearts", "--host", "::1"], "add --host, such as --host 0.0.0.0"),
        (["--host", "127.0.0.1", "--fd", "9"], "omit one of them"),
        (["--host", "0.0.0.0", "--allow-host", "hearts:80"], "'hearts:80' is not the name of a host"),
        (["--stdio", "--allow-host", "hearts"], "this option is for HTTP"),
    ],
)
def test_an_address_for_others_needs_a_name_and_the_reverse(options: list[str], said: str) -> None:
    code, out, err = run(*options)
    assert (code, out) == (2, "")
    assert said in err.replace("│ ", "").replace(" │", "")


def test_other_machines_ask_by_the_name_that_is_allowed() -> None:
    with running_http("--allow-host", "hearts", "--allow-host", "cards") as (_, url):
        for host, status in (("hearts:8001", 200), ("cards", 200), ("localhost", 200), ("rebound.example", 403)):
            assert httpx2.post(f"{url}/v1/presets", json={}, headers={"host": host}).status_code == status
        assert httpx2.get(f"{url}/health").json()["ok"]


def test_lines_need_nothing_but_msgspec() -> None:
    hide = "import sys; sys.modules.update(dict.fromkeys(['typer', 'rich', 'starlette', 'uvicorn', 'numpy']));"
    for module in ("lines", "__main__"):
        done = commands.python("-c", f"{hide} import heartsrules.apps.serve.{module}")
        assert (done.returncode, done.stderr) == (0, "")


# -------------------------------------------------------------------------------------------------- the description


def test_every_example_is_as_the_description_says() -> None:
    description = openapi()
    schemas = description["components"]["schemas"]

    def errors(schema: Any, value: Any) -> list[str]:
        whole = {**schema, "components": {"schemas": schemas}}
        return [error.message for error in Draft202012Validator(whole).iter_errors(value)]

    for operation in OPERATIONS.values():
        post = description["paths"][f"/v1/{operation.name}"]["post"]
        asks = post["requestBody"]["content"]["application/json"]
        gets = post["responses"]["200"]["content"]["application/json"]
        assert errors(asks["schema"], asks["example"]) == []
        assert errors(gets["schema"], gets["example"]) == []
        assert errors(asks["schema"], {**asks["example"], "unknown": 1})
    for op, arguments, _ in CASES:
        request = json.loads(request_of(op, arguments))
        answer = json.loads(Service().answer(json.dumps(request).encode()).body)["result"]
        assert errors({"$ref": f"#/components/schemas/{OPERATIONS[op].title}Request"}, request) == []
        assert errors({"$ref": f"#/components/schemas/{OPERATIONS[op].result.__name__}"}, answer) == []
    refusal = {"$ref": "#/components/schemas/Refusal"}
    for request_, _, _ in REFUSALS:
        assert errors(refusal, json.loads(Service().answer(request_.encode()).body)) == []
    assert (
        errors(refusal, json.loads(Service().answer(request_of("judge", {"state": PLAYING, "move": WRONG})).body)) == []
    )


def test_requests_that_exclude_each_other_are_not_as_the_description_says() -> None:
    schemas = openapi()["components"]["schemas"]

    def is_valid(name: str, request: bytes) -> bool:
        schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
        return Draft202012Validator(schema).is_valid(json.loads(request))

    state: dict[str, Any] = {"state": PLAYING}
    assert is_valid("LegalMovesRequest", request_of("legal-moves", state))
    assert not is_valid("LegalMovesRequest", request_of("legal-moves", {}))
    assert not is_valid("LegalMovesRequest", request_of("legal-moves", {**state, "view": view(PLAYING, 0)}))
    assert is_valid("DealRequest", request_of("deal", {"state": START, "seed": 1}))
    assert not is_valid("DealRequest", request_of("deal", {"state": START, "seed": 1, "deal": DEAL}))


def parts_of(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all schemas in it."""
    if isinstance(schema, list):
        for part in schema:
            yield from parts_of(part)
    elif isinstance(schema, dict):
        yield schema
        for name, part in schema.items():
            for each in part.values() if name == "properties" else [part]:
                yield from parts_of(each)


def test_generators_of_code_find_nothing_that_they_misread() -> None:
    for name, schema in openapi()["components"]["schemas"].items():
        assert set(schema) != {"$ref"}, name
        for part in parts_of(schema):
            assert not {"oneOf", "properties"} <= part.keys(), name
            assert "default" not in part, name


def test_the_schemas_are_the_shipped_ones() -> None:
    ours = openapi()["components"]["schemas"]
    for kind, shipped in wire_schemas.schemas().items():
        for name, schema in shipped.get("$defs", {}).items():
            if kind != "judgement" and name in ours:
                whole = json.loads(json.dumps(schema).replace("#/$defs/", "#/components/schemas/"))
                for part in parts_of(whole):
                    part.pop("default", None)
                assert whole == ours[name], name
    assert {"State", "View", "Move", "RulesDocument", "RecordDocument", "Violation", "PlayingDocument"} <= set(ours)


def test_every_place_in_the_description_exists() -> None:
    description = openapi()
    text = json.dumps(description)
    for name in {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in description["components"]["schemas"]


def test_no_operation_reads_foreign_data_by_itself() -> None:
    """Documents are read by `heartsrules.formats.wire` alone."""
    for path in (ROOT / "src" / "heartsrules" / "apps" / "serve").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and path.stem != "openapi":
                assert node.attr not in ("loads", "decode"), (path.name, node.lineno)


# -------------------------------------------------------------------------------------------------------- the pages


def test_the_pages_name_every_option_and_every_code() -> None:
    page = (DOCS / "reference" / "protocol.md").read_text("utf-8")
    _, out, _ = run("--help")
    for option in {word for word in out.split() if word.startswith("--")} - {"--help"}:
        assert f"`{option}" in page, option
    source = "".join(
        [path.read_text("utf-8") for path in (ROOT / "src" / "heartsrules" / "apps" / "serve").glob("*.py")]
    )
    for status, code in (
        (400, "excluded-key"), (403, "wrong-host"), (403, "wrong-origin"), (404, "no-such-operation"),
        (404, "no-such-path"), (405, "wrong-method"), (408, "out-of-time"), (413, "too-long"),
        (415, "wrong-media-type"), (429, "too-many-requests"), (500, "internal-error"), (503, "busy"),
    ):  # fmt: skip
        assert f'"{code}"' in source
        assert f"| {status} | `{code}` |" in page, code
