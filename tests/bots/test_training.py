"""The training of the learned player runs, goes on, and writes weights."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from heartsrules.bots._network import OTHER, Network
from support.benches import BENCH

pytestmark = pytest.mark.once_compiled


def train(folder: Path, weights: Path, *options: str) -> dict[str, int]:
    """Train for a moment, and return what the checkpoint says."""
    asked = ["--hours", "0.0001", "--taught", "0", "--tables", "16", "--folder", str(folder), "--write", str(weights)]
    command = [sys.executable, str(BENCH / "learn.py"), *asked, *options]
    subprocess.run(command, check=True, capture_output=True, text=True)
    document: dict[str, int] = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
    return document


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the checkpoint and the weights of a first run."""
    folder = tmp_path_factory.mktemp("begun")
    train(folder, folder / "weights.npz")
    return folder


def test_a_network_is_trained_in_two_runs_and_written(begun: Path, tmp_path: Path) -> None:
    folder, weights = Path(shutil.copytree(begun, tmp_path / "learning")), tmp_path / "weights.npz"
    first = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
    assert 0 < first["rounds"] < train(folder, weights)["rounds"]
    with np.load(weights) as arrays:
        network = Network(arrays)
    assert {each.dtype for each in network.arrays.values()} == {np.dtype(np.float32)}
    assert weights.stat().st_size < 2_000_000


def test_a_training_of_some_games_changes_only_their_player(begun: Path, tmp_path: Path) -> None:
    weights = tmp_path / "weights.npz"
    first = begun / "weights.npz"
    asked = ["--begin", str(first), "--games", "leekha", "partner_hearts", "--processes", "2", "--sharper", "3"]
    found = train(tmp_path / "two", weights, *asked)
    assert found["deals"] >= 2 * 16, "both processes have played"
    with np.load(first) as before, np.load(weights) as after:
        changed = {name for name in before.files if not (before[name] == after[name]).all()}
        assert OTHER + "out" in changed
        assert {name for name in changed if not name.startswith(OTHER)} == set()
        np.testing.assert_allclose(after[OTHER + "out"], 3 * before[OTHER + "out"], atol=0.01)
