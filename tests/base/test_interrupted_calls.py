"""Long calls that a signal handler ends by raising: the exception comes out, and the process lives and is still right.

Nothing here is judged by the clock: interrupts come at random, and only those that come inside a call are counted.
"""

from __future__ import annotations

import ctypes
import json
import operator
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

import heartsrules
from heartsrules import COMPILED
from support.int_operators import WITHOUT_ERROR
from support.rounds import SEED

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="calls are interrupted in forked processes"),
    # Interpreted, the calls take ten times as long.
    *([] if COMPILED else [pytest.mark.long, pytest.mark.once_interpreted]),
]

INTERRUPTS: Final = 200
"""How many come out of each call."""

Message: TypeAlias = dict[str, Any]


class Server:
    """The process that forks a child for each request."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process: Final = process
        self._fresh: Final[dict[str, Message]] = {}
        self.calls: Final[list[str]] = self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def ask(self, request: Message) -> Message:
        assert self._process.stdin is not None
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answer: Message = self._answer()
        return answer

    def fresh(self, call: str) -> Message:
        """The answer of a child that was not interrupted."""
        if call not in self._fresh:
            self._fresh[call] = self.ask({"call": call, "event": 0})
        return self._fresh[call]

    def faults(self, requests: Iterable[Message]) -> list[tuple[Message, Message]]:
        """The requests whose answers say that something went wrong, with these answers."""
        return [(request, answer) for request in requests if self._is_wrong(request, answer := self.ask(request))]

    def _is_wrong(self, request: Message, answer: Message) -> bool:
        if "died" in answer or answer["swallowed"] or answer["inside"] < request.get("count", 0):
            return True
        return bool(answer["result"] != self.fresh(request["call"])["result"])


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    path = os.pathsep.join([str(Path(heartsrules.__file__).parents[1]), str(Path(__file__).parents[1])])
    command = [sys.executable, "-m", "support.interrupting"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as process:
        yield Server(process)
        process.communicate()
        assert process.returncode == 0


def test_an_interrupt_comes_out_of_every_call(server: Server) -> None:
    requests = ({"call": call, "count": INTERRUPTS, "seconds": server.fresh(call)["seconds"]} for call in server.calls)
    assert server.faults(requests) == []


def test_so_does_ctrl_c(server: Server) -> None:
    call = "solve, paranoid"
    request = {"call": call, "count": INTERRUPTS, "seconds": server.fresh(call)["seconds"], "other": True}
    assert server.faults([request]) == []


@pytest.mark.parametrize("most", [2, pytest.param(300, marks=pytest.mark.long)])
def test_wherever_a_call_is_interrupted_the_next_one_is_right(server: Server, most: int) -> None:
    rng = random.Random(SEED)

    def requests() -> Iterator[Message]:
        for call in server.calls:
            events = server.fresh(call)["events"]
            # A game keeps its moves in lists that it shares with others.
            count = events if call == "Game.play" else min(events, most, max(2, 300_000 // events))
            for event in rng.sample(range(1, events + 1), count):
                yield {"call": call, "event": event}

    assert server.faults(requests()) == []


LARGE: Final = """
import sys
from heartsrules.chance import RandomStream

class Odd(int):
    pass

def refuse(*_):
    raise RuntimeError

for name in ("add", "and", "eq", "ge", "gt", "invert", "le", "lt", "mul", "ne", "neg", "or", "radd", "rsub", "sub"):
    setattr(Odd, f"__{name}__", refuse)

def deep(depth, bound):
    try:
        deep(depth - 1, bound) if depth else RandomStream(1).below(bound)
    except (RecursionError, RuntimeError, ValueError):
        pass

deep(0, Odd(2**70))
for depth in range(sys.getrecursionlimit()):
    deep(depth, 2**70)
"""


def test_no_comparison_of_large_ints_ends_the_process() -> None:
    """Not where those of a subclass raise, nor at the recursion limit."""
    environ = {**os.environ, "PYTHONPATH": str(Path(heartsrules.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, env=environ)
    assert (done.returncode, done.stderr) == (0, "")


def handles_signals(work: Callable[..., object], *operands: int) -> bool:
    """Whether Python handles a signal within an operator. No bytecode runs between the three calls in C."""
    ended: list[None] = []
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(len(ended)))
    try:
        steps = (ctypes.pythonapi.PyErr_SetInterrupt, partial(work, *operands), partial(ended.append, None))
        call: Any = operator.call
        list(map(call, steps))
    finally:
        signal.signal(signal.SIGINT, before)
    (happened,) = seen
    return not happened


def test_python_handles_signals_in_no_operator_that_mypyc_takes_for_safe() -> None:
    """Where it does, a signal handler that raises would end the process."""
    numbers = (3, -(2**62), 2**200 + 1, -(3**100))
    pairs = [(one, other) for one in numbers for other in numbers]
    for work in filter(None, WITHOUT_ERROR.values()):
        operands = [(one,) for one in numbers] if work in (operator.invert, operator.neg) else pairs
        assert not any(handles_signals(work, *each) for each in operands), work
    # In these it does.
    assert handles_signals(operator.mul, 2**200, 2**200)
    assert handles_signals(operator.floordiv, 2**200, 2**100)
