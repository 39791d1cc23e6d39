"""Long calls that a signal handler ends by raising: the exception comes out, and the process lives and is still right.

Nothing here is judged by the clock: interrupts come at random, and only those that come inside a call are counted.

Run as a program, this file is a process in which the calls are interrupted, each in children that are forked before
the call was ever made. It has imported everything and made all arguments. A line of standard input asks for one child,
and a line of standard output says what became of it, both as JSON.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import operator
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from inspect import CO_GENERATOR
from itertools import cycle, islice
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final, TypeAlias

import pytest

import heartsrules
from heartsrules import (
    COMPILED,
    DealScore,
    Event,
    Move,
    Passing,
    Playing,
    Rules,
    State,
    Transition,
    View,
    legal_moves,
    new_game,
    presets,
    transition,
    view,
    why_illegal,
)
from heartsrules.analysis import assess, hint, review, solve
from heartsrules.analysis.policies import Watchful
from heartsrules.analysis.rollouts import rollouts
from heartsrules.bots import Sampling, heuristic
from heartsrules.chance import RandomStream
from heartsrules.formats.foreign.turbo_hearts import read_turbo_hearts
from heartsrules.formats.foreign.xinxin import read_xinxin
from heartsrules.formats.notation import (
    format_position,
    format_record,
    format_rules,
    parse_position,
    parse_record,
    parse_rules,
    parse_setup,
)
from heartsrules.formats.wire import from_json, judge, to_json
from heartsrules.play.game import Record, replay_strict, verify
from heartsrules.setup import Setup, check
from heartsrules.simulation import play_match
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.parts import Resumable, RunPart
from heartsrules.views.worlds import sample_world
from support.foreign_logs import uniform_game
from support.int_operators import WITHOUT_ERROR
from support.random_play import reached
from support.rounds import SEED

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="calls are interrupted in forked processes"),
    # Interpreted, the calls take ten times as long.
    *([] if COMPILED else [pytest.mark.long, pytest.mark.once_interpreted]),
]

INTERRUPTS: Final = 200
"""How many come out of each call."""

# ---------------------------------------------------------------------------------------------------------- the process

Work: TypeAlias = Callable[[], object]
"""A call without arguments; the `repr` of its result says all of it."""
FOREIGN: Final = Path(__file__).parents[1] / "data" / "foreign"


def in_random_game(rules: Rules, stops: Callable[[State], bool]) -> Any:
    """The first state of a random game at which to stop."""
    return reached(new_game(rules), stops, random.Random(7))


def to_come(tricks: int) -> Callable[[State], bool]:
    """Whether a state is at the lead to one of the last tricks."""
    return lambda state: isinstance(state, Playing) and not state.trick and len(state.hands[state.turn]) == tricks


def calls() -> Mapping[str, Work]:
    """The calls that are interrupted, by name."""
    single = presets.cardstock()
    small = Rules(players=3, target=1, removed=" ".join([rank + suit for rank in "23456789TJ" for suit in "CDSH"][:37]))
    crowded = presets.ALL["pagat_cancellation"](10)
    state = in_random_game(Rules(), to_come(8))
    seen = view(state, state.turn)
    late, later = (in_random_game(Rules(pass_cycle=((),)), to_come(tricks)) for tricks in (5, 4))
    crowd = in_random_game(crowded, to_come(4))
    passing = in_random_game(Rules(), lambda state: isinstance(state, Passing))
    record = uniform_game(single, 1)
    early = replay_strict(single, record.moves[:20])
    played = replay_strict(small, uniform_game(small, 1).moves)
    moves = legal_moves(early.state)
    # What was interrupted is not the first to be done again.
    orders = cycle([moves, moves[::-1]])
    made = transition(state, legal_moves(state)[0])
    illegal = why_illegal(state, record.moves[-1])[0]
    documents: dict[str, tuple[object, Any]] = {
        "rules": (crowded, Rules),
        "move": (moves[0], Move),
        "state": (state, State),
        "setup": (Setup.of(state), Setup),
        "view": (seen, View),
        "event": (made.events[0], Event),
        "events": (made.events, tuple[Event, ...]),
        "deal-score": (replay_strict(single, record.moves).state.score_sheet[0], DealScore),
        "violation": (illegal, type(illegal)),
        "record": (record, Record),
        "transition": (made, Transition),
    }
    texts: dict[Callable[..., object], str] = {
        parse_position: format_position(state),
        parse_record: format_record(record),
        parse_rules: format_rules(crowded),
        parse_setup: format_position(state),
        read_turbo_hearts: (FOREIGN / "turbo_hearts.jsonl").read_text(encoding="utf-8"),
        read_xinxin: (FOREIGN / "xinxin.play").read_text(encoding="utf-8"),
    }
    read: dict[str, Work] = {
        f"from_json {name}": partial(from_json, to_json(value), kind) for name, (value, kind) in documents.items()
    }
    read |= {reader.__name__: partial(reader, text) for reader, text in texts.items()}
    read["pickle.loads"] = partial(pickle.loads, pickle.dumps(state))
    with TemporaryDirectory() as folder:
        path = Path(folder, "part.json")
        simulate(single, 2, seed=1, executor=Resumable(path))
        read["RunPart.from_json"] = partial(RunPart.from_json, path.read_bytes())
    return read | {
        "solve": lambda: solve(late),
        "solve, paranoid": lambda: solve(later, paranoid=True),
        # More views than are cached.
        "sample_world": lambda: [sample_world(view(crowd, seat), random.Random(1)) for seat in range(10)],
        "assess": lambda: assess(seen, random.Random(1), worlds=10),
        "hint": lambda: hint(assess(seen, random.Random(1), worlds=5)),
        "review": lambda: review(played, 1, worlds=2),
        "rollouts": lambda: rollouts(state, RandomStream(1), 500, policy=Watchful()),
        "simulate": lambda: simulate(single, 20, seed=1),
        "simulate, bots": lambda: simulate(small, 1, seed=1, players=[heuristic] * 3),
        "play_match": lambda: play_match(small, [heuristic, heuristic, Sampling(2)], seed=1),
        "verify": lambda: verify(record),
        "check": lambda: check(Setup.of(state)),
        "judge": lambda: judge(to_json(state), to_json(record.moves[-1])),
        "legal passes": lambda: [move.cards for move in islice(legal_moves(passing), 500)],
        "Game.play": lambda: sorted([(str(move), early.play(move).state) for move in next(orders)], key=itemgetter(0)),
    }


class Interrupt(BaseException):
    """What a signal handler raises in some program."""


KINDS: Final = (KeyboardInterrupt, TimeoutError, Interrupt)
"""What is raised, in turn."""


class Target:
    """A call that is interrupted, and how often."""

    def __init__(self, work: Work) -> None:
        self.work: Final = work
        self.armed = False
        self.raised = 0
        self.inside = 0
        """How many interrupts came out of the call."""
        self.outside = 0
        """How many came just before or after it."""

    def handle(self, *_: object) -> None:
        """Raise, unless nothing is to be interrupted."""
        if self.armed:
            self.armed = False
            self.raised += 1
            raise KINDS[self.raised % len(KINDS)]

    def attempt(self, start: Callable[[], object], stop: Callable[[], object]) -> bool:
        """Make the call, and return True if it was not interrupted."""
        try:
            try:
                start()
                self.armed = True
                self.work()
                return True
            finally:
                self.armed = False
                stop()
        except KINDS as error:
            trace = error.__traceback__
            below = None if trace is None else trace.tb_next
            if below is None or below.tb_frame.f_code is Target.handle.__code__:
                self.outside += 1
            else:
                self.inside += 1
            return False

    def answer(self, **more: object) -> dict[str, object]:
        """What became of the interrupts, and what the call returns after them."""
        result = hashlib.sha256(repr(self.work()).encode()).hexdigest()
        swallowed = self.raised - self.inside - self.outside
        return {"result": result, "inside": self.inside, "swallowed": swallowed, **more}


ATTEMPTS: Final = 50
"""How many are made for each interrupt that is to come out of a call."""


def by_timer(work: Work, seed: str, count: int, seconds: float) -> dict[str, object]:
    """Interrupt a call at random moments of the time that it takes, at first so many seconds."""
    target = Target(work)
    rng = random.Random(seed)
    set_timer = partial(signal.setitimer, signal.ITIMER_REAL)
    signal.signal(signal.SIGALRM, target.handle)
    for _ in range(ATTEMPTS * count):
        if target.inside == count:
            break
        moment = max(rng.uniform(0, seconds), 1e-6)
        begin = time.perf_counter()
        if target.attempt(partial(set_timer, moment), partial(set_timer, 0)):
            seconds = time.perf_counter() - begin
    return target.answer()


def by_other(work: Work, count: int) -> dict[str, object]:
    """Have a call interrupted by Ctrl-C from another process."""
    target = Target(work)
    signal.signal(signal.SIGINT, target.handle)
    for _ in range(ATTEMPTS * count):
        if target.inside == count:
            break
        target.attempt(int, int)
    return target.answer()


def at_event(work: Work, number: int) -> dict[str, object]:
    """Interrupt a call where Python handles signals: as a function begins, or when one in C has returned.

    Args:
        work: the call.
        number: of the event, from 1; 0: the call is not interrupted, and its events are counted.
    """
    target = Target(work)
    events = 0

    def see(frame: FrameType, event: str, _: object) -> None:
        nonlocal events
        # Python handles none where a generator is closed, which is an event too.
        begins = event == "call" and not frame.f_code.co_flags & CO_GENERATOR
        if target.armed and (begins or event == "c_return"):
            events += 1
            if events == number:
                target.handle()

    begin = time.perf_counter()
    target.attempt(partial(sys.setprofile, see), partial(sys.setprofile, None))
    return target.answer(events=events, seconds=time.perf_counter() - begin)


def forked(ask: Callable[[], dict[str, object]], pause: float = 0.0) -> dict[str, object]:
    """Answer in a child.

    Args:
        ask: what the child does.
        pause: the longest time between two interrupts that the child is sent; 0: it is sent none.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.write(writing, json.dumps(ask()).encode())
        os._exit(0)
    os.close(writing)
    ended = 0
    while pause and not ended:
        time.sleep(random.uniform(0, pause))
        os.kill(pid, signal.SIGINT)
        ended, _ = os.waitpid(pid, os.WNOHANG)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    if not ended:
        os.waitpid(pid, 0)
    return json.loads(answer) if answer else {"died": True}


def main() -> None:
    """Answer all requests."""
    # Ctrl-C does nothing here, nor in a child until it is asked to handle it.
    signal.signal(signal.SIGINT, lambda *_: None)
    works = calls()
    print(json.dumps(list(works)), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        work = works[request["call"]]
        if "event" in request:
            answer = forked(partial(at_event, work, request["event"]))
        elif request.get("other"):
            answer = forked(partial(by_other, work, request["count"]), request["seconds"])
        else:
            answer = forked(partial(by_timer, work, line, request["count"], request["seconds"]))
        print(json.dumps(answer), flush=True)


# ------------------------------------------------------------------------------------------------------------ the tests

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
    command = [sys.executable, __file__]
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


if __name__ == "__main__":
    main()
