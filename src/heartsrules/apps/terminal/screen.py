"""Output to a terminal or a pipe, and input of answers."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Final, TextIO

import attrs
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from heartsrules.apps.terminal import keyboard
from heartsrules.apps.terminal.drawing import GLUE, Line
from heartsrules.apps.terminal.streams import PIPE_WIDTH, has_symbols
from heartsrules.apps.terminal.words import Phrases
from heartsrules.messages import letters

try:
    import readline
except ImportError:  # pragma: no cover - not on Unix, where the console itself edits lines
    readline = None  # type: ignore[assignment]

LONGEST_ANSWER: Final = 500
_CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"
"""Home, clear the screen, and then its scrollback."""
_BETWEEN_WORDS: Final = " \t,;/"
_LIBEDIT: Final = "libedit" in (getattr(readline, "__doc__", None) or "")
"""True if libedit edits lines, which cannot begin a line with given text."""


class EndOfInput(Exception):
    """The input has ended."""


class Screen:
    """A writer of lines and reader of answers.

    Args:
        plain: True for no colours and no other attributes. Output to a pipe, or to a terminal without a cursor
            (`TERM=dumb`), is always plain.
    """

    def __init__(self, *, plain: bool = False, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        self._in: Final = stdin or sys.stdin
        out = stdout or sys.stdout
        for stream, errors in ((self._in, "replace"), (out, "backslashreplace")):
            # Characters missing in the encoding, and bytes that are not text, must not raise errors.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors=errors)
        terminal = out.isatty()
        console_for = partial(Console, file=out, markup=False, highlight=False, emoji=False)
        console = console_for(force_terminal=terminal)
        self.can_clear: Final = terminal and not console.is_dumb_terminal
        """True if the screen can be cleared between the turns of two players."""
        self.plain: Final = plain or not self.can_clear
        if self.plain:
            console = console_for(color_system=None, force_terminal=False)
            if not terminal:
                console.width = PIPE_WIDTH
        self._console: Final = console
        own = self.can_clear and self._in is sys.stdin and out is sys.stdout and self._in.isatty()
        self._edits: Final = own and readline is not None
        """True if readline edits the input."""
        self.reads_keys: Final = own and not self.plain
        """True if a key can be an answer, without Enter."""
        self._words: tuple[str, ...] = ()
        if self._edits:
            self._set_up_editing()
        self.symbols: Final = has_symbols(out) and not self.plain
        """True to write cards as `♠Q`, False as `QS`."""

    def words(self, words: Phrases) -> Phrases:
        """Return the words of a language for this screen, with or without signs of suits."""
        return words if self.symbols else attrs.evolve(words, language=letters(words.language))

    @property
    def width(self) -> int:
        return self._console.width

    def say(self, *lines: Line | str) -> None:
        """Write lines, wrapped between words."""
        for line in lines:
            if isinstance(line, Table):
                self._console.print(line)
                continue
            # Rich wraps at every kind of blank, so no-break ones are inserted afterwards.
            for part in (Text(line) if isinstance(line, str) else line).wrap(self._console, self.width):
                part.rstrip()
                part.plain = part.plain.replace(GLUE, " ")
                self._console.print(part, no_wrap=True, overflow="ignore", crop=False)

    @contextmanager
    def progress(self, what: str) -> Iterator[Callable[[int, int], None]]:
        """Show a temporary progress bar, unless the output is plain.

        Returns:
            A function that sets the number of completed items, and of all items.
        """
        with Progress(console=self._console, transient=True, disable=self.plain) as bar:
            task = bar.add_task(what, total=None)
            yield lambda done, count: bar.update(task, completed=done, total=count)

    def ask(self, prompt: str, words: Iterable[str] = (), keys: Mapping[str, str] | None = None) -> str:
        """Read a line, cut to a bounded length, or an answer of one or two keys.

        Args:
            words: the completions of the Tab key.
            keys: answers by the keys that give them at once, if `reads_keys`. All other keys begin a line.

        Raises:
            EndOfInput: the input has ended.
        """
        *before, last = Text(prompt).wrap(self._console, self.width - 1)
        self.say(*before)
        prompt = f"{last.plain.rstrip()} "
        begun = ""
        if keys and self.reads_keys:
            begun, complete = self._pressed(prompt, keys)
            if complete:
                return begun
        if self._edits and not (begun and _LIBEDIT):
            return self._edited(prompt, words, begun)
        self._write(prompt + begun)
        answer = self._in.readline(LONGEST_ANSWER)
        rest = answer
        while rest and not rest.endswith("\n"):
            rest = self._in.readline(LONGEST_ANSWER)
        if not self._in.isatty():
            # Without an echo from a pipe, the answer completes the prompt's line.
            self._console.print("".join([c if c.isprintable() else "?" for c in answer.rstrip("\r\n")]))
        if not answer:
            if self._in.isatty():
                self._console.print()
            raise EndOfInput
        return (begun + answer).strip()

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()

    def _pressed(self, prompt: str, answers: Mapping[str, str]) -> tuple[str, bool]:
        typed = ""
        with keyboard.keys(self._in) as press:
            self._write(prompt)
            while True:
                key = press()
                if key == keyboard.END:
                    self._write("\n")
                    raise EndOfInput
                if key in ("\r", "\n"):
                    self._write("\n")
                    return typed, True
                if not key.isprintable():
                    # The rest of an arrow key, for example, is not input.
                    keyboard.forget(self._in)
                    break
                typed += key
                meant = [each for each in answers if each.startswith(typed.lower())]
                if not meant or keyboard.more(self._in):
                    break
                if meant == [typed.lower()]:
                    answer = answers[meant[0]]
                    self._write(f"\r{prompt}{answer}\n")
                    return answer, True
                self._write(f"\r{prompt}{typed}")
        self._write("\r")
        return typed.lstrip(), False

    def _edited(self, prompt: str, words: Iterable[str], begun: str) -> str:
        assert readline is not None
        self._words = tuple(words)
        self._console.file.flush()
        readline.set_startup_hook(partial(readline.insert_text, begun))
        try:
            return input(prompt)[:LONGEST_ANSWER].strip()
        except EOFError:
            self._console.print()
            raise EndOfInput from None
        finally:
            readline.set_startup_hook()

    def _set_up_editing(self) -> None:
        assert readline is not None
        readline.set_completer(self._completion)
        readline.set_completer_delims(_BETWEEN_WORDS)
        if _LIBEDIT:
            readline.parse_and_bind("bind ^I rl_complete")
            return
        # Without these settings, plain output would have escape sequences.
        for setting in ("enable-bracketed-paste off", "enable-meta-key off", "completion-ignore-case on"):
            readline.parse_and_bind(f"set {setting}")
        readline.parse_and_bind("tab: complete")

    def _completion(self, begun: str, number: int) -> str | None:
        found = [word for word in self._words if word.lower().startswith(begun.lower())]
        return found[number] if number < len(found) else None

    def clear(self) -> None:
        """Clear the screen, its scrollback, the history and pending keys."""
        if self._edits and readline is not None:
            readline.clear_history()
        if self.can_clear:
            self._write(_CLEAR)
        keyboard.forget(self._in)
