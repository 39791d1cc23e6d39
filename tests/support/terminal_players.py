"""Players for games at a terminal, and a check that it shows nobody what that player may not know."""

from __future__ import annotations

import io
import os
import random
import re
import sys
import typing
from collections.abc import Mapping, Sequence
from typing import Final

import pexpect
import pyte

from heartsrules import (
    AwaitingDeal,
    Card,
    ChooseMoon,
    ChoosingMoon,
    DealingBack,
    Expose,
    Exposing,
    GameOver,
    Move,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    Seat,
    legal_moves,
    to_act,
)
from heartsrules.apps.terminal.keeping import Keeper
from heartsrules.apps.terminal.screen import Screen
from heartsrules.apps.terminal.seating import Seating, seat_players
from heartsrules.apps.terminal.session import Session
from heartsrules.apps.terminal.sitting import Sitting
from heartsrules.apps.terminal.words import Phrases
from heartsrules.messages import catalogue, describe
from heartsrules.messages._format import parsed
from heartsrules.play.game import Game
from heartsrules.rules import Moon
from support.commands import SOURCE, heed_interrupts
from support.patterns import texts_in
from support.web_knowledge import known_to

HANDS: Final = (
    "2C 9C KC 3D JD 5S QS KS 4H 7H QH KH AH",
    "3C 4C 5C 6C 7C 8C 2D 4D 5D 2S 3S 2H 3H",
    "TC JC QC 6D 7D 8D 9D 4S 6S 7S 5H 6H 8H",
    "AC TD QD KD AD 8S 9S TS JS AS 9H TH JH",
)
"""A deal in which seat 0 opens, and holds some of everything."""
SUITS: Final = {suit: " ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDSH"}
"""A deal in which each seat holds a suit."""
ROWS: Final = 60
CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"
ESCAPE: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
CARD: Final = re.compile(r"(?<![A-Za-z0-9])(?:([2-9TJQKA])([CDSH])|([♣♦♠♥])(10|[2-9JQKA]))(?![A-Za-z0-9])")
"""A card in letters or with a sign."""
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
ASKS: Final = ("Your ", "Du gibst weiter", "Du zeigst", "Deine ")
"""How a prompt for a move begins, in English and in German."""
COMMANDS: Final = ("help", "?", "table", "why", "passed", "last", "log", "taken", "score", "rules", "rules all")


def english_in(text: str) -> set[str]:
    """The words of a text that English patterns have, and German ones do not."""
    english, german = [
        {
            word.lower()
            for name, pattern in catalogue(language).items()
            if not name.startswith(("problem.", "event."))
            for part in texts_in(parsed(pattern))
            for word in _WORD.findall(part)
        }
        for language in ("en", "de")
    ]
    return {word for word in _WORD.findall(ESCAPE.sub("", text)) if word.lower() in english - german}


def cards_in(text: str) -> set[Card]:
    """Every card that a text names."""
    found = CARD.findall(ESCAPE.sub("", text))
    return {Card((rank or shown.replace("10", "T")) + (suit or sign)) for rank, suit, sign, shown in found}


def known_cards(game: Game, seat: Seat | None, deals: int = 1) -> set[Card]:
    """The cards that a seat, or with None everybody, may know of the deal that is played or has just ended.

    With more `deals`, also those of the deals before it.
    """
    first = game.state.deal_number - isinstance(game.state, AwaitingDeal) - deals + 1
    ends = [state for state in game.states if isinstance(state, AwaitingDeal) and state.deal_number > first]
    return {Card(face) for state in (*ends, game.state) for face in known_to(state, seat)}


def typed(move: Move) -> str:
    """How a player types a move."""
    if isinstance(move, Play):
        return str(move.card)
    if isinstance(move, ChooseMoon):
        return "1" if move.effect is Moon.OTHERS_UP else "2"
    if isinstance(move, Expose):
        return str(move.cards) or "none"
    assert isinstance(move, Pass)
    return " / ".join(map(str, move.cards)) or "decline"


