"""Keys at a terminal that answer without Enter: as they are read, and through a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import termios
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

import attrs
import pytest

from heartsrules import Cards, ChooseMoon, Deal, Play
from heartsrules.apps.terminal import keyboard
from heartsrules.apps.terminal.answers import parse_play_answer, play_keys
from heartsrules.apps.terminal.keeping import load
from heartsrules.apps.terminal.words import COMMAND_KEYS, Phrases
from heartsrules.formats.notation import format_record
from heartsrules.messages import languages
from heartsrules.play.game import Game, Record
from heartsrules.rules import HOLD, Moon, OpeningCard, PassOptional, Rules, Tie, left
from support.commands import SOURCE
from support.terminal_players import HANDS, SUITS, PtyGame

pytestmark = pytest.mark.once_compiled

UP: Final = "\x1b[A"

# Which keys there are


@pytest.mark.parametrize("language", languages())
def test_no_command_has_the_key_of_a_rank(language: str) -> None:
    words = Phrases(language)
    assert not {text[0].lower() for text in words.ranks} & {*COMMAND_KEYS, "n"}
    assert set(COMMAND_KEYS.values()) == set(words.commands) - {"taken", "quit"}
    for key, name in COMMAND_KEYS.items():
        assert words.command(key) == name


@pytest.mark.parametrize(
    ("language", "keys"),
    [
        ("en", {"6c": "6C", "6s": "6S", "t": "TD", "10": "TD", "q": "QS"}),
        ("de", {"6c": "6C", "6s": "6S", "t": "TD", "10": "TD", "q": "QS", "d": "QS"}),
    ],
)
def test_a_rank_plays_the_only_card_that_has_it(language: str, keys: dict[str, str]) -> None:
    words = Phrases(language)
    playable = Cards("6C 6S TD QS QS")
    assert play_keys(playable, words) == keys
    for key, answer in keys.items():
        card = parse_play_answer(answer, 0, playable, words).card
        assert card in playable
        assert card.rank is words.ranks[key.upper().rstrip("CS")]


# How they are read


@pytest.fixture
def terminal() -> Iterator[tuple[int, TextIO]]:
    """The two ends of a pseudo-terminal."""
    master, slave = pty.openpty()
    with os.fdopen(slave, encoding="utf-8") as file:
        yield master, file
    os.close(master)


def test_keys_are_read_one_by_one_and_the_settings_come_back(terminal: tuple[int, TextIO]) -> None:
    master, file = terminal
    usual = termios.tcgetattr(file)
    os.write(master, b"ab")
    with keyboard.keys(file) as press:
        assert not termios.tcgetattr(file)[3] & (termios.ICANON | termios.ECHO)
        os.write(master, "cü\x04".encode())
        assert press() == "c", "earlier keys are dropped"
        assert keyboard.more(file)
        assert press() == "ü"
        assert press() == keyboard.END
        assert not keyboard.more(file)
    assert termios.tcgetattr(file) == usual
    with pytest.raises(KeyboardInterrupt), keyboard.keys(file):
        raise KeyboardInterrupt
    assert termios.tcgetattr(file) == usual


def test_an_input_that_is_gone_ends(terminal: tuple[int, TextIO], tmp_path: Path) -> None:
    _, file = terminal
    with keyboard.keys(file) as press, (tmp_path / "empty").open("w+") as empty:
        os.dup2(empty.fileno(), file.fileno())
        assert press() == keyboard.END
        os.dup2(terminal[0], file.fileno())


# At a pseudo-terminal

SHELL: Final = """
import os, signal, subprocess, sys, termios
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
game = subprocess.Popen([sys.executable, *sys.argv[1:]], process_group=0)
os.tcsetpgrp(0, game.pid)
os.waitpid(game.pid, os.WUNTRACED)
print("stopped, canonical:", bool(termios.tcgetattr(0)[3] & termios.ICANON), flush=True)
os.kill(game.pid, signal.SIGCONT)
sys.exit(game.wait())
"""
"""A shell that continues its game as soon as it is stopped."""
RULES: Final = Rules(pass_cycle=(HOLD,), max_deals=1, tie=Tie.SHARED)


def saved(path: Path, rules: Rules, hands: Sequence[str]) -> Path:
    """A file with a deal, from which a game goes on."""
    game = Game.start(rules).play(Deal([Cards(hand) for hand in hands], Cards()))
    path.write_text(format_record(Record.of(game)), encoding="utf-8")
    return path


def resumed(path: Path, *arguments: str, **options: Any) -> PtyGame:
    """The game of a file, up to the first prompt if it is in English."""
    game = PtyGame("--resume", str(path), "--bots", "uniform", "--seed", "1", *arguments, **options)
    if "--language" not in arguments:
        game.prompt()
    return game


def press(game: PtyGame, key: str) -> str:
    """Press a key, and wait for the next prompt."""
    game.child.send(key)
    return game.prompt()


def plays_of(path: Path) -> list[str]:
    """The cards of seat 0 in a record."""
    return [str(move.card) for move in load(path).game.moves if isinstance(move, Play) and not move.seat]


def test_keys_play_cards_and_show_what_there_is(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.txt", RULES, HANDS)
    game = resumed(path)
    assert press(game, "l") == "Your card [♣2]"
    assert "Your card [♣2]: last\nNo trick has been completed" in game.text
    press(game, "s")
    assert ": score\nNo deal has been scored yet." in game.text
    press(game, "?")
    assert "Keys answer at once." in game.text
    assert press(game, "2").startswith("Your card")
    assert "]: 2C\n" in game.text
    press(game, "g")
    assert ": log\nDeal 1: You dealt.\nNo cards are passed.\nTrick 1: You ♣2, Bot 1 " in game.text
    press(game, "u")
    assert "Taken back: ♣2." in game.text
    assert plays_of(path) == []
    assert press(game, "\r").startswith("Your card"), "Enter plays the only card"
    assert plays_of(path) == ["2C"]
    game.child.send("\x04")
    assert game.end() == 0
    assert "You have left the game." in game.text


def test_a_rank_that_several_cards_have_waits_for_the_suit(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.txt", attrs.evolve(RULES, opening_card=OpeningCard.NON_POINT), HANDS)
    game = resumed(path)
    game.child.send("K")
    game.see("\rYour card: K")
    press(game, "\r")
    assert "which one: ♣K, ♠K? (? for help)" in game.text
    assert plays_of(path) == []
    game.child.send("k")
    game.see("\rYour card: k")
    press(game, "s")
    assert "Your card: KS\n" in game.text
    assert plays_of(path) == ["KS"]
    press(game, "quit\r")
    assert game.end() == 0


def test_other_keys_begin_a_line(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.txt", RULES, HANDS)
    game = resumed(path)
    for begun in ("", " ", UP, "\t"):
        game.child.send(begun or "9")
        game.see("\rYour card [♣2]: ")
        press(game, "c\r" if not begun else "taken\r")
        assert ("the first lead of the deal must be" if not begun else "You: 0 tricks, 0 points") in game.text
    assert press(game, "why 9c\r") == "Your card [♣2]", "letters that arrive together are a line"
    assert "Your card [♣2]: why 9c\nthe first lead of the deal must be" in game.text
    press(game, "quit\r")
    assert game.end() == 0


def test_the_choice_of_the_moon_and_the_end_take_keys(tmp_path: Path) -> None:
    rules = Rules(pass_cycle=(HOLD,), moon=Moon.CHOICE, max_deals=1, tie=Tie.SHARED)
    path = saved(tmp_path / "moon.txt", rules, list(SUITS.values()))
    game = resumed(path)
    assert "All remaining tricks are yours: press x to take them." in game.text
    assert press(game, "x") == "Your choice, 1 or 2"
    assert press(game, "2") == "Enter to end"
    assert "Your choice, 1 or 2: 2\n" in game.text
    assert press(game, "u") == "Your choice, 1 or 2"
    assert press(game, "1") == "Enter to end"
    game.child.send("\r")
    assert game.end() == 0
    record = Record.of(load(path).game)
    assert record.moves[-1] == ChooseMoon(0, Moon.OTHERS_UP)
    assert record.points == ((0, 26, 26, 26),)


def test_cards_are_passed_and_shown_in_lines_and_none_by_a_key(tmp_path: Path) -> None:
    rules = attrs.evolve(RULES, pass_cycle=(left(),), pass_optional=PassOptional.UNANIMOUS, exposable=Cards("QS"))
    path = saved(tmp_path / "game.txt", rules, HANDS)
    game = resumed(path)
    game.child.send("q")
    game.see("\rYour pass: q")
    press(game, "s kc\r")
    assert "No: you chose 2 cards, but this deal takes 3 cards" in game.text
    assert press(game, "n") == "Your cards to expose"
    assert "Your pass: decline\nYou pass nothing" in game.text
    assert press(game, "n").startswith("Your card")
    assert "Your cards to expose: none\n" in game.text
    game = resumed(saved(tmp_path / "german.txt", rules, HANDS), "--language", "de")
    game.see("gib verzichten ein.\r\nDu gibst weiter: ")
    for key in "ph":
        game.child.send(key)
        game.see(f"\rDu gibst weiter: {key}")
        game.child.send("\x7f\r")
        game.see("Du gibst weiter: ")
    game.child.send("w")
    game.see("Du gibst weiter: warum\r\n")


@pytest.mark.parametrize("arguments", [("--plain",), ("--humans", "Ann,Bob")])
def test_screen_readers_and_several_people_type_lines(arguments: tuple[str, ...], tmp_path: Path) -> None:
    path = saved(tmp_path / "game.txt", RULES, HANDS)
    game = resumed(path, *arguments)
    if game.prompts[-1].startswith("Hand over"):
        game.type("")
    assert press(game, "?\r").startswith("Your card")
    assert "Keys answer at once." not in game.text
    game.child.send("2")
    game.child.send("\x7flast\r")
    game.prompt()
    assert "No trick has been completed in this deal." in game.text
    assert plays_of(path) == []


def test_a_drill_is_answered_by_its_number() -> None:
    game = PtyGame("--theme", "leading", "--seed", "12", "--count", "1", command="drill")
    game.child.expect("\\b10 .*> ")
    game.child.send("1")
    game.see("\r> 1")
    game.child.send("0")
    game.see("\r> 10\r\n")
    assert game.end() == 0


def test_ctrl_z_stops_the_game_at_a_usual_terminal(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.txt", RULES, HANDS)
    game = PtyGame("--resume", str(path), "--bots", "uniform", under=["-c", SHELL])
    game.prompt()
    game.child.send("\x1a")
    game.see("stopped, canonical: True")
    game.see("\rYour card [♣2]: ")
    assert press(game, "l") == "Your card [♣2]"
    assert "No trick has been completed" in game.output
    game.child.sendintr()
    assert game.end() == 130


def test_lines_that_cannot_be_edited_go_on_from_the_first_key(tmp_path: Path) -> None:
    (tmp_path / "readline.py").write_text("raise ImportError", encoding="utf-8")
    path = saved(tmp_path / "game.txt", RULES, HANDS)
    game = resumed(path, environment={"PYTHONPATH": os.pathsep.join([str(tmp_path), SOURCE])})
    game.child.send("9")
    game.see("\rYour card [♣2]: 9")
    press(game, "c\r")
    assert "Your card [♣2]: 9c\nNo: the first lead of the deal must be" in game.text
    press(game, " taken\r")
    assert "You: 0 tricks, 0 points" in game.text
    press(game, "2")
    assert plays_of(path) == ["2C"]
