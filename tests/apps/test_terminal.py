"""Games at a terminal: through a pseudo-terminal, through pipes, and in this process."""

from __future__ import annotations

import io
import os
import random
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.text import Text

import heartsrules
import heartsrules.rules
from heartsrules import (
    Card,
    Cards,
    ChooseMoon,
    Deal,
    Expose,
    GameOver,
    Move,
    Pass,
    Play,
    Rules,
    View,
    Violation,
    legal_moves,
    presets,
    redact,
)
from heartsrules.analysis import MOST_MOVES, Review, drills_of, review
from heartsrules.analysis.policies import Watchful
from heartsrules.apps.terminal import sitting as sitting_module
from heartsrules.apps.terminal.answers import (
    BadAnswer,
    Command,
    parse_command,
    parse_expose_answer,
    parse_moon_answer,
    parse_pass_answer,
    parse_play_answer,
)
from heartsrules.apps.terminal.drawing import GLUE, Pen
from heartsrules.apps.terminal.keeping import Keeper, UnusableRecord, load
from heartsrules.apps.terminal.screen import Screen
from heartsrules.apps.terminal.seating import Seating, WrongSeating, seat_players
from heartsrules.apps.terminal.session import Session
from heartsrules.apps.terminal.sitting import Sitting
from heartsrules.apps.terminal.words import ENGLISH, Phrases
from heartsrules.bots import BOTS, Learned
from heartsrules.formats.files import LockedFile
from heartsrules.formats.notation import format_record, parse_record
from heartsrules.messages import letters, phrase
from heartsrules.pictures.facts import TableFacts
from heartsrules.play.game import Game, Record, replay_strict, verify
from heartsrules.play.violations import AlreadyDecided, AlreadyPassed, NotTheShooter, NotYourTurn
from heartsrules.rules import HOLD, Bonus, Doubler, Exposure, KittyShownTo, Moon, Tie
from heartsrules.testing import rules
from heartsrules.views import PlayingView
from support import commands, terminal_players
from support.rounds import examples
from support.tables import rules_of
from support.terminal_players import (
    ASKS,
    CARD,
    CLEAR,
    ESCAPE,
    HANDS,
    PROMPT,
    SUITS,
    Player,
    PtyGame,
    Tty,
    cards_in,
    english_in,
    longest_line,
    session_of,
    typed,
)

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("plain_environment")]


def short(rules: Rules, deals: int = 1) -> Rules:
    """The same game for so many deals."""
    return attrs.evolve(rules, max_deals=deals, tie=Tie.SHARED)


@pytest.fixture(autouse=True)
def _colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")


def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    """Run `heartsrules play`, its input a pipe."""
    return commands.run("play", *arguments, given=stdin)


SHORT = ("--set", "max_deals=1", "--set", "tie=shared", "--bots", "uniform", "--seed", "1")
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]")


# What is shown, in this process: whole games, with commands and nonsense at many prompts


@pytest.mark.sampled(9)
@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("name", sorted(presets.ALL))
def test_no_line_names_a_card_that_its_reader_may_not_know(
    name: str, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    preset = presets.ALL[name]
    player = Player(name, undo=0.03)
    session = session_of(short(preset(preset.players[-1]), 2), player, terminal=terminal)
    assert session.run()
    assert isinstance(session.game.state, GameOver)
    text = player.out.getvalue()
    assert "The game is over" in text
    if terminal:
        assert 30 < longest_line(text) <= 40
    else:
        assert "\x1b" not in text
        assert not re.search("[♣♦♠♥]", text)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "players", "humans"),
    [
        ("whisthub", None, ("Ann", "Bob", "Cleo", "Dan")),
        ("dicegamedepot", 5, ("Ann", "", "Bob")),
        ("dicegamedepot_cancellation", 8, ("", "Ann", "Bob")),
        ("partner_hearts", None, ("Ann", "", "Bob")),
        ("board_game_arena", 7, ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus")),
    ],
)
def test_several_people_see_only_what_they_may_know(name: str, players: int | None, humans: tuple[str, ...]) -> None:
    preset = presets.ALL[name]
    rules = short(preset(players), 2)
    if name == "dicegamedepot":
        rules = short(presets.dicegamedepot(5, kitty=heartsrules.rules.Kitty.FIRST_POINT, passing=True), 2)
    player = Player(name)
    session = session_of(rules, player, humans=humans, terminal=True)
    assert session.run()
    parts = player.out.getvalue().split(CLEAR)
    hidden = [part for part in parts if "Hand over" in part]
    assert len(hidden) > 5
    for part in hidden:
        assert not cards_in(part.partition("press Enter:")[0])


@pytest.mark.long
@given(rules(), st.integers(1, 3), st.booleans(), st.randoms(use_true_random=False))
@settings(max_examples=examples(40))
def test_random_rules_with_random_people(rules: Rules, people: int, terminal: bool, rng: random.Random) -> None:
    humans = [*[f"P{number}" for number in range(people)], *[""] * (rules.players - people)]
    rng.shuffle(humans)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "40")
        patch.setenv("TERM", "xterm-256color")
        player = Player(str(rng.random()), undo=0.03)
        session = session_of(short(rules, 2), player, humans=tuple(humans), terminal=terminal or people > 1)
        assert session.run()
    assert isinstance(session.game.state, GameOver)
    if terminal or people > 1:
        assert longest_line(player.out.getvalue()) <= 40


