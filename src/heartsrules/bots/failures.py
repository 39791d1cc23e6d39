"""Errors of external players, raised by `heartsrules.bots.external`."""

from __future__ import annotations

from typing import ClassVar

from heartsrules.base.errors import HeartsError, Problem, truncated
from heartsrules.play.violations import Violation

__all__ = [
    "IllegalAnswer",
    "ProgramEnded",
    "ProgramError",
    "ProgramNotStarted",
    "ProgramRefused",
    "ProgramTooSlow",
    "WrongAnswer",
    "WrongProtocol",
]
__dir__ = __all__.copy


class ProgramError(HeartsError, RuntimeError):
    """An external player failed.

    The program has been ended, and the next decision starts it again.

    Attributes:
        program: the command that started it, cut if it is long.
        place: the place of the failure, such as `seat 2, deal 1, trick 3` or `hello`.
        reason: the failure, as a sentence.
        last_words: the last lines on standard error, cut, at most five.
        problems: the answer's problems, with paths into it.
        violations: the violations of an illegal move.
    """

    code: ClassVar[str] = "program-failed"

    def __init__(
        self,
        program: str,
        place: str,
        reason: str,
        last_words: tuple[str, ...] = (),
        problems: tuple[Problem, ...] = (),
        violations: tuple[Violation, ...] = (),
    ) -> None:
        words = f". It said: {' / '.join(last_words)}" if last_words else ""
        super().__init__(truncated(f"{program} ({place}): {reason}{words}"))
        self.program = program
        self.place = place
        self.reason = reason
        self.last_words = last_words
        self.problems = problems
        self.violations = violations


class ProgramNotStarted(ProgramError):
    """The program does not exist or is not executable."""

    code: ClassVar[str] = "program-not-started"


class ProgramTooSlow(ProgramError):
    """The program did not answer within its time limit."""

    code: ClassVar[str] = "program-too-slow"


class ProgramEnded(ProgramError):
    """The program ended, or closed its output, instead of answering."""

    code: ClassVar[str] = "program-ended"


class WrongAnswer(ProgramError):
    """The answer is not JSON, does not follow the protocol, or is too long."""

    code: ClassVar[str] = "wrong-answer"


class ProgramRefused(ProgramError):
    """The program declined the request, for example because of the rules."""

    code: ClassVar[str] = "program-refused"


class WrongProtocol(ProgramError):
    """The program speaks another version of the protocol."""

    code: ClassVar[str] = "wrong-protocol"


class IllegalAnswer(ProgramError):
    """The program chose an illegal move."""

    code: ClassVar[str] = "illegal-answer"
