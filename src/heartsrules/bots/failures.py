"""How a program that plays can fail, as types. `heartsrules.bots.external` raises them."""

from __future__ import annotations

from typing import Any, ClassVar

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


class ProgramError(HeartsError, RuntimeError):
    """A program that plays has failed. It has been ended; the next decision starts it again.

    Attributes:
        program: the command that started it; a long one is cut.
        place: where it failed: `seat 2, deal 1, trick 3`, or `hello`.
        reason: what is wrong, in words.
        last_words: the last lines that the program wrote to standard error, cut; at most five.
        problems: what is wrong with its answer, with places in it; empty where that is not the failure.
        violations: why its move is illegal; empty where that is not the failure.
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

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (
            self.program,
            self.place,
            self.reason,
            self.last_words,
            self.problems,
            self.violations,
        )


class ProgramNotStarted(ProgramError):
    """A program could not be started: there is none of that name, or it may not be run."""

    code: ClassVar[str] = "program-not-started"


class ProgramTooSlow(ProgramError):
    """A program gave no answer in the time that it was allowed."""

    code: ClassVar[str] = "program-too-slow"


class ProgramEnded(ProgramError):
    """A program ended, or closed its output, where it should have answered."""

    code: ClassVar[str] = "program-ended"


class WrongAnswer(ProgramError):
    """The program's answer does not fit the question: it is not JSON, not of the protocol, or too long."""

    code: ClassVar[str] = "wrong-answer"


class ProgramRefused(ProgramError):
    """A program answered that it cannot do what it was asked: it does not play these rules, say."""

    code: ClassVar[str] = "program-refused"


class WrongProtocol(ProgramError):
    """A program speaks another version of the protocol."""

    code: ClassVar[str] = "wrong-protocol"


class IllegalAnswer(ProgramError):
    """A program chose a move that is not legal."""

    code: ClassVar[str] = "illegal-answer"
