"""Every pattern, filled by intl-messageformat with the `arguments` of a document, says what Python says."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from heartsrules import Cards, Event, GameOver, Move, State, apply, deal, legal_moves, new_game, transition, why_illegal
from heartsrules.base.errors import Problem
from heartsrules.formats.wire import to_json
from heartsrules.messages import arguments, catalogue, key, languages, text
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.violations import NotInHand, Violation
from heartsrules.testing.rule_sets import random_rules
from support import typescript_engine
from support.typescript import Missing, built
from test_messages import VIOLATIONS, things
from test_wire import EVENTS

PACKAGE: Final = "intl-messageformat@12.1.5"
PROGRAM: Final = """\
import { IntlMessageFormat } from "intl-messageformat";
import { readFileSync } from "node:fs";

const { language, patterns, told } = JSON.parse(readFileSync(0, "utf8"));
const say = ([key, values]) => {
  try {
    return new IntlMessageFormat(patterns[key], language).format(values);
  } catch (error) {
    return String(error);
  }
};
console.log(JSON.stringify(told.map(say)));
"""
ENGINE_PROGRAM: Final = """\
import { IntlMessageFormat } from "intl-messageformat";
import { readFileSync } from "node:fs";
import { eventArguments, reasonArguments, reasons, transition } from "./package/dist/index.js";

const { languages, samples, positions } = JSON.parse(readFileSync(0, "utf8"));
const said = Object.entries(languages).map(([language, patterns]) => {
  const fill = (key, values) => new IntlMessageFormat(patterns[key], language).format(values);
  const reason = (each) => fill(`violation.${each.code}`, reasonArguments(each, fill));
  const event = (each) => fill(`event.${each.code}`, eventArguments(each, fill));
  return [
    samples.reasons.map(reason),
    samples.events.map(event),
    positions.map(({ state, tried, made }) =>
      [reasons(state, tried).map(reason), transition(state, made).events.events.map(event)]),
  ];
});
console.log(JSON.stringify(said));
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("Node.js is not installed")
    folder = tmp_path_factory.mktemp("formatjs")
    (folder / "package.json").write_text("{}", encoding="utf-8")
    command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=180)
    if done.returncode:
        pytest.skip(f"npm could not install {PACKAGE}: {done.stderr.strip()[-300:]}")
    (folder / "say.mjs").write_text(PROGRAM, encoding="utf-8")
    return folder / "say.mjs"


@pytest.mark.once_interpreted
@pytest.mark.parametrize("language", languages())
def test_a_library_of_icu_messages_says_the_same(program: Path, language: str) -> None:
    found = list(things())
    told = [
        arguments(thing, language)
        if isinstance(thing, Problem)
        else json.loads(to_json(thing, language=language)).get("arguments", {})
        for thing in found
    ]
    keys = [key(thing) for thing in found]
    given = {"language": language, "patterns": dict(catalogue(language)), "told": list(zip(keys, told, strict=True))}
    done = subprocess.run(
        ["node", str(program)], input=json.dumps(given), capture_output=True, text=True, check=True, encoding="utf-8"
    )
    said = json.loads(done.stdout)
    assert [
        (key(thing), values, each, text(thing, language))
        for thing, values, each in zip(found, told, said, strict=True)
        if each != text(thing, language)
    ] == []


def drawn(state: State, rng: Random) -> Move:
    return deal(state, rng=rng) if chance_to_act(state) else rng.choice(legal_moves(state))


def positions(rng: Random) -> Iterator[tuple[dict[str, Any], list[Violation], tuple[Event, ...]]]:
    """Draw positions, each with a move to try, the reasons against it, a legal move and its events."""
    for _ in range(200):
        state: State = new_game(random_rules(rng))
        for _ in range(rng.randrange(80)):
            after = apply(state, drawn(state, rng))
            if isinstance(after, GameOver):
                break
            state = after
        tried, move = typescript_engine.tried(state, rng), drawn(state, rng)
        documents = {"state": state, "tried": tried, "made": move}
        given = {name: json.loads(to_json(value)) for name, value in documents.items()}
        yield given, list(why_illegal(state, tried)), transition(state, move).events


@pytest.mark.once_interpreted
def test_the_engine_in_typescript_says_the_same(program: Path) -> None:
    folder = program.parent
    try:
        built(folder / "package")
    except Missing as error:
        pytest.skip(str(error))
    (folder / "engine.mjs").write_text(ENGINE_PROGRAM, encoding="utf-8")
    reasons = [*VIOLATIONS, NotInHand(Cards("2C 3C 4C 5C 6C 7C 8C"))]  # too many to be listed
    found = list(positions(Random(7)))
    given = {
        "languages": {language: dict(catalogue(language)) for language in languages()},
        "samples": {
            "reasons": [typescript_engine.bare(reason) for reason in reasons],
            "events": json.loads(to_json(tuple(EVENTS), language=None))["events"],
        },
        "positions": [documents for documents, _, _ in found],
    }
    done = subprocess.run(
        ["node", str(folder / "engine.mjs")],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    for language, (of_reasons, of_events, of_positions) in zip(languages(), json.loads(done.stdout), strict=True):
        assert of_reasons == [text(reason, language) for reason in reasons]
        assert of_events == [text(event, language) for event in EVENTS]
        expected = [
            [[text(each, language) for each in told] for told in (against, after)] for _, against, after in found
        ]
        assert of_positions == expected
    assert len({reason.code for _, against, _ in found for reason in against}) > 10
