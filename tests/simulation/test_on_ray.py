"""Ray's tasks as an executor: the same games on local workers, one of which dies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from heartsrules.simulation import on_ray

ALONE = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",
    "RAY_raylet_start_wait_time_s": "300",
    "RAY_agent_register_timeout_ms": "300000",
}
"""Ray reports no usage, keeps no token for a cluster of this machine alone, and waits for a busy machine."""


@pytest.mark.long
def test_ray_plays_the_same_games(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    tests = str(Path(__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "-c", "from support.ray_games import main; main()", str(tmp_path)],
        env={**os.environ, **ALONE, "PYTHONPATH": tests},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr


def test_the_adapter_is_short() -> None:
    assert len(Path(on_ray.__file__).read_text(encoding="utf-8").splitlines()) <= 60