SHOWING = rules_of(
    "exposable=QS,JD,TC,AH pass_cycle=hold bonuses=JD:100 doubler=TC:2:50 queen_points=100 max_deals=3 target=none "
    "tie=shared"
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("exposure", list(Exposure))
@pytest.mark.parametrize("humans", [("You",), ("Ann", "Bob", "Cleo", "Dan")])
def test_cards_are_shown_and_lie_open(exposure: Exposure, humans: tuple[str, ...]) -> None:
    rules = attrs.evolve(SHOWING, exposure=exposure)
    player = Player(f"showing {exposure}", undo=0.0 if len(humans) > 1 else 0.05)
    session = session_of(rules, player, humans=humans)
    assert session.run()
    assert isinstance(session.game.state, GameOver)
    text = player.out.getvalue()
    shown = [move for move in session.game.moves if isinstance(move, Expose)]
    assert len(shown) > 12 if rules._resolved.shows_in_rounds else len(shown) == 12
    assert any(move.cards for move in shown)
    assert "exposing cards" in text
    assert " exposed " in text
    assert "Exposed: " in text
    assert ("have decided to expose" in text) is (exposure is Exposure.TOGETHER)
    assert any(prompt.startswith("Your cards to expose") for prompt in player.prompts)


def at_exposure() -> tuple[Seating, Game]:
    """One human at a table where cards are shown together, and its first deal."""
    session = session_of(attrs.evolve(SHOWING, max_deals=1), Player("at exposure"), seed="open cards")
    return session.seating, session.game.dealt(seed="open cards")


def test_what_is_said_where_cards_are_shown() -> None:
    seating, game = at_exposure()
    hands = game.state.hands  # type: ignore[union-attr]
    seat = next(seat for seat in range(4) if Card("QS") in hands[seat])
    pen = Pen(seating, seat, plain=False, words=Phrases(letters("en")))
    seen = game.view(seat)
    own = hands[seat] & SHOWING.exposable
    told = "\n".join(map(str, pen.situation(seen)))
    assert f"You may expose any of these: {own}. An exposed card counts double, an exposed heart doubles all" in told
    assert any("may not be exposed under these rules" in str(line) for line in pen.why(seen))
    assert "Type the cards to expose, or none." in "\n".join(map(str, pen.help(seen)))
    other = next(each for each in range(4) if not hands[each] & SHOWING.exposable)
    assert "You have no card to expose." in map(str, pen.situation(game.view(other)))
    before = game.view(seat)
    for each in range(4):
        before = game.view(seat)
        game = game.play(Expose(each, hands[each] & Cards("QS TC")))
    story = [str(line) for line in pen.story(before, redact(game.events(game.ply - 1), seat))]
    assert any("exposed" in line and "QS" in line for line in story)
    playing = game.view(other)
    assert any("Exposed: " in str(line) and "QS" in str(line) for line in pen.situation(playing))
    assert pen.gain(SHOWING, Cards("QS"), (Cards("QS"), Cards(), Cards(), Cards())) == "200 points"
    assert pen.gain(SHOWING, Cards("QS"), ()) == "100 points"
    assert str(pen.marked(Card("TC"), TableFacts(playing))).endswith("4)")


def test_nobody_may_show_a_card() -> None:
    seating, game = at_exposure()
    before = game.view(0)
    for seat in range(4):
        before = game.view(0)
        game = game.play(Expose(seat, Cards()))
    pen = Pen(seating, 0, plain=True)
    told = [str(line) for line in pen.story(before, redact(game.events(game.ply - 1), 0))]
    assert told == ["No card was exposed."]


@pytest.mark.parametrize("kind", sorted(BOTS))
def test_every_kind_of_bot_plays_whole_games(kind: str) -> None:
    player = Player(kind)
    session = session_of(short(presets.black_maria()), player, bots=kind)
    assert session.run()
    assert isinstance(session.game.state, GameOver)


def test_the_check_sees_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player("leak", nonsense=0)
    session = session_of(short(Rules(), 1), player)
    told = Pen.heading

    def leaky(self: Pen, text: str) -> Text:
        return told(self, f"{text} {session.game.state.hands[1]}")  # type: ignore[union-attr]

    monkeypatch.setattr(Pen, "heading", leaky)
    with pytest.raises(AssertionError, match="shown to 0"):
        session.run()


GERMAN: tuple[str, ...] = (
    *("hilfe", "tisch", "warum", "warum qs", "warum zz", "tipp", "wert", "weitergabe", "stich", "verlauf"),
    *("genommen", "stand", "regeln", "regeln alle", "analyse", "aufgaben", "zurück", "nochmal", "rest", "xyzzy"),
    *("pik-dame", "2c 2c 2c"),
)


@pytest.mark.parametrize("terminal", [pytest.param(False, marks=pytest.mark.long), True])
@pytest.mark.parametrize(
    "rules",
    [
        short(presets.dicegamedepot(5, kitty=heartsrules.rules.Kitty.FIRST_POINT, passing=True)),
        pytest.param(short(presets.gong_zhu(5)), marks=pytest.mark.long),
        pytest.param(short(presets.partner_hearts(), 2), marks=pytest.mark.long),
        pytest.param(short(presets.pagat_cancellation(8)), marks=pytest.mark.long),
    ],
)
def test_a_whole_game_in_german_has_no_english_word(
    rules: Rules, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command is typed at many prompts; reviews and drills have tests of their own."""
    monkeypatch.setattr(sitting_module, "_WORLDS", 2)
    monkeypatch.setattr(terminal_players, "COMMANDS", GERMAN[:14] + GERMAN[16:])
    player = Player("german", nonsense=0.3, undo=0.03, redo=0.03)
    session = session_of(rules, player, terminal=terminal, language="de")
    assert session.run()
    text = player.out.getvalue()
    assert "Die Partie ist vorbei" in text
    typed_texts = {word for answer in player.answers for word in answer.split()}
    assert english_in(text) - typed_texts == set()


def test_english_words_are_noticed() -> None:
    assert english_in("Deine Karte: All remaining tricks are yours") >= {"remaining", "tricks", "yours"}
    assert english_in("Deine Karte: alle restlichen Stiche sind dir sicher") == set()


@pytest.mark.parametrize(("language", "deals"), [pytest.param("en", 2, marks=pytest.mark.long), ("de", 1)])
def test_the_moves_of_a_deal_are_reviewed_and_drilled_when_it_is_over(
    language: str, deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plies: list[int] = []

    def quick(game: Game, seat: int, **options: Any) -> Review:
        plies.append(game.ply)
        return review(game, seat, worlds=6, **options)

    monkeypatch.setattr(sitting_module, "review", quick)
    monkeypatch.setattr(sitting_module, "drills_of", lambda found, **rest: drills_of(found, worlds=6, **rest))
    words = Phrases(language)
    player = LooksBack(words)
    small = Rules(removed=" ".join([f"{rank}{suit}" for rank in "2345678" for suit in "CDSH"]), pass_cycle=(HOLD,))
    session = session_of(short(small, deals), player, language=language, seed="look back")
    assert session.run()
    text = player.out.getvalue()
    assert words.tell("review-later") in text
    assert text.count(phrase("review.errors", language)) == 2 * deals
    assert plies[0] == plies[1] == plies[2] < session.game.ply or deals == 1
    assert plies[-3] == plies[-1] <= plies[-2] == session.game.ply
    assert re.search(r"> 1\n(Right|Wrong|Richtig|Falsch): ", text) or words.tell("no-mistakes") in text
    # Words of the notation of the rule set.
    assert language == "en" or english_in(text) <= {"deals", "hold", "pass"}


def test_several_people_get_no_reviews() -> None:
    words = Phrases()
    player = LooksBack(words)
    rules = short(presets.cardstock(3))
    assert session_of(rules, player, humans=("Ann", "Bob"), terminal=True).run()
    assert words.tell("review-alone")[:50] in player.out.getvalue()


class LooksBack(Player):
    """Asks for a review during the first deal, and for reviews and drills after each."""

    def __init__(self, words: Phrases) -> None:
        super().__init__("looks back", nonsense=0)
        asks = words.commands["review"]
        self.early = [asks]
        self.late = [asks, f"{asks} {words.word('all')}", words.commands["drill"]]
        self.asked = 0
        self.drilled = 0

    def next(self) -> str:
        """What to type."""
        if self.prompts[-1].startswith(">"):
            self.drilled += 1
            return "1" if self.drilled % 2 else "q"
        if self.prompts[-1].startswith(ASKS):
            self.asked = 0
            return self.early.pop() if self.early else super().next()
        if not self.prompts[-1].startswith(("Enter to", "Eingabetaste")):
            return super().next()
        self.asked += 1
        return self.late[self.asked - 1] if self.asked <= len(self.late) else ""


@pytest.mark.parametrize("redo", [0.0, 0.6])
def test_everything_can_be_taken_back_and_made_again(redo: float) -> None:
    rules = short(presets.partner_hearts(), 2)
    player = Player(f"undo {redo}", undo=0.3, redo=redo)
    session = session_of(rules, player)
    assert session.run()
    text = player.out.getvalue()
    for said in ("Taken back", "Repeated") if redo else ("Taken back",):
        assert f"{said}: your pass." in text
        assert re.search(rf"{said}: [2-9TJQKA][CDSH]\.", text)
    nothing = "There is no move to repeat: none was taken back, or another one replaced it."
    assert (nothing in text) == bool(redo)
    # It changes nothing else: the same moves without it give the same game.
    again = session_of(rules, Replayer([move for move in session.game.moves if own(move)]))
    assert again.run()
    assert again.game == session.game


def test_making_again_goes_over_the_end_of_a_deal_and_over_equal_moves() -> None:
    rules = short(presets.cardstock(), 2)
    session = session_of(rules, Player("two deals", nonsense=0))
    assert session.run()
    sitting = session.sitting
    ended = sitting.game
    moves = [move for move in ended.moves if own(move)]
    for move in reversed(moves):
        assert sitting.undo() == move
    assert sitting.undo() is None
    assert sitting.game.ply < ended.ply
    # The same move, made anew, leaves the rest to be made again.
    sitting.make(moves[0])
    made = []
    while (again := sitting.redo()) is not None:
        made.append(again)
    assert sitting.game == ended
    assert [move for move in made if own(move)] == moves[1:]
    assert [type(move) for move in made if not own(move)] == [Play, Deal]
    # Another move does not.
    while len(legal_moves(sitting.game.state)) < 2 or sitting.turn != 0:
        sitting.undo()
    undone = sitting.game.undone[0]
    sitting.make(next(move for move in legal_moves(sitting.game.state) if move != undone))
    assert sitting.redo() is None


def own(move: Move) -> bool:
    """Whether a move is one of seat 0."""
    return not isinstance(move, Deal) and move.seat == 0


class Replayer(Player):
    """Types given moves, and Enter everywhere else."""

    def __init__(self, moves: list[Move]) -> None:
        super().__init__("replay", nonsense=0)
        self.moves = list(moves)

    def next(self) -> str:
        """What to type."""
        return typed(self.moves.pop(0)) if self.prompts[-1].startswith("Your ") else ""


def script(
    rules: Rules,
    *answers: str,
    terminal: bool = False,
    game: Game | None = None,
    humans: tuple[str, ...] = ("You",),
    end: str = "\n",
) -> str:
    """What is written when these lines are typed, and then nothing more."""
    out = Tty() if terminal else io.StringIO()
    screen = Screen(stdin=io.StringIO("\n".join(answers) + end), stdout=out)
    seating = seat_players(rules, humans, ["uniform"])
    Session(Sitting(game or Game.start(rules), seating, "1"), screen).run()
    return out.getvalue()


def dealt(rules: Rules, *hands: str, kitty: str = "") -> Game:
    """A game with its first deal."""
    return Game.start(rules).play(Deal([Cards(hand) for hand in hands], Cards(kitty)))


MOON = dealt(Rules(pass_cycle=(HOLD,), moon=Moon.CHOICE, max_deals=1, tie=Tie.SHARED), *SUITS.values())
"""Seat 0 holds all clubs: it takes every trick."""


def mixed(options: str = "") -> Game:
    """A deal in which seat 0 leads."""
    return passing(f"pass_cycle=hold {options}")


def passing(options: str = "") -> Game:
    """The same deal in which cards are passed first, as the rules say."""
    return dealt(rules_of(options), *HANDS)


PASS = passing()
TWO_GIFTS = passing("pass_cycle=L2+R1")
OPTIONAL = passing("pass_cycle=L3 pass_optional=unanimous")
NON_POINT = mixed("opening_card=non-point")


@pytest.mark.parametrize(
    ("game", "answers", "said"),
    [
        (mixed(), ["9C"], "the first lead of the deal must be the lowest club, not 9C."),
        (mixed(), ["AC"], "AC is not in the hand."),
        (mixed(), ["y"], "'y' is not a card: expected a rank (2 to 9, 10 or T, J, Q, K, A) (? for help)"),
        (mixed(), ["why 9c"], "must be the lowest club, not 9C"),
        (mixed(), ["why 2c"], "You may play 2C."),
        (mixed(), ["why zz"], "Type why and a card: 'zz' is not a card: expected a rank"),
        (mixed(), ["k"], "no card of rank K is legal now"),
        (mixed(), ["2"], "You 2C"),
        (mixed(), [""], "You 2C"),
        (mixed("opening_card=any-club"), [""], "type a card to play (? for help)"),
        (NON_POINT, ["k"], "which one: KC, KS?"),
        (NON_POINT, ["7h"], "may not be led to the first trick."),
        (mixed(), ["undo"], "You have no move to take back."),
        (mixed(), ["redo"], "There is no move to repeat"),
        (mixed(), ["2c", "undo", "redo"], "Repeated: 2C."),
        (mixed(), ["rest"], "You cannot take the rest: you must be on lead and sure of every trick."),
        (MOON, ["rest"], "All remaining tricks are yours: type rest to take them."),
        (MOON, ["rest", "2"], "The deal is over: You -26,"),
        (mixed(), ["passed"], "There was no pass in this deal."),
        (mixed(), ["last"], "No trick has been completed in this deal."),
        (mixed(), ["taken"], "You: 0 tricks, 0 points"),
        (mixed(), ["score"], "No deal has been scored yet."),
        (mixed(), ["rules"], "No cards are passed."),
        (mixed(), ["rules all"], "Each heart counts 1 penalty point."),
        (mixed(), ["2c", "last"], "Won by Bot 3."),
        (mixed(), ["2c", "l"], "Won by Bot 3."),
        (mixed(), ["log"], "Your card [2C]: log\nDeal 1: You dealt.\nNo cards are passed.\nYour card"),
        (mixed(), ["2c", "undo", "g"], "Your card [2C]: g\nDeal 1: You dealt.\nNo cards are passed.\nYour card"),
        (mixed("compulsory=always opening_card=any"), ["2c"], "you must play QS"),
        (PASS, ["qs ks"], "2 cards, but this deal takes 3 cards for Bot 1 (left)."),
        (PASS, ["qs ks qs"], "the hand has fewer copies of QS than you chose."),
        (PASS, ["qs qs qs"], "you typed QS three times: type no card more often than you have it"),
        (PASS, ["no"], "every player must pass"),
        (PASS, ["qs, ks; ah"], "You pass QS KS AH to Bot 1 (left)."),
        (
            passing("pass_cycle=M3"),
            ["qs ks ah", "log"],
            ": log\nDeal 1: You dealt.\nYou pass QS KS AH to the middle.\n",
        ),
        (PASS, ["why"], "You may pass every card of your hand."),
        (PASS, ["why qs"], "You may pass QS."),
        (PASS, ["why as"], "AS is not in your hand."),
        (PASS, ["passed"], "The cards have not been passed yet."),
        (PASS, ["taken"], "No one has taken anything in this deal yet."),
        (PASS, ["qs ks ah", "passed"], "You passed: QS KS AH"),
        (passing("unpassable=QS"), ["qs ks ah"], "QS may not be passed under"),
        (passing("unpassable=QS"), ["why"], "QS: these rules do not allow passing them"),
        (passing("unpassable=QS"), ["why qs"], "You may not pass QS."),
        (TWO_GIFTS, ["qs ks ah"], "You pass QS KS to Bot 1 (left), AH to Bot 3 (right)."),
        (
            TWO_GIFTS,
            ["qs / ks ah"],
            "1 card for Bot 1 (left), but this deal takes 2 cards for Bot 1 (left), 1 card for Bot 3 (right).",
        ),
        (TWO_GIFTS, ["qs / ks / ah"], "cards for 3 players, but this deal takes"),
        (
            passing("pass_cycle=scatter"),
            ["qs ks ah"],
            "You pass QS to Bot 1 (left), KS to Bot 2 (across), AH to Bot 3 (right).",
        ),
        (OPTIONAL, ["decline"], "You pass nothing: you decline."),
        (OPTIONAL, ["decline"], "Declined to pass: "),
        (OPTIONAL, ["decline"], "You keep your cards."),
    ],
)
def test_answers_and_what_is_said_to_them(game: Game, answers: list[str], said: str) -> None:
    assert said in script(game.rules, *answers, game=game)


def shot() -> Game:
    """The game of the moon, up to the choice."""
    return MOON.play_on(first_legal, until=lambda game: not isinstance(game.state, heartsrules.Playing))


def first_legal(seen: View) -> Move:
    return legal_moves(seen)[0]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (["what"], "'what' is not a choice: type 1 (others up) or 2 (shooter down)"),
        (["auto save"], "choose 'others-up' or 'shooter-down', not 'auto-save'."),
        (["why"], "You have no cards now."),
        (["why 2c"], "no card can be played now."),
        (["?"], "Type 1 or 2."),
        (["table"], "1 = others-up: You +0, Bot 1 +26, Bot 2 +26, Bot 3 +26"),
        (["taken"], "You: 13 tricks, 26 points: QS 2H"),
        (["1"], "You chose others-up."),
        (["Shooter_Down"], "The deal is over: You -26, Bot 1 +0, Bot 2 +0, Bot 3 +0."),
        (["2"], "Deal 1: You shot the moon (shooter-down)."),
        (["2", "2"], "There is nothing to play now: press Enter"),
        (["2", "why 2c"], "the game is over: no more moves can be made."),
        (["2", "undo"], "Taken back: your choice."),
        (["2", "?"], "Press Enter to go on."),
        (["2", "why"], "You have no cards now."),
        (["2", "last"], "Trick 13: You AC"),
    ],
)
def test_the_choice_of_the_moon(answers: list[str], said: str) -> None:
    game = shot()
    assert said in script(game.rules, *answers, game=game)


def test_a_bot_chooses_what_the_moon_does() -> None:
    game = dealt(MOON.rules, SUITS["D"], SUITS["C"], SUITS["S"], SUITS["H"])
    text = script(game.rules, *[f"{rank}D" for rank in "23456789TJQKA"], game=game)
    assert "Bot 1 shot the moon, and the shooter chooses its effect." in text
    assert re.search(r"Bot 1 chose (others-up|shooter-down)\.", text)


def test_the_hand_shows_what_may_not_be_played_without_colours_too() -> None:
    game = mixed()
    text = script(game.rules, "why", terminal=True, game=game)
    assert "  ♣2 \x1b[2m(♣9)\x1b[0m \x1b[2m(♣K)\x1b[0m" in text
    assert "  ♣2 (♣9) (♣K)\n  (♦3) (♦J)\n  (♠5) (♠Q) (♠K)\n  (♥4) (♥7) (♥Q) (♥K) (♥A)\n" in ESCAPE.sub("", text)
    assert "(the same goes for ♣K ♦3 ♦J ♠5 ♠Q ♠K ♥4 ♥7 ♥Q ♥K ♥A)" in " ".join(text.split())


def after(game: Game, *cards: str) -> Game:
    """The game after these cards, played by whoever is to play."""
    for card in cards:
        assert isinstance(game.state, heartsrules.Playing)
        game = game.play(Play(game.state.turn, Card(card)))
    return game


FIRST = ("2C", "4C", "TC", "AC")


PLAIN = Pen(seat_players(Rules(), ["You"], ["uniform"]), 0, plain=True, words=Phrases(letters("en")))


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (NotYourTurn(0, 2), "it is Bot\ue0002's turn"),
        (NotYourTurn(2, 0), "it is your turn"),
        (NotTheShooter(0, 1), "Bot\ue0001 shot the moon and chooses its effect"),
        (AlreadyPassed(0), "you have already chosen, and cannot change that"),
        (AlreadyDecided(0), "you have already chosen, and cannot change that"),
    ],
)
def test_no_reason_and_no_rule_tells_players_by_numbers(reason: Violation, told: str) -> None:
    seen = mixed().view(0)
    assert PLAIN.reason(reason, seen) == told
    teams = attrs.evolve(presets.partner_hearts(), first_dealer=1)
    rules = [str(line) for line in PLAIN.rules(teams)]
    assert rules[0].startswith("They play in 2 teams, You, Bot 2 / Bot 1, Bot 3; ")
    assert rules[1] == "First dealer: Bot 1; the deal moves to the left."


@pytest.mark.parametrize(
    ("cards", "points", "trick"),
    [
        ((), None, "You lead."),
        (("2C",), None, "On the table: You 2C"),
        ((*FIRST, "8S"), "none", "On the table: Bot 3 8S"),
        ((*FIRST, "8S", "QS", "2S", "4S"), "You 13 (QS)", "You lead."),
        (
            (*FIRST, "8S", "QS", "2S", "4S", "9C", "3C"),
            "You 13 (QS)",
            "On the table: You 9C, Bot 1 3C. You are winning it.",
        ),
        ((*FIRST, "AD", "JD", "2D", "6D"), "Bot 3 0 (JD)", "You lead."),
        (
            (*FIRST, "AD", "JD", "2D", "6D", "TD", "3D"),
            "Bot 3 0 (JD)",
            "On the table: Bot 3 TD, You 3D. Bot 3 is winning it.",
        ),
    ],
)
def test_points_and_who_would_win_the_trick_are_in_sight_at_every_card(
    cards: tuple[str, ...], points: str | None, trick: str
) -> None:
    seen = after(mixed("bonuses=JD:10"), *cards).view(0)
    told = [str(line).replace(GLUE, " ") for line in PLAIN.situation(seen)]
    assert trick in told
    assert [line for line in told if "Points" in line] == ([f"Points in this deal: {points}."] if points else [])


def test_points_of_the_deal_have_the_sign_of_the_totals() -> None:
    seen = after(mixed("score_display=negative"), *FIRST, "8S", "QS", "2S", "4S").view(0)
    told = [str(line).replace(GLUE, " ") for line in [*PLAIN.situation(seen), *PLAIN.taken(seen)]]
    assert "Points in this deal: You -13 (QS)." in told
    assert any(line.startswith("You: 1 trick, -13 points") for line in told), told


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints look at so many worlds, not at the clock."""
    monkeypatch.setattr(sitting_module, "_WORLDS", 3)
    monkeypatch.setattr(sitting_module, "_SECONDS", None)


@pytest.mark.usefixtures("few_worlds")
@pytest.mark.parametrize(
    ("game", "answers", "said"),
    [
        (mixed(), ["hint"], r"2C: -?[0-9.]+ points expected; there is no better or worse move"),
        (mixed(), ["hint 2c"], r"2C: -?[0-9.]+ points expected; there is no better or worse move"),
        (mixed(), ["2c", "hint 3d"], r"3D: -?[0-9.]+ points expected, .* with the (next )?best move \(JD\)"),
        (mixed(), ["hint 9c"], r"No: the first lead of the deal must be the lowest club, not 9C"),
        (mixed(), ["hint zz"], r"Type hint, or hint and a move: 'zz' is not a card"),
        (mixed(), ["moves"], r"2C: .*\nBased on [3-6] deals that fit what you know\."),
        (PASS, ["hint"], r"passing \S+ \S+ \S+: "),
        (PASS, ["hint 2c 9c kc"], r"passing 2C 9C KC: .* with the best move \(passing"),
        (PASS, ["hint 2c"], r"No: you chose 1 card, but this deal takes 3 cards for Bot 1"),
        (PASS, ["moves"], r"(?:passing .*\n){10,}Based on [0-9]+ deals"),
        (shot(), ["hint"], r"the points .*: -?[0-9.]+ points expected"),
        (shot(), ["1", "hint", "moves"], r"There is nothing to play now\.\n.*moves\nThere is nothing to play now\."),
    ],
)
def test_hints(game: Game, answers: list[str], said: str) -> None:
    assert re.search(said, script(game.rules, *answers, game=game))


@pytest.mark.usefixtures("few_worlds")
def test_hints_are_those_of_the_policy_that_is_named() -> None:
    seating = seat_players(PASS.rules, ["Ann"], ["uniform"])
    seen, policy, other = PASS.view(0), Learned(), Watchful()
    found = Sitting(PASS, seating, "x", policy=policy).assessment(0)
    assert {each.move for each in found.moves} >= set(policy.passes(seen, MOST_MOVES // 2))  # type: ignore[arg-type]
    assert found != Sitting(PASS, seating, "x", policy=other).assessment(0)


@pytest.mark.usefixtures("few_worlds")
@pytest.mark.parametrize("columns", [40, 80])
def test_the_moves_in_a_table(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for game in (PASS, shot(), after(mixed(), "2C", "4C", "TC", "AC", "AD")):
        text = ESCAPE.sub("", script(game.rules, "moves", terminal=True, game=game)).split("moves\n")[-1]
        head = text[text.index("move ") :].splitlines()
        assert head[0].split() == ["move", "points", "moon", "against", "match"]
        assert ("±" in head[1]) is (columns > 40)
        assert longest_line(text) <= columns


@pytest.mark.usefixtures("few_worlds")
def test_what_moves_are_worth_has_the_sign_of_the_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    figures: list[list[float]] = []
    for score_display in ("penalty", "negative"):
        game = after(mixed(f"score_display={score_display}"), "2C", "4C", "TC", "AC", "AD")
        table = ESCAPE.sub("", script(game.rules, "moves", terminal=True, game=game)).split("against")[-1]
        figures.append([float(number) for number in re.findall(r"(-?[0-9.]+) +±", table)])
    assert figures[0]
    assert any(figures[0])
    assert figures[1] == [-number for number in figures[0]]


def test_nobody_would_win_a_trick_of_pairs() -> None:
    rules = short(presets.dicegamedepot_cancellation(8))
    session = session_of(rules, Player("pairs", nonsense=0))
    assert session.run()
    views = [session.game.fork(ply).view(0) for ply in range(session.game.ply)]
    void = [seen for seen in views if isinstance(seen, PlayingView) and seen.trick and seen.winning_seat is None]
    assert void
    pen = attrs.evolve(PLAIN, seating=session.seating)
    for seen in void:
        assert str(pen.trick(seen)).replace(GLUE, " ").endswith(". No one is winning it.")


def test_colours_show_the_trick() -> None:
    pen = attrs.evolve(PLAIN, plain=False, words=Phrases())
    rules = Rules()
    plays = [Play(1, Card("9C")), Play(2, Card("JC")), Play(3, Card("2D")), Play(0, Card("QS"))]
    text = pen.plays(rules, plays, 2)
    styles = {text.plain[span.start : span.end].replace(GLUE, " "): span.style for span in text.spans}
    assert styles == {"Bot 2 ": "bold green", "♣J": " underline", "♦2": "red dim", "♠Q": " bold"}
    assert "Bot 2 " not in {str(span) for span in pen.plays(rules, plays, None).spans}


def test_reasons_stand_with_the_cards_that_have_them() -> None:
    game = mixed("max_deals=1 opening_card=any")
    text = script(game.rules, "why", "ks", "why", game=game)
    assert "4H may not be led: hearts are not broken (the same goes for 7H QH KH AH)" in text


@pytest.mark.parametrize(
    ("display", "shown"),
    [
        ("penalty", ["deal 1 2 total", "You +26 +26 52", "Bot 1 +26 +26 52", "when a player reaches 100 or", "lowest"]),
        ("negative", ["You -26 -26 -52", "1. Bot 3 0", "when a player reaches -100 or", "highest"]),
        ("countdown", ["You -26 -26 48", "1. Bot 3 100", "when a player reaches 0 or"]),
    ],
)
def test_the_score_sheet_is_shown_as_the_rules_reckon(display: str, shown: list[str]) -> None:
    rules = rules_of(f"pass_cycle=hold max_deals=2 score_display={display}")
    hands = [SUITS["D"], SUITS["H"], SUITS["S"], SUITS["C"]]
    game = Game.start(rules)
    for _ in range(2):
        game = game.play(Deal([Cards(hand) for hand in hands]))
        game = game.play_on(first_legal, until=lambda game: not isinstance(game.state, heartsrules.Playing))
    text = " ".join(script(rules, "", terminal=True, game=game).split())
    text = " ".join(ESCAPE.sub("", text).split())
    for part in shown:
        assert part in text
    spoken = script(rules, "score", game=game)
    assert "Deal 2: You " in spoken
    assert "deal  " not in spoken


@pytest.mark.long
def test_a_long_score_sheet_fits_forty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    rules = attrs.evolve(presets.pagat_cancellation(10), target=None, max_deals=30, tie=Tie.SHARED)
    player = Player("sheet", nonsense=0)
    session = session_of(rules, player, terminal=True)
    assert session.run()
    text = ESCAPE.sub("", player.out.getvalue())
    sheet = text[text.rindex("The game is over") :]
    assert max(map(len, sheet.splitlines())) <= 40
    numbers = [int(number) for line in sheet.splitlines() if line.startswith("deal ") for number in line.split()[1:-1]]
    assert numbers == list(range(1, 31))
    totals = [line.split()[-1] for line in sheet.splitlines() if re.match(r"Bot 9 ", line)]
    assert int(totals[-1]) == session.game.state.scores[9]


def test_long_lines_and_a_last_line_without_an_end() -> None:
    game = mixed()
    text = script(game.rules, "2" + " " * 3000 + "c", "why 2c", game=game, end="")
    assert "Your card [2C]: 2  " in text
    assert "You 2C" in text, "what is too long is cut"
    assert script(game.rules, "why 9c", game=game, end="").endswith("Your card [2C]: \n")


def test_the_log_tells_the_events_of_a_deal_or_of_the_game() -> None:
    session = session_of(short(Rules(), 2), Player("a log", nonsense=0))
    assert session.run()
    text = script(session.game.rules, "log", "log all", game=session.game)
    last, whole = text.split("Enter to end: log")[1:]
    assert [line for line in last.splitlines() if " dealt." in line] == ["Deal 2: Bot 1 dealt."]
    assert len(re.findall("^Trick", last, re.MULTILINE)) == 13
    for line in ("Deal 1: You dealt.", "Deal 2: Bot 1 dealt."):
        assert whole.count(line) == 1
    assert len(re.findall("^Trick", whole, re.MULTILINE)) == 26
    assert whole.count("The deal is over: ") == 2
    assert last.strip().rpartition("\n")[0] in whole


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (["what", "", "2c"], "Press Enter when no one else can see the screen, or type quit."),
        (["", "undo"], "You cannot take back moves in a game with other people, who have seen them."),
        (["", "2c", "why", "quit"], "Hand over to Bob. Bob, press Enter:"),
    ],
)
def test_what_several_people_are_told(answers: list[str], said: str) -> None:
    game = mixed()
    text = script(game.rules, *answers, game=game, humans=("Ann", "Bob"), terminal=True)
    assert said in text
    assert text.endswith(CLEAR) or "Bob" in text.rpartition(CLEAR)[2]
    assert "5S" not in text.rpartition(CLEAR)[2]


def test_several_people_look_at_the_end_together() -> None:
    game = shot()
    text = script(game.rules, "", "2", "why 2c", "taken", "log", game=game, humans=("Ann", "Bob"), terminal=True)
    end = text.rpartition(CLEAR)[2]
    assert "Won by: Ann" in end
    assert "There is nothing to play now." in end
    assert "Ann: 13 tricks, 26 points: ♠Q" in ESCAPE.sub("", end)
    assert "Ann chose shooter-down." in end.partition("log")[2]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (Rules(max_deals=1, tie=Tie.SHARED), "There was a pass. Players see only their own cards."),
        (Rules(max_deals=1, tie=Tie.SHARED, pass_cycle=(HOLD,)), "There was no pass in this deal."),
    ],
)
def test_several_people_are_not_told_of_each_others_passes(rules: Rules, said: str) -> None:
    game = Game.start(rules).play_on(first_legal, seed="several")
    text = script(rules, "passed", game=game, humans=("Ann", "Bob"), terminal=True)
    assert said in text.rpartition(CLEAR)[2]


def test_quit_leaves() -> None:
    assert script(Rules(), "quit", "help").count("Your pass:") == 1


def test_letters_where_the_encoding_has_no_symbols() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    screen = Screen(stdin=io.StringIO(), stdout=out)
    assert not screen.symbols
    screen.say("Zoë")
    assert out.buffer.getvalue() == b"Zo\\xeb\n"
    # A screen with signs writes cards as all messages do, and any other as in records, in every language.
    german = Phrases("de")
    assert german.card(Card("TC")) == "♣10"
    assert screen.words(german).card(Card("QS")) == "QS"


@pytest.mark.parametrize(
    ("shown_to", "humans", "said"),
    [
        (KittyShownTo.TAKER, ("You",), "The kitty, taken by You: "),
        (KittyShownTo.TAKER, ("", "You"), "The kitty, taken by Bot 0: hidden"),
        (KittyShownTo.EVERYBODY, ("", "You"), "The kitty, taken by Bot 0: 2D 2S 2H"),
        (KittyShownTo.NOBODY, ("You",), "The kitty, taken by You: hidden"),
    ],
)
def test_the_kitty_is_shown_to_those_who_may_see_it(shown_to: KittyShownTo, humans: tuple[str, ...], said: str) -> None:
    rules = attrs.evolve(presets.catsatcards(3), pass_cycle=(HOLD,), kitty_shown_to=shown_to)
    hands = [SUITS["C"] + " KH AH QH", SUITS["D"][3:] + " JH TH 9H 8H", SUITS["S"][3:] + " 3H 4H 5H 6H"]
    game = dealt(rules, *hands, kitty="2D 2S 2H 7H").play(Play(0, Card("AC")))
    if humans == ("You",):
        game = game.play(Play(1, Card("AD"))).play(Play(2, Card("AS")))
        text = script(rules, "taken", game=game, humans=humans)
    else:
        text = script(rules, "ad", "taken", *["2d", "3d", "4d"], game=game, humans=humans)
    assert said in text
    assert ("7H" in text) == ("hidden" not in said)


def test_set_aside_tricks_are_shown() -> None:
    player = Player("aside", nonsense=0.4)
    session = session_of(short(presets.dicegamedepot_cancellation(11), 6), player)
    assert session.run()
    taken = [part for part in player.out.getvalue().split("Your card") if part.startswith(": taken")]
    assert any("Set aside: " in part.partition("Deal")[0] for part in taken)


def test_the_usual_game_has_no_special_rules() -> None:
    assert "The usual four-player game to 100." in script(Rules(), "rules")
    game = Rules(pass_cycle=(((1, 2), (-1, 1)),))
    assert "Type the cards for the first player" in script(game, "?")


def test_a_bonus_and_a_void_trick_and_a_kitty_are_told() -> None:
    rules = short(attrs.evolve(presets.omnibus(4), pass_cycle=(HOLD,)))
    assert rules.bonuses == (Bonus(Card("JD"), 10),)
    game = dealt(rules, *SUITS.values())
    text = script(rules, *[f"{rank}C" for rank in "23456789TJQKA"], game=game)
    assert "and the bonus." in text
    player = Player("void", nonsense=0)
    session = session_of(short(presets.dicegamedepot_cancellation(11), 3), player)
    assert session.run()
    text = player.out.getvalue()
    assert "No one wins it: it is set aside." in text
    assert "Set aside: " in text
    assert "The kitty goes to Bot " in text


def test_bonus_cards_and_the_doubler_are_told_and_marked() -> None:
    counted = f"bonuses=JD:10,TD:5 doubler=4S:3:0 heart_values={'0,' * 12}1"
    rules = rules_of(f"pass_cycle=hold {counted}", short(presets.microsoft()))
    game = dealt(rules, *SUITS.values())
    clubs = [f"{rank}C" for rank in "23456789TJQKA"]
    text = script(rules, *clubs, "taken", game=game)
    # All of it goes to the only player who has clubs.
    assert "bonus" in text
    assert "the doubler." in text
    (taken,) = [line for line in text.splitlines() if line.startswith("You: 13 tricks")]
    assert "TD (bonus 5)" in taken
    assert "JD (bonus 10)" in taken
    assert "4S (times 3)" in taken
    # A heart is shown even if it is worth nothing.
    assert "2H" in taken
    assert "3S" not in taken


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("2C", "0 points"),
        ("QS 2H", "14 points"),
        ("QS JD", "13 points and the bonus"),
        ("JD TD", "0 points and 2 bonuses"),
        ("JD JD 2H", "1 point and 2 bonuses"),
        ("TC TC", "0 points and both doublers"),
        ("2H TD TC", "1 point, the bonus and the doubler"),
    ],
)
def test_what_a_trick_brings(cards: str, said: str) -> None:
    rules = Rules(decks=2, bonuses=[Bonus(Card("JD"), 10), Bonus(Card("TD"), 5)], doubler=Doubler(Card("TC")))
    pen = Pen(seat_players(rules, ["Ann"], ["uniform"]), 0, plain=True, words=Phrases(letters("en")))
    assert pen.gain(rules, Cards(cards), ()) == said


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("target=50", "when a player reaches 50; the lowest"),
        ("teams=2", "when a team reaches 100;"),
        ("target_test=exact-wins", "when a player reaches 100 (exactly the target wins);"),
        ("teams=2 target_scope=player", "when a player reaches 100;"),
        ("no_tricks_bonus=5 bonus_target=40", "when a player reaches 100 or -40;"),
        (
            "no_tricks_bonus=5 bonus_target=40 score_display=negative max_deals=9",
            "-100 or 40 or after 9 deals; the highest",
        ),
        (
            "no_tricks_bonus=5 bonus_target=40 target=none max_deals=9 target_test=exceeded",
            "passes -40 or after 9 deals;",
        ),
    ],
)
def test_the_score_sheet_says_when_the_game_ends(rules: str, said: str) -> None:
    assert said in script(rules_of(rules), "score")


