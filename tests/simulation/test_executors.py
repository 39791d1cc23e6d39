"""Work in chunks: everything once, in bounds, in any order, and again where workers die."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heartsrules import Cards, Rules
from heartsrules.base.values import type_phrase
from heartsrules.rules import Tie
from heartsrules.simulation import many_games as simulate_module
from heartsrules.simulation.executors import (
    ATTEMPTS,
    Chunked,
    Pace,
    Processes,
    ThisProcess,
    WorkFailed,
    _ignore_interrupts,
    batches,
    run,
    usable_cores,
)
from heartsrules.simulation.many_games import SimulationFailed, SimulationInterrupted, simulate
from heartsrules.simulation.statistics import Statistics
from support.chores import Chore, Losing, OneByOne, play_but_die_once, refuse, square

pytestmark = pytest.mark.once_compiled

QUICK = Rules(
    removed=Cards([card for card in Rules().deck if card.rank not in (2, 3, 12)]),
    target=None,
    max_deals=1,
    tie=Tie.SHARED,
)
"""Three cards each and a single deal."""


def squares(executor: Executor, chores: list[Chore], *, in_flight: int = 4) -> list[int]:
    return [done.result[0] for done in run(square, chores, Chunked(executor, in_flight=in_flight), in_order=True)]


# Everything, once, in bounds


@given(seed=st.integers(0, 9), count=st.integers(0, 20), in_flight=st.integers(1, 6), in_order=st.booleans())
@example(seed=1, count=20, in_flight=6, in_order=True)
def test_every_chunk_comes_back_once_and_few_are_out_at_a_time(
    seed: int, count: int, in_flight: int, in_order: bool
) -> None:
    asked = 0

    def chores() -> Iterator[Chore]:
        nonlocal asked
        for number in range(count):
            asked += 1
            yield Chore(number)

    got: list[int] = []
    with OneByOne(seed) as executor:
        for done in run(square, chores(), Chunked(executor, in_flight=in_flight), in_order=in_order):
            got.append(done.chunk.number)
            assert done.result == (done.chunk.number**2, os.getpid())
            assert done.seconds >= 0
            assert asked <= len(got) + in_flight
    assert executor.most <= in_flight
    assert (got if in_order else sorted(got)) == list(range(count))


def test_a_chunk_may_be_none() -> None:
    with OneByOne(0) as executor:
        kinds = [done.result for done in run(type_phrase, [3, None, "x", None], executor, in_order=True)]
    assert kinds == ["an int", "None", "a str", "None"]


def test_results_can_come_as_they_are_finished() -> None:
    with OneByOne(3) as executor:
        got = [done.chunk.number for done in run(square, map(Chore, range(30)), Chunked(executor, in_flight=8))]
    assert sorted(got) == list(range(30)) != got


def test_closing_it_cancels_what_has_not_begun() -> None:
    executor = Losing(lambda call, _: "done" if call == 5 else "never")
    with closing(run(square, map(Chore, range(50)), Chunked(executor, in_flight=5))) as results:
        assert next(results).chunk.number == 4
    assert executor.calls == 5


@given(st.lists(st.integers(), max_size=30), st.none() | st.integers(1, 7))
def test_batches_hold_everything_in_order(items: list[int], size: int | None) -> None:
    made = list(batches(items, Pace(size, 2)))
    assert [item for batch in made for item in batch] == items
    assert all(len(batch) == (size or 1) for batch in made[:-1])


def test_a_pace_makes_chunks_of_about_half_a_second_and_few_of_them_at_the_end() -> None:
    pace = Pace(None, 4)
    assert pace.size() == pace.size(1000) == 1
    pace.record(100, 1.0)
    assert pace.size() == pace.size(1000) == 40
    assert [pace.size(left) for left in (100, 28, 12, 1)] == [25, 7, 5, 5]
    pace.record(100, 199.0)
    assert pace.size() == 1
    assert Pace(7, 4).size(3) == 7


# Failures


@pytest.mark.parametrize("fate", ["lost", "cancelled", "refused"])
def test_a_lost_chunk_is_tried_again(fate: str) -> None:
    with Losing(lambda call, _: fate if call in (2, 5, 8) else "done") as executor:
        assert squares(executor, [Chore(number) for number in range(8)]) == [number**2 for number in range(8)]
    assert executor.calls == 8 + 3


@pytest.mark.parametrize("fate", ["lost", "cancelled", "refused"])
def test_a_chunk_that_is_always_lost_is_named(fate: str) -> None:
    with Losing(lambda _, args: fate if Chore(5) in args else "done") as executor:
        results = run(
            square, map(Chore, range(9)), Chunked(executor, in_flight=4), describe=lambda chore: f"no. {chore.number}"
        )
        got: list[int] = []
        with pytest.raises(WorkFailed, match=r"^no\. 5 failed 3 times on the executor: ") as caught:
            got += [done.chunk.number for done in results]
    assert (caught.value.chunk, caught.value.attempts, caught.value.code) == ("no. 5", ATTEMPTS, "work-failed")
    assert caught.value.__cause__ is not None
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy)) == (WorkFailed, str(caught.value))


def test_one_attempt_and_one_game_are_not_told_as_several() -> None:
    assert str(WorkFailed("no. 5", 1)).startswith("no. 5 failed 1 time on the executor: ")
    assert str(SimulationInterrupted(simulate(QUICK, 1, seed=1), ())) == "interrupted after 1 game"
    assert str(SimulationInterrupted(simulate(QUICK, 0, seed=1), ())) == "interrupted after 0 games"


def test_a_chunk_is_not_blamed_for_its_neighbours() -> None:
    class Pool(Executor):
        """Loses its first four calls together, as when a process of a pool dies, and later chunk 2 alone."""

        def __init__(self) -> None:
            self.calls: list[Future[Any]] = []

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            self.calls.append(Future())
            if len(self.calls) > ATTEMPTS + 1 and Chore(2) not in args:
                self.calls[-1].set_result(fn(*args, **kwargs))
            elif len(self.calls) > ATTEMPTS:
                for future in self.calls:
                    if not future.done():
                        future.set_exception(BrokenExecutor("a worker has died"))
            return self.calls[-1]

    pool = Chunked(Pool(), in_flight=4)
    with pytest.raises(WorkFailed) as caught:
        list(run(square, map(Chore, range(9)), pool, describe=lambda chore: f"{chore.number}"))
    assert caught.value.chunk == "2"


def test_an_error_of_the_work_itself_is_raised_at_once() -> None:
    with ThreadPoolExecutor(1) as threads, Processes(1) as processes:
        for executor in (ThisProcess(), threads, processes):
            with pytest.raises(LookupError, match="no 0") as caught:
                list(run(refuse, map(Chore, range(3)), Chunked(executor, in_flight=1)))
            # The trace of an error does not travel with it.
            notes = getattr(caught.value, "__notes__", [])
            assert caught.traceback[-1].name == "refuse" if executor is not processes else "in refuse" in notes[0]


def test_work_that_is_lost_for_good_is_told() -> None:
    with Losing(lambda *_: "never") as executor, pytest.raises(WorkFailed, match="failed 3 times"):
        list(run(square, [Chore(1)], Chunked(executor, lost=lambda: True)))
    assert executor.calls == ATTEMPTS


# Processes of this machine


def test_processes_work_and_new_ones_come_when_they_die(tmp_path: Path) -> None:
    chores = [Chore(number) for number in range(6)]
    chores[3] = Chore(3, deaths=2, log=tmp_path / "attempts")
    with Processes(2) as executor:
        done = list(run(square, chores, Chunked(executor, in_flight=4), in_order=True))
    assert [result.result[0] for result in done] == [0, 1, 4, 9, 16, 25]
    assert os.getpid() not in {result.result[1] for result in done}
    assert (tmp_path / "attempts").read_text(encoding="utf-8") == "xxx"


def test_a_chunk_that_always_kills_its_process_is_named(tmp_path: Path) -> None:
    deadly = Chore(1, deaths=99, log=tmp_path / "attempts")
    with Processes(1) as executor, pytest.raises(WorkFailed) as caught:
        list(run(square, [Chore(0), deadly, Chore(2)], Chunked(executor, in_flight=3)))
    assert caught.value.chunk == repr(deadly)
    assert len((tmp_path / "attempts").read_text(encoding="utf-8")) == ATTEMPTS


def test_a_pool_of_the_caller_that_breaks_is_told(tmp_path: Path) -> None:
    # The standard pool never recovers, and it is not ours to replace.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor, pytest.raises(WorkFailed):
        list(run(square, [Chore(1, deaths=1, log=tmp_path / "attempts")], Chunked(executor, in_flight=1)))


def test_jobs_are_checked() -> None:
    assert Processes().jobs == usable_cores() >= 1
    for wrong in (True, "2", 2.0):
        with pytest.raises(TypeError, match="jobs must be an int"):
            Processes(wrong)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="jobs is 0: choose 1 or more"):
        Processes(0)
    closed = Processes(1)
    closed.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        closed.submit(os.getpid)


def test_workers_ignore_ctrl_c_and_sigterm() -> None:
    """A batch system sends SIGTERM to all processes of a job: only the parent may react to it."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    try:
        _ignore_interrupts()
        assert [signal.getsignal(number) for number in numbers] == [signal.SIG_IGN] * 2
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    if hasattr(signal, "pthread_sigmask"):
        with Processes(1) as executor:
            assert executor.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result() == set(numbers)
            (worker,) = executor.workers
            worker.terminate()
            assert executor.submit(os.getpid).result() == worker.pid
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, []) & set(numbers)