class Tty(io.StringIO):
    """A terminal to write to."""

    def isatty(self) -> bool:
        """It is one."""
        return True


class Player(io.TextIOBase):
    """Answers every prompt of a session with a random legal move, after commands and nonsense.

    It looks into the session to find out what is legal, and checks everything that was written between two prompts.
    """

    def __init__(self, seed: str, *, nonsense: float = 0.1, undo: float = 0.0, redo: float = 0.0) -> None:
        super().__init__()
        self.rng: Final = random.Random(seed)
        self.nonsense: Final = nonsense
        self.undo: Final = undo
        self.redo: Final = redo
        self.session: Session
        self.out: io.StringIO
        self.checked = 0
        self.audience: Seat | None = None
        self.answer = ""
        self.answers: Final[list[str]] = []
        self.prompts: Final[list[str]] = []

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """The next answer."""
        del size
        text = self.out.getvalue()[self.checked :]
        self.checked += len(text)
        self.check(text)
        self.answer = self.next()
        self.answers.append(self.answer)
        return f"{self.answer}\n"

    def check(self, text: str) -> None:
        """What was written since the last prompt names no card that its reader may not know."""
        game, seats = self.session.game, self.session.seating.humans
        prompt = ESCAPE.sub("", text).splitlines()[-1]
        self.prompts.append(prompt)
        last = self.audience
        self.audience = seats[0] if len(seats) == 1 else None
        if prompt.startswith(ASKS):
            self.audience = min(to_act(game.state).intersection(seats))
        # Where several take turns, one of them is told after the next deal how the last one ended.
        deals = min(len(seats), 2)
        own = cards_in(self.answer.upper()) | set(game.rules.removed)
        if self.answer.startswith("rules"):
            own |= cards_in(" ".join(describe(game.rules)))
        *earlier, now = text.split(CLEAR)
        for part, reader in ((now, self.audience), *[(part, last) for part in earlier]):
            leaked = cards_in(part) - known_cards(game, reader, deals) - own
            assert not leaked, f"{leaked} shown to {reader}: {text}"

    def next(self) -> str:
        """The next line to type."""
        if self.rng.random() < self.undo:
            return "undo"
        if self.redo and self.rng.random() < self.redo:
            return "redo"
        if self.rng.random() < self.nonsense:
            card = self.rng.choice(list(self.session.game.rules.deck))
            return self.rng.choice(
                [*COMMANDS, f"why {card}", str(card), f"{card} {card} {card}", "why why", "/", "xyzzy"]
            )
        state = self.session.game.state
        if not self.prompts[-1].startswith(ASKS) or isinstance(state, (AwaitingDeal, GameOver)):
            return ""
        assert isinstance(state, (Passing, DealingBack, Exposing, Playing, ChoosingMoon))
        assert self.audience is not None
        moves = legal_moves(state, self.audience)
        return typed(moves[self.rng.randrange(len(moves))])


def session_of(
    rules: Rules,
    player: Player,
    *,
    humans: tuple[str, ...] = ("You",),
    terminal: bool = False,
    game: Game | None = None,
    seed: str = "a table",
    bots: str = "uniform",
    keeper: Keeper | None = None,
    language: str = "en",
) -> Session:
    """A session on a simulated terminal."""
    out = Tty() if terminal else io.StringIO()
    seating: Seating = seat_players(rules, humans, [bots])
    sitting = Sitting(game or Game.start(rules), seating, seed, keeper)
    session = Session(sitting, Screen(stdin=typing.cast(typing.TextIO, player), stdout=out), Phrases(language))
    player.session, player.out = session, out
    return session


PROMPT: Final = re.compile(
    # After a key that begins a line, the prompt is written once more behind a carriage return.
    r"(?<!\r)(Your pass|Your cards to expose(?: \[none\])?|Your card(?: \[\S+\])?|"
    r"Your choice, 1 or 2|Hand over to .*\s.*press Enter|Enter to (?:go on|end)): "
)
WORDS: Final = re.compile(r"\(?([♣♦♠♥](?:10|[2-9JQKA]))\)?")