# The record


def test_the_record_holds_every_move_and_resumes_as_if_nothing_had_happened(tmp_path: Path) -> None:
    rules = short(presets.whisthub(), 2)
    path = tmp_path / "game.txt"
    moves: list[int] = []

    class Watcher(Player):
        def next(self) -> str:
            record = parse_record(path.read_text(encoding="utf-8"))
            moves.append(len(record.moves))
            assert record.moves == self.session.game.moves
            return super().next()

    player = Watcher("kept", nonsense=0)
    seating = seat_players(rules, ["Ann"], ["uniform"])
    file = LockedFile(path)
    keeper = Keeper(file, seating, "9", [("Event", "club night"), ("Seat0", "old")], [(0, "a good evening")])
    session = session_of(rules, player, humans=("Ann",), seed="9", keeper=keeper)
    assert session.run()
    record = parse_record(path.read_text(encoding="utf-8"))
    assert verify(record).valid
    assert verify(record).finished
    assert record.tags[:2] == (("Event", "club night"), ("Seat0", "Ann"))
    assert dict(record.tags)["Bot2"] == "uniform"
    assert record.comments == ((0, "a good evening"),)
    assert moves == sorted(moves)
    file.close()
    assert [file.name for file in tmp_path.iterdir()] == ["game.txt"]
    # The same moves of the human from the middle on give the same game.
    half = replay_strict(rules, session.game.moves[:70])
    path.write_text(format_record(Record.of(half, record.tags)), encoding="utf-8")
    saved = load(path)
    assert (saved.humans, saved.bots, saved.seed) == (["Ann", "", "", ""], ["uniform"], "9")
    rest = Replayer([move for move in session.game.moves[70:] if own(move)])
    again = session_of(rules, rest, humans=("Ann",), seed="9", game=saved.game)
    assert again.run()
    assert again.game == session.game


