"""`heartsrules drill`: what it asks, how it takes answers, and what it refuses."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random

import pytest

from heartsrules import Play, presets
from heartsrules.analysis import drills, drills_of, review
from heartsrules.apps.terminal.drilling import ask_in_turn
from heartsrules.apps.terminal.screen import Screen
from heartsrules.apps.terminal.words import Phrases
from heartsrules.bots import uniform
from heartsrules.formats.notation import format_record
from heartsrules.messages import languages, letters
from heartsrules.play.game import Game, Record
from heartsrules.play.moves import Pass
from heartsrules.views import PlayingView
from support import commands
from support.terminal_players import ESCAPE, Tty

pytestmark = pytest.mark.once_compiled


def run(*arguments: object, answers: str = "") -> tuple[int, str]:
    code, out, err = commands.run("drill", *arguments, given=answers)
    return code, out + err


def asked(*arguments: object) -> list[dict[str, object]]:
    """The drills that a run would ask, as JSON."""
    code, out = run(*arguments, "--format", "json")
    assert code == 0, out
    return [json.loads(line) for line in out.splitlines()]


def test_a_right_and_a_wrong_answer_are_judged() -> None:
    (told,) = asked("--seed", "any", "--theme", "queen", "--count", 1)
    drill = next(
        each
        for each in drills()
        if each.theme == "queen" and json.loads(json.dumps(each.data())).items() <= told.items()
    )
    worst = drill.choices[-1].move
    for move in (drill.best[0], worst):
        assert isinstance(move, Play)
        for language in ("en", "de"):
            arguments = ("--seed", "any", "--theme", "queen", "--count", 1, "--language", language)
            code, out = run(*arguments, answers=f"{str(move.card).lower()}\n")
            assert code == 0
            assert isinstance(drill.view, PlayingView)
            words = Phrases(letters(language))
            for card in sum(drill.view.captured, drill.view.hand):
                assert words.card(card) in out
            # Pipes get cards as they are typed.
            for line in drill.judge(move, letters(language)):
                assert line in out
    assert isinstance(worst, Play)
    code, out = run("--seed", "any", "--theme", "queen", "--count", 1, answers=f"{worst.card}\n")
    assert (code, out.splitlines()[-1]) == (0, "0 of 1 right")


@pytest.mark.parametrize("language", languages())
def test_every_drill_fits_a_terminal_of_80_by_24(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    for drill in drills():
        out = Tty()
        ask_in_turn([drill], Screen(stdin=io.StringIO(), stdout=out), Phrases(language))
        *shown, _score = ESCAPE.sub("", out.getvalue()).splitlines()
        assert len(shown) <= 24
        assert max(map(len, shown)) <= 80


def test_answers_are_numbers_or_cards_and_q_ends() -> None:
    code, out = run("--seed", 1, "--count", 3, answers="0\n99\nxx\n\n1\n q \n")
    assert code == 0
    assert out.count("type a number from 1 to") == 4
    assert "Drill 2 of 3" in out
    assert "Drill 3 of 3" not in out
    assert out.endswith(" of 1 right\n")
    assert run("--seed", 1)[1].endswith("0 of 0 right\n")


def test_a_pass_is_named_by_its_cards_in_any_order() -> None:
    drill = next(each for each in drills() if each.theme == "passing")
    arguments = ("--seed", "pass", "--theme", "passing", "--count", 30)
    shown = asked(*arguments)
    place = next(place for place, each in enumerate(shown) if each["best"] == drill.data()["best"])
    move = drill.best[0]
    assert isinstance(move, Pass)
    named = ", ".join(reversed([str(card) for card in move.cards[0]]))
    code, out = run(*arguments, answers="1\n" * place + f"{named}\n")
    assert code == 0
    assert "\n".join([f"> {named}", *drill.judge(move, letters("en"))[:2]]) in out


def test_seeds_and_themes_choose_the_drills() -> None:
    assert asked("--seed", 1) == asked("--seed", 1) != asked("--seed", 2)
    assert len(asked("--seed", 1)) == 10
    assert {each["theme"] for each in asked("--theme", "own-moon", "--count", 200)} == {"own-moon"}
    assert run("--theme", "other") == (0, "there is no drill on this theme\n")


@pytest.fixture(scope="module")
def game() -> Game:
    rng = Random("drill")
    return Game.start(presets.cardstock(3)).play_on(lambda seen: uniform(seen, rng), rng=rng)


def test_a_record_asks_for_the_mistakes_of_its_player(game: Game, tmp_path: Path) -> None:
    file, short = tmp_path / "mine.hearts", game.fork(46)
    players = [("Seat0", "Ann"), ("Bot0", "heuristic"), ("Seat1", "Bob"), ("Bot1", "uniform"), ("Seat2", "Cleo")]
    file.write_text(format_record(Record.of(short, [("Seed", "x"), *players])), encoding="utf-8")
    wanted = [json.loads(json.dumps(each.data())) for each in drills_of(review(short, 2, worlds=12), worlds=24)]
    found = asked(file, "--seed", 1, "--worlds", 12)
    assert len(found) == len(wanted) > 0
    for each in wanted:
        assert any(each.items() <= told.items() for told in found)


def test_a_record_without_a_mistake_has_no_drill(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "short.hearts"
    file.write_text(format_record(Record.of(game.fork(1))), encoding="utf-8")
    assert run(file) == (0, "there is no mistake to practise: play on\n")
