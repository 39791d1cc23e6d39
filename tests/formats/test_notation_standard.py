"""The notation as a standard: the reader accepts what the grammar has, and understands it as the vectors say."""

from __future__ import annotations

import json
import re
from collections import Counter
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given

import abnf
from heartsrules import InvalidNotation, InvalidRules, Rules, testing
from heartsrules.formats.notation import (
    format_field,
    format_position,
    format_record,
    format_rules,
    parse_records,
    parse_rules,
    parse_setup,
)
from heartsrules.rules import Kind
from support import strategies
from support.abnf import Grammar
from support.notation_vectors import (
    FOLDER,
    MEANINGS,
    comment_vector,
    refusal,
    respelled,
    told_by_position,
    told_by_record,
    told_by_rules,
    variation_vector,
)
from support.rounds import SEED, rounds
from test_notation import POSITIONS, SHORT, TINY, any_record, random_game, read

pytestmark = pytest.mark.once_compiled

GRAMMAR_TEXT: Final = (FOLDER.parent / "notation.abnf").read_text(encoding="utf-8")
GRAMMAR: Final = Grammar(GRAMMAR_TEXT)
ROUNDS: Final = rounds(600)


# ------------------------------------------------------------------------------------- the grammar beside the reader


def records(text: str) -> tuple[Any, Any]:
    found = list(parse_records(text))
    return list(map(told_by_record, found)), "\n".join(map(format_record, found))


def position(text: str) -> tuple[Any, Any]:
    setup = parse_setup(text)
    return told_by_position(setup), format_position(setup)


def rule_set(text: str) -> tuple[Any, Any]:
    rules = parse_rules(text)
    return told_by_rules(rules), format_rules(rules)


READERS: Final = {"records": records, "position": position, "rule-set": rule_set}
"""The meaning of a text and its canonical form, by the rule of the grammar."""

BEYOND: Final = re.compile(
    "third time|no card more than twice|only once|3 to 11 players|default, field=value or a preset|a section "
    "|the (pass|exposure) of another seat|the number [0-9]+ and a colon|tags before|Hearts/1"
)
"""What the reader says of a text that the grammar has: the rules of "Beyond the grammar", and no others."""


def in_the_grammar(kind: str, text: str) -> bool:
    """True if the grammar has a text, without what the page drops before."""
    if kind == "rule-set":
        return GRAMMAR.has(kind, text.strip(" \t\xa0\r\n"))
    if kind == "position":
        return GRAMMAR.has(kind, text.removeprefix("\ufeff"))
    lines = [line.removeprefix("\ufeff") for line in re.split("\r\n|\r|\n", text)]
    return GRAMMAR.has(kind, "".join([f"{line}\n" for line in (lines if lines[-1] else lines[:-1])]))


def outcome(kind: str, text: str) -> str:
    """Read a text, compare with the grammar, and return the outcome."""
    told, canonical, problem = None, "", ""
    try:
        told, canonical = READERS[kind](text)
    except InvalidNotation as refused:
        if isinstance(refused.__cause__, InvalidRules):
            return "rules that cannot be played"
        problem = str(refused)
    if problem:
        assert not in_the_grammar(kind, text) or BEYOND.search(problem), f"only the grammar has {text!r}: {problem}"
        return "refused"
    assert in_the_grammar(kind, text), f"only the reader takes {text!r}"
    assert in_the_grammar(kind, canonical)
    assert READERS[kind](canonical) == (told, canonical)
    return "read"


# ---------------------------------------------------------------------------------------------------- the grammar


def test_abnf_is_understood() -> None:
    grammar = Grammar(
        'top = 1*2( "a" / %s"B" ) [ low ] ; not "this"\n    *%x30-31 3"-"\n\n'
        'low = %x63.64 / DQUOTE\nlow =/ "x;y" 2*DIGIT\n'
    )
    for text in ("a---", "AB---", "aBcd01---", 'A"---', "aX;Y12---", "bX;y123---".replace("b", "B")):
        assert grammar.has("top", text), text
    for text in ("", "b---", "aaa---", "a--", "a----", "acD---", "ac---", "aX;Y1---", "a2---", "a---\n"):
        assert not grammar.has("top", text), text
    assert grammar.unused("top") == set()
    assert grammar.unused() == {"top"}