def longest_line(text: str) -> int:
    """The columns of the longest line of an output, but for those with an answer behind a prompt."""
    return max(len(line) for line in ESCAPE.sub("", text).splitlines() if not PROMPT.match(line))


class PtyGame:
    """`heartsrules play` in a process of its own, at a pseudo-terminal that is drawn into a grid of characters.

    Args:
        arguments: the arguments of the command.
        columns: the width of the terminal.
        environment: more variables.
        command: another command.
        under: a program with arguments that starts the game.
    """

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        environment: Mapping[str, str] | None = None,
        command: str = "play",
        under: Sequence[str] = (),
    ) -> None:
        settings = {
            **os.environ,
            "PYTHONPATH": SOURCE,
            "PYTHONUTF8": "1",
            "TERM": "xterm-256color",
            **(environment or {}),
        }
        self.child: Final = pexpect.spawn(
            sys.executable,
            [*under, "-m", "heartsrules", command, *arguments],
            dimensions=(ROWS, columns),
            encoding="utf-8",
            timeout=60,
            env=typing.cast("os._Environ[str]", settings),
            preexec_fn=heed_interrupts,
        )
        self.child.delaybeforesend = None
        self.screen: Final = pyte.Screen(columns, ROWS)
        self._stream: Final = pyte.Stream(self.screen)
        self.output = ""
        self.prompts: Final[list[str]] = []

    def _take(self) -> str:
        text = self.child.before or ""
        if isinstance(self.child.after, str):
            text += self.child.after
        self._stream.feed(text)
        self.output += text
        return text

    def prompt(self) -> str:
        """Wait for a prompt; empty: the game has ended instead."""
        ended = self.child.expect([PROMPT, pexpect.EOF]) == 1
        self._take()
        if ended:
            return ""
        assert isinstance(self.child.match, re.Match)
        self.prompts.append(self.child.match[1])
        return self.prompts[-1]

    def see(self, text: str) -> None:
        """Wait for a text."""
        self.child.expect_exact(text)
        self._take()

    def type(self, text: str) -> str:
        """Type a line, and wait for the next prompt."""
        self.child.sendline(text)
        return self.prompt()

    def end(self) -> int:
        """Wait for the end; the exit code, or a signal as a negative number."""
        self.child.expect(pexpect.EOF)
        self._take()
        self.child.close()
        if self.child.exitstatus is None:
            return -int(self.child.signalstatus or 0)
        return self.child.exitstatus

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join([line.rstrip() for line in self.screen.display])

    def hand(self) -> tuple[list[str], list[str]]:
        """The cards of the last hand on the screen: those that may be chosen, and those in parentheses."""
        lines = self.text.splitlines()
        start = max(number for number, line in enumerate(lines) if line == "Your hand:")
        words: list[str] = []
        for line in lines[start + 1 :]:
            parts = line.split()
            if not parts or not all(WORDS.fullmatch(part) for part in parts):
                break
            words += parts
        return [word for word in words if word[0] != "("], [word[1:-1] for word in words if word[0] == "("]

    def answer(self, prompt: str) -> str:
        """The first answer that is allowed."""
        if prompt.startswith("Your cards to expose"):
            return "none"
        if prompt.startswith("Your card"):
            return self.hand()[0][0]
        if prompt == "Your pass":
            found = re.findall(r"([0-9]+) cards? to", self.text[self.text.rindex("You pass") :])
            return " ".join(self.hand()[0][: sum(map(int, found))])
        return "2" if prompt.startswith("Your choice") else ""

    def play_out(self, most: int | None = None) -> int:
        """Answer prompt after prompt, up to the end of the game or so many of them; how many there were."""
        prompt = self.prompts[-1] if self.prompts else self.prompt()
        count = 0
        while prompt and count != most:
            prompt = self.type(self.answer(prompt))
            count += 1
        return count
