"""Rule sets in sentences: every sentence in every language, and no two games are told alike.

The files `data/described.<language>.txt` hold the presets in sentences; `nox -s generate` writes them anew.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from heartsrules import InvalidRules, Rules, presets
from heartsrules.messages import UnknownLanguage, catalogue, describe, languages
from heartsrules.messages._format import parsed
from heartsrules.messages._rules import Filled, sentences
from heartsrules.rules import left
from heartsrules.testing import random_rules
from support.effects import VALUES, changes_nothing
from support.patterns import names_in

pytestmark = pytest.mark.once_compiled

DATA = Path(__file__).parents[1] / "data"


def samples(count: int) -> list[Rules]:
    """Every preset, and random rule sets, each also with another value of some options."""
    found = [preset(None) for preset in presets.ALL.values()]
    random = Random(21)
    found += [random_rules(random) for _ in range(count)]
    for rules in tuple(found):
        for name in random.sample(list(VALUES), 3):
            try:
                found.append(evolve(rules, **{name: random.choice(VALUES[name])}))
            except InvalidRules:
                continue
    return found


@pytest.fixture(scope="module")
def many() -> list[Rules]:
    return samples(60)


def test_every_option_is_tried() -> None:
    assert list(VALUES) == [option.name for option in Rules.OPTIONS]


@pytest.mark.long
def test_no_two_games_are_told_alike(many: list[Rules]) -> None:
    random = Random(5)
    compared: Counter[str] = Counter()
    for rules in many:
        said = [describe(rules, language) for language in languages()]
        for name in random.sample(list(VALUES), 10):
            for value in VALUES[name]:
                try:
                    other = evolve(rules, **{name: value})
                except InvalidRules:
                    continue
                if other != rules:
                    compared[name] += 1
                    alike = changes_nothing(name, rules, other)
                    for language, before in zip(languages(), said, strict=True):
                        assert (describe(other, language) == before) == alike, (language, name, rules, other)
    assert {name for name in VALUES if compared[name] < 5} == set()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", languages())
def test_every_sentence_is_told_with_all_that_it_is_given(language: str, many: list[Rules]) -> None:
    patterns = {name[6:]: pattern for name, pattern in catalogue(language).items() if name.startswith("rules.")}
    told = set()

    def say(name: str, **params: object) -> Filled:
        told.add(name)
        assert {given.removesuffix("_count") for given in names_in(parsed(patterns[name]))} >= set(params)
        return Filled(name)

    for rules in many:
        names = [f"Player {seat}" for seat in range(rules.players)]
        for name, params in [*sentences(rules, say), *sentences(rules, say, names)]:
            told.add(name)
            used = names_in(parsed(patterns[name]))
            assert {
                used_name if used_name in params else used_name.removesuffix("_count") for used_name in used
            } == set(params), name
        for sentence in describe(rules, language):
            assert sentence.endswith(".")
            assert sentence[0].isupper() or sentence[0] in "0123456789♣♦♠♥"
            assert "{" not in sentence
            assert "  " not in sentence
    assert told == set(patterns)


@pytest.mark.parametrize("language", languages())
def test_the_presets_are_told_as_it_is_written_down(language: str) -> None:
    assert written()[path_of(language)].decode() == path_of(language).read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "card", "queen"), [("en", "♠Q", "♠Q"), ("de", "♠D", "Pik-Dame")])
def test_nothing_is_told_of_a_queen_that_is_not_in_play(language: str, card: str, queen: str) -> None:
    deck, *others = describe(Rules(players=3, removed="QS"), language)
    assert card in deck
    assert not any(queen in sentence for sentence in others)
    assert sum(queen in sentence for sentence in describe(Rules(players=3, removed="2C"), language)) == 3


def test_a_cycle_of_a_thousand_steps_is_told_whole() -> None:
    rules = Rules(pass_cycle=[left(1 + number % 3) for number in range(1000)])
    (sentence,) = [each for each in describe(rules) if "passes" in each]
    assert sentence.count("to the left") == 1000
    assert "..." not in sentence


@pytest.mark.parametrize(
    ("language", "plain", "named"),
    [
        (
            "en",
            ("They play in 2 teams, seats 1, 3 / 2, 4; ", "Seat 3 deals first; "),
            ("They play in 2 teams, Ann, Cleo / Bob, Dan; ", "First dealer: Cleo; "),
        ),
        (
            "de",
            ("Gespielt wird in 2 Teams, Plätze 1, 3 / 2, 4; ", "Platz 3 gibt zuerst; "),
            ("Gespielt wird in 2 Teams, Ann, Cleo / Bob, Dan; ", "Erster Geber: Cleo; "),
        ),
    ],
)
def test_seats_are_counted_from_1_or_told_by_name(
    language: str, plain: tuple[str, ...], named: tuple[str, ...]
) -> None:
    rules = evolve(presets.partner_hearts(), first_dealer=2)
    assert all([told.startswith(begun) for told, begun in zip(describe(rules, language)[1:], plain, strict=False)])
    told = describe(rules, language, names=("Ann", "Bob", "Cleo", "Dan"))
    assert all([each.startswith(begun) for each, begun in zip(told[1:], named, strict=False)])
    assert told[3:] == describe(rules, language)[3:]


def test_names_that_are_not_one_for_each_seat_are_refused() -> None:
    with pytest.raises(ValueError, match="names has 3 of them for 4 players: give one for each seat"):
        describe(Rules(), names=("Ann", "Bob", "Cleo"))
    for wrong, message in (("Anna", "names must be a sequence of texts or None, not a str"), ((1, 2, 3, 4), "texts")):
        with pytest.raises(TypeError, match=message):
            describe(Rules(), names=wrong)  # type: ignore[arg-type]


def test_what_cannot_be_told_is_refused() -> None:
    with pytest.raises(UnknownLanguage, match="choose one of de, en"):
        describe(Rules(), "tlh")


def path_of(language: str) -> Path:
    return DATA / f"described.{language}.txt"


def written() -> dict[Path, bytes]:
    """The files as they should be."""
    files = {}
    for language in languages():
        parts = [
            "\n".join([f"{name}:", *[f"  {sentence}" for sentence in describe(preset(None), language)]])
            for name, preset in presets.ALL.items()
        ]
        files[path_of(language)] = ("\n\n".join(parts) + "\n").encode()
    return files
