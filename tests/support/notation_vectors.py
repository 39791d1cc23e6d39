"""The test vectors of the notation: texts that are read, with their meaning, and texts that are refused, with a reason.

`nox -s generate` writes them into docs/reference/notation-vectors, a JSON object on every line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from heartsrules import ChooseMoon, Expose, InvalidNotation, InvalidRules, InvalidState, Move, Pass, Play, Rules
from heartsrules.formats.notation import (
    format_evaluation,
    format_position,
    format_record,
    format_rules,
    format_variation,
    parse_evaluation,
    parse_position,
    parse_record,
    parse_rules,
    parse_setup,
    parse_variation,
)
from heartsrules.formats.wire import to_json
from heartsrules.play.game import Record
from heartsrules.setup import DealSetup, Setup

__all__ = [
    "FOLDER",
    "MEANINGS",
    "comment_vector",
    "files",
    "refusal",
    "respelled",
    "told_by_position",
    "told_by_record",
    "told_by_rules",
    "variation_vector",
]

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notation-vectors"
Json = Any


# --------------------------------------------------------------------------------------- what a text says, as JSON


def told_by_rules(rules: Rules) -> Json:
    """The options that differ from the defaults."""
    return _document(rules)


def told_by_record(record: Record) -> Json:
    """The document of a record without its head; JSON has no lone surrogates and no very large numbers, this has."""
    return {
        "rules": told_by_rules(record.rules),
        "moves": list(map(_move, record.moves)),
        "tags": list(map(list, record.tags)),
        "comments": list(map(list, record.comments)),
        "points": list(map(list, record.points)),
        "winners": None if record.winners is None else list(record.winners),
    }


def _move(move: Move) -> Json:
    if isinstance(move, Play):
        return {"move": "play", "seat": move.seat, "card": str(move.card)}
    if isinstance(move, Pass):
        return {"move": "pass", "seat": move.seat, "cards": _gifts(move)}
    if isinstance(move, Expose):
        return {"move": "expose", "seat": move.seat, "cards": _shown(move)}
    if isinstance(move, ChooseMoon):
        return {"move": "choose-moon", "seat": move.seat, "effect": str(move.effect)}
    return {"move": "deal", "hands": list(map(str, move.hands)), "kitty": str(move.kitty)}


def _document(value: object) -> Json:
    document = json.loads(to_json(value))
    return {key: own for key, own in document.items() if key not in ("heartsrules", "kind")}


def told_by_position(told: Setup) -> Json:
    """What a line tells, by section."""
    deal: DealSetup = told if told.last_deal is None else told.last_deal
    found: dict[str, Json] = {"rules": told_by_rules(told.rules), "phase": told.phase.value, "deal": told.deal_number}
    if told.start is not None:
        found["start"] = {"deal": told.first, "totals": list(told.start), "queen_taker": told.queen_taker}
    if told.score_sheet:
        found["sheet"] = [
            {
                "points": list(row.points),
                "card_points": list(row.card_points),
                "shooter": row.shooter,
                "effect": None if row.effect is None else str(row.effect),
                "sun": row.sun,
                "tricks_won": list(row.tricks_won),
                "totals": list(row.totals),
                "queen_taker": row.queen_taker,
                "exposed": list(map(str, row.exposed)),
            }
            for row in told.score_sheet
        ]
    if told.hands:
        found["hands"] = list(map(str, told.hands))
    if deal.kitty or (deal.kitty is not None and told.rules.kitty_size):
        found["kitty"] = str(deal.kitty)
    if any(deal.passes):
        found["passes"] = [None if move is None else _gifts(move) for move in deal.passes]
    if deal.dealt_back:
        found["back"] = list(map(str, deal.dealt_back))
    if any(deal.exposures):
        found["exposures"] = [None if move is None else _shown(move) for move in deal.exposures]
    if deal.exposed:
        found["exposed"] = list(map(str, deal.exposed))
    middle = deal.resumed_from
    if middle is not None:
        found["captured"] = list(map(str, middle.captured))
        if middle.tricks_won is not None:
            found["won"] = list(middle.tricks_won)
        if middle.set_aside:
            found["aside"] = str(middle.set_aside)
        found["leader"] = middle.leader
        if middle.kitty_winner is not None:
            found["taker"] = middle.kitty_winner
        if middle.hearts_broken is not None:
            found["broken"] = middle.hearts_broken
        if middle.suits_led:
            found["led"] = list(map(str, middle.suits_led))
    if deal.tricks:
        found["tricks"] = [
            {"leader": trick.leader, "cards": [str(play.card) for play in trick.plays], "winner": trick.winner}
            for trick in deal.tricks
        ]
    trick = told.trick
    if trick:
        found["trick"] = {"leader": trick[0].seat, "cards": [str(play.card) for play in trick]}
    return found


def _gifts(move: Pass) -> Json:
    return list(map(str, move.cards))


def _shown(move: Expose) -> Json:
    return str(move.cards)


# --------------------------------------------------------------------------------------------------- the vectors


def _of_rules(text: str) -> Json:
    rules = parse_rules(text)
    return {"canonical": format_rules(rules), "told": told_by_rules(rules)}


def _of_position(text: str) -> Json:
    told = parse_setup(text)
    vector = {"canonical": format_position(told), "told": told_by_position(told)}
    try:
        state = parse_position(text)
    except InvalidState as refused:
        return {**vector, "impossible": [problem.code for problem in refused.problems]}
    return {**vector, "checked": format_position(state), "state": json.loads(to_json(state))}


def _of_record(text: str) -> Json:
    record = parse_record(text)
    told = told_by_record(record)
    assert told == _document(record)
    return {"canonical": format_record(record), "told": told}


MEANINGS: Final[dict[str, Callable[[str], Json]]] = {
    "rules": _of_rules,
    "positions": _of_position,
    "records": _of_record,
}
"""By the name of a file, what is said of a text that is read."""


def refusal(kind: str, text: str) -> Json:
    """Why a text is refused, and where; None: it is read."""
    try:
        MEANINGS[kind](text)
    except InvalidNotation as refused:
        cause = refused.__cause__
        if isinstance(cause, InvalidRules):
            return {"why": "rules", "codes": [problem.code for problem in cause.problems]}
        place = {"line": refused.line, "column": refused.column}
        return {"why": "notation", **place, "expected": refused.expected, "found": refused.found}
    return None


def _texts(kind: str) -> Iterator[str]:
    """What is tried: texts of the tests of the notation, and some of them spoiled at random."""
    # These modules draw whole games when they are imported.
    import test_notation as own
    import test_refused_texts as refused
    from support import strategies

    rng = Random(f"vectors of {kind}")
    if kind == "rules":
        yield "default"
        yield from [format_rules(strategies.random_rules(rng)) for _ in range(40)]
        yield from [text for text, _ in _cases(own.test_rule_sets_are_read_leniently)]
    elif kind == "positions":
        yield from (*own.POSITIONS, own.SHORT, own.EXPOSING)
        yield from [change(own.SHORT) for _, change in _cases(own.test_positions_are_read_leniently)]
    else:
        yield from (*_RECORDS, own.TINY, *own.read("hand-written.hearts").split("\n\nHearts/1"))
        yield from [change(own.TINY) for _, change in _cases(own.test_records_are_read_leniently)]
    whole = list(_broken(refused, kind))
    yield from whole
    texts = {"rules": whole[:0], "positions": own.POSITIONS, "records": [own.TINY]}[kind]
    texts = texts or [format_rules(strategies.random_rules(rng)) for _ in range(10)]
    for _ in range(200):
        yield respelled(rng, rng.choice(texts))


def _cases(test: Any) -> Iterable[Any]:
    """What a test is called with."""
    (mark,) = test.pytestmark
    return list(mark.args[1])


def _broken(module: Any, kind: str) -> Iterator[str]:
    named = {"rules": "rules", "record": "records", "tiny": "records", "field": "", "bool": "", "symbols": ""}
    for name, text, _ in module.broken():
        (first,) = re.findall(r"^\W*(\w+)", name)
        if named.get(first, "positions") == kind and " bytes" not in name and "'max_" not in name:
            yield text


_RECORDS: Final = (
    "Hearts/1\nRules: default\nResult: *\n",
    "Hearts/1\nRules default\nPass\nExpose :\nTrick 0:\nResult -\n",
    'Hearts/1{a}\n[A "\\"\\\\\\n\\u2660\\x"] [A "2"]{b}\n# note\nRules:{c}default{d} ; e\nResult:0,1, 2\n',
    "Hearts/1\nRules: default\nDeal 0:\nDeal 1 : - kitty -\nTrick 000:0:2C 3:QS{x\ny}AH\nMOON 7 AUTO_SAVE\nResult: -\n",
    "Hearts/1\nRules: default\nExpose: 1:- 2:SQ\n{the end}\nPoints 0: 1,2 -3\nPoints 1: +4\nPoints 2:\nResult: 3\n",
    "Hearts/1\nRules: default\n{\\}\\\n}Pass{}0:NO 5:C2/H3H3/-\nPass: 1:5C5H\nResult: -\n",
)
"""Short records that are unlike those that are written."""

_RESPELLED: Final = (
    (" ", "\t"), (" ", "\xa0"), (" ", "\u2003"), (" ", "  "), (" ", ""), (":", " :"), (":", ""), (";", " ; "),
    (";", ""), (",", ", "), (",", ",,"), ("-", "_"), ("_", "-"), ("-", "\u2212"), ("T", "10"), ("T", "t"),
    ("S", "♠"), ("H", "♡"), ("C", "♧\ufe0f"), ("K", "\u212a"), ("s", "\u017f"), ("\n", "\r\n"), ("\n", "\r"),
    ("\n", " {a\nb}\n"), (" ", " {c} "), ("\n", "\n% {\n"), ("\n", " ; c\n"), ("0", "00"), ("1", "+1"),
    ("2", "-2"), ("a", "A"), ("}", "\\}"), ("{", "{\\"), ("Q", ""), ("/", "//"), ("=", "=="), ("=", ""),
    ("4", "44"), ("5", "C"), ("yes", "on"), ("none", ""), ("3", "7"),
)  # fmt: skip


def respelled(rng: Random, text: str) -> str:
    """A text with a spelling or two that mean the same, or nothing."""
    for _ in range(rng.choice((1, 1, 2))):
        old, new = rng.choice([pair for pair in _RESPELLED if pair[0] in text])
        places = [match.start() for match in re.finditer(re.escape(old), text)]
        at = rng.choice(places)
        text = text[:at] + new + text[at + len(old) :]
    return text


_LONGEST: Final = {"rules": 700, "positions": 1200, "records": 1500}
"""Longer texts show nothing more."""


_COMMENTS: Final = (
    "[%cost blunder points 6.7 4.9 8.5 win 0.073 0.05 0.096] the queen was still out",
    "[%COST\tBest points 0 0 0\xa0win  0.0 -0 0.000 ]",
    "[%cost fine points -0.25 -1.5 1 win 0.1239 0 123456789.123456789]a]{b}\n;c",
    "[%cost inaccuracy points 1 2 3 win 1 2 3]  \u2660",
    "[%cost mistake points 1 2 3 win 1 2 3] [%cost mistake points 1 2 3 win 1 2 3]",
    *("", "Bob thinks", " [%cost fine points 1 2 3 win 1 2 3]", "[%cost fine points 1 2 win 1 2 3]"),
    *(
        "[%cost fine points 1 2 3 4 win 1 2 3]",
        "[%cost fine win 1 2 3 points 1 2 3]",
        "[%cost good points 1 2 3 win 1 2 3]",
    ),
    *(
        "[%cost fine points 1 2 3 win 1 2 3",
        "[%cost fine points 1 2 3 win 1 2 .3]",
        "[%cost fine points 1 2 3. win 1 2 3]",
    ),
    *(
        "[%cost fine points +1 2 3 win 1 2 3]",
        "[%cost fine points 1e3 2 3 win 1 2 3]",
        "[%costfine points 1 2 3 win 1 2 3]",
    ),
    *("[%cost fine points 1234567890 2 3 win 1 2 3]", "[%cost fine points 1\n2 3 win 1 2 3]"),
    "[%cost fine points \u0661 2 3 win 1 2 3]",
)
"""Comments, half of them with evaluations that are spelled in every way."""


def comment_vector(text: str) -> Json:
    """What is said of a comment."""
    found = parse_evaluation(text)
    if found is None:
        return {"text": text, "evaluation": None}
    told = {"quality": found.quality, "points": list(found.points), "win": list(found.win), "text": found.text}
    return {"text": text, "canonical": format_evaluation(found), "evaluation": told}


_LINES: Final = (
    "[%line play 2:8D 3:AD 0:4D 1:9D] the queen stays out",
    "[%LINE\tPlay 0:8d\xa01:Q\u2660  pass 0:SQK/H2 1:NO ]",
    "[%line Play +1:\u2660Q 02:10h]]{b}\n;c",
    "[%line pass 0:C2D3 expose 1:- 2:DJSQ play 0:2C moon 3:Others_Up]  \u2660",
    "[%line moon 2:shooter-down]",
    *("", "Bob thinks", " [%line play 0:2C]", "[%line]", "[%line ]", "[%line play]", "[%line play pass 0:C2]"),
    *("[%line 0:2C]", "[%line play 2C]", "[%line play 0:2X]", "[%line play 0:2C", "[%lineplay 0:2C]"),
    *("[%line play 0:2C deal]", "[%line play 0:2C pass]", "[%line play 0:2C,]", "[%line play 0:2C\n1:3C]"),
    *("[%line play play 0:2C]", "[%line moon 2 others-up]", "[%line play 0:2C3C]", "[%line pass 0:2]"),
)
"""Comments, some of them with variations that are spelled in every way."""


def variation_vector(text: str) -> Json:
    """What is said of a comment and its variation."""
    found = parse_variation(text)
    if found is None:
        return {"text": text, "variation": None}
    told = {"moves": list(map(_move, found.moves)), "text": found.text}
    return {"text": text, "canonical": format_variation(found), "variation": told}


def files() -> Iterator[tuple[Path, bytes]]:
    """The files as they should be."""
    lines = [f"{json.dumps(comment_vector(text))}\n" for text in _COMMENTS]
    yield FOLDER / "evaluations.jsonl", "".join(lines).encode()
    lines = [f"{json.dumps(variation_vector(text))}\n" for text in _LINES]
    yield FOLDER / "variations.jsonl", "".join(lines).encode()
    for kind, meaning in MEANINGS.items():
        read, refused = [], []
        for text in dict.fromkeys(_texts(kind)):
            words = text.split()
            if kind == "rules" and words and "=" not in words[0] and words[0].lower() != "default":
                continue  # what a preset means is not part of the notation
            if len(text) > _LONGEST[kind]:
                continue
            why = refusal(kind, text)
            if why is None:
                read.append({"text": text, **meaning(text)})
            else:
                refused.append({"text": text, **why})
        for name, vectors in (("read", read), ("refused", refused)):
            lines = [f"{json.dumps(vector)}\n" for vector in vectors]
            yield FOLDER / f"{kind}-{name}.jsonl", "".join(lines).encode()