def test_the_grammar_has_no_rule_that_nothing_uses() -> None:
    assert GRAMMAR.unused("position", "records", "rule-set", "evaluation", "variation") == set()


def test_every_option_and_every_choice_is_in_the_grammar() -> None:
    for option in Rules.OPTIONS:
        texts = [format_field(option.name, option.default, 4)]
        if option.kind in (Kind.CHOICE, Kind.BOOL):
            texts += [format_field(option.name, choice, 4) for choice in option.choices]
        texts += ["", "none"] if option.optional else []
        for text in texts:
            assert GRAMMAR.has("field", f"{option.name}={text}"), (option.name, text)
            assert GRAMMAR.has("field", f"{option.name.upper().replace('_', '-')}={text.upper().replace('-', '_')}")
        assert not GRAMMAR.has("field", f"{option.name}=?")
        assert not GRAMMAR.has("field", f"{option.name}s=none")


@pytest.mark.long
def test_another_tool_reads_the_grammar_and_agrees() -> None:
    """The package `abnf` of PyPI; it is slow, so it is given the short texts."""

    class Other(abnf.Rule):
        pass

    Other.load_grammar(GRAMMAR_TEXT.replace("\n", "\r\n"))
    for kind, rule in (("rules", "rule-set"), ("positions", "position"), ("records", "game")):
        counted: Counter[bool] = Counter()
        for vector in [*vectors(kind, "read"), *vectors(kind, "refused")]:
            text = vector["text"]
            if len(text) < 150 and "\ufeff" not in text:
                try:
                    Other(rule).parse_all(text)
                except abnf.ParseError:
                    found = False
                else:
                    found = True
                assert found == GRAMMAR.has(rule, text), text
                counted[found] += 1
        assert min(counted[True], counted[False]) >= 5, (kind, counted)


# ----------------------------------------------------------------------------------------------------- many texts


def test_what_is_written_is_in_the_grammar() -> None:
    rng = Random("standard")
    for _ in range(rounds(45)):
        rules = strategies.random_rules(rng)
        assert outcome("rule-set", format_rules(rules)) == "read"
        assert outcome("records", format_record(any_record(rng))) == "read"
        states = random_game(rng, rules).states
        for state in rng.sample(states, min(3, len(states))):
            assert outcome("position", format_position(state)) == "read"
    for line in POSITIONS:
        assert outcome("position", line) == "read"
    for name in ("hand-written.hearts", "games.hearts"):
        assert outcome("records", read(name)) == "read"


@given(testing.rules())
def test_any_rule_set_is_in_the_grammar(rules: Rules) -> None:
    assert outcome("rule-set", format_rules(rules)) == "read"


def one_character_changed(rng: Random, text: str) -> str:
    at = rng.randint(0, len(text))
    new = rng.choice((*PIECES, text[at - 1 : at] or "x"))
    return text[:at] + rng.choice(("", new)) + text[at + rng.randrange(2) :]


PIECES: Final = tuple(' \t\xa0\u2003\x0b\r\n\ufeff;:,/=-_+*{}[]"\\%#0149TtQqCcShH♠♡\ufe0f\u2212\u212a\u017fkn')


def test_reader_and_grammar_agree_on_spoiled_texts() -> None:
    rng = Random(f"spoiled {SEED}")
    records = [text for text in (format_record(any_record(rng)) for _ in range(40)) if len(text) < 1000]
    texts: dict[str, list[str]] = {
        "records": [*records, *[TINY] * 20, "\n".join([TINY, records[0]]), read("hand-written.hearts")],
        "position": [*[line for line in POSITIONS if len(line) < 700], *[SHORT] * 5],
        "rule-set": [format_rules(strategies.random_rules(rng)) for _ in range(40)],
    }
    counted: Counter[tuple[str, str]] = Counter()
    for number in range(ROUNDS):
        for kind, own in texts.items():
            change = respelled if number % 2 else one_character_changed
            counted[kind, outcome(kind, change(rng, rng.choice(own)))] += 1
    print(dict(counted))
    assert all(counted[kind, what] > 0.15 * ROUNDS for kind in texts for what in ("read", "refused")), counted


