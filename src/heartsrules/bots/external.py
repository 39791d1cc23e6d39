"""Bots in other processes, in any language.

`External` starts a program and asks it for moves, as JSON lines over its standard streams. `heartsrules bot` is such a
program. The page "Protocol for players" documents the protocol. A program gets only its seat's view, not the state.
"""

from __future__ import annotations

import math
import os
import shlex
import threading
import weakref
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args

import attrs

from heartsrules.base.extras import needs

with needs("json", "a player in another process"):
    from msgspec import Meta, Struct

from heartsrules._version import __version__
from heartsrules.base.errors import InvalidWire, Problem, in_words, joined, printable, truncated
from heartsrules.base.signals import interrupts_deferred
from heartsrules.base.values import items_in, wrong_type
from heartsrules.bots._process import AnswerTooLong, Ended, Process, TimedOut, Unsolicited
from heartsrules.bots.failures import (
    IllegalAnswer,
    ProgramEnded,
    ProgramNotStarted,
    ProgramRefused,
    ProgramTooSlow,
    WrongAnswer,
    WrongProtocol,
)
from heartsrules.bots.interface import options
from heartsrules.chance import Bits
from heartsrules.chance.bits import checked_bits
from heartsrules.formats.wire import from_json, to_json
from heartsrules.formats.wire.parts import Json, object_parts, placed_at, pointer, read_part, write_part
from heartsrules.play.engine import why_illegal
from heartsrules.play.moves import Deal, Move
from heartsrules.rules import Rules, Seat
from heartsrules.views import PlayingView, View

__all__ = ["MOST_BYTES", "MOST_MOVES", "PROTOCOL", "External", "Introduction"]
__dir__ = __all__.copy

PROTOCOL: Final = 1
"""The version of the protocol."""
MOST_MOVES: Final = 500
"""The most legal moves in a request, since a hand can have millions of passes."""
MOST_BYTES: Final = 2**16
"""The most bytes of an answer."""

Processes: TypeAlias = Literal["seat", "game", "one"]
"""The number of processes of a program.

There is one for each seat, a new one for each seat and game, or a single one.
"""

_LONGEST: Final = 1_000_000.0
"""The longest timeout, in seconds."""
_NAME: Final = 100
"""The most characters of a name, and of the command in a message."""


@attrs.frozen
class Introduction:
    """A program's description of itself."""

    name: str
    author: str


# ---------------------------------------------------------------------------------------------------------- the answers


class _ProblemJson(Struct, forbid_unknown_fields=True):
    """A problem, of which only the message is used."""

    message: str
    place: str = ""
    code: str = ""
    params: Any = None
    detail: str = ""
    violation: Any = None


class _Hello(Struct, forbid_unknown_fields=True):
    protocol: int
    name: Annotated[str, Meta(min_length=1, max_length=_NAME)]
    author: Annotated[str, Meta(max_length=_NAME)] = ""


class _Nothing(Struct, forbid_unknown_fields=True):
    pass


class _Chosen(Struct, forbid_unknown_fields=True):
    move: Json


_A = TypeVar("_A")


def _read_answer(line: bytes, number: int, kind: type[_A]) -> _A | list[str]:
    """Read an answer's result or the messages of a refusal."""
    parts = object_parts(line)
    good = "ok" in parts and _part("ok", parts, bool)
    wanted = ("id", "ok", "problems" if "ok" in parts and not good else "result")
    problems = [Problem.of("unknown-key", (pointer(name[:_NAME]),)) for name in parts if name not in wanted]
    problems += [Problem.of("missing-key", (pointer(name),)) for name in wanted if name not in parts]
    if problems:
        raise InvalidWire(problems)
    if not good:
        # A program that could not read the request does not know its id.
        return [each.message for each in _part("problems", parts, tuple[_ProblemJson, ...])]
    answered = _part("id", parts, int)
    if answered != number:
        raise InvalidWire((Problem.of("foreign-value", ("/id",), "number", value=answered, choices=(number,)),))
    return _part("result", parts, kind)


def _part(key: str, parts: dict[str, bytes], kind: type[_A]) -> _A:
    try:
        value: _A = read_part(parts[key], kind)
    except InvalidWire as error:
        raise InvalidWire(placed_at(key, error.problems)) from None
    return value


# ----------------------------------------------------------------------------------------------------------- the player


@attrs.define
class _Running:
    process: Process
    asked: int = 0
    """The number of requests, which is the id of the last one."""
    introduction: Introduction | None = None


def _end(running: dict[Seat | None, _Running]) -> None:
    while running:
        _, each = running.popitem()
        each.process.end()


