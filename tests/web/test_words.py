"""The words of the browser table: every language has all of them, and they are used as they are written."""

from __future__ import annotations

import json
import re
from typing import Any

import attrs
import pytest

from heartsrules import Rules
from heartsrules.apps.table.bots import LEVELS
from heartsrules.apps.table.games import GAMES
from heartsrules.messages import LOCALES, languages
from heartsrules.messages._format import names_in, parsed, render
from heartsrules.pictures import svg
from heartsrules.rules import HeartValues, Kind, Option
from support.bundle import PAGE

SCRIPTS = "\n".join([path.read_text("utf-8") for path in sorted(PAGE.glob("*.ts"))])
ALIKE = {
    *("board.team", "curve.team", "event.card-played", "form.bot", "keys.arrows", "keys.hint"),
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


@attrs.frozen
class Rank:
    """What the pattern of a rank is filled in with."""

    rank: str

    def value(self, name: str) -> object:
        return getattr(self, name)

    def text(self, value: object) -> str:
        return str(value)


@pytest.mark.parametrize("language", languages())
def test_every_rank_that_a_card_may_have_is_drawn(language: str) -> None:
    drawings = json.loads(svg.DRAWINGS.read_bytes())
    pattern = parsed(words(language)["card.rank"])
    written = {render(pattern, Rank(rank), LOCALES[language]) for rank in drawings["ranks"]}
    assert len(written) == 13
    assert written <= set(drawings["ranks"]) | set(drawings["letters"])


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


def as_declared(option: Option) -> str:
    """What the form calls an option that nobody has given another name."""
    return option.name.replace("_", " ").capitalize()


def values_of(option: Option) -> set[str]:
    """The values of an option that have names."""
    if option.kind is Kind.HEART_VALUES:
        return {each.value for each in HeartValues}
    return {each.value for each in option.choices} if option.kind is Kind.CHOICE else set()


def test_every_option_and_each_of_its_values_is_called_something_in_every_language() -> None:
    """In English an option may be called as it is declared."""
    sections = {option.section for option in Rules.OPTIONS}
    english = option_words("en")
    for language in languages():
        told = option_words(language)
        options = told["options"]
        assert set(options) <= {option.name for option in Rules.OPTIONS}
        for part in ("parts", "explained"):
            assert set(told[part]) == set(english[part])
        for option in Rules.OPTIONS:
            words = options.get(option.name, {})
            assert set(words.get("values", {})) >= values_of(option) or (language == "en" and "values" not in words)
            assert len(set(words.get("values", {}).values())) == len(words.get("values", {})), option.name
            assert set(words.get("pair", ())) <= set(told["parts"])
            if language != "en":
                assert set(told["sections"]) == sections
                assert words["label"] not in (option.name, as_declared(option)) or option.name == "teams"
                assert words["sentence"].endswith(".")
                assert words["sentence"] != option.sentence
        labels = [each["label"] for each in options.values() if "label" in each]
        assert len(set(labels)) == len(labels)


def test_no_sentence_of_the_form_speaks_to_programmers() -> None:
    """A name of an option with an underscore, code, or what only Python calls so."""
    declared = {option.name: {"sentence": option.sentence} for option in Rules.OPTIONS}
    for language in languages():
        for name, words in (declared | option_words(language)["options"]).items():
            told = " ".join([words.get("sentence", ""), words.get("label", ""), *words.get("values", {}).values()])
            assert not re.search(r"`|_|\bNone\b|\bmod\b|\bfaces?\b", told), (language, name, told)


def test_games_and_bots_of_the_server_have_words() -> None:
    games = {f"game.{game.preset}.{game.players}.{what}" for game in GAMES for what in ("title", "special")}
    levels = {f"level.{name}{what}" for name in LEVELS for what in ("", ".does", ".style")}
    for language in languages():
        known = words(language)
        assert {key for key in known if key.startswith("game.")} == games
        assert {key for key in known if key.startswith("level.")} == levels
