"""The benchmarks against other libraries run, and the one that keeps its ratios reports what has become slower."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import heartsrules
from support.benches import BENCH, bench

pytestmark = pytest.mark.once_compiled


@pytest.fixture(scope="module")
def history() -> ModuleType:
    return bench("history")


@pytest.mark.long
def test_it_runs_keeps_its_ratios_and_compares_them(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    known = "interpreted: stepping / OpenSpiel child"
    old = {"date": "2000-01-01", "commit": "abc", "versions": {"heartsrules": "0"}, "ratios": {known: [1e-3] * 3}}
    file.write_text(json.dumps(old) + "\n", encoding="utf-8")
    asked = ["--deals", "1", "--rounds", "1", "--history", str(file), "--keep", "--compare", "2000"]
    # In a process of its own: it looks through all memory before each measurement.
    done = subprocess.run(
        [sys.executable, str(BENCH / "bench.py"), *asked], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (1, f"more than 1.05 times as slow as in the run of 2000-01-01: {known}\n")
    builds = ["compiled", "interpreted"] if heartsrules.COMPILED else ["interpreted"]
    assert f"builds of heartsrules: {' and '.join(builds)}\n" in done.stdout
    for preset in heartsrules.presets.ALL:
        assert f"\n  {preset} " in done.stdout
    compared = done.stdout.partition("ratios of this run beside those of an earlier one")[2].splitlines()
    assert [line.split()[-1] for line in compared if known in line] == ["slower"]
    before, run = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert before == old
    assert run["versions"]["heartsrules"] == heartsrules.__version__
    for build in builds:
        for driver in ("", ", loop"):
            for peer in ("in place", "child"):
                middle, low, high = run["ratios"][f"{build}: stepping{driver} / OpenSpiel {peer}{driver}"]
                assert 0 < low <= middle <= high
        assert f"{build}: import / attrs" in run["ratios"]
    assert (
        0 < run["ratios"]["next world / OpenSpiel resample"][0] < run["ratios"]["first world / OpenSpiel resample"][0]
    )


def test_the_environments_for_learners_run_beside_openspiels() -> None:
    asked = ["--rounds", "1", "--tables", "4", "--steps", "2"]
    command = [sys.executable, str(BENCH / "learning.py"), *asked]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    head, _, *rows = done.stdout.splitlines()
    assert head.startswith(f"heartsrules {heartsrules.__version__} (")
    names = {row[:33].strip(): float(row[33:46].replace(",", "")) for row in rows}
    assert {"vector, words", "vector, unpacked", "PettingZoo, raw", "OpenSpiel, states and observer"} < {*names}
    assert min(names.values()) > 0


@pytest.mark.long
def test_other_libraries_are_measured_where_they_are_installed() -> None:
    script, asked = str(BENCH / "peers.py"), ["--games", "1", "--rounds", "1", "--kept", "1"]
    starter = (
        f"import runpy, sys; sys.modules['pokerkit'] = None; sys.path.insert(0, {str(BENCH)!r}); "
        f"sys.argv = {[script, *asked]}; runpy.run_path({script!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", starter], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    peers = bench("peers")
    rows = [line[2:28].strip() for line in done.stdout.splitlines() if line.startswith("  ")]
    # A new state, a move that is told, and how many moves there are; in place too; the import; and the size.
    weighed = sys.platform == "linux"
    assert rows.count("heartsrules") == 4 + weighed
    assert rows.count("heartsrules, interpreted") == (3 if heartsrules.COMPILED else 0)
    for name, module in peers.MODULES.items():
        missing = module == "pokerkit" or importlib.util.find_spec(module) is None
        assert rows.count(name) == (0 if missing else 5 + weighed)
        assert (f"{name} is not installed and left out: pip install {peers.PACKAGES[name]}\n" in done.stdout) is missing


def test_what_does_not_overlap_is_slower_or_faster(history: ModuleType) -> None:
    usual = [1, 0.9, 1.1]
    old = {"date": "2026-11-22", "commit": "abc", "ratios": {"a": usual, "b": usual, "c": usual, "gone": usual}}
    new = {"ratios": {"a": [1.3, 1.2, 1.4], "b": [1.1, 1.0, 1.2], "c": [0.8, 0.7, 0.85], "new": [1, 1, 1]}}
    head, *lines = history.compare(old, new)
    assert head.endswith("(old: 2026-11-22 abc)")
    assert [line.split() for line in lines] == [
        ["a", "1.000", "1.300", "1.300", "slower"],
        ["b", "1.000", "1.100", "1.100"],
        ["c", "1.000", "0.800", "0.800", "faster"],
    ]
    assert [history.slower(old, new, most) for most in (1.05, 1.15, 1.4)] == [["a", "b"], ["a"], []]


def test_the_table_of_estimates_is_fitted_to_what_came(tmp_path: Path) -> None:
    """Worlds told of 4 % moons and 6 points, without a moon; 8 % and 8 points came."""
    calibration = bench("calibration")
    file = tmp_path / "deals.jsonl"
    for deal in range(100):
        shooter = 1 if deal % 50 < 4 else None
        sums = [[96, 576, 4800], [0, 0, 0], [4, 104, 2704]]
        points = [26 if shooter is not None else 6.4, 0, 0, 0]
        line = {"points": points, "shooter": shooter, "looked": [[0, ["early", "several"], sums]]}
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
    decisions = list(calibration.read(file))
    table = calibration.fit(decisions)
    assert set(table) == {("early", "several")}
    correction = table["early", "several"]
    points, spread, moon, against = decisions[0].told(correction)
    assert moon == 0
    # Drawn a little towards what was told.
    assert 0.07 < against < 0.08
    came = sum(each.came for each in decisions) / len(decisions)
    assert points == pytest.approx(came, abs=0.01)
    assert correction.points * spread > 0


def test_decisions_of_played_deals_are_looked_at(tmp_path: Path) -> None:
    calibration = bench("calibration")
    calibration.main(["play", "1", str(tmp_path / "deals.jsonl"), "smoke"])
    decisions = list(calibration.read(tmp_path / "deals.jsonl"))
    assert len({each.situation[0] for each in decisions}) > 1
    assert {sum(each.worlds) for each in decisions} == {calibration.WORLDS}
    assert {each.situation for each in decisions} <= set(calibration.calibration.TABLE)


def test_hinted_passes_are_compared_with_the_best_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    bench("passes").main(["--deals", "2", "--chosen", "16", "--valued", "4", "--hint", "2"])
    *deals, mean, _ = capsys.readouterr().out.splitlines()
    assert len(deals) == 2
    assert re.match(r"2 deals: [+-]\d\.\d+ ± \d+\.\d+ points behind, [0-2] by more than 0\.5;", mean)


def test_moons_are_counted_by_what_was_told_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In 60 of 100 worlds; half of the moons came."""
    file = tmp_path / "deals.jsonl"
    lines = [
        {
            "points": [0, 0, 0, 0],
            "shooter": number % 2,
            "looked": [[0, ["late", "own"], [[40, 0, 0], [60, 0, 0], [0, 0, 0]]]],
        }
        for number in range(10)
    ]
    file.write_text("".join([json.dumps(line) + "\n" for line in lines]), encoding="utf-8")
    bench("calibration").main(["moons", str(file)])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "as the playouts tell"
    assert told[2].split() == ["60", "to", "80", "10", "60.0", "50.0"]
    assert told[3] == "by the table"
    decisions = list(bench("calibration").read(file))
    correction = bench("calibration").fit(decisions * 2)["late", "own"]
    assert decisions[0].told(correction)[2] == pytest.approx(0.5, abs=0.01)
