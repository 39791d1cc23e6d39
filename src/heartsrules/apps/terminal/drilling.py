"""Drills at the terminal: the question, the answer, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heartsrules.analysis import Drill
from heartsrules.apps.terminal.answers import BadAnswer, parse_card_answer
from heartsrules.apps.terminal.screen import EndOfInput, Screen
from heartsrules.apps.terminal.words import Phrases
from heartsrules.base.errors import TooManyCopies
from heartsrules.cards import Cards
from heartsrules.pictures.diagrams import diagram
from heartsrules.pictures.facts import cards_of
from heartsrules.play.moves import ChooseMoon, Move
from heartsrules.views import PassingView

_QUIT: Final = ("q", "exit")


class DrillQuestion:
    """A drill that is asked."""

    def __init__(self, drill: Drill, number: int, count: int, words: Phrases, *, symbols: bool) -> None:
        self.drill: Final = drill
        self.words: Final = words
        self.moves: Final = _sorted([each.move for each in drill.choices])
        self.title: Final = words.tell("drill.heading", number=number, count=count, theme=drill.theme)
        self.table: Final = diagram(drill.view, symbols=symbols, language=words.language)

    @property
    def choices(self) -> str:
        """The numbered moves to choose from."""
        return "   ".join([f"{number} {typed(move)}" for number, move in enumerate(self.moves, 1)])

    @property
    def question(self) -> str:
        """What is asked."""
        return self.words.tell("drill.question", passing=isinstance(self.drill.view, PassingView))

    def verdict(self, move: Move) -> list[str]:
        """Whether a move is right, why, and what each move costs."""
        verdict, reason, *costs = self.drill.judge(move, self.words.language)
        return [verdict, reason, *[f"  {cost}" for cost in costs]]

    def answer(self, text: str) -> Move | None:
        """The move that an answer means: a number, or cards; None: none of the choices."""
        text = text.strip()
        if text.isdecimal() and text.isascii() and len(text) <= 3:
            place = int(text)
            return self.moves[place - 1] if 1 <= place <= len(self.moves) else None
        for move in self.moves:
            if typed(move) == text.lower():
                return move
        try:
            cards = Cards([parse_card_answer(each, self.words) for each in text.replace(",", " ").split()])
        except (BadAnswer, TooManyCopies):
            return None
        return next((move for move in self.moves if cards and cards == cards_of(move)), None)


def ask_in_turn(drills: Sequence[Drill], screen: Screen, words: Phrases) -> None:
    """Ask drills until all are answered, the player leaves, or the input ends; then tell the score."""
    right = answered = 0
    for number, drill in enumerate(drills, 1):
        asked = DrillQuestion(drill, number, len(drills), words, symbols=screen.symbols)
        screen.say(asked.title, *asked.table.splitlines())
        screen.say(asked.choices, asked.question)
        move = _answer(asked, screen)
        if move is None:
            break
        answered += 1
        right += drill.is_right(move)
        screen.say(*asked.verdict(move), "")
    screen.say(words.say("drill.score", right=right, asked=answered))


def _answer(asked: DrillQuestion, screen: Screen) -> Move | None:
    """The move that the player chooses; None to end."""
    words = asked.words
    while True:
        try:
            text = screen.ask(">", keys={str(number): str(number) for number in range(1, len(asked.moves) + 1)})
        except EndOfInput:
            return None
        if text.lower() in _QUIT or words.command(text) == "quit":
            return None
        move = asked.answer(text)
        if move is not None:
            return move
        screen.say(words.say("drill.unclear", count=len(asked.moves)))


def typed(move: Move) -> str:
    """A move as it can be typed."""
    return move.effect.value if isinstance(move, ChooseMoon) else str(cards_of(move)) or "-"


def _sorted(moves: list[Move]) -> list[Move]:
    """Moves in an order that does not tell which is the best: that of cards."""
    faces = Cards({card for move in moves for card in cards_of(move)})
    order = {card: place for place, card in enumerate(faces)}
    return sorted(moves, key=lambda move: ([order[card] for card in cards_of(move)], typed(move)))