def test_a_reader_that_differs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome("rule-set", "target=5") == "read"
    assert outcome("rule-set", "target=x") == "refused"
    assert outcome("rule-set", "players=5") == "rules that cannot be played"
    monkeypatch.setitem(READERS, "rule-set", lambda _: ({"target": 5}, "target=5"))
    with pytest.raises(AssertionError, match="only the reader takes"):
        outcome("rule-set", "target=x")
    monkeypatch.setitem(READERS, "rule-set", position)
    with pytest.raises(AssertionError):
        outcome("rule-set", "target=5")


# --------------------------------------------------------------------------------------------------- the vectors


def vectors(kind: str, name: str) -> list[dict[str, Any]]:
    text = (FOLDER / f"{kind}-{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n")[:-1]]


@pytest.mark.parametrize(("kind", "rule"), [("rules", "rule-set"), ("positions", "position"), ("records", "records")])
def test_the_vectors(kind: str, rule: str) -> None:
    read_ones, refused = vectors(kind, "read"), vectors(kind, "refused")
    assert len(read_ones) > 60
    assert len(refused) > 60
    for vector in read_ones:
        assert MEANINGS[kind](vector["text"]) == {key: value for key, value in vector.items() if key != "text"}
        assert outcome(rule, vector["text"]) == "read"
    for vector in refused:
        text = vector["text"]
        assert refusal(kind, text) == {key: value for key, value in vector.items() if key != "text"}
        if kind != "records":  # a text of no game, or of two, is a file of records
            assert outcome(rule, text) == ("refused" if vector["why"] == "notation" else "rules that cannot be played")


def test_a_comment_has_an_evaluation_if_the_grammar_says_so() -> None:
    lines = (FOLDER / "evaluations.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    for vector in found:
        assert comment_vector(vector["text"]) == vector
        assert GRAMMAR.has("evaluation", vector["text"]) == (vector["evaluation"] is not None), vector
        if vector["evaluation"]:
            again = comment_vector(vector["canonical"])
            assert again["canonical"] == vector["canonical"]
            assert GRAMMAR.has("evaluation", vector["canonical"])
    assert len({vector["evaluation"]["quality"] for vector in found if vector["evaluation"]}) == 5
    record = parse_records(f"Hearts/1\nRules: default\n{{{found[0]['text']}}}\nTrick 0: 0:2C\nResult: *\n")
    assert [comment for each in record for comment in each.comments] == [(0, found[0]["text"])]


def test_a_comment_has_a_variation_if_the_grammar_says_so() -> None:
    lines = (FOLDER / "variations.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    for vector in found:
        assert variation_vector(vector["text"]) == vector
        assert GRAMMAR.has("variation", vector["text"]) == (vector["variation"] is not None), vector
        if vector["variation"]:
            again = variation_vector(vector["canonical"])
            assert again == vector | {"text": vector["canonical"]}
            assert GRAMMAR.has("variation", vector["canonical"])
    moves = [move for vector in found if vector["variation"] for move in vector["variation"]["moves"]]
    assert len({move["kind"] if "kind" in move else move["move"] for move in moves}) == 4


def test_the_vectors_are_of_many_kinds() -> None:
    """Among the positions are impossible ones, of many kinds."""
    states = [vector["state"]["phase"] for vector in vectors("positions", "read") if "state" in vector]
    assert len(set(states)) == 7
    impossible = {code for vector in vectors("positions", "read") for code in vector.get("impossible", ())}
    assert len(impossible) > 20
    assert {vector["why"] for vector in vectors("positions", "refused")} == {"notation", "rules"}
    moves = {move["move"] for vector in vectors("records", "read") for move in vector["told"]["moves"]}
    assert moves == {"deal", "pass", "expose", "play", "choose-moon"}
