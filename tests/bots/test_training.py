"""The training of the learned player runs, goes on, and writes weights."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from heartsrules.bots._network import Network
from support.benches import BENCH


def test_a_network_is_trained_in_two_runs_and_written(tmp_path: Path) -> None:
    folder, weights = tmp_path / "learning", tmp_path / "weights.npz"
    asked = ["--hours", "0.0001", "--taught", "0", "--tables", "16", "--folder", str(folder), "--write", str(weights)]
    rounds = [0]
    for _ in range(2):
        subprocess.run([sys.executable, str(BENCH / "learn.py"), *asked], check=True, capture_output=True, text=True)
        rounds.append(json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))["rounds"])
    assert rounds[0] < rounds[1] < rounds[2]
    with np.load(weights) as arrays:
        network = Network(arrays)
    assert {each.dtype for each in network.arrays.values()} == {np.dtype(np.float32)}
    assert weights.stat().st_size < 2_000_000
