"""The game in lines of text: prompts, answers and commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from heartsrules import (
    Card,
    Cards,
    ChooseMoon,
    Expose,
    InvalidNotation,
    Move,
    Pass,
    Passing,
    Play,
    Seat,
    View,
    redact,
    why_illegal,
)
from heartsrules.analysis import hint
from heartsrules.analysis.endings import can_claim
from heartsrules.apps.terminal.answers import (
    COMMANDS,
    BadAnswer,
    Command,
    parse_command,
    parse_expose_answer,
    parse_moon_answer,
    parse_pass_answer,
    parse_play_answer,
)
from heartsrules.apps.terminal.drawing import Line, Pen
from heartsrules.apps.terminal.screen import EndOfInput, Screen
from heartsrules.apps.terminal.sitting import Sitting
from heartsrules.play.game import Game
from heartsrules.views import ExposingView, PassingView, PlayingView

__all__ = ["Session", "named"]


_NOTHING: Final = "There is nothing to play now."


class _Left(Exception):
    """A player has left the game."""


class Session:
    """A game in lines of text.

    Args:
        sitting: the game.
        screen: shows it, and reads the answers.
    """

    def __init__(self, sitting: Sitting, screen: Screen) -> None:
        self.sitting: Final = sitting
        self.seating: Final = sitting.seating
        self.screen: Final = screen
        self._alone: Final = self.sitting.alone
        self._reader: Seat | None = self._alone
        """The seat whose view is on the screen; None: that of spectators."""
        self._shown_plies: Final = dict.fromkeys(sitting.seating.humans, sitting.game.ply)
        """By seat, the count of moves that a human has been shown."""

    @property
    def game(self) -> Game:
        """The current game."""
        return self.sitting.game

    @property
    def unkept(self) -> OSError | None:
        """Why the last moves could not be recorded; None: they are recorded."""
        return self.sitting.unkept

    def run(self) -> bool:
        """Play until the game is over or a player leaves; whether it is over.

        Raises:
            KeyboardInterrupt: a player has interrupted it. The record is complete even then.
        """
        try:
            self._play_on()
        except (_Left, EndOfInput):
            return self.sitting.over
        finally:
            if self._alone is None and self._reader is not None:
                self.screen.clear()
            self.sitting.keep()
        return True

    def _play_on(self) -> None:
        while True:
            seat = self.sitting.turn
            if seat is None:
                if self.sitting.over:
                    if self._pause():
                        return
                elif isinstance(state := self.game.state, Passing) or not state.deal_scores or self._pause():
                    self.sitting.deal()
                    self._made()
            elif self.seating.bots[seat] is None:
                self._turn(seat)
            else:
                self._make(self.sitting.bots_move(seat))

    # Moves

    def _make(self, move: Move) -> None:
        self.sitting.make(move)
        self._made()

    def _made(self) -> None:
        """Show what a move has done."""
        self._complain()
        if self._alone is not None:
            self._show_story(self._alone)

    def _complain(self) -> None:
        self.screen.say(*self.sitting.complaints)
        self.sitting.complaints.clear()
        if self.unkept is not None:
            reason = self.unkept.strerror
            self.screen.say(f"The record cannot be written: {reason}. It is tried again after the next move.")

    def _undo(self) -> bool:
        if self._alone is None:
            self.screen.say("Nothing is taken back where several people play: the others have seen it.")
            return False
        move = self.sitting.undo()
        if move is None:
            self.screen.say("There is no move of yours to take back.")
            return False
        self._shown_plies[self._alone] = self.game.ply
        self._complain()
        self.screen.say(f"Taken back: {named(move)}.")
        return True

    def _redo(self) -> bool:
        move = self.sitting.redo()
        if move is None:
            self.screen.say("There is no move to make again: none was taken back, or another was made instead.")
            return False
        self.screen.say(f"Made again: {named(move)}.")
        self._made()
        return True

    def _take_the_rest(self, seen: View) -> bool:
        if not can_claim(seen):
            self.screen.say("You cannot take the rest: you must be on lead and sure of every trick.")
            return False
        self.sitting.take_the_rest()
        self._made()
        return True

    # What is shown

    @property
    def _pen(self) -> Pen:
        return Pen(self.seating, self._reader, self.screen.plain, self.screen.symbols)

    def _seen(self) -> View:
        return self.game.view(self._reader)

    def _show_story(self, seat: Seat) -> None:
        """Show a player the events since the last time."""
        for ply in range(self._shown_plies[seat], self.game.ply):
            moved = self.game.fork(ply + 1)
            before = self.game.fork(ply).view(seat)
            self.screen.say(*self._pen.story(before, redact(moved.events(ply), seat)))
        self._shown_plies[seat] = self.game.ply

    def _turn(self, seat: Seat) -> None:
        """Prompt a human until a move is made or undone."""
        if self._reader != seat:
            self._hand_over(seat)
        self._show_story(seat)
        seen = self._seen()
        self.screen.say(*self._pen.situation(seen))
        if can_claim(seen):
            self.screen.say("Every trick that is left is yours: type rest to take them all.")
        while True:
            answer = self.screen.ask(self._prompt(seen), self._words(seen))
            command = parse_command(answer)
            if command is not None:
                if self._obey(command, seen):
                    return
                continue
            try:
                move = self._parse(answer, seen, seat)
            except BadAnswer as error:
                self.screen.say(f"{error} (? for help)")
                continue
            reasons = why_illegal(seen, move)
            if not reasons:
                self._make(move)
                return
            for reason in reasons:
                self.screen.say(f"No: {self._pen.reason(reason, seen)}.")

    def _prompt(self, seen: View) -> str:
        if isinstance(seen, PassingView):
            return "Your pass:"
        if isinstance(seen, ExposingView):
            return "Your cards to show:" if self._pen.exposable(seen) else "Your cards to show [none]:"
        if not isinstance(seen, PlayingView):
            return "Your choice, 1 or 2:"
        playable = self._pen.playable(seen).faces()
        return f"Your card [{self._pen.card(next(iter(playable)))}]:" if len(playable) == 1 else "Your card:"

    def _words(self, seen: View) -> list[str]:
        """Completions: the cards that may be chosen, and the commands."""
        return [*map(str, self._pen.free(seen).faces()), *COMMANDS]

    def _parse(self, answer: str, seen: View, seat: Seat) -> Move:
        if isinstance(seen, PassingView):
            return parse_pass_answer(answer, seat, seen.step)
        if isinstance(seen, ExposingView):
            return parse_expose_answer(answer, seat, self._pen.exposable(seen))
        if isinstance(seen, PlayingView):
            return parse_play_answer(answer, seat, self._pen.playable(seen))
        return parse_moon_answer(answer, seat)

    def _hand_over(self, seat: Seat) -> None:
        """Clear the screen, and wait for the next player."""
        self._reader = None
        self.screen.clear()
        name = self.seating.names[seat]
        while answer := self.screen.ask(f"Hand over to {name}. {name}, press Enter:"):
            command = parse_command(answer)
            if command is not None and command.word == "quit":
                raise _Left
            self.screen.say("Press Enter alone when nobody else can see the screen, or type quit.")
        self.screen.clear()
        self._reader = seat

    def _pause(self) -> bool:
        """Show the end of a deal; False: a move was undone instead of going on."""
        if self._alone is None:
            self._reader = None
            self.screen.clear()
        seen = self._seen()
        pen = self._pen
        self.screen.say(*pen.situation(seen), *pen.sheet(seen, self.screen.width))
        what = "end" if self.sitting.over else "go on"
        while answer := self.screen.ask(f"Enter to {what}:", COMMANDS):
            command = parse_command(answer)
            if command is None:
                self.screen.say("There is nothing to play now: press Enter alone, or type a command (? for help)")
            elif self._obey(command, seen):
                return False
        return True

    # Commands

    def _obey(self, command: Command, seen: View) -> bool:
        """Execute a command; whether it has changed the game."""
        if command.word == "quit":
            raise _Left
        if command.word == "undo":
            return self._undo()
        if command.word == "redo":
            return self._redo()
        if command.word == "rest":
            return self._take_the_rest(seen)
        self.screen.say(*self._answer(command, seen))
        return False

    def _answer(self, command: Command, seen: View) -> Iterable[Line | str]:
        pen = self._pen
        match command.word:
            case "table":
                return pen.situation(seen)
            case "why":
                return self._why(command.rest, seen) if command.rest else pen.why(seen)
            case "hint":
                return self._hint(command.rest, seen)
            case "moves":
                seat = self._asked
                return [_NOTHING] if seat is None else pen.moves(self.sitting.assessment(seat), self.screen.width)
            case "passed":
                return pen.passed(seen)
            case "last":
                return pen.last_trick(seen)
            case "taken":
                return pen.taken(seen)
            case "score":
                return pen.sheet(seen, self.screen.width)
            case "rules":
                return pen.rules(seen.rules, everything=command.rest.lower() == "all")
            case _:
                return pen.help(seen)

    @property
    def _asked(self) -> Seat | None:
        """The seat that is asked for a move; None at the end of a deal."""
        return None if self.sitting.turn is None else self._reader

    def _hint(self, text: str, seen: View) -> Iterable[Line | str]:
        """Suggest a move, or assess the move that was typed."""
        seat = self._asked
        if seat is None:
            return [_NOTHING]
        if not text:
            return [f"{hint(self.sitting.assessment(seat))}."]
        try:
            move = self._parse(text, seen, seat)
        except BadAnswer as error:
            return [f"Type hint alone, or hint and a move: {error}."]
        reasons = why_illegal(seen, move)
        if reasons:
            return [f"No: {self._pen.reason(reason, seen)}." for reason in reasons]
        return [f"{hint(self.sitting.assessment(seat, move), move=move)}."]

    def _why(self, text: str, seen: View) -> list[str]:
        """The reasons against choosing a card."""
        try:
            card = Card(text)
        except InvalidNotation as error:
            return [f"Type why and a card: {error.reason}."]
        if isinstance(seen, PassingView):
            if card not in seen.hand:
                return [f"{card} is not in your hand."]
            return [f"{card} may {'not ' if card in seen.rules.unpassable else ''}be passed."]
        if self._reader is None:
            return [_NOTHING]
        if isinstance(seen, ExposingView):
            reasons = why_illegal(seen, Expose(self._reader, Cards([card])))
            return [f"{self._pen.reason(reason, seen)}." for reason in reasons] or [f"{card} may be shown."]
        reasons = why_illegal(seen, Play(self._reader, card))
        return [f"{self._pen.reason(reason, seen)}." for reason in reasons] or [f"{card} may be played."]


def named(move: Move) -> str:
    """Name a move that is undone or redone."""
    if isinstance(move, Play):
        return str(move.card)
    if isinstance(move, Expose):
        return "what you showed"
    if isinstance(move, Pass):
        return "your pass"
    return "your choice" if isinstance(move, ChooseMoon) else "the deal"
