"""The training scripts of the documentation: what is collected and judged, how a player is measured, and that they run.

Their networks need PyTorch, and one of them RLlib, which are too large for a test: where they are not installed, the
scripts are not run (they need PyTorch, and train). All else is NumPy.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from numpy.testing import assert_allclose

from heartsrules.bridges.vector import HeartsVectorEnv, unpack_masks, word_layout
from support.benches import program

SCRIPT: Final = Path(__file__).resolve().parents[2] / "docs" / "examples" / "train" / "ppo.py"


@pytest.fixture(scope="module")
def ppo() -> Any:
    """The script as a module."""
    return program(SCRIPT)


def low(words: Any) -> Any:
    """A player who passes the highest ranks and plays the lowest."""
    masks, ranks = unpack_masks(words[:, 0])[:, :52], np.arange(52) % 13
    passing = words[:, 1] & 2 != 0
    highest, lowest = np.where(masks, ranks, -1).argmax(axis=1), np.where(masks, ranks, 13).argmin(axis=1)
    nothing = np.zeros(len(words), np.float32)
    return np.where(passing, highest, lowest), nothing, nothing


def uniform(seed: int) -> Any:
    """A player who chooses uniformly, and expects half a point."""
    rng = np.random.default_rng(seed)

    def choose(words: Any) -> Any:
        masks = unpack_masks(words[:, 0])
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        return actions, -np.log(masks.sum(axis=1, dtype=np.float32)), np.full(len(words), 0.5, np.float32)

    return choose


@pytest.mark.parametrize(("name", "lines"), [("ppo", 200), ("cleanrl_ppo", 80), ("rllib_ppo", 80), ("trained", 80)])
def test_the_scripts_are_short(name: str, lines: int) -> None:
    assert len(SCRIPT.with_stem(name).read_text(encoding="utf-8").splitlines()) <= lines


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "needed", "options", "told"),
    [
        ("ppo", "torch", ("--minutes", "0.01", "--measure", "2"), " 0.00 minutes, "),
        ("cleanrl_ppo", "torch", ("--updates", "1", "--num-envs", "4", "--measure", "2"), "update 0: loss of values "),
        ("rllib_ppo", "ray.rllib", ("--iterations", "1", "--batch", "128", "--measure", "2"), "0: loss of values "),
    ],
)
def test_a_script_trains(tmp_path: Path, name: str, needed: str, options: tuple[str, ...], told: str) -> None:
    pytest.importorskip("torch")
    try:
        found = importlib.util.find_spec(needed)
    except ModuleNotFoundError:
        found = None
    if found is None:
        pytest.skip(f"{needed} is not installed")
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_raylet_start_wait_time_s": "300"}
    command = [sys.executable, str(SCRIPT.with_stem(name)), *options]
    run = partial(subprocess.run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    done = run(command)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(told)
    assert "points a deal against heuristic" in done.stdout
    if needed == "torch":
        bots = (f"{SCRIPT.with_stem('trained')}:trained", "uniform", "--deals", "1", "--tables", "2")
        played = run([sys.executable, "-m", "heartsrules", "match", *bots])
        assert played.returncode == 0, played.stderr


def test_a_deal_is_collected_at_every_table(ppo: Any) -> None:
    env = HeartsVectorEnv(12, ppo.RULES)
    env.reset(seed=3)
    deals = ppo.collect(env, uniform(3), decay=1.0)
    assert deals.words.shape == (ppo.STEPS, 12, word_layout(ppo.RULES)["totals"].stop)
    masks = unpack_masks(deals.words[..., 0].reshape(-1))
    assert masks[np.arange(len(masks)), deals.actions.reshape(-1)].all()
    assert_allclose(deals.logs.reshape(-1), -np.log(masks.sum(axis=1)), rtol=1e-6)
    # Nothing fades, so that what an action returns is what its seat gained: at a table that adds up to nothing.
    last = deals.returns[-4:]
    assert_allclose(last.sum(axis=0), 0, atol=1e-5)
    assert np.unique(deals.returns.round(4), axis=0).shape[0] > 1
    for table in range(12):
        assert {*deals.returns[:, table].round(4)} == {*last[:, table].round(4)}


def test_prospects_are_those_of_the_plain_formula(ppo: Any) -> None:
    rng = np.random.default_rng(1)
    steps, tables, decay = 20, 5, 0.9
    seats = rng.integers(0, 4, (steps, tables))
    values = rng.normal(size=(steps, tables)).astype(np.float32)
    gained = rng.normal(size=(tables, 4))
    found = ppo.prospects(seats, values, gained, decay)
    for table in range(tables):
        for seat in range(4):
            own = np.flatnonzero(seats[:, table] == seat)
            told = [*values[own, table], gained[table, seat]]
            surprises = np.diff(told)
            for place, step in enumerate(own):
                wanted = sum(decay**later * each for later, each in enumerate(surprises[place:]))
                assert found[step, table] == pytest.approx(wanted, abs=1e-5)


@pytest.mark.long
def test_players_are_measured_against_par(ppo: Any) -> None:
    mean, half = ppo.measure(uniform(1), 400, seed=5)
    assert abs(mean - ppo.PAR) < 2 * half < 2
    mean, half = ppo.measure(low, 400, seed=5)
    assert mean + half < ppo.PAR
