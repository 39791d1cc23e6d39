"""The words of the browser table: every language has all of them, and they are used as they are written."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest

from heartsrules import Rules
from heartsrules.apps.table.bots import LEVELS
from heartsrules.apps.table.games import GAMES
from heartsrules.apps.table.log import NoteCode
from heartsrules.messages import LOCALES, languages
from heartsrules.messages._format import parsed, render
from heartsrules.rules import HeartValues, Kind
from support.bundle import PAGE, bundled, parts_of, prepare
from support.page_checks import FOR_NODE
from support.patterns import names_in

SCRIPTS = "\n".join([path.read_text("utf-8") for path in sorted(PAGE.glob("*.ts"))])
ALIKE = {
    *("board.team", "curve.team", "event.card-played", "keys.arrows", "keys.hint"),
    *("settings.sorting", "start.bots", "title"),
    *(f"game.{each}.title" for each in ("black_maria.3", "gong_zhu.4", "leekha.4", "omnibus.4", "spot_hearts.4")),
}
"""What is the same in English and in German."""


def words(language: str) -> dict[str, str]:
    """The catalogue of a language."""
    found: dict[str, str] = json.loads((PAGE / f"words.{language}.json").read_text("utf-8"))
    return found


def test_the_page_speaks_the_languages_of_the_rules() -> None:
    assert {path.name.split(".")[1] for path in PAGE.glob("words.*.json")} == set(languages())
    (told,) = re.findall(r"LANGUAGES = \{(.*?)\}", SCRIPTS)
    assert set(re.findall(r"(\w+):", told)) == set(languages())


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_word(language: str) -> None:
    english, other = words("en"), words(language)
    assert list(other) == list(english)
    for key, pattern in other.items():
        # A language may ask who is spoken to, so that it says "you" as it must.
        assert names_in(parsed(pattern)) - {"you"} == names_in(parsed(english[key])) - {"you"}, key


def test_nothing_is_left_in_english() -> None:
    english, german = words("en"), words("de")
    assert {key for key in english if english[key] == german[key]} == ALIKE


def test_every_word_that_a_script_says_is_there_and_every_word_is_said() -> None:
    known = set(words("en"))
    quoted = set(re.findall(r'"([a-z]+(?:[.-][a-z-]+)*)"', SCRIPTS))
    built = tuple(prefix for prefix in re.findall(r"(?:say\(|known\(|key = )`([\w.-]+)\$\{", SCRIPTS))
    assert built
    assert set(re.findall(r'\bsay\(\s*"([^"]+)"', SCRIPTS)) <= known
    assert {key for key in known - quoted if not key.startswith(built)} == set()
    assert all([any([key.startswith(prefix) for key in known]) for prefix in built])


def test_why_something_is_refused_is_said_in_every_language() -> None:
    refusals = re.compile(r'Refused\(\s*"([a-z-]+)"')
    codes = {code for path in PAGE.parent.glob("*.py") for code in refusals.findall(path.read_text("utf-8"))}
    assert len(codes) > 40
    ours = {"no-python", "unreachable", "unreadable"}  # what the page says itself when no server does
    for language in languages():
        assert {key.removeprefix("refused.") for key in words(language) if key.startswith("refused.")} == codes | ours


def option_words(language: str) -> dict[str, Any]:
    """What options are called in a language."""
    found: dict[str, Any] = json.loads((PAGE / f"options.{language}.json").read_text("utf-8"))
    return found


def test_every_option_and_each_of_its_values_is_called_something_in_every_language() -> None:
    """In English an option may be called as it is declared."""
    english = option_words("en")
    for language in languages():
        told = option_words(language)
        options = told["options"]
        assert set(options) <= {option.name for option in Rules.OPTIONS}
        assert all(set(told[part]) == set(english[part]) for part in ("parts", "explained"))
        for option in Rules.OPTIONS:
            words = options.get(option.name, {})
            named = words.get("values", {})
            values = [*HeartValues] if option.kind is Kind.HEART_VALUES else [*option.choices]
            values = values if option.kind in (Kind.HEART_VALUES, Kind.CHOICE) else []
            assert set(named) >= {each.value for each in values} or (language == "en" and not named)
            assert len(set(named.values())) == len(named), option.name
            assert set(words.get("pair", ())) <= set(told["parts"])
            if language != "en":
                assert set(told["sections"]) == {option.section for option in Rules.OPTIONS}
                declared = (option.name, option.name.replace("_", " ").capitalize())
                assert words["label"] not in declared or option.name == "teams"
                assert words["sentence"].endswith(".")
                assert words["sentence"] != option.sentence
        labels = [each["label"] for each in options.values() if "label" in each]
        assert len(set(labels)) == len(labels)


def test_games_bots_and_notes_of_the_server_have_words() -> None:
    games = {f"game.{game.preset}.{game.players}.{what}" for game in GAMES for what in ("title", "special")}
    levels = {f"level.{name}{what}" for name in LEVELS for what in ("", ".does", ".style")}
    for language in languages():
        known = words(language)
        assert {key for key in known if key.startswith("game.")} == games
        assert {key for key in known if key.startswith("level.")} == levels
        assert {f"event.{code}" for code in get_args(NoteCode)} <= set(known)


FILL = """
import { format, type Pattern } from "./words.ts";
import { readFileSync } from "node:fs";
const cases: [string, Pattern, Record<string, unknown>, string][] = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.filter(([tag, pattern, args, told]) => format(pattern, args, tag) !== told)));
"""


class Given:
    """The arguments of a pattern."""

    def __init__(self, args: dict[str, Any]) -> None:
        self.args = args

    def value(self, name: str) -> object:
        return self.args[name]

    def text(self, value: object) -> str:
        return str(value)


@pytest.mark.web
def test_the_page_fills_in_patterns_as_the_package_does(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("Node.js is not installed: node and npm are needed to run the page's modules")
    odd = "it''s '{quoted}' {count, plural, offset:-1 =0 {none} one {#} other {'#' is # of {count, number}}}"
    cases = []
    for language in ("en", "de"):
        for pattern in (odd, *words(language).values()):
            for number in (0, 1, 2, 1234):
                args = dict.fromkeys(names_in(parsed(pattern)), number)
                wanted = render(parsed(pattern), Given(args), LOCALES[language])
                cases.append([language, parts_of(parsed(pattern)), args, wanted])
    page = prepare(tmp_path)
    (page / "fill.ts").write_text(FILL, "utf-8")
    bundled(page, "fill.ts", *FOR_NODE, "--outfile=fill.mjs")
    command = ["node", "fill.mjs"]
    done = subprocess.run(command, cwd=page, input=json.dumps(cases), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
