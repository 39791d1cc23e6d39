"""The words of the browser table: every language has all of them, and they are used as they are written."""

from __future__ import annotations

import json
import re

import pytest

from heartsrules import Rules
from heartsrules.messages import languages
from heartsrules.messages._format import names_in, parsed
from heartsrules.table.app import STATIC
from heartsrules.table.bots import LEVELS
from heartsrules.table.games import GAMES

pytestmark = pytest.mark.once_compiled

SCRIPTS = "\n".join([path.read_text("utf-8") for path in sorted(STATIC.glob("*.js"))])
ALIKE = {
    "board.team",
    "event.card-played",
    "game.black_maria.3.title",
    "game.gong_zhu.4.title",
    "game.leekha.4.title",
    "game.omnibus.4.title",
}
"""What is the same in English and in German."""


def words(language: str) -> dict[str, str]:
    """The catalogue of a language."""
    found: dict[str, str] = json.loads((STATIC / f"words.{language}.json").read_text("utf-8"))
    return found


def test_the_page_speaks_the_languages_of_the_rules() -> None:
    assert {path.name.split(".")[1] for path in STATIC.glob("words.*.json")} == set(languages())
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


def test_every_option_is_explained_in_every_language() -> None:
    sections = {option.section for option in Rules.OPTIONS}
    for language in set(languages()) - {"en"}:
        told = json.loads((STATIC / f"options.{language}.json").read_text("utf-8"))
        assert set(told) == sections | {option.name for option in Rules.OPTIONS}
        assert not [name for name, sentence in told.items() if sentence in {o.sentence for o in Rules.OPTIONS}]


def test_games_and_bots_are_called_in_english_what_the_server_calls_them() -> None:
    english = words("en")
    games: dict[str, str] = {}
    for game in GAMES:
        key = f"game.{game.preset}.{game.players}"
        games |= {f"{key}.title": game.title, f"{key}.special": game.special}
    levels: dict[str, str] = {}
    for level in LEVELS.values():
        levels |= {f"level.{level.name}": level.title, f"level.{level.name}.does": level.sentence}
    assert {key: told for key, told in english.items() if key.startswith("game.")} == games
    assert {key: told for key, told in english.items() if key.startswith("level.")} == levels
