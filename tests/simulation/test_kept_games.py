"""Files of the games that are played: every game once, in order, valid, in constant memory, and after a stop too."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest

from heartsrules import Rules, presets
from heartsrules.bots import heuristic, uniform
from heartsrules.formats.notation import parse_records
from heartsrules.play.game import Record, verify
from heartsrules.rules import Tie
from heartsrules.simulation import tournament
from heartsrules.simulation.executors import Chunked, Processes
from heartsrules.simulation.kept_games import KeptGames, parquet_records
from heartsrules.simulation.many_games import SimulationInterrupted, simulate
from heartsrules.simulation.parts import Resumable

QUICK = Rules(target=20)


def records(path: Path) -> list[Record]:
    """The records of a file."""
    if path.suffix == ".gz":
        return list(parse_records(gzip.decompress(path.read_bytes()).decode()))
    with path.open("rb") as file:
        return [record for text in parquet_records(file) for record in parse_records(text)]


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
    with kept.open("ab") as file:
        file.write(b"what a killed process had written since the document")
    simulate(QUICK, 9, seed=1, executor=files)
    assert_valid(records(kept), 9)


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
        file = KeptGames(tmp_path / name, 0)
        file.write([(0, text)] * 600)
        tracemalloc.start()
        file.write((number, text) for number in range(games))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        file.close()
        return peak

    assert most(12_000) < 1.5 * most(1_500) + 2**20