@pytest.mark.parametrize(
    ("owner", "name", "failure"),
    [(os, "fsync", OSError), (Path, "replace", OSError), (os, "fsync", KeyboardInterrupt)],
    ids=["fsync", "replace", "interrupted"],
)
def test_a_record_that_cannot_be_written_is_kept_as_it_was_and_loses_no_move(
    owner: Any, name: str, failure: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = short(presets.cardstock())
    path = tmp_path / "game.txt"
    player = Player("full", nonsense=0)
    file = LockedFile(path)
    session = session_of(rules, player, keeper=Keeper(file, seat_players(rules, ["You"], ["uniform"]), "1"))
    count = 0
    times = range(10, 20) if failure is OSError else [10]
    original: Callable[..., object] = getattr(owner, name)

    def failing(*arguments: object) -> object:
        nonlocal count
        count += 1
        if count in times:
            assert verify(parse_record(path.read_text(encoding="utf-8"))).valid
            raise failure(28, "No space left on device")
        return original(*arguments)

    monkeypatch.setattr(owner, name, failing)
    if failure is OSError:
        assert session.run()
        assert "The record cannot be written: No space left on device. The next move" in player.out.getvalue()
        assert session.sitting.unkept is None
    else:
        with pytest.raises(KeyboardInterrupt):
            session.run()
        assert session.game.ply == 10
    assert parse_record(path.read_text(encoding="utf-8")).moves == session.game.moves
    file.close()
    assert [file.name for file in tmp_path.iterdir()] == ["game.txt"]


def test_a_record_of_others_is_resumed_by_one_player(tmp_path: Path) -> None:
    path = tmp_path / "club.txt"
    path.write_text('Hearts/1\n[Seat0 "Zoe"]\nRules: default\nResult: *\n', encoding="utf-8")
    saved = load(path)
    assert (saved.humans, saved.bots, saved.seed) == (["Zoe"], [], None)
    path.write_text("Hearts/1\nRules: default\nResult: *\n", encoding="utf-8")
    assert load(path).humans == ["You"]


@pytest.mark.parametrize(
    ("humans", "bots", "saved_bots"),
    [
        (["Ann", "Bob", "Cleo", "Dan"], [], []),
        (["", "Ann", "", ""], ["uniform"], ["uniform"]),
        (["", "Ann", "Bob", ""], ["uniform", "heuristic"], ["uniform", "heuristic"]),
    ],
)
def test_a_record_says_who_plays(humans: list[str], bots: list[str], saved_bots: list[str], tmp_path: Path) -> None:
    seating = seat_players(Rules(), humans, bots or ["uniform"])
    with LockedFile(tmp_path / "game.txt") as file:
        Keeper(file, seating, "1").write(Game.start(Rules()))
    saved = load(tmp_path / "game.txt")
    assert (saved.humans, saved.bots) == (humans, saved_bots)
    assert seat_players(saved.game.rules, saved.humans, saved.bots or ["uniform"]) == seating


SECRET = "AH"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "it is not the text record of one game (line 1: expected Hearts/1"),
        ("", "it is not the text record of one game"),
        ("Hearts/1\nRules: default\nDeal 0: CXX\nResult: *", "(line 3"),
        ("Hearts/1\nRules: players=5\nResult: *", "it is not the text record of one game"),
        (f"Hearts/1\nRules: default\nTrick 0: 1:{SECRET}\nResult: *", "moves[0] (Deal 0) is illegal: wrong-phase"),
        (
            "Hearts/1\nRules: default\nResult: 0",
            "it is not valid: the winners are not decided yet, but the record says 0",
        ),
    ],
)
def test_records_that_cannot_be_resumed(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableRecord) as caught:
        load(path)
    assert said in str(caught.value)
    assert not cards_in(str(caught.value))
    path.write_bytes(b"Hearts/1\n\xff")
    with pytest.raises(UnusableRecord, match="not the text record"):
        load(path)


