"""Shards of the games that are played: every game once, in order, valid, in bounded memory, and after any stop."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs
import pytest

from heartsrules import InvalidWire, Rules, presets
from heartsrules.bots import heuristic, uniform
from heartsrules.formats.notation import parse_records
from heartsrules.play.game import Record, verify
from heartsrules.rules import Tie
from heartsrules.simulation import kept_games, tournament
from heartsrules.simulation.columns import game_record
from heartsrules.simulation.executors import Chunked, Processes
from heartsrules.simulation.kept_games import KeptGame, KeptGames, parquet_games, writer_of
from heartsrules.simulation.many_games import SimulationInterrupted, simulate
from heartsrules.simulation.parts import Resumable, RunPart
from support.run_parts import KEPT_GAMES

QUICK = Rules(target=20)


def records(path: Path) -> list[Record]:
    """The records of all shards."""
    stem, dot, ending = path.name.partition(".")
    shards = sorted(path.parent.glob(f"{stem}-*{dot}{ending}"))
    return [record for shard in shards for record in records_of(shard)]


def records_of(path: Path) -> list[Record]:
    """The records of a file."""
    if path.suffix == ".gz":
        return list(parse_records(gzip.decompress(path.read_bytes()).decode()))
    with path.open("rb") as file:
        return [
            record
            for game in parquet_games(file)
            for record in (parse_records(game) if isinstance(game, str) else [game_record(game)])
        ]


def assert_valid(found: list[Record], count: int) -> None:
    assert [record.tags for record in found] == [(("Round", str(number)),) for number in range(count)]
    for record in found:
        verdict = verify(record)
        assert verdict.valid
        assert verdict.finished


@pytest.mark.parametrize("name", ["games.hearts.gz", "games.parquet"])
def test_the_games_are_those_that_are_counted(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / name
    whole = simulate(QUICK, 6, seed=1, executor=Resumable(keep=path))
    assert whole == simulate(QUICK, 6, seed=1)
    found = records(path)
    assert_valid(found, 6)
    totals = [verify(record).state.scores for record in found]
    assert [sum(column) for column in zip(*totals, strict=True)] == [moments.total for moments in whole.totals]


@pytest.mark.parametrize("preset", ["pagat", "charged_hearts", "gong_zhu"])
def test_games_of_bots_and_of_rare_phases_are_valid(tmp_path: Path, preset: str) -> None:
    path = tmp_path / "games.gz"
    rules = presets.ALL[preset]()
    simulate(rules, 1, seed=preset, executor=Resumable(keep=path))
    assert_valid(records(path), 1)
    one_deal = Rules(target=None, max_deals=1, tie=Tie.SHARED)
    path = tmp_path / "match.gz"
    tournament(one_deal, heuristic, uniform, tables=2, seed=1, executor=Resumable(keep=path))
    assert_valid(records(path), 8)


def test_a_stopped_run_keeps_every_game_once(tmp_path: Path) -> None:
    path, kept = tmp_path / "part.json", tmp_path / "games.gz"
    files = Resumable(path, keep=kept)

    def stop(played: int) -> None:
        if played == 4:
            raise KeyboardInterrupt

    with pytest.raises(SimulationInterrupted):
        simulate(QUICK, 9, seed=1, executor=files, progress=stop)
    assert [shard.name for shard in RunPart.from_json(path.read_bytes()).shards] == ["games-00000.gz"]
    (tmp_path / ".games-00001.gz.new").write_bytes(b"a shard that a killed process had not finished")
    simulate(QUICK, 9, seed=1, executor=files)
    assert_valid(records(kept), 9)
    assert sorted([each.name for each in tmp_path.iterdir()]) == ["games-00000.gz", "games-00001.gz", "part.json"]


@pytest.mark.long
def test_processes_keep_the_games_in_order(tmp_path: Path) -> None:
    path = tmp_path / "games.gz"
    with Processes(2) as executor:
        simulate(QUICK, 20, seed=1, executor=Resumable(executor=Chunked(executor, chunk=3), keep=path))
    assert_valid(records(path), 20)


@pytest.mark.parametrize("name", ["games.gz", "games.parquet"])
def test_memory_does_not_grow_with_the_games(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    text = "x" * 2000

    def most(games: int) -> int:
        folder = tmp_path / str(games)
        folder.mkdir()
        file = KeptGames(folder / name, "records", writer_of("records", folder / name, QUICK, {}, lambda _: ()))
        file.write([KeptGame(0, 1, text)] * 600)
        tracemalloc.start()
        file.write(KeptGame(number, 100, text) for number in range(games))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        file.close()
        return peak

    assert most(12_000) < 1.5 * most(1_500) + 2**20


# Shards


@pytest.mark.parametrize("name", ["games.hearts.gz", "games.parquet"])
@pytest.mark.parametrize("chunk", [1, 3, 40])
def test_a_shard_is_closed_before_it_has_too_many_deals(
    tmp_path: Path, name: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(kept_games, "MAX_DEALS", 12)
    path, keep = tmp_path / "part.json", tmp_path / name
    with ThreadPoolExecutor(1) as threads:
        files = Resumable(path, keep=keep, executor=Chunked(threads, chunk=chunk))
        whole = simulate(QUICK, 40, seed=1, executor=files)
    shards = RunPart.from_json(path.read_bytes()).shards
    assert max([shard.deals for shard in shards]) <= 12
    assert sum([shard.deals for shard in shards]) == whole.deals
    for shard in shards:
        assert (tmp_path / shard.name).stat().st_size == shard.bytes
        found = records_of(tmp_path / shard.name)
        assert sum([len(record.points) for record in found]) == shard.deals
    assert_valid(records(keep), 40)


def test_a_shard_is_closed_when_it_is_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_games, "SECONDS", 0.0)
    path = tmp_path / "part.json"
    with ThreadPoolExecutor(1) as threads:
        files = Resumable(path, keep=tmp_path / "games.gz", executor=Chunked(threads, chunk=2))
        simulate(QUICK, 6, seed=1, executor=files)
    assert len(RunPart.from_json(path.read_bytes()).shards) == 3


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    path, keep = tmp_path / "part.json", tmp_path / "games.gz"
    mine = tmp_path / "games-00007.gz"
    mine.write_bytes(b"games of another run")
    for files in (Resumable(keep=keep), Resumable(path, keep=keep)):
        with pytest.raises(FileExistsError, match=r"games-00007\.gz"):
            simulate(QUICK, 2, seed=1, executor=files)

    def appear(_: int) -> None:
        (tmp_path / "other-00000.gz").write_bytes(b"games of another run")

    with pytest.raises(FileExistsError, match=r"other-00000\.gz"):
        simulate(QUICK, 2, seed=1, executor=Resumable(tmp_path / "b.json", keep=tmp_path / "other.gz"), progress=appear)
    found = {each.name: each.read_bytes() for each in tmp_path.glob("*.gz")}
    assert set(found.values()) == {b"games of another run"}
    (tmp_path / "other-00000.gz").unlink()
    files = Resumable(tmp_path / "b.json", keep=tmp_path / "other.gz")
    assert simulate(QUICK, 2, seed=1, executor=files) == simulate(QUICK, 2, seed=1)


def test_a_missing_or_changed_shard_is_named(tmp_path: Path) -> None:
    path, keep = tmp_path / "part.json", tmp_path / "games.gz"
    files = Resumable(path, keep=keep)

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(SimulationInterrupted):
        simulate(QUICK, 4, seed=1, executor=files, progress=stop)
    shard = tmp_path / "games-00000.gz"
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-1])
    with pytest.raises(InvalidWire, match=r"games-00000\.gz"):
        simulate(QUICK, 4, seed=1, executor=files)
    shard.unlink()
    with pytest.raises(InvalidWire, match=r"games-00000\.gz"):
        simulate(QUICK, 4, seed=1, executor=files)
    shard.with_name(".games-00000.gz.new").write_bytes(whole)
    simulate(QUICK, 4, seed=1, executor=files)
    assert_valid(records(keep), 4)
    # Killed before the last shard got its name.
    last = tmp_path / "games-00001.gz"
    last.rename(tmp_path / ".games-00001.gz.new")
    simulate(QUICK, 4, seed=1, executor=files)
    assert_valid(records(keep), 4)
    with pytest.raises(InvalidWire, match=r"games-00000\.gz"):
        simulate(QUICK, 4, seed=1, executor=Resumable(path, keep=tmp_path / "other.gz"))


def test_games_are_kept_in_one_form(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    files = Resumable(tmp_path / "part.json", keep=tmp_path / "games.parquet", keep_as="records")
    simulate(QUICK, 2, seed=1, executor=files)
    before = (tmp_path / "part.json").read_bytes()
    for form in ("columns", None):
        with pytest.raises(InvalidWire, match="kept as records, not as columns"):
            simulate(QUICK, 2, seed=1, executor=attrs.evolve(files, keep_as=form))
    assert (tmp_path / "part.json").read_bytes() == before
    assert not (tmp_path / "README.md").exists()


# Runs that are killed


def started(path: Path, keep: Path, *more: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", "from support.run_parts import keep_games; keep_games()", str(path), str(keep), *more],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
        stderr=subprocess.DEVNULL,
    )


def assert_whole(path: Path, keep: Path) -> None:
    """Check that each game has been played and kept once."""
    part = RunPart.from_json(path.read_bytes())
    assert part.tally == simulate(QUICK, KEPT_GAMES, seed=1)
    found = records(keep)
    assert_valid(found, KEPT_GAMES)
    assert sum([len(record.points) for record in found]) == part.tally.deals
    names = (
        {shard.name for shard in part.shards} | {path.name} | ({"README.md"} if keep.suffix == ".parquet" else set())
    )
    assert {each.name for each in path.parent.iterdir() if not each.name.endswith(".lock")} == names


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("name", ["games.hearts.gz", "games.parquet"])
def test_a_run_that_is_killed_at_random_moments_keeps_each_game_once(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    path, keep = tmp_path / "part.json", tmp_path / name
    stream = random.Random(name)
    for _ in range(4):
        running = started(path, keep)
        while not path.exists() and running.poll() is None:
            time.sleep(0.01)
        time.sleep(stream.random() / 2)
        running.kill()
        running.wait()
    assert started(path, keep).wait() == 0
    assert_whole(path, keep)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("name", ["games.hearts.gz", "games.parquet"])
def test_a_run_that_is_killed_between_any_two_steps_keeps_each_game_once(tmp_path: Path, name: str) -> None:
    """A shard has few steps; each start is killed before another one of them."""
    pytest.importorskip("pyarrow")
    path, keep = tmp_path / "part.json", tmp_path / name
    ends = [started(path, keep, str(step)).wait() for step in range(1, 22)]
    assert ends[0] == -signal.SIGKILL
    assert started(path, keep).wait() == 0
    assert_whole(path, keep)


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("name", ["games.hearts.gz", "games.parquet"])
def test_sigterm_closes_the_open_shard(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    path, keep = tmp_path / "part.json", tmp_path / name
    command = ["simulate", "microsoft", "--games", "100000000", "--seed", "1", "--jobs", "1", "--out", str(path)]
    running = subprocess.Popen(
        [sys.executable, "-m", "heartsrules", *command, "--keep", str(keep)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    while not path.exists() and running.poll() is None:
        time.sleep(0.01)
    time.sleep(1)
    running.terminate()
    _, errors = running.communicate()
    assert running.returncode == 143
    assert errors.decode().startswith("Terminated after ")
    part = RunPart.from_json(path.read_bytes())
    form = "records" if name.endswith(".gz") else "columns"
    assert len(part.shards) <= 1
    assert_valid(records(keep), part.tally.games)
    assert json.loads(path.read_bytes())["shards"] == [
        {"name": each.name, "deals": part.tally.deals, "bytes": each.stat().st_size, "form": form}
        for each in tmp_path.glob("games-*")
    ]
