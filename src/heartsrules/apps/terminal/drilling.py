"""Drills at the terminal, each with a question, an answer and a verdict."""

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
from heartsrules.pictures.facts import cards_in_move
from heartsrules.play.moves import ChooseMoon, Move
from heartsrules.views import PassingView

_QUIT: Final = ("q", "exit")


def ask_in_turn(drills: Sequence[Drill], screen: Screen, words: Phrases) -> None:
    """Ask drills until the player leaves or the input ends, then show the score."""
    words = screen.words(words)
    right = answered = 0
    for number, drill in enumerate(drills, 1):
        moves = _sorted([each.move for each in drill.choices])
        screen.say(words.tell("drill.heading", number=number, count=len(drills), theme=drill.theme))
        screen.say(*diagram(drill.view, symbols=screen.symbols, language=words.language).splitlines())
        screen.say("   ".join([f"{number} {typed(move)}" for number, move in enumerate(moves, 1)]))
        screen.say(words.tell("drill.question", passing=isinstance(drill.view, PassingView)))
        move = _answer(moves, screen, words)
        if move is None:
            break
        answered += 1
        right += drill.is_right(move)
        verdict, reason, *costs = drill.judge(move, words.language)
        screen.say(verdict, reason, *[f"  {cost}" for cost in costs], "")
    screen.say(words.say("drill.score", right=right, asked=answered))


def _answer(moves: Sequence[Move], screen: Screen, words: Phrases) -> Move | None:
    """Return the player's choice, or None to end."""
    while True:
        try:
            text = screen.ask(">", keys={str(number): str(number) for number in range(1, len(moves) + 1)})
        except EndOfInput:
            return None
        if text.lower() in _QUIT or words.command(text) == "quit":
            return None
        move = _meant(text.strip(), moves, words)
        if move is not None:
            return move
        screen.say(words.say("drill.unclear", count=len(moves)))


def _meant(text: str, moves: Sequence[Move], words: Phrases) -> Move | None:
    """Return the move chosen by number or by cards, or None if it is none of these."""
    if text.isdecimal() and text.isascii() and len(text) <= 3:
        place = int(text)
        return moves[place - 1] if 1 <= place <= len(moves) else None
    for move in moves:
        if typed(move) == text.lower():
            return move
    try:
        cards = Cards([parse_card_answer(each, words) for each in text.replace(",", " ").split()])
    except (BadAnswer, TooManyCopies):
        return None
    return next((move for move in moves if cards and cards == cards_in_move(move)), None)


def typed(move: Move) -> str:
    """Write a move as a player can type it."""
    return move.effect.value if isinstance(move, ChooseMoon) else str(cards_in_move(move)) or "-"


def _sorted(moves: list[Move]) -> list[Move]:
    """Sort moves by cards, which does not reveal the best."""
    faces = Cards({card for move in moves for card in cards_in_move(move)})
    order = {card: place for place, card in enumerate(faces)}
    return sorted(moves, key=lambda move: ([order[card] for card in cards_in_move(move)], typed(move)))