# The parts


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("?", Command("help", "")),
        ("HELP", Command("help", "")),
        (" why  qs ", Command("why", "qs")),
        ("exit", Command("quit", "")),
        ("scores", Command("score", "")),
        ("QS", None),
        ("", None),
        ("whynot", None),
    ],
)
def test_commands(text: str, command: Command | None) -> None:
    assert parse_command(text) == command


def test_plays() -> None:
    legal = Cards("2C 2C TC TD")
    assert parse_play_answer("q♠", 1, legal) == Play(1, Card("QS"))
    assert parse_play_answer("2", 1, legal) == Play(1, Card("2C"))
    assert parse_play_answer("", 1, Cards("2C 2C")) == Play(1, Card("2C"))
    for text, said in (("10", "which one: ♣10, ♦10"), ("y" * 99, r"'y{20}\.\.\.' is not a card")):
        with pytest.raises(BadAnswer, match=said):
            parse_play_answer(text, 1, legal)


def test_exposures() -> None:
    both = Cards("QS AH")
    assert parse_expose_answer("qs, ah", 2, both) == Expose(2, both)
    assert parse_expose_answer(" none ", 2, both) == Expose(2, Cards())
    assert parse_expose_answer("", 2, Cards()) == Expose(2, Cards())
    assert parse_expose_answer("2C", 2, both) == Expose(2, Cards("2C"))
    with pytest.raises(BadAnswer, match="type the cards to expose, or none"):
        parse_expose_answer("", 2, both)
    with pytest.raises(BadAnswer, match="'xy' is not a card"):
        parse_expose_answer("QS xy", 2, both)
    with pytest.raises(BadAnswer, match="you typed ♠Q three times"):
        parse_expose_answer("QS QS QS", 2, both)


