"""A process in which long calls are interrupted, each in children that are forked before the call was ever made.

It has imported everything and made all arguments. A line of standard input asks for one child, and a line of standard
output says what became of it, both as JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from inspect import CO_GENERATOR
from itertools import cycle, islice
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final, TypeAlias

from heartsrules import (
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
from support.random_play import reached

__all__ = ["calls"]

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
    crowded = presets.ALL["pagat_cancellation"].rules(10)
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


if __name__ == "__main__":
    main()
