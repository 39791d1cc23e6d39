"""A terminal, or a pipe, that lines are written to and answers are read from."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import Final, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from heartsrules.apps.terminal.drawing import GLUE, Line
from heartsrules.apps.terminal.streams import PIPE_WIDTH, has_symbols

try:
    import readline
    import termios
except ImportError:  # pragma: no cover - not on Unix, where the console itself edits lines
    readline = None  # type: ignore[assignment]
    termios = None  # type: ignore[assignment]

__all__ = ["EndOfInput", "Screen"]

LONGEST_ANSWER: Final = 500
_CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"
"""Home, clear the screen, and then what has been scrolled out of it."""
_BETWEEN_WORDS: Final = " \t,;/"


class EndOfInput(Exception):
    """Nobody can answer any more."""


class Screen:
    """Writes lines and asks questions.

    Args:
        plain: no colours and no other attributes. Output is always plain where it does not go to a terminal, or goes to
            one without a cursor (`TERM=dumb`).
        stdin: where answers are read from.
        stdout: where everything is written to.
    """

    def __init__(self, *, plain: bool = False, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        self._in: Final = stdin or sys.stdin
        out = stdout or sys.stdout
        for stream, errors in ((self._in, "replace"), (out, "backslashreplace")):
            # A character that the encoding lacks, or bytes that are not text, must not end the game.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors=errors)
        terminal = out.isatty()
        console = Console(file=out, markup=False, highlight=False, emoji=False, force_terminal=terminal)
        self.can_clear: Final = terminal and not console.is_dumb_terminal
        """Whether what is on the screen can be hidden from the next player."""
        self.plain: Final = plain or not self.can_clear
        if self.plain:
            console = Console(
                file=out, markup=False, highlight=False, emoji=False, color_system=None, force_terminal=False
            )
            if not terminal:
                console.width = PIPE_WIDTH
        self._console: Final = console
        self._edits: Final = (
            readline is not None
            and self.can_clear
            and self._in is sys.stdin
            and out is sys.stdout
            and self._in.isatty()
        )
        """Whether lines can be edited while they are typed."""
        self.reads_keys: Final = self._in.isatty()
        """Whether somebody types at a terminal."""
        self._words: tuple[str, ...] = ()
        """What the Tab key completes now."""
        if self._edits:
            self._set_up_editing()
        self.symbols: Final = has_symbols(out)
        """Whether the symbols of the suits can be written."""

    @property
    def width(self) -> int:
        """The columns there are now."""
        return self._console.width

    def say(self, *lines: Line | str) -> None:
        """Write lines, broken between words where they are too long."""
        for line in lines:
            if isinstance(line, Table):
                self._console.print(line)
                continue
            # Every kind of blank is a place to break a line at for the wrapping, so it must not see the glued ones.
            for part in (Text(line) if isinstance(line, str) else line).wrap(self._console, self.width):
                part.rstrip()
                part.plain = part.plain.replace(GLUE, " ")
                self._console.print(part, no_wrap=True, overflow="ignore", crop=False)

    def ask(self, prompt: str, words: Iterable[str] = ()) -> str:
        """Ask for a line; one that is too long comes without its end.

        Args:
            prompt: what stands before the answer.
            words: what the Tab key completes, where lines can be edited.

        Raises:
            EndOfInput: there are no more lines.
        """
        if self._edits:
            return self._edited(prompt, words)
        self._console.print(prompt, end=" ")
        self._console.file.flush()
        answer = self._in.readline(LONGEST_ANSWER)
        rest = answer
        while rest and not rest.endswith("\n"):
            rest = self._in.readline(LONGEST_ANSWER)
        if not self._in.isatty():
            # Nothing has echoed the answer, and the prompt still waits for the end of its line.
            self._console.print("".join([c if c.isprintable() else "?" for c in answer.rstrip("\r\n")]))
        if not answer:
            if self._in.isatty():
                self._console.print()
            raise EndOfInput
        return answer.strip()

    def _edited(self, prompt: str, words: Iterable[str]) -> str:
        """Ask for a line that can be edited, with the earlier ones to go back to."""
        self._words = tuple(words)
        *before, last = Text(prompt).wrap(self._console, self.width - 1)
        self.say(*before)
        self._console.file.flush()
        try:
            return input(f"{last.plain.rstrip()} ")[:LONGEST_ANSWER].strip()
        except EOFError:
            self._console.print()
            raise EndOfInput from None

    def _set_up_editing(self) -> None:
        assert readline is not None
        readline.set_completer(self._completion)
        readline.set_completer_delims(_BETWEEN_WORDS)
        if "libedit" in (readline.__doc__ or ""):
            readline.parse_and_bind("bind ^I rl_complete")
            return
        # What a terminal is told otherwise, though it need not be, is noise for those who asked for plain text.
        for setting in ("enable-bracketed-paste off", "enable-meta-key off", "completion-ignore-case on"):
            readline.parse_and_bind(f"set {setting}")
        readline.parse_and_bind("tab: complete")

    def _completion(self, begun: str, number: int) -> str | None:
        """The word of that number which completes what is begun; None: there are no more."""
        meant = [word for word in self._words if word.lower().startswith(begun.lower())]
        return meant[number] if number < len(meant) else None

    def clear(self) -> None:
        """Leave nothing on the screen, nor in what can be scrolled back to, was typed before or was typed ahead."""
        if self._edits and readline is not None:
            readline.clear_history()
        if self.can_clear:
            self._console.file.write(_CLEAR)
            self._console.file.flush()
        if termios is not None and self._in.isatty():
            termios.tcflush(self._in.fileno(), termios.TCIFLUSH)