class External:
    """A bot in a process of its own, controlled over its standard streams.

    The program is run without a shell. By default each seat has its own process, so seats with the same command cannot
    exchange information. A process starts when its seat first has to choose. All processes are ended by `close`, when
    leaving a `with` block, when the player is garbage-collected, and when Python ends. Their input is closed, and a
    process still running a second later is killed together with its process group (not on Windows). After `close` or an
    error, the next decision starts the program again. A player sent to another process, for example by an executor,
    starts its own programs there.

    The program is asked only if there is more than one legal move. A request contains the seat's view, the time limit,
    and 64 bits from `rng` as a seed.

    Args:
        command: the program and its arguments, as a string split like in a shell, or as a sequence of strings.
        seconds: the wall-clock timeout of a move, or None for none.
        start_seconds: the timeout of the start and of preparing for a game, or None for none.
        processes: `"seat"` for a process per seat, `"game"` for a new one per seat and game, if you do not trust a
            program to forget, or `"one"` for a single process, in which all seats can share their information. Every
            request is self-contained.

    >>> import sys
    >>> from heartsrules.simulation import play_match
    >>> from heartsrules.bots import uniform
    >>> with External([sys.executable, "-m", "heartsrules", "bot", "heuristic"]) as player:
    ...     print(player.introduce().name)
    ...     end = play_match(presets.cardstock(), [player, uniform, uniform, uniform], seed=7)
    heuristic

    Raises:
        ValueError: the command is empty or has an unclosed quotation, a timeout is not above 0 or exceeds a million, or
            `processes` is none of the three.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        seconds: float | None = 10.0,
        start_seconds: float | None = 30.0,
        processes: Processes = "seat",
    ) -> None:
        self.command: Final = _command_of(command)
        """The program and its arguments."""
        self.seconds: Final = _limit("seconds", seconds)
        self.start_seconds: Final = _limit("start_seconds", start_seconds)
        if processes not in get_args(Processes):
            raise ValueError(f"processes is {in_words(processes)}: choose from {', '.join(get_args(Processes))}")
        self.processes: Final[Processes] = processes
        self._label: Final = truncated(printable(shlex.join(self.command)), _NAME)
        self._running: Final[dict[Seat | None, _Running]] = {}
        self._lock: Final = threading.RLock()
        weakref.finalize(self, _end, self._running)

    def __repr__(self) -> str:
        options = f"seconds={self.seconds}, start_seconds={self.start_seconds}, processes={self.processes!r}"
        return f"External({shlex.join(self.command)!r}, {options})"

    def __reduce__(self) -> tuple[Any, ...]:
        limits = {"seconds": self.seconds, "start_seconds": self.start_seconds}
        return partial(External, self.command, **limits, processes=self.processes), ()

    def __enter__(self) -> External:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all processes of the program until the next decision."""
        with self._lock:
            _end(self._running)

    def introduce(self) -> Introduction:
        """Return the program's description of itself, starting a process if necessary.

        Raises:
            ProgramError: the program cannot be started, or breaks the protocol.
        """
        with self._lock:
            key = next(iter(self._running), None if self.processes == "one" else 0)
            found = self._at(key).introduction
            assert found is not None
            return found

    def begin(self, rules: Rules, seat: Seat, /) -> None:
        """Announce a new game to the process of a seat.

        Raises:
            ProgramError: the program cannot be started, does not play these rules, or gives no answer.
        """
        with self._lock:
            key = self._key(seat)
            if self.processes == "game" and key in self._running:
                self._running.pop(key).process.end()
            self._ask(
                key, f"seat {seat}, new game", "new-game", self.start_seconds, _Nothing, rules=_json(rules), seat=seat
            )

    def __call__(self, view: View, rng: Bits, /) -> Move:
        """Choose a legal move of the view's seat.

        Raises:
            ProgramError: the program has failed.
            ValueError: the seat has no decision.
        """
        moves = options(view)
        checked_bits(rng)
        count = len(moves)
        if count == 1:
            return moves[0]
        seat = view.seat
        assert seat is not None
        place = f"seat {seat}, deal {view.deal_number + 1}"
        if isinstance(view, PlayingView):
            place += f", trick {view.trick_number + 1}"
        with self._lock:
            key = self._key(seat)
            chosen = self._ask(
                key,
                place,
                "choose",
                self.seconds,
                _Chosen,
                view=_json(view),
                moves=[_json(moves[number]) for number in range(min(count, MOST_MOVES))],
                count=count,
                milliseconds=None if self.seconds is None else max(1, round(1000 * self.seconds)),
                seed=f"{rng.getrandbits(64):016x}",
            )
            try:
                move = from_json(bytes(chosen.move), Move)
            except InvalidWire as error:
                raise self._wrong(key, place, placed_at("result", placed_at("move", error.problems))) from None
            if isinstance(move, Deal) or move.seat != seat or move not in moves:
                violations = () if isinstance(move, Deal) or move.seat != seat else why_illegal(view, move)
                why = joined([str(each) for each in violations]) or "this seat cannot make this move"
                words = self._fail(key)
                raise IllegalAnswer(self._label, place, f"illegal move {in_words(move)}: {why}", words, (), violations)
        return move  # type: ignore[no-any-return]

    # ---- the processes

    def _key(self, seat: Seat) -> Seat | None:
        return None if self.processes == "one" else seat

    def _at(self, key: Seat | None) -> _Running:
        found = self._running.get(key)
        if found is not None:
            if found.introduction is not None:
                return found
            # Ctrl-C interrupted the greeting.
            self._fail(key)
        try:
            # An interrupted start would leave an orphaned process.
            with interrupts_deferred():
                running = self._running[key] = _Running(Process(self.command, MOST_BYTES))
        except (OSError, ValueError) as error:
            why = f"it cannot be started: {getattr(error, 'strerror', None) or error}"
            raise ProgramNotStarted(self._label, "hello", why) from None
        hello = self._ask(
            key, "hello", "hello", self.start_seconds, _Hello, protocol=PROTOCOL, caller=f"heartsrules {__version__}"
        )
        if hello.protocol != PROTOCOL:
            why = f"it speaks version {in_words(hello.protocol)} of the protocol, and this is version {PROTOCOL}"
            raise WrongProtocol(self._label, "hello", why, self._fail(key))
        running.introduction = Introduction(hello.name, hello.author)
        return running

    def _ask(self, key: Seat | None, place: str, op: str, seconds: float | None, kind: type[_A], **keys: Any) -> _A:
        running = self._running[key] if op == "hello" else self._at(key)
        running.asked += 1
        request = write_part({"id": running.asked, "op": op, **keys})
        try:
            line = running.process.ask(request, seconds)
            answer = _read_answer(line, running.asked, kind)
        except TimedOut:
            why = f"no answer to {op!r} within {seconds:g} second{'' if seconds == 1 else 's'}"
            raise ProgramTooSlow(self._label, place, why, self._fail(key)) from None
        except Ended as ending:
            how = "it has closed its output" if ending.code is None else f"it ended with exit code {ending.code}"
            raise ProgramEnded(self._label, place, f"no answer to {op!r}: {how}", self._fail(key)) from None
        except AnswerTooLong:
            why = f"the answer to {op!r} has more than {MOST_BYTES} bytes"
            raise WrongAnswer(self._label, place, why, self._fail(key)) from None
        except Unsolicited:
            why = f"it wrote a line before it was asked {op!r}: each request has one line in answer"
            raise WrongAnswer(self._label, place, why, self._fail(key)) from None
        except InvalidWire as error:
            raise self._wrong(key, place, error.problems) from None
        except BaseException:
            # After Ctrl-C the pending answer would be read as the answer to the next request.
            self._fail(key)
            raise
        if isinstance(answer, list):
            why = f"it refuses {op!r}: {joined([printable(said) for said in answer]) or 'it does not say why'}"
            raise ProgramRefused(self._label, place, why, self._fail(key))
        return answer

    def _wrong(self, key: Seat | None, place: str, problems: tuple[Problem, ...]) -> WrongAnswer:
        why = joined([f"{each.fields[0] or 'the line'}: {each.message}" for each in problems])
        return WrongAnswer(self._label, place, f"its answer makes no sense: {why}", self._fail(key), problems)

    def _fail(self, key: Seat | None) -> tuple[str, ...]:
        process = self._running.pop(key).process
        process.kill()
        return process.last_words


def _command_of(command: object) -> tuple[str, ...]:
    if isinstance(command, str):
        try:
            # On Windows a backslash is a part of a path.
            parts: Sequence[object] = shlex.split(command, posix=os.name != "nt")
        except ValueError as error:
            raise ValueError(f"command is {in_words(command)}: {error}") from None
    elif isinstance(command, Sequence):
        parts = command
    else:
        wrong_type("command", "a text or a sequence of texts", command)
    words: tuple[str, ...] = items_in("command", parts, str, "texts")
    if not words or not words[0]:
        raise ValueError("command is empty: name a program")
    return words


def _limit(name: str, seconds: object) -> float | None:
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        wrong_type(name, "a number or None", seconds)
    if not 0 < seconds <= _LONGEST or math.isnan(seconds):
        raise ValueError(f"{name} is {in_words(seconds)}: choose a number above 0, up to {_LONGEST:,.0f}, or None")
    return float(seconds)


def _json(value: object) -> Json:
    return Json(to_json(value))
