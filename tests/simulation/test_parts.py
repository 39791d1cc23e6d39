"""Parts of runs: they add up to the whole, go on where they were stopped, and are refused where they do not belong."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import attrs
import pytest
from jsonschema import Draft202012Validator

from heartsrules import InvalidWire, Rules
from heartsrules.bots import heuristic, uniform
from heartsrules.formats.files import FileInUse
from heartsrules.formats.notation import parse_records
from heartsrules.simulation import parts, tournament
from heartsrules.simulation.executors import Chunked, ThisProcess
from heartsrules.simulation.kept_games import KeptGames
from heartsrules.simulation.many_games import SimulationInterrupted, simulate
from heartsrules.simulation.parts import Checkpoint, Resumable, RunPart, Tables, Verdicts, save_part, share_of
from heartsrules.simulation.statistics import SUMMED, Moments, Statistics
from heartsrules.simulation.tournaments import comparison_of
from support.run_parts import BUILD, GAMES, GOLDEN, REFUSED, golden_files, part, samples, slow_games

QUICK = Rules(target=20)


def read(path: Path) -> RunPart[Any]:
    return RunPart.from_json(path.read_bytes())


# Documents


def test_golden_files_are_written_byte_for_byte_and_stay_readable() -> None:
    assert {path: path.read_bytes() for path in GOLDEN.glob("*.json")} == golden_files()
    for name, sample in samples().items():
        again = read(GOLDEN / f"{name}.json")
        assert (again, again.shards) == (sample, sample.shards)


def test_golden_files_fit_their_schema_which_names_every_counter() -> None:
    schema = json.loads(
        resources.files("heartsrules.formats.wire").joinpath("schema", "run-part.json").read_text(encoding="utf-8")
    )
    for path in GOLDEN.glob("*.json"):
        Draft202012Validator(schema).validate(json.loads(path.read_bytes()))
    assert list(schema["$defs"]["StatisticsWire"]["properties"]) == list(SUMMED)


@pytest.mark.parametrize(("problem", "call"), REFUSED, ids=[f"{n} {name}" for n, (name, _) in enumerate(REFUSED)])
def test_what_does_not_belong_to_a_run_is_refused(problem: str, call: Callable[[], object]) -> None:
    with pytest.raises(InvalidWire) as caught:
        call()
    assert [f"{each.fields[0]} {each.code}" for each in caught.value.problems] == [problem]


def test_sums_beyond_what_json_can_hold_are_digits_or_refused() -> None:
    sample = samples()["simulate"]
    huge = attrs.evolve(sample.tally, passes=Moments(2**53 - 1, 2**53 - 1, 10**60, 1, 10**30))
    with pytest.raises(InvalidWire, match="a number is too large"):
        attrs.evolve(sample, tally=huge).to_json()
    fits = attrs.evolve(sample.tally, passes=Moments(2**53 - 1, 2**53 - 1, 10**60, 1, 286))
    again = RunPart.from_json(attrs.evolve(sample, tally=fits).to_json())
    assert again.tally.passes.squares == 10**60


# Sums


def test_parts_add_up_in_any_order_and_name_what_is_missing() -> None:
    parts = [part(range(number, number + 1)) for number in range(9)]
    random.Random(1).shuffle(parts)
    whole = parts[0]
    for each in parts[1:-1]:
        whole = whole + each
    assert whole.missing == parts[-1].done
    assert whole + parts[-1] == part(range(9))
    assert part().missing == (range(9),)
    with pytest.raises(TypeError):
        _ = whole + 1  # type: ignore[operator]


def test_shares_are_the_whole_run() -> None:
    for count, many in ((10, 3), (2, 5), (1000, 7), (0, 2)):
        shares = [share_of(range(4, 4 + count), number, many) for number in range(1, many + 1)]
        assert [number for share in shares for number in share] == list(range(4, 4 + count))


def test_verdicts_keep_the_first_hundred_failures() -> None:
    lines = [Verdicts(invalid=1, failures=((number, "wrong"),)) for number in range(150)]
    random.Random(2).shuffle(lines)
    total = Verdicts()
    for line in lines:
        total = total + line
    assert (total.invalid, [number for number, _ in total.failures]) == (150, list(range(100)))


# Files


@pytest.mark.parametrize("workers", [False, True])
def test_parts_of_a_simulation_add_up_to_the_whole(tmp_path: Path, workers: bool) -> None:
    whole = simulate(QUICK, 11, seed=1)
    paths = [tmp_path / f"{number}.json" for number in (1, 2, 3)]
    with ThreadPoolExecutor(2) as threads:
        for number, path in enumerate(paths, 1):
            executor = Chunked(threads, chunk=2) if workers else None
            files = Resumable(path, part=(number, 3), executor=executor)
            assert simulate(QUICK, 11, seed=1, executor=files) == read(path).tally
    one, two, three = map(read, paths)
    assert (three + one).missing == two.done
    assert ((one + two) + three).tally == whole


def test_parts_of_a_tournament_add_up_to_the_whole(tmp_path: Path) -> None:
    def play(files: Resumable | None) -> Any:
        return tournament(QUICK, heuristic, uniform, tables=5, seed=1, deals=1, executor=files)

    paths = [tmp_path / f"{number}.json" for number in (1, 2)]
    for number, path in enumerate(paths, 1):
        play(Resumable(path, part=(number, 2)))
    one, two = map(read, paths)
    assert comparison_of(QUICK, (two + one).tally) == play(None)


@pytest.mark.parametrize("workers", [False, True])
def test_a_stopped_run_goes_on_and_plays_no_game_again(tmp_path: Path, workers: bool) -> None:
    path = tmp_path / "part.json"
    played = 0

    def stop(done: int) -> None:
        nonlocal played
        played = done
        if done >= 6:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as threads:
        executor = Chunked(threads, chunk=2, in_flight=1) if workers else None
        files = Resumable(path, executor=executor)
        with pytest.raises(SimulationInterrupted) as caught:
            simulate(QUICK, 20, seed=1, executor=files, progress=stop)
        kept = read(path)
        assert (kept.tally, kept.missing) == (caught.value.partial, caught.value.missing)
        told: list[int] = []
        assert simulate(QUICK, 20, seed=1, executor=files, progress=told.append) == simulate(QUICK, 20, seed=1)
        assert max(told) == sum(map(len, caught.value.missing))
        again: list[int] = []
        assert simulate(QUICK, 20, seed=1, executor=files, progress=again.append).games == 20
        assert again == []


def test_another_build_continues_a_part_only_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "part.json"
    files = Resumable(path, executor=Chunked(ThisProcess(), chunk=1))
    monkeypatch.setattr(parts, "build_name", lambda: "b compiled")
    with pytest.raises(SimulationInterrupted):
        simulate(QUICK, 3, seed=1, executor=files, progress=stop)
    assert read(path).builds == ("b compiled",)
    for name in ("c compiled", "b interpreted"):
        monkeypatch.setattr(parts, "build_name", lambda name=name: name)
        before = path.read_bytes()
        with pytest.raises(InvalidWire, match=f"with build b compiled, not with {name}: .* --mixed-builds"):
            simulate(QUICK, 3, seed=1, executor=files)
        assert path.read_bytes() == before
    mixed = attrs.evolve(files, mixed_builds=True)
    assert simulate(QUICK, 3, seed=1, executor=mixed) == simulate(QUICK, 3, seed=1)
    assert read(path).builds == ("b compiled", "b interpreted")
    monkeypatch.setattr(parts, "build_name", lambda: "d compiled")
    simulate(QUICK, 3, seed=1, executor=mixed)
    assert read(path).builds == ("b compiled", "b interpreted"), "nothing was left to play"


def test_parts_of_different_builds_add_up_only_when_asked() -> None:
    one, two = part(range(2)), part(range(2, 9), builds=("9c0d1e7b3f2a compiled",))
    with pytest.raises(InvalidWire, match=f"with build 9c0d1e7b3f2a compiled, not with {BUILD}"):
        one + two
    both = one.add(two, mixed_builds=True)
    assert both == two.add(one, mixed_builds=True)
    assert both.builds == (BUILD, "9c0d1e7b3f2a compiled")
    with pytest.raises(InvalidWire, match=f"not with {BUILD} \\+ 9c0d1e7b3f2a compiled"):
        both + part()
    with pytest.raises(InvalidWire, match="/version"):
        one.add(part(range(2, 4), version="0.2.0"), mixed_builds=True)


def test_names_of_players_are_those_of_all_attempts(tmp_path: Path) -> None:
    files = Resumable(tmp_path / "part.json", names=("me",))
    simulate(QUICK, 1, seed=1, executor=files)
    with pytest.raises(InvalidWire, match="/settings/names"):
        simulate(QUICK, 1, seed=1, executor=attrs.evolve(files, names=("you",)))


def test_a_file_is_written_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "part.json"
    identity = part().run
    with Checkpoint(Resumable(path), identity, Tables()) as checkpoint:
        checkpoint.add(range(1), Tables({0: ((0, 0, 26, 0),)}))
    before = path.read_bytes()
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("no space left")))
    with pytest.raises(OSError, match="no space left"):
        Checkpoint(Resumable(path), identity, Tables())
    assert path.read_bytes() == before


def test_a_run_shares_its_files_with_no_other(tmp_path: Path) -> None:
    path, keep = tmp_path / "part.json", tmp_path / "games.gz"

    def again(_: int) -> None:
        before = path.read_bytes()
        for files in (
            Resumable(path),
            Resumable(keep=keep),
            Resumable(tmp_path / "other.json", keep=tmp_path / "." / "games.gz"),
        ):
            with pytest.raises(FileInUse):
                simulate(QUICK, 3, seed=1, executor=files)
        with pytest.raises(FileInUse):
            save_part(path, part())
        assert path.read_bytes() == before

    simulate(QUICK, 3, seed=1, executor=Resumable(path, keep=keep), progress=again)
    assert sorted([each.name for each in tmp_path.iterdir()]) == ["games-00000.gz", "part.json"]
    assert read(path).tally.games == 3


def test_games_that_a_refused_run_would_keep_elsewhere_stay(tmp_path: Path) -> None:
    path, keep = tmp_path / "part.json", tmp_path / "games.gz"

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(SimulationInterrupted):
        simulate(QUICK, 4, seed=1, executor=Resumable(path), progress=stop)
    keep.write_bytes(b"games of another run")
    before = path.read_bytes()
    with pytest.raises(InvalidWire, match="/shards"):
        simulate(QUICK, 4, seed=1, executor=Resumable(path, keep=keep))
    assert (path.read_bytes(), keep.read_bytes()) == (before, b"games of another run")


@pytest.mark.skipif(os.name != "posix", reason="limits as POSIX has them")
def test_after_a_failure_to_write_nothing_more_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second try could succeed, behind a part of what the first one has written."""
    path, keep = tmp_path / "part.json", tmp_path / "games.gz"
    failing = False

    def written(self: KeptGames) -> Any:
        nonlocal failing
        if failing:
            failing = False
            (tmp_path / ".games-00001.gz.new").write_bytes(b"half a shard")
            raise OSError(28, "No space left on device")
        return finish(self)

    def fail(played: int) -> None:
        nonlocal failing
        failing = played >= 2

    finish = KeptGames.finish
    monkeypatch.setattr(KeptGames, "finish", written)
    monkeypatch.setattr("heartsrules.simulation.kept_games.SECONDS", 0.0)
    with ThreadPoolExecutor(1) as threads:
        files = Resumable(path, executor=Chunked(threads, chunk=2, in_flight=1), keep=keep)
        with pytest.raises(OSError, match="No space left"):
            simulate(QUICK, 6, seed=1, executor=files, progress=fail)
        assert read(path).tally.games == 2
        assert simulate(QUICK, 6, seed=1, executor=files) == simulate(QUICK, 6, seed=1)
    text = "".join([gzip.decompress(each.read_bytes()).decode() for each in sorted(tmp_path.glob("games-*.gz"))])
    assert [record.tags for record in parse_records(text)] == [(("Round", str(number)),) for number in range(6)]


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"path": Path("games.gz"), "keep": Path(".", "GAMES.gz")}, ValueError, "path and keep are one file"),
        ({"part": (3, 2)}, ValueError, "there is no part 3 of 2: choose 1 to 2"),
        ({"part": (0, 2)}, ValueError, "the number of a part is 0: choose 1 or more"),
        ({"keep": Path("games.txt")}, ValueError, "'games.txt': choose a name that ends in .gz or .parquet"),
        (
            {"path": Path("games-00000.gz"), "keep": Path("games.gz")},
            ValueError,
            "path is 'games-00000.gz', a name of a shard of keep: choose another",
        ),
        (
            {"keep": Path("s3://bucket/x.parquet")},
            ValueError,
            "keep is the address 's3://bucket/x.parquet': choose a path",
        ),
        ({"path": Path("gs://bucket/x.json")}, ValueError, "path is the address 'gs://bucket/x.json': choose a path"),
        ({"executor": 3}, TypeError, "executor must be a concurrent.futures.Executor"),
    ],
)
def test_wrong_files_are_refused(given: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        Resumable(**given)


# Runs that are killed


@cache
def undisturbed() -> Statistics:
    return slow_games()


def started(path: Path, where: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", "from support.run_parts import main; main()", str(path), where],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def done_in(path: Path) -> int:
    return sum(map(len, read(path).done)) if path.exists() else 0


def wait_until(path: Path, games: int, asking: subprocess.Popen[bytes]) -> None:
    """Wait until a file has so many games, or the process that writes it has ended."""
    while done_in(path) < games and asking.poll() is None:
        time.sleep(0.05)


def killed(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.mark.long
@pytest.mark.parametrize("where", ["alone", "processes"])
def test_a_killed_run_goes_on(tmp_path: Path, where: str) -> None:
    path = tmp_path / "part.json"
    for games in (20, 60):
        asking = started(path, where)
        wait_until(path, games, asking)
        killed(asking)
        assert games <= done_in(path) < GAMES
    assert started(path, where).wait() == 0
    assert read(path).tally == undisturbed()


@pytest.mark.long
def test_a_run_on_dask_survives_the_death_of_every_process(tmp_path: Path) -> None:
    """Kill a worker, the scheduler, and the process that asked, in turn: nothing is lost, nothing is counted twice."""
    pytest.importorskip("distributed")
    path, address_file = tmp_path / "part.json", tmp_path / "scheduler.json"
    processes: list[subprocess.Popen[bytes]] = []
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}

    def dask(command: str, *options: str) -> subprocess.Popen[bytes]:
        given = [sys.executable, "-m", "dask", command, *options, "--scheduler-file", str(address_file)]
        process = subprocess.Popen(given, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
        processes.append(process)
        return process

    def scheduler() -> tuple[subprocess.Popen[bytes], str]:
        address_file.unlink(missing_ok=True)
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        process = dask("scheduler", *options)
        while not address_file.exists() or not address_file.read_text(encoding="utf-8").strip():
            assert process.poll() is None
            time.sleep(0.05)
        return process, json.loads(address_file.read_text(encoding="utf-8"))["address"]

    def worker() -> subprocess.Popen[bytes]:
        return dask("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")

    def ask(address: str) -> subprocess.Popen[bytes]:
        processes.append(started(path, address))
        return processes[-1]

    try:
        head, address = scheduler()
        first, _ = worker(), worker()
        asking = ask(address)
        wait_until(path, 20, asking)
        killed(first)
        wait_until(path, 60, asking)
        assert asking.poll() is None, "the other worker plays on"
        killed(head)
        assert asking.wait() != 0
        after_scheduler = done_in(path)
        assert 60 <= after_scheduler < GAMES
        _, address = scheduler()
        worker()
        worker()
        asking = ask(address)
        wait_until(path, after_scheduler + 20, asking)
        killed(asking)
        assert after_scheduler + 20 <= done_in(path) < GAMES
        assert ask(address).wait() == 0
    finally:
        for process in processes:
            if process.poll() is None:
                killed(process)
    assert read(path).tally == undisturbed()
