"""The game in lines of text, with prompts, answers and commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from heartsrules import AwaitingDeal, Cards, DealingBack, Expose, Move, Play, Seat, View, redact, why_illegal
from heartsrules.analysis import hint
from heartsrules.analysis.endings import can_claim
from heartsrules.apps.terminal import answers as A
from heartsrules.apps.terminal.drawing import Line, Pen
from heartsrules.apps.terminal.drilling import ask_in_turn
from heartsrules.apps.terminal.screen import EndOfInput, Screen
from heartsrules.apps.terminal.seating import DEFAULT_BOT
from heartsrules.apps.terminal.sitting import Sitting
from heartsrules.apps.terminal.words import COMMAND_KEYS, ENGLISH, Phrases
from heartsrules.base.errors import TooManyWorlds
from heartsrules.messages import text
from heartsrules.pictures.reviews import review_lines
from heartsrules.play.game import Game
from heartsrules.views import ChoosingMoonView, ExposingView, PassingView, PlayingView


class _Left(Exception):
    """A player has left the game."""


class Session:
    def __init__(self, sitting: Sitting, screen: Screen, words: Phrases = ENGLISH) -> None:
        self.sitting: Final = sitting
        self.seating: Final = sitting.seating
        self.screen: Final = screen
        self.words: Final = screen.words(words)
        self._alone: Final = self.sitting.alone
        self._reader: Seat | None = self._alone
        """The seat whose view is on the screen, or None for spectators' view."""
        self._shown_plies: Final = dict.fromkeys(sitting.seating.humans, sitting.game.ply)
        """The number of moves that each human has seen."""

    @property
    def game(self) -> Game:
        return self.sitting.game

    def run(self) -> bool:
        """Play until the game is over or a player leaves, and return True if it is over.

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
                elif isinstance(state := self.game.state, DealingBack) or not state.score_sheet or self._pause():
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
        self._complain()
        if self._alone is not None:
            self._show_story(self._alone)

    def _complain(self) -> None:
        for player, code in self.sitting.failures:
            self._say("failed", player=player, code=code, bot=DEFAULT_BOT)
        self.sitting.failures.clear()
        if self.sitting.unkept is not None:
            self._say("unkept", reason=self.sitting.unkept.strerror or "")

    def _say(self, name: str, **params: object) -> None:
        self.screen.say(self.words.say(name, **params))

    def _undo(self) -> bool:
        if self._alone is None:
            self._say("no-undo")
            return False
        move = self.sitting.undo()
        if move is None:
            self._say("nothing-to-undo")
            return False
        self._shown_plies[self._alone] = self.game.ply
        self._complain()
        self._say("taken-back", move=self._pen.move(move))
        return True

    def _redo(self) -> bool:
        move = self.sitting.redo()
        if move is None:
            self._say("nothing-to-redo")
            return False
        self._say("made-again", move=self._pen.move(move))
        self._made()
        return True

    def _take_the_rest(self, seen: View) -> bool:
        if not can_claim(seen):
            self._say("no-claim")
            return False
        self.sitting.take_the_rest()
        self._made()
        return True

    # What is shown

    @property
    def _pen(self) -> Pen:
        return Pen(self.seating, self._reader, self.screen.plain, self.words)

    def _seen(self) -> View:
        return self.game.view(self._reader)

    def _show_story(self, seat: Seat) -> None:
        self.screen.say(*self._story(self._shown_plies[seat]))
        self._shown_plies[seat] = self.game.ply

    def _story(self, since: int) -> Iterator[Line]:
        for ply in range(since, self.game.ply):
            moved = self.game.fork(ply + 1)
            before = self.game.fork(ply).view(self._reader)
            yield from self._pen.story(before, redact(moved.events(ply), self._reader))

    def _turn(self, seat: Seat) -> None:
        if self._reader != seat:
            self._hand_over(seat)
        self._show_story(seat)
        seen = self._seen()
        self.screen.say(*self._pen.situation(seen))
        if can_claim(seen):
            self._say("may-claim", key=self._takes_keys, word=self.words.commands["rest"])
        while True:
            typable = [*map(str, self._pen.free(seen).distinct()), *self.words.commands.values()]
            answer = self.screen.ask(self._prompt(seen), typable, self._keys(seen))
            command = A.parse_command(answer, self.words)
            if command is not None:
                if self._obey(command, seen):
                    return
                continue
            try:
                move = self._parse(answer, seen, seat)
            except A.BadAnswer as error:
                self._say("help-hint", problem=str(error), help="?")
                continue
            reasons = why_illegal(seen, move)
            if not reasons:
                self._make(move)
                return
            for reason in reasons:
                self._say("no", reason=self._pen.reason(reason, seen))

    @property
    def _takes_keys(self) -> bool:
        """True if keys answer at once.

        Several players, who cannot undo a slip, type lines.
        """
        return self.screen.reads_keys and self._alone is not None

    def _keys(self, seen: View) -> Mapping[str, str]:
        if not self._takes_keys:
            return {}
        keys = {key: self.words.commands[name] for key, name in COMMAND_KEYS.items()}
        if isinstance(seen, PlayingView):
            keys |= A.play_keys(self._pen.free(seen), self.words)
        elif isinstance(seen, ChoosingMoonView):
            keys |= {"1": "1", "2": "2"}
        elif isinstance(seen, (PassingView, ExposingView)):
            # No key may be the first letter of a card, which is its suit in German.
            begun = {way[0] for way in self.words.cards}
            keys = {key: word for key, word in keys.items() if key not in begun}
            if isinstance(seen, ExposingView) or seen.may_decline:
                keys["n"] = self.words.word("none" if isinstance(seen, ExposingView) else "decline")
        return keys

    def _prompt(self, seen: View) -> str:
        tell = self.words.tell
        if isinstance(seen, PassingView):
            return tell("ask-pass")
        if isinstance(seen, ExposingView):
            return tell("ask-show", none=not self._pen.free(seen), word=self.words.word("none"))
        if not isinstance(seen, PlayingView):
            return tell("ask-moon")
        playable = self._pen.free(seen).distinct()
        return tell("ask-card", only=len(playable) == 1, card=self._pen.card(next(iter(playable))))

    def _parse(self, answer: str, seen: View, seat: Seat) -> Move:
        if isinstance(seen, PassingView):
            return A.parse_pass_answer(answer, seat, seen.plan, self.words)
        if isinstance(seen, ExposingView):
            return A.parse_expose_answer(answer, seat, self._pen.free(seen), self.words)
        if isinstance(seen, PlayingView):
            return A.parse_play_answer(answer, seat, self._pen.free(seen), self.words)
        return A.parse_moon_answer(answer, seat, self.words)

    def _hand_over(self, seat: Seat) -> None:
        self._reader = None
        self.screen.clear()
        name = self.seating.names[seat]
        while answer := self.screen.ask(self.words.tell("hand-over", name=name)):
            command = A.parse_command(answer, self.words)
            if command is not None and command.word == "quit":
                raise _Left
            self._say("press-alone", word=self.words.commands["quit"])
        self.screen.clear()
        self._reader = seat

    def _pause(self) -> bool:
        if self._alone is None:
            self._reader = None
            self.screen.clear()
        seen = self._seen()
        pen = self._pen
        self.screen.say(*pen.situation(seen), *pen.sheet(seen, self.screen.width))
        prompt = self.words.tell("enter-to", over=self.sitting.over)
        while answer := self.screen.ask(prompt, self.words.commands.values(), self._keys(seen)):
            command = A.parse_command(answer, self.words)
            if command is None:
                self._say("enter-alone")
            elif self._obey(command, seen):
                return False
        return True

    # Commands

    def _obey(self, command: A.Command, seen: View) -> bool:
        if command.word == "quit":
            raise _Left
        if command.word == "undo":
            return self._undo()
        if command.word == "redo":
            return self._redo()
        if command.word == "rest":
            return self._take_the_rest(seen)
        if command.word in ("review", "drill"):
            self._look_back(command)
            return False
        try:
            self.screen.say(*self._answer(command, seen))
        except TooManyWorlds as error:
            self._say("no", reason=text(error.problems[0], self.words.language))
        return False

    def _answer(self, command: A.Command, seen: View) -> Iterable[Line | str]:
        pen = self._pen
        everything = self.words.is_word(command.rest, "all")
        match command.word:
            case "why":
                return self._why(command.rest, seen) if command.rest else pen.why(seen)
            case "hint" | "moves":
                seat = self._asked
                if seat is None:
                    return [self.words.say("nothing-to-play")]
                if command.word == "hint":
                    return self._hint(seat, command.rest, seen)
                return pen.moves(self.sitting.assessment(seat), self.screen.width)
            case "log":
                return self._log(everything=everything)
            case "score":
                return pen.sheet(seen, self.screen.width)
            case "rules":
                return pen.rules(seen.rules, everything=everything)
            case "help":
                return pen.help(seen, keys=self._takes_keys)
        shows = {"table": pen.situation, "passed": pen.passed, "last": pen.last_trick, "taken": pen.taken}
        return shows[command.word](seen)

    def _log(self, *, everything: bool) -> Iterator[Line]:
        states = enumerate(self.game.states[:-1])
        begun = [ply for ply, state in states if isinstance(state, AwaitingDeal)]
        return self._story(0 if everything or not begun else begun[-1])

    @property
    def _asked(self) -> Seat | None:
        return None if self.sitting.turn is None else self._reader

    def _hint(self, seat: Seat, text: str, seen: View) -> Iterable[Line | str]:
        language = self.words.language
        if not text:
            return [f"{hint(self.sitting.assessment(seat), language, names=self._pen.names)}."]
        try:
            move = self._parse(text, seen, seat)
        except A.BadAnswer as error:
            return [self.words.say("hint-usage", problem=str(error))]
        reasons = why_illegal(seen, move)
        if reasons:
            return [self.words.say("no", reason=self._pen.reason(reason, seen)) for reason in reasons]
        return [f"{hint(self.sitting.assessment(seat, move), language, move=move, names=self._pen.names)}."]

    def _why(self, text: str, seen: View) -> list[Line | str]:
        try:
            card = A.parse_card_answer(text, self.words)
        except A.BadAnswer as error:
            return [self.words.say("why-usage", problem=str(error))]
        told = {"card": self.words.card(card), "phase": seen.phase}
        if isinstance(seen, PassingView):
            if card not in seen.hand:
                return [self.words.say("not-in-hand", **told)]
            return [self.words.say("may", **told, may=card not in seen.rules.unpassable)]
        if self._reader is None:
            return [self.words.say("nothing-to-play")]
        shows = isinstance(seen, ExposingView)
        move = Expose(self._reader, Cards([card])) if shows else Play(self._reader, card)
        reasons = [f"{self._pen.reason(reason, seen)}." for reason in why_illegal(seen, move)]
        return [*reasons] or [self.words.say("may", **told, may=True)]

    # Reviews and drills

    def _look_back(self, command: A.Command) -> None:
        if self._alone is None:
            self._say("review-alone")
            return
        if self._asked is not None:
            self._say("review-later")
            return
        whole = self.words.is_word(command.rest, "all")
        with self.screen.progress(self.words.tell("reviewing")) as progress:
            found = self.sitting.review(whole=whole, progress=progress)
            drills = self.sitting.drills(found) if command.word == "drill" else []
        if command.word == "review":
            self.screen.say(*review_lines(found, self.words.language, self._pen.names))
        elif drills:
            ask_in_turn(drills, self.screen, self.words, self.seating.names)
        else:
            self._say("no-mistakes")