def test_passes() -> None:
    step = ((1, 2), (-1, 1))
    assert parse_pass_answer("qs ks,ah", 0, step) == Pass(0, Cards("QS KS"), Cards("AH"))
    assert parse_pass_answer("qs / ks ah", 0, step) == Pass(0, Cards("QS"), Cards("KS AH"))
    assert parse_pass_answer("qs", 0, step) == Pass(0, Cards("QS"), Cards())
    assert parse_pass_answer("qs ks as ah", 0, step) == Pass(0, Cards("QS KS"), Cards("AS AH"))
    assert parse_pass_answer("Decline", 0, step) == Pass(0)


def test_moon_choices() -> None:
    assert parse_moon_answer("up", 2) == ChooseMoon(2, Moon.OTHERS_UP)
    assert parse_moon_answer("shooter down", 2) == ChooseMoon(2, Moon.SHOOTER_DOWN)
    assert parse_moon_answer("OFF", 2) == ChooseMoon(2, Moon.OFF)
    with pytest.raises(BadAnswer):
        parse_moon_answer("3", 2)


def test_seating() -> None:
    rules = Rules()
    seating = seat_players(rules, ["Ann", "", " Bob "], ["uniform", "Heuristic"])
    assert seating.names == ("Ann", "Bot 1", "Bob", "Bot 3")
    assert seating.bots == (None, "uniform", None, "heuristic")
    assert seating.humans == (0, 2)
    for humans, bots, option, said in (
        (["A", "B", "C", "D", "E"], ["uniform"], "humans", "5 names for 4 players"),
        ([" ", ""], ["uniform"], "humans", "give at least one name"),
        (["Ann", "ann"], ["uniform"], "humans", "two players are called 'ann'; choose another name"),
        (["bot 1"], ["uniform"], "humans", "two players are called 'Bot 1'"),
        (
            ["x" * 21],
            ["uniform"],
            "humans",
            f"{'x' * 20!r} cannot be the name: a name must have at most 20 printable characters",
        ),
        (["a\x1bb"], ["uniform"], "humans", "'a\\x1bb' cannot be the name: "),
        (["Ann"], ["gto"], "bots", "there is no bot 'gto'; choose from"),
        (["Ann"], ["uniform", "uniform"], "bots", "got 2 bots for 3 seats; name one, or one for each"),
    ):
        with pytest.raises(WrongSeating, match=re.escape(said)) as caught:
            seat_players(rules, humans, bots)
        assert caught.value.option == option


