"""The OpenAPI description: linters find nothing in it, and the client of each generator plays a deal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

import pytest

from heartsrules import apply, deal, legal_moves, new_game, presets
from heartsrules.apps.serve.openapi import description
from support.serving import running_http

CLIENT: Final = Path(__file__).resolve().parents[2] / "docs" / "examples" / "generated"
REDOCLY: Final = ("--package=@redocly/cli@2.77.0", "--", "redocly", "lint")
SPECTRAL: Final = ("--package=@stoplight/spectral-cli@6.16.3", "--", "spectral", "lint", "--fail-severity=hint")

pytestmark = pytest.mark.long


def give_up(reason: str) -> NoReturn:
    """Skip the test; on the forge, where everything is there, it fails."""
    if "CI" in os.environ:
        pytest.fail(reason)
    pytest.skip(reason)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=600
    )


def npm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run npm in a folder; give up if there is none, or nothing can be installed."""
    program = shutil.which("npm")
    if program is None:
        give_up("Node.js is not installed: npm is needed")
    done = run(folder, program, *arguments)
    if "npm error" in done.stderr and "network" in done.stderr:
        give_up(f"npm cannot install packages: {done.stderr[-300:]}")
    return done


@pytest.mark.parametrize("linter", [REDOCLY, SPECTRAL], ids=["redocly", "spectral"])
def test_linters_find_nothing_by_their_recommended_rules(linter: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text(description(), encoding="utf-8")
    (tmp_path / ".spectral.yaml").write_text('extends: ["spectral:oas"]\n', encoding="utf-8")
    done = npm(tmp_path, "exec", "--yes", "--ignore-scripts", *linter, "openapi.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout.lower().replace("deprecation warning", "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the example, with the description."""
    shutil.copytree(CLIENT, tmp_path, dirs_exist_ok=True)
    (tmp_path / "openapi.json").write_text(description(), encoding="utf-8")
    return tmp_path


def play(folder: Path, *command: str) -> None:
    """Let a program play a deal, and compare it with the library."""
    with running_http() as (_, url):
        played = run(folder, *command, url)
    start = new_game(presets.microsoft())
    state = apply(start, deal(start, seed="table 7"))
    moves = 0
    while legal_moves(state) and state.deal_number == 0:
        state = apply(state, legal_moves(state)[0])
        moves += 1
    assert (played.stdout, played.stderr) == (f"{moves} moves: {' '.join(map(str, state.scores))}\n", "")


def test_clients_in_typescript_play_a_deal(folder: Path) -> None:
    """Those of @hey-api/openapi-ts and of openapi-typescript."""
    for arguments in (("ci", "--ignore-scripts", "--no-audit", "--no-fund"), ("run", "generate"), ("run", "build")):
        done = npm(folder, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
    for name in ("play.js", "play-types.js"):
        play(folder, "node", str(Path("built", name)))


def test_a_client_in_python_plays_a_deal(folder: Path) -> None:
    """That of openapi-python-client, which has no warning."""
    environment = folder / "environment"
    assert run(folder, sys.executable, "-m", "venv", str(environment)).returncode == 0
    scripts = Path(sysconfig.get_path("scripts", "venv", {"base": str(environment)}))
    installed = run(folder, str(scripts / "python"), "-m", "pip", "install", "-q", "-r", "requirements.txt")
    if installed.returncode:
        give_up(f"pip cannot install packages: {installed.stderr[-300:]}")
    generate: Sequence[str] = ("generate", "--path", "openapi.json", "--meta", "none", "--config", "config.yaml")
    output = ("--output-path", "heartsrules_client", "--fail-on-warning")
    made = run(folder, str(scripts / "openapi-python-client"), *generate, *output)
    assert made.returncode == 0, made.stdout + made.stderr
    play(folder, str(scripts / "python"), "play.py")
