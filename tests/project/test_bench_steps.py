"""The benchmark of a play in two wheels: it loads both, plays the same games, and reports when it cannot."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import heartsrules
from heartsrules import COMPILED
from support.benches import BENCH, bench

SCRIPT = BENCH / "steps.py"
PACKAGE = Path(heartsrules.__file__).parent
EXTENSIONS = (".so", ".pyd")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return bench("steps")


def wheel(path: Path, *, compiled: bool = False, change: Callable[[str, bytes], bytes] | None = None) -> Path:
    """What is installed here as a wheel, with or without what was compiled of it."""
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(PACKAGE.rglob("*")):
            name = file.relative_to(PACKAGE.parent).as_posix()
            if file.suffix == ".py" or (compiled and file.suffix in EXTENSIONS):
                data = file.read_bytes()
                archive.writestr(name, change(name, data) if change else data)
        if compiled:
            together = Path(str(sys.modules["heartsrules__mypyc"].__file__))
            archive.write(together, together.name)
    return path


def run(*arguments: object) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
@pytest.mark.parametrize("compiled", [False, True])
def test_two_wheels_in_one_process(tmp_path: Path, script: ModuleType, compiled: bool) -> None:
    if compiled and not COMPILED:
        pytest.skip("what is installed here is not compiled")
    wheels = [wheel(tmp_path / f"{name}.whl", compiled=compiled) for name in ("old", "new")]
    before = {name: module for name, module in sys.modules.items() if name.startswith("heartsrules")}
    apis = [script.load(path, tmp_path / path.stem) for path in wheels]
    assert {name: module for name, module in sys.modules.items() if name.startswith("heartsrules")} == before
    assert [api.COMPILED for api in apis] == [compiled] * 2
    files = [Path(api.play.engine.__file__) for api in apis]
    assert [file.relative_to(tmp_path).parts[0] for file in files] == ["old", "new"]
    assert all((file.suffix in EXTENSIONS) == compiled for file in files)
    assert len({heartsrules.Cards, *[api.Cards for api in apis]}) == 3
    # Neither knows the states of the other: they share no compiled code.
    state = apis[0].new_game(apis[0].Rules())
    with pytest.raises(TypeError):
        apis[1].legal_moves(state)
    with pytest.raises(TypeError):
        apis[1].apply(state, apis[0].deal(state))

    code, out, err = run(*wheels, "--rounds", 2, "--games", 2)
    assert (code, err) == (0, "")
    build = "compiled" if compiled else "interpreted"
    assert f"old: old.whl, {build}\nnew: new.whl, {build}\n" in out
    assert re.search(r"^2 games of the default rules, \d+ deals, \d+ moves; 2 rounds, seed 1$", out, re.MULTILINE)
    number = r"\d+\.\d{4}"
    spread = rf"{number}   \(10th to 90th percentile {number} to {number}, all {number} to {number}\)"
    assert re.search(rf"^new / old: {spread}$", out, re.MULTILINE)


def test_a_preset_and_a_count_of_players(script: ModuleType) -> None:
    rules_of = script.rules_of
    assert rules_of(heartsrules, None, None) == heartsrules.Rules()
    assert rules_of(heartsrules, None, 4) == heartsrules.Rules()
    assert rules_of(heartsrules, "cardstock", None) == heartsrules.presets.cardstock()
    assert rules_of(heartsrules, "cardstock", 3) == heartsrules.presets.cardstock(3)
    with pytest.raises(SystemExit, match="there is no preset 'nosuch': choose from "):
        rules_of(heartsrules, "nosuch", None)
    for preset, players in (("cardstock", 9), (None, 8)):
        with pytest.raises(SystemExit, match=f"--players {players}: "):
            rules_of(heartsrules, preset, players)


def other_game(name: str, data: bytes) -> bytes:
    """A match that ends at another total."""
    if name != "heartsrules/rules/_fields.py":
        return data
    target = b"target: int | None = attrs.field(\n        default=%d,"
    assert data.count(target % 100) == 1
    return data.replace(target % 100, target % 50)


@pytest.mark.long
def test_wheels_that_play_different_games_are_not_compared(tmp_path: Path) -> None:
    wheels = wheel(tmp_path / "good.whl"), wheel(tmp_path / "other.whl", change=other_game)
    code, out, err = run(*wheels, "--games", 1, "--preset", "cardstock", "--players", 3)
    assert (code, err) == (0, "")
    assert "1 games of cardstock, 1 deals, 51 moves; 40 rounds" in out
    code, _, err = run(*wheels, "--games", 1, "--rounds", 1, "--preset", "cardstock", "--players", 3, "--most", 0.01)
    assert (code, err) == (1, "slower than 0.01 times the old wheel: a move\n")
    code, _, err = run(*wheels, "--games", 1)
    assert code == 1
    assert "the wheels play different games" in err


def test_files_that_cannot_be_loaded_are_refused(tmp_path: Path, script: ModuleType) -> None:
    torn = tmp_path / "torn.whl"
    torn.write_bytes(wheel(tmp_path / "good.whl").read_bytes()[:100])
    empty = tmp_path / "empty.whl"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("other/__init__.py", "")
    foreign = wheel(tmp_path / "foreign.whl")
    with zipfile.ZipFile(foreign, "a") as archive:
        archive.writestr("heartsrules/engine.cpython-27-pdp11.so", b"")
    for bad, said in (
        (tmp_path / "missing.whl", "No such file"),
        (torn, "not a zip file"),
        (empty, "is not a wheel of heartsrules"),
        (foreign, "is compiled for another Python"),
    ):
        with pytest.raises(SystemExit, match=f"{bad.name}.*{said}"):
            script.load(bad, tmp_path / bad.stem)
    assert sys.modules["heartsrules"] is heartsrules


def test_the_ratio_is_that_of_the_time_that_each_takes(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that only moves when a function is called."""
    now = 0.0
    calls: list[str] = []

    def side(name: str, seconds: float) -> Any:
        def legal_moves(state: int) -> list[int]:
            nonlocal now
            now += seconds
            calls.append(name)
            return [state, state + 1]

        def apply(state: int, move: int) -> int:
            nonlocal now
            now += 2 * seconds
            return state + move

        return SimpleNamespace(legal_moves=legal_moves, apply=apply)

    monkeypatch.setattr(script, "time", SimpleNamespace(process_time=lambda: now))
    monkeypatch.setattr(script, "gc", SimpleNamespace(collect=lambda: None))  # all of pytest would be looked through
    games = [[(0, 3), (5, 2)], [(1, 4)], [(2, 1)]]
    old, new = script.measure([(side("old", 1.0), games), (side("new", 3.0), games)], rounds=4, seed=1)
    assert (old, new) == ([30.0] * 4, [90.0] * 4)
    assert calls.count("old") == calls.count("new") == 5 * 10
    # Each is first as often as the other, or once more.
    first = ["".join(calls[at : at + 20])[:3] for at in range(0, len(calls), 20)]
    assert sorted(first) in (["new", "new", "old", "old", "old"], ["new", "new", "new", "old", "old"])


def test_both_sides_draw_the_same_numbers(script: ModuleType) -> None:
    """The timed games are those that were played before, to the last move."""
    games, totals = script.games_of(heartsrules, heartsrules.Rules(target=30), 3, 7)
    rnd = Random(7)
    ends = []

    def apply(state: Any, move: Any) -> Any:
        after = heartsrules.apply(state, move)
        if isinstance(after, heartsrules.AwaitingDeal | heartsrules.GameOver):
            ends.append(after.scores)
        return after

    api = SimpleNamespace(legal_moves=heartsrules.legal_moves, apply=apply)
    for game in games:
        script.walk(api, game, rnd)
    assert ends == totals
    assert len(games) == 3


def test_the_spread(script: ModuleType) -> None:
    assert script.spread([float(n) for n in range(101)], 1) == (
        "50.0   (10th to 90th percentile 10.0 to 90.0, all 0.0 to 100.0)"
    )
    assert script.spread([2.0], 1) == "2.0   (10th to 90th percentile 2.0 to 2.0, all 2.0 to 2.0)"