PARENT = """
import os, time
from heartsrules.simulation.executors import Chunked, Processes
if __name__ == "__main__":
    print(Processes(1).submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert int(parent.stdout.readline())
        parent.kill()
        # The worker has this pipe too: it ends when both have.
        assert parent.stdout.read() == ""


def test_a_system_without_signal_masks_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert usable_cores() == (os.cpu_count() or 1)
    with Processes(1) as executor:
        assert executor.submit(pow, 3, 2).result() == 9


# Simulations


WHOLE = simulate(QUICK, 12, seed="whole", first_game=2)


def test_wrong_sizes_of_chunks_are_refused() -> None:
    with OneByOne(0) as executor:
        for name in ("chunk", "in_flight"):
            for wrong in (0, -1, -(10**5000)):
                with pytest.raises(ValueError, match=f"^{name} is .*: choose 1 or more"):
                    Chunked(executor, **dict[str, Any]({name: wrong}))
            with pytest.raises(TypeError, match=f"{name} must be an int"):
                Chunked(executor, **dict[str, Any]({name: True}))
    with pytest.raises(TypeError, match=r"executor must be a concurrent\.futures\.Executor"):
        Chunked(3)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


@given(
    seed=st.integers(0, 9), chunk=st.none() | st.integers(1, 13), in_flight=st.integers(1, 5), cut=st.integers(0, 12)
)
def test_a_simulation_does_not_depend_on_who_plays_it(seed: int, chunk: int | None, in_flight: int, cut: int) -> None:
    told: list[int] = []
    with OneByOne(seed) as executor:
        first = simulate(
            QUICK,
            cut,
            seed="whole",
            first_game=2,
            executor=Chunked(executor, chunk=chunk, in_flight=in_flight),
            progress=told.append,
        )
    with ThreadPoolExecutor(3) as threads:
        second = simulate(QUICK, 12 - cut, seed="whole", first_game=2 + cut, executor=Chunked(threads, chunk=chunk))
    assert first + second == WHOLE
    assert told == sorted(set(told))
    assert told[-1:] == ([cut] if cut else [])


def test_processes_play_the_same_games() -> None:
    with Processes(2) as executor:
        assert simulate(QUICK, 12, seed="whole", first_game=2, executor=executor) == WHOLE
        assert simulate(QUICK, 12, seed="whole", first_game=2, executor=Chunked(executor, chunk=5)) == WHOLE


def test_a_worker_that_dies_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(simulate_module, "_play", play_but_die_once)
    seed = str(tmp_path / "died")
    with Processes(2) as executor:
        got = simulate(QUICK, 12, seed=seed, executor=Chunked(executor, chunk=2))
    assert (tmp_path / "died").exists()
    assert got == simulate(QUICK, 12, seed=seed)


def test_a_failure_keeps_what_is_done() -> None:
    lost = {4, 9}

    def lose(_: int, args: tuple[object, ...]) -> str:
        (job,) = [argument for argument in args if isinstance(argument, simulate_module._Job)]
        return "lost" if lost & set(job.numbers) else "done"

    with Losing(lose) as executor, pytest.raises(SimulationFailed) as caught:
        simulate(QUICK, 12, seed="whole", first_game=2, executor=Chunked(executor, chunk=2, in_flight=1))
    error = caught.value
    assert (error.chunk, error.attempts, error.code) == ("the chunk of games 4 to 5", 3, "simulation-failed")
    assert error.missing == (range(4, 14),)
    assert error.partial == simulate(QUICK, 2, seed="whole", first_game=2)
    lost.clear()
    rest = [simulate(QUICK, len(games), seed="whole", first_game=games.start) for games in error.missing]
    assert sum(rest, error.partial) == WHOLE
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.partial, copy.missing, str(copy)) == (error.partial, error.missing, str(error))


@pytest.mark.parametrize("seed", range(4))
def test_an_interruption_keeps_what_is_done(seed: int) -> None:
    def interrupt(played: int) -> None:
        if played >= 6:
            raise KeyboardInterrupt

    with OneByOne(seed) as executor, pytest.raises(SimulationInterrupted) as caught:
        simulate(
            QUICK, 12, seed="whole", first_game=2, executor=Chunked(executor, chunk=1, in_flight=4), progress=interrupt
        )
    stop = caught.value
    assert stop.partial.games == 6
    assert sum(map(len, stop.missing)) == 6
    rest = [simulate(QUICK, len(games), seed="whole", first_game=games.start) for games in stop.missing]
    assert sum(rest, stop.partial) == WHOLE
    copy = pickle.loads(pickle.dumps(stop))
    assert (copy.partial, copy.missing) == (stop.partial, stop.missing)


def test_an_interruption_in_this_process_keeps_what_was_played() -> None:
    def interrupt(played: int) -> None:
        if played == 6:
            raise KeyboardInterrupt

    with pytest.raises(SimulationInterrupted) as caught:
        simulate(QUICK, 12, seed="whole", first_game=2, progress=interrupt)
    stop = caught.value
    assert stop.partial == simulate(QUICK, 6, seed="whole", first_game=2)
    assert stop.missing == (range(8, 14),)
    assert stop.partial + simulate(QUICK, 6, seed="whole", first_game=8) == WHOLE


def test_nothing_to_play_needs_no_worker() -> None:
    with Losing(lambda *_: "refused") as executor:
        assert simulate(QUICK, 0, seed=1, executor=executor) == simulate(QUICK, 0, seed=1)


@pytest.mark.parametrize("given", [None, 9])
def test_a_long_run_is_never_out_all_at_once(given: int | None) -> None:
    """Before the first chunk is back, four are out, or as many as were asked for."""
    most = given or 4
    seen: Counter[str] = Counter()

    def never(call: int, _: tuple[object, ...]) -> str:
        seen["calls"] = call
        return "never" if call < most else "refused"

    class Stop(Exception):
        pass

    with pytest.raises(SimulationFailed), Losing(never) as executor:
        simulate(QUICK, 10**6, seed=1, executor=Chunked(executor, in_flight=given))
    assert seen["calls"] == most - 1 + ATTEMPTS


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [({"executor": 2}, TypeError, "executor must be a concurrent.futures.Executor, not an int")],
)
def test_wrong_arguments_are_refused(wrong: dict[str, object], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        simulate(QUICK, 1, seed=1, **wrong)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_statistics_travel_small() -> None:
    assert len(pickle.dumps(simulate(Rules(), 50, seed=1))) < 12_000
    assert isinstance(WHOLE, Statistics)
