"""The OpenAPI description: linters find nothing in it, and a client that a generator makes of it plays a deal."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from heartsrules import apply, deal, legal_moves, new_game, presets
from heartsrules.apps.serve.openapi import description
from support.serving import running_http

CLIENT: Final = Path(__file__).resolve().parents[2] / "docs" / "examples" / "generated"
REDOCLY: Final = ("--package=@redocly/cli@2.77.0", "--", "redocly", "lint")
SPECTRAL: Final = ("--package=@stoplight/spectral-cli@6.16.3", "--", "spectral", "lint", "--fail-severity=hint")

pytestmark = pytest.mark.long


def npm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run npm in a folder; skip the test if there is none, or nothing can be installed."""
    program = shutil.which("npm")
    if program is None:
        pytest.skip("Node.js is not installed: npm is needed")
    done = subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if "npm error" in done.stderr and "network" in done.stderr:
        pytest.skip(f"npm cannot install packages: {done.stderr[-300:]}")
    return done


@pytest.mark.parametrize("linter", [REDOCLY, SPECTRAL], ids=["redocly", "spectral"])
def test_linters_find_nothing_by_their_recommended_rules(linter: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text(description(), encoding="utf-8")
    (tmp_path / ".spectral.yaml").write_text('extends: ["spectral:oas"]\n', encoding="utf-8")
    done = npm(tmp_path, "exec", "--yes", "--ignore-scripts", *linter, "openapi.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout.lower().replace("deprecation warning", "")


def test_a_generated_client_plays_a_deal(tmp_path: Path) -> None:
    shutil.copytree(CLIENT, tmp_path, dirs_exist_ok=True)
    (tmp_path / "openapi.json").write_text(description(), encoding="utf-8")
    for arguments in (("ci", "--ignore-scripts", "--no-audit", "--no-fund"), ("run", "generate"), ("run", "build")):
        done = npm(tmp_path, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
    with running_http() as (_, url):
        command = ["node", str(tmp_path / "built" / "play.js"), url]
        played = subprocess.run(command, capture_output=True, text=True, check=False)
    start = new_game(presets.microsoft())
    state = apply(start, deal(start, seed="table 7"))
    moves = 0
    while legal_moves(state) and state.deal_number == 0:
        state = apply(state, legal_moves(state)[0])
        moves += 1
    assert (played.stdout, played.stderr) == (f"{moves} moves: {' '.join(map(str, state.scores))}\n", "")