def test_nobody_is_left_to_name_a_bot_for() -> None:
    everybody = seat_players(Rules(), ["A", "B", "C", "D"], ["uniform"])
    assert everybody.bots == (None,) * 4


# The command

FAKE = Path(__file__).parents[1] / "support" / "fake_player.py"


@pytest.mark.parametrize(("how", "code"), [("good", ""), ("crash", "program-ended"), ("garbage", "wrong-answer")])
def test_a_program_plays_until_it_fails(tmp_path: Path, how: str, code: str) -> None:
    command = shlex.join([sys.executable, str(FAKE), how, str(tmp_path)])
    players = ("--player", f"guest=external:{command}", "--bots", "guest,uniform,guest")
    status, out, err = run("microsoft", *SHORT, *players)
    assert (status, err) == (0, "")
    complaint = f"guest does not answer, or gives an illegal answer ({code}): a heuristic bot replaces it."
    assert " ".join(out.split()).count(complaint) == bool(code), "it is said once"
    assert "replaces it" in out or not code
    assert list(tmp_path.glob("*.jsonl")), "it was asked what to pass"


def test_a_pipe_that_ends_leaves_the_game() -> None:
    code, out, err = run("cardstock", *SHORT, stdin="nonsense\n")
    assert (code, err) == (0, "")
    assert "'nonsense' is not a card" in out
    assert out.endswith("You have left the game.\n")
    assert "\x1b" not in out


def test_plain_through_a_real_pipe(tmp_path: Path) -> None:
    answers = "\n".join(["Q"] * 3 + ["??", "\x00\x1b[2J", "x" * 2000, "why", "quit"]).encode() + b"\n"
    result = subprocess.run(
        [sys.executable, "-m", "heartsrules", "play", "whisthub", *SHORT, "--record", str(tmp_path / "r.txt")],
        input=b"\xff\xfe\n" + answers,
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": commands.SOURCE, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode("ascii")
    assert "\x1b" not in text
    assert "\x00" not in text
    assert "You may choose: " in text
    assert f"To resume it: heartsrules play --resume {tmp_path / 'r.txt'}" in text
    assert verify(parse_record((tmp_path / "r.txt").read_text(encoding="utf-8"))).valid


def test_a_whole_game_through_a_pipe(tmp_path: Path) -> None:
    # Every card is tried again and again; the input ends at the last prompt, when the game is over.
    cards = [f"{rank}{suit}" for suit in "CDSH" for rank in "23456789TJQKA"]
    path = tmp_path / "game.txt"
    code, out, err = run("cardstock", *SHORT, "--record", str(path), stdin="\n".join([*cards * 13, ""]))
    assert (code, err) == (0, "")
    assert "The game is over\n" in out
    assert "Standing: 1." in out
    assert "left the game" not in out
    # A game that is over is shown once more.
    code, out, err = run("--resume", str(path), stdin="\n")
    assert (code, err) == (0, "")
    assert "The game is over\n" in out
    assert out.endswith("Enter to end: \n")


def test_the_seed_that_is_drawn_is_secret(tmp_path: Path) -> None:
    """128 random bits, which only the record tells: two are equal once in 2**128 times."""
    seeds = []
    for name in ("one", "two"):
        path = tmp_path / name
        code, out, err = run("cardstock", "--bots", "uniform", "--record", str(path))
        assert (code, err) == (0, "")
        seed = dict(parse_record(path.read_text(encoding="utf-8")).tags)["Seed"]
        assert re.fullmatch(r"[0-9a-f]{32}", seed)
        assert seed not in out
        if os.name == "posix":
            assert path.stat().st_mode & 0o077 == 0
        seeds.append(seed)
    assert seeds[0] != seeds[1]


def test_a_record_is_never_overwritten_but_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    assert run("cardstock", *SHORT, "--record", str(path))[0] == 0
    first = path.read_text(encoding="utf-8")
    code, _, err = run("cardstock", *SHORT, "--record", str(path))
    assert code == 2
    assert "already exists; resume it with --resume" in commands.in_one_line(err)
    code, out, _ = run("--resume", str(path))
    assert code == 0
    assert "resumed after 1 move;" in out
    assert path.read_text(encoding="utf-8") == first
    # Another file, another player, other bots.
    other = tmp_path / "other.txt"
    assert run("--resume", str(path), "--record", str(other), "--humans", ",Zoe", "--seed", "8")[0] == 0
    assert path.read_text(encoding="utf-8") == first
    tags = dict(parse_record(other.read_text(encoding="utf-8")).tags)
    assert (tags["Seat1"], tags["Bot0"], tags["Seed"]) == ("Zoe", "uniform", "8")
    assert "Bot1" not in tags
    path.write_text(first.replace('[Bot1 "uniform"]', '[Bot1 "deep"]'), encoding="utf-8")
    code, _, err = run("--resume", str(path))
    assert code == 2
    assert "there is no bot 'deep'" in commands.in_one_line(err)
    assert "Invalid value for --resume: in the record, there is" in commands.in_one_line(err)
    assert "give --bots, or --player NAME=BOT as before" in commands.in_one_line(err)
    assert "Invalid value for --bots" in run("--resume", str(path), "--bots", "deep")[2]
    path.write_text(first.replace('[Seat0 "You"]', f'[Seat0 "{"x" * 36}"]'), encoding="utf-8")
    code, _, err = run("--resume", str(path))
    assert code == 2
    assert "Invalid value for --resume: in the record, 'xxx" in commands.in_one_line(err)


def test_an_interruption_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Session) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "run", interrupted)
    path = tmp_path / "a game.txt"
    code, out, err = run("cardstock", "--record", str(path))
    assert (code, err) == (130, "")
    assert out.endswith(f"\nInterrupted.\nTo resume it: heartsrules play --resume '{path}'\n")


def test_a_record_that_stays_incomplete_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Keeper.write

    def first_only(self: Keeper, game: Game) -> None:
        if game.ply:
            raise OSError(28, "No space left on device")
        write(self, game)

    monkeypatch.setattr(Keeper, "write", first_only)
    code, out, err = run("cardstock", *SHORT, "--record", str(tmp_path / "game.txt"))
    assert code == 1
    assert "You have left the game." in out
    assert "the record is not complete" in err
    run_on = Session.run

    def interrupted(self: Session) -> bool:
        run_on(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "run", interrupted)
    code, out, err = run("cardstock", *SHORT, "--record", str(tmp_path / "other.txt"))
    assert code == 130
    assert "Interrupted." in out
    assert "the record is not complete" in err


# At a pseudo-terminal

GAMES = {
    "four players": ("whisthub",),
    "five players with a kitty": ("dicegamedepot", "--players", "5", "--set", "kitty=first-point"),
    "eight-player cancellation": ("dicegamedepot_cancellation", "--players", "8"),
    "teams": ("partner_hearts",),
}


@pytest.mark.long
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("arguments", GAMES.values(), ids=GAMES)
def test_a_whole_game_with_bad_input_at_every_prompt(arguments: tuple[str, ...], columns: int, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    game = PtyGame(*arguments, *SHORT, "--record", str(path), columns=columns)
    prompt = game.prompt()
    while prompt:
        assert game.type("xyzzy") == prompt
        assert "is not a card" in " ".join(game.text.split()) or "There is nothing to play now" in game.text
        if prompt == "Your pass":
            assert game.type("2c 2c") == prompt
            assert "you chose 2 cards, but" in " ".join(game.text.split())
        if prompt.startswith("Your card"):
            for command in ("table", "why", "last", "taken", "score"):
                assert game.type(command) == prompt
            game.type("table")
            hidden = game.hand()[1]
            if hidden:
                assert game.type(hidden[0]) == prompt
                assert "No: " in game.text
            game.type("table")
        prompt = game.type(game.answer(prompt))
    assert game.end() == 0
    record = parse_record(path.read_text(encoding="utf-8"))
    assert verify(record).finished
    assert verify(record).valid
    assert COLOUR.search(game.output)
    assert "The game is over" in game.output
    assert game.prompts[-1] == "Enter to end"


@pytest.mark.long
def test_a_crash_loses_nothing_and_the_resumed_game_ends_as_it_would_have(tmp_path: Path) -> None:
    whole, crashed = tmp_path / "has_full_history.txt", tmp_path / "crashed.txt"
    game = PtyGame("whisthub", *SHORT, "--record", str(whole))
    game.play_out()
    assert game.end() == 0
    game = PtyGame("whisthub", *SHORT, "--record", str(crashed))
    game.play_out(6)
    game.child.kill(signal.SIGKILL)
    assert game.end() == -signal.SIGKILL
    saved = load(crashed)
    assert len([move for move in saved.game.moves if own(move)]) == 6
    game = PtyGame("--resume", str(crashed))
    game.play_out()
    assert game.end() == 0
    assert crashed.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")


@pytest.mark.long
def test_several_people_at_one_terminal(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    game = PtyGame("whisthub", *SHORT, "--humans", "Ann,Bob", "--record", str(path))
    prompt = game.prompt()
    overs = 0
    while prompt:
        if prompt.startswith("Hand over"):
            overs += 1
            assert not CARD.search(game.text)
            game.type("xyzzy")
            assert "Press Enter when" in game.text
            assert not CARD.search(game.text)
        elif prompt.startswith("Your") and overs == 2:
            game.type("undo")
            assert "You cannot take back moves in a game with other people" in game.text
        prompt = game.type(game.answer(prompt))
    assert game.end() == 0
    assert overs > 20
    assert verify(parse_record(path.read_text(encoding="utf-8"))).finished
    # Whatever is typed before the screen is handed over does not count.
    game = PtyGame("cardstock", *SHORT, "--humans", "Ann,Bob", "--plain")
    game.prompt()
    assert CLEAR in game.output
    game.child.send("quit\n")
    assert game.end() == 0
    assert "You have left the game." in game.text


def test_what_is_typed_ahead_does_not_open_the_next_hand() -> None:
    game = PtyGame("cardstock", *SHORT, "--humans", "Ann,Bob")
    game.prompt()
    assert game.type("").startswith("Your card")
    # Ann's card, and an Enter too many.
    game.child.send(f"{game.answer(game.prompts[-1])}\n\n")
    assert game.prompt().startswith("Hand over to Bob")
    game.child.sendline("quit")
    assert game.end() == 0
    assert not CARD.search(game.text)


UP = "\x1b[A"
LEFT = "\x1b[D"


def test_lines_can_be_edited_and_completed_and_come_again() -> None:
    game = PtyGame("cardstock", *SHORT)
    prompt = game.prompt()
    game.type(f"wy{LEFT}h{LEFT}{LEFT}s\x7f")
    assert "may not" in game.text
    game.type("tak\t")
    assert "You: 0 tricks, 0 points" in game.text
    game.type("xyzzy")
    seen = game.text.count("'xyzzy' is not a card")
    game.type(f" {UP}")
    assert game.text.count("'xyzzy' is not a card") == seen + 1
    # A card is completed as it is written, from a small letter too.
    (card,) = map(str, cards_in(game.answer(prompt)))
    assert game.type(f"{card.lower()}\t") != ""
    assert "Taken by" in game.text or "On the table: " in game.text
    game.child.sendline("quit")
    assert game.end() == 0
    assert "\x1b[?" not in game.output


def test_nobody_gets_the_lines_of_another_player_again() -> None:
    game = PtyGame("cardstock", *SHORT, "--humans", "Ann,Bob")
    game.prompt()
    game.type("")
    card = game.answer(game.prompts[-1])
    assert game.type(card).startswith("Hand over to Bob")
    before = len(game.output)
    assert game.type(UP).startswith("Your card")
    assert card not in game.output[before:].partition(CLEAR)[0]
    game.type(f"{UP}xyzzy")
    assert "'xyzzy' is not a card" in game.text
    game.child.sendline("quit")
    assert game.end() == 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("leave", ["interrupt", "end of input", "quit"])
def test_leaving_keeps_the_record(leave: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    game = PtyGame("whisthub", *SHORT, "--record", str(path), columns=200)
    game.play_out(3)
    if leave == "interrupt":
        game.child.sendintr()
    elif leave == "quit":
        game.child.sendline("quit")
    else:
        game.child.sendeof()
    assert game.end() == (130 if leave == "interrupt" else 0)
    assert ("Interrupted." if leave == "interrupt" else "You have left the game.") in game.text
    assert "To resume it: heartsrules play --resume" in game.text
    assert "Traceback" not in game.output
    assert len([move for move in load(path).game.moves if own(move)]) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["game.txt"]


@pytest.mark.long
def test_no_colour_and_plain_and_dumb() -> None:
    game = PtyGame("whisthub", *SHORT, environment={"NO_COLOR": "1"})
    game.play_out(2)
    game.child.sendline("quit")
    assert game.end() == 0
    assert not COLOUR.search(game.output)
    assert "(" in game.text
    for arguments, environment in ((["--plain"], {}), ([], {"TERM": "dumb"})):
        game = PtyGame("whisthub", *SHORT, *arguments, environment=environment)
        game.prompt()
        game.type("why")
        game.child.sendline("quit")
        assert game.end() == 0
        assert "\x1b" not in game.output
        assert "You may choose: " in game.text


# The page


def shown_on_the_page() -> list[str]:
    """The examples of the page about this command."""
    page = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "play.md"
    return [block.partition("```")[0] for block in page.read_text(encoding="utf-8").split("```console\n")[1:]]


def test_the_example_at_a_terminal_is_true() -> None:
    example = shown_on_the_page()[0]
    command, *lines = example.splitlines()
    game = PtyGame(*shlex.split(command)[3:])
    game.prompt()
    for line in lines:
        typed_there = PROMPT.match(f"{line} ")
        if typed_there and line[typed_there.end() :]:
            game.type(line[typed_there.end() :])
    assert game.text.strip().splitlines() == lines
    game.child.sendline("quit")
    assert game.end() == 0


def test_the_example_with_a_pipe_is_true() -> None:
    command, *lines = shown_on_the_page()[1].splitlines()
    words = shlex.split(command)
    code, out, _ = run(*words[words.index("play") + 1 :], stdin=words[2].replace("\\n", "\n"))
    assert code == 0
    written = out.splitlines()
    gap = lines.index("...")
    assert written[:gap] == lines[:gap]
    assert written[gap - len(lines) + 1 :] == lines[gap + 1 :]


def test_the_page_names_every_command_and_every_bot() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "play.md").read_text("utf-8")
    for word in (*ENGLISH.commands, *BOTS):
        assert f"`{word}`" in page
